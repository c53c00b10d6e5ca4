"""What is done where a policy leaves it open: by chance, or by whoever is asked."""

from __future__ import annotations

import numpy as np

from upcard.compile.effects import Special
from upcard.jit import kernel, stage
from upcard.round.kernel_types import (
    ACTIONS,
    BEGIN,
    MASK,
    Codes,
    Dealing,
    Stopping,
    Stops,
    Top,
    Where,
)
from upcard.round.shoe import below

_ANY, _ASK = int(Special.ANY), int(Special.ASK)


@kernel
def any_of(state: np.uint64, step: np.uint64, mask: int) -> tuple[np.uint64, int]:
    """The next random state, and one of the actions of a legal mask."""
    choices = 0
    for action in range(ACTIONS):
        choices += (mask >> action) & 1
    state, chosen = below(state, step, np.uint64(choices))
    which = int(chosen)
    found = 0
    for action in range(ACTIONS):
        if (mask >> action) & 1:
            if which == 0:
                found = action
            which -= 1
    return state, found


@stage
def chosen(
    masks: Codes,
    spot: np.uint64,
    choice: int,
    at_stage: int,
    stops: Stops | None,
    where: Where,
    dealing: Dealing,
    top: Top,
    question: Stopping,
) -> tuple[int, Top, Stopping]:
    """A policy's choice, chance's, or the answer; a question without one halts the round."""
    if choice == _ANY:
        state, choice = any_of(top.state, dealing.step, masks[spot])
        top = Top(state, top.at, top.end, top.waiting, top.running)
    if stops is not None:
        if choice == _ASK and question.stage == at_stage:
            choice, question = question.answer, Stopping(BEGIN, 0, False)
        elif choice == _ASK:
            stops.rows[where.number, MASK] = masks[spot]
            question = Stopping(at_stage, 0, True)
    return choice, top, question
