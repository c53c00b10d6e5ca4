"""How hands end: the kinds of final classes of players and dealers."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class EndKind(StrEnum):
    """What sort of an end a final class is; most say how the hand compares with others."""

    BUST = "bust"
    TOTAL = "total"
    PUSH = "push"
    """A dealer's total that is over, and pushes."""
    SPECIAL = "special"
    """Certain cards of the dealer, whatever they count."""
    CHARLIE = "charlie"
    SPLIT_TEN_ACE = "split-ten-ace"
    TWO_TENS = "two-tens"
    """Two ten-value cards as they were dealt, where they fare better than others of their total."""
    TWO_ACES = "two-aces"
    """Two aces as they were dealt, likewise."""
    NATURAL = "natural"
    MADE_NATURAL = "made-natural"
    """An ace and a ten-value card that a hand was exchanged for, where they are paid by a rule of
    their own.
    """
    SURRENDERED = "surrendered"
    SURRENDERED_EARLY = "surrendered-early"
    """Before the check, where hands may surrender after it as well."""
    RESCUED = "rescued"
    BONUS = "bonus"
    """A hand that is paid by a row of bonuses, and no natural."""


DEALT_ALIKE = (EndKind.TWO_TENS, EndKind.TWO_ACES)
"""Hands that their first two cards tell from others of the same total."""
NO_BONUS = -1
"""In the place of a row of bonuses: none."""


class FinalClass(NamedTuple):
    """What a hand ends as. The total is in half points, 0 where it does not count.

    `row` is the row of bonuses that it is paid by. `cards` is the number of cards, as far as a
    wager goes by it.
    """

    name: str
    kind: EndKind
    total: int
    row: int = NO_BONUS
    cards: int = 0

    @property
    def is_natural(self) -> bool:
        return self.kind is EndKind.NATURAL

    @property
    def is_surrendered(self) -> bool:
        return self.kind in (EndKind.SURRENDERED, EndKind.SURRENDERED_EARLY)

    @property
    def is_given_up(self) -> bool:
        """Whether a player chose this end, whatever the cards are."""
        return self.is_surrendered or self.kind is EndKind.RESCUED

    @property
    def word(self) -> str:
        """What people call it."""
        if self.kind in (*DEALT_ALIKE, EndKind.MADE_NATURAL):
            return f"{self.total / 2:g}"
        return EndKind.SURRENDERED.value if self.is_surrendered else self.name

    @property
    def is_compared(self) -> bool:
        """Whether such a hand stands and is compared with the dealer's."""
        return self.kind in (EndKind.TOTAL, EndKind.SPLIT_TEN_ACE, *DEALT_ALIKE)
