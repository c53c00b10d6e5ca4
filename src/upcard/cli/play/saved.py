"""Files: one session for each game, with one writer."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from upcard.cli.play.home import data_folder
from upcard.errors import UpcardError
from upcard.table.files import real_path
from upcard.table.journal import Look, look_of
from upcard.table.notation import Record, read_record
from upcard.table.proof import is_closed, verify_record

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.table.players_cards import Casino
    from upcard.table.session import Log

_TITLE = b'{"notation":'
_OLD_TITLE = re.compile(rb"(?:^|\n)notation *= *\d")
"""What only a session's record has at its top, however damaged the rest of it may be."""
_TOP = 300

HOUSE = "Upcard"
"""The name of the casino whose tables these are."""
UNFINISHED = (
    "The last command was not finished when this table stopped: it is as if it had not been given."
)


def session_file(tables: GameTables) -> Path:
    return real_path(data_folder() / "tables" / f"{tables.id}.jsonl")


def saved_in(path: Path, tables: GameTables) -> Path:
    """Where a session is found that is to be kept in `path`: one of old has its old name."""
    old = path.with_suffix(".toml")
    return old if path == session_file(tables) and old.exists() and not path.exists() else path


def need_file(path: Path) -> None:
    """A place that a person names for a session: a file, or none yet in a folder that is there."""
    if path.is_dir():
        raise UpcardError(f"the session {path} is a folder, not a file")
    if not path.parent.is_dir():
        raise UpcardError(f"the session {path} cannot be kept: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise UpcardError(f"the session {path} cannot be kept there: it is not a regular file")


def is_session(path: Path) -> bool:
    """Whether a file is the record of a session, be it a damaged one."""
    try:
        with path.open("rb") as file:
            top = file.read(_TOP)
    except OSError:
        return False
    old = _OLD_TITLE.search(top)
    return top.startswith(_TITLE) or (old is not None and b"[" not in top[: old.start()])


def free_name(path: Path) -> Path:
    """A name like this one, with the time in it, that no file has."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        more = f"-{number}" if number else ""
        other = path.with_name(f"{path.stem}-{stamp}{more}{path.suffix}")
        if not other.exists():
            return other
        number += 1


def put_aside(path: Path) -> Path:
    """Rename a file so that a new one can have its place; nothing is ever overwritten."""
    other = free_name(path)
    try:
        path.rename(other)
    except OSError as error:
        raise UpcardError(f"{path}: cannot be renamed: {error.strerror}") from error
    return other


class SavedSession(NamedTuple):
    """A saved session. `other` says why it does not fit the game at hand, "" if it does.

    `unfinished`: its last command was being written when the table stopped.
    """

    record: Record
    look: Look | None
    other: str
    unfinished: bool = False

    @property
    def log(self) -> Log:
        return self.record.finished


def find_session(
    path: Path, tables: GameTables, casino: Casino | None, key: str = ""
) -> SavedSession | None:
    """The session in a file, or None if there is no file. `key` is the public key of tables here.

    A record that cannot be read, or that does not hold, is an error in one sentence.
    """
    if not path.exists():
        return None
    advice = "; it is left as it is: move it away"
    if path.parent == session_file(tables).parent or is_session(path):
        advice += ", or play with --new, which keeps it aside"
    look = look_of(path)
    try:
        record = read_record(path)
    except UpcardError as error:
        raise UpcardError(f"{error}{advice}") from error
    if record.log.fingerprint != tables.fingerprint:
        return SavedSession(record, look, _difference(record.log, tables))
    chain = record.chain
    unfinished = chain is not None and chain.torn
    sound = record
    if chain is not None and unfinished:
        sound = Record(record.finished, chain._replace(fault=""))
    for check in verify_record(tables, sound, casino=casino):
        if not check.holds:
            broken = f"the {check.name} of the record is broken: {check.found}"
            raise UpcardError(f"{path}: {broken}{advice}")
    if chain is not None and chain.key not in ("", key) and not is_closed(record.log):
        raise UpcardError(
            f"{path}: is signed by the key of other tables, {chain.key[:16]}..., so it cannot go "
            f"on here{advice}"
        )
    return SavedSession(record, look, "", unfinished)


def _difference(log: Log, tables: GameTables) -> str:
    before = tables.rulebook.settings_words(log.settings)
    if dict(tables.settings) != log.settings:
        return f"other settings ({before or 'the usual ones'})"
    return f"other rules ({log.game}, fingerprint {log.fingerprint[:10]})"
