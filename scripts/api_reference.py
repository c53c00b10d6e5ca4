"""Prints docs/api.md: everything public, from the docstrings.

Public is what `upcard.__all__` names, and every class of ours that these functions and the methods
of these classes give back.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from importlib import import_module
from typing import Any

import upcard

TITLE = """# API reference

Written by `make docs` from the docstrings. [library.md](library.md) is the tour; here is
everything in `upcard`, and the objects that it gives back. Amounts of money are cents; where a text
is taken, `"$25"` is dollars. Whatever is refused raises `UpcardError` with one sentence.

Names in signatures:

- `CardsLike`: a text (`"8s 8h"`, `"10♠6♦"`), a `Card`, or several of either.
- `Cents`: a whole number of cents, or a text; `SupportsIndex`: any whole number, numpy's too.
- `Sizes`: side wagers by id in base wagers, each a number, a fraction or a text such as `"1/2"`.
- `Mode`: `"CDP"`, `"CDP+"` or `"CDZ-"` ([odds.md](odds.md)).
- `Printer`: a rich console, or a `Page`.
"""
DEFERRED = {
    "Advice": "upcard.solve.advice",
    "BoxHand": "upcard.library.box_play",
    "Chart": "upcard.solve.chart",
    "Deviations": "upcard.solve.deviations",
    "ExchangeRule": "upcard.solve.exchange_points",
    "Game": "upcard.library.games",
    "Mode": "upcard.solve.split",
    "Odds": "upcard.solve.odds",
    "Readings": "upcard.solve.readings",
    "Result": "upcard.trial.trials",
    "RoundEnv": "upcard.envs.single",
}
"""Names that annotations use and their modules import only for type checkers."""

RESULTS = (
    "upcard.library",
    "upcard.sheet",
    "upcard.simulate.figures",
    "upcard.simulate.run.Outcome",
    "upcard.solve.advice",
    "upcard.solve.bonuses",
    "upcard.solve.chart",
    "upcard.solve.deviations",
    "upcard.solve.lights",
    "upcard.solve.odds",
    "upcard.solve.readings",
    "upcard.solve.result",
    "upcard.trial.trials",
)
"""Where results come from, all of whose parts are public too."""

GROUPS = {
    "The game, its hands and its tables": ("upcard.library",),
    "Cards and actions": ("upcard.cards", "upcard.compile.context", "upcard.compile.legal"),
    "Results": (*RESULTS, "upcard.solve", "upcard.pages"),
    "Learning": ("upcard.envs",),
    "Compiled games": ("upcard.compile", "upcard.rules", "upcard.fees"),
    "What goes wrong": ("upcard.errors",),
    "Events": ("upcard.table.events",),
    "The engine of the live table": ("upcard.table",),
}
"""The parts of the page, and the modules whose names stand in them; the first that fits counts."""
LONGEST_DEFAULT = 40

Public = dict[str, type | types.FunctionType]


def public() -> Public:
    """Everything public by name: first what `upcard` names, then what that gives back."""
    named: Public = {}
    for name in upcard.__all__:
        found = getattr(upcard, name)
        if isinstance(found, type | types.FunctionType):
            named[name] = found
    classes = [found for found in named.values() if isinstance(found, type)]
    asked: list[Any] = [found for found in named.values() if not isinstance(found, type)]
    asked += [member for one in classes for _, member in members(one)]
    given = list(dict.fromkeys(cls for member in asked for cls in returned(member)))
    for cls in given:  # grows on the way: results hold other results
        if is_result(cls):
            inside = [found for _, member in members(cls) for found in returned(member)]
            parts = (found for found in (*inside, *held(cls)) if is_result(found))
            given += [found for found in dict.fromkeys(parts) if found not in given]
    for cls in (*classes, *given):
        bases = (base for base in cls.__mro__[1:] if is_ours(base) and [*members(base)])
        given += [base for base in bases if base not in given]
    rest = sorted((cls for cls in given if cls not in classes), key=lambda cls: cls.__name__)
    names = [cls.__name__ for cls in (*classes, *rest)]
    for cls in rest:
        twice = names.count(cls.__name__) > 1
        named[f"{cls.__name__} ({cls.__module__})" if twice else cls.__name__] = cls
    return named


def is_ours(cls: Any) -> bool:
    """Whether a class is one of this project's, and not hidden."""
    ours = isinstance(cls, type) and cls.__module__.partition(".")[0] == "upcard"
    return ours and not cls.__name__.startswith("_")


def is_result(cls: type) -> bool:
    """Whether a class is a result or a part of one."""
    return f"{cls.__module__}.{cls.__name__}".startswith(RESULTS)


def held(cls: type) -> Iterator[type]:
    """The classes of ours in the fields of a result."""
    if dataclasses.is_dataclass(cls) or hasattr(cls, "_fields"):
        for annotation in cls.__annotations__.values():
            text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
            yield from filter(is_ours, leaves(evaluated(text, vars(sys.modules[cls.__module__]))))


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class itself defines."""
    for name, member in vars(cls).items():
        if name.startswith("_") or (issubclass(cls, Enum) and isinstance(member, cls)):
            continue
        if isinstance(member, types.FunctionType | classmethod | property | cached_property):
            yield name, member


def function_of(member: Any) -> Any:
    """The function behind a method or a property."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return getattr(member, "__func__", member)


def returned(member: Any) -> Iterator[type]:
    """The classes of ours in what a function gives back."""
    function = function_of(member)
    answer = function.__annotations__.get("return", "None")
    yield from filter(is_ours, leaves(evaluated(answer, function.__globals__)))


def evaluated(annotation: str, names: dict[str, Any]) -> Any:
    """The types that the text of an annotation means in a module."""
    deferred = {name: getattr(import_module(home), name) for name, home in DEFERRED.items()}
    try:
        return eval(annotation, {**vars(typing), **deferred, **names})
    except NameError as error:
        raise SystemExit(f"{annotation}: {error}: add it to DEFERRED") from None


def leaves(annotation: Any) -> Iterator[Any]:
    """The plain types that an annotation is made of."""
    parts = typing.get_args(annotation)
    if not parts:
        yield annotation
    for part in parts:
        yield from leaves(part)


# ------------------------------------------------------------------------------------ the page


def page() -> str:
    """The whole page."""
    parts: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name, found in public().items():
        parts[group_of(found)].append(entry(name, found))
    text = [TITLE, f"`upcard.GAME_IDS` has the ids of the games: {', '.join(upcard.GAME_IDS)}.", ""]
    for group, entries in parts.items():
        text += [f"## {group}", "", *entries]
    return "\n".join(text)


def group_of(found: Any) -> str:
    """The part of the page that a class or a function stands in."""
    home = f"{found.__module__}.{found.__name__}"
    return next(group for group, modules in GROUPS.items() if home.startswith(modules))


def entry(name: str, found: Any) -> str:
    """One class or function."""
    if not isinstance(found, type):
        return f"### {name}\n\n`upcard.{name}{signature(found)}`\n\n{prose(found)}\n"
    home = "upcard" if name in upcard.__all__ else found.__module__
    lines = [f"### {name}", "", heading(found, home), "", prose(found), ""]
    listed = [*fields(found)]
    if listed:
        lines += [f"Fields: {', '.join(listed)}.", ""]
    for own, member in members(found):
        words = prose(function_of(member)).replace("\n", "\n  ")
        is_value = isinstance(member, property | cached_property)
        shown = own if is_value else f"{own}{signature(function_of(member))}"
        answer = function_of(member).__annotations__.get("return", "")
        given = f" → `{plain(answer)}`" if is_value else ""
        lines.append(f"- `{shown}`{given}  \n  {words}")
    return "\n".join(lines).rstrip() + "\n"


def heading(cls: type, home: str) -> str:
    bases = [f"`{base.__name__}`" for base in cls.__bases__ if is_ours(base)]
    kind = f", a {' and '.join(bases)}" if bases else ""
    return f"`{home}.{cls.__name__}`{kind}"


def fields(cls: type) -> Iterator[str]:
    """What the objects of a class hold."""
    if dataclasses.is_dataclass(cls):
        for field in dataclasses.fields(cls):
            yield f"`{field.name}: {plain(field.type)}`"
    elif issubclass(cls, Enum):
        yield from (f"`{one.name}`" for one in cls)
    else:
        own = cls.__annotations__ if hasattr(cls, "__struct_fields__") else {}
        own = own or (cls.__annotations__ if hasattr(cls, "_fields") else {})
        for name, annotation in own.items():
            yield f"`{name}: {plain(annotation)}`"


def signature(function: Any) -> str:
    """The parameters and what comes back, without `self`."""
    parts: list[str] = []
    kinds = inspect.Parameter
    starred = False
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "cls"):
            continue
        mark = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind is kinds.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        default = "" if parameter.default is kinds.empty else f" = {default_of(parameter.default)}"
        parts.append(f"{mark}{name}: {plain(parameter.annotation)}{default}")
        if parameter.kind is kinds.POSITIONAL_ONLY:
            parts.append("/")
    answer = function.__annotations__.get("return", "None")
    return f"({', '.join(parts)}) -> {plain(answer)}"


def plain(annotation: Any) -> str:
    """An annotation as it is written."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return re.sub(r"npt\.|typing\.", "", text or str(annotation))


def default_of(value: Any) -> str:
    """A default as it is written, if that is short."""
    if isinstance(value, types.FunctionType | type):
        return value.__name__
    return repr(value) if len(repr(value)) <= LONGEST_DEFAULT else "..."


def prose(found: Any) -> str:
    """A docstring; examples that need nothing but `import upcard` are kept."""
    text = inspect.cleandoc(found.__doc__ or "")
    words, sign, example = text.partition(">>>")
    kept = words.strip()
    if sign and example.lstrip().startswith("import upcard"):
        kept += f"\n\n```python\n>>>{example.rstrip()}\n\n```"
    return kept


if __name__ == "__main__":
    sys.stdout.write(page())
