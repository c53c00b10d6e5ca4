"""What `upcard readings` and `print(readings)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import FAVOURS, grid, heading, percent, shoe_words, split_words
from upcard.pages.page import Printer, indented
from upcard.text import cited

if TYPE_CHECKING:
    from rich.table import Table

    from upcard.solve.readings import AnswerPrices, Price, ReadingPrices, Readings

NAME_WIDTH = 34


def show_readings(found: Readings, out: Printer) -> None:
    """Every answer of every reading beside the default."""
    tables = found.tables
    wager = f"wager {format_cents(found.bet)}"
    facts = (shoe_words(tables), wager, "optimal play", split_words(tables, found.mode))
    out.print(heading(tables, *facts))
    for reading in found.readings:
        out.print()
        _show_reading(found, reading, out)


def _show_reading(found: Readings, reading: ReadingPrices, out: Printer) -> None:
    from rich.text import Text

    question = Text.assemble((f"{reading.id}: ", "bold yellow"), reading.asks)
    question.append(cited(reading.clauses), "cyan")
    out.print(question)
    if reading.having and reading.matters:
        having = ", ".join(f"{name} = {value}" for name, value in reading.having.items())
        out.print(indented(Text(f"with {having}", "yellow"), 2))
    for answer in reading.answers:
        mark, style = ("*", "green") if answer.is_default else (" ", "default")
        out.print(indented(Text(f"{mark} {answer.answer}: {answer.text}", style), 2))
        if answer.wagers and reading.matters:
            out.print(_answer(found, answer))
    if not reading.matters:
        out.print(indented(Text("changes no wager's odds", "dim"), 4))


def _answer(found: Readings, answer: AnswerPrices) -> Table:
    from rich.text import Text

    table = grid("", "", "", left=1)
    table.columns[2].justify = "left"
    table.show_header = False
    table.columns[0].min_width = NAME_WIDTH
    for wager, price in answer.wagers.items():
        name = Text("  " + _name(found, wager))
        if price.ev is not None and price.ev > 0:
            name.append(f"\n    {FAVOURS}", "bold green")
        table.add_row(name, *_figures(price))
    return table


def _name(found: Readings, wager: str) -> str:
    known = found.tables.money.wagers.get(wager)
    return known.name if known is not None else wager


def _figures(price: Price) -> tuple[str, str]:
    if price.ev is None or price.edge is None:
        return "not offered", ""
    change = f", {percent(price.change)} against *" if price.change else ""
    return f"edge {percent(price.edge)}", f"EV {percent(price.ev)}{change}"
