"""Options and readings: what may be set in a game, and what setting it changes."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from upcard.errors import Problem, UpcardError
from upcard.money import format_cents, parse_amount
from upcard.rules import paths
from upcard.rules.index import Option, Range, Reading
from upcard.rules.provenance import base_of, trace
from upcard.rules.schema import OPTION_KEYS, GameRules
from upcard.rules.section import Scalar
from upcard.rules.validate import fits_at, is_money_at
from upcard.text import as_text, cited, did_you_mean, listed

_CENTS = re.compile(r"[0-9]{1,15}")
LISTED_RANGE = 60
"""A range of whole numbers up to this long is shown number by number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option or a reading, with what each of its values sets."""

    name: str
    kind: Literal["option", "reading"]
    clauses: tuple[str, ...]
    sets: str | None
    allowed: tuple[Scalar, ...] | Range
    values: Mapping[str, Mapping[str, Any]]
    shared: frozenset[str] = frozenset()
    """Keys that another choice may set by itself: they do not tell which value is in force."""
    money: bool = False
    """Whether its values are amounts of money, which are cents here and dollars for people."""

    def keys_for(self, text: str) -> dict[str, Any] | None:
        """The keys that a value given as text sets, or None if it is not allowed."""
        if self.values:
            keys = self.values.get(text)
            return dict(keys) if keys is not None else None
        assert self.sets is not None
        if isinstance(self.allowed, Range):
            number = _number(text)
            if number is None or not self.allowed.from_ <= number <= self.allowed.to:
                return None
            if not _is_whole(self.allowed):
                return {self.sets: float(number)}
            return {self.sets: number} if isinstance(number, int) else None
        return next(({self.sets: value} for value in self.allowed if as_text(value) == text), None)

    def written(self, text: str) -> str:
        """An allowed value in the one form that records keep."""
        keys = self.keys_for(text) if isinstance(self.allowed, Range) and self.sets else None
        return as_text(keys[self.sets]) if keys and self.sets else text

    def current(self, data: Mapping[str, Any]) -> Scalar | None:
        """The value in force, or None if the keys hold none of the allowed values."""
        if self.values:
            for text, keys in self.values.items():
                own = (path for path in keys if path not in self.shared)
                if all(_plain(paths.get(data, path)) == _plain(keys[path]) for path in own):
                    return {"true": True, "false": False}.get(text, text)
            return None
        assert self.sets is not None
        value: Scalar = paths.get(data, self.sets)
        return value if self.keys_for(as_text(value)) is not None else None

    @property
    def is_wide(self) -> bool:
        """Whether the allowed values are a range too long to list."""
        return isinstance(self.allowed, Range) and not _listable(self.allowed)

    def allowed_values(self) -> list[Scalar]:
        """Every allowed value; of a wide range its two ends."""
        if isinstance(self.allowed, Range):
            low, high = self.allowed.from_, self.allowed.to
            if _listable(self.allowed):
                return list(range(int(low), int(high) + 1))
            return [low, high]
        return list(self.allowed)

    def allowed_text(self) -> str:
        if isinstance(self.allowed, Range):
            return f"{self.shown(self.allowed.from_)} to {self.shown(self.allowed.to)}"
        return listed(map(self.shown, self.allowed))

    def shown(self, value: Scalar) -> str:
        """A value as people read it; it may be the text of one, or of none."""
        return shown_setting(value, money=self.money)


def shown_setting(value: Scalar, *, money: bool) -> str:
    """
    >>> shown_setting("2500", money=True), shown_setting("2500", money=False)
    ('$25', '2500')
    """
    text = as_text(value)
    return format_cents(int(text)) if money and _CENTS.fullmatch(text) else text


def choices(game: GameRules) -> dict[str, Choice]:
    """Everything that can be set in a game, by name."""
    data = msgspec.to_builtins(game)
    found = {name: _option(name, option) for name, option in game.options.items()}
    found |= {name: _reading(name, reading) for name, reading in game.readings.items()}
    single = frozenset(choice.sets for choice in found.values() if choice.sets)
    return {
        name: replace(
            choice, shared=single, money=bool(choice.sets) and is_money_at(choice.sets or "", data)
        )
        for name, choice in found.items()
    }


def choice_problems(
    game: GameRules, data: Mapping[str, Any], defaults: Mapping[str, Any], file: str
) -> list[Problem]:
    """Options and readings that do not fit the file they stand in.

    `data` is the file with settings applied, `defaults` without.
    """
    problems = [
        Problem(file, f"readings.{name}", "an option has the same name")
        for name in sorted(game.options.keys() & game.readings.keys())
    ]
    problems += [
        Problem(file, f"fixed.{name}", "it is an option here: a game either fixes it or offers it")
        for name in sorted(game.fixed.keys() & (game.options.keys() | game.readings.keys()))
    ]
    for name, choice in choices(game).items():
        found = _misfit(choice, data, file)
        if found is None and name in game.readings:
            found = _misread(name, game.readings[name], choice.current(defaults), file)
        if found is not None:
            problems.append(found)
    return problems


def _misfit(choice: Choice, data: Mapping[str, Any], file: str) -> Problem | None:
    """What is wrong with a choice, as a switch of the keys of its game."""
    place = f"{choice.kind}s.{choice.name}"
    if bool(choice.sets) == bool(choice.values):
        return Problem(file, place, "give either `sets` or `values`")
    missing = [path for path in _targets(choice) if not _exists(data, path)]
    if missing:
        return Problem(file, place, f'it sets "{missing[0]}", which the game lacks')
    if not choice.allowed_values() or _is_reversed(choice.allowed):
        return Problem(file, place, "it allows no value at all")
    wrong = _not_in_vocabulary(choice, data)
    if wrong:
        path, value = wrong
        return Problem(file, place, f"it allows {as_text(value)}, which {path} cannot be")
    if choice.current(data) is None:
        path = choice.sets or next(iter(_targets(choice)))
        value = choice.shown(paths.get(data, path))
        message = f"{value} is not allowed: {choice.name} may be {choice.allowed_text()}"
        return Problem(file, path, message, choice.clauses)
    return None


def _misread(name: str, reading: Reading, value: Scalar | None, file: str) -> Problem | None:
    """What is wrong with a reading's answers; `value` is the answer in the file."""
    place = f"readings.{name}"
    if reading.values and reading.values.keys() != reading.answers.keys():
        return Problem(file, place, "`answers` and `values` name different answers")
    if reading.default not in reading.answers:
        return Problem(file, f"{place}.default", "not one of the answers")
    if reading.default != as_text(value):
        message = f"the value in the file is the answer {as_text(value)}"
        return Problem(file, f"{place}.default", message, reading.clauses)
    return None


def _not_in_vocabulary(choice: Choice, data: Mapping[str, Any]) -> tuple[str, Any] | None:
    """A key and a value of a choice that the vocabulary does not allow there."""
    for value in choice.allowed_values():
        for path, setting in (choice.keys_for(as_text(value)) or {}).items():
            if not fits_at(setting, path, data):
                return path, setting
    return None


def _is_reversed(allowed: tuple[Scalar, ...] | Range) -> bool:
    return isinstance(allowed, Range) and allowed.from_ > allowed.to


def parse_settings(texts: Iterable[str]) -> dict[str, str]:
    """
    >>> parse_settings(["decks=8", "soft17=hit"])
    {'decks': '8', 'soft17': 'hit'}
    """
    settings: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UpcardError(f'"{text}" is not a setting: write it as name=value, e.g. decks=8')
        if settings.get(name, value) != value:
            raise UpcardError(f"{name} is set twice, to {settings[name]} and to {value}")
        settings[name] = value
    return settings


def settings_in_cents(game: GameRules, settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as people type them, in the form that games take: amounts of money in cents."""
    known = choices(game)
    found = dict(settings)
    for name, text in settings.items():
        if name in known and known[name].money:
            try:
                found[name] = str(parse_amount(text))
            except UpcardError as error:
                raise UpcardError(f"{name}: {error}") from None
    return found


def apply_settings(
    game: GameRules, data: Mapping[str, Any], settings: Mapping[str, str]
) -> paths.Data:
    """The game file with the settings in place of its values."""
    known = choices(game)
    # A setting that turns several keys gives way to one that names a key of them by itself.
    in_turn = sorted(settings, key=lambda name: name not in known or not known[name].values)
    changed = copy.deepcopy(dict(data))
    for name in in_turn:
        choice = known.get(name)
        if choice is None:
            raise UpcardError(_why_not_settable(game, data, name))
        keys = choice.keys_for(settings[name])
        if keys is None:
            raise UpcardError(
                f"{game.name} does not allow {name}={choice.shown(settings[name])}: "
                f"{name} may be {choice.allowed_text()}{cited(_clauses_behind(game, choice))}"
            )
        for path, value in keys.items():
            paths.put(changed, path, value)
    return changed


def _clauses_behind(game: GameRules, choice: Choice) -> tuple[str, ...]:
    """The clauses that grant a choice, or else those that speak of its key or a point of it."""
    told = (
        name
        for name, clause in game.clauses.items()
        if any(base_of(target) == choice.sets for target in clause.sets)
    )
    return choice.clauses or tuple(told)


def written_settings(game: GameRules, settings: Mapping[str, str]) -> dict[str, str]:
    """Settings that a game allows, each in the one form that records keep: `.75` is `0.75`."""
    known = choices(game)
    return {name: known[name].written(text) for name, text in settings.items()}


def _why_not_settable(game: GameRules, data: Mapping[str, Any], name: str) -> str:
    path, fixed = OPTION_KEYS.get(name), game.fixed.get(name, ())
    if path is None and not fixed:
        names = choices(game)
        return (
            f'{game.name} has no option or reading "{name}"{did_you_mean(name, names)} '
            f"(it has {listed(sorted(names), 'and')})"
        )
    if path is None:
        return f"{game.name} does not let {name} be set: its rules fix it{cited(fixed)}"
    if not fixed and not _exists(data, path):
        return f"{game.name} has no {name}: the game does not have that feature"
    origin = trace(game, {path: None}).get(path)
    if origin and origin.name:
        return (
            f"{game.name} does not let {name} be set by itself: "
            f"the {origin.kind} {origin.name} decides it{cited(fixed or origin.clauses)}"
        )
    why = cited(fixed)
    if origin and not fixed:
        why = f" ({origin.reason})" if origin.reason else cited(origin.clauses)
    state = as_text(paths.get(data, path)) if _exists(data, path) else "none"
    return f"{game.name} does not let {name} be set: its rules fix it at {state}{why}"


def _option(name: str, option: Option) -> Choice:
    allowed = option.allowed if option.allowed is not None else tuple(map(_untext, option.values))
    return Choice(name, "option", option.clauses, option.sets, allowed, option.values)


def _reading(name: str, reading: Reading) -> Choice:
    answers = tuple(map(_untext, reading.answers))
    return Choice(name, "reading", reading.clauses, reading.sets, answers, reading.values)


def _untext(text: str) -> Scalar:
    return {"true": True, "false": False}.get(text, text)


def _targets(choice: Choice) -> Iterator[str]:
    if choice.sets:
        yield choice.sets
    for keys in choice.values.values():
        yield from keys


def _exists(data: Mapping[str, Any], path: str) -> bool:
    try:
        paths.get(data, path)
    except (KeyError, TypeError):
        return False
    return True


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _listable(allowed: Range) -> bool:
    return _is_whole(allowed) and allowed.to - allowed.from_ < LISTED_RANGE


def _is_whole(allowed: Range) -> bool:
    return isinstance(allowed.from_, int) and isinstance(allowed.to, int)


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None
