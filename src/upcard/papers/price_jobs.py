"""Prices as work for a cluster: some wagers of one table, priced by whoever has the same code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any

from upcard.compile.tables import GameTables
from upcard.simulate.cluster import Cluster
from upcard.simulate.silence import Say
from upcard.solve.readings import Evs, PriceKey, price_wagers
from upcard.solve.split import Mode

PRICED_FROM = ("upcard.papers.price_jobs",)
"""Where a worker's task begins."""
TICK_SECONDS = 0.1

Told = Callable[[int], None]


@dataclass(frozen=True)
class PriceJob:
    """Wagers of one table to be priced together, since they share its solution.

    Each has the key by which its price is known elsewhere.
    """

    tables: GameTables
    wagers: Mapping[str, PriceKey]
    bet: int
    mode: Mode

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the prices depend on, as JSON has it."""
        return {
            "game": self.tables.id,
            "fingerprint": self.tables.fingerprint,
            "wagers": list(self.wagers),
            "bet": self.bet,
            "mode": self.mode,
        }

    def play(self, first: int, blocks: int, last: int) -> Evs:  # noqa: ARG002
        """What a unit is worth of so many wagers from one on: a part is a whole wager."""
        wagers = islice(self.wagers, first, first + blocks)
        return price_wagers(self.tables, wagers, self.bet, self.mode)


def priced(jobs: Sequence[PriceJob], address: str, *, say: Say, told: Told) -> list[Evs]:
    """The prices of all jobs, in their order; `told` is called with how many are done."""
    with Cluster(jobs, address, code=PRICED_FROM, say=say) as workers:
        futures = [workers.submit(at, 0, len(job.wagers), 1) for at, job in enumerate(jobs)]
        left = set(futures)
        while left:
            told(len(futures) - len(left))
            done, left = wait(left, TICK_SECONDS, FIRST_COMPLETED)
            for future in done:
                future.result()  # what went wrong is told at once
            workers.capacity()  # so is that nobody works any more
        return [future.result() for future in futures]
