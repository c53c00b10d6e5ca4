"""The solver's play as the simulator wants it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from upcard.compile.context import Action, Context
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.simulate.bundles import Bytes, Early, Play
from upcard.simulate.policy import (
    ROLES,
    Moves,
    by_state,
    compared_classes,
    first_two,
    packed,
    twins,
)
from upcard.solve.base import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.graph import BUST
from upcard.solve.parts import PairPlan, Solution
from upcard.solve.play import DRAW, OVER


@dataclass(frozen=True)
class StatePlay:
    """Basic play: one action for every state of the game's own automaton."""

    name: str
    play: BasicPlay
    twin: dict[int, int]

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        own = state if context.origin == "initial" else self.twin.get(state, state)
        return self.play.best(up, own, legal, context.doubles)

    def early(self, state: int, up: int, legal: int) -> int:
        gains = self.play.leaning[up][state] > 0
        if legal & Action.TRADE.bit:
            return Action.TRADE if gains else Action.KEEP
        return Action.SURRENDER if gains else Action.DECLINE


def basic_moves(game: BaseGame, play: BasicPlay, name: str) -> Moves:
    """Basic play by states alone."""
    return by_state(game.tables, StatePlay(name, play, twins(game.tables)))


def solved_moves(game: BaseGame, solution: Solution, name: str) -> Moves:
    """The very choices of a solution: by the cards of a hand, and for split hands by their own."""
    return _Graphs(game).moves(solution, name)


class _Graphs:
    """All graphs of a game's hands in one array: of first hands, and of each split pair."""

    def __init__(self, game: BaseGame) -> None:
        self.game = game
        self.tables: GameTables = game.tables
        self.plans: dict[int, PairPlan] = {}
        for plan in game.pairs:
            # Pairs that came by trades are played like those that did not.
            self.plans.setdefault(plan.pair, plan)
        graphs = [game.graph, *(plan.graph for plan in self.plans.values())]
        ends = np.cumsum([0, *map(len, graphs)]).tolist()
        self.begins = dict(zip(self.plans, ends[1:], strict=False))
        self.bust = ends[-1]
        self.nodes = self.bust + 1
        bust_state = int(np.flatnonzero(self.tables.hands.bust)[0])
        self.state = np.concatenate([*(graph.state for graph in graphs), [bust_state]])
        symbols = len(self.tables.alphabet)
        child = [_moved(g.child, begin, self.bust) for g, begin in zip(graphs, ends, strict=False)]
        self.child = np.concatenate([*child, np.full((1, symbols), self.bust)])
        self.keep, self.trade = (
            np.concatenate(
                [
                    *(
                        _moved(getattr(g, move), begin, self.bust)
                        for g, begin in zip(graphs, ends, strict=False)
                    ),
                    [self.bust],
                ]
            )
            for move in ("keep", "trade")
        )

    def moves(self, solution: Solution, name: str) -> Moves:
        hands = self.tables.hands
        aces = [symbol.is_ace for symbol in self.tables.alphabet.symbols]
        pairs = np.array([bool(p != NONE and aces[p]) for p in hands.pair_symbol], dtype=np.int8)
        row_of, rows = packed(self._actions(solution))
        play = Play(
            start=0,
            nodes=self.nodes,
            first_two=first_two(self.child, 0),
            child=np.ascontiguousarray(self.child, dtype=np.int32).reshape(-1),
            keep=self.keep.astype(np.int32),
            trade=self.trade.astype(np.int32),
            split_to=self._splits().astype(np.int32),
            pair_aces=pairs[self.state],
            ends_as=hands.player_class[self.state].astype(np.int32),
            compares=compared_classes(self.tables)[hands.player_class[self.state]],
            settled_as=self.game.settled_class[self.state].astype(np.int32),
            row_of=row_of.astype(np.uint64),
            action=rows.reshape(-1),
        )
        return Moves(
            name=name,
            play=play,
            early=self._early(solution),
            chance=None,
            light=np.ascontiguousarray(hands.light[self.state], dtype=np.int8).reshape(-1),
            state=self.state.astype(np.int64),
        )

    def _splits(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Where every pair goes when it is split: to the beginning of its own graph."""
        pair = self.tables.hands.pair_symbol[self.state]
        found = np.full(self.nodes, self.bust, dtype=np.int64)
        for symbol, begin in self.begins.items():
            found[pair == symbol] = begin
        return found

    def _actions(self, solution: Solution) -> Bytes:
        """`[role, context, up, node]`; only nodes that the context can have are filled."""
        contexts = self.tables.contexts.contexts
        ups = len(self.tables.alphabet)
        found = np.full((ROLES, len(contexts), ups, self.nodes), Action.STAND, dtype=np.int8)
        for up, solved in solution.ups.items():
            for doubles, context in enumerate(self.game.contexts):
                choice = _plain(solved.choice[doubles])
                found[:, context, up, : len(choice)] = choice
            for pair, plan in self.plans.items():
                split = solved.splits.get(plan.node)
                if split is None:
                    continue
                begin = self.begins[pair]
                part = slice(begin, begin + len(plan.graph))
                # One play for all numbers of hands: the mode is CDZ-.
                roles = next(iter(split.choices.values()))
                again = int(plan.graph.child[0, pair])
                for number, here in enumerate(contexts):
                    if here.origin == "initial" or here.doubles >= len(plan.contexts):
                        continue
                    for role, own in enumerate(roles):
                        found[role, number, up, part] = _plain(own[here.doubles])
                    if again >= 0 and not here.doubles:
                        legal = self.tables.legal.mask[plan.graph.state[again], number, up]
                        if legal & Action.SPLIT.bit:
                            found[:, number, up, begin + again] = Action.SPLIT
        found[..., self.bust] = Action.STAND
        return found

    def _early(self, solution: Solution) -> Early | None:
        kinds = self.tables.round_plan.kinds
        trades, folds = "trades" in kinds, "early-surrender" in kinds
        if not trades and not folds:
            return None
        hands = self.tables.hands
        action = np.full((len(self.tables.alphabet), self.nodes), Action.DECLINE, dtype=np.int8)
        known = [Action.KEEP, Action.TRADE, Action.SURRENDER]
        for up, solved in solution.ups.items():
            choice = solved.early_choice
            action[up, : len(choice)] = np.where(np.isin(choice, known), choice, Action.DECLINE)
        return Early(
            trades=trades,
            folds=folds,
            action=action.reshape(-1),
            pending=hands.pending[self.state] > 0,
            owed=hands.owed[self.state],
        )


def _plain(choice: Bytes) -> Bytes:
    """The solver's choices as actions: what comes by itself is a hit, what is over stands."""
    found = np.where(choice == DRAW, Action.HIT, choice)
    return np.asarray(np.where(found == OVER, Action.STAND, found), dtype=np.int8)


def _moved(
    moves: np.ndarray[tuple[int, ...], np.dtype[np.int32]], begin: int, bust: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """A graph's moves in the numbers of all graphs together; over the limit there is one node."""
    assert BUST < 0
    return np.where(moves >= 0, moves.astype(np.int64) + begin, bust)
