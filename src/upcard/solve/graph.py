"""Every hand that a player can hold, card by card: a graph over states and the cards taken.

A node is a state of the hand automaton together with the set of cards that left the shoe for it.
In an infinite shoe the cards taken do not matter, and a node is a state and its number of lights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.jit import kernel

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

BUST = -2
"""A card leads over the limit, and the hand needs no node of its own."""

_HASH_FACTOR = 0x9E3779B97F4A7C1
_STATE_BITS = 10
_KEY_BITS = 63


@dataclass(frozen=True)
class HandGraph:
    """Nodes, the root first.

    `child[node, symbol]` is the node after a card, NONE where there is none, BUST where the hand is
    over and its cards no longer matter. `keep` and `trade` lead to nodes with the same cards taken.
    `taken[node, symbol]` counts the cards taken since the root; `lit[node]` the
    lights that they gave.
    In `order` every move of a node leads to a later one.
    """

    state: Shorts
    taken: npt.NDArray[np.int16]
    child: Shorts
    keep: Shorts
    trade: Shorts
    lit: Shorts
    order: Shorts

    def __len__(self) -> int:
        return len(self.state)

    def find(self, *symbols: int) -> int:
        """The node after some cards."""
        node = 0
        for symbol in symbols:
            node = int(self.child[node, symbol])
        return node


def build_graph(
    tables: GameTables,
    root: int,
    *,
    counts: Ints,
    draws: npt.NDArray[np.bool_],
    endless: bool,
    keep_busts: bool,
    most_lights: int,
) -> HandGraph:
    """The graph from a state on, for a shoe with so many cards of each symbol.

    `draws[state]` says in which states a card may come at all. A hand that has `most_lights` lights
    trades no further card.
    """
    hands = tables.hands
    most = np.zeros_like(counts) if endless else np.minimum(counts, _most_copies(tables))
    width = [int(limit).bit_length() for limit in most]
    shift = np.cumsum([_STATE_BITS, *width[:-1]])
    assert _STATE_BITS + sum(width) < _KEY_BITS
    assert len(hands) <= 1 << _STATE_BITS
    moves = np.where(draws[:, None], hands.next, NONE).astype(np.int64)
    size = 4096
    while True:
        built = _explore(
            moves,
            hands.keep.astype(np.int64),
            hands.trade.astype(np.int64),
            hands.light.astype(np.int64),
            hands.bust,
            root,
            shift,
            endless,
            keep_busts,
            most,
            most_lights,
            size,
        )
        if built[0] >= 0:
            break
        size *= 4
    count, keys, state, child, keep, trade, lit = built
    keys, state, child = keys[:count], state[:count], child[:count]
    taken = np.zeros((count, len(counts)), dtype=np.int16)
    for symbol in range(len(counts)):
        taken[:, symbol] = (keys >> shift[symbol]) & ((1 << width[symbol]) - 1)
    # Pending cards are decided before the next one comes, so fewer pending ones are later.
    levels = taken.sum(axis=1).astype(np.int64)
    if endless:
        order = _endless_order(child, keep[:count], trade[:count])
    else:
        order = np.lexsort((-hands.pending[state].astype(np.int64), levels))
    return HandGraph(
        state.astype(np.int32),
        taken,
        child.astype(np.int32),
        keep[:count].astype(np.int32),
        trade[:count].astype(np.int32),
        lit[:count].astype(np.int32),
        order.astype(np.int32),
    )


def _most_copies(tables: GameTables) -> Ints:
    """The most cards of each symbol that one hand can take; without limit where they are traded."""
    hands = tables.hands
    highest = int(hands.total[~hands.bust].max())
    return np.array(
        [
            np.iinfo(np.int16).max if symbol.marked else highest // symbol.low + 1
            for symbol in tables.alphabet.symbols
        ],
        dtype=np.int64,
    )


def _endless_order(child: Ints, keep: Ints, trade: Ints) -> Ints:
    """States sorted so that every move leads to a later one."""
    order: list[int] = []
    done: set[int] = set()

    def visit(node: int) -> None:
        if node < 0 or node in done:
            return
        done.add(node)
        for after in (*child[node].tolist(), int(keep[node]), int(trade[node])):
            if after != node:
                visit(after)
        order.append(node)

    for node in range(len(child)):
        visit(node)
    return np.array(order[::-1], dtype=np.int64)


@kernel
def _slot(keys: Ints, key: int) -> int:
    """Where a key stands in a hash table, or the free place for it."""
    mask = len(keys) - 1
    place = (key * _HASH_FACTOR ^ (key >> 29)) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def _explore(
    moves: Ints,
    keep_to: Ints,
    trade_to: Ints,
    light: Ints,
    bust: npt.NDArray[np.bool_],
    root: int,
    shift: Ints,
    endless: bool,
    keep_busts: bool,
    most: Ints,
    most_lights: int,
    size: int,
) -> tuple[int, Ints, Ints, Ints, Ints, Ints, Ints]:
    """Breadth first from the root. A negative count means that `size` was too small."""
    symbols = moves.shape[1]
    table = np.full(size * 4, -1, dtype=np.int64)
    number = np.zeros(size * 4, dtype=np.int64)
    keys = np.zeros(size, dtype=np.int64)
    state = np.zeros(size, dtype=np.int64)
    lit = np.zeros(size, dtype=np.int64)
    child = np.full((size, symbols), -1, dtype=np.int64)
    keep = np.full(size, -1, dtype=np.int64)
    trade = np.full(size, -1, dtype=np.int64)
    keys[0] = root
    state[0] = root
    place = _slot(table, root)
    table[place] = root
    count = 1
    node = 0
    while node < count:
        own = state[node]
        cards = keys[node] - own
        for move in range(symbols + 2):
            if move < symbols:
                after = moves[own, move]
                if after < 0:
                    continue
                if bust[after] and not keep_busts:
                    child[node, move] = -2
                    continue
                held = cards + (light[own, move] << _STATE_BITS) if endless else cards
                if not endless:
                    above = cards >> shift[move]
                    if move + 1 < symbols:
                        above &= (1 << (shift[move + 1] - shift[move])) - 1
                    if above >= most[move]:
                        continue
                    held += 1 << shift[move]
            else:
                after = keep_to[own] if move == symbols else trade_to[own]
                if after < 0 or (move > symbols and lit[node] >= most_lights):
                    continue
                held = cards
                if endless and move > symbols:
                    held += 1 << _STATE_BITS
            key = held + after
            place = _slot(table, key)
            if table[place] == -1:
                if count == size:
                    return -1, keys, state, child, keep, trade, lit
                table[place] = key
                number[place] = count
                keys[count] = key
                state[count] = after
                lit[count] = lit[node]
                if move < symbols:
                    lit[count] += light[own, move]
                elif move == symbols + 1:
                    lit[count] += 1
                count += 1
            target = number[place]
            if move < symbols:
                child[node, move] = target
            elif move == symbols:
                keep[node] = target
            else:
                trade[node] = target
        node += 1
    return count, keys, state, child, keep, trade, lit


@kernel
def pair_up(
    order: Shorts,
    child: Shorts,
    keep: Shorts,
    trade: Shorts,
    other_child: Shorts,
    other_keep: Shorts,
    other_trade: Shorts,
    twin: Shorts,
) -> None:
    """From the root's twin on, the node that the same moves lead to in another graph."""
    for node in order:
        own = twin[node]
        if own < 0:
            continue
        for symbol in range(child.shape[1]):
            after = child[node, symbol]
            if after >= 0 and other_child[own, symbol] >= 0:
                twin[after] = other_child[own, symbol]
        if keep[node] >= 0 and other_keep[own] >= 0:
            twin[keep[node]] = other_keep[own]
        if trade[node] >= 0 and other_trade[own] >= 0:
            twin[trade[node]] = other_trade[own]
