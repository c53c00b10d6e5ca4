"""Slow rounds through the live table's engine, beside the exact values of the same wagers.

A player at a table of their own places every wager, takes insurance whenever it is offered, and
plays the solver's basic play. Every round has a fresh shuffle, since exact values hold for the top
of a full shoe. What the player wins is read from the events alone.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import NormalDist

from upcard import GameTables, tables_for
from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.lights import base_value, light_share, lights_in_a_round, prize_value
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver, insurance
from upcard.solve.result import Return
from upcard.solve.rounds import round_ends
from upcard.solve.solution import Solution
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.plain_tables import BASE, INSURANCE, PlainTables
from upcard.table.settle import shown_number
from upcard.table.shoe import secret_from
from upcard.table.state import TableState

PLAYER, BANKER = "Ann", "Bo"
SEAT, BANKERS_SEAT = 1, 2
PURSE = 10**11
MOST_CARDS = 60
"""Cards of a shuffle that are put into the shoe: no round has used up so many."""
LIGHTS, WITH_LIGHTS = "lights", "base with lights"
FEWEST = 20
"""Expected hits from which on their number is close to normal."""
MEAN = "mean"


@dataclass(frozen=True)
class Case:
    """A game with settings and all its wagers, in cents that no payoff has to round."""

    game: str
    bet: int
    sides: tuple[tuple[str, int], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        changed = "".join(f" {name}={value}" for name, value in self.settings)
        amount = f" at {self.bet}" if tables_of(self).money.wagers[BASE].amounts else ""
        return f"{self.game}{amount}{changed}"

    @property
    def wagers(self) -> dict[str, int]:
        return {BASE: self.bet, **dict(self.sides)}


_TIES = ("left-side", "right-side", "tie-17", "tie-18", "tie-19", "tie-20", "tie-21")
_CHANCE = "games-of-chance-blackjack"
_STUD = (("stud-poker", 100), ("stud-bonus", 100))
CASES = (
    Case("blackjack", 500),
    Case("ten-sticks-21", 500),
    Case("pure-spanish-21.5", 300, (("match", 300),)),
    Case(_CHANCE, 200),
    Case(_CHANCE, 400),
    *(
        Case("twisted-21", 500, _STUD, (("stud_bonus", version),))
        for version in ("five-card", "five-card-low", "seven-card", "seven-card-low")
    ),
    Case("blackjack-tie", 800, tuple((tie, 100) for tie in (*_TIES, "tie-blackjack"))),
    Case("european-blackjack", 500),
    Case("vegas-strip", 500),
    Case("single-deck-6-5", 500),
    Case("double-exposure", 500),
    Case("down-under", 500),
    Case("spanish-21", 500),
    Case("pontoon", 500),
    Case("super-fun-21", 500),
    Case("free-bet", 500),
    Case("zappit", 500),
)
"""Every wager of every game, in all versions of their pay tables."""
VARIANTS = (
    Case("spanish-21", 500, settings=(("redouble", "true"), ("bonus_after_split", "false"))),
    Case("super-fun-21", 500, settings=(("decks", "2"),)),
    Case("blackjack", 500, settings=(("peek", "none"), ("late_natural_takes", "original"))),
    Case("blackjack", 500, settings=(("surrender", "early"), ("soft17", "hit"))),
    Case("european-blackjack", 500, settings=(("late_natural_takes", "original"),)),
    Case("free-bet", 500, settings=(("fours", "own"), ("free_double_cards", "any"))),
    Case("zappit", 500, settings=(("exchanged", "15-18"), ("surrender", "late"), ("decks", "2"))),
    Case("ten-sticks-21", 500, settings=(("trade", "false"),)),
    Case("ten-sticks-21", 500, settings=(("trade_time", "own-turn"), ("decks", "1"))),
    Case(_CHANCE, 200, settings=(("surrender", "early"), ("peek", "ace-or-ten"))),
    Case(_CHANCE, 400, settings=(("surrender", "both"),)),
    Case(_CHANCE, 200, settings=(("tie_dollar", "player"),)),
    Case("double-exposure", 500, settings=(("decks", "1"), ("double", "any-two"))),
)
"""Ways to play a round that no game has by itself."""


def share(case: Case, rounds: int) -> int:
    """A case's part of a game's rounds."""
    return -(-rounds // sum(other.game == case.game for other in CASES))


@cache
def tables_of(case: Case) -> GameTables:
    return tables_for(case.game, dict(case.settings))


# ------------------------------------------------------------------ exact


@dataclass(frozen=True)
class Expected:
    """What the solver says of one wager: its mean in units of it, and how often it ends how.

    Without an `sd` that of the rounds played has to do.
    """

    mean: float
    sd: float | None = None
    rows: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Exact:
    """A solved case: the play, and what every wager is worth under it."""

    play: BasicPlay
    wagers: Mapping[str, Expected]


@cache
def exact(case: Case) -> Exact:
    tables = tables_of(case)
    game = BaseGame(tables)
    solver = Solver(game, "CDP")
    basic, play = solver.basic(solver.optimal(case.bet))
    wagers = dict(_base(game, solver, basic))
    for wager in tables.payoffs:
        if wager == INSURANCE:
            odds = insurance(game)
        elif wager != BASE:
            odds = solver.tie_wager(wager, basic)
        else:
            continue
        wagers[wager] = Expected(odds.ev, odds.sd, _rows(odds.returns))
    for wager, observer in tables.observers.items():
        odds = card_wager(tables, wager)
        rows = _rows(odds.returns, named=hasattr(observer, "rows"))
        wagers[wager] = Expected(odds.ev, odds.sd, rows)
    return Exact(play, wagers)


def _base(game: BaseGame, solver: Solver, basic: Solution) -> Iterator[tuple[str, Expected]]:
    """The base wager, in all and by up card; lights and what they are worth."""
    alone = base_value(game, basic)
    ends = round_ends(game, basic, alone)
    rows: dict[str, float] = defaultdict(float)
    for result, chance in ends.results.items():
        rows[_units(result)] += chance
    whole = solver.base_ev(basic)
    yield BASE, Expected(whole if game.tables.carry is None else alone, ends.sd, dict(rows))
    if game.tables.carry is not None:
        chances = lights_in_a_round(game, basic).tolist()
        mean = sum(number * chance for number, chance in enumerate(chances))
        square = sum(number**2 * chance for number, chance in enumerate(chances))
        lights = {str(number): chance for number, chance in enumerate(chances)}
        yield LIGHTS, Expected(mean, math.sqrt(square - mean**2), lights)
        assert math.isclose(prize_value(game, basic), whole, abs_tol=1e-9)
        yield WITH_LIGHTS, Expected(whole)
    if game.tables.money.flat_per == "player":
        return  # What is charged once a player is worked out for all up cards together.
    for up, found in basic.ups.items():
        yield by_up(game.tables, up), Expected(found.ev)


def by_up(tables: GameTables, up: int) -> str:
    """The name under which rounds with an up card are counted."""
    return f"{BASE} against {tables.dealer.shown.names[up]}"


def _rows(returns: tuple[Return, ...], *, named: bool = False) -> dict[str, float]:
    """The chances of a wager's results: by the row that pays, or by what is paid."""
    rows: dict[str, float] = defaultdict(float)
    for row in returns:
        rows[row.event if named and row.pays > 0 else _units(float(row.pays))] += row.probability
    return dict(rows)


def _units(net: float) -> str:
    return f"{round(net, 6) + 0.0:+g}"


# ------------------------------------------------------------------ simulated


@dataclass
class Sample:
    """What became of one wager, in units of it."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    rows: Counter[str] = field(default_factory=Counter)

    def add(self, net: float, row: str = "") -> None:
        self.count += 1
        self.total += net
        self.squares += net * net
        self.rows[row] += 1

    def __add__(self, other: Sample) -> Sample:
        return Sample(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            self.rows + other.rows,
        )

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def sd(self) -> float:
        return math.sqrt(max(0.0, self.squares / self.count - self.mean**2))


@dataclass
class Tally:
    """Samples by wager. `prizes` counts the prizes that lights won at one table."""

    samples: dict[str, Sample] = field(default_factory=dict)
    prizes: int = 0

    def add(self, wager: str, net: float, row: str = "") -> None:
        self.samples.setdefault(wager, Sample()).add(net, row)

    def __add__(self, other: Tally) -> Tally:
        names = (*self.samples, *(name for name in other.samples if name not in self.samples))
        return Tally(
            {n: self.samples.get(n, Sample()) + other.samples.get(n, Sample()) for n in names},
            self.prizes + other.prizes,
        )


class BasicPlayer:
    """Basic play at a live table."""

    def __init__(self, look: PlainTables, play: BasicPlay) -> None:
        self.look = look
        self.play = play
        self.twin = twins(look)
        self.known: dict[tuple[int, int, int, tuple[Action, ...]], Action] = {}

    def answer(self, state: TableState, question: Question) -> Action:
        here = state.round
        assert here is not None
        box = here.box(question.position)
        assert box is not None
        hand = box.hands[question.hand]
        up = shown_number(self.look, here)
        if question.phase == "insurance":
            return Action.INSURE
        if question.phase == "early-surrender":
            folds = self.play.leaning[up][hand.state] > 0
            return Action.SURRENDER if folds else Action.DECLINE
        if self.look.steps[here.step] == "trades":
            return Action.TRADE if self.play.leaning[up][hand.state] > 0 else Action.KEEP
        key = (up, hand.state, hand.context, question.actions)
        if key not in self.known:
            self.known[key] = self.best(*key)
        return self.known[key]

    def best(self, up: int, state: int, context: int, actions: tuple[Action, ...]) -> Action:
        """The best answer in a turn; a split hand is played like the same cards unsplit."""
        found = self.look.tables.contexts.contexts[context]
        own = state if found.origin == "initial" else self.twin[state]
        legal = sum(action.bit for action in actions)
        return self.play.best(up, own, legal, found.level, marker=found.marker)


def twins(look: PlainTables) -> dict[int, int]:
    """For the states of split hands those of hands that were never split, with the same cards."""
    hands = look.tables.hands
    start = look.next[hands.start]
    waiting = [
        (split, start[hands.pair_symbol[state]])
        for state, split in enumerate(hands.split_to.tolist())
        if split != NONE
    ]
    found: dict[int, int] = {}
    while waiting:
        split, unsplit = waiting.pop()
        if split in found:
            assert found[split] == unsplit, "the same cards lead to the same state"
            continue
        found[split] = unsplit
        moves = [*zip(look.next[split], look.next[unsplit], strict=True)]
        moves += [(int(moved[split]), int(moved[unsplit])) for moved in (hands.keep, hands.trade)]
        waiting += [move for move in moves if NONE not in move]
    return found


class Table:
    """A scripted table with one player, who plays for ever; somebody else banks if need be."""

    def __init__(self, case: Case, seed: str) -> None:
        self.case = case
        self.rng = random.Random(f"{case.name}/{seed}")
        self.engine = Engine(tables_of(case))
        self.player = BasicPlayer(self.engine.look, exact(case).play)
        self.cards = self.engine.look.full_shoe
        self.tally = Tally()
        carry = self.engine.tables.carry
        self.light = light_share(carry, case.bet) if carry is not None else 0.0
        self.state: TableState = NEW_TABLE
        self.do(cm.OpenTable(table="proof", secret=secret_from(seed), scripted=True))
        for name, seat in ((PLAYER, SEAT), (BANKER, BANKERS_SEAT)):
            self.do(cm.BuyIn(player=name, amount=PURSE))
            self.do(cm.Sit(player=name, seat=seat))

    def do(self, command: cm.Command) -> tuple[ev.Event, ...]:
        outcome = self.engine.act(self.state, command)
        assert isinstance(outcome, Outcome), f"{command}: {outcome}"
        self.state = outcome.state
        return outcome.events

    def play(self, rounds: int) -> Tally:
        for _ in range(rounds):
            self.count(self.round())
        return self.tally

    def round(self) -> list[ev.Event]:
        """The events of one round."""
        cards = self.rng.sample(self.cards, min(MOST_CARDS, len(self.cards)))
        self.do(cm.StackShoe(cards=tuple(cards)))
        while self.state.stage == "bank":
            offer = self.state.offer
            assert offer is not None
            if offer.player == PLAYER:
                self.do(cm.DeclineBank(player=PLAYER))
            else:
                self.do(cm.TakeBank(player=BANKER, amount=PURSE // 2))
        self.do(cm.PlaceWagers(player=PLAYER, position=SEAT, wagers=self.case.wagers))
        events = list(self.do(cm.Deal()))
        while self.state.in_round:
            question = self.engine.question(self.state)
            assert question is not None
            action = self.player.answer(self.state, question)
            decision = cm.parse_decision(action.text, player=PLAYER, position=SEAT)
            events += self.do(decision)
        return events

    def count(self, events: list[ev.Event]) -> None:
        """Add a round to the tally: the base wager over all hands, every other by itself."""
        base = lights = 0
        for event in events:
            match event:
                case ev.WagerSettled():
                    assert event.player == PLAYER
                    assert not event.uncovered
                    net = event.won - event.collected
                    if event.wager == BASE:
                        base += net
                    else:
                        units = net / event.staked
                        self.tally.add(event.wager, units, event.why or _units(units))
                case ev.LightLit():
                    lights += 1
                case ev.PrizeWon():
                    self.tally.prizes += 1
                case ev.RoundVoided():
                    raise AssertionError("a round without enough cards")
        here = self.state.round
        assert here is not None
        units = base / self.case.bet
        whole = units + lights * self.light
        self.tally.add(BASE, units, _units(units))
        self.tally.add(by_up(self.engine.tables, shown_number(self.engine.look, here)), whole)
        if self.engine.tables.carry is not None:
            self.tally.add(LIGHTS, lights, str(lights))
            self.tally.add(WITH_LIGHTS, whole)


def simulate(case: Case, rounds: int, seed: str) -> Tally:
    """Rounds of one case, always the same for a seed."""
    return Table(case, seed).play(rounds)


# ------------------------------------------------------------------ compared


@dataclass(frozen=True)
class Line:
    """One number of a wager, exact and simulated; `z` counts standard errors between them.

    `what` is the mean, or a row whose share is compared.
    """

    case: str
    wager: str
    what: str
    exact: float
    simulated: float
    error: float
    z: float

    def __str__(self) -> str:
        return (
            f"{self.wager:20}{self.what:27}{self.exact:>12.6f}{self.simulated:>12.6f}"
            f"{self.error:>10.6f}{self.z:>8.2f}"
        )


def compare(case: Case, wagers: Mapping[str, Expected], tally: Tally) -> Iterator[Line]:
    """Means and shares of rows for every wager, expected and played."""
    for wager, expected in wagers.items():
        sample = tally.samples.get(wager, Sample())
        if not sample.count:
            yield Line(case.name, wager, "never played", expected.mean, 0.0, 0.0, math.inf)
            continue
        if expected.sd is None and sample.count < FEWEST:
            continue  # Too few for an error of their own.
        error = (sample.sd if expected.sd is None else expected.sd) / math.sqrt(sample.count)
        off = sample.mean - expected.mean
        z = off / error if error else math.copysign(math.inf, off) if off else 0.0
        yield Line(case.name, wager, MEAN, expected.mean, sample.mean, error, z)
        yield from _compare_rows(case, wager, expected, sample)


def _compare_rows(case: Case, wager: str, expected: Expected, sample: Sample) -> Iterator[Line]:
    """Rows that are frequent enough one by one, all others together."""
    if not expected.rows:
        return
    count = sample.count
    common = [row for row, chance in expected.rows.items() if chance * count >= FEWEST]
    rest = 1 - sum(expected.rows[row] for row in common)
    others = count - sum(sample.rows[row] for row in common)
    shares = [(row, expected.rows[row], sample.rows[row]) for row in common]
    for row, chance, hits in (*shares, ("all others", max(0.0, rest), others)):
        error = math.sqrt(chance * (1 - min(chance, 1)) / count)
        yield Line(case.name, wager, row, chance, hits / count, error, hits_z(chance, count, hits))


def hits_z(chance: float, count: int, hits: int) -> float:
    """How far a number of hits is off, in standard errors; small numbers by Poisson's law."""
    expected = chance * count
    if chance > _HALF:
        return -hits_z(max(0.0, 1 - chance), count, count - hits)
    if expected >= FEWEST:
        return (hits - expected) / math.sqrt(expected * (1 - chance))
    if expected < _NOTHING:
        return math.inf if hits else 0.0
    below = sum(_poisson(expected, number) for number in range(hits))
    middle = below + _poisson(expected, hits) / 2
    return NormalDist().inv_cdf(min(max(middle, _TINY), 1 - _TINY))


_HALF = 0.5
_NOTHING = 1e-9
_TINY = 1e-15


def _poisson(expected: float, number: int) -> float:
    return math.exp(number * math.log(expected) - expected - math.lgamma(number + 1))
