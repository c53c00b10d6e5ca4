"""Cards as people type them: `10s`, `A♠`, `Ts6d`, `t 6`, with or without suits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from upcard.cards import RANKS, SUITS, Card
from upcard.errors import UpcardError
from upcard.text import listed

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables

CARDS_WORDS = "Ts 6d, 10s6d, or without suits T 6"
"""How people write cards on the command line."""

_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", SUITS * 2, "\N{VARIATION SELECTOR-16}\N{VARIATION SELECTOR-15}")
_CARD = re.compile(rf"(10|[{RANKS}])([{SUITS.upper()}]?)")
_BETWEEN = re.compile(r"[\s,]+")


class TypedCard(NamedTuple):
    """A card whose suit may be left out."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit


def read_cards(text: str) -> tuple[TypedCard, ...]:
    """
    >>> [str(card) for card in read_cards("10s A♥, t6D")]
    ['Ts', 'Ah', 'T', '6d']
    """
    found: list[TypedCard] = []
    for word in filter(None, _BETWEEN.split(text)):
        plain = word.translate(_SIGNS).upper()
        cards = [*_CARD.finditer(plain)]
        if "".join(card[0] for card in cards) != plain:
            raise UpcardError(
                f'"{word}" is not a card: write cards as {CARDS_WORDS}; the ranks are '
                f"{' '.join(RANKS)} (T or 10) and the suits {' '.join(SUITS)}"
            )
        found += [TypedCard(card[1].replace("10", "T"), card[2].lower()) for card in cards]
    return tuple(found)


def physical(tables: GameTables, cards: Sequence[TypedCard]) -> tuple[Card, ...]:
    """Cards of the shoe; a suit that was left out becomes one that the shoe still has.

    Where the game tells suits of a rank apart, the suit has to be said.
    """
    taken = Counter(Card(card.rank, card.suit) for card in cards if card.suit)
    found = []
    for card in cards:
        if card.suit:
            found.append(Card(card.rank, card.suit))
            continue
        suits = [Card(card.rank, suit) for suit in SUITS]
        _check_alike(tables, suits)
        chosen = min(suits, key=lambda one: taken[one])
        taken[chosen] += 1
        found.append(chosen)
    return tuple(found)


def _check_alike(tables: GameTables, suits: Sequence[Card]) -> None:
    symbol = tables.alphabet.symbol
    by_symbol = {symbol(card): card for card in reversed(suits)}
    if len(by_symbol) > 1:
        kinds = listed(reversed(by_symbol.values()))
        raise UpcardError(
            f"{tables.name} does not play every {suits[0].rank} alike: "
            f"say its suit, such as {kinds}"
        )
