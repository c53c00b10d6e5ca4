"""The lobby: what is known of all tables here, and who wants to hear when it changes."""

from __future__ import annotations

from collections.abc import Callable

from upcard.service.specs import TableInfo

Listener = Callable[[TableInfo], None]


class Lobby:
    """Tells its listeners of every table that looks different in the list than before."""

    def __init__(self) -> None:
        self.tables: dict[str, TableInfo] = {}
        self._listeners: set[Listener] = set()

    def put(self, info: TableInfo) -> None:
        if self.tables.get(info.id) == info:
            return
        if info.status == "closed":
            self.tables.pop(info.id, None)
        else:
            self.tables[info.id] = info
        for listener in tuple(self._listeners):
            listener(info)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear of changes; what is given back ends it."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)
