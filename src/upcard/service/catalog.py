"""The games of the house and all that can be set in them, for whoever opens a table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from upcard.compile.tables import GameTables
from upcard.players.company import least, player_banks
from upcard.rules import folders
from upcard.service.house_games import game_ids, need_game
from upcard.sheet.rules import allowed_words
from upcard.table.plain_tables import BASE
from upcard.text import as_text


class OptionInfo(msgspec.Struct, frozen=True):
    """A switch of the house. A `range` allows everything between its two values; money is cents."""

    name: str
    allowed: tuple[str, ...]
    range: bool
    default: str
    money: bool
    words: str
    clauses: tuple[str, ...]


class ReadingInfo(msgspec.Struct, frozen=True):
    """An open question of the source, and its answers in words."""

    name: str
    question: str
    answers: dict[str, str]
    default: str
    clauses: tuple[str, ...]


class FeeRowInfo(msgspec.Struct, frozen=True):
    """A fee for wagers of an amount, in cents and as printed."""

    least: int
    most: int | None
    fee: int
    printed: str


class FeeScheduleInfo(msgspec.Struct, frozen=True):
    """What a table charges; set it with the option `fee_schedule`."""

    id: int
    minimum: int
    maximum: int
    charges: str
    players: tuple[FeeRowInfo, ...]
    player_dealer: tuple[FeeRowInfo, ...]


class GameInfo(msgspec.Struct, frozen=True):
    """A game with all that can be set in it. `minimum` is of the main wager, in cents.

    `draft` is what is missing, in words, where the game is a draft; dates are empty or 2026-01-31.
    """

    id: str
    version: int
    name: str
    sentence: str
    source: str
    jurisdiction: str
    effective: str
    until: str
    draft: str
    fingerprint: str
    positions: int
    minimum: int
    players_bank: bool
    wagers: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    readings: tuple[ReadingInfo, ...]
    fee_schedules: tuple[FeeScheduleInfo, ...]


def games() -> tuple[GameInfo, ...]:
    """All games, in the order in which they are shown. The first time takes a moment."""
    return _games(folders.folders())


@cache
def _games(_: tuple[Path, ...]) -> tuple[GameInfo, ...]:
    return tuple(game_info(need_game(game)) for game in game_ids())


def game_info(tables: GameTables) -> GameInfo:
    book = tables.rulebook
    return GameInfo(
        id=tables.id,
        version=tables.version,
        name=tables.name,
        sentence=tables.head.summary,
        source=tables.source,
        jurisdiction=tables.head.jurisdiction,
        effective=tables.head.effective,
        until=tables.head.until,
        draft=tables.head.draft,
        fingerprint=tables.fingerprint,
        positions=tables.round_plan.positions,
        minimum=least(tables.money.wagers[BASE], tables.money),
        players_bank=player_banks(tables),
        wagers=tuple(tables.money.wagers),
        options=tuple(
            OptionInfo(
                name=option.name,
                allowed=tuple(map(as_text, option.allowed)),
                range=option.is_range,
                default=as_text(option.default),
                money=option.money,
                words=allowed_words(option),
                clauses=option.clauses,
            )
            for option in book.options
        ),
        readings=tuple(
            ReadingInfo(
                reading.name,
                reading.question,
                dict(reading.answers),
                reading.default,
                reading.clauses,
            )
            for reading in book.readings
        ),
        fee_schedules=_fee_schedules(tables),
    )


def _fee_schedules(tables: GameTables) -> tuple[FeeScheduleInfo, ...]:
    fees = tables.money.fees
    if fees is None:
        return ()
    return tuple(
        FeeScheduleInfo(
            id=schedule.id,
            minimum=schedule.table_min,
            maximum=schedule.table_max,
            charges=schedule.charges,
            players=tuple(
                FeeRowInfo(row.from_, row.to, row.fee, row.printed) for row in schedule.players
            ),
            player_dealer=tuple(
                FeeRowInfo(row.from_, row.to, row.fee, row.printed)
                for row in schedule.player_dealer
            ),
        )
        for schedule in fees.book.schedules
    )
