"""Hands whose suits are known, in games with bonuses that go by suits."""

from __future__ import annotations

import pytest

import upcard
from shell import upcard as run
from upcard import Action, tables_for
from upcard.cards import SUITS, Card
from upcard.compile.bonuses import suit_bit, suits_of
from upcard.solve.advice import advise
from upcard.solve.suits import KnownSuits

SPANISH = "spanish-21"


@pytest.mark.parametrize(("ranks", "up"), [("67", "9"), ("77", "7"), ("78", "6")])
def test_values_by_suits_have_the_mean_as_their_mean(ranks: str, up: str) -> None:
    """Over all suits of the hand and of the up card, by their chances."""
    tables = tables_for(SPANISH, {"super_bonus": "true"})
    plain = advise(tables, " ".join(ranks), up, mode="none").actions
    total = dict.fromkeys(plain, 0.0)
    for suits, chance in suits_of((*ranks, up), 6):
        cards = [rank + SUITS[suit] for rank, suit in zip((*ranks, up), suits, strict=True)]
        for action, value in advise(tables, cards[:2], cards[2], mode="none").actions.items():
            total[action] += float(chance) * value
    assert total == pytest.approx(plain, abs=1e-12)


def test_spades_are_worth_more_and_mixed_suits_less() -> None:
    tables = tables_for(SPANISH)
    hits = [
        advise(tables, cards, "9d").actions[Action.HIT] for cards in ("6s 7s", "6h 7h", "6s 7h")
    ]
    assert hits == sorted(hits, reverse=True)
    assert hits[0] > hits[1] > advise(tables, "6 7", "9").actions[Action.HIT] > hits[2]
    stands = [advise(tables, cards, "9d").actions[Action.STAND] for cards in ("6s 7s", "6s 7h")]
    assert stands[0] == stands[1]


def test_cards_that_are_gone_count_with_their_suits() -> None:
    """Without eights of spades no 6-7-8 of spades comes."""
    tables = tables_for(SPANISH)
    spades, hearts = ["8s"] * 6, ["8h"] * 6
    gone = [advise(tables, "6s 7s", "9d", removed=some) for some in (spades, hearts)]
    unsaid = advise(tables, "6s 7s", "9d", removed=["8"] * 6)
    first, second = (one.actions[Action.HIT] for one in gone)
    assert first < unsaid.actions[Action.HIT] < second


def test_a_natural_of_diamonds() -> None:
    tables = tables_for("super-fun-21")
    assert advise(tables, "Ad Kd", "5s").actions[Action.STAND] == 2
    assert advise(tables, "As Kd", "5s").actions[Action.STAND] == 1
    assert advise(tables, "A K", "5s").actions[Action.STAND] == pytest.approx(1 + 1 / 16)


def test_a_hand_of_the_library_knows_which_suits_were_said() -> None:
    game = upcard.game(SPANISH)
    plain = game.hand("6 7", up="9d").advise().actions
    hand = game.hand("6s 7s", up="9d")
    assert hand.advise().actions[Action.HIT] > plain[Action.HIT]
    assert hand.copy().advise().actions == hand.advise().actions
    split = game.hand("6s 6h", up="9d").push("split", card="7s")
    said = split.advise().actions[Action.HIT]
    unsaid = split.pop().push("split", card="7").advise().actions[Action.HIT]
    again = split.pop().push("split", card="7s").advise().actions[Action.HIT]
    assert said == again > unsaid


def test_the_command_says_so() -> None:
    said, unsaid = (
        run("hand", SPANISH, "--cards", cards, "--up", "9d", "--json").data["actions"]["hit"]
        for cards in ("6s 7s", "6 7")
    )
    assert (round(said, 4), round(unsaid, 4)) == (-0.2421, -0.2697)


def test_cards_that_play_alike_have_all_their_suits() -> None:
    """Of sixteen ten-value cards in a deck five are gone, among them all spades."""
    gone = [Card.parse(text) for text in ("Ts", "Js", "Qs", "Ks", "Th")]
    own = [Card.parse("5h"), Card.parse("6h")]
    chances = KnownSuits.of(own, gone).after("TJQK", 1)
    hearts, spades = suit_bit(own[0]), suit_bit(gone[0])
    assert chances[hearts] == pytest.approx(3 / 11)
    assert chances[hearts | spades] == 0
    assert sum(chances.values()) == pytest.approx(1)
    found = advise(tables_for("super-fun-21"), own, Card.parse("9d"), removed=gone)
    assert set(found.actions) >= {Action.HIT, Action.STAND, Action.DOUBLE}
