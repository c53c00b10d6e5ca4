"""Shared by all tests: compiled games, each compiled once."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

import hypothesis
import pytest

from upcard import GameTables, tables_for

# Whether a change passes CI must not depend on luck; elsewhere every run looks at new examples.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")

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
