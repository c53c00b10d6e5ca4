"""The client: REST in a call each, lines that come back by themselves, and the bot on them."""

from __future__ import annotations

import asyncio
import re
import runpy
import sqlite3
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from service.doors import PASSWORD, Served, served
from upcard.client import AsyncClient, Client, ClientError
from upcard.service import records
from upcard.service.messages import Ack, Refused

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("house")) as found:
        yield found


def in_time(story: Coroutine[Any, Any, None]) -> None:
    """Run a story; one that waits for ever fails."""
    asyncio.run(asyncio.wait_for(story, 60))


def alone(client: Any) -> Any:
    """A table without bots and clocks."""
    return client.open_table("blackjack", seconds=0, wager_seconds=0)


def test_everything_by_rest(house: Served) -> None:
    with Client(house.address) as client:
        guest = client.guest()
        assert guest["role"] == "guest"
        assert client.register("Reader", PASSWORD)["id"] == guest["id"]
        assert client.me()["name"] == "Reader"
        assert {game["id"] for game in client.games()} >= {"blackjack", "twisted-21"}
        table = alone(client)["id"]
        assert table in [one["id"] for one in client.tables()]
        assert client.sit(table, seat=2, chips=5000)["seats"][0]["seat"] == 2
        assert client.table_info(table)["seats"][0]["player"] == "Reader"
        assert client.rules(table)["game"] == "blackjack"
        assert client.rounds(table) == client.my_games() == []
        with pytest.raises(ClientError, match="no round 7"):
            client.replay(table, 7)
        with pytest.raises(ClientError, match="no round 7"):
            client.my_games(before=f"{table}.7")
        assert client.verify(table)["holds"] is True
        assert client.refill()["money"] == 1_000_000
        with pytest.raises(ClientError, match="no round 7") as error:
            client.round(table, 7)
        assert error.value.status == 404
        client.sign_out()
        with pytest.raises(ClientError, match="opens nothing") as error:
            client.me()
        assert error.value.status == 401
        client.token = ""
        assert client.sign_in("reader", PASSWORD)["name"] == "Reader"


def test_refusals_come_with_their_clauses(house: Served) -> None:
    with Client(house.address) as client:
        client.guest()
        with pytest.raises(ClientError) as error:
            client.open_table("ten-sticks-21", settings={"natural": "6:5"})
        assert error.value.status == 409
        assert "3 to 2" in str(error.value)


def test_a_house_that_is_not_there_is_one_sentence() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(ClientError, match="not answer"):
        client.tables()


def test_a_round_over_a_line(house: Served) -> None:
    async def story() -> None:
        async with AsyncClient(house.address) as client:
            await client.guest()
            table = (await alone(client))["id"]
            await client.sit(table, seat=3)
            async with client.table(table) as line:
                assert line.you is not None
                assert line.you.seat == 3
                before = line.you.chips
                assert isinstance(await line.wager({"base": 500}), Ack)
                assert isinstance(await line.do("Deal"), Ack)
                while (question := await line.my_question()) is not None:
                    actions = [one["action"] for one in question["answers"]]
                    wanted = "stand" if "stand" in actions else "decline"
                    assert (await line.why(wanted)).legal
                    advice = await line.coach()
                    assert advice
                    assert isinstance(await line.answer(wanted), Ack)
                refused = await line.answer("hit")
                assert isinstance(refused, Refused)
                await line.until(lambda: line.view["stage"] != "round")
                (told,) = await client.rounds(table)
                net = sum(one["net"] for one in told["results"])
                assert line.you.chips == before + net
                assert await line.ping() > 1_700_000_000_000

    in_time(story())


def test_a_lost_line_comes_back_and_acts_once(house: Served) -> None:
    """The house drops every line while a command is on its way, again and again."""

    async def story() -> None:
        async with AsyncClient(house.address) as client:
            await client.guest()
            table = (await alone(client))["id"]
            async with client.table(table) as line:
                assert line.seq is not None
                first = line.seq
                for number in range(1, 4):
                    sent = asyncio.create_task(line.do("BuyIn", amount=1000))
                    await asyncio.sleep(0)
                    await asyncio.to_thread(house.call, drop, house, table)
                    answer = await sent
                    assert isinstance(answer, Ack)
                    await line.until(lambda number=number: line.lost >= number)  # type: ignore[misc]
                await line.until(lambda: line.seq == first + 3)
                assert line.you is not None
                assert line.you.chips == 3000
            assert (await client.me())["money"] == 1_000_000 - 3000

    in_time(story())


def test_what_the_store_could_not_take_is_sent_again_and_acts_once(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written, and the answer of the database was lost: nobody knows it at first."""
    append = records.append
    failures = iter([True, False, True])

    def lost(*given: Any) -> None:
        append(*given)
        if next(failures, False):
            raise sa.exc.OperationalError("commit", {}, sqlite3.OperationalError("gone"))

    async def story() -> None:
        async with AsyncClient(house.address) as client:
            await client.guest()
            table = (await alone(client))["id"]
            async with client.table(table) as line:
                monkeypatch.setattr(records, "append", lost)
                for _ in range(2):
                    assert isinstance(await line.do("BuyIn", amount=1000), Ack)
                assert line.you is not None
                await line.until(lambda: line.you is not None and line.you.chips == 2000)
            assert (await client.me())["money"] == 1_000_000 - 2000

    in_time(story())
    assert next(failures, None) is None, "all of them came"


async def drop(house: Served, table: str) -> None:
    for line in house.house.watching.lines(table):
        line.close()


def test_lines_of_no_use_end(house: Served) -> None:
    async def story() -> None:
        async with AsyncClient(house.address) as client:
            await client.guest()
            with pytest.raises(ClientError, match="no table"):
                async with client.table("nothing"):
                    pass
            table = (await alone(client))["id"]
            async with client.table(table) as line:
                await client.sign_out()
                with pytest.raises(ClientError, match="closed"):
                    await line.until(lambda: False)
                with pytest.raises(ClientError):
                    await line.ping()
                assert [type(message).__name__ async for message in line] == ["Welcome"]
            with pytest.raises(ClientError, match="opens nothing"):
                async with client.table(table):
                    pass

    in_time(story())


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
def test_the_bot_plays_by_the_socket_alone(
    house: Served, game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_HOUSE", house.address)
    bot = runpy.run_path(str(ROOT / "examples/socket_bot.py"))

    async def opened(self: Any, game: str) -> Any:
        """A seat without company, so that nobody is waited for."""
        table = await self.open_table(game, seconds=0, wager_seconds=0)
        return await self.sit(table["id"])

    monkeypatch.setattr(AsyncClient, "play", opened)
    in_time(bot["main"](game, 5))
    printed = capsys.readouterr().out
    assert printed.count("round ") == 5


def test_the_bot_leaves_the_bank_to_others(
    house: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_HOUSE", house.address)
    bot = runpy.run_path(str(ROOT / "examples/socket_bot.py"))
    in_time(bot["main"]("pure-spanish-21.5", 1))
    assert capsys.readouterr().out.count("round ") == 1


def test_the_documented_program_plays_a_round(
    house: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs/house-api.md").read_text()
    (code,) = (
        code
        for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        if "AsyncClient" in code
    )
    program, _, _ = code.partition("asyncio.run(")
    names: dict[str, Any] = {}
    exec(program, names)
    in_time(names["main"](house.address))
    assert int(capsys.readouterr().out) > 0


def test_the_bot_knows_basic_strategy() -> None:
    bot = runpy.run_path(str(ROOT / "examples/socket_bot.py"))
    wishes, splits = bot["wishes"], bot["splits"]
    assert wishes(["Th", "6c"], 16, soft=False, up=10) == ["surrender", "hit"]
    assert wishes(["8h", "8c"], 16, soft=False, up=10) == ["split"]
    assert wishes(["Ah", "7c"], 18, soft=True, up=6) == ["double", "stand"]
    assert wishes(["Ah", "7c"], 18, soft=True, up=9) == ["hit"]
    assert wishes(["6h", "5c"], 11, soft=False, up=10) == ["double", "hit"]
    assert wishes(["Th", "2c"], 12, soft=False, up=4) == ["stand"]
    assert not splits(9, 7)
    assert splits(9, 9)
