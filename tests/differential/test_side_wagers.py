"""Side wagers: solver, simulator and live table against each other and against the clauses.

The oracle (`tests/oracle/side_wagers.py`) knows the clauses alone. Every card set is asked: a few
first cards, three in order, the dealer's second card, the dealer's final hand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import chance
from conftest import compiled
from differential.simulator_rounds import Cards, Setup, compare
from oracle import side_wagers as oracle
from upcard import GAME_IDS, GameTables, tables_for
from upcard.cards import DECK, Card
from upcard.compile.card_observer import CardObserver
from upcard.rules.side_files import SIDE_IDS, find_side
from upcard.solve.observers import card_wager

TABLES = [(side, table) for side in SIDE_IDS for table in find_side(side).side.tables]
OF_DEALER = ("buster", "dealer-bust", "bust-it", "push-22")
MIXES = (
    ("21+3", "perfect-pairs", "super-sevens", "lucky-ladies", "buster=natural-bonus"),
    ("royal-match=crown-treasure", "super-sevens=no-guarantee", "push-22=50-20-8", "bust-it"),
    ("lucky-lucky", "kings-bounty", "in-between", "dealer-bust", "sweet-sixteen", "blazing-7s"),
)
MORE = {
    "blackjack": ({}, {"peek": "none"}, {"soft17": "hit", "surrender": "early"}),
    "twisted-21": ({}, {"dealer_natural": "any"}),
}
SEED = 11


# ------------------------------------------------------------------ simulator and live table


def setups(game: str) -> Iterator[Setup]:
    """Tables with side wagers, all of them staked."""
    for number, (mix, more) in enumerate(product(MIXES, MORE.get(game, ({},)))):
        if more.get("dealer_natural") == "any":
            mix = tuple(s for s in mix if s.split("=")[0] not in NEEDS_SECOND)
        wagers = tuple((side.split("=")[0], 100) for side in mix)
        bet = 500
        if game == "games-of-chance-blackjack":
            bet, wagers = 400, tuple((side, 400) for side, _ in wagers)
        if game == "pure-spanish-21.5":
            bet, wagers = 300, tuple((side, 300) for side, _ in wagers)
        settings = (("sides", ",".join(mix)), *more.items())
        yield Setup(game, bet, wagers, settings, seats=2 + number % 3)


NEEDS_SECOND = ("lucky-ladies", "kings-bounty", "royal-match")


@pytest.mark.chance
@pytest.mark.parametrize("cards", ["stacked", "cut"])
@pytest.mark.parametrize("game", GAME_IDS)
def test_the_simulator_settles_side_wagers_as_the_live_table(game: str, cards: Cards) -> None:
    """SW-1, SW-2, SW-4, SW-8, SW-9, S7-3, S7-4: card by card, wager by wager."""
    seated = [replace(setup, cards=cards) for setup in setups(game)]
    report = compare(seated, 40, SEED)
    assert not report.differences, "\n".join(report.differences[:12])
    assert report.counts["rounds"] > 30 * len(seated)
