"""The plot of a sweep: the base wager's EV in every trial, beside its exact value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from upcard.money import BASE
from upcard.papers.drawing import INK, LINES, DrawnPanel, drawn_panels
from upcard.papers.plots.scales import FINGERPRINT_LETTERS, Plot, in_percent
from upcard.trial.result_page import trial_name
from upcard.trial.trials import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_INCHES = 0.24
LONGEST_NAME = 60


def sweep_plot(results: Sequence[Result]) -> Plot:
    """Every wager of every trial; the base wagers are drawn."""
    rows = []
    for result in results:
        for wager, found in result.wagers.items():
            figures, exact = found.figures, found.exact
            if figures.made:
                rows.append(
                    (
                        trial_name(result.trial),
                        result.trial.tables.fingerprint,
                        result.outcome.rounds,
                        wager,
                        figures.ev,
                        figures.stderr,
                        figures.mean.low,
                        figures.mean.high,
                        None if exact is None else exact.ev,
                        found.z,
                    )
                )
    title = "EV of the base wager, with its 95% interval"
    return Plot(
        "sweep",
        (DrawnPanel(title, partial(paint_sweep, results=results)),),
        (
            *("trial", "fingerprint", "rounds", "wager"),
            *("ev", "stderr", "low", "high", "exact", "z"),
        ),
        tuple(rows),
    )


def paint_sweep(axes: Axes, results: Sequence[Result]) -> None:
    """A line for every trial: the simulated value with its interval, the exact one as a stroke."""
    found = [result.wagers[BASE] for result in results]
    places = range(len(found))
    widths = [one.figures.mean.half_width for one in found]
    axes.errorbar(
        [one.figures.ev for one in found],
        places,
        xerr=[width if math.isfinite(width) else math.nan for width in widths],
        fmt="o",
        markersize=4,
        capsize=2.5,
        color=LINES[0],
        label="simulated",
    )
    exact = [
        (one.exact.ev, at) for at, one in zip(places, found, strict=True) if one.exact is not None
    ]
    if exact:
        axes.plot(
            [ev for ev, _ in exact],
            [at for _, at in exact],
            marker="|",
            markersize=11,
            markeredgewidth=1.8,
            linestyle="none",
            color=LINES[1],
            label="exact",
        )
    low, high = axes.get_xlim()
    if low < 0 < high:
        axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set_yticks(places, [_short(trial_name(result.trial)) for result in results])
    axes.invert_yaxis()
    axes.margins(y=0.5 / len(found))
    axes.set_xlabel("EV, of the wager")
    in_percent(axes.xaxis)
    axes.legend(loc="best", fontsize=7)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."


def sweep_picture(results: Sequence[Result], ending: str) -> bytes:
    """The sweep as a drawing, with the games that it is of."""
    games = {result.trial.tables.fingerprint: result.trial.tables for result in results}
    seed = results[0].trial.request.seed
    rounds = sum(result.outcome.rounds for result in results)
    ended = "" if all(result.outcome.complete for result in results) else ", stopped early"
    refs = dict.fromkeys(
        f"{tables.ref} {fingerprint[:FINGERPRINT_LETTERS]}" for fingerprint, tables in games.items()
    )
    drafts = dict.fromkeys(tables.head.draft for tables in games.values() if tables.head.draft)
    return drawn_panels(
        sweep_plot(results).panels,
        title=", ".join(dict.fromkeys(tables.title for tables in games.values())),
        caption="\n".join(
            [
                f"{rounds:,} rounds in {len(results)} trials, seed {seed}{ended}",
                ", ".join(refs),
                *drafts,
            ]
        ),
        height=1.2 + LINE_INCHES * len(results),
        ending=ending,
    )
