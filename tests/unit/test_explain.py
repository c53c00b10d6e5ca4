"""Sentences of the rule sheet for game files of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.test_check import child, messages
from upcard import tables_for


def sentences(folder: Path, body: str) -> list[str]:
    tables = tables_for(child(folder, "ten-sticks-21", body))
    return [sentence.words for sentence in tables.rulebook.sentences]


@pytest.mark.parametrize(
    ("cards", "marked", "kept"),
    [
        (
            ["Tc"],
            "ten of clubs is {marked} on its face {logo} and plays as a ten",
            "a ten",
        ),
        (
            ["8h"],
            "eight of hearts is {marked} on its face {logo} and plays as an eight",
            "an eight",
        ),
        (
            ["As"],
            "ace of spades is {marked} on its face {logo} and plays as an ace",
            "an ace",
        ),
        (
            ["Kd"],
            "king of diamonds is {marked} on its face {logo} and plays as a king",
            "a king",
        ),
        (
            ["5h", "5c"],
            "five of hearts and five of clubs are {marked} on their faces {logo} and {each} a five",
            "a five",
        ),
    ],
)
def test_a_bonus_card_plays_as_the_card_that_is_marked(
    tmp_path: Path, cards: list[str], marked: str, kept: str
) -> None:
    own = 'MY-1 = { kind = "play", says = "Other cards.", sets = ["bonus_card.cards"] }'
    found = sentences(tmp_path, f"[bonus_card]\ncards = {cards}\n[clauses]\n{own}\n")
    words = marked.format(marked="clearly marked", logo="with the bonus logo", each="each plays as")
    assert f"In every deck the {words}." in found
    choice = next(words for words in found if "may be kept" in words)
    assert f"may be kept as {kept} or traded" in choice
    others = {"a ten", "an eight", "an ace", "a king", "a five"} - {kept}
    assert not any(f" as {other}" in words for words in found for other in others)


def test_a_bonus_card_is_marked(tmp_path: Path) -> None:
    found = messages(child(tmp_path, "ten-sticks-21", "[bonus_card]\ncards = []\n"))
    assert any("bonus_card.cards: no card is marked: name one, such as Tc" in m for m in found)
