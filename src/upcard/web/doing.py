"""How a page has something worked out: in a thread, counted for whoever looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Doing(Protocol):
    """Does some work and gives what it found; too much of it in a short time is refused."""

    async def __call__(self, work: Callable[..., T], *args: object) -> T: ...
