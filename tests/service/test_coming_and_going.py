"""People who come, stay away, come back late: nobody is charged or held up for it."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from service.houses import (
    ManualTime,
    Person,
    a_house,
    guests,
    in_loop,
    need_whole,
    play,
    purses,
    quick_table,
    settled,
)
from service.test_house import _seated
from upcard.service import driver, records, schema
from upcard.service.house import House
from upcard.service.messages import Ack, Refused
from upcard.service.running import RunningTable
from upcard.service.specs import HouseError, TableSpec
from upcard.table import commands as cm

GONE_ON = "the table has gone on since you saw it last: this was not done"


async def _stacked(house: House, cards: str, **chosen: Any) -> RunningTable:
    """A table of blackjack where the cards come in this order."""
    spec = TableSpec(game="blackjack", bots=0, wager_seconds=0, speed="fast", **chosen)
    table = await house.running((await house.open_table(spec, None, scripted=True)).id)
    assert await house.house_does(table, cm.StackShoe(cards=tuple(cards.split())), "house")
    return table


def _time(house: House) -> ManualTime:
    timing = house.driver.timing
    assert isinstance(timing, ManualTime)
    return timing


# ------------------------------------------------------------------ commands that come late


@in_loop
async def test_a_decision_that_comes_late_is_no_answer_to_the_next_question(database: str) -> None:
    async with a_house(database) as house:
        table = await _stacked(house, "8s 6h 8d Td 3c 2c 2d 5c 9d 9c", seconds=10)
        (ann,) = await _seated(house, table)
        await ann.do(ann.brain.plain_wagers())
        await ann.do({"command": "Deal"})
        here = {"position": ann.brain.seat}
        await ann.do({"command": "Split", **here})
        seen = ann.brain.seq
        assert ann.brain.view["question"]["hand"] == 0
        await _time(house).pass_by(11.0, house)  # the clock stands on the first hand
        ann.listen()
        assert ann.brain.view["question"]["hand"] == 1
        late = await ann.do({"command": "Double", **here}, "late", seen=seen)
        assert isinstance(late, Refused)
        assert late.reason == GONE_ON
        assert isinstance(await ann.do({"command": "Hit", **here}, "hit", seen=ann.brain.seq), Ack)
        again = await ann.do({"command": "Hit", **here}, "hit", seen=seen)
        assert isinstance(again, Ack), "what was done was done, however late it is asked for again"
        assert again.again


@in_loop
async def test_a_wager_and_a_deal_are_for_the_round_that_was_seen(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", seconds=10)
        ann, bob = await _seated(house, table, 2)
        seen = ann.brain.seq
        await bob.do(bob.brain.plain_wagers())
        assert isinstance(await ann.do(ann.brain.plain_wagers(), seen=seen), Ack)
        for one in (ann, bob):
            await one.do({"command": "Deal"})
        while table.state.in_round:
            await _time(house).pass_by(11.0, house)
        ann.listen()
        for command in (ann.brain.plain_wagers(), {"command": "Deal"}):
            late = await ann.do(command, seen=seen)
            assert isinstance(late, Refused)
            assert late.reason == GONE_ON
        assert isinstance(await ann.do(ann.brain.plain_wagers(), seen=ann.brain.seq), Ack)
        assert isinstance(await ann.do({"command": "BuyIn", "amount": 500}, seen=0), Ack)
        await need_whole(house)


@in_loop
async def test_a_server_that_is_behind_does_not_answer_another_question(postgres_url: str) -> None:
    """What is decided anew because another server wrote first is still about what was seen."""
    timing = ManualTime()
    async with a_house(postgres_url, timing=timing) as first:
        table = await _stacked(first, "8s 6h 8d Td 3c 2c 2d 5c 9d 9c")
        (ann,) = await _seated(first, table)
        await ann.do(ann.brain.plain_wagers())
        await ann.do({"command": "Deal"})
        here = {"position": ann.brain.seat}
        await ann.do({"command": "Split", **here})
        async with a_house(postgres_url, timing=timing) as second:
            vars(second.store)["_listening"].stop()  # it hears nothing more
            await settled(second)
            assert isinstance(await ann.do({"command": "Stand", **here}), Ack)
            assert (await second.running(table.id)).seq < table.seq
            hit = {"command": "Hit", **here}
            late = await second.do(table.id, ann.account, hit, "at the other server")
            assert isinstance(late, Refused)
            assert late.reason == GONE_ON


# ------------------------------------------------------------------ people who are gone


@in_loop
async def test_whoever_wagers_and_walks_away_is_led_from_the_table(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=1)
        (ann,) = await _seated(house, table)
        await ann.do(ann.brain.plain_wagers())
        assert table.state.bets
        await _time(house).pass_by(driver.IDLE + 10, house)
        assert not table.persons
        assert (await purses(house.store))[ann.account.id] == records.FIRST_PURSE
        await _time(house).pass_by(driver.EMPTY + 1, house)
        assert table.status == "closed"
        await need_whole(house)


@in_loop
async def test_whoever_changes_the_wagers_asks_for_the_cards_again(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        ann, bob = await _seated(house, table, 2)
        for one in (ann, bob):
            await one.do(one.brain.plain_wagers())
        await ann.do({"command": "Deal"})
        assert table.ready == {ann.account.name}
        more = {"command": "PlaceWagers", "position": ann.brain.seat, "wagers": {"base": 1000}}
        await ann.do(more)
        assert table.ready == set()
        answer = await bob.do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert answer.waiting == ann.account.name
        await ann.do({"command": "Deal"})
        assert table.state.rounds == 1


# ------------------------------------------------------------------ seats


@in_loop
async def test_whoever_gets_no_seat_gets_the_chips_back(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=6)
        (ann,) = await _seated(house, table)
        (bob,) = await guests(house, 1)
        with pytest.raises(HouseError, match="no free seat"):
            await house.sit(table.id, bob)
        for seat in (ann.brain.seat, 20):
            assert isinstance(await house.sit(table.id, bob, seat=seat), Refused)
        assert (await purses(house.store))[bob.id] == records.FIRST_PURSE
        await need_whole(house)


@in_loop
async def test_somebody_who_comes_while_a_purse_is_looked_at_takes_no_seat_away(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        ann, bob = await guests(house, 2)
        read = house.store.read

        async def slow(act: Any, *args: Any, **kwargs: Any) -> Any:
            if act is records.purse_of and args == (ann.id,):
                assert isinstance(await house.sit(table.id, bob), Ack)
            return await read(act, *args, **kwargs)

        monkeypatch.setattr(house.store, "read", slow)
        assert isinstance(await house.sit(table.id, ann), Ack)
        seats = {player.name: player.seat for player in table.state.players}
        assert len({*seats.values()} - {0}) == 2


@in_loop
async def test_no_chips_are_bought_for_a_seat_that_is_not_to_be_had_while_cards_are_out(
    sqlite_url: str,
) -> None:
    async with a_house(sqlite_url) as house:
        table = await _stacked(house, "8s 6h 8d Td 9c 9h 9s 9d Th 5h 5s")
        (ann,) = await _seated(house, table)
        await ann.do(ann.brain.plain_wagers())
        other = 1 if ann.brain.seat != 1 else 2
        await ann.do({**ann.brain.plain_wagers(), "position": other})
        await ann.do({"command": "Deal"})
        assert table.state.in_round
        (bob,) = await guests(house, 1)
        refused = await house.sit(table.id, bob, seat=other, chips=900_000)
        assert isinstance(refused, Refused)
        assert (await purses(house.store))[bob.id] == records.FIRST_PURSE
        await need_whole(house)


@in_loop
async def test_who_has_chips_and_no_seat_gets_them_back_while_others_play(sqlite_url: str) -> None:
    """As after a server that was killed between the two."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await _seated(house, table)
        (bob,) = await guests(house, 1)
        bought = await house.do(table.id, bob, {"command": "BuyIn", "amount": 50_000}, "b")
        assert isinstance(bought, Ack)
        await play(house, [ann], driver.STRAY - 1)
        assert table.standing, "there is still time to sit down"
        await play(house, [ann], 1)
        await _time(house).pass_by(1, house)
        assert not table.standing
        assert (await purses(house.store))[bob.id] == records.FIRST_PURSE
        assert table.persons == (ann.account.name,)
        await need_whole(house)


@in_loop
async def test_who_has_chips_and_no_seat_gets_them_back_where_nobody_plays(sqlite_url: str) -> None:
    async with a_house(sqlite_url, demo=True) as house:
        table = next(one for one in house.loaded if one.tables.id == "blackjack")
        (bob,) = await guests(house, 1)
        await house.do(table.id, bob, {"command": "BuyIn", "amount": 50_000}, "b")
        await _time(house).pass_by(driver.IDLE - 1, house)
        assert table.standing
        await _time(house).pass_by(2, house)
        assert not table.standing
        assert (await purses(house.store))[bob.id] == records.FIRST_PURSE
        await need_whole(house)


@in_loop
async def test_of_every_game_one_demo_table_stays(sqlite_url: str) -> None:
    async with a_house(sqlite_url, demo=True) as house:
        people = await guests(house, 3)
        for who in people:
            await house.play("blackjack", who)
        for who in people:
            table = next(one for one in house.loaded if who.name in one.persons)
            assert isinstance(await house.do(table.id, who, {"command": "Leave"}, "l"), Ack)

        def open_ones() -> int:
            found = (one for one in house.loaded if one.tables.id == "blackjack")
            return sum(one.status == "open" for one in found)

        assert open_ones() == 3
        await _time(house).pass_by(2 * driver.EMPTY, house)
        assert open_ones() == 1
        await need_whole(house)


@in_loop
async def test_the_demo_table_that_is_left_when_another_is_closed_stays(sqlite_url: str) -> None:
    async with a_house(sqlite_url, demo=True) as house:
        for who in await guests(house, 2):
            table = await house.play("blackjack", who)
            assert isinstance(await house.do(table.id, who, {"command": "Leave"}, "l"), Ack)
        await house.open_demo("blackjack")
        tables = sorted(
            (one for one in house.loaded if one.tables.id == "blackjack"), key=lambda one: one.id
        )
        assert len(tables) == 2
        await _time(house).pass_by(driver.EMPTY / 2, house)
        assert isinstance(await house.wind_up(tables[0]), Ack)
        await _time(house).pass_by(2 * driver.EMPTY, house)
        assert [one.status for one in tables] == ["closed", "open"]


@in_loop
async def test_a_bank_that_was_taken_in_time_is_not_taken_away_by_the_clock(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time runs out while the acceptance is being written."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "pure-spanish-21.5", seconds=10)
        ann, _ = await _seated(house, table, 2)
        offer = table.state.offer
        assert offer is not None
        assert offer.player == ann.account.name
        append = records.append

        def slowly(*given: Any) -> None:
            monkeypatch.setattr(records, "append", append)
            house._loop.call_soon_threadsafe(ring.set)  # type: ignore[union-attr] # noqa: SLF001
            heard.wait()
            append(*given)

        ring, heard = asyncio.Event(), threading.Event()
        monkeypatch.setattr(records, "append", slowly)
        taking = asyncio.create_task(ann.do({"command": "TakeBank", "amount": 20_000}))
        await ring.wait()
        call = _time(house).due(_time(house).now() + 10)
        assert call is not None
        call()  # the clock
        for _ in range(5):
            await asyncio.sleep(0)
        heard.set()
        assert isinstance(await taking, Ack)
        await settled(house)
        bank = table.state.bank
        assert bank is not None
        assert (bank.player, table.state.stage) == (ann.account.name, "wagers")


@in_loop
async def test_where_no_table_may_be_opened_one_is_shared(sqlite_url: str) -> None:
    def never() -> None:
        raise HouseError("too many new tables", "limit")

    async with a_house(sqlite_url, demo=True) as house:
        seats = 7 - 2
        people = await guests(house, seats + 1)
        found = {(await house.play("blackjack", who, never)).id for who in people[:seats]}
        assert len(found) == 1
        with pytest.raises(HouseError, match="too many new tables"):
            await house.play("blackjack", people[-1], never)
        assert (await house.play("blackjack", people[-1])).id not in found
        await need_whole(house)


@in_loop
async def test_numbers_of_guests_do_not_run_out(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.service.accounts.secrets.randbelow", lambda _: 0)
    async with a_house(sqlite_url) as house:
        names = {who.name for who in await guests(house, 3)}
        assert names == {"Guest 100000", "Guest 1000000", "Guest 10000000"}


async def _banks(table: RunningTable, people: list[Person], amount: int) -> Person:
    """Let whoever is offered the bank take it."""
    offer = table.state.offer
    assert offer is not None
    banker = next(one for one in people if one.account.name == offer.player)
    assert isinstance(await banker.do({"command": "TakeBank", "amount": amount}), Ack)
    return banker


@in_loop
async def test_the_action_button_is_put_where_a_bank_does_not_cover(sqlite_url: str) -> None:
    """PS-M9: it designates where the action begins, and goes on from round to round."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "pure-spanish-21.5", seconds=10)
        people = await _seated(house, table, 3)
        found: list[int] = []
        for amount in (100_00, 12_00, 12_00, 12_00):
            banker = await _banks(table, people, amount)
            for one in people:
                if one is not banker:
                    await one.do(one.brain.plain_wagers() | {"wagers": {"base": 10_00}})
            for one in people:
                await one.do({"command": "Deal"})
            assert table.state.rounds == len(found) + 1
            found.append(table.state.action_button)
            assert table.state.round is not None
            wagered = {box.position for box in table.state.round.boxes}
            assert not found[-1] or found[-1] in wagered
            while table.state.in_round:
                await _time(house).pass_by(11.0, house)
            for one in people:
                one.listen()
        assert found[0] == 0, "this bank covers everything"
        assert all(found[1:])
        assert len(set(found[1:])) > 1
        await need_whole(house)


# ------------------------------------------------------------------ the house itself


@in_loop
async def test_bots_work_out_a_game_once_however_many_sit_down(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    go = threading.Event()

    def slow(tables: Any) -> None:
        begun.append(tables.fingerprint)
        go.wait(60)

    monkeypatch.setattr("upcard.service.house.is_at_hand", lambda _: False)
    monkeypatch.setattr("upcard.service.house.basic_strategy", slow)
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=2)
        for who in await guests(house, 4):
            await house.sit(table.id, who)
        go.set()
        await settled(house)
        assert begun == [table.tables.fingerprint]


@in_loop
async def test_a_store_that_goes_back_in_time_takes_its_table_along_once(sqlite_url: str) -> None:
    """As when a backup is put back under an open house: the table goes on from there."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=2, seconds=10)
        (ann,) = await _seated(house, table)
        kept = table.seq
        await ann.do(ann.brain.plain_wagers())
        await house.store.run(_forget_after, table.id, kept)
        lines = []
        for _ in range(6):
            line = await house.subscribe(table.id, None)
            lines.append(line)
            await _time(house).pass_by(20.0, house)
        again = await house.running(table.id)
        assert again is not table
        assert sum(line not in house.watching.lines(table.id) for line in lines) <= 1
        person = Person(house, table.id, ann.account, random.Random(1))
        await person.come()
        assert isinstance(await person.do(person.brain.plain_wagers()), Ack)


def _forget_after(connection: sa.Connection, table: str, seq: int) -> None:
    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    for (name,) in connection.exec_driver_sql(triggers).fetchall():
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    gone = schema.entries
    connection.execute(sa.delete(gone).where(gone.c.table_id == table, gone.c.seq > seq))


@in_loop
async def test_a_double_for_less_is_not_judged_as_one_in_full(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await _stacked(house, "6s 6h 5d Td 9c 8d", settings={"double_for_less": "true"})
        (ann,) = await _seated(house, table)
        bet = {"command": "PlaceWagers", "position": ann.brain.seat, "wagers": {"base": 10_000}}
        await ann.do(bet)
        await ann.do({"command": "Deal"})
        advice = await house.coach(table.id, ann.account)
        assert [one["action"] for one in advice["actions"] if one.get("best")] == ["double"]
        less = {"command": "Double", "position": ann.brain.seat, "amount": 500}
        assert isinstance(await ann.do(less), Ack)
        await settled(house)
        ann.listen()
        judged = [msgspec.json.decode(said) for said in ann.said if b'"judged"' in said]
        assert [one["action"] for one in judged] == ["double for less"]
        assert not any(one.get("mistake") for one in judged), "it has no price"
