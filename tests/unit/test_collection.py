"""Fees on wagers that are added after the deal, which no packaged game takes (PS-O7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard import GameTables, Session, tables_for
from upcard.players import basic_strategy
from upcard.table import commands as cm
from upcard.table.bots import Bot
from upcard.table.engine import Outcome
from upcard.table.events import FeeCollected
from upcard.table.shoe import secret_from

FILE = """
id = "dear-spanish"
version = 1
name = "Dear Spanish"
source = "A test"
extends = "pure-spanish-21.5"

[fees]
on_added_wagers = true

[clauses.DS-1]
kind = "money"
says = "Doubles and splits pay a fee too."
sets = ["extends", "fees.on_added_wagers"]
"""


@pytest.fixture
def dear(tmp_path: Path) -> GameTables:
    path = tmp_path / "dear-spanish.toml"
    path.write_text(FILE)
    return tables_for(str(path), {"fee_schedule": "44"})


def fees_of_a_double(tables: GameTables, chips: int = 100_000) -> tuple[Session, list[int]]:
    """Ann doubles $20 with Bo following behind her with $30."""
    session = Session(tables)
    for command in (
        cm.OpenTable(table="t", secret=secret_from("t"), scripted=True),
        cm.BuyIn(player="Ann", amount=chips),
        cm.BuyIn(player="Bo", amount=100_000),
        cm.BuyIn(player="Cy", amount=100_000),
        cm.Sit(player="Cy", seat=7),
        cm.Sit(player="Ann", seat=1),
        cm.TakeBank(player="Cy", amount=50_000),
        cm.StackShoe(cards=("5s", "9d", "6s", "8h", "9c", "2s")),
        cm.PlaceWagers(player="Ann", position=1, wagers={"base": 2000}),
        cm.BackWagers(player="Bo", position=1, wagers={"base": 3000}, follows=True),
        cm.Deal(),
    ):
        assert isinstance(session.do(command), Outcome)
    outcome = session.do(cm.Double(player="Ann", position=1))
    events = outcome.events if isinstance(outcome, Outcome) else ()
    return session, [event.amount for event in events if isinstance(event, FeeCollected)]


def test_added_wagers_pay_a_fee_where_the_game_says_so(dear: GameTables) -> None:
    session, fees = fees_of_a_double(dear)
    assert fees == [100, 100]
    assert session.state.ledger.balance("fee box") == 100 + 100 + 100 + 200
    assert session.state.ledger.total == 0


def test_ps_o7_no_extra_collection_on_doubles() -> None:
    """PS-O7."""
    _, fees = fees_of_a_double(tables_for("pure-spanish-21.5", {"fee_schedule": "44"}))
    assert fees == []


def test_a_double_takes_the_fee_too(dear: GameTables) -> None:
    """Wager $20, fee $1, double $20: $41 are not enough for the second dollar of fees."""
    session, fees = fees_of_a_double(dear, chips=4100)
    assert fees == []
    refusal = session.do(cm.Double(player="Ann", position=1))
    assert "Ann has $20, and the double takes $21" in str(refusal)


@pytest.mark.parametrize(("chips", "answer"), [(4100, "hit"), (4200, "double")])
def test_a_bot_doubles_only_if_it_can_pay_the_fee(
    dear: GameTables, chips: int, answer: str
) -> None:
    """Eleven against a nine, with and without the second dollar."""
    session = Session(dear)
    for command in (
        cm.OpenTable(table="t", secret=secret_from("t"), scripted=True),
        cm.BuyIn(player="Ann", amount=chips),
        cm.BuyIn(player="Cy", amount=100_000),
        cm.Sit(player="Cy", seat=7),
        cm.Sit(player="Ann", seat=1),
        cm.TakeBank(player="Cy", amount=50_000),
        cm.StackShoe(cards=("5s", "9d", "6s", "8h", "9c", "2s")),
        cm.PlaceWagers(player="Ann", position=1, wagers={"base": 2000}),
        cm.Deal(),
    ):
        assert isinstance(session.do(command), Outcome)
    assert session.question is not None
    bot = Bot(session.engine, "Ann", wager=2000, strategy=basic_strategy(dear))
    decision = bot.answer(session.state, session.question)
    assert cm.decision_text(decision) == answer
    assert isinstance(session.do(decision), Outcome)
