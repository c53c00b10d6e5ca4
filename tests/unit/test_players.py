"""Bots play the solver's strategies: the same choices, kept on disk, loaded when needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import compiled
from unit.test_table_play import Table
from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.players import RankedStrategy, Spot, basic_strategy, kept, ranked
from upcard.players.ranked import SolvedWhenNeeded
from upcard.round.policy import early_masks, reachable, twins
from upcard.solve.base_game import BaseGame
from upcard.solve.moves import StatePlay
from upcard.solve.odds import Solver
from upcard.table import commands as cm
from upcard.table.bots import Bot

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("blackjack", {"surrender": "early"}),
    ("games-of-chance-blackjack", {"surrender": "both"}),
    ("ten-sticks-21", {}),
    ("pure-spanish-21.5", {}),
    ("twisted-21", {}),
]


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_a_bot_chooses_what_the_solver_chooses(game: str, settings: dict[str, Any]) -> None:
    """In every spot that hands can reach, the simulator's form of basic play says the same."""
    tables = compiled(game, **settings)
    strategy = basic_strategy(tables)
    solver = Solver(BaseGame(tables), "CDZ-")
    _, play = solver.basic(solver.optimal(ranked_bet(tables)))
    other = StatePlay("basic", play, twins(tables))
    contexts = tables.contexts.contexts
    asked = 0
    for context, states in reachable(tables).items():
        for state in states:
            for up in play.scores:
                legal = int(tables.legal.mask[state, context, up])
                if legal & (legal - 1):
                    wanted = other.act(state, contexts[context], up, legal)
                    assert strategy.choose(Spot(state, context, up, legal)) == wanted
                    asked += 1
    for up, state in np.argwhere(early_masks(tables)).tolist():
        legal = int(early_masks(tables)[up, state])
        spot = Spot(state, tables.contexts.index(), up, legal, before_check=True)
        if up in play.scores:
            assert strategy.choose(spot) == other.early(state, up, legal)
            asked += 1
    assert asked > 500


def ranked_bet(tables: GameTables) -> int:
    plan = tables.money.wagers["base"]
    return min(plan.amounts, default=plan.minimum)


def test_a_late_natural_that_takes_the_original_wager_only_is_reckoned_with() -> None:
    """`Payoff.added`: eleven against an ace is doubled where a natural leaves the double alone."""
    answers = {}
    for takes in ("all", "original"):
        table = Table("blackjack", peek="none", late_natural_takes=takes)
        table.sit("Ann", 2)
        table.bet("Ann", 2, 1000)
        table.stack("8s Th 8h 7d")
        table.deal()
        bot = Bot(table.engine, "Ann", wager=1000, strategy=basic_strategy(table.engine.tables))
        answers[takes] = cm.decision_text(bot.answer(table.state, table.asked))
    assert answers["original"] == "split"
    assert answers["all"] != "split"


@pytest.mark.parametrize(("odds", "takes"), [("2:1", Action.DECLINE), ("3:1", Action.INSURE)])
def test_insurance_is_taken_where_it_gains(odds: str, takes: Action, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        f'''extends = "blackjack"
id = "own"
version = 1
name = "Own"
source = "Nobody."
insurance.pays = "{odds}"
[clauses]
OWN-1 = {{ kind = "money", says = "Insurance pays {odds}.", sets = ["insurance.pays"] }}
'''
    )
    tables = compiled(str(file))
    context = [found.phase for found in tables.contexts.contexts].index(Phase.INSURANCE)
    legal = Action.INSURE.bit | Action.DECLINE.bit
    ace, ten = tables.alphabet.index("A"), tables.alphabet.index("T")
    state = tables.hands.after(ten, ten)
    assert basic_strategy(tables).choose(Spot(state, context, ace, legal)) is takes


# ------------------------------------------------------------------ what is kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    monkeypatch.setattr(ranked, "_found", {})
    return tmp_path


def same(one: RankedStrategy | None, other: RankedStrategy) -> bool:
    return (
        one is not None
        and np.array_equal(one.turn, other.turn)
        and np.array_equal(one.early, other.early)
    )


def test_a_strategy_is_worked_out_once_and_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = compiled("twisted-21")
    assert kept.load(tables) is None
    found = basic_strategy(tables)
    assert basic_strategy(tables) is found, "once a process"
    monkeypatch.setattr(ranked, "_found", {})
    monkeypatch.setattr("upcard.players.solved.solve", None)
    assert same(basic_strategy(tables), found), "once a machine"
    assert len(list(folder.rglob("*"))) == 2, "a folder and a file, and nothing left over"


@pytest.mark.usefixtures("folder")
def test_another_game_or_other_code_does_not_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = compiled("twisted-21")
    basic_strategy(tables)
    assert kept.load(compiled("twisted-21", hit_cards="in-order")) is None
    monkeypatch.setattr(kept, "_code", lambda: "0" * 64)
    assert kept.load(tables) is None


@pytest.mark.parametrize("change", ["empty", "garbage", "cut", "changed", "other game", "no array"])
def test_a_broken_file_is_as_good_as_none(
    folder: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = compiled("twisted-21")
    found = basic_strategy(tables)
    (file,) = folder.rglob("*.npz")
    match change:
        case "empty":
            file.write_bytes(b"")
        case "garbage":
            file.write_bytes(b"not a strategy")
        case "cut":
            file.write_bytes(file.read_bytes()[:200])
        case "changed":
            data = file.read_bytes()
            file.write_bytes(data[:300] + b"\0" * 40 + data[340:])
        case "other game":
            kept.save(tables, RankedStrategy(found.turn[:1], found.early))
        case "no array":
            np.savez(file, turn=found.turn)
    assert kept.load(tables) is None
    monkeypatch.setattr(ranked, "_found", {})
    assert same(basic_strategy(tables), found)
    assert same(kept.load(tables), found), "and is kept again"


def test_nothing_breaks_where_nothing_can_be_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("a file, not a folder")
    for place in (str(folder / "file"), ""):
        monkeypatch.setenv("UPCARD_CACHE", place)
        monkeypatch.setattr(ranked, "_found", {})
        assert basic_strategy(compiled("twisted-21")).fits(compiled("twisted-21"))
        assert kept.load(compiled("twisted-21")) is None


# ------------------------------------------------------------------ when it is loaded


@pytest.mark.usefixtures("folder")
def test_who_waits_is_told_once_and_only_if_there_is_something_to_work_out() -> None:
    tables = compiled("twisted-21")
    legal = Action.HIT.bit | Action.STAND.bit
    spot = Spot(tables.hands.after(0, 0), tables.contexts.index(), 0, legal)
    said: list[str] = []
    strategy = SolvedWhenNeeded(tables, said.append)
    assert said == []
    for _ in range(2):
        strategy.choose(spot)
    assert said == [ranked.WORKING]
    SolvedWhenNeeded(tables, said.append).choose(spot)
    assert said == [ranked.WORKING]


def test_a_table_opens_without_the_solver() -> None:
    code = "import sys, upcard.cli.play.start; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
