"""The text form of a session: one TOML file that parses back to the same events.

docs/notation.md describes it. A file holds the table's secret, so it is for whoever may see all
cards: the house, or a player at a table of one's own.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from upcard.cards import Card
from upcard.errors import UpcardError
from upcard.shape import parse_toml, read_text, shaped
from upcard.table.commands import Command
from upcard.table.events import VERSION, Event, ShoeOpened
from upcard.table.session import Entry, Log, rounds_of
from upcard.table.shoe import is_secret


def write_log(log: Log) -> str:
    """A log as text."""
    head = [
        "# A session at a table. `upcard verify` checks it, `upcard replay` shows it.",
        f"notation = {VERSION}",
        f"game = {toml_value(log.game)}",
        f"fingerprint = {toml_value(log.fingerprint)}",
        f"settings = {toml_value(log.settings)}",
    ]
    return "\n".join((*head, write_entries(log.entries)))


def write_entries(entries: Sequence[Entry], after_round: int = 0) -> str:
    """Entries as text, to stand behind what a file has already."""
    return "\n".join((*_entries(entries, after_round), ""))


def _entries(entries: Sequence[Entry], after_round: int) -> Iterator[str]:
    for entry, number in zip(entries, rounds_of(entries, after_round), strict=True):
        yield ""
        yield "[[entries]]"
        yield f"round = {number}"
        if entry.command is not None:
            yield f"command = {toml_value(msgspec.to_builtins(entry.command))}"
        yield "events = ["
        for event in entry.events:
            yield f"    {toml_value(msgspec.to_builtins(event))},"
        yield "]"


def toml_value(value: Any) -> str:
    """A plain value as TOML writes it on one line.

    >>> toml_value({"card": "Ks", "hand": 0, "asked": False, "wagers": {"base": 500}})
    '{ card = "Ks", hand = 0, asked = false, wagers = { base = 500 } }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a TOML string, but for DEL.
        return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return str(value)


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else toml_value(name)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """A session as its file has it. `round` is for the reader: the events tell it as well."""

    notation: int
    game: str
    fingerprint: str
    settings: dict[str, str]
    entries: tuple[_Entry, ...] = ()


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A command and its events."""

    round: int
    events: tuple[Event, ...]
    command: Command | None = None


def parse_log(text: str, source: str = "log") -> Log:
    r"""A log from its text, or one sentence about what is wrong with it.

    >>> parse_log('notation = 1\ngame = "blackjack"\nfingerprint = 5\nsettings = {}')
    Traceback (most recent call last):
        ...
    upcard.errors.UpcardError: log: fingerprint: 5 is not allowed here: a text
    """
    data = parse_toml(text, source)
    _need_session(data, source)
    found = shaped(data, source, _File)
    entries = tuple(Entry(entry.command, entry.events) for entry in found.entries)
    for number, entry in enumerate(entries, 1):
        if entry.command is not None:
            _need_sound(entry.command, f"{source}: entries[{number}].command")
        for place, event in enumerate(entry.events, 1):
            _need_sound(event, f"{source}: entries[{number}].events[{place}]")
    return Log(found.game, found.fingerprint, found.settings, entries)


def _need_session(data: Mapping[str, Any], source: str) -> None:
    """Tell apart what is no session at all, or one of another time."""
    if "notation" not in data:
        other = "; it looks like a situation: `upcard round` plays it" if "shoe" in data else ""
        raise UpcardError(f'{source}: is not a session: it has no key "notation"{other}')
    if data["notation"] != VERSION:
        raise UpcardError(
            f"{source}: is written in notation {data['notation']}; this version reads {VERSION}"
        )


_CARDS = ("card", "cards", "order")


def _need_sound(part: Command | Event, place: str) -> None:
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


def read_log(path: Path) -> Log:
    return parse_log(read_text(path), str(path))


def save_log(log: Log, path: Path) -> None:
    write_safely(path, write_log(log).encode())


def write_safely(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves either the old one or the new one, never half of one."""
    unfinished = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        unfinished = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        unfinished.replace(path)
    except OSError as error:
        if unfinished is not None:
            unfinished.unlink(missing_ok=True)
        raise UpcardError(f"{path}: cannot be written: {error.strerror}") from error
