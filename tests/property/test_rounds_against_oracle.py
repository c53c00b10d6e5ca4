"""Whole rounds through the engine against the oracle, which plays them from the rules alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import dice, examples
from oracle.rounds import play_round, random_choice, random_situation
from upcard import GAME_IDS
from upcard.table.situation import Situation, differences, play_situation

pytestmark = pytest.mark.chance


def scripted(seed: int, game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A random round with the oracle's decisions as its script, and the oracle's result."""
    rng = dice(f"{game}/{seed}")
    situation = random_situation(rng, game, irregular=seed % 4 == 0)
    expected = play_round(situation, random_choice(rng))
    for seat in situation["seats"]:
        seat["actions"] = expected["seats"][str(seat["seat"])].pop("actions")
    _leave_out_what_is_said_otherwise(situation, expected)
    return situation, expected


def _leave_out_what_is_said_otherwise(situation: dict[str, Any], expected: dict[str, Any]) -> None:
    """Where the two differ in words or in a choice that no rule makes, and nowhere else."""
    for seat in expected["seats"].values():
        if not seat.get("backline"):
            seat.pop("backline", None)
    # The oracle draws in error for any dealer; the engine only where the hand stands.
    errors = situation.get("dealer_errors", [])
    if not 17 <= expected["dealer"]["total"] <= 21.5 and "card-drawn-in-error" in errors:
        errors.remove("card-drawn-in-error")
    # The oracle offers the bank to a player's second circle too, the engine to seats.
    names = [seat["player"] for seat in situation["seats"] if "player" in seat]
    if len(names) != len(set(names)):
        expected.pop("next_bank", None)
    # A wager given back although its hand lost to a late natural: "lost" there, "push" here.
    dealer = expected["dealer"]
    if len(dealer["cards"]) == 2 and dealer["total"] >= 21:
        for seat in expected["seats"].values():
            for hand in seat["hands"][1:]:
                hand.pop("outcome")


@pytest.mark.parametrize("game", GAME_IDS)
def test_random_rounds_end_as_the_oracle_says(game: str) -> None:
    @given(seed=st.integers(0, 10**9))
    @examples(60)
    def check(seed: int) -> None:
        situation, expected = scripted(seed, game)
        played = play_situation(msgspec.convert(situation, Situation)).report()
        assert differences(expected, played) == []

    check()
