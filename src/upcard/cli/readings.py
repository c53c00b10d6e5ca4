"""`upcard readings`: what each answer to an open question of the source is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import (
    Game,
    Json,
    Settings,
    Sides,
    amount_option,
    asked_settings,
    chosen_settings,
)
from upcard.cli.fees import parse_seats
from upcard.cli.output import console, print_json
from upcard.cli.solving import (
    Bet,
    identity,
    plain,
    progress,
)
from upcard.money import AMOUNT_WORDS

if TYPE_CHECKING:
    from upcard.solve.readings import BankSide, ReadingPrices, Readings


def readings(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
    bet: Bet = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="WAGERS",
            help="For the bank's side: wagers of one seat, ann:base=25,match=5, once for every "
            f"seat, in action order. Amounts in {AMOUNT_WORDS}. Without it: three seats of two "
            "players, by the table's limits.",
        ),
    ] = None,
    bank: Annotated[
        int | None,
        amount_option("--bank", "For the bank's side: what it puts up; all wagers if not."),
    ] = None,
    json: Json = False,
) -> None:
    """Price every answer of every reading side by side with the default.

    Where an answer changes no wager's odds and a player banks, its price is the bank's: what it
    wins, what it cannot cover, and the fees, at one table and in the same random rounds.

    Example: upcard readings games-of-chance-blackjack
    """
    from upcard.compile.tables import tables_for
    from upcard.trial.bank_readings import price_all_readings

    chosen = chosen_settings(game, asked_settings(settings, side))
    seats, players = parse_seats(seat or ())
    with progress() as told:
        found = price_all_readings(
            lambda settings: tables_for(game, settings),
            chosen,
            bet=bet,
            seats=seats,
            players=players,
            bank=bank,
            progress=told,
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
        "readings": [_reading_data(reading) for reading in found.readings],
        "options": [_reading_data(option) for option in found.options],
    }


def _reading_data(reading: ReadingPrices) -> dict[str, Any]:
    return {
        "id": reading.id,
        "asks": reading.asks,
        "clauses": reading.clauses,
        "default": reading.default,
        "having": reading.having,
        "bank": _bank_data(reading.bank) if reading.bank else None,
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


def _bank_data(side: BankSide) -> dict[str, Any]:
    return {
        "matters": side.matters,
        "having": side.having,
        "rounds": side.rounds,
        "table": {
            "seats": [
                {"player": player, "wagers": wagers}
                for player, wagers in zip(side.table.players, side.table.seats, strict=True)
            ],
            "bank": side.table.bank,
            "schedule": side.table.schedule,
        },
        "answers": {
            answer: {
                name: {
                    "value": figure.value,
                    "error": figure.error,
                    "change": figure.change,
                    "change_error": figure.change_error,
                }
                for name, figure in figures.items()
            }
            for answer, figures in side.answers.items()
        },
        "not_simulated": side.not_simulated,
    }
