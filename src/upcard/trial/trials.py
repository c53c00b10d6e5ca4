"""Trials: what is asked for, made into jobs, run, and read as figures beside exact values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from upcard.compile.bets import check_size, wagers_of
from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.pages.page import Printer, Shown
from upcard.round.count import NO_COUNT, Count
from upcard.round.policy import MimicPlay, Moves, OpenPlay, Policy, by_state
from upcard.round.setup import TableSetup
from upcard.round.stakes import FEES, PRIZES
from upcard.simulate.chart_file import load_chart
from upcard.simulate.count_file import load_count, with_departures
from upcard.simulate.figures import Figures, Mean, WagerFigures
from upcard.simulate.job import Job, Visit
from upcard.simulate.run import RunOutcome
from upcard.solve.joint_moves import basic_joint_moves, solved_joint_moves
from upcard.solve.moves import basic_moves, solved_moves
from upcard.solve.result import Progress, silent
from upcard.text import did_you_mean, listed
from upcard.trial.exact import Exact, Prices

POLICIES = ("basic", "optimal", "mimic", "random")
CHART_SUFFIXES = (".csv", ".json")
USUAL_ROUNDS = 10_000_000
MOST_ROUNDS = 10**15
LONGEST_SESSION = 1_000_000
"""Rounds; a task is at least one session, and has to end soon when a run is stopped."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a trial's totals depend on, as plain data.

    `ratios` are side wagers in base wagers, `bet`, `bank` and `bankroll` are cents. `count` is the
    name of a count or a file.
    """

    game: str
    settings: dict[str, str] = {}
    policy: str = "basic"
    seed: int = 1
    seats: int = 1
    bet: int | None = None
    ratios: dict[str, float] = {}
    shoe: Literal["fresh", "cut"] = "fresh"
    bank: int | None = None
    count: str | None = None
    session: int | None = None
    bankroll: int | None = None
    follow: Literal["player", "bank"] = "player"


@dataclass(frozen=True)
class Trial:
    """A request with its job, and the exact values of the wagers that have one."""

    request: Request
    job: Job
    exact: Mapping[str, Exact]

    @property
    def tables(self) -> GameTables:
        """The compiled game."""
        return self.job.table.tables


@dataclass(frozen=True)
class WagerResult:
    """One wager as simulated, and what it should be."""

    figures: WagerFigures
    exact: Exact | None

    @property
    def z(self) -> float | None:
        """Standard errors between the simulated and the exact value."""
        if self.exact is None or not math.isfinite(self.figures.stderr):
            return None
        error = math.hypot(self.figures.stderr, self.exact.error)
        return (self.figures.ev - self.exact.ev) / error if error > 0 else None


@dataclass(frozen=True, repr=False)
class Result(Shown):
    """A trial that has been run."""

    trial: Trial
    outcome: RunOutcome

    def show(self, out: Printer) -> None:
        """Print the wagers and all else that was asked for on a console or a page."""
        from upcard.trial.result_page import show_result

        show_result(self, out)

    def __repr__(self) -> str:
        base = self.wagers[BASE].figures
        return (
            f"<Result of {self.trial.tables.ref}: {self.outcome.rounds:,} rounds, "
            f"EV {base.ev:+.4%} ± {base.mean.half_width:.4%}>"
        )

    @property
    def figures(self) -> Figures:
        """Averages, deviations and shares, with their errors."""
        return Figures(self.trial.job, self.outcome.totals)

    @property
    def wagers(self) -> dict[str, WagerResult]:
        """Every wager, staked or watched."""
        table = self.trial.job.table
        return {
            name: WagerResult(self.figures.wager(column), self.trial.exact.get(name))
            for column, name in enumerate(table.columns)
            if name not in (PRIZES, FEES)
        }

    def prizes(self) -> Mean | None:
        """What lights bring a round, in base wagers."""
        column = self.trial.job.table.column(PRIZES)
        return None if column < 0 else self.figures.per_base(column)


def prepare(
    request: Request, progress: Progress = silent, *, tables: GameTables | None = None
) -> Trial:
    """Make a job of a request: every mistake in it is found here, before anything is played.

    `tables` are those of its game and settings, if somebody has them already.
    """
    check_request(request)
    tables = tables or tables_for(request.game, request.settings)
    table, count = _table(tables, request)
    visit = _visit(request)
    check_policy(request.policy)
    # What can be seen to be wrong with the table is, before anything is solved.
    Job(table, by_state(tables, MimicPlay(tables)), request.seed, visit).check()
    prices = Prices(tables, table.bet, progress, seats=table.seats)
    riding = {w: r for w, r in request.ratios.items() if w in tables.payoffs}
    moves, exact = _moves(prices, request.policy, riding)
    if count != NO_COUNT:
        moves = with_departures(tables, moves, count)
    job = Job(table, moves, request.seed, visit)
    job.check()
    return Trial(request, job, _comparable(job, exact))


def check_request(request: Request) -> None:
    """Refuse what is of no kind that a request can have, or too large to be reckoned with."""
    try:
        msgspec.convert(msgspec.to_builtins(request), Request)
    except msgspec.ValidationError as error:
        raise UpcardError(f"this is no request for a trial: {error}") from None
    for cents in (request.bet, request.bank, request.bankroll):
        check_size(cents or 0)


def check_policy(policy: str) -> None:
    """Refuse a policy that is neither known nor a chart."""
    if policy in POLICIES:
        return
    if Path(policy).suffix not in CHART_SUFFIXES:
        raise UpcardError(
            f'there is no policy "{policy}": it is {listed(POLICIES)}, or the path of a chart '
            f"({listed(CHART_SUFFIXES)}){did_you_mean(policy, POLICIES)}"
        )


def _table(tables: GameTables, request: Request) -> tuple[TableSetup, Count]:
    besides = wagers_of(tables, request.bet, request.ratios)
    bet = besides.pop(BASE)
    count = NO_COUNT if request.count is None else load_count(request.count, tables, bet)
    table = TableSetup(
        tables=tables,
        bet=bet,
        besides=besides,
        seats=request.seats * max(1, tables.round_plan.boxes),
        fresh=request.shoe == "fresh" or tables.round_plan.shoe.shuffles_every_round,
        bank=request.bank,
        count=count,
        insures=count.insures_from is not None or request.policy == "random",
    )
    table.check()
    return table, count


def _visit(request: Request) -> Visit | None:
    if request.session is None:
        if request.bankroll is not None:
            raise UpcardError("a bankroll needs a session: say how many rounds (--session)")
        return None
    if not 1 <= request.session <= LONGEST_SESSION:
        raise UpcardError(f"a session has 1 to {LONGEST_SESSION:,} rounds, not {request.session:,}")
    if request.bankroll is not None and request.bankroll <= 0:
        raise UpcardError(f"a bankroll is above $0, not {format_cents(request.bankroll)}")
    return Visit(request.session, request.bankroll or 0, request.follow == "bank")


def _moves(
    prices: Prices, name: str, riding: Mapping[str, float]
) -> tuple[Moves, dict[str, Exact]]:
    """A policy's arrays, and the exact values of all wagers under it."""
    tables, game = prices.tables, prices.game
    if tables.round_plan.exchanges:
        return _joint_moves(prices, name, prices.of_any_play())
    if name == "optimal":
        solution = prices.optimal(riding)
        return solved_moves(game, name, solution), prices.of_round(solution)
    if name == "basic":
        solution, play = prices.basic(riding)
        exact = prices.of_round(solution)
        # Where hands of a split are played unlike the first, states alone do not tell.
        if riding or game.by_trade:
            return solved_moves(game, name, solution), exact
        return basic_moves(game, play, name), exact
    if name == "random":
        return by_state(tables, OpenPlay()), prices.of_any_play()
    policy: Policy = MimicPlay(tables) if name == "mimic" else load_chart(Path(name), tables)
    moves = by_state(tables, policy)
    return moves, prices.of_round(prices.priced(policy))


def _joint_moves(
    prices: Prices, name: str, exact: dict[str, Exact]
) -> tuple[Moves, dict[str, Exact]]:
    """The same of boxes that exchange cards, which are solved together."""
    tables, both = prices.tables, prices.both_boxes
    if name == "optimal":
        return solved_joint_moves(both, name), exact | prices.of_boxes(both.optimal)
    if name == "basic":
        return basic_joint_moves(both, name), exact | prices.of_boxes(both.with_basic)
    if name == "random":
        return by_state(tables, OpenPlay()), exact
    policy: Policy = MimicPlay(tables) if name == "mimic" else load_chart(Path(name), tables)
    return by_state(tables, policy), exact | prices.of_boxes(prices.never_exchanging(policy))


def _comparable(job: Job, exact: Mapping[str, Exact]) -> dict[str, Exact]:
    """Exact values hold for a fresh shoe, full cover, and wagers that the count does not change."""
    table = job.table
    if not table.fresh:
        return {}
    found = dict(exact)
    if table.bank is not None:
        found = {w: value for w, value in found.items() if w not in table.staked}
    if job.visit is not None and table.tables.carry is not None:
        found.pop(BASE, None)  # lights begin anew with every session
    by_count = table.count.insures_from is not None
    return {w: value for w, value in found.items() if w != INSURANCE or not by_count}


def sweep(requests: Sequence[Request], progress: Progress = silent) -> list[Trial]:
    """Several trials, all of them checked before any is played."""
    return [prepare(request, progress) for request in requests]


def request_data(requests: Sequence[Request]) -> dict[str, Any]:
    """Requests as a checkpoint keeps them."""
    return {"trials": [msgspec.to_builtins(request) for request in requests]}


def requests_from(data: Mapping[str, Any]) -> list[Request]:
    """Requests that a checkpoint kept."""
    try:
        return msgspec.convert(data["trials"], list[Request])
    except (KeyError, msgspec.ValidationError):
        raise UpcardError("the checkpoint does not say what it was made for") from None
