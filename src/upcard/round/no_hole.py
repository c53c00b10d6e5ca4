"""A dealer who has one card until all hands are played, and then draws the second."""

from __future__ import annotations

import numpy as np

from upcard.compile.payoff import LooksAt
from upcard.compile.tables import GameTables
from upcard.jit import stage
from upcard.money import BASE
from upcard.round.count_kernel import count_card
from upcard.round.kernel_types import (
    DREW,
    INSURED,
    ONE,
    SYMBOL,
    ZERO,
    Bools,
    Counting,
    Crowd,
    DealersCards,
    Dealing,
    Here,
    InsurancePlay,
    NoHole,
    Played,
    Returns,
    RoundRules,
    Stops,
    Top,
    Where,
)
from upcard.round.settle import DECK_CARDS, number_of
from upcard.round.shoe import take

UNTOLD = 0
"""In the place of a hand of two cards: no wager waits for the second, and none is drawn."""


def waiting_classes(tables: GameTables) -> Bools:
    """`[first or other hand, class, up]`: hands that the dealer's second card can still change."""
    by_hand = [
        [wager for wager, payoff in tables.payoffs.items() if payoff.per in looks]
        for looks in ((LooksAt.EACH_HAND, LooksAt.FIRST_HAND), (LooksAt.EACH_HAND,))
    ]
    assert all(BASE in wagers for wagers in by_hand)
    return np.array(
        [
            [
                [any(not tables.is_settled(w, own, up) for w in wagers) for up in ups]
                for own in range(len(tables.player_classes))
            ]
            for ups in [range(len(tables.alphabet))]
            for wagers in by_hand
        ]
    )


@stage
def second_card(
    rules: RoundRules,
    here: Here,
    no_hole: NoHole | None,
    crowd: Crowd | None,
    insurance: InsurancePlay | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    dealers: DealersCards | None,
    insured: Bools,
    where: Where,
    seats: np.uint64,
    up: np.uint64,
    place: np.uint64,
    played: Played,
    dealing: Dealing,
    top: Top,
) -> tuple[Top, int]:
    """What the dealer's first two cards come to; `place` is where the second one lies.

    One that is still to come is drawn if a wager waits for it, and else none is needed.
    """
    row = up * np.uint64(rules.symbols)
    if no_hole is None:
        return top, rules.begin[row + (where.cards[place] & SYMBOL)]
    if not no_hole.wanted:
        return top, rules.begin[row + (where.cards[place] & SYMBOL)]
    needed = played.matters
    if dealers is not None:
        needed = needed or dealers.wanted
    if not needed and no_hole.insures:
        needed = is_insured(no_hole, insurance, stops, insured, where, seats, up)
    if not needed and len(no_hole.asks) > 0:
        needed = wagers_wait(rules, no_hole, where, seats, place)
    if not needed:
        needed = hands_wait(here, no_hole, crowd, stops, where, seats, up, played)
    if not needed:
        # Wagers that nobody made are watched all the same: by the card that would have come.
        if stops is None:
            where.cards[place] = top.waiting
            begun = rules.begin[row + (top.waiting & SYMBOL)]
            if begun == -1 - rules.natural_class:
                return top, begun
        return top, UNTOLD
    code, top = take(dealing, returns, top)
    top = count_card(counting, top, code)
    where.cards[place] = code
    if stops is not None:
        stops.drawn[where.number, 0] = code
        stops.rows[where.number, DREW] = 1
        stops.seen[where.number, code & SYMBOL] += 1
    return top, rules.begin[row + (code & SYMBOL)]


@stage
def is_insured(
    no_hole: NoHole,
    insurance: InsurancePlay | None,
    stops: Stops | None,
    insured: Bools,
    where: Where,
    seats: np.uint64,
    up: np.uint64,
) -> bool:
    """Whether somebody's insurance waits for the dealer's second card."""
    if insurance is None:
        return bool(no_hole.offered[up])
    if stops is not None:
        return bool(stops.rows[where.number, INSURED] != 0)
    found = False
    if len(insured) > 0:
        for seat in range(seats):
            found = found or bool(insured[where.place * seats + seat])
    return found


@stage
def wagers_wait(
    rules: RoundRules, no_hole: NoHole, where: Where, seats: np.uint64, place: np.uint64
) -> bool:
    """Whether the dealer's second card matters to a wager on cards."""
    cards, deck, found = where.cards, np.uint64(DECK_CARDS), False
    up = number_of(cards[place - ONE])
    for seat in range(seats):
        mine = where.row + seat * np.uint64(rules.most)
        first = number_of(cards[mine]) * deck + number_of(cards[mine + ONE])
        found = found or bool(no_hole.asks[first * deck + up])
    return found


@stage
def hands_wait(
    here: Here,
    no_hole: NoHole,
    crowd: Crowd | None,
    stops: Stops | None,
    where: Where,
    seats: np.uint64,
    up: np.uint64,
    played: Played,
) -> bool:
    """Whether the dealer's second card matters to a hand."""
    classes, symbols = np.uint64(no_hole.classes), np.uint64(no_hole.symbols)
    if crowd is None and stops is None and played.hands == ONE:
        return bool(no_hole.waits[played.ended * symbols + up])
    found = False
    for seat in range(seats):
        mine = where.base + seat
        for hand in range(here.hands[mine]):
            role = ONE if hand else ZERO
            spot = (role * classes + here.final[mine, hand]) * symbols + up
            found = found or bool(no_hole.waits[spot])
    return found
