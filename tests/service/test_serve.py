"""`upcard serve` as a process: it opens, says where, refuses what cannot be, and closes quietly."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shell import refusal, upcard
from upcard import GAME_IDS
from upcard.cli import house_place
from upcard.service.api.settings import COOKIE

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


class Process:
    """A server that runs."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "upcard", "serve", "--data", str(folder), "--no-open"]
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.said: list[str] = []

    def line(self) -> str:
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        self.said.append(text)
        return text

    def address(self) -> str:
        found = ADDRESS.search(self.line())
        assert found is not None, (self.said, self.process.stderr and self.process.stderr.read())
        return found.group()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextlib.contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Process]:
    server = Process(folder, *arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


def test_a_house_opens_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with serving(tmp_path / "house", "--port", "0") as server:
        address = server.address()
        assert "Play money only" in server.line()
        link = server.line().split()[-1]
        assert len(httpx.get(f"{address}api/tables").json()) == len(GAME_IDS), (
            "a demo table of each game"
        )
        page = httpx.get(address, headers={"accept": "text/html"})
        assert page.status_code == 200
        assert COOKIE in page.cookies
        entered = httpx.get(link)
        assert entered.status_code == 303
        cookies = {COOKIE: entered.cookies[COOKIE]}
        assert httpx.get(f"{address}api/me", cookies=cookies).json()["role"] == "operator"
        assert httpx.get(link).status_code == 403, "the link works once"
        assert (
            httpx.get(f"{address}api/health", headers={"host": "evil.example"}).status_code == 421
        )
        said = refusal("serve", "--data", str(tmp_path / "house"), "--port", "0")
        assert "this house is open already" in said
        port = address.rstrip("/").rpartition(":")[2]
        said = refusal("serve", "--data", str(tmp_path / "other"), "--port", port)
        assert f"port {port} of 127.0.0.1 is in use" in said
        status, out, err = server.end()
        assert (status, err) == (0, "")
        assert "The house is closed." in out
    with serving(tmp_path / "house", "--port", "0") as server:
        address = server.address()
        tables = httpx.get(f"{address}api/tables").json()
        assert len(tables) == len(GAME_IDS), "no more than before"
        assert httpx.get(f"{address}api/me", cookies=cookies).json()["name"] == "Operator"
        status, out, _ = server.end(signal.SIGINT)
        assert status == 0
        assert "api/enter" not in "".join(server.said) + out, "there is an operator already"
    assert (tmp_path / "house").stat().st_mode & 0o77 == 0, "for its owner's eyes only"


def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    from upcard.cli import serve

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "PORT", port)
        with serve.listening("127.0.0.1", None) as listener:
            assert port < listener.getsockname()[1] < port + serve.PORTS_TRIED
        monkeypatch.setattr(serve, "PORTS_TRIED", 1)
        with pytest.raises(Exception, match="are in use"), serve.listening("127.0.0.1", None):
            pass


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "203.0.113.77", "--port", "0"], "cannot listen on 203.0.113.77"),
        (["--db", "mysql://x/y"], "not known here"),
        (["--db", "nonsense"], "is not the address of a database"),
        (["--db", "sqlite://"], "needs a file"),
        (["--db", "sqlite:///x.db", "--data", "y"], "two places"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UPCARD_HOME", str(tmp_path))
    assert words in refusal("serve", *arguments)


def test_a_database_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "house.db").write_text("this is no database, but somebody's notes" * 100)
    with serving(tmp_path, "--port", "0") as server:  # pages are mounted once in a process
        out, err = server.process.communicate(timeout=60)
    assert (server.process.returncode, out) == (1, "")
    assert re.fullmatch(r"upcard: the database \S+ cannot be used: .+\n", err)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_place, "NEEDED", ("sqlalchemy", "nowhere_to_be_found"))
    assert "pip install 'upcard[web]'" in refusal("serve")


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_place, "DRIVER", "nowhere_to_be_found")
    for verb in (["serve"], ["house", "account", "list"]):
        said = refusal(*verb, "--db", "postgresql+psycopg://a@b/c")
        assert said == "PostgreSQL needs the postgres extra: pip install 'upcard[postgres]'"


WITHOUT_THE_EXTRA = """
import sys
for name in ("sqlalchemy", "alembic", "argon2", "fastapi", "nicegui", "uvicorn", "httpx"):
    sys.modules[name] = None
from upcard.cli import main
for words in ("serve", "house backup x.db", "house restore x.db", "house audit x.jsonl",
              "house account list", "house account add Ann", "house account password Ann"):
    sys.argv = ["upcard", *words.split()]
    try:
        main()
    except SystemExit as leaving:
        print(leaving.code)
try:
    import upcard.client
except ModuleNotFoundError as missing:
    print(missing, file=sys.stderr)
import upcard.coach
"""


def test_without_the_extra_everything_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=os.environ | {"UPCARD_HOME": str(tmp_path)},
    )
    assert done.stdout.split() == ["1"] * 7, "and no password is asked for"
    sentence = "needs the web extra: pip install 'upcard[web]'"
    said = ["upcard: upcard serve", *["upcard: upcard house"] * 6, "upcard.client"]
    assert done.stderr.splitlines() == [f"{words} {sentence}" for words in said]
    assert list(tmp_path.iterdir()) == []


def test_the_help_says_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for verb in (["serve"], ["house"], ["house", "account"]):
        assert upcard(*verb, "--help").status == 0
    shown = upcard("serve", "--help").out
    for default in ("8421, or the next that is free", "house, in the folder", "there is a screen"):
        assert default in shown
