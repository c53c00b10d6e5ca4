"""Printed parts as HTML for a notebook: paragraphs and small tables, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.style import Style
from rich.table import Column, Table
from rich.text import Text

_PLAIN = Console(color_system=None, force_terminal=False, emoji=False)
_SIDES = {"left": "left", "center": "center", "right": "right"}
_SHADES = {
    "green": "#b9e4c0",
    "red": "#f3b9b9",
    "cyan": "#b5e0ec",
    "yellow": "#f4e3a1",
    "magenta": "#e3c3ee",
}
"""Grounds that black letters stand out from."""


def html_of(parts: Iterable[Any]) -> str:
    """A page of texts and tables.

    >>> html_of([Text("A", "bold"), "", "<b>"])
    '<div class="upcard"><p><span style="font-weight: bold">A</span></p><p>&lt;b&gt;</p></div>'
    """
    return f'<div class="upcard">{"".join(map(_part, parts))}</div>'


def _part(part: Any) -> str:
    if isinstance(part, Padding):
        return _part(part.renderable)
    if isinstance(part, Table):
        return _table(part)
    words = _words(part)
    return f"<p>{words}</p>" if words else ""


def _table(table: Table) -> str:
    columns = [column for column in table.columns if _is_used(column)]
    sections = []
    if table.show_header and any(_words(column.header) for column in columns):
        sections.append(f"<thead>{_row('th', columns, (c.header for c in columns))}</thead>")
    rows = zip(*(column.cells for column in columns), strict=True)
    sections.append(f"<tbody>{''.join(_row('td', columns, cells) for cells in rows)}</tbody>")
    if table.show_footer:
        sections.append(f"<tfoot>{_row('th', columns, (c.footer for c in columns))}</tfoot>")
    return f"<table>{''.join(sections)}</table>"


def _is_used(column: Column) -> bool:
    return any(_words(cell) for cell in (column.header, column.footer, *column.cells))


def _row(tag: str, columns: Iterable[Column], cells: Iterable[Any]) -> str:
    return f"<tr>{''.join(_cells(tag, columns, cells))}</tr>"


def _cells(tag: str, columns: Iterable[Column], cells: Iterable[Any]) -> Iterator[str]:
    for column, cell in zip(columns, cells, strict=True):
        text = _text(cell)
        whole = _PLAIN.get_style(text.style)
        rules = [f"text-align: {_SIDES.get(column.justify, 'left')}", "padding: 0 0.6em"]
        css = "; ".join([*rules, *_css(whole)])
        yield f'<{tag} style="{escape(css)}">{_spans(text, Style())}</{tag}>'


def _text(part: Any) -> Text:
    """A text; rich's own marks in plain strings mean what they do there."""
    return part if isinstance(part, Text) else Text.from_markup(str(part), emoji=False)


def _words(part: Any) -> str:
    text = _text(part)
    return _spans(text, _PLAIN.get_style(text.style))


def _spans(text: Text, base: Style) -> str:
    """A text with its styles, on top of one that all of it has."""
    spans = []
    for segment in text.render(_PLAIN):
        words = escape(segment.text).replace("\n", "<br>")
        css = "; ".join(_css(base + segment.style))
        spans.append(f'<span style="{escape(css)}">{words}</span>' if css else words)
    return "".join(spans).strip()


def _css(style: Style) -> Iterator[str]:
    """A style for light and for dark pages: what has no colour takes the page's."""
    if style.bold:
        yield "font-weight: bold"
    if style.underline:
        yield "text-decoration: underline"
    if style.dim:
        yield "opacity: 0.7"
    if style.color is not None and not style.color.is_default:
        yield f"color: {style.color.get_truecolor().hex}"
    if style.bgcolor is not None and not style.bgcolor.is_default:
        shade = _SHADES.get(style.bgcolor.name, style.bgcolor.get_truecolor().hex)
        yield f"background-color: {shade}"
