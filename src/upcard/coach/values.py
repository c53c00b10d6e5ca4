"""What is read off the solver's advice."""

from __future__ import annotations

from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.solve.advice import Advice
from upcard.solve.shoeless import shoeless

EXACT = "exact"


def declined(early: Advice, turn: Advice) -> float:
    """What it is worth to play on after early surrender was offered, in wagers.

    `early` is the advice before the check, `turn` that of the turn. What a natural takes is in all
    values before the check, so any action that is in both tells it.
    """
    same = next(action for action in turn.actions if action is not Action.SURRENDER)
    most = max(turn.actions.values())
    return early.actions[same] + (1 - early.natural) * (most - turn.actions[same])


def method_of(tables: GameTables, found: Advice, state: int) -> str:
    """How a hand in a state was priced: whether the price of a split is among its values."""
    splits = found.mode != "none" and not found.doubles and bool(tables.effects.splitting)
    if splits and shoeless(tables).pairs_ahead(state):
        return f"{EXACT}, splits {found.mode}"
    return EXACT
