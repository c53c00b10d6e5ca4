"""One kernel serves every table where few rounds are asked for: it plays the very same rounds."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import attrgetter
from threading import Thread
from typing import Any

import pytest

from conftest import compiled
from depth import deep
from upcard import GAME_IDS, GameTables, jit, tables_for
from upcard.compile.bets import usual_bet
from upcard.jit import is_compiled, kernel
from upcard.round.count import LOWEST, Departure, Level
from upcard.round.policy import MimicPlay, OpenPlay, by_state
from upcard.round.setup import TableSetup
from upcard.simulate import job as jobs
from upcard.simulate.blocks import play_blocks
from upcard.simulate.count_file import load_count, with_departures
from upcard.simulate.job import SHORT_ROUNDS, Job, PlayBlocks, Visit

BLOCKS, LAST = 4, 7_000


def table_of(tables: GameTables, **given: Any) -> TableSetup:
    return TableSetup(tables, usual_bet(tables), **given)


def job_of(table: TableSetup, *, at_random: bool = False, visit: Visit | None = None) -> Job:
    policy = OpenPlay() if at_random else MimicPlay(table.tables)
    return Job(table, by_state(table.tables, policy), seed=23, visit=visit)


def is_alike(job: Job) -> bool:
    return job.play(3, BLOCKS, LAST) == job.play_with_all_parts(3, BLOCKS, LAST)


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_has_the_same_totals(game: str, fresh: bool) -> None:
    """By the kernels that `upcard prepare` compiles."""
    assert is_alike(job_of(table_of(compiled(game), fresh=fresh)))


@deep
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_has_the_same_totals_by_chance_and_at_full_tables(game: str) -> None:
    tables = compiled(game)
    assert is_alike(job_of(table_of(tables), at_random=True))
    assert is_alike(job_of(table_of(tables, fresh=False, seats=3)))


@deep
@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("insures_from", [None, 3])
def test_counted_shoes_have_the_same_totals(seats: int, insures_from: int | None) -> None:
    tables = compiled("blackjack")
    count = replace(
        load_count("hi-lo", tables),
        ramp=(Level(LOWEST, Fraction(1)), Level(2, Fraction(4))),
        insures_from=insures_from,
        departures=(Departure("12", "2", 3, "stand"),) * (insures_from is not None),
    )
    job = job_of(table_of(tables, fresh=False, seats=seats, count=count))
    assert is_alike(job)
    assert is_alike(replace(job, moves=with_departures(tables, job.moves, count)))


@deep
def test_shoes_that_run_out_have_the_same_totals() -> None:
    tables = compiled("blackjack", decks=1, penetration=0.9)
    assert is_alike(job_of(table_of(tables, fresh=False, seats=5)))


@deep
@pytest.mark.parametrize("cover", ["net", "by-wagers"])
def test_limited_banks_have_the_same_totals(cover: str) -> None:
    tables = compiled("pure-spanish-21.5", bank_cover=cover)
    wagers = {"match": usual_bet(tables)}
    assert is_alike(job_of(table_of(tables, besides=wagers, seats=3, bank=5 * usual_bet(tables))))


@deep
def test_side_wagers_and_sessions_have_the_same_totals() -> None:
    tables = tables_for("blackjack", sides=("21+3", "super-sevens", "buster"))
    table = table_of(tables, besides=dict.fromkeys(("21+3", "buster"), usual_bet(tables)))
    assert is_alike(job_of(table, visit=Visit(rounds=100, bankroll=20 * usual_bet(tables))))


def test_few_rounds_are_played_by_it_unless_a_kernel_of_their_own_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = job_of(table_of(compiled("blackjack")))
    assert not job.for_rounds(None).short
    assert job.for_rounds(SHORT_ROUNDS).short
    assert not job.for_rounds(SHORT_ROUNDS + 1).short
    assert not replace(job, table=replace(job.table, seats=2)).for_rounds(SHORT_ROUNDS).short
    assert job.for_rounds(1).identity == job.identity
    played: list[bool] = []
    there: dict[str, bool] = {}

    def is_there(_: object, given: PlayBlocks) -> bool:
        """Whether the own kernel is, or that for all; these have a count, if only as nothing."""
        return there["all" if given.machine.counting is not None else "own"]

    def play(_: Job, given: PlayBlocks) -> None:
        played.append(given.machine.counting is not None)

    monkeypatch.setattr(jobs, "is_compiled", is_there)
    monkeypatch.setattr(Job, "_play", play)
    for own, whole in product((True, False), repeat=2):
        there.update(own=own, all=whole)
        job.play(0, 1, 10)
        job.for_rounds(1).play(0, 1, 10)
    assert played == [False, False, False, False, False, True, False, False]


def test_all_tables_have_one_kernel() -> None:
    """Whatever their parts: with bundles of other types there would be two."""
    found: Any = play_blocks
    tables = tables_for("twisted-21"), tables_for("ten-sticks-21", {"decks": "2"})
    kernels = set()
    for one in (*(table_of(t) for t in tables), table_of(compiled("pure-spanish-21.5"), seats=4)):
        given = vars(Job)["_with_all_parts"](job_of(one), 0, 1, 10)
        kernels.add(tuple(map(found.typeof_pyval, given)))
    assert len(kernels) == 1


@kernel
def _twice(number: float) -> float:
    return 2 * number


def test_whether_a_kernel_is_compiled_goes_by_what_it_is_given() -> None:
    _twice(1.5)
    assert is_compiled(_twice, [2.5])
    assert not is_compiled(_twice, [2 + 1j])


def test_threads_that_look_at_once_see_the_same_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stamp that is half made would let a kernel be compiled again, or be kept by a wrong one."""
    file = attrgetter("_cache._cache_file")(play_blocks)
    seen = set()

    def look() -> None:
        attrgetter("_load_index")(file)()
        seen.add(attrgetter("_source_stamp")(file))

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            monkeypatch.setattr(jit, "_stamps", {})
            threads = [Thread(target=look) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert len(seen) == 1
