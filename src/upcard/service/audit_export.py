"""The audit of a whole house, written from its store as it is at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import msgspec
import sqlalchemy as sa

from upcard.service import records, schema
from upcard.service.audit import AccountRow, AuditWriter, PurseRow, RoleRow
from upcard.service.backup import snapshot
from upcard.service.store import Store
from upcard.table import events as ev
from upcard.table.chain import RecordLine
from upcard.table.keys import TableKey


def write_audit(store: Store, key: TableKey, *, house: str, at: str, to: IO[bytes]) -> None:
    """Write all lines of the audit. It may take long: not in an event loop."""
    with snapshot(store) as connection:
        to.writelines(audit_of(connection, AuditWriter(house, at, key)))


def audit_of(connection: sa.Connection, writer: AuditWriter) -> Iterator[bytes]:
    """Accounts, tables with their entries, movements of purses, results."""
    yield writer.begin()
    accounts = schema.accounts
    for row in connection.execute(sa.select(accounts).order_by(accounts.c.created, accounts.c.id)):
        yield writer.account(AccountRow(row.id, row.name, row.role))
    roles = schema.roles
    for row in connection.execute(sa.select(roles).order_by(*roles.primary_key)):
        yield writer.role(RoleRow(row.account, row.role, row.at, row.given_by))
    tables = records.list_tables(connection, closed=True)
    for table in tables:
        entries = records.entries_after(connection, table.id, 0)
        yield from writer.table(table.id, table.title, entries, table.name)
    yield from map(writer.purse, _purses(connection))
    results = schema.results
    for found in connection.execute(sa.select(results).order_by(*results.primary_key)).mappings():
        yield writer.result(dict(found))
    yield writer.end()


def _purses(connection: sa.Connection) -> Iterator[PurseRow]:
    purse = schema.purse
    players = _Players(connection)
    for row in connection.execute(sa.select(purse).order_by(purse.c.account, purse.c.number)):
        if row.table_id is None:
            yield PurseRow(row.account, row.amount, row.at, why=row.why)
            continue
        player = players.of(row.account, row.table_id, row.seq, row.amount)
        yield PurseRow(row.account, row.amount, row.at, player, row.table_id, row.seq)


class _Players:
    """Under which name an account bought or cashed chips by an entry."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self.people: dict[str, dict[str, str]] = {}

    def of(self, account: str, table: str, seq: int, amount: int) -> str:
        if table not in self.people:
            self.people[table] = records.people_of(self.connection, table)
        names = [name for name, owner in self.people[table].items() if owner == account]
        if len(names) == 1:
            return names[0]
        (entry,) = records.entries_after(self.connection, table, seq - 1, upto=seq)
        moved = _moved(entry.data)
        return next((name for name, chips in moved if name in names and chips == amount), names[0])


def _moved(data: bytes) -> Iterator[tuple[str, int]]:
    """Chips that were bought (below 0, from the purse's side) or cashed by an entry."""
    for line in data.splitlines():
        match msgspec.json.decode(line, type=RecordLine).event:
            case ev.ChipsBought() as bought:
                yield bought.player, -bought.amount
            case ev.ChipsCashed() as cashed:
                yield cashed.player, cashed.amount
