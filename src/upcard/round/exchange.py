"""Cards that the two boxes of a player exchange, after the check and before any turn."""

from __future__ import annotations

import numpy as np

from upcard.compile.effects import Special
from upcard.jit import stage
from upcard.round.before_check import seats_of
from upcard.round.choices import any_of
from upcard.round.kernel_types import (
    BEGIN,
    EXCHANGED,
    MASK,
    MOVES,
    ONE,
    SEAT,
    SYMBOL,
    TWO,
    Crowd,
    Dealing,
    ExchangePlay,
    Pause,
    Returns,
    Stopping,
    Stops,
    TableCore,
    Top,
    Where,
)

_ANY, _ASK = int(Special.ANY), int(Special.ASK)
_EXCHANGE, _TURN = int(Pause.EXCHANGE), int(Pause.TURN)
_SECOND = 1


@stage
def exchange_cards(
    core: TableCore,
    crowd: Crowd | None,
    exchange: ExchangePlay | None,
    returns: Returns | None,
    stops: Stops | None,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
    question: Stopping,
) -> tuple[Top, Stopping]:
    """Every two seats are one player's, who exchanges their second cards or leaves them.

    The cards of the first deal stay where they were dealt, for wagers on them; what a hand is
    stands in its node alone.
    """
    if exchange is None:
        return top, question
    if crowd is None:
        return top, question
    if len(exchange.action) == 0 or question.stage == _TURN:
        return top, question
    play, here, symbols = core.play, core.here, np.uint64(core.rules.symbols)
    nodes, most = np.uint64(play.nodes), np.uint64(core.rules.most)
    for pair in range(seats_of(crowd) // TWO):
        first = pair * TWO
        mine, other = where.row + first * most, where.row + (first + ONE) * most
        a, b = where.cards[mine] & SYMBOL, where.cards[mine + ONE] & SYMBOL
        c, d = where.cards[other] & SYMBOL, where.cards[other + ONE] & SYMBOL
        spot = (((up * symbols + a) * symbols + b) * symbols + c) * symbols + d
        choice = int(exchange.action[spot])
        if choice == _ANY:
            state, choice = any_of(top.state, dealing.step, exchange.mask)
            top = Top(state, top.at, top.end, top.waiting, top.running)
        if stops is not None:
            row = stops.rows[where.number]
            if choice == _ASK and question.stage == _EXCHANGE:
                choice, question = question.answer, Stopping(BEGIN, 0, False)
                row[EXCHANGED] = exchange.exchanges[choice]
            elif choice == _ASK:
                row[MASK], row[SEAT], question = exchange.mask, 0, Stopping(_EXCHANGE, 0, True)
                break
        if exchange.exchanges[choice]:
            b, d = d, b
            one, two = play.first_two[a * symbols + b], play.first_two[c * symbols + d]
            leads = np.uint64(choice) * nodes
            here.node[where.base + first] = play.leads[leads + np.uint64(one)]
            here.node[where.base + first + ONE] = play.leads[leads + np.uint64(two)]
            if returns is not None:
                if dealing.holding:
                    held, seat = returns.held, where.base + first
                    card = held[seat, 0, _SECOND]
                    held[seat, 0, _SECOND] = held[seat + ONE, 0, _SECOND]
                    held[seat + ONE, 0, _SECOND] = card
        if len(exchange.player) > 0:
            crowd.player[first] = exchange.player[c * symbols + d]
            crowd.player[first + ONE] = exchange.player[a * symbols + b]
    return top, question


NO_EXCHANGE = ExchangePlay(
    action=np.zeros(0, dtype=np.int8),
    mask=0,
    exchanges=np.zeros(MOVES, dtype=np.bool_),
    player=np.zeros(0, dtype=np.uint64),
)
"""Boxes that exchange nothing."""
