"""What is wrong with printed fee schedules.

Wagers are whole dollars, so a row that ends at $25 is followed without a gap by one that starts
at $26. The players' rows go by the wager on a spot, which the table limits bound on both sides.
The player-dealer's rows go by the total table action: it is at least the table minimum, but many
wagers together may pass the table maximum, so that side needs an open top.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Literal

import msgspec

from upcard.fees.schedules import SIDES, FeeBook, FeeRow, FeeSchedule, Side
from upcard.money import CENTS_PER_DOLLAR as DOLLAR
from upcard.money import format_cents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = Literal[
    "gap",
    "overlap",
    "no-open-top",
    "repeats-schedule",
    "repeated-rate",
    "falling-rate",
    "outside-limits",
    "too-many-rates",
    "starts-above-minimum",
]


class Finding(msgspec.Struct, frozen=True):
    """One defect: where it is, with row numbers from 1, and what it means at the table."""

    schedule: int
    side: Side | Literal["schedule"]
    rows: tuple[int, ...]
    kind: Kind
    message: str


def lint(book: FeeBook) -> tuple[Finding, ...]:
    """Every defect of a book, in the order of its schedules.

    >>> from upcard.fees.schedules import load_fee_book
    >>> findings = lint(load_fee_book("pure-spanish-21.5"))
    >>> print(next(found.message for found in findings if found.schedule == 36))
    schedule 36, all rows: the table limits and the rows are those of schedule 35
    """
    return tuple(_findings(book))


def subject(schedule: int) -> str:
    """How the message of every finding begins."""
    return f"schedule {schedule}, "


def _findings(book: FeeBook) -> Iterator[Finding]:
    seen: dict[object, int] = {}
    for schedule in book.schedules:
        first = seen.setdefault(_figures(schedule), schedule.id)
        if first != schedule.id:
            what = f"the table limits and the rows are those of schedule {first}"
            message = f"{subject(schedule.id)}all rows: {what}"
            yield Finding(schedule.id, "schedule", (), "repeats-schedule", message)
        for side in SIDES:
            if schedule.rows(side):
                printed = _Printed(schedule, side, book.most_rates)
                for check in _CHECKS:
                    yield from check(printed)


def _figures(schedule: FeeSchedule) -> object:
    rows = [[(row.from_, row.to, row.fee) for row in schedule.rows(side)] for side in SIDES]
    return schedule.table_min, schedule.table_max, schedule.charges, repr(rows)


class _Printed:
    """One side of a schedule, its rows by rising amounts with their printed numbers."""

    def __init__(self, schedule: FeeSchedule, side: Side, most_rates: int) -> None:
        self.schedule = schedule
        self.side = side
        self.most_rates = most_rates
        self.floor = schedule.table_min
        self.ceiling = schedule.table_max if side == "players" else None
        self.what = "a wager" if side == "players" else "a total table action"
        self.rows = sorted(
            enumerate(schedule.rows(side), 1),
            key=lambda numbered: (numbered[1].from_, _top(numbered[1])),
        )

    def possible(self, low: int, high: int | None) -> tuple[int, int | None] | None:
        """The part of a span that can be wagered at this table."""
        low = max(low, self.floor)
        if self.ceiling is not None:
            high = self.ceiling if high is None else min(high, self.ceiling)
        return None if high is not None and high < low else (low, high)

    def finding(self, kind: Kind, numbers: tuple[int, ...], what: str) -> Finding:
        numbers = tuple(sorted(numbers))
        rows = self.schedule.name_rows(self.side, numbers)
        message = f"{subject(self.schedule.id)}{rows}: {what}"
        return Finding(self.schedule.id, self.side, numbers, kind, message)


def _gaps(printed: _Printed) -> Iterator[Finding]:
    below, reach = printed.rows[0][0], printed.rows[0][1].to
    for number, row in printed.rows[1:]:
        if reach is None:
            return
        missed = printed.possible(reach + DOLLAR, row.from_ - DOLLAR)
        if missed:
            what = f"{printed.what} of {_span(*missed)} has no fee"
            yield printed.finding("gap", (below, number), what)
        if _top(row) > reach:
            below, reach = number, row.to


def _overlaps(printed: _Printed) -> Iterator[Finding]:
    for (first, lower), (second, upper) in combinations(printed.rows, 2):
        if _top(lower) >= upper.from_:
            top = min((lower, upper), key=_top).to
            what = f"{printed.what} of {_span(upper.from_, top)} has two fees"
            yield printed.finding("overlap", (first, second), what)


def _no_open_top(printed: _Printed) -> Iterator[Finding]:
    number, last = max(printed.rows, key=lambda numbered: _top(numbered[1]))
    if last.to is None:
        return
    missed = printed.possible(last.to + DOLLAR, None)
    if missed:
        why = "" if last.from_ < last.to else "there is no plus sign, so "
        what = f"{why}{printed.what} of {_span(*missed)} has no fee"
        yield printed.finding("no-open-top", (number,), what)


def _starts_above_minimum(printed: _Printed) -> Iterator[Finding]:
    number, row = printed.rows[0]
    missed = printed.possible(0, row.from_ - DOLLAR)
    if missed:
        minimum = format_cents(printed.floor)
        what = f"the table minimum is {minimum}, and {printed.what} of {_span(*missed)} has no fee"
        yield printed.finding("starts-above-minimum", (number,), what)


def _rates(printed: _Printed) -> Iterator[Finding]:
    for (first, lower), (second, upper) in pairwise(printed.rows):
        if upper.fee == lower.fee:
            what = f"the fee is {format_cents(upper.fee)} in both, so they are one rate"
            yield printed.finding("repeated-rate", (first, second), what)
        elif upper.fee < lower.fee:
            fall = f"falls from {format_cents(lower.fee)} to {format_cents(upper.fee)}"
            what = f"the fee {fall} as the amount grows"
            yield printed.finding("falling-rate", (first, second), what)


def _outside_limits(printed: _Printed) -> Iterator[Finding]:
    for number, row in printed.rows:
        if row.from_ < printed.floor:
            how = "lies" if _top(row) < printed.floor else "starts"
            what = f"it {how} below the table minimum of {format_cents(printed.floor)}"
            yield printed.finding("outside-limits", (number,), what)
        if printed.ceiling is not None and _top(row) > printed.ceiling:
            how = "lies" if row.from_ > printed.ceiling else "reaches"
            what = f"it {how} above the table maximum of {format_cents(printed.ceiling)}"
            yield printed.finding("outside-limits", (number,), what)


def _too_many_rates(printed: _Printed) -> Iterator[Finding]:
    numbers = tuple(range(printed.most_rates + 1, len(printed.rows) + 1))
    if numbers:
        what = f"there are {len(printed.rows)} rates, and at most {printed.most_rates} are allowed"
        yield printed.finding("too-many-rates", numbers, what)


_CHECKS: tuple[Callable[[_Printed], Iterator[Finding]], ...] = (
    _starts_above_minimum,
    _outside_limits,
    _gaps,
    _overlaps,
    _no_open_top,
    _rates,
    _too_many_rates,
)


def _top(row: FeeRow) -> float:
    return float("inf") if row.to is None else row.to


def _span(low: int, high: int | None) -> str:
    """Amounts for a sentence.

    >>> _span(20100, 30000), _span(100000, 100000), _span(50200, None)
    ('$201-$300', '$1,000', '$502 or more')
    """
    if high is None:
        return f"{format_cents(low)} or more"
    return format_cents(low) if low == high else f"{format_cents(low)}-{format_cents(high)}"
