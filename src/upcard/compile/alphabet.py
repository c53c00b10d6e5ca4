"""The card alphabet: physical cards grouped by what the rules of one game can tell apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from upcard.cards import DECK, RANKS, Card
from upcard.compile.arrays import frozen
from upcard.rules.schema import GameRules, offered_prizes

NO_SYMBOL = -1


@dataclass(frozen=True, slots=True)
class Symbol:
    """A group of cards that play alike. Values are in half points."""

    name: str
    ranks: str
    low: int
    high: int
    per_deck: int
    makes_natural: bool
    marked: bool
    pair_group: str

    @property
    def is_ace(self) -> bool:
        return "A" in self.ranks


@dataclass(frozen=True)
class Alphabet:
    """The symbols of a game.

    `of_card[card.number]` is the symbol of a card, or -1 if the deck lacks it; `plain[symbol]`
    the same symbol without a mark.
    """

    symbols: tuple[Symbol, ...]
    of_card: npt.NDArray[np.int16]
    plain: npt.NDArray[np.int16]
    decks: int

    def __len__(self) -> int:
        return len(self.symbols)

    def index(self, name: str) -> int:
        """
        >>> from upcard import tables_for
        >>> tables_for("blackjack").alphabet.index("T")
        9
        """
        return [symbol.name for symbol in self.symbols].index(name)

    def symbol(self, card: Card) -> int:
        return int(self.of_card[card.number])

    @property
    def counts(self) -> npt.NDArray[np.int16]:
        """Cards of every symbol in a full shoe."""
        return np.array([s.per_deck * self.decks for s in self.symbols], dtype=np.int16)

    @property
    def cards(self) -> tuple[Card, ...]:
        """One deck as this game deals it."""
        return tuple(card for card in DECK if self.of_card[card.number] != NO_SYMBOL)


def build_alphabet(game: GameRules) -> Alphabet:
    marked = set(game.bonus_card.cards) if game.bonus_card else set()
    special = {rank for hand in game.outcomes.special for rank in hand.dealer}
    if game.bonuses is not None:
        special |= {rank for row in game.bonuses.rows for rank in row.ranks or ()}
    special |= {rank for prize in offered_prizes(game) for rank in prize.up or ()}
    groups: dict[tuple[object, ...], list[Card]] = {}
    for card in DECK:
        if card.rank in game.shoe.removed:
            continue
        low, high = _values(game, card.rank)
        key = (
            high,
            low,
            str(card) in marked,
            card.rank in game.natural.with_,
            _pair_group(game, card.rank),
            card.rank if card.rank in special else "",
            next((n for n, group in enumerate(game.dealer.tells) if card.rank in group), -1),
        )
        groups.setdefault(key, []).append(card)
    in_order = sorted(groups.values(), key=lambda cards: (RANKS.index(cards[0].rank), len(cards)))
    # Ranks of one group stand together, a marked group behind its plain twin.
    in_order.sort(key=lambda cards: (_values(game, cards[0].rank)[0], str(cards[0]) in marked))
    symbols = tuple(_symbol(game, cards, marked) for cards in in_order)
    of_card = np.full(len(DECK), NO_SYMBOL, dtype=np.int16)
    for number, cards in enumerate(in_order):
        for card in cards:
            of_card[card.number] = number
    return Alphabet(symbols, frozen(of_card), frozen(_plain(symbols)), game.shoe.decks)


def _values(game: GameRules, rank: str) -> tuple[int, int]:
    """Low and high value of a rank, in half points."""
    if rank == "A":
        low, high = game.count.ace
        return 2 * low, 2 * high
    value = int(rank) if rank.isdigit() else game.count.court
    return 2 * value, 2 * value


def _pair_group(game: GameRules, rank: str) -> str:
    if game.split.on == "rank":
        return rank
    return str(_values(game, rank)[1])


def _symbol(game: GameRules, cards: list[Card], marked: set[str]) -> Symbol:
    ranks = "".join(dict.fromkeys(card.rank for card in cards))
    low, high = _values(game, cards[0].rank)
    is_marked = str(cards[0]) in marked
    # Courts without tens are named C; any other group by its first rank.
    name = "C" if len(ranks) > 1 and "T" not in ranks else ranks[0]
    return Symbol(
        name=name + ("*" if is_marked else ""),
        ranks=ranks,
        low=low,
        high=high,
        per_deck=len(cards),
        makes_natural=cards[0].rank in game.natural.with_,
        marked=is_marked,
        pair_group=_pair_group(game, cards[0].rank),
    )


def _plain(symbols: tuple[Symbol, ...]) -> npt.NDArray[np.int16]:
    """For every symbol the unmarked one that plays alike (itself if it has no mark)."""
    plain = np.arange(len(symbols), dtype=np.int16)
    for number, symbol in enumerate(symbols):
        if symbol.marked:
            twins = [
                other
                for other, twin in enumerate(symbols)
                if not twin.marked
                and (twin.pair_group, twin.high, twin.makes_natural)
                == (symbol.pair_group, symbol.high, symbol.makes_natural)
            ]
            plain[number] = twins[0]
    return plain
