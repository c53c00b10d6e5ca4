"""The store: its versions, what may not be changed, and what it says when it cannot."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlalchemy as sa
from alembic import command as alembic
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.engine import make_url

from service.houses import ManualTime, Person, a_house, guests, in_loop, play, quick_table
from service.postgres import Server
from upcard.errors import UpcardError
from upcard.service import records, schema
from upcard.service.house import House
from upcard.service.messages import Ack
from upcard.service.specs import HouseError
from upcard.service.store import ConflictError, Store


@pytest.fixture
def store(database: str) -> Store:
    return Store(database)


def test_the_database_is_made_from_nothing_and_is_as_the_schema_says(store: Store) -> None:
    store.migrate()
    store.migrate()  # there is nothing left to do
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    config = store.migrations()
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.check(config)
    store.close()


def test_a_database_of_a_newer_version_is_refused(store: Store) -> None:
    store.migrate()
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UpcardError, match="of another version of Upcard"):
        store.migrate()
    store.close()


def test_servers_that_start_at_once_make_the_tables_once(postgres_url: str) -> None:
    async def start() -> None:
        houses = [House(Store(postgres_url), demo=False) for _ in range(4)]
        await asyncio.gather(*(house.start() for house in houses))
        assert len({house.key.private for house in houses}) == 1
        assert len({house.casino for house in houses}) == 1
        await asyncio.gather(*(house.stop() for house in houses))

    asyncio.run(start())


@in_loop
async def test_entries_and_purses_are_only_added_to(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")
        person = Person(house, table.id, (await guests(house, 1))[0], random.Random(1))
        await person.come()
        await play(house, [person], 2)
        await house.accounts.add_staff("Olga", "operator")
        before = await house.record_rows(table.id)
        statements = [
            word
            for name in schema.APPEND_ONLY
            for word in (f"UPDATE {name} SET at = ''", f"DELETE FROM {name}")
        ]
        if not house.store.is_sqlite:
            statements += [f"TRUNCATE {name}" for name in schema.APPEND_ONLY]
        for statement in statements:
            refused = pytest.raises((ConflictError, HouseError), match=r"only ever added|store")
            with refused:
                await house.store.run(_execute, statement)
        assert await house.record_rows(table.id) == before


@in_loop
async def test_one_transaction_is_all_or_nothing(database: str) -> None:
    async with a_house(database) as house:
        table = await quick_table(house, "blackjack")

        def half(connection: sa.Connection) -> None:
            records.set_status(connection, table.id, "paused")
            raise HouseError("no")

        with pytest.raises(HouseError, match="no"):
            await house.store.run(half)
        row = await house.store.read(records.find_table, table.id)
        assert row is not None
        assert row.status == "open"


def _execute(connection: sa.Connection, statement: str) -> None:
    connection.execute(sa.text(statement))


def test_addresses() -> None:
    with pytest.raises(UpcardError, match="not the address of a database"):
        Store("here")
    with pytest.raises(UpcardError, match="a mysql database is not known"):
        Store("mysql://somebody@somewhere/house")
    store = Store("postgresql://me:secret@nowhere.invalid/house")
    assert "secret" not in store.shown
    store.close()


def test_a_database_that_cannot_be_used_is_named_without_its_password(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'no' / 'folder' / 'house.db'}")
    with pytest.raises(UpcardError, match="cannot be used: unable to open"):
        store.migrate()
    store.close()


def test_where_the_database_lives_is_not_told(postgresql: Server) -> None:
    store = Store(postgresql.new_database().replace("house", "nothing"))
    with pytest.raises(HouseError) as caught:
        store.run_now(records.list_tables)
    assert "nothing was changed" in str(caught.value)
    assert str(postgresql.folder) not in str(caught.value)
    assert caught.value.code == "unavailable"
    store.close()


# ------------------------------------------------------------------ records that were tampered with


class Played(NamedTuple):
    """A table with some rounds, more than a snapshot long, in a database."""

    url: str
    table: str
    seq: int


_played: dict[str, Played] = {}


@pytest.fixture
def played(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Played:
    """A copy of a database that was played in once."""
    kind = make_url(database).get_backend_name()
    if kind not in _played:
        if kind == "sqlite":
            folder = request.getfixturevalue("tmp_path_factory").mktemp("played")
            database = f"sqlite:///{folder / 'house.db'}"
        _played[kind] = Played(database, *asyncio.run(_play(database)))
    kept = _played[kind]
    if kind == "sqlite":
        path = tmp_path / "copy.db"
        shutil.copy(str(make_url(kept.url).database), path)
        return kept._replace(url=f"sqlite:///{path}")
    server: Server = request.getfixturevalue("postgresql")
    return kept._replace(url=server.new_database(kept.url))


async def _play(url: str) -> tuple[str, int]:
    async with a_house(url) as house:
        table = await quick_table(house, "blackjack", bots=1)
        person = Person(house, table.id, (await guests(house, 1))[0], random.Random(7))
        await person.come()
        while table.seq < 80:
            await play(house, [person], 1)
        return table.id, table.seq


async def _tamper(url: str, *statements: str) -> None:
    """What somebody with the keys of the database can do."""
    store = Store(url)

    def change(connection: sa.Connection) -> None:
        if store.is_sqlite:
            connection.execute(sa.text("DROP TRIGGER entries_no_update"))
            connection.execute(sa.text("DROP TRIGGER entries_no_delete"))
        else:
            connection.execute(sa.text("DROP TRIGGER entries_only_added ON entries"))
        for statement in statements:
            connection.execute(sa.text(statement))

    await store.run(change)
    store.close()


_SWAPPED = (
    "UPDATE entries SET data = (SELECT data FROM entries WHERE seq = 69), "
    "head = (SELECT head FROM entries WHERE seq = 69) WHERE seq = 70"
)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DELETE FROM entries WHERE seq = 70", "does not follow"),
        ("UPDATE entries SET head = 'x' WHERE seq = 70", "was changed"),
        ("UPDATE entries SET data = CAST('{}' AS {blob}) WHERE seq = 70", "cannot be read"),
        (_SWAPPED, "does not follow"),
    ],
    ids=["taken out", "head", "text", "swapped"],
)
@in_loop
async def test_a_broken_record_is_refused_and_the_house_opens(
    played: Played, statement: str, why: str
) -> None:
    database, name, _ = played
    blob = "BLOB" if database.startswith("sqlite") else "BYTEA"
    await _tamper(database, statement.replace("{blob}", blob))
    async with a_house(database) as house:
        with pytest.raises(HouseError, match=f"{name} is broken at entry 7[01]: it {why}") as error:
            await house.running(name)
        assert error.value.code == "unavailable"
        other = await quick_table(house, "blackjack")
        person = Person(house, other.id, (await guests(house, 1))[0], random.Random(1))
        await person.come()
        await play(house, [person], 1)
        assert [info.id for info in await house.tables()] == [other.id]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET state = :junk",
        "UPDATE snapshots SET head = 'x'",
        "UPDATE snapshots SET code = 'of another version'",
        "DELETE FROM snapshots",
    ],
    ids=["unreadable", "does not fit", "another version", "none"],
)
@in_loop
async def test_a_snapshot_is_only_a_short_cut(played: Played, statement: str) -> None:
    database, name, seq = played
    async with a_house(database) as house:
        table = await house.running(name)
        state, seen = table.state, table.seen
        found = await house.store.read(_snapshots)
        assert found == [64]
    store = Store(database)
    junk = {"junk": b"\x93"} if ":junk" in statement else {}
    await store.run(lambda connection: connection.execute(sa.text(statement), junk))
    store.close()
    async with a_house(database, timing=ManualTime()) as house:
        table = await house.running(name)
        assert (table.seq, table.state, table.seen) == (seq, state, seen)


def _snapshots(connection: sa.Connection) -> list[int]:
    return list(connection.execute(sa.select(schema.snapshots.c.seq)).scalars())


@in_loop
async def test_a_store_that_went_back_in_time(played: Played) -> None:
    """As when somebody puts a backup back while a server runs."""
    database, name, seq = played
    async with a_house(database) as house:
        table = await house.running(name)
        (ann,) = await guests(house, 1)
        line = await house.subscribe(name, None)
        await _tamper(database, f"DELETE FROM entries WHERE seq > {seq - 3}")
        with pytest.raises(HouseError, match="the store has lost the last entries") as error:
            await house.do(name, ann, {"command": "BuyIn", "amount": 500}, "one")
        assert error.value.code == "unavailable"
        said = [message async for message in line]
        assert len(said) == 1  # the welcome, and then the end
        assert (await house.running(name)).seq == seq - 3
        assert await house.do(name, ann, {"command": "BuyIn", "amount": 500}, "one") == Ack(
            "one", seq - 2
        )
        assert table.seq == seq


THREADS = """
import sys, threading, msgspec
from upcard.service.house import House
from upcard.service.typed import READ

sys.setswitchinterval(1e-6)
start = threading.Barrier(6)

def read():
    start.wait()
    for kind in READ:
        try:
            msgspec.json.decode(b"{}", type=kind)
        except msgspec.ValidationError:
            pass

threads = [threading.Thread(target=read) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_that_read_for_the_first_time_at_once() -> None:
    """Without what `typed` does this ends the process: msgspec is not made for it."""
    done = subprocess.run([sys.executable, "-c", THREADS], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
