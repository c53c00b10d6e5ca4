"""The dealer's results from any shoe: all hands the dealer can end with, as one tree.

The chance of a dealer's hand depends on its cards, not on their order. So every hand is kept once,
as a sorted set of cards, with the number of orders in which the rules let it arise for each up
card. One walk over the tree of these sets prices every up card at once, for a batch of shoes side
by side.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from upcard.compile.dealer import DealerAutomaton
from upcard.jit import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Number = TypeVar("Number", np.float64, np.int64)

CHUNK = 1 << 25
"""Sums that are worked out in one go; all cores share the work on more than that."""
BATCH = 256
"""Shoes that one walk over the tree serves."""
ROWS = 8
"""Rows that are added up side by side."""
_LOW_GROUPS = 3
_HIGH_GROUPS = 3
"""Groups of low cards: most hands have some of them. Of high cards: few hands hold them, of the
dealer and of players.
"""


@dataclass(frozen=True)
class HandTree:
    """Hands of the dealer as a tree over sorted cards, in preorder.

    A node adds the card `group[node]`, of which its path holds `copies[node]` already. The hand
    that a node completes, if any, has the entries `first[node]` to `first[node + 1]`: for the
    place `place[entry]` (up card and final class) the number of orders that lead to it. Entries
    before those of the first node are of a hand without cards.
    """

    group: Ints
    copies: Ints
    depth: Ints
    first: Ints
    place: Ints
    orders: Floats
    longest: int


@dataclass(frozen=True)
class PartedHands:
    """Hands of the dealer as their low, middle and high cards: groups before `low_cut`, before
    `high_cut`, and others.

    A hand's chance is a product of what its low, middle and high cards and its number of cards
    give. So hands are put together in rows by the last two and their class. `high[row]` counts the
    high cards, `cards[row]` all; the rows of a class are `first[class]` to `first[class + 1]`,
    filled up with empty ones to a multiple of ROWS.

    A row's sum over the other cards is found by a walk over the `tree` of low cards, whose places
    are rows, with orders that depend on the middle cards: those of the entry `entry[n]` are made of
    `orders[n]` times the ways to draw the set `middle[n]`. `middles[set]` counts its cards.
    """

    low_cut: int
    high_cut: int
    tree: HandTree
    entry: Ints
    middle: Ints
    orders: Floats
    middles: Ints
    high: Ints
    cards: Ints
    first: Ints


class DealerChances:
    """What the dealer's rules make of a shoe."""

    def __init__(self, automaton: DealerAutomaton) -> None:
        self.automaton = automaton
        self.classes = len(automaton.classes)
        self.groups, self.group_of = _groups(automaton)
        self.natural_class = next(
            (n for n, found in enumerate(automaton.classes) if found.is_natural), -1
        )
        self._trees: dict[tuple[tuple[int, ...], bool], HandTree] = {}
        self._parted: dict[int, PartedHands] = {}

    @property
    def size(self) -> int:
        """Number of up cards that the dealer's rules tell apart."""
        return len(self.groups)

    @cached_property
    def hidden(self) -> npt.NDArray[np.bool_]:
        """`hidden[up, hole]`: hole cards that the check rules out."""
        automaton = self.automaton
        return np.asarray(automaton.natural & automaton.checks[:, None])

    def looks(self, up: int) -> int:
        """The down cards that the check looks at; one lies there if nothing is looked for."""
        return self.automaton.looks if self.hidden[up].any() else 1

    @cached_property
    def _ruled_out(self) -> npt.NDArray[np.bool_]:
        """`[up, group]`: cards of which the dealer has none at all once the check was empty.

        Only where it has seen all that the dealer may draw: with one hole card, further cards may
        well be such as make a natural.
        """
        found = np.zeros((self.size, self.size), dtype=np.bool_)
        if self.automaton.looks > 1:
            for up, symbol in enumerate(self.groups):
                found[up, np.array(self.group_of)[self.hidden[symbol]]] = True
        return found

    @cached_property
    def _hands(self) -> tuple[Ints, Ints, int]:
        automaton = self.automaton
        moves = np.ascontiguousarray(automaton.next[:, self.groups]).astype(np.int64)
        draws = np.ascontiguousarray(automaton.draws)
        final = automaton.final_class.astype(np.int64)
        bits = 60 // len(self.groups) if len(self.groups) > 10 else 6
        keys = places = np.empty(0, dtype=np.int64)
        rules = (moves, draws, final, automaton.start, self.classes, bits)
        count = _orders(*rules, keys, places)
        keys, places = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        _orders(*rules, keys, places)
        return keys, places, bits

    def _tree(self, ups: tuple[int, ...], *, lean: bool) -> HandTree:
        """The tree for some groups of up cards, places in their order.

        A lean one leaves out, for each up card, the class with most hands.
        """
        if (ups, lean) not in self._trees:
            keys, places, bits = self._hands
            kept = np.isin(places // self.classes, ups)
            if lean:
                kept &= ~np.isin(places, self.left_out)
            keys, places = keys[kept], places[kept]
            rank = np.searchsorted(ups, places // self.classes)
            places = rank * self.classes + places % self.classes
            width = len(ups) * self.classes
            once = np.ones(len(keys), dtype=np.int64)
            self._trees[ups, lean] = _build_tree(keys, places, once, bits, len(self.groups), width)
        return self._trees[ups, lean]

    def parted(self, up: int) -> PartedHands:
        """Hands with an up card, a group, but for those of the class that is left out."""
        if up not in self._parted:
            keys, places, bits = self._hands
            kept = (places // self.classes == up) & (places != self.left_out[up])
            cuts = min(_LOW_GROUPS, self.high_cut), self.high_cut
            own = keys[kept], places[kept] % self.classes
            self._parted[up] = _part_hands(*own, bits, self.size, self.classes, cuts)
        return self._parted[up]

    @property
    def high_cut(self) -> int:
        """The first group of high cards."""
        return max(1, self.size - _HIGH_GROUPS)

    def takes_apart(self, up: int) -> bool:
        """Whether chances with an up card, a group, may be found from hands that were parted."""
        return not self._ruled_out[up].any()

    def leaves_out(self, up: int) -> tuple[int, int]:
        """With an up card, a group: the class that is left out, and the one that the check rules
        out, or -1.
        """
        checked = bool(self.automaton.checks[self.groups[up]])
        left_out = int(self.left_out[up]) - up * self.classes
        return left_out, self.natural_class if checked else -1

    @cached_property
    def left_out(self) -> Ints:
        """For each up card the place of the class that the lean tree leaves out."""
        _, places, _ = self._hands
        counts = np.bincount(places, minlength=self.size * self.classes)
        worst = counts.reshape(self.size, self.classes).argmax(axis=1)
        return np.asarray(worst + np.arange(self.size) * self.classes)

    def chances(self, shoes: Floats, *, step: float, ups: tuple[int, ...] | None = None) -> Floats:
        """`chances[up, shoe, class]` for shoes given by the counts of their symbols.

        Up cards are groups of symbols, all of them unless some are given. The up card is still in
        the shoe.
        Classes that the check rules out have chance 0, the others add up to 1, or to less where the
        shoe may run out under the dealer. A shoe without the up card has zeros. With `step` 0 cards
        are put back: the infinite shoe.
        """
        number = self.size if ups is None else len(ups)
        found = np.zeros((number, len(shoes), self.classes))
        self.fill_chances(self.in_groups(shoes), found, step=step, ups=ups)
        return found

    def in_groups(self, shoes: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Shoes, or one, by the groups of cards that the dealer's rules tell apart."""
        matrix = self._members if shoes.dtype == np.int64 else self._members.astype(shoes.dtype)
        return np.asarray(shoes @ matrix)

    @cached_property
    def _members(self) -> Ints:
        """`[symbol, group]`: 1 where the symbol is of the group."""
        return np.asarray(np.eye(self.size, dtype=np.int64)[self.group_of])

    def fill_chances(
        self, shoes: Floats, chances: Floats, *, step: float, ups: tuple[int, ...] | None = None
    ) -> None:
        """The `chances`, all zero before, for shoes given by the counts of groups.

        Down cards that the check has all seen are as if drawn from a shoe without those that it
        rules out.
        """
        ups = tuple(range(self.size)) if ups is None else ups
        ruled_out = self._ruled_out[list(ups)]
        alike = {tuple(row): row for row in ruled_out.tolist()}
        for key, row in alike.items():
            numbers = [n for n, other in enumerate(ruled_out.tolist()) if tuple(other) == key]
            if len(alike) == 1 and not any(row):
                self._fill(shoes, chances, step=step, ups=ups)
                return
            found = np.zeros((len(numbers), *chances.shape[1:]))
            left = np.where(row, 0.0, shoes)
            self._fill(left, found, step=step, ups=tuple(ups[n] for n in numbers))
            chances[numbers] = found

    def _fill(self, shoes: Floats, chances: Floats, *, step: float, ups: tuple[int, ...]) -> None:
        """The `chances` with some up cards, all zero before."""
        fewest = (shoes @ np.ones(self.size)).min() if len(shoes) else 0
        lean = step == 0 or fewest >= self.full_tree_longest
        tree = self._tree(ups, lean=lean)
        own = np.array(ups)
        left_out = self.left_out[own] - own * self.classes if lean else np.full(len(ups), -1)
        checked = self.automaton.checks[self.groups][own]
        natural = np.where(checked, self.natural_class, -1)

        size = max(BATCH, CHUNK // (len(tree.group) + len(tree.place)))

        def work(begin: int) -> None:
            part = slice(begin, begin + size)
            joint = np.zeros((len(shoes[part]), len(ups) * self.classes))
            walk(
                shoes[part],
                step,
                tree.group,
                tree.copies,
                tree.depth,
                tree.first,
                tree.place,
                tree.orders,
                tree.longest,
                True,
                BATCH,
                joint,
            )
            _condition(shoes[part], own, left_out, natural, joint, chances[:, part])

        parts = range(0, len(shoes), size)
        if len(parts) > 1:
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                list(pool.map(work, parts))
        else:
            for begin in parts:
                work(begin)

    @cached_property
    def full_tree_longest(self) -> int:
        """The most cards of a dealer's hand."""
        keys, _, bits = self._hands
        total = np.zeros(len(keys), dtype=np.int64)
        for group in range(len(self.groups)):
            total += (keys >> (bits * group)) & ((1 << bits) - 1)
        return int(total.max())


def _groups(automaton: DealerAutomaton) -> tuple[list[int], list[int]]:
    """Symbols that the dealer's rules do not tell apart: one of each group, and every group."""
    seen: dict[Any, int] = {}
    members: list[int] = []
    group_of: list[int] = []
    for symbol in range(automaton.next.shape[1]):
        key = (
            automaton.next[:, symbol].tobytes(),
            bool(automaton.checks[symbol]),
            automaton.natural[symbol].tobytes(),
        )
        if key not in seen:
            seen[key] = len(members)
            members.append(symbol)
        group_of.append(seen[key])
    return members, group_of


def _build_tree(
    keys: Ints, places: Ints, numbers: Ints, bits: int, groups: int, width: int
) -> HandTree:
    """A tree of hands that each arise in so many orders; a hand may be given more than once."""
    combined, own = np.unique(keys * width + places, return_inverse=True)
    orders = np.bincount(own, weights=numbers).astype(np.float64)
    hands, place = combined // width, combined % width
    mask = (1 << bits) - 1
    counts = np.stack([(hands >> (bits * group)) & mask for group in range(groups)], axis=1)
    # Preorder: by the sorted cards of the hand, the end of a hand before any further card.
    longest = int(counts.sum(axis=1).max())
    ends = np.cumsum(counts, axis=1)
    cards = [(ends <= column).sum(axis=1) for column in range(longest)]
    cards = [np.where(card == groups, -1, card) for card in cards]
    rank = np.lexsort(cards[::-1]) if cards else np.arange(len(hands))
    counts, place, orders = counts[rank], place[rank], orders[rank]
    size = int(counts.sum()) + 1
    arrays = [np.zeros(size, dtype=np.int64) for _ in range(4)]
    nodes = _link(counts, *arrays)
    group, copies, depth, first = (array[:nodes] for array in arrays)
    first = np.append(first, len(place))
    return HandTree(
        group, copies, depth, first, place, orders, int(depth.max()) + 1 if nodes else 0
    )


def _part_hands(
    keys: Ints, classes: Ints, bits: int, groups: int, all_classes: int, cuts: tuple[int, int]
) -> PartedHands:
    """Hands with their classes, a hand for every order of its cards, as rows and a tree."""
    low_cut, high_cut = cuts
    combined, numbers = np.unique(keys * all_classes + classes, return_counts=True)
    keys, classes = np.divmod(combined, all_classes)
    counts = np.stack([(keys >> (bits * g)) & ((1 << bits) - 1) for g in range(groups)], axis=1)
    parts = np.column_stack([classes, counts.sum(axis=1), counts[:, high_cut:]])
    kinds, row = np.unique(parts, axis=0, return_inverse=True)
    inside = np.bincount(kinds[:, 0], minlength=all_classes)
    first = np.cumsum([0, *(-(-inside // ROWS) * ROWS)])
    begin = np.cumsum([0, *inside[:-1]])
    at = np.arange(len(kinds)) - begin[kinds[:, 0]] + first[kinds[:, 0]]
    high = np.zeros((first[-1], groups - high_cut), dtype=np.int64)
    cards = np.zeros(first[-1], dtype=np.int64)
    high[at], cards[at] = kinds[:, 2:], kinds[:, 1]
    middles, middle = np.unique(counts[:, low_cut:high_cut], axis=0, return_inverse=True)
    # Places are first pairs of a row and a set of middle cards: those of a row follow each other.
    places = at[row.reshape(-1)] * len(middles) + middle.reshape(-1)
    low = keys & ((1 << (bits * low_cut)) - 1)
    tree = _build_tree(low, places, numbers, bits, low_cut, int(first[-1]) * len(middles))
    own, of_middle = np.divmod(tree.place, len(middles))
    node = np.searchsorted(tree.first, np.arange(len(own)), side="right")
    begins = np.append(True, (np.diff(node) != 0) | (np.diff(own) != 0))
    ends = np.append(0, np.cumsum(begins))
    rows = replace(tree, first=ends[tree.first], place=own[begins], orders=np.empty(0))
    return PartedHands(
        low_cut, high_cut, rows, ends[1:] - 1, of_middle, tree.orders, middles, high, cards, first
    )


@kernel
def _link(counts: Ints, group: Ints, copies: Ints, depth: Ints, first: Ints) -> int:
    """Fill the nodes of the tree from hands in preorder; gives their number."""
    hands, groups = counts.shape
    path = np.zeros(64, dtype=np.int64)
    nodes = 0
    for hand in range(hands):
        place = 0
        same = hand > 0
        for g in range(groups):
            for copy in range(counts[hand, g]):
                if same and path[place] != g:
                    same = False
                if not same:
                    group[nodes] = g
                    copies[nodes] = copy
                    depth[nodes] = place
                    first[nodes] = hand
                    nodes += 1
                    path[place] = g
                place += 1
        path[place] = -1
    return nodes


@kernel
def _orders(
    moves: Ints,
    draws: npt.NDArray[np.bool_],
    final: Ints,
    start: int,
    classes: int,
    bits: int,
    keys: Ints,
    places: Ints,
) -> int:
    """Every sequence with which the dealer's hand can end: its cards as packed counts, its up card
    and class, for as long as there is room. Gives their number.
    """
    groups = moves.shape[1]
    states = np.zeros(64, dtype=np.int64)
    tried = np.zeros(64, dtype=np.int64)
    packed = np.zeros(64, dtype=np.int64)
    states[0] = start
    depth = 0
    count = 0
    while depth >= 0:
        state = states[depth]
        if not draws[state]:
            if count < len(keys):
                keys[count] = packed[depth]
                places[count] = (tried[0] - 1) * classes + final[state]
            count += 1
            depth -= 1
            continue
        card = tried[depth]
        if card == groups:
            depth -= 1
            continue
        tried[depth] += 1
        depth += 1
        states[depth] = moves[state, card]
        packed[depth] = packed[depth - 1] + (1 << (bits * card))
        tried[depth] = 0
    return count


@kernel
def walk(
    shoes: Floats,
    step: float,
    group: Ints,
    copies: Ints,
    depth: Ints,
    first: Ints,
    place: Ints,
    orders: Floats,
    longest: int,
    scaled: bool,
    batch: int,
    found: Floats,
) -> None:
    """Add up the chance of every hand, a batch of shoes at a time; unless `scaled`, the ways to
    draw it.
    """
    count, groups = shoes.shape
    nodes = len(group)
    left = np.zeros((groups, batch))
    ways = np.zeros((longest + 1, batch))
    scale = np.zeros((longest + 1, batch))
    places = found.shape[1]
    sums = np.zeros((places, batch))
    chance = np.zeros(batch)
    for begin in range(0, count, batch):
        size = min(batch, count - begin)
        for where in range(places):
            for b in range(size):
                sums[where, b] = 0.0
        for b in range(size):
            shoe = begin + b
            cards = 0.0
            for g in range(groups):
                left[g, b] = max(shoes[shoe, g], 0.0)
                cards += left[g, b]
            ways[0, b] = 1.0
            scale[0, b] = 1.0
            for k in range(longest):
                rest = cards - k * step
                if scaled:
                    scale[k + 1, b] = scale[k, b] / rest if rest > 0 else 0.0
                else:
                    scale[k + 1, b] = 1.0
        for entry in range(first[0]):  # a hand without cards
            for b in range(size):
                sums[place[entry], b] += orders[entry]
        for node in range(nodes):
            level, card, used = depth[node], group[node], copies[node] * step
            start, end = first[node], first[node + 1]
            # By indices alone: a view of a row is counted, and that takes as long as the sums.
            if node + 1 < nodes and depth[node + 1] > level:
                for b in range(size):
                    ways[level + 1, b] = ways[level, b] * (left[card, b] - used)
            if end > start:
                for b in range(size):
                    chance[b] = ways[level, b] * (left[card, b] - used) * scale[level + 1, b]
            for entry in range(start, end):
                where, number = place[entry], orders[entry]
                for b in range(size):
                    sums[where, b] += number * chance[b]
        for b in range(size):
            for where in range(places):
                found[begin + b, where] = sums[where, b]


@kernel
def _condition(
    shoes: Floats, ups: Ints, left_out: Ints, natural: Ints, joint: Floats, chances: Floats
) -> None:
    """From joint chances to those given the up card and, where it is made, an empty check."""
    classes = chances.shape[2]
    for shoe in range(len(shoes)):
        cards = 0.0
        for group in range(shoes.shape[1]):
            cards += max(shoes[shoe, group], 0.0)
        for number in range(len(ups)):
            if shoes[shoe, ups[number]] <= 0:
                continue
            whole = shoes[shoe, ups[number]] / cards
            rest = whole
            found = chances[number, shoe]
            for c in range(classes):
                found[c] = joint[shoe, number * classes + c]
                rest -= found[c]
            if left_out[number] >= 0:
                found[left_out[number]] = rest
            if natural[number] >= 0:
                whole -= found[natural[number]]
                found[natural[number]] = 0.0
            for c in range(classes):
                found[c] = found[c] / whole if whole > 0 else 0.0
