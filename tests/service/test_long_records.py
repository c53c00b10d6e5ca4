"""Records that have grown long: what is read of them does not grow along, and others come first."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from service.doors import Time, open_doors
from service.houses import (
    Person,
    a_house,
    guests,
    in_loop,
    many_lights,
    play,
    quick_table,
    settled,
)
from service.test_pages import Browser
from upcard.service import history, records, schema
from upcard.service.history import LIGHTS, STEP_BACK, Replay
from upcard.service.house import House
from upcard.service.rates import RATES, Rate, Rates
from upcard.service.running import SNAPSHOT_EVERY, RunningTable, events_of, told_row
from upcard.service.specs import EntryRow, TableSpec
from upcard.service.store import Store
from upcard.table.view import PUBLIC, view
from web.serving import PATIENCE, Serving

# ------------------------------------------------------------------ games of a person

ANN, BO = "a" * 32, "b" * 32


def _fill(connection: sa.Connection) -> None:
    """Rounds at two tables; Ann has two wagers in most of them, and Bo is there as well."""
    for number in range(1, 41):
        table, ended = f"t{number % 2}", f"2026-05-01T12:{number // 4:02}:00.000Z"
        row = {"table_id": table, "round": number}
        connection.execute(
            sa.insert(schema.rounds).values(
                **row, first_seq=number, last_seq=number, began=ended, ended=ended
            )
        )
        own = [(ANN, 3, "base"), (ANN, 3, "fees"), (BO, 4, "base")][number % 7 == 0 :]
        for account, position, wager in own:
            values = {"position": position, "player": account[0], "wager": wager, "ended": ended}
            money = {"stake": 500, "action": 500, "net": number}
            connection.execute(
                sa.insert(schema.results).values(**row, **values, **money, account=account)
            )


@pytest.fixture
def store(sqlite_url: str) -> Iterator[Store]:
    found = Store(sqlite_url)
    found.migrate()
    found.run_now(_fill)
    yield found
    found.close()


def _plans(store: Store, before: tuple[str, int] | None) -> list[str]:
    """How SQLite finds what is asked for the last games of somebody, statement by statement."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: object) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, values))

    sa.event.listen(store.engine, "before_cursor_execute", note)
    store.read_now(records.results_of_account, ANN, 5, before)
    sa.event.remove(store.engine, "before_cursor_execute", note)
    with store.engine.connect() as connection:
        plans = [
            connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
            for statement, values in asked
        ]
    return [" / ".join(row.detail for row in plan) for plan in plans]


@pytest.mark.parametrize("before", [None, ("t1", 31)])
def test_the_last_games_of_somebody_are_found_by_indexes_alone(
    store: Store, before: tuple[str, int] | None
) -> None:
    plans = _plans(store, before)
    assert len(plans) >= 11
    for plan in plans:
        assert plan.startswith("SEARCH"), "nothing is gone through from one end to the other"
        assert "TEMP B-TREE" not in plan, "nothing is sorted"
    outer = [plan for plan in plans if "account=?" in plan]
    assert len(outer) == 1, "all games of somebody are not looked at again for every round"
    assert "COVERING INDEX" in outer[0]
    assert ("(ended,table_id,round)<(?,?,?)" in outer[0]) is (before is not None)
    inner = [plan for plan in plans if plan not in outer]
    assert {plan.partition(" (")[2] for plan in inner} == {"table_id=? AND round=?)"}


def test_the_last_games_of_somebody_are_their_own_and_all_of_them(store: Store) -> None:
    def listed(before: tuple[str, int] | None, limit: int = 200) -> list[tuple[str, int]]:
        found = store.read_now(records.results_of_account, ANN, limit, before)
        for info in found:
            wagers = ["fees"] if info.round % 7 == 0 else ["base", "fees"]
            assert sorted(result.wager for result in info.results) == wagers
            assert {result.account for result in info.results} == {ANN}
        return [(info.table, info.round) for info in found]

    every = listed(None)
    place = [(number // 4, f"t{number % 2}", number) for number in range(1, 41)]
    assert every == [(table, number) for _, table, number in sorted(place, reverse=True)]
    pages, last = [], None
    while page := listed(last, 7):
        pages += page
        last = page[-1]
    assert pages == every


# ------------------------------------------------------------------ rounds that are seen again


async def _played(house: House) -> RunningTable:
    """A table with many lights and several snapshots, where people come and go."""
    table = await quick_table(house, "ten-sticks-21", scripted=True, bots=1)
    people = [
        Person(house, table.id, who, random.Random(number))
        for number, who in enumerate(await guests(house, 3))
    ]
    for one in people:
        await one.come()
    gone = 0
    while table.seq < 3.5 * SNAPSHOT_EVERY:
        if not table.state.in_round and table.state.stage == "wagers":
            await house.house_does(table, many_lights(table), "lights")
        await play(house, people, 2)
        await people[gone % 3].do({"command": "Leave"})
        await settled(house)
        gone += 1
    return table


def _felt(events: Iterable[dict[str, Any]]) -> tuple[Any, Any]:
    """Who sits where and what is lit, as the felt folds it (`scene.js`)."""
    players: dict[str, list[Any]] = {}
    lights: dict[tuple[str, int], int] = {}
    for event in events:
        player, place = event["player"], (event["player"], event.get("position", 0))
        match event["event"]:
            case "ChipsBought":
                players.setdefault(player, [event.get("kind", "player"), 0, False])
            case "PlayerSat":
                players[player][1] = event["seat"]
            case "PlayerLeft":
                players[player][2] = True
            case "ChipsCashed":
                del players[player]
                lights = {one: lit for one, lit in lights.items() if one[0] != player}
            case "LightsLost":
                lights.pop(place, None)
            case "LightLit" | "CardSurrendered":
                lights[place] = event["lights"]
            case "PrizeWon":
                lights[place] = 0
            case other:
                raise AssertionError(other)
    return players, {place: lit for place, lit in lights.items() if lit}


def _every_light(table: RunningTable, rows: Iterable[EntryRow]) -> list[dict[str, Any]]:
    """All events before, from the first entry on."""
    told = [msgspec.json.decode(told_row(table.engine, row)) for row in rows]
    return [event for one in told for event in one["events"] if event["event"] in LIGHTS]


class Counted:
    """How many entries are read at a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reads: list[int] = []
        whole = records.entries_after

        def counted(*args: Any, **kwargs: Any) -> list[EntryRow]:
            rows = whole(*args, **kwargs)
            self.reads.append(len(rows))
            return rows

        monkeypatch.setattr(records, "entries_after", counted)


def _need_same(table: RunningTable, rows: list[EntryRow], found: Replay) -> None:
    """A round is told as it is stored, and begins with the lights that all before it lit."""
    first = found.told[0].seq
    stored = [told_row(table.engine, row) for row in rows[first - 1 : found.told[-1].seq]]
    assert [msgspec.json.encode(one) for one in found.told] == [
        msgspec.json.encode(msgspec.json.decode(one)) for one in stored
    ]
    whole = _every_light(table, rows[: first - 1])
    assert _felt(found.before) == _felt(whole)
    if first <= SNAPSHOT_EVERY:
        assert list(found.before) == whole
    state = table.engine.fold(event for row in rows[: first - 1] for event in events_of(row))
    assert found.shoe == view(table.engine, state, PUBLIC).shoe


def _promised(rows: list[EntryRow], first: int) -> int:
    """The entry by which the shoe of a round was promised; 0 where it is the first."""
    found = (row.seq for row in rows[: first - 1] if b'"ShoeCommitted"' in row.data)
    return max(found, default=0)


@in_loop
async def test_a_late_round_is_seen_again_without_all_before_it(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await _played(house)
        _, rows = await house.record_rows(table.id)
        lit = 0
        for number in range(1, table.state.rounds + 1):
            with pytest.MonkeyPatch.context() as patch:
                counted = Counted(patch)
                found = await house.replay(table.id, number)
            first = found.told[0].seq
            of_shoe = first - _promised(rows, first) + STEP_BACK
            assert sum(counted.reads) < SNAPSHOT_EVERY + len(found.told) + of_shoe
            _need_same(table, rows, found)
            assert all(event["words"] for event in found.before)
            chips = [one for one in found.before if one["event"].startswith("Chips")]
            assert not any(event["amount"] for event in chips), "what they bought is not told"
            lit += bool(_felt(found.before)[1]) and found.told[0].seq > SNAPSHOT_EVERY
        assert lit > 5

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(history, "CHUNK", 7)
            patch.setattr(history, "STEP_BACK", 7)
            counted = Counted(patch)
            assert await house.replay(table.id, number) == found
            assert max(counted.reads) <= 7 < sum(counted.reads)

            patch.setattr(history, "MOST_BACK", 7)
            far = await house.replay(table.id, number)
            assert far == msgspec.structs.replace(found, shoe=None), "nothing is made up"

        # A record from before has no such short cuts, and is read from the beginning.
        await house.store.run(lambda connection: connection.execute(sa.delete(schema.lights)))
        found = await house.replay(table.id, table.state.rounds)
        _need_same(table, rows, found)
        assert list(found.before) == _every_light(table, rows[: found.told[0].seq - 1])


@in_loop
async def test_a_whole_record_is_read_in_pieces(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, "blackjack")
        person = Person(house, table.id, (await guests(house, 1))[0], random.Random(1))
        await person.come()
        while table.seq < 30 or table.seq % 10 == 0:
            await play(house, [person], 1)
        whole = await house.store.read(records.entries_after, table.id, 0)
        for piece in (10, table.seq, table.seq - 1, 1000):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(history, "CHUNK", piece, raising=False)
                counted = Counted(patch)
                _, rows = await house.record_rows(table.id)
            assert rows == whole
            assert max(counted.reads) <= piece


# ------------------------------------------------------------------ how often


def test_records_and_rounds_are_asked_for_as_often_as_checks_are(tmp_path: Path) -> None:
    time = Time()
    with open_doors(tmp_path, rates=Rates(clock=time.monotonic), time=time) as doors:
        ann, bo = doors.guest(), doors.guest()
        table = doors.table(ann)
        burst = int(RATES["work"].burst)
        record = f"/tables/{table}/record"
        answers = [ann.ask("GET", record).status_code for _ in range(burst + 2)]
        assert answers == [200] * burst + [429] * 2
        assert ann.ask("GET", f"/tables/{table}/verify").status_code == 429
        assert ann.ask("GET", f"/tables/{table}/rounds/1/replay").status_code == 429
        assert bo.ask("GET", record).status_code == 200, "others do not wait"
        time.pass_by(seconds=5)
        replay = f"/tables/{table}/rounds/1/replay"
        assert [ann.ask("GET", replay).status_code for _ in range(6)] == [404] * 4 + [429] * 2, (
            "several rounds are seen again for one check"
        )


def test_the_page_of_a_round_is_counted_as_the_api_counts_it(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = Rates({"work": Rate(1, 0.1)}, clock=Time().monotonic)
    monkeypatch.setattr(serving.app.state.desk, "rates", rates)
    token = serving.call(serving.house.accounts.guest()).token
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        browser = Browser(client, serving, token)
        table: str = browser.call(browser.house.open_table, TableSpec("blackjack"), None).id
        page = f"/table/{table}/round/1"
        assert [browser.get(page)[0] for _ in range(6)] == [404] * 4 + [429] * 2
        api = client.get(f"/api/tables/{table}/rounds/1/replay", headers=browser.headers)
        assert api.status_code == 429
        assert browser.get("/")[0] == 200
