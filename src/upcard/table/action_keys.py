"""The key of every action, the same at every table: in the terminal and in the browser.

What the house stakes has the key of what the player would: at most one of them is legal.
"""

from __future__ import annotations

from collections.abc import Mapping

from upcard.compile.context import Action

ACTION_KEYS: Mapping[Action, str] = {
    Action.HIT: "h",
    Action.STAND: "s",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "u",
    Action.INSURE: "i",
    Action.DECLINE: "n",
    Action.REDOUBLE: "r",
    Action.RESCUE: "e",
    Action.KEEP: "k",
    Action.TRADE: "t",
    Action.FREE_DOUBLE: "d",
    Action.FREE_SPLIT: "p",
    Action.SWITCH: "w",
    Action.REPLACE: "z",
}
