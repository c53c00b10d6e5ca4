"""A server that goes on for months gives memory back: garbage is looked for, and little is made."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.houses import a_house, in_loop

ENDLESS = """
import gc
from upcard.__main__ import NEW_OBJECTS
gc.set_threshold(NEW_OBJECTS)  # as `upcard serve` begins
from upcard.service import garbage
{tend}

class Knot:
    alive = 0
    def __init__(self):
        self.own = self
        Knot.alive += 1
    def __del__(self):
        Knot.alive -= 1

most = 0
for _ in range(50_000):
    Knot()
    most = max(most, Knot.alive)
print(most)
"""


def most_alive(tend: str) -> int:
    code = ENDLESS.format(tend=tend)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_a_server_looks_for_garbage_and_a_command_does_not() -> None:
    assert most_alive("garbage.tend()") < 10_000
    assert most_alive("") == 50_000, "as it was before: this is what the test would find"


@pytest.fixture
def saved_garbage() -> Iterator[list[object]]:
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


@in_loop
async def test_to_ask_which_sessions_are_over_leaves_no_garbage(
    tmp_path: Path, saved_garbage: list[object]
) -> None:
    async with a_house(f"sqlite:///{tmp_path}/house.db") as house:
        hashes = [(await house.accounts.guest("token")).session for _ in range(20)]
        assert await house.accounts.closed_among(hashes) == []
        gc.collect()
        saved_garbage.clear()
        for _ in range(10):
            await house.accounts.closed_among(hashes)
        gc.collect()
        assert not [one for one in saved_garbage if one == hashes]
