"""What a player gains by looking at the suits of the first cards, where a bonus goes by them.

The best play of a game goes by ranks: a hand that may become a suited bonus is played alike in all
suits, and is paid the mean over them. Here the suits of the first two cards and of the up card are
seen too. A third card that completes a named hand then pays what its suit makes of it, so a hit is
worth more with some suits and less with others, and another action may be best.

Hands that lack more than one card are left as they are. So are hands after a split in the solution
of a game; what the suits of one pair add to its split is in `split_suits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from upcard.cards import SUITS, Card
from upcard.compile.bonuses import suit_bit, suit_chance, suits_of
from upcard.compile.context import Action
from upcard.compile.effects import BY_CARDS
from upcard.compile.hands import FIRST_CARDS
from upcard.solve.base_game import BaseGame
from upcard.solve.play import NEVER, SETTLED, Facing, draw_chances
from upcard.solve.solution import Aim, Floats, Solution, UpCard


class Lacking(NamedTuple):
    """First cards that lack one card of a named hand: their symbols, their node, the class."""

    cards: tuple[int, int]
    node: int
    last: int
    child: int
    ends_as: int


def suits_gain(game: BaseGame, solution: Solution) -> float:
    """What looking at suits adds to a solution of a full shoe, in base units."""
    bonuses = game.tables.bonuses
    if bonuses is None or not bonuses.suited or solution.play != "optimal":
        return 0.0
    return sum(
        up.chance * float(up.reach[0, node]) * gained
        for up in solution.ups.values()
        for node, gained in gains(game, up, solution.aim)
    )


def gains(game: BaseGame, up: UpCard, aim: Aim) -> Iterator[tuple[int, float]]:
    """First hands against an up card, and what their suits add to what they are worth."""
    nodes: dict[int, list[Lacking]] = {}
    for found in _lacking(game):
        nodes.setdefault(found.node, []).append(found)
    for node, named in nodes.items():
        if up.reach[0, node] > 0:
            yield node, _gain(game, up, aim, named)


def _lacking(game: BaseGame) -> Iterator[Lacking]:
    bonuses, alphabet = game.tables.bonuses, game.tables.alphabet
    assert bonuses is not None
    name = {rank: number for number, s in enumerate(alphabet.symbols) for rank in s.ranks}
    for ends_as, ranks in bonuses.suited.items():
        if len(ranks) != FIRST_CARDS + 1:
            continue
        for last in sorted(set(ranks)):
            held = list(ranks)
            held.remove(last)
            one, two = sorted(name[rank] for rank in held)
            node = game.graph.find(one, two)
            child = int(game.graph.child[node, name[last]]) if node >= 0 else -1
            if child >= 0:
                yield Lacking((one, two), node, name[last], child, ends_as)


def _gain(game: BaseGame, up: UpCard, aim: Aim, named: list[Lacking]) -> float:
    """The mean of the best actions, suit by suit, less the best action for all suits."""
    effects = game.tables.effects
    worth = up.worth[0, named[0].node].copy()
    if named[0].node in up.splits:
        worth[effects.splits] = up.splits[named[0].node].worth
    hits = [a for a in Action if effects.draws[a] and not effects.raises[a] and worth[a] > NEVER]
    if not hits:
        return 0.0
    decks = game.tables.alphabet.decks if game.step else 0
    symbols = game.tables.alphabet.symbols
    seen = [symbols[symbol].ranks for symbol in (*named[0].cards, up.up)]
    completing = [_Completing(game, up.up, aim, one) for one in named]
    total = 0.0
    for suits, chance in suits_of(seen, decks):
        own = worth.copy()
        own[hits] += sum(one.gain(seen, suits, decks) for one in completing)
        total += float(chance) * float(own.max())
    return total - float(worth.max())


def _paid(game: BaseGame, facing: Facing, pay: Floats, node: int) -> Floats:
    """What a hand is worth that ends at a node, by what it ends as."""
    return np.array(
        [
            row[facing.any_class]
            if facing.settled[number] == SETTLED
            else row @ facing.dealer[game.shoes.dealer_of[node]]
            for number, row in enumerate(pay)
        ]
    )


def _drawn(game: BaseGame, facing: Facing, node: int) -> Floats:
    """The chance of every symbol to come next to a hand."""
    chances, taken = np.empty(len(game.counts)), game.graph.taken[node]
    hidden, looks, step = facing.hidden, facing.looks, facing.step
    draw_chances(facing.shoe, taken, facing.up, hidden, looks, step, chances)
    return chances


def suit_gains(
    game: BaseGame, node: int, up: int, aim: Aim, held: KnownSuits, *, doubles: int = 0
) -> dict[Action, float]:
    """What a hand's actions are worth more by its suits than on average over all, after the check.

    Of every action that ends the hand by its cards, or brings a card that may end it. Hands that
    lack more than one card are left as they are, and a split is a matter of `split_suits`.
    """
    bonuses, hands, effects = game.tables.bonuses, game.tables.hands, game.tables.effects
    found: dict[Action, float] = {}
    if bonuses is None or not bonuses.suited:
        return found
    facing, pay = game.facing(up, game.shoes), game.suited_pay(up, aim)
    mix = bonuses.mix(len(pay), endless=game.step == 0)
    chances = _drawn(game, facing, node)
    decks = game.tables.alphabet.decks if game.step else 0
    classes = hands.player_class

    def gain(place: int, often: int, suits: Mapping[int, float]) -> float:
        """Of a hand that ends at a node, its suits being these with some chance each."""
        ends_as = int(classes[game.graph.state[place]])
        if ends_as not in bonuses.suited:
            return 0.0
        paid = _paid(game, facing, pay[often], place)
        finals = ((bonuses.final(ends_as, own, often), share) for own, share in suits.items())
        known = sum(share * paid[final] for final, share in finals)
        return float(known - mix[often, ends_as] @ paid)

    for action in Action:
        often = doubles + int(effects.raises[action])
        if often >= len(pay):
            continue
        if effects.ends_as[action] == BY_CARDS:
            found[action] = gain(node, often, {held.own: 1.0})
        elif effects.draws[action]:
            found[action] = 0.0
            for symbol, child in enumerate(game.graph.child[node].tolist()):
                if child >= 0 and chances[symbol] and _is_over(game, child, often, up):
                    suits = held.after(game.tables.alphabet.symbols[symbol].ranks, decks)
                    found[action] += float(chances[symbol]) * gain(child, often, suits)
    return found


def _is_over(game: BaseGame, node: int, doubles: int, up: int) -> bool:
    """Whether a hand at a node has nothing left to decide."""
    legal = int(game.tables.legal.mask[game.graph.state[node], game.contexts[doubles], up])
    ends_as = game.tables.effects.ends_as
    return all(ends_as[action] == BY_CARDS for action in Action if legal & action.bit)


class KnownSuits(NamedTuple):
    """The suits of a hand's own cards as a set, and all cards whose suits are known.

    Those are its own `cards`, those that hands behind it in the box are `waiting` with, and others.
    """

    own: int
    seen: tuple[Card, ...]
    cards: tuple[Card, ...] = ()
    waiting: tuple[Card, ...] = ()

    @classmethod
    def of(
        cls, own: Sequence[Card], others: Iterable[Card], waiting: Sequence[Card] = ()
    ) -> KnownSuits:
        """The suits of a hand's cards, and of others that were seen, those that wait among them."""
        bits = sum({suit_bit(card) for card in own})
        return cls(bits, (*own, *others), (*own,), (*waiting,))

    @property
    def beside(self) -> tuple[Card, ...]:
        """Cards whose suits are known that are neither the hand's nor first cards that wait."""
        left = Counter(self.seen[len(self.cards) :])
        left.subtract(self.waiting)
        return (*left.elements(),)

    def after(self, ranks: str, decks: int) -> dict[int, float]:
        """The suits of the hand with one more card of one of some ranks, with their chances; none
        if no such card can come.
        """
        gone = [SUITS.index(card.suit) for card in self.seen if card.rank in ranks]
        copies = decks * len(ranks)
        found: dict[int, float] = {}
        if decks and len(gone) >= copies * len(SUITS):
            return found
        for suit in range(len(SUITS)):
            own = self.own | 1 << suit
            found[own] = found.get(own, 0.0) + float(suit_chance(suit, gone, copies))
        return found


class _Completing:
    """What the card that completes a named hand is worth, by the suits of the first cards."""

    def __init__(self, game: BaseGame, up: int, aim: Aim, named: Lacking) -> None:
        bonuses = game.tables.bonuses
        assert bonuses is not None
        self.refined = bonuses.refined[named.ends_as]
        self.last = game.tables.alphabet.symbols[named.last].ranks
        facing = game.facing(up, game.shoes)
        self.chance = float(_drawn(game, facing, named.node)[named.last])
        self.pays = _paid(game, facing, game.suited_pay(up, aim)[0], named.child)
        shares = bonuses.shares if game.step else bonuses.endless_shares
        self.mean = float(shares[named.ends_as] @ self.pays)

    def gain(self, seen: list[str], suits: tuple[int, ...], decks: int) -> float:
        """What a hit gains by these suits, over the mean of all."""
        gone = [s for rank, s in zip(seen, suits, strict=True) if rank == self.last]
        mask = sum({1 << suit for suit in suits[:FIRST_CARDS]})
        then = sum(
            float(suit_chance(suit, gone, decks)) * self.pays[self.refined[mask | 1 << suit]]
            for suit in range(len(SUITS))
        )
        return self.chance * (float(then) - self.mean)
