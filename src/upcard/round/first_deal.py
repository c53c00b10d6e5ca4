"""How a round begins: the shoe, the level of the wagers, the first cards."""

from __future__ import annotations

import numpy as np

from upcard.jit import stage
from upcard.round.count_kernel import counted_dealt
from upcard.round.kernel_types import (
    ASIDE,
    AT,
    BEGAN,
    DRY,
    END,
    ONE,
    STATE,
    STEP,
    SYMBOL,
    TWO,
    WAITING,
    ZERO,
    Carried,
    Codes,
    Counting,
    Cut,
    Dealing,
    Here,
    OwnCards,
    Play,
    Returns,
    RoundRules,
    Stacked,
    Stops,
    Top,
    Where,
    Words,
)
from upcard.round.lights import light_up
from upcard.round.shoe import left_in, pick, pick_two, take
from upcard.splitmix import mix


@stage
def shoe_in_play(
    deck: Codes, now: Words, size: np.uint64, stacked: Stacked | None, holding: bool
) -> Dealing:
    """A shoe as it was left."""
    first, gone = ZERO, ONE
    if stacked is not None:
        first = np.uint64(stacked.cards)
        gone = ZERO if stacked.endless else ONE
    return Dealing(deck, now, size, now[STEP], first, gone, now[BEGAN], holding)


@stage
def top_of(now: Words, running: np.uint64) -> Top:
    """The top of a shoe as it was left."""
    return Top(now[STATE], now[AT], now[END], now[WAITING], running)


@stage
def leave_shoe(dealing: Dealing, top: Top) -> None:
    """Leave the shoe as it is."""
    now = dealing.now
    now[STATE], now[AT], now[END], now[WAITING] = top.state, top.at, top.end, top.waiting
    now[BEGAN] = dealing.began


@stage
def open_shoe(
    cut: Cut | None, returns: Returns | None, stops: Stops | None, dealing: Dealing, top: Top
) -> tuple[Dealing, Top, bool]:
    """The shoe of a new round, shuffled if it is time; and whether it was."""
    first, size, now = dealing.first, dealing.size, dealing.now
    state, at, end, waiting, running = top.state, top.at, top.end, top.waiting, top.running
    if cut is None:
        return dealing, Top(state, ZERO, size, waiting, running), True
    if returns is not None:  # where all parts are there, if only as nothing
        if cut.full:
            return dealing, Top(state, ZERO, size, waiting, ZERO), True
    anew = bool(cut.at == 0 or at > np.uint64(cut.at) + ONE or end != size)
    if anew:
        at, end, running = first, size, ZERO
        if returns is not None:
            now[DRY] = ZERO
    top = Top(state, at, end, waiting, running)
    if at == first:
        left = left_in(returns, top)
        state, waiting = pick(dealing.deck, state, dealing.step, at, left)
        top = Top(state, at + dealing.gone, end, waiting, running)
        for _ in range(cut.burn):
            _, top = take(dealing, returns, top)
    began, holding = top.at - ONE, False
    if returns is not None:
        now[ASIDE] = ZERO
        is_near = dealing.gone == ONE and size - began < np.uint64(returns.most_needed)
        holding = bool(is_near)
        if stops is not None:
            holding = True
    if first != ZERO:  # what is stacked is of this round
        began = ZERO
    return (
        Dealing(dealing.deck, now, size, dealing.step, first, dealing.gone, began, holding),
        top,
        anew,
    )


@stage
def first_cards(
    cut: Cut | None,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    deal_to: Words,
    where: Where,
    dealing: Dealing,
    top: Top,
    word: np.uint64,
    after: np.uint64,
) -> tuple[Top, np.uint64, np.uint64]:
    """The first deal, with the two random words that are ready; and two that are ready then."""
    if cut is None:
        return deal_fresh(deal_to, where, dealing, top, word, after)
    if returns is not None:
        if cut.full:
            return deal_fresh(deal_to, where, dealing, top, word, after)
    return deal_on(deal_to, returns, counting, stops, where, dealing, top, word, after)


@stage
def deal_fresh(
    deal_to: Words, where: Where, dealing: Dealing, top: Top, word: np.uint64, after: np.uint64
) -> tuple[Top, np.uint64, np.uint64]:
    """The first cards of a full shoe: two by every random word, two of which are always ready."""
    cards, row, deck, step = where.cards, where.row, dealing.deck, dealing.step
    state, at, size = top.state, top.at, dealing.size
    first_cards = np.uint64(len(deal_to))
    while at + ONE < first_cards:
        state, code, second = pick_two(deck, word, state, step, at, size - at)
        cards[row + deal_to[at]] = code
        cards[row + deal_to[at + ONE]] = second
        at += TWO
        state += step
        word, after = after, mix(state)
    if at < first_cards:
        state, code = pick(deck, state, step, at, size - at)
        cards[row + deal_to[at]] = code
        at += ONE
    state, waiting = pick(deck, state, step, at, size - at)
    return Top(state, at + ONE, top.end, waiting, top.running), word, after


@stage
def deal_on(
    deal_to: Words,
    returns: Returns | None,
    counting: Counting | None,
    stops: Stops | None,
    where: Where,
    dealing: Dealing,
    top: Top,
    word: np.uint64,
    after: np.uint64,
) -> tuple[Top, np.uint64, np.uint64]:
    """The first cards of a shoe that lasts, behind those that are stacked."""
    cards, row, deck, step = where.cards, where.row, dealing.deck, dealing.step
    first_cards, place = np.uint64(len(deal_to)), dealing.first
    running = top.running
    for stacked in range(place):
        cards[row + deal_to[stacked]] = deck[stacked]
        running += counted_dealt(counting, stacked, np.uint64(deck[stacked]))
    by_two = bool(dealing.gone == ONE and place < first_cards)
    if returns is not None:
        by_two = by_two and returns.shuffles and bool(top.at + first_cards < top.end)
    if stops is not None:
        by_two = False  # a seed of an environment deals what it always did
    if not by_two:
        while place < first_cards:
            code, top = take(dealing, returns, top)
            cards[row + deal_to[place]] = code
            running += counted_dealt(counting, place, code)
            place += ONE
        return (
            Top(top.state, top.at, top.end, top.waiting, running),
            word,
            after,
        )
    # As many as will do lie there: two at a time, the second of the last two waits.
    state, at, end, waiting = top.state, top.at, top.end, top.waiting
    cards[row + deal_to[place]] = waiting
    running += counted_dealt(counting, place, waiting)
    place += ONE
    while place + ONE < first_cards:
        state, code, second = pick_two(deck, word, state, step, at, end - at)
        cards[row + deal_to[place]] = code
        cards[row + deal_to[place + ONE]] = second
        running += counted_dealt(counting, place, code)
        running += counted_dealt(counting, place + ONE, second)
        place += TWO
        at += TWO
        state += step
        word, after = after, mix(state)
    if place < first_cards:
        state, code, waiting = pick_two(deck, word, state, step, at, end - at)
        cards[row + deal_to[place]] = code
        running += counted_dealt(counting, place, code)
        at += TWO
        state += step
        word, after = after, mix(state)
    else:
        state, waiting = pick(deck, state, step, at, end - at)
        at += ONE
    return Top(state, at, end, waiting, running), word, after


@stage
def lay_natural_first(
    rules: RoundRules, own: OwnCards | None, where: Where, dealers: np.uint64
) -> None:
    """A down card that makes a natural lies first of the dealer's, if any of several can."""
    if own is not None:
        cards, found = where.cards, rules.found
        first = dealers + ONE
        row = (cards[dealers] & SYMBOL) * np.uint64(rules.symbols)
        for further in range(1, own.looks):
            other = first + np.uint64(further)
            if found[row + (cards[other] & SYMBOL)] and not found[row + (cards[first] & SYMBOL)]:
                cards[first], cards[other] = cards[other], cards[first]


@stage
def first_hands(
    rules: RoundRules,
    play: Play,
    here: Here,
    own: OwnCards | None,
    carried: Carried | None,
    where: Where,
    seats: np.uint64,
    dealing: Dealing,
    was_void: bool,
) -> np.uint64:
    """What every seat was dealt, and the lights of it; the last seat's hand."""
    symbols, most = np.uint64(rules.symbols), np.uint64(rules.most)
    first_up, cards, base = np.uint64(rules.first_up), where.cards, where.base
    node = ZERO
    for seat in range(seats):
        mine = where.row + seat * most
        if carried is not None:
            carried.prized[base + seat] = False
            if not was_void:  # what was won in a void round stays won
                here.prize[base + seat] = 0
            node = np.uint64(play.start)
            for place in range(first_up):
                move = node * symbols + (cards[mine + place] & SYMBOL)
                light_up(carried, here, carried.light[move], base + seat, dealing.now)
                node = np.uint64(play.child[move])
        one, two = cards[mine] & SYMBOL, cards[mine + ONE] & SYMBOL
        node = np.uint64(play.first_two[one * symbols + two])
        for place in range(TWO, first_up):
            node = np.uint64(play.child[node * symbols + (cards[mine + place] & SYMBOL)])
        here.node[base + seat] = node
        if own is not None:
            here.turned[base + seat] = first_up
    return node
