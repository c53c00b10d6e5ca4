"""Exact odds of the wagers on cards, which no decision of a player changes."""

from __future__ import annotations

from typing import assert_never

from upcard.compile.observers import MatchObserver, Observer, PokerObserver, ShowdownObserver
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.match import match_rows, match_shoe
from upcard.solve.poker import poker_rows, poker_shoe, showdown_rows
from upcard.solve.result import Counted, Progress, WagerOdds, counted_wager, silent
from upcard.text import listed


def card_wager(tables: GameTables, wager: str, progress: Progress = silent) -> WagerOdds:
    """The odds of a wager on cards, from all combinations of a full shoe.

    >>> from upcard import tables_for
    >>> match = card_wager(tables_for("pure-spanish-21.5"), "match")
    >>> sum(row.combinations for row in match.returns), round(100 * match.edge, 4)
    (41041, 3.0555)
    """
    observer = tables.observers.get(wager)
    if observer is None:
        known = listed(tables.observers, "and") or "none"
        raise UpcardError(f'{tables.name} has no wager "{wager}" on cards; it has {known}')
    progress(wager, 0.0)
    rows = _counted(tables, observer, progress)
    progress(wager, 1.0)
    return counted_wager(wager, tables.money.wagers[wager].name, rows)


def _counted(tables: GameTables, observer: Observer, progress: Progress) -> tuple[Counted, ...]:
    match observer:
        case PokerObserver():
            return poker_rows(observer, poker_shoe(tables.alphabet), progress)
        case ShowdownObserver():
            return showdown_rows(observer, poker_shoe(tables.alphabet))
        case MatchObserver():
            return match_rows(observer, match_shoe(tables.alphabet))
        case _:
            assert_never(observer)
