"""The money that events move, as postings of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from upcard.table import events as ev
from upcard.table.ledger import BANK, CASHIER, FEES, GOODS, HOUSE, LAYOUT, PRIZES, Posting, account


def postings(event: ev.Event) -> list[Posting]:
    """The money that an event moves."""
    moves = _MOVES.get(type(event))
    return [] if moves is None else moves(event)


def _placed(event: ev.WagersPlaced) -> list[Posting]:
    if event.moved < 0:
        return [Posting(LAYOUT, account(event.player), -event.moved)]
    return [Posting(account(event.player), LAYOUT, event.moved)]


def _added(event: ev.HandDoubled | ev.HandSplit) -> list[Posting]:
    return [Posting(account(part.player), LAYOUT, part.total) for part in event.added]


def _won(event: ev.PrizeWon) -> list[Posting]:
    return [Posting(PRIZES, GOODS if event.name else account(event.player), event.amount)]


def _settled(event: ev.WagerSettled) -> list[Posting]:
    bank = BANK if event.banked else HOUSE
    return [
        Posting(LAYOUT, bank, event.collected),
        Posting(LAYOUT, account(event.player), event.staked - event.collected),
        Posting(bank, account(event.player), event.won),
    ]


_MOVES: Mapping[type[ev.Happened], Callable[[Any], list[Posting]]] = {
    ev.ChipsBought: lambda event: [Posting(CASHIER, account(event.player), event.amount)],
    ev.ChipsCashed: lambda event: [Posting(account(event.player), CASHIER, event.amount)],
    ev.BankTaken: lambda event: [Posting(account(event.player), BANK, event.amount)],
    ev.BankReturned: lambda event: [Posting(BANK, account(event.player), event.amount)],
    ev.WagersPlaced: _placed,
    ev.FeeCollected: lambda event: [Posting(account(event.player), FEES, event.amount)],
    ev.InsuranceTaken: lambda event: [Posting(account(event.player), LAYOUT, event.amount)],
    ev.HandDoubled: _added,
    ev.HandSplit: _added,
    ev.PrizeWon: _won,
    ev.WagerSettled: _settled,
}
"""All events that move money: most events are none of them."""
