"""No value of a game file is read and then ignored.

Every value of every game is changed to something else; the compiled tables (without the words
about them) must change too. Some values show only under an option, so options are tried as well.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from msgspec import inspect

from conftest import compiled
from upcard import GAME_IDS, GameTables, compile_game, load_game
from upcard.errors import UpcardError
from upcard.rules import paths
from upcard.rules.index import StepKind
from upcard.rules.load import RuleSet, assemble
from upcard.rules.schema import Game
from upcard.rules.settings import choices
from upcard.rules.validate import hint_at
from upcard.rules.wagers import HandWager
from upcard.text import as_text

WORDS = ("rulebook", "settings", "fingerprint", "reasons")


def digest(tables: GameTables) -> str:
    """Everything in the tables that decides something."""
    return hashlib.sha256("".join(_parts(tables)).encode()).hexdigest()


def _parts(value: object) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield f"{value.shape}{value.tobytes().hex()}"
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name not in WORDS:
                yield field.name
                yield from _parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _parts(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _parts(item)
    else:
        yield repr(value)


def others(value: Any, type_: inspect.Type) -> Iterator[Any]:
    """Other values of the same type."""
    match type_:
        case inspect.Metadata(type=inner):
            yield from others(value, inner)
        case inspect.LiteralType(values=values):
            yield from (other for other in values if other != value)
        case inspect.BoolType():
            yield not value
        case inspect.IntType() | inspect.FloatType():
            yield from (value + 1, value - 1, value / 2)
        case inspect.StrType():
            yield from ("7:5", "1/3", "none", f"{value}, changed")
        case inspect.VarTupleType() | inspect.TupleType():
            yield from (value[:-1], [*value[1:], *value[:1]], ["9h"], ["2"], [5], ["name"])
            if value and isinstance(value[0], list):
                yield [[event, figure + 1] for event, figure in value]
            yield [number + 1 for number in value if isinstance(number, int)]
        case inspect.UnionType(types=types):
            for member in types:
                yield from others(value, member)
        case inspect.NoneType():
            pass
        case other:
            raise AssertionError(other)


def type_at(path: str, data: Mapping[str, Any]) -> inspect.Type | None:
    """The declared type of a value; None for the tag of a wager."""
    return None if path.endswith(".settles") else inspect.type_info(hint_at(path, data))


def unbound(rules: RuleSet) -> dict[str, Any]:
    """A copy of the game in which nothing is an option or a reading, so any value will do."""
    data = copy.deepcopy(dict(rules.data)) | {"options": {}, "readings": {}}
    data["assumed"] = {table: "changed in a test" for table, _ in data.items()}
    return data


def changed_tables(rules: RuleSet, path: str, value: Any) -> GameTables | None:
    """The game compiled with one value changed, contradictions or not; None if it cannot be."""
    data = unbound(rules)
    paths.put(data, path, value)
    try:
        game = msgspec.convert(data, Game)
        # No other fee book is at hand: one that is not the game's own counts as none.
        book = None if path == "fees.book" else rules.fee_book
        return compile_game(dataclasses.replace(rules, game=game, data=data, fee_book=book))
    except (msgspec.ValidationError, UpcardError, KeyError, IndexError, StopIteration, ValueError):
        return None


@cache
def variants(game_id: str) -> tuple[tuple[RuleSet, str], ...]:
    """The game as it is, and with each option at each of its other values; with digests."""
    return tuple((rules, digest(compile_game(rules))) for rules in _variants(game_id))


def _variants(game_id: str) -> Iterator[RuleSet]:
    base = load_game(game_id)
    yield base
    for name, choice in choices(base.game).items():
        for value in choice.allowed_values():
            few = len(choice.allowed_values()) < 10
            if choice.kind == "option" and few and value != choice.current(base.data):
                try:
                    yield load_game(game_id, {name: as_text(value)})
                except UpcardError:
                    continue


def has_one_value(type_: inspect.Type) -> bool:
    """Such a key says that a feature is there; the tests by clause see that it is."""
    match type_:
        case inspect.Metadata(type=inner):
            return has_one_value(inner)
        case inspect.LiteralType(values=values):
            return len(values) == 1
        case inspect.IntType(ge=least, le=most):
            return least is not None and least == most
        case _:
            return False


def has_effect(game_id: str, path: str) -> bool:
    for rules, before in variants(game_id):
        type_ = type_at(path, rules.data)
        if type_ is None:
            data = unbound(rules)
            wager_id = paths.split(path, data)[1]
            removed = data["wagers"].pop(wager_id)
            game = msgspec.convert(data, Game)
            if removed["settles"] == "hand":
                return isinstance(rules.game.wagers[wager_id], HandWager)
            return digest(compile_game(dataclasses.replace(rules, game=game, data=data))) != before
        if has_one_value(type_):
            return True
        for value in others(paths.get(rules.data, path), type_):
            after = changed_tables(rules, path, value)
            if after is not None and digest(after) != before:
                return True
    return False


INHERITED = {"ten-sticks-21": "blackjack", "blackjack-tie": "blackjack"}


def own_values(game_id: str) -> list[str]:
    """The values of a game that are not tested with the game it extends."""
    values = load_game(game_id).values
    parent = load_game(INHERITED[game_id]).values if game_id in INHERITED else {}
    return [path for path, value in values.items() if parent.get(path) != value]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_value_changes_the_tables(game_id: str) -> None:
    idle = [path for path in own_values(game_id) if not has_effect(game_id, path)]
    assert idle == []


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_no_play_money_or_option_clause_is_without_effect(game_id: str) -> None:
    rules = assemble(game_id, {})
    steps = {f"step:{kind}" for kind in compiled(game_id).round_plan.kinds}
    for clause_id, clause in rules.game.clauses.items():
        kinds = (clause.kind,) if isinstance(clause.kind, str) else clause.kind
        if set(kinds) & {"play", "money", "option"}:
            effects = [
                target
                for target in clause.sets
                if target in steps
                or target == "extends"
                or any(paths.covers(target, path) for path in rules.values)
            ]
            assert effects == list(clause.sets) != [], clause_id


def test_every_step_that_clauses_may_name_is_a_step_of_some_game() -> None:
    kinds = {kind for game_id in GAME_IDS for kind in compiled(game_id).round_plan.kinds}
    early = compiled("blackjack", surrender="early").round_plan.kinds
    assert kinds | set(early) == set(get_args(StepKind))
