"""What solving a game stands on: its hands, its shoes, and the dealer's chances with each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from upcard.compile.chips import hand_cents
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.dealer import LARGE, Dealer
from upcard.solve.graph import HandGraph, build_graph, pair_up
from upcard.solve.parts import (
    INSURANCE,
    Aim,
    Bytes,
    Ends,
    Floats,
    Ints,
    PairPlan,
    Roles,
    Shorts,
    UpCard,
)
from upcard.solve.play import ACTIONS, NEVER, ON_NATURAL, SETTLED, backward, forward
from upcard.solve.result import Progress, silent

MOST_LIGHTS = 32
MOST_TRADES = 6
MOST_TRADES_SPLIT = 3
"""Trades that play makes use of in one hand; more of them in one hand are too rare to matter."""
_FEWEST = 4


class Ground:
    """A game on a shoe: graphs of hands, and how the dealer fares with each shoe they leave."""

    def __init__(
        self,
        tables: GameTables,
        *,
        removed: Sequence[int] = (),
        counts: Sequence[int] | None = None,
        endless: bool = False,
        progress: Progress = silent,
    ) -> None:
        self.tables = tables
        self._cents: dict[int, Ints] = {}
        self.step = 0.0 if endless else 1.0
        full = np.array(tables.alphabet.counts if counts is None else counts, dtype=np.int64)
        for symbol in removed:
            full[symbol] -= 1
        self.counts = full
        if full.min() < 0 or full.sum() < _FEWEST:
            raise UpcardError(
                f"a shoe of {max(0, int(full.sum()))} cards is too small for a round "
                f"of {tables.name}"
            )
        self.dealer = Dealer(tables)
        contexts = tables.contexts
        first = contexts.index()
        self.contexts = contexts.doubled(first)
        self.graph = self._graph(tables.hands.start, self.contexts, MOST_TRADES)
        self.pairs = tuple(self._pairs()) if Action.SPLIT in tables.actions else ()
        progress("dealer", 0.0)
        self.shoes, self.chances = self._all_shoes()
        progress("dealer", 1.0)

    def _graph(self, root: int, contexts: tuple[int, ...], most_lights: int) -> HandGraph:
        mask = np.bitwise_or.reduce(self.tables.legal.mask[:, list(contexts), :], axis=2)
        takes = Action.HIT.bit | Action.DOUBLE.bit | Action.REDOUBLE.bit
        draws = ((mask & takes) != 0).any(axis=1) | (mask == 0).any(axis=1)
        return build_graph(
            self.tables,
            root,
            counts=self.counts,
            draws=np.asarray(draws),
            endless=self.step == 0,
            keep_busts=self.busts_matter,
            most_lights=most_lights,
        )

    @cached_property
    def settled(self) -> Bytes:
        """`settled[up, player's class]`: how far a hand's result depends on the dealer."""
        ends = self.tables.dealer.ends
        found = np.zeros((len(ends), len(self.tables.player_classes)), dtype=np.int8)
        for up, row in np.ndindex(found.shape):
            classes = np.flatnonzero(ends[up]).tolist()
            drawn = [number for number in classes if number != self.dealer.natural_class]
            if self._alike(row, classes):
                found[up, row] = SETTLED
            elif self._alike(row, drawn):
                found[up, row] = ON_NATURAL
        return found

    def _alike(self, row: int, classes: list[int]) -> bool:
        """Whether a final class fares alike against some of the dealer's, in all wagers."""
        payoffs = self.tables.payoffs.items()
        return all(payoff.is_settled(row, classes) for w, payoff in payoffs if w != INSURANCE)

    @cached_property
    def busts_matter(self) -> bool:
        """Whether a busted hand's result may still depend on the dealer."""
        return not bool((self.settled[:, self.tables.class_index["bust"]] == SETTLED).all())

    def _pairs(self) -> Iterator[PairPlan]:
        hands, contexts = self.tables.hands, self.tables.contexts
        graphs: dict[int, tuple[HandGraph, Shorts]] = {}
        untraded: dict[int, int] = {}
        start = self.contexts[0]
        for node, state in enumerate(self.graph.state.tolist()):
            pair = int(hands.pair_symbol[state])
            legal = self.tables.legal.mask[state, start]
            if pair < 0 or not (legal & Action.SPLIT.bit).any():
                continue
            aces = int(self.tables.alphabet.symbols[pair].is_ace)
            after = int(contexts.after_split[start, aces])
            chain = self.tables.contexts.doubled(after)
            if pair not in graphs:
                graph = self._graph(int(hands.split_to[state]), chain, MOST_TRADES_SPLIT)
                graphs[pair] = graph, _twins(graph, self.graph, self.graph.find(pair))
            graph, twin = graphs[pair]
            again = int(hands.next[graph.state[0], pair])
            trades = int(self.graph.lit[node]) if self.by_trade else 0
            if trades > MOST_TRADES_SPLIT:
                continue
            like = node if trades == 0 else untraded.setdefault(pair, node)
            untraded.setdefault(pair, node)
            most = {
                up: self._most_hands(again, after, aces, up, once=trades == MOST_TRADES_SPLIT)
                for up in range(len(self.counts))
                if legal[up] & Action.SPLIT.bit
            }
            yield PairPlan(node, like, pair, graph, twin, chain, most, ())

    @property
    def by_trade(self) -> bool:
        """Whether lights come by trading."""
        return self.tables.carry is not None and self.tables.carry.by_trade

    def _most_hands(self, state: int, context: int, aces: int, up: int, *, once: bool) -> int:
        contexts = self.tables.contexts
        while not once and self.tables.legal.mask[state, context, up] & Action.SPLIT.bit:
            context = int(contexts.after_split[context, aces])
        return contexts.contexts[context].hands

    def _all_shoes(self) -> tuple[Floats, Floats]:
        """Every shoe that any hand meets, once, and the dealer's chances with it."""
        blocks = [self.graph.taken]
        sizes = [splitting.removable(max(plan.most_hands.values())) + 1 for plan in self.pairs]
        for plan, size in zip(self.pairs, sizes, strict=True):
            for number in range(size):
                block = plan.graph.taken + self.graph.taken[plan.node]
                block[:, plan.pair] += number * int(self.step)
                blocks.append(block)
        rows = np.concatenate(blocks)
        key = np.zeros(len(rows), dtype=np.int64)
        for symbol in range(rows.shape[1]):
            key = key * (int(rows[:, symbol].max()) + 1) + rows[:, symbol]
        _, where, numbers = np.unique(key, return_index=True, return_inverse=True)
        shoes = (self.counts - rows[where]).astype(np.float64)
        ends = np.cumsum([0, *map(len, blocks)]).tolist()
        parts = [numbers[begin:end].astype(np.int64) for begin, end in pairwise(ends)]
        self.shoe_of = parts[0]
        places = np.cumsum([1, *sizes]).tolist()
        self.pairs = tuple(
            replace(plan, shoe_of=tuple(parts[begin:end]))
            for plan, (begin, end) in zip(self.pairs, pairwise(places), strict=True)
        )
        return shoes, self.dealer.chances(shoes, step=self.step)

    def pay(self, aim: Aim) -> Roles:
        """What the results of a hand pay for an aim, by doubles and classes of both sides."""
        first, other = self.cents(aim.bet)[:, 1] / aim.bet
        for wager, ratio in aim.extra.items():
            first = first + ratio * np.array(self.tables.payoffs[wager].odds, dtype=np.float64)
        return Roles(first, other)

    def cents(self, bet: int) -> Ints:
        """Net cents of a hand: `[first or other, flat, doubles, player's class, dealer's class]`.

        `flat` is 1 with fixed amounts, 0 without.
        """
        if bet not in self._cents:
            self._cents[bet] = hand_cents(self.tables, bet)
        return self._cents[bet]

    def alike(self, roles: Roles, up: int) -> bool:
        """Whether the first hand of a split is paid like the others, whatever can still come."""
        possible = self.tables.dealer.ends[up]
        return bool(np.array_equal(roles.first[..., possible], roles.other[..., possible]))

    def masks(self, contexts: tuple[int, ...], up: int) -> Ints:
        """Legal actions by state and doubles, without splitting and what comes before the turn."""
        mask = self.tables.legal.mask[:, list(contexts), up].astype(np.int64)
        return np.asarray(mask & ~np.int64(Action.SPLIT.bit))

    def any_class(self, up: int) -> int:
        return int(self.tables.dealer.ends[up].argmax())

    def class_of(self, name: str) -> int:
        return self.tables.class_index.get(name, 0)

    @cached_property
    def player_class(self) -> Ints:
        return self.tables.hands.player_class.astype(np.int64)

    @cached_property
    def settled_class(self) -> Ints:
        """The class of every state if the hands end at once, pending cards being kept."""
        return self.tables.hands.settled_class.astype(np.int64)

    def backward(
        self,
        graph: HandGraph,
        shoe_of: Ints,
        contexts: tuple[int, ...],
        up: int,
        pay: Floats,
        aim: Aim,
        *,
        split: Floats | None = None,
        scores: Floats | None = None,
        twin: Shorts | None = None,
        record: bool = True,
    ) -> tuple[Floats, Floats, Bytes]:
        """What actions are worth (if recorded), what hands are worth, and the choices."""
        doubles, nodes = len(contexts), len(graph)
        worth = np.empty((doubles, nodes if record else 0, ACTIONS))
        value = np.zeros((nodes, doubles))
        choice = np.zeros((doubles, nodes), dtype=np.int8)
        hands = self.tables.hands
        backward(
            graph.order,
            graph.state,
            graph.child,
            graph.keep,
            graph.trade,
            graph.lit,
            hands.light,
            shoe_of,
            self.shoes,
            up,
            self.dealer.hidden[up],
            self.step,
            self.chances[self.dealer.group_of[up]],
            self.masks(contexts, up),
            self.player_class,
            hands.bust,
            self.settled[up],
            pay,
            self.class_of("surrendered"),
            self.class_of("rescued"),
            self.class_of("bust"),
            self.any_class(up),
            self.dealer.natural_class,
            np.array(aim.lights),
            np.full(nodes, NEVER) if split is None else split,
            np.empty((doubles, 0, ACTIONS)) if scores is None else scores,
            np.empty(0, dtype=np.int32) if twin is None else twin,
            worth,
            value,
            choice,
        )
        return worth, value, choice

    def forward(
        self, graph: HandGraph, shoe_of: Ints, up: int, choice: Bytes, reach: Floats
    ) -> Ends:
        """How hands end that are reached so often."""
        classes = len(self.tables.player_classes)
        ends = np.zeros((len(reach), classes, len(self.tables.dealer.classes)))
        lights = np.zeros(MOST_LIGHTS if self.tables.carry else 1)
        forward(
            graph.order,
            graph.state,
            graph.child,
            graph.keep,
            graph.trade,
            graph.lit,
            shoe_of,
            self.shoes,
            up,
            self.dealer.hidden[up],
            self.step,
            self.chances[self.dealer.group_of[up]],
            self.player_class,
            self.settled[up],
            self.class_of("surrendered"),
            self.class_of("rescued"),
            self.class_of("bust"),
            self.any_class(up),
            self.dealer.natural_class,
            choice,
            reach,
            ends,
            lights,
        )
        return Ends(ends, lights)

    def each_up(
        self, work: Callable[[int], UpCard], part: str, progress: Progress
    ) -> dict[int, UpCard]:
        """Some work for every up card in the shoe, on all cores where the game is large."""
        ups = [up for up in range(len(self.counts)) if self.counts[up] > 0]
        found: dict[int, UpCard] = {}
        progress(part, 0.0)
        if len(self.shoes) < LARGE:
            for up in ups:
                found[up] = work(up)
                progress(part, len(found) / len(ups))
            return found
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for up, result in zip(ups, pool.map(work, ups), strict=True):
                found[up] = result
                progress(part, len(found) / len(ups))
        return found

    def is_possible(self, node: int, up: int) -> bool:
        """Whether the shoe holds the cards of a hand and the up card."""
        left = self.counts - self.graph.taken[node]
        return self.step == 0 or bool((left >= 0).all() and left[up] > 0)

    @cached_property
    def trades_first(self) -> bool:
        """Whether bonus cards of the first two are decided before the check."""
        return "trades" in self.tables.round_plan.kinds

    @cached_property
    def first_nodes(self) -> npt.NDArray[np.bool_]:
        """The hands of the first cards, with all that trading makes of them before the check."""
        found = np.zeros(len(self.graph), dtype=np.bool_)
        waiting = [node for _, _, node in self.deals]
        while waiting:
            node = waiting.pop()
            if node < 0 or found[node]:
                continue
            found[node] = True
            if self.trades_first:
                waiting += [int(self.graph.keep[node]), int(self.graph.trade[node])]
                if self.tables.hands.owed[self.graph.state[node]]:
                    waiting += self.graph.child[node].tolist()
        return found

    @cached_property
    def deals(self) -> tuple[tuple[int, int, int], ...]:
        """First two cards, the lower symbol first, and their node."""
        symbols = range(len(self.counts))
        found = []
        for one in symbols:
            for two in symbols[one:]:
                if self.graph.child[0, one] >= 0:
                    node = int(self.graph.child[self.graph.child[0, one], two])
                    if node >= 0:
                        found.append((one, two, node))
        return tuple(found)

    def may_fold(self, up: int) -> npt.NDArray[np.bool_]:
        """States that may be surrendered before the check."""
        return self.may("early-surrender", Action.SURRENDER, up)

    def may(self, phase: str, action: Action, up: int) -> npt.NDArray[np.bool_]:
        """States that may take an action in a phase before the turn."""
        phases = [context.phase for context in self.tables.contexts.contexts]
        if phase not in phases:
            return np.zeros(len(self.tables.hands), dtype=np.bool_)
        mask = self.tables.legal.mask[:, phases.index(phase), up]
        return np.asarray((mask & action.bit) != 0)

    def deal_chances(self, up: int) -> Iterator[tuple[int, int, int, float]]:
        """First two cards, their node, and their chance given the up card."""
        left = self.counts.astype(np.float64)
        left[up] -= self.step
        cards = left.sum()
        for one, two, node in self.deals:
            ways = left[one] * (left[two] - (self.step if one == two else 0.0))
            if ways > 0:
                orders = 1 if one == two else 2
                yield one, two, node, orders * ways / (cards * (cards - self.step))

    def light_value(self, lights: Floats, aim: Aim) -> float:
        """What some chances of lights are worth."""
        gained = [0.0]
        for number in range(len(lights) - 1):
            gained.append(gained[-1] + aim.lights[min(number, len(aim.lights) - 1)])
        return float(lights @ np.array(gained))

    def _pair_chance(self, plan: PairPlan, up: int) -> splitting.PairChance:
        left = self.counts - self.graph.taken[plan.node].astype(np.float64)
        left[up] -= self.step
        hidden = self.dealer.hidden[up]
        return splitting.pair_chance(
            float(left[plan.pair]),
            float(left.sum()),
            float(left[hidden].sum()),
            paired_outside=bool(hidden[plan.pair]),
            step=self.step,
        )


def _twins(graph: HandGraph, other: HandGraph, root: int) -> Shorts:
    """For every node of a split hand the node of an unsplit hand with the same cards."""
    twin = np.full(len(graph), -1, dtype=np.int32)
    twin[0] = root
    pair_up(
        graph.order,
        graph.child,
        graph.keep,
        graph.trade,
        other.child,
        other.keep,
        other.trade,
        twin,
    )
    return twin
