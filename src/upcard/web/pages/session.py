"""What the coach judged: how many decisions were right, what the others cost, the worst hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from upcard.coach import together
from upcard.text import counted
from upcard.web import words
from upcard.web.cards import draw_card, draw_shown
from upcard.web.dom import link, tag
from upcard.web.figures import figures

if TYPE_CHECKING:
    from upcard.coach import Summary
    from upcard.coach.review import JudgedHand
    from upcard.service.reviewing import Found

SHOWN = 6
"""Worst hands that a page shows."""


class Reviewed(NamedTuple):
    """Sessions in figures, at which tables the worst hands were, and whether all is judged."""

    summary: Summary
    tables: dict[JudgedHand, str]
    whole: bool = True


def reviewed(found: Mapping[str, Found]) -> Reviewed:
    """The reviews of some tables as one."""
    return Reviewed(
        together(one.review for one in found.values()).summary(),
        {hand: table for table, one in found.items() for hand in one.review.worst},
        all(one.whole for one in found.values()),
    )


def summary_part(found: Reviewed) -> None:
    """The session in figures, by kind, and its worst hands."""
    summary = found.summary
    if not summary.decisions:
        tag(
            "p",
            "Nothing is judged yet. Whatever you decide at a table is compared with the exact "
            "values here, whether the coach is on or not.",
            "soft",
        )
        return
    if not found.whole:
        tag("p", "This is a long record: not all of it is judged yet. Look again.", "notice small")
    right = summary.right / summary.decisions
    figures(
        ("Right decisions", words.percent(right), f"{summary.right} of {summary.decisions}"),
        ("Mistakes cost", words.money(summary.cost), "on average"),
        ("Cost of 100 hands", words.money(summary.cost_per_100_hands), ""),
    )
    with tag("div", None, "two below"):
        with tag("div", None, "scroll"), tag("table", None, "rows"):
            tag("caption", "Decisions by kind", "hidden-words")
            with tag("thead"), tag("tr"):
                tag("th", "Kind", scope="col")
                for title in ("Decisions", "Right", "Cost"):
                    tag("th", title, "number", scope="col")
            with tag("tbody"):
                for one in summary.kinds:
                    with tag("tr"):
                        tag("td", one.kind)
                        tag("td", str(one.decisions), "number")
                        tag("td", words.percent(one.right / one.decisions), "number")
                        tag("td", words.money(one.cost), "number")
        with tag("ul", None, "stack-small", testid="worst-hands"):
            for hand in summary.worst[:SHOWN]:
                _worst(hand, found.tables.get(hand, ""))
            if not summary.worst:
                tag("li", "No mistakes so far.", "soft")


def _worst(hand: JudgedHand, table: str) -> None:
    with tag("li", None, "mistake"):
        with tag("div", None, "mini"):
            for card in hand.cards:
                draw_card(card)
            tag("span", "against", "soft small")
            draw_shown(hand.up)
        with tag("p", None, "small"):
            tag("span", f"{hand.total}: {hand.taken}, where {hand.best} was best; ")
            tag("strong", f"{words.money(hand.cost)} ({hand.cost_percent:.2f}% of the wager)")
            if table:
                tag("span", " ")
                link(f"Round {hand.round}", f"/table/{quote(table)}/round/{hand.round}")


def review_words(summary: Summary) -> str:
    """A session in one sentence."""
    if not summary.decisions:
        return "Nothing is judged yet."
    return (
        f"{summary.right} of {counted(summary.decisions, 'decision')} were right; the others cost "
        f"{words.money(summary.cost)} on average."
    )
