"""Observers of a few cards, or of the dealer's hand, whose rows are conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.cards import Card
from upcard.compile.card_rows import CardRows, card_rows
from upcard.compile.card_sets import (
    CARDS,
    FIRST_TWO,
    CardSet,
    CardTable,
    HandRows,
    card_table,
    hand_rows,
    seen_by,
)
from upcard.compile.pay_rows import LOSES, NO_ROW, PayRow, SettledWhen, Window
from upcard.rules.card_wagers import CardWager
from upcard.rules.fitting import counting_of, deck_size
from upcard.rules.schema import GameRules

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CardObserver:
    """A wager on cards by rows of conditions.

    With `guaranteed`, a third card that still matters is dealt though the hand draws none.
    """

    wager: str
    cards: CardSet
    found: CardRows
    settled: SettledWhen
    guaranteed: bool
    stays_after_bust: bool = True

    @property
    def rows(self) -> tuple[PayRow, ...]:
        return self.found.rows

    @property
    def printed(self) -> tuple[PayRow, ...]:
        """The rows of the pay table itself, without those that are paid together."""
        return self.found.printed

    @property
    def window(self) -> Window:
        dealers = {CardSet.DEALERS_TWO: 2, CardSet.FIRST_TWO_AND_UP: 1, CardSet.UP: 1}
        return Window(self.cards.of_player, dealers.get(self.cards, 0), 0)

    @property
    def most_wins(self) -> Fraction:
        """The most that one unit can win."""
        return max(row.odds for row in self.rows)

    @property
    def looks_at_dealer(self) -> bool:
        """Whether it looks at the dealer's final hand."""
        return self.cards is CardSet.DEALER

    @property
    def looks_at_third(self) -> bool:
        """Whether it looks at the third card of the player's first hand."""
        return self.cards is CardSet.FIRST_THREE

    @cached_property
    def table(self) -> CardTable:
        """All first cards looked up; not for the dealer's final hand."""
        return card_table(self.cards, self.found)

    @cached_property
    def hands(self) -> HandRows:
        """The rows of final hands of the dealer."""
        return hand_rows(self.found)

    def result(
        self, player: Sequence[Card], dealer: Sequence[Card], community: Sequence[Card]
    ) -> PayRow:
        """The row that is paid; the player's third card may be missing."""
        return self.pay_row(
            self.row_of([card.number for card in player], [card.number for card in dealer])
        )

    def row_of(self, player: Sequence[int], dealer: Sequence[int]) -> int:
        """The number of the row, by cards as numbers."""
        return int(self.found.paid(seen_by(self.cards, _one(player), _one(dealer)))[0])

    def pay_row(self, row: int) -> PayRow:
        """A row by its number, or that of a wager that lost."""
        return self.rows[row] if row != NO_ROW else PayRow("", LOSES, "")

    def decided(
        self,
        player: Sequence[int],
        up: int,
        *,
        seconds: Iterable[int],
        thirds: Iterable[int],
    ) -> PayRow | None:
        """The row that is paid whichever of some cards comes second of the dealer's, and third.

        None if that still makes a difference. Where no card may come third, none comes.
        """
        if self.looks_at_third:
            hands = [[*player[:FIRST_TWO], third] for third in thirds] or [[*player[:FIRST_TWO]]]
            three = np.array(hands, dtype=np.int64)
            found = set(self.found.paid(seen_by(self.cards, three, three[:, :0])).tolist())
        else:
            table = self.table
            kind = table.kind_of(player, up)
            found = {int(table.row[kind, table.dealers[up * CARDS + one]]) for one in seconds}
        return self.pay_row(found.pop()) if len(found) == 1 else None


def card_observer(game: GameRules, wager_id: str, wager: CardWager) -> CardObserver:
    """The observer of a wager on offer."""
    counting = counting_of(game, aces_low=wager.aces == "low")
    rows = card_rows(wager, counting, decks=game.shoe.decks, deck=deck_size(game))
    # A bank that may not cover everything settles all wagers in their order.
    limited = game.bank.by != "house" and game.bank.cover == "limited"
    when = SettledWhen(wager.settled)
    return CardObserver(
        wager=wager_id,
        cards=CardSet(wager.cards),
        found=rows,
        settled=SettledWhen.WITH_BASE if limited and when.as_known else when,
        guaranteed=wager.third_card == "guaranteed",
    )


def _one(cards: Sequence[int]) -> Ints:
    return np.array([list(cards)], dtype=np.int64).reshape(1, len(cards))
