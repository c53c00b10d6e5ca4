"""What wagers pay in cents, every payment in whole chips."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from upcard.compile.observers import MatchObserver
from upcard.compile.pay_rows import LOSES, NO_ROW, PayRow
from upcard.compile.payoff import LooksAt
from upcard.compile.tables import GameTables
from upcard.money import BASE, rounded

Ints = npt.NDArray[np.int64]


def in_chips(tables: GameTables, net: Fraction, staked: int) -> int:
    """A result as it is settled: in whole chips, and never more lost than was staked."""
    money = tables.money
    return max(-staked, rounded(Fraction(net), money.chip, money.rounding))


def hand_cents(tables: GameTables, bet: int) -> Ints:
    """Net cents of a hand: `[first or other, flat, doubles, player's class, dealer's class]`.

    `flat` is 1 with fixed amounts, 0 without. Behind the levels of doubles come those of hands
    that the house staked.
    """
    payoff = tables.payoffs[BASE]
    at_stake, house = tables.effects.at_stake, tables.effects.house
    most_doubles = len(house)
    classes = (len(tables.player_classes), len(tables.dealer.classes))
    found = np.zeros((2, 2, most_doubles, *classes), dtype=np.int64)
    level = tables.effects.marker_level or most_doubles
    known: dict[tuple[Fraction, Fraction, Fraction, int, int, int, Fraction], list[list[int]]] = {}
    for doubles in range(most_doubles):
        whole, markers = int(at_stake[:, doubles].max()), int(house[doubles])
        for own in range(classes[0]):
            staked = int(at_stake[own, doubles])
            for other in range(classes[1]):
                flat = payoff.flat[own][other]
                first, added = payoff.rates(own, other, first=True, doubles=doubles % level)
                start, _ = payoff.rates(own, other, first=False, doubles=doubles % level)
                more = markers * payoff.marker(own, other)
                case = (first, start, added, flat, staked, whole, more)
                if case not in known:
                    # A hand that the house staked has begun with nothing of the player's.
                    begun = first, start if staked else added
                    nets = [one + (staked - 1) * added + more for one in begun]
                    known[case] = [
                        [in_chips(tables, net * bet + fixed, whole * bet) for fixed in (0, flat)]
                        for net in nets
                    ]
                found[:, :, doubles, own, other] = known[case]
    return found


def stake_cents(tables: GameTables, amount: int) -> Ints:
    """Net cents of a base wager that stays on the first hand without what is added to the hand's.

    By player's and dealer's class.
    """
    payoff = tables.payoffs[BASE]
    return np.array(
        [
            [
                in_chips(tables, amount * one + fixed, amount)
                for one, fixed in zip(odds, flat, strict=True)
            ]
            for odds, flat in zip(payoff.odds, payoff.flat, strict=True)
        ],
        dtype=np.int64,
    )


def class_cents(tables: GameTables, wager: str, amount: int) -> Ints:
    """Net cents of a wager on how a hand ends: `[first or other, player's class, dealer's class]`.

    Where it goes by the first hand of a box alone, others have none.
    """
    payoff = tables.payoffs[wager]
    found = np.array(
        [
            [[in_chips(tables, amount * one, amount) for one in row] for row in odds]
            for odds in (payoff.odds, payoff.odds if payoff.each_begins else payoff.added)
        ],
        dtype=np.int64,
    )
    if payoff.per is not LooksAt.EACH_HAND:
        found[1] = 0
    return found


def row_cents(tables: GameTables, rows: tuple[PayRow, ...], amount: int) -> Ints:
    """Net cents of every row of a pay table, and last of what is in none."""
    odds = [*(row.odds for row in rows), LOSES]
    return np.array([in_chips(tables, amount * one, amount) for one in odds], dtype=np.int64)


def match_cents(tables: GameTables, observer: MatchObserver, amount: int) -> Ints:
    """Net cents of a wager on matching cards, by suited and unsuited matches."""
    assert NO_ROW == -1, "no row is the last of `row_cents`"
    return row_cents(tables, observer.rows, amount)[observer.row]
