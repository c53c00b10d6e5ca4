"""Free Bet Blackjack, clause by clause; the money of whole rounds is in `situations/free-bet`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    LOSS,
    PUSH,
    deal_of,
    dealer,
    follow,
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
)
from upcard.compile.chips import hand_cents

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables

ID = "free-bet"
CLAUSES = {
    *("FB-DECK", "FB-NAT", "FB-22", "FB-FD", "FB-FS", "FB-OWN", "FB-SPLIT", "FB-SUR"),
    *(f"CV-{number}" for number in range(1, 10)),
}
HARD_22 = "6s Td 6d"


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {
        "free_double_cards": "two",
        "fours": "free",
        "free_splits": "every",
    }


def test_fb_deck_six_decks_and_soft_17_is_hit(game: GameTables, tables: Tables) -> None:
    """FB-DECK"""
    assert game.alphabet.decks == 6
    assert dealer(game, "As 6d") == "draws"
    assert dealer(tables(ID, soft17="stand"), "As 6d") == "17"
    assert tables(ID, decks=8).alphabet.decks == 8
    assert "FB-DECK" in refusal(ID, decks=9)


def test_fb_nat_three_to_two_whatever_the_dealer_draws(game: GameTables) -> None:
    """FB-NAT: 22 does not touch it, and against another it pushes."""
    assert result(game, "As Kd", "Td 7s") == Fraction(3, 2) == result(game, "As Kd", HARD_22)
    assert result(game, "As Kd", "Ad Ks") == PUSH


def test_fb_22_pushes_all_other_hands(game: GameTables) -> None:
    """FB-22"""
    assert dealer(game, HARD_22) == "22"
    for hand in ("Ts 3d", "Ts 9d", "7s 7d 7c"):
        assert result(game, hand, HARD_22) == PUSH
    assert result(game, "Ts 6d Kc", HARD_22) == LOSS
    assert result(game, "Ts 3d", "6s Td 7d") == EVEN


def test_fb_fd_the_house_doubles_hard_9_to_11_of_two_cards(game: GameTables) -> None:
    """FB-FD: of first hands and of split hands; nothing is added to what can be lost."""
    for hand in ("4s 5d", "6s 4d", "6s 5d", "8s 8d split 3c"):
        assert "free-double" in may(game, hand, up="9h")
        assert "double" not in may(game, hand, up="9h")
        assert stake(game, f"{hand} double Tc") == 1
        assert may(game, f"{hand} double 2c", up="9h") == {"stand"}
    for hand in ("4s 4d", "6s 6d", "As 8d", "4s 3d hit 2c"):
        assert "free-double" not in may(game, hand, up="9h")
    assert refused_by(game, "6s 6d", "9h", "free-double") == ("FB-FD",)


def test_fb_fd_any_number_of_cards_in_the_trial_of_2012(tables: Tables) -> None:
    """FB-FD: a reading."""
    trial = tables(ID, free_double_cards="any")
    assert "free-double" in may(trial, "4s 3d hit 2c", up="9h")
    assert "free-double" not in may(trial, "As 4d hit 5c", up="9h")


def test_fb_fd_and_fs_what_hands_win_and_lose(game: GameTables) -> None:
    """FB-FD, FB-FS, FB-OWN: units won and lost, by who staked what."""
    cents = hand_cents(game, 100)
    won, lost = game.class_of("20"), game.class_of("17")
    other = [found.name for found in game.dealer.classes].index("19")
    pushed = [found.name for found in game.dealer.classes].index("22")
    own, marker = cents[0, 1, :3], cents[1, 1, 3:]
    # Not doubled, doubled with own money, doubled by the house.
    assert own[:, won, other].tolist() == [100, 200, 200]
    assert own[:, lost, other].tolist() == [-100, -200, -100]
    assert marker[:, won, other].tolist() == [100, 200, 200]
    assert marker[:, lost, other].tolist() == [0, -100, 0]
    assert not cents[:, :, :, won, pushed].any()


def test_fb_fs_every_pair_but_tens_is_split_by_the_house(game: GameTables, tables: Tables) -> None:
    """FB-FS: again too; fours are a reading."""
    for rank in "A23456789":
        assert "free-split" in may(game, f"{rank}s {rank}d", up="9h")
    assert "free-split" in may(game, "8s 8d split 8c", up="9h")
    assert "free-split" not in may(game, "Ts Kd", up="9h")
    assert refused_by(game, "8s 8d", "9h", "split") == ("FB-FS",)
    trial = tables(ID, fours="own")
    assert "split" in may(trial, "4s 4d", up="9h")
    assert "free-split" in may(trial, "8s 8d", up="9h")


def test_fb_fs_one_free_split_of_a_box(tables: Tables) -> None:
    """FB-FS: a reading; what comes after it is the player's own, of tens as before."""
    once = tables(ID, free_splits="one")
    assert "free-split" in may(once, "8s 8d", up="9h")
    assert refused_by(once, "8s 8d", "9h", "split") == ("FB-FS",)
    for hand in ("8s 8d split 8c", "8s 8d split 8c split 8h"):
        assert {"split"} <= may(once, hand, up="9h")
        assert refused_by(once, hand, "9h", "free-split") == ("FB-FS",)
    assert "split" in may(once, "Ts Kd split Qc", up="9h")
    assert "split" not in may(tables(ID, free_splits="one", max_hands=2), "8s 8d split 8c", up="9h")


def test_fb_own_money_doubles_and_splits_what_is_left(game: GameTables) -> None:
    """FB-OWN: a pair that may be split may be doubled as well."""
    for hand in ("As 8d", "6s 6d", "Ts 2d", "3s 2d", "8s 8d split 4c"):
        assert "double" in may(game, hand, up="9h")
        assert stake(game, f"{hand} double 2c") == 2
    assert {"split", "double"} <= may(game, "Ts Kd", up="9h")
    assert {"free-split", "free-double"} <= may(game, "5s 5d", up="9h")


def test_fb_split_four_hands_and_one_card_to_aces(game: GameTables) -> None:
    """FB-SPLIT"""
    three = "8s 8d split 8c split 8h split"
    assert "free-split" not in may(game, f"{three} 8s", up="9h")
    assert refused_by(game, f"{three} 8s", "9h", "free-split") == ("FB-SPLIT",)
    assert may(game, "As Ad split 5c", up="9h") == {"stand"}
    assert may(game, "As Ad split Ac", up="9h") == {"stand", "free-split"}
    assert "FB-SPLIT" in refusal(ID, max_hands=5)


def test_fb_sur_none_unless_the_house_lets_it_be(game: GameTables, tables: Tables) -> None:
    """FB-SUR"""
    assert "surrender" not in may(game, "Ts 6d", up="9h")
    late = tables(ID, surrender="late")
    assert "surrender" in may(late, "Ts 6d", up="9h")
    assert "surrender" not in may(late, "8s 8d split 7c", up="9h")
    assert "FB-SUR" in refusal(ID, surrender="early")


def test_cv_1_aces_courts_and_over(game: GameTables) -> None:
    """CV-1"""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "As 6d hit Kc") == "hard 17"
    assert reads(game, "Js 6d hit Qc") == "over"


def test_cv_2_two_cards_each_and_a_dealer_without_choice(game: GameTables) -> None:
    """CV-2, CV-9: no card comes for hands that are decided (situations)."""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert dealer(game, "Ts 6d") == "draws"
    assert dealer(game, "Ts 7d") == "17"


def test_cv_3_a_natural_is_of_the_first_two_cards(game: GameTables) -> None:
    """CV-3"""
    assert reads(game, "As Kd") == "natural 21"
    assert reads(game, "As Ad split Kc") == "soft 21"


def test_cv_4_looked_for_under_aces_and_tens(game: GameTables) -> None:
    """CV-4"""
    checked = {
        rank
        for symbol, looks in zip(game.alphabet.symbols, game.dealer.checks, strict=True)
        if looks
        for rank in symbol.ranks
    }
    assert checked == set("ATJQK")
    assert result(game, "7s 7d 7c", "Ks As") == LOSS


def test_cv_5_to_8_hands_are_played_and_paid(game: GameTables) -> None:
    """CV-5, CV-6, CV-7, CV-8"""
    assert may(game, "Ts 7d hit 4c", up="9h") == {"stand"}
    assert {"hit", "stand"} <= may(game, "Ts 8d", up="9h")
    assert follow(game, "Js Kd split 5c").context != follow(game, "Js Kd").context
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "Ts 8d", "Ts 8d") == PUSH
