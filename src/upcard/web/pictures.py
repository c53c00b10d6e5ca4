"""Small pictures of the games' felts, drawn as the table draws them."""

from __future__ import annotations

from functools import cache
from typing import Any

from upcard.service.felt import table_info
from upcard.web.felt import FeltPicture, felt_head
from upcard.web.games import packaged


def felt_picture(game: str) -> None:
    """The felt of a packaged game."""
    felt_head()
    FeltPicture(_info(game))


@cache
def _info(game: str) -> dict[str, Any]:
    return table_info(packaged(game))
