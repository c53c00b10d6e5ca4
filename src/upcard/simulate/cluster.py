"""Tasks on a cluster of dask: an existing one, or processes of this machine.

Workers may die and join at any time. The scheduler holds every job as a task whose result can be
made again, so nothing is lost with a worker; and a block is the same rounds whoever plays it with
the same code. So the code of every worker is compared with that of the run, three times: when the
worker is first seen, before each of its tasks, and by the seal that each of its results carries.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.metadata import version as installed
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from upcard.errors import UpcardError
from upcard.simulate.build import PLAYED_FROM, Build, own_build
from upcard.simulate.run import LostError
from upcard.simulate.silence import SILENT_SECONDS, Listener, Say

VERSION = installed("upcard")
own_build()  # As it was when this process began: workers import this module first.
PATIENCE_SECONDS = 60.0
"""How long a cluster may be without any worker, and its scheduler without an answer."""
CONNECT_SECONDS = 4.0
ANSWER_SECONDS = 8.0
LOOK_SECONDS = 0.5
AGAIN_SECONDS = 0.05
BUSY_SECONDS = 120.0
"""How long processes of this machine may take, which may have much else to do."""
LOCAL_TTL = "60 s"
"""How long a process of this machine may be silent before others play what it had."""
LOOPBACK = "127.0.0.1"
MOST_LOCAL = 256
PACKAGE = "upcard"
TRIES = 2
"""How often a task that raised is tried again, perhaps by another worker."""
RENEWALS = 20
"""How often a task is begun anew that dask gives up since workers died over it."""
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})")
_LOCAL = re.compile(r"local:(\d{1,9})")
_LOGS = ("distributed", "distributed.client", "distributed.gc", "tornado.application")


T = TypeVar("T")
Made = TypeVar("Made", covariant=True)


class SpreadJob(Protocol[Made]):
    """Work of which any part can be done by anybody, anywhere: a job of rounds, or of prices."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that the results depend on, as JSON has it."""

    def play(self, first: int, blocks: int, last: int) -> Made:
        """Do the parts from `first` on, the last of which may have a size of its own."""


class PlayedTask(NamedTuple, Generic[T]):
    """What came of a task, and who made it with which code out of which job."""

    worker: str
    seal: str
    made: T


def play_blocks(
    build: Build, code: tuple[str, ...], job: SpreadJob[T], first: int, blocks: int, last: int
) -> PlayedTask[T]:
    """What a worker does. With other code it would play other rounds, and does not begin."""
    worker: str = _distributed().get_worker().address
    own = own_build(code)
    problem = difference(worker, build, own)
    if problem:
        raise LostError(problem)
    return PlayedTask(worker, own.seal(job.identity), job.play(first, blocks, last))


def build_here(code: tuple[str, ...]) -> Build:
    """What a worker says to the question for its code."""
    return own_build(code)


def difference(worker: str, own: Build, other: Build) -> str:
    """Why a worker cannot play for this run, in a sentence; empty if it can."""
    if code := own.other_code(other):
        return (
            f"the worker {worker} has other code than this run: {code} "
            f"{'differ' if ' and ' in code else 'differs'}; install the same upcard on every "
            "worker, and start the worker anew"
        )
    if libraries := own.other_libraries(other):
        return (
            f"the worker {worker} has {libraries} as this run has: install the same versions on "
            "every worker"
        )
    return ""


def same(given: Any) -> Any:
    """A job or a build as the result of a task, so that a lost one is made again."""
    return given


def dask_setup(_worker: object) -> None:
    """What dask has a local worker do first: leave an interrupt of the terminal to the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Cluster(Generic[T]):
    """Plays tasks on a cluster.

    `address` is that of a scheduler, tcp://host:port or tls://host:port, or local:N for N processes
    of this machine, which end with the run. `code` are the modules with which a task begins: all
    that they import must be the same everywhere. `say` is told in sentences who has gone silent and
    who is back, from any thread.
    """

    def __init__(
        self,
        jobs: Sequence[SpreadJob[T]],
        address: str,
        *,
        code: tuple[str, ...] = PLAYED_FROM,
        patience: float = PATIENCE_SECONDS,
        say: Say = lambda _: None,
    ) -> None:
        self._local = local_workers(address)
        self._dask = _distributed()
        self._jobs = tuple(jobs)
        self._address = address
        self._code = code
        self._own = own_build(code)
        self._patience = patience
        self._run = uuid.uuid4().hex
        self._client: Any = None
        self._build: Any = None
        self._handles: list[Any] = []
        self._seals: list[str] = []
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._ended = False
        self._threads = 0
        self._say = say
        self._listener = Listener(address, say)
        self._problem = ""
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(_quiet())
            where = self._start(stack) if self._local else self._address
            self._client = self._connect(where)
            stack.callback(_close, self._client, ANSWER_SECONDS)
            stack.callback(self._look_no_more)
            self._answer(self._check_scheduler)
            self._answer(self._check_workers)
            self._raise_problem()
            self._hand_over()
            stack.callback(self._let_go)
            self._answer(self._look_from_now_on)
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def client(self) -> Any:
        """The client of dask."""
        return self._client

    def submit(self, job: int, first: int, blocks: int, last: int) -> Future[T]:
        key = (f"upcard-play-{self._run}", job, first, blocks, last)
        arguments = (self._build, self._code, self._handles[job], first, blocks, last)
        future = self._client.submit(play_blocks, *arguments, key=key, retries=TRIES)
        return self._soon(self._result(future, self._seals[job]))

    def capacity(self) -> int:
        self._raise_problem()
        self._listener.tick()
        silent = self._listener.scheduler_silent
        if silent > PATIENCE_SECONDS:
            raise LostError(
                f"the scheduler of {self._address} has not answered for {silent:.0f} seconds"
            )
        without = self._listener.without_workers
        if without > self._patience:
            raise LostError(
                f"the cluster {self._address} has had no worker for {without:.0f} seconds: start "
                "workers, or look at why they end"
            )
        return max(1, self._threads)

    # -------------------------------------------------------------------------------- starting

    def _start(self, stack: ExitStack) -> Any:
        try:
            local = self._dask.LocalCluster(
                n_workers=self._local,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                host=LOOPBACK,
                scheduler_port=0,
                # Without an address dask takes port 8787 even where there is no dashboard.
                dashboard_address=f"{LOOPBACK}:0",
                scheduler_kwargs={"dashboard": False, "worker_ttl": LOCAL_TTL},
                silence_logs=logging.CRITICAL,
                preload=[__name__],
            )
        except (OSError, RuntimeError) as error:
            raise UpcardError(f"cannot start {self._address}: {_reason(error)}") from error
        stack.callback(_close, local, BUSY_SECONDS)
        return local

    def _connect(self, where: Any) -> Any:
        seconds = BUSY_SECONDS if self._local else CONNECT_SECONDS
        client: Future[Any] = Future()

        def connect() -> None:
            try:
                client.set_result(self._dask.Client(where, timeout=seconds, set_as_default=False))
            except Exception as error:
                client.set_exception(error)

        # A scheduler that takes the call and then says nothing would hold this up for ever.
        threading.Thread(target=connect, daemon=True).start()
        try:
            return client.result(seconds + 1)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            other = isinstance(error, TypeError) and not self._address.startswith("tls")
            why = "what answers there is no scheduler" if other else _reason(error)
            raise UpcardError(f"cannot reach a dask scheduler at {self._address}: {why}") from error

    def _hand_over(self) -> None:
        config = import_module("dask").config
        self._build = self._client.submit(same, self._own, key=f"upcard-build-{self._run}")
        self._seals = [self._own.seal(job.identity) for job in self._jobs]
        # A job of some megabytes is sent once; dask would warn of it.
        with config.set({"distributed.admin.large-graph-warning-threshold": "4GB"}):
            self._handles = [
                self._client.submit(same, job, key=f"upcard-job-{number}-{self._run}")
                for number, job in enumerate(self._jobs)
            ]

    def _let_go(self) -> None:
        self._build = None
        self._handles.clear()

    def _answer(self, question: Callable[[], Any]) -> Any:
        """What the cluster says to a question, or that it says nothing."""
        seconds = BUSY_SECONDS if self._local else ANSWER_SECONDS

        async def ask() -> Any:
            return await asyncio.wait_for(question(), seconds)

        try:
            return self._soon(ask()).result(seconds + CONNECT_SECONDS)
        except OSError as error:
            raise UpcardError(
                f"the cluster {self._address} does not answer: {_reason(error)}"
            ) from error

    def _raise_problem(self) -> None:
        if self._problem:
            raise LostError(self._problem)

    # ------------------------------------------------------------- in the thread of the client

    def _soon(self, work: Any) -> Future[Any]:
        """Have a coroutine run in the client's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    async def _result(self, future: Any, seal: str) -> T:
        lost = (self._dask.client.CancelledError, self._dask.comm.CommClosedError)
        killed: type[Exception] = self._dask.KilledWorker
        try:
            for attempt in range(RENEWALS + 1):
                if attempt:
                    await self._client.retry([future])
                # Workers died while the task was theirs, which says little about the task.
                with suppress(killed):
                    played: PlayedTask[T] = await future
                    return accepted(played, seal)
        except lost as error:
            raise LostError(
                f"the connection to the scheduler of {self._address} is lost"
            ) from error
        except Exception as error:
            # A worker without the right code may fail in any way: that is then the reason.
            if problem := await self._problem_by_now():
                raise LostError(problem) from error
            if isinstance(error, OSError):
                raise LostError(
                    f"a task failed on a worker of {self._address}: {_reason(error)}"
                ) from error
            raise
        finally:
            future.release()
        raise LostError(f"workers of {self._address} die again and again over the same task")

    async def _look_from_now_on(self) -> None:
        self._looking = asyncio.create_task(self._look_after_workers())

    def _look_no_more(self) -> None:
        """Before the client is closed: nobody may ask it anything then."""

        async def end() -> None:
            self._ended = True
            tasks = {*self._checks.values(), *([self._looking] if self._looking else [])}
            # A cancellation is lost where an answer comes at the same moment: then once more.
            while tasks:
                for task in tasks:
                    task.cancel()
                _, tasks = await asyncio.wait(tasks, timeout=AGAIN_SECONDS)

        with suppress(OSError):
            self._soon(end()).result(ANSWER_SECONDS)

    async def _look_after_workers(self) -> None:
        while not self._ended:
            pause = LOOK_SECONDS
            # Whoever is lost or silent here is missed by the listener.
            with suppress(OSError):
                pause = await self._look()
            await asyncio.sleep(pause)

    async def _look(self) -> float:
        """Ask the scheduler for its workers; and say after how many seconds to ask again."""
        found = await asyncio.wait_for(self._client.scheduler.identity(), ANSWER_SECONDS)
        workers = found["workers"]
        beat: float = self._dask.scheduler.heartbeat_interval(len(workers))
        self._threads = sum(int(one["nthreads"]) for one in workers.values())
        self._listener.answered({name: one["last_seen"] for name, one in workers.items()}, beat)
        for name in self._checks.keys() - workers.keys():
            self._checks.pop(name).cancel()
        for name in workers.keys() - self._checks.keys():
            self._checks[name] = asyncio.create_task(self._check_worker(name))
        return max(beat, LOOK_SECONDS)

    # --------------------------------------------------------------------------- the same code

    async def _check_scheduler(self) -> None:
        found = await self._client.scheduler.versions(packages=[PACKAGE])
        self._problem = self._other_version("the scheduler", found)

    async def _check_workers(self) -> None:
        """Compare the code of all workers. One that says nothing is waited for no longer."""
        await self._look()
        checks = {check: name for name, check in self._checks.items()}
        if not checks:
            return
        _, waiting = await asyncio.wait(checks, timeout=None if self._local else SILENT_SECONDS)
        for name in sorted(checks[check] for check in waiting):
            self._say(
                f"the worker {name} has not answered for {SILENT_SECONDS:.0f} seconds: the run "
                "begins, and its code is looked at when it answers"
            )

    async def _problem_by_now(self) -> str:
        """What is wrong with a worker, those included that have only just come."""
        with suppress(OSError):
            await self._look()
        if not self._problem and self._checks:
            await asyncio.wait(self._checks.values(), timeout=SILENT_SECONDS)
        return self._problem

    async def _check_worker(self, name: str) -> None:
        """Find out whether a worker has the code of this run; ask until it answers."""
        while not self._ended:
            with suppress(OSError):
                problem = await self._problem_of(name)
                self._problem = self._problem or problem
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _problem_of(self, name: str) -> str:
        message = {"op": "versions", "packages": [PACKAGE]}
        versions = await self._client.scheduler.broadcast(msg=message, workers=[name])
        if other := self._other_version(f"the worker {name}", versions[name]):
            return other
        asked = self._client.run(build_here, self._code, workers=[name], on_error="return")
        build = (await asked)[name]
        if isinstance(build, OSError):
            raise build
        if isinstance(build, BaseException):
            return (
                f"the worker {name} cannot say which code it has ({_reason(build)}): install the "
                "same upcard on every worker, and start the worker anew"
            )
        return difference(name, self._own, build)

    def _other_version(self, who: str, found: Mapping[str, Any]) -> str:
        version: str | None = found["packages"].get(PACKAGE)
        if version == VERSION:
            return ""
        has = f"has upcard {version}" if version else "has no upcard"
        return (
            f"{who} of {self._address} {has}, and this is upcard {VERSION}: install the same "
            "version everywhere"
        )


def accepted(played: PlayedTask[T], seal: str) -> T:
    """What a worker brought, if it was made with this run's code out of this run's job."""
    if played.seal != seal:
        raise LostError(
            f"a result of the worker {played.worker} was made with other code or of another job: "
            "start the worker anew"
        )
    return played.made


def local_workers(address: str) -> int:
    """How many processes to start; 0 for the address of a scheduler.

    >>> local_workers("local:4"), local_workers("tcp://127.0.0.1:8786")
    (4, 0)
    """
    local = _LOCAL.fullmatch(address)
    if local:
        if not 1 <= int(local[1]) <= MOST_LOCAL:
            raise UpcardError(f'"{address}": a local cluster has 1 to {MOST_LOCAL} processes')
        return int(local[1])
    remote = _ADDRESS.fullmatch(address)
    if not remote or not 1 <= int(remote[1]) <= 65535:
        raise UpcardError(
            f'"{address}" is not a cluster: write the scheduler as tcp://host:8786 or '
            "tls://host:8786, or local:4 for processes of this machine"
        )
    return 0


def check_reachable(address: str) -> None:
    """Refuse a cluster that is not there, before a long preparation."""
    if not local_workers(address):  # processes of this machine need not be started to try
        nothing: tuple[SpreadJob[None], ...] = ()
        with Cluster(nothing, address):
            pass


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UpcardError('a cluster needs dask: install "upcard[cluster]"') from error


def _close(part: Any, seconds: float) -> None:
    """End a client or the processes of this machine.

    What the run came to is known by now, so that slow or dead parts are no reason to fail: what
    does not end by itself ends with this process. Dask asserts that every worker has started,
    which one that is just being started again has not.
    """
    with suppress(OSError, RuntimeError, AssertionError):
        part.close(timeout=seconds)


def _reason(error: BaseException) -> str:
    """
    >>> _reason(OSError("no route")), _reason(TimeoutError()), _reason(OSError())
    ('no route', 'no answer in time', 'OSError')
    """
    lines = str(error).strip().splitlines()
    if lines:
        return lines[0]
    return "no answer in time" if isinstance(error, TimeoutError) else type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing of dask's own on the terminal: what matters is said as an error."""
    loggers = [logging.getLogger(name) for name in _LOGS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
