"""How long exact odds take, and how much faster they are than slow and obvious code.

Everything is measured in one run, with kernels compiled beforehand. The yardstick for the six-deck
game is the best public analyser in C++, which takes about a quarter of a second on such a machine;
the slow code is the tests' solver in fractions, on the same single-deck question.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from stopwatch import best

from oracle import odds as slow
from upcard import GAME_IDS, tables_for
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim
from upcard.solve.split import Mode

CPLUSPLUS = 0.25
SIX_DECKS = {"surrender": "none"}
ONE_DECK = {"decks": "1", "max_hands": "1", "surrender": "none"}


def six_decks(mode: Mode) -> float:
    """Seconds for every hand, up card and split of the six-deck game, from the tables on."""
    tables = tables_for("blackjack", SIX_DECKS)
    value = BaseGame(tables).solve(Aim(bet=500), mode=mode).ev
    seconds = best(lambda: BaseGame(tables).solve(Aim(bet=500), mode=mode))
    ratio = seconds / CPLUSPLUS
    print(f"  {mode:5} {value:13.9%} {seconds:8.3f} s   {ratio:5.2f} x the C++ analyser's 0.25 s")
    return seconds


def against_fractions() -> None:
    """One up card of one deck without splits: the fast code and the slow code."""
    tables = tables_for("blackjack", ONE_DECK)
    up = tables.alphabet.index("T")
    quick = best(lambda: BaseGame(tables).solve_up(up, Aim(bet=500), "none"))
    counts = tuple(tables.alphabet.counts.tolist())
    start = time.perf_counter()
    fraction = slow.value_up(slow.Problem(tables, counts), up)
    seconds = time.perf_counter() - start
    value = BaseGame(tables).solve_up(up, Aim(bet=500), "none").ev
    print(f"  fast      {value:.12f} {quick:8.3f} s")
    print(f"  fractions {float(fraction):.12f} {seconds:8.3f} s")
    print(f"  the fast code takes 1/{seconds / quick:.0f} of the slow code's time")


ONE_GAME = """
import json, resource, sys, time
from upcard import tables_for
from upcard.solve.odds import odds
tables = tables_for(sys.argv[1])
began = time.perf_counter()
odds(tables)
first = time.perf_counter() - began
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
began = time.perf_counter()
odds(tables)
print(json.dumps([first, time.perf_counter() - began, memory]))
"""
LIMITS = {"blackjack-switch": 60.0}
"""Seconds; two boxes are solved together, once for every two cards of the other."""
USUAL_LIMIT = 10.0
MOST_MEMORY = 1024.0
"""Megabytes of a process that has priced one game."""


def games() -> None:
    """Every wager of every game, as `upcard odds GAME` works them out, each in a process alone."""
    print(f"  {'':26} {'first':>8} {'again':>8} {'memory':>10}")
    above = []
    for game in GAME_IDS:
        run = subprocess.run(
            [sys.executable, "-c", ONE_GAME, game], capture_output=True, text=True, check=True
        )
        first, again, memory = json.loads(run.stdout)
        print(f"  {game:26} {first:6.2f} s {again:6.2f} s {memory:7.0f} MB", flush=True)
        if first > LIMITS.get(game, USUAL_LIMIT) or memory > MOST_MEMORY:
            above.append(game)
    print(f"  above 10 s (blackjack-switch: 60 s) or 1 GB: {', '.join(above) or 'none'}")


def main() -> None:
    print("Six decks, dealer stands on soft 17, double after split, four hands, no surrender")
    for mode in ("CDZ-", "CDP"):
        six_decks(mode)
    print("One deck, ten up, no splits: against the tests' solver in fractions")
    against_fractions()
    print("All wagers of a game, kernels compiled before")
    games()


if __name__ == "__main__":
    main()
