"""What every action does, as flags for the kernel."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.effects import BY_CARDS, GOES_ON, Effects, Special
from upcard.money import INSURANCE
from upcard.round.kernel_types import (
    ACTIONS,
    BY_HOUSE,
    DRAWS,
    ENDS,
    ENDS_BY_CARDS,
    LEADS,
    MOVES,
    RAISES,
    SPLITS,
    Bytes,
    EffectFlags,
)


def action_flags(rows: Effects) -> EffectFlags:
    """The rows of a game's actions; of special moves, a card or the end."""
    ends = np.full(MOVES, GOES_ON, dtype=np.int64)
    ends[:ACTIONS] = rows.ends_as
    ends[Special.OVER] = BY_CARDS
    kind = np.zeros(MOVES, dtype=np.int32)
    kind[:ACTIONS] |= np.where(rows.draws > 0, DRAWS, 0)
    kind[:ACTIONS] |= np.where(rows.raises > 0, RAISES, 0)
    kind[:ACTIONS] |= np.where(rows.splits, SPLITS, 0)
    for action in Action:
        if (rows.leading | rows.splitting) & action.bit:
            kind[action] |= LEADS
    kind[Special.DRAW] = DRAWS
    kind |= np.where(ends >= 0, ENDS, 0)
    kind |= np.where(ends == BY_CARDS, ENDS_BY_CARDS, 0)
    for action in Action:
        if rows.house_stakes & action.bit:
            kind[action] |= BY_HOUSE
    plain = np.arange(MOVES, dtype=np.int8)
    plain[kind == DRAWS] = Special.DRAW
    plain[kind == ENDS_BY_CARDS] = Special.OVER
    insures = [wager == INSURANCE for wager in rows.wager]
    return EffectFlags(
        kind=kind,
        plain=plain,
        raises=_and_special(rows.raises).astype(np.uint64),
        ends_as=np.maximum(ends, 0).astype(np.uint64),
        ends_early_as=np.maximum([*rows.ends_early_as, *([0] * len(Special))], 0).astype(np.uint64),
        discards=_and_special(rows.discards),
        lights=_and_special(rows.lights),
        insures=np.array([*insures, *([False] * len(Special))]),
    )


def _and_special(values: npt.NDArray[np.int8]) -> Bytes:
    return np.concatenate([values, np.zeros(len(Special), dtype=np.int8)])
