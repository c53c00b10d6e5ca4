"""`upcard simulate`: random rounds of any game, beside the exact values."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import (
    Json,
    OnCluster,
    Settings,
    Sides,
    amount_option,
    asked_settings,
    chosen_settings,
)
from upcard.cli.output import complain, console, print_json
from upcard.cli.simulate_bar import run_bar
from upcard.cli.simulate_plots import PlotNames, check_plots, write_plots
from upcard.cli.solving import Bet, With, parse_ratios, plain, progress
from upcard.cli.varying import Vary, parse_varied
from upcard.cli.writing import Output, check_picture
from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard.simulate.checkpoint import Saved
    from upcard.simulate.job import Job
    from upcard.simulate.run import Goal, RunOutcome, Workers
    from upcard.trial.trials import Request, Result, Trial

FREE = {
    "games",
    "rounds",
    "until",
    "threads",
    "cluster",
    "checkpoint",
    "resume",
    "output",
    "plot",
    "json",
}
"""What a resumed run may be told; all else stands in its checkpoint."""
INTERRUPTED = 130
"""The exit status of a command that was ended by Ctrl-C."""
_NUMBER = re.compile(r"\d{1,15}(?:_?\d{3})*|\d+(?:\.\d+)?[eE]\+?\d{1,2}")


class ShoeKind(StrEnum):
    """Whether every round has a full shoe."""

    fresh = "fresh"
    cut = "cut"


class Follow(StrEnum):
    """Whose money a session is about."""

    player = "player"
    bank = "bank"


def simulate(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Ids or names of games, or paths of game files."),
    ] = None,
    settings: Settings = None,
    side: Sides = None,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="N", help="Rounds to play: 1000000 or 1e9; 1e7 if left out."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="HALF_WIDTH",
            help="Play until the base wager's 95 % interval is this wide to either side: "
            "0.0005 or 0.05%; --rounds is then the most that is played.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rounds anywhere.")] = 1,
    seats: Annotated[int, typer.Option(help="Players at the table, who play alike.")] = 1,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="P",
            help="basic (the chart), optimal (by the cards of a hand), mimic (the dealer's rule), "
            "random, or a chart's file; several make a sweep; basic if left out.",
        ),
    ] = None,
    bet: Bet = None,
    with_: With = None,
    shoe: Annotated[
        ShoeKind,
        typer.Option(help="A fresh shoe every round, or one dealt to the cut card."),
    ] = ShoeKind.fresh,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="COUNT",
            help="Count the cards: hi-lo or another name, or a file with weights, bets and "
            "departures; needs --shoe cut.",
        ),
    ] = None,
    bank: Annotated[
        int | None,
        amount_option("--bank", "What a player-dealer puts up: the bank's limit."),
    ] = None,
    session: Annotated[
        int | None,
        typer.Option(metavar="ROUNDS", help="Cut the play into sessions of so many rounds."),
    ] = None,
    bankroll: Annotated[
        int | None,
        amount_option("--bankroll", "What a session begins with: gives the risk of ruin."),
    ] = None,
    follow: Annotated[Follow, typer.Option(help="Whose money a session is about.")] = Follow.player,
    vary: Vary = None,
    threads: Annotated[
        int | None, typer.Option(metavar="T", help="Threads; one for every core if left out.")
    ] = None,
    cluster: OnCluster = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the state of the run in a file as it goes."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Go on with a run that a checkpoint was made of; no GAME then."
        ),
    ] = None,
    output: Output = None,
    plot: PlotNames = None,
    json: Json = False,
) -> None:
    """Play random rounds at machine speed and compare every wager with its exact value.

    The totals depend on the seed alone: one thread, many, or a cluster give the same, bit for bit.
    Ctrl-C ends the run with the result so far.

    Example: upcard simulate twisted-21 --rounds 1e8 --policy optimal
    """
    from upcard.simulate.run import Goal
    from upcard.trial.trials import requests_from, sweep

    if threads is not None and cluster is not None:
        raise UpcardError("name --threads or --cluster, not both: a cluster has its own workers")
    if count is not None and shoe is ShoeKind.fresh:
        raise UpcardError("a fresh shoe leaves nothing to count: say --shoe cut")
    check_picture(output, ".csv")
    if plot and output is None:
        raise UpcardError("--plot says what is drawn: name a file for it, such as -o run.svg")
    if follow is Follow.bank and session is None:
        raise UpcardError("--follow bank is about sessions: say how many rounds (--session)")
    goal = Goal(
        parse_rounds(rounds) if rounds is not None or until is None else None,
        None if until is None else _width(until),
    )
    saved = _load(resume, games, context)
    if saved is not None:
        requests = requests_from(saved.request)
        if rounds is None and until is None:
            goal = _goal_of(saved)
    else:
        shared: dict[str, Any] = {
            "seed": seed,
            "seats": seats,
            "bet": bet,
            "shoe": shoe.value,
            "bank": bank,
            "count": count,
            "session": session,
            "bankroll": bankroll,
            "follow": follow.value,
        }
        asked = asked_settings(settings, side)
        requests = _requests(games or [], asked, vary or [], policy or [], with_, shared)
    _check_sessions(requests, goal)
    _check_workers(threads, cluster, checkpoint or resume, resume)
    with progress() as told:
        trials = sweep(requests, told)
    plots = check_plots(trials, plot or (), output)
    outcomes, stopped = _run(trials, goal, threads, cluster, checkpoint or resume, saved)
    results = _results(trials, outcomes, stopped=stopped)
    _tell(results, goal, sweep=len(trials) > 1, json=json)
    # Whatever becomes of the file, the result of a long run is told.
    write_plots(results, plots, output, sweep=len(trials) > 1, quiet=json)
    if stopped:
        complain("stopped: this is the result so far" + _how_to_go_on(checkpoint or resume))
        raise typer.Exit(INTERRUPTED)


# ------------------------------------------------------------------------------------- the request


def parse_rounds(text: str | None) -> int:
    """A number of rounds, also as 1e9."""
    from upcard.trial.trials import MOST_ROUNDS, USUAL_ROUNDS

    if text is None:
        return USUAL_ROUNDS
    if text.startswith("-") and _NUMBER.fullmatch(text[1:]):
        raise UpcardError(f"--rounds {text}: a simulation has at least 1 round")
    number = text.replace("_", "")
    if _NUMBER.fullmatch(text) and float(number) > MOST_ROUNDS:
        raise UpcardError(f"--rounds {text}: at most {MOST_ROUNDS:.0e} rounds can be asked for")
    if _NUMBER.fullmatch(text) is None or float(number) % 1:
        raise UpcardError(
            f"--rounds {text}: this is not a number of rounds, such as 1000000 or 1e9"
        )
    return int(number) if number.isdigit() else int(float(number))


def _width(text: str) -> float:
    """Half the width of an interval, in wagers: 0.0005 or 0.05%."""
    figure, scale = (text[:-1], 100.0) if text.endswith("%") else (text, 1.0)
    try:
        return float(figure) / scale
    except ValueError:
        raise UpcardError(
            f"--until {text}: this is not a half width, such as 0.0005 or 0.05%"
        ) from None


def _requests(
    games: Sequence[str],
    settings: Sequence[str],
    vary: Sequence[str],
    policies: Sequence[str],
    with_: list[str] | None,
    shared: dict[str, Any],
) -> list[Request]:
    """One request for every game, setting and policy of a sweep."""
    from upcard.compile.tables import tables_for
    from upcard.trial.trials import Request, check_policy

    if not games:
        raise UpcardError("name a game, such as blackjack; `upcard games` lists them")
    chosen = list(policies) or ["basic"]
    for policy in chosen:
        check_policy(policy)
    found = []
    varied = [[f"{name}={v}" for v in values] for name, values in parse_varied(vary).items()]
    for game in games:
        for values in product(*varied):
            options = chosen_settings(game, (*settings, *values))
            tables = tables_for(game, options)
            ratios = parse_ratios(with_ or (), tables)
            found += [
                Request(game=game, settings=options, policy=policy, ratios=ratios, **shared)
                for policy in chosen
            ]
    return found


def _load(resume: Path | None, games: Sequence[str] | None, context: typer.Context) -> Saved | None:
    from upcard.simulate.checkpoint import load

    if resume is None:
        return None
    if games:
        raise UpcardError(
            "a resumed run is of the games in its checkpoint: leave the game out, or the --resume"
        )
    for option in context.params.keys() - FREE:
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            name = {"settings": "set", "with_": "with"}.get(option, option)
            raise UpcardError(
                f"a resumed run keeps the --{name} of its checkpoint: leave it out, or the --resume"
            )
    return load(resume)


def _goal_of(saved: Saved) -> Goal:
    """The goal of the run that left the checkpoint."""
    from upcard.simulate.run import Goal
    from upcard.trial.trials import USUAL_ROUNDS

    kept = saved.request.get("goal")
    if not isinstance(kept, dict):
        return Goal(USUAL_ROUNDS)
    return Goal(kept.get("rounds"), kept.get("half_width"))


def _check_sessions(requests: Sequence[Request], goal: Goal) -> None:
    """Refuse a run that is over before its first session is."""
    for request in requests:
        if request.session is not None and goal.rounds and request.session > goal.rounds:
            raise UpcardError(
                f"a session of {request.session:,} rounds is longer than the whole run of "
                f"{goal.rounds:,} (--rounds)"
            )


def _check_workers(
    threads: int | None, cluster: str | None, checkpoint: Path | None, resume: Path | None
) -> None:
    """What can be seen to be wrong before a long preparation."""
    if threads is not None and threads < 1:
        raise UpcardError(f"a simulation needs at least 1 thread, not {threads}")
    if cluster is not None:
        from upcard.simulate.cluster import check_reachable

        check_reachable(cluster)
    if checkpoint is not None and checkpoint != resume:
        from upcard.simulate.checkpoint import check_free

        check_free(checkpoint)


# ----------------------------------------------------------------------------------------- the run


def _run(
    trials: Sequence[Trial],
    goal: Goal,
    threads: int | None,
    cluster: str | None,
    checkpoint: Path | None,
    saved: Saved | None,
) -> tuple[list[RunOutcome], bool]:
    """The outcomes, and whether Ctrl-C ended the run."""
    from upcard.simulate.checkpoint import Checkpoint, check_fits
    from upcard.simulate.run import run
    from upcard.trial.trials import request_data

    jobs = [trial.job.for_rounds(goal.rounds) for trial in trials]
    if saved is not None and (note := check_fits(saved, jobs)):
        complain(note)
    kept = None
    if checkpoint is not None:
        asked = request_data([trial.request for trial in trials])
        asked["goal"] = {"rounds": goal.rounds, "half_width": goal.half_width}
        kept = Checkpoint(checkpoint, asked)
    with _stopping() as stop, run_bar(trials) as watch, _workers(jobs, threads, cluster) as workers:
        if cluster is None:
            _warm_up(jobs)
        outcomes = run(
            jobs,
            goal,
            workers,
            watch=watch,
            stop=stop,
            checkpoint=kept,
            begun=None if saved is None else saved.begun,
        )
    return outcomes, stop.is_set()


def _warm_up(jobs: Sequence[Job]) -> None:
    """Have the kernel compiled, so that the time of the run is that of the rounds."""
    for job in jobs:
        job.play(0, 1, 1)


@contextmanager
def _workers(jobs: Sequence[Any], threads: int | None, cluster: str | None) -> Iterator[Workers]:
    from upcard.simulate.run import Threads

    if cluster is None:
        with Threads(jobs, threads or os.cpu_count() or 1) as workers:
            yield workers
        return
    from upcard.simulate.cluster import Cluster

    with Cluster(jobs, cluster, say=complain) as others:
        yield others


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one ends the program."""
    stop = threading.Event()

    def obey(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, obey)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _how_to_go_on(checkpoint: Path | None) -> str:
    return f"; go on with: upcard simulate --resume {checkpoint}" if checkpoint else ""


# --------------------------------------------------------------------------------------- the result


def _results(
    trials: Sequence[Trial], outcomes: Sequence[RunOutcome], *, stopped: bool
) -> list[Result]:
    from upcard.trial.trials import Result

    found = [Result(t, o) for t, o in zip(trials, outcomes, strict=True) if o.rounds]
    if not found:
        complain("stopped before there was a result")
        raise typer.Exit(INTERRUPTED if stopped else 1)
    return found


def _tell(results: Sequence[Result], goal: Goal, *, sweep: bool, json: bool) -> None:
    from upcard.cli.simulate_report import result_data
    from upcard.trial.result_page import show_sweep

    if json:
        data = [result_data(result, goal) for result in results]
        print_json(plain({"trials": data} if sweep else data[0]))
    elif sweep:
        show_sweep(results, console())
    else:
        results[0].show(console())
