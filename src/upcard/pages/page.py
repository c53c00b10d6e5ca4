"""A page: what a result shows, printed once and read as text or as HTML.

Every result has one function that prints it part by part, with rich's texts and tables. The
command line gives that function a console; `print(result)` and a notebook give it a `Page`.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

PLAIN_WIDTH = 100
"""Columns of a pipe, a file or a text, which have no width of their own."""

NO_EDGE = 10_000
"""Columns that no table needs."""

_TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)


class Printer(Protocol):
    """Where a result is printed: a console, or a page."""

    @property
    def width(self) -> int:
        """Columns of a line."""

    def print(self, *objects: Any) -> None:
        """Print texts and tables; without any, an empty line."""


class Page:
    """Keeps what is printed, for `text` and `html`.

    >>> page = Page()
    >>> page.print("21 or over")
    >>> page.text(), page.html()
    ('21 or over', '<div class="upcard"><p>21 or over</p></div>')
    """

    width = PLAIN_WIDTH

    def __init__(self) -> None:
        self.parts: list[Any] = []

    def print(self, *objects: Any) -> None:
        """Keep texts and tables; without any, an empty line."""
        self.parts.extend(objects or ("",))

    def text(self) -> str:
        """The page as plain text: no colours, no blanks at the end of a line."""
        file = io.StringIO()
        out = speaker(
            file=file, width=self.width, color_system=None, force_terminal=False, emoji=False
        )
        for part in self.parts:
            out.print(part)
        return trimmed(file.getvalue()).rstrip("\n")

    def html(self) -> str:
        """The page as HTML: paragraphs and tables, everything escaped."""
        from upcard.pages.html import html_of

        return html_of(self.parts)


class Shown:
    """A result that prints itself: `print(result)`, and as tables in a notebook."""

    def show(self, out: Printer) -> None:
        """Print the result on a console or a page."""
        raise NotImplementedError

    def page(self) -> Page:
        """What the result shows."""
        page = Page()
        self.show(page)
        return page

    def __str__(self) -> str:
        return self.page().text()

    def _repr_html_(self) -> str:
        return self.page().html()


def speaker(**how: Any) -> Console:
    """A console that cuts no figure short, and leaves a broken pipe to the program."""
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    class Speaker(Console):
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

    return Speaker(highlight=False, **how)


def trimmed(text: str) -> str:
    """A text without the blanks with which rich fills up lines."""
    return _TRAILING_BLANKS.sub("", text)


def indented(text: Text, by: int) -> Padding:
    """A paragraph set in from the left, wrapped lines too."""
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, by), expand=False)
