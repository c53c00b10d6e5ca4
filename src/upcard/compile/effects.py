"""Effects: what every action does to a hand, as rows that all readers walk.

Whether an action may be taken stands in the legal table; what it then draws, adds to the stake,
ends, lights and leads to stands here, and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.action_rows import (
    BY_ITS_CARDS,
    ActionRows,
    AddedStake,
    Leads,
    Then,
    portion_units,
)
from upcard.compile.alphabet import Alphabet
from upcard.compile.arrays import frozen
from upcard.compile.context import ENDED, FREE_DOUBLE_LEVEL, Action, ContextAutomaton
from upcard.compile.ends import EndKind, FinalClass
from upcard.compile.hands import NONE, HandAutomaton


class Special(IntEnum):
    """What may stand where an action stands; the numbers go on behind those of `Action`."""

    DRAW = len(Action)
    """Nothing is decided: the next card comes."""
    OVER = len(Action) + 1
    """Nothing is decided: the hand is over, or goes on to what follows."""
    ANY = len(Action) + 2
    """Any of the legal actions, by chance."""
    ASK = len(Action) + 3
    """Whoever plays is asked."""


GOES_ON = -1
"""In the place of a final class: the hand goes on."""
BY_CARDS = -2
"""In the place of a final class: that of the hand's cards."""
_RAISES = {Then.DOUBLED: 1, Then.FREE_DOUBLED: FREE_DOUBLE_LEVEL}
NO_CLASS = -3
"""In the place of a final class: this game has none such, and not the action."""


class Step(NamedTuple):
    """What an action comes to for a hand in one state and context.

    The hand puts `discards` cards away, goes on from `state` and `context`, then draws; or it is
    over as the class `ends_as`, or as that of its cards. With `splits`, both hands go on there, the
    new one in its `new_context`: the house may have staked it.
    """

    state: int
    context: int
    new_context: int
    draws: int
    ends_as: int
    splits: bool
    discards: int
    lights: int


@dataclass(frozen=True)
class Effects:
    """What every action does, by its number.

    `draws[action]` cards come, `raises[action]` is by how many levels it doubles the hand, and
    `ends_as[action]` the final class, or GOES_ON, BY_CARDS or NO_CLASS; `ends_early_as[action]` is
    that of a hand which it ends before the check. `leads[action, state]` is
    the state that the hand goes on from, NONE where it does not. `discards[action]` is 1 where a
    marked card is put away and WHOLE_HAND where all cards are; `lights[action]` are lit.
    `stake[action]` is what it adds; `wager[action]` names another wager that it makes, if any.

    A stake has portions: the wager itself, then what each double added. A hand that ends as a class
    after so many doubles has its first `portions[class, doubles]` at stake, which come to
    `at_stake[class, doubles]` wagers if none was for less; the others are given back. Behind these
    levels come, where the house stakes hands, the same ones of such hands, which are
    `marker_level` higher. `house[level]` are the wagers that the house has staked.
    """

    draws: npt.NDArray[np.int8]
    raises: npt.NDArray[np.int8]
    ends_as: npt.NDArray[np.int16]
    ends_early_as: npt.NDArray[np.int16]
    splits: npt.NDArray[np.bool_]
    discards: npt.NDArray[np.int8]
    lights: npt.NDArray[np.int8]
    leads: npt.NDArray[np.int16]
    stake: tuple[AddedStake, ...]
    wager: tuple[str, ...]
    portions: npt.NDArray[np.int16]
    at_stake: npt.NDArray[np.int16]
    house: npt.NDArray[np.int16]
    contexts: ContextAutomaton
    pair_aces: npt.NDArray[np.int8]

    def step(self, state: int, context: int, action: Action) -> Step:
        """What an action comes to."""
        splits = bool(self.splits[action])
        after = (
            self.contexts.after_split[context, self.pair_aces[state]]
            if splits
            else self.contexts.next[context, action]
        )
        new = int(after)
        if splits and new != ENDED:
            by_house = self.stake[action].by_house
            new = self.contexts.with_marker(new) if by_house else self.contexts.with_money(new)
        return Step(
            state=int(self.leads[action, state]),
            context=int(after),
            new_context=new,
            draws=int(self.draws[action]),
            ends_as=int(self.ends_in(context)[action]),
            splits=splits,
            discards=int(self.discards[action]),
            lights=int(self.lights[action]),
        )

    def ends_in(self, context: int) -> npt.NDArray[np.int16]:
        """What every action ends a hand as in a context: in its turn, or before the check."""
        is_turn = self.contexts.contexts[context].is_turn
        return self.ends_as if is_turn else self.ends_early_as

    @property
    def drawing(self) -> int:
        """The legal mask of all actions that bring a card."""
        return sum(action.bit for action in Action if self.draws[action])

    @cached_property
    def exchanging(self) -> int:
        """The legal mask of all actions that only say what becomes of a card that waits."""
        return sum(
            action.bit for action in Action if self.leading & action.bit and not self.draws[action]
        )

    @cached_property
    def leading(self) -> int:
        """The legal mask of all actions that lead to other cards than there are, splits apart."""
        same = np.arange(self.leads.shape[1])
        leads = ((self.leads != same) & (self.leads != NONE)).any(axis=1) & ~self.splits
        return sum(action.bit for action in Action if leads[action])

    @property
    def ending(self) -> int:
        """The legal mask of all actions that end a hand as what its cards are not."""
        return sum(action.bit for action in Action if self.ends_as[action] >= 0)

    @property
    def wagering(self) -> int:
        """The legal mask of all actions that make another wager."""
        return sum(action.bit for action in Action if self.wager[action])

    @property
    def splitting(self) -> int:
        """The legal mask of all actions that make two hands of one."""
        return sum(action.bit for action in Action if self.splits[action])

    @property
    def house_stakes(self) -> int:
        """The legal mask of all actions whose stake is the house's."""
        return sum(action.bit for action in Action if self.stake[action].by_house)

    @property
    def levels(self) -> int:
        """How many levels of stakes a hand of the player's own has."""
        return int(self.portions.shape[1])

    @property
    def marker_level(self) -> int:
        """By how much the levels of hands are higher that the house staked; 0 if there are none."""
        return len(self.house) - self.levels

    def doubles_at(self, level: int) -> int:
        """How often a hand of a level was doubled, by whoever staked it."""
        own = level % self.levels
        return int(self.portions[:, own].max()) - 1 + int(self.house[own])

    def stake_level(self, context: int) -> int:
        """The level of what is staked on a hand in a context."""
        here = self.contexts.contexts[context]
        return here.level + (self.marker_level if here.marker else 0)


def build_effects(
    rows: ActionRows,
    alphabet: Alphabet,
    hands: HandAutomaton,
    contexts: ContextAutomaton,
    classes: tuple[FinalClass, ...],
) -> Effects:
    numbers = {found.name: number for number, found in enumerate(classes)}
    same = np.arange(len(hands), dtype=np.int16)
    nowhere = np.full(len(hands), NONE, dtype=np.int16)
    leads = {
        Leads.NOWHERE: nowhere,
        Leads.SAME: same,
        Leads.SPLIT: hands.split_to,
        Leads.KEEP: hands.keep,
        Leads.TRADE: hands.trade,
        Leads.EXCHANGED: hands.exchanged,
        Leads.REPLACED: hands.replaced,
        Leads.ACES_LOW: hands.aces_low,
    }
    ends = {"": GOES_ON, BY_ITS_CARDS: BY_CARDS, **numbers}
    aces = np.array([symbol.is_ace for symbol in alphabet.symbols], dtype=np.int8)
    portions = _portions(classes, contexts)
    units = np.cumsum([0, *portion_units(rows, int(portions.max()) - 1)])
    at_stake = units[portions].astype(np.int16)
    house = np.array(_by_level(contexts, "free_doubles"), dtype=np.int16)
    if contexts.has_markers:
        at_stake, house = np.hstack([at_stake, at_stake - 1]), np.hstack([house, house + 1])
    return Effects(
        draws=frozen(np.array([rows[action].draws for action in Action], dtype=np.int8)),
        raises=frozen(
            np.array([_RAISES.get(rows[action].then, 0) for action in Action], dtype=np.int8)
        ),
        ends_as=frozen(
            np.array([ends.get(rows[action].ends, NO_CLASS) for action in Action], dtype=np.int16)
        ),
        ends_early_as=frozen(
            np.array(
                [
                    ends.get(rows[action].ends_early or rows[action].ends, NO_CLASS)
                    for action in Action
                ],
                dtype=np.int16,
            )
        ),
        splits=frozen(
            np.array([rows[action].then is Then.SPLIT for action in Action], dtype=np.bool_)
        ),
        discards=frozen(np.array([rows[action].discards for action in Action], dtype=np.int8)),
        lights=frozen(np.array([rows[action].lights for action in Action], dtype=np.int8)),
        leads=frozen(np.stack([leads[rows[action].leads] for action in Action])),
        stake=tuple(rows[action].stake for action in Action),
        wager=tuple(rows[action].wager for action in Action),
        portions=frozen(portions),
        at_stake=frozen(at_stake),
        house=frozen(house),
        contexts=contexts,
        pair_aces=frozen(np.where(hands.pair_symbol >= 0, aces[hands.pair_symbol], 0)),
    )


def _portions(classes: tuple[FinalClass, ...], contexts: ContextAutomaton) -> npt.NDArray[np.int16]:
    """All portions are at stake, but for a rescue: it takes back what was doubled last."""
    doubles = np.array(_by_level(contexts, "doubles"), dtype=np.int16)
    found = np.tile(1 + doubles, (len(classes), 1))
    found[[number for number, one in enumerate(classes) if one.kind is EndKind.RESCUED]] -= 1
    return found


def _by_level(contexts: ContextAutomaton, field: str) -> list[int]:
    """How often hands were doubled, by their level."""
    chain = contexts.doubled(contexts.index())
    return [getattr(contexts.contexts[number], field) for number in chain]
