"""Random rounds at a scripted table: random people, wagers, decisions and mistakes, all legal.

Used by the benchmark (a million rounds) and, in small, by the tests.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.ledger import BANK, LAYOUT, account
from upcard.table.plain_tables import BASE
from upcard.table.players_cards import Casino
from upcard.table.session import Entry, Log
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.state_steps import cards_on_table

PURSE = 10_000_000
CASINO = Casino("Random", "key")
NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")


@dataclass
class Tally:
    """What happened over many rounds; `rounds` by game."""

    rounds: Counter[str] = field(default_factory=Counter)
    events: int = 0
    commands: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    voided: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rounds + other.rounds,
            self.events + other.events,
            self.commands + other.commands,
            self.refused + other.refused,
            self.voided + other.voided,
        )


class LostMoneyError(AssertionError):
    """A cent or a card is not where it should be."""


class RandomTable:
    """A table whose people act at random, within what is legal."""

    def __init__(self, tables: GameTables, seed: str, *, record: bool = False) -> None:
        self.entries: list[Entry] | None = [] if record else None
        self.rng = random.Random(seed)
        self.engine = Engine(tables, CASINO)
        self.look = self.engine.look
        self.money = tables.money
        self.tally = Tally()
        self.state: TableState = NEW_TABLE
        self.full = Counter(self.look.full_shoe)
        self.do(cm.OpenTable(table=seed, secret=secret_from(seed), scripted=True))

    def do(self, command: cm.Command) -> bool:
        """Carry out a command; whether it was accepted."""
        self.tally.commands += 1
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Refusal):
            self.tally.refused[outcome.reason.partition(" of ")[0]] += 1
            return False
        self.state = outcome.state
        if self.entries is not None:
            self.entries.append(Entry(command, outcome.events))
        self.tally.events += len(outcome.events)
        return True

    def log(self) -> Log:
        """The record, if one was wanted."""
        tables = self.engine.tables
        entries = tuple(self.entries or ())
        return Log(tables.id, tables.fingerprint, dict(tables.settings), entries)

    def play(self, rounds: int) -> Tally:
        for _ in range(rounds):
            self.people()
            self.bank()
            self.wagers()
            self.further_boxes()
            if not self.do(cm.Deal()):
                self.clear()
                continue
            while (question := self.question) is not None:
                self.answer(question)
            self.after()
        return self.tally

    @property
    def question(self) -> Question | None:
        return self.engine.question(self.state) if self.state.in_round else None

    def people(self) -> None:
        """Fill some seats; now and then somebody leaves."""
        state, rng = self.state, self.rng
        if len(state.players) > 3 and rng.random() < 0.5:
            self.do(cm.Leave(player=rng.choice(state.players).name))
        seated = [player for player in self.state.players if player.seat]
        while len(seated) < 2 or rng.random() < 0.2:
            free = [p for p in self.state.positions if self.state.sitting(p) is None]
            names = [name for name in NAMES if self.state.player(name) is None]
            if not free or not names:
                return
            name = rng.choice(names)
            marked = self.money.proposition_players and rng.random() < 0.2
            self.do(cm.BuyIn(player=name, amount=PURSE, kind="proposition" if marked else "player"))
            self.do(cm.Sit(player=name, seat=rng.choice(free)))
            seated.append(self.state.players[-1])
        for player in self.state.players:
            if self.state.chips(player.name) < PURSE // 2:
                self.do(cm.BuyIn(player=player.name, amount=PURSE, kind=player.kind))

    def bank(self) -> None:
        while self.state.stage == "bank":
            offer = self.state.offer
            assert offer is not None, "somebody sits at the table"
            if self.rng.random() < 0.3:
                self.do(cm.DeclineBank(player=offer.player))
            else:
                amount = self.rng.choice((500, 5_000, 50_000, 5_000_000))
                self.do(cm.TakeBank(player=offer.player, amount=amount))
        if self.state.bank is not None and self.rng.random() < 0.3:
            self.do(cm.PlaceActionButton(position=self.rng.choice(self.state.positions)))

    def wagers(self) -> None:
        state, rng = self.state, self.rng
        seated = [player for player in state.players if player.seat]
        for player in seated:
            self.bet(player.name, player.seat)
            if rng.random() < 0.2:
                self.bet(player.name, rng.choice(state.positions))
        if self.money.backline != "none" and self.state.bets:
            for player in state.players:
                if rng.random() < 0.3:
                    bet = rng.choice(self.state.bets)
                    self.do(
                        cm.BackWagers(
                            player=player.name,
                            position=bet.position,
                            wagers=self.amounts(),
                            follows=rng.random() < 0.5,
                        )
                    )
        if self.look.plan.irregularities and self.state.bets and rng.random() < 0.05:
            bet = rng.choice(self.state.bets)
            self.do(cm.MissCards(position=bet.position, cards=rng.choice((1, 2))))
        if rng.random() < 0.02:
            self.do(cm.MixSeed(player=rng.choice(NAMES), seed=str(rng.random())))

    def bet(self, name: str, position: int) -> None:
        self.do(cm.PlaceWagers(player=name, position=position, wagers=self.amounts()))

    def further_boxes(self) -> None:
        """Where everybody has so many boxes, most people wager at all of them, and alike."""
        needed = self.look.plan.boxes
        for name in dict.fromkeys(bet.player for bet in self.state.bets if needed):
            own = [bet for bet in self.state.bets if bet.player == name]
            taken = {bet.position for bet in self.state.bets}
            taken |= {player.seat for player in self.state.players}
            free = [place for place in self.state.positions if place not in taken]
            for place in (*(bet.position for bet in own[1:]), *free[: needed - len(own)]):
                self.do(cm.PlaceWagers(player=name, position=place, wagers=own[0].wagers))

    def amounts(self) -> dict[str, int]:
        """Random wagers within the limits."""
        rng, wagers = self.rng, {}
        for plan in self.money.wagers.values():
            if plan.id == BASE or rng.random() < 0.4:
                most = plan.minimum * rng.choice((1, 2, 3, 5, 50))
                top = max(plan.minimum, min(plan.maximum or PURSE, most))
                whole = rng.randint(plan.minimum, top) // self.money.unit * self.money.unit
                wagers[plan.id] = rng.choice(plan.amounts) if plan.amounts else whole
        share = self.money.bonus_share
        while share is not None and sum(wagers.values()) > (1 + share) * wagers[BASE]:
            del wagers[rng.choice([wager for wager in wagers if wager != BASE])]
        return wagers

    def clear(self) -> None:
        """Take all wagers back after a deal that was refused, say for a fee that is not settled."""
        for bet in reversed(self.state.bets):
            if bet.backline:
                self.do(cm.BackWagers(player=bet.player, position=bet.position, wagers={}))
        for bet in self.state.bets:
            self.do(cm.PlaceWagers(player=bet.player, position=bet.position, wagers={}))

    def answer(self, question: Question) -> None:
        action = self.rng.choice(question.actions)
        decision = cm.parse_decision(
            action.text, player=question.player, position=question.position
        )
        if not self.do(decision):
            raise LostMoneyError(f"{decision} is offered and refused")

    def after(self) -> None:
        """The checks of a finished round."""
        here = self.state.round
        assert here is not None
        self.tally.rounds[self.engine.tables.id] += 1
        self.tally.voided += here.void
        check_money(self.state)
        check_cards(self.state, self.full)
        if self.look.plan.irregularities and self.rng.random() < 0.02:
            self.do(cm.DrawInError())


def check_money(state: TableState) -> None:
    """Every cent is somewhere, and nothing is left over from a round."""
    if state.ledger.total:
        raise LostMoneyError(f"the ledger sums to {state.ledger.total}")
    for name in (LAYOUT, BANK):
        if state.ledger.balance(name):
            raise LostMoneyError(f"{state.ledger.balance(name)} cents are left on the {name}")
    for player in state.players:
        if state.ledger.balance(account(player.name)) < 0:
            raise LostMoneyError(f"{player.name} owes money")


def check_cards(state: TableState, full: Counter[str]) -> None:
    """Every card is in the shoe, in the discards or on the table."""
    if not state.shoe.order:
        return
    found = Counter(state.shoe.order[state.shoe.dealt :]) + Counter(state.discards)
    if state.round is not None and not state.round.cleared:
        found += Counter(cards_on_table(state.round))
    if found != full:
        raise LostMoneyError(f"cards are missing or doubled: {found - full} {full - found}")
