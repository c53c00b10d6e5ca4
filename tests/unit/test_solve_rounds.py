"""Whole rounds: results, deviation, and the random rounds of splits against exact values."""

from fractions import Fraction

import numpy as np
import pytest

from differential.test_solver_against_oracle import THREE_NINES
from oracle import odds as slow
from oracle.test_odds_oracle import CHANCE, Case
from upcard import tables_for
from upcard.solve import rounds
from upcard.solve.base import BaseGame
from upcard.solve.odds import Solver, outcomes
from upcard.solve.parts import Aim


@pytest.fixture(scope="module")
def spanish() -> BaseGame:
    return BaseGame(tables_for("pure-spanish-21.5", {"decks": "4"}))


def test_random_splits_have_the_exact_mean(
    spanish: BaseGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play that knows the number of hands, dealt at random, wins what CDP+ says."""
    monkeypatch.setattr(rounds, "SPLIT_ROUNDS", 3_000_000)
    solution = spanish.solve(Aim(bet=300), mode="CDP+")
    off = variance = 0.0
    for up, split, chance in rounds.splits_of(solution):
        drawn = rounds.simulate_split(spanish, up, split, share=chance, aim=solution.aim).results
        assert len(drawn) >= 500
        off += chance * (drawn.mean() - split.worth)
        variance += chance**2 * drawn.var() / len(drawn)
    assert abs(off) < 4 * np.sqrt(variance)
    assert np.sqrt(variance) < 1e-4


def test_results_are_a_distribution(spanish: BaseGame) -> None:
    solution = spanish.solve(Aim(bet=300))
    found = rounds.round_ends(spanish, solution, solution.ev)
    assert sum(found.results.values()) == pytest.approx(1, abs=1e-12)
    assert found.wins + found.loses + found.pushes == pytest.approx(1, abs=1e-12)
    assert {-0.5, 1.2} <= set(found.results)
    assert min(found.results) >= -32
    assert found.error > 0
    mean = sum(result * chance for result, chance in found.results.items())
    assert mean == pytest.approx(solution.ev, abs=5e-4)


def test_nothing_is_random_without_splits() -> None:
    game = BaseGame(tables_for("twisted-21"))
    solution = game.solve(Aim(bet=500))
    found = rounds.round_ends(game, solution, solution.ev)
    mean = sum(result * chance for result, chance in found.results.items())
    square = sum(result**2 * chance for result, chance in found.results.items())
    assert (found.method, found.error) == ("exact", 0.0)
    assert mean == pytest.approx(solution.ev, abs=1e-14)
    assert found.sd == pytest.approx((square - mean**2) ** 0.5, abs=1e-12)


def test_outcomes_add_up() -> None:
    game = BaseGame(tables_for("games-of-chance-blackjack"))
    found = outcomes(game.tables, game.solve(Aim(bet=200)))
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert {"won", "lost", "busted", "tied", "natural", "push", "surrendered"} == set(found)


def test_a_dollar_once_a_player() -> None:
    """The correction for charging once, by random rounds, against all hands dealt in fractions."""
    case = Case(CHANCE, {"tie_dollar": "player"}, THREE_NINES, Fraction(0), bet=200)
    game = BaseGame(case.tables, counts=case.problem.counts)
    nine, eight = case.symbol("9s"), case.symbol("8s")
    up = game.solve_up(eight, Aim(bet=200), "CDZ-")
    split = up.splits[game.graph.find(nine, nine)]
    drawn = rounds.simulate_split(game, up, split, share=1.0, aim=Aim(bet=200))
    gained = drawn.per_player - drawn.per_hand
    exact = float(slow.split_value(case.problem, nine, eight, "CDZ-")) - split.worth
    assert exact > 0.01
    assert gained.mean() == pytest.approx(exact, abs=4 * gained.std() / len(gained) ** 0.5)


def test_charged_once_moves_the_value() -> None:
    settings = {"tie_dollar": "player"}
    each = Solver(BaseGame(tables_for(CHANCE)), "CDP")
    once = Solver(BaseGame(tables_for(CHANCE, settings)), "CDP")
    solutions = each.optimal(200), once.optimal(200)
    gained, error = once.charged_once(solutions[1])
    assert each.charged_once(solutions[0]) == (0.0, 0.0)
    assert 0 < error < gained / 50
    assert once.base_ev(solutions[1]) == pytest.approx(each.base_ev(solutions[0]) + gained)
