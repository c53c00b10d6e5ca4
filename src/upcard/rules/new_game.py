"""A game file to begin with: every key of the vocabulary, with what it means and may be."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from upcard.rules import registry
from upcard.rules.head import HEADER
from upcard.rules.index import Clause, Forbids, Option, Reading
from upcard.rules.json_schema import ADDRESS
from upcard.rules.load import RuleSet, load_game
from upcard.rules.schema import INDEX, GameRules
from upcard.rules.vocabulary import SETTLES, meaning_of
from upcard.rules.written import toml, toml_key
from upcard.shape import describe, fields_of, list_item, sections_of, table_value

WORDS_OF_A_SOURCE = ("floor",)
"""Sections that another game's source says in its own words: they are not copied."""

_EXAMPLES: Mapping[str, Any] = {
    "also_known_as": [],
    "extends": "blackjack",
    "summary": "What is special about it.",
    "short": "MG",
    "order": 100,
    "felt": "#24534a",
    "effective": date(2026, 1, 1),
    "until": date(2026, 12, 31),
    "jurisdiction": "South Dakota",
}
"""What keys of the head that a new game does not need may look like."""

_INDEX_EXAMPLES = """\
# ---------------------------------------------------------------- where every value comes from
#
# While draft = true stands above, nothing here is needed; `upcard check FILE --draft` lists what
# has no source yet. When every value has one, take that line out.
#
# A clause of your rules, with the keys that it sets:
# [clauses]
# {short}-1 = {{ kind = "play", says = "The dealer hits soft 17.", sets = ["dealer.soft17"] }}
#
# What nobody has said, and why it is as it is:
# [assumed]
# "shoe.burn" = "As everywhere."
"""


def new_game(game_id: str, like: str, *, extends: bool, folder: Path) -> str:
    """The text of a new file: a copy of a game's rules, or one that extends it.

    `folder` is where it will lie: the schema is named if it lies there, and a parent by its path.
    """
    rules = load_game(like)
    lines = [
        *([f"#:schema ./{ADDRESS}"] if (folder / ADDRESS).is_file() else []),
        *_head(game_id, rules, _reference(like, rules, folder) if extends else ""),
    ]
    for name, field in fields_of(GameRules).items():
        if name not in (*HEADER, *INDEX):
            stated = {} if extends else _stated(name, rules, _name(game_id))
            lines += ["", *_section(name, field.type, stated, rules.data.get(name, {}))]
    lines += ["", *_INDEX_EXAMPLES.format(short=_short(game_id)).splitlines()]
    lines += ["#", *_described("options.<name>", Option), *_described("readings.<name>", Reading)]
    lines += _described("clauses.<id>", Clause)
    lines += [
        f"# {meaning_of(fields_of(GameRules)['forbids'].type)}",
        *_described("[forbids]", Forbids),
    ]
    for name in ("fixed", "assumed"):
        hint = fields_of(GameRules)[name].type
        lines.append(f"# [{name}]: {meaning_of(hint)}")
    if not extends:
        lines += ["", *_options(rules)]
    return "\n".join(lines) + "\n"


def _stated(name: str, rules: RuleSet, new_name: str) -> Mapping[str, Any]:
    """A section of the game that is copied, without the words of its source and its name."""
    stated: Mapping[str, Any] = rules.data.get(name, {})
    if name in WORDS_OF_A_SOURCE:
        return {}
    if name == "wagers" and stated["base"]["name"] == rules.game.name:
        return {**stated, "base": {**stated["base"], "name": new_name}}
    return stated


def _reference(like: str, rules: RuleSet, folder: Path) -> str:
    """How a file in a folder names the game that it extends."""
    if rules.game.id in registry.known_ids():
        return rules.game.id
    return Path(os.path.relpath(Path(like).resolve(), folder.resolve())).as_posix()


def _name(game_id: str) -> str:
    return game_id.replace("-", " ").title()


def _short(game_id: str) -> str:
    return "".join(part[0] for part in game_id.replace(".", "-").split("-") if part).upper()[:4]


def _head(game_id: str, rules: RuleSet, parent: str) -> Iterator[str]:
    origin = f"extends {rules.game.ref}" if parent else f"begun as a copy of {rules.game.ref}"
    yield f"# {_name(game_id)}: a new game, {origin}."
    yield "# A line that begins with # and has a key says what holds where the key is left out."
    yield "# docs/game-files.md explains the parts, docs/vocabulary.md lists the keys."
    yield ""
    written = {
        "id": game_id,
        "version": 1,
        "name": _name(game_id),
        "source": f"An idea of {date.today().isoformat()}",
        "draft": True,
    } | ({"extends": parent} if parent else {})
    for name in HEADER:
        hint = fields_of(GameRules)[name].type
        shown = written.get(name, _EXAMPLES.get(name))
        yield from _comment(hint)
        yield f"{'' if name in written else '# '}{name} = {toml(shown)}"


def _section(
    name: str, hint: Any, stated: Mapping[str, Any], inherited: Mapping[str, Any]
) -> Iterator[str]:
    """A table with its keys: what the game states, and the others as comments."""
    inner = table_value(hint)
    if inner is not None:
        yield from _entries(name, inner, stated, inherited)
        return
    (section, *_others) = sections_of(hint)
    yield f"# {(section.__doc__ or '').strip()}"
    yield f"[{name}]" if stated else f"# [{name}]"
    yield from _keys(section, stated, inherited)
    for key, field in fields_of(section).items():
        for below in sections_of(list_item(field.type) or str):
            yield from _described(f"[{name}.{key}]", below)


def _entries(
    name: str, inner: Any, stated: Mapping[str, Any], inherited: Mapping[str, Any]
) -> Iterator[str]:
    """A table of tables, such as the wagers: those that there are, and what each kind has."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in sections_of(inner)}
    for entry, values in stated.items():
        kind = kinds.get(str(values.get("settles")), sections_of(inner)[0])
        yield f"[{name}.{toml_key(entry)}]"
        yield from _keys(kind, values, values)
        yield ""
    for kind in sections_of(inner):
        yield from _described(f"{name}.<id>", kind)
    if not stated and inherited:
        yield f"# The extended game has {', '.join(inherited)}."


def _keys(
    section: type[msgspec.Struct], stated: Mapping[str, Any], inherited: Mapping[str, Any]
) -> Iterator[str]:
    tag_field = section.__struct_config__.tag_field
    if tag_field is not None and tag_field in stated:
        yield f"# {SETTLES}"
        yield f"{tag_field} = {toml(stated[tag_field])}"
    for key, field in fields_of(section).items():
        yield from _comment(field.type)
        if key in stated:
            yield f"{key} = {toml(stated[key])}"
        elif key in inherited:
            yield f"# {key} = {toml(inherited[key])}"
        elif field.default is None or field.required:
            yield f"# {key} ="
        else:
            default = field.default if field.default is not msgspec.NODEFAULT else {}
            yield f"# {key} = {toml(msgspec.to_builtins(default))}"


def _described(title: str, section: type[msgspec.Struct]) -> Iterator[str]:
    """What a table of a kind may have, in comments."""
    tag = section.__struct_config__.tag
    kind = f' with {section.__struct_config__.tag_field} = "{tag}"' if tag is not None else ""
    yield f"# [{title}]{kind}: {(section.__doc__ or '').strip().splitlines()[0]}"
    yield from _parts(section, "#   ", set())


def _parts(section: type[msgspec.Struct], margin: str, told: set[object]) -> Iterator[str]:
    """The keys of a table, and below them those of tables in it, each kind once."""
    told.add(section)
    for key, field in fields_of(section).items():
        needed = "" if field.required else " (may be left out)"
        yield f"{margin}{key}{needed}: {describe(field.type)}. {meaning_of(field.type)}"
        content = table_value(field.type) or list_item(field.type) or field.type
        for below in sections_of(content):
            if below not in told:
                yield from _parts(below, f"{margin}  ", told)


def _comment(hint: Any) -> Iterator[str]:
    yield f"# {meaning_of(hint)} {describe(hint)[:1].upper()}{describe(hint)[1:]}."


def _options(rules: RuleSet) -> Iterator[str]:
    """The switches of the game that was copied, as the new house's own."""
    if not rules.game.options:
        return
    yield "# What may be set with --set NAME=VALUE; a switch that the rules shall not have is taken"
    yield "# out here, and its value then needs a source."
    yield "[options]"
    for name, option in rules.data.get("options", {}).items():
        kept = {key: value for key, value in option.items() if key != "clauses"}
        yield f"{toml_key(name)} = {toml(kept)}"
