"""Exact odds of the wagers on cards, which no decision of a player changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from upcard.cards import Card
from upcard.compile.observers import MatchObserver, Observer, PokerObserver, ShowdownObserver
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.match import match_rows, match_shoe
from upcard.solve.poker import by_rank_and_suit, poker_rows, showdown_rows
from upcard.solve.result import Counted, Progress, WagerOdds, counted_wager, silent
from upcard.text import listed


def card_wager(
    tables: GameTables,
    wager: str,
    progress: Progress = silent,
    *,
    shoe: Mapping[Card, int] | None = None,
) -> WagerOdds:
    """The odds of a wager on cards, from all combinations of a full shoe, or of what is left of it.

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
    cards = match_shoe(tables.alphabet) if shoe is None else shoe
    rows = _counted(observer, cards, progress)
    progress(wager, 1.0)
    return counted_wager(wager, tables.money.wagers[wager].name, rows)


def _counted(
    observer: Observer, shoe: Mapping[Card, int], progress: Progress
) -> tuple[Counted, ...]:
    match observer:
        case PokerObserver():
            return poker_rows(observer, by_rank_and_suit(shoe), progress)
        case ShowdownObserver():
            return showdown_rows(observer, by_rank_and_suit(shoe))
        case MatchObserver():
            return match_rows(observer, shoe)
        case _:
            assert_never(observer)
