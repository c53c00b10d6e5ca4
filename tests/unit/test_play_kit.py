"""What the tests of `upcard play` share: a table with a scripted keyboard and a console of text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from rich.console import Console

from conftest import compiled
from upcard import GAME_IDS
from upcard.cli.play.keys import ENTER, Keyboard, ScriptedKeyboard
from upcard.cli.play.start import Sitting, Wishes
from upcard.compile.tables import GameTables
from upcard.table.session import Session

HOME = "\x1b[H"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_KEYS = re.compile(
    r"(?:^ |   )(\S+) (hit|stand|double|split|surrender|insure|decline|redouble|rescue|keep|trade"
    r"|bank|deal|next|yes|that)"
)


class Scene:
    """A console that remembers its frames."""

    def __init__(self, width: int = 80, height: int = 24, colours: str | None = None) -> None:
        self.file = io.StringIO()
        self.console = Console(
            file=self.file,
            force_terminal=True,
            width=width,
            height=height,
            highlight=False,
            color_system="truecolor" if colours else None,
        )

    @property
    def frames(self) -> list[str]:
        """Everything that was shown, without colours."""
        return _COLOUR.sub("", self.file.getvalue()).split(HOME)[1:]

    @property
    def now(self) -> str:
        """The last frame."""
        return _COLOUR.sub("", self.file.getvalue().rpartition(HOME)[2])

    def told(self, words: str) -> bool:
        """Whether words were ever on the screen, wrapped or not."""
        return any(words in " ".join(frame.split()) for frame in self.frames)


def head_on(scene: Scene) -> str:
    """The head of the record as the screen shows it."""
    found = re.search(r"head ([0-9a-f]{32})", scene.now)
    assert found is not None, scene.now
    return found[1]


class Player:
    """A keyboard that presses keys which the screen offers, and stops after some rounds."""

    def __init__(self, scene: Scene, rounds: int, prefer: str = "", last: str = "q") -> None:
        self.scene = scene
        self.rounds = rounds
        self.prefer = prefer
        self.last = last
        self.pressed = 0

    def read(self) -> str:
        self.pressed += 1
        assert self.pressed < 2000, f"it does not come to an end:\n{self.scene.now}"
        screen = self.scene.now
        if "Round over" in screen:
            self.rounds -= 1
            return self.last if self.rounds <= 0 else ENTER
        offered: list[str] = [
            key for line in screen.splitlines()[-7:] for key, _ in _KEYS.findall(line) if key != "?"
        ]
        for key in self.prefer:
            if key in offered:
                return key
        if ENTER.capitalize() in offered:
            return ENTER
        # Another one every time, so that all of them are pressed in the end.
        return offered[self.pressed % len(offered)]

    def wait(self, seconds: float) -> str:
        assert seconds > 0
        return ""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's real sessions are touched."""
    folder = tmp_path / "data"
    monkeypatch.setenv("UPCARD_HOME", str(folder))
    return folder


def sitting(
    game: str,
    keyboard: Callable[[Scene], Keyboard] | Iterable[str],
    *,
    scene: Scene | None = None,
    wishes: Wishes | None = None,
    tables: GameTables | None = None,
) -> tuple[Sitting, Scene]:
    scene = scene or Scene()
    wishes = wishes or Wishes(seed="test", game=game)
    keys = keyboard(scene) if callable(keyboard) else ScriptedKeyboard(keyboard)
    made = Sitting(tables or compiled(game), wishes, keys, scene.console)
    return made, scene


def saved_session(sat: Sitting) -> Session:
    """The session in the file of a visit."""
    from upcard.table.notation import read_log

    return Session.resumed(sat.tables, read_log(sat.file), casino=sat.casino)


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_player_can_sit_down_and_get_up(game: str) -> None:
    sat, scene = sitting(game, ["q"])
    assert "goes on from here" in sat.run()
    assert compiled(game).name in scene.now
