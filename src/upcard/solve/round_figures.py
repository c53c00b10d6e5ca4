"""Further figures of a round: what is staked in it on average, and what the dealer ends with."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

import numpy as np

from upcard.compile.tables import GameTables
from upcard.solve.base_game import BaseGame
from upcard.solve.solution import Ends, Floats, Solution, SolvedSplit

DealerHands = Mapping[str, Mapping[str, float]]
"""By what the dealer shows, how likely every final hand of the dealer is."""


def stakes_by_level(tables: GameTables) -> Floats:
    """What a player has staked on a hand by how it was doubled, in first wagers."""
    return np.asarray(tables.effects.at_stake.max(axis=0), dtype=np.float64)


def average_stake(game: BaseGame, solution: Solution) -> float:
    """What a player stakes in a round on average, doubles and splits included."""
    stakes = stakes_by_level(game.tables)
    total = 0.0
    for up in solution.ups.values():
        total += up.chance * staked(up.ends, stakes)
        for node, chance in up.split_chance.items():
            total += up.chance * chance * split_stake(game, up.splits[node], stakes)
    return total


def split_stake(game: BaseGame, split: SolvedSplit, stakes: Floats) -> float:
    """What is staked in a split; the house may have staked the new hands itself."""
    plan = next(plan for plan in game.pairs if plan.node == split.node)
    level = game.tables.effects.marker_level if plan.free else 0
    found = staked(split.first, stakes) + staked(split.others, stakes[level:])
    return found if split.further is None else found + staked(split.further, stakes)


def staked(ends: Ends, stakes: Floats) -> float:
    """What is staked on hands that end so."""
    hands = ends.hands.sum(axis=(1, 2))
    return float(hands @ stakes[: len(hands)])


def dealer_hands(game: BaseGame) -> DealerHands:
    """What the dealer ends with when the hand is played out, from a shoe without the shown cards.

    >>> from upcard import tables_for
    >>> found = dealer_hands(BaseGame(tables_for("blackjack")))
    >>> round(found["6"]["bust"], 4), round(sum(found["A"].values()), 9)
    (0.4228, 1.0)
    """
    tables = game.tables
    dealer, shown = game.dealer, game.shown
    names = [
        tables.natural_name if found.is_natural else found.name for found in tables.dealer.classes
    ]
    chances = dealer.chances(game.counts[None, :].astype(np.float64), step=game.step)[:, 0]
    found = {}
    for up in np.flatnonzero(shown.chances(game.counts, step=game.step) > 0).tolist():
        natural = _natural_found(game, up)
        row = (1 - natural) * chances[int(dealer.kind_of[up])]
        row = row + natural * (np.arange(len(names)) == dealer.natural_class)
        found[shown.names[up]] = {
            name: float(chance) for name, chance in zip(names, row, strict=True) if chance > 0
        }
    return found


def all_dealer_hands(game: BaseGame, by_shown: DealerHands) -> Mapping[str, float]:
    """The same whatever the dealer shows."""
    likely = game.shown.chances(game.counts, step=game.step)
    found: dict[str, float] = {}
    for shown, hands in by_shown.items():
        chance = float(likely[game.shown.index(shown)])
        for name, one in hands.items():
            found[name] = found.get(name, 0.0) + chance * one
    return found


def _natural_found(game: BaseGame, up: int) -> float:
    """The chance that the check finds a natural under what is shown."""
    automaton = game.tables.dealer
    first = int(game.shown.up[up])
    if game.dealer.is_natural(up):
        return 1.0
    if not automaton.checks[first]:
        return 0.0
    left = game.counts.copy()
    left[first] -= int(game.step)
    may_be = game.shown.down[up]
    cards = int(left[may_be].sum())
    others = cards - int(left[automaton.natural[first] & may_be].sum())
    if not game.step:
        return 1 - (others / cards) ** automaton.looks
    return 1 - comb(others, automaton.looks) / comb(cards, automaton.looks)
