"""Fee schedules: what a table may charge, read from a TOML file of printed rows."""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import msgspec

from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.fees.printed import parse_fee, parse_limits, parse_range
from upcard.text import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Charges = Literal["nothing", "per-spot", "per-player"]
"""What players pay: no fee, one for every wager, or one for the player's wager."""

Side = Literal["players", "player-dealer"]

SIDES: tuple[Side, ...] = get_args(Side)
PAYERS: Mapping[Side, str] = {"players": "player", "player-dealer": "player-dealer"}
"""Who pays the fees of a side, as a word in a sentence."""

AMOUNTS: Mapping[Side, str] = {
    "players": "player's wager",
    "player-dealer": "total table action",
}
"""What the fees of a side go by."""

DEFAULT_BOOK = "pure-spanish-21.5"

T = TypeVar("T")


class FeeRow(msgspec.Struct, frozen=True):
    """A flat fee for the amounts from `from_` to `to`, both included; `to` None is an open top."""

    from_: int = msgspec.field(name="from")
    to: int | None
    fee: int
    printed: str

    @property
    def printed_range(self) -> str:
        return self.printed.rpartition(" ")[0]

    @property
    def printed_fee(self) -> str:
        return self.printed.rpartition(" ")[2]

    def holds(self, amount: int) -> bool:
        return self.from_ <= amount and (self.to is None or amount <= self.to)


class FeeSchedule(msgspec.Struct, frozen=True):
    """What one table charges, each side's rows in their printed order."""

    id: int
    table_min: int
    table_max: int
    charges: Charges
    clauses: tuple[str, ...]
    players: tuple[FeeRow, ...]
    player_dealer: tuple[FeeRow, ...]

    def rows(self, side: Side) -> tuple[FeeRow, ...]:
        """The rows of one side."""
        return self.players if side == "players" else self.player_dealer

    def name_rows(self, side: Side, numbers: Iterable[int]) -> str:
        """Rows by number and as printed, for a sentence.

        >>> load_fee_book("pure-spanish-21.5").schedule(41).name_rows("player-dealer", [2, 3])
        'player-dealer rows 2 "$101 - $200 $3.00" and 3 "$301-$500 $4.00"'
        """
        rows = self.rows(side)
        named = [f'{number} "{rows[number - 1].printed}"' for number in numbers]
        return f"{PAYERS[side]} {'row' if len(named) == 1 else 'rows'} {listed(named, 'and')}"


class FeeBook(msgspec.Struct, frozen=True):
    """All schedules of one source; `most_rates` is how many rows a side may have."""

    name: str
    source: str
    most_rates: int
    schedules: tuple[FeeSchedule, ...]

    def schedule(self, number: int) -> FeeSchedule:
        for schedule in self.schedules:
            if schedule.id == number:
                return schedule
        word = "schedule" if len(self.schedules) == 1 else "schedules"
        known = _runs(schedule.id for schedule in self.schedules)
        raise UpcardError(f"there is no schedule {number}: {self.name} has {word} {known}")


def load_fee_book(path_or_name: str | Path) -> FeeBook:
    """A packaged fee book by its name, or one from a TOML file.

    >>> load_fee_book("pure-spanish-21.5").schedule(42).players[0]
    FeeRow(from_=1000, to=5000, fee=50, printed='$10-$50 $.50')
    """
    if isinstance(path_or_name, str) and path_or_name in packaged_books():
        return _packaged(path_or_name)
    path = Path(path_or_name)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        known = packaged_books()
        if path.exists() or path.suffix == ".toml" or path.name != str(path_or_name):
            reason = getattr(error, "strerror", None) or error
            raise UpcardError(f'the fee book "{path_or_name}" cannot be read: {reason}') from error
        raise UpcardError(
            f'there is no fee book "{path_or_name}": name a TOML file or {listed(known)}'
            + did_you_mean(str(path_or_name), known)
        ) from error
    return parse_fee_book(data, str(path_or_name))


@functools.cache
def packaged_books() -> tuple[str, ...]:
    """The names of the fee books that come with Upcard."""
    from importlib.resources import files

    folder = files("upcard").joinpath("games", "fees")
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@functools.cache
def _packaged(name: str) -> FeeBook:
    from importlib.resources import files

    file = f"{name}.toml"
    return parse_fee_book(files("upcard").joinpath("games", "fees", file).read_bytes(), file)


def parse_fee_book(data: bytes, file: str) -> FeeBook:
    """A fee book from the bytes of a TOML file, or all problems of that file at once."""
    try:
        raw = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProblemsError([Problem(file, "", f"this is not a TOML file: {error}")]) from error
    return _Reader(file).book(raw)


class _Group(msgspec.Struct, frozen=True):
    first: int
    last: int
    charges: Charges
    clauses: tuple[str, ...]


_KINDS: Mapping[type, str] = {str: "a text", int: "a whole number", list: "a list"}


class _Reader:
    """Reads a whole file and collects problems, so that a person can mend all of them at once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def book(self, raw: Mapping[str, object]) -> FeeBook:
        self.check_keys("", raw, ("name", "source", "most_rates", "groups", "schedules"))
        name = self.take("", raw, "name", str)
        source = self.take("", raw, "source", str)
        most_rates = self.number("", raw, "most_rates")
        groups = self.groups(self.tables(raw, "groups"))
        schedules = self.schedules(self.tables(raw, "schedules"), groups)
        if self.problems or name is None or source is None or most_rates is None:
            raise ProblemsError(self.problems)
        return FeeBook(name, source, most_rates, schedules)

    def groups(self, tables: Sequence[Mapping[str, object]]) -> tuple[_Group, ...] | None:
        """None if any group is unreadable: who belongs to it is then unknown."""
        groups = [self.group(f"group {n}", table) for n, table in enumerate(tables, 1)]
        readable = tuple(group for group in groups if group is not None)
        return readable if readable and len(readable) == len(groups) else None

    def group(self, where: str, raw: Mapping[str, object]) -> _Group | None:
        self.check_keys(where, raw, ("from", "to", "players", "clauses"))
        first = self.number(where, raw, "from")
        last = self.number(where, raw, "to")
        charges = self.charges(where, raw)
        clauses = self.take(where, raw, "clauses", list)
        if clauses is not None and not all(isinstance(clause, str) for clause in clauses):
            self.add(_at(where, "clauses"), "must be a list of texts")
            return None
        if first is None or last is None or charges is None or clauses is None:
            return None
        if last < first:
            self.add(where, f"ends at schedule {last}, before it starts at {first}")
            return None
        return _Group(first, last, charges, tuple(clauses))

    def charges(self, where: str, raw: Mapping[str, object]) -> Charges | None:
        text = self.take(where, raw, "players", str)
        known: tuple[Charges, ...] = get_args(Charges)
        for charges in known:
            if text == charges:
                return charges
        if text is not None:
            guess = did_you_mean(text, known)
            self.add(_at(where, "players"), f'must be {listed(known)}, not "{text}"{guess}')
        return None

    def schedules(
        self, tables: Sequence[Mapping[str, object]], groups: tuple[_Group, ...] | None
    ) -> tuple[FeeSchedule, ...]:
        read = [self.schedule(n, table, groups) for n, table in enumerate(tables, 1)]
        ids = [table["id"] for table in tables if type(table.get("id")) is int]
        for number, count in Counter(ids).items():
            if count > 1:
                self.add(f"schedule {number}", f"is written {count} times")
        return tuple(schedule for schedule in read if schedule is not None)

    def schedule(
        self, entry: int, raw: Mapping[str, object], groups: tuple[_Group, ...] | None
    ) -> FeeSchedule | None:
        number = self.number(f"entry {entry} of schedules", raw, "id")
        where = f"entry {entry} of schedules" if number is None else f"schedule {number}"
        self.check_keys(where, raw, ("id", "limits", "players", "player_dealer"))
        text = self.take(where, raw, "limits", str)
        limits = None if text is None else self.parsed(_at(where, "limits"), parse_limits, text)
        players = self.rows(where, raw, "players") if "players" in raw else ()
        player_dealer = self.rows(where, raw, "player_dealer")
        if raw.get("player_dealer") == []:
            self.add(_at(where, "player_dealer"), "has no rows")
        if number is None or groups is None:
            return None
        group = self.group_of(where, number, groups)
        if group is None:
            return None
        self.check_players(where, group, raw)
        if limits is None:
            return None
        low, high = limits
        return FeeSchedule(number, low, high, group.charges, group.clauses, players, player_dealer)

    def group_of(self, where: str, number: int, groups: tuple[_Group, ...]) -> _Group | None:
        found = [group for group in groups if group.first <= number <= group.last]
        if len(found) == 1:
            return found[0]
        spans = listed((f"{group.first} to {group.last}" for group in found or groups), "and")
        self.add(
            where,
            f"is in {len(found)} groups ({spans})"
            if found
            else f"is in no group; the groups hold the schedules {spans}",
        )
        return None

    def check_players(self, where: str, group: _Group, raw: Mapping[str, object]) -> None:
        rows = raw.get("players", [])
        if rows and group.charges == "nothing":
            self.add(_at(where, "players"), "has rows, but its group takes nothing from players")
        if rows == [] and group.charges != "nothing":
            self.add(_at(where, "players"), f"has no rows, but its group charges {group.charges}")

    def rows(self, where: str, raw: Mapping[str, object], key: str) -> tuple[FeeRow, ...]:
        cells = self.take(where, raw, key, list) or []
        rows = [self.row(f"{_at(where, key)} row {n}", cell) for n, cell in enumerate(cells, 1)]
        return tuple(row for row in rows if row is not None)

    def row(self, where: str, cell: object) -> FeeRow | None:
        match cell:
            case [str(span), str(fee)]:
                reach = self.parsed(where, parse_range, span)
                cents = self.parsed(where, parse_fee, fee)
                if reach is None or cents is None:
                    return None
                return FeeRow(*reach, cents, f"{span} {fee}")
        self.add(where, 'must be a pair of texts, such as ["$26-$100", "$1"]')
        return None

    def parsed(self, where: str, parse: Callable[[str], T], text: str) -> T | None:
        try:
            return parse(text)
        except UpcardError as error:
            self.add(where, str(error))
            return None

    def tables(self, raw: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
        entries = self.take("", raw, key, list)
        if entries is None:
            return []
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            self.add(key, f"must be one or more tables, each under its own [[{key}]]")
            return []
        return entries

    def number(self, where: str, raw: Mapping[str, object], key: str) -> int | None:
        value = self.take(where, raw, key, int)
        if value is not None and value < 1:
            self.add(_at(where, key), f"must be 1 or more, not {value}")
            return None
        return value

    def take(self, where: str, raw: Mapping[str, object], key: str, kind: type[T]) -> T | None:
        if key not in raw:
            self.add(where, f'the key "{key}" is missing')
            return None
        value = raw[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.add(_at(where, key), f"must be {_KINDS[kind]}")
            return None
        return value

    def check_keys(self, where: str, raw: Mapping[str, object], known: Sequence[str]) -> None:
        for key in raw:
            if key not in known:
                self.add(where, f'there is no key "{key}"' + did_you_mean(key, known))

    def add(self, where: str, message: str) -> None:
        self.problems.append(Problem(self.file, where, message))


def _at(where: str, key: str) -> str:
    return f"{where}, {key}" if where else key


def _runs(numbers: Iterable[int]) -> str:
    """Numbers for a sentence, neighbours drawn together.

    >>> _runs([1, 2, 3, 7, 9, 10])
    '1 to 3, 7 and 9 to 10'
    """
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return listed((f"{a} to {b}" if a < b else str(a) for a, b in runs), "and")
