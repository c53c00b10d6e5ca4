"""The chain of a record: every line carries the hash of the line before it, every entry a seal.

docs/notation.md describes the lines for a stranger. `Links` writes them one entry at a time;
`read_chain` goes over the bytes of a record and names the first place where the chain does not
hold. The *head* of a record is the hash of its last seal: who has noted it can tell whether a
record still has everything that was in it then.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from upcard.shape import shown
from upcard.table.commands import Command
from upcard.table.events import Event
from upcard.table.keys import TableKey, is_signed, is_weak
from upcard.table.session import Entry, Log

NOTATION = 2
SEAL = "upcard/2/seal/"
"""Stands before the hash that a seal signs."""
SHORT = 32
"""Digits of a hash that are shown where all 64 have no place: 128 bits."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


class Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what was played, by which rules, and whose key signs. No key: unsigned."""

    notation: int
    game: str
    fingerprint: str
    settings: dict[str, str]
    key: str = ""


class RecordLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any other line: an event, or the seal of the entry before it.

    The first event of an entry has the `command` it follows from, null after a cut. Without `at` it
    comes from an old record, which had no times.
    """

    after: str
    at: str = ""
    round: int = 0
    command: Command | UnsetType | None = UNSET
    event: Event | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class Seal(NamedTuple):
    """The end of an entry: how many entries there are by then, in which round, and the head."""

    entries: int
    round: int
    head: str


class Chain(NamedTuple):
    """What the lines of a record say beside its log. `fault` is the first place that fails.

    `seals` are those before it. `complete` is how many bytes there are up to the last seal. `torn`:
    nothing is wrong but that what stands behind it is not finished.
    """

    key: str
    seals: tuple[Seal, ...]
    fault: str
    complete: int
    torn: bool = False

    @property
    def head(self) -> str:
        return self.seals[-1].head if self.seals else ""


def digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


class Links:
    """Writes the lines of a record. What was written before is remembered by its hash alone."""

    def __init__(self, key: TableKey | None = None, head: str = "", round_: int = 0) -> None:
        self.key = key
        self.head = head
        self.round = round_

    def whole(self, log: Log) -> bytes:
        """All lines of a log."""
        public = self.key.public if self.key else ""
        title = Title(NOTATION, log.game, log.fingerprint, log.settings, public)
        return b"".join((self._line(title), *map(self.entry, log.entries)))

    def entry(self, entry: Entry) -> bytes:
        """The lines of an entry, its seal last."""
        lines = []
        command: Command | UnsetType | None = entry.command
        for event in entry.events:
            self.round = getattr(event, "round", self.round)
            lines.append(self._line(RecordLine(self.head, entry.at, self.round, command, event)))
            command = UNSET
        seal = self.key.sign(SEAL + self.head) if self.key else ""
        lines.append(self._line(RecordLine(self.head, seal=seal)))
        return b"".join(lines)

    def _line(self, value: Title | RecordLine) -> bytes:
        line = msgspec.json.encode(value)
        self.head = digest(line)
        return line + b"\n"


# ------------------------------------------------------------------ reading


class BrokenError(Exception):
    """The first place where a chain does not hold."""


class Reader:
    """Takes lines one after the other; `fault` is the first thing that is wrong with the chain."""

    def __init__(self, title: Title, line: bytes) -> None:
        self.title = title
        self.head = digest(line)
        self.fault = "" if canonical(title) == line else "line 1: is not as a table writes it"
        if title.key and is_weak(title.key):
            self.fault = "line 1: its key proves nothing: anybody could have signed for it"
        self.seals: list[Seal] = []
        self.entries: list[Entry] = []
        self.command: Command | None = None
        self.events: list[Event] = []
        self.at = ""
        self.round = 0

    def take(self, number: int, line: bytes, value: RecordLine) -> None:
        if not self.fault:
            try:
                self._check(line, value)
            except BrokenError as error:
                self.fault = f"line {number}: {error}"
        self.head = digest(line)
        if isinstance(value.event, UnsetType):
            self._close()
            if not self.fault:  # a head behind a broken place holds nothing together
                self.seals.append(Seal(len(self.entries), self.round, self.head))
            return
        if not isinstance(value.command, UnsetType):
            self._close()
            self.command = value.command
        self.at = value.at
        self.round = getattr(value.event, "round", self.round)
        self.events.append(value.event)

    def _close(self) -> None:
        if self.events:
            self.entries.append(Entry(self.command, tuple(self.events), self.at))
        self.events = []
        self.command = None

    def finish(self, complete: int, size: int) -> tuple[tuple[Entry, ...], Chain]:
        unsealed = bool(self.events)
        self._close()
        torn = not self.fault and (unsealed or complete < size)
        if torn:
            self.fault = (
                "it stops in the middle of an entry: it was cut there, or the machine stopped "
                "while it was written"
            )
        elif not self.fault and not self.entries:
            self.fault = "it has no entry: a title alone proves nothing"
        chain = Chain(self.title.key, tuple(self.seals), self.fault, complete, torn)
        return tuple(self.entries), chain

    def _check(self, line: bytes, value: RecordLine) -> None:
        _need(
            value.after == self.head,
            "does not follow from the line before: something there was changed, taken out or put "
            "in",
        )
        _need(canonical(value) == line, "is not as a table writes it")
        if isinstance(value.event, UnsetType):
            self._check_seal(value)
            return
        _need(isinstance(value.seal, UnsetType), "is an event and a seal at once")
        first = not isinstance(value.command, UnsetType)
        _need(first != bool(self.events), "an entry begins with its command and ends with a seal")
        number = getattr(value.event, "round", self.round)
        _need(value.round == number, f"says round {value.round} in round {number}")
        _need(not value.at or _is_time(value.at), f"{shown(value.at)} is no time")
        _need(value.at >= self.at, f"is of {value.at or 'no time'}, before the line above it")
        _need(first or value.at == self.at, "has another time than the rest of its entry")

    def _check_seal(self, value: RecordLine) -> None:
        bare = RecordLine(value.after, seal=value.seal)
        _need(value == bare and not isinstance(value.seal, UnsetType), "is no event and no seal")
        _need(self.events, "a seal without an entry")
        assert not isinstance(value.seal, UnsetType)
        if self.title.key:
            signed = is_signed(self.title.key, SEAL + self.head, value.seal)
            _need(signed, "the seal is not the signature of the table's key")
        else:
            _need(not value.seal, "is signed, but the record names no key")


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


def _need(condition: object, words: str) -> None:
    if not condition:
        raise BrokenError(words)


def canonical(value: Title | RecordLine) -> bytes:
    """A line as `Links` writes it: no other bytes mean the same."""
    return msgspec.json.encode(value)


def lines_of(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Complete lines with their numbers, and where in the data each one ends."""
    start = number = 0
    while (end := data.find(b"\n", start)) >= 0:
        number += 1
        yield number, data[start:end], end + 1
        start = end + 1
