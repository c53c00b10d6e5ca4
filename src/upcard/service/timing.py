"""Time, as the tables see it: a test has its own, and waits for nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Handle(Protocol):
    """Something that comes later, unless it is cancelled."""

    def cancel(self) -> None: ...


class Timing:
    """The clock of the machine and the timers of the event loop."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def later(self, seconds: float, call: Callable[[], None]) -> Handle:
        """Call something after a while."""
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
