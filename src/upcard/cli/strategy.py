"""`upcard strategy`: the chart of basic play, and where the cards of a hand say otherwise."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import typer

from upcard.cli.arguments import Game, Json, Settings, chosen_settings
from upcard.cli.odds import check_stay
from upcard.cli.output import console, indented, print_json
from upcard.cli.solving import (
    Bet,
    With,
    grid,
    heading,
    identity,
    parse_ratios,
    percent,
    plain,
    progress,
    ratio_words,
    shoe_words,
    symbol_words,
)
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.text import counted, listed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from upcard.solve.chart import Cell, Chart, Row, Section

SUFFIXES = (".csv", ".json")
NOTHING = "·"
FIELDS = (
    "section",
    "doubles",
    "state",
    "hand",
    "total",
    "soft",
    "pair",
    "cards",
    "pending",
    "up",
    "action",
    "fallback",
    "ranking",
    "before_check",
)


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
}


def strategy(
    game: Game,
    settings: Settings = None,
    bet: Bet = None,
    with_: With = None,
    stay: Annotated[
        float | None,
        typer.Option(
            "--stay",
            metavar="ROUNDS",
            help="Lights: what a player who leaves after so many rounds on average trades.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the chart to a .csv or .json."),
    ] = None,
    json: Json = False,
) -> None:
    """Print the chart of basic play: what to do by total and up card.

    Below it stand the first two cards that are better played by their cards than by their total.

    Example: upcard strategy blackjack --set decks=1 -o chart.csv
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.chart import draw_chart

    tables = tables_for(game, chosen_settings(game, settings))
    ratios = parse_ratios(with_ or (), tables)
    check_stay(tables, stay)
    if output is not None:
        _check_output(output)
    with progress() as told:
        chart = draw_chart(tables, bet=bet, ratios=ratios, rounds=stay, progress=told)
    if output is not None:
        _write(chart, output)
    if json:
        print_json(plain(chart_data(chart)))
    elif output is not None:
        console().print(f"{output}: {counted(len(list(_records(chart))), 'decision')}")
    else:
        _show(chart, console())


# -------------------------------------------------------------------------------------------- files


def _check_output(path: Path) -> None:
    if path.suffix not in SUFFIXES:
        raise UpcardError(f"{path}: a chart is written as {listed(SUFFIXES)}")
    if path.is_dir():
        raise UpcardError(f"{path}: this is a folder, not a file")
    if not path.parent.is_dir():
        raise UpcardError(f"{path}: there is no folder {path.parent}")


def _write(chart: Chart, path: Path) -> None:
    text = _as_csv(chart)
    if path.suffix == ".json":
        encoded = msgspec.json.encode(plain(chart_data(chart)))
        text = msgspec.json.format(encoded, indent=1).decode() + "\n"
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
        raise UpcardError(f"{path}: {reason}") from None


def _as_csv(chart: Chart) -> str:
    """One line for every decision.

    What cannot be said in the columns of every line, the game and its settings, is in JSON files.
    """
    text = io.StringIO()
    lines = csv.DictWriter(text, FIELDS, lineterminator="\n")
    lines.writeheader()
    lines.writerows(_records(chart))
    return text.getvalue()


def _records(chart: Chart) -> Iterator[dict[str, Any]]:
    for section in chart.sections:
        for row in section.rows:
            for up, cell in row.cells.items():
                yield {
                    "section": section.id,
                    "doubles": section.doubles,
                    **row_data(row),
                    "up": up,
                    "action": cell.action.text,
                    "fallback": cell.fallback.text if cell.fallback is not None else "",
                    "ranking": " ".join(action.text for action in cell.ranking),
                    "before_check": str(cell.before_check).lower(),
                    "soft": str(row.soft).lower(),
                }


def row_data(row: Row) -> dict[str, Any]:
    """What a row is about; totals in points."""
    whole = row.total % 2 == 0
    return {
        "state": row.state,
        "hand": row.hand,
        "total": row.total // 2 if whole else row.total / 2,
        "soft": row.soft,
        "pair": row.pair,
        "cards": row.cards,
        "pending": row.pending,
    }


def chart_data(chart: Chart) -> dict[str, Any]:
    """A chart as plain data."""
    data = {
        **identity(chart.tables),
        "bet": chart.bet,
        "ratios": chart.ratios,
        "split_mode": chart.mode,
        "ev": chart.ev,
        "basic_ev": chart.basic_ev,
        "ups": chart.ups,
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "doubles": section.doubles,
                "rows": [
                    {
                        **row_data(row),
                        "actions": {up: _cell_data(cell) for up, cell in row.cells.items()},
                    }
                    for row in section.rows
                ],
            }
            for section in chart.sections
        ],
        "exceptions": [
            {
                "cards": found.cards,
                "up": found.up,
                "chart": found.chart.text,
                "better": found.better.text,
                "gain": found.gain,
                "chance": found.chance,
            }
            for found in chart.differences
        ],
    }
    if chart.rounds is not None:
        data["stay"] = chart.rounds
        data["by_lit"] = [
            {**found._asdict(), "action": found.action.text} for found in chart.by_lit
        ]
    return data


def _cell_data(cell: Cell) -> dict[str, Any]:
    return {
        "action": cell.action.text,
        "fallback": cell.fallback.text if cell.fallback is not None else None,
        "ranking": [action.text for action in cell.ranking],
        "before_check": cell.before_check,
    }


# ------------------------------------------------------------------------------------ the terminal


def _show(chart: Chart, out: Console) -> None:
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
            out.print()
            out.print(Text(title, "bold"))
            out.print(_table(chart, rows))
    out.print()
    _legend(chart, out)
    _differences(chart, out)
    if chart.rounds is not None:
        _by_lit(chart, chart.rounds, out)


def _tables(chart: Chart, section: Section) -> Iterator[tuple[str, list[list[Row]]]]:
    """The tables of a section: rows of one total together, or a table for each number of cards."""
    if not chart.by_count or section.id == "pairs":
        yield section.title, _together(section.rows)
        return
    rows = sorted(section.rows, key=lambda row: row.cards)
    for cards, group in groupby(rows, key=lambda row: row.cards):
        yield f"{section.title}, {cards} cards", _together(group)


def _together(rows: Iterable[Row]) -> list[list[Row]]:
    ordered = sorted(rows, key=lambda row: (row.soft, row.total, row.pending, row.cards))
    groups = groupby(ordered, key=lambda row: (row.soft, row.total, row.pending, row.pair))
    return [list(group) for _, group in groups]


def _table(chart: Chart, rows: list[list[Row]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 0, 0, 1), header_style="dim", pad_edge=True)
    table.add_column("", min_width=7)
    for name, _ in chart.columns:
        table.add_column(name, justify="center", min_width=3)
    lines = [(group, [_code(group, ups) for _, ups in chart.columns]) for group in rows]
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


def _legend(chart: Chart, out: Console) -> None:
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


def _differences(chart: Chart, out: Console) -> None:
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


def _by_lit(chart: Chart, rounds: float, out: Console) -> None:
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
