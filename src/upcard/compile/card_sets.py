"""The cards that a wager by conditions looks at, and the row of any few of them as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import msgspec
import numpy as np
import numpy.typing as npt

from upcard.cards import DECK
from upcard.compile.arrays import frozen
from upcard.compile.card_rows import CardRows, RowMode
from upcard.rules.card_conditions import CardCondition, SetCondition
from upcard.rules.fitting import SeenCards, fits_row, fits_set

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

CARDS = len(DECK)
FIRST_TWO = 2


class CardSet(StrEnum):
    """The cards that such a wager looks at."""

    FIRST = "first"
    FIRST_TWO = "first-two"
    FIRST_THREE = "first-three"
    FIRST_TWO_AND_UP = "first-two-and-up-card"
    UP = "up-card"
    DEALERS_TWO = "dealers-two"
    DEALER = "dealer"
    """The dealer's final hand."""

    @property
    def of_player(self) -> int:
        """How many cards of the player's are among them."""
        return _OF_PLAYER.get(self, 0)

    @property
    def has_up(self) -> bool:
        """Whether the up card is among them, and no other card of the dealer's."""
        return self in (CardSet.FIRST_TWO_AND_UP, CardSet.UP)


_OF_PLAYER = {
    CardSet.FIRST: 1,
    CardSet.FIRST_TWO: FIRST_TWO,
    CardSet.FIRST_THREE: 3,
    CardSet.FIRST_TWO_AND_UP: FIRST_TWO,
}


def seen_by(cards: CardSet, player: Ints, dealer: Ints) -> SeenCards:
    """The cards of many rounds as rows look at them; the up card is the dealer's first."""
    two, up = player[:, :FIRST_TWO], dealer[:, :1]
    match cards:
        case CardSet.FIRST_TWO_AND_UP:
            own = np.concatenate([two, up], axis=1)
        case CardSet.UP:
            own = up
        case CardSet.DEALERS_TWO:
            own = dealer[:, :FIRST_TWO]
        case CardSet.DEALER:
            own = dealer
        case _:
            own = player[:, : cards.of_player]
    return SeenCards(own, two, up, dealer[:, :FIRST_TWO])


@dataclass(frozen=True)
class CardTable:
    """The row of every few cards, looked up.

    The player's first cards, so many, and behind them the up card if `up`, are digits to the base
    of 52; `kind[number]` is what they are to the wager. `dealers[up * 52 + second]` is what the
    dealer's first two cards are to it. `row[kind, dealers]` is paid.
    """

    players: int
    up: bool
    kind: npt.NDArray[np.int16]
    dealers: npt.NDArray[np.int16]
    row: npt.NDArray[np.int16]

    @property
    def needs_second(self) -> bool:
        """Whether the dealer's second card can matter."""
        return len(self.row[0]) > 1

    def kind_of(self, player: Sequence[int], up: int) -> int:
        """What first cards are to the wager."""
        number = 0
        for card in (*player[: self.players], *((up,) if self.up else ())):
            number = number * CARDS + card
        return int(self.kind[number])


def tuples(size: int) -> Ints:
    """Every sequence of so many cards, in the order of their digits."""
    return np.indices((CARDS,) * size).reshape(size, CARDS**size).T


def card_table(cards: CardSet, rows: CardRows) -> CardTable:
    """The table of a wager on a few cards."""
    conditions = rows.conditions
    by_up = any(c.up is not None or c.between is not None for c in conditions)
    by_two = any(c.players_two is not None or c.between is not None for c in conditions)
    up = cards.has_up or by_up
    players = max(cards.of_player, FIRST_TWO if by_two else 0)
    every = tuples(players + up)
    seen = seen_by(cards, every[:, :players], every[:, players:])
    if rows.mode is RowMode.EACH_CARD:
        found, kind = np.unique(rows.paid(seen), return_inverse=True)
        alone = np.zeros(CARDS**2, dtype=np.int64)
        return _table(players, kind, alone, found[:, None], up=up)
    patterns, kind = _patterns(_fits_first(cards, rows, seen))
    on_dealers = [_on_dealers(cards, condition) for condition in conditions]
    masks, dealers = _patterns(_fits_two(on_dealers, rows))
    row = np.stack([rows.of_fits(patterns & mask) for mask in masks], axis=1)
    return _table(players, kind, dealers, row, up=up)


def _table(players: int, kind: Ints, dealers: Ints, row: Ints, *, up: bool) -> CardTable:
    return CardTable(
        players,
        up,
        frozen(kind.reshape(-1).astype(np.int16)),
        frozen(dealers.reshape(-1).astype(np.int16)),
        frozen(row.astype(np.int16)),
    )


def _fits_first(cards: CardSet, rows: CardRows, seen: SeenCards) -> Bools:
    """`[hand, row]`: what does not go by the dealer's second card."""
    found = []
    for condition in rows.conditions:
        first = msgspec.structs.replace(condition, dealers_two=None)
        if cards is CardSet.DEALERS_TWO:
            beside = {name: getattr(condition, name) for name in ("up", "between", "players_two")}
            first = CardCondition(**beside)
        found.append(fits_row(first, seen, rows.counting))
    return np.stack(found, axis=1)


def _on_dealers(cards: CardSet, condition: CardCondition) -> SetCondition | None:
    """What a row asks of the dealer's first two cards."""
    return own_part(condition) if cards is CardSet.DEALERS_TWO else condition.dealers_two


def own_part(condition: CardCondition) -> SetCondition:
    """What a row asks of its own cards alone."""
    names = SetCondition.__struct_fields__
    return SetCondition(**{name: getattr(condition, name) for name in names})


def _fits_two(conditions: Sequence[SetCondition | None], rows: CardRows) -> Bools:
    """`[one * 52 + two, row]`."""
    every = tuples(FIRST_TWO)
    always = np.ones(len(every), dtype=np.bool_)
    return np.stack(
        [always if c is None else fits_set(c, every, rows.counting) for c in conditions], axis=1
    )


def _patterns(fits: Bools) -> tuple[Bools, Ints]:
    """The sets of rows that fit together anywhere, and which of them each hand has."""
    bits = fits @ (1 << np.arange(fits.shape[1], dtype=np.int64))
    _, first, which = np.unique(bits, return_index=True, return_inverse=True)
    return fits[first], which


@dataclass(frozen=True)
class HandRows:
    """Rows of final hands: `players[one * 52 + two]` is what the player's first two cards are.

    `allows[players, row]`: the row asks no more of these than they are.
    """

    players: npt.NDArray[np.int16]
    allows: Bools
    found: CardRows

    def rows(self, hands: Ints) -> Ints:
        """`[hand, players]` of hands with equally many cards."""
        none = hands[:, :0]
        own = [msgspec.structs.replace(c, players_two=None) for c in self.found.conditions]
        seen = SeenCards(hands, none, hands[:, :1], none)
        fits = np.stack([fits_row(c, seen, self.found.counting) for c in own], axis=1)
        return np.stack([self.found.of_fits(fits & allowed) for allowed in self.allows], axis=1)


def hand_rows(rows: CardRows) -> HandRows:
    """The rows of a wager on the dealer's final hand."""
    asked = [condition.players_two for condition in rows.conditions]
    allows, players = _patterns(_fits_two(asked, rows))
    return HandRows(frozen(players.reshape(-1).astype(np.int16)), allows, rows)
