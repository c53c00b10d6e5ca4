"""The plot of a fee schedule: fees against wagers and table action, as steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from upcard.fees.schedules import AMOUNTS, SIDES, FeeBook, FeeRow, FeeSchedule
from upcard.money import format_cents
from upcard.papers.drawing import LINES, DrawnPanel, drawn_panels
from upcard.papers.plots.scales import Plot, in_money

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = {"players": "What a player pays", "player-dealer": "What the player-dealer pays"}
TOP_SHARE = 1.2
"""How far an open row goes, of the last amount that is printed."""


def fees_plot(schedules: Iterable[FeeSchedule]) -> Plot:
    """The rows of schedules, those of each side that pays as steps."""
    panels, rows = [], []
    for schedule in schedules:
        for side in reversed(SIDES):
            own = schedule.rows(side)
            if own:
                paint = partial(paint_steps, rows=own, label=AMOUNTS[side])
                panels.append(DrawnPanel(TITLES[side], paint))
            rows += [
                (schedule.id, side, number, row.from_, row.to, row.fee, row.printed)
                for number, row in enumerate(own, 1)
            ]
    columns = ("schedule", "side", "row", "from", "to", "fee", "printed")
    return Plot("fees", tuple(panels), columns, tuple(rows))


def paint_steps(axes: Axes, rows: Sequence[FeeRow], label: str, action: int | None = None) -> None:
    """A line for every row from its first amount to its last: what lies bare is not settled.

    One amount may be marked.
    """
    last_printed = max(row.from_ if row.to is None else row.to for row in rows)
    end = TOP_SHARE * max(last_printed, action or 0)
    if action is not None:
        words = f"here {format_cents(action)}"
        axes.axvline(action, color=LINES[1], linestyle="dashed", linewidth=1.2, label=words)
        axes.legend(loc="lower right", fontsize=7)
    for row in rows:
        last = end if row.to is None else row.to
        axes.plot([row.from_, last], [row.fee, row.fee], color=LINES[0], linewidth=2.2)
        closed = [row.from_] if row.to is None else [row.from_, row.to]
        axes.plot(closed, [row.fee] * len(closed), "o", color=LINES[0], markersize=3.5)
        if row.to is None:
            axes.plot([last], [row.fee], ">", color=LINES[0], markersize=5)
        middle = (row.from_ + last) / 2
        axes.annotate(
            format_cents(row.fee),
            (middle, row.fee),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize=7,
        )
    axes.set_xlim(0, 1.02 * end)
    axes.set_ylim(0, 1.2 * max(row.fee for row in rows) or 100)
    axes.set_xlabel(label)
    axes.set_ylabel("fee of a round")
    in_money(axes.xaxis)
    in_money(axes.yaxis)


def fees_picture(book: FeeBook, schedule: FeeSchedule, terms: str, ending: str) -> bytes:
    """One schedule as a drawing; `terms` are its limits and who pays."""
    return drawn_panels(
        fees_plot([schedule]).panels,
        title=f"{book.name}: schedule {schedule.id}",
        caption=f"{terms.strip()}\n{book.source}",
        ending=ending,
    )
