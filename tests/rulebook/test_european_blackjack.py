"""European blackjack, clause by clause."""

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
    differences,
    is_settled,
    may,
    named_in_tests,
    own_clauses,
    rates,
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

ID = "european-blackjack"
CLAUSES = {
    *("CV-1", "CV-2", "CV-3", "CV-5", "CV-6", "CV-7", "CV-8", "CV-9"),
    *("EU-DECK", "EU-NHC", "EU-ALL", "EU-NAT", "EU-DBL", "EU-SPLIT", "EU-SUR"),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES
    assert readings(game) == {}


def test_cv_1_what_cards_count(game: GameTables) -> None:
    """CV-1: ace 1 or 11, courts 10; over 21 is lost at once, whatever the dealer shows."""
    assert [reads(game, hand) for hand in ("As 5d", "As 5d Kh", "Qs Kd", "Ts 9d 3c")] == [
        "soft 16",
        "hard 16",
        "hard 20",
        "over",
    ]
    assert result(game, "Ts 6d Kc", "Ts 6d Kc") == LOSS
    assert is_settled(game, "Ts 6d Kc", up="As")


def test_cv_2_the_dealer_plays_without_choice(game: GameTables, tables: Tables) -> None:
    """CV-2, EU-DECK: draws to 16, stands on hard 17 and 18; soft 17 is an option."""
    hands = ("Ts 6d", "Ts 7d", "As 7d", "As 6d")
    assert [dealer(game, hand) for hand in hands] == ["draws", "17", "18", "17"]
    hits = tables(ID, soft17="hit")
    assert [dealer(hits, hand) for hand in hands] == ["draws", "17", "18", "draws"]
    assert differences(hits, game) == {"dealer"}


def test_cv_3_naturals(game: GameTables) -> None:
    """CV-3: the first two cards of a hand that was not split."""
    assert reads(game, "As Kd") == "natural 21"
    assert reads(game, "As Ad split Kc") == "soft 21"
    assert reads(game, "Ks Kd split Ac") == "soft 21"


def test_cv_5_any_total_below_21_may_be_hit(game: GameTables) -> None:
    """CV-5"""
    assert "hit" in may(game, "Ks Qd", up="6s")
    assert may(game, "7s 7d 7c", up="6s") == {"stand"}


def test_cv_6_a_double_is_one_card_for_an_equal_wager(game: GameTables) -> None:
    """CV-6"""
    assert stake(game, "5s 6d double 2c") == 2
    assert may(game, "5s 6d double 2c", up="6s") == {"stand"}
    assert "CV-6" in refusal(ID, double_for_less=True)


def test_cv_7_equal_values_are_split(game: GameTables) -> None:
    """CV-7"""
    assert "split" in may(game, "Js Kd", up="6s")
    assert "split" not in may(game, "9s Kd", up="6s")
    assert "CV-7" in refusal(ID, split="rank")


def test_cv_8_wins_ties_and_naturals(game: GameTables) -> None:
    """CV-8"""
    assert result(game, "Ks 9d", "Kd 8s") == EVEN
    assert result(game, "Ks 9d", "Kd 9s") == PUSH
    assert result(game, "As Kd", "7s 7d 7c") == Fraction(3, 2)
    assert result(game, "7s 7d 7c", "Ks As") == LOSS


@pytest.mark.parametrize("up", ["2s", "9s", "Ts", "As"])
def test_cv_9_nothing_is_drawn_for_a_hand_that_is_decided(game: GameTables, up: str) -> None:
    """CV-9: a hand over waits for no card of the dealer's; a natural only under an ace or a ten."""
    assert is_settled(game, "Ts 6d Kc", up=up)
    assert is_settled(game, "As Kd", up=up) is (up in ("2s", "9s"))


def test_eu_deck_six_decks(game: GameTables, tables: Tables) -> None:
    """EU-DECK"""
    assert int(game.alphabet.counts.sum()) == 6 * 52
    assert int(tables(ID, decks=8).alphabet.counts.sum()) == 8 * 52
    assert "EU-DECK" in refusal(ID, decks=9)


def test_eu_nhc_one_card_until_the_end(game: GameTables) -> None:
    """EU-NHC: player, dealer, player; nothing is looked at and nothing turned up."""
    assert deal_of(game) == ["position up", "dealer up", "position up"]
    assert checked_under(game) == set()
    assert {"peek", "reveal"}.isdisjoint(game.round_plan.kinds)
    assert "EU-NHC" in refusal(ID, peek="ace-or-ten")


def test_eu_all_a_late_natural(game: GameTables, tables: Tables) -> None:
    """EU-ALL: takes everything, or of every hand the wager that it began with."""
    for first in (True, False):
        assert set(rates(game, "Ks 8d", "Ks As", first=first, doubles=1)) == {LOSS}
    original = tables(ID, late_natural_takes="original")
    for first in (True, False):
        assert rates(original, "Ks 8d", "Ks As", first=first, doubles=1) == (LOSS, PUSH)
        assert rates(original, "Ks 6d Qd", "Ks As", first=first, doubles=1) == (LOSS, LOSS)
    assert result(game, "As Kd", "Ks As") == PUSH


def test_eu_nat_pays_3_to_2(game: GameTables) -> None:
    """EU-NAT"""
    assert result(game, "As Kd", "Ks 9s") == Fraction(3, 2)
    assert "EU-NAT" in refusal(ID, natural="6:5")


def test_eu_dbl_any_two_or_9_to_11(game: GameTables, tables: Tables) -> None:
    """EU-DBL"""
    assert "double" in may(game, "Ks 4d", up="6s")
    assert "double" in may(game, "8s 8d split 4c", up="6s")
    nine = tables(ID, double="9-11")
    hands = ("5s 3d", "5s 4d", "6s 5d", "7s 5d", "As 8d")
    assert ["double" in may(nine, hand, up="6s") for hand in hands] == [0, 1, 1, 0, 0]
    without = tables(ID, double_after_split=False)
    assert "double" not in may(without, "8s 8d split 3c", up="6s")


def test_eu_split_four_hands_aces_once(game: GameTables, tables: Tables) -> None:
    """EU-SPLIT"""
    assert "split" in may(game, "8s 8d split 8c split 8h", up="6s")
    assert "split" not in may(game, "8s 8d split 8c split 8h split 8s", up="6s")
    assert may(game, "As Ad split Ac", up="6s") == {"stand"}
    assert "split" not in may(tables(ID, max_hands=2), "8s 8d split 8c", up="6s")
    assert "EU-SPLIT" in refusal(ID, resplit_aces=True)
    assert "EU-SPLIT" in refusal(ID, max_hands=3)


def test_eu_sur_no_surrender(game: GameTables) -> None:
    """EU-SUR"""
    assert "surrender" not in may(game, "Ks 6d", up="Ts")
    assert "EU-SUR" in refusal(ID, surrender="late")
