"""Attacks on the house: what somebody hostile tried, and what must come of it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import threading
import weakref
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.doors import open_doors, say
from service.houses import (
    ManualTime,
    Person,
    a_house,
    guests,
    in_loop,
    need_whole,
    quick_table,
    settled,
)
from service.test_house import CARDS, _cards, _presents, _seated, _with_lights
from upcard import tables_for
from upcard.players import kept, ranked
from upcard.service import driver
from upcard.service.api.settings import Settings
from upcard.service.api.socket import MOST_QUESTIONS
from upcard.service.house import House
from upcard.service.messages import Ack, Refused
from upcard.service.rates import Rate, Rates
from upcard.service.running import RunningTable
from upcard.service.specs import Account, HouseError
from upcard.service.timing import Timing

SPANISH = "pure-spanish-21.5"


async def _sits(house: House, table: RunningTable, who: Account) -> Person:
    assert isinstance(await house.sit(table.id, who), Ack)
    person = Person(house, table.id, who, random.Random(1))
    await person.come()
    return person


async def _in_play(house: House, table: RunningTable, people: list[Person]) -> None:
    """Deal until somebody is asked."""
    for _ in range(50):
        for one in people:
            assert isinstance(await one.do(one.brain.plain_wagers()), Ack)
        for one in people:
            await one.do({"command": "Deal"})
        await settled(house)
        if table.state.in_round:
            return
    raise AssertionError("every round was over at once")


def _asked(table: RunningTable) -> str:
    question = table.engine.question(table.state) if table.state.in_round else None
    return question.player if question is not None else ""


def _timing(house: House) -> ManualTime:
    assert isinstance(house.driver.timing, ManualTime)
    return house.driver.timing


# ------------------------------------------------------------------ acting for others


@in_loop
async def test_nobody_asks_for_the_cards_in_anothers_name(sqlite_url: str) -> None:
    """A guest who registers gives the name back, and another guest may draw it."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await _seated(house, table)
        await ann.do(ann.brain.plain_wagers())
        twin = Account("another", ann.account.name)
        assert isinstance(await house.do(table.id, twin, {"command": "Deal"}, "x"), Refused)
        assert not table.ready
        await _timing(house).pass_by(30.0, house)
        assert table.state.rounds == 0


@in_loop
async def test_a_guest_who_registers_keeps_the_players_card(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        guest = await house.accounts.guest()
        known = await house.accounts.whose(guest.token)
        assert known is not None
        person = await _sits(house, table, guest.account)
        lit = await _with_lights(house, table, person)
        assert isinstance(await person.do({"command": "Leave"}), Ack)
        zoe = (await house.accounts.register("Zoe", "correct horse 9", guest=known)).account
        again = await quick_table(house, "ten-sticks-21", scripted=True, settings=CARDS)
        person = await _sits(house, again, zoe)
        (token,) = person.brain.cards
        assert isinstance(await person.do(_presents(person, token)), Ack)
        assert again.state.lit("Zoe", person.brain.seat) == lit
        assert isinstance(await person.do(_presents(person, token)), Refused)
        assert (await _cards(house, zoe.id))[0].spent_table == again.id
        await need_whole(house)


# ------------------------------------------------------------------ own limits


@in_loop
async def test_own_limits_hold_for_wagers_at_the_same_moment(database: str) -> None:
    async with a_house(database) as house:
        (ann,) = await guests(house, 1)
        await house.accounts.set_limits(ann, loss=1000, minutes=None)
        tables = [await quick_table(house, "blackjack") for _ in range(4)]
        people = [await _sits(house, table, ann) for table in tables]
        wagers = people[0].brain.plain_wagers() | {"wagers": {"base": 1000}}
        answers = await asyncio.gather(*(one.do(wagers) for one in people))
        assert sorted(type(one).__name__ for one in answers) == ["Ack", *["Refused"] * 3]
        assert sum(table.at_risk_of(ann.id) for table in tables) == 1000


async def _banked(house: House, table: RunningTable, people: list[Person]) -> None:
    """Let the bot have the bank."""
    for _ in range(40):
        if table.state.stage == "wagers":
            return
        for one in people:
            if table.state.offer is not None and table.state.offer.player == one.account.name:
                await one.do({"command": "DeclineBank"})
        await _timing(house).pass_by(3.0, house)
    raise AssertionError("nobody takes the bank")


@in_loop
async def test_nobody_with_a_limit_follows_anothers_doubles(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, SPANISH, bots=1)
        ann, bob = await _seated(house, table, 2)
        await _banked(house, table, [ann, bob])
        assert isinstance(await ann.do(ann.brain.plain_wagers()), Ack)
        back = {"command": "BackWagers", "position": ann.brain.seat, "wagers": {"base": 1000}}
        assert isinstance(await bob.do(back | {"follows": True}), Ack)
        await house.accounts.set_limits(bob.account, loss=2000, minutes=None)
        assert isinstance(await bob.do(back), Ack)  # it does not follow any more
        answer = await bob.do(back | {"follows": True})
        assert isinstance(answer, Refused)
        assert "without following" in answer.reason


@in_loop
async def test_fees_count_to_what_may_be_lost(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, SPANISH, bots=1, settings={"fee_schedule": "42"})
        (ann,) = await _seated(house, table)
        await _banked(house, table, [ann])
        wagers = ann.brain.plain_wagers()
        stake = sum(wagers["wagers"].values())
        fee = table.fee_on(wagers["wagers"], wagers["position"])
        assert fee > 0
        await house.accounts.set_limits(ann.account, loss=stake + fee - 1, minutes=None)
        assert isinstance(await ann.do(wagers), Refused)
        assert table.at_risk(ann.account.name) == 0


@in_loop
async def test_what_is_at_risk_is_all_that_can_be_lost(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, SPANISH, bots=1, settings={"fee_schedule": "42"})
        (ann,) = await _seated(house, table)
        for _ in range(6):
            await _banked(house, table, [ann])
            before = await _net(house, ann.account)
            assert isinstance(await ann.do(ann.brain.plain_wagers()), Ack)
            risk = table.at_risk_of(ann.account.id)
            await ann.do({"command": "Deal"})
            await settled(house)
            while table.state.in_round:
                if _asked(table) == ann.account.name:
                    assert table.at_risk_of(ann.account.id) >= risk
                    await ann.do(_stands(table))
                await _timing(house).pass_by(2.0, house)
            assert before - await _net(house, ann.account) <= risk


async def _net(house: House, who: Account) -> int:
    rounds = await house.results_of(who.id, limit=100)
    return sum(result.net for one in rounds for result in one.results)


def _stands(table: RunningTable) -> dict[str, Any]:
    question = table.engine.question(table.state)
    assert question is not None
    names = [action.text for action in question.actions]
    safe = next(name for name in ("decline", "stand", "hit", *names) if name in names)
    return {"command": safe.capitalize(), "position": question.position}


@in_loop
async def test_numbers_beyond_all_measure_are_refused_in_few_words(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await _seated(house, table)
        await house.accounts.set_limits(ann.account, loss=1000, minutes=None)
        most = 10**4299
        seat = ann.brain.seat
        for command in (
            {"command": "PlaceWagers", "position": seat, "wagers": {"base": 9 * most, "x": most}},
            {"command": "PlaceWagers", "position": seat, "wagers": {"base": -most}},
            {"command": "BuyIn", "amount": 2**63},
            {"command": "Sit", "seat": most},
            {"command": "Double", "position": seat, "amount": -most},
        ):
            answer = await ann.do(command)
            assert isinstance(answer, Refused)
            assert len(answer.reason) < 100


# ------------------------------------------------------------------ holding up others


@in_loop
async def test_nobody_holds_up_others_for_long_where_no_clock_runs(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        people = await _seated(house, table, 2)
        await _in_play(house, table, people)
        while table.state.in_round:
            before = table.seq
            assert table.clock.for_ == "turn"
            await _timing(house).pass_by(driver.PATIENCE + 1, house)
            assert table.seq > before


@in_loop
async def test_somebody_alone_is_not_hurried(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=2)
        (ann,) = await _seated(house, table)
        await _in_play(house, table, [ann])
        await _timing(house).pass_by(30.0, house)  # the bots have played
        asked = _asked(table)
        assert asked in ("", ann.account.name)
        await _timing(house).pass_by(driver.IDLE - 60.0, house)
        assert _asked(table) == asked


@in_loop
async def test_who_wagers_and_never_asks_does_not_keep_the_cards_from_others(
    sqlite_url: str,
) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        ann, bob = await _seated(house, table, 2)
        for one in (ann, bob):
            assert isinstance(await one.do(one.brain.plain_wagers()), Ack)
        answer = await ann.do({"command": "Deal"})
        assert isinstance(answer, Ack)
        assert answer.waiting == bob.account.name
        for _ in range(7):  # whatever bob does meanwhile gives him no more time
            await _timing(house).pass_by(driver.PATIENCE / 6, house)
            await bob.do(bob.brain.plain_wagers() | {"wagers": {"base": 1000}})
            await bob.do(bob.brain.plain_wagers())
        assert table.state.rounds == 1


@in_loop
async def test_a_paused_table_gives_wagers_back_and_can_be_closed(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        boss = Account("boss", "Boss", "operator")
        for closes in (False, True):
            table = await quick_table(house, "blackjack")
            (ann,) = await _seated(house, table)
            wagers = ann.brain.plain_wagers()
            assert isinstance(await ann.do(wagers), Ack)
            await house.pause(table.id, boss)
            assert isinstance(await ann.do(wagers | {"wagers": {"base": 1000}}), Refused)
            if closes:
                assert (await house.close(table.id, boss)).status == "closed"
                continue
            assert isinstance(await ann.do(wagers | {"wagers": {}}), Ack)
            assert isinstance(await ann.do({"command": "Leave"}), Ack)
        await need_whole(house)


# ------------------------------------------------------------------ at the doors


def test_nobody_behind_a_proxy_chooses_the_own_address(tmp_path: Path) -> None:
    rates = Rates({"guests": Rate(2, 0.001)})
    with open_doors(tmp_path, settings=Settings(behind_proxy=True), rates=rates) as doors:
        found = [
            doors.client.post(
                "/api/guest",
                json={"by": "token"},
                headers={"x-forwarded-for": f"192.0.2.{number}, 198.51.100.7"},
            ).status_code
            for number in range(4)
        ]
        assert found == [201, 201, 429, 429]


def test_many_guests_of_one_address_do_not_fill_the_house(tmp_path: Path) -> None:
    rates = Rates({"tables": Rate(3, 0.001)})
    with open_doors(tmp_path, settings=Settings(behind_proxy=True), rates=rates) as doors:
        found = [doors.guest().ask("POST", "/tables", {"game": "blackjack"}) for _ in range(5)]
        assert [answer.status_code for answer in found] == [201, 201, 201, 429, 429]


def test_the_coach_is_not_kept_busy_by_many_lines_of_one_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_doors(tmp_path) as doors, contextlib.ExitStack() as lines:
        ann = doors.guest()
        table = doors.table(ann)
        ann.post(f"/tables/{table}/sit", {})
        never = threading.Event()

        async def think(*_: object) -> dict[str, Any]:
            await asyncio.to_thread(never.wait, 60)
            return {}

        monkeypatch.setattr(doors.house, "coach", think)
        refused = 0
        for number in range(MOST_QUESTIONS + 2):
            line = lines.enter_context(ann.line(table))
            say(line, {"type": "coach", "id": f"c{number}"})
            say(line, {"type": "ping", "id": "p"})
            while (found := msgspec.json.decode(line.receive_text()))["type"] != "pong":
                refused += found["type"] == "error"
        assert refused == 2
        never.set()


@in_loop
async def test_what_no_database_takes_is_nobodys_name(database: str) -> None:
    async with a_house(database) as house:
        for name in ("Zo\x00e", "\x00", "Z' OR 1=1 --"):
            with pytest.raises(HouseError, match="do not belong together"):
                await house.accounts.sign_in(name, "a long password")
        zoe = await house.accounts.register("Zoe", "a long password")
        await house.accounts.new_token(zoe.account, "a\x00b\r\nset-cookie: c")
        (token,) = await house.accounts.sessions(zoe.account, "token")
        assert token.label == "abset-cookie: c"


# ------------------------------------------------------------------ filling the memory


@in_loop
async def test_games_of_closed_tables_do_not_fill_the_memory(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upcard.service.house.MOST_CLOSED", 1)
    monkeypatch.setattr("upcard.service.coaching.MOST_COACHES", 2)
    async with a_house(sqlite_url, timing=Timing()) as house:
        boss = Account("boss", "Boss", "operator")
        engines = []
        for number in range(8):
            settings = {"table_maximum": str(100_000 + 100 * number)}
            table = await quick_table(house, "blackjack", settings=settings)
            assert house.coaching.coach_of(table) is house.coaching.coach_of(table)
            engines.append(weakref.ref(table.engine))
            await house.close(table.id, boss)
        del table
        gc.collect()
        assert 0 < sum(engine() is not None for engine in engines) <= 4


def test_strategies_of_many_settings_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ranked, "_found", {})
    monkeypatch.setattr(ranked, "MOST_FOUND", 2)
    monkeypatch.setenv(kept.FOLDER, str(tmp_path))
    games = [tables_for("twisted-21", {"positions": str(number)}) for number in range(1, 5)]
    strategies = [weakref.ref(ranked.basic_strategy(tables)) for tables in games]
    gc.collect()
    assert [one() is not None for one in strategies] == [False, False, True, True]
    assert all(map(ranked.is_at_hand, games))  # the disk has them all
