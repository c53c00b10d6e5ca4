"""House blackjack, clause by clause."""

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
    result,
    shown,
    stake,
    step_cites,
)
from upcard import Action, GameTables

if TYPE_CHECKING:
    from conftest import Tables

CLAUSES = {
    *("HB-DECKS", "HB-COUNT", "HB-SOFT17", "HB-NATURAL", "HB-HOLE", "HB-SPLIT", "HB-ACES"),
    *("HB-DOUBLE", "HB-LATE", "HB-SURRENDER", "HB-INSURANCE", "HB-TIE", "HB-CHARLIE", "HB-22"),
    *("HB-CUT", "HB-BURN", "HB-OUT", "HB-IRREGULAR", "HB-BOXES", "HB-ORDER"),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables("blackjack")


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {"hand_of_21": "stands"}


def test_hb_decks_six_decks_by_default(game: GameTables) -> None:
    """HB-DECKS: six decks hold 24 aces and 96 ten-value cards."""
    counts = dict(zip([s.name for s in game.alphabet.symbols], game.alphabet.counts, strict=True))
    assert game.alphabet.decks == 6
    assert (counts["A"], counts["T"], counts["5"]) == (24, 96, 24)


@pytest.mark.parametrize("decks", [1, 2, 3, 4, 5, 6, 7, 8])
def test_hb_decks_one_to_eight(tables: Tables, decks: int) -> None:
    """HB-DECKS: the house chooses one to eight decks, and nothing else changes with them."""
    chosen = tables("blackjack", decks=decks)
    assert int(chosen.alphabet.counts.sum()) == 52 * decks
    assert differences(chosen, tables("blackjack")) <= {"alphabet"}


@pytest.mark.parametrize("decks", [0, 9])
def test_hb_decks_no_other_number(decks: int) -> None:
    """HB-DECKS"""
    assert "HB-DECKS" in refusal("blackjack", decks=decks)


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("As 5d", "soft 16"),
        ("As 5d Kh", "hard 16"),
        ("As Ad", "soft 12"),
        ("As Ad 9c", "soft 21"),
        ("As Ad Kc 9d", "hard 21"),
        ("Ts Jd", "hard 20"),
        ("Qs Kd", "hard 20"),
        ("2s 9d", "hard 11"),
        ("Ts 9d 2c", "hard 21"),
        ("Ts 9d 3c", "over"),
        ("Ts 2d Kc", "over"),
    ],
)
def test_hb_count_what_cards_count(game: GameTables, cards: str, total: str) -> None:
    """HB-COUNT: ace one or eleven, courts ten, other cards their face; above 21 is over."""
    assert reads(game, cards) == total


@pytest.mark.parametrize("dealers", ["Ts 7d", "Ts 8d", "Ts 6d Kc", "As Kd"])
def test_hb_count_a_hand_over_is_lost(game: GameTables, dealers: str) -> None:
    """HB-COUNT: a hand over 21 is lost, also if the dealer goes over."""
    assert result(game, "Ts 6d Kc", dealers) == LOSS
    assert may(game, "Ts 6d Kc", up="Ts") == set()


def test_hb_count_a_hand_over_is_lost_at_once(tables: Tables) -> None:
    """HB-COUNT: only a late natural, which gives added wagers back, can still matter."""
    assert is_settled(tables("blackjack"), "Ts 6d Kc", up="Ks")
    unchecked = tables("blackjack", peek="none")
    assert is_settled(unchecked, "Ts 6d Kc", up="6s")
    assert not is_settled(unchecked, "Ts 6d Kc", up="Ks")


def test_hb_soft17_dealer_draws_to_16_and_stands_on_17(game: GameTables) -> None:
    """HB-SOFT17"""
    assert dealer(game, "Ts 6d") == "draws"
    assert dealer(game, "As 5d") == "draws"
    assert dealer(game, "Ts 7d") == "17"
    assert dealer(game, "As 6d") == "17"
    assert dealer(game, "As 5d Kc Ad") == "17"


def test_hb_soft17_option_hit(tables: Tables) -> None:
    """HB-SOFT17: the house may hit soft 17; hard 17 and soft 18 still stand."""
    hits = tables("blackjack", soft17="hit")
    assert dealer(hits, "As 6d") == "draws"
    assert dealer(hits, "As 2d 4c") == "draws"
    assert dealer(hits, "Ts 7d") == "17"
    assert dealer(hits, "As 6d Kc") == "17"
    assert dealer(hits, "As 7d") == "18"
    assert differences(hits, tables("blackjack")) == {"dealer"}


@pytest.mark.parametrize("ten", ["Td", "Jh", "Qs", "Kc"])
def test_hb_natural_pays_3_to_2(game: GameTables, ten: str) -> None:
    """HB-NATURAL: an ace with any ten-value card in the first two, in either order."""
    for cards in (f"As {ten}", f"{ten} As"):
        assert reads(game, cards) == "natural 21"
        assert may(game, cards, up="6h") == {"stand"}
        assert result(game, cards, "Ts 7d") == Fraction(3, 2)
        assert result(game, cards, "Ts 5d 6c") == Fraction(3, 2)
        assert result(game, cards, "Ts 6d Kc") == Fraction(3, 2)


def test_hb_natural_against_the_dealers_is_a_push(game: GameTables) -> None:
    """HB-NATURAL: both natural push; a drawn 21 loses to a dealer's natural."""
    assert result(game, "As Kd", "Ah Qs") == PUSH
    assert result(game, "7s 7d 7c", "Ah Qs") == LOSS


def test_hb_natural_is_only_the_first_two_cards(game: GameTables) -> None:
    """HB-NATURAL: three cards of 21, or an ace and a ten after a split, are just 21."""
    assert reads(game, "5s 6d Kc") == "hard 21"
    assert result(game, "5s 6d Kc", "Ts 7d") == EVEN
    assert reads(game, "As Ad split Kc") == "soft 21"
    assert result(game, "As Ad split Kc", "Ts 7d") == EVEN
    assert reads(game, "Ks Qd split Ac") == "soft 21"


@pytest.mark.parametrize(
    ("pays", "odds"),
    [
        ("3:2", Fraction(3, 2)),
        ("6:5", Fraction(6, 5)),
        ("7:5", Fraction(7, 5)),
        ("1:1", Fraction(1)),
        ("2:1", Fraction(2)),
    ],
)
def test_hb_natural_option(tables: Tables, pays: str, odds: Fraction) -> None:
    """HB-NATURAL: the table odds are the house's choice; other hands are paid as before."""
    chosen = tables("blackjack", natural=pays)
    assert result(chosen, "As Kd", "Ts 7d") == odds
    assert result(chosen, "As Kd", "Ah Qs") == PUSH
    assert result(chosen, "Ts 9d", "Ts 7d") == EVEN
    assert differences(chosen, tables("blackjack")) <= {"payoffs"}


def test_hb_natural_other_odds_are_refused() -> None:
    """HB-NATURAL"""
    assert "HB-NATURAL" in refusal("blackjack", natural="5:4")


def test_hb_hole_second_card_down_and_checked(game: GameTables) -> None:
    """HB-HOLE: under an ace or a ten the dealer looks before anybody draws."""
    assert deal_of(game)[-1] == "dealer down"
    assert in_order(game, "deal", "peek", "turns", "reveal")
    assert "HB-HOLE" in step_cites(game, "peek")
    assert checked_under(game) == {"A", "T"}
    assert makes_natural(game, up="As", hole="Kd")
    assert makes_natural(game, up="Qs", hole="Ad")
    assert not makes_natural(game, up="As", hole="9d")
    assert not makes_natural(game, up="Ts", hole="Kd")


def test_hb_hole_option_peek(tables: Tables) -> None:
    """HB-HOLE: the house may look under an ace only, or not at all."""
    never = tables("blackjack", peek="none")
    assert checked_under(tables("blackjack", peek="ace")) == {"A"}
    assert checked_under(never) == set()
    assert "peek" not in never.round_plan.kinds
    assert "HB-HOLE" in refusal("blackjack", peek="ten")


def test_hb_split_equal_value(game: GameTables) -> None:
    """HB-SPLIT: two cards of equal value, so a ten with a king too."""
    for pair in ("8s 8d", "As Ad", "Ts Kd", "2s 2d"):
        assert "split" in may(game, pair, up="6h")
    assert "split" not in may(game, "8s 9d", up="6h")
    assert "HB-SPLIT" in refused_by(game, "8s 9d", "6h", "split")
    assert "split" not in may(game, "4s 4d 8c", up="6h")


def test_hb_split_up_to_four_hands(game: GameTables) -> None:
    """HB-SPLIT: three splits make four hands, and then no more."""
    assert "split" in may(game, "8s 8d split 8c split 8h", up="6h")
    four = "8s 8d split 8c split 8h split 8s"
    assert "split" not in may(game, four, up="6h")
    assert refused_by(game, four, "6h", "split") == ("HB-SPLIT",)


def test_hb_split_each_hand_gets_its_card_in_its_turn(game: GameTables) -> None:
    """HB-SPLIT: a hand with one card waits; each is finished before the next gets its second."""
    assert may(game, "8s 8d split", up="6h") == set()
    assert reads(game, "8s 8d split") == "hard 8"
    assert "HB-SPLIT" in step_cites(game, "turns")


def test_hb_split_option_rank(tables: Tables) -> None:
    """HB-SPLIT: by rank a ten and a king are no pair, two kings are."""
    by_rank = tables("blackjack", split="rank")
    assert "split" not in may(by_rank, "Ts Kd", up="6h")
    assert "split" in may(by_rank, "Ks Kd", up="6h")
    assert "split" in may(by_rank, "8s 8d", up="6h")
    assert reads(by_rank, "As Kd") == "natural 21"


def test_hb_split_option_none(tables: Tables) -> None:
    """HB-SPLIT: the house may not offer it, also as one hand at most."""
    for none in (tables("blackjack", split="none"), tables("blackjack", max_hands=1)):
        assert may(none, "8s 8d", up="6h") == {*HIT_OR_STAND, "double", "surrender"}
        assert "HB-SPLIT" in refused_by(none, "8s 8d", "6h", "split")


@pytest.mark.parametrize("most", [2, 3, 4])
def test_hb_split_option_max_hands(tables: Tables, most: int) -> None:
    """HB-SPLIT: the number of hands is the house's choice up to four."""
    chosen = tables("blackjack", max_hands=most)
    story = "8s 8d" + " split 8c" * (most - 2)
    assert "split" in may(chosen, story, up="6h")
    assert "split" not in may(chosen, f"{story} split 8h", up="6h")


def test_hb_split_five_hands_are_refused() -> None:
    """HB-SPLIT"""
    assert "HB-SPLIT" in refusal("blackjack", max_hands=5)


def test_hb_aces_split_once_with_one_card_each(game: GameTables) -> None:
    """HB-ACES: after the one card a split ace stands, and a second pair of aces stays."""
    assert may(game, "As Ad split 5c", up="6h") == {"stand"}
    assert may(game, "As Ad split Ac", up="6h") == {"stand"}
    assert refused_by(game, "As Ad split 5c", "6h", "hit") == ("HB-ACES",)
    assert refused_by(game, "As Ad split 5c", "6h", "double") == ("HB-ACES",)
    assert refused_by(game, "As Ad split Ac", "6h", "split") == ("HB-ACES",)


def test_hb_aces_option_resplit(tables: Tables) -> None:
    """HB-ACES: aces may be resplit to four hands, still with one card each."""
    again = tables("blackjack", resplit_aces=True)
    assert may(again, "As Ad split Ac", up="6h") == {"stand", "split"}
    assert may(again, "As Ad split 5c", up="6h") == {"stand"}
    assert may(again, "As Ad split Ac split Ah split As", up="6h") == {"stand"}
    assert differences(again, tables("blackjack")) == {"legal"}


def test_hb_aces_option_draw(tables: Tables) -> None:
    """HB-ACES: split aces may be drawn to, and then doubled like other split hands."""
    drawn = tables("blackjack", split_aces="draw")
    assert may(drawn, "As Ad split 5c", up="6h") == {*HIT_OR_STAND, "double"}
    assert may(drawn, "As Ad split Ac", up="6h") == {*HIT_OR_STAND, "double"}
    assert differences(drawn, tables("blackjack")) == {"legal"}


def test_hb_double_any_two_cards_for_one_more(game: GameTables) -> None:
    """HB-DOUBLE: any first two cards, one card more, twice the wager."""
    for two in ("5s 6d", "Ts 7d", "As 7d", "2s 3d"):
        assert "double" in may(game, two, up="6h")
    assert refused_by(game, "5s 2d 4c", "6h", "double") == ("HB-DOUBLE",)
    assert may(game, "5s 6d double 3c", up="6h") == {"stand"}
    assert stake(game, "5s 6d double") == 2


def test_hb_double_after_split(game: GameTables, tables: Tables) -> None:
    """HB-DOUBLE: also after a split, unless the house says no."""
    assert "double" in may(game, "8s 8d split 3c", up="6h")
    never = tables("blackjack", double_after_split=False)
    assert may(never, "8s 8d split 3c", up="6h") == HIT_OR_STAND
    assert refused_by(never, "8s 8d split 3c", "6h", "double") == ("HB-DOUBLE",)
    assert "double" in may(never, "8s 3d", up="6h")
    assert differences(never, game) == {"legal"}


@pytest.mark.parametrize(
    ("on", "hands"),
    [
        ("any-two", {"2s 6d", "3s 6d", "4s 6d", "5s 6d", "As 8d", "As 7d"}),
        ("9-11", {"3s 6d", "4s 6d", "5s 6d"}),
        ("10-11", {"4s 6d", "5s 6d"}),
        ("none", set()),
        ("any-count", {"2s 6d", "3s 6d", "4s 6d", "5s 6d", "As 8d", "As 7d", "2s 3d 4c"}),
    ],
)
def test_hb_double_option_on(tables: Tables, on: str, hands: set[str]) -> None:
    """HB-DOUBLE: which hands may double is the house's choice."""
    chosen = tables("blackjack", double=on)
    tried = ("2s 6d", "3s 6d", "4s 6d", "5s 6d", "As 8d", "As 7d", "2s 3d 4c")
    assert {hand for hand in tried if "double" in may(chosen, hand, up="6h")} == hands


def test_hb_double_option_for_less(game: GameTables, tables: Tables) -> None:
    """HB-DOUBLE: doubling for less only where the house allows it."""
    less = tables("blackjack", double_for_less=True)
    assert not game.effects.stake[Action.DOUBLE].for_less
    assert less.effects.stake[Action.DOUBLE].for_less
    assert differences(less, game) == {"stakes"}


def test_hb_late_natural_takes_the_original_wager_only(tables: Tables) -> None:
    """HB-LATE: a natural that shows at the end takes nothing that was added."""
    late = tables("blackjack", peek="none")
    assert result(late, "5s 6d double 9c", "Ts Ad") == LOSS
    assert result(late, "5s 6d double 9c", "Ts Ad", added=True) == PUSH
    assert result(late, "8s 8d split Tc", "Ts Ad", added=True) == PUSH
    assert result(late, "5s 6d double 9c", "Ts 9d", added=True) == EVEN
    assert result(late, "5s 6d double 6c", "Ts 9d", added=True) == LOSS


def test_hb_late_option_all(tables: Tables) -> None:
    """HB-LATE: or the natural takes all bets."""
    takes_all = tables("blackjack", peek="none", late_natural_takes="all")
    assert result(takes_all, "5s 6d double 9c", "Ts Ad") == LOSS
    assert result(takes_all, "5s 6d double 9c", "Ts Ad", added=True) == LOSS
    assert differences(takes_all, tables("blackjack", peek="none")) == {"payoffs"}


def test_hb_surrender_late_for_half(game: GameTables) -> None:
    """HB-SURRENDER: the first two cards, after the check, for half the wager."""
    assert "surrender" in may(game, "Ts 6d", up="Th")
    assert "surrender" in may(game, "8s 8d", up="Ah")
    assert "surrender" not in may(game, "Ts 6d", up="Th", phase="early-surrender")
    assert "surrender" not in may(game, "Ts 2d 4c", up="Th")
    assert "early-surrender" not in game.round_plan.kinds
    for dealers in ("Ts 7d", "Ts 6d Kc", "Ts 5d 6c"):
        assert result(game, "Ts 6d surrender", dealers) == HALF


def test_hb_surrender_late_is_void_against_an_unchecked_natural(tables: Tables) -> None:
    """HB-SURRENDER: it comes after the check, so a natural found later takes the whole wager."""
    late = tables("blackjack", peek="none")
    assert result(late, "Ts 6d surrender", "Ts Ad") == LOSS
    assert result(late, "Ts 6d surrender", "Ts 9d") == HALF


def test_hb_surrender_option_early(tables: Tables) -> None:
    """HB-SURRENDER: early surrender comes before the check and is final at half."""
    early = tables("blackjack", surrender="early")
    assert in_order(early, "deal", "early-surrender", "peek", "turns")
    for up in ("Th", "Ah"):
        assert "surrender" in may(early, "Ts 6d", up=up, phase="early-surrender")
        assert "decline" in may(early, "Ts 6d", up=up, phase="early-surrender")
        assert "surrender" not in may(early, "Ts 6d", up=up)
    assert "surrender" in may(early, "Ts 6d", up="9h")
    assert result(early, "Ts 6d surrender", "Ts Ad") == HALF


def test_hb_surrender_option_none(tables: Tables) -> None:
    """HB-SURRENDER: the house may not offer it."""
    none = tables("blackjack", surrender="none")
    assert may(none, "Ts 6d", up="Th") == {*HIT_OR_STAND, "double"}
    assert refused_by(none, "Ts 6d", "Th", "surrender") == ("HB-SURRENDER",)


def test_hb_surrender_after_split(game: GameTables, tables: Tables) -> None:
    """HB-SURRENDER: not on split hands, unless the house says so; never on split aces."""
    assert "surrender" not in may(game, "8s 8d split 8c", up="Th")
    also = tables("blackjack", surrender_after_split=True)
    assert "surrender" in may(also, "8s 8d split 8c", up="Th")
    assert "surrender" not in may(also, "As Ad split 5c", up="Th")
    assert differences(also, game) == {"legal"}


def test_hb_insurance_with_an_ace_up(game: GameTables) -> None:
    """HB-INSURANCE: offered with an ace up, to half the wager, before the check."""
    assert may(game, "Ts 6d", up="Ah", phase="insurance") == {"insure", "decline"}
    assert may(game, "Ts 6d", up="Th", phase="insurance") == set()
    assert in_order(game, "deal", "insurance", "peek")
    assert game.money.insurance_share == Fraction(1, 2)


@pytest.mark.parametrize("hand", ["Ts 6d", "As Kd", "Ts 6d Kc"])
def test_hb_insurance_pays_2_to_1(game: GameTables, hand: str) -> None:
    """HB-INSURANCE: it pays 2 to 1 on a dealer's natural, whatever the player holds."""
    assert result(game, hand, "Ah Kd", wager="insurance") == Fraction(2)
    assert result(game, hand, "Ah 9d", wager="insurance") == LOSS
    assert result(game, hand, "Ah 5d 5c", wager="insurance") == LOSS


def test_hb_insurance_option_off(tables: Tables) -> None:
    """HB-INSURANCE: the house may not offer it."""
    off = tables("blackjack", insurance=False)
    assert "insurance" not in off.round_plan.kinds
    assert "insurance" not in off.payoffs
    assert may(off, "Ts 6d", up="Ah", phase="insurance") == set()


def test_hb_tie_nearer_21_wins_even_money(game: GameTables) -> None:
    """HB-TIE: the hand nearer 21 wins even money, a tie is a push."""
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "Ts 7d", "Ts 8d") == LOSS
    assert result(game, "2s 3d", "Ts 6d Kc") == EVEN
    for cards in ("Ts 7d", "Ts 8d", "Ts 9d", "Ts Kd", "7s 7d 7c"):
        assert result(game, cards, cards) == PUSH


def test_hb_charlie_none_by_default(game: GameTables) -> None:
    """HB-CHARLIE: without the option five cards are compared like any others."""
    assert result(game, "2s 3d 2c 4h 5s", "Ts 7d") == LOSS
    assert "hit" in may(game, "2s 3d 2c 4h 5s", up="6h")


@pytest.mark.parametrize(
    ("cards", "hand", "shorter"),
    [
        (5, "2s 3d 2c 4h 5s", "2s 3d 2c 4h"),
        (6, "2s 3d 2c 2h 2d 5s", "2s 3d 2c 2h 2d"),
        (7, "2s 2d 2c 2h Ad As 5s", "2s 2d 2c 2h Ad As"),
    ],
)
def test_hb_charlie_option(tables: Tables, cards: int, hand: str, shorter: str) -> None:
    """HB-CHARLIE: that many cards not over 21 win by themselves, even against 21."""
    chosen = tables("blackjack", charlie=cards)
    for dealers in ("Ts 7d", "Ts 5d 6c", "Ts Ad"):
        assert result(chosen, hand, dealers) == EVEN
    assert may(chosen, hand, up="6h") == {"stand"}
    assert "hit" in may(chosen, shorter, up="6h")
    assert result(chosen, shorter, "Ts 5d 6c") == LOSS


def test_hb_charlie_a_hand_over_does_not_win(tables: Tables) -> None:
    """HB-CHARLIE: five cards over 21 are lost; four is no charlie at all."""
    assert result(tables("blackjack", charlie=5), "2s 3d 2c 6h Ts", "Ts 7d") == LOSS
    assert "HB-CHARLIE" in refusal("blackjack", charlie=4)


def test_hb_22_is_over_by_default(game: GameTables) -> None:
    """HB-22: a dealer's 22 loses to every hand that is not over."""
    assert dealer(game, "Ts 6d 6c") == "bust"
    assert result(game, "Ts 2d", "Ts 6d 6c") == EVEN


def test_hb_22_option_push(tables: Tables) -> None:
    """HB-22: a dealer's 22 pushes; a busted hand still loses and a natural is still paid."""
    push = tables("blackjack", dealer_22="push")
    assert result(push, "Ts 2d", "Ts 6d 6c") == PUSH
    assert result(push, "7s 7d 7c", "Ts 6d 6c") == PUSH
    assert result(push, "Ts 6d Kc", "Ts 6d 6c") == LOSS
    assert result(push, "As Kd", "Ts 6d 6c") == Fraction(3, 2)
    assert result(push, "Ts 2d", "Ts 6d 7c") == EVEN


def test_hb_cut_card(game: GameTables, tables: Tables) -> None:
    """HB-CUT: at three quarters, at least five cards from an end; shuffled once it came up."""
    shoe = game.round_plan.shoe
    assert (shoe.shuffle, shoe.penetration, shoe.cut_margin) == ("cut-card", 0.75, 5)
    deeper = tables("blackjack", penetration=0.85)
    assert deeper.round_plan.shoe.penetration == 0.85
    assert differences(deeper, game) == {"round_plan"}
    assert "HB-CUT" in refusal("blackjack", penetration=1.5)


def test_hb_burn_one_card(game: GameTables) -> None:
    """HB-BURN"""
    assert game.round_plan.shoe.burn == 1


def test_hb_out_of_cards(game: GameTables) -> None:
    """HB-OUT: the discards are shuffled and the round is finished with them."""
    said = [rule for rule in game.rulebook.sentences if "HB-OUT" in rule.clauses]
    assert [rule.keys for rule in said] == [("shoe.exhausted",)]
    assert "the discards are shuffled and the round is finished with them" in said[0].words


def test_hb_irregular_remedies(game: GameTables) -> None:
    """HB-IRREGULAR"""
    remedies = game.round_plan.irregularities
    assert remedies is not None
    assert remedies.face_up_card == "not-used"
    assert remedies.drawn_in_error == "burned"
    assert remedies.no_cards == "dead"
    assert remedies.one_card == "second-after-others"


def test_hb_boxes_a_player_may_play_several(game: GameTables) -> None:
    """HB-BOXES"""
    assert game.round_plan.several_boxes


def test_hb_order_of_the_round(game: GameTables) -> None:
    """HB-ORDER: two passes with the dealer last, then the steps of the table."""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert not game.round_plan.by_position
    assert game.round_plan.starts == "dealers-left"
    steps = ("wagers", "deal", "insurance", "peek", "turns", "reveal", "dealer", "settle")
    assert game.round_plan.kinds == steps


def test_hb_order_a_hand_of_21_stands_by_itself(game: GameTables, tables: Tables) -> None:
    """HB-ORDER: decided for every game; the other answer lets the player act on a drawn 21."""
    assert may(game, "5s 6d Kc", up="6h") == {"stand"}
    assert may(game, "As 5d 5c", up="6h") == {"stand"}
    asks = tables("blackjack", hand_of_21="asks")
    assert may(asks, "5s 6d Kc", up="6h") == HIT_OR_STAND
    assert reads(asks, "5s 6d Kc 2d") == "over"
    assert reads(asks, "As 5d 5c 2d") == "hard 13"
    assert may(asks, "As Kd", up="6h") == {"stand"}
    assert differences(asks, game) == {"hands"}


def test_house_options_without_a_clause(game: GameTables, tables: Tables) -> None:
    """Positions, limits, chips and rounding are the house's own."""
    assert game.round_plan.positions == 7
    assert (game.money.chip, game.money.rounding) == (1, "down")
    assert game.money.wagers["base"].name == "Blackjack"
    assert tables("blackjack", positions=9).round_plan.positions == 9
    limits = tables("blackjack", table_minimum=1000, table_maximum=20000).money.wagers["base"]
    assert (limits.minimum, limits.maximum) == (1000, 20000)
    chips = tables("blackjack", chip=50, rounding="up").money
    assert (chips.chip, chips.rounding) == (50, "up")
    assert "positions may be" in refusal("blackjack", positions=10)


def test_a_hand_needs_two_cards(game: GameTables) -> None:
    """HB-ORDER: nobody decides on one card."""
    assert may(game, "8s", up="6h") == set()
    assert game.hands.player_class[follow(game, "8s").state] < 0
