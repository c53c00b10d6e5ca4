"""The engine of a live table.

`decide` says what a command leads to, `evolve` folds an event into the state. Neither keeps
anything: the state is all there is, and the state is the fold of the log.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from upcard.compile.tables import GameTables
from upcard.table import decisions, wagering
from upcard.table import housekeeping as people
from upcard.table.clerk import Clerk, OutOfCardsError, Question
from upcard.table.commands import Command, OpenTable
from upcard.table.events import CardPunched, Event
from upcard.table.evolve import evolve
from upcard.table.judge import Judge, Refusal, RefusedError
from upcard.table.plain_tables import PlainTables
from upcard.table.players_cards import Casino, PlayersCard
from upcard.table.state import TableState

_HANDLERS = people.HANDLERS | wagering.HANDLERS | decisions.HANDLERS

NEW_TABLE = TableState()
"""The state before anything has happened."""

IMPOSSIBLE = (ValueError, KeyError, IndexError, AssertionError)
"""What folding an event raises that cannot happen where it stands."""


class Outcome(msgspec.Struct, frozen=True):
    """The events of an accepted command and the state after them.

    `command` is the command as it was understood: a copy that nobody else can change.
    """

    events: tuple[Event, ...]
    state: TableState
    command: Command | None = None


class Engine:
    """Plays one game by its tables.

    >>> from upcard import tables_for
    >>> from upcard.table.commands import BuyIn, OpenTable
    >>> from upcard.table.shoe import secret_from
    >>> engine = Engine(tables_for("blackjack"))
    >>> opened = engine.act(NEW_TABLE, OpenTable(table="one", secret=secret_from("demo")))
    >>> [type(event).__name__ for event in opened.events]
    ['TableOpened', 'ShoeCommitted']
    >>> print(engine.decide(opened.state, BuyIn(player="Ann", amount=0)))
    a buy-in of $0 is not a positive multiple of $0.01
    """

    def __init__(
        self,
        tables: GameTables,
        casino: Casino | None = None,
        *,
        lenient: bool = False,
        clerk: Clerk | None = None,
    ) -> None:
        self.tables = tables
        self.casino = casino
        self.look = PlainTables(tables)
        self.clerk = clerk or Clerk(self.look, casino)
        self.judge = Judge(self.clerk, lenient=lenient)

    def decide(self, state: TableState, command: Command) -> tuple[Event, ...] | Refusal:
        """The events that a command leads to, up to the next question, or a refusal."""
        outcome = self.act(state, command)
        return outcome if isinstance(outcome, Refusal) else outcome.events

    def act(self, state: TableState, command: Command) -> Outcome | Refusal:
        """As `decide`, with the state after the events."""
        try:
            # The copy has the types that it says, and shares nothing with the caller's.
            command = msgspec.convert(msgspec.to_builtins(command), type(command))
            first = self.first_event(state, command)
            return replace(self.run(self.evolve(state, first), [first]), command=command)
        except msgspec.ValidationError as error:
            return Refusal(f"{type(command).__name__}: {error}")
        except RefusedError as error:
            return error.refusal
        except OutOfCardsError as error:
            return Refusal(f"the stacked shoe has no card left for {error}")

    def refusal(self, state: TableState, command: Command) -> Refusal | None:
        """Why a command would be refused, None if it would not: no card is looked at for that."""
        try:
            self.first_event(state, command)
        except RefusedError as error:
            return error.refusal
        return None

    def first_event(self, state: TableState, command: Command) -> Event:
        """The event that a command means; the rest happens by itself."""
        if state.stage == "unopened" and not isinstance(command, OpenTable):
            raise RefusedError(Refusal("the table is not open yet"))
        if state.stage == "closed":
            raise RefusedError(Refusal("the table is closed"))
        return _HANDLERS[type(command)](self.judge, state, command)

    def run(self, state: TableState, events: Iterable[Event] = ()) -> Outcome:
        """Everything that happens by itself from here on; also how a cut log goes on."""
        happened = list(events)
        while (coming := self.clerk.upcoming(state)) is not None:
            if isinstance(coming, Question):
                break
            happened.append(coming)
            state = evolve(self.look, state, coming)
        return Outcome(tuple(happened), state)

    def evolve(self, state: TableState, event: Event) -> TableState:
        """The state after an event."""
        return evolve(self.look, state, event)

    def fold(self, events: Iterable[Event], state: TableState = NEW_TABLE) -> TableState:
        """The state after a log."""
        for event in events:
            state = evolve(self.look, state, event)
        return state

    def players_card(self, event: CardPunched) -> str:
        """The card that a leaving player takes along, signed by the casino."""
        assert self.casino is not None, "players' cards need a casino"
        card = PlayersCard(
            self.casino.name,
            self.tables.id,
            event.player,
            event.serial,
            event.lights,
            self.tables.floor.players_card or "",
        )
        return self.casino.punch(card)

    def question(self, state: TableState) -> Question | None:
        """The decision that the table waits for, if it waits for one."""
        coming = self.clerk.upcoming(state)
        return coming if isinstance(coming, Question) else None
