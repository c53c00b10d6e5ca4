"""The cards of a table's shoe: as they lie in it, and how many of them a round may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from upcard.cards import Card
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.round.kernel_types import (
    CODE,
    CODE_BITS,
    STREAM,
    WEIGHT_SHIFT,
    Codes,
    Ints,
    MachineShoe,
)

SPARE = 4
"""Room for bonus cards that wait in a hand: they are in no total yet."""


@dataclass(frozen=True)
class ShoeCards:
    """The shoe of a table with so many hands at the most, the dealer's among them.

    The first deal takes `first_cards`; with `deals_all` no other card is ever taken. `weight` is
    what every card of the deck counts, None where nobody counts.
    """

    tables: GameTables
    hands: int
    first_cards: int
    deals_all: bool
    weight: Ints | None = None

    @cached_property
    def numbers(self) -> list[int]:
        """The cards of a full shoe."""
        alphabet = self.tables.alphabet
        return [card.number for card in alphabet.cards] * alphabet.decks

    def shoe(self, cards: Sequence[int] | None = None) -> MachineShoe:
        """The shoe, all cards to come; with `cards`, those numbers in that order.

        They are cards of one shoe: more small ones than it has could outlast what a round may take.
        """
        codes = self._codes(self.numbers if cards is None else cards)
        # Room for all cards of a round and those that come back, for as many fillers if they are
        # not enough, and for cards laid aside.
        deck = np.zeros(4 * len(codes) + 2 * self._most_of_any, dtype=self.code_type)
        deck[: len(codes)] = codes
        return MachineShoe(deck, len(codes), np.zeros(STREAM, dtype=np.uint64))

    def shoe_of(self, symbols: Ints, suits: np.random.Generator | None = None) -> MachineShoe:
        """A shoe of these symbols in that order, each as any card that it stands for.

        With `suits` it is drawn which ones they are: each card of the full shoe once, and again
        where there are more of a symbol than it has, as in front of a shoe without end.
        """
        alphabet = self.tables.alphabet
        if suits is not None:
            of_symbol: dict[int, list[int]] = {}
            found = []
            for number in suits.permutation(self.numbers).tolist():
                of_symbol.setdefault(int(alphabet.of_card[number]), []).append(number)
            left = {symbol: list(cards) for symbol, cards in of_symbol.items()}
            for symbol in symbols.tolist():
                if not left[symbol]:
                    left[symbol] = suits.permutation(of_symbol[symbol]).tolist()
                found.append(left[symbol].pop())
            return self.shoe(found)
        card = {alphabet.symbol(card): card.number for card in alphabet.cards}
        return self.shoe([card[symbol] for symbol in symbols.tolist()])

    def _codes(self, numbers: Sequence[int]) -> Codes:
        """Cards as they lie in the shoe: their weight, their number and their symbol."""
        found = np.array(numbers, dtype=np.int64)
        codes = found << CODE_BITS | self.tables.alphabet.of_card[found]
        if self.weight is not None:
            codes += self.weight[found] << WEIGHT_SHIFT
        return codes.astype(self.code_type)

    @property
    def code_type(self) -> type[np.unsignedinteger[Any]]:
        """What holds a card with all that is known of it."""
        return CODE if self.weight is None else np.uint64

    @cached_property
    def filler(self) -> np.uint64:
        """A card that ends hands soon: high, and nobody can put it away."""
        alphabet = self.tables.alphabet
        plain = [card for card in alphabet.cards if not self._is_marked(card)]
        highest = max(plain, key=lambda card: alphabet.symbols[alphabet.symbol(card)].low)
        return np.uint64(self._codes([highest.number])[0])

    # ------------------------------------------------------------------ how many a round may take

    @cached_property
    def most_needed(self) -> int:
        """Cards that a round can never need more of."""
        return min(self._most_of_any, self._most_of_one_shoe)

    @cached_property
    def _most_of_any(self) -> int:
        """Every hand full of the smallest cards.

        A card that is put away is followed by another, so as many come as can be put away.
        """
        if self.deals_all:
            return self.first_cards + 1
        return self.first_cards + self.hands * self._full_hand + 1 + self._put_away

    @cached_property
    def _most_of_one_shoe(self) -> int:
        """As many cards as a round can take from one shoe, which has only so many small ones.

        All but the last card of a hand come to no more than the largest total.
        """
        alphabet = self.tables.alphabet
        lows = sorted(alphabet.symbols[alphabet.symbol(card)].low for card in alphabet.cards)
        small = np.cumsum(np.repeat(lows, alphabet.decks))
        fitting = int(np.searchsorted(small, self.hands * self._largest_total, side="right"))
        return self.first_cards + fitting + self.hands + 1 + self._put_away

    @property
    def most_cards(self) -> int:
        """Room for the cards of a hand."""
        return self._full_hand + SPARE

    @property
    def _full_hand(self) -> int:
        """Cards of a hand that nothing can be added to: as many of the smallest as there may be."""
        return self._largest_total // min(s.low for s in self.tables.alphabet.symbols) + 1

    @property
    def _largest_total(self) -> int:
        hands = self.tables.hands
        return int(hands.total[~hands.bust].max())

    @property
    def _put_away(self) -> int:
        """How many cards of the shoe may be put away."""
        if self.tables.hands.replaced.max() != NONE:
            return self.tables.round_plan.first_cards * self.hands
        if self.tables.hands.trade.max() == NONE:
            return 0
        marked = filter(self._is_marked, self.tables.alphabet.cards)
        return sum(self.numbers.count(card.number) for card in marked)

    def _is_marked(self, card: Card) -> bool:
        alphabet = self.tables.alphabet
        return alphabet.symbols[alphabet.symbol(card)].marked
