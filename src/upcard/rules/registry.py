"""Finding game files: packaged games and those of folders by id, or a path to a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from upcard.errors import UpcardError
from upcard.rules import folders
from upcard.rules.head import HEADER, OTHERS_ORDER, GameHead
from upcard.shape import parse_toml, read_text
from upcard.text import did_you_mean, listed


def _packaged_ids() -> tuple[str, ...]:
    """The packaged games in the order that their heads give."""
    heads = []
    for file in resources.files("upcard").joinpath("games").iterdir():
        if file.name.endswith(".toml"):
            # The head stands before the first table; only the games that are used are read whole.
            head = tomllib.loads(file.read_text("utf-8").partition("\n[")[0])
            heads.append((head.get("order", OTHERS_ORDER), file.name.removesuffix(".toml")))
    return tuple(game_id for _, game_id in sorted(heads))


GAME_IDS = _packaged_ids()
"""The packaged games, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Document:
    """A game file as it was read. `within` is the folder of games that it may not look out of."""

    file: str
    data: Mapping[str, Any]
    folder: Path | None
    within: Path | None = None


def known_ids() -> tuple[str, ...]:
    """Every game that can be named by its id: the packaged ones, then those of folders."""
    return (*GAME_IDS, *_own_by_id())


def own_games() -> tuple[folders.OwnGame, ...]:
    """Every game file of the folders of games, those that cannot be used with the reason."""
    return folders.own_games(GAME_IDS)


def find(reference: str, beside: Document | None = None) -> Document:
    """The document behind a game's id or name, `id@version` or path to a TOML file.

    `beside` is the game file that refers to it, if one does.

    >>> find("twisted-21@2").data["name"], find("Ten Sticks 21").file
    ('Twisted 21', 'ten-sticks-21.toml')
    """
    reference = canonical(reference)
    game_id, at, version = reference.partition("@")
    document = _by_id(game_id)
    if document is not None:
        if at and version != str(document.data.get("version")):
            raise UpcardError(
                f"{game_id} is at version {document.data.get('version')} here, not {version}"
            )
        return document
    folder = beside.folder if beside else None
    path = (folder or Path()) / reference
    if path.suffix == ".toml" or (Path(reference).name != reference and _is_file(path)):
        return _referred(path, beside) if beside else _given(path)
    raise UpcardError(_unknown(reference, game_id))


def canonical(reference: str) -> str:
    """A game by its id, however its id or name is written; a file's path as it is.

    A name alone is never a file that happens to have it, so that nothing can pass for the game.

    >>> canonical("TEN-STICKS-21@3"), canonical("Pure Spanish 21.5"), canonical("My-Game.toml")
    ('ten-sticks-21@3', 'pure-spanish-21.5', 'My-Game.toml')
    """
    name, at, version = reference.partition("@")
    game_id = _as_id(name)
    if game_id in GAME_IDS or (not _is_path(name) and game_id in _own_by_id()):
        return f"{game_id}{at}{version}"
    return reference


def without_version(reference: str) -> str:
    """As `canonical`, and a game that has an id by its id alone: how a record names it.

    >>> without_version("Blackjack@1"), without_version("my@1.toml")
    ('blackjack', 'my@1.toml')
    """
    name = canonical(reference).partition("@")[0]
    known = name in GAME_IDS or (not _is_path(name) and name in _own_by_id())
    return name if known else reference


def head_of(game_id: str) -> GameHead | None:
    """The head of a game with an id, or None if there is none that can be understood.

    >>> head_of("twisted-21").short
    'TW'
    """
    try:
        document = _by_id(game_id)
        head = (
            {key: document.data[key] for key in HEADER if key in document.data} if document else {}
        )
        return msgspec.convert(head, GameHead)
    except (UpcardError, msgspec.ValidationError):
        return None


def _by_id(game_id: str) -> Document | None:
    if game_id in GAME_IDS:
        return _packaged(game_id)
    own = None if _is_path(game_id) else _own_by_id().get(game_id)
    if own is None:
        return None
    return Document(str(own.file), folders.read_game(own.file), own.folder, own.folder)


def _own_by_id() -> dict[str, folders.OwnGame]:
    """The games of folders by their place and id."""
    found = sorted((game.order, game.id, game) for game in own_games() if not game.problem)
    return {game_id: game for _, game_id, game in found}


def _unknown(reference: str, game_id: str) -> str:
    own = own_games()
    for game in own:
        if game.problem and game.id == _as_id(game_id):
            return game.problem
    known = known_ids()
    broken = [game for game in own if game.problem]
    names = listed((game.file.name for game in broken), "and")
    where = "".join(f" --games {folder}" for folder in dict.fromkeys(g.folder for g in broken))
    more = f"; {names} cannot be used: see upcard games{where}" if broken else ""
    return (
        f'no game "{reference}"{did_you_mean(_as_id(game_id), known)} '
        f"(the games are {listed(known, 'and')}; a game file of your own ends in .toml{more})"
    )


def _as_id(name: str) -> str:
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


def _is_path(reference: str) -> bool:
    return reference.endswith(".toml") or Path(reference).name != reference


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


def _given(path: Path) -> Document:
    """A file that somebody names, whatever it is: it may be a pipe."""
    data = parse_toml(read_text(path), str(path))
    if folders.is_side_wager(data):
        raise UpcardError(
            f"{path} is a side wager, not a game: name the game, and this file with --side {path}"
        )
    return Document(str(path), data, path.parent)


def _referred(path: Path, beside: Document) -> Document:
    """A file that a game file names: from a folder of games none outside of it can be reached."""
    need_within(path, beside.within)
    return Document(str(path), folders.read_game(path), path.parent, beside.within)


def need_within(path: Path, folder: Path | None) -> None:
    """Refuse a path that leads out of a folder of games."""
    if folder is None:
        return
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, or a text that is no path
        is_inside = False
    if not is_inside:
        raise UpcardError(f"{path} lies outside of the folder of games {folder}")
