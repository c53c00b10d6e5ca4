"""Cards as people type them, made cards of a game's shoe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.cards import RANK_NAMES, SUITS, Card, CardsLike, TypedCard, typed_cards
from upcard.errors import UpcardError
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables


def cards_of(tables: GameTables, *groups: CardsLike) -> tuple[tuple[Card, ...], ...]:
    """Groups of cards out of one shoe, each given as text, as objects, or some of each.

    >>> from upcard import tables_for
    >>> cards_of(tables_for("blackjack"), "8 8", Card("9d"), ["10s"])
    ((Card('8s'), Card('8h')), (Card('9d'),), (Card('Ts'),))
    """
    known = [*map(_objects, groups)]
    objects = tuple(group for group in known if group is not None)
    if len(objects) == len(known):
        return objects
    typed = [typed_cards(group) for group in groups]
    found = iter(physical(tables, [card for group in typed for card in group]))
    return tuple(tuple(next(found) for _ in group) for group in typed)


def suits_said(group: CardsLike) -> tuple[bool, ...]:
    """Of every card of a group whether its suit was given.

    >>> suits_said(["10s", Card("6d"), "9"])
    (True, True, False)
    """
    return tuple(bool(card.suit) for card in typed_cards(group))


def _objects(group: CardsLike) -> tuple[Card, ...] | None:
    """Cards that were given as objects, nothing else being among them."""
    if isinstance(group, Card):
        return (group,)
    if not isinstance(group, list | tuple):
        return None
    found = tuple(card for card in group if isinstance(card, Card))
    return found if len(found) == len(group) else None


def one_card(cards: Sequence[Card], what: str) -> Card:
    """The only card of a group."""
    if len(cards) != 1:
        raise UpcardError(f"{what} is one card, not {len(cards)}")
    return cards[0]


def check_in_shoe(tables: GameTables, cards: Sequence[Card]) -> None:
    """Refuse cards that one shoe of the game does not hold together."""
    decks, numbers = tables.alphabet.decks, Counter(cards)
    for card in numbers:
        if tables.alphabet.symbol(card) < 0:
            raise UpcardError(f"{tables.name} is dealt without {RANK_NAMES[card.rank]}s")
    for rank, copies in Counter(card.rank for card in cards).items():
        if copies > decks * len(SUITS):  # whatever their suits are, which need not have been said
            raise UpcardError(
                f"{RANK_NAMES[rank]}s come {counted(copies, 'time')}, "
                f"and the shoe of {counted(decks, 'deck')} has {decks * len(SUITS)} of them"
            )
    for card, copies in numbers.items():
        if copies > decks:
            raise UpcardError(
                f"{card} comes {counted(copies, 'time')}, "
                f"and the shoe of {counted(decks, 'deck')} has {decks} of it"
            )


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
