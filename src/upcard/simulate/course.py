"""The course of a run: what the base wager's mean was after more and more blocks.

Blocks are taken together in parts that grow with their number, as the points of a logarithmic scale
lie: some twenty for every tenfold. A part is a sum over its blocks, so it is the same in whatever
order they are played, and the longest run has a few hundred numbers of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from upcard.simulate.totals import Counts, exact

FEWEST_BLOCKS = 30
"""Fewer blocks say too little about the error: then it comes from the single rounds."""
PER_TENFOLD = 20
MOST_TENFOLD = 11
"""More blocks than the longest run has."""

ENDS = np.unique(
    np.ceil(10.0 ** (np.arange(MOST_TENFOLD * PER_TENFOLD + 1) / PER_TENFOLD)).astype(np.int64)
)
"""After how many blocks each part ends."""


class BlockSums(NamedTuple):
    """What blocks add up to for one wager, in units of money.

    `squares` are of single results; those behind it are sums over blocks: of totals squared, of
    totals times stakes, and of stakes squared.
    """

    blocks: int
    rounds: int
    made: int
    total: int
    staked: int
    squares: int
    total_squares: int
    total_staked: int
    staked_squares: int

    @property
    def ev(self) -> float:
        """What a unit of the wager brings."""
        return self.total / self.staked

    @property
    def sd(self) -> float:
        """The deviation of one wager, in units of its average size."""
        mean = self.total / self.made
        size = self.staked / self.made
        return math.sqrt(max(0.0, self.squares / self.made - mean * mean)) / size

    @property
    def by(self) -> str:
        """What the error of the mean is found by."""
        return "rounds" if self.blocks < FEWEST_BLOCKS else "blocks"

    def stderr(self, seats: int) -> float:
        """The standard error of the mean, where so many seats share a round."""
        if self.by == "rounds":
            return single_error(self.sd, self.made, seats)
        # Whole numbers as long as possible: these are small differences of large numbers.
        square = self.total_squares * self.staked * self.staked
        square -= 2 * self.total * self.staked * self.total_staked
        square += self.total * self.total * self.staked_squares
        variance = square / self.staked**2 * self.blocks / (self.blocks - 1)
        return math.sqrt(max(0.0, variance)) / self.staked


def single_error(sd: float, count: int, seats: int) -> float:
    """The standard error of a mean over seats' rounds; a single one says nothing about it."""
    return sd * math.sqrt(seats / (count - 1)) if count > 1 else math.inf


def course_of(
    first: int, rounds: Counts, made: Counts, total: Counts, staked: Counts, squares: Counts
) -> Counts:
    """The parts of some blocks from number `first` on, each with its rounds, wagers and sums."""
    parts = np.searchsorted(ENDS, first + np.arange(len(rounds)), side="right")
    found = exact(np.zeros((len(ENDS), len(BlockSums._fields)), dtype=np.int64))
    columns = (
        *(exact(np.ones(len(rounds), dtype=np.int64)), rounds, made, total, staked, squares),
        *(total * total, total * staked, staked * staked),
    )
    for part in np.unique(parts):
        found[part] = [column[parts == part].sum() for column in columns]
    return found


def so_far(course: Counts) -> Iterator[BlockSums]:
    """The sums after every part that was played: of all blocks up to its end."""
    reached = [0] * len(BlockSums._fields)
    for part in course:
        if part[0]:
            reached = [before + int(more) for before, more in zip(reached, part, strict=True)]
            yield BlockSums(*reached)
