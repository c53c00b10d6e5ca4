"""Strategy charts: total-dependent play as rows of hands and columns of up cards.

Everything is read off the tables of a game and off its basic play: which states need a decision,
what is done in them, and what is done where the rules do not allow that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from upcard.compile.bets import wagers_of
from upcard.compile.context import Action
from upcard.compile.hands import NONE, total_name
from upcard.compile.names import hand_name
from upcard.compile.shows import OVER
from upcard.compile.tables import GameTables
from upcard.pages.page import Printer, Shown
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.exchange_points import ExchangeRule, exchange_rule
from upcard.solve.lights import stay, trades
from upcard.solve.odds import Solver
from upcard.solve.play import ACTIONS, NEVER
from upcard.solve.result import Progress, silent
from upcard.solve.solution import BASE, Aim, Solution, UpCard
from upcard.solve.split import Mode
from upcard.solve.two_boxes import TwoBoxes

ALWAYS = (Action.HIT, Action.STAND, Action.KEEP)
"""Actions that no rule takes away from a hand that is asked at all, or that end the matter."""
MARKER = "marker-"
"""What the ids of sections begin with that are for hands with the house's marker."""
_WORTH_NAMING = 1e-9
_MANY = 3
"""Games that count no further tell two cards from three or more."""


class Cell(NamedTuple):
    """What to do: `ranking` has every action the hand may ever have, the best first.

    With `before_check` the first one comes before the check, and the others are for the turn, where
    the same action may come up once more.
    """

    action: Action
    ranking: tuple[Action, ...]
    before_check: bool = False

    @property
    def fallback(self) -> Action | None:
        """What to do where the action is not allowed."""
        return next((a for a in self.ranking if a is not self.action and a in ALWAYS), None)


@dataclass(frozen=True)
class Row:
    """Hands that basic play does not tell apart. Totals are in half points.

    `cards` is the number of cards, the largest of a game standing for all more; `cells` are by
    the name of the up card, without those that the hand cannot meet. `state` is the hand's number
    in the tables of the game.
    """

    state: int
    hand: str
    total: int
    soft: bool
    pair: str
    cards: int
    pending: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class ChartSection:
    """Rows of one kind. `doubles` is how often the hand was doubled.

    With `marker` they are hands that the house staked, which have nothing to lose.
    """

    id: str
    title: str
    doubles: int
    rows: tuple[Row, ...]
    marker: bool = False


class Difference(NamedTuple):
    """First two cards that are better played by their cards than by their total."""

    cards: str
    up: str
    chart: Action
    better: Action
    gain: float
    chance: float


class LitTrade(NamedTuple):
    """A bonus card among the first two that is decided otherwise with so many lights lit."""

    lit: int
    hand: str
    up: str
    action: Action


class Resplit(NamedTuple):
    """A pair that the chart splits, come to a hand of a split when there are so many hands.

    Whether it makes one more hand, if it is the box's first hand and if it is another.
    """

    pair: str
    up: str
    hands: int
    first: bool
    others: bool


class Block(NamedTuple):
    """Columns of a chart that stand in one table: each a name and the shown cards in it."""

    title: str
    columns: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, repr=False)
class Chart(Shown):
    """The basic play of a game. `ups` is all that the dealer shows, as usual with the ace last.

    `resplits` has the pairs that are split, but not again by every hand that may. `by_lit` is what
    a player who stays for so many `rounds` trades unlike the chart, which is for endless play.
    """

    tables: GameTables
    bet: int
    ratios: Mapping[str, float]
    mode: Mode
    ups: tuple[str, ...]
    sections: tuple[ChartSection, ...]
    differences: tuple[Difference, ...]
    resplits: tuple[Resplit, ...]
    ev: float
    basic_ev: float
    rounds: float | None
    by_lit: tuple[LitTrade, ...]
    exchange: ExchangeRule | None = None

    def show(self, out: Printer) -> None:
        """Print the chart, its legend and its exceptions on a console or a page."""
        from upcard.solve.chart_page import show_chart

        show_chart(self, out)

    def __repr__(self) -> str:
        rows = sum(len(section.rows) for section in self.sections)
        return f"<Chart of {self.tables.ref}: {rows} rows, EV {self.basic_ev:+.4%}>"

    def section(self, name: str) -> ChartSection | None:
        """The section of that id, if the chart has it."""
        return next((found for found in self.sections if found.id == name), None)

    def cell(self, section: str, hand: str, up: str, cards: int = 2) -> Cell:
        """One decision.

        >>> from upcard import tables_for
        >>> chart = draw_chart(tables_for("blackjack"))
        >>> chart.cell("hard", "16", "T").action.text, chart.cell("pairs", "8,8", "T").action.text
        ('surrender', 'split')
        """
        found = self.section(section)
        for row in found.rows if found else ():
            if row.hand == hand and row.cards == cards and up in row.cells:
                return row.cells[up]
        raise KeyError(section, hand, up, cards)

    @cached_property
    def by_count(self) -> bool:
        """Whether play goes by the number of cards beyond telling two from more."""
        for section in self.sections:
            seen: dict[tuple[int, bool, str], Action] = {}
            for row in section.rows:
                if row.cards < _MANY or row.pending:
                    continue
                for up, cell in row.cells.items():
                    if seen.setdefault((row.total, row.soft, up), cell.action) is not cell.action:
                        return True
        return False

    @property
    def columns(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Up cards that are played alike in every row, under the name of the first."""
        return tuple(column for block in self.blocks for column in block.columns)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Columns that stand in one table: all, where only the up card is shown.

        A column has all that is shown and played alike, of cards with equal values; where both of
        the dealer's cards lie face up, of equal totals.
        """
        blocks: dict[str, list[tuple[object, str, list[str]]]] = {}
        for up in self.ups:
            title, key, name = self._shown_as(up)
            columns = blocks.setdefault(title, [])
            for other, _, group in columns:
                if other == key and self._alike(group[0], up):
                    group.append(up)
                    break
            else:
                columns.append((key, name, [up]))
        return tuple(
            Block(title, tuple(self._named(columns))) for title, columns in sorted(blocks.items())
        )

    def _shown_as(self, up: str) -> tuple[str, object, str]:
        """The block that something shown belongs to, what columns in it go by, and its name."""
        dealer, symbols = self.tables.dealer, self.tables.alphabet.symbols
        number = dealer.shown.index(up)
        above = dealer.shown.up[number]
        symbol = symbols[above]
        if dealer.shown.face_up:
            state = dealer.after(int(above), dealer.shown.seconds[number][0])
            total = total_name(int(dealer.total[state]))
            kind = "soft" if dealer.soft[state] else "hard"
            return f"the dealer has a {kind} total", total, total
        told = up.partition(OVER)[2]
        return f"the down card is {told}" if told else "", (symbol.low, symbol.high), symbol.name

    def _named(
        self, columns: list[tuple[object, str, list[str]]]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Columns by name: where cards of one total are not played alike, by their cards."""
        often = Counter(name for _, name, _ in columns)
        for _, name, group in columns:
            own = group[0] if self.tables.dealer.shown.face_up and often[name] > 1 else name
            yield own, tuple(group)

    def _alike(self, one: str, two: str) -> bool:
        for section in self.sections:
            for row in section.rows:
                cells = (row.cells.get(one), row.cells.get(two))
                actions = {cell.action for cell in cells if cell is not None}
                if len(actions) > 1:
                    return False
        return True


def draw_chart(
    tables: GameTables,
    *,
    bet: int | None = None,
    ratios: Mapping[str, float] | None = None,
    mode: Mode = "CDP",
    rounds: float | None = None,
    progress: Progress = silent,
) -> Chart:
    """Solve a game and draw its basic play; with lights, also for a stay of so many rounds."""
    bet = wagers_of(tables, bet, ratios)[BASE]
    riding = {wager: ratio for wager, ratio in (ratios or {}).items() if wager in tables.payoffs}
    solver = Solver(BaseGame(tables, progress=progress), mode, progress)
    optimal = solver.optimal(bet, riding)
    basic, play = solver.basic(optimal)
    drawing = Drawing(solver.game, play)
    by_lit: tuple[LitTrade, ...] = ()
    evs = (
        solver.base_ev(optimal) + solver.riding(optimal),
        solver.base_ev(basic) + solver.riding(basic),
    )
    exchange: ExchangeRule | None = None
    if tables.round_plan.exchanges:
        both = TwoBoxes(tables, aim=Aim(bet=bet), mode=mode, progress=progress)
        exchange, evs = exchange_rule(both), (both.optimal.ev, both.with_basic.ev)
    if rounds is not None:
        leaving = stay(solver.game, optimal, rounds, progress=progress)
        by_lit = tuple(drawing.by_lit(leaving.solutions))
    return Chart(
        tables=tables,
        bet=bet,
        ratios=ratios or {},
        mode=mode,
        ups=tuple(drawing.shown[up] for up in drawing.ups),
        sections=tuple(section for section in drawing.sections() if section.rows),
        differences=tuple(drawing.differences(optimal)),
        resplits=tuple(drawing.resplits(basic)),
        ev=evs[0],
        basic_ev=evs[1],
        rounds=rounds,
        by_lit=by_lit,
        exchange=exchange,
    )


class Drawing:
    """Reads a chart off a game and its basic play."""

    def __init__(self, game: BaseGame, play: BasicPlay) -> None:
        self.game = game
        self.tables = game.tables
        self.play = play
        self.names = [symbol.name for symbol in self.tables.alphabet.symbols]
        self.shown = self.tables.dealer.shown.names
        present = np.flatnonzero(game.shown.chances(game.counts, step=game.step) > 0).tolist()
        asking = [up for up in present if not game.dealer.is_natural(up)]
        self.ups = sorted(asking, key=self._order)

    def _order(self, up: int) -> tuple[object, ...]:
        """In the usual order: by value, the ace last; by total, where both cards are shown."""
        dealer, symbols = self.tables.dealer, self.tables.alphabet.symbols
        above, seconds = int(dealer.shown.up[up]), dealer.shown.seconds[up]
        if dealer.shown.face_up:
            state = dealer.after(above, seconds[0])
            return bool(dealer.soft[state]), int(dealer.total[state]), up
        told = int(dealer.shown.told_of[seconds[0]])
        return told, symbols[above].is_ace, symbols[above].low, up

    @cached_property
    def scored(self) -> Mapping[int, int]:
        """The state whose scores decide, for every state that can come up.

        A hand that only a split can give is played like the same cards without a split.
        """
        found = {int(state): int(state) for state in np.unique(self.game.graph.state)}
        for plan in self.game.pairs:
            for node, twin in enumerate(plan.twin.tolist()):
                if twin >= 0:
                    state = int(plan.graph.state[node])
                    found.setdefault(state, int(self.game.graph.state[twin]))
        return found

    @cached_property
    def first_states(self) -> frozenset[int]:
        """States of hands before the check."""
        return frozenset(self.game.graph.state[self.game.first_nodes].tolist())

    def sections(self) -> Iterator[ChartSection]:
        """All sections, those of a first decision before those of doubled hands."""
        hands, first = self.tables.hands, self.tables.round_plan.first_cards
        complete = [s for s in sorted(self.scored) if hands.cards[s] >= first]
        plain = [s for s in complete if not hands.pending[s]]
        waiting = [s for s in complete if hands.pending[s]]
        pairs = [state for state in plain if self._splits(state)]
        totals = [state for state in plain if state not in pairs]
        for doubles in range(len(self.game.contexts)):
            named = "" if doubles == 0 else f"doubled-{doubles}-"
            after = "" if doubles == 0 else f", doubled {_times(doubles)}"
            hard = [state for state in totals if not hands.soft[state]]
            soft = [state for state in totals if hands.soft[state]]
            yield self._section(f"{named}hard", f"Hard totals{after}", doubles, hard)
            yield self._section(f"{named}soft", f"Soft totals{after}", doubles, soft)
            if doubles == 0:
                yield self._section("pairs", "Pairs", 0, pairs)
                yield from self._first_trades([s for s in waiting if hands.cards[s] == first])
            later = [s for s in waiting if hands.cards[s] > first]
            title = f"Bonus card drawn later{after}"
            yield self._section(f"{named}trade-later", title, doubles, later)
        yield from self._markers(totals, pairs)

    def _markers(self, totals: list[int], pairs: list[int]) -> Iterator[ChartSection]:
        """Hands of a split that the house staked."""
        hands, free = self.tables.hands, [plan for plan in self.game.pairs if plan.free]
        inside = {state for plan in free for state in plan.graph.state.tolist()}
        for name, title, states in (
            ("hard", "Hard totals", [s for s in totals if not hands.soft[s]]),
            ("soft", "Soft totals", [s for s in totals if hands.soft[s]]),
            ("pairs", "Pairs", pairs),
        ):
            own = [state for state in states if state in inside]
            title = f"{title}, hands with the house's marker"
            yield self._section(f"{MARKER}{name}", title, 0, own, marker=True)

    def _first_trades(self, states: list[int]) -> Iterator[ChartSection]:
        inside = {s for plan in self.game.pairs for s in plan.graph.state.tolist()}
        if self.game.trades_first:
            rows = [self._row(state, self._early_trades(state)) for state in states]
            title = "Bonus card among the first two, before the check"
            yield ChartSection("trade-first", title, 0, _in_order(row for row in rows if row.cells))
            split = [state for state in states if state in inside]
        else:
            own = [state for state in states if state in self.own_states]
            yield self._section("trade-first", "Bonus card among the first two", 0, own)
            split = [state for state in states if state not in self.own_states]
        yield self._section("trade-split", "Bonus card as second card of a split hand", 0, split)

    def _early_trades(self, state: int) -> dict[str, Cell]:
        cells = {}
        for up in self.ups:
            mask = int(self.tables.legal.mask[state, self.game.contexts[0], up])
            ranking = tuple(action for action in self.game.moving if mask & action.bit)
            if len(ranking) < 2 or state not in self.first_states:
                continue
            if self.play.leaning[up][state] > 0:
                ranking = ranking[::-1]
            cells[self.shown[up]] = Cell(ranking[0], ranking, before_check=True)
        return cells

    def _section(
        self, name: str, title: str, doubles: int, states: list[int], *, marker: bool = False
    ) -> ChartSection:
        rows = []
        for state in states:
            cells = {}
            for up in self.ups:
                cell = self.cell(state, up, doubles, marker=marker)
                if cell is not None:
                    cells[self.shown[up]] = cell
            if cells:
                rows.append(self._row(state, cells))
        return ChartSection(name, title, doubles, _in_order(rows), marker)

    def cell(self, state: int, up: int, doubles: int, *, marker: bool = False) -> Cell | None:
        """What basic play does with a state, None where there is nothing to decide."""
        legal = self._legal(state, up, doubles)
        early = self._early_ends(state, up) if doubles == 0 and not marker else ()
        if legal & (legal - 1) == 0 and not early:
            return None
        scores = self.play.scores_of(up, marker=marker)[doubles, self.scored[state]]
        known = [a for a in Action if legal & a.bit and scores[a] != NEVER]
        ranking = sorted(known, key=lambda a: (-scores[a], a))
        leans = bool(early and self.play.leaning[up][state] > 0)
        if leans:
            ranking = [*early, *ranking]
        elif ranking:
            return Cell(ranking[0], (*ranking, *(a for a in early if a not in ranking)))
        else:
            ranking = [*early]
        return Cell(ranking[0], tuple(ranking), before_check=True) if ranking else None

    def _legal(self, state: int, up: int, doubles: int) -> int:
        """What the state may do in some hand of the round that was doubled so often."""
        if state in self.own_states:
            return int(self.tables.legal.mask[state, self.game.contexts[doubles], up])
        legal = 0
        for plan in self.game.pairs:
            if doubles < len(plan.contexts):
                legal |= int(self.tables.legal.mask[state, plan.contexts[doubles], up])
        return legal

    @cached_property
    def own_states(self) -> frozenset[int]:
        """States of hands without a split."""
        return frozenset(self.game.graph.state.tolist())

    def _early_ends(self, state: int, up: int) -> tuple[Action, ...]:
        """What may end the hand before the check."""
        mask = int(self.game.known.early_ends(up)[state]) if state in self.first_states else 0
        return tuple(action for action in Action if mask & action.bit)

    def _splits(self, state: int) -> bool:
        mask = self.tables.legal.mask[state, self.game.contexts[0]]
        return bool((mask & self.tables.effects.splitting).any())

    def _row(self, state: int, cells: Mapping[str, Cell]) -> Row:
        hands = self.tables.hands
        total, soft = int(hands.total[state]), bool(hands.soft[state])
        pending = int(hands.pending[state])
        symbol = int(hands.pair_symbol[state])
        pair = self.names[symbol] if symbol != NONE and self._splits(state) else ""
        return Row(
            state=state,
            hand=hand_name(total, self.tables.alphabet, soft=soft, pair=pair, pending=pending),
            total=total,
            soft=soft,
            pair=pair,
            cards=int(hands.cards[state]),
            pending=pending,
            cells=cells,
        )

    def differences(self, optimal: Solution) -> Iterator[Difference]:
        """First two cards whose best play is not the chart's, the costliest first."""
        found = []
        for up in self.ups:
            best = optimal.ups[up]
            for one, two, node, likely in self.game.deal_chances(up):
                differs = self._difference(best, node)
                if differs is not None:
                    cards = f"{self.names[two]},{self.names[one]}"
                    chance = float(best.chance * likely)
                    found.append(Difference(cards, self.shown[up], *differs, chance))
        yield from sorted(found, key=lambda item: -item.gain * item.chance)

    def _difference(self, best: UpCard, node: int) -> tuple[Action, Action, float] | None:
        state = int(self.game.graph.state[node])
        waits = self.tables.hands.pending[state]
        cell = self._first_trade(state, best.up) if waits else self.cell(state, best.up, 0)
        if cell is None:
            return None
        early, turn = int(best.early_choice[node]), int(best.choice[0, node])
        decided = early < ACTIONS
        better = Action(early if decided else turn)
        if better is cell.action:
            return None
        if decided or cell.before_check:
            gain = abs(float(best.early_gain[node]))
        else:
            gain = float(best.worth[0, node, better] - best.worth[0, node, cell.action])
        return (cell.action, better, gain) if gain > _WORTH_NAMING else None

    def resplits(self, basic: Solution) -> Iterator[Resplit]:
        """Pairs of the first two cards that are split, but not again by every hand that may."""
        for one, two, node in self.game.deals:
            for up in self.ups:
                found = basic.ups[up]
                if not self.game.rows.splits[found.choice[0, node]]:
                    continue
                again = zip(*found.splits[node].resplits, strict=True)
                for hands, (first, others) in enumerate(again, 2):
                    if not (first and others):
                        pair = f"{self.names[two]},{self.names[one]}"
                        yield Resplit(pair, self.shown[up], hands, first, others)

    def by_lit(self, solutions: Mapping[int, Solution]) -> Iterator[LitTrade]:
        """First bonus cards that solutions by lights lit decide otherwise than the chart."""
        hands = self.tables.hands
        first = hands.cards == self.tables.round_plan.first_cards
        waiting = [s for s in sorted(self.own_states) if hands.pending[s] and first[s]]
        for lit, solution in solutions.items():
            for state in waiting:
                for up in self.ups:
                    cell = self._first_trade(state, up)
                    action = trades(self.game, solution, up, state)
                    if cell is not None and action not in (None, cell.action):
                        name = self._row(state, {}).hand
                        yield LitTrade(lit, name, self.shown[up], Action(action))

    def _first_trade(self, state: int, up: int) -> Cell | None:
        if self.game.trades_first:
            return self._early_trades(state).get(self.shown[up])
        return self.cell(state, up, 0)


def _in_order(rows: Iterator[Row] | list[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: (row.total, row.soft, row.pending, row.cards)))


def _times(doubles: int) -> str:
    return ("", "once", "twice")[doubles] if doubles < _MANY else f"{doubles} times"
