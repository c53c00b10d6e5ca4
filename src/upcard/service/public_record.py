"""The public record of a table that is still open: what a stranger may have of it, and can check.

The line that opens a table holds its secret. It is given by its hash alone, so that the chain can
be followed over it. No hash hides anything else: a card that lies face down is one of 52, and who
knows the rest of a line finds it by trying. The `after` of the next line and the signature of the
seal behind it would tell as much. So what comes from a shoe that is not opened yet is withheld with
all that follows, from the end of an entry on. The opening of the shoe sets it free. When the table
is closed, its public record is its record.

Chips bought and cashed are in it. A hash would not hide an amount, the record of the closed table
has them as well, and without them nobody could follow the money. The live view does not tell them.

docs/fairness.md describes the file for a stranger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from upcard.errors import UpcardError
from upcard.table.chain import Reader, RecordLine, Title, digest, lines_of
from upcard.table.commands import OpenTable
from upcard.table.events import CardPunched, TableOpened
from upcard.table.notation import Record, decoded, parse_title, read_line
from upcard.table.session import Log
from upcard.table.shoe import is_secret

GUESSABLE = frozenset(("ShoeStacked", "ShoeShuffled", "DiscardsShuffled", "CardBurned"))
"""Events with cards that nobody has seen; so is a card dealt face down."""
OPENING, OPENED, CLOSED = "TableOpened", "ShoeOpened", "TableClosed"

UNKNOWN = "0" * 64
"""Stands for a secret that is not told."""


class Hidden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of which only its hash is given."""

    hidden: str


class _Told(msgspec.Struct, frozen=True):
    """As much of an event as decides whether it may be seen."""

    event: str
    face: str = ""

    @property
    def is_guessable(self) -> bool:
        return self.event in GUESSABLE or (self.event == "CardDealt" and self.face == "down")


class _Line(msgspec.Struct, frozen=True):
    event: _Told | UnsetType = UNSET
    hidden: str = ""

    @property
    def is_seal(self) -> bool:
        """Whether it ends an entry: neither an event, nor one of which only the hash is given."""
        return isinstance(self.event, UnsetType) and not self.hidden


class PublicRecord(NamedTuple):
    """What may be shown: so many entries, while so many are withheld until their shoe is opened."""

    data: bytes
    entries: int
    withheld: int
    closed: bool


_DECODER = msgspec.json.Decoder(_Line)


def public_record(title: bytes, entries: Iterable[bytes]) -> PublicRecord:
    """What a stranger may have now: from the title of a record and the lines of its entries.

    Each entry is whole, with its seal. Bytes of a closed table come back as they are.
    """
    every: list[bytes] = []
    free = 0
    unopened = closed = False
    for entry in entries:
        every.append(entry)
        for told in _told(entry):
            unopened = told.event != OPENED and (unopened or told.is_guessable)
            closed = closed or told.event == CLOSED
        if not unopened:
            free = len(every)
    if closed:
        return PublicRecord(b"".join((title, *every)), len(every), 0, closed=True)
    data = b"".join((title, *map(_covered, every[:free])))
    return PublicRecord(data, free, len(every) - free, closed=False)


def public_of(data: bytes) -> PublicRecord:
    """The public record of a whole record; what is not sealed at its end is left out."""
    (_, _, end), *_ = lines_of(data)
    return public_record(data[:end], entries_of(data))


def entries_of(data: bytes) -> Iterator[bytes]:
    """The lines of every finished entry of a record, with their seal."""
    start = 0
    for number, line, end in lines_of(data):
        if number == 1:
            start = end
        elif _DECODER.decode(line).is_seal:
            yield data[start:end]
            start = end


def _told(entry: bytes) -> Iterator[_Told]:
    for _, line, _ in lines_of(entry):
        told = _DECODER.decode(line).event
        if not isinstance(told, UnsetType):
            yield told


def _covered(entry: bytes) -> bytes:
    """An entry without the line that holds the secret."""
    if f'"event":"{OPENING}"'.encode() not in entry:
        return entry
    return b"".join(
        (_hidden(line) if _opens(line) else line) + b"\n" for _, line, _ in lines_of(entry)
    )


def _opens(line: bytes) -> bool:
    told = _DECODER.decode(line).event
    return not isinstance(told, UnsetType) and told.event == OPENING


def _hidden(line: bytes) -> bytes:
    return msgspec.json.encode(Hidden(digest(line)))


# ------------------------------------------------------------------ reading


def is_public(data: bytes) -> bool:
    """Whether these are the bytes of a public record: the line behind the title is hidden."""
    end = data.find(b"\n")
    return end > 0 and data.startswith(b"{") and data.startswith(b'{"hidden":', end + 1)


class _PublicReader(Reader):
    """Reads on behind a line of which only the hash is known."""

    def __init__(self, title: Title, line: bytes) -> None:
        super().__init__(title, line)
        self.number = 0

    def skip(self, hash_: str) -> None:
        """The opening: it begins an entry, and its time is that of the line behind it."""
        self.head = hash_
        self.command = OpenTable(table="", secret=UNKNOWN)
        self.events = [
            TableOpened(
                table="",
                game=self.title.game,
                fingerprint=self.title.fingerprint,
                positions=(),
                secret=UNKNOWN,
                settings=tuple(self.title.settings.items()),
            )
        ]

    def take(self, number: int, line: bytes, value: RecordLine) -> None:
        if number == 3:
            self.at = value.at
        super().take(number, line, value)


def parse_public(data: bytes, source: str) -> Record:
    """A public record from its bytes, with a stand-in for the opening that is hidden.

    A fault of the chain is told by the chain, as in `parse_record`.
    """
    reader: _PublicReader | None = None
    complete = 0
    for number, line, end in lines_of(data):
        place = f"{source}: line {number}"
        if reader is None:
            reader = _PublicReader(parse_title(line, place, source), line)
            complete = end
        elif number == 2:
            reader.skip(_hash_of(line, place))
        else:
            seals = len(reader.seals)
            reader.take(number, line, read_line(line, place))
            complete = end if len(reader.seals) > seals else complete
    if reader is None:
        raise UpcardError(f"{source}: is not a session: its first line is not complete")
    entries, chain = reader.finish(complete, len(data))
    title = reader.title
    return Record(Log(title.game, title.fingerprint, title.settings, entries), chain)


def _hash_of(line: bytes, place: str) -> str:
    value = decoded(line, place, Hidden)
    if not is_secret(value.hidden) or msgspec.json.encode(value) != line:
        raise UpcardError(f"{place}: hidden: a hash has 64 hexadecimal digits, and stands alone")
    return value.hidden


def serials_of(log: Log) -> tuple[str, ...]:
    """The numbers of players' cards that a table punched: only its secret tells them beforehand."""
    return tuple(event.serial for event in log.events if isinstance(event, CardPunched))
