"""Who asks, and who may: every way in names its policy, and the policy does the asking.

A caller shows a token, in the header `Authorization: Bearer ...` or in the cookie. What changes
something on the word of a cookie must come from a page of the house itself, as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from upcard.service.accounts import Known
from upcard.service.api.origin import SAFE, is_from_here
from upcard.service.api.settings import COOKIE
from upcard.service.rates import address_key, is_own
from upcard.service.specs import Account, HouseError, Role

if TYPE_CHECKING:
    from upcard.service.api.desk import Desk

LONGEST_TOKEN = 200
JSON = "application/json"


class NotSignedInError(HouseError):
    """Nobody has shown who asks, or the token is not good any more."""

    def __init__(self, words: str) -> None:
        super().__init__(words, "forbidden")


class Caller(NamedTuple):
    """Who asks. `address` is "" for this machine, which nobody else can be."""

    known: Known | None
    address: str
    by_cookie: bool = False

    @property
    def account(self) -> Account | None:
        return self.known.account if self.known is not None else None

    @property
    def owner(self) -> str:
        """Whose lines and requests are counted together."""
        return self.known.account.id if self.known is not None else self.address or "here"


class Member(NamedTuple):
    """Somebody with an account, a guest's or a real one."""

    known: Known
    address: str

    @property
    def account(self) -> Account:
        return self.known.account


def desk_of(connection: HTTPConnection) -> Desk:
    return cast("Desk", connection.app.state.desk)


def _address(connection: HTTPConnection, *, behind_proxy: bool) -> str:
    """Where somebody asks from. Of what a proxy tells its own word is the last: whoever asks may
    have written the others.
    """
    client = connection.client
    address = client.host if client is not None else ""
    if behind_proxy:
        told = connection.headers.getlist("x-forwarded-for")
        return address_key(told[-1].rpartition(",")[2].strip() if told else address)
    return "" if is_own(address) else address_key(address)


async def caller_of(connection: HTTPConnection, desk: Desk) -> Caller:
    """Who is at the other end. A token that is shown must be good; an old cookie is nobody."""
    address = _address(connection, behind_proxy=desk.settings.behind_proxy)
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":  # others are a proxy's own business
        known = None
        if 0 < len(token) <= LONGEST_TOKEN:
            known = await desk.house.accounts.whose(token)
        if known is None:
            desk.need("requests", address)  # nobody else is there to be counted for it
            raise NotSignedInError("this token opens nothing, or does no longer")
        return Caller(known, address)
    token = connection.cookies.get(COOKIE, "")
    if not 0 < len(token) <= LONGEST_TOKEN:
        return Caller(None, address)
    return Caller(await desk.house.accounts.whose(token), address, by_cookie=True)


def need_own_page(request: Request) -> None:
    """Refuse what another site may have sent with the visitor's cookie."""
    if request.method in SAFE:
        return
    if not is_from_here(request.headers, request.url.scheme, desk_of(request).settings.origins):
        raise HouseError("this must be asked for from a page of this house", "forbidden")
    sent = request.headers.get("content-length", "0") != "0"
    if sent and request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        raise HouseError(f"this must be sent as {JSON}")


async def _caller(request: Request) -> Caller:
    desk = desk_of(request)
    caller = await caller_of(request, desk)
    desk.need("requests", caller.owner if caller.known or caller.address else "")
    if caller.by_cookie:
        need_own_page(request)
    return caller


_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="Set by signing in.")
_bearer = HTTPBearer(auto_error=False, description="A token of `POST /api/me/tokens`.")


class Anybody:
    """A policy: whoever asks."""

    name = "anybody"

    async def __call__(self, request: Request) -> Caller:
        return await _caller(request)


class Policy:
    """Only those with one of some roles."""

    def __init__(self, name: str, *roles: Role) -> None:
        self.name = name
        self.roles = roles

    async def __call__(
        self,
        request: Request,
        _by_cookie: Annotated[object, Security(_cookie)],
        _by_token: Annotated[object, Security(_bearer)],
    ) -> Member:
        caller = await _caller(request)
        if caller.known is None:
            raise NotSignedInError("this needs an account: sign in, or begin as a guest")
        if caller.known.account.role not in self.roles:
            raise HouseError(f"this is for {self.name}", "forbidden")
        return Member(caller.known, caller.address)


ANYBODY = Anybody()
MEMBER = Policy("members", "guest", "player", "operator", "auditor")
STAFF = Policy("operators and auditors", "operator", "auditor")
OPERATOR = Policy("operators", "operator")
POLICIES = (Anybody, Policy)

Anyone = Annotated[Caller, Depends(ANYBODY)]
Somebody = Annotated[Member, Depends(MEMBER)]
Staff = Annotated[Member, Depends(STAFF)]
Operator = Annotated[Member, Depends(OPERATOR)]
