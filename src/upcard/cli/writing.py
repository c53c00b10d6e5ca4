"""Writing files for people: what they ask for by name, and new ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.output import console
from upcard.errors import UpcardError
from upcard.text import listed

if TYPE_CHECKING:
    from upcard.papers.document import Paper

PAPERS = (".pdf", ".html", ".png", ".svg")
"""What a paper can be written as."""

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write it to a file, such as a .csv or an .svg: the ending says as what.",
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
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UpcardError(f"{path}: permission denied")


def write_paper(path: Path, paper: Paper) -> tuple[Path, ...]:
    """Write a paper as the ending says; of several pages every picture has its number."""
    if path.suffix == ".html":
        from upcard.papers.web_page import web_page

        write_output(path, web_page(paper))
        return (path,)
    from upcard.papers.typesetting import typeset

    pages = typeset(paper, path.suffix)
    names = [path]
    if len(pages) > 1:
        names = [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(pages) + 1)]
    for name, page in zip(names, pages, strict=True):
        write_output(name, page)
    return tuple(names)


def say_written(paths: Sequence[Path]) -> None:
    """Tell which files there are now."""
    first, *others = paths
    through = f" to {others[-1]}" if others else ""
    typer.echo(f"{first}{through}: written.")


def check_picture(path: Path | None, *others: str) -> None:
    """Refuse a picture that could not be drawn or written; other endings may be fine, too."""
    if path is None:
        return
    from upcard.papers.drawing import PICTURES, check_drawing

    check_output(path, *PICTURES, *others)
    check_drawing(path.suffix)


def write_output(path: Path, content: str | bytes) -> None:
    """Write the file that was asked for, over an older one of its name."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        raise UpcardError(f"{path}: {reason}") from None


def said(path: Path, words: str) -> None:
    """Say what a file that was asked for holds."""
    from rich.text import Text

    console().print(Text(f"{path}: {words}"), soft_wrap=True)


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
