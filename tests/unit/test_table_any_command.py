"""Whatever comes in whatever order: an outcome or a refusal, and never a broken table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from boxes import further_boxes
from chance import dice, word
from conftest import compiled
from unit.test_table_play import ALL_GAMES, Table
from upcard import GAME_IDS
from upcard.compile.context import Action, meant
from upcard.table import commands as cm
from upcard.table.engine import Outcome
from upcard.table.judge import Refusal
from upcard.table.ledger import account
from upcard.table.notation import parse_log, write_log
from upcard.table.players_cards import Casino
from upcard.table.session import Session
from upcard.table.verify import verify
from upcard.table.view import AUDITOR, PUBLIC, view

pytestmark = pytest.mark.chance

CLUB = Casino("Club", "key")
HUGE = 10**30
NAMES = ("Ann", "Bob", "Cy", "Dee", "Dee", "", "Nobody", "Ann ")
PLACES = (1, 2, 3, 4, 5, 6, 7, 0, -1, 8, HUGE)
AMOUNTS = (200, 400, 500, 1000, 1000, 2000, 20_000, 0, -500, 550, 1, HUGE)
TOKENS = ("", "x", "x.y", "ä.ö", ".", "e30.00")


class Monkey:
    """Commands at random, more often a fitting one than not."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.dice = dice(seed)
        self.wagers = (*session.engine.look.money.wagers, "match", "insurance", "")

    def name(self) -> str:
        return self.dice.choice(NAMES)

    def place(self) -> int:
        return self.dice.choice(PLACES)

    def amount(self) -> int:
        return self.dice.choice(AMOUNTS)

    def some_wagers(self) -> dict[str, int]:
        found = {"base": self.dice.choice((400, 1000, 1000, self.amount()))}
        for wager in self.wagers:
            if self.dice.random() < 0.15:
                found[wager] = self.amount()
        return found if self.dice.random() < 0.9 else {}

    def decision(self) -> cm.Command:
        question = self.session.question
        actions = [*Action] if question is None else [*question.actions, *Action]
        text = self.dice.choice(actions[:6] if self.dice.random() < 0.8 else actions).text
        player, position = self.name(), self.place()
        if question is not None and self.dice.random() < 0.9:
            player, position = question.player, question.position
        command = cm.parse_decision(text, player=player, position=position)
        if isinstance(command, cm.Double) and self.dice.random() < 0.3:
            return cm.Double(player=player, position=position, amount=self.amount())
        if isinstance(command, cm.Insure) and self.dice.random() < 0.3:
            return cm.Insure(player=player, position=position, amount=self.amount())
        if isinstance(command, cm.Hit) and self.dice.random() < 0.3:
            return cm.Hit(player=player, position=position, pick=self.place())
        return command

    def command(self) -> cm.Command:
        offer = self.session.state.offer
        if self.session.question is not None and self.dice.random() < 0.7:
            return self.decision()
        if offer is not None and offer.player and self.dice.random() < 0.3:
            return cm.TakeBank(player=offer.player, amount=self.amount())
        choices: tuple[cm.Command, ...] = (
            cm.BuyIn(player=self.name(), amount=self.amount()),
            cm.BuyIn(player=self.name(), amount=50_000, kind="proposition"),
            cm.Sit(player=self.name(), seat=self.place()),
            cm.Sit(player=self.name(), seat=self.place()),
            cm.Move(player=self.name(), seat=self.place()),
            cm.PresentCard(
                player=self.name(), position=self.place(), token=self.dice.choice(TOKENS)
            ),
            cm.MixSeed(player=self.name(), seed=self.dice.choice(("luck", "", "\n"))),
            cm.DeclineBank(player=self.name()),
            cm.PlaceActionButton(position=self.place()),
            cm.BackWagers(
                player=self.name(), position=self.place(), wagers=self.some_wagers(), follows=True
            ),
            cm.MissCards(position=self.place(), cards=self.dice.choice((1, 2, 3, 0, -1))),
            cm.FindFaceUp(),
            cm.DrawInError(),
            cm.Deal(),
            cm.Deal(),
            self.decision(),
        )
        if self.dice.random() < 0.02:
            return cm.Leave(player=self.name())
        further = list(further_boxes(self.session.engine, self.session.state))
        if further and self.dice.random() < 0.7:
            return further[0]
        if self.dice.random() < 0.4:
            name, seat = self.dice.choice((("Ann", 1), ("Bob", 2), ("Cy", 3)))
            plan = self.session.engine.look.money.wagers["base"]
            base = plan.amounts[0] if plan.amounts else 1000
            return cm.PlaceWagers(player=name, position=seat, wagers={"base": base})
        if self.dice.random() < 0.4:
            return cm.PlaceWagers(
                player=self.name(), position=self.place(), wagers=self.some_wagers()
            )
        return self.dice.choice(choices)


def sane(session: Session) -> None:
    state = session.state
    assert state.ledger.total == 0
    for player in state.players:
        assert state.ledger.balance(account(player.name)) >= 0
    seats = Counter(player.seat for player in state.players if player.seat)
    assert all(count == 1 for count in seats.values())
    bets = Counter((bet.position, bet.player) for bet in state.bets)
    assert all(count == 1 for count in bets.values())
    owners = Counter(bet.position for bet in state.bets if not bet.backline)
    assert all(count == 1 for count in owners.values())
    boxes = {(bet.player, bet.position) for bet in state.bets if not bet.backline}
    own = {(player.name, player.seat) for player in state.players}
    if session.engine.look.plan.own_seat_first:  # PS-D2, SR-11
        assert {name for name, _ in boxes} == {name for name, _ in boxes & own}


@pytest.mark.parametrize("game", ALL_GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_any_command_is_carried_out_or_refused(game: str, seed: int) -> None:
    settings: dict[str, Any] = {"players_card": True} if game == "ten-sticks-21" else {}
    table = Table(game, casino=CLUB, secret=word(f"monkey {seed}"), **settings)
    session = table.session
    for seat, name in enumerate(("Ann", "Bob", "Cy"), 1):
        table.sit(name, seat, 10**6)
    table.do(cm.BuyIn(player="Dee", amount=10**6))
    monkey = Monkey(session, seed)
    done: Counter[str] = Counter()
    for _ in range(1200):
        command = monkey.command()
        before, entries = session.state, len(session.entries)
        outcome = session.do(command)
        if isinstance(outcome, Refusal):
            assert outcome.reason
            assert session.state is before
            assert len(session.entries) == entries
            done["refused"] += 1
            continue
        assert isinstance(outcome, Outcome)
        done[type(command).__name__] += 1
        sane(session)
        if len(session.entries) % 10 == 0:
            view(session.engine, session.state, PUBLIC)
            view(session.engine, session.state, AUDITOR)
    assert done["Deal"] >= 5
    assert done["refused"] > 100
    log = parse_log(write_log(session.log()))
    assert log == session.log()
    assert session.engine.fold(log.events) == session.state
    assert all(check.holds for check in verify(compiled(game, **settings), log, CLUB))


def test_a_refused_command_is_refused_again_and_an_accepted_one_gives_the_same_events() -> None:
    for game in GAME_IDS:
        table = Table(game, casino=CLUB)
        for seat, name in enumerate(("Ann", "Bob"), 1):
            table.sit(name, seat)
        monkey = Monkey(table.session, 9)
        for _ in range(150):
            command = monkey.command()
            first = table.engine.decide(table.state, command)
            assert table.engine.decide(table.state, command) == first
            table.session.do(command)


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAME_IDS),
    ("blackjack", {"table_minimum": 100, "chip": 100}),
    ("blackjack", {"peek": "none", "surrender": "early", "double": "any-count"}),
    ("ten-sticks-21", {"trade_time": "own-turn"}),
    ("pure-spanish-21.5", {"hand_of_21": "asks"}),
]


@pytest.mark.parametrize(("game", "settings"), SETTINGS, ids=str)
def test_every_answer_that_the_table_offers_is_accepted(game: str, settings: Any) -> None:
    """From a player with enough chips; and every other answer is refused."""
    table = Table(game, **settings)
    table.sit("Bank", 2)
    table.sit("Ann", 1, 10**7)
    drawn = dice(11)
    plan = table.engine.look.money.wagers["base"]
    base = plan.amounts[0] if plan.amounts else max(plan.minimum, 100)
    asked = 0
    for _ in range(60):
        while table.state.stage == "bank":
            offer = table.state.offer
            assert offer is not None
            if offer.player == "Bank":
                table.bank("Bank", 20_000)
            else:
                table.do(cm.DeclineBank(player=offer.player))
        table.bet("Ann", 1, base)
        if table.state.chips("Bank") < 30_000:
            table.do(cm.BuyIn(player="Bank", amount=100_000))
        table.do(*further_boxes(table.engine, table.state))
        table.deal()
        while (question := table.question) is not None:
            for action in Action:
                text = action.text
                command = cm.parse_decision(text, player="Ann", position=question.position)
                wanted = meant(action, question.actions)
                assert table.accepts(command) == (wanted in question.actions), question
            table.answer(drawn.choice(question.actions).text)
            asked += 1
    assert asked > 30
