"""Every wager of every game, simulated beside its exact value.

All versions of the pay tables, with basic play (the chart), optimal play (by the cards of a hand)
and the dealer's own rule. For each wager the exact value, the simulated one, its standard error,
and how many of those they are apart (z). No |z| should reach 4. The values of split hands are for
the very play that is dealt out (mode CDZ-), so there is nothing to allow for.

    python bench/bench_trials.py [ROUNDS]
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator

from upcard import GAME_IDS
from upcard.simulate.run import Goal, Threads, run
from upcard.trial.trials import Request, Result, prepare

ROUNDS = 10**8
LIMIT = 4.0
STUD = ("five-card", "five-card-low", "seven-card", "seven-card-low")
POLICIES = ("basic", "optimal", "mimic")


def requests() -> Iterator[Request]:
    """Games with all versions of their wagers, and every policy that has exact values."""
    for game in GAME_IDS:
        for policy in POLICIES:
            if game == "twisted-21":
                versions = STUD if policy == "basic" else STUD[:1]
                for version in versions:
                    yield Request(game=game, policy=policy, settings={"stud_bonus": version})
            elif game == "games-of-chance-blackjack":
                for bet in (200, 400):
                    yield Request(game=game, policy=policy, bet=bet)
            else:
                yield Request(game=game, policy=policy)
    # Six decks, stand on soft 17, double after split: a deviation of 1.154 is well known.
    yield Request(game="blackjack", settings={"surrender": "none"})
    yield Request(game="pure-spanish-21.5", seats=3)


def name_of(request: Request) -> str:
    chosen = "".join(f" {name}={value}" for name, value in request.settings.items())
    bet = f" at {request.bet}" if request.bet else ""
    seats = f" {request.seats} seats" if request.seats > 1 else ""
    return f"{request.game}{bet}{chosen}{seats}, {request.policy}"


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROUNDS
    cores = os.cpu_count() or 1
    print(f"{rounds:,} rounds of each on {cores} threads")
    print(f"  {'wager':20}{'exact':>13}{'simulated':>13}{'error':>11}{'z':>7}{'sd':>9}")
    found = []
    began = time.perf_counter()
    for request in requests():
        trial = prepare(request)
        with Threads([trial.job], cores) as workers:
            outcome = run([trial.job], Goal(rounds), workers)[0]
        result = Result(trial, outcome)
        speed = outcome.rounds / outcome.seconds
        print(f"{name_of(request)}  ({speed:,.0f} rounds a second)", flush=True)
        for wager, one in result.wagers.items():
            if one.exact is None or one.z is None:
                continue
            figures = one.figures
            found.append(one.z)
            print(
                f"  {wager:20}{one.exact.ev:>13.7f}{figures.ev:>13.7f}{figures.stderr:>11.7f}"
                f"{one.z:>7.2f}{figures.sd:>9.4f}"
            )
    seconds = time.perf_counter() - began
    worst = max(found, key=abs)
    spread = math.sqrt(sum(z * z for z in found) / len(found))
    print(
        f"{len(found)} numbers in {seconds:,.0f} s; the largest |z| is {abs(worst):.2f}, "
        f"their spread {spread:.2f}"
    )
    if abs(worst) >= LIMIT:
        sys.exit(f"a |z| of {LIMIT:g} or more is hardly chance: one of the two is wrong")


if __name__ == "__main__":
    main()
