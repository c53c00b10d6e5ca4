"""A real PostgreSQL of one's own: in a temporary folder, gone with whoever started it.

It listens on a socket in that folder alone, so that no port is taken. As root it runs as the user
`postgres`, for it refuses to run as root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

OWNER = "upcard"
QUICK = ("fsync=off", "full_page_writes=off")
"""What is committed survives a server that is killed, but no loss of power."""
ALWAYS = ("listen_addresses=", "max_connections=60", "shared_buffers=32MB", "log_statement=none")
READY = "ready to accept connections"


def program(name: str) -> str | None:
    """A program of PostgreSQL, of the newest version that is installed."""
    found = shutil.which(name)
    if found is not None:
        return found
    places = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = max(places, key=lambda place: float(place.parts[-3]), default=None)
    return str(newest) if newest is not None else None


def missing() -> str:
    """Why there is no PostgreSQL here; "" if there is."""
    if program("initdb") is None or program("postgres") is None:
        return "PostgreSQL is not installed (initdb and postgres are not found)"
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            return "PostgreSQL does not run as root, and there is no setpriv to become another"
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            return "PostgreSQL does not run as root, and there is no user postgres"
    return ""


class Server:
    """A server that was started here; `stop` and `start` as often as one likes."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self.settings = (*ALWAYS, *(() if durable else QUICK), f"unix_socket_directories={folder}")
        self.made = 0
        self._process: subprocess.Popen[str] | None = None

    def prepare(self) -> None:
        """Make the files of an empty server."""
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        subprocess.run(
            [
                *_as_user(),
                *(str(program("initdb")), "--pgdata", str(self.folder / "data")),
                *("--username", OWNER, "--auth", "trust", "--encoding", "UTF8"),
                *("--locale", "C", "--no-sync", "--no-instructions"),
            ],
            check=True,
            capture_output=True,
            cwd=self.folder,
        )

    def start(self) -> None:
        """Start, and come back when it answers."""
        options = [word for setting in self.settings for word in ("-c", setting)]
        self._process = subprocess.Popen(
            [*_as_user(), str(program("postgres")), "-D", str(self.folder / "data"), *options],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            cwd=self.folder,
        )
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if READY in line:
                break
        else:
            self._process.wait()
            raise RuntimeError("PostgreSQL did not start: " + "".join(said))
        self._drain = threading.Thread(target=_drain, args=(self._process.stderr,), daemon=True)
        self._drain.start()

    def stop(self) -> None:
        """As if the machine went away: nobody is asked, no connection is ended politely."""
        if self._process is not None:
            self._process.send_signal(3)  # SIGQUIT: immediately
            self._process.wait()
            self._drain.join()
            self._process = None

    def new_database(self, like: str = "") -> str:
        """The address of a new database: empty, or a copy of another."""
        import psycopg

        self.made += 1
        name = f"house{self.made}"
        template = like.rpartition("?")[0].rpartition("/")[2] or "template1"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._address(name).replace("postgresql:", "postgresql+psycopg:", 1)

    def _address(self, name: str) -> str:
        return f"postgresql://{OWNER}@/{name}?host={self.folder}"


def _drain(stream: IO[str]) -> None:
    with stream:
        for _ in stream:
            pass


def _as_user() -> list[str]:
    """What a command begins with, so that it runs as a user who may, and ends with us."""
    if shutil.which("setpriv") is None:
        return []
    ends = ["setpriv", "--pdeathsig", "KILL"]
    if os.geteuid() == 0:
        return [*ends, "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    return ends


@contextmanager
def running(*, durable: bool = False) -> Iterator[Server]:
    """A server, for as long as it is needed; `durable`: as one is run for real."""
    folder = Path(tempfile.mkdtemp(prefix="upcard-pg-"))
    server = Server(folder, durable=durable)
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
