"""Views: what each viewer may see, and that what nobody may see is in no view at all."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from unit.test_table_play import (
    ALL_GAMES,
    PURE,
    STICKS,
    TWISTED,
    Table,
    busy,
    names_of,
    steps_of,
)
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.shoe import shoe_seed
from upcard.table.state import TableState
from upcard.table.view import AUDITOR, DEALER, HIDDEN, PUBLIC, Viewer, redacted, view

ANN, BOB = Viewer("player", "Ann"), Viewer("player", "Bob")
EVERYBODY = (PUBLIC, ANN, BOB, Viewer("player", "Nobody"), DEALER, AUDITOR)
TWISTED_CARDS = "2s 3s Ks Qs 9s 8h 4h 5h 6h 7h Jc Jd"


def seen(engine: Engine, state: TableState, viewer: Viewer) -> str:
    return msgspec.json.encode(view(engine, state, viewer)).decode()


def looks(table: Table) -> list[str]:
    return [seen(table.engine, table.state, viewer) for viewer in EVERYBODY]


def twisted(stud: bool = True, **settings: Any) -> Table:
    """Ann: 2 3, down K Q 9; dealer: 8, down 4 5 6 7; the middle J J. One deck, each card once."""
    table = Table(TWISTED, seats=(1,), stud_bonus="seven-card", **settings)
    table.sit("Ann", 1)
    sides = {"stud_poker": 500, "stud_bonus": 500} if stud else {}
    table.bet("Ann", 1, 500, **sides)
    table.stack(TWISTED_CARDS)
    table.deal()
    return table


def hidden(table: Table) -> set[str]:
    """The cards of that deal that appear in nobody's view."""
    texts = looks(table)
    return {card for card in TWISTED_CARDS.split() if not any(f'"{card}"' in t for t in texts)}


# ------------------------------------------------------------------ chips


def chips(table: Table, viewer: Viewer) -> dict[str, int | None]:
    found = view(table.engine, table.state, viewer).players
    return {player.name: player.chips for player in found}


def test_own_chips_are_ones_own_business() -> None:
    table = Table()
    table.sit("Ann", 1, 12_345)
    table.sit("Bob", 2, 54_321)
    assert chips(table, ANN) == {"Ann": 12_345, "Bob": None}
    assert chips(table, BOB) == {"Ann": None, "Bob": 54_321}
    assert chips(table, PUBLIC) == {"Ann": None, "Bob": None}
    for staff in (DEALER, AUDITOR):
        assert chips(table, staff) == {"Ann": 12_345, "Bob": 54_321}
    assert "12345" not in seen(table.engine, table.state, BOB)
    assert "12345" not in seen(table.engine, table.state, PUBLIC)


def test_a_dealer_named_like_a_player_is_no_player() -> None:
    table = Table()
    table.sit("Ann", 1, 12_345)
    assert chips(table, Viewer("public", "Ann")) == {"Ann": None}


def test_only_the_auditor_sees_the_ledger() -> None:
    table = Table()
    table.sit("Ann", 1)
    for viewer in EVERYBODY:
        ledger = view(table.engine, table.state, viewer).ledger
        assert (ledger is not None) == (viewer == AUDITOR)


@pytest.mark.parametrize("viewer", [BOB, PUBLIC], ids=["Bob", "public"])
def test_what_others_buy_and_cash_is_not_told(viewer: Viewer) -> None:
    """Else everybody could count the chips of others that no view shows."""
    table = Table()
    table.sit("Ann", 1, 12_345)
    table.do(cm.Leave(player="Ann"))
    for event in table.events:
        assert "12345" not in msgspec.json.encode(redacted(event, viewer)).decode()


# ------------------------------------------------------------------ cards face down


def test_no_card_that_lies_face_down_is_in_any_view() -> None:
    """TW-3, TW-18: three down cards, four of the dealer's, two in the middle."""
    table = twisted()
    assert hidden(table) == {"Ks", "Qs", "9s", "4h", "5h", "6h", "7h", "Jc", "Jd"}
    look = table.view("Ann")
    assert look.boxes[0].down == (HIDDEN,) * 3
    assert look.dealer.down == (HIDDEN,) * 4
    assert look.community == (HIDDEN,) * 2


def test_a_hit_from_the_own_cards_shows_that_card_alone() -> None:
    table = twisted()
    table.answer("hit 3")
    assert hidden(table) == {"Ks", "Qs", "4h", "5h", "6h", "7h", "Jc", "Jd"}


def test_the_stud_round_shows_everything() -> None:
    table = twisted()
    table.answer("stand")
    assert hidden(table) == set()


def test_without_stud_wagers_only_what_was_needed_is_shown() -> None:
    table = twisted(stud=False)
    table.answer("stand")
    assert "CardsShown" not in names_of(table.events)
    assert hidden(table) == {"Ks", "Qs", "9s", "6h", "7h", "Jc", "Jd"}


def test_community_cards_lie_face_up_by_the_other_reading() -> None:
    table = twisted(community_cards="seen")
    assert hidden(table) == {"Ks", "Qs", "9s", "4h", "5h", "6h", "7h"}


def test_looking_for_a_natural_shows_nothing() -> None:
    table = Table(decks=1)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("9s Th 5s 7d 2c")
    events = table.deal()
    assert ev.DealerChecked(natural=False) in events
    assert not any('"7d"' in text for text in looks(table))
    table.answer("stand")
    assert all('"7d"' in text for text in looks(table))


@pytest.mark.parametrize("up", ["Ah", "Th"])
def test_a_natural_is_shown_when_it_ends_the_hands(up: str) -> None:
    table = Table(decks=1)
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    other = "Kd" if up == "Ah" else "Ad"
    table.stack(f"9s {up} 5s {other} 2c")
    table.deal()
    if up == "Ah":
        assert table.asked.phase == "insurance"
        assert not any('"Kd"' in text for text in looks(table))
        table.answer("decline")
    assert table.question is None
    assert all(f'"{other}"' in text for text in looks(table))


# ------------------------------------------------------------------ long sessions


SINGLE = [
    pytest.param("blackjack", {"decks": 1, "penetration": 0.5}, id="blackjack"),
    pytest.param(STICKS, {"decks": 1, "penetration": 0.5}, id=STICKS),
    pytest.param(TWISTED, {"stud_bonus": "seven-card-low"}, id=TWISTED),
]


def exposed_after(event: ev.Event, up: set[str]) -> set[str]:
    """Cards that have been seen since the last shuffle, told from the events."""
    match event:
        case ev.ShoeShuffled() | ev.DiscardsShuffled():
            return set()
        case ev.CardDealt(face="up") | ev.CardTurned() | ev.CardFoundFaceUp():
            return up | {event.card}
        case ev.CardsShown():
            return up | set(event.cards)
    return up


@pytest.mark.parametrize(("game", "settings"), SINGLE)
def test_in_no_view_is_a_card_that_was_not_exposed(game: str, settings: dict[str, Any]) -> None:
    table = busy(game, 12, 4, **settings)
    up: set[str] = set()
    shuffled = False
    for event, state in steps_of(table):
        up = exposed_after(event, up)
        shuffled = shuffled or isinstance(event, ev.ShoeShuffled)
        if not state.shoe.order:
            shuffled = False
        if not shuffled or state.shoe.shuffles:
            continue
        secret = set(table.engine.look.deck) - up
        for viewer in EVERYBODY:
            text = seen(table.engine, state, viewer)
            assert not [card for card in secret if f'"{card}"' in text], f"{viewer} after {event}"


@pytest.mark.parametrize("game", ALL_GAMES)
def test_no_seed_that_is_not_opened_is_in_any_view(game: str) -> None:
    table = busy(game, 12, 4)
    for _, state in steps_of(table):
        seed = shoe_seed(state.secret, state.shoe.number) if state.secret else "-"
        text = seen(table.engine, state, AUDITOR) + seen(table.engine, state, ANN)
        assert state.secret not in text or not state.secret
        assert seed not in text


@pytest.mark.parametrize("game", ALL_GAMES)
@pytest.mark.parametrize("viewer", EVERYBODY, ids=lambda v: v.name or v.kind)
def test_redacted_events_tell_no_secret(game: str, viewer: Viewer) -> None:
    table = busy(game)
    secret = table.state.secret
    opened: set[str] = set()
    for event in table.session.events:
        shown = redacted(event, viewer)
        told = msgspec.to_builtins(shown)
        assert secret not in str(told)
        assert type(shown) is type(event)
        match event:
            case ev.ShoeShuffled() | ev.DiscardsShuffled():
                assert told["order"] == (HIDDEN,) * len(event.order)
            case ev.CardBurned():
                assert told["card"] == HIDDEN
            case ev.CardDealt():
                assert told["card"] == (HIDDEN if event.face == "down" else event.card)
            case ev.ShoeOpened():
                opened.add(event.seed)
    for number in range(1, table.state.shoe.number + 1):
        assert shoe_seed(secret, number) in opened


def test_a_stacked_shoe_is_not_told() -> None:
    table = twisted()
    stacked = next(e for e in table.events if isinstance(e, ev.ShoeStacked))
    for viewer in EVERYBODY:
        shown = redacted(stacked, viewer)
        assert isinstance(shown, ev.ShoeStacked)
        assert set(shown.cards) == {HIDDEN}


# ------------------------------------------------------------------ the rest of a view


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_state_of_a_session_has_a_view_for_everybody(game: str) -> None:
    table = busy(game, 8, 6)
    for _, state in steps_of(table):
        for viewer in EVERYBODY:
            assert view(table.engine, state, viewer).viewer == viewer


def test_the_question_has_answers_with_words_and_clauses() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.bank("Ann")
    table.bet("Bob", 2)
    table.stack("9s 9h 4s 7d 8c 5c")
    table.deal()
    question = table.view().question
    assert question is not None
    assert (question.player, question.position, question.phase) == ("Bob", 2, "turns")
    assert {answer.action for answer in question.answers} >= {"hit", "stand", "double"}
    for answer in question.answers:
        assert answer.words
        assert answer.clauses


def test_the_sign_of_the_table_is_in_every_view() -> None:
    """PS-D11."""
    sign = Table(PURE, fee_schedule=46).view().sign
    assert sign.name == "Pure Spanish 21.5"
    assert sign.wagers[0].limits == "$10 to $200"
    assert sum("pays" in words for words in sign.fees) == 2
    assert sign.signals["hit"]
