"""Counting cards: weights by rank, a bet ramp, departures from the play, insurance by the count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from upcard.cards import Card

LOWEST = -(2**31)
HUNDREDTHS = 100


class Level(NamedTuple):
    """From this true count on, so many base wagers."""

    at: int
    bets: Fraction


class Departure(NamedTuple):
    """From a true count on, or below it, another action for a hand against an up card.

    It holds for all numbers of cards without `cards`, and in place of any action without `instead`.
    """

    hand: str
    up: str
    at: int
    action: str
    below: bool = False
    cards: int | None = None
    instead: str = ""

    def __str__(self) -> str:
        when = f"below {self.at}" if self.below else f"from {self.at} on"
        cards = f" of {self.cards} cards" if self.cards is not None else ""
        instead = f" instead of {self.instead}" if self.instead else ""
        return f"{self.action}{instead} with {self.hand}{cards} against {self.up} {when}"


@dataclass(frozen=True)
class Count:
    """A count. `weights` are by rank ("T") or by card ("Tc"), a card's own before its rank's.

    With `divides` it is the true count, the running count by decks left. Every shoe begins at 0.
    """

    name: str
    weights: Mapping[str, Fraction]
    divides: bool = True
    ramp: tuple[Level, ...] = (Level(LOWEST, Fraction(1)),)
    departures: tuple[Departure, ...] = ()
    insures_from: int | None = None

    @property
    def identity(self) -> list[str]:
        """Everything about the count as texts."""
        weights = [f"{card}={weight}" for card, weight in sorted(self.weights.items())]
        ramp = [f"{level.at}={level.bets}" for level in self.ramp]
        return [
            self.name,
            " ".join(weights),
            str(self.divides),
            " ".join(ramp),
            "; ".join(map(str, self.departures)),
            str(self.insures_from),
        ]

    def weight(self, card: Card) -> int:
        """The weight of a card in hundredths."""
        own = self.weights.get(str(card), self.weights.get(card.rank, Fraction(0)))
        return int(own * HUNDREDTHS)


NO_COUNT = Count("none", {})
