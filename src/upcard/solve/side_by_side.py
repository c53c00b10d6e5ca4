"""Working backwards through a graph of hands, from several shoes side by side.

What every action is worth is found, and which is best. A hand is looked up once for all shoes, and
the sums of one shoe do not wait for those of another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.effects import BY_CARDS, GOES_ON
from upcard.compile.hands import NONE
from upcard.jit import lasting, stage
from upcard.solve.play import (
    ACTIONS,
    DRAW,
    EQUAL,
    HAND_OVER,
    NEVER,
    Facing,
    HandRules,
    Hands,
    Pays,
    SolvedHands,
    against,
)

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]


LANES = 5
"""Shoes that are taken together where there are several: those of a split to four hands."""


class Lead(NamedTuple):
    """What backward play is given: the worth of splits, and scores to follow if there are any.

    `doubled[node]` has a bit for every number of doubles that a hand is wanted with.
    """

    split: Floats
    scores: Floats
    twin: Shorts
    doubled: Ints


class Beside(NamedTuple):
    """Shoes, `shoe[symbol, lane]`, and each node's chances of the dealer, `dealer_of[lane, node]`.

    There are as many as `lanes` has numbers: kernels are compiled for that many.
    """

    lanes: tuple[int, ...]
    shoe: Floats
    dealer_of: Ints


class LaneRoom(NamedTuple):
    """Room by lanes: the chances of the next card, `chances[symbol, lane]`, the factors of cards
    that the check rules out and of others, and what the next card is worth by doubles; the score of
    an action, the best action with its score, and what that one is worth; the chances of one lane.

    `stood` is what hands without doubles are worth that end by their cards. These are found first,
    all in a row: the dealer's chances lie far apart, and the processor fetches those of many hands
    at a time if nothing else is done in between.
    """

    chances: Floats
    of_hidden: Floats
    of_others: Floats
    drawn: Floats
    score: Floats
    best: Ints
    top: Floats
    worth: Floats
    alone: Floats
    stood: Floats


def lane_room(lanes: int, symbols: int, doubles: int, stood: tuple[int, int]) -> LaneRoom:
    """Room for so many lanes, and for so many hands that end."""
    return LaneRoom(
        chances=np.empty((symbols, lanes)),
        of_hidden=np.empty(lanes),
        of_others=np.empty(lanes),
        drawn=np.empty((doubles, lanes)),
        score=np.empty(lanes),
        best=np.empty(lanes, dtype=np.int64),
        top=np.empty(lanes),
        worth=np.empty(lanes),
        alone=np.empty(symbols),
        stood=np.empty(stood),
    )


@stage
def draw_beside(
    shoe: Floats,
    taken: npt.NDArray[np.int16],
    up: int,
    hidden: Bools,
    looks: int,
    step: float,
    begin: int,
    end: int,
    chances: Floats,
    of_hidden: Floats,
    of_others: Floats,
) -> None:
    """The chances of `draw_chances` for some lanes: `chances[symbol, lane]`."""
    for lane in range(begin, end):
        of_hidden[lane] = 0.0
        of_others[lane] = 0.0
    for symbol in range(len(taken)):
        gone = taken[symbol]
        less = step if symbol == up else 0.0
        if hidden[symbol]:
            for lane in range(begin, end):
                left = max(max(shoe[symbol, lane] - gone, 0.0) - less, 0.0)
                chances[symbol, lane] = left
                of_hidden[lane] += left
        else:
            for lane in range(begin, end):
                left = max(max(shoe[symbol, lane] - gone, 0.0) - less, 0.0)
                chances[symbol, lane] = left
                of_others[lane] += left
    for lane in range(begin, end):
        outside, inside = of_hidden[lane], of_others[lane]
        rest = inside + outside - looks * step
        own = 1.0 / rest if rest > 0 and inside > 0 else 0.0
        of_hidden[lane] = own
        of_others[lane] = own * max(rest - outside, 0.0) / inside if inside > 0 else 0.0
    for symbol in range(len(taken)):
        if hidden[symbol]:
            for lane in range(begin, end):
                chances[symbol, lane] *= of_hidden[lane]
        else:
            for lane in range(begin, end):
                chances[symbol, lane] *= of_others[lane]


@lasting
def backward(
    hands: Hands,
    facing: Facing,
    beside: Beside,
    rules: HandRules,
    pays: Pays,
    lead: Lead,
    room: LaneRoom,
    found: SolvedHands,
) -> None:
    """What every action is worth, and the choice of each hand, for several shoes side by side.

    With scores, that is the legal action with the best score of the node's twin, otherwise the one
    that is worth most. It is the first of equals, whichever of them rounding leaves a little more.
    """
    order, state, taken, child, moved, lit, _ = hands
    up, step, hidden, looks, _, dealers, settled, any_class, natural = facing
    lanes, shoe, dealer_of = beside
    rows, mask, legal_actions, drawing, player_class, busts, bust, lights = rules
    _, draws, raises, ends_as, splits, lighting = rows
    pay, reward = pays
    split, scores, twin, doubled = lead
    worth, value, choice = found
    nodes, doubles, _ = value.shape
    symbols = child.shape[1]
    chances, of_hidden, of_others, drawn, score, best, top, best_worth, _, stood = room
    count = len(lanes)
    follow = scores.shape[1] > 0
    most = len(reward) - 1
    for node in range(nodes):
        own = state[node]
        if busts[own]:
            continue
        for action in legal_actions[own, 0]:
            if action == NONE:
                break
            if ends_as[action] == BY_CARDS:
                final = player_class[own]
                for lane in range(count):
                    stood[node, lane] = against(
                        dealers[dealer_of[lane, node]],
                        pay[0, final],
                        settled[final],
                        any_class,
                        natural,
                    )
                break
    for rank in range(nodes - 1, -1, -1):
        node = order[rank]
        own = state[node]
        wanted = doubled[node]
        if node < worth.shape[2]:
            for lane in range(count):
                for d in range(doubles):
                    for action in range(ACTIONS):
                        worth[lane, d, node, action] = NEVER
        if busts[own]:
            for lane in range(count):
                dealer = dealers[dealer_of[lane, node]]
                for d in range(doubles):
                    value[node, d, lane] = against(
                        dealer, pay[d, bust], settled[bust], any_class, natural
                    )
                    choice[lane, d, node] = HAND_OVER
            continue
        light = reward[min(lit[node], most)]
        coming = 0
        for d in range(doubles):
            if wanted >> d & 1:
                coming |= drawing[own, d]
        if coming:
            draw_beside(
                shoe,
                taken[node],
                up,
                hidden,
                looks,
                step,
                0,
                count,
                chances,
                of_hidden,
                of_others,
            )
            for d in range(doubles):
                if coming >> d & 1 == 0:
                    continue
                for lane in range(count):
                    drawn[d, lane] = 0.0
                for symbol in range(symbols):
                    after = child[node, symbol]
                    if after == NONE:
                        continue
                    gained = light if lights[own, symbol] else 0.0
                    if after >= 0:
                        for lane in range(count):
                            then = gained + value[after, d, lane]
                            drawn[d, lane] += chances[symbol, lane] * then
                    else:
                        gained += pay[d, bust, any_class]
                        for lane in range(count):
                            drawn[d, lane] += chances[symbol, lane] * gained
        for d in range(doubles):
            if wanted >> d & 1 == 0:
                continue
            if mask[own, d] == 0:
                for lane in range(count):
                    value[node, d, lane] = drawn[d, lane]
                    choice[lane, d, node] = DRAW
                continue
            for lane in range(count):
                best[lane] = NONE
                top[lane] = NEVER
                best_worth[lane] = NEVER
            for action in legal_actions[own, d]:
                if action == NONE:
                    break
                final = ends_as[action]
                to = d + raises[action]
                after = moved[action, node]
                if final == BY_CARDS:
                    final = player_class[own]
                if splits[action]:
                    if split[node] == NEVER:
                        continue
                    for lane in range(count):
                        score[lane] = split[node]
                elif draws[action]:
                    for lane in range(count):
                        score[lane] = drawn[to, lane]
                elif final == GOES_ON:
                    if after == NONE:
                        continue
                    gained = light if lighting[action] else 0.0
                    for lane in range(count):
                        score[lane] = value[after, to, lane] + gained
                elif d == 0 and ends_as[action] == BY_CARDS:
                    for lane in range(count):
                        score[lane] = stood[node, lane]
                else:
                    for lane in range(count):
                        score[lane] = against(
                            dealers[dealer_of[lane, node]],
                            pay[d, final],
                            settled[final],
                            any_class,
                            natural,
                        )
                if node < worth.shape[2]:
                    for lane in range(count):
                        worth[lane, d, node, action] = score[lane]
                led = follow and twin[node] != NONE
                for lane in range(count):
                    rated = scores[d, twin[node], action] if led else score[lane]
                    if best[lane] == NONE or rated > top[lane] + EQUAL:
                        top[lane] = rated
                        best[lane] = action
                        best_worth[lane] = score[lane]
            for lane in range(count):
                choice[lane, d, node] = best[lane]
                value[node, d, lane] = best_worth[lane]
