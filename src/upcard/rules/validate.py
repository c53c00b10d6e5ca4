"""Whether a game file has the shape of the vocabulary: everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from msgspec import Meta

from upcard.errors import Problem
from upcard.rules import paths
from upcard.rules.schema import GameRules
from upcard.rules.section import MONEY
from upcard.shape import Hint, fields_of, fits, sections_of, table_value, wrong


def shape_problems(data: Mapping[str, Any], file: str) -> list[Problem]:
    """Everything in which a merged game file departs from the vocabulary."""
    return [Problem(file, path, message) for path, message in wrong(data, GameRules)]


def fits_at(value: Any, path: str, data: Mapping[str, Any]) -> bool:
    """Whether the vocabulary allows a value at a path of a game file."""
    return fits(value, hint_at(path, data))


def is_money_at(path: str, data: Mapping[str, Any]) -> bool:
    """Whether the vocabulary has an amount of money, in cents, at a path of a game file."""
    try:
        notes = get_args(hint_at(path, data))[1:]
    except (KeyError, IndexError):
        return False  # no such path, which is for others to say
    return any(isinstance(note, Meta) and note.extra == MONEY for note in notes)


def hint_at(path: str, data: Mapping[str, Any]) -> Hint:
    """The declared type of a value; the tag of a wager counts as a text."""
    hint: Hint = GameRules
    for key in paths.split(path, data):
        inner = table_value(hint)
        sections = sections_of(hint)
        if inner is not None and len(sections_of(inner)) > 1:
            tag = data["wagers"][key]["settles"]
            hint = next(s for s in sections_of(inner) if s.__struct_config__.tag == tag)
        elif inner is not None:
            hint = inner
        else:
            field = fields_of(sections[0]).get(key)
            hint = field.type if field else str
    return hint
