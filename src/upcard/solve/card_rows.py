"""Exact odds of wagers on a few first cards, by rows of conditions, from any shoe."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm

import numpy as np
import numpy.typing as npt

from upcard.cards import Card
from upcard.compile.card_observer import CardObserver
from upcard.compile.card_sets import CARDS, FIRST_TWO, CardTable, seen_by, tuples
from upcard.compile.pay_rows import LOSES, NO_ROW
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.solve.result import Counted

Ints = npt.NDArray[np.int64]
TOO_FEW = "there are not enough cards left in the shoe for this wager"
RowChances = dict[int, Fraction]
"""How likely each row is."""


def card_counts(shoe: Mapping[Card, int]) -> Ints:
    """How often each card is in a shoe, by its number."""
    counts = np.zeros(CARDS, dtype=np.int64)
    for card, copies in shoe.items():
        counts[card.number] = copies
    return counts


def ways(counts: Ints, size: int) -> Ints:
    """The ways to draw every sequence of so many cards, in the order of `tuples`."""
    found = np.ones(CARDS**size, dtype=np.int64)
    cards = tuples(size)
    for place in range(size):
        before = (cards[:, :place] == cards[:, place : place + 1]).sum(axis=1)
        found *= np.maximum(counts[cards[:, place]] - before, 0)
    return found


def first_card_rows(observer: CardObserver, shoe: Mapping[Card, int]) -> tuple[Counted, ...]:
    """The rows of a wager on first cards and what loses, in combinations.

    A combination has the player's first two cards in any order, and where a row asks for it the
    dealer's second card.
    """
    counts, table = card_counts(shoe), observer.table
    size, every = table.players + table.up, ways(counts, table.players + table.up)
    by_kind = [int(every[table.kind == kind].sum()) for kind in range(len(table.row))]
    _need_cards(by_kind)
    found: Counter[int] = Counter()
    open_kinds = [n for n, rows in enumerate(table.row) if len(set(rows.tolist())) > 1]
    more = FIRST_TWO - table.up if open_kinds else 0
    rest = int(counts.sum()) - size
    for kind, rows in enumerate(table.row.tolist()):
        if kind not in open_kinds:
            found[rows[0]] += by_kind[kind] * perm(rest, more)
    for number in np.flatnonzero(np.isin(table.kind, open_kinds) & (every > 0)).tolist():
        for row, ways_on in _with_dealers(table, counts, number, size).items():
            found[row] += int(every[number]) * ways_on
    in_any_order = 2 if table.players == FIRST_TWO else 1
    return counted(observer, {row: n // in_any_order for row, n in found.items()})


def _with_dealers(table: CardTable, counts: Ints, number: int, size: int) -> Counter[int]:
    """The ways in which the dealer's further cards go on from first cards, by row."""
    digits = [number // CARDS**place % CARDS for place in range(size)][::-1]
    left = counts.copy()
    for card in digits:
        left[card] -= 1
    if table.up:
        dealers = table.dealers[digits[-1] * CARDS : (digits[-1] + 1) * CARDS]
        on = left
    else:
        dealers, on = table.dealers, ways(left, FIRST_TWO)
    rows = table.row[table.kind[number], dealers]
    return Counter({int(row): int(on[rows == row].sum()) for row in np.unique(rows)})


def counted(observer: CardObserver, found: Mapping[int, int]) -> tuple[Counted, ...]:
    """Rows with their combinations; rows paid together only where they occur."""
    printed = len(observer.printed)
    rows = [
        Counted(*pay, found.get(row, 0))
        for row, pay in enumerate(observer.rows)
        if row < printed or found.get(row, 0)
    ]
    return (*rows, Counted("loses", LOSES, "", found.get(NO_ROW, 0)))


def third_card_chances(
    tables: GameTables, observer: CardObserver, shoe: Mapping[Card, int]
) -> RowChances:
    """A wager on three cards of which the third comes only if the dealer has no natural.

    The check finds it before anybody draws. Whoever can draw is taken to do so.
    """
    counts, table = card_counts(shoe), observer.table
    cards = int(counts.sum())
    three = ways(counts, 3)
    _need_cards(three.tolist())
    rows = table.row[table.kind, 0]
    two = tuples(FIRST_TWO)
    pays_two = observer.found.paid(seen_by(observer.cards, two, two[:, :0]))
    whole = perm(cards, 3)
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for row in np.unique(rows):
        found[int(row)] += Fraction(int(three[rows == row].sum()), whole)
    # With a natural the third card does not come: what it would have paid is replaced.
    for number in np.flatnonzero((rows != np.repeat(pays_two, CARDS)) & (three > 0)).tolist():
        held = (number // CARDS**2, number // CARDS % CARDS, number % CARDS)
        chance = Fraction(int(three[number]), whole) * natural_chance(tables, counts, held)
        found[int(rows[number])] -= chance
        found[int(pays_two[number // CARDS])] += chance
    return found


def natural_chance(tables: GameTables, counts: Ints, held: Sequence[int]) -> Fraction:
    """The chance that the check finds a dealer's natural, when some cards are held elsewhere."""
    dealer, of_card = tables.dealer, tables.alphabet.of_card
    symbols = np.zeros(len(tables.alphabet), dtype=np.int64)
    left = counts.copy()
    for card in held:
        left[card] -= 1
    for card in np.flatnonzero(left).tolist():
        symbols[of_card[card]] += left[card]
    rest = int(symbols.sum())
    found = Fraction(0)
    for up in np.flatnonzero(dealer.checks & (symbols > 0)).tolist():
        makes = int(symbols[dealer.natural[up]].sum()) - int(dealer.natural[up, up])
        found += Fraction(int(symbols[up]), rest) * (1 - all_miss(rest - 1, makes, dealer.looks))
    return found


def all_miss(cards: int, makes: int, looks: int) -> Fraction:
    """The chance that none of so many cards is one of those that make something."""
    if cards < looks:
        return Fraction(1)
    return Fraction(perm(max(cards - makes, 0), looks), perm(cards, looks))


def _need_cards(ways_found: Sequence[int]) -> None:
    if not any(ways_found):
        raise UpcardError(TOO_FEW)
