"""From a game and what is staked to the arrays of rounds that stop at decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from upcard.compile.bets import ratios_of, wagers_of
from upcard.compile.deal import Receiver
from upcard.compile.effects import Special
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables, tables_for
from upcard.envs.stepping import BOXES, LABELS, OBSERVED, Told
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.round.kernel_types import (
    ACTIONS,
    CODE_BITS,
    FACE_DEALER,
    FACE_MIDDLE,
    OF_DEALER,
    OF_MIDDLE,
    OF_PLAYER,
    ROW,
    STREAM,
    Codes,
    Ints,
    Sides,
    Stops,
)
from upcard.round.policy import Moves, OpenPlay, by_state
from upcard.round.settle import OTHER_KIND
from upcard.round.setup import TableSetup
from upcard.round.stakes import FEES, PRIZES
from upcard.text import listed

SHOES = ("fresh", "cut")


@dataclass(frozen=True)
class Setup:
    """A game with what is staked on it; the same for all environments side by side."""

    tables: GameTables
    table: TableSetup
    fees: bool
    penalty: float

    # ------------------------------------------------------------------ what the machine wants

    @cached_property
    def moves(self) -> Moves:
        """The hand automaton with every decision to be asked for."""
        return by_state(self.tables, OpenPlay(Special.ASK))

    @cached_property
    def labels(self) -> Ints:
        """What is seen of a state by itself."""
        hands = self.tables.hands
        found = [hands.total, hands.soft, hands.cards, hands.pair_symbol - NONE, hands.pending]
        return np.stack([label.astype(np.int64) for label in found], axis=1)

    @cached_property
    def faces(self) -> Ints:
        """Cards of the first deal: open ones of the dealer and in the middle, then all."""
        plan = self.tables.round_plan
        found = np.zeros(OF_MIDDLE + 1, dtype=np.int64)
        found[FACE_DEALER] = plan.dealt(Receiver.DEALER, "up")
        found[FACE_MIDDLE] = plan.dealt(Receiver.COMMUNITY, "up")
        found[OF_PLAYER], found[OF_DEALER] = map(plan.dealt, (Receiver.POSITION, Receiver.DEALER))
        found[OF_MIDDLE] = plan.dealt(Receiver.COMMUNITY)
        return found

    @property
    def dealer_draws_own_cards(self) -> bool:
        own = self.table.own_cards
        return own is not None and own.dealers

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

    @cached_property
    def paid_columns(self) -> Ints:
        """Where these stand in results."""
        return np.array([self.table.column(name) for name in self.columns], dtype=np.int64)

    @cached_property
    def deck(self) -> Codes:
        return self.table.shoe().deck

    # ------------------------------------------------------------------ room

    def stops(self, count: int) -> Stops:
        """Room for so many rounds at once."""

        def zeros(*shape: int) -> Ints:
            return np.zeros((count, *shape), dtype=np.int64)

        def codes(*shape: int) -> Codes:
            return np.zeros((count, *shape), dtype=np.uint16)

        return Stops(
            choice=zeros(),
            rows=zeros(ROW),
            decks=codes(len(self.deck)),
            streams=np.zeros((count, STREAM), dtype=np.uint64),
            ended=np.zeros(1, dtype=np.int64),
            of_round=zeros(),
            over=np.zeros(count, dtype=np.bool_),
            dealer=zeros(),
            drawn=codes(self.table.most_cards),
            seen=zeros(len(self.tables.alphabet)),
            faces=self.faces,
        )

    def told(self, count: int, *, same_step: bool) -> Told:
        """Room for what one step says; new for every step, since it is given away."""
        block = (len(self.observed), count)
        ending = block if same_step else (len(self.observed), 0)
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

    @cached_property
    def observed(self) -> tuple[str, ...]:
        """What is seen of a round, in the order of rows in which it is written."""
        return (*OBSERVED, *BOXES) if self.table.seats > 1 else OBSERVED

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many values every observation has."""
        tables = self.tables
        labels = dict(zip(LABELS, self.labels.max(axis=0).tolist(), strict=True))
        contexts = tables.contexts.contexts
        most = {
            **labels,
            "up": len(tables.dealer.shown) - 1,
            "state": len(tables.hands) - 1,
            "context": len(contexts) - 1,
            "pair": len(tables.alphabet),
            "doubles": len(tables.effects.house) - 1,
            "hand": self.table.most_hands - 1,
            "hands": self.table.most_hands,
            "insured": 1,
            "lit": 0 if tables.carry is None else len(tables.carry.next) - 1,
            "box": self.table.seats - 1,
            **{name: len(tables.alphabet) - 1 for name in BOXES[1:]},
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
    boxes = max(1, tables.round_plan.boxes)
    if boxes > 1 and tables.carry is not None:
        raise UpcardError(
            f"a player of {tables.name} has {boxes} boxes, each with lights of its own, and "
            "environments have one set of lights: this game has none yet"
        )
    if shoe not in SHOES:
        raise UpcardError(f"a shoe is {listed(SHOES)}, not {shoe!r}")
    if not penalty >= 0:
        raise UpcardError(f"a penalty is a number of base wagers from 0 on, not {penalty:g}")
    besides = wagers_of(tables, bet, ratios_of(wagers))
    base = besides.pop(BASE)
    table = TableSetup(
        tables,
        base,
        besides,
        seats=boxes,
        fresh=shoe == "fresh",
        insures=INSURANCE in tables.payoffs,
    )
    table.check()
    if fees and tables.money.fees is None:
        raise UpcardError(f"{tables.name} has no fees: leave fees=True out")
    return Setup(tables, table, fees, penalty)
