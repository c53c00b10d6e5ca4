"""`upcard rules`: a rule sheet that a person wants to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.writing import PAPERS, check_output, say_written, write_output, write_paper
from upcard.errors import UpcardError
from upcard.pages.page import indented
from upcard.papers.forms import Form

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables


def rules(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
    json: Json = False,
    trace: Annotated[
        bool,
        typer.Option("--trace", help="For every clause, what it sets and which tests name it."),
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the sheet as Markdown, a page for documents.")
    ] = False,
    form: Annotated[
        Form,
        typer.Option(
            "--form",
            help="Which paper to write: the full sheet, the player's card, the procedures for a "
            "licence, the placard of limits and fees, the dealer's pay card, the table's layout.",
        ),
    ] = Form.full,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write a paper: .pdf, .html, .png or .svg; the full sheet as .md too.",
        ),
    ] = None,
) -> None:
    """Print a game's rules: every rule as a sentence, with its clause.

    What the house may set is marked as an option, what the source leaves open as a reading,
    and what it does not mention as assumed.

    Example: upcard rules pure-spanish-21.5 --set double_double=false

    Example: upcard rules twisted-21 --form pay-card -o pay-card.pdf
    """
    from upcard.compile.tables import tables_for

    _check_paper(form, output, printed=trace or json or markdown)
    tables = tables_for(game, chosen_settings(game, asked_settings(settings, side)))
    if output is not None:
        say_written(_write(tables, form, output))
    elif trace:
        _trace(tables, json=json)
    elif json:
        from upcard.sheet.rules import sheet_data

        print_json(sheet_data(tables))
    elif markdown:
        from upcard.sheet.rules_markdown import rules_markdown

        typer.echo(rules_markdown(tables), nl=False)
    else:
        from upcard.sheet.rules_page import show_rules

        show_rules(tables, console())


def _check_paper(form: Form, output: Path | None, *, printed: bool) -> None:
    """Refuse what cannot be written, before any work is done."""
    if output is None and form is not Form.full:
        raise UpcardError(f"the form {form} is a paper: name its file, such as -o {form}.pdf")
    if output is not None and printed:
        raise UpcardError("a file is a paper: leave out --json, --markdown and --trace beside -o")
    check_output(output, *PAPERS, *([".md"] if form is Form.full else []))


def _write(tables: GameTables, form: Form, output: Path) -> tuple[Path, ...]:
    from upcard.papers.forms import form_of

    if output.suffix == ".md":
        from upcard.sheet.rules_markdown import rules_markdown

        write_output(output, rules_markdown(tables))
        return (output,)
    if form is Form.layout and output.suffix == ".svg":
        from upcard.papers.forms.layout import layout_svg

        write_output(output, layout_svg(tables))
        return (output,)
    return write_paper(output, form_of(tables, form))


def _trace(tables: GameTables, *, json: bool) -> None:
    from upcard.sheet.trace import folder_of_tests, trace

    tests = folder_of_tests()
    traces = trace(tables, tests)
    if json:
        print_json(
            {
                "game": tables.id,
                "fingerprint": tables.fingerprint,
                "draft": tables.head.draft,
                "clauses": [found._asdict() for found in traces],
            }
        )
        return
    from rich.text import Text

    out = console()
    out.print(Text.assemble((tables.title, "bold underline"), f"  {tables.ref}"))
    if tables.head.draft:
        out.print(Text(tables.head.draft, "bold yellow"))
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
