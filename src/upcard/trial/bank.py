"""The bank's side of a table: what a player-dealer wins on average, how it swings, what fees leave.

Expected results are exact wherever a wager's value is worked out, and they add up; of a wager that
is lost with a busted hand the value comes from random rounds, with its error. The deviation comes
from random rounds of the whole table, since all seats play against one dealer's hand. What a
limited bank wins is the whole result plus what the limit changes in those rounds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from upcard.compile.bets import check_multiple, check_seat_count, check_wagers, usual_bet
from upcard.compile.chips import class_cents, hand_cents, in_chips
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.fees.quote import OutsideLimitsError, Quote, quote
from upcard.fees.schedules import FeeSchedule
from upcard.money import INSURANCE
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import base_value
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver, hands_ended
from upcard.solve.result import EXACT, Progress, silent
from upcard.solve.rounds import SEED
from upcard.solve.solution import BASE, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import check_one_box
from upcard.text import listed
from upcard.trial.bank_rounds import ROUNDS, BankRounds, BankSample, Spread

Wagers = Mapping[str, int]
"""The wagers on one seat, in cents by wager id."""

MODE: Mode = "CDP"
NOBODY_INSURES = "nobody insures"
"""Insurance is left out of the bank's figures, which say so."""
SIZES = (1, 2, 5)
"""Wagers of the overview, in table minimums; the table maximum is the last."""


@dataclass(frozen=True)
class BankedWager:
    """A wager on a seat: what it brings the bank on average, in cents; `error` is the standard
    error of a value from random rounds.
    """

    wager: str
    amount: int
    bank_ev: float
    error: float = 0.0

    @property
    def player_ev(self) -> float:
        """What one unit of it is worth to the player."""
        return -self.bank_ev / self.amount


@dataclass(frozen=True)
class Gross:
    """What a bank wins in a round before fees, in cents; `error` is the standard error of `sd`.

    `ev_error` is 0 where the expectation is exact.
    """

    ev: float
    ev_error: float
    sd: float
    error: float
    method: str


@dataclass(frozen=True)
class FeeLine:
    """What one schedule leaves of the gross result.

    `problem` says why there is no figure: the table would refuse a wager, or the printed rows do
    not settle a fee; `note` is the whole sentence.
    """

    schedule: FeeSchedule
    costs: Quote | None
    problem: Literal["", "limits", "unsettled"]
    note: str
    gross_ev: float

    @property
    def fee(self) -> int | None:
        """The player-dealer's."""
        return self.costs.player_dealer.fee if self.costs else None

    @property
    def player_fees(self) -> int | None:
        """Those of all players, which the house takes as well."""
        return sum(seat.fee for seat in self.costs.seats) if self.costs else None

    @property
    def net_ev(self) -> float | None:
        return self.gross_ev - self.costs.player_dealer.fee if self.costs else None

    @property
    def net_edge(self) -> float | None:
        """The bank's advantage over all action once its fee is paid."""
        net = self.net_ev
        if net is None or self.costs is None:
            return None
        return net / self.costs.player_dealer.action

    @property
    def share_of_action(self) -> float | None:
        if self.costs is None:
            return None
        return self.costs.player_dealer.fee / self.costs.player_dealer.action

    @property
    def share_of_gross(self) -> float | None:
        """None also where there is no expected win to take a share of."""
        if self.costs is None or self.gross_ev <= 0:
            return None
        return self.costs.player_dealer.fee / self.gross_ev


@dataclass(frozen=True)
class BankReport:
    """The bank's side of a table. Amounts are in cents a round.

    `unlimited_ev` is for a bank that covers everything; with a `limit` that is not what
    `gross` has. `cut_share` is in how many rounds the limit changes something.
    """

    tables: GameTables
    seats: tuple[tuple[BankedWager, ...], ...]
    action: int
    limit: int | None
    unlimited_ev: float
    gross: Gross
    cut_share: float
    sample: BankSample
    schedules: tuple[FeeLine, ...]
    seconds: float


@dataclass(frozen=True)
class GridCell:
    """So many players with the same base wager each."""

    players: int
    wager: int
    gross: Gross
    fees: FeeLine | None

    @property
    def action(self) -> int:
        return self.players * self.wager


@dataclass(frozen=True)
class BankGrid:
    """The bank's side by number of players and size of wagers."""

    tables: GameTables
    schedule: FeeSchedule | None
    cells: tuple[GridCell, ...]
    seconds: float


def bank(
    tables: GameTables,
    seats: Sequence[Wagers],
    *,
    players: Sequence[str] | None = None,
    schedules: Sequence[FeeSchedule] | None = None,
    limit: int | None = None,
    rounds: int | None = None,
    progress: Progress = silent,
) -> BankReport:
    """The player-dealer's result of a round against these seats, given in action order.

    `players` names whose the seats are; without it every seat has a player of its own.
    Without `schedules` the one in force is meant. A single schedule that has no fee for these
    wagers is refused; of several, each tells it in its line.
    """
    began = time.perf_counter()
    rounds = ROUNDS if rounds is None else rounds
    check_bank(tables)
    # A schedule that is named brings limits of its own, which its line speaks of.
    check_seats(tables, seats, posted=schedules is None)
    check_limit(tables, limit)
    if schedules is None:
        schedules = [tables.money.fees.schedule] if tables.money.fees else []
    lines = [fee_line(tables, schedule, seats, 0.0, players) for schedule in schedules]
    if len(lines) == 1 and lines[0].problem:
        raise UpcardError(lines[0].note)
    desk = Desk(tables, progress)
    sample = desk.rounds(seats).sample(rounds, limit, progress)
    results = tuple(
        desk.results(wagers, sampled) for wagers, sampled in zip(seats, sample.wagers, strict=True)
    )
    whole = sum(one.bank_ev for wagers in results for one in wagers)
    error = sample.inexact.mean_error
    gross = _gross(desk, whole, error, sample.seats[-1], rounds)
    if limit is not None:
        gross = _limited(desk, whole, error, sample, rounds)
    return BankReport(
        tables=tables,
        seats=results,
        action=sum(sum(wagers.values()) for wagers in seats),
        limit=limit,
        unlimited_ev=whole,
        gross=gross,
        cut_share=sample.cut_share,
        sample=sample,
        schedules=tuple(
            fee_line(tables, line.schedule, seats, gross.ev, players) for line in lines
        ),
        seconds=time.perf_counter() - began,
    )


def bank_grid(
    tables: GameTables,
    *,
    schedule: FeeSchedule | None = None,
    rounds: int | None = None,
    progress: Progress = silent,
) -> BankGrid:
    """The player-dealer's result against 1 to all players, for some sizes of the base wager."""
    began = time.perf_counter()
    rounds = ROUNDS if rounds is None else rounds
    check_bank(tables)
    if schedule is None and tables.money.fees is not None:
        schedule = tables.money.fees.schedule
    sizes = wager_sizes(tables, schedule)
    desk = Desk(tables, progress)
    most = tables.most_seats
    cells: list[GridCell] = []
    played = 0
    for size in sizes:
        if not played or not desk.scales(played, size):
            sample = desk.rounds([{BASE: size}] * most).sample(rounds, None, progress)
            played = size
        each = sum(one.bank_ev for one in desk.results({BASE: size}, {}))
        for players, found in enumerate(sample.seats, 1):
            scale = size / played
            swing = Spread(0.0, 0.0, found.sd * scale, found.sd_error * scale)
            gross = _gross(desk, players * each, 0.0, swing, rounds)
            seats = [{BASE: size}] * players
            fees = fee_line(tables, schedule, seats, gross.ev) if schedule else None
            cells.append(GridCell(players, size, gross, fees))
    return BankGrid(tables, schedule, tuple(cells), time.perf_counter() - began)


def wager_sizes(tables: GameTables, schedule: FeeSchedule | None) -> tuple[int, ...]:
    """The wagers of the overview: the table minimum, some multiples of it, the maximum."""
    plan = tables.money.wagers[BASE]
    if plan.amounts:
        return plan.amounts
    low, high = plan.minimum or tables.money.unit, plan.maximum
    if schedule is not None:
        low, high = schedule.table_min, schedule.table_max
    sizes = [times * low for times in SIZES if not high or times * low <= high]
    return tuple(dict.fromkeys((*sizes, high) if high else sizes))


def fee_line(
    tables: GameTables,
    schedule: FeeSchedule,
    seats: Sequence[Wagers],
    gross_ev: float,
    players: Sequence[str] | None = None,
) -> FeeLine:
    """What a schedule takes from these seats and their bank, or why it does not say."""
    plan = tables.money.fees
    try:
        if plan is None:
            costs = quote(schedule, seats, players=players)
        else:
            costs = plan.quote(seats, schedule=schedule, players=players, limits=True)
    except OutsideLimitsError as error:
        return FeeLine(schedule, None, "limits", str(error), gross_ev)
    except UpcardError as error:
        return FeeLine(schedule, None, "unsettled", str(error), gross_ev)
    return FeeLine(schedule, costs, "", "; ".join(costs.notes), gross_ev)


def check_bank(tables: GameTables) -> None:
    """Refuse games without a player-dealer."""
    if tables.money.house_banks:
        raise UpcardError(f"the house banks {tables.name}: there is no player-dealer")


def check_seats(tables: GameTables, seats: Sequence[Wagers], *, posted: bool = True) -> None:
    """Refuse seats that the table would not take; without `posted`, whatever its limits are."""
    if not seats:
        raise UpcardError("there is no action: name the wagers of at least one seat")
    check_seat_count(tables, len(seats))
    for number, wagers in enumerate(seats, 1):
        try:
            check_wagers(tables, wagers, posted=posted)
        except UpcardError as error:
            raise UpcardError(f"seat {number}: {error}") from None


def check_limit(tables: GameTables, limit: int | None) -> None:
    """Refuse a bank that nobody could put up."""
    if limit is None:
        return
    if not tables.money.bank_is_limited:
        raise UpcardError(f"the bank of {tables.name} has no limit: it covers every wager")
    check_multiple(tables, "a bank", limit)


class Desk:
    """One game's solutions and what its wagers bring."""

    def __init__(self, tables: GameTables, progress: Progress) -> None:
        check_one_box(tables, "the bank's side")
        self.tables = tables
        self.progress = progress
        self.game = BaseGame(tables, progress=progress)
        self.solver = Solver(self.game, MODE, progress)
        self.solutions: dict[tuple[int, tuple[tuple[str, float], ...]], Solution] = {}

    @property
    def play(self) -> str:
        splits = f", splits {MODE}" if self.game.pairs else ""
        return f"composition-dependent optimal play{splits}{self.insuring}"

    @property
    def insuring(self) -> str:
        """What the figures take for granted of insurance, where the game has it."""
        return f", {NOBODY_INSURES}" if INSURANCE in self.tables.payoffs else ""

    def key(self, wagers: Wagers) -> tuple[int, tuple[tuple[str, float], ...]]:
        """What the best play depends on: wagers on how the hand ends, and fixed amounts."""
        riding = [wager for wager in wagers if wager in self.tables.payoffs and wager != BASE]
        bet = wagers[BASE] if self.tables.has_fixed_amounts else usual_bet(self.tables)
        return bet, tuple((wager, wagers[wager] / wagers[BASE]) for wager in sorted(riding))

    def solution(self, wagers: Wagers) -> Solution:
        key = self.key(wagers)
        if key not in self.solutions:
            self.solutions[key] = self.solver.optimal(key[0], dict(key[1]))
        return self.solutions[key]

    @cached_property
    def inexact(self) -> frozenset[str]:
        """Wagers whose value depends on play in a way that is not worked out: a bust loses them."""
        return frozenset(row.wager for row in self.tables.settlement.rows if row.lost_when_over)

    def results(
        self, wagers: Wagers, sampled: Mapping[str, tuple[float, float]]
    ) -> tuple[BankedWager, ...]:
        """What the wagers of a seat bring: exactly, or as random rounds have it."""
        return tuple(
            BankedWager(wager, amount, *sampled[wager])
            if wager in self.inexact
            else BankedWager(wager, amount, -self.player_cents(wagers, wager))
            for wager, amount in wagers.items()
        )

    def player_cents(self, wagers: Wagers, wager: str) -> float:
        """The exact expectation of a wager, every payment in whole chips."""
        amount = wagers[wager]
        if wager in self.tables.observers:
            rows = card_wager(self.tables, wager).returns
            whole = sum(row.combinations for row in rows)
            paid = sum(
                row.combinations * in_chips(self.tables, row.pays * amount, amount) for row in rows
            )
            return float(Fraction(paid, whole))
        solution = self.solution(wagers)
        if wager != BASE:
            cents = class_cents(self.tables, wager, amount)
            return float((hands_ended(self.tables, wager, solution) * cents).sum())
        value = base_value(self.game, solution, amount)
        return amount * (value + self.solver.charged_once(solution)[0])

    def rounds(self, seats: Sequence[Wagers]) -> BankRounds:
        plays = {self.key(wagers): self.solution(wagers) for wagers in seats}
        follows = [list(plays).index(self.key(wagers)) for wagers in seats]
        return BankRounds(self.game, seats, list(plays.values()), follows, self.inexact)

    def scales(self, one: int, other: int) -> bool:
        """Whether rounds with the one base wager are those with the other, but for its size."""
        alike = hand_cents(self.tables, one) * other == hand_cents(self.tables, other) * one
        return self.key({BASE: one}) == self.key({BASE: other}) and bool(alike.all())


def _gross(desk: Desk, ev: float, error: float, swing: Spread, rounds: int) -> Gross:
    method = f"{EXACT}, {desk.play}; deviation: {_rounds(rounds)}"
    if error:
        lost = listed(sorted(desk.inexact), "and")
        method = f"{EXACT} but for {lost}, {desk.play}; those and the deviation: {_rounds(rounds)}"
    return Gross(ev, error, swing.sd, swing.sd_error, method)


def _limited(
    desk: Desk, whole: float, whole_error: float, sample: BankSample, rounds: int
) -> Gross:
    change, error = sample.cut
    method = (
        f"{'exact ' if not whole_error else ''}result without a limit, and what the limit changes "
        f"by {_rounds(rounds)}, players playing as if all were covered{desk.insuring}"
    )
    error = math.hypot(error, whole_error)
    return Gross(whole + change, error, sample.limited.sd, sample.limited.sd_error, method)


def _rounds(rounds: int) -> str:
    return f"{rounds:,} random rounds of the whole table from a full shoe (seed {SEED})"
