"""The store: one database, one transaction per act, everything in worker threads.

SQLite has one writer at a time anyway, so writes go through one thread; PostgreSQL has a pool. What
cannot be written is a `HouseError` of the code "unavailable", and nothing of it is done.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from upcard.errors import UpcardError
from upcard.service.specs import HouseError

P = ParamSpec("P")
T = TypeVar("T")
Listener = Callable[[dict[str, Any]], None]

CHANNEL = "upcard"
POOL = 8
BUSY_MILLISECONDS = 10_000
CONNECT_SECONDS = 5
"""How long a database may take to answer the first word."""
CONNECTING: Mapping[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""How PostgreSQL is connected to. Whether its machine is still there is asked after seconds, in
which nothing came, and every few after; what is sent must arrive within `tcp_user_timeout`
milliseconds. Else a machine that vanishes without a word would hold threads and locks for minutes.
"""
HEARING_SECONDS = 0.25
"""How often a line that nobody speaks on looks whether it is over."""
MIGRATING = 0x7570_6361
"""The lock that whoever changes the tables of a PostgreSQL holds."""
_log = logging.getLogger(__name__)


class ConflictError(Exception):
    """Somebody else wrote first: read on and decide again."""


class Note(NamedTuple):
    """What is told to all servers of a PostgreSQL."""

    channel: str
    payload: str


NOTIFY = sa.func.pg_notify(
    sa.bindparam("channel", type_=sa.Text), sa.bindparam("payload", type_=sa.Text)
)
"""PostgreSQL passes a `Note` on when the transaction is done."""


class Store:
    """A database by its address, such as `sqlite:///house.db` or `postgresql+psycopg://...`."""

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgres(self.url)
        self._reading = _reading(self.engine, self.is_sqlite)
        self._writers = ThreadPoolExecutor(1 if self.is_sqlite else POOL, "store")
        self._readers = ThreadPoolExecutor(2, "store-read") if self.is_sqlite else self._writers
        self._listening: _Listening | None = None

    # ------------------------------------------------------------------ transactions

    async def run(
        self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something in one transaction: all of it or nothing."""
        call = partial(self.run_now, act, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._writers, call)

    async def read(
        self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Look at something; on SQLite this does not wait for writers."""
        call = partial(self.read_now, act, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, call)

    def run_now(
        self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `run`, in this thread."""
        acted = False
        try:
            with self.engine.begin() as connection:
                result = act(connection, *args, **kwargs)
                acted = True
        except IntegrityError as error:
            raise ConflictError(str(error.orig)) from error
        except (DBAPIError, PoolTimeout) as error:
            # A server that goes away while it commits may have done so.
            raise _unavailable(error, is_known=self.is_sqlite or not acted) from error
        return result

    def read_now(
        self, act: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `read`, in this thread."""
        try:
            with self._reading.begin() as connection:
                return act(connection, *args, **kwargs)
        except (DBAPIError, PoolTimeout) as error:
            raise _unavailable(error) from error

    # ------------------------------------------------------------------ versions

    def migrate(self) -> None:
        """Bring the database to the version of this program; refuse a newer one."""
        from alembic import command
        from alembic.runtime.migration import MigrationContext
        from alembic.script import ScriptDirectory
        from alembic.util import CommandError

        config = self.migrations()
        try:
            with self.engine.begin() as connection:
                if not self.is_sqlite:  # of several servers one makes the tables
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
                found = MigrationContext.configure(connection).get_current_revision()
                if found is not None:
                    ScriptDirectory.from_config(config).get_revision(found)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except CommandError as error:
            raise UpcardError(
                f"the database is of another version of Upcard than this one ({error})"
            ) from error
        except DBAPIError as error:
            why = str(error.orig).strip().splitlines()[0] if error.orig else str(error)
            raise UpcardError(f"the database {self.shown} cannot be used: {why}") from error

    def migrations(self) -> Any:
        """What alembic needs to know."""
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        return config

    @property
    def shown(self) -> str:
        """The address without its password."""
        return self.url.render_as_string(hide_password=True)

    # ------------------------------------------------------------------ several servers

    def note(self, message: dict[str, Any]) -> Note | None:
        """What tells all servers of this database; None if there are no others."""
        if self.is_sqlite:
            return None
        return Note(CHANNEL, json.dumps(message, separators=(",", ":")))

    def tell(self, connection: sa.Connection, message: dict[str, Any]) -> None:
        """Tell all servers of this database, when the transaction is done."""
        if (note := self.note(message)) is not None:
            connection.execute(sa.select(NOTIFY), note._asdict())

    def listen(self, listener: Listener, woken: Callable[[], None]) -> None:
        """Hear what other servers tell; `woken` after the line was lost: something may be missed.

        Both are called in a thread of its own. A SQLite database has one server, and hears nothing.
        """
        if not self.is_sqlite:
            self._listening = _Listening(self.url, listener, woken)
            self._listening.start()

    def close(self) -> None:
        if self._listening is not None:
            self._listening.stop()
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


class _Listening(threading.Thread):
    """A connection that does nothing but listen."""

    def __init__(self, url: URL, listener: Listener, woken: Callable[[], None]) -> None:
        super().__init__(name="store-listen", daemon=True)
        self.address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.listener = listener
        self.woken = woken
        self.over = threading.Event()

    def run(self) -> None:
        import psycopg

        while not self.over.is_set():
            try:
                with psycopg.connect(self.address, autocommit=True, **CONNECTING) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.woken()
                    while not self.over.is_set():
                        for note in connection.notifies(timeout=HEARING_SECONDS):
                            self.listener(json.loads(note.payload))
            except psycopg.Error:
                self.over.wait(1.0)

    def stop(self) -> None:
        self.over.set()
        self.join(timeout=5)


def _url(text: str) -> URL:
    try:
        url = make_url(text)
    except sa.exc.ArgumentError:
        raise UpcardError(
            f'"{text}" is not the address of a database: it goes as in '
            "sqlite:///house.db or postgresql+psycopg://user:password@host/name"
        ) from None
    backend = url.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise UpcardError(f"a {backend} database is not known here: use sqlite or postgresql")
    if backend == "postgresql" and url.drivername != "postgresql+psycopg":
        url = url.set(drivername="postgresql+psycopg")
    return url


def _sqlite(url: URL) -> sa.Engine:
    engine = sa.create_engine(
        url, connect_args={"check_same_thread": False, "timeout": BUSY_MILLISECONDS / 1000}
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the transactions are ours, not the driver's
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _postgres(url: URL) -> sa.Engine:
    return sa.create_engine(
        url,
        pool_size=POOL,
        max_overflow=0,
        pool_recycle=1800,
        connect_args=dict(CONNECTING),
    )


def _reading(engine: sa.Engine, is_sqlite: bool) -> sa.Engine:
    """The engine for those who only look.

    On PostgreSQL every question of theirs stands alone: in a transaction each would see what is
    there at its own time just the same, for two more messages to the server and back.
    """
    if is_sqlite:
        return engine.execution_options(reading=True)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _unavailable(error: Exception, *, is_known: bool = True) -> HouseError:
    """What is said of a failure; where a database lives is for the log alone."""
    why = "the database does not answer"
    if isinstance(error, DBAPIError) and error.orig is not None:
        words = str(error.orig).strip().partition("\n")[0]
        _log.warning("the store: %s", words)
        if isinstance(error.orig, sqlite3.Error):
            why = words
    so = "nothing was changed, try again later"
    if not is_known:
        so = "it is not known whether this was done, try again later"
    return HouseError(f"the store does not take anything now ({why}): {so}", "unavailable")


def is_memory(url: str) -> bool:
    """Whether a database lasts only as long as its process."""
    return re.fullmatch(r"sqlite(\+\w+)?://(/:memory:)?", url) is not None
