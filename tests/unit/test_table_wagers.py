"""Wagers: limits, amounts, boxes, and the clause that each refusal names."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import CHANCE, PURE, STICKS, TIE, TWISTED, Table
from upcard.table import commands as cm

HUGE = 10**30
WRONG = [0, -1, -500, 550, 1, 499, 50_100, HUGE, -HUGE]


def seated(game: str = "blackjack", **settings: Any) -> Table:
    table = Table(game, **settings)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    if game == PURE:
        table.bank("Ann", 20_000)
    return table


def wager(wagers: dict[str, int], player: str = "Bob", at: int = 2) -> cm.Command:
    return cm.PlaceWagers(player=player, position=at, wagers=wagers)


@pytest.mark.parametrize("game", ["blackjack", STICKS, TIE, TWISTED])
@pytest.mark.parametrize("amount", WRONG)
def test_amounts_outside_the_limits_are_refused(game: str, amount: int) -> None:
    table = seated(game)
    table.refused(wager({"base": amount}))
    table.bet("Bob", 2, 1000)
    table.refused(wager({"base": amount}))
    assert table.state.bets_at(2)[0].wagers == {"base": 1000}


@pytest.mark.parametrize("amount", [0, -200, 100, 201, 300, 500, 600, 800, HUGE])
def test_charity_wagers_are_two_or_four_dollars_and_nothing_else(amount: int) -> None:
    table = seated(CHANCE)
    table.refused(wager({"base": amount}), "GC-AMT")
    table.do(wager({"base": 200}))
    table.do(wager({"base": 400}))


@pytest.mark.parametrize("amount", [0, -300, 200, 20_100, HUGE])
def test_match_wagers_keep_within_the_tables_limits(amount: int) -> None:
    table = seated(PURE)
    clauses = ("PS-M5",) if amount > 0 else ()
    table.refused(wager({"base": 1000, "match": amount}), *clauses)


@pytest.mark.parametrize("match", [300, 1000, 20_000])
def test_a_match_wager_may_be_less_equal_or_more_than_the_base(match: int) -> None:
    """PS-M5."""
    table = seated(PURE)
    table.do(wager({"base": 1000, "match": match}))
    assert table.state.on_layout == 1000 + match


def test_a_match_wager_needs_a_base_wager() -> None:
    table = seated(PURE)
    table.refused(wager({"match": 1000}), "PS-M3")
    table.refused(cm.BackWagers(player="Ann", position=2, wagers={"match": 1000}))


def test_a_match_wager_is_refused_where_it_is_not_offered() -> None:
    table = seated(PURE, match=False)
    table.refused(wager({"base": 1000, "match": 1000}), "PS-M1")


@pytest.mark.parametrize("side", ["stud-poker", "stud-bonus"])
def test_stud_wagers_need_the_mandatory_wager(side: str) -> None:
    table = seated(TWISTED)
    table.refused(wager({side: 500}), "TW-2")
    table.do(wager({"base": 500, side: 1000}))


@pytest.mark.parametrize(
    ("settings", "side"),
    [({"stud_poker": False}, "stud-poker"), ({"stud_bonus": "none"}, "stud-bonus")],
)
def test_stud_wagers_that_the_operator_does_not_offer_are_refused(
    settings: dict[str, Any], side: str
) -> None:
    table = seated(TWISTED, **settings)
    table.refused(wager({"base": 500, side: 500}), "TW-2")


def test_bonus_wagers_together_may_not_exceed_the_primary_wager() -> None:
    table = seated(TIE)
    table.refused(wager({"base": 500, "left-side": 600}), "BT-5")
    table.refused(wager({"base": 500, "tie-17": 300, "tie-18": 300}), "BT-5")
    table.do(wager({"base": 500, "tie-17": 300, "tie-18": 200}))
    table.refused(wager({"tie-17": 300}), "BT-P1")


def test_bonus_wagers_of_one_box_do_not_lean_on_another_box() -> None:
    table = seated(TIE)
    table.do(wager({"base": 50_000}))
    table.refused(wager({"base": 500, "tie-17": 600}, at=3), "BT-5")


def test_bonus_wagers_by_the_player_lean_on_all_boxes() -> None:
    """BT-5, SR-51: whichever command changes the layout, no layout is over the limit."""
    table = seated(TIE, bonus_limit="player")
    table.refused(wager({"base": 500, "tie-17": 600}), "BT-5", says="the base wager of $5")
    table.do(wager({"base": 1000}))
    table.refused(wager({"base": 500, "tie-17": 1600}, at=3), "BT-5", says="all base wagers of $15")
    table.do(wager({"base": 500, "tie-17": 1000, "tie-18": 500}, at=3))
    table.refused(wager({"base": 1000, "tie-20": 100}), "BT-5")
    table.refused(wager({"base": 900}), "BT-5")
    table.refused(wager({}), "BT-5")
    table.refused(wager({"base": 500, "tie-17": 600}, player="Ann", at=1), "BT-5")
    table.do(wager({"base": 1000, "tie-17": 500}, at=3))
    table.do(wager({}))
    assert [(bet.position, bet.total) for bet in table.state.bets] == [(3, 1500)]


def test_taking_all_bonus_wagers_back_is_never_refused() -> None:
    """BT-5, SR-51."""
    table = seated(TIE, bonus_limit="player")
    table.do(wager({"base": 1000}), wager({"base": 500, "tie-17": 1500}, at=3))
    table.do(wager({}, at=3), wager({}))
    assert not table.state.bets


def test_other_circles_only_along_with_the_own_seat() -> None:
    """PS-D2, SR-11: the own seat's wager comes first and goes last."""
    table = seated(PURE)
    table.refused(wager({"base": 1000}, at=3), "PS-D2", says="place a wager at seat 2 first")
    table.do(wager({"base": 1000}), wager({"base": 2000}, at=3), wager({"base": 3000}, at=5))
    said = table.refused(wager({}), "PS-D2", says="take those wagers back first")
    assert "Bob wagers at position 3 and 5 along with seat 2" in said
    table.do(wager({"base": 1500}), wager({}, at=3))
    table.refused(wager({}), "PS-D2")
    table.do(wager({}, at=5), wager({}))
    table.refused(wager({"base": 1000}, at=3), "PS-D2")
    assert not table.state.bets


def test_backing_a_hand_is_no_circle_of_ones_own() -> None:
    """PS-D2, PS-W8, SR-11: nor does it stand for a wager at the own seat."""
    table = seated(PURE)
    table.sit("Cy", 4)
    table.bet("Bob", 2)
    back = cm.BackWagers(player="Cy", position=2, wagers={"base": 1000})
    table.do(back)
    table.refused(wager({"base": 1000}, player="Cy", at=5), "PS-D2")
    table.do(wager({"base": 1000}, player="Cy", at=4))
    table.do(wager({}, player="Cy", at=4))


def test_in_other_games_the_own_seat_may_stay_empty() -> None:
    """SR-11."""
    table = seated()
    table.do(wager({"base": 1000}, at=3))


def test_an_unknown_wager_is_refused_with_a_guess() -> None:
    table = seated(TIE)
    said = table.refused(wager({"base": 500, "tie-blakjack": 100}))
    assert 'did you mean "tie-blackjack"' in said
    table.refused(wager({"base": 500, "": 100}))
    table.refused(wager({"base": 500, "insurance": 200}))


@pytest.mark.parametrize("position", [0, -1, 8, HUGE])
def test_there_is_no_wager_at_a_position_that_does_not_exist(position: int) -> None:
    table = seated(PURE)
    table.refused(wager({"base": 1000}, at=position), "PS-TABLE", says="no position")
    command = cm.BackWagers(player="Bob", position=position, wagers={"base": 1000})
    table.refused(command, "PS-TABLE")


def test_nobody_wagers_at_the_seat_or_the_box_of_another() -> None:
    table = seated()
    table.refused(wager({"base": 1000}, at=1), "HB-BOXES", says="Ann")
    table.bet("Ann", 3)
    table.refused(wager({"base": 1000}, at=3), "HB-BOXES", says="Ann")
    table.refused(wager({}, at=3), "HB-BOXES")


def test_a_player_plays_several_boxes_where_the_game_allows_it() -> None:
    table = seated()
    for position in (2, 3, 7):
        table.do(wager({"base": 1000}, at=position))
    assert [bet.position for bet in table.state.bets] == [2, 3, 7]


def test_a_player_has_one_position_where_the_game_says_so() -> None:
    table = seated(TWISTED)
    table.refused(wager({"base": 500}, at=3), says="one position")


def test_somebody_without_a_seat_does_not_wager() -> None:
    table = seated()
    table.do(cm.BuyIn(player="Cy", amount=5000))
    table.refused(wager({"base": 1000}, player="Cy", at=3), says="no seat")


def test_a_wager_takes_chips_that_are_there() -> None:
    table = seated()
    table.do(cm.BuyIn(player="Cy", amount=1500), cm.Sit(player="Cy", seat=3))
    table.refused(wager({"base": 1600}, player="Cy", at=3), says="Cy has $15")
    table.bet("Cy", 3, 1000)
    table.refused(wager({"base": 1000}, player="Cy", at=4), says="Cy has $5")
    table.do(wager({"base": 1500}, player="Cy", at=3))
    assert table.state.chips("Cy") == 0


def test_wagers_are_changed_and_taken_back_before_the_deal() -> None:
    table = seated()
    table.bet("Bob", 2, 5000)
    table.bet("Bob", 2, 2000)
    assert (table.state.on_layout, table.state.chips("Bob")) == (2000, 98_000)
    table.do(wager({}))
    assert (table.state.on_layout, table.state.chips("Bob")) == (0, 100_000)
    assert not table.state.bets


@pytest.mark.parametrize("game", ["blackjack", CHANCE, TWISTED, PURE])
def test_no_wager_is_placed_or_taken_back_while_cards_are_out(game: str) -> None:
    table = seated(game)
    table.bet("Bob", 2, 400 if game == CHANCE else 1000)
    every = " ".join(rank + suit for suit in "shd" for rank in "23456789TJQK")
    table.stack({TWISTED: every, PURE: "9s 9h 6s 7d"}.get(game, "Ts 9h 6s Td"))
    table.deal()
    assert table.question is not None
    table.refused(wager({"base": 1000}), says="before the deal")
    table.refused(wager({}), says="before the deal")


def test_the_player_dealer_does_not_wager_nor_does_anybody_at_the_banks_seat() -> None:
    table = seated(PURE)
    table.refused(wager({"base": 1000}, player="Ann", at=1), "PS-D1")
    table.refused(wager({"base": 1000}, player="Ann", at=3), "PS-D1")
    table.refused(wager({"base": 1000}, at=1))
    table.bet("Bob", 2)
    command = cm.BackWagers(player="Ann", position=2, wagers={"base": 1000})
    table.refused(command, "PS-D1", says="cannot wager against the bank")


@pytest.mark.parametrize(
    ("game", "clause"), [("blackjack", ""), (CHANCE, "GC-SIDE"), (TWISTED, ""), (TIE, "")]
)
def test_nobody_backs_another_players_hand_in_a_house_game(game: str, clause: str) -> None:
    table = seated(game)
    table.bet("Bob", 2, 400 if game == CHANCE else 1000)
    command = cm.BackWagers(player="Ann", position=2, wagers={"base": 400})
    table.refused(command, *((clause,) if clause else ()), says="back")


@pytest.mark.parametrize("game", ["blackjack", STICKS, CHANCE, TWISTED, TIE])
def test_there_is_no_bank_and_no_action_button_in_a_house_game(game: str) -> None:
    table = seated(game)
    clauses = ("GC-PAY",) if game == CHANCE else ()
    table.refused(cm.TakeBank(player="Ann", amount=1000), *clauses, says="house banks")
    table.refused(cm.DeclineBank(player="Ann"), *clauses, says="house banks")
    table.refused(cm.PlaceActionButton(position=1), says="no action button")
