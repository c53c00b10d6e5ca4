"""For those who run the house, and those who look over their shoulder."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from upcard.service.accounts import AccountInfo
from upcard.service.api.history import JSON_LINES, LAST_GAMES, Before, Limit, game_of
from upcard.service.api.models import Id, NewRole, answer, faults, list_of, model_of
from upcard.service.api.who import Operator, Staff, desk_of
from upcard.service.audit_export import write_audit
from upcard.service.house import NAME, House
from upcard.service.opening import now
from upcard.service.pricing import Account as WagerAccount
from upcard.service.reports import TableMoney, table_money
from upcard.service.specs import Account, HouseError, RoundInfo, TableInfo

router = APIRouter(prefix="/api", tags=["operator"])


class HouseMoney(msgspec.Struct, frozen=True):
    """All tables together."""

    fee_box: int
    prize_fund: int
    house: int
    balanced: bool
    tables: tuple[TableMoney, ...]


@router.get("/operator/tables", response_model=list_of(TableInfo), responses=faults(401))
async def tables(request: Request, _: Staff, closed: bool = False) -> Response:
    """All tables, also those that are not listed, and the closed ones if they are wanted."""
    return answer(await desk_of(request).house.tables(closed=closed))


@router.get("/operator/money", response_model=model_of(HouseMoney), responses=faults(401))
async def money(request: Request, _: Staff, closed: bool = False) -> Response:
    """Fee boxes, prize funds and ledgers of the tables."""
    house = desk_of(request).house
    found = [
        table_money(await house.running(info.id)) for info in await house.tables(closed=closed)
    ]
    return answer(
        HouseMoney(
            fee_box=sum(one.fee_box for one in found),
            prize_fund=sum(one.prize_fund for one in found),
            house=sum(one.house for one in found),
            balanced=all(one.total == 0 for one in found),
            tables=tuple(found),
        )
    )


class WagerResults(msgspec.Struct, frozen=True):
    """One kind of wager from the house's side: what it won, should have won, and by how much that
    may differ (one standard deviation); null while the price is not worked out.

    Every hand is taken to be played in the best way for its base wager, and ties and other wagers
    on a hand are priced by that play. Boxes of one round share the dealer's hand, which is in the
    deviation.
    """

    wager: str
    count: int
    staked: int
    action: int
    win: int
    expected: float | None
    deviation: float | None


class CurvePoint(msgspec.Struct, frozen=True):
    """What the house had won up to a round, what was expected by then, and one deviation of it."""

    round: int
    win: int
    expected: float
    deviation: float


class TableResults(msgspec.Struct, frozen=True):
    """A table's results beside what was to be expected; `total` is of what the house banks.

    `curve` is how they came about, in some hundred points at most; what has no price yet is
    expected to bring nothing. `failed` says why there is no expectation, if there is none: the game
    cannot be priced, or a bank pays no more than it has put up. `prizes` were paid besides: they
    are neither in a win nor in what is expected.
    """

    table: str
    name: str
    game: str
    house_banks: bool
    fees: int
    prizes: int
    win: int
    total: WagerResults
    wagers: tuple[WagerResults, ...]
    curve: tuple[CurvePoint, ...]
    failed: str


@router.get("/operator/results", response_model=list_of(TableResults), responses=faults(401))
async def results(request: Request, _: Staff, closed: bool = False) -> Response:
    """What every table won, beside what it should have by the mathematics of its game."""
    found = []
    for one in await desk_of(request).reports.tables(closed=closed):
        info, account = one.info, one.account
        found.append(
            TableResults(
                table=info.id,
                name=info.name,
                game=info.game,
                house_banks=account.house_banks,
                fees=account.fees,
                prizes=account.prizes,
                win=account.win,
                total=_wager_results(account.total),
                wagers=tuple(map(_wager_results, account.wagers.values())),
                curve=tuple(CurvePoint(*point) for point in one.curve),
                failed=one.failed,
            )
        )
    return answer(found)


def _wager_results(one: WagerAccount) -> WagerResults:
    return WagerResults(
        one.wager, one.count, one.staked, one.action, one.win, one.expected, one.deviation
    )


@router.post(
    "/operator/tables/{table}/pause",
    response_model=model_of(TableInfo),
    responses=faults(401, 404, 409),
)
async def pause(request: Request, table: Id, who: Operator) -> Response:
    """Let the round in play end, and no other begin."""
    return answer(await desk_of(request).house.pause(table, who.account))


@router.post(
    "/operator/tables/{table}/resume",
    response_model=model_of(TableInfo),
    responses=faults(401, 404, 409),
)
async def resume(request: Request, table: Id, who: Operator) -> Response:
    """Go on after a pause."""
    return answer(await desk_of(request).house.resume(table, who.account))


@router.post(
    "/operator/tables/{table}/close",
    response_model=model_of(TableInfo),
    responses=faults(401, 404, 409),
)
async def close(request: Request, table: Id, who: Operator) -> Response:
    """Close a table between rounds; everybody's chips go back to their purses."""
    return answer(await desk_of(request).house.close(table, who.account))


_one_at_a_time = asyncio.Semaphore(1)


@router.get(
    "/operator/audit",
    response_class=FileResponse,
    responses=faults(401) | {200: {"content": {JSON_LINES: {}}, "description": "The audit."}},
)
async def audit(request: Request, who: Staff) -> Response:
    """Everything that the house kept, as lines in one chain, which `upcard verify` checks.

    Of tables that are open there is what everybody may know: nobody sees the cards to come.
    """
    desk = desk_of(request)
    desk.need("work", who.account.id)
    async with _one_at_a_time:
        path = await asyncio.to_thread(_written, desk.house)
    name = f"upcard-audit-{now()[:10]}.jsonl"
    remove = BackgroundTask(path.unlink, missing_ok=True)
    return FileResponse(path, media_type=JSON_LINES, filename=name, background=remove)


def _written(house: House) -> Path:
    """The audit in a file of its own, so that a slow reader holds nothing up."""
    with tempfile.NamedTemporaryFile(prefix="upcard-audit-", delete=False) as file:
        try:
            write_audit(house.store, house.key, house=NAME, at=now(), to=file)
        except BaseException:
            Path(file.name).unlink()
            raise
        return Path(file.name)


# ------------------------------------------------------------------ people


@router.get("/operator/accounts", response_model=list_of(AccountInfo), responses=faults(401, 404))
async def accounts(
    request: Request,
    _: Staff,
    after: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = "",
    search: Annotated[str, Query(max_length=60)] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """Accounts with their roles and play money: registered ones by name, then guests, newest first.

    `after` is the id of the last account that is known, `search` a part of a name.
    """
    accounts = desk_of(request).house.accounts
    return answer(await accounts.listed(after=after, search=search, limit=limit))


@router.get(
    "/operator/accounts/{account}/games",
    response_model=list_of(RoundInfo),
    responses=faults(401, 404),
)
async def games(
    request: Request, account: Id, _: Staff, limit: Limit = LAST_GAMES, before: Before = ""
) -> Response:
    """The last games of a player, at any table, with the results; `before` as in `/me/games`."""
    house = desk_of(request).house
    player = await house.accounts.by_id(account)
    return answer(await house.results_of(player.id, limit=limit, before=game_of(before)))


@router.put(
    "/operator/accounts/{account}/role",
    response_model=model_of(Account),
    responses=faults(401, 404, 409),
)
async def role(request: Request, account: Id, body: NewRole, who: Operator) -> Response:
    """Give an account another role."""
    if account == who.account.id:
        raise HouseError("nobody changes the own role: another operator does")
    return answer(
        await desk_of(request).house.accounts.set_role(account, body.role, by=who.account.id)
    )
