"""From clause to code: where each clause is set, and which tests name it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables


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
        spans = {place: text} if path.suffix == ".toml" else dict(_tests(place, text))
        for test, words in spans.items():
            for clause in dict.fromkeys(wanted.findall(words)):
                found.setdefault(clause, []).append(test)
    return found


def _tests(place: str, text: str) -> Iterator[tuple[str, str]]:
    """Every test of a file with its text: decorators, body, and the module's tables it uses."""
    module = ast.parse(text)
    lines = text.split("\n")

    def source(node: ast.stmt | ast.expr) -> str:
        return "\n".join(lines[node.lineno - 1 : node.end_lineno])

    tables: dict[str, str] = {}
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            tables |= dict.fromkeys(names, source(node))
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            parts = [*map(source, node.decorator_list), source(node)]
            parts += [words for name, words in tables.items() if name in used]
            yield f"{place}::{node.name}", "\n".join(parts)
