"""Who watches tables: a line for each, a welcome first, then everything that happens."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec

from upcard.service import records
from upcard.service.messages import ServerMessage
from upcard.service.running import RunningTable, told_row
from upcard.service.specs import Account, HouseError
from upcard.service.store import Store
from upcard.table import events as ev

QUEUE = 256
"""Messages that may wait for a viewer; who is slower is cut off and comes back where it was."""
_PURSE_EVENTS = (ev.ChipsBought, ev.ChipsCashed, ev.CardPunched, ev.CardSurrendered)
_encode = msgspec.json.encode


class Subscription:
    """One viewer's line from a table: an iterator over messages, first a welcome."""

    def __init__(self, watching: Watching, table: RunningTable, account: Account | None) -> None:
        self.watching = watching
        self.table = table
        self.account = account
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        self.wallet = 0
        self.cards: tuple[str, ...] = ()

    def put(self, shared: bytes) -> None:
        """Send a message that lacks only what is the viewer's own."""
        if self.account is None:
            self.put_whole(shared + b"}")
            return
        you = self.table.you(self.account.id, self.account.name, self.wallet, self.cards)
        self.put_whole(shared + b',"you":' + _encode(you) + b"}")

    def put_whole(self, message: bytes) -> None:
        """Send a message as it is; a viewer who has too many waiting is cut off."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self) -> None:
        """No more messages. If there is no place to say so, all that waits is dropped.

        Whoever comes back names the last message that arrived: there must be no gap before it.
        """
        self.watching.forget(self)
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
        self.queue.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        message = await self.queue.get()
        if message is None:
            raise StopAsyncIteration
        return message


class Watching:
    """The lines of all viewers of a server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lines: dict[str, set[Subscription]] = {}
        self._static: dict[str, bytes] = {}

    def lines(self, table: str) -> tuple[Subscription, ...]:
        return tuple(self._lines.get(table, ()))

    def forget(self, line: Subscription) -> None:
        there = self._lines.get(line.table.id)
        if there is not None:
            there.discard(line)
            if not there:
                del self._lines[line.table.id]

    def forget_table(self, table: str) -> None:
        """A table is no longer in memory."""
        self._static.pop(table, None)

    def close(self) -> None:
        """Cut everybody off."""
        for there in list(self._lines.values()):
            for line in tuple(there):
                line.close()

    async def subscribe(
        self, table: RunningTable, who: Account | None, since: int | None
    ) -> Subscription:
        line = Subscription(self, table, who)
        static = self._table(table)
        async with table.lock:
            if who is not None:
                await self._refresh(line)
            told, whole = await self._since(table, since)
            line.put(table.welcome(static, told, whole=whole))
            self._lines.setdefault(table.id, set()).add(line)
        if table.status == "closed":
            line.close()
        return line

    async def _since(self, table: RunningTable, since: int | None) -> tuple[list[bytes], bool]:
        if since is None or since > table.seq:
            return table.told_of_round(), False
        told = table.told_after(since)
        if told is not None:
            return told, True
        if table.seq - since > QUEUE:
            return table.told_of_round(), False
        rows = await self.store.read(records.entries_after, table.id, since, upto=table.seq)
        return [told_row(table.engine, row) for row in rows], True

    def _table(self, table: RunningTable) -> bytes:
        """What never changes about a table, encoded."""
        if table.id not in self._static:
            from upcard.service.felt import table_info

            self._static[table.id] = _encode(table_info(table.tables, table.info))
        return self._static[table.id]

    async def _refresh(self, line: Subscription) -> None:
        assert line.account is not None
        account, table = line.account, line.table
        line.wallet, cards = await self.store.read(_purse_and_cards, account.id, table.tables.id)
        name = table.name_of(account.id, account.name)
        line.cards = tuple(table.card_for(card, name) for card in cards)

    async def tell(self, table: RunningTable, events: Iterable[ev.Event]) -> None:
        """Tell everybody who watches what happened last."""
        lines = self.lines(table.id)
        if not lines:
            return
        shared = table.update(table.clock)
        concerned = {
            table.people.get(event.player) for event in events if isinstance(event, _PURSE_EVENTS)
        }
        for line in lines:
            if line.account is not None and line.account.id in concerned:
                # What happened has happened, also if the store cannot tell the purse just now.
                with contextlib.suppress(HouseError):
                    await self._refresh(line)
        for line in lines:
            line.put(shared)
        if table.status == "closed":
            for line in lines:
                line.close()

    def changed(self, table: RunningTable) -> None:
        """Tell that the clock, who is ready or the status is another."""
        shared = table.status_message()
        for line in self.lines(table.id):
            line.put(shared)

    def tell_person(self, table: str, account: str, message: ServerMessage) -> None:
        """Tell something to one person alone, on all lines that person has."""
        data = _encode(message)
        for line in self.lines(table):
            if line.account is not None and line.account.id == account:
                line.put_whole(data)


def _purse_and_cards(connection: Any, account: str, game: str) -> tuple[int, list[records.Punched]]:
    return records.purse_of(connection, account), records.cards_of(connection, account, game)
