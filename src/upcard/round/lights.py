"""Lights that a seat lights, and the prizes that they win."""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined
from upcard.round.kernel_types import DRY, Carried, Here, Words


@inlined
def light_up(carried: Carried, here: Here, lights: int, seat: np.uint64, now: Words) -> None:
    """So many more lights for a seat, unless the round is void by now, and the prizes they win."""
    for _ in range(lights):
        void = now[DRY] != np.uint64(0)
        if not (void or (carried.prized[seat] and not carried.surplus_counts)):
            before = carried.lit[seat]
            carried.lit[seat] = carried.next[before]
            carried.prized[seat] |= carried.prize[before] > 0
            here.prize[seat] += carried.prize[before]
