"""Figures that others have published, to their last digit."""

import pytest

from depth import deep
from upcard import tables_for
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import insurance, odds
from upcard.solve.solution import Aim
from upcard.solve.split import Mode

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


@pytest.mark.parametrize(
    ("settings", "percent"),
    [
        ({}, "1.0143"),
        pytest.param({"fours": "own", "free_double_cards": "any"}, "0.6305", marks=deep),
    ],
)
def test_free_bet(settings: dict[str, str], percent: str) -> None:
    """Wizard of Odds prints 1.04 %, and a cut card is in it: this is the fresh shoe.

    Dealt to a cut card at three quarters, basic play lost 1.027 % +- 0.007 in 800 million rounds:
    the cut card costs about a hundredth, and the rest is the last digit of a simulation.
    """
    solution = BaseGame(tables_for("free-bet", settings)).solve(Aim(bet=500))
    assert f"{-100 * solution.ev:.4f}" == percent


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
