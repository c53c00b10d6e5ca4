"""Perft: how many lines of play of one hand there are with N decisions.

A line starts with two cards and an up card, each named by its symbol, and follows one hand;
after a split, the hand that stays first. Every decision counts, with the card that it brings.
The counts stand in small text files, one per game. The tables are counted by dynamic
programming to the full depth, the oracle by plain enumeration as deep as it can go: a level deeper
against some up cards than against all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from conftest import compiled
from lines import DRAWING, ENDING, FastHand, SlowHand
from upcard import GAME_IDS, GameTables
from upcard.cards import DECK, Card
from upcard.compile.context import Action

FOLDER = Path(__file__).parent
ORACLE_DEPTH = 2
DEEPER, SOME_UPS = 3, ("As", "Ks", "6s")
"""What dealers check for, and what they show when players double and split most."""


def golden(game: str) -> dict[int, int]:
    lines = (FOLDER / f"{game}.perft").read_text().splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {int(depth): int(count) for depth, count in rows}


def one_card_per_symbol(tables: GameTables) -> list[str]:
    first: dict[int, str] = {}
    for card in DECK:
        symbol = tables.alphabet.symbol(card)
        if symbol >= 0:
            first.setdefault(symbol, str(card))
    return [first[symbol] for symbol in range(len(tables.alphabet))]


def count_by_tables(tables: GameTables, depth: int, ups: Iterable[int] | None = None) -> int:
    hands, contexts, legal = tables.hands, tables.contexts, tables.legal
    symbols = range(len(tables.alphabet))
    aces = [symbol.is_ace for symbol in tables.alphabet.symbols]

    @cache
    def lines(state: int, context: int, up: int, left: int) -> int:
        if left == 0:
            return 1
        return sum(
            after(action, state, context, up, left - 1)
            for action in Action
            if int(legal.mask[state, context, up]) & action.bit
        )

    def after(action: Action, state: int, context: int, up: int, left: int) -> int:
        if action.text in ENDING:
            return int(left == 0)
        if action is Action.KEEP:
            return lines(int(hands.keep[state]), context, up, left)
        if tables.effects.splits[action]:
            context = int(contexts.after_split[context, int(aces[hands.pair_symbol[state]])])
            state = int(hands.split_to[state])
        else:
            context = int(contexts.next[context, action])
            state = int(tables.effects.leads[action, state])
        coming = [int(hands.next[state, s]) for s in symbols]
        if action is Action.REPLACE:  # two cards come
            coming = [int(hands.next[one, s]) for one in coming for s in symbols]
        return sum(lines(new, context, up, left) for new in coming)

    turn = contexts.index()
    return sum(
        lines(hands.after(first, second), turn, up, depth)
        for first in symbols
        for second in symbols
        for up in (symbols if ups is None else ups)
    )


def count_by_oracle(game: str, cards: list[str], depth: int, ups: Iterable[str]) -> int:
    def lines(hand: SlowHand, up: str, left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for action in hand.legal(up):
            if action in DRAWING and left == 1:
                # Whichever card comes last, no more is asked of the hand.
                total += len(cards) ** (2 if action == "replace" else 1)
            elif action == "replace":
                firsts = [hand.act(action).dealt(card) for card in cards]
                total += sum(
                    lines(one.dealt(card), up, left - 1) for one in firsts for card in cards
                )
            elif action in DRAWING:
                moved = hand.act(action)
                total += sum(lines(moved.dealt(card), up, left - 1) for card in cards)
            elif action in ENDING:
                total += left == 1
            else:
                total += lines(hand.act(action), up, left - 1)
        return total

    fresh = SlowHand(game, {})
    return sum(
        lines(fresh.dealt(first).dealt(second), up, depth)
        for first in cards
        for second in cards
        for up in ups
    )


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_tables_have_as_many_lines_as_the_file_says(game: str) -> None:
    expected = golden(game)
    assert {depth: count_by_tables(compiled(game), depth) for depth in expected} == expected


@pytest.mark.parametrize("game", GAME_IDS)
def test_plain_enumeration_by_the_oracle_agrees(game: str) -> None:
    expected, tables = golden(game), compiled(game)
    cards = one_card_per_symbol(tables)
    for depth in range(ORACLE_DEPTH + 1):
        assert count_by_oracle(game, cards, depth, cards) == expected[depth]
    ups = [tables.alphabet.symbol(Card.parse(card)) for card in SOME_UPS]
    deeper = count_by_oracle(game, cards, DEEPER, SOME_UPS)
    assert deeper == count_by_tables(tables, DEEPER, ups)


def test_every_game_has_a_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.perft")} == set(GAME_IDS)


def test_a_walk_through_both_models_stays_together() -> None:
    tables = compiled("pure-spanish-21.5")
    slow, fast = SlowHand("pure-spanish-21.5", {}), FastHand.fresh(tables)
    for card in ("8s", "8h"):
        slow, fast = slow.dealt(card), fast.dealt(card)
    slow, fast = slow.act("split").dealt("3c"), fast.act("split").dealt("3c")
    slow, fast = slow.act("double").dealt("2d"), fast.act("double").dealt("2d")
    assert fast.origin == "split"
    assert slow.legal("9s") == fast.legal("9s") == {"stand", "redouble", "rescue"}
