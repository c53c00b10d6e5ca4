"""Spanish 21, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    HALF,
    HIT_OR_STAND,
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
    rescue_loses,
    result,
    shown,
    stake,
)
from upcard.cards import Card

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables

ID = "spanish-21"
CLAUSES = {
    *(f"CV-{number}" for number in range(1, 10)),
    *("SP-DECK", "SP-17", "SP-NAT", "SP-21", "SP-PEEK", "SP-DBL", "SP-RESCUE", "SP-RD"),
    *("SP-SPLIT", "SP-SUR", "SP-B5", "SP-B3", "SP-BX", "SP-SB", "SP-INS"),
}
THREE_TO_TWO = Fraction(3, 2)


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {"bonus_after_split": "true"}


def test_cv_1_what_cards_count(game: GameTables) -> None:
    """CV-1"""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "As 6d Kc") == "hard 17"
    assert reads(game, "Js 6d 9c") == "over"
    assert result(game, "Js 6d 9c", "6d Kc Js") == LOSS
    assert is_settled(game, "Js 6d 9c")


def test_cv_2_the_deal_and_the_dealer(game: GameTables) -> None:
    """CV-2"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert dealer(game, "9s 7d") == "draws"
    assert dealer(game, "9s 8d") == "17"
    assert dealer(game, "As 7d") == "18"


def test_cv_3_naturals(game: GameTables) -> None:
    """CV-3"""
    assert reads(game, "As Jd") == "natural 21"
    assert reads(game, "As Ad split Jd") == "soft 21"
    assert result(game, "As Ad split Jd", "9s 8d") == EVEN


def test_cv_5_a_hand_of_21_stands(game: GameTables) -> None:
    """CV-5: and any other total may hit."""
    assert may(game, "Js 9d 2c", up="6h") == {"stand"}
    for total in ("7s 4d 6c", "9s 4d 7c"):
        assert may(game, total, up="6h") >= HIT_OR_STAND


def test_cv_6_a_double_is_one_card(game: GameTables) -> None:
    """CV-6"""
    assert stake(game, "5s 6d double 2c") == 2
    assert "CV-6" in refused_by(game, "5s 6d double 2c", up="6h", action="hit")


def test_cv_7_equal_values_split(game: GameTables) -> None:
    """CV-7"""
    assert "split" in may(game, "Js Kd", up="6h")
    assert "split" not in may(game, "9s Kd", up="6h")


def test_cv_8_wins_and_ties(game: GameTables) -> None:
    """CV-8"""
    assert result(game, "Js 9d", "9s 9d") == EVEN
    assert result(game, "Js 9d", "Js 9d") == PUSH
    assert result(game, "Js 8d", "Js 9d") == LOSS


def test_cv_9_the_dealer_draws_only_if_it_matters(game: GameTables) -> None:
    """CV-9: not for a hand that is over; for one that stands."""
    assert not game.round_plan.dealer_always_finishes
    assert is_settled(game, "Js 6d Jc")
    assert not is_settled(game, "Js 9d")


def test_cv_4_a_checked_natural_ends_the_round(game: GameTables) -> None:
    """CV-4"""
    looked = [game.alphabet.symbol(Card.parse(card)) for card in ("As", "Kd", "9h")]
    assert game.dealer.checks[looked].tolist() == [True, True, False]


def test_sp_deck(tables: Tables) -> None:
    """SP-DECK: 48 cards, six decks unless chosen otherwise."""
    game = tables(ID)
    assert len(game.alphabet.cards) == 48
    assert not [card for card in game.alphabet.cards if card.rank == "T"]
    assert game.alphabet.decks == 6
    assert tables(ID, decks=8).alphabet.decks == 8
    assert "SP-DECK" in refusal(ID, decks=9)


def test_sp_17(tables: Tables) -> None:
    """SP-17"""
    assert dealer(tables(ID), "As 6d") == "draws"
    assert dealer(tables(ID, soft17="stand"), "As 6d") == "17"


def test_sp_nat(game: GameTables) -> None:
    """SP-NAT: 3 to 2, always."""
    assert result(game, "As Jd", "9s 8d") == THREE_TO_TWO
    assert result(game, "As Jd", "As Kd") == THREE_TO_TWO
    assert is_settled(game, "As Jd", up="As")


@pytest.mark.parametrize("hand", ["9s 9d 3c", "As Ad split Jd", "5s 6d double Jc", "2s 3d 7c 9s"])
def test_sp_21_wins_at_once(game: GameTables, hand: str) -> None:
    """SP-21: whatever the dealer makes."""
    assert result(game, hand, "9s 5d 7c") == EVEN
    assert all(is_settled(game, hand, up=up) for up in ("As", "Ks", "9s"))


def test_sp_peek(game: GameTables) -> None:
    """SP-PEEK"""
    assert checked_under(game) == {"A", "C"}
    assert in_order(game, "insurance", "peek", "turns")
    assert result(game, "9s 9d", "As Kd") == LOSS


@pytest.mark.parametrize(
    "hand", ["5s 4d", "As 7d", "2s 3d 4c", "2s 3d 4c 2d 5s", "8s 8d split 3c", "As Ad split 5d"]
)
def test_sp_dbl(game: GameTables, hand: str) -> None:
    """SP-DBL"""
    assert "double" in may(game, hand, up="6h")


def test_sp_rescue(game: GameTables) -> None:
    """SP-RESCUE: not after 21, not over, not undoubled."""
    assert may(game, "5s 6d double 2c", up="Ah") == {"stand", "rescue"}
    assert may(game, "5s 6d double Jc", up="6h") == {"stand"}
    assert "SP-RESCUE" in refused_by(game, "5s 6d", up="6h", action="rescue")
    assert rescue_loses(game, "5s 6d double 2c") == 1


def test_sp_rd(tables: Tables) -> None:
    """SP-RD: to eight wagers; rescues lose one, two and four."""
    assert "redouble" not in may(tables(ID), "5s 2d double 2c", up="6h")
    game = tables(ID, redouble="true")
    story, lost = "5s 2d double 2c", []
    for wagers in (2, 4, 8):
        assert stake(game, story) == wagers
        assert "rescue" in may(game, story, up="Ah")
        lost.append(rescue_loses(game, story))
        more = "redouble" in may(game, story, up="Ah")
        assert more == (wagers < 8)
        story += " redouble 2d" if more else ""
    assert lost == [1, 2, 4]


def test_sp_split(game: GameTables) -> None:
    """SP-SPLIT: four hands, aces drawn to, doubled and split again."""
    assert may(game, "As Ad split Ac", up="6h") >= {"hit", "double", "split"}
    assert "split" in may(game, "As Ad split Ac split As", up="6h")
    assert "split" not in may(game, "As Ad split Ac split As split Ad", up="6h")


def test_sp_sur(tables: Tables) -> None:
    """SP-SUR"""
    game = tables(ID)
    assert "surrender" in may(game, "Js 6d", up="Ah")
    assert result(game, "Js 6d surrender", "9s 8d") == HALF
    for hand in ("8s 8d split 7c", "5s 4d 6c", "5s 6d double 2c"):
        assert "SP-SUR" in refused_by(game, hand, up="6h", action="surrender")
    assert "surrender" not in may(tables(ID, surrender="none"), "Js 6d", up="Ah")


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("2s 3d 4c 5d 7s", THREE_TO_TWO),
        ("As 2d 2c 2s 4s", THREE_TO_TWO),
        ("2s 2d 3c 3d 4s 7c", Fraction(2)),
        ("2s 2d 2c 3d 3s 4c 5c", Fraction(3)),
        ("As As Ad 2s 2d 2c 3d 9c", Fraction(3)),
    ],
)
def test_sp_b5(game: GameTables, hand: str, pays: Fraction) -> None:
    """SP-B5"""
    assert result(game, hand, "9s 5d 7c") == pays
    assert is_settled(game, hand, up="As")


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("6s 7d 8c", THREE_TO_TWO),
        ("8s 7s 6d", THREE_TO_TWO),
        ("6h 8h 7h", Fraction(2)),
        ("7c 6c 8c", Fraction(2)),
        ("8s 6s 7s", Fraction(3)),
        ("7s 7d 7s", THREE_TO_TWO),
        ("7d 7d 7d", Fraction(2)),
        ("7s 7s 7s", Fraction(3)),
        ("9s 9d 3c", EVEN),
        ("7s 7s split 6s 8s", Fraction(3)),
        ("7d 7s split 7d 7d", Fraction(2)),
    ],
)
def test_sp_b3(game: GameTables, hand: str, pays: Fraction) -> None:
    """SP-B3: by suits, in any order."""
    assert result(game, hand, "9s 5d 7c") == pays


def test_sp_b3_and_sp_b5_after_a_split(tables: Tables) -> None:
    """SP-B3 and SP-B5, decided: split hands are paid bonuses; the other reading is there."""
    without = tables(ID, bonus_after_split="false")
    for hand in ("7s 7s split 6s 8s", "2s 2d split 3d 4c 5d 7s"):
        assert result(tables(ID), hand, "9s 5d 7c") > EVEN
        assert result(without, hand, "9s 5d 7c") == EVEN
    assert result(without, "6s 7s 8s", "9s 5d 7c") == 3


@pytest.mark.parametrize("hand", ["6s 7s double 8s", "7s 7s double 7s", "2s 3d 4c 5d double 7s"])
def test_sp_bx(game: GameTables, hand: str) -> None:
    """SP-BX"""
    assert result(game, hand, "9s 5d 7c") == EVEN
    assert result(game, hand, "9s 5d 7c", added=True) == EVEN


def test_sp_sb(tables: Tables) -> None:
    """SP-SB: not offered unless the house chooses to; 7-7-7 of one suit against a 7."""
    assert tables(ID).prizes == ()
    (prize,) = tables(ID, super_bonus="true").prizes
    classes = tables(ID).class_index
    names = tables(ID).dealer.shown.names
    won = {(names[up], c) for up in range(len(names)) for c in classes.values() if prize.won[up, c]}
    sevens = {classes["7-7-7 of spades"], classes["7-7-7 of one suit"]}
    assert won == {("7", own) for own in sevens}
    assert [prize.pays(bet) for bet in (400, 500, 2400, 2500, 50000)] == [
        *(0, 100_000, 100_000, 500_000, 500_000)
    ]
    assert [prize.each_other(bet) for bet in (400, 500)] == [0, 5_000]


def test_sp_ins(tables: Tables) -> None:
    """SP-INS"""
    game = tables(ID)
    assert may(game, "9s 8d", up="As", phase="insurance") == {"insure", "decline"}
    assert may(game, "9s 8d", up="Ks", phase="insurance") == set()
    assert result(game, "9s 8d", "As Kd", wager="insurance") == 2
    assert "insurance" not in tables(ID, insurance="false").payoffs
