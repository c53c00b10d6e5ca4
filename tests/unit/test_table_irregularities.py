"""Irregularities (HB-IRREGULAR): each mistake, its remedy, and where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from unit.test_table_play import CHANCE, PURE, STICKS, TIE, TWISTED, Table, calm, names_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.state import Box

HUGE = 10**30
MISTAKES: tuple[cm.Command, ...] = (
    cm.MissCards(position=1, cards=1),
    cm.FindFaceUp(),
    cm.DrawInError(),
)


def seated(game: str = "blackjack", boxes: int = 3, **settings: Any) -> Table:
    table = Table(game, **settings)
    for seat in range(1, boxes + 1):
        table.sit(f"P{seat}", seat)
        table.bet(f"P{seat}", seat, 400 if game == CHANCE else 1000)
    return table


def box(table: Table, position: int) -> Box:
    here = table.state.round
    assert here is not None
    found = here.box(position)
    assert found is not None
    return found


def dealt(events: list[ev.Event]) -> list[tuple[int, str]]:
    return [(e.position, e.card) for e in events if isinstance(e, ev.CardDealt)]


@pytest.mark.parametrize("command", MISTAKES, ids=lambda command: type(command).__name__)
def test_a_game_without_remedies_refuses_every_mistake(command: cm.Command) -> None:
    table = seated(TWISTED, boxes=2)
    table.refused(command, says="no remedy")
    table.deal()
    table.refused(command, says="no remedy")
    table.finish()
    table.refused(command, says="no remedy")


# ------------------------------------------------------------------ cards missed in the deal


@pytest.mark.parametrize("game", ["blackjack", STICKS, CHANCE, TIE])
def test_a_hand_with_one_card_gets_its_second_after_the_others(game: str) -> None:
    table = seated(game)
    table.stack("9s 8s 7s 6h 9d 7d Td 8d 2c")
    table.do(cm.MissCards(position=2, cards=1))
    events = table.deal()
    assert dealt(events)[:8] == [
        (1, "9s"),
        (2, "8s"),
        (3, "7s"),
        (0, "6h"),
        (1, "9d"),
        (3, "7d"),
        (0, "Td"),
        (2, "8d"),
    ]
    assert box(table, 2).hands[0].cards == ("8s", "8d")
    assert box(table, 2).dealt == ("8s", "8d")


def test_a_hand_with_no_cards_is_dead_and_its_wagers_go_back() -> None:
    table = seated(TIE)
    table.bet("P2", 2, 1000, tie_17=500)
    table.stack("9s 7s 6h 9d 7d Td 8d 2c")
    table.do(cm.MissCards(position=2, cards=2))
    events = table.deal()
    assert "HandDead" in names_of(events)
    back = [e for e in events if isinstance(e, ev.WagerSettled)]
    assert [(e.wager, e.result, e.collected, e.won) for e in back] == [
        ("base", "dead", 0, 0),
        ("tie-17", "dead", 0, 0),
    ]
    assert table.state.chips("P2") == 100_000
    table.finish()
    assert box(table, 2).hands[0].cards == ()


def test_when_every_hand_is_dead_all_wagers_go_back() -> None:
    table = seated(boxes=2)
    table.stack("6h Td 9c")
    for position in (1, 2):
        table.do(cm.MissCards(position=position, cards=2))
    table.deal()
    table.finish()
    assert [table.state.chips(name) for name in ("P1", "P2")] == [100_000, 100_000]


def test_a_dead_hand_is_not_asked_about_anything() -> None:
    table = seated(boxes=2)
    table.stack("9s Ah 9d 7d 8c")
    table.do(cm.MissCards(position=2, cards=2))
    table.deal()
    asked = set()
    while table.question is not None:
        asked.add(table.asked.position)
        table.answer(calm(table.asked))
    assert asked == {1}


@pytest.mark.parametrize("cards", [0, -1, 3, HUGE])
def test_a_position_misses_one_or_two_cards(cards: int) -> None:
    seated().refused(cm.MissCards(position=1, cards=cards), says="1 to 2")


@pytest.mark.parametrize("position", [0, -1, 4, 8, HUGE])
def test_a_position_without_wagers_misses_nothing(position: int) -> None:
    seated().refused(cm.MissCards(position=position, cards=1), says="no cards anyway")


def test_a_mistake_of_the_deal_is_noted_once_and_before_the_deal() -> None:
    table = seated()
    table.do(cm.MissCards(position=1, cards=1))
    table.refused(cm.MissCards(position=1, cards=2), says="already")
    table.stack("9s 8s 7s 6h 9d 7d Td 8d 2c 3c 4c 5c")
    table.deal()
    table.refused(cm.MissCards(position=2, cards=1), says="before")


def test_a_mistake_is_forgotten_after_its_round() -> None:
    table = seated(boxes=1)
    table.do(cm.MissCards(position=1, cards=2))
    table.deal()
    table.finish()
    table.bet("P1", 1)
    assert "HandDead" not in names_of(table.deal())


def test_cards_are_missed_at_a_table_that_a_player_banks_too() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.refused(cm.MissCards(position=2, cards=1))
    table.bank("Ann")
    table.bet("Bob", 2)
    table.do(cm.MissCards(position=2, cards=2))
    events = table.deal()
    assert "HandDead" in names_of(events)
    assert table.state.chips("Bob") == 100_000


# ------------------------------------------------------------------ a card found face up


def test_a_card_found_face_up_is_not_used() -> None:
    table = seated(boxes=1)
    table.stack("Ks 9s 6h 8s Td 2c 9c")
    events = table.do(cm.FindFaceUp())
    assert events == [ev.CardFoundFaceUp(card="Ks")]
    assert "Ks" in table.state.discards
    assert [card for _, card in dealt(table.deal())] == ["9s", "6h", "8s", "Td"]
    assert table.do(cm.FindFaceUp()) == [ev.CardFoundFaceUp(card="2c")]
    assert dealt(table.answer("hit"))[0] == (1, "9c")


def test_there_is_no_card_to_find_before_the_shuffle_or_in_an_empty_shoe() -> None:
    table = seated(boxes=1)
    table.refused(cm.FindFaceUp(), says="no card")
    table.stack("9s 6h 8s Td")
    table.deal()
    table.refused(cm.FindFaceUp(), says="no card")


def test_a_card_found_face_up_is_dealt_again_only_after_a_shuffle() -> None:
    table = seated(boxes=1, decks=1, burn=0)
    table.deal()
    found = table.do(cm.FindFaceUp())[0]
    assert isinstance(found, ev.CardFoundFaceUp)
    table.finish()
    for _ in range(60):
        table.bet("P1", 1)
        events = table.deal() + table.finish()
        if "ShoeShuffled" in names_of(events):
            return
        assert found.card not in [card for _, card in dealt(events)]
    raise AssertionError("the shoe never ended")


# ------------------------------------------------------------------ a card drawn in error


def test_a_card_drawn_in_error_for_a_dealer_who_stands_is_burned() -> None:
    table = seated(boxes=1)
    table.stack("9s Th 8s 8d 2c 9c")
    table.deal()
    table.finish()
    before = table.view().dealer
    assert table.do(cm.DrawInError()) == [ev.CardDrawnInError(card="2c")]
    assert table.view().dealer == before
    assert "2c" in table.state.discards
    assert table.state.chips("P1") == 99_000


def test_no_card_is_drawn_in_error_before_the_dealer_stands() -> None:
    table = seated(boxes=1)
    table.refused(cm.DrawInError(), "HB-IRREGULAR", says="does not stand")
    table.stack("9s Th 8s 8d 2c 9c")
    table.deal()
    table.refused(cm.DrawInError(), "HB-IRREGULAR", says="does not stand")


def test_no_card_is_drawn_in_error_for_a_dealer_who_is_over_or_not_needed() -> None:
    table = seated(boxes=1)
    table.stack("9s 6h 8s Td Kc 9c")
    table.deal()
    table.finish()
    table.refused(cm.DrawInError(), "HB-IRREGULAR")
    table.bet("P1", 1)
    table.stack("9s 6h 5s Td Kc 9c")
    table.deal()
    table.answer("hit")
    assert table.view().dealer.result == "not needed"
    table.refused(cm.DrawInError(), "HB-IRREGULAR")


def test_no_card_is_drawn_in_error_from_an_empty_shoe() -> None:
    table = seated(boxes=1)
    table.stack("9s Th 8s 8d")
    table.deal()
    table.finish()
    table.refused(cm.DrawInError(), says="no card")


def test_no_card_is_drawn_in_error_for_a_hand_of_the_round_before() -> None:
    """With wagers for the next round on the layout the last hand is over and gone."""
    table = seated(boxes=1)
    table.stack("9s Th 8s 8d 2c 9c")
    table.deal()
    table.finish()
    table.bet("P1", 1)
    table.refused(cm.DrawInError())
