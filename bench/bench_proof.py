"""Exact values against random rounds through the live table's engine, for every wager.

A player with the solver's basic play plays every game at a live table, a fresh shuffle every round.
For each wager: the exact mean, the simulated one, its standard error, and how many of those they
are apart (z); then how many rows of its results or up cards were compared one by one, and the z of
the worst. Of about 500 numbers the largest is usually near 3.

    python bench/bench_proof.py [ROUNDS]
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from differential.engine_rounds import (
    CASES,
    MEAN,
    VARIANTS,
    Case,
    Expected,
    Line,
    Tally,
    compare,
    exact,
    share,
    simulate,
)
from upcard.table.plain_tables import BASE

ROUNDS = 20_000
"""For each game, shared by its versions; each variant gets as many as a version."""
BATCH = 5_000


def batch(case: Case, number: int, rounds: int) -> tuple[Tally, Mapping[str, Expected]]:
    """Some rounds at a table of their own, and what they are compared with."""
    return simulate(case, rounds, f"bench/{number}"), exact(case).wagers


Batches = list[Future[tuple[Tally, Mapping[str, Expected]]]]


def submit(case: Case, rounds: int, pool: ProcessPoolExecutor) -> Batches:
    sizes = [min(BATCH, rounds - start) for start in range(0, rounds, BATCH)]
    return [pool.submit(batch, case, number, size) for number, size in enumerate(sizes)]


def lines_of(case: Case, batches: Batches) -> list[Line]:
    total = Tally()
    wagers: Mapping[str, Expected] = {}
    for future in batches:
        tally, wagers = future.result()
        total += tally
    return list(compare(case, wagers, total))


def worst(lines: list[Line]) -> Line:
    return max(lines, key=lambda line: abs(line.z))


def show(lines: list[Line]) -> None:
    """A line for every wager; those by up card belong to the base wager."""
    for mean in lines:
        if mean.what != MEAN or mean.wager.startswith(f"{BASE} against"):
            continue
        rows = [line for line in lines if line.wager == mean.wager and line is not mean]
        if mean.wager == BASE:
            rows += [line for line in lines if line.wager.startswith(f"{BASE} against")]
        found = ""
        if rows:
            far = worst(rows)
            name = far.what if far.wager == mean.wager else far.wager.removeprefix(f"{BASE} ")
            found = f"{len(rows):>6}{far.z:>8.2f}  {name}"
        print(
            f"  {mean.wager:20}{mean.exact:>12.6f}{mean.simulated:>12.6f}{mean.error:>10.6f}"
            f"{mean.z:>8.2f}{found}"
        )


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROUNDS
    cores = min(2, os.cpu_count() or 1)
    print(f"{rounds:,} rounds of each game on {cores} cores")
    print(
        f"  {'wager':20}{'exact':>12}{'simulated':>12}{'error':>10}{'z':>8}{'rows':>6}{'worst':>8}"
    )
    found: list[Line] = []
    played = 0
    start = time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        cases = [(case, share(case, rounds)) for case in (*CASES, *VARIANTS)]
        waiting = [submit(case, own, pool) for case, own in cases]
        for (case, own), batches in zip(cases, waiting, strict=True):
            lines = lines_of(case, batches)
            print(f"{case.name}, {own:,} rounds", flush=True)
            show(lines)
            found += lines
            played += own
    took = time.perf_counter() - start
    far = worst(found)
    spread = math.sqrt(sum(line.z**2 for line in found) / len(found))
    print(
        f"{played:,} rounds, {len(found)} numbers; the largest |z| is {abs(far.z):.2f} "
        f"({far.case}, {far.wager}, {far.what}), their spread {spread:.2f}; {took:,.0f} s, "
        f"{played / took:,.0f} rounds a second"
    )


if __name__ == "__main__":
    main()
