"""What `upcard finding` and `print(finding)` show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import FAVOURS, grid, heading, percent
from upcard.pages.page import Printer, indented
from upcard.papers import finding_words as words
from upcard.text import sentence_case

if TYPE_CHECKING:
    from upcard.papers.finding import Finding


def show_finding(found: Finding, out: Printer) -> None:
    """The headline, every case with its edge, and the pay that would mend it."""
    from rich.text import Text

    out.print(heading(found.tables, words.method_words(found).rstrip(".")))
    out.print()
    first, second = words.headline(found)
    out.print(Text(f"{first}.", "bold"))
    if second:
        out.print(Text(f"{sentence_case(second)}."))
    out.print()
    table = grid("wager", "", "edge", "", left=2)
    for case in found.cases:
        style = "bold green" if case.favours_player else ""
        edge = Text(percent(case.edge), style)
        favours = FAVOURS if case.favours_player else ""
        table.add_row(case.name, words.case_words(found, case), edge, Text(favours, style))
    out.print(table)
    _show_by_bet(found, out)
    _show_rows("What pay would be needed", _remedies(found), out)
    for remedy in found.remedies:
        for note in words.remedy_notes(found, remedy):
            out.print(indented(Text(note, "dim"), 2))
    _show_rows("Pay from which on it would favour the player", words.room_rows(found), out)
    for lit in found.lights:
        out.print()
        out.print(Text(words.lights_title(found, lit), "bold"))
        for name, what in words.lights_facts(found, lit):
            out.print(indented(Text.assemble((f"{name}: ", "dim"), what), 2))
    for setting, question, answer in words.readings_told(found):
        out.print()
        out.print(Text.assemble((f"{setting}: ", "yellow"), question))
        out.print(indented(Text(answer), 2))


def _remedies(found: Finding) -> list[words.RemedyRow]:
    return [row for remedy in found.remedies for row in words.remedy_rows(found, remedy)]


def _show_rows(title: str, rows: Iterable[words.RemedyRow], out: Printer) -> None:
    from rich.text import Text

    listed = list(rows)
    if listed:
        out.print()
        out.print(Text(title, "bold"))
        table = grid("wager", "figure", "pays", "would pay", "edge then", left=4)
        for row in listed:
            table.add_row(*row)
        out.print(table)


def _show_by_bet(found: Finding, out: Printer) -> None:
    from rich.text import Text

    if found.by_bet:
        edges = (f"{format_cents(bet)} {percent(edge)}" for bet, edge in found.by_bet.items())
        out.print(indented(Text(f"By wager: {', '.join(edges)}"), 2))
