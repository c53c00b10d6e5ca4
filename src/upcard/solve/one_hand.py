"""One hand against one up card: only what that hand can still become is solved.

The values are those of the whole game's solution. They come from a graph that begins at the hand,
the shoes that its cards leave, and the dealer's chances with this up card; of all pairs only those
count that the hand is, or that trades can still make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np

from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.base_game import BaseGame
from upcard.solve.graph import HandGraph
from upcard.solve.hands_and_shoes import MOST_TRADES_SPLIT
from upcard.solve.pair_worths import Asked, PairWorths
from upcard.solve.parted_shoes import PartedShoes
from upcard.solve.play import (
    NEVER,
    HandRules,
    SolvedHands,
    ended_early,
    mark_doubled,
    natural_chance,
)
from upcard.solve.shaped_shoes import ShapedShoes
from upcard.solve.shoe_keys import ShoeKeys
from upcard.solve.shoeless import shoeless
from upcard.solve.shoes_met import ShoesMet
from upcard.solve.solution import (
    Aim,
    Bytes,
    Floats,
    Ints,
    PairPlan,
    Roles,
)
from upcard.solve.split import FIRST, FURTHER, OTHER, BoxStart, Mode, role_of_new
from upcard.solve.split_shape import MOST_SMALL_GROUPS, SplitShape
from upcard.solve.split_suits import SplitSuits
from upcard.solve.suits import KnownSuits, suit_gains

_LEAST_KEPT = 0.2
"""What must be left of the full shoe for its shape to be used: of fewer cards there are so many
fewer hands that it is quicker to find these.
"""


class Values(NamedTuple):
    """What actions are worth, after the check or before it."""

    actions: dict[Action, float]
    before_check: bool


class OneHand(BaseGame):
    """A game from a hand on: its state is `root`, its node is 0.

    `held` are all cards that it took from the shoe, those traded away too. A hand of a split is in
    the `contexts` of one, at its `place` in the box: hands before it are over, those behind it wait
    with one card each, and the cards of all are out of the shoe. `markers` says of these whether
    they have the house's marker; it is needed where the house stakes only some of a pair's splits.

    In CDZ- split hands are played like hands that were never split, which begin at the first card:
    there the graph begins before the deal, and has all of them.
    """

    def __init__(
        self,
        tables: GameTables,
        held: Sequence[int],
        root: int,
        up: int,
        *,
        mode: Mode = "CDP",
        removed: Sequence[int] = (),
        counts: Sequence[int] | None = None,
        endless: bool = False,
        contexts: tuple[int, ...] | None = None,
        place: int = 0,
        markers: tuple[bool, ...] | None = None,
    ) -> None:
        self.mode = mode
        self.held = held
        self.state = root
        self.above = up
        self.place = place
        self._met: dict[int, ShoesMet | ShapedShoes] = {}
        self.markers = markers
        self._alike: dict[tuple[int, int, int], tuple[bool, Roles]] = {}
        self.shapes: list[SplitShape] = []
        """The shapes of its splits that are kept."""
        splits = mode != "none" and bool(shoeless(tables).pairs_ahead(root))
        whole = mode == "CDZ-" and splits
        super().__init__(
            tables,
            removed=removed,
            counts=counts,
            endless=endless,
            root=None if whole else root,
            held=() if whole or endless else held,
            up=up,
            contexts=contexts,
        )

    @cached_property
    def node(self) -> int:
        """The hand's own node."""
        if self.root is not None:
            return 0
        same = self.graph.state == self.state
        if self.step:
            held = np.bincount(self.held, minlength=len(self.counts))
            same &= (self.graph.taken == held).all(axis=1)
        return int(same.argmax())

    def _dealt_nodes(self) -> list[int]:
        return [self.node]

    def pay(self, aim: Aim) -> Roles:
        """What the hand's results pay; a wager on the box's first hand is for that one alone."""
        return self._own_roles(super().pay(aim))

    def final_roles(self, bet: int) -> Roles:
        return self._own_roles(super().final_roles(bet))

    def _own_roles(self, roles: Roles) -> Roles:
        if self.tables.contexts.contexts[self.contexts[0]].marker:
            assert roles.marker is not None
            return roles._replace(first=roles.marker)
        return Roles(roles.other, roles.other, roles.marker) if self.place else roles

    @property
    def may_split(self) -> bool:
        """Whether the rules let the hand split, now or after trades."""
        legal = self.tables.legal.mask[self.graph.state, self.contexts[0], self.above]
        return bool((legal & self.known.splitting).any())

    def _pairs(self, counts: Ints) -> Iterator[PairPlan]:
        """Pairs ahead; before those that trades made, the ones that they are played like."""
        if self.mode == "none":
            return
        ahead = self.known.pairs_ahead(self.state)
        before: set[int] = set()
        for plan in super()._pairs(counts):
            if plan.pair not in ahead:
                continue
            traded = self.by_trade and self.graph.lit[plan.node] > 0
            if not traded or self.root is None:
                yield plan
                continue
            like = NONE - 1 - plan.pair
            if plan.pair not in before:
                before.add(plan.pair)
                cards = self._untraded(plan.pair, counts)
                marked = self._most_marked(plan.graph, cards, max(plan.most_hands.values()), 0)
                yield replace(plan, node=like, like=like, taken=cards, most_marked=marked, shoes={})
            yield replace(plan, like=like, shoes={})

    def _wanted_at_once(self) -> Sequence[PairPlan]:
        """None: where a play is known, only the shoes that it meets are needed."""
        return ()

    def met_with(self, plan: PairPlan) -> ShoesMet | ShapedShoes:
        """One for every pair: few shoes are common to two of them, and few are found sooner."""
        found = self._met.get(plan.pair)
        if found is None:
            shape = self._shape_of(plan.graph)
            if shape is not None:
                found = self._shaped_shoes(shape, plan.pair)
            else:
                found = self._no_shoes_met()
                if found.parted is not None:
                    found.parted.forget_small_cards()
            self._met[plan.pair] = found
        return found

    def _shaped_shoes(self, shape: SplitShape, pair: int) -> ShapedShoes:
        """The shoes of a split whose shape is kept, for all that plans of the pair may ask for."""
        up = self.dealer.group_of[self.above]
        plans = [plan for plan in self.pairs if plan.pair == pair]
        each = np.eye(len(self.counts), dtype=np.int64)
        taken = each[[pair, pair if self.marked is None else self.marked]]
        further = {
            (max(plan.most_hands.values()), plan.most_marked): [*self._further_pairs(plan)]
            for plan in plans
        }
        sides = [
            plan.taken + further[max(plan.most_hands.values()), plan.most_marked] @ taken
            for plan in plans
        ]
        terms = self.known.dealer_terms(up)
        return ShapedShoes(shape, self.dealer, terms, up, self.counts, pair, np.concatenate(sides))

    def _shape_of(self, graph: HandGraph) -> SplitShape | None:
        return next((shape for shape in self.shapes if shape.graph is graph), None)

    def _split_graph(self, root: int, contexts: tuple[int, ...], counts: Ints) -> HandGraph:
        """The graph of the shape that is kept, where one is: where trades may still make pairs, as
        one hand can then become any of them. For one pair it is hardly worth it.
        """
        shape = self._kept_shape(root, contexts) if self._keeps_shapes else None
        if shape is None:
            return super()._split_graph(root, contexts, counts)
        self.shapes.append(shape)
        return shape.graph

    def _kept_shape(self, root: int, contexts: tuple[int, ...]) -> SplitShape | None:
        """The shape from a state on; none for a shoe that may run out, all that is gone counted."""
        full = np.array(self.tables.alphabet.counts, dtype=np.int64)
        busts = self.known.busts_matter(self.up)
        shape = self.known.split_shapes.get(
            (root, contexts, busts),
            lambda: self._graph(root, contexts, MOST_TRADES_SPLIT, full),
        )
        hands = max(context.hands for context in self.tables.contexts.contexts)
        besides = 2 + splitting.removable(hands) + MOST_TRADES_SPLIT
        fewest = int(self.counts.sum()) - shape.most_cards - besides
        return shape if fewest >= self.dealer.full_tree_longest else None

    @cached_property
    def _keeps_shapes(self) -> bool:
        """Whether the shapes of splits are kept, where the shoe is large enough."""
        dealer, full = self.dealer, np.array(self.tables.alphabet.counts)
        return (
            self.by_trade
            and bool(self.tables.hands.pending[self.state] > 0)
            and self.step != 0
            and self.root is not None
            and self.mode != "CDZ-"
            and dealer.high_cut <= MOST_SMALL_GROUPS
            and dealer.takes_apart(dealer.group_of[self.above])
            and bool((self._before <= full).all())
            and bool(self.counts.sum() >= _LEAST_KEPT * full.sum())
        )

    def _no_shoes_met(self) -> ShoesMet:
        return ShoesMet(*self._layout)

    @cached_property
    def _layout(self) -> tuple[ShoeKeys, PartedShoes | None]:
        """Keys, and what the dealer's hands make of parts of shoes: the same for all pairs."""
        keys = self._shoe_keys(self.pairs)
        parts = self.step and keys.up is not None and self.dealer.takes_apart(keys.up)
        return keys, PartedShoes(keys) if parts else None

    def _doubled(self, graph: HandGraph, rules: HandRules) -> Ints:
        """Only what hands can come to; the one that is asked about may have been doubled.

        In CDZ- every hand may be asked what it would do.
        """
        if self.mode == "CDZ-":
            return super()._doubled(graph, rules)
        kept = self._shape_of(graph)
        if kept is not None and self.above in kept.doubled:
            return kept.doubled[self.above]
        found = np.zeros(len(graph), dtype=np.int64)
        if graph is self.graph:
            found[[0, self.node]] = (1 << rules.mask.shape[1]) - 1
        mark_doubled(graph.order, graph.child, graph.moved, graph.state, rules, found)
        if kept is not None:
            kept.doubled[self.above] = found
        return found

    def _exchanged(self, graph: HandGraph) -> Ints:
        kept = self._shape_of(graph)
        if kept is None:
            return super()._exchanged(graph)
        if kept.exchanged is None:
            kept.exchanged = super()._exchanged(graph)
        return kept.exchanged

    def alike(self, roles: Roles, up: int) -> bool:
        """Asked for every pair: it is kept, with the roles, so that no other ones come in their
        place.
        """
        key = id(roles.first), id(roles.other), id(roles.further)
        if key not in self._alike:
            self._alike[key] = super().alike(roles, up), roles
        return self._alike[key][0]

    def _untraded(self, pair: int, counts: Ints) -> Ints:
        """The cards of a pair without trades, less those held: the first that the shoe can give."""
        plain = self.tables.alphabet.plain
        alike = [symbol for symbol in range(len(plain)) if plain[symbol] == pair]
        alike.sort(key=lambda symbol: (symbol != pair, symbol))
        held = np.bincount(self.held, minlength=len(plain))
        if self.step == 0:
            return np.zeros_like(held)
        for number, one in enumerate(alike):
            for two in alike[number:]:
                cards = np.bincount([one, two], minlength=len(plain))
                if (counts >= cards).all():
                    return cards - held
        raise AssertionError("a pair that trades made has its cards from the shoe")

    def values(
        self,
        aim: Aim,
        *,
        doubles: int = 0,
        checked: bool = False,
        suits: KnownSuits | None = None,
    ) -> Values:
        """What every action of the hand is worth, doubled so often; with its `suits` where they
        are known, otherwise on average over them.

        Unless the dealer has `checked`, these are its first cards, and what is decided before the
        check is priced with it.
        """
        up, roles = self.above, self.pay(aim)
        node, graph = self.node, self.graph
        pay = self.unsplit_pay(up, aim, roles)[0]
        played = self.play(up, aim, roles, self.split_worths(aim, roles, suits), node + 1)
        self._check_cards(up, played, doubles)
        worth = played.worth[doubles, node]
        gains = suit_gains(self, node, up, aim, suits, doubles=doubles) if suits else {}
        actions = {
            action: float(worth[action]) + gains.get(action, 0.0)
            for action in Action
            if worth[action] != NEVER
        }
        if checked:
            return Values(actions, before_check=False)
        moving = [a for a in self.moving if graph.moved[a, node] != NONE]
        ending = int(self.known.early_ends(up)[graph.state[node]])
        if not ending and not (self.trades_first and moving):
            return Values(actions, before_check=False)
        early = self.before_check(up, aim, roles, played.value)
        if self.trades_first and moving:
            return Values(
                {
                    action: float(early.value[graph.moved[action, node]])
                    + (aim.lights[0] if self.rows.lights[action] else 0.0)
                    for action in moving
                },
                before_check=True,
            )
        natural = float(early.natural[node])
        lost = self._lost_to_natural(node, aim, pay, suits)
        actions = {a: natural * lost + (1 - natural) * v for a, v in actions.items()}
        facing = self.facing(up, self.shoes)
        dealer = facing.dealer[self.shoes.dealer_of[node]]
        for action in Action:
            if ending & action.bit:
                final = int(self.known.ends_early_as[action])
                actions[action] = ended_early(final, dealer, facing, pay, natural)
        return Values(actions, before_check=True)

    def _lost_to_natural(self, node: int, aim: Aim, pay: Floats, suits: KnownSuits | None) -> float:
        """What the hand comes to against a dealer's natural, or on average over its suits."""
        ends_as = int(self.settled_class[self.graph.state[node]])
        bonuses = self.tables.bonuses
        if suits is not None and bonuses is not None:
            pay, ends_as = self.suited_pay(self.above, aim)[0], bonuses.final(ends_as, suits.own, 0)
        return float(pay[ends_as, self.dealer.natural_class])

    def split_worths(
        self, aim: Aim, roles: Roles, suits: KnownSuits | None = None
    ) -> dict[int, float]:
        """What every pair ahead is worth split; the hand itself with its `suits`, if known."""
        up, mode = self.above, self.mode
        plans = {plan.node: plan for plan in self.pairs if self._may_come(plan)}
        scores = self.play(up, aim, roles, {}).worth if mode == "CDZ-" and plans else None
        # Pair by pair, so that the processor has their shoes at hand.
        by_pair = sorted(plans.values(), key=lambda plan: plan.pair)
        # Hands that the house staked before others have no suits of their own in this.
        alone = not any(plan.free_times for plan in plans.values())
        known_suits = self._split_suits(aim, roles, suits, scores) if suits and alone else None
        found: dict[int, float] = {}
        for _, alike in groupby(by_pair, key=lambda plan: plan.pair):
            known: dict[int, dict[int, tuple[Bytes, ...]]] = {}
            both = [*alike]
            own = [plan for plan in both if plan.node >= 0]
            asked, starts = [], [*self._starts(both[0])]
            for plan in own:
                like = plans.get(plan.like, plan)
                choices = known.setdefault(like.node, {})
                played = self.all_choices(
                    plan, up, aim, roles, mode, scores, choices, plan.twin, like
                )
                choices.update(played)
                own_suits = known_suits if plan.node == self.node else None
                asked += [
                    Asked(
                        plan,
                        played,
                        start,
                        own_suits and own_suits.first_cards(start.hands - start.hand),
                    )
                    for start in starts
                ]
            paid = roles.of_split(both[0])
            worths = iter(PairWorths(self, up, aim, paid, mode, known_suits).of(asked))
            for plan in own:
                split, *unsplit = islice(worths, len(starts))
                found[plan.node] = split - sum(unsplit)
            self._forget_shoes(both)
        _, parted = self._layout
        if parted is not None:
            parted.give_room_back()
        return found

    def _split_suits(
        self, aim: Aim, roles: Roles, known: KnownSuits, scores: Floats | None
    ) -> SplitSuits | None:
        """What is known of the suits in the box if the hand is split, where bonuses go by them."""
        bonuses = self.tables.bonuses
        own = next((plan for plan in self.pairs if plan.node == self.node), None)
        if own is None or bonuses is None or not bonuses.depends_on_suits:
            return None
        rated: tuple[Floats, ...] = ()
        if scores is not None:
            others = self.marker_worths(self.above, aim, roles) if own.free else scores
            rated = scores, others
        pay = self.final_roles(aim.bet).of_split(own)
        return SplitSuits((*known.cards, *known.waiting), known.beside, pay, rated)

    def _forget_shoes(self, plans: Sequence[PairPlan]) -> None:
        """Leave the room of a pair's shoes to those of the next one: new room takes time."""
        for plan in plans:
            met = self._met.pop(plan.pair, None)
            if isinstance(met, ShapedShoes):
                met.give_room_back()
            plan.shoes.clear()

    def _starts(self, plan: PairPlan) -> Iterator[BoxStart]:
        """The box if the hand is split and, where hands wait behind it, those if it is not.

        A split takes a place of the box from the hands that wait, so it is worth what the whole box
        has with it, less what they have without it.
        """
        hands = self.tables.contexts.contexts[self.contexts[0]].hands
        own: tuple[int, ...] = ()
        behind: tuple[int, ...] = ()
        if plan.free_times and hands > 1:
            behind = self._roles_behind(plan, hands)
            own = (self._own_role, role_of_new(hands, plan.free_times), *behind)
        yield BoxStart(self.place, hands + 1, own)
        if self.place + 1 < hands:
            yield BoxStart(self.place + 1, hands, behind)

    @property
    def _own_role(self) -> int:
        """The hand's role where the house stakes only some of the others."""
        marker = self.tables.contexts.contexts[self.contexts[0]].marker
        return OTHER if marker else FURTHER if self.place else FIRST

    def _roles_behind(self, plan: PairPlan, hands: int) -> tuple[int, ...]:
        """The roles of the hands that wait behind this one."""
        if self.markers is not None:
            return tuple(OTHER if marker else FURTHER for marker in self.markers)
        if not self.place:  # it made all of them, the last one first
            return tuple(role_of_new(before, plan.free_times) for before in range(1, hands))[::-1]
        if self.place + 1 == hands:
            return ()
        raise UpcardError(
            "a pair in the middle of a split is not priced without word which of the hands that "
            "wait are the house's"
        )

    @property
    def natural(self) -> float:
        """The chance that a down card makes a natural, seen before any check."""
        left = self.counts - self.graph.taken[self.node]
        up, second = self.shown.up[self.above], self.shown.down[self.above]
        left[up] -= 1
        naturals = float(left[self.tables.dealer.natural[up] & second].sum())
        cards = float(left[second].sum())
        return natural_chance(naturals, cards, self.tables.dealer.looks, self.step)

    def _may_come(self, plan: PairPlan) -> bool:
        return self.above in plan.most_hands and self.is_possible(plan, self.above)

    def _check_cards(self, up: int, played: SolvedHands, doubles: int) -> None:
        """Refuse a hand that the shoe may not last for."""
        longest = int(self.graph.taken[self.graph.order[-1]].sum()) + self.dealer.full_tree_longest
        if self.step == 0 or self.counts.sum() > longest:
            return
        reach = np.zeros(played.choice.shape)
        reach[doubles, self.node] = 1.0
        ends = self.forward(self.graph, self.shoes, up, played.choice, reach)
        at_splits = self.rows.splits[played.choice[0]]
        self.check_all_end(float(ends.hands.sum() + reach[0, at_splits].sum()))
