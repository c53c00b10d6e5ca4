"""Tells open pages that something in the house changed, a few times a second at most."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from upcard.service.specs import HouseError

Watcher = Callable[[], Awaitable[None]]
PAUSE = 0.4
"""Seconds between two looks: a page need not be told of every card."""

log = logging.getLogger(__name__)


class Feed:
    """Pages that watch, and the one task that wakes them."""

    def __init__(self, pause: float = PAUSE) -> None:
        self.pause = pause
        self.watchers: dict[object, Watcher] = {}
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def watch(self, who: object, watcher: Watcher) -> None:
        self.watchers[who] = watcher

    def leave(self, who: object) -> None:
        self.watchers.pop(who, None)

    def changed(self, *_: object) -> None:
        """Something changed; in the loop of the server."""
        if not self.watchers:
            return
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._wake())

    async def _wake(self) -> None:
        while self._again:
            self._again = False
            for who, watcher in list(self.watchers.items()):
                try:
                    await watcher()
                except HouseError as error:
                    if error.code == "forbidden":
                        self.leave(who)  # somebody has signed out
                    # else the store is away: the page is brought up to date when it is back
                except Exception as error:
                    # By its kind alone: what is in it may be a card that nobody has seen.
                    log.error("a page could not be brought up to date: %s", type(error).__name__)  # noqa: TRY400
                    self.leave(who)
            await asyncio.sleep(self.pause)
