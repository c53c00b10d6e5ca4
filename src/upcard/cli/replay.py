"""`upcard replay`: goes through the record of a session, event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from upcard.cli.arguments import Json
from upcard.cli.output import console, print_json
from upcard.cli.records import load_events
from upcard.errors import UpcardError
from upcard.text import did_you_mean, listed

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from upcard.cli.play.keys import Keyboard
    from upcard.table.engine import Engine
    from upcard.table.events import Event
    from upcard.table.state import TableState
    from upcard.table.view import View, Viewer

KEYS = {
    **dict.fromkeys(("enter", " ", "n", "right", "down"), "next"),
    **dict.fromkeys(("b", "backspace", "left", "up"), "back"),
    **dict.fromkeys(("r", "page down"), "round"),
    **dict.fromkeys(("q", "escape", "interrupt"), "quit"),
}
HELP = "Enter next   r next round   b back   q quit"
TOLD = 8
"""At most so many sentences stand above the table."""
FRAME = 5
"""Lines of a page beside the sentences and the table."""


class Step(NamedTuple):
    """One event. `round` is the number of the last round that began, 0 before the first."""

    number: int
    round: int
    event: Event
    words: str


class Film:
    """A record as one viewer may see it: every event with its words, and the table after it."""

    def __init__(
        self,
        engine: Engine,
        events: Iterable[Event],
        viewer: Viewer,
        name: str,
        *,
        fault: str = "",
    ) -> None:
        from upcard.table.engine import IMPOSSIBLE, NEW_TABLE
        from upcard.table.events import RoundStarted

        self.engine = engine
        self.viewer = viewer
        self.name = name
        self.fault = fault
        self.steps: list[Step] = []
        self.states: list[TableState] = []
        state = NEW_TABLE
        for number, event in enumerate(events, 1):
            try:
                state = engine.evolve(state, event)
                step = self._step(number, state.rounds, event)
            except IMPOSSIBLE:
                raise self._impossible(number, event) from None
            self.states.append(state)
            self.steps.append(step)
        self.titles = list(_titles(self.steps))
        self.starts = {
            step.round: place
            for place, step in enumerate(self.steps)
            if isinstance(step.event, RoundStarted)
        }
        """The places where rounds begin, by their number."""

    def _step(self, number: int, round_: int, event: Event) -> Step:
        from upcard.table.view import redacted
        from upcard.table.words import sentence

        seen = redacted(event, self.viewer)
        return Step(number, round_, seen, sentence(self.engine, seen))

    def _impossible(self, number: int, event: Event) -> UpcardError:
        return UpcardError(
            f"{self.name}: event {number}, {type(event).__name__}, cannot happen there: "
            "the record was changed, and `upcard verify` says where"
        )

    def seen(self, place: int) -> View:
        """The table after an event."""
        from upcard.table.engine import IMPOSSIBLE
        from upcard.table.view import view

        try:
            return view(self.engine, self.states[place], self.viewer)
        except IMPOSSIBLE:
            step = self.steps[place]
            raise self._impossible(step.number, step.event) from None

    def first_of(self, round_: int) -> int:
        """The place of the event with which a round begins."""
        if round_ not in self.starts:
            has = f"rounds 1 to {max(self.starts)}" if len(self.starts) > 1 else "round 1 only"
            has = has if self.starts else "no round"
            raise UpcardError(f"--from {round_}: there is no such round: the record has {has}")
        return self.starts[round_]

    def next_round(self, place: int) -> int:
        """The place where the next round begins, or the last place of all."""
        later = (start for start in self.starts.values() if start > place)
        return min(later, default=len(self.steps) - 1)


def _titles(steps: Iterable[Step]) -> Iterator[str]:
    """For every event the part of the session it belongs to."""
    from upcard.table.events import RoundEnded, RoundStarted

    playing = False
    for step in steps:
        playing = playing or isinstance(step.event, RoundStarted)
        if playing:
            yield f"Round {step.round}"
        else:
            yield f"After round {step.round}" if step.round else "Before round 1"
        playing = playing and not isinstance(step.event, RoundEnded)


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record of a session.")],
    start: Annotated[
        int | None, typer.Option("--from", metavar="ROUND", help="Begin with this round.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Print everything instead of going step by step.")
    ] = False,
    viewer: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="VIEWER",
            help="Who looks: public, dealer, auditor or player:NAME.",
        ),
    ] = "auditor",
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Show a record that does not hold, marked as unproven."),
    ] = False,
    json: Json = False,
) -> None:
    """Go through a session as its viewer saw it: hidden cards stay hidden until they are shown.

    The record is verified first, and refused if it does not hold.

    On a terminal: Enter or space for the next event, r for the next round, b back, q to quit.
    A situation can be gone through as well.

    Example: upcard replay examples/session.toml --from 1
    """
    engine, events, fault = load_events(Path(file))
    if fault and not anyway:
        raise UpcardError(f"{file}: {fault}; --anyway shows it all the same, marked as unproven")
    film = Film(engine, events, parse_viewer(viewer, events), file, fault=fault)
    if not film.steps:
        raise UpcardError(f"{file}: nothing has happened in this session yet")
    first = 0 if start is None else film.first_of(start)
    if json:
        unproven = {"unproven": fault} if fault else {}
        print_json([step._asdict() | unproven for step in film.steps[first:]])
    elif everything or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_all(film, first, console())
    else:
        from upcard.cli.play.keys import TerminalKeyboard
        from upcard.cli.play.screen import curtain_of

        out = console()
        with TerminalKeyboard(curtain_of(out)) as keyboard:
            walk(film, first, keyboard, out)


def parse_viewer(text: str, events: Iterable[Event]) -> Viewer:
    """Who looks, from words such as `dealer` or `player:Ann`."""
    from upcard.table.events import ChipsBought
    from upcard.table.view import AUDITOR, DEALER, PUBLIC, Viewer

    known = {"public": PUBLIC, "dealer": DEALER, "auditor": AUDITOR}
    kind, colon, name = text.partition(":")
    if not colon and kind in known:
        return known[kind]
    if kind != "player" or not name:
        raise UpcardError(
            f'--as "{text}" is nobody who looks at a table: '
            "write public, dealer, auditor or player:NAME, such as player:Ann"
        )
    players = dict.fromkeys(event.player for event in events if isinstance(event, ChipsBought))
    if name not in players:
        there = f" (the players are {listed(players, 'and')})" if players else ""
        raise UpcardError(
            f'--as "{text}": no player {name} is in this record{there}{did_you_mean(name, players)}'
        )
    return Viewer("player", name)


# ------------------------------------------------------------------ everything at once


def _print_all(film: Film, first: int, out: Console) -> None:
    from rich.text import Text

    heading = ""
    if film.fault:
        out.print(Text(f"UNPROVEN: {film.fault}", "bold red"), soft_wrap=not out.is_terminal)
        out.print()
    for step, title in zip(film.steps[first:], film.titles[first:], strict=True):
        if title != heading:
            if heading:
                out.print()
            out.print(Text(title, "bold"))
            heading = title
        out.print(Text(f"{step.number:5}  {step.words}"), soft_wrap=not out.is_terminal)


# ------------------------------------------------------------------ step by step


def walk(film: Film, first: int, keyboard: Keyboard, out: Console) -> None:
    """Show the table after one event after the other, as the keys say."""
    place, last = first, len(film.steps) - 1
    with out.screen() as screen:
        while True:
            screen.update(page(film, place, out.height))
            match KEYS.get(_key(keyboard)):
                case "next":
                    place = min(place + 1, last)
                case "back":
                    place = max(place - 1, 0)
                case "round":
                    place = film.next_round(place)
                case "quit":
                    return


def _key(keyboard: Keyboard) -> str:
    try:
        return keyboard.read()
    except EOFError:
        return "q"


def page(film: Film, place: int, height: int) -> RenderableType:
    """The screen after one event: the last sentences, the table, the keys."""
    from rich.console import Group
    from rich.text import Text

    from upcard.cli.table_lines import table_lines

    def line(text: str, style: str = "") -> Text:
        return Text(text, style, no_wrap=True, overflow="ellipsis")

    step = film.steps[place]
    head = line(film.engine.tables.name, "bold")
    head.append(f"  {film.titles[place]}", "not bold")
    head.append(f"  event {step.number} of {len(film.steps)}", "not bold dim")
    if film.fault:
        head = line("UNPROVEN  ", "bold red").append_text(head)
    table = list(table_lines(film.seen(place)))
    room = max(1, min(TOLD, height - len(table) - FRAME))
    told = [
        line(f"{earlier.number:5}  {earlier.words}", "bold" if earlier is step else "dim")
        for earlier in film.steps[max(0, place + 1 - room) : place + 1]
    ]
    told = [line("")] * (room - len(told)) + told
    return Group(head, line(""), *told, line(""), *map(line, table), line(""), line(HELP, "dim"))
