"""Exact values from the rules alone: checked by every order of tiny decks, and as written."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from depth import deep

from . import VARIANTS
from .every_order import best_by_every_order
from .exact_play import Exact, full_deck, optimum
from .exact_values import FILE, HEAD, Case, load

CASES = load()
TWO: dict[str, object] = {"max_hands": 2}
ONE: dict[str, object] = {"free_splits": "one"}
ORIGINAL: dict[str, object] = {"late_natural_takes": "original", "max_hands": 2}
UNSPLIT = ("split",)
WINS: dict[str, object] = {"exchanged_natural": "wins", "surrender": "late"}


def kings(words: str, number: int) -> list[str]:
    """Some cards and so many kings, which leave few orders that look different."""
    return [*words.split(), *["Ks"] * number]


@pytest.mark.parametrize(
    ("game", "settings", "cards", "never"),
    [
        ("spanish-21", {"redouble": True}, kings("5s 6s 3s", 5), UNSPLIT),
        ("double-exposure", {}, kings("8s 3s As", 5), UNSPLIT),
        ("blackjack-switch", {}, kings("As 6s", 7), UNSPLIT),
        ("blackjack-switch", TWO, kings("As", 13), ()),
        ("free-bet", TWO, kings("9s 9s As", 6), ()),
        ("free-bet", {**ONE, "max_hands": 3}, kings("9s 9s 9s", 7), ()),
        ("super-fun-21", {}, kings("8s Ad Kd", 4), UNSPLIT),
        ("pontoon", {}, kings("As 6s 5s", 5), UNSPLIT),
        ("european-blackjack", {}, kings("5s 6s As", 5), UNSPLIT),
        ("zappit", {}, kings("6s 7s As", 6), UNSPLIT),
        ("zappit", WINS, kings("5s 9s As", 6), UNSPLIT),
        pytest.param("double-exposure", TWO, kings("8s 8s 3s As", 6), (), marks=deep),
        pytest.param("free-bet", TWO, kings("8s 8s 3s As", 6), (), marks=deep),
        pytest.param("super-fun-21", {}, kings("As 2s 3s 5s", 4), UNSPLIT, marks=deep),
        pytest.param("spanish-21", TWO, kings("7s 7h 8s As", 6), (), marks=deep),
        pytest.param("blackjack-switch", {}, kings("As As 5s 6s", 6), UNSPLIT, marks=deep),
        pytest.param("super-fun-21", TWO, kings("8s 8s Ad Kd", 6), (), marks=deep),
        pytest.param("pontoon", TWO, kings("7s 7h 8s As", 6), (), marks=deep),
        pytest.param(
            "zappit", {**TWO, "exchanged": "15-18"}, kings("8s 8s 9s As", 8), (), marks=deep
        ),
        pytest.param("european-blackjack", ORIGINAL, kings("8s 8s 3s As", 6), (), marks=deep),
    ],
)
def test_every_order_of_a_tiny_deck(
    game: str, settings: dict[str, object], cards: list[str], never: tuple[str, ...]
) -> None:
    worth = optimum(game, settings, cards, never)
    assert worth == best_by_every_order(game, settings, cards, never)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("european-blackjack", "Ad As 9d Kd Js Qh Tc Td"),
        pytest.param("spanish-21", "7s 7h 8s 6d As Ks Jd Qh Kc", marks=deep),
        pytest.param("super-fun-21", "Ad As 5s 6h 9d Kd Js Qh Tc Td", marks=deep),
    ],
)
def test_cards_that_the_rules_do_not_tell_apart(game: str, words: str) -> None:
    merged = Exact(game, {}, words.split(), UNSPLIT).value()
    assert merged == Exact(game, {}, words.split(), UNSPLIT, merge=False).value()


def test_one_ace_worked_out_by_hand() -> None:
    """One ace and seven kings: the player has it, the dealer will have it, or nobody."""
    deck = kings("As", 7)
    mine, dealers_up, else_ = Fraction(2, 8), Fraction(1, 8), Fraction(5, 8)
    # European: 20 against a king stands and loses to the ace, one of five cards, or is a push.
    assert optimum("european-blackjack", {}, deck, UNSPLIT) == (
        mine * Fraction(3, 2) - dealers_up - else_ * Fraction(1, 5)
    )
    # Pontoon: the same, the natural too.
    assert optimum("pontoon", {}, deck, UNSPLIT) == Fraction(1, 8)
    # Double Exposure: 20 has lost to 20 unless a hit brings the ace, one of four cards.
    dealers, nobodys = Fraction(2, 8), Fraction(4, 8)
    assert optimum("double-exposure", {}, deck, UNSPLIT) == (
        mine - dealers + nobodys * (Fraction(1, 4) - Fraction(3, 4))
    )
    # Free Bet and Super Fun 21: the dealer has looked, 20 is a push.
    assert optimum("free-bet", {}, deck, UNSPLIT) == mine * Fraction(3, 2) - dealers
    assert optimum("super-fun-21", {}, deck, UNSPLIT) == mine - dealers
    # Blackjack Switch: a box has the ace with 4/8 and keeps it, 20 is a push. If it is one of the
    # last two cards, a box that hits 20 wins one with it; else the other box doubles and has it.
    one_of_the_last_two = Fraction(2, 8)
    assert optimum("blackjack-switch", {}, deck, UNSPLIT) == (
        Fraction(4, 8) - 2 * dealers + one_of_the_last_two * (Fraction(1, 2) + Fraction(2 - 1, 2))
    )


def named(case: Case) -> str:
    chosen = [f"{name}={value}" for name, value in case.set.items()]
    return " ".join([case.game, case.deck, *chosen, *case.never])


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=named(case), marks=deep if case.deep else ()) for case in CASES]
)
def test_the_values_as_they_are_written(case: Case) -> None:
    assert case.computed() == case.worth


def test_every_game_has_values_and_quick_ones() -> None:
    assert {case.game for case in CASES} == set(VARIANTS)
    assert {case.game for case in CASES if not case.deep} == set(VARIANTS)
    assert FILE.read_text() == HEAD + "".join("\n" + "\n".join(c.lines()) + "\n" for c in CASES)


HANDS = tomllib.loads(Path(__file__).with_name("exact_hands.toml").read_text())["hand"]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=f"{row['game']} {row['cards']} against {row['dealer']} {row['action']}",
            marks=deep if row.get("deep") else (),
        )
        for row in HANDS
    ],
)
def test_hands_of_full_shoes(row: dict[str, Any]) -> None:
    deck = [card[0] + "s" for card in full_deck(row["game"], row["decks"])]
    exact = Exact(row["game"], row.get("set", {}), deck, row.get("never", ()))
    cards, dealer = ([f"{rank}s" for rank in row[side].split()] for side in ("cards", "dealer"))
    assert f"{float(exact.worth(cards, dealer, row['action'])):.12f}" == row["worth"]


@deep
def test_a_published_hand_of_spanish_21() -> None:
    """Wizard of Odds: six decks, three doubles, the dealer hits soft 17: 5-6 doubled against 2."""
    deck = [card[0] + "s" for card in full_deck("spanish-21", 6)]  # doubled: no suits count
    exact = Exact("spanish-21", {"redouble": True}, deck)
    assert round(float(exact.worth(["5s", "6s"], ["2s"], "double")), 6) == 0.348048
