"""What `upcard odds --removal` and `print(removal)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, shoe_words, split_words, symbol_words
from upcard.pages.page import Printer, indented

if TYPE_CHECKING:
    from upcard.papers.removal import Removal

WAGERS_A_TABLE = 4


def show_removal(found: Removal, out: Printer) -> None:
    """What every wager gains without a card, and how well counts foretell it."""
    from rich.text import Text

    tables = found.tables
    facts = (
        shoe_words(tables),
        f"wager {format_cents(found.bet)}",
        "optimal play of every shoe",
        split_words(tables, found.mode),
    )
    out.print(heading(tables, *facts))
    priced = list(found.wagers.values())
    for start in range(0, len(priced), WAGERS_A_TABLE):
        some = priced[start : start + WAGERS_A_TABLE]
        out.print()
        out.print(Text("What a wager gains when one card is gone", "bold"))
        table = grid("card", *(wager.name for wager in some))
        for kind in found.kinds:
            table.add_row(kind.name, *(percent(wager.effects[kind.name]) for wager in some))
        out.print(table)
        out.print()
        out.print(Text("Correlation with counts", "bold"))
        table = grid("count", *(wager.name for wager in some))
        for count in found.counts:
            fits = (found.fit(wager.wager, count).correlation for wager in some)
            table.add_row(count, *(correlation_words(fit) for fit in fits))
        out.print(table)
    whole = all(kind.name == tables.alphabet.symbols[kind.symbol].name for kind in found.kinds)
    if whole and (words := symbol_words(tables)):
        out.print()
        out.print(indented(Text(words, "dim"), 2))
    for wager, why in found.left_out.items():
        out.print(indented(Text(f"{wager}: {why}.", "yellow"), 2))


def correlation_words(value: float | None) -> str:
    """A correlation as people read it, a dash where there is none."""
    return "-" if value is None else f"{value:+.3f}"
