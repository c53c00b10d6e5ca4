"""Policies as arrays: what is done with every hand, in every context, against every up card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action, Context, Phase
from upcard.compile.deal import Receiver
from upcard.compile.dealers_way import DealersWay
from upcard.compile.effects import GOES_ON, Special
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import INSURANCE
from upcard.round.kernel_types import (
    Bytes,
    Chance,
    EarlyPlay,
    ExchangePlay,
    Ints,
    Play,
    Shorts,
    Walk,
    Words,
)

ROLES = 2


class Policy(Protocol):
    """Says what to do with a hand's state among legal actions.

    `Special.ANY` leaves it to chance, `Special.ASK` to whoever is asked.
    """

    @property
    def name(self) -> str: ...

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        """In the hand's turn."""

    def early(self, state: int, up: int, legal: int) -> int:
        """Before the check: keep or trade, surrender or decline."""


@dataclass(frozen=True)
class OpenPlay:
    """Every choice left open: to chance, each action as likely as any other, or to be asked for."""

    left_to: Special = Special.ANY
    name: str = "random"

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        return self.left_to

    def early(self, state: int, up: int, legal: int) -> int:
        return self.left_to


class MimicPlay:
    """The dealer's own rule: draw where the dealer would, otherwise stand; keep bonus cards."""

    name = "mimic"

    def __init__(self, tables: GameTables) -> None:
        self.way = DealersWay(tables)

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        return self.way.choose(state, legal)

    def early(self, state: int, up: int, legal: int) -> int:
        return self.way.choose(state, legal)


class ChartSpot(NamedTuple):
    """Where a chart decides: a state, how often the hand was doubled, the up card.

    With `marker` it is for hands that the house staked, which otherwise are played like all others.
    """

    state: int
    doubles: int
    up: int
    marker: bool = False


@dataclass(frozen=True)
class ChartPlay:
    """A chart: for every situation its actions, the best first; the first legal one is taken.

    `early` are those of the first decisions before the check. `twin` gives for states of split
    hands those of unsplit hands with the same cards.
    """

    name: str
    rankings: Mapping[ChartSpot, tuple[Action, ...]]
    before: Mapping[ChartSpot, tuple[Action, ...]]
    twin: Mapping[int, int] = field(default_factory=dict)
    describe: Callable[[ChartSpot], str] = str

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        for marker in (True, False) if context.marker else (False,):
            for own in (state, self.twin.get(state, state)):
                place = ChartSpot(own, context.level, up, marker)
                for action in self.rankings.get(place, ()):
                    if legal & action.bit:
                        return action
        place = ChartSpot(state, context.level, up)
        raise UpcardError(f"{self.name} does not say what to do with {self.describe(place)}")

    def early(self, state: int, up: int, legal: int) -> int:
        for action in self.before.get(ChartSpot(state, 0, up), ()):
            if legal & action.bit:
                return action
        return Action.KEEP if legal & Action.KEEP.bit else Action.DECLINE


def twins(tables: GameTables) -> dict[int, int]:
    """For the states of split hands those of hands that were never split, with the same cards."""
    hands = tables.hands
    first = hands.next[hands.start]
    waiting = [
        (int(split), int(first[hands.pair_symbol[state]]))
        for state, split in enumerate(hands.split_to)
        if split != NONE
    ]
    found: dict[int, int] = {}
    while waiting:
        split, unsplit = waiting.pop()
        if split in found:
            continue
        found[split] = unsplit
        moves = list(zip(hands.next[split].tolist(), hands.next[unsplit].tolist(), strict=True))
        moves += [(int(m[split]), int(m[unsplit])) for m in (hands.keep, hands.trade)]
        waiting += [move for move in moves if NONE not in move]
    return found


def reachable(tables: GameTables) -> dict[int, frozenset[int]]:
    """The states that hands can have, by context of their turn."""
    hands, contexts = tables.hands, tables.contexts
    mask, waits = tables.legal.mask, waiting_states(tables)
    turn = contexts.index()
    start = (hands.start, turn)
    seen = {start}
    waiting = [start]
    while waiting:
        state, context = waiting.pop()
        # A missing card comes first, whatever may be decided about those that are there.
        legal = 0 if waits[state] else int(np.bitwise_or.reduce(mask[state, context]))
        if context == turn and hands.exchanged[state] != NONE:
            exchanged = (int(hands.exchanged[state]), turn)
            waiting += [exchanged] if exchanged not in seen else []
            seen.add(exchanged)
        for move in _moves(tables, state, context, legal, decides=not waits[state]):
            if move not in seen:
                seen.add(move)
                waiting.append(move)
    found: dict[int, set[int]] = {}
    dealt = shoe_gives(tables)
    for state, context in seen:
        if dealt is None or state in dealt:
            found.setdefault(context, set()).add(state)
    return {context: frozenset(states) for context, states in found.items()}


def shoe_gives(tables: GameTables) -> frozenset[int] | None:
    """The states that cards of one shoe can make, None if a shoe has enough for any.

    A single deck has no five twos. Where cards are put away, hands are not followed so closely.
    """
    hands, alphabet = tables.hands, tables.alphabet
    counts = alphabet.counts.tolist()
    highest = int(hands.total[~hands.bust].max())
    plenty = all(n > highest // s.low for n, s in zip(counts, alphabet.symbols, strict=True))
    if plenty or max(hands.trade.max(), hands.replaced.max()) != NONE:
        return None
    none = (0,) * len(counts)
    waiting = [(hands.start, none)]
    for state, split in enumerate(hands.split_to.tolist()):
        if split != NONE:
            pair = int(hands.pair_symbol[state])
            waiting.append((split, tuple(2 * (number == pair) for number in range(len(counts)))))
    seen = set(waiting)
    while waiting:
        state, taken = waiting.pop()
        # The same cards may be another hand: aces that count low, cards from another box.
        for same in (int(hands.aces_low[state]), int(hands.exchanged[state])):
            if same != NONE and (same, taken) not in seen:
                seen.add((same, taken))
                waiting.append((same, taken))
        for symbol, after in enumerate(hands.next[state].tolist()):
            if after != NONE and taken[symbol] < counts[symbol]:
                more = (*taken[:symbol], taken[symbol] + 1, *taken[symbol + 1 :])
                if (after, more) not in seen:
                    seen.add((after, more))
                    waiting.append((after, more))
    return frozenset(state for state, _ in seen)


def _moves(
    tables: GameTables, state: int, context: int, legal: int, *, decides: bool
) -> list[tuple[int, int]]:
    """Where a hand may go from a state and context, whatever the up card."""
    hands, effects = tables.hands, tables.effects
    after = [int(card) for card in hands.next[state] if card != NONE]
    if not decides or not (legal or hands.pending[state]):
        return [(card, context) for card in after]
    # What is pending may have been decided before the check, where it is no longer legal.
    legal |= effects.exchanging if hands.pending[state] else 0
    found = []
    for action in Action:
        if not legal & action.bit or effects.ends_as[action] != GOES_ON:
            continue
        step = effects.step(state, context, action)
        if step.draws:
            coming = hands.next[step.state].tolist()
            found += [(card, step.context) for card in coming if card != NONE]
        elif step.state != NONE:
            found += [(step.state, step.context), (step.state, step.new_context)]
    return found


@dataclass(frozen=True)
class Moves:
    """A policy as the kernel wants it; `light` are lights that come with cards by themselves.

    `state` is the hand automaton's state of every node. Without departures by the count the arrays
    for them are empty.
    """

    name: str
    play: Play
    early: EarlyPlay | None
    chance: Chance | None
    light: Bytes
    state: Ints
    from_count: Bytes = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    then: Bytes = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    walk: Walk | None = None
    exchange: ExchangePlay | None = None


def by_state(tables: GameTables, policy: Policy) -> Moves:
    """The arrays of a policy that sees states alone. Every decision must be covered."""
    hands, contexts = tables.hands, tables.contexts
    ups, states = len(tables.dealer.shown), len(hands)
    # Where all see a natural nobody is asked.
    asking = np.flatnonzero(tables.dealer.ends.any(axis=1)).tolist()
    action = np.full((len(contexts), ups, states), Special.OVER, dtype=np.int8)
    waits = waiting_states(tables)
    action[:, :, waits] = Special.DRAW
    for context, found in reachable(tables).items():
        here = contexts.contexts[context]
        for state in sorted(found):
            if waits[state] or hands.bust[state]:
                continue
            for up in asking:
                legal = int(tables.legal.mask[state, context, up])
                action[context, up, state] = decide(policy, state, here, up, legal)
    left_open = bool(np.isin(action, (Special.ANY, Special.ASK)).any())
    if left_open:  # every context has a legal mask of its own
        row_of = np.stack([np.arange(len(contexts))] * ROLES)[None]
        rows = action
    else:
        row_of, rows = packed(np.stack([action] * ROLES)[None])
    early, early_mask = _early(tables, policy)
    masks = np.ascontiguousarray(tables.legal.mask.transpose(1, 2, 0))
    play = Play(
        start=hands.start,
        nodes=states,
        first_two=first_two(hands.next, hands.start),
        child=hands.next.astype(np.int32).reshape(-1),
        leads=tables.effects.leads.astype(np.int32).reshape(-1),
        pair_aces=tables.effects.pair_aces.copy(),
        ends_as=hands.player_class.astype(np.int32),
        compares=compared_classes(tables)[hands.player_class],
        settled_as=hands.settled_class.astype(np.int32),
        row_of=row_of.astype(np.uint64),
        action=rows.reshape(-1),
    )
    return Moves(
        name=policy.name,
        play=play,
        early=early,
        chance=Chance(masks.reshape(-1), early_mask.reshape(-1)) if left_open else None,
        light=hands.light.astype(np.int8).reshape(-1),
        state=np.arange(states),
        exchange=_exchange(tables, policy),
    )


def _exchange(tables: GameTables, policy: Policy) -> ExchangePlay | None:
    """What a policy that sees one hand alone does about an exchange of cards with another box."""
    if not tables.round_plan.exchanges:
        return None
    symbols, legal = len(tables.alphabet), exchange_mask(tables)
    found = np.empty((symbols,) * 5, dtype=np.int8)
    for up in range(symbols):
        for one, two in np.ndindex(symbols, symbols):
            found[up, one, two] = policy.early(tables.hands.after(one, two), up, legal)
    return exchange_play(tables, found)


def exchange_mask(tables: GameTables) -> int:
    """The answers to the question whether cards are exchanged."""
    context = tables.round_plan.step(Phase.EXCHANGE).context
    return int(np.bitwise_or.reduce(tables.legal.mask[:, context], axis=None))


def exchange_play(tables: GameTables, action: Bytes, player: Words | None = None) -> ExchangePlay:
    """What is exchanged, `action[up, first box's two, second box's two]`; boxes are then played by
    the own hand alone, or as the `player` of the other's two cards.
    """
    exchanges = np.zeros(len(Action) + len(Special), dtype=np.bool_)
    exchanges[list(tables.round_plan.step(Phase.EXCHANGE).offers)] = True
    return ExchangePlay(
        action=np.ascontiguousarray(action, dtype=np.int8).reshape(-1),
        mask=exchange_mask(tables),
        exchanges=exchanges,
        player=np.zeros(0, dtype=np.uint64) if player is None else player.reshape(-1),
    )


def compared_classes(tables: GameTables) -> npt.NDArray[np.bool_]:
    """The final classes for which the dealer's hand is completed."""
    if tables.round_plan.dealer_always_finishes:
        return np.ones(len(tables.player_classes), dtype=np.bool_)
    wagers = [wager for wager in tables.payoffs if wager != INSURANCE]
    classes = range(len(tables.player_classes))
    return np.array([any(tables.depends(w, number) for w in wagers) for number in classes])


def first_two(child: npt.NDArray[np.signedinteger[Any]], start: int) -> Shorts:
    """The nodes of the first two cards, by the symbols of both."""
    return np.asarray(child[child[start]], dtype=np.int32).reshape(-1)


def decide(policy: Policy, state: int, context: Context, up: int, legal: int) -> int:
    """A policy's action where there is a choice, and what happens by itself where there is none."""
    if legal & (legal - 1) == 0:
        return legal.bit_length() - 1 if legal else Special.OVER
    return policy.act(state, context, up, legal)


def waiting_states(tables: GameTables) -> npt.NDArray[np.bool_]:
    """States that get a card before anything is decided."""
    hands = tables.hands
    short = hands.cards < tables.round_plan.dealt(Receiver.POSITION, "up")
    return np.asarray((hands.owed | short) & ~hands.bust)


def _early(tables: GameTables, policy: Policy) -> tuple[EarlyPlay | None, npt.NDArray[np.uint16]]:
    """What is done before the check, and what may be done then."""
    hands, contexts = tables.hands, tables.contexts
    kinds = tables.round_plan.kinds
    trades, folds = Phase.TRADES in kinds, Phase.EARLY_SURRENDER in kinds
    mask = early_masks(tables)
    if not trades and not folds:
        return None, mask
    found = np.full(mask.shape, Special.OVER, dtype=np.int8)
    for up, state in np.argwhere(mask).tolist():
        legal = int(mask[up, state])
        found[up, state] = decide(_Early(policy), state, contexts.contexts[0], up, legal)
    early = EarlyPlay(
        trades=trades,
        folds=folds,
        action=found.reshape(-1),
        pending=hands.pending > 0,
        owed=hands.owed.copy(),
    )
    return early, mask


@dataclass(frozen=True)
class _Early:
    """A policy's decisions before the check, in the form of those after it."""

    policy: Policy

    @property
    def name(self) -> str:
        return self.policy.name

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        return self.policy.early(state, up, legal)

    def early(self, state: int, up: int, legal: int) -> int:
        return self.policy.early(state, up, legal)


def early_masks(tables: GameTables) -> npt.NDArray[np.uint16]:
    """Legal actions before the check, by up card and state: trades, and early surrender."""
    hands, contexts = tables.hands, tables.contexts
    mask = np.zeros((len(tables.dealer.shown), len(hands)), dtype=np.uint16)
    kinds = tables.round_plan.kinds
    if Phase.TRADES in kinds:
        own = tables.legal.mask[:, contexts.index()] & tables.effects.exchanging
        mask |= own.T
    if Phase.EARLY_SURRENDER in kinds:
        phase = [context.phase for context in contexts.contexts].index(Phase.EARLY_SURRENDER)
        folds = tables.legal.mask[:, phase]
        # A bonus card that waits is decided first: then the hand is another.
        may = ((folds & tables.effects.ending) != 0) & (mask.max(axis=0) == 0)[:, None]
        mask |= np.where(may, folds, 0).astype(np.uint16).T
    return mask


def packed(action: Bytes) -> tuple[Ints, Bytes]:
    """Rows of actions, each kept once: the number of a player's, role's and context's row, and the
    rows.
    """
    shape = action.shape[:3]
    numbers: dict[bytes, int] = {}
    row_of = np.zeros(shape, dtype=np.int64)
    rows: list[Bytes] = []
    for place in np.ndindex(*shape):
        row = np.ascontiguousarray(action[place])
        key = row.tobytes()
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append(row)
        row_of[place] = numbers[key]
    return row_of, np.stack(rows)
