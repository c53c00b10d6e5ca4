"""The house: commands once, clocks, bots, seats, viewers, limits, players' cards."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from chance import dice
from service.houses import (
    ManualTime,
    Person,
    a_house,
    guests,
    in_loop,
    many_lights,
    need_whole,
    play,
    purses,
    quick_table,
    settled,
    stored_ids,
)
from upcard import GAME_IDS
from upcard.service import driver, records, running, schema
from upcard.service.house import MOST_CLOSED, House
from upcard.service.messages import Ack, Refused
from upcard.service.running import RunningTable
from upcard.service.specs import Account, HouseError
from upcard.service.watching import QUEUE, Subscription
from upcard.table import commands as cm

OPERATOR = Account("op", "Olga", "operator")


async def _seated(house: House, table: RunningTable, count: int = 1) -> list[Person]:
    """People who sit at a table and watch it."""
    found = []
    for number, who in enumerate(await guests(house, count)):
        person = Person(house, table.id, who, random.Random(number))
        assert isinstance(await house.sit(table.id, who), Ack)
        await person.come()
        found.append(person)
    return found


def _forget_ids(table: RunningTable) -> None:
    """Let a table in memory forget the ids of commands, as it does with time."""
    table.recent.clear()
    table.recent_after = table.seq


def _messages(line: Subscription) -> list[dict[str, Any]]:
    found = []
    while not line.queue.empty():
        message = line.queue.get_nowait()
        if message is not None:
            found.append(msgspec.json.decode(message))
    return found


# ------------------------------------------------------------------ commands act once


@in_loop
async def test_a_command_acts_once_however_often_it_is_sent(database: str) -> None:
    buying = {"command": "BuyIn", "amount": 10_000}
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await guests(house, 1)
        both = await asyncio.gather(*(house.do(table.id, ann, buying, "one") for _ in range(6)))
        assert sorted(answer.again for answer in both if isinstance(answer, Ack)) == (
            [False, True, True, True, True, True]
        )
        assert {answer.seq for answer in both if isinstance(answer, Ack)} == {2}
        assert await house.do(table.id, ann, buying, "one") == Ack("one", 2, again=True)
        # Nor does a command under a known id act that is another one, or would be refused now.
        other = {"command": "Leave"}
        assert await house.do(table.id, ann, other, "one") == Ack("one", 2, again=True)
    async with a_house(database) as house:  # the ids are known after a restart
        assert await house.do(table.id, ann, buying, "one") == Ack("one", 2, again=True)
        assert (await purses(house.store))[ann.id] == records.FIRST_PURSE - 10_000
        # The same id of somebody else, or at another table, is another command.
        (bob,) = await guests(house, 1)
        assert await house.do(table.id, bob, buying, "one") == Ack("one", 3)
        await need_whole(house)


@in_loop
async def test_an_id_that_memory_has_forgotten_is_found_in_the_store(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        first = await person.do({"command": "BuyIn", "amount": 100}, "first")
        await play(house, [person], 3)
        _forget_ids(table)
        again = {"command": "BuyIn", "amount": 100}
        assert isinstance(first, Ack)
        assert await person.do(again, "first") == Ack("first", first.seq, again=True)
        # Refused now, and yet it was carried out then.
        sit = {"command": "Sit", "seat": 99}
        assert await person.do(sit, "first") == Ack("first", first.seq, again=True)
        await need_whole(house)


@pytest.mark.parametrize("old", ["first", "@1-first"])
@in_loop
async def test_an_old_command_that_is_sent_again_is_not_decided_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    """How long that takes would tell whether the next card busts, as often as one likes."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", scripted=True)
        (person,) = await _seated(house, table)
        first = await person.do({"command": "BuyIn", "amount": 100}, old)
        assert isinstance(first, Ack)
        stacked = cm.StackShoe(cards=("8s", "6h", "8d", "Td", "Kc"))
        assert await house.house_does(table, stacked, "house")
        await person.do(person.brain.plain_wagers())
        _forget_ids(table)

        def decided(*_: object) -> None:
            pytest.fail("it was decided")

        here = person.brain.seat
        with monkeypatch.context() as patch:
            patch.setattr(table, "prepared", decided)
            patch.setattr(table.engine, "act", decided)
            assert await person.do({"command": "Deal"}, old) == Ack(old, first.seq, True)
        assert isinstance(await person.do({"command": "Deal"}), Ack)
        with monkeypatch.context() as patch:
            patch.setattr(table, "prepared", decided)
            patch.setattr(table.engine, "act", decided)
            for action in ("Hit", "Stand", "Double", "Split"):
                again = await person.do({"command": action, "position": here}, old)
                assert again == Ack(old, first.seq, again=True)
            for action in ("hit", "stand", "double", "split"):
                assert (await house.why(table.id, person.account, action)).legal
        assert isinstance(await person.do({"command": "Hit", "position": here}), Ack)


@in_loop
async def test_an_id_that_says_after_which_entry_it_was_made_is_not_looked_up(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        looked_up: list[str] = []
        find = records.find_command

        def noted(connection: Any, table: str, account: str, id_: str) -> int | None:
            looked_up.append(id_)
            return find(connection, table, account, id_)

        monkeypatch.setattr(records, "find_command", noted)
        await person.do(person.brain.plain_wagers(), f"@{table.seq}-wager")
        dealt = f"@{table.seq}-deal"
        first = await person.do({"command": "Deal"}, dealt)
        assert isinstance(first, Ack)
        assert not looked_up
        assert await person.do({"command": "Deal"}, dealt) == Ack(dealt, first.seq, again=True)
        assert not looked_up
        _forget_ids(table)
        assert await person.do({"command": "Deal"}, dealt) == Ack(dealt, first.seq, again=True)
        assert looked_up == [dealt]


@in_loop
async def test_an_id_names_no_entry_that_is_still_to_come(sqlite_url: str) -> None:
    """Else it would be taken for a new one when the table has got there."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        later = f"@{table.seq + 1}-soon"
        with pytest.raises(HouseError, match=f"names entry {table.seq + 1}, and the table has"):
            await person.do({"command": "BuyIn", "amount": 100}, later)
        before = table.seq
        assert isinstance(await person.do({"command": "BuyIn", "amount": 100}), Ack)
        assert table.seq == before + 1


@in_loop
async def test_no_id_that_has_acted_is_ever_taken_for_new(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever entry it names, however little memory holds, also after a restart."""
    monkeypatch.setattr(running, "RECENT", 5)
    throws = random.Random(5)
    used: list[str] = []
    known_new = 0
    async with a_house(sqlite_url) as house:
        name = (await quick_table(house, "blackjack")).id
        (who,) = await guests(house, 1)
    for _ in range(2):
        async with a_house(sqlite_url) as house:
            table = await house.running(name)
            for _ in range(running.SNAPSHOT_EVERY + 10):
                assert not [one for one in used if table.is_new(who.id, one)]
                back = throws.choice((0, 0, 1, 3, 9))
                id_ = f"@{max(0, table.seq - back)}-{len(used)}"
                known_new += table.is_new(who.id, id_)
                buying = {"command": "BuyIn", "amount": 100}
                assert isinstance(await house.do(name, who, buying, id_), Ack)
                used.append(id_)
    assert known_new > running.SNAPSHOT_EVERY


@in_loop
async def test_a_command_outlives_whoever_sent_it(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        assert person.line is not None
        for number in range(20):
            before = table.seq
            sending = asyncio.create_task(
                person.do({"command": "BuyIn", "amount": 100}, f"gone {number}")
            )
            for _ in range(number):
                await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await settled(house)
            assert table.seq == await _entries(house, table.id)
            assert len(_messages(person.line)) == table.seq - before or number == 0
        await need_whole(house)


async def _entries(house: House, table: str) -> int:
    return len(await stored_ids(house.store, table))


@in_loop
async def test_ids_are_short_and_printable(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await guests(house, 1)
        for id_ in ("", "x" * 65, "a\x00b", "\ud800", "line\nbreak"):
            with pytest.raises(HouseError, match="the id of a command has 1 to 64 printable"):
                await house.do(table.id, ann, {"command": "Leave"}, id_)


@in_loop
async def test_tables_that_are_not_there(database: str) -> None:
    async with a_house(database) as house:
        for name in ("nowhere", "", "a\x00b", "\ud800", "x" * 500):
            with pytest.raises(HouseError, match="there is no table") as error:
                await house.info(name)
            assert error.value.code == "missing"


NO_COMMANDS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "'None' is not a command"),
    ({"command": "BuyIn", "amount": 12.5}, "whole numbers of cents, $12.50 is 1250"),
    (
        {"command": "PlaceWagers", "position": 4, "wagers": {"base": "5"}},
        "whole numbers of cents, $12.50 is 1250",
    ),
    ({"command": 7}, "'7' is not a command"),
    ({"command": "Cheat"}, "'Cheat' is not a command"),
    ({"command": "CloseTable"}, "CloseTable is a command of the house"),
    ({"command": "StackShoe", "cards": ["As"]}, "StackShoe is a command of the house"),
    ({"command": "Sit", "seat": "four"}, "Sit: "),
    ({"command": "Sit", "seat": 4, "colour": "red"}, "Sit has no field 'colour'"),
    ({"command": "Deal"}, "make a wager first"),
)


@in_loop
async def test_what_is_no_command_changes_nothing(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        before = table.seq
        for command, words in NO_COMMANDS:
            answer = await person.do(command, "it")
            assert isinstance(answer, Refused)
            assert words in answer.reason
        assert table.seq == before


@in_loop
async def test_nobody_acts_for_somebody_else(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=1)
        ann, bob = await _seated(house, table, 2)
        leave = {"command": "Leave", "player": ann.account.name}
        assert isinstance(await bob.do(leave), Ack)
        assert table.state.player(ann.account.name) is not None
        assert table.state.player(bob.account.name) is None
        stranger = msgspec.structs.replace(bob.account, id="another", name=ann.account.name)
        answer = await house.do(table.id, stranger, {"command": "Leave"}, "x")
        assert isinstance(answer, Refused)
        assert "somebody else plays at this table under the name" in answer.reason
        bot = msgspec.structs.replace(bob.account, id="another", name=table.bots[0])
        answer = await house.do(table.id, bot, {"command": "Leave"}, "x")
        assert isinstance(answer, Refused)


# ------------------------------------------------------------------ seats and money


@in_loop
async def test_people_who_sit_down_at_once_all_get_a_seat(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        people = await guests(house, len(table.state.positions))
        answers = await asyncio.gather(*(house.sit(table.id, who) for who in people))
        assert all(isinstance(answer, Ack) for answer in answers)
        assert len(table.persons) == len(people)
        (late,) = await guests(house, 1)
        with pytest.raises(HouseError, match="no free seat"):
            await house.sit(table.id, late)
        await need_whole(house)


@in_loop
async def test_nobody_buys_in_with_more_than_the_purse_has(database: str) -> None:
    async with a_house(database) as house:
        tables = [await quick_table(house, "blackjack") for _ in range(4)]
        (ann,) = await guests(house, 1)
        amount = records.FIRST_PURSE // 2
        buying = {"command": "BuyIn", "amount": amount}
        answers = await asyncio.gather(
            *(house.do(table.id, ann, buying, f"b{table.id}") for table in tables)
        )
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert len(refused) == 2
        assert refused[0].reason == "your purse has $0 in play money, not $5,000"
        assert (await purses(house.store))[ann.id] == 0
        assert sum(table.state.chips(ann.name) for table in tables) == records.FIRST_PURSE
        with pytest.raises(HouseError, match="your purse is empty"):
            await house.sit(tables[answers.index(refused[0])].id, ann)
        await need_whole(house)


@in_loop
async def test_play_seats_everybody_at_a_table_of_their_own(database: str) -> None:
    async with a_house(database, demo=True) as house:
        assert [info.game for info in await house.tables()] == list(GAME_IDS)
        ann, bob = await guests(house, 2)
        first = await house.play("twisted-21", ann)
        assert (await house.play("twisted-21", ann)).id == first.id
        second = await house.play("twisted-21", bob)
        assert second.id != first.id
        assert second.demo
        with pytest.raises(HouseError, match="there is no game"):
            await house.play("poker", ann)
        await need_whole(house)


@in_loop
async def test_a_renamed_guest_stays_who_it_was_at_the_table(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        signed = await house.accounts.guest()
        known = await house.accounts.whose(signed.token)
        assert known is not None
        guest = signed.account
        await house.sit(table.id, guest)
        zoe = (await house.accounts.register("Zoe", "correct horse 9", guest=known)).account
        assert zoe.id == guest.id
        person = Person(house, table.id, zoe, random.Random(3))
        await person.come()
        assert person.brain.name == guest.name
        assert person.brain.seat
        await play(house, [person], 2)
    async with a_house(database) as house:
        person = Person(house, table.id, zoe, random.Random(3))
        await person.come()
        assert person.brain.name == guest.name
        assert isinstance(await person.do({"command": "Leave"}), Ack)
        table = await house.running(table.id)
        assert not table.state.chips(guest.name)
        # Whoever has left comes back under the new name, and nobody gets the old one.
        assert isinstance(await house.sit(table.id, zoe), Ack)
        assert [player.name for player in table.state.players] == ["Zoe"]
        other = Account("another", guest.name)
        answer = await house.do(table.id, other, {"command": "BuyIn", "amount": 100}, "x")
        assert isinstance(answer, Refused)
        await need_whole(house)


# ------------------------------------------------------------------ clocks and bots


def _clock(table: RunningTable) -> str:
    return table.clock.for_


@in_loop
async def test_the_clock_deals_decides_and_leads_away(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        timing = house.driver.timing
        assert isinstance(timing, ManualTime)
        table = await quick_table(house, "blackjack", seconds=10, wager_seconds=15)
        ann, bob = await _seated(house, table, 2)
        await ann.do(ann.brain.plain_wagers())
        await timing.pass_by(14.9, house)
        assert table.state.rounds == 0
        assert _clock(table) == "wagers"
        # Somebody who comes in does not give the others more time.
        await bob.do(bob.brain.plain_wagers())
        await timing.pass_by(0.2, house)
        assert table.state.rounds == 1
        while table.state.in_round:
            assert _clock(table) == "turn"
            before = table.seq
            await timing.pass_by(9.0, house)
            assert table.seq == before
            await timing.pass_by(1.05, house)
            assert table.seq > before
        assert {id_.split("-")[0] for who, id_, _ in await stored_ids(house.store, table.id)} >= {
            "clock"
        }
        await timing.pass_by(driver.IDLE + 1, house)
        assert not table.persons
        assert (await purses(house.store))[ann.account.id] == records.FIRST_PURSE + sum(
            result.net for one in await house.results_of(ann.account.id) for result in one.results
        )
        await timing.pass_by(driver.EMPTY + 1, house)
        assert table.status == "closed"
        await need_whole(house)


@in_loop
async def test_cards_come_when_everybody_asked_for_them(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack", bots=2)
        ann, bob = await _seated(house, table, 2)
        for one in (ann, bob):
            await one.do(one.brain.plain_wagers())
        answer = await ann.do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert answer.waiting == bob.account.name
        bob.listen()
        assert bob.brain.ready == [ann.account.name]
        answer = await bob.do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert not answer.waiting
        assert table.state.rounds == 1
        assert table.state.round is not None
        assert len(table.state.round.boxes) == 4


@in_loop
async def test_whoever_takes_the_wagers_back_is_not_ready_any_more(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        timing = house.driver.timing
        assert isinstance(timing, ManualTime)
        table = await quick_table(house, "blackjack")
        ann, bob = await _seated(house, table, 2)
        for one in (ann, bob):
            await one.do(one.brain.plain_wagers())
        await ann.do({"command": "Deal"})
        for one in (ann, bob):
            back = {"command": "PlaceWagers", "position": one.brain.seat, "wagers": {}}
            assert isinstance(await one.do(back), Ack)
        asked = []
        really = house.house_does

        async def count(*args: Any) -> bool:
            asked.append(args)
            return await really(*args)

        monkeypatch.setattr(house, "house_does", count)
        await timing.pass_by(60.0, house)
        assert asked == []
        assert table.state.rounds == 0


@in_loop
async def test_what_the_house_cannot_do_is_not_tried_without_a_pause(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        timing = house.driver.timing
        assert isinstance(timing, ManualTime)
        table = await quick_table(house, "blackjack", bots=1)
        (ann,) = await _seated(house, table)
        tried = []

        async def refuse(*args: Any) -> bool:
            tried.append(args)
            return False

        monkeypatch.setattr(house, "house_does", refuse)
        monkeypatch.setattr("upcard.service.house.GRACE", 0.01)  # nobody wakes what sleeps by hand
        await ann.do(ann.brain.plain_wagers())
        await timing.pass_by(30.0, house)
        assert 10 <= len(tried) <= 40


@in_loop
async def test_a_paused_table_ends_its_round_and_rests(database: str) -> None:
    async with a_house(database) as house:
        timing = house.driver.timing
        assert isinstance(timing, ManualTime)
        table = await quick_table(house, "blackjack", bots=1, seconds=10)
        (ann,) = await _seated(house, table)
        with pytest.raises(HouseError, match="only an operator") as error:
            await house.pause(table.id, ann.account)
        assert error.value.code == "forbidden"
        await ann.do(ann.brain.plain_wagers())
        await ann.do({"command": "Deal"})
        await house.pause(table.id, OPERATOR)
        await timing.pass_by(200.0, house)
        assert not table.state.in_round
        ann.listen()
        assert ann.brain.status == "paused"
        answer = await ann.do(ann.brain.plain_wagers())
        assert isinstance(answer, Refused)
        assert "paused" in answer.reason
    async with a_house(database) as house:
        again = await house.running(table.id)
        assert again.status == "paused"
        await house.resume(table.id, OPERATOR)
        person = Person(house, table.id, ann.account, random.Random(1))
        await person.come()
        await play(house, [person], 1)


@pytest.mark.parametrize("game", GAME_IDS)
@in_loop
async def test_an_operator_closes_any_table_between_rounds(sqlite_url: str, game: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, game, bots=2)
        people = await _seated(house, table, 2)
        await play(house, people, 2)
        for one in people:
            await one.step()
        if table.state.in_round:
            with pytest.raises(HouseError, match="a round is in play"):
                await house.close(table.id, OPERATOR)
            await play(house, people, 0)
        info = await house.close(table.id, OPERATOR)
        assert info.status == "closed"
        assert info.seats == ()
        assert await house.tables() == []
        for one in people:
            assert one.line is not None
            *_, last = [message async for message in one.line]
            assert msgspec.json.decode(last)["status"] == "closed"
        with pytest.raises(HouseError, match="the table is closed"):
            await house.pause(table.id, OPERATOR)
        assert isinstance(await people[0].do({"command": "BuyIn", "amount": 100}), Refused)
        await need_whole(house)
        total = sum((await purses(house.store)).values())
        results = [await house.results_of(one.account.id, limit=50) for one in people]
        won = sum(r.net for rounds in results for info in rounds for r in info.results)
        assert total == 2 * records.FIRST_PURSE + won


@in_loop
async def test_closed_tables_do_not_fill_the_memory(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        first = await quick_table(house, "blackjack")
        await house.close(first.id, OPERATOR)
        for _ in range(MOST_CLOSED + 5):
            table = await quick_table(house, "blackjack")
            await house.close(table.id, OPERATOR)
        await quick_table(house, "blackjack")
        assert len(house.loaded) == MOST_CLOSED + 1
        assert (await house.info(first.id)).status == "closed"


# ------------------------------------------------------------------ own limits


@in_loop
async def test_own_limits_hold_at_all_tables_together(database: str) -> None:
    async with a_house(database) as house:
        tables = [await quick_table(house, "blackjack") for _ in range(2)]
        (ann,) = await guests(house, 1)
        await house.accounts.set_limits(ann, loss=1500, minutes=None)
        people = []
        for table in tables:
            await house.sit(table.id, ann)
            person = Person(house, table.id, ann, random.Random(1))
            await person.come()
            people.append(person)
        wager = people[0].brain.plain_wagers() | {"wagers": {"base": 1000}}
        assert isinstance(await people[0].do(wager), Ack)
        answer = await people[1].do(wager)
        assert isinstance(answer, Refused)
        assert answer.reason == (
            "your own limit of $15 lost in a day leaves $5, and this takes $10"
        )
        assert isinstance(await people[1].do(wager | {"wagers": {"base": 500}}), Ack)
        # The same wager, moved or taken back, takes nothing more.
        assert isinstance(await people[0].do(wager), Ack)
        assert isinstance(await people[0].do(wager | {"wagers": {}}), Ack)


@in_loop
async def test_own_limits_of_time(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        (person,) = await _seated(house, table)
        await house.accounts.set_limits(person.account, loss=None, minutes=1)
        answer = await person.do(person.brain.plain_wagers())
        assert isinstance(answer, Refused)
        assert "your own limit is 1" in answer.reason
        assert isinstance(await person.do({"command": "Leave"}), Ack)


# ------------------------------------------------------------------ viewers


@pytest.mark.chance
@in_loop
async def test_whoever_comes_back_sees_every_event_exactly_once(sqlite_url: str) -> None:
    throws = dice("comes back")
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "ten-sticks-21", bots=2)
        people = await _seated(house, table, 2)
        seen: list[tuple[int, Any]] = []
        last = table.seq
        line: Subscription | None = None
        for _ in range(60):
            await play(house, people, 0)
            for _ in range(throws.randrange(6)):
                for one in people:
                    await one.step()
                await settled(house)
            if line is None:
                line = await house.subscribe(table.id, None, last)
            for message in _messages(line)[: throws.randrange(30)]:
                if message["type"] == "welcome":
                    assert message["whole"]
                    strokes = message["told"]
                else:
                    strokes = [message] if message["type"] == "update" else []
                for stroke in strokes:
                    seen.append((stroke["seq"], stroke["events"]))
                    last = stroke["seq"]
                last = max(last, message["seq"])
            line.close()  # what was not read is lost
            line = None
            if throws.random() < 0.2:
                table.told.clear()  # long ago: the store has to be asked
        line = await house.subscribe(table.id, None, last)
        (welcome,) = _messages(line)
        seen += [(stroke["seq"], stroke["events"]) for stroke in welcome["told"]]
        numbers = [seq for seq, _ in seen]
        assert numbers == list(range(numbers[0], table.seq + 1))
        for rounds in await house.rounds(table.id):
            told = await house.round_told(table.id, rounds.round)
            known = dict(seen)
            for stroke in told:
                if stroke.seq in known:
                    assert list(stroke.events) == known[stroke.seq]


@in_loop
async def test_a_slow_reader_is_cut_off_without_a_gap(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await guests(house, 1)
        line = await house.subscribe(table.id, None)
        for number in range(10):
            await house.do(table.id, ann, {"command": "BuyIn", "amount": 1}, f"a{number}")
        read = [msgspec.json.decode(await anext(line))["seq"] for _ in range(6)]
        for number in range(QUEUE + 10):
            await house.do(table.id, ann, {"command": "BuyIn", "amount": 1}, f"b{number}")
        read += [msgspec.json.decode(message)["seq"] async for message in line]
        assert read == list(range(1, read[-1] + 1))
        again = await house.subscribe(table.id, None, read[-1])
        welcome = msgspec.json.decode(await anext(again))
        if welcome["whole"]:
            assert [t["seq"] for t in welcome["told"]] == list(range(read[-1] + 1, table.seq + 1))
        assert house.watching.lines(table.id) == (again,)


@in_loop
async def test_a_welcome_tells_no_more_than_it_has(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await _seated(house, table)
        await play(house, [ann], 2)
        for since in (None, table.seq + 1, 10**9):
            line = await house.subscribe(table.id, ann.account, since)
            (welcome,) = _messages(line)
            assert not welcome["whole"]
            assert welcome["seq"] == table.seq
        line = await house.subscribe(table.id, ann.account, table.seq)
        (welcome,) = _messages(line)
        assert welcome["whole"]
        assert welcome["told"] == []
        assert welcome["you"]["wallet"] == (await purses(house.store))[ann.account.id]


# ------------------------------------------------------------------ players' cards

CARDS = {"players_card": "true"}


async def _with_lights(house: House, table: RunningTable, person: Person) -> int:
    """Play until somebody has a light on, which is soon with this shoe."""
    for _ in range(20):
        assert await house.house_does(table, many_lights(table), "house")
        await play(house, [person], 1)
        if lit := table.state.lit(person.brain.name, person.brain.seat):
            return lit
    raise AssertionError("no light came on")


async def _cards(house: House, account: str) -> list[sa.Row[Any]]:
    c = schema.players_cards
    query = sa.select(c).where(c.c.account == account)
    return await house.store.read(lambda connection: list(connection.execute(query)))


@in_loop
async def test_a_players_card_is_punched_taken_along_and_used_once(database: str) -> None:
    async with a_house(database) as house:
        first, second, third = [
            await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
            for _ in range(3)
        ]
        (ann,) = await _seated(house, first)
        lit = await _with_lights(house, first, ann)
        ann.go()
        assert isinstance(await ann.do({"command": "Leave"}), Ack)
        (card,) = await _cards(house, ann.account.id)
        assert (card.lights, card.player, card.spent_table) == (lit, ann.account.name, None)
    async with a_house(database) as house:  # the card survives, and so does its signature
        people = []
        for table in (second, third):
            await house.sit(table.id, ann.account)
            person = Person(house, table.id, ann.account, random.Random(1))
            await person.come()
            assert person.brain.cards == (card.token,)
            people.append(person)
        (bob,) = await guests(house, 1)
        await house.sit(second.id, bob)
        bobs = Person(house, second.id, bob, random.Random(1))
        await bobs.come()
        answer = await bobs.do(_presents(bobs, card.token))
        assert isinstance(answer, Refused)
        assert "lights do not pass to somebody else" in answer.reason
        # At two tables at once: one of them takes it.
        answers = await asyncio.gather(*(one.do(_presents(one, card.token)) for one in people))
        assert sorted(type(answer).__name__ for answer in answers) == ["Ack", "Refused"]
        refused = next(answer for answer in answers if isinstance(answer, Refused))
        assert "given up already" in refused.reason
        winner = people[[type(answer) for answer in answers].index(Ack)]
        winner.listen()
        assert winner.brain.cards == ()
        running = await house.running(winner.table)
        assert running.state.lit(ann.account.name, winner.brain.seat) == lit
        (spent,) = await _cards(house, ann.account.id)
        assert spent.spent_table == winner.table
        await need_whole(house)
    async with a_house(database) as house:  # lights are intact, and the card stays used
        running = await house.running(winner.table)
        assert running.state.lit(ann.account.name, winner.brain.seat) == lit
        loser = people[1 - people.index(winner)]
        again = Person(house, loser.table, ann.account, random.Random(1))
        await again.come()
        answer = await again.do(_presents(again, card.token))
        assert isinstance(answer, Refused)
        assert "given up already" in answer.reason
        await need_whole(house)


@in_loop
async def test_nobody_uses_a_card_by_having_its_owners_name(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        first = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        (ann,) = await _seated(house, first)
        await _with_lights(house, first, ann)
        await ann.do({"command": "Leave"})
        (card,) = await _cards(house, ann.account.id)
        # A guest who registers gives the name back, and another guest may draw it.
        (thief,) = await guests(house, 1)
        thief = msgspec.structs.replace(thief, name=ann.account.name)
        table = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        await house.sit(table.id, thief)
        person = Person(house, table.id, thief, random.Random(1))
        await person.come()
        before = table.seq
        answer = await person.do(_presents(person, card.token))
        assert isinstance(answer, Refused)
        assert "somebody else's" in answer.reason
        assert table.seq == before
        assert (await _cards(house, ann.account.id))[0].spent_table is None


@in_loop
async def test_a_guest_who_registers_keeps_the_players_card(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        first = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        signed = await house.accounts.guest()
        await house.sit(first.id, signed.account)
        guest = Person(house, first.id, signed.account, random.Random(0))
        await guest.come()
        lit = await _with_lights(house, first, guest)
        await guest.do({"command": "Leave"})
        known = await house.accounts.whose(signed.token)
        zoe = (await house.accounts.register("Zoe", "correct horse 9", guest=known)).account
        table = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        await house.sit(table.id, zoe)
        person = Person(house, table.id, zoe, random.Random(1))
        await person.come()
        (token,) = person.brain.cards
        assert isinstance(await person.do(_presents(person, token)), Ack)
        assert table.state.lit("Zoe", person.brain.seat) == lit
        assert person.brain.cards == ()
        # Nor is the card good again under its old name.
        (card,) = await _cards(house, zoe.id)
        assert card.spent_table == table.id
        await need_whole(house)


def _presents(person: Person, token: str) -> dict[str, Any]:
    return {"command": "PresentCard", "position": person.brain.seat, "token": token}
