"""How long advice for one hand takes, beside the solution of the whole game for that up card.

Every game, with two cards from shoes that are full or dealt down to a third. Kinds are told apart:
hands that are no pair, pairs, hands with a bonus card to keep or trade, and hands of two such
cards, which random shoes deal too seldom to be measured among the others. Both ways are measured in
one run, with kernels compiled and the game known; the whole game for some of the situations.
Times are the processor's, so that other work on the machine counts for little.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import whole_game
from upcard import GAME_IDS, GameTables, tables_for
from upcard.cards import Card
from upcard.compile.alphabet import Symbol
from upcard.errors import UpcardError
from upcard.solve.advice import advise, warm_up
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import lights_aim

SITUATIONS = 300
"""Of each kind."""
WHOLE = 5
"""Of those, also by the whole game."""
SEED = 12
LEAST_LEFT = 1 / 3
KINDS = ("no pair", "pair", "trade", "two bonus cards")


class Situation(NamedTuple):
    hand: list[Card]
    up: Card
    gone: list[Card]


def situations(tables: GameTables, kind: str, dice: np.random.Generator) -> Iterator[Situation]:
    """Random hands of a kind, from random shoes."""
    symbols = tables.alphabet.symbols
    deck = [card for card in tables.alphabet.cards for _ in range(tables.alphabet.decks)]
    for _ in range(100 * SITUATIONS):
        order = [deck[number] for number in dice.permutation(len(deck))]
        if kind == "two bonus cards":
            marked = [card for card in order if symbols[tables.alphabet.symbol(card)].marked]
            for card in marked[:2]:
                order.remove(card)
            order = marked[:2] + order
        one, two = (symbols[tables.alphabet.symbol(card)] for card in order[:2])
        if kind_of(one, two) == kind:
            gone = int(dice.integers(0, int(len(deck) * (1 - LEAST_LEFT))))
            yield Situation(order[:2], order[2], order[3 : 3 + gone])


def kind_of(one: Symbol, two: Symbol) -> str:
    if one.marked and two.marked:
        return "two bonus cards"
    if one.marked or two.marked:
        return "trade"
    return "pair" if one.pair_group == two.pair_group else "no pair"


def measure(tables: GameTables, kind: str) -> None:
    dice = np.random.default_rng(SEED)
    mine: list[float] = []
    whole: list[float] = []
    game = BaseGame(tables)
    warm_up(tables)
    symbol = tables.alphabet.symbol
    for found in situations(tables, kind, dice):
        began = time.process_time()
        try:
            advice = advise(tables, found.hand, found.up, removed=found.gone)
        except UpcardError:  # naturals: there is nothing to decide
            continue
        mine.append(time.process_time() - began)
        if len(whole) < WHOLE:
            held, gone = map(symbol, found.hand), map(symbol, found.gone)
            aim = lights_aim(game, advice.bet)
            began = time.process_time()
            whole_game.values(tables, [*held], symbol(found.up), aim, removed=[*gone])
            whole.append(time.process_time() - began)
        if len(mine) == SITUATIONS:
            break
    if mine:
        median, late, most = np.percentile(mine, (50, 99, 100)) * 1000
        long = np.median(whole) * 1000
        print(
            f"  {tables.id:26} {kind:15} median {median:7.2f} ms, 99 of 100 in {late:7.2f} ms, "
            f"all in {most:7.2f} ms, 1/{long / median:.0f} of the whole game's {long:.0f} ms"
        )


def main() -> None:
    for game in GAME_IDS:
        tables = tables_for(game)
        if not tables.dealer.shown.is_up_card:
            print(f"  {game:26} shows more than an up card, and is not measured")
            continue
        for kind in KINDS:
            measure(tables, kind)


if __name__ == "__main__":
    main()
