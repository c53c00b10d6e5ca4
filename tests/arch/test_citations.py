"""Topics of citations: those that refusals name are those that there are.

That no refusal names a topic which does not exist is for mypy to see; that every topic is named by
one is for this test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import upcard
from conftest import compiled
from upcard import GAME_IDS
from upcard.compile.citations import Topic, WagerTopic

SOURCE = Path(upcard.__file__).parent
REFUSING = {"need": 2, "refuse": 1, "_refusal": 2}
"""Functions that take topics, and the place of the first."""


def named(tree: ast.AST) -> Iterator[str]:
    """Topics that a module names: those of refusals, and those looked up in `cites`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            yield from texts(node.args[REFUSING[name] :] if name in REFUSING else [])
            if isinstance(node.func, ast.Attribute) and name == "get":
                yield from texts(node.args[:1] if is_cites(node.func.value) else [])
        elif isinstance(node, ast.Subscript) and is_cites(node.value):
            yield from texts([node.slice])


def is_cites(node: ast.expr) -> bool:
    return getattr(node, "attr", "").endswith("cites")


def texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        parts = node.elts[:1] if isinstance(node, ast.Tuple) else [node]
        yield from (
            part.value
            for part in parts
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )


def test_every_topic_is_named_by_a_refusal_and_no_other() -> None:
    found = {
        topic
        for module in SOURCE.rglob("*.py")
        for topic in named(ast.parse(module.read_text(encoding="utf-8")))
    }
    assert found == {*get_args(Topic), *get_args(WagerTopic)}


def test_a_slip_would_be_seen() -> None:
    slips = "judge.need(x, 'why', 'bnak', 'order')\njudge.refuse('why', 'lihgts')\n"
    assert set(named(ast.parse(slips + "t.cites['bakn']\nt.wager_cites.get(('neds', w), ())"))) == {
        "bnak",
        "order",
        "lihgts",
        "bakn",
        "neds",
    }


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_topic_has_its_clauses_in_every_game(game: str) -> None:
    tables = compiled(game)
    assert set(tables.cites) == set(get_args(Topic))
    known = {clause.id for clause in tables.rulebook.clauses}
    cited = {clause for clauses in tables.cites.values() for clause in clauses}
    assert cited <= known


def test_every_topic_cites_a_clause_in_some_game() -> None:
    silent = [
        topic
        for topic in get_args(Topic)
        if not any(compiled(game).cites[topic] for game in GAME_IDS)
    ]
    assert silent == ["unit"], "which no source names: all games assume it"
