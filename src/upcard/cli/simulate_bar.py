"""The progress bar of a simulation: rounds, rate, time left, the estimate so far."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from upcard.cli.solving import COMPILING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from upcard.simulate.run import Progress
    from upcard.trial.trials import Trial

LONGEST_HOURS = 100


@contextmanager
def run_bar(trials: Sequence[Trial]) -> Iterator[Any]:
    """A progress bar on standard error, if that is a terminal: rate, time left, estimate."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[figures]}"),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        name = trials[0].tables.id if len(trials) == 1 else f"{len(trials)} trials"
        yield _RunWatcher(bar, bar.add_task(name, total=None, figures=COMPILING))


class _RunWatcher:
    """Shows how far a run is."""

    def __init__(self, bar: Bar, task: TaskID) -> None:
        self.bar = bar
        self.task = task

    def __call__(self, found: Progress) -> None:
        if not found.rounds:
            return
        parts = [_short(found.rounds), f"{_short(found.rate)}/s"]
        if found.left is not None:
            parts.append(f"{_clock(found.left)} left")
        job = found.jobs[0]
        if len(found.jobs) == 1 and job.estimate is not None and job.half_width is not None:
            parts.append(f"EV {job.estimate:+.3%} ±{job.half_width:.3%}")
        elif len(found.jobs) > 1:
            done = sum(one.complete for one in found.jobs)
            parts.append(f"{done} of {len(found.jobs)} done")
        self.bar.update(
            self.task, completed=found.rounds, total=found.asked, figures="  ".join(parts)
        )


def _short(number: float) -> str:
    """
    >>> _short(999), _short(1_234_567), _short(2.5e9)
    ('999', '1.2 M', '2.5 G')
    """
    for limit, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= limit:
            return f"{number / limit:.1f}{sign}"
    return f"{number:.0f}"


def _clock(seconds: float) -> str:
    """
    >>> _clock(5), _clock(75), _clock(7322), _clock(1e7), _clock(1e90)
    ('5 s', '1:15', '2:02:02', '115 days', 'years')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= LONGEST_HOURS:
        return f"{hours // 24:,} days" if hours < LONGEST_HOURS * 1000 else "years"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
