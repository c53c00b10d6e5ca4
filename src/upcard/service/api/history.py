"""What happened at tables: rounds, records, and whether they hold."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response

from upcard.coach import together
from upcard.coach.review import Summary
from upcard.service.api.models import Id, answer, faults, list_of, model_of
from upcard.service.api.who import Anyone, Somebody, desk_of
from upcard.service.history import Replay
from upcard.service.messages import Told
from upcard.service.rates import REPLAY
from upcard.service.reviewing import SECONDS, Found
from upcard.service.specs import EntryRow, HouseError, RoundInfo

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.service.house import House
    from upcard.service.running import RunningTable
    from upcard.table.verify import Check

router = APIRouter(prefix="/api", tags=["history"])

LAST_GAMES = 10
MOST_ROUNDS = 200

Limit = Annotated[int, Query(ge=1, le=MOST_ROUNDS)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Before = Annotated[str, Query(pattern=r"^([A-Za-z0-9_-]{1,64}\.[1-9][0-9]{0,8})?$")]
"""A game that is known: its table and the number of its round, such as te94c40680b.17."""


def game_of(text: str) -> tuple[str, int] | None:
    """
    >>> game_of("te94c40680b.17"), game_of("")
    (('te94c40680b', 17), None)
    """
    table, _, number = text.rpartition(".")
    return (table, int(number)) if number else None


class CheckInfo(msgspec.Struct, frozen=True):
    """One thing that was checked. What is not `proven` is not wrong, but nothing shows it right."""

    name: str
    holds: bool
    found: str
    proven: bool


class Verdict(msgspec.Struct, frozen=True):
    """What checking a record found."""

    table: str
    holds: bool
    checks: tuple[CheckInfo, ...]


@router.get("/tables/{table}/rounds", response_model=list_of(RoundInfo), responses=faults(404))
async def rounds(
    request: Request,
    table: Id,
    _: Anyone,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    limit: Limit = 50,
) -> Response:
    """Finished rounds of a table with everybody's results, the last first."""
    house = desk_of(request).house
    return answer(nameless(await house.rounds(table, before=before, limit=limit)))


@router.get("/tables/{table}/rounds/{number}", response_model=list_of(Told), responses=faults(404))
async def told(request: Request, table: Id, number: Number, _: Anyone) -> Response:
    """Everything that happened in a round, in words and as data, as everybody saw it."""
    return answer(await desk_of(request).house.round_told(table, number))


@router.get(
    "/tables/{table}/rounds/{number}/replay", response_model=model_of(Replay), responses=faults(404)
)
async def replay(request: Request, table: Id, number: Number, who: Anyone) -> Response:
    """A round with all that is needed to draw it again: its wagers, the bank, lights from before.

    The page of a round draws just this.
    """
    desk = desk_of(request)
    desk.rates.need("work", who.owner, cost=REPLAY)
    return answer(await desk.house.replay(table, number))


@router.get("/me/games", response_model=list_of(RoundInfo), tags=["me"], responses=faults(401, 404))
async def my_games(
    request: Request, who: Somebody, limit: Limit = LAST_GAMES, before: Before = ""
) -> Response:
    """The last games of whoever asks, at any table, with the own results.

    `before` is the last game that is known, by table and round as in `te94c40680b.17`: those that
    came before it follow.
    """
    house = desk_of(request).house
    found = await house.results_of(who.account.id, limit=limit, before=game_of(before))
    return answer(nameless(found))


def nameless(found: Iterable[RoundInfo]) -> list[RoundInfo]:
    """Rounds without the ids of accounts: the names at the table are enough."""
    return [
        msgspec.structs.replace(
            info, results=tuple(msgspec.structs.replace(one, account="") for one in info.results)
        )
        for info in found
    ]


class MyReview(Summary, frozen=True, kw_only=True):
    """What one's decisions cost. Where not all are judged yet, ask again: it goes on from there."""

    whole: bool


@router.get("/me/review", response_model=model_of(MyReview), tags=["me"], responses=faults(401))
async def review(
    request: Request,
    who: Somebody,
    table: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = "",
) -> Response:
    """All of one's decisions at a table, or at the last ones, judged: what mistakes cost."""
    desk = desk_of(request)
    found = await reviewed(desk.house, who.account.id, table)
    summary = together(one.review for one in found.values()).summary()
    whole = all(one.whole for one in found.values())
    return answer(MyReview(**msgspec.structs.asdict(summary), whole=whole))


async def reviewed(house: House, account: str, table: str = "") -> dict[str, Found]:
    """What somebody decided, judged, by table; without one, at the last tables."""
    tables = [table] if table else await house.coaching.reviewing.tables_of(account)
    until = time.monotonic() + SECONDS
    found: dict[str, Found] = {}
    for name in tables:
        seconds = until - time.monotonic()
        try:
            known: RunningTable | str = await house.running(name)
        except HouseError:
            known = name
        found[name] = await house.coaching.review(known, account, seconds=seconds)
    return found


JSON_LINES = "application/x-ndjson"


@router.get(
    "/tables/{table}/record",
    response_class=Response,
    responses=faults(404) | {200: {"content": {JSON_LINES: {}}, "description": "The record."}},
)
async def record(request: Request, table: Id, who: Anyone) -> Response:
    """The record of a table as a file, which `upcard verify` and anybody can check.

    While the table is open, what comes from a shoe that is in use is not in it yet.
    """
    desk = desk_of(request)
    desk.need("work", who.owner)
    house = desk.house
    info = await house.info(table)
    title, rows = await house.record_rows(table)
    data = await asyncio.to_thread(_public, title, rows)
    name = f"{info.game}-{info.id}.jsonl"
    return Response(
        data,
        media_type=JSON_LINES,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _public(title: bytes, rows: list[EntryRow]) -> bytes:
    from upcard.service.public_record import public_record

    return public_record(title + b"\n", (row.data for row in rows)).data


@router.get("/tables/{table}/verify", response_model=model_of(Verdict), responses=faults(404))
async def verify(request: Request, table: Id, who: Anyone) -> Response:
    """Check a record here and now: chain, fingerprint, shuffle, legality, money, conduct."""
    desk = desk_of(request)
    desk.need("work", who.owner)
    info = await desk.house.info(table)
    async with desk.checking:
        found = await checked(desk.house, table)
    # Where something does not hold, the words may quote cards that nobody has seen yet.
    may_quote = info.status == "closed"
    checks = tuple(
        CheckInfo(
            one.name,
            one.holds,
            one.found if one.holds or may_quote else "does not hold",
            one.proven,
        )
        for one in found
    )
    return answer(Verdict(table, all(one.holds for one in checks), checks))


async def checked(house: House, table: str) -> tuple[Check, ...]:
    """All checks of a table's record, in another thread."""
    running = await house.running(table)
    title, rows = await house.record_rows(table)
    data = b"".join([title, b"\n", *(row.data for row in rows)])
    return await asyncio.to_thread(_checks, running.tables, data, house.key.public)


def _checks(tables: GameTables, data: bytes, own_key: str) -> tuple[Check, ...]:
    from upcard.table.notation import parse_record
    from upcard.table.proof import verify_record

    return verify_record(tables, parse_record(data, "record"), own_key=own_key)
