"""What is special about every packaged game: words, not rules, which are in the game files."""

from __future__ import annotations

from collections.abc import Mapping

SPECIAL: Mapping[str, str] = {
    "blackjack": "The game as everybody knows it. Every rule is an option of the house.",
    "ten-sticks-21": "Trade the marked ten of clubs for a light. Ten lights win a prize.",
    "pure-spanish-21.5": "Players take the bank. No tens, doubles upon doubles, and 8-8-8.",
    "games-of-chance-blackjack": "Two dollars or four, and a tie costs one.",
    "twisted-21": "Five cards from one deck: choose your hits, then play them as poker.",
    "blackjack-tie": "Eight bonus wagers on tying the dealer exactly.",
}
"""One sentence or two on every game, for menus and lobbies."""
