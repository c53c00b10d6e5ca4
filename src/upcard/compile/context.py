"""The context automaton: what has been done with a hand, apart from its cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
    FREE_DOUBLE = 11
    FREE_SPLIT = 12
    SWITCH = 13
    REPLACE = 14

    @property
    def bit(self) -> int:
        """The action's bit in a legal mask."""
        return 1 << self.value

    @property
    def text(self) -> str:
        """The action's word, such as `split`."""
        return self.name.lower().replace("_", "-")

    @property
    def word(self) -> str:
        """What people say for it, whoever stakes what it adds.

        >>> Action.FREE_SPLIT.word, Action.FREE_SPLIT.text
        ('split', 'free-split')
        """
        return FREE.get(self, self).text

    @classmethod
    def parse(cls, text: str) -> Action:
        """An action by its word.

        >>> Action.parse("split")
        <Action.SPLIT: 3>
        """
        found = {action.text: action for action in cls}
        if text not in found:
            guess = did_you_mean(text, found)
            raise UpcardError(f'"{text}" is not an action: the actions are {listed(found)}{guess}')
        return found[text]


FREE: Mapping[Action, Action] = {
    Action.FREE_DOUBLE: Action.DOUBLE,
    Action.FREE_SPLIT: Action.SPLIT,
}
"""Actions for which the house stakes a marker, and what they are with the player's own money."""


def meant(action: Action, legal: Collection[Action]) -> Action:
    """The action that is meant by a word: whoever wants to double takes what the house stakes.

    >>> meant(Action.DOUBLE, (Action.HIT, Action.FREE_DOUBLE))
    <Action.FREE_DOUBLE: 11>
    """
    return next((one for one in legal if FREE.get(one) is action), action)


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


FREE_DOUBLE_LEVEL = 2
"""The level of hands that were doubled free: behind those that were not doubled, and doubled."""


class Context(NamedTuple):
    """When a hand is asked, where it comes from, of how many, and how often it was doubled.

    `doubles` are those with the player's money, `free_doubles` those that the house staked. With
    `marker` the hand itself has the house's marker in the place of a wager.
    """

    phase: Phase
    origin: Origin
    hands: int
    doubles: int
    free_doubles: int = 0
    marker: bool = False

    @property
    def level(self) -> int:
        """The number of what is staked on the hand: doubles, and a free double behind them.

        Where there are free doubles, hands are doubled once.
        """
        return self.doubles + FREE_DOUBLE_LEVEL * self.free_doubles

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
    with `aces` 1 if aces were split; where the house stakes the new one, that one's has its marker.
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
        """A context and those after each double, by their levels."""
        here = self.contexts[context]
        found = [
            (other.level, number)
            for number, other in enumerate(self.contexts)
            if other.level >= here.level
            and other._replace(doubles=here.doubles, free_doubles=here.free_doubles) == here
        ]
        return tuple(number for _, number in sorted(found))

    def with_marker(self, context: int) -> int:
        """The context of a hand that the house has staked."""
        return self.contexts.index(self.contexts[context]._replace(marker=True))

    def with_money(self, context: int) -> int:
        """The context of a hand that the player has staked."""
        return self.contexts.index(self.contexts[context]._replace(marker=False))

    @property
    def has_markers(self) -> bool:
        """Whether the house stakes hands of their own."""
        return any(context.marker for context in self.contexts)
