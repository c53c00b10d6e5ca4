"""What plots share: axes of money, shares and rounds, and the words under a drawing."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.money import format_cents
from upcard.papers.drawing import INK, DrawnPanel, drawn_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

    from upcard.compile.tables import GameTables

FINGERPRINT_LETTERS = 12
FEW_WHOLE = 12
"""A span of so many whole numbers has a tick for each."""


@dataclass(frozen=True)
class Plot:
    """A table as a drawing of some panels, and as lines of a CSV."""

    name: str
    panels: tuple[DrawnPanel, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def csv(self) -> str:
        """The table in full precision; what is not known is empty."""
        file = io.StringIO()
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(self.columns)
        lines.writerows([_cell(value) for value in row] for row in self.rows)
        return file.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if value in (float("inf"), float("-inf")) else repr(value)
    return "" if value is None else value


def panels_picture(
    panels: Sequence[DrawnPanel],
    tables: GameTables,
    facts: Sequence[str],
    ending: str,
    note: str = "",
) -> bytes:
    """Panels under the name of their game."""
    words = caption(tables, *facts)
    return drawn_panels(
        panels,
        title=tables.title,
        caption=f"{note}\n{words}" if note else words,
        ending=ending,
    )


def caption(tables: GameTables, *facts: str) -> str:
    """The game that a drawing is of, and what its figures hold for."""
    game = f"{tables.ref}, fingerprint {tables.fingerprint[:FINGERPRINT_LETTERS]}"
    lines = [", ".join(fact for fact in facts if fact), game]
    if tables.settings:
        lines[1] += f", with {tables.rulebook.settings_words(tables.settings)}"
    if tables.head.draft:
        lines.append(tables.head.draft)
    return "\n".join(filter(None, lines))


def in_percent(axis: Axis, *, signed: bool = True) -> None:
    """Shares as per cent, gains with their sign."""
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    plain = PercentFormatter(1.0)
    plain.set_axis(axis)
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: ("+" if signed and value > 0 else "") + plain(value))
    )


def in_money(axis: Axis) -> None:
    """Cents as amounts."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_cents(round(value))))


def in_whole(axis: Axis, *, signed: bool = False) -> None:
    """Whole numbers only."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(FEW_WHOLE, integer=True, min_n_ticks=1))
    form = "+,.0f" if signed else ",.0f"
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:{form}}" if round(value) else "0")
    )


def in_rounds(axis: Axis) -> None:
    """Great numbers of rounds."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: great(value)))
    axis.set_minor_formatter(NullFormatter())


def great(number: float) -> str:
    """
    >>> great(10_000), great(2_500_000), great(1e9)
    ('10,000', '2.5 million', '1 billion')
    """
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:g} {word}"
    return f"{number:,.0f}"


def level(axes: Axes, height: float = 0.0) -> None:
    """The line where nobody wins."""
    axes.axhline(height, color=INK, linewidth=0.8)
