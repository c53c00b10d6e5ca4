"""What a report says of play: the chart, hands that are better played otherwise, simpler play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from upcard.pages.figures import percent
from upcard.papers import document as doc
from upcard.papers.report.cells import boxes, share, table
from upcard.papers.report.gathering import Figures
from upcard.solve.chart import Chart, ChartSection, Row
from upcard.solve.chart_page import CODES, NOTHING

GROUNDS = {
    "hit": "#b9e4c0",
    "stand": "#f2b8b5",
    "double": "#a9dcec",
    "split": "#f6e3a1",
    "surrender": "#e2c4ec",
    "redouble": "#7cc3d8",
    "rescue": "#cfa6de",
    "keep": "#f2b8b5",
    "trade": "#8fd19e",
    "free-double": "#d3f0f7",
    "free-split": "#fbf3d0",
}
"""A ground for every action, readable under black letters, in grey too."""
MOST_DIFFERENCES = 40


def strategy(found: Figures) -> doc.PaperSection:
    """Basic play as a chart, where the best play differs, and what simpler play costs."""
    chart = found.chart
    parts: list[doc.Part] = [
        doc.Paragraph(
            "Optimal play looks at every card of the hand; basic play at its total and at what the "
            "dealer shows. The charts below are basic play."
        ),
        doc.PaperSection("Basic play", tuple(_charts(chart))),
        doc.PaperSection("What simpler play costs", tuple(_simpler(found))),
        doc.PaperSection("Where the best play differs", tuple(_differences(chart))),
    ]
    return doc.PaperSection("Strategy", tuple(parts))


def _charts(chart: Chart) -> Iterator[doc.Part]:
    used: dict[str, None] = {}
    gaps = False
    for section in chart.sections:
        for title, rows in _tables(chart, section):
            for block in chart.blocks:
                lines = []
                for group in rows:
                    cells = [_letters(group, ups) for _, ups in block.columns]
                    used.update((action, None) for _, action in cells if action)
                    gaps = gaps or any(not action for _, action in cells)
                    lines.append((group[0], cells))
                caption = f"{title}; {block.title}" if block.title else title
                yield boxes(
                    ("hand", *(name for name, _ in block.columns)),
                    [
                        (name, *(doc.PaperCell(t, shade=GROUNDS.get(a, "")) for t, a in cells))
                        for name, cells in _merged(lines)
                    ],
                    f"{caption}.",
                    size=7.0 if len(block.columns) > 14 else 8.0,
                )
    meanings = [
        f"{CODES[action].letters} {CODES[action].words}" for action in CODES if action in used
    ]
    words = f"{', '.join(meanings)}."
    if not chart.by_count:
        words += " A small letter is for hands of more cards, where they are played otherwise."
    if gaps:
        words += f" {NOTHING} stands where there is nothing to decide."
    yield doc.Paragraph(words, quiet=True)


def _tables(chart: Chart, section: ChartSection) -> Iterator[tuple[str, list[list[Row]]]]:
    """Rows of one total together, or a table for each number of cards."""
    if not chart.by_count or section.id.endswith("pairs"):
        yield section.title, _together(section.rows)
        return
    rows = sorted(section.rows, key=lambda row: row.cards)
    for cards, group in groupby(rows, key=lambda row: row.cards):
        yield f"{section.title}, {cards} cards", _together(group)


def _together(rows: Iterable[Row]) -> list[list[Row]]:
    ordered = sorted(rows, key=lambda row: (row.soft, row.total, row.pending, row.cards))
    groups = groupby(ordered, key=lambda row: (row.soft, row.total, row.pending, row.pair))
    return [list(group) for _, group in groups]


def _merged(
    lines: Sequence[tuple[Row, list[tuple[str, str]]]],
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Rows that follow one another and are played alike, as one."""
    for (cells, _), alike in groupby(lines, key=lambda line: (line[1], line[0].pending)):
        same = [row.hand for row, _ in alike]
        yield (same[0] if len(same) == 1 else f"{same[0]} - {same[-1]}"), cells


def _letters(rows: Sequence[Row], ups: Sequence[str]) -> tuple[str, str]:
    """What stands in a cell, and the action that gives it its ground."""
    cells = [next((row.cells[up] for up in ups if up in row.cells), None) for row in rows]
    known = [cell for cell in cells if cell is not None]
    if not known:
        return NOTHING, ""
    first, last = known[0].action, known[-1].action
    letters = CODES[first.text].letters
    if not rows[0].pair and last is not first:
        letters += CODES[last.text].letters.lower()
    return letters, first.text


def _simpler(found: Figures) -> Iterator[doc.Part]:
    priced = found.simplified
    rows: list[tuple[str, str, str]] = [("the best play", percent(priced.ev), "")]
    rows += [(play.words, percent(play.ev), share(play.cost)) for play in priced.plays]
    yield table(
        ("play", "EV", "gives up"),
        rows,
        "Simpler play, and what it gives up against the best, in per cent of the base wager.",
    )
    rule = found.chart.exchange
    if rule is not None:
        yield doc.Paragraph(
            f"By the best exchange with basic play, cards are exchanged in {share(rule.chance)} of "
            "the rounds. The strategy command prints the points of every hand."
        )


def _differences(chart: Chart) -> Iterator[doc.Part]:
    if not chart.differences:
        yield doc.Paragraph("No first two cards are better played by their cards.")
        return
    ordered = sorted(chart.differences, key=lambda one: -one.gain * one.chance)
    shown = ordered[:MOST_DIFFERENCES]
    rows = [
        (
            one.cards.replace(" ", ","),
            one.up,
            one.chart.text,
            one.better.text,
            share(one.gain),
            share(one.chance),
        )
        for one in shown
    ]
    more = len(ordered) - len(shown)
    rest = f", those that matter most; {more} more are in the command's output" if more else ""
    yield table(
        ("cards", "up", "chart", "better", "gain", "how often"),
        rows,
        f"First two cards that are better played by their cards{rest}.",
        left=4,
    )
