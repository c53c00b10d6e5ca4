"""Options and readings that do not fit the file they stand in, each with the line that would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from upcard.errors import Problem
from upcard.rules import paths
from upcard.rules.index import Range, Reading
from upcard.rules.schema import GameRules
from upcard.rules.section import Scalar
from upcard.rules.settings import Choice, choices
from upcard.rules.validate import fits_at, hint_at
from upcard.rules.written import toml, toml_key
from upcard.shape import describe
from upcard.text import as_text, listed


def choice_problems(
    game: GameRules, data: Mapping[str, Any], defaults: Mapping[str, Any], file: str
) -> list[Problem]:
    """Everything that is wrong with the options and readings of a game.

    `data` is the file with settings applied, `defaults` without.
    """
    problems = [
        Problem(file, f"readings.{name}", "an option has the same name")
        for name in sorted(game.options.keys() & game.readings.keys())
    ]
    problems += [
        Problem(
            file,
            f"fixed.{name}",
            "it is an option here: a game either fixes it or offers it, so leave one of them out",
        )
        for name in sorted(game.fixed.keys() & (game.options.keys() | game.readings.keys()))
    ]
    for name, choice in choices(game).items():
        found = list(_misfits(choice, data, file))
        if not found and name in game.readings:
            found = list(_misread(name, game.readings[name], choice, defaults, file))
        problems += found
    return problems


def _misfits(choice: Choice, data: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """What is wrong with a choice, as a switch of the keys of its game."""
    place = f"{choice.kind}s.{choice.name}"
    if bool(choice.sets) == bool(choice.values):
        yield Problem(file, place, "give either `sets` or `values`")
        return
    missing = [path for path in dict.fromkeys(choice.targets()) if not paths.exists(data, path)]
    for path in missing:
        yield Problem(file, place, f'it sets "{path}", which the game lacks')
    if missing:
        return
    if not choice.allowed_values() or _is_reversed(choice.allowed):
        yield Problem(file, place, "it allows no value at all")
        return
    wrong = list(_not_allowed_there(choice, data))
    for message in wrong:
        yield Problem(file, place, message)
    if not wrong and choice.current(data) is None:
        path = choice.sets or next(iter(choice.targets()))
        value = paths.get(data, path)
        message = (
            f"{choice.shown(value)} is not allowed: {choice.name} may be {choice.allowed_text()}; "
            f"{_widened(choice, value)}"
        )
        yield Problem(file, path, message, choice.clauses)


def _not_allowed_there(choice: Choice, data: Mapping[str, Any]) -> Iterator[str]:
    """Values of a choice that mean nothing, or that the vocabulary does not allow."""
    for value in choice.allowed_values():
        text = as_text(value)
        if choice.values and text not in choice.values:
            known = listed(choice.values)
            yield f"it allows {text}, and `values` does not say what that sets: it has {known}"
        for path, setting in (choice.keys_for(text) or {}).items():
            if not fits_at(setting, path, data):
                may_be = describe(hint_at(path, data))
                yield f"it allows {as_text(setting)}, which {path} cannot be: {may_be}"


def _widened(choice: Choice, value: Any) -> str:
    """The line of a file by which a value is allowed."""
    name = toml_key(choice.name)
    if choice.values:
        keys = {
            text: ", ".join(f"{path} = {toml(setting)}" for path, setting in keys.items())
            for text, keys in choice.values.items()
        }
        return "it is " + listed(f"{text} with {set_}" for text, set_ in keys.items())
    if choice.kind == "reading":
        answer = (
            f'answers = {{ {toml_key(as_text(value))} = "..." }}, default = {toml(as_text(value))}'
        )
        return f"to have it as an answer write [readings.{name}] {answer}"
    if isinstance(choice.allowed, Range):
        low, high = choice.allowed.from_, choice.allowed.to
        ends = {"from": min(low, value), "to": max(high, value)}
        allowed = toml(ends) if isinstance(value, int | float) else toml([value])
    else:
        allowed = toml([*choice.allowed, value])
    return f"to allow it here write [options] {name} = {{ allowed = {allowed} }}"


def _misread(
    name: str, reading: Reading, choice: Choice, defaults: Mapping[str, Any], file: str
) -> Iterator[Problem]:
    """What is wrong with a reading's answers."""
    place, key = f"readings.{name}", toml_key(name)
    if reading.values and reading.values.keys() != reading.answers.keys():
        yield Problem(file, place, "`answers` and `values` name different answers")
    for answer in reading.allowed:
        if answer not in reading.answers:
            yield Problem(file, f"{place}.allowed", f"{answer} is not one of the answers")
    decided = as_text(_present(choice.current(defaults)))
    if reading.default not in reading.answers:
        words = f"not one of the answers, which are {listed(reading.answers, 'and')}"
        yield Problem(file, f"{place}.default", words)
    elif reading.default != decided:
        keys = choice.keys_for(reading.default) or {}
        other = ", ".join(f"{path} = {toml(value)}" for path, value in keys.items())
        words = (
            f"the value in the file is the answer {decided}: write [readings.{key}] "
            f"default = {toml(decided)}"
        )
        if other:
            words += f", or {other} for the answer {reading.default}"
        yield Problem(file, f"{place}.default", words, reading.clauses)


def _present(value: Scalar | None) -> Scalar:
    assert value is not None, "only a choice without a misfit is looked at"
    return value


def _is_reversed(allowed: tuple[Scalar, ...] | Range) -> bool:
    return isinstance(allowed, Range) and allowed.from_ > allowed.to
