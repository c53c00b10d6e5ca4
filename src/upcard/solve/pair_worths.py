"""What the splits of a pair are worth, by whatever trades it came: priced together.

Hands of such splits are played alike, and many are dealt from the same shoe: cards that further
pairs of one have taken, trades of another have. How the hands end is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from upcard.cards import Card
from upcard.compile.hands import NONE
from upcard.solve import split as splitting
from upcard.solve.base_game import BaseGame, WayToPair
from upcard.solve.followed_hands import Lanes, PairPaths, Ways, Worths, follow, reached_beside
from upcard.solve.side_by_side import lane_room
from upcard.solve.solution import (
    Aim,
    Bools,
    Bytes,
    Choices,
    Floats,
    Ints,
    PairPlan,
    Roles,
    Shoes,
    Shorts,
    hands_of,
)
from upcard.solve.split import BoxStart, Kind, Mode, Pairing, SplitWeights
from upcard.solve.split_suits import FirstCards, Followed, SplitSuits, SuitedHands

_BITS = 63


class Asked(NamedTuple):
    """A split to be priced: a plan, the choices of its hands by policy and role, and where the box
    stands.

    With `first_cards` of its hands it is priced by their suits, otherwise on average over them.
    """

    plan: PairPlan
    choices: Choices
    start: BoxStart
    first_cards: FirstCards | None = None


class _Split(NamedTuple):
    """A split with the weights of its kinds of hands, and for each, `run_of[role, kind]`, the run
    that has its worth.
    """

    weights: SplitWeights
    run_of: Ints


def _suited(
    weights: SplitWeights, run_of: Ints, asked: Asked, added: Mapping[Card | None, Floats]
) -> Floats:
    """What suits add to a split, `added[first card][run, paired]` being what they add to hands."""
    assert weights.hands is not None
    assert asked.first_cards is not None
    found = np.zeros(len(weights.hands))
    for hand, first in enumerate((*asked.first_cards, None)):
        role = int(bool(hand or asked.start.hand))
        own = added[first][run_of[role]]
        found += np.einsum("rpk,kp->r", weights.hands[:, hand], own)
    return found


class _Run(NamedTuple):
    """A hand: its way, its side, by which role it is paid, and the pairs that are told apart."""

    way: int
    side: int
    role: int
    pairs: int


class PairWorths:
    """Splits of one pair, which all have the same graph, against one up card."""

    def __init__(
        self,
        game: BaseGame,
        up: int,
        aim: Aim,
        roles: Roles,
        mode: Mode,
        suits: SplitSuits | None = None,
    ) -> None:
        self.game = game
        self.up = up
        self.aim = aim
        self.roles = roles
        """Those of the pair's splits."""
        self.mode = mode
        self.suits = suits
        self._alike = game.alike(roles, up)
        self._ways: dict[int, int] = {}
        self._choices: list[Bytes] = []
        """Their numbers are found by their identity."""
        self._pairs: dict[tuple[WayToPair, ...], int] = {}
        self._to_pairs: dict[int, dict[Pairing, WayToPair]] = {}
        self._sides: dict[tuple[int, ...], int] = {}
        """By the cards that are gone."""
        self._runs: dict[_Run, int] = {}
        self._decided_by: dict[_Run, _Run] = {}
        """Of a run the one with exactly the pair cards gone that its play is for."""

    def of(self, asked: Sequence[Asked]) -> list[float]:
        """What each of some splits is worth."""
        suited = self._suited(asked[0].plan)
        if suited is None:
            asked = [one._replace(first_cards=None) for one in asked]
        splits = [self._split(one) for one in asked]
        firsts = [one.first_cards for one in asked if one.first_cards is not None]
        worth, added = self._follow(asked[0].plan, suited, firsts)
        found = []
        for (weights, run_of), one in zip(splits, asked, strict=True):
            # [role, paired, kind]
            own = worth[run_of].transpose(0, 2, 1)
            light = self.game.light_values(weights.again.shape[-1], self.aim)
            gained = weights.again.sum(axis=1) @ light
            each = weights.weights.reshape(len(gained), -1) @ own.reshape(-1) + gained
            if one.first_cards is not None:
                assert weights.hands is not None
                for hand, first in enumerate((*one.first_cards, None)):
                    role = int(bool(hand or one.start.hand))
                    each += np.einsum(
                        "rpk,kp->r", weights.hands[:, hand], added[first][run_of[role]]
                    )
            found.append(float(each.max()))
        return found

    def _split(self, asked: Asked) -> _Split:
        """The weights of a split, and the runs that it needs."""
        game, plan, choices = self.game, asked.plan, asked.choices
        by_role = [self._ways_to_pair(plan, choice) for choice in choices[0]]
        first, others = by_role[:2]
        weights = splitting.split_weights(
            plan.most_hands[self.up],
            game.sequence_chance(plan, self.up),
            consistent=self.mode == "CDP+",
            pairings=(frozenset(first), frozenset(others)),
            most_marked=plan.most_marked,
            start=asked.start,
            by_hand=asked.first_cards is not None,
            free_times=plan.free_times,
        )
        needed = np.asarray(weights.weights.any(axis=(0, 2)))
        if self._alike and choices[0][0] is choices[0][1]:
            own = self._run_of(asked, weights.kinds, needed[0] | needed[1], 0, first)
            return _Split(weights, np.array([own, own]))
        both = (
            self._run_of(asked, weights.kinds, needed[role], role, ways)
            for role, ways in enumerate(by_role)
        )
        return _Split(weights, np.array([*both]))

    def _run_of(
        self,
        asked: Asked,
        kinds: Sequence[Kind],
        needed: Bools,
        role: int,
        ways: Mapping[Pairing, WayToPair],
    ) -> list[int]:
        """The runs of a role's hands by their kinds, as far as these are needed."""
        plan, choices = asked.plan, asked.choices
        pairs = self._pairs.setdefault(tuple(ways.values()), len(self._pairs))
        paid = 0 if self._alike else role
        taken = plan.taken.tolist()
        sides: dict[tuple[int, int], int] = {}
        way_of: dict[int, int] = {}
        found = []
        for (policy, *cards), wanted in zip(kinds, needed.tolist(), strict=True):
            if not wanted:
                found.append(0)
                continue
            gone = cards[0], cards[1]
            if gone not in sides:
                sides[gone] = self._side(plan, taken, *gone)
            if policy not in way_of:
                way_of[policy] = self._way(choices[policy][role])
            run = _Run(way_of[policy], sides[gone], paid, pairs)
            if self.suits is not None:
                decides = run._replace(side=self._side(plan, taken, policy, 0))
                self._decided_by[run] = decides
            found.append(self._runs.setdefault(run, len(self._runs)))
        return found

    def _way(self, choice: Bytes) -> int:
        found = self._ways.get(id(choice))
        if found is None:
            found = self._ways[id(choice)] = len(self._choices)
            self._choices.append(choice)
        return found

    def _ways_to_pair(self, plan: PairPlan, choice: Bytes) -> dict[Pairing, WayToPair]:
        found = self._to_pairs.get(id(choice))
        if found is None:
            found = self._to_pairs[id(choice)] = self.game.ways_to_pair(plan, choice)
        return plan.counted(found)

    def _side(self, plan: PairPlan, taken: Sequence[int], pairs: int, marked: int) -> int:
        gone, step = [*taken], int(self.game.step)
        gone[plan.pair] += pairs * step
        if marked and self.game.marked is not None:
            gone[self.game.marked] += marked * step
        return self._sides.setdefault(tuple(gone), len(self._sides))

    def _follow(
        self, plan: PairPlan, suited: SuitedHands | None, firsts: Sequence[FirstCards]
    ) -> tuple[Floats, dict[Card | None, Floats]]:
        """What every run is worth without a pair, and with one; and what suits add to it, by first
        cards of hands.
        """
        game, graph = self.game, plan.graph
        runs = sorted(self._runs)
        way, side, role, pairs = np.ascontiguousarray(np.array(runs).T)
        choice = np.stack(self._choices)
        walked = choice
        if suited is not None:
            walked = np.concatenate([choice, *([one] for one in suited.further(self._choices))])
        order, seen, ending = self._reached(plan, walked)
        ends = np.full(len(graph), NONE)
        ends[ending] = np.arange(len(ending))
        left = game.counts - np.array([*self._sides])
        met = game.met_with(plan)
        dealer_of = met.beside(graph, ending, game.counts - left)
        shoes = Shoes(left[0].astype(np.float64), ends, met)
        worth = np.empty((len(runs), 2))
        facing, rules = game.facing(self.up, shoes), game.known.rules(plan.contexts, self.up)
        lanes = Lanes(way, np.ascontiguousarray(left[side].T, dtype=np.float64), side, role, pairs)
        worths = Worths(self.roles.by_role, game.lights_gained(self.aim))
        value = np.empty((len(graph), len(plan.contexts), len(runs)))
        ends_by = len(left) * (1 + int(role.max()))
        follow(
            hands_of(graph, shoes)._replace(order=order),
            facing,
            rules,
            Ways(choice, seen, ends, dealer_of),
            lanes,
            self._pair_paths(),
            worths,
            lane_room(
                len(runs), len(game.counts), len(plan.contexts), stood=(len(ending), ends_by)
            ),
            value,
            worth,
        )
        place = [self._runs[run] for run in runs]
        found = np.empty_like(worth)
        found[place] = worth
        if suited is None:
            return found, {}
        lane_of = {run: lane for lane, run in enumerate(runs)}
        decided = [self._decided_by[run] for run in runs]
        followed = Followed(
            lanes,
            np.array([lane_of.get(by, lane) for lane, by in enumerate(decided)]),
            value,
            ends,
            dealer_of,
            [[way.node for way in ways] for ways in self._pairs],
            worths.gained,
        )
        added = {}
        for first, own in suited.added(facing, followed, firsts).items():
            added[first] = np.empty_like(own)
            added[first][place] = own
        return found, added

    def _suited(self, plan: PairPlan) -> SuitedHands | None:
        """Hands of which suits may be looked at, if there are any."""
        if self.suits is None:
            return None
        rules = self.game.known.rules(plan.contexts, self.up)
        found = SuitedHands(self.game, plan, self.up, self.aim, self.suits, rules, self.roles)
        return found if found.seconds else None

    def _reached(self, plan: PairPlan, choice: Bytes) -> tuple[Shorts, Ints, Ints]:
        """Nodes that choices lead to in their order, by node the doubles with which, and nodes
        where hands end.
        """
        graph = plan.graph
        seen = np.zeros(len(graph), dtype=np.int64)
        ended = np.zeros(len(graph), dtype=np.bool_)
        at_once = _BITS // choice.shape[1]
        for begin in range(0, len(choice), at_once):
            some, where = choice[begin : begin + at_once], np.zeros(len(graph), dtype=np.int64)
            reached_beside(
                graph.order, graph.child, graph.moved, self.game.rows, some, where, seen, ended
            )
        return graph.order[seen[graph.order] != 0], seen, np.flatnonzero(ended)

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
