"""Printed parts as Markdown for documents: paragraphs, titles and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_RULES = {"left": "---", "center": ":-:", "right": "--:"}


def markdown_words(words: str) -> str:
    r"""Words without what Markdown would read as a sign of its own.

    >>> print(markdown_words("T* is  the [bonus] card"))
    T\* is the \[bonus\] card
    """
    return _SPECIAL.sub(r"\\\1", " ".join(words.split()))


def markdown_of(parts: Iterable[Any], *, level: int = 3) -> str:
    """A page of texts and tables; lines that begin in bold are titles of that level.

    >>> print(markdown_of([Text("Hard totals", "bold"), "", "21 or over"]))
    ### Hard totals
    <BLANKLINE>
    21 or over
    """
    blocks = (_block(part, "#" * level) for part in parts)
    return "\n\n".join(block for block in blocks if block)


def _block(part: Any, signs: str) -> str:
    if isinstance(part, Padding):
        return _block(part.renderable, signs)
    if isinstance(part, Table):
        return "\n".join(_table_lines(part))
    text = _text(part)
    title = _bold_beginning(text)
    if not title:
        return " ".join(_marked(text))
    rest = text.plain[len(title) :].strip()
    return f"{signs} {markdown_words(title)}" + (f"\n\n{markdown_words(rest)}" if rest else "")


def _bold_beginning(text: Text) -> str:
    """The words in bold with which a line begins; other colours are no title."""
    if str(text.style) == "bold":
        return text.plain
    first = next((span for span in text.spans if span.start == 0), None)
    return text.plain[: first.end] if first is not None and str(first.style) == "bold" else ""


def _marked(text: Text) -> Iterator[str]:
    """The words of a text; what stands on a ground of its own, as in a legend, in bold."""
    done = 0
    for span in sorted(text.spans, key=lambda span: span.start):
        if " on " in str(span.style):
            yield from filter(None, (markdown_words(text.plain[done : span.start]),))
            yield f"**{markdown_words(text.plain[span.start : span.end])}**"
            done = span.end
    yield from filter(None, (markdown_words(text.plain[done:]),))


def _table_lines(table: Table) -> Iterator[str]:
    columns = [column for column in table.columns if _is_used(column)]
    heads = [_cell(column.header) if table.show_header else "" for column in columns]
    yield _row(heads)
    yield _row([_RULES.get(column.justify, "---") for column in columns])
    for cells in zip(*(column.cells for column in columns), strict=True):
        yield _row(map(_cell, cells))
    if table.show_footer:
        feet = (_cell(column.footer) for column in columns)
        yield _row(f"**{foot}**" if foot else "" for foot in feet)


def _is_used(column: Column) -> bool:
    return any(_cell(cell) for cell in (column.header, column.footer, *column.cells))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(part: Any) -> str:
    lines = _text(part).plain.splitlines()
    return "<br>".join(markdown_words(line) for line in lines)


def _text(part: Any) -> Text:
    """A text; rich's own marks in plain strings mean what they do there."""
    return part if isinstance(part, Text) else Text.from_markup(str(part), emoji=False)
