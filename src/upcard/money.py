"""Money is integer cents, odds are fractions; both have one text form."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from upcard.errors import UpcardError

CENTS_PER_DOLLAR = 100

BASE = "base"
INSURANCE = "insurance"
"""The ids of the two wagers that every game gives the same name."""

_ODDS = re.compile(r"(\d+)(?::| to | for )(\d+)")


def format_cents(cents: int) -> str:
    """
    >>> format_cents(100000), format_cents(50), format_cents(-250)
    ('$1,000', '$0.50', '-$2.50')
    """
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), CENTS_PER_DOLLAR)
    return f"{sign}${dollars:,}" + (f".{rest:02}" if rest else "")


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
