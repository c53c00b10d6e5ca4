"""Exact odds of wagers on the dealer's final hand, by rows of conditions, from any shoe.

The dealer's hands are listed once, as the dealer's rules let them arise: how many cards of every
group of ranks they hold, with the number of orders. Their chance in a shoe is a ratio of falling
factorials, and so is that of all their cards being of one suit or of one colour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import perm, prod
from typing import NamedTuple

import numpy as np

from upcard.cards import RANKS, SUITS, Card
from upcard.compile.card_observer import CardObserver
from upcard.compile.card_sets import CARDS, FIRST_TWO
from upcard.compile.dealer_groups import DealerGroups
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.card_rows import TOO_FEW, Ints, RowChances, all_miss, card_counts, ways

KINDS = len(RANKS)
ONE_SUIT = tuple((suit,) for suit in range(len(SUITS)))
ONE_COLOUR = tuple(
    tuple(n for n, suit in enumerate(SUITS) if suit in colour) for colour in ("hd", "sc")
)
EVERY_SUIT = tuple(range(len(SUITS)))


class DealersHand(NamedTuple):
    """A hand that the dealer can end with: cards by group, the up card's group and the last one's.

    These two are -1 where no row asks for them.
    """

    counts: tuple[int, ...]
    up: int
    last: int


@dataclass(frozen=True)
class DealerRows:
    """The dealer's hands of a game as a wager sees them."""

    tables: GameTables
    observer: CardObserver

    @cached_property
    def groups(self) -> DealerGroups:
        """Cards that make a difference."""
        return DealerGroups(self.tables.dealer, self.tables.alphabet, self.observer.found)

    # ------------------------------------------------------------------ the hands

    @cached_property
    def hands(self) -> Mapping[DealersHand, int]:
        """Every hand with the number of orders in which it arises."""
        by_up = self.looks_further or self.groups.by_up
        by_last = self.groups.by_last
        dealer = self.tables.dealer
        found: Counter[DealersHand] = Counter()
        counts = [0] * len(self.groups.members)

        def draw(state: int, up: int, last: int) -> None:
            if not dealer.draws[state]:
                hand = DealersHand(tuple(counts), up if by_up else -1, last if by_last else -1)
                found[hand] += 1
                return
            for group, symbol in enumerate(self.groups.symbols):
                counts[group] += 1
                draw(int(dealer.next[state, symbol]), group if up < 0 else up, group)
                counts[group] -= 1

        draw(dealer.start, -1, -1)
        return found

    @property
    def looks_further(self) -> bool:
        """Whether any of several down cards makes a natural with the up card."""
        return self.tables.dealer.looks > 1

    def _naturals(self, up: int) -> tuple[int, ...]:
        """Groups that make a natural which the check finds under an up card."""
        dealer, symbol = self.tables.dealer, self.groups.symbols[up]
        if not dealer.checks[symbol]:
            return ()
        return tuple(
            g for g, other in enumerate(self.groups.symbols) if dealer.natural[symbol, other]
        )

    # ------------------------------------------------------------------ their rows

    @cached_property
    def suits(self) -> tuple[tuple[int, ...], ...]:
        """Sets of suits of which a row may ask that all cards are, the widest last."""
        return (*ONE_SUIT, *ONE_COLOUR, EVERY_SUIT) if self.groups.by_suit else (EVERY_SUIT,)

    @cached_property
    def rows(self) -> Mapping[DealersHand, Ints]:
        """Of every hand the row `[suits, player's cards]`."""
        by_size: defaultdict[int, list[DealersHand]] = defaultdict(list)
        for hand in self.hands:
            by_size[sum(hand.counts)].append(hand)
        found: dict[DealersHand, Ints] = {}
        for hands in by_size.values():
            ranks = np.array([self._ranks(hand) for hand in hands], dtype=np.int64)
            rows = [self.observer.hands.rows(_in_suits(ranks, suits)) for suits in self.suits]
            found.update(zip(hands, np.stack(rows, axis=1), strict=True))
        return found

    def _ranks(self, hand: DealersHand) -> list[int]:
        """A hand's ranks, the up card first and the last one last."""
        left = list(hand.counts)
        ends: list[list[int]] = [[], []]
        for place, group in enumerate((hand.up, hand.last)):
            if group >= 0:
                left[group] -= 1
                ends[place] = [self.groups.members[group]]
        middle = [
            self.groups.members[group] for group, count in enumerate(left) for _ in range(count)
        ]
        return [*ends[0], *middle, *ends[1]]

    # ------------------------------------------------------------------ their chances

    def chances(self, shoe: Mapping[Card, int]) -> RowChances:
        """How likely every row is with a shoe."""
        counts = card_counts(shoe)
        players = self.observer.hands.players
        usual = int(np.bincount(players).argmax())
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        self._add(found, counts, usual, Fraction(1))
        for (one, two), chance in self._others(counts, usual).items():
            left = counts.copy()
            left[one] -= 1
            left[two] -= 1
            self._add(found, left, usual, -chance)
            self._add(found, left, int(players[one * CARDS + two]), chance)
        return found

    def _others(self, counts: Ints, usual: int) -> Mapping[tuple[int, int], Fraction]:
        """First two cards of the player that matter to a row, those alike to it as one."""
        drawn = ways(counts, FIRST_TWO)
        whole = int(drawn.sum())
        alike: dict[object, tuple[int, int]] = {}
        found: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        players = self.observer.hands.players
        for number in np.flatnonzero((players != usual) & (drawn > 0)).tolist():
            pair = (number // CARDS, number % CARDS)
            key: object = pair
            if not self.groups.by_suit:
                key = (
                    *sorted(self.groups.group_of[card % KINDS] for card in pair),
                    players[number],
                )
            found[alike.setdefault(key, pair)] += Fraction(int(drawn[number]), whole)
        return found

    def _add(self, found: RowChances, counts: Ints, players: int, share: Fraction) -> None:
        """Add the chances of all hands from a shoe, of which so much counts."""
        by_group = self._by_group(counts)
        sums: Counter[tuple[int, int, int, bool]] = Counter()
        for hand, orders in self.hands.items():
            natural = self.looks_further and self._is_natural(hand)
            if not natural and self._is_ruled_out(hand):
                continue
            size = sum(hand.counts)
            rows = self.rows[hand][:, players].tolist()
            for row, drawn in zip(rows, self._ways(hand, by_group), strict=True):
                if drawn:
                    sums[row, size, hand.up if self.looks_further else -1, natural] += (
                        orders * drawn
                    )
        cards = by_group[-1]
        for (row, size, up, natural), drawn in sums.items():
            chance = drawn * self._weight(cards, size, up, natural=natural)
            found[row] = found.get(row, Fraction(0)) + share * chance

    def _ways(self, hand: DealersHand, by_group: Sequence[Sequence[int]]) -> list[int]:
        """The ways to draw a hand's cards in one order, by the least set of suits that has them."""
        found = [
            prod(perm(have, count) for have, count in zip(cards, hand.counts, strict=True) if count)
            for cards in by_group
        ]
        if not self.groups.by_suit:
            return found
        one_suit, colours, every = found[: len(SUITS)], found[len(SUITS) : -1], found[-1]
        only = [
            colour - sum(one_suit[suit] for suit in suits)
            for colour, suits in zip(colours, ONE_COLOUR, strict=True)
        ]
        return [*one_suit, *only, every - sum(colours)]

    def _weight(self, cards: Sequence[int], size: int, up: int, *, natural: bool) -> Fraction:
        """What one way to draw a hand of so many cards weighs.

        Where the check looks at several down cards, the further ones are drawn from a shoe without
        those that it would have found.
        """
        whole = sum(cards)
        makes = sum(cards[group] for group in self._naturals(up)) if up >= 0 else 0
        if not makes:
            return Fraction(1, perm(whole, size)) if whole >= size else Fraction(0)
        looks = self.tables.dealer.looks
        misses = all_miss(whole - 1, makes, looks)
        if natural:
            return (1 - misses) / (whole * makes)
        rest = perm(max(whole - 1 - makes, 0), size - 1)
        return misses / (whole * rest) if rest else Fraction(0)

    def _is_natural(self, hand: DealersHand) -> bool:
        return sum(hand.counts) == FIRST_TWO and self._is_ruled_out(hand)

    def _is_ruled_out(self, hand: DealersHand) -> bool:
        """Whether it has a card that the check of several down cards would have found."""
        if not self.looks_further:
            return False
        return any(hand.counts[group] for group in self._naturals(hand.up))

    def _by_group(self, counts: Ints) -> list[list[int]]:
        """Cards of every group, by set of suits."""
        found = [[0] * len(self.groups.members) for _ in self.suits]
        for card, copies in enumerate(counts.tolist()):
            group = self.groups.group_of[card % KINDS]
            for place, suits in enumerate(self.suits):
                if group >= 0 and card // KINDS in suits:
                    found[place][group] += copies
        return found


def _in_suits(ranks: Ints, suits: Sequence[int]) -> Ints:
    """Hands of these ranks with all of some suits among their cards."""
    places = np.arange(ranks.shape[1]) % len(suits)
    return ranks + KINDS * np.array(suits, dtype=np.int64)[places]


_KEPT = 64
_known: dict[tuple[str, str], DealerRows] = {}


def dealer_rows(tables: GameTables, observer: CardObserver) -> DealerRows:
    """The dealer's hands as a wager sees them, kept: they are the same for any shoe."""
    key = (tables.fingerprint, observer.wager)
    if key not in _known:
        while len(_known) >= _KEPT:
            _known.pop(next(iter(_known)))
        _known[key] = DealerRows(tables, observer)
    return _known[key]


def dealer_chances(
    tables: GameTables, observer: CardObserver, shoe: Mapping[Card, int]
) -> RowChances:
    """How likely every row of a wager on the dealer's final hand is with a shoe."""
    found = dealer_rows(tables, observer).chances(shoe)
    whole = sum(found.values())
    if not whole:
        raise UpcardError(TOO_FEW)
    # From a shoe that may run out under the dealer: given that it does not.
    return {row: chance / whole for row, chance in found.items()}
