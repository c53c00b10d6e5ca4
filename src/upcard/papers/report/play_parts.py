"""What a report says of play: the chart, hands that are better played otherwise, simpler play."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.pages.figures import percent
from upcard.papers import document as doc
from upcard.papers.chart_paper import chart_parts
from upcard.papers.report.cells import share, table
from upcard.papers.report.gathering import Figures
from upcard.solve.chart import Chart

MOST_DIFFERENCES = 40


def strategy(found: Figures) -> doc.PaperSection:
    """Basic play as a chart, where the best play differs, and what simpler play costs."""
    chart = found.chart
    parts: list[doc.Part] = [
        doc.Paragraph(
            "Optimal play looks at every card of the hand; basic play at its total and at what the "
            "dealer shows. The charts below are basic play."
        ),
        doc.PaperSection("Basic play", tuple(chart_parts(chart))),
        doc.PaperSection("What simpler play costs", tuple(_simpler(found))),
        doc.PaperSection("Where the best play differs", tuple(_differences(chart))),
    ]
    return doc.PaperSection("Strategy", tuple(parts))


def _simpler(found: Figures) -> Iterator[doc.Part]:
    priced = found.simplified
    rows: list[tuple[str, str, str]] = [("the best play", percent(priced.ev), "")]
    rows += [(play.words, percent(play.ev), share(play.cost)) for play in priced.plays]
    yield table(
        ("play", "EV", "gives up"),
        rows,
        "Simpler play, and what it gives up against the best, in per cent of the base wager.",
    )
    rule = found.chart.exchange
    if rule is not None:
        yield doc.Paragraph(
            f"By the best exchange with basic play, cards are exchanged in {share(rule.chance)} of "
            "the rounds. The strategy command prints the points of every hand."
        )


def _differences(chart: Chart) -> Iterator[doc.Part]:
    if not chart.differences:
        yield doc.Paragraph("No first two cards are better played by their cards.")
        return
    ordered = sorted(chart.differences, key=lambda one: -one.gain * one.chance)
    shown = ordered[:MOST_DIFFERENCES]
    rows = [
        (
            one.cards.replace(" ", ","),
            one.up,
            one.chart.text,
            one.better.text,
            share(one.gain),
            share(one.chance),
        )
        for one in shown
    ]
    more = len(ordered) - len(shown)
    rest = f", those that matter most; {more} more are in the command's output" if more else ""
    yield table(
        ("cards", "up", "chart", "better", "gain", "how often"),
        rows,
        f"First two cards that are better played by their cards{rest}.",
        left=4,
    )
