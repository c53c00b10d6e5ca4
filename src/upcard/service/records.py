"""Tables in the store: how their entries are written and read, in one transaction each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import UnsetType
from sqlalchemy.engine import Connection

from upcard.money import format_cents
from upcard.service import schema as db
from upcard.service.results import Result
from upcard.service.specs import EntryRow, HouseError, ResultInfo, RoundInfo
from upcard.service.store import NOTIFY, Note
from upcard.table.chain import RecordLine, digest
from upcard.table.commands import Command
from upcard.table.events import Lights
from upcard.table.session import Entry
from upcard.table.state import Player

FIRST_PURSE = 1_000_000
"""Play money that a new account has, in cents."""


class TableRow(NamedTuple):
    """A table as it is stored, without its entries."""

    id: str
    name: str
    game: str
    fingerprint: str
    spec: str
    title: bytes
    status: str
    demo: bool
    owner: str
    opened: str
    bots: str


class Movement(NamedTuple):
    """Play money that goes into a purse, or out of it."""

    account: str
    amount: int
    why: str


class Punched(NamedTuple):
    """A player's card that somebody takes along."""

    serial: str
    account: str
    player: str
    game: str
    lights: int
    token: str


class Snapshot(NamedTuple):
    seq: int
    round: int
    head: str
    code: str
    state: bytes


class Lit(msgspec.Struct, frozen=True):
    """Who sits where at a table, and whose lights are lit."""

    players: tuple[Player, ...] = ()
    lights: tuple[Lights, ...] = ()


class _Kept(msgspec.Struct, frozen=True):
    """As much of what a snapshot holds."""

    state: Lit


class Along(NamedTuple):
    """What is written together with an entry."""

    movements: tuple[Movement, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    punched: tuple[Punched, ...] = ()
    spent: tuple[str, ...] = ()
    round_began: tuple[int, str] = (0, "")
    round: int = 0
    results: tuple[tuple[Result, str], ...] = ()
    snapshot: Snapshot | None = None
    status: str = ""


NOTHING_ALONG = Along()
_read_line = msgspec.json.Decoder(RecordLine).decode
_read_kept = msgspec.msgpack.Decoder(_Kept).decode
_read_lit = msgspec.json.Decoder(Lit).decode
_ENTRY = (
    db.entries.c.table_id,
    db.entries.c.seq,
    db.entries.c.at,
    db.entries.c.round,
    db.entries.c.account,
    db.entries.c.command_id,
    db.entries.c.head,
    db.entries.c.data,
)
_TABLE = tuple(db.tables.c[name] for name in TableRow._fields)


class BehindError(Exception):
    """The store does not have what was read from it, or written to it, before."""


# ------------------------------------------------------------------ writing


def create(
    connection: Connection,
    row: TableRow,
    entries: Sequence[EntryRow],
    driver: tuple[str, float] = ("", 0.0),
) -> None:
    """A new table with its first entries; `driver` is who drives it, and until when."""
    me, until = driver
    values = row._asdict() | {"driver": me, "driver_until": until}
    connection.execute(sa.insert(db.tables).values(**values))
    for entry in entries:
        connection.execute(sa.insert(db.entries).values(**_values(entry)))


def append(
    connection: Connection,
    entry: EntryRow,
    after: str,
    along: Along = NOTHING_ALONG,
    note: Note | None = None,
) -> None:
    """An entry that follows the one with the head `after`, and everything that goes with it.

    `note` tells other servers of it.
    """
    _follow(connection, entry, after, note)
    for movement in along.movements:
        move(connection, movement, entry.at, entry.table, entry.seq)
    for player, account in along.people:
        _know(connection, entry.table, player, account)
    for card in along.punched:
        values = card._asdict() | {"table_id": entry.table, "seq": entry.seq}
        connection.execute(sa.insert(db.players_cards).values(**values))
    for serial in along.spent:
        _spend(connection, serial, entry)
    if along.round:
        _finish_round(connection, entry, along)
    if along.snapshot is not None:
        values = along.snapshot._asdict() | {"table_id": entry.table}
        connection.execute(sa.insert(db.snapshots).values(**values))
        old = sa.and_(
            db.snapshots.c.table_id == entry.table, db.snapshots.c.seq < along.snapshot.seq
        )
        connection.execute(sa.delete(db.snapshots).where(old))
        lit = msgspec.json.encode(_read_kept(along.snapshot.state).state).decode()
        values = {"table_id": entry.table, "seq": along.snapshot.seq, "data": lit}
        connection.execute(sa.insert(db.lights).values(**values))
    if along.status:
        set_status(connection, entry.table, along.status)


def _values(entry: EntryRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(entry)
    values["table_id"] = values.pop("table")
    return values


def _follow(connection: Connection, entry: EntryRow, after: str, note: Note | None) -> None:
    values = _values(entry) | {"before": entry.seq - 1, "after": after}
    if note is None:
        written = connection.execute(_FOLLOWING, values).rowcount
    else:
        told = connection.execute(_FOLLOWING_TOLD, values | note._asdict())
        written = len(told.all())
    if written != 1:
        raise BehindError


def _following() -> sa.Insert:
    """An entry is written only behind the one that it follows."""
    columns = list(db.entries.c)
    e = db.entries.alias("e")
    there = (
        sa.select(1)
        .select_from(e)
        .where(
            e.c.table_id == sa.bindparam("table_id"),
            e.c.seq == sa.bindparam("before", type_=e.c.seq.type),
            e.c.head == sa.bindparam("after", type_=e.c.head.type),
        )
        .exists()
    )
    row = sa.select(*(sa.bindparam(c.name, type_=c.type) for c in columns)).where(there)
    return sa.insert(db.entries).from_select([c.name for c in columns], row)


_FOLLOWING = _following().execution_options(preserve_rowcount=True)
_FOLLOWING_TOLD = _following().returning(NOTIFY)
"""For PostgreSQL: the same message to the server also has it tell the others."""


def move(
    connection: Connection, movement: Movement, at: str, table: str | None, seq: int | None
) -> int:
    """Move play money and give what is in the purse then; it is never less than nothing."""
    number, before = _purse(connection, movement.account)
    after = before + movement.amount
    if after < 0:
        raise HouseError(
            f"your purse has {format_cents(before)} in play money, not "
            f"{format_cents(-movement.amount)}"
        )
    connection.execute(
        sa.insert(db.purse).values(
            account=movement.account,
            number=number + 1,
            at=at,
            amount=movement.amount,
            why=movement.why,
            table_id=table,
            seq=seq,
        )
    )
    return after


def _purse(connection: Connection, account: str) -> tuple[int, int]:
    count = sa.func.coalesce(sa.func.max(db.purse.c.number), 0)
    total = sa.func.coalesce(sa.func.sum(db.purse.c.amount), 0)
    number, amount = connection.execute(
        sa.select(count, total).where(db.purse.c.account == account)
    ).one()
    return int(number), int(amount)


def purse_of(connection: Connection, account: str) -> int:
    """What somebody has in play money, beside what is at tables."""
    return _purse(connection, account)[1]


def _know(connection: Connection, table: str, player: str, account: str) -> None:
    known = connection.execute(
        sa.select(db.people.c.account).where(
            db.people.c.table_id == table, db.people.c.player == player
        )
    ).scalar()
    if known is None:
        connection.execute(
            sa.insert(db.people).values(table_id=table, player=player, account=account)
        )
    elif known != account:
        raise HouseError(f"somebody else played at this table under the name {player}")


def _spend(connection: Connection, serial: str, entry: EntryRow) -> None:
    spent = connection.execute(
        sa.update(db.players_cards)
        .where(
            db.players_cards.c.serial == serial,
            db.players_cards.c.account == entry.account,
            db.players_cards.c.spent_table.is_(None),
        )
        .values(spent_table=entry.table, spent_seq=entry.seq)
    )
    if spent.rowcount != 1:
        raise HouseError(
            "this player's card was given up already, or is somebody else's: it is good for one use"
        )


def _finish_round(connection: Connection, entry: EntryRow, along: Along) -> None:
    first, began = along.round_began
    connection.execute(
        sa.insert(db.rounds).values(
            table_id=entry.table,
            round=along.round,
            first_seq=first,
            last_seq=entry.seq,
            began=began,
            ended=entry.at,
        )
    )
    if along.results:
        connection.execute(
            sa.insert(db.results),
            [
                result._asdict()
                | {
                    "table_id": entry.table,
                    "round": along.round,
                    "account": account,
                    "ended": entry.at,
                }
                for result, account in along.results
            ],
        )


def set_status(connection: Connection, table: str, status: str) -> None:
    """Another status; a table that is closed stays closed."""
    open_ = sa.and_(db.tables.c.id == table, db.tables.c.status != "closed")
    connection.execute(sa.update(db.tables).where(open_).values(status=status))


def lease(connection: Connection, me: str, now: float, until: float) -> set[str]:
    """Take, or go on holding, the right to drive all open tables that nobody else drives."""
    free = sa.or_(db.tables.c.driver == me, db.tables.c.driver_until < now)
    mine = sa.and_(db.tables.c.status != "closed", free)
    connection.execute(sa.update(db.tables).where(mine).values(driver=me, driver_until=until))
    found = sa.select(db.tables.c.id).where(
        db.tables.c.driver == me, db.tables.c.status != "closed"
    )
    return set(connection.execute(found).scalars())


def release(connection: Connection, me: str) -> None:
    connection.execute(
        sa.update(db.tables).where(db.tables.c.driver == me).values(driver="", driver_until=0.0)
    )


def house_value(connection: Connection, key: str, made: str) -> str:
    """A value of the whole house, `made` if there is none yet."""
    found = connection.execute(sa.select(db.house.c.value).where(db.house.c.key == key)).scalar()
    if found is None:
        connection.execute(sa.insert(db.house).values(key=key, value=made))
        return made
    return str(found)


# ------------------------------------------------------------------ reading


def find_table(connection: Connection, table: str) -> TableRow | None:
    found = connection.execute(sa.select(*_TABLE).where(db.tables.c.id == table)).one_or_none()
    return TableRow(*found) if found is not None else None


def missing(table: str) -> HouseError:
    return HouseError(f"there is no table {table[:40]!r}", "missing")


def list_tables(connection: Connection, *, closed: bool = False) -> list[TableRow]:
    query = sa.select(*_TABLE).order_by(db.tables.c.opened, db.tables.c.id)
    if not closed:
        query = query.where(db.tables.c.status != "closed")
    return [TableRow(*row) for row in connection.execute(query)]


def entries_after(
    connection: Connection, table: str, seq: int, *, upto: int = 0, limit: int = 0
) -> list[EntryRow]:
    query = (
        sa.select(*_ENTRY)
        .where(db.entries.c.table_id == table, db.entries.c.seq > seq)
        .order_by(db.entries.c.seq)
    )
    if upto:
        query = query.where(db.entries.c.seq <= upto)
    if limit:
        query = query.limit(limit)
    return [EntryRow(*row) for row in connection.execute(query)]


def last_snapshot(connection: Connection, table: str, code: str) -> Snapshot | None:
    query = (
        sa.select(*(db.snapshots.c[name] for name in Snapshot._fields))
        .where(db.snapshots.c.table_id == table, db.snapshots.c.code == code)
        .order_by(db.snapshots.c.seq.desc())
        .limit(1)
    )
    found = connection.execute(query).one_or_none()
    return Snapshot(*found) if found is not None else None


def last_lights(connection: Connection, table: str, upto: int) -> tuple[int, Lit]:
    """The last entry up to one of which it is noted who sat where and what was lit, and that."""
    lights = db.lights.c
    query = (
        sa.select(lights.seq, lights.data)
        .where(lights.table_id == table, lights.seq <= upto)
        .order_by(lights.seq.desc())
        .limit(1)
    )
    found = connection.execute(query).one_or_none()
    return (found.seq, _read_lit(found.data)) if found is not None else (0, Lit())


def people_of(connection: Connection, table: str) -> dict[str, str]:
    """Accounts by the names that they have at a table."""
    query = sa.select(db.people.c.player, db.people.c.account).where(db.people.c.table_id == table)
    return {row.player: row.account for row in connection.execute(query)}


def find_command(connection: Connection, table: str, account: str, command_id: str) -> int | None:
    """The entry that a command led to, if it was carried out."""
    return connection.execute(
        sa.select(db.entries.c.seq).where(
            db.entries.c.table_id == table,
            db.entries.c.account == account,
            db.entries.c.command_id == command_id,
        )
    ).scalar()


def round_start(connection: Connection, table: str, number: int) -> tuple[int, str]:
    """The first entry of a round and its time."""
    query = (
        sa.select(db.entries.c.seq, db.entries.c.at)
        .where(db.entries.c.table_id == table, db.entries.c.round >= number)
        .order_by(db.entries.c.seq)
        .limit(1)
    )
    found = connection.execute(query).one_or_none()
    return (found[0], found[1]) if found is not None else (0, "")


def find_round(connection: Connection, table: str, number: int) -> tuple[int, int] | None:
    """The first and the last entry of a finished round."""
    found = connection.execute(
        sa.select(db.rounds.c.first_seq, db.rounds.c.last_seq).where(
            db.rounds.c.table_id == table, db.rounds.c.round == number
        )
    ).one_or_none()
    return (found.first_seq, found.last_seq) if found is not None else None


def cards_of(connection: Connection, account: str, game: str) -> list[Punched]:
    """The players' cards that somebody can still give up in a game."""
    c = db.players_cards.c
    query = sa.select(*(c[name] for name in Punched._fields)).where(
        c.account == account, c.game == game, c.spent_table.is_(None)
    )
    return [Punched(*row) for row in connection.execute(query)]


def has_card(connection: Connection, account: str, serial: str) -> bool:
    """Whether a player's card was punched for an account."""
    card = db.players_cards.c
    query = sa.select(card.serial).where(card.serial == serial, card.account == account)
    return connection.execute(query).scalar() is not None


def list_rounds(
    connection: Connection, table: str, *, before: int | None = None, limit: int = 50
) -> list[RoundInfo]:
    """Rounds of a table, the last first, with all results."""
    query = sa.select(db.rounds).where(db.rounds.c.table_id == table)
    if before is not None:
        query = query.where(db.rounds.c.round < before)
    found = connection.execute(query.order_by(db.rounds.c.round.desc()).limit(limit)).all()
    if not found:
        return []
    results: dict[int, list[ResultInfo]] = {}
    rows = sa.select(db.results).where(
        db.results.c.table_id == table,
        db.results.c.round.between(found[-1].round, found[0].round),
    )
    for result in _results(connection, rows):
        results.setdefault(result.round, []).append(result)
    return [
        RoundInfo(
            row.table_id,
            row.round,
            row.first_seq,
            row.last_seq,
            row.began,
            row.ended,
            tuple(results.get(row.round, ())),
        )
        for row in found
    ]


def results_of_account(
    connection: Connection, account: str, limit: int, before: tuple[str, int] | None = None
) -> list[RoundInfo]:
    """The last rounds that somebody had a part in, at any table, with the own results.

    With `before` those before this one of them, by its table and number.
    """
    r, own_ones = db.rounds.c, db.results.c
    place = (own_ones.ended, own_ones.table_id, own_ones.round)
    own = sa.select(*place).where(own_ones.account == account).group_by(*place)
    if before is not None:
        there = sa.and_(r.table_id == before[0], r.round == before[1])
        ended = connection.execute(sa.select(r.ended).where(there)).scalar()
        if ended is None:
            raise HouseError(f"there is no round {before[1]} at that table", "missing")
        own = own.where(sa.tuple_(*place) < sa.tuple_(ended, *before))
    own = own.order_by(*(column.desc() for column in place)).limit(limit)
    found: list[RoundInfo] = []
    for _, table, number in connection.execute(own).all():
        row = connection.execute(
            sa.select(db.rounds).where(r.table_id == table, r.round == number)
        ).one()
        # Asked for an account, SQLite goes through all rounds of it rather than to this one.
        everybody = sa.select(db.results).where(
            own_ones.table_id == table, own_ones.round == number
        )
        results = tuple(one for one in _results(connection, everybody) if one.account == account)
        found.append(
            RoundInfo(table, number, row.first_seq, row.last_seq, row.began, row.ended, results)
        )
    return found


def net_since(connection: Connection, account: str, since: str) -> int:
    """What somebody won or lost in rounds that ended since a time."""
    query = sa.select(sa.func.coalesce(sa.func.sum(db.results.c.net), 0)).where(
        db.results.c.account == account, db.results.c.ended >= since
    )
    return int(connection.execute(query).scalar_one())


def minutes_since(connection: Connection, account: str, since: str) -> int:
    """In how many minutes somebody did anything at a table since a time."""
    minute = sa.func.substr(db.entries.c.at, 1, len("2026-01-31T12:00"))
    query = sa.select(sa.func.count(sa.distinct(minute))).where(
        db.entries.c.account == account, db.entries.c.at >= since
    )
    return int(connection.execute(query).scalar_one())


def _results(connection: Connection, query: sa.Select[tuple[object, ...]]) -> Iterable[ResultInfo]:
    for row in connection.execute(query):
        yield ResultInfo(
            table=row.table_id,
            round=row.round,
            position=row.position,
            player=row.player,
            wager=row.wager,
            stake=row.stake,
            action=row.action,
            net=row.net,
            account=row.account,
            ended=row.ended,
        )


def broken(row: EntryRow, why: str) -> HouseError:
    """A record that nobody should go on with."""
    words = f"the record of the table {row.table} is broken at entry {row.seq}: {why}"
    return HouseError(words, "unavailable")


def entry_of(row: EntryRow, after: str) -> tuple[Entry, str]:
    """The entry in a row, and the head after it; a broken chain is an error."""
    command: Command | None = None
    events = []
    for line in row.data.splitlines():
        try:
            value = _read_line(line)
        except msgspec.MsgspecError as error:
            raise broken(row, "it cannot be read") from error
        if value.after != after:
            raise broken(row, "it does not follow from the entry before")
        after = digest(line)
        if not isinstance(value.command, UnsetType):
            command = value.command
        if not isinstance(value.event, UnsetType):
            events.append(value.event)
    if after != row.head:
        raise broken(row, "it was changed")
    return Entry(command, tuple(events), row.at), after
