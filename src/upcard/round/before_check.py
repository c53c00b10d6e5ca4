"""What is decided before the dealer's check: trades, insurance, early surrender."""

from __future__ import annotations

import numpy as np

from upcard.jit import stage
from upcard.round.choices import chosen
from upcard.round.count_kernel import count_card, count_of, true_count
from upcard.round.held_cards import hold_card, put_away
from upcard.round.kernel_types import (
    BEGIN,
    ENDS,
    INSURED,
    INSURES_AT_RANDOM,
    INSURES_BY_COUNT,
    MASK,
    ONE,
    PLAYING,
    SEAT,
    SYMBOL,
    TWO,
    ZERO,
    Bools,
    Carried,
    Chance,
    Counting,
    Crowd,
    Dealing,
    EarlyPlay,
    Index,
    InsurancePlay,
    Pause,
    Returns,
    Stopping,
    Stops,
    TableCore,
    Top,
    Where,
)
from upcard.round.lights import light_up
from upcard.round.shoe import below, take

_TRADE, _INSURANCE, _FOLD = (
    int(Pause.TRADE),
    int(Pause.INSURANCE),
    int(Pause.EARLY_SURRENDER),
)


@stage
def player_of(crowd: Crowd | None, seat: Index) -> np.uint64:
    """Whose play a seat follows."""
    return ZERO if crowd is None else crowd.player[seat]


@stage
def seats_of(crowd: Crowd | None) -> np.uint64:
    return ONE if crowd is None else np.uint64(crowd.seats)


@stage
def asks_seat(stops: Stops | None, where: Where, seat: Index) -> None:
    """Write down which box of a round is asked."""
    if stops is not None:
        stops.rows[where.number, SEAT] = seat


@stage
def was_asked(
    stops: Stops | None, where: Where, seat: Index, at_stage: int, question: Stopping
) -> bool:
    """Whether a box has answered already, when a later one is asked the same."""
    if stops is None:
        return False
    return question.stage == at_stage and int(seat) < stops.rows[where.number, SEAT]


@stage
def trade(
    core: TableCore,
    crowd: Crowd | None,
    early: EarlyPlay | None,
    returns: Returns | None,
    carried: Carried | None,
    counting: Counting | None,
    chance: Chance | None,
    stops: Stops | None,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
    question: Stopping,
) -> tuple[Top, Stopping]:
    """Marked cards of the first deal are kept or traded."""
    if early is None:
        return top, question
    if not early.trades or question.stage > _TRADE:
        return top, question
    play, effects, here = core.play, core.effects, core.here
    nodes, symbols = np.uint64(play.nodes), np.uint64(core.rules.symbols)
    shows = np.uint64(core.rules.shows)
    for seat in range(seats_of(crowd)):
        mine = where.base + seat
        node = np.uint64(here.node[mine])
        while early.owed[node] or early.pending[node]:
            if early.owed[node]:
                code, top = take(dealing, returns, top)
                top = count_card(counting, top, code)
                if stops is not None:
                    stops.seen[where.number, code & SYMBOL] += 1
                if returns is not None:
                    if dealing.holding:
                        hold_card(code, mine, ZERO, returns)
                node = np.uint64(play.child[node * symbols + (code & SYMBOL)])
                continue
            spot = up * nodes + node
            choice = int(early.action[player_of(crowd, seat) * shows * nodes + spot])
            if chance is not None:
                choice, top, question = chosen(
                    chance.early_mask, spot, choice, _TRADE, stops, where, dealing, top, question
                )
                if question.halted:
                    asks_seat(stops, where, seat)
                    break
            if returns is not None:
                if dealing.holding and effects.discards[choice]:
                    put_away(dealing, returns, mine, ZERO)
            if carried is not None:
                light_up(carried, here, effects.lights[choice], mine, dealing.now)
            node = np.uint64(play.leads[np.uint64(choice) * nodes + node])
        here.node[mine] = node
        if question.halted:
            break
    return top, question


@stage
def insure(
    core: TableCore,
    crowd: Crowd | None,
    insurance: InsurancePlay | None,
    counting: Counting | None,
    stops: Stops | None,
    insured: Bools,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
    question: Stopping,
) -> tuple[Top, Stopping]:
    """Insurance, where it is offered."""
    if insurance is None:
        return top, question
    if question.stage > _INSURANCE or question.halted:
        return top, question
    seats = seats_of(crowd)
    for seat in range(seats):
        if was_asked(stops, where, seat, _INSURANCE, question):
            continue
        takes = insurance.offered[up]
        if insurance.takes == INSURES_AT_RANDOM and takes:
            state, side = below(top.state, dealing.step, TWO)
            top = Top(state, top.at, top.end, top.waiting, top.running)
            takes = side == ONE
        if counting is not None:
            if insurance.takes == INSURES_BY_COUNT and takes:
                count = true_count(counting, dealing.size, count_of(top.running), top.at - ONE)
                takes = count >= insurance.from_count
        if stops is None:
            if len(insured) > 0:
                insured[where.place * seats + seat] = takes
        else:
            if takes and question.stage == _INSURANCE:
                takes = core.effects.insures[question.answer]
                question = Stopping(BEGIN, 0, False)
            elif takes:
                takes, question = False, Stopping(_INSURANCE, 0, True)
                stops.rows[where.number, MASK] = insurance.mask
                asks_seat(stops, where, seat)
            if takes:
                stops.rows[where.number, INSURED] |= 1 << int(seat)
            if question.halted:
                break
    return top, question


@stage
def fold(
    core: TableCore,
    crowd: Crowd | None,
    early: EarlyPlay | None,
    chance: Chance | None,
    stops: Stops | None,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
    question: Stopping,
) -> tuple[Top, Stopping]:
    """Hands that are given up before the check."""
    if early is None:
        return top, question
    if question.stage > _FOLD or question.halted:
        return top, question
    effects, here = core.effects, core.here
    nodes, shows = np.uint64(core.play.nodes), np.uint64(core.rules.shows)
    for seat in range(seats_of(crowd)):
        if was_asked(stops, where, seat, _FOLD, question):
            continue
        mine = where.base + seat
        here.gone_as[mine] = PLAYING
        if early.folds:
            spot = up * nodes + np.uint64(here.node[mine])
            choice = int(early.action[player_of(crowd, seat) * shows * nodes + spot])
            if chance is not None:
                choice, top, question = chosen(
                    chance.early_mask, spot, choice, _FOLD, stops, where, dealing, top, question
                )
                if question.halted:
                    asks_seat(stops, where, seat)
                    break
            if effects.kind[choice] & ENDS:
                here.gone_as[mine] = effects.ends_early_as[choice]
    return top, question
