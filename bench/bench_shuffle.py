"""A laboratory's battery over the shuffle of the live table and that of the simulator.

Streams of random words go into dieharder as they are, shuffles by the ranks of their permutations
(`shuffle_lab`). Of shuffles are counted besides the cards by place, adjacent pairs and first cards,
which chi-square tests compare with chance (`shuffle_chances`). All p-values of a source are judged
together: the smallest and the largest by their number (Bonferroni), and whether the first of each
test are evenly spread. Sources with a planted fault go through the same, and must be found.

    python bench/bench_shuffle.py [--quick | --full] [--seed TEXT]

The quick battery takes about two minutes on two cores, the full one most of an hour. Every seed
gives another sample, and the same seed always the same p-values.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import NamedTuple

from shuffle_chances import Tally, uniformity
from shuffle_lab import SOURCES, Source

SEED = "upcard"
UNLIKELY = 1e-3
"""A sound source fails so often by chance."""
WORKERS = 2
SHOWN = ("test_name", "ntuple", "tsamples", "psamples", "pvalues")


class Trial(NamedTuple):
    """A test of dieharder: its number, samples of it and in each, and the length of its tuples.

    0 is what dieharder takes by itself. Kolmogorov and Smirnov of many samples is sharper than of
    few, so samples are made smaller rather than fewer.
    """

    number: int
    samples: int = 100
    size: int = 0
    tuples: int = 0

    @property
    def options(self) -> list[str]:
        given = {"-d": self.number, "-p": self.samples, "-t": self.size, "-n": self.tuples}
        return [text for name, value in given.items() if value or name == "-d"
                for text in (name, str(value))]  # fmt: skip


BIRTHDAYS, PARKING, CIRCLE, SPHERE = Trial(0), Trial(10), Trial(11), Trial(12)
RUNS, MONOBIT, BIT_RUNS = (Trial(number, size=10_000) for number in (15, 100, 101))
SERIAL = Trial(102, size=10_000)
SMALL = (RUNS, MONOBIT, BIT_RUNS, SERIAL, SPHERE)
"""Tests that need about 5 MB each."""
MIDDLE = (
    BIRTHDAYS,
    PARKING,
    CIRCLE,
    Trial(3, size=10_000),
    Trial(8),
    Trial(200, size=10_000, tuples=3),
    Trial(201, tuples=4),
    Trial(202, size=10_000, tuples=4),
)
"""Tests that need up to 30 MB each."""
LARGE = (
    *(Trial(number) for number in (1, 2, 3, 4, 9, 13, 15, 16, 100, 101, 102)),
    *(Trial(200, tuples=n) for n in (1, 2, 4, 8)),
    *(Trial(201, tuples=n) for n in (2, 3, 5)),
    *(Trial(202, tuples=n) for n in (2, 3, 5)),
    *(Trial(203, tuples=n) for n in (1, 7, 32)),
    *(Trial(number, samples=1) for number in (206, 207, 208, 209)),
)
"""Tests as dieharder makes them by itself, which take gigabytes."""


class Plan(NamedTuple):
    """What is done with a source."""

    source: str
    trials: tuple[Trial, ...]
    shuffles: int = 0


QUICK = (
    Plan("live-stream", (*SMALL, *MIDDLE)),
    Plan("live-deck", SMALL, 400_000),
    Plan("live-shoe", SMALL, 60_000),
    Plan("simulator-stream", (*SMALL, *MIDDLE)),
    Plan("simulator-deck", (*SMALL, *MIDDLE), 2_000_000),
    Plan("simulator-shoe", SMALL, 300_000),
    Plan("congruential", (*SMALL, *MIDDLE[:4])),
    Plan("any-place", (MONOBIT, SERIAL), 200_000),
    Plan("remainder", (MONOBIT, SERIAL), 200_000),
)
FULL = (
    Plan("live-stream", (*SMALL, *MIDDLE, *LARGE)),
    Plan("live-deck", (*SMALL, *MIDDLE), 4_000_000),
    Plan("live-shoe", (*SMALL, *MIDDLE), 1_000_000),
    Plan("simulator-stream", (*SMALL, *MIDDLE, *LARGE)),
    Plan("simulator-deck", (*SMALL, *MIDDLE), 40_000_000),
    Plan("simulator-shoe", (*SMALL, *MIDDLE), 4_000_000),
    Plan("congruential", (*SMALL, *MIDDLE)),
    Plan("any-place", SMALL, 400_000),
    Plan("remainder", SMALL, 400_000),
)


class Found(NamedTuple):
    """A test and its p-values; dieharder has some with several."""

    test: str
    values: tuple[float, ...]


# ------------------------------------------------------------------ dieharder


def dieharder() -> str:
    """The program, installed from the system's packages where that can be done; else ""."""
    if found := shutil.which("dieharder"):
        return found
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("dieharder is missing: installing it with apt-get", flush=True)
        command = ["apt-get", "install", "--yes", "--quiet", "dieharder"]
        subprocess.run(command, check=False, capture_output=True)
    return shutil.which("dieharder") or ""


def version_of(program: str) -> str:
    done = subprocess.run([program, "-l"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\S+)", done.stdout)
    return found[1] if found else "of an unknown version"


def feed(name: str, seed: str) -> None:
    """Write a source's bytes until nobody reads any more."""
    try:
        for part in SOURCES[name].bytes(seed):
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(1, rest) :]
    except BrokenPipeError:
        pass


def tried(program: str, source: str, trial: Trial, seed: str) -> Found:
    """One test of dieharder over one source."""
    own = f"{seed}/{source}/{'/'.join(trial.options)}"
    feeder = subprocess.Popen(
        [sys.executable, __file__, "--feed", source, "--seed", own], stdout=subprocess.PIPE
    )
    shown = [text for name in SHOWN for text in ("-D", name)]
    # -k 2: exact where there are few samples; -g 200: words from standard input.
    command = [program, "-g", "200", "-k", "2", *shown, *trial.options]
    done = subprocess.run(command, stdin=feeder.stdout, capture_output=True, text=True, check=True)
    assert feeder.stdout is not None
    feeder.stdout.close()
    feeder.wait()
    rows = [line.split("|") for line in done.stdout.splitlines() if line.count("|") == 4]
    assert rows, f"dieharder {trial.options} said nothing: {done.stderr}"
    name = rows[0][0].strip()
    tuples = f", {trial.tuples} together" if trial.tuples else ""
    return Found(f"dieharder {name}{tuples}", tuple(float(row[4]) for row in rows))


# ------------------------------------------------------------------ shuffles


def counted(source: str, shuffles: int, seed: str) -> list[Found]:
    """The chi-square tests of so many shuffles."""
    found: Source = SOURCES[source]
    assert found.orders is not None
    tally = Tally(found.cards)
    for orders in found.orders(f"{seed}/{source}/shuffles"):
        tally.add(orders)
        if tally.shuffles >= shuffles:
            break
    return [Found(f"{tally.shuffles:,} shuffles: {name}", (p,)) for name, p in tally.tests()]


# ------------------------------------------------------------------ judgement


def smallest(found: Sequence[Found]) -> float:
    """How often chance gives a p-value as near to 0 or 1 as the worst, among so many."""
    values = [value for one in found for value in one.values]
    worst = min(min(value, 1 - value) for value in values)
    return min(1.0, 2 * worst * len(values))


def spread(found: Sequence[Found]) -> float:
    """How evenly p-values are spread: the first of each test, as its others hang on it."""
    return uniformity([one.values[0] for one in found])


def is_sound(found: Sequence[Found]) -> bool:
    return min(smallest(found), spread(found)) >= UNLIKELY / 2


def show(source: Source, found: Sequence[Found]) -> None:
    print(f"\n{source.words}")
    for one in found:
        value = one.values[0]
        more = f"   the first of {len(one.values)}, " if len(one.values) > 1 else ""
        more += f"{min(one.values):.4f} to {max(one.values):.4f}" if more else ""
        print(f"  {one.test:52} p {value:.6f}{more}")


def main() -> int:
    options = argparse.ArgumentParser(description="Test the shuffles as a laboratory does.")
    options.add_argument("--quick", action="store_true", help="two minutes (the default)")
    options.add_argument("--full", action="store_true", help="most of an hour")
    options.add_argument("--seed", default=SEED, help="a text; another gives another sample")
    options.add_argument("--feed", default="", choices=["", *SOURCES], help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.feed:
        feed(given.feed, given.seed)
        return 0
    return battery(FULL if given.full else QUICK, given.seed)


def battery(plans: Sequence[Plan], seed: str) -> int:
    start = time.perf_counter()
    program = dieharder()
    with_dieharder = f"dieharder {version_of(program)}" if program else "WITHOUT dieharder"
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {with_dieharder}, Python {platform.python_version()}, "
        f'seed "{seed}"'
    )
    if not program:
        print("dieharder is not here and cannot be installed: only the chi-square tests are made")
    with ThreadPoolExecutor(WORKERS) as threads, ProcessPoolExecutor(WORKERS) as processes:
        counts = {
            plan.source: processes.submit(counted, plan.source, plan.shuffles, seed)
            for plan in plans
            if plan.shuffles
        }
        trials = {
            plan.source: [
                threads.submit(tried, program, plan.source, trial, seed)
                for trial in (plan.trials if program else ())
            ]
            for plan in plans
        }
        results = {
            plan.source: [
                *(trial.result() for trial in trials[plan.source]),
                *(counts[plan.source].result() if plan.shuffles else ()),
            ]
            for plan in plans
        }
    for name, found in results.items():
        if found:
            show(SOURCES[name], found)
    good = judged({name: found for name, found in results.items() if found})
    print(f"{time.perf_counter() - start:,.0f} s")
    return 0 if good else 1


def judged(results: dict[str, list[Found]]) -> bool:
    """Print what all tests say together: do sound sources pass, and are planted faults found?"""
    print(f"\n{'source':34}{'tests':>6}{'p-values':>10}{'worst of all':>14}{'spread':>10}  verdict")
    good = True
    for name, found in results.items():
        source, sound = SOURCES[name], is_sound(found)
        values = sum(len(one.values) for one in found)
        verdict = "looks random" if sound else "IS NOT RANDOM"
        if source.planted:
            verdict = "a planted fault, and NOT FOUND" if sound else "a planted fault, found"
        good = good and sound != source.planted
        print(
            f"{source.words:34}{len(found):>6}{values:>10}{smallest(found):>14.4g}"
            f"{spread(found):>10.4g}  {verdict}"
        )
    print(
        "worst of all: how often chance gives so extreme a p-value among so many; spread: how "
        f"often they are so uneven. Below {UNLIKELY / 2:g} is taken for no chance."
    )
    return good


if __name__ == "__main__":
    sys.exit(main())
