"""`upcard strategy`: the chart of basic play, or of one's own: to look at, as data, on paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import (
    Bet,
    With,
    identity,
    parse_ratios,
    plain,
    progress,
)
from upcard.cli.writing import Output, check_output, write_output, write_paper
from upcard.errors import UpcardError
from upcard.shape import read_text
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.papers.simplified import Simplified
    from upcard.solve.chart import Cell, Chart, Row
    from upcard.solve.deviations import Deviations
    from upcard.solve.exchange_points import ExchangeRule

DATA = (".csv", ".json")
PAPER = (".pdf", ".png", ".svg", ".html")
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


class PrintSize(StrEnum):
    """How large a chart is printed."""

    card = "card"
    page = "page"


def strategy(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
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
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change",
            metavar="CHANGE",
            help='Do something else and see what it costs: "hard 16 vs T: stand"; as often as '
            "needed.",
        ),
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option("--changes", metavar="FILE", help="A file of such changes, one in a line."),
    ] = None,
    costs: Annotated[
        bool,
        typer.Option("--costs", help="What the nearest alternative costs, in every cell."),
    ] = False,
    deviations: Annotated[
        bool,
        typer.Option(
            "--deviations",
            help="All hands that are better played by their cards, and how their gains add up.",
        ),
    ] = False,
    size: Annotated[
        PrintSize | None,
        typer.Option("--size", help="On paper: a card for the pocket (A6), or a page (A4)."),
    ] = None,
    simplify: Annotated[
        bool,
        typer.Option(
            "--simplify", help="What simpler play costs, in the place of the chart itself."
        ),
    ] = False,
    output: Output = None,
    json: Json = False,
) -> None:
    """Print the chart of basic play: what to do by total and up card.

    Below it stand the first two cards that are better played by their cards than by their total.
    With -o it is written as data (.csv, .json) or to be printed (.pdf, .png, .svg, .html).

    Example: upcard strategy blackjack --set decks=1 -o chart.pdf --size card
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.chart import draw_chart
    from upcard.solve.chart_page import show_chart
    from upcard.solve.lights import check_stay

    tables = tables_for(game, chosen_settings(game, asked_settings(settings, side)))
    ratios = parse_ratios(with_ or (), tables)
    check_stay(tables, stay)
    check_output(output, *DATA, *PAPER)
    if size is not None and (output is None or output.suffix not in PAPER):
        raise UpcardError(f"--size is for charts on paper: write one with -o, as {listed(PAPER)}")
    asked = [*(change or ()), *(_lines(changes) if changes is not None else ())]
    if simplify:
        if ratios or stay is not None or output is not None:
            raise UpcardError(
                "--simplify prices the base wager in endless play, and writes no chart: leave out "
                "--with, --stay and -o"
            )
        _tell_simplified(tables, bet, json=json)
        return
    with progress() as told:
        chart = draw_chart(
            tables,
            bet=bet,
            ratios=ratios,
            rounds=stay,
            changes=asked,
            deviations=deviations,
            progress=told,
        )
    written = _write(chart, output, size or PrintSize.page, costs=costs) if output else ()
    if json:
        print_json(plain(chart_data(chart, costs=costs)))
    elif written:
        console().print("\n".join(written), soft_wrap=True)
    else:
        show_chart(chart, console(), costs=costs)


def _lines(path: Path) -> list[str]:
    """The changes in a file; a line may end in a remark."""
    lines = (line.partition("#")[0].strip() for line in read_text(path).splitlines())
    found = [line for line in lines if line]
    if not found:
        raise UpcardError(f"{path}: there is no change in this file")
    return found


def _tell_simplified(tables: GameTables, bet: int | None, *, json: bool) -> None:
    from upcard.papers.simplified import simplify

    with progress() as told:
        found = simplify(tables, bet=bet, progress=told)
    print_json(plain(simplified_data(found))) if json else found.show(console())


def simplified_data(found: Simplified) -> dict[str, Any]:
    """What simpler play costs, as plain data."""
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "ev": found.ev,
        "plays": [
            {"id": play.id, "words": play.words, "ev": play.ev, "cost": play.cost}
            for play in found.plays
        ],
    }


# -------------------------------------------------------------------------------------------- files


def _write(chart: Chart, path: Path, size: PrintSize, *, costs: bool) -> list[str]:
    """Write a chart to the files that it takes, and say which."""
    if path.suffix in PAPER:
        return _print(chart, path, size, costs=costs)
    text = _as_csv(chart, costs=costs)
    if path.suffix == ".json":
        encoded = msgspec.json.encode(plain(chart_data(chart, costs=costs)))
        text = msgspec.json.format(encoded, indent=1).decode() + "\n"
    write_output(path, text)
    return [f"{path}: {counted(len(list(_records(chart))), 'decision')}"]


def _print(chart: Chart, path: Path, size: PrintSize, *, costs: bool) -> list[str]:
    from upcard.papers.chart_paper import ChartSize, chart_paper

    paper = chart_paper(chart, size=ChartSize(size.value), costs=costs)
    files = write_paper(path, paper)
    if len(files) > 1:
        return [f"{name}: page {number} of {len(files)}" for number, name in enumerate(files, 1)]
    return [f"{path}: {'a web page' if path.suffix == '.html' else paper.sheet.value.upper()}"]


def _as_csv(chart: Chart, *, costs: bool) -> str:
    """One line for every decision.

    What cannot be said in the columns of every line, the game and its settings, is in JSON files.
    """
    text = io.StringIO()
    fields = (*FIELDS, "cost") if costs else FIELDS
    lines = csv.DictWriter(text, fields, lineterminator="\n", extrasaction="ignore")
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
                    "cost": "" if cell.cost is None else repr(cell.cost),
                }


def row_data(row: Row) -> dict[str, Any]:
    """What a row is about; totals in points."""
    from upcard.compile.hands import points

    return {
        "state": row.state,
        "hand": row.hand,
        "total": points(row.total),
        "soft": row.soft,
        "pair": row.pair,
        "cards": row.cards,
        "pending": row.pending,
    }


def chart_data(chart: Chart, *, costs: bool = False) -> dict[str, Any]:
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
                        "actions": {
                            up: _cell_data(cell, costs=costs) for up, cell in row.cells.items()
                        },
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
    if chart.changes:
        data["unchanged_ev"] = chart.unchanged_ev
        data["changes"] = [found._asdict() for found in chart.changes]
    if chart.deviations is not None:
        data["deviations"] = _deviations_data(chart.deviations)
    if chart.exchange is not None:
        data["exchange"] = _exchange_data(chart.exchange)
    if chart.resplits:
        data["resplits"] = [found._asdict() for found in chart.resplits]
    if chart.rounds is not None:
        data["stay"] = chart.rounds
        data["by_lit"] = [
            {**found._asdict(), "action": found.action.text} for found in chart.by_lit
        ]
    return data


def _exchange_data(rule: ExchangeRule) -> dict[str, Any]:
    """Points of hands, and every deal in which the best exchange takes place."""
    return {
        "ev": rule.ev,
        "points_ev": rule.points_ev,
        "chance": rule.chance,
        "points": [hand._asdict() for hand in rule.hands],
        "deals": {up: [list(deal) for deal in deals] for up, deals in rule.deals.items()},
    }


def _deviations_data(found: Deviations) -> dict[str, Any]:
    """Hands that are better played by their cards, and what makes up all that this is worth."""
    return {
        "total": found.total,
        "hands_gain": found.listed,
        "splits_gain": found.splits,
        "rest": found.rest,
        "hands": [
            {
                **one._asdict(),
                "chart": one.chart.text,
                "better": one.better.text,
                "gain_a_round": one.a_round,
            }
            for one in found.hands
        ],
    }


def _cell_data(cell: Cell, *, costs: bool) -> dict[str, Any]:
    return {
        "action": cell.action.text,
        "fallback": cell.fallback.text if cell.fallback is not None else None,
        "ranking": [action.text for action in cell.ranking],
        "before_check": cell.before_check,
        **({"was": cell.was.text} if cell.was is not None else {}),
        **({"cost": cell.cost} if costs else {}),
    }
