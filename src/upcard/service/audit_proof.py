"""What an audit proves: its chain, every table's record, and that purses, results and tables agree.

What it cannot prove is in docs/fairness.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UnsetType

from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.service.asking import takes_back
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
from upcard.service.public_record import UNKNOWN, is_public, parse_public
from upcard.service.results import results_of
from upcard.shape import shown
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.bots import DealersStrategy, StrategyOf
from upcard.table.chain import SHORT, digest
from upcard.table.conduct import FailedError
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.keys import is_key, is_signed
from upcard.table.notation import Record, decoded, parse_record
from upcard.table.proof import is_closed, verify_record
from upcard.table.session import Log
from upcard.table.verify import Check, checked
from upcard.text import counted, listed, shortened

Load = Callable[[Log], GameTables]
Place = tuple[str, int, str]
"""A table, the number of an entry in it, and who bought or cashed chips by that entry."""

ORDER = {"account": 0, "role": 1, "table": 2, "entry": 2, "purse": 3, "result": 4, "end": 5}
"""In which order the kinds of lines come: a purse is held against accounts and tables above it."""

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

    Of the others there are sums of money, and hashes of what must not be there twice.

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
        self.operators: set[str] = set()
        """Accounts that are operators, or once were."""
        self.table: TableRow | None = None
        self.entries: list[AuditedEntry] = []
        self.tables: set[str] = set()
        self.shown: Counter[str] = Counter()
        self.withheld: dict[str, int] = {}
        self.broken: list[str] = []
        self.unproven: list[str] = []
        self.open = 0
        self.stage = 0
        self.sources: dict[str, str] = {}
        """Secrets and promises of shoes, and at which table each is."""
        self.cards: dict[str, str] = {}
        """Players' cards by their serial, and at which table each was given up."""
        self.folded: set[str] = set()
        """Tables whose results are known from their records."""
        self.results: dict[str, tuple[str, int]] = {}
        """Hashes of results that must still come, and of which round of which table they are."""
        self.lies: list[str] = []
        self.unchecked = 0
        self.money: Counter[str] = Counter()
        self.chips: Counter[Place] = Counter()
        self.purses: Counter[Place] = Counter()
        self.holders: dict[tuple[str, str], str] = {}
        self.strange: list[str] = []
        self.commands: set[tuple[str, str, str]] = set()
        self.misused: list[str] = []

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
        given = [kind for kind in ORDER if not isinstance(getattr(line, kind), UnsetType)]
        if len(given) != 1 or (given == ["end"]) == isinstance(line.seal, UnsetType):
            self._break(number, "is not one line of one kind")
            return
        (kind,) = given
        if kind != "entry":
            self._finish_table()
        if ORDER[kind] < self.stage:
            self._break(number, f"is a line of the kind {kind} behind kinds that come after it")
        self.stage = max(self.stage, ORDER[kind])
        if not isinstance(line.account, UnsetType):
            if line.account.id in self.accounts:
                self._break(number, f"is the account {line.account.id} a second time")
            self.accounts[line.account.id] = line.account
            self._note_role(line.account.id, line.account.role)
        elif not isinstance(line.role, UnsetType):
            self._note_role(line.role.account, line.role.role)
        elif not isinstance(line.table, UnsetType):
            self.table = line.table
        elif not isinstance(line.entry, UnsetType):
            self._entry(number, line.entry)
        elif not isinstance(line.purse, UnsetType):
            self._purse(line.purse)
        elif not isinstance(line.result, UnsetType):
            self._result(line.result)
        elif not isinstance(line.end, UnsetType):
            self._end(number, line)
            return
        self.seen[{"entry": "entries"}.get(kind, f"{kind}s")] += 1

    def _note_role(self, account: str, role: str) -> None:
        if role == "operator":
            self.operators.add(account)

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
        if not entry.account:
            return
        name = (entry.table, entry.account, entry.command_id)
        where = f"entry {entry.seq} of table {entry.table}"
        if entry.account not in self.accounts:
            self.misused.append(f"{where} was asked for by an account that is not there")
        if not entry.command_id:
            self.misused.append(f"{where} has no command id")
        elif name in self.commands:
            who = self._name(entry.account)
            self.misused.append(f"{who}'s command {entry.command_id} acts twice at {entry.table}")
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
        self.shown[row.id] = len(entries)
        parts = [bytes(row.title), *(bytes(line) for entry in entries for line in entry.lines)]
        data = b"".join(part + b"\n" for part in parts)
        public = is_public(data)
        # Nothing of a whole record is left out, whatever the line of its table says.
        self.withheld[row.id] = max(row.withheld, 0) if public else 0
        try:
            record = parse_public(data, row.id) if public else parse_record(data, row.id)
            game = self.load(record.log)
        except UpcardError as error:
            self.broken.append(f"{row.id}: {error}")
            return
        for entry, kept in zip(record.log.entries, entries, strict=False):
            self._count_chips(row.id, kept, entry.events)
            self._asked(kept, entry.command)
        faults = [
            *self._faults_of_record(row.id, game, record, public=public),
            *self._faults_of_row(row, record, entries, public=public),
            *self._faults_among_tables(row.id, record.log),
        ]
        self.broken += [f"{row.id}: {fault}" for fault in faults[:1]]
        self.open += public
        if not (public or faults):
            self.folded.add(row.id)
            self._fold(row.id, game, record.log)

    def _faults_of_record(
        self, id_: str, game: GameTables, record: Record, *, public: bool
    ) -> list[str]:
        """What does not hold of a record by itself; what is not proven of a whole one is noted."""
        if public:
            checks = verify_public(game, record, own_key=self.own_key)
        else:
            checks = verify_record(game, record, own_key=self.own_key, plays=self.plays)
            if open_ := [check.name for check in checks if not check.proven]:
                self.unproven.append(f"{id_} ({', '.join(open_)})")
        return [f"{one.name}: {one.found}" for one in checks if not one.holds]

    def _faults_of_row(
        self, row: TableRow, record: Record, entries: Sequence[AuditedEntry], *, public: bool
    ) -> Iterator[str]:
        """Where a record is not what the lines of the audit say of it."""
        log, chain = record
        if is_closed(log) == public:
            yield (
                "is closed, and its opening is still hidden"
                if public
                else "is a whole record without the closing of the table: its end is missing"
            )
        if row.withheld < 0 or (row.withheld and not public):
            yield f"{row.withheld} entries cannot be withheld of it"
        lines = [len(entry.events) + 1 for entry in log.entries]  # the last is the seal
        if lines != [len(entry.lines) for entry in entries]:
            yield "an entry of the audit is not one entry of the record"
        opened = next((one for one in log.events if isinstance(one, ev.TableOpened)), None)
        if not public and opened is not None and opened.table != row.id:
            yield f"is the record of another table, {opened.table}"
        key = self.first.key if self.first else ""
        if key and chain and chain.key and chain.key != key:
            yield f"is signed by another key than the audit, {chain.key[:SHORT]}"

    def _faults_among_tables(self, id_: str, log: Log) -> list[str]:
        """What another table has had already: a secret, a shoe, a player's card."""
        found = []
        for event in log.events:
            source = card = ""
            match event:
                case ev.TableOpened() if event.secret != UNKNOWN:
                    source = event.secret
                case ev.ShoeCommitted():
                    source = event.commitment
                case ev.CardSurrendered():
                    card = event.serial
            if source and (other := self.sources.setdefault(source, id_)) != id_:
                found.append(f"has the same secret as {other}, so their shoes are alike")
            if card and (other := self.cards.setdefault(card, id_)) != id_:
                found.append(f"takes a player's card that was given up at {other} already")
        return found

    def _count_chips(self, id_: str, kept: AuditedEntry, events: Iterable[ev.Event]) -> None:
        for event in events:
            if isinstance(event, ev.ChipsBought):
                self.chips[id_, kept.seq, event.player] -= event.amount
                if kept.account:  # who asks for chips buys them, under whatever name
                    self.holders.setdefault((id_, event.player), kept.account)
            elif isinstance(event, ev.ChipsCashed):
                self.chips[id_, kept.seq, event.player] += event.amount

    def _asked(self, kept: AuditedEntry, command: cm.Command | None) -> None:
        """Who has a player's chips commands for that player. An operator who closes a table takes
        back what lies there, and leads everybody away.
        """
        if not kept.account or command is None:
            return
        player = getattr(command, "player", "")
        holder = self.holders.get((kept.table, player), "")
        own = kept.account == holder if player else isinstance(command, cm.Deal)
        if own or (kept.account in self.operators and takes_back(command)):
            return
        self.misused.append(
            f"{self._name(kept.account)} commands for {player or 'the house'} by entry {kept.seq} "
            f"of table {kept.table}"
        )

    # -------------------------------------------------------------- results

    def _fold(self, id_: str, game: GameTables, log: Log) -> None:
        """The results of every round, made again as the house made them."""
        engine, state = Engine(game), NEW_TABLE
        in_kind = game.carry is not None and bool(game.carry.prize_name)
        for entry in log.entries:
            ended = 0
            for event in entry.events:
                state = engine.evolve(state, event)
                ended = event.round if isinstance(event, ev.RoundEnded) else ended
            if not ended or state.round is None:
                continue
            for one in results_of(state.round, entry.events, prize_in_kind=in_kind):
                account = self.holders.get((id_, one.player), "")
                more = {"table_id": id_, "round": ended, "account": account, "ended": entry.at}
                self.results[_hash_of(one._asdict() | more)] = (id_, ended)

    def _result(self, row: dict[str, Any]) -> None:
        table, number = row.get("table_id"), row.get("round")
        if not isinstance(table, str) or table not in self.tables:
            self.lies.append(f"a result is of a table that is not there: {shown(table, SHORT)}")
        elif table not in self.folded:
            self.unchecked += 1
        elif self.results.pop(_hash_of(row), None) is None:
            self.lies.append(
                f"a result of round {shown(number, SHORT)} of table {table} is not what the record "
                f"of the table gives"
            )

    def _results(self) -> tuple[str, bool]:
        if self.lies:
            raise FailedError(self.lies[0])
        for table, number in self.results.values():
            raise FailedError(f"results of round {number} of table {table} are missing")
        checked_ = self.seen["results"] - self.unchecked
        words = f"{counted(checked_, 'result')} of rounds as the records of the tables give them"
        if self.unchecked:
            words += f"; {self.unchecked} of tables without a whole record that holds: not checked"
        return words, not self.unchecked

    # -------------------------------------------------------------- purses

    def _purse(self, row: PurseRow) -> None:
        if row.account not in self.accounts:
            self.strange.append(f"a movement of {format_cents(row.amount)} has no account")
        self.money[row.account] += row.amount
        if (left := self.money[row.account]) < 0:
            self.strange.append(f"{self._name(row.account)}'s purse falls to {format_cents(left)}")
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
        if self.unproven:
            more = len(self.unproven) - LISTED
            named = [*self.unproven[:LISTED], *([f"{more} more"] if more > 0 else [])]
            words += f", {len(self.unproven)} of them not proven in all: {listed(named, 'and')}"
        if self.open:
            withheld = sum(self.withheld.values())
            words += f"; {counted(self.open, 'open table')} with public records that hold so far"
            words += f", {counted(withheld, 'entry', 'entries')} withheld" if withheld else ""
        return words, not (self.open or self.unproven)

    def _commands(self) -> tuple[str, bool]:
        if self.misused:
            raise FailedError(self.misused[0])
        commands = counted(len(self.commands), "command")
        return f"{commands} of accounts, each acts once, and for its own player", True

    def finish(self, noted_head: str, noted_key: str) -> Audited:
        self._finish_table()
        checks = [
            checked("chain", self._chain),
            checked("tables", self._tables),
            checked("purses", self._purses),
            checked("results", self._results),
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


def _hash_of(row: dict[str, Any]) -> str:
    return digest(msgspec.json.encode(row, order="sorted"))
