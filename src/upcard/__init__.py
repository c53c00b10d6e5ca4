"""Upcard: the games of the 21 family, each written once as data.

>>> import upcard
>>> upcard.tables_for("pure-spanish-21.5", {"decks": "8"}).alphabet.decks
8
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing itself takes longer to import than all that is done here

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from upcard.compile.tables import GameTables, compile_game, tables_for
    from upcard.rules.load import RuleSet, load_game
    from upcard.rules.registry import GAME_IDS
    from upcard.solve.advice import advise
    from upcard.solve.odds import odds
    from upcard.table.engine import Engine
    from upcard.table.session import Session

__all__ = [
    "GAME_IDS",
    "Engine",
    "GameTables",
    "RuleSet",
    "Session",
    "advise",
    "compile_game",
    "load_game",
    "odds",
    "tables_for",
]

_HOMES = {
    "Engine": "upcard.table.engine",
    "GAME_IDS": "upcard.rules.registry",
    "GameTables": "upcard.compile.tables",
    "RuleSet": "upcard.rules.load",
    "Session": "upcard.table.session",
    "advise": "upcard.solve.advice",
    "compile_game": "upcard.compile.tables",
    "load_game": "upcard.rules.load",
    "odds": "upcard.solve.odds",
    "tables_for": "upcard.compile.tables",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then, so that `import upcard` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'upcard' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
