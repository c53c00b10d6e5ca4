"""Bonuses by brute force: every order of a tiny deck through the live table, suit by suit.

Unlike the searches of `engine_search`, cards of one rank come one by one here, each with its suit,
for a bonus may go by it. A player who sees ranks only has the solver's best play; one who sees
suits too has what looking at suits adds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from depth import deep
from oracle import engine_search
from upcard import GameTables, tables_for
from upcard.cards import Card
from upcard.compile.bonuses import suit_bit
from upcard.compile.context import Action
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import base_value
from upcard.solve.prizes import prize_chance
from upcard.solve.solution import Aim
from upcard.solve.suits import suits_gain

BET = 1000


def by_engine(tables: GameTables, cards: list[str], *, sees: bool) -> Fraction:
    """The most that can be won on average, never splitting and never insured."""
    table = engine_search.SuitedTable(tables, cards, BET, drops=(Action.SPLIT, Action.INSURE))
    table.sees = sees
    return engine_search.best_play(table)


def with_suits_of(tables: GameTables, cards: list[str]) -> GameTables:
    """The same game where suits are those of a tiny deck, which has not all of them."""
    assert tables.bonuses is not None
    shares = tables.bonuses.shares.copy()
    for ends_as, ranks in tables.bonuses.suited.items():
        hands = [
            hand
            for hand in combinations(map(Card.parse, cards), len(ranks))
            if tuple(sorted(card.rank for card in hand)) == ranks
        ]
        if hands:
            shares[ends_as] = 0
        for hand in hands:
            suits = 0
            for card in hand:
                suits |= suit_bit(card)
            shares[ends_as, tables.bonuses.refined[ends_as, suits]] += 1 / len(hands)
    return replace(tables, bonuses=replace(tables.bonuses, shares=shares))


def by_solver(tables: GameTables, cards: list[str]) -> tuple[BaseGame, float]:
    counts = Counter(tables.alphabet.symbol(Card.parse(card)) for card in cards)
    own = with_suits_of(tables, cards)
    game = BaseGame(own, counts=[counts[symbol] for symbol in range(len(own.alphabet))])
    return game, game.solve(Aim(bet=BET), mode="none").ev


OWN = """
id = "own"
version = 1
name = "Own"
source = "ours"
extends = "super-fun-21"
draft = true
"""


class Case(NamedTuple):
    """A game, what a file of one's own changes of it, its settings and a deck."""

    name: str
    game: str
    cards: str
    settings: dict[str, str]
    own: str = ""


CASES = [
    Case("spanish suits", "spanish-21", "6s 6h 7s 7h 8s 8h Ks", {"insurance": "false"}),
    Case("spanish sevens", "spanish-21", "7s 7s 7h 7h 7d 5s Ks", {"decks": "2"}),
    Case(
        "super bonus",
        "spanish-21",
        "7s 7s 7s 7h 7h 5s Ks",
        {"decks": "3", "super_bonus": "true"},
    ),
    Case("diamonds", "super-fun-21", "Ad As Td Ts Th 9s 9h", {}),
    Case(
        "only where it wins",
        "own",
        "7s 7h 7d 6s 8s 5h Ks",
        {},
        OWN
        + """
[bonuses]
paid = "if-it-wins"
after_double = true
rows = [
    { name = "red sevens", ranks = ["7", "7", "7"], suits = "one-colour", pays = "9:1" },
    { name = "7-7-6", ranks = ["6", "7", "7"], suits = "one-colour", pays = "5:1" },
    { name = "three cards", cards = 3, total = { from = 18 }, pays = "2:1" },
]
""",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_bonuses_are_what_the_table_pays(case: Case, tmp_path: Path) -> None:
    reference = case.game
    if case.own:
        reference = str(tmp_path / "own.toml")
        Path(reference).write_text(case.own)
    settings = {"decks": "1"} | case.settings
    tables = tables_for(reference, settings)
    cards = case.cards.split()
    _, found = by_solver(tables, cards)
    assert found == pytest.approx(float(by_engine(tables, cards, sees=False)), abs=1e-12)


BY_RANKS = [
    Case("five cards", "spanish-21", "4s 4h 4d 4c 4s 5s 5h Ks Kh Kd Kc", {"decks": "2"}),
    Case("six cards", "spanish-21", "3s 3h 3d 3c 3s 6h 6s Ks Kh Kd Kc", {"decks": "2"}),
    Case("redoubled", "spanish-21", "4s 4h 4d 4c 5s 5h 5c Ks Kh Kd", {"redouble": "true"}),
    Case("seven cards", "spanish-21", "2s 2h 2d 2c 2s 2h 9s 9h Ks Kh Kd", {"decks": "2"}),
    Case("paid out", "super-fun-21", "3s 3h 3d 3c 3s 3h 2s 9s 9h Ks Kh", {"decks": "2"}),
]


SLOW = [
    Case("paid out or doubled", "super-fun-21", "3s 3h 3d 3c 2s 2h 2d 9s 9h Ks Kh", {}),
    Case("twos and threes", "super-fun-21", "2s 2h 2d 2c 3s 3h 3d 8s Ks Kh Kd", {}),
]


@pytest.mark.parametrize(
    "case",
    [*BY_RANKS, *(pytest.param(case, marks=deep) for case in SLOW)],
    ids=lambda case: case.name.replace(" ", "-"),
)
def test_bonuses_by_ranks_are_what_the_table_pays(case: Case) -> None:
    tables = tables_for(case.game, case.settings)
    cards = case.cards.split()
    _, found = by_solver(tables, cards)
    searched = engine_search.search(tables, cards, BET)
    assert found == pytest.approx(float(searched), abs=1e-12)


def test_a_prize_is_priced_as_the_table_pays_it() -> None:
    """SP-SB: what play is worth that goes for the prize, and the prize alone."""
    tables = tables_for("spanish-21", {"decks": "3", "super_bonus": "true"})
    cards = ["7s", "7s", "7s", "7h", "7h", "5s", "Ks"]
    game, whole = by_solver(tables, cards)
    solution = game.solve(Aim(bet=BET), mode="none")
    chance = prize_chance(game, solution, game.tables.prizes[0])
    # A 7 up, three of spades (one way of ten to choose three sevens), and the hand is hit.
    ways = Fraction(5, 7) * Fraction(4, 6) * Fraction(3, 5) * Fraction(2, 4)
    spades = Fraction(1, 10)
    assert chance == pytest.approx(float(ways * spades), abs=1e-12)
    assert whole == pytest.approx(base_value(game, solution) + 100 * chance, abs=1e-12)


SUITED = (
    OWN
    + """
[bonuses]
rows = [
    { name = "one colour", ranks = ["8", "8", "5"], suits = "one-colour", pays = "9:1" },
    { name = "8-8-5", ranks = ["8", "8", "5"], pays = "3:2" },
]
"""
)


PRIZE = """
[prizes.fifty]
name = "Fifty"
hands = ["one colour"]
up = ["5", "8"]
sums = [{ from = 1000, pays = 2000 }]
"""


@deep
@pytest.mark.parametrize("prize", ["", PRIZE])
def test_what_looking_at_suits_adds(tmp_path: Path, prize: str) -> None:
    """A deck with all suits of the ranks that a bonus names."""
    file = tmp_path / "own.toml"
    file.write_text(SUITED + prize)
    tables = tables_for(str(file))
    cards = [*("8s", "8h", "8d", "8c"), *("5s", "5h", "5d", "5c"), "Ks"]
    game, blind = by_solver(tables, cards)
    assert blind == pytest.approx(float(by_engine(tables, cards, sees=False)), abs=1e-12)
    gained = suits_gain(game, game.solve(Aim(bet=BET), mode="none"))
    assert gained > 0
    assert blind + gained == pytest.approx(float(by_engine(tables, cards, sees=True)), abs=1e-12)
