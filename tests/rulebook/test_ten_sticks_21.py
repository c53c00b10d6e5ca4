"""Ten Sticks 21, clause by clause."""

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
    dealer,
    differences,
    follow,
    in_order,
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
    step_cites,
)
from upcard import Action
from upcard.cards import Card

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables
    from upcard.compile.carry import Carry

CLAUSES = {f"TS-{number}" for number in range(12)}
KEEP_OR_TRADE = {"keep", "trade"}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables("ten-sticks-21")


def lights(game: GameTables) -> Carry:
    assert game.carry is not None
    return game.carry


def light(game: GameTables, story: str, card: str) -> int:
    """Lights that come by themselves when a hand gets a card."""
    state = follow(game, story).state
    return int(game.hands.light[state, game.alphabet.symbol(Card.parse(card))])


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "hand_of_21": "stands",
        "trade_on_double": "yes",
        "trade_again": "yes",
        "two_bonus_cards": "each",
        "trade_time": "before-insurance",
        "traded_natural": "blackjack",
        "light_surplus": "carries",
        "lights_owner": "player-at-position",
    }


# ---------------------------------------------------------------- the standard rules


def test_ts_0_standard_rules_of_the_chapter(game: GameTables) -> None:
    """TS-0: the Deadwood column: six decks, dealer stands on soft 17, 3 to 2, ties push."""
    assert game.alphabet.decks == 6
    assert dealer(game, "As 6d") == "17"
    assert result(game, "As Kd", "Ts 7d") == Fraction(3, 2)
    assert result(game, "Ts 7d", "Ks 7h") == PUSH
    assert result(game, "Ts 8d", "Ks 7h") == EVEN
    assert result(game, "Ts 8d", "As Qh", wager="insurance") == Fraction(2)
    assert game.money.insurance_share == Fraction(1, 2)


def test_ts_0_doubling_and_splitting(game: GameTables) -> None:
    """TS-0: double any two, after a split and for less; at most three splits, aces once."""
    assert "double" in may(game, "Ts 7d", up="6h")
    assert "double" in may(game, "8s 8d split 3c", up="6h")
    assert game.effects.stake[Action.DOUBLE].for_less
    assert "split" in may(game, "8s 8d split 8c split 8h", up="6h")
    assert "split" not in may(game, "8s 8d split 8c split 8h split 8s", up="6h")
    assert may(game, "As Ad split Ac", up="6h") == {"stand"}
    assert may(game, "As Ad split 5c", up="6h") == {"stand"}


@pytest.mark.parametrize(
    ("option", "value", "fixed"),
    [
        ("double", "any-count", "any-two"),
        ("double", "none", "any-two"),
        ("double_after_split", "false", "true"),
        ("split", "none", "value"),
        ("split", "rank", "value"),
        ("split_aces", "draw", "one-card"),
    ],
)
def test_ts_0_what_the_chapter_fixes_is_fixed(option: str, value: str, fixed: str) -> None:
    """TS-0, SR-24: the chapter's own doubles and splits are no options of the house."""
    assert f"fix it at {fixed} [TS-0]" in refusal("ten-sticks-21", **{option: value})


def test_ts_0_at_most_three_splits_and_at_least_one(tables: Tables) -> None:
    """TS-0, SR-24: two to four hands; one would take splitting away."""
    two = tables("ten-sticks-21", max_hands=2)
    assert "split" in may(two, "Ts Kd", up="6h")
    assert "split" not in may(two, "8s 8d split 8c", up="6h")
    for hands in (1, 5):
        assert "max_hands may be 2 to 4 [TS-0]" in refusal("ten-sticks-21", max_hands=hands)


def test_ts_0_resplitting_aces_is_an_option(tables: Tables) -> None:
    """TS-0: the chapter does not ban it."""
    assert "split" in may(tables("ten-sticks-21", resplit_aces=True), "As Ad split Ac", up="6h")


def test_ts_0_late_surrender_also_after_a_split(game: GameTables) -> None:
    """TS-0: late surrender for half, also on a split hand but not on split aces."""
    assert "surrender" in may(game, "Ts 6d", up="Kh")
    assert "surrender" in may(game, "8s 8d split 8c", up="Kh")
    assert "surrender" not in may(game, "As Ad split 5c", up="Kh")
    assert result(game, "Ts 6d surrender", "Ts 9d") == HALF


def test_ts_0_original_wagers_only_against_a_late_natural(game: GameTables) -> None:
    """TS-0: a natural that shows late takes the original wager, and the house cannot change it."""
    assert result(game, "5s 6d double 9c", "Ks Ad") == LOSS
    assert result(game, "5s 6d double 9c", "Ks Ad", added=True) == PUSH
    assert "TS-0" in refusal("ten-sticks-21", late_natural_takes="all")


def test_ts_0_naturals_pay_at_least_3_to_2(tables: Tables) -> None:
    """TS-0: 6 to 5 only with a single deck."""
    assert "TS-0" in refusal("ten-sticks-21", natural="1:1")
    assert "TS-0" in refusal("ten-sticks-21", natural="6:5")
    assert "TS-0" in refusal("ten-sticks-21", natural="6:5", decks=2)
    single = tables("ten-sticks-21", natural="6:5", decks=1)
    assert result(single, "As Kd", "Ts 7d") == Fraction(6, 5)
    better = tables("ten-sticks-21", natural="2:1")
    assert result(better, "As Kd", "Ts 7d") == Fraction(2)


def test_ts_0_the_cut_card_is_between_centre_and_back(game: GameTables, tables: Tables) -> None:
    """TS-0: never in the front half, and at least five cards from an end."""
    assert game.round_plan.shoe.penetration == 0.75
    assert game.round_plan.shoe.cut_margin == 5
    assert tables("ten-sticks-21", penetration=0.5).round_plan.shoe.penetration == 0.5
    assert "TS-0" in refusal("ten-sticks-21", penetration=0.4)


def test_ts_0_no_charlie_and_no_push_on_22(game: GameTables) -> None:
    """TS-0: the chapter has neither, and the house cannot add them."""
    assert result(game, "2s 3d 2c 4h 5s", "Ts 7d") == LOSS
    assert result(game, "Ts 2d", "Ts 6d 6c") == EVEN
    assert "TS-0" in refusal("ten-sticks-21", charlie=5)
    assert "TS-0" in refusal("ten-sticks-21", dealer_22="push")


# ---------------------------------------------------------------- the bonus card


def test_ts_1_the_layout_is_shown(game: GameTables) -> None:
    """TS-1: only on tables with the Ten Sticks 21 layout."""
    assert game.floor.layout is not None
    assert "Ten Sticks 21 layout" in game.floor.layout


def test_ts_2_the_ten_of_clubs_is_marked(game: GameTables) -> None:
    """TS-2: one marked card in each deck; the fifteen other ten-value cards are not."""
    marked = [symbol for symbol in game.alphabet.symbols if symbol.marked]
    assert [(symbol.ranks, symbol.per_deck) for symbol in marked] == [("T", 1)]
    ten_of_clubs = game.alphabet.symbol(Card.parse("Tc"))
    assert game.alphabet.symbols[ten_of_clubs].marked
    for other in ("Ts", "Th", "Td", "Jc", "Qc", "Kc"):
        assert not game.alphabet.symbols[game.alphabet.symbol(Card.parse(other))].marked


def test_ts_2_kept_it_plays_as_any_ten(game: GameTables) -> None:
    """TS-2: hands with a kept bonus card are the hands with another ten."""
    assert follow(game, "5s Tc keep") == follow(game, "5s Td")
    assert follow(game, "As Tc keep") == follow(game, "As Td")
    assert follow(game, "5s 6d Tc keep") == follow(game, "5s 6d Td")
    assert "split" in may(game, "Tc Ks keep", up="6h")


def test_ts_3_a_bonus_card_that_busts_loses_the_hand(game: GameTables) -> None:
    """TS-3: no choice and no light for a bonus card that takes the hand over 21."""
    assert reads(game, "9s 3d Tc") == "over"
    assert may(game, "9s 3d Tc", up="6h") == set()
    assert result(game, "9s 3d Tc", "Ts 7d") == LOSS


def test_ts_3_no_automatic_light_either(tables: Tables) -> None:
    """TS-3 with TS-10: a bonus card that busts the hand gives no light by itself."""
    automatic = tables("ten-sticks-21", trade=False)
    assert reads(automatic, "9s 3d Tc") == "over"
    assert light(automatic, "9s 3d", "Tc") == 0


@pytest.mark.parametrize(
    "story",
    [
        "5s Tc",
        "Tc 5s",
        "As Tc",
        "5s 6d Tc",
        "9s 2d Tc",
        "As 5d Tc",
        "5s 6d double Tc",
        "8s 8d split Tc",
        "As Ad split Tc",
    ],
)
def test_ts_4_a_playable_bonus_card_is_kept_or_traded(game: GameTables, story: str) -> None:
    """TS-4: in the first two, on a hit, on a double, on a split hand: two actions, no other."""
    assert may(game, story, up="6h") == KEEP_OR_TRADE


def test_ts_4_the_choice_comes_before_everything_else(game: GameTables) -> None:
    """TS-4: hit, stand, double and surrender wait for it."""
    for action in ("hit", "stand", "double", "surrender"):
        assert "TS-4" in refused_by(game, "5s Tc", "6h", action)


def test_ts_4_a_kept_card_plays_as_a_ten(game: GameTables) -> None:
    """TS-4 (a)"""
    assert reads(game, "5s Tc keep") == "hard 15"
    assert may(game, "5s Tc keep", up="6h") == {*HIT_OR_STAND, "double", "surrender"}


def test_ts_4_a_traded_card_is_replaced_by_the_next(game: GameTables) -> None:
    """TS-4 (b): the hand waits for the next card, which takes the bonus card's place."""
    assert may(game, "5s Tc trade", up="6h") == set()
    assert reads(game, "5s Tc trade 6d") == "hard 11"
    assert follow(game, "5s Tc trade 6d") == follow(game, "5s 6d")
    assert reads(game, "5s 6d Tc trade 2c") == "hard 13"
    assert reads(game, "5s 6d double Tc trade 9c") == "hard 20"
    assert may(game, "5s 6d double Tc trade 4c", up="6h") == {"stand"}
    assert reads(game, "8s 8d split Tc trade 3c") == "hard 11"


def test_ts_4_no_bonus_card_no_choice(game: GameTables) -> None:
    """TS-4: other tens are neither kept nor traded."""
    assert not KEEP_OR_TRADE & may(game, "5s Td", up="6h")
    assert refused_by(game, "5s Td", "6h", "trade")


def test_ts_4_the_first_two_cards_are_decided_before_insurance(game: GameTables) -> None:
    """TS-4, decided: in seat order, before insurance and before anyone draws."""
    assert in_order(game, "deal", "trades", "insurance", "peek", "turns")
    assert step_cites(game, "trades") == {"TS-4"}


def test_ts_4_reading_trade_time(game: GameTables, tables: Tables) -> None:
    """TS-4, other answer: when the player's turn comes, after the dealer's check."""
    own_turn = tables("ten-sticks-21", trade_time="own-turn")
    assert in_order(own_turn, "deal", "insurance", "peek", "turns")
    assert "trades" not in own_turn.round_plan.kinds, "it is part of every turn"
    assert differences(own_turn, game) == {"round_plan"}


def test_ts_4_the_replacement_is_an_ordinary_card_of_the_hand(game: GameTables) -> None:
    """TS-4, decided: whatever it is, it counts. No card counts more than the ten that it
    replaces, so it can bring the hand to 21 but not over.
    """
    assert reads(game, "7s 4d Tc trade Kd") == "hard 21"
    assert reads(game, "As 9d Tc trade Kd") == "hard 20"
    assert reads(game, "7s 4d Tc trade Ad") == "hard 12"
    after_trades = game.hands.next[game.hands.owed]
    assert (after_trades >= 0).all()
    assert not game.hands.bust[after_trades].any()


def test_ts_4_the_replacement_may_be_a_bonus_card(game: GameTables) -> None:
    """TS-4, decided: it may be traded again."""
    assert may(game, "5s Tc trade Tc", up="6h") == KEEP_OR_TRADE
    assert reads(game, "5s Tc trade Tc trade 6d") == "hard 11"


def test_ts_4_reading_trade_again(game: GameTables, tables: Tables) -> None:
    """TS-4, other answer: the replacement stays as a ten."""
    once = tables("ten-sticks-21", trade_again="no")
    assert reads(once, "5s Tc trade Tc") == "hard 15"
    assert not KEEP_OR_TRADE & may(once, "5s Tc trade Tc", up="6h")
    assert may(once, "5s Tc", up="6h") == KEEP_OR_TRADE
    assert differences(once, game) == {"hands"}


def test_ts_4_reading_trade_on_double(game: GameTables, tables: Tables) -> None:
    """TS-4, other answer: a bonus card drawn on a double stays."""
    stays = tables("ten-sticks-21", trade_on_double="no")
    assert may(stays, "5s 6d double Tc", up="6h") == {"keep"}
    assert may(stays, "5s 6d Tc", up="6h") == KEEP_OR_TRADE
    assert may(stays, "5s Tc", up="6h") == KEEP_OR_TRADE
    assert differences(stays, game) == {"legal"}


def test_ts_4_two_bonus_cards_are_each_traded(game: GameTables) -> None:
    """TS-4, decided: one after the other, each kept or traded."""
    assert may(game, "Tc Tc", up="6h") == KEEP_OR_TRADE
    assert may(game, "Tc Tc trade 5s", up="6h") == KEEP_OR_TRADE
    assert reads(game, "Tc Tc trade 5s trade 6d") == "hard 11"
    assert reads(game, "Tc Tc trade 5s keep") == "hard 15"
    assert follow(game, "Tc Tc keep keep") == follow(game, "Td Th")


def test_ts_4_reading_two_bonus_cards(game: GameTables, tables: Tables) -> None:
    """TS-4, other answer: only one of two may be traded."""
    one = tables("ten-sticks-21", two_bonus_cards="one")
    assert may(one, "Tc Tc", up="6h") == KEEP_OR_TRADE
    assert not KEEP_OR_TRADE & may(one, "Tc Tc trade 5s", up="6h")
    assert may(one, "Tc Tc keep", up="6h") == KEEP_OR_TRADE, "then the other"
    assert not KEEP_OR_TRADE & may(one, "Tc Tc keep trade 5s", up="6h")
    assert reads(one, "Tc Tc trade 5s") == "hard 15"
    for single in ("5s Tc", "Tc 5s", "5s 4d Tc"):
        assert may(one, single, up="6h") == KEEP_OR_TRADE
    assert differences(one, game) == {"hands"}


def test_ts_4_trading_comes_before_naturals_are_read(game: GameTables) -> None:
    """TS-4, decided: a kept bonus card with an ace, or an ace and a traded ten, is a blackjack."""
    assert reads(game, "As Tc") == "soft 21"
    assert reads(game, "As Tc keep") == "natural 21"
    assert reads(game, "As Tc trade Kd") == "natural 21"
    assert result(game, "As Tc trade Kd", "Ts 7d") == Fraction(3, 2)
    assert reads(game, "Tc Ks trade Ad") == "natural 21"
    assert reads(game, "As Tc trade 5d") == "soft 16"


def test_ts_4_reading_traded_natural(game: GameTables, tables: Tables) -> None:
    """TS-4, other answer: a blackjack made by a trade is an ordinary 21."""
    plain = tables("ten-sticks-21", traded_natural="twenty-one")
    assert reads(plain, "As Tc trade Kd") == "soft 21"
    assert result(plain, "As Tc trade Kd", "Ts 7d") == EVEN
    assert reads(plain, "As Tc keep") == "natural 21"
    assert reads(plain, "As Kd") == "natural 21"
    assert differences(plain, game) == {"hands"}


def test_ts_4_a_split_ace_with_a_traded_ten_is_no_natural(game: GameTables) -> None:
    """TS-4: the bonus card changes nothing about split aces."""
    assert reads(game, "As Ad split Tc keep") == "soft 21"
    assert reads(game, "As Ad split Tc trade Kc") == "soft 21"


def test_ts_4_a_21_with_a_bonus_card_is_still_asked(game: GameTables) -> None:
    """TS-4: 21 stands by itself only after the bonus card is decided."""
    assert may(game, "5s 6d Tc", up="6h") == KEEP_OR_TRADE
    assert may(game, "5s 6d Tc keep", up="6h") == {"stand"}


# ---------------------------------------------------------------- the lights


def test_ts_5_a_trade_lights_one_light(game: GameTables) -> None:
    """TS-5: by trading, and by nothing else; shown at the position, switched by the dealer."""
    assert lights(game).by_trade
    assert int(lights(game).next[0]) == 1
    assert not game.hands.light.any()
    assert game.floor.lights is not None
    assert "betting position" in game.floor.lights
    assert "dealer" in game.floor.lights


def test_ts_6_ten_lights_win_the_prize(game: GameTables) -> None:
    """TS-6: the tenth light pays the prize at once, no other light pays; $50 by default."""
    assert lights(game).prize.tolist() == [0] * 9 + [5000]


def test_ts_6_the_prize_is_set_by_the_casino(game: GameTables, tables: Tables) -> None:
    """TS-6: the option `prize`, in cents."""
    chosen = tables("ten-sticks-21", prize=25000)
    assert lights(chosen).prize.tolist() == [0] * 9 + [25000]
    assert differences(chosen, game) == {"carry"}
    assert "TS-6" in refusal("ten-sticks-21", prize=0)


def test_ts_6_the_default_prize_belongs_to_a_five_dollar_table(game: GameTables) -> None:
    """TS-6, decided: $50 at a $5 minimum table."""
    assert game.money.wagers["base"].minimum == 500
    assert game.money.wagers["base"].name == "Ten Sticks 21"


def test_ts_7_the_winner_starts_again_at_zero(game: GameTables) -> None:
    """TS-7: the tenth light leads back to zero; others' lights are their own."""
    assert lights(game).next.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert lights(game).belongs_to == "player-at-position"


def test_ts_7_further_lights_count_towards_the_next_ten(game: GameTables, tables: Tables) -> None:
    """TS-7, decided; other answer: they are lost."""
    assert lights(game).surplus_counts
    lost = tables("ten-sticks-21", light_surplus="lost")
    assert not lights(lost).surplus_counts
    assert differences(lost, game) == {"carry"}


def test_ts_8_lights_do_not_pass_to_the_next_player(game: GameTables) -> None:
    """TS-8: they are lost when the player leaves."""
    said = [rule for rule in game.rulebook.sentences if "TS-8" in rule.clauses]
    assert any(
        "leaves loses the lights: nobody can pass them on, and a new player" in rule.words
        for rule in said
    )


def test_ts_8_two_boxes_have_two_sets(game: GameTables, tables: Tables) -> None:
    """TS-8 and TS-5, decided; other answer: one set for both boxes."""
    assert lights(game).belongs_to == "player-at-position"
    shared = tables("ten-sticks-21", lights_owner="player")
    assert lights(shared).belongs_to == "player"
    assert differences(shared, game) == {"carry"}


def test_ts_9_the_dealer_plays_a_bonus_card_as_a_ten(game: GameTables) -> None:
    """TS-9"""
    assert dealer(game, "Tc 7s") == "17"
    assert dealer(game, "Tc 6s") == "draws"
    assert dealer(game, "6s 9d Tc") == "bust"
    assert dealer(game, "As Tc") == "natural"
    assert makes_natural(game, up="Tc", hole="As")
    assert makes_natural(game, up="As", hole="Tc")


def test_ts_10_the_casino_may_forbid_trading(game: GameTables, tables: Tables) -> None:
    """TS-10: then there is no choice, and every playable bonus card lights one by itself."""
    automatic = tables("ten-sticks-21", trade=False)
    assert not lights(automatic).by_trade
    assert "trades" not in automatic.round_plan.kinds
    assert reads(automatic, "5s Tc") == "hard 15"
    assert may(automatic, "5s Tc", up="6h") == {*HIT_OR_STAND, "double", "surrender"}
    assert "TS-10" in refused_by(automatic, "5s Tc", "6h", "trade")
    assert reads(automatic, "As Tc") == "natural 21"
    assert differences(automatic, game) == {"hands", "carry", "round_plan"}


def test_ts_10_one_light_for_each_playable_bonus_card(tables: Tables) -> None:
    """TS-10, decided: one for each, and the card stays."""
    automatic = tables("ten-sticks-21", trade=False)
    assert light(automatic, "5s", "Tc") == 1
    assert light(automatic, "Tc", "Tc") == 1
    assert light(automatic, "5s 6d", "Tc") == 1
    assert light(automatic, "8s 8d split", "Tc") == 1
    assert light(automatic, "5s", "Td") == 0
    assert light(automatic, "", "Tc") == 1


def test_ts_11_players_card(game: GameTables, tables: Tables) -> None:
    """TS-11: the casino may hand a leaving player a card; without the option it does not."""
    assert not lights(game).players_card
    offered = tables("ten-sticks-21", players_card=True)
    assert lights(offered).players_card
    assert differences(offered, game) == {"carry"}
    assert "TS-11" in refusal("ten-sticks-21", players_card="maybe")
