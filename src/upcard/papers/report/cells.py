"""Cells and columns of a report's tables; figures are written as the commands write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from upcard.money import CENTS_PER_DOLLAR
from upcard.pages.figures import percent
from upcard.papers.document import Align, PaperCell, PaperColumn, PaperTable, TableStyle

WORST, EVEN, BEST = (0xF2, 0xB8, 0xB5), (0xFF, 0xFF, 0xFF), (0xB9, 0xE4, 0xC0)


def share(value: float) -> str:
    """A chance."""
    return percent(value, signed=False)


def short_share(value: float) -> str:
    """A chance where there is little room."""
    return f"{100 * value:.2f}%"


def number(value: float) -> str:
    """A deviation, a skewness, an average of wagers."""
    return f"{value:.4f}"


def money(cents: float) -> str:
    """An average in dollars and cents.

    >>> money(89.6), money(-123456.0), money(-0.2)
    ('$0.90', '-$1,234.56', '$0.00')
    """
    whole = round(cents)
    return f"{'-' if whole < 0 else ''}${abs(whole) / CENTS_PER_DOLLAR:,.2f}"


def net(result: float) -> str:
    """A net result in base wagers.

    >>> net(1.5), net(-1.0), net(0.0)
    ('+1.5', '-1', '0')
    """
    return f"{result:+.6g}" if result else "0"


def heat(ev: float) -> str:
    """The ground of a value in base wagers: green where the player wins, red where he loses.

    >>> heat(0.0), heat(-1.0), heat(2.0)
    ('#ffffff', '#f2b8b5', '#b9e4c0')
    """
    far = min(1.0, abs(ev))
    end = BEST if ev > 0 else WORST
    mixed = (round(white + far * (own - white)) for white, own in zip(EVEN, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def columns(*titles: str, left: int = 1) -> tuple[PaperColumn, ...]:
    """The first columns to the left, figures to the right."""
    return tuple(
        PaperColumn(title, Align.LEFT if place < left else Align.RIGHT)
        for place, title in enumerate(titles)
    )


def table(
    titles: Sequence[str],
    rows: Iterable[Sequence[PaperCell | str]],
    caption: str = "",
    *,
    left: int = 1,
    totals: int = 0,
    size: float = 9.0,
    wide: Sequence[int] = (),
) -> PaperTable:
    """A table of figures; columns of words that may break into lines are `wide`."""
    heads = tuple(
        PaperColumn(head.title, head.align, 1.0 if place in wide else 0.0)
        for place, head in enumerate(columns(*titles, left=left))
    )
    return PaperTable(heads, tuple(map(tuple, rows)), caption, totals=totals, size=size)


def boxes(
    titles: Sequence[str],
    rows: Iterable[Sequence[PaperCell | str]],
    caption: str = "",
    *,
    size: float = 8.0,
) -> PaperTable:
    """A chart: the first column names a row, the others are boxes of one width."""
    heads = (
        PaperColumn(titles[0], Align.LEFT, 1.6),
        *(PaperColumn(title, Align.CENTER, 1.0) for title in titles[1:]),
    )
    return PaperTable(heads, tuple(map(tuple, rows)), caption, style=TableStyle.BOXED, size=size)
