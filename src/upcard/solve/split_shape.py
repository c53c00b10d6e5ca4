"""What hands of a split have in common whatever the shoe: kept from hand to hand.

The graph of a split hand is that of the full shoe: where the shoe holds fewer cards, some nodes
have no chance, and what is found there counts for nothing. So are the sets of cards that its hands
leave the dealer, in two parts (see `PartedShoes`): small cards and high ones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import lasting
from upcard.solve.dealer import DealerChances
from upcard.solve.graph import HandGraph

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

LANES = 32
"""Sets of small cards that are taken side by side."""
MOST_NODES = 1 << 16
"""Nodes of all shapes that are kept, some 300 bytes each with what belongs to them."""
_MOST_SIDES = 16
"""How often high cards of one shape are numbered, for whatever cards are gone besides."""
_COUNT_BITS = 6
"""Of the number of cards of a group that are gone, in the key of a set."""
MOST_SMALL_GROUPS = 10
"""Groups of small cards that a key has room for."""

Side = tuple[int, ...]
"""High cards that are gone besides those of a hand, by groups."""


class HighCards(NamedTuple):
    """Sets of high cards that are gone when those of some sides are, besides the hands'.

    `gone[set]` are those sets. Sets of small cards are met with the first `width[set]` of them. As
    LANES sets of small cards are taken side by side, the shoe of one with high cards has the number
    `first[set]`, and what `step[side, part]` says more of a hand with a part of the shape. There is
    room for so many `shoes`.
    """

    gone: Ints
    step: Ints
    width: Ints
    first: Ints
    shoes: int


class SmallCards:
    """Sets of small cards that hands of a graph take, one by one with up to `most` further cards of
    a group gone, and the high cards that they are met with.

    Sets are in the order of their number of cards: `ends[n]` is where those of the n-th number end.
    Among these, those with more parts of high cards come first. `gone[group, set]` are their cards;
    `of[further, node]` is the set of a node's hand, `part[node]` its high cards `parts[part]`, and
    a set comes with the first `parts_of[set]` of them.
    """

    def __init__(self, dealer: DealerChances, graph: HandGraph, group: int, most: int) -> None:
        cut = dealer.high_cut
        taken = dealer.in_groups(graph.taken.astype(np.int64))
        small = _packed(taken[:, :cut])
        self.is_small = group < cut
        further = np.arange(most + 1 if self.is_small else 1)
        each = small + (further[:, None] << (_COUNT_BITS * group if self.is_small else 0))
        keys, own = np.unique(each, return_inverse=True)
        own = own.reshape(each.shape)
        high, part = np.unique(_packed(taken[:, cut:]), return_inverse=True)
        part = part.reshape(-1)
        # Parts that come with more sets come first, so that sets need the first ones alone.
        together = np.unique(own * len(high) + part)
        rank = _ranked(-np.bincount(together % len(high)))
        parts_of = np.zeros(len(keys), dtype=np.int64)
        np.maximum.at(parts_of, together // len(high), rank[together % len(high)] + 1)
        gone = _unpacked(keys, cut)
        cards = gone.sum(axis=1)
        order = np.lexsort([keys, -parts_of, cards])
        self.gone = np.ascontiguousarray(gone[order].T.astype(np.float64))
        self.cards = np.unique(cards)
        self.ends = np.searchsorted(cards[order], self.cards, side="right")
        self.parts_of = parts_of[order]
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        self.of = place[own].astype(np.int32)
        self.part = rank[part].astype(np.int32)
        self.parts = np.empty((len(high), dealer.size - cut), dtype=np.int64)
        self.parts[rank] = _unpacked(high, dealer.size - cut)
        self._sides: dict[tuple[Side, ...], HighCards] = {}

    def with_sides(self, sides: tuple[Side, ...]) -> HighCards:
        """The high cards with each of some sides gone besides."""
        found = self._sides.get(sides)
        if found is None:
            if len(self._sides) >= _MOST_SIDES:
                self._sides.clear()
            found = self._sides[sides] = self._number(sides)
        return found

    def _number(self, sides: tuple[Side, ...]) -> HighCards:
        numbers: dict[tuple[int, ...], int] = {}
        number = np.empty((len(sides), len(self.parts)), dtype=np.int64)
        width = [0]
        for part, own in enumerate(self.parts):
            for side, gone in enumerate(sides):
                key = tuple((own + gone).tolist())
                number[side, part] = numbers.setdefault(key, len(numbers))
            width.append(len(numbers))
        widths = np.array(width)[self.parts_of]
        first = np.empty_like(widths)
        shoes = begin = 0
        for end in self.ends.tolist():
            while begin < end:
                some = min(LANES, end - begin)
                first[begin : begin + some] = shoes + np.arange(some)
                shoes += int(widths[begin]) * LANES
                begin += some
        return HighCards(np.array([*numbers]), number * LANES, widths, first, shoes)


class SplitShape:
    """The graph of a split hand from the full shoe, and what was found of it so far."""

    def __init__(self, graph: HandGraph) -> None:
        self.graph = graph
        self.most_cards = int(graph.taken.sum(axis=1).max())
        self.doubled: dict[int, Ints] = {}
        """By up card the numbers of doubles that hands may come to have, see `mark_doubled`."""
        self.exchanged: Ints | None = None
        """Hands that decide on a bonus card as all policies do."""
        self._small: dict[tuple[int, int], SmallCards] = {}

    def small_cards(self, dealer: DealerChances, group: int, most: int) -> SmallCards:
        """Its sets of small cards, with up to so many further cards of a group gone."""
        found = self._small.get((group, most))
        if found is None:
            found = self._small[group, most] = SmallCards(dealer, self.graph, group, most)
        return found


class SplitShapes:
    """Shapes that are kept, those that were not asked for lately being given up.

    Threads may ask at the same time: at worst both make the same shape.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, SplitShape] = OrderedDict()
        self._one = Lock()

    def get(self, key: Hashable, make: Callable[[], HandGraph]) -> SplitShape:
        """The shape of a key, with a graph that is made where it is not kept."""
        with self._one:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        found = SplitShape(make())
        with self._one:
            found = self._kept.setdefault(key, found)
            while self.nodes > MOST_NODES and len(self._kept) > 1:
                self._kept.popitem(last=False)
        return found

    @property
    def nodes(self) -> int:
        """Nodes of all shapes that are kept."""
        return sum(len(shape.graph) for shape in self._kept.values())


def _packed(counts: Ints) -> Ints:
    """Sets of cards as numbers."""
    return np.asarray(counts @ (1 << (_COUNT_BITS * np.arange(counts.shape[1]))))


def _unpacked(keys: Ints, groups: int) -> Ints:
    return np.asarray(keys[:, None] >> (_COUNT_BITS * np.arange(groups)) & ((1 << _COUNT_BITS) - 1))


def _ranked(values: Ints) -> Ints:
    """The rank of each value, the smallest first."""
    found = np.empty_like(values)
    found[np.argsort(values, kind="stable")] = np.arange(len(values))
    return found


@lasting
def number_shoes(first: Ints, small: Shorts, step: Ints, part: Shorts, found: Ints) -> None:
    """The numbers of the shoes that hands leave, by their small and high cards."""
    for node in range(len(found)):
        found[node] = first[small[node]] + step[part[node]]


@lasting
def number_some(
    nodes: Ints, first: Ints, small: Shorts, step: Ints, part: Shorts, found: Ints
) -> None:
    """The numbers of the shoes that some hands leave."""
    for rank in range(len(nodes)):
        node = nodes[rank]
        found[rank] = first[small[node]] + step[part[node]]
