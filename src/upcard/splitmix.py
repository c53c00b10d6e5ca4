"""Random numbers for kernels: SplitMix64."""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The usual step from one state to the next."""


@inlined
def mix(z: np.uint64) -> np.uint64:
    """All bits of a number, well mixed."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
