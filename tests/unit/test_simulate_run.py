"""Running jobs on threads: the same totals however they are played, stopped and gone on with."""

from __future__ import annotations

import ast
import hashlib
import itertools
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import upcard
from simulation_jobs import Coins
from upcard.errors import UpcardError
from upcard.simulate import run as running
from upcard.simulate.build import Build, imports_of, own_build
from upcard.simulate.checkpoint import (
    Begun,
    Checkpoint,
    Saved,
    check_fits,
    check_free,
    load,
    save,
)
from upcard.simulate.run import (
    Goal,
    PlayableJob,
    Progress,
    RunOutcome,
    Threads,
    first_look,
    next_look,
    run,
)
from upcard.simulate.totals import Totals

COINS = Coins()
TASK = 500_000
ODD = 3_234_567
"""Six whole tasks, two whole blocks, and a short one."""
NARROW = Goal(half_width=0.0003)


def on_threads(
    jobs: Sequence[PlayableJob], goal: Goal, count: int = 2, **options: Any
) -> list[RunOutcome]:
    with Threads(jobs, count) as workers:
        return run(jobs, goal, workers, **options)


def in_one_go(job: Coins, rounds: int) -> Totals:
    blocks = -(-rounds // job.block_rounds)
    return job.play(0, blocks, rounds - (blocks - 1) * job.block_rounds)


class Backwards:
    """Plays the newest task first, in this thread."""

    def __init__(self, jobs: Sequence[PlayableJob], count: int) -> None:
        self.jobs = jobs
        self.count = count
        self.waiting: list[tuple[Future[Totals], int, int, int, int]] = []
        self.most = 0

    def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
        future: Future[Totals] = Future()
        self.waiting.append((future, job, first, blocks, last))
        self.most = max(self.most, len(self.waiting))
        return future

    def capacity(self) -> int:
        if self.waiting:
            future, job, *blocks = self.waiting.pop()
            if future.set_running_or_notify_cancel():
                future.set_result(self.jobs[job].play(*blocks))
        return self.count


@pytest.fixture
def fast_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TICK_SECONDS", 0.0005)


@pytest.fixture
def always_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "WATCH_SECONDS", 0.0)
    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", 0.0)


# ------------------------------------------------------------------------------------ the totals


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("rounds", [1, 99_999, 100_000, TASK, 3 * TASK, ODD])
def test_the_totals_are_those_of_all_blocks_on_any_number_of_threads(
    rounds: int, count: int
) -> None:
    (outcome,) = on_threads([COINS], Goal(rounds), count)
    assert (outcome.rounds, outcome.complete) == (rounds, True)
    assert outcome.totals.rounds == rounds
    assert outcome.totals == in_one_go(COINS, rounds)
    assert outcome.job is COINS
    assert outcome.seconds > 0


def test_another_seed_gives_other_totals() -> None:
    assert in_one_go(COINS, ODD) != in_one_go(Coins(seed=2), ODD)


def test_blocks_larger_than_a_task_are_played_one_by_one() -> None:
    large = Coins(block_rounds=700_000)
    (outcome,) = on_threads([large], Goal(1_500_000))
    assert outcome.totals == in_one_go(large, 1_500_000)


@pytest.mark.usefixtures("fast_ticks")
@pytest.mark.parametrize("goal", [Goal(ODD), NARROW])
def test_tasks_that_arrive_in_another_order_are_merged_in_their_own(goal: Goal) -> None:
    jobs = [COINS, Coins(seed=2)]
    workers = Backwards(jobs, 3)
    for found, expected in zip(run(jobs, goal, workers), on_threads(jobs, goal), strict=True):
        assert (found.rounds, found.complete) == (expected.rounds, True)
        assert found.totals == expected.totals
    assert workers.most == 2 * 3 + 2


@pytest.mark.usefixtures("fast_ticks")
def test_a_late_task_holds_the_others_up_before_they_pile_up() -> None:
    class Late(Backwards):
        early = 0

        def capacity(self) -> int:
            """The first task is played when there is nothing else to do."""
            self.early += len(self.waiting) > 1 and self.waiting[0][2] == 0
            return super().capacity()

    workers = Late([COINS], 1)
    (outcome,) = run([COINS], Goal(60 * TASK), workers)
    assert outcome.totals == in_one_go(COINS, 60 * TASK)
    assert workers.early == running.WAITING_TASKS * (2 * 1 + 2) - 1


# ---------------------------------------------------------------------------- until it is narrow


def looks(job: Coins) -> list[int]:
    found = [first_look(job.block_rounds)]
    while found[-1] < 1000:
        found.append(next_look(found[-1]))
    return found


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_half_width_stops_at_the_same_round_on_any_number_of_threads(count: int) -> None:
    (outcome,) = on_threads([COINS], NARROW, count)
    tasks = outcome.rounds // TASK
    place = looks(COINS).index(tasks)
    assert NARROW.half_width is not None
    assert place > 10
    assert COINS.estimate(outcome.totals)[1] <= NARROW.half_width
    earlier = in_one_go(COINS, looks(COINS)[place - 1] * TASK)
    assert COINS.estimate(earlier)[1] > NARROW.half_width
    assert outcome.totals == in_one_go(COINS, outcome.rounds)
    assert outcome.complete


def test_a_half_width_is_not_believed_at_once() -> None:
    assert on_threads([COINS], Goal(half_width=1.0))[0].rounds == 30 * 100_000
    small = Coins(block_rounds=1000)
    assert on_threads([small], Goal(half_width=1.0))[0].rounds == 2 * TASK


def test_rounds_are_the_most_that_a_half_width_takes() -> None:
    (outcome,) = on_threads([COINS], Goal(ODD, 1e-9))
    assert (outcome.rounds, outcome.complete) == (ODD, True)
    assert outcome.totals == in_one_go(COINS, ODD)


# ------------------------------------------------------------------------------- several jobs


def test_jobs_of_a_sweep_come_on_together_and_end_alone() -> None:
    jobs = [Coins(seed=seed, name=f"coins {seed}") for seed in (3, 4, 5)]
    handed: list[tuple[int, int]] = []

    class Noting(Threads):
        def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
            handed.append((job, first))
            return super().submit(job, first, blocks, last)

    with Noting(jobs, 2) as workers:
        outcomes = run(jobs, Goal(ODD), workers)
    assert handed == [(job, 5 * task) for task in range(7) for job in range(3)]
    for job, outcome in zip(jobs, outcomes, strict=True):
        assert outcome.job is job
        assert outcome.totals == in_one_go(job, ODD)


# --------------------------------------------------------------------------- stops and failures


@pytest.mark.parametrize("count", [1, 2])
def test_a_stop_keeps_what_is_merged(count: int) -> None:
    job = Coins(pause=0.02)
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.rounds >= 5 * TASK:
            stop.set()

    (outcome,) = on_threads([job], Goal(10**12), count, watch=watch, stop=stop)
    assert not outcome.complete
    assert outcome.rounds >= 5 * TASK
    assert outcome.rounds % TASK == 0
    assert outcome.totals == in_one_go(COINS, outcome.rounds)


def test_a_stop_does_not_wait_for_a_task_that_takes_long() -> None:
    stop, go_on, over = threading.Event(), threading.Event(), threading.Event()

    @dataclass(frozen=True)
    class Held(Coins):
        """A task that is stopped while it is under way, and does not end before the run has."""

        def play(self, first: int, blocks: int, last: int) -> Totals:
            stop.set()
            go_on.wait(60)
            over.set()
            return super().play(first, blocks, last)

    try:
        (outcome,) = on_threads([Held()], Goal(ODD), stop=stop)
        assert not over.is_set()
    finally:
        go_on.set()
    assert (outcome.rounds, outcome.complete, outcome.totals) == (0, False, Totals())


def test_a_run_that_is_stopped_before_it_begins_plays_nothing() -> None:
    stop = threading.Event()
    stop.set()
    (outcome,) = on_threads([COINS], Goal(ODD), stop=stop)
    assert (outcome.rounds, outcome.complete) == (0, False)


def test_what_goes_wrong_in_a_task_ends_the_run(tmp_path: Path) -> None:
    jobs = [Coins(seed=2), Coins(broken_at=22)]
    path = tmp_path / "run.json"
    with pytest.raises(ValueError, match="block 22 is broken"):
        on_threads(jobs, Goal(10**12), checkpoint=Checkpoint(path, {}))
    kept = load(path).begun
    assert kept[1].tasks <= 4
    for job, begun in zip((Coins(seed=2), COINS), kept, strict=True):
        assert begun.totals == (in_one_go(job, begun.rounds) if begun.tasks else Totals())


def test_an_interrupt_in_the_middle_keeps_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.json"

    def watch(progress: Progress) -> None:
        if progress.rounds:
            raise KeyboardInterrupt

    job = Coins(pause=0.05)
    with pytest.raises(KeyboardInterrupt):
        on_threads([job], Goal(10**12), watch=watch, checkpoint=Checkpoint(path, {}))
    assert load(path).begun[0].tasks >= 1


@pytest.mark.parametrize(
    ("rounds", "half_width", "says"),
    [
        (None, None, "needs a number of rounds or a half width"),
        (0, None, "at least 1 round, not 0"),
        (-5, 0.1, "at least 1 round, not -5"),
        (None, 0.0, "a number above 0, not 0"),
        (None, float("nan"), "a number above 0, not nan"),
        (None, float("inf"), "a number above 0, not inf"),
    ],
)
def test_goals_that_cannot_be_reached_are_refused(
    rounds: int | None, half_width: float | None, says: str
) -> None:
    with pytest.raises(UpcardError, match=says):
        Goal(rounds, half_width)


def test_no_threads_are_refused() -> None:
    with pytest.raises(UpcardError, match="at least 1 thread, not 0"):
        Threads([COINS], 0)


# ------------------------------------------------------------------------------------- progress


@pytest.mark.usefixtures("always_telling")
def test_progress_grows_up_to_what_was_asked() -> None:
    jobs = [Coins(seed=seed, name=str(seed), pause=0.01) for seed in (1, 2)]
    told: list[Progress] = []
    on_threads(jobs, Goal(ODD), watch=told.append)
    assert len(told) > 5
    assert all(one.asked == 2 * ODD for one in told)
    assert all(a.rounds <= b.rounds for a, b in itertools.pairwise(told))
    assert all(a.seconds < b.seconds for a, b in itertools.pairwise(told))
    last = told[-1]
    assert (last.rounds, last.left) == (2 * ODD, 0.0)
    assert last.rate == pytest.approx(last.rounds / last.seconds, rel=0.05)
    for job, shown in zip(jobs, last.jobs, strict=True):
        assert (shown.name, shown.rounds, shown.complete) == (job.name, ODD, True)
        assert (shown.estimate, shown.half_width) == job.estimate(in_one_go(job, ODD))
    middle = next(one for one in told if 0 < one.rounds < ODD)
    assert middle.left is not None
    assert middle.left > 0


@pytest.mark.usefixtures("always_telling")
def test_progress_to_a_half_width_is_a_good_guess() -> None:
    told: list[Progress] = []
    (outcome,) = on_threads([Coins(pause=0.002)], NARROW, watch=told.append)
    assert told[0].asked is None or told[0].rounds > 0
    half = next(one for one in told if one.rounds > outcome.rounds / 2)
    assert half.asked == pytest.approx(outcome.rounds, rel=0.1)
    assert told[-1].asked == outcome.rounds
    capped: list[Progress] = []
    on_threads([COINS], Goal(ODD, 1e-6), watch=capped.append)
    assert {one.asked for one in capped} <= {None, ODD}


def test_a_watch_is_called_some_times_a_second() -> None:
    told: list[Progress] = []
    (outcome,) = on_threads([Coins(pause=0.01)], Goal(100 * TASK), watch=told.append)
    assert 1 <= len(told) <= outcome.seconds / 0.12 + 2


@dataclass(frozen=True)
class Counting(Coins):
    """Knows how often it was asked for an estimate."""

    asked: Any = None

    def estimate(self, totals: Totals) -> tuple[float, float]:
        self.asked.append(totals.rounds)
        return super().estimate(totals)


def test_estimates_are_made_only_when_they_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quiet = Counting(asked=[])
    on_threads([quiet], Goal(200 * TASK))
    assert quiet.asked == []
    monkeypatch.setattr(running, "WATCH_SECONDS", 0.0)
    watched = Counting(asked=[])
    on_threads([watched], Goal(200 * TASK), watch=lambda _: None)
    assert len(watched.asked) == len(set(watched.asked)) < 180
    assert watched.asked[-1] == 200 * TASK


# ---------------------------------------------------------------------------------- checkpoints


def stopped(job: Coins, goal: Goal, tasks: int, path: Path, request: Any = None) -> Saved:
    """A run that is stopped after some tasks, and its checkpoint."""
    stop = threading.Event()

    class Stopping(Threads):
        def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
            if first >= 5 * tasks:
                stop.set()
            return super().submit(job, first, blocks, last)

    with Stopping([job], 1) as workers:
        run([job], goal, workers, stop=stop, checkpoint=Checkpoint(path, request or {}))
    saved = load(path)
    check_fits(saved, [job])
    return saved


@pytest.mark.parametrize("goal", [Goal(ODD), NARROW, Goal(20 * TASK + 7, 1e-9), Goal(6 * TASK)])
def test_a_resumed_run_has_the_totals_of_one_that_was_not_stopped(
    tmp_path: Path, goal: Goal
) -> None:
    path = tmp_path / "run.json"
    (whole,) = on_threads([COINS], goal)
    for tasks in (1, 4, 6):
        saved = stopped(Coins(pause=0.001), goal, tasks, path)
        assert 0 <= saved.begun[0].tasks * TASK <= whole.rounds
        (resumed,) = on_threads([COINS], goal, begun=saved.begun, checkpoint=Checkpoint(path, {}))
        assert resumed.complete
        assert resumed.rounds == whole.rounds
        assert resumed.totals == whole.totals
        assert resumed.totals.to_data() == whole.totals.to_data()
        assert resumed.seconds >= saved.begun[0].seconds
        (again,) = on_threads([COINS], goal, begun=load(path).begun)
        assert again.totals == whole.totals


def test_a_run_that_ended_in_a_short_block_goes_on_to_more_rounds(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    (short,) = on_threads([COINS], Goal(ODD), checkpoint=Checkpoint(path, {}))
    saved = load(path)
    assert saved.begun[0].rounds == 6 * TASK < short.rounds
    assert saved.begun[0].totals == in_one_go(COINS, 6 * TASK)
    for more in (ODD, ODD + 1, 3_300_000, 7 * TASK, 9_876_543):
        (longer,) = on_threads([COINS], Goal(more), begun=saved.begun)
        assert longer.rounds == more
        assert longer.totals == in_one_go(COINS, more)


def test_a_complete_run_plays_nothing_when_it_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    for goal in (Goal(6 * TASK), NARROW):
        (whole,) = on_threads([COINS], goal, checkpoint=Checkpoint(path, {}))
        broken = Coins(broken_at=0)
        (resumed,) = on_threads([broken], goal, begun=load(path).begun)
        assert (resumed.totals, resumed.complete) == (whole.totals, True)


def test_a_sweep_is_resumed_job_by_job(tmp_path: Path) -> None:
    jobs = [COINS, Coins(seed=2)]
    begun = [
        Begun(3, TASK, in_one_go(jobs[0], 3 * TASK), 1.0),
        Begun(5, TASK, in_one_go(jobs[1], 5 * TASK), 1.0),
    ]
    path = tmp_path / "run.json"
    save(path, {}, jobs, begun)
    outcomes = on_threads(jobs, Goal(ODD), begun=load(path).begun)
    assert [one.totals for one in outcomes] == [in_one_go(job, ODD) for job in jobs]


@pytest.mark.usefixtures("always_telling")
def test_a_checkpoint_is_written_at_the_start_in_between_and_at_the_end(
    tmp_path: Path,
) -> None:
    path = tmp_path / "run.json"
    seen = set()

    def watch(_: Progress) -> None:
        seen.add(load(path).begun[0].tasks)
        assert [file.name for file in tmp_path.iterdir()] == ["run.json"]

    on_threads([Coins(pause=0.01)], Goal(ODD), 1, watch=watch, checkpoint=Checkpoint(path, {}))
    assert 0 in seen
    assert len(seen) > 2
    assert load(path).begun[0].tasks == 6


def test_a_checkpoint_keeps_the_request(tmp_path: Path) -> None:
    request = {"games": ["blackjack"], "set": {"decks": 8}, "rounds": 10**18, "seed": None}
    path = tmp_path / "run.json"
    save(path, request, [COINS], [Begun(0, TASK, Totals(), 0.0)])
    saved = load(path)
    assert saved.request == request
    assert saved.names == ("coins",)
    assert saved.begun[0].totals == Totals()


def written(path: Path) -> Path:
    save(path, {}, [COINS], [Begun(2, TASK, in_one_go(COINS, 2 * TASK), 1.5)])
    return path


def test_what_is_not_a_whole_checkpoint_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with pytest.raises(UpcardError, match=r"there is no checkpoint .*run\.json"):
        load(path)
    with pytest.raises(UpcardError, match=r"cannot read the checkpoint .*: Is a directory"):
        load(tmp_path)
    good = written(path).read_bytes()
    for data in (b"", b"\xff\xfe", b"[]", b'{"game": "blackjack"}', b'{"format":"x","version":1}'):
        path.write_bytes(data)
        with pytest.raises(UpcardError, match="is not a checkpoint of a simulation"):
            load(path)
    damaged = [
        good[:-1],
        good[: len(good) // 2],
        good.replace(b'"tasks":2', b'"tasks":3'),
        good.replace(b'"rounds":["1000000"]', b'"rounds":["1000001"]'),
        good.replace(b'"content":{', b'"other":{'),
        good.replace(b'"coins"', b'"c\xffins"'),
    ]
    for data in damaged:
        assert data != good
        path.write_bytes(data)
        with pytest.raises(UpcardError, match=r"checkpoint .* is damaged"):
            load(path)
    path.write_bytes(good.replace(b'"version":1', b'"version":2'))
    with pytest.raises(UpcardError, match="has format 2, and this upcard reads format 1"):
        load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("tasks", -1), ("task_rounds", 0), ("rounds", 7), ("totals", {}), ("totals", {"sums": 1})],
)
def test_a_checkpoint_that_says_nonsense_is_damaged(
    tmp_path: Path, name: str, value: object
) -> None:
    path = written(tmp_path / "run.json")
    file = msgspec.json.decode(path.read_bytes())
    file["content"]["jobs"][0][name] = value
    content = msgspec.json.encode(file["content"])
    file["digest"] = hashlib.sha256(content).hexdigest()
    file["content"] = msgspec.Raw(content)
    path.write_bytes(msgspec.json.encode(file))
    with pytest.raises(UpcardError, match="is damaged"):
        load(path)


def test_a_checkpoint_that_cannot_be_written_is_told_before_anything_is_played(
    tmp_path: Path,
) -> None:
    broken = Coins(broken_at=0)
    for path, why in ((tmp_path / "no" / "run.json", "No such file"), (tmp_path, "directory")):
        with pytest.raises(UpcardError, match=f"cannot write the checkpoint .*{why}"):
            on_threads([broken], Goal(ODD), checkpoint=Checkpoint(path, {}))
    assert list(tmp_path.parent.glob(".*.part")) == []


def test_a_new_run_does_not_overwrite_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    check_free(path)
    written(path)
    with pytest.raises(UpcardError, match=r"exists: go on with it \(--resume"):
        check_free(path)


def test_a_checkpoint_of_other_jobs_is_refused(tmp_path: Path) -> None:
    saved = load(written(tmp_path / "run.json"))
    check_fits(saved, [replace(COINS, name="any other name")])
    with pytest.raises(UpcardError, match="it has 1 jobs, and this run has 2"):
        check_fits(saved, [COINS, COINS])
    with pytest.raises(UpcardError, match="coins: seed was 1, and is 7 now"):
        check_fits(saved, [Coins(seed=7)])
    with pytest.raises(UpcardError, match=r"blocks\.rounds was 100000, and is 50 now"):
        check_fits(saved, [Coins(block_rounds=50)])


def test_a_checkpoint_of_other_code_is_refused_and_other_libraries_are_said(tmp_path: Path) -> None:
    path = written(tmp_path / "run.json")
    saved = load(path)
    own = own_build()
    assert saved.build == own
    assert check_fits(saved, [COINS]) == ""
    changed = Build({**own.code, "splitmix.py": "0"}, own.libraries)
    with pytest.raises(
        UpcardError, match=r"played with other code: splitmix\.py changed since; go"
    ):
        check_fits(replace(saved, build=changed), [COINS])
    newer = Build(own.code, {**own.libraries, "numba": "0.1"})
    assert "was played with numba 0.1 and not " in check_fits(replace(saved, build=newer), [COINS])
    assert "does not say which code" in check_fits(replace(saved, build=None), [COINS])


def parsed_imports(source: bytes) -> Iterator[str]:
    """The modules that a file imports but for types, from its syntax tree."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def test_imports_are_found_as_a_parser_finds_them() -> None:
    files = sorted(Path(upcard.__file__).parent.rglob("*.py"))
    assert len(files) > 300
    for file in files:
        source = file.read_bytes()
        assert set(imports_of(source)) == set(parsed_imports(source)), file
    commented = b"import a as b, c  # why\r\nfrom d import (e as f,  # so\r\n g)\r\n"
    assert list(imports_of(commented)) == ["a", "c", "d", "d.e", "d.g"]


def test_a_checkpoint_of_before_there_were_builds_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "run.json")
    file = msgspec.json.decode(path.read_bytes())
    del file["content"]["build"]
    content = msgspec.json.encode(file["content"])
    digest = hashlib.sha256(content).hexdigest()
    path.write_bytes(msgspec.json.encode({**file, "digest": digest, "content": file["content"]}))
    assert load(path).build is None


def test_what_is_played_cannot_be_taken_back() -> None:
    begun = Begun(4, TASK, in_one_go(COINS, 4 * TASK), 1.0)
    with pytest.raises(UpcardError, match="2,000,000 rounds are played already, more than the 1,9"):
        on_threads([COINS], Goal(1_999_999), begun=[begun])
    (outcome,) = on_threads([COINS], Goal(2_000_000), begun=[begun])
    assert (outcome.complete, outcome.totals) == (True, begun.totals)


def test_tasks_of_another_size_are_refused() -> None:
    begun = Begun(4, 400_000, in_one_go(COINS, 1_600_000), 1.0)
    with pytest.raises(UpcardError, match="tasks of 400,000 rounds, and this upcard plays 500,000"):
        on_threads([COINS], Goal(ODD), begun=[begun])
