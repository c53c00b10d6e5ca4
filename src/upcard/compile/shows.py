"""The dealer's cards as a player sees them, given as cards or typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.cards import Card, CardsLike
from upcard.compile.shown import ranks_text
from upcard.compile.typed_cards import one_card
from upcard.errors import UpcardError
from upcard.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.compile.tables import GameTables

OVER = " over "
"""Between an up card and what is told of the down card, such as `9d over 2-6`."""


@dataclass(frozen=True)
class DealerShows:
    """The dealer's cards that lie face up, the up card first, and what is told of a down card.

    >>> print(DealerShows((Card("Ts"), Card("6d"))), "or", DealerShows((Card("9d"),), "2-6"))
    Ts 6d or 9d over 2-6
    """

    cards: tuple[Card, ...]
    told: str = ""

    @property
    def up(self) -> Card:
        """The up card."""
        return self.cards[0]

    def number(self, tables: GameTables) -> int:
        """Its number in the tables of a game, see `ShownCards`."""
        shown, symbol = tables.dealer.shown, tables.alphabet.symbol
        second = symbol(self.cards[1]) if shown.face_up else 0
        if shown.told and self.told not in told_names(tables):
            raise UpcardError(f"it is not said what is told of the down card in {tables.name}")
        if self.told:
            group = told_names(tables).index(self.told)
            second = shown.told_of.tolist().index(group)
        return int(shown.of[symbol(self.up), second])

    def __str__(self) -> str:
        cards = " ".join(map(str, self.cards))
        return f"{cards}{OVER}{self.told}" if self.told else cards


ShowsLike = CardsLike | DealerShows
"""The dealer's cards: text such as "9d", "Ts 6d" or "9d over 2-6", cards, or what they show."""


def told_names(tables: GameTables) -> tuple[str, ...]:
    """The groups that a down card is told to belong to, such as `2-6`."""
    return tuple(map(ranks_text, tables.dealer.shown.told))


def cards_shown(tables: GameTables, given: ShowsLike) -> tuple[CardsLike, str]:
    """The dealer's cards, yet to be read, and what is told of the down card."""
    if isinstance(given, DealerShows):
        return given.cards, given.told
    if not isinstance(given, str):
        return given, ""
    cards, over, told = given.partition(OVER)
    return cards, _told(tables, told.strip()) if over else ""


def _told(tables: GameTables, text: str) -> str:
    """A group by its name or by one of its ranks."""
    names = told_names(tables)
    rank = {"10": "T"}.get(text, text.upper())
    for name, ranks in zip(names, tables.dealer.shown.told, strict=True):
        if text.upper() == name or (len(rank) == 1 and rank in ranks):
            return name
    if not names:
        raise UpcardError(f"nothing is told of the down card in {tables.name}: give the up card")
    raise UpcardError(f'"{text}" is not told of a down card in {tables.name}: {listed(names)} is')


def shows_of(tables: GameTables, cards: Sequence[Card], told: str) -> DealerShows:
    """What the dealer shows with these cards; refuses what this game's dealer does not show."""
    shown = tables.dealer.shown
    if shown.face_up:
        if len(cards) != 2:
            raise UpcardError(
                f"both of the dealer's cards lie face up in {tables.name}: give two, such as "
                f'"T 6", not {counted(len(cards), "card")}'
            )
        one, two = map(tables.alphabet.symbol, cards)
        if min(one, two) >= 0 and tables.dealer.natural[one, two]:
            raise UpcardError(
                f"{' '.join(map(str, cards))} is a {tables.natural_name} of the dealer's, which "
                "ends the round before anybody acts: there is nothing to decide"
            )
        return DealerShows(tuple(cards))
    up = one_card(cards, "the up card")
    if shown.told and not told:
        example = f"{up}{OVER}{told_names(tables)[0]}"
        raise UpcardError(
            f"it is told in {tables.name} whether the down card is {listed(told_names(tables))}: "
            f'say it, such as "{example}"'
        )
    return DealerShows((up,), told)


def cards_in(text: str) -> tuple[str, ...]:
    """The cards in the text of what a dealer shows.

    >>> cards_in("Ts 6d"), cards_in("9d over 2-6")
    (('Ts', '6d'), ('9d',))
    """
    return tuple(text.partition(OVER)[0].split())


def told_in(text: str) -> str:
    """What is told of the down card in the text of what a dealer shows, "" if nothing is."""
    return text.partition(OVER)[2]
