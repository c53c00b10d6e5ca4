"""Cards of a 52-card deck: small values with a text form that parses back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from upcard.errors import UpcardError

RANKS = "A23456789TJQK"
SUITS = "shdc"
_RANKS = frozenset(RANKS)
_SUITS = frozenset(SUITS)

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


CARDS_WORDS = "Ts 6d, 10s6d, or without suits T 6"
"""How people write cards."""

_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", SUITS * 2, "\N{VARIATION SELECTOR-16}\N{VARIATION SELECTOR-15}")
_CARD = re.compile(rf"(10|[{RANKS}])([{SUITS.upper()}]?)")
_BETWEEN = re.compile(r"[\s,]+")


class _RankAndSuit(NamedTuple):
    rank: str
    suit: str


class Card(_RankAndSuit):
    """A physical card: `Card("Tc")`, `Card("10♣")` or `Card("T", "c")`.

    >>> Card("10♣")
    Card('Tc')
    >>> str(Card("Tc")), Card("Tc").name
    ('Tc', 'ten of clubs')
    """

    __slots__ = ()

    def __new__(cls, rank: str, suit: str = "") -> Self:
        if not suit:
            rank, suit = _one_card(rank)
        if rank not in _RANKS or suit not in _SUITS:
            raise UpcardError(_no_card(f"{rank}{suit}"))
        return super().__new__(cls, rank, suit)

    @classmethod
    def parse(cls, text: str) -> Card:
        """The one form that files and records have, rank and suit: `Tc`.

        >>> Card.parse("Tc")
        Card('Tc')
        """
        if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
            raise UpcardError(_no_card(text))
        return cls(text[0], text[1])

    @property
    def number(self) -> int:
        """0 to 51, by suit and then by rank."""
        return SUITS.index(self.suit) * len(RANKS) + RANKS.index(self.rank)

    @property
    def name(self) -> str:
        """The card in words, such as `ten of clubs`."""
        return f"{RANK_NAMES[self.rank]} of {_SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card('{self}')"


CardsLike = str | Card | Iterable[str | Card]
"""Cards as a text (`"Ts 6d"`), as objects, or some of each."""


class TypedCard(NamedTuple):
    """A card whose suit may be left out."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit


def read_cards(text: str) -> tuple[TypedCard, ...]:
    """Cards as people type them: `10s`, `A♠`, `Ts6d`, `t 6`, with or without suits.

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


def typed_cards(cards: CardsLike) -> tuple[TypedCard, ...]:
    """Cards given as text, as objects, or some of each.

    >>> [str(card) for card in typed_cards(["10s", Card("6d"), "9"])]
    ['Ts', '6d', '9']
    """
    if isinstance(cards, Card):
        return (TypedCard(*cards),)
    if isinstance(cards, str):
        return read_cards(cards)
    if not isinstance(cards, Iterable):
        raise UpcardError(f"{cards!r} is no card: give text such as Ts, or a Card")
    return tuple(one for card in cards for one in _typed_one(card))


def card_texts(cards: Any) -> Any:
    """The texts of cards, as commands and records have them; what holds no cards stays as it is.

    >>> card_texts("10s 6♦"), card_texts([Card("Ts"), "6d"]), card_texts(("Ts", "6d"))
    (('Ts', '6d'), ('Ts', '6d'), ('Ts', '6d'))
    """
    if isinstance(cards, str):
        return tuple(map(str, typed_cards(cards)))
    if isinstance(cards, list | tuple) and any(isinstance(card, Card) for card in cards):
        return tuple(str(card) if isinstance(card, Card) else card for card in cards)
    return cards


def _typed_one(card: object) -> tuple[TypedCard, ...]:
    if isinstance(card, str | Card):
        return typed_cards(card)
    if isinstance(card, TypedCard):
        return (card,)
    raise UpcardError(f"{card!r} is no card: give text such as Ts, or a Card")


def _one_card(text: object) -> TypedCard:
    """A card that has its suit, from a text of any form."""
    found = typed_cards(text) if isinstance(text, str | Card) else ()
    if len(found) != 1 or not found[0].suit:
        raise UpcardError(_no_card(text))
    return found[0]


def _no_card(text: object) -> str:
    return (
        f'"{text}" is not a card: write rank then suit, '
        f"a rank of {' '.join(RANKS)} and a suit of {' '.join(SUITS)}, such as Tc"
    )


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
