"""Running jobs on real clusters of dask, whose workers die, stay away or are of another version."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import dask.config
import msgspec
import pytest

from simulation_jobs import Coins
from upcard import tables_for
from upcard.errors import UpcardError
from upcard.simulate import cluster as cluster_module
from upcard.simulate.checkpoint import Checkpoint, load
from upcard.simulate.cluster import Cluster, play_blocks
from upcard.simulate.job import Job
from upcard.simulate.policy import MimicPlay, by_state
from upcard.simulate.run import Goal, Progress, Threads, run
from upcard.simulate.table import Table
from upcard.simulate.totals import Totals

TASK = 500_000
TESTS = Path(__file__).parents[1]
SLOW = Coins(pause=0.05)
LONG = Goal(40 * TASK + 123_456)
DAEMON = ("--host", "127.0.0.1", "--no-dashboard")


def expected(job: Coins, goal: Goal) -> Totals:
    fast = Coins(seed=job.seed, block_rounds=job.block_rounds)
    with Threads([fast], 2) as workers:
        return run([fast], goal, workers)[0].totals


def pids(workers: Cluster) -> set[int]:
    """The processes of all workers that answer."""
    answers: dict[str, int] = workers.client.run(os.getpid, on_error="ignore")
    return set(answers.values())


class Daemons:
    """A scheduler and workers as processes of their own."""

    def __init__(self, folder: Path, allowed: int) -> None:
        self.folder = folder
        self.allowed = allowed
        self.running: list[subprocess.Popen[bytes]] = []
        self.address = ""
        file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(file))

        def found() -> bool:
            # The file is there before it is written.
            with suppress(OSError, msgspec.MsgspecError):
                self.address = str(msgspec.json.decode(file.read_bytes())["address"])
            return bool(self.address)

        self.until(found)

    def start(self, *arguments: str, path: str = "") -> subprocess.Popen[bytes]:
        given = (path, str(TESTS), os.environ.get("PYTHONPATH", ""))
        places = [place for place in given if place]
        daemon = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, *DAEMON],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(places),
                "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(self.allowed),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.running.append(daemon)
        return daemon

    def worker(self, path: str = "") -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
        return self.start("worker", self.address, *options, path=path)

    def until(self, happens: Any) -> None:
        end = time.monotonic() + 30
        while not happens():
            assert time.monotonic() < end, "it takes too long"
            time.sleep(0.02)

    def end(self) -> None:
        for daemon in self.running:
            daemon.kill()
            daemon.wait()


@contextmanager
def daemons(folder: Path, allowed: int = 3) -> Iterator[Daemons]:
    found = Daemons(folder, allowed)
    try:
        yield found
    finally:
        found.end()


# ----------------------------------------------------------------------- processes of this machine


def test_a_sweep_on_local_processes_has_the_totals_of_threads() -> None:
    jobs = [Coins(seed=1, name="one"), Coins(seed=2, name="two"), Coins(seed=3, broken_at=999)]
    goal = Goal(3_234_567)
    with Cluster(jobs, "local:2") as workers:
        outcomes = run(jobs, goal, workers)
        found = pids(workers)
        assert workers.capacity() == 2
        for pid in found:
            os.kill(pid, signal.SIGINT)
        narrow = run(jobs[:1], Goal(half_width=0.0003), workers)
        assert pids(workers) == found
    assert len(found) == 2
    assert os.getpid() not in found
    assert [one.totals for one in outcomes] == [expected(job, goal) for job in jobs]
    assert all(one.complete for one in outcomes)
    assert narrow[0].totals == expected(jobs[0], Goal(half_width=0.0003))


def killing(workers: Cluster, after: int) -> Any:
    """A watch that kills one worker half-way, and remembers which."""
    killed: list[int] = []

    def watch(progress: Progress) -> None:
        if progress.rounds >= after and not killed:
            killed.append(min(pids(workers)))
            os.kill(killed[0], signal.SIGKILL)

    return watch, killed


def test_a_killed_worker_that_comes_back_changes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with Cluster([SLOW], "local:2") as workers:
        watch, killed = killing(workers, 10 * TASK)
        (outcome,) = run([SLOW], LONG, workers, watch=watch)
        end = time.monotonic() + 20
        while len(found := pids(workers)) < 2:
            assert time.monotonic() < end
    assert len(killed) == 1
    assert not found & set(killed)
    assert outcome.totals == expected(SLOW, LONG)
    assert (outcome.complete, outcome.rounds) == (True, LONG.rounds)
    assert capfd.readouterr() == ("", "")


def test_a_game_has_the_same_totals_on_threads_and_on_a_cluster_that_loses_a_worker() -> None:
    """One thread, two threads, and two processes one of which is killed half-way."""
    tables = tables_for("blackjack")
    job = Job(Table(tables, 500), by_state(tables, MimicPlay(tables)), seed=21)
    goal = Goal(60 * TASK + 4_321)
    found = []
    for count in (1, 2):
        with Threads([job], count) as threads:
            found.append(run([job], goal, threads)[0].totals)
    with Cluster([job], "local:2") as workers:
        watch, killed = killing(workers, 20 * TASK)
        (outcome,) = run([job], goal, workers, watch=watch)
    assert len(killed) == 1
    assert outcome.rounds == goal.rounds == found[0].rounds
    assert found[0] == found[1] == outcome.totals


def test_a_stop_and_a_resume_elsewhere_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    stop = threading.Event()
    times: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.rounds >= 5 * TASK and not stop.is_set():
            times.append(time.monotonic())
            stop.set()

    with Cluster([SLOW], "local:2") as workers:
        options: Any = {"watch": watch, "stop": stop, "checkpoint": Checkpoint(path, {})}
        (part,) = run([SLOW], LONG, workers, **options)
        times.append(time.monotonic())
    assert times[1] - times[0] < 1.5
    assert not part.complete
    assert 5 * TASK <= part.rounds < 40 * TASK
    with Threads([SLOW], 2) as threads:
        (whole,) = run([SLOW], LONG, threads, begun=load(path).begun)
    assert whole.totals == expected(SLOW, LONG)


def test_what_goes_wrong_on_a_worker_ends_the_run() -> None:
    broken = Coins(broken_at=22)
    with Cluster([broken], "local:1") as workers, pytest.raises(ValueError, match="block 22 is"):
        run([broken], Goal(10**12), workers)


def test_a_task_that_kills_its_workers_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "RENEWALS", 1)
    deadly = Coins(deadly=True)
    cluster = Cluster([deadly], "local:2")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        cluster as workers,
        pytest.raises(UpcardError, match="workers of local:2 die again and again"),
    ):
        run([deadly], LONG, workers)


def test_a_large_job_is_handed_over_quietly() -> None:
    large = Coins(name="x" * 12_000_000)
    with Cluster([large], "local:1") as workers:
        (outcome,) = run([large], Goal(TASK), workers)
    assert outcome.totals == expected(large, Goal(TASK))


# ------------------------------------------------------------------------- a cluster of one's own


@pytest.mark.parametrize("allowed", [3, 0])
def test_a_killed_worker_that_stays_away_changes_nothing(tmp_path: Path, allowed: int) -> None:
    """Not even if the scheduler gives up tasks as soon as a worker dies over them."""
    with daemons(tmp_path, allowed) as cluster:
        cluster.worker()
        doomed = cluster.worker()
        with Cluster([SLOW], cluster.address) as workers:
            cluster.until(lambda: len(pids(workers)) == 2)

            def watch(progress: Progress) -> None:
                if progress.rounds >= 10 * TASK and doomed.poll() is None:
                    doomed.kill()
                    doomed.wait()

            (outcome,) = run([SLOW], LONG, workers, watch=watch)
            assert len(pids(workers)) == 1
        assert doomed.returncode == -signal.SIGKILL
        assert (outcome.complete, outcome.totals) == (True, expected(SLOW, LONG))


def test_a_worker_of_another_version_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    installed = other / "upcard-9.9.9.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Name: upcard\nVersion: 9.9.9\n")
    with daemons(tmp_path) as cluster:
        with Cluster([SLOW], cluster.address) as workers:
            cluster.worker(path=str(other))
            cluster.until(lambda: pids(workers))
        says = (
            r"the worker tcp://127\.0\.0\.1:\d+ of tcp://\S+ has upcard 9\.9\.9, and this is upcard"
        )
        with pytest.raises(UpcardError, match=says), Cluster([SLOW], cluster.address):
            pass


def test_workers_that_come_late_or_not_at_all(tmp_path: Path) -> None:
    with daemons(tmp_path) as cluster:
        with (
            Cluster([SLOW], cluster.address, patience=0.5) as workers,
            pytest.raises(UpcardError, match=r"has had no worker for \d+ seconds"),
        ):
            run([SLOW], LONG, workers)

        late: list[subprocess.Popen[bytes]] = []
        goal = Goal(10 * TASK)
        with Cluster([SLOW], cluster.address, patience=30) as workers:
            timer = threading.Timer(0.5, lambda: late.append(cluster.worker()))
            timer.start()
            (outcome,) = run([SLOW], goal, workers)
            timer.join()
        assert outcome.totals == expected(SLOW, goal)

        def lose(daemon: subprocess.Popen[bytes]) -> Any:
            def watch(progress: Progress) -> None:
                if progress.rounds:
                    daemon.kill()

            return watch

        with (
            Cluster([SLOW], cluster.address, patience=1.0) as workers,
            pytest.raises(UpcardError, match=r"has had no worker for \d+ seconds"),
        ):
            run([SLOW], LONG, workers, watch=lose(late[0]))

        path = tmp_path / "run.json"
        kept = Checkpoint(path, {})
        cluster.worker()
        with (
            Cluster([SLOW], cluster.address) as workers,
            pytest.raises(UpcardError, match=r"the connection to the scheduler of .* is lost"),
        ):
            run([SLOW], LONG, workers, watch=lose(cluster.scheduler), checkpoint=kept)
        assert load(path).begun[0].tasks > 0


def test_a_worker_of_another_version_plays_nothing() -> None:
    with pytest.raises(UpcardError, match=r"a worker has upcard .*, and this is 0\.0\.0: install"):
        play_blocks("0.0.0", SLOW, 0, 1, 1)


# --------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("local:0", "a local cluster has 1 to 256 processes"),
        ("local:257", "a local cluster has 1 to 256 processes"),
        ("local:x", "is not a cluster: write the scheduler as tcp://host:8786"),
        ("local:", "is not a cluster"),
        ("local:-1", "is not a cluster"),
        ("ftp://host:21", "is not a cluster"),
        ("tcp://host", "is not a cluster"),
        ("tcp://host:0", "is not a cluster"),
        ("tcp://host:99999", "is not a cluster"),
        ("tcp://:8786", "is not a cluster"),
        ("host:8786", "is not a cluster"),
        ("", "is not a cluster"),
    ],
)
def test_what_is_no_address_is_refused_at_once(address: str, says: str) -> None:
    with pytest.raises(UpcardError, match=says):
        Cluster([SLOW], address)


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_an_address_without_a_scheduler_is_told_soon(scheme: str) -> None:
    began = time.monotonic()
    with (
        pytest.raises(UpcardError, match=f"cannot reach a dask scheduler at {scheme}://127"),
        Cluster([SLOW], f"{scheme}://127.0.0.1:9"),
    ):
        pass
    assert time.monotonic() - began < 10


def test_an_address_where_nobody_speaks_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        with (
            pytest.raises(UpcardError, match=f"scheduler at {address}: no answer in time"),
            Cluster([SLOW], address),
        ):
            pass


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UpcardError, match=r'a cluster needs dask: install "upcard\[cluster\]"'):
        Cluster([SLOW], "local:2")
