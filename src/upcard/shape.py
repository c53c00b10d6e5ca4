"""Whether data has the shape that a type declares, and words for everything where it has not.

Game files, situations and records of sessions are all read through here, so that a mistyped key
or a wrong value is told in the same way everywhere.
"""

from __future__ import annotations

import os
import tomllib
import types
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import inspect

from upcard.errors import UpcardError
from upcard.text import did_you_mean, listed, shortened

Hint = Any
"""A type as a class declares it."""

T = TypeVar("T")

LISTED_TAGS = 12
"""Up to so many kinds of a table are listed when a file names none of them."""

LARGEST_FILE = 1 << 28
"""Bytes of a file, at most: 256 MiB."""

MOST_DOTS = 250
"""Dots on a line of TOML, at most: a key of n parts takes a time like n * n to read."""

LONGEST_SHOWN = 200
"""Characters of a value or a key that a message quotes, at most."""


def read_file(path: Path) -> bytes:
    """What is in a file, or one sentence about why it cannot be had."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                most = f"{LARGEST_FILE >> 20} MiB"
                raise UpcardError(f"{path}: is too large: a file has at most {most}")
            return file.read()
    except FileNotFoundError:
        raise UpcardError(f"there is no file {path}") from None
    except OSError as error:
        raise UpcardError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:  # a text that is no path at all
        raise UpcardError(f"cannot read {path}: {error}") from None


def read_text(path: Path) -> str:
    """The text of a file, or one sentence about why there is none."""
    return text_of(read_file(path), str(path))


def text_of(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UpcardError(f"{source} is not a text file in UTF-8") from None


def from_toml(text: str, source: str, kind: type[T]) -> T:
    """A value from TOML, or one sentence about the first thing that is wrong with it."""
    return shaped(parse_toml(text, source), source, kind)


def shaped(data: Mapping[str, Any], source: str, kind: type[T]) -> T:
    """Data as a value of its type, or one sentence as in `from_toml`."""
    try:
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            path, message = next(wrong(data, kind), ("", str(error)))
            place = f"{source}: {shortened(path, LONGEST_SHOWN)}" if path else source
            raise UpcardError(f"{place}: {message}") from error
    except RecursionError:
        raise UpcardError(f"{source}: is nested too deeply") from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    too_deep = UpcardError(f"{source} is not valid TOML: it is nested too deeply")
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise too_deep
    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number of thousands of digits is one as well
        raise UpcardError(f"{source} is not valid TOML: {error}") from None
    except RecursionError:
        raise too_deep from None


def fits(value: Any, hint: Hint) -> bool:
    if hint is msgspec.Raw:  # which is any value, only not as plain data
        return True
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def wrong(value: Any, hint: Hint, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and message of everything wrong at or below a value; lists count from 1.

    >>> list(wrong({"seats": [1, "two"]}, dict[str, tuple[int, ...]]))
    [('seats[2]', '"two" is not allowed here: a whole number')]
    """
    if fits(value, hint):
        return
    sections = sections_of(hint)
    inner, item_hint = table_value(hint), list_item(hint)
    if sections and isinstance(value, Mapping):
        yield from _wrong_section(value, sections, path)
    elif inner is not None and isinstance(value, Mapping):
        key_hint = get_args(bare(hint))[0]
        for key, item in value.items():
            here = f"{path}.{key}" if path else key
            if fits(key, key_hint):
                yield from wrong(item, inner, here)
            else:
                yield here, f"{shown(key)} is no key of this table: {describe(key_hint)}"
    elif item_hint is not None and isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from wrong(item, item_hint, f"{path}[{number}]")
    else:
        yield path, f"{shown(value)} is not allowed here: {describe(hint)}"


def _wrong_section(
    value: Mapping[str, Any], sections: list[type[msgspec.Struct]], path: str
) -> Iterator[tuple[str, str]]:
    prefix = f"{path}." if path else ""
    tag_field = sections[0].__struct_config__.tag_field
    if tag_field is not None:
        by_tag = {str(section.__struct_config__.tag): section for section in sections}
        tag = value.get(tag_field)
        if not isinstance(tag, str) or tag not in by_tag:
            yield f"{prefix}{tag_field}", _unknown_tag(tag, by_tag)
            return
        sections = [by_tag[tag]]
    fields = fields_of(sections[0])
    known = [*fields, *([tag_field] if tag_field else [])]
    for key, item in value.items():
        if key in fields:
            yield from wrong(item, fields[key].type, prefix + key)
        elif key not in known:
            name = shortened(key, LONGEST_SHOWN)
            yield prefix + key, f'unknown key "{name}"{did_you_mean(key, known)}'
    for key, field in fields.items():
        if field.required and key not in value:
            yield prefix + key, f"missing: {describe(field.type)}"


def _unknown_tag(tag: Any, known: Mapping[str, object]) -> str:
    if len(known) > LISTED_TAGS:
        return f"{shown(tag)} is not allowed here{did_you_mean(str(tag), known)}"
    return f"{shown(tag)} is not allowed here: one of {listed(map(shown, known))}"


@cache
def fields_of(section: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The keys of a section as files write them."""
    return {field.encode_name: field for field in msgspec.structs.fields(section)}


def bare(hint: Hint) -> Hint:
    """A type without its annotations."""
    origin: object = get_origin(hint)
    return get_args(hint)[0] if origin is Annotated else hint


def sections_of(hint: Hint) -> list[type[msgspec.Struct]]:
    """The sections a value may be: one, or the members of a union."""
    hint = bare(hint)
    members = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return [
        member
        for member in members
        if isinstance(member, type) and issubclass(member, msgspec.Struct)
    ]


def table_value(hint: Hint) -> Hint | None:
    """The type of the values of a table with free keys; None for anything else."""
    origin: object = get_origin(bare(hint))
    return get_args(bare(hint))[1] if origin is dict else None


def list_item(hint: Hint) -> Hint | None:
    """The type of the items of a list of any length; None for anything else."""
    origin: object = get_origin(bare(hint))
    items = get_args(bare(hint))
    if origin is list or (origin is tuple and items[1:] == (...,)):
        return items[0]
    return None


_PATTERNS = {
    r"^[1-9]\d*:[1-9]\d*$": 'odds such as "3:2"',
    r"^(push|[1-9]\d*:[1-9]\d*)$": '"push" or odds such as "6:5"',
    r"^(push|loses|[1-9]\d*:[1-9]\d*)$": '"push", "loses" or odds such as "6:5"',
    r"^(as-dealt|[1-9]\d*:[1-9]\d*)$": '"as-dealt" or odds such as "1:1"',
    r"^\d+(/[1-9]\d*)?$": 'a share such as "1/2"',
    r"^[a-z0-9][a-z0-9.-]*$": 'a lower-case id such as "twisted-21"',
    r"^[A-Z0-9]{0,4}$": 'up to four capital letters such as "TW"',
    r"^(#[0-9a-f]{6})?$": 'a colour such as "#0d5b45"',
    r"^[a-z0-9][a-z0-9.+-]*$": 'a lower-case id such as "21+3"',
    r"^[A2-9TJQK][shdc]$": 'a card such as "Qh"',
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
            return f"one of {listed(map(shown, values))}" if len(values) > 1 else shown(values[0])
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            return _number_words(type_)
        case inspect.StrType(pattern=pattern):
            return _PATTERNS[pattern] if pattern else "a text"
        case inspect.UnionType(types=members):
            words = [_words(kind) for kind in members if not isinstance(kind, inspect.NoneType)]
            return listed(dict.fromkeys(words)) if len(words) <= LISTED_TAGS else "a table"
        case other:
            return _compound_words(other)


def _compound_words(type_: inspect.Type) -> str:
    match type_:
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"a list, each {_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}: {listed(map(_words, items), 'then')}"
        case inspect.DateType():
            return "a date such as 2026-01-31"
        case inspect.RawType() | inspect.AnyType():
            return "a value of any kind"
        case inspect.DictType(value_type=inspect.AnyType()):
            return "a table"
        case inspect.DictType(value_type=inner):
            return f"a table, each value {_words(inner)}"
        case inspect.StructType(cls=cls):
            words = (cls.__doc__ or "").split(".")[0].lower()
            return f"a table ({words})" if words else "a table"
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


def shown(value: Any, most: int = LONGEST_SHOWN) -> str:
    """A value as files write it, more or less; a long one not whole."""
    try:
        text = msgspec.json.encode(value).decode()
    except OverflowError:
        text = str(value)
    return shortened(text, most)
