"""Records of notation 1, which are only read: TOML, without times, hashes and signatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from upcard.errors import UpcardError
from upcard.shape import parse_toml, shaped
from upcard.table.commands import Command
from upcard.table.events import Event
from upcard.table.session import Entry, Log

OLD_NOTATION = 1


class _OldFile(msgspec.Struct, forbid_unknown_fields=True):
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


def parse_old_log(text: str, source: str) -> Log:
    data = parse_toml(text, source)
    _need_session(data, source)
    found = shaped(data, source, _OldFile)
    entries = tuple(Entry(entry.command, entry.events) for entry in found.entries)
    return Log(found.game, found.fingerprint, found.settings, entries)


def _need_session(data: Mapping[str, Any], source: str) -> None:
    """Tell apart what is no session at all, or one of another time."""
    if "notation" not in data:
        other = "; it looks like a situation: `upcard round` plays it" if "shoe" in data else ""
        raise UpcardError(f'{source}: is not a session: it has no key "notation"{other}')
    need_notation(data["notation"], OLD_NOTATION, source)


def need_notation(found: object, known: int, source: str) -> None:
    if found != known:
        raise UpcardError(
            f"{source}: is written in notation {found}, which this version does not read"
        )
