"""How every verb speaks: rich on a terminal, plain in a pipe, JSON on request."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from upcard.pages.page import PLAIN_WIDTH, speaker, trimmed
from upcard.text import printable, shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SMALL_INDENT = 2
"""Columns by which the further lines of a sentence are set in."""

LONGEST_SENTENCE = 2000
"""Characters of a complaint, at most: files can make it quote anything."""


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
    if sys.stdout.isatty():
        return speaker()
    return speaker(file=_Trimmed(), width=PLAIN_WIDTH)


class _Trimmed(io.StringIO):
    """Standard output without the blanks with which rich fills up lines."""

    def write(self, text: str) -> int:
        # What the encoding does not have becomes a question mark: names may hold anything.
        known = sys.stdout.encoding or "utf-8"
        text = text.encode(known, "replace").decode(known)
        return sys.stdout.write(trimmed(text))


def print_hanging(out: Console, head: Text, words: str) -> None:
    """Words behind a head; on a terminal no line of theirs begins where heads do.

    What a record says could else be wrapped so that it looks like a line of our own.
    """
    from rich.text import Text

    words = printable(words)
    if not out.is_terminal:
        out.print(head.append(words), soft_wrap=True)
        return
    fits = out.width >= 2 * head.cell_len
    indent = head.cell_len if fits else SMALL_INDENT
    first, *others = _wrapped(words, out.width - indent)
    for line in [head + Text(first)] if fits else [head, Text(" " * indent + first)]:
        out.print(line, soft_wrap=True)
    for other in others:
        out.print(Text(" " * indent + other), soft_wrap=True)


def _wrapped(words: str, width: int) -> list[str]:
    """A text in lines of so many columns: some characters take two, and some none."""
    from rich.console import Console
    from rich.text import Text

    lines = Text(words).wrap(Console(), max(2, width))
    return [line.plain.strip() for line in lines] or [""]


def print_json(value: Any) -> None:
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """Data as JSON for people: what does something to a terminal is escaped."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return "".join(f"{_escaped(line)}\n" for line in text.split("\n"))


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    # Only strings hold such characters, so an escape means the same there.
    return "".join(c if c.isprintable() else _escape(c) for c in line)


def _escape(sign: str) -> str:
    r"""
    >>> print(_escape("\x7f"), _escape("\U000e0041"))
    \u007f \udb40\udc41
    """
    units = sign.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def complain(*sentences: str) -> None:
    """Clear sentences on standard error, a line each, wrapped between words on a terminal."""
    first, *others = (printable(shortened(sentence, LONGEST_SENTENCE)) for sentence in sentences)
    lines = [f"upcard: {first}", *others]
    if sys.stderr.isatty():
        indent = " " * SMALL_INDENT
        width = shutil.get_terminal_size().columns - SMALL_INDENT
        lines = [f"\n{indent}".join(_wrapped(line, width)) for line in lines]
    with suppress(OSError):  # there is no other place to say it
        sys.stderr.write("".join(f"{line}\n" for line in lines))


def speaks_unicode() -> bool:
    """Whether standard output can print signs such as the arrow and the check mark."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")
