"""Options and readings: every one of them settable, the rest refused with the clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import compiled
from shell import refusal, upcard
from upcard import GAME_IDS, load_game
from upcard.cli.arguments import chosen_settings, typed_settings
from upcard.errors import UpcardError
from upcard.money import TOO_MUCH
from upcard.rules.load import assemble
from upcard.rules.settings import choices, parse_settings, settings_in_cents
from upcard.text import as_text

NEEDS_COMPANY = {
    ("pure-spanish-21.5", "soft17", "stand"): {"double_double": "false"},
    ("ten-sticks-21", "natural", "6:5"): {"decks": "1"},
    ("blackjack", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("ten-sticks-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("blackjack-tie", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("twisted-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("double-exposure", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("spanish-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("super-fun-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("pontoon", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("pontoon", "table_maximum", "100"): {"table_minimum": "100"},
    ("spanish-21", "table_maximum", "100"): {"table_minimum": "100"},
    ("super-fun-21", "table_maximum", "100"): {"table_minimum": "100"},
    ("blackjack-switch", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("blackjack", "table_maximum", "100"): {"table_minimum": "100"},
    ("blackjack-switch", "table_maximum", "100"): {"table_minimum": "100"},
    ("ten-sticks-21", "table_maximum", "100"): {"table_minimum": "100"},
    ("blackjack-tie", "table_maximum", "100"): {"table_minimum": "100"},
    ("twisted-21", "table_maximum", "100"): {"table_minimum": "100"},
    ("double-exposure", "table_maximum", "100"): {"table_minimum": "100"},
    ("down-under", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("down-under", "table_maximum", "100"): {"table_minimum": "100"},
    ("european-blackjack", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("european-blackjack", "table_maximum", "100"): {"table_minimum": "100"},
    ("vegas-strip", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("vegas-strip", "table_maximum", "100"): {"table_minimum": "100"},
    ("single-deck-6-5", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("single-deck-6-5", "table_maximum", "100"): {"table_minimum": "100"},
    ("free-bet", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("free-bet", "table_maximum", "100"): {"table_minimum": "100"},
    ("zappit", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("zappit", "table_maximum", "100"): {"table_minimum": "100"},
}
"""Values that contradict a default and need another setting beside them."""


def every_setting() -> list[tuple[str, str, str]]:
    found = []
    for game_id in GAME_IDS:
        rules = load_game(game_id)
        for name, choice in choices(rules.game).items():
            default = as_text(choice.current(rules.data))
            values = [as_text(value) for value in choice.allowed_values()]
            found += [(game_id, name, value) for value in values if value != default]
    return found


@pytest.mark.parametrize(("game", "name", "value"), every_setting())
def test_every_allowed_value_changes_the_fingerprint(game: str, name: str, value: str) -> None:
    company = NEEDS_COMPANY.get((game, name, value), {})
    before = load_game(game, company).fingerprint
    assert load_game(game, {name: value, **company}).fingerprint != before


@pytest.mark.parametrize("game", GAME_IDS)
def test_setting_the_default_changes_nothing(game: str) -> None:
    rules = load_game(game)
    for name, choice in choices(rules.game).items():
        default = as_text(choice.current(rules.data))
        assert load_game(game, {name: default}).fingerprint == rules.fingerprint


@pytest.mark.parametrize(
    ("game", "setting", "expected"),
    [
        ("pure-spanish-21.5", "decks=3", "decks may be 4 to 8 [PS-DECK]"),
        ("pure-spanish-21.5", "decks=9", "decks may be 4 to 8 [PS-DECK]"),
        ("pure-spanish-21.5", "natural=3:2", "its rules fix it at 6:5 [PS-V1]"),
        ("pure-spanish-21.5", "split=none", "its rules fix it at value [PS-O4]"),
        ("pure-spanish-21.5", "insurance=true", "does not have that feature"),
        ("games-of-chance-blackjack", "soft17=hit", "its rules fix it at stand [GC-DEALER]"),
        (
            "games-of-chance-blackjack",
            "surrender=maybe",
            "may be late, early, both or none [GC-SURR]",
        ),
        ("games-of-chance-blackjack", "double_for_less=false", "[GC-DOUBLE]"),
        (
            "games-of-chance-blackjack",
            "natural=6:5",
            "the reading blackjack_bonus decides it [GC-BJ]",
        ),
        ("twisted-21", "decks=2", "its rules fix it at 1 [TW-1]"),
        ("twisted-21", "split=value", "its rules fix it at none [TW-8]"),
        ("twisted-21", "surrender=late", "(The source names no surrender.)"),
        ("twisted-21", "positions=10", "positions may be 1 to 9 [TW-1, TW-3, TW-4]"),
        ("ten-sticks-21", "charlie=5", "its rules fix it at 0 [TS-0]"),
        ("ten-sticks-21", "natural=1:1", "natural may be 3:2, 6:5 or 2:1 [TS-0]"),
        ("blackjack-tie", "trade=true", "does not have that feature"),
        ("blackjack", "double_double=true", "does not have that feature"),
        ("blackjack", "charlie=4", "charlie may be 0, 5, 6 or 7 [HB-CHARLIE]"),
        ("blackjack", "decks=2.5", "decks may be 1 to 8 [HB-DECKS]"),
        ("blackjack", "decks=nan", "decks may be 1 to 8 [HB-DECKS]"),
        ("blackjack", "soft_17=hit", 'no option or reading "soft_17"; did you mean "soft17"?'),
        ("blackjack-tie", "busted_bonus=win", "busted_bonus may be lose or push [BT-2, BT-7]"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_clause(
    game: str, setting: str, expected: str
) -> None:
    with pytest.raises(UpcardError) as refusal:
        load_game(game, parse_settings([setting]))
    assert expected in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_double_double_off_brings_doubling_for_less() -> None:
    plain = load_game("pure-spanish-21.5", {"double_double": "false"}).game.double
    assert (plain.times, plain.for_less) == (1, True)


@pytest.mark.parametrize("double_double", ["true", "false"])
@pytest.mark.parametrize("for_less", ["true", "false"])
def test_doubling_for_less_is_not_the_houses_to_choose(double_double: str, for_less: str) -> None:
    """SR-2 (PS-O1, PS-O3a): it comes with double_double=false, and only so."""
    settings = {"double_for_less": for_less, "double_double": double_double}
    with pytest.raises(UpcardError) as refusal:
        load_game("pure-spanish-21.5", settings)
    assert str(refusal.value) == (
        "Pure Spanish 21.5 does not let double_for_less be set by itself: "
        "the option double_double decides it [PS-O1, PS-O3a]"
    )


OWN = """
id = "own"
version = 1
name = "Own"
source = "our own"
extends = "{parent}"
[clauses]
OWN-1 = {{ kind = "play", says = "As the parent has it.", sets = ["{sets}"] }}
"""


def own_game(folder: Path, parent: str, sets: str, more: str) -> str:
    path = folder / "own.toml"
    path.write_text(OWN.format(parent=parent, sets=sets) + more)
    return str(path)


def test_a_game_may_fix_an_option_of_its_own(tmp_path: Path) -> None:
    """SR-2: whatever the name, and also one that many games know."""
    fixed = '[fixed]\nsoft17 = ["OWN-1"]\nchip = ["OWN-1"]\n'
    game = own_game(tmp_path, "blackjack", "dealer.soft17", fixed)
    with pytest.raises(UpcardError, match=r"its rules fix it at stand \[OWN-1\]$"):
        load_game(game, {"soft17": "hit"})
    with pytest.raises(UpcardError, match=r"does not let chip be set: its rules fix it \[OWN-1\]$"):
        load_game(game, {"chip": "100"})


def test_a_game_may_offer_what_its_parent_fixes(tmp_path: Path) -> None:
    option = '[options]\ndouble_for_less = { sets = "double.for_less", allowed = [true, false] }\n'
    game = own_game(tmp_path, "pure-spanish-21.5", "double.for_less", option)
    settings = {"double_double": "false", "double_for_less": "false"}
    assert load_game(game, settings).game.double.for_less is False
    both = option + '[fixed]\ndouble_for_less = ["OWN-1"]\n'
    game = own_game(tmp_path, "pure-spanish-21.5", "double.for_less", both)
    with pytest.raises(UpcardError, match="either fixes it or offers it"):
        load_game(game)


@pytest.mark.parametrize("text", ["decks", "=5", "decks=", ""])
def test_a_setting_is_a_name_and_a_value(text: str) -> None:
    with pytest.raises(UpcardError, match="write it as name=value"):
        parse_settings([text])


def test_a_name_is_set_once() -> None:
    assert parse_settings(["decks=8", "decks=8"]) == {"decks": "8"}
    with pytest.raises(UpcardError, match="decks is set twice, to 8 and to 6"):
        parse_settings(["decks=8", "decks=6"])


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_vocabulary_says_which_options_are_money(game: str) -> None:
    known = choices(load_game(game).game)
    money = {name for name, choice in known.items() if choice.money}
    assert money == known.keys() & {"table_minimum", "table_maximum", "chip", "prize"}


def test_an_option_of_ones_own_is_money_if_its_key_is(tmp_path: Path) -> None:
    file = tmp_path / "capped.toml"
    file.write_text(
        'extends = "twisted-21"\nid = "capped"\nversion = 1\nname = "Capped"\nsource = "a test"\n'
        "[wagers.stud-bonus]\nmaximum = 2500\n"
        '[options.cap]\nsets = "wagers.stud-bonus.maximum"\nallowed = [2500, 5000]\n'
    )
    game = assemble(str(file), {}).game
    assert choices(game)["cap"].money
    assert settings_in_cents(game, {"cap": "50", "decks": "1"}) == {"cap": "5000", "decks": "1"}
    with pytest.raises(UpcardError, match=r"does not allow cap=\$30: cap may be \$25 or \$50"):
        assemble(str(file), {"cap": "3000"})


@pytest.mark.parametrize(
    ("text", "cents"), [("25", "2500"), ("$25", "2500"), ("25.00", "2500"), ("2500c", "2500")]
)
def test_people_set_money_in_dollars(text: str, cents: str) -> None:
    found = upcard("rules", "blackjack", "--set", f"table_minimum={text}", "--json").data
    assert found["settings"] == {"table_minimum": cents}
    (option,) = (one for one in found["options"] if one["name"] == "table_minimum")
    assert (option["value"], option["default"], option["allowed"]) == (2500, 500, [100, 10_000_000])
    text = upcard("rules", "blackjack", "--set", f"table_minimum={text}").out
    assert "with table_minimum=$25\n" in text
    assert re.search(r"table_minimum +\$25 +\$1 \.\.\. \$100,000 ", text)
    assert re.search(r"chip +\$0\.01 +\$0\.01, \$0\.25, \$0\.50, \$1 ", text)


def test_settings_of_money_are_refused_in_dollars() -> None:
    assert refusal("rules", "blackjack", "--set", "table_minimum=50c") == (
        "Blackjack does not allow table_minimum=$0.50: table_minimum may be $1 to $100,000"
    )
    assert refusal("rules", "blackjack", "--set", "chip=10c") == (
        "Blackjack does not allow chip=$0.10: chip may be $0.01, $0.25, $0.50 or $1"
    )
    assert upcard("check", "blackjack", "--set", "table_minimum=1e30").err.startswith(
        'upcard: blackjack: table_minimum: "1e30" is not an amount: write dollars'
    )
    assert refusal("rules", "blackjack", "--set", f"table_maximum={'9' * 40}") == (
        f"table_maximum: {TOO_MUCH}"
    )


def test_a_situation_and_a_sweep_take_settings_in_dollars() -> None:
    file = "tests/rulebook/situations/blackjack/HB-ORDER--table-minimum-raised.toml"
    assert upcard("round", file).status == 0
    assert upcard("round", file, "--set", "table_minimum=25").status == 0
    assert upcard("round", file, "--set", "table_minimum=5").status == 1
    found = upcard(
        *("simulate", "blackjack", "--rounds", "1000", "--policy", "mimic", "--json"),
        *("--vary", "table_minimum=10,$25,5000c"),
    ).data
    assert [one["bet"] for one in found["trials"]] == [1000, 2500, 5000]


@pytest.mark.parametrize(
    ("name", "written", "typed"),
    [
        ("penetration", "0.75", (".75", "7.5e-1", "+0.750", " 0.75")),
        ("penetration", "1.0", ("1", "1.")),
        ("decks", "8", ("8", " 8", "+8", "08", "٨")),
        ("burn", "10", ("10", "1_0")),
        ("soft17", "hit", ("hit",)),
    ],
)
def test_a_setting_is_kept_in_one_form(name: str, written: str, typed: tuple[str, ...]) -> None:
    for text in typed:
        rules = load_game("blackjack", {name: text})
        assert rules.settings == {name: written}
        assert rules.fingerprint == load_game("blackjack", rules.settings).fingerprint


def test_settings_are_typed_as_they_are_read() -> None:
    tables = compiled("ten-sticks-21", prize=12_350, decks=8)
    typed = list(typed_settings(tables))
    assert sorted(typed) == ["decks=8", "prize=123.50"]
    assert chosen_settings("ten-sticks-21", typed) == dict(tables.settings)
