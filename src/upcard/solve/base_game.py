"""The game itself: what every hand is worth, the best play, and how rounds end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from upcard.compile.hands import NONE
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.graph import HandGraph
from upcard.solve.hands_and_shoes import MOST_LIGHTS, HandsAndShoes
from upcard.solve.play import (
    ACTIONS,
    DRAW,
    HAND_OVER,
    NEVER,
    SETTLED,
    Before,
    EarlyValues,
    Passed,
    Pays,
    Runs,
    Sides,
    SolvedHands,
    Ways,
    before_check,
    draw_chances,
    each_forward,
    reached,
)
from upcard.solve.result import Progress, silent
from upcard.solve.solution import (
    Aim,
    Bools,
    Bytes,
    Choices,
    Ends,
    Floats,
    Ints,
    PairPlan,
    Roles,
    Shoes,
    Shorts,
    Solution,
    SolvedSplit,
    UpCard,
    hands_of,
)
from upcard.solve.split import JUST_SPLIT, BoxStart, Mode, Pairing

_LOST = 1e-9
"""The share of rounds that may be lost to rounding; more were not played to their end."""


class Path(NamedTuple):
    """Choices of a split hand, and where they lead.

    In `order` are the nodes that it may come to; those in `compared` end there against the dealer.
    """

    choice: Bytes
    order: Shorts
    compared: Bools


class WayToPair(NamedTuple):
    """A node of a split hand that is a pair again; each step is a node and the card that comes."""

    node: int
    steps: tuple[tuple[int, int], ...]


class BaseGame(HandsAndShoes):
    """A game on a shoe, ready to be solved for any aim.

    >>> from upcard import tables_for
    >>> from upcard.solve.solution import Aim
    >>> game = BaseGame(tables_for("blackjack", {"surrender": "none"}))
    >>> f"{game.solve(Aim(bet=500), mode='CDZ-').ev:.9%}"
    '-0.402870236%'
    """

    def solve(self, aim: Aim, *, mode: Mode = "CDP", progress: Progress = silent) -> Solution:
        """Composition-dependent optimal play, splits in a mode."""
        roles = self.pay(aim)
        found = self.each_up(lambda up: self._solve_up(up, aim, roles, mode), "hands", progress)
        return Solution(aim, mode, "optimal", found)

    def solve_near(self, known: Solution, aim: Aim) -> Solution:
        """Optimal play for an aim, but with split hands played as in a known solution.

        What single actions are worth is not kept.
        """
        roles = self.pay(aim)
        own = {plan.node: roles.of_split(plan) for plan in self.pairs}

        def finish(up: int) -> UpCard:
            splits = {
                node: replace(split, worth=self.split_worth(split.by_role, own[node], aim))
                for node, split in known.ups[up].splits.items()
            }
            return self._finish(up, aim, roles, splits, record=0)

        return Solution(aim, known.mode, known.play, self.each_up(finish, "hands", silent))

    def split_worth(self, ends: Sequence[Ends], roles: Roles, aim: Aim) -> float:
        """What a split is worth whose hands end so, by their roles."""
        worth = 0.0
        for one, paid in zip(ends, roles.by_role, strict=True):
            worth += float((one.hands * paid).sum())
        return worth + sum(self.light_value(one.lights, aim) for one in ends)

    def solve_up(self, up: int, aim: Aim, mode: Mode) -> UpCard:
        """One up card alone."""
        return self._solve_up(up, aim, self.pay(aim), mode)

    def _solve_up(self, up: int, aim: Aim, roles: Roles, mode: Mode) -> UpCard:
        plain = self.play(up, aim, roles, {}).worth
        splits: dict[int, SolvedSplit] = {}
        for plan in self.pairs if mode != "none" else ():
            if up in plan.most_hands and self.is_possible(plan, up):
                known = splits[plan.like].choices if plan.like in splits else {}
                splits[plan.node] = self.price_split(plan, up, aim, roles, mode, plain, known)
        return self._finish(up, aim, roles, splits)

    def _finish(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, SolvedSplit],
        *,
        record: int | None = None,
    ) -> UpCard:
        worths = {node: found.worth for node, found in splits.items()}
        return self.price(up, aim, roles, splits, self.play(up, aim, roles, worths, record))

    def play(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, float],
        record: int | None = None,
    ) -> SolvedHands:
        """The best play of all hands, some splits being worth so much."""
        split_worth = np.full(len(self.graph), NEVER)
        for node, worth in splits.items():
            split_worth[node] = worth
        return self.backward(
            self.graph,
            self.shoes,
            self.contexts,
            up,
            self.unsplit_pay(up, aim, roles),
            aim,
            split=split_worth,
            record=record,
        )

    def price(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, SolvedSplit],
        chosen: SolvedHands,
        leaning: Floats | None = None,
    ) -> UpCard:
        """An up card's value under some choices, and how its rounds end."""
        early = self.before_check(up, aim, roles, chosen.value, leaning)
        chance, ev, reach, ends = self._deal(up, aim, roles, early)
        played = self.forward(self.graph, self.shoes, up, chosen.choice, reach)
        ends = Ends(ends.hands + played.hands, ends.lights + played.lights)
        split_chance = {
            node: float(reach[0, node])
            for node in splits
            if self.rows.splits[chosen.choice[0, node]] and reach[0, node] > 0
        }
        self.check_all_end(float(ends.hands.sum()) + sum(split_chance.values()))
        return UpCard(
            up=up,
            chance=chance,
            worth=chosen.worth,
            value=chosen.value,
            choice=chosen.choice,
            early=early.value,
            early_choice=early.choice,
            early_gain=early.gain,
            natural=early.natural,
            reach=reach,
            ends=ends,
            splits=splits,
            split_chance=split_chance,
            ev=ev,
        )

    def check_all_end(self, ended: float) -> None:
        """Refuse a shoe that may run out: so many rounds came to their end."""
        if ended < 1 - _LOST:
            raise UpcardError(
                f"the shoe of {int(self.counts.sum())} cards is too small: "
                f"it can run out before a round of {self.tables.name} is over"
            )

    def before_check(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        value: Floats,
        leaning: Floats | None = None,
    ) -> EarlyValues:
        """What is decided before the check, with values and the chance of a natural."""
        nodes = len(self.graph)
        found = EarlyValues(
            value=np.zeros(nodes),
            choice=np.full(nodes, HAND_OVER, dtype=np.int8),
            gain=np.zeros(nodes),
            natural=np.zeros(nodes),
        )
        before = Before(
            first=self.first_nodes,
            exchanges=self.trades_first,
            ending=self.known.early_ends(up),
            ends_as=self.known.ends_early_as,
            final=self.settled_class,
            ruled_out=~self.shown.down[up],
            leaning=np.empty(0) if leaning is None else leaning,
        )
        before_check(
            hands_of(self.graph, self.shoes),
            self.facing(up, self.shoes),
            self.known.rules(self.contexts, up),
            Pays(self.unsplit_pay(up, aim, roles), np.array(aim.lights)),
            before,
            value,
            found,
        )
        return found

    def _deal(
        self, up: int, aim: Aim, roles: Roles, early: EarlyValues
    ) -> tuple[float, float, Floats, Ends]:
        """The up card's chance and value, hands reached in the turn, and rounds that ended."""
        graph, tables = self.graph, self.tables
        chance = self.shown.chances(self.counts, step=self.step)[up]
        ev = 0.0
        before = np.zeros(len(graph))
        for _, _, node, likely in self.deal_chances(up):
            before[node] += likely
            lit = sum(aim.lights[min(n, len(aim.lights) - 1)] for n in range(graph.lit[node]))
            ev += likely * (float(early.value[node]) + lit)
        reach = np.zeros((len(self.contexts), len(graph)))
        ends = np.zeros(roles.first.shape)
        lights = np.zeros(MOST_LIGHTS if tables.carry else 1)
        draws = np.zeros(len(self.counts))
        above, ruled_out = int(self.shown.up[up]), ~self.shown.down[up]
        for node in graph.order[self.first_nodes[graph.order]].tolist():
            here = before[node]
            if here == 0:
                continue
            natural = here * early.natural[node]
            action = int(early.choice[node])
            after = int(graph.moved[action, node]) if action < ACTIONS else NONE
            if after != NONE:
                before[after] += here
            elif action == DRAW:
                given = self.shoes.cards, graph.taken[node], above, ruled_out
                draw_chances(*given, 1, self.step, draws)
                for symbol, drawn in enumerate(graph.child[node].tolist()):
                    before[drawn] += here * draws[symbol]
            else:
                row = int(self.settled_class[graph.state[node]])
                over = natural
                if action == HAND_OVER:
                    reach[0, node] += here - natural
                else:
                    row, over = int(self.known.ends_early_as[action]), here
                    self._end(ends, node, up, here - natural, row)
                if over > 0:
                    ends[0, row, self.dealer.natural_class] += natural
                    lights[graph.lit[node] if tables.carry else 0] += over
        return float(chance), ev, reach, Ends(ends, lights)

    def _end(self, ends: Floats, node: int, up: int, weight: float, row: int) -> None:
        if self.known.settled[up, row] == SETTLED:
            ends[0, row, self.known.any_class[up]] += weight
        else:
            ends[0, row] += weight * self.met.chances(up)[self.shoes.dealer_of[node]]

    def price_split(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        mode: Mode,
        scores: Floats | None,
        known: Choices,
        twin: Shorts | None = None,
        resplits: splitting.Resplits | None = None,
        like: PairPlan | None = None,
        start: BoxStart = JUST_SPLIT,
    ) -> SolvedSplit:
        """A split priced: hands by their kinds, weighted, and pairs that are split again.

        Choices that are not `known` are found, as for the pair that it is played `like`; CDZ-
        follows `scores`. Without `resplits` the best ones are taken. From another `start` on, these
        are the hands of a box that are not over, the cards of the others being out of the shoe.
        """
        doubles = len(plan.contexts)
        roles = roles.of_split(plan)
        own = plan.twin if twin is None else twin
        choices = self.all_choices(plan, up, aim, roles, mode, scores, known, own, like or plan)
        for_first, for_others, *_ = choices[0]
        first_ways = other_ways = plan.counted(self.ways_to_pair(plan, for_first))
        if for_others is not for_first:
            other_ways = plan.counted(self.ways_to_pair(plan, for_others))
        weights = splitting.split_weights(
            plan.most_hands[up],
            self.sequence_chance(plan, up),
            consistent=mode == "CDP+",
            resplits=() if resplits is None else (resplits,),
            pairings=(frozenset(first_ways), frozenset(other_ways)),
            most_marked=plan.most_marked,
            start=start,
            free_times=plan.free_times,
        )
        policies = {0, *(kind.policy for kind in weights.kinds)}
        choices = {policy: choices[policy] for policy in sorted(policies)}
        alike = self.alike(roles, up)
        needed = np.asarray(weights.weights.any(axis=(0, 2)))
        wanted = np.argwhere(needed).tolist()
        # Where roles are alike, their choices are one array.
        arrays = {id(choice): choice for both in choices.values() for choice in both}
        paths = [self._path(plan, choice) for choice in arrays.values()]
        way_of = {key: number for number, key in enumerate(arrays)}
        compared: dict[tuple[int, int], Bools] = {}
        runs: list[tuple[int, tuple[int, int], int, int]] = []
        for role, number in wanted:
            kind = weights.kinds[number]
            way, cards = way_of[id(choices[kind.policy][role])], (kind.pairs, kind.marked)
            path = paths[way]
            compared[cards] = (
                compared[cards] | path.compared if cards in compared else path.compared
            )
            if not (role and alike and needed[0, number]):
                runs.append((way, cards, role, number))
        paid = roles.by_role
        ends = self.no_ends(len(paid), len(weights.kinds), 2, doubles)
        ways_of = (first_ways, *[other_ways] * (len(paid) - 1))
        passed = [[way.node for way in ways.values()] for ways in ways_of]
        self._second_cards(plan, up, self.split_shoes(plan, compared), paths, runs, passed, ends)
        if alike:
            both = needed[0] & needed[1]
            ends.hands[1, both], ends.lights[1, both] = ends.hands[0, both], ends.lights[0, both]
        light = self.light_values(ends.lights.shape[-1], aim)
        worth = np.einsum("rnpdxy,rdxy->rpn", ends.hands, paid[:, :doubles])
        worth += np.einsum("rnpl,l->rpn", ends.lights, light)
        gained = weights.again.sum(axis=1) @ self.light_values(weights.again.shape[-1], aim)
        best = int((np.tensordot(weights.weights, worth, axes=3) + gained).argmax())
        results = np.zeros(paid.shape)
        results[:, :doubles] = np.einsum("rpn,rnpdxy->rdxy", weights.weights[best], ends.hands)
        lights = np.einsum("rpn,rnpl->rl", weights.weights[best], ends.lights)
        lights[:, : weights.again.shape[-1]] += weights.again[best]
        one, others, *further = by_role = [*map(Ends, results, lights)]
        whole = self.split_worth(by_role, roles, aim)
        again = weights.resplits[best]
        return SolvedSplit(up, plan.node, plan.pair, one, others, whole, choices, again, *further)

    def all_choices(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        mode: Mode,
        scores: Floats | None,
        known: Choices,
        twin: Shorts,
        like: PairPlan,
    ) -> dict[int, tuple[Bytes, ...]]:
        """The choices of every policy that a split may need; in CDZ- there is one for all."""
        policies = range(1 + splitting.removable(plan.most_hands[up]))
        fresh = [policy for policy in policies if policy not in known]
        follow = None
        if mode == "CDZ-":
            fresh = [] if 0 in known else [0]
            follow = None if scores is None else scores[: len(plan.contexts)]
        found = self.split_choices(like, up, aim, roles, fresh, follow, twin)
        if follow is not None and like.free:
            others = self.marker_worths(up, aim, roles)[: len(plan.contexts)]
            marked = self.split_choices(like, up, aim, roles, fresh, others, twin)
            found = [(one[0], two[1], *one[2:]) for one, two in zip(found, marked, strict=True)]
        choices = {**known, **dict(zip(fresh, found, strict=True))}
        if fresh:
            exchanged = self._exchanged(plan.graph)
            common = [one[0, exchanged] for one in choices[0]]
            for by_role in found:
                for role, own in enumerate(by_role):
                    if not any(own is before for before in by_role[:role]):
                        own[0, exchanged] = common[role]
        return {policy: choices.get(policy, choices[0]) for policy in policies}

    def _exchanged(self, graph: HandGraph) -> Ints:
        """Hands of a split that decide on a bonus card as all policies do."""
        return np.flatnonzero(self.known.exchanged[graph.state])

    def marker_worths(self, up: int, aim: Aim, roles: Roles) -> Floats:
        """What every action would be worth to hands that the house staked, were they not split."""
        assert roles.marker is not None
        return self.backward(self.graph, self.shoes, self.contexts, up, roles.marker, aim).worth

    def split_choices(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        policies: Sequence[int],
        scores: Floats | None,
        twin: Shorts,
    ) -> list[tuple[Bytes, ...]]:
        """Choices of the hands by their roles, for each number of pair cards gone."""
        if not policies:
            return []
        roles = roles.of_split(plan)
        shoes = self.whole_shoes(plan, policies)
        found = [
            self.choices(
                plan.graph,
                shoes,
                plan.contexts,
                up,
                pay[: len(plan.contexts)],
                aim,
                scores=scores,
                twin=twin,
            )
            for pay in (roles.by_role[:1] if self.alike(roles, up) else roles.by_role)
        ]
        return [*zip(found[0], *(found[1:] or found), strict=True)]

    def ways_to_pair(self, plan: PairPlan, choice: Bytes) -> dict[Pairing, WayToPair]:
        """How a split hand becomes a pair again under some choices, with any bonus cards."""
        hands, graph = self.tables.hands, plan.graph
        cards = (
            [(plan.pair, 1, 0)] if self.marked is None else [(plan.pair, 1, 0), (self.marked, 0, 1)]
        )
        found: dict[Pairing, WayToPair] = {}
        waiting: list[tuple[WayToPair, int, int]] = [(WayToPair(0, ()), 0, 0)]
        while waiting:
            way, pairs, marked = waiting.pop()
            node = way.node
            state = int(graph.state[node])
            if hands.pair_symbol[state] >= 0:
                found[Pairing(pairs, marked, int(graph.lit[node]))] = way
            elif hands.pending[state]:
                then = way._replace(node=int(graph.moved[choice[0, node], node]))
                waiting.append((then, pairs, marked))
            elif node == 0 or hands.owed[state]:
                for symbol, more_pairs, more_marked in cards:
                    after = int(graph.child[node, symbol])
                    if after >= 0:
                        then = WayToPair(after, (*way.steps, (node, symbol)))
                        waiting.append((then, pairs + more_pairs, marked + more_marked))
        return found

    def _path(self, plan: PairPlan, choice: Bytes) -> Path:
        """Where choices lead a split hand."""
        graph = plan.graph
        seen = np.zeros(len(graph), dtype=np.int64)
        seen[0] = 1
        order = np.empty(len(graph), dtype=np.int32)
        compared = np.zeros(len(graph), dtype=np.bool_)
        count = reached(
            graph.order, graph.child, graph.moved, self.rows, choice, seen, order, compared
        )
        return Path(choice, order[:count], compared)

    def _second_cards(
        self,
        plan: PairPlan,
        up: int,
        shoes: Mapping[tuple[int, int], Shoes],
        paths: Sequence[Path],
        runs: Sequence[tuple[int, tuple[int, int], int, int]],
        passed: Sequence[Sequence[int]],
        ends: Ends,
    ) -> None:
        """How split hands end that do not become pairs, and how if they do.

        A run has its path, the cards of further pairs, a role, and a kind; the pairs of a role are
        the nodes `passed`.
        """
        numbers = {cards: number for number, cards in enumerate({run[1]: None for run in runs})}
        own = [shoes[cards] for cards in numbers]
        if not own:
            return
        kinds, graph = ends.hands.shape[1], plan.graph
        way, side, role, place = np.array(
            [(way, numbers[cards], role, role * kinds + kind) for way, cards, role, kind in runs]
        ).T
        each_forward(
            hands_of(graph, own[0]),
            self.facing(up, own[0]),
            Sides(np.stack([one.cards for one in own]), np.stack([one.dealer_of for one in own])),
            self.known.rules(plan.contexts, up),
            Ways(
                np.stack([path.choice for path in paths]),
                np.concatenate([path.order for path in paths]),
                np.cumsum([0, *(len(path.order) for path in paths)]),
            ),
            Runs(way, side, role, place),
            Passed(
                np.array([node for nodes in passed for node in nodes], dtype=np.int32),
                np.cumsum([0, *map(len, passed)]),
            ),
            np.empty((2, len(plan.contexts), len(graph))),
            np.empty(len(self.counts)),
            ends.hands.reshape(-1, *ends.hands.shape[2:]),
            ends.lights.reshape(-1, *ends.lights.shape[2:]),
        )
