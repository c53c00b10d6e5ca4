"""What totals say: means with their errors, deviations, distributions, sessions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.simulate.blocks import DEPTHS, FURTHEST, SQUARES, SUM, N
from upcard.simulate.stakes import FEES, PRIZES

if TYPE_CHECKING:
    from upcard.simulate.job import Job
    from upcard.simulate.totals import Totals

Z_95 = 1.959963984540054
FEWEST_BLOCKS = 30
"""Fewer blocks say too little about the error: then it comes from the single rounds."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, and its 95 % interval."""

    value: float
    stderr: float

    @property
    def low(self) -> float:
        return self.value - Z_95 * self.stderr

    @property
    def high(self) -> float:
        return self.value + Z_95 * self.stderr

    def z(self, exact: float) -> float | None:
        """How many standard errors the mean is above an exact value."""
        return (self.value - exact) / self.stderr if self.stderr > 0 else None


@dataclass(frozen=True)
class WagerFigures:
    """One wager, in units of itself: of what was staked, or of its first stake.

    `made` counts wagers; `sd` is of one wager, with its own standard error; `hits` is how often it
    won something, and `by` how the error of the mean was found.
    """

    wager: str
    made: int
    ev: float
    stderr: float
    sd: float
    sd_stderr: float
    hits: Mean
    by: str

    @property
    def mean(self) -> Mean:
        return Mean(self.ev, self.stderr)


@dataclass(frozen=True)
class SessionFigures:
    """Sessions: `results` by net cents, `ruin` the chance of it, `path` quantiles by round."""

    sessions: int
    rounds: int
    bankroll: int
    mean: Mean
    sd: float
    ruin: Mean
    quantiles: Mapping[float, tuple[int, int, int]]
    ahead: Mean
    path: Sequence[tuple[int, Mapping[float, int]]]
    ruined_after: float | None


class Figures:
    """Reads the totals of a job. Money is in cents, means of wagers in units of the wager."""

    def __init__(self, job: Job, totals: Totals) -> None:
        self.job = job
        self.table = job.table
        self.totals = totals
        self.unit = job.table.unit
        self.slots = totals.rounds * job.table.seats

    @property
    def blocks(self) -> int:
        return int(self.totals.sums["blocks"][0])

    def wager(self, column: int) -> WagerFigures:
        """A column's figures; the base wager's with its prizes, where there are some."""
        table = self.table
        prizes = table.column(PRIZES)
        name = table.columns[column]
        with_prizes = column == 0 and prizes >= 0
        place = len(table.columns) + 1 if with_prizes else column
        made = sum(int(level[column]) for level in self.totals.sums["made"])
        staked = int(self.totals.sums["staked"][place])
        if not made:
            nothing = Mean(0.0, math.inf)
            return WagerFigures(name, 0, 0.0, math.inf, 0.0, math.inf, nothing, "nothing made")
        ev = int(self.totals.sums["total"][place]) / staked
        cross = self.totals.sums["cross"]
        squares = int(cross[column][column])
        if with_prizes:
            squares += 2 * int(cross[max(column, prizes)][min(column, prizes)])
            squares += int(cross[prizes][prizes])
        each = staked / made
        mean = int(self.totals.sums["total"][place]) / made
        sd = math.sqrt(max(0.0, squares / made - mean * mean)) / each
        stderr, by = self.block_error(place), "blocks"
        if self.blocks < FEWEST_BLOCKS:
            stderr, by = sd / math.sqrt(made), "rounds"
        hits = share(int(self.totals.sums["wins"][column]), made)
        return WagerFigures(name, made, ev, stderr, sd, self._sd_error(column, sd, made), hits, by)

    def per_base(self, column: int) -> Mean:
        """What a column brings a seat in a round, in base wagers."""
        sums, blocks = self.totals.sums, self.blocks
        base = int(sums["staked"][0])
        total, made = int(sums["total"][column]), self.slots
        squares = int(sums["cross"][column][column])
        sd = math.sqrt(max(0.0, squares / made - (total / made) ** 2))
        error = sd * math.sqrt(made)
        if blocks >= FEWEST_BLOCKS:
            error = self.per_round_error(column) * self.slots
        return Mean(total / base, error / base)

    def block_error(self, place: int) -> float:
        """The standard error of a ratio of sums over blocks: of results to stakes."""
        sums = self.totals.sums
        blocks = self.blocks
        if blocks < 2:
            return math.inf
        staked = int(sums["staked"][place])
        # Whole numbers as long as possible: these are small differences of large numbers.
        total = int(sums["total"][place])
        square = int(sums["total_squares"][place]) * staked * staked
        square -= 2 * total * staked * int(sums["total_staked"][place])
        square += total * total * int(sums["staked_squares"][place])
        variance = square / staked**2 * blocks / (blocks - 1)
        return math.sqrt(max(0.0, variance)) / staked

    def _sd_error(self, column: int, sd: float, made: int) -> float:
        """The standard error of a deviation; exact fourth powers only where results are counted."""
        if column != 0 or len(self.table.staked_wagers) > 1 or self.table.column(FEES) >= 0:
            return sd / math.sqrt(2 * made)
        results = self.totals.counts["results"]
        count = sum(results.values())
        mean = sum(value * n for value, n in results.items()) / count
        second = sum((value - mean) ** 2 * n for value, n in results.items()) / count
        fourth = sum((value - mean) ** 4 * n for value, n in results.items()) / count
        if second == 0:
            return 0.0
        return sd * math.sqrt(max(0.0, fourth / second**2 - 1) / count) / 2

    def covariance(self) -> list[list[float]]:
        """Between columns, each in units of its own wager, over a seat's rounds."""
        table, sums = self.table, self.totals.sums
        columns = len(table.columns)
        size = [self.amount(column) for column in range(columns)]
        means = [int(sums["total"][column]) / self.slots for column in range(columns)]
        found = [[0.0] * columns for _ in range(columns)]
        for one in range(columns):
            for other in range(columns):
                product = int(sums["cross"][max(one, other)][min(one, other)]) / self.slots
                raw = product - means[one] * means[other]
                found[one][other] = raw / size[one] / size[other]
        return found

    def amount(self, column: int) -> float:
        """A wager's size in units of money, on average; the base wager's for prizes and fees."""
        made = sum(int(level[column]) for level in self.totals.sums["made"])
        staked = int(self.totals.sums["staked"][column])
        if staked and made:
            return staked / made
        return max(1, int(self.table.amounts_in_units[0, 0]))

    def round(self) -> tuple[Mean, float]:
        """A seat's whole result in cents, everything staked, and its deviation."""
        place = len(self.table.columns)
        return self._cents(int(self.totals.sums["total"][place]), place)

    def _cents(self, total: int, place: int) -> tuple[Mean, float]:
        mean = total / self.slots
        square = int(self.totals.sums["cross"][place][place]) / self.slots
        sd = math.sqrt(max(0.0, square - mean * mean))
        error = sd / math.sqrt(self.slots)
        if self.blocks >= FEWEST_BLOCKS:
            error = self.per_round_error(place)
        return Mean(mean * self.unit, error * self.unit), sd * self.unit

    def per_round_error(self, place: int) -> float:
        """The standard error of a seat's mean result in a round, over blocks of like size."""
        sums, blocks = self.totals.sums, self.blocks
        total = int(sums["total"][place])
        square = int(sums["total_squares"][place]) * blocks - total * total
        variance = square / blocks / (blocks - 1) * blocks
        return math.sqrt(max(0.0, variance)) / self.slots

    def together(self, name: str) -> tuple[Mean, float]:
        """All seats together, or the bank: cents a round and the deviation."""
        count, total, squares = (int(one) for one in self.totals.sums[name])
        mean = total / count
        sd = math.sqrt(max(0.0, squares / count - mean * mean))
        return Mean(mean * self.unit, sd / math.sqrt(count) * self.unit), sd * self.unit

    def results(self) -> dict[int, Mean]:
        """How often a seat's round ends with so many cents."""
        counted = self.totals.counts["results"]
        whole = sum(counted.values())
        return {value * self.unit: share(counted[value], whole) for value in sorted(counted)}

    def by_depth(self) -> list[tuple[float, int, dict[str, Mean]]]:
        """By the share of the shoe that is gone: from where, rounds, and every wager."""
        return [
            (part / DEPTHS, *self._by("by_depth", part))
            for part in range(DEPTHS)
            if "by_depth" in self.totals.sums and int(self.totals.sums["by_depth"][part][0][N])
        ]

    def by_count(self) -> list[tuple[int, int, dict[str, Mean]]]:
        """By true count before the deal: rounds, and every wager in units of its size then."""
        return [
            (part - FURTHEST, *self._by("by_count", part))
            for part in range(2 * FURTHEST + 1)
            if "by_count" in self.totals.sums and int(self.totals.sums["by_count"][part][0][N])
        ]

    def _by(self, name: str, part: int) -> tuple[int, dict[str, Mean]]:
        rows = self.totals.sums[name][part]
        found = {}
        for column, wager in enumerate(self.table.columns):
            count = int(rows[column][N])
            if wager in (PRIZES, FEES) or not count:
                continue
            size = self._amount_at(name, part, column)
            mean = int(rows[column][SUM]) / count
            square = int(rows[column][SQUARES]) / count
            error = math.sqrt(max(0.0, square - mean * mean) / count)
            found[wager] = Mean(mean / size, error / size)
        return int(rows[0][N]), found

    def _amount_at(self, name: str, part: int, column: int) -> float:
        """A wager's size where rounds are told apart by the count, and so by their level."""
        if name != "by_count":
            return self.amount(column)
        true_count = part - FURTHEST
        level = max(
            n for n, step in enumerate(self.table.count.ramp) if step.at <= true_count or not n
        )
        return float(self.table.amounts_in_units[level, column])

    def sessions(self) -> SessionFigures | None:
        visit = self.job.visit
        if visit is None:
            return None
        count = int(self.totals.sums["sessions"][0])
        ends = Counter(
            {has * self.unit - visit.bankroll: n for has, n in self.totals.counts["path_9"].items()}
        )
        if not count:
            return None
        mean = sum(value * n for value, n in ends.items()) / count
        square = sum(value * value * n for value, n in ends.items()) / count
        sd = math.sqrt(max(0.0, square - mean * mean))
        ruined = self.totals.counts["ruined_after"]
        out = sum(ruined.values())
        return SessionFigures(
            sessions=count,
            rounds=visit.rounds,
            bankroll=visit.bankroll,
            mean=Mean(mean, sd / math.sqrt(count)),
            sd=sd,
            ruin=share(out, count),
            quantiles={q: quantile_interval(ends, q) for q in QUANTILES},
            ahead=share(sum(n for value, n in ends.items() if value > 0), count),
            path=[
                (
                    -(-(point + 1) * visit.rounds // 10),
                    {
                        q: quantile(self.totals.counts[f"path_{point}"], q) * self.unit
                        for q in QUANTILES
                    },
                )
                for point in range(10)
            ],
            ruined_after=sum(n * k for n, k in ruined.items()) / out if out else None,
        )


def share(hits: int, count: int) -> Mean:
    """A share and its standard error; that of none or all is what one hit more would make it."""
    if not count:
        return Mean(0.0, math.inf)
    value = hits / count
    spread = value * (1 - value)
    if spread == 0:
        spread = (1 / count) * (1 - 1 / count) if count > 1 else 1.0
    return Mean(value, math.sqrt(spread / count))


def quantile(counted: Mapping[int, int], q: float) -> int:
    """The smallest value that at least this share does not exceed.

    >>> quantile({-5: 2, 0: 1, 5: 1}, 0.5), quantile({-5: 2, 0: 1, 5: 1}, 0.75)
    (-5, 0)
    """
    whole = sum(counted.values())
    reached = 0
    value = 0
    for value in sorted(counted):
        reached += counted[value]
        if reached >= q * whole:
            break
    return value


def quantile_interval(counted: Mapping[int, int], q: float) -> tuple[int, int, int]:
    """A quantile, and the ends of its 95 % interval, by the ranks that chance allows."""
    whole = sum(counted.values())
    wide = Z_95 * math.sqrt(q * (1 - q) / whole)
    low, high = max(0.0, q - wide), min(1.0, q + wide)
    return quantile(counted, q), quantile(counted, low), quantile(counted, high)
