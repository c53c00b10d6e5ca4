"""The dealer's chances from many shoes that have few sets of low cards, and of high cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel, lasting
from upcard.solve.dealer import ROWS, walk
from upcard.solve.numbers import Numbers, with_room
from upcard.solve.shoe_keys import ShoeKeys, unpack

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


_BATCH = 128
"""Sets of low cards whose sums are found together, few enough to stay at hand."""


class _Part:
    """Low cards, or high cards, of shoes: every set once, with the cards that it leaves."""

    def __init__(self, keys: ShoeKeys, begin: int, end: int) -> None:
        self.shift = keys.shift[begin : end + 1] - keys.shift[begin]
        self.most = keys.most[begin:end]
        self.numbers = Numbers()
        self.left: Floats = np.empty((0, end - begin))
        self.cards: Floats = np.empty(0)

    def of(self, keys: Ints) -> Ints:
        """The number of every set."""
        before = len(self.numbers)
        found = self.numbers.of(keys)
        count = len(self.numbers)
        if count > before:
            self.left = with_room(self.left, before, count)
            self.cards = with_room(self.cards, before, count)
            fresh = self.left[before:count]
            unpack(self.numbers.keys[before:], self.shift, self.most, fresh)
            np.maximum(fresh, 0.0, out=fresh)
            fresh.sum(axis=1, out=self.cards[before:count])
        return found


class _Ruling(NamedTuple):
    """The classes that hands leave out and that the check rules out, or -1."""

    left_out: int
    natural: int


class PartedShoes:
    """Shoes in two parts, with one up card.

    A row of the dealer's hands gives the same sum from all shoes with the same low cards. What it
    counts for depends on the high cards and on the number of all cards: on their mix.
    """

    def __init__(self, keys: ShoeKeys) -> None:
        assert keys.up is not None
        self.keys = keys
        self.up = keys.up
        dealer = keys.dealer
        self.hands = dealer.parted(keys.up)
        self._first = self.hands.first.astype(np.uint64)
        self._fewest_cards = dealer.full_tree_longest
        self._bits = int(keys.shift[self.hands.cut])
        self._high = _Part(keys, self.hands.cut, dealer.size)
        self._mixes = Numbers()
        self._weights: Floats = np.empty((0, len(self.hands.cards)))
        self._all_cards = int(np.maximum(keys.most, 0).sum()) + 1
        self._ruling = _Ruling(*dealer.leaves_out(keys.up))

    def fill_chances(self, keys: Ints, chances: Floats) -> bool:
        """The chances of some shoes; not where one is so small that it may run out."""
        cut, tree = self.hands.cut, self.hands.tree
        lows = _Part(self.keys, 0, cut)
        low = lows.of(keys & ((1 << self._bits) - 1))
        high = self._high.of(keys >> self._bits)
        cards = lows.cards[low] + self._high.cards[high]
        if cards.min() < self._fewest_cards:
            return False
        mix = self._mix(high, cards)
        ups = lows.left[low, self.up] if self.up < cut else self._high.left[high, self.up - cut]
        _fill(
            lows.left[: len(lows.numbers)],
            low,
            mix,
            ups / cards,
            tree.group,
            tree.copies,
            tree.depth,
            tree.first,
            tree.place,
            tree.orders,
            tree.longest,
            self._weights,
            self._first,
            self._ruling,
            chances,
        )
        return True

    def _mix(self, high: Ints, cards: Floats) -> Ints:
        """The numbers of mixes; new ones get their weights."""
        begin = len(self._mixes)
        found = self._mixes.of(high * self._all_cards + cards.astype(np.int64))
        end = len(self._mixes)
        if end > begin:
            self._weights = with_room(self._weights, begin, end)
            number, all_cards = np.divmod(self._mixes.keys[begin:], self._all_cards)
            left, hands = self._high.left[number], self.hands
            _weigh(left, all_cards, hands.high, hands.cards, self._weights[begin:end])
        return found


@kernel
def _weigh(left: Floats, cards: Ints, high: Ints, drawn: Ints, found: Floats) -> None:
    """For every mix the ways to draw the high cards of each row, over those to draw so many."""
    longest = drawn.max()
    scale = np.ones(longest + 1)
    for mix in range(len(left)):
        for k in range(longest):
            scale[k + 1] = scale[k] / (cards[mix] - k)
        for row in range(len(drawn)):
            ways = scale[drawn[row]]
            for group in range(left.shape[1]):
                for copy in range(high[row, group]):
                    ways *= left[mix, group] - copy
            found[mix, row] = ways


@kernel
def _fill(
    low_left: Floats,
    low: Ints,
    mix: Ints,
    up_chance: Floats,
    group: Ints,
    copies: Ints,
    depth: Ints,
    entries: Ints,
    place: Ints,
    orders: Floats,
    longest: int,
    weights: Floats,
    first: Words,
    ruling: _Ruling,
    chances: Floats,
) -> None:
    """The chances of shoes given the up card and, where it is made, an empty check.

    Shoes are taken by their low cards, so that the sums of those are at hand for all that have
    them.
    """
    order = np.empty(len(low), dtype=np.int64)
    begin = np.zeros(len(low_left) + 1, dtype=np.int64)
    for shoe in range(len(low)):
        begin[low[shoe] + 1] += 1
    for one in range(len(low_left)):
        begin[one + 1] += begin[one]
    for shoe in range(len(low)):
        order[begin[low[shoe]]] = shoe
        begin[low[shoe]] += 1
    # From here on `begin` is where the shoes of a set end.
    sums = np.empty((_BATCH, weights.shape[1]))
    rank = 0
    for at in range(0, len(low_left), _BATCH):
        size = min(_BATCH, len(low_left) - at)
        part = low_left[at : at + size]
        walk(
            part,
            1.0,
            group,
            copies,
            depth,
            entries,
            place,
            orders,
            longest,
            False,
            _BATCH,
            sums,
        )
        rank = _join(
            order,
            rank,
            begin[at : at + size],
            sums.reshape(-1),
            mix,
            weights.reshape(-1),
            up_chance,
            first,
            ruling,
            chances,
        )


@lasting
def _join(
    order: Ints,
    rank: int,
    ends: Ints,
    sums: Floats,
    mix: Ints,
    weights: Floats,
    up_chance: Floats,
    first: Words,
    ruling: _Ruling,
    chances: Floats,
) -> int:
    """Add up the rows of each class for shoes from a rank on, those of one set of low cards up to
    its end; gives the rank that comes next.

    Rows are found by unsigned numbers, which cannot count from an end, and added up side by side,
    so that no sum waits for the last one.
    """
    left_out, natural = ruling
    classes = len(first) - 1
    width = first[classes]
    i1, i2, i3, i4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    i5, i6, i7, rows = np.uint64(5), np.uint64(6), np.uint64(7), np.uint64(ROWS)
    for low in range(len(ends)):
        own = np.uint64(low) * width
        while rank < ends[low]:
            shoe = order[rank]
            rank += 1
            whole = up_chance[shoe]
            if whole <= 0:
                continue
            other = np.uint64(mix[shoe]) * width
            rest = whole
            for c in range(classes):
                a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
                i, j, end = own + first[c], other + first[c], own + first[c + 1]
                while i < end:
                    a0 += sums[i] * weights[j]
                    a1 += sums[i + i1] * weights[j + i1]
                    a2 += sums[i + i2] * weights[j + i2]
                    a3 += sums[i + i3] * weights[j + i3]
                    a4 += sums[i + i4] * weights[j + i4]
                    a5 += sums[i + i5] * weights[j + i5]
                    a6 += sums[i + i6] * weights[j + i6]
                    a7 += sums[i + i7] * weights[j + i7]
                    i += rows
                    j += rows
                found = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))
                chances[shoe, c] = found
                rest -= found
            chances[shoe, left_out] = rest
            if natural >= 0:
                whole -= chances[shoe, natural]
                chances[shoe, natural] = 0.0
            for c in range(classes):
                chances[shoe, c] = chances[shoe, c] / whole if whole > 0 else 0.0
    return rank
