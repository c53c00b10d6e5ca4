"""The shoes that the dealer meets, each once, with the dealer's chances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.dealer import DealerChances
from upcard.solve.graph import HandGraph
from upcard.solve.numbers import Numbers
from upcard.solve.parted_shoes import PartedShoes
from upcard.solve.shoe_keys import ShoeKeys

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


_MANY = 512
"""Shoes from which on it is quicker to part them."""


class Block(NamedTuple):
    """Hands of a graph, all of them or some nodes, when some cards are gone besides."""

    graph: HandGraph
    gone: Ints
    nodes: Ints | None = None


class Met(Protocol):
    """Shoes that the dealer meets, by their numbers."""

    def chances(self, up: int) -> Floats:
        """`chances[number, class]` with an up card."""

    def numbers(self, blocks: Sequence[Block]) -> list[Ints]:
        """For every hand of some blocks the number of its shoe."""

    def one_by_one(self, graph: HandGraph, gone: Ints, symbol: int, sides: int) -> list[Ints]:
        """The numbers of the shoes of all hands when some cards are gone, and with one card after
        the other of a symbol gone besides.
        """

    def beside(self, graph: HandGraph, nodes: Ints, gone: Ints) -> Ints:
        """`[side, node]`: the numbers of the shoes of some hands when `gone[side]` are gone."""


class ShoesMet:
    """Shoes by their numbers. The dealer's rules tell fewer cards apart than those of the game.

    The chances of many at a time are found from `parted` shoes, where there are such.
    """

    def __init__(self, keys: ShoeKeys, parted: PartedShoes | None = None) -> None:
        self.keys = keys
        self.dealer: DealerChances = keys.dealer
        self.parted = parted
        self._plain: dict[int, tuple[HandGraph, Ints]] = {}
        self._known = Numbers()
        ups = self.dealer.size if keys.up is None else 1
        self._chances: Floats = np.zeros((ups, 0, self.dealer.classes))

    def __len__(self) -> int:
        return len(self._known)

    def chances(self, up: int) -> Floats:
        """`chances[number, class]` with an up card."""
        return np.asarray(self._chances[self.dealer.group_of[up] if self.keys.up is None else 0])

    def numbers(self, blocks: Sequence[Block]) -> list[Ints]:
        """For every hand of some blocks the number of its shoe; new shoes get theirs."""
        parts = [self._keys(block) for block in blocks]
        own = self._numbered(np.concatenate(parts))
        ends = np.cumsum([len(part) for part in parts])
        return np.split(own, ends[:-1])

    def beside(self, graph: HandGraph, nodes: Ints, gone: Ints) -> Ints:
        """`[side, node]`: the numbers of the shoes of some hands when `gone[side]` are gone."""
        begin = gone @ self.keys.by_symbol - self.keys.least
        keys = self._plain_keys(graph)[nodes] + begin[:, None]
        return self._numbered(keys.reshape(-1)).reshape(keys.shape)

    def one_by_one(self, graph: HandGraph, gone: Ints, symbol: int, sides: int) -> list[Ints]:
        """The numbers of the shoes of all hands when some cards are gone, and with one card after
        the other of a symbol gone besides.

        A hand's shoe with one more card gone is that of the hand that has drawn it.
        """
        before = len(self._known)
        keys = self._plain_keys(graph) + (gone @ self.keys.by_symbol - self.keys.least)
        found = [self._known.of(keys)]
        after = np.ascontiguousarray(graph.child[:, symbol])
        for _ in range(sides - 1):
            keys = keys + self.keys.by_symbol[symbol]
            found.append(self._known.of_further(keys, after, found[-1]))
        if len(self._known) > before:
            self._find_chances(before)
        return found

    def _numbered(self, keys: Ints) -> Ints:
        before = len(self._known)
        own = self._known.of(keys)
        if len(self._known) > before:
            self._find_chances(before)
        return own

    def _keys(self, block: Block) -> Ints:
        plain = self._plain_keys(block.graph)
        begin = block.gone @ self.keys.by_symbol - self.keys.least
        return np.asarray((plain if block.nodes is None else plain[block.nodes]) + begin)

    def _plain_keys(self, graph: HandGraph) -> Ints:
        """A key is linear in the cards, so blocks of the same graph share the work."""
        _, plain = self._plain.get(id(graph), (None, None))
        if plain is None:
            plain = np.empty(len(graph), dtype=np.int64)
            _pack(graph.taken, self.keys.by_symbol, plain)
            self._plain[id(graph)] = graph, plain
        return plain

    def _find_chances(self, begin: int) -> None:
        """The chances of shoes from a number on."""
        keys, count = self.keys, len(self)
        if self._chances.shape[1] < count:
            ups, _, classes = self._chances.shape
            known, self._chances = self._chances, np.empty((ups, 2 * count, classes))
            self._chances[:, :begin] = known[:, :begin]
        fresh, found = self._known.keys[begin:], self._chances[:, begin:count]
        parted = self.parted if len(fresh) >= _MANY else None
        if parted is None or not parted.fill_chances(fresh, found[0]):
            found[:] = 0.0
            ups = None if keys.up is None else (keys.up,)
            self.dealer.fill_chances(keys.shoes(fresh), found, step=keys.step, ups=ups)


@kernel
def _pack(taken: npt.NDArray[np.int16], weight: Ints, keys: Ints) -> None:
    for row in range(len(taken)):
        key = 0
        for symbol in range(len(weight)):
            key += taken[row, symbol] * weight[symbol]
        keys[row] = key
