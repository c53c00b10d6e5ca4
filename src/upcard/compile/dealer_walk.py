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
        self.values = [int(value) for value in observer.found.counting.values]
        self.next: list[list[int]] = tables.dealer.next.tolist()
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
        self.places_of = {group: place for place, group in enumerate(self.counted)}

    def build(self) -> DealerWalk:
        start = _Place(
            self.dealer.start, 0, 0, False, -1, -1, frozenset(), (0,) * len(self.counted)
        )
        known, places = {start: 0}, [start]
        hands: list[tuple[int, ...]] = [()]
        moves: list[list[int]] = []
        cards = self._cards()
        draws = self.dealer.draws.tolist()
        nothing = [0] * (len(cards) + 1)
        while len(moves) < len(places):
            place, hand = places[len(moves)], hands[len(moves)]
            if not draws[place.state]:
                moves.append(nothing)
                continue
            row = []
            for group, card in cards:
                target = self._step(place, group, card)
                number = known.get(target)
                if number is None:
                    number = known[target] = len(places)
                    places.append(target)
                    hands.append((*hand, card))
                row.append(number)
            moves.append([*row, 0])
        walked = np.array(moves, dtype=np.int32)[:, self._walked_as(cards)]
        return DealerWalk(0, frozen(walked.reshape(-1)), frozen(self._rows(places, hands)))

    def _cards(self) -> list[tuple[int, int]]:
        """A card of every group, of every suit if suits matter."""
        suits = range(4) if self.groups.by_suit else range(1)
        return [
            (group, suit * KINDS + rank)
            for group, rank in enumerate(self.groups.members)
            for suit in suits
        ]

    def _walked_as(self, cards: list[tuple[int, int]]) -> list[int]:
        """For every card of a deck the number of the one that is walked in its place; for one that
        the deck lacks the number behind them all.
        """
        numbers = {
            (group, card // KINDS if self.groups.by_suit else 0): number
            for number, (group, card) in enumerate(cards)
        }
        return [
            numbers.get((group, suit if self.groups.by_suit else 0), len(cards))
            for suit in range(4)
            for group in self.groups.group_of
        ]

    def _step(self, place: _Place, group: int, card: int) -> _Place:
        groups = self.groups
        by_total, suits, ranks = self.by_total, place.suits, place.ranks
        if group in self.places_of:
            at = self.places_of[group]
            ranks = (*ranks[:at], ranks[at] + 1, *ranks[at + 1 :])
        if groups.by_suit:
            suits = suits | {card // KINDS}
        return _Place(
            self.next[place.state][groups.symbols[group]],
            min(place.size + 1, self.most_size),
            place.low + self.values[card % KINDS] if by_total else 0,
            by_total and (place.has_ace or card % KINDS == 0),
            (group if place.size == 0 else place.up) if groups.by_up else -1,
            group if groups.by_last else -1,
            suits,
            ranks,
        )

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
