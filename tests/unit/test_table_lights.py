"""Lights of Ten Sticks 21: whose they are, the prize at ten, and when they are lost."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import STICKS, Table, names_of
from upcard.table import commands as cm
from upcard.table import events as ev

ONE_TRADE = "Tc 9h 5s Td 6h"
"""One box: the bonus card is traded for a six, which makes 11."""


def light(table: Table, player: str = "Ann", position: int = 1, answer: str = "trade") -> None:
    """A round in which the one box of a player is dealt a bonus card."""
    table.bet(player, position)
    table.stack(ONE_TRADE)
    table.deal()
    table.answer(answer)
    table.finish()


def lit(table: Table) -> dict[tuple[str, int], int]:
    return {(seen.player, seen.position): seen.lit for seen in table.view().lights}


def seated(**settings: Any) -> Table:
    table = Table(STICKS, **settings)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    return table


def test_a_trade_lights_one_and_keeping_none() -> None:
    """TS-4, TS-5."""
    table = seated()
    light(table, answer="keep")
    assert lit(table) == {}
    light(table)
    assert lit(table) == {("Ann", 1): 1}
    assert [(seen.lit, seen.of) for seen in table.view("Bob").lights] == [(1, 10)]


def test_lights_last_from_round_to_round_and_belong_to_player_and_position() -> None:
    table = seated()
    for _ in range(3):
        light(table)
    light(table, "Ann", 5)
    light(table, "Bob", 2)
    assert lit(table) == {("Ann", 1): 3, ("Ann", 5): 1, ("Bob", 2): 1}


def test_the_tenth_light_pays_the_prize_at_once_and_resets_that_set_alone() -> None:
    """TS-6, TS-7."""
    table = seated(prize=7700)
    light(table, "Bob", 2)
    light(table, "Ann", 3)
    for count in range(1, 10):
        light(table)
        assert lit(table)["Ann", 1] == count
    table.bet("Ann", 1)
    before = table.state.chips("Ann")
    table.stack(ONE_TRADE)
    table.deal()
    events = table.answer("trade")
    names = names_of(events)
    assert names[:3] == ["CardTraded", "LightLit", "PrizeWon"]
    assert ev.LightLit(player="Ann", position=1, lights=10) in events
    assert ev.PrizeWon(player="Ann", position=1, amount=7700) in events
    assert table.state.chips("Ann") == before + 7700
    assert lit(table) == {("Bob", 2): 1, ("Ann", 3): 1}


def test_a_further_light_in_the_round_of_the_prize_counts_towards_the_next_ten() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 1, 9),))
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Tc 9h 5s Td Tc 6h")
    table.deal()
    table.answer("trade")
    table.answer("trade")
    table.finish()
    assert lit(table) == {("Ann", 1): 1}


def test_by_the_other_reading_a_further_light_in_that_round_is_lost() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 1, 9),), light_surplus="lost")
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Tc 9h 5s Td Tc 6h")
    table.deal()
    table.answer("trade")
    table.answer("trade")
    table.finish()
    assert lit(table) == {}


def test_without_trading_every_playable_bonus_card_gives_a_light_by_itself() -> None:
    """TS-10."""
    table = Table(STICKS, trade=False)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Tc 9h Tc Td")
    table.deal()
    table.finish()
    assert lit(table) == {("Ann", 1): 2}


def test_a_bonus_card_that_takes_the_hand_over_gives_no_light() -> None:
    """TS-3."""
    for trade in (True, False):
        table = Table(STICKS, trade=trade)
        table.sit("Ann", 1)
        table.bet("Ann", 1)
        table.stack("9s 9h 6s Td Tc")
        table.deal()
        table.answer("hit")
        assert table.question is None
        assert lit(table) == {}


def test_the_dealers_bonus_card_is_a_ten_and_gives_nobody_a_light() -> None:
    """TS-9."""
    table = seated(trade=False)
    table.bet("Ann", 1)
    table.stack("9s Tc 9h 8d")
    table.deal()
    table.finish()
    assert lit(table) == {}
    assert table.view().dealer.total == "18"


def test_lights_are_lost_on_leaving_and_do_not_pass_to_the_next_in_the_chair() -> None:
    """TS-8."""
    table = seated()
    light(table)
    light(table, "Bob", 2)
    events = table.do(cm.Leave(player="Ann"))
    assert ev.LightsLost(player="Ann", position=1, lights=1) in events
    table.sit("Cy", 1)
    assert lit(table) == {("Bob", 2): 1}
    light(table, "Cy", 1)
    assert lit(table) == {("Cy", 1): 1, ("Bob", 2): 1}


def test_the_same_player_who_comes_back_starts_at_zero() -> None:
    """TS-8."""
    table = seated()
    light(table)
    table.do(cm.Leave(player="Ann"))
    table.sit("Ann", 1)
    assert lit(table) == {}


def test_nobody_plays_for_the_lights_of_another_at_the_same_circle() -> None:
    """TS-8: a circle without a chair passes from one player to another."""
    table = seated()
    light(table, "Ann", 5)
    light(table, "Bob", 5)
    assert lit(table) == {("Ann", 5): 1, ("Bob", 5): 1}


def test_all_sets_of_a_player_are_lost_together() -> None:
    table = seated()
    light(table, "Ann", 1)
    light(table, "Ann", 5)
    lost = [e for e in table.do(cm.Leave(player="Ann")) if isinstance(e, ev.LightsLost)]
    assert sorted(e.position for e in lost) == [1, 5]
    assert lit(table) == {}


def test_closing_the_table_puts_all_lights_out() -> None:
    table = seated()
    light(table)
    light(table, "Bob", 2)
    events = table.do(cm.CloseTable())
    assert names_of(events).count("LightsLost") == 2
    assert lit(table) == {}


def test_lights_of_an_earlier_table_are_carried_on() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 1, 4),))
    table.sit("Ann", 1)
    light(table)
    assert lit(table) == {("Ann", 1): 5}


def test_no_lights_carried_on_are_no_lights_to_lose() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 1, 0),))
    table.sit("Ann", 1)
    assert "LightsLost" not in names_of(table.do(cm.Leave(player="Ann")))


def test_by_the_other_reading_a_player_has_one_set_for_all_boxes() -> None:
    table = seated(lights_owner="player")
    light(table, "Ann", 1)
    light(table, "Ann", 5)
    assert lit(table) == {("Ann", 0): 2}
    lost = [e for e in table.do(cm.Leave(player="Ann")) if isinstance(e, ev.LightsLost)]
    assert [(e.position, e.lights) for e in lost] == [(0, 2)]


def test_one_set_for_all_boxes_pays_when_the_boxes_together_have_ten() -> None:
    table = Table(STICKS, lights=(ev.Lights("Ann", 3, 8),), lights_owner="player")
    table.sit("Ann", 1)
    for position in (1, 2):
        table.bet("Ann", position)
    table.stack("Tc Tc 9h 5s 5h Td 6h 6d")
    table.deal()
    events = table.answer("trade")
    assert "PrizeWon" not in names_of(events)
    assert "PrizeWon" in names_of(table.answer("trade"))
    assert lit(table) == {}


def test_lights_are_lit_at_the_right_box_of_several() -> None:
    table = seated()
    for position in (1, 3):
        table.bet("Ann", position)
    table.bet("Bob", 2)
    table.stack("9s Tc Tc 9h 5s 5h 5d Td 6h")
    table.deal()
    assert (table.asked.player, table.asked.position) == ("Bob", 2)
    table.answer("trade")
    assert (table.asked.player, table.asked.position) == ("Ann", 3)
    table.answer("keep")
    assert lit(table) == {("Bob", 2): 1}


@pytest.mark.parametrize("position", [1, 3])
def test_a_light_of_a_split_hand_belongs_to_the_box(position: int) -> None:
    table = seated()
    table.bet("Ann", position)
    table.stack("8s 9h 8h Td Tc 6h 5c 4c")
    table.deal()
    table.answer("split")
    assert table.asked.phase == "trades"
    table.answer("trade")
    assert lit(table) == {("Ann", position): 1}
