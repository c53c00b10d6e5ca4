"""Writing files for people: what they ask for by name, and new ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.errors import UpcardError
from upcard.text import listed

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write it to a file, such as a .csv: the ending says as what.",
    ),
]


def check_output(path: Path | None, *endings: str) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if path is None:
        return
    if path.suffix not in endings:
        raise UpcardError(f"{path}: this is written as {listed(endings)}")
    if path.is_dir():
        raise UpcardError(f"{path}: this is a folder, not a file")
    if not path.parent.is_dir():
        raise UpcardError(f"{path}: there is no folder {path.parent}")


def write_output(path: Path, content: str | bytes) -> None:
    """Write the file that was asked for, over an older one of its name."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        raise UpcardError(f"{path}: {reason}") from None


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, and say so."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UpcardError(f"{path} is there already: it is not written over") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UpcardError(f"cannot write {path}: {reason}") from None
    typer.echo(f"{path} is written.")
