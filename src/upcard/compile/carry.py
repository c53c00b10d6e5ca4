"""Carry: what lasts between rounds, as a small chain."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from upcard.compile.arrays import frozen
from upcard.compile.exchanges import trades
from upcard.money import format_cents
from upcard.rules.schema import GameRules


class LightsOwner(StrEnum):
    PLAYER = "player"
    PLAYER_AT_POSITION = "player-at-position"


@dataclass(frozen=True)
class Carry:
    """Lights towards a prize.

    From `lit` lights one more leads to `next[lit]` and pays `prize[lit]` cents at once.
    `prize_name` is what it is where it is no money, and then those cents are its value.
    `surplus_counts` says whether further lights of a round that won a prize count on.
    `by_trade` says whether a light comes by trading, or by itself with the card.
    """

    next: npt.NDArray[np.int16]
    prize: npt.NDArray[np.int64]
    prize_name: str
    by_trade: bool
    surplus_counts: bool
    belongs_to: LightsOwner
    players_card: bool

    @property
    def prize_words(self) -> str:
        return prize_words(self.prize_name, int(self.prize.sum()))

    @property
    def bound_to_position(self) -> bool:
        """Whether a player's lights are those of one position, not of all."""
        return self.belongs_to is LightsOwner.PLAYER_AT_POSITION


def prize_words(name: str, value: int) -> str:
    """A prize as it is told.

    >>> prize_words("", 5000), prize_words("a weekend for two", 50000)
    ('$50', 'a weekend for two, worth $500')
    """
    return f"{name}, worth {format_cents(value)}" if name else format_cents(value)


def build_carry(game: GameRules) -> Carry | None:
    lights = game.lights
    if lights is None or game.bonus_card is None:
        return None
    lit = np.arange(lights.count)
    return Carry(
        next=frozen(((lit + 1) % lights.count).astype(np.int16)),
        prize=frozen(np.where(lit == lights.count - 1, lights.prize, 0).astype(np.int64)),
        prize_name=lights.prize_name,
        by_trade=trades(game),
        surplus_counts=lights.surplus == "carries",
        belongs_to=LightsOwner(lights.belong_to),
        players_card=lights.players_card,
    )
