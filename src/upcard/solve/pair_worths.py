"""What the splits of a pair are worth, by whatever trades it came: priced together.

Hands of such splits are played alike, and many are dealt from the same shoe: cards that further
pairs of one have taken, trades of another have. How the hands end is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from upcard.solve import split as splitting
from upcard.solve.base_game import BaseGame, Path, WayToPair
from upcard.solve.hands_and_shoes import hands_of
from upcard.solve.shoes_met import Block
from upcard.solve.side_by_side import Lanes, PairPaths, Ways, Worths, follow, lane_room
from upcard.solve.solution import Aim, Bools, Bytes, Floats, Ints, PairPlan, Roles, Shoes
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


class _Side(NamedTuple):
    """A shoe: the cards gone, what is known of it, and the nodes whose chances are needed."""

    gone: Ints
    known: Shoes | None
    needed: Bools


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
        self._paths: dict[int, tuple[int, Path]] = {}
        """By the identity of choices: their number, and where they lead."""
        self._pairs: dict[tuple[WayToPair, ...], int] = {}
        self._sides: dict[bytes, int] = {}
        self._shoes: list[_Side] = []
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
        for_first, for_others = choices[0]
        first = others = game.ways_to_pair(plan, for_first)
        if for_others is not for_first:
            others = game.ways_to_pair(plan, for_others)
        weights = splitting.split_weights(
            plan.most_hands[self.up],
            game.sequence_chance(plan, self.up),
            consistent=self.mode == "CDP+",
            pairings=(frozenset(first), frozenset(others)),
            most_marked=plan.most_marked,
            start=asked.start,
        )
        pairs = [self._pairs_of(ways) for ways in (first, others)]
        run_of = np.zeros((2, len(weights.kinds)), dtype=np.int64)
        sides: dict[tuple[int, int], int] = {}
        for role, number in np.argwhere(weights.weights.any(axis=(0, 2))).tolist():
            kind = weights.kinds[number]
            cards = kind.pairs, kind.marked
            if cards not in sides:
                sides[cards] = self._side(plan, *cards)
            way, path = self._path(plan, choices[kind.policy][role])
            side = sides[cards]
            self._shoes[side].needed[path.compared] = True
            run = _Run(way, side, 0 if self._alike else role, pairs[role])
            run_of[role, number] = self._runs.setdefault(run, len(self._runs))
        return _Split(weights, run_of)

    def _path(self, plan: PairPlan, choice: Bytes) -> tuple[int, Path]:
        found = self._paths.get(id(choice))
        if found is None:
            found = self._paths[id(choice)] = len(self._paths), self.game.path(plan, choice)
        return found

    def _pairs_of(self, ways: Mapping[Pairing, WayToPair]) -> int:
        return self._pairs.setdefault(tuple(ways.values()), len(self._pairs))

    def _side(self, plan: PairPlan, pairs: int, marked: int) -> int:
        gone = self.game.gone(plan, pairs, marked)
        number = self._sides.setdefault(gone.tobytes(), len(self._shoes))
        if number == len(self._shoes):
            needed = np.zeros(len(plan.graph), dtype=np.bool_)
            self._shoes.append(_Side(gone, plan.shoes.get((pairs, marked)), needed))
        return number

    def _follow(self, plan: PairPlan) -> Floats:
        """What every run is worth without a pair, and with one."""
        game, graph = self.game, plan.graph
        runs = sorted(self._runs, key=lambda run: run.way)
        found = np.empty((len(runs), 2))
        sides = self._met(plan)
        paths = [path for _, path in self._paths.values()]
        seen = np.bitwise_or.reduce([path.seen for path in paths])
        hands = hands_of(graph, sides[0])
        count = len(runs)
        way, side, role, pairs = np.array(runs).T
        follow(
            hands._replace(order=graph.order[seen[graph.order] != 0]),
            game.facing(self.up, sides[0]),
            game.known.rules(plan.contexts, self.up),
            Ways(
                np.stack([path.choice for path in paths]),
                seen,
                np.stack([own.dealer_of for own in sides]),
            ),
            Lanes(
                np.ascontiguousarray(way),
                np.stack([sides[number].cards for number in side], axis=1),
                np.ascontiguousarray(side),
                np.ascontiguousarray(role),
                np.ascontiguousarray(pairs),
            ),
            self._pair_paths(),
            Worths(np.stack(self.roles), game.lights_gained(self.aim)),
            lane_room(count, len(game.counts), len(plan.contexts)),
            np.empty((len(graph), len(plan.contexts), count)),
            found,
        )
        return found[np.argsort([self._runs[run] for run in runs])]

    def _met(self, plan: PairPlan) -> list[Shoes]:
        """The shoes of all sides; those that are not known for the nodes that need them."""
        game = self.game
        more = [side for side in self._shoes if side.known is None]
        blocks = [Block(plan.graph, side.gone, np.flatnonzero(side.needed)) for side in more]
        fresh = iter(game.some_shoes(plan, blocks))
        return [side.known or next(fresh) for side in self._shoes]

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
