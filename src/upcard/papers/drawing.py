"""Drawings of figures in one style, as SVG: calm, readable in grey, lettered like the papers.

Matplotlib draws without a screen and without its global state, so that threads may draw too.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from upcard.errors import UpcardError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Paint: TypeAlias = "Callable[[Axes], None]"

INK = "#1c1c1e"
QUIET = "#5b5b60"
PALE = "#dcdcdc"
LINES = ("#0d5b45", "#b3202c", "#1f5fae", "#b26a00", "#5b3f8c", "#5b5b60")
"""Colours of lines, each also told by its dashes."""
DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), "solid")

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    # As in all other figures.
    "axes.unicode_minus": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "text.color": INK,
    # Two amounts with their $ would be taken for a formula.
    "text.parse_math": False,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.fonttype": "path",
    # The same figures make the same file.
    "svg.hashsalt": "upcard",
}


PICTURES = (".svg", ".png", ".pdf")
"""Endings of files that hold a drawing."""
PIXELS_PER_INCH = 160
MOST_ACROSS = 2
"""Panels beside each other."""
PANEL_ROOM = 0.09
"""Inches around a panel."""


@dataclass(frozen=True)
class DrawnPanel:
    """One part of a drawing: what it is of, and what `paint(axes)` draws."""

    title: str
    paint: Paint


def drawn(paint: Paint, *, width: float = 6.4, height: float = 3.4, ending: str = ".svg") -> bytes:
    """What `paint(axes)` draws, in inches, as an SVG, a PNG or a PDF."""
    return _saved(lambda figure: paint(figure.add_subplot()), width, height, ending)


def drawn_panels(
    panels: Sequence[DrawnPanel],
    *,
    title: str,
    caption: str = "",
    width: float = 4.8,
    height: float = 3.0,
    ending: str = ".svg",
) -> bytes:
    """Panels of one size under a title, with what they hold for below them; one alone is wider."""
    across = min(MOST_ACROSS, len(panels))
    down = -(-len(panels) // across)
    whole = 6.4 if across == 1 else width * across

    def paint(figure: Figure) -> None:
        figure.set_layout_engine("constrained", h_pad=PANEL_ROOM, w_pad=PANEL_ROOM)
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.0, fontweight="bold")
        if caption:
            words = _wrapped(caption, whole)
            figure.supxlabel(words, x=0.01, ha="left", fontsize=6.5, color=QUIET)
        for number, panel in enumerate(panels, 1):
            axes = figure.add_subplot(down, across, number)
            axes.set_title(panel.title, loc="left", fontsize=8.5)
            panel.paint(axes)

    return _saved(paint, whole, height * down + 0.7, ending)


def check_drawing(ending: str) -> None:
    """Refuse a picture that could not be drawn, before any work is done."""
    if ending in PICTURES:
        _matplotlib()


LETTERS_PER_INCH = 21.0
"""Of captions, at the least."""


def _wrapped(text: str, width: float) -> str:
    return "\n".join(
        line
        for part in text.split("\n")
        for line in textwrap.wrap(part, round(width * LETTERS_PER_INCH))
    )


def _saved(paint: Callable[[Figure], None], width: float, height: float, ending: str) -> bytes:
    matplotlib = _matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure: Figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure)
        file = io.BytesIO()
        kind = ending.removeprefix(".")
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        figure.savefig(file, format=kind, metadata=metadata, dpi=PIXELS_PER_INCH)
    return file.getvalue()


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise UpcardError(
            "pictures are drawn with matplotlib, which is not installed: "
            "pip install 'upcard[reports]'"
        ) from None
    return matplotlib
