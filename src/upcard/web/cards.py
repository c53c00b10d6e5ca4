"""Cards for pages beside the felt, drawn as the felt draws them."""

from __future__ import annotations

from upcard.cards import Card
from upcard.web.dom import tag
from upcard.web.felt import FeltCard, felt_head

FACE_DOWN = "??"


def draw_card(text: str, mark: str = "") -> None:
    """A card face up; `mark` is what is printed on a marked one."""
    _draw(str(Card.parse(text)), mark)


def draw_back() -> None:
    """A card face down, with the mark of the house."""
    _draw(FACE_DOWN)


def _draw(card: str, mark: str = "") -> None:
    felt_head()
    with tag("div", None, "playing"):
        FeltCard(card, mark)
