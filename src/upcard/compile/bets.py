"""Which wagers a game takes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.text import cited, did_you_mean, listed

MOST_CENTS = 10**11
MOST_RATIO = 10**6
"""More than these no table takes, and no sum of many rounds would hold."""


def usual_bet(tables: GameTables) -> int:
    """The wager that fixed amounts are compared with: the smallest that the table takes."""
    plan = tables.money.wagers[BASE]
    return min(plan.amounts, default=0) or plan.minimum or tables.money.unit


def check_bet(tables: GameTables, bet: int) -> None:
    """Refuse what is no wager, or none of the few that a game takes; other limits are posted."""
    plan = tables.money.wagers[BASE]
    if plan.amounts and bet not in plan.amounts:
        allowed = listed([f"{amount}" for amount in plan.amounts], "or")
        raise UpcardError(
            f"a wager is {allowed} cents in {tables.name}, not {bet}"
            + cited(tables.cites["amounts"])
        )
    if bet <= 0:
        raise UpcardError(f"a wager is a number of cents above 0, not {bet}")


def check_ratios(tables: GameTables, ratios: Mapping[str, float]) -> None:
    """Refuse side wagers that the game does not take."""
    offered = [w for w in (*tables.payoffs, *tables.observers) if w not in (BASE, INSURANCE)]
    for wager, ratio in ratios.items():
        if wager not in offered:
            known = f"it offers {listed(offered)}" if offered else "it has none"
            guess = did_you_mean(wager, offered)
            raise UpcardError(f"{tables.name} has no side wager {wager!r}: {known}{guess}")
        if not ratio > 0:
            raise UpcardError(f"{wager}={ratio:g}: a side wager is above 0 base wagers")
    share = tables.money.bonus_share
    riding = sum(ratio for wager, ratio in ratios.items() if wager in tables.payoffs)
    if share is not None and riding > float(share) + 1e-12:
        raise UpcardError(
            f"all bonus wagers together may not exceed {share} of the base wager, "
            f"and these are {riding:g} of it" + cited(tables.cites["share"])
        )


def side_cents(tables: GameTables, wager: str, bet: int, ratio: float) -> int:
    """A side wager in cents, from its size in base wagers; refused if it is no whole units."""
    amount = Fraction(ratio).limit_denominator(10**6) * bet
    unit = tables.money.unit
    if amount.denominator != 1 or amount.numerator % unit:
        raise UpcardError(
            f"{wager}={ratio:g} of a base wager of {format_cents(bet)} is not a whole number of "
            f"{format_cents(unit)} units" + cited(tables.cites.get("unit", ()))
        )
    return amount.numerator


def check_unit(tables: GameTables, bet: int) -> None:
    """Refuse a wager that is no whole number of the table's units."""
    if bet % tables.money.unit:
        unit = format_cents(tables.money.unit)
        raise UpcardError(f"a wager of {bet} cents is not a whole number of {unit} units")
