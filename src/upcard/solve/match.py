"""Exact odds of wagers on cards that match the dealer's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from math import comb

from upcard.cards import Card
from upcard.compile.alphabet import Alphabet
from upcard.compile.observers import MatchObserver
from upcard.compile.pay_rows import LOSES, NO_ROW
from upcard.errors import UpcardError
from upcard.solve.result import Counted

SUITED, UNSUITED, OTHER = range(3)


def match_shoe(alphabet: Alphabet) -> Mapping[Card, int]:
    """How often each card is in a game's full shoe."""
    return dict.fromkeys(alphabet.cards, alphabet.decks)


def match_rows(observer: MatchObserver, shoe: Mapping[Card, int]) -> tuple[Counted, ...]:
    """The rows of the pay table and what loses, in combinations given the up card.

    A combination is a set of the player's cards, and the dealer's down card if that counts. Where
    up cards differ in their combinations, those of every card of the shoe are added up.
    """
    by_up = {up: _given_up_card(observer, shoe, up) for up, copies in shoe.items() if copies}
    found = next(iter(by_up.values()), Counter())
    if any(other != found for other in by_up.values()):
        found = Counter()
        for up, combinations in by_up.items():
            for row, number in combinations.items():
                found[row] += shoe[up] * number
    paid = [Counted(*pay, found[row]) for row, pay in enumerate(observer.rows)]
    return (*paid, Counted("loses", LOSES, "", found[NO_ROW]))


def _given_up_card(observer: MatchObserver, shoe: Mapping[Card, int], up: Card) -> Counter[int]:
    """Combinations by row."""
    rest = Counter(shoe)
    rest[up] -= 1
    if observer.window.dealer == 1:
        return _given_dealer(observer, rest, (up,))
    if observer.window.dealer != 2:
        raise UpcardError(
            "odds of a match are worked out for one or two cards of the dealer, "
            f"not for {observer.window.dealer}"
        )
    found: Counter[int] = Counter()
    for down, copies in rest.items():
        if copies:
            left = rest - Counter([down])
            for row, number in _given_dealer(observer, left, (up, down)).items():
                found[row] += copies * number
    return found


def _given_dealer(
    observer: MatchObserver, rest: Counter[Card], dealer: tuple[Card, ...]
) -> Counter[int]:
    """Sets of the player's cards by row, from what the dealer's cards leave of the shoe."""
    cards: Counter[int] = Counter()
    for card, copies in rest.items():
        cards[_match(card, dealer)] += copies
    found: Counter[int] = Counter()
    held = observer.window.player
    for suited, unsuited in product(range(held + 1), repeat=2):
        if suited + unsuited <= held:
            ways = comb(cards[SUITED], suited) * comb(cards[UNSUITED], unsuited)
            ways *= comb(cards[OTHER], held - suited - unsuited)
            found[int(observer.row[suited, unsuited])] += ways
    return found


def _match(card: Card, dealer: tuple[Card, ...]) -> int:
    """A card's best match among the dealer's."""
    if card in dealer:
        return SUITED
    return UNSUITED if any(other.rank == card.rank for other in dealer) else OTHER
