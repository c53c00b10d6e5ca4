"""Our own figures for all six games, so that no change moves one unseen.

Each was compared with at least 50,000 rounds through the live table (`bench/bench_proof.py`).
"""

from collections.abc import Mapping

import pytest

from upcard import tables_for
from upcard.solve.odds import odds

AT_FOUR_DOLLARS = "base at 400"

FIGURES: list[tuple[str, Mapping[str, str], Mapping[str, float]]] = [
    (
        "blackjack",
        {},
        {
            "base": -0.00330259,
            "insurance": -0.07395498,
        },
    ),
    (
        "blackjack",
        {"peek": "none", "late_natural_takes": "all"},
        {
            "base": -0.00435288,
            "insurance": -0.07395498,
        },
    ),
    (
        "ten-sticks-21",
        {},
        {
            "base": 0.03586749,
            "insurance": -0.07395498,
        },
    ),
    (
        "ten-sticks-21",
        {"trade": "false"},
        {
            "base": 0.04237692,
            "insurance": -0.07395498,
        },
    ),
    (
        "pure-spanish-21.5",
        {},
        {
            "base": -0.02124479,
            "match": -0.03055481,
        },
    ),
    (
        "pure-spanish-21.5",
        {"double_double": "false"},
        {
            "base": -0.02585270,
            "match": -0.03055481,
        },
    ),
    (
        "games-of-chance-blackjack",
        {},
        {
            "base": -0.04489147,
            "insurance": -0.07395498,
            "base at 400": -0.02473368,
        },
    ),
    (
        "games-of-chance-blackjack",
        {"surrender": "early"},
        {
            "base": -0.03736458,
            "insurance": -0.07395498,
            "base at 400": -0.01828690,
        },
    ),
    (
        "twisted-21",
        {},
        {
            "base": -0.01924684,
            "stud-poker": -0.14959783,
            "stud-bonus": 0.03379967,
        },
    ),
    (
        "twisted-21",
        {"stud_bonus": "five-card-low"},
        {
            "base": -0.01924684,
            "stud-poker": -0.14959783,
            "stud-bonus": -0.04120879,
        },
    ),
    (
        "twisted-21",
        {"stud_bonus": "seven-card"},
        {
            "base": -0.01924684,
            "stud-poker": -0.14959783,
            "stud-bonus": -0.04644907,
        },
    ),
    (
        "twisted-21",
        {"stud_bonus": "seven-card-low"},
        {
            "base": -0.01924684,
            "stud-poker": -0.14959783,
            "stud-bonus": 0.61820067,
        },
    ),
    (
        "blackjack-tie",
        {},
        {
            "base": -0.00330259,
            "insurance": -0.07395498,
            "left-side": -0.08560978,
            "right-side": -0.12645906,
            "tie-17": -0.14216779,
            "tie-18": -0.12548633,
            "tie-19": -0.12140221,
            "tie-20": -0.23961994,
            "tie-21": -0.11403264,
            "tie-blackjack": -0.13123338,
        },
    ),
]


@pytest.mark.parametrize(("game", "settings", "expected"), FIGURES)
def test_figures(game: str, settings: Mapping[str, str], expected: Mapping[str, float]) -> None:
    found = odds(tables_for(game, settings))
    values = {wager: price.ev for wager, price in found.wagers.items()}
    if found.by_bet:
        values[AT_FOUR_DOLLARS] = found.by_bet[400]
    assert values == pytest.approx(expected, abs=1e-8)
    favoured = {wager for wager, price in found.wagers.items() if price.favours_player}
    assert favoured == {wager for wager in found.wagers if expected[wager] > 0}
