"""The dealer's chances from many shoes that have few sets of small cards, and of high cards."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel, lasting, summing
from upcard.solve.dealer import HandTree, PartedHands
from upcard.solve.graph import FREE, place_of
from upcard.solve.numbers import number_keys, with_room
from upcard.solve.shoe_keys import ShoeKeys

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

_BATCH = 128
"""Sets of small cards whose sums are found together, few enough to stay at hand."""
_FEWEST_SMALL = 1 << 11
_FEWEST_HIGH = 1 << 8
_FEWEST_MIXES = 1 << 11
"""Room for sets and mixes, to begin with."""
_SPARE_ROOMS = 2
_LARGEST_SPARE = 1 << 21
"""Rooms that are kept for later hands, and how many sums they have at most."""

_spare: list[Floats] = []
"""Room that was given back: to get new room from the system takes as long as to fill it."""


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
    `cut` on are high ones. `up` is the group of the up card; with `by_second` the second card is
    of one of the groups `down`.
    """

    shift: Ints
    most: Ints
    cut: int
    up: int
    by_second: bool
    down: npt.NDArray[np.bool_]


class _Walk(NamedTuple):
    """The dealer's hands as kernels walk over them: see `PartedHands`."""

    group: Ints
    copies: Ints
    depth: Ints
    first: Ints
    place: Ints
    entry: Ints
    middle: Ints
    orders: Floats
    middles: Ints
    longest: int


def _walk_of(hands: PartedHands) -> _Walk:
    tree: HandTree = hands.tree
    return _Walk(
        tree.group,
        tree.copies,
        tree.depth,
        tree.first,
        tree.place,
        hands.entry,
        hands.middle,
        hands.orders,
        hands.middles,
        tree.longest,
    )


class PartedShoes:
    """Shoes in two parts, small cards (low and middle ones) and high cards, with one up card.

    A row of the dealer's hands gives the same sum from all shoes with the same small cards. What it
    counts for depends on the high cards and on the number of all cards: on their mix.
    """

    def __init__(self, keys: ShoeKeys) -> None:
        assert keys.up is not None
        dealer = keys.dealer
        self.hands = dealer.parted(keys.up)
        self._walk = _walk_of(self.hands)
        cut = self.hands.high_cut
        kinds = dealer.kinds
        self._layout = _Layout(
            keys.shift,
            keys.most,
            cut,
            int(kinds.up[keys.up]),
            kinds.by_second,
            kinds.down[keys.up].copy(),
        )
        self._first = self.hands.first.astype(np.uint64)
        self._fewest_cards = dealer.full_tree_longest
        self._ruling = _Ruling(*dealer.leaves_out(keys.up))
        self._rows = len(self.hands.cards)
        self._all_cards = int(np.maximum(keys.most, 0).sum()) + 1
        self._small = _no_sets(_FEWEST_SMALL, cut)
        self._smalls = self._summed = 0
        self._room: Floats = np.empty(0)
        with suppress(IndexError):
            self._room = _spare.pop()
        self._high = _no_sets(_FEWEST_HIGH, dealer.size - cut)
        self._highs = self._mixes = 0
        self._mix_of: Shorts = np.full((_FEWEST_HIGH, self._all_cards), FREE, dtype=np.int32)
        self._met_mixes: Ints = np.empty((_FEWEST_MIXES, 2), dtype=np.int64)
        self._weights: Floats = np.empty((0, self._rows))

    def forget_small_cards(self) -> None:
        """Give their room to others: few of them come up again."""
        self._small.table.fill(FREE)
        self._smalls = self._summed = 0

    def give_room_back(self) -> None:
        """Leave the room of sums to later hands."""
        self.forget_small_cards()
        room, self._room = self._room, np.empty(0)
        if len(room) <= _LARGEST_SPARE and len(_spare) < _SPARE_ROOMS:
            _spare.append(room)

    def fill_chances(self, keys: Ints, chances: Floats) -> bool:
        """The chances of some shoes; not where one is so small that it may run out."""
        small, mix = np.empty_like(keys), np.empty_like(keys)
        up_chance = np.empty(len(keys))
        if self._sort(keys, small, mix, up_chance) < self._fewest_cards:
            return False
        used, wanted = (number * self._rows for number in (self._summed, self._smalls))
        self._room = with_room(self._room, used, wanted)
        sums = self._room[:wanted].reshape(-1, self._rows)
        if self._smalls > self._summed:
            _sum(self._small, self._summed, self._layout, self.hands.low_cut, self._walk, sums)
        self._summed = self._smalls
        _join(
            *_by_set(small, self._smalls),
            self._room,
            mix,
            self._weights.reshape(-1),
            up_chance,
            self._first,
            self._ruling,
            chances,
        )
        return True

    def _sort(self, keys: Ints, small: Ints, mix: Ints, up_chance: Floats) -> float:
        """Find the small cards and the mix of every shoe, and the chance of the up card; gives the
        fewest cards of a shoe.
        """
        room = len(self._small.keys)
        while room < self._smalls + len(keys):
            room *= 2
        if room > len(self._small.keys):
            self._small = self._moved(self._small, self._smalls, room)
        begin, row, fewest = self._mixes, 0, np.inf
        while True:
            row, self._smalls, self._highs, self._mixes, found = _sort(
                keys,
                row,
                self._layout,
                self._small,
                self._smalls,
                self._high,
                self._highs,
                self._mix_of,
                self._met_mixes,
                self._mixes,
                small,
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
        found.left[:count], found.cards[:count] = sets.left[:count], sets.cards[:count]
        known = sets.keys[:count]
        number_keys(known, 0, found.table, found.keys, 0, np.empty_like(known))
        return found

    def _weigh(self, begin: int) -> None:
        """The weights of mixes from a number on."""
        end = self._mixes
        self._weights = with_room(self._weights, begin, end)
        high, cards = self._met_mixes[begin:end].T
        left, hands = self._high.left[high], self.hands
        rows = hands.high, hands.cards, int(hands.cards.max())
        _weigh(left, cards.copy(), *rows, self._weights[begin:end])


@kernel
def _sort(
    keys: Ints,
    row: int,
    layout: _Layout,
    small: _Sets,
    smalls: int,
    high: _Sets,
    highs: int,
    mix_of: Shorts,
    met_mixes: Ints,
    mixes: int,
    own_small: Ints,
    own_mix: Ints,
    up_chance: Floats,
) -> tuple[int, int, int, int, float]:
    """Take shoes apart from a row on, while there is room for high cards and mixes.

    Gives the row that comes next, how many small and high sets and mixes there are, and the fewest
    cards of a shoe.
    """
    shift, most, cut, up, by_second, down = layout
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
            high.cards[other] = _leave(key, bits, shift[cut:], most[cut:], high.left[other])
        key = keys[row] & mask
        place = place_of(key, small.table, small.keys)
        own = small.table[place]
        if own == FREE:
            own = smalls
            smalls += 1
            small.table[place] = own
            small.keys[own] = key
            small.cards[own] = _leave(key, 0, shift[: cut + 1], most[:cut], small.left[own])
        cards = small.cards[own] + high.cards[other]
        mix = mix_of[other, int(cards)]
        if mix == FREE:
            if mixes == len(met_mixes):
                break
            mix = mixes
            mixes += 1
            mix_of[other, int(cards)] = mix
            met_mixes[mix, 0] = other
            met_mixes[mix, 1] = int(cards)
        own_small[row] = own
        own_mix[row] = mix
        left = small.left[own, up] if up < cut else high.left[other, up - cut]
        up_chance[row] = left / cards if cards > 0 else 0.0
        if by_second:
            inside = -1.0 if down[up] else 0.0
            for group in range(len(down)):
                if down[group]:
                    inside += (
                        small.left[own, group] if group < cut else high.left[other, group - cut]
                    )
            up_chance[row] *= inside / (cards - 1.0) if inside > 0.0 and cards > 1.0 else 0.0
        fewest = min(fewest, cards)
        row += 1
    return row, smalls, highs, mixes, fewest


@kernel
def _leave(key: int, begin: int, shift: Ints, most: Ints, left: Floats) -> float:
    """What a set of cards, packed from a bit on, leaves of `most` cards; gives their number."""
    cards = 0.0
    for group in range(len(most)):
        width = shift[group + 1] - shift[group]
        gone = key >> (shift[group] - begin) & ((1 << width) - 1)
        left[group] = max(most[group] - gone, 0)
        cards += left[group]
    return cards


@kernel
def _weigh(left: Floats, cards: Ints, high: Ints, drawn: Ints, longest: int, found: Floats) -> None:
    """For every mix the ways to draw the high cards of each row, over those to draw so many."""
    scale = np.empty(longest + 1)
    scale[0] = 1.0
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
def _by_set(own: Ints, sets: int) -> tuple[Ints, Ints]:
    """Rows in the order of the sets that they have, and where those of each set end."""
    order = np.empty(len(own), dtype=np.int64)
    ends = np.zeros(sets + 1, dtype=np.int64)
    for row in range(len(own)):
        ends[own[row] + 1] += 1
    for one in range(sets):
        ends[one + 1] += ends[one]
    for row in range(len(own)):
        order[ends[own[row]]] = row
        ends[own[row]] += 1
    return order, ends[:sets]


@kernel
def _sum(
    small: _Sets, begin: int, layout: _Layout, low_cut: int, walk: _Walk, sums: Floats
) -> None:
    """The sums of all rows for sets of small cards from a number on.

    Sets are taken by their middle cards. Only low cards are then left to be walked over.
    """
    count = len(sums) - begin
    bits = layout.shift[low_cut]
    size = 2
    while size < 2 * count:
        size *= 2
    table = np.full(size, FREE, dtype=np.int32)
    keys = np.empty(count, dtype=np.int64)
    own = np.empty(count, dtype=np.int64)
    middles = 0
    for number in range(count):
        key = small.keys[begin + number] >> bits
        place = place_of(key, table, keys)
        if table[place] == FREE:
            table[place] = middles
            keys[middles] = key
            middles += 1
        own[number] = table[place]
    order, ends = _by_set(own, middles)
    ways = np.empty(len(walk.middles))
    orders = np.empty(len(walk.place))
    left = np.empty((low_cut, _BATCH))
    drawn = np.empty((walk.longest + 1, _BATCH))
    found = np.empty((sums.shape[1], _BATCH))
    at = 0
    for middle in range(middles):
        _find_orders(small.left[begin + order[at], low_cut:], walk, ways, orders)
        while at < ends[middle]:
            some = order[at : min(at + _BATCH, ends[middle])]
            _sum_some(small.left[begin:], some, walk, orders, left, drawn, found, sums[begin:])
            at += len(some)


@kernel
def _find_orders(left: Floats, walk: _Walk, ways: Floats, orders: Floats) -> None:
    """The orders of all entries with so many middle cards left."""
    for number in range(len(ways)):
        ways[number] = 1.0
        for group in range(walk.middles.shape[1]):
            for copy in range(walk.middles[number, group]):
                ways[number] *= left[group] - copy
    for entry in range(len(orders)):
        orders[entry] = 0.0
    for number in range(len(walk.orders)):
        orders[walk.entry[number]] += walk.orders[number] * ways[walk.middle[number]]


@lasting
def _sum_some(
    small: Floats,
    some: Ints,
    walk: _Walk,
    orders: Floats,
    left: Floats,
    drawn: Floats,
    found: Floats,
    sums: Floats,
) -> None:
    """The sums of some sets that have the same middle cards."""
    size = len(some)
    for row in range(len(found)):
        for b in range(size):
            found[row, b] = 0.0
    for b in range(size):
        drawn[0, b] = 1.0
        for group in range(len(left)):
            left[group, b] = small[some[b], group]
    for entry in range(walk.first[0]):  # hands without low cards
        for b in range(size):
            found[walk.place[entry], b] += orders[entry]
    for node in range(len(walk.group)):
        level, card, used = walk.depth[node], walk.group[node], float(walk.copies[node])
        for b in range(size):
            drawn[level + 1, b] = drawn[level, b] * (left[card, b] - used)
        for entry in range(walk.first[node], walk.first[node + 1]):
            row, number = walk.place[entry], orders[entry]
            for b in range(size):
                found[row, b] += number * drawn[level + 1, b]
    for b in range(size):
        for row in range(len(found)):
            sums[some[b], row] = found[row, b]


@summing
def _join(
    order: Ints,
    ends: Ints,
    sums: Floats,
    mix: Ints,
    weights: Floats,
    up_chance: Floats,
    first: Words,
    ruling: _Ruling,
    chances: Floats,
) -> None:
    """The chances of shoes given the up card and, where it is made, an empty check.

    Shoes are taken by their small cards, so that the sums of those are at hand for all that have
    them. Rows are found by unsigned numbers, which cannot count from an end.
    """
    left_out, natural = ruling
    classes = len(first) - 1
    width = first[classes]
    rank = 0
    for small in range(len(ends)):
        own = np.uint64(small) * width
        while rank < ends[small]:
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
