"""The dealer's chances from many shoes that have few sets of low cards, and of high cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel, summing
from upcard.solve.dealer import walk
from upcard.solve.graph import FREE, place_of
from upcard.solve.numbers import with_room
from upcard.solve.shoe_keys import ShoeKeys

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

_BATCH = 128
"""Sets of low cards whose sums are found together, few enough to stay at hand."""
_FEWEST_LOW = 1 << 11
_FEWEST_HIGH = 1 << 8
_FEWEST_MIXES = 1 << 11
"""Room for sets and mixes, to begin with."""


class _Ruling(NamedTuple):
    """The classes that hands leave out and that the check rules out, or -1."""

    left_out: int
    natural: int


class _Sets(NamedTuple):
    """Sets of cards that are gone, each once: a hash table of their numbers, and their keys; the
    cards that they leave, by groups and in all.
    """

    table: Shorts
    keys: Ints
    left: Floats
    cards: Floats


def _no_sets(room: int, groups: int) -> _Sets:
    """Room for so many sets, a power of two."""
    return _Sets(
        table=np.full(2 * room, FREE, dtype=np.int32),
        keys=np.empty(room, dtype=np.int64),
        left=np.empty((room, groups)),
        cards=np.empty(room),
    )


class _Layout(NamedTuple):
    """How keys are made: `shift[group]`, and `most[group]` cards before any is gone; groups from
    `cut` on are high ones. `up` is the group of the up card.
    """

    shift: Ints
    most: Ints
    cut: int
    up: int


class PartedShoes:
    """Shoes in two parts, with one up card.

    A row of the dealer's hands gives the same sum from all shoes with the same low cards. What it
    counts for depends on the high cards and on the number of all cards: on their mix.
    """

    def __init__(self, keys: ShoeKeys) -> None:
        assert keys.up is not None
        dealer = keys.dealer
        self.hands = dealer.parted(keys.up)
        self._layout = _Layout(keys.shift, keys.most, self.hands.cut, keys.up)
        self._first = self.hands.first.astype(np.uint64)
        self._fewest_cards = dealer.full_tree_longest
        self._ruling = _Ruling(*dealer.leaves_out(keys.up))
        rows, cut = len(self.hands.cards), self.hands.cut
        self._all_cards = int(np.maximum(keys.most, 0).sum()) + 1
        self._low = _no_sets(_FEWEST_LOW, cut)
        self._lows = self._summed = 0
        self._sums: Floats = np.empty((0, rows))
        self._high = _no_sets(_FEWEST_HIGH, dealer.size - cut)
        self._highs = self._mixes = 0
        self._mix_of: Shorts = np.full((_FEWEST_HIGH, self._all_cards), FREE, dtype=np.int32)
        self._met_mixes: Ints = np.empty((_FEWEST_MIXES, 2), dtype=np.int64)
        self._weights: Floats = np.empty((0, rows))

    def forget_low_cards(self) -> None:
        """Give their room to others: few of them come up again."""
        self._low.table.fill(FREE)
        self._lows = self._summed = 0

    def fill_chances(self, keys: Ints, chances: Floats) -> bool:
        """The chances of some shoes; not where one is so small that it may run out."""
        low, mix = np.empty_like(keys), np.empty_like(keys)
        up_chance = np.empty(len(keys))
        if self._sort(keys, low, mix, up_chance) < self._fewest_cards:
            return False
        tree, lows = self.hands.tree, self._lows
        self._sums = with_room(self._sums, self._summed, lows)
        _fill(
            self._low.left,
            low,
            self._summed,
            lows,
            mix,
            up_chance,
            tree.group,
            tree.copies,
            tree.depth,
            tree.first,
            tree.place,
            tree.orders,
            tree.longest,
            self._sums,
            self._weights,
            self._first,
            self._ruling,
            chances,
        )
        self._summed = lows
        return True

    def _sort(self, keys: Ints, low: Ints, mix: Ints, up_chance: Floats) -> float:
        """Find the low cards and the mix of every shoe, and the chance of the up card; gives the
        fewest cards of a shoe.
        """
        room = len(self._low.keys)
        while room < self._lows + len(keys):
            room *= 2
        if room > len(self._low.keys):
            self._low = self._moved(self._low, self._lows, room)
        begin, row, fewest = self._mixes, 0, np.inf
        while True:
            row, self._lows, self._highs, self._mixes, found = _sort(
                keys,
                row,
                self._layout,
                self._low,
                self._lows,
                self._high,
                self._highs,
                self._mix_of,
                self._met_mixes,
                self._mixes,
                low,
                mix,
                up_chance,
            )
            fewest = min(fewest, found)
            if row == len(keys):
                break
            self._make_room()
        if self._mixes > begin:
            self._weigh(begin)
        return fewest

    def _make_room(self) -> None:
        """Room for more high cards, and for more mixes."""
        room = 2 * len(self._high.keys)
        self._high = self._moved(self._high, self._highs, room)
        mix_of = np.full((room, self._all_cards), FREE, dtype=np.int32)
        mix_of[: self._highs] = self._mix_of[: self._highs]
        self._mix_of = mix_of
        met = np.empty((2 * len(self._met_mixes), 2), dtype=np.int64)
        met[: self._mixes] = self._met_mixes[: self._mixes]
        self._met_mixes = met

    def _moved(self, sets: _Sets, count: int, room: int) -> _Sets:
        """Sets in more room."""
        found = _no_sets(room, sets.left.shape[1])
        for old, new in zip(sets[1:], found[1:], strict=True):
            new[:count] = old[:count]
        _place(found.keys, count, found.table)
        return found

    def _weigh(self, begin: int) -> None:
        """The weights of mixes from a number on."""
        end = self._mixes
        self._weights = with_room(self._weights, begin, end)
        high, cards = self._met_mixes[begin:end].T
        left, hands = self._high.left[high], self.hands
        _weigh(left, cards.copy(), hands.high, hands.cards, self._weights[begin:end])


@kernel
def _place(keys: Ints, count: int, table: Shorts) -> None:
    for number in range(count):
        table[place_of(keys[number], table, keys)] = number


@kernel
def _sort(
    keys: Ints,
    row: int,
    layout: _Layout,
    low: _Sets,
    lows: int,
    high: _Sets,
    highs: int,
    mix_of: Shorts,
    met_mixes: Ints,
    mixes: int,
    own_low: Ints,
    own_mix: Ints,
    up_chance: Floats,
) -> tuple[int, int, int, int, float]:
    """Take shoes apart from a row on, while there is room for high cards and mixes.

    Gives the row that comes next, how many low and high sets and mixes there are, and the fewest
    cards of a shoe.
    """
    shift, most, cut, up = layout
    bits = shift[cut]
    mask = (1 << bits) - 1
    fewest = np.inf
    while row < len(keys):
        key = keys[row] >> bits
        place = place_of(key, high.table, high.keys)
        other = high.table[place]
        if other == FREE:
            if highs == len(high.keys):
                break
            other = highs
            highs += 1
            high.table[place] = other
            high.keys[other] = key
            _leave(key, shift[cut:] - bits, most[cut:], high.left[other])
            high.cards[other] = high.left[other].sum()
        key = keys[row] & mask
        place = place_of(key, low.table, low.keys)
        own = low.table[place]
        if own == FREE:
            own = lows
            lows += 1
            low.table[place] = own
            low.keys[own] = key
            _leave(key, shift[: cut + 1], most[:cut], low.left[own])
            low.cards[own] = low.left[own].sum()
        cards = low.cards[own] + high.cards[other]
        mix = mix_of[other, int(cards)]
        if mix == FREE:
            if mixes == len(met_mixes):
                break
            mix = mixes
            mixes += 1
            mix_of[other, int(cards)] = mix
            met_mixes[mix, 0] = other
            met_mixes[mix, 1] = int(cards)
        own_low[row] = own
        own_mix[row] = mix
        left = low.left[own, up] if up < cut else high.left[other, up - cut]
        up_chance[row] = left / cards if cards > 0 else 0.0
        fewest = min(fewest, cards)
        row += 1
    return row, lows, highs, mixes, fewest


@kernel
def _leave(key: int, shift: Ints, most: Ints, left: Floats) -> None:
    """What a set of cards leaves of `most` cards."""
    for group in range(len(most)):
        width = shift[group + 1] - shift[group]
        left[group] = max(most[group] - (key >> shift[group] & ((1 << width) - 1)), 0)


@kernel
def _weigh(left: Floats, cards: Ints, high: Ints, drawn: Ints, found: Floats) -> None:
    """For every mix the ways to draw the high cards of each row, over those to draw so many."""
    longest = drawn.max()
    scale = np.ones(longest + 1)
    for mix in range(len(left)):
        for k in range(longest):
            rest = cards[mix] - k
            scale[k + 1] = scale[k] / rest if rest > 0 else 0.0
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
    summed: int,
    lows: int,
    mix: Ints,
    up_chance: Floats,
    group: Ints,
    copies: Ints,
    depth: Ints,
    entries: Ints,
    place: Ints,
    orders: Floats,
    longest: int,
    sums: Floats,
    weights: Floats,
    first: Words,
    ruling: _Ruling,
    chances: Floats,
) -> None:
    """The chances of shoes given the up card and, where it is made, an empty check.

    Shoes are taken by their low cards, so that the sums of those are at hand for all that have
    them; `summed` sets have theirs already.
    """
    order = np.empty(len(low), dtype=np.int64)
    begin = np.zeros(lows + 1, dtype=np.int64)
    for shoe in range(len(low)):
        begin[low[shoe] + 1] += 1
    for one in range(lows):
        begin[one + 1] += begin[one]
    for shoe in range(len(low)):
        order[begin[low[shoe]]] = shoe
        begin[low[shoe]] += 1
    # From here on `begin` is where the shoes of a set end.
    rank = 0
    at = 0
    while at < lows:
        end = summed if at < summed else min(at + _BATCH, lows)
        if at >= summed:
            walk(
                low_left[at:end],
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
                sums[at:end],
            )
        rank = _join(
            order,
            rank,
            begin[at:end],
            sums[at:end].reshape(-1),
            mix,
            weights.reshape(-1),
            up_chance,
            first,
            ruling,
            chances,
        )
        at = end


@summing
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

    Rows are found by unsigned numbers, which cannot count from an end.
    """
    left_out, natural = ruling
    classes = len(first) - 1
    width = first[classes]
    for low in range(len(ends)):
        own = np.uint64(low) * width
        while rank < ends[low]:
            shoe = order[rank]
            rank += 1
            whole = up_chance[shoe]
            if whole <= 0:
                for c in range(classes):
                    chances[shoe, c] = 0.0
                continue
            other = np.uint64(mix[shoe]) * width
            rest = whole
            for c in range(classes):
                found = 0.0
                i, j = own + first[c], other + first[c]
                for row in range(first[c + 1] - first[c]):
                    found += sums[i + row] * weights[j + row]
                chances[shoe, c] = found
                rest -= found
            chances[shoe, left_out] = rest
            if natural >= 0:
                whole -= chances[shoe, natural]
                chances[shoe, natural] = 0.0
            for c in range(classes):
                chances[shoe, c] = chances[shoe, c] / whole if whole > 0 else 0.0
    return rank
