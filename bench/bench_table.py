"""A million random rounds at live tables, and how fast they go.

Random people, wagers, decisions and mistakes in all games; after every round each cent and
each card must be where it belongs. The rate stands beside that of the tests' oracle, plain code
for the same rules, which plays single rounds without events, records or checks.

    python bench/bench_table.py [ROUNDS]
"""

from __future__ import annotations

import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from random_rounds import RandomTable, Tally

from oracle.rounds import play_round, random_choice, random_situation
from upcard import GAME_IDS, tables_for

ROUNDS = 1_000_000
BATCH = 5_000
ORACLE_ROUNDS = 300

SETTINGS: dict[str, tuple[dict[str, str], ...]] = {
    "blackjack": (
        {},
        {"decks": "1", "penetration": "1.0", "positions": "9", "resplit_aces": "true"},
        {"peek": "none", "surrender": "early", "double_for_less": "true", "chip": "50"},
    ),
    "ten-sticks-21": ({}, {"trade": "false", "decks": "1"}, {"players_card": "true"}),
    "pure-spanish-21.5": (
        {},
        {"fee_schedule": "46", "fee_resolution": "lower-fee", "double_double": "false"},
        {"fee_schedule": "42", "fee_resolution": "higher-fee", "bank_cover": "each-way"},
    ),
    "games-of-chance-blackjack": ({}, {"surrender": "early", "peek": "ace-or-ten"}),
    "twisted-21": ({}, {"stud_bonus": "seven-card", "positions": "9"}),
    "blackjack-tie": ({}, {"surrender": "none", "double_after_split": "false"}),
}


def batch(number: int) -> tuple[Tally, float]:
    """One table's rounds; which game and settings depends on the number alone."""
    game = GAME_IDS[number % len(GAME_IDS)]
    options = SETTINGS[game][number // len(GAME_IDS) % len(SETTINGS[game])]
    table = RandomTable(tables_for(game, options), f"bench/{number}")
    start = time.perf_counter()
    while table.tally.rounds[game] < BATCH:
        table.play(min(500, BATCH - table.tally.rounds[game]))
    return table.tally, time.perf_counter() - start


def oracle_rate(game: str) -> float:
    """Rounds a second of the plain code."""
    rng = random.Random(game)
    situations = [random_situation(rng, game) for _ in range(ORACLE_ROUNDS)]
    start = time.perf_counter()
    for situation in situations:
        play_round(situation, random_choice(rng))
    return ORACLE_ROUNDS / (time.perf_counter() - start)


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROUNDS
    batches = max(len(GAME_IDS), -(-rounds // BATCH))
    cores = os.cpu_count() or 1
    print(f"{batches * BATCH:,} random rounds over {len(GAME_IDS)} games on {cores} cores")
    total = Tally()
    seconds = dict.fromkeys(GAME_IDS, 0.0)
    start = time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        waiting = [pool.submit(batch, number) for number in range(batches)]
        for done, future in enumerate(as_completed(waiting), 1):
            tally, spent = future.result()
            total += tally
            seconds[next(iter(tally.rounds))] += spent
            if done % 20 == 0:
                rate = done * BATCH / (time.perf_counter() - start)
                print(f"  {done * BATCH:>9,} rounds, {rate:,.0f} a second", flush=True)
    took = time.perf_counter() - start
    print(f"{'game':28}{'rounds':>10}{'rounds/s and core':>20}{'against plain code':>20}")
    for game in GAME_IDS:
        rate = total.rounds[game] / seconds[game]
        ratio = rate / oracle_rate(game)
        print(f"{game:28}{total.rounds[game]:>10,}{rate:>20,.0f}{ratio:>19.2f}x")
    played = total.rounds.total()
    print(
        f"{played:,} rounds, {total.events:,} events, {total.commands:,} commands "
        f"({total.refused.total():,} refused, each with its reason), {total.voided:,} voided for "
        f"want of cards; no exception, no cent and no card lost; {took:,.0f} s, "
        f"{played / took:,.0f} rounds a second"
    )


if __name__ == "__main__":
    main()
