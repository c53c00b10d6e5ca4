"""What every answer of every reading is worth: one solve for each distinct table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from upcard.compile.bets import wagers_of
from upcard.compile.card_observer import CardObserver
from upcard.compile.rulebook import OptionEntry, ReadingEntry
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.pages.page import Printer, Shown
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import prize_value
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver, insurance, seen_cards
from upcard.solve.result import Progress, silent
from upcard.solve.solution import BASE, INSURANCE, Aim, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import TwoBoxes
from upcard.text import as_text

TablesFor = Callable[[Mapping[str, str]], GameTables]
Evs = Mapping[str, float]
PriceKey = tuple[int, Mode, str, str]

NO_CHANGE = 1e-12
"""Differences below are rounding."""
IDLE_VALUES = 3
"""An option that has changed nothing with so many values is taken to mean nothing to the odds."""


@dataclass(frozen=True)
class Price:
    """A wager under one answer; `change` is against the default answer.

    `ev` is None where the answer takes the wager away, `change` where one of the two lacks it.
    """

    ev: float | None
    change: float | None

    @property
    def edge(self) -> float | None:
        """The bank's advantage."""
        return None if self.ev is None else -self.ev


@dataclass(frozen=True)
class AnswerPrices:
    """An answer with the wagers that some answer of its reading changes."""

    answer: str
    text: str
    is_default: bool
    wagers: Mapping[str, Price]

    @property
    def changes(self) -> Mapping[str, Price]:
        """Wagers that this answer changes."""
        return {
            wager: price
            for wager, price in self.wagers.items()
            if price.change is None or abs(price.change) > NO_CHANGE
        }


@dataclass(frozen=True)
class BankTable:
    """A table at which the bank's side is looked at, amounts in cents.

    `seats` are the wagers in action order and `players` whose they are; `bank` is what the
    player-dealer puts up. Somebody backs the last seat with as much as its own base wager: that
    wager is looked at by itself, with a bank that covers all.
    """

    seats: tuple[Mapping[str, int], ...]
    players: tuple[str, ...]
    bank: int
    schedule: int | None


@dataclass(frozen=True)
class BankFigure:
    """A figure of the bank's round under one answer, in cents or as a share.

    `error` and `change_error` are standard errors, 0 for what is exact; `change` is against the
    default answer, in the same rounds. A figure is None where no round is dealt, a change also
    where the default answer has no figure.
    """

    value: float | None
    error: float
    change: float | None
    change_error: float


@dataclass(frozen=True)
class BankSide:
    """What a reading that changes no wager's odds changes for a player's bank and its fees.

    `answers` have the figures that some answer changes, by their names; `rounds` random ones were
    looked at. `having` are settings besides the given ones. `not_simulated` says of answers why
    they have no figures of random rounds.
    """

    table: BankTable
    having: Mapping[str, str]
    rounds: int
    answers: Mapping[str, Mapping[str, BankFigure]]
    not_simulated: Mapping[str, str] = field(default_factory=dict)

    @property
    def matters(self) -> bool:
        """Whether an answer changes any figure."""
        return any(self.answers.values())


@dataclass(frozen=True)
class ReadingPrices:
    """A reading. `having` are settings besides the given ones, without which it changes nothing.

    `bank` is the bank's side of one that changes no wager's odds, where a player banks.
    """

    id: str
    asks: str
    clauses: tuple[str, ...]
    default: str
    having: Mapping[str, str]
    answers: tuple[AnswerPrices, ...]
    bank: BankSide | None = None

    @property
    def matters(self) -> bool:
        """Whether an answer changes any wager."""
        return any(answer.changes for answer in self.answers)


@dataclass(frozen=True, repr=False)
class Readings(Shown):
    """Every reading of a game, `default` being the wagers under the given settings.

    `options` are options that fill a gap of the source as a reading does, priced in the same way.
    """

    tables: GameTables
    bet: int
    mode: Mode
    default: Evs
    readings: tuple[ReadingPrices, ...]
    options: tuple[ReadingPrices, ...] = ()

    def show(self, out: Printer) -> None:
        """Print every answer beside the default on a console or a page."""
        from upcard.solve.readings_page import show_readings

        show_readings(self, out)

    def __repr__(self) -> str:
        names = ", ".join(reading.id for reading in self.readings) or "none"
        return f"<Readings of {self.tables.ref}: {names}>"


def price_readings(
    tables_for_settings: TablesFor,
    settings: Mapping[str, str] | None = None,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Readings:
    """Price every answer of every reading beside the default answer.

    >>> from upcard import tables_for
    >>> found = price_readings(lambda settings: tables_for("twisted-21", settings))
    >>> [reading.id for reading in found.readings if not reading.matters]
    ['double_for_less', 'hand_of_21']
    """
    pricer = Pricer(tables_for_settings, dict(settings or {}), mode)
    tables = pricer.given()
    pricer.bet = wagers_of(tables, bet)[BASE]
    entries = tables.rulebook.readings
    default = pricer.evs(tables)
    found = []
    for number, entry in enumerate(entries):
        progress(f"reading {entry.name}", number / len(entries))
        found.append(pricer.reading(entry))
    progress("readings", 1.0)
    return Readings(tables, pricer.bet, mode, default, tuple(found))


def price_all(tables: GameTables, bet: int, mode: Mode = "CDP") -> Evs:
    """What a unit of every wager of a game is worth."""
    return _pricer_of(tables, bet, mode).evs(tables)


def price_wagers(tables: GameTables, wagers: Iterable[str], bet: int, mode: Mode) -> Evs:
    """What a unit of some wagers of a game is worth."""
    pricer = _pricer_of(tables, bet, mode)
    return {wager: pricer.ev(tables, wager) for wager in wagers}


def _pricer_of(tables: GameTables, bet: int, mode: Mode) -> Pricer:
    pricer = Pricer(lambda _: tables, {}, mode)
    pricer.bet = bet
    return pricer


class Pricer:
    """Compiles and solves, each distinct table once."""

    def __init__(self, load: TablesFor, settings: dict[str, str], mode: Mode) -> None:
        self.load = load
        self.settings = settings
        self.mode = mode
        self.bet = 0
        self._tables: dict[tuple[tuple[str, str], ...], GameTables | None] = {}
        self._in_force: Mapping[str, str] = {}
        self._stamps: dict[str, str] = {}
        self._evs: dict[PriceKey, float] = {}
        self._solved: tuple[Solver, Solution] | None = None

    def given(self) -> GameTables:
        """Tables of the given settings; what is wrong with those is for the caller to hear."""
        self._tables[()] = tables = self.load(self.settings)
        self._in_force = {entry.name: entry.value for entry in tables.rulebook.readings}
        return tables

    def allowed(self, more: Mapping[str, str]) -> GameTables | None:
        """Tables of some more settings, None where the rules forbid them together."""
        # An answer that is in force anyway needs no setting, and no tables of its own.
        key = tuple(sorted(item for item in more.items() if item not in self._in_force.items()))
        if key not in self._tables:
            try:
                self._tables[key] = self.load({**self.settings, **dict(key)})
            except UpcardError:
                self._tables[key] = None
        return self._tables[key]

    def reading(self, entry: ReadingEntry) -> ReadingPrices:
        having = next((more for more in self._circumstances() if self._matters(entry, more)), {})
        default = self._answer_evs(entry, entry.default, having)
        all_evs = {answer: self._answer_evs(entry, answer, having) for answer in entry.answers}
        changed = {
            wager
            for evs in all_evs.values()
            for wager in {*evs, *default}
            if _change(evs.get(wager), default.get(wager)) != 0.0
        }
        order = dict.fromkeys(w for evs in (default, *all_evs.values()) for w in evs)
        wagers = [wager for wager in order if wager in changed]
        return ReadingPrices(
            id=entry.name,
            asks=entry.question,
            clauses=entry.clauses,
            default=entry.default,
            having=having,
            answers=tuple(
                AnswerPrices(
                    answer=answer,
                    text=text,
                    is_default=answer == entry.default,
                    wagers={
                        wager: Price(
                            all_evs[answer].get(wager),
                            _change(all_evs[answer].get(wager), default.get(wager)),
                        )
                        for wager in wagers
                    },
                )
                for answer, text in entry.answers.items()
            ),
        )

    def _answer_evs(self, entry: ReadingEntry, answer: str, having: Mapping[str, str]) -> Evs:
        tables = self.allowed({**having, entry.name: answer})
        return {} if tables is None else self.evs(tables)

    def _circumstances(self) -> Iterator[dict[str, str]]:
        """The given settings, then each with one option turned that means something to the odds."""
        yield {}
        yield from self._turned

    @cached_property
    def _turned(self) -> list[dict[str, str]]:
        given = self.allowed({})
        assert given is not None
        found = {self._stamp(given): dict[str, str]()}
        for option in given.rulebook.options:
            if option.is_range or option.name in self.settings:
                continue
            known = len(found)
            for tried, more in enumerate(_other_values(option), 1):
                tables = self.allowed(more)
                if tables is not None:
                    found.setdefault(self._stamp(tables), more)
                if tried >= IDLE_VALUES and len(found) == known:
                    break
        return list(found.values())[1:]

    def _matters(self, entry: ReadingEntry, having: Mapping[str, str]) -> bool:
        found = [self.allowed({**having, entry.name: answer}) for answer in entry.answers]
        return len({self._stamp(tables) for tables in found if tables is not None}) > 1

    def _stamp(self, tables: GameTables) -> str:
        """A stamp of everything that the price of any wager depends on."""
        if tables.fingerprint not in self._stamps:
            self._stamps[tables.fingerprint] = price_stamp(tables, self.wagers(tables))
        return self._stamps[tables.fingerprint]

    def evs(self, tables: GameTables) -> Evs:
        """What a unit of every wager is worth, with optimal play of the base."""
        return {wager: self.ev(tables, wager) for wager in self.wagers(tables)}

    def wagers(self, tables: GameTables) -> tuple[str, ...]:
        """The wagers that can be made, insurance only if the bet is enough for it."""
        insured = tables.settlement.largest(INSURANCE, self.bet) > 0
        wagers = (*tables.payoffs, *tables.observers)
        return tuple(wager for wager in wagers if wager != INSURANCE or insured)

    def ev(self, tables: GameTables, wager: str) -> float:
        """What a unit of a wager is worth."""
        key = self.price_key(tables, wager)
        if key not in self._evs:
            self._evs[key] = self._solve(tables, wager)
        return self._evs[key]

    def price_key(self, tables: GameTables, wager: str) -> PriceKey:
        """Equal for wagers that have the same price."""
        return (self.bet, self.mode, wager, _stamp_of(tables, wager))

    def _solve(self, tables: GameTables, wager: str) -> float:
        if wager in tables.observers:
            return float(card_wager(tables, wager).ev)
        if wager == BASE and tables.round_plan.exchanges:
            return TwoBoxes(tables, aim=Aim(bet=self.bet), mode=self.mode).optimal.ev
        solver, solution = self._solution(tables)
        if wager == INSURANCE:
            return float(insurance(solver.game).ev)
        if wager != BASE:
            return float(solver.tie_wager(wager, solution).ev)
        if tables.carry is not None:
            return float(prize_value(solver.game, solution))
        return float(solver.base_ev(solution))

    def _solution(self, tables: GameTables) -> tuple[Solver, Solution]:
        """The solved game; the last is kept, since all wagers of one table come together."""
        if self._solved is None or self._solved[0].tables is not tables:
            solver = Solver(BaseGame(tables), self.mode)
            self._solved = (solver, solver.optimal(self.bet))
        return self._solved


def _change(ev: float | None, default: float | None) -> float | None:
    if ev is None or default is None:
        return None
    change = ev - default
    return change if abs(change) > NO_CHANGE else 0.0


def _other_values(option: OptionEntry) -> Iterator[dict[str, str]]:
    for value in option.allowed:
        if value != option.value:
            yield {option.name: as_text(value)}


def price_stamp(tables: GameTables, wagers: Iterable[str]) -> str:
    """A stamp of everything that the prices of some wagers depend on."""
    return stamp(*((wager, _stamp_of(tables, wager)) for wager in wagers))


def _stamp_of(tables: GameTables, wager: str) -> str:
    """A stamp of everything that the price of a wager depends on."""
    if wager in tables.observers:
        observer = tables.observers[wager]
        # What the dealer draws, and what a check ends, matters to some wagers by conditions.
        dealer = tables.dealer if isinstance(observer, CardObserver) else None
        return stamp(tables.alphabet, observer, dealer)
    carry = tables.carry
    lights = carry and (carry.next, carry.prize, carry.by_trade, carry.surplus_counts)
    game = stamp(
        tables.alphabet,
        tables.hands,
        tables.contexts,
        tables.dealer,
        tables.legal.mask,
        tables.player_classes,
        tables.bonuses,
        tables.payoffs[BASE],
        lights,
        tables.prizes,
        tables.round_plan.kinds,
        seen_cards(tables),
        tables.money.flat_per,
        tables.money.chip,
        tables.money.rounding,
    )
    return game if wager == BASE else stamp(game, tables.payoffs[wager])


def stamp(*values: Any) -> str:
    """A stamp of some values and everything in them."""
    digest = hashlib.sha256()
    for value in values:
        _feed(digest.update, value)
    return digest.hexdigest()


def _feed(update: Callable[[bytes], object], value: Any) -> None:
    """Everything in a value, in an order of its own."""
    match value:
        case np.ndarray():
            update(f"{value.dtype}{value.shape}".encode())
            update(value.tobytes())
        case str() | int() | float() | Fraction() | None:
            update(f"{type(value).__name__} {value};".encode())
        case Mapping():
            for key, item in value.items():
                _feed(update, (key, item))
        case tuple() | list():
            update(f"({len(value)}".encode())
            for item in value:
                _feed(update, item)
        case msgspec.Struct():
            update(msgspec.json.encode(value))
        case _:
            assert is_dataclass(value), type(value)
            for part in fields(value):
                _feed(update, getattr(value, part.name))
