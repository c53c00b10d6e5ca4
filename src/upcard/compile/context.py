"""The context automaton: what has been done with a hand, apart from its cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.errors import UpcardError
from upcard.text import did_you_mean, listed

ENDED = -1
"""The action ends the hand, or cannot be taken in that context."""


class Action(IntEnum):
    """Everything a player can do; the value is the bit in a legal mask."""

    HIT = 0
    STAND = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    INSURE = 5
    DECLINE = 6
    REDOUBLE = 7
    RESCUE = 8
    KEEP = 9
    TRADE = 10
    SWITCH = 11

    @property
    def bit(self) -> int:
        """The action's bit in a legal mask."""
        return 1 << self.value

    @property
    def text(self) -> str:
        """The action's word, such as `split`."""
        return self.name.lower()

    @classmethod
    def parse(cls, text: str) -> Action:
        """An action by its word.

        >>> Action.parse("split")
        <Action.SPLIT: 3>
        """
        if text.upper() not in cls.__members__ or text != text.lower():
            names = [action.text for action in cls]
            guess = did_you_mean(text, names)
            raise UpcardError(f'"{text}" is not an action: the actions are {listed(names)}{guess}')
        return cls[text.upper()]


class Phase(StrEnum):
    """Every step that a round can have; the values are the procedures that clauses name."""

    BANK = "bank"
    WAGERS = "wagers"
    FEES = "fees"
    DEAL = "deal"
    TRADES = "trades"
    INSURANCE = "insurance"
    EARLY_SURRENDER = "early-surrender"
    PEEK = "peek"
    EXCHANGE = "exchange"
    TURNS = "turns"
    REVEAL = "reveal"
    DEALER = "dealer"
    SETTLE = "settle"
    STUD_ROUND = "stud-round"
    ROTATE = "rotate"


class Origin(StrEnum):
    """Where a hand comes from."""

    INITIAL = "initial"
    SPLIT = "split"
    SPLIT_ACES = "split-aces"


SPLIT_ORIGINS = (Origin.SPLIT, Origin.SPLIT_ACES)


class Context(NamedTuple):
    """When a hand is asked, where it comes from, of how many, and how often it was doubled."""

    phase: Phase
    origin: Origin
    hands: int
    doubles: int

    @property
    def is_turn(self) -> bool:
        return self.phase is Phase.TURNS

    @property
    def is_split(self) -> bool:
        return self.origin is not Origin.INITIAL


@dataclass(frozen=True)
class ContextAutomaton:
    """Contexts of a hand. Those before the turn exist only in games that have such an offer.

    `next[context, action]` is the context after an action on the same hand (-1: it ends, or the
    action does not exist there); `after_split[context, aces]` that of both hands after a split,
    with `aces` 1 if aces were split.
    """

    contexts: tuple[Context, ...]
    next: npt.NDArray[np.int16]
    after_split: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.contexts)

    def index(
        self,
        phase: Phase = Phase.TURNS,
        origin: Origin = Origin.INITIAL,
        hands: int = 1,
        doubles: int = 0,
    ) -> int:
        return self.contexts.index(Context(phase, origin, hands, doubles))

    def doubled(self, context: int) -> tuple[int, ...]:
        """A context and those after each double."""
        found = [context]
        while (after := self._once_more_doubled(found[-1])) != ENDED:
            found.append(after)
        return tuple(found)

    def _once_more_doubled(self, context: int) -> int:
        here = self.contexts[context]
        doubled = here._replace(doubles=here.doubles + 1)
        return self.contexts.index(doubled) if doubled in self.contexts else ENDED
