"""Exact odds of the wagers on cards, which no decision of a player changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from upcard.cards import Card
from upcard.compile.card_observer import CardObserver
from upcard.compile.observers import MatchObserver, PokerObserver, ShowdownObserver
from upcard.compile.pay_rows import LOSES, NO_ROW
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.card_rows import RowChances, first_card_rows, third_card_chances
from upcard.solve.dealer_rows import dealer_chances
from upcard.solve.match import match_rows, match_shoe
from upcard.solve.poker import by_rank_and_suit, poker_rows, showdown_rows
from upcard.solve.result import (
    Counted,
    Progress,
    WagerOdds,
    chance_wager,
    counted_wager,
    silent,
)
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
    name = tables.money.wagers[wager].name
    if isinstance(observer, CardObserver):
        found = _by_conditions(tables, observer, name, cards)
    else:
        found = counted_wager(wager, name, _counted(observer, cards, progress))
    progress(wager, 1.0)
    return found


def depends_on_play(tables: GameTables, wager: str) -> bool:
    """Whether a third card that a wager looks at comes only if the hand draws one."""
    observer = tables.observers.get(wager)
    return (
        isinstance(observer, CardObserver) and observer.looks_at_third and not observer.guaranteed
    )


def _by_conditions(
    tables: GameTables, observer: CardObserver, name: str, shoe: Mapping[Card, int]
) -> WagerOdds:
    """A wager by rows of conditions: in combinations where a few cards settle it."""
    if observer.looks_at_dealer:
        return _chanced(observer, name, dealer_chances(tables, observer, shoe))
    if depends_on_play(tables, observer.wager):
        found = _chanced(observer, name, third_card_chances(tables, observer, shoe))
        return replace(found, strategy="a third card whenever it can be drawn")
    return counted_wager(observer.wager, name, first_card_rows(observer, shoe))


def _chanced(observer: CardObserver, name: str, found: RowChances) -> WagerOdds:
    rows = [
        (*pay, found.get(row, Fraction(0)))
        for row, pay in enumerate(observer.rows)
        if row < len(observer.printed) or row in found
    ]
    rows.append(("loses", LOSES, "", found.get(NO_ROW, Fraction(0))))
    return chance_wager(observer.wager, name, rows)


def _counted(
    observer: MatchObserver | PokerObserver | ShowdownObserver,
    shoe: Mapping[Card, int],
    progress: Progress,
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
