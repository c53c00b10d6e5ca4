"""How every verb speaks: rich on a terminal, plain in a pipe, JSON on request."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from upcard.text import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

PLAIN_WIDTH = 100
"""Columns of a pipe or a file, which have no width of their own."""

NO_EDGE = 10_000
"""Columns that no table needs."""

_TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)


def open_streams() -> None:
    """Stand in for standard streams that are closed (`>&-`), which else the next file would be.

    Input is then empty and errors go nowhere; but output fails, as it should if anybody wants it.
    """
    for number, (name, flags, mode) in enumerate(
        (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    ):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, flags), number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def leave_output() -> None:
    """Let nothing more be written where writing has failed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def whoever_reads() -> Iterator[None]:
    """Print a verdict: whoever reads it may go before its end, but the exit status stays."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        leave_output()


def console() -> Console:
    """A console on standard output: colours and width of the terminal, or plain text."""
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    class Speaker(Console):
        """A console that cuts no figure short, and leaves a broken pipe to the program."""

        def print(self, *objects: Any, **how: Any) -> None:
            """A table that is wider than the terminal runs over its edge, whole."""
            narrow, wide = self.width, self.options.update(width=NO_EDGE)
            tables = [shown for shown in objects if isinstance(shown, Table)]
            needed = [Measurement.get(self, wide, table).minimum for table in tables]
            self.width = max([narrow, *needed])
            try:
                super().print(*objects, **how)
            finally:
                self.width = narrow

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    if sys.stdout.isatty():
        return Speaker(highlight=False)
    return Speaker(file=_Trimmed(), width=PLAIN_WIDTH, highlight=False)


class _Trimmed(io.StringIO):
    """Standard output without the blanks with which rich fills up lines."""

    def write(self, text: str) -> int:
        # What the encoding does not have becomes a question mark: names may hold anything.
        known = sys.stdout.encoding or "utf-8"
        text = text.encode(known, "replace").decode(known)
        return sys.stdout.write(_TRAILING_BLANKS.sub("", text))


def indented(text: Text, by: int) -> Padding:
    """A paragraph set in from the left, wrapped lines too."""
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, by), expand=False)


def print_json(value: Any) -> None:
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(text.decode() + "\n")


def complain(message: str) -> None:
    """One clear sentence on standard error, wrapped between words on a terminal."""
    text = "\n".join(map(printable, f"upcard: {message}".splitlines()))
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        lines = text.splitlines()
        text = "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in lines)
    with suppress(OSError):  # there is no other place to say it
        sys.stderr.write(f"{text}\n")


def speaks_unicode() -> bool:
    """Whether standard output can print signs such as the arrow and the check mark."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")
