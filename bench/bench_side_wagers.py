"""Side wagers: 10^8 simulated rounds beside their exact values, and how fast both are."""

from __future__ import annotations

import time

import upcard
from upcard.rules.side_files import SIDE_IDS
from upcard.solve.observers import card_wager

ROUNDS = 1e8


def main() -> None:
    game = upcard.game("blackjack", sides=list(SIDE_IDS))
    began = time.perf_counter()
    exact = {side: card_wager(game.tables, side) for side in SIDE_IDS}
    print(f"{len(exact)} exact prices in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    found = game.simulate(rounds=ROUNDS, seed=1)
    print(f"{ROUNDS:.0e} rounds in {time.perf_counter() - began:.0f} s")
    print("wager                  exact      simulated  z")
    for side, odds in exact.items():
        result = found.wagers[side]
        z = result.z or 0.0
        print(f"{side:20} {100 * odds.ev:+9.4f}% {100 * result.figures.ev:+9.4f}%  {z:+5.2f}")


if __name__ == "__main__":
    main()
