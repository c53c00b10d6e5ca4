"""What a row of a side wager asks for, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from upcard import tables_for
from upcard.compile.explain.card_words import row_words
from upcard.rules.card_conditions import CardCondition
from upcard.rules.load import load_game

WORDS: list[tuple[dict[str, Any], str]] = [
    ({}, "any cards"),
    ({"natural": True}, "a blackjack"),
    ({"natural": False}, "no blackjack"),
    ({"total": 20}, "a total of 20"),
    ({"total": {"from": 16, "to": 20}}, "a total of 16 to 20"),
    ({"total": {"to": 12}}, "a total of 12 or less"),
    ({"total": 17, "soft": True}, "a soft total of 17"),
    ({"total": {"from": 17}, "soft": False}, "a hard total of 17 or more"),
    ({"soft": True}, "soft"),
    ({"bust": False, "cards": 4}, "not over, four cards"),
    ({"cards": {"from": 8}}, "eight or more cards"),
    ({"ranks": ["K", "Q"], "suits": "one"}, "king-queen, of one suit"),
    ({"ranks": ["A", "A"]}, "two aces"),
    ({"ranks": ["6", "7", "8"], "suits": "s"}, "6-7-8, all spades"),
    ({"only": ["T", "J"], "alike": "rank"}, "only tens or jacks, all of one rank"),
    ({"only": ["6"]}, "only sixes"),
    ({"only": ["2", "3", "A"]}, "only 2, 3 or aces"),
    ({"has": {"ranks": ["A"], "count": 1}}, "one ace"),
    ({"has": {"ranks": ["6"], "count": {"from": 2}}}, "two or more sixes"),
    ({"has": {"ranks": ["A"], "count": 0}}, "no aces"),
    ({"has": {"ranks": ["7", "8", "K"], "count": 2}}, "two of 7, 8 or king"),
    ({"exactly": ["Qh", "Qh"]}, "two queens of hearts"),
    ({"exactly": ["Ah", "5h"]}, "the ace of hearts and the five of hearts"),
    ({"alike": "rank-and-suit"}, "all of one rank and suit"),
    ({"pair": True}, "two of one rank"),
    ({"pair": False}, "no two of one rank"),
    ({"sequence": True, "suits": "one-colour"}, "in sequence, of one colour"),
    ({"sequence": False}, "not in sequence"),
    ({"last": ["6"]}, "a six last"),
    ({"last": ["A", "8"]}, "an ace or 8 last"),
    ({"first": 1, "ranks": ["7"]}, "the first card: 7"),
    ({"first": 2, "ranks": ["7", "7"], "suits": "h"}, "the first two cards: 7-7, all hearts"),
    ({"bust": True, "up": ["8", "9"]}, "over; an 8 or 9 up"),
    ({"between": 1}, "the up card's rank the only one between the player's two"),
    ({"between": {"from": 4}}, "the up card's rank one of four or more between the player's two"),
    (
        {"pair": True, "players_two": {"bust": True}, "dealers_two": {"total": 20}},
        "two of one rank; the player's first two: over; the dealer's first two: a total of 20",
    ),
    ({"bust": True, "dealers_final": {"bust": True}}, "over; the dealer's: over"),
    (
        {"compared": "equal", "dealers_final": {"total": {"from": 18}, "cards": 3}},
        "the dealer's: a total of 18 or more, three cards; equal to the dealer's hand",
    ),
    ({"natural": True, "compared": "higher"}, "a blackjack; above the dealer's hand"),
    ({"total": 20, "compared": "lower"}, "a total of 20; below the dealer's hand"),
]


@pytest.mark.parametrize(("when", "words"), WORDS, ids=[words for _, words in WORDS])
def test_a_condition_in_words(when: dict[str, Any], words: str) -> None:
    game = load_game("blackjack").game
    assert row_words(game, msgspec.convert(when, CardCondition)) == words


def test_every_key_of_a_condition_has_words() -> None:
    """A key that is added to the vocabulary must be said here too."""
    keys = {field.encode_name for field in msgspec.structs.fields(CardCondition)}
    assert keys == {key for when, _ in WORDS for key in when}


def test_who_banks_is_called_so() -> None:
    game = load_game("pure-spanish-21.5").game
    when = msgspec.convert({"dealers_two": {"natural": True}}, CardCondition)
    assert row_words(game, when).startswith("the player-dealer's first two: a ")


def test_the_sheet_shows_a_condition_that_is_wrong(tmp_path: Path) -> None:
    """A row whose name says one thing and whose condition another is seen on the sheet."""
    file = tmp_path / "hearts.toml"
    file.write_text(
        'id = "hearts"\nname = "Hearts"\nsource = "ours"\ncards = "first-two"\n'
        'settled = "initial"\n[tables.usual]\n'
        'rows = [{ event = "two hearts", pays = 5, when = { suits = "d" } }]\n'
    )
    tables = tables_for("blackjack", sides=[str(file)])
    rows = [row for said in tables.rulebook.about("wagers.hearts.rows") for row in said.rows]
    assert rows == [("two hearts: all diamonds", "5 to 1")]
