"""Conditions on a game's values: when they are forbidden together, when a clause is in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from upcard.errors import UpcardError
from upcard.money import parse_odds
from upcard.rules.index import Bounds, Clause, Condition
from upcard.rules.schema import GameRules
from upcard.text import as_text, did_you_mean


def value_of(game: GameRules, path: str) -> Any:
    """A value of a game, stated or by default; None if there is no such key."""
    node: Any = game
    rest = path
    while rest and node is not None:
        if isinstance(node, Mapping):
            # An id may itself contain dots.
            fitting = [key for key in node if rest == key or rest.startswith(f"{key}.")]
            key = max(fitting, key=len, default=rest)
            node = node.get(key)
        else:
            key = rest.split(".", 1)[0]
            node = _field(node, key)
        rest = rest[len(key) + 1 :]
    return node


def _field(section: Any, key: str) -> Any:
    config = getattr(section, "__struct_config__", None)
    if config is not None and config.tag_field == key:
        return config.tag
    return getattr(section, key, getattr(section, f"{key}_", None))


def hold(game: GameRules, conditions: Mapping[str, Condition]) -> bool:
    """Whether all of some conditions hold, of which none is without sense in this game."""
    return all(_holds(value_of(game, path), wanted) for path, wanted in conditions.items())


def in_force(game: GameRules, clause: Clause) -> bool:
    """Whether a clause is in force under the settings of a game."""
    return hold(game, clause.when)


def senseless(game: GameRules, conditions: Mapping[str, Condition], known: Any) -> Iterator[str]:
    """What is wrong with conditions that can never be answered."""
    for path, wanted in conditions.items():
        value = value_of(game, path)
        if value is None:
            yield f'no value "{path}" in this game{did_you_mean(path, known)}'
        elif isinstance(wanted, Bounds) and _as_number(value) is None:
            yield f"{path} = {as_text(value)} is not a number and has no bounds"


def _as_number(value: Any) -> Fraction | None:
    """A number, a share or odds as a fraction; None for anything else."""
    try:
        return parse_odds(value) if ":" in str(value) else Fraction(str(value))
    except (ValueError, UpcardError):
        return None


def _holds(value: Any, wanted: object) -> bool:
    match wanted:
        case Bounds(over=over, under=under):
            number = _as_number(value)
            if number is None:
                return False
            return (over is None or number > Fraction(str(over))) and (
                under is None or number < Fraction(str(under))
            )
        case tuple():
            return value in wanted
        case _:
            return bool(value == wanted)
