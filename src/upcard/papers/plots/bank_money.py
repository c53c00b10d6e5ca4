"""Plots of `upcard bank`: what a bank wins before and after its fee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from upcard.compile.tables import GameTables
from upcard.fees.schedules import AMOUNTS
from upcard.money import format_cents
from upcard.pages.figures import dollars
from upcard.papers.drawing import DASHES, INK, LINES, PALE, DrawnPanel
from upcard.papers.plots.fee_steps import paint_steps
from upcard.papers.plots.scales import Plot, in_money, in_whole, level, panels_picture
from upcard.text import counted
from upcard.trial.bank import BankGrid, BankReport, FeeLine, GridCell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW_BARS = 12


def bank_picture(plot: Plot, tables: GameTables, facts: Sequence[str], ending: str) -> bytes:
    """A bank's side as a drawing."""
    return panels_picture(plot.panels, tables, facts, ending)


def grid_plot(overview: BankGrid) -> Plot:
    """The overview by players and wagers: a panel for every size of the wager."""
    wagers = dict.fromkeys(cell.wager for cell in overview.cells)
    by = f", schedule {overview.schedule.id}" if overview.schedule else ""
    return Plot(
        "bank",
        tuple(
            DrawnPanel(
                f"Players wager {format_cents(wager)} each{by}",
                partial(paint_players, cells=[c for c in overview.cells if c.wager == wager]),
            )
            for wager in wagers
        ),
        ("wager", "players", "action", "gross_ev", "fee", "net_ev", "sd", "sd_error"),
        tuple(
            (
                *(cell.wager, cell.players, cell.action, cell.gross.ev),
                *(_fee(cell.fees), _net(cell.fees), cell.gross.sd, cell.gross.error),
            )
            for cell in overview.cells
        ),
    )


def _fee(line: FeeLine | None) -> int | None:
    return None if line is None else line.fee


def _net(line: FeeLine | None) -> float | None:
    return None if line is None else line.net_ev


def paint_players(axes: Axes, cells: Sequence[GridCell]) -> None:
    """Gross, fee and net by the number of players."""
    gross = [(cell.players, cell.gross.ev) for cell in cells]
    fees = [(c.players, fee) for c in cells if (fee := _fee(c.fees)) is not None]
    net = [(c.players, left) for c in cells if (left := _net(c.fees)) is not None]
    if fees:
        places, heights = [at for at, _ in fees], [fee for _, fee in fees]
        axes.bar(places, heights, 0.6, color=PALE, edgecolor=INK, linewidth=0.3, label="fee")
    for number, (points, words) in enumerate(((gross, "gross"), (net, "net"))):
        if points:
            axes.plot(
                [at for at, _ in points],
                [cents for _, cents in points],
                color=LINES[number],
                linestyle=DASHES[number],
                marker="os"[number],
                markersize=4,
                label=words,
            )
    level(axes)
    axes.set_xlim(min(cell.players for cell in cells) - 0.6, max(c.players for c in cells) + 0.6)
    axes.set_xlabel("players, each with that wager")
    axes.set_ylabel("the bank's result of a hand")
    in_whole(axes.xaxis)
    in_money(axes.yaxis)
    axes.legend(loc="best", fontsize=7)


def seats_plot(report: BankReport) -> Plot:
    """Given wagers under one schedule or more: what is left of the gross result."""
    rows: list[tuple[object, ...]] = [
        (
            *(line.schedule.id, report.action, report.gross.ev, line.fee),
            *(line.player_fees, line.net_ev, line.problem or None),
        )
        for line in report.schedules
    ]
    if not report.schedules:
        rows = [(None, report.action, report.gross.ev, None, None, None, None)]
    return Plot(
        "bank",
        tuple(_seats_panels(report)),
        ("schedule", "action", "gross_ev", "fee", "player_fees", "net_ev", "problem"),
        tuple(rows),
    )


def _seats_panels(report: BankReport) -> Iterator[DrawnPanel]:
    title = "Gross, fee and net of a hand"
    if len(report.schedules) > 1:
        yield DrawnPanel(title, partial(paint_schedules, report=report))
        return
    yield DrawnPanel(
        title if report.schedules else "Gross of a hand", partial(paint_result, report=report)
    )
    for line in report.schedules:
        steps = partial(
            paint_steps,
            rows=line.schedule.rows("player-dealer"),
            label=AMOUNTS["player-dealer"],
            action=report.action,
        )
        yield DrawnPanel(f"The player-dealer's fee by schedule {line.schedule.id}", steps)


def paint_result(axes: Axes, report: BankReport) -> None:
    """Gross, fee and net as bars; the gross alone where there are no fees."""
    parts: list[tuple[str, float]] = [("gross", report.gross.ev)]
    for line in report.schedules:
        parts += [("fee", -(line.fee or 0)), ("net", line.net_ev or 0.0)]
    values = [cents for _, cents in parts]
    colours = (LINES[0], PALE, LINES[1])[: len(parts)]
    bars = axes.bar(range(len(parts)), values, 0.6, color=colours, edgecolor=INK, linewidth=0.4)
    axes.bar_label(bars, [dollars(cents) for cents in values], padding=2, fontsize=8)
    axes.set_xticks(range(len(parts)), [name for name, _ in parts])
    axes.grid(visible=False, axis="x")
    level(axes)
    _room(axes, values)
    axes.set_ylabel("the bank's result of a hand")
    in_money(axes.yaxis)


def _room(axes: Axes, values: Sequence[float]) -> None:
    """A scale that holds these values and nothing, with some room."""
    low, high = min(0.0, *values), max(0.0, *values)
    room = 0.15 * (high - low) or 1.0
    axes.set_ylim(low - room if low < 0 else 0.0, high + room)


def paint_schedules(axes: Axes, report: BankReport) -> None:
    """What schedules leave: the net of each as a bar, the fee on top of it up to the gross."""
    known = [line for line in report.schedules if line.net_ev is not None]
    places = range(len(known))
    gross = report.gross.ev
    if known:
        net = [line.net_ev or 0.0 for line in known]
        fees = [line.fee or 0 for line in known]
        axes.bar(places, fees, 0.8, bottom=net, color=PALE, edgecolor=INK, linewidth=0.3)
        axes.plot(places, net, "s", color=LINES[1], markersize=4, label="net, the fee above it")
    words = f"gross {dollars(gross)}"
    axes.axhline(gross, color=LINES[0], linewidth=1.4, label=words)
    level(axes)
    axes.set_xticks(
        places,
        [str(line.schedule.id) for line in known],
        rotation=0 if len(known) <= FEW_BARS else 90,
        fontsize=8 if len(known) <= FEW_BARS else 6,
    )
    axes.set_xlim(-0.8, max(1, len(known)) - 0.2)
    missing = len(report.schedules) - len(known)
    axes.set_xlabel("fee schedule" + (f" ({missing} more have no figure)" if missing else ""))
    axes.set_ylabel("the bank's result of a hand")
    _room(axes, [gross, *(line.net_ev or 0.0 for line in known)])
    axes.grid(visible=False, axis="x")
    in_money(axes.yaxis)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.12 * (high - low))
    axes.legend(loc="upper left", ncols=2, fontsize=7)


def seats_facts(report: BankReport) -> tuple[str, ...]:
    """The wagers that a report is of."""
    wagers = f"{counted(len(report.seats), 'seat')} with {format_cents(report.action)} in all"
    return wagers, f"{format_cents(report.limit)} put up" if report.limit is not None else ""
