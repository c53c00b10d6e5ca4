"""Cards of a 52-card deck: small values with a text form that parses back."""

from __future__ import annotations

from typing import NamedTuple

from upcard.errors import UpcardError

RANKS = "A23456789TJQK"
SUITS = "shdc"

RANK_NAMES = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
_SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


class Card(NamedTuple):
    """A physical card.

    >>> Card.parse("Tc")
    Card('Tc')
    >>> str(Card.parse("Tc")), Card.parse("Tc").name
    ('Tc', 'ten of clubs')
    """

    rank: str
    suit: str

    @classmethod
    def parse(cls, text: str) -> Card:
        if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
            raise UpcardError(
                f'"{text}" is not a card: write rank then suit, '
                f"a rank of {' '.join(RANKS)} and a suit of {' '.join(SUITS)}, such as Tc"
            )
        return cls(text[0], text[1])

    @property
    def number(self) -> int:
        """0 to 51, by suit and then by rank."""
        return SUITS.index(self.suit) * len(RANKS) + RANKS.index(self.rank)

    @property
    def name(self) -> str:
        return f"{RANK_NAMES[self.rank]} of {_SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card('{self}')"


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the order of their number."""


def rank_name(rank: str) -> str:
    """
    >>> rank_name("A")
    'ace'
    """
    return RANK_NAMES[rank]


def parse_cards(text: str) -> tuple[Card, ...]:
    """
    >>> parse_cards("As Tc")
    (Card('As'), Card('Tc'))
    """
    return tuple(Card.parse(word) for word in text.split())
