"""`upcard house`: what its operator does beside the tables."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from upcard.cli.arguments import Json
from upcard.cli.house_place import Database, DataFolder, Place, need_web
from upcard.cli.output import console, print_json
from upcard.errors import UpcardError
from upcard.text import counted

if TYPE_CHECKING:
    from upcard.service.accounts import Accounts
    from upcard.service.backup import Whole
    from upcard.service.specs import Role
    from upcard.service.store import Store

T = TypeVar("T")

app = typer.Typer(
    no_args_is_help=True,
    help="Keep the house: backups, the audit, and the accounts of its people.",
)
accounts_app = typer.Typer(no_args_is_help=True, help="The accounts of the house.")
app.add_typer(accounts_app, name="account")

New = Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.")]
RoleName = Annotated[str, typer.Argument(metavar="ROLE", help="player, operator or auditor.")]


# ------------------------------------------------------------------ backups


@app.command()
def backup(file: New, db: Database = "", data: DataFolder = None) -> None:
    """Write the whole house to a file, also while it is served, and check the copy.

    Example: upcard house backup friday.db
    """
    need_web("upcard house")
    from upcard.service.backup import backup as write

    with _store(db, data) as store:
        found = write(store, file)
    _say(f"written: {file}, with {_words(found)}")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    db: Database = "",
    data: DataFolder = None,
) -> None:
    """Bring a backup into an empty place: a new data folder, or an empty database.

    Example: upcard house restore friday.db --data other-folder
    """
    need_web("upcard house")
    from upcard.service.backup import restore as bring

    place = Place.of(db, data)
    with place.held(), _opened(place) as store:
        found = bring(file, store)
    _say(f"restored to {place.shown}: {_words(found)}; every chain holds")


@app.command()
def audit(file: New, db: Database = "", data: DataFolder = None) -> None:
    """Write everything that the house kept as JSON Lines in one chain; `upcard verify` checks it.

    Example: upcard house audit friday.jsonl
    """
    need_web("upcard house")
    from upcard.service import records
    from upcard.service.audit_export import write_audit
    from upcard.service.house import NAME
    from upcard.service.opening import now
    from upcard.table.keys import TableKey

    with _store(db, data) as store:
        made = TableKey.new().private
        key = TableKey(store.run_now(records.house_value, "table-key", made))
        try:
            with file.open("xb") as to:
                write_audit(store, key, house=NAME, at=now(), to=to)
        except FileExistsError:
            raise UpcardError(f"{file}: is there already, and is not written over") from None
        except OSError as error:
            raise UpcardError(f"{file}: cannot be written: {error.strerror}") from error
    _say(f"written: {file}; check it with: upcard verify {file}")


def _words(found: Whole) -> str:
    parts = (
        counted(found.accounts, "account"),
        counted(found.tables, "table"),
        counted(found.entries, "entry", "entries"),
        counted(found.rounds, "round"),
    )
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


# ------------------------------------------------------------------ accounts


@accounts_app.command("list")
def list_accounts(json: Json = False, db: Database = "", data: DataFolder = None) -> None:
    """List everybody with a name of their own, and their play money; guests are counted."""
    from upcard.money import format_cents

    found = _ask(db, data, lambda accounts: accounts.listed(limit=1_000_000))
    people = [one for one in found if one.role != "guest"]
    if json:
        print_json([{"name": one.name, "role": one.role, "money": one.money} for one in people])
        return
    for one in people:
        _say(f"{one.name:26} {one.role:10} {format_cents(one.money)}")
    _say(f"and {counted(len(found) - len(people), 'guest')}")


@accounts_app.command("add")
def add_account(
    name: Name, role: RoleName = "player", db: Database = "", data: DataFolder = None
) -> None:
    """Make an account, and a link by which its owner comes in to choose a password."""
    wanted = _role(role)

    async def add(accounts: Accounts) -> str:
        from upcard.service.names import check_name

        return await accounts.once(await accounts.add_staff(check_name(name), wanted))

    _say(_link(_ask(db, data, add)))


@accounts_app.command("link")
def link(name: Name, db: Database = "", data: DataFolder = None) -> None:
    """Make a link that signs somebody in once, within a day: for who has no password yet.

    It changes no password: for one that was forgotten there is upcard house account password.
    """

    async def make(accounts: Accounts) -> str:
        return await accounts.once(await accounts.by_name(name))

    _say(_link(_ask(db, data, make)))
    _say(f"A password that there is stays: upcard house account password {name} sets a new one")


@accounts_app.command("role")
def set_role(name: Name, role: RoleName, db: Database = "", data: DataFolder = None) -> None:
    """Give somebody another role."""
    wanted = _role(role)

    async def give(accounts: Accounts) -> None:
        await accounts.set_role((await accounts.by_name(name)).id, wanted)

    _ask(db, data, give)
    _say(f"{name} is {role} now")


@accounts_app.command("password")
def set_password(name: Name, db: Database = "", data: DataFolder = None) -> None:
    """Set a password, such as for one that was forgotten, and sign its owner out everywhere."""
    need_web("upcard house")  # before somebody types for nothing
    new = typer.prompt("New password", hide_input=True, confirmation_prompt=True)

    async def change(accounts: Accounts) -> None:
        await accounts.set_password(await accounts.by_name(name), new)

    _ask(db, data, change)
    _say(f"{name} has a new password, and is signed out everywhere")


def _role(role: str) -> Role:
    match role:
        case "player" | "operator" | "auditor":
            return role
    raise UpcardError(f'there is no role "{role}": it is player, operator or auditor')


def _link(code: str) -> str:
    return f"Once, within a day, at the address of the house: /api/enter/{code}"


# ------------------------------------------------------------------ the store


@contextlib.contextmanager
def _opened(place: Place) -> Iterator[Store]:
    store = place.store()
    try:
        yield store
    finally:
        store.close()


@contextlib.contextmanager
def _store(db: str, data: Path | None) -> Iterator[Store]:
    """The store of a house that is there."""
    place = Place.of(db, data)
    if place.file is not None and not place.file.exists():
        raise UpcardError(f"{place.file}: there is no house here: upcard serve opens one")
    place.make_private()
    with _opened(place) as store:
        store.migrate()
        yield store


def _ask(db: str, data: Path | None, work: Callable[[Accounts], Awaitable[T]]) -> T:
    need_web("upcard house")
    from upcard.service.accounts import Accounts

    with _store(db, data) as store:

        async def run() -> T:
            return await work(Accounts(store))

        return asyncio.run(run())


def _say(words: str) -> None:
    console().print(words, markup=False, highlight=False, soft_wrap=True)
