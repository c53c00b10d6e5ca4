"""Reads strategy charts off a solved game and its basic play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.compile.names import hand_name
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.chart import MARKER, Cell, ChartSection, Difference, LitTrade, Resplit, Row
from upcard.solve.lights import trades
from upcard.solve.play import ACTIONS, NEVER
from upcard.solve.solution import Solution, UpCard

WORTH_NAMING = 1e-9
"""Less than this is no gain: it comes of rounding."""
_MANY = 3


class Drawing:
    """Reads a chart off a game and its basic play.

    A play that was `changed` is drawn beside the one it was made of, which has the values.
    """

    def __init__(
        self, game: BaseGame, play: BasicPlay, *, changed_from: BasicPlay | None = None
    ) -> None:
        self.game = game
        self.tables = game.tables
        self.play = play
        self.valued = changed_from or play
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
        whole = [s for s in complete if hands.replaced[s] != NONE and s in self.own_states]
        yield self._section("exchange", "First two cards that may be exchanged", 0, whole)
        plain = [s for s in complete if not hands.pending[s] and s not in whole]
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
            ahead, was = (own.leaning[up][state] > 0 for own in (self.play, self.valued))
            ranking = ranking[::-1] if ahead else ranking
            gained = float(self.valued.leaning[up][state])
            cells[self.shown[up]] = Cell(
                ranking[0],
                ranking,
                before_check=True,
                cost=gained if ahead else -gained,
                was=ranking[1] if ahead != was else None,
            )
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
        if legal & self.tables.effects.splitting:
            legal = self._with_further_splits(legal, state, up, marker=marker)
        early = self.early_ends(state, up) if doubles == 0 and not marker else ()
        if legal & (legal - 1) == 0 and not early:
            return None
        found = self._decided(self.play, state, up, doubles, legal, early, marker=marker)
        if found is None or self.valued is self.play:
            return found
        was = self._decided(self.valued, state, up, doubles, legal, early, marker=marker)
        return (
            found if was is None or was.action is found.action else found._replace(was=was.action)
        )

    def _decided(
        self,
        play: BasicPlay,
        state: int,
        up: int,
        doubles: int,
        legal: int,
        early: tuple[Action, ...],
        *,
        marker: bool,
    ) -> Cell | None:
        place = doubles, self.scored[state]
        scores = play.scores_of(up, marker=marker)[place]
        known = [a for a in Action if legal & a.bit and scores[a] != NEVER]
        ranking = sorted(known, key=lambda a: (-scores[a], a))
        leans = bool(early and play.leaning[up][state] > 0)
        gained = float(self.valued.leaning[up][state]) if early else 0.0
        if leans or not ranking:
            whole = (*early, *ranking)
            return Cell(whole[0], whole, before_check=True, cost=gained) if whole else None
        worth = self.valued.scores_of(up, marker=marker)[place]
        costs = [float(worth[ranking[0]] - worth[a]) for a in ranking[1:]]
        costs += [-gained] if early else []
        whole = (*ranking, *(a for a in early if a not in ranking))
        return Cell(ranking[0], whole, cost=min(costs, default=None))

    def _legal(self, state: int, up: int, doubles: int) -> int:
        """What the state may do in some hand of the round that was doubled so often."""
        if state in self.own_states:
            return int(self.tables.legal.mask[state, self.game.contexts[doubles], up])
        legal = 0
        for plan in self.game.pairs:
            if doubles < len(plan.contexts):
                legal |= int(self.tables.legal.mask[state, plan.contexts[doubles], up])
        return legal

    def _with_further_splits(self, legal: int, state: int, up: int, *, marker: bool) -> int:
        """What the state may do, with the ways to split that hands of a split have: who stakes the
        new hand may depend on how many there are. Hands with a marker have these alone.
        """
        splitting = self.tables.effects.splitting
        ways = 0
        for number, context in enumerate(self.tables.contexts.contexts):
            if context.is_split and context.marker is marker and not context.level:
                ways |= int(self.tables.legal.mask[state, number, up]) & splitting
        return legal & ~splitting | ways if marker else legal | ways

    @cached_property
    def own_states(self) -> frozenset[int]:
        """States of hands without a split."""
        return frozenset(self.game.graph.state.tolist())

    def early_ends(self, state: int, up: int) -> tuple[Action, ...]:
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
        return (cell.action, better, gain) if gain > WORTH_NAMING else None

    def resplits(self, basic: Solution) -> Iterator[Resplit]:
        """Pairs of the first two cards that are split, but not again by every hand that may."""
        for one, two, node in self.game.deals:
            for up in self.ups:
                found = basic.ups[up]
                if not self.game.rows.splits[found.choice[0, node]]:
                    continue
                # Hands with the player's money are played alike, the first and further ones.
                by_role = found.splits[node].resplits
                again = zip(by_role.first, by_role.others, strict=True)
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
