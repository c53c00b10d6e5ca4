"""The simulator's speed, beside a simulator of one game only and other packages' environments.

First what starting costs: compiling the kernel once, and loading it from disk afterwards. Then, on
one core, plain six-deck blackjack by a kernel that knows this game by heart (`plain_blackjack.py`,
which keeps a sum and a sum of squares) and by the simulator: its rounds alone, added up likewise,
and with everything that `upcard simulate` reports. Then, beside plain blackjack from a fresh shoe,
a shoe dealt to the cut card, the same counted, and Twisted 21. Then all games, each with all
its wagers, and environments by decisions a second, random play with the choice of actions.

    python bench/bench_simulate.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import other_engines
import plain_blackjack
from numba import njit
from stopwatch import best

from upcard import GAME_IDS
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import Machine, MachineShoe, Out
from upcard.round.machines import machine_of
from upcard.round.shoe import begin_stream
from upcard.simulate.blocks import CHUNK
from upcard.simulate.job import BLOCK, Job
from upcard.trial.trials import Request, prepare

TASK = 100
"""Blocks of a run that is timed."""
START = """
import time
began = time.perf_counter()
from upcard.trial.trials import Request, prepare
job = prepare(Request(game="blackjack")).job
ready = time.perf_counter()
job.play(0, 1, 1)
print(ready - began, time.perf_counter() - ready)
"""
REPEATS = 12
ENVIRONMENTS = 4096
STEPS = 500


def start() -> None:
    """What the first round costs, with nothing compiled and with everything on disk."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for what in ("nothing compiled", "compiled before"):
            run = subprocess.run(
                [sys.executable, "-c", START], env=kept, capture_output=True, text=True, check=True
            )
            solver, kernel = (float(part) for part in run.stdout.split())
            print(f"  {what:28}{solver:8.2f} s for play and odds{kernel:8.2f} s for the kernel")


@njit(nogil=True)
def rounds_alone(machine: Machine, shoe: MachineShoe, out: Out, chunks: int) -> tuple[int, int]:
    """The simulator's rounds with a sum and a sum of squares."""
    total = 0
    squares = 0
    for _ in range(chunks):
        play_rounds(machine, shoe, out, CHUNK, None)
        for slot in range(CHUNK):
            won = out.net[0, slot]
            total += won
            squares += won * won
    return total, squares


def kernel_speed(job: Job) -> float:
    """Rounds a second of the kernel without statistics."""
    table = job.table
    shoe, out = table.shoe(), table.out(CHUNK)
    begin_stream(shoe.now, np.uint64(1), np.uint64(0))
    machine = machine_of(table, job.plain_moves, CHUNK)
    play: Any = rounds_alone
    play(machine, shoe, out, 1)
    chunks = TASK * BLOCK // CHUNK
    return chunks * CHUNK / best(lambda: play(machine, shoe, out, chunks))


def full_speed(job: Job, repeats: int = 5) -> float:
    """Rounds a second on one core, with all statistics."""
    job.play(0, 1, 1)
    return TASK * BLOCK / best(lambda: job.play(0, TASK, BLOCK), repeats)


def two_threads(job: Job) -> float:
    """Rounds a second on two threads."""
    with ThreadPoolExecutor(2) as pool:
        seconds = best(lambda: list(pool.map(lambda n: job.play(n, TASK, BLOCK), (0, TASK))))
    return 2 * TASK * BLOCK / seconds


def show(name: str, speed: float, than: float | None = None) -> None:
    ratio = "" if than is None else f"{speed / than:10.2f}"
    print(f"  {name:46}{speed:14,.0f}{ratio}")


def plain() -> None:
    print(f"Plain six-deck blackjack, rounds a second on one core{'':5}of the special kernel")
    special = plain_blackjack.rounds_per_second(5_000_000)
    job = prepare(Request(game="blackjack", settings=dict(plain_blackjack.RULES))).job
    show("a kernel for this game only", special, special)
    show("the simulator, rounds alone", kernel_speed(job), special)
    show("the simulator, with all statistics", full_speed(job), special)
    by_cards = prepare(
        Request(game="blackjack", settings=dict(plain_blackjack.RULES), policy="optimal")
    ).job
    show("... with optimal play, by the cards of a hand", full_speed(by_cards), special)
    show("... on two threads", two_threads(job), special)


def shoes() -> None:
    """What a lasting shoe, a count and ten cards before the first decision cost, by turns."""
    print(f"\nWith all statistics, rounds a second on one core{'':10}of plain blackjack, fresh")
    rules = dict(plain_blackjack.RULES)
    plainest = prepare(Request(game="blackjack", settings=rules)).job
    for name, request in {
        "dealt to the cut card": Request(game="blackjack", settings=rules, shoe="cut"),
        "dealt to the cut card and counted (hi-lo)": Request(
            game="blackjack", settings=rules, shoe="cut", count="hi-lo"
        ),
        "Twisted 21": Request(game="twisted-21"),
    }.items():
        beside(name, prepare(request).job, plainest)


def beside(name: str, job: Job, than: Job) -> None:
    """Two jobs by turns, since a machine is not always equally fast."""
    pairs = [(full_speed(job, 1), full_speed(than, 1)) for _ in range(REPEATS)]
    speeds, thans = zip(*pairs, strict=True)
    show(name, max(speeds), max(thans))


def games() -> None:
    """Every game beside plain blackjack."""
    print(f"\nAll wagers and statistics, rounds a second on one core{'':4}of plain blackjack")
    plainest = prepare(Request(game="blackjack", settings=dict(plain_blackjack.RULES))).job
    for game in GAME_IDS:
        beside(game, prepare(Request(game=game)).job, plainest)


def environments() -> None:
    from upcard.envs import RoundVectorEnv

    print(f"\nEnvironments, random play, decisions a second on one core{'':1}of gymnasium's")
    found = [speed for speed in other_engines.all_engines(2.0) if speed is not None]
    gymnasium = next((s.steps_per_second for s in found if s.name.startswith("gymnasium")), None)
    for speed in found:
        show(f"{speed.name} {speed.version}", speed.steps_per_second, gymnasium)
    for game in GAME_IDS:
        env = RoundVectorEnv(game, num_envs=ENVIRONMENTS)
        _, info = env.reset(seed=1)
        rng = np.random.default_rng(1)
        decisions = 0
        over = np.zeros(ENVIRONMENTS, dtype=np.bool_)
        began = time.perf_counter()
        for _ in range(STEPS):
            mask = info["action_mask"]
            actions = (mask * (1 + rng.random(mask.shape, dtype=np.float32))).argmax(axis=1)
            # A step after the end of a round begins the next, and nothing is decided.
            decisions += ENVIRONMENTS - int(over.sum())
            _, _, over, _, info = env.step(actions)
        seconds = time.perf_counter() - began
        show(f"upcard, {game}, {ENVIRONMENTS} at once", decisions / seconds, gymnasium)


def main() -> None:
    print("Starting")
    start()
    print()
    plain()
    shoes()
    games()
    environments()


if __name__ == "__main__":
    main()
