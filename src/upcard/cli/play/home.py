"""The folder where tables of this machine keep their things, and the key that signs records."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from upcard.errors import UpcardError
from upcard.table.files import Lock, cannot_write, write_safely
from upcard.table.keys import TableKey, is_key


def data_folder() -> Path:
    """Where sessions are kept: UPCARD_HOME, or the system's place for such data."""
    if own := os.environ.get("UPCARD_HOME"):
        return Path(own)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "upcard"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "upcard"


def key_file() -> Path:
    return data_folder() / "table-key"


def table_key() -> TableKey:
    """The key that signs the records of tables here, made the first time."""
    path = key_file()
    try:
        if not path.exists():
            _make_key(path)
        text = path.read_text("ascii", "replace").strip()
    except OSError as error:
        raise cannot_write(path, error) from error
    if not is_key(text):
        raise UpcardError(
            f"{path}: is not a table's key: it is left as it is; move it away to have a new one"
        )
    return TableKey(text)


def _make_key(path: Path) -> None:
    """For its owner's eyes only. Of two tables that make it at the same time one makes it."""
    with Lock(path) as lock:
        lock.take(f"{path}: the tables' key is being made by", wait=True)
        if not path.exists():
            write_safely(path, f"{TableKey.new().private}\n".encode("ascii"))


def own_public_key() -> str:
    """The public part of the key here, "" if there is none."""
    try:
        text = key_file().read_text("ascii", "replace").strip()
    except OSError:
        return ""
    return TableKey(text).public if is_key(text) else ""
