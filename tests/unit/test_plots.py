"""Plots draw the very figures that JSON has; what cannot be drawn is refused before the work."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from shell import refusal, upcard
from upcard import tables_for
from upcard.cli.bank import _grid_data, _report_data
from upcard.cli.odds import _what_if_data
from upcard.cli.simulate_report import result_data
from upcard.cli.solving import plain
from upcard.fees.schedules import load_fee_book
from upcard.pages.page import Page, speaker
from upcard.papers import drawing
from upcard.papers.plots.bank_money import grid_plot, seats_plot
from upcard.papers.plots.edges import edges_picture, paint_edges
from upcard.papers.plots.fee_steps import fees_plot
from upcard.papers.plots.scales import Plot
from upcard.papers.plots.simulation import KINDS, plots_of, simulation_picture, simulation_plots
from upcard.papers.plots.sweeps import sweep_picture, sweep_plot
from upcard.papers.what_if import what_if
from upcard.simulate.course import ENDS, FEWEST_BLOCKS
from upcard.simulate.figures import Figures
from upcard.simulate.run import Goal, Threads, run
from upcard.trial.bank import bank, bank_grid
from upcard.trial.trials import Request, Result, prepare

ROUNDS = 400_001
ALL = tuple(KINDS)


@cache
def result(**asked: Any) -> Result:
    trial = prepare(Request(game="blackjack", policy="mimic", **asked))
    job = trial.job.for_rounds(ROUNDS)
    with Threads([job], 2) as workers:
        return Result(trial, run([job], Goal(ROUNDS), workers)[0])


def whole() -> Result:
    """A run that has every plot."""
    return result(shoe="cut", count="hi-lo", session=100, bankroll=20_000)


def data(found: Result) -> Any:
    return plain(result_data(found, Goal(ROUNDS)))


def painted(plot: Plot, number: int = 0) -> Axes:
    axes = Figure().add_subplot()
    plot.panels[number].paint(axes)
    return axes


def ys(line: Any) -> list[float]:
    return [float(y) for y in line.get_ydata()]


def xs(line: Any) -> list[float]:
    return [float(x) for x in line.get_xdata()]


def heights(axes: Axes) -> list[float]:
    bars: list[Any] = list(axes.patches)
    return [float(bar.get_height()) for bar in bars]


def plot_of(name: str) -> Plot:
    (plot,) = simulation_plots(whole(), [name])
    return plot


# ----------------------------------------------------------------------------------- the course


def test_the_course_is_what_shorter_runs_come_to() -> None:
    """Every point is a run of its own, of as many blocks, by the figures of any run."""
    job = whole().trial.job.for_rounds(ROUNDS)
    course = whole().figures.course()
    assert [rounds for rounds, _ in course] == sorted({rounds for rounds, _ in course})
    for rounds, mean in (course[0], course[4], course[-3]):
        blocks = rounds // job.block_rounds
        shorter = Figures(job, job.play(0, blocks, job.block_rounds)).wager(0)
        assert (mean.value, mean.stderr) == (shorter.ev, shorter.stderr)
        assert shorter.by == ("blocks" if blocks >= FEWEST_BLOCKS else "rounds")
    last = data(whole())["convergence"][-1]
    base = data(whole())["wagers"]["base"]
    assert last == {"rounds": ROUNDS, **{key: base[key] for key in ("ev", "stderr", "interval")}}


def test_the_course_is_the_same_in_any_order() -> None:
    job = whole().trial.job.for_rounds(ROUNDS)
    parts = [job.play(first, 10, job.block_rounds) for first in (30, 0, 20, 10)]
    together = parts[0] + parts[1] + parts[2] + parts[3]
    at_once = job.play(0, 40, job.block_rounds)
    assert together.sums["course"].tolist() == at_once.sums["course"].tolist()
    assert together == at_once


def test_a_course_without_its_beginning_is_none() -> None:
    """As after going on with a checkpoint from before there were any."""
    job = whole().trial.job.for_rounds(ROUNDS)
    before, after = job.play(0, 2, job.block_rounds), job.play(2, 2, job.block_rounds)
    del before.sums["course"]
    assert Figures(job, before).course() == []
    assert Figures(job, before + after).course() == []


def test_parts_of_a_course_lie_evenly_on_a_logarithmic_scale() -> None:
    assert ENDS[:5].tolist() == [1, 2, 3, 4, 5]
    late = ENDS[ENDS > 100]
    assert 1.09 < float(np.min(late[1:] / late[:-1])) <= float(np.max(late[1:] / late[:-1])) < 1.14


# ------------------------------------------------------------------------- drawn as JSON has it


def test_the_fan_is_drawn_from_the_quantiles() -> None:
    axes = painted(plot_of("fan"))
    path = data(whole())["session"]["path"]
    lines = axes.get_lines()
    drawn = sorted((ys(line) for line in lines[:5]), key=lambda line: line[-1])
    for place in range(5):
        assert drawn[place] == [0.0, *(point["quantiles"][place]["net"] for point in path)]
    assert xs(lines[0]) == [0, *(point["round"] for point in path)]
    assert any(set(ys(line)) == {-20_000.0} for line in lines)
    assert axes.yaxis.get_major_formatter()(-2500.0, None) == "-$25"


@pytest.mark.parametrize(
    ("name", "key", "at", "middle"),
    [
        ("counts", "by_true_count", "true_count", 0.0),
        ("penetration", "by_penetration", "from", 0.025),
    ],
)
def test_evs_by_count_and_penetration_are_those_of_json(
    name: str, key: str, at: str, middle: float
) -> None:
    rows = data(whole())[key]
    plot = plot_of(name)
    assert [panel.title.split(":")[0] for panel in plot.panels] == ["Blackjack", "Insurance"]
    for number, wager in enumerate(("base", "insurance")):
        line = painted(plot, number).get_lines()[0]
        evs = {
            row[at] + middle: row["wagers"][wager]["ev"] for row in rows if wager in row["wagers"]
        }
        drawn = dict(zip(xs(line), ys(line), strict=True))
        assert len(drawn) > 10
        for place, ev in drawn.items():
            assert ev == next(own for x, own in evs.items() if math.isclose(x, place, abs_tol=1e-9))
    written = [*csv.DictReader(io.StringIO(plot.csv()))]
    assert len(written) == sum(len(row["wagers"]) for row in rows)
    assert float(written[0]["ev"]) == rows[0]["wagers"]["base"]["ev"]


def test_results_and_convergence_are_those_of_json() -> None:
    found = data(whole())
    bars = heights(painted(plot_of("results")))
    shares = {one["mean"] for one in found["distribution"]}
    assert len(bars) == min(15, len(shares))
    assert set(bars) <= shares
    written = [*csv.DictReader(io.StringIO(plot_of("results").csv()))]
    assert [int(row["net"]) for row in written] == [one["net"] for one in found["distribution"]]
    line = painted(plot_of("convergence")).get_lines()[0]
    assert ys(line) == [point["ev"] for point in found["convergence"]]
    assert xs(line) == [p["rounds"] for p in found["convergence"]]


def test_the_exact_value_is_drawn_where_there_is_one() -> None:
    fresh = result()
    (plot,) = simulation_plots(fresh, ["convergence"])
    exact = data(fresh)["wagers"]["base"]["exact"]
    assert set(ys(painted(plot).get_lines()[1])) == {exact}
    assert len(painted(plot_of("convergence")).get_lines()) == 1  # none for a shoe to the cut card


def test_a_sweep_is_drawn_trial_by_trial() -> None:
    trials = [result(), result(seed=2)]
    axes = painted(sweep_plot(trials))
    drawn = xs(axes.get_lines()[0])
    assert drawn == [data(one)["wagers"]["base"]["ev"] for one in trials]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["blackjack mimic", "blackjack mimic"]
    assert len([*csv.DictReader(io.StringIO(sweep_plot(trials).csv()))]) == 4
    assert sweep_picture(trials, ".png").startswith(b"\x89PNG")


def test_edges_are_those_of_the_matrix() -> None:
    varied = {"decks": ["1", "2"], "soft17": ["stand", "hit"], "burn": ["1", "11"]}
    found = what_if(lambda own: tables_for("blackjack", own), {"max_hands": "1"}, varied)
    axes = Figure().add_subplot()
    paint_edges(axes, found, "base")
    cells = {
        tuple(cell["settings"].values()): cell["wagers"] for cell in _what_if_data(found)["cells"]
    }
    lines = axes.get_lines()
    assert [line.get_label() for line in lines[:4]] == [
        f"soft17 {stand}, burn {burn}" for stand in ("stand", "hit") for burn in ("1", "11")
    ]
    for line, (stand, burn) in zip(
        lines, [("stand", "1"), ("stand", "11"), ("hit", "1"), ("hit", "11")], strict=False
    ):
        for decks, edge in zip(("1", "2"), ys(line), strict=True):
            wagers = cells[decks, stand, burn]
            # What the rules forbid is a gap.
            assert math.isnan(edge) if not wagers else edge == wagers["base"]["edge"]
    ElementTree.fromstring(edges_picture(found, ".svg"))


def test_steps_are_the_rows_of_the_schedule() -> None:
    schedule = load_fee_book("pure-spanish-21.5").schedule(49)
    plot = fees_plot([schedule])
    shown = upcard("fees", "show", "49", "--json").data["schedules"][0]
    for number, side in enumerate(("player_dealer", "players")):
        axes = painted(plot, number)
        segments = [line for line in axes.get_lines() if line.get_linestyle() == "-"]
        for segment, row in zip(segments, shown[side], strict=True):
            first, last = xs(segment)
            assert (first, set(ys(segment))) == (row["from"], {row["fee"]})
            assert last == row["to"] if row["to"] is not None else last > row["from"]


def test_the_bank_is_drawn_as_its_tables_are() -> None:
    tables = tables_for("pure-spanish-21.5")
    overview = bank_grid(tables, rounds=1000)
    rows = [row for row in plain(_grid_data(overview))["grid"] if row["wager"] == 300]
    axes = painted(grid_plot(overview))
    gross, net = axes.get_lines()[:2]
    assert ys(gross) == [row["gross"]["ev"] for row in rows]
    assert ys(net) == [row["fees"]["net_ev"] for row in rows]
    assert heights(axes) == [row["fees"]["player_dealer_fee"] for row in rows]
    fees = load_fee_book("pure-spanish-21.5").schedules[:4]
    report = bank(tables, [{"base": 25_000}], schedules=fees, rounds=1000)
    lines = [one for one in plain(_report_data(report))["schedules"] if one["net_ev"] is not None]
    assert len(lines) == 3
    assert ys(painted(seats_plot(report)).get_lines()[0]) == [one["net_ev"] for one in lines]
    one = bank(tables, [{"base": 2500}], rounds=1000)
    only = plain(_report_data(one))["schedules"][0]
    assert heights(painted(seats_plot(one))) == [
        one.gross.ev,
        -only["player_dealer_fee"],
        only["net_ev"],
    ]
    assert "25000" in seats_plot(report).csv()


# -------------------------------------------------------------------------------------- the files


def test_pictures_of_every_kind_are_the_same_each_time() -> None:
    plots = simulation_plots(whole(), ALL)
    assert [plot.name for plot in plots] == list(ALL)
    svg = simulation_picture(whole(), plots, ".svg")
    assert svg == simulation_picture(whole(), plots, ".svg")
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    few = simulation_plots(whole(), ["results"])
    assert simulation_picture(whole(), few, ".png").startswith(b"\x89PNG")
    assert simulation_picture(whole(), few, ".pdf").startswith(b"%PDF")


def test_two_amounts_are_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[Any] = []
    add = Axes.set_title

    def spy(axes: Axes, *given: Any, **how: Any) -> Any:
        texts.append(add(axes, *given, **how))
        return texts[-1]

    monkeypatch.setattr(Axes, "set_title", spy)
    panel = drawing.DrawnPanel("$5 - $500", lambda _: None)
    drawing.drawn_panels([panel], title="amounts", ending=".png")
    assert [text.get_parse_math() for text in texts] == [False]


def test_what_a_run_writes(tmp_path: Path) -> None:
    asked = ("simulate", "blackjack", "--policy", "mimic", "--rounds", "50000")
    file = tmp_path / "run.svg"
    done = upcard(*asked, "-o", str(file))
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith(f"\n{file}: results and convergence\n")
    ElementTree.fromstring(file.read_bytes())
    table = tmp_path / "run.csv"
    found = upcard(*asked, "--plot", "results", "-o", str(table), "--json").data
    shares = [float(row["share"]) for row in csv.DictReader(io.StringIO(table.read_text()))]
    assert shares == [one["mean"] for one in found["distribution"]]
    edges = tmp_path / "edges.svg"
    varied = ("odds", "blackjack", "--set", "max_hands=1", "--vary", "decks=1,2")
    assert upcard(*varied, "-o", str(edges)).out == f"{edges}: 2 combinations\n"
    ElementTree.fromstring(edges.read_bytes())
    steps = tmp_path / "steps.pdf"
    assert upcard("fees", "show", "41", "-o", str(steps)).out == f"{steps}: 1 schedule\n"
    assert steps.read_bytes().startswith(b"%PDF")


LONG = ("simulate", "blackjack", "--rounds", "1e15", "--policy", "mimic")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*LONG, "-o", "run.xls"), "written as .svg, .png, .pdf or .csv"),
        ((*LONG, "-o", "nowhere/run.svg"), "no folder nowhere"),
        ((*LONG, "-o", "run.csv"), "results and convergence: say which (--plot)"),
        ((*LONG, "--plot", "fan"), "name a file for it, such as -o run.svg"),
        ((*LONG, "--plot", "fan", "-o", "x.svg"), "no plot of fan here: it needs sessions"),
        ((*LONG, "--plot", "counts", "-o", "x.svg"), "it needs a count (--shoe cut --count"),
        ((*LONG, "--plot", "penetration", "-o", "x.svg"), "it needs a shoe that lasts"),
        ((*LONG, "--seed", "1", "--policy", "random", "--plot", "fan", "-o", "x.svg"), "a sweep"),
        (("odds", "blackjack", "--vary", "decks=1..8", "-o", "x.gif"), "written as .svg, .png"),
        (
            ("odds", "blackjack", "--vary", "decks=1..8", "--vary", "burn=1..13", "-o", "x.png"),
            None,
        ),
        (("odds", "blackjack", "--cluster", "local:2"), "--cluster shares out what --vary asks"),
        (("odds", "blackjack", "--vary", "decks=1,2", "--cluster", "here"), "is not a cluster"),
        (("fees", "show", "-o", "x.svg"), "a picture is of one schedule, and there are 52"),
        (("bank", "pure-spanish-21.5", "-o", "x.doc"), "written as .svg, .png, .pdf or .csv"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_the_work(
    arguments: tuple[str, ...], words: str | None
) -> None:
    if words is None:
        many = (*arguments[:4], "--vary", "natural=3:2,6:5", *arguments[4:])
        assert "shows 12 lines at most, and these would be 16" in refusal(*many)
    else:
        assert words in refusal(*arguments)


def test_without_matplotlib_it_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'upcard[reports]'" in refusal(*LONG, "-o", "run.svg")


def test_plots_of_a_trial_are_those_that_it_has() -> None:
    assert plots_of(whole().trial, (), ".svg") == ALL
    assert plots_of(whole().trial, ["results", "fan"], ".pdf") == ("fan", "results")
    assert plots_of(result().trial, (), ".svg") == ("results", "convergence")
    assert plots_of(result().trial, ["convergence"], ".csv") == ("convergence",)


# ------------------------------------------------------------------------------------ on terminals


def told(show: Callable[[Any], None], width: int) -> str:
    file = io.StringIO()
    show(speaker(file=file, force_terminal=True, width=width, color_system=None))
    return file.getvalue()


def test_small_plots_are_for_terminals_that_have_room() -> None:
    wide, narrow = told(whole().show, 120), told(whole().show, 60)
    assert "base, below and above 0" in wide
    assert "░" in wide
    assert "█" in wide
    for text in (narrow, str(whole())):
        assert not set("░█") & set(text)
    page = Page()
    whole().show(page)
    assert "░" not in page.html()


def test_a_pipe_has_no_steps() -> None:
    assert "┣" not in upcard("fees", "show", "41").out
