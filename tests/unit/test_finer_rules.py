"""Rules of a finer grain than any packaged game may use: what they allow, pay and say.

Every value is put into house blackjack as if somebody had written a file of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from changed_games import changed_rules, problems
from rulebook import facts
from upcard import GameTables, compile_game


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
