"""Running jobs on real clusters of dask: workers die, freeze, stay away or have other code."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import dask.config
import msgspec
import pytest
from distributed import Client
from distributed.comm.core import CommClosedError
from distributed.process import AsyncProcess

import upcard
from depth import deep
from simulation_jobs import Coins
from upcard import tables_for
from upcard.errors import UpcardError
from upcard.round.policy import MimicPlay, by_state
from upcard.round.setup import TableSetup
from upcard.simulate import cluster as cluster_module
from upcard.simulate import silence
from upcard.simulate.build import Build, own_build
from upcard.simulate.checkpoint import Checkpoint, load
from upcard.simulate.cluster import Cluster, PlayedTask, accepted, difference
from upcard.simulate.job import Job
from upcard.simulate.run import Goal, Progress, Threads, run
from upcard.simulate.totals import Totals

TASK = 500_000
TESTS = Path(__file__).parents[1]
SLOW = Coins(pause=0.05)
LONG = Goal(40 * TASK + 123_456)
ENDLESS = Goal(10**15)
HANG_SECONDS = 300
"""When a test that waits has failed."""
DAEMON = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--no-dashboard")


def expected(job: Coins, goal: Goal) -> Totals:
    fast = Coins(seed=job.seed, block_rounds=job.block_rounds)
    with Threads([fast], 2) as workers:
        return run([fast], goal, workers)[0].totals


def pids(workers: Cluster[Totals]) -> set[int]:
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
        end = time.monotonic() + HANG_SECONDS
        while not happens():
            assert time.monotonic() < end, "it takes too long"
            time.sleep(0.02)

    def end(self) -> None:
        for daemon in self.running:
            daemon.kill()
            daemon.wait(HANG_SECONDS)


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


def killing(workers: Cluster[Totals], after: int) -> Any:
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
        end = time.monotonic() + HANG_SECONDS
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
    job = Job(TableSetup(tables, 500), by_state(tables, MimicPlay(tables)), seed=21)
    goal = Goal(20 * TASK + 4_321)
    found = []
    for count in (1, 2):
        with Threads([job], count) as threads:
            found.append(run([job], goal, threads)[0].totals)
    with Cluster([job], "local:2") as workers:
        watch, killed = killing(workers, 5 * TASK)
        (outcome,) = run([job], goal, workers, watch=watch)
    assert len(killed) == 1
    assert outcome.rounds == goal.rounds == found[0].rounds
    assert found[0] == found[1] == outcome.totals


def test_a_stop_and_a_resume_elsewhere_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.rounds >= 5 * TASK:
            stop.set()

    with Cluster([SLOW], "local:2") as workers:
        options: Any = {"watch": watch, "stop": stop, "checkpoint": Checkpoint(path, {})}
        (part,) = run([SLOW], ENDLESS, workers, **options)
    assert not part.complete
    assert part.rounds >= 5 * TASK
    goal = Goal(part.rounds + 5 * TASK)
    with Threads([SLOW], 2) as threads:
        (whole,) = run([SLOW], goal, threads, begun=load(path).begun)
    assert whole.totals == expected(SLOW, goal)


def test_local_processes_listen_on_this_machine_only_and_on_free_ports() -> None:
    before = {one.laddr for one in listening()}
    with Cluster([SLOW], "local:1") as workers:
        assert pids(workers)
        found = [one.laddr for one in listening() if one.laddr not in before]
    assert len(found) >= 3, "the scheduler, a nanny and a worker"
    assert {one.ip for one in found} == {"127.0.0.1"}
    assert not {8786, 8787} & {one.port for one in found}, "no port that others may have"


def listening() -> list[Any]:
    """The sockets on which this process and its children wait for others."""
    psutil: Any = import_module("psutil")
    own = psutil.Process()
    found = []
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            sockets = process.net_connections("inet")
            found += [one for one in sockets if one.status == psutil.CONN_LISTEN]
    return found


class Stuck:
    """Something that does not end in time."""

    asked = 0.0

    def close(self, timeout: float) -> None:
        self.asked = timeout
        raise TimeoutError


def test_what_ends_slowly_is_waited_for_and_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the end of processes takes long, and the result is there already."""
    with Cluster([SLOW], "local:1") as workers:
        stuck = Stuck()
        client = workers.client
        monkeypatch.setattr(client, "close", stuck.close)
        (outcome,) = run([SLOW], Goal(TASK), workers)
    assert stuck.asked > 5
    assert outcome.complete
    monkeypatch.undo()
    client.close()


@pytest.mark.parametrize(
    ("breaks", "raised", "says"),
    [
        (ValueError, ValueError, "block 22 is broken"),
        (OSError, UpcardError, "a task failed on a worker of local:1: block 22 is broken; nothing"),
        (
            CommClosedError,
            UpcardError,
            "the connection to the scheduler of local:1 is lost; nothin",
        ),
    ],
)
def test_what_goes_wrong_on_a_worker_ends_the_run(
    breaks: type[Exception], raised: type[Exception], says: str
) -> None:
    broken = Coins(broken_at=22, breaks=breaks)
    with Cluster([broken], "local:1") as workers, pytest.raises(raised, match=says):
        run([broken], ENDLESS, workers)


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


def test_a_worker_that_is_just_started_again_is_no_reason_to_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Dask's own assertion, as it came up when a run ended while workers died."""
    asked = []

    async def join(self: AsyncProcess, timeout: float | None = None) -> None:
        asked.append((self, timeout))
        raise AssertionError("can only join a started process")

    job = Coins()
    with Cluster([job], "local:1") as workers:
        (outcome,) = run([job], Goal(TASK), workers)
        monkeypatch.setattr(AsyncProcess, "join", join)
    assert outcome.totals == expected(job, Goal(TASK))
    assert asked


def test_a_large_job_is_handed_over_quietly() -> None:
    large = Coins(name="x" * 12_000_000)
    with Cluster([large], "local:1") as workers:
        (outcome,) = run([large], Goal(TASK), workers)
    assert outcome.totals == expected(large, Goal(TASK))


# ------------------------------------------------------------------------- a cluster of one's own


@pytest.mark.parametrize("allowed", [pytest.param(3, marks=deep), 0])
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
    says = r"the worker tcp://127\.0\.0\.1:\d+ of tcp://\S+ has upcard 9\.9\.9, and this is upcard"
    with daemons(tmp_path) as cluster, Cluster([SLOW], cluster.address) as workers:
        cluster.worker(path=str(other))
        with pytest.raises(UpcardError, match=says):
            run([SLOW], ENDLESS, workers)


CHANGED = (
    r"the worker tcp://127\.0\.0\.1:\d+ has other code than this run: splitmix\.py differs; inst"
)


def changed_upcard(folder: Path, name: str, was: str, becomes: str) -> str:
    """This upcard in another place, of the same version, with one change."""
    other = folder / "other"
    here = Path(upcard.__file__).parent
    shutil.copytree(here, other / "upcard", ignore=shutil.ignore_patterns("__pycache__"))
    file = other / "upcard" / name
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, becomes))
    return str(other)


def test_a_worker_with_changed_code_plays_nothing(tmp_path: Path) -> None:
    """Of the same version: one that was there before, and one that joins a run."""
    path = changed_upcard(tmp_path, "splitmix.py", "np.uint64(30)", "np.uint64(29)")
    with daemons(tmp_path) as cluster:
        good = cluster.worker()
        kept = Checkpoint(tmp_path / "run.json", {})
        changed: list[subprocess.Popen[bytes]] = []

        def watch(progress: Progress) -> None:
            if progress.rounds and not changed:
                changed.append(cluster.worker(path))

        with (
            Cluster([SLOW], cluster.address) as workers,
            pytest.raises(UpcardError, match=CHANGED) as late,
        ):
            run([SLOW], ENDLESS, workers, watch=watch, checkpoint=kept)
        (begun,) = load(kept.path).begun
        words = (
            f"{begun.rounds:,} rounds are kept in {kept.path}: go on with: upcard simulate --res"
        )
        assert words in str(late.value)
        assert begun.totals == expected(SLOW, Goal(begun.rounds))

        good.kill()
        with (
            pytest.raises(UpcardError, match=CHANGED),
            Cluster([SLOW], cluster.address) as workers,
        ):
            run([SLOW], ENDLESS, workers)


def test_a_worker_that_cannot_say_which_code_it_has_plays_nothing(tmp_path: Path) -> None:
    """One of before workers were asked."""
    path = changed_upcard(tmp_path, "simulate/cluster.py", "def build_here(", "def build_there(")
    says = (
        r"the worker tcp://127\.0\.0\.1:\d+ cannot say which code it has \(.*build_here.*\): inst"
    )
    with daemons(tmp_path) as cluster, Cluster([SLOW], cluster.address) as workers:
        cluster.worker(path=path)
        with pytest.raises(UpcardError, match=says):
            run([SLOW], ENDLESS, workers)


def test_a_worker_without_upcard_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "other" / "upcard"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('there is no upcard here')")
    says = r"the worker tcp://\S+ cannot say which code it has \(.*there is no upcard here.*\): "
    with daemons(tmp_path) as cluster:
        cluster.worker(path=str(package.parent))
        client_of: Any = Client
        with client_of(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=HANG_SECONDS)
        with pytest.raises(UpcardError, match=says), Cluster([SLOW], cluster.address):
            pass


def test_nobody_asks_a_cluster_that_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if an answer comes in the moment of closing."""
    asking: list[str] = []

    def closed(client: Any, close: Any) -> Any:
        def spy(timeout: float) -> None:
            tasks = asyncio.all_tasks(client.loop.asyncio_loop)
            names = [getattr(task.get_coro(), "__qualname__", "") for task in tasks]
            asking.extend(name for name in names if name.startswith("Cluster."))
            close(timeout=timeout)

        return spy

    nothing: tuple[Coins, ...] = ()
    with daemons(tmp_path) as cluster:
        for _ in range(20):
            with Cluster(nothing, cluster.address) as workers:
                client = workers.client
                monkeypatch.setattr(client, "close", closed(client, client.close))
    assert asking == []


def test_what_differs_is_named() -> None:
    own = Build({"a.py": "1", "b.py": "2"}, {"python": "3.11.7", "numba": "0.60.0"})
    assert difference("tcp://w:1", own, own) == ""
    changed = Build({"a.py": "0", "b.py": "0"}, own.libraries)
    assert "tcp://w:1 has other code than this run: a.py and b.py differ;" in difference(
        "tcp://w:1", own, changed
    )
    newer = Build(own.code, {"python": "3.11.7", "numba": "0.61.0"})
    assert "the worker tcp://w:1 has numba 0.61.0 and not 0.60.0 as this run has" in difference(
        "tcp://w:1", own, newer
    )
    many = Build(dict.fromkeys("abcdefgh", "0"), own.libraries)
    assert "a, a.py and 8 other files differ;" in difference("tcp://w:1", own, many)


def test_a_build_is_of_everything_that_rounds_depend_on() -> None:
    own = own_build()
    needed = {"splitmix.py", "jit.py", "money.py", "simulate/blocks.py", "round/shoe.py"}
    needed |= {"simulate/job.py", "simulate/cluster.py", "compile/tables.py", "__init__.py"}
    assert own.code.keys() >= needed
    assert not any(name.startswith(("cli/", "web/", "envs/", "table/")) for name in own.code)
    assert own.libraries.keys() == {"python", "numpy", "numba", "llvmlite"}
    loaded = {name for name in sys.modules if name.startswith("upcard.round.")}
    assert {f"{name.partition('.')[2].replace('.', '/')}.py" for name in loaded} <= own.code.keys()


def test_a_result_of_other_code_or_of_another_job_does_not_count() -> None:
    own, totals = own_build(), expected(SLOW, Goal(1000))
    seal = own.seal(SLOW.identity)
    assert accepted(PlayedTask("tcp://w:1", seal, totals), seal) is totals
    changed = Build({**own.code, "splitmix.py": "0"}, own.libraries)
    newer = Build(own.code, {**own.libraries, "numba": "0.0.1"})
    wrong = (changed.seal(SLOW.identity), newer.seal(SLOW.identity), own.seal({"seed": 2}))
    for other in wrong:
        with pytest.raises(UpcardError, match="a result of the worker tcp://w:1 was made with oth"):
            accepted(PlayedTask("tcp://w:1", other, totals), seal)


# ------------------------------------------------------------------------------------- silence


@pytest.mark.parametrize("who", ["worker", pytest.param("scheduler", marks=deep)])
def test_who_freezes_is_named_and_the_run_goes_on_afterwards(
    tmp_path: Path, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 1.0)
    frozen = threading.Event()
    name = {"worker": "the worker tcp://127.", "scheduler": "the scheduler of tcp://127."}[who]
    said: list[str] = []
    with daemons(tmp_path) as cluster:
        process = {"worker": cluster.worker(), "scheduler": cluster.scheduler}[who]

        def say(sentence: str) -> None:
            # On a busy machine the other one may be late as well.
            if frozen.is_set() and sentence.startswith(name) and "has not answered" in sentence:
                said.append(sentence)
                process.send_signal(signal.SIGCONT)

        def watch(progress: Progress) -> None:
            if progress.rounds and not frozen.is_set():
                frozen.set()
                process.send_signal(signal.SIGSTOP)

        with Cluster([SLOW], cluster.address, say=say) as workers:
            (outcome,) = run([SLOW], LONG, workers, watch=watch)
    assert re.search(r" has not answered for \d+ seconds?: ", said[0])
    assert outcome.totals == expected(SLOW, LONG)


def test_a_worker_that_is_frozen_from_the_start_is_named_and_holds_up_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cluster_module, "SILENT_SECONDS", 0.5)
    said: list[str] = []
    with daemons(tmp_path) as cluster:
        worker = cluster.worker()
        with Cluster([SLOW], cluster.address) as workers:
            cluster.until(lambda: pids(workers))
        worker.send_signal(signal.SIGSTOP)
        with Cluster([SLOW], cluster.address, say=said.append):
            pass
        worker.send_signal(signal.SIGCONT)
    assert any("the run begins, and its code is looked at when it answers" in one for one in said)
    gc.collect()
    assert not [record for record in caplog.records if record.name == "asyncio"]


def test_workers_that_come_late_or_not_at_all(tmp_path: Path) -> None:
    with daemons(tmp_path) as cluster:
        with (
            Cluster([SLOW], cluster.address, patience=0.5) as workers,
            pytest.raises(UpcardError, match=r"has had no worker for \d+ seconds"),
        ):
            run([SLOW], ENDLESS, workers)

        late: list[subprocess.Popen[bytes]] = []
        goal = Goal(10 * TASK)
        with Cluster([SLOW], cluster.address, patience=HANG_SECONDS) as workers:
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
            run([SLOW], ENDLESS, workers, watch=lose(late[0]))

        path = tmp_path / "run.json"
        kept = Checkpoint(path, {})
        cluster.worker()
        with (
            Cluster([SLOW], cluster.address) as workers,
            pytest.raises(UpcardError, match=r"connection to the scheduler of .* is lost") as lost,
        ):
            run([SLOW], ENDLESS, workers, watch=lose(cluster.scheduler), checkpoint=kept)
        (begun,) = load(path).begun
        assert begun.tasks > 0
        assert f"; {begun.rounds:,} rounds are kept in {path}: go on with: " in str(lost.value)


def test_a_run_that_is_lost_without_a_checkpoint_says_how_to_have_one(tmp_path: Path) -> None:
    with (
        daemons(tmp_path) as cluster,
        Cluster([SLOW], cluster.address, patience=0.5) as workers,
        pytest.raises(UpcardError, match="nothing is kept: with --checkpoint FILE such a run can"),
    ):
        run([SLOW], ENDLESS, workers)


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
def test_an_address_without_a_scheduler_is_told_soon(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(UpcardError, match=f"cannot reach a dask scheduler at {scheme}://127"),
        Cluster([SLOW], f"{scheme}://127.0.0.1:9"),
    ):
        pass


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
