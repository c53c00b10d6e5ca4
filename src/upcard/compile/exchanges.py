"""What a game's players may exchange."""

from __future__ import annotations

from upcard.rules.schema import GameRules


def exchanges(game: GameRules) -> bool:
    """Whether a player's boxes may exchange cards before the turns."""
    return game.exchange.cards == "second-cards"


def replaces(game: GameRules) -> bool:
    """Whether a player may give both first cards for two of the shoe."""
    return game.exchange.cards == "hand"


def trades(game: GameRules) -> bool:
    """Whether bonus cards may be traded for cards of the shoe."""
    return game.exchange.cards == "bonus-cards"
