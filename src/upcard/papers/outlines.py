"""Lettering as outlines, straight or along an arc, so that a drawing needs no font."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from upcard.errors import UpcardError

Place = Callable[[float, float], tuple[float, float]]
"""From a place on the line of writing (along it, above it) to one of the drawing."""
_STROKES = {1: "M", 2: "L", 3: "Q", 4: "C"}
_CLOSES = 79
_POINTS = {1: 1, 2: 1, 3: 2, 4: 3}


class Arc(NamedTuple):
    """A part of a circle that lettering follows, heads towards its middle."""

    x: float
    y: float
    radius: float


def straight(text: str, *, x: float, y: float, size: float, most: float = math.inf) -> str:
    """The outline of words centred on a place, as a path; shrunk to `most` where they are wider."""
    outline, width = _outline(text)
    scale = min(size, most / width if width else size)
    return _path(outline, lambda along, above: (x + (along - width / 2) * scale, y - above * scale))


def along_arc(text: str, arc: Arc, *, size: float, most: float = math.inf) -> str:
    """The outline of words centred at the bottom of a circle, as a path."""
    outline, width = _outline(text)
    scale = min(size, most / width if width else size)

    def place(along: float, above: float) -> tuple[float, float]:
        angle = (along - width / 2) * scale / arc.radius
        reach = arc.radius - above * scale
        return arc.x + reach * math.sin(angle), arc.y + reach * math.cos(angle)

    return _path(outline, place)


@cache
def _outline(text: str) -> tuple[Any, float]:
    """The outline in letters of size 1, and how wide it is."""
    try:
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path
    except ImportError:
        raise UpcardError(
            "layouts are lettered with matplotlib, which is not installed: "
            "pip install 'upcard[reports]'"
        ) from None
    font = FontProperties(family="STIXGeneral", weight="bold")
    if not text.strip():
        return ([], []), 0.0
    vertices, codes = text_to_path.get_text_path(font, text, ismath=False)
    scaled = np.asarray(vertices) / text_to_path.FONT_SCALE
    return (scaled.tolist(), list(codes)), float(scaled[:, 0].max())


def _path(outline: Any, place: Place) -> str:
    vertices, codes = outline
    words: list[str] = []
    number = 0
    while number < len(codes):
        code = codes[number]
        if code == _CLOSES:
            words.append("Z")
            number += 1
            continue
        count = _POINTS[code]
        points = (place(*vertex) for vertex in vertices[number : number + count])
        words.append(_STROKES[code] + " ".join(f"{x:.1f} {y:.1f}" for x, y in points))
        number += count
    return "".join(words)
