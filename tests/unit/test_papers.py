"""What if, targets and comparisons: the same prices as `upcard odds`, and clear refusals."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shell import refusal, upcard
from upcard import tables_for
from upcard.cli.varying import parse_varied
from upcard.compile.tables import PaidGame, PayUnit
from upcard.errors import UpcardError
from upcard.papers.comparison import compare, rule_differences
from upcard.papers.target import find_payable, find_target, parse_edge
from upcard.papers.what_if import what_if
from upcard.solve.odds import odds

FEW = {"decks": "1", "max_hands": "1"}


def data(*arguments: str) -> Any:
    done = upcard(*arguments, "--json")
    assert (done.status, done.err) == (0, "")
    return done.data


# ----------------------------------------------------------------------------------------- what if


def test_every_cell_is_what_odds_says() -> None:
    varied = ("--vary", "soft17=stand,hit", "--vary", "natural=3:2,6:5")
    found = data("odds", "blackjack", "--set", "decks=1", "--set", "max_hands=1", *varied)
    assert [tuple(cell["settings"].values()) for cell in found["cells"]] == [
        ("stand", "3:2"),
        ("stand", "6:5"),
        ("hit", "3:2"),
        ("hit", "6:5"),
    ]
    for cell in found["cells"]:
        tables = tables_for("blackjack", FEW | cell["settings"])
        exact = odds(tables, bet=found["bet"])
        assert cell["fingerprint"] == tables.fingerprint
        assert set(cell["wagers"]) == set(exact.wagers)
        for wager, own in cell["wagers"].items():
            assert own["ev"] == pytest.approx(exact.wagers[wager].ev, abs=1e-12)
            assert own["edge"] == -own["ev"]


def test_two_settings_are_a_matrix_of_every_wager_that_changes() -> None:
    done = upcard(
        *("odds", "blackjack", "--set", "max_hands=1"),
        *("--vary", "decks=1,2", "--vary", "double=any-two,none"),
    )
    assert done.status == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["decks", "\\", "double", "any-two", "none"] in lines
    assert ["Blackjack"] in lines
    assert ["Insurance"] in lines
    assert len([line for line in lines if line[:1] == ["2"]]) == 2


def test_what_rules_forbid_is_told_and_the_rest_is_priced() -> None:
    with pytest.raises(UpcardError, match="decks=9"):
        what_if(lambda own: tables_for("blackjack", own), {}, {"decks": ["9"]})
    some = what_if(lambda own: tables_for("blackjack", own), FEW, {"burn": ["1", "11"]})
    assert [bool(cell.evs) for cell in some.cells] == [True, False]
    assert "burn may be" in some.cells[1].refused
    assert "not allowed" in str(some)
    assert some.cells[1].refused in some.csv()


def test_csv_has_every_digit(tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    asked = ("odds", "blackjack", "--set", "max_hands=1", "--vary", "decks=1..2")
    done = upcard(*asked, "-o", str(file))
    assert (done.status, done.out) == (0, f"{file}: 2 combinations\n")
    lines = [*csv.DictReader(io.StringIO(file.read_text()))]
    exact = odds(tables_for("blackjack", {"max_hands": "1", "decks": "2"}))
    own = next(line for line in lines if line["decks"] == "2" and line["wager"] == "base")
    assert float(own["ev"]) == pytest.approx(exact.wagers["base"].ev, abs=1e-12)
    assert "written as .svg, .png, .pdf or .csv" in refusal(
        *asked, "-o", str(tmp_path / "edges.xls")
    )
    assert "no folder" in refusal(*asked, "-o", str(tmp_path / "none" / "edges.csv"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--vary", "decks"), "write an option and its values"),
        (("--vary", "decks="), "write an option and its values"),
        (("--vary", "deck=1"), 'did you mean "decks"'),
        (("--vary", "decks=1,1"), "there twice"),
        (("--vary", "decks=1,,2"), "write an option and its values"),
        (("--vary", "decks=8..1"), "no span"),
        (("--vary", "decks=1..99999"), "more than"),
        (("--vary", "decks=1", "--vary", "decks=2"), "varied twice"),
        (("--vary", "decks=1", "--set", "decks=2"), "cannot be varied as well"),
        (("--vary", "table_maximum=1..30", "--vary", "table_minimum=1..30"), "more than the 500"),
        (("--vary", "decks=1", "--infinite"), "--vary prices"),
        (("-o", "x.csv"), "-o writes what --vary finds"),
    ],
)
def test_what_cannot_be_varied_is_refused(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal("odds", "blackjack", *arguments)


def test_money_is_varied_in_dollars() -> None:
    found = data("odds", "ten-sticks-21", "--set", "decks=1", "--vary", "prize=20,50.50")
    assert found["varied"] == {"prize": ["2000", "5050"]}
    less, more = (cell["wagers"]["base"]["ev"] for cell in found["cells"])
    assert less < more


def test_spans_and_lists_together() -> None:
    assert parse_varied(["decks=1..3,8"]) == {"decks": ["1", "2", "3", "8"]}


# ----------------------------------------------------------------------------------------- targets


def test_a_target_is_met_by_the_game_that_pays_it() -> None:
    """The figures of the answer, written into the game, give the edges of the answer."""
    found = find_target("blackjack-tie", FEW, "tie-18", "tie 18", 0.05)
    assert found.below.edge <= 0.05 <= found.above.edge
    assert found.below.figure == found.above.figure + 1
    game = PaidGame("blackjack-tie", FEW)
    payable = find_payable(game, "tie-18", "wagers.tie-18.pays")
    for paid in (found.above, found.below):
        priced = odds(game.paying(payable, paid.figure), bet=found.bet)
        assert priced.wagers["tie-18"].edge == pytest.approx(paid.edge, abs=1e-12)
    assert found.above.figure < found.exact < found.below.figure


def test_the_natural_may_pay_what_no_option_allows() -> None:
    found = find_target("blackjack", FEW, "base", "natural", 0.02)
    assert found.above.figure < found.below.figure <= found.now.figure
    assert str(found.below.figure) in ("7/5", "6/5", "13/10", "1")
    one, other = found.above, found.below
    assert one.edge >= 0.02 >= other.edge
    assert len({one.fingerprint, other.fingerprint, found.now.fingerprint}) == 3


def test_a_prize_by_search_since_play_goes_by_it() -> None:
    settings = {"decks": "1", "max_hands": "2"}
    found = find_target("ten-sticks-21", settings, "base", "prize", -0.02)
    assert found.below.figure - found.above.figure == 100
    assert found.below.edge <= -0.02 <= found.above.edge
    assert "favours the player" in str(found)


def test_rows_of_pay_tables_for_and_to_one() -> None:
    found = data(
        *("target", "blackjack", "--side", "21+3", "--wager", "21+3"),
        *("--edge", "4%", "--solve", "straight flush"),
    )
    assert found["solved"]["unit"] == PayUnit.TO_1.value
    assert found["above"]["edge"] >= 0.04 >= found["below"]["edge"]
    assert found["below"]["figure"] == found["above"]["figure"] + 1
    assert found["above"]["figure"] < found["exact"] < found["below"]["figure"]
    low = find_target("twisted-21", {"stud_bonus": "five-card-low"}, "stud-bonus", "Q high", 0.05)
    assert low.words(low.above.figure).endswith("for 1")


def test_a_bonus_of_the_base_wager_is_solved_as_the_game_that_pays_it(tmp_path: Path) -> None:
    """The answer, written into a game file by hand, has the price that was told."""
    found = find_target("super-fun-21", {}, "base", "six", 0.008)
    assert found.payable.is_bonus
    assert found.below.edge <= 0.008 <= found.above.edge < found.now.edge
    assert found.payable.place == "bonuses.rows, row 3 of the game file"
    own = (
        'id = "own"\nversion = 1\nname = "Own"\nsource = "ours"\nextends = "super-fun-21"\n'
        "draft = true\n[bonuses]\nrows = [\n"
        '{ name = "blackjack of diamonds", natural = true, suits = "d", pays = "2:1" },\n'
        '{ name = "21 of five", total = 21, cards = { from = 5 }, pays = "2:1", ends = true },\n'
        '{ name = "six cards", total = { to = 20 }, cards = 6, pays = "PAYS", ends = true },\n]\n'
    )
    for paid in (found.above, found.below):
        pays = f"{paid.figure.numerator}:{paid.figure.denominator}"
        file = tmp_path / "own.toml"
        file.write_text(own.replace("PAYS", pays))
        priced = odds(tables_for(str(file)))
        assert priced.wagers["base"].edge == pytest.approx(paid.edge, abs=1e-12)


MIRROR = """
id = "mirror"
name = "Mirror"
source = "ours"
cards = "dealers-two"
settled = "peek"

[tables.usual]
rows = [
  { event = "pair", when = { pair = true, players_two = { pair = true } }, pays_with = SHOES },
  { event = "twenty", pays = 12, when = { total = 20, players_two = { total = 20 } } },
]
"""


def mirror(pays: object) -> str:
    """The file of a side wager, and what it pays with six decks."""
    shoes = f"[{{ decks = 2, pays = 30 }}, {{ decks = 6, pays = {pays} }}]"
    return MIRROR.replace("SHOES", shoes)


def test_a_row_that_pays_by_the_shoe_is_solved_for_the_shoe(tmp_path: Path) -> None:
    file = tmp_path / "mirror.toml"
    file.write_text(mirror(25))
    settings = {"sides": str(file)}
    found = find_target("blackjack", settings, "mirror", "pair", 0.2)
    assert found.now.figure == 25
    assert found.payable.place == f"tables.usual.rows, row 1, pays_with #2, of {file}"
    assert found.below.figure == found.above.figure + 1
    assert found.below.edge <= 0.2 <= found.above.edge
    for paid in (found.above, found.below):
        own = tmp_path / f"pays-{paid.figure}.toml"
        own.write_text(mirror(paid.figure))
        priced = odds(tables_for("blackjack", {"sides": str(own)}))
        assert priced.wagers["mirror"].edge == pytest.approx(paid.edge, abs=1e-12)
    # Another shoe has another figure, and is solved by itself.
    other = find_target("blackjack", {**settings, "decks": "2"}, "mirror", "pair", 0.2)
    assert other.now.figure == 30
    assert other.payable.shoe == 0
    known = find_payable(
        PaidGame("blackjack", {"sides": "match-the-dealer"}), "match-the-dealer", "unsuited"
    )
    assert known.place.endswith("of the side wager match-the-dealer")


def test_the_very_edge_is_met() -> None:
    now = find_target("blackjack-tie", FEW, "tie-18", "Tie 18", 0.05).above
    found = find_target("blackjack-tie", FEW, "tie-18", "Tie 18", now.edge)
    assert found.above == found.below == now
    assert found.exact == now.figure
    assert "meets it" in str(found)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--wager", "bas", "--edge", "1%", "--solve", "natural"), 'did you mean "base"'),
        (("--wager", "base", "--edge", "1%", "--solve", "royal"), 'no figure "royal"'),
        (("--wager", "base", "--edge", "1", "--solve", "natural"), "in percent"),
        (("--wager", "base", "--edge", "x%", "--solve", "natural"), "in percent"),
        (("--wager", "base", "--edge", "100%", "--solve", "natural"), "between"),
        (("--wager", "base", "--edge", "90%", "--solve", "natural"), "even 1 to 5 leaves"),
        (("--wager", "insurance", "--edge", "-99.9%", "--solve", ""), 'no figure ""'),
    ],
)
def test_targets_that_cannot_be_are_refused(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal("target", "blackjack", "--set", "decks=1", *arguments)


def test_a_part_of_a_name_must_be_of_one() -> None:
    game = PaidGame("twisted-21", {})
    assert find_payable(game, "stud-bonus", "twisted").name == "Twisted Stud, 16 or less"
    assert find_payable(game, "stud-bonus", "flush").figure == 16
    with pytest.raises(UpcardError, match="write more"):
        find_payable(game, "stud-bonus", "a")


def test_edges_as_people_write_them() -> None:
    assert [parse_edge(text) for text in ("5%", " 0.5 % ", "-1%", "1/2%")] == [
        0.05,
        0.005,
        -0.01,
        0.005,
    ]


def test_a_changed_figure_makes_a_draft() -> None:
    game = PaidGame("blackjack", {})
    changed = game.paying(game.payables[0], Fraction(13, 10))
    assert changed.head.draft
    assert changed.fingerprint != game.tables.fingerprint
    assert not game.tables.head.draft


# ------------------------------------------------------------------------------------- comparisons


def test_games_side_by_side() -> None:
    found = data("compare", "blackjack", "blackjack", "--set", "decks=1", "--set-b", "soft17=hit")
    assert found["one"]["settings"] == {"decks": "1"}
    assert found["other"]["settings"] == {"decks": "1", "soft17": "hit"}
    (difference,) = found["differences"]
    assert [said["words"] for said in difference["one"]] == ["The dealer stands on soft 17."]
    assert [said["words"] for said in difference["other"]] == ["The dealer hits soft 17."]
    assert found["same"] > 40
    for side, settings in (("one", {"decks": "1"}), ("other", {"decks": "1", "soft17": "hit"})):
        exact = odds(tables_for("blackjack", settings))
        for wager, own in found["wagers"].items():
            assert own[side]["ev"] == pytest.approx(exact.wagers[wager].ev, abs=1e-12)


def test_every_rule_of_both_games_is_alike_or_a_difference() -> None:
    one, other = (tables_for(game).rulebook.sentences for game in ("blackjack", "twisted-21"))
    differences, same = rule_differences(one, other)
    told = [said for difference in differences for said in (*difference.one, *difference.other)]
    assert len(told) == len(set(told))
    assert sum(len(d.one) for d in differences) + same == len(one)
    assert sum(len(d.other) for d in differences) + same == len(other)
    words = {said.words for said in told}
    assert {s.words for s in one} ^ {s.words for s in other} <= words


def test_a_game_is_like_itself() -> None:
    tables = tables_for("twisted-21")
    found = compare(tables, tables)
    assert not found.differences
    assert "0 differences" in str(found) or "no difference" in str(found)
    assert found.evs[0] == found.evs[1]
