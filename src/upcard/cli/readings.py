"""`upcard readings`: what each answer to an open question of the source is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.cli.arguments import Game, Json, Settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import (
    Bet,
    identity,
    plain,
    progress,
)

if TYPE_CHECKING:
    from upcard.solve.readings import Readings


def readings(game: Game, settings: Settings = None, bet: Bet = None, json: Json = False) -> None:
    """Price every answer of every reading side by side with the default.

    Example: upcard readings games-of-chance-blackjack
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.readings import price_readings

    chosen = chosen_settings(game, settings)
    with progress() as told:
        found = price_readings(
            lambda settings: tables_for(game, settings), chosen, bet=bet, progress=told
        )
    if json:
        print_json(plain(_data(found)))
    else:
        found.show(console())


def _data(found: Readings) -> dict[str, Any]:
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "default": found.default,
        "readings": [
            {
                "id": reading.id,
                "asks": reading.asks,
                "clauses": reading.clauses,
                "default": reading.default,
                "having": reading.having,
                "answers": [
                    {
                        "answer": answer.answer,
                        "text": answer.text,
                        "is_default": answer.is_default,
                        "wagers": {
                            wager: {
                                "ev": price.ev,
                                "edge": price.edge,
                                "change": price.change,
                                "favours_player": price.ev is not None and price.ev > 0,
                            }
                            for wager, price in answer.wagers.items()
                        },
                    }
                    for answer in reading.answers
                ],
            }
            for reading in found.readings
        ],
    }
