"""A round as a picture: the table with its cards, totals, lights, and what can be done."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from upcard.envs.canvas import Canvas, Colour, fitted, text_width
from upcard.envs.round_text import staked_text
from upcard.envs.shown import ShownCard, ShownHand, ShownRound
from upcard.money import format_cents

WIDTH, HEIGHT = 640, 400
MARGIN = 24
CARD_WIDTH, CARD_HEIGHT = 56, 80
CARD_STEP = 64
"""From card to card where there is room."""
DEALER_TOP, HANDS_TOP, BAR_TOP = 62, 204, 352
LIGHT_SIZE = 12

FELT: Colour = (18, 97, 66)
RAIL: Colour = (66, 40, 24)
SHADOW: Colour = (8, 52, 35)
PAPER: Colour = (250, 248, 240)
EDGE: Colour = (198, 194, 182)
BLACK: Colour = (28, 30, 36)
RED: Colour = (196, 30, 44)
BACK: Colour = (38, 66, 130)
PATTERN: Colour = (98, 130, 196)
GOLD: Colour = (246, 200, 76)
CHALK: Colour = (226, 236, 228)
PALE: Colour = (150, 194, 170)
BAR: Colour = (10, 62, 42)
WON: Colour = (128, 230, 140)
LOST: Colour = (255, 138, 122)


def picture(found: ShownRound) -> npt.NDArray[np.uint8]:
    """Rows of pixels, each red, green and blue; always of the same size."""
    canvas = Canvas(WIDTH, HEIGHT, RAIL)
    canvas.box(8, 8, WIDTH - 16, HEIGHT - 16, colour=SHADOW, radius=20)
    canvas.box(10, 10, WIDTH - 20, HEIGHT - 20, colour=FELT, radius=18)
    _title(canvas, found)
    _dealer(canvas, found)
    room = (WIDTH - 2 * MARGIN) / max(1, len(found.hands))
    for number, hand in enumerate(found.hands):
        _hand(canvas, hand, MARGIN + room * (number + 0.5), room)
    _bar(canvas, found)
    return canvas.finished()


def _title(canvas: Canvas, found: ShownRound) -> None:
    lights = found.lights * (LIGHT_SIZE + 6)
    room = WIDTH - 2 * MARGIN - lights - (12 if lights else 0)
    canvas.text(fitted(found.name, room, 13), MARGIN, 24, 13, GOLD)
    for light in range(found.lights):
        left = WIDTH - MARGIN - lights + light * (LIGHT_SIZE + 6) + 6
        is_lit = light < found.lit
        if is_lit:
            canvas.shape("disc", left - 2, 22, LIGHT_SIZE + 4, (150, 150, 70))
        canvas.shape("disc", left, 24, LIGHT_SIZE, GOLD if is_lit else SHADOW)


def _dealer(canvas: Canvas, found: ShownRound) -> None:
    canvas.centred("Dealer", WIDTH / 2, DEALER_TOP - 16, 10, PALE)
    _row(canvas, found.dealer, found.hidden, WIDTH / 2, DEALER_TOP, WIDTH - 2 * MARGIN)
    if found.dealer_result:
        canvas.centred(found.dealer_result, WIDTH / 2, DEALER_TOP + CARD_HEIGHT + 9, 13, CHALK)


def _hand(canvas: Canvas, hand: ShownHand, middle: float, room: float) -> None:
    if hand.active:
        wide = min(room - 6, _row_width(len(hand.cards), room - 24) + 20)
        canvas.box(
            middle - wide / 2, HANDS_TOP - 10, round(wide), CARD_HEIGHT + 20, colour=GOLD, radius=12
        )
        canvas.box(
            middle - wide / 2 + 2,
            HANDS_TOP - 8,
            round(wide) - 4,
            CARD_HEIGHT + 16,
            colour=FELT,
            radius=10,
        )
    _row(canvas, hand.cards, 0, middle, HANDS_TOP, room - 24)
    words = fitted(f"{hand.total} over" if hand.bust else hand.total, room - 8, 16)
    top = HANDS_TOP + CARD_HEIGHT + 17
    colour = LOST if hand.bust else GOLD if hand.active else CHALK
    canvas.centred(words, middle, top, 16, colour)
    if staked := staked_text(hand):
        canvas.centred(fitted(staked, room - 8, 10), middle, top + 24, 10, PALE)


def _row_width(cards: int, room: float) -> float:
    return CARD_WIDTH + _step(cards, room) * max(0, cards - 1)


def _step(cards: int, room: float) -> float:
    """From card to card: they overlap where there are many."""
    return min(CARD_STEP, (room - CARD_WIDTH) / (cards - 1)) if cards > 1 else 0


def _row(
    canvas: Canvas,
    cards: tuple[ShownCard, ...],
    hidden: int,
    middle: float,
    top: float,
    room: float,
) -> None:
    count = len(cards) + hidden
    left = middle - _row_width(count, room) / 2
    for place in range(count):
        at = left + place * _step(count, room)
        if place < len(cards):
            _card(canvas, cards[place], at, top)
        else:
            _back(canvas, at, top)


def _blank(canvas: Canvas, left: float, top: float, edge: Colour) -> None:
    canvas.box(
        left + 1, top + 2, CARD_WIDTH + 2, CARD_HEIGHT + 2, colour=SHADOW, radius=8, strength=0.6
    )
    canvas.box(left, top, CARD_WIDTH, CARD_HEIGHT, colour=edge, radius=7)


def _card(canvas: Canvas, shown: ShownCard, left: float, top: float) -> None:
    _blank(canvas, left, top, GOLD if shown.marked else EDGE)
    inset = 3 if shown.marked else 1
    canvas.box(
        left + inset,
        top + inset,
        CARD_WIDTH - 2 * inset,
        CARD_HEIGHT - 2 * inset,
        colour=PAPER,
        radius=7 - inset,
    )
    card = shown.card
    colour = RED if card.suit in "hd" else BLACK
    rank = "10" if card.rank == "T" else card.rank
    canvas.text(rank, left + 8, top + 8, 17, colour)
    canvas.shape(card.suit, left + 7, top + 31, 13, colour)
    canvas.shape(card.suit, left + 22, top + 42, 28, colour)


def _back(canvas: Canvas, left: float, top: float) -> None:
    _blank(canvas, left, top, EDGE)
    canvas.box(left + 1, top + 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, colour=PAPER, radius=6)
    canvas.box(left + 4, top + 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, colour=BACK, radius=4)
    for row in range(6):
        for column in range(4):
            canvas.shape("d", left + 6 + column * 11.5, top + 6 + row * 11.6, 10, PATTERN)


def _bar(canvas: Canvas, found: ShownRound) -> None:
    canvas.box(MARGIN - 6, BAR_TOP - 4, WIDTH - 2 * MARGIN + 12, 32, colour=BAR, radius=10)
    if found.is_over:
        parts = [(name, net) for name, net in found.nets.items() if net or name == "base"]
        total = sum(found.nets.values())
        colour = WON if total > 0 else LOST if total < 0 else CHALK
        words = ", ".join(f"{name} {format_cents(net)}" for name, net in parts)
        at = MARGIN + 6 + canvas.text("over", MARGIN + 6, BAR_TOP + 6, 12, PALE)
    else:
        colour = CHALK
        words = ", ".join(action.text for action in found.legal)
        at = MARGIN + 6 + canvas.text(found.phase.text, MARGIN + 6, BAR_TOP + 6, 12, PALE)
    room = WIDTH - MARGIN - 6 - at - 12
    words = fitted(words, room, 12)
    canvas.text(words, WIDTH - MARGIN - 6 - text_width(words, 12), BAR_TOP + 6, 12, colour)
