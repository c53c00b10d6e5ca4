"""The suits of hands, where a bonus goes by them, and what suits and doubles make of a hand."""

from __future__ import annotations

import numpy as np

from upcard.compile.bonuses import SUIT_SETS
from upcard.jit import stage
from upcard.round.kernel_types import ONE, ZERO, BonusEnds, RoundRules, Where
from upcard.round.settle import number_of

_SETS = np.uint64(SUIT_SETS)


@stage
def begin_suits(
    bonuses: BonusEnds | None, rules: RoundRules, where: Where, seats: np.uint64
) -> None:
    """The suits of the first cards of every seat."""
    if bonuses is not None:
        if bonuses.wanted:
            first_up, most = np.uint64(rules.first_up), np.uint64(rules.most)
            for seat in range(seats):
                mine, row = where.base + seat, where.row + seat * most
                bonuses.first[mine, ZERO] = bonuses.suit[number_of(where.cards[row])]
                later = ZERO
                for place in range(ONE, first_up):
                    later |= bonuses.suit[number_of(where.cards[row + place])]
                bonuses.later[mine, ZERO] = later


@stage
def note_suit(bonuses: BonusEnds | None, mine: np.uint64, hand: np.uint64, code: np.uint64) -> None:
    """A card that comes to a hand."""
    if bonuses is not None:
        if bonuses.wanted:
            bonuses.later[mine, hand] |= bonuses.suit[number_of(code)]


@stage
def split_suits(
    bonuses: BonusEnds | None, mine: np.uint64, hand: np.uint64, hands: np.uint64
) -> None:
    """A hand's second card becomes the hand behind it; `hands` are those before the split."""
    if bonuses is not None:
        if bonuses.wanted:
            other = hands
            while other > hand + ONE:
                bonuses.first[mine, other] = bonuses.first[mine, other - ONE]
                other -= ONE
            bonuses.first[mine, hand + ONE] = bonuses.later[mine, hand]
            for one in range(hand, hands + ONE):
                bonuses.later[mine, one] = ZERO


@stage
def final_class(
    bonuses: BonusEnds | None,
    mine: np.uint64,
    hand: np.uint64,
    ended: np.uint64,
    doubles: np.uint64,
) -> np.uint64:
    """The class of a hand that ends as one by its ranks."""
    if bonuses is None:
        return ended
    if not bonuses.wanted:
        return ended
    found = ended if doubles == ZERO else bonuses.doubled[ended]
    suits = bonuses.first[mine, hand] | bonuses.later[mine, hand]
    return np.uint64(bonuses.refined[found * _SETS + suits])
