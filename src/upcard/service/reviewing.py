"""Everything that somebody decided at a table, judged from its record.

A record is followed on from where it was left: whoever looks again after a round has only that
round judged. A very long one is judged in several goes, so that nobody waits for all of it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import sqlalchemy as sa

from upcard.coach import Coach, Follower, SessionReview, together
from upcard.service import records
from upcard.service import schema as db
from upcard.service.running import RunningTable
from upcard.service.specs import EntryRow
from upcard.service.store import Store
from upcard.table.chain import digest

SECONDS = 4.0
"""How long a record is followed at a time."""
CHUNK = 200
"""Entries that are read at a time."""
MOST_FOLLOWED = 200
MOST_TABLES = 12
"""Tables of somebody that are looked through at a time, the last played first."""


class Found(NamedTuple):
    """A review, and whether everything is in it by now."""

    review: SessionReview
    whole: bool


class _Followed:
    """How far a record was followed for somebody."""

    def __init__(self, table: RunningTable, coach: Coach, account: str, name: str) -> None:
        self.account = account
        self.follower = Follower(coach, name)
        self.seq = 0
        self.head = digest(table.row.title)
        self.lock = asyncio.Lock()

    def add(self, rows: list[EntryRow]) -> None:
        for row in rows:
            if row.seq <= self.seq:
                continue  # somebody who asked before and went away had it followed already
            entry, self.head = records.entry_of(row, self.head)
            self.follower.add(entry, judged=row.account == self.account)
            self.seq = row.seq


class Reviewing:
    """Records that are followed, in a thread of their own."""

    def __init__(self, store: Store, coach_of: Callable[[RunningTable], Coach]) -> None:
        self.store = store
        self.coach_of = coach_of
        self._followed: OrderedDict[tuple[str, str, str], _Followed] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "coach-review")

    async def review(self, table: RunningTable, account: str, *, seconds: float = SECONDS) -> Found:
        """All decisions of somebody at a table, as far as there was time for them."""
        until = time.monotonic() + seconds
        names = [name for name, owner in table.people.items() if owner == account]
        found = [await self._follow(self._of(table, account, name), table, until) for name in names]
        return Found(
            together(one.follower.review for one in found),
            all(one.seq >= table.seq for one in found),
        )

    async def tables_of(self, account: str) -> list[str]:
        """The tables at which somebody played last."""
        return await self.store.read(_tables_of, account)

    def _of(self, table: RunningTable, account: str, name: str) -> _Followed:
        key = (table.id, account, name)
        found = self._followed.get(key)
        if found is None or found.seq > table.seq:  # the store went back in time
            found = _Followed(table, self.coach_of(table), account, name)
            self._followed[key] = found
            while len(self._followed) > MOST_FOLLOWED:
                self._followed.popitem(last=False)
        self._followed.move_to_end(key)
        return found

    async def _follow(self, found: _Followed, table: RunningTable, until: float) -> _Followed:
        loop = asyncio.get_running_loop()
        async with found.lock:
            while found.seq < table.seq and time.monotonic() < until:
                rows = await self.store.read(
                    records.entries_after, table.id, found.seq, limit=CHUNK
                )
                if not rows:
                    break
                await loop.run_in_executor(self._thread, found.add, rows)
        return found

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _tables_of(connection: sa.Connection, account: str) -> list[str]:
    results = db.results.c
    query = (
        sa.select(results.table_id)
        .where(results.account == account)
        .group_by(results.table_id)
        .order_by(sa.func.max(results.ended).desc())
        .limit(MOST_TABLES)
    )
    return list(connection.execute(query).scalars())
