"""The figures of a fee schedule as they are printed, read to cents."""

from __future__ import annotations

import re

from upcard.errors import UpcardError
from upcard.money import CENTS_PER_DOLLAR

# The second figure of a range may lack its dollar sign, as in "$150-400". Figures are cut off at
# nine digits because no wager is longer, and Python refuses to read endless ones.
_DOLLARS = r"[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9}"
_RANGE = re.compile(rf"\$({_DOLLARS})(?: ?- ?\$?({_DOLLARS})| ?(\+))?")
_FEE = re.compile(rf"\$(?:({_DOLLARS})(?:\.([0-9]{{2}}))?|\.([0-9]{{2}}))")


def parse_range(text: str) -> tuple[int, int | None]:
    """First and last amount of a row; None where the row is open at the top.

    A single amount without a plus sign is that amount only.

    >>> parse_range("$150-400"), parse_range("$501 +"), parse_range("$501")
    ((15000, 40000), (50100, None), (50100, 50100))
    """
    match = _RANGE.fullmatch(text)
    if match is None:
        raise UpcardError(
            f'"{text}" is not a range: write whole dollars as "$26-$100", "$301+" or "$501"'
        )
    low = _cents(match[1])
    if match[3]:
        return low, None
    high = _cents(match[2]) if match[2] else low
    if high < low:
        raise UpcardError(f'the range "{text}" ends below its start')
    return low, high


def parse_limits(text: str) -> tuple[int, int]:
    """The smallest and the largest wager of a table.

    >>> parse_limits("$25 - $1,000")
    (2500, 100000)
    """
    match = _RANGE.fullmatch(text)
    if match is None or not match[2]:
        raise UpcardError(
            f'"{text}" is not a pair of table limits: write whole dollars as "$3 - $200"'
        )
    low, high = _cents(match[1]), _cents(match[2])
    if low == 0:
        raise UpcardError(f'the table limits "{text}" start at nothing; the smallest wager is $1')
    if high < low:
        raise UpcardError(f'the table limits "{text}" end below their start')
    return low, high


def parse_fee(text: str) -> int:
    """A flat fee.

    >>> parse_fee("$.50"), parse_fee("$0.50"), parse_fee("$1.00"), parse_fee("$10")
    (50, 50, 100, 1000)
    """
    match = _FEE.fullmatch(text)
    if match is None:
        raise UpcardError(
            f'"{text}" is not a fee: write a flat amount as "$2" or "$.50", never a percentage'
        )
    return _cents(match[1] or "0") + int(match[2] or match[3] or "0")


def _cents(dollars: str) -> int:
    return int(dollars.replace(",", "")) * CENTS_PER_DOLLAR
