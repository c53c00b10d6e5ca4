"""What `upcard strategy` and `print(chart)` show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, ratio_words, shoe_words, symbol_words
from upcard.pages.page import Printer, indented
from upcard.solve.exchange_page import show_rule
from upcard.text import counted, listed

if TYPE_CHECKING:
    from rich.table import Table

    from upcard.solve.chart import Block, Chart, ChartSection, Row

NOTHING = "·"


class Code(NamedTuple):
    """How an action stands in a chart."""

    letters: str
    style: str
    words: str


CODES = {
    "hit": Code("H", "black on green", "hit"),
    "stand": Code("S", "black on red", "stand"),
    "double": Code("D", "black on cyan", "double"),
    "split": Code("P", "black on yellow", "split"),
    "surrender": Code("R", "black on magenta", "surrender"),
    "redouble": Code("DD", "black on cyan", "double again"),
    "rescue": Code("X", "black on magenta", "rescue"),
    "keep": Code("K", "black on red", "keep"),
    "trade": Code("T", "black on green", "trade"),
    "free-double": Code("F", "black on bright_cyan", "double, staked by the house"),
    "free-split": Code("FP", "black on bright_yellow", "split, staked by the house"),
}


def show_chart(chart: Chart, out: Printer) -> None:
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
            "basic (total-dependent) play",
        )
    )
    for section in chart.sections:
        for title, rows in _tables(chart, section):
            for block in chart.blocks:
                out.print()
                out.print(Text(f"{title}; {block.title}" if block.title else title, "bold"))
                out.print(_table(block, rows))
    out.print()
    _legend(chart, out)
    if chart.exchange is not None:
        show_rule(chart.exchange, chart.ups, out)
    _resplits(chart, out)
    _differences(chart, out)
    if chart.rounds is not None:
        _by_lit(chart, chart.rounds, out)


def _tables(chart: Chart, section: ChartSection) -> Iterator[tuple[str, list[list[Row]]]]:
    """The tables of a section: rows of one total together, or a table for each number of cards."""
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


def _table(block: Block, rows: list[list[Row]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 0, 0, 1), header_style="dim", pad_edge=True)
    table.add_column("", min_width=7)
    for name, _ in block.columns:
        table.add_column(name, justify="center", min_width=3)
    lines = [(group, [_code(group, ups) for _, ups in block.columns]) for group in rows]
    for (codes, *_), alike in groupby(lines, key=lambda line: (line[1], line[0][0].pending)):
        same = [group[0].hand for group, _ in alike]
        name = same[0] if len(same) == 1 else f"{same[0]} - {same[-1]}"
        table.add_row(Text(f" {name} "), *(Text(f"{code:^3}", style) for code, style in codes))
    return table


def _code(rows: list[Row], ups: Sequence[str]) -> tuple[str, str]:
    """The letters of a cell: a capital for the fewest cards, a small one where more differ."""
    cells = [next((row.cells[up] for up in ups if up in row.cells), None) for row in rows]
    known = [cell for cell in cells if cell is not None]
    if not known:
        return NOTHING, "dim"
    code = CODES[known[0].action.text]
    more = [cell.action for cell in known[1:]]
    if rows[0].pair or not more:
        return code.letters, code.style
    other = more[-1]
    small = CODES[other.text].letters.lower() if other is not known[0].action else ""
    return code.letters + small, code.style


def _legend(chart: Chart, out: Printer) -> None:
    from rich.text import Text

    used = {
        cell.action.text
        for section in chart.sections
        for row in section.rows
        for cell in row.cells.values()
    }
    line = Text()
    for action, code in CODES.items():
        if action in used:
            line.append(f" {code.letters} ", code.style).append(f" {code.words}  ")
    out.print(line)
    if names := symbol_words(chart.tables):
        out.print(Text(names, "dim"))
    if chart.tables.dealer.shown.face_up:
        words = "A column is the total of the dealer's two cards"
        apart = [(name, ups[1:]) for name, ups in chart.columns if name == ups[0]]
        if apart:
            words += "; it names two cards where those of one total are not played alike"
        others = [f"{name} is also {listed(more, 'and')}" for name, more in apart if more]
        out.print(Text(f"{'; '.join([words, *others])}.", "dim"))
    if _has_gaps(chart):
        out.print(Text(f"{NOTHING} stands where there is nothing to decide.", "dim"))
    if any(section.id.endswith("trade-later") for section in chart.sections):
        out.print(Text("Totals count a bonus card as it lies there.", "dim"))
    if not chart.by_count:
        words = "A small letter is for hands of more cards, where they are played otherwise."
        out.print(Text(words, "dim"))
    early = any(
        cell.before_check and cell.action.text == "surrender"
        for section in chart.sections
        for row in section.rows
        for cell in row.cells.values()
    )
    if early:
        out.print(Text("Against cards that the dealer checks, R comes before the check.", "dim"))


def _has_gaps(chart: Chart) -> bool:
    """Whether a cell of the chart is empty."""
    return any(
        _code(group, ups)[0] == NOTHING
        for section in chart.sections
        for _, rows in _tables(chart, section)
        for group in rows
        for _, ups in chart.columns
    )


def _differences(chart: Chart, out: Printer) -> None:
    from rich.text import Text

    evs = f"EV {percent(chart.basic_ev)} by the chart, {percent(chart.ev)} by the best play"
    cost = f"{evs}: the chart gives up {percent(chart.ev - chart.basic_ev, signed=False)}"
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


def _resplits(chart: Chart, out: Printer) -> None:
    """Where one hand of a split splits again and another does not, or none does."""
    from rich.text import Text

    if not chart.resplits:
        return
    out.print()
    out.print(Text("Pairs of a split that not every hand splits again", "bold"))
    roles = {(True, False): "only the first hand", (False, True): "every hand but the first"}
    for (pair, *role), group in groupby(chart.resplits, key=lambda f: (f.pair, f.first, f.others)):
        found = list(group)
        ups = _up_words(chart, [one.up for one in found])
        hands = listed(map(str, sorted({one.hands for one in found})), "or")
        who = roles.get((role[0] is True, role[1] is True), "no hand")
        out.print(indented(Text(f"{pair} against {ups}: {who}, with {hands} hands so far"), 2))


def _by_lit(chart: Chart, rounds: float, out: Printer) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(f"A player who stays {rounds:g} rounds on average", "bold"))
    if not chart.by_lit:
        out.print(indented(Text("trades like this chart, however many lights are lit"), 2))
    for lit, group in groupby(chart.by_lit, key=lambda found: found.lit):
        parts = []
        for (action, hand), same in groupby(group, key=lambda found: (found.action, found.hand)):
            ups = _up_words(chart, [found.up for found in same])
            parts.append(f"{action.text} {hand} against {ups}")
        out.print(indented(Text(f"{counted(lit, 'light')}: {'; '.join(parts)}"), 2))


def _up_words(chart: Chart, ups: Sequence[str]) -> str:
    """Up cards by the names of the chart's columns."""
    names = [name for name, group in chart.columns if any(up in ups for up in group)]
    return "everything" if len(names) == len(chart.columns) else " ".join(names)
