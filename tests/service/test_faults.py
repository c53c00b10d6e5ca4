"""Servers that are killed, a disk that is full, a database that goes away."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from chance import word
from service import postgres
from service.houses import Person, a_house, guests, in_loop, need_whole, play, quick_table
from service.killing import (
    one_server,
    play_disturbed,
    players_of,
    prepare,
    summary_of,
    two_servers,
)
from service.servers import Nursery, nursery
from upcard.service.messages import Ack
from upcard.service.specs import HouseError

More = Callable[[int], Coroutine[Any, Any, None]]
KILLS = 2
"""Few here: `bench/bench_kills.py` has a thousand."""


@pytest.fixture(scope="module")
def nurse() -> Iterator[Nursery]:
    with nursery() as found:
        yield found


def test_a_server_that_is_killed_again_and_again(nurse: Nursery, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    seats = asyncio.run(prepare(url, 6, 2, bots=1))
    args = ("--data", str(tmp_path))
    summary = asyncio.run(one_server(nurse, args, url, seats, KILLS, word("kills")))
    assert summary.kills == KILLS
    assert summary.commands > 10 * KILLS
    assert summary.resent > 0
    assert summary.lights > 2
    assert summary.cards > 2, "some were punched, and one at least was given up"


def test_two_servers_of_which_one_is_killed(nurse: Nursery, postgres_url: str) -> None:
    seats = asyncio.run(prepare(postgres_url, 6, 2, bots=1))
    args = ("--db", postgres_url)
    summary = asyncio.run(two_servers(nurse, args, postgres_url, seats, KILLS, word("two kills")))
    assert summary.kills == KILLS
    assert summary.commands > 10 * KILLS
    assert summary.lights > 2
    assert summary.cards > 2


def test_servers_that_start_at_once_on_an_empty_database(nurse: Nursery, postgres_url: str) -> None:
    launched = [nurse.launch("--db", postgres_url) for _ in range(3)]
    servers = [nurse.opened(one) for one in launched]
    assert len({server.address for server in servers}) == 3
    for server in servers:
        nurse.end(server)
        assert server.output.read_text() == ""


# ------------------------------------------------------------------ a full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own that is soon full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)],
        check=False,
        capture_output=True,
    )
    if not made or made.returncode:
        pytest.skip("only root mounts a small disk; the limit of pages below shows the same")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_disk_that_is_full_for_a_while(nurse: Nursery, small_disk: Path) -> None:
    url = f"sqlite:///{small_disk / 'house.db'}"
    seats = asyncio.run(prepare(url, 3, 2))
    server = nurse.start("--data", str(small_disk))
    players = players_of(seats, lambda: server.address, word("disk"))
    filler = small_disk / "filler"

    async def disturb(more: More) -> int:
        for _ in range(2):
            await more(20)
            with pytest.raises(OSError, match="No space"):
                _fill(filler)
            before = sum(player.unavailable for player in players)
            async with asyncio.timeout(60):
                while sum(player.unavailable for player in players) < before + 5:
                    await asyncio.sleep(0.005)
            filler.unlink()
            await more(20)
        return 2

    asyncio.run(play_disturbed(players, disturb))
    words = set().union(*(player.words for player in players))
    (sentence,) = words
    assert sentence == (
        "the store does not take anything now (database or disk is full): nothing was changed, "
        "try again later"
    )
    nurse.end(server)
    assert "Traceback" not in server.output.read_text()
    asyncio.run(summary_of(url, players, 2))


@in_loop
async def test_a_database_that_may_not_grow(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        limit = [10**9]

        @sa.event.listens_for(house.store.engine, "begin")
        def limited(connection: sa.Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {limit[0]}")

        table = await quick_table(house, "blackjack", bots=1)
        (ann,) = await guests(house, 1)
        await house.sit(table.id, ann)
        person = Person(house, table.id, ann, random.Random(1))
        await person.come()
        await play(house, [person], 2)
        await person.do(person.brain.plain_wagers())
        await person.do({"command": "Deal"})
        limit[0] = 1
        state, seq = table.state, table.seq
        refused: list[HouseError] = []
        for number in range(400):
            try:
                answer = await person.do({"command": "BuyIn", "amount": 100}, f"full {number}")
            except HouseError as error:
                refused.append(error)
                assert (table.state, table.seq) == (state, seq)
                if len(refused) == 3:
                    break
            else:
                assert isinstance(answer, Ack)
                state, seq = table.state, table.seq
        assert [error.code for error in refused] == ["unavailable"] * 3
        assert "(database or disk is full): nothing was changed" in str(refused[0])
        limit[0] = 10**9
        again = await person.do({"command": "BuyIn", "amount": 100}, f"full {number}")
        assert again == Ack(f"full {number}", seq + 1)
        await play(house, [person], 2)
        await need_whole(house)


# ------------------------------------------------------------------ a database that goes away


def test_a_database_that_goes_away_and_comes_back(nurse: Nursery) -> None:
    if why := postgres.missing():
        pytest.skip(why)
    with postgres.running() as database:
        url = database.new_database()
        seats = asyncio.run(prepare(url, 3, 2, bots=1))
        server = nurse.start("--db", url)
        players = players_of(seats, lambda: server.address, word("away"))

        async def disturb(more: More) -> int:
            for _ in range(2):
                await more(20)
                database.stop()
                await asyncio.sleep(0.3)
                database.start()
                await more(30)
            return 2

        asyncio.run(play_disturbed(players, disturb))
        nurse.end(server)
        log = server.output.read_text()
        assert "Traceback" not in log
        words = set().union(*(player.words for player in players))
        assert words
        for sentence in words:
            assert sentence.startswith(
                "the store does not take anything now (the database does not answer): "
            )
        asyncio.run(summary_of(url, players, 2))
