"""The sign at the table, and what else the floor rules want people to see."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.text import listed


class WagerSign(msgspec.Struct, frozen=True):
    """A wager on offer with its limits in words."""

    id: str
    name: str
    limits: str


class Sign(msgspec.Struct, frozen=True):
    """Name, wagers with limits, fees, hand signals by action, and the floor rules in words."""

    name: str
    wagers: tuple[WagerSign, ...]
    fees: tuple[str, ...]
    signals: dict[str, str]
    notices: tuple[str, ...]
    rounding: str


def sign_of(tables: GameTables) -> Sign:
    """
    >>> from upcard import tables_for
    >>> sign_of(tables_for("games-of-chance-blackjack")).wagers[0].limits
    '$2 or $4'
    """
    money = tables.money
    rounding = "to the nearest" if money.rounding == "nearest" else money.rounding
    return Sign(
        name=tables.name,
        wagers=tuple(
            WagerSign(plan.id, plan.name, _limits(plan.minimum, plan.maximum, plan.amounts))
            for plan in money.wagers.values()
        ),
        fees=tuple(_fees(tables)),
        signals={str(action): words for action, words in tables.floor.signals.items()},
        notices=tuple(_notices(tables)),
        rounding=f"payoffs in multiples of {format_cents(money.chip)}, rounded {rounding}",
    )


def _limits(low: int, high: int, amounts: tuple[int, ...]) -> str:
    if amounts:
        return listed(format_cents(amount) for amount in amounts)
    return f"{format_cents(low)} to {format_cents(high)}" if high else f"from {format_cents(low)}"


def _fees(tables: GameTables) -> Iterator[str]:
    plan = tables.money.fees
    if plan is None:
        return
    payers = (("player", plan.schedule.players), ("player-dealer", plan.schedule.player_dealer))
    for payer, rows in payers:
        yield f"{payer}: " + ("; ".join(row.printed for row in rows) if rows else "no fee")


def _notices(tables: GameTables) -> Iterator[str]:
    floor = tables.floor
    words = (
        floor.layout,
        floor.equipment,
        floor.seating,
        floor.handling,
        floor.placement,
        floor.rates,
        floor.house,
        floor.third_parties,
        floor.lights,
        floor.empty_positions,
    )
    yield from filter(None, words)
