"""Who is known to the house: guests and accounts, their sessions and tokens, roles and limits.

A guest is an account without a password, made at the first visit. Whoever registers keeps what the
guest had. What opens a session is a random token that only its owner has: the store knows its
SHA-256. All times are texts as in records, so they compare as they stand.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from upcard.service import records, schema
from upcard.service.names import GUEST, check_name, key_of, look_of
from upcard.service.own_limits import Limits, Standing, limits_of, set_limits, standing_of
from upcard.service.passwords import Passwords, check_password
from upcard.service.specs import Account, HouseError, Role
from upcard.service.store import ConflictError, Store
from upcard.table.session import Clock, stamp, wall_clock

Kind = Literal["cookie", "token", "once"]
TOKEN_BYTES = 32
LONGEST_LABEL = 60
MOST_TOKENS = 20

LASTS: dict[Kind, timedelta] = {
    "cookie": timedelta(days=30),
    "token": timedelta(days=365),
    "once": timedelta(hours=24),
}
GUEST_NUMBERS = (10**5, 10**6, 10**7, 10**9, 10**12)
"""The least number of a guest's name, one after the other where a number was taken."""


class SignedIn(msgspec.Struct, frozen=True):
    """An opened session. `token` is the only copy of what opens it."""

    account: Account
    token: str
    session: str
    expires: str


class Known(msgspec.Struct, frozen=True):
    """Somebody whose token is good. `session` names the session and opens nothing."""

    account: Account
    session: str
    kind: Kind
    expires: str


class SessionInfo(msgspec.Struct, frozen=True):
    """A session as its owner sees it; `id` opens nothing."""

    id: str
    kind: Kind
    label: str
    created: str
    expires: str


class AccountInfo(msgspec.Struct, frozen=True):
    """An account as staff sees it."""

    id: str
    name: str
    role: Role
    created: str
    money: int


class Movement(msgspec.Struct, frozen=True):
    """Play money that came or went."""

    number: int
    at: str
    amount: int
    why: str
    table: str | None = None


class Purse(msgspec.Struct, frozen=True):
    """What somebody has beside the tables, in cents of play money, and the last movements."""

    money: int
    movements: tuple[Movement, ...] = ()


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Accounts:
    """The accounts of a store."""

    def __init__(
        self, store: Store, *, clock: Clock = wall_clock, passwords: Passwords | None = None
    ) -> None:
        self.store = store
        self.clock = clock
        self.passwords = passwords or Passwords()
        self.on_closed: list[Callable[[Iterable[str]], None]] = []
        """Called with the sessions that were closed, so that their lines can be cut."""

    def now(self) -> str:
        return stamp(self.clock())

    # ------------------------------------------------------------------ coming in

    async def guest(self, kind: Kind = "cookie", label: str = "") -> SignedIn:
        """A new guest, with play money and a session."""
        for least in GUEST_NUMBERS:
            name = f"{GUEST} {least + secrets.randbelow(9 * least)}"
            with contextlib.suppress(ConflictError):  # somebody has that number
                return await self.store.run(self._add, name, "guest", None, kind, label)
        raise HouseError("no name was found for another guest: try again", "unavailable")

    async def register(
        self,
        name: str,
        password: str,
        *,
        guest: Known | None = None,
        kind: Kind = "cookie",
        label: str = "",
    ) -> SignedIn:
        """A new account; a guest becomes it, with purse and history."""
        name = check_name(name)
        hashed = await self.passwords.hashed(check_password(password, name))
        try:
            if guest is None or guest.account.role != "guest":
                return await self.store.run(self._add, name, "player", hashed, kind, label)
            done = await self.store.run(self._promote, guest, name, hashed, kind, label)
        except ConflictError:
            raise HouseError(f'the name "{name}" is taken: choose another') from None
        self._tell_closed([guest.session])
        return done

    async def sign_in(
        self, name: str, password: str, *, kind: Kind = "cookie", label: str = ""
    ) -> SignedIn:
        """A session of an account. Unknown names take as long as wrong passwords."""
        key = key_of(name)
        # Nobody has a name that cannot be printed, and some databases cannot be asked for it.
        row = await self.store.read(_by_key, key if key.isprintable() else "")
        known = row.password if row is not None else None
        opened = None
        if await self.passwords.fits(password, known) and row is not None:
            opened = await self.store.run(self._sign_in, row.id, row.password, kind, label)
        if opened is None:
            raise HouseError("this name and password do not belong together", "forbidden")
        return opened

    async def whose(self, token: str) -> Known | None:
        """Whom a token belongs to; None if it never opened anything, or does no longer."""
        return await self.store.read(self._whose, hash_of(token))

    async def renew(self, known: Known) -> bool:
        """Let a cookie last again as long as a new one, if more than half of its time is over."""
        half = stamp(self.clock() + LASTS["cookie"] / 2)
        if known.kind != "cookie" or known.expires > half:
            return False
        expires = stamp(self.clock() + LASTS["cookie"])
        await self.store.run(_update, schema.sessions, known.session, {"expires": expires})
        return True

    async def once(self, account: Account) -> str:
        """A code that opens one session of an account, once, within a day."""
        return (await self.store.run(self._open, account, "once", "")).token

    async def use_once(self, code: str) -> SignedIn:
        """The session that a code opens; the code opens nothing more."""
        done = await self.store.run(self._use_once, hash_of(code))
        if done is None:
            raise HouseError("this link was used already, or is too old", "forbidden")
        return done

    # ------------------------------------------------------------------ going out

    async def sign_out(self, session: str) -> None:
        await self._close(schema.sessions.c.hash == session)

    async def close_session(self, account: Account, session: str) -> None:
        """Close one's own session, or revoke a token, by its id."""
        own = sa.and_(schema.sessions.c.account == account.id, schema.sessions.c.hash == session)
        if not await self._close(own):
            raise HouseError("there is no such session, or it is closed already", "missing")

    async def change_password(self, known: Known, old: str, new: str) -> None:
        """A new password; every other session of the account is closed."""
        row = await self.store.read(_by_id, known.account.id)
        if row is None or row.role == "guest":
            raise HouseError("a guest has no password: register first")
        # Staff that came by a link has none yet.
        if row.password is not None and not await self.passwords.fits(old, row.password):
            words = (
                "the old password is another one; whoever forgot it is helped where the house runs"
            )
            command = f'upcard house account password "{known.account.name}"'
            raise HouseError(f"{words}: {command}", "forbidden")
        same = schema.accounts.c.password.is_not_distinct_from(row.password)
        if not await self._set_password(known.account, new, same, keep=known.session):
            raise HouseError("the password was changed in the meantime: sign in again", "forbidden")

    async def set_password(self, account: Account, new: str) -> None:
        """As the operator of the machine may, without the old one."""
        await self._set_password(account, new, sa.true())

    async def _set_password(
        self, account: Account, new: str, still: sa.ColumnElement[bool], *, keep: str = ""
    ) -> bool:
        """A new password and no session but one, if something is still so of the account."""
        hashed = await self.passwords.hashed(check_password(new, account.name))
        args = (account.id, still, hashed, keep, self.now())
        closed = await self.store.run(_change_password, *args)
        if closed is None:
            return False
        self._tell_closed(closed)
        return True

    async def _close(self, which: sa.ColumnElement[bool]) -> list[str]:
        closed = await self.store.run(_close_sessions, which, self.now())
        self._tell_closed(closed)
        return closed

    def _tell_closed(self, sessions: Iterable[str]) -> None:
        closed = list(sessions)
        for listener in self.on_closed:
            listener(closed)

    async def closed_among(self, sessions: Iterable[str]) -> list[str]:
        """Those that are closed or over: another server may have closed them."""
        return await self.store.read(_closed_among, list(sessions), self.now())

    # ------------------------------------------------------------------ sessions and tokens

    async def sessions(self, account: Account, kind: Kind = "cookie") -> list[SessionInfo]:
        """The open sessions, or tokens, of an account, the latest first."""
        return await self.store.read(_sessions, account.id, kind, self.now())

    async def new_token(self, account: Account, label: str, *, by: str = "") -> SignedIn:
        """A token for the API, which is shown this once; `by` is the session that asks for it."""
        if account.role == "guest":
            raise HouseError("tokens are for accounts with a password: register first")
        if len(await self.sessions(account, "token")) >= MOST_TOKENS:
            raise HouseError(f"an account has at most {MOST_TOKENS} tokens: revoke one first")
        opened = await self.store.run(self._open_by, account, by, label)
        if opened is None:
            raise HouseError("this session was closed in the meantime: sign in again", "forbidden")
        return opened

    # ------------------------------------------------------------------ accounts

    async def by_id(self, account: str) -> Account:
        row = await self.store.read(_by_id, account)
        if row is None:
            raise HouseError("there is no such account", "missing")
        return _account(row)

    async def by_name(self, name: str) -> Account:
        row = await self.store.read(_by_key, key_of(name))
        if row is None:
            raise HouseError(f'nobody is called "{name}"', "missing")
        return _account(row)

    async def listed(
        self, *, after: str = "", search: str = "", limit: int = 100
    ) -> list[AccountInfo]:
        """Accounts with their money, for staff: registered ones by name, then guests, newest first.

        `after` is the id of one of them, `search` a part of a name.
        """
        return await self.store.read(_listed, after, search, limit)

    async def operators(self) -> list[Account]:
        return await self.store.read(_operators)

    async def set_role(self, account: str, role: Role, *, by: str = "") -> Account:
        """Another role. All sessions stay: what they may do is looked up each time.

        Who gave it is kept; "" is whoever has the data folder.
        """
        row = await self.store.read(_by_id, account)
        if row is None:
            raise HouseError("there is no such account", "missing")
        if role == "guest" or row.role == "guest":
            raise HouseError("a guest has no other role, and nobody else becomes one")
        if row.role != role:
            await self.store.run(_change_role, account, row.role, role, by, self.now())
        return Account(row.id, row.name, role)

    async def add_staff(self, name: str, role: Role) -> Account:
        """An account without a password, for `once`; it sets a password by itself."""
        try:
            done = await self.store.run(self._add, name, role, None, "once", "")
        except ConflictError:
            raise HouseError(f'the name "{name}" is taken') from None
        return done.account

    # ------------------------------------------------------------------ money and limits

    async def purse(self, account: Account, *, limit: int = 50) -> Purse:
        return await self.store.read(_purse, account.id, limit)

    async def refill(self, account: Account) -> Purse:
        """Fill a purse up to what everybody begins with. It is play money: it costs nothing."""
        while True:
            try:
                await self.store.run(self._refill, account.id)
            except ConflictError:
                continue  # something else was moved in the same moment
            return await self.purse(account)

    async def limits(self, account: Account) -> Limits:
        """The limits in force now."""
        return await self.store.read(limits_of, account.id, self.clock())

    async def set_limits(
        self, account: Account, *, loss: int | None, minutes: int | None
    ) -> Limits:
        """One's own limits for a day: lower at once, higher or none after a day; None is none."""
        return await self.store.run(set_limits, account.id, loss, minutes, self.clock())

    async def standing(self, account: Account) -> Standing:
        """What was lost and how long was played today, beside the limits."""
        return await self.store.read(standing_of, account.id, self.clock())

    # ------------------------------------------------------------------ in one transaction

    def _add(
        self,
        connection: sa.Connection,
        name: str,
        role: Role,
        password: str | None,
        kind: Kind,
        label: str,
    ) -> SignedIn:
        account = Account(secrets.token_hex(16), name, role)
        connection.execute(
            schema.accounts.insert().values(
                id=account.id,
                name=name,
                key=key_of(name),
                look=look_of(name),
                role=role,
                password=password,
                created=self.now(),
            )
        )
        self._give(connection, account.id, records.FIRST_PURSE, "welcome")
        if account.is_staff:
            _note_role(connection, account.id, role, "", self.now())
        return self._open(connection, account, kind, label)

    def _promote(
        self,
        connection: sa.Connection,
        guest: Known,
        name: str,
        password: str,
        kind: Kind,
        label: str,
    ) -> SignedIn:
        account = Account(guest.account.id, name, "player")
        changed = connection.execute(
            schema.accounts.update()
            .where(schema.accounts.c.id == account.id, schema.accounts.c.role == "guest")
            .values(
                name=name, key=key_of(name), look=look_of(name), role="player", password=password
            )
        )
        if not changed.rowcount:
            raise HouseError("this guest has registered already: sign in")
        _close_sessions(connection, schema.sessions.c.account == account.id, self.now())
        return self._open(connection, account, kind, label)

    def _sign_in(
        self, connection: sa.Connection, account: str, verified: str, kind: Kind, label: str
    ) -> SignedIn | None:
        """A session, if the password is still the one that was verified.

        Verifying takes a while, in which it may be changed: that closes all sessions, so none of
        the old password may be opened after it.
        """
        accounts = schema.accounts
        still = sa.and_(accounts.c.id == account, accounts.c.password == verified)
        # Whoever changes the password waits here, or is waited for.
        row = connection.execute(sa.select(accounts).where(still).with_for_update()).one_or_none()
        return self._open(connection, _account(row), kind, label) if row is not None else None

    def _open_by(
        self, connection: sa.Connection, account: Account, by: str, label: str
    ) -> SignedIn | None:
        """A token, if the session that asks for it is still open, as after a changed password."""
        accounts, sessions = schema.accounts, schema.sessions
        connection.execute(
            sa.select(accounts.c.id).where(accounts.c.id == account.id).with_for_update()
        )
        mine = sa.select(sessions.c.hash).where(sessions.c.hash == by, is_open(self.now()))
        if by and connection.execute(mine).one_or_none() is None:
            return None
        return self._open(connection, account, "token", label)

    def _open(
        self, connection: sa.Connection, account: Account, kind: Kind, label: str
    ) -> SignedIn:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires = stamp(self.clock() + LASTS[kind])
        connection.execute(
            schema.sessions.insert().values(
                hash=hash_of(token),
                account=account.id,
                kind=kind,
                label="".join(filter(str.isprintable, label))[:LONGEST_LABEL],
                created=self.now(),
                expires=expires,
            )
        )
        return SignedIn(account, token, hash_of(token), expires)

    def _whose(self, connection: sa.Connection, hashed: str) -> Known | None:
        sessions, accounts = schema.sessions, schema.accounts
        row = connection.execute(
            sa.select(accounts, sessions.c.kind, sessions.c.expires)
            .join(sessions, sessions.c.account == accounts.c.id)
            .where(sessions.c.hash == hashed, sessions.c.kind != "once", is_open(self.now()))
        ).one_or_none()
        return Known(_account(row), hashed, row.kind, row.expires) if row is not None else None

    def _use_once(self, connection: sa.Connection, hashed: str) -> SignedIn | None:
        sessions = schema.sessions
        right = sa.and_(sessions.c.hash == hashed, sessions.c.kind == "once", is_open(self.now()))
        account = connection.execute(sa.select(sessions.c.account).where(right)).scalar()
        if account is None or not _close_sessions(connection, right, self.now()):
            return None
        return self._open(connection, _account(_by_id(connection, account)), "cookie", "")

    def _refill(self, connection: sa.Connection, account: str) -> None:
        own = schema.accounts.c.id == account
        # Whoever asks at the same moment waits here: on PostgreSQL transactions go side by side.
        connection.execute(sa.select(schema.accounts.c.id).where(own).with_for_update())
        missing = records.FIRST_PURSE - records.purse_of(connection, account)
        if missing <= 0:
            raise HouseError("your purse is full: there is as much in it as everybody begins with")
        self._give(connection, account, missing, "refill")

    def _give(self, connection: sa.Connection, account: str, amount: int, why: str) -> None:
        movement = records.Movement(account, amount, why)
        records.move(connection, movement, self.now(), None, None)


# ------------------------------------------------------------------ statements


def is_open(now: str | sa.BindParameter[str]) -> sa.ColumnElement[bool]:
    """Whether a session is neither closed nor over."""
    return sa.and_(schema.sessions.c.closed.is_(None), schema.sessions.c.expires > now)


def _account(row: Any) -> Account:
    return Account(row.id, row.name, row.role)


def _by_key(connection: sa.Connection, key: str) -> Any:
    found = sa.select(schema.accounts).where(schema.accounts.c.key == key)
    return connection.execute(found).one_or_none()


def _by_id(connection: sa.Connection, account: str) -> Any:
    found = sa.select(schema.accounts).where(schema.accounts.c.id == account)
    return connection.execute(found).one_or_none()


def _update(connection: sa.Connection, table: sa.Table, key: str, values: dict[str, Any]) -> None:
    (primary,) = table.primary_key
    connection.execute(table.update().where(primary == key).values(**values))


def _change_password(
    connection: sa.Connection,
    account: str,
    still: sa.ColumnElement[bool],
    hashed: str,
    keep: str,
    now: str,
) -> list[str] | None:
    """Another password, and the sessions that were closed for it; None where it stays."""
    own = schema.accounts.c.id == account
    changed = connection.execute(schema.accounts.update().where(own, still).values(password=hashed))
    if not changed.rowcount:
        return None
    rest = sa.and_(schema.sessions.c.account == account, schema.sessions.c.hash != keep)
    return _close_sessions(connection, rest, now)


def _change_role(
    connection: sa.Connection, account: str, before: Role, role: Role, by: str, at: str
) -> None:
    if before == "operator" and not _other_operators(connection, account):
        raise HouseError("the house needs an operator: make another one first")
    _update(connection, schema.accounts, account, {"role": role})
    _note_role(connection, account, role, by, at)


def _note_role(connection: sa.Connection, account: str, role: Role, by: str, at: str) -> None:
    """Keep for ever that a role was given."""
    roles = schema.roles
    last = sa.select(sa.func.max(roles.c.number)).where(roles.c.account == account)
    number = (connection.execute(last).scalar() or 0) + 1
    values = {"account": account, "number": number, "at": at, "role": role, "given_by": by}
    connection.execute(sa.insert(roles).values(**values))


def _operators(connection: sa.Connection) -> list[Account]:
    accounts = schema.accounts
    found = sa.select(accounts).where(accounts.c.role == "operator").order_by(accounts.c.created)
    return [_account(row) for row in connection.execute(found)]


def _other_operators(connection: sa.Connection, account: str) -> list[str]:
    """Operators beside one; none of them becomes something else meanwhile."""
    accounts = schema.accounts
    found = sa.select(accounts.c.id).where(accounts.c.role == "operator").order_by(accounts.c.id)
    ids = connection.execute(found.with_for_update()).scalars()
    return [other for other in ids if other != account]


def _close_sessions(
    connection: sa.Connection, which: sa.ColumnElement[bool], now: str
) -> list[str]:
    sessions = schema.sessions
    mine = sa.and_(which, sessions.c.closed.is_(None))
    open_ = sa.select(sessions.c.hash).where(mine).with_for_update()
    closed = list(connection.execute(open_).scalars())
    connection.execute(sessions.update().where(mine).values(closed=now))
    return closed


_CLOSED = sa.select(schema.sessions.c.hash).where(
    schema.sessions.c.hash.in_(sa.bindparam("hashes", expanding=True)),
    sa.not_(is_open(sa.bindparam("now", type_=sa.String))),
)
"""Asked of all lines every few seconds: made anew each time, it would be hundreds of hashes in a
cycle that only the search for garbage frees.
"""


def _closed_among(connection: sa.Connection, hashes: list[str], now: str) -> list[str]:
    closed: list[str] = []
    for at in range(0, len(hashes), 500):  # a database takes only so many at a time
        few = {"hashes": hashes[at : at + 500], "now": now}
        closed += connection.execute(_CLOSED, few).scalars()
    return closed


def _sessions(connection: sa.Connection, account: str, kind: Kind, now: str) -> list[SessionInfo]:
    sessions = schema.sessions
    found = (
        sa.select(sessions)
        .where(sessions.c.account == account, sessions.c.kind == kind, is_open(now))
        .order_by(sessions.c.created.desc())
    )
    return [
        SessionInfo(row.hash, row.kind, row.label, row.created, row.expires)
        for row in connection.execute(found)
    ]


def _listed(connection: sa.Connection, after: str, search: str, limit: int) -> list[AccountInfo]:
    accounts, purse = schema.accounts, schema.purse
    money = (
        sa.select(sa.func.coalesce(sa.func.sum(purse.c.amount), 0))
        .where(purse.c.account == accounts.c.id)
        .scalar_subquery()
    )
    if not search.isprintable():  # nobody has such a name, and no database is asked for it
        return []
    found = sa.select(accounts, money.label("money"))
    if search.strip():
        found = found.where(accounts.c.key.contains(key_of(search), autoescape=True))
    if after:
        last = _by_id(connection, after)
        if last is None:
            raise HouseError("there is no such account", "missing")
        found = found.where(_comes_after(last))
    guest = accounts.c.role == "guest"
    order = (
        sa.case((guest, 1), else_=0),
        sa.case((guest, ""), else_=accounts.c.key),
        accounts.c.created.desc(),
        accounts.c.id,
    )
    return [
        AccountInfo(row.id, row.name, row.role, row.created, int(row.money))
        for row in connection.execute(found.order_by(*order).limit(limit))
    ]


def _comes_after(last: Any) -> sa.ColumnElement[bool]:
    """Whether an account comes after another in the list."""
    accounts = schema.accounts.c
    guest = accounts.role == "guest"
    if last.role != "guest":
        return sa.or_(guest, accounts.key > last.key)
    older = sa.and_(accounts.created == last.created, accounts.id > last.id)
    return sa.and_(guest, sa.or_(accounts.created < last.created, older))


def _purse(connection: sa.Connection, account: str, limit: int) -> Purse:
    purse = schema.purse
    found = (
        sa.select(purse)
        .where(purse.c.account == account)
        .order_by(purse.c.number.desc())
        .limit(limit)
    )
    return Purse(
        records.purse_of(connection, account),
        tuple(
            Movement(row.number, row.at, row.amount, row.why, row.table_id)
            for row in connection.execute(found)
        ),
    )
