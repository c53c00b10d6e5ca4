"""Splits by suits against the array machine, which deals a pair of stated suits and plays by ranks.

Two pairs are dealt the same ranks in the same order. They differ only where suits are paid, so a
few million rounds tell as much of that as billions would of each pair alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from conftest import compiled
from upcard import Action
from upcard.cards import Card
from upcard.round.setup import TableSetup
from upcard.solve import rounds as machine_rounds
from upcard.solve.advice import advise
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import lights_aim
from upcard.solve.split_suits import TwoCards

GAME = "spanish-21"
BET = 500
ROUNDS = 4_000_000
MOST_ERRORS = 4
"""Standard errors between the machine and the exact value."""
_AT_ONCE = 4000


class OnTop:
    """A shuffle that leaves some cards where they are taken first from those of their rank."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.numbers = [card.number for card in cards]

    def permutation(self, numbers: Sequence[int]) -> npt.NDArray[np.int64]:
        """All others, then these: the first one is the last."""
        others = [*numbers]
        for number in self.numbers:
            others.remove(number)
        return np.array([*others, *reversed(self.numbers)])


def _by_ranks(hands: TwoCards, *_: object) -> npt.NDArray[np.int64]:
    """The action that is worth what the play by ranks is."""
    plain = hands.followed.value[hands.second.node, 0]
    return np.asarray(np.abs(hands.worth - plain).argmin(axis=0))


@pytest.mark.parametrize(
    ("decks", "max_hands", "pairs"),
    [("1", "2", ("7s 7h", "7h 7c")), ("6", "4", ("8s 8s", "8h 8c"))],
    ids=["one deck", "six decks, split again"],
)
def test_suits_of_a_split(
    decks: str, max_hands: str, pairs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = compiled(GAME, decks=decks, max_hands=max_hands)
    game, up = BaseGame(tables), Card("5d")
    symbol = tables.alphabet.symbol
    monkeypatch.setattr(TwoCards, "choice", _by_ranks)
    monkeypatch.setattr(machine_rounds, "SPLIT_ROUNDS", ROUNDS)
    monkeypatch.setattr(machine_rounds, "_SUITS_DRAWN", ROUNDS // _AT_ONCE)
    own_shoe = TableSetup.shoe_of
    won, exact = [], []
    for pair in pairs:
        cards = [*map(Card.parse, pair.split())]

        def shoe_of(table: TableSetup, symbols: Any, _: Any = None, top: Any = (*cards, up)) -> Any:
            return own_shoe(table, symbols, OnTop(top))  # type: ignore[arg-type]

        monkeypatch.setattr(TableSetup, "shoe_of", shoe_of)
        solved = game.solve_up(symbol(up), lights_aim(game, BET), "CDP")
        split = solved.splits[game.graph.find(*map(symbol, cards))]
        won.append(machine_rounds.SplitRounds(game, BET).sample(split, 1.0).results)
        exact.append(advise(tables, cards, up, checked=True).actions[Action.SPLIT])
    apart = won[0] - won[1]
    error = float(apart.std()) / len(apart) ** 0.5
    assert error < 0.1 * abs(exact[0] - exact[1])
    assert float(apart.mean()) == pytest.approx(exact[0] - exact[1], abs=MOST_ERRORS * error)
    for own, worth in zip(won, exact, strict=True):
        error = float(own.std()) / len(own) ** 0.5
        assert float(own.mean()) == pytest.approx(worth, abs=MOST_ERRORS * error)
