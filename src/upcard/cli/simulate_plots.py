"""`upcard simulate -o FILE`: which plots a run is drawn as, and the file that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from upcard.cli.output import console
from upcard.cli.writing import said, write_output
from upcard.errors import UpcardError
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.trial.trials import Result, Trial


class PlotName(StrEnum):
    """What of a simulation is drawn."""

    fan = "fan"
    counts = "counts"
    penetration = "penetration"
    results = "results"
    convergence = "convergence"


PlotNames = Annotated[
    list[PlotName] | None,
    typer.Option(
        "--plot",
        help="With -o: sessions as a fan, EV by true count, by penetration, results of a round, "
        "convergence; as often as needed, all that the run has if left out.",
    ),
]


def check_plots(
    trials: Sequence[Trial], asked: Sequence[PlotName], output: Path | None
) -> tuple[str, ...]:
    """The plots to draw; refused before anything is played where the run will not have them."""
    if output is None:
        return ()
    from upcard.papers.plots.simulation import plots_of

    if len(trials) == 1:
        return plots_of(trials[0], [one.value for one in asked], output.suffix)
    if asked:
        raise UpcardError(
            "--plot is of one trial: a sweep is drawn as the EV of the base wager in each of its "
            f"{len(trials)}, so leave --plot out or ask for one trial"
        )
    return ()


def write_plots(
    results: Sequence[Result],
    names: Sequence[str],
    output: Path | None,
    *,
    sweep: bool,
    quiet: bool,
) -> None:
    """Write the file that was asked for, and say what is in it."""
    if output is None:
        return
    from upcard.papers.plots.simulation import simulation_picture, simulation_plots
    from upcard.papers.plots.sweeps import sweep_picture, sweep_plot

    if sweep:
        plot = sweep_plot(results)
        whole = plot.csv() if output.suffix == ".csv" else sweep_picture(results, output.suffix)
        words = counted(len(results), "trial")
    else:
        plots = simulation_plots(results[0], names)
        words = listed([plot.name for plot in plots], "and")
        whole = (
            plots[0].csv()
            if output.suffix == ".csv"
            else simulation_picture(results[0], plots, output.suffix)
        )
    write_output(output, whole)
    if not quiet:
        console().print()
        said(output, words)
