"""The coach of the house: for which wager, how soon, and about which decisions."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import msgspec
import pytest

from service.doors import Doors, Line, Person, do, hear, open_doors, say
from service.houses import Person as Player
from service.houses import a_house, eventually, guests, in_loop, play, quick_table
from upcard.coach import Coach, Follower, review_of
from upcard.coach.next_round import LAST, LEAST, LYING
from upcard.service import records
from upcard.service.coaching import ASKED_AGAIN
from upcard.service.house import House
from upcard.service.messages import Ack
from upcard.service.specs import EntryRow
from upcard.table.commands import Deal
from upcard.table.notation import parse_record
from upcard.table.session import Entry


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


def seated(doors: Doors, game: str = "blackjack", seat: int = 4) -> tuple[Person, str]:
    person = doors.guest()
    table = doors.table(person, game)
    person.post(f"/tables/{table}/sit", {"seat": seat, "chips": 20_000})
    return person, table


def stand_through(line: Line, id_: str, *, cents: int = 500) -> None:
    """Play a round at seat 4, and stand on everything."""
    do(line, f"{id_}-w", "PlaceWagers", position=4, wagers={"base": cents})
    do(line, f"{id_}-d", "Deal")
    for turn in range(3):
        do(line, f"{id_}-n{turn}", "Decline", position=4)
        do(line, f"{id_}-s{turn}", "Stand", position=4)


def ahead(line: Line, id_: str) -> dict[str, Any]:
    say(line, {"type": "coach", "id": id_})
    found: dict[str, Any] = hear(line, "advice")["advice"]
    return found


def base(found: dict[str, Any]) -> dict[str, Any]:
    (worth,) = [one for one in found["next"] if one["wager"] == "base"]
    assert isinstance(worth, dict)
    return worth


# ------------------------------------------------------------------ the next round


def test_the_next_round_is_priced_for_what_lies_there(doors: Doors) -> None:
    """In Games of Chance a tie costs a dollar: of four dollars that is less than of two."""
    person, table = seated(doors, "games-of-chance-blackjack")
    with person.line(table) as line:
        hear(line, "welcome")
        found = ahead(line, "c1")
        assert (found["bet"], found["of"]) == (200, LEAST)
        assert base(found)["percent"] == pytest.approx(-4.489147, abs=1e-6)
        do(line, "w1", "PlaceWagers", position=4, wagers={"base": 400})
        found = ahead(line, "c2")
        assert (found["bet"], found["of"]) == (400, LYING)
        assert base(found)["percent"] == pytest.approx(-2.47, abs=0.005)
        assert (base(found)["bet"], base(found)["cents"]) == (400, -10)
        do(line, "w2", "PlaceWagers", position=4, wagers={})
        assert ahead(line, "c3")["bet"] == 200


def test_whoever_sat_out_a_round_is_told_of_their_last_wager(doors: Doors) -> None:
    ann, table = seated(doors)
    with ann.line(table) as line:
        hear(line, "welcome")
        stand_through(line, "r1", cents=1500)
        found = ahead(line, "c1")
        assert (found["bet"], found["of"]) == (1500, LAST)
        bo = doors.guest()
        bo.post(f"/tables/{table}/sit", {"seat": 2, "chips": 20_000})
        with bo.line(table) as other:
            hear(other, "welcome")
            do(other, "w", "PlaceWagers", position=2, wagers={"base": 500})
            doors.call(doors.house.house_does, doors.call(doors.house.running, table), Deal(), "t")
            for turn in range(4):
                do(other, f"n{turn}", "Decline", position=2)
                do(other, f"s{turn}", "Stand", position=2)
        last, _ = ann.get(f"/tables/{table}/rounds")
        assert {one["player"] for one in last["results"]} == {bo.name}
        found = ahead(line, "c2")
        assert (found["bet"], found["of"]) == (1500, LAST)


@in_loop
async def test_only_the_last_question_before_a_deal_is_worked_out(sqlite_url: str) -> None:
    """Chips come quickly one after the other."""
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await guests(house, 1)
        coaching, begun, held = house.coaching, Event(), Event()
        coach = coaching.coach_of(table)
        real = coach.before_deal
        priced = []

        def slow(*args: Any, **more: Any) -> Any:
            priced.append(1)
            begun.set()
            assert held.wait(60)
            return real(*args, **more)

        coach.before_deal = slow  # type: ignore[method-assign]
        asked = [house.spawn(house.coach(table.id, ann)) for _ in range(4)]
        await eventually(begun.is_set)
        await eventually(lambda: coaching.ahead[table.id, ann.id] == 4)
        held.set()
        found = [await one for one in asked]
        # The one that was begun already and the last; in which order they came in is their own.
        assert sorted(one.get("words", "") for one in found) == ["", "", ASKED_AGAIN, ASKED_AGAIN]
        assert len(priced) == 2


# ------------------------------------------------------------------ how soon


@in_loop
async def test_the_coaches_of_the_tables_are_ready_before_somebody_asks(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm: list[str] = []
    monkeypatch.setattr(Coach, "warm_up", lambda coach, _: warm.append(coach.tables.ref))
    async with a_house(sqlite_url) as house:
        for game in ("blackjack", "twisted-21", "blackjack"):
            await quick_table(house, game)
        assert not house.coaching.warm, "nobody sits at them"
    async with a_house(sqlite_url) as house:
        await eventually(lambda: house.coaching.is_warm)
        assert sorted(warm) == sorted({table.tables.ref for table in house.loaded}), (
            "each game once"
        )
        table = await quick_table(house, "pure-spanish-21.5", bots=1)
        (ann,) = await guests(house, 1)
        assert isinstance(await house.sit(table.id, ann), Ack)
        await eventually(lambda: len(warm) == 3)
        await house.sit(table.id, ann)
        assert house.coaching.is_warm


@in_loop
async def test_a_house_that_closes_does_not_wait_for_its_coaches(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, left = Event(), Event()

    def warm_up(_: Coach, stopped: Callable[[], bool]) -> None:
        begun.set()
        while not stopped():
            time.sleep(0.001)
        left.set()

    async with a_house(sqlite_url) as house:
        await quick_table(house, "blackjack")
        await quick_table(house, "twisted-21")
    monkeypatch.setattr(Coach, "warm_up", warm_up)
    async with a_house(sqlite_url):
        await eventually(begun.is_set)
        assert not left.is_set()
    assert left.is_set()
    begun.clear()
    async with a_house(sqlite_url):
        pass
    assert not begun.is_set(), "what was not begun is left"


# ------------------------------------------------------------------ all decisions


async def judged_by_hand(house: House, table: str, name: str) -> Any:
    """All decisions of a player in a record, whoever sent them."""
    running = await house.running(table)
    title, rows = await house.record_rows(table)
    log = parse_record(b"".join([title, b"\n", *(row.data for row in rows)]), table).log
    return review_of(Coach(running.engine), log.entries, name)


def test_decisions_are_judged_without_any_advice(doors: Doors) -> None:
    person, table = seated(doors)
    with person.line(table) as line:
        hear(line, "welcome")
        for number in range(6):
            stand_through(line, f"r{number}")
    found = person.get(f"/me/review?table={table}")
    running = doors.call(doors.house.running, table)
    expected = doors.call(judged_by_hand, doors.house, table, running.name_of(person.id))
    assert expected.decisions > 0
    assert found["whole"] is True
    assert found == person.get("/me/review")
    told = msgspec.json.decode(msgspec.json.encode(expected.summary()))
    assert {key: found[key] for key in told} == told
    assert doors.guest().get(f"/me/review?table={table}")["decisions"] == 0


@in_loop
async def test_a_review_goes_on_from_where_it_was(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack", bots=1)
        (ann,) = await guests(house, 1)
        player = Player(house, table.id, ann, random.Random("review"))
        assert isinstance(await house.sit(table.id, ann), Ack)
        await player.come()
        await play(house, [player], 3)
        reviewing = house.coaching.reviewing
        nothing = await reviewing.review(table, ann.id, seconds=0)
        assert (nothing.review.decisions, nothing.whole) == (0, False), "there was no time for it"
        monkeypatch.setattr("upcard.service.reviewing.CHUNK", 7)
        found = await reviewing.review(table, ann.id)
        assert found.whole
        name = table.name_of(ann.id)
        assert found.review.summary() == (await judged_by_hand(house, table.id, name)).summary()
        read: list[int] = []
        real = records.entry_of

        def noted(row: EntryRow, after: str) -> tuple[Entry, str]:
            read.append(row.seq)
            return real(row, after)

        monkeypatch.setattr(records, "entry_of", noted)
        assert await reviewing.review(table, ann.id) == found
        assert read == [], "nothing is judged twice"
        last = table.seq
        await play(house, [player], 1)
        again = await reviewing.review(table, ann.id)
        assert read == list(range(last + 1, table.seq + 1))
        assert again.review.decisions >= found.review.decisions


@in_loop
async def test_a_table_that_cannot_be_opened_has_what_was_judged_then(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        (ann,) = await guests(house, 1)
        player = Player(house, table.id, ann, random.Random("judged"))
        assert isinstance(await house.sit(table.id, ann), Ack)
        await player.come()
        while not await house.store.read(records.find_round, table.id, 3):
            await player.step()
            if table.state.in_round:
                await house.coach(table.id, ann)
        real = await house.coaching.review(table, ann.id, seconds=60)
        monkeypatch.setattr(Follower, "add", lambda *_, **__: pytest.fail("it is not read"))
        kept = await house.coaching.review(table.id, ann.id, seconds=60)
        assert 0 < kept.review.decisions <= real.review.decisions
        assert kept.whole
