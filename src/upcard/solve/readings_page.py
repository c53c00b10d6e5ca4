"""What `upcard readings` and `print(readings)` show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from upcard.money import BASE, CENTS_PER_DOLLAR, format_cents
from upcard.pages.figures import FAVOURS, grid, heading, percent, shoe_words, split_words
from upcard.pages.page import Printer, indented
from upcard.solve.rounds import SEED
from upcard.text import cited, listed

if TYPE_CHECKING:
    from rich.table import Table

    from upcard.solve.readings import (
        AnswerPrices,
        BankFigure,
        BankSide,
        Price,
        ReadingPrices,
        Readings,
    )

NAME_WIDTH = 34


def show_readings(found: Readings, out: Printer) -> None:
    """Every answer of every reading beside the default."""
    tables = found.tables
    wager = f"wager {format_cents(found.bet)}"
    facts = (shoe_words(tables), wager, "optimal play", split_words(tables, found.mode))
    out.print(heading(tables, *facts))
    for reading in (*found.readings, *found.options):
        out.print()
        _show_reading(found, reading, out)


def _show_reading(found: Readings, reading: ReadingPrices, out: Printer) -> None:
    from rich.text import Text

    question = Text.assemble((f"{reading.id}: ", "bold yellow"), reading.asks)
    question.append(cited(reading.clauses), "cyan")
    out.print(question)
    beside = reading.bank.having if reading.bank else reading.having if reading.matters else {}
    if beside:
        having = ", ".join(f"{name} = {value}" for name, value in beside.items())
        out.print(indented(Text(f"with {having}", "yellow"), 2))
    for answer in reading.answers:
        mark, style = ("*", "green") if answer.is_default else (" ", "default")
        out.print(indented(Text(f"{mark} {answer.answer}: {answer.text}", style), 2))
        if answer.wagers and reading.matters:
            out.print(_answer(found, answer))
        if reading.bank is not None and reading.bank.answers.get(answer.answer):
            out.print(_bank_answer(reading.bank.answers[answer.answer]))
        if reading.bank is not None and answer.answer in reading.bank.not_simulated:
            why = reading.bank.not_simulated[answer.answer]
            out.print(indented(Text(f"not simulated: {why}", "yellow"), 4))
    if reading.bank is not None:
        out.print(indented(Text(_bank_words(found, reading.bank), "dim"), 4))
    elif not reading.matters:
        out.print(indented(Text("changes no wager's odds", "dim"), 4))


BANK_FIGURES = {
    "bank": "bank's result a hand",
    "uncovered": "won or lost, but not covered",
    "backline": "bank's result of a backline wager",
    "player_fees": "players' fees a hand",
    "bank_fee": "player-dealer's fee a hand",
}
SHARES = ("uncovered",)


def _bank_words(found: Readings, side: BankSide) -> str:
    """What was looked at, and whether anything changes."""
    table = side.table
    circles = Counter(
        (player, listed([_wager(found, *one) for one in seat.items()], "and"))
        for player, seat in zip(table.players, table.seats, strict=True)
    )
    wagers = [
        f"{player} {placed}{f' on each of {count} circles' if count > 1 else ''}"
        for (player, placed), count in circles.items()
    ]
    words = f"{'; '.join(wagers)}; {format_cents(table.bank)} in the bank"
    if table.schedule is not None:
        words += f"; fee schedule {table.schedule}"
    if any("backline" in figures for figures in side.answers.values()):
        amount = format_cents(table.seats[-1][BASE])
        words += f"; {amount} behind the last of them, looked at by itself and covered in full"
    if side.rounds:
        words += f"; {side.rounds:,} random rounds (seed {SEED}), players on the best play"
    if side.matters:
        return f"changes no wager's odds; the bank's side of this table: {words}"
    looked_at = "where it is simulated at" if side.not_simulated else "at"
    nothing = f"nothing for the bank or in fees {looked_at} this table"
    return f"changes no wager's odds, and {nothing}: {words}"


def _wager(found: Readings, wager: str, amount: int) -> str:
    return f"{format_cents(amount)} {'' if wager == BASE else f'on {_name(found, wager)}'}".strip()


def _bank_answer(figures: Mapping[str, BankFigure]) -> Table:
    table = grid("", "", "", left=1)
    table.columns[2].justify = "left"
    table.show_header = False
    table.columns[0].min_width = NAME_WIDTH
    for name, figure in figures.items():
        table.add_row(f"  {BANK_FIGURES[name]}", *_bank_figures(figure, share=name in SHARES))
    return table


def _bank_figures(figure: BankFigure, *, share: bool) -> tuple[str, str]:
    if figure.value is None:
        return "no round is dealt", ""

    def shown(value: float, *, signed: bool = False) -> str:
        if share:
            return percent(value, signed=signed)
        sign = "-" if value < 0 else "+" if signed else ""
        return f"{sign}${abs(value) / CENTS_PER_DOLLAR:,.4f}"

    def with_error(error: float) -> str:
        return f" (error {shown(error)})" if error else ""

    change = ""
    if figure.change:
        change = f"{shown(figure.change, signed=True)}{with_error(figure.change_error)} against *"
    return f"{shown(figure.value)}{with_error(figure.error)}", change


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
