"""Bots: players who decide by themselves, by a strategy that they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from upcard.compile.context import Action, Phase
from upcard.compile.dealers_way import DealersWay
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table.acting import exchanged_states, price
from upcard.table.clerk import Question
from upcard.table.collection import added_fee
from upcard.table.engine import Engine
from upcard.table.judge import RefusedError
from upcard.table.order import partners
from upcard.table.plain_tables import BASE
from upcard.table.settle import shown_number
from upcard.table.state import Box, Round, TableState

Chooser = Callable[[TableState, Question], Action]


class Spot(NamedTuple):
    """Where a decision is made: states of the game's automata, the up card, what may be done.

    `legal` is a mask of actions. With `before_check` a hand decides in the context of its turn, but
    before the dealer has looked for a natural. Of two boxes that may exchange cards, `boxes` are
    the states of both as they lie, and then as they would lie.
    """

    state: int
    context: int
    up: int
    legal: int
    before_check: bool = False
    boxes: tuple[int, ...] = ()


class Strategy(Protocol):
    """A way to play: from a spot to one of its legal actions."""

    def choose(self, spot: Spot) -> Action: ...


StrategyOf = Callable[[GameTables], Strategy]
"""What gives a strategy for any game."""


class DealersStrategy:
    """The dealer's way, as a strategy of a bot. It needs nothing but the tables."""

    def __init__(self, tables: GameTables) -> None:
        self.way = DealersWay(tables)

    def choose(self, spot: Spot) -> Action:
        return self.way.choose(spot.state, spot.legal)


class Bot:
    """A player that decides by itself.

    `wager` is what it puts on the base game, `bank` what it puts up when the bank is offered (0: it
    declines). It plays by a `strategy`, without one as the dealer does; or by a `chooser`, which
    sees the whole table.
    """

    def __init__(
        self,
        engine: Engine,
        name: str,
        *,
        wager: int,
        bank: int = 0,
        strategy: Strategy | None = None,
        chooser: Chooser | None = None,
    ) -> None:
        self.engine = engine
        self.name = name
        self.wager = wager
        self.bank = bank
        self.strategy = strategy or DealersStrategy(engine.tables)
        self.chooser = chooser or self.choose

    def choose(self, state: TableState, question: Question) -> Action:
        return self.strategy.choose(spot_of(self.engine, state, question))

    def answer(self, state: TableState, question: Question) -> cm.AnyDecision:
        """The bot's decision, one that it can pay for."""
        affordable = tuple(
            action for action in question.actions if self._can_pay(state, question, action)
        )
        asked = Question(
            question.phase, question.position, question.hand, question.player, affordable
        )
        action = self.chooser(state, asked)
        return cm.parse_decision(action.text, player=self.name, position=question.position)

    def _can_pay(self, state: TableState, question: Question, action: Action) -> bool:
        """Whether the bot has the chips that an action takes."""
        box = state.round.box(question.position) if state.round else None
        assert box is not None
        amount = price(self.engine.look, box, box.hands[question.hand], action)
        if amount and not self.engine.tables.effects.wager[action]:
            try:
                amount += added_fee(self.engine.judge, question.position, amount)
            except RefusedError:  # the schedule has no fee for it
                return False
        return state.chips(self.name) >= amount

    def open_round(self, state: TableState, position: int) -> cm.Command | None:
        """What the bot does before the cards: a wager at its seat if it can, else nothing."""
        if state.stage != "wagers" or self.wager > state.chips(self.name):
            return None
        if state.bank is not None and state.bank.player == self.name:
            return None
        return cm.PlaceWagers(player=self.name, position=position, wagers={BASE: self.wager})

    def take_bank(self, state: TableState) -> cm.TakeBank | cm.DeclineBank:
        """The answer to an offer of the bank."""
        unit = self.engine.look.money.unit
        amount = min(self.bank, state.chips(self.name) // 2 // unit * unit)
        if amount > 0:
            return cm.TakeBank(player=self.name, amount=amount)
        return cm.DeclineBank(player=self.name)


def spot_of(engine: Engine, state: TableState, question: Question) -> Spot:
    """Where a question is asked."""
    here = state.round
    box = here.box(question.position) if here else None
    assert here is not None
    assert box is not None
    hand = box.hands[question.hand]
    context = engine.look.plan.context_of(question.phase, hand.context)
    return Spot(
        state=hand.state,
        context=context,
        up=shown_number(engine.look, here),
        legal=sum(action.bit for action in question.actions),
        before_check=context == hand.context and here.step < engine.look.turns_step,
        boxes=_boxes(engine, here, box, question),
    )


def _boxes(engine: Engine, here: Round, box: Box, question: Question) -> tuple[int, ...]:
    """The states of two boxes with and without an exchange of cards, where that is asked."""
    if question.phase != Phase.EXCHANGE:
        return ()
    look, pair = engine.look, partners(here, box)
    as_they_lie = tuple(one.hands[0].state for one in pair)
    return (*as_they_lie, *exchanged_states(look, *(one.hands[0].cards for one in pair)))
