"""Side wagers around the edges: files, settings, refusals, records, environments, the house."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import upcard
from conftest import compiled
from shell import upcard as run
from upcard import GAME_IDS, UpcardError, tables_for
from upcard.cards import Card
from upcard.compile.tables import settings_with
from upcard.rules import fitting
from upcard.rules.check import check_game
from upcard.rules.load import load_game
from upcard.rules.side_files import SIDE_IDS, find_side
from upcard.solve.observers import card_wager

OWN = """
id = "hearts"
name = "Hearts"
source = "Ours"
cards = "first-two"
settled = "initial"

[tables.usual]
rows = [
  { event = "ace of hearts twice", pays = 100, when = { exactly = ["Ah", "Ah"] } },
  { event = "two hearts", pays = "27:2", when = { suits = "h" } },
]

[tables.small]
rows = [{ event = "two hearts", pays = 14, when = { suits = "h" } }]
"""


def problems(rows: str, *, game: str = "blackjack", more: str = "", tmp: Path) -> list[str]:
    """What is wrong with a side wager."""
    head = 'id = "own"\nname = "Own"\nsource = "Ours"\n'
    keys = {"cards": '"first-two"', "settled": '"initial"'}
    keys |= dict(line.split(" = ", 1) for line in more.splitlines())
    text = head + "".join(f"{key} = {value}\n" for key, value in keys.items())
    file = tmp / "own.toml"
    file.write_text(f"{text}\n[tables.usual]\nrows = [\n{rows}\n]\n")
    return [problem.message for problem in check_game(game, {"sides": str(file)})[1]]


@pytest.mark.parametrize(
    ("more", "rows", "message"),
    [
        (
            "",
            """{ event = "pair", pays = 5, when = { alike = "rank" } },
            { event = "aces", pays = 9, when = { ranks = ["A", "A"] } }""",
            'row "aces" is never paid: row "pair" comes first wherever it fits',
        ),
        (
            "",
            '{ event = "30", pays = 5, when = { total = 30 } }',
            'row "30" is never paid: no cards fit it',
        ),
        (
            'cards = "dealer"\nsettled = "dealer"',
            """{ event = "bust", pays = 2, when = { bust = true } },
            { event = "bust with three", pays = 3, when = { bust = true, cards = 3 } }""",
            'row "bust with three" is never paid: row "bust" comes first wherever it fits',
        ),
        (
            'cards = "dealer"',
            '{ event = "bust", pays = 2, when = { bust = true } }',
            'the dealer\'s final hand is known only after it: settled = "dealer"',
        ),
        (
            'cards = "dealer"\nsettled = "dealer"',
            '{ event = "pair", pays = 2, when = { exactly = ["As", "As"] } }',
            'row "pair" cannot ask for exactly with cards = "dealer"',
        ),
        (
            "",
            '{ event = "a", pays = 2, when = { suits = "h", dealers_two = { natural = true } } }',
            'a row asks for the dealer\'s second card, which is known later: settled = "peek"',
        ),
        (
            'third_card = "guaranteed"',
            '{ event = "a", pays = 2, when = { suits = "h" } }',
            'no third card is looked at: third_card is for cards = "first-three"',
        ),
        (
            'cards = "first-three"',
            '{ event = "a", pays = 2, when = { suits = "h" } }',
            'the third card comes later: settled = "third"',
        ),
        (
            'mode = "each-card"',
            '{ event = "a", pays = 2, when = { alike = "rank" } }',
            'each-card looks at cards beside the up card: cards = "first-two-and-up-card"',
        ),
        (
            'quoted = "for-1"',
            '{ event = "a", pays = "1:2", when = { suits = "h" } }',
            'row "a" returns less than the stake, so it is no payoff',
        ),
        (
            'cards = "final-hands"',
            '{ event = "a", pays = 2, when = { bust = true } }',
            'both hands are known only after the dealer\'s: settled = "dealer"',
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"\nmode = "every-row"',
            '{ event = "a", pays = 2, when = { bust = true } }',
            'one row is paid by final hands: mode = "first-row" or "best-row"',
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"\naces = "low"',
            '{ event = "a", pays = 2, when = { bust = true } }',
            'hands that have ended are counted as in the game: aces = "best"',
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"',
            '{ event = "a", pays = 2, when = { suits = "h" } }',
            (
                'row "a" cannot ask for suits with cards = "final-hands": cards, total, natural, '
                "bust, dealers_final and compared are what it may ask"
            ),
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"',
            '{ event = "a", pays = 2, when = { dealers_final = { bust = true, cards = 5 } } }',
            (
                'row "a" asks for a dealer\'s hand that is over, and for its cards or total, which '
                "do not count then: leave them out"
            ),
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"',
            '{ event = "a", pays = 2, when = { total = 22 } }',
            'row "a" is never paid: no hands fit it',
        ),
        (
            'cards = "final-hands"\nsettled = "dealer"',
            """{ event = "a", pays = 2, when = { total = { from = 18 } } },
            { event = "b", pays = 3, when = { total = 20, compared = "equal" } }""",
            'row "b" is never paid: rows before it come first wherever it fits',
        ),
        (
            'cards = "dealer"\nsettled = "dealer"',
            '{ event = "a", pays = 2, when = { compared = "equal" } }',
            'row "a" cannot ask for compared with cards = "dealer"',
        ),
        (
            "",
            """{ event = "a", pays = 2, when = { suits = "h" } },
            { event = "a", pays = 2, when = { suits = "s" } }""",
            'two rows have the name "a"',
        ),
        (
            "",
            '{ event = "a", pays_with = [{ decks = 2, pays = 3 }], when = { suits = "h" } }',
            'row "a" has no figure for 6 decks: it has 2 decks',
        ),
    ],
)
def test_contradictions_are_named(more: str, rows: str, message: str, tmp_path: Path) -> None:
    assert message in problems(rows, more=more, tmp=tmp_path)


def test_ids_and_names_are_a_wagers_own(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        'extends = "vegas-strip"\nid = "own"\nversion = 1\nname = "Own"\n'
        'source = "Ours"\ndraft = true\n'
        '[wagers.insurance]\nuse = "perfect-pairs"\n[wagers.more]\nuse = "perfect-pairs"\n'
    )
    found = [problem.message for problem in check_game(str(file), {}, draft=True)[1]]
    assert (
        '"insurance" is the id of insurance, which [insurance] offers: give the wager another'
        in found
    )
    assert any('both called "Perfect Pairs": give one a name of its own' in one for one in found)


def test_a_card_that_the_deck_lacks_is_named(tmp_path: Path) -> None:
    rows = '{ event = "tens", pays = 9, when = { ranks = ["T", "T"] } }'
    found = problems(rows, game="pure-spanish-21.5", tmp=tmp_path)
    assert 'row "tens" asks for a card that is taken out of the deck: T' in found


def test_too_few_decks_are_said_on_the_sheet_only() -> None:
    """S7-2: one deck has no suited 7-7-7."""
    tables = compiled("blackjack", decks=1, positions=5, sides="perfect-pairs")
    words = [sentence.words for sentence in tables.rulebook.sentences]
    assert 'With 1 deck the row "perfect pair" of Perfect Pairs cannot occur.' in words


def test_rows_that_a_short_hand_of_the_dealers_cannot_reach_are_said_on_the_sheet() -> None:
    words = tables_for("twisted-21", sides=["buster"]).rulebook.about("wagers.buster.rows")
    said = [one.words for one in words if "cannot occur" in one.words]
    assert len(said) == 3
    assert said[0].startswith("The dealer stands on 5 cards, so that the row")


def test_settings_may_be_true_and_eight() -> None:
    settings: dict[str, Any] = {"double_after_split": False, "decks": 8}
    texts = {"double_after_split": "false", "decks": "8"}
    assert (
        tables_for("blackjack", settings).fingerprint == tables_for("blackjack", texts).fingerprint
    )


def test_unknown_names_are_one_sentence() -> None:
    with pytest.raises(UpcardError, match=r'no side wager "21\+4"; did you mean "21\+3"'):
        tables_for("blackjack", sides=["21+4"])
    with pytest.raises(UpcardError, match=r'21\+3 has no pay table "grade".*graded'):
        tables_for("blackjack", sides=["21+3=grade"])
    with pytest.raises(UpcardError, match="offered already"):
        tables_for("blackjack", sides=["21+3", "21+3=graded"])
    assert run("odds", "blackjack", "--side", "nothing").status == 1


@pytest.mark.parametrize("game", GAME_IDS)
@pytest.mark.parametrize("side", SIDE_IDS)
def test_every_game_can_offer_every_side_wager(game: str, side: str) -> None:
    """SW-1: all games, and a sentence on the sheet for each value."""
    rules, found = check_game(game, {"sides": side})
    assert rules is not None
    if side == "match-the-dealer" and rules.game.shoe.decks not in (2, 4, 6, 8):
        assert "has no figure for" in found[0].message  # MD-3
        return
    assert found == []
    tables = tables_for(game, sides=[side])
    assert tables.fingerprint != compiled(game).fingerprint
    ids = {clause.id for clause in tables.rulebook.clauses if clause.in_force}
    assert {"SW-1", "SW-2", "SW-4"} <= ids


@pytest.mark.parametrize("side", ["21+3", "buster", "super-sevens", "super-sevens=no-guarantee"])
def test_a_shoe_with_too_few_cards_is_refused(side: str) -> None:
    tables = tables_for("blackjack", sides=[side])
    with pytest.raises(UpcardError, match="not enough cards left"):
        card_wager(tables, side.partition("=")[0], shoe={Card.parse("5s"): 1, Card.parse("6s"): 1})


def test_settings_keep_one_form() -> None:
    """The usual pay table is not named, so that the same table has one name."""
    named = tables_for("blackjack", {"sides": "21+3=flat9, royal-match=10-3"})
    assert named.settings == {"sides": "21+3,royal-match=10-3"}
    assert named.fingerprint == tables_for("blackjack", named.settings).fingerprint
    assert settings_with({}, []) == {}


def test_a_game_as_an_object() -> None:
    game = upcard.game("blackjack", decks=8, sides=["21+3=graded"])
    assert repr(game) == "upcard.game('blackjack', decks=8, sides='21+3=graded')"
    assert game.replace(sides=[]) == upcard.game("blackjack", decks=8)
    with pytest.raises(UpcardError, match="give a list of side wagers"):
        upcard.game("blackjack", sides=3)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    """A path works on the command line, in Python and in a game file beside it."""
    file = tmp_path / "hearts.toml"
    file.write_text(OWN)
    usual = tables_for("blackjack", sides=[str(file)])
    assert list(usual.observers) == ["hearts"]
    assert tables_for("blackjack", sides=[f"{file}=small"]).fingerprint != usual.fingerprint
    game = tmp_path / "mine.toml"
    game.write_text(
        'id = "mine"\nversion = 1\nname = "Mine"\nsource = "Ours"\nextends = "blackjack"\n'
        '[wagers.h]\nuse = "hearts.toml"\ntable = "small"\nname = "Two Hearts"\nmaximum = 5000\n'
        '[clauses]\nM-1 = { kind = "money", says = "Two hearts pay 14.", sets = '
        '["wagers.h.use", "wagers.h.name", "wagers.h.maximum"] }\n'
    )
    tables = tables_for(str(game))
    assert tables.money.wagers["h"].name == "Two Hearts"
    assert tables.money.wagers["h"].maximum == 5000
    assert run("rules", str(game)).status == 0


def test_rows_add_up_where_all_that_fit_are_paid(tmp_path: Path) -> None:
    file = tmp_path / "sum.toml"
    file.write_text(
        'id = "sum"\nname = "Sum"\nsource = "Ours"\ncards = "first-two"\nsettled = "initial"\n'
        'mode = "every-row"\n[tables.usual]\nrows = [\n'
        '{ event = "pair", pays = 5, when = { alike = "rank" } },\n'
        '{ event = "suited", pays = 2, when = { suits = "one" } },\n]\n'
    )
    tables = tables_for("blackjack", sides=[str(file)])
    found = card_wager(tables, "sum")
    by_event = {row.event: row for row in found.returns}
    assert by_event["pair and suited"].pays == 7
    assert by_event["pair and suited"].combinations == 52 * 15  # six copies, two of them
    other = tmp_path / "best.toml"
    other.write_text(file.read_text().replace("every-row", "best-row"))
    found = card_wager(tables_for("blackjack", sides=[str(other)]), "sum")
    by_event = {row.event: row for row in found.returns}
    assert by_event["pair"].combinations == 13 * 24 * 23 // 2


def test_sessions_with_side_wagers_are_verified_and_replayed(tmp_path: Path) -> None:
    """The record's settings carry the side wagers."""
    from upcard.table import commands as cm
    from upcard.table.notation import save_log
    from upcard.table.session import Session

    session = Session(tables_for("blackjack", sides=["perfect-pairs", "buster"]))
    path = tmp_path / "session.jsonl"
    for command in (
        cm.OpenTable(table="t", secret="ab" * 32),
        cm.BuyIn(player="Ann", amount=100_000),
        cm.Sit(player="Ann", seat=1),
        cm.PlaceWagers(
            player="Ann", position=1, wagers={"base": 1000, "perfect-pairs": 500, "buster": 200}
        ),
        cm.Deal(),
    ):
        session.do(command)
    while question := session.question:
        text = question.actions[-1].text
        session.do(cm.parse_decision(text, player="Ann", position=question.position))
    session.do(cm.CloseTable())
    save_log(session.log(), path)
    assert run("verify", str(path)).status == 0
    assert run("replay", str(path)).status == 0


def test_environments_take_side_wagers() -> None:
    from upcard.envs import RoundVectorEnv

    env = RoundVectorEnv(
        "blackjack", 64, sides=["super-sevens", "buster"], wagers={"buster": 1, "super-sevens": 1}
    )
    env.reset(seed=3)
    seen: set[float] = set()
    for _ in range(30):
        _, _, _, _, info = env.step(env.action_space.sample())
        if "net" in info:
            ended = info["_net"]
            seen |= set(info["net"]["buster"][ended].tolist())
    assert len(seen) > 1


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that has never failed is no check: suits that are always alike change every edge."""
    import numpy as np

    tables = tables_for("blackjack", sides=["21+3=graded"])
    right = card_wager(tables, "21+3").edge
    monkeypatch.setattr(fitting, "_by_suit", lambda _, cards: np.ones(len(cards), dtype=np.bool_))
    wrong = card_wager(tables_for("blackjack", {"decks": "6"}, sides=["21+3=graded"]), "21+3").edge
    assert f"{100 * right:.4f}" == "4.6210"
    assert abs(wrong - right) > 0.1


@pytest.mark.parametrize("side", SIDE_IDS)
def test_every_file_says_where_it_comes_from(side: str) -> None:
    found = find_side(side).side
    assert found.id == side
    assert found.source
    assert found.clauses


# ------------------------------------------------------------------ files of one's own


def test_a_clause_of_an_unknown_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hearts.toml"
    clauses = '[clauses]\nH-1 = { kind = "money", says = "Two hearts pay.", sets = ["rowz"] }\n'
    file.write_text(OWN + clauses, "utf-8")
    with pytest.raises(UpcardError, match=r'H-1\.sets: a side wager has no key "rowz"; did'):
        find_side(str(file))


def test_a_side_wager_among_games_is_no_broken_game(tmp_path: Path) -> None:
    file = tmp_path / "hearts.toml"
    file.write_text(OWN, "utf-8")
    tested = run("test", str(tmp_path))
    assert (tested.status, tested.err) == (0, "")
    assert f"sound   {file}  side wager hearts" in tested.out
    with pytest.raises(UpcardError, match=r"hearts\.toml is a side wager, not a game"):
        load_game(str(file))
