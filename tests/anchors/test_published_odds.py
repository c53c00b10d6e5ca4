"""Figures that others have published, to their last digit."""

import pytest

from depth import deep
from upcard import tables_for
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import insurance, odds
from upcard.solve.solution import Aim
from upcard.solve.split import Mode
from upcard.solve.two_boxes import TwoBoxes

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


@pytest.mark.parametrize(
    ("settings", "printed", "edge"),
    [
        ({}, 0.58, "0.5408"),
        pytest.param({"decks": "8"}, 0.60, "0.5852", marks=deep),
    ],
    ids=["six decks", "eight decks"],
)
def test_blackjack_switch(settings: dict[str, str], printed: float, edge: str) -> None:
    """The Wizard of Odds prints 0.58 % and 0.60 %; the best exchange and play are a little better.

    The gap is that of a person's strategy: exchanges by rules of thumb instead of by both hands.
    """
    found = TwoBoxes(tables_for("blackjack-switch", settings), aim=Aim(bet=500)).optimal
    assert f"{-100 * found.ev:.4f}" == edge
    assert 0 < printed + 100 * found.ev < 0.05


@deep
@pytest.mark.parametrize(
    ("settings", "points"),
    [({"switched_natural": "natural"}, -0.41), ({"resplit_aces": "true"}, -0.038)],
    ids=["switched natural", "aces split again"],
)
def test_what_rules_of_blackjack_switch_cost(settings: dict[str, str], points: float) -> None:
    """The Wizard of Odds, and the rulebook for aces: in points of the house's edge."""
    usual, other = (
        TwoBoxes(tables_for("blackjack-switch", own), aim=Aim(bet=500)).optimal.ev
        for own in ({}, settings)
    )
    digits = len(str(points).partition(".")[2])
    assert round(100 * (usual - other), digits) == pytest.approx(points)
