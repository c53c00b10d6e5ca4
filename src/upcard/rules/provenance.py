"""Where every value of a game file comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from upcard.errors import Problem
from upcard.rules import paths
from upcard.rules.index import StepKind
from upcard.rules.schema import GameRules
from upcard.text import did_you_mean

Kind = Literal["ruled", "option", "reading", "assumed"]

STEP = "step:"
"""Prefix of a procedure of the round in a clause's `sets`."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a value is what it is.

    `name` is the option or reading that sets it, `reason` the words of an assumption.
    """

    kind: Kind
    clauses: tuple[str, ...] = ()
    name: str = ""
    reason: str = ""


def trace(game: GameRules, values: Mapping[str, Any]) -> dict[str, Provenance]:
    """The provenance of every value; a value without one is left out (`check` reports it)."""
    chosen = dict(_choices(game))
    traced: dict[str, Provenance] = {}
    for path in values:
        clauses = tuple(
            clause_id
            for clause_id, clause in game.clauses.items()
            if any(paths.covers(target, path) for target in clause.sets)
        )
        if path in chosen:
            found = chosen[path]
            cited = tuple(dict.fromkeys((*found.clauses, *clauses)))
            traced[path] = Provenance(found.kind, cited, found.name)
        elif clauses:
            traced[path] = Provenance("ruled", clauses)
        elif assumption := _assumption(game, path):
            traced[path] = Provenance("assumed", reason=assumption)
    return traced


def coverage_problems(
    game: GameRules,
    values: Mapping[str, Any],
    changed: Collection[str],
    lineage: Mapping[str, str],
    file: str,
) -> list[Problem]:
    """Values covered by nothing or by two kinds, and index entries that point at nothing.

    `changed` are the values in which a file differs from the game that it extends, and `lineage`
    says in which game each clause stands: what a file changes, its own clauses must cover.
    """
    traced = trace(game, values)
    problems = [
        Problem(
            file,
            path,
            "no provenance: let a clause set it, make it an option or a reading, "
            "or give the reason under [assumed]",
        )
        for path in values
        if path not in traced
    ]
    problems += [
        Problem(file, path, f"both assumed and set by {origin.kind}", origin.clauses)
        for path, origin in traced.items()
        if origin.kind != "assumed" and path in game.assumed
    ]
    problems += [
        Problem(
            file,
            path,
            "changed here, and only clauses of the extended game speak of it: "
            "let a clause of this file set it",
            traced[path].clauses,
        )
        for path in changed
        if path in traced
        and traced[path].kind == "ruled"
        and not any(lineage[clause] == game.id for clause in traced[path].clauses)
    ]
    problems += [
        Problem(file, f"clauses.{name}.sets", "a clause that sets nothing has no effect")
        for name, clause in game.clauses.items()
        if not clause.sets
    ]
    targets = {
        **{f"clauses.{name}.sets": clause.sets for name, clause in game.clauses.items()},
        **{f"assumed.{path}": (path,) for path in game.assumed},
    }
    steps = [f"{STEP}{kind}" for kind in get_args(StepKind)]
    known = [*values, "extends", "also_known_as", "name", *steps]
    for place, entries in targets.items():
        for target in entries:
            if not any(paths.covers(target, path) for path in known):
                problems.append(
                    Problem(
                        file,
                        place,
                        f'no value "{target}" in this game{did_you_mean(target, known)}',
                    )
                )
    for place, clauses in _citations(game):
        problems += [
            Problem(file, place, f'unknown clause "{clause}"{did_you_mean(clause, game.clauses)}')
            for clause in clauses
            if clause not in game.clauses
        ]
    return problems


def _choices(game: GameRules) -> Iterator[tuple[str, Provenance]]:
    for name, option in game.options.items():
        targets = {path for keys in option.values.values() for path in keys}
        for path in targets | ({option.sets} if option.sets else set()):
            yield path, Provenance("option", option.clauses, name)
    for name, reading in game.readings.items():
        targets = {path for keys in reading.values.values() for path in keys}
        for path in targets | ({reading.sets} if reading.sets else set()):
            yield path, Provenance("reading", reading.clauses, name)


def _assumption(game: GameRules, path: str) -> str | None:
    fitting = [prefix for prefix in game.assumed if paths.covers(prefix, path)]
    return game.assumed[max(fitting, key=len)] if fitting else None


def _citations(game: GameRules) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, option in game.options.items():
        yield f"options.{name}.clauses", option.clauses
    for name, reading in game.readings.items():
        yield f"readings.{name}.clauses", reading.clauses
    for name, clauses in game.fixed.items():
        yield f"fixed.{name}", clauses
    for number, rule in enumerate(game.forbids, 1):
        yield f"forbids #{number}.clauses", rule.clauses
