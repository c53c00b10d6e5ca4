"""Kill servers in the middle of rounds, a thousand times, and look whether anything is lost.

People play all six games over WebSockets. One server on SQLite is killed (SIGKILL) and started
again, over and over; then two servers share a PostgreSQL, and now the one, now the other is killed.
Afterwards every acknowledged command is in the store exactly once, no cent is missing, lights and
players' cards are as they were, and every record verifies.

    python bench/bench_kills.py [--kills 1000] [--share 0.5]

`make bench` does 20 of them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from service import postgres
from service.killing import one_server, prepare, two_servers
from service.servers import nursery

TABLES, SEATS = 12, 2
FEW = 20
BATCH = 100
"""Kills of one house; then there is another, whose records are short enough to be looked at."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=FEW)
    parser.add_argument("--share", type=float, default=0.5, help="of one server on SQLite")
    parser.add_argument("--seed", default=str(time.time()))
    asked = parser.parse_args()
    on_sqlite = round(asked.kills * asked.share)
    with nursery() as nurse:
        for number, kills in enumerate(_batches(on_sqlite)):
            with tempfile.TemporaryDirectory() as folder:
                url = f"sqlite:///{folder}/house.db"
                seats = asyncio.run(prepare(url, TABLES, SEATS, bots=1))
                began = time.monotonic()
                told = _progress("one server, SQLite", kills)
                seed = f"{asked.seed}/{number}"
                args = ("--data", folder)
                done = asyncio.run(one_server(nurse, args, url, seats, kills, seed, told))
                print(f"\r  one server, SQLite: {done}, in {_since(began)}", flush=True)
        if why := postgres.missing():
            print(f"  two servers: not done: {why}")
            return
        for number, kills in enumerate(_batches(asked.kills - on_sqlite)):
            with postgres.running() as database:
                url = database.new_database()
                seats = asyncio.run(prepare(url, TABLES, SEATS, bots=1))
                began = time.monotonic()
                told = _progress("two servers, PostgreSQL", kills)
                seed = f"{asked.seed}/two/{number}"
                args = ("--db", url)
                done = asyncio.run(two_servers(nurse, args, url, seats, kills, seed, told))
                print(f"\r  two servers, PostgreSQL: {done}, in {_since(began)}", flush=True)


def _batches(kills: int) -> list[int]:
    return [BATCH] * (kills // BATCH) + ([kills % BATCH] if kills % BATCH else [])


def _progress(what: str, kills: int) -> Callable[[int], None]:
    def told(done: int) -> None:
        print(f"\r  {what}: {done} of {kills} kills", end="", flush=True)

    return told


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s"


if __name__ == "__main__":
    print("Servers killed in the middle of rounds:")
    main()
