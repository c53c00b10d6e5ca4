"""How deep `make test` looks: at one case of each kind; `make proofs` looks at all others.

A proof that takes long is marked `deep` if a quicker test shows the same thing of another case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

from upcard import GAME_IDS

deep = pytest.mark.deep

FIRST_GAMES = (
    "blackjack",
    "ten-sticks-21",
    "pure-spanish-21.5",
    "games-of-chance-blackjack",
    "twisted-21",
    "blackjack-tie",
)
"""Games that between them have what tests of all games ask for: trades and lights, a bank of the
players' own, rescue, amounts that are fixed, cards of one's own to draw, wagers on a tie.
"""
OF_ALL = {
    "test_citations",
    "test_clauses",
    "test_exact_values",
    "test_trial",
}
"""Modules that look at every game all the same: what its rules pay, and how it is played out."""


def is_of_a_further_game(item: pytest.Item) -> bool:
    """Whether a test is one more case of what others show, for a game that is not of the first."""
    if item.path.stem in OF_ALL:
        return False
    given = getattr(item, "callspec", None)
    further = set(GAME_IDS) - set(FIRST_GAMES)
    return given is not None and any(game_of(value) in further for value in given.params.values())


def game_of(value: Any) -> str | None:
    """The game that a case names: a case has it, begins with it, or is it."""
    named = getattr(value, "game", value)
    named = named[0] if isinstance(named, tuple) and named else named
    return named if isinstance(named, str) else None


def one_of_each(cases: Iterable[Any], kind: Callable[[Any], Hashable]) -> list[Any]:
    """Cases of one argument each, of which those are deep that are not the first of their kind."""
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        own = kind(case)
        found.append(pytest.param(case, marks=deep if own in seen else ()))
        seen.add(own)
    return found
