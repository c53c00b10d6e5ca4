"""Cards and games as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import compiled
from shell import refusal, upcard
from upcard.cards import DECK, Card, CardsLike, read_cards
from upcard.compile.typed_cards import cards_of, physical
from upcard.errors import UpcardError
from upcard.rules.load import load_game


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Ts 6d", "Ts 6d"),
        ("10s 6d", "Ts 6d"),
        ("10S,6D", "Ts 6d"),
        ("Ts6d", "Ts 6d"),
        ("ts6D", "Ts 6d"),
        ("A♠ 10♥", "As Th"),
        ("A♠K♦\N{VARIATION SELECTOR-16}q♧", "As Kd Qc"),
        ("T 6", "T 6"),
        ("T6", "T 6"),
        ("106", "T 6"),
        ("10", "T"),
        ("a a", "A A"),
        (" , ", ""),
        ("8s8", "8s 8"),
    ],
)
def test_cards_as_people_write_them(text: str, cards: str) -> None:
    assert " ".join(map(str, read_cards(text))) == cards


@pytest.mark.parametrize("text", ["16", "1", "0", "sT", "Tx", "T s", "kings", "10ss", "♠", "T-6"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(UpcardError, match=r'^".*" is not a card: write cards as Ts 6d'):
        read_cards(text)


@given(st.lists(st.sampled_from(DECK)))
def test_every_hand_is_read_back_with_and_without_blanks(cards: list[Card]) -> None:
    for between in ("", " ", ", "):
        assert [tuple(card) for card in read_cards(between.join(map(str, cards)))] == cards


def test_a_suit_that_is_left_out_is_one_that_the_shoe_has() -> None:
    tables = compiled("blackjack", decks=1)
    assert list(map(str, physical(tables, read_cards("8 8 8 8s")))) == ["8h", "8d", "8c", "8s"]
    five = upcard("hand", "blackjack", "--set", "decks=1", "--cards", "2 2 2", "--up", "2")
    assert five.status == 0
    assert "twos come 5 times, and the shoe of 1 deck has 4 of them" in refusal(
        "hand", "blackjack", "--set", "decks=1", "--cards", "2 2 2", "--up", "2", "--removed", "2"
    )


def test_suits_that_play_apart_have_to_be_said() -> None:
    said = refusal("hand", "ten-sticks-21", "--cards", "T 6", "--up", "9")
    assert said == "Ten Sticks 21 does not play every T alike: say its suit, such as Ts or Tc"
    assert upcard("hand", "ten-sticks-21", "--cards", "6 9", "--up", "K").status == 0


def test_a_hand_is_shown_as_it_was_typed() -> None:
    done = upcard("hand", "Blackjack", "--cards", "10 6♦", "--up", "9", "--removed", "5")
    assert "T 6d against 9\nwithout 5\n" in done.out
    data = upcard("hand", "blackjack", "--cards", "10 6♦", "--up", "9", "--json").data
    assert data["cards"] == ["Ts", "6d"]


@pytest.mark.parametrize("missing", ["--cards", "--up"])
def test_a_missing_card_is_wrong_usage(missing: str) -> None:
    given = {"--cards": "T 6", "--up": "9"}
    del given[missing]
    done = upcard("hand", "blackjack", *(word for pair in given.items() for word in pair))
    assert (done.status, done.out) == (2, "")
    assert f"Missing option '{missing}'" in done.err


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("Blackjack", "blackjack"),
        ("BLACKJACK@1", "blackjack"),
        ("TEN-STICKS-21", "ten-sticks-21"),
        ("Ten Sticks 21", "ten-sticks-21"),
        ("ten_sticks_21", "ten-sticks-21"),
        ("Pure Spanish 21.5", "pure-spanish-21.5"),
        ("games of chance  blackjack", "games-of-chance-blackjack"),
    ],
)
def test_games_in_any_case(name: str, game: str) -> None:
    assert load_game(name).game.id == game


@pytest.mark.parametrize("name", ["blackjak", "BLACKJAK", "Black Jack"])
def test_an_unknown_game_brings_a_suggestion(name: str) -> None:
    assert refusal("rules", name).startswith(f'no game "{name}"; did you mean "blackjack"?')


def test_a_text_that_is_no_path_is_no_game() -> None:
    assert refusal("rules", "x" * 5000).startswith('no game "xxx')


def test_a_name_is_a_game_and_a_path_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path("examples/club-blackjack.toml").read_text()
    monkeypatch.chdir(tmp_path)
    Path("Blackjack").write_text(text)
    assert load_game("./Blackjack").game.id == "club-blackjack"
    assert load_game("Blackjack").game.id == "blackjack"


def test_cards_that_are_objects_stay_what_they_are() -> None:
    tables = compiled("blackjack")
    objects: tuple[CardsLike, ...] = ([Card("Ts"), Card("6d")], Card("9h"), (Card("Ts"),), [])
    texts = ("Ts 6d", "9h", ["Ts"], ())
    assert cards_of(tables, *objects) == cards_of(tables, *texts)
    assert cards_of(tables, *objects[:2], ["2"]) == cards_of(tables, *texts[:2], "2")
