"""What solving a game needs to know of it whatever the shoe, made once for its tables."""

from __future__ import annotations

import weakref
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.compile.chips import hand_cents
from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.compile.payoff import LooksAt, Payoff
from upcard.compile.tables import GameTables
from upcard.solve.dealer import DealerChances
from upcard.solve.dealer_terms import DealerTerms, dealer_terms
from upcard.solve.graph import moves_of
from upcard.solve.play import ON_NATURAL, SETTLED, HandRules, effect_rows
from upcard.solve.solution import INSURANCE, Bytes, Floats, Ints
from upcard.solve.split_shape import SplitShapes


def unit_pays(payoff: Payoff) -> Floats:
    """What a unit of a wager on hands wins: `[first or other, player's class, dealer's class]`.

    Where it goes by the first hand of a box alone, others win and lose nothing.
    """
    others = payoff.odds if payoff.each_begins else payoff.added
    found = np.array((payoff.odds, others), dtype=np.float64)
    if payoff.per is not LooksAt.EACH_HAND:
        found[1] = 0.0
    return found


_made: dict[int, Shoeless] = {}
"""By the identity of tables, for as long as these are there."""


def shoeless(tables: GameTables) -> Shoeless:
    """What there is to know of a game, kept from call to call."""
    found = _made.get(id(tables))
    if found is None:
        found = _made[id(tables)] = Shoeless(tables)
        weakref.finalize(tables, _made.pop, id(tables), None)
    return found


class Shoeless:
    """The rules as kernels see them. Holds parts of the tables, never the tables themselves."""

    def __init__(self, tables: GameTables) -> None:
        self.hands = tables.hands
        self.legal = tables.legal.mask
        self.ends = tables.dealer.ends
        self.payoffs = tables.payoffs
        self.bonuses = tables.bonuses
        self.classes = len(tables.player_classes)
        self.bust_class = tables.class_index["bust"]
        self.phases = [context.phase for context in tables.contexts.contexts]
        self.dealer = DealerChances(tables.dealer)
        self.rows = effect_rows(tables.effects, tables.actions, tables.hands.owed)
        self.ends_early_as = tables.effects.ends_early_as.astype(np.int32)
        self.moves = moves_of(tables)
        self.drawing, self.splitting = tables.effects.drawing, tables.effects.splitting
        self.contexts = tables.contexts.doubled(tables.contexts.index())
        self.trades_first = "trades" in tables.round_plan.kinds
        first_cards = tables.hands.cards == tables.round_plan.first_cards
        self.exchanged = np.asarray((tables.hands.pending > 0) & first_cards)
        """States of hands of the first cards that wait for what becomes of a bonus card."""
        self.is_warm = False
        """Whether advice has been given so often that nothing is needed for the first time."""
        self.rooms: dict[tuple[int, tuple[int, ...]], int] = {}
        """Room that graphs from a state on needed so far, by contexts."""
        self.split_shapes = SplitShapes()
        self._terms: dict[int, DealerTerms] = {}
        self._rules: dict[tuple[tuple[int, ...], int], HandRules] = {}
        self._draws: dict[tuple[int, ...], npt.NDArray[np.bool_]] = {}
        self._ahead: dict[int, frozenset[int]] = {}
        self._cents: dict[int, Ints] = {}
        self._pays: dict[str, Floats] = {}

    @cached_property
    def to_come(self) -> npt.NDArray[np.int16]:
        """Of hands with the same cards, those with more to come are decided before the others."""
        hands = self.hands
        to_come = np.asarray(hands.pending + (hands.replaced != NONE), dtype=np.int16)
        if not any(self.drawing & 1 << action for action in self.moves.actions.tolist()):
            return to_come
        # A hand that has doubled already, and only waits for its card, comes behind all others.
        return np.asarray(2 * to_come + ~hands.owed, dtype=np.int16)

    @cached_property
    def settled(self) -> Bytes:
        """`settled[up, player's class]`: how far a hand's result depends on the dealer."""
        found = np.zeros((len(self.ends), self.classes), dtype=np.int8)
        for up, row in np.ndindex(found.shape):
            possible = np.flatnonzero(self.ends[up]).tolist()
            drawn = [number for number in possible if number != self.dealer.natural_class]
            # Nothing is possible any more where all see a natural: nobody plays then.
            if not possible or self._alike(row, possible):
                found[up, row] = SETTLED
            elif self._alike(row, drawn):
                found[up, row] = ON_NATURAL
        return found

    def _alike(self, row: int, classes: list[int]) -> bool:
        """Whether a final class fares alike against some of the dealer's, in all wagers; so must
        all that suits and doubles make of it.
        """
        payoffs = [payoff for wager, payoff in self.payoffs.items() if wager != INSURANCE]
        rows = {row}
        if self.bonuses is not None:
            rows |= {*self.bonuses.refined[row].tolist(), int(self.bonuses.doubled[row])}
        return all(payoff.is_settled(one, classes) for payoff in payoffs for one in rows)

    def busts_matter(self, up: int | None) -> bool:
        """Whether a busted hand's result may still depend on the dealer; with any up card, if none
        is given.
        """
        found = self.settled[:, self.bust_class]
        return bool((found != SETTLED).any() if up is None else found[up] != SETTLED)

    @cached_property
    def player_class(self) -> Ints:
        return self.hands.player_class.astype(np.int64)

    @cached_property
    def settled_class(self) -> Ints:
        """The class of every state if the hands end at once, pending cards being kept."""
        return self.hands.settled_class.astype(np.int64)

    @cached_property
    def any_class(self) -> list[int]:
        """By up card a class that the dealer may end as."""
        return [int(row.argmax()) for row in self.ends]

    def draws(self, contexts: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """States in which a card may come."""
        if contexts not in self._draws:
            mask = np.bitwise_or.reduce(self.legal[:, list(contexts), :], axis=2)
            found = ((mask & self.drawing) != 0).any(axis=1) | (mask == 0).any(axis=1)
            self._draws[contexts] = np.asarray(found)
        return self._draws[contexts]

    def rules(self, contexts: tuple[int, ...], up: int) -> HandRules:
        """The rules of hands in some contexts, without splitting and what comes before the turn."""
        if (contexts, up) not in self._rules:
            mask = self.legal[:, list(contexts), up].astype(np.int64)
            may = np.ascontiguousarray(mask & ~np.int64(self.splitting))
            self._rules[contexts, up] = HandRules(
                rows=self.rows,
                mask=may,
                options=self._options(may, mask[:, 0] & self.splitting),
                drawing=self._drawing(may),
                player_class=self.player_class,
                bust=self.hands.bust,
                bust_class=self.bust_class,
                light=self.hands.light,
            )
        return self._rules[contexts, up]

    def _options(self, mask: Ints, splits: Ints) -> Bytes:
        """The actions of a mask in their order, and splits of hands that were not doubled."""
        used = self.rows.used
        may = (mask[..., None] >> used & 1).astype(np.bool_)
        may[:, 0] |= (splits[:, None] >> used & 1).astype(np.bool_)
        first = np.argsort(~may, axis=-1, kind="stable")
        found = np.where(np.take_along_axis(may, first, axis=-1), used[first], NONE)
        end = np.full((*mask.shape, 1), NONE)
        return np.concatenate([found, end], axis=-1).astype(np.int8)

    def _drawing(self, mask: Ints) -> Ints:
        """By state and doubles, with how many doubles a card may come next."""
        own = np.int64(1) << np.arange(mask.shape[1])
        found = np.where(mask == 0, own, 0)
        for action in self.rows.used.tolist():
            if self.rows.draws[action]:
                found |= np.where(mask >> action & 1, own << self.rows.raises[action], 0)
        return found

    def dealer_terms(self, up: int) -> DealerTerms:
        """The dealer's hands with an up card, a group, as sums of products."""
        if up not in self._terms:
            self._terms[up] = dealer_terms(self.dealer.parted(up), up)
        return self._terms[up]

    def pairs_ahead(self, state: int) -> frozenset[int]:
        """The pairs that a hand in a state is or can become."""
        if state not in self._ahead:
            seen, waiting = {state}, [state]
            while waiting:
                own = waiting.pop()
                after = {*self.hands.next[own].tolist()}
                after |= {*self.moves.leads[self.moves.actions, own].tolist()}
                fresh = {found for found in after if found >= 0} - seen
                seen |= fresh
                waiting += fresh
            pairs = self.hands.pair_symbol[list(seen)].tolist()
            self._ahead[state] = frozenset(pair for pair in pairs if pair >= 0)
        return self._ahead[state]

    def early_ends(self, up: int) -> Ints:
        """By state the mask of actions that end the hand before the check."""
        ending = sum(a.bit for a in Action if self.rows.ends_as[a] >= 0)
        return self.offered(Phase.EARLY_SURRENDER, up) & ending

    def offered(self, phase: Phase, up: int) -> Ints:
        """By state the mask of actions in a phase before the turn."""
        if phase not in self.phases:
            return np.zeros(len(self.hands), dtype=np.int64)
        return self.legal[:, self.phases.index(phase), up].astype(np.int64)

    def cents(self, tables: GameTables, bet: int) -> Ints:
        """Net cents of a hand: `[first or other, flat, doubles, player's class, dealer's class]`.

        `flat` is 1 with fixed amounts, 0 without; see `hand_cents`.
        """
        if bet not in self._cents:
            self._cents[bet] = hand_cents(tables, bet)
        return self._cents[bet]

    def mixed(self, pay: Floats, *, endless: bool) -> Floats:
        """`pay[..., doubles, class, dealer's class]` of hands of which only the ranks are known."""
        if self.bonuses is None:
            return pay
        return self.bonuses.mix(pay.shape[-3], endless=endless) @ pay

    def spread(self, ends: Floats, *, endless: bool) -> Floats:
        """How often hands end as what, `ends[..., doubles, class, dealer's class]`, where only
        their ranks are told apart: the same with their suits, and doubled hands as such.
        """
        if self.bonuses is None:
            return ends
        return self.bonuses.mix(ends.shape[-3], endless=endless).swapaxes(1, 2) @ ends

    def pays(self, wager: str) -> Floats:
        """What a unit of a wager on hands wins, of the first and of others, by classes."""
        if wager not in self._pays:
            self._pays[wager] = unit_pays(self.payoffs[wager])
        return self._pays[wager]
