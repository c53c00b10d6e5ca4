"""What happened at tables, as the public may see it, and their records as they are stored."""

from __future__ import annotations

from typing import Any

import msgspec

from upcard.service import records
from upcard.service.felt import table_info
from upcard.service.messages import Told
from upcard.service.running import RunningTable, told_row
from upcard.service.specs import EntryRow, HouseError, RoundInfo
from upcard.service.store import Store

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
_CHUNK = 500


class Replay(msgspec.Struct, frozen=True):
    """A finished round, to be seen again step by step.

    `info` is what the felt needs to be drawn, as in the welcome of a line. `told` begins after the
    round before: with wagers and the bank. `before` are earlier events that lit lights.
    """

    table: str
    round: int
    info: dict[str, Any]
    told: tuple[Told, ...]
    before: tuple[dict[str, Any], ...]


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
        rows = await self.store.read(_round_rows, table.id, number)
        if not rows:
            raise HouseError(f"{table.row.name} has no round {number} that is over", "missing")
        return tuple(msgspec.json.decode(told_row(table.engine, row), type=Told) for row in rows)

    async def replay(self, table: RunningTable, number: int) -> Replay:
        """A round with everything that is needed to see it again."""
        rows = await self.store.read(_rows_with_wagers, table.id, number)
        if not rows:
            raise HouseError(f"{table.row.name} has no round {number} that is over", "missing")
        told = tuple(msgspec.json.decode(told_row(table.engine, row), type=Told) for row in rows)
        before = await self._lights_before(table, told[0].seq)
        info = table_info(table.tables, table.info)
        return Replay(table.id, number, info, told, before)

    async def _lights_before(self, table: RunningTable, seq: int) -> tuple[dict[str, Any], ...]:
        """What lit and put out lights before an entry, and who sat where."""
        if table.tables.carry is None:
            return ()
        rows = await self.store.read(_rows_with_lights, table.id, seq)
        found = [msgspec.json.decode(told_row(table.engine, row)) for row in rows]
        return tuple(event for one in found for event in one["events"] if event["event"] in LIGHTS)

    async def record_rows(self, table: str) -> tuple[bytes, list[EntryRow]]:
        """The title of a table's record and all its entries: secrets included."""
        row = await self.store.read(records.find_table, table)
        if row is None:
            raise records.missing(table)
        return row.title, await self.store.read(records.entries_after, table, 0)


def _round_rows(connection: Any, table: str, number: int) -> list[EntryRow]:
    found = records.find_round(connection, table, number)
    if found is None:
        return []
    first, last = found
    return records.entries_after(connection, table, first - 1, upto=last)


def _rows_with_wagers(connection: Any, table: str, number: int) -> list[EntryRow]:
    """The entries of a round, and those between it and the round before."""
    found = records.find_round(connection, table, number)
    if found is None:
        return []
    before = records.find_round(connection, table, number - 1)
    first = before[1] + 1 if before is not None else 1
    return records.entries_after(connection, table, first - 1, upto=found[1])


def _rows_with_lights(connection: Any, table: str, seq: int) -> list[EntryRow]:
    marks = [f'"{name}"'.encode() for name in LIGHTS]
    found: list[EntryRow] = []
    at = 0
    while at < seq - 1:
        rows = records.entries_after(connection, table, at, upto=seq - 1, limit=_CHUNK)
        if not rows:
            break
        found += [row for row in rows if any(mark in row.data for mark in marks)]
        at = rows[-1].seq
    return found
