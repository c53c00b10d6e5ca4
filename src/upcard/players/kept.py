"""Strategies kept on disk, in the user's cache folder.

A strategy is kept under the game's fingerprint and a digest of the code that works it out, so what
is read is what would be found anew. Nothing needs it to be there: what is missing, broken or cannot
be written is worked out again.
"""

from __future__ import annotations

import hashlib
import os
import sys
import zipfile
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from upcard.compile.tables import GameTables
from upcard.players.ranked import RankedStrategy

FOLDER = "UPCARD_CACHE"
"""The environment variable that names another folder; empty: nothing is kept."""
_CODE = ("cards.py", "money.py", "compile", "fees", "players", "round", "rules", "solve")
"""What decides a strategy, besides the game."""


def load(tables: GameTables) -> RankedStrategy | None:
    """What is kept of a game, None where that is nothing good."""
    place = _place(tables)
    if place is None:
        return None
    try:
        with place.open("rb") as file, np.load(file, allow_pickle=False) as found:
            points = found["points"] if tables.round_plan.exchanges else None
            strategy = RankedStrategy(found["turn"], found["early"], points)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error):
        return None
    return strategy if strategy.fits(tables) else None


def save(tables: GameTables, strategy: RankedStrategy) -> None:
    """Keep a strategy, if that can be done."""
    place = _place(tables)
    if place is None:
        return
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            points = np.empty(0) if strategy.points is None else strategy.points
            np.savez_compressed(file, turn=strategy.turn, early=strategy.early, points=points)
        part.replace(place)  # a reader finds it whole or not at all
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _place(tables: GameTables) -> Path | None:
    folder = _folder()
    if folder is None:
        return None
    return folder / "strategies" / f"{tables.id}-{tables.fingerprint[:16]}-{_code()[:16]}.npz"


def _folder() -> Path | None:
    chosen = os.environ.get(FOLDER)
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        home = Path.home()
    except RuntimeError:  # somebody without a home
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "upcard"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "upcard"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "upcard"


@cache
def _code() -> str:
    """A digest of the code that works strategies out."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256(np.__version__.encode())
    for name in _CODE:
        place = root / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found.update(file.read_bytes())
    return found.hexdigest()
