"""Settings with several values each, as --vary has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

import typer

from upcard.errors import UpcardError

Vary = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="NAME=V1,V2",
        help="Each of these values of an option, decks=4,6,8 or decks=1..8; several options are "
        "combined.",
    ),
]
THOUSANDS = re.compile(r"\$\d{1,3},\d{3}\b|,0\d")
"""What only an amount with a comma in it has; 5,100 may well be two values."""
LONGEST_SPAN = 1000


def parse_varied(texts: Iterable[str]) -> dict[str, list[str]]:
    """The options to vary, with their values.

    >>> parse_varied(["decks=1..3,8", "soft17=stand,hit"])
    {'decks': ['1', '2', '3', '8'], 'soft17': ['stand', 'hit']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        name, sign, values = (part.strip() for part in text.partition("="))
        if not sign or not name or not all(values.split(",")):
            raise UpcardError(
                f'--vary "{text}": write an option and its values, such as decks=1,2,6 or '
                "decks=1..8"
            )
        if THOUSANDS.search(values):
            raise UpcardError(
                f'--vary "{text}": a comma stands between two values here, so write $1,000 as 1000'
            )
        if name in found:
            raise UpcardError(f"{name} is varied twice: give all its values at once, {name}=A,B,C")
        found[name] = [value for part in values.split(",") for value in _span(text, part.strip())]
    return found


def _span(text: str, part: str) -> Iterable[str]:
    low, dots, high = part.partition("..")
    if not dots:
        return (part,)
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
        raise UpcardError(f'--vary "{text}": "{part}" is no span of whole numbers such as 1..8')
    if int(high) - int(low) >= LONGEST_SPAN:
        raise UpcardError(f'--vary "{text}": "{part}" is more than {LONGEST_SPAN} values')
    return map(str, range(int(low), int(high) + 1))
