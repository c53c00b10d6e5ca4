"""How every wager is settled, as rows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from upcard import tables_for
from upcard.compile.payoff import LooksAt
from upcard.compile.settlement import AtOnce
from upcard.money import BASE, INSURANCE
from upcard.rules.registry import GAME_IDS

SPANISH = "pure-spanish-21.5"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_wager_on_offer_has_one_row_and_one_source(game_id: str) -> None:
    tables = tables_for(game_id)
    rows = tables.settlement.rows
    assert sorted(row.wager for row in rows) == sorted((*tables.payoffs, *tables.observers))
    assert all((row.payoff is None) != (row.observer is None) for row in rows)


def test_wagers_after_the_game_come_last_and_are_never_paid_at_once() -> None:
    settlement = tables_for("twisted-21").settlement
    assert settlement.with_game == (BASE,)
    assert settlement.after_game == ("stud-poker", "stud-bonus")
    assert settlement.wagers == (*settlement.with_game, *settlement.after_game)
    assert all(settlement[wager].at_once is AtOnce.NEVER for wager in settlement.after_game)


def test_insurance_is_a_wager_on_the_box_with_a_largest_amount() -> None:
    settlement = tables_for("blackjack", {"chip": "100"}).settlement
    row = settlement[INSURANCE]
    assert row.looks_at is LooksAt.BOX
    assert (row.share, row.most_wins) == (Fraction(1, 2), Fraction(2))
    assert settlement.largest(INSURANCE, 1500) == 700, "in whole chips"
    assert settlement.largest(INSURANCE, 100) == 0
    assert tables_for("twisted-21").settlement.largest(INSURANCE, 1500) == 0, "not on offer"


def test_the_most_that_a_wager_wins_counts_doubles_and_splits() -> None:
    """Four hands doubled three times, each unit paid as a natural is: a bound, not a hand."""
    assert tables_for(SPANISH).settlement[BASE].most_wins == 4 * 8 * Fraction(6, 5)
    assert tables_for("blackjack-tie").settlement["tie-17"].most_wins == 50


@pytest.mark.parametrize(
    ("settings", "at_once"),
    [
        ({}, AtOnce.NATURALS_IF_COVERED),
        ({"natural_paid": "at-once"}, AtOnce.NATURALS),
    ],
)
def test_a_limited_bank_pays_in_order_but_for_naturals(
    settings: dict[str, str], at_once: AtOnce
) -> None:
    settlement = tables_for(SPANISH, settings).settlement
    assert settlement[BASE].at_once is at_once
    assert all(row.covered for row in settlement.rows)
    house = tables_for("blackjack").settlement
    assert house[BASE].at_once is AtOnce.ALWAYS
    assert not any(row.covered for row in house.rows)


def test_a_fixed_amount_is_charged_by_hand_or_once_a_player() -> None:
    game = "games-of-chance-blackjack"
    assert not tables_for(game).settlement[BASE].flat_once
    assert tables_for(game, {"tie_dollar": "player"}).settlement[BASE].flat_once
