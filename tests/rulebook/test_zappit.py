"""Zappit Blackjack, clause by clause; the money of whole rounds is in `situations/zappit`."""

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
    deal_of,
    dealer,
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
    shown,
    stake,
)

if TYPE_CHECKING:
    from conftest import Tables
    from upcard import GameTables

ID = "zappit"
CLAUSES = {
    f"ZA-{name}"
    for name in (
        *("DECK", "COUNT", "DEAL", "PEEK", "17", "ZAP", "FIRST", "ONCE", "MADE", "NAT", "22"),
        *("PAY", "HIT", "DBL", "SPLIT", "ACES", "SUR", "INS"),
    )
}
GIVEN = ("Ts 5d", "9s 6d", "8s 7d", "Ts 6d", "9s 7d", "8s 8d", "Ts 7d", "9s 8d")
"""One of every two cards of hard 15 to 17."""
HARD_22 = "6s Td 6d"


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_open_questions_and_their_decisions(game: GameTables) -> None:
    assert readings(game) == {"exchanged_natural": "21"}


def test_za_deck_and_17(game: GameTables, tables: Tables) -> None:
    """ZA-DECK, ZA-17: six decks, and soft 17 is hit."""
    assert game.alphabet.decks == 6
    assert tables(ID, decks=8).alphabet.decks == 8
    assert "ZA-DECK" in refusal(ID, decks=9)
    assert dealer(game, "As 6d") == "draws"
    assert dealer(game, "Ts 6d") == "draws"
    assert dealer(tables(ID, soft17="stand"), "As 6d") == "17"


def test_za_count_and_deal(game: GameTables) -> None:
    """ZA-COUNT, ZA-DEAL"""
    assert (reads(game, "As 6d"), reads(game, "As 6d hit Ks")) == ("soft 17", "hard 17")
    assert reads(game, "Ts 6d hit Ks") == "over"
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert in_order(game, "wagers", "deal", "insurance", "peek", "turns", "dealer", "settle")


def test_za_zap_hard_15_to_17_of_two_cards(game: GameTables, tables: Tables) -> None:
    """ZA-ZAP: or by the house's choice 15 to 18; never a soft total."""
    wider = tables(ID, exchanged="15-18")
    for up in ("2s", "6s", "9s", "Ks", "As"):
        for hand in GIVEN:
            assert "replace" in may(game, hand, up)
            assert "replace" in may(wider, hand, up)
        for hand in ("Ts 4d", "As 5d", "As 6d", "Ts Kd", "As Kd", "5s 6d"):
            assert "replace" not in may(game, hand, up)
            assert "replace" not in may(wider, hand, up)
        for hand in ("Ts 8d", "9s 9d"):
            assert "replace" not in may(game, hand, up)
            assert "replace" in may(wider, hand, up)
    assert refused_by(game, "Ts 8d", "9s", "replace") == ("ZA-ZAP",)


def test_za_first_and_nothing_later(game: GameTables) -> None:
    """ZA-FIRST: not with three cards, not on a hand of a split."""
    assert may(game, "9s 7d", "6s") == {*HIT_OR_STAND, "double", "replace"}
    assert "replace" not in may(game, "9s 2d hit 5c", "6s")
    assert "replace" not in may(game, "8s 8d split 7c", "6s")
    for story in ("9s 2d hit 5c", "8s 8d split 7c"):
        assert refused_by(game, story, "6s", "replace") == ("ZA-FIRST",)


@pytest.mark.parametrize("given", GIVEN)
def test_za_once_and_then_played_like_any_first_two(game: GameTables, given: str) -> None:
    """ZA-ONCE: hit, stand, double, split; but not exchanged again."""
    for new in GIVEN:
        after = may(game, f"{given} replace {new}", "6s")
        assert after == may(game, new, "6s") - {"replace"}
    assert "ZA-ONCE" in refused_by(game, f"{given} replace 9s 7c", "6s", "replace")
    assert "double" in may(game, f"{given} replace 6s 5c", "6s")
    assert "split" in may(game, f"{given} replace 9s 9c", "6s")
    assert stake(game, f"{given} replace 6s 5c double Tc") == 2
    assert reads(game, f"{given} replace As 9c") == "soft 20"


def test_za_made_is_21_wins_at_once_or_is_a_natural(game: GameTables, tables: Tables) -> None:
    """ZA-MADE: a reading."""
    made = "9s 7d replace As Kc"
    assert reads(game, made) == "soft 21"
    assert result(game, made, HARD_22) == PUSH == result(game, made, "7s 7d 7h")
    assert result(game, made, "Ts 9d") == EVEN
    assert not is_settled(game, made)
    wins = tables(ID, exchanged_natural="wins")
    for dealers in (HARD_22, "7s 7d 7h", "Ts 9d", "Ts 6d 9h"):
        assert result(wins, made, dealers) == EVEN
    assert is_settled(wins, made)
    assert result(wins, "9s 7d replace 5s 6c hit Tc", HARD_22) == PUSH
    natural = tables(ID, exchanged_natural="natural")
    assert reads(natural, made) == "natural 21"
    assert result(natural, made, HARD_22) == Fraction(3, 2)


def test_za_nat_and_22(game: GameTables) -> None:
    """ZA-NAT, ZA-22: a blackjack as dealt is paid; all other hands push with a 22."""
    assert result(game, "As Kd", "Td 7s") == Fraction(3, 2) == result(game, "As Kd", HARD_22)
    assert result(game, "As Kd", "Ad Ks") == PUSH
    assert reads(game, "Ts Td split Ac") == "soft 21"
    assert dealer(game, HARD_22) == "22"
    for hand in ("Ts 9d", "7s 7d 7c", "9s 7d replace Ts Kc"):
        assert result(game, hand, HARD_22) == PUSH
    assert result(game, "Ts 6d Kc", HARD_22) == LOSS
    assert result(game, "Ts 3d", "6s Td 7d") == EVEN


def test_za_peek_before_anybody_acts(game: GameTables) -> None:
    """ZA-PEEK"""
    assert in_order(game, "insurance", "peek", "turns")
    assert result(game, "9s 7d", "As Kd") == LOSS


def test_za_pay_and_hit(game: GameTables) -> None:
    """ZA-PAY, ZA-HIT: the nearer hand wins, and 21 stands by itself."""
    assert [result(game, "Ts 9d", f"Ts {card}") for card in ("8d", "9d", "Td")] == [
        EVEN,
        PUSH,
        LOSS,
    ]
    assert may(game, "Ts 8d", "9s") >= HIT_OR_STAND
    assert may(game, "7s 4d hit Tc", "9s") == {"stand"}


def test_za_dbl_split_and_aces(game: GameTables, tables: Tables) -> None:
    """ZA-DBL, ZA-SPLIT, ZA-ACES"""
    for hand in ("2s 3d", "As 5d", "Ts Td", "8s 8d split 3c"):
        assert "double" in may(game, hand, "9s")
    assert "double" not in may(game, "2s 3d hit 4c", "9s")
    assert "split" in may(game, "8s 8d split 8c", "9s")
    assert "split" not in may(game, "8s 8d split 8c split 8h", "9s")
    assert "split" in may(tables(ID, max_hands=4), "8s 8d split 8c split 8h", "9s")
    assert "split" not in may(tables(ID, max_hands=2), "8s 8d split 8c", "9s")
    assert may(game, "As Ad split Ac", "9s") == {"stand"}


def test_za_sur_none_or_late(game: GameTables, tables: Tables) -> None:
    """ZA-SUR: what came by an exchange too, but no hand of a split."""
    assert "surrender" not in may(game, "Ts 6d", "9s")
    late = tables(ID, surrender="late")
    for hand in ("Ts 6d", "9s 7d replace Ts 5c"):
        assert "surrender" in may(late, hand, "9s")
    assert "surrender" not in may(late, "8s 8d split 7c", "9s")
    assert result(late, "Ts 6d surrender", "Ts 8d") == HALF


def test_za_ins_two_to_one_on_an_ace(game: GameTables, tables: Tables) -> None:
    """ZA-INS"""
    assert may(game, "9s 7d", "As", "insurance") == {"insure", "decline"}
    assert result(game, "9s 7d", "As Kd", "insurance") == 2
    assert may(tables(ID, insurance="false"), "9s 7d", "As", "insurance") == set()
