"""What a game does, as texts that can be compared with what a changed game does.

A probe is something that people see: a session of players who try everything, with all that is
refused to them and what they are shown; a scripted round at the live table, or its refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import cycle, zip_longest
from pathlib import Path

from msgspec.structs import replace

from conftest import compiled
from upcard import GameTables
from upcard.compile.bets import usual_bet
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.events import Kind
from upcard.table.players_cards import Casino
from upcard.table.shoe import secret_from
from upcard.table.sign import Sign, sign_of
from upcard.table.situation import Situation, play_situation, read_situation
from upcard.table.view import PUBLIC, view

FOLDER = Path(__file__).parent / "rulebook" / "situations"
PURSE = 100_000_000
ROUNDS = 40
NAMES = ("Ann", "Bo", "Cy", "Di")
AMOUNTS = (1, 50, 100, 150, 200, 250, 300, 400, 500, 600, 1000, 20_000, 20_100, 50_000, 50_100)
"""Amounts that some table takes and another does not."""


def same(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two streams are the same; no more of them is made than needed."""
    return all(a == b for a, b in zip_longest(one, other))


@cache
def situations(game: str) -> tuple[Situation, ...]:
    """The scripted rounds of a game."""
    return tuple(read_situation(file) for file in sorted((FOLDER / game).glob("*.toml")))


def scripted_round(tables: GameTables, situation: Situation) -> Iterator[str]:
    """The events of a scripted round, or the sentence that refuses it."""
    try:
        played = play_situation(situation, lambda *_: tables)
    except UpcardError as error:
        yield str(error)
        return
    yield from map(repr, played.events[1:])  # The first has the fingerprint.


def session(tables: GameTables) -> Iterator[str]:
    """Some rounds of people who try everything, with what they are refused and shown."""
    return _Session(tables).play()


@cache
def _blank_sign() -> Sign:
    """The same at every table, in the place of its own."""
    return sign_of(compiled("blackjack"))


class _Session:
    def __init__(self, tables: GameTables) -> None:
        self.tables = tables
        self.engine = Engine(tables, Casino("probe", "key of a probe"))
        self.state = NEW_TABLE
        self.turn = cycle(range(7))
        self.blank = _blank_sign()

    def act(self, command: cm.Command) -> Iterator[str]:
        """Carry out a command, or say why not."""
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Outcome):
            first = not self.state.table
            self.state = outcome.state
            yield from map(repr, outcome.events[1:] if first else outcome.events)
        else:
            yield str(outcome)

    def play(self) -> Iterator[str]:
        yield from self.act(
            cm.OpenTable(table="probe", secret=secret_from("a probe"), scripted=True)
        )
        for seat, name in enumerate(NAMES, 1):
            kind: Kind = "proposition" if name == "Di" else "player"
            yield from self.act(cm.BuyIn(player=name, amount=PURSE, kind=kind))
            yield from self.act(cm.BuyIn(player=name, amount=PURSE))
            yield from self.act(cm.Sit(player=name, seat=seat))
        for place in (7, 8, 9, 50):
            yield from self.act(cm.Sit(player="Di", seat=place))
        while self.state.rounds < ROUNDS:
            before = self.state.rounds
            yield from self.round()
            if self.state.rounds == before:
                break
        for name in NAMES:
            yield from self.act(cm.Leave(player=name))
        yield from self.act(cm.BuyIn(player="Ann", amount=PURSE))
        yield from self.act(cm.Sit(player="Ann", seat=1))

    def shown(self) -> str:
        """The table as everybody sees it, without its sign and what only names the game."""
        seen = view(self.engine, self.state, PUBLIC)
        return repr(replace(seen, fingerprint="", sign=self.blank))

    def round(self) -> Iterator[str]:
        number = self.state.rounds
        while (offer := self.state.offer) is not None and offer.player:
            amount = 100 * (3 + 40 * (number % 5))
            yield from self.act(cm.TakeBank(player=offer.player, amount=amount))
        yield from self.act(cm.PlaceActionButton(position=3))
        yield from self.wagers()
        if number % 5 == 0:
            yield from self.act(cm.FindFaceUp())
        yield from self.act(cm.Deal())
        while question := self.engine.question(self.state):
            yield self.shown()
            yield from self.answer(question)
        yield self.shown()
        yield from self.act(cm.DrawInError())

    def wagers(self) -> Iterator[str]:
        known = self.tables.money.wagers
        sides = [wager for wager in known if wager != BASE]
        base = usual_bet(self.tables)
        more = (("Ann", 6),) if self.tables.round_plan.boxes else ()
        for name, position in (("Ann", 1), ("Bo", 2), ("Cy", 3), ("Bo", 5), *more):
            if self.state.rounds == 0:
                for amount in AMOUNTS:
                    tried = [{BASE: amount}, *({BASE: base, side: amount} for side in sides)]
                    for wagers in tried:
                        placed = cm.PlaceWagers(player=name, position=position, wagers=wagers)
                        yield from self.act(placed)
            riding = {side: base for side in sides if next(self.turn) % 2}
            larger = {BASE: base + 200 * (self.state.rounds % 3)}
            for wagers in ({BASE: base}, {BASE: base} | riding, larger | riding):
                yield from self.act(cm.PlaceWagers(player=name, position=position, wagers=wagers))
        yield from self.act(cm.BackWagers(player="Di", position=2, wagers={BASE: base}))
        if self.tables.round_plan.boxes:  # one box is too few
            yield from self.act(cm.Deal())
            yield from self.act(cm.PlaceWagers(player="Cy", position=3, wagers={}))

    def answer(self, question: Question) -> Iterator[str]:
        """Whatever comes next in turn; amounts that may be too small are tried before."""
        action = question.actions[next(self.turn) % len(question.actions)]
        player, position = question.player, question.position
        before = self.state
        tries = [f"{action.text} {amount}" for amount in (1, 50, 100, 200)]
        amounts = action.text in ("double", "insure")
        for text in (*(tries if amounts else ()), action.text, "hit 2", "stand", "decline", "keep"):
            if self.state is before:
                yield from self.act(cm.parse_decision(text, player=player, position=position))
