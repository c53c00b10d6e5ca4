"""Every clause can be found on the sheet and in a test, every value has one provenance.

That each game file has every clause of its rulebook is asked in `tests/rulebook`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from conftest import compiled
from upcard import GAME_IDS, load_game
from upcard.sheet.rules import sections
from upcard.sheet.trace import folder_of_tests, trace


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_clause_is_on_the_sheet(game: str) -> None:
    tables = compiled(game)
    printed = {clause for s in sections(tables) for rule in s.rules for clause in rule.clauses}
    assert {clause.id for clause in tables.rulebook.clauses} - printed == set()


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_clause_is_named_by_a_test_of_the_rulebook(game: str) -> None:
    folder = folder_of_tests()
    assert folder is not None
    without = [
        found.id
        for found in trace(compiled(game), folder)
        if not any(test.startswith("tests/rulebook/") for test in found.tests)
    ]
    assert without == []


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_value_is_covered_once(game: str) -> None:
    rules = load_game(game)
    assert rules.provenance.keys() == rules.values.keys()
    kinds = Counter(origin.kind for origin in rules.provenance.values())
    assert sum(kinds.values()) == len(rules.values)


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_value_is_part_of_a_sentence(game: str) -> None:
    spoken = {key for s in compiled(game).rulebook.sentences for key in s.keys}
    assert set(load_game(game).values) - spoken == set()


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_reading_has_another_answer(game: str) -> None:
    assert all(len(reading.answers) > 1 for reading in compiled(game).rulebook.readings)
