"""The text form of a session: one TOML file that parses back to the same events.

docs/notation.md describes it. A file holds the table's secret, so it is for whoever may see all
cards: the house, or a player at a table of one's own.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from upcard.errors import UpcardError
from upcard.table.events import VERSION
from upcard.table.session import Entry, Log, rounds_of


def write_log(log: Log) -> str:
    """A log as text."""
    head = [
        "# A session at a table. `upcard verify` checks it, `upcard replay` shows it.",
        f"notation = {VERSION}",
        f"game = {toml_value(log.game)}",
        f"fingerprint = {toml_value(log.fingerprint)}",
        f"settings = {toml_value(log.settings)}",
    ]
    return "\n".join((*head, *_entries(log), ""))


def _entries(log: Log) -> Iterator[str]:
    for entry, number in zip(log.entries, rounds_of(log.entries), strict=True):
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
    notation: int
    game: str
    fingerprint: str
    settings: dict[str, str]
    entries: list[_Entry] = []


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    round: int
    events: list[Any]
    command: Any = None


def parse_log(text: str, source: str = "log") -> Log:
    """A log from its text, or one sentence about what is wrong with it."""
    try:
        found = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        raise UpcardError(f"{source}: is not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise UpcardError(f"{source}: is not the record of a session: {error}") from error
    if found.notation != VERSION:
        raise UpcardError(
            f"{source}: is written in notation {found.notation}; this version reads {VERSION}"
        )
    entries = tuple(
        _entry(entry, f"{source}: entry {n}") for n, entry in enumerate(found.entries, 1)
    )
    return Log(found.game, found.fingerprint, found.settings, entries)


def _entry(entry: _Entry, source: str) -> Entry:
    try:
        return msgspec.convert({"command": entry.command, "events": entry.events}, Entry)
    except msgspec.ValidationError as error:
        raise UpcardError(f"{source}: {error}") from error


def read_log(path: Path) -> Log:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise UpcardError(f"{path}: cannot be read: {reason}") from error
    return parse_log(text, str(path))


def save_log(log: Log, path: Path) -> None:
    """Write a log so that a crash leaves either the old file or the new one, never half of one."""
    text = write_log(log)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError as error:
        raise UpcardError(f"{path}: cannot be written: {error.strerror}") from error
