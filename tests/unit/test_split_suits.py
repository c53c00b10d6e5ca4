"""Splits of which the suits are known, in games with bonuses that go by suits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest

import upcard
from conftest import compiled
from oracle.exact_play import Exact, full_deck
from oracle.split_play import SplitPlay
from upcard import Action
from upcard.cards import SUITS, Card
from upcard.compile.bonuses import suits_of
from upcard.solve.advice import advise
from upcard.solve.solution import Ints
from upcard.solve.split import (
    JUST_SPLIT,
    BoxStart,
    Mode,
    Resplits,
    Stock,
    all_resplits,
    sequence_chance,
    split_weights,
)
from upcard.solve.split_suits import TwoCards

SPANISH = "spanish-21"


def _as_wanted(choice: Resplits) -> Callable[[int, int], bool]:
    """Whether a pair is split again, by the place of the hand and the number of hands."""
    return lambda hand, hands: (choice.others if hand else choice.first)[hands - 2]


class Small(NamedTuple):
    """A small deck of a game, a pair and an up card of it."""

    game: str
    deck: str
    pair: str
    up: str
    most_hands: int
    mode: Mode = "CDP+"
    decks: int = 2

    @property
    def settings(self) -> dict[str, str]:
        """For whole decks, of which the small one is a part; of Pontoon three hands are fixed."""
        if self.game != SPANISH:
            return {"decks": str(self.decks)}
        return {"decks": str(self.decks), "max_hands": str(self.most_hands), "surrender": "none"}

    @property
    def gone(self) -> list[str]:
        """What the small deck lacks."""
        gone = Counter(full_deck(self.game, self.decks))
        gone.subtract(self.deck.split())
        assert min(gone.values()) >= 0
        return [*gone.elements()]

    def worth(self, deck: Sequence[str], firsts: Sequence[str], over: int = 0) -> float:
        """What hands that wait are worth, by every order and the best way to split again."""
        known: dict[str, object] = {"decks": self.decks}
        if self.game == SPANISH:
            known |= {"max_hands": self.most_hands, "surrender": "none"}
        game = Exact(self.game, known, deck, merge=False)
        as_unsplit = self.mode == "CDZ-"
        box = SplitPlay(game, firsts, self.up, self.most_hands, over=over, as_unsplit=as_unsplit)
        each = (box.worth(_as_wanted(choice)) for choice in all_resplits(self.most_hands))
        return float(max(each))


SPADES = "7s 7s 6s 6h 8s 8d 8s Ks Kd Qs 9d 5s"
MIXED = "7h 7c 7s 6s 6c 7d 8s 8c Qd 9h Kh 9c"
SIXES = "6h 6d 5s 8h 7d 7h 8d 8s Kd 9h 4s Qs"
SMALL = {
    "sevens of spades": Small(SPANISH, SPADES, "7s 7s", "5s", 2),
    "sevens of spades, own best play": Small(SPANISH, SPADES, "7s 7s", "5s", 2, "CDP"),
    "sevens of spades as without a split": Small(SPANISH, SPADES, "7s 7s", "5s", 2, "CDZ-"),
    "sevens": Small(SPANISH, MIXED, "7h 7c", "9c", 3),
    "sevens the other way round": Small(SPANISH, MIXED, "7c 7h", "9c", 3),
    "sixes": Small(SPANISH, SIXES, "6h 6d", "5s", 2),
    "sevens of which many come": Small(
        SPANISH, "7s 7h 7s 7h 7s 7s 7d 6s 8s Kd 9h 9c", "7s 7h", "9c", 3, decks=4
    ),
    "eights of which more come": Small(
        SPANISH, "8s 8h 8s 8d 6s 6h 7s 7d Ks Kd 9h 6c", "8s 8h", "6c", 3
    ),
    "the same as without a split": Small(
        SPANISH, "8s 8h 8s 8d 6s 6h 7s 7d Ks Kd 9h 6c", "8s 8h", "6c", 3, "CDZ-"
    ),
    "no hole card": Small("pontoon", "6s 6d 8s 8d 7s 7d 7h 8h Ks 9h 5c 5s", "6s 6d", "5s", 3),
}


@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_splits_are_worth_what_every_order_comes_to(case: Small) -> None:
    tables = compiled(case.game, **case.settings)
    removed = [*map(Card.parse, case.gone)]
    found = advise(tables, case.pair, case.up, removed=removed, mode=case.mode)
    expected = case.worth(case.deck.split(), case.pair.split())
    assert found.actions[Action.SPLIT] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("first", ["6s", "6h"])
def test_suits_of_hands_that_wait(first: str) -> None:
    """One more split takes a place from them, and pays by their suits too."""
    case = Small(SPANISH, "6s 6h 6d 9h 8s 8d 7s 7h Ks 9d 5c 5s", "", "5s", 3)
    game = upcard.game(SPANISH, **case.settings)
    waits = "6h" if first == "6s" else "6s"
    hand = game.hand(f"{first} {waits}", up=case.up, seen=case.gone).push("split", card="6d")
    deck = case.deck.split()
    without = [card for card in deck if card not in (first, "6d")]
    expected = case.worth(deck, [first, "6d", waits]) - case.worth(without, [waits], over=1)
    found = hand.advise(split_mode="CDP+").actions[Action.SPLIT]
    assert found == pytest.approx(expected, abs=1e-12)


def test_suits_of_the_last_hand() -> None:
    """The first hand is over: its cards are gone, and nobody waits."""
    case = Small(SPANISH, "6s 6h 6d Kh 9h 8s 8d 7s 7h Ks 9d 5c 5s", "", "5s", 3)
    game = upcard.game(SPANISH, **case.settings)
    hand = game.hand("6h 6s", up=case.up, seen=case.gone).push("split", card="Kh").push("stand")
    hand.deal("6d")
    left = [card for card in case.deck.split() if card not in ("6h", "Kh")]
    found = hand.advise(split_mode="CDP+").actions[Action.SPLIT]
    assert found == pytest.approx(case.worth(left, ["6s", "6d"], over=1), abs=1e-12)


def _by_ranks(hands: TwoCards, *_: object) -> Ints:
    """The action that is worth what the play by ranks is."""
    plain = hands.followed.value[hands.second.node, 0]
    return np.asarray(np.abs(hands.worth - plain).argmin(axis=0))


PAIRS = [("77", "5"), ("66", "7"), ("88", "6"), ("77", "7")]


@pytest.mark.parametrize("mode", ["CDP", "CDP+", "CDZ-"])
@pytest.mark.parametrize(("ranks", "up"), PAIRS)
def test_splits_by_suits_have_the_mean_as_their_mean(
    ranks: str, up: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over all suits of the pair and of the up card, by their chances, if nobody looks at them.

    To look gains something, though no mode promises it: hands look at little of what is known.
    """
    tables = compiled(SPANISH, decks="1")

    def mean() -> float:
        total = 0.0
        for suits, chance in suits_of((*ranks, up), 1):
            cards = [rank + SUITS[suit] for rank, suit in zip((*ranks, up), suits, strict=True)]
            found = advise(tables, cards[:2], cards[2], mode=mode)
            total += float(chance) * found.actions[Action.SPLIT]
        return total

    plain = advise(tables, " ".join(ranks), up, mode=mode).actions[Action.SPLIT]
    assert mean() >= plain - 1e-12
    monkeypatch.setattr(TwoCards, "choice", _by_ranks)
    assert mean() == pytest.approx(plain, abs=1e-12)


def test_a_look_at_suits_gains_something() -> None:
    """An 8 and a 6 or a 7 stands against a 6, unless a 6-7-8 may pay for suits."""
    tables = compiled(SPANISH)
    plain = advise(tables, "8 8", "6").actions[Action.SPLIT]
    spades, mixed = (advise(tables, cards, "6d").actions[Action.SPLIT] for cards in _EIGHTS)
    assert spades > mixed > plain


_EIGHTS = ("8s 8s", "8h 8c")


def test_other_games_have_nothing_to_look_at() -> None:
    """No hand of a split is a natural, nor do other ranks come to a named hand."""
    natural = compiled("super-fun-21")
    assert advise(natural, "Ad Ah", "5s").actions == advise(natural, "A A", "5").actions
    spanish = compiled(SPANISH)
    assert advise(spanish, "9s 9s", "5s").actions == advise(spanish, "9 9", "5").actions
    unpaid = compiled(SPANISH, bonus_after_split="false")
    split = [advise(unpaid, cards, "5s").actions[Action.SPLIT] for cards in ("7s 7s", "7 7")]
    assert split[0] == split[1]


@pytest.mark.parametrize("most_hands", [2, 3, 4])
def test_weights_by_hand_are_those_of_all_hands(most_hands: int) -> None:
    chance = sequence_chance(Stock(20, False), Stock(0, False), 280, 0, step=1.0)
    starts = [JUST_SPLIT, *(BoxStart(n, most_hands) for n in range(most_hands))]
    for start in starts:
        found = split_weights(most_hands, chance, consistent=True, start=start, by_hand=True)
        assert found.hands is not None
        first, others = found.hands[:, 0], found.hands[:, 1:].sum(axis=1)
        if start.hand:
            first, others = np.zeros_like(first), first + others
        assert found.weights == pytest.approx(np.stack([first, others], axis=1), abs=1e-15)
