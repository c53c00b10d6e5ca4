"""Decisions: whose turn it is, what the question is, and amounts that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import CHANCE, PURE, STICKS, TWISTED, Table
from upcard.table import commands as cm
from upcard.table import events as ev

HUGE = 10**30


def asked(cards: str, game: str = "blackjack", *, base: int = 1000, **settings: Any) -> Table:
    """Ann at seat 2 alone, dealt these cards; in Pure Spanish 21.5 Bob banks at seat 1."""
    table = Table(game, **settings)
    if game == PURE:
        table.sit("Bob", 1)
    table.sit("Ann", 2)
    if game == PURE:
        table.bank("Bob")
    table.bet("Ann", 2, base)
    table.stack(cards)
    table.deal()
    assert table.question is not None
    return table


def ann(text: str) -> cm.Command:
    return cm.parse_decision(text, player="Ann", position=2)


def test_every_action_of_the_question_is_accepted_and_no_other() -> None:
    table = asked("8s 9h 8d Td 2c 3c 4c 5c 6c 7c")
    legal = {action.text for action in table.asked.actions}
    assert legal == {"hit", "stand", "double", "split", "surrender"}
    every = ("hit", "stand", "double", "split", "surrender", "insure", "decline", "redouble")
    for name in (*every, "rescue", "keep", "trade"):
        assert table.accepts(ann(name)) == (name in legal)


def test_a_decision_for_another_position_is_refused() -> None:
    table = asked("Ts 9h 6s Td 5h")
    for position in (0, 1, 3, 8, -2, HUGE):
        command = cm.Hit(player="Ann", position=position)
        table.refused(command, "HB-ORDER", says="position 2 decides now")


def test_nobody_decides_for_another_player() -> None:
    table = asked("Ts 9h 6s Td 5h")
    table.do(cm.BuyIn(player="Eve", amount=5000))
    table.refused(cm.Stand(player="Eve", position=2), "HB-ORDER", says="is Ann's")
    table.refused(cm.Stand(player="", position=2))


def test_players_wait_for_their_turn() -> None:
    table = Table(CHANCE)
    for seat, name in ((1, "Ann"), (2, "Bob")):
        table.sit(name, seat)
        table.bet(name, seat, 200)
    table.stack("Ts 9h 6s 6h 8d 7d 5c")
    table.deal()
    table.refused(cm.Stand(player="Bob", position=2), "GC-TURN", says="position 1 decides")
    table.answer("stand")
    table.refused(cm.Stand(player="Ann", position=1), "GC-TURN")
    table.do(cm.Stand(player="Bob", position=2))


def test_between_rounds_there_is_nothing_to_decide() -> None:
    table = asked("Ts 9h 6s Td 5h")
    table.answer("stand")
    table.refused(ann("hit"), says="between rounds")
    assert table.question is None


@pytest.mark.parametrize(
    ("game", "cards", "action", "clause"),
    [
        ("blackjack", "Ts 9h 6s Td", "split", "HB-SPLIT"),
        ("blackjack", "Ts 9h 6s Td", "insure", "HB-INSURANCE"),
        (TWISTED, "", "split", "TW-8"),
        (PURE, "9s 9h 8s 7d", "hit", "PS-1A"),
        (PURE, "9s 9h 4s 7d", "split", "PS-O4"),
    ],
)
def test_an_illegal_action_is_refused_by_the_clause(
    game: str, cards: str, action: str, clause: str
) -> None:
    fives = " ".join(rank + suit for suit in "shd" for rank in "23456789TJQK")
    table = asked(cards or fives, game)
    table.refused(ann(action), clause)


def test_what_is_no_answer_to_this_question_is_refused() -> None:
    table = asked("Ts Ah 6s 9d 2c")
    assert table.asked.phase == "insurance"
    table.refused(ann("hit"))
    table.refused(ann("stand"))
    table.answer("decline")
    table.refused(ann("decline"))
    table.answer("stand")


# ------------------------------------------------------------------ amounts


@pytest.mark.parametrize("amount", [-1, -500, 501, 600, 1000, HUGE, -HUGE])
def test_insurance_is_at_most_half_the_wager(amount: int) -> None:
    table = asked("Ts Ah 6s 9d 2c")
    table.refused(cm.Insure(player="Ann", position=2, amount=amount), "HB-INSURANCE")


def test_insurance_without_an_amount_is_as_much_as_the_rules_allow() -> None:
    table = asked("Ts Ah 6s 9d 2c")
    assert ev.InsuranceTaken(player="Ann", position=2, amount=500) in table.answer("insure")


def test_insurance_takes_chips_that_are_there() -> None:
    table = Table()
    table.sit("Ann", 2, 1200)
    table.bet("Ann", 2, 1000)
    table.stack("Ts Ah 6s 9d 2c")
    table.deal()
    table.refused(ann("insure"), says="Ann has $2")
    table.do(ann("insure 200"))
    assert table.state.chips("Ann") == 0


@pytest.mark.parametrize("amount", [100, 500, 999, 1100, 2000, HUGE, -1000])
def test_a_double_is_the_wager_where_less_is_not_allowed(amount: int) -> None:
    table = asked("5s 9h 6s Td 5h")
    table.refused(cm.Double(player="Ann", position=2, amount=amount), "HB-DOUBLE")
    table.do(cm.Double(player="Ann", position=2, amount=1000))


@pytest.mark.parametrize("amount", [-100, 50, 101, 1100, HUGE, -HUGE])
def test_a_double_for_less_is_positive_whole_dollars_up_to_the_wager(amount: int) -> None:
    table = asked("5s 9h 6s Td 5h", double_for_less=True)
    table.refused(cm.Double(player="Ann", position=2, amount=amount))


@pytest.mark.parametrize(("game", "base"), [(STICKS, 1000), (CHANCE, 400)])
def test_doubling_for_less_adds_what_was_named(game: str, base: int) -> None:
    table = asked("5s 9h 6s Td 5h 9c", game, base=base)
    events = table.answer("double 100")
    doubled = next(e for e in events if isinstance(e, ev.HandDoubled))
    assert doubled.added == (ev.Added("Ann", 100),)


def test_double_double_down_leaves_no_doubling_for_less() -> None:
    table = asked("5s 9h 6s 7d 2h", PURE)
    table.refused(cm.Double(player="Ann", position=2, amount=500), "PS-O3a")


@pytest.mark.parametrize("action", ["double", "split"])
def test_who_cannot_pay_does_not_double_or_split(action: str) -> None:
    table = Table()
    table.sit("Ann", 2, 1900)
    table.bet("Ann", 2, 1000)
    table.stack("4s 9h 4d Td 5h 5c 6c")
    table.deal()
    table.refused(ann(action), says="Ann has $9")
    table.do(cm.BuyIn(player="Ann", amount=100))
    table.do(ann(action))


def test_each_further_double_takes_the_whole_wager_so_far() -> None:
    """PS-O3."""
    table = Table(PURE)
    table.sit("Bob", 1)
    table.sit("Ann", 2, 3900)
    table.bank("Bob")
    table.bet("Ann", 2, 1000)
    table.stack("2s 9h 3s 7d 2h 2c 2d Kc")
    table.deal()
    table.answer("double")
    table.refused(ann("redouble"), says="Ann has $19")
    table.do(cm.BuyIn(player="Ann", amount=100))
    events = table.answer("redouble")
    assert ev.Added("Ann", 2000) in next(e for e in events if isinstance(e, ev.HandDoubled)).added


# ------------------------------------------------------------------ picked hit cards


def twisted(**settings: Any) -> Table:
    """Ann has 2 and 3, down are king, queen and nine; the dealer shows an eight."""
    table = Table(TWISTED, seats=(1,), **settings)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("2s 3s Ks Qs 9s 8h 4h 5h 6h 7h")
    table.deal()
    return table


@pytest.mark.parametrize("pick", [-1, 4, 5, HUGE])
def test_a_down_card_that_is_not_there_is_not_picked(pick: int) -> None:
    table = twisted()
    for kind in (cm.Hit, cm.Double):
        table.refused(kind(player="Ann", position=1, pick=pick), "TW-12", says="no down card")


def test_a_down_card_is_picked_once() -> None:
    table = twisted()
    table.answer("hit 2")
    table.refused(cm.Hit(player="Ann", position=1, pick=2), "TW-12", says="1 and 3")
    box = table.view().boxes[0]
    assert box.hands[0].cards == ("2s", "3s", "Qs")
    assert box.down == ("??", "", "??")


def test_down_cards_are_not_picked_where_they_come_in_order() -> None:
    table = twisted(hit_cards="in-order")
    table.refused(cm.Hit(player="Ann", position=1, pick=2), "TW-12", says="not picked")
    table.answer("hit")
    assert table.view().boxes[0].hands[0].cards == ("2s", "3s", "Ks")


def test_hit_cards_from_the_shoe_are_not_picked() -> None:
    table = asked("5s 9h 6s Td 5h")
    table.refused(cm.Hit(player="Ann", position=2, pick=1), says="not picked")
