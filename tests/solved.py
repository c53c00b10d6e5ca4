"""The command line's questions to the solver, each answered once in a run of the tests.

Tests of the verbs and the examples of the documents ask for the same games in words and as JSON.
What tells two questions apart is the game's fingerprint and everything that is asked besides.
"""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from upcard import GameTables
from upcard.solve.chart import Chart, draw_chart
from upcard.solve.odds import Odds, odds
from upcard.solve.readings import Readings, TablesFor, price_readings
from upcard.trial import bank_readings


def answer_once(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let verbs take what was solved before, by any process that has the same folder."""
    folder.mkdir(exist_ok=True)
    _shared["folder"] = folder
    monkeypatch.setattr("upcard.solve.odds.odds", _odds)
    monkeypatch.setattr("upcard.solve.chart.draw_chart", _chart)
    monkeypatch.setattr("upcard.solve.readings.price_readings", readings_once)
    monkeypatch.setattr("upcard.trial.bank_readings.price_readings", readings_once)
    monkeypatch.setattr("upcard.trial.bank_readings.price_all_readings", _all_readings)


_price_all = bank_readings.price_all_readings
_solved: dict[tuple[str, str, str], Any] = {}
_shared: dict[str, Path] = {}


def _once(kind: str, tables: GameTables, solve: Callable[[], Any], options: object) -> Any:
    key = (kind, tables.fingerprint, repr(options))
    if key not in _solved:
        _solved[key] = _once_in_the_run(key, solve)
    return _solved[key]


def _once_in_the_run(key: tuple[str, str, str], solve: Callable[[], Any]) -> Any:
    """What another process of this run has found is read from its file, which is written whole."""
    file = _shared["folder"] / sha256(repr(key).encode()).hexdigest()
    with contextlib.suppress(FileNotFoundError):
        return pickle.loads(file.read_bytes())
    found = solve()
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(pickle.dumps(found))
    unfinished.replace(file)
    return found


def _odds(tables: GameTables, **options: Any) -> Odds:
    del options["progress"]
    found: Odds = _once("odds", tables, lambda: odds(tables, **options), options)
    return found


def _chart(tables: GameTables, **options: Any) -> Chart:
    del options["progress"]
    found: Chart = _once("chart", tables, lambda: draw_chart(tables, **options), options)
    return found


def readings_once(
    load: TablesFor, settings: Mapping[str, str] | None = None, *, bet: int | None = None, **_: Any
) -> Readings:
    """As `price_readings`, but for how far it has come."""
    chosen = dict(settings or {})
    found: Readings = _once(
        "readings", load(chosen), lambda: price_readings(load, chosen, bet=bet), (chosen, bet)
    )
    return found


def _all_readings(
    load: TablesFor, settings: Mapping[str, str] | None = None, **options: Any
) -> Readings:
    options.pop("progress", None)
    chosen = dict(settings or {})
    asked = (chosen, bank_readings.ROUNDS, sorted(options.items()))
    found: Readings = _once(
        "all readings", load(chosen), lambda: _price_all(load, chosen, **options), asked
    )
    return found
