"""The packaged games as their files have them, compiled once for all pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from upcard.compile.tables import GameTables, tables_for
from upcard.rules.load import assemble
from upcard.rules.registry import GAME_IDS
from upcard.rules.settings import Choice, choices
from upcard.service.specs import HouseError


def packaged(game: str) -> GameTables:
    """A packaged game; there are few, so they are kept."""
    if game not in GAME_IDS:
        raise HouseError(f"there is no game {game[:40]!r}", "missing")
    return _compiled(game)


@cache
def _compiled(game: str) -> GameTables:
    return tables_for(game)


@cache
def choices_of(game: str) -> Mapping[str, Choice]:
    """Everything that can be set in a packaged game."""
    return choices(assemble(game, {}).game)
