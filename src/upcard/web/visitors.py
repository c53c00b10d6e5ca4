"""Who asks for a page: the account behind the cookie, with its purse and its day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.service.specs import Account, HouseError
from upcard.web.shell import Visitor

if TYPE_CHECKING:
    from fastapi import Request

    from upcard.service.accounts import Known
    from upcard.service.house import House


def known_of(request: Request) -> Known | None:
    """Whom the gate found behind the cookie; it lets nobody in without a session."""
    caller: Any = request.scope.get("state", {}).get("caller")
    found: Known | None = caller.known if caller is not None else None
    return found


def owner_of(request: Request) -> str:
    """Whose pages are counted together, as the API counts requests."""
    caller: Any = request.scope.get("state", {}).get("caller")
    return str(caller.owner) if caller is not None else "here"


async def visitor_of(house: House, request: Request) -> Visitor:
    """Who looks at a page, with the purse and the time at play today."""
    known = known_of(request)
    if known is None:
        return Visitor()
    account = known.account
    purse = await house.accounts.purse(account, limit=0)
    played = await played_today(house, request)
    playing = bool(seats_of(house, account))
    return Visitor(account, purse.money, played, playing)


async def played_today(house: House, request: Request) -> float:
    """The time at play today of whoever asks for a page, in seconds."""
    known = known_of(request)
    if known is None:
        return 0
    standing = await house.accounts.standing(known.account)
    return standing.minutes * 60


def seats_of(house: House, account: Account | None) -> set[str]:
    """The tables at which somebody sits."""
    if account is None:
        return set()
    found = set()
    for table in house.loaded:
        player = table.state.player(table.name_of(account.id))
        if player is not None and player.seat and table.status != "closed":
            found.add(table.id)
    return found


async def account_now(house: House, request: Request) -> Account:
    """The account as it is now, for what a page does long after it was asked for."""
    known = known_of(request)
    if known is None:
        raise HouseError("sign in first", "forbidden")
    if await house.accounts.closed_among([known.session]):
        raise HouseError("you have signed out: sign in again", "forbidden")
    return await house.accounts.by_id(known.account.id)
