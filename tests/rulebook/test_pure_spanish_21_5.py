"""Pure Spanish 21.5, clause by clause."""

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
    differences,
    follow,
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
    rescue_loses,
    result,
    said,
    shown,
    side,
    stake,
    step_cites,
)
from upcard import load_game, tables_for
from upcard.compile.context import ENDED, Action
from upcard.errors import UpcardError
from upcard.fees.lint import lint
from upcard.fees.quote import quote
from upcard.solve.observers import card_wager
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tables
    from upcard import GameTables
    from upcard.compile.plan import FeePlan

ID = "pure-spanish-21.5"
SIX_TO_FIVE = Fraction(6, 5)
CLAUSES = {
    *("PS-BUREAU", "PS-T1", "PS-T2", "PS-T3", "PS-TABLE", "PS-1A", "PS-1B"),
    *(f"PS-D{number}" for number in range(1, 15)),
    *("PS-DECK", "PS-V1", "PS-V2", "PS-V3", "PS-V4"),
    *(f"PS-W{number}" for number in range(1, 9)),
    "PS-W12",
    *(f"PS-O{number}" for number in range(1, 9)),
    "PS-O3a",
    *(f"PS-M{number}" for number in range(1, 10)),
    "PS-MPAY",
    *(f"PS-F{number}" for number in range(1, 6)),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def fee_plan(game: GameTables) -> FeePlan:
    assert game.money.fees is not None
    return game.money.fees


def fees(game: GameTables, *seats: dict[str, int]) -> tuple[list[int], int]:
    """The players' fees and the player-dealer's, in cents, for wagers in dollars."""
    plan = fee_plan(game)
    in_cents = [{wager: 100 * amount for wager, amount in seat.items()} for seat in seats]
    chosen = None if plan.resolution == "refuse" else plan.resolution
    costs = quote(plan.schedule, in_cents, basis=plan.players_by, resolution=chosen)
    return [seat.fee for seat in costs.seats], costs.player_dealer.fee


def no_fee(game: GameTables, *seats: dict[str, int]) -> str:
    """The sentence with which a fee is refused that the printed rows do not settle."""
    with pytest.raises(UpcardError) as caught:
        fees(game, *seats)
    return str(caught.value)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "match_by": "up-card",
        "both_over": "loses",
        "must_stand": "hit",
        "split_natural": "21",
        "both_naturals": "6:5",
        "surrender_after_split": "false",
        "surrender": "late",
        "fee_basis": "base",
        "fee_per": "circle",
        "bank_cover": "net",
        "natural_paid": "in-order",
        "backline": "may-stay",
        "hand_of_21": "stands",
    }


# ---------------------------------------------------------------- bank and table


def test_ps_t1_the_bank_goes_round_after_two_hands(game: GameTables) -> None:
    """PS-T1 and PS-D10: offered clockwise after every two hands, as the round's last step."""
    assert game.money.turns == 2
    assert game.round_plan.kinds[-1] == "rotate"
    assert step_cites(game, "rotate") == {"PS-T1", "PS-D10"}


def test_ps_t2_the_player_dealer_banks_within_the_amount_put_up(game: GameTables) -> None:
    """PS-T2, PS-D8 and PS-O8: a player pays and collects, and covers only what was put up."""
    assert game.money.bank == "player-dealer"
    assert game.money.cover == "limited"


def test_ps_m6_reading_natural_paid(game: GameTables, tables: Tables) -> None:
    """PS-M6, PS-M9: in its place of the action order, or before all others."""
    assert game.money.natural_paid == "in-order"
    at_once = tables(ID, natural_paid="at-once")
    assert at_once.money.natural_paid == "at-once"
    assert differences(at_once, game) == {"money"}


def test_ps_t2_reading_bank_cover(game: GameTables, tables: Tables) -> None:
    """PS-T2, PS-O8, PS-M9, decided: by the running net; other answer: each way by itself."""
    assert game.money.cover_measure == "net"
    each_way = tables(ID, bank_cover="each-way")
    assert each_way.money.cover_measure == "each-way"
    assert differences(each_way, game) == {"money"}


def test_ps_t3_the_house_has_no_part(game: GameTables) -> None:
    """PS-T3"""
    assert "no part in the play" in said(game.floor.house)
    assert "no interest in the result" in said(game.floor.house)


def test_ps_table_seven_players(game: GameTables, tables: Tables) -> None:
    """PS-TABLE: up to seven players around the house dealer."""
    assert game.round_plan.positions == 7
    assert "face the house dealer" in said(game.floor.seating)
    assert tables(ID, positions=5).round_plan.positions == 5
    assert "PS-TABLE" in refusal(ID, positions=8)


def test_ps_d1_the_round_starts_with_the_bank(game: GameTables) -> None:
    """PS-D1: the bank is put up first, and a button shows who banks and which turn."""
    assert game.round_plan.kinds[0] == "bank"
    assert step_cites(game, "bank") == {"PS-D1"}
    assert game.money.cover == "limited"


def test_ps_d2_wagers_and_fees_before_the_cards(game: GameTables) -> None:
    """PS-D2: own seat and unoccupied circles; fees are dropped before the cards."""
    assert game.round_plan.several_boxes
    assert in_order(game, "bank", "wagers", "fees", "deal")
    assert "PS-D2" in step_cites(game, "fees")
    assert game.money.wagers["base"].mandatory


def test_ps_d2_other_circles_along_with_the_own_seat(game: GameTables, tables: Tables) -> None:
    """PS-D2, SR-11: the situations and the tests of wagers play it."""
    assert game.round_plan.own_seat_first
    assert game.cites["own seat"] == ("PS-D2",)
    assert not tables("blackjack").round_plan.own_seat_first


def test_ps_d3_first_card(game: GameTables) -> None:
    """PS-D3: from the left of the player-dealer, face up; only the house dealer touches cards."""
    assert game.round_plan.starts == "banks-left"
    assert deal_of(game)[:2] == ["position up", "dealer up"]
    assert "only the house dealer touches" in said(game.floor.handling)


def test_ps_d4_second_card_and_signals(game: GameTables) -> None:
    """PS-D4: the same order, the player-dealer's last and face down; then players act."""
    assert deal_of(game)[2:] == ["position up", "dealer down"]
    assert not game.round_plan.by_position
    assert in_order(game, "deal", "turns")
    assert "sweep" in said(game.floor.signals["hit"])
    assert "side to side" in said(game.floor.signals["stand"])


@pytest.mark.parametrize("hard", ["Ks 7d", "Ks 8d", "Ks 9d", "Ks Qd", "5s 5d 7c", "As 6d Kc"])
def test_ps_d5_players_stand_on_hard_17_or_more(game: GameTables, hard: str) -> None:
    """PS-D5 and PS-1A: chart 1A takes away the hit on hard 17 or more."""
    assert "hit" not in may(game, hard, up="6h")
    assert {"PS-D5", "PS-1A"} <= set(refused_by(game, hard, "6h", "hit"))


@pytest.mark.parametrize("other", ["Ks 6d", "As 6d", "As 9d", "5s 5d 6c", "As 3d 4c", "2s 3d"])
def test_ps_1a_otherwise_it_is_the_players_option(game: GameTables, other: str) -> None:
    """PS-1A: hard 16 or less and every soft total."""
    assert may(game, other, up="6h") >= HIT_OR_STAND


def test_ps_1a_double_split_and_surrender_stay_open(game: GameTables) -> None:
    """PS-1A, decided: hard 17 or more takes away the hit and nothing else."""
    assert may(game, "Ks 7d", up="6h") == {"stand", "double", "surrender"}
    assert may(game, "9s 9d", up="6h") == {"stand", "double", "split", "surrender"}
    assert may(game, "Ks Qd", up="6h") == {"stand", "double", "split", "surrender"}
    assert may(game, "5s 6d double 7c", up="6h") == {"stand", "redouble", "rescue"}


def test_ps_1a_reading_must_stand(game: GameTables, tables: Tables) -> None:
    """PS-1A and PS-O1, other answer: the hit and every double are taken away."""
    strict = tables(ID, must_stand="hit-and-double")
    assert may(strict, "Ks 7d", up="6h") == {"stand", "surrender"}
    assert may(strict, "9s 9d", up="6h") == {"stand", "split", "surrender"}
    assert may(strict, "5s 6d double 7c", up="6h") == {"stand", "rescue"}
    assert may(strict, "Ks 6d", up="6h") == {*HIT_OR_STAND, "double", "surrender"}
    assert "double" in may(strict, "As 6d", up="6h")
    assert differences(strict, game) == {"legal"}


def test_ps_1a_a_hand_of_21_stands_by_itself(game: GameTables, tables: Tables) -> None:
    """PS-1A, decided for every game; other answer: a soft 21 may still be played."""
    assert may(game, "As 5d 5c", up="6h") == {"stand"}
    assert may(game, "As Ad split Kc", up="6h") == {"stand"}
    assert may(game, "5s 6d double Kc", up="6h") == {"stand"}
    asks = tables(ID, hand_of_21="asks")
    assert may(asks, "As 5d 5c", up="6h") == HIT_OR_STAND
    assert may(asks, "5s 6d Kc", up="6h") == {"stand"}
    assert may(asks, "5s 6d double Kc", up="6h") == {"stand", "redouble", "rescue"}
    assert differences(asks, game) == {"hands"}


def test_ps_d6_then_the_down_card_is_turned_up(game: GameTables) -> None:
    """PS-D6"""
    assert in_order(game, "turns", "reveal", "dealer")
    assert step_cites(game, "reveal") == {"PS-D6"}


def test_ps_d7_chart_1b(game: GameTables) -> None:
    """PS-D7 and PS-1B: stands on hard 17 and soft 18, hits soft 17, no options."""
    assert dealer(game, "Ks 6d") == "draws"
    assert dealer(game, "As 6d") == "draws"
    assert dealer(game, "As 3d 3c") == "draws"
    assert dealer(game, "Ks 7d") == "17"
    assert dealer(game, "As 6d Kc") == "17"
    assert dealer(game, "As 7d") == "18"


def test_ps_d7_settlement_from_the_player_dealers_left(game: GameTables) -> None:
    """PS-D7"""
    assert in_order(game, "dealer", "settle")
    assert game.round_plan.starts == "banks-left"
    assert "PS-D7" in step_cites(game, "settle")


def test_ps_1b_option_to_stand_on_all_17s(tables: Tables) -> None:
    """PS-1B and PS-O3a: a table that stands on soft 17 has no double-double down."""
    stands = tables(ID, soft17="stand", double_double=False)
    assert dealer(stands, "As 6d") == "17"
    assert dealer(stands, "As 5d") == "draws"
    assert differences(stands, tables(ID, double_double=False)) == {"dealer"}


def test_ps_d8_the_house_never_banks(game: GameTables) -> None:
    """PS-D8: payoffs stop at the player-dealer's wager, and fees are flat amounts."""
    assert game.money.bank == "player-dealer"
    assert game.money.cover == "limited"
    assert "bank" not in game.money.wagers
    for row in fee_plan(game).schedule.player_dealer:
        assert row.printed_fee.startswith("$")


def test_ps_d9_placement(game: GameTables) -> None:
    """PS-D9"""
    assert "player-dealer's cards" in said(game.floor.placement)
    assert "in front of the house dealer" in said(game.floor.placement)


def test_ps_d11_signage(game: GameTables) -> None:
    """PS-D11: name, limits and fees on the sign; at most five rates; limits as posted."""
    assert set(game.floor.signage) >= {"name", "limits", "fees"}
    base = game.money.wagers["base"]
    assert (base.minimum, base.maximum) == (300, 20000)
    book = load_game(ID).fee_book
    assert book is not None
    assert max(len(schedule.player_dealer) for schedule in book.schedules) <= 5
    assert max(len(schedule.players) for schedule in book.schedules) <= 5


def test_ps_m7_the_match_pay_table_is_on_the_sign(game: GameTables) -> None:
    """PS-M7, SR-3: the posted Match pay table is part of the table's sign."""
    assert "paytables" in game.floor.signage
    (match,) = (wager for wager in sign_of(game).wagers if wager.id == "match")
    assert match.pays[0] == ("one not suited", "4 to 1")
    assert match.pays[-1] == ("two suited", "18 to 1")
    assert len(match.pays) == 5
    (sentence,) = (rule for rule in game.rulebook.sentences if "The sign at" in rule.words)
    assert {"PS-M7", "PS-D11"} <= set(sentence.clauses)
    assert "pay tables" in sentence.words


def test_ps_d12_both_21_5_the_player_wins(game: GameTables) -> None:
    """PS-D12, decided: and is paid 6 to 5 (PS-V1)."""
    assert result(game, "As Kd", "Ah Qs") == SIX_TO_FIVE


def test_ps_d12_reading_both_naturals(game: GameTables, tables: Tables) -> None:
    """PS-D12, other answer: even money; against other hands it stays 6 to 5."""
    even = tables(ID, both_naturals="1:1")
    assert result(even, "As Kd", "Ah Qs") == EVEN
    assert result(even, "As Kd", "Ks 7d") == SIX_TO_FIVE
    assert differences(even, game) == {"payoffs"}


def test_ps_d13_the_check(game: GameTables) -> None:
    """PS-D13: with an ace or a Bonus card up, before anyone draws."""
    assert checked_under(game) == {"A", "C"}
    assert in_order(game, "deal", "peek", "turns")
    assert step_cites(game, "peek") == {"PS-D13"}
    for court in ("Js", "Qs", "Ks"):
        assert makes_natural(game, up=court, hole="Ad")
        assert makes_natural(game, up="Ad", hole=court)
    assert not makes_natural(game, up="Ad", hole="9s")


@pytest.mark.parametrize("hand", ["7s 7d 7c", "Ks Qd", "2s 3d", "As 9d", "Ks 6d 9c"])
def test_ps_d13_every_hand_without_21_5_loses(game: GameTables, hand: str) -> None:
    """PS-D13"""
    assert result(game, hand, "Ah Qs") == LOSS


def test_ps_d14_order_of_play(game: GameTables) -> None:
    """PS-D14: otherwise players act, then the player-dealer's hand is completed."""
    assert in_order(game, "peek", "turns", "dealer", "settle")
    assert "PS-D14" in step_cites(game, "turns")
    assert "PS-D14" in step_cites(game, "dealer")


# ---------------------------------------------------------------- cards and totals


def test_ps_deck_48_cards_without_tens(game: GameTables) -> None:
    """PS-DECK: ace to nine and twelve Bonus cards, six decks by default."""
    assert len(game.alphabet.cards) == 48
    assert {card.rank for card in game.alphabet.cards} == set("A23456789JQK")
    bonus = game.alphabet.symbols[game.alphabet.index("C")]
    assert (bonus.ranks, bonus.per_deck) == ("JQK", 12)
    assert int(game.alphabet.counts.sum()) == 288


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_ps_deck_four_to_eight(game: GameTables, tables: Tables, decks: int) -> None:
    """PS-DECK: 192 to 384 cards, and nothing else changes."""
    chosen = tables(ID, decks=decks)
    assert int(chosen.alphabet.counts.sum()) == 48 * decks
    assert differences(chosen, game) <= {"alphabet"}


@pytest.mark.parametrize("decks", [1, 3, 9])
def test_ps_deck_no_other_number(decks: int) -> None:
    """PS-DECK"""
    assert "PS-DECK" in refusal(ID, decks=decks)


@pytest.mark.parametrize("court", ["Jd", "Qh", "Kc"])
def test_ps_v1_pure_spanish_pays_6_to_5(game: GameTables, court: str) -> None:
    """PS-V1: a Bonus card and an ace on the initial deal are the best hand."""
    for cards in (f"As {court}", f"{court} As"):
        assert reads(game, cards) == "natural 21.5"
        assert may(game, cards, up="6h") == {"stand"}
        for dealers in ("Ks 7d", "Ks 5d 6c", "Ks 6d 9c", "8s 8d 8c"):
            assert result(game, cards, dealers) == SIX_TO_FIVE
    assert "PS-V1" in refusal(ID, natural="3:2")


def test_ps_v2_a_bonus_card_is_10_with_anything_else(game: GameTables) -> None:
    """PS-V2"""
    assert reads(game, "Ks 5d") == "hard 15"
    assert reads(game, "Js Qd") == "hard 20"
    assert reads(game, "Ks 2d 9c") == "hard 21"


def test_ps_v3_other_cards(game: GameTables) -> None:
    """PS-V3: ace 1 or 11, 2 to 9 their face."""
    assert reads(game, "As 5d") == "soft 16"
    assert reads(game, "As 5d 9c") == "hard 15"
    assert reads(game, "As Ad") == "soft 12"
    assert reads(game, "2s 9d") == "hard 11"


def test_ps_v4_10_and_a_half_only_on_the_initial_deal(game: GameTables) -> None:
    """PS-V4: a Bonus card with an ace later is 10."""
    assert reads(game, "As 9d Kc") == "hard 20"
    assert reads(game, "5s 5d Ac") == "soft 21"
    assert reads(game, "Ks 9d Ac") == "hard 20"
    assert reads(game, "Ks Ad") == "natural 21.5"


def test_ps_v4_after_a_split_it_is_21(game: GameTables) -> None:
    """PS-V4, decided: an ace with a Bonus card after a split is 21."""
    for story in ("As Ad split Kc", "Ks Qd split Ac"):
        assert reads(game, story) == "soft 21"
        assert result(game, story, "Ks 7d") == EVEN
        assert result(game, story, "Ks 5d 6c") == EVEN


def test_ps_v4_reading_split_natural(game: GameTables, tables: Tables) -> None:
    """PS-V4, PS-V1 and PS-O4, other answer: it is Pure Spanish 21.5 and pays 6 to 5."""
    other = tables(ID, split_natural="21.5")
    for story in ("As Ad split Kc", "Ks Qd split Ac"):
        assert reads(other, story) == "natural 21.5"
        assert result(other, story, "Ks 7d") == SIX_TO_FIVE
    assert reads(other, "Ks 9d Ac") == "hard 20"
    assert differences(other, game) == {"hands"}


# ---------------------------------------------------------------- who wins


@pytest.mark.parametrize("hand", ["2s 3d", "Ks 6d", "Ks Qd", "7s 7d 7c"])
def test_ps_w1_player_dealer_over_player_wins(game: GameTables, hand: str) -> None:
    """PS-W1: even money for every hand not over."""
    assert result(game, hand, "Ks 6d 9c") == EVEN
    assert result(game, hand, "8s 8d 8c") == EVEN


@pytest.mark.parametrize("dealers", ["Ks 7d", "Ks 8d", "Ks 9d", "Ks Qd", "Ks 5d 6c"])
def test_ps_w2_player_over_player_loses(game: GameTables, dealers: str) -> None:
    """PS-W2"""
    assert reads(game, "Ks 5d 7c") == "over"
    assert result(game, "Ks 5d 7c", dealers) == LOSS


@pytest.mark.parametrize(
    ("hand", "dealers"),
    [("Ks 7d", "Qs 7h"), ("As 7d", "Ks 8d"), ("Ks 9d", "Js 9h"), ("Ks Qd", "6s 6d 8c")],
)
def test_ps_w3_equal_totals_push(game: GameTables, hand: str, dealers: str) -> None:
    """PS-W3: 17 to 20."""
    assert result(game, hand, dealers) == PUSH


def test_ps_w4_the_higher_total_wins(game: GameTables) -> None:
    """PS-W4"""
    assert result(game, "Ks 8d", "Qs 7h") == EVEN
    assert result(game, "Ks 7d", "Qs 8h") == LOSS
    assert result(game, "2s 3d", "Qs 7h") == LOSS
    assert result(game, "7s 7d 7c", "Qs Kh") == EVEN
    assert result(game, "Ks Qd", "Ks 5d 6c") == LOSS


def test_ps_w5_both_21_the_player_wins(game: GameTables) -> None:
    """PS-W5: even money; a dealer's Pure Spanish 21.5 still beats 21."""
    assert result(game, "7s 7d 7c", "Ks 5d 6c") == EVEN
    assert result(game, "As 5d 5c", "7s 8d 6c") == EVEN
    assert result(game, "7s 7d 7c", "As Kd") == LOSS


def test_ps_w6_three_eights_push_busted_players(game: GameTables) -> None:
    """PS-W6: only 8-8-8; what was added by a double comes back too."""
    assert dealer(game, "8s 8d 8c") == "8-8-8"
    assert result(game, "Ks 5d 7c", "8s 8d 8c") == PUSH
    assert result(game, "Ks 5d double 7c", "8s 8d 8c", added=True) == PUSH
    assert dealer(game, "8s 8d 9c") == "bust"
    assert result(game, "Ks 5d 7c", "8s 8d 9c") == LOSS
    assert result(game, "Ks 5d 7c", "8s 7d 9c") == LOSS


def test_ps_w6_hands_given_up_do_not_come_back(game: GameTables) -> None:
    """PS-W6: it speaks of busted players, not of surrendered or rescued hands."""
    assert result(game, "Ks 6d surrender", "8s 8d 8c") == HALF
    assert result(game, "5s 6d double 4c rescue", "8s 8d 8c") == LOSS


def test_ps_w6_the_player_dealer_plays_out(game: GameTables) -> None:
    """PS-W6, decided: even when every player has busted, because 8-8-8 can still push them."""
    assert not is_settled(game, "Ks 5d 7c", up="8s")
    assert is_settled(game, "Ks 5d 7c", up="6s")


def test_ps_w6_reading_both_over(game: GameTables, tables: Tables) -> None:
    """PS-W6 and PS-W2, decided: both over otherwise loses; other answer: a push."""
    assert result(game, "Ks 5d 7c", "Ks 6d 9c") == LOSS
    push = tables(ID, both_over="push")
    assert result(push, "Ks 5d 7c", "Ks 6d 9c") == PUSH
    assert result(push, "Ks 5d 7c", "8s 8d 8c") == PUSH
    assert result(push, "Ks 5d 7c", "Ks 7d") == LOSS
    assert differences(push, game) == {"payoffs"}


def test_ps_bureau_notice_of_zero_collection(game: GameTables, tables: Tables) -> None:
    """PS-BUREAU: shown where players pay nothing, and only there."""
    told = [sentence for sentence in game.rulebook.sentences if "PS-BUREAU" in sentence.clauses]
    assert [sentence.words for sentence in told] == [game.floor.notice]
    assert game.floor.notice in sign_of(game).notices
    charged = tables(ID, fee_schedule=44)
    assert not charged.rulebook.about("floor.notice")
    assert game.floor.notice not in sign_of(charged).notices


def test_ps_w7_rates_are_posted(game: GameTables) -> None:
    """PS-W7"""
    assert "posted" in said(game.floor.rates)
    assert "no rate is a fraction or percentage" in said(game.floor.rates)


def test_ps_w8_backline_betting(game: GameTables, tables: Tables) -> None:
    """PS-W8 and PS-M4, decided: a backline wager may stay; other answer: it must match."""
    assert game.money.backline == "may-stay"
    must = tables(ID, backline="must-match")
    assert must.money.backline == "must-match"
    assert differences(must, game) == {"money"}


def test_ps_w12_proposition_players(game: GameTables) -> None:
    """PS-W12: they may play and bank."""
    assert game.money.proposition_players
    assert "proposition players may play" in said(game.floor.third_parties)


# ---------------------------------------------------------------- options of the player


def test_ps_o1_double_on_the_first_two_cards(game: GameTables) -> None:
    """PS-O1: on any total, for one card only."""
    for two in ("5s 6d", "2s 3d", "Ks 9d", "As 8d"):
        assert "double" in may(game, two, up="6h")
    assert "PS-O1" in refused_by(game, "5s 2d 4c", "6h", "double")
    assert "hit" not in may(game, "5s 6d double 2c", up="6h")
    assert "PS-O1" in refused_by(game, "5s 6d double 2c", "6h", "hit")
    assert stake(game, "5s 6d double") == 2


def test_ps_o1_for_up_to_the_original_wager(game: GameTables, tables: Tables) -> None:
    """PS-O1 and PS-O3a: doubling for less only where double-double down is not offered."""
    assert not game.effects.stake[Action.DOUBLE].for_less
    assert tables(ID, double_double=False).effects.stake[Action.DOUBLE].for_less


def test_ps_o2_rescue_ends_a_doubled_hand(game: GameTables) -> None:
    """PS-O2: after doubling, with a hand not busted."""
    assert "rescue" in may(game, "5s 6d double 2c", up="6h")
    assert "rescue" not in may(game, "5s 6d", up="6h")
    assert "rescue" not in may(game, "5s 6d 2c", up="6h")
    assert may(game, "Ks 6d double 9c", up="6h") == set()
    doubled = follow(game, "5s 6d double 2c").context
    assert game.contexts.next[doubled, Action.RESCUE] == ENDED


def test_ps_o2_rescue_amounts(game: GameTables) -> None:
    """PS-O2, decided: 1 of 2, 2 of 4 and 4 of 8 original wagers are lost, whoever wins."""
    first = "5s 6d double 2c"
    assert (stake(game, first), rescue_loses(game, first)) == (2, 1)
    second = f"{first} redouble 2d"
    assert (stake(game, second), rescue_loses(game, second)) == (4, 2)
    third = f"{second} redouble 2h"
    assert (stake(game, third), rescue_loses(game, third)) == (8, 4)
    for dealers in ("Ks 7d", "Ks 6d 9c", "Ks 5d 6c"):
        assert result(game, f"{first} rescue", dealers) == LOSS


def test_ps_o3_double_double_down(game: GameTables) -> None:
    """PS-O3: up to three doubles, then only stand or rescue."""
    first = "5s 6d double 2c"
    second = f"{first} redouble 2d"
    third = f"{second} redouble 2h"
    assert may(game, first, up="6h") == {"stand", "redouble", "rescue"}
    assert may(game, second, up="6h") == {"stand", "redouble", "rescue"}
    assert may(game, third, up="6h") == {"stand", "rescue"}
    assert "PS-O3" in refused_by(game, third, "6h", "redouble")
    assert "redouble" not in may(game, "5s 6d", up="6h")
    assert stake(game, third) == 8


def test_ps_o3_also_on_split_hands(game: GameTables) -> None:
    """PS-O3 with PS-O5: a doubled split hand may be doubled again and rescued."""
    assert may(game, "8s 8d split 3c double 2c", up="6h") == {"stand", "redouble", "rescue"}


def test_ps_o3_option_off(game: GameTables, tables: Tables) -> None:
    """PS-O3: without it a doubled hand stands or is rescued."""
    single = tables(ID, double_double=False)
    assert may(single, "5s 6d double 2c", up="6h") == {"stand", "rescue"}
    assert "PS-O3" in refused_by(single, "5s 6d double 2c", "6h", "redouble")
    assert differences(single, game) == {"contexts", "legal", "stakes"}


def test_ps_o3a_combinations_are_refused() -> None:
    """PS-O3a: not where the player-dealer stands on all 17s, and no doubling for less with it."""
    assert "PS-O3a" in refusal(ID, soft17="stand")
    assert "PS-O3a" in refusal(ID, soft17="stand", double_double="true")
    assert "PS-O3a" in refusal(ID, double_for_less="true")
    assert "PS-O3a" in refusal(ID, double_double="true", double_for_less="true")


def test_ps_o1_doubling_for_less_cannot_be_switched_off(tables: Tables) -> None:
    """PS-O1, SR-2: the source grants it; only double-double down takes it away (PS-O3a)."""
    assert "PS-O1" in refusal(ID, double_double="false", double_for_less="false")
    assert tables(ID, double_double=False).effects.stake[Action.DOUBLE].for_less


@pytest.mark.parametrize("pair", ["8s 8d", "As Ad", "Ks Kd", "Ks Jd", "Qs Jd"])
def test_ps_o4_split_cards_of_equal_value(game: GameTables, pair: str) -> None:
    """PS-O4: any pair or two Bonus cards."""
    assert "split" in may(game, pair, up="6h")


def test_ps_o4_split_hands_are_drawn_to_freely(game: GameTables) -> None:
    """PS-O4: aces too; other cards are not split."""
    assert may(game, "As Ad split 5c", up="6h") == {*HIT_OR_STAND, "double"}
    assert may(game, "As Ad split 5c 2d", up="6h") == HIT_OR_STAND
    assert may(game, "8s 8d split 3c 2d", up="6h") == HIT_OR_STAND
    assert "PS-O4" in refused_by(game, "8s 9d", "6h", "split")
    assert stake(game, "8s 8d split") == 1


@pytest.mark.parametrize("card", ["8", "A", "K"])
def test_ps_o5_four_hands_at_most(game: GameTables, card: str) -> None:
    """PS-O5: three splits; decided: aces may be resplit like other pairs."""
    three = f"{card}s {card}d split {card}c split {card}h"
    assert "split" in may(game, three, up="6h")
    assert "split" not in may(game, f"{three} split {card}s", up="6h")
    assert "PS-O5" in refused_by(game, f"{three} split {card}s", "6h", "split")


def test_ps_o5_doubling_after_a_split(game: GameTables) -> None:
    """PS-O5"""
    assert "double" in may(game, "8s 8d split 3c", up="6h")
    assert "double" in may(game, "As Ad split 9c", up="6h")


def test_ps_o6_reading_until_exposed(tables: Tables) -> None:
    """PS-O6, SR-7: before the check, and again as long as the down card is not shown."""
    until = tables(ID, surrender="until-exposed")
    for up in ("Ah", "Kh"):
        assert may(until, "Ks 6d", up=up, phase="early-surrender") == {"surrender", "decline"}
        assert "surrender" in may(until, "Ks 6d", up=up)
    assert "surrender" in may(until, "Ks 6d", up="9h")
    assert "surrender" not in may(until, "Ks 2d 4c", up="Kh")
    assert "PS-O6" in refusal(ID, surrender="both")


def test_ps_o6_split_aces_surrender_where_split_hands_do(tables: Tables) -> None:
    """PS-O6, SR-4: in Ten Sticks 21, where split hands may surrender, split aces may not."""
    split = tables(ID, surrender_after_split=True)
    assert "surrender" in may(split, "As Ad split 5c", up="Kh")
    assert "surrender" not in may(tables(ID), "As Ad split 5c", up="Kh")
    sticks = tables("ten-sticks-21", resplit_aces=True)
    assert "surrender" in may(sticks, "8s 8d split 7c", up="Kh")
    assert "surrender" not in may(sticks, "As Ad split Ac", up="Kh")


def test_ps_d14_the_hand_is_always_completed(game: GameTables, tables: Tables) -> None:
    """PS-D14, PS-M7, SR-1: the house's dealer draws only if it matters."""
    assert game.round_plan.dealer_always_finishes
    assert not tables("blackjack").round_plan.dealer_always_finishes


def test_ps_o6_surrender_for_half(game: GameTables) -> None:
    """PS-O6: after the first two cards, before the down card is exposed."""
    assert "surrender" in may(game, "Ks 6d", up="Kh")
    assert "surrender" in may(game, "Ks 7d", up="Ah")
    assert "surrender" not in may(game, "Ks 2d 4c", up="Kh")
    assert "surrender" not in may(game, "Ks 6d double 2c", up="Kh")
    assert in_order(game, "peek", "turns", "reveal")
    for dealers in ("Ks 7d", "Ks 6d 9c", "Ks 5d 6c"):
        assert result(game, "Ks 6d surrender", dealers) == HALF


def test_ps_o6_reading_surrender_after_split(game: GameTables, tables: Tables) -> None:
    """PS-O6, decided: only the original two cards; other answer: a split hand's two as well."""
    assert "surrender" not in may(game, "8s 8d split 8c", up="Kh")
    also = tables(ID, surrender_after_split=True)
    assert "surrender" in may(also, "8s 8d split 8c", up="Kh")
    assert "surrender" not in may(also, "8s 8d split 2c 6d", up="Kh")
    assert differences(also, game) == {"legal"}


def test_ps_o7_no_fee_on_doubles_and_splits(game: GameTables) -> None:
    """PS-O7"""
    assert not fee_plan(game).on_added_wagers


@pytest.mark.parametrize(
    ("setting", "value", "clause"),
    [
        ("surrender", "none", "PS-O6"),
        ("split", "rank", "PS-O4"),
        ("split_aces", "one-card", "PS-O4"),
        ("resplit_aces", "false", "PS-O5"),
        ("max_hands", "3", "PS-O5"),
        ("double", "9-11", "PS-O1"),
        ("double_after_split", "false", "PS-O5"),
        ("peek", "none", "PS-D13"),
        ("natural", "1:1", "PS-V1"),
        ("fee_schedule", "53", "PS-F5"),
    ],
)
def test_what_the_rules_fix_cannot_be_set(setting: str, value: str, clause: str) -> None:
    """The refusal names the clause: PS-O6, PS-O4, PS-O5, PS-O1, PS-D13, PS-V1, PS-F5."""
    assert clause in refusal(ID, **{setting: value})


def test_there_is_no_insurance(game: GameTables) -> None:
    """The source names none."""
    assert "insurance" not in game.payoffs
    assert "insurance" not in game.round_plan.kinds
    assert may(game, "Ks 6d", up="Ah", phase="insurance") == set()
    assert "no insurance" in refusal(ID, insurance="true")


# ---------------------------------------------------------------- Match the Dealer Up Card


def test_ps_m1_it_may_be_offered(game: GameTables, tables: Tables) -> None:
    """PS-M1: an option of the casino."""
    assert "match" in game.observers
    assert "match" in game.money.wagers
    without = tables(ID, match=False)
    assert "match" not in without.observers
    assert set(without.money.wagers) == {"base"}
    assert differences(without, game) == {"observers", "money"}


@pytest.mark.parametrize(
    ("hand", "up", "wins"),
    [
        ("Ks 5d", "Kh", 4),
        ("5d Ks", "Kh", 4),
        ("Ks 5d", "Qs", -1),
        ("Js Qd", "Ks", -1),
        ("9s 5d", "5h", 4),
        ("9s 5d", "4d", -1),
    ],
)
def test_ps_m2_a_match_in_rank_exactly(game: GameTables, hand: str, up: str, wins: int) -> None:
    """PS-M2: a king matches a king, not a queen."""
    assert side(game, "match", hand, up) == wins


def test_ps_m2_only_the_original_two_cards_and_the_up_card(game: GameTables) -> None:
    """PS-M2, decided against PS-M7: hit cards and the down card do not count."""
    assert side(game, "match", "9s 5d Kh", "Kh") == LOSS
    assert side(game, "match", "Ks 5d", "9h Ks") == LOSS


def test_ps_m2_reading_match_by(game: GameTables, tables: Tables) -> None:
    """PS-M2 and PS-M7, other answer: both of the player-dealer's cards count."""
    both = tables(ID, match_by="both-cards")
    assert side(both, "match", "Ks 5d", "9h Ks") == 9
    assert side(both, "match", "Ks 5d", "Kh 5d") == 13
    assert side(both, "match", "Ks 5d", "Kh Ks") == 9
    assert side(both, "match", "Ks 5d", "9h 8s") == LOSS
    assert differences(both, game) == {"observers"}


def test_ps_m3_it_needs_a_base_wager(game: GameTables) -> None:
    """PS-M3"""
    assert game.money.wagers["match"].needs == "base"
    assert not game.money.wagers["match"].mandatory


def test_ps_m4_backline_betting_on_it(game: GameTables) -> None:
    """PS-M4: backline betting is permitted, on this wager as on all."""
    assert game.money.backline != "none"


@pytest.mark.parametrize(("schedule", "low", "high"), [(1, 300, 20000), (50, 10000, 50000)])
def test_ps_m5_within_the_tables_limits(tables: Tables, schedule: int, low: int, high: int) -> None:
    """PS-M5: its limits are the table's own, whatever the base wager."""
    money = tables(ID, fee_schedule=schedule).money
    for wager in ("base", "match"):
        assert (money.wagers[wager].minimum, money.wagers[wager].maximum) == (low, high)
    assert money.bonus_share is None


def test_ps_m6_it_stays_in_action(game: GameTables) -> None:
    """PS-M6: whether the player busts or has Pure Spanish 21.5, which is paid at once."""
    assert game.observers["match"].stays_after_bust
    for up in ("As", "Ks", "8s", "6s"):
        assert is_settled(game, "As Kd", up)


def test_ps_m7_settled_after_the_player_dealers_hand(game: GameTables) -> None:
    """PS-M7: in rotation with the base wager."""
    assert game.observers["match"].settled == "with-base"
    assert in_order(game, "dealer", "settle")


def test_ps_m8_the_player_dealer_pays_and_collects_it(game: GameTables) -> None:
    """PS-M8"""
    assert game.money.bank == "player-dealer"
    assert "match" in game.money.order


def test_ps_m9_action_order(game: GameTables) -> None:
    """PS-M9: base wager, then Match; what the bank cannot cover is returned."""
    assert game.money.order == ("base", "match")
    assert game.money.cover == "limited"


@pytest.mark.parametrize(
    ("hand", "up", "pays"),
    [
        ("Ks Ks", "Ks", 18),
        ("Ks Kd", "Ks", 13),
        ("Kd Ks", "Ks", 13),
        ("Ks 5d", "Ks", 9),
        ("Kd Kh", "Ks", 8),
        ("Kd Kd", "Ks", 8),
        ("Kd 5s", "Ks", 4),
        ("Qs 5s", "Ks", -1),
    ],
)
def test_ps_mpay_pay_table(game: GameTables, hand: str, up: str, pays: int) -> None:
    """PS-MPAY: the pay table printed for six decks."""
    assert side(game, "match", hand, up) == pays


@pytest.mark.parametrize("decks", [4, 5, 7, 8])
def test_ps_mpay_other_deck_counts(tables: Tables, decks: int) -> None:
    """PS-MPAY, decided: the same table with any number of decks."""
    chosen = tables(ID, decks=decks)
    assert side(chosen, "match", "Ks Ks", "Ks") == 18
    assert side(chosen, "match", "Kd 5s", "Ks") == 4


def test_ps_mpay_the_operator_may_set_another(tmp_path: Path) -> None:
    """PS-MPAY, decided: unless the operator sets a pay table, in a game file of their own."""
    own = tmp_path / "own.toml"
    own.write_text(
        f'id = "own"\nversion = 1\nname = "Own"\nsource = "ours"\nextends = "{ID}"\n'
        '[shoe]\ndecks = 8\n[paytables.match]\nrows = [["two suited", 20], ["one suited", 12]]\n'
        '[clauses]\nOWN-1 = { kind = "money", says = "Ours.", sets = ["paytables.match.rows"] }\n'
    )
    game = tables_for(str(own))
    assert side(game, "match", "Ks Ks", "Ks") == 20
    assert side(game, "match", "Ks 5d", "Ks") == 12
    assert side(game, "match", "Kd 5s", "Ks") == LOSS


def own_game(folder: Path, table: str) -> str:
    """A game of eight decks with a Match pay table of its own."""
    own = folder / "own.toml"
    own.write_text(
        f'id = "own"\nversion = 1\nname = "Own"\nsource = "ours"\nextends = "{ID}"\n'
        f"[paytables.match]\n{table}\n"
        '[clauses]\nOWN-1 = { kind = "money", says = "Ours.", sets = ["paytables.match"] }\n'
    )
    return str(own)


def assumed(game: GameTables) -> bool:
    """Whether the Match pay table is printed for another number of decks."""
    return any(one.path == "paytables.match.rows" for one in game.rulebook.assumed)


def test_ps_mpay_a_pay_table_for_each_number_of_decks(tmp_path: Path) -> None:
    """PS-MPAY, SR-10: a file can give rows for other numbers of decks."""
    rows = '[["two suited", 20], ["one suited", 12]]'
    own = own_game(tmp_path, f"rows_by_decks = {{ 8 = {rows} }}")
    six, seven, eight = (tables_for(own, {"decks": str(decks)}) for decks in (6, 7, 8))
    assert [side(game, "match", "Ks Ks", "Ks") for game in (six, seven, eight)] == [18, 18, 20]
    assert side(six, "match", "Kd 5s", "Ks") == 4
    assert side(eight, "match", "Kd 5s", "Ks") == LOSS
    (match,) = (wager for wager in sign_of(eight).wagers if wager.id == "match")
    assert match.pays == (("one suited", "12 to 1"), ("two suited", "20 to 1"))
    # Worked out by hand: of 383 cards, 7 match suit and rank and 24 the rank alone.
    exact = card_wager(eight, "match").ev
    two, one = Fraction(7 * 6), Fraction(2 * 7 * (383 - 31))
    worth = (20 * two + 12 * one - (383 * 382 - two - one)) / (383 * 382)
    assert exact == pytest.approx(float(worth), abs=1e-15)
    assert [assumed(game) for game in (six, seven, eight)] == [False, True, False]


@pytest.mark.parametrize(("decks", "is_assumed"), [(4, True), (6, False), (8, True)])
def test_ps_mpay_other_deck_counts_are_assumed(
    tables: Tables, decks: int, *, is_assumed: bool
) -> None:
    """PS-MPAY, SR-10: the sheet says so where the table is not one of six decks."""
    game = tables(ID, decks=decks)
    told = any("pay table for six decks" in rule.words for rule in game.rulebook.sentences)
    assert told is is_assumed
    assert assumed(game) is is_assumed


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('rows_by_decks = { 8 = [["two pair", 3]] }', 'unknown event "two pair"'),
        ('rows_by_decks = { 8 = [["one suited", 0]] }', '"one suited" pays nothing'),
        ("rows_by_decks = { 8 = [] }", "a pay table has a row"),
        ('rows_by_decks = { 9 = [["one suited", 3]] }', "is no key of this table"),
        ('rows_by_decks = { 6 = [["one suited", 3]] }', "rows for 6 decks stand in rows already"),
        ("printed_for = 9", "printed_for"),
    ],
)
def test_ps_mpay_rows_by_decks_are_checked(tmp_path: Path, table: str, problem: str) -> None:
    """PS-MPAY, SR-10: rows must be events of that table, for decks that there can be."""
    with pytest.raises(UpcardError, match=problem):
        tables_for(own_game(tmp_path, table))


def test_ps_o6_reading_early_surrender(game: GameTables, tables: Tables) -> None:
    """PS-O6 and PS-D13, other answer: surrender comes before the check, so nobody can take more."""
    early = tables(ID, surrender="early")
    assert "early-surrender" in early.round_plan.kinds
    assert "early-surrender" not in game.round_plan.kinds
    assert may(early, "Ks 6d", up="As", phase="early-surrender") == {"surrender", "decline"}
    assert "surrender" not in may(early, "Ks 6d", up="As")
    assert "surrender" in may(early, "Ks 6d", up="7s")


# ---------------------------------------------------------------- collection fees


def test_ps_f1_nothing_from_players(game: GameTables) -> None:
    """PS-F1: schedule 1, by all base and bonus wagers together: $25, $26, $210 and $301."""
    assert fees(game, {"base": 20, "match": 5}) == ([0], 50)
    assert fees(game, {"base": 20, "match": 6}) == ([0], 100)
    assert fees(game, {"base": 100, "match": 20}, {"base": 90}) == ([0, 0], 200)
    assert fees(game, {"base": 200}, {"base": 101}) == ([0, 0], 300)


@pytest.mark.parametrize("schedule", [1, 20, 41])
def test_ps_f1_schedules_1_to_41(tables: Tables, schedule: int) -> None:
    """PS-F1"""
    plan = fee_plan(tables(ID, fee_schedule=schedule))
    assert (plan.schedule.id, plan.schedule.charges) == (schedule, "nothing")
    assert plan.schedule.clauses == ("PS-F1",)


def test_ps_f2_per_spot(tables: Tables) -> None:
    """PS-F2: schedule 42, 50 cents for each spot of $10 to $50; $60 and $201 of action."""
    game = tables(ID, fee_schedule=42)
    assert fees(game, {"base": 50, "match": 10}) == ([100], 100)
    assert fees(game, *({"base": 50} for _ in range(4)), {"base": 10})[1] == 200
    for schedule in (42, 45):
        assert fee_plan(tables(ID, fee_schedule=schedule)).schedule.charges == "per-spot"


def test_ps_f3_by_the_players_wager(tables: Tables) -> None:
    """PS-F3: schedule 46, by the base wager; the action of $109 counts the bonus wager."""
    game = tables(ID, fee_schedule=46)
    assert fees(game, {"base": 49, "match": 60}) == ([50], 50)
    assert fees(game, {"base": 101, "match": 60}) == ([200], 100)
    for schedule in (46, 52):
        assert fee_plan(tables(ID, fee_schedule=schedule)).schedule.charges == "per-player"


def test_ps_f3_reading_fee_basis(tables: Tables) -> None:
    """PS-F3, other answer: base and bonus together, $109, pay $2."""
    together = tables(ID, fee_schedule=46, fee_basis="base-and-bonus")
    assert fees(together, {"base": 49, "match": 60}) == ([200], 50)
    assert fees(together, {"base": 49}) == ([50], 50)
    assert differences(together, tables(ID, fee_schedule=46)) == {"money"}


def test_ps_f3_reading_fee_per(tables: Tables) -> None:
    """PS-F3, SR-8, other answer: once by all circles of a player, $80 in schedule 48 for $1."""
    circle, player = (tables(ID, fee_schedule=48, fee_per=per) for per in ("circle", "player"))
    wagers = [{"base": 4000}, {"base": 4000}, {"base": 4000}]
    owners = ["Ann", "Bo", "Ann"]
    for game, due in ((circle, [50, 50, 50]), (player, [100, 50, 0])):
        costs = fee_plan(game).quote(wagers, players=owners)
        assert [seat.fee for seat in costs.seats] == due
        assert costs.player_dealer.fee == 50
        assert [seat.fee for seat in fee_plan(game).quote(wagers).seats] == [50, 50, 50]
    assert differences(player, circle) == {"money"}


def test_ps_f4_taken_before_any_card(game: GameTables) -> None:
    """PS-F4: flat amounts by posted rows, at most five a side, taken before the deal."""
    assert in_order(game, "wagers", "fees", "deal")
    assert "PS-F4" in step_cites(game, "fees")
    book = load_game(ID).fee_book
    assert book is not None
    assert book.most_rates == 5
    assert "too-many-rates" not in {finding.kind for finding in lint(book)}


def test_ps_f5_all_52_schedules() -> None:
    """PS-F5: schedules 1 to 52 are there; the first is the default."""
    book = load_game(ID).fee_book
    assert book is not None
    assert [schedule.id for schedule in book.schedules] == list(range(1, 53))


def test_ps_f5_rows_as_printed(game: GameTables, tables: Tables) -> None:
    """PS-F5: schedules 1 and 52, row by row."""
    first = fee_plan(game).schedule
    assert [row.printed for row in first.player_dealer] == [
        *("$3-$25 $0.50", "$26-$100 $1.00", "$101-$200 $1", "$201-$300 $2", "$301+ $3")
    ]
    last = fee_plan(tables(ID, fee_schedule=52)).schedule
    assert [row.printed for row in last.players] == [
        *("$100-$200 $1", "$201-$400 $2", "$401-$600 $5", "$1000+ $7")
    ]


def test_ps_f5_defects_are_kept_and_reported() -> None:
    """PS-F5, decided: schedule 41 has a gap and an overlap, 36 repeats 35."""
    book = load_game(ID).fee_book
    assert book is not None
    found = {(finding.schedule, finding.kind) for finding in lint(book)}
    assert {(41, "gap"), (41, "overlap"), (36, "repeats-schedule")} <= found


def test_ps_f5_a_fee_that_is_not_determined_is_refused(tables: Tables) -> None:
    """PS-F5, decided: schedule 41 has no fee for $250 and two for $450."""
    game = tables(ID, fee_schedule=41)
    assert "$101 - $200 $3.00" in no_fee(game, {"base": 250})
    assert "$401-$500 $5.00" in no_fee(game, {"base": 450})


@pytest.mark.parametrize(
    ("resolution", "gap", "overlap"), [("lower-fee", 300, 400), ("higher-fee", 400, 500)]
)
def test_ps_f5_option_fee_resolution(
    tables: Tables, resolution: str, gap: int, overlap: int
) -> None:
    """PS-F5, decided: unless the operator chose a resolution."""
    game = tables(ID, fee_schedule=41, fee_resolution=resolution)
    assert fees(game, {"base": 250}) == ([0], gap)
    assert fees(game, {"base": 450}) == ([0], overlap)


def test_what_the_source_leaves_to_the_floor(game: GameTables, tables: Tables) -> None:
    """Assumed: a cut card at three quarters, one card burned, discards shuffled if need be."""
    shoe = game.round_plan.shoe
    assert (shoe.shuffle, shoe.penetration) == ("cut-card", 0.75)
    assert shoe.burn == 1
    assert (game.money.chip, game.money.rounding) == (1, "down")
    assert tables(ID, penetration=0.5).round_plan.shoe.penetration == 0.5
    assert tables(ID, chip=50, rounding="nearest").money.rounding == "nearest"


def test_wagers_are_whole_dollars(game: GameTables) -> None:
    """PS-F5, decided: every wager is a multiple of one dollar."""
    assert game.money.unit == 100
