"""The fast solver against the slow one in fractions, on decks small enough for both."""

from fractions import Fraction

import pytest
from oracle import odds as slow
from oracle.test_odds_oracle import NEVER_SPLIT, Case, name

from upcard.solve.base import Aim, BaseGame, Solution
from upcard.solve.split import Mode

CLOSE = 1e-12


def solved(case: Case, mode: Mode) -> tuple[BaseGame, Solution]:
    game = BaseGame(case.tables, counts=case.problem.counts)
    extra = {wager: float(ratio) for wager, ratio in case.problem.extra.items()}
    aim = Aim(bet=case.bet, extra=extra, lights=(float(case.light),))
    return game, game.solve(aim, mode=mode)


@pytest.mark.parametrize("case", NEVER_SPLIT, ids=name)
def test_without_splits(case: Case) -> None:
    _, solution = solved(case, "none")
    assert solution.ev == pytest.approx(float(case.worth), abs=CLOSE)
    for up, found in solution.ups.items():
        assert found.ev == pytest.approx(float(slow.value_up(case.problem, up)), abs=CLOSE)


def test_fractions_are_what_is_compared() -> None:
    assert all(isinstance(case.worth, Fraction) for case in NEVER_SPLIT)
