"""`upcard strategy`: the chart of basic play, and where the cards of a hand say otherwise."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
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
from upcard.cli.writing import Output, check_output, write_output
from upcard.errors import UpcardError
from upcard.text import counted

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.papers.simplified import Simplified
    from upcard.solve.chart import Cell, Chart, Row
    from upcard.solve.exchange_points import ExchangeRule

SUFFIXES = (".csv", ".json")
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

    Example: upcard strategy blackjack --set decks=1 -o chart.csv
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.chart import draw_chart
    from upcard.solve.lights import check_stay

    tables = tables_for(game, chosen_settings(game, asked_settings(settings, side)))
    ratios = parse_ratios(with_ or (), tables)
    check_stay(tables, stay)
    check_output(output, *SUFFIXES)
    if simplify:
        if ratios or stay is not None or output is not None:
            raise UpcardError(
                "--simplify prices the base wager in endless play, and writes no chart: leave out "
                "--with, --stay and -o"
            )
        _tell_simplified(tables, bet, json=json)
        return
    with progress() as told:
        chart = draw_chart(tables, bet=bet, ratios=ratios, rounds=stay, progress=told)
    if output is not None:
        _write(chart, output)
    if json:
        print_json(plain(chart_data(chart)))
    elif output is not None:
        console().print(f"{output}: {counted(len(list(_records(chart))), 'decision')}")
    else:
        chart.show(console())


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


def _write(chart: Chart, path: Path) -> None:
    text = _as_csv(chart)
    if path.suffix == ".json":
        encoded = msgspec.json.encode(plain(chart_data(chart)))
        text = msgspec.json.format(encoded, indent=1).decode() + "\n"
    write_output(path, text)


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


def _cell_data(cell: Cell) -> dict[str, Any]:
    return {
        "action": cell.action.text,
        "fallback": cell.fallback.text if cell.fallback is not None else None,
        "ranking": [action.text for action in cell.ranking],
        "before_check": cell.before_check,
    }
