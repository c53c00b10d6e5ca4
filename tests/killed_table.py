"""A table that is there to be killed: see `test_nothing_seen_is_lost_when_the_table_is_killed`.

For every line on standard input a child plays at the table in the file that the command line names,
and says what it shows, until it is killed; then the parent says so.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

from rich.console import Console

from conftest import compiled
from unit.test_play_kit import Player, Scene
from upcard.cli.play import start
from upcard.cli.play.start import Sitting, Wishes

FOREVER = 10**9
TABLES = compiled("blackjack")


class Telling(Player):
    """Plays on and on, and tells what is on the screen before every key."""

    def read(self) -> str:
        self.pressed = 0
        tell()
        return super().read()

    def wait(self, seconds: float) -> str:
        tell()
        return super().wait(seconds)


class Seat(start.PersonsSeat):
    """Remembers itself, so that what it shows can be told."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type]
        seats[:] = [self]


seats: list[Seat] = []


def tell() -> None:
    if seats:
        seat = seats[0]
        data = {"head": seat.journal.head, "entries": len(seat.session.entries)}
        os.write(1, json.dumps(data).encode() + b"\n")


def play(file: Path) -> None:
    start.PersonsSeat = Seat  # type: ignore[misc]
    scene = Scene()
    wishes = Wishes(file=file, resume=file.exists(), chips=10**8, bots=2)
    Sitting(TABLES, wishes, Telling(scene, FOREVER), scene.console).run()


def main() -> None:
    file = Path(sys.argv[1])
    os.environ["UPCARD_HOME"] = str(file.parent / "home")
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            play(file)
        os.write(1, f"{child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"gone\n")


if __name__ == "__main__":
    main()
