"""Plots of a simulation: sessions, counts, penetration, results of a round, convergence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress, pairwise
from typing import TYPE_CHECKING

from upcard.errors import UpcardError
from upcard.money import BASE, format_cents
from upcard.pages.figures import percent, wager_name
from upcard.papers.drawing import INK, LINES, PALE, QUIET, DrawnPanel
from upcard.papers.plots.scales import (
    Plot,
    in_money,
    in_percent,
    in_rounds,
    in_whole,
    level,
    panels_picture,
)
from upcard.simulate.blocks import FURTHEST
from upcard.simulate.figures import Mean, SessionFigures, Share, well_known
from upcard.text import counted, listed
from upcard.trial.result_page import MOST_RESULTS, trial_facts
from upcard.trial.trials import Result, Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BANDS = (((0.05, 0.95), 0.18), ((0.25, 0.75), 0.30))
"""Shares of sessions between which a band lies, and how dark it is."""
MEDIAN = 0.5
FEW_POINTS = 3
"""Means that are no course yet."""
LAST_PART = 0.03
"""From this share of the rounds on, the whole interval of a course is in the picture."""
FEW_MARKS = 12
LEGEND_ROOM = 0.25
LEAST_LABEL = 0.0005
"""A smaller share is not written out at its bar."""
SEATS_ROUNDS = "share of the rounds"

Rows = Sequence[tuple[float, int, Mapping[str, Mean]]]


@dataclass(frozen=True)
class _Kind:
    """A plot that a simulation may have: which option gives it, and what makes it of a result."""

    needs: str
    of: Callable[[Result], Plot | None]
    has: Callable[[Trial], bool]


def plots_of(trial: Trial, asked: Sequence[str], ending: str) -> tuple[str, ...]:
    """The names of the plots to make of a trial, in their order; refused if it lacks one.

    Without any asked for these are all that the trial has. A CSV is of one.
    """
    for name in asked:
        if not KINDS[name].has(trial):
            raise UpcardError(f"there is no plot of {name} here: it needs {KINDS[name].needs}")
    found = tuple(
        name for name, kind in KINDS.items() if (name in asked if asked else kind.has(trial))
    )
    if ending == ".csv" and len(found) > 1:
        raise UpcardError(
            f"a .csv is one table, and this run has {listed(found, 'and')}: "
            "say which (--plot), such as --plot results"
        )
    return found


def simulation_plots(result: Result, names: Sequence[str]) -> tuple[Plot, ...]:
    """The plots of these names, as far as the run has come to them."""
    found = [KINDS[name].of(result) for name in names]
    some = [plot for plot in found if plot is not None]
    if len(some) > 1:
        # With other plots beside it, a course of a point or two is none.
        some = [p for p in some if p.name != "convergence" or len(p.rows) >= FEW_POINTS]
    if not some:
        raise UpcardError("the run was too short for a plot: no session is over")
    return tuple(some)


def simulation_picture(result: Result, plots: Sequence[Plot], ending: str) -> bytes:
    """Plots of one trial in one drawing."""
    trial, outcome = result.trial, result.outcome
    ended = "" if outcome.complete else "stopped early"
    seed = f"seed {trial.request.seed}"
    played = f"{outcome.rounds:,} {'round' if outcome.rounds == 1 else 'rounds'}"
    panels = [panel for plot in plots for panel in plot.panels]
    return panels_picture(panels, trial.tables, (*trial_facts(trial), played, seed, ended), ending)


# ----------------------------------------------------------------------------------------- sessions


def _fan(result: Result) -> Plot | None:
    found = result.figures.sessions()
    if found is None:
        return None
    title = f"Sessions of {counted(found.rounds, 'round')}: what they have won by then"
    rows = [
        (number, share, one.value, one.low, one.high)
        for number, quantiles in found.path
        for share, one in quantiles.items()
    ]
    whose = "of the bank" if result.trial.request.follow == "bank" else ""
    return Plot(
        "fan",
        (DrawnPanel(title, partial(paint_fan, found=found, whose=whose)),),
        ("round", "share", "net", "low", "high"),
        tuple(rows),
    )


def paint_fan(axes: Axes, found: SessionFigures, whose: str = "") -> None:
    """Quantiles of the result by round, from nothing on: bands and the median."""
    rounds = [0, *(number for number, _ in found.path)]

    def line(share: float) -> list[int]:
        return [0, *(quantiles[share].value for _, quantiles in found.path)]

    for (low, high), dark in BANDS:
        words = f"{100 * (high - low):.0f} of 100 sessions"
        axes.fill_between(
            rounds, line(low), line(high), color=LINES[0], alpha=dark, linewidth=0, label=words
        )
    for share in (share for ends, _ in BANDS for share in ends):
        axes.plot(rounds, line(share), color=LINES[0], linewidth=0.6)
    axes.plot(rounds, line(MEDIAN), color=LINES[0], linewidth=1.8, label="median")
    level(axes)
    if found.bankroll:
        words = f"the bankroll of {format_cents(found.bankroll)} is gone"
        axes.axhline(-found.bankroll, color=LINES[1], linestyle="dashed", label=words)
    axes.set_xlim(0, found.rounds)
    axes.set_xlabel("rounds")
    axes.set_ylabel(" ".join(filter(None, ("result", whose))))
    in_whole(axes.xaxis)
    in_money(axes.yaxis)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + LEGEND_ROOM * (high - low))
    axes.legend(loc="upper left", ncols=2, fontsize=7)


# ------------------------------------------------------------------------------- by count and depth


def _counts(result: Result) -> Plot | None:
    found: Rows = result.figures.by_count()
    return _by(result, "counts", "true_count", found, "by true count", "true count before the deal")


def _penetration(result: Result) -> Plot | None:
    found: Rows = result.figures.by_depth()
    title, label = "by penetration", "share of the shoe that is gone before the deal"
    return _by(result, "penetration", "from", found, title, label)


def _by(result: Result, name: str, column: str, rows: Rows, title: str, label: str) -> Plot | None:
    if not rows:
        return None
    wagers = list(dict.fromkeys(wager for _, _, means in rows for wager in means))
    tables = result.trial.tables
    lines = [
        (at, rounds, wager, mean.value, mean.stderr, mean.low, mean.high)
        for at, rounds, means in rows
        for wager, mean in means.items()
    ]
    return Plot(
        name,
        tuple(
            DrawnPanel(
                f"{wager_name(tables, wager)}: EV {title}",
                partial(paint_by, rows=rows, wager=wager, label=label),
            )
            for wager in wagers
        ),
        (column, "rounds", "wager", "ev", "stderr", "low", "high"),
        tuple(lines),
    )


def paint_by(axes: Axes, rows: Rows, wager: str, label: str) -> None:
    """A wager's EV by something, with its intervals, over how often that comes up."""
    whole = sum(rounds for _, rounds, _ in rows)
    step = min((b - a for a, b in pairwise(at for at, _, _ in rows)), default=1.0)
    shares = step < 1
    # A part of the shoe is from here to the next one; a count is a count.
    places = [at + step / 2 if shares else at for at, _, _ in rows]
    bars = axes.twinx()
    heights = [rounds / whole for _, rounds, _ in rows]
    bars.bar(places, heights, 0.85 * step, color=PALE, zorder=0)
    bars.set_ylabel(SEATS_ROUNDS, color=QUIET)
    bars.grid(visible=False)
    bars.set_ylim(0, 2.2 * max(heights))
    in_percent(bars.yaxis, signed=False)
    axes.set_zorder(bars.get_zorder() + 1)
    axes.patch.set_visible(False)
    made = [
        (at, means[wager]) for at, (_, _, means) in zip(places, rows, strict=True) if wager in means
    ]
    shown = [*compress(made, well_known([mean for _, mean in made]))]
    axes.errorbar(
        [at for at, _ in shown],
        [mean.value for _, mean in shown],
        yerr=[_known(mean.half_width) for _, mean in shown],
        fmt="o-",
        markersize=3.5,
        linewidth=1.0,
        elinewidth=1.0,
        capsize=2.0,
        color=LINES[0],
    )
    level(axes)
    _fit(axes, [*(mean for _, mean in shown), Mean(0.0, 0.0)])
    axes.set_xlim(shown[0][0] - 0.7 * step, shown[-1][0] + 0.7 * step)
    in_percent(axes.xaxis, signed=False) if shares else in_whole(axes.xaxis, signed=True)
    if not shares and any(abs(at) == FURTHEST for at, _ in shown):
        label += f" ({FURTHEST}: and beyond)"
    if rare := len(made) - len(shown):
        label += f"; {rare} more too rare to draw"
    axes.set_xlabel(label)
    axes.set_ylabel("EV, of the wager")
    in_percent(axes.yaxis)


def _known(width: float) -> float:
    """Half the width of an interval, for a bar; none where it is not known."""
    return width if math.isfinite(width) else math.nan


def _fit(axes: Axes, means: Sequence[Mean]) -> None:
    """Let the scale hold these means with their intervals."""
    ends = [end for mean in means for end in (mean.low, mean.value, mean.high)]
    known = [end for end in ends if math.isfinite(end)]
    low, high = min(known), max(known)
    room = 0.08 * (high - low) or 0.01
    axes.set_ylim(low - room, high + room)


# ---------------------------------------------------------------------------------- results, course


def _results(result: Result) -> Plot:
    found = result.figures.results()
    rows = [(net, one.value, one.stderr, one.low, one.high) for net, one in found.items()]
    return Plot(
        "results",
        (DrawnPanel("Results of a seat's round", partial(paint_results, found=found)),),
        ("net", "share", "stderr", "low", "high"),
        tuple(rows),
    )


def paint_results(axes: Axes, found: Mapping[int, Share]) -> None:
    """How often a round ends with what: the most frequent results, side by side."""
    shown = sorted(sorted(found, key=lambda net: -found[net].value)[:MOST_RESULTS])
    colours = [LINES[1] if net < 0 else LINES[0] if net > 0 else QUIET for net in shown]
    bars = axes.bar(
        range(len(shown)),
        [found[net].value for net in shown],
        color=colours,
        edgecolor=INK,
        linewidth=0.4,
    )
    for bar, net in zip(bars, shown, strict=True):
        # Losses are told apart in grey too.
        bar.set_hatch("////" if net < 0 else "")
    few = len(shown) <= FEW_MARKS
    labels = [_share_label(found[net].value) for net in shown]
    axes.bar_label(bars, labels, fontsize=6 if few else 5)
    turned = not few or max(len(format_cents(net)) for net in shown) > 6
    axes.set_xticks(
        range(len(shown)),
        [format_cents(net) for net in shown],
        rotation=45 if turned else 0,
        ha="right" if turned else "center",
    )
    axes.grid(visible=False, axis="x")
    axes.margins(y=0.1)
    rest = 1 - sum(found[net].value for net in shown)
    more = len(found) - len(shown)
    others = f" ({counted(more, 'other result')}: {rest:.3%})" if more else ""
    axes.set_xlabel(f"result{others}")
    axes.set_ylabel(SEATS_ROUNDS)
    in_percent(axes.yaxis, signed=False)


def _share_label(share: float) -> str:
    return f"{share:.1%}" if share >= LEAST_LABEL else ""


def _convergence(result: Result) -> Plot | None:
    course = result.figures.course()
    if not course:
        return None
    exact = result.wagers[BASE].exact
    name = wager_name(result.trial.tables, BASE)
    paint = partial(paint_course, course=course, exact=None if exact is None else exact.ev)
    rows = [(rounds, one.value, one.stderr, one.low, one.high) for rounds, one in course]
    return Plot(
        "convergence",
        (DrawnPanel(f"{name}: EV so far, with its 95% interval", paint),),
        ("rounds", "ev", "stderr", "low", "high"),
        tuple(rows),
    )


def paint_course(axes: Axes, course: Sequence[tuple[int, Mean]], exact: float | None) -> None:
    """The mean after more and more rounds, its interval, and the value that it nears."""
    rounds = [number for number, _ in course]
    axes.set_xscale("log")
    axes.fill_between(
        rounds,
        [_end(mean.low) for _, mean in course],
        [_end(mean.high) for _, mean in course],
        color=LINES[0],
        alpha=0.2,
        linewidth=0,
        label="95% interval",
    )
    mark = "o" if len(course) <= FEW_MARKS else ""
    values = [mean.value for _, mean in course]
    last = course[-1][1]
    words = f"simulated, in the end {percent(last.value)}"
    if math.isfinite(last.half_width):
        words += f" ± {percent(last.half_width, signed=False)}"
    axes.plot(rounds, values, marker=mark, markersize=3, color=LINES[0], label=words)
    if exact is not None:
        line = f"exact {percent(exact)}"
        axes.axhline(exact, color=LINES[1], linestyle="dashed", linewidth=1.2, label=line)
    late = [mean for number, mean in course if number >= LAST_PART * rounds[-1]]
    _fit(axes, late if exact is None else [*late, Mean(exact, 0.0)])
    axes.set_xlabel("rounds")
    axes.set_ylabel("EV, of the wager")
    axes.legend(loc="best", fontsize=7)
    in_rounds(axes.xaxis)
    in_percent(axes.yaxis)


def _end(value: float) -> float:
    return value if math.isfinite(value) else math.nan


KINDS: Mapping[str, _Kind] = {
    "fan": _Kind("sessions (--session)", _fan, lambda trial: trial.job.visit is not None),
    "counts": _Kind(
        "a count (--shoe cut --count hi-lo)", _counts, lambda trial: bool(trial.job.table.counts)
    ),
    "penetration": _Kind(
        "a shoe that lasts (--shoe cut)", _penetration, lambda trial: not trial.job.table.fresh
    ),
    "results": _Kind("", _results, lambda _: True),
    "convergence": _Kind("", _convergence, lambda _: True),
}
"""All plots, in the order in which they are drawn."""
