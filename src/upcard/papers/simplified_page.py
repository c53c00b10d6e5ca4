"""What `upcard strategy --simplify` and `print(simplified)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, shoe_words, split_words
from upcard.pages.page import Printer

if TYPE_CHECKING:
    from upcard.papers.simplified import Simplified


def show_simplified(found: Simplified, out: Printer) -> None:
    """The best play, and what simpler ones give up."""
    tables = found.tables
    wager = f"wager {format_cents(found.bet)}"
    out.print(heading(tables, shoe_words(tables), wager, split_words(tables, found.mode)))
    out.print()
    table = grid("play", "EV", "gives up")
    table.add_row("the best play, by the cards of the hand", percent(found.ev), "")
    for play in found.plays:
        table.add_row(play.words, percent(play.ev), percent(play.cost, signed=False))
    out.print(table)
