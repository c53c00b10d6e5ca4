"""A strategy chart on paper: card-sized for the pocket, page-sized for the wall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from upcard.money import format_cents
from upcard.pages.figures import percent, ratio_words, shoe_words
from upcard.papers import document as doc
from upcard.solve.chart import Chart
from upcard.solve.chart_grid import (
    CODES,
    DEVIATION_HEADS,
    ChartGrid,
    GridCell,
    chart_grids,
    chart_notes,
    cost_figure,
    deviation_rows,
    deviation_sums,
    lit_words,
    resplit_words,
    small_share,
    used_codes,
    value_words,
)
from upcard.solve.exchange_page import POINTS_TITLE, POINTS_WORDS, points_value
from upcard.solve.exchange_points import ExchangeRule

DEALER = "dealer"
WIDE = 14
"""With more columns a chart lies on its side."""
SAID = ("dealer.soft17", "double.after_split", "surrender.when")
"""Rules by which people tell charts of one game apart: what is said of them stands on the chart."""


class ChartSize(Enum):
    """How large a chart is printed."""

    CARD = "card"
    PAGE = "page"


class _Room(NamedTuple):
    """What a sheet has room for, in points: its columns, and letters from large to small.

    The first sheet has a banner; `body` are the letters of words.
    """

    height: float
    banner: float
    width: float
    letters: tuple[float, float]
    body: float
    columns: int = 1


_CARD = _Room(height=380, banner=44, width=258, letters=(8.0, 5.0), body=7)
_CARD_SIDEWAYS = _Room(height=258, banner=44, width=380, letters=(7.0, 4.8), body=7)
_PAGE = _Room(height=711, banner=74, width=470, letters=(12.0, 8.4), body=10)
_PAGE_IN_COLUMNS = _Room(711, 74, width=225, letters=(9.0, 6.6), body=10, columns=2)
_PAGE_SIDEWAYS = _Room(height=465, banner=76, width=717, letters=(10.0, 7.0), body=10)
_AMONG_OTHERS = _Room(height=711, banner=0, width=470, letters=(8.0, 5.5), body=10)
_LINE, _LINE_WITH_COST, _TITLE = 1.58, 2.4, 2.35
"""Heights in letters: of a row, of one with costs, and of a table's title."""
_LETTER, _AROUND, _CELL = 0.64, 1.3, 2.0
"""Widths in letters: of a sign in the name of a hand, of what is around it, and of a cell."""
_LONGEST = 12
"""Signs of a name that stand in one line."""
_STEP = 0.1

Columns = list[list[int]]
"""Numbers of tables, in the columns of one sheet."""


class _Layout(NamedTuple):
    """Where the tables of a chart go, and how large their letters are."""

    room: _Room
    letters: float
    sheets: list[Columns]
    needs: int
    """Sheets, with one for the legend if it needs one."""
    label: float
    """The width of the column of hands, in columns of up cards."""


class _Legend(NamedTuple):
    """What stands below the tables."""

    swatches: tuple[tuple[str, str, str], ...]
    notes: str

    def height(self, room: _Room) -> float:
        """About how high it is, in points."""
        width = room.width * room.columns / room.body
        lines, filled = 1, 0.0
        for _, _, words in self.swatches:
            own = _SWATCH + _SIGN * len(words)
            lines, filled = (lines, filled + own) if filled + own <= width else (lines + 1, own)
        noted = -(-_NOTED * len(self.notes) // width)
        return room.body * (_SWATCH_LINE * lines + _NOTE_LINE * noted + _APART)


_SWATCH, _SIGN, _NOTED = 3.7, 0.42, 0.4
"""Widths in letters of words: of a swatch, and of a sign of its words and of the notes."""
_SWATCH_LINE, _NOTE_LINE, _APART = 1.75, 1.3, 1.2
"""Heights in letters of words."""


def _layout(room: _Room, grids: Sequence[ChartGrid], legend: _Legend, *, costs: bool) -> _Layout:
    """The fewest sheets, and the largest letters that need no more."""
    line = _LINE_WITH_COST if costs else _LINE
    heights = [_TITLE + _LINE + line * len(grid.lines) for grid in grids]
    longest = max(len(line.name) for grid in grids for line in grid.lines)
    signs = _LETTER * min(max(longest, len(DEALER)), _LONGEST) + _AROUND
    widest = max(len(grid.columns) for grid in grids)
    largest = min(room.letters[0], room.width / (signs + _CELL * widest))
    least = min(room.letters[1], largest)
    found = []
    for step in range(1 + int((largest - least) / _STEP)):
        letters = largest - _STEP * step
        below = legend.height(room)
        sheets, count = _sheets(room, [letters * height for height in heights], below)
        label = widest * letters * signs / (room.width - letters * signs)
        found.append(_Layout(room, letters, sheets, count, label))
    return min(found, key=lambda layout: (layout.needs, -layout.letters))


def _sheets(room: _Room, heights: Sequence[float], below: float) -> tuple[list[Columns], int]:
    """Tables one after the other, each whole: sheet by sheet, the last one in even columns.

    A legend of so much height stands `below` them.
    """
    sheets: list[Columns] = []
    waiting = [*range(len(heights))]
    while True:
        high = room.height - (0.0 if sheets else room.banner)
        columns = _even(waiting, heights, room.columns)
        tallest = max(sum(heights[n] for n in column) for column in columns)
        if tallest <= high or len(waiting) == 1:
            return [*sheets, columns], len(sheets) + 1 + (tallest + below > high)
        full = _filled(waiting, heights, room.columns, high)
        sheets.append(full)
        waiting = waiting[sum(map(len, full)) :]


def _filled(waiting: list[int], heights: Sequence[float], count: int, high: float) -> Columns:
    """Columns filled one after the other, with what goes into them."""
    columns: Columns = [[]]
    left = high
    for number in waiting:
        if heights[number] > left and columns[-1]:
            if len(columns) == count:
                break
            columns.append([])
            left = high
        columns[-1].append(number)
        left -= heights[number]
    # What waits for the next sheet is never nothing: that would be an even sheet.
    return columns if sum(map(len, columns)) < len(waiting) else [waiting[:-1]]


def _even(waiting: list[int], heights: Sequence[float], count: int) -> Columns:
    """Columns in order, the tallest as low as can be."""
    if count == 1 or len(waiting) == 1:
        return [waiting]
    cuts = range(1, len(waiting))
    cut = min(
        cuts,
        key=lambda at: max(
            sum(heights[n] for n in waiting[:at]), sum(heights[n] for n in waiting[at:])
        ),
    )
    return [waiting[:cut], *_even(waiting[cut:], heights, count - 1)]


def chart_paper(
    chart: Chart, *, size: ChartSize = ChartSize.PAGE, costs: bool = False
) -> doc.Paper:
    """The chart as a document; what else it knows, deviations and changes, comes behind it."""
    grids = [*chart_grids(chart, costs=costs)]
    landscape = max(len(grid.columns) for grid in grids) > WIDE
    legend = _Legend(tuple(_swatches(chart, grids)), " ".join(_notes(chart, costs=costs)))
    if size is ChartSize.CARD:
        found = _layout(_CARD_SIDEWAYS if landscape else _CARD, grids, legend, costs=costs)
    else:
        found = _layout(_PAGE_SIDEWAYS if landscape else _PAGE, grids, legend, costs=costs)
        if not landscape and found.needs > 1:
            found = _layout(_PAGE_IN_COLUMNS, grids, legend, costs=costs)
    charts = _charts(grids, found, costs=costs)
    tables, behind = chart.tables, tuple(_behind(chart, size))
    return doc.Paper(
        title=tables.title,
        subtitle=_subtitle(chart),
        parts=(
            *([doc.Callout(tables.head.draft, "")] if tables.head.draft else []),
            *charts,
            doc.Swatches(legend.swatches),
            doc.Paragraph(legend.notes, quiet=True),
            *((doc.PageBreak(), *behind) if behind else ()),
        ),
        footer=f"{tables.ref}, fingerprint {tables.fingerprint[:12]}",
        sheet=doc.Sheet.CARD if size is ChartSize.CARD else doc.Sheet.A4,
        landscape=landscape,
        accent=tables.head.felt or doc.Paper.accent,
        banner=True,
    )


def chart_parts(chart: Chart) -> Iterator[doc.Part]:
    """The tables of a chart and its letters explained, as parts of another document."""
    grids = [*chart_grids(chart)]
    legend = _Legend(tuple(_swatches(chart, grids)), "")
    yield from _charts(grids, _layout(_AMONG_OTHERS, grids, legend, costs=False), costs=False)
    yield doc.Swatches(legend.swatches)
    notes = " ".join(chart_notes(chart, costs=False, small=chart.by_count))
    yield doc.Paragraph(notes, quiet=True)


def _subtitle(chart: Chart) -> str:
    tables = chart.tables
    riding = ratio_words(chart.ratios)
    chosen = tables.rulebook.settings_words(tables.settings) if tables.settings else ""
    facts = (
        "Basic strategy with changes" if chart.changes else "Basic strategy",
        shoe_words(tables),
        chosen,
        f"wager {format_cents(chart.bet)}",
        f"with {riding}" if riding else "",
    )
    return " · ".join(fact for fact in facts if fact)


def _charts(grids: Sequence[ChartGrid], layout: _Layout, *, costs: bool) -> Iterator[doc.Part]:
    """Tables whose columns are all of one width, sheet by sheet."""
    widest = max(len(grid.columns) for grid in grids)
    tables = [_table(grid, layout.letters, layout.label, widest, costs=costs) for grid in grids]
    if layout.room.columns == 1:
        yield from tables
        return
    for number, sheet in enumerate(layout.sheets):
        if number:
            yield doc.PageBreak()
        columns = tuple(tuple(tables[n] for n in column) for column in sheet)
        yield doc.InColumns(columns + ((),) * (layout.room.columns - len(columns)))


def _table(
    grid: ChartGrid, letters: float, label: float, widest: int, *, costs: bool
) -> doc.PaperTable:
    rows = tuple(
        (
            doc.PaperCell(line.name.replace(" - ", "\N{EN DASH}"), bold=True),
            *(_cell(cell, costs=costs) for cell in line.cells),
        )
        for line in grid.lines
    )
    heads = (doc.PaperColumn(name, doc.Align.CENTER, 1.0) for name in grid.columns)
    return doc.PaperTable(
        columns=(doc.PaperColumn(DEALER, doc.Align.LEFT, label), *heads),
        rows=rows,
        caption=grid.whole_title,
        style=doc.TableStyle.CHART,
        size=letters,
        width=(label + len(grid.columns)) / (label + widest),
    )


def _cell(cell: GridCell, *, costs: bool) -> doc.PaperCell:
    ground = cell.code.ground if cell.code else ""
    small = cost_figure(cell.cost) if costs else ""
    return doc.PaperCell(cell.text, shade=ground, bold=True, small=small)


def _swatches(chart: Chart, grids: Sequence[ChartGrid]) -> Iterator[tuple[str, str, str]]:
    """Every letter, and every two letters, that stand in a cell."""
    for code in used_codes(chart):
        yield code.ground, code.letters, code.words
    both = {cell.letters: cell for grid in grids for line in grid.lines for cell in line.cells}
    for letters, cell in both.items():
        if cell.more is not None and cell.code is not None:
            other = CODES[cell.more.text].words
            when = "for some cards" if chart.by_count else "with more cards"
            yield cell.code.ground, letters, f"{cell.code.words}; {other} {when}"


def _notes(chart: Chart, *, costs: bool) -> Iterator[str]:
    yield from chart_notes(chart, costs=costs, small=chart.by_count)
    for key in SAID:
        yield from (sentence.words for sentence in chart.tables.rulebook.about(key))
    yield f"{value_words(chart)} of a wager a round."


def _behind(chart: Chart, size: ChartSize) -> Iterator[doc.Part]:
    """What stands behind the chart: exchanges, splits, lights, changes, deviations."""
    if chart.exchange is not None:
        yield from _exchange(chart.exchange, chart.ups, size)
    if chart.resplits:
        items = tuple(("", words) for words in resplit_words(chart))
        title = "Pairs of a split that not every hand splits again"
        yield doc.PaperSection(title, (doc.Bullets(items),), numbered=False)
    if chart.rounds is not None:
        items = tuple(("", words) for words in lit_words(chart))
        title = f"A player who stays {chart.rounds:g} rounds on average"
        yield doc.PaperSection(title, (doc.Bullets(items),), numbered=False)
    if chart.changes:
        yield doc.PaperSection("What the changes cost", (_changes(chart, size),), numbered=False)
    if chart.deviations is not None:
        title = "Hands that the best play plays otherwise"
        yield doc.PaperSection(title, (*_deviations(chart, size),), numbered=False)


def _letters(size: ChartSize) -> float:
    return 5.5 if size is ChartSize.CARD else 7.0


def _figures(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int,
    size: float,
    totals: int = 0,
) -> doc.PaperTable:
    aligned = [doc.Align.LEFT] * left + [doc.Align.RIGHT] * (len(heads) - left)
    columns = tuple(doc.PaperColumn(*head) for head in zip(heads, aligned, strict=True))
    return doc.PaperTable(columns, tuple(map(tuple, rows)), size=size, totals=totals)


def _exchange(
    rule: ExchangeRule, ups: Sequence[str], size: ChartSize
) -> Iterator[doc.PaperSection]:
    rows = [
        [
            f"{hand.cards}, exchanged" if hand.exchanged else hand.cards,
            *(f"{hand.points[up]:+d}" for up in ups),
        ]
        for hand in rule.hands
    ]
    table = _figures(["cards", *ups], rows, 1, _letters(size))
    parts = doc.Paragraph(POINTS_WORDS), table, doc.Paragraph(points_value(rule), quiet=True)
    yield doc.PaperSection(POINTS_TITLE, parts, numbered=False)


def _changes(chart: Chart, size: ChartSize) -> doc.PaperTable:
    assert chart.unchanged_ev is not None
    rows = [(one.text, percent(one.ev), percent(one.cost)) for one in chart.changes]
    cost = chart.unchanged_ev - chart.basic_ev
    rows.append(("all together", percent(chart.basic_ev), percent(cost)))
    rows.append(("the chart without them", percent(chart.unchanged_ev), ""))
    return _figures(("change", "EV", "costs a round"), rows, 1, _letters(size), totals=2)


def _deviations(chart: Chart, size: ChartSize) -> Iterator[doc.Part]:
    assert chart.deviations is not None
    letters = _letters(size)
    yield _figures(DEVIATION_HEADS, [*deviation_rows(chart.deviations)], 4, letters)
    sums = [(words, small_share(gain)) for words, gain in deviation_sums(chart.deviations)]
    yield _figures(("of a wager a round", "gain"), sums, 1, letters, totals=1)
