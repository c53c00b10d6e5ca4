"""Settings and amounts as a program has them, made what the rules take."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import SupportsIndex, TypeVar

from upcard.compile.tables import setting_names, settings_with
from upcard.errors import UpcardError
from upcard.money import parse_amount
from upcard.text import as_text, listed

T = TypeVar("T")


def setting_texts(reference: str, settings: Mapping[str, object]) -> dict[str, str]:
    """Settings by name as texts: `decks=8` is `"8"`, `double_double=False` is `"false"`.

    A name with dashes is written with underscores.

    >>> setting_texts("blackjack", {"decks": 8.0, "soft17": "hit"})
    {'decks': '8', 'soft17': 'hit'}
    """
    if not settings:
        return {}
    known = setting_names(reference)
    found: dict[str, str] = {}
    for name, value in settings.items():
        dashed = name.replace("_", "-")
        written = dashed if name not in known and dashed in known else name
        if written == "sides":
            found[written] = _sides(value)
            continue
        if written in found:
            raise UpcardError(f"{written} is set twice")
        found[written] = _text(name, value)
    return found


def _sides(value: object) -> str:
    """Side wagers, as one text or one by one."""
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return settings_with({}, map(str, value)).get("sides", "")
    raise UpcardError(f'sides={value!r}: give a list of side wagers, such as ["21+3=graded"]')


def _text(name: str, value: object) -> str:
    if isinstance(value, str | bool):
        return as_text(value)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real) and math.isfinite(value):
        number = float(value)
        return str(int(number)) if number.is_integer() else as_text(number)
    if type(value).__name__ == "bool":  # numpy's, which is no number
        return as_text(bool(value))
    raise UpcardError(f"{name}={value!r}: a setting is a text, a number, or True or False")


def cents_of(what: str, amount: object) -> int | None:
    """Money as a whole number of cents, or as a text such as "$25".

    >>> cents_of("bet", 2500), cents_of("bet", "$25"), cents_of("bet", None)
    (2500, 2500, None)
    """
    if amount is None:
        return None
    if isinstance(amount, str):
        return parse_amount(amount)
    if isinstance(amount, bool) or not isinstance(amount, SupportsIndex):
        raise UpcardError(f'{what}={amount!r}: give whole cents, or a text such as "$25"')
    return operator.index(amount)


def one_of(what: str, value: T, allowed: Sequence[T]) -> T:
    """A value that is one of a few."""
    if value not in allowed:
        raise UpcardError(f"{what}={value!r}: it is {listed(allowed)}")
    return value


def whole_number(what: str, number: object) -> int:
    """A count that may be written like 1e8.

    >>> whole_number("rounds", 1e8)
    100000000
    """
    found = _float(number) if isinstance(number, str) else number
    if isinstance(found, SupportsIndex) and not isinstance(found, bool):
        return operator.index(found)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    raise UpcardError(f"{what}={number!r}: this is not a whole number, such as 1000000 or 1e8")


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
