"""How whole rounds end: results and their chances.

Rounds without a split are exact. In a split the hands share the dealer and the shoe, so their sum
is played out by random rounds with the very choices that the exact values assume; only the
distribution and the standard deviation come from there, with their standard error.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.base import BaseGame
from upcard.solve.parts import BASE, Aim, Solution, Split, UpCard
from upcard.solve.play import (
    DOUBLE,
    DRAW,
    HIT,
    KEEP,
    OVER,
    REDOUBLE,
    RESCUE,
    SURRENDER,
    TRADE,
)
from upcard.solve.result import EXACT
from upcard.splitmix import next_random

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SPLIT_ROUNDS = 300_000
SEED = 21
_DIGITS = 9


@dataclass(frozen=True)
class RoundEnds:
    """Net results of a round in base units.

    `results` is the whole distribution, that of rounds with a split from random ones; `error` the
    standard error of `sd`, `win_error` that of the chance to win, both 0 where nothing was split.
    """

    results: Mapping[float, float]
    ev: float
    sd: float
    error: float
    win_error: float
    method: str

    @cached_property
    def wins(self) -> float:
        return sum(chance for result, chance in self.results.items() if result > 0)

    @cached_property
    def loses(self) -> float:
        return sum(chance for result, chance in self.results.items() if result < 0)

    @cached_property
    def pushes(self) -> float:
        return self.results.get(0.0, 0.0)


def round_ends(game: BaseGame, solution: Solution, ev: float) -> RoundEnds:
    """The distribution of the base game's results under a solution whose base value is `ev`."""
    pay = game.pay(Aim(bet=solution.aim.bet))
    found: dict[float, float] = defaultdict(float)
    square = 0.0
    for up in solution.ups.values():
        chances = up.ends.hands * up.chance
        square += float((chances * pay.first**2).sum())
        for place in np.argwhere(chances > 0):
            spot = tuple(place)
            found[round(float(pay.first[spot]), _DIGITS) + 0.0] += float(chances[spot])
    variance_error = win_error = 0.0
    rounds = 0
    for up, split, chance in splits_of(solution):
        sample = simulate_split(game, up, split, share=chance, aim=solution.aim)
        drawn = sample.results
        rounds += len(drawn)
        if game.tables.money.flat_per == "player":
            drawn = drawn + sample.per_player - sample.per_hand
        square += chance * float((drawn**2).mean())
        variance_error += chance**2 * float((drawn**2).var()) / len(drawn)
        winning = float((drawn > 0).mean())
        win_error += chance**2 * winning * (1 - winning) / len(drawn)
        values, counts = np.unique(np.round(drawn, _DIGITS), return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            found[value + 0.0] += chance * count / len(drawn)
    sd = math.sqrt(max(0.0, square - ev * ev))
    method = f"split rounds by {rounds:,} random rounds of the priced play (seed {SEED})"
    return RoundEnds(
        results=dict(sorted(found.items())),
        ev=ev,
        sd=sd,
        error=math.sqrt(variance_error) / (2 * sd) if sd else 0.0,
        win_error=math.sqrt(win_error),
        method=method if rounds else EXACT,
    )


def splits_of(solution: Solution) -> list[tuple[UpCard, Split, float]]:
    """Every split that is made, with its chance in a round."""
    return [
        (up, up.splits[node], up.chance * chance)
        for up in solution.ups.values()
        for node, chance in up.split_chance.items()
    ]


@dataclass(frozen=True)
class SplitSample:
    """Random rounds of one split: net results, and what fixed amounts were charged per hand and
    would be once per player.
    """

    results: Floats
    per_hand: Floats
    per_player: Floats


def simulate_split(
    game: BaseGame, up: UpCard, split: Split, *, share: float, aim: Aim
) -> SplitSample:
    """Play a split as often as its share of all rounds deserves."""
    plan = next(plan for plan in game.pairs if plan.node == split.node)
    rounds = max(500, round(SPLIT_ROUNDS * min(1.0, share * _USUAL_SHARE)))
    pay = game.pay(Aim(bet=aim.bet))
    doubles = len(plan.contexts)
    flat = np.array(game.tables.payoffs[BASE].flat, dtype=np.float64) / aim.bet
    left = game.counts - game.graph.taken[plan.node].astype(np.float64)
    left[up.up] -= game.step
    most = plan.most_hands[up.up]
    policies = max(split.choices) + 1
    choices = np.zeros((policies, 2, doubles, len(plan.graph)), dtype=np.int8)
    for policy, roles in split.choices.items():
        choices[policy, 0], choices[policy, 1] = roles
    dealer = game.tables.dealer
    results, per_hand, per_player = (np.zeros(rounds) for _ in range(3))
    _play_split(
        np.uint64(SEED + 1_000_003 * split.node + 97 * up.up),
        plan.graph.child,
        plan.graph.keep,
        plan.graph.trade,
        plan.graph.state,
        game.player_class,
        choices,
        plan.pair,
        most,
        left,
        game.dealer.hidden[up.up],
        game.step,
        int(dealer.next[dealer.start, up.up]),
        dealer.next.astype(np.int64),
        dealer.draws,
        dealer.final_class.astype(np.int64),
        pay.first[:doubles],
        pay.other[:doubles],
        flat,
        game.class_of("surrendered"),
        game.class_of("rescued"),
        game.class_of("bust"),
        results,
        per_hand,
        per_player,
    )
    return SplitSample(results, per_hand, per_player)


_USUAL_SHARE = 40.0
"""One over the usual share of rounds with a split: the number of rounds is spread by it."""


@kernel
def _card(state: npt.NDArray[np.uint64], left: Floats, step: float) -> int:
    """A card from the shoe, taken out of it."""
    cards = 0.0
    for symbol in range(len(left)):
        cards += left[symbol]
    point = next_random(state) * cards
    last = 0
    for symbol in range(len(left)):
        if left[symbol] <= 0:
            continue
        last = symbol
        point -= left[symbol]
        if point < 0:
            break
    left[last] -= step
    return last


@kernel
def _play_split(
    seed: np.uint64,
    child: npt.NDArray[np.int32],
    keep: npt.NDArray[np.int32],
    trade: npt.NDArray[np.int32],
    hand_state: npt.NDArray[np.int32],
    player_class: Ints,
    choices: npt.NDArray[np.int8],
    pair: int,
    most: int,
    shoe: Floats,
    hidden: npt.NDArray[np.bool_],
    step: float,
    dealer_start: int,
    dealer_next: Ints,
    draws: npt.NDArray[np.bool_],
    final_class: Ints,
    pay_first: Floats,
    pay_other: Floats,
    flat: Floats,
    surrendered: int,
    rescued: int,
    bust: int,
    results: Floats,
    per_hand: Floats,
    per_player: Floats,
) -> None:
    """Split rounds: second cards until all hands are known, the hands, then the dealer once."""
    state = np.zeros(1, dtype=np.uint64)
    state[0] = seed
    left = np.zeros(len(shoe))
    second = np.zeros(most, dtype=np.int64)
    final = np.zeros(most, dtype=np.int64)
    doubled = np.zeros(most, dtype=np.int64)
    for number in range(len(results)):
        for symbol in range(len(shoe)):
            left[symbol] = shoe[symbol]
        hole = _card(state, left, step)
        while hidden[hole]:
            left[hole] += step
            hole = _card(state, left, step)
        hands = 2
        ready = 0
        while ready < hands:
            card = _card(state, left, step)
            if card == pair and hands < most:
                hands += 1
                continue
            second[ready] = card
            ready += 1
        for hand in range(hands):
            node = child[0, second[hand]]
            d = 0
            role = 0 if hand == 0 else 1
            while True:
                if node == -2:
                    final[hand] = bust
                    break
                action = choices[hands - 2, role, d, node]
                if action == KEEP:
                    node = keep[node]
                elif action == TRADE:
                    node = trade[node]
                elif action in (HIT, DRAW, DOUBLE, REDOUBLE):
                    if action in (DOUBLE, REDOUBLE):
                        d += 1
                    node = child[node, _card(state, left, step)]
                else:
                    final[hand] = player_class[hand_state[node]]
                    if action == SURRENDER:
                        final[hand] = surrendered
                    elif action == RESCUE:
                        final[hand] = rescued
                    elif action == OVER:
                        final[hand] = bust
                    break
            doubled[hand] = d
        own = dealer_next[dealer_start, hole]
        while draws[own]:
            own = dealer_next[own, _card(state, left, step)]
        result = final_class[own]
        total = 0.0
        charged = 0.0
        once = 0.0
        for hand in range(hands):
            if hand == 0:
                total += pay_first[doubled[hand], final[hand], result]
            else:
                total += pay_other[doubled[hand], final[hand], result]
            charged += flat[final[hand], result]
            once = min(once, flat[final[hand], result])
        results[number] = total
        per_hand[number] = charged
        per_player[number] = once
