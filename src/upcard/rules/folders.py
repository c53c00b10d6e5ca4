"""Folders of games: every game file in one is a citizen, found by its id like a packaged game.

`UPCARD_GAMES` names the folders, `--games` adds to it. Nothing else keeps them, so that every
process that is started from here knows the same games.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from upcard.errors import UpcardError
from upcard.rules.head import OTHERS_ORDER
from upcard.shape import parse_toml, text_of

VARIABLE = "UPCARD_GAMES"
LARGEST_GAME = 1 << 20
"""Bytes of a game file, at most: 1 MiB, which is thirty times the longest packaged one."""
SETTLED = 2_000_000_000
"""Nanoseconds after which a file's time tells whether it has changed since."""

SITUATIONS = "situations"
"""The folder beside games that holds their scripted rounds."""
SITUATION_END = ".situation.toml"
"""How a scripted round that stands among games is called."""

_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
_MARKS = ("id", "version", "extends")
"""Keys by which a file of a folder is a game: fee books and scripted rounds have none of them."""
_SIDE_MARKS = ("id", "cards", "tables")
"""Keys that side wagers have and games do not, but for the id."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game file of a folder, or what is wrong with it. One with a problem is found by no id."""

    file: Path
    folder: Path
    id: str = ""
    order: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A file of a side wager in a folder, which is known by its id."""

    file: Path
    id: str


def folders() -> tuple[Path, ...]:
    """The folders of games, each once, in the order in which they are named."""
    named = os.environ.get(VARIABLE, "").split(os.pathsep)
    return tuple(dict.fromkeys(Path(name) for name in named if name))


def add(names: Iterable[str | Path]) -> None:
    """Have the games of more folders from now on."""
    for name in names:
        if not Path(name).is_dir():
            raise UpcardError(f"there is no folder {name}: --games names folders of game files")
        if os.pathsep in str(name):
            raise UpcardError(f'{name}: the name of a folder of games has no "{os.pathsep}"')
    found = (*folders(), *(Path(name).absolute() for name in names))
    os.environ[VARIABLE] = os.pathsep.join(map(str, dict.fromkeys(found)))


@contextmanager
def as_before() -> Iterator[None]:
    """Whatever folders are added meanwhile are forgotten in the end."""
    before = os.environ.get(VARIABLE)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def own_games(taken: Iterable[str] = ()) -> tuple[OwnGame, ...]:
    """Every game file of the folders, sound or not; `taken` are ids of packaged games."""
    found: dict[Path, OwnGame] = {}
    for folder in folders():
        for game in _games_in(folder):
            found.setdefault(game.file.resolve(strict=False) if game.id else game.file, game)
    return tuple(_unlike(list(found.values()), frozenset(taken)))


def _unlike(games: list[OwnGame], taken: frozenset[str]) -> Iterator[OwnGame]:
    """The games, those with a problem that have an id which is not theirs alone."""
    claims: dict[str, list[OwnGame]] = {}
    for game in games:
        claims.setdefault(game.id, []).append(game)
    for game in games:
        if game.problem:
            yield game
        elif game.id in taken:
            words = f'{game.file}: the id "{game.id}" is that of a packaged game: give it another'
            yield replace(game, problem=words)
        elif len(claims[game.id]) > 1:
            files = " and ".join(str(other.file) for other in claims[game.id])
            words = f'the id "{game.id}" is claimed by {files}: give each game its own'
            yield replace(game, problem=words)
        else:
            yield game


_read_once: dict[Path, tuple[OwnGame, ...]] = {}
"""The games of folders that stay as they were read."""
_sides_once: dict[Path, tuple[OwnSide, ...]] = {}
"""Their side wagers."""


def read_once() -> None:
    """Keep the games of all folders as they are now, whatever becomes of their files.

    A house does so: its tables, rules and prices are all of the same game, until it is opened anew.
    """
    for folder in folders():
        if folder not in _read_once:
            _read_once[folder] = tuple(_games_in(folder))
            _sides_once[folder] = sides_in(folder)


def _is_kept(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _read_once)


def _games_in(folder: Path) -> Iterator[OwnGame]:
    if folder in _read_once:
        yield from _read_once[folder]
        return
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        words = f"cannot read the folder {folder} of {VARIABLE}: {error.strerror or error}"
        yield OwnGame(folder, folder, problem=words)
        return
    for name in names:
        file = folder / name
        if not _may_be_read(name):
            continue
        try:
            data = read_game(file)
        except UpcardError as error:
            yield OwnGame(file, folder, problem=str(error))
            continue
        if any(mark in data for mark in _MARKS) and not is_side_wager(data):
            yield _named(file, folder, data)


def _may_be_read(name: str) -> bool:
    """Whether a file of a folder may be a game or a side wager, by its name."""
    hidden = name.startswith(".") or name.endswith(SITUATION_END)
    return name.endswith(".toml") and not hidden


def sides_in(folder: Path) -> tuple[OwnSide, ...]:
    """The side wagers of a folder, as far as their files can be read."""
    if folder in _sides_once:
        return _sides_once[folder]
    found = []
    try:
        files = sorted(file for file in folder.iterdir() if _may_be_read(file.name))
    except OSError:
        return ()  # which is told of its games
    for file in files:
        try:
            data = read_game(file)
        except UpcardError:
            continue  # which is listed among the games
        if is_side_wager(data) and isinstance(data["id"], str):
            found.append(OwnSide(file, data["id"]))
    return tuple(found)


def own_sides(beside: Path | None = None) -> tuple[OwnSide, ...]:
    """The side wagers of a game's own folder and of the folders of games, each file once."""
    found: dict[Path, OwnSide] = {}
    for folder in (*([beside] if beside is not None else []), *folders()):
        for side in sides_in(folder):
            found.setdefault(side.file.resolve(), side)
    return tuple(found.values())


def is_side_wager(data: Mapping[str, Any]) -> bool:
    """Whether a file is no game but a side wager, which games use."""
    return all(mark in data for mark in _SIDE_MARKS)


def _named(file: Path, folder: Path, data: Mapping[str, Any]) -> OwnGame:
    game_id, order = data.get("id"), data.get("order", OTHERS_ORDER)
    if isinstance(game_id, str) and _ID.fullmatch(game_id):
        return OwnGame(file, folder, game_id, order if isinstance(order, int) else OTHERS_ORDER)
    words = f'{file}: id: a game has a lower-case id such as "twisted-21"'
    return OwnGame(file, folder, problem=words)


def read_game(path: Path) -> Mapping[str, Any]:
    """A game file as it stands there now; one that has not changed is not read again.

    Files name others, and folders hold anything: what is no ordinary file is not opened, for
    reading it might never end.
    """
    if _is_kept(path) and path in _kept:
        return _kept[path][1]
    status = need_ordinary(path)
    stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
    is_settled = time.time_ns() - status.st_mtime_ns > SETTLED
    if path not in _kept or _kept[path][0] != stamp or not is_settled:
        _kept[path] = stamp, _parsed(path)
    return _kept[path][1]


def need_ordinary(path: Path) -> os.stat_result:
    """What is known of a file that can be read to its end; anything else is refused."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise UpcardError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:  # a text may be no path at all
        raise UpcardError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if not stat.S_ISREG(status.st_mode):
        raise UpcardError(f"cannot read {path}: it is no ordinary file")
    if status.st_size > LARGEST_GAME:
        raise UpcardError(f"{path}: is too large: a game file has at most {LARGEST_GAME >> 20} MiB")
    return status


_kept: dict[Path, tuple[tuple[int, int, int], Mapping[str, Any]]] = {}
"""Game files as they were read, until they change."""


def _parsed(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_GAME)
    except OSError as error:
        raise UpcardError(f"cannot read {path}: {error.strerror or error}") from None
    return parse_toml(text_of(data, str(path)), str(path))
