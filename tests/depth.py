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
NOTHING_DOWN = ("double-exposure", "pontoon", "european-blackjack")
"""Games without a card face down: the dealer's lie open (DX-UP), or there is but one until the
players are done (PO-NHC, EU-NHC). In all others the dealer has one that is turned up later.
"""
OF_ALL = {
    "test_citations",
    "test_clauses",
    "test_exact_values",
    "test_trial",
}
"""Modules that look at every game all the same: what its rules pay, and how it is played out."""


SHOWN_ELSEWHERE = (
    "test_pages.py::test_pages_are_for_everybody[1440-light]",
    "test_pages.py::test_pages_are_for_everybody[390-dark]",
    "test_trial.py::test_every_wager_comes_to_its_exact_value[blackjack-switch-basic]",
    "test_shown_cards.py::test_the_kernel_plays_what_is_told_as_the_engine[stacked]",
    "test_simulator_against_engine.py::test_prizes_of_hands_are_paid_alike[2500]",
    "test_every_value_has_an_effect.py::test_every_value_changes_what_happens[twisted-21]",
    "test_verify_page.py::test_a_game_may_be_named_with_its_version_on_the_page",
)
"""Cases that take ten seconds or more of what a neighbour shows of another case."""
KEPT_SIDES = ("blackjack-", "ten-sticks-21-")


def is_shown_elsewhere(item: pytest.Item) -> bool:
    """Whether a case takes long, and a quicker test shows the same thing of another case."""
    if item.path.stem == "test_side_wagers_alike":
        given = item.name.partition("[")[2]
        return bool(given) and not given.startswith(KEPT_SIDES)
    return item.nodeid.endswith(SHOWN_ELSEWHERE)


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
