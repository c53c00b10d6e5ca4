"""A chart as tables of letters, with every letter explained: for the terminal and for papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, groupby
from typing import TYPE_CHECKING, NamedTuple

from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.pages.figures import percent, symbol_words
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.solve.chart import Block, Cell, Chart, ChartSection, Row
    from upcard.solve.deviations import Deviation, Deviations

NOTHING = "·"
CHANGED = "*"
"""Stands behind the letters of a cell that somebody has changed."""
MOST_COMPARED = 3
"""Cards of hands that are listed one by one."""
MOST_DEVIATIONS = 40
"""Hands that are better played by their cards, of which so many are shown."""
SMALL = 5e-9
"""Less than this is shown as nothing."""


class Code(NamedTuple):
    """How an action stands in a chart: letters, colours of a terminal and of paper, words."""

    letters: str
    style: str
    words: str
    ground: str


CODES = {
    "hit": Code("H", "black on green", "hit", "#a5d9ae"),
    "stand": Code("S", "black on red", "stand", "#f2a79f"),
    "double": Code("D", "black on cyan", "double", "#9ccbf0"),
    "split": Code("P", "black on yellow", "split", "#ffdf80"),
    "surrender": Code("R", "black on magenta", "surrender", "#dcc3ee"),
    "redouble": Code("DD", "black on cyan", "double again", "#7fb4e6"),
    "rescue": Code("X", "black on magenta", "rescue", "#dcc3ee"),
    "keep": Code("K", "black on red", "keep", "#f2a79f"),
    "trade": Code("T", "black on green", "trade", "#a5d9ae"),
    "replace": Code("Z", "black on bright_magenta", "exchange both cards", "#f3b7d6"),
    "free-double": Code("F", "black on bright_cyan", "double, staked by the house", "#9de3e3"),
    "free-split": Code("FP", "black on bright_yellow", "split, staked by the house", "#ffc48a"),
}


class GridCell(NamedTuple):
    """One cell: its letters, the code of its colours (none where nothing is to decide), its cost.

    The letters are a capital for the fewest cards and a small one where more cards differ.
    """

    letters: str
    code: Code | None = None
    cost: float | None = None
    changed: bool = False
    more: Action | None = None

    @property
    def text(self) -> str:
        """The letters, and the mark of a change."""
        return self.letters + CHANGED * self.changed


class GridLine(NamedTuple):
    """A row of cells, named after its hand, or after the first and last of some alike."""

    name: str
    cells: tuple[GridCell, ...]


class ChartGrid(NamedTuple):
    """A table of a chart; `shows` says what the dealer shows where that is not the up card."""

    title: str
    shows: str
    columns: tuple[str, ...]
    lines: tuple[GridLine, ...]
    doubles: int = 0

    @property
    def whole_title(self) -> str:
        """The title with what the dealer shows."""
        return f"{self.title}; {self.shows}" if self.shows else self.title


def chart_grids(chart: Chart, *, costs: bool = False) -> Iterator[ChartGrid]:
    """All tables of a chart; with costs every hand has a line of its own."""
    for section in chart.sections:
        for title, rows in _tables(chart, section):
            for block in chart.blocks:
                lines = tuple(_lines(block, rows, apart=costs))
                names = tuple(name for name, _ in block.columns)
                yield ChartGrid(title, block.title, names, lines, section.doubles)


def _tables(chart: Chart, section: ChartSection) -> Iterator[tuple[str, list[list[Row]]]]:
    """The tables of a section: rows of one total together, or a table for each number of cards."""
    # A doubled hand has one card more each time, as far as the rules count them.
    most = max(row.cards for row in section.rows)
    least = min(chart.tables.round_plan.first_cards + section.doubles, most)
    rows = sorted((r for r in section.rows if r.cards >= least), key=lambda row: row.cards)
    if not chart.by_count or section.id.endswith("pairs"):
        yield section.title, _together(rows)
        return
    known = [(n, _together(group)) for n, group in groupby(rows, key=lambda row: row.cards)]
    while known:
        (first, shown), *known = known
        last = first
        while known and _agree(chart, shown, known[0][1]):
            (last, more), *known = known
            names = {_named(group) for group in shown}
            shown = sorted(
                [*shown, *(group for group in more if _named(group) not in names)], key=_named
            )
        yield f"{section.title}, {_count_words(chart, first, last)}", shown


def _count_words(chart: Chart, first: int, last: int) -> str:
    if _counts_no_further(chart, last):
        return f"{first} cards or more"
    return f"{first} cards" if first == last else f"{first} to {last} cards"


def _named(rows: list[Row]) -> tuple[bool, int, int, str]:
    """What the hands of a row have in common."""
    return rows[0].soft, rows[0].total, rows[0].pending, rows[0].pair


def _agree(chart: Chart, one: list[list[Row]], other: list[list[Row]]) -> bool:
    """Whether tables for two numbers of cards say the same of the hands that are in both."""
    known = {_named(rows): rows for rows in one}
    return all(
        _cell(known[_named(rows)], (up,))[:2] == _cell(rows, (up,))[:2]
        for rows in other
        if _named(rows) in known
        for up in chart.ups
    )


def _counts_no_further(chart: Chart, cards: int) -> bool:
    """Whether a hand of so many cards has as many for the rules with another one."""
    hands = chart.tables.hands
    for state in (hands.cards == cards).nonzero()[0].tolist():
        after = hands.next[state]
        after = after[after != NONE]
        if ((hands.cards[after] == cards) & ~hands.bust[after]).any():
            return True
    return False


def _together(rows: Iterable[Row]) -> list[list[Row]]:
    ordered = sorted(rows, key=lambda row: (row.soft, row.total, row.pending, row.cards))
    groups = groupby(ordered, key=lambda row: _named([row]))
    return [list(group) for _, group in groups]


def _lines(block: Block, rows: list[list[Row]], *, apart: bool) -> Iterator[GridLine]:
    lines = [(group, tuple(_cell(group, ups) for _, ups in block.columns)) for group in rows]

    def alike(line: tuple[list[Row], tuple[GridCell, ...]]) -> object:
        group, cells = line
        if apart:
            return group[0].hand
        return [(cell.text, cell.code) for cell in cells], group[0].pending

    for _, found in groupby(lines, key=alike):
        same = list(found)
        first, last = same[0][0][0].hand, same[-1][0][0].hand
        yield GridLine(first if len(same) == 1 else f"{first} - {last}", same[0][1])


def _cell(rows: list[Row], ups: Sequence[str]) -> GridCell:
    known = [cell for cell in _cells(rows, ups) if cell is not None]
    if not known:
        return GridCell(NOTHING)
    first = known[0]
    code = CODES[first.action.text]
    changed = any(cell.was is not None for cell in known)
    other = known[-1].action
    if rows[0].pair or other is first.action:
        return GridCell(code.letters, code, first.cost, changed)
    letters = code.letters + CODES[other.text].letters.lower()
    return GridCell(letters, code, first.cost, changed, other)


def _cells(rows: list[Row], ups: Sequence[str]) -> list[Cell | None]:
    return [next((row.cells[up] for up in ups if up in row.cells), None) for row in rows]


# ------------------------------------------------------------------------------------------- words


def used_codes(chart: Chart) -> list[Code]:
    """The codes of all actions in a chart, in their usual order."""
    used = {
        cell.action.text
        for section in chart.sections
        for row in section.rows
        for cell in row.cells.values()
    }
    return [code for action, code in CODES.items() if action in used]


def chart_notes(chart: Chart, *, costs: bool = False, small: bool = True) -> Iterator[str]:
    """What must be known to read a chart, besides its letters, each a sentence or two.

    What `small` letters are may be said elsewhere.
    """
    if names := symbol_words(chart.tables):
        yield names
    if chart.tables.dealer.shown.face_up:
        words = "A column is the total of the dealer's two cards"
        apart = [(name, ups[1:]) for name, ups in chart.columns if name == ups[0]]
        if apart:
            words += "; it names two cards where those of one total are not played alike"
        others = [f"{name} is also {listed(more, 'and')}" for name, more in apart if more]
        yield f"{'; '.join([words, *others])}."
    cells = [cell for grid in chart_grids(chart) for line in grid.lines for cell in line.cells]
    if any(cell.letters == NOTHING for cell in cells):
        yield f"{NOTHING} stands where there is nothing to decide."
    if any(section.id.endswith("trade-later") for section in chart.sections):
        yield "Totals count a bonus card as it lies there."
    if small and chart.by_count:
        if hands := _apart(chart):
            yield f"A small letter is for {listed(hands, 'and')}, which are played otherwise."
    elif small:
        yield "A small letter is for hands of more cards, where they are played otherwise."
    early = any(
        cell.before_check and cell.action is Action.SURRENDER
        for section in chart.sections
        for row in section.rows
        for cell in row.cells.values()
    )
    if early:
        yield "Against cards that the dealer checks, R comes before the check."
    if any(cell.changed for cell in cells):
        yield f"{CHANGED} marks what was changed."
    if costs:
        yield (
            "Small figures are what the nearest alternative costs each time, in percent of the "
            "wager; a minus where it would be better."
        )


def _apart(chart: Chart) -> list[str]:
    """Cards of hands with small letters, where a chart goes by the number of cards already."""
    hands, names = chart.tables.hands, [s.name for s in chart.tables.alphabet.symbols]
    states: dict[int, None] = {}
    for section in chart.sections:
        for _, groups in _tables(chart, section):
            for rows in groups:
                ups = {up for row in rows[1:] for up in row.cells} if not rows[0].pair else set()
                for up in ups & rows[0].cells.keys():
                    first = rows[0].cells[up].action
                    others = [r for r in rows[1:] if up in r.cells and r.cells[up].action != first]
                    states |= dict.fromkeys(row.state for row in others)
    found = []
    for size in range(2, 1 + MOST_COMPARED):
        for cards in combinations_with_replacement(range(len(names)), size):
            state = hands.start
            for symbol in cards:
                state = int(hands.next[state, symbol]) if state != NONE else NONE
            if state in states:
                found.append(",".join(names[symbol] for symbol in reversed(cards)))
    return found


def cost_figure(cost: float | None) -> str:
    """A cost in percent of the wager, in three or four signs.

    >>> [cost_figure(cost) for cost in (0.2312, 0.0312, 0.0031, 0.00004, -0.0102, None)]
    ['23', '3.1', '0.31', '0.00', '-1.0', '']
    """
    if cost is None:
        return ""
    share = abs(100 * cost)
    digits = 0 if share >= 9.95 else 1 if share >= 0.995 else 2
    text = f"{share:.{digits}f}"
    return f"-{text}" if cost < 0 and float(text) else text


def resplit_words(chart: Chart) -> Iterator[str]:
    """Where one hand of a split splits again and another does not, or none does."""
    roles = {(True, False): "only the first hand", (False, True): "every hand but the first"}
    if chart.tables.contexts.has_markers:
        roles = {
            (True, False): "only hands with the player's money",
            (False, True): "only hands with the house's marker",
        }
    for (pair, *role), group in groupby(chart.resplits, key=lambda f: (f.pair, f.first, f.others)):
        found = list(group)
        ups = _up_words(chart, [one.up for one in found])
        hands = listed(map(str, sorted({one.hands for one in found})), "or")
        who = roles.get((role[0] is True, role[1] is True), "no hand")
        yield f"{pair} against {ups}: {who}, with {hands} hands so far"


def lit_words(chart: Chart) -> Iterator[str]:
    """What a player who stays for some rounds trades unlike the chart."""
    if not chart.by_lit:
        yield "trades like this chart, however many lights are lit"
    for lit, group in groupby(chart.by_lit, key=lambda found: found.lit):
        parts = []
        for (action, hand), same in groupby(group, key=lambda found: (found.action, found.hand)):
            ups = _up_words(chart, [found.up for found in same])
            parts.append(f"{action.text} {hand} against {ups}")
        yield f"{counted(lit, 'light')}: {'; '.join(parts)}"


def _up_words(chart: Chart, ups: Sequence[str]) -> str:
    """Up cards by the names of the chart's columns."""
    names = [name for name, group in chart.columns if any(up in ups for up in group)]
    return "everything" if len(names) == len(chart.columns) else " ".join(names)


def value_words(chart: Chart) -> str:
    """What play by the chart is worth, and what it gives up."""
    evs = f"EV {percent(chart.basic_ev)} by the chart, {percent(chart.ev)} by the best play"
    return f"{evs}: the chart gives up {percent(chart.ev - chart.basic_ev, signed=False)}"


DEVIATION_HEADS = ("cards", "up", "chart", "better", "gain a hand", "how often", "gain a round")


def deviation_rows(found: Deviations) -> Iterator[tuple[str, ...]]:
    """The hands that gain most, as cells under `DEVIATION_HEADS`."""
    for one in _most_gaining(found):
        doubled = f", doubled {one.doubles}x" if one.doubles else ""
        yield (
            f"{one.cards}{doubled}",
            one.up,
            one.chart.text,
            one.better.text,
            percent(one.gain, signed=False),
            percent(one.chance, signed=False),
            small_share(one.a_round),
        )


def _most_gaining(found: Deviations) -> list[Deviation]:
    return [one for one in found.hands[:MOST_DEVIATIONS] if one.a_round >= SMALL]


def deviation_sums(found: Deviations) -> Iterator[tuple[str, float]]:
    """What makes up all that the best play is worth more, in base wagers a round."""
    shown = _most_gaining(found)
    listed_gain = sum(one.a_round for one in shown)
    yield "these hands", listed_gain
    if others := len(found.hands) - len(shown):
        yield f"{counted(others, 'hand')} more", found.listed - listed_gain
    if abs(found.splits) >= SMALL:
        yield "hands of splits", found.splits
    if abs(found.rest) >= SMALL:
        yield "what other cards tell", found.rest
    yield "all that the best play is worth more", found.total


def small_share(value: float) -> str:
    """A share with two digits more than usual.

    >>> small_share(0.000014433)
    '0.001443%'
    """
    return f"{100 * value:.6f}%"
