"""Pages of text over the table: scrolled, changed and searched with keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.paint import Block, apart, fitted

if TYPE_CHECKING:
    from upcard.cli.play.keys import Keyboard
    from upcard.cli.play.screen import Screen


class QuitError(Exception):
    """The person leaves the table for now; everything is saved."""


class Page(NamedTuple):
    """A page: its lines for a width and what is searched for."""

    title: str
    lines: Callable[[int, str], Block]
    searchable: bool = False
    at_end: bool = False


class Pager:
    """Shows pages until the person goes back to the table."""

    def __init__(
        self, screen: Screen, keyboard: Keyboard, pages: Sequence[Page], *, leave: str = "back"
    ) -> None:
        self.leave = leave
        self.screen = screen
        self.keyboard = keyboard
        self.pages = pages
        self.number = 0
        self.top = 0
        self.query = ""
        self.typing = False
        self.most = 0

    def run(self, number: int = 0) -> None:
        self.turn_to(number)
        while True:
            self.draw()
            try:
                key = self.keyboard.read()
            except EOFError:
                raise QuitError from None
            if key == keys.INTERRUPT:
                raise QuitError
            if self.typing:
                self.type(key)
            elif key in (keys.ESCAPE, keys.ENTER, "q", "?", "v"):
                return
            else:
                self.move(key)

    def turn_to(self, number: int) -> None:
        self.number = number % len(self.pages)
        self.top = 10**9 if self.pages[self.number].at_end else 0

    def type(self, key: str) -> None:
        """Keys while a word is typed that is searched for."""
        if key in (keys.ENTER, keys.ESCAPE):
            self.typing = False
            if key == keys.ESCAPE:
                self.query = ""
        elif key == keys.BACKSPACE:
            self.query = self.query[:-1]
        elif len(key) == 1:
            self.query += key
        self.top = 0

    def move(self, key: str) -> None:
        room = max(1, self.screen.size[1] - 4)
        steps = {
            keys.UP: -1,
            keys.DOWN: 1,
            keys.PAGE_UP: -room,
            keys.PAGE_DOWN: room,
            " ": room,
            keys.HOME: -(10**9),
            keys.END: 10**9,
        }
        if key in steps:
            self.top = min(max(0, self.top + steps[key]), self.most)
        elif key in (keys.LEFT, keys.RIGHT):
            self.turn_to(self.number + (1 if key == keys.RIGHT else -1))
        elif key.isdecimal() and 1 <= int(key) <= len(self.pages):
            self.turn_to(int(key) - 1)
        elif key == "/" and any(page.searchable for page in self.pages):
            self.turn_to(next(n for n, page in enumerate(self.pages) if page.searchable))
            self.typing, self.query = True, ""

    # -------------------------------------------------------------- drawing

    def draw(self) -> None:
        width, height = self.screen.size
        page = self.pages[self.number]
        lines = page.lines(width - 4, self.query if page.searchable else "")
        room = max(1, height - 4)
        self.most = max(0, len(lines) - room)
        self.top = min(self.top, self.most)
        shown = lines[self.top : self.top + room]
        shown += [Text()] * (room - len(shown))
        body = [Text("  ").append_text(line) for line in shown]
        self.screen.show_text([self.tabs(width), Text(), *body, *self.foot(width)])

    def tabs(self, width: int) -> Text:
        colours = self.screen.paint.colours
        text = Text(" ")
        for number, page in enumerate(self.pages):
            style = colours.turn if number == self.number else colours.quiet
            name = f" {number + 1} {page.title} " if len(self.pages) > 1 else f" {page.title} "
            text.append(name, style).append(" ")
        return fitted(text, width)

    def foot(self, width: int) -> Block:
        paint = self.screen.paint
        rule = Text(paint.glyphs.rule * width, paint.colours.quiet)
        if self.typing:
            ask = Text(" search: ", paint.colours.key).append(f"{self.query}_")
            return [rule, ask.append("   Enter keeps it, Esc shows all", paint.colours.quiet)]
        pairs = [("Esc", self.leave), ("up down", "scroll")]
        if len(self.pages) > 1:
            pairs.insert(1, ("left right", "page"))
        if any(page.searchable for page in self.pages):
            pairs.append(("/", "search the rules"))
        part = f"{self.top + 1}+" if self.most else ""
        keys_text = Text(" ").append_text(Text("   ").join(paint.keys(pairs)))
        return [rule, apart(keys_text, Text(f"{part} ", paint.colours.quiet), width)]
