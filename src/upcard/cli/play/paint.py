"""Paint: glyphs, colours, cards, chips, and blocks of text put side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.compile.shows import OVER, cards_in, told_in
from upcard.money import format_cents
from upcard.text import printable

if TYPE_CHECKING:
    from rich.console import Console

Block = list[Text]
"""Lines of a part of the screen."""

HIDDEN = "??"
RED_SUITS = "hd"
LINES, TALL_LINES = 3, 5
"""How high cards are."""


@dataclass(frozen=True)
class Glyphs:
    """The characters that pictures are made of."""

    suits: dict[str, str]
    corners: str
    line: str
    side: str
    back: str
    star: str
    chip: str
    lit: str
    unlit: str
    turn: str
    full: str
    empty: str
    rule: str
    dot: str
    minus: str
    bank: str
    more: str


PRETTY = Glyphs(
    suits={"s": "♠", "h": "♥", "d": "♦", "c": "♣"},
    corners="╭╮╰╯┬┴",
    line="─",
    side="│",
    back="▒",
    star="★",
    chip="●",
    lit="●",
    unlit="○",
    turn="▶",
    full="█",
    empty="░",
    rule="─",
    dot="·",
    minus="-",
    bank="(B)",
    more="…",
)
PLAIN = Glyphs(
    suits={"s": "s", "h": "h", "d": "d", "c": "c"},
    corners="++++++",
    line="-",
    side="|",
    back="#",
    star="*",
    chip="o",
    lit="*",
    unlit=".",
    turn=">",
    full="#",
    empty=".",
    rule="-",
    dot="-",
    minus="-",
    bank="(B)",
    more="~",
)


@dataclass(frozen=True)
class Colours:
    """Styles by what they are for."""

    felt: str
    bar: str
    quiet: str
    strong: str
    own: str
    turn: str
    key: str
    good: str
    bad: str
    even: str
    clause: str
    card: str
    red_card: str
    edge: str
    back: str
    pick: str
    marked: str
    marked_edge: str
    lamp: str
    chosen: str


FELT = Colours(
    felt="grey93 on #12372a",
    bar="bold grey93 on #0a2018",
    quiet="#9db8a8",
    strong="bold white",
    own="bold #ffe08a",
    turn="bold black on #ffd75f",
    key="bold #ffd75f",
    good="bold #7dff9b",
    bad="bold #ff8f7d",
    even="bold #8fd0ff",
    clause="#8fd0ff",
    card="bold black on grey93",
    red_card="bold #c00000 on grey93",
    edge="grey62 on grey93",
    back="#7f9fe0 on #22408a",
    pick="bold #ffe08a on #22408a",
    marked="bold black on #ffd75f",
    marked_edge="#8a6d00 on #ffd75f",
    lamp="bold #ffd75f",
    chosen="bold white on #1f5c46",
)
"""For terminals with all colours."""

NIGHT = replace(
    FELT, felt="grey93 on #262626", bar="bold grey93 on #121212", chosen="bold white on #444444"
)
"""For terminals with 256 colours, whose darkest green is too bright for a table."""

MODEST = Colours(
    felt="",
    bar="reverse",
    quiet="dim",
    strong="bold",
    own="bold yellow",
    turn="reverse",
    key="bold yellow",
    good="bold green",
    bad="bold red",
    even="bold cyan",
    clause="cyan",
    card="bold",
    red_card="bold red",
    edge="",
    back="blue",
    pick="bold yellow",
    marked="bold yellow",
    marked_edge="yellow",
    lamp="bold yellow",
    chosen="reverse",
)
"""For terminals with few colours or none."""

_CHIPS = (
    (100_000, "bold #ffb347"),
    (50_000, "bold #c58fff"),
    (10_000, "bold #5fafff"),
    (2_500, "bold #49d17a"),
    (500, "bold #ff5f5f"),
    (100, "bold #f4f4f4"),
)
"""Chips by value in cents. The usual black would not be seen on dark ground, so $100 is blue."""


class Paint:
    """Draws the small things. `marked` are the cards that carry a mark in this game."""

    def __init__(self, console: Console, marked: frozenset[str] = frozenset()) -> None:
        can_draw = console.encoding.lower().replace("-", "").startswith("utf")
        self.glyphs = PRETTY if can_draw else PLAIN
        palettes = {"truecolor": FELT, "256": NIGHT}
        system = "" if console.no_color else console.color_system or ""
        self.colours = palettes.get(system, MODEST)
        self.marked = marked
        self.console = console

    def wrapped(self, text: Text, width: int) -> Block:
        """A text in lines, broken between words."""
        return list(text.wrap(self.console, max(8, width))) if text.plain else []

    # -------------------------------------------------------------- money

    def chips(self, cents: int, most: int = 3) -> Text:
        """A stack of chips with its amount."""
        text = Text()
        left = cents
        for value, style in _CHIPS:
            while left >= value and len(text) < most:
                text.append(self.glyphs.chip, style)
                left -= value
        return text.append(" " if text else "").append(format_cents(cents), self.colours.strong)

    def change(self, cents: int, even: str = "push") -> Text:
        """What was won or lost, with its sign."""
        colours = self.colours
        if cents == 0:
            return Text(even, colours.even)
        sign, style = ("+", colours.good) if cents > 0 else (self.glyphs.minus, colours.bad)
        return Text(f"{sign}{format_cents(abs(cents))}", style)

    # -------------------------------------------------------------- cards

    def face(self, card: str) -> str:
        rank = "10" if card[0] == "T" else card[0]
        return rank + self.glyphs.suits[card[1]]

    def shown(self, text: str) -> str:
        """What the dealer shows: its cards, and what is told of the one that lies face down."""
        cards, told = " ".join(map(self.face, cards_in(text))), told_in(text)
        return f"{cards}{OVER}{told}" if told else cards

    def card_style(self, card: str) -> str:
        if card in self.marked:
            return self.colours.marked
        return self.colours.red_card if card[1] in RED_SUITS else self.colours.card

    def word(self, card: str) -> Text:
        """A card on a line of text."""
        if card == HIDDEN:
            return Text(self.glyphs.back * 2, self.colours.back)
        star = self.glyphs.star if card in self.marked else ""
        return Text(self.face(card) + star, self.card_style(card))

    def words(self, cards: Iterable[str]) -> Text:
        return Text(" ").join(self.word(card) for card in cards)

    def fan(
        self, cards: Sequence[str], *, numbers: Sequence[int] = (), tall: bool = False
    ) -> Block:
        """Cards that overlap. Down cards may have numbers to point at; a number of 0 is none.

        Without cards it is as many empty lines, so that nothing moves when the first one comes.
        """
        lines = [Text() for _ in range(TALL_LINES if tall else LINES)]
        for place, card in enumerate(cards):
            number = numbers[place] if place < len(numbers) else 0
            self._card(lines, card, number, first=place == 0, last=place == len(cards) - 1)
        return lines

    def _card(self, lines: Block, card: str, number: int, *, first: bool, last: bool) -> None:
        glyphs, colours = self.glyphs, self.colours
        tall = len(lines) == TALL_LINES
        hidden = card == HIDDEN
        edge = colours.back if hidden else colours.edge
        ink = colours.back if hidden else self.card_style(card)
        if card in self.marked:
            edge = colours.marked_edge
        inside = self._inside(card, number, tall=tall, last=last)
        width = len(inside[0])
        left, right, low_left, low_right, tee, low_tee = list(glyphs.corners)
        joint, low_joint = (left, low_left) if first or tall else (tee, low_tee)
        top = glyphs.line * width
        if card in self.marked:
            top = glyphs.star + glyphs.line * (width - 1)
        lines[0].append(joint + top + (right if last else ""), edge)
        for line, text in zip(lines[1:-1], inside, strict=True):
            middle = Text(text, ink)
            if hidden:
                middle.highlight_regex(r"\d", colours.pick)
            line.append(glyphs.side, edge).append_text(middle)
            line.append(glyphs.side if last else "", edge)
        bottom = glyphs.line * width + (low_right if last else "")
        lines[-1].append(low_joint + bottom, edge)

    def _inside(self, card: str, number: int, *, tall: bool, last: bool) -> list[str]:
        """The lines of a card within its edges."""
        back = self.glyphs.back
        shown = str(number) if number else back
        if card == HIDDEN:
            if not tall:
                return [back + shown]
            width = 5 if last else 3
            return [back * width, (back + shown).ljust(width, back), back * width]
        face = self.face(card)
        rank, suit = face[:-1], face[-1]
        if not tall:
            return [face]
        if last:
            return [rank.ljust(5), suit.center(5), rank.rjust(5)]
        return [rank.ljust(3), suit.ljust(3), "   "]

    # -------------------------------------------------------------- lamps and bars

    def lamps(self, lit: int, count: int) -> Text:
        text = Text().append(self.glyphs.lit * lit, self.colours.lamp)
        return text.append(self.glyphs.unlit * (count - lit), self.colours.quiet)

    def gauge(self, part: int, whole: int, width: int) -> Text:
        """How much of something is left."""
        full = -(-part * width // whole) if whole else 0
        text = Text(self.glyphs.full * full, self.colours.quiet)
        return text.append(self.glyphs.empty * (width - full), self.colours.quiet)

    def keys(self, pairs: Iterable[tuple[str, str]]) -> list[Text]:
        """Keys with what they do."""
        return [Text.assemble((key, self.colours.key), f" {what}") for key, what in pairs]


# ------------------------------------------------------------------ blocks


def width_of(block: Block) -> int:
    return max((line.cell_len for line in block), default=0)


def fitted(line: Text, width: int) -> Text:
    """A line of exactly this many columns, which does nothing to a terminal.

    Every line of a screen comes through here, with names that a record may have forged.
    """
    line = _printable(line, width)
    line.truncate(width, overflow="ellipsis", pad=True)
    return line


def _printable(line: Text, width: int) -> Text:
    """A copy whose text is as `printable` has it, in the same colours; its beginning will do."""
    if line.plain.isprintable():
        return line.copy()
    places = [place for place, sign in enumerate(line.plain) if not sign.isprintable()]
    if len(places) > width:
        line, places = line[: places[width]], places[:width]
    whole = line.blank_copy()
    for part in line.divide(sorted({*places, *(place + 1 for place in places)})):
        if part.plain.isprintable():
            whole.append_text(part)
        else:
            whole.append(printable(part.plain), part.spans[-1].style if part.spans else None)
    return whole


def beside(blocks: Sequence[Block], gap: int = 2) -> Block:
    """Blocks side by side, their tops in one line."""
    height = max((len(block) for block in blocks), default=0)
    lines = [Text() for _ in range(height)]
    for place, block in enumerate(blocks):
        width = width_of(block)
        last = place == len(blocks) - 1
        for number, line in enumerate(lines):
            part = block[number] if number < len(block) else Text()
            line.append_text(part)
            line.append(" " * (width - part.cell_len + (0 if last else gap)))
    return lines


def apart(left: Text, right: Text, width: int) -> Text:
    """One text at each end of a line; the left one gives way."""
    room = max(0, width - right.cell_len - 1)
    return fitted(left, room).append(" ").append_text(right)


def centred(block: Block, width: int) -> Block:
    """A block in the middle of a width, its lines still under each other."""
    return indented(block, (width - width_of(block)) // 2)


def indented(block: Block, by: int) -> Block:
    return [Text(" " * max(0, by)).append_text(line) for line in block]


def in_rows(parts: Sequence[Block], width: int, gap: int = 2) -> list[list[Block]]:
    """Blocks in as many rows as the width needs."""
    rows: list[list[Block]] = []
    used = 0
    for part in parts:
        need = width_of(part)
        if rows and used + gap + need <= width:
            rows[-1].append(part)
            used += gap + need
        else:
            rows.append([part])
            used = need
    return rows


def flowed(parts: Sequence[Text], width: int, gap: int = 2) -> Block:
    """Short texts one after the other, in as many lines as needed."""
    return [beside(row, gap)[0] for row in in_rows([[part] for part in parts], width, gap)]
