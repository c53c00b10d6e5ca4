"""GameTables for single lookups: plain lists instead of arrays, and what a table derives from them.

Reading one cell of a list is several times faster than one of an array, and a live table reads
cells one at a time.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from upcard.cards import Card
from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.compile.observers import Observer, ShowdownObserver
from upcard.compile.tables import GameTables
from upcard.money import BASE as BASE
from upcard.money import INSURANCE as INSURANCE
from upcard.money import rounded
from upcard.table.sign import Sign, sign_of
from upcard.table.state import Box


class Lookup:
    """One game's tables as a live table needs them."""

    def __init__(self, tables: GameTables) -> None:
        self.tables = tables
        self.plan = tables.round_plan
        self.money = tables.money
        self.deck = tuple(str(card) for card in tables.alphabet.cards)
        self.symbol = {card: tables.alphabet.symbol(Card.parse(card)) for card in self.deck}
        hands = tables.hands
        self.next: list[list[int]] = hands.next.tolist()
        self.keep: list[int] = hands.keep.tolist()
        self.trade: list[int] = hands.trade.tolist()
        self.split_to: list[int] = hands.split_to.tolist()
        self.pair: list[int] = hands.pair_symbol.tolist()
        self.total: list[int] = hands.total.tolist()
        self.soft: list[bool] = hands.soft.tolist()
        self.natural: list[bool] = hands.natural.tolist()
        self.bust: list[bool] = hands.bust.tolist()
        self.pending: list[int] = hands.pending.tolist()
        self.owed: list[bool] = hands.owed.tolist()
        self.light: list[list[int]] = hands.light.tolist()
        self.player_class: list[int] = hands.player_class.tolist()
        self.mask: list[list[list[int]]] = tables.legal.mask.tolist()
        self.after: list[list[int]] = tables.contexts.next.tolist()
        self.after_split: list[list[int]] = tables.contexts.after_split.tolist()
        self.turn = tables.contexts.index()
        dealer = tables.dealer
        self.dealer_next: list[list[int]] = dealer.next.tolist()
        self.draws: list[bool] = dealer.draws.tolist()
        self.final: list[int] = dealer.final_class.tolist()
        self.dealer_total: list[int] = dealer.total.tolist()
        self.checks: list[bool] = dealer.checks.tolist()
        self.dealer_natural: list[list[bool]] = dealer.natural.tolist()
        self.aces = [symbol.is_ace for symbol in tables.alphabet.symbols]
        self.marked = [symbol.marked for symbol in tables.alphabet.symbols]
        self.steps = self.plan.kinds
        first_in_round = next(n for n, kind in enumerate(self.steps) if kind not in _BEFORE)
        self.first_step = first_in_round
        self.card = {card: Card.parse(card) for card in self.deck}
        self.natural_class = tables.class_index.get("natural", NONE)
        self.any_class = [int(ends.argmax()) for ends in dealer.ends]
        self._depends: dict[tuple[str, int], bool] = {}
        self._settled: dict[tuple[str, int, int | None], bool] = {}

    def context(self, phase: str) -> int:
        """The context of an original hand in a phase before its turn."""
        return next(
            number
            for number, context in enumerate(self.tables.contexts.contexts)
            if context.phase == phase
        )

    @cached_property
    def sign(self) -> Sign:
        """The sign at the table, which every view shows."""
        return sign_of(self.tables)

    @cached_property
    def insuring(self) -> int:
        return self.context("insurance")

    @cached_property
    def folding(self) -> int:
        return self.context("early-surrender")

    def lights_position(self, position: int) -> int:
        """The position that lights are bound to, 0 if they are not."""
        carry = self.tables.carry
        bound = carry is not None and carry.belongs_to == "player-at-position"
        return position if bound else 0

    def most_insurance(self, box: Box) -> int:
        """The largest insurance that a box may take, in whole chips."""
        share = self.money.insurance_share
        if share is None:
            return 0
        return rounded(share * box.hands[0].stakes[0].start, self.money.chip, "down")

    def phase_context(self, phase: str, own: int) -> int:
        """The context in which a hand is asked: its own, unless the phase comes before turns."""
        if phase == "insurance":
            return self.insuring
        return self.folding if phase == "early-surrender" else own

    def actions(self, state: int, context: int, up: int) -> tuple[Action, ...]:
        mask = self.mask[state][context][up]
        return _ACTIONS[mask]

    def is_settled(self, wager: str, player_class: int, up: int | None = None) -> bool:
        key = (wager, player_class, up)
        if key not in self._settled:
            self._settled[key] = self.tables.is_settled(wager, player_class, up)
        return self._settled[key]

    def depends(self, wager: str, player_class: int) -> bool:
        """Whether the dealer completes a hand because of a wager, whatever the up card."""
        key = (wager, player_class)
        if key not in self._depends:
            self._depends[key] = self.tables.depends(wager, player_class)
        return self._depends[key]

    @cached_property
    def reachable(self) -> list[frozenset[int]]:
        """For every state of the dealer's hand the classes that it can end as."""
        found: dict[int, frozenset[int]] = {}

        def explore(state: int) -> frozenset[int]:
            if state not in found:
                found[state] = (
                    frozenset().union(
                        *(explore(after) for after in self.dealer_next[state] if after != NONE)
                    )
                    if self.draws[state]
                    else frozenset((self.final[state],))
                )
            return found[state]

        return [explore(state) for state in range(len(self.draws))]

    @cached_property
    def most_won(self) -> dict[str, Fraction]:
        """The most that one unit of a wager can win, doubles and splits included."""
        contexts = self.tables.contexts.contexts
        added = max(c.hands for c in contexts) * max(c.stake for c in contexts)
        found = {
            wager: max(map(max, payoff.odds)) * (added if payoff.per == "hand" else 1)
            for wager, payoff in self.tables.payoffs.items()
        }
        for wager, observer in self.tables.observers.items():
            found[wager] = (
                observer.wins
                if isinstance(observer, ShowdownObserver)
                else max(row.odds for row in observer.rows)
            )
        return found

    @cached_property
    def wager_order(self) -> tuple[str, ...]:
        """The order in which a box's wagers are settled with the base game."""
        known = [*self.money.order, *self.tables.payoffs, *self.tables.observers]
        after = {w for w, seen in self.tables.observers.items() if seen.settled == "after-game"}
        return tuple(wager for wager in dict.fromkeys(known) if wager not in after)

    @cached_property
    def stud_order(self) -> tuple[str, ...]:
        """The wagers of the stud round."""
        return tuple(w for w in self.tables.observers if w not in self.wager_order)

    @cached_property
    def all_wagers(self) -> tuple[str, ...]:
        return (*self.wager_order, *self.stud_order)

    def observer(self, wager: str) -> Observer:
        return self.tables.observers[wager]

    @property
    def full_shoe(self) -> tuple[str, ...]:
        return self.deck * self.tables.alphabet.decks

    def name_of(self, wager: str) -> str:
        return self.money.wagers[wager].name if wager in self.money.wagers else wager.capitalize()


_BEFORE = ("bank", "wagers")
_ACTIONS = tuple(
    tuple(action for action in Action if mask & action.bit) for mask in range(1 << len(Action))
)
