"""What an audit proves: its chain, every table's record, and that purses and tables agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.service.audit import (
    AUDIT,
    SEAL,
    AccountRow,
    AuditedEntry,
    AuditHead,
    AuditLine,
    Counts,
    PurseRow,
    TableRow,
)
from upcard.service.public_proof import verify_public
from upcard.service.public_record import is_public, parse_public
from upcard.table import events as ev
from upcard.table.bots import DealersStrategy, StrategyOf
from upcard.table.chain import SHORT, digest
from upcard.table.conduct import FailedError
from upcard.table.keys import is_key, is_signed
from upcard.table.notation import Record, decoded, parse_record
from upcard.table.proof import verify_record
from upcard.table.session import Log
from upcard.table.verify import Check, checked
from upcard.text import counted, shortened

Load = Callable[[Log], GameTables]
Place = tuple[str, int, str]
"""A table, the number of an entry in it, and who bought or cashed chips by that entry."""

LISTED = 3
"""At most so many tables that do not hold are named; the rest are counted."""


class Audited(NamedTuple):
    """What was found. `head` is the hash of the last line."""

    checks: tuple[Check, ...]
    counts: Counts
    head: str

    @property
    def summary(self) -> dict[str, int]:
        """How many rows of each kind there are, by their name."""
        return msgspec.structs.asdict(self.counts)

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)


def verify_audit(
    lines: Iterable[bytes],
    load: Load,
    *,
    source: str = "audit",
    own_key: str = "",
    noted_head: str = "",
    noted_key: str = "",
    plays: StrategyOf = DealersStrategy,
) -> Audited:
    """All checks of an audit, line by line: no more than one table is held at a time.

    `load` gives the game of a record. Raises UpcardError for what is no audit at all.
    """
    auditor = _Auditor(load, source, own_key, plays)
    for number, line in enumerate(lines, 1):
        auditor.take(number, line)
    return auditor.finish(noted_head, noted_key)


class _Auditor:
    def __init__(self, load: Load, source: str, own_key: str, plays: StrategyOf) -> None:
        self.load = load
        self.source = source
        self.own_key = own_key
        self.plays = plays
        self.first: AuditHead | None = None
        self.head = ""
        self.fault = ""
        self.ended: Counts | None = None
        self.seen: Counter[str] = Counter()
        self.accounts: dict[str, AccountRow] = {}
        self.table: TableRow | None = None
        self.entries: list[AuditedEntry] = []
        self.tables: set[str] = set()
        self.shown: Counter[str] = Counter()
        self.withheld: dict[str, int] = {}
        self.broken: list[str] = []
        self.open = 0
        self.chips: Counter[Place] = Counter()
        self.purses: Counter[Place] = Counter()
        self.holders: dict[tuple[str, str], str] = {}
        self.strange: list[str] = []
        self.commands: set[tuple[str, str, str]] = set()
        self.twice: list[str] = []

    # -------------------------------------------------------------- the overall chain

    def take(self, number: int, data: bytes) -> None:
        place = f"{self.source}: line {number}"
        line = data.removesuffix(b"\n")
        if line == data:
            self._break(number, "is not ended by a line feed: it was cut")
        if self.first is None:
            self.first = decoded(line, place, AuditHead)
            if self.first.audit != AUDIT:
                raise UpcardError(f"{place}: is an audit of another kind: {self.first.audit}")
            if self.first.key and not is_key(self.first.key):
                raise UpcardError(f"{place}: key: a key has 64 hexadecimal digits")
            value: AuditHead | AuditLine = self.first
        else:
            value = decoded(line, place, AuditLine)
            self._linked(number, value)
        if msgspec.json.encode(value) != line:
            self._break(number, "is not as a house writes it")
        self.head = digest(line)

    def _linked(self, number: int, value: AuditLine) -> None:
        if value.after != self.head:
            self._break(number, "does not follow from the line before")
        if self.ended is not None:
            self._break(number, "comes behind the end")
        self._read(number, value)

    def _break(self, number: int, words: str) -> None:
        self.fault = self.fault or f"line {number}: {words}"

    def _read(self, number: int, line: AuditLine) -> None:
        kinds = ("account", "role", "table", "entry", "purse", "result", "end")
        given = [kind for kind in kinds if not isinstance(getattr(line, kind), UnsetType)]
        if len(given) != 1 or (given == ["end"]) == isinstance(line.seal, UnsetType):
            self._break(number, "is not one line of one kind")
            return
        (kind,) = given
        if kind != "entry":
            self._finish_table()
        if not isinstance(line.account, UnsetType):
            self.accounts[line.account.id] = line.account
        elif not isinstance(line.table, UnsetType):
            self.table = line.table
        elif not isinstance(line.entry, UnsetType):
            self._entry(number, line.entry)
        elif not isinstance(line.purse, UnsetType):
            self._purse(line.purse)
        elif not isinstance(line.end, UnsetType):
            self._end(number, line)
            return
        self.seen[{"entry": "entries"}.get(kind, f"{kind}s")] += 1

    def _end(self, number: int, line: AuditLine) -> None:
        assert self.first is not None
        assert not isinstance(line.end, UnsetType)
        self.ended = line.end
        if msgspec.structs.asdict(line.end) != {
            name: self.seen[name] for name in Counts.__struct_fields__
        }:
            self._break(number, "counts other lines than there are")
        key, seal = self.first.key, line.seal
        good = not seal if not key else is_signed(key, SEAL + line.after, str(seal))
        if not good:
            self._break(number, "the seal is not the signature of the key of the first line")

    # -------------------------------------------------------------- tables

    def _entry(self, number: int, entry: AuditedEntry) -> None:
        if self.table is None or entry.table != self.table.id:
            self._break(number, "is an entry of another table than the one above it")
        elif entry.seq != len(self.entries) + 1:
            self._break(number, f"is entry {entry.seq} where entry {len(self.entries) + 1} belongs")
        self.entries.append(entry)
        name = (entry.table, entry.account, entry.command_id)
        if entry.account and not entry.command_id:
            self.twice.append(f"entry {entry.seq} of table {entry.table} has no command id")
        elif entry.account and name in self.commands:
            who = self._name(entry.account)
            self.twice.append(f"{who}'s command {entry.command_id} acts twice at {entry.table}")
        if entry.account:
            self.commands.add(name)

    def _name(self, account: str) -> str:
        return self.accounts[account].name if account in self.accounts else account

    def _finish_table(self) -> None:
        """All entries of a table were read: its record is checked, and its chips are counted."""
        row, entries = self.table, self.entries
        self.table, self.entries = None, []
        if row is None:
            return
        if row.id in self.tables:
            self.broken.append(f"{row.id}: is there twice")
        self.tables.add(row.id)
        self.withheld[row.id] = row.withheld
        self.shown[row.id] = len(entries)
        parts = [bytes(row.title), *(bytes(line) for entry in entries for line in entry.lines)]
        try:
            record = self._checked(row.id, b"".join(part + b"\n" for part in parts))
        except UpcardError as error:
            self.broken.append(f"{row.id}: {error}")
            return
        for entry, kept in zip(record.log.entries, entries, strict=False):
            self._count_chips(row.id, kept, entry.events)

    def _checked(self, id_: str, data: bytes) -> Record:
        public = is_public(data)
        record = parse_public(data, id_) if public else parse_record(data, id_)
        tables = self.load(record.log)
        if public:
            self.open += 1
            checks = verify_public(tables, record, own_key=self.own_key)
        else:
            checks = verify_record(tables, record, own_key=self.own_key, plays=self.plays)
        self.broken += [f"{id_}: {one.name}: {one.found}" for one in checks if not one.holds][:1]
        return record

    def _count_chips(self, id_: str, kept: AuditedEntry, events: Iterable[ev.Event]) -> None:
        for event in events:
            if isinstance(event, ev.ChipsBought):
                self.chips[id_, kept.seq, event.player] -= event.amount
                if kept.account:  # who asks for chips buys them, under whatever name
                    self.holders.setdefault((id_, event.player), kept.account)
            elif isinstance(event, ev.ChipsCashed):
                self.chips[id_, kept.seq, event.player] += event.amount

    # -------------------------------------------------------------- purses

    def _purse(self, row: PurseRow) -> None:
        if row.account not in self.accounts:
            self.strange.append(f"a movement of {format_cents(row.amount)} has no account")
        if not row.table:
            return
        place = (row.table, row.seq, row.player)
        self.purses[place] += row.amount
        if row.account in self.accounts and self._holder(row) != row.account:
            self.strange.append(
                f"{self._name(row.account)}'s purse moves for {row.player}'s chips at {row.table}"
            )

    def _holder(self, row: PurseRow) -> str:
        """Whose chips they are: a guest who registers keeps the old name at tables, so that the
        account that bought chips under a name decides, and its own name only if none is known.
        """
        place = (row.table, row.player)
        if self._name(row.account) == row.player or self._is_withheld(row.table, row.seq):
            return self.holders.setdefault(place, row.account)
        return self.holders.get(place, "")

    def _is_withheld(self, table: str, seq: int) -> bool:
        return 0 < seq - self.shown[table] <= self.withheld.get(table, 0)

    def _purses(self) -> tuple[str, bool]:
        if self.strange:
            raise FailedError(self.strange[0])
        names = {account.name for account in self.accounts.values()}
        names |= {player for _, player in self.holders}
        waiting, bots = 0, 0
        for place in sorted({*self.chips, *self.purses}):
            table, seq, player = place
            if self._is_withheld(table, seq):
                waiting += 1
                continue
            if player not in names and place not in self.purses:
                bots += self.chips[place]
                continue
            if self.chips[place] != self.purses[place]:
                raise FailedError(
                    f"entry {seq} of table {table} moves {format_cents(self.chips[place])} for "
                    f"{player}, and the purse {format_cents(self.purses[place])}"
                )
        known = len(self.purses) - waiting
        words = f"{counted(known, 'movement')} of purses equal chips bought and cashed to the cent"
        if bots:
            words += f"; players without a purse cashed {format_cents(bots)} more than they bought"
        if waiting:
            words += f"; {waiting} belong to entries that are withheld until their shoe is opened"
        return words, not waiting

    # -------------------------------------------------------------- the end

    def _chain(self) -> tuple[str, bool]:
        if self.first is None:
            raise FailedError("there is no line")
        if self.fault:
            raise FailedError(self.fault)
        if self.ended is None:
            raise FailedError("the last line is missing: it was cut")
        key = self.first.key
        mine = " of this house" if key and key == self.own_key else ""
        signed = f"sealed by the key{mine} {key[:SHORT]}" if key else "not sealed"
        lines = sum(self.seen.values()) + 2
        return f"{lines} lines, each bound to the one before; {signed}", bool(key)

    def _tables(self) -> tuple[str, bool]:
        if self.broken:
            more = len(self.broken) - LISTED
            rest = [f"and {more} more"] if more > 0 else []
            raise FailedError("; ".join([*map(shortened, self.broken[:LISTED]), *rest]))
        closed = len(self.tables) - self.open
        words = f"{counted(closed, 'closed table')} with whole records that hold"
        if self.open:
            withheld = sum(self.withheld.values())
            words += f"; {counted(self.open, 'open table')} with public records that hold so far"
            words += f", {counted(withheld, 'entry', 'entries')} withheld" if withheld else ""
        return words, not self.open

    def _commands(self) -> tuple[str, bool]:
        if self.twice:
            raise FailedError(self.twice[0])
        return f"{counted(len(self.commands), 'command')} of accounts, each acts once", True

    def finish(self, noted_head: str, noted_key: str) -> Audited:
        self._finish_table()
        checks = [
            checked("chain", self._chain),
            checked("tables", self._tables),
            checked("purses", self._purses),
            checked("commands", self._commands),
        ]
        key = self.first.key if self.first else ""
        for name, noted, there in (("head", noted_head, self.head), ("key", noted_key, key)):
            if noted:
                same = there.startswith(noted)
                words = f"{noted[:SHORT]} is {'' if same else 'not '}the {name} of this audit"
                checks.append(Check(name, same, words, proven=len(noted) >= SHORT))
        counts = Counts(**{name: self.seen[name] for name in Counts.__struct_fields__})
        return Audited(tuple(checks), counts, self.head)
