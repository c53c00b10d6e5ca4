"""The drawings of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from upcard.money import CENTS_PER_DOLLAR
from upcard.papers.drawing import INK, LINES, QUIET, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from upcard.papers.removal import WagerRemoval
    from upcard.simulate.figures import SessionFigures

WIN, LOSS, EVEN = "#0d5b45", "#b3202c", "#8a8a8f"


def _powers_as_shares(axes: Axes) -> None:
    """Powers of ten as 10%, 1%, 0.1%."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.yaxis.set_major_locator(LogLocator(10.0))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.6g}%"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def round_picture(results: Mapping[float, float]) -> str:
    """How rounds end: chances by net result, in base wagers."""
    low, high = min(results), max(results)
    step = max(0.05, (high - low) / 160)

    def paint(axes: Axes) -> None:
        for result, chance in results.items():
            colour = WIN if result > 0 else LOSS if result < 0 else EVEN
            axes.bar(result, chance, width=max(step, 0.12), color=colour)
        axes.set_xlabel("net result of a round, in base wagers")
        axes.set_ylabel("probability")
        axes.set_yscale("log")
        _powers_as_shares(axes)
        axes.set_ylim(max(1e-7, min(0.01, 0.5 * min(results.values()))), 1.0)
        axes.grid(axis="x", visible=False)

    return drawn(paint, height=2.6).decode()


def session_picture(found: SessionFigures) -> str:
    """A fan of quantiles over a session, in dollars."""
    rounds = [0, *(number for number, _ in found.path)]

    def line(share: float) -> list[float]:
        return [0.0, *(quantiles[share].value / CENTS_PER_DOLLAR for _, quantiles in found.path)]

    def paint(axes: Axes) -> None:
        axes.fill_between(rounds, line(0.05), line(0.95), color=LINES[0], alpha=0.14, linewidth=0)
        axes.fill_between(rounds, line(0.25), line(0.75), color=LINES[0], alpha=0.28, linewidth=0)
        axes.plot(rounds, line(0.5), color=LINES[0])
        for share in (0.05, 0.25, 0.75, 0.95):
            axes.plot(rounds, line(share), color=LINES[0], linewidth=0.5)
        for share in (0.05, 0.25, 0.5, 0.75, 0.95):
            axes.annotate(
                f"{share:.0%}",
                (rounds[-1], line(share)[-1]),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
                color=QUIET,
            )
        axes.axhline(0, color=INK, linewidth=0.6)
        axes.set_xlim(0, rounds[-1])
        axes.set_xlabel("rounds")
        axes.set_ylabel("net result in dollars")

    return drawn(paint, height=2.8).decode()


def removal_picture(wagers: Sequence[WagerRemoval]) -> str:
    """What wagers gain when one card is gone, in per cent of the wager."""
    names = list(wagers[0].effects)
    width = 0.8 / len(wagers)

    def paint(axes: Axes) -> None:
        for number, wager in enumerate(wagers):
            places = [place + (number - (len(wagers) - 1) / 2) * width for place in _row(names)]
            heights = [100 * effect for effect in wager.effects.values()]
            colour = LINES[number % len(LINES)]
            axes.bar(places, heights, width=width * 0.92, color=colour, label=wager.name)
        axes.axhline(0, color=INK, linewidth=0.6)
        axes.set_xticks(list(_row(names)), names)
        axes.set_xlabel("card removed")
        axes.set_ylabel("effect, per cent of the wager")
        axes.grid(axis="x", visible=False)
        if len(wagers) > 1:
            axes.legend(fontsize=7, ncols=min(4, len(wagers)))

    return drawn(paint, height=2.5).decode()


def _row(names: Sequence[str]) -> range:
    return range(len(names))


def up_card_picture(by_up: Mapping[str, float]) -> str:
    """What a round is worth by what the dealer shows."""

    def paint(axes: Axes) -> None:
        values = [100 * ev for ev in by_up.values()]
        colours = [WIN if value > 0 else LOSS for value in values]
        axes.bar(list(by_up), values, width=0.6, color=colours)
        axes.axhline(0, color=INK, linewidth=0.6)
        axes.set_xlabel("up card")
        axes.set_ylabel("EV, per cent of the base wager")
        axes.grid(axis="x", visible=False)

    return drawn(paint, height=2.2).decode()


def hands_picture(rows: Sequence[str], columns: Sequence[str], values: list[list[float]]) -> str:
    """A heat map without figures, for a game of many up cards."""
    import numpy as np

    def paint(axes: Axes) -> None:
        shown = np.array(values)
        image = axes.imshow(shown, cmap="RdYlGn", vmin=-1.0, vmax=1.0, aspect="auto")
        axes.set_xticks(range(len(columns)), columns, rotation=90, fontsize=4.5)
        axes.set_yticks(range(len(rows)), rows, fontsize=4.5)
        axes.grid(visible=False)
        axes.set_xlabel("what the dealer shows")
        axes.set_ylabel("first two cards")
        figure = axes.get_figure()
        assert figure is not None
        bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02)
        bar.set_label("EV in base wagers", fontsize=7)
        bar.ax.tick_params(labelsize=6)

    return drawn(paint, width=6.6, height=7.6).decode()
