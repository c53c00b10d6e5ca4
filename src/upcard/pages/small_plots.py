"""Small plots for terminals, of letters: bars beside figures, a fan of quantiles, steps.

They stand beside tables and say nothing that the tables do not; a pipe and a page go without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from upcard.pages.page import Printer

FAN_ROWS = 11
ROUNDING = 1 + 1e-9
LIGHT, DARK, MIDDLE, NOTHING_WON = "░", "▒", "━", "┈"
FULL, ZERO = "█", "│"
LINE, FIRST, LAST, ON, POINT = "━", "┣", "┫", "▶", "●"


def has_room(out: Printer, width: int) -> bool:
    """Whether there is a terminal with so many columns, which has such letters."""
    encoding = str(getattr(out, "encoding", "")).lower()
    return bool(getattr(out, "is_terminal", False)) and out.width >= width and "utf" in encoding


def bar(value: float, furthest: float, half: int = 8) -> str:
    """A bar from a line in the middle to the left or the right, of so many columns at most.

    >>> bar(0.5, 1.0, 4), bar(-1.0, 1.0, 4), bar(2.0, 1.0, 2), bar(0.0, 0.0, 2)
    ('    │██  ', '████│    ', '  │██', '  │  ')
    """
    share = min(1.0, abs(value) / furthest) if furthest else 0.0
    filled = FULL * round(share * half)
    left, right = (filled, "") if value < 0 else ("", filled)
    return f"{left:>{half}}{ZERO}{right:<{half}}"


def fan(
    points: Sequence[float],
    quantiles: Sequence[Sequence[float]],
    width: int,
    label: Callable[[float], str],
) -> list[str]:
    """Five quantiles over the points, lowest first, as lines of text: two bands and the middle.

    >>> found = fan([0, 1], [[0, -4], [0, -2], [0, 0], [0, 2], [0, 4]], 14, "{:g}".format)
    >>> for line in found[:6]:
    ...     print(line)
     4 │         ░
       │       ░░░
       │     ░░░░▒
       │   ░░░▒▒▒▒
       │ ░▒▒▒▒▒▒▒▒
     0 │━━━━━━━━━━
    """
    low = min(min(line) for line in quantiles)
    high = max(max(line) for line in quantiles)
    rows = FAN_ROWS
    step = (high - low) / (rows - 1) or 1.0
    heads = [label(high - row * step) if row in (0, rows - 1) else "" for row in range(rows)]
    zero = round(high / step) if low <= 0 <= high else -1
    if 0 < zero < rows - 1:
        heads[zero] = label(0.0)
    margin = max(map(len, heads))
    columns = max(2, width - margin - 2)
    at = [points[0] + (points[-1] - points[0]) * one / (columns - 1) for one in range(columns)]
    curves = [[_between(points, line, place) for place in at] for line in quantiles]
    lines = []
    for row in range(rows):
        height = high - row * step
        signs = [
            _sign([curve[column] for curve in curves], height, step, row == zero)
            for column in range(columns)
        ]
        lines.append(f"{heads[row]:>{margin}} {ZERO}{''.join(signs)}")
    return lines


def _sign(found: Sequence[float], height: float, step: float, is_zero: bool) -> str:
    lowest, low, middle, high, highest = found
    half = step / 2 * ROUNDING
    if abs(middle - height) <= half:
        return MIDDLE
    if low - half <= height <= high + half:
        return DARK
    if lowest - half <= height <= highest + half:
        return LIGHT
    return NOTHING_WON if is_zero else " "


def _between(points: Sequence[float], values: Sequence[float], place: float) -> float:
    for number in range(1, len(points)):
        if place <= points[number]:
            before, after = points[number - 1], points[number]
            share = (place - before) / (after - before) if after > before else 1.0
            return values[number - 1] + share * (values[number] - values[number - 1])
    return values[-1]


def steps(
    rows: Sequence[tuple[int, int | None, int]], width: int, label: Callable[[int], str]
) -> list[str]:
    """Spans, each from an amount to an amount or without an end, by height: the highest first.

    Below them the last amount that is named.

    >>> for line in steps([(5, 10, 1), (11, 20, 2), (21, None, 3)], 30, str):
    ...     print(line)
    3 │                     ┣━━━━▶
    2 │           ┣━━━━━━━━┫
    1 │     ┣━━━━┫
       0                   21
    """
    last = max(first if to is None else to for first, to, _ in rows)
    end = last * 5 // 4 + 1 if any(to is None for _, to, _ in rows) else last
    levels = sorted({height for *_, height in rows}, reverse=True)
    margin = max(len(label(height)) for height in levels)
    columns = width - margin - 2

    def column(amount: int) -> int:
        return min(columns - 1, amount * columns // end)

    lines = []
    for height in levels:
        signs = [" "] * columns
        for first, to, own in rows:
            if own != height:
                continue
            begin, stop = column(first), columns - 1 if to is None else column(to)
            signs[begin : stop + 1] = LINE * (stop + 1 - begin)
            signs[begin] = FIRST if stop > begin else POINT
            if stop > begin:
                signs[stop] = ON if to is None else LAST
        lines.append(f"{label(height):>{margin}} {ZERO}{''.join(signs)}".rstrip())
    foot = f"{label(0)}{label(last):>{column(last) + 1 - len(label(0))}}"
    return [*lines, f"{'':{margin}}  {foot}"]
