"""The next card of a hand in its turn."""

from __future__ import annotations

import numpy as np

from upcard.jit import stage
from upcard.round.count_kernel import count_card
from upcard.round.held_cards import hold_card
from upcard.round.kernel_types import (
    ONE,
    SYMBOL,
    Counting,
    Dealing,
    Here,
    Index,
    OwnCards,
    Returns,
    RoundRules,
    Stops,
    Top,
    Where,
)
from upcard.round.shoe import take


@stage
def next_card(
    rules: RoundRules,
    here: Here,
    own: OwnCards | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    where: Where,
    seat: Index,
    hand: np.uint64,
    dealing: Dealing,
    top: Top,
) -> tuple[np.uint64, Top]:
    """A hand's next card: one of its own down cards, or one of the shoe."""
    mine = where.base + seat
    of_its_own = False
    if own is not None:
        of_its_own = own.players
    if of_its_own:
        place = where.row + seat * np.uint64(rules.most) + here.turned[mine]
        code = np.uint64(where.cards[place])
        here.turned[mine] += ONE
    else:
        code, top = take(dealing, returns, top)
    top = count_card(counting, top, code)
    if stops is not None:
        stops.seen[where.number, code & SYMBOL] += 1
    if returns is not None:
        if dealing.holding:
            hold_card(code, mine, hand, returns)
    return code, top
