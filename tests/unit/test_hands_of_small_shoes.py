"""Hands that a small shoe can make: whatever the live table may ask about has to be among them."""

from __future__ import annotations

import pytest

from conftest import compiled
from upcard.round.policy import shoe_gives


@pytest.mark.parametrize("decks", [1, 2, 5])
def test_aces_that_count_low_after_a_double_are_followed(decks: int) -> None:
    """PO-DBL: a doubled A-A with a two is 4 and may be rescued: chance and learners are asked."""
    tables = compiled("pontoon", decks=decks, rescue=True)
    given = shoe_gives(tables)
    assert given is not None
    hands, index = tables.hands, tables.alphabet.index
    pair = hands.after(index("A"), index("A"))
    doubled = hands.after(index("2"), start=int(hands.aces_low[pair]))
    assert int(hands.total[doubled]) == 2 * 4
    assert doubled in given


def test_a_large_shoe_has_enough_for_any_hand() -> None:
    assert shoe_gives(compiled("pontoon", decks=8)) is None
