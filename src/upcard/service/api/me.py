"""Coming in and going out, and what is one's own: account, purse, limits, sessions, tokens."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from upcard.service.accounts import Purse, SessionInfo, SignedIn
from upcard.service.api.gate import set_cookie
from upcard.service.api.models import (
    Entered,
    Id,
    NewAccount,
    NewGuest,
    NewPassword,
    NewToken,
    OwnLimits,
    SignIn,
    Way,
    answer,
    faults,
    list_of,
    model_of,
)
from upcard.service.api.who import Anyone, Caller, Somebody, desk_of
from upcard.service.names import key_of
from upcard.service.own_limits import Limits, Standing
from upcard.service.specs import HouseError, Role

router = APIRouter(prefix="/api", tags=["me"])
LONGEST_LABEL = 60


class Me(msgspec.Struct, frozen=True):
    """Whoever asks: name, role, play money in the purse, and the day so far."""

    id: str
    name: str
    role: Role
    money: int
    today: Standing


# ------------------------------------------------------------------ in and out


@router.post("/guest", response_model=model_of(Entered), status_code=201, responses=faults())
async def guest(request: Request, body: NewGuest, who: Anyone) -> Response:
    """Begin as a guest, with play money and no account."""
    desk = desk_of(request)
    desk.need("guests", who.address)
    opened = await desk.house.accounts.guest(body.by, _label(request))
    return _entered(request, opened, body.by)


@router.post(
    "/register", response_model=model_of(Entered), status_code=201, responses=faults(401, 409)
)
async def register(request: Request, body: NewAccount, who: Anyone) -> Response:
    """Make an account; a guest who asks becomes it, and keeps purse and history."""
    desk = desk_of(request)
    desk.need("accounts", who.address)
    opened = await desk.house.accounts.register(
        body.name, body.password, guest=who.known, kind=body.by, label=_label(request)
    )
    return _entered(request, opened, body.by)


@router.post("/sign-in", response_model=model_of(Entered), status_code=201, responses=faults(401))
async def sign_in(request: Request, body: SignIn, who: Anyone) -> Response:
    """Open a session of an account, in a cookie or as a token."""
    desk = desk_of(request)
    desk.need("sign-in", who.address, f"name {key_of(body.name)}")
    opened = await desk.house.accounts.sign_in(
        body.name, body.password, kind=body.by, label=_label(request)
    )
    await _leave(request, who, body.by)
    return _entered(request, opened, body.by)


@router.post("/sign-out", status_code=204, responses=faults(401))
async def sign_out(request: Request, who: Somebody) -> Response:
    """Close this session: its cookie or token opens nothing more, and its lines are cut."""
    desk = desk_of(request)
    await desk.house.accounts.sign_out(who.known.session)
    response = Response(status_code=204)
    set_cookie(response.headers, request.scope, desk, None)
    return response


@router.get(
    "/enter/{code}",
    status_code=303,
    response_class=RedirectResponse,
    responses=faults()
    | {303: {"description": "Signed in; the house is at `Location`. A browser is led on anyway."}},
)
async def enter(request: Request, code: Id, who: Anyone) -> Response:
    """Sign in by a link that works once, such as the first one of an operator."""
    desk = desk_of(request)
    desk.need("sign-in", who.address or "here")
    try:
        opened = await desk.house.accounts.use_once(code)
    except HouseError as error:
        # Who opens it in a browser is told on a page what to do.
        if error.code == "forbidden" and "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/sign-in?link=used", 303)
        raise
    response = RedirectResponse("/", 303)
    set_cookie(response.headers, request.scope, desk, opened)
    return response


async def _leave(request: Request, who: Caller, by: Way) -> None:
    """Close the session that a new cookie takes the place of."""
    if who.known is not None and who.by_cookie and by == "cookie":
        await desk_of(request).house.accounts.sign_out(who.known.session)


def _entered(request: Request, opened: SignedIn, by: Way) -> Response:
    account = opened.account
    token = opened.token if by == "token" else ""
    entered = Entered(account.id, account.name, account.role, token, opened.expires)
    response = answer(entered, 201)
    if by == "cookie":
        set_cookie(response.headers, request.scope, desk_of(request), opened)
    return response


def _label(request: Request) -> str:
    """With what somebody signed in, so that the session is known again in the list."""
    agent = request.headers.get("user-agent", "")
    return "".join(sign for sign in agent if sign.isprintable())[:LONGEST_LABEL]


# ------------------------------------------------------------------ one's own


@router.get("/me", response_model=model_of(Me), responses=faults(401))
async def me(request: Request, who: Somebody) -> Response:
    """Whoever asks."""
    accounts = desk_of(request).house.accounts
    purse = await accounts.purse(who.account, limit=0)
    today = await accounts.standing(who.account)
    account = who.account
    return answer(Me(account.id, account.name, account.role, purse.money, today))


@router.get("/me/purse", response_model=model_of(Purse), responses=faults(401))
async def purse(request: Request, who: Somebody) -> Response:
    """Play money beside the tables, and its last movements."""
    return answer(await desk_of(request).house.accounts.purse(who.account))


@router.post("/me/purse/refill", response_model=model_of(Purse), responses=faults(401, 409))
async def refill(request: Request, who: Somebody) -> Response:
    """Fill the purse up to what everybody begins with."""
    desk = desk_of(request)
    desk.need("refill", who.account.id)
    return answer(await desk.house.accounts.refill(who.account))


@router.get("/me/limits", response_model=model_of(Standing), responses=faults(401))
async def limits(request: Request, who: Somebody) -> Response:
    """Own limits, and the day so far beside them."""
    return answer(await desk_of(request).house.accounts.standing(who.account))


@router.put("/me/limits", response_model=model_of(Limits), responses=faults(401, 409))
async def set_limits(request: Request, body: OwnLimits, who: Somebody) -> Response:
    """Set own limits: lower ones hold at once, higher ones and none after 24 hours."""
    accounts = desk_of(request).house.accounts
    found = await accounts.set_limits(who.account, loss=body.loss, minutes=body.minutes)
    return answer(found)


@router.post("/me/password", status_code=204, responses=faults(401, 409))
async def password(request: Request, body: NewPassword, who: Somebody) -> Response:
    """Change the password, or set the first one; all other sessions and tokens are closed."""
    desk = desk_of(request)
    desk.need("sign-in", who.account.id)
    await desk.house.accounts.change_password(who.known, body.old, body.new)
    return Response(status_code=204)


@router.get("/me/sessions", response_model=list_of(SessionInfo), responses=faults(401))
async def sessions(request: Request, who: Somebody) -> Response:
    """Where one is signed in."""
    return answer(await desk_of(request).house.accounts.sessions(who.account))


@router.delete("/me/sessions/{session}", status_code=204, responses=faults(401, 404))
async def close_session(request: Request, session: Id, who: Somebody) -> Response:
    """Close one of one's sessions, or revoke a token."""
    await desk_of(request).house.accounts.close_session(who.account, session)
    return Response(status_code=204)


@router.get("/me/tokens", response_model=list_of(SessionInfo), responses=faults(401))
async def tokens(request: Request, who: Somebody) -> Response:
    """One's tokens; what opens them is shown once only, when they are made."""
    return answer(await desk_of(request).house.accounts.sessions(who.account, "token"))


@router.post(
    "/me/tokens", response_model=model_of(Entered), status_code=201, responses=faults(401, 409)
)
async def new_token(request: Request, body: NewToken, who: Somebody) -> Response:
    """Make a token for a program."""
    desk = desk_of(request)
    desk.need("sign-in", who.account.id)
    opened = await desk.house.accounts.new_token(who.account, body.label, by=who.known.session)
    return _entered(request, opened, "token")
