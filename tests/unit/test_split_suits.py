"""Splits of which the suits are known, in games with bonuses that go by suits."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from oracle.exact_play import Exact, full_deck
from oracle.split_play import SplitPlay
from upcard import Action, tables_for
from upcard.cards import Card
from upcard.solve.advice import advise
from upcard.solve.split import all_resplits


class Small(NamedTuple):
    """A small deck of a game, a pair and an up card of it."""

    game: str
    deck: str
    pair: str
    up: str
    most_hands: int


SMALL = {
    "sevens of spades": Small("spanish-21", "7s 7s 6s 6h 8s 8d 8s Ks Kd Qs 9d 5s", "7s 7s", "5s", 2),
    "sevens": Small("spanish-21", "7s 7h 7s 7h 6s 6h 8s 8d 8s Ks Kd 5s", "7h 7s", "5s", 3),
    "eights": Small("spanish-21", "8s 8h 8s 8d 6s 6h 7s 7d Ks Kd 9h 6c", "8s 8h", "6c", 4),
}


@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_splits_are_worth_what_every_order_comes_to(case: Small) -> None:
    settings = {"max_hands": str(case.most_hands), "decks": "2", "surrender": "none"}
    tables = tables_for(case.game, settings)
    deck = case.deck.split()
    gone = Counter(full_deck(case.game, 2))
    gone.subtract(deck)
    assert min(gone.values()) >= 0
    removed = [Card.parse(card) for card in gone.elements()]
    advice = advise(tables, case.pair, case.up, removed=removed, mode="CDP+")
    known = {"max_hands": case.most_hands, "decks": 2, "surrender": "none"}
    one, two = case.pair.split()
    play = SplitPlay(Exact(case.game, known, deck, merge=False), (one, two), case.up, case.most_hands)
    expected = max(
        play.worth(lambda hand, hands, c=choice: (c.others if hand else c.first)[hands - 2])
        for choice in all_resplits(case.most_hands)
    )
    print(float(expected), advice.actions[Action.SPLIT])
    assert advice.actions[Action.SPLIT] == pytest.approx(float(expected), abs=1e-12)
