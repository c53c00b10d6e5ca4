"""What the verbs of exact odds share: arguments, progress, figures, and results as plain data."""

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

from upcard.cards import RANK_NAMES
from upcard.cli.arguments import amount_option
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.text import counted, did_you_mean, listed

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.table import Table
    from rich.text import Text

    from upcard.compile.tables import GameTables
    from upcard.solve.result import Progress

FAVOURS = "favours the player"
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
    watcher = _Watcher(bar, compiled=is_compiled())
    try:
        yield watcher
    finally:
        bar.stop()


class _Watcher:
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


# ------------------------------------------------------------------------------ figures and tables


def percent(value: float, *, signed: bool = True) -> str:
    """A share as people read it.

    >>> percent(0.0033026), percent(-1e-9), percent(0.5, signed=False)
    ('+0.3303%', '0.0000%', '50.0000%')
    """
    figure = f"{100 * value:.4f}"
    if not any(digit in figure for digit in "123456789"):
        return "0.0000%"
    return f"{100 * value:+.4f}%" if signed else f"{figure}%"


def dollars(cents: float) -> str:
    """Cents that may be a fraction of one, as an amount."""
    return format_cents(round(cents))


def shoe_words(tables: GameTables, *, endless: bool = False) -> str:
    """The cards that odds hold for."""
    cards = len(tables.alphabet.cards)
    if endless:
        return f"an endless shoe of {cards}-card decks"
    return f"{counted(tables.alphabet.decks, 'deck')} of {cards} cards"


def symbol_words(tables: GameTables) -> str:
    """What the names of cards stand for that are more than a rank.

    >>> from upcard import tables_for
    >>> symbol_words(tables_for("ten-sticks-21"))
    'T is any ten, jack, queen or king; T* is the bonus card Tc.'
    """
    symbol_of = tables.alphabet.symbol
    words = []
    for number, symbol in enumerate(tables.alphabet.symbols):
        if symbol.marked:
            cards = [card for card in tables.alphabet.cards if symbol_of(card) == number]
            words.append(f"{symbol.name} is the bonus card {listed(cards)}")
        elif len(symbol.ranks) > 1:
            names = (RANK_NAMES[rank] for rank in symbol.ranks)
            words.append(f"{symbol.name} is any {listed(names)}")
    return "; ".join(words) + "." if words else ""


def split_words(tables: GameTables, mode: str) -> str:
    """How splits are priced, where there are any."""
    return f"splits {mode}" if any(action.text == "split" for action in tables.actions) else ""


def heading(tables: GameTables, *facts: str) -> Text:
    """The game and what the figures hold for."""
    from rich.text import Text

    found = Text.assemble((tables.name, "bold underline"), f"  {tables.ref}\n")
    found.append(", ".join(fact for fact in facts if fact), "dim")
    if tables.settings:
        chosen = tables.rulebook.settings_words(tables.settings)
        found.append(f"\nwith {chosen}", "yellow")
    return found


def ratio_words(ratios: Mapping[str, float]) -> str:
    return ", ".join(
        f"{wager} at {ratio:g} base {'wager' if ratio == 1 else 'wagers'}"
        for wager, ratio in ratios.items()
    )


def grid(*columns: str, left: int = 1) -> Table:
    """A table without lines; the first columns to the left, figures to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 0, 0, 2), header_style="dim")
    for number, name in enumerate(columns):
        if number < left:
            table.add_column(name)
        else:
            table.add_column(name, justify="right", no_wrap=True)
    return table


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
    }
