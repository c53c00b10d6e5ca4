"""Limits that players set themselves: how much to lose and how long to play in a day.

A lower limit holds at once; a higher one, or none, only after a day has passed to think it over.
A day is one of UTC. What was lost is the sum of all results of the day's rounds, fees and all. Time
is the number of minutes in which something was done at a table.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import sqlalchemy as sa

from upcard.money import MOST_CENTS, format_cents
from upcard.service import records, schema
from upcard.service.specs import HouseError
from upcard.table.session import stamp

WAIT = timedelta(hours=24)
DAY_MINUTES = 24 * 60


class Pending(msgspec.Struct, frozen=True):
    """Limits that hold from a time on."""

    at: str
    loss: int | None = None
    minutes: int | None = None


class Limits(msgspec.Struct, frozen=True):
    """Cents that may be lost and minutes that may be played in a day; None is no limit."""

    loss: int | None = None
    minutes: int | None = None
    pending: Pending | None = None


class Standing(msgspec.Struct, frozen=True):
    """A player's day so far: cents lost and minutes played, beside the limits."""

    limits: Limits
    lost: int
    minutes: int


def limits_of(connection: sa.Connection, account: str, now: datetime) -> Limits:
    """The limits in force; those that waited long enough are."""
    accounts = schema.accounts
    columns = (accounts.c.loss_limit, accounts.c.time_limit, accounts.c.pending)
    row = connection.execute(sa.select(*columns).where(accounts.c.id == account)).one_or_none()
    if row is None:
        return Limits()
    pending = msgspec.json.decode(row.pending, type=Pending) if row.pending else None
    if pending is not None and pending.at <= stamp(now):
        return Limits(pending.loss, pending.minutes)
    return Limits(row.loss_limit, row.time_limit, pending)


def set_limits(
    connection: sa.Connection,
    account: str,
    loss: int | None,
    minutes: int | None,
    now: datetime,
) -> Limits:
    """Set both limits. Whatever is stricter holds now, the rest later."""
    if loss is not None and not 0 <= loss <= MOST_CENTS:
        raise HouseError(f"a limit of losses is $0 to {format_cents(MOST_CENTS)} a day")
    if minutes is not None and not 0 <= minutes <= DAY_MINUTES:
        raise HouseError(f"a limit of time is 0 to {DAY_MINUTES} minutes a day")
    old = limits_of(connection, account, now)
    at_once = Limits(_stricter(old.loss, loss), _stricter(old.minutes, minutes))
    pending = None
    if (at_once.loss, at_once.minutes) != (loss, minutes):
        pending = Pending(stamp(now + WAIT), loss, minutes)
    connection.execute(
        schema.accounts.update()
        .where(schema.accounts.c.id == account)
        .values(
            loss_limit=at_once.loss,
            time_limit=at_once.minutes,
            pending=msgspec.json.encode(pending).decode() if pending else None,
        )
    )
    return Limits(at_once.loss, at_once.minutes, pending)


def standing_of(connection: sa.Connection, account: str, now: datetime) -> Standing:
    """A player's day so far."""
    limits = limits_of(connection, account, now)
    today = stamp(now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0))
    lost = max(0, -records.net_since(connection, account, today))
    minutes = records.minutes_since(connection, account, today)
    return Standing(limits, lost, minutes)


def _stricter(old: int | None, new: int | None) -> int | None:
    """The lower of two limits."""
    known = [limit for limit in (old, new) if limit is not None]
    return min(known, default=None)
