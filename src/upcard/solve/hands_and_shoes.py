"""What solving a game stands on: its hands, its shoes, and the dealer's chances with each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.compile.prizes import prize_cents
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve import split as splitting
from upcard.solve.graph import HandGraph, build_graph, mark_traded, pair_up
from upcard.solve.play import (
    ACTIONS,
    NEVER,
    Facing,
    HandRules,
    Pays,
    SolvedHands,
    forward,
)
from upcard.solve.result import Progress, silent
from upcard.solve.shoe_keys import ShoeKeys
from upcard.solve.shoeless import shoeless
from upcard.solve.shoes_met import Block, Met, ShoesMet
from upcard.solve.side_by_side import LANES, Beside, Lead, backward, lane_room
from upcard.solve.solution import (
    Aim,
    Bools,
    Bytes,
    Ends,
    Floats,
    Ints,
    PairPlan,
    Roles,
    Shoes,
    Shorts,
    UpCard,
    hands_of,
)
from upcard.solve.split import Stock

MOST_LIGHTS = 32
MOST_TRADES = 6
MOST_TRADES_SPLIT = 3
"""Trades that play makes use of in one hand, and in a split for one hand and for all of its pairs
together; more of them are too rare to matter.
"""
LARGE = 50_000
"""Shoes that the dealer tells apart from which on all cores share the work of a game."""
_FEWEST = 4


class HandsAndShoes:
    """A game on a shoe: graphs of hands, and how the dealer fares with each shoe they leave.

    Hands begin at the `root`, a state with the cards `held`, or else are dealt. They are in the
    first of the `contexts`, and after doubles in the next ones. With an up card only that one can
    be asked for.

    Up cards are numbers of what the dealer shows (`ShownCards`): symbols, where one card is shown.
    """

    def __init__(
        self,
        tables: GameTables,
        *,
        removed: Sequence[int] = (),
        counts: Sequence[int] | None = None,
        endless: bool = False,
        root: int | None = None,
        held: Sequence[int] = (),
        up: int | None = None,
        contexts: tuple[int, ...] | None = None,
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
        self._before = full.copy()
        for symbol in held:
            full[symbol] -= 1
        self.shown = tables.dealer.shown
        self.known = shoeless(tables)
        self.dealer = self.known.dealer
        self.rows = self.known.rows
        self.moving = tuple(map(Action, self.known.moves.actions.tolist()))
        self.contexts = self.known.contexts if contexts is None else contexts
        self._gained: dict[tuple[int, tuple[float, ...]], Floats] = {}
        self.up = up
        self.root = root
        start = tables.hands.start if root is None else root
        self.graph = self._graph(start, self.contexts, MOST_TRADES, self.counts)
        self.pairs = tuple(self._pairs(self._before)) if self.known.splitting else ()
        progress("dealer", 0.0)
        self._find_shoes()
        progress("dealer", 1.0)

    def _graph(
        self, root: int, contexts: tuple[int, ...], most_lights: int, counts: Ints
    ) -> HandGraph:
        rooms, key = self.known.rooms, (root, contexts)
        found = build_graph(
            self.known.moves,
            self.known.to_come,
            root,
            counts=counts,
            draws=self.known.draws(contexts),
            endless=self.step == 0,
            keep_busts=self.known.busts_matter(self.up),
            most_lights=most_lights,
            room=rooms.get(key, 1024),
        )
        rooms[key] = max(rooms.get(key, 1024), 1 << len(found).bit_length())
        return found

    def _pairs(self, counts: Ints) -> Iterator[PairPlan]:
        """Pairs that can be split, from a shoe with so many cards before any hand."""
        hands, contexts = self.tables.hands, self.tables.contexts
        splitting = self.known.splitting
        graphs: dict[int, tuple[HandGraph, Shorts]] = {}
        untraded: dict[int, int] = {}
        chains: dict[int, tuple[int, ...]] = {}
        start = self.contexts[0]
        ups = range(len(self.shown)) if self.up is None else (self.up,)
        for node in np.flatnonzero(hands.pair_symbol[self.graph.state] >= 0).tolist():
            state = int(self.graph.state[node])
            pair = int(hands.pair_symbol[state])
            legal = self.tables.legal.mask[state, start]
            if not any(legal[up] & splitting for up in ups):
                continue
            aces = int(self.tables.alphabet.symbols[pair].is_ace)
            after = int(contexts.after_split[start, aces])
            if after not in chains:
                chains[after] = contexts.doubled(after)
            chain = chains[after]
            if pair not in graphs:
                root = int(hands.split_to[state])
                graph = self._split_graph(root, chain, counts)
                graphs[pair] = graph, self._twins(graph, pair)
            graph, twin = graphs[pair]
            again = int(hands.next[graph.state[0], pair])
            trades = int(self.graph.lit[node]) if self.by_trade else 0
            if trades > MOST_TRADES_SPLIT:
                continue
            like = node if trades == 0 else untraded.setdefault(pair, node)
            untraded.setdefault(pair, node)
            most = {
                up: self._most_hands(again, after, aces, up, once=trades == MOST_TRADES_SPLIT)
                for up in ups
                if legal[up] & splitting
            }
            taken = self.graph.taken[node].astype(np.int64)
            pairs = np.flatnonzero(hands.pair_symbol[graph.state] >= 0)
            marked = self._most_marked(graph, taken, max(most.values()), trades)
            action = self._split_action(int(np.bitwise_or.reduce(legal)))
            yield PairPlan(
                node,
                like,
                pair,
                taken,
                graph,
                twin,
                chain,
                most,
                marked,
                pairs,
                {},
                action,
                *self._house_stakes(pair, aces),
            )

    def _house_stakes(self, pair: int, aces: int) -> tuple[bool, int]:
        """Whether the house stakes new hands of a pair, and of how many splits if not of all."""
        tables = self.tables
        context, state = tables.contexts.index(), tables.hands.after(pair, pair)
        again = int(tables.hands.next[tables.hands.split_to[state], pair])
        times, house = 0, tables.effects.house_stakes & self.known.splitting
        while legal := self._legal(state, context) & self.known.splitting:
            if not legal & house:
                return times > 0, times
            times, state = times + 1, again
            context = int(tables.contexts.after_split[context, aces])
        return times > 0, 0

    def _legal(self, state: int, context: int) -> int:
        """All that a hand may do against some up card."""
        return int(np.bitwise_or.reduce(self.tables.legal.mask[state, context]))

    def _split_action(self, legal: int) -> Action:
        """The action that splits a pair which may do so much."""
        return next(a for a in Action if legal & self.known.splitting & a.bit)

    def _split_graph(self, root: int, contexts: tuple[int, ...], counts: Ints) -> HandGraph:
        """The graph of a hand after a split."""
        return self._graph(root, contexts, MOST_TRADES_SPLIT, counts)

    def _most_marked(self, graph: HandGraph, taken: Ints, most_hands: int, trades: int) -> int:
        """The most bonus cards that count in further pairs of a pair that came by some trades."""
        if self.marked is None:
            return 0
        most = MOST_TRADES_SPLIT - trades
        if not self.by_trade:
            after = self.tables.hands.next[graph.state[0], self.marked]
            is_pair = self.tables.hands.pair_symbol[after] >= 0
            most = splitting.removable(most_hands) if is_pair else 0
        left = int(self.counts[self.marked] - taken[self.marked])
        return most if self.step == 0 else max(0, min(most, left))

    def _fewest_pairs(self, plan: PairPlan) -> int:
        """The pair cards without which no bonus card makes a pair: none where one is kept as it."""
        return int(self.tables.alphabet.plain[self.marked] != plan.pair)

    @property
    def bonus_cards(self) -> float:
        """How many bonus cards there are in the shoe."""
        if self.marked is None:
            return 0
        return np.inf if self.step == 0 else int(self.counts[self.marked])

    @cached_property
    def marked(self) -> int | None:
        """The symbol of bonus cards."""
        symbols = self.tables.alphabet.symbols
        return next((number for number, one in enumerate(symbols) if one.marked), None)

    def _twins(self, graph: HandGraph, pair: int) -> Shorts:
        """For every node of a split hand the node of an unsplit hand with the same cards."""
        twin = np.full(len(graph), NONE, dtype=np.int32)
        if self.root is None:
            twin[0] = self.graph.find(pair)
            other = self.graph
            pair_up(graph.order, graph.child, graph.moved, other.child, other.moved, twin)
        return twin

    @property
    def by_trade(self) -> bool:
        """Whether lights come by trading."""
        return self.tables.carry is not None and self.tables.carry.by_trade

    def _most_hands(self, state: int, context: int, aces: int, up: int, *, once: bool) -> int:
        contexts, splitting = self.tables.contexts, self.known.splitting
        while not once and self.tables.legal.mask[state, context, up] & splitting:
            context = int(contexts.after_split[context, aces])
        return contexts.contexts[context].hands

    def _find_shoes(self) -> None:
        """The shoes of all hands, and of those pairs whose splits are wanted at once."""
        plans = self._wanted_at_once()
        blocks = [Block(self.graph, np.zeros_like(self.counts))]
        numbers: dict[tuple[int, ...], int] = {}
        shoes_of: list[tuple[PairPlan, tuple[int, int], int]] = []
        for plan in plans:
            for cards in self._further_pairs(plan):
                gone = self.gone(plan, *cards)
                number = numbers.setdefault((plan.pair, *gone.tolist()), len(blocks))
                shoes_of.append((plan, cards, number))
                if number == len(blocks):
                    blocks.append(Block(plan.graph, gone))
        self.met = self._no_shoes_met()
        found = self._shoes(self.met, blocks)
        self.shoes = found[0]
        for plan, cards, number in shoes_of:
            plan.shoes[cards] = found[number]

    def _wanted_at_once(self) -> Sequence[PairPlan]:
        """Pairs whose shoes are found before any is asked for."""
        return self.pairs

    def _further_pairs(self, plan: PairPlan) -> Iterator[tuple[int, int]]:
        """Pair cards and bonus cards that further pairs of a split may take."""
        most = splitting.removable(max(plan.most_hands.values()))
        for pairs, marked in product(range(most + 1), range(plan.most_marked + 1)):
            if not marked or (most and pairs >= self._fewest_pairs(plan)):
                yield pairs, marked

    def gone(self, plan: PairPlan, pairs: int, marked: int) -> Ints:
        """The cards of a pair, and of so many further pairs."""
        gone = plan.taken.astype(np.int64)
        gone[plan.pair] += pairs * int(self.step)
        if marked:
            gone[self.marked] += marked * int(self.step)
        return gone

    def _shoe_keys(self, plans: Iterable[PairPlan]) -> ShoeKeys:
        """Keys of all shoes that the dealer can meet with hands and splits of some pairs."""
        gone = [np.zeros_like(self.counts)]
        for plan in plans:
            most = splitting.removable(max(plan.most_hands.values()))
            gone += [self.gone(plan, 0, 0), self.gone(plan, most, plan.most_marked)]
        taken = np.minimum(self._before, self.known.moves.most) * int(self.step)
        low, high = np.min(gone, axis=0), np.max(gone, axis=0) + taken
        return ShoeKeys(self.dealer, self.counts, low, high, step=self.step, up=self.up)

    def _no_shoes_met(self) -> ShoesMet:
        """Room for the shoes that the dealer meets."""
        return ShoesMet(self._shoe_keys(self._wanted_at_once()))

    def met_with(self, plan: PairPlan) -> Met:
        """The shoes among which those of a split are."""
        assert plan.shoes
        return self.met

    def _shoes(self, met: Met, blocks: Sequence[Block]) -> list[Shoes]:
        """The shoes of some hands each."""
        return [
            Shoes((self.counts - block.gone).astype(np.float64), own, met)
            for block, own in zip(blocks, met.numbers(blocks), strict=True)
        ]

    def whole_shoes(self, plan: PairPlan, pairs: Sequence[int]) -> list[Shoes]:
        """The shoes of all hands of a split by further pair cards that are gone."""
        more = [number for number in pairs if (number, 0) not in plan.shoes]
        if more:
            met, first, step = self.met_with(plan), min(more), int(self.step)
            sides = max(more) - first + 1 if step else 1
            numbers = met.one_by_one(plan.graph, self.gone(plan, first, 0), plan.pair, sides)
            for number in more:
                left = (self.counts - self.gone(plan, number, 0)).astype(np.float64)
                own = numbers[(number - first) * step]
                plan.shoes[number, 0] = Shoes(left, own, met)
        return [plan.shoes[number, 0] for number in pairs]

    def split_shoes(
        self, plan: PairPlan, needed: Mapping[tuple[int, int], Bools]
    ) -> Mapping[tuple[int, int], Shoes]:
        """The shoes of a split by the cards of further pairs.

        Those that are not known have the dealer's chances only for the nodes that need them.
        """
        more = [cards for cards in needed if cards not in plan.shoes]
        if not more:
            return plan.shoes
        blocks = [
            Block(plan.graph, self.gone(plan, *cards), np.flatnonzero(needed[cards]))
            for cards in more
        ]
        found = dict(plan.shoes)
        some = self._shoes(self.met_with(plan), blocks)
        for cards, block, shoes in zip(more, blocks, some, strict=True):
            dealer_of = np.full(len(plan.graph), NONE)
            dealer_of[block.nodes] = shoes.dealer_of
            found[cards] = shoes._replace(dealer_of=dealer_of)
        return found

    def pay(self, aim: Aim) -> Roles:
        """What the results of a hand pay for an aim, by doubles and classes of both sides."""
        final, endless = self.final_roles(aim.bet), self.step == 0
        first, other = self.known.mixed(final.by_role, endless=endless)
        marker = final.marker
        if marker is not None:
            marker = self.known.mixed(marker, endless=endless)
        for wager, ratio in aim.extra.items():
            own, others = self.known.pays(wager)
            first, other = first + ratio * own, other + ratio * others
        return Roles(first, other, marker)

    def final_roles(self, bet: int) -> Roles:
        """What final results pay, of which suits are known, without wagers besides."""
        doubled = len(self.contexts)
        pays = self.known.cents(self.tables, bet)[:, 1] / bet
        level = self.tables.effects.marker_level
        marker = pays[1, level : level + doubled] if level else None
        return Roles(pays[0, :doubled], pays[1, :doubled], marker)

    def unsplit_pay(self, up: int, aim: Aim, roles: Roles) -> Floats:
        """What the results of a hand pay that is not split, against an up card: it may win prizes,
        which no other gets.
        """
        prizes = self.prize_pay(up, aim)
        if prizes is None:
            return roles.first
        return roles.first + self.known.mixed(prizes, endless=self.step == 0)

    def prize_pay(self, up: int, aim: Aim) -> Floats | None:
        """The prizes of final results of which suits are known, in base units, as in `final_pay`;
        None where there are none.
        """
        is_split = self.tables.contexts.contexts[self.contexts[0]].hands > 1
        if not self.tables.prizes or not aim.prizes or is_split:
            return None
        found = np.zeros_like(self.final_roles(aim.bet).first)
        found[0] = prize_cents(self.tables.prizes, aim.bet)[up][:, None] * (aim.prizes / aim.bet)
        return found

    def suited_pay(self, up: int, aim: Aim) -> Floats:
        """What final results pay a hand against an up card, of which suits are known."""
        own, prizes = self.final_roles(aim.bet).first, self.prize_pay(up, aim)
        return own if prizes is None else own + prizes

    def final_pay(self, bet: int) -> Floats:
        """What final results pay the first hand of a box, of which suits are known."""
        return self.final_roles(bet).first

    def alike(self, roles: Roles, up: int) -> bool:
        """Whether the first hand of a split is paid like the others, whatever can still come."""
        possible = self.tables.dealer.ends[up]
        return roles.further is None and not (roles.first != roles.other)[..., possible].any()

    @property
    def player_class(self) -> Ints:
        return self.known.player_class

    @property
    def settled_class(self) -> Ints:
        return self.known.settled_class

    def backward(
        self,
        graph: HandGraph,
        shoes: Shoes,
        contexts: tuple[int, ...],
        up: int,
        pay: Floats,
        aim: Aim,
        *,
        split: Floats | None = None,
        scores: Floats | None = None,
        twin: Shorts | None = None,
        record: int | None = None,
    ) -> SolvedHands:
        """What actions are worth, what hands are worth, and the choices.

        The worth of actions is recorded of so many nodes, or of all.
        """
        lead = self._lead(graph, contexts, up, split, scores, twin)
        kept = len(graph) if record is None else record
        found = self._backward_beside(graph, [shoes], contexts, up, pay, aim, lead, kept)
        return SolvedHands(found.worth[0], found.value[..., 0], found.choice[0])

    def choices(
        self,
        graph: HandGraph,
        shoes: Sequence[Shoes],
        contexts: tuple[int, ...],
        up: int,
        pay: Floats,
        aim: Aim,
        *,
        scores: Floats | None,
        twin: Shorts,
    ) -> Sequence[Bytes]:
        """The choices of hands that are not split, for each of some shoes."""
        lead = self._lead(graph, contexts, up, None, scores, twin)
        found: list[Bytes] = []
        for begin in range(0, len(shoes), LANES):
            some = shoes[begin : begin + LANES]
            solved = self._backward_beside(graph, some, contexts, up, pay, aim, lead, 0)
            found.extend(solved.choice[: len(some)])
        return found

    def _lead(
        self,
        graph: HandGraph,
        contexts: tuple[int, ...],
        up: int,
        split: Floats | None,
        scores: Floats | None,
        twin: Shorts | None,
    ) -> Lead:
        return Lead(
            split=np.full(len(graph), NEVER) if split is None else split,
            scores=np.empty((len(contexts), 0, ACTIONS)) if scores is None else scores,
            twin=np.empty(0, dtype=np.int32) if twin is None else twin,
            doubled=self._doubled(graph, self.known.rules(contexts, up)),
        )

    def _doubled(self, graph: HandGraph, rules: HandRules) -> Ints:
        """By node a bit for every number of doubles that hands are wanted with: all of them."""
        return np.full(len(graph), (1 << rules.mask.shape[1]) - 1)

    def _backward_beside(
        self,
        graph: HandGraph,
        shoes: Sequence[Shoes],
        contexts: tuple[int, ...],
        up: int,
        pay: Floats,
        aim: Aim,
        lead: Lead,
        record: int,
    ) -> SolvedHands:
        """Backward play with each of at most LANES shoes that are among the same ones met."""
        # A kernel is compiled for one shoe, and for LANES of them.
        lanes = 1 if len(shoes) == 1 else LANES
        beside = [*shoes, *(shoes[-1] for _ in range(lanes - len(shoes)))]
        doubles, nodes = len(contexts), len(graph)
        found = SolvedHands(
            worth=np.empty((lanes, doubles, record, ACTIONS)),
            value=np.empty((nodes, doubles, lanes)),
            choice=np.zeros((lanes, doubles, nodes), dtype=np.int8),
        )
        backward(
            hands_of(graph, shoes[0]),
            self.facing(up, shoes[0]),
            Beside(
                (0,) * lanes,
                np.stack([own.cards for own in beside], axis=1),
                np.stack([own.dealer_of for own in beside]),
            ),
            self.known.rules(contexts, up),
            Pays(pay, np.array(aim.lights)),
            lead,
            lane_room(lanes, len(self.counts), doubles, stood=(nodes, lanes)),
            found,
        )
        return found

    def forward(
        self,
        graph: HandGraph,
        shoes: Shoes,
        up: int,
        choice: Bytes,
        reach: Floats,
    ) -> Ends:
        """How hands end that are reached so often."""
        ends = self.no_ends(1, len(reach))
        self.spread(graph, shoes, up, choice, reach[None], ends)
        return Ends(ends.hands[0], ends.lights[0])

    def no_ends(self, *parts: int) -> Ends:
        """Room for how hands end, by parts of them and doubles."""
        classes = len(self.tables.player_classes), len(self.tables.dealer.classes)
        lights = MOST_LIGHTS if self.tables.carry else 1
        return Ends(np.zeros((*parts, *classes)), np.zeros((*parts[:-1], lights)))

    def spread(
        self,
        graph: HandGraph,
        shoes: Shoes,
        up: int,
        choice: Bytes,
        reach: Floats,
        ends: Ends,
    ) -> None:
        """Add to the ends of hands, by parts of them, those that are reached so often."""
        forward(
            hands_of(graph, shoes),
            self.facing(up, shoes),
            self.known.rules(self.contexts, up),
            choice,
            reach,
            np.empty(0, dtype=np.int32),
            np.empty(len(self.counts)),
            ends.hands,
            ends.lights,
        )

    def facing(self, up: int, shoes: Shoes) -> Facing:
        """An up card as kernels see it."""
        return Facing(
            up=int(self.shown.up[up]),
            step=self.step,
            hidden=self.dealer.hidden[up],
            looks=self.dealer.looks(up),
            shoe=shoes.cards,
            dealer=shoes.met.chances(up),
            settled=self.known.settled[up],
            any_class=self.known.any_class[up],
            natural=self.dealer.natural_class,
        )

    def each_up(
        self, work: Callable[[int], UpCard], part: str, progress: Progress
    ) -> dict[int, UpCard]:
        """Some work for every up card in the shoe, on all cores where the game is large."""
        ups = np.flatnonzero(self.shown.chances(self.counts, step=self.step) > 0).tolist()
        found: dict[int, UpCard] = {}
        progress(part, 0.0)
        if len(self.met) < LARGE:
            for up in ups:
                found[up] = work(up)
                progress(part, len(found) / len(ups))
            return found
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for up, result in zip(ups, pool.map(work, ups), strict=True):
                found[up] = result
                progress(part, len(found) / len(ups))
        return found

    def is_possible(self, plan: PairPlan, up: int) -> bool:
        """Whether the shoe holds the cards of a pair and those shown, and there are turns."""
        left = self.counts - plan.taken
        if self.dealer.is_natural(up):
            return False
        return self.step == 0 or bool((left >= 0).all() and self._shows(left, up))

    def _shows(self, left: Ints, up: int) -> bool:
        """Whether so many cards can be shown."""
        first = self.shown.up[up]
        if left[first] <= 0 or self.shown.is_up_card:
            return bool(left[first] > 0)
        second = self.shown.down[up]
        return int(left[second].sum()) > int(second[first])

    @property
    def trades_first(self) -> bool:
        """Whether bonus cards of the first two are decided before the check."""
        return self.known.trades_first

    @cached_property
    def first_nodes(self) -> npt.NDArray[np.bool_]:
        """The hands of the first cards, with all that trading makes of them before the check."""
        graph = self.graph
        found = np.zeros(len(graph), dtype=np.bool_)
        found[self._dealt_nodes()] = True
        if self.trades_first:
            owed = np.asarray(self.tables.hands.owed[graph.state] != 0)
            mark_traded(graph.order, graph.child, graph.moved, owed, found)
        return found

    def _dealt_nodes(self) -> list[int]:
        """The hands that the deal can leave."""
        return [node for _, _, node in self.deals]

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

    def may(self, phase: Phase, action: Action, up: int) -> npt.NDArray[np.bool_]:
        """States that may take an action in a phase before the turn."""
        return np.asarray((self.known.offered(phase, up) & action.bit) != 0)

    def deal_chances(self, up: int) -> Iterator[tuple[int, int, int, float]]:
        """First two cards, their node, and their chance given what is shown."""
        left = self.counts.astype(np.float64)
        left[self.shown.up[up]] -= self.step
        cards = left.sum()
        second = self.shown.down[up]
        inside = left[second].sum()
        for one, two, node in self.deals:
            ways = left[one] * (left[two] - (self.step if one == two else 0.0))
            if ways > 0:
                orders = 1 if one == two else 2
                chance = orders * ways / (cards * (cards - self.step))
                if not self.shown.is_up_card:
                    # The dealer's second card is one of those left, and as likely to be any.
                    rest = inside - self.step * (int(second[one]) + int(second[two]))
                    chance *= rest / (cards - 2 * self.step) / (inside / cards)
                if chance > 0:
                    yield one, two, node, chance

    def light_value(self, lights: Floats, aim: Aim) -> float:
        """What some chances of lights are worth."""
        if len(lights) == 1:
            return 0.0
        return float(lights @ self.light_values(len(lights), aim))

    def lights_gained(self, aim: Aim) -> Floats:
        """What no light, one, two ... are worth, as many as are told apart."""
        return self.light_values(MOST_LIGHTS if self.tables.carry else 1, aim)

    def light_values(self, size: int, aim: Aim) -> Floats:
        """What no light, one, two ... are worth to one hand."""
        found = self._gained.get((size, aim.lights))
        if found is None:
            gained = [0.0]
            for number in range(size - 1):
                gained.append(gained[-1] + aim.lights[min(number, len(aim.lights) - 1)])
            found = self._gained[size, aim.lights] = np.array(gained)
        return found

    def sequence_chance(self, plan: PairPlan, up: int) -> splitting.SequenceChance:
        """Chances of cards that make further pairs of a split."""
        left = (self.counts - plan.taken).astype(np.float64)
        left[self.shown.up[up]] -= self.step
        hidden = self.dealer.hidden[up]
        pairs, marked = (
            Stock(0.0, outside=True)
            if symbol is None
            else Stock(float(left[symbol]), outside=bool(hidden[symbol]))
            for symbol in (plan.pair, self.marked)
        )
        return splitting.sequence_chance(
            pairs, marked, float(left.sum()), float(left[hidden].sum()), step=self.step
        )
