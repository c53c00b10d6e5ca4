"""Plain data that the parts of the house hand each other."""

from __future__ import annotations

from typing import Literal

import msgspec

from upcard.errors import UpcardError

Role = Literal["guest", "player", "operator", "auditor"]
TableStatus = Literal["open", "paused", "closed"]
Speed = Literal["slow", "normal", "fast"]
Code = Literal["missing", "forbidden", "refused", "limit", "unavailable"]


class HouseError(UpcardError):
    """Something that the house does not do, in one sentence; `code` says of which kind it is."""

    def __init__(self, words: str, code: Code = "refused", clauses: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.code = code
        self.clauses = clauses


class Account(msgspec.Struct, frozen=True):
    """Somebody who is known to the house. The name is what others see."""

    id: str
    name: str
    role: Role = "guest"

    @property
    def is_staff(self) -> bool:
        return self.role in ("operator", "auditor")


class TableSpec(msgspec.Struct, frozen=True):
    """What is chosen when a table is opened. `seconds` 0: nobody is hurried alone."""

    game: str
    name: str = ""
    settings: dict[str, str] = {}
    bots: int = 0
    seconds: int = 20
    wager_seconds: int = 20
    speed: Speed = "normal"
    listed: bool = True


class SeatInfo(msgspec.Struct, frozen=True):
    seat: int
    player: str
    bot: bool


class TableInfo(msgspec.Struct, frozen=True):
    """A table as the lobby shows it. `minimum` and `maximum` are of the base wager, in cents."""

    id: str
    name: str
    game: str
    game_name: str
    fingerprint: str
    settings: dict[str, str]
    status: TableStatus
    demo: bool
    owner: str
    opened: str
    positions: int
    seats: tuple[SeatInfo, ...]
    minimum: int
    maximum: int
    seconds: int
    wager_seconds: int
    speed: Speed
    bots: int
    rounds: int
    listed: bool

    @property
    def free_seats(self) -> int:
        return self.positions - len(self.seats)


class EntryRow(msgspec.Struct, frozen=True):
    """An entry as it is stored: its lines of notation 2, and who sent the command by which id."""

    table: str
    seq: int
    at: str
    round: int
    account: str
    command_id: str
    head: str
    data: bytes


class RoundInfo(msgspec.Struct, frozen=True):
    """A finished round of a table, with its entries and everybody's result in cents."""

    table: str
    round: int
    first_seq: int
    last_seq: int
    began: str
    ended: str
    results: tuple[ResultInfo, ...] = ()


class ResultInfo(msgspec.Struct, frozen=True):
    """One wager of one player in one round.

    `stake` is what was wagered before the deal, `action` with all that was added, `net` what it won
    or lost. The wager `fees` is what was paid in fees, `bank` what a player-dealer won or lost,
    `prize` a prize in chips.
    """

    table: str
    round: int
    position: int
    player: str
    wager: str
    stake: int
    action: int
    net: int
    account: str = ""
    ended: str = ""
