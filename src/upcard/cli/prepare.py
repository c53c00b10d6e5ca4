"""`upcard prepare`: compile every kernel now, so that no first use has to wait for it."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import TYPE_CHECKING

import typer

from upcard.compile.bets import usual_bet
from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard.simulate.job import Job

PROCESSES = 2
"""Compiled at once: more would wait for the longest kernel all the same."""
USUAL_SECONDS = 140
FEW_ROUNDS = 10


def prepare() -> None:
    """Compile the solver, the simulator and the environments, so that no first use waits for it.

    Every game is played a few times. What is compiled stays on disk until the source changes.

    Example: upcard prepare
    """
    from upcard.rules.registry import GAME_IDS

    began = time.monotonic()
    typer.echo(f"Compiling the solver and the simulator, once: about {USUAL_SECONDS} seconds")
    pool = ProcessPoolExecutor(
        min(PROCESSES, os.cpu_count() or 1), get_context("spawn"), initializer=_end_when_told
    )
    with pool:
        # The longest first, and one after the other what shares kernels.
        under_way = [pool.submit(simulate_any_once), pool.submit(solve_once)]
        under_way.append(pool.submit(learn_once))
        under_way += [
            pool.submit(simulate_once, game, fresh) for fresh in (True, False) for game in GAME_IDS
        ]
        failed = {str(error) for part in under_way if (error := part.exception())}
    if failed:
        raise UpcardError(f"not everything could be compiled: {'; '.join(sorted(failed))}")
    typer.echo(f"Compiled in {time.monotonic() - began:.0f} seconds.")


def _end_when_told() -> None:
    """Ctrl-C ends a process that compiles without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def solve_once() -> None:
    """What `odds`, `strategy`, `readings`, `hand` and `bank` need.

    Games differ in numbers and not in types; of those that do, each has one here.
    """
    from upcard.money import BASE
    from upcard.solve.advice import warm_up
    from upcard.solve.odds import odds
    from upcard.trial.bank import bank

    for name in ("blackjack", "twisted-21"):
        odds(tables_for(name))
    for name in ("blackjack", "ten-sticks-21"):
        warm_up(tables_for(name))
    tables = tables_for("pure-spanish-21.5")
    bet = usual_bet(tables)
    bank(tables, [{BASE: bet}] * 2, limit=bet, rounds=FEW_ROUNDS)


def learn_once() -> None:
    """What the environments need, if gymnasium is there."""
    if find_spec("gymnasium") is None:
        return
    from upcard.envs import RoundVectorEnv
    from upcard.rules.registry import GAME_IDS

    for game in GAME_IDS:
        env = RoundVectorEnv(game, 2, autoreset="same-step")
        env.reset(seed=1)
        for _ in range(FEW_ROUNDS):
            env.step(env.action_masks().argmax(axis=1))


def simulate_any_once() -> None:
    """What `simulate` needs for few rounds at any table."""
    job = _job(tables_for("blackjack"), fresh=True)
    job.play_with_all_parts(0, 1, FEW_ROUNDS)


def simulate_once(game: str, fresh: bool) -> None:
    """What `simulate` needs for many rounds of a game, with a fresh shoe for each or a cut card."""
    tables = tables_for(game)
    if fresh or not tables.round_plan.shoe.shuffles_every_round:
        _job(tables, fresh=fresh).play(0, 1, FEW_ROUNDS)


def _job(tables: GameTables, *, fresh: bool) -> Job:
    from upcard.round.policy import MimicPlay, by_state
    from upcard.round.setup import TableSetup
    from upcard.simulate.job import Job

    table = TableSetup(tables, usual_bet(tables), fresh=fresh)
    return Job(table, by_state(tables, MimicPlay(tables)), seed=1)
