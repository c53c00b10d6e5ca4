"""Small pictures of the games' felts, drawn as the table draws them."""

from __future__ import annotations

from functools import cache
from typing import Any

from upcard.service.felt import table_info
from upcard.service.house_games import need_game
from upcard.web.felt import FeltPicture, felt_head


def felt_picture(game: str) -> None:
    """The felt of a game of the house."""
    felt_head()
    FeltPicture(_info(game, need_game(game).fingerprint))


@cache
def _info(game: str, _: str) -> dict[str, Any]:
    return table_info(need_game(game))
