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


class PagerPage(NamedTuple):
    """A page: its lines for a width and what is searched for.

    So many `choices` stand below `head` lines that stay where they are, one line each. Enter opens
    the page of the chosen one, or ends with it where it has none.
    """

    title: str
    lines: Callable[[int, str], Block]
    searchable: bool = False
    at_end: bool = False
    choices: int = 0
    opens: Sequence[PagerPage] = ()
    head: int = 0


class Pager:
    """Shows pages until the person goes back to the table.

    Without tabs only the page that is open is named; left and right go to its neighbours.
    """

    def __init__(
        self,
        screen: Screen,
        keyboard: Keyboard,
        pages: Sequence[PagerPage],
        *,
        leave: str = "back",
        tabs: bool = True,
    ) -> None:
        self.has_tabs = tabs and len(pages) > 1
        self.leave = leave
        self.screen = screen
        self.keyboard = keyboard
        self.pages = pages
        self.number = 0
        self.top = 0
        self.query = ""
        self.typing = False
        self.most = 0
        self.chosen = 0

    @property
    def page(self) -> PagerPage:
        return self.pages[self.number]

    def run(self, number: int = 0, chosen: int | None = None) -> int | None:
        """Show pages until the person leaves (None) or makes a choice."""
        self.turn_to(number)
        self.chosen = self.chosen if chosen is None else chosen
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
            elif key == keys.ENTER and self.page.choices:
                if not self.page.opens:
                    return self.chosen
                Pager(self.screen, self.keyboard, self.page.opens, tabs=False).run(self.chosen)
            elif key in (keys.ESCAPE, keys.ENTER, "q", "?", "v"):
                return None
            else:
                self.move(key)

    def turn_to(self, number: int) -> None:
        self.number = number % len(self.pages)
        self.top = 10**9 if self.page.at_end else 0
        self.chosen = max(0, self.page.choices - 1) if self.page.at_end else 0

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
        if key in steps and self.page.choices:
            self.chosen = min(max(0, self.chosen + steps[key]), self.page.choices - 1)
        elif key in steps:
            self.top = min(max(0, self.top + steps[key]), self.most)
        elif key in (keys.LEFT, keys.RIGHT):
            self.turn_to(self.number + (1 if key == keys.RIGHT else -1))
        elif self.has_tabs and key.isdecimal() and 1 <= int(key) <= len(self.pages):
            self.turn_to(int(key) - 1)
        elif key == "/" and any(page.searchable for page in self.pages):
            self.turn_to(next(n for n, page in enumerate(self.pages) if page.searchable))
            self.typing, self.query = True, ""

    # -------------------------------------------------------------- drawing

    def draw(self) -> None:
        width, height = self.screen.size
        page = self.page
        lines = page.lines(width - 4, self.query if page.searchable else "")
        head, lines = lines[: page.head], lines[page.head :]
        room = max(1, height - 4 - len(head))
        self.most = max(0, len(lines) - room)
        if page.choices:
            lines[self.chosen] = lines[self.chosen].copy()
            lines[self.chosen].stylize_before(self.screen.paint.colours.chosen)
            self.top = min(max(self.top, self.chosen - room + 1), self.chosen)
        self.top = min(self.top, self.most)
        shown = lines[self.top : self.top + room]
        shown += [Text()] * (room - len(shown))
        body = [Text("  ").append_text(line) for line in (*head, *shown)]
        self.screen.show_text([self.tabs(width), Text(), *body, *self.foot(width)])

    def tabs(self, width: int) -> Text:
        colours = self.screen.paint.colours
        text = Text(" ")
        if not self.has_tabs:
            return fitted(text.append(f" {self.page.title} ", colours.turn), width)
        for number, page in enumerate(self.pages):
            style = colours.turn if number == self.number else colours.quiet
            text.append(f" {number + 1} {page.title} ", style).append(" ")
        return fitted(text, width)

    def foot(self, width: int) -> Block:
        paint = self.screen.paint
        rule = Text(paint.glyphs.rule * width, paint.colours.quiet)
        if self.typing:
            ask = Text(" search: ", paint.colours.key).append(f"{self.query}_")
            return [rule, ask.append("   Enter keeps it, Esc shows all", paint.colours.quiet)]
        pairs = [("Esc", self.leave), ("up down", "scroll")]
        if self.page.choices:
            pairs[1:] = [
                ("up down", "choose"),
                ("Enter", "open" if self.page.opens else "go there"),
            ]
        if len(self.pages) > 1:
            pairs.insert(1, ("left right", "page"))
        if any(page.searchable for page in self.pages):
            pairs.append(("/", "search the rules"))
        part = f"{self.top + 1}+" if self.most else ""
        keys_text = Text(" ").append_text(Text("   ").join(paint.keys(pairs)))
        return [rule, apart(keys_text, Text(f"{part} ", paint.colours.quiet), width)]
