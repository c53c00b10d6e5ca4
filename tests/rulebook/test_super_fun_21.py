"""Super Fun 21, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    HALF,
    LOSS,
    PUSH,
    checked_under,
    deal_of,
    dealer,
    in_order,
    is_settled,
    may,
    named_in_tests,
    own_clauses,
    readings,
    reads,
    refusal,
    refused_by,
    result,
    shown,
    stake,
)

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables

ID = "super-fun-21"
CLAUSES = {
    *(f"CV-{number}" for number in range(1, 10)),
    *("SF-DECK", "SF-NAT", "SF-5", "SF-6", "SF-DBL", "SF-SPLIT", "SF-SUR"),
}
TWO = Fraction(2)


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES
    assert readings(game) == {"bonus_after_split": "true"}


def test_cv_1_what_cards_count(game: GameTables) -> None:
    """CV-1"""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "Ts 6d 9c") == "over"
    assert result(game, "Ts 6d 9c", "6d Kc Js") == LOSS


def test_cv_2_the_deal_and_the_dealer(game: GameTables) -> None:
    """CV-2"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert dealer(game, "9s 7d") == "draws"
    assert dealer(game, "9s 8d") == "17"


def test_cv_3_naturals(game: GameTables) -> None:
    """CV-3"""
    assert reads(game, "As Td") == "natural 21"
    assert reads(game, "As Ad split Td") == "soft 21"


def test_cv_4_the_check(game: GameTables) -> None:
    """CV-4"""
    assert checked_under(game) == {"A", "T"}
    assert in_order(game, "peek", "turns")
    assert result(game, "9s 9d", "As Kd") == LOSS


def test_cv_5_a_hand_of_21_stands(game: GameTables) -> None:
    """CV-5"""
    assert may(game, "Js 9d 2c", up="6h") == {"stand"}
    assert "hit" in may(game, "Js 9d Ac", up="6h")


def test_cv_6_a_double_is_one_card(game: GameTables) -> None:
    """CV-6"""
    assert stake(game, "5s 6d double 2c") == 2
    assert "CV-6" in refused_by(game, "5s 6d double 2c", up="6h", action="hit")


def test_cv_7_equal_values_split(game: GameTables) -> None:
    """CV-7"""
    assert "split" in may(game, "Ts Kd", up="6h")


def test_cv_8_wins_and_ties(game: GameTables) -> None:
    """CV-8"""
    assert result(game, "Js 9d", "9s 9d") == EVEN
    assert result(game, "Js 9d", "Js 9d") == PUSH


def test_cv_9_the_dealer_draws_only_if_it_matters(game: GameTables) -> None:
    """CV-9: not for a hand that is over; for one that stands."""
    assert not game.round_plan.dealer_always_finishes
    assert is_settled(game, "Js 6d Jc")
    assert not is_settled(game, "Js 9d")


def test_sf_deck(tables: Tables) -> None:
    """SF-DECK"""
    assert tables(ID).alphabet.decks == 1
    assert len(tables(ID).alphabet.cards) == 52
    assert dealer(tables(ID), "As 6d") == "draws"
    assert tables(ID, decks=2).alphabet.decks == 2
    assert "SF-DECK" in refusal(ID, decks=3)


@pytest.mark.parametrize(
    ("hand", "pays"),
    [("As Td", EVEN), ("Ad Kh", EVEN), ("Ah Kh", EVEN), ("Ad Kd", TWO), ("Td Ad", TWO)],
)
def test_sf_nat(game: GameTables, hand: str, pays: Fraction) -> None:
    """SF-NAT: also against a dealer's natural."""
    assert result(game, hand, "9s 8d") == pays
    assert result(game, hand, "As Ks") == pays
    assert is_settled(game, hand, up="As")


@pytest.mark.parametrize("hand", ["2s 3d 4c 5d 7s", "2s 2d 3c 3d 4s 7c", "8s 8d split 2c 3d 4c 4d"])
def test_sf_5(game: GameTables, hand: str) -> None:
    """SF-5"""
    assert result(game, hand, "9s 5d 7c") == TWO
    assert is_settled(game, hand)


def test_sf_5_and_sf_6_after_a_split(tables: Tables) -> None:
    """SF-5 and SF-6, decided: they apply to split hands; the other reading is there."""
    without = tables(ID, bonus_after_split="false")
    assert result(without, "8s 8d split 2c 3d 4c 4d", "9s 5d 7c") == PUSH
    assert result(without, "As Ad split 2c 2d 2s 3d 3s", "Ks Qd") == LOSS
    assert "hit" in may(without, "As Ad split 2c 2d 2s 3d 3s", up="6h")


def test_sf_5_other_21s_are_ordinary(game: GameTables) -> None:
    """SF-5, decided: fewer cards and doubled hands are settled in the ordinary way."""
    for hand in ("2s 3d 7c 9d", "2s 3d 4c 5d double 7s"):
        assert result(game, hand, "9s 5d 7c") == PUSH
        assert result(game, hand, "9s 9d") == EVEN
        assert not is_settled(game, hand)


@pytest.mark.parametrize(
    "hand", ["2s 2d 3c 3d 4s 4c", "As 2d 2c 3d As Ac", "As Ad split 2c 2d 2s 3d 3s"]
)
def test_sf_6(game: GameTables, hand: str) -> None:
    """SF-6: and the hand is over."""
    assert result(game, hand, "Ks Qd") == EVEN
    assert is_settled(game, hand)
    assert may(game, hand, up="6h") == {"stand"}
    for action in ("hit", "double", "surrender"):
        assert "SF-6" in refused_by(game, hand, up="6h", action=action)


def test_sf_6_not_doubled(game: GameTables) -> None:
    """SF-6: a doubled hand is never paid by it, nor is one of five cards."""
    for hand in ("2s 2d 3c 3d 4s double 4c", "2s 2d 3c 3d 8c"):
        assert result(game, hand, "Ks Qd") == LOSS
    assert may(game, "2s 2d 3c 3d 4s double 4c", up="6h") == {"stand", "surrender"}


def test_sf_dbl(game: GameTables) -> None:
    """SF-DBL: any number of cards, split hands and aces too, once."""
    for hand in ("5s 4d", "2s 3d 4c", "2s 3d 4c 2d 5s", "8s 8d split 3c", "As Ad split 5d"):
        assert "double" in may(game, hand, up="6h")
        assert may(game, f"{hand} double 2c", up="6h") == {"stand", "surrender"}


def test_sf_split(game: GameTables) -> None:
    """SF-SPLIT"""
    assert may(game, "As Ad split Ac", up="6h") >= {"hit", "double", "split"}
    assert "split" not in may(game, "As Ad split Ac split As split Ad", up="6h")


@pytest.mark.parametrize(
    "hand",
    [
        "Js 6d",
        "5s 4d 6c",
        "2s 2d 3c 3d 4s",
        "8s 8d split 7c",
        "As Ad split 5d 9c",
        "5s 6d double 2c",
    ],
)
def test_sf_sur(game: GameTables, hand: str) -> None:
    """SF-SUR: half of what the hand has at stake."""
    assert "surrender" in may(game, hand, up="Ah")
    assert result(game, f"{hand} surrender", "9s 8d") == HALF
    assert result(game, f"{hand} surrender", "9s 8d", added=True) == HALF
