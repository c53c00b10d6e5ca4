"""Lights towards a prize: what they are worth in the long run, and to a player who leaves.

In the long run every light is worth its share of the prize. A player who leaves after some rounds
loses the lights, so a light is worth the more, the more of them are lit: a decision process over
the number of lights, solved by policy iteration with the whole game inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.carry import Carry
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.base_game import BaseGame
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Solution

Floats = npt.NDArray[np.float64]

_IMPROVEMENTS = 6
_NEAR_STEPS = 3
_STEPS = 9
_SETTLED = 1e-6
_NO_SLOPE = 1e-9
_MOST_GAINED = 4
"""Lights of one round whose values are told apart."""


LONGEST_STAY = 1_000_000
"""Rounds; more than that is endless play."""


def check_stay(tables: GameTables, rounds: float | None) -> None:
    """Refuse a length of stay that says nothing."""
    if rounds is None:
        return
    if tables.carry is None:
        raise UpcardError(f"{tables.name} has no lights, so a length of stay says nothing about it")
    if not 1 <= rounds <= LONGEST_STAY:
        raise UpcardError(f"a player stays 1 to {LONGEST_STAY:,} rounds, not {rounds:g}")


@dataclass(frozen=True)
class LongRun:
    """Endless play. `light` is in base units, prizes in cents; `prize_name` is "" for money.

    `base_ev` is the result of the wager alone, `ev` with the prizes. `alone_ev` is that of the play
    that thinks of the wager alone, worked out where no prize is needed to make the game fair.
    """

    ev: float
    base_ev: float
    per_round: float
    light: float
    prize: int
    rounds_to_prize: float
    break_even_prize: float
    prize_name: str = ""
    alone_ev: float | None = None


@dataclass(frozen=True)
class Stay:
    """A player who leaves after each round with the same chance, `rounds` on average.

    By lights lit, in base units: what one more light is worth, and what it is worth to sit down.
    """

    rounds: float
    ev: float
    base_ev: float
    per_round: float
    light_by_lit: tuple[float, ...]
    value_by_lit: tuple[float, ...]
    solutions: Mapping[int, Solution]


def light_share(carry: Carry, bet: int) -> float:
    """What a light is worth in the long run, in base units."""
    return float(carry.prize.sum()) / len(carry.next) / bet


def lights_aim(game: BaseGame, bet: int) -> Aim:
    """The aim of endless play: the wager, and every light for its share of the prize."""
    carry = game.tables.carry
    if carry is None:
        return Aim(bet=bet)
    return Aim(bet=bet, lights=(light_share(carry, bet),))


def lights_in_a_round(game: BaseGame, solution: Solution) -> Floats:
    """The chance of so many lights in a round.

    Lights of split hands are taken one hand at a time, as if only one of them had some: two hands
    of one split that both give lights are left out.
    """
    found = np.zeros_like(next(iter(solution.ups.values())).ends.lights)
    for up in solution.ups.values():
        found += up.chance * up.ends.lights
        for node, chance in up.split_chance.items():
            split = up.splits[node]
            dealt = int(game.graph.lit[node])
            hands = sum((one.lights for one in split.by_role), np.zeros_like(found))
            lit = np.zeros_like(found)
            lit[dealt + 1 :] += hands[1 : len(hands) - dealt]
            lit[dealt] = 1 - lit.sum()
            found += up.chance * chance * lit
    return found


def base_value(game: BaseGame, solution: Solution, bet: int | None = None) -> float:
    """The wager's own expected result, without lights and further wagers.

    With `bet`, the play of the solution is priced at another wager than its own.
    """
    roles = game.pay(Aim(bet=bet or solution.aim.bet))
    paid = {plan.node: roles.of_split(plan) for plan in game.pairs}
    total = 0.0
    for up in solution.ups.values():
        total += up.chance * float((up.ends.hands * roles.first).sum())
        for node, chance in up.split_chance.items():
            split = up.splits[node]
            for ends, own in zip(split.by_role, paid[node].by_role, strict=True):
                total += up.chance * chance * float((ends.hands * own).sum())
    return total


def long_run(
    game: BaseGame, solution: Solution, optimal: Solution, *, progress: Progress = silent
) -> LongRun:
    """Endless play under a solution for `lights_aim`; the prize at which optimal play is fair."""
    carry = _carry(game)
    bet = solution.aim.bet
    chances = lights_in_a_round(game, solution)
    prizes = _prizes_per_round(carry, chances)
    even = _break_even(game, optimal, progress)
    alone = game.solve(Aim(bet=bet), mode=optimal.mode) if even < 0 else None
    return LongRun(
        ev=prize_value(game, solution),
        base_ev=base_value(game, solution),
        per_round=float(chances @ np.arange(len(chances))),
        light=light_share(carry, bet),
        prize=int(carry.prize.sum()),
        rounds_to_prize=1 / prizes if prizes else np.inf,
        break_even_prize=even,
        prize_name=carry.prize_name,
        alone_ev=None if alone is None else base_value(game, alone),
    )


def prize_value(game: BaseGame, solution: Solution) -> float:
    """The long-run result of a round in base units, prizes included."""
    carry = _carry(game)
    prizes = _prizes_per_round(carry, lights_in_a_round(game, solution))
    prize = float(carry.prize.sum()) / solution.aim.bet
    return base_value(game, solution) + prizes * prize


def _carry(game: BaseGame) -> Carry:
    carry = game.tables.carry
    if carry is None:
        raise UpcardError(f"{game.tables.name} has no lights")
    return carry


def _moves(carry: Carry, lit: int, gained: int) -> tuple[int, int]:
    """Lights after a round that gave some, and the cents paid."""
    paid = 0
    for _ in range(gained):
        paid += int(carry.prize[lit])
        lit = int(carry.next[lit])
        if paid and not carry.surplus_counts:
            return 0, paid
    return lit, paid


def _prizes_per_round(carry: Carry, chances: Floats) -> float:
    """The average number of prizes a round when every round gives lights with these chances."""
    size = len(carry.next)
    move = np.zeros((size, size))
    paid = np.zeros(size)
    for lit in range(size):
        for gained, chance in enumerate(chances):
            after, cents = _moves(carry, lit, gained)
            move[lit, after] += chance
            paid[lit] += chance * cents
    balance = np.vstack([move.T - np.eye(size), np.ones(size)])
    share = np.linalg.lstsq(balance, np.append(np.zeros(size), 1.0), rcond=None)[0]
    return float(share @ paid) / float(carry.prize.sum())


def _break_even(game: BaseGame, known: Solution, progress: Progress) -> float:
    """The prize in cents at which the whole game is fair, by Newton's method: the slope is known.

    What trading gains grows with the prize, so the value is convex in it and the steps converge.
    Only the later steps solve the splits anew; the last one is from a value that is nearly fair.
    Infinite, with a sign, where no prize is fair.
    """
    carry = _carry(game)
    size = len(carry.next)
    bet = known.aim.bet
    light = known.aim.lights[0]
    solution = known
    for step in range(_STEPS):
        slope = size * _prizes_per_round(carry, lights_in_a_round(game, solution))
        value = base_value(game, solution) + slope * light
        if slope < _NO_SLOPE:
            return -np.inf if value > 0 else np.inf
        light -= value / slope
        if step > _NEAR_STEPS and abs(value) < _SETTLED:
            break
        progress("break-even prize", (step + 1) / _STEPS)
        aim = Aim(bet=bet, lights=(light,))
        if step < _NEAR_STEPS:
            solution = game.solve_near(solution, aim)
        else:
            solution = game.solve(aim, mode=known.mode)
    progress("break-even prize", 1.0)
    return float(light * size * bet)


def stay(game: BaseGame, known: Solution, rounds: float, *, progress: Progress = silent) -> Stay:
    """The best play of a player who stays so many rounds on average and then loses the lights.

    Split hands are played as in the one of three solutions, for the long run and for the lowest and
    the highest value of a light, that is nearest.
    """
    if not 1 <= rounds < np.inf:
        raise UpcardError(f"a player stays at least 1 round, not {rounds:g}")
    carry = _carry(game)
    size = len(carry.next)
    bet = known.aim.bet
    goes_on = 1 - 1 / rounds
    values = _policy_values(game, carry, dict.fromkeys(range(size), known), goes_on, bet)
    first = [_marginals(carry, values, lit, goes_on, bet)[0] for lit in range(size)]
    near = [known]
    for number, light in enumerate((min(first), max(first))):
        progress("stay", 0.2 * number)
        near.append(game.solve(Aim(bet=bet, lights=(light,)), mode=known.mode))
    solutions: dict[int, Solution] = {}
    for improvement in range(_IMPROVEMENTS):
        for lit in range(size):
            progress("stay", 0.4 + 0.6 * (improvement * size + lit) / (_IMPROVEMENTS * size))
            aim = Aim(bet=bet, lights=_marginals(carry, values, lit, goes_on, bet))
            closest = min(near, key=lambda s: abs(s.aim.lights[0] - aim.lights[0]))
            solutions[lit] = game.solve_near(closest, aim)
        before, values = values, _policy_values(game, carry, solutions, goes_on, bet)
        if np.abs(values - before).max() < _SETTLED:
            break
    progress("stay", 1.0)
    return _summary(game, carry, solutions, values, goes_on, rounds, bet)


def _marginals(
    carry: Carry, values: Floats, lit: int, goes_on: float, bet: int
) -> tuple[float, ...]:
    """What the first, second ... light of a round is worth in base units."""
    worth = []
    for gained in range(_MOST_GAINED):
        after, cents = _moves(carry, lit, gained)
        worth.append(cents / bet + goes_on * float(values[after]))
    return tuple(b - a for a, b in pairwise(worth))


class _Chain(NamedTuple):
    """A play for each number of lights: where it leads, and what a round brings in base units."""

    move: Floats
    base: Floats
    prizes: Floats
    lights: Floats


def _chain(game: BaseGame, carry: Carry, solutions: Mapping[int, Solution], bet: int) -> _Chain:
    size = len(carry.next)
    found = _Chain(np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(size))
    for lit, solution in solutions.items():
        found.base[lit] = base_value(game, solution)
        for gained, chance in enumerate(lights_in_a_round(game, solution)):
            after, cents = _moves(carry, lit, gained)
            found.move[lit, after] += chance
            found.prizes[lit] += chance * cents / bet
            found.lights[lit] += chance * gained
    return found


def _policy_values(
    game: BaseGame,
    carry: Carry,
    solutions: Mapping[int, Solution],
    goes_on: float,
    bet: int,
) -> Floats:
    """What it is worth to sit down with so many lights, under a play for each number of them."""
    chain = _chain(game, carry, solutions, bet)
    staying = np.eye(len(chain.base)) - goes_on * chain.move
    return np.asarray(np.linalg.solve(staying, chain.base + chain.prizes))


def _summary(
    game: BaseGame,
    carry: Carry,
    solutions: Mapping[int, Solution],
    values: Floats,
    goes_on: float,
    rounds: float,
    bet: int,
) -> Stay:
    chain = _chain(game, carry, solutions, bet)
    size = len(chain.base)
    # Expected visits of each number of lights from zero, until the player leaves.
    visits = np.linalg.solve(np.eye(size) - goes_on * chain.move.T, np.eye(size)[0])
    return Stay(
        rounds=rounds,
        ev=float(values[0]) / rounds,
        base_ev=float(visits @ chain.base) / rounds,
        per_round=float(visits @ chain.lights) / rounds,
        light_by_lit=tuple(_marginals(carry, values, lit, goes_on, bet)[0] for lit in range(size)),
        value_by_lit=tuple(float(value) for value in values),
        solutions=solutions,
    )


def trades(game: BaseGame, solution: Solution, up: int, state: int) -> Action | None:
    """What is done with a bonus card in a state of the first hand, by its fewest cards."""
    found = solution.ups[up]
    nodes = np.flatnonzero(game.graph.state == state)
    if not len(nodes):
        return None
    choice = found.early_choice if game.trades_first else found.choice[0]
    node = int(nodes[0])
    for chosen in (int(choice[node]), int(found.choice[0, node])):
        if chosen in game.moving:
            return Action(chosen)
    return None
