"""Where the best play, which sees the cards of a hand, leaves a chart, and what that is worth.

A hand gains there what its best action is worth more than the chart's. Such gains, each as often
as play by the chart comes to the hand, add up to all that the best play is worth more: what a
later decision gains is never counted twice. Hands of a split are played otherwise too, as the
cards of the other hands suggest; what that brings is one figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from upcard.compile.context import Action
from upcard.compile.hands import NONE
from upcard.solve.base_game import BaseGame
from upcard.solve.chart_drawing import WORTH_NAMING, Drawing
from upcard.solve.graph import HandGraph
from upcard.solve.play import ACTIONS, NEVER
from upcard.solve.solution import Solution, UpCard


class Deviation(NamedTuple):
    """Cards of a hand that are better played otherwise than the chart says.

    `chance` is how often play by the chart comes to such a hand, `doubles` how often it is doubled
    then.
    """

    cards: str
    up: str
    doubles: int
    chart: Action
    better: Action
    gain: float
    chance: float

    @property
    def a_round(self) -> float:
        """What it gains a round."""
        return self.gain * self.chance


@dataclass(frozen=True)
class Deviations:
    """All hands that the best play plays otherwise, those that gain most a round first.

    Figures are base wagers a round: `splits` is what hands of a split gain, `total` all that the
    best play is worth more than the chart.
    """

    hands: tuple[Deviation, ...]
    splits: float
    total: float

    @property
    def listed(self) -> float:
        """What the hands gain together."""
        return sum(found.a_round for found in self.hands)

    @property
    def rest(self) -> float:
        """What is neither in hands nor in splits, such as what is gained by seeing other cards."""
        return self.total - self.listed - self.splits


def find_deviations(
    drawing: Drawing, optimal: Solution, chart: Solution, total: float
) -> Deviations:
    """Compare the best play with a priced chart, which is worth so much less in `total`."""
    game = drawing.game
    marked = frozenset(n for n, symbol in enumerate(game.tables.alphabet.symbols) if symbol.marked)
    names = card_names(game.graph, drawing.names, marked)
    found: list[Deviation] = []
    splits = 0.0
    for up in drawing.ups:
        best, own, shown = optimal.ups[up], chart.ups[up], drawing.shown[up]
        for doubles, node in np.argwhere(own.reach > 0).tolist():
            reach = float(own.reach[doubles, node] * own.chance)
            action, better = int(own.choice[doubles, node]), int(best.choice[doubles, node])
            if not 0 <= action < ACTIONS or not 0 <= better < ACTIONS:
                continue
            if action != better:
                worth = best.worth[doubles, node]
                gain = float(worth[better] - worth[action]) if worth[action] != NEVER else 0.0
                if gain > WORTH_NAMING:
                    actions = Action(action), Action(better)
                    cards = names[node]
                    found.append(Deviation(cards, shown, doubles, *actions, gain, reach))
            if game.rows.splits[action] and node in own.splits and node in best.splits:
                splits += reach * (best.splits[node].worth - own.splits[node].worth)
        found += _before_check(game, best, own, shown, names)
    ranked = sorted(found, key=lambda one: -one.a_round)
    return Deviations(tuple(ranked), splits, total)


def _before_check(
    game: BaseGame, best: UpCard, own: UpCard, shown: str, names: Mapping[int, str]
) -> Iterator[Deviation]:
    """First two cards that are decided otherwise before the check."""
    for _, _, node, likely in game.deal_chances(best.up):
        action, better = int(own.early_choice[node]), int(best.early_choice[node])
        gain = abs(float(best.early_gain[node]))
        if action == better or gain <= WORTH_NAMING:
            continue
        # Whoever does nothing before the check goes on to the turn.
        does, should = (
            Action(early if early < ACTIONS else int(solved.choice[0, node]))
            for early, solved in ((action, own), (better, best))
        )
        yield Deviation(names[node], shown, 0, does, should, gain, float(likely * best.chance))


def card_names(graph: HandGraph, names: list[str], marked: frozenset[int]) -> dict[int, str]:
    """The cards of every node as people write them, those put away behind them."""
    held: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {0: ((), ())}
    for node in graph.order.tolist():
        if node not in held:
            continue
        cards, away = held[node]
        for symbol, after in enumerate(graph.child[node].tolist()):
            if after >= 0:
                held.setdefault(after, ((*cards, symbol), away))
        for action in range(ACTIONS):
            after = int(graph.moved[action, node])
            if after != NONE and after not in held:
                put = [n for n, symbol in enumerate(cards) if symbol in marked][-1:]
                if action == Action.REPLACE:
                    held[after] = (), (*away, *cards)
                elif action != Action.TRADE or not put:
                    held[after] = cards, away
                else:
                    kept = (*cards[: put[0]], *cards[put[0] + 1 :])
                    held[after] = kept, (*away, cards[put[0]])
    went = "traded" if marked else "exchanged"
    return {node: _written(names, *found, went) for node, found in held.items()}


def _written(names: list[str], cards: tuple[int, ...], away: tuple[int, ...], went: str) -> str:
    words = ",".join(names[symbol] for symbol in sorted(cards, reverse=True))
    put = ",".join(names[symbol] for symbol in away)
    return f"{words} ({put} {went})" if put else words
