"""A walk along the dealer's cards that ends at the row of a wager on the final hand.

States are what rows can tell of a hand so far, explored as the dealer's rules let hands arise. What
a hand is paid is asked of one hand that leads to its state.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import RANKS
from upcard.compile.arrays import frozen
from upcard.compile.card_observer import CardObserver
from upcard.compile.card_sets import CARDS
from upcard.compile.dealer_groups import DealerGroups
from upcard.compile.pay_rows import NO_ROW
from upcard.compile.tables import GameTables
from upcard.rules.card_conditions import Number, Span

KINDS = len(RANKS)


@dataclass(frozen=True)
class DealerWalk:
    """`next[state * 52 + card]` is the state after a card; `row[state, players]` is paid.

    `players` is what the player's first two cards are to the wager (see `HandRows`).
    """

    start: int
    next: npt.NDArray[np.int32]
    row: npt.NDArray[np.int16]


class _Place(NamedTuple):
    """What rows can tell of a hand, and where the dealer's rules have led it."""

    state: int
    size: int
    low: int
    has_ace: bool
    up: int
    last: int
    suits: frozenset[int]
    ranks: tuple[int, ...]


def dealer_walk(tables: GameTables, observer: CardObserver) -> DealerWalk:
    """The walk of a wager on the dealer's final hand."""
    return _Walker(tables, observer).build()


class _Walker:
    """Explores the dealer's hands."""

    def __init__(self, tables: GameTables, observer: CardObserver) -> None:
        self.dealer = tables.dealer
        self.observer = observer
        self.groups = DealerGroups(tables.dealer, tables.alphabet, observer.found)
        self.values = observer.found.counting.values
        conditions = observer.found.conditions
        lists = [c.ranks for c in conditions if c.ranks]
        sizes = [_largest(c.cards) for c in conditions if c.cards is not None]
        self.most_size = 1 + max([2, *sizes, *map(len, lists)])
        self.by_total = any(
            found is not None for c in conditions for found in (c.total, c.soft, c.bust)
        )
        ranks = {rank for found in self.groups.listed for rank in found}
        self.counted = [
            group
            for group, member in enumerate(self.groups.members)
            if RANKS[member] in ranks or self.groups.by_each_rank
        ]

    def build(self) -> DealerWalk:
        start = _Place(
            self.dealer.start, 0, 0, False, -1, -1, frozenset(), (0,) * len(self.counted)
        )
        known, places = {start: 0}, [start]
        hands: list[tuple[int, ...]] = [()]
        moves: list[list[int]] = []
        suits = range(4) if self.groups.by_suit else range(1)
        while len(moves) < len(places):
            place, hand = places[len(moves)], hands[len(moves)]
            row = [0] * CARDS
            if self.dealer.draws[place.state]:
                for group, rank in enumerate(self.groups.members):
                    for suit in suits:
                        card = suit * KINDS + rank
                        target = self._step(place, group, card)
                        if target not in known:
                            known[target] = len(places)
                            places.append(target)
                            hands.append((*hand, card))
                        for other in self._like(group, suit):
                            row[other] = known[target]
            moves.append(row)
        return DealerWalk(
            0,
            frozen(np.array(moves, dtype=np.int32).reshape(-1)),
            frozen(self._rows(places, hands)),
        )

    def _step(self, place: _Place, group: int, card: int) -> _Place:
        symbol = self.groups.symbols[group]
        ranks = list(place.ranks)
        if group in self.counted:
            ranks[self.counted.index(group)] += 1
        return _Place(
            state=int(self.dealer.next[place.state, symbol]),
            size=min(place.size + 1, self.most_size),
            low=place.low + int(self.values[card % KINDS]) if self.by_total else 0,
            has_ace=self.by_total and (place.has_ace or card % KINDS == 0),
            up=(group if place.size == 0 else place.up) if self.groups.by_up else -1,
            last=group if self.groups.by_last else -1,
            suits=place.suits | {card // KINDS} if self.groups.by_suit else frozenset(),
            ranks=tuple(ranks),
        )

    def _like(self, group: int, suit: int) -> list[int]:
        """The cards that a group stands for, of one suit if suits matter."""
        ranks = [rank for rank, found in enumerate(self.groups.group_of) if found == group]
        suits = (suit,) if self.groups.by_suit else range(4)
        return [one * KINDS + rank for one in suits for rank in ranks]

    def _rows(self, places: list[_Place], hands: list[tuple[int, ...]]) -> npt.NDArray[np.int16]:
        rows = self.observer.hands
        found = np.full((len(places), len(rows.allows)), NO_ROW, dtype=np.int16)
        by_size: defaultdict[int, list[int]] = defaultdict(list)
        for number, (place, hand) in enumerate(zip(places, hands, strict=True)):
            if not self.dealer.draws[place.state]:
                by_size[len(hand)].append(number)
        for numbers in by_size.values():
            cards = np.array([hands[number] for number in numbers], dtype=np.int64)
            found[numbers] = rows.rows(cards)
        return found


def _largest(number: Number) -> int:
    """The largest number that a condition names."""
    if isinstance(number, Span):
        return max(number.from_ or 0, number.to or 0)
    return number
