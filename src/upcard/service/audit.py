"""The audit export of a house: everything that it kept, as lines of JSON in one chain.

A line carries the hash of the line before it, as in a record; the last has counts, and the seal of
the house where it has a key. Between them stand accounts, changes of roles, every table with its
title and entries byte for byte as they were kept, movements of purses, and results. Of a table that
is still open there is its public record alone: nobody may know the cards to come, auditors neither.

`AuditWriter` makes the lines one by one, so that a house of any size can be written as a stream;
`upcard.service.audit_proof` checks them. docs/fairness.md describes the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Raw, UnsetType

from upcard.service.public_record import entries_of, public_record
from upcard.table.chain import digest, lines_of
from upcard.table.keys import TableKey

AUDIT = 1
SEAL = "upcard/2/audit/"
"""Stands before the hash that the seal of an audit signs."""


class AuditHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. `at` is when it was written, `key` whose seal stands at the end."""

    audit: int
    house: str
    at: str
    key: str = ""


class AccountRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody with a purse. Who plays without an account is a bot of the house."""

    id: str
    name: str
    role: str


class RoleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A role that was given to somebody, and by whom."""

    account: str
    role: str
    at: str
    by: str = ""


class TableRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table, with the title of its record. `withheld` entries come when their shoe is opened.

    `id` is the name under which the record opens the table.
    """

    id: str
    title: Raw
    name: str = ""
    withheld: int = 0


class KeptEntry(Protocol):
    """An entry as a store keeps it: `data` are its lines, with their seal."""

    @property
    def seq(self) -> int: ...
    @property
    def account(self) -> str: ...
    @property
    def command_id(self) -> str: ...
    @property
    def data(self) -> bytes: ...


class AuditedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry in an audit. Without `account` the house itself asked for it."""

    table: str
    seq: int
    lines: tuple[Raw, ...]
    account: str = ""
    command_id: str = ""


class PurseRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that went into a purse, or out of it if `amount` (in cents) is below 0.

    `table` and `seq` name the entry by which `player` bought or cashed chips; without them `why`
    says what it was.
    """

    account: str
    amount: int
    at: str
    player: str = ""
    table: str = ""
    seq: int = 0
    why: str = ""


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many lines of each kind there are."""

    accounts: int = 0
    roles: int = 0
    tables: int = 0
    entries: int = 0
    purses: int = 0
    results: int = 0


class AuditLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any other line: one of these, and at the end the counts."""

    after: str
    account: AccountRow | UnsetType = UNSET
    role: RoleRow | UnsetType = UNSET
    table: TableRow | UnsetType = UNSET
    entry: AuditedEntry | UnsetType = UNSET
    purse: PurseRow | UnsetType = UNSET
    result: dict[str, Any] | UnsetType = UNSET
    end: Counts | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class AuditWriter:
    """Gives the lines of an audit, each ended by a line feed. Begin with `begin`, end with `end`.

    Accounts come first; a table is followed by its entries, which `table` sees to.
    """

    def __init__(self, house: str, at: str, key: TableKey | None = None) -> None:
        self.key = key
        self.first = AuditHead(AUDIT, house, at, key.public if key else "")
        self.head = ""
        self.counts: dict[str, int] = dict.fromkeys(Counts.__struct_fields__, 0)

    def begin(self) -> bytes:
        return self._written(self.first)

    def account(self, row: AccountRow) -> bytes:
        return self.row("accounts", AuditLine(self.head, account=row))

    def role(self, row: RoleRow) -> bytes:
        return self.row("roles", AuditLine(self.head, role=row))

    def table(
        self, id_: str, title: bytes, entries: Iterable[KeptEntry], name: str = ""
    ) -> Iterator[bytes]:
        """A table and all entries that may be told of it now."""
        kept = list(entries)
        title_line = title if title.endswith(b"\n") else title + b"\n"
        public = public_record(title_line, (entry.data for entry in kept))
        row = TableRow(id_, Raw(title_line[:-1]), name, public.withheld)
        yield self.row("tables", AuditLine(self.head, table=row))
        shown = kept[: public.entries]
        for entry, data in zip(shown, entries_of(public.data), strict=True):
            told = tuple(Raw(line) for _, line, _ in lines_of(data))
            audited = AuditedEntry(id_, entry.seq, told, entry.account, entry.command_id)
            yield self.row("entries", AuditLine(self.head, entry=audited))

    def purse(self, row: PurseRow) -> bytes:
        return self.row("purses", AuditLine(self.head, purse=row))

    def result(self, row: dict[str, Any]) -> bytes:
        """The result of a round, as the store has it."""
        return self.row("results", AuditLine(self.head, result=row))

    def end(self) -> bytes:
        seal = self.key.sign(SEAL + self.head) if self.key else ""
        return self._written(AuditLine(self.head, end=Counts(**self.counts), seal=seal))

    def row(self, kind: str, line: AuditLine) -> bytes:
        """A line of any kind, counted."""
        self.counts[kind] += 1
        return self._written(line)

    def _written(self, value: AuditHead | AuditLine) -> bytes:
        line = msgspec.json.encode(value)
        self.head = digest(line)
        return line + b"\n"


class KeptTable(Protocol):
    """A table with its record as a store keeps it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> bytes: ...
    @property
    def entries(self) -> Iterable[KeptEntry]: ...


def audit_lines(
    house: str,
    at: str,
    *,
    accounts: Iterable[AccountRow] = (),
    roles: Iterable[RoleRow] = (),
    tables: Iterable[KeptTable] = (),
    purses: Iterable[PurseRow] = (),
    results: Iterable[dict[str, Any]] = (),
    key: TableKey | None = None,
) -> Iterator[bytes]:
    """All lines of an audit, from rows as they come."""
    writer = AuditWriter(house, at, key)
    yield writer.begin()
    yield from map(writer.account, accounts)
    yield from map(writer.role, roles)
    for table in tables:
        yield from writer.table(table.id, table.title, table.entries, table.name)
    yield from map(writer.purse, purses)
    yield from map(writer.result, results)
    yield writer.end()


def is_audit(start: bytes) -> bool:
    """Whether a file that begins so is an audit."""
    return start.startswith(b'{"audit":')
