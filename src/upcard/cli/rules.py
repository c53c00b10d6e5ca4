"""`upcard rules`: a rule sheet that a person wants to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.arguments import Game, Json, Settings, chosen_settings
from upcard.cli.output import console, indented, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.compile.rulebook import Rulebook
    from upcard.compile.tables import GameTables


def rules(
    game: Game,
    settings: Settings = None,
    json: Json = False,
    trace: Annotated[
        bool,
        typer.Option("--trace", help="For every clause, what it sets and which tests name it."),
    ] = False,
) -> None:
    """Print a game's rules: every rule as a sentence, with its clause.

    What the house may set is marked as an option, what the source leaves open as a reading,
    and what it does not mention as assumed.

    Example: upcard rules pure-spanish-21.5 --set double_double=false
    """
    from upcard.compile.tables import tables_for

    tables = tables_for(game, chosen_settings(game, settings))
    if trace:
        _trace(tables, json=json)
    elif json:
        from upcard.sheet.rules import sheet_data

        print_json(sheet_data(tables))
    else:
        _sheet(tables, console())


def _sheet(tables: GameTables, out: Console) -> None:
    from rich.text import Text

    out.print(Text.assemble((tables.name, "bold underline"), f"  {tables.ref}"))
    out.print(Text(tables.source, "dim"))
    out.print(Text(f"fingerprint {tables.fingerprint}", "dim"))
    if tables.settings:
        chosen = tables.rulebook.settings_words(tables.settings)
        out.print(Text(f"with {chosen}", "yellow"))
    _sections(tables, out)
    _options(tables.rulebook, out)
    _readings(tables.rulebook, out)
    _assumptions(tables.rulebook, out)


def _heading(title: str, out: Console) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(title, "bold"))


def _sections(tables: GameTables, out: Console) -> None:
    from rich.text import Text

    from upcard.sheet.rules import sections

    for section in sections(tables):
        _heading(section.title, out)
        for rule in section.rules:
            line = Text(rule.words)
            if rule.clauses:
                line.append(f" [{', '.join(rule.clauses)}]", "cyan")
            if rule.marks:
                line.append(f" ({', '.join(rule.marks)})", "yellow")
            out.print(indented(line, 2))
            width = max((len(event) for event, _ in rule.rows), default=0)
            for event, pays in rule.rows:
                out.print(indented(Text(f"{event:{width}}  {pays:>11}"), 6))


def _options(book: Rulebook, out: Console) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from upcard.sheet.rules import allowed_words

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


def _readings(book: Rulebook, out: Console) -> None:
    from rich.text import Text

    if book.readings:
        _heading("Readings: what the source leaves open (* in force)", out)
    for reading in book.readings:
        question = Text(f"{reading.name}: ", "yellow").append(reading.question, "default")
        question.append(f" [{', '.join(reading.clauses)}]", "cyan")
        out.print(indented(question, 2))
        for answer, words in reading.answers.items():
            mark, style = ("*", "green") if answer == reading.value else (" ", "dim")
            out.print(indented(Text(f"{mark} {answer}: {words}", style), 4))


def _assumptions(book: Rulebook, out: Console) -> None:
    from rich.text import Text

    if book.assumed:
        _heading("Assumed: what no clause speaks of", out)
    for item in book.assumed:
        out.print(indented(Text(f"{item.path}: ", "yellow").append(item.reason, "default"), 2))


def _trace(tables: GameTables, *, json: bool) -> None:
    from upcard.sheet.trace import folder_of_tests, trace

    tests = folder_of_tests()
    traces = trace(tables, tests)
    if json:
        print_json(
            {
                "game": tables.id,
                "fingerprint": tables.fingerprint,
                "clauses": [found._asdict() for found in traces],
            }
        )
        return
    from rich.text import Text

    out = console()
    out.print(Text.assemble((tables.name, "bold underline"), f"  {tables.ref}"))
    for found in traces:
        out.print(Text.assemble((found.id, "bold cyan"), f"  {found.summary}"))
        out.print(indented(Text(f"sets: {', '.join(found.sets)}"), 4))
        for line in _test_lines(found.tests):
            out.print(indented(Text(line, "green"), 4))
        if tests and not found.tests:
            out.print(indented(Text("no test names it", "red"), 4))
    if tests is None:
        out.print(Text("The tests are not installed with the package: trace in a checkout.", "dim"))


def _test_lines(tests: Iterable[str]) -> Iterator[str]:
    """A line for every test function, and one for all situations of a folder."""
    situations: dict[str, list[str]] = {}
    for test in tests:
        path = PurePosixPath(test)
        if path.suffix == ".toml":
            situations.setdefault(str(path.parent), []).append(path.stem)
        else:
            yield f"test: {test}"
    for folder, names in situations.items():
        yield f"situations in {folder}: {', '.join(names)}"
