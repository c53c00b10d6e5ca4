"""A small job for tests of running: cheap coin tosses that depend on the seed and the block."""

from __future__ import annotations

import math
import os
import signal
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from upcard.simulate.totals import Totals, exact

CHANCE = 0.49
WIN = 10**12
"""An amount whose squares no fixed size holds."""


@dataclass(frozen=True)
class Coins:
    """Tosses of a coin; all of a block are drawn at once."""

    seed: int = 1
    block_rounds: int = 100_000
    pause: float = 0.0
    broken_at: int = -1
    breaks: type[Exception] = ValueError
    deadly: bool = False
    name: str = "coins"

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"game": "coins", "seed": self.seed, "blocks": {"rounds": self.block_rounds}}

    def play(self, first: int, blocks: int, last: int) -> Totals:
        assert blocks >= 1
        assert 1 <= last <= self.block_rounds
        time.sleep(self.pause)
        if self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        found = Totals()
        for block in range(first, first + blocks):
            if block == self.broken_at:
                raise self.breaks(f"block {block} is broken")
            rounds = last if block == first + blocks - 1 else self.block_rounds
            found += self._block(block, rounds)
        return found

    def _block(self, block: int, rounds: int) -> Totals:
        wins = int(np.random.default_rng((self.seed, block)).binomial(rounds, CHANCE))
        net = (2 * wins - rounds) * WIN
        return Totals(
            {"rounds": exact([rounds]), "net": exact([net, net * net])},
            {"round": Counter({WIN: wins, -WIN: rounds - wins}), "wins": Counter({wins: 1})},
        )

    def estimate(self, totals: Totals) -> tuple[float, float]:
        share = totals.counts["round"][WIN] / totals.rounds
        return 2 * share - 1, 1.96 * 2 * math.sqrt(share * (1 - share) / totals.rounds)
