"""What a player gains by looking at the suits of the first cards, where a bonus goes by them.

The best play of a game goes by ranks: a hand that may become a suited bonus is played alike in all
suits, and is paid the mean over them. Here the suits of the first two cards and of the up card are
seen too. A third card that completes a named hand then pays what its suit makes of it, so a hit is
worth more with some suits and less with others, and another action may be best.

Hands that lack more than one card, and hands after a split, are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from upcard.cards import SUITS
from upcard.compile.bonuses import suit_chance, suits_of
from upcard.compile.context import Action
from upcard.compile.hands import FIRST_CARDS
from upcard.solve.base_game import BaseGame
from upcard.solve.play import NEVER, SETTLED, draw_chances
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


class _Completing:
    """What the card that completes a named hand is worth, by the suits of the first cards."""

    def __init__(self, game: BaseGame, up: int, aim: Aim, named: Lacking) -> None:
        bonuses = game.tables.bonuses
        assert bonuses is not None
        self.refined = bonuses.refined[named.ends_as]
        self.last = game.tables.alphabet.symbols[named.last].ranks
        facing = game.facing(up, game.shoes)
        chances = np.empty(len(game.counts))
        taken = game.graph.taken[named.node]
        draw_chances(facing.shoe, taken, up, facing.hidden, facing.looks, facing.step, chances)
        self.chance = float(chances[named.last])
        pay = game.final_pay(aim.bet)[0]
        prizes = game.prize_pay(up, aim)
        if prizes is not None:
            pay = pay + prizes[0]
        self.pays: Floats = np.array(
            [
                row[facing.any_class]
                if facing.settled[number] == SETTLED
                else row @ facing.dealer[game.shoes.dealer_of[named.child]]
                for number, row in enumerate(pay)
            ]
        )
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
