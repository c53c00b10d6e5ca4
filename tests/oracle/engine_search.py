"""The live engine itself, over every order of a tiny deck: the check of the odds oracle.

A round of one box is played on a scripted table. The shoe is stacked card by card: when the engine
asks for a card that is not there yet, each of those left comes in turn, with its chance. That is
the same as stacking every order of the deck, for the engine never looks ahead.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from upcard.cards import Card
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.judge import Refusal
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import Viewer, redacted

from .odds_split import Policy

ANN = "Ann"
BANK = "Bo"
SEAT = 1
BANKS_SEAT = 2
PURSE = 10**9
NO_CARD = "the stacked shoe has no card left"


class Line(NamedTuple):
    """A round as far as it has come: what lies in the shoe unseen is still open.

    `seen` is what the player has seen since the last decision, `lights` those lit so far.
    """

    state: TableState
    left: tuple[str, ...]
    chance: Fraction
    seen: tuple[object, ...]
    lights: int


class Table:
    """A scripted table with one box, and the deck from which its shoe is stacked."""

    def __init__(
        self,
        tables: GameTables,
        cards: Sequence[str],
        bet: int,
        wagers: Mapping[str, int] | None = None,
        light: Fraction = Fraction(0),
        drops: tuple[Action, ...] = (),
    ) -> None:
        self.tables = tables
        self.engine = Engine(tables)
        self.cards = tuple(cards)
        self.bet = bet
        self.wagers = {"base": bet, **(wagers or {})}
        self.light = light
        self.drops = drops
        self.viewer = Viewer("player", ANN)

    def symbol(self, card: str) -> int:
        return self.tables.alphabet.symbol(Card.parse(card))

    # ------------------------------------------------------------------ the shoe, lazily

    def opening(self, *stacked: str) -> Line:
        """A table that is ready to deal, with some cards on top of the shoe."""
        state = NEW_TABLE
        for command in self.commands(stacked or self.cards):
            outcome = self.engine.act(state, command)
            assert isinstance(outcome, Outcome), outcome
            state = outcome.state
        left = Counter(self.cards) - Counter(stacked)
        shoe = replace(state.shoe, order=stacked)
        return Line(replace(state, shoe=shoe), tuple(left.elements()), Fraction(1), (), 0)

    def commands(self, stacked: tuple[str, ...]) -> Iterator[cm.Command]:
        banked = "bank" in self.tables.round_plan.kinds
        positions = (SEAT, BANKS_SEAT) if banked else (SEAT,)
        yield cm.OpenTable(
            table="tiny", secret=secret_from("tiny"), positions=positions, scripted=True
        )
        yield cm.BuyIn(player=ANN, amount=PURSE)
        yield cm.Sit(player=ANN, seat=SEAT)
        if banked:
            yield cm.BuyIn(player=BANK, amount=PURSE)
            yield cm.Sit(player=BANK, seat=BANKS_SEAT)
        yield cm.StackShoe(cards=stacked)
        if banked:
            yield cm.DeclineBank(player=ANN)
            yield cm.TakeBank(player=BANK, amount=PURSE // 2)
        yield cm.PlaceWagers(player=ANN, position=SEAT, wagers=self.wagers)

    def act(self, line: Line, command: cm.Command) -> Iterator[Line]:
        """Every way in which a round can go on after a command, up to the next question."""
        outcome = self.engine.act(line.state, command)
        if isinstance(outcome, Outcome):
            lights = sum(isinstance(event, ev.LightLit) for event in outcome.events)
            yield line._replace(
                state=outcome.state, seen=self.sight(outcome), lights=line.lights + lights
            )
            return
        assert isinstance(outcome, Refusal)
        assert outcome.reason.startswith(NO_CARD), outcome
        assert line.left, "the deck is too small: choose one that never runs out"
        by_symbol: dict[int, list[str]] = {}
        for card in line.left:
            by_symbol.setdefault(self.symbol(card), []).append(card)
        for alike in by_symbol.values():
            shoe = line.state.shoe
            left = list(line.left)
            left.remove(alike[0])
            more = line._replace(
                state=replace(line.state, shoe=replace(shoe, order=(*shoe.order, alike[0]))),
                left=tuple(left),
                chance=line.chance * Fraction(len(alike), len(line.left)),
            )
            yield from self.act(more, command)

    def sight(self, outcome: Outcome) -> tuple[object, ...]:
        """What the player sees of some events: cards that play alike look alike."""
        return tuple(self.alike(redacted(event, self.viewer)) for event in outcome.events)

    def alike(self, event: ev.Event) -> object:
        def plain(found: object) -> object:
            if isinstance(found, str):
                return self.symbol(found) if found in self.engine.look.symbol else found
            if isinstance(found, Mapping):
                return tuple((key, plain(part)) for key, part in found.items())
            if isinstance(found, Sequence):
                return tuple(map(plain, found))
            return found

        return plain(msgspec.to_builtins(event))

    # ------------------------------------------------------------------ decisions and money

    def question(self, line: Line) -> Question | None:
        question = self.engine.question(line.state)
        if question is None:
            return None
        actions = tuple(action for action in question.actions if action not in self.drops)
        return replace(question, actions=actions)

    def decide(self, line: Line, question: Question, action: Action) -> Iterator[Line]:
        decision = cm.parse_decision(action.text, player=ANN, position=question.position)
        return self.act(line, decision)

    def own(self, line: Line, question: Question) -> tuple[int, ...]:
        here = line.state.round
        assert here is not None
        return tuple(map(self.symbol, here.boxes[0].hands[question.hand].cards))

    def up(self, line: Line) -> int:
        here = line.state.round
        assert here is not None
        return self.symbol(here.dealer.cards[0])

    def won(self, line: Line) -> Fraction:
        """The result of a round that is over, in base wagers, with the value of its lights."""
        here = line.state.round
        assert here is not None
        assert here.over
        assert not here.void
        (box,) = here.boxes
        settled = [stake.settled for hand in box.hands for stake in hand.stakes]
        settled += [bet.settled for bet in box.sides]
        cents = 0
        for one in settled:
            assert one is not None
            assert not one.uncovered
            cents += one.won - one.collected
        return Fraction(cents, self.bet) + line.lights * self.light

    def natural_found(self, line: Line) -> bool:
        here = line.state.round
        return here is not None and here.dealer.natural


def search(
    tables: GameTables,
    cards: Sequence[str],
    bet: int,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """The most that can be won on average, never splitting and never insured, in base wagers.

    Rounds are told apart only by what the player has seen; in each such class the action that is
    best on average is taken for all of them.
    """
    table = Table(tables, cards, bet, wagers, light, drops=(Action.SPLIT, Action.INSURE))
    return _best(table, list(table.act(table.opening(), cm.Deal())))


def _best(table: Table, lines: list[Line]) -> Fraction:
    """The sum over lines that the player has seen alike until just before."""
    total = Fraction(0)
    classes: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        question = table.question(line)
        if question is None:
            total += line.chance * table.won(line)
        else:
            classes.setdefault((line.seen, question), []).append(line)
    for (_, question), alike in classes.items():
        assert isinstance(question, Question)
        total += max(
            _best(table, [after for line in alike for after in table.decide(line, question, action)])
            for action in question.actions
        )
    return total


def play_out(
    tables: GameTables,
    cards: Sequence[str],
    policy: Policy,
    bet: int = 1000,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """What a policy wins on average. Pairs of split hands are split again where that is asked."""
    table = Table(tables, cards, bet, wagers, light, drops=(Action.INSURE,))
    return _follow(table, policy, table.act(table.opening(), cm.Deal()))


def play_out_split(
    tables: GameTables,
    cards: Sequence[str],
    pair: tuple[str, str],
    up: str,
    policy: Policy,
    bet: int = 1000,
    wagers: Mapping[str, int] | None = None,
    light: Fraction = Fraction(0),
) -> Fraction:
    """What a split of these cards wins on average if there is no check or it finds nothing."""
    table = Table(tables, cards, bet, wagers, light, drops=(Action.INSURE,))
    first, second = pair
    dealt = list(table.act(table.opening(first, up, second), cm.Deal()))
    lines = [line for line in _past_insurance(table, dealt) if not table.natural_found(line)]
    chance = sum((line.chance for line in lines), Fraction(0))
    return _follow(table, _splitting(policy), lines) / chance


def _past_insurance(table: Table, lines: list[Line]) -> Iterator[Line]:
    for line in lines:
        question = table.question(line)
        if question is not None and question.actions == (Action.DECLINE,):
            yield from table.decide(line, question, Action.DECLINE)
        else:
            yield line


def _splitting(policy: Policy) -> Policy:
    def split_first(
        cards: tuple[int, ...], up: int, hands: int | None, legal: tuple[Action, ...]
    ) -> Action:
        return Action.SPLIT if Action.SPLIT in legal else policy(cards, up, hands, legal)

    return split_first


def _follow(table: Table, policy: Policy, lines: Iterator[Line] | list[Line]) -> Fraction:
    total = Fraction(0)
    for line in lines:
        question = table.question(line)
        if question is None:
            total += line.chance * table.won(line)
            continue
        here = line.state.round
        assert here is not None
        again = len(here.boxes[0].hands) > 1 and Action.SPLIT in question.actions
        action = Action.SPLIT if again else question.actions[0]
        if not again and len(question.actions) > 1:
            own, up = table.own(line, question), table.up(line)
            action = policy(own, up, None, question.actions)
        total += _follow(table, policy, table.decide(line, question, action))
    return total


