"""Any keys in windows of any size: nothing breaks, nothing happens unseen, every record holds."""

from __future__ import annotations

import random

import pytest
from rich.console import ConsoleDimensions

from unit.test_play_kit import Scene, own_folder, saved_session, sitting
from upcard import GAME_IDS
from upcard.cli.play import keys
from upcard.cli.play.home import data_folder
from upcard.cli.play.screen import is_too_small
from upcard.cli.play.start import Wishes
from upcard.table.verify import verify

__all__ = ["own_folder"]

ALL_KEYS: list[str] = [
    *"hsdpuinrekt123456789abxo$mcyvfg0?/.zZ+-=é♠",
    *[keys.ENTER] * 12,
    *(keys.ESCAPE, keys.BACKSPACE, keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT),
    *(keys.PAGE_UP, keys.PAGE_DOWN, keys.HOME, keys.END, keys.RESIZED),
]
SIZES = [(80, 24)] * 4 + [(70, 22), (100, 30), (130, 40), (200, 22), (69, 30), (30, 8), (1, 1)]


class AnyKeys:
    """Presses keys by the throw of a die, and resizes the window now and then."""

    def __init__(self, scene: Scene, seed: int, count: int) -> None:
        self.console = scene.console
        self.die = random.Random(seed)
        self.left = count
        self.unseen: bytes | None = None

    @property
    def is_small(self) -> bool:
        return is_too_small((self.console.width, self.console.height))

    @property
    def record(self) -> bytes:
        return b"".join(path.read_bytes() for path in data_folder().rglob("*.jsonl"))

    def resize(self) -> None:
        if self.die.random() < 0.15:
            self.console.size = ConsoleDimensions(*self.die.choice(SIZES))

    def read(self) -> str:
        assert self.unseen in (None, self.record), "a key acted while the table was hidden"
        self.left -= 1
        if self.left <= 0:
            return keys.INTERRUPT
        was_small = self.is_small
        self.resize()
        self.unseen = self.record if was_small or self.is_small else None
        return self.die.choice(ALL_KEYS)

    def wait(self, seconds: float) -> str:
        assert seconds > 0
        self.resize()
        return self.die.choice(["", "", "", keys.RESIZED, "x"])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", GAME_IDS)
def test_any_keys_in_windows_of_any_size(game: str, seed: int) -> None:
    chips = random.Random(f"{game} {seed}").choice([500, 3000, 100_000])
    wishes = Wishes(seed=f"any {seed}", chips=chips)
    sat, _ = sitting(game, lambda scene: AnyKeys(scene, seed, 150), wishes=wishes)
    sat.run()
    if sat.file.exists():
        session = saved_session(sat)
        assert all(check.holds for check in verify(sat.tables, session.log(), sat.casino))
