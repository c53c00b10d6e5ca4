"""Opening a table: what may be chosen, and its first entries."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.players.company import company_sits, player_banks, seats_for, usual_seat
from upcard.rules.side_files import is_path
from upcard.rules.sides import SIDES, parse_sides
from upcard.service.house_games import need_game
from upcard.service.records import TableRow
from upcard.service.running import RunningTable
from upcard.service.specs import Account, EntryRow, HouseError, TableSpec
from upcard.table import commands as cm
from upcard.table.chain import Links
from upcard.table.engine import Engine
from upcard.table.judge import Refusal
from upcard.table.keys import TableKey
from upcard.table.session import Log, stamp
from upcard.table.shoe import new_secret
from upcard.text import unseen

LONGEST_NAME = 40
SHORTEST_CLOCK, LONGEST_CLOCK = 5, 300


def now() -> str:
    """The time as records write it."""
    return stamp(datetime.now(UTC))


def need_packaged_sides(settings: Mapping[str, str]) -> None:
    """Refuse side wagers from files: whoever asks a house must not choose what it reads."""
    if any(is_path(side.reference) for side in parse_sides(settings.get(SIDES, ""))):
        raise HouseError("a house offers side wagers by their id, not by a file of yours")


def tables_of(game: str, settings: dict[str, str]) -> GameTables:
    """A game of the house with settings, or the sentence on what is wrong with them."""
    need_packaged_sides(settings)
    try:
        found = need_game(game)
        return tables_for(game, settings) if settings else found
    except UpcardError as error:
        raise HouseError(str(error)) from error


def opened(
    spec: TableSpec,
    engine: Engine,
    key: TableKey,
    by: Account | None,
    *,
    demo: bool,
    scripted: bool = False,
) -> tuple[RunningTable, list[EntryRow]]:
    """A new table, and the entries that make it: it opens, and the bots sit down.

    Only the house's own programs open a `scripted` table, where shoes may be stacked.
    """
    tables = engine.tables
    spec = msgspec.structs.replace(spec, name=_name(spec.name, tables.name))
    _need_sound(spec, tables)
    bots = seats_for(tables, "", usual_seat(tables), spec.bots) if spec.bots else {}
    log = Log(tables.id, tables.fingerprint, dict(tables.settings))
    row = TableRow(
        id=f"t{secrets.token_hex(5)}",
        name=spec.name,
        game=tables.id,
        fingerprint=tables.fingerprint,
        spec=msgspec.json.encode(spec).decode(),
        title=Links(key).whole(log).rstrip(b"\n"),
        status="open",
        demo=demo,
        owner=by.name if by else "",
        opened=now(),
        bots=msgspec.json.encode(list(bots.values())).decode(),
    )
    table = RunningTable(row, engine, key)
    rows: list[EntryRow] = []
    opening = cm.OpenTable(table=row.id, secret=new_secret(), scripted=scripted)
    for command in (opening, *company_sits(tables, bots)):
        done = table.prepared(command, "", f"house-{table.seq + 1}")
        if isinstance(done, Refusal):
            raise HouseError(done.reason, "refused", done.clauses)
        rows.append(done.row)
        table.accept(done)
    return table, rows


def _name(name: str, game: str) -> str:
    text = " ".join(name.split())
    if not text:
        return f"{game} {secrets.token_hex(2)}"
    if len(text) > LONGEST_NAME or not text.isprintable() or unseen(text):
        raise HouseError(f"the name of a table has at most {LONGEST_NAME} visible characters")
    return text


def _need_sound(spec: TableSpec, tables: GameTables) -> None:
    seats = tables.round_plan.positions
    most = seats // max(1, tables.round_plan.boxes) - 1
    if not 0 <= spec.bots <= most:
        raise HouseError(f"there is room for 0 to {most} bots at this table, not {spec.bots}")
    if player_banks(tables) and seats < 2:
        raise HouseError("players bank this game, so it needs two seats at least")
    for what, seconds in (("seconds", spec.seconds), ("wager_seconds", spec.wager_seconds)):
        if seconds and not SHORTEST_CLOCK <= seconds <= LONGEST_CLOCK:
            raise HouseError(
                f"{what}: a clock has {SHORTEST_CLOCK} to {LONGEST_CLOCK} seconds, or 0 for none, "
                f"not {seconds}"
            )
