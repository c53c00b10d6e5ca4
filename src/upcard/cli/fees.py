"""`upcard fees`: show, lint and quote the collection-fee schedules."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from upcard.cli.output import console, print_json, whoever_reads
from upcard.cli.writing import Output, check_picture, said, write_output
from upcard.errors import UpcardError
from upcard.fees.lint import Finding, Kind, subject
from upcard.fees.lint import lint as lint_book
from upcard.fees.quote import Quote
from upcard.fees.quote import quote as quote_fees
from upcard.fees.schedules import (
    AMOUNTS,
    DEFAULT_BOOK,
    PAYERS,
    SIDES,
    FeeBook,
    FeeSchedule,
    load_fee_book,
)
from upcard.money import AMOUNT_WORDS, format_cents, parse_amount
from upcard.text import cited, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

app = typer.Typer(
    name="fees",
    no_args_is_help=True,
    add_completion=False,
    help="Collection fees: the schedules as printed, their defects, what a round costs.",
)

OptionalNumber = Annotated[
    int | None,
    typer.Argument(metavar="[N]", help="Number of one schedule; all of them if left out."),
]
Number = Annotated[int, typer.Argument(metavar="N", help="Number of the schedule.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, amounts in cents.")]
Book = Annotated[
    str,
    typer.Option("--book", metavar="NAME-or-FILE", help="A fee book by name, or your TOML file."),
]

_CHARGES = {
    "nothing": "players pay nothing",
    "per-spot": "players pay for every wager",
    "per-player": "players pay for their wager",
}
_STEPS_WIDTH = 72
_KIND_WIDTH = max(len(kind) for kind in get_args(Kind))


def _examples(*commands: str) -> str:
    return "\n\n".join(["Examples:", *(f"upcard fees {command}" for command in commands)])


@app.command(
    epilog=_examples(
        "show", "show 41", "show 41 -o steps.svg", "show --json", "show --book my-fees.toml"
    )
)
def show(
    number: OptionalNumber = None,
    *,
    output: Output = None,
    json: Json = False,
    book: Book = DEFAULT_BOOK,
) -> None:
    """Show the schedules, every row as printed."""
    check_picture(output, ".csv")
    loaded = load_fee_book(book)
    schedules = _chosen(loaded, number)
    if output is not None:
        _write(loaded, schedules, output)
    if json:
        print_json({"schedules": schedules})
        return
    if output is not None:
        said(output, counted(len(schedules), "schedule"))
        return
    from rich.text import Text

    out = console()
    for place, schedule in enumerate(schedules):
        if place:
            out.print()
        out.print(Text.assemble((_heading(schedule), "bold"), terms(schedule)))
        out.print(_table(schedule))
    if len(schedules) == 1:
        _print_steps(schedules[0], out)


def _print_steps(schedule: FeeSchedule, out: Console) -> None:
    """The same rows as steps, where a terminal has room for them."""
    from upcard.pages.small_plots import has_room, steps

    if not has_room(out, _STEPS_WIDTH):
        return
    from rich.text import Text

    for side in reversed(SIDES):
        rows = [(row.from_, row.to, row.fee) for row in schedule.rows(side)]
        if rows:
            out.print()
            out.print(Text(f"  {PAYERS[side]}'s fee by {AMOUNTS[side]}", "dim"))
            for line in steps(rows, _STEPS_WIDTH - 2, format_cents):
                out.print(Text(f"  {line}", "green"))


def _write(book: FeeBook, schedules: Sequence[FeeSchedule], output: Path) -> None:
    from upcard.papers.plots.fee_steps import fees_picture, fees_plot

    if output.suffix == ".csv":
        write_output(output, fees_plot(schedules).csv())
        return
    if len(schedules) > 1:
        raise UpcardError(
            f"a picture is of one schedule, and there are {len(schedules)}: name its number, or "
            "write a .csv"
        )
    write_output(output, fees_picture(book, schedules[0], terms(schedules[0]), output.suffix))


@app.command(epilog=_examples("lint", "lint 41", "lint --strict --book my-fees.toml"))
def lint(
    number: OptionalNumber = None,
    *,
    json: Json = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 if anything is found.")
    ] = False,
    book: Book = DEFAULT_BOOK,
) -> None:
    """List the defects of the schedules: gaps, overlaps, missing plus signs and the like."""
    loaded = load_fee_book(book)
    schedules = _chosen(loaded, number)
    wanted = {schedule.id for schedule in schedules}
    findings = [found for found in lint_book(loaded) if found.schedule in wanted]
    with whoever_reads():
        if json:
            print_json({"findings": findings})
        else:
            _print_findings(schedules, findings)
    if strict and findings:
        raise typer.Exit(1)


@app.command(
    epilog=_examples(
        "quote 42 --seat base=50,match=10 --seat base=20",
        "quote 46 --seat base=50,match=10 --basis base-and-bonus",
        "quote 46 --seat ann:base=50 --seat ann:base=60 --per player",
        "quote 41 --seat base=250 --resolution lower-fee",
    )
)
def quote(
    number: Number,
    *,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="WAGERS",
            help="Wagers of one seat, base=50,match=5; once for every seat. A player's name in "
            f"front, ann:base=50, says whose it is. Amounts in {AMOUNT_WORDS}.",
        ),
    ] = None,
    basis: Annotated[
        str,
        typer.Option(
            metavar="base|base-and-bonus",
            help="What a player's wager is where the fee is per player (reading fee_basis).",
        ),
    ] = "base",
    per: Annotated[
        str,
        typer.Option(
            metavar="circle|player",
            help="Where the fee is per player: for every circle, or once (reading fee_per).",
        ),
    ] = "circle",
    resolution: Annotated[
        str | None,
        typer.Option(
            metavar="lower-fee|higher-fee|nothing",
            help="The row to use where the printed rows do not settle a fee; nothing: none is due "
            "where no row holds the amount.",
        ),
    ] = None,
    json: Json = False,
    book: Book = DEFAULT_BOOK,
) -> None:
    """Quote the fees of a round from the wagers on its seats."""
    seats, players = parse_seats(seat or ())
    schedule = load_fee_book(book).schedule(number)
    costs = quote_fees(
        schedule, seats, basis=basis, per=per, resolution=resolution, players=players
    )
    if json:
        print_json(costs)
    else:
        _print_quote(schedule, costs)


def _chosen(book: FeeBook, number: int | None) -> Sequence[FeeSchedule]:
    return book.schedules if number is None else (book.schedule(number),)


def parse_seats(texts: Iterable[str]) -> tuple[list[dict[str, int]], list[str]]:
    """The wagers and the player of every --seat; one without a name has a player of its own.

    >>> parse_seats(["ann:base=50", "base=20"])
    ([{'base': 5000}, {'base': 2000}], ['ann', 'the player of seat 2'])
    """
    seats, players = [], []
    for place, text in enumerate(texts, 1):
        name, colon, wagers = (part.strip() for part in text.rpartition(":"))
        if colon and not name:
            raise UpcardError(f'seat {place}: there is no player in front of the colon of "{text}"')
        seats.append(parse_seat(place, wagers))
        players.append(name or f"the player of seat {place}")
    return seats, players


def parse_seat(place: int, text: str) -> dict[str, int]:
    """Wagers in cents by name, from the text of one --seat.

    >>> parse_seat(1, "base=50,match=500c")
    {'base': 5000, 'match': 500}
    """
    wagers: dict[str, int] = {}
    for part in text.split(","):
        name, sign, amount = (piece.strip() for piece in part.partition("="))
        if not sign or not name:
            raise UpcardError(
                f'seat {place}: "{part}" is not a wager: write its name and its amount, such as '
                "base=50,match=5; commas stand between wagers, not between thousands"
            )
        if name in wagers:
            raise UpcardError(f"seat {place}: the {name} wager is given twice")
        try:
            wagers[name] = parse_amount(amount)
        except UpcardError as error:
            raise UpcardError(f"seat {place}: {name}: {error}") from None
    return wagers


def _heading(schedule: FeeSchedule) -> str:
    return f"Schedule {schedule.id}"


def terms(schedule: FeeSchedule) -> str:
    limits = f"{format_cents(schedule.table_min)} - {format_cents(schedule.table_max)}"
    return f"  {limits}, {_CHARGES[schedule.charges]}{cited(schedule.clauses)}"


def _table(schedule: FeeSchedule) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
    sides = [
        (AMOUNTS[side], PAYERS[side], schedule.rows(side))
        for side in SIDES
        if side != "players" or schedule.charges != "nothing"
    ]
    for amount, payer, _ in sides:
        table.add_column(amount, min_width=len("total table action"))
        table.add_column(payer, min_width=len("player-dealer"), justify="right")
    for place in range(max(len(rows) for *_, rows in sides)):
        cells: list[str] = []
        for *_, rows in sides:
            row = rows[place] if place < len(rows) else None
            cells += [row.printed_range, row.printed_fee] if row else ["", ""]
        table.add_row(*cells)
    return table


def _print_findings(schedules: Sequence[FeeSchedule], findings: Iterable[Finding]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    by_id = {schedule.id: schedule for schedule in schedules}
    total = faulty = 0
    for number, group in groupby(findings, key=lambda found: found.schedule):
        faulty += 1
        schedule = by_id[number]
        out.print(Text.assemble((_heading(schedule), "bold"), terms(schedule)))
        for found in group:
            total += 1
            message = found.message.removeprefix(subject(number))
            line = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
            line.add_column(width=_KIND_WIDTH)
            line.add_row(Text(found.kind, "yellow"), Text(message))
            # In a pipe one finding stays on one line, so that grep shows all of it.
            plain = f"  {found.kind:<{_KIND_WIDTH}}  {message}"
            out.print(line if out.is_terminal else Text(plain), soft_wrap=not out.is_terminal)
        out.print()
    count = "1 finding" if total == 1 else f"{total} findings"
    if len(schedules) == 1:
        out.print(f"{count} in schedule {schedules[0].id}")
    else:
        out.print(f"{count} in {faulty} of {len(schedules)} schedules")


def _print_quote(schedule: FeeSchedule, costs: Quote) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(Text.assemble((_heading(schedule), "bold"), terms(schedule)))
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
    for name in ("", "wagers", "fee", "row as printed"):
        table.add_column(name, justify="right" if name == "fee" else "left")
    for seat in costs.seats:
        wagers = ", ".join(f"{name} {format_cents(cents)}" for name, cents in seat.wagers.items())
        rows = ", ".join(row.printed for row in seat.rows)
        table.add_row(f"seat {seat.seat}", wagers, format_cents(seat.fee), rows)
    bank = costs.player_dealer
    action = f"total table action {format_cents(bank.action)}"
    printed = bank.row.printed if bank.row else ""
    table.add_row("player-dealer", action, format_cents(bank.fee), printed)
    table.add_row("total", "", format_cents(costs.total), "", style="bold")
    out.print(table)
    for note in costs.notes:
        out.print(Text(f"Note: {note}"), soft_wrap=not out.is_terminal)
