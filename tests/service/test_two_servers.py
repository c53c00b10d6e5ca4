"""Two servers on one PostgreSQL: both serve every table at once, and one may vanish."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from chance import dice
from service.houses import (
    ManualTime,
    Person,
    a_house,
    eventually,
    guests,
    in_loop,
    need_whole,
    play,
    purses,
    quick_table,
    settled,
    stored_ids,
)
from upcard.service import driver, records
from upcard.service.house import House
from upcard.service.messages import Ack, Refused
from upcard.service.running import RunningTable
from upcard.service.specs import Account, HouseError
from upcard.service.store import Store

OPERATOR = Account("op", "Olga", "operator")


@asynccontextmanager
async def two_houses(url: str) -> AsyncIterator[tuple[House, House]]:
    async with a_house(url) as one, a_house(url) as other:
        yield one, other


@pytest.mark.chance
@in_loop
async def test_both_play_at_one_table_at_the_same_time(postgres_url: str) -> None:
    throws = dice("two servers")
    async with two_houses(postgres_url) as houses:
        table = await quick_table(houses[0], "games-of-chance-blackjack", bots=1)
        accounts = await guests(houses[0], 4)
        people = [
            Person(houses[number % 2], table.id, who, random.Random(throws.random()))
            for number, who in enumerate(accounts)
        ]
        for one in people:
            await one.come()
        running = [await house.running(table.id) for house in houses]
        sent: dict[str, tuple[str, int]] = {}

        async def busy(one: Person, number: int) -> None:
            """Play, send some commands twice and to both servers, and do silly things as well."""
            dice_ = random.Random(number)
            for step in range(60):
                one.listen()
                command = one.brain.next()
                if command is None or dice_.random() < 0.2:
                    command = dice_.choice(
                        [
                            {"command": "BuyIn", "amount": 500},
                            {"command": "Stand", "position": dice_.randrange(1, 8)},
                            {"command": "Move", "seat": dice_.randrange(1, 8)},
                        ]
                    )
                # Some ids name the last entry of the one server, which the other may not know yet.
                after = f"@{running[number % 2].seq}-" if dice_.random() < 0.5 else ""
                id_ = f"{after}{number}/{step}"
                to = dice_.sample(houses, 2) if dice_.random() < 0.4 else [one.house]
                answers = await asyncio.gather(
                    *(house.do(table.id, one.account, command, id_) for house in to)
                )
                acks = [a for a in answers if isinstance(a, Ack) and not a.waiting]
                assert len({ack.seq for ack in acks}) <= 1
                assert sum(not ack.again for ack in acks) <= 1
                if acks:
                    sent[id_] = (one.account.id, acks[0].seq)

        await asyncio.gather(*(busy(one, number) for number, one in enumerate(people)))
        await eventually(lambda: running[0].seq == running[1].seq)
        for house in houses:
            await settled(house)
        stored = await stored_ids(houses[0].store, table.id)
        assert [seq for _, _, seq in stored] == list(range(1, len(stored) + 1))
        found = {id_: (who, seq) for who, id_, seq in stored if who}
        assert len(found) == sum(bool(who) for who, _, _ in stored)
        assert found == sent  # nothing acknowledged is missing, and nothing else was done
        assert running[0].state == running[1].state
        assert len({seq for _, _, seq in stored}) == running[0].seq
        for house in houses:
            await need_whole(house)
        await _need_same_told(people)


async def _need_same_told(people: list[Person]) -> None:
    """Everybody was told the same strokes in the same order, without a gap."""
    told = []
    for one in people:
        one.listen()
        strokes = {}
        order = []
        for message in map(msgspec.json.decode, one.said):
            if message["type"] == "update":
                strokes[message["seq"]] = (message["at"], message["events"], message["view"])
                order.append(message["seq"])
        assert order == list(range(order[0], order[0] + len(order)))
        told.append(strokes)
    for strokes in told[1:]:
        for seq in strokes.keys() & told[0].keys():
            assert strokes[seq] == told[0][seq]
        assert max(strokes) == max(told[0])


@in_loop
async def test_a_viewer_elsewhere_sees_tables_rounds_pauses_and_the_end(postgres_url: str) -> None:
    async with two_houses(postgres_url) as (one, other):
        table = await quick_table(one, "blackjack", bots=1)
        await eventually(lambda: table.id in {t.id for t in other.loaded})
        elsewhere = await other.running(table.id)
        line = await other.subscribe(table.id, None)
        (ann,) = await guests(other, 1)
        person = Person(one, table.id, ann, random.Random(1))
        await person.come()
        await play(one, [person], 2)
        await eventually(lambda: elsewhere.seq == table.seq)
        assert elsewhere.state == table.state
        await one.pause(table.id, OPERATOR)
        await eventually(lambda: elsewhere.status == "paused")
        await other.resume(table.id, OPERATOR)
        await eventually(lambda: table.status == "open")
        await other.close(table.id, OPERATOR)
        await eventually(lambda: table.status == "closed")
        said = [msgspec.json.decode(message) async for message in line]
        seqs = [message["seq"] for message in said if message["type"] == "update"]
        assert seqs == list(range(said[0]["seq"] + 1, table.seq + 1))
        assert {message["status"] for message in said} == {"open", "paused", "closed"}
        # A pause that comes after the end changes nothing.
        with pytest.raises(HouseError, match="closed"):
            await one.pause(table.id, OPERATOR)
        await one.store.run(records.set_status, table.id, "paused")
        row = await one.store.read(records.find_table, table.id)
        assert row is not None
        assert row.status == "closed"


@in_loop
async def test_who_is_ready_is_known_to_both(postgres_url: str) -> None:
    async with two_houses(postgres_url) as (one, other):
        table = await quick_table(one, "blackjack")
        elsewhere = await other.running(table.id)
        people = []
        for house, who in zip((one, other), await guests(one, 2), strict=True):
            person = Person(house, table.id, who, random.Random(1))
            await house.sit(table.id, who)
            await person.come()
            people.append(person)
        await eventually(lambda: table.seq == elsewhere.seq)
        people[0].listen()
        for person in people:
            assert isinstance(await person.do(person.brain.plain_wagers()), Ack)
        await eventually(lambda: table.seq == elsewhere.seq)
        answer = await people[0].do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert answer.waiting == people[1].account.name
        await eventually(lambda: elsewhere.ready)
        answer = await people[1].do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert not answer.waiting
        await eventually(lambda: table.state.rounds == elsewhere.state.rounds == 1)
        assert not table.ready
        assert not elsewhere.ready


@in_loop
async def test_another_server_drives_when_one_vanishes(postgres_url: str) -> None:
    async with a_house(postgres_url) as other:
        timing = other.driver.timing
        assert isinstance(timing, ManualTime)
        gone = House(Store(postgres_url), demo=False, timing=ManualTime(timing.now()))
        await gone.start()
        table = await quick_table(gone, "blackjack", bots=1, seconds=10)
        assert gone.driver.drives(table)
        here = await other.running(table.id)
        (ann,) = await guests(other, 1)
        person = Person(other, table.id, ann, random.Random(1))
        await other.sit(table.id, ann)
        await person.come()
        await person.do(person.brain.plain_wagers())
        assert not other.driver.drives(here)
        # The first house stands still from now on, without a goodbye. Its lease runs out.
        await timing.pass_by(driver.LEASE - driver.RENEW, other)
        assert not other.driver.drives(here)
        before = here.seq
        await timing.pass_by(2 * driver.RENEW + 0.1, other)
        assert other.driver.drives(here)
        await timing.pass_by(1.0, other)
        assert here.seq > before  # the bot wagers
        await play(other, [person], 2)
        await need_whole(other)
        await gone.stop()


@in_loop
async def test_a_house_that_goes_politely_gives_its_tables_back(postgres_url: str) -> None:
    async with a_house(postgres_url) as other:
        timing = other.driver.timing
        assert isinstance(timing, ManualTime)
        async with a_house(postgres_url) as polite:
            table = await quick_table(polite, "blackjack", bots=1)
            here = await other.running(table.id)
            await timing.pass_by(driver.RENEW, other)
            assert not other.driver.drives(here)
        await timing.pass_by(driver.RENEW, other)
        assert other.driver.drives(here)


@in_loop
async def test_the_clock_is_shown_alike_by_who_does_not_drive(postgres_url: str) -> None:
    async with two_houses(postgres_url) as (one, other):
        table = await quick_table(one, "blackjack", wager_seconds=20)
        elsewhere = await other.running(table.id)
        (ann,) = await guests(one, 1)
        await one.sit(table.id, ann)
        person = Person(one, table.id, ann, random.Random(1))
        await person.come()
        await person.do(person.brain.plain_wagers())
        await eventually(lambda: elsewhere.seq == table.seq)
        assert elsewhere.clock == table.clock
        timing = other.driver.timing
        assert isinstance(timing, ManualTime)
        await timing.pass_by(3.0, other)
        other.changed(elsewhere)
        assert elsewhere.clock == table.clock
        # Whoever takes over gives nobody more time.
        await timing.pass_by(5.0, other)
        assert other.driver.drives(elsewhere)
        assert elsewhere.clock == table.clock
        await timing.pass_by(11.9, other)
        assert elsewhere.state.rounds == 0
        await timing.pass_by(0.2, other)
        assert elsewhere.state.rounds == 1


@in_loop
async def test_one_purse_at_two_tables_of_two_servers(postgres_url: str) -> None:
    async with two_houses(postgres_url) as houses:
        tables = [await quick_table(house, "blackjack") for house in houses]
        (ann,) = await guests(houses[0], 1)
        amount = records.FIRST_PURSE // 4
        work = [
            house.do(table.id, ann, {"command": "BuyIn", "amount": amount}, f"{number}")
            for number in range(6)
            for house, table in zip(houses, tables, strict=True)
        ]
        answers = await asyncio.gather(*work)
        assert sum(isinstance(answer, Refused) for answer in answers) == 12 - 4
        assert (await purses(houses[0].store))[ann.id] == 0
        for house in houses:
            for table in tables:
                running = await house.running(table.id)
                await _reached(running, max(t.seq for t in tables if t.id == table.id))
            await need_whole(house)


async def _reached(table: RunningTable, seq: int) -> None:
    await eventually(lambda: table.seq >= seq)


@in_loop
async def test_a_viewer_who_comes_from_a_server_that_knows_more(postgres_url: str) -> None:
    async with two_houses(postgres_url) as (one, other):
        table = await quick_table(one, "blackjack")
        await other.running(table.id)
        (ann,) = await guests(one, 1)
        for number in range(20):
            await one.do(table.id, ann, {"command": "BuyIn", "amount": 100}, f"{number}")
            line = await other.subscribe(table.id, None, table.seq)
            welcome = msgspec.json.decode(await anext(line))
            assert welcome["whole"]
            assert welcome["told"] == []
            assert welcome["seq"] == table.seq
            line.close()
