"""Answers that are kept, so that what is asked again is there at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Answers by what was asked, as many as were asked for last; any thread may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lock = Lock()
        self.found: dict[Hashable, T] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept, or else made now; two who ask at once may both make it."""
        with self.lock:
            if key in self.found:
                found = self.found[key] = self.found.pop(key)  # the last to go from now on
                return found
        made = make()
        with self.lock:
            self.found[key] = made
            while len(self.found) > self.most:
                self.found.pop(next(iter(self.found)))
        return made
