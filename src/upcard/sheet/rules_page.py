"""What `upcard rules` and `print(game.rules())` show: a rule sheet that a person wants to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.compile.rulebook import Rulebook
from upcard.compile.tables import GameTables
from upcard.pages.page import Printer, Shown, indented
from upcard.sheet.rules import SheetSection, allowed_words, sections

if TYPE_CHECKING:
    from rich.padding import Padding


@dataclass(frozen=True, repr=False)
class RuleSheet(Shown):
    """The rules of a game: every rule a sentence with its clause."""

    tables: GameTables

    @property
    def sections(self) -> tuple[SheetSection, ...]:
        """The sheet's sections: the rules by topic, and the order of a round."""
        return sections(self.tables)

    def show(self, out: Printer) -> None:
        """Print the sheet on a console or a page."""
        show_rules(self.tables, out)

    def __repr__(self) -> str:
        count = sum(len(section.rules) for section in self.sections)
        return f"<RuleSheet of {self.tables.ref}: {count} rules>"


def show_rules(tables: GameTables, out: Printer) -> None:
    """Every rule as a sentence with its clause; options, readings, assumptions."""
    from rich.text import Text

    out.print(Text.assemble((tables.title, "bold underline"), f"  {tables.ref}"))
    if tables.head.draft:
        out.print(Text(tables.head.draft, "bold yellow"))
    out.print(Text(tables.source, "dim"))
    if tables.head.holds:
        out.print(Text(tables.head.holds, "dim"))
    out.print(Text(f"fingerprint {tables.fingerprint}", "dim"))
    if tables.settings:
        chosen = tables.rulebook.settings_words(tables.settings)
        out.print(Text(f"with {chosen}", "yellow"))
    _sections(tables, out)
    show_choices(tables.rulebook, out)
    _assumptions(tables.rulebook, out)


def _heading(title: str, out: Printer) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(title, "bold"))


def _sections(tables: GameTables, out: Printer) -> None:
    from rich.text import Text

    for section in sections(tables):
        _heading(section.title, out)
        for rule in section.rules:
            line = Text(rule.words)
            if rule.clauses:
                line.append(f" [{', '.join(rule.clauses)}]", "cyan")
            if rule.marks:
                line.append(f" ({', '.join(rule.marks)})", "yellow")
            out.print(indented(line, 2))
            if rule.rows:
                out.print(_pays(rule.rows))


def _pays(rows: Iterable[tuple[str, str]]) -> Padding:
    """Lines of a pay table; long ones go on below."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True, min_width=11)
    for event, pays in rows:
        grid.add_row(Text(event), Text(pays))
    return Padding(grid, (0, 0, 0, 6))


def show_choices(book: Rulebook, out: Printer) -> None:
    """What can be set: options and readings, with the values in force."""
    _options(book, out)
    _readings(book, out)


def _options(book: Rulebook, out: Printer) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if not book.options:
        return
    _heading("Options: what the house may set (--set NAME=VALUE)", out)
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("name", "value", "allowed", "by"):
        grid.add_column(column, overflow="fold")
    for option in book.options:
        allowed = allowed_words(option)
        by = ", ".join(option.clauses) or "the house's own"
        grid.add_row(
            option.name, Text(option.shown(option.value), "green"), allowed, Text(by, "cyan")
        )
    out.print(Padding(grid, (0, 0, 0, 2)))


def _readings(book: Rulebook, out: Printer) -> None:
    from rich.text import Text

    if book.readings:
        _heading("Readings: what the source leaves open (* in force)", out)
    for reading in book.readings:
        if not book.matters(*reading.sets):
            continue
        question = Text(f"{reading.name}: ", "yellow").append(reading.question, "default")
        question.append(f" [{', '.join(reading.clauses)}]", "cyan")
        out.print(indented(question, 2))
        for answer, words in reading.answers.items():
            mark, style = ("*", "green") if answer == reading.value else (" ", "dim")
            out.print(indented(Text(f"{mark} {answer}: {words}", style), 4))
    moot = [reading.name for reading in book.readings if not book.matters(*reading.sets)]
    if moot:
        out.print(indented(Text(f"Of no consequence under these settings: {', '.join(moot)}"), 2))


def _assumptions(book: Rulebook, out: Printer) -> None:
    from rich.text import Text

    told = [item for item in book.assumed if book.matters(item.path)]
    if told:
        _heading("Assumed: what no clause speaks of", out)
    for item in told:
        out.print(indented(Text(f"{item.path}: ", "yellow").append(item.reason, "default"), 2))
