"""Makes charts: solves a game, draws its basic play, and prices what somebody changes in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from upcard.compile.bets import wagers_of
from upcard.compile.tables import GameTables
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, price_play
from upcard.solve.chart import Chart, PricedChange
from upcard.solve.chart_changes import ChartChange, changed_play, parse_changes
from upcard.solve.chart_drawing import Drawing
from upcard.solve.deviations import find_deviations
from upcard.solve.exchange_points import exchange_rule
from upcard.solve.given_up import check_adapted
from upcard.solve.lights import stay
from upcard.solve.odds import Solver
from upcard.solve.result import Progress, silent
from upcard.solve.solution import BASE, Aim, Solution
from upcard.solve.split import Mode
from upcard.solve.two_boxes import Boxes, TwoBoxes


class ChartMaker:
    """A solved game with its basic play, ready to be drawn."""

    def __init__(
        self,
        tables: GameTables,
        *,
        bet: int | None = None,
        ratios: Mapping[str, float] | None = None,
        mode: Mode = "CDP",
        progress: Progress = silent,
    ) -> None:
        self.tables = tables
        self.bet = wagers_of(tables, bet, ratios)[BASE]
        check_adapted(tables, ratios or ())
        self.ratios = ratios or {}
        self.mode: Mode = mode
        self.progress = progress
        self.solver = Solver(BaseGame(tables, progress=progress), mode, progress)
        riding = {wager: size for wager, size in self.ratios.items() if wager in tables.payoffs}
        self.optimal = self.solver.optimal(self.bet, riding)
        self.basic, self.play = self.solver.basic(self.optimal)

    @cached_property
    def both(self) -> TwoBoxes | None:
        """The two boxes of a game whose boxes exchange cards."""
        if not self.tables.round_plan.exchanges:
            return None
        aim = Aim(bet=self.bet)
        return TwoBoxes(self.tables, aim=aim, mode=self.mode, progress=self.progress)

    def chart(
        self,
        *,
        rounds: float | None = None,
        changes: Sequence[str] = (),
        deviations: bool = False,
    ) -> Chart:
        """The chart of basic play, with changes if there are any."""
        drawing = Drawing(self.solver.game, self.play)
        chart = self._drawn(drawing, self.basic, None)
        priced = self.basic
        if changes:
            parsed = parse_changes(chart, changes)
            drawing, priced, chart = self._changed(chart, drawing, parsed)
        if rounds is not None:
            leaving = stay(self.solver.game, self.optimal, rounds, progress=self.progress)
            by_lit = tuple(drawing.by_lit(leaving.solutions))
            chart = replace(chart, rounds=rounds, by_lit=by_lit)
        if deviations:
            found = find_deviations(drawing, self.optimal, priced, chart.ev - chart.basic_ev)
            chart = replace(chart, deviations=found)
        return chart

    def _drawn(self, drawing: Drawing, priced: Solution, boxes: Boxes | None) -> Chart:
        evs, exchange = (self.value(self.optimal), self.value(priced)), None
        if self.both is not None:
            exchange = exchange_rule(self.both, boxes)
            evs = self.both.optimal.ev, exchange.ev
        return Chart(
            tables=self.tables,
            bet=self.bet,
            ratios=self.ratios,
            mode=self.mode,
            ups=tuple(drawing.shown[up] for up in drawing.ups),
            sections=tuple(section for section in drawing.sections() if section.rows),
            differences=tuple(drawing.differences(self.optimal)),
            resplits=tuple(drawing.resplits(priced)),
            ev=evs[0],
            basic_ev=evs[1],
            rounds=None,
            by_lit=(),
            exchange=exchange,
        )

    def value(self, solution: Solution) -> float:
        """A round's result in base wagers, with all that rides on it."""
        return self.solver.base_ev(solution) + self.solver.riding(solution)

    # ------------------------------------------------------------------ changes

    def _changed(
        self, chart: Chart, drawing: Drawing, changes: tuple[ChartChange, ...]
    ) -> tuple[Drawing, Solution, Chart]:
        """The chart with all changes, and what each of them costs by itself."""
        costs = []
        for number, change in enumerate(changes):
            self.progress("changes", number / (len(changes) + 1))
            play, ups = changed_play(drawing, self.play, [change])
            _, ev = (
                self._boxes(play, ups) if self.both else (None, self.value(self._priced(play, ups)))
            )
            costs.append(PricedChange(change.text, ev, chart.basic_ev - ev))
        play, ups = changed_play(drawing, self.play, changes)
        priced = self._priced(play, ups)
        boxes = self._boxes(play, ups)[0] if self.both else None
        own = Drawing(self.solver.game, play, changed_from=self.play)
        found = self._drawn(own, priced, boxes)
        self.progress("changes", 1.0)
        return own, priced, replace(found, changes=tuple(costs), unchanged_ev=chart.basic_ev)

    def _priced(self, play: BasicPlay, ups: frozenset[int]) -> Solution:
        """A play that differs from basic play against some up cards."""
        known = {up: found for up, found in self.basic.ups.items() if up not in ups}
        return price_play(self.solver.game, self.optimal, play, known)

    def _boxes(self, play: BasicPlay, ups: frozenset[int]) -> tuple[Boxes, float]:
        """Two boxes so played, and what they are worth with the best exchange."""
        assert self.both is not None
        boxes = self.both.changed(self.both.basic_boxes, play, ups)
        return boxes, self.both.together(self.both.values(boxes)).ev
