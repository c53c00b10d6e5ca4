"""Real servers in processes of their own, to be killed: `upcard serve`, as often as one likes.

What every server must load first is loaded once, by a nursery that forks when a server is wanted:
a start takes a moment instead of seconds. Whatever is started here ends with whoever started it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
_OPEN = re.compile(r"Upcard is open at (http://\S+)/")


class Server(NamedTuple):
    """A server that runs."""

    pid: int
    address: str
    output: Path


class Nursery:
    """Starts servers and kills them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def _ask(self, **what: Any) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._line()

    def start(self, *args: str) -> Server:
        """Start a server, and come back when it is open."""
        return self.opened(self.launch(*args))

    def launch(self, *args: str) -> Server:
        """Start a server; it has no address yet."""
        self.count += 1
        fifo = self.folder / f"server{self.count}.open"
        output = self.folder / f"server{self.count}.txt"
        os.mkfifo(fifo)
        pid = int(self._ask(do="start", args=args, fifo=str(fifo), output=str(output)))
        return Server(pid, "", output)

    def opened(self, server: Server) -> Server:
        """Wait until a server is open."""
        with server.output.with_suffix(".open").open() as said:
            for line in said:
                if found := _OPEN.search(line):
                    return server._replace(address=found[1])
        self.kill(server)
        raise RuntimeError(f"the server did not open: {server.output.read_text()}")

    def kill(self, server: Server) -> None:
        """End a server in the middle of whatever it does."""
        self.end(server, signal.SIGKILL)

    def end(self, server: Server, how: int = signal.SIGTERM) -> None:
        """End a server, and come back when it is gone."""
        self._ask(do="end", pid=server.pid, signal=how)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    with tempfile.TemporaryDirectory(prefix="upcard-servers-") as folder:
        found = Nursery(Path(folder))
        try:
            yield found
        finally:
            found.close()


# ------------------------------------------------------------------ in the nursery itself


def _serve(args: Sequence[str], fifo: str, output: str) -> None:
    """In a new process: be a server; what it says goes to who started it, its log to a file."""
    _die_with_parent()
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(file, 2)
    os.dup2(os.open(fifo, os.O_RDWR), 1)  # it may go on speaking when nobody reads any more
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    from upcard.__main__ import main

    sys.argv = ["upcard", "serve", "--port", "0", "--no-open", *args]
    main()


def _die_with_parent() -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _nurse() -> None:
    """Fork a server for every line that asks for one; all of them end with this process."""
    import nicegui  # noqa: F401
    import psycopg  # noqa: F401
    import uvicorn  # noqa: F401

    import upcard.cli.serve
    import upcard.service.api.app
    import upcard.service.house
    from upcard import GAME_IDS, tables_for

    with contextlib.suppress(ImportError):
        import upcard.web.app  # noqa: F401
    for game in GAME_IDS:
        tables_for(game)
    print("ready", flush=True)  # noqa: T201
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "start":
            pid = os.fork()
            if not pid:
                try:
                    _serve(asked["args"], asked["fifo"], asked["output"])
                except SystemExit:
                    pass
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stderr.flush()
                    os._exit(0)
            print(pid, flush=True)  # noqa: T201
        else:
            os.kill(asked["pid"], asked["signal"])
            os.waitpid(asked["pid"], 0)
            print("gone", flush=True)  # noqa: T201


if __name__ == "__main__":
    _nurse()
