"""Exact values to compare a simulation with, wherever there are some."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Context
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.round.policy import Policy, decide, early_masks
from upcard.round.stakes import PRIZES
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, price_play
from upcard.solve.given_up import gives_up_third, waits_for_third
from upcard.solve.lights import base_value, prize_value
from upcard.solve.observers import card_wager, depends_on_play
from upcard.solve.odds import Solver, insurance
from upcard.solve.play import ACTIONS, NEVER
from upcard.solve.prizes import envy_value, prizes_value
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Floats, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import NEVER_EXCHANGED, ONE_BOX, JointPlay, TwoBoxes

MODE: Mode = "CDZ-"
"""Split hands are played like other hands of the same cards: a play that can be dealt out."""


class Exact(NamedTuple):
    """An exact value in units of the wager, its own error (0 where it has none), and its method."""

    ev: float
    error: float
    method: str


class Prices:
    """A game's solver, and the values of its wagers under a play, for each of some seats alike."""

    def __init__(
        self,
        tables: GameTables,
        bet: int | None = None,
        progress: Progress = silent,
        *,
        seats: int = 1,
    ) -> None:
        self.tables = tables
        self.seats = seats
        self.bet = usual_bet(tables) if bet is None else bet
        self.progress = progress
        self.game = BaseGame(tables, progress=progress)
        self.solver = Solver(self.game, MODE, progress)

    def optimal(self, riding: Mapping[str, float]) -> Solution:
        return self.solver.optimal(self.bet, dict(riding))

    def basic(self, riding: Mapping[str, float]) -> tuple[Solution, BasicPlay]:
        return self.solver.basic(self.optimal(riding))

    def priced(self, policy: Policy) -> Solution:
        """A policy that sees states alone, priced."""
        play = _as_scores(self.game, policy)
        return price_play(self.game, self.optimal({}), play)

    def of_round(self, solution: Solution) -> dict[str, Exact]:
        """All wagers of a round under a play; one whose third card it gives up has no value."""
        cards = self.of_cards()
        given_up = [wager for wager in cards if gives_up_third(self.game, wager, solution)]
        kept = {wager: exact for wager, exact in cards.items() if wager not in given_up}
        return kept | self.of_play(solution)

    def of_play(self, solution: Solution) -> dict[str, Exact]:
        """Wagers that depend on the play."""
        method = self.solver.method(solution)
        extra, error = self.solver.charged_once(solution)
        if self.tables.carry is not None:
            ev = prize_value(self.game, solution)
        else:
            ev = base_value(self.game, solution) + extra
            ev += self.prizes(solution)
        found = {BASE: Exact(ev, error, method)}
        if self.tables.prizes:
            found[PRIZES] = Exact(self.prizes(solution), 0.0, method)
        for wager in self.tables.payoffs:
            if wager not in (BASE, INSURANCE):
                found[wager] = Exact(self.solver.tie_wager(wager, solution).ev, 0.0, method)
        return found

    def prizes(self, solution: Solution) -> float:
        """What a seat's prizes of hands bring a round, those of the other seats' hands too."""
        others = (self.seats - 1) * envy_value(self.game, solution, self.bet)
        return prizes_value(self.game, solution) + others

    @cached_property
    def both_boxes(self) -> TwoBoxes:
        """Two boxes that exchange cards."""
        return TwoBoxes(self.tables, aim=Aim(bet=self.bet), mode=MODE, progress=self.progress)

    def never_exchanging(self, policy: Policy) -> JointPlay:
        """Two boxes played by a policy that sees states alone, so that it leaves all cards."""
        both = self.both_boxes
        values = both.values(both.given(_as_scores(both.alone, policy)))
        return both.together(values, NEVER_EXCHANGED)

    def of_boxes(self, play: JointPlay) -> dict[str, Exact]:
        """The base wager of two boxes, for one of them."""
        return {BASE: Exact(play.ev, 0.0, f"{self.solver.method_of(MODE)}; {ONE_BOX}")}

    def of_any_play(self) -> dict[str, Exact]:
        """Wagers on cards that are worth the same however hands are played, by chance too."""
        found = self.of_cards()
        return {w: exact for w, exact in found.items() if waits_for_third(self.tables, w) is None}

    def of_cards(self) -> dict[str, Exact]:
        """Wagers that no play changes, but for a third card that somebody gives up."""
        found = {}
        if INSURANCE in self.tables.payoffs:
            odds = insurance(self.game)
            found[INSURANCE] = Exact(odds.ev, 0.0, odds.method)
        for wager in self.tables.observers:
            if self.tables.settlement[wager].lost_when_over:
                continue
            if depends_on_play(self.tables, wager):
                continue  # priced for another play than the one simulated
            try:
                odds = card_wager(self.tables, wager, self.progress)
            except UpcardError:
                continue  # not worked out for this shoe
            found[wager] = Exact(odds.ev, 0.0, odds.method)
        return found


def _as_scores(game: BaseGame, policy: Policy) -> BasicPlay:
    """A policy in the solver's form: actions by score, the one it takes before the others."""
    tables = game.tables
    contexts = tables.contexts.contexts
    early = early_masks(tables)
    scores: dict[int, Floats] = {}
    markers: dict[int, Floats] = {}
    leaning: dict[int, Floats] = {}
    for up in range(len(tables.dealer.shown)):
        for marker in (False, True) if tables.contexts.has_markers else (False,):
            own = np.full((len(game.contexts), len(tables.hands), ACTIONS), NEVER)
            for doubles, context in enumerate(game.contexts):
                here = contexts[context]._replace(marker=marker)
                for state in set(game.graph.state.tolist()):
                    legal = int(tables.legal.mask[state, context, up])
                    # Who stakes a split may depend on how many hands there are.
                    anywhere = int(np.bitwise_or.reduce(tables.legal.mask[state, :, up]))
                    if legal & tables.effects.splitting:
                        legal |= anywhere & tables.effects.splitting
                    own[doubles, state] = _ranked(policy, state, here, up, legal)
            (markers if marker else scores)[up] = own
        lean = np.full(len(tables.hands), -1.0)
        for state in np.flatnonzero(early[up]).tolist():
            chosen = policy.early(state, up, int(early[up, state]))
            lean[state] = 1.0 if chosen in (Action.TRADE, Action.SURRENDER) else -1.0
        leaning[up] = lean
    return BasicPlay(scores, leaning, markers)


def _ranked(policy: Policy, state: int, context: Context, up: int, legal: int) -> Floats:
    """Scores of one state: what is taken first, then what is taken where that is not legal."""
    row = np.full(ACTIONS, NEVER)
    rank = 0.0
    while legal:
        try:
            action = decide(policy, state, context, up, legal)
        except UpcardError:
            break  # a chart need not say what to do if nothing of what it says may be done
        if not legal & Action(action).bit:
            break
        row[action] = rank
        rank -= 1.0
        legal &= ~Action(action).bit
    return row
