"""A session: an engine, the state, and the record of how it came about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import PurePath

import msgspec

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.table.clerk import Question
from upcard.table.commands import Command
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.events import Event
from upcard.table.judge import Refusal
from upcard.table.players_cards import Casino
from upcard.table.state import TableState

Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A time as records write it.

    >>> stamp(datetime(2026, 1, 31, 12, tzinfo=UTC))
    '2026-01-31T12:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Entry(msgspec.Struct, frozen=True):
    """A command and the events it led to; without one, what happened after a cut.

    `at` is when, such as 2026-01-31T12:00:00.000Z; records of old have none.
    """

    command: Command | None
    events: tuple[Event, ...]
    at: str = ""


class Log(msgspec.Struct, frozen=True):
    """The whole record. `game` is what the game was loaded by: an id or a path."""

    game: str
    fingerprint: str
    settings: dict[str, str]
    entries: tuple[Entry, ...] = ()

    @property
    def events(self) -> Iterator[Event]:
        """Every event, in order."""
        for entry in self.entries:
            yield from entry.events

    @property
    def game_file(self) -> str:
        """The name of the game file; "" for a game that comes with Upcard."""
        path = PurePath(self.game)
        return path.name if path.suffix == ".toml" or path.name != self.game else ""


class Session:
    """A table in use. Commands go in one at a time; everything accepted is recorded.

    >>> from upcard import tables_for
    >>> from upcard.table.commands import BuyIn, OpenTable
    >>> from upcard.table.shoe import secret_from
    >>> session = Session(tables_for("blackjack"))
    >>> _ = session.do(OpenTable(table="one", secret=secret_from("demo")))
    >>> _ = session.do(BuyIn(player="Ann", amount=10000))
    >>> session.state.chips("Ann"), len(session.log().entries)
    (10000, 2)
    """

    def __init__(
        self,
        tables: GameTables,
        *,
        game: str = "",
        casino: Casino | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        self.engine = Engine(tables, casino)
        self.clock = clock
        self.game = tables.id if game in ("", tables.ref) else game
        self.settings = dict(tables.settings)
        self.entries: list[Entry] = []
        self.state: TableState = NEW_TABLE

    @classmethod
    def resumed(
        cls,
        tables: GameTables,
        log: Log,
        *,
        casino: Casino | None = None,
        clock: Clock = wall_clock,
    ) -> Session:
        """A session that goes on where a log stops, even in the middle of a command's events."""
        if log.fingerprint != tables.fingerprint:
            raise UpcardError(
                f"this session was played by other rules than {tables.ref} has with these settings"
            )
        session = cls(tables, game=log.game, casino=casino, clock=clock)
        session.settings = log.settings  # as they stand in the first entry
        session.entries = list(log.entries)
        session.state = session.engine.fold(log.events)
        own = casino.name if casino else ""
        if session.state.casino not in ("", own):
            raise UpcardError(
                f'this session is of the casino "{session.state.casino}", not of "{own}"'
            )
        rest = session.engine.run(session.state)
        if rest.events:
            session._record(rest)
        return session

    def do(self, command: Command) -> Outcome | Refusal:
        """Carry out a command; a refusal changes nothing and leaves no trace."""
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Outcome):
            self._record(outcome)
        return outcome

    def _record(self, outcome: Outcome) -> None:
        self.state = outcome.state
        self.entries.append(Entry(outcome.command, outcome.events, self._now()))

    def _now(self) -> str:
        """The time, never before that of the last entry: clocks are put back now and then."""
        last = self.entries[-1].at if self.entries else ""
        return max(stamp(self.clock()), last)

    @property
    def question(self) -> Question | None:
        """The decision that the table waits for, if it waits for one."""
        return self.engine.question(self.state) if self.state.in_round else None

    @property
    def events(self) -> Iterator[Event]:
        """Every event, in order."""
        for entry in self.entries:
            yield from entry.events

    def log(self) -> Log:
        """The record so far."""
        fingerprint = self.engine.tables.fingerprint
        return Log(self.game, fingerprint, dict(self.settings), tuple(self.entries))


def cut(log: Log, count: int) -> Log:
    """The first events of a log; an entry that is cut keeps what came before the cut."""
    entries: list[Entry] = []
    left = count
    for entry in log.entries:
        if left <= 0:
            break
        entries.append(msgspec.structs.replace(entry, events=entry.events[:left]))
        left -= len(entry.events)
    return msgspec.structs.replace(log, entries=tuple(entries))


def rounds_of(entries: Iterable[Entry], number: int = 0) -> Iterator[int]:
    """For every entry the number of the round it belongs to; 0 is before the first deal."""
    for entry in entries:
        for event in entry.events:
            number = getattr(event, "round", number)
        yield number
