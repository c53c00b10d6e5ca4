"""Look-up tables of wagers by rows of conditions, all of a table's one behind another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.card_observer import CardObserver
from upcard.compile.card_sets import CARDS, FIRST_TWO, seen_by, tuples
from upcard.compile.dealer_walk import dealer_walk
from upcard.compile.tables import GameTables
from upcard.round.kernel_types import (
    DEALERS_AT,
    DEALERS_KINDS,
    FIRST_AT,
    LOOKS,
    LOOKS_PLAYERS,
    LOOKS_UP,
    PAYS_AT,
    PAYS_END,
    STEPS_AT,
    STEPS_FROM,
    TWO_AT,
    Bools,
    Ints,
    Shorts,
)

NOWHERE = -1


class CardLook(NamedTuple):
    """How a wager is looked up: its `Sides.looks`, and the rows whose pays stand together."""

    observer: CardObserver
    places: list[int]
    rows: Ints


@dataclass(frozen=True)
class CardLooks:
    """The tables of all such wagers, and how many pays they have together."""

    by_wager: Mapping[str, CardLook]
    cards: Shorts
    pays: int


def card_looks(tables: GameTables) -> CardLooks:
    """The look-up tables of a game's wagers by rows of conditions."""
    parts: list[npt.NDArray[np.int32]] = []
    found: dict[str, CardLook] = {}
    pays = 0
    for wager, observer in tables.observers.items():
        if isinstance(observer, CardObserver):
            maker = _Maker(parts, pays)
            look = (
                maker.walk(tables, observer) if observer.looks_at_dealer else maker.first(observer)
            )
            pays = look.places[PAYS_END]
            found[wager] = look
    cards = np.concatenate(parts) if parts else np.zeros(1, dtype=np.int32)
    return CardLooks(found, cards, max(pays, 1))


class _Maker:
    """Puts the tables of one wager behind those before it."""

    def __init__(self, parts: list[npt.NDArray[np.int32]], pays: int) -> None:
        self.parts = parts
        self.places = [0] * LOOKS
        self.places[PAYS_AT] = pays
        self.places[TWO_AT] = self.places[STEPS_AT] = NOWHERE

    def first(self, observer: CardObserver) -> CardLook:
        """A wager on first cards; a third card may be missing."""
        table, places = observer.table, self.places
        rows = table.row.astype(np.int64)
        places[LOOKS_PLAYERS], places[LOOKS_UP] = table.players, int(table.up)
        places[FIRST_AT] = self._put(table.kind)
        places[DEALERS_AT] = self._put(table.dealers)
        places[DEALERS_KINDS] = rows.shape[1]
        if observer.looks_at_third:
            two = tuples(FIRST_TWO)
            alone = observer.found.paid(seen_by(observer.cards, two, two[:, :0]))
            known, kind = np.unique(alone, return_inverse=True)
            places[TWO_AT] = self._put(kind.reshape(-1) + len(rows))
            rows = np.concatenate([rows, np.repeat(known[:, None], rows.shape[1], axis=1)])
        return self._look(observer, rows)

    def walk(self, tables: GameTables, observer: CardObserver) -> CardLook:
        """A wager on the dealer's final hand, and on the player's first two cards beside it."""
        walk, places = dealer_walk(tables, observer), self.places
        places[STEPS_AT], places[STEPS_FROM] = self._put(walk.next), walk.start
        places[DEALERS_AT] = self._put(observer.hands.players)
        places[DEALERS_KINDS] = walk.row.shape[1]
        return self._look(observer, walk.row.astype(np.int64))

    def _look(self, observer: CardObserver, rows: Ints) -> CardLook:
        self.places[PAYS_END] = self.places[PAYS_AT] + rows.size
        return CardLook(observer, self.places, rows.reshape(-1))

    def _put(self, table: npt.NDArray[np.integer[Any]]) -> int:
        begin = sum(map(len, self.parts))
        self.parts.append(table.astype(np.int32))
        return begin


def third_matters(tables: GameTables) -> Bools:
    """`[first * 52 + second]`: whether a third card makes a difference to a wager."""
    found = np.zeros(len(tuples(FIRST_TWO)), dtype=np.bool_)
    for observer in tables.observers.values():
        if isinstance(observer, CardObserver) and observer.looks_at_third:
            rows = observer.table.row[observer.table.kind, 0].reshape(len(found), -1)
            found |= (rows != rows[:, :1]).any(axis=1)
    return found


def second_matters(tables: GameTables, wagers: Collection[str]) -> Bools:
    """`[(first * 52 + second) * 52 + up]`: whether the dealer's second card makes a difference to
    one of some wagers; empty if it never does.
    """
    deck = [card.number for card in tables.alphabet.cards]
    found = np.zeros((CARDS,) * 3, dtype=np.bool_)
    for wager, observer in tables.observers.items():
        if not isinstance(observer, CardObserver) or wager not in wagers:
            continue
        if observer.looks_at_third or observer.looks_at_dealer or not observer.table.needs_second:
            continue
        table = observer.table
        rows = table.row[:, table.dealers.reshape(CARDS, CARDS)[:, deck]]
        varies = (rows != rows[:, :, :1]).any(axis=2)  # [kind, up]
        own = [CARDS] * table.players + [1] * (FIRST_TWO - table.players)
        kind = table.kind.reshape(*own, CARDS if table.up else 1)
        found |= varies[kind, np.arange(CARDS)]
    return found.reshape(-1) if found.any() else np.zeros(0, dtype=np.bool_)
