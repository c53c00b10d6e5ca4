"""Houses for tests: on a database of their own, with a clock that moves when it is told to."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec

import msgspec
import sqlalchemy as sa

from service.brain import Brain
from upcard.service import schema
from upcard.service.house import House
from upcard.service.messages import Ack, Refused
from upcard.service.running import RunningTable
from upcard.service.specs import Account, TableSpec
from upcard.service.store import Store
from upcard.service.timing import Handle, Timing
from upcard.service.watching import Subscription
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.notation import parse_record
from upcard.table.verify import verify

P = ParamSpec("P")


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


class ManualTime(Timing):
    """Time that stands still until somebody lets it pass."""

    def __init__(self, start: float = 1_800_000_000.0) -> None:
        self.time = start
        self.asleep: set[asyncio.Task[Any]] = set()
        self._count = itertools.count()
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._off: set[int] = set()

    def now(self) -> float:
        return self.time

    def later(self, seconds: float, call: Callable[[], None]) -> Handle:
        number = next(self._count)
        heapq.heappush(self._waiting, (self.time + seconds, number, call))
        return _Cancel(self._off, number)

    async def sleep(self, seconds: float) -> None:
        done = asyncio.get_running_loop().create_future()
        task = asyncio.current_task()
        assert task is not None

        def wake() -> None:
            self.asleep.discard(task)
            if not done.done():
                done.set_result(None)

        self.later(seconds, wake)
        self.asleep.add(task)
        try:
            await done
        finally:
            self.asleep.discard(task)

    def due(self, until: float) -> Callable[[], None] | None:
        """What comes next, if it comes by then; the time is that of it."""
        while self._waiting and self._waiting[0][0] <= until:
            self.time, number, call = heapq.heappop(self._waiting)
            if number not in self._off:
                return call
        return None

    async def pass_by(self, seconds: float, *houses: House) -> None:
        """Let time pass, and everything happen that comes with it."""
        until = self.time + seconds
        for house in houses:
            await settled(house)
        while (call := self.due(until)) is not None:
            call()
            for house in houses:
                await settled(house)
        self.time = until


class _Cancel:
    def __init__(self, off: set[int], number: int) -> None:
        self.off, self.number = off, number

    def cancel(self) -> None:
        self.off.add(self.number)


async def settled(house: House) -> None:
    """Wait until a house does nothing more by itself but wait for its clock."""
    timing = house.driver.timing
    asleep = timing.asleep if isinstance(timing, ManualTime) else set()
    while busy := [task for task in house.tasks if task not in asleep]:
        await asyncio.wait(busy, timeout=0.002)
        await asyncio.sleep(0)


async def eventually(holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that another thread or server brings about."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.002)


@asynccontextmanager
async def a_house(
    url: str, *, demo: bool = False, timing: Timing | None = None
) -> AsyncIterator[House]:
    """A house that is open, and is closed in the end."""
    house = House(Store(url), demo=demo, timing=timing or ManualTime())
    await house.start()
    try:
        yield house
    finally:
        await house.stop()


async def guests(house: House, count: int) -> list[Account]:
    return [(await house.accounts.guest()).account for _ in range(count)]


async def quick_table(
    house: House, game: str, *, scripted: bool = False, **chosen: Any
) -> RunningTable:
    """A table without clocks; with a bot where players bank the game."""
    usual: dict[str, Any] = {"bots": 0, "seconds": 0, "wager_seconds": 0, "speed": "fast"}
    spec = TableSpec(game=game, **(usual | chosen))
    return await house.running((await house.open_table(spec, None, scripted=scripted)).id)


def many_lights(table: RunningTable) -> cm.StackShoe:
    """A whole shoe of which every other card brings a light, as long as there are any."""
    cards = [str(card) for card in table.tables.alphabet.cards] * table.tables.alphabet.decks
    bonus = [card for card in cards if card == "Tc"]
    others = [card for card in cards if card != "Tc"]
    random.Random(0).shuffle(others)
    first = [card for pair in zip(bonus, others, strict=False) for card in pair]
    return cm.StackShoe(cards=(*first, *others[len(bonus) :]))


# ------------------------------------------------------------------ people who play


_ids = itertools.count()


class Person:
    """Somebody at a table of a house, who knows what the line tells and nothing else."""

    def __init__(self, house: House, table: str, account: Account, dice: random.Random) -> None:
        self.house = house
        self.table = table
        self.account = account
        self.brain = Brain(dice)
        self.line: Subscription | None = None
        self.said: list[bytes] = []
        self.acked: dict[str, int] = {}

    async def come(self, since: int | None = None) -> None:
        self.line = await self.house.subscribe(self.table, self.account, since)
        self.listen()

    def go(self) -> None:
        if self.line is not None:
            self.line.close()
            self.line = None

    def listen(self) -> None:
        """Take in everything that has arrived."""
        assert self.line is not None
        while not self.line.queue.empty():
            message = self.line.queue.get_nowait()
            if message is not None:
                self.said.append(message)
                self.brain.hear(msgspec.json.decode(message))

    async def do(
        self, command: dict[str, Any], id_: str = "", seen: int | None = None
    ) -> Ack | Refused:
        id_ = id_ or f"{self.account.id[:6]}-{next(_ids)}"
        answer = await self.house.do(self.table, self.account, command, id_, seen=seen)
        if isinstance(answer, Ack) and not answer.waiting:
            self.acked[id_] = answer.seq
        if self.line is not None:
            self.listen()
        return answer

    async def step(self) -> bool:
        """Do the next thing, if there is one to do."""
        self.listen()
        command = self.brain.next()
        if command is None:
            return False
        answer = await self.do(command)
        if isinstance(answer, Refused) and (safe := self.brain.safe()) is not None:
            answer = await self.do(safe)
        return isinstance(answer, Ack)


async def play(house: House, people: list[Person], rounds: int) -> None:
    """Everybody plays, and the house drives, until so many rounds are over."""
    timing = house.driver.timing
    assert isinstance(timing, ManualTime)
    table = await house.running(people[0].table)
    goal = table.state.rounds + rounds
    idle = 0
    while table.state.rounds < goal or table.state.in_round:
        acted = [await one.step() for one in people]
        await settled(house)
        if any(acted):
            idle = 0
            continue
        idle += 1
        assert idle < 50, f"the table stands still: {table.state.stage} {table.state.bets}"
        await timing.pass_by(5.0, house)
    for one in people:
        one.listen()


# ------------------------------------------------------------------ what must be true


async def purses(store: Store) -> dict[str, int]:
    """What everybody has beside the tables."""

    def read(connection: sa.Connection) -> dict[str, int]:
        query = sa.select(schema.purse.c.account, sa.func.sum(schema.purse.c.amount))
        found = connection.execute(query.group_by(schema.purse.c.account))
        return {account: int(amount) for account, amount in found}

    return await store.read(read)


async def given(store: Store) -> int:
    """All play money that ever came into the house: welcomes and refills."""

    def read(connection: sa.Connection) -> int:
        query = sa.select(sa.func.coalesce(sa.func.sum(schema.purse.c.amount), 0))
        return int(connection.execute(query.where(schema.purse.c.table_id.is_(None))).scalar_one())

    return await store.read(read)


async def need_whole(house: House) -> None:
    """Every table is the fold of its record, the record verifies, and no cent is lost."""
    at_tables = 0
    for table in house.loaded:
        title, rows = await house.record_rows(table.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        data = title + b"\n" + b"".join(row.data for row in rows)
        log, chain = parse_record(data, table.id)
        assert chain is not None
        assert not chain.fault, chain.fault
        assert table.engine.fold(log.events) == table.state
        checks = verify(table.tables, log, house.casino, chain)
        assert all(check.holds for check in checks), checks
        brought = await _brought(house.store, table.id)
        assert brought == _bought(table, log.events)
        at_tables += brought
    held = sum((await purses(house.store)).values())
    assert held + at_tables == await given(house.store)


async def _brought(store: Store, table: str) -> int:
    """What people brought to a table and did not take away, by their purses."""

    def read(connection: sa.Connection) -> int:
        query = sa.select(sa.func.coalesce(sa.func.sum(schema.purse.c.amount), 0))
        return -int(connection.execute(query.where(schema.purse.c.table_id == table)).scalar_one())

    return await store.read(read)


def _bought(table: RunningTable, events: Iterable[ev.Event]) -> int:
    """The same by the events of the table."""
    total = 0
    for event in events:
        if isinstance(event, ev.ChipsBought) and event.player not in table.bots:
            total += event.amount
        if isinstance(event, ev.ChipsCashed) and event.player not in table.bots:
            total -= event.amount
    return total


async def stored_ids(store: Store, table: str) -> list[tuple[str, str, int]]:
    """Whose commands a table carried out, by their ids."""

    def read(connection: sa.Connection) -> list[tuple[str, str, int]]:
        c = schema.entries.c
        query = sa.select(c.account, c.command_id, c.seq).where(c.table_id == table)
        return [(row[0], row[1], row[2]) for row in connection.execute(query.order_by(c.seq))]

    return await store.read(read)
