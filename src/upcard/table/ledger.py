"""The ledger: double entry in cents. Whatever leaves one account arrives in another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

CASHIER = "cashier"
LAYOUT = "layout"
BANK = "bank"
HOUSE = "house"
FEES = "fee box"
PRIZES = "prize fund"
GOODS = "prizes in kind"


def account(player: str) -> str:
    """A player's chips.

    >>> account("Ann")
    'player Ann'
    """
    return f"player {player}"


class Posting(NamedTuple):
    """Money that moves. The amount is positive."""

    source: str
    target: str
    amount: int


class Ledger(msgspec.Struct, frozen=True):
    """Balances of all accounts; their sum is always zero.

    >>> book = Ledger().after([Posting(CASHIER, account("Ann"), 500)])
    >>> book.balance("player Ann"), book.balance(CASHIER), book.total
    (500, -500, 0)
    """

    balances: tuple[tuple[str, int], ...] = ()

    def balance(self, name: str) -> int:
        for owner, amount in self.balances:
            if owner == name:
                return amount
        return 0

    @property
    def total(self) -> int:
        return sum(amount for _, amount in self.balances)

    def after(self, postings: Iterable[Posting]) -> Ledger:
        balances = dict(self.balances)
        for source, target, amount in postings:
            if amount < 0:
                raise ValueError(f"a posting of {amount} cents from {source} to {target}")
            if amount:
                balances[source] = balances.get(source, 0) - amount
                balances[target] = balances.get(target, 0) + amount
        return Ledger(tuple(balances.items()))
