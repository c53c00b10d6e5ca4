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
    tables = found.tables
    varied = " and ".join(filter(None, (", ".join(found.names[:-1]), found.names[-1])))
    wager = f"wager {format_cents(found.bet)}"
    out.print(
        heading(
            tables, f"edges by {varied}", wager, "optimal play", split_words(tables, found.mode)
        )
    )
    if len(found.names) == 2:
        for wager in found.wagers:
            if _changes(found, wager):
                _show_matrix(found, wager, out)
        _show_unchanged(found, out)
    else:
        _show_list(found, out)
    _show_refused(found, out)


def _changes(found: WhatIf, wager: str) -> bool:
    evs = [cell.evs.get(wager) for cell in found.cells if cell.evs]
    known = [ev for ev in evs if ev is not None]
    return None in evs or max(known) - min(known) > NO_CHANGE


def _show_matrix(found: WhatIf, wager: str, out: Printer) -> None:
    from rich.text import Text

    (down, across), (rows, columns) = found.names, found.values
    out.print()
    out.print(Text(wager_name(found.tables, wager), "bold"))
    table = grid(f"{down} \\ {across}", *(_shown(found, across, value) for value in columns))
    for row in rows:
        cells = (found.cell(row, column) for column in columns)
        table.add_row(_shown(found, down, row), *(_edge(cell, wager) for cell in cells))
    out.print(table)


def _show_list(found: WhatIf, out: Printer) -> None:
    names = (wager_name(found.tables, wager) for wager in found.wagers)
    table = grid(*found.names, *names, left=len(found.names))
    for cell in found.cells:
        shown = (
            _shown(found, name, value) for name, value in zip(found.names, cell.values, strict=True)
        )
        table.add_row(*shown, *(_edge(cell, wager) for wager in found.wagers))
    out.print()
    out.print(table)


def _show_unchanged(found: WhatIf, out: Printer) -> None:
    from rich.text import Text

    same = [wager for wager in found.wagers if not _changes(found, wager)]
    if same:
        first = next(cell for cell in found.cells if cell.evs)
        words = ", ".join(f"{wager_name(found.tables, w)} {percent(-first.evs[w])}" for w in same)
        out.print()
        out.print(Text(f"The same everywhere: {words}", "dim"))


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


def _shown(found: WhatIf, name: str, value: str) -> str:
    return found.tables.rulebook.shown(name, value)
