"""A table that is there to be killed: see `test_nothing_seen_is_lost_when_the_table_is_killed`.

For every file that is named on standard input a child plays at the table in it and tells the head
on its screen, until it is killed; then the parent says so.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from conftest import compiled
from unit.test_play_kit import Player, Scene, head_on
from upcard.cli.play.start import Sitting, Wishes
from upcard.players import basic_strategy

FOREVER = 10**9
TABLES = compiled("blackjack")
basic_strategy(TABLES)  # children that are killed at once would never have worked it out


class Telling(Player):
    """Plays on and on, and tells the head on the screen at every key and every pause."""

    def read(self) -> str:
        self.pressed = 0
        self.tell()
        return super().read()

    def wait(self, seconds: float) -> str:
        self.tell()
        return super().wait(seconds)

    def tell(self) -> None:
        os.write(1, f"{head_on(self.scene)}\n".encode())


def play(file: Path) -> None:
    scene = Scene()
    wishes = Wishes(file=file, resume=file.exists(), chips=10**8, bots=2)
    Sitting(TABLES, wishes, Telling(scene, FOREVER), scene.console).run()


def main() -> None:
    for line in sys.stdin:
        file = Path(line.strip())
        os.environ["UPCARD_HOME"] = str(file.parent / "home")
        child = os.fork()
        if child == 0:
            play(file)
        os.write(1, f"{child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"gone\n")


if __name__ == "__main__":
    main()
