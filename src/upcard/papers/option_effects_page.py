"""What `upcard odds --options` and `print(option_effects)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, shoe_words, split_words, wager_name
from upcard.pages.page import Printer, indented
from upcard.text import cited, listed

if TYPE_CHECKING:
    from upcard.papers.option_effects import OptionEffect, OptionEffects, OptionValue


def show_option_effects(found: OptionEffects, out: Printer) -> None:
    """Every option that changes a wager, value by value."""
    from rich.text import Text

    tables = found.tables
    wager = f"wager {format_cents(found.bet)}"
    facts = (shoe_words(tables), wager, "optimal play", split_words(tables, found.mode))
    out.print(heading(tables, *facts))
    for option in found.options:
        if option.changed:
            out.print()
            out.print(Text.assemble((option.name, "bold"), (cited(option.clauses), "cyan")))
            _show_option(found, option, out)
    out.print()
    if found.idle:
        words = f"Of no consequence to any wager's odds: {listed(found.idle, 'and')}."
        out.print(indented(Text(words, "dim"), 2))
    if found.ranges:
        words = f"Not priced, since they span a range: {listed(found.ranges, 'and')}."
        out.print(indented(Text(words, "dim"), 2))


def _show_option(found: OptionEffects, option: OptionEffect, out: Printer) -> None:
    table = grid("", "wager", "edge", "change for the player", left=2)
    for value in option.values:
        mark = "* " if value.is_given else "  "
        if value.refused:
            table.add_row(f"{mark}{value.shown}", "", "", "not allowed")
            continue
        for place, wager in enumerate(option.changed):
            name = "" if place else f"{mark}{value.shown}"
            table.add_row(name, wager_name(found.tables, wager), *cells(option, value, wager))
    out.print(table)


def cells(option: OptionEffect, value: OptionValue, wager: str) -> tuple[str, str]:
    """The edge of a wager under a value, and what that changes for the player."""
    if wager not in value.evs:
        return "not offered", ""
    change = option.change(value, wager)
    return percent(-value.evs[wager]), "" if change is None else percent(change)
