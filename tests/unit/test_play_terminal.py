"""`upcard play` on a real pseudo-terminal, without one, and the menu."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unit.test_play_kit import Scene, own_folder
from upcard import GAME_IDS
from upcard.cli.play.betting import WagerDraft
from upcard.cli.play.home import data_folder
from upcard.cli.play.keys import ScriptedKeyboard, named
from upcard.cli.play.menu import choose_game
from upcard.rules.registry import head_of

__all__ = ["own_folder"]

PATIENCE = 30


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "upcard", "play", *arguments]
    return subprocess.run(
        words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=60
    )


@pytest.mark.parametrize("arguments", [(), ("blackjack",)])
def test_without_a_terminal_it_says_what_it_would_do(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "needs a terminal" in done.stdout
    assert len(done.stdout.splitlines()) <= 2
    assert "\x1b" not in done.stdout


def test_wrong_wishes_are_one_sentence() -> None:
    done = run("blackjack", "--new", "--resume")
    assert done.returncode == 1
    assert done.stderr == "upcard: --new and --resume exclude each other\n"


class Terminal:
    """A child in a pseudo-terminal of 80 by 24, in a process group of its own."""

    def __init__(self, *arguments: str, home: Path, term: str = "xterm-256color") -> None:
        import pty
        import termios

        self.file, other = pty.openpty()
        self.other = other
        self.resize(80, 24)
        self.before = termios.tcgetattr(other)
        variables = os.environ | {"UPCARD_HOME": str(home), "TERM": term}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            variables.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "upcard", "play", *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env=variables,
            process_group=0,
        )
        self.seen = ""

    def resize(self, width: int, height: int) -> None:
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def is_as_before(self) -> bool:
        import termios

        return termios.tcgetattr(self.other) == self.before

    def until_stopped(self) -> None:
        """Wait until the child is stopped by a signal."""
        end = time.monotonic() + PATIENCE
        while True:
            _, status = os.waitpid(self.process.pid, os.WUNTRACED | os.WNOHANG)
            if status and os.WIFSTOPPED(status):
                return
            assert time.monotonic() < end, self.seen[-4000:]
            self.read(0.05)

    def read(self, seconds: float) -> None:
        if select.select([self.file], [], [], seconds)[0]:
            self.seen += os.read(self.file, 65536).decode("utf-8", "replace")

    def until(self, words: str) -> None:
        """Read until words come up."""
        end = time.monotonic() + PATIENCE
        start = len(self.seen)
        while words not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.seen[start:]):
            assert time.monotonic() < end, f"{words!r} does not come up:\n{self.seen[-4000:]}"
            self.read(0.1)

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def end(self) -> int:
        """Wait for the end; the terminal must be as it was."""
        code = self.process.wait(PATIENCE)
        while select.select([self.file], [], [], 0.2)[0]:
            self.seen += os.read(self.file, 65536).decode("utf-8", "replace")
        assert self.is_as_before()
        os.close(self.other)
        os.close(self.file)
        return code


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_a_few_keys_in_a_pseudo_terminal(tmp_path: Path) -> None:
    terminal = Terminal("--seed", "demo", "--fast", home=tmp_path)
    terminal.until("choose a game")
    terminal.press("\x1b[B")
    terminal.until("Ten Sticks 21")
    terminal.press("\r")
    terminal.until("Enter deals")
    terminal.press("\x1b[C")
    terminal.until("$10 in all")
    terminal.press("\r")
    terminal.until("Your turn at seat 4")
    terminal.press("?")
    terminal.until("What you can do at seat 4")
    terminal.press("\x1b")
    terminal.until("Your turn at seat 4")
    terminal.press("s")
    terminal.until("Round over")
    terminal.press("\x03")
    assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.seen, "the alternate screen is left"
    assert "\x1b[?25h" in terminal.seen, "the cursor is back"
    assert "goes on from here" in terminal.seen
    again = Terminal("ten-sticks-21", "--resume", home=tmp_path)
    again.until("round 1")
    again.press("q")
    assert again.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_an_error_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    terminal = Terminal("blackjack", "--seat", "99", home=tmp_path)
    assert terminal.end() == 1
    assert "there is no seat 99" in terminal.seen
    assert "Traceback" not in terminal.seen
    assert "\x1b[?1049l" in terminal.seen


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_hang_up_loses_nothing(tmp_path: Path) -> None:
    terminal = Terminal("blackjack", "--seed", "demo", home=tmp_path)
    terminal.until("Enter deals")
    terminal.press("\r")
    terminal.until("Seat 2 gets")
    terminal.process.terminate()
    assert terminal.end() == 0
    assert "Deal" in (tmp_path / "tables" / "blackjack.jsonl").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("way", ["key", "signal"])
def test_the_terminal_is_given_back_while_the_table_is_stopped(tmp_path: Path, way: str) -> None:
    terminal = Terminal("blackjack", "--seed", "demo", home=tmp_path)
    terminal.until("Enter deals")
    if way == "key":
        terminal.press("\x1a")
    else:
        terminal.process.send_signal(signal.SIGTSTP)
    terminal.until_stopped()
    terminal.read(0.05)
    assert terminal.is_as_before()
    assert terminal.seen.endswith(("\x1b[?25h\x1b[?1049l", "\x1b[?1049l\x1b[?25h"))
    terminal.process.send_signal(signal.SIGCONT)
    terminal.until("Enter deals")
    assert not terminal.is_as_before(), "keys come one by one again"
    terminal.press("\r")
    terminal.until("Seat 2 gets")
    terminal.press("q")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.seen


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_a_new_size_is_drawn_at_once(tmp_path: Path) -> None:
    terminal = Terminal("blackjack", "--seed", "demo", "--fast", home=tmp_path)
    terminal.until("Enter deals")
    terminal.resize(60, 20)
    terminal.until("The table needs")
    terminal.press("\r")
    terminal.until("The table needs")
    terminal.resize(100, 30)
    terminal.until("Enter deals")
    terminal.press("q")
    assert terminal.end() == 0
    assert "Deal" not in (tmp_path / "tables" / "blackjack.jsonl").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_signals_that_end_it_end_it_in_good_order(tmp_path: Path, number: str) -> None:
    terminal = Terminal("blackjack", "--seed", "demo", "--fast", home=tmp_path)
    terminal.until("Enter deals")
    terminal.process.send_signal(getattr(signal, number))
    assert terminal.end() == 0
    assert "Traceback" not in terminal.seen
    assert "\x1b[?1049l" in terminal.seen
    assert "goes on from here" in terminal.seen


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_a_terminal_that_is_gone_is_no_traceback(tmp_path: Path) -> None:
    terminal = Terminal("blackjack", "--seed", "demo", "--fast", home=tmp_path)
    terminal.until("Enter deals")
    os.close(terminal.other)
    os.close(terminal.file)
    assert terminal.process.wait(PATIENCE) == 0
    assert (tmp_path / "tables" / "blackjack.jsonl").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_a_dumb_terminal_is_told_so(tmp_path: Path) -> None:
    terminal = Terminal("blackjack", home=tmp_path, term="dumb")
    assert terminal.end() == 1
    assert "this terminal (TERM=dumb) cannot draw a table" in " ".join(terminal.seen.split())
    assert "\x1b" not in terminal.seen


# ------------------------------------------------------------------ the menu


def test_the_menu_has_every_game() -> None:
    scene = Scene()
    for number, game in enumerate(GAME_IDS):
        head = head_of(game)
        assert head is not None
        down = ["down"] * number
        assert choose_game(scene.console, ScriptedKeyboard([*down, "q"])) is None
        assert head.summary in scene.now
        assert choose_game(scene.console, ScriptedKeyboard([*down, "enter"])) == game
        if number < 9:
            assert choose_game(scene.console, ScriptedKeyboard([str(number + 1)])) == game
    assert "saved session" not in scene.now


def test_the_menu_is_walked_with_arrows_and_shows_saved_sessions() -> None:
    folder = data_folder() / "tables"
    folder.mkdir(parents=True)
    (folder / "twisted-21.toml").write_text("")
    scene = Scene()
    keyboard = ScriptedKeyboard(["down", "down", "up", "x", "enter"])
    assert choose_game(scene.console, keyboard) == GAME_IDS[1]
    assert scene.now.count("saved session") == 1


def test_no_game_is_chosen_unseen() -> None:
    scene = Scene(50, 12)
    assert choose_game(scene.console, ScriptedKeyboard(["1", "enter", "q"])) is None
    assert scene.told("only q (quit) does anything")


# ------------------------------------------------------------------ keys and drafts


def test_keys_that_have_no_name() -> None:
    assert named("\x1b[99~") == ""
    assert named("\x1b[H") == "home"
    assert named("\x7f") == "backspace"


def test_a_scripted_keyboard_shows_what_it_presses() -> None:
    pressed: list[str] = []
    keyboard = ScriptedKeyboard(["a", "b"], pressed.append)
    assert (keyboard.read(), keyboard.read()) == ("a", "b")
    assert pressed == ["a", "b"]
    with pytest.raises(EOFError):
        keyboard.read()


def test_a_draft_steps_through_what_is_allowed() -> None:
    from conftest import compiled

    money = compiled("blackjack-tie").money
    draft = WagerDraft(money, {4: {"base": 500}})
    draft.step(-1)
    assert draft.boxes[4] == {"base": 500}, "the base wager is mandatory"
    draft.step(10**6)
    assert draft.amount == 50_000
    draft.choose(1)
    draft.step(1)
    draft.step(1)
    assert draft.amount == 200
    draft.step(-1)
    draft.step(-1)
    assert draft.boxes[4] == {"base": 50_000}
    draft.drop_box()
    assert list(draft.boxes) == [4], "the last box stays"
