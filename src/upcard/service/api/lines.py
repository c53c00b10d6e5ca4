"""Open lines by the session that they belong to: a session that is closed cuts its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from upcard.service.specs import HouseError

if TYPE_CHECKING:
    from upcard.service.accounts import Accounts

MOST_LINES = 64
"""Lines that one account, or one address without an account, may have open at a server."""


class Lines:
    """The open lines of one server."""

    def __init__(self) -> None:
        self._cuts: dict[str, set[Callable[[], None]]] = {}
        self._open: dict[str, int] = {}

    def add(self, owner: str, session: str, cut: Callable[[], None]) -> None:
        """A line of somebody's; `cut` ends it, and may be called more than once."""
        if self._open.get(owner, 0) >= MOST_LINES:
            raise HouseError(f"there are {MOST_LINES} lines open already: close one first", "limit")
        self._open[owner] = self._open.get(owner, 0) + 1
        if session:
            self._cuts.setdefault(session, set()).add(cut)

    def remove(self, owner: str, session: str, cut: Callable[[], None]) -> None:
        left = self._open.get(owner, 0) - 1
        if left > 0:
            self._open[owner] = left
        else:
            self._open.pop(owner, None)
        cuts = self._cuts.get(session)
        if cuts is not None:
            cuts.discard(cut)
            if not cuts:
                del self._cuts[session]

    def cut(self, sessions: Iterable[str]) -> None:
        """End all lines of some sessions."""
        for session in sessions:
            for cut in list(self._cuts.get(session, ())):
                cut()

    async def sweep(self, accounts: Accounts) -> None:
        """End the lines of sessions that are over, or that another server closed."""
        if self._cuts:
            self.cut(await accounts.closed_among(self._cuts))

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(self._cuts)

    def __len__(self) -> int:
        return sum(self._open.values())
