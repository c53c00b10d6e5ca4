"""What `upcard strategy` and `print(chart)` show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, ratio_words, shoe_words
from upcard.pages.page import Printer, indented
from upcard.solve.chart_grid import (
    DEVIATION_HEADS,
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
from upcard.solve.exchange_page import show_rule

if TYPE_CHECKING:
    from rich.table import Table

    from upcard.solve.chart import Chart
    from upcard.solve.chart_grid import ChartGrid
    from upcard.solve.deviations import Deviations


def show_chart(chart: Chart, out: Printer, *, costs: bool = False) -> None:
    """The chart, its legend, and where the cards of a hand say otherwise."""
    from rich.text import Text

    tables = chart.tables
    riding = ratio_words(chart.ratios)
    out.print(
        heading(
            tables,
            shoe_words(tables),
            f"wager {format_cents(chart.bet)}",
            f"with {riding}" if riding else "",
            "basic (total-dependent) play" + (" with changes" if chart.changes else ""),
        )
    )
    for found in chart_grids(chart, costs=costs):
        out.print()
        out.print(Text(found.whole_title, "bold"))
        out.print(_table(found, costs=costs))
    out.print()
    line = Text()
    for code in used_codes(chart):
        line.append(f" {code.letters} ", code.style).append(f" {code.words}  ")
    out.print(line)
    for words in chart_notes(chart, costs=costs):
        out.print(Text(words, "dim"))
    if chart.exchange is not None:
        show_rule(chart.exchange, chart.ups, out)
    if chart.resplits:
        _show_list("Pairs of a split that not every hand splits again", resplit_words(chart), out)
    if chart.changes:
        _show_changes(chart, out)
    if chart.deviations is None:
        _show_differences(chart, out)
    else:
        _show_deviations(chart, chart.deviations, out)
    if chart.rounds is not None:
        title = f"A player who stays {chart.rounds:g} rounds on average"
        _show_list(title, lit_words(chart), out)


def _table(found: ChartGrid, *, costs: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 0, 0, 1), header_style="dim", pad_edge=True)
    table.add_column("", min_width=7)
    for name in found.columns:
        table.add_column(name, justify="center", min_width=3)
    for line in found.lines:
        cells = (
            Text(f"{cell.text:^3}", cell.code.style if cell.code else "dim") for cell in line.cells
        )
        table.add_row(Text(f" {line.name} "), *cells)
        if costs:
            figures = (Text(cost_figure(cell.cost), "dim") for cell in line.cells)
            table.add_row(Text(""), *figures)
    return table


def _show_list(title: str, lines: Iterable[str], out: Printer) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(title, "bold"))
    for words in lines:
        out.print(indented(Text(words), 2))


def _show_changes(chart: Chart, out: Printer) -> None:
    from rich.text import Text

    assert chart.unchanged_ev is not None
    out.print()
    out.print(Text("What the changes cost", "bold"))
    table = grid("change", "EV", "costs")
    for change in chart.changes:
        table.add_row(change.text, percent(change.ev), percent(change.cost))
    if len(chart.changes) > 1:
        cost = chart.unchanged_ev - chart.basic_ev
        table.add_row("all together", percent(chart.basic_ev), percent(cost))
    out.print(table)
    words = f"Without them the chart has an EV of {percent(chart.unchanged_ev)}."
    out.print(indented(Text(words), 2))


def _show_differences(chart: Chart, out: Printer) -> None:
    from rich.text import Text

    cost = value_words(chart)
    out.print()
    out.print(Text("First two cards that the best play plays otherwise", "bold"))
    if not chart.differences:
        out.print(indented(Text("none"), 2))
        out.print(indented(Text(f"{cost} of a wager a round."), 2))
        return
    table = grid("cards", "up", "chart", "better", "gain", "how often", left=4)
    for found in chart.differences:
        table.add_row(
            found.cards,
            found.up,
            found.chart.text,
            found.better.text,
            percent(found.gain, signed=False),
            percent(found.chance, signed=False),
        )
    out.print(table)
    out.print(indented(Text(f"{cost} of a wager a round, all hands counted."), 2))


def _show_deviations(chart: Chart, found: Deviations, out: Printer) -> None:
    """All hands that are better played by their cards, and how their gains add up."""
    from rich.text import Text

    out.print()
    out.print(Text("Hands that the best play plays otherwise", "bold"))
    table = grid(*DEVIATION_HEADS, left=4)
    for row in deviation_rows(found):
        table.add_row(*row)
    out.print(table)
    sums = grid("of a wager a round", "", left=1)
    for words, gain in deviation_sums(found):
        sums.add_row(words, small_share(gain))
    out.print(sums)
    out.print(indented(Text(f"{value_words(chart)} of a wager a round."), 2))
