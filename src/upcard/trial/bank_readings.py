"""What readings cost a player's bank and what they change in fees, where no wager's odds change.

All answers are looked at from the same table with the same random rounds: the whole result is exact
and the same for all of them, and what a limited bank makes of it is compared round by round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from upcard.compile.bets import WagerRefusedError, check_wagers
from upcard.compile.plan import FeeResolution
from upcard.compile.rulebook import ReadingEntry
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.fees.schedules import FeeSchedule
from upcard.money import BASE
from upcard.round.stakes import NotSimulatedError
from upcard.solve.readings import (
    AnswerPrices,
    BankFigure,
    BankSide,
    BankTable,
    ReadingPrices,
    Readings,
    TablesFor,
    price_readings,
    price_stamp,
    stamp,
)
from upcard.solve.result import Progress, silent
from upcard.trial.bank import Desk, Wagers, check_bank, check_limit, check_seats

Floats = npt.NDArray[np.float64]

ROUNDS = 200_000
PLAYERS = ("Ann", "Ann", "Bo")
"""Whose the seats of a table are that nobody has named: one player has two circles."""
SIZES = (5, 3, 2, 1, 4, 6, 8, 10, 20)
"""Base wagers of such a table in table minimums, the first at which answers differ."""

BANK = "bank"
UNCOVERED = "uncovered"
BACKLINE = "backline"
PLAYER_FEES = "player_fees"
BANK_FEE = "bank_fee"


def price_all_readings(
    tables_for_settings: TablesFor,
    settings: Mapping[str, str] | None = None,
    *,
    bet: int | None = None,
    seats: Sequence[Wagers] = (),
    players: Sequence[str] = (),
    bank: int | None = None,
    rounds: int | None = None,
    progress: Progress = silent,
) -> Readings:
    """Price every reading: by wagers' odds, or by the bank's side where these stay the same.

    Without `seats` the bank's side is that of a table by its limits, and without `bank` as much is
    put up as all wagers come to.
    """
    chosen = dict(settings or {})
    given = tables_for_settings(chosen)
    named = _Named(tuple(seats), tuple(players), bank)
    named.check(given)
    found = price_readings(tables_for_settings, chosen, bet=bet, progress=progress)
    if given.money.house_banks:
        return found
    pricer = _BankPricer(tables_for_settings, chosen, given, named, rounds or ROUNDS, progress)
    priced = [
        reading if reading.matters else replace(reading, bank=pricer.side(reading.id))
        for reading in found.readings
    ]
    options = tuple(pricer.option(entry) for entry in _resolutions(given))
    return replace(found, readings=tuple(priced), options=options)


def _resolutions(tables: GameTables) -> Iterator[ReadingEntry]:
    """The option that says what is collected where a schedule does not, as a question."""
    for option in tables.rulebook.options:
        if "fees.resolution" in option.sets:
            yield ReadingEntry(
                name=option.name,
                question="What is collected where the printed rows do not settle a fee? (option)",
                answers={str(one): FeeResolution(str(one)).words for one in option.allowed},
                default=str(option.default),
                value=str(option.value),
                clauses=option.clauses,
                sets=option.sets,
            )


def bank_side(
    tables_for_settings: TablesFor,
    reading: str,
    settings: Mapping[str, str] | None = None,
    *,
    seats: Sequence[Wagers] = (),
    players: Sequence[str] = (),
    bank: int | None = None,
    rounds: int | None = None,
    progress: Progress = silent,
) -> BankSide:
    """The bank's side of one reading that changes no wager's odds."""
    chosen = dict(settings or {})
    given = tables_for_settings(chosen)
    check_bank(given)
    named = _Named(tuple(seats), tuple(players), bank)
    named.check(given)
    pricer = _BankPricer(tables_for_settings, chosen, given, named, rounds or ROUNDS, progress)
    return pricer.side(reading)


@dataclass(frozen=True)
class _Named:
    """What somebody has said of the table."""

    seats: tuple[Wagers, ...]
    players: tuple[str, ...]
    bank: int | None

    def check(self, tables: GameTables) -> None:
        """Refuse what the table would not take."""
        if self.seats or self.bank is not None:
            check_bank(tables)
            check_limit(tables, self.bank)
        if self.seats:
            check_seats(tables, self.seats)


@dataclass(frozen=True)
class _Fees:
    """What is collected of all players and of the player-dealer; None where no round is dealt."""

    players: int | None
    bank: int | None


@dataclass(frozen=True)
class _Rounds:
    """What random rounds brought a bank: by round what its limit changed, and what a wager behind
    the last seat brought beside the seat's own; and shares of what could not be covered.
    """

    cut: Floats
    backed: Floats
    due: Floats
    moved: Floats
    inexact: Floats


class _BankPricer:
    """Looks at the bank's side of answers, each distinct table once."""

    def __init__(
        self,
        load: TablesFor,
        settings: Mapping[str, str],
        given: GameTables,
        named: _Named,
        rounds: int,
        progress: Progress,
    ) -> None:
        self.load = load
        self.settings = dict(settings)
        self.given = given
        self.rounds = rounds
        self.progress = progress
        self.named = named
        self._played: dict[str, _Rounds | NotSimulatedError] = {}
        self._whole: dict[str, tuple[float, float]] = {}
        self._desk = Desk(given, progress)

    def option(self, entry: ReadingEntry) -> ReadingPrices:
        """An option that fills a gap of a schedule, at a table that falls into it."""
        side = self._first(entry, gaps=True)
        answers = tuple(
            AnswerPrices(answer, text, answer == entry.default, {})
            for answer, text in entry.answers.items()
        )
        asked = (entry.name, entry.question, entry.clauses, entry.default)
        return ReadingPrices(*asked, having={}, answers=answers, bank=side)

    def side(self, name: str) -> BankSide:
        """The bank's side of a reading."""
        (entry,) = (one for one in self.given.rulebook.readings if one.name == name)
        return self._first(entry, gaps=False)

    def _first(self, entry: ReadingEntry, *, gaps: bool) -> BankSide:
        """At the first table at which answers differ, with `gaps` also by dealing no round."""
        name = entry.name
        self.progress(f"reading {name}", 0.0)
        answers = self._answers(entry)
        usual: BankSide | None = None
        for table, having in self._circumstances(answers, gaps=gaps):
            found = self._side(entry, answers, table, having)
            usual = usual or found
            if found.matters:
                usual = found
                break
        self.progress(f"reading {name}", 1.0)
        assert usual is not None, "there is always a table"
        return usual

    def _answers(self, entry: ReadingEntry) -> dict[str, GameTables]:
        """The tables of all answers that the rules allow as the game is set, the default first."""
        found: dict[str, GameTables] = {}
        for answer in (entry.default, *entry.answers):
            try:
                found.setdefault(answer, self.load({**self.settings, entry.name: answer}))
            except UpcardError:
                continue  # ruled out by what else is set
        return found

    # ------------------------------------------------------------------ where it is looked at

    def _circumstances(
        self, answers: Mapping[str, GameTables], *, gaps: bool
    ) -> Iterator[tuple[BankTable, dict[str, str]]]:
        """The usual table, then one at which fees differ, if there is one."""
        fees = self.given.money.fees
        yield next(self._tables(fees.schedule if fees else None)), {}
        if fees is None:
            return
        option = next(
            (one.name for one in self.given.rulebook.options if "fees.schedule" in one.sets), ""
        )
        # A table or a schedule that somebody named is not left for another.
        named = self.named.seats or not option or option in self.settings
        for schedule in (fees.schedule, *(() if named else fees.book.schedules)):
            for table in self._tables(schedule):
                due = {_fees(tables, schedule, table) for tables in answers.values()}
                if len(due) > 1 and (gaps or all(fee.bank is not None for fee in due)):
                    other = schedule.id != fees.schedule.id
                    yield table, {option: str(schedule.id)} if other else {}
                    return

    def _tables(self, schedule: FeeSchedule | None) -> Iterator[BankTable]:
        """The table that somebody named, or some by the limits of the game or of a schedule."""
        tables, named = self.given, self.named
        if named.seats:
            yield self._table(schedule, named.seats, named.players)
            return
        owners = PLAYERS if tables.round_plan.several_boxes else tuple(dict.fromkeys(PLAYERS))
        owners = owners[: tables.most_seats]
        for base in _base_wagers(tables, schedule):
            wagers = _with_bonus(tables, base, schedule)
            yield self._table(schedule, (wagers,) * len(owners), owners)

    def _table(
        self, schedule: FeeSchedule | None, seats: tuple[Wagers, ...], players: tuple[str, ...]
    ) -> BankTable:
        action = sum(sum(wagers.values()) for wagers in seats)
        bank = self.named.bank or action
        return BankTable(seats, players, bank, schedule.id if schedule else None)

    # ------------------------------------------------------------------ figures

    def _side(
        self,
        entry: ReadingEntry,
        answers: Mapping[str, GameTables],
        table: BankTable,
        having: Mapping[str, str],
    ) -> BankSide:
        fees = self.given.money.fees
        schedule = fees.book.schedule(table.schedule) if fees and table.schedule else None
        figures: dict[str, dict[str, BankFigure]] = {}
        not_simulated: dict[str, str] = {}
        base: tuple[_Fees, _Rounds | None] | None = None
        for answer, tables in answers.items():
            due = _fees(tables, schedule, table) if schedule else _Fees(0, 0)
            # Fees of another schedule are looked at without new rounds.
            found = None if having else self._rounds(tables, table)
            if isinstance(found, NotSimulatedError):
                not_simulated[answer] = str(found)
            played = found if isinstance(found, _Rounds) else None
            base = base or (due, played)
            figures[answer] = {
                PLAYER_FEES: _exact(due.players, base[0].players),
                BANK_FEE: _exact(due.bank, base[0].bank),
            }
            if played is not None:
                figures[answer].update(self._played_figures(table, played, base[1]))
        changed = dict.fromkeys(
            name
            for one in figures.values()
            for name, figure in one.items()
            if figure.change != 0 or figure.change_error
        )
        return BankSide(
            table=table,
            having=having,
            rounds=0 if having else self.rounds,
            answers={
                answer: {n: figure for n, figure in figures[answer].items() if n in changed}
                for answer in entry.answers
                if answer in figures
            },
            not_simulated=not_simulated,
        )

    def _played_figures(
        self, table: BankTable, played: _Rounds, default: _Rounds | None
    ) -> dict[str, BankFigure]:
        usual = default or played
        whole, last = self._exact_results(table, usual)
        due, moved = played.due, played.moved
        lost = due - moved
        share = lost.sum() / due.sum()
        usual_share = (usual.due - usual.moved).sum() / usual.due.sum()
        # Deviations of a ratio of sums, and of the difference of two.
        off = (lost - share * due) / due.mean()
        usual_off = ((usual.due - usual.moved) - usual_share * usual.due) / usual.due.mean()
        found = {
            BANK: _sampled(whole, played.cut, usual.cut),
            UNCOVERED: BankFigure(
                float(share), _error(off), float(share - usual_share), _error(off - usual_off)
            ),
            BACKLINE: _sampled(last, played.backed, usual.backed),
        }
        if default is None:
            return {name: replace(figure, change=None) for name, figure in found.items()}
        return found

    def _exact_results(self, table: BankTable, default: _Rounds) -> tuple[float, float]:
        """What a bank that covers all wins of the table, and of the last seat's base wager.

        These are the same for every answer, since none changes a wager's odds.
        """
        key = repr(table)
        if key not in self._whole:
            desk = self._desk
            exact = [
                -desk.player_cents(wagers, wager)
                for wagers in table.seats
                for wager in wagers
                if wager not in desk.inexact
            ]
            last = -desk.player_cents(table.seats[-1], BASE)
            self._whole[key] = sum(exact) + float(default.inexact.mean()), last
        return self._whole[key]

    def _rounds(self, tables: GameTables, table: BankTable) -> _Rounds | NotSimulatedError:
        key = stamp(
            price_stamp(tables, (*tables.payoffs, *tables.observers)),
            replace(tables.money, fees=None),
            tables.settlement,
            repr(table),
        )
        if key not in self._played:
            try:
                self._played[key] = self._play(tables, table)
            except NotSimulatedError as refusal:
                self._played[key] = refusal
        return self._played[key]

    def _play(self, tables: GameTables, table: BankTable) -> _Rounds:
        known = tables.fingerprint == self.given.fingerprint
        desk = self._desk if known else Desk(tables, self.progress)
        rounds = desk.rounds(table.seats)
        parts: list[tuple[npt.NDArray[np.int64], ...]] = []
        limit = table.bank if tables.money.bank_is_limited else None
        for nets in rounds.streams(self.rounds, limit, self.progress):
            whole = nets.wagers.sum(axis=(0, 2))
            own = nets.wagers[0, :, -1]
            inexact = nets.wagers[rounds.inexact].sum(axis=(0, 2))
            parts.append((nets.limited - whole, nets.backed - own, nets.due, nets.moved, inexact))
        return _Rounds(
            *(np.concatenate(part).astype(np.float64) for part in zip(*parts, strict=True))
        )


def _base_wagers(tables: GameTables, schedule: FeeSchedule | None) -> Iterator[int]:
    """Base wagers that the table takes: some table minimums, the usual number first."""
    plan = tables.money.wagers[BASE]
    low, high = plan.minimum or tables.money.unit, plan.maximum
    if schedule is not None:
        low, high = schedule.table_min, schedule.table_max
    yield from plan.amounts or (size * low for size in SIZES if not high or size * low <= high)


def _with_bonus(tables: GameTables, base: int, schedule: FeeSchedule | None) -> dict[str, int]:
    """A base wager and as much on every wager beside it, if the table takes so much."""
    bonus = [wager for wager, plan in tables.money.wagers.items() if plan.needs == BASE]
    wagers = {BASE: base} | dict.fromkeys(bonus, base)
    try:
        check_wagers(tables, wagers, posted=schedule is None)
    except WagerRefusedError:
        return {BASE: base}
    return wagers


def _fees(tables: GameTables, schedule: FeeSchedule, table: BankTable) -> _Fees:
    plan = tables.money.fees
    assert plan is not None
    try:
        costs = plan.quote(table.seats, schedule=schedule, players=table.players)
    except UpcardError:
        return _Fees(None, None)
    return _Fees(sum(seat.fee for seat in costs.seats), costs.player_dealer.fee)


def _exact(value: int | None, default: int | None) -> BankFigure:
    change = None if value is None or default is None else float(value - default)
    if value is None and default is None:
        change = 0.0
    return BankFigure(None if value is None else float(value), 0.0, change, 0.0)


def _sampled(exact: float, found: Floats, default: Floats) -> BankFigure:
    """An exact value and what random rounds add to it, beside the default answer's."""
    change = found - default
    return BankFigure(
        exact + float(found.mean()), _error(found), float(change.mean()), _error(change)
    )


def _error(values: Floats) -> float:
    return float(values.std() / math.sqrt(len(values)))
