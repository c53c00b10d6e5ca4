"""The dealer's hands with one up card as sums of products, for many shoes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.solve.dealer import PartedHands

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Terms(NamedTuple):
    """Terms of sums, so many of a row together: `number[n, t]` times the products `low[n, t]` and
    `middle[n, t]` belong to `row[n]`, and `begins[n]` tells the first ones of a row. Those of a
    class are `first[class]` to `first[class + 1]`.
    """

    first: Ints
    row: Ints
    begins: npt.NDArray[np.bool_]
    number: Floats
    low: Ints
    middle: Ints


class DealerTerms(NamedTuple):
    """The dealer's hands with one up card as sums of products, see `PartedHands`.

    Products of small cards are found one from another: number n + 1 is that of `parent[n]` times
    the cards of `group[n]` that are left, less `copies[n]`; number 0 is one. The terms of a row are
    taken by `fours`, then `twos`, then `ones`. The up card itself is left out of products: there it
    is of a group behind all small ones, which has one card; and of `high`.
    """

    parent: Ints
    group: Ints
    copies: Floats
    fours: Terms
    twos: Terms
    ones: Terms
    high: Ints
    least: Ints
    cards: Ints
    first: Ints


_Term = tuple[float, int, int]


def dealer_terms(hands: PartedHands, up: int) -> DealerTerms:
    """The terms of all hands with an up card, a group."""
    tree = hands.tree
    parent, path = [], [0]
    for node, depth in enumerate(tree.depth.tolist()):
        parent.append(path[depth])
        path[depth + 1 :] = [node + 1]
    group, copies = tree.group.tolist(), tree.copies.tolist()
    # Sets of middle cards, and the smaller ones that lead to them card by card.
    numbers: dict[tuple[int, ...], int] = {(): 0}
    products = []
    for cards in hands.middles.tolist():
        drawn: tuple[int, ...] = ()
        for other, count in enumerate(cards):
            for copy in range(count):
                before, drawn = drawn, (*drawn, other)
                if drawn not in numbers:
                    parent.append(numbers[before])
                    group.append(hands.low_cut + other)
                    copies.append(copy)
                    numbers[drawn] = len(parent)
        products.append(numbers[drawn])
    shown = [one == up and copy == 0 for one, copy in zip(group, copies, strict=True)]
    low = np.searchsorted(tree.first, hands.entry, side="right").tolist()
    middle = np.array(products)[hands.middle].tolist()
    rows = tree.place[hands.entry].tolist()
    of_row: dict[int, list[_Term]] = {}
    for row, *term in zip(rows, hands.orders.tolist(), low, middle, strict=True):
        of_row.setdefault(row, []).append((term[0], term[1], term[2]))
    together: dict[int, list[tuple[int, bool, list[_Term]]]] = {4: [], 2: [], 1: []}
    for row, terms in sorted(of_row.items()):
        begin = 0
        for size, some in together.items():
            while len(terms) - begin >= size:
                some.append((row, begin == 0, terms[begin : begin + size]))
                begin += size
    fours, twos, ones = (_terms(hands.first, size, some) for size, some in together.items())
    return DealerTerms(
        parent=np.array(parent, dtype=np.int64),
        group=np.where(shown, hands.high_cut, np.array(group, dtype=np.int64)),
        copies=np.array(copies, dtype=np.float64),
        fours=fours,
        twos=twos,
        ones=ones,
        high=hands.high,
        least=(np.arange(hands.high.shape[1]) == up - hands.high_cut).astype(np.int64),
        cards=hands.cards,
        first=hands.first,
    )


def _terms(first: Ints, size: int, some: Sequence[tuple[int, bool, Sequence[_Term]]]) -> Terms:
    """Terms of rows in their order, those of a class being `first[class]` to `first[class + 1]`."""
    each = np.array([terms for _, _, terms in some], dtype=np.float64).reshape(-1, size, 3)
    rows = np.array([row for row, _, _ in some], dtype=np.int64)
    return Terms(
        first=np.searchsorted(rows, first),
        row=rows,
        begins=np.array([begins for _, begins, _ in some], dtype=np.bool_),
        number=np.ascontiguousarray(each[..., 0]),
        low=np.ascontiguousarray(each[..., 1]).astype(np.int64),
        middle=np.ascontiguousarray(each[..., 2]).astype(np.int64),
    )
