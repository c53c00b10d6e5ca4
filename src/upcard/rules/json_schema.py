"""The vocabulary of game files as a JSON Schema, for editors that complete and check TOML.

It is made from the same classes as everything else. Where a game extends another nothing is
required, for what is left out is inherited; else `WHOLE` says what must be there.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import msgspec

from upcard.rules.schema import GameRules
from upcard.rules.vocabulary import SETTLES
from upcard.shape import fields_of, sections_of, table_value

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ADDRESS = "upcard-game.schema.json"
"""What a schema that lies beside a game is called."""
WHOLE = "WholeGame"
Schema = dict[str, Any]


def game_schema() -> Schema:
    """The schema as plain data.

    >>> game_schema()["properties"]["shoe"]["$ref"]
    '#/$defs/ShoeRules'
    """
    (top,), parts = msgspec.json.schema_components([GameRules], ref_template="#/$defs/{name}")
    del top
    rules = parts.pop("GameRules")
    defs: Schema = {name: _lenient(part) for name, part in parts.items()}
    for section in _sections(GameRules):
        tag = section.__struct_config__.tag
        if tag is not None:
            key = section.__struct_config__.tag_field
            meaning = {"description": f"{SETTLES} Here: `{tag}`."}
            defs[section.__name__]["properties"][key] = {"const": tag, **meaning}
    defs[WHOLE] = _needed(GameRules)
    wagers = table_value(fields_of(GameRules)["wagers"].type)
    rules["properties"]["wagers"] = {
        "description": "The wagers, by their ids; `settles` says which kind one is.",
        "type": "object",
        "additionalProperties": {
            "anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in sections_of(wagers)]
        },
    }
    return {
        "$schema": DIALECT,
        **_lenient(rules),
        "title": "A game file of Upcard",
        "description": "A game of the 21 family. docs/vocabulary.md lists the keys in words.",
        "if": {"not": {"required": ["extends"]}},
        "then": {"$ref": f"#/$defs/{WHOLE}"},
        "$defs": defs,
    }


def _lenient(part: Schema) -> Schema:
    """A table of which everything may be inherited."""
    found = copy.deepcopy(part)
    found.pop("required", None)
    return found


def _sections(section: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for field in fields_of(section).values():
        for below in _below(field.type):
            yield below
            yield from _sections(below)


def _below(hint: Any) -> list[type[msgspec.Struct]]:
    inner = table_value(hint)
    return sections_of(hint if inner is None else inner)


def _needed(section: type[msgspec.Struct]) -> Schema:
    """What a table must have, and the tables below it."""
    fields = fields_of(section)
    found: Schema = {"required": [name for name, field in fields.items() if field.required]}
    below: Schema = {}
    for name, field in fields.items():
        inner, kinds = table_value(field.type), _below(field.type)
        if len(kinds) > 1:
            entry: Schema = {"anyOf": [_of_kind(kind) for kind in kinds]}
        elif kinds:
            entry = {"if": {"type": "object"}, "then": _needed(kinds[0])}
        else:
            continue
        below[name] = entry if inner is None else {"additionalProperties": entry}
    return found | ({"properties": below} if below else {})


def _of_kind(section: type[msgspec.Struct]) -> Schema:
    """A table that its tag tells from others."""
    key, needed = str(section.__struct_config__.tag_field), _needed(section)
    needed["required"] = [key, *needed["required"]]
    needed["properties"] = needed.get("properties", {}) | {
        key: {"const": section.__struct_config__.tag}
    }
    return needed
