"""A strategy as arrays: of every action how good it is, in every spot that a game can have.

Working it out takes some seconds and the solver; reading it takes neither. So it is worked out once
a process, and kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.table.bots import Spot

Ranks = npt.NDArray[np.int8]
Points = npt.NDArray[np.int16]
Progress = Callable[[str, float], None]

WORKING = "The bots work out how to play: some seconds, once for this game."


@dataclass(frozen=True)
class RankedStrategy:
    """The legal action of the highest rank is played.

    `turn[context, up, state, action]` is for every context; `early[up, state, action]` for what is
    decided in a hand's own context, but before the dealer's check. Two boxes exchange cards where
    their `points[up, state]` are more then; without that there are none such.
    """

    turn: Ranks
    early: Ranks
    points: Points | None = None

    def choose(self, spot: Spot) -> Action:
        row = (
            self.early[spot.up, spot.state]
            if spot.before_check
            else self.turn[spot.context, spot.up, spot.state]
        ).tolist()
        legal = [action for action in Action if spot.legal & action.bit]
        if self.points is not None and spot.boxes:
            stay, switch = self.points[spot.up][list(spot.boxes)].reshape(2, 2).sum(axis=1)
            if switch > stay:  # what is not done otherwise
                return min(legal, key=lambda action: (row[action], -action))
        return max(legal, key=lambda action: (row[action], -action))

    def fits(self, tables: GameTables) -> bool:
        """Whether these can be the ranks of a game."""
        spots = (len(tables.dealer.shown), len(tables.hands), len(Action))
        shapes = ((len(tables.contexts), *spots), spots)
        points = None if self.points is None else self.points.shape
        if points != (spots[:2] if tables.round_plan.exchanges else None):
            return False
        return (self.turn.shape, self.early.shape) == shapes and (
            self.turn.dtype == self.early.dtype == np.int8
        )


MOST_FOUND = 64
"""Strategies that stay in memory; a house plays by any settings that somebody thinks of."""
_found: dict[str, RankedStrategy] = {}


def _keep(fingerprint: str, found: RankedStrategy) -> None:
    _found[fingerprint] = found
    for oldest in list(_found)[:-MOST_FOUND]:
        _found.pop(oldest, None)


def basic_strategy(tables: GameTables, progress: Progress | None = None) -> RankedStrategy:
    """The solver's basic strategy of a game, for the base wager alone."""
    from upcard.players import kept

    found = _found.get(tables.fingerprint)
    if found is None:
        found = kept.load(tables)
    if found is None:
        from upcard.players.solved import solve

        found = solve(tables, progress)
        kept.save(tables, found)
    _keep(tables.fingerprint, found)
    return found


class SolvedWhenNeeded:
    """The solver's basic strategy; nothing is loaded before somebody has to decide.

    Where it is not worked out yet, `tell` says what one waits for.
    """

    def __init__(self, tables: GameTables, tell: Callable[[str], None] | None = None) -> None:
        self.tables = tables
        self.tell = tell

    def choose(self, spot: Spot) -> Action:
        return self.found.choose(spot)

    @cached_property
    def found(self) -> RankedStrategy:
        if self.tell is not None and not is_at_hand(self.tables):
            self.tell(WORKING)
        return basic_strategy(self.tables)


def is_at_hand(tables: GameTables) -> bool:
    """Whether a game's strategy is worked out already."""
    from upcard.players import kept

    if tables.fingerprint not in _found and (found := kept.load(tables)) is not None:
        _keep(tables.fingerprint, found)
    return tables.fingerprint in _found
