"""What the verbs of exact odds share: arguments, progress, and results as plain data."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from fractions import Fraction
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import amount_option
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.text import did_you_mean

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from upcard.compile.tables import GameTables
    from upcard.solve.result import Progress

BASE_WAGERS = (BASE, INSURANCE)
"""Wagers that no side wager is: the base itself, and insurance, which is decided in the round."""

QUIET_SECONDS = 0.7
"""Work that is done by then shows no progress."""
COMPILING = "compiling the solver (once)"


class SplitMode(StrEnum):
    """How a split hand is played."""

    cdz = "CDZ-"
    cdp = "CDP"
    cdp_plus = "CDP+"


Bet = Annotated[
    int | None,
    amount_option(
        "--bet",
        "The base wager, for rules with fixed amounts; the smallest that the table takes if left "
        "out.",
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="WAGER=RATIO",
        help="A side wager besides, in base wagers: match=0.5 or match=1/2; as often as needed.",
    ),
]
Splits = Annotated[
    SplitMode,
    typer.Option(
        "--split-mode",
        help="CDP: split hands are played as the other hands' pair cards suggest; "
        "CDZ-: like the same cards without a split; CDP+: as CDP, in one play throughout.",
    ),
]

_RATIO = re.compile(r"(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:/(\d{1,9}))?")


def parse_ratios(texts: Iterable[str], tables: GameTables) -> dict[str, float]:
    """Side wagers in base wagers, from the texts of all --with."""
    offered = side_wagers(tables)
    ratios: dict[str, float] = {}
    for text in texts:
        wager, sign, figure = (part.strip() for part in text.partition("="))
        if not sign or not wager:
            raise UpcardError(
                f'"{text}" is not a side wager: write its name and its size in base wagers, '
                "such as match=0.5"
            )
        if offered and wager not in offered and did_you_mean(wager, offered):
            guess = did_you_mean(wager, offered)
            raise UpcardError(f'{tables.name} has no side wager "{wager}"{guess}')
        if wager in ratios:
            raise UpcardError(f"the side wager {wager} is given twice")
        ratios[wager] = _ratio(wager, figure)
    return ratios


def _ratio(wager: str, figure: str) -> float:
    match = _RATIO.fullmatch(figure)
    if match is None and _RATIO.fullmatch(figure.removeprefix("-")):
        raise UpcardError(f"{wager}={figure}: a side wager is above 0 base wagers")
    if match is None or (match[2] and int(match[2]) == 0):
        raise UpcardError(
            f'{wager}: "{figure}" is not a size: write a number or a fraction of the base wager, '
            "such as 0.5 or 1/2"
        )
    return float(Fraction(match[1]) / int(match[2] or 1))


def side_wagers(tables: GameTables) -> list[str]:
    """Every wager that can be made besides the base."""
    return [wager for wager in (*tables.payoffs, *tables.observers) if wager not in BASE_WAGERS]


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress report for the solver: a bar on standard error if that is a terminal."""
    from upcard.solve.result import silent

    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f}%"),
        console=Console(stderr=True),
        transient=True,
    )
    watcher = _SolveWatcher(bar, compiled=is_compiled())
    try:
        yield watcher
    finally:
        bar.stop()


class _SolveWatcher:
    """Shows a bar as soon as the work takes long."""

    def __init__(self, bar: Bar, *, compiled: bool) -> None:
        self.bar = bar
        self.began = time.monotonic()
        self.compiled = compiled
        self.task = bar.add_task("solving" if compiled else COMPILING, total=1.0)
        self.shown = not compiled
        if self.shown:
            bar.start()

    def __call__(self, part: str, share: float) -> None:
        words = part if self.compiled else f"{part}, {COMPILING}"
        self.bar.update(self.task, description=words, completed=share)
        if not self.shown and time.monotonic() - self.began > QUIET_SECONDS:
            self.shown = True
            self.bar.start()


def is_compiled() -> bool:
    """Whether an earlier run has left compiled kernels behind."""
    import upcard.solve

    return any(
        kernel
        for folder in upcard.solve.__path__
        for kernel in Path(folder).glob("__pycache__/*.nbi")
    )


# ------------------------------------------------------------------------------------- plain data


def plain(value: Any) -> Any:
    """Results as JSON has them: numbers are numbers, what is no number is null."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)


def identity(tables: GameTables) -> dict[str, Any]:
    """What every result says about the game it holds for."""
    return {
        "game": tables.id,
        "version": tables.version,
        "fingerprint": tables.fingerprint,
        "settings": dict(tables.settings),
        **({"draft": tables.head.draft} if tables.head.draft else {}),
    }
