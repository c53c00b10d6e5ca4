"""Seats: boxes, coming, going and buying in again."""

from __future__ import annotations

from unit.test_table_play import PURE, STICKS, TWISTED, Table, names_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.ledger import CASHIER

STANDING = "Ts 9h 6s Td"


def seat_of(table: Table, name: str) -> int:
    player = table.state.player(name)
    assert player is not None
    return player.seat


def test_somebody_who_buys_in_stands_behind_the_table_until_they_sit_down() -> None:
    table = Table()
    table.do(cm.BuyIn(player="Ann", amount=5000))
    assert seat_of(table, "Ann") == 0
    table.do(cm.Sit(player="Ann", seat=7))
    assert seat_of(table, "Ann") == 7


def test_buying_in_again_adds_chips_even_while_cards_are_out() -> None:
    table = Table()
    table.sit("Ann", 1, 1000)
    table.bet("Ann", 1, 1000)
    table.stack("Ts 9h 6s Td 5h 8d")
    table.deal()
    table.refused(cm.Double(player="Ann", position=1), says="Ann has $0")
    table.do(cm.BuyIn(player="Ann", amount=1000))
    table.answer("double")
    assert table.state.ledger.balance(CASHIER) == -2000
    assert len(table.state.players) == 1


def test_boxes_of_one_player_are_asked_one_after_the_other_as_that_player() -> None:
    table = Table()
    table.sit("Ann", 2)
    for position in (1, 2, 5):
        table.bet("Ann", position)
    table.stack("Ts Th Td 6s 6h 6d 5s Tc 2s 2h 2d 9c")
    table.deal()
    asked = []
    while table.question is not None:
        asked.append((table.asked.player, table.asked.position))
        table.answer("stand")
    assert asked == [("Ann", 1), ("Ann", 2), ("Ann", 5)]


def test_boxes_of_one_player_are_settled_each_by_itself() -> None:
    table = Table()
    table.sit("Ann", 2)
    table.bet("Ann", 2, 1000)
    table.bet("Ann", 3, 2000)
    table.stack("Ts Th 9s Td 5s Tc")
    table.deal()
    table.finish()
    settled = [e for e in table.events if isinstance(e, ev.WagerSettled)]
    assert [(e.position, e.staked, e.result) for e in settled] == [
        (2, 1000, "won"),
        (3, 2000, "lost"),
    ]
    assert table.state.on_layout == 0


def test_nobody_sits_down_where_somebody_has_wagers() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.bet("Ann", 2)
    table.do(cm.BuyIn(player="Bob", amount=5000))
    table.refused(cm.Sit(player="Bob", seat=2), says="Ann has wagers at position 2")
    table.stack("Ts 9h Td 6s 8h 7d 6c")
    table.deal()
    assert table.question is not None
    table.refused(cm.Sit(player="Bob", seat=2), says="end of the round")
    table.do(cm.Sit(player="Bob", seat=3))
    table.finish()
    table.do(cm.BuyIn(player="Cy", amount=5000), cm.Sit(player="Cy", seat=2))
    table.refused(cm.PlaceWagers(player="Ann", position=2, wagers={"base": 1000}), "HB-BOXES")


def test_the_own_circle_beside_the_seat_does_not_hinder_sitting_elsewhere() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 2)
    table.sit("Bob", 3)
    assert seat_of(table, "Bob") == 3


def test_nobody_leaves_with_wagers_on_the_layout() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 4)
    table.refused(cm.Leave(player="Ann"), says="wagers on the layout")
    table.do(cm.PlaceWagers(player="Ann", position=4, wagers={}))
    assert names_of(table.do(cm.Leave(player="Ann"))) == ["PlayerLeft", "ChipsCashed"]


def test_nobody_leaves_in_the_middle_of_a_round() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack(STANDING)
    table.deal()
    table.refused(cm.Leave(player="Ann"), says="between rounds")
    table.answer("stand")
    table.do(cm.Leave(player="Ann"))


def test_the_player_dealer_does_not_leave_with_wagers_against_the_bank() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.bank("Ann")
    table.bet("Bob", 2)
    table.refused(cm.Leave(player="Ann"), "PS-D1", says="holds the bank")


def test_who_leaves_is_paid_out_and_is_nobody_at_the_table() -> None:
    table = Table()
    table.sit("Ann", 1, 7700)
    events = table.do(cm.Leave(player="Ann"))
    assert events[-1] == ev.ChipsCashed(player="Ann", amount=7700)
    assert table.state.players == ()
    assert table.state.chips("Ann") == 0
    table.refused(cm.Sit(player="Ann", seat=1), says="buy in first")
    table.refused(cm.Leave(player="Ann"), says="buy in first")


def test_who_comes_back_starts_anew_and_may_take_another_seat() -> None:
    table = Table(PURE)
    table.do(cm.BuyIn(player="Ann", amount=500, kind="proposition"), cm.Sit(player="Ann", seat=1))
    table.do(cm.Leave(player="Ann"))
    table.do(cm.BuyIn(player="Ann", amount=900), cm.Sit(player="Ann", seat=6))
    player = table.state.player("Ann")
    assert player is not None
    assert (player.kind, player.seat, table.state.chips("Ann")) == ("player", 6, 900)


def test_a_seat_that_was_left_is_free_for_the_next() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.do(cm.Leave(player="Ann"))
    table.sit("Bob", 1)
    assert seat_of(table, "Bob") == 1


def test_proposition_players_are_marked_for_everybody_to_see() -> None:
    """PS-W12."""
    table = Table(PURE)
    table.do(cm.BuyIn(player="Prop", amount=50_000, kind="proposition"))
    table.do(cm.Sit(player="Prop", seat=1))
    table.sit("Bob", 2)
    for viewer in ("", "Bob", "Prop"):
        kinds = {player.name: player.kind for player in table.view(viewer).players}
        assert kinds == {"Prop": "proposition", "Bob": "player"}


def test_proposition_players_play_and_bank() -> None:
    """PS-W12."""
    table = Table(PURE)
    table.do(cm.BuyIn(player="Prop", amount=50_000, kind="proposition"))
    table.do(cm.Sit(player="Prop", seat=1))
    table.sit("Bob", 2)
    table.bank("Prop", 10_000)
    table.bet("Bob", 2)
    table.deal()
    table.finish()
    table.do(cm.DeclineBank(player="Prop"))
    table.bank("Bob", 10_000)
    table.bet("Prop", 1)
    table.deal()
    table.finish()
    assert table.state.rounds == 2


def test_closing_pays_everybody_out() -> None:
    table = Table(STICKS)
    for seat, name in enumerate(("Ann", "Bob", "Cy"), 1):
        table.sit(name, seat, 1000 * seat)
    events = table.do(cm.CloseTable())
    cashed = {e.player: e.amount for e in events if isinstance(e, ev.ChipsCashed)}
    assert cashed == {"Ann": 1000, "Bob": 2000, "Cy": 3000}
    assert table.state.ledger.balance(CASHIER) == 0
    assert names_of(events)[-1] == "ShoeOpened"


def test_a_newcomer_may_sit_down_while_cards_are_out_and_wagers_in_the_next_round() -> None:
    table = Table(TWISTED)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.deal()
    table.do(cm.BuyIn(player="Bob", amount=5000), cm.Sit(player="Bob", seat=2))
    table.finish()
    table.bet("Bob", 2, 500)
    assert table.state.bets_at(2)[0].player == "Bob"
