"""What happened at tables, as the public may see it, and their records as they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Literal

import msgspec
from sqlalchemy.engine import Connection

from upcard.service import records
from upcard.service.felt import table_info
from upcard.service.messages import Told
from upcard.service.running import RunningTable, events_of, told_row
from upcard.service.specs import EntryRow, HouseError, RoundInfo
from upcard.service.store import Store
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.sentences import sentence
from upcard.table.view import ShoeSeen

LIGHTS = (
    "ChipsBought",
    "PlayerSat",
    "PlayerLeft",
    "LightLit",
    "PrizeWon",
    "LightsLost",
    "CardSurrendered",
    "PlayerMoved",
    "ChipsCashed",
)
"""Events that change who sits where, and whose lights are lit."""
_MARKS = tuple(f'"{name}"'.encode() for name in LIGHTS)
CHUNK = 500
"""Entries that are read at a time: whoever reads something else waits for no more of them."""
STEP_BACK = 100
MOST_BACK = 5000
"""Entries that are looked through, some at a time, for the beginning of a shoe: it has hundreds."""


class Replay(msgspec.Struct, frozen=True):
    """A finished round, to be seen again step by step.

    `info` is what the felt needs to be drawn, as in the welcome of a line. `told` begins after the
    round before: with wagers and the bank. `before` are events that lead there: to who sat where
    and whose lights were lit some time before, and from then on those that changed it. `shoe` is
    how the shoe stood then; null where its beginning is too far back to be looked for.
    """

    table: str
    round: int
    info: dict[str, Any]
    told: tuple[Told, ...]
    before: tuple[dict[str, Any], ...]
    shoe: ShoeSeen | None


class History:
    """Rounds and records of all tables in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def rounds(self, table: str, *, before: int | None, limit: int) -> list[RoundInfo]:
        """Finished rounds of a table, the last first."""
        return await self.store.read(records.list_rounds, table, before=before, limit=limit)

    async def results_of(
        self, account: str, limit: int, before: tuple[str, int] | None = None
    ) -> list[RoundInfo]:
        """The last rounds of somebody, at any table, or those before one of them."""
        return await self.store.read(records.results_of_account, account, limit, before)

    async def round_told(self, table: RunningTable, number: int) -> tuple[Told, ...]:
        """Everything that happened in a round, as the public saw it."""
        found = await self.store.read(records.find_round, table.id, number)
        return await self._told(table, number, found)

    async def replay(self, table: RunningTable, number: int) -> Replay:
        """A round with everything that is needed to see it again."""
        found = await self.store.read(_find_with_wagers, table.id, number)
        told = await self._told(table, number, found)
        before = await self._lights_before(table, told[0].seq)
        shoe = await self._shoe_before(table.id, told[0].seq)
        info = table_info(table.tables, table.info)
        return Replay(table.id, number, info, told, before, shoe)

    async def _told(
        self, table: RunningTable, number: int, found: tuple[int, int] | None
    ) -> tuple[Told, ...]:
        """What was told from the first to the last entry of a round, if these were found."""
        told: list[Told] = []
        first, last = found or (1, 0)
        async for rows in self._entries(table.id, first - 1, upto=last):
            told += await asyncio.to_thread(_as_told, table.engine, rows)
        if not told:
            raise HouseError(f"{table.row.name} has no round {number} that is over", "missing")
        return tuple(told)

    async def _lights_before(self, table: RunningTable, seq: int) -> tuple[dict[str, Any], ...]:
        """What lit and put out lights before an entry, and who sat where."""
        if table.tables.carry is None:
            return ()
        begun, lit = await self.store.read(records.last_lights, table.id, seq - 1)
        found: list[dict[str, Any]] = [
            msgspec.to_builtins(event) | {"words": sentence(table.engine, event)}
            for event in _leading_to(lit)
        ]
        async for rows in self._entries(table.id, begun, upto=seq - 1):
            some = [row for row in rows if any(mark in row.data for mark in _MARKS)]
            for told in await asyncio.to_thread(_as_told, table.engine, some):
                found += [event for event in told.events if event["event"] in LIGHTS]
        return tuple(found)

    async def _shoe_before(self, table: str, seq: int) -> ShoeSeen | None:
        """How the shoe stood before an entry, from what came since it was promised."""
        since: list[ev.Event] = []
        upto = seq - 1
        while upto and seq - upto <= MOST_BACK:
            after = max(0, upto - STEP_BACK)
            rows = await self.store.read(records.entries_after, table, after, upto=upto)
            since = [event for row in rows for event in events_of(row)] + since
            begun = [n for n, event in enumerate(since) if isinstance(event, ev.ShoeCommitted)]
            if begun:
                return _shoe_after(since[begun[-1] :])
            upto = after
        return None if upto else _shoe_after(since)

    async def closed_by(self, table: RunningTable) -> Literal["operator", "house", ""]:
        """Who closed a table, by its last entry: an operator, or the house as nobody sat there."""
        if table.status != "closed":
            return ""
        rows = await self.store.read(records.entries_after, table.id, table.seq - 1)
        return "operator" if rows and rows[-1].account else "house"

    async def record_rows(self, table: str) -> tuple[bytes, list[EntryRow]]:
        """The title of a table's record and all its entries: secrets included."""
        row = await self.store.read(records.find_table, table)
        if row is None:
            raise records.missing(table)
        return row.title, [row async for rows in self._entries(table, 0) for row in rows]

    async def _entries(
        self, table: str, after: int, *, upto: int | None = None
    ) -> AsyncIterator[list[EntryRow]]:
        """Entries after one, some at a time."""
        while upto is None or after < upto:
            rows = await self.store.read(
                records.entries_after, table, after, upto=upto or 0, limit=CHUNK
            )
            yield rows
            if len(rows) < CHUNK:
                return
            after = rows[-1].seq


def _as_told(engine: Engine, rows: Iterable[EntryRow]) -> list[Told]:
    return [msgspec.json.decode(told_row(engine, row), type=Told) for row in rows]


def _find_with_wagers(connection: Connection, table: str, number: int) -> tuple[int, int] | None:
    """The first and the last entry of a round, and of what is between it and the round before."""
    found = records.find_round(connection, table, number)
    if found is None:
        return None
    before = records.find_round(connection, table, number - 1)
    return before[1] + 1 if before is not None else 1, found[1]


def _shoe_after(events: Iterable[ev.Event]) -> ShoeSeen:
    """The shoe that was promised by the first of some events, or none by any, after all of them."""
    shoe = ShoeSeen(0, "", (), left=0, cut_reached=False, stacked=False, shuffled=False)
    change = msgspec.structs.replace
    for event in events:
        match event:
            case ev.ShoeCommitted():
                shoe = change(shoe, number=event.shoe, commitment=event.commitment)
            case ev.SeedMixed():
                shoe = change(shoe, clients=(*shoe.clients, event.seed))
            case ev.ShoeShuffled():
                shoe = change(shoe, left=len(event.order), shuffled=True)
            case ev.DiscardsShuffled():
                shoe = change(shoe, left=len(event.order), cut_reached=True)
            case ev.ShoeStacked():
                shoe = change(shoe, left=len(event.cards), shuffled=True, stacked=True)
            case ev.CutCardReached():
                shoe = change(shoe, cut_reached=True)
            case ev.RestDiscarded():
                shoe = change(shoe, left=0)
            case ev.CardDealt() | ev.CardBurned() | ev.CardFoundFaceUp() | ev.CardDrawnInError():
                shoe = change(shoe, left=shoe.left - 1)
    return shoe


def _leading_to(lit: records.Lit) -> Iterator[ev.Event]:
    """Events that lead from an empty table to one where people sit and lights are lit."""
    for player in lit.players:
        # What somebody bought is not told to the public.
        yield ev.ChipsBought(player=player.name, amount=0, kind=player.kind)
        if player.seat:
            yield ev.PlayerSat(player=player.name, seat=player.seat)
        if player.leaving:
            yield ev.PlayerLeft(player=player.name)
    for one in lit.lights:
        yield ev.LightLit(player=one.player, position=one.position, lights=one.lit)
