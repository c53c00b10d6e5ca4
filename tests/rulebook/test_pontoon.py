"""Pontoon, clause by clause."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle import engine_search
from rulebook.facts import (
    EVEN,
    LOSS,
    PUSH,
    checked_under,
    deal_of,
    dealer,
    is_settled,
    may,
    own_clauses,
    rates,
    reads,
    refusal,
    result,
    shown,
)
from upcard import GameTables, tables_for
from upcard.cards import Card
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Aim

GAME = "pontoon"
CLAUSES = {
    *("CV-1", "CV-2", "CV-3", "CV-5", "CV-6", "CV-7", "CV-8", "CV-9"),
    *("PO-DECK", "PO-NHC", "PO-21", "PO-BON", "PO-OBBO", "PO-DBL", "PO-SPLIT", "PO-SUR"),
}


@pytest.fixture(scope="module")
def game() -> GameTables:
    return tables_for(GAME)


def test_every_clause_is_in_the_game_and_shown(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES


def test_po_deck_and_po_nhc(game: GameTables) -> None:
    """PO-DECK, PO-NHC"""
    assert int(game.alphabet.counts.sum()) == 8 * 48
    assert dealer(game, "As 6d") == "draws"
    assert deal_of(game) == ["position up", "dealer up", "position up"]
    assert checked_under(game) == set()
    assert "PO-NHC" in refusal(GAME, peek="ace")


@pytest.mark.parametrize("up", ["6s", "Ks", "As"])
def test_po_21_wins_at_once(game: GameTables, up: str) -> None:
    """PO-21"""
    assert is_settled(game, "9s 9d 3c", up=up)
    assert is_settled(game, "As Kd", up=up)
    assert result(game, "9s 9d 3c", "Ks As") == EVEN == result(game, "9s 9d 3c", "7s 7d 7c")
    assert result(game, "As Kd", "Ks As") == Fraction(3, 2)


def test_po_bon_is_paid_at_once_and_not_on_doubled_hands(game: GameTables) -> None:
    """PO-BON: by number of cards and by suits, in any order, on split hands too."""
    for cards, pays in (
        ("8s 7s 6s", 3),
        ("7h 6h 8h", 2),
        ("6h 7d 8h", Fraction(3, 2)),
        ("7s 7s 7s", 3),
        ("2s 3s 4d 5d 7c", Fraction(3, 2)),
        ("2s 2d 2c 3s 5d 7c", 2),
        ("2s 2d 2c 2h 3s 3d 7c", 3),
    ):
        assert result(game, cards, "Ks As") == pays
        assert is_settled(game, cards, up="Ks")
    assert result(game, "6s 7s double 8s", "Ks As") == 1
    other = tables_for(GAME, {"bonus_after_split": "false"})
    assert result(game, "7s 7d split 7h 7c", "Ks As") == Fraction(3, 2)
    assert result(other, "7s 7d split 7h 7c", "Ks As") == 1


def test_po_obbo_each_hand_loses_its_own_wager(game: GameTables) -> None:
    """PO-OBBO"""
    for first in (True, False):
        assert rates(game, "Ks 8d", "Ks As", first=first, doubles=1) == (LOSS, PUSH)
        assert rates(game, "Ks 6d Qd", "Ks As", first=first, doubles=1) == (LOSS, LOSS)


def test_po_dbl_aces_count_one(game: GameTables) -> None:
    """PO-DBL"""
    assert reads(game, "As 3d 4c double 9s") == "hard 17"
    assert reads(game, "As 3d double Ac") == "soft 15"
    assert may(game, "As 3d double 4c", up="6s") == {"stand"}


def test_po_split_three_hands(game: GameTables) -> None:
    """PO-SPLIT"""
    assert "split" in may(game, "8s 8d split 8c", up="6s")
    assert "split" not in may(game, "8s 8d split 8c split 8h", up="6s")
    assert may(game, "As Ad split Ac", up="6s") == {"stand"}
    assert "double" in may(game, "8s 8d split 3c", up="6s")


def test_po_sur_by_the_house_s_choice(game: GameTables) -> None:
    """PO-SUR"""
    assert "surrender" not in may(game, "Ks 6d", up="As")
    late = tables_for(GAME, {"surrender": "late"})
    assert ["surrender" in may(late, "Ks 6d", up) for up in ("As", "Js", "9s")] == [1, 1, 0]
    rescued = tables_for(GAME, {"rescue": "true"})
    assert "rescue" in may(rescued, "5s 6d double 2c", up="As")
    assert is_settled(rescued, "5s 6d double 2c rescue", up="As")


@pytest.mark.parametrize("settings", [{}, {"surrender": "late"}, {"rescue": "true"}])
def test_every_order_of_a_tiny_deck(settings: dict[str, str]) -> None:
    """The solver against the live table, without splits."""
    tables = tables_for(GAME, settings)
    cards = ["As", "Ad", "6s", "6d", "Ks", "Kd", "5s", "9s"]
    counts = [0] * len(tables.alphabet)
    for card in cards:
        counts[tables.alphabet.symbol(Card.parse(card))] += 1
    exact = engine_search.search(tables, cards, 1000)
    found = BaseGame(tables, counts=tuple(counts)).solve(Aim(bet=1000), mode="none")
    assert found.ev == pytest.approx(float(exact), abs=1e-12)
