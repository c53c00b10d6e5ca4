"""`upcard prepare` plays what everybody plays first, and says what could not be compiled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

import pytest

from shell import upcard
from upcard import GAME_IDS
from upcard.cli import prepare
from upcard.round.kernel import play_rounds


class InThisProcess:
    """A pool that does everything at once and here."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def submit(self, part: Callable[..., None], *given: Any) -> Future[None]:
        done: Future[None] = Future()
        try:
            part(*given)
        except Exception as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What is asked for, and not done."""
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(prepare, "ProcessPoolExecutor", InThisProcess)
    for name in ("solve_once", "learn_once", "simulate_once", "simulate_any_once"):
        monkeypatch.setattr(prepare, name, lambda *given, name=name: asked.append((name, *given)))
    return asked


def test_every_game_is_compiled_with_one_line_before_and_one_after(
    parts: list[tuple[Any, ...]],
) -> None:
    done = upcard("prepare")
    assert (done.status, done.err) == (0, "")
    first, last = done.out.splitlines()
    assert first == "Compiling the solver and the simulator, once: about 140 seconds"
    assert last == "Compiled in 0 seconds."
    games = {("simulate_once", game, fresh) for game in GAME_IDS for fresh in (True, False)}
    others = {("solve_once",), ("learn_once",), ("simulate_any_once",)}
    assert set(parts) == games | others


@pytest.mark.usefixtures("parts")
def test_what_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(prepare, "solve_once", fails)
    done = upcard("prepare")
    assert done.status == 1
    assert done.err == "upcard: not everything could be compiled: the disk is full\n"


def test_the_solver_and_the_bank_share_one_kernel() -> None:
    """Every part runs; what the solver plays for its deviations is what a bank plays."""
    prepare.learn_once()
    prepare.simulate_once("twisted-21", True)
    prepare.simulate_once("twisted-21", False)
    compiled: Any = play_rounds
    before = len(compiled.signatures)
    prepare.solve_once()
    assert len(compiled.signatures) <= before + 1
