"""The command line's questions to the solver, each answered once in a process.

Tests of the verbs and the examples of the documents ask for the same games in words and as JSON.
What tells two questions apart is the game's fingerprint and everything that is asked besides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from upcard import GameTables
from upcard.solve.chart import Chart, draw_chart
from upcard.solve.odds import Odds, odds
from upcard.solve.readings import Readings, TablesFor, price_readings


def answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let verbs take what was solved before."""
    monkeypatch.setattr("upcard.solve.odds.odds", _odds)
    monkeypatch.setattr("upcard.solve.chart.draw_chart", _chart)
    monkeypatch.setattr("upcard.solve.readings.price_readings", _readings)


_solved: dict[tuple[str, str, str], Any] = {}


def _once(kind: str, tables: GameTables, solve: Callable[[], Any], options: object) -> Any:
    key = (kind, tables.fingerprint, repr(options))
    if key not in _solved:
        _solved[key] = solve()
    return _solved[key]


def _odds(tables: GameTables, **options: Any) -> Odds:
    del options["progress"]
    found: Odds = _once("odds", tables, lambda: odds(tables, **options), options)
    return found


def _chart(tables: GameTables, **options: Any) -> Chart:
    del options["progress"]
    found: Chart = _once("chart", tables, lambda: draw_chart(tables, **options), options)
    return found


def _readings(load: TablesFor, settings: dict[str, str], *, bet: int | None, **_: Any) -> Readings:
    tables = load(settings)
    found: Readings = _once(
        "readings", tables, lambda: price_readings(load, settings, bet=bet), (settings, bet)
    )
    return found
