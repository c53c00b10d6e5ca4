"""From jobs to totals: tasks of fixed size, merged in order, on threads or on a cluster.

A job is cut into tasks, and its totals, its stop and its checkpoints only ever see whole tasks in
their order. So the same seed gives the same totals on one thread, on many, or on a cluster.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from upcard.errors import UpcardError
from upcard.simulate.checkpoint import Begun, Checkpoint
from upcard.simulate.totals import Totals

TASK_ROUNDS = 500_000
"""About what a task plays: well below a second, so that a stop is soon obeyed."""
FIRST_LOOK_TASKS = 2
FIRST_LOOK_BLOCKS = 30
"""With less than these, an interval of the mean is not to be trusted."""
TICK_SECONDS = 0.1
WATCH_SECONDS = 0.12
RATE_SECONDS = 5.0
CHECKPOINT_SECONDS = 10.0
GRACE_SECONDS = 0.8
"""How long a stopped run waits for tasks that cannot be cancelled."""
FURTHEST_AHEAD = 1e6
"""How many times narrower an interval is thought of becoming."""
WAITING_TASKS = 8
"""Tasks, in multiples of those under way, that may be ahead of one that is late."""


class LostError(UpcardError):
    """Nobody plays the rest of a run, which is no fault of the run itself."""


class PlayableJob(Protocol):
    """Rounds to play; block number b is always the same rounds."""

    @property
    def name(self) -> str:
        """For progress lines."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that the totals depend on, as JSON has it."""

    @property
    def block_rounds(self) -> int:
        """Rounds in a full block."""

    def play(self, first: int, blocks: int, last: int) -> Totals:
        """Play the blocks from `first` on; the last one has `last` rounds, the others are full."""

    def estimate(self, totals: Totals) -> tuple[float, float]:
        """The main wager's expected value, and the half width of its 95 % interval."""


class Workers(Protocol):
    """Where tasks are played. To be entered with `with` before a run."""

    def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
        """Have blocks of a job played, by the job's number."""

    def capacity(self) -> int:
        """How many tasks are played at once; raises if nothing will be played any more."""


@dataclass(frozen=True)
class Goal:
    """When a job is complete: after some rounds, or when its interval is narrow enough.

    With both, `rounds` is the most that is played for the half width.
    """

    rounds: int | None = None
    half_width: float | None = None

    def __post_init__(self) -> None:
        if self.rounds is None and self.half_width is None:
            raise UpcardError("a simulation needs a number of rounds or a half width to stop at")
        if self.rounds is not None and self.rounds < 1:
            raise UpcardError(f"a simulation has at least 1 round, not {self.rounds:,}")
        if self.half_width is not None and not 0 < self.half_width < math.inf:
            raise UpcardError(f"a half width is a number above 0, not {self.half_width:g}")


class Task(NamedTuple):
    """Consecutive blocks of a job, the last of them with `last` rounds."""

    first: int
    blocks: int
    last: int
    rounds: int


def blocks_per_task(block_rounds: int) -> int:
    """
    >>> blocks_per_task(1000), blocks_per_task(400_000), blocks_per_task(2_000_000)
    (500, 1, 1)
    """
    return max(1, round(TASK_ROUNDS / block_rounds))


def task_at(number: int, block_rounds: int, rounds: int | None) -> Task | None:
    """Task number 0, 1, 2... of a job with that many rounds, or without an end.

    >>> task_at(1, 100_000, 1_234_567)
    Task(first=5, blocks=5, last=100000, rounds=500000)
    >>> task_at(2, 100_000, 1_234_567)
    Task(first=10, blocks=3, last=34567, rounds=234567)
    >>> task_at(3, 100_000, 1_234_567)
    """
    blocks = blocks_per_task(block_rounds)
    first = number * blocks
    left = blocks * block_rounds
    if rounds is not None:
        left = min(left, rounds - first * block_rounds)
    if left <= 0:
        return None
    needed = -(-left // block_rounds)
    return Task(first, needed, left - (needed - 1) * block_rounds, left)


def first_look(block_rounds: int) -> int:
    """After how many tasks a half width is first looked at.

    >>> first_look(1000), first_look(250_000)
    (2, 15)
    """
    return max(FIRST_LOOK_TASKS, -(-FIRST_LOOK_BLOCKS // blocks_per_task(block_rounds)))


def next_look(tasks: int) -> int:
    """After how many tasks a half width is looked at again: 5 % more, at least one.

    >>> next_look(2), next_look(1000)
    (3, 1050)
    """
    return tasks + max(1, tasks // 20)


@dataclass(frozen=True)
class RunOutcome:
    """What a job came to. It is complete if its goal was reached, and not if it was stopped.

    `seconds` is how long it took, earlier parts of a resumed run included.
    """

    job: PlayableJob
    totals: Totals
    rounds: int
    complete: bool
    seconds: float


@dataclass(frozen=True)
class JobProgress:
    """How far one job is. What is not known yet is None."""

    name: str
    rounds: int
    asked: int | None
    estimate: float | None
    half_width: float | None
    complete: bool


@dataclass(frozen=True)
class Progress:
    """How far a run is, over all its jobs.

    `asked` is what it will come to, a guess if a half width is the goal; `rate` is the recent
    number of rounds a second, `left` the seconds to go.
    """

    rounds: int
    asked: int | None
    rate: float
    seconds: float
    left: float | None
    jobs: tuple[JobProgress, ...]


Watch = Callable[[Progress], None]


class Threads:
    """Plays tasks on threads of this process."""

    def __init__(self, jobs: Sequence[PlayableJob], count: int) -> None:
        if count < 1:
            raise UpcardError(f"a simulation needs at least 1 thread, not {count}")
        self._jobs = tuple(jobs)
        self._count = count
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="upcard-simulate")
        return self

    def __exit__(self, *_: object) -> None:
        assert self._pool is not None
        # A discarded task may still be playing; nobody has to wait for it.
        self._pool.shutdown(wait=False, cancel_futures=True)

    def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
        assert self._pool is not None, "enter the workers first"
        return self._pool.submit(self._jobs[job].play, first, blocks, last)

    def capacity(self) -> int:
        return self._count


def run(
    jobs: Sequence[PlayableJob],
    goal: Goal,
    workers: Workers,
    *,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
    checkpoint: Checkpoint | None = None,
    begun: Sequence[Begun] | None = None,
) -> list[RunOutcome]:
    """Play every job until the goal, or until `stop` is set.

    `workers` must have been entered, with the same jobs. `watch` is called some times a second and
    at the end. `begun` is what an earlier run has left, one for every job.
    """
    return _Run(jobs, goal, workers, watch, stop, checkpoint, begun).play()


class _Track:
    """One job on its way."""

    def __init__(self, number: int, job: PlayableJob, goal: Goal, begun: Begun | None) -> None:
        self.number = number
        self.job = job
        self.goal = goal
        self.task_rounds = blocks_per_task(job.block_rounds) * job.block_rounds
        self.merged = self.sent = begun.tasks if begun else 0
        self.totals = begun.totals if begun else Totals()
        self.seconds_before = begun.seconds if begun else 0.0
        self.tail: tuple[int, Totals] | None = None
        self.arrived: dict[int, tuple[Task, Totals]] = {}
        self.seconds = self.seconds_before
        self.complete = False
        self.figures: tuple[float, float] | None = None
        self.figured = 0
        self.look = first_look(job.block_rounds)
        if begun:
            self._check(begun)
        while self.look < self.merged:
            self.look = next_look(self.look)
        self._look()
        self.complete = self.complete or self.next_task() is None

    def _check(self, begun: Begun) -> None:
        if begun.task_rounds != self.task_rounds:
            raise UpcardError(
                f"{self.job.name}: the earlier part was played in tasks of {begun.task_rounds:,} "
                f"rounds, and this upcard plays {self.task_rounds:,}: begin anew"
            )
        done = begun.tasks * begun.task_rounds
        if self.goal.rounds is not None and done > self.goal.rounds:
            raise UpcardError(
                f"{self.job.name}: {done:,} rounds are played already, more than the "
                f"{self.goal.rounds:,} that are asked for"
            )

    @property
    def rounds(self) -> int:
        return self.merged * self.task_rounds + (self.tail[0] if self.tail else 0)

    @property
    def all_totals(self) -> Totals:
        return self.totals + self.tail[1] if self.tail else self.totals

    def next_task(self) -> Task | None:
        return task_at(self.sent, self.job.block_rounds, self.goal.rounds)

    def merge(self) -> None:
        """Add what has arrived, as far as nothing is missing in between."""
        while not self.complete and self.merged in self.arrived:
            task, totals = self.arrived.pop(self.merged)
            if task.rounds < self.task_rounds:
                self.tail = (task.rounds, totals)
            else:
                self.totals += totals
                self.merged += 1
                self._look()
            if task_at(self.merged, self.job.block_rounds, self.goal.rounds) is None or self.tail:
                self.complete = True
        if self.complete:
            self.arrived.clear()

    def _look(self) -> None:
        """Stop if the interval is narrow enough; at fixed numbers of tasks only."""
        if self.goal.half_width is None or self.merged != self.look:
            return
        self.look = next_look(self.look)
        self._figure()
        assert self.figures is not None
        self.complete = self.figures[1] <= self.goal.half_width

    def _figure(self) -> None:
        self.figures = self.job.estimate(self.all_totals)
        self.figured = self.rounds

    def progress(self) -> JobProgress:
        # Figures move by a share of themselves, so they are worked out anew by a share of rounds.
        if self.rounds > self.figured * 1.02 or (self.complete and self.rounds != self.figured):
            self._figure()
        value, half_width = self.figures or (None, None)
        asked = self._asked(half_width)
        return JobProgress(self.job.name, self.rounds, asked, value, half_width, self.complete)

    def _asked(self, half_width: float | None) -> int | None:
        if self.complete:
            return self.rounds
        if self.goal.half_width is None:
            return self.goal.rounds
        if half_width is None or not math.isfinite(half_width):
            return None
        ratio = min(half_width / self.goal.half_width, FURTHEST_AHEAD)
        needed = math.ceil(self.figured * ratio**2)
        needed = max(needed, self.look * self.task_rounds)
        return needed if self.goal.rounds is None else min(needed, self.goal.rounds)

    def begun(self) -> Begun:
        return Begun(self.merged, self.task_rounds, self.totals, self.seconds)


@dataclass
class _Pace:
    """Rounds a second of late."""

    seen: deque[tuple[float, int]]

    def rate(self, now: float, rounds: int) -> float:
        self.seen.append((now, rounds))
        while len(self.seen) > 2 and now - self.seen[1][0] >= RATE_SECONDS:
            self.seen.popleft()
        since, before = self.seen[0]
        return (rounds - before) / (now - since) if now > since else 0.0


class _Run:
    """Keeps workers busy with the tasks of all jobs, and merges what they bring."""

    def __init__(
        self,
        jobs: Sequence[PlayableJob],
        goal: Goal,
        workers: Workers,
        watch: Watch | None,
        stop: threading.Event | None,
        checkpoint: Checkpoint | None,
        begun: Sequence[Begun] | None,
    ) -> None:
        starts: Sequence[Begun | None] = [None] * len(jobs) if begun is None else begun
        self.tracks = [
            _Track(number, job, goal, start)
            for number, (job, start) in enumerate(zip(jobs, starts, strict=True))
        ]
        self.workers = workers
        self.watch = watch
        self.stop = stop or threading.Event()
        self.checkpoint = checkpoint
        self.flying: dict[Future[Totals], tuple[_Track, int, Task]] = {}
        self.began = time.monotonic()
        self.pace = _Pace(deque([(self.began, sum(track.rounds for track in self.tracks))]))
        self.told = self.saved = self.began

    def play(self) -> list[RunOutcome]:
        self._save()
        try:
            while not self.stop.is_set() and any(not track.complete for track in self.tracks):
                self._fill()
                self._collect(self.flying, TICK_SECONDS)
                self._report()
            self._land()
        except BaseException as error:
            self._cancel(self.flying)
            kept = ""
            with suppress(UpcardError):
                kept = self._kept()
            if kept and isinstance(error, LostError):
                raise LostError(f"{error}; {kept}") from error
            raise
        self._tell()
        self._save()
        return [
            RunOutcome(track.job, track.all_totals, track.rounds, track.complete, track.seconds)
            for track in self.tracks
        ]

    def _fill(self) -> None:
        """Hand out tasks, of the job that has had the fewest rounds first."""
        most = 2 * self.workers.capacity() + 2
        while len(self.flying) < most:
            ready = [
                (track.sent * track.task_rounds, track.number, task)
                for track in self.tracks
                if not track.complete
                and track.sent - track.merged < WAITING_TASKS * most
                and (task := track.next_task())
            ]
            if not ready:
                return
            _, number, task = min(ready)
            track = self.tracks[number]
            future = self.workers.submit(number, task.first, task.blocks, task.last)
            self.flying[future] = (track, track.sent, task)
            track.sent += 1

    def _collect(self, futures: Iterable[Future[Totals]], seconds: float) -> None:
        done, _ = wait(futures, seconds, FIRST_COMPLETED)
        changed = {}
        for future in done:
            track, number, task = self.flying.pop(future)
            track.arrived[number] = (task, future.result())
            changed[track.number] = track
        for track in changed.values():
            track.merge()
            track.seconds = track.seconds_before + time.monotonic() - self.began
            if track.complete:
                self._cancel(
                    [future for future, flight in self.flying.items() if flight[0] is track]
                )

    def _land(self) -> None:
        """After a stop: begin nothing, but take what is nearly there."""
        for future in list(self.flying):
            if future.cancel():
                del self.flying[future]
        until = time.monotonic() + GRACE_SECONDS
        while self.flying and (left := until - time.monotonic()) > 0:
            self._collect(self.flying, left)
        self.flying.clear()

    def _cancel(self, futures: Iterable[Future[Totals]]) -> None:
        for future in list(futures):
            future.cancel()
            del self.flying[future]

    # ------------------------------------------------------------------------------- telling

    def _report(self) -> None:
        now = time.monotonic()
        if now - self.told >= WATCH_SECONDS:
            self._tell()
            self.told = now
        if now - self.saved >= CHECKPOINT_SECONDS:
            self._save()
            self.saved = now

    def _tell(self) -> None:
        if self.watch is None:
            return
        now = time.monotonic()
        jobs = tuple(track.progress() for track in self.tracks)
        rounds = sum(job.rounds for job in jobs)
        known = [job.asked for job in jobs if job.asked is not None]
        asked = sum(known) if len(known) == len(jobs) else None
        rate = self.pace.rate(now, rounds)
        left = max(0, asked - rounds) / rate if asked is not None and rate > 0 else None
        self.watch(Progress(rounds, asked, rate, now - self.began, left, jobs))

    def _kept(self) -> str:
        """Keep what is done of a run that fails, and say how to go on."""
        if self.checkpoint is None:
            return "nothing is kept: with --checkpoint FILE such a run can go on later"
        self._save()
        rounds = sum(track.begun().rounds for track in self.tracks)
        path = self.checkpoint.path
        return f"{rounds:,} rounds are kept in {path}: go on with: upcard simulate --resume {path}"

    def _save(self) -> None:
        if self.checkpoint is not None:
            jobs = [track.job for track in self.tracks]
            self.checkpoint.save(jobs, [track.begun() for track in self.tracks])
