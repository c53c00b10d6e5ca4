"""The front desk: what all ways into the house share."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import TYPE_CHECKING

from upcard.errors import UpcardError
from upcard.service.api.lines import Lines
from upcard.service.api.settings import Settings
from upcard.service.pricing import PriceBook
from upcard.service.rates import Rates, What
from upcard.service.reports import Reports
from upcard.service.specs import HouseError

if TYPE_CHECKING:
    from upcard.service.house import House

SWEEP_SECONDS = 5.0


class Desk:
    """The house with its settings, the rates at which it may be asked, and the open lines."""

    def __init__(self, house: House, settings: Settings, rates: Rates | None = None) -> None:
        self.house = house
        self.settings = settings
        usual = Rates() if settings.rates else Rates({})
        self.rates = rates if rates is not None else usual
        self.lines = Lines()
        self.asking: Counter[str] = Counter()
        """Questions to the coach that wait, by who asked."""
        self.prices = PriceBook(house.store)
        self.reports = Reports(house, self.prices)
        self.checking = asyncio.Semaphore(1)
        """Records are checked one at a time, whoever asks by whatever way."""
        self.stepping = asyncio.Semaphore(1)
        """The same for what takes a moment of a core."""
        self.failure: UpcardError | None = None
        """Why the house could not be opened."""
        self._sweeping: asyncio.Task[None] | None = None

    def need(self, what: What, *whose: str) -> None:
        """Refuse what is asked for too often; "" is this machine itself, which is not counted."""
        self.rates.need(what, *whose)

    async def open(self) -> None:
        try:
            await self.house.start()
        except UpcardError as error:
            self.failure = error
            raise
        self.house.accounts.on_closed.append(self.lines.cut)
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeping
        self.house.accounts.on_closed.remove(self.lines.cut)
        self.prices.close()
        with contextlib.suppress(asyncio.CancelledError):
            await self.prices.ready()
        await self.house.stop()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with contextlib.suppress(HouseError):  # the store is away: look again later
                await self.lines.sweep(self.house.accounts)
