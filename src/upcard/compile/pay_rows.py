"""What observers of cards share: rows of pay tables, what they look at, when they are settled."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

NO_ROW = -1
LOSES = Fraction(-1)


class SettledWhen(StrEnum):
    """When a wager on cards is paid or collected."""

    WITH_BASE = "with-base"
    AFTER_GAME = "after-game"
    INITIAL = "initial"
    PEEK = "peek"
    THIRD = "third"
    DEALER = "dealer"

    @property
    def as_known(self) -> bool:
        """Whether it is settled as soon as its cards are known, before the dealer's hand."""
        return self in (SettledWhen.INITIAL, SettledWhen.PEEK, SettledWhen.THIRD)


class PayRow(NamedTuple):
    """An event as the source names it, its net odds, and the pay-table figure as printed."""

    event: str
    odds: Fraction
    printed: str


class Window(NamedTuple):
    """Cards that a wager looks at: of the player, of the dealer (up card first), community."""

    player: int
    dealer: int
    community: int
