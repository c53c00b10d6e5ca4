"""Between gymnasium and the array machine: what is answered, seen and paid, in all rounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from upcard.jit import kernel
from upcard.round.kernel import NOTHING_MASK
from upcard.round.kernel_types import (
    ACTIONS,
    ANEW,
    CONTEXT,
    DOUBLES,
    DRY,
    END,
    EXCHANGED,
    HAND,
    HANDS,
    INSURED,
    LEAVE,
    MASK,
    NODE,
    SEAT,
    STAGE,
    UP,
    Bools,
    Bytes,
    Codes,
    Floats,
    Ints,
    Out,
    Pause,
    Stops,
)
from upcard.round.shoe import begin_stream

OBSERVED = (
    "phase",
    "up",
    "state",
    "context",
    "total",
    "soft",
    "cards",
    "pair",
    "pending",
    "doubles",
    "hand",
    "hands",
    "insured",
    "lit",
)
"""Observations in the order of rows in which the kernel writes them."""
BOXES = ("box", "first", "second", "other_first", "other_second")
"""Those of a player with two boxes besides: which is asked, and both boxes' first two cards."""
LABELS = ("total", "soft", "cards", "pair", "pending")
"""Those that a state of the hand automaton says by itself."""

OVER = int(Pause.OVER)


class Told(NamedTuple):
    """What one step says: an observation per row, and by environment what became of the round.

    `ending` are the last observations of rounds that ended, where another one begins at once.
    """

    seen_by: Ints
    ending: Ints
    masks: Bytes
    rewards: Floats
    ended: Bools
    illegal: Bools
    net: Ints
    dealer: Ints


@kernel
def seed_streams(
    stops: Stops, deck: Codes, lit: Ints, seeds: Ints, numbers: Ints, wanted: Ints
) -> None:
    """Some environments as new: a full shoe in order, no lights, streams of their own."""
    for place in range(len(wanted)):
        e = wanted[place]
        begin_stream(stops.streams[e], np.uint64(seeds[place]), np.uint64(numbers[place]))
        stops.streams[e, END] = np.uint64(0)
        stops.streams[e, DRY] = np.uint64(0)
        stops.decks[e, : len(deck)] = deck
        lit[e] = 0
        stops.seen[e, :] = 0
        stops.rows[e, STAGE] = OVER


@kernel
def first_refused(rows: Ints, actions: Ints, any_goes: bool, goes_on: bool) -> int:
    """The first environment whose action cannot be taken, or -1.

    With `any_goes` only what is no action at all is refused; with `goes_on` a round that is over
    takes any action.
    """
    for e in range(len(actions)):
        action = actions[e]
        if action < 0 or action >= ACTIONS:
            return e
        if rows[e, STAGE] == OVER:
            if not goes_on:
                return e
        elif not any_goes and not (rows[e, MASK] >> action) & 1:
            return e
    return -1


@kernel
def answer(rows: Ints, actions: Ints, choice: Ints, told: Told, penalty: float) -> None:
    """Actions as answers: behind a round that is over comes another, an illegal action ends one."""
    for e in range(len(actions)):
        action = actions[e]
        choice[e] = action
        if action in (LEAVE, ANEW):
            continue
        if rows[e, STAGE] == OVER:
            choice[e] = ANEW
        elif not (rows[e, MASK] >> action) & 1:
            told.illegal[e] = True
            told.ended[e] = True
            told.rewards[e] = -penalty
            rows[e, STAGE] = OVER
            choice[e] = LEAVE


@kernel
def next_rounds(rows: Ints, ended: Bools, choice: Ints) -> int:
    """Another round wherever one has ended; how many there are."""
    count = 0
    for e in range(len(choice)):
        choice[e] = LEAVE
        if ended[e] and rows[e, STAGE] == OVER:
            choice[e] = ANEW
            count += 1
    return count


@kernel
def observe(block: Ints, labels: Ints, rows: Ints, lit: Ints) -> None:
    """Write down what players see of their rounds, but for their boxes."""
    for e in range(block.shape[1]):
        row = rows[e]
        node = row[NODE]
        block[0, e] = row[STAGE]
        block[1, e] = row[UP]
        block[2, e] = node
        block[3, e] = row[CONTEXT]
        for label in range(5):
            block[4 + label, e] = labels[node, label]
        block[9, e] = row[DOUBLES]
        block[10, e] = min(row[HAND], row[HANDS] - 1)
        block[11, e] = row[HANDS]
        block[12, e] = (row[INSURED] >> row[SEAT]) & 1
        block[13, e] = lit[e]


def observe_boxes(block: Ints, rows: Ints, first: Ints) -> None:
    """Write down which of two boxes is asked, and the first two cards of both as they lie now;
    `first[round, box, place]` are those that were dealt.
    """
    exchanged = rows[:, EXCHANGED, None] != 0
    seconds = np.where(exchanged, first[:, ::-1, 1], first[:, :, 1])
    every, box = np.arange(len(rows)), rows[:, SEAT]
    block[0] = box
    for place, own in ((1, box), (3, 1 - box)):
        block[place], block[place + 1] = first[every, own, 0], seconds[every, own]


@kernel
def show_masks(rows: Ints, masks: Bytes) -> None:
    """Write down what may be answered; where a round is over, to go on."""
    for e in range(len(rows)):
        mask = NOTHING_MASK if rows[e, STAGE] == OVER else rows[e, MASK]
        for action in range(ACTIONS):
            masks[e, action] = (mask >> action) & 1


@kernel
def pay(stops: Stops, out: Out, columns: Ints, unit: int, bet: int, seats: int, told: Told) -> None:
    """Tell every environment whose round has ended what it came to, all its boxes together."""
    for number in range(stops.ended[0]):
        e = stops.of_round[number]
        total = 0
        for place in range(len(columns)):
            cents = 0
            for seat in range(number * seats, (number + 1) * seats):
                cents += out.net[columns[place], seat] * unit
            told.net[place, e] = cents
            total += cents
        told.rewards[e] = total / bet
