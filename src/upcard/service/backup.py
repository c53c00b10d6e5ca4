"""Backups: the whole database as it was at one moment, in one SQLite file, checked.

A house on SQLite is copied by the database's own online backup, while it is served. One on
PostgreSQL is copied row by row from a snapshot. Either file can be restored to either database, so
a backup is also the way to move a house.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from upcard.errors import UpcardError
from upcard.service import records, schema
from upcard.service.store import Store
from upcard.table.chain import digest
from upcard.table.files import cannot_write

BATCH = 1000
"""Rows that are read and written at a time."""


def journals(file: Path) -> list[Path]:
    """The files that SQLite may keep beside a database."""
    return [file.with_name(file.name + ending) for ending in ("-wal", "-shm", "-journal")]


class Whole(NamedTuple):
    """What a database holds, every chain of it followed."""

    accounts: int
    tables: int
    entries: int
    rounds: int


@contextlib.contextmanager
def snapshot(store: Store) -> Iterator[sa.Connection]:
    """A connection that sees the database as it is now, whatever happens meanwhile."""
    options = {"reading": True} if store.is_sqlite else {"isolation_level": "REPEATABLE READ"}
    try:
        with store.engine.execution_options(**options).begin() as connection:
            yield connection
    except DBAPIError as error:
        raise UpcardError(f"the database {store.shown} does not answer: {error.orig}") from error


def backup(store: Store, path: Path) -> Whole:
    """Write a backup to a new file, and check it."""
    if path.exists():
        raise UpcardError(f"{path}: is there already, and is not written over")
    with _unfinished(path) as part:
        if store.is_sqlite:
            _copy_file(Path(store.url.database or ""), part)
        else:
            _copy_from(store, part)
        found = _checked(part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    return found


def restore(path: Path, store: Store) -> Whole:
    """Bring a backup into an empty database, and check what is there then."""
    if not path.is_file():
        raise UpcardError(f"{path}: there is no such file")
    target = Path(store.url.database or "") if store.is_sqlite else None
    if target is not None and target.exists():
        raise UpcardError(f"{target}: a house is there already, and is not written over")
    if target is not None:
        _need_no_journal(target)
    with _unfinished(target or Path(tempfile.gettempdir()) / "restored") as part:
        _copy_file(path, part)
        _checked(part)
        if target is not None:
            part.replace(target)
        else:
            _copy_to(part, store)
    return check(store)


def _need_no_journal(target: Path) -> None:
    """SQLite would play what is left of another database into the one put in its place."""
    for left in journals(target):
        if left.exists():
            raise UpcardError(
                f"{left}: belongs to a database that was here before, and would spoil this one: "
                "move it to where that database went, or restore into another folder"
            )


def check(store: Store) -> Whole:
    """Follow the chain of every table and add up every purse; a break is an error."""
    with snapshot(store) as connection:
        counts = [
            int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
            for table in (schema.accounts, schema.tables, schema.entries, schema.rounds)
        ]
        for row in records.list_tables(connection, closed=True):
            _follow(connection, row)
        owed = sa.func.sum(schema.purse.c.amount)
        broken = connection.execute(
            sa.select(schema.purse.c.account).group_by(schema.purse.c.account).having(owed < 0)
        ).first()
        if broken is not None:
            raise UpcardError(f"the purse of the account {broken[0]} holds less than nothing")
    return Whole(*counts)


def _follow(connection: sa.Connection, row: records.TableRow) -> None:
    head, seq = digest(row.title), 0
    while True:
        found = records.entries_after(connection, row.id, seq, limit=BATCH)
        if not found:
            return
        for entry in found:
            seq += 1
            if entry.seq != seq:
                raise UpcardError(f"the record of the table {row.id} lacks its entry {seq}")
            _, head = records.entry_of(entry, head)


# ------------------------------------------------------------------ copies


@contextlib.contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A name beside a file, for what is not done yet; it is gone afterwards."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield folder / path.name
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_file(source: Path, target: Path) -> None:
    """SQLite's own copy of a database that may be in use."""
    try:
        with (
            contextlib.closing(sqlite3.connect(_readable(source), uri=True)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            target.chmod(0o600)
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
            (fault,) = new.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        raise UpcardError(f"{source}: is not a house that can be copied: {error}") from error
    if fault != "ok":
        raise UpcardError(f"{source}: is damaged: {fault}")


def _readable(path: Path) -> str:
    return f"{path.resolve().as_uri()}?mode=ro"


@contextlib.contextmanager
def _sqlite(path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{path}")
    try:
        yield store
    finally:
        store.close()


def _checked(part: Path) -> Whole:
    """Bring a copy to the version of this program, and check it."""
    with _sqlite(part) as copy:
        copy.migrate()
        found = check(copy)
    with contextlib.closing(sqlite3.connect(part)) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    return found


def _copy_from(store: Store, target: Path) -> None:
    with _sqlite(target) as copy:
        copy.migrate()
        with snapshot(store) as source, copy.engine.begin() as sink:
            _copy_rows(source, sink)


def _copy_to(part: Path, store: Store) -> None:
    store.migrate()
    with _sqlite(part) as copy, snapshot(copy) as source, store.engine.begin() as sink:
        for table in schema.metadata.sorted_tables:
            if sink.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
                raise UpcardError(
                    f"the database {store.shown} has a house in it already: restore into a new one"
                )
        _copy_rows(source, sink)


def _copy_rows(source: sa.Connection, sink: sa.Connection) -> None:
    for table in schema.metadata.sorted_tables:
        rows = source.execution_options(yield_per=BATCH).execute(
            sa.select(table).order_by(*table.primary_key)
        )
        for part in rows.mappings().partitions(BATCH):
            sink.execute(table.insert(), [dict(row) for row in part])
