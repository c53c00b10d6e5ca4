"""What simpler play costs: the chart, the chart without one of its actions, the dealer's rule.

Every play is priced exactly, each against the best play of the same game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from upcard.compile.bets import wagers_of
from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.money import BASE
from upcard.pages.page import Printer, Shown
from upcard.round.policy import MimicPlay
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, price_play
from upcard.solve.chart import ALWAYS
from upcard.solve.chart_grid import CODES
from upcard.solve.exchange_points import exchange_rule
from upcard.solve.odds import Solver
from upcard.solve.play import NEVER
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Bools, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import NEVER_EXCHANGED, TwoBoxes
from upcard.trial.exact import Prices

BEFORE_THE_CHECK = (Phase.EARLY_SURRENDER, Phase.TRADES)
"""Steps in which basic play decides before the check."""


@dataclass(frozen=True)
class SimplePlay:
    """A simpler play: `ev` in base wagers a round, `cost` what it gives up against the best."""

    id: str
    words: str
    ev: float
    cost: float


@dataclass(frozen=True, repr=False)
class Simplified(Shown):
    """The best play of a game, and simpler ones."""

    tables: GameTables
    bet: int
    mode: Mode
    ev: float
    plays: tuple[SimplePlay, ...]

    def show(self, out: Printer) -> None:
        """Print every play and what it costs on a console or a page."""
        from upcard.papers.simplified_page import show_simplified

        show_simplified(self, out)

    def __repr__(self) -> str:
        return f"<Simplified play of {self.tables.ref}: {', '.join(p.id for p in self.plays)}>"


def simplify(
    tables: GameTables,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Simplified:
    """Price the chart, the chart without each of its actions, and the dealer's own rule.

    >>> from upcard import tables_for
    >>> found = simplify(tables_for("twisted-21"))
    >>> [play.id for play in found.plays]
    ['basic', 'without-double', 'mimic']
    """
    bet = wagers_of(tables, bet)[BASE]
    if tables.round_plan.exchanges:
        return _exchanging(tables, bet, mode, progress)
    solver = Solver(BaseGame(tables, progress=progress), mode, progress)
    best = solver.optimal(bet)
    basic, play = solver.basic(best)
    ev = float(solver.base_ev(best))
    found = [_priced("basic", "by the chart: total and up card", solver.base_ev(basic), ev)]
    used = _used(solver.game, basic, play)
    for number, action in enumerate(used):
        progress(f"without {action.text}", number / len(used))
        given = price_play(solver.game, best, _without(solver.game, play, action))
        words = f"by the chart, but never {CODES[action.text].words}"
        found.append(_priced(f"without-{action.text}", words, solver.base_ev(given), ev))
    prices = Prices(tables, bet, progress)
    mimic = prices.of_play(prices.priced(MimicPlay(tables)))[BASE].ev
    found.append(_priced("mimic", "by the rule that the dealer follows", mimic, ev))
    return Simplified(tables, bet, mode, ev, tuple(found))


def _priced(name: str, words: str, ev: float, best: float) -> SimplePlay:
    return SimplePlay(name, words, float(ev), float(best - ev))


def _used(game: BaseGame, basic: Solution, play: BasicPlay) -> list[Action]:
    """The actions that basic play takes somewhere, but those that every hand has."""
    found = set()
    for up, solved in basic.ups.items():
        reached = solved.reach > 0
        found |= {Action(n) for n in np.unique(solved.choice[reached]) if 0 <= n < len(Action)}
        for action in game.tables.actions:
            if ((play.leaning[up] > 0) & _offered_early(game, action, up)).any():
                found.add(action)
    return sorted(action for action in found if action not in ALWAYS)


def _offered_early(game: BaseGame, action: Action, up: int) -> Bools:
    """By state, whether an action that ends a hand or moves it is offered before the check."""
    mask = np.zeros(len(game.tables.hands), dtype=np.int64)
    if game.rows.ends_as[action] >= 0 or action in game.moving:
        for phase in BEFORE_THE_CHECK:
            mask |= game.known.offered(phase, up)
    return np.asarray((mask & action.bit) != 0)


def _without(game: BaseGame, play: BasicPlay, action: Action) -> BasicPlay:
    """The same play, but that what is next best is done in the place of an action."""

    def masked(scores: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
        own = {up: found.copy() for up, found in scores.items()}
        for found in own.values():
            found[..., action] = NEVER
        return own

    leaning = {
        up: np.where(_offered_early(game, action, up), -1.0, found)
        for up, found in play.leaning.items()
    }
    return BasicPlay(masked(play.scores), leaning, masked(play.markers))


def _exchanging(tables: GameTables, bet: int, mode: Mode, progress: Progress) -> Simplified:
    """Boxes that exchange cards: simpler exchanges, with basic play of the boxes."""
    both = TwoBoxes(tables, aim=Aim(bet=bet), mode=mode, progress=progress)
    rule = exchange_rule(both)
    ev = both.optimal.ev
    never = both.together(both.values(both.basic_boxes), NEVER_EXCHANGED).ev
    plays = (
        ("basic", "boxes by the chart, the best exchange", rule.ev),
        ("by-points", "boxes by the chart, the exchange by points", rule.points_ev),
        ("without-switch", "boxes by the chart, never an exchange", never),
    )
    return Simplified(tables, bet, mode, ev, tuple(_priced(*play, ev) for play in plays))
