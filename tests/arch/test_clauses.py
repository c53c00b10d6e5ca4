"""Every clause of the rulebook can be found: in the game file, on the sheet, and in a test."""

from __future__ import annotations

from collections import Counter

import pytest

from conftest import compiled
from upcard import GAME_IDS, load_game
from upcard.sheet.rules import sections
from upcard.sheet.trace import folder_of_tests, trace

RULEBOOK = {
    "ten-sticks-21": "TS-1 TS-2 TS-3 TS-4 TS-5 TS-6 TS-7 TS-8 TS-9 TS-10 TS-11",
    "pure-spanish-21.5": """
        PS-T1 PS-T2 PS-T3 PS-TABLE PS-D1 PS-D2 PS-D3 PS-D4 PS-D5 PS-1A PS-D6 PS-D7 PS-1B PS-D8
        PS-D9 PS-D10 PS-D11 PS-D12 PS-D13 PS-D14 PS-DECK PS-V1 PS-V2 PS-V3 PS-V4 PS-W1 PS-W2
        PS-W3 PS-W4 PS-W5 PS-W6 PS-W7 PS-W8 PS-W12 PS-O1 PS-O2 PS-O3 PS-O3a PS-O4 PS-O5 PS-O6
        PS-O7 PS-O8 PS-M1 PS-M2 PS-M3 PS-M4 PS-M5 PS-M6 PS-M7 PS-M8 PS-M9 PS-MPAY PS-F1 PS-F2
        PS-F3 PS-F4 PS-F5""",
    "games-of-chance-blackjack": """
        GC-NAME GC-OBJ GC-VAL GC-TURN GC-DEALER GC-SIDE GC-EQUIP GC-DEAL GC-SIGNAL GC-PAY GC-BJ
        GC-TIE GC-ACE GC-SPLIT GC-DOUBLE GC-SURR GC-INS GC-AMT""",
    "twisted-21": """
        TW-1 TW-2 TW-3 TW-4 TW-5 TW-6 TW-7 TW-8 TW-9 TW-10 TW-11 TW-12 TW-13 TW-14 TW-15 TW-16
        TW-17 TW-18""",
    "blackjack-tie": """
        BT-P1 BT-P2 BT-P3 BT-P4 BT-1 BT-2 BT-3 BT-4 BT-5 BT-6 BT-7 BT-8 BT-PAY""",
}
READINGS = {
    "blackjack": "hand_of_21",
    "ten-sticks-21": "trade_on_double trade_again light_surplus traded_natural",
    "pure-spanish-21.5": "match_by both_over must_stand split_natural fee_basis",
    "games-of-chance-blackjack": "blackjack_bonus tie_dollar late_natural_takes drawn_21",
    "twisted-21": "twisted_stud community_cards low_ball double",
    "blackjack-tie": "busted_bonus split_ten_ace",
}


@pytest.mark.parametrize("game", RULEBOOK)
def test_every_clause_of_the_rulebook_is_in_the_game_file(game: str) -> None:
    own = {c.id for c in compiled(game).rulebook.clauses if c.origin == game}
    assert set(RULEBOOK[game].split()) <= own


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
def test_the_open_questions_are_readings_with_other_answers(game: str) -> None:
    readings = {reading.name: reading for reading in compiled(game).rulebook.readings}
    assert set(READINGS[game].split()) <= set(readings)
    assert all(len(reading.answers) > 1 for reading in readings.values())
