"""Counting cards while rounds are played."""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined, stage
from upcard.round.kernel_types import (
    NO_INDEX,
    ONE,
    WEIGHT_SHIFT,
    ZERO,
    Counting,
    Dealing,
    Glances,
    Index,
    Top,
)

_PERCENT = 100
_WEIGHT_SHIFT = np.int64(WEIGHT_SHIFT)


@inlined
def count_of(running: np.uint64) -> int:
    """The running count in hundredths, of a sum of cards."""
    return int(np.int64(running) >> _WEIGHT_SHIFT)


@inlined
def true_count(counting: Counting, size: np.uint64, running: int, gone: np.uint64) -> int:
    """The running count by decks left, rounded down; by itself without a divisor.

    Weights are in hundredths. A quotient of whole numbers so small is never rounded up to a whole
    number that it has not reached.
    """
    whole, parts = running, _PERCENT
    if counting.cards_a_deck != 0:
        left = max(1, int(np.int64(size - gone)))
        whole, parts = running * counting.cards_a_deck, _PERCENT * left
    return int(np.floor(whole / parts))


@stage
def counted_dealt(counting: Counting | None, number: Index, code: np.uint64) -> np.uint64:
    """What a card of the first deal adds to the sum of cards."""
    return ZERO if counting is None else glanced_at(counting.glances, number, code)


@stage
def glanced_at(glances: Glances | None, number: Index, code: np.uint64) -> np.uint64:
    """A card of the first deal, if somebody sees it now."""
    if glances is None:
        return code
    glances.unseen[0] += code & glances.later[number]
    at_once: np.uint64 = glances.at_once[number]
    return code & at_once


@stage
def count_card(counting: Counting | None, top: Top, code: np.uint64) -> Top:
    """A card that everybody sees."""
    running = top.running
    if counting is not None:
        running += code
    return Top(top.state, top.at, top.end, top.waiting, running)


@stage
def count_turned(counting: Counting | None, top: Top) -> Top:
    """The dealer's down cards are turned."""
    running = top.running
    if counting is not None:
        running += turned(counting.glances)
    return Top(top.state, top.at, top.end, top.waiting, running)


@stage
def turned(glances: Glances | None) -> np.uint64:
    """The cards that nobody saw so far, and sees now."""
    if glances is None:
        return ZERO
    found: np.uint64 = glances.unseen[0]
    glances.unseen[0] = ZERO
    return found


@stage
def level_of(counting: Counting | None, dealing: Dealing, top: Top) -> np.uint64:
    """The level of the wagers before the deal."""
    level = np.uint64(0)
    if counting is not None:
        if len(counting.level_at) > 1:
            count = true_count(counting, dealing.size, count_of(top.running), dealing.began)
            place = min(max(count - counting.lowest, 0), len(counting.level_at) - 1)
            level = counting.level_at[np.uint64(place)]
    return level


@stage
def departed(
    counting: Counting | None, dealing: Dealing, top: Top, place: np.uint64, choice: int
) -> int:
    """What is done after all, if the true count says so."""
    if counting is not None:
        if len(counting.from_count) > 0:
            count = true_count(counting, dealing.size, count_of(top.running), top.at - ONE)
            then = int(counting.then[place])
            choice = then if min(count, NO_INDEX - 1) >= counting.from_count[place] else choice
    return choice
