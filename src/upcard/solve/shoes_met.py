"""The shoes that the dealer meets, each once, with the dealer's chances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.dealer import DealerChances
from upcard.solve.graph import FREE, HandGraph, place_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

_FEWEST = 1 << 12
"""Places of the first hash table."""
_KEY_BITS = 63


class Block(NamedTuple):
    """Hands of a graph, all of them or some nodes, when some cards are gone besides."""

    graph: HandGraph
    gone: Ints
    nodes: Ints | None = None


class ShoesMet:
    """Shoes by their numbers. The dealer's rules tell fewer cards apart than those of the game.

    The cards that hands have taken and those gone besides are at least `low` and at most `high`.
    """

    def __init__(
        self,
        dealer: DealerChances,
        counts: Ints,
        low: Ints,
        high: Ints,
        *,
        step: float,
        up: int | None,
    ) -> None:
        self.dealer = dealer
        self.step = step
        self.ups = None if up is None else (dealer.group_of[up],)
        self.counts = dealer.in_groups(counts)
        self.low = dealer.in_groups(low)
        bits = [int(most).bit_length() for most in dealer.in_groups(high) - self.low]
        assert sum(bits) <= _KEY_BITS
        self.shift = np.cumsum([0, *bits])
        self.by_symbol = (1 << self.shift)[dealer.group_of]
        self._plain: dict[int, tuple[HandGraph, Ints]] = {}
        self._table: Shorts = np.full(_FEWEST, FREE, dtype=np.int32)
        self._met: Ints = np.empty(_FEWEST // 2, dtype=np.int64)
        self._count = 0
        ups = dealer.size if self.ups is None else 1
        self._chances: Floats = np.zeros((ups, 0, dealer.classes))

    def __len__(self) -> int:
        return self._count

    def chances(self, up: int) -> Floats:
        """`chances[number, class]` with an up card."""
        return np.asarray(self._chances[self.dealer.group_of[up] if self.ups is None else 0])

    def numbers(self, blocks: Sequence[Block]) -> list[Ints]:
        """For every hand of some blocks the number of its shoe; new shoes get theirs."""
        parts = [self._keys(block) for block in blocks]
        keys = np.concatenate(parts)
        own = np.empty_like(keys)
        before, row = self._count, 0
        while True:
            row, self._count = _number(keys, row, self._table, self._met, self._count, own)
            if row == len(keys):
                break
            self._grow()
        if self._count > before:
            self._find_chances(before)
        ends = np.cumsum([len(part) for part in parts])
        return np.split(own, ends[:-1])

    def _keys(self, block: Block) -> Ints:
        """A key is linear in the cards, so blocks of the same graph share the work."""
        _, plain = self._plain.get(id(block.graph), (None, None))
        if plain is None:
            plain = np.empty(len(block.graph), dtype=np.int64)
            _pack(block.graph.taken, self.by_symbol, plain)
            self._plain[id(block.graph)] = block.graph, plain
        begin = block.gone @ self.by_symbol - self.low @ (1 << self.shift[:-1])
        return np.asarray((plain if block.nodes is None else plain[block.nodes]) + begin)

    def _grow(self) -> None:
        known = self._met[: self._count]
        self._table = np.full(4 * len(self._table), FREE, dtype=np.int32)
        self._met = np.empty(4 * len(self._met), dtype=np.int64)
        _number(known, 0, self._table, self._met, 0, np.empty_like(known))

    def _find_chances(self, begin: int) -> None:
        """The chances of shoes from a number on."""
        shoes = np.empty((self._count - begin, len(self.counts)))
        _unpack(self._met[begin : self._count], self.shift, self.counts - self.low, shoes)
        if self._chances.shape[1] < self._count:
            ups, _, classes = self._chances.shape
            room = self._count if begin == 0 else 2 * self._count
            known, self._chances = self._chances, np.zeros((ups, room, classes))
            self._chances[:, :begin] = known[:, :begin]
        found = self._chances[:, begin : self._count]
        self.dealer.fill_chances(shoes, found, step=self.step, ups=self.ups)


@kernel
def _pack(taken: npt.NDArray[np.int16], weight: Ints, keys: Ints) -> None:
    for row in range(len(taken)):
        key = 0
        for symbol in range(len(weight)):
            key += taken[row, symbol] * weight[symbol]
        keys[row] = key


@kernel
def _unpack(keys: Ints, shift: Ints, most: Ints, shoes: Floats) -> None:
    """What sets of cards leave of `most` cards."""
    for row in range(len(keys)):
        for group in range(len(most)):
            width = shift[group + 1] - shift[group]
            shoes[row, group] = most[group] - (keys[row] >> shift[group] & ((1 << width) - 1))


@kernel
def _number(
    keys: Ints, row: int, table: Shorts, met: Ints, count: int, own: Ints
) -> tuple[int, int]:
    """Number keys from a row on, those never met before by the next numbers, while there is room.

    Gives the row that comes next, and how many were met.
    """
    while row < len(keys):
        place = place_of(keys[row], table, met)
        if table[place] == FREE:
            if count == len(met):
                break
            table[place] = count
            met[count] = keys[row]
            count += 1
        own[row] = table[place]
        row += 1
    return row, count
