"""Drawings of figures in one style, as SVG: calm, readable in grey, lettered like the papers.

Matplotlib draws without a screen and without its global state, so that threads may draw too.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from upcard.errors import UpcardError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1c1c1e"
QUIET = "#5b5b60"
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
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "text.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.fonttype": "path",
    # The same figures make the same file.
    "svg.hashsalt": "upcard",
}


def drawn(paint: Any, *, width: float = 6.4, height: float = 3.4, ending: str = ".svg") -> bytes:
    """What `paint(axes)` draws, in inches, as an SVG, a PNG or a PDF."""
    matplotlib = _matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure: Figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        axes: Axes = figure.add_subplot()
        paint(axes)
        file = io.BytesIO()
        kind = ending.removeprefix(".")
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        figure.savefig(file, format=kind, metadata=metadata, dpi=160)
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
