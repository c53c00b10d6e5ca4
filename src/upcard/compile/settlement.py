"""Settlement: how every wager is settled, as rows in the order of payment.

Payoffs and observers say what a wager wins; these rows say what it looks at, what is at stake, when
it is paid and who answers for it. Insurance is a row like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property

from upcard.compile.card_observer import CardObserver
from upcard.compile.context import ContextAutomaton
from upcard.compile.effects import Effects
from upcard.compile.observers import Observer
from upcard.compile.pay_rows import SettledWhen
from upcard.compile.payoff import LooksAt, Payoff
from upcard.compile.plan import MoneyPlan, added_at_most
from upcard.money import BASE, INSURANCE, rounded


class AtOnce(IntEnum):
    """When a wager is paid that the dealer's further cards can no longer change."""

    NEVER = 0
    """In its place of the order."""
    NATURALS_IF_COVERED = 1
    """A natural's box at once, if the bank could pay all that can be won: no order matters then."""
    NATURALS = 2
    """A natural's box before all others."""
    ALWAYS = 3


@dataclass(frozen=True)
class SettlementRow:
    """How one wager is settled: by its `payoff` on hands, or by its `observer` of cards.

    At stake is what each hand has by now where it looks at each hand, and else what was placed.
    `share` is the largest amount as a share of the base wager, None where the posted limits hold.
    `most_wins` is the most that one unit placed can win, doubles and splits included: a bank that
    has as much for every wager settles in any order alike.

    A wager that is `covered` gets no more than a limited bank has left. With `flat_once` a fixed
    amount is charged once a player and round, else for every hand. With `lost_when_over` the wager
    is lost if the first hand is over. While one that `completes_dealer` is open the dealer
    completes the hand, whatever became of the players'.
    """

    wager: str
    looks_at: LooksAt
    payoff: Payoff | None
    observer: Observer | None
    share: Fraction | None
    most_wins: Fraction
    after_game: bool
    at_once: AtOnce
    covered: bool
    flat_once: bool
    lost_when_over: bool
    completes_dealer: bool


@dataclass(frozen=True)
class Settlement:
    """The rows of all wagers on offer, in the order of payment: with the game, then after it."""

    rows: tuple[SettlementRow, ...]
    chip: int
    added_amounts: tuple[int, ...]

    @cached_property
    def by_wager(self) -> Mapping[str, SettlementRow]:
        return {row.wager: row for row in self.rows}

    def __getitem__(self, wager: str) -> SettlementRow:
        return self.by_wager[wager]

    @cached_property
    def wagers(self) -> tuple[str, ...]:
        return tuple(row.wager for row in self.rows)

    @cached_property
    def with_game(self) -> tuple[str, ...]:
        """The wagers that are settled with the base game."""
        return tuple(row.wager for row in self.rows if not row.after_game)

    @cached_property
    def after_game(self) -> tuple[str, ...]:
        """The wagers that are settled after it, in a round of their own."""
        return tuple(row.wager for row in self.rows if row.after_game)

    def largest(self, wager: str, base: int) -> int:
        """The most that may be put on a wager beside a base wager, in whole chips.

        0 if it is not on offer, or if its share of the base wager comes to no amount that the table
        takes.
        """
        share = self.by_wager[wager].share if wager in self.by_wager else None
        if share is None:
            return 0
        return added_at_most(self.added_amounts, rounded(share * base, self.chip, "down"))


def build_settlement(
    payoffs: Mapping[str, Payoff],
    observers: Mapping[str, Observer],
    money: MoneyPlan,
    effects: Effects,
    contexts: ContextAutomaton,
) -> Settlement:
    """Wagers that the rules put in order, then the others; those after the game come last."""
    limited = money.bank_is_limited and not money.house_banks
    early = AtOnce.ALWAYS
    if limited:
        early = AtOnce.NATURALS if money.naturals_at_once else AtOnce.NATURALS_IF_COVERED
    most_hands = max(one.hands for one in contexts.contexts)
    most_units = int((effects.at_stake + effects.house).max()) * most_hands
    rows = []
    for wager in dict.fromkeys((*money.order, *payoffs, *observers)):
        payoff, observer = payoffs.get(wager), observers.get(wager)
        if payoff is not None:
            most = max(map(max, (payoff.doubled or payoff).odds))
            looks_at = payoff.per
        else:
            most = observers[wager].most_wins
            looks_at = LooksAt.CARDS
        units = most_units if wager == BASE else most_hands
        # A bank that covers by amounts wagered needs no less than the wager itself.
        most = max(most, Fraction(1)) if money.covers_by_wagers else most
        rows.append(
            SettlementRow(
                wager=wager,
                looks_at=looks_at,
                payoff=payoff,
                observer=observer,
                share=money.insurance_share if wager == INSURANCE else None,
                most_wins=most * (units if looks_at is LooksAt.EACH_HAND else 1),
                after_game=observer is not None and observer.settled is SettledWhen.AFTER_GAME,
                at_once=AtOnce.NEVER if payoff is None else early,
                covered=limited,
                flat_once=wager == BASE and money.flat_once,
                lost_when_over=observer is not None and not observer.stays_after_bust,
                completes_dealer=isinstance(observer, CardObserver) and observer.looks_at_dealer,
            )
        )
    in_order = tuple(sorted(rows, key=lambda row: row.after_game))
    return Settlement(in_order, money.chip, money.added_amounts)
