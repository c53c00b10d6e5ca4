"""Where a house keeps its things: a data folder with SQLite in it, or a database elsewhere."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from upcard.cli.play.home import data_folder
from upcard.errors import UpcardError
from upcard.table.files import Lock, cannot_write

if TYPE_CHECKING:
    from upcard.service.store import Store

FILE = "house.db"
DRIVER = "psycopg"
NEEDED = ("sqlalchemy", "alembic", "argon2", "fastapi", "nicegui", "uvicorn")

Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="A database instead of the data folder, such as postgresql+psycopg://user@host/name.",
    ),
]
DataFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The data folder.",
        show_default="house, in the folder where upcard play keeps its tables",
    ),
]


def need_web(what: str) -> None:
    """Say how to get what is missing."""
    if any(find_spec(name) is None for name in NEEDED):
        raise UpcardError(f"{what} needs the web extra: pip install 'upcard[web]'")


class Place(NamedTuple):
    """A database by its address; `file` is its file where it is SQLite."""

    url: str
    file: Path | None

    @classmethod
    def of(cls, db: str, data: Path | None) -> Place:
        if db and data is not None:
            raise UpcardError("--db and --data are two places: name one of them")
        if db:
            from sqlalchemy.engine import make_url
            from sqlalchemy.exc import ArgumentError

            with contextlib.suppress(ArgumentError):  # the store says what is wrong with it
                url = make_url(db)
                if url.get_backend_name() == "sqlite":
                    if not url.database or url.database == ":memory:":
                        raise UpcardError("a house needs a file: sqlite:///house.db")
                    return cls(db, Path(url.database))
                if url.get_backend_name() == "postgresql" and find_spec(DRIVER) is None:
                    raise UpcardError(
                        "PostgreSQL needs the postgres extra: pip install 'upcard[postgres]'"
                    )
            return cls(db, None)
        folder = data if data is not None else data_folder() / "house"
        return cls(f"sqlite:///{folder / FILE}", folder / FILE)

    @property
    def shown(self) -> str:
        return str(self.file) if self.file is not None else "the database"

    def store(self) -> Store:
        from upcard.service.store import Store

        self._make_folder()
        return Store(self.url)

    def _make_folder(self) -> None:
        """For its owner's eyes only: what is kept there decides the cards."""
        if self.file is not None:
            try:
                self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(self.file.parent, error) from error

    def make_private(self) -> None:
        """Let nobody but its owner read the database, whatever may be read of its folder.

        SQLite gives the journals beside it the same mode.
        """
        if self.file is None:
            return
        from upcard.service.backup import journals

        self._make_folder()
        try:
            os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise cannot_write(self.file, error) from error
        for file in (self.file, *journals(self.file)):
            with contextlib.suppress(OSError):  # it is not there, or somebody else's to decide
                file.chmod(0o600)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Be the only server of a SQLite file; PostgreSQL serves any number."""
        if self.file is None:
            yield
            return
        self._make_folder()
        with Lock(self.file) as lock:
            lock.take(
                f"{self.file}: this house is open already, by",
                ": close it there, or name another with --data; several servers share a PostgreSQL",
            )
            yield
