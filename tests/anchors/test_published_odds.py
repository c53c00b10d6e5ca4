"""Figures that others have published, to their last digit."""

import pytest

from upcard import tables_for
from upcard.compile.context import Action
from upcard.solve.advice import advise
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import insurance, odds
from upcard.solve.solution import Aim
from upcard.solve.split import Mode
from upcard.solve.suits import suits_gain

SINGLE_DECK = {
    "decks": "1",
    "soft17": "hit",
    "double_after_split": "false",
    "surrender": "none",
}


@pytest.mark.parametrize(
    ("settings", "mode", "percent"),
    [
        ({"surrender": "none"}, "CDZ-", "-0.402870236"),
        ({"surrender": "none"}, "CDP", "-0.402861523"),
        (SINGLE_DECK, "CDZ-", "-0.152139146"),
        ({"soft17": "hit"}, "CDZ-", "-0.527191547"),
    ],
)
def test_blackjack(settings: dict[str, str], mode: Mode, percent: str) -> None:
    """The analyser github.com/possibly-wrong/blackjack, which names the modes."""
    solution = BaseGame(tables_for("blackjack", settings)).solve(Aim(bet=500), mode=mode)
    assert f"{100 * solution.ev:.9f}" == percent


def test_insurance() -> None:
    """96 tens among 311 cards."""
    found = insurance(BaseGame(tables_for("blackjack")))
    assert found.ev == pytest.approx(3 * 96 / 311 - 1, abs=1e-15)
    assert f"{100 * found.ev:.4f}" == "-7.3955"
    assert (found.returns[0].combinations, found.returns[1].combinations) == (24 * 96, 24 * 215)


def test_match_the_dealer() -> None:
    """Six decks of 48 cards, 4 and 9 to 1: MD-2 of the rulebook's side wagers."""
    found = odds(tables_for("pure-spanish-21.5")).wagers["match"]
    assert sum(row.combinations for row in found.returns) == 41_041
    assert f"{100 * found.edge:.4f}" == "3.0555"


SPANISH, SUPER_FUN = "spanish-21", "super-fun-21"
EDGES = [
    (SPANISH, {}, 0.78),
    (SPANISH, {"soft17": "stand"}, 0.37),
    (SPANISH, {"redouble": "true"}, 0.42),
    (SPANISH, {"decks": "8"}, 0.80),
    (SPANISH, {"decks": "8", "soft17": "stand"}, 0.38),
    (SPANISH, {"decks": "8", "redouble": "true"}, 0.45),
    (SUPER_FUN, {}, 0.94),
    (SUPER_FUN, {"decks": "2"}, 1.16),
]
LAST_DIGIT = 0.01
"""Tables are printed to a hundredth of a percent, some of them cut and some of them rounded."""


def edge(game: str, settings: dict[str, str]) -> float:
    """The house edge in percent, to one who looks at the suits of the first cards too."""
    solver = BaseGame(tables_for(game, settings))
    solution = solver.solve(Aim(bet=500))
    return -100 * (solution.ev + suits_gain(solver, solution))


@pytest.mark.parametrize(("game", "settings", "percent"), EDGES)
def test_spanish_21_and_super_fun_21(game: str, settings: dict[str, str], percent: float) -> None:
    """Wizard of Odds and others: a fresh shoe, no insurance."""
    assert edge(game, settings) == pytest.approx(percent, abs=LAST_DIGIT)


@pytest.mark.parametrize(
    ("rules", "change", "points", "last_digit"),
    [
        ({}, {"surrender": "none"}, 0.018, 0.001),
        ({"soft17": "stand"}, {"surrender": "none"}, 0.006, 0.001),
        ({}, {"split_aces": "one-card"}, 0.28, LAST_DIGIT),
        ({}, {"bonus_after_split": "false"}, 0.023, 0.001),
    ],
)
def test_what_rules_of_spanish_21_are_worth(
    rules: dict[str, str], change: dict[str, str], points: float, last_digit: float
) -> None:
    """Wizard of Odds; of bonuses after a split an earlier working-out of the rulebook."""
    cost = edge(SPANISH, {**rules, **change}) - edge(SPANISH, rules)
    assert cost == pytest.approx(points, abs=last_digit)


def test_a_double_of_spanish_21() -> None:
    """Wizard of Odds: six decks, the dealer hits soft 17, three doubles, 5-6 against a 2."""
    found = advise(tables_for(SPANISH, {"redouble": "true"}), "5 6", up="2")
    assert f"{found.actions[Action.DOUBLE]:.6f}" == "0.348048"
