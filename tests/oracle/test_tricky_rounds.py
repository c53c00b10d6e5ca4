"""Rounds of the variants that are easily got wrong, worked out by hand (`tricky_rounds.toml`)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from . import VARIANTS
from .rounds import play_round

ROUNDS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("tricky_rounds.toml").read_text()
)["round"]


def situation(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a scripted round of one seat."""
    seat = {"seat": 1, "wagers": {"base": 1000}, "actions": row["actions"]}
    return {
        "title": row["why"],
        "game": row["game"],
        "clauses": [],
        "set": row.get("set", {}),
        "shoe": row["shoe"],
        "seats": [seat],
    }


def named(row: dict[str, Any]) -> str:
    return f"{row['game']} {row['why']}"


@pytest.mark.parametrize("row", ROUNDS, ids=named)
def test_the_oracle_settles_them_as_worked_out(row: dict[str, Any]) -> None:
    assert play_round(situation(row))["seats"]["1"]["net"] == row["net"]


def test_every_variant_has_some() -> None:
    assert {row["game"] for row in ROUNDS} == set(VARIANTS)
