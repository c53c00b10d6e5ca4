"""The third card of a seat's first hand, where a wager looks at it."""

from __future__ import annotations

import numpy as np

from upcard.compile.card_sets import CARDS
from upcard.jit import stage
from upcard.round.kernel_types import (
    ONE,
    ZERO,
    Counting,
    Dealing,
    Here,
    Index,
    OwnCards,
    Returns,
    RoundRules,
    Stops,
    ThirdCards,
    Top,
    Where,
)
from upcard.round.next_card import next_card
from upcard.round.settle import number_of

_DECK = np.uint64(CARDS)


@stage
def begin_thirds(thirds: ThirdCards | None, where: Where, seats: np.uint64) -> None:
    """No seat has a third card yet."""
    if thirds is not None:
        for seat in range(seats):
            thirds.here[where.base + seat] = 0


@stage
def note_third(
    thirds: ThirdCards | None, mine: np.uint64, hand: np.uint64, code: np.uint64
) -> None:
    """The next card of a first hand is its third, if it has none yet."""
    if thirds is not None:
        if hand == ZERO and thirds.here[mine] == 0:
            thirds.here[mine] = int(number_of(code)) + 1


@stage
def third_after_all(
    rules: RoundRules,
    here: Here,
    own: OwnCards | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    thirds: ThirdCards | None,
    where: Where,
    seat: Index,
    dealing: Dealing,
    top: Top,
) -> Top:
    """A third card that is dealt for the wager alone, if it matters and the hand drew none."""
    if thirds is not None:
        mine = where.base + seat
        first = where.row + seat * np.uint64(rules.most)
        two = number_of(where.cards[first]) * _DECK + number_of(where.cards[first + ONE])
        if thirds.guaranteed and thirds.here[mine] == 0 and thirds.matters[two]:
            if not thirds.forfeits[here.final[mine, ZERO]]:
                code, top = next_card(
                    rules, here, own, returns, counting, stops, where, seat, ZERO, dealing, top
                )
                note_third(thirds, mine, ZERO, code)
    return top


@stage
def thirds_after_check(
    rules: RoundRules,
    here: Here,
    own: OwnCards | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    thirds: ThirdCards | None,
    where: Where,
    seats: np.uint64,
    dealing: Dealing,
    top: Top,
) -> Top:
    """Third cards that are dealt though the dealer's natural has ended the hands."""
    if thirds is not None:
        for seat in range(seats):
            top = third_after_all(
                rules, here, own, returns, counting, stops, thirds, where, seat, dealing, top
            )
    return top


@stage
def keep_thirds(thirds: ThirdCards | None, where: Where, seats: np.uint64) -> None:
    """Write down the third cards of a round that has ended."""
    if thirds is not None:
        if thirds.wanted:
            for seat in range(seats):
                thirds.thirds[where.place * seats + seat] = thirds.here[where.base + seat]
