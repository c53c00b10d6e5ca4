"""The dealer's chances with the shoes of one split, whose shape is kept.

The same sums as those of `PartedShoes`. As it is known beforehand which sets of cards come up, they
are taken in an order in which many of them can be worked out side by side: sets of small cards by
their number, so that all of some sets that are met with the same high cards weigh these alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import summing
from upcard.solve.dealer import DealerChances, PartedHands
from upcard.solve.graph import HandGraph
from upcard.solve.shoes_met import Block
from upcard.solve.split_shape import SmallCards, SplitShape, number_shoes, number_some

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LANES = 32
"""Sets of small cards that are taken together."""
_TERMS = 4
_SPARE_ROOMS = 4
_LARGEST_SPARE = 1 << 21

_spare: list[Floats] = []
"""Room for chances that was given back: new room from the system takes time."""


class DealerTerms(NamedTuple):
    """The dealer's hands with one up card as sums of products, see `PartedHands`.

    Products of small cards are found one from another: number n + 1 is that of `parent[n]` times
    the cards of `group[n]` that are left, less `copies[n]`; number 0 is one. The sum of a row has
    the terms `orders[t]` times the products `low[t]` and `middle[t]`, always some that follow each
    other: those from `_TERMS` times n on belong to `row[n]`, and `begins[n]` tells the first ones.
    """

    parent: Ints
    group: Ints
    copies: Floats
    row: Ints
    begins: npt.NDArray[np.bool_]
    orders: Floats
    low: Ints
    middle: Ints
    high: Ints
    cards: Ints
    first: Ints


def dealer_terms(hands: PartedHands) -> DealerTerms:
    """The terms of some hands."""
    tree = hands.tree
    parent, path = [], [0]
    for node, depth in enumerate(tree.depth.tolist()):
        parent.append(path[depth])
        path[depth + 1 :] = [node + 1]
    group, copies = tree.group.tolist(), tree.copies.tolist()
    numbers: dict[tuple[int, ...], int] = {}
    for cards in hands.middles.tolist():
        made: tuple[int, ...] = (0,) * len(cards)
        own = 0
        for other, count in enumerate(cards):
            for copy in range(count):
                made = (*made[:other], copy + 1, *made[other + 1 :])
                if made not in numbers:
                    parent.append(own)
                    group.append(hands.low_cut + other)
                    copies.append(copy)
                    numbers[made] = len(parent)
                own = numbers[made]
        numbers[tuple(cards)] = own
    low = np.searchsorted(tree.first, hands.entry, side="right")
    middle = np.array([numbers[tuple(cards)] for cards in hands.middles.tolist()])[hands.middle]
    row = tree.place[hands.entry]
    terms: list[tuple[float, int, int]] = []
    rows: list[int] = []
    begins: list[bool] = []
    for one in np.unique(row).tolist():
        own_terms = np.flatnonzero(row == one)
        terms += [*zip(hands.orders[own_terms], low[own_terms], middle[own_terms], strict=True)]
        size = -(-len(own_terms) // _TERMS)
        terms += [(0.0, 0, 0)] * (size * _TERMS - len(own_terms))
        rows += [one] * size
        begins += [True] + [False] * (size - 1)
    return DealerTerms(
        parent=np.array(parent),
        group=np.array(group),
        copies=np.array(copies, dtype=np.float64),
        row=np.array(rows),
        begins=np.array(begins),
        orders=np.array([term[0] for term in terms]),
        low=np.array([term[1] for term in terms]),
        middle=np.array([term[2] for term in terms]),
        high=hands.high,
        cards=hands.cards,
        first=hands.first,
    )


class _Sets(NamedTuple):
    """Sets of small cards, see `SmallCards` and `HighCards`; `most` cards before any is gone."""

    gone: Floats
    most: Floats
    cards: Ints
    ends: Ints
    width: Ints
    first: Ints


class _High(NamedTuple):
    """Sets of high cards: what they leave, and how many are gone."""

    left: Floats
    gone: Ints


class _Ruling(NamedTuple):
    """The group of the up card, and the classes that hands leave out and the check rules out."""

    up: int
    left_out: int
    natural: int


class _Room(NamedTuple):
    """Room for what is found of some sets side by side, see `_fill`."""

    left: Floats
    product: Floats
    sums: Floats
    joint: Floats
    whole: Floats
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
        sides: Sequence[Ints],
    ) -> None:
        self.dealer = dealer
        self._cut = cut = dealer.high_cut
        self._pair = dealer.group_of[pair]
        self._before = np.asarray(dealer.in_groups(np.array(sides)))
        self._least = self._before[:, :cut].min(axis=0)
        most = int(self._further(self._before).max())
        self._small: SmallCards = shape.small_cards(dealer, self._pair, most)
        alike = {tuple(gone) for gone in self._before[:, cut:].tolist()}
        self._numbers = {side: number for number, side in enumerate(sorted(alike))}
        self._high = self._small.with_sides(tuple(self._numbers))
        fewest = counts.sum() - self._before.sum(axis=1).max() - shape.most_cards
        assert fewest >= dealer.full_tree_longest
        self._room: Floats = np.empty(0)
        with suppress(IndexError):
            self._room = _spare.pop()
        wanted = self._high.shoes * dealer.classes
        if len(self._room) < wanted:
            self._room = np.empty(wanted)
        self._chances = self._room[:wanted].reshape(-1, dealer.classes)
        self._fill(terms, up, counts)

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
            self._all(block.gone)
            if block.nodes is None
            else self.beside(block.graph, block.nodes, block.gone[None])[0]
            for block in blocks
        ]

    def one_by_one(self, graph: HandGraph, gone: Ints, symbol: int, sides: int) -> list[Ints]:
        """The numbers of the shoes of all hands when some cards are gone, and with one card after
        the other of a symbol gone besides.
        """
        gone = gone.copy()
        found = [self._all(gone)]
        for _ in range(sides - 1):
            gone[symbol] += 1
            found.append(self._all(gone))
        return found

    def beside(self, graph: HandGraph, nodes: Ints, gone: Ints) -> Ints:
        """`[side, node]`: the numbers of the shoes of some hands when `gone[side]` are gone."""
        small, high = self._small, self._high
        found = np.empty((len(gone), len(nodes)), dtype=np.int64)
        for own, one in zip(found, self.dealer.in_groups(gone), strict=True):
            further, side = self._side(one)
            number_some(nodes, high.first, small.of[further], high.number[side], small.part, own)
        return found

    def _all(self, gone: Ints) -> Ints:
        small, high = self._small, self._high
        found = np.empty(len(small.part), dtype=np.int64)
        further, side = self._side(self.dealer.in_groups(gone))
        number_shoes(high.first, small.of[further], high.number[side], small.part, found)
        return found

    def _side(self, gone: Ints) -> tuple[int, int]:
        """How many further cards of the pair are gone, and the number of the high cards."""
        return int(self._further(gone[None])[0]), self._numbers[tuple(gone[self._cut :].tolist())]

    def _further(self, gone: Ints) -> Ints:
        """Cards of the pair that are gone besides those that always are, where these are small."""
        if self._pair >= self._cut:
            return np.zeros(len(gone), dtype=np.int64)
        return np.asarray(gone[:, self._pair] - self._least[self._pair])

    def _fill(self, terms: DealerTerms, up: int, counts: Ints) -> None:
        dealer, cut, small = self.dealer, self._cut, self._small
        left = dealer.in_groups(counts)
        left[:cut] -= self._least
        high = self._high.gone
        rows, size = len(terms.cards), len(high)
        _fill(
            terms,
            _Sets(
                small.gone,
                left[:cut].astype(np.float64),
                small.cards,
                small.ends,
                self._high.width,
                self._high.first,
            ),
            _High(np.maximum(left[cut:] - high, 0).astype(np.float64), high.sum(axis=1)),
            int(left.sum()),
            _Ruling(up, *dealer.leaves_out(up)),
            _Room(
                left=np.empty((cut, LANES)),
                product=np.empty((len(terms.parent) + 1, LANES)),
                sums=np.zeros((rows, LANES)),
                joint=np.empty((dealer.classes, LANES)),
                whole=np.empty(LANES),
                ways=np.empty((size, rows)),
                weights=np.empty((size, rows)),
                scale=np.empty(int(terms.cards.max()) + 1),
            ),
            self._chances,
        )


@summing
def _fill(
    terms: DealerTerms,
    sets: _Sets,
    high: _High,
    all_cards: int,
    ruling: _Ruling,
    room: _Room,
    chances: Floats,
) -> None:
    """The chances of all shoes given the up card and, where it is made, an empty check."""
    parent, group, copies, row_of, begins, orders, low, middle, drawn_high, cards, first = terms
    up, left_out, natural = ruling
    left, product, sums, joint, whole, ways, weights, scale = room
    groups, classes, rows = len(left), len(joint), len(cards)
    for number in range(len(high.gone)):
        for row in range(rows):
            found = 1.0
            for other in range(drawn_high.shape[1]):
                for copy in range(drawn_high[row, other]):
                    found *= high.left[number, other] - copy
            ways[number, row] = found
    for i in range(LANES):
        product[0, i] = 1.0
    begin = 0
    for rank in range(len(sets.ends)):
        end = sets.ends[rank]
        for number in range(sets.width[begin]):
            rest = float(all_cards - sets.cards[rank] - high.gone[number])
            scale[0] = 1.0
            for k in range(len(scale) - 1):
                scale[k + 1] = scale[k] / (rest - k) if rest > k else 0.0
            for row in range(rows):
                weights[number, row] = ways[number, row] * scale[cards[row]]
        while begin < end:
            for one in range(groups):
                most = sets.most[one]
                for i in range(LANES):
                    own = min(begin + i, end - 1)
                    left[one, i] = max(most - sets.gone[one, own], 0.0)
            for number in range(len(parent)):
                before, one, used = parent[number], group[number], copies[number]
                for i in range(LANES):
                    product[number + 1, i] = product[before, i] * (left[one, i] - used)
            for some in range(len(row_of)):
                row, t = row_of[some], some * _TERMS
                n0, n1, n2, n3 = orders[t], orders[t + 1], orders[t + 2], orders[t + 3]
                a0, a1, a2, a3 = low[t], low[t + 1], low[t + 2], low[t + 3]
                b0, b1, b2, b3 = middle[t], middle[t + 1], middle[t + 2], middle[t + 3]
                if begins[some]:
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
            wanted = min(LANES, end - begin)
            for number in range(sets.width[begin]):
                while sets.width[begin + wanted - 1] <= number:
                    wanted -= 1
                rest = float(all_cards - sets.cards[rank] - high.gone[number])
                if up < groups:
                    for i in range(LANES):
                        whole[i] = left[up, i] / rest
                else:
                    for i in range(LANES):
                        whole[i] = high.left[number, up - groups] / rest
                for c in range(classes):
                    for i in range(LANES):
                        joint[c, i] = 0.0
                    for row in range(first[c], first[c + 1], 8):
                        w0, w1 = weights[number, row], weights[number, row + 1]
                        w2, w3 = weights[number, row + 2], weights[number, row + 3]
                        w4, w5 = weights[number, row + 4], weights[number, row + 5]
                        w6, w7 = weights[number, row + 6], weights[number, row + 7]
                        for i in range(LANES):
                            joint[c, i] += (
                                sums[row, i] * w0
                                + sums[row + 1, i] * w1
                                + sums[row + 2, i] * w2
                                + sums[row + 3, i] * w3
                                + sums[row + 4, i] * w4
                                + sums[row + 5, i] * w5
                                + sums[row + 6, i] * w6
                                + sums[row + 7, i] * w7
                            )
                for i in range(LANES):
                    joint[left_out, i] = whole[i]
                for c in range(classes):
                    if c != left_out:
                        for i in range(LANES):
                            joint[left_out, i] -= joint[c, i]
                if natural >= 0:
                    for i in range(LANES):
                        whole[i] -= joint[natural, i]
                        joint[natural, i] = 0.0
                for i in range(LANES):
                    whole[i] = 1.0 / whole[i] if whole[i] > 0 else 0.0
                for i in range(wanted):
                    shoe = sets.first[begin + i] + number
                    for c in range(classes):
                        chances[shoe, c] = joint[c, i] * whole[i]
            begin = min(begin + LANES, end)
