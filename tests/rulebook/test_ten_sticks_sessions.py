"""Ten Sticks 21 between rounds: players' cards, changing chairs, prizes that are no money.

Worked out by hand from the clauses; no single round could show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

import upcard
from conftest import compiled
from unit.test_table_play import PURE, STICKS, TWISTED, Table
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.ledger import GOODS, PRIZES
from upcard.table.notation import parse_log, write_log
from upcard.table.players_cards import Casino
from upcard.table.report import round_report
from upcard.table.sentences import sentence
from upcard.table.verify import verify

if TYPE_CHECKING:
    from pathlib import Path

CLUB = Casino("Club", "key")
FORM = "The form of the player's card needs the commission's prior approval."
ONE_TRADE = "Tc 9h 5s Td 6h"
"""One box: the bonus card is traded for a six, which makes 11."""
NO_BONUS_CARD = "9s 9h 8s Td"


def opened(lights: Sequence[ev.Lights] = (), name: str = "one", **settings: Any) -> Table:
    table = Table(STICKS, casino=CLUB, lights=tuple(lights), name=name, **settings)
    table.sit("Ann", 1)
    return table


def play(table: Table, position: int, cards: str = NO_BONUS_CARD, player: str = "Ann") -> None:
    table.bet(player, position)
    table.stack(cards)
    table.deal()
    if cards == ONE_TRADE:
        table.answer("trade")
    table.finish()


def card_of(lights: int, **settings: Any) -> str:
    """The card of somebody who left an earlier table with so many lights."""
    table = opened([ev.Lights("Ann", 1, lights)], "earlier", players_card=True, **settings)
    events = table.do(cm.Leave(player="Ann"))
    (token,) = (table.engine.players_card(e) for e in events if isinstance(e, ev.CardPunched))
    return token


def present(token: str, position: int = 1) -> cm.PresentCard:
    return cm.PresentCard(player="Ann", position=position, token=token)


def lit(table: Table) -> dict[tuple[str, int], int]:
    return {(seen.player, seen.position): seen.lit for seen in table.view().lights}


# ------------------------------------------------------------------ SR-20: when play is resumed


def test_ts_8_ts_11_a_card_is_given_up_before_the_first_round_at_a_position() -> None:
    """TS-8, TS-11, SR-20: whoever has played there started at zero; the card is not lost."""
    token = card_of(7)
    table = opened(players_card=True)
    play(table, 1)
    said = table.refused(present(token), "TS-8", "TS-11", says="Ann has played at position 1")
    assert "given up when play is resumed, before the first round" in said
    assert not table.state.used_cards
    table.do(present(token, 3))
    assert lit(table) == {("Ann", 3): 7}


def test_ts_11_rounds_of_others_and_rounds_sat_out_do_not_resume_play() -> None:
    """TS-11, SR-20."""
    token = card_of(7)
    table = opened(players_card=True)
    table.sit("Bob", 2)
    play(table, 2, player="Bob")
    table.bet("Ann", 1)
    table.do(present(token))
    assert lit(table) == {("Ann", 1): 7}


def test_ts_11_one_set_for_all_boxes_is_resumed_with_the_first_of_them() -> None:
    """TS-11, SR-20, reading lights_owner: a round at any box is the first."""
    token = card_of(7, lights_owner="player")
    table = opened(players_card=True, lights_owner="player")
    play(table, 3)
    table.refused(present(token), "TS-8", "TS-11", says="Ann has played here since sitting down")


def test_ts_8_changing_chairs_does_not_make_it_the_first_round() -> None:
    """TS-8, TS-11, SR-20, SR-23: nor is the old chair a new one."""
    token = card_of(7)
    table = opened(players_card=True)
    play(table, 1)
    table.do(cm.Move(player="Ann", seat=5))
    table.refused(present(token, 5), "TS-8", "TS-11")
    table.refused(present(token, 1), "TS-8", "TS-11")


def test_ts_11_who_leaves_and_comes_back_resumes_anew() -> None:
    """TS-11, SR-20."""
    token = card_of(7)
    table = opened(players_card=True)
    play(table, 1)
    table.do(cm.Leave(player="Ann"))
    table.sit("Ann", 1)
    table.do(present(token))
    assert lit(table) == {("Ann", 1): 7}
    table.refused(present(token), "TS-11")


# ------------------------------------------------------------------ SR-21: the form of the card


def test_ts_11_the_card_says_that_its_form_needs_approval() -> None:
    """TS-11, SR-21: on the card, where it is punched, and on the sign of a table with cards."""
    assert CLUB.read(card_of(7)).form == FORM
    table = opened([ev.Lights("Ann", 1, 7)], players_card=True)
    (punched,) = (
        event for event in table.do(cm.Leave(player="Ann")) if isinstance(event, ev.CardPunched)
    )
    assert sentence(table.engine, punched).endswith(f"with 7 punches. {FORM}")
    assert FORM in table.view().sign.notices
    assert FORM not in opened(players_card=False).view().sign.notices


# ------------------------------------------------------------------ SR-22: one set, two boxes


def test_ts_6_with_one_set_the_prize_is_booked_to_the_box_whose_trade_won_it() -> None:
    """TS-6, SR-22, reading lights_owner."""
    table = opened([ev.Lights("Ann", 1, 9)], lights_owner="player")
    table.bet("Ann", 1)
    table.bet("Ann", 3)
    table.stack("9s Tc 9h 8s 5s Td 6h")
    table.deal()
    before = table.state.chips("Ann")
    events = table.answer("trade")
    assert ev.LightLit(player="Ann", position=0, lights=10, box=3) in events
    won = next(event for event in events if isinstance(event, ev.PrizeWon))
    assert won == ev.PrizeWon(player="Ann", position=0, amount=5000, box=3)
    assert sentence(table.engine, won) == "All lights are lit: Ann wins $50 at seat 3."
    assert table.state.chips("Ann") == before + 5000
    table.finish()
    assert table.state.round is not None
    assert table.state.round.prizes == (("Ann", 3, 5000),)


# ------------------------------------------------------------------ SR-23: changing chairs


@pytest.mark.parametrize("players_card", [True, False])
def test_ts_8_a_move_is_not_leaving_and_keeps_the_lights(players_card: bool) -> None:
    """TS-8, SR-23: the set of the chair goes along, every other stays where it is."""
    sets = [ev.Lights("Ann", 1, 4), ev.Lights("Ann", 3, 2), ev.Lights("Bob", 2, 6)]
    table = opened(sets, players_card=players_card)
    table.sit("Bob", 2)
    events = table.do(cm.Move(player="Ann", seat=5))
    assert events == [ev.PlayerMoved(player="Ann", seat=5, left=1, lights=4)]
    assert (
        sentence(table.engine, events[0]) == "Ann moves from seat 1 to seat 5, and 4 lights along."
    )
    assert lit(table) == {("Ann", 5): 4, ("Ann", 3): 2, ("Bob", 2): 6}
    play(table, 5, ONE_TRADE)
    assert lit(table)["Ann", 5] == 5
    table.sit("Cy", 1)
    play(table, 1, ONE_TRADE, player="Cy")
    assert lit(table)["Cy", 1] == 1


def test_ts_8_a_move_to_a_circle_with_lights_of_ones_own_exchanges_the_sets() -> None:
    """TS-8, SR-23: neither set is lost, and none grows."""
    table = opened([ev.Lights("Ann", 1, 4), ev.Lights("Ann", 5, 9)])
    table.do(cm.Move(player="Ann", seat=5))
    assert lit(table) == {("Ann", 5): 4, ("Ann", 1): 9}
    table.do(cm.Move(player="Ann", seat=1))
    assert lit(table) == {("Ann", 1): 4, ("Ann", 5): 9}


def test_ts_8_a_set_that_is_not_bound_to_a_chair_stays_as_it_is() -> None:
    """TS-8, SR-23, reading lights_owner."""
    table = opened([ev.Lights("Ann", 1, 4)], lights_owner="player")
    table.do(cm.Move(player="Ann", seat=5))
    assert lit(table) == {("Ann", 0): 4}


def test_ts_8_leaving_after_a_move_still_loses_the_lights() -> None:
    """TS-8, SR-23."""
    table = opened([ev.Lights("Ann", 1, 4)])
    table.do(cm.Move(player="Ann", seat=5))
    events = table.do(cm.Leave(player="Ann"))
    assert ev.LightsLost(player="Ann", position=5, lights=4) in events
    assert lit(table) == {}


def test_ts_8_where_nobody_can_move() -> None:
    """TS-8, SR-23: only to a free seat, between rounds, with nothing on the layout."""
    table = opened([ev.Lights("Ann", 1, 4)])
    table.sit("Bob", 2)
    move = cm.Move(player="Ann", seat=2)
    table.refused(move, says="seat 2 is taken by Bob")
    table.refused(cm.Move(player="Ann", seat=1), says="Ann sits at 1 already")
    table.refused(cm.Move(player="Ann", seat=8), says="there is no position 8")
    table.refused(cm.Move(player="Zoe", seat=3), says="buy in first")
    table.do(cm.BuyIn(player="Cy", amount=500))
    table.refused(cm.Move(player="Cy", seat=3), says="sit down first")
    table.bet("Bob", 3)
    table.refused(cm.Move(player="Ann", seat=3), says="Bob has wagers at position 3")
    table.bet("Ann", 1)
    table.refused(cm.Move(player="Ann", seat=5), says="take them back first")
    table.stack("9s 9s 9h 9d 8s 8s 8d Td")
    table.deal()
    table.refused(cm.Move(player="Ann", seat=5), says="between rounds")
    table.finish()
    table.do(cm.Move(player="Ann", seat=5))


def test_ts_8_a_session_with_moves_is_its_log_and_is_verified() -> None:
    """TS-8, SR-23: record, replay and verification know of it."""
    table = opened(players_card=True)
    play(table, 1, ONE_TRADE)
    table.do(cm.Move(player="Ann", seat=5))
    play(table, 5, ONE_TRADE)
    log = parse_log(write_log(table.session.log()))
    assert table.engine.fold(log.events) == table.state
    assert lit(table) == {("Ann", 5): 2}
    assert all(check.holds for check in verify(compiled(STICKS, players_card=True), log, CLUB))


def test_the_bank_goes_by_seats_and_nobody_takes_it_along() -> None:
    """PS-T1, SR-23: whom it is offered to, and who has it up, stay in their seats."""
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.refused(cm.Move(player="Ann", seat=5), "PS-T1", says="take or decline it first")
    table.bank("Ann")
    table.refused(cm.Move(player="Ann", seat=5), "PS-T2", says="holds the bank")
    table.do(cm.Move(player="Bob", seat=7))
    table.refused(
        cm.PlaceWagers(player="Bob", position=2, wagers={"base": 1000}),
        "PS-D2",
        says="place a wager at seat 7 first",
    )
    table.bet("Bob", 7)


def test_games_without_lights_let_people_change_chairs_too() -> None:
    """SR-23."""
    table = Table(TWISTED)
    table.sit("Ann", 1)
    assert table.do(cm.Move(player="Ann", seat=4)) == [ev.PlayerMoved(player="Ann", seat=4, left=1)]
    table.bet("Ann", 4)


# ------------------------------------------------------------------ SR-23: what the prize is


def test_ts_6_a_prize_that_is_no_money_has_a_name_and_a_value(tmp_path: Path) -> None:
    """TS-6, SR-23: it is told by its name, valued in the books, and no chips."""
    own = tmp_path / "weekend.toml"
    own.write_text(
        'id = "weekend"\nversion = 1\nname = "Weekend"\nsource = "ours"\n'
        f'extends = "{STICKS}"\n[lights]\ncount = 1\nprize_name = "a weekend for two"\n'
        '[clauses]\nOURS = { kind = "money", says = "One light wins a weekend.", '
        'sets = ["lights.count", "lights.prize_name"] }\n'
    )
    game = upcard.game(str(own))
    table = game.table("Ann", cards=ONE_TRADE).wager(1000).deal()
    before = table.chips("Ann")
    table.push("trade")
    words = "a weekend for two, worth $50"
    assert f"All lights are lit: Ann wins {words}." in table.story()
    assert f"One light wins {words}." in table.view().sign.notices
    assert words in " ".join(str(game.rules()).split())
    books = table.session.state.ledger
    assert (table.chips("Ann"), books.balance(PRIZES), books.balance(GOODS)) == (
        before,
        -5000,
        5000,
    )
    while table.question is not None:
        table.push("stand")
    report = round_report(table.session.engine, table.session.state, ())
    assert report["prizes"] == 5000
    assert report["seats"]["1"]["net"] == 5000 - 1000  # 11 loses against 19
    assert table.session.state.ledger.total == 0
