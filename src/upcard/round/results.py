"""How a round ends: the dealer's hand, and what the base wager of every seat came to."""

from __future__ import annotations

import numpy as np

from upcard.jit import stage
from upcard.round.count_kernel import count_card, count_turned
from upcard.round.kernel_types import (
    DREW,
    ONE,
    SYMBOL,
    TWO,
    ZERO,
    Carried,
    Counting,
    Crowd,
    DealersCards,
    Dealing,
    Here,
    Index,
    Kept,
    Out,
    OwnCards,
    Played,
    Returns,
    RoundRules,
    Stakes,
    Stops,
    Top,
    Where,
)
from upcard.round.shoe import take


@stage
def draw_dealer(
    rules: RoundRules,
    own: OwnCards | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    dealers: DealersCards | None,
    where: Where,
    begun: int,
    up: np.uint64,
    place: np.uint64,
    matters: bool,
    dealing: Dealing,
    top: Top,
) -> tuple[Top, np.uint64, bool]:
    """The dealer's final class, and whether it is told; `place` is that of the third card.

    A hand that no wager depends on is as good as any; so one test ends both cases.
    """
    top = count_turned(counting, top)
    if dealers is not None:
        if dealers.wanted:
            matters = True
            dealers.drew[where.place] = 0
    told = matters or begun < 0
    dealer = begun if told else rules.any_class[up]
    of_its_own = False
    if own is not None:
        of_its_own = own.dealers
    while dealer >= 0:
        if of_its_own:
            code = np.uint64(where.cards[place])
            place += ONE
        else:
            code, top = take(dealing, returns, top)
        top = count_card(counting, top, code)
        if stops is not None:
            drew = stops.rows[where.number, DREW]
            if drew < stops.drawn.shape[1]:
                stops.drawn[where.number, drew] = code
                stops.rows[where.number, DREW] += 1
            if not of_its_own:
                stops.seen[where.number, code & SYMBOL] += 1
        if dealers is not None:
            if dealers.wanted:
                drew_so_far = dealers.drew[where.place]
                row = where.place * np.uint64(dealers.most)
                dealers.drawn[row + np.uint64(drew_so_far)] = code
                dealers.drew[where.place] = drew_so_far + 1
        dealer = rules.dealer_next[np.uint64(dealer) + (code & SYMBOL)]
    return top, np.uint64(-1 - dealer), told


@stage
def level_of_seat(crowd: Crowd | None, level: np.uint64, seat: Index) -> np.uint64:
    """The level of a seat's wagers."""
    return level if crowd is None else level + crowd.level[seat]


@stage
def keep_hand(
    kept: Kept | None,
    slot: np.uint64,
    hand: np.uint64,
    ended: np.uint64,
    doubles: np.uint64,
    won: int,
) -> None:
    """Write down how a hand ended."""
    if kept is not None:
        at = slot * np.uint64(kept.most_hands) + hand
        kept.final[at], kept.doubles[at], kept.claims[at] = ended, doubles, won


@stage
def pay_base(
    stakes: Stakes,
    here: Here,
    crowd: Crowd | None,
    kept: Kept | None,
    stops: Stops | None,
    where: Where,
    seat: Index,
    slot: np.uint64,
    level: np.uint64,
    played: Played,
    result: np.uint64,
) -> int:
    """What a seat's hands won; `played` is the only seat's."""
    pays, most_doubles = stakes.pays, np.uint64(stakes.most_doubles)
    classes, ends = np.uint64(stakes.classes), np.uint64(stakes.ends)
    mine = where.base + seat
    own_level = level_of_seat(crowd, level, seat)
    if crowd is None and stops is None and played.hands == ONE:
        # Nearly always: what the only hand came to is still at hand.
        spot = (own_level * TWO * TWO + ONE) * most_doubles * classes + played.spot
        total = int(pays[spot * ends + result])
        keep_hand(kept, slot, ZERO, played.ended, played.doubles, total)
        return total
    total, charged = 0, False
    for hand in range(here.hands[mine]):
        ended, doubles = here.final[mine, hand], here.doubles[mine, hand]
        role = ONE if hand else ZERO
        flat = ZERO if stakes.flat_once and charged else ONE
        spot = ((own_level * TWO + role) * TWO + flat) * most_doubles + doubles
        won = int(pays[(spot * classes + ended) * ends + result])
        total += won
        if stakes.flat_once:
            charged |= stakes.flat[ended, result]
        keep_hand(kept, slot, np.uint64(hand), ended, doubles, won)
    return total


@stage
def pay_seats(
    stakes: Stakes,
    here: Here,
    crowd: Crowd | None,
    carried: Carried | None,
    kept: Kept | None,
    stops: Stops | None,
    where: Where,
    seats: np.uint64,
    level: np.uint64,
    played: Played,
    result: np.uint64,
    out: Out,
) -> None:
    """What every seat's base wager and lights came to."""
    for seat in range(seats):
        slot = where.place * seats + seat
        won = pay_base(stakes, here, crowd, kept, stops, where, seat, slot, level, played, result)
        out.net[ZERO, slot] = won
        if carried is not None:
            out.net[np.uint64(carried.column), slot] = here.prize[where.base + seat]
        if kept is not None:
            hands = here.hands[where.base + seat]
            if crowd is None and stops is None:
                hands = played.hands  # a hand that walked is written down nowhere else
            kept.hands[slot] = hands
