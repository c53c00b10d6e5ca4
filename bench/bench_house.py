"""Bots over WebSockets against one house on this machine: how many seats it holds, and how fast.

The players are in processes of their own on the same machine, so the cores are shared with the
server. Time is counted from when a command is sent until its answer is read. One transaction for
every command, on SQLite and on PostgreSQL.

    python bench/bench_house.py [--tables 200] [--seats 1000] [--rate 300] [--seconds 60]
                                [--db sqlite|postgresql|URL] [--servers 1] [--soak]

`--soak` is an hour at half the rate, and prints the memory every minute.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing as mp
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from house_load import LoadPlayer, LoadSeat, Pace

from service import postgres
from service.houses import a_house
from service.servers import Server, nursery
from upcard.service.specs import TableSpec

GAMES = ("blackjack", "ten-sticks-21", "pure-spanish-21.5", "twisted-21", "blackjack-tie")
"""Games that the house banks, or whose bank nobody waits for."""
WARM_SECONDS = 10.0
SOAK_SECONDS = 3600.0
FULL_MINUTES = 15


class Part(NamedTuple):
    """What one process of players measured."""

    times: list[float]
    refused: int
    faults: list[str]
    lost: int
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--db", default="")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--soak", action="store_true")
    asked = parser.parse_args()
    if asked.soak:
        asked.rate, asked.seconds = asked.rate / 2, SOAK_SECONDS
    for kind in [asked.db] if asked.db else ["sqlite", "postgresql"]:
        if kind == "postgresql" and (why := postgres.missing()):
            print(f"  {kind}: not measured: {why}")
            continue
        with _database(kind) as (url, args):
            _measure(kind, url, args, asked)


@contextmanager
def _database(kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/house.db", ("--data", folder)
    elif kind == "postgresql":
        with postgres.running(durable=True) as server:
            url = server.new_database()
            yield url, ("--db", url)
    else:
        yield kind, ("--db", kind)


def _measure(kind: str, url: str, args: tuple[str, ...], asked: argparse.Namespace) -> None:
    seats = asyncio.run(_prepare(url, asked.tables, asked.seats))
    with nursery() as nurse:
        servers = [nurse.start(*args) for _ in range(asked.servers)]
        empty = sum(map(_memory, servers))
        pipe, parts = mp.Pipe(duplex=False)
        process = mp.Process(
            target=_play,
            args=(parts, seats, servers, asked.rate, asked.seconds),
        )
        process.start()
        _watch(pipe, servers, asked.soak)
        part: Part = pipe.recv()
        process.join()
        full, peak = sum(map(_memory, servers)), sum(map(_peak, servers))
        for server in servers:
            nurse.end(server)
    times = sorted(part.times)
    count = len(times)
    several = f", {asked.servers} servers" if asked.servers > 1 else ""
    print(
        f"  {kind}{several}: {asked.tables} tables, {asked.seats:,} seats, "
        f"{count / asked.seconds:.0f} commands a second (wanted {asked.rate:.0f}), "
        f"p50 {_ms(times, 0.5)}, p99 {_ms(times, 0.99)}, most {_ms(times, 1)}; "
        f"{part.cpu / max(1, count) * 1000:.2f} ms of a core each; "
        f"memory of its own {empty:.0f} MB empty, {full:.0f} MB at the end, with all files "
        f"{peak:.0f} MB at most; "
        f"{part.refused} refused by the rules, {len(part.faults)} faults, {part.lost} lines lost",
        flush=True,
    )
    for words in sorted(set(part.faults))[:5]:
        print(f"    fault: {words}")


def _ms(times: list[float], share: float) -> str:
    at = min(len(times) - 1, int(len(times) * share))
    return f"{times[at] * 1000:.1f} ms" if times else "none"


def _watch(pipe: Any, servers: list[Server], soak: bool) -> None:
    """Wait for the players; in a soak print the memory every minute, and what it grew in the end.

    What a table keeps in memory is full after some minutes: what counts is growth after those.
    """
    began = time.monotonic()
    minutes: list[float] = []
    while not pipe.poll(1.0):
        if soak and time.monotonic() - began > 60 * len(minutes):
            minutes.append(sum(map(_memory, servers)))
            print(f"    {len(minutes) - 1:3d} min: {minutes[-1]:.1f} MB", flush=True)
    if len(minutes) > FULL_MINUTES:
        grown = minutes[-1] - minutes[FULL_MINUTES]
        print(
            f"    from minute {FULL_MINUTES} to {len(minutes) - 1}: {grown:+.1f} MB, "
            f"{grown / minutes[FULL_MINUTES]:+.1%}",
            flush=True,
        )


def _memory(server: Server) -> float:
    """What a server has made for itself, wherever it lies by now.

    Pages of its program's files, which it shares and which a system drops and reads again as it
    likes, would hide what grows, or show growth that is none.
    """
    return _status(server, "RssAnon:") + _status(server, "VmSwap:")


def _peak(server: Server) -> float:
    """The most that it ever had in memory at once, files and all."""
    return _status(server, "VmHWM:")


def _cpu(server: Server) -> float:
    """Seconds of a core that a server has used."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _status(server: Server, what: str) -> float:
    for line in Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) / 1024
    return 0.0


# ------------------------------------------------------------------ people and tables


async def _prepare(url: str, tables: int, seats: int) -> list[LoadSeat]:
    """Open the tables, and seat everybody."""
    found = []
    async with a_house(url) as house:
        for number in range(tables):
            game = GAMES[number % len(GAMES)]
            banked = game in ("twisted-21", "blackjack-tie", "pure-spanish-21.5")
            spec = TableSpec(
                game=game, bots=int(banked), seconds=60, wager_seconds=60, speed="fast"
            )
            info = await house.open_table(spec, None)
            for _ in range(seats // tables + (number < seats % tables)):
                signed = await house.accounts.guest("token")
                await house.sit(info.id, signed.account)
                found.append(LoadSeat(signed.token, info.id, signed.account.name))
    return found


# ------------------------------------------------------------------ the players' process


def _play(
    pipe: Any, seats: list[LoadSeat], servers: list[Server], rate: float, seconds: float
) -> None:
    pipe.send(asyncio.run(_load(seats, servers, rate, seconds)))


async def _load(seats: list[LoadSeat], servers: list[Server], rate: float, seconds: float) -> Part:
    times: list[float] = []
    pace = Pace(rate)
    dice = random.Random(1)
    players = [LoadPlayer(seat, pace, random.Random(dice.random()), times.append) for seat in seats]
    work = []
    for number, player in enumerate(players):
        host, port = servers[number % len(servers)].address.removeprefix("http://").split(":")
        work.append(asyncio.create_task(player.run(host, int(port))))
        if number % 20 == 19:
            await asyncio.sleep(0.05)  # everybody comes in, but not in the same moment
    await asyncio.sleep(WARM_SECONDS)
    times.clear()
    before = sum(map(_cpu, servers))
    await asyncio.sleep(seconds)
    measured, cpu = times.copy(), sum(map(_cpu, servers)) - before
    lost = [task for task in work if task.done()]
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    faults = [words for player in players for words in player.faults]
    faults += [repr(task.exception()) for task in lost if not task.cancelled()]
    refused = sum(player.refused for player in players)
    return Part(measured, refused, faults, len(lost), cpu)


if __name__ == "__main__":
    print("Bots over WebSockets against one house:")
    main()
