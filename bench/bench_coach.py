"""How long the coach takes for the questions of real rounds, beside what it takes without caches.

Bots play rounds of every game at a table with several seats and all side wagers, mostly as the
solver's basic play says. The coach is asked at every question, with the cards that its player has
seen since the shoe was shuffled. For some questions the same advice is worked out once more with
nothing known of the game, in the same run. Wall-clock times of one thread: run it alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from coach_rounds import CoachedTable, Met
from upcard import GAME_IDS, tables_for
from upcard.coach import Coach
from upcard.solve import shoeless

QUESTIONS = 3000
"""Of each game."""
SEATS = 5
UNKNOWN = 40
"""Questions of each game that are also answered without caches."""
LIMIT = 100.0
"""Milliseconds, at the 99th percentile."""


def milliseconds(coach: Coach, met: Met) -> float:
    began = time.perf_counter()
    coach.advise(met.state, met.question, met.seen)
    return 1000 * (time.perf_counter() - began)


def without_caches(met: Met) -> float:
    """The same question to a coach who knows nothing of the game yet."""
    known = vars(shoeless)["_made"]
    tables = met.session.engine.tables
    kept = known.pop(id(tables), None)
    try:
        return milliseconds(Coach(met.session.engine, kept=0), met)
    finally:
        if kept is not None:
            known[id(tables)] = kept


def figures(times: list[float]) -> str:
    found = np.array(times)
    late = np.percentile(found, 99)
    return f"p50 {np.median(found):6.2f}  p99 {late:6.2f}  max {found.max():6.2f} ms"


def measure(game: str, count: int) -> list[float]:
    table = CoachedTable(tables_for(game), SEATS, "bench")
    coach = Coach(table.session.engine)
    coach.warm_up()
    times: list[float] = []
    again: list[float] = []
    cold: list[tuple[float, float]] = []
    words = 0
    while len(times) < count:
        for met in table.round():
            times.append(milliseconds(coach, met))
            words += not coach.advise(met.state, met.question, met.seen).is_priced
            if len(times) % (count // UNKNOWN or 1) == 0:
                again.append(milliseconds(coach, met))
                cold.append((times[-1], without_caches(met)))
    ratio = np.median([unknown / known for known, unknown in cold])
    longer = np.median([unknown for _, unknown in cold])
    print(
        f"  {game:26} {len(times):5} questions  {figures(times)}   "
        f"without caches {longer:6.1f} ms, {ratio:5.0f} times; "
        f"asked again {np.median(again):.2f} ms; {words} not priced"
    )
    return times


def next_round(game: str) -> None:
    table = CoachedTable(tables_for(game), SEATS, "bench ahead")
    coach = Coach(table.session.engine)
    for _ in range(3):
        for _met in table.round():
            pass
    coach.before_deal(table.state, table.seen)
    for _met in table.round():
        pass
    began = time.perf_counter()
    found = coach.before_deal(table.state, table.seen)
    worth = found.wagers[0]
    print(f"  {game:26} {time.perf_counter() - began:6.2f} s  {worth.percent:+.3f}% {worth.method}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of each game")
    count = parser.parse_args().questions
    print("every question of real rounds")
    everything: list[float] = []
    slow = []
    for game in GAME_IDS:
        times = measure(game, count)
        everything += times
        if np.percentile(times, 99) > LIMIT:
            slow.append(game)
    print(f"  {'all games':26} {len(everything):5} questions  {figures(everything)}")
    print("the next round, all wagers")
    for game in GAME_IDS:
        next_round(game)
    if slow:
        print(f"above {LIMIT:.0f} ms at the 99th percentile: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
