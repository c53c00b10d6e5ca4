"""Hands that are exchanged as a whole: the solver against values from the rules alone."""

from __future__ import annotations

import pytest

from conftest import compiled
from oracle.exact_values import Case, load
from oracle.test_exact_play import named
from upcard.cards import Card
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim

GAME = "zappit"
CASES = [case for case in load() if case.game == GAME and case.never == ("split",)]
ROUNDING = 1e-14


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_solver_comes_to_the_value_of_every_line_of_play(case: Case) -> None:
    """Without splits nothing is left out, and no card is ever forgotten that was given away."""
    tables = compiled(GAME, **case.set)
    counts = [0] * len(tables.alphabet)
    for card in case.cards():
        counts[tables.alphabet.symbol(Card.parse(card))] += 1
    found = BaseGame(tables, counts=counts).solve(Aim(bet=500), mode="none").ev
    assert found == pytest.approx(float(case.worth), abs=ROUNDING)
