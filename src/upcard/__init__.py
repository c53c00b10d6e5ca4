"""Upcard: the games of the 21 family, each written once as data.

>>> import upcard
>>> game = upcard.game("pure-spanish-21.5", decks=8)
>>> game.hand("8s 8h", up="9d").legal
<Legal: hit, stand, double, split, surrender>
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing itself takes longer to import than all that is done here

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from upcard.cards import Card
    from upcard.compile.context import Action
    from upcard.compile.tables import GameTables, compile_game, tables_for
    from upcard.errors import UpcardError
    from upcard.library.games import Game, game
    from upcard.library.hands import Hand, IllegalActionError
    from upcard.library.live_tables import LiveTable
    from upcard.rules.load import RuleSet, load_game
    from upcard.rules.registry import GAME_IDS
    from upcard.solve.advice import advise
    from upcard.solve.odds import odds
    from upcard.table.engine import Engine
    from upcard.table.session import Session

__all__ = [
    "GAME_IDS",
    "Action",
    "Card",
    "Engine",
    "Game",
    "GameTables",
    "Hand",
    "IllegalActionError",
    "LiveTable",
    "RuleSet",
    "Session",
    "UpcardError",
    "advise",
    "compile_game",
    "game",
    "load_game",
    "odds",
    "tables_for",
]

_HOMES = {
    "Action": "upcard.compile.context",
    "Card": "upcard.cards",
    "Engine": "upcard.table.engine",
    "GAME_IDS": "upcard.rules.registry",
    "Game": "upcard.library.games",
    "GameTables": "upcard.compile.tables",
    "Hand": "upcard.library.hands",
    "IllegalActionError": "upcard.library.hands",
    "LiveTable": "upcard.library.live_tables",
    "RuleSet": "upcard.rules.load",
    "Session": "upcard.table.session",
    "UpcardError": "upcard.errors",
    "advise": "upcard.solve.advice",
    "compile_game": "upcard.compile.tables",
    "game": "upcard.library.games",
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


def __dir__() -> list[str]:
    """What there is, imported or not yet."""
    return sorted({*globals(), *__all__})
