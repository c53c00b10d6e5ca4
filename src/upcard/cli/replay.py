"""`upcard replay`: goes through the record of a session, event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from upcard.cli.arguments import Json
from upcard.cli.output import console, print_hanging, print_json
from upcard.cli.play import can_draw
from upcard.cli.records import load_events
from upcard.errors import UpcardError
from upcard.text import did_you_mean, listed, printable

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.table.engine import Engine
    from upcard.table.events import Event
    from upcard.table.state import TableState
    from upcard.table.view import View, Viewer


UNPROVEN = "UNPROVEN"
"""The mark of a record that does not hold."""


class FilmStep(NamedTuple):
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
        self.warning = UNPROVEN if fault else ""
        """What nobody who looks at this record may overlook, in a word or two."""
        self.steps: list[FilmStep] = []
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

    def _step(self, number: int, round_: int, event: Event) -> FilmStep:
        from upcard.table.sentences import sentence
        from upcard.table.view import redacted

        seen = redacted(event, self.viewer)
        return FilmStep(number, round_, seen, printable(sentence(self.engine, seen)))

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
            raise UpcardError(
                f"--from {round_}: there is no such round: the record has {self.rounds_words}"
            )
        return self.starts[round_]

    @property
    def rounds_words(self) -> str:
        """Which rounds there are."""
        if len(self.starts) > 1:
            return f"rounds {min(self.starts)} to {max(self.starts)}"
        return "round 1 only" if self.starts else "no round"

    def next_round(self, place: int) -> int:
        """The place where the next round begins, or the last place of all."""
        later = (start for start in self.starts.values() if start > place)
        return min(later, default=len(self.steps) - 1)

    def previous_round(self, place: int) -> int:
        """The place where this round began, or the one before it; the first place of all."""
        earlier = (start for start in self.starts.values() if start < place)
        return max(earlier, default=0)


def _titles(steps: Iterable[FilmStep]) -> Iterator[str]:
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

    On a terminal the table is drawn as at `upcard play`: Enter for the next event, b back, page
    down and page up for the next and the last round, g and e jump to a round or an event, ? shows
    all keys, q quits. A situation can be gone through as well.

    Example: upcard replay examples/session.jsonl --from 1
    """
    engine, events, fault = load_events(Path(file))
    if fault and not anyway:
        raise UpcardError(
            f"{file}: {fault}: `upcard verify` says where; --anyway shows it, marked as unproven"
        )
    film = Film(engine, events, parse_viewer(viewer, events), file, fault=fault)
    if not film.steps:
        raise UpcardError(f"{file}: nothing has happened in this session yet")
    first = 0 if start is None else film.first_of(start)
    if json:
        unproven = {"unproven": fault} if fault else {}
        print_json([step._asdict() | unproven for step in film.steps[first:]])
    elif everything or not (sys.stdin.isatty() and sys.stdout.isatty() and can_draw()):
        _print_all(film, first, console())
    else:
        from upcard.cli.play.keys import TerminalKeyboard
        from upcard.cli.play.screen import curtain_of
        from upcard.cli.replay_felt import walk

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
        out.print(Text(f"{UNPROVEN}: {film.fault}", "bold red"), soft_wrap=not out.is_terminal)
        out.print()
    for step, title in zip(film.steps[first:], film.titles[first:], strict=True):
        if title != heading:
            if heading:
                out.print()
            out.print(Text(title, "bold"))
            heading = title
        print_hanging(out, Text(f"{step.number:5}  "), step.words)
