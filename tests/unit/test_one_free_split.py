"""A house that stakes only the first splits of a box: checks, prices, charts, simulations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from changed_games import changed_rules, problems
from shell import upcard
from upcard import GameTables, compile_game
from upcard.solve.odds import Odds, odds

GAME = "free-bet"


@cache
def tables_of(times: int) -> GameTables:
    rules = changed_rules(GAME, {"split.free_times": times})
    assert problems(rules) == []
    return compile_game(rules)


@cache
def priced(times: int) -> Odds:
    return odds(tables_of(times))


def test_it_needs_splits_that_the_house_stakes() -> None:
    (found,) = problems(changed_rules(GAME, {"split.free": [], "split.free_times": 1}))
    assert "the house stakes no splits: free names the ranks whose pairs it does" in found


def test_the_fewer_splits_are_free_the_worse_for_the_player() -> None:
    once, twice, thrice, every = (priced(times).wagers["base"] for times in (1, 2, 3, 0))
    assert once.ev < twice.ev < thrice.ev
    assert thrice.ev == pytest.approx(every.ev, abs=1e-15)  # a box has four hands
    assert once.stake > twice.stake > every.stake > 1


def test_basic_play_splits_again_with_its_own_money_where_that_is_better() -> None:
    """It gives up no more than where every split is free."""
    costs = [priced(times).base.basic_cost for times in (1, 0)]
    assert all(0 < cost < 1e-5 for cost in costs)


def test_the_sheet_says_whose_money_it_is() -> None:
    words = [rule.words for rule in tables_of(2).rulebook.sentences]
    assert (
        "The house stakes two splits of a box at most, the first; pairs that come after that are "
        "split for a wager of the player's own." in words
    )


def test_a_chart_that_is_read_back_is_played_as_it_says(tmp_path: Path) -> None:
    setting = ("--set", "free_splits=one")
    chart = tmp_path / "chart.json"
    drawn = upcard("strategy", GAME, *setting, "--json")
    chart.write_text(drawn.out)
    policy = ("--policy", str(chart))
    played = upcard("simulate", GAME, *setting, "--rounds", "1e6", *policy, "--json")
    base = played.data["wagers"]["base"]
    assert base["exact"] == pytest.approx(drawn.data["basic_ev"], abs=1e-9)
    assert abs(base["z"]) < 4
