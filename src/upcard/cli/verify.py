"""`upcard verify`: is the record of a session true?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.arguments import Json
from upcard.cli.output import console, print_json, speaks_unicode
from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.table.session import Log


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record of a session.")],
    json: Json = False,
) -> None:
    """Check a session: rules, legality, every cent, and the shuffle against its promise.

    The first difference is named, and the exit status is 1 if there is one.

    Example: upcard verify examples/session.toml
    """
    from upcard.table.notation import read_log
    from upcard.table.verify import verify as verify_log

    log = read_log(Path(file))
    tables = tables_of(log, Path(file))
    checks = verify_log(tables, log)
    holds = all(check.holds for check in checks)
    if json:
        print_json(
            {
                "file": file,
                "game": tables.ref,
                "fingerprint": log.fingerprint,
                "holds": holds,
                "checks": [check._asdict() for check in checks],
            }
        )
    else:
        from rich.text import Text

        out = console()
        good, bad = ("✓", "✗") if speaks_unicode() else ("ok", "FAILS")
        for check in checks:
            mark = (good, "green") if check.holds else (bad, "red")
            width = max(len(good), len(bad))
            line = Text.assemble(
                (f"{mark[0]:{width}}", mark[1]), f"  {check.name:12} {check.found}"
            )
            out.print(line, soft_wrap=not out.is_terminal)
    sys.stdout.flush()
    if not holds:
        raise typer.Exit(1)


def tables_of(log: Log, path: Path) -> GameTables:
    """The game of a record; a game file of one's own may stand beside it."""
    from upcard.compile.tables import tables_for

    beside = path.parent / log.game
    is_beside = beside.suffix == ".toml" and not Path(log.game).is_file() and beside.is_file()
    try:
        return tables_for(str(beside) if is_beside else log.game, log.settings)
    except UpcardError as error:
        reason = str(error).splitlines()[0]
        raise UpcardError(f"{path}: its game cannot be loaded: {reason}") from error
