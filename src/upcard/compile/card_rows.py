"""Rows of a pay table of conditions: what each pays, and which of them some cards are paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt

from upcard.compile.pay_rows import NO_ROW, PayRow
from upcard.money import parse_odds
from upcard.rules.card_conditions import CardCondition
from upcard.rules.card_wagers import CardRow, CardWager
from upcard.rules.fitting import Counting, SeenCards, fits_row

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class RowMode(StrEnum):
    """Which of the rows that fit are paid."""

    FIRST_ROW = "first-row"
    BEST_ROW = "best-row"
    EVERY_ROW = "every-row"
    EACH_CARD = "each-card"
    """Each of the player's cards beside the up card has a row of its own; these add up."""


@dataclass(frozen=True)
class CardRows:
    """The rows of a wager as the pay table has them, and those that are paid together.

    `rows` has behind the printed ones every set of them that is paid at once.
    """

    printed: tuple[PayRow, ...]
    conditions: tuple[CardCondition, ...]
    mode: RowMode
    counting: Counting

    @cached_property
    def together(self) -> Mapping[tuple[int, ...], int]:
        """The row that stands for several paid at once, by their numbers in order."""
        numbers = range(len(self.printed))
        sets: Iterator[tuple[int, ...]] = iter(())
        if self.mode is RowMode.EVERY_ROW:
            sets = (s for size in numbers[1:] for s in combinations(numbers, size + 1))
        elif self.mode is RowMode.EACH_CARD:
            sets = combinations_with_replacement(numbers, 2)
        return {found: len(self.printed) + place for place, found in enumerate(sets)}

    @cached_property
    def rows(self) -> tuple[PayRow, ...]:
        return (*self.printed, *map(self._both, self.together))

    def _both(self, numbers: tuple[int, ...]) -> PayRow:
        parts = [self.printed[number] for number in numbers]
        events = " and ".join(part.event for part in parts)
        if len(set(numbers)) < len(numbers):
            events = f"{parts[0].event}, twice"
        return PayRow(
            events, sum((p.odds for p in parts), Fraction(0)), ", ".join(p.printed for p in parts)
        )

    @cached_property
    def _in_order(self) -> list[int]:
        """The rows in the order in which they are tried."""
        numbers = list(range(len(self.printed)))
        if self.mode is RowMode.BEST_ROW:
            numbers.sort(key=lambda number: -self.printed[number].odds)
        return numbers

    def fits(self, seen: SeenCards) -> Bools:
        """`fits[hand, row]`."""
        found = [fits_row(condition, seen, self.counting) for condition in self.conditions]
        return np.stack(found, axis=1)

    def paid(self, seen: SeenCards) -> Ints:
        """The row that every hand is paid, NO_ROW for those that lose."""
        if self.mode is not RowMode.EACH_CARD:
            return self.of_fits(self.fits(seen))
        each = [
            self._first(self.fits(seen._replace(cards=np.stack([card, seen.up[:, 0]], axis=1))))
            for card in seen.players_two.T
        ]
        low, high = np.minimum(*each), np.maximum(*each)
        found = high.copy()
        for numbers, row in self.together.items():
            found[(low == numbers[0]) & (high == numbers[1])] = row
        return found

    def of_fits(self, fits: Bools) -> Ints:
        """The row that is paid where these fit."""
        if self.mode is not RowMode.EVERY_ROW:
            return self._first(fits)
        found = self._first(fits)
        count = fits.sum(axis=1)
        for numbers, row in self.together.items():
            found[(count == len(numbers)) & fits[:, list(numbers)].all(axis=1)] = row
        return found

    def _first(self, fits: Bools) -> Ints:
        in_order = np.array(self._in_order)
        ordered = fits[:, in_order]
        return np.where(ordered.any(axis=1), in_order[ordered.argmax(axis=1)], NO_ROW)


def card_rows(wager: CardWager, counting: Counting, *, decks: int, deck: int) -> CardRows:
    """The rows of a wager as they are paid with so many decks of so many cards."""
    return CardRows(
        printed=tuple(pay_row(row, wager.quoted, decks, deck) for row in wager.rows),
        conditions=tuple(row.when for row in wager.rows),
        mode=RowMode(wager.mode),
        counting=counting,
    )


def pay_row(row: CardRow, quoted: str, decks: int, deck: int) -> PayRow:
    """A row as it is paid with so many decks of so many cards."""
    pays = pays_with(row, decks, deck)
    assert pays is not None, "a checked wager pays with every shoe of its game"
    if pays in (0, "push"):
        return PayRow(row.event, Fraction(0), "push")
    figure, _, of = str(pays).partition(":")
    text = f"{figure} {'for' if quoted == 'for-1' else 'to'} {of or 1}"
    return PayRow(row.event, parse_odds(text), text)


def pays_with(row: CardRow, decks: int, deck: int) -> int | str | None:
    """What a row pays with a shoe, None if its pay table does not say."""
    fitting = [one.pays for one in row.pays_with if (one.decks, one.cards) == (decks, deck)]
    return fitting[0] if fitting else row.pays
