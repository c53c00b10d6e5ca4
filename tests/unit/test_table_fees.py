"""Collection fees at the table: before the cards, refused where the rows do not settle them."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import PURE, Table, names_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.ledger import FEES


def ready(chips: int = 100_000, **settings: Any) -> Table:
    table = Table(PURE, **settings)
    table.sit("Ann", 1)
    table.do(cm.BuyIn(player="Bob", amount=chips), cm.Sit(player="Bob", seat=2))
    table.bank("Ann", 50_000)
    return table


def fees(events: list[ev.Event]) -> list[tuple[str, int, int]]:
    return [(e.player, e.position, e.amount) for e in events if isinstance(e, ev.FeeCollected)]


@pytest.mark.parametrize("schedule", [1, 42, 46])
def test_fees_are_taken_before_the_first_card(schedule: int) -> None:
    """PS-D2, PS-F4."""
    table = ready(fee_schedule=schedule)
    table.bet("Bob", 2, 1000)
    names = names_of(table.deal())
    first_card = names.index("CardDealt")
    last_fee = max(place for place, name in enumerate(names) if name == "FeeCollected")
    assert last_fee < first_card
    assert last_fee < names.index("CardBurned")
    assert last_fee < names.index("ShoeShuffled")


def test_schedules_that_charge_nobody_but_the_bank() -> None:
    """PS-F1."""
    table = ready(fee_schedule=1)
    table.bet("Bob", 2, 2500, match=300)
    events = table.deal()
    assert fees(events) == [("Ann", 0, 100)]
    assert table.state.ledger.balance(FEES) == 100
    assert table.state.chips("Ann") == 100_000 - 50_000 - 100


def test_schedules_by_the_spot_charge_base_and_bonus_spots_alike() -> None:
    """PS-F2."""
    table = ready(fee_schedule=42)
    table.bet("Bob", 2, 5000, match=1000)
    table.bet("Bob", 3, 1000)
    assert fees(table.deal()) == [("Bob", 2, 100), ("Bob", 3, 50), ("Ann", 0, 100)]


def test_schedules_by_the_player_go_by_the_base_wager() -> None:
    """PS-F3."""
    table = ready(fee_schedule=46)
    table.bet("Bob", 2, 5000, match=10_000)
    assert fees(table.deal()) == [("Bob", 2, 100), ("Ann", 0, 100)]


def test_backline_bettors_pay_for_their_own_wagers() -> None:
    table = ready(fee_schedule=42)
    table.do(cm.BuyIn(player="Dee", amount=10_000))
    table.bet("Bob", 2, 1000)
    table.do(cm.BackWagers(player="Dee", position=2, wagers={"base": 2000}))
    assert fees(table.deal()) == [("Bob", 2, 50), ("Dee", 2, 50), ("Ann", 0, 100)]


def test_doubles_and_splits_cost_no_further_fee() -> None:
    """PS-O7."""
    table = ready(fee_schedule=42)
    table.bet("Bob", 2, 1000)
    table.stack("8s 9h 8h 6d 3c Kc 3d Kd Qc")
    taken = table.deal()
    rest = table.answer("split")
    while table.question is not None:
        actions = [action.text for action in table.asked.actions]
        rest += table.answer("double" if "double" in actions else "stand")
    assert "HandDoubled" in names_of(rest)
    assert len(fees(taken)) == 2
    assert not fees(rest)


@pytest.mark.parametrize(
    ("schedule", "clause", "base", "boxes"),
    [
        (41, "PS-F1", 25_000, 1),  # no row for $201 to $300
        (41, "PS-F1", 45_000, 1),  # two rows for $401 to $500
        (42, "PS-F2", 6000, 1),  # players' rows stop at $50
        (50, "PS-F3", 50_000, 3),  # the player-dealer's rows stop at $1,000
    ],
)
def test_fees_that_the_printed_rows_do_not_settle_refuse_the_deal(
    schedule: int, clause: str, base: int, boxes: int
) -> None:
    """PS-F5."""
    table = ready(chips=200_000, fee_schedule=schedule)
    for position in range(2, 2 + boxes):
        table.bet("Bob", position, base)
    said = table.refused(cm.Deal(), says=f"schedule {schedule} does not settle")
    assert clause in said


@pytest.mark.parametrize(("resolution", "fee"), [("lower-fee", 300), ("higher-fee", 400)])
def test_a_resolution_of_the_operator_settles_them(resolution: str, fee: int) -> None:
    """PS-F5: $250 lies between a $3 and a $4 row of schedule 41."""
    table = ready(fee_schedule=41, fee_resolution=resolution)
    table.bet("Bob", 2, 25_000)
    assert fees(table.deal()) == [("Ann", 0, fee)]


def test_the_refusal_carries_its_clause_as_any_other_does() -> None:
    table = ready(fee_schedule=41)
    table.bet("Bob", 2, 25_000)
    table.refused(cm.Deal(), "PS-F1")


def test_a_player_who_cannot_pay_the_fee_stops_the_deal() -> None:
    table = ready(chips=1000, fee_schedule=42)
    table.bet("Bob", 2, 1000)
    table.refused(cm.Deal(), says="Bob has $0")
    table.do(cm.BuyIn(player="Bob", amount=50))
    assert ("Bob", 2, 50) in fees(table.deal())


def test_a_player_pays_the_fees_of_all_boxes_together() -> None:
    table = ready(chips=2050, fee_schedule=42)
    table.bet("Bob", 2, 1000)
    table.bet("Bob", 3, 1000)
    table.refused(cm.Deal(), says="Bob has $0.50")


def test_the_banks_own_fee_is_not_taken_out_of_the_bank() -> None:
    """PS-D1: the fee goes in front of the circle."""
    table = Table(PURE)
    table.sit("Ann", 1, 5000)
    table.sit("Bob", 2)
    table.bank("Ann", 5000)
    table.bet("Bob", 2, 1000)
    table.refused(cm.Deal(), says="Ann has $0")
    table.do(cm.BuyIn(player="Ann", amount=100))
    table.deal()
    bank = table.state.bank
    assert bank is not None
    assert bank.amount == 5000
