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
SUSPEND = "suspend"
"""Ctrl-Z, which gives the terminal back to the shell for a while."""
RESIZED = "resized"
"""No key: the terminal has another size or was away, so draw again."""

_CONTROL = {
    "\r": ENTER,
    "\n": ENTER,
    "\x03": INTERRUPT,
    "\x04": INTERRUPT,
    "\x1a": SUSPEND,
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


Curtain = Callable[[bool], None]
"""Shows the picture (True), or gives the screen back as it was (False)."""


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

        def __init__(self, curtain: Curtain) -> None:
            self.curtain = curtain

        def __enter__(self) -> TerminalKeyboard:
            self.curtain(True)
            return self

        def __exit__(self, *problem: object) -> None:
            self.curtain(False)

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
    import contextlib
    import select
    import signal
    import termios

    _ENDING = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)
    _NOTED = (signal.SIGWINCH, signal.SIGCONT, signal.SIGTSTP, *_ENDING)
    """Signals that are only noted when they come and are answered between two keys."""

    class TerminalKeyboard:
        """The keyboard of a terminal, key by key and without echo while it is entered.

        Ctrl-C and Ctrl-Z arrive as keys and signals are noted, so that nothing is ever broken off
        half way. A terminal that hangs up, and a process that is asked to end, look like the end
        of all keys.
        """

        def __init__(self, curtain: Curtain) -> None:
            self.curtain = curtain
            self.file = sys.stdin.fileno()
            self.decoder = codecs.getincrementaldecoder("utf-8")("ignore")
            self.waiting: deque[str] = deque()
            self.noted: deque[int] = deque()

        def __enter__(self) -> TerminalKeyboard:
            self.before = termios.tcgetattr(self.file)
            self.bell, ringer = os.pipe()
            self.ringer = ringer
            for end in (self.bell, ringer):
                os.set_blocking(end, False)
            self.handlers = {number: signal.signal(number, self._note) for number in _NOTED}
            self.size = self._size()
            self._take()
            return self

        def __exit__(self, *problem: object) -> None:
            self._give_back()
            for number, handler in self.handlers.items():
                signal.signal(number, handler)
            os.close(self.bell)
            os.close(self.ringer)

        # ---------------------------------------------------------- the terminal

        def _take(self) -> None:
            """Keys one by one, and the picture on the screen."""
            try:
                mode = termios.tcgetattr(self.file)
                mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
                mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
                termios.tcsetattr(self.file, termios.TCSADRAIN, mode)
                self.curtain(True)
            except (OSError, termios.error):
                raise EOFError from None

        def _give_back(self) -> None:
            """The terminal as it was; one that has hung up cannot be given anything."""
            with contextlib.suppress(OSError):
                self.curtain(False)
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.file, termios.TCSADRAIN, self.before)

        def suspend(self) -> None:
            """Stop as Ctrl-Z stops any program, until the shell brings it back.

            Everybody in the process group stops, as if the terminal had sent the signal.
            """
            self._give_back()
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.killpg(os.getpgrp(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, self._note)
            self._take()

        # ---------------------------------------------------------- signals

        def _note(self, number: int, frame: object) -> None:
            del frame
            self.noted.append(number)
            with contextlib.suppress(BlockingIOError):
                os.write(self.ringer, b"!")

        def _answer(self) -> str:
            """What the noted signals mean: RESIZED, or the end of all keys."""
            with contextlib.suppress(BlockingIOError):
                os.read(self.bell, 1024)
            while self.noted:
                number = self.noted.popleft()
                if number in _ENDING:
                    raise EOFError
                if number == signal.SIGTSTP:
                    self.suspend()
                elif number == signal.SIGCONT:
                    self._take()
            return RESIZED

        # ---------------------------------------------------------- keys

        def read(self) -> str:
            while True:
                # Not every terminal tells that it was resized, and it may be while others draw.
                if (size := self._size()) != self.size:
                    self.size = size
                    return RESIZED
                if key := self.wait(_LOOK_AGAIN):
                    return key

        def _size(self) -> os.terminal_size:
            try:
                return os.get_terminal_size(self.file)
            except OSError:
                raise EOFError from None

        def wait(self, seconds: float) -> str:
            end = time.monotonic() + seconds
            while True:
                if self.noted:
                    return self._answer()
                character = self._character(max(0.0, end - time.monotonic()))
                if not character:
                    return self._answer() if self.noted else ""
                if character == "\x1b":
                    character += self._rest_of_sequence()
                key = named(character)
                if key == SUSPEND:
                    self.suspend()
                    return RESIZED
                if key:
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
                ready, _, _ = select.select([self.file, self.bell], [], [], seconds)
                if self.file in ready:
                    try:
                        found = os.read(self.file, 1024)
                    except OSError:
                        raise EOFError from None
                    if not found:
                        raise EOFError
                    self.waiting.extend(self.decoder.decode(found))
            return self.waiting.popleft() if self.waiting else ""
