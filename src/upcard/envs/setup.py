"""From a game and what is staked to the arrays of the stepping kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.compile.bets import MOST_RATIO, wagers_of
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables, tables_for
from upcard.envs.bundles import (
    LABELS,
    OBSERVED,
    ROW,
    STREAM,
    Before,
    Envs,
    Game,
    Layout,
    Lights,
    Paid,
    Told,
)
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.simulate.bundles import ACTIONS, CODE_BITS, Codes, Cut, Ints, Kept, Sides
from upcard.simulate.claims import MATCH_KIND, OTHER_KIND, POKER_KIND, SHOWDOWN_KIND
from upcard.simulate.policy import Moves, RandomPlay, by_state
from upcard.simulate.stakes import FEES, PRIZES
from upcard.simulate.table import Table
from upcard.text import listed

SHOES = ("fresh", "cut")
SPARE = 4
"""Room for bonus cards that wait in a hand: they are in no total yet."""


@dataclass(frozen=True)
class Setup:
    """A game with what is staked on it; the same for all environments side by side."""

    tables: GameTables
    table: Table
    fees: bool
    penalty: float

    # ------------------------------------------------------------------ bundles

    @cached_property
    def moves(self) -> Moves:
        """The hand automaton with every decision left open."""
        return by_state(self.tables, RandomPlay())

    @cached_property
    def game(self) -> Game:
        rules, play, stakes = self.table.rules, self.moves.play, self.table.stakes
        return Game(
            symbols=rules.symbols,
            nodes=play.nodes,
            start=play.start,
            turn=rules.turn,
            child=play.child,
            keep=play.keep,
            trade=play.trade,
            split_to=play.split_to,
            pair_aces=play.pair_aces,
            ends_as=play.ends_as,
            settled_as=play.settled_as,
            action=play.action,
            context_next=rules.context_next,
            split_context=rules.split_context.astype(np.int64),
            surrendered=rules.surrendered,
            rescued=rules.rescued,
            dealer_next=rules.dealer_next,
            begin=rules.begin,
            found=rules.found,
            natural_class=rules.natural_class,
            any_class=rules.any_class,
            compares=rules.compares,
            most_doubles=stakes.most_doubles,
            classes=stakes.classes,
            ends=stakes.ends,
            pays=stakes.pays,
            flat=stakes.flat,
            flat_once=stakes.flat_once,
        )

    @cached_property
    def before(self) -> Before:
        tables, moves, table = self.tables, self.moves, self.table
        chance, early, insurance = moves.chance, moves.early, table.insurance()
        assert chance is not None, "every game leaves something to decide"
        hands = tables.hands
        labels = [hands.total, hands.soft, hands.cards, hands.pair_symbol - NONE, hands.pending]
        offered = np.zeros(len(tables.alphabet), dtype=np.bool_)
        pays = np.zeros(0, dtype=np.int64)
        if insurance is not None:
            pays = insurance.pays[0].copy()
            offered = insurance.offered
        return Before(
            trades=early is not None and early.trades,
            folds=early is not None and early.folds,
            pending=hands.pending > 0,
            owed=hands.owed.copy(),
            early=chance.early_mask,
            offered=offered,
            pays=pays,
            mask=chance.mask,
            labels=np.stack([label.astype(np.int64) for label in labels], axis=1),
            marked=np.array([symbol.marked for symbol in tables.alphabet.symbols]),
        )

    @cached_property
    def lights(self) -> Lights:
        carried = self.table.carried(self.moves.light)
        if carried is None:
            nothing = np.zeros(1, dtype=np.int64)
            return Lights(
                on=False,
                column=-1,
                next=nothing,
                prize=nothing.copy(),
                surplus_counts=False,
                light=np.zeros(1, dtype=np.int8),
            )
        return Lights(
            on=True,
            column=carried.column,
            next=carried.next,
            prize=carried.prize,
            surplus_counts=carried.surplus_counts,
            light=carried.light,
        )

    @cached_property
    def layout(self) -> Layout:
        plan = self.tables.round_plan
        to = [part.to for part in plan.passes]
        return Layout(
            room=len(self.table.here().cards),
            most=self.table.rules.most,
            deal_to=self.table.rules.deal_to.astype(np.int64),
            first_up=sum(p.to == "position" and p.face == "up" for p in plan.passes),
            own=to.count("position"),
            dealer=to.count("dealer"),
            dealer_up=sum(p.to == "dealer" and p.face == "up" for p in plan.passes),
            community=to.count("community"),
            community_seen=plan.community_seen,
            own_cards=plan.hit_cards.startswith("own-cards"),
            dealer_own_cards=plan.dealer_draws_from == "own-cards",
        )

    @cached_property
    def cut(self) -> Cut:
        return self.table.cut() or Cut(at=0, burn=0, shuffles=True)

    @cached_property
    def sides(self) -> Sides | None:
        """Wagers besides the base that are made, None without any."""
        table = self.table
        found = table.sides
        if found is None:
            return None
        made = np.array([name in self.columns for name in table.columns])
        kind = np.where(made, found.kind, OTHER_KIND)
        if (kind == OTHER_KIND).all():
            return None
        return found._replace(kind=kind, lost_when_over=found.lost_when_over & made)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column with money in it: wagers, prizes, and fees if they count."""
        table = self.table
        own = {BASE, INSURANCE, PRIZES, *table.besides} | ({FEES} if self.fees else set())
        return tuple(name for name in table.columns if name in own)

    def paid(self, count: int, kept: Kept | None) -> Paid:
        """What is paid, with room for so many rounds; `kept` is where other wagers look."""
        table, sides = self.table, self.sides
        columns = [table.column(name) for name in self.columns]
        on_cards = (MATCH_KIND, POKER_KIND, SHOWDOWN_KIND)

        def zeros(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int64)

        hands = table.most_hands
        return Paid(
            columns=np.array(columns, dtype=np.int64),
            unit=table.unit,
            bet=table.bet,
            penalty=float(self.penalty),
            keeps_cards=sides is not None and bool(np.isin(sides.kind, on_cards).any()),
            rounds=zeros(1),
            of_round=zeros(count),
            result=zeros(count),
            hands=zeros(count) if kept is None else kept.hands,
            final=zeros(count * hands) if kept is None else kept.final,
            doubles=zeros(count * hands) if kept is None else kept.doubles,
            cards=np.zeros(0, dtype=np.uint64) if kept is None else kept.cards,
            net=zeros(len(table.columns), count),
            level=zeros(count),
        )

    @cached_property
    def deck(self) -> Codes:
        return self.table.shoe().deck

    # ------------------------------------------------------------------ room

    @cached_property
    def most_cards(self) -> int:
        """The most cards that a hand can have."""
        tables = self.tables
        lowest = min(symbol.low for symbol in tables.alphabet.symbols)
        return int(tables.hands.total[~tables.hands.bust].max()) // lowest + 1 + SPARE

    def envs(self, count: int) -> Envs:
        """Room for so many rounds at once."""

        def zeros(*shape: int) -> Ints:
            return np.zeros((count, *shape), dtype=np.int64)

        def codes(*shape: int) -> npt.NDArray[np.uint16]:
            return np.zeros((count, *shape), dtype=np.uint16)

        hands, most = self.table.most_hands, self.most_cards
        return Envs(
            decks=codes(len(self.deck)),
            streams=np.zeros((count, STREAM), dtype=np.uint64),
            rows=zeros(ROW),
            final=zeros(hands),
            doubled=zeros(hands),
            cards=np.zeros(count * self.layout.room, dtype=np.uint64),
            lit=zeros(),
            prized=np.zeros(count, dtype=np.bool_),
            held=codes(hands, most),
            holds=zeros(hands),
            drawn=codes(most),
            seen=zeros(len(self.tables.alphabet)),
            keys=np.zeros(16, dtype=np.int64),
        )

    def told(self, count: int, *, same_step: bool) -> Told:
        """Room for what one step says; new for every step, since it is given away."""
        block = (len(OBSERVED), count)
        ending = block if same_step else (len(OBSERVED), 0)
        return Told(
            seen_by=np.empty(block, dtype=np.int64),
            ending=np.zeros(ending, dtype=np.int64),
            masks=np.empty((count, ACTIONS), dtype=np.int8),
            rewards=np.zeros(count),
            ended=np.zeros(count, dtype=np.bool_),
            illegal=np.zeros(count, dtype=np.bool_),
            net=np.zeros((len(self.columns), count), dtype=np.int64),
            dealer=np.full(count, -1, dtype=np.int64),
        )

    def card(self, code: int) -> int:
        """The number of the card behind a code of the kernel."""
        return int(code) >> CODE_BITS

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many values every observation has."""
        tables = self.tables
        labels = dict(zip(LABELS, self.before.labels.max(axis=0).tolist(), strict=True))
        contexts = tables.contexts.contexts
        most = {
            **labels,
            "up": len(tables.alphabet) - 1,
            "state": len(tables.hands) - 1,
            "context": len(contexts) - 1,
            "pair": len(tables.alphabet),
            "doubles": max(context.doubles for context in contexts),
            "hand": self.table.most_hands - 1,
            "hands": self.table.most_hands,
            "insured": 1,
            "lit": 0 if tables.carry is None else len(tables.carry.next) - 1,
        }
        return {name: value + 1 for name, value in most.items()}


def set_up(
    game: str | GameTables,
    settings: Mapping[str, str] | None,
    bet: int | None,
    wagers: Mapping[str, float | str | Fraction] | None,
    *,
    fees: bool,
    shoe: str,
    penalty: float,
) -> Setup:
    """Check what is asked for, and compile it."""
    if isinstance(game, GameTables):
        if settings:
            raise UpcardError("settings go with the name of a game, not with compiled tables")
        tables = game
    else:
        tables = tables_for(game, settings)
    if shoe not in SHOES:
        raise UpcardError(f"a shoe is {listed(SHOES)}, not {shoe!r}")
    if not penalty >= 0:
        raise UpcardError(f"a penalty is a number of base wagers from 0 on, not {penalty:g}")
    ratios = {name: _ratio(name, ratio) for name, ratio in (wagers or {}).items()}
    besides = wagers_of(tables, bet, ratios)
    base = besides.pop(BASE)
    table = Table(tables, base, besides, fresh=shoe == "fresh", insures=INSURANCE in tables.payoffs)
    table.check()
    if fees and tables.money.fees is None:
        raise UpcardError(f"{tables.name} has no fees: leave fees=True out")
    return Setup(tables, table, fees, penalty)


def _ratio(name: str, ratio: float | str | Fraction) -> float:
    """A side wager in base wagers, also as a text such as 1/2."""
    try:
        found = float(Fraction(str(ratio)))
    except (ValueError, OverflowError, ZeroDivisionError):
        found = math.nan
    if not 0 < found < MOST_RATIO:
        raise UpcardError(f"{name}={ratio}: a side wager is a share of the base wager, such as 1/2")
    return found
