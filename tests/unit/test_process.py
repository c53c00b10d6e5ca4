"""The command line as a process: its streams, its exit status, and Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.table import Table

from shell import upcard
from upcard.cli.output import console

ROOT = Path(__file__).parents[2]
RECORD = "examples/session.jsonl"
ROUND = "examples/eight-eight-eight.toml"
FEW = ("--rounds", "1000", "--policy", "mimic")

ANSWERS: dict[str, tuple[str, ...]] = {
    "games": (),
    "rules": ("twisted-21",),
    "check": ("twisted-21",),
    "new": ("my-game", "-o", "-"),
    "test": ("examples",),
    "schema": (),
    "round": (ROUND,),
    "replay": (RECORD,),
    "verify": (RECORD,),
    "fees": ("show", "1"),
    "bank": ("pure-spanish-21.5",),
    "odds": ("twisted-21",),
    "hand": ("twisted-21", "--cards", "Ts 6d", "--up", "9h"),
    "strategy": ("twisted-21",),
    "readings": ("games-of-chance-blackjack",),
    "compare": ("twisted-21", "twisted-21"),
    "target": ("blackjack", "--side=21+3", "--wager=21+3", "--edge=4%", "--solve=straight flush"),
    "simulate": ("twisted-21", *FEW),
    "finding": ("games-of-chance-blackjack",),
}
"""Every verb that prints an answer, asked for one."""
REFUSED: dict[str, tuple[str, ...]] = {
    "rules": ("nosuch",),
    "check": ("nosuch",),
    "new": ("my-game", "--like", "nosuch", "-o", "-"),
    "test": ("nosuch",),
    "round": ("nosuch.toml",),
    "replay": ("nosuch.toml",),
    "verify": ("nosuch.toml",),
    "fees": ("show", "999"),
    "bank": ("nosuch",),
    "play": ("nosuch",),
    "odds": ("nosuch",),
    "hand": ("nosuch", "--cards", "Ts 6d", "--up", "9h"),
    "strategy": ("nosuch",),
    "readings": ("nosuch",),
    "compare": ("nosuch", "blackjack"),
    "target": ("nosuch", "--wager=base", "--edge=1%", "--solve=natural"),
    "simulate": ("nosuch",),
    "finding": ("nosuch",),
    "report": ("nosuch", "-o", "report.html"),
}


def run(words: tuple[str, ...], streams: str) -> subprocess.CompletedProcess[str]:
    """A command of a shell that opens and closes streams as written."""
    script = f'exec "$0" -m upcard "$@" {streams}'
    return subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("upcard.trial.bank.ROUNDS", 1000)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("verb", ANSWERS)
def test_an_answer_is_exit_status_0(verb: str) -> None:
    done = upcard(verb, *ANSWERS[verb])
    assert (done.status, bool(done.out)) == (0, True), done.err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("verb", REFUSED)
def test_a_refusal_is_exit_status_1_and_a_sentence(verb: str) -> None:
    done = upcard(verb, *REFUSED[verb])
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("upcard: ")


@pytest.mark.parametrize("verb", sorted({*ANSWERS, *REFUSED}))
def test_wrong_usage_is_exit_status_2(verb: str) -> None:
    done = upcard(verb, "--nosuch")
    assert (done.status, done.out) == (2, "")


def test_every_verb_is_looked_at() -> None:
    from upcard.cli import command_line

    app = command_line()
    verbs = {command.name for command in app.registered_commands}
    verbs |= {group.name for group in app.registered_groups}
    elsewhere = {"prepare": "test_prepare.py", "serve": "test_serve.py", "house": "test_backup.py"}
    assert verbs == {*ANSWERS, *REFUSED, *elsewhere}


FULL = "the output could not be written: No space left on device"
CLOSED = "the output could not be written: Bad file descriptor"
GAMES, HELP, WRONG, UNKNOWN = ("games",), ("--help",), ("nosuch",), ("rules", "nosuch")


@pytest.mark.parametrize(
    ("words", "streams", "status", "said"),
    [
        (GAMES, ">&-", 1, CLOSED),
        (HELP, ">&-", 1, CLOSED),
        (GAMES, ">/dev/full", 1, FULL),
        (HELP, ">/dev/full", 1, FULL),
        (GAMES, "<&-", 0, ""),
        (GAMES, "2>&-", 0, ""),
        (("odds", "twisted-21"), "2>&-", 0, ""),
        (GAMES, "2>/dev/full", 0, ""),
        (GAMES, "<&- >&- 2>&-", 1, ""),
        (WRONG, ">&-", 2, "No such command"),
        (WRONG, "2>&-", 2, ""),
        (WRONG, "2>/dev/full", 2, ""),
        (UNKNOWN, ">&-", 1, 'no game "nosuch"'),
        (UNKNOWN, "2>&-", 1, ""),
        (UNKNOWN, "2>/dev/full", 1, ""),
    ],
)
def test_closed_and_full_streams(
    words: tuple[str, ...], streams: str, status: int, said: str
) -> None:
    done = run(words, streams)
    assert "Traceback" not in done.stderr
    assert (done.returncode, said in done.stderr, bool(done.stderr)) == (status, True, bool(said))


@pytest.mark.parametrize("words", [GAMES, HELP, ("rules", "pure-spanish-21.5")])
def test_a_reader_that_leaves_is_no_error(words: tuple[str, ...]) -> None:
    unread, pipe = os.pipe()
    os.close(unread)
    with os.fdopen(pipe, "w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "upcard", *words],
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


INTERRUPTED_AT = """
import os, signal, sys
sys.argv = ["upcard", "games"]

class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from upcard.__main__ import main
main()
"""


@pytest.mark.parametrize(
    "module", ["upcard.cli", "typer", "upcard.errors", "rich.console", "upcard.rules.load"]
)
def test_ctrl_c_while_loading_leaves_without_a_word(module: str) -> None:
    """Where a module is looked for is a moment like any other, but always the same one."""
    script = INTERRUPTED_AT.format(module=module)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_ctrl_c_in_a_verb_leaves_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("upcard.cli.games.assemble", interrupted)
    assert upcard("games") == (130, "", "")


def test_an_interrupt_that_is_ignored_stays_ignored() -> None:
    """As nohup and shells' background jobs have it."""
    script = INTERRUPTED_AT.format(module="upcard.cli")
    done = subprocess.run(
        ["/bin/sh", "-c", 'trap "" INT; exec "$0" -c "$1"', sys.executable, script],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


class Terminal(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_no_figure_is_cut_short_in_a_narrow_window(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"COLUMNS": "30", "LINES": "20", "TERM": term, "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    seen = Terminal()
    monkeypatch.setattr(sys, "stdout", seen)
    table = Table(*(f"column{number}" for number in range(12)))
    table.add_row(*(f"{number}.123456%" for number in range(12)))
    console().print(table)
    assert all(f"{number}.123456%" in seen.getvalue() for number in range(12))
