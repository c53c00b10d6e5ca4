"""Bonuses that contradict themselves or the game are refused, each with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.rules.check import check_game

HEAD = """
id = "own"
version = 1
name = "Own"
source = "ours"
extends = "super-fun-21"
draft = true
[bonuses]
"""


def problems(folder: Path, rows: str) -> list[str]:
    file = folder / "own.toml"
    file.write_text(f"{HEAD}rows = [{rows}]\n")
    _, found = check_game(str(file), {}, draft=True)
    return [problem.message for problem in found]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{ name = "x", pays = "2:1" }', "does not say which hand it is for"),
        ('{ name = "x", total = 21, suits = "s", pays = "2:1" }', "suits go with a hand"),
        ('{ name = "bust", total = 21, pays = "2:1" }', "a word for other ends of a hand"),
        ('{ name = "21", total = 21, pays = "2:1" }', "a word for other ends of a hand"),
        ('{ name = "x", ranks = ["A", "K"], pays = "2:1" }', "write natural = true"),
        ('{ name = "x", ranks = ["9", "9", "9"], pays = "2:1" }', "comes to 27, which is over"),
        ('{ name = "x", ranks = ["9"], pays = "2:1" }', "two cards or more"),
        ('{ name = "x", natural = true, cards = 2, pays = "2:1" }', "a natural is an ace and"),
        ('{ name = "x", natural = true, ends = true, pays = "2:1" }', "leave ends out"),
        ('{ name = "x", total = 22, pays = "2:1" }', "a total above 21 is over"),
        ('{ name = "x", cards = { from = 7, to = 5 }, pays = "2:1" }', "above the largest"),
        ('{ name = "x", cards = 5, pays = "2:1" }, { name = "x", cards = 6, pays = "2:1" }', "two"),
        (
            '{ name = "x", cards = 5, pays = "2:1" }, { name = "y", cards = 5, pays = "3:1" }',
            "takes all its hands",
        ),
        ("", "no hand gets a bonus"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, row: str, words: str) -> None:
    found = problems(tmp_path, row)
    assert any(words in message for message in found), found


def test_a_charlie_that_pays_is_sound(tmp_path: Path) -> None:
    row = '{ name = "five cards", cards = 5, pays = "2:1", ends = true }'
    assert problems(tmp_path, row) == []
