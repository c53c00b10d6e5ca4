"""Twisted 21, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from changed_games import changed_rules
from rulebook.facts import (
    EVEN,
    HIT_OR_STAND,
    LOSS,
    PUSH,
    checked_under,
    deal_of,
    dealer,
    differences,
    in_order,
    is_settled,
    makes_natural,
    may,
    named_in_tests,
    own_clauses,
    readings,
    reads,
    refusal,
    refused_by,
    result,
    said,
    shown,
    side,
    stake,
    step_cites,
)
from upcard import Action, GameTables, compile_game, load_game
from upcard.cards import Card
from upcard.compile.observers import ShowdownObserver
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import Outcome
from upcard.table.notation import read_log, save_log
from upcard.table.sentences import sentence
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.sign import sign_of
from upcard.table.verify import verify
from upcard.table.view import HIDDEN, PUBLIC, view

if TYPE_CHECKING:
    from conftest import Tables

ID = "twisted-21"
CLAUSES = {f"TW-{number}" for number in range(19)}
FIVE_OF_15 = "2s 3d 2c 4h 4s"
FIVE_OF_16 = "2s 3d 2c 4h 5s"
PLAYER = ["position up"] * 2 + ["position down"] * 3
DEALER = ["dealer up"] + ["dealer down"] * 4

KING_HIGH = "Ks 9d 7c 4h 2s"
QUEEN_HIGH = "Qs 9d 7c 4h 2s"
JACK_HIGH = "Jd 9h 6s 4d 2c"
PAIR_OF_3 = "3s 3d 9c 7h 2s"


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def stud_poker(game: GameTables, player: str, dealers: str) -> Fraction:
    return side(game, "stud-poker", player, dealers)


def stud_bonus(game: GameTables, cards: str, community: str = "") -> Fraction:
    """What the bonus returns for 1, the stake inside the figure as printed; 0 if it is lost."""
    return side(game, "stud-bonus", cards, community) + 1


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "twisted_stud": "higher",
        "dealer_natural": "first",  # SR-41
        "community_cards": "hidden",
        "low_ball": "deuce-to-seven",
        "double": "any-two",
        "double_for_less": "false",
        "five_cards": "compared",
        "qualifier": "king-high",
        "hand_of_21": "stands",
    }


# ---------------------------------------------------------------- the deal


def test_tw_0_a_variation_of_standard_blackjack(game: GameTables) -> None:
    """TW-0: the sheet begins with it."""
    first = game.rulebook.sentences[0]
    assert (first.section, first.clauses) == ("The game", ("TW-0",))
    assert "variation of the standard game of blackjack" in first.words


def test_tw_1_one_deck_shuffled_every_round(game: GameTables) -> None:
    """TW-1: 52 cards, and no other number of decks."""
    assert int(game.alphabet.counts.sum()) == 52
    assert game.round_plan.shoe.shuffle == "every-round"
    assert "TW-1" in refusal(ID, decks=2)


def test_tw_2_side_wagers_are_optional(game: GameTables) -> None:
    """TW-2: the Twisted 21 wager is mandatory, the two side wagers go with it."""
    wagers = game.money.wagers
    names = {wager_id: wager.name for wager_id, wager in wagers.items()}
    assert names == {
        "base": "Twisted 21",
        "stud-poker": "Stud Poker",
        "stud-bonus": "Stud Bonus",
    }
    assert wagers["base"].mandatory
    for optional in ("stud-poker", "stud-bonus"):
        assert not wagers[optional].mandatory
        assert wagers[optional].needs == "base"


def test_tw_2_the_operator_chooses_which_are_offered(tables: Tables) -> None:
    """TW-2: Stud Poker, Stud Bonus, both or none."""
    no_poker = tables(ID, stud_poker=False)
    assert set(no_poker.money.wagers) == {"base", "stud-bonus"}
    assert set(no_poker.observers) == {"stud-bonus"}
    no_bonus = tables(ID, stud_bonus="none")
    assert set(no_bonus.money.wagers) == {"base", "stud-poker"}
    assert set(no_bonus.observers) == {"stud-poker"}
    neither = tables(ID, stud_poker=False, stud_bonus="none")
    assert set(neither.money.wagers) == {"base"}
    assert "stud-round" not in neither.round_plan.kinds


def test_tw_3_two_up_and_three_down(game: GameTables) -> None:
    """TW-3: position by position; then the dealer, one up and four down."""
    assert deal_of(game) == PLAYER + DEALER
    assert game.round_plan.by_position
    assert step_cites(game, "deal") == {"TW-3"}


def test_tw_4_empty_positions_get_cards(game: GameTables) -> None:
    """TW-4: five cards face down, which are discarded."""
    assert game.round_plan.empty_positions == "dealt-and-discarded"
    assert "five cards face down" in said(game.floor.empty_positions)
    assert "discarded" in said(game.floor.empty_positions)


def test_tw_4_six_positions_nine_at_most(game: GameTables, tables: Tables) -> None:
    """TW-4, decided: nine times five, five and two are 52 cards."""
    assert game.round_plan.positions == 6
    assert not game.round_plan.several_boxes
    assert tables(ID, positions=9).round_plan.positions == 9
    assert "TW-4" in refusal(ID, positions=10)


# ---------------------------------------------------------------- the game of 21


def test_tw_5_a_dealers_natural(game: GameTables) -> None:
    """TW-5: up card and first down card; naturals push, every other wager loses at once."""
    assert checked_under(game) == {"A", "T"}
    assert makes_natural(game, up="As", hole="Kd")
    assert makes_natural(game, up="Ks", hole="Ad")
    assert result(game, "Ah Qd", "As Kd") == PUSH
    for hand in ("7s 7d 7c", "Ts Kd", "2s 3d", FIVE_OF_16):
        assert result(game, hand, "As Kd") == LOSS


def test_tw_5_then_the_stud_round(game: GameTables) -> None:
    """TW-5: the check comes before anyone plays, the stud round is still held."""
    assert in_order(game, "deal", "peek", "turns", "dealer", "settle", "stud-round")
    assert step_cites(game, "peek") == set(), "that somebody looks is the reading's"
    assert "TW-5" in refusal(ID, peek="none")


def test_tw_6_dealer_hits_soft_17(game: GameTables) -> None:
    """TW-6"""
    assert dealer(game, "As 6d") == "draws"
    assert dealer(game, "As 2d 4c") == "draws"
    assert dealer(game, "As 7d") == "18"
    assert dealer(game, "Ts 7d") == "17"
    assert dealer(game, "Ts 6d") == "draws"
    assert "TW-6" in refusal(ID, soft17="stand")


def test_tw_6_the_dealer_draws_from_the_dealers_own_cards(game: GameTables) -> None:
    """TW-6 and TW-10, decided: the own down cards, in order."""
    assert game.round_plan.dealer_draws_from == "own-cards"


def test_tw_7_a_natural_pays_6_to_5(game: GameTables) -> None:
    """TW-7"""
    for hand in ("As Td", "Kd As"):
        assert reads(game, hand) == "natural 21"
        for dealers in ("Ts 7d", "Ts 5d 6c", "Ts 6d Kc"):
            assert result(game, hand, dealers) == Fraction(6, 5)
    assert "TW-7" in refusal(ID, natural="3:2")


def test_tw_8_no_splitting(game: GameTables) -> None:
    """TW-8"""
    assert may(game, "8s 8d", up="6h") == {*HIT_OR_STAND, "double"}
    assert refused_by(game, "8s 8d", "6h", "split") == ("TW-8",)
    assert "TW-8" in refusal(ID, split="value")


def test_tw_9_doubling(game: GameTables) -> None:
    """TW-9, decided: the first two cards, any total, exactly one card, the amount of the wager."""
    for two in ("5s 6d", "Ts 9d", "As 2d", "2s 3d"):
        assert "double" in may(game, two, up="6h")
    assert "double" not in may(game, "2s 3d 4c", up="6h")
    assert "TW-9" in refused_by(game, "2s 3d 4c", "6h", "double")
    assert may(game, "5s 6d double 2c", up="6h") == {"stand"}
    assert stake(game, "5s 6d double") == 2
    assert not game.effects.stake[Action.DOUBLE].for_less


def test_tw_9_reading_double_for_less(tables: Tables) -> None:
    """TW-9, other answer: the source does not say that a double equals the wager."""
    less = tables(ID, double_for_less=True)
    assert less.effects.stake[Action.DOUBLE].for_less
    assert differences(less, tables(ID)) == {"stakes"}


def test_tw_9_reading_double(game: GameTables, tables: Tables) -> None:
    """TW-9, other answer: on any number of cards, for one more."""
    any_count = tables(ID, double="any-count")
    assert "double" in may(any_count, "2s 3d 4c", up="6h")
    assert "double" in may(any_count, "2s 3d 4c 2h", up="6h")
    assert may(any_count, "2s 3d 4c double 2h", up="6h") == {"stand"}
    assert may(any_count, FIVE_OF_16, up="6h") == {"stand"}
    assert differences(any_count, game) == {"legal"}
    assert "TW-9" in refusal(ID, double="none")


def test_tw_10_both_stand_on_five_cards(game: GameTables) -> None:
    """TW-10: player and dealer, unbusted."""
    assert may(game, "2s 3d 2c 4h", up="6h") == HIT_OR_STAND
    assert may(game, FIVE_OF_16, up="6h") == {"stand"}
    assert "TW-10" in refused_by(game, FIVE_OF_16, "6h", "hit")
    assert dealer(game, "2s 3d 2c 4h") == "draws"
    assert dealer(game, FIVE_OF_16) == "16"
    assert dealer(game, "As Ad Ac Ah 2s") == "16"
    assert dealer(game, "2s 3d 2c 4h Ks") == "21"


def test_tw_10_a_five_card_hand_is_compared(game: GameTables) -> None:
    """TW-10, decided: not an automatic winner."""
    assert result(game, FIVE_OF_16, "Ts 7d") == LOSS
    assert result(game, FIVE_OF_16, FIVE_OF_15) == EVEN
    assert result(game, FIVE_OF_15, FIVE_OF_16) == LOSS
    assert result(game, FIVE_OF_15, FIVE_OF_15) == PUSH
    assert result(game, "Ts 6d", FIVE_OF_15) == EVEN


def test_tw_10_reading_five_cards(game: GameTables, tables: Tables) -> None:
    """TW-10, other answer: an unbusted five-card hand wins by itself."""
    wins = tables(ID, five_cards="wins")
    assert result(wins, FIVE_OF_16, "Ts 7d") == EVEN
    assert result(wins, FIVE_OF_15, "Ts 5d 6c") == EVEN
    assert result(wins, "2s 3d 2c 4h", "Ts 7d") == LOSS
    assert result(wins, "2s 3d 2c 6h Ks", "Ts 7d") == LOSS
    assert differences(wins, game) == {"hands", "player_classes", "payoffs"}


def test_tw_11_a_bust_loses_at_once_but_the_cards_stay(game: GameTables) -> None:
    """TW-11: even if the dealer busts; the five cards stay for the side wagers."""
    assert reads(game, "Ts 6d 5c") == "hard 21"
    assert reads(game, "Ts 6d 6c") == "over"
    assert result(game, "Ts 6d 6c", "Ts 6d 9c") == LOSS
    for up in ("As", "Ks", "6s"):
        assert is_settled(game, "Ts 6d 6c", up)


def test_tw_11_the_dealer_busts_alike(game: GameTables) -> None:
    """TW-11: above 21, also with five cards; every hand not over then wins even money."""
    assert dealer(game, "Ts 6d 6c") == "bust"
    assert dealer(game, "2s 3d 2c 6h 9s") == "bust"
    assert result(game, "2s 3d", "Ts 6d 6c") == EVEN


def test_tw_11_the_cards_stay_for_the_side_wagers(game: GameTables) -> None:
    """TW-11: both side wagers are settled after the game, over or not."""
    assert game.observers["stud-poker"].stays_after_bust
    assert game.observers["stud-bonus"].stays_after_bust
    assert game.observers["stud-bonus"].settled == "after-game"


def test_tw_11_all_five_cards_count(game: GameTables) -> None:
    """TW-11 and TW-13, decided: used as hit cards or not, of player and dealer."""
    assert game.observers["stud-bonus"].window.player == 5
    window = game.observers["stud-poker"].window
    assert (window.player, window.dealer) == (5, 5)


def test_tw_12_hit_cards_are_the_players_own(game: GameTables, tables: Tables) -> None:
    """TW-12: the player points at one of the three; by the operator's choice in order."""
    assert game.round_plan.hit_cards == "own-cards-picked"
    in_turn = tables(ID, hit_cards="in-order")
    assert in_turn.round_plan.hit_cards == "own-cards-in-order"
    assert differences(in_turn, game) == {"round_plan"}
    assert "TW-12" in refusal(ID, hit_cards="shoe")


def test_tw_12_a_hand_of_21_stands_by_itself(game: GameTables, tables: Tables) -> None:
    """TW-12, decided for every game; other answer: the player is asked."""
    assert may(game, "5s 6d Kc", up="6h") == {"stand"}
    asks = tables(ID, hand_of_21="asks")
    assert may(asks, "5s 6d Kc", up="6h") == HIT_OR_STAND
    assert differences(asks, game) == {"hands"}


def test_no_insurance_and_no_surrender(game: GameTables) -> None:
    """Decided: the source names neither."""
    assert "insurance" not in game.payoffs
    assert {action.text for action in game.actions} == {"hit", "stand", "double"}
    assert "names no insurance" in refusal(ID, insurance="true")
    assert "names no surrender" in refusal(ID, surrender="late")


# ---------------------------------------------------------------- Stud Poker


def test_tw_13_player_against_dealer(game: GameTables) -> None:
    """TW-13: better wins 1 to 1, worse loses, a tie pushes; after the Twisted 21 game."""
    assert stud_poker(game, PAIR_OF_3, KING_HIGH) == EVEN
    assert stud_poker(game, QUEEN_HIGH, KING_HIGH) == LOSS
    assert stud_poker(game, "Kd 9c 7h 4s 2d", KING_HIGH) == PUSH
    assert stud_poker(game, "Kd 9c 7h 5s 2d", KING_HIGH) == EVEN
    assert stud_poker(game, "Kd 9c 7h 3s 2d", KING_HIGH) == LOSS
    assert game.observers["stud-poker"].settled == "after-game"
    # SR-44: the same step settles the Stud Bonus, of which TW-13 says nothing.
    assert step_cites(game, "stud-round") == set()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As Ks Qs Js Ts", "Kd Qd Jd Td 9d"),
        ("6d 5d 4d 3d 2d", "As 2s 3s 4s 5s"),
        ("As 2s 3s 4s 5s", "9s 9d 9h 9c 2d"),
        ("2s 2d 2h 2c 3d", "As Ad Ah Kc Kd"),
        ("2s 2d 2h 3c 3d", "Ad Kd Qd Jd 9d"),
        ("7d 5d 4d 3d 2d", "As Kd Qc Jh Ts"),
        ("As 2d 3c 4h 5s", "Ah Ad Ac Ks Qd"),
        ("2s 2d 2h 4c 3d", "As Ad Kc Kh Qs"),
        ("2s 2d 3h 3c 4d", "As Ad Kc Qh Js"),
        ("3s 3d 4c 5h 7s", "2s 2d Ac Kh Qs"),
        ("As 3d 4c 5h 7s", "Ks Qd Jc Th 8s"),
    ],
)
def test_tw_13_poker_hands_in_their_order(game: GameTables, better: str, worse: str) -> None:
    """TW-13: every rank of hand beats the next; the wheel is the lowest straight."""
    assert stud_poker(game, better, worse) == EVEN
    assert stud_poker(game, worse, better) == LOSS


@pytest.mark.parametrize("player", [PAIR_OF_3, JACK_HIGH, "As Ks Qs Js Ts"])
def test_tw_13_the_dealer_must_qualify(game: GameTables, player: str) -> None:
    """TW-13: with less than king high it is a push, for better and worse."""
    assert stud_poker(game, player, QUEEN_HIGH) == PUSH


@pytest.mark.parametrize("dealers", [KING_HIGH, "As 8d 7c 4h 2s", "2s 2d 5c 8h 9s"])
def test_tw_13_king_or_better_is_king_high(game: GameTables, dealers: str) -> None:
    """TW-13, decided: any hand that ranks at least king high."""
    assert stud_poker(game, JACK_HIGH, dealers) == LOSS


def test_tw_13_reading_qualifier(game: GameTables, tables: Tables) -> None:
    """TW-13, other answer: a pair of kings or better."""
    kings = tables(ID, qualifier="pair-of-kings")
    assert stud_poker(kings, JACK_HIGH, KING_HIGH) == PUSH
    assert stud_poker(kings, JACK_HIGH, "Qs Qd Ac Kh Js") == PUSH
    assert stud_poker(kings, JACK_HIGH, "Ks Kd 4c 3h 2s") == LOSS
    assert stud_poker(kings, JACK_HIGH, "As Ad 4c 3h 2s") == LOSS
    assert stud_poker(kings, JACK_HIGH, "2s 2d 3c 3h 4s") == LOSS
    assert differences(kings, game) == {"observers"}


# ---------------------------------------------------------------- Stud Bonus


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("As Ks Qs Js Ts", 1001),
        ("9s 8s 7s 6s 5s", 501),
        ("As 2s 3s 4s 5s", 501),
        ("9s 9d 9h 9c 2s", 251),
        ("9s 9d 9h 5c 5s", 101),
        ("Ks 9s 7s 4s 2s", 16),
        ("9s 8d 7c 6h 5s", 7),
        ("As Kd Qc Jh Ts", 7),
        ("9s 9d 9h 5c 4s", 5),
        ("9s 9d 5h 5c 4s", 4),
        ("Js Jd 5h 6c 4s", 3),
        ("As Ad 9h 6c 4s", 3),
        ("Ts Td 5h 6c 4s", 0),
        ("As Kd 9h 6c 4s", 0),
    ],
)
def test_tw_14_stud_bonus(game: GameTables, cards: str, pays: int) -> None:
    """TW-14: the pay table, for 1."""
    assert stud_bonus(game, cards) == pays


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("As 2d 3c 4h 6s", 11),
        ("2s 2d 3c 4h 5s", 11),
        ("2s 2d 3c 4h 6s", 0),
        ("As Ad 2c Ac Ts", 11),
        ("As Ad 2c Ah Ks", 11),
        ("As Ad 3c Ah Js", 11),
        ("As Ad 4c Ah Js", 5),
        ("As Ad 2c 3h Ts", 3),
    ],
)
def test_tw_14_twisted_stud(game: GameTables, cards: str, pays: int) -> None:
    """TW-14: the five cards sum to 16 or less; decided: aces count one, faces ten."""
    assert stud_bonus(game, cards) == pays


LOW_POKER_HANDS = {
    "As 2d 3c 4h 5s": ("a straight of 15", 7),
    "As Ad 2c 2h 3s": ("two pair of 9", 4),
    "As Ad 2c 3h 4s": ("a pair of aces of 11", 3),
    "2s 2d 2h 3c 4s": ("three twos of 13", 5),
}


@pytest.mark.parametrize("cards", LOW_POKER_HANDS)
def test_tw_14_the_row_that_pays_most(game: GameTables, cards: str) -> None:
    """TW-14, decided: paid once; low pairs, two pair, trips and the wheel get 11."""
    assert stud_bonus(game, cards) == 11


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("As 2s 3s 4s 6s", 16),
        ("As 2s 3s 4s 5s", 501),
        ("2s 2d 2h 2c 3s", 251),
        ("As Ad Ah 2c 2s", 101),
    ],
)
def test_tw_14_better_rows_stay_better(game: GameTables, cards: str, pays: int) -> None:
    """TW-14, decided: a flush, full house, four of a kind or straight flush of low cards."""
    assert stud_bonus(game, cards) == pays


@pytest.mark.parametrize("cards", LOW_POKER_HANDS)
def test_tw_14_reading_twisted_stud_last(tables: Tables, cards: str) -> None:
    """TW-14, other answer: Twisted Stud pays only where no poker row pays."""
    last = tables(ID, twisted_stud="last")
    assert stud_bonus(last, cards) == LOW_POKER_HANDS[cards][1]
    assert stud_bonus(last, "2s 2d 3c 4h 5s") == 11
    assert stud_bonus(last, "As 2d 3c 4h 6s") == 11
    assert differences(last, tables(ID)) == {"observers"}


@pytest.mark.parametrize("cards", LOW_POKER_HANDS)
def test_tw_14_reading_twisted_stud_both(tables: Tables, cards: str) -> None:
    """TW-14, other answer: both rows win, and the stake comes back once."""
    both = tables(ID, twisted_stud="both")
    assert stud_bonus(both, cards) == LOW_POKER_HANDS[cards][1] + 11 - 1
    assert stud_bonus(both, "As 2s 3s 4s 6s") == 16 + 11 - 1
    assert stud_bonus(both, "2s 2d 3c 4h 5s") == 11
    assert stud_bonus(both, "9s 8d 7c 6h 5s") == 7
    assert differences(both, tables(ID)) == {"observers"}


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("7s 5d 4c 3h 2s", 41),
        ("8s 5d 4c 3h 2s", 26),
        ("9s 8d 7c 6h 2s", 11),
        ("Ts 8d 7c 6h 2s", 6),
        ("Js 8d 7c 6h 2s", 4),
        ("Qs 8d 7c 6h 2s", 3),
        ("Ks 8d 7c 6h 2s", 0),
        ("As 2d 3c 4h 6s", 0),
    ],
)
def test_tw_15_five_card_low_ball(tables: Tables, cards: str, pays: int) -> None:
    """TW-15: for 1; decided: aces are high."""
    assert stud_bonus(tables(ID, stud_bonus="five-card-low"), cards) == pays


@pytest.mark.parametrize(
    "cards",
    ["6s 5d 4c 3h 2s", "8s 7d 6c 5h 4s", "As 2d 3c 4h 5s", "7s 5s 4s 3s 2s", "7s 5d 4c 2h 2s"],
)
def test_tw_15_straights_flushes_and_pairs_spoil_a_low_hand(tables: Tables, cards: str) -> None:
    """TW-15, decided: deuce-to-seven ranking."""
    assert stud_bonus(tables(ID, stud_bonus="five-card-low"), cards) == 0


def test_tw_15_reading_low_ball(tables: Tables) -> None:
    """TW-15 and TW-17, other answer: ace to five, straights and flushes do not count."""
    low = tables(ID, stud_bonus="five-card-low", low_ball="ace-to-five")
    assert stud_bonus(low, "As 2d 3c 4h 5s") == 41
    assert stud_bonus(low, "As 2d 3c 4h 8s") == 26
    assert stud_bonus(low, "7s 5s 4s 3s 2s") == 41
    assert stud_bonus(low, "7s 5d 4c 2h 2s") == 0
    assert stud_bonus(low, "Ks 8d 7c 6h 2s") == 0
    seven = tables(ID, stud_bonus="seven-card-low", low_ball="ace-to-five")
    assert stud_bonus(seven, "As 2d 3c Kh Ks", "4h 5s") == 16
    assert differences(low, tables(ID, stud_bonus="five-card-low")) == {"observers"}


@pytest.mark.parametrize(
    ("cards", "community", "pays"),
    [
        ("As Ks Qs 2d 3c", "Js Ts", 251),
        ("9s 8s 7s 2d 3c", "6s 5s", 51),
        ("9s 9d 2c 4h 7s", "9h 9c", 26),
        ("9s 9d 9h 4c 7s", "4d Ks", 11),
        ("Ks 9s 4s 2d 3c", "7s Js", 9),
        ("9s 8d 7c 2h 2s", "6h 5s", 4),
        ("9s 9d 2c 4h 7s", "9h Kd", 3),
        ("9s 9d 4c 4h 7s", "Kh Kd", 0),
        ("As Ad 9c 4h 7s", "Kh 2d", 0),
        ("9s 9d 9h 4c 7s", "2d Ks", 3),
    ],
)
def test_tw_16_seven_card_bonus(tables: Tables, cards: str, community: str, pays: int) -> None:
    """TW-16: the best five of the player's five and the two community cards, for 1."""
    assert stud_bonus(tables(ID, stud_bonus="seven-card"), cards, community) == pays


@pytest.mark.parametrize(
    ("cards", "community", "pays"),
    [
        ("7s 5d 4c Kh Ks", "3h 2s", 16),
        ("8s 5d 4c Kh Ks", "3h 2s", 7),
        ("9s 5d 4c Kh Ks", "3h 2s", 5),
        ("Ts 5d 4c Kh Ks", "3h 2s", 3),
        ("Js 5d 4c Kh Ks", "3h 2s", 0),
        ("2s 3d 4c 5h 6s", "7d 8c", 16),
        ("2s 3s 4s 5s 7s", "7d Kh", 16),
        ("2s 3s 4s 5s 7s", "Kd Kh", 0),
        ("As 2d 3c 4h 5s", "Kd Kh", 0),
    ],
)
def test_tw_17_seven_card_low_ball(tables: Tables, cards: str, community: str, pays: int) -> None:
    """TW-17: decided: the player takes the best low five, so straights can be avoided."""
    assert stud_bonus(tables(ID, stud_bonus="seven-card-low"), cards, community) == pays


@pytest.mark.parametrize("version", ["seven-card", "seven-card-low"])
def test_tw_18_two_community_cards(tables: Tables, version: str) -> None:
    """TW-18: dealt after all positions; decided: face down until the stud round."""
    seven = tables(ID, stud_bonus=version)
    assert deal_of(seven) == PLAYER + DEALER + ["community down"] * 2
    assert not seven.round_plan.community_seen
    assert seven.observers["stud-bonus"].window.community == 2


@pytest.mark.parametrize("version", ["five-card", "five-card-low", "none"])
def test_tw_18_only_with_a_seven_card_wager(tables: Tables, version: str) -> None:
    """TW-18"""
    assert "community down" not in deal_of(tables(ID, stud_bonus=version))


def test_tw_18_reading_community_cards(tables: Tables) -> None:
    """TW-18, other answer: face up while hands are played."""
    seen = tables(ID, stud_bonus="seven-card", community_cards="seen")
    assert deal_of(seen) == PLAYER + DEALER + ["community up"] * 2
    assert seen.round_plan.community_seen
    assert differences(seen, tables(ID, stud_bonus="seven-card")) == {"round_plan"}


def test_tw_2_one_stud_bonus_at_a_table(game: GameTables) -> None:
    """TW-2, TW-14, TW-15, TW-16, TW-17, decided: the versions are alternatives."""
    assert list(game.observers) == ["stud-poker", "stud-bonus"]
    versions = next(option for option in game.rulebook.options if option.name == "stud_bonus")
    assert set(versions.allowed) == {
        *("five-card", "five-card-low", "seven-card", "seven-card-low", "none")
    }
    assert versions.default == "five-card"
    assert "TW-2" in refusal(ID, stud_bonus="six-card")


# ---------------------------------------------------------------- the second reading at a table


def table_of(tables: GameTables) -> Session:
    """Ann at the first position, with all wagers of the game."""
    session = Session(tables, game=ID)
    wagers = {"base": 500} | {wager: 100 for wager in tables.money.wagers if wager != "base"}
    for command in (
        cm.OpenTable(table="t", secret=secret_from("t")),
        cm.BuyIn(player="Ann", amount=100_000),
        cm.Sit(player="Ann", seat=1),
        cm.PlaceWagers(player="Ann", position=1, wagers=wagers),
        cm.Deal(),
    ):
        assert isinstance(session.do(command), Outcome)
    return session


def played(session: Session) -> Session:
    while session.question is not None:
        session.do(cm.Stand(player="Ann", position=1))
    return session


def changed(stud_bonus: str, **values: Any) -> GameTables:
    """The game with other values, as in somebody's own file."""
    paths = {f"deal.{key}": value for key, value in values.items()}
    return compile_game(changed_rules(ID, paths, {"stud_bonus": stud_bonus}))


@pytest.mark.parametrize("version", ["seven-card", "seven-card-low"])
def test_tw_18_the_rest_of_the_deck_is_discarded(tables: Tables, version: str) -> None:
    """SR-40, TW-18: after the community cards no card is left, for everybody to see."""
    session = table_of(tables(ID, stud_bonus=version))
    dealt = 6 * 5 + 5 + 2  # six positions, the dealer, the community cards
    events = list(session.events)
    (rest,) = [event for event in events if isinstance(event, ev.RestDiscarded)]
    assert rest.cards == 52 - dealt
    before = events[: events.index(rest)]
    assert sum(isinstance(event, ev.CardDealt) for event in before) == dealt
    assert isinstance(before[-1], ev.CardDealt)
    assert before[-1].to == "community"
    seen = view(session.engine, session.state, PUBLIC).shoe
    assert (seen.left, seen.shuffled) == (0, True)
    assert len(session.state.discards) == rest.cards
    assert sentence(session.engine, rest) == "The rest of the deck is discarded: 15 cards."
    assert not any(isinstance(event, ev.CardDealt) for event in events[events.index(rest) :])


@pytest.mark.parametrize("version", ["five-card", "five-card-low", "none"])
def test_tw_18_no_card_is_discarded_without_community_cards(tables: Tables, version: str) -> None:
    """SR-40, TW-18: the note is about the seven-card versions alone."""
    session = table_of(tables(ID, stud_bonus=version))
    assert not any(isinstance(event, ev.RestDiscarded) for event in session.events)
    assert view(session.engine, session.state, PUBLIC).shoe.left == 52 - 6 * 5 - 5


def test_tw_18_a_record_with_a_discarded_rest_holds(tables: Tables, tmp_path: Path) -> None:
    """SR-40, TW-18: written, read, played back and verified; the next round has a full deck."""
    game = tables(ID, stud_bonus="seven-card")
    session = played(table_of(game))
    assert not view(session.engine, session.state, PUBLIC).shoe.shuffled
    session.do(cm.PlaceWagers(player="Ann", position=1, wagers={"base": 500}))
    session.do(cm.Deal())
    played(session).do(cm.CloseTable())
    assert sum(isinstance(event, ev.RestDiscarded) for event in session.events) == 2
    file = tmp_path / "record.jsonl"
    save_log(session.log(), file)
    log = read_log(file)
    assert log == session.log()
    assert all(check.holds for check in verify(game, log))


def test_tw_18_the_rest_of_the_deck_changes_no_payment(tables: Tables) -> None:
    """SR-40, TW-18: but for the event, a round without the rule is the same."""
    plain = played(table_of(changed("seven-card", rest_discarded=False)))
    discarded = played(table_of(tables(ID, stud_bonus="seven-card")))

    def happened(session: Session) -> list[str]:
        left_out = (ev.RestDiscarded, ev.TableOpened)
        return [repr(event) for event in session.events if not isinstance(event, left_out)]

    assert happened(plain) == happened(discarded)


def test_tw_18_community_cards_before_or_after_the_dealers(tables: Tables) -> None:
    """SR-43, TW-18: after all positions in any case; before the dealer's if the house deals so."""
    community = ["community down"] * 2
    assert deal_of(tables(ID, stud_bonus="seven-card")) == PLAYER + DEALER + community
    before = changed("seven-card", community_after="players")
    assert deal_of(before) == PLAYER + community + DEALER
    cards = [e for e in table_of(before).events if isinstance(e, ev.CardDealt)]
    assert [card.to for card in cards[30:]] == ["community"] * 2 + ["dealer"] * 5


def test_tw_5_reading_dealer_natural(tables: Tables, game: GameTables) -> None:
    """SR-41, TW-5: the clause says no more than the source; which card it is, the reading says."""
    any_card, late = (tables(ID, dealer_natural=answer) for answer in ("any", "at-turn"))
    assert (game.dealer.looks, any_card.dealer.looks, late.dealer.looks) == (1, 4, 1)
    assert checked_under(any_card) == {"A", "T"}
    assert checked_under(late) == set()
    assert "peek" not in late.round_plan.kinds
    assert "down card" not in load_game(ID).game.clauses["TW-5"].says


def test_tw_5_the_check_of_any_down_card_is_told_and_no_card_shown(tables: Tables) -> None:
    """SR-41, TW-5: a check that finds nothing shows nothing; one that does turns up its card."""
    game = tables(ID, dealer_natural="any")
    for cards, found in (("As 8d 3d 4c 2c", False), ("As 8d 3d 4c Kc", True)):
        session = Session(game)
        for command in (
            cm.OpenTable(table="t", secret=secret_from("t"), positions=(1,), scripted=True),
            cm.StackShoe(cards=tuple(f"Ks 9d 5h 6c 2s {cards}".split())),
            cm.BuyIn(player="Ann", amount=100_000),
            cm.Sit(player="Ann", seat=1),
            cm.PlaceWagers(player="Ann", position=1, wagers={"base": 500}),
            cm.Deal(),
        ):
            assert isinstance(session.do(command), Outcome)
        (check,) = [event for event in session.events if isinstance(event, ev.DealerChecked)]
        assert check.natural is found
        turned = [event for event in session.events if isinstance(event, ev.CardTurned)]
        assert [(card.card, card.place) for card in turned] == ([("Kc", 4)] if found else [])
        down = view(session.engine, session.state, PUBLIC).dealer.down
        assert down == ((HIDDEN,) * 3 + ("",) if found else (HIDDEN,) * 4)


def test_tw_14_the_row_by_sum_has_the_sources_name(game: GameTables) -> None:
    """TW-14, SR-44: "Twisted Stud" in pay table, sign and events."""
    bonus = game.observers["stud-bonus"]
    assert not isinstance(bonus, ShowdownObserver)
    assert bonus.rows[-1].event == "Twisted Stud, 16 or less"
    assert "Twisted Stud, 16 or less" in repr(sign_of(game))
    found = bonus.result([Card.parse(card) for card in ["As", "2d", "3c", "4h", "6s"]], [], [])
    assert found.event == "Twisted Stud, 16 or less"
