"""Rules of a finer grain than any packaged game may use: what they allow, pay and say.

Every value is put into house blackjack as if somebody had written a file of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from changed_games import changed_rules, problems
from rulebook import facts
from upcard import GameTables, compile_game
from upcard.service.felt import _tie_lines


def changed(changes: dict[str, Any], **settings: str) -> GameTables:
    """House blackjack with other values, which must be sound."""
    rules = changed_rules("blackjack", changes, settings)
    assert problems(rules) == []
    return compile_game(rules)


def says(tables: GameTables) -> list[str]:
    """The sentences of the rule sheet."""
    return [rule.words for rule in tables.rulebook.sentences]


# ------------------------------------------------------------------ doubling


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("5s 3d", False),
        ("5s 4d", True),
        ("6s 5d", True),
        ("7s 5d", False),
        ("Ks 9d", False),
        ("As 7d", False),
        ("As 8d", True),
        ("9s Ad", True),
        ("As Ad", False),
        ("5s 2d 4c", False),
    ],
)
def test_hard_nine_to_eleven_and_soft_nineteen_and_twenty_double(hand: str, may: bool) -> None:
    tables = changed({"double.on": "9-11-soft"})
    assert ("double" in facts.may(tables, hand, "6s")) is may
    assert "First two cards that total hard 9 to 11, or soft 19 or 20, may double down." in says(
        tables
    )


# ------------------------------------------------------------------ ties


def test_ties_at_some_totals_have_another_result() -> None:
    tables = changed({"outcomes.ties_at": {"17": "loses", "18": "loses", "20": "wins"}})
    for total, won in {"7": -1, "8": -1, "9": 0, "Q": 1}.items():
        assert facts.result(tables, f"Ks {total}d", f"Kd {total}s") == won, total
    assert facts.result(tables, "As 2d 8c", "Kd 6s 5d") == 0
    said = says(tables)
    assert "Equal totals, but for 17, 18 and 20, push." in said
    assert "An equal total of 17 or 18 loses." in said
    assert "An equal total of 20 wins." in said
    lines = [line for line, _, _ in _tie_lines(tables)]
    assert lines == ["A tie at 17 or 18 loses", "A player's 20 wins ties"]


def test_all_ties_lose_and_naturals_have_a_result_of_their_own() -> None:
    lose = {"outcomes.tie": "loses", "natural.against_natural": "loses"}
    tables = changed(lose)
    assert facts.result(tables, "Ks 9d", "Kd 9s") == -1
    assert facts.result(tables, "As Kd", "Kd As") == -1
    assert "If the dealer has one too, it loses." in says(tables)
    assert [line for line, _, _ in _tie_lines(tables)] == ["Ties lose"]
    for against, won in (("push", 0), ("1:1", 1)):
        other = changed({**lose, "natural.against_natural": against})
        assert facts.result(other, "As Kd", "Kd As") == won
        assert facts.result(other, "7s 7d 7c", "7h 6s 8s") == -1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"outcomes.ties_at": {"16": "loses"}}, "no tie is at 16: the dealer stands on 17 to 21"),
        (
            {"outcomes.ties_at": {"17": "push"}},
            'that is what tie = "push" says of every total: leave it out',
        ),
        (
            {"outcomes.ties_at": {"21": "loses"}, "outcomes.tie_at_21": "wins"},
            'tie_at_21 = "wins" says what a tie at 21 comes to: leave one of them out',
        ),
    ],
)
def test_ties_that_cannot_be_are_refused(changes: dict[str, Any], problem: str) -> None:
    (found,) = problems(changed_rules("blackjack", changes))
    assert problem in found
