"""What `upcard odds --vary` and `print(what_if)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, split_words, wager_name
from upcard.pages.page import Printer, indented
from upcard.solve.readings import NO_CHANGE

if TYPE_CHECKING:
    from rich.text import Text

    from upcard.papers.what_if import Cell, WhatIf

NOT_ALLOWED = "not allowed"
NOT_THERE = ""


def show_what_if(found: WhatIf, out: Printer) -> None:
    """The edge of every wager under every combination: a matrix for two settings, else a list."""
    out.print(heading(found.tables, *what_if_facts(found)))
    if len(found.names) == 2:
        for wager in found.wagers:
            if changes(found, wager):
                _show_matrix(found, wager, out)
        _show_unchanged(found, out)
    else:
        _show_list(found, out)
    _show_refused(found, out)


def what_if_facts(found: WhatIf) -> tuple[str, ...]:
    """What was varied, and what the edges hold for."""
    varied = " and ".join(filter(None, (", ".join(found.names[:-1]), found.names[-1])))
    wager = f"wager {format_cents(found.bet)}"
    return f"edges by {varied}", wager, "optimal play", split_words(found.tables, found.mode)


def changes(found: WhatIf, wager: str) -> bool:
    """Whether a wager's edge is not the same under all combinations."""
    evs = [cell.evs.get(wager) for cell in found.cells if cell.evs]
    known = [ev for ev in evs if ev is not None]
    return None in evs or max(known) - min(known) > NO_CHANGE


def _show_matrix(found: WhatIf, wager: str, out: Printer) -> None:
    from rich.text import Text

    (down, across), (rows, columns) = found.names, found.values
    out.print()
    out.print(Text(wager_name(found.tables, wager), "bold"))
    table = grid(f"{down} \\ {across}", *(shown_value(found, across, value) for value in columns))
    for row in rows:
        cells = (found.cell(row, column) for column in columns)
        table.add_row(shown_value(found, down, row), *(_edge(cell, wager) for cell in cells))
    out.print(table)


def _show_list(found: WhatIf, out: Printer) -> None:
    names = (wager_name(found.tables, wager) for wager in found.wagers)
    table = grid(*found.names, *names, left=len(found.names))
    for cell in found.cells:
        shown = (
            shown_value(found, name, value)
            for name, value in zip(found.names, cell.values, strict=True)
        )
        table.add_row(*shown, *(_edge(cell, wager) for wager in found.wagers))
    out.print()
    out.print(table)


def _show_unchanged(found: WhatIf, out: Printer) -> None:
    from rich.text import Text

    if words := unchanged_words(found):
        out.print()
        out.print(Text(words, "dim"))


def unchanged_words(found: WhatIf) -> str:
    """The edges of wagers that are the same under all combinations."""
    same = [wager for wager in found.wagers if not changes(found, wager)]
    if not same:
        return ""
    first = next(cell for cell in found.cells if cell.evs)
    words = (f"{wager_name(found.tables, wager)} {percent(-first.evs[wager])}" for wager in same)
    return f"The same everywhere: {', '.join(words)}"


def _show_refused(found: WhatIf, out: Printer) -> None:
    from rich.text import Text

    said: dict[str, list[str]] = {}
    for cell in found.cells:
        if cell.refused:
            said.setdefault(cell.refused, []).append(", ".join(cell.values))
    for words, cells in said.items():
        out.print(indented(Text(f"{NOT_ALLOWED}: {'; '.join(cells)}: {words}", "yellow"), 2))


def _edge(cell: Cell, wager: str) -> Text:
    from rich.text import Text

    if cell.refused:
        return Text(NOT_ALLOWED, "yellow")
    ev = cell.evs.get(wager)
    if ev is None:
        return Text(NOT_THERE)
    return Text(percent(-ev), "bold green" if ev > 0 else "")


def shown_value(found: WhatIf, name: str, value: str) -> str:
    """A value of a setting as people read it."""
    return found.tables.rulebook.shown(name, value)
