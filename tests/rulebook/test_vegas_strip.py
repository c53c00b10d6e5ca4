"""Vegas Strip blackjack, clause by clause."""

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

ID = "vegas-strip"
CLAUSES = {
    *("VS-DECK", "VS-COUNT", "VS-DEAL", "VS-PEEK", "VS-17", "VS-NAT", "VS-PAY", "VS-HIT"),
    *("VS-DBL", "VS-SPLIT", "VS-ACES", "VS-SUR", "VS-INS"),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES
    assert readings(game) == {}


def test_vs_deck_four_decks(game: GameTables) -> None:
    """VS-DECK"""
    assert int(game.alphabet.counts.sum()) == 4 * 52
    assert "VS-DECK" in refusal(ID, decks=6)


def test_vs_count_what_cards_count(game: GameTables) -> None:
    """VS-COUNT"""
    assert [reads(game, hand) for hand in ("As 5d", "As 5d Kh", "Ts 9d 3c")] == [
        "soft 16",
        "hard 16",
        "over",
    ]
    assert result(game, "Ts 6d Kc", "Ts 6d Kc") == LOSS
    assert is_settled(game, "Ts 6d Kc", up="As")


def test_vs_deal_two_passes(game: GameTables) -> None:
    """VS-DEAL"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]


def test_vs_peek_under_aces_and_tens(game: GameTables) -> None:
    """VS-PEEK"""
    assert checked_under(game) == {"A", "T"}
    assert "VS-PEEK" in refusal(ID, peek="none")


def test_vs_17_stands_on_every_17(game: GameTables) -> None:
    """VS-17"""
    assert [dealer(game, hand) for hand in ("Ts 6d", "Ts 7d", "As 6d")] == ["draws", "17", "17"]
    assert "VS-17" in refusal(ID, soft17="hit")


def test_vs_nat_3_to_2(game: GameTables) -> None:
    """VS-NAT"""
    assert result(game, "As Kd", "Ks 9s") == Fraction(3, 2) == result(game, "As Kd", "7s 7d 7c")
    assert result(game, "As Kd", "Ks As") == PUSH
    assert reads(game, "As Ad split Kc") == "soft 21"
    assert "VS-NAT" in refusal(ID, natural="6:5")


def test_vs_pay_even_money(game: GameTables) -> None:
    """VS-PAY"""
    assert result(game, "Ks 9d", "Kd 8s") == EVEN
    assert result(game, "Ks 9d", "Kd 9s") == PUSH


def test_vs_hit_below_21(game: GameTables) -> None:
    """VS-HIT"""
    assert "hit" in may(game, "Ks Qd", up="6s")
    assert may(game, "7s 7d 7c", up="6s") == {"stand"}


def test_vs_dbl_any_two_cards(game: GameTables) -> None:
    """VS-DBL"""
    assert "double" in may(game, "Ks 4d", up="6s")
    assert "double" in may(game, "8s 8d split 4c", up="6s")
    assert "double" not in may(game, "5s 2d 4c", up="6s")
    assert stake(game, "5s 6d double 2c") == 2
    for name, value in (("double", "9-11"), ("double_after_split", False)):
        assert "VS-DBL" in refusal(ID, **{name: value})


def test_vs_split_four_hands(game: GameTables, tables: Tables) -> None:
    """VS-SPLIT"""
    assert "split" in may(game, "Js Kd", up="6s")
    assert "split" in may(game, "8s 8d split 8c split 8h", up="6s")
    assert "split" not in may(game, "8s 8d split 8c split 8h split 8s", up="6s")
    assert "split" not in may(tables(ID, split="rank"), "Js Kd", up="6s")
    assert "VS-SPLIT" in refusal(ID, max_hands=2)


def test_vs_aces_once_and_one_card(game: GameTables) -> None:
    """VS-ACES"""
    assert may(game, "As Ad split Ac", up="6s") == {"stand"}
    assert "VS-ACES" in refusal(ID, resplit_aces=True)


def test_vs_sur_no_surrender(game: GameTables) -> None:
    """VS-SUR"""
    assert "surrender" not in may(game, "Ks 6d", up="Ts")
    assert "VS-SUR" in refusal(ID, surrender="late")


def test_vs_ins_2_to_1_under_an_ace(game: GameTables, tables: Tables) -> None:
    """VS-INS"""
    assert "insure" in may(game, "Ks 6d", "As", "insurance")
    assert "insure" not in may(game, "Ks 6d", "Ks", "insurance")
    assert result(game, "Ks 6d", "As Ks", "insurance") == 2
    assert "insurance" not in tables(ID, insurance=False).payoffs
