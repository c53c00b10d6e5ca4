"""Nothing that a caller holds can change a state, an event or a record afterwards."""

from __future__ import annotations

import msgspec
import pytest

from conftest import compiled
from unit.test_table_play import PURE, Table
from upcard.errors import UpcardError
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE
from upcard.table.judge import Refusal
from upcard.table.session import Session
from upcard.table.verify import verify
from upcard.table.view import PUBLIC, view


def test_a_command_changed_later_changes_nothing() -> None:
    table = Table()
    table.sit("Ann", 1)
    wagers = {"base": 500}
    table.do(cm.PlaceWagers(player="Ann", position=1, wagers=wagers))
    wagers["base"] = 50_000
    assert table.state.bets[0].wagers == {"base": 500}
    assert table.state.on_layout == 500
    table.deal()
    assert all(check.holds for check in verify(table.engine.tables, table.session.log()))


def test_a_view_changed_later_changes_nothing() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    seen = view(table.engine, table.state, PUBLIC)
    seen.bets[0].wagers["base"] = 99_900
    assert table.state.bets[0].wagers["base"] != 99_900


@pytest.mark.parametrize("part", [NEW_TABLE, ev.RoundStarted(round=1), ev.Lights("Ann", 1, 2)])
def test_states_and_events_are_frozen(part: msgspec.Struct) -> None:
    name = part.__struct_fields__[0]
    with pytest.raises(AttributeError):
        setattr(part, name, None)
    assert hash(part) == hash(msgspec.structs.replace(part))


def test_amounts_are_whole_numbers() -> None:
    """The library checks the types that the command line cannot get wrong."""
    refusal = Table().session.do(msgspec.structs.replace(BUY, amount=1.5))
    assert isinstance(refusal, Refusal)
    assert "Expected `int`" in refusal.reason


BUY = cm.BuyIn(player="Ann", amount=100)


def test_a_session_goes_on_only_by_its_own_rules() -> None:
    log = Table().session.log()
    for tables in (compiled("blackjack", decks=1), compiled("twisted-21")):
        with pytest.raises(UpcardError, match="other rules"):
            Session.resumed(tables, log)


def test_a_missed_card_is_forgotten_with_the_wager_it_was_announced_for() -> None:
    table = Table()
    for seat, name in enumerate(("Ann", "Bob"), 1):
        table.sit(name, seat)
    table.bet("Ann", 3)
    table.do(
        cm.MissCards(position=3, cards=2),
        cm.PlaceWagers(player="Ann", position=3, wagers={}),
    )
    table.bet("Bob", 3)
    table.deal()
    here = table.state.round
    assert here is not None
    assert not here.boxes[0].dead


def test_a_card_is_drawn_in_error_once_a_round() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Ts 9h 9s 8d 2c 3c")
    table.deal()
    table.finish()
    table.do(cm.DrawInError())
    table.refused(cm.DrawInError(), "HB-IRREGULAR", says="burned already")


def test_a_bank_that_covers_everything_pays_a_natural_at_once() -> None:
    """PS-M6: where the order makes no difference."""
    for amount, early in ((1_000_000, True), (10_000, False)):
        table = Table(PURE)
        table.sit("Ann", 1)
        table.sit("Bob", 2)
        table.sit("Cy", 7)
        table.do(cm.BuyIn(player="Cy", amount=amount))
        while table.state.stage == "bank":
            offer = table.state.offer
            assert offer is not None
            if offer.player == "Cy":
                table.do(cm.TakeBank(player="Cy", amount=amount))
            else:
                table.do(cm.DeclineBank(player=offer.player))
        table.bet("Ann", 1, 1000)
        table.bet("Bob", 2, 1000)
        table.stack("9s As 9h 9d Ks 7d 8h")
        table.deal()
        assert table.question is not None
        settled = [e for e in table.events if isinstance(e, ev.WagerSettled)]
        assert bool(settled) is early
