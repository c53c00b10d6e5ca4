"""The file of a session in use: one writer, entries only ever added, each whole and on the disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from upcard.errors import UpcardError
from upcard.table.chain import Links
from upcard.table.files import cannot_write, write_new
from upcard.table.keys import TableKey
from upcard.table.notation import Record, write_log
from upcard.table.session import Session


class ChangedError(UpcardError):
    """Somebody else wrote the file."""


class Look(NamedTuple):
    """By what a file is known again. `touched` tells of a change whose time was put back."""

    device: int
    number: int
    size: int
    changed: int
    touched: int


class Journal:
    """Keeps a session's file up to date. Whoever makes one holds the file's `Lock`.

    Before anything is added the file must be as it was left: what somebody else wrote is never
    written over, and `keep_beside` saves the session in another place.
    """

    def __init__(self, path: Path, key: TableKey | None, links: Links, count: int) -> None:
        self.path = path
        self.key = key
        self.links = links
        self.count = count
        self.left = look_of(path)
        self.digest = _digest_of(path)

    @classmethod
    def begin(cls, path: Path, session: Session, key: TableKey | None = None) -> Journal:
        """A new file, with everything so far. There must be none yet."""
        log, links = session.log(), Links(key)
        write_new(path, links.whole(log), private=True)
        return cls(path, key, links, len(log.entries))

    @classmethod
    def resume(cls, path: Path, record: Record, key: TableKey | None, look: Look | None) -> Journal:
        """A file that goes on; what stands behind its last seal was never finished and goes.

        `look` is how the file looked before it was read: it must be the same still.
        """
        log, chain = record.finished, record.chain
        assert chain is not None, "only a chained record goes on in its own file"
        if look is None or look_of(path) != look:
            raise ChangedError(f"{path}: was changed by somebody else since it was read")
        if look.size > chain.complete:
            os.truncate(path, chain.complete)
        links = Links(key)
        if chain.seals:
            links.head, links.round = chain.head, chain.seals[-1].round
        else:
            links.whole(log)
        return cls(path, key, links, len(log.entries))

    @property
    def head(self) -> str:
        return self.links.head

    def save(self, session: Session) -> None:
        """Add what is new, and have it on the disk when this is done."""
        new = session.entries[self.count :]
        if not new:
            return
        if not self._is_as_left():
            raise ChangedError(f"{self.path}: was changed by somebody else while it was in use")
        links = Links(self.key, self.links.head, self.links.round)
        data = b"".join(map(links.entry, new))
        try:
            self._append(data)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self.links = links
        self.count += len(new)
        self.left = look_of(self.path)
        self.digest.update(data)

    def _is_as_left(self) -> bool:
        """A backup or a change of rights touches a file and leaves all bytes as they were."""
        now = look_of(self.path)
        if now is None or self.left is None:
            return False
        if now == self.left:
            return True
        if now != self.left._replace(touched=now.touched):
            return False
        return _digest_of(self.path).digest() == self.digest.digest()

    def _append(self, data: bytes) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            size = os.fstat(handle).st_size
            try:
                while data:  # a system may take less than all of it at a time
                    data = data[os.write(handle, data) :]
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, size)  # no half of an entry stays
                raise
        finally:
            os.close(handle)

    def keep_beside(self, session: Session, other: Path) -> None:
        """The whole session in another file, where this one cannot be written."""
        write_new(other, write_log(session.log(), self.key).encode(), private=True)


def look_of(path: Path) -> Look | None:
    """How a file looks; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Look(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _digest_of(path: Path) -> hashlib._Hash:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256")
