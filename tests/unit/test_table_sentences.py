"""Sentences and JSON: every event has a sentence, everything goes to JSON and back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from unit.test_table_play import (
    ALL_GAMES,
    CHANCE,
    PURE,
    STICKS,
    TWISTED,
    Table,
    busy,
    greedy,
)
from upcard import GAME_IDS
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.players_cards import Casino
from upcard.table.sentences import sentence
from upcard.table.view import DEALER, PUBLIC, Viewer, redacted

CLUB = Casino("Club", "key")
NEVER_COMMANDS: dict[str, str] = {}
NEVER_EVENTS = {"RoundVoided": "takes every card in live hands; see test_table_shoe"}
"""Types that no session here has, each with the reason."""


@cache
def rare() -> tuple[Table, ...]:
    """Sessions of what a long session may miss."""
    return tuple(_rare())


def _rare() -> list[Table]:
    found = []
    cards = Table(
        STICKS, casino=CLUB, lights=(ev.Lights("Ann", 1, 3),), players_card=True, name="cards"
    )
    cards.sit("Ann", 1)
    card = next(e for e in cards.do(cm.Leave(player="Ann")) if isinstance(e, ev.CardPunched))
    cards.sit("Ann", 1)
    token = cards.engine.players_card(card)
    cards.do(cm.PresentCard(player="Ann", position=1, token=token), cm.VoidCards(serials=("x",)))
    found.append(cards)
    prize = Table(STICKS, lights=(ev.Lights("Ann", 1, 9),))
    prize.sit("Ann", 1)
    prize.bet("Ann", 1)
    prize.stack("Tc 9h 5s Td Tc 6h 5d")
    prize.deal()
    prize.answer("trade")
    prize.answer("keep")
    prize.finish()
    prize.do(cm.Move(player="Ann", seat=3), cm.Leave(player="Ann"))
    found.append(prize)
    wrong = Table()
    wrong.sit("Ann", 1)
    wrong.sit("Bob", 2)
    wrong.bet("Ann", 1)
    wrong.bet("Bob", 2)
    wrong.stack("Ks 9s Th 8s 8d 2c 9c")
    wrong.do(cm.FindFaceUp(), cm.MissCards(position=2, cards=2), cm.Deal())
    wrong.finish()
    wrong.do(cm.DrawInError())
    found.append(wrong)
    early = Table(surrender="early")
    early.sit("Ann", 1)
    early.bet("Ann", 1)
    early.stack("Ts Ah 6s 9d 2c")
    early.deal()
    early.answer("insure")
    early.answer("decline")
    early.finish()
    found.append(early)
    bank = Table(PURE)
    bank.sit("Ann", 1)
    bank.sit("Bob", 2)
    bank.bank("Ann")
    bank.bet("Bob", 2)
    bank.do(cm.PlaceActionButton(position=2))
    bank.stack("2s 9h 3s 7d 2h 2c Kc 8c")
    bank.deal()
    bank.answer("double")
    bank.answer("redouble")
    bank.answer("rescue")
    found.append(bank)
    out = Table(CHANCE, decks=1, penetration=1.0)
    out.sit("Ann", 1)
    for _ in range(6):
        for position in range(1, 8):
            out.bet("Ann", position, 200)
        out.deal()
        out.finish(greedy)
    found.append(out)
    return found


UNDER = str(Path(__file__).parents[1] / "differential/down_under.toml")
"""A game whose dealer tells something of the down card."""


def test_the_rare_event_has_a_sentence_too() -> None:
    assert sentence(Table().engine, ev.RoundVoided())


def sessions() -> list[Table]:
    seven_cards = busy("twisted-21", 2, stud_bonus="seven-card")
    return [*(busy(game) for game in (*GAME_IDS, UNDER)), seven_cards, *rare()]


def test_every_type_of_event_occurs_in_some_session() -> None:
    seen = {type(event).__name__ for table in sessions() for event in table.events}
    missing = {kind.__name__ for kind in ev.EVENT_TYPES} - seen
    assert missing == set(NEVER_EVENTS)


def test_every_type_of_command_occurs_in_some_session() -> None:
    seen = {
        type(entry.command).__name__
        for table in sessions()
        for entry in table.session.entries
        if entry.command is not None
    }
    missing = {kind.__name__ for kind in cm.COMMAND_TYPES} - seen
    assert missing == set(NEVER_COMMANDS)


def check_words(engine: Engine, events: list[ev.Event]) -> None:
    for event in events:
        for shown in (event, redacted(event, PUBLIC), redacted(event, DEALER)):
            words = sentence(engine, shown)
            assert words.strip(), event
            assert words[0].isupper() or words[0].isdigit(), words
            assert words.endswith("."), words
            assert "\n" not in words


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_event_of_a_long_session_has_a_sentence(game: str) -> None:
    table = busy(game)
    check_words(table.engine, table.events)


def test_every_rare_event_has_a_sentence() -> None:
    for table in rare():
        check_words(table.engine, table.events)


def test_a_hidden_card_is_told_without_its_face() -> None:
    table = busy(TWISTED)
    for event in table.events:
        if isinstance(event, ev.CardDealt) and event.face == "down":
            shown = redacted(event, Viewer("player", "Ann"))
            words = sentence(table.engine, shown)
            assert " of " not in words, words


def test_one_light_is_not_told_as_several() -> None:
    engine = rare()[0].engine
    for event in (
        ev.LightsLost(player="Ann", position=1, lights=1),
        ev.CardPunched(player="Ann", position=1, lights=1, serial=""),
        ev.CardSurrendered(player="Ann", position=1, lights=1, serial=""),
    ):
        words = sentence(engine, event)
        assert "1 lights" not in words
        assert "1 punches" not in words


def test_every_event_goes_to_json_and_back() -> None:
    for table in sessions():
        for event in table.events:
            data = msgspec.json.encode(event)
            assert msgspec.json.decode(data, type=ev.Event) == event
            assert msgspec.json.decode(data)["event"] == type(event).__name__


def test_every_command_goes_to_json_and_back() -> None:
    for table in sessions():
        for entry in table.session.entries:
            data = msgspec.json.encode(entry.command)
            found = msgspec.json.decode(data, type=cm.Command)
            assert found == entry.command
            assert msgspec.json.decode(data)["command"] == type(entry.command).__name__


@pytest.mark.parametrize(
    "text",
    [
        '{"command": "BuyIn", "player": "Ann", "amount": "500"}',
        '{"command": "BuyIn", "player": "Ann", "amount": 5.5}',
        '{"command": "BuyIn", "player": "Ann", "amount": true}',
        '{"command": "BuyIn", "player": 7, "amount": 500}',
        '{"command": "BuyIn", "player": "Ann", "amount": 500, "kind": "house"}',
        '{"command": "BuyIn", "player": "Ann"}',
        '{"command": "PlaceWagers", "player": "Ann", "position": 1, "wagers": {"base": null}}',
        '{"command": "Steal", "player": "Ann"}',
        '{"player": "Ann", "amount": 500}',
    ],
)
def test_values_of_another_type_do_not_become_a_command(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=cm.Command)
