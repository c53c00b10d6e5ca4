"""Files that must not be lost: written whole or not at all, and by one writer at a time."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from types import TracebackType

import msgspec

from upcard.errors import UpcardError


def real_path(path: Path) -> Path:
    """Where a path leads in the end, without an error where links go round in a circle."""
    return Path(os.path.realpath(path))


def write_safely(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves either the old one or the new one, never half of one."""
    unfinished = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        unfinished = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        if unfinished is not None:
            unfinished.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def write_new(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file that must not be there yet: whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600 if private else 0o644
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise UpcardError(f"{path}: is there already, and is not written over") from None
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_name(path)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def _keep_name(path: Path) -> None:
    """Have the folder on the disk too, so that a new name survives a loss of power."""
    with contextlib.suppress(OSError):  # not every system opens folders
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def cannot_write(path: Path, error: OSError) -> UpcardError:
    return UpcardError(f"{path}: cannot be written: {error.strerror}")


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lock."""

    process: int
    host: str
    terminal: str
    since: str

    def __str__(self) -> str:
        where = f" in the terminal {self.terminal}" if self.terminal else ""
        return f"process {self.process} on {self.host}{where}, since {self.since}"


def _this_process() -> Holder:
    try:
        terminal = os.ttyname(0)
    except (OSError, AttributeError):
        terminal = ""
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return Holder(os.getpid(), socket.gethostname(), terminal, since)


PAUSE, WAITS = 0.05, 400
"""Seconds between two tries for a lock, and how many there are."""


class HeldError(UpcardError):
    """Somebody else holds the lock."""


class Lock:
    """The right to write a file: a lock of the system's on a file beside it.

    The system lets go of it when its holder ends, however that happens. The file beside says who
    holds it.
    """

    def __init__(self, path: Path) -> None:
        real = real_path(path)
        self.path = real.with_name(f".{real.name}.lock")
        self.handle = -1

    def take(self, what: str, advice: str = "", *, wait: bool = False) -> None:
        """Hold the lock, or say who does: between `what` and `advice` stands who it is.

        With `wait` whoever holds it is given some time to let go.
        """
        tries = WAITS if wait else 1
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            while self.handle < 0:
                tries -= 1
                try:
                    self._try(what, advice)
                except HeldError:
                    if tries <= 0:
                        raise
                    time.sleep(PAUSE)
            os.truncate(self.handle, 0)
            os.pwrite(self.handle, msgspec.json.encode(_this_process()), 0)
        except OSError as error:
            self.release()
            raise cannot_write(self.path, error) from error

    def _try(self, what: str, advice: str) -> None:
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _locked(handle):
            holder = _holder(handle)
            os.close(handle)
            raise HeldError(f"{what} {holder}{advice}")
        # Whoever held it before may have removed the file that was just locked.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), self.path.stat()):
                self.handle = handle
                return
        os.close(handle)

    def release(self) -> None:
        if self.handle >= 0:
            with contextlib.suppress(OSError):  # somebody may have removed it, and another made one
                if os.path.samestat(os.fstat(self.handle), self.path.stat()):
                    self.path.unlink()
            os.close(self.handle)
            self.handle = -1

    def __enter__(self) -> Lock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _holder(handle: int) -> str:
    try:
        return str(msgspec.json.decode(os.pread(handle, 4096, 0), type=Holder))
    except (OSError, msgspec.MsgspecError):
        return "somebody who has not left a name"


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _locked(handle: int) -> bool:
        try:
            os.lseek(handle, 1 << 20, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
