"""What the splits of a pair are worth, by whatever trades it came: priced together.

Hands of such splits are played alike, and many are dealt from the same shoe: cards that further
pairs of one have taken, trades of another have. How the hands end is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from upcard.compile.hands import NONE
from upcard.solve import split as splitting
from upcard.solve.base_game import BaseGame, Path, WayToPair
from upcard.solve.hands_and_shoes import hands_of
from upcard.solve.side_by_side import Lanes, PairPaths, Ways, Worths, follow, lane_room
from upcard.solve.solution import Aim, Bytes, Floats, Ints, PairPlan, Roles, Shoes
from upcard.solve.split import BoxStart, Mode, Pairing, SplitWeights


class Asked(NamedTuple):
    """A split to be priced: a plan, the choices of its hands by policy and role, and where the box
    stands.
    """

    plan: PairPlan
    choices: Mapping[int, tuple[Bytes, Bytes]]
    start: BoxStart


class _Split(NamedTuple):
    """A split with the weights of its kinds of hands, and for each, `run_of[role, kind]`, the run
    that has its worth.
    """

    weights: SplitWeights
    run_of: Ints


class _Run(NamedTuple):
    """A hand: its way, its side, by which role it is paid, and the pairs that are told apart."""

    way: int
    side: int
    role: int
    pairs: int


class PairWorths:
    """Splits of one pair, which all have the same graph, against one up card."""

    def __init__(self, game: BaseGame, up: int, aim: Aim, roles: Roles, mode: Mode) -> None:
        self.game = game
        self.up = up
        self.aim = aim
        self.roles = roles
        self.mode = mode
        self._alike = game.alike(roles, up)
        self._ways: dict[int, int] = {}
        self._paths: list[Path] = []
        """Of choices, whose numbers are found by their identity."""
        self._pairs: dict[tuple[WayToPair, ...], int] = {}
        self._to_pairs: dict[tuple[int, int], dict[Pairing, WayToPair]] = {}
        self._sides: dict[bytes, int] = {}
        self._gone: list[Ints] = []
        """Of sides, whose numbers are found by the cards gone."""
        self._runs: dict[_Run, int] = {}

    def of(self, asked: Sequence[Asked]) -> list[float]:
        """What each of some splits is worth."""
        splits = [self._split(one) for one in asked]
        worth = self._follow(asked[0].plan)
        found = []
        for weights, run_of in splits:
            # [role, paired, kind]
            own = worth[run_of].transpose(0, 2, 1)
            light = self.game.light_values(weights.again.shape[-1], self.aim)
            gained = weights.again.sum(axis=1) @ light
            each = np.einsum("crpn,rpn->c", weights.weights, own) + gained
            found.append(float(each.max()))
        return found

    def _split(self, asked: Asked) -> _Split:
        """The weights of a split, and the runs that it needs."""
        game, plan, choices = self.game, asked.plan, asked.choices
        first, others = (self._ways_to_pair(plan, choice) for choice in choices[0])
        weights = splitting.split_weights(
            plan.most_hands[self.up],
            game.sequence_chance(plan, self.up),
            consistent=self.mode == "CDP+",
            pairings=(frozenset(first), frozenset(others)),
            most_marked=plan.most_marked,
            start=asked.start,
        )
        sides: dict[tuple[int, int], int] = {}
        runs: list[list[int]] = []
        needed = np.asarray(weights.weights.any(axis=(0, 2)))
        for role, ways in enumerate((first, others)):
            pairs = self._pairs.setdefault(tuple(ways.values()), len(self._pairs))
            paid = 0 if self._alike else role
            own = [0] * len(weights.kinds)
            for number, kind in enumerate(weights.kinds):
                if not needed[role, number]:
                    continue
                cards = kind.pairs, kind.marked
                if cards not in sides:
                    sides[cards] = self._side(plan, *cards)
                run = _Run(self._way(plan, choices[kind.policy][role]), sides[cards], paid, pairs)
                own[number] = self._runs.setdefault(run, len(self._runs))
            runs.append(own)
        return _Split(weights, np.array(runs))

    def _way(self, plan: PairPlan, choice: Bytes) -> int:
        found = self._ways.get(id(choice))
        if found is None:
            found = self._ways[id(choice)] = len(self._paths)
            self._paths.append(self.game.path(plan, choice))
        return found

    def _ways_to_pair(self, plan: PairPlan, choice: Bytes) -> dict[Pairing, WayToPair]:
        key = id(choice), plan.most_marked
        found = self._to_pairs.get(key)
        if found is None:
            found = self._to_pairs[key] = self.game.ways_to_pair(plan, choice)
        return found

    def _side(self, plan: PairPlan, pairs: int, marked: int) -> int:
        gone = self.game.gone(plan, pairs, marked)
        number = self._sides.setdefault(gone.tobytes(), len(self._gone))
        if number == len(self._gone):
            self._gone.append(gone)
        return number

    def _follow(self, plan: PairPlan) -> Floats:
        """What every run is worth without a pair, and with one."""
        game, graph = self.game, plan.graph
        runs = sorted(self._runs)
        way, side, role, pairs = np.ascontiguousarray(np.array(runs).T)
        seen = np.bitwise_or.reduce([path.seen for path in self._paths])
        ending = np.flatnonzero(np.logical_or.reduce([path.compared for path in self._paths]))
        ends = np.full(len(graph), NONE)
        ends[ending] = np.arange(len(ending))
        gone = np.array(self._gone)
        met = game.met_with(plan)
        shoes = Shoes((game.counts - gone[0]).astype(np.float64), ends, met)
        dealer_of = met.beside(graph, ending, gone)
        worth = np.empty((len(runs), 2))
        follow(
            hands_of(graph, shoes)._replace(order=graph.order[seen[graph.order] != 0]),
            game.facing(self.up, shoes),
            game.known.rules(plan.contexts, self.up),
            Ways(np.stack([path.choice for path in self._paths]), seen, ends, dealer_of),
            Lanes(
                way,
                np.ascontiguousarray((game.counts - gone)[side].T, dtype=np.float64),
                side,
                role,
                pairs,
            ),
            self._pair_paths(),
            Worths(np.stack(self.roles), game.lights_gained(self.aim)),
            lane_room(len(runs), len(game.counts), len(plan.contexts)),
            np.empty((len(graph), len(plan.contexts), len(runs))),
            worth,
        )
        found = np.empty_like(worth)
        found[[self._runs[run] for run in runs]] = worth
        return found

    def _pair_paths(self) -> PairPaths:
        groups = [*self._pairs]
        ways = [way for group in groups for way in group]
        steps = [step for way in ways for step in way.steps]
        at, card = np.array(steps, dtype=np.int64).reshape(-1, 2).T
        return PairPaths(
            first=np.cumsum([0, *map(len, groups)]),
            node=np.array([way.node for way in ways], dtype=np.int64),
            step=np.cumsum([0, *(len(way.steps) for way in ways)]),
            at=np.ascontiguousarray(at),
            card=np.ascontiguousarray(card),
        )
