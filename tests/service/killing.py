"""People who play over WebSockets while servers are killed, and what must be true afterwards.

A player has at most one command under way. Without an answer it sends the same command with the
same id again, to any server, until there is one. It holds everything that it is told against what
it knows: no stroke is missing, none comes twice, and a table that comes back is as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from service.brain import Brain, Command
from service.houses import ManualTime, Person, a_house, many_lights, need_whole, stored_ids
from service.servers import Nursery, Server
from upcard import GAME_IDS
from upcard.players import basic_strategy
from upcard.service.house import House
from upcard.service.running import RunningTable
from upcard.service.specs import Account, TableSpec

SETTINGS = {"ten-sticks-21": {"players_card": "true"}}
AGAIN_SECONDS = 0.02
"""How long a player waits before it comes back."""
PATIENCE = 180.0
"""Seconds in which something must have happened at every table."""
_LOST = (ConnectionClosed, InvalidMessage, InvalidStatus, OSError, EOFError, TimeoutError)


class Seat(NamedTuple):
    """Somebody who will play at a table, and the token to come in with."""

    account: Account
    token: str
    table: str


class WrongError(AssertionError):
    """A player was told something that cannot be."""


class Player:
    """One person at one table."""

    def __init__(self, seat: Seat, where: Callable[[], str], dice: random.Random) -> None:
        self.seat = seat
        self.where = where
        self.brain = Brain(dice, roams=0.05)
        self.acked: dict[str, int] = {}
        self.resent = 0
        self.again = 0
        self.unavailable = 0
        self.words: set[str] = set()
        self.acks = 0
        self.mark = f"{seat.account.id[:8]}-"
        self._ids = itertools.count()
        self._pending: tuple[str, Command] | None = None
        self._safe = False

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            with contextlib.suppress(*_LOST):
                await self._line()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _line(self) -> None:
        """One line, until it is lost."""
        since = f"?since={self.brain.seq}" if self.brain.seq >= 0 else ""
        address = self.where().replace("http", "ws", 1)
        async with connect(
            f"{address}/api/tables/{self.seat.table}/socket{since}",
            additional_headers={"authorization": f"Bearer {self.seat.token}"},
            max_size=None,
            ping_interval=None,
            open_timeout=10,
            close_timeout=0.1,
            compression=None,
        ) as line:
            self._take(msgspec.json.decode(await line.recv()))
            if self._pending is not None:
                self.resent += 1
                await self._send(line)
            while True:
                await self._act(line)
                self._take(msgspec.json.decode(await line.recv()))

    async def _act(self, line: Any) -> None:
        if self._pending is not None:
            return
        safe = self.brain.safe() if self._safe else None
        self._safe = False
        command = safe or self.brain.next()  # who only waited might be waited for
        if command is not None:
            self._pending = (f"{self.mark}{next(self._ids)}", command)
            await self._send(line)

    async def _send(self, line: Any) -> None:
        assert self._pending is not None
        id_, command = self._pending
        await line.send(msgspec.json.encode({"type": "do", "id": id_, "command": command}).decode())

    # ------------------------------------------------------------------ what is told

    def _take(self, message: dict[str, Any]) -> None:
        kind, id_ = message["type"], message.get("id")
        mine = self._pending is not None and id_ == self._pending[0]
        match kind:
            case "welcome":
                self._welcome(message)
            case "update":
                if message["seq"] != self.brain.seq + 1:
                    raise WrongError(f"after {self.brain.seq} came {message['seq']}")
                self.brain.hear(message)
            case "ack" if mine:
                self._pending = None
                self.acks += 1
                self.again += message.get("again", False)
                if "waiting" not in message:
                    self.acked[str(id_)] = message["seq"]
            case "refused" if mine:
                self._pending = None
                self._safe = True
            case "error" if mine:
                if "too many messages" in message["words"]:
                    raise TimeoutError
                self.unavailable += 1
                self.words.add(message["words"])
                if "try again" not in message["words"]:
                    raise WrongError(message["words"])
                raise TimeoutError  # send it again, on another line
            case _:
                self.brain.hear(message)

    def _welcome(self, message: dict[str, Any]) -> None:
        before, view = self.brain.seq, self.brain.view
        if before >= 0:
            told = [stroke["seq"] for stroke in message["told"]]
            if not message["whole"] or told != list(range(before + 1, message["seq"] + 1)):
                raise WrongError(f"after {before} the welcome at {message['seq']} told {told}")
            if not told and view != message["view"]:
                raise WrongError(f"the table at {before} is another than it was")
        self.brain.hear(message)


# ------------------------------------------------------------------ a house to play in


async def prepare(
    url: str, tables: int, seats: int, games: Sequence[str] = GAME_IDS, bots: int = 0
) -> list[Seat]:
    """Tables, and people with tokens for them; nobody has sat down yet."""
    found = []
    async with a_house(url) as house:
        for number in range(tables):
            game = games[number % len(games)]
            spec = TableSpec(
                game=game,
                bots=bots,
                seconds=0,
                wager_seconds=0,
                speed="fast",
                settings=SETTINGS.get(game, {}),
            )
            lights = "players_card" in spec.settings
            table = await house.running((await house.open_table(spec, None, scripted=lights)).id)
            if bots:  # on the disk once, and no server has to work it out before it is killed
                await asyncio.to_thread(basic_strategy, table.tables)
            for _ in range(seats):
                signed = await house.accounts.guest("token")
                found.append(Seat(signed.account, signed.token, table.id))
                if lights:
                    await _light(house, table, signed.account)
            if lights:
                assert await house.house_does(table, many_lights(table), "house")
    return found


async def _light(house: House, table: RunningTable, account: Account) -> None:
    """Let somebody light a light and leave with it: a player's card is punched."""
    timing = house.driver.timing
    assert isinstance(timing, ManualTime)
    person = Person(house, table.id, account, random.Random(0))
    await house.sit(table.id, account)
    await person.come()
    assert await house.house_does(table, many_lights(table), "house")
    rounds = table.state.rounds
    await person.do(person.brain.plain_wagers())
    await person.do({"command": "Deal"})
    wanted = ["trade", "keep", "stand", "decline"]
    while table.state.in_round or table.state.rounds == rounds:
        person.listen()
        question = person.brain.view.get("question") or {"player": "", "answers": ()}
        actions = [answer["action"] for answer in question["answers"]]
        if question["player"] != person.brain.name:
            await timing.pass_by(1.0, house)
            continue
        action = next(one for one in wanted if one in actions)
        wanted = [one for one in wanted if one != "trade" or action != "trade"]
        await person.do({"command": action.capitalize(), "position": question["position"]})
    await person.do({"command": "Leave"})
    person.go()


class Summary(NamedTuple):
    """What came out of a play under fire."""

    kills: int
    commands: int
    rounds: int
    resent: int
    again: int
    unavailable: int
    lights: int
    cards: int

    def __str__(self) -> str:
        return (
            f"{self.kills:,} kills, {self.rounds:,} rounds, {self.commands:,} commands "
            f"acknowledged, each exactly once; {self.resent:,} sent again for want of an answer, "
            f"{self.again:,} of them had been carried out; {self.unavailable:,} refused as the "
            f"store was away; {self.lights:,} lights lit, {self.cards:,} players' cards punched "
            "and given up, all as they were"
        )


Disturb = Callable[[Callable[[int], Coroutine[Any, Any, None]]], Coroutine[Any, Any, int]]


def players_of(seats: list[Seat], where: Callable[[], str], seed: object) -> list[Player]:
    dice = random.Random(str(seed))
    return [Player(seat, where, random.Random(dice.random())) for seat in seats]


async def play_disturbed(players: list[Player], disturb: Disturb) -> int:
    """Let everybody play while something is done to the servers.

    `disturb` is given a way to wait for so many more answers, and gives back how often it struck.
    """
    work = [asyncio.create_task(player.run()) for player in players]

    def answered() -> int:
        for task in work:
            if task.done():
                task.result()
        return sum(player.acks for player in players)

    async def more(count: int) -> None:
        goal = answered() + count
        async with asyncio.timeout(PATIENCE):
            while answered() < goal:
                await asyncio.sleep(0.001)

    try:
        struck = await disturb(more)
        await _every_round_goes_on(players, answered)
    finally:
        for task in work:
            task.cancel()  # what is under way stays so: it was not acknowledged
        await asyncio.gather(*work, return_exceptions=True)
    return struck


async def _every_round_goes_on(players: list[Player], look: Callable[[], int]) -> None:
    """Wait until everybody has seen the round end, and the next one begin."""
    goals = {player: player.brain.view.get("round", 0) + 1 for player in players}
    async with asyncio.timeout(PATIENCE):
        while any(player.brain.view.get("round", 0) < goal for player, goal in goals.items()):
            look()
            await asyncio.sleep(0.005)


async def need_exactly_once(url: str, players: list[Player]) -> tuple[int, int, int, int]:
    """Every acknowledged command is in the store once, and every table is whole: look and count."""
    commands = rounds = 0
    async with a_house(url) as house:
        by_table: dict[str, dict[tuple[str, str], int]] = {}
        for table in house.loaded:
            stored = await stored_ids(house.store, table.id)
            by_table[table.id] = {(who, id_): seq for who, id_, seq in stored}
            assert len(by_table[table.id]) == len(stored)
            rounds += table.state.rounds
        for player in players:
            mine = by_table[player.seat.table]
            for id_, seq in player.acked.items():
                assert mine.get((player.seat.account.id, id_)) == seq, (id_, seq)
                commands += 1
            known = {id_ for _, id_ in mine if id_.startswith(player.mark)}
            assert len(known - player.acked.keys()) <= 1  # only what waits for its answer
        await need_whole(house)
        lights, cards = await _need_cards(house)
    return commands, rounds, lights, cards


async def _need_cards(house: House) -> tuple[int, int]:
    """Players' cards are what the tables punched and took; how many lights and cards there were."""
    import sqlalchemy as sa

    from upcard.service import schema
    from upcard.table import events as ev
    from upcard.table.notation import parse_record

    c = schema.players_cards.c
    query = sa.select(c.serial, c.lights, c.table_id, c.spent_table)
    rows = await house.store.read(lambda connection: list(connection.execute(query)))
    punched, spent = {}, {}
    lights = 0
    for table in house.loaded:
        title, entries = await house.record_rows(table.id)
        data = title + b"\n" + b"".join(entry.data for entry in entries)
        for event in parse_record(data, table.id).log.events:
            lights += isinstance(event, ev.LightLit)
            if isinstance(event, ev.CardPunched) and event.player not in table.bots:
                punched[event.serial] = (event.lights, table.id)
            if isinstance(event, ev.CardSurrendered):
                assert event.serial not in spent
                spent[event.serial] = table.id
    assert {row.serial: (row.lights, row.table_id) for row in rows} == punched
    assert {row.serial: row.spent_table for row in rows if row.spent_table} == spent
    return lights, len(punched) + len(spent)


# ------------------------------------------------------------------ the two ways to be killed


async def one_server(
    nursery: Nursery,
    args: Sequence[str],
    url: str,
    seats: list[Seat],
    kills: int,
    seed: object,
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """One server, killed so many times and started again each time."""
    dice = random.Random(f"{seed} kills")
    current: list[Server] = [await asyncio.to_thread(nursery.start, *args)]

    async def disturb(more: Callable[[int], Coroutine[Any, Any, None]]) -> int:
        for number in range(kills):
            await more(dice.randrange(1, 3 * len(seats)))
            await asyncio.sleep(dice.random() * 0.004)
            nursery.kill(current[0])
            current[0] = await asyncio.to_thread(nursery.start, *args)
            progress(number + 1)
        return kills

    players = players_of(seats, lambda: current[0].address, seed)
    struck = await play_disturbed(players, disturb)
    nursery.kill(current[0])
    return await summary_of(url, players, struck)


async def two_servers(
    nursery: Nursery,
    args: Sequence[str],
    url: str,
    seats: list[Seat],
    kills: int,
    seed: object,
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Two servers on one database; now this one is killed, now that one."""
    dice = random.Random(f"{seed} kills")
    servers: list[Server] = [
        await asyncio.to_thread(nursery.start, *args),
        await asyncio.to_thread(nursery.start, *args),
    ]

    async def disturb(more: Callable[[int], Coroutine[Any, Any, None]]) -> int:
        for number in range(kills):
            await more(dice.randrange(1, 3 * len(seats)))
            await asyncio.sleep(dice.random() * 0.004)
            victim = servers.pop(dice.randrange(2))
            nursery.kill(victim)
            await more(dice.randrange(1, 2 * len(seats)))  # the other one alone
            servers.append(await asyncio.to_thread(nursery.start, *args))
            progress(number + 1)
        return kills

    where = random.Random(f"{seed} where")
    players = players_of(seats, lambda: where.choice(servers).address, seed)
    struck = await play_disturbed(players, disturb)
    for server in servers:
        nursery.kill(server)
    return await summary_of(url, players, struck)


async def summary_of(url: str, players: list[Player], struck: int) -> Summary:
    commands, rounds, lights, cards = await need_exactly_once(url, players)
    return Summary(
        struck,
        commands,
        rounds,
        sum(player.resent for player in players),
        sum(player.again for player in players),
        sum(player.unavailable for player in players),
        lights,
        cards,
    )
