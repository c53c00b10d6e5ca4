"""Rounds of bots for the coach: every question, with what its player has seen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from boxes import further_boxes
from upcard.coach import Seen
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.money import INSURANCE
from upcard.players import basic_strategy
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.bots import Spot, spot_of
from upcard.table.clerk import Question
from upcard.table.engine import Outcome
from upcard.table.plain_tables import BASE
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import Viewer, redacted

CHIPS = 10**9
WHIM = 0.1
"""How often a bot does anything but what its strategy says."""


class Met(NamedTuple):
    """A question at a table, and what its player has seen."""

    session: Session
    state: TableState
    question: Question
    seen: Seen


class CoachedTable:
    """A table of bots that play well, wager on everything, and follow a whim now and then."""

    def __init__(self, tables: GameTables, seats: int, seed: str) -> None:
        self.session = Session(tables)
        self.dice = Random(f"{seed} {tables.id}")
        self.strategy = basic_strategy(tables)
        self.seen = Seen()
        self.names = [f"bot {number}" for number in range(1, seats + 1)]
        self.do(cm.OpenTable(table=seed, secret=secret_from(f"{seed} {tables.id}")))
        for seat, name in enumerate(self.names, 1):
            self.do(cm.BuyIn(player=name, amount=CHIPS))
            self.do(cm.Sit(player=name, seat=seat))

    @property
    def state(self) -> TableState:
        return self.session.state

    def do(self, command: cm.Command) -> tuple[ev.Event, ...]:
        """Carry out a command that must be accepted, and look at what everybody sees of it."""
        outcome = self.session.do(command)
        assert isinstance(outcome, Outcome), f"{command}: {outcome}"
        viewer = Viewer("player", self.names[0])
        self.seen = self.seen.after(*(redacted(event, viewer) for event in outcome.events))
        return outcome.events

    def round(self) -> Iterator[Met]:
        """Play a round and give every question before it is answered."""
        self.open_round()
        self.do(cm.Deal())
        while (question := self.session.question) is not None:
            yield Met(self.session, self.state, question, self.seen)
            action = self.choice(question)
            self.do(
                cm.parse_decision(action.text, player=question.player, position=question.position)
            )

    def open_round(self) -> None:
        """The bank is taken, and everybody wagers."""
        while (offer := self.state.offer) is not None and offer.player:
            self.do(cm.TakeBank(player=offer.player, amount=CHIPS // 1000))
        bank = self.state.bank
        for seat, name in enumerate(self.names, 1):
            if bank is None or bank.player != name:
                self.do(cm.PlaceWagers(player=name, position=seat, wagers=self.wagers()))
        for further in further_boxes(self.session.engine, self.state):
            self.do(further)

    def wagers(self) -> dict[str, int]:
        """The least of every wager, now and then more."""
        found: dict[str, int] = {}
        for wager, plan in self.session.engine.look.money.wagers.items():
            if wager == INSURANCE or (wager != BASE and self.dice.random() < 0.5):
                continue
            amount = self.dice.choice(plan.amounts) if plan.amounts else plan.minimum
            found[wager] = amount or self.session.engine.look.money.unit
        if BASE in found and not self.session.engine.look.money.wagers[BASE].amounts:
            found[BASE] *= self.dice.choice((4, 5, 10))
        return found

    def choice(self, question: Question) -> Action:
        if self.dice.random() < WHIM:
            return self.dice.choice(question.actions)
        spot: Spot = spot_of(self.session.engine, self.state, question)
        return self.strategy.choose(spot)


def questions(tables: GameTables, count: int, seats: int = 4, seed: str = "coach") -> Iterator[Met]:
    """So many questions of rounds at one table."""
    table, found = CoachedTable(tables, seats, seed), 0
    while True:
        for met in table.round():
            yield met
            found += 1
            if found == count:
                return
