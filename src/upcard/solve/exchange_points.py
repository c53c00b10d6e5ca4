"""A rule for the exchange that a person can use: hands have points, and the larger sum is taken.

Points are what a box with such cards is worth by itself, in hundredths of a wager, when nothing is
known of the other box. They ignore that the cards of the other box are gone; what that costs is
worked out exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Phase
from upcard.compile.hands import NONE
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Bools, Floats, Solution
from upcard.solve.two_boxes import Boxes, JointPlay, TwoBoxes


class HandPoints(NamedTuple):
    """Two cards and their points by up card; `exchanged`: an exchange has brought them together."""

    cards: str
    exchanged: bool
    points: dict[str, int]


@dataclass(frozen=True)
class ExchangeRule:
    """Points of two cards, and what exchanging by them is worth with basic play.

    `deals` are, by up card, all deals in which cards are exchanged by the best exchange with basic
    play, the two cards of each box; `ev` is for one box with it, `points_ev` with points.
    """

    hands: tuple[HandPoints, ...]
    deals: dict[str, tuple[tuple[str, str], ...]]
    chance: float
    ev: float
    points_ev: float


def exchange_rule(game: TwoBoxes, boxes: Boxes | None = None) -> ExchangeRule:
    """Points for all hands, and what they are worth with basic play, or with `boxes` so played."""
    names = [symbol.name for symbol in game.tables.alphabet.symbols]
    best = game.alone.solve(game.aim, mode=game.mode)
    kept, exchanged = hand_points(game, best)
    number = game.number
    a, b, c, d = np.indices((len(number),) * 4)
    stay = kept[:, number[a, b]] + kept[:, number[c, d]]
    switch = exchanged[:, number[a, d]] + exchanged[:, number[c, b]]
    by_points = switch > stay
    values = game.values(game.basic_boxes if boxes is None else boxes)
    play = game.together(values)
    pointed = game.together(values, by_points)
    return ExchangeRule(
        hands=tuple(_listed(game, names, kept, exchanged)),
        deals={
            names[up]: tuple(_deals(names, play, up))
            for up in range(len(names))
            if play.chance[up].any()
        },
        chance=play.switch_chance,
        ev=play.ev,
        points_ev=pointed.ev,
    )


def hand_points(game: TwoBoxes, best: Solution) -> tuple[Floats, Floats]:
    """`[up, two cards]`: whole points of cards as dealt, and brought together by an exchange."""
    found = np.zeros((2, len(game.counts), len(game.pairs)))
    for own, (one, two) in enumerate(game.pairs):
        node = game.alone.graph.find(one, two)
        if node < 0:
            continue
        for up, solved in best.ups.items():
            for place, at in enumerate((node, game.moved(game.alone.graph, node))):
                found[place, up, own] = np.rint(100 * solved.value[at, 0])
    return found[0], found[1]


def _listed(
    game: TwoBoxes, names: list[str], kept: Floats, exchanged: Floats
) -> Iterator[HandPoints]:
    ups = [up for up in range(len(names)) if game.counts[up] > 0]
    for own, (one, two) in enumerate(game.pairs):
        cards = f"{names[one]} {names[two]}"
        yield HandPoints(cards, False, {names[up]: int(kept[up, own]) for up in ups})
        if (kept[:, own] != exchanged[:, own]).any():
            yield HandPoints(cards, True, {names[up]: int(exchanged[up, own]) for up in ups})


def _deals(names: list[str], play: JointPlay, up: int) -> Iterator[tuple[str, str]]:
    possible: Bools = play.switches[up] & (play.chance[up] > 0)
    for a, b, c, d in np.argwhere(possible).tolist():
        yield f"{names[a]} {names[b]}", f"{names[c]} {names[d]}"


def state_points(game: BaseGame, best: Solution) -> npt.NDArray[np.int16]:
    """`[up, state]`: points of two cards by what the rules tell apart, averaged over the cards."""
    symbols, states = len(game.counts), len(game.tables.hands)
    weight, total = np.zeros((symbols, states)), np.zeros((symbols, states))
    exchange = game.tables.round_plan.step(Phase.EXCHANGE).offers
    for up, solved in best.ups.items():
        for _, _, node, chance in game.deal_chances(up):
            nodes = {node, *(int(game.graph.moved[action, node]) for action in exchange)} - {NONE}
            for at in nodes:
                weight[up, game.graph.state[at]] += chance
                total[up, game.graph.state[at]] += chance * 100 * solved.value[at, 0]
    found = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    return np.rint(found).astype(np.int16)
