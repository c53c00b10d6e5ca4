"""The games of the house: the packaged ones and those of its folders, each as it was first read.

A table, its rule sheet, its prices and its drills must be of one game, so the house does not look
at the files again; one that was changed is known when the house is opened anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.rules import folders, registry
from upcard.rules.load import assemble
from upcard.rules.registry import GAME_IDS
from upcard.rules.settings import Choice, choices
from upcard.service.specs import HouseError


@dataclass(frozen=True)
class OwnGames:
    """The sound games of folders by id; `broken` says of every other file what is wrong."""

    tables: Mapping[str, GameTables]
    broken: tuple[str, ...]


def own_games() -> OwnGames:
    """The games of the house's folders. The first time takes a moment."""
    return _own(folders.folders())


def game_ids() -> tuple[str, ...]:
    """Every game that can be played here, in the order in which they are shown."""
    return (*GAME_IDS, *own_games().tables)


def need_game(game: str) -> GameTables:
    """A game of the house as its file has it, without settings."""
    if game in GAME_IDS:
        return _packaged(game)
    found = own_games().tables.get(game)
    if found is None:
        known = ", ".join(game_ids())
        raise HouseError(f"there is no game {game[:40]!r}: the games are {known}", "missing")
    return found


def choices_of(game: str) -> Mapping[str, Choice]:
    """Everything that can be set in a game of the house."""
    need_game(game)
    return _choices(game, folders.folders())


@cache
def _packaged(game: str) -> GameTables:
    return tables_for(game)


@cache
def _choices(game: str, _: tuple[Path, ...]) -> Mapping[str, Choice]:
    return choices(assemble(game, {}).game)


@cache
def _own(_: tuple[Path, ...]) -> OwnGames:
    folders.read_once()
    broken = [game.problem for game in registry.own_games() if game.problem]
    found = {}
    for game in registry.known_ids()[len(GAME_IDS) :]:
        try:
            found[game] = tables_for(game)
        except UpcardError as error:
            first, *others = error.sentences
            more = f" (and {len(others)} more: upcard check tells all)" if others else ""
            broken.append(f"{first}{more}")
    return OwnGames(found, tuple(broken))
