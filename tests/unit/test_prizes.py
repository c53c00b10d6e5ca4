"""Prizes of hands: checked, priced, simulated, and won in environments."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from changed_games import changed_rules
from shell import upcard
from upcard import GameTables, compile_game, tables_for
from upcard.envs.vector import RoundVectorEnv
from upcard.round.stakes import PRIZES
from upcard.rules.check import check_game
from upcard.simulate.run import Goal, Threads, run
from upcard.solve.odds import odds
from upcard.trial.trials import Request, Result, prepare

SEVENS = """
id = "own"
version = 1
name = "Own"
source = "ours"
extends = "spanish-21"
draft = true

[shoe]
decks = 8
removed = ["T", "2", "3", "4", "5", "6", "8", "9"]

[bonuses]
rows = [
    { name = "7-7-7 of spades", ranks = ["7", "7", "7"], suits = "s", pays = "3:1" },
    { name = "7-7-7 of one suit", ranks = ["7", "7", "7"], suits = "one", pays = "2:1" },
    { name = "7-7-7", ranks = ["7", "7", "7"], pays = "3:2" },
]
"""
"""Sevens, aces and courts only: the prize comes often."""


def own_game(folder: Path, more: str = "") -> str:
    file = folder / "own.toml"
    file.write_text(SEVENS + more)
    return str(file)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('hands = ["8-8-8"]', 'there is no bonus "8-8-8"'),
        ('hands = ["7-7-7", "7-7-7"]', '"7-7-7" is named twice'),
        ('up = ["T"]', "T is taken out of the deck"),
        ("sums = [{ from = 2500, pays = 2 }, { from = 500, pays = 1 }]", "the smallest first"),
        ('name = " Super"', "in one line"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, more: str, words: str) -> None:
    reference = own_game(tmp_path, f"[prizes.super-bonus]\n{more}\n")
    _, problems = check_game(reference, {}, draft=True)
    assert [problem.message for problem in problems if words in problem.message], problems


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("blackjack-switch", "exchanged"),
        ("ten-sticks-21", "lights have the game's prize"),
        ("pure-spanish-21.5", "a player banks here"),
    ],
)
def test_what_does_not_go_together_is_refused(game: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        f"""
id = "own"
version = 1
name = "Own"
source = "ours"
extends = "{game}"
draft = true
[bonuses]
paid = "at-once"
rows = [{{ name = "five cards", cards = 5, pays = "2:1" }}]
[prizes.five]
name = "Five"
hands = ["five cards"]
sums = [{{ from = 100, pays = 5000 }}]
"""
    )
    _, problems = check_game(str(file), {}, draft=True)
    assert [problem.message for problem in problems if words in problem.message], problems


def test_a_prize_changes_no_play_unless_that_is_best() -> None:
    """SP-SB: at $5 a pair of sevens against a 7 is hit for it, at $500 it is split as before."""
    tables = tables_for("spanish-21", {"super_bonus": "true"})
    small, large = odds(tables, bet=500).prizes, odds(tables, bet=50_000).prizes
    assert small is not None
    assert large is not None
    assert [(one.cards, one.up, one.action.text) for one in small.played_for] == [
        ("7 7", "7", "hit")
    ]
    assert small.ev > small.alone_ev > small.base_ev
    assert large.played_for == ()
    assert large.ev == large.base_ev == large.alone_ev
    assert large.prizes[0].chance == 0
    assert large.prizes[0].most_chance == pytest.approx(small.prizes[0].chance, rel=1e-12)
    plain = odds(tables_for("spanish-21"), bet=500)
    assert small.alone_ev == pytest.approx(plain.wagers["base"].ev, abs=1e-12)


@cache
def played(reference: str, seats: int, rounds: int) -> Result:
    request = Request(game=reference, settings={"super_bonus": "true"}, seats=seats, bet=2500)
    trial = prepare(request)
    job = trial.job.for_rounds(rounds)
    with Threads([job], 1) as workers:
        return Result(trial, run([job], Goal(rounds), workers)[0])


def test_simulated_prizes_come_to_their_exact_value(tmp_path: Path) -> None:
    found = played(own_game(tmp_path), 1, 1_000_000)
    base, prizes = found.wagers["base"], found.prizes()
    assert base.z is not None
    assert abs(base.z) < 4
    assert prizes is not None
    exact = found.trial.exact[PRIZES].ev
    assert exact > 0.01
    assert abs(prizes.value - exact) < 4 * prizes.stderr < exact


def test_environments_pay_prizes(tmp_path: Path) -> None:
    """Somebody who draws to every hand wins one now and then, and it is in the reward."""
    tables = tables_for(own_game(tmp_path), {"super_bonus": "true"})
    env = RoundVectorEnv(tables, 512, bet=2500)
    _, info = env.reset(seed=1)
    won: list[int] = []
    for _ in range(400):
        # The first legal action is a hit wherever there is one.
        _, rewards, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        prizes = info["net"][PRIZES] if ended.any() else np.zeros(0)
        won += prizes[ended][prizes[ended] > 0].tolist() if ended.any() else []
        if won:
            assert rewards[ended & (prizes > 0)].min() > 200
            break
    assert set(won) == {500_000}


def test_the_page_and_the_data_say_what_it_is_worth() -> None:
    shown = upcard("odds", "spanish-21", "--set", "super_bonus=true", "--json").data["prizes"]
    (prize,) = shown["prizes"]
    assert round(1 / prize["chance"]) == 668_382
    assert (prize["pays"], prize["others"], f"{100 * prize['ev']:.4f}") == (
        100_000,
        5_000,
        "0.0299",
    )


def test_the_page_tells_what_is_played_for() -> None:
    tables = tables_for("spanish-21", {"super_bonus": "true"})
    text = str(odds(tables, bet=500))
    assert "668,382" in text
    assert "7 7 against 7 is played for the prize" in text


def test_prizes_and_ups_of_single_courts_are_told_apart() -> None:
    """An up card that a prize names is a card of its own."""
    changes = {"prizes.super-bonus.offered": True, "prizes.super-bonus.up": ["J"]}
    tables: GameTables = compile_game(changed_rules("spanish-21", changes, {}))
    names = tables.dealer.shown.names
    (prize,) = tables.prizes
    assert [name for up, name in enumerate(names) if prize.won[up].any()] == ["J"]
