"""How long exact odds take, and how much faster they are than slow and obvious code.

Everything is measured in one run, with kernels compiled beforehand. The yardstick for the six-deck
game is the best public analyser in C++, which takes about a quarter of a second on such a machine;
the slow code is the tests' solver in fractions, on the same single-deck question.
"""

from __future__ import annotations

import resource
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from stopwatch import best

from oracle import odds as slow
from upcard import GAME_IDS, tables_for
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import odds
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


def games() -> None:
    """Every wager of every game, as `upcard odds GAME` works them out."""
    for game in GAME_IDS:
        tables = tables_for(game)
        odds(tables)
        seconds = best(partial(odds, tables), 1)
        print(f"  {game:26} {seconds:6.2f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  most memory of the whole run: {memory:.0f} MB")


def main() -> None:
    print("Six decks, dealer stands on soft 17, double after split, four hands, no surrender")
    for mode in ("CDZ-", "CDP"):
        six_decks(mode)
    print("One deck, ten up, no splits: against the tests' solver in fractions")
    against_fractions()
    print("All wagers of a game, warm")
    games()


if __name__ == "__main__":
    main()
