"""`upcard readings`: what each answer to an open question of the source is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.cli.arguments import Game, Json, Settings, chosen_settings
from upcard.cli.output import console, indented, print_json
from upcard.cli.solving import (
    FAVOURS,
    Bet,
    grid,
    heading,
    identity,
    percent,
    plain,
    progress,
    shoe_words,
    split_words,
)
from upcard.money import format_cents
from upcard.text import cited

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from upcard.solve.readings import AnswerPrices, Price, ReadingPrices, Readings

NAME_WIDTH = 34


def readings(game: Game, settings: Settings = None, bet: Bet = None, json: Json = False) -> None:
    """Price every answer of every reading side by side with the default.

    Example: upcard readings games-of-chance-blackjack
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.readings import price_readings

    chosen = chosen_settings(game, settings)
    with progress() as told:
        found = price_readings(
            lambda settings: tables_for(game, settings), chosen, bet=bet, progress=told
        )
    if json:
        print_json(plain(_data(found)))
    else:
        _show(found, console())


def _data(found: Readings) -> dict[str, Any]:
    return {
        **identity(found.tables),
        "bet": found.bet,
        "default": found.default,
        "readings": [
            {
                "id": reading.id,
                "asks": reading.asks,
                "clauses": reading.clauses,
                "default": reading.default,
                "having": reading.having,
                "answers": [
                    {
                        "answer": answer.answer,
                        "text": answer.text,
                        "is_default": answer.is_default,
                        "wagers": {
                            wager: {
                                "ev": price.ev,
                                "edge": price.edge,
                                "change": price.change,
                                "favours_player": price.ev is not None and price.ev > 0,
                            }
                            for wager, price in answer.wagers.items()
                        },
                    }
                    for answer in reading.answers
                ],
            }
            for reading in found.readings
        ],
    }


def _show(found: Readings, out: Console) -> None:
    tables = found.tables
    wager = f"wager {format_cents(found.bet)}"
    facts = (shoe_words(tables), wager, "optimal play", split_words(tables, "CDP"))
    out.print(heading(tables, *facts))
    for reading in found.readings:
        out.print()
        _show_reading(found, reading, out)


def _show_reading(found: Readings, reading: ReadingPrices, out: Console) -> None:
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
