"""Writing files for people, and never over one that is there."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.errors import UpcardError


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
