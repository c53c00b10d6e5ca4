"""The placard: what a table takes, charges and pays, to be read from a chair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.fees.schedules import PAYERS, SIDES
from upcard.papers.document import (
    Align,
    Banner,
    Bullets,
    PaperCell,
    PaperColumn,
    PaperTable,
    Paragraph,
    Part,
    SideBySide,
)
from upcard.papers.forms.parts import form_paper, pays_of, plain_section
from upcard.table.sign import sign_of
from upcard.text import listed, sentence_case

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.fees.schedules import FeeSchedule, Side
    from upcard.papers.document import Paper
    from upcard.table.sign import Sign

_MEASURES: dict[Side, str] = {"players": "Wager", "player-dealer": "Total table action"}
_POSTED = (
    "limits.unit",
    "lights.prize",
    "floor.conduct",
    "floor.rates",
    "floor.notice",
    "floor.house",
    "floor.third_parties",
)
"""Keys of what a sign tells besides limits, fees and pay."""
_ABREAST = 2
"""Pay tables that stand beside one another."""


def placard(tables: GameTables) -> Paper:
    """Limits, collection fees of both sides, pay tables and what the floor has to post."""
    sign = sign_of(tables)
    parts = (
        *_limits(sign),
        *_fees(tables),
        plain_section("Pays", *_pays(tables)),
        *_notices(tables, sign),
    )
    fees = "Limits and fees" if tables.money.fees else "Limits"
    return form_paper(tables, fees, parts, scale=1.9, one_page=True)


def _limits(sign: Sign) -> Iterator[Part]:
    """The limits of the main wager large, and those of others that have their own."""
    base, *sides = sign.wagers
    others = [wager for wager in sides if wager.limits != base.limits]
    same = len(sides) - len(others)
    yield Banner(base.limits, base.name + (" and every side wager" if same and not others else ""))
    by_limits: dict[str, list[str]] = {}
    for wager in others if same == 0 else sides if others else ():
        by_limits.setdefault(wager.limits, []).append(wager.name)
    if by_limits:
        columns = (PaperColumn("", share=1.0), PaperColumn("", Align.RIGHT))
        rows = tuple(
            (listed(names, "and"), PaperCell(limits, bold=True))
            for limits, names in by_limits.items()
        )
        yield PaperTable(columns, rows, size=11.0)


def _fees(tables: GameTables) -> Iterator[Part]:
    """The rows of the schedule as they are printed, and what else is said of fees."""
    fees = tables.money.fees
    if fees is None:
        return
    said = [
        sentence.words
        for sentence in tables.rulebook.about("fees")
        if "limits.posted" not in sentence.keys and not sentence.rows
    ]
    yield plain_section(
        f"Collection fees (schedule {fees.schedule.id})",
        SideBySide(tuple(_side(fees.schedule, side) for side in SIDES)),
        Paragraph(" ".join(said), quiet=True),
    )


def _side(schedule: FeeSchedule, side: Side) -> PaperTable:
    """The printed rows of who pays; one that says so where nobody does."""
    columns = (
        PaperColumn(_MEASURES[side], share=1.0),
        PaperColumn(f"{sentence_case(PAYERS[side])} pays", Align.RIGHT),
    )
    rows = tuple((row.printed_range, row.printed_fee) for row in schedule.rows(side))
    return PaperTable(columns, rows or (("any", "no fee"),), size=9.0)


def _pays(tables: GameTables) -> Iterator[Part]:
    found = [_pay_table(title, rows) for title, rows in pays_of(tables)]
    for start in range(0, len(found), _ABREAST):
        row = tuple(found[start : start + _ABREAST])
        yield SideBySide(row) if len(row) > 1 else row[0]


def _pay_table(name: str, rows: tuple[tuple[str, str], ...]) -> PaperTable:
    columns = (PaperColumn(name, share=1.0), PaperColumn("pays", Align.RIGHT))
    return PaperTable(columns, rows, size=9.5)


def _notices(tables: GameTables, sign: Sign) -> Iterator[Part]:
    """What binds wagers together, rounding, and what the floor rules want posted."""
    said = [sentence.words for sentence in tables.rulebook.about(*_POSTED)]
    words = [*filter(None, (sentence_case(sign.together), sign.rounding)), *said]
    items = tuple(("", f"{one.rstrip('.')}.") for one in dict.fromkeys(words))
    if items:
        yield plain_section("Please note", Bullets(items))
