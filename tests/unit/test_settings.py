"""Options and readings: every one of them settable, the rest refused with the clause."""

from __future__ import annotations

import pytest

from upcard import GAME_IDS, load_game
from upcard.errors import UpcardError
from upcard.rules.settings import choices, parse_settings
from upcard.text import as_text

NEEDS_COMPANY = {
    ("pure-spanish-21.5", "soft17", "stand"): {"double_double": "false"},
    ("ten-sticks-21", "natural", "6:5"): {"decks": "1"},
    ("blackjack", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("ten-sticks-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("blackjack-tie", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("twisted-21", "table_minimum", "10000000"): {"table_maximum": "100000000"},
    ("blackjack", "table_maximum", "100"): {"table_minimum": "100"},
    ("ten-sticks-21", "table_maximum", "100"): {"table_minimum": "100"},
    ("blackjack-tie", "table_maximum", "100"): {"table_minimum": "100"},
    ("twisted-21", "table_maximum", "100"): {"table_minimum": "100"},
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
    # Comes with double_double=false and never without: see the test of that option.
    found.remove(("pure-spanish-21.5", "double_for_less", "true"))
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
        ("games-of-chance-blackjack", "surrender=maybe", "may be late, early or none [GC-SURR]"),
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
    settings = {"double_for_less": "false", "double_double": "false"}
    both = load_game("pure-spanish-21.5", settings).game.double
    assert (both.times, both.for_less) == (1, False)


@pytest.mark.parametrize("text", ["decks", "=5", "decks=", ""])
def test_a_setting_is_a_name_and_a_value(text: str) -> None:
    with pytest.raises(UpcardError, match="write it as name=value"):
        parse_settings([text])


def test_a_name_is_set_once() -> None:
    assert parse_settings(["decks=8", "decks=8"]) == {"decks": "8"}
    with pytest.raises(UpcardError, match="decks is set twice, to 8 and to 6"):
        parse_settings(["decks=8", "decks=6"])
