"""The game itself: what every hand is worth, the best play, and how rounds end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.ground import MOST_LIGHTS, Ground
from upcard.solve.parts import (
    Aim,
    Bytes,
    Ends,
    Floats,
    Ints,
    PairPlan,
    Roles,
    Shorts,
    Solution,
    Split,
    UpCard,
)
from upcard.solve.play import DRAW, NEVER, OVER, SETTLED, before_check, draw_chances
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode

_LOST = 1e-9
"""The share of rounds that may be lost to rounding; more were not played to their end."""


class BaseGame(Ground):
    """A game on a shoe, ready to be solved for any aim.

    >>> from upcard import tables_for
    >>> from upcard.solve.parts import Aim
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

        def finish(up: int) -> UpCard:
            splits = {
                node: replace(split, worth=self.split_worth(split.first, split.others, roles, aim))
                for node, split in known.ups[up].splits.items()
            }
            return self._finish(up, aim, roles, splits, record=False)

        return Solution(aim, known.mode, known.play, self.each_up(finish, "hands", silent))

    def split_worth(self, first: Ends, others: Ends, roles: Roles, aim: Aim) -> float:
        """What a split is worth whose hands end so."""
        worth = float((first.hands * roles.first).sum() + (others.hands * roles.other).sum())
        return worth + self.light_value(first.lights, aim) + self.light_value(others.lights, aim)

    def solve_up(self, up: int, aim: Aim, mode: Mode) -> UpCard:
        """One up card alone."""
        return self._solve_up(up, aim, self.pay(aim), mode)

    def against_natural(self, found: UpCard, node: int) -> float:
        """What the wager of a first hand is worth against a natural that the check finds."""
        row = int(self.settled_class[self.graph.state[node]])
        return float(found.natural_pay[row])

    def _solve_up(self, up: int, aim: Aim, roles: Roles, mode: Mode) -> UpCard:
        plain, _, _ = self.backward(self.graph, self.shoe_of, self.contexts, up, roles.first, aim)
        splits: dict[int, Split] = {}
        for plan in self.pairs if mode != "none" else ():
            if up in plan.most_hands and self.is_possible(plan.node, up):
                known = splits[plan.like].choices if plan.like in splits else {}
                splits[plan.node] = self.price_split(plan, up, aim, roles, mode, plain, known)
        return self._finish(up, aim, roles, splits)

    def _finish(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, Split],
        *,
        record: bool = True,
    ) -> UpCard:
        split_worth = np.full(len(self.graph), NEVER)
        for node, found in splits.items():
            split_worth[node] = found.worth
        worth, value, choice = self.backward(
            self.graph,
            self.shoe_of,
            self.contexts,
            up,
            roles.first,
            aim,
            split=split_worth,
            record=record,
        )
        return self.price(up, aim, roles, splits, worth, value, choice)

    def price(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, Split],
        worth: Floats,
        value: Floats,
        choice: Bytes,
        leaning: Floats | None = None,
    ) -> UpCard:
        """An up card's value under some choices, and how its rounds end."""
        early, early_choice, natural, gain = self.before_check(up, aim, roles, value, leaning)
        chance, ev, reach, ends = self._deal(up, aim, roles, early, early_choice, natural)
        played = self.forward(self.graph, self.shoe_of, up, choice, reach)
        ends = Ends(ends.hands + played.hands, ends.lights + played.lights)
        split_chance = {
            node: float(reach[0, node])
            for node in splits
            if choice[0, node] == Action.SPLIT and reach[0, node] > 0
        }
        if ends.hands.sum() + sum(split_chance.values()) < 1 - _LOST:
            raise UpcardError(
                f"the shoe of {int(self.counts.sum())} cards is too small: "
                f"it can run out before a round of {self.tables.name} is over"
            )
        return UpCard(
            up=up,
            chance=chance,
            worth=worth,
            value=value,
            choice=choice,
            early=early,
            early_choice=early_choice,
            early_gain=gain,
            natural=natural,
            natural_pay=roles.first[0, :, self.dealer.natural_class],
            reach=reach,
            ends=ends,
            splits=splits,
            split_chance=split_chance,
            ev=ev,
        )

    def before_check(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        value: Floats,
        leaning: Floats | None = None,
    ) -> tuple[Floats, Bytes, Floats, Floats]:
        """Values, choices and chances of a natural before the check; gains of trade or fold."""
        graph = self.graph
        early = np.zeros(len(graph))
        gain = np.zeros(len(graph))
        choice = np.full(len(graph), OVER, dtype=np.int8)
        natural = np.zeros(len(graph))
        before_check(
            graph.order,
            self.first_nodes,
            graph.state,
            graph.child,
            graph.keep,
            graph.trade,
            graph.lit,
            self.shoe_of,
            self.shoes,
            up,
            self.dealer.hidden[up],
            self.step,
            self.chances[self.dealer.group_of[up]],
            self.masks(self.contexts, up),
            self.settled_class,
            self.settled[up],
            roles.first,
            self.class_of("surrendered"),
            self.dealer.natural_class,
            self.any_class(up),
            self.may_fold(up),
            self.trades_first,
            np.array(aim.lights),
            np.empty(0) if leaning is None else leaning,
            gain,
            value,
            early,
            natural,
            choice,
        )
        return early, choice, natural, gain

    def _deal(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        early: Floats,
        choice: Bytes,
        natural: Floats,
    ) -> tuple[float, float, Floats, Ends]:
        """The up card's chance and value, hands reached in the turn, and rounds that ended."""
        graph, tables = self.graph, self.tables
        chance = self.counts[up] / self.counts.sum()
        ev = 0.0
        before = np.zeros(len(graph))
        for _, _, node, likely in self.deal_chances(up):
            before[node] += likely
            lit = sum(aim.lights[min(n, len(aim.lights) - 1)] for n in range(graph.lit[node]))
            ev += likely * (float(early[node]) + lit)
        reach = np.zeros((len(self.contexts), len(graph)))
        ends = np.zeros(roles.first.shape)
        lights = np.zeros(MOST_LIGHTS if tables.carry else 1)
        draws = np.zeros(len(self.counts))
        nothing = np.zeros(len(self.counts), dtype=np.bool_)
        for node in graph.order[self.first_nodes[graph.order]].tolist():
            here = before[node]
            if here == 0:
                continue
            match int(choice[node]):
                case Action.KEEP:
                    before[graph.keep[node]] += here
                case Action.TRADE:
                    before[graph.trade[node]] += here
                case _ if choice[node] == DRAW:
                    draw_chances(self.shoes[self.shoe_of[node]], up, nothing, self.step, draws)
                    for symbol, after in enumerate(graph.child[node].tolist()):
                        before[after] += here * draws[symbol]
                case Action.SURRENDER:
                    self._end(ends, node, up, here * (1 - natural[node]), "surrendered")
                    row = self.class_of("surrendered")
                    ends[0, row, self.dealer.natural_class] += here * natural[node]
                    lights[graph.lit[node] if tables.carry else 0] += here
                case _:
                    reach[0, node] += here * (1 - natural[node])
                    if natural[node] > 0:
                        row = int(self.settled_class[graph.state[node]])
                        ends[0, row, self.dealer.natural_class] += here * natural[node]
                        lights[graph.lit[node] if tables.carry else 0] += here * natural[node]
        return float(chance), ev, reach, Ends(ends, lights)

    def _end(self, ends: Floats, node: int, up: int, weight: float, name: str) -> None:
        row = self.class_of(name)
        if self.settled[up, row] == SETTLED:
            ends[0, row, self.any_class(up)] += weight
        else:
            ends[0, row] += weight * self.chances[self.dealer.group_of[up], self.shoe_of[node]]

    def price_split(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        mode: Mode,
        scores: Floats,
        known: Mapping[int, tuple[Bytes, Bytes]],
        twin: Shorts | None = None,
    ) -> Split:
        """A split priced: hands by their kinds, weighted."""
        most = plan.most_hands[up]
        weights = splitting.split_weights(
            most, self._pair_chance(plan, up), consistent=mode == "CDP+"
        )
        doubles = len(plan.contexts)
        choices: dict[int, tuple[Bytes, Bytes]] = {}
        for policy in {term.policy for term in weights.terms}:
            if policy in known:
                choices[policy] = known[policy]
            elif mode == "CDZ-" and choices:
                choices[policy] = next(iter(choices.values()))
            else:
                follow = scores[:doubles] if mode == "CDZ-" else None
                own = plan.twin if twin is None else twin
                choices[policy] = self.split_choices(plan, up, aim, roles, policy, follow, own)
        alike = self.alike(roles, up)
        classes = roles.first.shape[1:]
        size = MOST_LIGHTS if self.tables.carry else 1
        sums = [np.zeros((len(self.contexts), *classes)) for _ in range(2)]
        lights = [np.zeros(size) for _ in range(2)]
        for term in weights.terms:
            for role, weight in enumerate((term.first, term.others)):
                if weight == 0 or (role == 1 and alike and term.first != 0):
                    continue
                shoe_of = plan.shoe_of[term.removed]
                choice = choices[term.policy][role]
                found = self._second_card(plan, up, shoe_of, choice, paired=term.paired)
                both = [(0, term.first), (1, term.others)]
                for to, share in both if alike else [(role, weight)]:
                    sums[to][:doubles] += share * found.hands
                    lights[to] += share * found.lights
        first, others = (Ends(s, n) for s, n in zip(sums, lights, strict=True))
        worth = self.split_worth(first, others, roles, aim)
        return Split(up, plan.node, plan.pair, weights, first, others, worth, choices)

    def split_choices(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        policy: int,
        scores: Floats | None,
        twin: Shorts,
    ) -> tuple[Bytes, Bytes]:
        """Choices of the first hand and of the others when so many pair cards are gone."""
        found = []
        for pay in (roles.first,) if self.alike(roles, up) else (roles.first, roles.other):
            _, _, choice = self.backward(
                plan.graph,
                plan.shoe_of[policy],
                plan.contexts,
                up,
                pay[: len(plan.contexts)],
                aim,
                scores=scores,
                twin=twin,
                record=False,
            )
            found.append(choice)
        return found[0], found[-1]

    def _second_card(
        self, plan: PairPlan, up: int, shoe_of: Ints, choice: Bytes, *, paired: bool
    ) -> Ends:
        """How a split hand ends whose second card is a pair card, or is none."""
        graph = plan.graph
        reach = np.zeros((len(plan.contexts), len(graph)))
        draws = np.zeros(len(self.counts))
        shoe = self.shoes[shoe_of[0]]
        draw_chances(shoe, up, self.dealer.hidden[up], self.step, draws)
        for symbol, after in enumerate(graph.child[0].tolist()):
            if after >= 0 and (symbol == plan.pair) == paired:
                reach[0, after] += draws[symbol]
        return self.forward(graph, shoe_of, up, choice, reach)
