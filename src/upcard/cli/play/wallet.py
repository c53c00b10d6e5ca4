"""The players' cards of this machine and the key that signs them, shared by all tables here."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from upcard.cli.play.home import data_folder
from upcard.errors import UpcardError
from upcard.table import events as ev
from upcard.table.files import Lock, write_safely

if TYPE_CHECKING:
    from upcard.table.session import Session


class Wallet(msgspec.Struct, omit_defaults=True):
    """The casino's key, the players' cards that can be given up, and the serials of used ones."""

    key: str
    cards: dict[str, list[str]] = {}
    used: list[str] = []

    def settle(self, session: Session, me: str) -> None:
        """What a session says about cards: given up ones are used, new ones are kept.

        It may be said again: whatever stopped in the middle is made good the next time.
        """
        casino = session.engine.casino
        assert casino is not None
        for event in session.events:
            if isinstance(event, ev.CardSurrendered) and event.serial not in self.used:
                self.used.append(event.serial)
            elif isinstance(event, ev.CardPunched) and event.player == me and event.lights:
                token = session.engine.players_card(event)
                mine = self.cards.setdefault(session.engine.tables.id, [])
                if token not in mine:
                    mine.append(token)
        for mine in self.cards.values():
            mine[:] = [token for token in mine if casino.read(token).serial not in self.used]


def wallet_file() -> Path:
    return data_folder() / "players-cards.json"


def open_wallet() -> Wallet:
    """The wallet, made with a new key the first time."""
    with changed_wallet() as wallet:
        return wallet


@contextmanager
def changed_wallet() -> Iterator[Wallet]:
    """The wallet as it is now, for nobody else until it is written again."""
    path = wallet_file()
    with Lock(path) as lock:
        lock.take(f"{path}: the players' cards are in use by", wait=True)
        wallet = _read(path)
        before = msgspec.json.encode(wallet) if wallet else b""
        wallet = wallet or Wallet(secrets.token_hex(32))
        yield wallet
        after = msgspec.json.encode(wallet)
        if after != before:
            write_safely(path, msgspec.json.format(after, indent=2))


def _read(path: Path) -> Wallet | None:
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Wallet)
    except (OSError, msgspec.MsgspecError) as error:
        raise UpcardError(
            f"{path}: the players' cards cannot be read: {error}; it is left as it is"
        ) from error
