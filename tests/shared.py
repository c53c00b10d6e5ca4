"""The packaged games, compiled and solved once in a process however many tests ask for them.

What comes out is immutable, and the same every time. `tables_for`, `BaseGame` and `Solver` are what
they are elsewhere, but that they know what they were asked before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any

from upcard import GAME_IDS, GameTables
from upcard.compile import tables as compiling
from upcard.rules.load import RuleSet, load_game
from upcard.solve import hands_and_shoes
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.lights import lights_aim
from upcard.solve.odds import Solver
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Solution
from upcard.solve.split import Mode

COMPILED = "compiled in tests"
"""Where a rule set holds its tables."""

_load, _compile = load_game, compiling.compile_game
_init, _solve, _basic = BaseGame.__init__, BaseGame.solve, Solver.basic


class Kept:
    """Values by what was asked for, as many as were asked for last."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[Hashable, Any] = OrderedDict()

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        if key not in self.values:
            self.values[key] = make()
        self.values.move_to_end(key)
        if len(self.values) > self.most:
            self.values.popitem(last=False)
        return self.values[key]


# A solution of a game with bonus cards has 70 megabytes.
_rules, _games, _solutions, _basics = Kept(200), Kept(12), Kept(16), Kept(16)


def share() -> None:
    """From now on nothing is worked out again while it is kept."""
    vars(compiling).update(load_game=_loaded, compile_game=_compiled)
    for owner, name, method in (
        (BaseGame, "__init__", _begin),
        (BaseGame, "solve", _solved),
        (Solver, "basic", _played),
    ):
        setattr(owner, name, method)


def _loaded(reference: str, settings: Mapping[str, str] | None = None) -> RuleSet:
    given = tuple((settings or {}).items())
    if reference not in GAME_IDS or not all(isinstance(value, str) for _, value in given):
        return _load(reference, settings)

    def load() -> RuleSet:
        rules = _load(reference, settings)
        vars(rules)[COMPILED] = None
        return rules

    found: RuleSet = _rules.once((reference, given), load)
    return found


@wraps(_compile)
def _compiled(rules: RuleSet) -> GameTables:
    if COMPILED not in vars(rules):
        return _compile(rules)
    found: GameTables = vars(rules)[COMPILED] or _compile(rules)
    vars(rules)[COMPILED] = found
    return found


def _packaged(tables: GameTables) -> bool:
    """Whether these are the very tables that everybody has of a game without settings."""
    rules = _rules.values.get((tables.id, ()))
    return rules is not None and vars(rules)[COMPILED] is tables


def _begin(self: BaseGame, tables: GameTables, **given: Any) -> None:
    known = given.keys() <= {"endless", "progress"}
    if type(self) is not BaseGame or not known or not _packaged(tables):
        _init(self, tables, **given)
        return
    progress: Progress = given.pop("progress", silent)
    limits = (hands_and_shoes.MOST_TRADES, hands_and_shoes.MOST_TRADES_SPLIT)

    def begin() -> dict[str, Any]:
        _init(self, tables, **given)
        return vars(self)

    progress("dealer", 0.0)
    self.__dict__ = _games.once((tables.id, given.get("endless", False), limits), begin)
    progress("dealer", 1.0)


@wraps(_solve)
def _solved(
    self: BaseGame, aim: Aim, *, mode: Mode = "CDP", progress: Progress = silent
) -> Solution:
    usual = aim.lights in ((0.0,), lights_aim(self, aim.bet).lights)
    if not usual or not any(kept is vars(self) for kept in _games.values.values()):
        return _solve(self, aim, mode=mode, progress=progress)
    progress("hands", 0.0)
    key = (id(vars(self)), repr(aim), mode)
    # With the game itself, so that no other can take its place.
    _, found = _solutions.once(key, lambda: (vars(self), _solve(self, aim, mode=mode)))
    progress("hands", 1.0)
    solution: Solution = found
    return solution


@wraps(_basic)
def _played(self: Solver, optimal: Solution) -> tuple[Solution, BasicPlay]:
    if not any(found is optimal for _, found in _solutions.values.values()):
        return _basic(self, optimal)
    self.progress("basic strategy", 0.0)
    _, found = _basics.once(id(optimal), lambda: (optimal, _basic(self, optimal)))
    self.progress("basic strategy", 1.0)
    solution, play = found
    return solution, play
