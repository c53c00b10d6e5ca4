"""Commands about the table, its people and the shoe: each way to be refused, without a trace."""

from __future__ import annotations

import pytest

from conftest import compiled
from unit.test_table_play import ALL_GAMES, CHANCE, PURE, STICKS, TIE, TWISTED, Table, busy
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.judge import Refusal
from upcard.table.session import Session
from upcard.table.shoe import secret_from

HUGE = 10**30
SECRET = secret_from("demo")
DECISIONS: tuple[cm.Command, ...] = tuple(
    kind(player="Ann", position=1)
    for kind in (
        cm.Hit,
        cm.Stand,
        cm.Double,
        cm.Split,
        cm.Surrender,
        cm.Insure,
        cm.Decline,
        cm.Redouble,
        cm.Rescue,
        cm.Keep,
        cm.Trade,
        cm.Switch,
        cm.Replace,
    )
)
EVERYTHING: tuple[cm.Command, ...] = (
    cm.CloseTable(),
    cm.BuyIn(player="Ann", amount=1000),
    cm.Sit(player="Ann", seat=1),
    cm.Move(player="Ann", seat=2),
    cm.Leave(player="Ann"),
    cm.PresentCard(player="Ann", position=1, token="x.y"),
    cm.VoidCards(serials=("abc",)),
    cm.MixSeed(player="Ann", seed="luck"),
    cm.StackShoe(cards=("As",)),
    cm.TakeBank(player="Ann", amount=1000),
    cm.DeclineBank(player="Ann"),
    cm.PlaceActionButton(position=1),
    cm.PlaceWagers(player="Ann", position=1, wagers={"base": 1000}),
    cm.BackWagers(player="Ann", position=1, wagers={"base": 1000}),
    cm.MissCards(position=1, cards=1),
    cm.FindFaceUp(),
    cm.DrawInError(),
    cm.Deal(),
    *DECISIONS,
)
BY_PLAYERS = [command for command in EVERYTHING if hasattr(command, "player")]


def named(command: cm.Command) -> str:
    return type(command).__name__


def test_the_list_of_commands_is_complete() -> None:
    assert {type(command) for command in EVERYTHING} | {cm.OpenTable} == set(cm.COMMAND_TYPES)


# ------------------------------------------------------------------ opening and closing


@pytest.mark.parametrize("command", EVERYTHING, ids=named)
def test_nothing_happens_at_a_table_that_is_not_open(command: cm.Command) -> None:
    session = Session(compiled("blackjack"))
    outcome = session.do(command)
    assert outcome == Refusal("the table is not open yet")
    assert not session.entries


@pytest.mark.parametrize("game", ALL_GAMES)
@pytest.mark.parametrize("command", EVERYTHING, ids=named)
def test_nothing_happens_at_a_closed_table(game: str, command: cm.Command) -> None:
    table = Table(game)
    table.sit("Ann", 1)
    table.do(cm.CloseTable())
    table.refused(command, says="closed")
    table.refused(cm.OpenTable(table="one", secret=SECRET))


@pytest.mark.parametrize(
    "command",
    [
        cm.OpenTable(table="", secret=SECRET),
        cm.OpenTable(table="  ", secret=SECRET),
        cm.OpenTable(table="one", secret=""),
        cm.OpenTable(table="one", secret="secret"),
        cm.OpenTable(table="one", secret=SECRET[:-2]),
        cm.OpenTable(table="one", secret=SECRET + "00"),
        cm.OpenTable(table="one", secret=SECRET.upper()),
        cm.OpenTable(table="one", secret=" " + SECRET),
        cm.OpenTable(table="one", secret=SECRET, positions=(0,)),
        cm.OpenTable(table="one", secret=SECRET, positions=(-1, 2)),
        cm.OpenTable(table="one", secret=SECRET, positions=(1, 8)),
        cm.OpenTable(table="one", secret=SECRET, first_turn=0),
        cm.OpenTable(table="one", secret=SECRET, first_turn=2),
        cm.OpenTable(table="one", secret=SECRET, lights=(ev.Lights("Ann", 1, 3),)),
    ],
    ids=str,
)
def test_a_table_does_not_open_with_what_makes_no_sense(command: cm.OpenTable) -> None:
    session = Session(compiled("blackjack"))
    outcome = session.do(command)
    assert isinstance(outcome, Refusal)
    assert outcome.reason
    assert not session.entries


@pytest.mark.parametrize(
    "lights",
    [
        ev.Lights("Ann", 1, 10),
        ev.Lights("Ann", 1, -1),
        ev.Lights("Ann", 1, HUGE),
        ev.Lights("Ann", 0, 3),
        ev.Lights("Ann", 8, 3),
        ev.Lights("", 1, 3),
    ],
    ids=str,
)
def test_lights_carried_on_must_be_possible(lights: ev.Lights) -> None:
    outcome = Session(compiled(STICKS)).do(
        cm.OpenTable(table="one", secret=SECRET, lights=(lights,))
    )
    assert isinstance(outcome, Refusal)


def test_lights_of_a_player_at_a_position_are_carried_on_once() -> None:
    twice = (ev.Lights("Ann", 1, 3), ev.Lights("Ann", 1, 4))
    outcome = Session(compiled(STICKS)).do(cm.OpenTable(table="one", secret=SECRET, lights=twice))
    assert isinstance(outcome, Refusal)


def test_a_player_dealer_has_two_turns_and_no_third() -> None:
    session = Session(compiled(PURE))
    outcome = session.do(cm.OpenTable(table="one", secret=SECRET, first_turn=3))
    assert isinstance(outcome, Refusal)
    assert "PS-T1" in outcome.clauses


def test_a_position_more_than_the_table_has_is_refused_by_its_clause() -> None:
    session = Session(compiled(PURE))
    outcome = session.do(cm.OpenTable(table="one", secret=SECRET, positions=(8,)))
    assert isinstance(outcome, Refusal)
    assert "PS-TABLE" in outcome.clauses


def test_a_table_is_opened_once() -> None:
    Table().refused(cm.OpenTable(table="one", secret=SECRET), says="open already")


def test_a_table_does_not_close_with_wagers_on_it_or_cards_out() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.refused(cm.CloseTable(), says="wagers")
    table.stack("Ts 9h 6s Td 5h")
    table.deal()
    table.refused(cm.CloseTable(), says="between rounds")


def test_a_table_does_not_close_with_a_bank_up_and_wagers_out() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.bank("Ann")
    table.bet("Bob", 2)
    table.refused(cm.CloseTable())


# ------------------------------------------------------------------ people


@pytest.mark.parametrize("command", BY_PLAYERS, ids=named)
@pytest.mark.parametrize("name", ["", "Nobody"])
def test_somebody_who_is_not_at_the_table_can_only_buy_in(name: str, command: cm.Command) -> None:
    table = Table(PURE)
    if isinstance(command, cm.BuyIn) and name:
        return
    fields = {field: getattr(command, field) for field in command.__struct_fields__}
    table.refused(type(command)(**fields | {"player": name}))


@pytest.mark.parametrize("amount", [0, -1, -500, -HUGE])
def test_a_buy_in_is_positive(amount: int) -> None:
    Table().refused(cm.BuyIn(player="Ann", amount=amount), says="not a positive")


@pytest.mark.parametrize("name", ["", " ", "\t", "\n"])
def test_a_player_has_a_name(name: str) -> None:
    Table().refused(cm.BuyIn(player=name, amount=500), says="name")


UNWRITABLE = ["\ud800", "Ann\udcff", "Ann\nBob", "\x00", "Ann\x1b[2J"]
"""Names that no record or no line of text can hold; the command line can pass them on."""


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_a_name_can_be_written_down(name: str) -> None:
    Table().refused(cm.BuyIn(player=name, amount=500))


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_the_name_of_a_table_can_be_written_down(name: str) -> None:
    outcome = Session(compiled("blackjack")).do(cm.OpenTable(table=name, secret=SECRET))
    assert isinstance(outcome, Refusal)


@pytest.mark.parametrize("game", ["blackjack", STICKS, CHANCE, TWISTED, TIE])
def test_house_games_have_no_proposition_players(game: str) -> None:
    Table(game).refused(cm.BuyIn(player="Prop", amount=500, kind="proposition"), says="proposition")


def test_nobody_changes_between_player_and_proposition_player() -> None:
    table = Table(PURE)
    table.do(cm.BuyIn(player="Ann", amount=500))
    table.do(cm.BuyIn(player="Prop", amount=500, kind="proposition"))
    table.refused(cm.BuyIn(player="Ann", amount=500, kind="proposition"))
    table.refused(cm.BuyIn(player="Prop", amount=500, kind="player"))


@pytest.mark.parametrize("seat", [0, -1, 8, HUGE])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    table = Table(PURE)
    table.do(cm.BuyIn(player="Ann", amount=500))
    table.refused(cm.Sit(player="Ann", seat=seat), "PS-TABLE", says="no position")


def test_a_seat_that_the_table_leaves_out_is_refused() -> None:
    table = Table(seats=(1, 3))
    table.do(cm.BuyIn(player="Ann", amount=500))
    table.refused(cm.Sit(player="Ann", seat=2), says="no position 2")


def test_a_taken_seat_is_refused_and_so_is_a_second_one() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.do(cm.BuyIn(player="Bob", amount=500))
    table.refused(cm.Sit(player="Bob", seat=1), says="taken by Ann")
    table.refused(cm.Sit(player="Ann", seat=2), says="sits at 1 already")


# ------------------------------------------------------------------ the shoe


@pytest.mark.parametrize("seed", ["", "x" * 65, "a\nb", "tab\t", "\x00", "\x7f"])
def test_a_players_seed_is_a_short_printable_word(seed: str) -> None:
    table = Table()
    table.sit("Ann", 1)
    table.refused(cm.MixSeed(player="Ann", seed=seed), says="printable")


def test_a_seed_is_not_mixed_into_a_shoe_that_is_shuffled() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.deal()
    table.finish()
    table.refused(cm.MixSeed(player="Ann", seed="late"), "HB-CUT", says="before the shuffle")


@pytest.mark.parametrize("cards", [("1s",), ("",), ("As", "Xx"), ("as",), ("10s",)])
def test_cards_that_do_not_exist_are_not_stacked(cards: tuple[str, ...]) -> None:
    Table().refused(cm.StackShoe(cards=cards), says="no card")


def test_more_cards_than_the_decks_have_are_not_stacked() -> None:
    Table(decks=2).refused(
        cm.StackShoe(cards=("As",) * 3), "HB-DECKS", says="2 decks cannot have so many"
    )


def test_the_tens_that_a_spanish_deck_lacks_are_not_stacked() -> None:
    Table(PURE).refused(cm.StackShoe(cards=("Ts",)), "PS-DECK")


def test_a_shoe_is_not_stacked_while_cards_are_out() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Ts 9h 6s Td 5h")
    table.deal()
    table.refused(cm.StackShoe(cards=("As",)), says="between rounds")


def test_a_shoe_is_not_stacked_with_no_cards() -> None:
    Table().refused(cm.StackShoe(cards=()))


def test_a_stacked_shoe_that_is_too_short_refuses_the_deal() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Ts 9h 6s")
    table.refused(cm.Deal(), says="no card left")
    table.stack("Ts 9h 6s Td")
    table.deal()
    table.refused(cm.Hit(player="Ann", position=1), says="no card left for position 1")
    table.answer("stand")


# ------------------------------------------------------------------ players' cards and the deal


@pytest.mark.parametrize("game", ["blackjack", CHANCE, PURE, TWISTED, TIE, STICKS])
def test_players_cards_are_refused_where_they_are_not_used(game: str) -> None:
    table = Table(game)
    table.sit("Ann", 1)
    clauses = ("TS-11",) if game == STICKS else ()
    table.refused(cm.PresentCard(player="Ann", position=1, token="x.y"), *clauses, says="not used")


@pytest.mark.parametrize(
    ("game", "clause"), [(CHANCE, "GC-ANTE"), (TWISTED, "TW-2"), (TIE, "BT-P1")]
)
def test_without_a_wager_there_is_no_deal(game: str, clause: str) -> None:
    table = Table(game)
    table.sit("Ann", 1)
    table.refused(cm.Deal(), clause, says="no wager")


def test_without_a_player_dealer_there_is_no_deal_and_no_wager() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    table.sit("Bob", 2)
    table.refused(cm.Deal(), "PS-D1")
    table.refused(cm.PlaceWagers(player="Bob", position=2, wagers={"base": 1000}), "PS-D1")


def test_cards_that_are_out_are_not_dealt_again() -> None:
    table = Table()
    table.sit("Ann", 1)
    table.bet("Ann", 1)
    table.stack("Ts 9h 6s Td 5h")
    table.deal()
    table.refused(cm.Deal(), says="out already")


@pytest.mark.parametrize("game", ALL_GAMES)
def test_an_ended_session_refuses_whatever_comes(game: str) -> None:
    table = busy(game)
    for command in EVERYTHING:
        table.refused(command)


@pytest.mark.parametrize(
    "unseen", "\u034f\u115f\u1160\u180b\u2800\u3164\ufe00\ufe0f\uffa0\U000e0100"
)
def test_a_name_has_nothing_in_it_that_shows_as_nothing(unseen: str) -> None:
    table = Table()
    table.sit("Ann", 1)
    says = f"a character that shows as nothing (U+{ord(unseen):04X})"
    for name in (f"Ann{unseen}", f"{unseen}Ann", f"A{unseen}nn", unseen):
        table.refused(cm.BuyIn(player=name, amount=1000), says=says)
    # What is already no printable character is refused as before.
    for name in ("Ann\u200b", "Ann\u200d", "Ann\ufeff", "Ann\U000e0020"):
        table.refused(cm.BuyIn(player=name, amount=1000), says="printable characters")
    table.do(cm.BuyIn(player="Zoë é ♠ 안나", amount=1000))


def test_unchained_records_may_have_such_names() -> None:
    engine = Engine(compiled("blackjack"), lenient=True)
    opened = engine.act(NEW_TABLE, cm.OpenTable(table="t", secret=SECRET))
    assert isinstance(opened, Outcome)
    bought = engine.act(opened.state, cm.BuyIn(player="Ann\u3164", amount=1000))
    assert isinstance(bought, Outcome)
