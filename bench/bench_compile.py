"""How long games take to load and compile, and how much faster tables are than plain code.

Everything is measured in one run; the last column is a ratio to something slow and obvious
measured beside it.
"""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from stopwatch import best

import oracle
from upcard import GAME_IDS, compile_game, load_game
from upcard.cards import DECK, Card

HANDS = 20_000


def command(*words: str) -> float:
    return best(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL))


FIRST_COMPILE = """
import sys, time
from upcard import compile_game, load_game
rules = load_game(sys.argv[1])
start = time.perf_counter()
compile_game(rules)
print(time.perf_counter() - start)
"""


def first_compile(game_id: str) -> float:
    """Seconds of the first compile in a new process."""
    words = [sys.executable, "-c", FIRST_COMPILE, game_id]
    return float(subprocess.run(words, check=True, capture_output=True).stdout)


def walking(game_id: str) -> tuple[float, float]:
    """Seconds to total random two-card hands: by the automaton, and by the oracle."""
    tables = compile_game(load_game(game_id))
    next_state, symbol = tables.hands.next.tolist(), tables.alphabet.of_card.tolist()
    draw = random.Random(21)
    deck = [card for card in DECK if symbol[card.number] >= 0]
    hands = [draw.sample(deck, 2) for _ in range(HANDS)]
    numbers = [[card.number for card in hand] for hand in hands]
    texts = [[str(card) for card in hand] for hand in hands]
    start = tables.hands.start

    def by_tables() -> int:
        return sum(next_state[next_state[start][symbol[a]]][symbol[b]] for a, b in numbers)

    def by_oracle() -> int:
        return sum(oracle.facts(game_id, {}, hand).bust for hand in texts)

    assert Card.parse(texts[0][0]) == hands[0][0]
    return best(by_tables), best(by_oracle)


def main() -> None:
    print(
        "game                        states  load+check ms  compile ms: first, next  vs plain code"
    )
    for game_id in GAME_IDS:
        loading = best(partial(load_game, game_id))
        rules = load_game(game_id)
        compiling = best(partial(compile_game, rules))
        fast, slow = walking(game_id)
        states = len(compile_game(rules).hands)
        first = first_compile(game_id)
        print(
            f"{game_id:26} {states:7}  {1000 * loading:13.1f}  {1000 * first:17.1f}"
            f"  {1000 * compiling:4.1f}  {slow / fast:11.0f} x"
        )
    bare = command(sys.executable, "-c", "pass")
    games = command(sys.executable, "-m", "upcard", "games")
    print(f"\nupcard games: {games:.3f} s, {games / bare:.1f} times an empty Python ({bare:.3f} s)")


if __name__ == "__main__":
    main()
