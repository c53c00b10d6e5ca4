"""From clause to code: where each clause is set, and which tests name it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables

_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)


class ClauseTrace(NamedTuple):
    """A clause, what it sets, and the tests that name it."""

    id: str
    summary: str
    sets: tuple[str, ...]
    tests: tuple[str, ...]


def folder_of_tests() -> Path | None:
    """The tests of the checkout this package runs from; None for an installed package."""
    folder = Path(__file__).resolve().parents[3] / "tests"
    return folder if folder.is_dir() else None


def trace(tables: GameTables, tests: Path | None) -> tuple[ClauseTrace, ...]:
    """Every clause of a game with its effects and tests."""
    ids = [clause.id for clause in tables.rulebook.clauses]
    named = naming_tests(ids, tests) if tests else {}
    return tuple(
        ClauseTrace(clause.id, clause.summary, clause.sets, tuple(named.get(clause.id, ())))
        for clause in tables.rulebook.clauses
    )


def naming_tests(ids: Iterable[str], folder: Path) -> dict[str, list[str]]:
    """Tests by the clause ids in their text: test functions, and situation files."""
    longest_first = sorted(map(re.escape, ids), key=len, reverse=True)
    wanted = re.compile(rf"(?<![\w-])({'|'.join(longest_first)})(?![\w-])")
    found: dict[str, list[str]] = {}
    for path in sorted((*folder.rglob("test_*.py"), *folder.rglob("*.toml"))):
        text = path.read_text("utf-8")
        place = path.relative_to(folder.parent).as_posix()
        starts = [(test.start(), test[1]) for test in _TEST.finditer(text)]
        for match in wanted.finditer(text):
            before = [name for start, name in starts if start <= match.start()]
            if path.suffix == ".toml" or before:
                test = f"{place}::{before[-1]}" if before else place
                names = found.setdefault(match[1], [])
                if test not in names:
                    names.append(test)
    return found
