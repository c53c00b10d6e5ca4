"""What the tests of the coach share: scripted tables, and the same table with other secrets."""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec.structs import replace

from upcard.coach import Coach, CoachAdvice, Seen
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.events import Lights
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import PUBLIC, redacted

ME, BANK = "Ann", "Bo"
SEAT, BANKS_SEAT = 1, 2
PURSE = 10**9
WAGER = 1000


class ScriptedTable:
    """A stacked table with one box, and what its player has seen."""

    def __init__(self, tables: GameTables, *, lit: int = 0, seen: Seen | None = None) -> None:
        self.engine = Engine(tables)
        self.coach = Coach(self.engine)
        self.state: TableState = NEW_TABLE
        self.seen = seen or Seen()
        place = self.engine.look.lights_position(SEAT)
        self.do(
            cm.OpenTable(
                table="scripted",
                secret=secret_from("scripted"),
                scripted=True,
                lights=(Lights(ME, place, lit),) if lit else (),
            )
        )
        self.seat(ME, SEAT)

    def seat(self, name: str, seat: int) -> None:
        self.do(cm.BuyIn(player=name, amount=PURSE))
        self.do(cm.Sit(player=name, seat=seat))

    def do(self, command: cm.Command) -> None:
        outcome = self.engine.act(self.state, command)
        assert isinstance(outcome, Outcome), f"{command}: {outcome}"
        self.state = outcome.state
        self.seen = self.seen.after(*(redacted(event, PUBLIC) for event in outcome.events))

    def deal(self, cards: str, wagers: Mapping[str, int]) -> None:
        banked = not self.engine.look.money.house_banks
        if banked:
            self.seat(BANK, BANKS_SEAT)
        self.do(cm.StackShoe(cards=tuple(cards.split())))
        if banked:
            self.do(cm.DeclineBank(player=ME))
            self.do(cm.TakeBank(player=BANK, amount=PURSE // 2))
        self.do(cm.PlaceWagers(player=ME, position=SEAT, wagers=dict(wagers)))
        self.do(cm.Deal())

    def act(self, *words: str) -> None:
        for text in words:
            self.do(cm.parse_decision(text, player=ME, position=SEAT))

    @property
    def question(self) -> Question:
        question = self.engine.question(self.state)
        assert question is not None
        return question

    @property
    def advice(self) -> CoachAdvice:
        return self.coach.advise(self.state, self.question, self.seen)


def scripted(
    tables: GameTables,
    cards: str,
    *actions: str,
    wagers: Mapping[str, int] | None = None,
    lit: int = 0,
    bet: int = WAGER,
) -> ScriptedTable:
    """A round of one box from a stacked shoe: first, up, second, hole, and so on."""
    table = ScriptedTable(tables, lit=lit)
    table.deal(cards, {"base": bet, **(wagers or {})})
    table.act(*actions)
    return table


def values(advice: CoachAdvice) -> dict[str, float]:
    """Values in wagers."""
    assert advice.is_priced, advice.words
    return {value.action: value.percent / 100 for value in advice.actions}


def with_other_secrets(engine: Engine, state: TableState, seed: int) -> TableState:
    """The same table with other cards face down, burned, and still to come."""
    here = state.round
    assert here is not None
    dice = random.Random(seed)
    deck = list(engine.look.deck)

    def changed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dice.choice(deck) if card else "" for card in cards)

    here = replace(
        here,
        dealer=replace(here.dealer, down=changed(here.dealer.down)),
        boxes=tuple(replace(b, down=changed(b.down), dealt=changed(b.dealt)) for b in here.boxes),
        community=changed(here.community),
    )
    shoe = replace(state.shoe, order=changed(state.shoe.order))
    return replace(
        state,
        round=here,
        shoe=shoe,
        secret=secret_from("other"),
        discards=changed(state.discards),
    )
