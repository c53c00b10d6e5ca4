"""Every clause can be found on the sheet and in a test, every value has one provenance.

That each game file has every clause of its rulebook is asked in `tests/rulebook`.
"""

from __future__ import annotations

import pytest

from conftest import compiled
from rulebook.facts import shown
from upcard import GAME_IDS, load_game
from upcard.rules.paths import covers
from upcard.rules.settings import choices
from upcard.sheet.trace import folder_of_tests, trace


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_clause_is_on_the_sheet(game: str) -> None:
    """What no sentence cites is left open by a reading, or lets the house choose an option."""
    tables = compiled(game)
    assert {clause.id for clause in tables.rulebook.clauses} - shown(tables) == set()


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
    """Something speaks of it, a clause or a choice, or it is assumed; not both."""
    rules = load_game(game)
    index = rules.game
    chosen = {
        path
        for choice in choices(index).values()
        for path in (choice.sets, *(key for keys in choice.values.values() for key in keys))
    }
    told = {target for clause in index.clauses.values() for target in clause.sets}
    for path in rules.values:
        spoken = path in chosen or any(covers(target, path) for target in told)
        assumed = any(covers(target, path) for target in index.assumed)
        assert spoken or assumed, path
        assert not (spoken and path in index.assumed), path
        assert (rules.provenance[path].kind == "assumed") != spoken, path


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_value_is_part_of_a_sentence(game: str) -> None:
    """Or means nothing beside what a sentence says."""
    spoken = {key for s in compiled(game).rulebook.sentences for key in (*s.keys, *s.moot)}
    assert set(load_game(game).values) - spoken == set()


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_reading_has_another_answer(game: str) -> None:
    assert all(len(reading.answers) > 1 for reading in compiled(game).rulebook.readings)
