"""Every hand that a player can hold, card by card: a graph over states and the cards taken.

A node is a state of the hand automaton together with the set of cards that left the shoe for it.
In an infinite shoe the cards taken do not matter, and a node is a state and its number of lights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.effects import Effects
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.jit import kernel

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]

BUST_NODE = -2
"""A card leads over the limit, and the hand needs no node of its own."""
FREE = -1
"""A place of a hash table that holds no number."""
_NO_ROOM = -1

_HASH_FACTOR = 0x9E3779B97F4A7C1
_STATE_BITS = 10
_KEY_BITS = 63


@dataclass(frozen=True)
class HandGraph:
    """Nodes, the root first.

    `child[node, symbol]` is the node after a card, NONE where there is none, BUST_NODE where the
    hand is over and its cards no longer matter. `moved[action, node]` is the node with the same
    cards taken that an action leads to without a card, NONE where it leads nowhere.
    `taken[node, symbol]` counts the cards taken since the root; `lit[node]` the
    lights that they gave.
    In `order` every move of a node leads to a later one.
    """

    state: Shorts
    taken: npt.NDArray[np.int16]
    child: Shorts
    moved: Shorts
    lit: Shorts
    order: Shorts

    def __len__(self) -> int:
        return len(self.state)

    @property
    def keep(self) -> Shorts:
        return np.asarray(self.moved[Action.KEEP])

    def find(self, *symbols: int) -> int:
        """The node after some cards."""
        node = 0
        for symbol in symbols:
            node = int(self.child[node, symbol])
        return node


def moving_actions(effects: Effects) -> tuple[Action, ...]:
    """Actions that lead a hand elsewhere, before a card comes if one does."""
    return tuple(action for action in Action if effects.leading & action.bit)


class StateMoves(NamedTuple):
    """What leads from one state to another, as kernels see it.

    `actions` lead on without a card, to `leads[action, state]`, with so many `lights`; `most` is
    the number of cards of each symbol that one hand can take.
    """

    actions: Ints
    leads: Ints
    lights: Ints
    next: Ints
    light: Ints
    bust: npt.NDArray[np.bool_]
    most: Ints


class FoundNodes(NamedTuple):
    """Room for the nodes of a graph, and a hash table of their keys.

    `moved[number, node]` is where the action of that number among those that move leads.
    """

    keys: Ints
    state: Shorts
    child: Shorts
    moved: Shorts
    lit: Shorts
    table: Shorts


def moves_of(tables: GameTables) -> StateMoves:
    return StateMoves(
        actions=np.array(moving_actions(tables.effects), dtype=np.int64),
        leads=tables.effects.leads.astype(np.int64),
        lights=tables.effects.lights.astype(np.int64),
        next=tables.hands.next.astype(np.int64),
        light=tables.hands.light.astype(np.int64),
        bust=tables.hands.bust,
        most=_most_copies(tables),
    )


def build_graph(
    moves: StateMoves,
    pending: npt.NDArray[np.int16],
    root: int,
    *,
    counts: Ints,
    draws: npt.NDArray[np.bool_],
    endless: bool,
    keep_busts: bool,
    most_lights: int,
    room: int = 1024,
) -> HandGraph:
    """The graph from a state on, for a shoe with so many cards of each symbol.

    `draws[state]` says in which states a card may come at all, `pending[state]` how much is to be
    decided before, such as bonus cards: less of it comes later. A hand that has `most_lights`
    lights trades no further card. With `room` for all its nodes, a power of two, the graph is
    built at the first try.
    """
    most = np.zeros_like(counts) if endless else np.minimum(counts, moves.most)
    width = [int(limit).bit_length() for limit in most]
    shift = np.cumsum([_STATE_BITS, *width])
    assert _STATE_BITS + sum(width) < _KEY_BITS
    assert len(draws) <= 1 << _STATE_BITS
    size = room
    while True:
        found = FoundNodes(
            keys=np.empty(size, dtype=np.int64),
            state=np.empty(size, dtype=np.int32),
            child=np.empty((size, len(counts)), dtype=np.int32),
            moved=np.empty((len(moves.actions), size), dtype=np.int32),
            lit=np.empty(size, dtype=np.int32),
            table=np.full(4 * size, FREE, dtype=np.int32),
        )
        count = _explore(moves, draws, root, shift, endless, keep_busts, most, most_lights, found)
        if count != _NO_ROOM:
            break
        size *= 4
    state, child, lit = found.state[:count], found.child[:count], found.lit[:count]
    moved = np.full((len(moves.leads), count), NONE, dtype=np.int32)
    moved[moves.actions] = found.moved[:, :count]
    taken = np.empty((count, len(counts)), dtype=np.int16)
    order = np.empty(count, dtype=np.int32)
    _sort(found.keys[:count], shift, state, pending, int(pending.max()), taken, order)
    if endless:
        order = _endless_order(child, moved).astype(np.int32)
    return HandGraph(state, taken, child, moved, lit, order)


def _most_copies(tables: GameTables) -> Ints:
    """The most cards of each symbol that one hand can take; without limit where they are traded.

    A hand that is exchanged has taken two cards more.
    """
    hands = tables.hands
    highest = int(hands.total[~hands.bust].max())
    before = tables.round_plan.first_cards if hands.replaced.max() != NONE else 0
    return np.array(
        [
            np.iinfo(np.int16).max if symbol.marked else highest // symbol.low + 1 + before
            for symbol in tables.alphabet.symbols
        ],
        dtype=np.int64,
    )


def _endless_order(child: Shorts, moved: Shorts) -> Ints:
    """States sorted so that every move leads to a later one."""
    order: list[int] = []
    done: set[int] = set()

    def visit(node: int) -> None:
        if node < 0 or node in done:
            return
        done.add(node)
        for after in (*child[node].tolist(), *moved[:, node].tolist()):
            if after != node:
                visit(after)
        order.append(node)

    for node in range(len(child)):
        visit(node)
    return np.array(order[::-1], dtype=np.int64)


@kernel
def place_of(key: int, table: Shorts, keys: Ints) -> int:
    """Where the number of a key stands in a hash table of numbers, or the free place for it."""
    mask = len(table) - 1
    mixed = key * _HASH_FACTOR
    place = (mixed ^ (mixed >> 32)) & mask
    while table[place] != FREE and keys[table[place]] != key:
        place = (place + 1) & mask
    return place


@kernel
def _explore(
    moves: StateMoves,
    draws: npt.NDArray[np.bool_],
    root: int,
    shift: Ints,
    endless: bool,
    keep_busts: bool,
    most: Ints,
    most_lights: int,
    found: FoundNodes,
) -> int:
    """Breadth first from the root; gives the number of nodes, or _NO_ROOM."""
    keys, state, child, moved, lit, table = found
    symbols = moves.next.shape[1]
    keys[0] = root
    state[0] = root
    lit[0] = 0
    table[place_of(root, table, keys)] = 0
    count = 1
    node = 0
    while node < count:
        own = state[node]
        cards = keys[node] - own
        for move in range(symbols + len(moves.actions)):
            if move < symbols:
                child[node, move] = NONE
                after = moves.next[own, move]
                if after == NONE or not draws[own]:
                    continue
                if moves.bust[after] and not keep_busts:
                    child[node, move] = BUST_NODE
                    continue
                held = cards + (moves.light[own, move] << _STATE_BITS) if endless else cards
                if not endless:
                    above = cards >> shift[move] & ((1 << (shift[move + 1] - shift[move])) - 1)
                    if above >= most[move]:
                        continue
                    held += 1 << shift[move]
                more = moves.light[own, move]
            else:
                action = moves.actions[move - symbols]
                moved[move - symbols, node] = NONE
                after = moves.leads[action, own]
                more = moves.lights[action]
                if after == NONE or (more and lit[node] >= most_lights):
                    continue
                held = cards
                if endless:
                    held += more << _STATE_BITS
            key = held + after
            place = place_of(key, table, keys)
            if table[place] == FREE:
                if count == len(keys):
                    return _NO_ROOM
                table[place] = count
                keys[count] = key
                state[count] = after
                lit[count] = lit[node] + more
                count += 1
            if move < symbols:
                child[node, move] = table[place]
            else:
                moved[move - symbols, node] = table[place]
        node += 1
    return count


@kernel
def _sort(
    keys: Ints,
    shift: Ints,
    state: Shorts,
    pending: npt.NDArray[np.int16],
    most_pending: int,
    taken: npt.NDArray[np.int16],
    order: Shorts,
) -> None:
    """The cards that nodes have taken, and the nodes in the order of their number.

    Of nodes with the same number, those come first that have more pending cards: these are decided
    before the next card comes.
    """
    symbols = len(shift) - 1
    waiting = 1 + most_pending
    rank = np.empty(len(keys), dtype=np.int64)
    most = 0
    for node in range(len(keys)):
        cards = 0
        for symbol in range(symbols):
            width = shift[symbol + 1] - shift[symbol]
            taken[node, symbol] = keys[node] >> shift[symbol] & ((1 << width) - 1)
            cards += taken[node, symbol]
        rank[node] = (cards + 1) * waiting - pending[state[node]]
        most = max(most, rank[node])
    place = np.zeros(most + 2, dtype=np.int64)
    for node in range(len(keys)):
        place[rank[node] + 1] += 1
    for number in range(most + 1):
        place[number + 1] += place[number]
    for node in range(len(keys)):
        order[place[rank[node]]] = node
        place[rank[node]] += 1


@kernel
def pair_up(
    order: Shorts,
    child: Shorts,
    moved: Shorts,
    other_child: Shorts,
    other_moved: Shorts,
    twin: Shorts,
) -> None:
    """From the root's twin on, the node that the same moves lead to in another graph."""
    for node in order:
        own = twin[node]
        if own == NONE:
            continue
        for symbol in range(child.shape[1]):
            after = child[node, symbol]
            if after >= 0 and other_child[own, symbol] >= 0:
                twin[after] = other_child[own, symbol]
        for action in range(len(moved)):
            after = moved[action, node]
            if after >= 0 and other_moved[action, own] >= 0:
                twin[after] = other_moved[action, own]


@kernel
def mark_traded(
    order: Shorts,
    child: Shorts,
    moved: Shorts,
    owed: npt.NDArray[np.bool_],
    found: npt.NDArray[np.bool_],
) -> None:
    """From the hands `found` on, all that moves make of them, with the cards that are `owed`."""
    for node in order:
        if not found[node]:
            continue
        for action in range(len(moved)):
            if moved[action, node] >= 0:
                found[moved[action, node]] = True
        if owed[node]:
            for symbol in range(child.shape[1]):
                if child[node, symbol] >= 0:
                    found[child[node, symbol]] = True
