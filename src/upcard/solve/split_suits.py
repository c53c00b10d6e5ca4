"""What the suits of a pair add to its split, where a bonus goes by them.

A split is solved by ranks (`split`): its hands are paid the mean over suits, and none looks at its
own. Here every hand of the box that begins with a card of a known suit is paid by suits, and so are
the hands that further pairs make, whose first card is any card of the pair that was not seen.

Nothing else changes: which cards a hand sees of the others, the weights of its kinds and what it
does with three cards and more stay what they are. Of the cards of a rank that nobody has seen each
is as likely as the others to come, whatever other hands do. So a kind of hand, of which it is known
which cards are gone, is worth what it is by ranks, and for every second card t of a rank and a suit

    p(t) (worth(a) + gain(a) - worth(b))

more. p(t) is the chance of t; b is what the hand does by ranks, a what it does by suits. gain(x) is
what x pays more with these suits than on average: of an action that ends the hand as a named one,
the pay of its suits less their mean; of one that brings a card, that difference for every card that
makes a named hand which is over, times the card's chance, over the suits which that one may have.
Suits are known of the first cards of the box, the up card, and other cards that were seen; a card
that made a further pair is as good as one still in the shoe.

Two-card hands alone are played by suits, for a named hand of three cards lacks one card then; of
longer named hands the mean is paid. In
CDP and CDP+ a is the best of worth(a) + gain(a) when exactly the pair cards of the other hands are
gone, as b is of worth(b): what a hand of the split would be told to do that saw of the others only
how many pairs there are, and of the suits of those that wait only those that it began with. In CDZ-
it is what the same two cards of the same suits do without a split, the other card of the pair being
in the shoe. Pairs are split again where that is best by all of this together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from upcard.cards import SUITS, Card
from upcard.compile.bonuses import BonusTable, suit_bit
from upcard.compile.context import Action
from upcard.compile.effects import BY_CARDS, GOES_ON
from upcard.compile.hands import NONE
from upcard.solve.base_game import BaseGame
from upcard.solve.followed_hands import Lanes
from upcard.solve.play import EQUAL, NEVER, SETTLED, Facing, HandRules, draw_chances
from upcard.solve.solution import Aim, Bytes, Floats, Ints, PairPlan, Roles
from upcard.solve.suits import KnownSuits, suit_gains

FirstCards = tuple[Card | None, ...]
"""The first cards of hands, None where the suit is not known."""


class SplitSuits(NamedTuple):
    """What is known of the suits in a box.

    `cards` are the first cards of its hands in the order of play, the one that is asked about being
    split: its own two, and those that wait. `beside` are other cards whose suits are known. `pay`
    are results of which suits are known, as `Roles` are by ranks. For CDZ-, `scores[role]` is what
    every action is worth without a split.
    """

    cards: FirstCards
    beside: tuple[Card, ...]
    pay: Roles
    scores: tuple[Floats, ...] = ()

    def first_cards(self, hands: int) -> FirstCards:
        """Those of the last so many hands of the box."""
        known = self.cards[-hands:] if hands else ()
        return (*known, *(None,) * (hands - len(known)))

    @property
    def seen(self) -> tuple[Card, ...]:
        """All cards whose suits are known."""
        return (*(card for card in self.cards if card is not None), *self.beside)


class Followed(NamedTuple):
    """Hands of a split that were followed, each a lane.

    `value[node, doubles, lane]` is what they are worth by ranks, at every node that they can come
    to by ranks or by suits. What a lane does with two cards is decided by the lane `decided_by`.
    Where hands end, `ends[node]` is the number of the node, `dealer_of[side, number]` that of the
    dealer's chances; `pairs[group]` are the nodes that are pairs, by lanes' `pairs`.
    """

    lanes: Lanes
    decided_by: Ints
    value: Floats
    ends: Ints
    dealer_of: Ints
    pairs: Sequence[Sequence[int]]
    lights: Floats


class Second(NamedTuple):
    """A second card with which suits matter: its symbol, and the hand's node."""

    symbol: int
    node: int


class Finished(NamedTuple):
    """An action that ends a hand as a named one, by the card of a symbol if it brings one.

    It then has so many `doubles`; `node` is where it ends.
    """

    action: int
    symbol: int
    node: int
    doubles: int
    ends_as: int


@dataclass(frozen=True)
class SuitedHands:
    """Two-card hands of a pair's splits of which suits may be looked at, against one up card."""

    game: BaseGame
    plan: PairPlan
    up: int
    aim: Aim
    suits: SplitSuits
    rules: HandRules
    roles: Roles

    @cached_property
    def bonuses(self) -> BonusTable:
        """What suits make of hands."""
        bonuses = self.game.tables.bonuses
        assert bonuses is not None
        return bonuses

    @cached_property
    def seconds(self) -> Mapping[Second, Sequence[Finished]]:
        """Second cards that may leave a named hand to come, and how it comes."""
        children = self.plan.graph.child[0].tolist()
        each = (Second(symbol, node) for symbol, node in enumerate(children) if node >= 0)
        found = {second: [*self._finished(second.node)] for second in each}
        return {second: ends for second, ends in found.items() if ends}

    def actions(self, node: int) -> list[int]:
        """What a hand may do at a node; it is not split."""
        mask = int(self.rules.mask[self.plan.graph.state[node], 0])
        return [action for action in self.rules.rows.used.tolist() if mask >> action & 1]

    def _finished(self, node: int) -> Iterator[Finished]:
        graph, rows, suited = self.plan.graph, self.rules.rows, self.bonuses.suited
        own = int(self.rules.player_class[graph.state[node]])
        after = [
            (symbol, child, int(self.rules.player_class[graph.state[child]]))
            for symbol, child in enumerate(graph.child[node].tolist())
            if child >= 0
        ]
        named = [one for one in after if one[-1] in suited]
        if own not in suited and not named:
            return
        for action in self.actions(node):
            often = int(rows.raises[action])
            if rows.ends_as[action] == BY_CARDS and own in suited:
                yield Finished(action, NONE, node, 0, own)
            if rows.draws[action] and often < len(self.plan.contexts):
                for symbol, child, ends_as in named:
                    if self._is_over(child, often):
                        yield Finished(action, symbol, child, often, ends_as)

    def _is_over(self, node: int, doubles: int) -> bool:
        mask = int(self.rules.mask[self.plan.graph.state[node], doubles])
        ends_as = self.rules.rows.ends_as
        return all(ends_as[action] == BY_CARDS for action in Action if mask & action.bit)

    def further(self, choices: Sequence[Bytes]) -> Iterator[Bytes]:
        """Choices that lead wherever a look at suits may lead, besides those of some choices."""
        own = {second.node: self.actions(second.node) for second in self.seconds}
        for number in range(max(map(len, own.values()), default=0)):
            for choice in choices:
                varied = choice.copy()
                for node, actions in own.items():
                    varied[0, node] = actions[min(number, len(actions) - 1)]
                yield varied

    def added(
        self, facing: Facing, followed: Followed, firsts: Sequence[FirstCards]
    ) -> dict[Card | None, Floats]:
        """`[lane, paired]`: what suits add to hands, by their first cards."""
        hands = [TwoCards(self, facing, followed, second) for second in self.seconds]
        found: dict[Card | None, Floats] = {}
        for first in {card for cards in firsts for card in (*cards, None)}:
            found[first] = np.zeros((len(followed.lanes.way), 2))
            if first is not None:
                begun = [(first, 1.0, self.named)]
            else:
                chances = self.next_card(self.plan.pair, self.named)
                begun = [(card, likely, (*self.named, card)) for card, likely in chances.items()]
            for card, likely, seen in begun:
                for one in hands:
                    one.add(card, likely, seen, found[first])
        return found

    @cached_property
    def named(self) -> tuple[Card, ...]:
        """Cards whose suits are known, of ranks that named hands ask for."""
        wanted = {rank for named in self.bonuses.suited.values() for rank in named}
        symbols = self.game.tables.alphabet.symbols
        ranks = {rank for one in symbols if wanted & {*one.ranks} for rank in one.ranks}
        return tuple(card for card in self.suits.seen if card.rank in ranks)

    @property
    def decks(self) -> int:
        """Decks in the shoe, none if it has no end."""
        return self.game.tables.alphabet.decks if self.game.step else 0

    def next_card(self, symbol: int, seen: tuple[Card, ...]) -> dict[Card, float]:
        """The suits that a card may have, with their chances."""
        ranks = self.game.tables.alphabet.symbols[symbol].ranks
        cards = {suit_bit(card): card for card in (Card(ranks[0] + suit) for suit in SUITS)}
        chances = KnownSuits(0, seen).after(ranks, self.decks)
        return {cards[bit]: likely for bit, likely in chances.items() if likely}


class TwoCards:
    """Hands with one second card, in all lanes."""

    def __init__(self, by: SuitedHands, facing: Facing, followed: Followed, second: Second) -> None:
        self.by = by
        self.facing = facing
        self.followed = followed
        self.second = second
        lanes = followed.lanes
        self.actions = by.actions(second.node)
        self.likely = self._next(0)[second.symbol]
        self.drawn = self._next(second.node)
        self.worth = np.array([self._worth(action) for action in self.actions])
        nodes = [second.node in followed.pairs[group] for group in lanes.pairs.tolist()]
        self.paired = np.array(nodes, dtype=np.int64)
        finished = by.seconds[second]
        self.paid = [self._paid(one) for one in finished]
        """`[final class, lane]`, times the chance of the card that is still to come."""
        mix = by.bonuses.mix(len(by.plan.contexts), endless=by.game.step == 0)
        self.mean = [
            mix[one.doubles, one.ends_as] @ paid
            for one, paid in zip(finished, self.paid, strict=True)
        ]

    def _next(self, node: int) -> Floats:
        """`[symbol, lane]`: the chances of the next card at a node."""
        shoe, facing = self.followed.lanes.shoe, self.facing
        found = np.empty(shoe.shape)
        chances = np.empty(len(shoe))
        taken = self.by.plan.graph.taken[node]
        for lane in range(shoe.shape[1]):
            own = np.ascontiguousarray(shoe[:, lane])
            hidden, looks, step = facing.hidden, facing.looks, facing.step
            draw_chances(own, taken, facing.up, hidden, looks, step, chances)
            found[:, lane] = chances
        return found

    def _worth(self, action: int) -> Floats:
        """What an action is worth by ranks, lane by lane."""
        by, value = self.by, self.followed.value
        graph, rows, node = by.plan.graph, by.rules.rows, self.second.node
        to = int(rows.raises[action])
        if to >= value.shape[1]:
            return np.full(value.shape[2], NEVER)
        lights = self.followed.lights
        light = lights[min(int(graph.lit[node]), len(lights) - 1)]
        final = int(rows.ends_as[action])
        if rows.draws[action]:
            found = np.zeros(value.shape[2])
            for symbol, after in enumerate(graph.child[node].tolist()):
                if after >= 0:
                    found += self.drawn[symbol] * value[after, to]
                elif after != NONE:
                    over = by.roles.by_role[:, to, by.rules.bust_class, self.facing.any_class]
                    found += self.drawn[symbol] * (over[self.followed.lanes.role] + light)
            return found
        if final == GOES_ON:
            after = int(graph.moved[action, node])
            return value[after, to] if after >= 0 else np.full(value.shape[2], NEVER)
        if final == BY_CARDS:
            final = int(by.rules.player_class[graph.state[node]])
        return np.asarray(self._against(by.roles, 0, node)[final] + light)

    def _against(self, roles: Roles, doubles: int, node: int) -> Floats:
        """`[final class, lane]`: what a hand is paid that ends at a node, by what it ends as."""
        facing, lanes = self.facing, self.followed.lanes
        pay = roles.by_role[lanes.role, doubles]
        dealer = facing.dealer[self.followed.dealer_of[lanes.side, self.followed.ends[node]]]
        settled = (facing.settled == SETTLED)[None]
        found = np.where(settled, pay[..., facing.any_class], np.einsum("lfd,ld->lf", pay, dealer))
        return np.asarray(found.T)

    def _paid(self, one: Finished) -> Floats:
        paid = self._against(self.by.suits.pay, one.doubles, one.node)
        return paid if one.symbol == NONE else paid * self.drawn[one.symbol]

    def add(self, first: Card, likely: float, seen: tuple[Card, ...], found: Floats) -> None:
        """Add what suits add to hands with a first card, which is so likely; it is among those
        `seen`.
        """
        by, node = self.by, self.second.node
        lanes = np.arange(found.shape[0])
        plain = self.followed.value[node, 0]
        for card, chance in by.next_card(self.second.symbol, seen).items():
            worth = self.worth + self._gains(KnownSuits.of((first, card), ()).own, (*seen, card))
            action = self.choice(worth, first, card)
            gained = worth[action, lanes] - plain
            found[lanes, self.paired] += likely * chance * self.likely * gained

    def _gains(self, own: int, seen: tuple[Card, ...]) -> Floats:
        """`[action, lane]`: what actions pay more with these suits than on average."""
        by, bonuses = self.by, self.by.bonuses
        found = np.zeros_like(self.worth)
        for number, one in enumerate(by.seconds[self.second]):
            suits = {own: 1.0}
            if one.symbol != NONE:
                ranks = by.game.tables.alphabet.symbols[one.symbol].ranks
                suits = KnownSuits(own, seen).after(ranks, by.decks)
            paid = sum(
                share * self.paid[number][bonuses.final(one.ends_as, held, one.doubles)]
                for held, share in suits.items()
            )
            found[self.actions.index(one.action)] += paid - self.mean[number]
        return found

    def choice(self, worth: Floats, first: Card, second: Card) -> Ints:
        """What is done with these cards, lane by lane: the first of equally good actions."""
        if self.by.suits.scores:
            return self._unsplit_choice(first, second)[self.followed.lanes.role]
        rated = worth[:, self.followed.decided_by]
        return np.asarray((rated > rated.max(axis=0) - EQUAL).argmax(axis=0))

    def _unsplit_choice(self, first: Card, second: Card) -> Ints:
        """What is done with these cards without a split, by roles."""
        by = self.by
        twin = int(by.plan.twin[self.second.node])
        known = KnownSuits.of((first, second), by.suits.beside)
        gains = suit_gains(by.game, twin, by.up, by.aim, known)
        gained = np.array([gains.get(Action(action), 0.0) for action in self.actions])
        rated = np.array([scores[0, twin, self.actions] + gained for scores in by.suits.scores])
        best = rated.max(axis=1, keepdims=True)
        return np.asarray((rated > best - EQUAL).argmax(axis=1))
