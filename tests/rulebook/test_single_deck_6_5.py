"""Single-deck blackjack at 6 to 5, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    LOSS,
    PUSH,
    checked_under,
    deal_of,
    dealer,
    is_settled,
    may,
    named_in_tests,
    own_clauses,
    readings,
    reads,
    refusal,
    result,
    shown,
    stake,
)
from upcard import GameTables

if TYPE_CHECKING:
    from conftest import Tables

ID = "single-deck-6-5"
CLAUSES = {
    *("SD-DECK", "SD-COUNT", "SD-DEAL", "SD-PEEK", "SD-17", "SD-NAT", "SD-PAY", "SD-HIT"),
    *("SD-DBL", "SD-SPLIT", "SD-ACES", "SD-SUR", "SD-INS"),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES
    assert readings(game) == {}


def test_sd_deck_one_deck(game: GameTables) -> None:
    """SD-DECK"""
    assert int(game.alphabet.counts.sum()) == 52
    assert "SD-DECK" in refusal(ID, decks=6)


def test_sd_count_what_cards_count(game: GameTables) -> None:
    """SD-COUNT"""
    assert [reads(game, hand) for hand in ("As 5d", "As 5d Kh", "Ts 9d 3c")] == [
        "soft 16",
        "hard 16",
        "over",
    ]
    assert result(game, "Ts 6d Kc", "Ts 6d Kc") == LOSS
    assert is_settled(game, "Ts 6d Kc", up="As")


def test_sd_deal_two_passes(game: GameTables) -> None:
    """SD-DEAL"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]


def test_sd_peek_under_aces_and_tens(game: GameTables) -> None:
    """SD-PEEK"""
    assert checked_under(game) == {"A", "T"}
    assert "SD-PEEK" in refusal(ID, peek="none")


def test_sd_17_hits_soft_17(game: GameTables) -> None:
    """SD-17"""
    assert [dealer(game, hand) for hand in ("Ts 6d", "Ts 7d", "As 6d")] == ["draws", "17", "draws"]
    assert "SD-17" in refusal(ID, soft17="stand")


def test_sd_nat_6_to_5(game: GameTables) -> None:
    """SD-NAT"""
    assert result(game, "As Kd", "Ks 9s") == Fraction(6, 5) == result(game, "As Kd", "7s 7d 7c")
    assert result(game, "As Kd", "Ks As") == PUSH
    assert reads(game, "As Ad split Kc") == "soft 21"
    assert "SD-NAT" in refusal(ID, natural="3:2")


def test_sd_pay_even_money(game: GameTables) -> None:
    """SD-PAY"""
    assert result(game, "Ks 9d", "Kd 8s") == EVEN
    assert result(game, "Ks 9d", "Kd 9s") == PUSH


def test_sd_hit_below_21(game: GameTables) -> None:
    """SD-HIT"""
    assert "hit" in may(game, "Ks Qd", up="6s")
    assert may(game, "7s 7d 7c", up="6s") == {"stand"}


def test_sd_dbl_any_two_cards(game: GameTables, tables: Tables) -> None:
    """SD-DBL"""
    assert "double" in may(game, "Ks 4d", up="6s")
    assert "double" not in may(game, "8s 8d split 3c", up="6s")
    assert "double" not in may(game, "5s 2d 4c", up="6s")
    assert stake(game, "5s 6d double 2c") == 2
    for choice, allowed in (("9-11", [0, 1, 1, 1, 0]), ("10-11", [0, 0, 1, 1, 0])):
        hands = ("5s 3d", "5s 4d", "6s 4d", "6s 5d", "7s 5d")
        chosen = tables(ID, double=choice)
        assert ["double" in may(chosen, hand, up="6s") for hand in hands] == allowed
    assert "SD-DBL" in refusal(ID, double_after_split=True)


def test_sd_split_four_hands(game: GameTables, tables: Tables) -> None:
    """SD-SPLIT"""
    assert "split" in may(game, "Js Kd", up="6s")
    assert "split" in may(game, "8s 8d split 8c split 8h", up="6s")
    assert "split" not in may(game, "8s 8d split 8c split 8h split 8s", up="6s")
    assert "split" not in may(tables(ID, max_hands=2), "8s 8d split 8c", up="6s")
    assert "SD-SPLIT" in refusal(ID, split="rank")


def test_sd_aces_once_and_one_card(game: GameTables) -> None:
    """SD-ACES"""
    assert may(game, "As Ad split Ac", up="6s") == {"stand"}
    assert "SD-ACES" in refusal(ID, resplit_aces=True)


def test_sd_sur_no_surrender(game: GameTables) -> None:
    """SD-SUR"""
    assert "surrender" not in may(game, "Ks 6d", up="Ts")
    assert "SD-SUR" in refusal(ID, surrender="late")


def test_sd_ins_2_to_1_under_an_ace(game: GameTables, tables: Tables) -> None:
    """SD-INS"""
    assert "insure" in may(game, "Ks 6d", "As", "insurance")
    assert "insure" not in may(game, "Ks 6d", "Ks", "insurance")
    assert result(game, "Ks 6d", "As Ks", "insurance") == 2
    assert "insurance" not in tables(ID, insurance=False).payoffs
