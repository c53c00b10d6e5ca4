"""Options and readings: what may be set in a game, and what setting it changes."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from upcard.errors import UpcardError
from upcard.money import format_cents, parse_amount
from upcard.rules import paths
from upcard.rules.index import Option, Range, Reading
from upcard.rules.provenance import base_of, trace
from upcard.rules.schema import OPTION_KEYS, GameRules
from upcard.rules.section import Scalar
from upcard.rules.validate import is_money_at
from upcard.text import as_text, cited, did_you_mean, listed

_CENTS = re.compile(r"[0-9]{1,15}")
LISTED_RANGE = 60
"""A range of whole numbers up to this long is shown number by number."""


class RefusedSettingsError(UpcardError):
    """Settings that a game does not have or not so, a sentence on each."""

    def __init__(self, refused: Iterable[str]) -> None:
        self._sentences = tuple(refused)
        super().__init__("\n".join(self._sentences))

    @property
    def sentences(self) -> tuple[str, ...]:
        return self._sentences


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
            return dict(self.values[text]) if text in self._open_values() else None
        assert self.sets is not None
        if isinstance(self.allowed, Range):
            number = _number(text)
            if number is None or not self.allowed.from_ <= number <= self.allowed.to:
                return None
            if not _is_whole(self.allowed):
                return {self.sets: float(number)}
            return {self.sets: number} if isinstance(number, int) else None
        return next(({self.sets: value} for value in self.allowed if as_text(value) == text), None)

    def _open_values(self) -> list[str]:
        """Of `values`, those that are allowed."""
        allowed = [] if isinstance(self.allowed, Range) else list(map(as_text, self.allowed))
        return [text for text in self.values if text in allowed]

    def targets(self) -> Iterator[str]:
        """Every key that it sets."""
        if self.sets:
            yield self.sets
        for keys in self.values.values():
            yield from keys

    def written(self, text: str) -> str:
        """An allowed value in the one form that records keep."""
        keys = self.keys_for(text) if isinstance(self.allowed, Range) and self.sets else None
        return as_text(keys[self.sets]) if keys and self.sets else text

    def current(self, data: Mapping[str, Any]) -> Scalar | None:
        """The value in force, or None if the keys hold none of the allowed values."""
        if self.values:
            for text in self._open_values():
                keys = self.values[text]
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
    refused = []
    for name in in_turn:
        choice = known.get(name)
        keys = choice.keys_for(settings[name]) if choice else None
        if choice is None:
            refused.append(_why_not_settable(game, data, name))
        elif keys is None:
            refused.append(
                f"{game.name} does not allow {name}={choice.shown(settings[name])}: "
                f"{name} may be {choice.allowed_text()}{cited(_clauses_behind(game, choice))}"
            )
        for path, value in (keys or {}).items():
            paths.put(changed, path, value)
    if refused:
        raise RefusedSettingsError(refused) if len(refused) > 1 else UpcardError(*refused)
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
    if not fixed and not paths.exists(data, path):
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
    state = as_text(paths.get(data, path)) if paths.exists(data, path) else "none"
    return f"{game.name} does not let {name} be set: its rules fix it at {state}{why}"


def _option(name: str, option: Option) -> Choice:
    allowed = option.allowed if option.allowed is not None else tuple(map(_untext, option.values))
    if option.values and isinstance(allowed, Range):
        allowed = tuple(map(_untext, option.values))
    return Choice(name, "option", option.clauses, option.sets, allowed, option.values)


def _reading(name: str, reading: Reading) -> Choice:
    answers = tuple(map(_untext, reading.allowed or reading.answers))
    return Choice(name, "reading", reading.clauses, reading.sets, answers, reading.values)


def _untext(text: str) -> Scalar:
    return {"true": True, "false": False}.get(text, text)


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
