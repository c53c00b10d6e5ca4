"""The player-dealer: offered clockwise, two hands each, and the bank's money."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import PURE, Table, names_of
from upcard.money import MOST_CENTS
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.ledger import BANK, LAYOUT

HUGE = 10**30


def around(*seats: int, **settings: Any) -> Table:
    """A table with players named after their seats."""
    table = Table(PURE, **settings)
    for seat in seats:
        table.sit(f"P{seat}", seat)
    return table


def offered(table: Table) -> tuple[str, int]:
    """Whom the bank is offered to, and the turn, as everybody sees it."""
    offer = table.view().offer
    assert offer is not None
    return offer.player, offer.turn


def play(table: Table, banker: str, bettor: str, seat: int) -> list[ev.Event]:
    events = table.bank(banker, 20_000)
    events += table.bet(bettor, seat)
    events += table.deal()
    return events + table.finish()


def test_the_first_seat_that_is_taken_is_offered_the_bank() -> None:
    table = Table(PURE)
    assert table.view().offer is None
    table.sit("Cy", 5)
    assert offered(table) == ("Cy", 1)


def test_the_bank_goes_round_clockwise_after_every_two_hands() -> None:
    """PS-T1, PS-D10."""
    table = around(2, 4, 7)
    seen = []
    for _ in range(7):
        banker, turn = offered(table)
        seen.append((banker, turn))
        bettor = next(f"P{seat}" for seat in (2, 4, 7) if f"P{seat}" != banker)
        play(table, banker, bettor, int(bettor[1:]))
    once = [("P2", 1), ("P2", 2), ("P4", 1), ("P4", 2), ("P7", 1), ("P7", 2)]
    assert seen == [*once, ("P2", 1)]


def test_the_button_shows_who_banks_and_which_turn_it_is() -> None:
    """PS-D1."""
    table = around(1, 2)
    for turn in (1, 2):
        table.bank("P1", 20_000)
        for viewer in ("", "P1", "P2"):
            button = table.view(viewer).bank
            assert button is not None
            assert (button.player, button.seat, button.turn, button.turns) == ("P1", 1, turn, 2)
        table.bet("P2", 2)
        table.deal()
        table.finish()


def test_a_table_that_carries_on_begins_with_the_second_turn() -> None:
    table = Table(PURE, first_turn=2)
    table.sit("P1", 1)
    table.sit("P2", 2)
    assert offered(table) == ("P1", 2)
    play(table, "P1", "P2", 2)
    assert offered(table) == ("P2", 1)


def test_declining_passes_the_bank_on_clockwise() -> None:
    table = around(1, 3, 6)
    for player in ("P1", "P3", "P6", "P1"):
        assert offered(table) == (player, 1)
        events = table.do(cm.DeclineBank(player=player))
        assert names_of(events) == ["BankDeclined", "BankOffered"]
    assert offered(table) == ("P3", 1)


def test_declining_the_second_turn_passes_the_bank_on_with_a_first_turn() -> None:
    table = around(1, 2)
    play(table, "P1", "P2", 2)
    assert offered(table) == ("P1", 2)
    table.do(cm.DeclineBank(player="P1"))
    assert offered(table) == ("P2", 1)


def test_when_everybody_declines_there_is_no_round_and_the_offer_goes_on() -> None:
    table = around(1, 2)
    for player in ("P1", "P2", "P1", "P2"):
        table.do(cm.DeclineBank(player=player))
        table.refused(cm.Deal(), "PS-D1")
        table.refused(cm.PlaceWagers(player="P1", position=1, wagers={"base": 1000}), "PS-D1")
    table.bank("P1")
    table.bet("P2", 2)
    table.deal()


def test_one_player_alone_is_offered_the_bank_again_and_again() -> None:
    table = around(3)
    table.do(cm.DeclineBank(player="P3"))
    assert offered(table) == ("P3", 1)


def test_one_player_alone_with_the_bank_up_is_not_trapped() -> None:
    """Nobody can wager and nobody can deal, so the money must come back somehow."""
    table = around(3)
    table.bank("P3", 20_000)
    table.refused(cm.Deal())
    ways: tuple[cm.Command, ...] = (
        cm.Leave(player="P3"),
        cm.DeclineBank(player="P3"),
        cm.CloseTable(),
    )
    assert any(table.accepts(way) for way in ways)


def test_only_who_is_offered_the_bank_takes_or_declines_it() -> None:
    table = around(1, 2)
    table.refused(cm.TakeBank(player="P2", amount=1000), "PS-T1", says="offered to P1")
    table.refused(cm.DeclineBank(player="P2"), "PS-T1", says="offered to P1")
    table.do(cm.BuyIn(player="Dee", amount=5000))
    table.refused(cm.TakeBank(player="Dee", amount=1000), "PS-T1")


@pytest.mark.parametrize("amount", [0, -100, 50, 150, 100_100, HUGE, -HUGE])
def test_a_bank_is_whole_dollars_that_the_player_has(amount: int) -> None:
    table = around(1, 2)
    table.refused(cm.TakeBank(player="P1", amount=amount))
    assert offered(table) == ("P1", 1)


def test_a_bank_has_no_maximum() -> None:
    """PS-D8."""
    table = around(1, 2)
    table.do(cm.BuyIn(player="P1", amount=MOST_CENTS))
    table.bank("P1", MOST_CENTS)
    assert table.state.ledger.balance(BANK) == MOST_CENTS


def test_a_bank_that_is_up_is_not_taken_or_declined_again() -> None:
    table = around(1, 2)
    table.bank("P1")
    table.refused(cm.TakeBank(player="P1", amount=1000), "PS-D1", says="settled")
    table.refused(cm.DeclineBank(player="P2"), "PS-D1")


def test_the_player_dealer_who_leaves_between_rounds_loses_the_second_turn() -> None:
    table = around(1, 2, 3)
    play(table, "P1", "P2", 2)
    assert offered(table) == ("P1", 2)
    events = table.do(cm.Leave(player="P1"))
    assert names_of(events) == ["PlayerLeft", "ChipsCashed", "BankOffered"]
    assert offered(table) == ("P2", 1)


def test_somebody_else_leaving_does_not_touch_the_offer() -> None:
    table = around(1, 2, 3)
    play(table, "P1", "P2", 2)
    table.do(cm.Leave(player="P3"))
    assert offered(table) == ("P1", 2)


def test_an_offer_waits_until_somebody_sits_when_all_have_left() -> None:
    table = around(1, 2)
    table.do(cm.Leave(player="P1"))
    table.do(cm.Leave(player="P2"))
    assert table.view().offer is None
    table.sit("P5", 5)
    assert offered(table) == ("P5", 1)


@pytest.mark.parametrize(
    ("cards", "net"),
    [("9s Ks 9h 9d", 1000), ("9s Ks 9h 7d", -1000), ("9s Ks 8h 7d", 0)],
)
def test_the_banks_money_comes_back_with_its_net(cards: str, net: int) -> None:
    """PS-T2."""
    table = around(1, 2)
    table.bank("P1", 20_000)
    before = table.state.chips("P1")
    table.bet("P2", 2, 1000)
    table.stack(cards)
    events = table.deal()
    events += table.finish()
    fees = sum(e.amount for e in events if isinstance(e, ev.FeeCollected) and e.player == "P1")
    returned = next(e for e in events if isinstance(e, ev.BankReturned))
    assert (returned.net, returned.amount) == (net, 20_000 + net)
    assert table.state.chips("P1") == before - fees + returned.amount
    assert table.state.ledger.balance(BANK) == 0


def test_the_bank_never_loses_more_than_was_put_up() -> None:
    """PS-T2: 18 and 19 against a busted bank of $10; the second gets what is left."""
    table = around(1, 2, 3)
    table.bank("P1", 1500)
    table.bet("P2", 2, 1000)
    table.bet("P3", 3, 1000)
    table.stack("9s 9h 6s 9d Kd Kh Kc")
    table.deal()
    table.finish()
    settled = [e for e in table.events if isinstance(e, ev.WagerSettled)]
    assert [(e.player, e.won, e.uncovered) for e in settled] == [("P2", 1000, 0), ("P3", 500, 500)]
    returned = next(e for e in table.events if isinstance(e, ev.BankReturned))
    assert (returned.amount, returned.net) == (0, -1500)


def test_the_bank_never_wins_more_than_was_put_up() -> None:
    """PS-T2: two losers against a bank of $15; what is not covered goes back."""
    table = around(1, 2, 3)
    table.bank("P1", 1500)
    table.bet("P2", 2, 1000)
    table.bet("P3", 3, 1000)
    table.stack("9s 9h 9c 8d 8h Kc")
    table.deal()
    table.finish()
    settled = [e for e in table.events if isinstance(e, ev.WagerSettled)]
    assert [(e.player, e.collected) for e in settled] == [("P2", 1000), ("P3", 500)]
    assert table.state.ledger.balance(LAYOUT) == 0


# ------------------------------------------------------------------ the action button


def settled_order(table: Table) -> list[int]:
    return [e.position for e in table.events if isinstance(e, ev.WagerSettled)]


def ready(button: int = 0) -> Table:
    table = around(1, 2, 3, 5)
    table.bank("P1", 50_000)
    for seat in (5, 2, 3):
        table.bet(f"P{seat}", seat)
    if button:
        table.do(cm.PlaceActionButton(position=button))
    table.stack("9s 9h 9c 9d 8s 8d 8h Kc")
    table.deal()
    table.finish()
    return table


def test_action_begins_left_of_the_player_dealer_unless_the_button_lies_elsewhere() -> None:
    """PS-M9, PS-D7."""
    assert settled_order(ready()) == [2, 3, 5]


@pytest.mark.parametrize(
    ("button", "order"), [(2, [2, 3, 5]), (3, [3, 5, 2]), (4, [5, 2, 3]), (5, [5, 2, 3])]
)
def test_action_begins_at_the_button(button: int, order: list[int]) -> None:
    """PS-M9."""
    assert settled_order(ready(button)) == order


def test_the_button_is_gone_when_the_next_bank_goes_up() -> None:
    table = ready(3)
    table.bank("P1", 50_000)
    assert table.view().action_button == 0


def test_the_button_is_refused_at_the_wrong_time_or_place() -> None:
    table = around(1, 2)
    table.refused(cm.PlaceActionButton(position=2), says="nobody banks")
    table.bank("P1")
    for position in (0, -1, 8, HUGE):
        table.refused(cm.PlaceActionButton(position=position), "PS-TABLE")
    table.refused(cm.PlaceActionButton(position=1), "PS-M9", says="player-dealer")
    table.bet("P2", 2)
    table.stack("9s 9h 6s 7d")
    table.deal()
    table.refused(cm.PlaceActionButton(position=2), says="between rounds")
