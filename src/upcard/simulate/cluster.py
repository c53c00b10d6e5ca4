"""Tasks on a cluster of dask: an existing one, or processes of this machine.

Workers may die and join at any time. The scheduler holds every job as a task whose result can be
made again, so nothing is lost with a worker; and a block is the same rounds whoever plays it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.metadata import version as installed
from typing import Any, Self

from upcard.errors import UpcardError
from upcard.simulate.run import Job
from upcard.simulate.totals import Totals

VERSION = installed("upcard")
PATIENCE_SECONDS = 60.0
"""How long a cluster may be without any worker."""
CONNECT_SECONDS = 4.0
ANSWER_SECONDS = 10.0
LOOK_SECONDS = 0.5
CLOSE_SECONDS = 5.0
MOST_LOCAL = 256
TRIES = 2
"""How often a task that raised is tried again, perhaps by another worker."""
RENEWALS = 20
"""How often a task is begun anew that dask gives up since workers died over it."""
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})")
_LOCAL = re.compile(r"local:(\d{1,9})")
_LOGS = ("distributed", "distributed.client", "distributed.gc", "tornado.application")


def play_blocks(version: str, job: Job, first: int, blocks: int, last: int) -> Totals:
    """What a worker does. A worker of another version would play other rounds."""
    if version != VERSION:
        raise UpcardError(
            f"a worker has upcard {VERSION}, and this is {version}: "
            "install the same version on every worker"
        )
    return job.play(first, blocks, last)


def same(job: Job) -> Job:
    """A job as the result of a task, so that a lost one is made again."""
    return job


def dask_setup(_worker: object) -> None:
    """What dask has a local worker do first: leave an interrupt of the terminal to the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Cluster:
    """Plays tasks on a cluster.

    `address` is that of a scheduler, tcp://host:port or tls://host:port, or local:N for N processes
    of this machine, which end with the run.
    """

    def __init__(
        self, jobs: Sequence[Job], address: str, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._local = local_workers(address)
        self._dask = _distributed()
        self._jobs = tuple(jobs)
        self._address = address
        self._patience = patience
        self._run = uuid.uuid4().hex
        self._client: Any = None
        self._handles: list[Any] = []
        self._threads = 0
        self._alive = time.monotonic()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(_quiet())
            where = self._start(stack) if self._local else self._address
            self._client = self._connect(where)
            stack.callback(self._client.close, timeout=CLOSE_SECONDS)
            self._check_versions()
            self._handles = self._hand_over()
            stack.callback(self._handles.clear)
            self._threads = sum(self._answer(self._client.nthreads).values())
            self._alive = time.monotonic()
            stack.callback(self._soon(self._look_after_workers()).cancel)
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def client(self) -> Any:
        """The client of dask."""
        return self._client

    def submit(self, job: int, first: int, blocks: int, last: int) -> Future[Totals]:
        key = (f"upcard-play-{self._run}", job, first, blocks, last)
        arguments = (VERSION, self._handles[job], first, blocks, last)
        future = self._client.submit(play_blocks, *arguments, key=key, retries=TRIES)
        return self._soon(self._result(future))

    def capacity(self) -> int:
        silent = time.monotonic() - self._alive
        if silent > self._patience:
            raise UpcardError(
                f"the cluster {self._address} has had no worker for {silent:.0f} seconds: start "
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
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=[__name__],
            )
        except (OSError, RuntimeError) as error:
            raise UpcardError(f"cannot start {self._address}: {_reason(error)}") from error
        stack.callback(local.close, timeout=CLOSE_SECONDS)
        return local

    def _connect(self, where: Any) -> Any:
        seconds = ANSWER_SECONDS if self._local else CONNECT_SECONDS
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

    def _check_versions(self) -> None:
        found = self._answer(lambda: self._client.get_versions(packages=["upcard"]))
        own = _version(found["client"])
        others = {"the scheduler": _version(found["scheduler"])}
        others |= {f"the worker {name}": _version(one) for name, one in found["workers"].items()}
        for name, version in others.items():
            if own and version != own:
                has = f"has upcard {version}" if version else "has no upcard"
                raise UpcardError(
                    f"{name} of {self._address} {has}, and this is upcard {own}: install the same "
                    "version everywhere"
                )

    def _hand_over(self) -> list[Any]:
        config = import_module("dask").config
        # A job of some megabytes is sent once; dask would warn of it.
        with config.set({"distributed.admin.large-graph-warning-threshold": "4GB"}):
            return [
                self._client.submit(same, job, key=f"upcard-job-{number}-{self._run}")
                for number, job in enumerate(self._jobs)
            ]

    def _answer(self, question: Callable[[], Any]) -> Any:
        """What the cluster says to a question, or that it says nothing."""

        async def ask() -> Any:
            return await asyncio.wait_for(question(), ANSWER_SECONDS)

        try:
            return self._soon(ask()).result()
        except OSError as error:
            raise UpcardError(
                f"the cluster {self._address} does not answer: {_reason(error)}"
            ) from error

    # ------------------------------------------------------------- in the thread of the client

    def _soon(self, work: Any) -> Future[Any]:
        """Have a coroutine run in the client's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    async def _result(self, future: Any) -> Totals:
        lost: type[BaseException] = self._dask.client.CancelledError
        killed: type[Exception] = self._dask.KilledWorker
        try:
            for attempt in range(RENEWALS + 1):
                if attempt:
                    await self._client.retry([future])
                # Workers died while the task was theirs, which says little about the task.
                with suppress(killed):
                    totals: Totals = await future
                    return totals
        except lost as error:
            raise UpcardError(
                f"the connection to the scheduler of {self._address} is lost"
            ) from error
        finally:
            future.release()
        raise UpcardError(f"workers of {self._address} die again and again over the same task")

    async def _look_after_workers(self) -> None:
        while True:
            threads = 0
            with suppress(OSError):
                found = await asyncio.wait_for(self._client.nthreads(), ANSWER_SECONDS)
                threads = sum(found.values())
            self._threads = threads
            if threads:
                self._alive = time.monotonic()
            await asyncio.sleep(LOOK_SECONDS)


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


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UpcardError('a cluster needs dask: install "upcard[cluster]"') from error


def _version(found: dict[str, Any]) -> str | None:
    version: str | None = found["packages"].get("upcard")
    return version


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
