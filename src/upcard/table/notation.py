"""The text form of a session: lines of JSON that parse back to the same events.

docs/notation.md describes it. A file holds the table's secret, so it is for whoever may see all
cards: the house, or a player at a table of one's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from upcard.cards import Card
from upcard.errors import UpcardError
from upcard.shape import read_file, shaped, text_of
from upcard.table.chain import NOTATION, Chain, Links, Reader, RecordLine, Title, lines_of
from upcard.table.commands import Command
from upcard.table.events import Event, ShoeOpened
from upcard.table.files import write_safely
from upcard.table.keys import TableKey, is_key
from upcard.table.old_notation import need_notation, parse_old_log
from upcard.table.session import Log
from upcard.table.shoe import is_secret

BRACE = b"{"
"""What a record begins with; one of old begins with anything else."""

LONGEST_LINE = 1 << 22
"""Bytes of a line, at most: 4 MiB."""

T = TypeVar("T", bound=msgspec.Struct)


class Record(NamedTuple):
    """A session as it was read: the log, and the chain that holds it; None in records of old."""

    log: Log
    chain: Chain | None

    @property
    def finished(self) -> Log:
        """The log without an entry that was never finished."""
        if self.chain is None or not self.chain.torn:
            return self.log
        count = self.chain.seals[-1].entries if self.chain.seals else 0
        return msgspec.structs.replace(self.log, entries=self.log.entries[:count])


def write_log(log: Log, key: TableKey | None = None) -> str:
    """A log as text, signed where there is a key."""
    return Links(key).whole(log).decode()


def save_log(log: Log, path: Path, key: TableKey | None = None) -> None:
    write_safely(path, write_log(log, key).encode())


def parse_log(text: str, source: str = "log") -> Log:
    r"""A log from its text, or one sentence about what is wrong with it.

    >>> parse_log('{"notation":2,"game":"blackjack","fingerprint":5,"settings":{}}\n')
    Traceback (most recent call last):
        ...
    upcard.errors.UpcardError: log: line 1: fingerprint: 5 is not allowed here: a text
    """
    return parse_record(text.encode(), source).log


def read_log(path: Path) -> Log:
    return read_record(path).log


def read_record(path: Path) -> Record:
    return parse_record(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    if is_no_file(path):
        raise UpcardError(f"{path}: is not a file")
    return read_file(path)


def is_no_file(path: Path) -> bool:
    """Whether something else than a file is there: whoever reads a pipe may wait for ever."""
    try:
        return path.exists() and not path.is_file()
    except (OSError, ValueError):
        return False  # reading it tells what is wrong


def parse_record(data: bytes, source: str) -> Record:
    """A record from its bytes. A fault of the chain is told by the chain; see `Chain.fault`."""
    if not data.startswith(BRACE):
        return Record(_parse_old(data, source), None)
    reader: Reader | None = None
    complete = 0
    for number, line, end in lines_of(data):
        place = f"{source}: line {number}"
        if reader is None:
            reader = Reader(parse_title(line, place, source), line)
            complete = end
            continue
        seals = len(reader.seals)
        reader.take(number, line, read_line(line, place))
        if len(reader.seals) > seals:
            complete = end
    if reader is None:
        raise UpcardError(f"{source}: is not a session: its first line is not complete")
    entries, chain = reader.finish(complete, len(data))
    title = reader.title
    return Record(Log(title.game, title.fingerprint, title.settings, entries), chain)


def parse_title(line: bytes, place: str, source: str) -> Title:
    """The first line of a record."""
    title = decoded(line, place, Title)
    need_notation(title.notation, NOTATION, source)
    if title.key and not is_key(title.key):
        raise UpcardError(f"{place}: key: a table's key has 64 hexadecimal digits")
    return title


def read_line(line: bytes, place: str) -> RecordLine:
    """Any other line, with nothing in it that is no card or no secret where it should be one."""
    value = decoded(line, place, RecordLine)
    _need_sound(value, place)
    return value


def _parse_old(data: bytes, source: str) -> Log:
    log = parse_old_log(text_of(data, source), source)
    for number, entry in enumerate(log.entries, 1):
        if entry.command is not None:
            _need_values(entry.command, f"{source}: entries[{number}].command")
        for place, event in enumerate(entry.events, 1):
            _need_values(event, f"{source}: entries[{number}].events[{place}]")
    return log


def decoded(line: bytes, place: str, kind: type[T]) -> T:
    """A line as what it should be, or one sentence about why it is not."""
    if len(line) > LONGEST_LINE:
        raise UpcardError(f"{place}: is too long: a line has at most {LONGEST_LINE >> 20} MiB")
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return shaped(_plain(line, place, error), place, kind)
    except RecursionError:
        raise UpcardError(f"{place}: is nested too deeply") from None


def _plain(line: bytes, place: str, error: Exception) -> dict[str, Any]:
    """A line as plain data, to say what is wrong with it."""
    try:
        data = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UpcardError(f"{place}: is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise UpcardError(f"{place}: is not a line of a session")
    return data


def _need_sound(line: RecordLine, place: str) -> None:
    if isinstance(line.event, msgspec.UnsetType):
        return
    if isinstance(line.command, msgspec.Struct):
        _need_values(line.command, f"{place}: command")
    _need_values(line.event, f"{place}: event")


_CARDS = ("card", "cards", "order")


def _need_values(part: Command | Event, place: str) -> None:
    """Cards must be cards and secrets secrets before anything is made of them."""
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name == "secret" or (name == "seed" and isinstance(part, ShoeOpened)):
            if not is_secret(value):
                raise UpcardError(f"{place}.{name}: a {name} has 64 hexadecimal digits")
        elif name in _CARDS and not isinstance(value, int):
            for card in (value,) if isinstance(value, str) else value:
                try:
                    Card.parse(card)
                except UpcardError as error:
                    raise UpcardError(f"{place}.{name}: {error}") from None
