"""A record on the felt: the table as `upcard play` draws it, event by event, forwards and back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.betting import odds_words
from upcard.cli.play.pager import Pager, PagerPage, QuitError
from upcard.cli.play.paint import Block, apart, fitted
from upcard.cli.play.screen import QUIT_ONLY, Keys, Notes, Screen, Tally
from upcard.cli.play.tally import WinTally
from upcard.money import format_cents

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.cli.play.keys import Keyboard
    from upcard.cli.replay import Film
    from upcard.table.view import View

FEED = 60
"""So many of the last sentences are kept for the screen."""
MOVES = {
    **dict.fromkeys((keys.ENTER, " ", "n", keys.RIGHT, keys.DOWN), "next"),
    **dict.fromkeys(("b", keys.BACKSPACE, keys.LEFT, keys.UP), "back"),
    **dict.fromkeys(("r", keys.PAGE_DOWN), "next round"),
    **dict.fromkeys(("R", keys.PAGE_UP), "previous round"),
    keys.HOME: "first",
    keys.END: "end",
}
SHOWN: Keys = (
    ("Enter", "next"),
    ("b", "back"),
    ("page down", "next round"),
    ("page up", "previous round"),
)
MORE: Keys = (
    ("g", "to a round"),
    ("e", "to an event"),
    ("?", "keys"),
    ("v", "list"),
    ("q", "quit"),
)
ALL_KEYS = (
    ("Enter, space, n", "the next event; right and down do the same"),
    ("b, backspace", "the event before; left and up do the same"),
    ("page down, r", "the beginning of the next round"),
    ("page up, R", "the beginning of this round, then of the one before"),
    ("home, end", "the first event, the last"),
    ("g", "type the number of a round"),
    ("e", "type the number of an event"),
    ("v", "all events as a list; Enter goes to the chosen one"),
    ("q, Ctrl-C", "quit"),
)


def walk(film: Film, first: int, keyboard: Keyboard, console: Console) -> None:
    """Show the table after one event after the other, as the keys say."""
    try:
        _Walk(film, first, keyboard, console).run()
    except (EOFError, QuitError):
        return


class _Walk:
    """Where somebody stands in a record, and what the last key led to."""

    def __init__(self, film: Film, first: int, keyboard: Keyboard, console: Console) -> None:
        self.film = film
        self.place = first
        self.last = len(film.steps) - 1
        self.keyboard = keyboard
        self.screen = Screen(console, film.engine.tables)
        self.aside = ""
        self.asked = ""
        self.tallies = _tallies(film)

    def run(self) -> None:
        """Until somebody quits, which raises QuitError."""
        while True:
            self.draw(SHOWN, MORE)
            key = self._read()
            self.aside = ""
            if key in MOVES:
                self.move(MOVES[key])
            elif key == "g":
                self.jump_to_round()
            elif key == "e":
                self.jump_to_event()
            elif key == "?":
                pages = [PagerPage("Keys", self.key_lines), PagerPage("Sign", self.sign_lines)]
                Pager(self.screen, self.keyboard, pages).run()
            elif key == "v":
                self.choose()
            elif key == "q":
                raise QuitError
            elif key != keys.RESIZED:
                self.aside = f"{key} means nothing here: ? shows the keys."

    def _read(self) -> str:
        """The next key; while the table is hidden, none but quit does anything."""
        key = self.keyboard.read()
        if key == keys.INTERRUPT:
            raise QuitError
        if not self.screen.is_hidden:
            return key
        if key == "q":
            raise QuitError
        return keys.RESIZED

    # -------------------------------------------------------------- moving

    def move(self, where: str) -> None:
        film, place = self.film, self.place
        self.place = {
            "next": min(place + 1, self.last),
            "back": max(place - 1, 0),
            "next round": film.next_round(place),
            "previous round": film.previous_round(place),
            "first": 0,
            "end": self.last,
        }[where]
        if self.place == place:
            self.aside = "This is the first event." if place == 0 else "This is the last event."

    def jump_to_round(self) -> None:
        number = self.ask("Go to round")
        if number is None:
            return
        if number in self.film.starts:
            self.place = self.film.starts[number]
        else:
            self.aside = f"There is no round {number}: the record has {self.film.rounds_words}."

    def jump_to_event(self) -> None:
        number = self.ask("Go to event")
        if number is None:
            return
        if 1 <= number <= self.last + 1:
            self.place = number - 1
        else:
            self.aside = f"There is no event {number}: the record has {self.last + 1}."

    def ask(self, question: str) -> int | None:
        """A number, or None when nothing is to be done."""
        text = ""
        while True:
            self.asked = f"{question}: {text}_"
            self.draw((("Enter", "go"), ("Esc", "back")), ())
            key = self._read()
            if key in (keys.ENTER, keys.ESCAPE):
                self.asked = ""
                return int(text) if text and key == keys.ENTER else None
            if key == keys.BACKSPACE:
                text = text[:-1]
            elif key.isascii() and key.isdecimal() and len(text) < 9:
                text += key

    def choose(self) -> None:
        """All events as a list, to go to one of them."""
        film = self.film
        pairs = list(zip(film.steps, film.titles, strict=True))

        @cache
        def lines(width: int, query: str) -> Block:
            del query
            return [
                fitted(Text(f"{step.number:>6}  {title:16} {step.words}"), width)
                for step, title in pairs
            ]

        page = PagerPage("Events", lines, choices=len(pairs))
        chosen = Pager(self.screen, self.keyboard, [page]).run(chosen=self.place)
        if chosen is not None:
            self.place = chosen

    # -------------------------------------------------------------- drawing

    def draw(self, pairs: Keys, more: Keys) -> None:
        film, step = self.film, self.film.steps[self.place]
        title, colours = film.titles[self.place], self.screen.paint.colours
        seen = film.seen(self.place)
        said = Text(self.asked, colours.own) if self.asked else Text(step.words, colours.own)
        if self.aside:
            said.append(f"   {self.aside}", colours.quiet)
        earlier = film.steps[max(0, self.place + 1 - FEED) : self.place + 1]
        notes = Notes(
            say=said,
            keys=pairs,
            more_keys=more,
            cleared=not title.startswith("Round"),
            feed=tuple(step.words for step in earlier),
            tally=self.tallies[self.place],
            place=f"event {step.number} of {self.last + 1}  {title}",
            mark=film.warning,
            status=self.status(seen),
        )
        self.screen.show(self.screen.frame(seen, notes), QUIT_ONLY)

    def status(self, seen: View) -> Text | None:
        """Whose eyes these are, and the chips they may count; a player sees the usual bar."""
        if seen.viewer.kind == "player":
            return None
        counted = [
            f"{player.name} {format_cents(player.chips)}"
            for player in seen.players
            if player.chips is not None
        ]
        dot = f" {self.screen.paint.glyphs.dot} "
        right = Text(f"seen by the {seen.viewer.kind} ")
        return apart(Text(f" {dot.join(counted)}"), right, self.screen.size[0])

    def key_lines(self, width: int, query: str) -> Block:
        del query
        found: Block = []
        for key, what in ALL_KEYS:
            text = Text(f"  {key:17}", self.screen.paint.colours.key)
            first, *others = self.screen.paint.wrapped(Text(what), width - 19)
            found.append(text.append_text(first))
            found += [Text(" " * 19).append_text(other) for other in others]
        return found

    def sign_lines(self, width: int, query: str) -> Block:
        """The wagers of the game with their limits and odds."""
        del query
        wagers = self.film.seen(self.place).sign.wagers
        longest = max(len(wager.name) for wager in wagers)
        return [
            fitted(Text(f"  {w.name:{longest}}  {w.limits:12}  pays {odds_words(w)[0]}"), width)
            for w in wagers
        ]


def _tallies(film: Film) -> list[Tally]:
    """How the viewer's money stood after every event."""
    count = WinTally(film.viewer.name)
    found = []
    for step in film.steps:
        count.add(step.event)
        found.append(count.now)
    return found
