"""Cards for pages beside the felt, drawn as the felt draws them."""

from __future__ import annotations

from collections.abc import Mapping

from upcard.cards import Card
from upcard.compile.shows import cards_in, told_in
from upcard.web.dom import tag
from upcard.web.felt import FeltCard, felt_head

FACE_DOWN = "??"


def draw_card(text: str, mark: str = "") -> None:
    """A card face up; `mark` is what is printed on a marked one."""
    _draw(str(Card.parse(text)), mark)


def draw_shown(text: str, marks: Mapping[str, str] | None = None) -> None:
    """What the dealer shows: its cards that lie face up, and what is told of another."""
    for card in cards_in(text):
        draw_card(card, (marks or {}).get(card, ""))
    if told := told_in(text):
        tag("span", f"over {told}", "soft small")


def draw_back() -> None:
    """A card face down, with the mark of the house."""
    _draw(FACE_DOWN)


def _draw(card: str, mark: str = "") -> None:
    felt_head()
    with tag("div", None, "playing"):
        FeltCard(card, mark)
