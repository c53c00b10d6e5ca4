"""Blackjack Tie, clause by clause."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    HIT_OR_STAND,
    LOSS,
    PUSH,
    deal_of,
    dealer,
    differences,
    may,
    named_in_tests,
    own_clauses,
    readings,
    reads,
    refusal,
    result,
    shown,
)

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tables
    from upcard import GameTables

ID = "blackjack-tie"
CLAUSES = {
    *("BT-P1", "BT-P2", "BT-P3", "BT-P4", "BT-PAY"),
    *(f"BT-{number}" for number in range(1, 9)),
}

# A hand of every total at which a bonus wager can win; also a way for the dealer to get there.
HANDS = {
    "17": "Ts 7d",
    "18": "Ts 8d",
    "19": "Ts 9d",
    "20": "Ts Kd",
    "21": "7s 8d 6c",
    "blackjack": "As Kd",
}
# The pay table: what each wager pays, and the ties that it pays for.
PAY_TABLE = {
    "left-side": (18, {"17", "18", "19"}),
    "right-side": (24, {"20", "21", "blackjack"}),
    "tie-17": (50, {"17"}),
    "tie-18": (55, {"18"}),
    "tie-19": (55, {"19"}),
    "tie-20": (25, {"20"}),
    "tie-21": (250, {"21"}),
    "tie-blackjack": (400, {"blackjack"}),
}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "hand_of_21": "stands",
        "busted_bonus": "lose",
        "surrendered_bonus": "lose",
        "split_ten_ace": "21",
        "bonus_limit": "box",
        "charlie_tie": "tie",  # SR-50
    }


def test_bt_p1_the_primary_wager_is_mandatory(game: GameTables) -> None:
    """BT-P1: bonus wagers are placed with it, none is a must."""
    wagers = game.money.wagers
    assert set(wagers) == {"base", *PAY_TABLE}
    assert wagers["base"].mandatory
    assert wagers["base"].name == "Primary wager"
    for bonus in PAY_TABLE:
        assert wagers[bonus].needs == "base"
        assert not wagers[bonus].mandatory


def test_bt_p2_two_cards_up_dealers_second_down(game: GameTables) -> None:
    """BT-P2"""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]


def test_bt_p3_hit_or_stand(game: GameTables) -> None:
    """BT-P3: as in conventional blackjack, until 21 or over."""
    assert may(game, "5s 4d 6c", up="6h") == HIT_OR_STAND
    assert may(game, "5s 4d Kc", up="6h") == HIT_OR_STAND
    assert may(game, "5s 6d Kc", up="6h") == {"stand"}
    assert may(game, "Ts 6d 9c", up="6h") == set()


def test_bt_p4_all_house_rules_apply(game: GameTables, tables: Tables) -> None:
    """BT-P4, decided: the defaults of house blackjack; only bonus wagers are added."""
    house = tables("blackjack")
    assert differences(game, house) == {"payoffs", "money"}
    assert game.payoffs["base"] == house.payoffs["base"]
    assert game.payoffs["insurance"] == house.payoffs["insurance"]


def test_bt_p4_the_houses_options_too(tables: Tables) -> None:
    """BT-P4: e.g. soft 17, decks and the odds of a natural."""
    other = tables(ID, soft17="hit", decks=8, natural="6:5")
    assert dealer(other, "As 6d") == "draws"
    assert other.alphabet.decks == 8
    assert result(other, "As Kd", "Ts 7d") == Fraction(6, 5)
    assert "HB-DECKS" in refusal(ID, decks=9)


def test_bt_1_the_primary_wager(game: GameTables) -> None:
    """BT-1: even money for the hand closer to 21; a natural by house rules, 3 to 2."""
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "Ts 8d", "Ts 9d") == LOSS
    assert result(game, "As Kd", "Ts 8d") == Fraction(3, 2)


@pytest.mark.parametrize("tie", HANDS)
def test_bt_2_an_exact_tie_wins_and_the_primary_wager_pushes(game: GameTables, tie: str) -> None:
    """BT-2"""
    cards = HANDS[tie]
    assert result(game, cards, cards, wager=f"tie-{tie}") > 0
    assert result(game, cards, cards) == PUSH


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_3_the_matching_wager_wins_and_the_others_lose(game: GameTables, wager: str) -> None:
    """BT-3 and BT-PAY: every wager against every tie."""
    pays, wins_at = PAY_TABLE[wager]
    for tie, cards in HANDS.items():
        expected = pays if tie in wins_at else LOSS
        assert result(game, cards, cards, wager) == expected, tie


def test_bt_3_the_layout_names_every_wager(game: GameTables) -> None:
    """BT-3 and BT-4: by its totals."""
    wagers = game.money.wagers
    for tie in HANDS:
        assert wagers[f"tie-{tie}"].name == f"Tie {tie}"
    assert wagers["left-side"].name == "Left side (17, 18, 19)"
    assert wagers["right-side"].name == "Right side (20, 21, blackjack)"


def test_bt_3_the_example_of_the_source(game: GameTables) -> None:
    """BT-3: wagers on 17, 18 and 21, a tie at 18: the 18 pays 55 to 1, the others lose."""
    tie = ("Ts 8d", "9s 9d")
    assert result(game, *tie, wager="tie-18") == 55
    assert result(game, *tie, wager="tie-17") == LOSS
    assert result(game, *tie, wager="tie-21") == LOSS


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_4_no_wager_wins_without_an_exact_tie(game: GameTables, wager: str) -> None:
    """BT-4: the sides too win only on a tie; dealer 17 and player 18 lose the left side."""
    for player in HANDS:
        for dealers in HANDS:
            if player != dealers:
                assert result(game, HANDS[player], HANDS[dealers], wager) == LOSS


def test_bt_5_bonus_wagers_together_at_most_the_primary(game: GameTables) -> None:
    """BT-5: their share of the primary wager is one."""
    assert game.money.bonus_share == Fraction(1)


def test_bt_5_reading_bonus_limit(game: GameTables, tables: Tables) -> None:
    """BT-5, SR-51: of each box, or of all boxes of a player together; odds do not depend on it."""
    assert not game.money.boxes_share
    by_player = tables(ID, bonus_limit="player")
    assert by_player.money.boxes_share
    assert differences(game, by_player) == {"money"}


def test_bt_5_a_larger_share_is_refused(tmp_path: Path) -> None:
    """BT-5: also in an operator's own game file."""
    own = tmp_path / "own.toml"
    own.write_text(
        f'id = "own"\nversion = 1\nname = "Own"\nsource = "ours"\nextends = "{ID}"\n'
        '[limits]\nbonus_share = "3/2"\n'
    )
    assert "BT-5" in refusal(str(own))


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_6_only_the_first_hand_counts(game: GameTables, wager: str) -> None:
    """BT-6 and BT-7: after a split the bonus goes by the first hand, and so is not doubled."""
    assert game.payoffs[wager].per == "first"
    assert game.payoffs["base"].per == "hand"


def test_bt_6_a_split_ace_with_a_ten_is_21(game: GameTables) -> None:
    """BT-6: not blackjack, for the bonus."""
    assert result(game, "As Ad split Kc", "7s 8d 6c", "tie-21") == 250
    assert result(game, "As Ad split Kc", "7s 8d 6c", "right-side") == 24
    assert result(game, "As Ad split Kc", "Ah Qd", "tie-blackjack") == LOSS


def test_bt_7_any_split_pair(game: GameTables) -> None:
    """BT-7: the first hand of a pair ties like any other hand."""
    assert result(game, "9s 9d split 9c", "Ts 8d", "tie-18") == 55
    assert result(game, "9s 9d split 8c", "Ts 8d", "tie-18") == LOSS


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_8_21_does_not_tie_blackjack(game: GameTables, wager: str) -> None:
    """BT-8: the bonus loses, whichever side has the blackjack."""
    assert result(game, "7s 8d 6c", "As Kd", wager) == LOSS
    assert result(game, "As Kd", "7s 8d 6c", wager) == LOSS


def test_bt_8_blackjack_is_the_first_two_cards_only(game: GameTables) -> None:
    """BT-8: 21 is three or more cards, or a split ace with a ten."""
    assert reads(game, "As Kd") == "natural 21"
    assert reads(game, "7s 8d 6c") == "hard 21"
    assert reads(game, "As Ad split Kc") == "soft 21"


def test_bt_8_a_split_ten_with_an_ace_is_21(game: GameTables) -> None:
    """BT-8, decided: like the split ace."""
    assert reads(game, "Ts Kd split Ac") == "soft 21"
    assert result(game, "Ts Kd split Ac", "7s 8d 6c", "tie-21") == 250
    assert result(game, "Ts Kd split Ac", "Ah Qd", "tie-blackjack") == LOSS


def test_bt_8_reading_split_ten_ace(game: GameTables, tables: Tables) -> None:
    """BT-8, other answer: it ties nothing; the primary wager and the split ace are as before."""
    nothing = tables(ID, split_ten_ace="none")
    for wager in PAY_TABLE:
        assert result(nothing, "Ts Kd split Ac", "7s 8d 6c", wager) == LOSS
    assert result(nothing, "Ts Kd split Ac", "7s 8d 6c") == PUSH
    assert result(nothing, "Ts Kd split Ac", "Ts 9d") == EVEN
    assert may(nothing, "Ts Kd split Ac", up="6h") == {"stand"}
    assert result(nothing, "As Ad split Kc", "7s 8d 6c", "tie-21") == 250
    assert result(nothing, "Ts Kd split 5c 6d", "7s 8d 6c", "tie-21") == 250
    assert differences(nothing, game) == {"hands", "player_classes", "payoffs"}


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_pay_odds(game: GameTables, wager: str) -> None:
    """BT-PAY: the best that each wager can win is its printed odds."""
    assert max(max(row) for row in game.payoffs[wager].odds) == PAY_TABLE[wager][0]


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_2_a_busted_hand_cannot_tie(game: GameTables, tables: Tables, wager: str) -> None:
    """BT-2 and BT-7, decided: its bonus wagers lose, also if the dealer busts; other: returned."""
    returned = tables(ID, busted_bonus="push")
    for dealers in ("Ts 7d", "Ts 6d Kc", "7s 8d 6c"):
        assert result(game, "Ts 6d 9c", dealers, wager) == LOSS
        assert result(returned, "Ts 6d 9c", dealers, wager) == PUSH
    assert result(returned, "Ts 6d", "Ts 7d", wager) == LOSS
    assert result(returned, "Ts 6d 9c", "Ts 7d") == LOSS
    assert differences(returned, game) == {"payoffs"}


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_2_a_surrendered_hand_cannot_tie(game: GameTables, tables: Tables, wager: str) -> None:
    """BT-2 and BT-P4, decided: its bonus wagers lose; other answer: they are returned."""
    returned = tables(ID, surrendered_bonus="push")
    for dealers in ("Ts 7d", "Ts 6d Kc", "7s 8d 6c"):
        assert result(game, "Ts 7d surrender", dealers, wager) == LOSS
        assert result(returned, "Ts 7d surrender", dealers, wager) == PUSH
    assert result(returned, "Ts 6d 9c", "Ts 7d", wager) == LOSS
    assert differences(returned, game) == {"payoffs"}


@pytest.mark.parametrize("wager", PAY_TABLE)
def test_bt_2_a_dealer_bust_ties_nobody(game: GameTables, wager: str) -> None:
    """BT-2, decided"""
    for cards in HANDS.values():
        assert result(game, cards, "Ts 6d Kc", wager) == LOSS
