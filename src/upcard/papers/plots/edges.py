"""The plot of `upcard odds --vary`: edges by one setting, a line for every value of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import nan, prod
from typing import TYPE_CHECKING

from upcard.errors import UpcardError
from upcard.pages.figures import wager_name
from upcard.papers.drawing import DASHES, LINES, DrawnPanel
from upcard.papers.plots.scales import in_percent, level, panels_picture
from upcard.papers.what_if_page import changes, shown_value, unchanged_words, what_if_facts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from upcard.papers.what_if import WhatIf

MARKS = "os^Dv*"
MOST_LINES = len(LINES) * 2
"""As many as a reader can tell apart, by colour, dashes and marks."""
MOST_TICKS = 16
MOST_TICK_LETTERS = 50
FEW_LINES = 4
"""So many are named inside the panel."""


def check_lines(varied: Mapping[str, Sequence[str]]) -> None:
    """Refuse more lines than a picture can show, before anything is priced."""
    across = _across([len(values) for values in varied.values()])
    lines = prod(len(values) for place, values in enumerate(varied.values()) if place != across)
    if lines > MOST_LINES:
        raise UpcardError(
            f"a picture shows {MOST_LINES} lines at most, and these would be {lines}: vary less, "
            "or write a .csv"
        )


def _across(sizes: Sequence[int]) -> int:
    """The setting along the axis: the first that has the most values."""
    return sizes.index(max(sizes))


def edges_picture(found: WhatIf, ending: str) -> bytes:
    """A panel for every wager that changes; all wagers where none does."""
    refused = [", ".join(cell.values) for cell in found.cells if cell.refused]
    facts = (*what_if_facts(found), f"not allowed: {'; '.join(refused)}" if refused else "")
    wagers = [wager for wager in found.wagers if changes(found, wager)]
    same = unchanged_words(found) if wagers else ""
    panels = [
        DrawnPanel(
            f"{wager_name(found.tables, wager)}: edge by {found.names[_across_of(found)]}",
            partial(paint_edges, found=found, wager=wager),
        )
        for wager in wagers or found.wagers
    ]
    return panels_picture(panels, found.tables, facts, ending, same)


def _across_of(found: WhatIf) -> int:
    return _across([len(values) for values in found.values])


def paint_edges(axes: Axes, found: WhatIf, wager: str) -> None:
    """A wager's edge by the setting with the most values; gaps are what the rules forbid."""
    across = _across_of(found)
    values = found.values[across]
    others = [place for place in range(len(found.names)) if place != across]
    numbers = [float(value) for value in values if value.isdecimal()]
    numeric = len(numbers) == len(values)
    places = numbers if numeric else [float(place) for place in range(len(values))]
    lines = [*product(*(found.values[place] for place in others))]
    for number, chosen in enumerate(lines):
        edges = []
        for value in values:
            combination = [*chosen]
            combination.insert(across, value)
            ev = found.cell(*combination).evs.get(wager)
            edges.append(nan if ev is None else -ev)
        words = ", ".join(
            f"{found.names[place]} {shown_value(found, found.names[place], value)}"
            for place, value in zip(others, chosen, strict=True)
        )
        axes.plot(
            places,
            edges,
            color=LINES[number % len(LINES)],
            linestyle=DASHES[number % len(DASHES)],
            marker=MARKS[number // len(LINES) + number % len(LINES) % 4],
            markersize=4,
            label=words,
        )
    name = found.names[across]
    every = -(-len(values) // MOST_TICKS)
    ticks = [shown_value(found, name, value) for value in values]
    turned = max(map(len, ticks)) * len(ticks) > MOST_TICK_LETTERS
    axes.set_xticks(places[::every], ticks[::every], rotation=30 if turned else 0)
    axes.set_xlabel(name)
    axes.set_ylabel("edge, of the wager")
    axes.margins(x=0.06 if numeric else 0.15)
    low, high = axes.get_ylim()
    if low < 0 < high:
        level(axes)
    in_percent(axes.yaxis)
    if others:
        size = 7 if len(lines) <= FEW_LINES else 6
        axes.legend(loc="best", fontsize=size, ncols=1 if len(lines) <= FEW_LINES else 2)
