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
    """The document behind a game id, `id@version` or path to a TOML file.

    >>> find("twisted-21@1").data["name"]
    'Twisted 21'
    """
    game_id, at, version = reference.partition("@")
    if game_id in GAME_IDS:
        document = _packaged(game_id)
        if at and version != str(document.data["version"]):
            raise UpcardError(
                f"{game_id} is at version {document.data['version']} here, not {version}"
            )
        return document
    path = (beside or Path()) / reference
    if path.suffix == ".toml" or path.is_file():
        return _read(path)
    raise UpcardError(
        f'no game "{reference}"{did_you_mean(game_id, GAME_IDS)} '
        f"(the games are {listed(GAME_IDS, 'and')}; a game file of your own ends in .toml)"
    )


@cache
def _packaged(game_id: str) -> Document:
    file = f"{game_id}.toml"
    text = resources.files("upcard").joinpath("games", file).read_text("utf-8")
    return Document(file, tomllib.loads(text), None)


def _read(path: Path) -> Document:
    return Document(str(path), parse_toml(read_text(path), str(path)), path.parent)
