"""Shared by all tests: compiled games, each compiled once; chance that is the same for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import chance
from upcard import GameTables, tables_for

chance.load_profile()

Tables = Callable[..., GameTables]


@cache
def _tables(reference: str, settings: tuple[tuple[str, str], ...]) -> GameTables:
    return tables_for(reference, dict(settings))


def compiled(reference: str, **settings: object) -> GameTables:
    """Tables of a game with some settings, e.g. `compiled("blackjack", decks=8)`."""
    texts = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in settings.items()
    }
    return _tables(reference, tuple(sorted(texts.items())))


@pytest.fixture(scope="session")
def tables() -> Tables:
    return compiled


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A search goes through the tests in any order: it may end at any time."""
    if chance.FUZZ:
        chance.dice("order").shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> bool | None:
    """Leave out what a search has no time for."""
    return True if chance.time_is_up() else None
