"""How long exact odds of wagers on cards take, and how much faster they are than hand by hand.

Everything is measured in one run, with kernels compiled beforehand. The last column is a ratio
to asking the game's own table for one combination after the other, measured beside it on a
sample and extended to all of them.
"""

from __future__ import annotations

import random
from functools import partial

from stopwatch import best

from upcard import GameTables, tables_for
from upcard.cards import Card
from upcard.compile.observers import MatchObserver, PokerObserver
from upcard.solve.observers import card_wager

SAMPLE = 5_000
WAGERS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("five cards", "twisted-21", "stud-bonus", {"stud_bonus": "five-card"}),
    ("five cards, low", "twisted-21", "stud-bonus", {"stud_bonus": "five-card-low"}),
    ("seven cards", "twisted-21", "stud-bonus", {"stud_bonus": "seven-card"}),
    ("seven cards, low", "twisted-21", "stud-bonus", {"stud_bonus": "seven-card-low"}),
    ("five against five", "twisted-21", "stud-poker", {}),
    ("match", "pure-spanish-21.5", "match", {}),
)


def hand_by_hand(tables: GameTables, wager: str) -> float:
    """Seconds to look at one combination with the observer."""
    observer = tables.observers[wager]
    own, dealer, community = observer.window
    draw = random.Random(21)
    shoe = tables.alphabet.cards * tables.alphabet.decks
    deals = [draw.sample(shoe, own + dealer + community) for _ in range(SAMPLE)]

    def look(cards: list[Card]) -> object:
        if isinstance(observer, PokerObserver):
            return observer.row_of(cards[:own], cards[own:])
        if isinstance(observer, MatchObserver):
            return observer.row_of(cards[:own], cards[own:])
        return observer.result(cards[:own], cards[own:], ())

    return best(lambda: [look(cards) for cards in deals]) / SAMPLE


def main() -> None:
    print("wager                  combinations  seconds  per second  vs hand by hand")
    for name, game, wager, settings in WAGERS:
        tables = tables_for(game, settings)
        odds = card_wager(tables, wager)
        seconds = best(partial(card_wager, tables, wager))
        combinations = sum(row.combinations for row in odds.returns)
        slow = hand_by_hand(tables, wager) * combinations
        print(
            f"{name:18} {combinations:17,}  {seconds:7.4f}  {combinations / seconds:10.1e}"
            f"  {slow / seconds:13,.0f} x"
        )


if __name__ == "__main__":
    main()
