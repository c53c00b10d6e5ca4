"""The money that events move, as postings of the ledger."""

from __future__ import annotations

from upcard.table import events as ev
from upcard.table.ledger import BANK, CASHIER, FEES, GOODS, HOUSE, LAYOUT, PRIZES, Posting, account


def postings(event: ev.Event) -> list[Posting]:
    """The money that an event moves."""
    match event:
        case ev.ChipsBought():
            return [Posting(CASHIER, account(event.player), event.amount)]
        case ev.ChipsCashed():
            return [Posting(account(event.player), CASHIER, event.amount)]
        case ev.BankTaken():
            return [Posting(account(event.player), BANK, event.amount)]
        case ev.BankReturned():
            return [Posting(BANK, account(event.player), event.amount)]
        case ev.WagersPlaced() if event.moved < 0:
            return [Posting(LAYOUT, account(event.player), -event.moved)]
        case ev.WagersPlaced():
            return [Posting(account(event.player), LAYOUT, event.moved)]
        case ev.FeeCollected():
            return [Posting(account(event.player), FEES, event.amount)]
        case ev.InsuranceTaken():
            return [Posting(account(event.player), LAYOUT, event.amount)]
        case ev.HandDoubled() | ev.HandSplit():
            return [Posting(account(part.player), LAYOUT, part.amount) for part in event.added]
        case ev.PrizeWon():
            target = GOODS if event.name else account(event.player)
            return [Posting(PRIZES, target, event.amount)]
        case ev.WagerSettled():
            bank = BANK if event.banked else HOUSE
            return [
                Posting(LAYOUT, bank, event.collected),
                Posting(LAYOUT, account(event.player), event.staked - event.collected),
                Posting(bank, account(event.player), event.won),
            ]
    return []
