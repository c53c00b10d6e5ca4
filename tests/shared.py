"""Games, compiled and solved once in a process however many tests ask for them.

Packaged ones are compiled once; of all that are played alike, hand by hand, one is solved. What
comes out is immutable, and the same every time. `tables_for`, `BaseGame`, `Solver`, the
pricer of readings and the plain tables of a live table are what they are elsewhere, but that they
know what they were asked before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import wraps
from typing import Any

from upcard import GAME_IDS, GameTables
from upcard.compile import tables as compiling
from upcard.compile.bets import usual_bet
from upcard.rules.load import RuleSet, load_game
from upcard.solve import hands_and_shoes, readings
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.lights import lights_aim
from upcard.solve.odds import Solver
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Solution
from upcard.solve.split import Mode
from upcard.table.plain_tables import PlainTables

COMPILED = "compiled in tests"
"""Where a rule set holds its tables."""
LIKE = "plays like in tests"
"""Where a base game holds the one that is played as it is."""

_load, _compile = load_game, compiling.compile_game
_init, _solve, _basic = BaseGame.__init__, BaseGame.solve, Solver.basic
_Pricer = vars(readings)["Pricer"]
_begin_pricer = _Pricer.__init__
_begin_plain = PlainTables.__init__


class Kept:
    """Values by what was asked for: those that stay, and of others the last ones."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._staying: dict[Hashable, Any] = {}
        self._latest: OrderedDict[Hashable, Any] = OrderedDict()

    def once(self, key: Hashable, make: Callable[[], Any], *, stays: bool = False) -> Any:
        if key in self._staying:
            return self._staying[key]
        if stays:
            self._staying[key] = found = self._latest.pop(key) if key in self._latest else make()
            return found
        if key not in self._latest:
            self._latest[key] = make()
        self._latest.move_to_end(key)
        if len(self._latest) > self.most:
            self._latest.popitem(last=False)
        return self._latest[key]

    def forget(self) -> None:
        self._staying.clear()
        self._latest.clear()

    def __iter__(self) -> Iterator[Any]:
        yield from self._staying.values()
        yield from self._latest.values()


# A solution of a game with bonus cards has 70 megabytes.
_rules, _games, _solutions, _basics = Kept(400), Kept(12), Kept(16), Kept(16)
_stamps = Kept(400)
# The lists of a game have a megabyte.
_plain = Kept(64)
_evs: dict[Any, float] = {}
"""What wagers are worth, by a stamp of all that this depends on."""


def share() -> None:
    """From now on nothing is worked out again while it is kept."""
    vars(compiling).update(load_game=load_once, compile_game=_compiled)
    for owner, name, method in (
        (BaseGame, "__init__", _begin),
        (BaseGame, "solve", _solved),
        (Solver, "basic", _played),
        (_Pricer, "__init__", _begin_to_price),
        (PlainTables, "__init__", _begin_to_look),
    ):
        setattr(owner, name, method)


def forget() -> None:
    """Let go of all that was solved: some solutions have hundreds of megabytes."""
    for kept in (_games, _solutions, _basics):
        kept.forget()


def load_once(reference: str, settings: Mapping[str, str] | None = None) -> RuleSet:
    """As `load_game`, the very rules that `tables_for` compiles."""
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


def _played_by(tables: GameTables) -> str:
    """A stamp of all by which hands are played: not of words, the order of settlement, or how a
    bank pays and is paid.
    """
    parts = "alphabet hands contexts dealer effects player_classes payoffs observers carry prizes"
    banks = ("cover_measure", "natural_paid", "fees")
    money = [value for name, value in vars(tables.money).items() if name not in banks]
    played = [getattr(tables, part) for part in parts.split()]
    return readings.stamp(*played, tables.legal.mask, repr(tables.round_plan), repr(money))


def _is_usual(tables: GameTables) -> bool:
    """Whether it is a packaged game as it is played by default, which most tests ask for."""
    return tables.id in GAME_IDS and not tables.settings


def _begin(self: BaseGame, tables: GameTables, **given: Any) -> None:
    if type(self) is not BaseGame or not given.keys() <= {"endless", "progress"}:
        _init(self, tables, **given)
        return
    # With the tables themselves, so that no others can take their place.
    _, stamp = _stamps.once(id(tables), lambda: (tables, _played_by(tables)))
    progress: Progress = given.pop("progress", silent)
    limits = (hands_and_shoes.MOST_TRADES, hands_and_shoes.MOST_TRADES_SPLIT)

    def begin() -> dict[str, Any]:
        game = BaseGame.__new__(BaseGame)
        _init(game, tables, **given)
        return vars(game)

    progress("dealer", 0.0)
    key = (stamp, given.get("endless", False), limits)
    kept = _games.once(key, begin, stays=_is_usual(tables))
    if kept["tables"] is tables:
        self.__dict__ = kept
    else:
        vars(self).update({**kept, "tables": tables, LIKE: kept})
    progress("dealer", 1.0)


@wraps(_solve)
def _solved(
    self: BaseGame, aim: Aim, *, mode: Mode = "CDP", progress: Progress = silent
) -> Solution:
    usual = aim.lights in ((0.0,), lights_aim(self, aim.bet).lights)
    game = vars(self).get(LIKE, vars(self))
    if not usual or not any(kept is game for kept in _games):
        return _solve(self, aim, mode=mode, progress=progress)
    progress("hands", 0.0)
    key = (id(game), repr(aim), mode)
    # With the game itself, so that no other can take its place.
    stays = _is_usual(self.tables) and aim.bet == usual_bet(self.tables) and not aim.extra
    _, found = _solutions.once(key, lambda: (game, _solve(self, aim, mode=mode)), stays=stays)
    progress("hands", 1.0)
    solution: Solution = found
    return solution


@wraps(_basic)
def _played(self: Solver, optimal: Solution) -> tuple[Solution, BasicPlay]:
    if not any(found is optimal for _, found in _solutions):
        return _basic(self, optimal)
    self.progress("basic strategy", 0.0)
    stays = _is_usual(self.tables) and optimal.aim.bet == usual_bet(self.tables)
    _, found = _basics.once(id(optimal), lambda: (optimal, _basic(self, optimal)), stays=stays)
    self.progress("basic strategy", 1.0)
    solution, play = found
    return solution, play


@wraps(_begin_pricer)
def _begin_to_price(self: Any, *given: Any) -> None:
    _begin_pricer(self, *given)
    vars(self)["_evs"] = _evs


@wraps(_begin_plain)
def _begin_to_look(self: PlainTables, tables: GameTables) -> None:
    def look() -> dict[str, Any]:
        _begin_plain(self, tables)
        return dict(vars(self))

    # With the tables themselves (among what they came to), so that no others can take their place.
    vars(self).update(_plain.once(id(tables), look))
