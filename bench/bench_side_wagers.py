"""Side wagers: 10^8 simulated rounds beside their exact values, and how fast both are.

With the decks of 52 cards of house blackjack, and with those of 48 of Spanish 21. No |z| should
reach 4. A wager whose third card comes by the play alone has no value to be compared with.

    python bench/bench_side_wagers.py [ROUNDS]
"""

from __future__ import annotations

import sys
import time

import upcard
from upcard.rules.side_files import SIDE_IDS
from upcard.solve.observers import card_wager

ROUNDS = 1e8
LIMIT = 4.0
GAMES = ("blackjack", "spanish-21")


def offered(game: str) -> list[str]:
    """The side wagers that a game can offer: some pay by cards that others have taken out."""
    found = []
    for side in SIDE_IDS:
        try:
            upcard.tables_for(game, sides=[side])
        except upcard.UpcardError as error:
            print(f"not at {game}: {error}")
        else:
            found.append(side)
    return found


def compare(name: str, rounds: float) -> list[float]:
    """Print every side wager of a game, and give how far each is off."""
    sides = offered(name)
    game = upcard.game(name, sides=sides)
    began = time.perf_counter()
    exact = {side: card_wager(game.tables, side) for side in sides}
    print(f"{name}: {len(exact)} exact prices in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    found = game.simulate(rounds=rounds, seed=1)
    print(f"{rounds:.0e} rounds in {time.perf_counter() - began:.0f} s")
    print("wager                  exact      simulated  z")
    apart = []
    for side, odds in exact.items():
        result = found.wagers[side]
        z = "none" if result.z is None else f"{result.z:+5.2f}"
        apart += [] if result.z is None else [result.z]
        print(f"{side:20} {100 * odds.ev:+9.4f}% {100 * result.figures.ev:+9.4f}%  {z}")
    return apart


def main() -> None:
    rounds = float(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    found = [z for game in GAMES for z in compare(game, rounds)]
    worst = max(found, key=abs)
    print(f"{len(found)} numbers; the largest |z| is {abs(worst):.2f}")
    if abs(worst) >= LIMIT:
        sys.exit(f"a |z| of {LIMIT:g} or more is hardly chance: one of the two is wrong")


if __name__ == "__main__":
    main()
