"""Players' cards (TS-11): punched on leaving, good for one use, never lost by a failed attempt."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

from conftest import compiled
from unit.test_table_play import STICKS, Table, names_of
from upcard.errors import UpcardError
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.notation import parse_log, write_log
from upcard.table.players_cards import Casino, PlayersCard
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.verify import verify

CLUB = Casino("Club", "key")
WITH: dict[str, Any] = {"players_card": True}


def opened(
    *,
    name: str = "one",
    casino: Casino | None = CLUB,
    used: tuple[str, ...] = (),
    lights: tuple[ev.Lights, ...] = (),
    **settings: Any,
) -> Table:
    table = Table(STICKS, name=name, casino=casino, used=used, lights=lights, **WITH | settings)
    table.sit("Ann", 1)
    return table


def punched(lights: int = 7, *, name: str = "one", casino: Casino = CLUB) -> str:
    """The token of a player who left a table with some lights lit."""
    table = opened(name=name, casino=casino, lights=(ev.Lights("Ann", 1, lights),))
    return leave(table)[0]


def leave(table: Table) -> list[str]:
    """Ann leaves; the cards that she takes along."""
    events = table.do(cm.Leave(player="Ann"))
    return [table.engine.players_card(e) for e in events if isinstance(e, ev.CardPunched)]


def present(token: str, position: int = 1) -> cm.PresentCard:
    return cm.PresentCard(player="Ann", position=position, token=token)


def test_a_leaving_player_gets_a_card_instead_of_losing_the_lights() -> None:
    table = opened(lights=(ev.Lights("Ann", 1, 7),))
    events = table.do(cm.Leave(player="Ann"))
    assert names_of(events) == ["PlayerLeft", "CardPunched", "ChipsCashed"]
    card = next(e for e in events if isinstance(e, ev.CardPunched))
    assert (card.player, card.position, card.lights) == ("Ann", 1, 7)
    assert table.state.lights == ()


def test_without_lights_there_is_no_card() -> None:
    assert "CardPunched" not in names_of(opened().do(cm.Leave(player="Ann")))


def test_no_card_is_punched_for_no_lights_carried_on() -> None:
    table = opened(lights=(ev.Lights("Ann", 1, 0),))
    assert "CardPunched" not in names_of(table.do(cm.Leave(player="Ann")))


def test_without_the_option_the_lights_are_lost() -> None:
    table = opened(players_card=False, lights=(ev.Lights("Ann", 1, 7),))
    assert "LightsLost" in names_of(table.do(cm.Leave(player="Ann")))


def test_closing_punches_everybodys_card() -> None:
    table = opened(lights=(ev.Lights("Ann", 1, 7), ev.Lights("Bob", 2, 3)))
    table.sit("Bob", 2)
    events = table.do(cm.CloseTable())
    cards = {e.player: e.lights for e in events if isinstance(e, ev.CardPunched)}
    assert cards == {"Ann": 7, "Bob": 3}


def test_a_card_is_given_up_for_its_lights() -> None:
    table = opened(name="two")
    events = table.do(present(punched()))
    assert names_of(events) == ["CardSurrendered"]
    assert table.state.lit("Ann", 1) == 7


def test_a_card_is_good_at_another_position_too() -> None:
    table = Table(STICKS, name="two", casino=CLUB, **WITH)
    table.sit("Ann", 6)
    table.do(present(punched(), 6))
    assert table.state.lit("Ann", 6) == 7


def test_a_card_is_refused_the_second_time() -> None:
    token = punched()
    table = opened(name="two")
    table.do(present(token))
    table.do(cm.Leave(player="Ann"))
    table.sit("Ann", 1)
    table.refused(present(token), "TS-11", says="one use")


def test_a_used_card_stays_used_after_a_restart_from_the_written_log() -> None:
    token = punched()
    table = opened(name="two")
    table.do(present(token), cm.Leave(player="Ann"))
    log = parse_log(write_log(table.session.log()))
    session = Session.resumed(compiled(STICKS, **WITH), log, casino=CLUB)
    assert session.state == table.state
    for command in (cm.BuyIn(player="Ann", amount=500), cm.Sit(player="Ann", seat=1)):
        session.do(command)
    outcome = session.do(present(token))
    assert "one use" in str(outcome)


def test_a_card_used_at_one_table_is_refused_at_the_next_that_knows_of_it() -> None:
    token = punched()
    first = opened(name="two")
    first.do(present(token), cm.Leave(player="Ann"))
    log = parse_log(write_log(first.session.log()))
    used = Session.resumed(compiled(STICKS, **WITH), log, casino=CLUB).state.used_cards
    second = opened(name="three", used=used)
    second.refused(present(token), "TS-11", says="one use")


def test_what_was_punched_for_a_surrendered_card_is_a_new_card() -> None:
    token = punched()
    table = opened(name="two")
    table.do(present(token))
    (again,) = leave(table)
    table.sit("Ann", 1)
    table.do(present(again))
    assert table.state.lit("Ann", 1) == 7


def test_a_card_of_a_table_that_opens_again_under_its_name_is_no_used_card() -> None:
    """A table of the same name carries on with the used cards: its new cards are good."""
    first = opened(lights=(ev.Lights("Ann", 1, 7),))
    (token,) = leave(first)
    first.sit("Ann", 1)
    first.do(present(token), cm.CloseTable())
    second = Table(
        STICKS,
        secret="another day",
        casino=CLUB,
        used=first.state.used_cards,
        lights=(ev.Lights("Ann", 1, 5),),
        **WITH,
    )
    second.sit("Ann", 1)
    (fresh,) = leave(second)
    second.sit("Ann", 1)
    second.do(present(fresh))
    assert second.state.lit("Ann", 1) == 5


# ------------------------------------------------------------------ what is no card


def forged(**changes: object) -> str:
    """A card with other contents under the old signature."""
    body, _, signature = punched().rpartition(".")
    card = msgspec.json.decode(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    data = msgspec.json.encode(card | changes)
    return f"{base64.urlsafe_b64encode(data).decode().rstrip('=')}.{signature}"


def flipped(place: int) -> str:
    token = punched()
    other = "A" if token[place] != "A" else "B"
    return token[:place] + other + token[place + 1 :] if place >= 0 else token[:place] + other


BAD = {
    "nothing": "",
    "words": "my card",
    "no signature": punched().rpartition(".")[0],
    "empty signature": punched().rpartition(".")[0] + ".",
    "half a signature": punched()[:-8],
    "a letter outside ascii in the signature": punched()[:-1] + "ä",
    "a letter outside ascii in the body": "ä" + punched(),
    "more lights": forged(lights=9),
    "another serial": forged(serial="0" * 24),
    "one letter of the body": flipped(3),
    "one letter of the signature": flipped(-1),
    "not json": base64.urlsafe_b64encode(b"{").decode() + ".00",
    "another shape": base64.urlsafe_b64encode(b'{"lights": 9}').decode() + ".00",
    "another key": punched(casino=Casino("Club", "other key")),
    "ten lights": CLUB.punch(PlayersCard("Club", STICKS, "Ann", "abc", 10)),
    "no lights": CLUB.punch(PlayersCard("Club", STICKS, "Ann", "abc", 0)),
    "another casino": punched(casino=Casino("Elsewhere", "key")),
    "another game": CLUB.punch(PlayersCard("Club", "blackjack", "Ann", "abc", 7)),
}


@pytest.mark.parametrize("token", BAD.values(), ids=BAD)
def test_what_this_casino_did_not_punch_for_this_game_is_refused(token: str) -> None:
    table = opened(name="two")
    table.refused(present(token), "TS-11")
    table.do(present(punched()))


def test_the_refusal_says_which_casino_a_card_is_of() -> None:
    token = punched(casino=Casino("Elsewhere", "key"))
    opened(name="two").refused(present(token), "TS-11", says="Elsewhere")


def test_a_card_is_refused_where_the_option_is_off_or_no_casino_signs() -> None:
    token = punched()
    opened(players_card=False).refused(present(token), "TS-11", says="not used")


def test_a_card_is_refused_where_lights_are_lit_already_and_good_later() -> None:
    token = punched()
    table = opened(name="two", lights=(ev.Lights("Ann", 1, 1),))
    table.refused(present(token), "TS-11", says="lit already")
    table.do(cm.Leave(player="Ann"))
    table.sit("Ann", 1)
    table.do(present(token))
    assert table.state.lit("Ann", 1) == 7


@pytest.mark.parametrize("position", [0, 8, -1, 10**30])
def test_a_card_is_refused_at_a_position_that_does_not_exist(position: int) -> None:
    token = punched()
    table = opened(name="two")
    table.refused(present(token, position))
    table.do(present(token))


def test_a_card_is_refused_at_the_seat_of_another_or_without_a_seat() -> None:
    token = punched()
    table = opened(name="two")
    table.sit("Bob", 2)
    table.refused(present(token, 2), "TS-11", says="not Ann's to play")
    table.do(cm.BuyIn(player="Cy", amount=500))
    table.refused(cm.PresentCard(player="Cy", position=3, token=token), "TS-11")
    table.do(present(token))


def test_a_card_is_refused_while_cards_are_out_and_after_the_first_round() -> None:
    """TS-8, TS-11, SR-20: it is given up when play is resumed, and no refusal spoils it."""
    token = punched()
    table = opened(name="two")
    table.bet("Ann", 1)
    table.stack("9s 9h 6s Td 2h")
    table.deal()
    table.refused(present(token), says="between rounds")
    table.finish()
    table.refused(present(token), "TS-8", "TS-11", says="before the first round")
    table.do(cm.Leave(player="Ann"))
    table.sit("Ann", 1)
    table.do(present(token))
    assert table.state.lit("Ann", 1) == 7


def test_lights_do_not_pass_to_somebody_else_with_the_card() -> None:
    """TS-8, TS-11: the card is the player's own."""
    token = punched()
    table = opened(name="two")
    table.sit("Bob", 2)
    given = cm.PresentCard(player="Bob", position=2, token=token)
    table.refused(given, "TS-8", "TS-11", says="Ann's")
    table.do(present(token))


def test_a_card_given_up_elsewhere_is_void_here_too() -> None:
    """TS-11: one use, also at a casino with several tables."""
    token = punched()
    first, second = opened(name="two"), opened(name="three")
    first.do(present(token))
    second.do(cm.VoidCards(serials=first.state.used_cards))
    second.refused(present(token), "TS-11", says="one use")
    second.refused(cm.VoidCards(serials=first.state.used_cards), "TS-11", says="void already")


def test_players_cards_need_a_casino() -> None:
    session = Session(compiled(STICKS, players_card=True))
    refusal = session.do(cm.OpenTable(table="one", secret=secret_from("one")))
    assert "need a casino that signs them [TS-11]" in str(refusal)


def test_the_record_does_not_hold_the_card_and_is_checked_without_the_key() -> None:
    table = opened(name="two", lights=(ev.Lights("Bob", 2, 3),))
    table.sit("Bob", 2)
    table.do(present(punched()), cm.Leave(player="Bob"), cm.CloseTable())
    log = table.session.log()
    for casino in (None, CLUB):
        assert all(check.holds for check in verify(table.engine.tables, log, casino))
    bobs = next(e for e in log.events if isinstance(e, ev.CardPunched) and e.player == "Bob")
    assert table.engine.players_card(bobs) not in write_log(log)


def test_a_session_goes_on_only_with_its_own_casino() -> None:
    table = opened()
    log, tables = table.session.log(), table.engine.tables
    assert Session.resumed(tables, log, casino=CLUB).state == table.state
    for casino in (None, Casino("Elsewhere", "key")):
        with pytest.raises(UpcardError, match='of the casino "Club"'):
            Session.resumed(tables, log, casino=casino)


# ------------------------------------------------------------------ several boxes


def two_cards() -> list[str]:
    both = (ev.Lights("Ann", 1, 7), ev.Lights("Ann", 3, 4))
    return leave(opened(lights=both))


def test_two_boxes_give_two_cards() -> None:
    cards = [CLUB.read(token) for token in two_cards()]
    assert sorted(card.lights for card in cards) == [4, 7]
    assert len({card.serial for card in cards}) == 2


def test_two_cards_are_given_up_at_two_boxes() -> None:
    """TS-11 with two sets of lights: the second is for the circle beside the seat."""
    first, second = two_cards()
    table = opened(name="two")
    table.do(present(first, 1), present(second, 3))
    assert sorted(lights.lit for lights in table.state.lights) == [4, 7]


def test_by_the_other_reading_two_boxes_give_one_card() -> None:
    table = opened(lights=(ev.Lights("Ann", 1, 7),), lights_owner="player")
    (token,) = leave(table)
    later = opened(name="two", lights_owner="player")
    later.do(present(token, 1))
    assert later.state.lights == (ev.Lights("Ann", 0, 7),)
