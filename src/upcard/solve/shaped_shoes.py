"""The dealer's chances with the shoes of one split, whose shape is kept.

The same sums as those of `PartedShoes`. As it is known beforehand which sets of cards come up, they
are taken in an order in which many of them can be worked out side by side: sets of small cards by
their number, so that all of some sets that are met with the same high cards weigh these alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import lasting, stage
from upcard.solve.dealer import ROWS, DealerChances
from upcard.solve.dealer_terms import DealerTerms, Terms
from upcard.solve.graph import HandGraph
from upcard.solve.shoes_met import Block
from upcard.solve.split_shape import LANES, SmallCards, SplitShape, number_shoes, number_some

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEW = 8
"""Sets that are so few that it is quicker to leave the others out."""
_SPARE_ROOMS = 4
_LARGEST_SPARE = 1 << 21

_spare: list[Floats] = []
"""Room for chances that was given back: new room from the system takes time."""


class _SmallSets(NamedTuple):
    """Sets of small cards, see `SmallCards` and `HighCards`; `most` cards before any is gone."""

    gone: Floats
    most: Floats
    cards: Ints
    ends: Ints
    width: Ints


class _HighSets(NamedTuple):
    """Sets of high cards: what they leave, and how many are gone."""

    left: Floats
    gone: Ints


# Bundles have names that no other one has: numba takes time to tell them apart otherwise.
class _ClassRules(NamedTuple):
    """The classes that hands leave out and that the check rules out, or -1."""

    left_out: int
    natural: int


class _LaneRoom(NamedTuple):
    """Room for what is found of some sets side by side, see `_fill`."""

    left: Floats
    product: Floats
    sums: Floats
    joint: Floats
    ways: Floats
    weights: Floats
    scale: Floats


class ShapedShoes:
    """The shoes that hands of one split leave when cards of any of some `sides` are gone besides,
    by their numbers. `counts` are the cards before that.
    """

    def __init__(
        self,
        shape: SplitShape,
        dealer: DealerChances,
        terms: DealerTerms,
        up: int,
        counts: Ints,
        pair: int,
        sides: Ints,
    ) -> None:
        self.dealer = dealer
        self._cut = cut = dealer.high_cut
        self._pair = dealer.group_of[pair]
        gone = dealer.in_groups(sides)
        self._least = gone[:, :cut].min(axis=0)
        further = gone[:, :cut] - self._least
        assert self._pair >= cut or not np.delete(further, self._pair, axis=1).any()
        self._small: SmallCards = shape.small_cards(dealer, self._pair, int(further.max()))
        alike = sorted({tuple(side) for side in gone[:, cut:].tolist()})
        self._numbers = {side: number for number, side in enumerate(alike)}
        self._high = self._small.with_sides(tuple(alike))
        fewest = int(counts.sum() - gone.sum(axis=1).max()) - shape.most_cards
        assert fewest >= dealer.full_tree_longest
        self._room: Floats = np.empty(0)
        with suppress(IndexError):
            self._room = _spare.pop()
        wanted = self._high.shoes * dealer.classes
        if len(self._room) < wanted:
            self._room = np.empty(wanted)
        self._chances = self._room[:wanted].reshape(-1, dealer.classes)
        self._fill(terms, up, counts)

    def __len__(self) -> int:
        return self._high.shoes

    def give_room_back(self) -> None:
        """Leave the room of the chances to other shoes: these are no longer needed."""
        room, self._room, self._chances = self._room, np.empty(0), np.empty((0, 0))
        if 0 < len(room) <= _LARGEST_SPARE and len(_spare) < _SPARE_ROOMS:
            _spare.append(room)

    def chances(self, up: int) -> Floats:
        """`chances[number, class]`; `up` must be the card that they were found for."""
        return self._chances

    def numbers(self, blocks: Sequence[Block]) -> list[Ints]:
        """For every hand of some blocks the number of its shoe."""
        return [
            self._all(block.gone[None])[0]
            if block.nodes is None
            else self.beside(block.graph, block.nodes, block.gone[None])[0]
            for block in blocks
        ]

    def one_by_one(self, graph: HandGraph, gone: Ints, symbol: int, sides: int) -> list[Ints]:
        """The numbers of the shoes of all hands when some cards are gone, and with one card after
        the other of a symbol gone besides.
        """
        each = np.repeat(gone[None], sides, axis=0)
        each[:, symbol] += np.arange(sides)
        return [*self._all(each)]

    def beside(self, graph: HandGraph, nodes: Ints, gone: Ints) -> Ints:
        """`[side, node]`: the numbers of the shoes of some hands when `gone[side]` are gone."""
        small, high = self._small, self._high
        found = np.empty((len(gone), len(nodes)), dtype=np.int64)
        for own, (further, side) in zip(found, self._sides(gone), strict=True):
            number_some(nodes, high.first, small.of[further], high.step[side], small.part, own)
        return found

    def _all(self, gone: Ints) -> Ints:
        """`[side, node]` of all hands."""
        small, high = self._small, self._high
        found = np.empty((len(gone), len(small.part)), dtype=np.int64)
        for own, (further, side) in zip(found, self._sides(gone), strict=True):
            number_shoes(high.first, small.of[further], high.step[side], small.part, own)
        return found

    def _sides(self, gone: Ints) -> Iterator[tuple[int, int]]:
        """How many further cards of a pair of small cards are gone, and the number of the high ones
        that are.
        """
        pair, cut = self._pair, self._cut
        least = int(self._least[pair]) if pair < cut else 0
        for one in self.dealer.in_groups(gone).tolist():
            yield one[pair] - least if pair < cut else 0, self._numbers[tuple(one[cut:])]

    def _fill(self, terms: DealerTerms, up: int, counts: Ints) -> None:
        dealer, cut, small = self.dealer, self._cut, self._small
        left = dealer.in_groups(counts)
        left[:cut] -= self._least
        high = self._high.gone
        rows, size = len(terms.cards), len(high)
        _fill(
            terms,
            _SmallSets(
                small.gone,
                left[:cut].astype(np.float64),
                small.cards,
                small.ends,
                self._high.width,
            ),
            _HighSets(np.maximum(left[cut:] - high, 0).astype(np.float64), high.sum(axis=1)),
            int(left.sum()),
            _ClassRules(*dealer.leaves_out(up)),
            _LaneRoom(
                left=np.ones((cut + 1, LANES)),
                product=np.empty((len(terms.parent) + 1, LANES)),
                sums=np.zeros((rows, LANES)),
                joint=np.zeros((size, dealer.classes, LANES)),
                ways=np.empty((size, rows)),
                weights=np.empty((size, rows)),
                scale=np.empty(int(terms.cards.max()) + 1),
            ),
            self._chances,
        )


@lasting
def _fill(
    terms: DealerTerms,
    sets: _SmallSets,
    high: _HighSets,
    all_cards: int,
    ruling: _ClassRules,
    room: _LaneRoom,
    chances: Floats,
) -> None:
    """The chances of all shoes given the up card and, where it is made, an empty check.

    Sets that have the same number of cards are taken side by side.
    """
    left_out, natural = ruling
    left, product, sums, joint, ways, weights, scale = room
    first, cards = terms.first, terms.cards
    groups, classes, rows = len(sets.gone), joint.shape[1], len(cards)
    # Short loops that are known to be so are written out, and then no longer run side by side.
    lanes = product.shape[1]
    for number in range(len(high.gone)):
        for row in range(rows):
            found = 1.0
            for other in range(len(terms.least)):
                for copy in range(terms.least[other], terms.high[row, other]):
                    found *= high.left[number, other] - copy
            ways[number, row] = found
    for i in range(lanes):
        product[0, i] = 1.0
    begin = 0
    shoe = np.uint64(0)
    for rank in range(len(sets.ends)):
        end = sets.ends[rank]
        for number in range(sets.width[begin]):
            rest = float(all_cards - sets.cards[rank] - high.gone[number])
            scale[0] = rest
            for k in range(len(scale) - 1):
                scale[k + 1] = scale[k] / (rest - k)
            for row in range(rows):
                weights[number, row] = ways[number, row] * scale[cards[row]]
        while begin < end:
            for one in range(groups):
                most = sets.most[one]
                for i in range(lanes):
                    left[one, i] = max(most - sets.gone[one, min(begin + i, end - 1)], 0.0)
            for number in range(len(terms.parent)):
                before, one, used = terms.parent[number], terms.group[number], terms.copies[number]
                for i in range(lanes):
                    product[number + 1, i] = product[before, i] * (left[one, i] - used)
            # Class by class, so that the sums of one are at hand for all high cards.
            for c in range(classes):
                _add_fours(terms.fours, c, product, sums)
                _add_twos(terms.twos, c, product, sums)
                _add_ones(terms.ones, c, product, sums)
                wanted = min(LANES, end - begin)
                number, width = 0, sets.width[begin]
                while number < width:
                    while sets.width[begin + wanted - 1] <= number:
                        wanted -= 1
                    mine, own = weights[number], joint[number, c]
                    if wanted <= FEW:
                        _join_few(sums, mine, first[c], first[c + 1], own)
                    elif number + 1 < width:
                        number += 1
                        next_own = joint[number, c]
                        _join_two(
                            sums, mine, weights[number], first[c], first[c + 1], own, next_own
                        )
                    else:
                        _join(sums, mine, first[c], first[c + 1], own)
                    number += 1
            wanted = min(LANES, end - begin)
            for number in range(sets.width[begin]):
                own = joint[number]
                if natural >= 0:
                    for i in range(lanes):
                        empty = 1.0 - own[natural, i]
                        own[natural, i] = 1.0 / empty if empty > 0 else 0.0
                    for c in range(classes):
                        if c != natural:
                            for i in range(lanes):
                                own[c, i] *= own[natural, i]
                    for i in range(lanes):
                        own[natural, i] = 0.0
                while sets.width[begin + wanted - 1] <= number:
                    wanted -= 1
                for i in range(wanted):
                    rest = 1.0
                    for c in range(classes):
                        chances[shoe + np.uint64(i), np.uint64(c)] = own[c, i]
                        rest -= own[c, i]
                    chances[shoe + np.uint64(i), np.uint64(left_out)] = rest
                shoe += np.uint64(lanes)
            begin = min(begin + LANES, end)


@stage
def _add_fours(terms: Terms, c: int, product: Floats, sums: Floats) -> None:
    for n in range(terms.first[c], terms.first[c + 1]):
        row, number, low, middle = terms.row[n], terms.number[n], terms.low[n], terms.middle[n]
        n0, n1, n2, n3 = number[0], number[1], number[2], number[3]
        a0, a1, a2, a3 = low[0], low[1], low[2], low[3]
        b0, b1, b2, b3 = middle[0], middle[1], middle[2], middle[3]
        if terms.begins[n]:
            for i in range(LANES):
                sums[row, i] = (
                    n0 * product[a0, i] * product[b0, i]
                    + n1 * product[a1, i] * product[b1, i]
                    + n2 * product[a2, i] * product[b2, i]
                    + n3 * product[a3, i] * product[b3, i]
                )
        else:
            for i in range(LANES):
                sums[row, i] += (
                    n0 * product[a0, i] * product[b0, i]
                    + n1 * product[a1, i] * product[b1, i]
                    + n2 * product[a2, i] * product[b2, i]
                    + n3 * product[a3, i] * product[b3, i]
                )


@stage
def _add_twos(terms: Terms, c: int, product: Floats, sums: Floats) -> None:
    for n in range(terms.first[c], terms.first[c + 1]):
        row, number, low, middle = terms.row[n], terms.number[n], terms.low[n], terms.middle[n]
        n0, n1, a0, a1, b0, b1 = number[0], number[1], low[0], low[1], middle[0], middle[1]
        if terms.begins[n]:
            for i in range(LANES):
                sums[row, i] = (
                    n0 * product[a0, i] * product[b0, i] + n1 * product[a1, i] * product[b1, i]
                )
        else:
            for i in range(LANES):
                sums[row, i] += (
                    n0 * product[a0, i] * product[b0, i] + n1 * product[a1, i] * product[b1, i]
                )


@stage
def _add_ones(terms: Terms, c: int, product: Floats, sums: Floats) -> None:
    for n in range(terms.first[c], terms.first[c + 1]):
        row, number = terms.row[n], terms.number[n, 0]
        low, middle = terms.low[n, 0], terms.middle[n, 0]
        if terms.begins[n]:
            for i in range(sums.shape[1]):
                sums[row, i] = number * product[low, i] * product[middle, i]
        else:
            for i in range(sums.shape[1]):
                sums[row, i] += number * product[low, i] * product[middle, i]


@stage
def _join(sums: Floats, weights: Floats, begin: int, end: int, joint: Floats) -> None:
    """The sums of some rows, weighed, for all sets."""
    for row in range(begin, end, ROWS):
        w0, w1, w2, w3 = weights[row], weights[row + 1], weights[row + 2], weights[row + 3]
        w4, w5, w6, w7 = weights[row + 4], weights[row + 5], weights[row + 6], weights[row + 7]
        if row == begin:
            for i in range(LANES):
                joint[i] = (
                    sums[row, i] * w0
                    + sums[row + 1, i] * w1
                    + sums[row + 2, i] * w2
                    + sums[row + 3, i] * w3
                    + sums[row + 4, i] * w4
                    + sums[row + 5, i] * w5
                    + sums[row + 6, i] * w6
                    + sums[row + 7, i] * w7
                )
        else:
            for i in range(LANES):
                joint[i] += (
                    sums[row, i] * w0
                    + sums[row + 1, i] * w1
                    + sums[row + 2, i] * w2
                    + sums[row + 3, i] * w3
                    + sums[row + 4, i] * w4
                    + sums[row + 5, i] * w5
                    + sums[row + 6, i] * w6
                    + sums[row + 7, i] * w7
                )


@stage
def _join_two(
    sums: Floats, mine: Floats, other: Floats, begin: int, end: int, one: Floats, two: Floats
) -> None:
    """The same for two sets of high cards at once, so that sums are read once for both."""
    for row in range(begin, end, ROWS):
        v0, v1, v2, v3 = mine[row], mine[row + 1], mine[row + 2], mine[row + 3]
        v4, v5, v6, v7 = mine[row + 4], mine[row + 5], mine[row + 6], mine[row + 7]
        w0, w1, w2, w3 = other[row], other[row + 1], other[row + 2], other[row + 3]
        w4, w5, w6, w7 = other[row + 4], other[row + 5], other[row + 6], other[row + 7]
        if row == begin:
            for i in range(LANES):
                s0 = sums[row, i]
                s1 = sums[row + 1, i]
                s2 = sums[row + 2, i]
                s3 = sums[row + 3, i]
                s4 = sums[row + 4, i]
                s5 = sums[row + 5, i]
                s6 = sums[row + 6, i]
                s7 = sums[row + 7, i]
                one[i] = (
                    s0 * v0 + s1 * v1 + s2 * v2 + s3 * v3 + s4 * v4 + s5 * v5 + s6 * v6 + s7 * v7
                )
                two[i] = (
                    s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3 + s4 * w4 + s5 * w5 + s6 * w6 + s7 * w7
                )
        else:
            for i in range(LANES):
                s0 = sums[row, i]
                s1 = sums[row + 1, i]
                s2 = sums[row + 2, i]
                s3 = sums[row + 3, i]
                s4 = sums[row + 4, i]
                s5 = sums[row + 5, i]
                s6 = sums[row + 6, i]
                s7 = sums[row + 7, i]
                one[i] += (
                    s0 * v0 + s1 * v1 + s2 * v2 + s3 * v3 + s4 * v4 + s5 * v5 + s6 * v6 + s7 * v7
                )
                two[i] += (
                    s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3 + s4 * w4 + s5 * w5 + s6 * w6 + s7 * w7
                )


@stage
def _join_few(sums: Floats, weights: Floats, begin: int, end: int, joint: Floats) -> None:
    """The same for the first sets alone: the loop is short, and written out."""
    for row in range(begin, end, ROWS):
        w0, w1, w2, w3 = weights[row], weights[row + 1], weights[row + 2], weights[row + 3]
        w4, w5, w6, w7 = weights[row + 4], weights[row + 5], weights[row + 6], weights[row + 7]
        if row == begin:
            for i in range(FEW):
                joint[i] = (
                    sums[row, i] * w0
                    + sums[row + 1, i] * w1
                    + sums[row + 2, i] * w2
                    + sums[row + 3, i] * w3
                    + sums[row + 4, i] * w4
                    + sums[row + 5, i] * w5
                    + sums[row + 6, i] * w6
                    + sums[row + 7, i] * w7
                )
        else:
            for i in range(FEW):
                joint[i] += (
                    sums[row, i] * w0
                    + sums[row + 1, i] * w1
                    + sums[row + 2, i] * w2
                    + sums[row + 3, i] * w3
                    + sums[row + 4, i] * w4
                    + sums[row + 5, i] * w5
                    + sums[row + 6, i] * w6
                    + sums[row + 7, i] * w7
                )
