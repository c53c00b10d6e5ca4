"""The dealer's way to play a hand: what it does follows from the tables alone."""

from __future__ import annotations

from upcard.compile.action_rows import AddedStake
from upcard.compile.context import Action
from upcard.compile.tables import GameTables


class DealersWay:
    """Draws where the dealer would, and stands otherwise; adds nothing and gives no hand up.

    >>> from upcard import tables_for
    >>> tables = tables_for("blackjack")
    >>> ten, six = tables.alphabet.index("T"), tables.alphabet.index("6")
    >>> legal = Action.HIT.bit | Action.STAND.bit | Action.SURRENDER.bit
    >>> DealersWay(tables).choose(tables.hands.after(ten, six), legal).text
    'hit'
    """

    def __init__(self, tables: GameTables) -> None:
        effects = tables.effects
        plain = [
            action
            for action in Action
            if effects.stake[action] == AddedStake()
            and not effects.wager[action]
            and effects.ends_as[action] < 0
        ]
        drawing = [action for action in plain if effects.draws[action]]
        waiting = [action for action in plain if not effects.draws[action]]
        self._draws = tables.draws_as_dealer
        self._orders: tuple[tuple[Action, ...], ...] = (
            (*waiting, *drawing, *Action),
            (*drawing, *waiting, *Action),
        )

    def choose(self, state: int, legal: int) -> Action:
        """What is done with a hand in a state, of a mask of legal actions."""
        order = self._orders[self._draws[state]]
        return next(action for action in order if legal & action.bit)
