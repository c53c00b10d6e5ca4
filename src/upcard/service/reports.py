"""How the tables stand for those who run the house: ledgers, and results against theory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from upcard.service.pricing import LIMITED_BANK, PriceBook, Prices, Progress, account_of, points
from upcard.table import ledger

if TYPE_CHECKING:
    from upcard.service.house import House
    from upcard.service.pricing import Point, TableAccount
    from upcard.service.running import RunningTable
    from upcard.service.specs import TableInfo


class TableMoney(msgspec.Struct, frozen=True):
    """A table's accounts in cents. `total` is the sum of all of them, and always nothing."""

    table: str
    name: str
    game: str
    status: str
    rounds: int
    fee_box: int
    prize_fund: int
    house: int
    cashier: int
    players: int
    total: int


@dataclass(frozen=True)
class Report:
    """One table: how it stands, its ledger, its results against theory and how they came about.

    `failed` is why there is nothing to expect, if there is not.
    """

    running: RunningTable
    info: TableInfo
    money: TableMoney
    account: TableAccount
    curve: tuple[Point, ...]
    failed: str = ""


def table_money(running: RunningTable) -> TableMoney:
    """A table's ledger in short."""
    book, info = running.state.ledger, running.info
    chips = sum(running.state.chips(player.name) for player in running.state.players)
    return TableMoney(
        table=info.id,
        name=info.name,
        game=info.game,
        status=info.status,
        rounds=info.rounds,
        fee_box=book.balance(ledger.FEES),
        prize_fund=book.balance(ledger.PRIZES),
        house=book.balance(ledger.HOUSE),
        cashier=book.balance(ledger.CASHIER),
        players=chips,
        total=book.total,
    )


class Reports:
    """The results of all tables, read on from round to round."""

    def __init__(self, house: House, prices: PriceBook) -> None:
        self.house = house
        self.prices = prices
        self.progress: dict[str, Progress] = {}
        self._reading = asyncio.Lock()

    async def tables(self, *, closed: bool = False) -> list[Report]:
        """All tables; a game without a price is priced some time soon."""
        async with self._reading:  # two at once would read the same results twice
            return [await self._report(info) for info in await self.house.tables(closed=closed)]

    async def _report(self, info: TableInfo) -> Report:
        running = await self.house.running(info.id)
        money = running.tables.money
        prices, failed = Prices(), ""
        if money.bank_is_limited and not money.house_banks:
            failed = LIMITED_BANK
        else:
            prices = await self.prices.of(info.fingerprint)
            if not prices.wagers:
                self.prices.want(info.fingerprint, info.game, info.settings)
                failed = self.prices.failed.get(info.fingerprint, "")
        progress = self.progress.setdefault(info.id, Progress(info.id))
        if progress.last < info.rounds:
            await progress.read_on(self.house.store)
        banks = money.house_banks
        return Report(
            running=running,
            info=info,
            money=table_money(running),
            account=account_of(info.id, progress.whole, prices, house_banks=banks),
            curve=tuple(points(progress.parts, prices, house_banks=banks)),
            failed=failed,
        )
