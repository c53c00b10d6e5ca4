"""Double Exposure, clause by clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    HIT_OR_STAND,
    LOSS,
    PUSH,
    deal_of,
    dealer,
    may,
    named_in_tests,
    own_clauses,
    reads,
    refusal,
    refused_by,
    result,
    shown,
)
from upcard.compile.context import Action, Phase

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables

ID = "double-exposure"
CLAUSES = {
    *(f"CV-{number}" for number in (1, 2, 3, 5, 6, 7, 8, 9)),
    *("DX-DECK", "DX-UP", "DX-17", "DX-NAT", "DX-TIE", "DX-NN", "DX-DN"),
    *("DX-DBL", "DX-SPLIT", "DX-TENS"),
}
DOUBLES = {*HIT_OR_STAND, "double"}
SPLITS = {*HIT_OR_STAND, "split"}
UP = "Ts 6d"


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_cv_1_counting(game: GameTables) -> None:
    """CV-1"""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "As 6d Kc") == "hard 17"
    assert reads(game, "Js Qd 2c") == "over"
    assert result(game, "Js Qd 2c", "Ts 6d Kc") == LOSS


def test_cv_2_the_deal_and_the_dealers_play(game: GameTables) -> None:
    """CV-2: player, dealer, player, dealer; draws to 16, stands on hard 17 and on 18."""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer up"]
    assert dealer(game, "9s 7d") == "draws"
    assert dealer(game, "9s 8d") == "17"
    assert dealer(game, "As 7d") == "18"


def test_cv_3_naturals(game: GameTables) -> None:
    """CV-3: of the first two cards of a hand that was not split."""
    assert reads(game, "As Kd") == "natural 21"
    assert reads(game, "Ts Kd split Ac") == "soft 21"


def test_cv_5_21_stands_and_anything_below_may_hit(game: GameTables) -> None:
    """CV-5"""
    assert may(game, "5s 6d Kc", up=UP) == {"stand"}
    assert may(game, "5s 5d Kc", up="Ts Td") == HIT_OR_STAND


def test_cv_6_a_double_is_one_card_for_a_whole_wager(game: GameTables) -> None:
    """CV-6"""
    assert may(game, "5s 6d double 2c", up=UP) == {"stand"}
    assert not game.effects.stake[Action.DOUBLE].for_less


def test_cv_7_split_hands_one_after_the_other(game: GameTables) -> None:
    """CV-7: also a jack and a king."""
    assert may(game, "Js Kd", up=UP) == SPLITS
    assert may(game, "8s 8d", up=UP) == SPLITS


def test_cv_8_wins_pay_even_money_and_a_natural_beats_21(game: GameTables) -> None:
    """CV-8"""
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "As Kd", "7s 7d 7c") == EVEN
    assert result(game, "7s 7d 7c", "As Kd") == LOSS


def test_cv_9_the_dealer_draws_only_if_it_matters(game: GameTables) -> None:
    """CV-9"""
    assert not game.round_plan.dealer_always_finishes


def test_dx_deck(game: GameTables, tables: Tables) -> None:
    """DX-DECK: eight decks of 52 cards, or as many as the house chooses."""
    assert (game.alphabet.decks, len(game.alphabet.cards)) == (8, 52)
    assert tables(ID, decks=6).alphabet.decks == 6
    assert "DX-DECK" in refusal(ID, decks=9)


def test_dx_up_both_cards_are_seen(game: GameTables) -> None:
    """DX-UP: no insurance, no surrender, no check; 55 pairs are shown."""
    assert game.dealer.shown.face_up
    assert len(game.dealer.shown) == 55
    assert game.dealer.shown.of[0, 5] == game.dealer.shown.of[5, 0]
    assert Phase.REVEAL not in game.round_plan.kinds
    assert Phase.INSURANCE not in game.round_plan.kinds
    assert refused_by(game, "Ts 6d", "As 9d", "surrender") == ("DX-UP",)
    assert refused_by(game, "Ts 6d", "As 9d", "insure") == ("DX-UP",)


def test_dx_17(game: GameTables, tables: Tables) -> None:
    """DX-17: hit, also where it was dealt, unless the house has the dealer stand."""
    assert dealer(game, "As 6d") == "draws"
    assert dealer(game, "As 2d 4c") == "draws"
    assert dealer(tables(ID, soft17="stand"), "As 6d") == "17"


def test_dx_nat(game: GameTables) -> None:
    """DX-NAT"""
    assert result(game, "As Kd", "Ts 9d") == EVEN


def test_dx_tie(game: GameTables) -> None:
    """DX-TIE: also with all that was added, and 21 against 21."""
    assert result(game, "Ts 8d", "9s 9d") == LOSS
    assert result(game, "Ts 8d", "9s 9d", added=True) == LOSS
    assert result(game, "7s 7d 7c", "Ts 6d 5c") == LOSS


def test_dx_nn(game: GameTables, tables: Tables) -> None:
    """DX-NN: the one tie that does not lose."""
    assert result(game, "As Kd", "Ad Ks") == EVEN
    assert result(tables(ID, both_natural="push"), "As Kd", "Ad Ks") == PUSH


def test_dx_dn_a_dealers_natural_ends_the_round(game: GameTables) -> None:
    """DX-DN: nothing is possible any more with an ace and a ten shown."""
    natural = game.dealer.shown.index("A T")
    assert not game.dealer.ends[natural].any()
    assert game.dealer.ends[game.dealer.shown.index("A 9")].any()
    assert result(game, "Ts Kd", "As Kd") == LOSS


def test_dx_dbl(game: GameTables, tables: Tables) -> None:
    """DX-DBL: hard 9 to 11, after a split too; soft 19 and 20 or any two by the house's choice."""
    assert may(game, "4s 5d", up=UP) == DOUBLES
    assert may(game, "4s 4d split 7c", up=UP) == DOUBLES
    assert may(game, "As 8d", up=UP) == HIT_OR_STAND
    soft = tables(ID, double="9-11-soft")
    assert may(soft, "As 8d", up=UP) == may(soft, "As 9d", up=UP) == DOUBLES
    assert may(soft, "As 7d", up=UP) == may(soft, "9s Td", up=UP) == HIT_OR_STAND
    assert reads(soft, "As 8d double 2c") == "soft 21"  # decided: the ace stays flexible
    assert reads(soft, "As 8d double 9c") == "hard 18"
    assert may(tables(ID, double="any-two"), "Ts 3d", up=UP) == DOUBLES
    after = tables(ID, double_after_split="false")
    assert may(after, "4s 4d split 7c", up=UP) == HIT_OR_STAND


def test_dx_split(game: GameTables, tables: Tables) -> None:
    """DX-SPLIT: to four hands or two; aces once, one card each."""
    assert max(context.hands for context in game.contexts.contexts) == 4
    two = tables(ID, max_hands=2)
    assert max(context.hands for context in two.contexts.contexts) == 2
    assert may(game, "As Ad split 5c", up=UP) == {"stand"}
    assert refused_by(game, "As Ad split Ac", UP, "split") == ("DX-SPLIT",)


def test_dx_tens(game: GameTables, tables: Tables) -> None:
    """DX-TENS: equal value, or equal rank by the house's choice."""
    assert may(game, "Ts Kd", up=UP) == SPLITS
    by_rank = tables(ID, split="rank")
    assert may(by_rank, "Ts Kd", up=UP) == HIT_OR_STAND
    assert may(by_rank, "Ks Kd", up=UP) == SPLITS
    assert len(by_rank.dealer.shown) == 91
