"""Every byte that leaves a real server by any of its doors, and what is hidden in none of them."""

from __future__ import annotations

import asyncio
import gc
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from depth import FIRST_GAMES
from service.brain import Brain
from service.hidden import Hidden, with_other_cards
from service.houses import Person, a_house, guests, in_loop, quick_table, settled
from service.servers import nursery
from upcard import GAME_IDS
from upcard.compile.context import Action
from upcard.service.accounts import Accounts
from upcard.service.house import House
from upcard.service.reasons import reason
from upcard.service.store import Store
from upcard.table import commands as cm
from upcard.table.state import TableState

PASSWORD = "a long password"
ROUNDS = 2
MOST_ROUNDS = 60
RUN = 5
"""So many cards of a shoe that lie behind each other are no accident."""
CARD = re.compile(r"(?<![0-9A-Za-z])(10|[2-9TJQKA])([cdhs♣♦♥♠])(?![0-9A-Za-z])")
SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))


class Heard:
    """What one client was told at one table, by the line and by everything else."""

    def __init__(self, table: str, account: str) -> None:
        self.table = table
        self.account = account
        self.line: list[bytes] = []
        self.rest: list[tuple[str, int, bytes]] = []
        """Where it was asked for, after which entry, and what came."""


def paths_of(table: str, number: int) -> Iterator[str]:
    """What anybody may ask for about a table, and the pages."""
    yield from (f"/api/tables/{table}{rest}" for rest in ("", "/rounds", "/record", "/verify"))
    yield from ("/api/tables", "/api/me", "/api/me/games", "/api/me/purse", "/api/me/review")
    yield from (f"/table/{table}{rest}" for rest in ("", "/rules", "/history", "/session"))
    yield from ("/", "/me", f"/table/{table}/verify")
    yield f"/api/tables/{table}/rounds/{number}"
    yield f"/api/tables/{table}/rounds/{number}/replay"
    yield f"/table/{table}/round/{number}"


STAFF = ("/api/operator/audit", "/api/operator/money", "/api/operator/accounts")


async def look_around(heard: Heard, brain: Brain, player: Any, boss: Any) -> None:
    """Ask for everything that can be asked for, in the middle of a round."""
    number = brain.view["round"] - 1
    asked = [(player, path) for path in paths_of(heard.table, number)]
    asked += [(boss, path) for path in STAFF]
    for client, path in asked:
        kind = "application/json" if path.startswith("/api") else "text/html"
        found = await client.get(path, headers={"accept": kind})
        assert found.status_code == 200, (path, found.text)
        heard.rest.append((path, brain.seq, found.content))


async def play_through_the_door(address: str, game: str, boss: Any) -> Heard:
    """Some rounds of a game by line, with a look around in each."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        me = (await client.post("/api/guest", json={"by": "token"})).json()
        bearer = {"authorization": f"Bearer {me['token']}"}
        client.headers.update(bearer)
        spec = {"game": game, "bots": 1, "seconds": 0, "wager_seconds": 0, "speed": "fast"}
        table = (await client.post("/api/tables", json=spec)).json()["id"]
        heard = Heard(table, me["id"])
        brain = Brain(random.Random(game))
        where = f"ws{address.removeprefix('http')}/api/tables/{table}/socket"
        ids = iter(range(10_000))
        looked = False
        async with connect(where, additional_headers=bearer) as line:
            waits = False
            async with asyncio.timeout(120):
                while brain.view.get("round", 0) <= ROUNDS or not looked:
                    data = await line.recv(decode=False)
                    message = msgspec.json.decode(data)
                    if "seq" in message and message["type"] in ("welcome", "update", "status"):
                        heard.line.append(data)
                    else:
                        heard.rest.append(("line", brain.seq, data))
                    brain.hear(message)
                    if message["type"] == "refused" and (safe := brain.safe()) is not None:
                        await line.send(_do(safe, next(ids)))
                        continue
                    if message["type"] in ("ack", "refused"):
                        waits = False
                    # While the question is one's own, nothing happens at the table.
                    question = brain.view.get("question") or {}
                    mine = question.get("player") == brain.name
                    if mine and not looked and brain.view["round"] > 1:
                        looked = True
                        await look_around(heard, brain, client, boss)
                        await line.send(msgspec.json.encode({"type": "coach", "id": "c"}).decode())
                        why = {"type": "why", "id": "w", "action": "double"}
                        await line.send(msgspec.json.encode(why).decode())
                    if not waits and (command := brain.next()) is not None:
                        waits = True
                        await line.send(_do(command, next(ids)))
        assert looked
        return heard


def _do(command: dict[str, Any], number: int) -> str:
    message = {"type": "do", "id": f"d{number}", "command": command}
    return msgspec.json.encode(message).decode()


async def _prepare(url: str) -> None:
    store = Store(url)
    store.migrate()
    accounts = Accounts(store)
    boss = await accounts.register("Boss", PASSWORD)
    await accounts.set_role(boss.account.id, "operator")
    store.close()


THROUGH_THE_DOOR = (*FIRST_GAMES, "double-exposure")
"""Games that hide something, and one whose dealer hides nothing."""


async def _play_all(address: str) -> list[Heard]:
    async with httpx.AsyncClient(base_url=address, timeout=60) as boss:
        body = {"name": "Boss", "password": PASSWORD, "by": "token"}
        token = (await boss.post("/api/sign-in", json=body)).json()["token"]
        boss.headers["authorization"] = f"Bearer {token}"
        games = (play_through_the_door(address, game, boss) for game in THROUGH_THE_DOOR)
        return list(await asyncio.gather(*games))


def test_no_door_tells_what_is_hidden(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    asyncio.run(_prepare(url))
    with nursery() as nurse:
        server = nurse.start("--data", str(tmp_path))
        everything = asyncio.run(_play_all(server.address))
        nurse.end(server)
        log = server.output.read_bytes()
    asyncio.run(_need_nothing_hidden(url, everything, log))


async def _need_nothing_hidden(url: str, everything: list[Heard], log: bytes) -> None:
    async with a_house(url) as house:
        for heard in everything:
            table = await house.running(heard.table)
            hidden = Hidden(house, table)
            _, rows = await house.record_rows(heard.table)
            for row in rows:
                hidden.take(row)
            assert hidden.changed > ROUNDS
            assert len(heard.line) > 5 * ROUNDS
            for message in heard.line:
                hidden.look_at(message, heard.account)
            for stroke in _strokes(heard):
                hidden.look_at(msgspec.json.encode(stroke))
            for where, seq, data in heard.rest:
                _need_no_seed(hidden, data, seq, where)
                _need_no_run(hidden.states[seq], data, where)
            for other in everything:
                for secret in hidden.never:
                    assert not any(secret.encode() in data for *_, data in other.rest)
            for secret in (*hidden.never, *hidden.opened_at):
                assert secret.encode() not in log


def _need_no_seed(hidden: Hidden, data: bytes, seq: int, where: str) -> None:
    for seed, opened in hidden.opened_at.items():
        assert opened <= seq or seed.encode() not in data, where


def _strokes(heard: Heard) -> Iterator[Any]:
    """What happened in finished rounds, as it is told by REST."""
    for where, _, data in heard.rest:
        if re.search(r"^/api/.*/rounds/\d+$", where):
            yield from msgspec.json.decode(data)


def _need_no_run(state: TableState, data: bytes, where: str) -> None:
    """No cards that are still to come stand anywhere behind each other."""
    coming = [card.replace("T", "10") for card in state.shoe.order[state.shoe.dealt :]]
    found = CARD.findall(data.decode())
    cards = [rank.replace("T", "10") + SUITS.get(suit, suit) for rank, suit in found]
    runs = {tuple(coming[at : at + RUN]) for at in range(len(coming) - RUN + 1)}
    told = {tuple(cards[at : at + RUN]) for at in range(len(cards) - RUN + 1)}
    assert runs or where == "line", "there is no shoe in use"
    assert not runs & told, where


# ------------------------------------------------------------------ the coach


@pytest.mark.parametrize("game", GAME_IDS)
@in_loop
async def test_neither_coach_nor_reasons_know_the_hidden_cards(sqlite_url: str, game: str) -> None:
    throws = random.Random(game)
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, game, bots=1)
        (who,) = await guests(house, 1)
        await house.sit(table.id, who)
        person = Person(house, table.id, who, random.Random(2))
        await person.come()
        asked = 0
        while asked < 4:  # some rounds ask nothing of anybody
            assert table.state.rounds < MOST_ROUNDS
            question = table.engine.question(table.state) if table.state.in_round else None
            if question is not None and question.player == person.brain.name:
                asked += 1
                real, told = table.state, []
                for state in (real, with_other_cards(real, throws), with_other_cards(real, throws)):
                    coach = type(house.coaching.coach_of(table))(table.engine)
                    table.state = state
                    why = [
                        reason(table, question.player, one.text)
                        for one in type(question.actions[0])
                    ]
                    told.append((coach.advise_player(state, question.player, table.seen), why))
                table.state = real
                assert told[0] == told[1] == told[2]
            if not await person.step():
                await _pass_by(house)
            await settled(house)


async def _pass_by(house: House) -> None:
    timing: Any = house.driver.timing
    await timing.pass_by(5.0, house)


# ------------------------------------------------------------------ timing


def _work(call: Callable[[], object]) -> Counter[CodeType]:
    """The lines that are gone through for something, by where they stand."""
    lines: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines[frame.f_code] += 1
        return count

    before = sys.gettrace()
    gc.disable()  # what is done for garbage is done whenever it comes
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
        gc.enable()
    return lines


@pytest.mark.parametrize("game", GAME_IDS)
@in_loop
async def test_no_answer_takes_more_work_for_other_hidden_cards(sqlite_url: str, game: str) -> None:
    """The view, a reason and a refusal go through the same lines whatever lies face down.

    Nothing but work takes time here: what is written for a refusal is nothing at all.
    """
    throws = random.Random(game)
    async with a_house(sqlite_url) as house:
        table = await quick_table(house, game, bots=1)
        (who,) = await guests(house, 1)
        await house.sit(table.id, who)
        person = Person(house, table.id, who, random.Random(3))
        await person.come()
        asked = 0
        while asked < 4:
            assert table.state.rounds < MOST_ROUNDS
            question = table.engine.question(table.state) if table.state.in_round else None
            if question is not None and question.player == person.brain.name:
                asked += 1
                refused = cm.PlaceWagers(player=question.player, position=1, wagers={"base": 500})
                name = question.player
                calls: list[Callable[[], object]] = [
                    table.view_bytes,
                    partial(table.prepared, refused, who.id, "x"),
                    *(partial(reason, table, name, one.text) for one in Action),
                ]
                real = table.state
                for call in calls:
                    call()  # what is made at first use is made
                    found = []
                    for state in (real, *(with_other_cards(real, throws) for _ in range(4))):
                        table.state = state
                        found.append(_work(call))
                    table.state = real
                    assert all(one == found[0] for one in found)
            if not await person.step():
                await _pass_by(house)
            await settled(house)
