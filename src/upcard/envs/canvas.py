"""Shapes and letters on an array of pixels, with smooth edges, drawn with numpy alone.

A shape is a question to every point of a small square: is it inside? It is asked of many points in
each pixel, and the share of those inside is how much of the pixel is covered. Letters are strokes
between points of a grid, some of them rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]
Mask = npt.NDArray[np.float32]
Colour = tuple[int, int, int]
Inside = Callable[[Grid, Grid], npt.NDArray[np.bool_]]

FINER = 5
"""Points in a pixel, to either side."""

LETTER_HEIGHT = 6
"""Steps of the grid of a letter, from 0 at the top; its strokes are points of column and row."""
LETTER_GAP = 1.9
SPACE = 2.4
THICKNESS = 0.17
"""Of a stroke, in heights of a letter."""
SMOOTHING = 3

STROKES = {
    "A": "06-20-46 14-34",
    "B": "00-06 ~00-40-43-03 ~03-43-46-06",
    "C": "~41-40-00-06-46-45",
    "D": "00-06 ~00-40-46-06",
    "E": "40-00-06-46 03-33",
    "F": "40-00-06 03-33",
    "G": "~41-40-00-06-46-43 43-23",
    "H": "00-06 40-46 03-43",
    "I": "00-06",
    "J": "~30-33-36-06-04",
    "K": "00-06 40-03 12-46",
    "L": "00-06-36",
    "M": "06-00-23-40-46",
    "N": "06-00-46-40",
    "O": "@00-40-46-06",
    "P": "00-06 ~00-40-43-03",
    "Q": "@00-40-46-06 34-46",
    "R": "00-06 ~00-40-43-03 23-46",
    "S": "~41-40-00-03-43-46-06-05",
    "T": "00-40 20-26",
    "U": "~00-03-06-46-43-40",
    "V": "00-26-40",
    "W": "00-16-22-36-40",
    "X": "00-46 40-06",
    "Y": "00-23-40 23-26",
    "Z": "00-40-06-46",
    "0": "@00-40-46-06",
    "1": "02-20-26",
    "2": "~01-00-40-43-06 06-46",
    "3": "~01-00-40-43-13 ~13-43-46-06-05",
    "4": "36-30-04-44",
    "5": "40-00-03 ~03-42-46-06-05",
    "6": "~41-40-00-04 @03-43-46-06",
    "7": "00-40-16",
    "8": "@00-40-43-03 @03-43-46-06",
    "9": "@00-40-43-03 ~42-46-06-05",
    "$": "~41-40-00-03-43-46-06-05 20-26",
    "+": "21-25 03-43",
    "-": "03-23",
    "=": "02-42 04-44",
    ".": "06-06",
    ",": "16-07",
    ":": "02-02 05-05",
    "/": "06-30",
    "%": "06-40 @00-10-11-01 @35-45-46-36",
    "(": "~20-00-06-26",
    ")": "~00-20-26-06",
    "'": "00-01",
    '"': "00-01 20-21",
    "!": "00-04 06-06",
    "?": "~01-00-40-43-23-24 26-26",
    "&": "46-02-00-20-22-04-06-26-44",
    "_": "06-46",
    "*": "21-25 02-44 04-42",
}
"""A stroke goes from point to point; with ~ it is rounded, with @ it is rounded and closed."""


class Canvas:
    """A picture in the making: red, green and blue for every pixel."""

    def __init__(self, width: int, height: int, colour: Colour) -> None:
        self.pixels = np.empty((height, width, 3), dtype=np.float32)
        self.pixels[:] = colour

    def finished(self) -> npt.NDArray[np.uint8]:
        found: npt.NDArray[np.uint8] = np.rint(self.pixels.clip(0, 255)).astype(np.uint8)
        return found

    def put(self, mask: Mask, left: float, top: float, colour: Colour) -> None:
        """Lay a colour over the picture where a mask is; what is outside is left out."""
        x, y = round(left), round(top)
        height, width = self.pixels.shape[:2]
        right, bottom = min(width, x + mask.shape[1]), min(height, y + mask.shape[0])
        if right <= max(x, 0) or bottom <= max(y, 0):
            return
        part = self.pixels[max(y, 0) : bottom, max(x, 0) : right]
        cover = mask[max(-y, 0) : bottom - y, max(-x, 0) : right - x, None]
        part += cover * (np.array(colour, dtype=np.float32) - part)

    def box(
        self,
        left: float,
        top: float,
        width: int,
        height: int,
        *,
        colour: Colour,
        radius: int,
        strength: float = 1.0,
    ) -> None:
        """A rectangle with round corners; with less strength what is below shines through."""
        self.put(box_mask(width, height, radius) * np.float32(strength), left, top, colour)

    def shape(self, name: str, left: float, top: float, size: int, colour: Colour) -> None:
        self.put(shape_mask(name, size), left, top, colour)

    def text(self, words: str, left: float, top: float, size: int, colour: Colour) -> int:
        """Words in capitals from a corner on; and how wide they are."""
        at = left
        for letter in words.upper():
            if letter != " ":
                mask = letter_mask(letter, size)
                self.put(mask, at - _edge(size), top - _edge(size), colour)
            at += _advance(letter, size)
        return round(at - left)

    def centred(self, words: str, middle: float, top: float, size: int, colour: Colour) -> None:
        self.text(words, middle - text_width(words, size) / 2, top, size, colour)


def text_width(words: str, size: int) -> float:
    gap = LETTER_GAP * size / LETTER_HEIGHT
    return max(0.0, sum(_advance(letter, size) for letter in words.upper()) - gap)


def fitted(words: str, width: float, size: int) -> str:
    """Words, shortened until they are no wider."""
    if text_width(words, size) <= width:
        return words
    while words and text_width(f"{words}...", size) > width:
        words = words[:-1]
    return f"{words}..."


@cache
def box_mask(width: int, height: int, radius: int) -> Mask:
    def inside(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
        over_x = np.maximum(0, np.abs(x - width / 2) - (width / 2 - radius))
        over_y = np.maximum(0, np.abs(y - height / 2) - (height / 2 - radius))
        found: npt.NDArray[np.bool_] = np.hypot(over_x, over_y) <= max(radius, 1e-9)
        return found

    return _covered(inside, width, height)


@cache
def shape_mask(name: str, size: int) -> Mask:
    """A shape of `SHAPES` in a square of so many pixels."""
    shape = SHAPES[name]
    return _covered(lambda x, y: shape(x / size * 2 - 1, y / size * 2 - 1), size, size)


@cache
def letter_mask(letter: str, size: int) -> Mask:
    scale = size / LETTER_HEIGHT
    edge = _edge(size)
    lines = [line * scale + edge for line in _lines(letter)]
    width = max(float(line[:, 0].max()) for line in lines) + edge
    height = max(size, max(float(line[:, 1].max()) for line in lines) - edge) + 2 * edge

    def inside(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
        near = np.full(x.shape, np.inf)
        for line in lines:
            for start, end in pairwise(line):
                near = np.minimum(near, _distance(x, y, start, end))
        return near <= THICKNESS * size / 2

    return _covered(inside, int(np.ceil(width)), int(np.ceil(height)))


def _covered(inside: Inside, width: int, height: int) -> Mask:
    """How much of each pixel is inside."""
    x = (np.arange(width * FINER) + 0.5) / FINER
    y = (np.arange(height * FINER) + 0.5) / FINER
    points = inside(*np.meshgrid(x, y)).reshape(height, FINER, width, FINER)
    found: Mask = points.mean(axis=(1, 3), dtype=np.float32)
    return found


def _distance(x: Grid, y: Grid, start: Grid, end: Grid) -> Grid:
    """From every point to a stroke between two."""
    along_x, along_y = end - start
    length = along_x**2 + along_y**2
    share = ((x - start[0]) * along_x + (y - start[1]) * along_y) / length if length else 0 * x
    share = share.clip(0, 1)
    found: Grid = np.hypot(x - start[0] - share * along_x, y - start[1] - share * along_y)
    return found


@cache
def _lines(letter: str) -> tuple[Grid, ...]:
    """The strokes of a letter as points, curves as many short ones."""
    found = []
    for stroke in STROKES.get(letter, STROKES["?"]).split():
        points = np.array([[int(c) for c in pair] for pair in stroke.strip("~@").split("-")], float)
        if stroke[0] in "~@":
            points = _rounded(points, closed=stroke[0] == "@")
        found.append(points)
    return tuple(found)


def _rounded(points: Grid, *, closed: bool) -> Grid:
    """Corners cut again and again, which makes them round."""
    for _ in range(SMOOTHING):
        nexts = np.roll(points, -1, axis=0) if closed else points[1:]
        own = points if closed else points[:-1]
        cut = np.stack([own * 0.75 + nexts * 0.25, own * 0.25 + nexts * 0.75], axis=1)
        inner = cut.reshape(-1, 2)
        points = inner if closed else np.concatenate([points[:1], inner[1:-1], points[-1:]])
    return np.concatenate([points, points[:1]]) if closed else points


def _edge(size: int) -> int:
    """Room for half a stroke around a letter."""
    return int(np.ceil(THICKNESS * size / 2)) + 1


@cache
def _advance(letter: str, size: int) -> float:
    if letter == " ":
        return SPACE * size / LETTER_HEIGHT
    width = max(float(line[:, 0].max()) for line in _lines(letter))
    return (width + LETTER_GAP) * size / LETTER_HEIGHT


# ---------------------------------------------------------------- shapes, from -1 to 1 either way


def _disc(x: Grid, y: Grid, at: tuple[float, float], radius: float) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.hypot(x - at[0], y - at[1]) <= radius
    return found


def _heart(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    lobes = _disc(np.abs(x), y, (0.47, -0.38), 0.49)
    below = (y > -0.3) & (np.abs(x) * 1.0 + (y + 0.3) * 0.76 <= 0.94)
    return lobes | below


def _stem(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = (
        (y > 0.1) & (y < 0.95) & (np.abs(x) < 0.08 + 0.35 * (y - 0.1) ** 2)
    )
    return found


def _spade(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    return _heart(x * 1.02, -(y * 1.15 + 0.08)) | _stem(x, y)


def _club(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    found = _disc(x, y, (0, -0.5), 0.43) | _disc(np.abs(x), y, (0.5, 0.16), 0.43)
    return found | _disc(x, y, (0, -0.05), 0.25) | _stem(x, y)


def _diamond(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.abs(x) / 0.74 + np.abs(y) / 0.98 <= 1
    return found


SHAPES: dict[str, Inside] = {
    "s": _spade,
    "h": _heart,
    "d": _diamond,
    "c": _club,
    "disc": lambda x, y: _disc(x, y, (0, 0), 1),
}
"""The suits by their letters, and a disc."""
