"""Money is integer cents, odds are fractions; both have one text form."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from upcard.errors import UpcardError

CENTS_PER_DOLLAR = 100
MOST_CENTS = 10**11
"""More than this no table takes, and no sum of many rounds would hold."""

AMOUNT_WORDS = "dollars (25, $25, 25.00) or cents (2500c)"
"""How people write an amount on the command line."""

BASE = "base"
INSURANCE = "insurance"
"""The ids of the two wagers that every game gives the same name."""

_ODDS = re.compile(r"(\d+)(?::| to | for )(\d+)")
_DOLLARS = re.compile(r"\$?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)?(?:\.([0-9]*))?")
_CENTS = re.compile(r"([0-9]+)c", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"\$?[0-9]+,[0-9]*")


class AmountError(UpcardError):
    """A text that is no amount of money."""


def format_cents(cents: int) -> str:
    """
    >>> format_cents(100000), format_cents(50), format_cents(-250)
    ('$1,000', '$0.50', '-$2.50')
    """
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), CENTS_PER_DOLLAR)
    return f"{sign}${dollars:,}" + (f".{rest:02}" if rest else "")


TOO_MUCH = f"an amount of money is at most {format_cents(MOST_CENTS)}, and this is more"


def parse_amount(text: str) -> int:
    """Cents, from an amount as people write it: dollars, or cents with a c behind them.

    >>> [parse_amount(text) for text in ("25", "$25", "25.00", "$1,000", "2.5", "2500c")]
    [2500, 2500, 2500, 100000, 250, 2500]
    """
    written = text.strip()
    unsigned = written.removeprefix("-")
    cents, dollars = _CENTS.fullmatch(unsigned), _DOLLARS.fullmatch(unsigned)
    if cents is not None:
        found = _whole(cents[1])
    elif dollars is not None and (dollars[1] or dollars[2]):
        found = _whole(dollars[1] or "0") * CENTS_PER_DOLLAR + _hundredths(written, dollars[2])
    else:
        raise AmountError(f'"{text}" is not an amount: write {_advice(unsigned)}')
    if written != unsigned and found:
        raise UpcardError(f"an amount is $0 or more, not {format_cents(-found)}")
    if found > MOST_CENTS:
        raise UpcardError(TOO_MUCH)
    return found


def outside_limits(wager: str, amount: int, minimum: int, maximum: int, *, others: int = 0) -> str:
    """Why limits refuse a wager, or nothing; a maximum of 0 is none, `others` are on the spot too.

    >>> outside_limits("base", 500, 1000, 20000)
    'a base wager of $5 is below the minimum of $10'
    """
    placed = f"a {wager} wager of {format_cents(amount)}"
    if amount < minimum:
        return f"{placed} is below the minimum of {format_cents(minimum)}"
    if maximum and amount + others > maximum:
        on_spot = f" with {format_cents(others)} of others on the spot" if others else ""
        return f"{placed}{on_spot} is above the maximum of {format_cents(maximum)}"
    return ""


def _whole(digits: str) -> int:
    """Digits as a number; however many they are, no more of them than it takes to be too large."""
    figures = digits.replace(",", "").lstrip("0")
    return int(figures[: len(str(MOST_CENTS)) + 1] or "0")


def _hundredths(written: str, decimals: str | None) -> int:
    """The cents behind the point."""
    figures = (decimals or "").rstrip("0").ljust(2, "0")
    if len(figures) > 2:
        raise AmountError(f'"{written}" is not an amount: a cent is the least there is')
    return int(figures)


def _advice(text: str) -> str:
    if _DECIMAL_COMMA.fullmatch(text):
        point = text.replace(",", ".")
        return f"{point} with a point; a comma stands between thousands only, as in $1,000"
    return AMOUNT_WORDS


def plain_dollars(cents: int) -> str:
    """An amount as it is typed.

    >>> plain_dollars(2500), plain_dollars(250)
    ('25', '2.50')
    """
    dollars, rest = divmod(cents, CENTS_PER_DOLLAR)
    return f"{dollars}.{rest:02}" if rest else str(dollars)


def parse_odds(text: str) -> Fraction:
    """What one unit wins, net of the stake.

    "for 1" counts the stake inside the figure, as many pay tables do.

    >>> parse_odds("3:2"), parse_odds("18 to 1"), parse_odds("1001 for 1")
    (Fraction(3, 2), Fraction(18, 1), Fraction(1000, 1))
    """
    match = _ODDS.fullmatch(text)
    if match is None or int(match[2]) == 0:
        raise UpcardError(f'"{text}" is not odds: write them as 3:2, 3 to 2 or 4 for 1')
    odds = Fraction(int(match[1]), int(match[2]))
    if " for " in text:
        odds -= 1
    if odds < 0:
        raise UpcardError(f'"{text}" returns less than the stake, so it is not a payoff')
    return odds


def rounded(amount: Fraction, chip: int, policy: str) -> int:
    """An amount in whole chips, in cents: down, up, or to the nearest (a half goes up).

    >>> [rounded(Fraction(750), 100, policy) for policy in ("down", "up", "nearest")]
    [700, 800, 800]
    """
    chips = amount / chip
    if policy == "up":
        return math.ceil(chips) * chip
    return math.floor(chips + Fraction(policy == "nearest", 2)) * chip


def format_odds(odds: Fraction) -> str:
    """
    >>> format_odds(Fraction(6, 5))
    '6 to 5'
    """
    return f"{odds.numerator} to {odds.denominator}"
