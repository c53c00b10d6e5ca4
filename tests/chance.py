"""Chance in tests: the same for everybody in `make test`, another every time in `make fuzz`.

A test that draws takes its dice or its examples from here and is marked `chance`, so that
`make fuzz` finds it. Without UPCARD_FUZZ every seed is fixed.
"""

from __future__ import annotations

import os
import random
import time

import hypothesis
import numpy as np
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

FUZZ = os.environ.get("UPCARD_FUZZ", "")
"""The seed of a search; empty where every run must be the same."""
UNTIL = float(os.environ.get("UPCARD_FUZZ_UNTIL", "inf"))
"""When the search ends, in seconds of the system's clock."""
DEEPER = 4
"""How many times as many examples a search looks at."""


def dice(seed: int | str) -> random.Random:
    """Dice by a fixed seed, and in a search by its seed too."""
    return random.Random(word(str(seed)) if FUZZ else seed)


class SmallDice(random.Random):
    """Dice whose every throw hypothesis may make nothing, so that a failing example becomes small.

    Hypothesis' own dice like to fall alike: of 60 shoes 20 were different, and no pair was split.
    """

    def __init__(self, example: st.DataObject, seed: int) -> None:
        super().__init__()
        self.example = example
        self.even = random.Random(seed)

    def random(self) -> float:
        thrown = self.even.random()
        return thrown if self.counts() else 0.0

    def getrandbits(self, k: int, /) -> int:
        thrown = self.even.getrandbits(k)
        return thrown if self.counts() else 0

    def counts(self) -> bool:
        return bool(self.example.conjecture_data.draw_boolean(COUNTING))


COUNTING = 0.99
"""The share of throws that are left alone in a first example."""
DICE = st.builds(SmallDice, st.data(), st.integers(0, 2**64 - 1))


def numbers(*seed: int) -> np.random.Generator:
    """As dice, for arrays."""
    return np.random.default_rng([*seed, *FUZZ.encode()])


def word(seed: str) -> str:
    """A seed for what takes a word."""
    return f"{seed}/{FUZZ}" if FUZZ else seed


def examples(number: int, *, steps: int = 50) -> hypothesis.settings:
    """So many examples of a property, more in a search; however slow they are."""
    return hypothesis.settings(
        max_examples=number * DEEPER if FUZZ else number,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def load_profile() -> None:
    """Examples that depend on the test alone: not on luck, a database, or where it is run."""
    hypothesis.settings.register_profile(
        "same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    hypothesis.settings.register_profile(
        "search", hypothesis.settings.get_profile("same"), derandomize=False, database=None
    )
    hypothesis.settings.load_profile("search" if FUZZ else "same")
    # Hypothesis likes to draw constants that it finds in loaded modules, but none from folders
    # called tests: examples would depend on the checkout's name and on what ran before.
    vars(providers)["is_local_module_file"] = _nothing_is_local


def _nothing_is_local(_: str) -> bool:
    return False


def time_is_up() -> bool:
    """Whether a search has used up its time."""
    return time.time() >= UNTIL
