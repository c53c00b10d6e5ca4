"""The solver's play as the array machine wants it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from upcard.compile.context import Action, Context, Phase
from upcard.compile.effects import Special
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.round.kernel_types import Bytes, EarlyPlay, Play
from upcard.round.policy import (
    ROLES,
    Moves,
    by_state,
    compared_classes,
    first_two,
    packed,
    twins,
)
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.graph import BUST_NODE, HandGraph
from upcard.solve.solution import Ints, PairPlan, Shorts, Solution, SolvedSplit
from upcard.solve.split import FURTHER


@dataclass(frozen=True)
class StatePlay:
    """Basic play: one action for every state of the game's own automaton."""

    name: str
    play: BasicPlay
    twin: dict[int, int]

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        own = self.twin.get(state, state) if context.is_split else state
        return self.play.best(up, own, legal, context.level, marker=context.marker)

    def early(self, state: int, up: int, legal: int) -> int:
        gains = self.play.leaning[up][state] > 0
        if legal & Action.TRADE.bit:
            return Action.TRADE if gains else Action.KEEP
        return Action.SURRENDER if gains else Action.DECLINE


def basic_moves(game: BaseGame, play: BasicPlay, name: str) -> Moves:
    """Basic play by states alone."""
    return by_state(game.tables, StatePlay(name, play, twins(game.tables)))


def solved_moves(game: BaseGame, name: str, *solutions: Solution) -> Moves:
    """The very choices of solutions, one for each player: by the cards of a hand, and for split
    hands by their own.

    A split hand is played by the number of hands there are by then: where a solution knows how many
    there will be (CDP), a player at a table does not.
    """
    return _Graphs(game, game.graph, game.pairs).moves(solutions, name)


class PackedPlays:
    """Many plays of one game, each added as it is found: equal rows of actions are kept once."""

    def __init__(self, game: BaseGame) -> None:
        self._graphs = _Graphs(game, game.graph, game.pairs)
        self._rows: dict[bytes, int] = {}
        self._row_of: list[Ints] = []

    def add(self, solution: Solution) -> int:
        """Take up a play, by the number of its player."""
        actions = self._graphs.actions(solution)
        numbers = np.zeros(actions.shape[:2], dtype=np.int64)
        for place in np.ndindex(*numbers.shape):
            row = np.ascontiguousarray(actions[place]).tobytes()
            numbers[place] = self._rows.setdefault(row, len(self._rows))
        self._row_of.append(numbers)
        return len(self._row_of) - 1

    def moves(self, name: str) -> Moves:
        """All of them, by player."""
        first = first_two(self._graphs.child, 0)
        found = self._graphs.as_moves(name, self._graphs.no_actions()[None], first, None)
        rows = np.frombuffer(b"".join(self._rows), dtype=np.int8)
        row_of = np.stack(self._row_of).astype(np.uint64)
        return replace(found, play=found.play._replace(row_of=row_of, action=rows.copy()))


class SplitMoves:
    """A pair that is split, whatever else may be done with it, and its hands as in a solution."""

    def __init__(self, game: BaseGame) -> None:
        self.game = game
        self.plans = {plan.node: plan for plan in game.pairs}
        self._graphs: dict[int, _Graphs] = {}

    def of(self, split: SolvedSplit) -> Moves:
        game, plan = self.game, self.plans[split.node]
        graphs = self._graphs.get(split.node)
        if graphs is None:
            graphs = self._graphs[split.node] = _Graphs(game, self._pair(plan), [plan])
        found = graphs.no_actions()
        found[0, game.contexts[0], split.up, 0] = plan.action
        graphs.fill_split(found, plan, split)
        # The pair, whichever cards come first.
        both = np.zeros((len(game.counts),) * 2, dtype=np.int32)
        return graphs.as_moves("the split", found[None], both, None)

    def _pair(self, plan: PairPlan) -> HandGraph:
        """A graph of nothing but the pair."""
        pair = self.game.tables.hands.after(plan.pair, plan.pair)
        symbols = len(self.game.counts)
        return HandGraph(
            state=np.array([pair], dtype=np.int32),
            taken=np.zeros((1, symbols), dtype=np.int16),
            child=np.full((1, symbols), BUST_NODE, dtype=np.int32),
            moved=np.full((len(Action), 1), NONE, dtype=np.int32),
            lit=np.zeros(1, dtype=np.int32),
            order=np.zeros(1, dtype=np.int32),
        )


class _Graphs:
    """Graphs of a game's hands in one array: of first hands, and of split pairs."""

    def __init__(self, game: BaseGame, first: HandGraph, plans: Sequence[PairPlan]) -> None:
        self.game = game
        self.tables: GameTables = game.tables
        self.plans: dict[int, PairPlan] = {}
        for plan in plans:
            # Pairs that came by trades are played like those that did not.
            self.plans.setdefault(plan.pair, plan)
        graphs = [first, *(plan.graph for plan in self.plans.values())]
        ends = np.cumsum([0, *map(len, graphs)]).tolist()
        self.begins = dict(zip(self.plans, ends[1:], strict=False))
        self.bust = ends[-1]
        self.nodes = self.bust + 1
        bust_state = int(np.flatnonzero(self.tables.hands.bust)[0])
        self.state = np.concatenate([*(graph.state for graph in graphs), [bust_state]])
        self.child = self._joined([graph.child.T for graph in graphs], ends).T
        self.leads = self._joined([graph.moved for graph in graphs], ends)
        self.leads[self.tables.effects.splits] = self._splits()

    def _joined(self, parts: Sequence[Shorts], begins: Sequence[int]) -> Ints:
        """Moves of all graphs in their common numbers; over the limit there is one node."""
        assert BUST_NODE < 0
        found = np.full((len(parts[0]), self.nodes), self.bust, dtype=np.int64)
        for part, begin in zip(parts, begins, strict=False):
            here = np.where(part >= 0, part.astype(np.int64) + begin, self.bust)
            found[:, begin : begin + part.shape[1]] = here
        return found

    def moves(self, solutions: Sequence[Solution], name: str) -> Moves:
        actions = np.stack([self.actions(one) for one in solutions])
        return self.as_moves(name, actions, first_two(self.child, 0), self._early(solutions))

    def as_moves(self, name: str, actions: Bytes, first: Shorts, early: EarlyPlay | None) -> Moves:
        """The arrays of play `[player, role, context, up, node]`."""
        row_of, rows = packed(actions)
        play = self._standing._replace(
            first_two=first.reshape(-1),
            row_of=row_of.astype(np.uint64),
            action=rows.reshape(-1),
        )
        return Moves(
            name=name,
            play=play,
            early=early,
            chance=None,
            light=self._light,
            state=self.state.astype(np.int64),
        )

    @cached_property
    def _standing(self) -> Play:
        """What is the same for every play: of actions and first hands it has none."""
        ends_as = self.tables.hands.player_class[self.state]
        return Play(
            start=0,
            nodes=self.nodes,
            first_two=np.empty(0, dtype=np.int32),
            child=np.ascontiguousarray(self.child, dtype=np.int32).reshape(-1),
            leads=self.leads.astype(np.int32).reshape(-1),
            pair_aces=self.tables.effects.pair_aces[self.state],
            ends_as=ends_as.astype(np.int32),
            compares=compared_classes(self.tables)[ends_as],
            settled_as=self.game.settled_class[self.state].astype(np.int32),
            row_of=np.empty((0, 0, 0), dtype=np.uint64),
            action=np.empty(0, dtype=np.int8),
        )

    @cached_property
    def _light(self) -> Bytes:
        found = self.tables.hands.light[self.state]
        return np.ascontiguousarray(found, dtype=np.int8).reshape(-1)

    def _splits(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Where every pair goes when it is split: to the beginning of its own graph."""
        pair = self.tables.hands.pair_symbol[self.state]
        found = np.full(self.nodes, self.bust, dtype=np.int64)
        for symbol, begin in self.begins.items():
            found[pair == symbol] = begin
        return found

    def no_actions(self) -> Bytes:
        """`[role, context, up, node]`, with hands that are over wherever nothing is filled in."""
        shown = len(self.tables.dealer.shown)
        shape = (ROLES, len(self.tables.contexts), shown, self.nodes)
        return np.full(shape, Special.OVER, dtype=np.int8)

    def actions(self, solution: Solution) -> Bytes:
        """Only nodes that a context can have are filled."""
        found = self.no_actions()
        for up, solved in solution.ups.items():
            for doubles, context in enumerate(self.game.contexts):
                choice = solved.choice[doubles]
                found[:, context, up, : len(choice)] = choice
            for plan in self.plans.values():
                split = solved.splits.get(plan.node)
                if split is not None:
                    self.fill_split(found, plan, split)
        return found

    def fill_split(self, found: Bytes, plan: PairPlan, split: SolvedSplit) -> None:
        """The hands of one split, in every context that they can have."""
        begin, up = self.begins[plan.pair], split.up
        part = slice(begin, begin + len(plan.graph))
        again = begin + plan.again
        for number, here in enumerate(self.tables.contexts.contexts):
            if not here.is_split or here.level >= len(plan.contexts):
                continue
            # Without a play for every number of hands there is one for all.
            known = min(here.hands - 2, max(split.choices))
            legal = self.tables.legal.mask[self.state[again], number, up]
            for place in range(ROLES):
                # Of hands that are not the first, the context says who staked them.
                further = place and plan.free_times and not here.marker
                role = FURTHER if further else place
                found[place, number, up, part] = split.choices[known][role][here.level]
                wanted = split.resplits[role]
                if here.level or here.hands - 2 >= len(wanted) or not wanted[here.hands - 2]:
                    continue
                for action in Action:
                    if self.game.known.splitting & action.bit:
                        found[place, number, up, again[legal & action.bit != 0]] = action

    def _early(self, solutions: Sequence[Solution]) -> EarlyPlay | None:
        kinds = self.tables.round_plan.kinds
        trades, folds = Phase.TRADES in kinds, Phase.EARLY_SURRENDER in kinds
        if not trades and not folds:
            return None
        hands = self.tables.hands
        shape = (len(solutions), len(self.tables.dealer.shown), self.nodes)
        action = np.full(shape, Special.OVER, dtype=np.int8)
        for number, solution in enumerate(solutions):
            for up, solved in solution.ups.items():
                action[number, up, : len(solved.early_choice)] = solved.early_choice
        return EarlyPlay(
            trades=trades,
            folds=folds,
            action=action.reshape(-1),
            pending=hands.pending[self.state] > 0,
            owed=hands.owed[self.state],
        )
