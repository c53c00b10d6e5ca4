"""Backline: wagers on somebody else's spot (PS-W8, PS-M4)."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import PURE, Table, names_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.state import Box

HUGE = 10**30


def ready(dee: int = 100_000, base: int = 1000, **settings: Any) -> Table:
    """Ann banks, Bob wagers at 2, Dee stands behind the table."""
    table = Table(PURE, **settings)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.do(cm.BuyIn(player="Dee", amount=dee))
    table.bank("Ann")
    if base:
        table.bet("Bob", 2, base)
    return table


def back(base: int = 1000, *, follows: bool = False, **others: int) -> cm.BackWagers:
    return cm.BackWagers(player="Dee", position=2, wagers={"base": base} | others, follows=follows)


def box(table: Table) -> Box:
    here = table.state.round
    assert here is not None
    found = here.box(2)
    assert found is not None
    return found


def stakes(table: Table) -> list[dict[str, int]]:
    """For every hand of the spot, who has how much on it."""
    return [{stake.player: stake.total for stake in hand.stakes} for hand in box(table).hands]


def test_a_spot_without_a_wager_is_not_backed() -> None:
    table = ready(base=0)
    table.refused(back(), "PS-W8", says="no wager to back")


def test_nobody_backs_their_own_spot() -> None:
    table = ready()
    command = cm.BackWagers(player="Bob", position=2, wagers={"base": 1000})
    table.refused(command, "PS-W8", says="own")


@pytest.mark.parametrize("amount", [0, -300, 200, 350, 20_100, HUGE])
def test_a_backline_wager_keeps_within_the_limits(amount: int) -> None:
    table = ready()
    table.refused(back(amount))


def test_the_limit_of_a_spot_is_for_all_wagers_on_it_together() -> None:
    table = ready(base=15_000)
    table.refused(back(5100), "PS-D11", says="on the spot")
    table.do(back(5000))
    table.refused(cm.PlaceWagers(player="Bob", position=2, wagers={"base": 15_100}), "PS-D11")
    table.do(cm.BuyIn(player="Eve", amount=5000))
    table.refused(cm.BackWagers(player="Eve", position=2, wagers={"base": 300}), "PS-D11")
    table.do(back(4700))
    table.do(cm.BackWagers(player="Eve", position=2, wagers={"base": 300}))


def test_the_limit_of_a_match_spot_is_for_all_wagers_on_it_together() -> None:
    """PS-M4, PS-M5."""
    table = ready()
    table.bet("Bob", 2, 1000, match=15_000)
    table.refused(back(1000, match=5100), "PS-M5")
    table.do(back(1000, match=5000))


def test_a_backline_match_wager_needs_no_match_wager_of_the_owner() -> None:
    """PS-M4."""
    table = ready()
    table.do(back(1000, match=500))
    assert table.state.on_layout == 2500


def test_a_backline_wager_takes_chips_that_are_there() -> None:
    table = ready(dee=1500)
    table.refused(back(1600), says="Dee has $15")
    table.do(back(1500))
    table.do(back(300))
    assert table.state.chips("Dee") == 1200


def test_the_owner_does_not_withdraw_while_others_back_the_spot() -> None:
    table = ready()
    table.do(back())
    empty = cm.PlaceWagers(player="Bob", position=2, wagers={})
    table.refused(empty, says="cannot be left empty")
    table.bet("Bob", 2, 2000)
    table.do(cm.BackWagers(player="Dee", position=2, wagers={}))
    table.do(empty)
    assert table.state.on_layout == 0


def test_a_backline_bettor_does_not_leave_with_wagers_up() -> None:
    table = ready()
    table.do(back())
    table.refused(cm.Leave(player="Dee"), says="wagers on the layout")


def test_the_seated_player_decides_alone() -> None:
    table = ready()
    table.do(back())
    table.stack("9s 9h 4s 7d 8c 5c")
    table.deal()
    table.refused(cm.Hit(player="Dee", position=2), says="is Bob's")
    assert table.asked.player == "Bob"


def test_a_backline_wager_wins_and_loses_with_the_hand() -> None:
    table = ready()
    table.do(back(2000, match=500))
    table.stack("9s 9h Ks 7d Kc")
    table.deal()
    table.finish()
    mine = [e for e in table.events if isinstance(e, ev.WagerSettled) and e.player == "Dee"]
    assert [(e.wager, e.result, e.won) for e in mine] == [
        ("base", "won", 2000),
        ("match", "won", 2000),
    ]


def test_who_follows_doubles_and_doubles_again_with_the_owner() -> None:
    table = ready()
    table.do(back(300, follows=True))
    table.stack("2s 9h 3s 7d 2h 2c Kc 8c")
    table.deal()
    table.answer("double")
    assert stakes(table) == [{"Bob": 2000, "Dee": 600}]
    table.answer("redouble")
    assert stakes(table) == [{"Bob": 4000, "Dee": 1200}]


def test_who_does_not_follow_keeps_the_original_wager() -> None:
    table = ready()
    table.do(back(300))
    table.stack("2s 9h 3s 7d 2h 2c Kc 8c")
    table.deal()
    table.answer("double")
    assert stakes(table) == [{"Bob": 2000, "Dee": 300}]


SPLIT = "8s 9h 8h 7d 2c 2d Kc 8c 5c 5d"


def test_who_follows_a_split_has_wagers_on_both_hands() -> None:
    table = ready()
    table.do(back(300, follows=True))
    table.stack(SPLIT)
    table.deal()
    table.answer("split")
    assert stakes(table) == [{"Bob": 1000, "Dee": 300}, {"Bob": 1000, "Dee": 300}]


def test_who_does_not_follow_a_split_stays_on_the_first_hand() -> None:
    table = ready()
    table.do(back(300))
    table.stack(SPLIT)
    table.deal()
    table.answer("split")
    assert stakes(table) == [{"Bob": 1000, "Dee": 300}, {"Bob": 1000}]


@pytest.mark.parametrize(("chips", "added"), [(300, 0), (599, 0), (600, 300)])
def test_who_cannot_afford_to_follow_stays_as_if_not_following(chips: int, added: int) -> None:
    table = ready(dee=chips)
    table.do(back(300, follows=True))
    table.stack("2s 9h 3s 7d 2h 2c Kc 8c")
    table.deal()
    table.answer("double")
    assert stakes(table) == [{"Bob": 2000, "Dee": 300 + added}]
    assert table.state.chips("Dee") == chips - 300 - added


def test_who_did_not_follow_the_first_double_does_not_follow_the_second() -> None:
    table = ready(dee=300)
    table.do(back(300, follows=True))
    table.stack("2s 9h 3s 7d 2h 2c Kc 8c")
    table.deal()
    table.answer("double")
    table.do(cm.BuyIn(player="Dee", amount=50_000))
    table.answer("redouble")
    assert stakes(table) == [{"Bob": 4000, "Dee": 300}]


def test_who_follows_a_double_for_less_does_so_in_proportion() -> None:
    table = ready(double_double=False)
    table.do(back(2000, follows=True))
    table.stack("2s 9h 3s 7d 2h Kc 8c")
    table.deal()
    table.answer("double 500")
    assert stakes(table) == [{"Bob": 1500, "Dee": 3000}]


def test_a_rescue_gives_everybody_the_last_doubled_portion_back() -> None:
    """PS-O2: who did not double has nothing to take back."""
    table = ready()
    table.do(back(300, follows=True))
    table.do(cm.BuyIn(player="Eve", amount=5000))
    table.do(cm.BackWagers(player="Eve", position=2, wagers={"base": 500}))
    table.stack("2s 9h 3s 7d 2h Kc 8c")
    table.deal()
    table.answer("double")
    table.answer("rescue")
    lost = {e.player: e.collected for e in table.events if isinstance(e, ev.WagerSettled)}
    assert lost == {"Bob": 1000, "Dee": 300, "Eve": 500}


def test_by_the_other_reading_backline_bettors_must_match() -> None:
    table = ready(backline="must-match")
    table.do(back(300))
    table.stack(SPLIT)
    table.deal()
    table.answer("split")
    assert stakes(table) == [{"Bob": 1000, "Dee": 300}, {"Bob": 1000, "Dee": 300}]


def test_several_bettors_are_settled_after_the_owner_in_the_order_they_came() -> None:
    table = ready()
    table.do(cm.BuyIn(player="Eve", amount=5000))
    table.do(cm.BackWagers(player="Eve", position=2, wagers={"base": 500}))
    table.do(back(300))
    table.stack("9s 9h Ks 7d Kc")
    table.deal()
    table.finish()
    settled = [e.player for e in table.events if isinstance(e, ev.WagerSettled)]
    assert settled == ["Bob", "Eve", "Dee"]


def test_somebody_who_sits_may_back_another_spot_beside_the_own() -> None:
    table = ready()
    table.sit("Cy", 3)
    table.bet("Cy", 3)
    table.do(cm.BackWagers(player="Cy", position=2, wagers={"base": 300}))
    assert "WagersPlaced" in names_of(table.events)
    assert [bet.player for bet in table.state.bets_at(2)] == ["Bob", "Cy"]
