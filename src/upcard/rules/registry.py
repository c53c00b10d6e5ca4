"""Finding game files: the packaged games by id, or a path to a file of one's own."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from upcard.errors import UpcardError
from upcard.shape import parse_toml, read_text
from upcard.text import did_you_mean, listed

GAME_IDS = (
    "blackjack",
    "ten-sticks-21",
    "pure-spanish-21.5",
    "games-of-chance-blackjack",
    "twisted-21",
    "blackjack-tie",
)
"""The packaged games, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Document:
    """A game file as it was read."""

    file: str
    data: dict[str, Any]
    folder: Path | None


def find(reference: str, beside: Path | None = None) -> Document:
    """The document behind a game's id or name, `id@version` or path to a TOML file.

    >>> find("twisted-21@2").data["name"], find("Ten Sticks 21").file
    ('Twisted 21', 'ten-sticks-21.toml')
    """
    reference = canonical(reference)
    game_id, at, version = reference.partition("@")
    if game_id in GAME_IDS:
        document = _packaged(game_id)
        if at and version != str(document.data["version"]):
            raise UpcardError(
                f"{game_id} is at version {document.data['version']} here, not {version}"
            )
        return document
    path = (beside or Path()) / reference
    if path.suffix == ".toml" or (Path(reference).name != reference and _is_file(path)):
        return _read(path)
    raise UpcardError(
        f'no game "{reference}"{did_you_mean(_as_id(game_id), GAME_IDS)} '
        f"(the games are {listed(GAME_IDS, 'and')}; a game file of your own ends in .toml)"
    )


def canonical(reference: str) -> str:
    """A packaged game by its id, however its id or name is written; a file's path as it is.

    A name alone is never a file that happens to have it, so that nothing can pass for the game.

    >>> canonical("TEN-STICKS-21@2"), canonical("Pure Spanish 21.5"), canonical("My-Game.toml")
    ('ten-sticks-21@2', 'pure-spanish-21.5', 'My-Game.toml')
    """
    name, at, version = reference.partition("@")
    if _as_id(name) not in GAME_IDS:
        return reference
    return f"{_as_id(name)}{at}{version}"


def without_version(reference: str) -> str:
    """As `canonical`, and a packaged game by its id alone: how a record names it.

    >>> without_version("Blackjack@1"), without_version("my@1.toml")
    ('blackjack', 'my@1.toml')
    """
    name = canonical(reference).partition("@")[0]
    return name if name in GAME_IDS else reference


def _as_id(name: str) -> str:
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a text that is no path at all


@cache
def _packaged(game_id: str) -> Document:
    file = f"{game_id}.toml"
    text = resources.files("upcard").joinpath("games", file).read_text("utf-8")
    return Document(file, tomllib.loads(text), None)


def _read(path: Path) -> Document:
    return Document(str(path), parse_toml(read_text(path), str(path)), path.parent)
