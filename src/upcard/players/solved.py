"""From the solver's basic play to ranks."""

from __future__ import annotations

import numpy as np

from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.players.ranked import Progress, RankedStrategy, Ranks
from upcard.round.policy import twins
from upcard.solve.base_game import BaseGame
from upcard.solve.exchange_points import state_points
from upcard.solve.odds import Solver, insurance_worth
from upcard.solve.result import silent
from upcard.solve.solution import Floats


def solve(tables: GameTables, progress: Progress | None = None) -> RankedStrategy:
    """Basic play by states, as `upcard strategy` shows it, and insurance where it gains."""
    told = progress or silent
    game = BaseGame(tables, progress=told)
    solver = Solver(game, "CDZ-", told)
    best = solver.optimal(usual_bet(tables))
    _, play = solver.basic(best)
    contexts = tables.contexts.contexts
    ups, states = len(tables.dealer.shown), len(tables.hands)
    turn: Ranks = np.zeros((len(contexts), ups, states, len(Action)), dtype=np.int8)
    early: Ranks = np.zeros((ups, states, len(Action)), dtype=np.int8)
    whole = np.arange(states)
    split = np.array([own for _, own in sorted(({n: n for n in whole} | twins(tables)).items())])
    for up in play.scores:
        early[up] = _preferring(Action.KEEP, Action.DECLINE)
        early[up, play.leaning[up] > 0] = _preferring(Action.TRADE, Action.SURRENDER)
        for number, context in enumerate(contexts):
            if context.is_turn:
                # Split hands are played like unsplit ones of the same cards.
                own = split if context.is_split else whole
                of_hand = play.scores_of(up, marker=context.marker)
                turn[number, up] = _ranks(of_hand[context.level, own])
            elif context.phase is Phase.INSURANCE:
                gains = insurance_worth(game, up) > 0
                turn[number, up] = _preferring(Action.INSURE if gains else Action.DECLINE)
            else:
                turn[number, up] = early[up]
    points = state_points(game, best) if tables.round_plan.exchanges else None
    return RankedStrategy(turn, early, points)


def _ranks(scores: Floats) -> Ranks:
    """The place of every score in its row, the best last; of equals the first action is better."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    places = np.arange(scores.shape[-1], 0, -1, dtype=np.int8)
    ranks = np.zeros(scores.shape, dtype=np.int8)
    np.put_along_axis(ranks, order, np.broadcast_to(places, scores.shape), axis=-1)
    return ranks


def _preferring(*actions: Action) -> Ranks:
    """Ranks that put these actions before all others."""
    return np.array([action in actions for action in Action], dtype=np.int8)
