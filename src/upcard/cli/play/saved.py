"""Files: one session for each game, and the players' cards with the key that signs them."""

from __future__ import annotations

import os
import secrets
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from upcard.errors import UpcardError
from upcard.table.events import TableClosed
from upcard.table.notation import read_log, write_entries, write_log, write_safely
from upcard.table.session import rounds_of
from upcard.table.verify import verify

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.table.players_cards import Casino
    from upcard.table.session import Log, Session

HOUSE = "Upcard"
"""The name of the casino whose tables these are."""


def data_folder() -> Path:
    """Where sessions are kept: UPCARD_HOME, or the system's place for such data."""
    if own := os.environ.get("UPCARD_HOME"):
        return Path(own)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "upcard"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "upcard"


def session_file(tables: GameTables) -> Path:
    return data_folder() / "tables" / f"{tables.id}.toml"


def put_aside(path: Path) -> Path:
    """Rename a file so that a new one can have its place; nothing is ever overwritten."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        more = f"-{number}" if number else ""
        other = path.with_name(f"{path.stem}-{stamp}{more}{path.suffix}")
        if not other.exists():
            break
        number += 1
    try:
        path.rename(other)
    except OSError as error:
        raise UpcardError(f"{path}: cannot be renamed: {error.strerror}") from error
    return other


class Record:
    """A session's file, kept up to date. Only entries that are new are put into words again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = ""
        self.count = 0
        self.round = 0

    def save(self, session: Session) -> None:
        log = session.log()
        new = log.entries[self.count :]
        self.text += write_entries(new, self.round) if self.text else write_log(log)
        self.count = len(log.entries)
        *_, self.round = (self.round, *rounds_of(new, self.round))
        write_safely(self.path, self.text.encode())


class Found(NamedTuple):
    """A saved session; `other` says why it does not fit the game at hand, "" if it does."""

    log: Log
    other: str


def find_session(path: Path, tables: GameTables, casino: Casino | None) -> Found | None:
    """The session in a file, or None if there is no file or its table is closed.

    A record that cannot be read, or that does not follow the rules, is an error in one sentence.
    """
    if not path.exists():
        return None
    advice = "; it is left as it is: move it away, or play with --new, which keeps it aside"
    try:
        log = read_log(path)
    except UpcardError as error:
        raise UpcardError(f"{error}{advice}") from error
    if log.fingerprint != tables.fingerprint:
        return Found(log, _difference(log, tables))
    for check in verify(tables, log, casino):
        if not check.holds:
            broken = f"the {check.name} of the record is broken: {check.found}"
            raise UpcardError(f"{path}: {broken}{advice}")
    if not log.entries or any(isinstance(event, TableClosed) for event in log.events):
        put_aside(path)
        return None
    return Found(log, "")


def _difference(log: Log, tables: GameTables) -> str:
    before = tables.rulebook.settings_words(log.settings)
    if dict(tables.settings) != log.settings:
        return f"other settings ({before or 'the usual ones'})"
    return f"other rules ({log.game}, fingerprint {log.fingerprint[:10]})"


# ------------------------------------------------------------------ players' cards


class Wallet(msgspec.Struct, omit_defaults=True):
    """The casino's key, the players' cards that can be given up, and the serials of used ones."""

    key: str
    cards: dict[str, list[str]] = {}
    used: list[str] = []


def wallet_file() -> Path:
    return data_folder() / "players-cards.json"


def open_wallet() -> Wallet:
    """The wallet, made with a new key the first time."""
    path = wallet_file()
    if not path.exists():
        wallet = Wallet(secrets.token_hex(32))
        keep_wallet(wallet)
        return wallet
    try:
        return msgspec.json.decode(path.read_bytes(), type=Wallet)
    except (OSError, msgspec.MsgspecError) as error:
        raise UpcardError(
            f"{path}: the players' cards cannot be read: {error}; it is left as it is"
        ) from error


def keep_wallet(wallet: Wallet) -> None:
    write_safely(wallet_file(), msgspec.json.format(msgspec.json.encode(wallet), indent=2))
