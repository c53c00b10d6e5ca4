"""Whether a table has the shape of the vocabulary: every unknown key and wrong value at once."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import inspect

from upcard.errors import Problem
from upcard.rules import paths
from upcard.rules.base import Section
from upcard.rules.schema import Game
from upcard.text import did_you_mean, listed

Hint = Any
"""A type as a class of the vocabulary declares it."""


def shape_problems(data: Mapping[str, Any], file: str) -> list[Problem]:
    """Everything in which a merged game file departs from the vocabulary."""
    if _fits(data, Game):
        return []
    return [Problem(file, path, message) for path, message in _wrong(data, Game, "")]


def _fits(value: Any, hint: Hint) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def _wrong(value: Any, hint: Hint, path: str) -> Iterator[tuple[str, str]]:
    """Path and message of everything wrong at or below a value."""
    if _fits(value, hint):
        return
    sections = sections_of(hint)
    inner = table_value(hint)
    if sections and isinstance(value, Mapping):
        yield from _wrong_section(value, sections, path)
    elif inner is not None and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _wrong(item, inner, f"{path}.{key}")
    else:
        yield path, f"{_shown(value)} is not allowed here: {describe(hint)}"


def _wrong_section(
    value: Mapping[str, Any], sections: list[type[Section]], path: str
) -> Iterator[tuple[str, str]]:
    prefix = f"{path}." if path else ""
    tag_field = sections[0].__struct_config__.tag_field
    if tag_field is not None:
        by_tag = {section.__struct_config__.tag: section for section in sections}
        tag = value.get(tag_field)
        if tag not in by_tag:
            allowed = listed(map(_shown, by_tag))
            yield f"{prefix}{tag_field}", f"{_shown(tag)} is not allowed here: one of {allowed}"
            return
        sections = [by_tag[tag]]
    fields = fields_of(sections[0])
    known = [*fields, *([tag_field] if tag_field else [])]
    for key, item in value.items():
        if key in fields:
            yield from _wrong(item, fields[key].type, prefix + key)
        elif key not in known:
            yield prefix + key, f'unknown key "{key}"{did_you_mean(key, known)}'
    for key, field in fields.items():
        if field.required and key not in value:
            yield prefix + key, f"missing: {describe(field.type)}"


def fits_at(value: Any, path: str, data: Mapping[str, Any]) -> bool:
    """Whether the vocabulary allows a value at a path of a game file."""
    return _fits(value, hint_at(path, data))


def hint_at(path: str, data: Mapping[str, Any]) -> Hint:
    """The declared type of a value; the tag of a wager counts as a text."""
    hint: Hint = Game
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


@cache
def fields_of(section: type[Section]) -> dict[str, msgspec.structs.FieldInfo]:
    """The keys of a section as files write them."""
    return {field.encode_name: field for field in msgspec.structs.fields(section)}


def bare(hint: Hint) -> Hint:
    """A type without its annotations."""
    origin: object = get_origin(hint)
    return get_args(hint)[0] if origin is Annotated else hint


def sections_of(hint: Hint) -> list[type[Section]]:
    """The sections a value may be: one, or the members of a union."""
    hint = bare(hint)
    members = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return [
        member for member in members if isinstance(member, type) and issubclass(member, Section)
    ]


def table_value(hint: Hint) -> Hint | None:
    """The type of the values of a table with free keys; None for anything else."""
    origin: object = get_origin(bare(hint))
    return get_args(bare(hint))[1] if origin is dict else None


_PATTERNS = {
    r"^[1-9]\d*:[1-9]\d*$": 'odds such as "3:2"',
    r"^(push|[1-9]\d*:[1-9]\d*)$": '"push" or odds such as "6:5"',
    r"^\d+(/[1-9]\d*)?$": 'a share such as "1/2"',
    r"^[a-z0-9][a-z0-9.-]*$": 'a lower-case id such as "twisted-21"',
}


def describe(hint: Hint) -> str:
    """The values a type allows, in words.

    >>> describe(bool)
    'true or false'
    """
    return _words(inspect.type_info(hint))


def _words(type_: inspect.Type) -> str:
    match type_:
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.LiteralType(values=values):
            return f"one of {listed(map(_shown, values))}" if len(values) > 1 else _shown(values[0])
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            return _number_words(type_)
        case inspect.StrType(pattern=pattern):
            return _PATTERNS[pattern] if pattern else "a text"
        case inspect.VarTupleType(item_type=item):
            return f"a list, each {_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}: {listed(map(_words, items), 'then')}"
        case inspect.DictType(value_type=inner):
            return f"a table, each value {_words(inner)}"
        case inspect.UnionType(types=members):
            words = [_words(kind) for kind in members if not isinstance(kind, inspect.NoneType)]
            return listed(dict.fromkeys(words))
        case inspect.StructType(cls=cls):
            return f"a table ({(cls.__doc__ or '').split('.')[0].lower()})"
        case other:
            raise AssertionError(other)


def _number_words(number: inspect.IntType | inspect.FloatType) -> str:
    words = "a whole number" if isinstance(number, inspect.IntType) else "a number"
    if number.ge is not None and number.le is not None:
        return f"{words} from {number.ge} to {number.le}"
    limits = [
        (number.ge, "at least"),
        (number.gt, "over"),
        (number.le, "at most"),
        (number.lt, "under"),
    ]
    bounds = [f"{word} {limit}" for limit, word in limits if limit is not None]
    return f"{words} {listed(bounds, 'and')}".strip()


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()
