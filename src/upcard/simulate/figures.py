"""What totals say: means with their errors, deviations, distributions, sessions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from upcard.money import INSURANCE
from upcard.round.stakes import FEES, PRIZES
from upcard.simulate.blocks import DEPTHS, FURTHEST, SQUARES, STAKED, SUM, N
from upcard.simulate.course import FEWEST_BLOCKS, BlockSums, single_error, so_far
from upcard.simulate.job import POINTS

if TYPE_CHECKING:
    from upcard.simulate.job import Job
    from upcard.simulate.totals import Totals

Z_95 = 1.959963984540054
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
POOR = 10.0
"""Means whose interval is so many times as wide as the narrowest say nothing beside it."""


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, and its 95 % interval."""

    value: float
    stderr: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return Z_95 * self.stderr

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.value + self.half_width

    def z(self, exact: float) -> float | None:
        """How many standard errors the mean is above an exact value."""
        return (self.value - exact) / self.stderr if self.stderr > 0 else None


@dataclass(frozen=True)
class Share(Mean):
    """A share of so many independent cases; its interval is Wilson's, which never leaves 0 to 1."""

    cases: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        if not self.cases:
            return 0.5
        inside = self.value * (1 - self.value) / self.cases + (Z_95 / self.cases / 2) ** 2
        return Z_95 * math.sqrt(inside) / self._shrinks

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return max(0.0, self._middle - self.half_width)

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return min(1.0, self._middle + self.half_width)

    @property
    def _middle(self) -> float:
        if not self.cases:
            return 0.5
        return (self.value + Z_95**2 / self.cases / 2) / self._shrinks

    @property
    def _shrinks(self) -> float:
        return 1 + Z_95**2 / self.cases


class Quantile(NamedTuple):
    """A quantile in cents, and the ends of its 95 % interval."""

    value: int
    low: int
    high: int


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
    hits: Share
    by: str

    @property
    def mean(self) -> Mean:
        """The expected value with its error."""
        return Mean(self.ev, self.stderr)


@dataclass(frozen=True)
class SessionFigures:
    """Sessions, in net cents: `ruin` is the chance of it, `path` are quantiles by round.

    `ruined_after` is in which round, of those that were. `prize_in_kind` is what a prize is that is
    no money: it is in none of the figures.
    """

    sessions: int
    rounds: int
    bankroll: int
    mean: Mean
    sd: Mean
    ruin: Share
    ahead: Share
    path: Sequence[tuple[int, Mapping[float, Quantile]]]
    ruined_after: Mean | None
    prize_in_kind: str

    @property
    def quantiles(self) -> Mapping[float, Quantile]:
        """At the end of the session."""
        return self.path[-1][1]


class Figures:
    """Reads the totals of a job. Money is in cents, means of wagers in units of the wager.

    The seats of a round share the dealer's hand, so they are not independent. Where an error comes
    from single rounds, all seats of one count as one: that is the most that it can be.
    """

    def __init__(self, job: Job, totals: Totals) -> None:
        self.job = job
        self.table = job.table
        self.totals = totals
        self.unit = job.table.unit
        self.slots = totals.rounds * job.table.seats

    @property
    def blocks(self) -> int:
        """Blocks of rounds that were played."""
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
            return WagerFigures(name, 0, 0.0, math.inf, 0.0, math.inf, share(0, 0), "nothing made")
        cross = self.totals.sums["cross"]
        squares = int(cross[column][column])
        if with_prizes:
            squares += 2 * int(cross[max(column, prizes)][min(column, prizes)])
            squares += int(cross[prizes][prizes])
        sums = ("total_squares", "total_staked", "staked_squares")
        found = BlockSums(
            self.blocks,
            self.totals.rounds,
            made,
            int(self.totals.sums["total"][place]),
            staked,
            squares,
            *(int(self.totals.sums[one][place]) for one in sums),
        )
        hits = share(int(self.totals.sums["wins"][column]), made, table.seats)
        sd_error = self._sd_error(column, with_prizes, found.sd, made)
        stderr = found.stderr(table.seats)
        return WagerFigures(name, made, found.ev, stderr, found.sd, sd_error, hits, found.by)

    def course(self) -> list[tuple[int, Mean]]:
        """The base wager's mean after more and more rounds, up to what it came to."""
        sums, seats = self.totals.sums, self.table.seats
        # A run that goes on with an old checkpoint lacks the beginning.
        if "course" not in sums or sum(sums["course"][:, 0]) != self.blocks:
            return []
        return [
            (found.rounds, Mean(found.ev, found.stderr(seats))) for found in so_far(sums["course"])
        ]

    def _error(self, sd: float, count: int) -> float:
        """The standard error of a mean over seats' rounds; a single one says nothing about it."""
        return single_error(sd, count, self.table.seats)

    def per_base(self, column: int) -> Mean:
        """What a column brings a seat in a round, in base wagers."""
        sums, blocks = self.totals.sums, self.blocks
        base = int(sums["staked"][0])
        total, made = int(sums["total"][column]), self.slots
        squares = int(sums["cross"][column][column])
        sd = math.sqrt(max(0.0, squares / made - (total / made) ** 2))
        error = self._error(sd, made) * made
        if blocks >= FEWEST_BLOCKS:
            error = self.per_round_error(column) * self.slots
        return Mean(total / base, error / base)

    def _sd_error(self, column: int, with_prizes: bool, sd: float, made: int) -> float:
        """The standard error of a wager's deviation, or the most that it can be.

        Only what a seat's round comes to is counted by result, so only the fourth moment of that is
        known; no fourth moment is more than the second times the square of the furthest result.
        """
        if not sd:
            return 0.0 if made > 1 else math.inf
        table = self.table
        alone = column == 0 and len(table.staked_wagers) == 1 and table.column(FEES) < 0
        if alone and (with_prizes or table.column(PRIZES) < 0) and len(table.bets) == 1:
            kurtosis = _kurtosis(self.totals.counts["results"])
        else:
            low, high = self._furthest(column)
            mean = int(self.totals.sums["total"][column]) / made
            kurtosis = max(high - mean, mean - low) ** 2 / (sd * self.amount(column)) ** 2
        return _deviation_error(sd, kurtosis, made / table.seats)

    def _furthest(self, column: int) -> tuple[int, int]:
        """The least and the most that a wager can bring, in units of money."""
        table = self.table
        name = table.columns[column]
        if column == 0:
            pays = table.stakes.pays
            return int(pays.min()) * table.most_hands, int(pays.max()) * table.most_hands
        insurance = table.insurance()
        if name == INSURANCE and insurance is not None:
            return int(insurance.pays.min()), int(insurance.pays.max())
        return table.extremes(name)

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

    def covariance_errors(self) -> list[list[float]]:
        """The standard errors of the covariances, by how much blocks differ in their products."""
        sums, columns = self.totals.sums, len(self.table.columns)
        size = [self.amount(column) * math.sqrt(self.table.seats) for column in range(columns)]
        found = [[math.inf] * columns for _ in range(columns)]
        for one in range(columns if self.blocks >= FEWEST_BLOCKS else 0):
            for other in range(columns):
                place = (max(one, other), min(one, other))
                over = (sums[name][place] for name in ("cross", "cross_squares", "cross_lengths"))
                found[one][other] = self._by_length(*over) / size[one] / size[other]
        return found

    def amount(self, column: int) -> float:
        """A wager's size in units of money, on average; the base wager's for prizes and fees."""
        made = sum(int(level[column]) for level in self.totals.sums["made"])
        staked = int(self.totals.sums["staked"][column])
        if staked and made:
            return staked / made
        return max(1, int(self.table.amounts_in_units[0, 0]))

    def round(self) -> tuple[Mean, Mean]:
        """A seat's whole result in cents, everything staked, and its deviation."""
        place = len(self.table.columns)
        mean = int(self.totals.sums["total"][place]) / self.slots
        square = int(self.totals.sums["cross"][place][place]) / self.slots
        sd = math.sqrt(max(0.0, square - mean * mean))
        error = self._error(sd, self.slots)
        if self.blocks >= FEWEST_BLOCKS:
            error = self.per_round_error(place)
        spread = _deviation_error(sd, self._kurtosis, self.totals.rounds)
        unit = self.unit
        return Mean(mean * unit, error * unit), Mean(sd * unit, spread * unit)

    @property
    def _kurtosis(self) -> float:
        """Of a seat's result."""
        return _kurtosis(self.totals.counts["results"])

    def per_round_error(self, place: int) -> float:
        """The standard error of a seat's mean result in a round, over blocks."""
        sums = self.totals.sums
        squares, lengths = sums["total_squares"][place], sums["total_lengths"][place]
        return self._by_length(sums["total"][place], squares, lengths) / self.table.seats

    def _by_length(self, total: int, squares: int, lengths: int) -> float:
        """The standard error of what a round brings, over blocks of so many rounds.

        `squares` and `lengths` are sums over blocks: of totals squared, and times their rounds.
        """
        rounds, blocks = self.totals.rounds, self.blocks
        if blocks < 2:
            return math.inf
        square = int(squares) * rounds**2 - 2 * int(total) * rounds * int(lengths)
        square += int(total) ** 2 * int(self.totals.sums["length_squares"][0])
        variance = square / rounds**2 * blocks / (blocks - 1)
        return math.sqrt(max(0.0, variance)) / rounds

    def together(self, name: str) -> tuple[Mean, Mean]:
        """All seats together, or the bank: cents a round and the deviation."""
        count, total, squares = (int(one) for one in self.totals.sums[name])
        mean = total / count
        sd = math.sqrt(max(0.0, squares / count - mean * mean))
        error = sd / math.sqrt(count - 1) if count > 1 else math.inf
        if self.blocks >= FEWEST_BLOCKS:
            seats, all_staked = self.table.seats, len(self.table.columns)
            error = seats * self.per_round_error(all_staked)
            if name == "bank":
                error = self._by_length(total, *self.totals.sums["bank_blocks"])
        # The fourth moment of a sum is at most that of as many results that are all the same.
        _, one = self.round()
        ratio = self.table.seats * one.value / self.unit / sd if sd else 1.0
        spread = _deviation_error(sd, self._kurtosis * ratio**4, count)
        unit = self.unit
        return Mean(mean * unit, error * unit), Mean(sd * unit, spread * unit)

    def results(self) -> dict[int, Share]:
        """How often a seat's round ends with so many cents."""
        counted = self.totals.counts["results"]
        whole = sum(counted.values())
        seats = self.table.seats
        return {value * self.unit: share(counted[value], whole, seats) for value in sorted(counted)}

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
            size = int(rows[column][STAKED]) / count
            mean = int(rows[column][SUM]) / count
            square = int(rows[column][SQUARES]) / count
            spread = math.sqrt(max(0.0, square - mean * mean))
            # A few results that are all alike say nothing about the others.
            error = self._error(spread, count) if spread else math.inf
            found[wager] = Mean(mean / size, error / size)
        return int(rows[0][N]), found

    def sessions(self) -> SessionFigures | None:
        """How sessions end, where there are some."""
        visit = self.job.visit
        if visit is None:
            return None
        count = int(self.totals.sums["sessions"][0])
        if not count:
            return None
        begins = visit.bankroll // self.unit
        path = [
            Counter({(has - begins) * self.unit: n for has, n in self._path(point).items()})
            for point in range(POINTS)
        ]
        ends = path[-1]
        mean, sd = _moments(ends)
        ruined = self.totals.counts["ruined_after"]
        return SessionFigures(
            sessions=count,
            rounds=visit.rounds,
            bankroll=visit.bankroll,
            mean=mean,
            sd=sd,
            ruin=share(sum(ruined.values()), count),
            ahead=share(sum(n for value, n in ends.items() if value > 0), count),
            path=[
                (
                    -(-(point + 1) * visit.rounds // POINTS),
                    {q: quantile_interval(found, q) for q in QUANTILES},
                )
                for point, found in enumerate(path)
                # A short session passes several points in one round.
                if (point + 1) * visit.rounds // POINTS > point * visit.rounds // POINTS
            ],
            ruined_after=_moments(ruined)[0] if ruined else None,
            prize_in_kind="" if visit.follows_bank else self.job.prize_in_kind,
        )

    def _path(self, point: int) -> Counter[int]:
        """What sessions had at a point, in units of money."""
        return self.totals.counts[f"path_{point}"]


def well_known(means: Sequence[Mean]) -> list[bool]:
    """Which means say something beside the best known of them; all if none is known.

    >>> well_known([Mean(0.1, 0.01), Mean(0.2, 0.2), Mean(0.3, math.inf)])
    [True, False, False]
    """
    most = POOR * min((mean.half_width for mean in means), default=math.inf)
    best = [mean.value for mean in means if mean.half_width <= most]
    # In a long run even rare ones are known better than they differ.
    most = max(most, (max(best) - min(best)) / 4) if math.isfinite(most) else most
    return [mean.half_width <= most for mean in means]


def _moments(counted: Mapping[int, int]) -> tuple[Mean, Mean]:
    """The mean of values that were counted, and their deviation."""
    count = sum(counted.values())
    total = sum(value * n for value, n in counted.items())
    # Whole numbers as long as possible: small differences of large numbers.
    square = sum(value * value * n for value, n in counted.items()) * count - total * total
    sd = math.sqrt(square) / count
    error = sd / math.sqrt(count - 1) if count > 1 else math.inf
    return Mean(total / count, error), Mean(sd, _deviation_error(sd, _kurtosis(counted), count))


def _kurtosis(counted: Mapping[int, int]) -> float:
    """The fourth moment in squares of the second; 1, the least there is, for a single value.

    >>> _kurtosis({-5: 10, 5: 10}), _kurtosis({-1: 1, 0: 6, 1: 1}), _kurtosis({0: 4})
    (1.0, 4.0, 1.0)
    """
    count = sum(counted.values())
    mean = sum(value * n for value, n in counted.items()) / count
    second = sum((value - mean) ** 2 * n for value, n in counted.items()) / count
    fourth = sum((value - mean) ** 4 * n for value, n in counted.items()) / count
    return fourth / second**2 if second else 1.0


def _deviation_error(sd: float, kurtosis: float, count: float) -> float:
    """The standard error of a standard deviation."""
    return sd * math.sqrt(max(0.0, kurtosis - 1) / count) / 2 if count > 1 else math.inf


def share(hits: int, count: int, alike: int = 1) -> Share:
    """A share and its standard error; that of none or all is what one hit more would make it.

    Of the count so many each may be alike: they say no more than one of them.
    """
    if not count:
        return Share(0.0, math.inf, 0)
    value = hits / count
    spread = value * (1 - value)
    if spread == 0:
        spread = (1 / count) * (1 - 1 / count) if count > 1 else 1.0
    return Share(value, math.sqrt(spread * alike / count), count / alike)


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


def quantile_interval(counted: Mapping[int, int], q: float) -> Quantile:
    """A quantile, and the ends of its 95 % interval, by the ranks that chance allows."""
    whole = sum(counted.values())
    wide = Z_95 * math.sqrt(q * (1 - q) / whole)
    low, high = max(0.0, q - wide), min(1.0, q + wide)
    return Quantile(quantile(counted, q), quantile(counted, low), quantile(counted, high))
