"""Situations: scripted rounds in a small TOML file, with what is expected of them.

docs/situations.md describes the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from upcard.cards import Card
from upcard.compile.tables import GameTables, settings_with, tables_for
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.shape import from_toml, read_text
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.players_cards import Casino
from upcard.table.report import hand_words, round_report
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.text import as_text, cited, did_you_mean, listed, nearest

Loader = Callable[[str, Mapping[str, str]], GameTables]
"""Where the tables of a game come from; `remembering()` compiles each only once."""

PURSE = 10**9
"""What everybody buys in for: a scripted player never runs out of chips."""

_CASINO = Casino("a scripted round", None)

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


class Expect(Script, frozen=True, omit_defaults=True):
    """Any part of the report; or `refused`, a part of the sentence, instead of all else."""

    refused: str = ""
    events: tuple[str, ...] = ()
    seats: dict[str, dict[str, Any]] = {}
    dealer: dict[str, Any] = {}
    bank: dict[str, Any] = {}
    house: dict[str, Any] = {}
    next_bank: dict[str, Any] = {}
    community: str = ""
    prizes: int | None = None


class Situation(Script, frozen=True):
    """A scripted round."""

    game: str
    shoe: str
    seats: tuple[SeatScript, ...]
    title: str = ""
    clauses: tuple[str, ...] = ()
    set: dict[str, str | int | float | bool] = {}
    sides: tuple[str, ...] = ()
    positions: int = 0
    discards: str = ""
    bank: BankScript | None = None
    action_button: int = 0
    dealer_errors: tuple[Literal["face-up-card", "card-drawn-in-error"], ...] = ()
    expect: Expect = Expect()

    @property
    def listed_seats(self) -> tuple[int, ...]:
        """Every position that the script names, the bank's too."""
        bank = (self.bank.seat,) if self.bank else ()
        return (*(seat.seat for seat in self.seats), *bank)

    @property
    def settings(self) -> dict[str, str]:
        settings = {name: as_text(value) for name, value in self.set.items()}
        settings = settings_with(settings, self.sides)
        return settings | ({"positions": str(self.positions)} if self.positions else {})

    @property
    def expects(self) -> bool:
        """Whether the file says what must come out."""
        return self.expect != Expect()

    def having(self, settings: Mapping[str, str]) -> Situation:
        """The same round at a table with some settings of its own."""
        return replace(self, set=self.set | dict(settings))


class PlayedSituation(msgspec.Struct, frozen=True):
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
        if self.tables.head.draft:
            head["draft"] = self.tables.head.draft
        return head | round_report(Engine(self.tables), self.state, self.events)


def read_situation(path: Path) -> Situation:
    """A situation from a file, or one sentence about what is wrong with it.

    A game file of one's own may stand beside it.
    """
    situation = parse_situation(read_text(path), str(path))
    sides = tuple(_beside(side, path.parent) for side in situation.sides)
    situation = replace(situation, sides=sides)
    beside = path.parent / situation.game
    if beside.suffix == ".toml" and beside.is_file():
        return replace(situation, game=str(beside))
    return situation


def _beside(side: str, folder: Path) -> str:
    """A side wager's file beside the situation by its path from here."""
    reference, sign, table = side.partition("=")
    own = folder / reference
    is_file = own.suffix == ".toml" and own.is_file()
    return f"{own if is_file else reference}{sign}{table}"


def parse_situation(text: str, source: str = "situation") -> Situation:
    r"""
    >>> parse_situation('game = "blackjack"\nshoe = ""\nseats = []')
    Traceback (most recent call last):
        ...
    upcard.errors.UpcardError: situation: seats: there is none: a round needs at least one
    """
    situation = from_toml(text, source, Situation)
    for where, problem in _problems(situation):
        raise UpcardError(f"{source}: {where}: {problem}")
    return situation


def _problems(situation: Situation) -> Iterator[tuple[str, str]]:
    """What the types of a situation cannot tell."""
    if not situation.seats:
        yield "seats", "there is none: a round needs at least one"
    seen: set[int] = set()
    for number in situation.listed_seats:
        if number in seen:
            yield "seats", f"seat {number} is named twice: write every seat, and the bank's, once"
        seen.add(number)
    for number, card in enumerate(situation.shoe.split(), 1):
        try:
            Card.parse(card)
        except UpcardError as error:
            yield f"shoe, card {number}", str(error)
    if situation.expect.refused and situation.expect != Expect(refused=situation.expect.refused):
        yield "expect.refused", "a refused round has no result: expect nothing else beside it"
    names = [kind.__name__ for kind in ev.EVENT_TYPES]
    for name in situation.expect.events:
        if name not in names:
            words = f'there is no event "{name}"{_event_like(name, names)}'
            yield "expect.events", f"{words} (docs/situations.md has them all)"


def _event_like(name: str, known: Sequence[str]) -> str:
    """The event that was meant, as far as can be told: one with the name in it, or one like it."""
    holding = [f'"{event}"' for event in known if name and name.lower() in event.lower()]
    if holding:
        return f"; did you mean {listed(holding)}?"
    by_lower = {event.lower(): event for event in known}
    guess = nearest(name.lower(), by_lower)
    return f'; did you mean "{by_lower[guess]}"?' if guess else ""


def remembering() -> Loader:
    """`tables_for` for many situations: the same game with the same settings is compiled once."""
    known: dict[tuple[str, frozenset[tuple[str, str]]], GameTables] = {}

    def load(reference: str, settings: Mapping[str, str]) -> GameTables:
        key = reference, frozenset(settings.items())
        if key not in known:
            known[key] = tables_for(reference, settings)
        return known[key]

    return load


def judged(
    situation: Situation, load: Loader = tables_for
) -> tuple[PlayedSituation | str, list[str]]:
    """The round, or the sentence that refused it as expected, and what is not as expected.

    Raises what went wrong where no refusal was expected.
    """
    refused = situation.expect.refused
    if not refused:
        played = play_situation(situation, load)
        return played, differences(msgspec.to_builtins(situation.expect), played.report())
    try:
        played = play_situation(situation, load)
    except UpcardError as error:
        said = str(error)
        if refused in said:
            return said, []
        return said, [f'refused: expected a refusal with "{refused}", it says: {said}']
    return played, [f'refused: expected a refusal with "{refused}", but the round was played']


def play_situation(situation: Situation, load: Loader = tables_for) -> PlayedSituation:
    """Play a scripted round; whatever does not fit is one sentence with seat and step."""
    settings = situation.settings
    tables = load(situation.game, settings)
    highest = max(situation.listed_seats)
    if "positions" not in settings and highest > tables.round_plan.positions:
        tables = load(situation.game, settings | {"positions": str(highest)})
    return _Player(situation, tables).play()


class _Player:
    """Feeds a script to an engine."""

    def __init__(self, situation: Situation, tables: GameTables) -> None:
        self.situation = situation
        self.tables = tables
        self.engine = Engine(tables, _CASINO)
        self.state = NEW_TABLE
        self.events: list[ev.Event] = []
        self.waiting = {seat.seat: list(seat.actions) for seat in situation.seats}

    def play(self) -> PlayedSituation:
        for where, command in self.opening():
            self.act(command, where)
        while question := self.engine.question(self.state):
            self.answer(question)
        for seat, actions in self.waiting.items():
            if actions:
                script = next(found for found in self.situation.seats if found.seat == seat)
                step = len(script.actions) - len(actions) + 1
                raise UpcardError(
                    f'seat {seat}, action {step} "{actions[0]}": too many actions: '
                    f"the round ended without asking seat {seat} again"
                )
        if IN_ERROR in self.situation.dealer_errors:
            self.act(cm.DrawInError(), "after the dealer's hand")
        return PlayedSituation(self.situation, self.tables, self.state, tuple(self.events))

    def act(self, command: cm.Command, where: str) -> None:
        outcome = self.engine.act(self.state, command)
        if isinstance(outcome, Refusal):
            raise UpcardError(f"{where}: {outcome}")
        self.state = outcome.state
        self.events += outcome.events

    def opening(self) -> Iterator[tuple[str, cm.Command]]:
        """Everything up to the deal, each command with the place it stands at."""
        script, bank = self.situation, self.situation.bank
        if not self.tables.money.house_banks and bank is None:
            cites = cited(self.tables.cites["bank"])
            raise UpcardError(f"bank: a player banks this game: name seat and amount{cites}")
        if self.tables.money.house_banks and bank is not None:
            raise UpcardError("bank: the house banks this game")
        yield (
            "seats",
            cm.OpenTable(
                table="situation",
                secret=secret_from("situation"),
                positions=() if "positions" in script.settings else script.listed_seats,
                lights=self.lights(),
                first_turn=bank.turn if bank else 1,
                scripted=True,
            ),
        )
        yield from self.people()
        yield (
            "shoe",
            cm.StackShoe(cards=tuple(script.shoe.split()), discards=tuple(script.discards.split())),
        )
        if bank:
            yield "bank", cm.TakeBank(player=bank.player, amount=bank.amount)
        if script.action_button:
            yield "action_button", cm.PlaceActionButton(position=script.action_button)
        yield from self.wagers()
        if FACE_UP in script.dealer_errors:
            yield "before the deal", cm.FindFaceUp()
        yield "the deal", cm.Deal()

    def lights(self) -> tuple[ev.Lights, ...]:
        """Lights carried in; boxes of a player that share one set have the larger count."""
        found: dict[tuple[str, int], ev.Lights] = {}
        carry = self.tables.carry
        most = len(carry.next) - 1 if carry is not None else 0
        for seat in self.situation.seats:
            if not 0 <= seat.lights <= most:
                lit = f"0 to {most} lights can be lit, not {seat.lights}"
                why = lit if most else "there are no lights in this game"
                cites = cited(self.tables.cites["lights"])
                raise UpcardError(f"seat {seat.seat}, lights: {why}{cites}")
            owner = (seat.name, self.engine.look.lights_position(seat.seat))
            known = found.get(owner)
            if seat.lights and (known is None or known.lit < seat.lights):
                found[owner] = ev.Lights(seat.name, seat.seat, seat.lights)
        return tuple(found.values())

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
            if not seat.wagers and self.only_sits(seat):
                continue
            if not seat.wagers:
                raise UpcardError(f"seat {seat.seat}, wagers: a seat in a round has a wager")
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

    def only_sits(self, seat: SeatScript) -> bool:
        """Whether a seat without a wager is that of a player who wagers elsewhere."""
        return any(other.wagers for other in self.situation.seats if other.name == seat.name)

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
                yield f"{below}: {_absent(key, value, found, below)}"
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: expected {len(expected)}, found {len(found)}: {_items(found)}"
        for number, pair in enumerate(zip(expected, found, strict=False), 1):
            yield from _differences(f"{path}.{number}", *pair)
    elif expected != found:
        yield f"{path}: expected {_said(expected, path)}, found {_said(found, path)}"


def _missing_events(expected: list[str], found: list[str]) -> Iterator[str]:
    """Expected events must come in their order; others may lie between."""
    rest = iter(found)
    for name in expected:
        if name not in rest:
            late = " after the events before it" if name in found else ""
            yield f"events: expected {name}, which does not come{late}"
            return


def _absent(key: str, value: Any, found: Mapping[str, Any], path: str) -> str:
    known = f"there is {listed(found, 'and')}" if found else "there is nothing"
    if isinstance(value, dict):
        return f"there is none; {known}"
    guess = did_you_mean(key, found) or f"; {known}"
    return f"expected {_said(value, path)}, there is none{guess}"


def _items(found: Iterable[Any]) -> str:
    """A list in short: the cards of hands, or its items."""
    items = (" ".join(item["cards"]) if isinstance(item, dict) else str(item) for item in found)
    return ", ".join(items)


_MONEY = ("net", "fees", "staked", "returned", "won", "prizes")


def _said(value: Any, path: str = "") -> str:
    if path.rpartition(".")[2] in _MONEY and isinstance(value, int):
        return f"{value} ({format_cents(value)})"
    return str(value)
