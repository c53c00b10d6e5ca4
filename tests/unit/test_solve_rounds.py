"""Whole rounds: results, deviation, and the random rounds of splits against exact values."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from differential.test_solver_against_oracle import THREE_NINES
from oracle import odds as slow
from oracle.test_odds_oracle import CHANCE, Case
from upcard import tables_for
from upcard.solve import rounds
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import Solver, outcomes
from upcard.solve.solution import Aim, PairPlan


@pytest.fixture(scope="module")
def spanish() -> BaseGame:
    return BaseGame(tables_for("pure-spanish-21.5", {"decks": "4"}))


def test_random_splits_have_the_exact_mean(
    spanish: BaseGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One play for all hands of a split, dealt at random by the machine, wins what CDZ- says."""
    monkeypatch.setattr(rounds, "SPLIT_ROUNDS", 3_000_000)
    solution = spanish.solve(Aim(bet=300), mode="CDZ-")
    off = variance = 0.0
    machine = rounds.SplitRounds(spanish, solution.aim.bet)
    for split, chance in rounds.splits_of(solution):
        drawn = machine.sample(split, chance).results
        assert len(drawn) >= 500
        off += chance * (drawn.mean() - split.worth)
        variance += chance**2 * drawn.var() / len(drawn)
    assert abs(off) < 4 * np.sqrt(variance)
    assert np.sqrt(variance) < 1e-4


def test_random_splits_resplit_pairs_that_trades_make() -> None:
    """Eights and three bonus cards: without those pairs the mean would be a dozen errors off."""
    tables = tables_for("ten-sticks-21")
    index = tables.alphabet.index
    counts = [0] * len(tables.alphabet)
    for card, number in {"8": 8, "T*": 3, "T": 10, "6": 3, "9": 4, "A": 3, "5": 2}.items():
        counts[index(card)] = number
    game = BaseGame(tables, counts=counts)
    aim, money = Aim(bet=500, lights=(1.0,)), Aim(bet=500)
    node = game.graph.find(index("8"), index("8"))

    def mean(pairs: tuple[PairPlan, ...]) -> float:
        game.pairs = pairs
        split = game.solve_up(index("6"), aim, "CDZ-").splits[node]
        return game.split_worth(split.by_role, game.pay(money), money)

    every = game.pairs
    without = mean(tuple(replace(plan, most_marked=0) for plan in every))
    exact = mean(every)
    split = game.solve_up(index("6"), aim, "CDZ-").splits[node]
    drawn = rounds.SplitRounds(game, 500).sample(split, 1.0).results
    error = drawn.std() / len(drawn) ** 0.5
    assert abs(drawn.mean() - exact) < 4 * error
    assert abs(drawn.mean() - without) > 8 * error


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
    drawn = rounds.SplitRounds(game, 200).sample(split, 1.0)
    gained = drawn.results - drawn.each_hand
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
