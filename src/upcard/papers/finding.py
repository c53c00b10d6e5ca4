"""What a published rule sheet gives away: wagers that favour the player, and the pay it would take.

A wager is looked at as it is printed, under every pay table that the house may choose, played for
(where it goes by how the hand ends), and under every reading of the text that turns it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TypeVar

from upcard.compile.bets import wagers_of
from upcard.compile.tables import GameTables, PaidGame, Payable, tables_for
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.pages.figures import wager_name
from upcard.pages.page import Printer, Shown
from upcard.papers.target import PaidTable, Target, find_table, find_target
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import LongRun, long_run
from upcard.solve.odds import Solver
from upcard.solve.readings import NO_CHANGE, Evs, Pricer
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode
from upcard.text import as_text

SIDE_EDGE = 0.05
MAIN_EDGE = 0.005
"""Edges that houses like to have on side wagers and on the main one."""
_CHOICES = ("wagers.", "bonus_card", "lights.")
"""Keys of what the house offers: another pay table, other bonuses."""
_EVEN_MONEY = "outcomes.win_pays"
"""No house pays an ordinary win otherwise, whatever it would mend."""


Result = TypeVar("Result")


class CaseKind(Enum):
    """Why a wager is looked at once more."""

    PRINTED = "as printed"
    OPTION = "option"
    PLAYED_FOR = "played for"
    READING = "reading"


@dataclass(frozen=True)
class Case:
    """A wager as it is offered or played, and the bank's edge; `settings` are besides the given.

    For a wager that is played for it is the edge of all that is staked, `ratio` base wagers on it.
    """

    wager: str
    name: str
    kind: CaseKind
    settings: Mapping[str, str]
    edge: float
    fingerprint: str
    ratio: float = 0.0

    @property
    def favours_player(self) -> bool:
        return self.edge < -NO_CHANGE


@dataclass(frozen=True)
class Remedy:
    """What would give a case the edge that is wanted, all else as it is.

    `targets` are figures that do it alone, `cannot` those that do not, each with the reason. Where
    none does, `table` is the pay table at a share of all its figures.
    """

    case: Case
    wanted: float
    targets: tuple[Target, ...]
    cannot: tuple[tuple[str, str], ...]
    table: PaidTable | None = None


@dataclass(frozen=True)
class LightsCase:
    """Endless play for lights under some settings."""

    settings: Mapping[str, str]
    run: LongRun


@dataclass(frozen=True, repr=False)
class Finding(Shown):
    """Everything that a rule sheet gives away; `method` is how the main wager is worked out.

    `room` are figures of a sheet that gives nothing away as it is printed: what each could be until
    its wager is fair.
    """

    tables: GameTables
    bet: int
    mode: Mode
    method: str
    cases: tuple[Case, ...]
    remedies: tuple[Remedy, ...]
    room: tuple[Target, ...]
    by_bet: Mapping[int, float]
    lights: tuple[LightsCase, ...]

    @property
    def favouring(self) -> tuple[Case, ...]:
        """The cases in which the player has the advantage."""
        return tuple(case for case in self.cases if case.favours_player)

    def show(self, out: Printer) -> None:
        """Print the finding on a console or a page."""
        from upcard.papers.finding_page import show_finding

        show_finding(self, out)

    def __repr__(self) -> str:
        return f"<Finding of {self.tables.ref}: {len(self.favouring)} favour the player>"


def find(
    reference: str,
    settings: Mapping[str, str] | None = None,
    *,
    side_edge: float = SIDE_EDGE,
    main_edge: float = MAIN_EDGE,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Finding:
    """Look at all wagers of a game in every way, and for the pay that mends what favours players.

    >>> found = find("twisted-21", {"stud_bonus": "five-card"})
    >>> [(case.name, round(case.edge, 4)) for case in found.favouring if not case.settings]
    [('Stud Bonus', -0.0338)]
    >>> [target.words(target.above.figure) for target in found.remedies[0].targets]
    ['42 for 1', '2 for 1', '2 for 1']
    """
    return _Search(reference, dict(settings or {}), (side_edge, main_edge), mode, progress).all(bet)


class _Search:
    def __init__(
        self,
        reference: str,
        settings: dict[str, str],
        wanted: tuple[float, float],
        mode: Mode,
        progress: Progress,
    ) -> None:
        self.reference = reference
        self.settings = settings
        self.side_edge, self.main_edge = wanted
        self.mode = mode
        self.progress = progress
        self.pricer = Pricer(lambda more: tables_for(reference, more), settings, mode)
        self.tables = self.pricer.given()
        self.printed: Evs = {}

    def all(self, bet: int | None) -> Finding:
        tables, pricer = self.tables, self.pricer
        pricer.bet = wagers_of(tables, bet)[BASE]
        self.progress("the sheet as printed", 0.0)
        self.printed = pricer.evs(tables)
        cases = [
            *self._cases(CaseKind.PRINTED, tables, {}, self.printed),
            *self._offered(),
            *self._played_for(),
            *self._readings(),
        ]
        mended = [case for case in cases if case.favours_player and _can_be_mended(case)]
        remedies = [self._remedy(case, n / len(mended)) for n, case in enumerate(mended)]
        room = () if mended else tuple(self._room())
        return Finding(
            tables=tables,
            bet=pricer.bet,
            mode=self.mode,
            method=Solver(BaseGame(tables), self.mode).method_of(self.mode),
            cases=tuple(cases),
            remedies=tuple(remedies),
            room=room,
            by_bet=self._by_bet(),
            lights=tuple(self._lights(cases)),
        )

    # ---------------------------------------------------------------------------------- the cases

    def _cases(
        self, kind: CaseKind, tables: GameTables, more: Mapping[str, str], evs: Evs
    ) -> Iterator[Case]:
        for wager, ev in evs.items():
            name = wager_name(tables, wager)
            yield Case(wager, name, kind, dict(more), -ev, tables.fingerprint)

    def _offered(self) -> Iterator[Case]:
        """Wagers that another choice of the house changes or brings."""
        for option in self.tables.rulebook.options:
            offers = any(key.startswith(_CHOICES) for key in option.sets)
            if option.is_range or not offers or option.name in self.settings:
                continue
            for value in option.allowed:
                more = {option.name: as_text(value)}
                tables = self.pricer.allowed(more) if value != option.value else None
                if tables is None:
                    continue
                self.progress(f"{option.name} {as_text(value)}", 0.1)
                changed = {
                    wager: ev
                    for wager, ev in self.pricer.evs(tables).items()
                    if abs(ev - self.printed.get(wager, ev + 1)) > NO_CHANGE
                }
                yield from self._cases(CaseKind.OPTION, tables, more, changed)

    def _played_for(self) -> Iterator[Case]:
        """Wagers on how the hand ends, by the play that suits them, as large as they may be."""
        tables = self.tables
        riding = [wager for wager in tables.payoffs if wager not in (BASE, INSURANCE)]
        if not riding or tables.round_plan.exchanges:
            return
        ratio = float(tables.money.bonus_share or 1)
        solver = Solver(BaseGame(tables), self.mode)
        for number, wager in enumerate(riding):
            name = wager_name(tables, wager)
            self.progress(f"playing for {name}", 0.2 + 0.2 * number / len(riding))
            edge = float(solver.played_for(self.pricer.bet, {wager: ratio}).edge)
            yield Case(wager, name, CaseKind.PLAYED_FOR, {}, edge, tables.fingerprint, ratio)

    def _readings(self) -> Iterator[Case]:
        """Answers that turn a wager from one side to the other."""
        entries = self.tables.rulebook.readings
        for number, entry in enumerate(entries):
            self.progress(f"reading {entry.name}", 0.4 + 0.3 * number / len(entries))
            found = self.pricer.reading(entry)
            priced = {answer.answer: answer.wagers for answer in found.answers}
            in_force = priced.get(entry.value, {})
            for answer, wagers in priced.items():
                more = {**found.having, entry.name: answer}
                tables = self.pricer.allowed(more)
                for wager, price in wagers.items():
                    now = in_force[wager].edge if wager in in_force else None
                    if tables is None or now is None or price.edge is None:
                        continue
                    if (now < 0) != (price.edge < 0):
                        evs = {wager: -price.edge}
                        yield from self._cases(CaseKind.READING, tables, more, evs)

    def _by_bet(self) -> Mapping[int, float]:
        solver = Solver(BaseGame(self.tables), self.mode)
        return {bet: -float(ev) for bet, ev in solver.by_bet("optimal").items()}

    def _lights(self, cases: list[Case]) -> Iterator[LightsCase]:
        """What lights come to, as printed and under the other choices of the house."""
        choices = [case.settings for case in cases if case.kind is CaseKind.OPTION]
        for more in ({}, *choices) if self.tables.carry is not None else ():
            tables = self.pricer.allowed(more)
            if tables is not None and tables.carry is not None:
                self.progress("lights", 0.9)
                solver = Solver(BaseGame(tables), self.mode)
                optimal = solver.optimal(self.pricer.bet)
                yield LightsCase(more, long_run(solver.game, optimal, optimal))

    # -------------------------------------------------------------------------------- the remedies

    def _remedy(self, case: Case, done: float) -> Remedy:
        main = case.wager == BASE or case.kind is CaseKind.PLAYED_FOR
        wanted = self.main_edge if main else self.side_edge
        settings = {**self.settings, **case.settings}
        targets, cannot = [], []
        for payable in _figures(self.reference, settings, case.wager):
            self.progress(f"{case.name} by {payable.name}", 0.7 + 0.2 * done)
            try:
                targets.append(self._target(settings, payable, wanted, case.ratio))
            except UpcardError as error:
                cannot.append((payable.name, str(error)))
        table = None
        if not targets and len(cannot) > 1 and case.wager not in (BASE, INSURANCE):
            table = _or_none(
                lambda: find_table(
                    self.reference,
                    settings,
                    case.wager,
                    wanted,
                    bet=self.pricer.bet,
                    mode=self.mode,
                )
            )
        return Remedy(case, wanted, tuple(targets), tuple(cannot), table)

    def _target(
        self, settings: Mapping[str, str], payable: Payable, edge: float, ratio: float = 0.0
    ) -> Target:
        return find_target(
            self.reference,
            settings,
            payable.wager,
            payable.name,
            edge,
            bet=self.pricer.bet,
            mode=self.mode,
            played_for=ratio,
        )

    def _room(self) -> Iterator[Target]:
        """Of every wager the figures that would make it fair."""
        for wager in self.printed:
            for payable in _figures(self.reference, self.settings, wager):
                self.progress(f"room of {payable.name}", 0.8)
                target = _or_none(partial(self._target, self.settings, payable, 0.0))
                if target is not None:
                    yield target


def _can_be_mended(case: Case) -> bool:
    """A reading is mended by deciding it."""
    return case.kind is not CaseKind.READING


def _figures(reference: str, settings: Mapping[str, str], wager: str) -> list[Payable]:
    found = PaidGame(reference, settings).payables
    # Nobody mends a game by a bonus that comes once in thousands of rounds; `upcard target` would.
    return [
        one for one in found if one.wager == wager and one.path != _EVEN_MONEY and not one.is_bonus
    ]


def _or_none(look: Callable[[], Result]) -> Result | None:
    try:
        return look()
    except UpcardError:
        return None
