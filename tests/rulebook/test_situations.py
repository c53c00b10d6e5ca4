"""Every scripted round under `situations` ends as its file says, and every clause has one.

A file is named after a clause that it shows: PS-W6.toml, PS-W6--doubled-hand.toml.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import compiled
from upcard import GAME_IDS
from upcard.rules.side_files import SIDE_IDS, find_side, shared_clauses
from upcard.table.situation import judged, read_situation, remembering

FOLDER = Path(__file__).parent / "situations"
FILES = sorted(FOLDER.rglob("*.toml"))
SIDE = FOLDER / "side"
"""Rounds with side wagers that any game can offer, by their ids."""
LOAD = remembering()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_round_ends_as_expected(file: Path) -> None:
    situation = read_situation(file)
    assert situation.title
    assert situation.expects
    assert situation.game == file.parent.name or SIDE in file.parents
    _, differences = judged(situation, LOAD)
    assert differences == []


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_file_is_named_after_a_clause_of_its_game(game: str) -> None:
    clauses = {clause.id for clause in compiled(game).rulebook.clauses}
    for file in sorted((FOLDER / game).glob("*.toml")):
        shown = read_situation(file).clauses
        assert shown, f"{file.name} names no clause"
        assert set(shown) <= clauses, f"{file.name} names clauses that {game} does not have"
        assert file.stem.partition("--")[0] in shown, f"{file.name} does not show what it is named"


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_clause_of_play_and_money_has_a_round(game: str) -> None:
    """A game that extends another has rounds for the clauses of its own."""
    wanted = {
        clause.id
        for clause in compiled(game).rulebook.clauses
        if clause.origin == game and {"play", "money"} & set(clause.kinds)
    }
    shown = {
        clause for file in (FOLDER / game).glob("*.toml") for clause in read_situation(file).clauses
    }
    assert wanted, "origin is the id of the game"
    assert not wanted - shown


def test_there_are_no_files_beside_the_folders_of_the_games() -> None:
    of_games = [file for file in FILES if SIDE not in file.parents]
    assert {file.parent.name for file in of_games} == set(GAME_IDS)
    assert all(file.parent.parent == FOLDER for file in of_games)


@pytest.mark.parametrize("side", SIDE_IDS)
def test_every_clause_of_a_side_wager_has_a_round(side: str) -> None:
    clauses = find_side(side).side.clauses
    shown: set[str] = set()
    for file in sorted((SIDE / side).glob("*.toml")):
        situation = read_situation(file)
        assert [text.partition("=")[0] for text in situation.sides] == [side]
        assert file.stem.partition("--")[0] in situation.clauses
        assert file.stem.partition("--")[0] in clauses
        shown |= set(situation.clauses)
    assert not clauses.keys() - shown


def test_every_clause_of_all_side_wagers_has_a_round() -> None:
    files = [file for file in FILES if SIDE in file.parents]
    shown = {clause for file in files for clause in read_situation(file).clauses}
    assert not shared_clauses().keys() - shown
