"""How long a warm `upcard odds blackjack` takes in all, beside a bare import of numba.

Both are processes of their own, run in turn; kernels and bytecode are kept from a first run that is
not counted. The import is the yardstick, for nothing that numba compiles can start sooner. Seconds
of the clock hold for an idle machine; those of the processor, of all threads, for a busy one too.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from typing import NamedTuple

RUNS = 7
ODDS = ("-m", "upcard", "odds", "blackjack")
NUMBA = ("-c", "import numba")
LONGEST = 1.0
"""Seconds that odds may take on an idle machine."""


class Spent(NamedTuple):
    clock: float
    processor: float


def spent(arguments: tuple[str, ...]) -> Spent:
    """What one process takes from its start to its end."""
    # Python must be free to keep bytecode, as it is on a user's machine.
    free = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, env=free, stdout=subprocess.DEVNULL, check=True)
    clock = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return Spent(clock, user + system)


def main() -> None:
    for arguments in (ODDS, NUMBA):
        spent(arguments)
    runs = [(spent(ODDS), spent(NUMBA)) for _ in range(RUNS)]
    print(f"Warm start, the fastest of {RUNS} runs each")
    for number, unit in enumerate(Spent._fields):
        odds, numba = (min(run[which][number] for run in runs) for which in range(2))
        print(
            f"  seconds of the {unit:9}: odds {odds:.2f}, import of numba {numba:.2f}, "
            f"ratio {odds / numba:.2f}"
        )
    fastest = min(run[0].clock for run in runs)
    print(f"  at most {LONGEST} s wanted by the clock: {'yes' if fastest <= LONGEST else 'no'}")


if __name__ == "__main__":
    main()
