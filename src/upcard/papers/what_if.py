"""What if: a game priced under every combination of some settings."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from upcard.compile.bets import wagers_of
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.pages.page import Printer, Shown
from upcard.simulate.silence import Say
from upcard.solve.readings import Evs, PriceKey, Pricer
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode
from upcard.text import counted

MOST_CELLS = 500
"""Combinations that are priced at once: some minutes."""

TablesFor = Callable[[Mapping[str, str]], GameTables]


@dataclass(frozen=True)
class Cell:
    """A combination: the values of the varied settings, in their order, and what wagers are worth.

    One that the rules forbid has no wagers, and says why.
    """

    values: tuple[str, ...]
    fingerprint: str
    evs: Evs
    refused: str = ""


@dataclass(frozen=True, repr=False)
class WhatIf(Shown):
    """A game under every combination of some settings, `names` with their `values`."""

    tables: GameTables
    bet: int
    mode: Mode
    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    cells: tuple[Cell, ...]

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every wager that some combination has, in their order."""
        return tuple(dict.fromkeys(wager for cell in self.cells for wager in cell.evs))

    def cell(self, *values: str) -> Cell:
        """The combination of some values, one of each setting."""
        for cell in self.cells:
            if cell.values == values:
                return cell
        raise UpcardError(f"{', '.join(values)} is none of the combinations that were priced")

    def show(self, out: Printer) -> None:
        """Print the edges on a console or a page: a matrix where two settings vary."""
        from upcard.papers.what_if_page import show_what_if

        show_what_if(self, out)

    def csv(self) -> str:
        """A line for every combination and wager, in full precision."""
        file = io.StringIO()
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow([*self.names, "wager", "ev", "edge", "fingerprint", "refused"])
        for cell in self.cells:
            for wager, ev in cell.evs.items():
                lines.writerow([*cell.values, wager, repr(ev), repr(-ev), cell.fingerprint, ""])
            if cell.refused:
                lines.writerow([*cell.values, "", "", "", "", cell.refused])
        return file.getvalue()

    def __repr__(self) -> str:
        return f"<WhatIf of {self.tables.ref}: {' x '.join(self.names)}, {len(self.cells)} cells>"


def what_if(
    tables_for_settings: TablesFor,
    settings: Mapping[str, str],
    varied: Mapping[str, Sequence[str]],
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    cluster: str | None = None,
    say: Say = lambda _: None,
    progress: Progress = silent,
) -> WhatIf:
    """Price a game under every combination of the `varied` settings, the others as given.

    With the address of a `cluster` its workers price; the answers are the same. `say` is told who
    of them has gone silent.

    >>> from upcard import tables_for
    >>> load = lambda settings: tables_for("blackjack", settings)
    >>> found = what_if(load, {"decks": "1"}, {"natural": ["3:2", "6:5"]})
    >>> [round(100 * -cell.evs["base"], 4) for cell in found.cells]
    [-0.2052, 1.1896]
    """
    names = tuple(varied)
    check_varied(settings, varied)
    pricer = Pricer(tables_for_settings, dict(settings), mode)
    given = pricer.given()
    pricer.bet = wagers_of(given, bet)[BASE]
    asked = {
        values: {**settings, **dict(zip(names, values, strict=True))}
        for values in product(*varied.values())
    }
    if cluster is None:
        cells = _cells(pricer, asked, names, progress)
    else:
        cells = _cells_on(cluster, pricer, asked, say, progress)
    progress("what if", 1.0)
    if not any(cell.evs for cell in cells):
        raise UpcardError(cells[0].refused)
    return WhatIf(given, pricer.bet, mode, names, tuple(map(tuple, varied.values())), tuple(cells))


Asked = Mapping[tuple[str, ...], Mapping[str, str]]
"""Settings of every combination, by its values."""


def _cells(pricer: Pricer, asked: Asked, names: Sequence[str], progress: Progress) -> list[Cell]:
    cells = []
    for number, (values, settings) in enumerate(asked.items()):
        progress(" ".join(map("=".join, zip(names, values, strict=True))), number / len(asked))
        try:
            tables = pricer.load(settings)
        except UpcardError as error:
            cells.append(Cell(values, "", {}, str(error)))
            continue
        cells.append(Cell(values, tables.fingerprint, pricer.evs(tables)))
    return cells


def _cells_on(
    cluster: str, pricer: Pricer, asked: Asked, say: Say, progress: Progress
) -> list[Cell]:
    """The same, every distinct wager priced by a cluster in the first combination that has it."""
    from upcard.papers.price_jobs import PriceJob, priced

    jobs: list[PriceJob] = []
    found: dict[PriceKey, float] = {}
    # Only tables that are sent are kept: a few megabytes each.
    cells: list[tuple[Cell, dict[str, PriceKey]]] = []
    for number, (values, settings) in enumerate(asked.items()):
        progress("compiling the games", number / len(asked))
        try:
            tables = pricer.load(settings)
        except UpcardError as error:
            cells.append((Cell(values, "", {}, str(error)), {}))
            continue
        keys = {wager: pricer.price_key(tables, wager) for wager in pricer.wagers(tables)}
        cells.append((Cell(values, tables.fingerprint, {}), keys))
        new = {wager: key for wager, key in keys.items() if key not in found}
        if new:
            found.update(dict.fromkeys(new.values(), 0.0))
            jobs.append(PriceJob(tables, new, pricer.bet, pricer.mode))
    if jobs:
        words = f"pricing on {cluster}"
        brought = priced(jobs, cluster, say=say, told=lambda n: progress(words, n / len(jobs)))
        for job, evs in zip(jobs, brought, strict=True):
            found.update({job.wagers[wager]: ev for wager, ev in evs.items()})
    return [
        replace(cell, evs={wager: found[key] for wager, key in keys.items()})
        for cell, keys in cells
    ]


def check_varied(settings: Mapping[str, str], varied: Mapping[str, Sequence[str]]) -> None:
    """Refuse what cannot be varied: nothing, a setting that is fixed too, the same value twice."""
    if not varied:
        raise UpcardError("nothing is varied: name a setting and its values, such as decks=4,6,8")
    for name, values in varied.items():
        if name in settings:
            raise UpcardError(f"{name} is set to {settings[name]}, so it cannot be varied as well")
        if not values or "" in values:
            raise UpcardError(f"{name} has no values to vary: write {name}=VALUE,VALUE")
        twice = next((value for value in values if list(values).count(value) > 1), None)
        if twice is not None:
            raise UpcardError(f"{name}={twice} is there twice")
    cells = 1
    for values in varied.values():
        cells *= len(values)
    if cells > MOST_CELLS:
        raise UpcardError(
            f"these are {counted(cells, 'combination')}, more than the {MOST_CELLS} that are "
            "priced at once: vary fewer settings or fewer values"
        )
