"""Situations: scripted rounds in a small TOML file, with what is expected of them.

docs/situations.md describes the format.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from upcard.cards import parse_cards
from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.report import hand_words, round_report
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.text import as_text, cited, listed

PURSE = 10**9
"""What everybody buys in for: a scripted player never runs out of chips."""

FACE_UP = "face-up-card"
IN_ERROR = "card-drawn-in-error"


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of the parts of a situation."""


class Backer(Script, frozen=True):
    player: str
    wagers: dict[str, int]
    follows: bool = False


class SeatScript(Script, frozen=True):
    """A betting position: its wagers, and the decisions in the order they are asked."""

    seat: int
    wagers: dict[str, int]
    actions: tuple[str, ...] = ()
    lights: int = 0
    player: str = ""
    kind: ev.Kind = "player"
    missed: int = 0
    backline: tuple[Backer, ...] = ()

    @property
    def name(self) -> str:
        return self.player or f"seat {self.seat}"


class BankScript(Script, frozen=True):
    seat: int
    amount: int
    turn: int = 1
    player: str = "bank"
    kind: ev.Kind = "player"


class Situation(Script, frozen=True):
    game: str
    shoe: str
    seats: tuple[SeatScript, ...]
    title: str = ""
    clauses: tuple[str, ...] = ()
    set: dict[str, str | int | float | bool] = {}
    positions: int = 0
    bank: BankScript | None = None
    action_button: int = 0
    dealer_errors: tuple[Literal["face-up-card", "card-drawn-in-error"], ...] = ()
    expect: dict[str, Any] = {}

    @property
    def listed_seats(self) -> tuple[int, ...]:
        """Every position that the script names, the bank's too."""
        bank = (self.bank.seat,) if self.bank else ()
        return (*(seat.seat for seat in self.seats), *bank)

    @property
    def settings(self) -> dict[str, str]:
        settings = {name: as_text(value) for name, value in self.set.items()}
        return settings | ({"positions": str(self.positions)} if self.positions else {})


class Played(msgspec.Struct, frozen=True):
    """A scripted round that was played to its end."""

    situation: Situation
    tables: GameTables
    state: TableState
    events: tuple[ev.Event, ...]

    def report(self) -> dict[str, Any]:
        """The result as data: see `upcard.table.report`."""
        head = {
            "game": self.tables.ref,
            "fingerprint": self.tables.fingerprint,
            "settings": dict(self.tables.settings),
            "title": self.situation.title,
            "clauses": list(self.situation.clauses),
        }
        return head | round_report(Engine(self.tables), self.state, self.events)


def read_situation(path: Path) -> Situation:
    """A situation from a file, or one sentence about what is wrong with it."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise UpcardError(f"{path}: cannot be read: {reason}") from error
    return parse_situation(text, str(path))


def parse_situation(text: str, source: str = "situation") -> Situation:
    r"""
    >>> parse_situation('game = "blackjack"\nshoe = ""\nseats = []')
    Traceback (most recent call last):
        ...
    upcard.errors.UpcardError: situation: there is no seat: a round needs at least one
    """
    try:
        situation = msgspec.convert(tomllib.loads(text), Situation)
    except tomllib.TOMLDecodeError as error:
        raise UpcardError(f"{source}: is not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise UpcardError(f"{source}: {error}") from error
    if not situation.seats:
        raise UpcardError(f"{source}: there is no seat: a round needs at least one")
    numbers = situation.listed_seats
    if len(numbers) != len(set(numbers)):
        raise UpcardError(f"{source}: a seat is named twice: {listed(numbers, 'and')}")
    return situation


def judged(situation: Situation) -> tuple[Played | None, list[str]]:
    """Play a situation and compare it with what it expects; a round that must be refused has none.

    Raises what went wrong where no refusal was expected.
    """
    refused = situation.expect.get("refused")
    if refused is None:
        played = play_situation(situation)
        return played, differences(situation.expect, played.report())
    try:
        play_situation(situation)
    except UpcardError as error:
        if str(refused) in str(error):
            return None, []
        return None, [f'refused: expected a refusal with "{refused}", it says: {error}']
    return None, [f'refused: expected a refusal with "{refused}", but the round was played']


def play_situation(situation: Situation) -> Played:
    """Play a scripted round; whatever does not fit is one sentence with seat and step."""
    settings = situation.settings
    tables = tables_for(situation.game, settings)
    highest = max(situation.listed_seats)
    if "positions" not in settings and highest > tables.round_plan.positions:
        tables = tables_for(situation.game, settings | {"positions": str(highest)})
    return _Player(situation, tables).play()


class _Player:
    """Feeds a script to an engine."""

    def __init__(self, situation: Situation, tables: GameTables) -> None:
        self.situation = situation
        self.tables = tables
        self.engine = Engine(tables)
        self.state = NEW_TABLE
        self.events: list[ev.Event] = []
        self.waiting = {seat.seat: list(seat.actions) for seat in situation.seats}

    def play(self) -> Played:
        for where, command in self.opening():
            self.act(command, where)
        while question := self.engine.question(self.state):
            self.answer(question)
        for seat, actions in self.waiting.items():
            if actions:
                raise UpcardError(
                    f"seat {seat}: {listed(actions, 'and')} left over at the end of the round: "
                    "too many actions"
                )
        if IN_ERROR in self.situation.dealer_errors:
            self.act(cm.DrawInError(), "after the dealer's hand")
        return Played(self.situation, self.tables, self.state, tuple(self.events))

    def act(self, command: cm.Command, where: str) -> None:
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Refusal):
            raise UpcardError(f"{where}: {outcome}")
        self.state = outcome.state
        self.events += outcome.events

    def opening(self) -> Iterator[tuple[str, cm.Command]]:
        """Everything up to the deal, each command with the place it stands at."""
        script, bank = self.situation, self.situation.bank
        if "bank" in self.tables.round_plan.kinds and bank is None:
            cites = cited(self.tables.cites["bank"])
            raise UpcardError(f"bank: a player banks this game: name seat and amount{cites}")
        if "bank" not in self.tables.round_plan.kinds and bank is not None:
            raise UpcardError("bank: the house banks this game")
        yield (
            "seats",
            cm.OpenTable(
                table="situation",
                secret=secret_from("situation"),
                positions=() if "positions" in script.settings else script.listed_seats,
                lights=tuple(
                    ev.Lights(seat.name, seat.seat, seat.lights)
                    for seat in script.seats
                    if seat.lights
                ),
                first_turn=bank.turn if bank else 1,
            ),
        )
        yield from self.people()
        yield "shoe", cm.StackShoe(cards=tuple(map(str, parse_cards(script.shoe))))
        if bank:
            yield "bank", cm.TakeBank(player=bank.player, amount=bank.amount)
        if script.action_button:
            yield "action_button", cm.PlaceActionButton(position=script.action_button)
        yield from self.wagers()
        if FACE_UP in script.dealer_errors:
            yield "before the deal", cm.FindFaceUp()
        yield "the deal", cm.Deal()

    def people(self) -> Iterator[tuple[str, cm.Command]]:
        bank = self.situation.bank
        if bank:
            yield "bank", cm.BuyIn(player=bank.player, amount=PURSE, kind=bank.kind)
            yield "bank", cm.Sit(player=bank.player, seat=bank.seat)
        seated: set[str] = set()
        for seat in self.situation.seats:
            where = f"seat {seat.seat}"
            if seat.name not in seated:
                seated.add(seat.name)
                yield where, cm.BuyIn(player=seat.name, amount=PURSE, kind=seat.kind)
                yield where, cm.Sit(player=seat.name, seat=seat.seat)
        backers = {backer.player for seat in self.situation.seats for backer in seat.backline}
        for name in sorted(backers - seated):
            yield f"backline of {name}", cm.BuyIn(player=name, amount=PURSE)

    def wagers(self) -> Iterator[tuple[str, cm.Command]]:
        for seat in self.situation.seats:
            yield (
                f"seat {seat.seat}, wagers",
                cm.PlaceWagers(player=seat.name, position=seat.seat, wagers=seat.wagers),
            )
        for seat in self.situation.seats:
            for backer in seat.backline:
                yield (
                    f"seat {seat.seat}, backline of {backer.player}",
                    cm.BackWagers(
                        player=backer.player,
                        position=seat.seat,
                        wagers=backer.wagers,
                        follows=backer.follows,
                    ),
                )
            if seat.missed:
                yield (
                    f"seat {seat.seat}, missed",
                    cm.MissCards(position=seat.seat, cards=seat.missed),
                )

    def answer(self, question: Question) -> None:
        position = question.position
        script = next(seat for seat in self.situation.seats if seat.seat == position)
        done = len(script.actions) - len(self.waiting[position])
        step = f"seat {position}, {question.phase}, action {done + 1}"
        if not self.waiting[position]:
            answers = listed(action.text for action in question.actions)
            holding = hand_words(self.engine, self.state, question)
            raise UpcardError(f"{step}: too few actions: {holding}, asked for {answers}")
        text = self.waiting[position].pop(0)
        try:
            decision = cm.parse_decision(text, player=script.name, position=position)
        except UpcardError as error:
            raise UpcardError(f"{step}: {error}") from error
        self.act(decision, f'{step} "{text}"')


# ------------------------------------------------------------------ expectations


def differences(expected: Mapping[str, Any], played: Mapping[str, Any]) -> list[str]:
    """What does not hold, one line each. Only what is expected is compared."""
    return list(_differences("", dict(expected), dict(played)))


def _differences(path: str, expected: Any, found: Any) -> Iterator[str]:
    if isinstance(expected, str) and isinstance(found, list):
        found = " ".join(map(str, found))
    if path == "events":
        yield from _missing_events(expected, [event["event"] for event in found])
    elif isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            below = f"{path}.{key}" if path else key
            if key in found:
                yield from _differences(below, value, found[key])
            else:
                yield f"{below}: expected {_said(value)}, there is none"
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: expected {len(expected)}, found {len(found)}: {found}"
        for number, pair in enumerate(zip(expected, found, strict=False), 1):
            yield from _differences(f"{path}.{number}", *pair)
    elif expected != found:
        yield f"{path}: expected {_said(expected, path)}, found {_said(found, path)}"


def _missing_events(expected: list[str], found: list[str]) -> Iterator[str]:
    """Expected events must come in their order; others may lie between."""
    rest = iter(found)
    for name in expected:
        if name not in rest:
            yield f"events: expected {name}, which does not come (any more)"
            return


_MONEY = ("net", "fees", "staked", "returned", "won", "prizes")


def _said(value: Any, path: str = "") -> str:
    if path.rpartition(".")[2] in _MONEY and isinstance(value, int):
        return f"{value} ({format_cents(value)})"
    return str(value)
