"""Figures of a simulation, worked out a second time from single rounds, slowly and plainly."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from upcard.simulate import job as jobs
from upcard.simulate.course import FEWEST_BLOCKS
from upcard.simulate.figures import (
    QUANTILES,
    Figures,
    quantile,
    quantile_interval,
    share,
)
from upcard.simulate.job import Job
from upcard.simulate.totals import Totals
from upcard.trial.trials import Request, prepare

SMALL_BLOCK = 50
BLOCKS = FEWEST_BLOCKS + 5
LAST = 17
"""Rounds of the last block, which is shorter."""
SESSION = 20
RAMP = """
name = "steep"
insurance = 1
[weights]
2 = 1
3 = 1
4 = 1
5 = 1
6 = 1
T = -1
J = -1
Q = -1
K = -1
A = -1
[ramp]
1 = 2
2 = 5
"""

CASES: dict[str, dict[str, Any]] = {
    "blackjack": {"game": "blackjack"},
    "prizes": {"game": "ten-sticks-21"},
    "sides": {"game": "twisted-21", "ratios": {"stud-bonus": 1.0}},
    "random": {"game": "ten-sticks-21", "policy": "random"},
    "counts": {"game": "blackjack", "shoe": "cut", "count": RAMP},
    "session": {"game": "blackjack", "session": SESSION, "bankroll": 4_100},
    "bank": {
        "game": "pure-spanish-21.5",
        "bet": 2_500,
        "bank": 10_000,
        "session": SESSION,
        "bankroll": 30_000,
        "follow": "bank",
    },
}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "BLOCK", SMALL_BLOCK)


@dataclass
class Round:
    """What one round of one seat came to, in units of money by column; the last one is all."""

    net: list[int]
    made: list[int]
    staked: list[int]
    bank: int = 0
    depth: int | None = None
    count: int | None = None


@dataclass
class Case:
    """A job, its rounds by block, and the figures of the same rounds."""

    job: Job
    blocks: list[list[Round]] = field(default_factory=list)

    @property
    def rounds(self) -> list[Round]:
        return [one for block in self.blocks for one in block]

    @property
    def figures(self) -> Figures:
        return Figures(self.job, plays(self.job, 0, BLOCKS, LAST))


def plays(job: Job, first: int, blocks: int, last: int) -> Totals:
    """Blocks of a table, by the kernel for all tables where it would need one of its own."""
    if job.moves.chance is None and not job.table.counts and job.table.seats == 1:
        return job.play(first, blocks, last)
    return job.play_with_all_parts(first, blocks, last)


@cache
def case(name: str, folder: Path) -> Case:
    options = dict(CASES[name])
    if "count" in options:
        file = folder / "count.toml"
        file.write_text(options["count"])
        options["count"] = str(file)
    found = Case(prepare(Request(**options)).job)
    for block in range(BLOCKS):
        rounds = LAST if block + 1 == BLOCKS else found.job.block_rounds
        found.blocks.append(list(_single_rounds(found.job, block, rounds)))
    return found


def _single_rounds(job: Job, block: int, rounds: int) -> Iterator[Round]:
    """A round is what its block has with it and has not without it."""
    columns = len(job.table.columns)
    before: Totals | None = None
    for number in range(1, rounds + 1):
        after = plays(job, block, 1, number)
        new = {name: values.copy() for name, values in after.sums.items()}
        if before is not None:
            new = {name: values - before.sums[name] for name, values in new.items()}
        assert int(new["rounds"][0]) == 1
        found = Round(
            net=[int(value) for value in new["total"][: columns + 1]],
            made=[int(value) for value in new["made"].sum(axis=0)],
            staked=[int(value) for value in new["staked"][: columns + 1]],
            bank=int(new["bank"][1]) if "bank" in new else 0,
        )
        for place, name in (("depth", "by_depth"), ("count", "by_count")):
            if name in new:
                setattr(found, place, [int(row[0][0]) for row in new[name]].index(1))
        yield found
        before = after


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("counts")


def close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def ratio_error(pairs: list[tuple[int, int]]) -> float:
    """The standard error of a ratio of sums, from blocks."""
    total, staked = (sum(pair[place] for pair in pairs) for place in (0, 1))
    ratio = Fraction(total, staked)
    squares = sum((one - ratio * other) ** 2 for one, other in pairs)
    variance = squares * len(pairs) / (len(pairs) - 1)
    return math.sqrt(variance) / staked


def sums(case: Case, what: str, column: int) -> list[int]:
    """By block."""
    return [sum(getattr(one, what)[column] for one in block) for block in case.blocks]


@pytest.mark.parametrize("name", CASES)
def test_means_errors_and_deviations(name: str, folder: Path) -> None:
    found = case(name, folder)
    table, figures = found.job.table, found.figures
    prizes = table.column("prizes")
    for column, wager in enumerate(table.columns):
        if wager in ("prizes", "fees"):
            continue
        own = figures.wager(column)
        nets = [
            one.net[column] + (one.net[prizes] if column == 0 and prizes >= 0 else 0)
            for one in found.rounds
            if one.made[column]
        ]
        staked = sum(one.staked[column] for one in found.rounds)
        assert own.made == len(nets)
        if not nets:
            assert own.by == "nothing made"
            continue
        assert own.ev == sum(nets) / staked
        size = staked / len(nets)
        assert close(own.sd, statistics.pstdev(nets) / size)
        wins = sum(one.net[column] > 0 for one in found.rounds if one.made[column])
        assert own.hits.value == wins / len(nets)
        totals = sums(found, "net", column)
        if column == 0 and prizes >= 0:
            totals = [a + b for a, b in zip(totals, sums(found, "net", prizes), strict=True)]
        pairs = list(zip(totals, sums(found, "staked", column), strict=True))
        assert own.by == "blocks"
        assert close(own.stderr, ratio_error(pairs))


@pytest.mark.parametrize("name", CASES)
def test_what_a_round_comes_to(name: str, folder: Path) -> None:
    found = case(name, folder)
    figures, unit = found.figures, found.job.table.unit
    nets = [one.net[-1] * unit for one in found.rounds]
    mean, sd = figures.round()
    assert close(mean.value, statistics.fmean(nets))
    assert close(sd.value, statistics.pstdev(nets))
    fourth = statistics.fmean((net - mean.value) ** 4 for net in nets)
    error = math.sqrt((fourth - sd.value**4) / len(nets)) / (2 * sd.value)
    assert close(sd.stderr, error)
    shown = {net: one.value for net, one in figures.results().items()}
    assert shown == {net: n / len(nets) for net, n in Counter(nets).items()}
    for one in figures.results().values():
        assert 0 <= one.low < one.value < one.high <= 1
    everything, spread = figures.together("table")
    assert close(everything.value, mean.value)
    assert close(spread.value, sd.value)
    by_block = [(sum(one.net[-1] for one in block), len(block) * unit) for block in found.blocks]
    if "count" not in CASES[name]:
        assert close(mean.stderr, ratio_error(by_block) * unit * unit)
    if found.job.table.banker is not None:
        bank, bank_sd = figures.together("bank")
        assert close(bank.value, statistics.fmean(one.bank * unit for one in found.rounds))
        assert close(bank_sd.value, statistics.pstdev([one.bank * unit for one in found.rounds]))


@pytest.mark.parametrize("name", ["blackjack", "sides", "prizes", "counts"])
def test_covariance(name: str, folder: Path) -> None:
    found = case(name, folder)
    columns = len(found.job.table.columns)
    nets = np.array([one.net[:columns] for one in found.rounds], dtype=float)
    size = np.array([found.figures.amount(column) for column in range(columns)])
    for column in range(columns):
        made = sum(one.made[column] for one in found.rounds)
        staked = sum(one.staked[column] for one in found.rounds)
        if staked:
            assert size[column] == staked / made
    expected = np.cov(nets.T, bias=True) / np.outer(size, size)
    np.testing.assert_allclose(found.figures.covariance(), expected, rtol=1e-9, atol=1e-12)


def test_by_penetration_and_by_count(folder: Path) -> None:
    found = case("counts", folder)
    figures, table = found.figures, found.job.table
    depths = [(round(20 * begins), rounds, means) for begins, rounds, means in figures.by_depth()]
    counts = [(at + 15, rounds, means) for at, rounds, means in figures.by_count()]
    for rows, place in ((depths, "depth"), (counts, "count")):
        by = defaultdict(list)
        for one in found.rounds:
            by[getattr(one, place)].append(one)
        assert [row[0] for row in rows] == sorted(by)
        for part, rounds, means in rows:
            assert rounds == len(by[part])
            for column, wager in enumerate(table.columns):
                made = [one for one in by[part] if one.made[column]]
                assert (wager in means) == bool(made)
                if not made:
                    continue
                size = statistics.fmean(one.staked[column] for one in made)
                nets = [one.net[column] for one in made]
                assert close(means[wager].value, statistics.fmean(nets) / size)
                alike = len(set(nets)) == 1
                error = math.inf if alike else statistics.stdev(nets) / math.sqrt(len(nets))
                assert close(means[wager].stderr, error / size)
    assert {at for at, _, _ in figures.by_count()} >= {-1, 0, 1}
    assert {one.staked[0] for one in found.rounds} == {
        int(amount) for amount in table.amounts_in_units[:, 0]
    }


@pytest.mark.parametrize("name", ["session", "bank"])
def test_sessions(name: str, folder: Path) -> None:
    found = case(name, folder)
    job = found.job
    visit, unit = job.visit, job.table.unit
    assert visit is not None
    ends: list[int] = []
    ruined: list[int] = []
    paths: list[list[int]] = []
    rounds = found.rounds
    for first in range(0, len(rounds) - SESSION + 1, SESSION):
        has, path, out = visit.bankroll, [], 0
        for number, one in enumerate(rounds[first : first + SESSION], 1):
            if not out:
                has += (one.bank if visit.follows_bank else one.net[-1]) * unit
                if has < job.least:
                    out = number
            path.append(has - visit.bankroll)
        ends.append(path[-1])
        ruined += [out] if out else []
        paths.append([path[-(-part * SESSION // 10) - 1] for part in range(1, 11)])
    figures = found.figures.sessions()
    assert figures is not None
    assert ruined, "the test is about ruin, too"
    assert figures.sessions == len(ends)
    assert close(figures.mean.value, statistics.fmean(ends))
    assert close(figures.mean.stderr, statistics.stdev(ends) / math.sqrt(len(ends)))
    assert close(figures.sd.value, statistics.pstdev(ends))
    assert figures.ruin.value == len(ruined) / len(ends)
    assert figures.ahead.value == sum(end > 0 for end in ends) / len(ends)
    assert figures.ruined_after is not None
    assert close(figures.ruined_after.value, statistics.fmean(ruined))
    assert [number for number, _ in figures.path] == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    for point, (_, quantiles) in enumerate(figures.path):
        values = sorted(path[point] for path in paths)
        for q in QUANTILES:
            rank = math.ceil(Fraction(str(q)) * len(values))
            assert quantiles[q].value == values[rank - 1]
            assert quantiles[q].low <= quantiles[q].value <= quantiles[q].high


def test_no_session_is_over(folder: Path) -> None:
    job = case("session", folder).job
    assert Figures(job, job.play(0, 1, SESSION - 1)).sessions() is None


def test_shares_and_their_intervals() -> None:
    half = share(500, 1000)
    assert close(half.stderr, math.sqrt(0.25 / 1000))
    assert close(half.low + half.high, 1.0)
    assert abs(half.half_width - 1.96 * half.stderr) < 1e-4
    nobody, everybody = share(0, 10), share(10, 10)
    # Wilson's interval of no hit among n reaches to z^2 / (n + z^2).
    assert nobody.low == 0
    assert close(nobody.high, 3.841458820694124 / 13.841458820694124)
    assert close(everybody.low, 1 - nobody.high)
    assert close(everybody.high, 1)
    assert 0 < nobody.stderr < 0.1
    assert share(1, 1).stderr == 1
    assert math.isinf(share(0, 0).stderr)
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)
    assert close(share(500, 1000, 4).stderr, 2 * half.stderr)


def test_quantiles_and_their_intervals() -> None:
    counted = dict.fromkeys(range(1, 1001), 1)
    assert quantile(counted, 0.5) == 500
    assert quantile(counted, 0.05) == 50
    value, low, high = quantile_interval(counted, 0.5)
    # Ranks of a median: 500 ± 1.96 * sqrt(1000) / 2.
    assert (value, low, high) == (500, 470, 531)
    assert quantile_interval({7: 3}, 0.95) == (7, 7, 7)


def test_intervals_of_quantiles_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        sample = Counter(rng.integers(0, 10_000, size=400).tolist())
        _, low, high = quantile_interval(sample, 0.25)
        held += low <= 2500 <= high
    assert 0.92 < held / 400 < 0.98


# ---------------------------------------------------------------------- several seats, few rounds


def test_seats_of_a_round_are_not_independent() -> None:
    """Errors from single rounds hold however alike the seats' results are."""
    job = prepare(Request(game="twisted-21", policy="mimic", seats=5)).job
    means = [Figures(job, plays(job, 200 + block, 1, SMALL_BLOCK)).wager(0) for block in range(400)]
    real = statistics.stdev(one.ev for one in means)
    said = statistics.fmean(one.stderr for one in means)
    assert {one.by for one in means} == {"rounds"}
    blind = statistics.fmean(one.sd / math.sqrt(one.made) for one in means)
    assert blind * 1.2 < real < said * 1.1
    many = Figures(job, plays(job, 0, 400, SMALL_BLOCK))
    assert 0.85 < many.wager(0).stderr * math.sqrt(400) / real < 1.15
    _, seat = many.round()
    _, together = many.together("table")
    assert seat.value * math.sqrt(5) * 1.2 < together.value < seat.value * 5


def test_deviations_of_rare_events_say_how_unsure_they_are() -> None:
    """Stud Bonus: a few hands among millions make most of the deviation."""
    job = prepare(Request(game="twisted-21", policy="mimic")).job
    column = job.table.column("stud-bonus")
    found = [
        Figures(job, job.play(40 * part, 40, SMALL_BLOCK)).wager(column) for part in range(100)
    ]
    real = statistics.stdev(one.sd for one in found)
    assert real < statistics.fmean(one.sd_stderr for one in found)
    normal = statistics.fmean(one.sd / math.sqrt(2 * one.made) for one in found)
    assert real > 3 * normal


def test_one_round_says_nothing_about_errors() -> None:
    job = prepare(Request(game="blackjack", policy="mimic")).job
    figures = Figures(job, job.play(0, 1, 1))
    assert math.isinf(figures.wager(0).stderr)
    assert math.isinf(figures.wager(0).sd_stderr)
    mean, sd = figures.round()
    assert math.isinf(mean.stderr)
    assert math.isinf(sd.stderr)


def test_a_short_last_block_does_not_blur_the_error() -> None:
    """A loss that is the same in all blocks is no deviation between them."""
    job = prepare(Request(game="ten-sticks-21", policy="random")).job
    even, _ = Figures(job, plays(job, 0, 100, SMALL_BLOCK)).round()
    odd, _ = Figures(job, plays(job, 0, 101, 1)).round()
    assert abs(odd.stderr / even.stderr - 1) < 0.02


def test_covariances_have_errors_that_fit_how_they_vary() -> None:
    """The error that a run states is about how far covariances of other runs lie apart."""
    job = prepare(Request(game="twisted-21", policy="mimic", seats=2)).job
    pairs = [(0, 1), (1, 2), (0, 0)]
    stated, seen = [], []
    for run in range(16):
        figures = Figures(job, plays(job, 100 * run, 100, 17))
        matrix, errors = figures.covariance(), figures.covariance_errors()
        seen.append([matrix[one][other] for one, other in pairs])
        stated.append([errors[one][other] for one, other in pairs])
        assert errors[1][2] == errors[2][1]
    spread = np.std(seen, axis=0, ddof=1)
    # A deviation from sixteen values is itself uncertain by a fifth.
    assert (spread / np.mean(stated, axis=0) < 1.8).all()
    assert (spread / np.mean(stated, axis=0) > 0.5).all()
    few = Figures(job, plays(job, 0, 2, 100))
    assert few.covariance_errors()[0][0] == math.inf
