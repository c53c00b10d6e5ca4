"""The game itself: what every hand is worth, the best play, and how rounds end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.dealer import Dealer
from upcard.solve.graph import HandGraph, build_graph
from upcard.solve.play import (
    ACTIONS,
    DRAW,
    NEVER,
    ON_NATURAL,
    OVER,
    SETTLED,
    backward,
    before_check,
    draw_chances,
    forward,
)
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode, SplitWeights

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]

BASE = "base"
_FEWEST = 4
_LOST = 1e-9
"""The share of rounds that may be lost to rounding; more were not played to their end."""
LARGE = 50_000
"""Shoes from which on up cards are worked on side by side."""
MOST_LIGHTS = 32
MOST_TRADES = 6
MOST_TRADES_SPLIT = 3
"""Trades that play makes use of in one hand; more of them in one hand are too rare to matter."""


@dataclass(frozen=True)
class Aim:
    """What the player plays for, in units of the base wager.

    `bet` in cents turns fixed amounts into units; `extra` are further wagers that ride on the first
    hand; `lights[n]` is what the next light is worth when the round has given n so far.
    """

    bet: int
    extra: Mapping[str, float] = field(default_factory=dict)
    lights: tuple[float, ...] = (0.0,)


@dataclass(frozen=True)
class Ends:
    """How often a hand ends how: `hands[doubles, player's class, dealer's class]`, and its lights.

    Chances, or expected numbers of hands where several hands are added up.
    """

    hands: Floats
    lights: Floats

    @property
    def expected_lights(self) -> float:
        return float(self.lights @ np.arange(len(self.lights)))


@dataclass(frozen=True)
class Split:
    """A pair split against an up card, given an empty check."""

    up: int
    node: int
    pair: int
    weights: SplitWeights
    first: Ends
    others: Ends
    worth: float
    choices: Mapping[int, tuple[Bytes, Bytes]]


@dataclass(frozen=True)
class UpCard:
    """Everything about one up card. Chances are given that it is up.

    `worth[doubles, node, action]` is what an action is worth after an empty check; `early[node]` what
    a hand of the first cards is worth before the check, and `early_choice` what is done then.
    `reach[doubles, node]` is how often a hand comes up after the check.
    `ends` counts rounds without a split, the dealer's naturals included.
    """

    up: int
    chance: float
    worth: Floats
    value: Floats
    choice: Bytes
    early: Floats
    early_choice: Bytes
    early_gain: Floats
    natural: Floats
    natural_pay: Floats
    reach: Floats
    ends: Ends
    splits: Mapping[int, Split]
    split_chance: Mapping[int, float]
    ev: float


@dataclass(frozen=True)
class Solution:
    """The play of a whole game, priced."""

    aim: Aim
    mode: Mode
    play: str
    ups: Mapping[int, UpCard]

    @property
    def ev(self) -> float:
        """The expected result of a round in base units, with everything that `aim` counts."""
        return sum(found.chance * found.ev for found in self.ups.values()) + 0.0


class Roles:
    """What a hand's results pay, for the first hand of a box and for any other."""

    def __init__(self, first: Floats, other: Floats) -> None:
        self.first = first
        self.other = other
        self.alike = bool(np.array_equal(first, other))


@dataclass(frozen=True)
class PairPlan:
    """A pair that can be split: the graph of a split hand and the shoes it meets.

    A pair that came by trades is played, once split, like the same pair without trades (`like`, that
    one's node); after the last trades that play makes use of it is split only once, and after more
    of them not at all. Such hands are rare: all this costs less than one in ten million.
    """

    node: int
    like: int
    pair: int
    graph: HandGraph
    twin: npt.NDArray[np.int32]
    contexts: tuple[int, ...]
    most_hands: Mapping[int, int]
    shoe_of: tuple[Ints, ...]


class BaseGame:
    """A game on a shoe, ready to be solved for any aim.

    >>> from upcard import tables_for
    >>> game = BaseGame(tables_for("blackjack", {"surrender": "none"}))
    >>> f"{game.solve(Aim(bet=500), mode='CDZ-').ev:.9%}"
    '-0.402870236%'
    """

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
        self.contexts = self._doubled(first)
        self.graph = self._graph(tables.hands.start, self.contexts, MOST_TRADES)
        self.pairs = tuple(self._pairs()) if Action.SPLIT in tables.actions else ()
        progress("dealer", 0.0)
        self.shoes, self.chances = self._all_shoes()
        progress("dealer", 1.0)

    def _doubled(self, context: int) -> tuple[int, ...]:
        """A context and those after each double."""
        found = [context]
        while True:
            row = self.tables.contexts.next[found[-1]]
            after = int(row[Action.DOUBLE if len(found) == 1 else Action.REDOUBLE])
            if after < 0:
                return tuple(found)
            found.append(after)

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
        return all(payoff.is_settled(row, classes) for w, payoff in payoffs if w != "insurance")

    @cached_property
    def busts_matter(self) -> bool:
        """Whether a busted hand's result may still depend on the dealer."""
        return not bool((self.settled[:, self.tables.class_index["bust"]] == SETTLED).all())

    def _pairs(self) -> Iterator[PairPlan]:
        hands, contexts = self.tables.hands, self.tables.contexts
        graphs: dict[int, tuple[HandGraph, npt.NDArray[np.int32]]] = {}
        untraded: dict[int, int] = {}
        start = self.contexts[0]
        for node, state in enumerate(self.graph.state.tolist()):
            pair = int(hands.pair_symbol[state])
            legal = self.tables.legal.mask[state, start]
            if pair < 0 or not (legal & Action.SPLIT.bit).any():
                continue
            aces = int(self.tables.alphabet.symbols[pair].is_ace)
            after = int(contexts.after_split[start, aces])
            chain = self._doubled(after)
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

    def _most_hands(
        self, state: int, context: int, aces: int, up: int, *, once: bool
    ) -> int:
        contexts = self.tables.contexts
        while not once and self.tables.legal.mask[state, context, up] & Action.SPLIT.bit:
            context = int(contexts.after_split[context, aces])
        return contexts.contexts[context].hands

    def _all_shoes(self) -> tuple[Floats, Floats]:
        """Every shoe that any hand meets, once, and the dealer's chances with it."""
        blocks = [self.graph.taken.astype(np.int64)]
        for plan in self.pairs:
            gone = self.graph.taken[plan.node].astype(np.int64)
            for number in range(splitting.removable(max(plan.most_hands.values())) + 1):
                block = plan.graph.taken + gone
                block[:, plan.pair] += number * int(self.step)
                blocks.append(block)
        rows = np.concatenate(blocks)
        key = np.zeros(len(rows), dtype=np.int64)
        for symbol in range(rows.shape[1]):
            key = key * (int(rows[:, symbol].max()) + 1) + rows[:, symbol]
        _, where, number = np.unique(key, return_index=True, return_inverse=True)
        shoes = (self.counts - rows[where]).astype(np.float64)
        ends = np.cumsum([0, *map(len, blocks)])
        parts = [number[a:b].astype(np.int64) for a, b in zip(ends, ends[1:], strict=False)]
        self.shoe_of = parts[0]
        place = 1
        pairs = []
        for plan in self.pairs:
            size = splitting.removable(max(plan.most_hands.values())) + 1
            pairs.append(replace(plan, shoe_of=tuple(parts[place : place + size])))
            place += size
        self.pairs = tuple(pairs)
        return shoes, self.dealer.chances(shoes, step=self.step)

    def pay(self, aim: Aim) -> Roles:
        """What the results of a hand pay for an aim, by doubles and classes of both sides."""
        payoff = self.tables.payoffs[BASE]
        odds = np.array(payoff.odds, dtype=np.float64)
        added = np.array(payoff.added, dtype=np.float64)
        flat = np.array(payoff.flat, dtype=np.float64) / aim.bet
        riding = np.zeros_like(odds)
        for wager, ratio in aim.extra.items():
            riding += ratio * np.array(self.tables.payoffs[wager].odds, dtype=np.float64)
        rescued = self.tables.class_index.get("rescued", -1)
        first, other = [], []
        for context in self.contexts:
            found = self.tables.contexts.contexts[context]
            staked = np.full(len(odds), float(found.stake))
            if rescued >= 0:
                staked[rescued] = found.rescue_forfeits
            first.append(odds + (staked - 1)[:, None] * added + flat + riding)
            other.append(staked[:, None] * added + flat)
        return Roles(np.array(first), np.array(other))

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
        hands = self.tables.hands
        found = hands.player_class.astype(np.int64)
        for state in range(len(found)):
            after = state
            while hands.keep[after] >= 0:
                after = int(hands.keep[after])
            found[state] = hands.player_class[after]
        return found

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
        twin: npt.NDArray[np.int32] | None = None,
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

    def solve(
        self, aim: Aim, *, mode: Mode = "CDP", progress: Progress = silent
    ) -> Solution:
        """Composition-dependent optimal play, splits in a mode."""
        roles = self.pay(aim)
        found = self.each_up(lambda up: self._solve_up(up, aim, roles, mode), "hands", progress)
        return Solution(aim, mode, "optimal", found)

    def solve_near(self, known: Solution, aim: Aim) -> Solution:
        """Optimal play for an aim, but with split hands played as in a known solution."""
        roles = self.pay(aim)

        def finish(up: int) -> UpCard:
            splits = {
                node: replace(split, worth=self.split_worth(split.first, split.others, roles, aim))
                for node, split in known.ups[up].splits.items()
            }
            return self._finish(up, aim, roles, splits)

        return Solution(aim, known.mode, known.play, self.each_up(finish, "hands", silent))

    def split_worth(self, first: Ends, others: Ends, roles: Roles, aim: Aim) -> float:
        """What a split is worth whose hands end so."""
        worth = float((first.hands * roles.first).sum() + (others.hands * roles.other).sum())
        return worth + self.light_value(first.lights, aim) + self.light_value(others.lights, aim)

    def each_up(
        self, work: Callable[[int], UpCard], part: str, progress: Progress
    ) -> dict[int, UpCard]:
        """Some work for every up card in the shoe, on two cores where the game is large."""
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

    def solve_up(self, up: int, aim: Aim, mode: Mode) -> UpCard:
        """One up card alone."""
        return self._solve_up(up, aim, self.pay(aim), mode)

    def against_natural(self, found: UpCard, node: int) -> float:
        """What the wager of a first hand is worth against a natural that the check finds."""
        row = int(self.settled_class[self.graph.state[node]])
        return float(found.natural_pay[row])

    def _solve_up(self, up: int, aim: Aim, roles: Roles, mode: Mode) -> UpCard:
        plain, _, _ = self.backward(
            self.graph, self.shoe_of, self.contexts, up, roles.first, aim
        )
        splits: dict[int, Split] = {}
        for plan in self.pairs if mode != "none" else ():
            if up in plan.most_hands and self.is_possible(plan.node, up):
                known = splits[plan.like].choices if plan.like in splits else {}
                splits[plan.node] = self.price_split(plan, up, aim, roles, mode, plain, known)
        return self._finish(up, aim, roles, splits)

    def is_possible(self, node: int, up: int) -> bool:
        """Whether the shoe holds the cards of a hand and the up card."""
        left = self.counts - self.graph.taken[node]
        return self.step == 0 or bool((left >= 0).all() and left[up] > 0)

    def _finish(
        self, up: int, aim: Aim, roles: Roles, splits: Mapping[int, Split]
    ) -> UpCard:
        split_worth = np.full(len(self.graph), NEVER)
        for node, found in splits.items():
            split_worth[node] = found.worth
        worth, value, choice = self.backward(
            self.graph, self.shoe_of, self.contexts, up, roles.first, aim, split=split_worth
        )
        return self.price(up, aim, roles, splits, worth, value, choice)

    def price(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        splits: Mapping[int, Split],
        worth: Floats,
        value: Floats,
        choice: Bytes,
        leaning: Floats | None = None,
    ) -> UpCard:
        """An up card's value under some choices, and how its rounds end."""
        early, early_choice, natural, gain = self.before_check(up, aim, roles, value, leaning)
        chance, ev, reach, ends = self._deal(up, aim, roles, early, early_choice, natural)
        played = self.forward(self.graph, self.shoe_of, up, choice, reach)
        ends = Ends(ends.hands + played.hands, ends.lights + played.lights)
        split_chance = {
            node: float(reach[0, node])
            for node in splits
            if choice[0, node] == Action.SPLIT and reach[0, node] > 0
        }
        if ends.hands.sum() + sum(split_chance.values()) < 1 - _LOST:
            raise UpcardError(
                f"the shoe of {int(self.counts.sum())} cards is too small: "
                f"it can run out before a round of {self.tables.name} is over"
            )
        return UpCard(
            up=up,
            chance=chance,
            worth=worth,
            value=value,
            choice=choice,
            early=early,
            early_choice=early_choice,
            early_gain=gain,
            natural=natural,
            natural_pay=roles.first[0, :, self.dealer.natural_class],
            reach=reach,
            ends=ends,
            splits=splits,
            split_chance=split_chance,
            ev=ev,
        )

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

    def before_check(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        value: Floats,
        leaning: Floats | None = None,
    ) -> tuple[Floats, Bytes, Floats, Floats]:
        """Values, choices and chances of a natural before the check; gains of trade or fold."""
        graph = self.graph
        early = np.zeros(len(graph))
        gain = np.zeros(len(graph))
        choice = np.full(len(graph), OVER, dtype=np.int8)
        natural = np.zeros(len(graph))
        before_check(
            graph.order,
            self.first_nodes,
            graph.state,
            graph.child,
            graph.keep,
            graph.trade,
            graph.lit,
            self.shoe_of,
            self.shoes,
            up,
            self.dealer.hidden[up],
            self.step,
            self.chances[self.dealer.group_of[up]],
            self.masks(self.contexts, up),
            self.settled_class,
            self.settled[up],
            roles.first,
            self.class_of("surrendered"),
            self.dealer.natural_class,
            self.any_class(up),
            self.may_fold(up),
            self.trades_first,
            np.array(aim.lights),
            np.empty(0) if leaning is None else leaning,
            gain,
            value,
            early,
            natural,
            choice,
        )
        return early, choice, natural, gain

    def may_fold(self, up: int) -> npt.NDArray[np.bool_]:
        """States that may be surrendered before the check."""
        phases = [context.phase for context in self.tables.contexts.contexts]
        if "early-surrender" not in phases:
            return np.zeros(len(self.tables.hands), dtype=np.bool_)
        mask = self.tables.legal.mask[:, phases.index("early-surrender"), up]
        return np.asarray((mask & Action.SURRENDER.bit) != 0)

    def deal_chances(self, up: int) -> Iterator[tuple[int, float]]:
        """First hands and their chances given the up card."""
        left = self.counts.astype(np.float64)
        left[up] -= self.step
        cards = left.sum()
        for one, two, node in self.deals:
            ways = left[one] * (left[two] - (self.step if one == two else 0.0))
            if ways > 0:
                orders = 1 if one == two else 2
                yield node, orders * ways / (cards * (cards - self.step))

    def _deal(
        self,
        up: int,
        aim: Aim,
        roles: Roles,
        early: Floats,
        choice: Bytes,
        natural: Floats,
    ) -> tuple[float, float, Floats, Ends]:
        """The up card's chance and value, hands reached in the turn, and rounds that ended."""
        graph, tables = self.graph, self.tables
        chance = self.counts[up] / self.counts.sum()
        ev = 0.0
        before = np.zeros(len(graph))
        for node, likely in self.deal_chances(up):
            before[node] += likely
            lit = sum(aim.lights[min(n, len(aim.lights) - 1)] for n in range(graph.lit[node]))
            ev += likely * (float(early[node]) + lit)
        reach = np.zeros((len(self.contexts), len(graph)))
        ends = np.zeros(roles.first.shape)
        lights = np.zeros(MOST_LIGHTS if tables.carry else 1)
        draws = np.zeros(len(self.counts))
        nothing = np.zeros(len(self.counts), dtype=np.bool_)
        for node in graph.order.tolist():
            here = before[node]
            if here == 0:
                continue
            match int(choice[node]):
                case Action.KEEP:
                    before[graph.keep[node]] += here
                case Action.TRADE:
                    before[graph.trade[node]] += here
                case self.DRAWS:
                    draw_chances(
                        self.shoes[self.shoe_of[node]], up, nothing, self.step, draws
                    )
                    for symbol, after in enumerate(graph.child[node].tolist()):
                        before[after] += here * draws[symbol]
                case Action.SURRENDER:
                    self._end(ends, node, up, here * (1 - natural[node]), "surrendered")
                    row = self.class_of("surrendered")
                    ends[0, row, self.dealer.natural_class] += here * natural[node]
                    lights[graph.lit[node] if tables.carry else 0] += here
                case _:
                    reach[0, node] += here * (1 - natural[node])
                    if natural[node] > 0:
                        row = int(self.settled_class[graph.state[node]])
                        ends[0, row, self.dealer.natural_class] += here * natural[node]
                        lights[graph.lit[node] if tables.carry else 0] += here * natural[node]
        return float(chance), ev, reach, Ends(ends, lights)

    DRAWS = DRAW

    def _end(self, ends: Floats, node: int, up: int, weight: float, name: str) -> None:
        row = self.class_of(name)
        if self.settled[up, row] == SETTLED:
            ends[0, row, self.any_class(up)] += weight
        else:
            ends[0, row] += weight * self.chances[self.dealer.group_of[up], self.shoe_of[node]]

    def price_split(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        mode: Mode,
        scores: Floats,
        known: Mapping[int, tuple[Bytes, Bytes]],
        twin: npt.NDArray[np.int32] | None = None,
    ) -> Split:
        """A split priced: hands by their kinds, weighted."""
        most = plan.most_hands[up]
        weights = splitting.split_weights(
            most, self._pair_chance(plan, up), consistent=mode == "CDP+"
        )
        doubles = len(plan.contexts)
        choices: dict[int, tuple[Bytes, Bytes]] = {}
        for policy in {term.policy for term in weights.terms}:
            if policy in known:
                choices[policy] = known[policy]
            elif mode == "CDZ-" and choices:
                choices[policy] = next(iter(choices.values()))
            else:
                follow = scores[:doubles] if mode == "CDZ-" else None
                own = plan.twin if twin is None else twin
                choices[policy] = self._split_choices(plan, up, aim, roles, policy, follow, own)
        classes = roles.first.shape[1:]
        size = MOST_LIGHTS if self.tables.carry else 1
        sums = [np.zeros((len(self.contexts), *classes)) for _ in range(2)]
        lights = [np.zeros(size) for _ in range(2)]
        for term in weights.terms:
            for role, weight in enumerate((term.first, term.others)):
                if weight == 0 or (role == 1 and roles.alike and term.first != 0):
                    continue
                shoe_of = plan.shoe_of[term.removed]
                choice = choices[term.policy][role]
                found = self._second_card(plan, up, shoe_of, choice, paired=term.paired)
                shares = ((role, weight),)
                if roles.alike:
                    shares = ((0, term.first), (1, term.others))
                for to, share in shares:
                    sums[to][:doubles] += share * found.hands
                    lights[to] += share * found.lights
        first, others = (Ends(s, n) for s, n in zip(sums, lights, strict=True))
        worth = self.split_worth(first, others, roles, aim)
        return Split(up, plan.node, plan.pair, weights, first, others, worth, choices)

    def light_value(self, lights: Floats, aim: Aim) -> float:
        """What some chances of lights are worth."""
        gained = [0.0]
        for number in range(len(lights) - 1):
            gained.append(gained[-1] + aim.lights[min(number, len(aim.lights) - 1)])
        return float(lights @ np.array(gained))

    def _split_choices(
        self,
        plan: PairPlan,
        up: int,
        aim: Aim,
        roles: Roles,
        policy: int,
        scores: Floats | None,
        twin: npt.NDArray[np.int32],
    ) -> tuple[Bytes, Bytes]:
        """Choices of the first hand and of the others when so many pair cards are gone."""
        found = []
        for pay in (roles.first,) if roles.alike else (roles.first, roles.other):
            _, _, choice = self.backward(
                plan.graph,
                plan.shoe_of[policy],
                plan.contexts,
                up,
                pay[: len(plan.contexts)],
                aim,
                scores=scores,
                twin=twin,
                record=False,
            )
            found.append(choice)
        return found[0], found[-1]

    def _second_card(
        self, plan: PairPlan, up: int, shoe_of: Ints, choice: Bytes, *, paired: bool
    ) -> Ends:
        """How a split hand ends whose second card is a pair card, or is none."""
        graph = plan.graph
        reach = np.zeros((len(plan.contexts), len(graph)))
        draws = np.zeros(len(self.counts))
        shoe = self.shoes[shoe_of[0]]
        draw_chances(shoe, up, self.dealer.hidden[up], self.step, draws)
        for symbol, after in enumerate(graph.child[0].tolist()):
            if after >= 0 and (symbol == plan.pair) == paired:
                reach[0, after] += draws[symbol]
        return self.forward(graph, shoe_of, up, choice, reach)

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


def _twins(graph: HandGraph, other: HandGraph, root: int) -> npt.NDArray[np.int32]:
    """For every node of a split hand the node of an unsplit hand with the same cards."""
    twin = np.full(len(graph), -1, dtype=np.int32)
    twin[0] = root
    for node in graph.order.tolist():
        own = int(twin[node])
        if own < 0:
            continue
        moves = [
            *zip(graph.child[node].tolist(), other.child[own].tolist(), strict=True),
            (int(graph.keep[node]), int(other.keep[own])),
            (int(graph.trade[node]), int(other.trade[own])),
        ]
        for after, twin_after in moves:
            if after >= 0 and twin_after >= 0:
                twin[after] = twin_after
    return twin
