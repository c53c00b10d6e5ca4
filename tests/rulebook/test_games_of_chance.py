"""Games of Chance blackjack, clause by clause."""

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
    dollars_besides,
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
    said,
    shown,
    stake,
    step_cites,
)
from upcard import Action, GameTables
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from conftest import Tables

ID = "games-of-chance-blackjack"
THREE_TO_TWO = Fraction(3, 2)
CLAUSES = {
    *("GC-NAME", "GC-OBJ", "GC-VAL", "GC-TURN", "GC-DEALER", "GC-SIDE", "GC-EQUIP", "GC-DEAL"),
    *("GC-SIGNAL", "GC-PAY", "GC-BJ", "GC-TIE", "GC-ACE", "GC-SPLIT", "GC-DOUBLE", "GC-SURR"),
    *("GC-INS", "GC-ANTE", "GC-AMT", "GC-CONDUCT"),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_every_clause_is_shown(game: GameTables) -> None:
    """Cited by a sentence of the rule sheet or by a step of the round."""
    assert CLAUSES - shown(game) == set()


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "blackjack_bonus": "three-to-two",
        "tie_dollar": "hand",
        "late_natural_takes": "all",
        "drawn_21": "natural-wins",
        "unchecked_surrender": "natural-takes-all",
        "insurance_amount": "half",
        "max_hands": "4",
        "added_wagers": "any",
        "hand_of_21": "stands",
    }


def test_gc_ins_reading_insurance_amount(game: GameTables, tables: Tables) -> None:
    """GC-INS: half the bet at most, decided; other answer: the whole bet."""
    assert game.money.insurance_share == Fraction(1, 2)
    assert tables(ID, insurance_amount="whole").money.insurance_share == 1


def test_gc_conduct_is_a_matter_of_house_rules(game: GameTables) -> None:
    """GC-CONDUCT, SR-30: on the rule sheet and on the sign."""
    words = "Conduct at the table is set by the house rules."
    assert game.floor.conduct == words
    (sentence,) = (rule for rule in game.rulebook.sentences if rule.words == words)
    assert sentence.clauses == ("GC-CONDUCT",)
    assert words in sign_of(game).notices


def test_gc_amt_reading_added_wagers(game: GameTables, tables: Tables) -> None:
    """GC-AMT, SR-32: any whole dollar may be added, decided; other answer: two or four."""
    printed = tables(ID, added_wagers="printed")
    assert [game.settlement.largest("insurance", bet) for bet in (200, 400)] == [100, 200]
    assert [printed.settlement.largest("insurance", bet) for bet in (200, 400)] == [0, 200]
    whole = tables(ID, added_wagers="printed", insurance_amount="whole")
    assert [whole.settlement.largest("insurance", bet) for bet in (200, 400)] == [200, 400]
    assert differences(printed, game) == {"money"}


def test_gc_split_reading_max_hands(tables: Tables) -> None:
    """GC-SPLIT, SR-33: a new hand is split again up to four hands, decided; or three, or two."""
    for most in (2, 3, 4):
        chosen = tables(ID, max_hands=most)
        assert max(context.hands for context in chosen.contexts.contexts) == most


def test_gc_ante_is_placed_to_play_a_hand(game: GameTables) -> None:
    """GC-ANTE: the main wager has the source's name."""
    assert game.money.wagers["base"].name == "Ante"
    assert game.money.wagers["base"].mandatory
    assert step_cites(game, "wagers") == {"GC-ANTE"}


def test_gc_name_blackjack_also_known_as_21(game: GameTables) -> None:
    """GC-NAME: both names are told."""
    assert "Blackjack" in game.name
    clause = next(clause for clause in game.rulebook.clauses if clause.id == "GC-NAME")
    assert "also known as 21" in clause.summary
    assert game.also_known_as == ("Blackjack", "21")


def test_gc_obj_closer_to_21_without_going_over(game: GameTables) -> None:
    """GC-OBJ"""
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "Ts 8d", "Ts 9d") == LOSS
    assert reads(game, "Ts 9d 2c") == "hard 21"
    assert reads(game, "Ts 9d 3c") == "over"
    assert result(game, "Ts 9d 3c", "Ts 7d") == LOSS


@pytest.mark.parametrize("ten", ["Td", "Jd", "Qd", "Kd"])
def test_gc_obj_blackjack_is_the_first_two_cards(game: GameTables, ten: str) -> None:
    """GC-OBJ: an ace with a ten-value card wins the table odds."""
    assert reads(game, f"As {ten}") == "natural 21"
    assert reads(game, f"{ten} As") == "natural 21"
    assert reads(game, f"5s 6d {ten}") == "hard 21"


def test_gc_obj_blackjack_beats_any_other_21(game: GameTables) -> None:
    """GC-OBJ, decided: whoever has it."""
    assert result(game, "As Kd", "Ts 5d 6c") == THREE_TO_TWO
    assert dollars_besides(game, "As Kd", "Ts 5d 6c") == 0
    assert result(game, "7s 7d 7c", "Ts Ad") == LOSS
    assert dollars_besides(game, "7s 7d 7c", "Ts Ad") == 0


def test_gc_obj_reading_drawn_21(game: GameTables, tables: Tables) -> None:
    """GC-OBJ and GC-TIE, other answer: the sums are equal, so it costs one dollar."""
    equal = tables(ID, drawn_21="equal-sums")
    assert result(equal, "7s 7d 7c", "Ts Ad") == PUSH
    assert dollars_besides(equal, "7s 7d 7c", "Ts Ad") == -1
    assert result(equal, "Ts Kd", "Ts Ad") == LOSS
    assert dollars_besides(equal, "As Kd", "Ts Ad") == 0
    assert differences(equal, game) == {"payoffs"}


def test_gc_val_card_values(game: GameTables) -> None:
    """GC-VAL: ace 1 or 11, soft and hard as usual; tens and courts 10."""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "As 6d Kc") == "hard 17"
    assert reads(game, "As Ad 9c") == "soft 21"
    assert reads(game, "Ts Jd") == "hard 20"
    assert reads(game, "Qs Kd") == "hard 20"
    assert reads(game, "2s 9d") == "hard 11"


def test_gc_turn_from_the_dealers_left(game: GameTables) -> None:
    """GC-TURN: players wait their turn and do not touch the cards."""
    assert game.round_plan.starts == "dealers-left"
    assert step_cites(game, "turns") == {"GC-TURN"}
    assert "wait their turn" in said(game.floor.handling)
    assert "do not touch" in said(game.floor.handling)


def test_gc_turn_a_hand_of_21_stands_by_itself(game: GameTables, tables: Tables) -> None:
    """GC-TURN, decided for every game; other answer: the player is asked."""
    assert may(game, "5s 6d Kc", up="6h") == {"stand"}
    asks = tables(ID, hand_of_21="asks")
    assert may(asks, "5s 6d Kc", up="6h") == HIT_OR_STAND
    assert differences(asks, game) == {"hands"}


def test_gc_dealer_hits_below_17(game: GameTables) -> None:
    """GC-DEALER: and otherwise stands, also on soft 17."""
    assert dealer(game, "Ts 6d") == "draws"
    assert dealer(game, "As 5d") == "draws"
    assert dealer(game, "As 6d") == "17"
    assert dealer(game, "Ts 7d") == "17"
    assert "GC-DEALER" in refusal(ID, soft17="hit")


def test_gc_side_no_bets_among_players(game: GameTables) -> None:
    """GC-SIDE"""
    assert game.money.backline == "none"
    assert "GC-SIDE" in game.cites["backline"]
    assert set(game.money.wagers) == {"base"}


def test_gc_equip_equipment(game: GameTables) -> None:
    """GC-EQUIP"""
    for thing in ("felt", "cards", "chips", "shoe", "shuffler is optional"):
        assert thing in said(game.floor.equipment)


def test_gc_deal_two_passes(game: GameTables) -> None:
    """GC-DEAL: from the dealer's left; one of the dealer's two cards is exposed."""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert not game.round_plan.by_position
    assert game.round_plan.starts == "dealers-left"


def test_gc_signal_hand_signals(game: GameTables) -> None:
    """GC-SIGNAL: a hand signal overrules the voice."""
    assert "tap" in said(game.floor.signals["hit"])
    assert "wave" in said(game.floor.signals["stand"])
    assert "overrules the voice" in said(game.floor.signals["rule"])


def test_gc_pay_dealer_over_all_remaining_hands_win(game: GameTables) -> None:
    """GC-PAY: otherwise higher hands are paid and lower ones lose."""
    for hand in ("2s 3d", "Ts 6d", "Ts Kd"):
        assert result(game, hand, "Ts 6d Kc") == EVEN
    assert result(game, "Ts 6d Kc", "Ts 6d 9c") == LOSS
    assert is_settled(game, "Ts 6d Kc")
    assert is_settled(game, "Ts 6d Kc", up="Ks")
    assert result(game, "Ts Kd", "Ts 9d") == EVEN
    assert result(game, "Ts 2d", "Ts 7d") == LOSS
    assert game.money.bank == "house"
    assert step_cites(game, "settle") == {"GC-PAY"}


def test_gc_bj_pays_3_to_2(game: GameTables) -> None:
    """GC-BJ: a bonus of half the bet; both blackjack push and cost nothing."""
    assert result(game, "As Kd", "Ts 7d") == THREE_TO_TWO
    assert result(game, "As Kd", "Ah Qs") == PUSH
    assert dollars_besides(game, "As Kd", "Ah Qs") == 0
    assert "GC-BJ" in refusal(ID, natural="6:5")


def test_gc_bj_reading_blackjack_bonus(game: GameTables, tables: Tables) -> None:
    """GC-BJ, other answer: half the bet is all that a blackjack wins."""
    half = tables(ID, blackjack_bonus="half-the-bet")
    assert result(half, "As Kd", "Ts 7d") == Fraction(1, 2)
    assert result(half, "As Kd", "Ah Qs") == PUSH
    assert differences(half, game) == {"payoffs"}


@pytest.mark.parametrize(
    ("hand", "dealers"),
    [
        ("Ts 7d", "Ks 7h"),
        ("As 6d", "Ks 7h"),
        ("Ts 8d", "Ks 8h"),
        ("Ts 9d", "Ks 9h"),
        ("Ts Kd", "Qs Kh"),
        ("7s 7d 7c", "Ts 5d 6c"),
        ("As Ad split Kc", "Ts 5d 6c"),
        ("5s 6d double 7c", "Ks 8h"),
    ],
)
def test_gc_tie_costs_one_dollar(game: GameTables, hand: str, dealers: str) -> None:
    """GC-TIE: whatever the bet, so also for a split or a doubled hand."""
    assert dollars_besides(game, hand, dealers) == -1
    assert result(game, hand, dealers) == PUSH
    assert result(game, hand, dealers, added=True) == PUSH


@pytest.mark.parametrize(
    ("hand", "dealers"), [("Ts 9d", "Ks 8h"), ("Ts 8d", "Ks 9h"), ("Ts 6d Kc", "Ks 6h 9c")]
)
def test_gc_tie_nothing_else_costs_a_dollar(game: GameTables, hand: str, dealers: str) -> None:
    """GC-TIE"""
    assert dollars_besides(game, hand, dealers) == 0


def test_gc_tie_reading_tie_dollar(game: GameTables, tables: Tables) -> None:
    """GC-TIE, decided: every tied hand; other answer: every player once."""
    assert game.money.flat_per == "hand"
    once = tables(ID, tie_dollar="player")
    assert once.money.flat_per == "player"
    assert differences(once, game) == {"money"}


def test_gc_ace_the_dealer_checks_under_an_ace_only(game: GameTables) -> None:
    """GC-ACE, decided: under a ten the natural shows at the end."""
    assert checked_under(game) == {"A"}
    assert in_order(game, "insurance", "peek", "turns")
    assert step_cites(game, "peek") == {"GC-ACE"}


def test_gc_ace_option_peek(game: GameTables, tables: Tables) -> None:
    """GC-ACE: the dealer may check under a ten too, but not nowhere."""
    both = tables(ID, peek="ace-or-ten")
    assert checked_under(both) == {"A", "T"}
    assert differences(both, game) == {"dealer"}
    assert "GC-ACE" in refusal(ID, peek="none")


def test_gc_ace_a_natural_under_a_ten_takes_everything(game: GameTables) -> None:
    """GC-ACE, decided: everything wagered on the hands it beats."""
    assert result(game, "5s 6d double 9c", "Ts Ad") == LOSS
    assert result(game, "5s 6d double 9c", "Ts Ad", added=True) == LOSS
    assert result(game, "8s 8d split Tc", "Ts Ad", added=True) == LOSS


def test_gc_ace_reading_late_natural_takes(game: GameTables, tables: Tables) -> None:
    """GC-ACE and GC-PAY, other answer: the original wager only."""
    original = tables(ID, late_natural_takes="original")
    assert result(original, "5s 6d double 9c", "Ts Ad") == LOSS
    assert result(original, "5s 6d double 9c", "Ts Ad", added=True) == PUSH
    assert differences(original, game) == {"payoffs"}


def test_gc_split_for_a_bet_equal_to_the_ante(game: GameTables) -> None:
    """GC-SPLIT: the first two cards of a pair; each hand has the ante."""
    assert may(game, "8s 8d", up="6h") == {*HIT_OR_STAND, "double", "split", "surrender"}
    assert "split" in may(game, "Ts Kd", up="6h")
    # SR-33: that it takes a pair is assumed.
    assert refused_by(game, "8s 9d", "6h", "split") == ()
    assert "GC-SPLIT" in refused_by(game, "5s 2d 4c", "6h", "split")
    assert stake(game, "8s 8d split") == 1


def test_gc_split_ace_with_ten_is_21(game: GameTables) -> None:
    """GC-SPLIT: not blackjack."""
    for story in ("As Ad split Kc", "Ks Qd split Ac"):
        assert reads(game, story) == "soft 21"
        assert result(game, story, "Ts 7d") == EVEN


def test_gc_split_defaults(game: GameTables) -> None:
    """GC-SPLIT, decided: four hands; aces once, one card each."""
    three = "8s 8d split 8c split 8h"
    assert "split" in may(game, three, up="6h")
    assert "split" not in may(game, f"{three} split 8s", up="6h")
    assert may(game, "As Ad split 5c", up="6h") == {"stand"}
    assert may(game, "As Ad split Ac", up="6h") == {"stand"}


def test_gc_split_operators_options(tables: Tables) -> None:
    """GC-SPLIT: rank or value, two to four hands, aces; splitting itself stays."""
    assert "split" not in may(tables(ID, split="rank"), "Ts Kd", up="6h")
    assert "split" not in may(tables(ID, max_hands=2), "8s 8d split 8c", up="6h")
    assert "split" in may(tables(ID, resplit_aces=True), "As Ad split Ac", up="6h")
    assert "hit" in may(tables(ID, split_aces="draw"), "As Ad split 5c", up="6h")
    assert "GC-SPLIT" in refusal(ID, split="none")
    assert "GC-SPLIT" in refusal(ID, max_hands=1)


def test_gc_double_one_more_card(game: GameTables) -> None:
    """GC-DOUBLE, decided: any two cards and after a split; for less is allowed."""
    for hand in ("5s 6d", "Ts 7d", "As 7d", "8s 8d split 3c"):
        assert "double" in may(game, hand, up="6h")
    assert may(game, "5s 6d double 3c", up="6h") == {"stand"}
    assert "GC-DOUBLE" in refused_by(game, "5s 6d double 3c", "6h", "hit")
    # SR-34: which hands may double is the house's own.
    assert refused_by(game, "5s 2d 4c", "6h", "double") == ()
    assert game.effects.stake[Action.DOUBLE].for_less


def test_gc_double_operators_options(tables: Tables) -> None:
    """GC-DOUBLE: which hands, and after a split; doubling and doubling for less stay."""
    assert "double" not in may(tables(ID, double="10-11"), "3s 6d", up="6h")
    assert "double" not in may(tables(ID, double="9-11"), "2s 6d", up="6h")
    assert "double" in may(tables(ID, double="any-count"), "5s 2d 4c", up="6h")
    assert "double" not in may(tables(ID, double_after_split=False), "8s 8d split 3c", up="6h")
    assert "GC-DOUBLE" in refusal(ID, double="none")
    assert "GC-DOUBLE" in refusal(ID, double_for_less="false")


def test_gc_surr_late_by_default(game: GameTables) -> None:
    """GC-SURR: half the bet, after the check; only the first two cards of the original hand."""
    assert "early-surrender" not in game.round_plan.kinds
    assert "surrender" in may(game, "Ts 6d", up="Ah")
    assert "surrender" not in may(game, "Ts 6d", up="Ah", phase="early-surrender")
    assert "surrender" not in may(game, "Ts 2d 4c", up="Kh")
    assert "surrender" not in may(game, "8s 8d split 8c", up="Kh")
    assert result(game, "Ts 6d surrender", "Ts 7d") == HALF
    assert result(game, "Ts 6d surrender", "Ts 6d Kc") == HALF


def test_gc_surr_late_under_a_ten_stands_only_without_a_natural(game: GameTables) -> None:
    """GC-SURR, decided: a natural that shows at the end takes the whole wager."""
    assert "surrender" in may(game, "Ts 6d", up="Kh")
    assert result(game, "Ts 6d surrender", "Kh Ad") == LOSS


def test_gc_surr_reading_unchecked_surrender(game: GameTables, tables: Tables) -> None:
    """GC-SURR and GC-ACE, other answer: the surrender was final at half."""
    final = tables(ID, unchecked_surrender="final")
    assert result(final, "Ts 6d surrender", "Kh Ad") == HALF
    assert differences(final, game) == {"payoffs"}


def test_gc_surr_option_early(tables: Tables) -> None:
    """GC-SURR: before the dealer checks, and final at half."""
    early = tables(ID, surrender="early")
    assert in_order(early, "deal", "early-surrender", "peek", "turns")
    assert "surrender" in may(early, "Ts 6d", up="Ah", phase="early-surrender")
    assert "surrender" not in may(early, "Ts 6d", up="Ah")
    assert "surrender" in may(early, "Ts 6d", up="Kh")
    assert result(early, "Ts 6d surrender", "Kh Ad") == HALF
    assert result(early, "Ts 6d surrender", "Ah Kd") == HALF


def test_gc_surr_option_both(tables: Tables) -> None:
    """GC-SURR, SR-31: early and, if declined, late; under an unchecked ten late as decided."""
    both = tables(ID, surrender="both")
    assert in_order(both, "deal", "insurance", "early-surrender", "peek", "turns")
    for up in ("Ah", "Kh"):
        assert may(both, "Ts 6d", up=up, phase="early-surrender") == {"surrender", "decline"}
        assert "surrender" in may(both, "Ts 6d", up=up)
    assert may(both, "Ts 6d", up="9h", phase="early-surrender") == set()
    assert "surrender" in may(both, "Ts 6d", up="9h")
    assert may(both, "As Kd", up="Ah", phase="early-surrender") == {"decline"}
    late, early = (both.class_index[name] for name in ("surrendered", "surrendered-early"))
    natural = [found.is_natural for found in both.dealer.classes].index(True)
    assert both.payoffs["base"].odds[late][natural] == LOSS
    assert set(both.payoffs["base"].odds[early]) == {HALF}
    final = tables(ID, surrender="both", unchecked_surrender="final")
    assert final.payoffs["base"].odds[late][natural] == HALF


def test_gc_surr_option_none(tables: Tables) -> None:
    """GC-SURR"""
    none = tables(ID, surrender="none")
    assert may(none, "Ts 6d", up="Kh") == {*HIT_OR_STAND, "double"}
    assert refused_by(none, "Ts 6d", "Kh", "surrender") == ("GC-SURR",)


def test_gc_ins_with_an_ace_up(game: GameTables) -> None:
    """GC-INS and GC-ACE: only with an ace up."""
    assert may(game, "Ts 6d", up="Ah", phase="insurance") == {"insure", "decline"}
    assert may(game, "Ts 6d", up="Kh", phase="insurance") == set()
    assert step_cites(game, "insurance") == {"GC-INS"}


def test_gc_ins_up_to_half_the_bet_at_2_to_1(game: GameTables) -> None:
    """GC-INS, decided"""
    assert game.money.insurance_share == Fraction(1, 2)
    assert result(game, "Ts 6d", "Ah Kd", wager="insurance") == 2
    assert result(game, "Ts 6d", "Ah 8d", wager="insurance") == LOSS


def test_gc_ins_may_be_left_out(tables: Tables) -> None:
    """GC-INS and GC-ACE: bonus bets may be offered."""
    without = tables(ID, insurance=False)
    assert "insurance" not in without.payoffs
    assert "insurance" not in without.round_plan.kinds


def test_gc_amt_two_or_four_dollars(game: GameTables) -> None:
    """GC-AMT: nothing else."""
    assert game.money.wagers["base"].name == "Ante"
    assert game.money.wagers["base"].amounts == (200, 400)
    assert game.money.wagers["base"].mandatory


def test_six_decks_in_a_shoe(game: GameTables, tables: Tables) -> None:
    """Decided, and the operator's option; the rest of the shoe as on any floor."""
    assert game.alphabet.decks == 6
    shoe = game.round_plan.shoe
    assert (shoe.shuffle, shoe.penetration) == ("cut-card", 0.75)
    assert shoe.burn == 1
    assert tables(ID, decks=2).alphabet.decks == 2
    assert tables(ID, penetration=0.5).round_plan.shoe.penetration == 0.5
    assert game.round_plan.positions == 7
    assert game.round_plan.several_boxes
    assert tables(ID, positions=9).round_plan.positions == 9
    assert (game.money.chip, game.money.rounding) == (1, "down")
    assert tables(ID, chip=25, rounding="up").money.chip == 25
