"""Curves of money as SVG: a balance round by round, and the house's win against theory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from upcard.web import words
from upcard.web.dom import tag

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.service.pricing import Point

MOST = 240
"""Points of a curve: more than these nobody sees."""


class Scale(NamedTuple):
    """From a value to a place: `low` lies at `bottom`, `high` at `top`."""

    low: float
    high: float
    bottom: float
    top: float

    def __call__(self, value: float) -> float:
        part = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.bottom + part * (self.top - self.bottom)


def scale(values: Iterable[float], bottom: float, top: float) -> Scale:
    """A scale with zero and all values in it.

    >>> found = scale([100, -50], 100, 0)
    >>> found(100), found(-50), round(found(0), 1)
    (0.0, 100.0, 66.7)
    """
    known = [0.0, *values]
    return Scale(min(known), max(known), bottom, top)


def balance(results: Sequence[int]) -> list[int]:
    """What somebody has won or lost after every round, beginning with nothing.

    >>> balance([500, -200, 0])
    [0, 500, 300, 300]
    """
    return [0, *accumulate(results)]


def thinned(values: Sequence[int], most: int = MOST) -> list[tuple[int, int]]:
    """So many points of a curve at most, with their numbers; both ends, peak and trough stay.

    >>> thinned([0, 5, 3, 9, 1], 4)
    [(0, 0), (3, 9), (4, 1)]
    >>> thinned([0, 5, 3])
    [(0, 0), (1, 5), (2, 3)]
    """
    if len(values) <= most:
        return list(enumerate(values))
    last = len(values) - 1
    low, high = values.index(min(values)), values.index(max(values))
    step = last / max(1, most - 3)
    places = {round(step * number) for number in range(max(1, most - 3))} | {last, low, high}
    return (
        [(place, values[place]) for place in sorted(places)]
        if most > 4
        else [(place, values[place]) for place in sorted({0, last, low, high})]
    )


def path(points: Iterable[tuple[float, float]]) -> str:
    """
    >>> path([(0, 1), (2.5, 3.25)])
    'M0 1L2.5 3.2'
    """
    return "M" + "L".join(f"{x:.5g} {_short(y)}" for x, y in points)


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def nice_step(span: int) -> int:
    """The distance of two lines of a grid, in cents.

    >>> nice_step(4_000), nice_step(90_000)
    (2000, 50000)
    """
    raw = max(span / 3, 1)
    unit = 10 ** math.floor(math.log10(raw))
    return int(next(unit * step for step in (1, 2, 5, 10) if unit * step >= raw))


def balance_curve(results: Sequence[int], *, label: str) -> None:
    """The balance after every round, the oldest first."""
    values = balance(results)
    points = thinned(values)
    width, height, left = 960, 200, 64
    up = scale(values, height - 24, 12)
    across = Scale(0, max(1, len(values) - 1), left, width - 72)
    placed = [(across(number), up(value)) for number, value in points]
    with tag("figure", None, "curve", testid="curve"):
        said = f"{label}: {words.signed(values[-1])} after {len(results)} rounds"
        with tag("p", None, "only-phone small soft figure"):
            tag("span", f"highest {words.signed(max(values))}")
            tag("span", f"lowest {words.signed(min(values))}")
            tag("span", f"now {words.signed(values[-1])}")
        with _svg(width, height, said):
            for amount in _grid(values):
                y = up(amount)
                tag("line", None, "grid", x1=left, x2=width - 72, y1=_short(y), y2=_short(y))
                tag("text", words.money(amount), x=left - 8, y=_short(y + 4), text_anchor="end")
            zero = _short(up(0))
            tag("line", None, "zero", x1=left, x2=width - 72, y1=zero, y2=zero)
            area = [(placed[0][0], up(0)), *placed, (placed[-1][0], up(0))]
            tag("path", None, "area", d=path(area) + "Z")
            tag("path", None, "line", d=path(placed))
            x, y = placed[-1]
            tag("circle", None, "dot", cx=_short(x), cy=_short(y), r=5)
            tag("text", words.signed(values[-1]), x=_short(x + 10), y=_short(y + 4))
            tag("text", "first round", x=left, y=height - 4)
            tag("text", "last", x=width - 72, y=height - 4, text_anchor="end")
        tag("figcaption", said, "hidden-words")


def _grid(values: Sequence[int]) -> list[int]:
    low, high = min(0, *values), max(0, *values)
    step = nice_step(high - low)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def spark(points: Sequence[Point], *, label: str) -> None:
    """The house's win in a small curve, with what was expected and two deviations around it."""
    width, height = 160, 40
    reach = [point.expected + 2 * point.deviation for point in points]
    reach += [point.expected - 2 * point.deviation for point in points]
    up = scale([*reach, *(point.win for point in points)], height - 2, 2)
    across = Scale(0, max(1, points[-1].round), 0, width)
    with _svg(width, height, label, "spark"):
        above = [(across(p.round), up(p.expected + 2 * p.deviation)) for p in points]
        below = [(across(p.round), up(p.expected - 2 * p.deviation)) for p in reversed(points)]
        tag("path", None, "band", d=path([*above, *below]) + "Z")
        tag("path", None, "expected", d=path((across(p.round), up(p.expected)) for p in points))
        tag("path", None, "line", d=path((across(p.round), up(p.win)) for p in points))


def _svg(width: int, height: int, label: str, classes: str = "") -> Element:
    return tag(
        "svg",
        None,
        classes,
        attributes={
            "viewBox": f"0 0 {width} {height}",
            "preserveAspectRatio": "none",
            "role": "img",
            "aria-label": label,
        },
    )
