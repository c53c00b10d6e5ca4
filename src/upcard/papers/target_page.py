"""What `upcard target` and `print(target)` show."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.compile.tables import PayUnit
from upcard.money import format_cents
from upcard.pages.figures import FAVOURS, grid, heading, percent, shoe_words, split_words
from upcard.pages.page import Printer, indented

if TYPE_CHECKING:
    from upcard.papers.target import Paid, Target


def show_target(found: Target, out: Printer) -> None:
    """The figure as it is, and the nearest on both sides of the edge."""
    from rich.text import Text

    tables, payable = found.tables, found.payable
    wager = f"wager {format_cents(found.bet)}"
    facts = (shoe_words(tables), wager, "optimal play", split_words(tables, found.mode))
    out.print(heading(tables, *facts))
    out.print()
    wanted = f"an edge of {percent(found.wanted)} by {payable.name}"
    out.print(Text.assemble((payable.wager, "bold"), f": {wanted}"))
    table = grid("", "pays", "edge", left=2)
    for words, paid in _lines(found):
        favours = f", {FAVOURS}" if paid.edge < 0 else ""
        table.add_row(words, found.words(paid.figure), f"{percent(paid.edge)}{favours}")
    out.print(table)
    if found.above.figure != found.below.figure:
        note = f"The very edge lies between them, at {_decimal(payable.unit, found.exact)}."
        out.print(indented(Text(note, "dim"), 2))
    out.print(indented(Text(f"The figure is {payable.place}.", "dim"), 2))


def _lines(found: Target) -> list[tuple[str, Paid]]:
    now = ("as it is", found.now)
    if found.above.figure == found.below.figure:
        return [now, ("meets it", found.above)]
    return [now, ("at least so much", found.above), ("at most so much", found.below)]


def _decimal(unit: PayUnit, figure: Fraction) -> str:
    if unit is PayUnit.CENTS:
        return format_cents(round(figure))
    return f"{float(figure):.4f} {'for' if unit is PayUnit.FOR_1 else 'to'} 1"
