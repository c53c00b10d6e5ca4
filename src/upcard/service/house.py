"""The house: all tables of a store, who does what at them, and who watches.

Everything here runs in the event loop of a server. A command is decided in memory, written in one
transaction, and only then told: to whoever sent it and to everybody who watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import weakref
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.players import basic_strategy, is_at_hand
from upcard.service import records
from upcard.service.accounts import Accounts
from upcard.service.asking import (
    asked_command,
    draws_cards,
    is_late,
    may_deal,
    over_own_limit,
    takes_back,
)
from upcard.service.coaching import Coaching, Moment
from upcard.service.command_ids import made_after
from upcard.service.driver import Driver
from upcard.service.history import History, Replay
from upcard.service.house_games import game_ids
from upcard.service.lobby import Lobby
from upcard.service.messages import LONGEST_ID, Ack, Reason, Refused, Told
from upcard.service.opening import opened, tables_of
from upcard.service.reasons import reason
from upcard.service.running import STATE_CODE, RunningTable
from upcard.service.seating import button_place, departures, play, sit
from upcard.service.specs import Account, EntryRow, HouseError, RoundInfo, TableInfo, TableSpec
from upcard.service.store import ConflictError, Store
from upcard.service.timing import Timing
from upcard.service.typed import KNOWN
from upcard.service.watching import Subscription, Watching
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.judge import Refusal
from upcard.table.keys import TableKey
from upcard.table.players_cards import Casino

T = TypeVar("T")
NAME = "Upcard"
TRIES = 8
"""How often a command is decided again because another server wrote first."""
MOST_TABLES = 2_000
GRACE = 5.0
"""Seconds that commands under way have to finish when the house closes."""
MOST_CLOSED = 100
"""Closed tables that are kept in memory."""
_log = logging.getLogger(__name__)


class House:
    """All tables of a store, as one server process has them."""

    def __init__(self, store: Store, *, demo: bool = True, timing: Timing | None = None) -> None:
        assert KNOWN  # threads may read
        self.store = store
        self.demo = demo
        self.me = secrets.token_hex(8)
        self.lobby = Lobby()
        self.accounts = Accounts(store)
        self.driver = Driver(self, timing or Timing())
        self.watching = Watching(store)
        self.coaching = Coaching(store, self.watching)
        self.history = History(store)
        self._running: dict[str, RunningTable] = {}
        self._loading: dict[str, asyncio.Task[RunningTable]] = {}
        # Settings have no end of combinations: an engine is kept as long as a table has it.
        self._engines: weakref.WeakValueDictionary[
            tuple[str, tuple[tuple[str, str], ...]], Engine
        ] = weakref.WeakValueDictionary()
        self._risking: weakref.WeakValueDictionary[str, asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )
        self._compiling = asyncio.Lock()
        self._solver = ThreadPoolExecutor(1, "bots")
        self._solving: dict[str, asyncio.Future[object]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    # ------------------------------------------------------------------ opening and closing

    async def start(self) -> None:
        """Make the database ready, open the demo tables, and go on with every round in play."""
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self.store.migrate)
        await self._own_keys()
        self.store.listen(self._heard, self._woken)
        if self.demo:
            await self._demo_tables()
        for row in await self.store.read(records.list_tables):
            try:
                await self.running(row.id)
            except HouseError:
                continue  # it says so to whoever comes to it
        await self.driver.start()
        self.coaching.warm_up(self.loaded)

    async def stop(self) -> None:
        """Let go of the tables; whoever watches is cut off and finds them again elsewhere."""
        await self.driver.stop()
        self.watching.close()
        self.coaching.close()
        # What is begun is finished: the store is closed behind it.
        _, late = await asyncio.wait(self._tasks, timeout=GRACE) if self._tasks else (None, ())
        for task in late:
            task.cancel()
        self._solver.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.coaching.join)
        await asyncio.to_thread(self.store.close)

    async def _own_keys(self) -> None:
        for attempt in range(TRIES):
            try:
                key, casino = await self.store.run(_house_keys)
                break
            except ConflictError:  # another server made them in the same moment
                if attempt + 1 == TRIES:
                    raise
        self.key = TableKey(key)
        self.casino = Casino(NAME, casino)

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """What is being done beside."""
        return list(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something beside; it is not forgotten."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, HouseError | ConflictError):
            _log.error("something failed beside: %s", type(error).__name__)

    # ------------------------------------------------------------------ other servers

    def _heard(self, message: dict[str, Any]) -> None:
        if self._loop is not None and message.get("from") != self.me:
            self._loop.call_soon_threadsafe(self._hear, message)

    def _hear(self, message: dict[str, Any]) -> None:
        table = self._running.get(str(message.get("table", "")))
        match message.get("what"):
            case "entry" if table is not None and int(message["seq"]) > table.seq:
                self.spawn(self._follow(table, int(message["seq"])))
            case "ready" if table is not None and message["round"] == table.state.rounds:
                table.ready.add(str(message["name"]))
                self.changed(table)
            case "status" if table is not None:
                self.spawn(self._catch_up(table))
            case "entry" | "opened" | "status" if table is None:
                self.spawn(self._follow_new(str(message["table"])))

    def _woken(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        """The line to the other servers was down: look at every table again."""
        for table in self._running.values():
            self.spawn(self._catch_up(table))

    async def _follow_new(self, name: str) -> None:
        """Have a table that another server opened; what happened while it was read, too."""
        try:
            table = await self.running(name)
        except HouseError:
            return  # it says so to whoever comes to it
        await self._catch_up(table)

    async def _follow(self, table: RunningTable, seq: int | None = None) -> None:
        """Read what others wrote, if it is not known already up to an entry."""
        async with table.lock:
            if seq is not None and table.seq >= seq:
                return  # it was read along with another
            try:
                await self._read_on(table)
            except HouseError:
                table.stale = True  # when the store is back, whoever acts reads on

    async def _catch_up(self, table: RunningTable) -> None:
        """Read everything that others wrote, and how the table stands."""
        await self._follow(table)
        try:
            row = await self.store.read(records.find_table, table.id)
        except HouseError:
            return
        if row is None or "closed" in (row.status, table.status):
            return  # the entry that closes a table says so
        if table.status != row.status:
            table.status = row.status
            self.changed(table)

    async def _read_on(self, table: RunningTable) -> None:
        """Take in what is in the store and not yet in memory, and tell it."""
        rows = await self.store.read(records.entries_after, table.id, table.seq - 1)
        if not rows or rows[0].head != table.links.head:
            raise self._forgotten(table)
        for row in rows[1:]:
            entry = table.follow(row)
            await self._tell(table, entry.events)
        table.stale = False

    # ------------------------------------------------------------------ tables

    @property
    def loaded(self) -> list[RunningTable]:
        """The tables that are in memory here."""
        return list(self._running.values())

    def has(self, table: RunningTable) -> bool:
        """Whether this is the table in memory, and not one that was forgotten."""
        return self._running.get(table.id) is table

    async def running(self, table: str) -> RunningTable:
        """A table in memory; it is rebuilt if it is not there yet."""
        found = self._running.get(table)
        if found is not None:
            return found
        if not table.isprintable():  # no database is asked for such a name
            raise records.missing(table)
        task = self._loading.get(table)
        if task is None:
            task = asyncio.ensure_future(self._load(table))
            self._loading[table] = task
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(task)

    async def _load(self, name: str) -> RunningTable:
        row, snapshot, rows, people = await self.store.read(_stored, name)
        spec = msgspec.json.decode(row.spec, type=TableSpec)
        engine = await self._engine(spec.game, spec.settings)
        if engine.tables.fingerprint != row.fingerprint:
            raise HouseError(
                f"the table {row.name} was opened by other rules than {engine.tables.ref} has now: "
                f"it cannot go on, but its record can be read",
                "unavailable",
            )
        table = await self._restored(row, engine, people, snapshot, rows)
        if table.state.in_round and not table.round_began[0]:
            number = table.state.rounds
            table.round_began = await self.store.read(records.round_start, name, number)
        self._keep(table)
        return table

    async def _restored(
        self,
        row: records.TableRow,
        engine: Engine,
        people: dict[str, str],
        snapshot: records.Snapshot | None,
        rows: list[EntryRow],
    ) -> RunningTable:
        """The fold of what is stored; a snapshot that does not fit is done without."""
        table = RunningTable(row, engine, self.key, people)
        try:
            await asyncio.to_thread(table.restore, snapshot, rows)
        except (HouseError, msgspec.MsgspecError):
            if snapshot is None:
                raise
            rows = await self.store.read(records.entries_after, row.id, 0)
            table = RunningTable(row, engine, self.key, people)
            await asyncio.to_thread(table.restore, None, rows)
        return table

    async def _engine(self, game: str, settings: dict[str, str]) -> Engine:
        key = (game, tuple(sorted(settings.items())))
        async with self._compiling:  # one game at a time, and each once
            engine = self._engines.get(key)
            if engine is None:
                tables = await asyncio.to_thread(tables_of, game, settings)
                engine = self._engines[key] = Engine(tables, self.casino)
        return engine

    async def tables(self, *, closed: bool = False) -> list[TableInfo]:
        """The tables of the house as the lobby lists them; closed ones only if they are wanted."""
        found = []
        for row in await self.store.read(records.list_tables, closed=closed):
            try:
                found.append((await self.running(row.id)).info)
            except HouseError:
                continue
        return found

    async def info(self, table: str) -> TableInfo:
        return (await self.running(table)).info

    async def open_table(
        self, spec: TableSpec, by: Account | None, *, demo: bool = False, scripted: bool = False
    ) -> TableInfo:
        """A new table by its spec; what cannot be is refused with the sentence of the rules."""
        if sum(table.status != "closed" for table in self.loaded) >= MOST_TABLES:
            raise HouseError(f"the house has {MOST_TABLES} tables: close one first", "limit")
        engine = await self._engine(spec.game, spec.settings)
        table, rows = opened(spec, engine, self.key, by, demo=demo, scripted=scripted)
        await self.store.run(self._create, table.row, rows)
        self.driver.leased.add(table.id)
        self._keep(table)
        return table.info

    def _keep(self, table: RunningTable) -> None:
        """Have a table in memory; of closed ones only those that were looked at last."""
        self._running[table.id] = table
        self.lobby.put(table.info)
        self.driver.look(table)
        closed = [
            one.id
            for one in self.loaded
            if one.status == "closed" and not self.watching.lines(one.id)
        ]
        for name in closed[:-MOST_CLOSED]:
            del self._running[name]
            self.driver.forget(name)
            self.watching.forget_table(name)

    def _create(self, connection: Any, row: records.TableRow, rows: list[EntryRow]) -> None:
        records.create(connection, row, rows, self.driver.lease())
        self.store.tell(connection, {"what": "opened", "table": row.id, "from": self.me})

    async def _demo_tables(self) -> None:
        there = {row.game for row in await self.store.read(records.list_tables) if row.demo}
        for game in await asyncio.to_thread(game_ids):
            if game not in there:
                await self.open_demo(game)

    async def play(
        self, game: str, who: Account, may_open: Callable[[], object] = lambda: None
    ) -> TableInfo:
        """Seat somebody at a demo table of a game where no other person sits.

        A new one is opened only if `may_open` raises nothing; else one is shared, if there is room.
        """
        return (await play(self, game, who, may_open)).info

    async def sit(
        self, table: str, who: Account, *, seat: int = 0, chips: int = 0
    ) -> Ack | Refused:
        """Buy in and sit down in one go; seat 0 is the free one nearest to the middle."""
        running = await self.running(table)
        self.coaching.warm_up([running])
        return await sit(self, running, who, seat=seat, chips=chips)

    async def open_demo(self, game: str) -> RunningTable:
        """A table where a lone person is not hurried."""
        spec = TableSpec(game=game, bots=2, seconds=0, wager_seconds=0)
        return await self.running((await self.open_table(spec, None, demo=True)).id)

    async def work_out(self, tables: GameTables) -> None:
        """Have the bots' strategy of a game: worked out once, however many wait for it."""
        if is_at_hand(tables):
            return
        name = tables.fingerprint
        if name not in self._solving:
            loop = asyncio.get_running_loop()
            self._solving[name] = loop.run_in_executor(self._solver, basic_strategy, tables)
            self._solving[name].add_done_callback(lambda _: self._solving.pop(name, None))
        await asyncio.shield(self._solving[name])

    # ------------------------------------------------------------------ commands

    async def do(
        self,
        table: str,
        who: Account,
        command: dict[str, Any] | cm.Command,
        id: str,  # noqa: A002
        *,
        seen: int | None = None,
    ) -> Ack | Refused:
        """Carry out a person's command, once, however often it is sent.

        `seen` is the last entry that the person knew of; without it, the last that is known here.
        """
        if not (1 <= len(id) <= LONGEST_ID and id.isprintable()):
            raise HouseError(f"the id of a command has 1 to {LONGEST_ID} printable characters")
        running = await self.running(table)
        # Whoever waits for the answer may go away; what is written must get into memory even so.
        return await asyncio.shield(self.spawn(self._carry_out(running, who, command, id, seen)))

    async def _carry_out(
        self,
        running: RunningTable,
        who: Account,
        command: dict[str, Any] | cm.Command,
        id_: str,
        seen: int | None,
    ) -> Ack | Refused:
        async with running.lock:
            seen = running.seq if seen is None else seen
            if (seq := running.recent.get((who.id, id_))) is not None:
                return Ack(id_, seq, again=True)
            await self._need_entry(running, made_after(id_) or 0)
            asked = asked_command(running, who, command)
            if isinstance(asked, Refusal):
                return Refused(id_, asked.reason, asked.clauses)
            # Before anything is decided: how long that takes tells something of the cards, and
            # somebody who sends an old command again must not learn it.
            if draws_cards(asked) and not running.is_new(who.id, id_):
                seq = await self._done_before(running, who.id, id_)
                if seq is not None:
                    return Ack(id_, seq, again=True)
            late = is_late(running, asked, seen)
            if isinstance(asked, cm.Deal) and not late:
                waiting = await self._waits(running, who)
                if waiting:
                    return Ack(id_, running.seq, waiting=waiting)
            if isinstance(asked, cm.PresentCard):
                asked = await self._in_own_name(asked, who)
            before = Moment(running.seq, running.state)
            # Somebody's wagers at several tables are weighed one after the other: all of them
            # together have to keep to the own limits.
            async with self._risking.setdefault(who.id, asyncio.Lock()):
                answer = await self._do(running, who.id, asked, id_, who, seen)
        if isinstance(answer, Ack) and isinstance(asked, cm.DECISION_TYPES):
            self.spawn(self.coaching.decided(running, who.id, asked, before, answer.seq))
        return answer

    async def _done_before(self, table: RunningTable, account: str, id_: str) -> int | None:
        """The entry of a command, of the record's whole length."""
        return await self.store.read(records.find_command, table.id, account, id_)

    async def _need_entry(self, table: RunningTable, seq: int) -> None:
        """Have an entry that an id names; another server may have written it a moment ago."""
        if seq > table.seq:
            await self._read_on(table)
        if seq > table.seq:
            raise HouseError(
                f"the id of this command names entry {seq}, and the table has {table.seq}"
            )

    async def _in_own_name(self, command: cm.PresentCard, who: Account) -> cm.PresentCard:
        """A card that was punched before its owner registered is good under the new name too."""
        try:
            card = self.casino.read(command.token)
        except UpcardError:
            return command  # the table says what is wrong
        if card.player == command.player:
            return command
        if not await self.store.read(records.has_card, who.id, card.serial):
            return command
        own = msgspec.structs.replace(card, player=command.player)
        return msgspec.structs.replace(command, token=self.casino.punch(own))

    async def _do(
        self,
        table: RunningTable,
        account: str,
        command: cm.Command,
        id_: str,
        who: Account | None,
        seen: int | None = None,
    ) -> Ack | Refused:
        """Decide, write, tell. Whoever calls holds the table's lock."""
        for _ in range(TRIES):
            if table.stale:
                await self._read_on(table)
            if isinstance(command, cm.Deal) and (place := button_place(table)):
                await self.house_acts(table, cm.PlaceActionButton(position=place), "house")
            refused = await self._refusal(table, command, who, seen)
            done = refused or table.prepared(command, account, id_)
            if isinstance(done, Refusal):
                seq = await self._done_before(table, account, id_)
                if seq is not None:
                    return Ack(id_, seq, again=True)
                return Refused(id_, done.reason, done.clauses)
            try:
                await self.store.run(self._append, done.row, table.links.head, done.along)
            except records.BehindError:
                raise self._forgotten(table) from None
            except ConflictError:
                table.stale = True
                seq = await self._done_before(table, account, id_)
                if seq is not None:
                    await self._read_on(table)
                    return Ack(id_, seq, again=True)
                continue
            except HouseError as error:
                if error.code == "unavailable":
                    table.stale = True  # nobody knows whether it was written
                    raise
                return Refused(id_, str(error), error.clauses)
            table.accept(done)
            await self._tell(table, done.outcome.events)
            return Ack(id_, done.row.seq)
        raise HouseError("too many servers write to this table at once: try again", "unavailable")

    def _forgotten(self, table: RunningTable) -> HouseError:
        """The store went back in time, as after a backup was put back: so does the table."""
        if self.has(table):
            del self._running[table.id]
            self.driver.forget(table.id)
            for line in self.watching.lines(table.id):
                line.close()
        return HouseError(
            "the store has lost the last entries of this table: nothing was changed, come back to "
            "see the table as it is now, and try again",
            "unavailable",
        )

    def _append(self, connection: Any, row: EntryRow, after: str, along: records.Along) -> None:
        message = {"what": "entry", "table": row.table, "seq": row.seq, "from": self.me}
        records.append(connection, row, after, along, self.store.note(message))

    async def _refusal(
        self, table: RunningTable, command: cm.Command, who: Account | None, seen: int | None
    ) -> Refusal | None:
        """What the house itself has against a command."""
        if seen is not None and is_late(table, command, seen):
            return Refusal("the table has gone on since you saw it last: this was not done")
        if table.is_at_rest and not takes_back(command):
            return Refusal("the table is paused by the house: no round begins until it goes on")
        if who is None:
            return None
        name = table.name_of(who.id, who.name)
        if not table.is_own(who.id, name):
            return Refusal(f"somebody else plays at this table under the name {name}")
        if isinstance(command, cm.Deal) and not may_deal(table.state, name):
            return Refusal("make a wager first: cards are dealt to those who have wagered")
        return await over_own_limit(self.accounts, self.loaded, table, command, who)

    async def _waits(self, table: RunningTable, who: Account) -> str:
        """Note that somebody wants the cards; gives who is waited for, "" if they can come now."""
        name = table.name_of(who.id, who.name)
        if table.status != "open" or table.state.stage != "wagers":
            return ""  # the table says what is wrong
        if not table.is_own(who.id, name) or not may_deal(table.state, name):
            return ""  # the refusal says what is wrong
        await self.driver.bots_wager(table)
        table.ready.add(name)
        waiting = self.driver.waits_for(table)
        if waiting:
            self.changed(table)
            self.spawn(self._say_ready(table.id, table.state.rounds, name))
        return waiting

    async def _say_ready(self, table: str, number: int, name: str) -> None:
        message = {"what": "ready", "table": table, "round": number, "name": name, "from": self.me}
        if not self.store.is_sqlite:
            with contextlib.suppress(HouseError):  # it is asked for again
                await self.store.run(self.store.tell, message)

    async def house_does(
        self, table: RunningTable, command: cm.Command, kind: str, *, seen: int | None = None
    ) -> bool:
        """A command of the house itself, of a bot or of the clock.

        With `seen` it is for what the table waited for at that entry, as a person's is.
        """
        async with table.lock:
            return await self.house_acts(table, command, kind, seen=seen)

    async def house_acts(
        self, table: RunningTable, command: cm.Command, kind: str, *, seen: int | None = None
    ) -> bool:
        """As `house_does`, for whoever holds the lock."""
        answer = await self._do(table, "", command, f"{kind}-{table.seq + 1}", None, seen)
        return isinstance(answer, Ack)

    # ------------------------------------------------------------------ watching

    async def subscribe(
        self, table: str, who: Account | None, since: int | None = None
    ) -> Subscription:
        """A line to a table: a welcome with what happened since, then everything that happens."""
        running = await self.running(table)
        if since is not None and since > running.seq:
            await self._catch_up(running)  # another server told the viewer more than is known here
        return await self.watching.subscribe(running, who, since)

    async def _tell(self, table: RunningTable, events: Iterable[ev.Event]) -> None:
        """Let the clocks run anew, and tell everybody who watches what happened."""
        self.driver.look(table)
        self.lobby.put(table.info)
        await self.watching.tell(table, events)

    def changed(self, table: RunningTable) -> None:
        """Tell that the clock, who is ready or the status is another."""
        self.driver.look(table)
        self.lobby.put(table.info)
        self.watching.changed(table)

    # ------------------------------------------------------------------ questions

    async def coach(self, table: str, who: Account) -> dict[str, Any]:
        """What every legal action is worth to whoever asks, or what the next round is."""
        running = await self.running(table)
        return await self.coaching.advise(running, who.id, running.name_of(who.id, who.name))

    async def why(self, table: str, who: Account, action: str) -> Reason:
        """Why an action is, or is not, among the answers to the question that is asked now."""
        running = await self.running(table)
        return reason(running, running.name_of(who.id, who.name), action)

    # ------------------------------------------------------------------ the operator

    async def pause(self, table: str, by: Account) -> TableInfo:
        return await self._set_status(table, by, "paused")

    async def resume(self, table: str, by: Account) -> TableInfo:
        return await self._set_status(table, by, "open")

    async def _set_status(self, table: str, by: Account, status: str) -> TableInfo:
        self._need_operator(by)
        running = await self.running(table)
        async with running.lock:
            if running.status == "closed":
                raise HouseError("the table is closed")
            await self.store.run(self._write_status, table, status)
            running.status = status
        self.changed(running)
        return running.info

    def _write_status(self, connection: Any, table: str, status: str) -> None:
        records.set_status(connection, table, status)
        message = {"what": "status", "table": table, "status": status, "from": self.me}
        self.store.tell(connection, message)

    async def close(self, table: str, by: Account) -> TableInfo:
        """Close a table between rounds; everybody's chips go back to their purses."""
        self._need_operator(by)
        running = await self.running(table)
        answer = await asyncio.shield(self.spawn(self.wind_up(running, by.id)))
        if isinstance(answer, Refused):
            raise HouseError(answer.reason, "refused", answer.clauses)
        return running.info

    async def wind_up(
        self, table: RunningTable, account: str = "", *, unless: Callable[[], bool] = lambda: False
    ) -> Ack | Refused:
        """Close a table: wagers and banks are taken back, and everybody leaves with all chips.

        The rules close no table whose shoe is in use while somebody sits there, not even bots.
        """
        async with table.lock:
            if unless():
                return Refused("", "the table is wanted again")
            if table.state.in_round:
                return Refused("", "a round is in play: a table closes when it is over")
            answer: Ack | Refused = Refused("", "nothing happened")
            for command in departures(table, closes=True):
                id_ = f"close-{secrets.token_hex(8)}"
                answer = await self._do(table, account, command, id_, None)
                if isinstance(answer, Refused):
                    break
            return answer

    def _need_operator(self, by: Account) -> None:
        if by.role != "operator":
            raise HouseError("only an operator may do that", "forbidden")

    # ------------------------------------------------------------------ history

    async def rounds(
        self, table: str, *, before: int | None = None, limit: int = 50
    ) -> list[RoundInfo]:
        """Finished rounds of a table, the last first."""
        await self.running(table)
        return await self.history.rounds(table, before=before, limit=limit)

    async def results_of(
        self, account: str, *, limit: int = 10, before: tuple[str, int] | None = None
    ) -> list[RoundInfo]:
        """The last rounds of somebody, at any table; `before` one of them, by table and number."""
        return await self.history.results_of(account, limit, before)

    async def round_told(self, table: str, number: int) -> tuple[Told, ...]:
        """Everything that happened in a round, as the public saw it."""
        return await self.history.round_told(await self.running(table), number)

    async def replay(self, table: str, number: int) -> Replay:
        """A finished round with everything that is needed to see it again."""
        return await self.history.replay(await self.running(table), number)

    async def record_rows(self, table: str) -> tuple[bytes, list[EntryRow]]:
        """The title of a table's record and all its entries: secrets included."""
        return await self.history.record_rows(table)


def _house_keys(connection: Any) -> tuple[str, str]:
    key = records.house_value(connection, "table-key", TableKey.new().private)
    return key, records.house_value(connection, "casino-key", secrets.token_hex(32))


def _stored(
    connection: Any, table: str
) -> tuple[records.TableRow, records.Snapshot | None, list[EntryRow], dict[str, str]]:
    row = records.find_table(connection, table)
    if row is None:
        raise records.missing(table)
    snapshot = records.last_snapshot(connection, table, STATE_CODE)
    rows = records.entries_after(connection, table, snapshot.seq if snapshot else 0)
    return row, snapshot, rows, records.people_of(connection, table)
