"""Down Under Blackjack, clause by clause."""

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

ID = "down-under"
CLAUSES = {
    *("DU-DECK", "DU-COUNT", "DU-DEAL", "DU-PEEK", "DU-TELL", "DU-17", "DU-NAT", "DU-22"),
    *("DU-GOLD", "DU-PAY", "DU-HIT", "DU-DBL", "DU-SPLIT", "DU-ACES", "DU-SUR"),
}
UP = "6s 9d"
TWENTY_TWO = "6s Td 6c"


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES
    assert readings(game) == {"gold_hands": "high"}


def test_du_deck_four_to_six_decks(game: GameTables) -> None:
    """DU-DECK"""
    assert int(game.alphabet.counts.sum()) == 6 * 52
    assert "DU-DECK" in refusal(ID, decks=8)


def test_du_count_what_cards_count(game: GameTables) -> None:
    """DU-COUNT"""
    assert [reads(game, hand) for hand in ("As 5d", "As 5d Kh", "Ts 9d 3c")] == [
        "soft 16",
        "hard 16",
        "over",
    ]
    assert result(game, "Ts 6d Kc", "Ts 6d Kc") == LOSS == result(game, "Ts 6d Kc", TWENTY_TWO)
    assert is_settled(game, "Ts 6d Kc", up="As")


def test_du_deal_two_passes(game: GameTables) -> None:
    """DU-DEAL"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]


def test_du_peek_under_aces_and_tens(game: GameTables) -> None:
    """DU-PEEK"""
    assert checked_under(game) == {"A", "T"}
    assert "DU-PEEK" in refusal(ID, peek="none")


def test_du_tell_low_medium_or_high(game: GameTables) -> None:
    """DU-TELL"""
    told = game.dealer.shown.told
    assert [sorted(ranks) for ranks in told] == [sorted(g) for g in ("2345", "6789", "TJQKA")]
    assert len(game.dealer.shown) == 10 * 3
    assert game.dealer.shown.names[0] == "A over 2-5"


def test_du_17_hits_soft_17(game: GameTables) -> None:
    """DU-17"""
    assert [dealer(game, hand) for hand in ("Ts 6d", "Ts 7d", "As 6d")] == ["draws", "17", "draws"]
    assert "DU-17" in refusal(ID, soft17="stand")


def test_du_nat_3_to_2_or_6_to_5(game: GameTables, tables: Tables) -> None:
    """DU-NAT"""
    assert result(game, "As Kd", "Ks 9s") == Fraction(3, 2) == result(game, "As Kd", "7s 7d 7c")
    assert result(game, "As Kd", "Ks As") == PUSH
    assert reads(game, "As Ad split Kc") == "soft 21"
    assert result(tables(ID, natural="6:5"), "As Kd", "Ks 9s") == Fraction(6, 5)


def test_du_22_pushes(game: GameTables) -> None:
    """DU-22"""
    for hand in ("Ks 9d", "As 9d", "5s 7d 8c", "2s 3d", "9s 9d", "8s 8d split Kc"):
        assert result(game, hand, TWENTY_TWO) == PUSH
    assert result(game, "Ks 9d", "6s Td 7c") == EVEN
    assert "DU-22" in refusal(ID, dealer_22="bust")


def test_du_gold_what_a_22_spares(game: GameTables, tables: Tables) -> None:
    """DU-GOLD"""
    tens = tables(ID, gold_hands="tens")
    for hand in ("Ks Qd", "Ts Td", "7s 7d 7c", "As Ad split Kc"):
        assert result(game, hand, TWENTY_TWO) == EVEN == result(tens, hand, TWENTY_TWO)
    assert result(game, "As Kd", TWENTY_TWO) == Fraction(3, 2)
    assert result(game, "As Ad", TWENTY_TWO) == EVEN
    assert result(tens, "As Ad", TWENTY_TWO) == PUSH
    for hand in ("Ks Qd split Kc", "As Ad 8c", "As Ad split Ac"):
        assert result(game, hand, TWENTY_TWO) == PUSH
    assert result(game, "Ks Qd", "Ks Qs") == PUSH
    assert result(game, "Ks Qd", "7s 7d 7c") == LOSS == result(game, "As Ad", "Ks 7d")


def test_du_pay_even_money(game: GameTables) -> None:
    """DU-PAY"""
    assert result(game, "Ks 9d", "Kd 8s") == EVEN == result(game, "Ks Qd", "Kd 9s")
    assert result(game, "Ks 9d", "Kd 9s") == PUSH


def test_du_hit_below_21(game: GameTables) -> None:
    """DU-HIT"""
    assert "hit" in may(game, "Ks Qd", up=UP)
    assert may(game, "7s 7d 7c", up=UP) == {"stand"}


def test_du_dbl_any_two_cards(game: GameTables) -> None:
    """DU-DBL"""
    assert "double" in may(game, "Ks 4d", up=UP)
    assert "double" in may(game, "8s 8d split 4c", up=UP)
    assert "double" not in may(game, "5s 2d 4c", up=UP)
    assert stake(game, "5s 6d double 2c") == 2
    for name, value in (("double", "9-11"), ("double_after_split", False)):
        assert "DU-DBL" in refusal(ID, **{name: value})


def test_du_split_four_hands(game: GameTables, tables: Tables) -> None:
    """DU-SPLIT"""
    assert "split" in may(game, "Js Kd", up=UP)
    assert "split" in may(game, "8s 8d split 8c split 8h", up=UP)
    assert "split" not in may(game, "8s 8d split 8c split 8h split 8s", up=UP)
    assert "split" not in may(tables(ID, split="rank"), "Js Kd", up=UP)
    assert "DU-SPLIT" in refusal(ID, max_hands=2)


def test_du_aces_once_and_one_card(game: GameTables) -> None:
    """DU-ACES"""
    assert may(game, "As Ad split Ac", up=UP) == {"stand"}
    assert "DU-ACES" in refusal(ID, resplit_aces=True)


def test_du_sur_no_surrender(game: GameTables) -> None:
    """DU-SUR"""
    assert "surrender" not in may(game, "Ks 6d", up="Ts 9d")
    assert "DU-SUR" in refusal(ID, surrender="late")
