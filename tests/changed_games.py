"""Games with values changed, as if somebody had written a file of their own."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from upcard import load_game
from upcard.rules import paths
from upcard.rules.check import rule_problems
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules


@cache
def _loaded(game_id: str, settings: tuple[tuple[str, str], ...]) -> RuleSet:
    return load_game(game_id, dict(settings))


def changed_rules(
    game_id: str, changes: Mapping[str, Any], settings: Mapping[str, str] | None = None
) -> RuleSet:
    """A game with other values, all of them assumed; clauses, options and readings say nothing.

    Raises `msgspec.ValidationError` for a value that the vocabulary does not have.
    """
    rules = _loaded(game_id, tuple((settings or {}).items()))
    data = copy.deepcopy(dict(rules.data))
    for name in ("clauses", "options", "readings", "fixed", "forbids", "extends"):
        data.pop(name, None)
    data["clauses"] = {}
    for path, value in changes.items():
        paths.put(data, path, value)
    sections = {path.partition(".")[0] for path in paths.rule_values(data)}
    data["assumed"] = dict.fromkeys(sorted(sections), "changed in a test")
    # Another fee book is not at hand.
    other_book = "fees.book" in changes
    return dataclasses.replace(
        rules,
        fee_book=None if other_book else rules.fee_book,
        fee_problem="there is no such fee book" if other_book else rules.fee_problem,
        game=msgspec.convert(data, GameRules),
        data=data,
        defaults=data,
        changed=frozenset(),
        lineage={},
    )


def problems(rules: RuleSet) -> list[str]:
    """What `check` says of a game."""
    return [str(problem) for problem in rule_problems(rules)]
