"""The same cards through the live table's engine and through the simulator's kernel.

Every seat plays by a table of actions that is drawn at random, so that rare actions are taken
often; whoever has two boxes exchanges cards by such a table too. The engine's questions are
answered from the very arrays that the kernel plays by. What hands, wagers, lights, fees and the
bank came to is read from the engine's events and state alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from banked_games import banked_game
from chance import numbers
from changed_games import changed_rules, problems
from upcard import GameTables, compile_game, tables_for
from upcard.cards import DECK
from upcard.compile.context import Action, Phase
from upcard.compile.effects import Special
from upcard.round.kernel import play_rounds
from upcard.round.kernel_types import AT, CODE_BITS, END, WAITING, Bytes, Codes, Cut, Floats
from upcard.round.machines import machine_of, whole_machine
from upcard.round.policy import ROLES, MimicPlay, Moves, OpenPlay, by_state
from upcard.round.settle import settle_bank, settle_insurance, settle_sides
from upcard.round.setup import FRESH_CUT, TableSetup
from upcard.round.shoe import begin_stream
from upcard.round.stakes import FEES, PRIZES
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Clerk, Question
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.order import partners
from upcard.table.plain_tables import BASE, INSURANCE
from upcard.table.settle import player_class, shown_number, up_symbol
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.state_steps import box_at, hand_at, round_of, with_shoe
from upcard.trial.bank_rounds import NOTHING_STACKED

BANKER = "Bo"
PURSE = 10**11
MOST_CARDS = 160
"""Cards of a shuffle that are put into a stacked shoe: rounds seldom need so many."""
STEEP = 3.0
"""The larger, the more one action or rank prevails over others at a table."""
RANKS, SUITS = 13, 4
NUMBERS = {str(card): card.number for card in DECK}
Cards = Literal["stacked", "short", "picked", "cut"]
SHORT = (6, 18)
"""Cards of a shoe that may run out."""


@dataclass(frozen=True)
class Setup:
    """A game with settings, its wagers in cents, and who sits there.

    Where the cards come from: every round has a stacked shoe of its own, or one so short that it
    may run out; the kernel's picks are stacked for the engine; or the engine's shuffled shoe is
    dealt to its cut card.
    No game has these by itself: `added_fees` charges doubles and splits, with `by_position` a seat
    gets all its cards at once, and with `banked` a player banks a game of the house within limits,
    naturals paid as it says; `changes` are other values of the game file, as JSON.
    """

    game: str
    bet: int
    sides: tuple[tuple[str, int], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    seats: int = 1
    bank: int | None = None
    insures: bool = True
    cards: Cards = "stacked"
    mimics: bool = False
    added_fees: bool = False
    by_position: bool = False
    banked: Literal["", "in-order", "at-once"] = ""
    changes: str = ""

    @property
    def tables(self) -> GameTables:
        if self.changes:
            return _changed(self.game, self.settings, self.changes)
        return _tables(self.game, self.settings, self.added_fees, self.by_position, self.banked)

    @property
    def wagers(self) -> dict[str, int]:
        return {BASE: self.bet, **dict(self.sides)}

    @property
    def boxes(self) -> int:
        """The boxes of every player: so many seats in a row are one player's."""
        return max(1, self.tables.round_plan.boxes)

    @property
    def table(self) -> TableSetup:
        return _table(self)

    @property
    def name(self) -> str:
        shown = [f"{name}={value}" for name, value in self.settings]
        shown += [f"bank={self.bank}"] if self.bank is not None else []
        shown += [f"banked-{self.banked}"] if self.banked else []
        flags = ("mimics", "added_fees", "by_position")
        shown += [self.changes] if self.changes else []
        shown += [flag for flag in flags if getattr(self, flag)]
        shown += [] if self.cards == "stacked" else [self.cards]
        return "-".join([self.game, str(self.bet), *shown])


@cache
def _table(setup: Setup) -> TableSetup:
    """One for all rounds: what is played at it is not a part of it."""
    return TableSetup(
        setup.tables,
        setup.bet,
        dict(setup.sides),
        setup.seats,
        fresh=setup.cards != "cut",
        bank=setup.bank,
        insures=setup.insures,
    )


@cache
def _engine(setup: Setup) -> Engine:
    engine = Engine(setup.tables)
    engine.clerk = ClerkWithoutShuffle(engine.look)
    return engine


@cache
def _changed(game: str, settings: tuple[tuple[str, str], ...], changes: str) -> GameTables:
    rules = changed_rules(game, json.loads(changes), dict(settings))
    assert problems(rules) == []
    return compile_game(rules)


@cache
def _tables(
    game: str,
    settings: tuple[tuple[str, str], ...],
    added_fees: bool,
    by_position: bool,
    banked: str,
) -> GameTables:
    if banked:
        with TemporaryDirectory() as folder:
            path = banked_game(Path(folder), game, natural_paid=banked)
            tables = tables_for(str(path), dict(settings))
    else:
        tables = tables_for(game, dict(settings))
    if added_fees:
        fees = tables.money.fees
        assert fees is not None, "only a game with fees can charge more of them"
        money = replace(tables.money, fees=replace(fees, on_added_wagers=True))
        tables = replace(tables, money=money)
    if by_position:
        tables = replace(tables, round_plan=replace(tables.round_plan, by_position=True))
    return tables


# ------------------------------------------------------------------ policies


@cache
def _open_moves(setup: Setup) -> Moves:
    """Moves that leave every choice open."""
    return by_state(setup.tables, OpenPlay())


def drawn_moves(setup: Setup, rng: np.random.Generator) -> Moves:
    """A table of actions: every choice once drawn for good, the first hand's and others' apart."""
    if setup.mimics:
        return by_state(setup.tables, MimicPlay(setup.tables))
    moves = _open_moves(replace(setup, seats=1, bank=None, sides=(), bet=0, cards="stacked"))
    if moves.chance is None:
        return moves
    weights = rng.exponential(size=len(Action)) ** STEEP
    roles = [_drawn(moves.play.action, moves.chance.mask, weights, rng) for _ in range(ROLES)]
    contexts = len(setup.tables.contexts.contexts)
    row_of = np.arange(ROLES * contexts, dtype=np.uint64).reshape(1, ROLES, contexts)
    play = moves.play._replace(action=np.concatenate(roles), row_of=row_of)
    early = moves.early
    if early is not None:
        mask = moves.chance.early_mask
        early = early._replace(action=_drawn(early.action, mask, weights, rng))
    exchange = moves.exchange
    if exchange is not None:
        answers = np.full(exchange.action.shape, exchange.mask, dtype=moves.chance.mask.dtype)
        alike = np.ones(len(Action))  # of two answers none may prevail, or cards would not matter
        exchange = exchange._replace(action=_drawn(exchange.action, answers, alike, rng))
    return replace(moves, play=play, early=early, chance=None, exchange=exchange)


def _drawn(action: Bytes, mask: Codes, weights: Floats, rng: np.random.Generator) -> Bytes:
    """Actions with one of the legal ones where a choice was open, each as often as its weight."""
    actions = np.arange(len(Action))
    legal = (mask[:, None] >> actions) & 1 == 1
    times = rng.exponential(size=legal.shape) / weights
    chosen = np.where(legal, times, np.inf).argmin(axis=1)
    return np.where(action == Special.ANY, chosen, action).astype(np.int8)


# ------------------------------------------------------------------ rounds


@dataclass
class Played:
    """What one round came to, whoever played it: money in cents, seats from 0.

    `ends` are the final classes of a seat's hands with their doubles. The dealer's class is None
    where nobody needed to know it.
    """

    net: dict[tuple[str, int], int]
    ends: list[list[tuple[int, int]]]
    used: int
    lit: list[int]
    bank: int | None
    dealer: int | None

    def differs(self, other: Played) -> list[str]:
        """What the other round has different, in words."""
        found = [
            f"{wager} of seat {seat + 1}: {net} against {other.net.get((wager, seat))}"
            for (wager, seat), net in self.net.items()
            if other.net.get((wager, seat)) != net
        ]
        found += [
            f"{name}: {getattr(self, name)} against {getattr(other, name)}"
            for name in ("ends", "used", "lit", "bank")
            if getattr(self, name) != getattr(other, name)
        ]
        if None not in (self.dealer, other.dealer) and self.dealer != other.dealer:
            found.append(f"dealer: {self.dealer} against {other.dealer}")
        return found


class Live:
    """A table of the engine at which every seat plays by the same table of actions."""

    def __init__(
        self, setup: Setup, moves: Moves, seed: str, taken: Counter[Action], lit: Sequence[int]
    ) -> None:
        self.setup, self.taken, self.used = setup, taken, 0
        self.engine, self.state = _engine(setup), NEW_TABLE
        self.look = self.engine.look
        ups = len(setup.tables.dealer.shown)
        self.action = moves.play.action.reshape(-1, ups, moves.play.nodes)
        self.row_of = moves.play.row_of[0]
        self.early = None if moves.early is None else moves.early.action.reshape(ups, -1)
        self.exchange = None
        if moves.exchange is not None:
            self.exchange = moves.exchange.action.reshape((len(setup.tables.alphabet),) * 5)
        assert setup.seats % setup.boxes == 0, "every player has all boxes"
        self.players = [f"P{seat // setup.boxes + 1}" for seat in range(setup.seats)]
        self.do(
            cm.OpenTable(
                table="proof",
                secret=secret_from(seed),
                scripted=True,
                lights=tuple(ev.Lights(f"P{n}", n, lights) for n, lights in enumerate(lit, 1)),
            )
        )
        sitting = {name: seat for seat, name in reversed([*enumerate(self.players, 1)])}
        if self.banked:
            sitting[BANKER] = setup.seats + 1
        for name, seat in sorted(sitting.items(), key=itemgetter(1)):
            self.do(cm.BuyIn(player=name, amount=PURSE))
            self.do(cm.Sit(player=name, seat=seat))

    @property
    def banked(self) -> bool:
        return self.setup.tables.money.bank != "house"

    def do(self, command: cm.Command) -> tuple[ev.Event, ...]:
        outcome = self.engine.act(self.state, command)
        assert isinstance(outcome, Outcome), f"{command}: {outcome}"
        self.state = outcome.state
        return outcome.events

    def round(self, cards: Sequence[str] = (), gone: Sequence[str] = ()) -> list[ev.Event]:
        """The events of one round, from these cards or from the shoe; others may be gone before."""
        if cards:
            self.do(cm.StackShoe(cards=tuple(cards), discards=tuple(gone)))
            self.used = len(gone)
        while self.state.stage == "bank":
            if (offer := self.state.offer) and offer.player != BANKER:
                self.do(cm.DeclineBank(player=offer.player))
            else:
                amount = PURSE // 2 if self.setup.bank is None else self.setup.bank
                self.do(cm.TakeBank(player=BANKER, amount=amount))
        for seat, name in enumerate(self.players, 1):
            self.do(cm.PlaceWagers(player=name, position=seat, wagers=self.setup.wagers))
        events = list(self.do(cm.Deal()))
        while self.state.in_round:
            question = self.engine.question(self.state)
            assert question is not None
            action = self.answer(self.state, question)
            self.taken[action] += 1
            player, position = question.player, question.position
            events += self.do(cm.parse_decision(action.text, player=player, position=position))
        return events

    def answer(self, state: TableState, question: Question) -> Action:
        """What the table of actions says to a question."""
        here, hand = round_of(state), hand_at(state, question.position, question.hand)
        up = shown_number(self.look, here)
        if question.phase == Phase.INSURANCE:
            return Action.INSURE if self.setup.insures else Action.DECLINE
        if question.phase == Phase.EXCHANGE:
            assert self.exchange is not None
            pair = partners(here, box_at(state, question.position))
            cards = [self.look.symbol[card] for box in pair for card in box.hands[0].cards]
            return Action(int(self.exchange[up_symbol(self.look, here), *cards]))
        if self.look.steps[here.step] in ("early-surrender", "trades"):
            assert self.early is not None
            return Action(int(self.early[up, hand.state]))
        row = self.row_of[min(question.hand, ROLES - 1), hand.context]
        return Action(int(self.action[row, up, hand.state]))

    def played(self, events: Sequence[ev.Event]) -> Played:
        """What the events and the state after them say of the round."""
        here, look = round_of(self.state), self.look
        net = {(wager, seat): 0 for wager in self.columns for seat in range(self.setup.seats)}
        bank = 0
        for event in events:
            match event:
                case ev.ShoeShuffled():
                    self.used = 0
                case ev.CardDealt() | ev.CardBurned():
                    self.used += 1
                case ev.WagerSettled():
                    won = event.won - event.collected
                    net[event.wager, event.position - 1] += won
                    bank -= won
                case ev.PrizeWon():
                    net[PRIZES, self.players.index(event.player)] += event.amount
                case ev.FeeCollected() if event.position:
                    net[FEES, event.position - 1] -= event.amount
                case ev.FeeCollected():
                    bank -= event.amount
        effects, final = self.setup.tables.effects, look.final[here.dealer.state]
        return Played(
            net=net,
            ends=[
                [
                    (player_class(look, hand), effects.stake_level(hand.context))
                    for hand in box.hands
                ]
                for box in here.boxes
            ],
            used=self.used,
            lit=self.lit,
            bank=bank if self.banked else None,
            dealer=final if final >= 0 else None,
        )

    @property
    def lit(self) -> list[int]:
        """Lights by seat, where there are any."""
        places = [self.look.lights_position(seat) for seat in range(1, self.setup.seats + 1)]
        lit = [self.state.lit(*who) for who in zip(self.players, places, strict=True)]
        return [] if self.setup.tables.carry is None else lit

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns in which there is a player's money."""
        tables, setup = self.setup.tables, self.setup
        insured = setup.insures and tables.settlement.largest(INSURANCE, setup.bet) > 0
        others = [INSURANCE] * insured + [PRIZES] * tables.has_prizes
        return (*setup.wagers, *others, *[FEES] * (tables.money.fees is not None))


class ClerkWithoutShuffle(Clerk):
    """Lays discards back in the order of their numbers, as the kernel where it does not shuffle.

    So the cards that come back are the same ones, or a difference is found. A stacked shoe runs out
    as any other.
    """

    def run_out(self, state: TableState, what: str) -> ev.Event:
        event = super().run_out(with_shoe(state, stacked=False), what)
        if not isinstance(event, ev.DiscardsShuffled):
            return event
        in_order = sorted(event.order, key=lambda card: self.look.card[card].number)
        return ev.DiscardsShuffled(order=tuple(in_order))


class Simulated:
    """The kernel's own table, round by round.

    One seat has the parts that its game has, as a simulation has them. Several seats have every
    part, if only as nothing, as at a bank: one compiled kernel plays them for all games.
    """

    def __init__(self, setup: Setup, moves: Moves) -> None:
        table = setup.table
        table.check()
        self.table, self.moves, self.rules = table, moves, table.rules
        self.sides, self.banker, self.insurance = table.sides, table.banker, table.insurance()
        self.out = table.out(1)
        if table.crowd is None:
            self.machine = machine_of(table, moves, 1)
        else:
            self.machine = whole_machine(table, moves, table.kept(1))._replace(
                insurance=None, stacked=NOTHING_STACKED
            )
        if setup.cards != "picked":
            self.in_order(self.machine.cut or FRESH_CUT)
        self.kept, self.here = self.machine.kept, self.machine.here
        self.carried = None if table.tables.carry is None else self.machine.carried
        self.shoe = table.shoe()
        begin_stream(self.shoe.now, np.uint64(1), np.uint64(1))

    def stack(self, cards: Sequence[str], *, anew: bool, gone: int = 0) -> None:
        """These cards in a new shoe, or in the same one, which stands where it stood.

        Of a new one so many may be gone, if it is dealt to a cut card.
        """
        now = self.shoe.now
        self.shoe = self.table.shoe([NUMBERS[card] for card in cards])
        if not anew:
            self.shoe.now[:] = now
        if gone:
            self.shoe.now[[AT, END, WAITING]] = gone + 1, self.shoe.size, self.shoe.deck[gone]
            self.in_order(FRESH_CUT._replace(at=self.shoe.size))

    def in_order(self, cut: Cut) -> None:
        """Cards come as they lie in the shoe."""
        returns = (self.machine.returns or self.table.returns())._replace(shuffles=False)
        # Where no card goes away, a full shoe leaves out those that do; in order it may not.
        self.machine = self.machine._replace(rules=self.rules, cut=cut, returns=returns)

    @property
    def used(self) -> int:
        """Cards of the shoe that are out: one lies ready, unless there is none left."""
        return int(self.shoe.now[AT]) - 1

    @property
    def dealt(self) -> list[str]:
        """The cards that are out, in the order in which they came, and all others."""
        by_number = {card.number: str(card) for card in self.table.tables.alphabet.cards}
        return [by_number[int(code) >> CODE_BITS] for code in self.shoe.deck[: self.shoe.size]]

    def run(self) -> int:
        """One round; how many were void before it."""
        table, rules, out, kept = self.table, self.rules, self.out, self.kept
        void = play_rounds(self.machine, self.shoe, out, 1, None)
        seats, natural = table.seats, rules.natural_class
        if self.sides is not None and kept is not None:
            settle_sides(self.sides, kept, out.up, out.result, out.level, out.net, seats)
        if self.insurance is not None:
            settle_insurance(self.insurance, out, 1, seats, natural, True)
        if self.banker is not None and kept is not None:
            settle_bank(self.banker, kept, out, seats, natural)
        return void

    def played(self, columns: Sequence[str]) -> Played:
        """What the round came to."""
        seats, unit, here = self.table.seats, self.table.unit, self.here
        net = self.out.net * unit
        return Played(
            net={
                (wager, seat): int(net[self.table.column(wager), seat])
                for wager in columns
                for seat in range(seats)
            },
            ends=[
                [
                    (int(here.final[seat, hand]), int(here.doubles[seat, hand]))
                    for hand in range(int(here.hands[seat]))
                ]
                for seat in range(seats)
            ],
            used=self.used,
            lit=[] if self.carried is None else self.carried.lit.tolist(),
            bank=None if self.banker is None else int(self.out.bank[0]) * unit,
            dealer=int(self.out.result[0]),
        )


# ------------------------------------------------------------------ compared


@dataclass
class Report:
    """Rounds that both played, what differed in them, and how often what was done.

    In some cards `came back`. Rounds that are `void` are compared with those that followed, rounds
    `apart` were followed by none.
    """

    counts: Counter[str] = field(default_factory=Counter)
    taken: Counter[Action] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


class Match:
    """The engine and the kernel at the same table; `simulated` may be a kernel with a fault."""

    def __init__(
        self, setup: Setup, seed: int, report: Report, simulated: type[Simulated] = Simulated
    ) -> None:
        self.setup, self.report, self.simulated = setup, report, simulated
        self.rng = numbers(seed, setup.seats, *setup.name.encode())
        self.moves = drawn_moves(setup, self.rng)
        self.begin()
        self.cards = np.array(self.live.look.full_shoe)
        self.numbers = np.array([NUMBERS[card] for card in self.cards.tolist()])

    def begin(self) -> None:
        """A new table. A round that ran out of stacked cards cannot be ended at the old one."""
        lit, carry = [], self.setup.tables.carry
        if carry is not None:  # so many lights that a prize comes soon
            most = len(carry.next)
            lit = self.rng.integers(most - 3, most, size=self.setup.seats).tolist()
        self.live = Live(self.setup, self.moves, self.rng.bytes(8).hex(), self.report.taken, lit)
        self.kernel = self.simulated(self.setup, self.moves)
        self.same_lights()

    def round(self) -> None:
        """One round of both, if there are cards for it."""
        live, kernel, counts = self.live, self.kernel, self.report.counts
        order = []
        if self.setup.cards == "stacked":
            order = self.some_cards()
            kernel.stack(order, anew=True)
        elif self.setup.cards == "picked":
            kernel.run()
            order = kernel.dealt
        elif self.setup.cards == "short":
            order = self.some_cards()[: self.rng.integers(*SHORT)]
            kernel.stack(order, anew=True, gone=1)
        gone = order[:1] if self.setup.cards == "short" else []
        events = live.round(order[len(gone) :], gone)
        happened = Counter(type(event) for event in events)
        for event in events:
            if isinstance(event, ev.ShoeShuffled):
                kernel.stack(event.order, anew=False)
        counts["came back"] += bool(happened[ev.DiscardsShuffled])
        if happened[ev.RoundVoided]:
            self.void_round(events)
            return
        if self.setup.cards != "picked":
            void = kernel.run()
            assert not void, "the engine had cards enough"
        counts["rounds"] += 1
        counts["shuffles"] += happened[ev.ShoeShuffled]
        counts["prizes"] += happened[ev.PrizeWon]
        counts["uncovered"] += any(isinstance(e, ev.WagerSettled) and e.uncovered for e in events)
        self.tell_differences(live.played(events))

    def tell_differences(self, played: Played) -> None:
        """What the kernel has different from the engine's round."""
        live = self.live
        where = f"{self.setup.name}, seats: {self.setup.seats}, round {live.state.rounds}"
        found = played.differs(self.kernel.played(live.columns))
        self.report.differences += [f"{where}: {difference}" for difference in found]

    def void_round(self, events: list[ev.Event]) -> None:
        """The kernel deals another round in a void one's place: of the same shoe here.

        So the engine plays that too. If there are no cards for it either, there is none to compare.
        Of the void round nothing counts but lights and prizes.
        """
        live, kernel, counts = self.live, self.kernel, self.report.counts
        cut = kernel.machine.cut
        assert cut is not None, "only a shoe that may be dealt out has void rounds"
        burned = cut.burn
        void = live.played(events)
        events = live.round(kernel.dealt[burned:])
        if any(isinstance(event, ev.RoundVoided) for event in events):
            counts["apart"] += 1
        else:
            assert kernel.run() == 1, "the engine's round was void"
            counts["void"] += 1
            live.used = burned
            played = live.played(events)
            for seat in range(self.setup.seats if PRIZES in live.columns else 0):
                played.net[PRIZES, seat] += void.net[PRIZES, seat]
            self.tell_differences(played)
        self.begin()

    def some_cards(self) -> list[str]:
        """Cards in any order, where some ranks and suits come early and often."""
        ranks = self.rng.exponential(size=RANKS) ** self.rng.uniform(0, STEEP)
        suits = self.rng.exponential(size=SUITS) ** self.rng.uniform(0, STEEP)
        wanted = ranks[self.numbers % RANKS] * suits[self.numbers // RANKS]
        late = self.rng.exponential(size=len(self.cards)) / wanted
        return [str(card) for card in self.cards[np.argsort(late)][:MOST_CARDS]]

    def same_lights(self) -> None:
        """The kernel's lights as they are at the live table."""
        if self.kernel.carried is not None:
            self.kernel.carried.lit[:] = self.live.lit


def compare(
    setups: Iterable[Setup], rounds: int, seed: int, simulated: type[Simulated] = Simulated
) -> Report:
    """So many rounds of every table, always the same for a seed."""
    report = Report()
    for setup in setups:
        match = Match(setup, seed, report, simulated)
        for _ in range(rounds):
            match.round()
    return report
