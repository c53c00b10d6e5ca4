"""The keyboard: keys by name, from a terminal or from a script."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

ENTER = "enter"
ESCAPE = "escape"
BACKSPACE = "backspace"
UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
PAGE_UP, PAGE_DOWN, HOME, END = "page up", "page down", "home", "end"
INTERRUPT = "interrupt"
"""Ctrl-C, which saves and quits like q."""
RESIZED = "resized"
"""No key: the terminal has another size, so draw again."""

_CONTROL = {
    "\r": ENTER,
    "\n": ENTER,
    "\x03": INTERRUPT,
    "\x04": INTERRUPT,
    "\x08": BACKSPACE,
    "\x7f": BACKSPACE,
    "\x1b": ESCAPE,
}
_SEQUENCES = {
    "A": UP,
    "B": DOWN,
    "C": RIGHT,
    "D": LEFT,
    "H": HOME,
    "F": END,
    "1~": HOME,
    "4~": END,
    "5~": PAGE_UP,
    "6~": PAGE_DOWN,
    "7~": HOME,
    "8~": END,
}
_WINDOWS = {
    "H": UP,
    "P": DOWN,
    "K": LEFT,
    "M": RIGHT,
    "G": HOME,
    "O": END,
    "I": PAGE_UP,
    "Q": PAGE_DOWN,
}
_LOOK_AGAIN = 0.2
"""Seconds after which the size of the terminal is looked at again."""


class Keyboard(Protocol):
    """Where keys come from. `read` raises EOFError when nobody can press any more."""

    def read(self) -> str:
        """The next key: its character, or one of the names above."""

    def wait(self, seconds: float) -> str:
        """A pause that a key ends; "" if none was pressed."""


class ScriptedKeyboard:
    """Keys from a list, without pauses; `look` is called before each with the key to come.

    >>> keyboard = ScriptedKeyboard(["h", "enter"])
    >>> keyboard.read(), keyboard.read(), keyboard.wait(60)
    ('h', 'enter', '')
    """

    def __init__(self, keys: Iterable[str], look: Callable[[str], None] | None = None) -> None:
        self.keys = deque(keys)
        self.look = look

    def read(self) -> str:
        if not self.keys:
            raise EOFError
        if self.look is not None:
            self.look(self.keys[0])
        return self.keys.popleft()

    def wait(self, seconds: float) -> str:
        del seconds
        return ""


def named(text: str) -> str:
    r"""The name of what a terminal sends for one key, or "" for what has none.

    >>> named("h"), named("\x1b[A"), named("\x1bOB"), named("\r"), named("\x1b[5~"), named("\x00")
    ('h', 'up', 'down', 'enter', 'page up', '')
    """
    if text in _CONTROL:
        return _CONTROL[text]
    if text[:2] in ("\x1b[", "\x1bO"):
        return _SEQUENCES.get(text[2:], "")
    return text if len(text) == 1 and text.isprintable() else ""


if sys.platform == "win32":
    import msvcrt

    class TerminalKeyboard:
        """The keyboard of a Windows console."""

        def __enter__(self) -> TerminalKeyboard:
            return self

        def __exit__(self, *problem: object) -> None:
            pass

        def read(self) -> str:
            size = os.get_terminal_size()
            while True:
                if key := self.wait(_LOOK_AGAIN):
                    return key
                if os.get_terminal_size() != size:
                    return RESIZED

        def wait(self, seconds: float) -> str:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                if msvcrt.kbhit():
                    first = msvcrt.getwch()
                    if first in "\x00\xe0":
                        return _WINDOWS.get(msvcrt.getwch(), "")
                    return named(first)
                time.sleep(0.01)
            return ""

else:
    import codecs
    import select
    import termios

    class TerminalKeyboard:
        """The keyboard of a terminal, key by key and without echo while it is entered.

        Ctrl-C arrives as a key, so that nothing is ever broken off half way.
        """

        def __init__(self) -> None:
            self.file = sys.stdin.fileno()
            self.decoder = codecs.getincrementaldecoder("utf-8")("ignore")
            self.waiting: deque[str] = deque()

        def __enter__(self) -> TerminalKeyboard:
            self.before = termios.tcgetattr(self.file)
            mode = termios.tcgetattr(self.file)
            mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self.file, termios.TCSADRAIN, mode)
            return self

        def __exit__(self, *problem: object) -> None:
            termios.tcsetattr(self.file, termios.TCSADRAIN, self.before)

        def read(self) -> str:
            size = os.get_terminal_size(self.file)
            while True:
                if key := self.wait(_LOOK_AGAIN):
                    return key
                if os.get_terminal_size(self.file) != size:
                    return RESIZED

        def wait(self, seconds: float) -> str:
            end = time.monotonic() + seconds
            while True:
                character = self._character(max(0.0, end - time.monotonic()))
                if not character:
                    return ""
                if character == "\x1b":
                    character += self._rest_of_sequence()
                if key := named(character):
                    return key

        def _rest_of_sequence(self) -> str:
            """What follows an escape at once: a terminal sends it together, a person cannot."""
            text = self._character(0.02)
            if text and text not in "[O":
                self.waiting.appendleft(text)
                return ""
            while text and (last := self._character(0.02)):
                text += last
                if last.isalpha() or last == "~":
                    break
            return text

        def _character(self, seconds: float) -> str:
            if not self.waiting:
                ready, _, _ = select.select([self.file], [], [], seconds)
                if ready:
                    found = os.read(self.file, 1024)
                    if not found:
                        raise EOFError
                    self.waiting.extend(self.decoder.decode(found))
            return self.waiting.popleft() if self.waiting else ""
