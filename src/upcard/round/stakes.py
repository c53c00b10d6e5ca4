"""What the wagers of a table pay, in cents: the base wager, all others, and fees."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from upcard.cards import DECK, SUITS, Card
from upcard.compile import poker
from upcard.compile.card_observer import CardObserver
from upcard.compile.chips import class_cents, hand_cents, in_chips, match_cents, row_cents
from upcard.compile.hands import NONE
from upcard.compile.observers import (
    MatchObserver,
    Observer,
    PokerObserver,
    ShowdownObserver,
)
from upcard.compile.payoff import LooksAt
from upcard.compile.plan import FeePlan
from upcard.compile.prizes import Prizes, envy_cents, prize_cents
from upcard.compile.settlement import AtOnce, SettlementRow
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.round.card_tables import CardLook, card_looks
from upcard.round.kernel_types import (
    LOOKS,
    PAYS_AT,
    PAYS_END,
    BankTerms,
    Codes,
    Ints,
    Sides,
    Stakes,
)
from upcard.round.settle import (
    CARD_KIND,
    CLASS_KIND,
    FEE_KIND,
    HANDS_KIND,
    LOSES,
    MATCH_KIND,
    OTHER_KIND,
    POKER_KIND,
    PRIZE_KIND,
    SHOWDOWN_KIND,
    TIES,
    UNQUALIFIED,
    WINS,
)

if TYPE_CHECKING:
    from upcard.round.setup import TableSetup

PRIZES = "prizes"
FEES = "fees"
_KINDS: Mapping[type[Observer], int] = {
    MatchObserver: MATCH_KIND,
    PokerObserver: POKER_KIND,
    ShowdownObserver: SHOWDOWN_KIND,
    CardObserver: CARD_KIND,
}
_BY_HANDS = {LooksAt.FIRST_HAND: CLASS_KIND, LooksAt.EACH_HAND: HANDS_KIND}


def _zeros(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)


def base_stakes(table: TableSetup) -> Stakes:
    """The base wager at every level."""
    tables = table.tables
    return Stakes(
        most_doubles=len(tables.effects.house),
        classes=len(tables.player_classes),
        ends=len(tables.dealer.classes),
        pays=np.array([hand_cents(tables, bet) for bet in table.bets]).reshape(-1),
        flat=np.array(tables.payoffs[BASE].flat, dtype=np.int64) != 0,
        flat_once=tables.settlement[BASE].flat_once,
    )


def side_stakes(table: TableSetup, paid: tuple[Ints, Ints, Ints]) -> Sides:
    """All other columns at every level; `paid` are the fees."""
    tables = table.tables
    columns, levels = len(table.columns), len(table.bets)
    classes = (len(tables.player_classes), len(tables.dealer.classes))
    kinds = {type(observer) for observer in tables.observers.values()}
    shows = [o for o in tables.observers.values() if isinstance(o, ShowdownObserver)]
    multisets = poker.MULTISETS if PokerObserver in kinds else 1
    matches = 3 if MatchObserver in kinds else 1
    trio, duo, multiset = _multisets()
    looks = card_looks(tables)
    sides = Sides(
        columns=columns,
        kind=np.array([_kind(table, name) for name in table.columns], dtype=np.int64),
        amount=_zeros(levels, columns),
        by_class=_zeros(levels, columns, 2, *classes),
        window=_zeros(columns, 3),
        match=_zeros(levels, columns, matches, matches),
        five=_zeros(levels, columns, 2, multisets),
        showdown=_zeros(levels, columns, 4),
        strength=shows[0].strength.copy() if shows else np.zeros((2, 1), dtype=np.int32),
        qualifies=_zeros(columns),
        lost_when_over=np.zeros(columns, dtype=np.bool_),
        bust=tables.class_index["bust"],
        key=np.array([_poker_key(card) for card in DECK], dtype=np.int64),
        choose=_choose(),
        trio=trio,
        duo=duo,
        multiset=multiset,
        fee=paid[0],
        fee_added=paid[1],
        looks=_zeros(columns, LOOKS),
        cards=looks.cards,
        card_pays=_zeros(levels, looks.pays),
        prizes=table.column(PRIZES) if tables.prizes else -1,
        prize=_prizes(table, prize_cents),
        envy=_prizes(table, envy_cents),
    )
    for wager, look in looks.by_wager.items():
        sides.looks[table.column(wager)] = look.places
    for level in range(levels):
        for wager, amount in table.amounts(level).items():
            sides.amount[level, table.column(wager)] = amount
            _fill(table, sides, level, wager, amount)
            if wager in looks.by_wager:
                _fill_rows(table, sides, level, looks.by_wager[wager], amount)
    return sides


def _prizes(table: TableSetup, cents: Callable[[Prizes, int], Ints]) -> Ints:
    """Prizes of hands at every level."""
    prizes = table.tables.prizes
    if not prizes:
        return _zeros(1, 1, 1)
    return np.array([cents(prizes, bet) for bet in table.bets], dtype=np.int64)


def _kind(table: TableSetup, name: str) -> int:
    if name == FEES:
        return FEE_KIND
    if name == PRIZES and table.tables.prizes:
        return PRIZE_KIND
    row = table.tables.settlement.by_wager.get(name)
    if row is not None and row.observer is not None:
        return _KINDS[type(row.observer)]
    if row is None or name == BASE:
        return OTHER_KIND
    return _BY_HANDS.get(row.looks_at, OTHER_KIND)


def _fill(table: TableSetup, sides: Sides, level: int, wager: str, amount: int) -> None:
    """What one wager pays at a level."""
    tables, column = table.tables, table.column(wager)
    row = tables.settlement[wager]
    if row.looks_at in _BY_HANDS:
        sides.by_class[level, column] = class_cents(tables, wager, amount)
    observer = row.observer
    if observer is None:
        return
    sides.window[column] = observer.window
    sides.lost_when_over[column] = row.lost_when_over
    match observer:
        case MatchObserver():
            sides.match[level, column] = match_cents(tables, observer, amount)
        case PokerObserver():
            cents = row_cents(tables, observer.rows, amount)
            sides.five[level, column] = cents[observer.row]
        case ShowdownObserver():
            sides.qualifies[column] = observer.qualifies
            for place, odds in (
                (LOSES, observer.loses),
                (TIES, observer.ties),
                (WINS, observer.wins),
                (UNQUALIFIED, observer.unqualified),
            ):
                sides.showdown[level, column, place] = in_chips(tables, amount * odds, amount)


def _fill_rows(table: TableSetup, sides: Sides, level: int, look: CardLook, amount: int) -> None:
    """What a wager by rows of conditions pays at a level."""
    cents = row_cents(table.tables, look.observer.rows, amount)
    pays = slice(look.places[PAYS_AT], look.places[PAYS_END])
    sides.card_pays[level, pays] = cents[look.rows]


def fees(table: TableSetup) -> tuple[Ints, Ints, Ints]:
    """Fees by level: a seat's, those of added wagers by doubles before them, the bank's."""
    tables, levels = table.tables, len(table.bets)
    doubles = len(tables.contexts.doubled(tables.contexts.index()))
    seat, added, bank = _zeros(levels), _zeros(levels, doubles), _zeros(levels)
    plan = tables.money.fees
    if plan is None or table.by_seat:  # seats that differ are quoted together, not by level
        return seat, added, bank
    for level, bet in enumerate(table.bets):
        wagers = {BASE: bet, **{w: table.amounts(level)[w] for w in table.besides}}
        seat[level], bank[level] = _costs(plan, wagers, table.seats)
        for number in range(doubles if plan.on_added_wagers else 0):
            added[level, number], _ = _costs(plan, {BASE: bet << number}, 1)
    return seat, added, bank


def bank_terms(table: TableSetup, fee: Ints) -> BankTerms:
    """A player's bank, which pays so much in cents for a round, by level."""
    tables = table.tables
    banked = table.staked.intersection(table.columns)
    rows = [row for row in tables.settlement.rows if row.wager in banked]
    of_hands = [row.wager for row in rows if row.looks_at is LooksAt.EACH_HAND]
    if table.bank is not None and of_hands != [BASE]:
        name = tables.money.wagers[next(wager for wager in of_hands if wager != BASE)].name
        raise NotSimulatedError(
            f"rounds with a bank of limited money are not simulated where every hand of a split "
            f"has its own bonus wager: stake none on {name}, or let the bank cover everything"
        )
    natural = tables.class_of("natural")
    covered = np.zeros(len(table.columns), dtype=np.bool_)
    shows = len(tables.dealer.shown)
    at_once = np.zeros((shows, len(table.columns)), dtype=np.bool_)
    for row in rows:
        covered[table.column(row.wager)] = row.covered
        # A bank that covers all settles in any order alike.
        if row.at_once is AtOnce.NATURALS and natural != NONE:
            for up in range(shows):
                settled = tables.is_settled(row.wager, natural, up)
                at_once[up, table.column(row.wager)] = settled

    def columns(*, after_game: bool) -> Ints:
        found = [table.column(row.wager) for row in rows if row.after_game is after_game]
        return np.array(found, dtype=np.int64)

    return BankTerms(
        fee=fee // table.unit,
        amount=-1 if table.bank is None else table.bank // table.unit,
        each_way=tables.money.covers_each_way,
        ends_exhausted=tables.money.exhaustion_ends,
        by_wagers=tables.money.covers_by_wagers,
        staked=table.amounts_in_units,
        at_stake=tables.effects.at_stake.astype(np.int64),
        if_taken=np.array([name == INSURANCE for name in table.columns]),
        covered=covered,
        at_once=at_once,
        natural=natural,
        with_game=columns(after_game=False),
        after_game=columns(after_game=True),
    )


class NotSimulatedError(UpcardError):
    """A table that the game allows and the machine cannot play."""


def cover_unit(table: TableSetup) -> int:
    """The largest amount that all a part of a wager can win or lose is a multiple of, in cents.

    A bank that covers by amounts wagered covers parts. Those that a chip would round are refused:
    what the machine has of a wager is its whole result, rounded already.
    """
    tables, chip = table.tables, table.tables.money.chip
    levels = range(len(table.bets))
    placed = [table.amounts(n).get(w, 0) for n in levels for w in table.staked]
    part = math.gcd(table.bank or 0, *placed)
    rows = [row for row in tables.settlement.rows if row.wager in table.staked]
    found = [rate * part for row in rows for rate in _rates(table, row)]
    if any(map(any, tables.payoffs[BASE].flat)):
        raise NotSimulatedError(
            "rounds with a bank that covers by amounts wagered are not simulated where a result "
            "moves a fixed amount, of which a part of a wager has no share of its own: set another "
            "measure of the bank"
        )
    if any(cents % chip for cents in found):
        raise NotSimulatedError(
            f"rounds with a bank that covers by amounts wagered are not simulated where parts of "
            f"a wager, such as {format_cents(part)}, do not pay whole chips of "
            f"{format_cents(chip)}: set smaller chips, or another measure of the bank"
        )
    return math.gcd(*map(int, found))


def _rates(table: TableSetup, row: SettlementRow) -> set[Fraction]:
    """All that a unit at stake on a wager can win or lose."""
    observer = row.observer
    if isinstance(observer, ShowdownObserver):
        return {observer.wins, observer.ties, observer.loses, observer.unqualified}
    if observer is not None:
        return {Fraction(-1), *(one.odds for one in observer.rows)}
    assert row.payoff is not None
    payoff, at_stake = row.payoff, table.tables.effects.at_stake
    found = set()
    for own, cells in enumerate(payoff.odds):
        for other, odds in enumerate(cells):
            found.add(odds)
            if row.wager == BASE:
                for doubles, units in enumerate(at_stake[own].tolist()):
                    first, added = payoff.rates(own, other, first=True, doubles=doubles)
                    found |= {added, (first + (units - 1) * added) / units} if units else {added}
    return found


def _costs(plan: FeePlan, wagers: Mapping[str, int], seats: int) -> tuple[int, int]:
    """What one of so many like seats pays, and the bank."""
    found = plan.quote([wagers] * seats)
    return found.seats[0].fee, found.player_dealer.fee


def _poker_key(card: Card) -> int:
    """A card as poker ranks it, the deuce 0 and the ace 12; cards are sorted by it."""
    return len(SUITS) * poker.ORDER.index(card.rank) + SUITS.index(card.suit)


def _choose() -> Ints:
    """What a rank adds to the number of a multiset, by its place among the five."""
    ranks = range(len(poker.ORDER))
    return np.array(
        [
            [math.comb(rank + place, place + 1) for rank in ranks]
            for place in range(poker.HAND_SIZE)
        ],
        dtype=np.int64,
    )


@cache
def _multisets() -> tuple[Codes, Codes, Codes]:
    """Tables that number the multiset of five ranks in two steps, without sorting them."""
    ranks = len(poker.ORDER)
    threes, twos = np.indices((ranks,) * 3).reshape(3, -1), np.indices((ranks,) * 2).reshape(2, -1)
    three, two = _number(threes), _number(twos)
    trio, duo = np.zeros(16**3, dtype=np.uint16), np.zeros(16**2, dtype=np.uint16)
    duos = int(two.max()) + 1
    trio[threes[0] << 8 | threes[1] << 4 | threes[2]] = three * duos
    duo[twos[0] << 4 | twos[1]] = two
    _, one_three = np.unique(three, return_index=True)
    _, one_two = np.unique(two, return_index=True)
    both = np.concatenate(
        [
            np.repeat(threes[:, one_three], len(one_two), axis=1),
            np.tile(twos[:, one_two], len(one_three)),
        ]
    )
    return trio, duo, _number(both).astype(np.uint16)


def _number(ranks: Ints) -> Ints:
    """The number of the multiset in every column of ranks."""
    places = np.arange(len(ranks))[:, None]
    return np.asarray(_choose()[places, np.sort(ranks, axis=0)].sum(axis=0))
