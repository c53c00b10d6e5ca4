"""`upcard bank`: the player-dealer's side of a table, before and after fees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import (
    Game,
    Json,
    Settings,
    Sides,
    amount_option,
    asked_settings,
    chosen_settings,
)
from upcard.cli.fees import parse_seats, terms
from upcard.cli.output import console, print_json
from upcard.cli.solving import (
    identity,
    plain,
    progress,
)
from upcard.cli.writing import Output, check_picture, said, write_output
from upcard.errors import UpcardError
from upcard.money import AMOUNT_WORDS, CENTS_PER_DOLLAR, INSURANCE, format_cents
from upcard.pages.figures import FAVOURS, grid, heading, percent, shoe_words
from upcard.rules.registry import GAME_IDS
from upcard.text import listed

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.compile.tables import GameTables
    from upcard.fees.schedules import FeeBook, FeeSchedule
    from upcard.papers.plots.scales import Plot
    from upcard.trial.bank import BankGrid, BankReport, FeeLine, Gross

ALL = "all"
_NO_FIGURE = {"limits": "outside limits", "unsettled": "not settled"}
_LONGEST_NUMBER = 6


def bank(
    game: Game,
    *,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="WAGERS",
            help="Wagers of one seat, base=25,match=5; once for every seat, in action order. A "
            "player's name in front, ann:base=25, says whose it is, for fees by player. "
            f"Amounts in {AMOUNT_WORDS}. Without it: an overview by players and wagers.",
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            metavar="N|all", help="A fee schedule, or all of them; the table's if left out."
        ),
    ] = None,
    amount: Annotated[
        int | None,
        amount_option("--bank", "What the bank puts up; without it, it covers all."),
    ] = None,
    settings: Settings = None,
    side: Sides = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """The player-dealer's expected result and deviation a hand, before and after fees.

    Players are on the best play. Expectations are exact, deviations come from random rounds of the
    whole table, with their standard error.

    Example: upcard bank pure-spanish-21.5 --seat base=25,match=5 --seat base=10
    """
    from upcard.compile.tables import compile_game
    from upcard.rules.load import load_game

    check_picture(output, ".csv")
    rules = load_game(game, chosen_settings(game, asked_settings(settings, side)))
    if rules.game.bank.by == "house":
        others = [other for other in GAME_IDS if load_game(other).game.bank.by != "house"]
        raise UpcardError(
            f"the house banks {rules.game.name}; a player-dealer has {listed(others, 'and')}, "
            "or a game file of your own"
        )
    tables = compile_game(rules)
    seats, players = parse_seats(seat or ())
    if not seats and (amount is not None or schedule == ALL):
        option = "--bank" if amount is not None else "--schedule all"
        raise UpcardError(f"{option} is for given wagers: name them, such as --seat base=25")
    from upcard.trial.bank import bank as work_out
    from upcard.trial.bank import bank_grid, check_bank

    check_bank(tables)
    from upcard.papers.plots.bank_money import grid_plot, seats_facts, seats_plot

    chosen = _schedules(rules.fee_book, schedule)
    if seats:
        with progress() as watch:
            report = work_out(
                tables, seats, players=players, schedules=chosen, limit=amount, progress=watch
            )
        if output is not None:
            _write(output, seats_plot(report), report.tables, report.gross, seats_facts(report))
        _tell(output, json, lambda: _report_data(report), lambda out: _print_report(report, out))
        return
    with progress() as watch:
        overview = bank_grid(tables, schedule=chosen[0] if chosen else None, progress=watch)
    if output is not None:
        _write(output, grid_plot(overview), overview.tables, overview.cells[0].gross, ())
    _tell(output, json, lambda: _grid_data(overview), lambda out: _print_grid(overview, out))


def _write(
    output: Path, plot: Plot, tables: GameTables, gross: Gross, facts: Sequence[str]
) -> None:
    from upcard.papers.plots.bank_money import bank_picture

    words = (*_facts(tables), *facts, f"method: {gross.method}")
    whole = (
        plot.csv() if output.suffix == ".csv" else bank_picture(plot, tables, words, output.suffix)
    )
    write_output(output, whole)


def _tell(
    output: Path | None,
    json: bool,
    data: Callable[[], dict[str, Any]],
    show: Callable[[Console], None],
) -> None:
    """Print the figures, or where they are."""
    if json:
        print_json(data())
    elif output is not None:
        said(output, "the bank's side")
    else:
        show(console())


def _schedules(book: FeeBook | None, text: str | None) -> Sequence[FeeSchedule] | None:
    """The schedules that are asked for; None is the one in force."""
    if text is None:
        return None
    if book is None:
        raise UpcardError("this game has no collection fees, so there is no schedule to choose")
    if text == ALL:
        return book.schedules
    if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_NUMBER:
        raise UpcardError(f'a schedule is a number or "{ALL}", not "{text}"')
    return (book.schedule(int(text)),)


# ------------------------------------------------------------------------------------- as data


def _report_data(report: BankReport) -> dict[str, Any]:
    found = {
        **identity(report.tables),
        "seats": [
            {
                "seat": number,
                "wagers": {
                    one.wager: {
                        "amount": one.amount,
                        "player_ev": one.player_ev,
                        "favours_player": one.player_ev > 0,
                        "bank_ev": one.bank_ev,
                    }
                    for one in wagers
                },
            }
            for number, wagers in enumerate(report.seats, 1)
        ],
        "action": report.action,
        "bank": report.limit,
        "unlimited_ev": report.unlimited_ev,
        "limited_share": report.cut_share,
        "gross": _gross_data(report.gross, report.action),
        "schedules": [_fee_data(line) for line in report.schedules],
        "seconds": report.seconds,
    }
    return {key: plain(value) for key, value in found.items()}


def _gross_data(gross: Gross, action: int) -> dict[str, Any]:
    return {
        "ev": gross.ev,
        "ev_error": gross.ev_error,
        "edge": gross.ev / action,
        "favours_player": gross.ev < 0,
        "sd": gross.sd,
        "error": gross.error,
        "method": gross.method,
    }


def _fee_data(line: FeeLine) -> dict[str, Any]:
    return {
        "schedule": line.schedule.id,
        "player_dealer_fee": line.fee,
        "player_fees": line.player_fees,
        "player_fees_by_seat": [seat.fee for seat in line.costs.seats] if line.costs else None,
        "net_ev": line.net_ev,
        "net_edge": line.net_edge,
        "fee_share_of_action": line.share_of_action,
        "fee_share_of_gross": line.share_of_gross,
        "note": line.note,
    }


def _grid_data(overview: BankGrid) -> dict[str, Any]:
    found = {
        **identity(overview.tables),
        "schedule": overview.schedule.id if overview.schedule else None,
        "grid": [
            {
                "players": cell.players,
                "wager": cell.wager,
                "action": cell.action,
                "gross": _gross_data(cell.gross, cell.action),
                "fees": _fee_data(cell.fees) if cell.fees else None,
            }
            for cell in overview.cells
        ],
        "seconds": overview.seconds,
    }
    return {key: plain(value) for key, value in found.items()}


# ------------------------------------------------------------------------------------- as text


def _money(cents: float) -> str:
    """An average in dollars and cents.

    >>> _money(89.6), _money(-123456.0), _money(-0.2)
    ('$0.90', '-$1,234.56', '$0.00')
    """
    whole = round(cents)
    return f"{'-' if whole < 0 else ''}${abs(whole) / CENTS_PER_DOLLAR:,.2f}"


def _error(cents: float) -> str:
    return f"${cents / CENTS_PER_DOLLAR:.3f}"


def _facts(tables: GameTables) -> tuple[str, ...]:
    from upcard.trial.bank import NOBODY_INSURES

    insuring = [NOBODY_INSURES] if INSURANCE in tables.payoffs else []
    facts = ("the bank's side of one hand", "players on the best play", *insuring)
    return (shoe_words(tables), *facts)


def _print_heading(tables: GameTables, out: Console) -> None:
    out.print(heading(tables, *_facts(tables)))


def _print_report(report: BankReport, out: Console) -> None:
    from rich.text import Text

    _print_heading(report.tables, out)
    out.print()
    out.print(_seats_table(report))
    out.print()
    for line in _gross_lines(report):
        out.print(Text(line))
    out.print(Text(f"Method: {report.gross.method}.", "dim"))
    if len(report.schedules) == 1:
        out.print()
        _print_fees(report, report.schedules[0], out)
    elif report.schedules:
        out.print()
        _print_schedules(report, out)


def _seats_table(report: BankReport) -> Any:
    table = grid("", "wager", "amount", "bank's result", "of the wager", "", left=2)
    for number, wagers in enumerate(report.seats, 1):
        for place, one in enumerate(wagers):
            name = "" if place else f"seat {number}"
            amount, result = format_cents(one.amount), _money(one.bank_ev)
            mark = FAVOURS if one.player_ev > 0 else ""
            table.add_row(name, one.wager, amount, result, percent(-one.player_ev), mark)
    edge = percent(report.unlimited_ev / report.action)
    total = (format_cents(report.action), _money(report.unlimited_ev), edge)
    table.add_row("action", "", *total, FAVOURS if report.unlimited_ev < 0 else "", style="bold")
    return table


def _gross_lines(report: BankReport) -> list[str]:
    gross = report.gross
    swing = f"standard deviation {_money(gross.sd)} (error {_error(gross.error)})"
    if report.limit is None:
        return [f"Gross: {_money(gross.ev)} a hand, exact; {swing}."]
    limited = f"With {format_cents(report.limit)} put up: {_money(gross.ev)} a hand"
    edge = f"{percent(gross.ev / report.action)} of the action"
    changed = percent(report.cut_share, signed=False)
    return [
        f"{limited} (error {_error(gross.ev_error)}), {edge}; {swing}.",
        f"The limit changes {changed} of the hands.",
    ]


def _print_fees(report: BankReport, line: FeeLine, out: Console) -> None:
    from rich.text import Text

    assert line.fee is not None
    assert line.player_fees is not None
    assert line.net_ev is not None
    title = (f"Schedule {line.schedule.id}", "bold")
    out.print(Text.assemble(title, terms(line.schedule)))
    table = grid("", "a hand", "of the action", "of the gross")
    action, gross = report.action, report.gross.ev
    rows = (
        ("gross", gross, ""),
        ("player-dealer's fee", -line.fee, "bold"),
        ("net", line.net_ev, "bold green" if line.net_ev > 0 else "bold red"),
    )
    for name, cents, style in rows:
        share = percent(cents / gross) if gross > 0 else ""
        table.add_row(name, _money(cents), percent(cents / action), share, style=style)
    out.print(table)
    if line.schedule.charges != "nothing":
        fees = format_cents(line.player_fees)
        out.print(Text(f"Players pay {fees} in fees besides, to the house and not to the bank."))
    if line.note:
        out.print(Text(f"Note: {line.note}"), soft_wrap=not out.is_terminal)


def _print_schedules(report: BankReport, out: Console) -> None:
    from rich.text import Text

    names = ("", "limits", "fee", "players", "net", "fee of action", "of gross")
    table = grid(*names, left=0)
    for line in report.schedules:
        schedule = line.schedule
        limits = f"{format_cents(schedule.table_min)} - {format_cents(schedule.table_max)}"
        if line.problem:
            table.add_row(str(schedule.id), limits, "", "", Text(_NO_FIGURE[line.problem], "dim"))
            continue
        table.add_row(
            str(schedule.id),
            limits,
            *(format_cents(fee or 0) for fee in (line.fee, line.player_fees)),
            _money(line.net_ev or 0.0),
            _share(line.share_of_action),
            _share(line.share_of_gross),
        )
    out.print(table)
    for line in report.schedules:
        if line.problem == "unsettled":
            out.print(Text(f"Note: {line.note}"), soft_wrap=not out.is_terminal)


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}%"


def _print_grid(overview: BankGrid, out: Console) -> None:
    from rich.text import Text

    _print_heading(overview.tables, out)
    out.print()
    if overview.schedule is not None:
        title = (f"Schedule {overview.schedule.id}", "bold")
        out.print(Text.assemble(title, terms(overview.schedule)))
    table = grid("wager", "players", "action", "gross", "fee", "net", "deviation", left=0)
    before = 0
    for cell in overview.cells:
        if before and cell.wager != before:
            table.add_row()
        wager = "" if cell.wager == before else format_cents(cell.wager)
        before = cell.wager
        fee, net = "", ""
        if cell.fees is not None:
            fee = "" if cell.fees.fee is None else format_cents(cell.fees.fee)
            no_figure = _NO_FIGURE.get(cell.fees.problem, "")
            net = no_figure or _money(cell.fees.net_ev or 0.0)
        figures = (format_cents(cell.action), _money(cell.gross.ev), fee, net)
        table.add_row(wager, str(cell.players), *figures, _money(cell.gross.sd))
    out.print(table)
    out.print()
    if overview.cells[0].gross.ev < 0:
        out.print(Text(f"The base wager {FAVOURS}.", "bold green"))
    out.print(Text(f"Method: {overview.cells[0].gross.method}.", "dim"))
