"""A table in few words, for the tests of the live table; and that a session is its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from boxes import further_boxes
from chance import dice, word
from conftest import compiled
from upcard import GAME_IDS
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE
from upcard.table.judge import Refusal
from upcard.table.notation import parse_log, write_log
from upcard.table.players_cards import Casino
from upcard.table.session import Session, cut
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import PUBLIC, View, Viewer, view

Answer = Callable[[Question], str]
PURE = "pure-spanish-21.5"
TWISTED = "twisted-21"
CHANCE = "games-of-chance-blackjack"
STICKS = "ten-sticks-21"
TIE = "blackjack-tie"


class Table:
    """A session that is open, with short words for what people do."""

    def __init__(
        self,
        game: str = "blackjack",
        *,
        name: str = "one",
        secret: str = "demo",
        casino: Casino | None = None,
        used: tuple[str, ...] = (),
        lights: tuple[ev.Lights, ...] = (),
        first_turn: int = 1,
        seats: tuple[int, ...] = (),
        **settings: Any,
    ) -> None:
        self.session = Session(compiled(game, **settings), casino=casino)
        self.engine = self.session.engine
        self.do(
            cm.OpenTable(
                table=name,
                secret=secret_from(secret),
                used_cards=used,
                lights=lights,
                first_turn=first_turn,
                positions=seats,
                scripted=True,
            )
        )

    @property
    def state(self) -> TableState:
        return self.session.state

    @property
    def question(self) -> Question | None:
        return self.session.question

    @property
    def asked(self) -> Question:
        question = self.question
        assert question is not None, "nobody is asked"
        return question

    @property
    def events(self) -> list[ev.Event]:
        return list(self.session.events)

    def do(self, *commands: cm.Command) -> list[ev.Event]:
        """Commands that must be accepted; all their events."""
        found: list[ev.Event] = []
        for command in commands:
            outcome = self.session.do(command)
            assert not isinstance(outcome, Refusal), f"{command}: {outcome}"
            found += outcome.events
        return found

    def accepts(self, command: cm.Command) -> bool:
        """Whether a command would be accepted; nothing is done."""
        return not isinstance(self.engine.act(self.state, command), Refusal)

    def refused(self, command: cm.Command, *clauses: str, says: str = "") -> str:
        """A command that must be refused in one sentence and without any trace."""
        state, entries = self.session.state, list(self.session.entries)
        outcome = self.session.do(command)
        assert isinstance(outcome, Refusal), f"{command} was accepted"
        assert self.session.state is state
        assert self.session.entries == entries
        assert outcome.reason.strip()
        assert "\n" not in outcome.reason
        assert ". " not in outcome.reason, "one sentence"
        assert says in outcome.reason
        for clause in clauses:
            assert clause in outcome.clauses, f"{outcome} does not name {clause}"
        return str(outcome)

    def sit(self, player: str, seat: int, chips: int = 100_000) -> list[ev.Event]:
        return self.do(cm.BuyIn(player=player, amount=chips), cm.Sit(player=player, seat=seat))

    def bet(self, player: str, position: int, base: int = 1000, **others: int) -> list[ev.Event]:
        sides = {wager.replace("_", "-"): amount for wager, amount in others.items()}
        wagers = {"base": base} | sides
        return self.do(cm.PlaceWagers(player=player, position=position, wagers=wagers))

    def bank(self, player: str, amount: int = 50_000) -> list[ev.Event]:
        return self.do(cm.TakeBank(player=player, amount=amount))

    def stack(self, cards: str) -> list[ev.Event]:
        return self.do(cm.StackShoe(cards=tuple(cards.split())))

    def deal(self) -> list[ev.Event]:
        return self.do(cm.Deal())

    def answer(self, text: str) -> list[ev.Event]:
        asked = self.asked
        return self.do(cm.parse_decision(text, player=asked.player, position=asked.position))

    def finish(self, answer: Answer | None = None) -> list[ev.Event]:
        """Play the round to its end; without an answer everybody stands or declines."""
        found: list[ev.Event] = []
        while (question := self.question) is not None:
            found += self.answer((answer or calm)(question))
        return found

    def view(self, name: str = "") -> View:
        viewer = Viewer("player", name) if name else PUBLIC
        return view(self.engine, self.state, viewer)


def calm(question: Question) -> str:
    """Stand, decline, keep: whatever adds nothing."""
    names = [action.text for action in question.actions]
    return next(name for name in ("stand", "decline", "keep") if name in names)


def greedy(question: Question) -> str:
    """As many cards as possible."""
    names = [action.text for action in question.actions]
    wanted = ("split", "hit", "trade", "decline", "keep", "stand")
    return next(name for name in wanted if name in names)


def names_of(events: list[ev.Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def steps_of(table: Table) -> Iterator[tuple[ev.Event, TableState]]:
    """Every event of a session with the state after it."""
    state = NEW_TABLE
    for event in table.session.events:
        state = table.engine.evolve(state, event)
        yield event, state


# ------------------------------------------------------------------ long sessions


class Crowd:
    """Players who do anything that is legal, by a fixed seed."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.dice = dice(seed)
        self.seats = {"Ann": 1, "Bob": 2, "Cy": 4}
        self.money = table.engine.look.money
        for player, seat in self.seats.items():
            table.sit(player, seat)
        table.do(cm.BuyIn(player="Dee", amount=100_000))

    def round(self) -> None:
        table, dice = self.table, self.dice
        for player in (*self.seats, "Dee"):
            if table.state.chips(player) < 50_000:
                table.do(cm.BuyIn(player=player, amount=100_000))
        while table.state.stage == "bank":
            offer = table.state.offer
            assert offer is not None
            if dice.random() < 0.3:
                table.do(cm.DeclineBank(player=offer.player))
            else:
                table.bank(offer.player, dice.choice((2000, 40_000)))
        if dice.random() < 0.3 and table.accepts(cm.MixSeed(player="Ann", seed="luck")):
            table.do(cm.MixSeed(player="Ann", seed="luck"))
        for player, seat in self.seats.items():
            self.wager(cm.PlaceWagers(player=player, position=seat, wagers=self.wagers()))
        self.wager(cm.PlaceWagers(player="Ann", position=3, wagers=self.wagers()))
        follows = dice.random() < 0.5
        self.wager(cm.BackWagers(player="Dee", position=4, wagers=self.wagers(), follows=follows))
        for further in further_boxes(table.engine, table.state):
            table.do(further)
        self.irregular()
        table.deal()
        while (question := table.question) is not None:
            self.decide(question)

    def wager(self, command: cm.Command) -> None:
        if self.table.accepts(command):
            self.table.do(command)

    def wagers(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for wager, plan in self.money.wagers.items():
            if plan.needs and self.dice.random() < 0.5:
                continue
            found[wager] = plan.amounts[0] if plan.amounts else max(plan.minimum, 100)
            if not plan.needs and not plan.amounts:
                found[wager] = 1000
        return found

    def irregular(self) -> None:
        if self.dice.random() < 0.1:
            self.wager(cm.MissCards(position=2, cards=self.dice.choice((1, 2))))
        if self.dice.random() < 0.1:
            self.wager(cm.FindFaceUp())

    def decide(self, question: Question) -> None:
        action = self.dice.choice(question.actions).text
        self.table.answer(action)


@cache
def busy(game: str, rounds: int = 40, seed: int = 1, **settings: Any) -> Table:
    """A long session of everything legal, closed in the end. Do not change it."""
    table = Table(game, secret=word("demo"), casino=Casino("Club", "key"), **settings)
    crowd = Crowd(table, seed)
    for _ in range(rounds):
        crowd.round()
    table.do(cm.CloseTable())
    return table


ALL_GAMES = [pytest.param(game, id=game) for game in GAME_IDS]


# ------------------------------------------------------------------ a session is its log


@pytest.mark.chance
@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_state_is_the_fold_of_the_log(game: str) -> None:
    table = busy(game)
    assert table.engine.fold(table.session.events) == table.state


@pytest.mark.chance
@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_log_that_was_written_and_read_again_is_the_same(game: str) -> None:
    log = busy(game).session.log()
    assert parse_log(write_log(log)) == log


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_session_cut_anywhere_goes_on_to_the_end_of_its_command(game: str) -> None:
    casino = Casino("Club", "key")
    table = busy(game, 2, 3)
    log = table.session.log()
    count = 0
    for entry in log.entries:
        end = table.engine.fold(list(log.events)[: count + len(entry.events)])
        for kept in range(1, len(entry.events) + 1):
            resumed = Session.resumed(compiled(game), cut(log, count + kept), casino=casino)
            assert resumed.state == end
        count += len(entry.events)
