"""Games, tables, and a seat at one of them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from upcard import __version__
from upcard.compile.tables import tables_for
from upcard.rules.settings import parse_settings
from upcard.service import catalog
from upcard.service.api.models import (
    Id,
    NewTable,
    Play,
    SitDown,
    answer,
    faults,
    list_of,
    model_of,
)
from upcard.service.api.who import Anyone, Somebody, desk_of
from upcard.service.house_games import game_ids
from upcard.service.messages import PROTOCOL, Refused
from upcard.service.opening import need_packaged_sides
from upcard.service.specs import HouseError, TableInfo, TableSpec
from upcard.sheet.rules import sheet_data

router = APIRouter(prefix="/api", tags=["lobby"])

GamePath = Annotated[str, Path(pattern=r"^[a-z0-9.-]{1,40}$")]
Chosen = Annotated[tuple[Annotated[str, Field(max_length=120)], ...], Query(max_length=60)]


class Health(msgspec.Struct, frozen=True):
    """That the house is open: its version, that of the protocol, and how many tables there are."""

    status: str
    version: str
    protocol: int
    tables: int
    lines: int
    play_money_only: bool = True


@router.get("/health", response_model=model_of(Health), responses=faults())
async def health(request: Request, _: Anyone) -> Response:
    """Whether the house is open and its store answers."""
    desk = desk_of(request)
    tables = await desk.house.tables()
    return answer(Health("ok", __version__, PROTOCOL, len(tables), len(desk.lines)))


@router.get("/games", response_model=list_of(catalog.GameInfo), responses=faults())
async def games(_: Anyone) -> Response:
    """All games, with everything that can be set when a table is opened."""
    return answer(await asyncio.to_thread(catalog.games))


@router.get("/games/{game}/rules", response_model=dict[str, Any], responses=faults(404, 409))
async def game_rules(request: Request, game: GamePath, who: Anyone, set: Chosen = ()) -> Response:  # noqa: A002
    """The rule sheet of a game as it would be with some settings, such as `set=decks=8`."""
    desk = desk_of(request)
    desk.need("work", who.owner)
    if game not in game_ids():
        raise HouseError("there is no such game", "missing")
    return answer(await asyncio.to_thread(_sheet, game, parse_settings(set)))


def _sheet(game: str, settings: dict[str, str]) -> dict[str, Any]:
    need_packaged_sides(settings)
    return sheet_data(tables_for(game, settings))


@router.get("/tables", response_model=list_of(TableInfo), responses=faults())
async def tables(request: Request, _: Anyone) -> Response:
    """The open tables that are listed."""
    found = await desk_of(request).house.tables()
    return answer([info for info in found if info.listed])


@router.post(
    "/tables", response_model=model_of(TableInfo), status_code=201, responses=faults(401, 409)
)
async def open_table(request: Request, body: NewTable, who: Somebody) -> Response:
    """Open a table. What the rules do not allow is refused with the sentence behind it."""
    desk = desk_of(request)
    desk.need("tables", who.account.id, who.address)
    spec = TableSpec(**body.model_dump())
    return answer(await desk.house.open_table(spec, who.account), 201)


@router.post("/play", response_model=model_of(TableInfo), responses=faults(401, 409))
async def play(request: Request, body: Play, who: Somebody) -> Response:
    """Sit down at a table of a game, with play money and bots: the shortest way to a card."""
    desk = desk_of(request)
    desk.need("commands", who.account.id)

    def may_open() -> None:
        desk.need("tables", who.account.id, who.address)

    return answer(await desk.house.play(body.game, who.account, may_open))


@router.get("/tables/{table}", response_model=model_of(TableInfo), responses=faults(404))
async def table_info(request: Request, table: Id, _: Anyone) -> Response:
    """One table, whether it is listed or not."""
    return answer(await desk_of(request).house.info(table))


@router.post(
    "/tables/{table}/sit", response_model=model_of(TableInfo), responses=faults(401, 404, 409)
)
async def sit(request: Request, table: Id, body: SitDown, who: Somebody) -> Response:
    """Buy in and sit down."""
    desk = desk_of(request)
    desk.need("commands", who.account.id)
    done = await desk.house.sit(table, who.account, seat=body.seat, chips=body.chips)
    if isinstance(done, Refused):
        raise HouseError(done.reason, "refused", done.clauses)
    return answer(await desk.house.info(table))


@router.get("/tables/{table}/rules", response_model=dict[str, Any], responses=faults(404))
async def rules(request: Request, table: Id, _: Anyone) -> Response:
    """The rule sheet of a table as data: sentences with their clauses, options, readings, fees."""
    running = await desk_of(request).house.running(table)
    return answer(await asyncio.to_thread(sheet_data, running.tables))
