"""Turns of phrase of the pages: money, times, lists of people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.service.specs import SeatInfo, TableInfo

MINUS = "\u2212"


def money(cents: int) -> str:
    """
    >>> money(100_050), money(-500)
    ('$1,000.50', '\u2212$5')
    """
    return format_cents(cents).replace("-", MINUS)


def signed(cents: int) -> str:
    """An amount that was won or lost.

    >>> signed(250), signed(-1000), signed(0)
    ('+$2.50', '\u2212$10', '$0')
    """
    return f"+{format_cents(cents)}" if cents > 0 else money(cents)


def tone(cents: float) -> str:
    """The class of an amount that was won or lost."""
    return "good" if cents > 0 else "bad" if cents < 0 else "soft"


def percent(part: float, *, sign: bool = False) -> str:
    """
    >>> percent(0.00531), percent(-0.0123, sign=True), percent(0.2, sign=True)
    ('0.53%', '\u22121.23%', '+20.00%')
    """
    text = f"{part:+.2%}" if sign else f"{part:.2%}"
    return text.replace("-", MINUS)


def deviations(z: float) -> str:
    """How far a result is from what was expected.

    >>> deviations(1.04), deviations(-2.5), deviations(float("nan"))
    ('+1.0 sd', '\u22122.5 sd', '')
    """
    return "" if math.isnan(z) else f"{z:+.1f} sd".replace("-", MINUS)


def limits(low: int, high: int) -> str:
    """
    >>> limits(500, 50_000), limits(200, 200), limits(500, 0)
    ('$5 to $500', '$2', 'from $5')
    """
    if not high:
        return f"from {format_cents(low)}"
    return format_cents(low) if low == high else f"{format_cents(low)} to {format_cents(high)}"


def hours(seconds: float) -> str:
    """
    >>> hours(59), hours(3_725)
    ('0:00', '1:02')
    """
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}"


def duration(minutes: int) -> str:
    """
    >>> duration(45), duration(60), duration(135)
    ('45 minutes', '1 hour', '2 hours 15 minutes')
    """
    whole, rest = divmod(minutes, 60)
    parts = [counted(whole, "hour")] if whole else []
    parts += [counted(rest, "minute")] if rest or not whole else []
    return " ".join(parts)


def moment(text: str) -> str:
    """A time as the store keeps it, for people; in UTC, as all times of the house.

    >>> moment("2026-03-01T09:05:30.123Z"), moment("")
    ('1 March 2026, 09:05 UTC', '')
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return f"{found.day} {found:%B %Y, %H:%M} UTC"


def pace(info: TableInfo) -> str:
    """How fast a table plays, in two words."""
    clock = f"{info.seconds} s a turn" if info.seconds else "no clock"
    return {"slow": "Slow", "normal": "Normal", "fast": "Fast"}[info.speed] + f", {clock}"


def people(seats: Sequence[SeatInfo]) -> str:
    """Who sits at a table: persons by name, bots by number."""
    names = [seat.player for seat in seats if not seat.bot]
    bots = sum(seat.bot for seat in seats)
    parts = [*names, *([counted(bots, "bot")] if bots else [])]
    return listed(parts, "and") if parts else "nobody yet"


def seats_words(info: TableInfo) -> str:
    """The seats of a table in one sentence, for who cannot see the row of circles."""
    taken = len(info.seats)
    return f"{taken} of {counted(info.positions, 'seat')} taken: {people(info.seats)}"


def setting_name(name: str) -> str:
    """The name of an option or a reading as a label.

    >>> setting_name("table_minimum"), setting_name("soft17"), setting_name("dealer_22")
    ('Table minimum', 'Soft 17', 'Dealer 22')
    """
    known = {"soft17": "Soft 17", "burn": "Cards burnt", "peek": "Dealer checks under"}
    words = name.replace("_", " ").replace("-", " ")
    return known.get(name, words[:1].upper() + words[1:])


_VALUES = {
    "true": "yes",
    "false": "no",
    "none": "none",
    "any-two": "any two cards",
    "any-count": "any number of cards",
    "9-11": "on 9, 10 or 11",
    "9-11-soft": "on hard 9 to 11, soft 19 and 20",
    "10-11": "on 10 or 11",
    "ace-or-ten": "an ace or a ten",
    "ace": "an ace",
    "one-card": "one card each",
    "value": "equal values",
    "rank": "equal ranks",
}


def value_words(text: str) -> str:
    """A value of an option as people read it.

    >>> value_words("true"), value_words("3:2"), value_words("lower-fee")
    ('yes', '3 to 2', 'lower fee')
    """
    if text in _VALUES:
        return _VALUES[text]
    left, colon, right = text.partition(":")
    if colon and left.isdecimal() and right.isdecimal():
        return f"{left} to {right}"
    return text.replace("-", " ") if not text[:1].isdecimal() else text


def joined(parts: Iterable[str]) -> str:
    """Parts of a line, with a dot between them."""
    return " \u00b7 ".join(filter(None, parts))
