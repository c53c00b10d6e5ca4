"""Which figure gives a wager the edge that somebody wants: the nearest ones that can be paid."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from upcard.compile.bets import wagers_of
from upcard.compile.tables import GameTables, PaidGame, Payable, PayUnit
from upcard.errors import UpcardError
from upcard.money import BASE, CENTS_PER_DOLLAR, format_cents, format_odds
from upcard.pages.page import Printer, Shown
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import Solver
from upcard.solve.readings import Pricer
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode
from upcard.text import did_you_mean, listed

_STEPS = tuple(Fraction(part, 10) for part in (0, 2, 4, 5, 6, 8))
"""Parts of a chip that odds are usually made of: halves and fifths."""
_WHOLE_FROM = 10
"""Odds from which on only whole ones are paid."""
_MOST = 1 << 24
"""Figures that are looked at: beyond, no pay table goes."""
_LEAST = 1
"""The number of the smallest figure that game files take."""
_LIMIT = 1_000_000


@dataclass(frozen=True)
class Paid:
    """A figure with the edge that it gives, and the fingerprint of the game that pays it."""

    figure: Fraction
    edge: float
    fingerprint: str


@dataclass(frozen=True, repr=False)
class Target(Shown):
    """A wager's figure as it is, the nearest that give at least and at most the edge wanted, and
    the figure that gives it, between them.

    `above` pays less, so that its edge is the one wanted or more; `below` pays more. Where a figure
    gives the very edge, both are that one.
    """

    tables: GameTables
    payable: Payable
    bet: int
    mode: Mode
    wanted: float
    now: Paid
    above: Paid
    below: Paid
    exact: Fraction

    def show(self, out: Printer) -> None:
        """Print the figures with their edges on a console or a page."""
        from upcard.papers.target_page import show_target

        show_target(self, out)

    def words(self, figure: Fraction) -> str:
        """A figure as pay tables print it."""
        return figure_words(self.payable.unit, figure)

    def __repr__(self) -> str:
        return (
            f"<Target {self.wanted:.4%} of {self.payable.wager} by {self.payable.name}: "
            f"{self.words(self.above.figure)} {self.above.edge:.4%}, "
            f"{self.words(self.below.figure)} {self.below.edge:.4%}>"
        )


def find_target(
    reference: str,
    settings: Mapping[str, str],
    wager: str,
    figure: str,
    edge: float,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    played_for: float = 0.0,
    progress: Progress = silent,
) -> Target:
    """The payable figures on both sides of an edge.

    With `played_for` the wager is so many base wagers, the hand is played for both, and the edge is
    that of all that is staked.

    >>> found = find_target("blackjack-tie", {}, "tie-21", "Tie 21", 0.05)
    >>> found.words(found.above.figure), found.words(found.below.figure)
    ('268 to 1', '269 to 1')
    """
    game = PaidGame(reference, settings)
    payable = find_payable(game, wager, figure)
    pricer = Pricer(lambda _: game.tables, {}, mode)
    pricer.bet = wagers_of(game.tables, bet)[BASE]
    known: dict[Fraction, Paid] = {}

    def edge_of(tables: GameTables) -> float:
        if not played_for:
            return -pricer.ev(tables, payable.wager)
        solver = Solver(BaseGame(tables), mode)
        return float(solver.played_for(pricer.bet, {payable.wager: played_for}).edge)

    def priced(own: Fraction) -> Paid:
        if own not in known:
            progress(
                f"{payable.name} {figure_words(payable.unit, own)}", min(0.95, len(known) / 16)
            )
            tables = game.tables if own == payable.figure else game.paying(payable, own)
            known[own] = Paid(own, edge_of(tables), tables.fingerprint)
        return known[own]

    now = priced(payable.figure)
    above, below = _bracket(payable, edge, priced)
    progress("target", 1.0)
    return Target(
        tables=game.tables,
        payable=payable,
        bet=pricer.bet,
        mode=mode,
        wanted=edge,
        now=now,
        above=above,
        below=below,
        exact=_between(above, below, edge),
    )


@dataclass(frozen=True)
class PaidTable:
    """A whole pay table at one share of its figures, in whole units, with the edge it gives."""

    share: Fraction
    rows: tuple[tuple[str, str], ...]
    edge: float
    fingerprint: str


def find_table(
    reference: str,
    settings: Mapping[str, str],
    wager: str,
    edge: float,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> PaidTable:
    """The largest share of all figures of a pay table, in percent, that gives at least an edge.

    >>> found = find_table("twisted-21", {"stud_bonus": "seven-card-low"}, "stud-bonus", 0.05)
    >>> str(found.share), found.rows[0], round(found.edge, 4)
    ('33/50', ('7 high', '10 for 1'), 0.1472)
    """
    game = PaidGame(reference, settings)
    rows = [one for one in game.payables if one.wager == wager and one.row >= 0]
    pricer = Pricer(lambda _: game.tables, {}, mode)
    pricer.bet = wagers_of(game.tables, bet)[BASE]

    def paid(percent: int) -> PaidTable:
        progress(f"{wager} at {percent}%", (100 - percent) / 100)
        share = Fraction(percent, 100)
        figures = {one: Fraction(max(_LEAST, math.floor(one.figure * share))) for one in rows}
        tables = game.paying_all(figures)
        words = tuple((one.name, figure_words(one.unit, figures[one])) for one in rows)
        return PaidTable(share, words, -pricer.ev(tables, wager), tables.fingerprint)

    low, high = 1, 100
    found = paid(low)
    if found.edge < edge:
        raise UpcardError(
            f"no share of the pay table gives {wager} an edge of {edge:.4%}: even the least leaves "
            f"{found.edge:.4%}"
        )
    while high - low > 1:
        middle = (low + high) // 2
        tried = paid(middle)
        if tried.edge >= edge:
            low, found = middle, tried
        else:
            high = middle
    progress("pay table", 1.0)
    return found


def _bracket(
    payable: Payable, edge: float, priced: Callable[[Fraction], Paid]
) -> tuple[Paid, Paid]:
    """The figures next to each other of which one gives at least the edge, and one at most.

    Whoever is paid more has no less: the edge falls with the figure.
    """
    low = _LEAST
    if priced(_figure(payable, low)).edge < edge:
        least = priced(_figure(payable, low))
        raise UpcardError(
            f"{payable.name} cannot give {payable.wager} an edge of {edge:.4%}: even "
            f"{figure_words(payable.unit, least.figure)} leaves {least.edge:.4%}"
        )
    high = max(low + 1, _number(payable, payable.figure))
    if priced(_figure(payable, high)).edge > edge:
        low = high
    while priced(_figure(payable, high)).edge > edge:
        low, high = high, 2 * high
        if high > _MOST:
            raise UpcardError(
                f"{payable.name} cannot give {payable.wager} an edge of {edge:.4%}: it comes too "
                "seldom to matter that much"
            )
    tries = 0
    while high - low > 1:
        tries += 1
        first, last = (priced(_figure(payable, number)) for number in (low, high))
        # Edges change nearly evenly with the figure: one guess and its neighbour mostly do.
        fell = first.edge - last.edge
        share = (first.edge - edge) / fell if fell and tries % 3 else 0.5
        figure = first.figure + (last.figure - first.figure) * Fraction(share)
        middle = min(max(_number(payable, figure, low) - tries % 2, low + 1), high - 1)
        if priced(_figure(payable, middle)).edge >= edge:
            low = middle
        else:
            high = middle
    above, below = priced(_figure(payable, low)), priced(_figure(payable, high))
    return (above, above) if above.edge == edge else (above, below)


def _between(above: Paid, below: Paid, edge: float) -> Fraction:
    """The figure that gives the edge, if it changes evenly from one payable figure to the next."""
    if above.edge == below.edge:
        return above.figure
    share = (above.edge - edge) / (above.edge - below.edge)
    return above.figure + (below.figure - above.figure) * Fraction(share).limit_denominator(_LIMIT)


def _figure(payable: Payable, number: int) -> Fraction:
    """The payable figures in their order."""
    match payable.unit:
        case PayUnit.CENTS:
            return Fraction(number * CENTS_PER_DOLLAR)
        case PayUnit.ODDS if number < _WHOLE_FROM * len(_STEPS):
            whole, part = divmod(number, len(_STEPS))
            return whole + _STEPS[part]
        case PayUnit.ODDS:
            return Fraction(number - _WHOLE_FROM * len(_STEPS) + _WHOLE_FROM)
        case _:
            return Fraction(number)


def _number(payable: Payable, figure: Fraction, begin: int = _LEAST) -> int:
    """The first payable figure from a number on that is at least so much."""
    low, high = begin, begin + 1
    while _figure(payable, high) < figure:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _figure(payable, middle) >= figure else (middle + 1, high)
    return low


def find_payable(game: PaidGame, wager: str, name: str) -> Payable:
    """A figure of a wager by its name, by a part of it, or by its key."""
    tables = game.tables
    offered = list(dict.fromkeys(one.wager for one in game.payables))
    own = [one for one in game.payables if one.wager == wager]
    if not own:
        guess = did_you_mean(wager, offered)
        raise UpcardError(
            f'{tables.name} has no wager "{wager}" with figures to solve for{guess or ""}'
            f"{'' if guess else f'; it has {listed(offered)}'}"
        )
    asked = name.casefold().strip()
    exact = [one for one in own if asked in (n.casefold() for n in (one.name, *one.also, one.path))]
    found = exact or [
        one for one in own if any(asked in n.casefold() for n in (one.name, *one.also))
    ]
    names = [one.name for one in own]
    if not found or not asked:
        guess = did_you_mean(name, names)
        raise UpcardError(f'{wager} has no figure "{name}"{guess or f"; it has {listed(names)}"}')
    if len(found) > 1:
        raise UpcardError(
            f'"{name}" may be {listed([one.name for one in found])}: write more of it'
        )
    return found[0]


def figure_words(unit: PayUnit, figure: Fraction) -> str:
    """A figure as pay tables print it.

    >>> figure_words(PayUnit.ODDS, Fraction(3, 2)), figure_words(PayUnit.FOR_1, Fraction(11))
    ('3 to 2', '11 for 1')
    """
    if unit is PayUnit.CENTS:
        return format_cents(round(figure))
    if unit is PayUnit.ODDS:
        return format_odds(figure)
    whole = str(figure) if figure.denominator == 1 else f"{float(figure):.4f}"
    return f"{whole} {unit.value}"


def parse_edge(text: str) -> float:
    """An edge as people write it: 5%, 0.5%, -1 %.

    >>> parse_edge("5%"), parse_edge("-0.25 %")
    (0.05, -0.0025)
    """
    figure = text.strip()
    if not figure.endswith("%"):
        raise UpcardError(f'"{text}" is no edge: write it in percent, such as 5%')
    try:
        found = float(Fraction(figure.removesuffix("%").strip())) / 100
    except (ValueError, ZeroDivisionError):
        raise UpcardError(f'"{text}" is no edge: write it in percent, such as 5%') from None
    if not -1 < found < 1:
        raise UpcardError(f'"{text}" is no edge: it lies between -100% and 100%')
    return found
