"""What every request passes before anything else, and every answer on its way out.

Hosts, origins and sizes are checked; a visitor of a page gets a session; answers get their headers;
and whatever goes wrong inside becomes one sentence, with nothing of the inside in it.
"""

from __future__ import annotations

import logging
import math
import traceback
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.service.accounts import LASTS, Known, SignedIn
from upcard.service.api.models import STATUS
from upcard.service.api.origin import SAFE, is_from_elsewhere, is_host
from upcard.service.api.settings import COOKIE
from upcard.service.api.who import Caller, NotSignedInError, caller_of
from upcard.service.rates import TooOftenError
from upcard.service.specs import HouseError
from upcard.text import sentence_case

if TYPE_CHECKING:
    from upcard.service.api.desk import Desk

log = logging.getLogger("upcard.house")

API = "/api/"
NOT_PAGES = (API, "/_nicegui", "/static/")
LONGEST_BODY = 65_536
PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        # The pages' framework compiles its templates in the browser and writes scripts inline.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
API_POLICY = "default-src 'none'; frame-ancestors 'none'"
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class _Body:
    """What is received, as long as it is not too much."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._count = 0
        self.too_long = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._count > LONGEST_BODY:
            self.too_long = True
            return {"type": "http.request", "body": b"", "more_body": False}
        return message


class Gate:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self.app = app
        self.desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # ------------------------------------------------------------------ requests

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        started = False
        cookie: str | None = None
        body = _Body(receive)

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._dress(scope, MutableHeaders(scope=message), cookie)
            await send(message)

        async def answering(message: Message) -> None:
            """Whatever the answer to half a body is, the right one is that it is too long."""
            if not body.too_long:
                await sending(message)
            elif not started:
                await _say(sending, 413, f"this is too long: {LONGEST_BODY} bytes at most")

        try:
            if refused := self._refused(scope, headers):
                await _say(sending, *refused)
                return
            if self._is_page(scope):
                cookie = await self._welcome(scope, headers)
            is_api = scope["path"].startswith(API)
            await self.app(scope, body.receive if is_api else receive, answering)
        except HouseError as error:
            if not started:
                await _say_error(sending, error, page=_wants_page(headers))
        except Exception as error:
            note(error, scope)
            if not started:
                await _say(sending, 500, "something went wrong in the house; it was noted")

    def _refused(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        settings = self.desk.settings
        if not is_host(headers.get("host", ""), settings.hosts):
            return 421, "this house does not answer to that name"
        if scope["method"] in SAFE or _bears_token(headers):
            return None
        if is_from_elsewhere(headers, scope["scheme"], settings.origins):
            return 403, "this must be asked for from a page of this house"
        return None

    def _dress(self, scope: Scope, headers: MutableHeaders, cookie: str | None) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        is_api = scope["path"].startswith(API)
        headers.setdefault("content-security-policy", API_POLICY if is_api else PAGE_POLICY)
        if is_api:
            headers.setdefault("cache-control", "no-store")
        if self.desk.settings.secure:
            headers.setdefault("strict-transport-security", "max-age=31536000")
        if cookie:
            headers.append("set-cookie", cookie)

    # ------------------------------------------------------------------ pages

    def _is_page(self, scope: Scope) -> bool:
        return scope["method"] in SAFE and not scope["path"].startswith(NOT_PAGES)

    async def _welcome(self, scope: Scope, headers: Headers) -> str | None:
        """Note who visits a page; whoever comes for the first time is a guest from now on.

        Pages find the caller in `request.state.caller`, and the desk beside: they belong to another
        application. They are counted as the API's requests are.
        """
        connection = HTTPConnection(scope)
        caller = await caller_of(connection, self.desk)
        accounts = self.desk.house.accounts
        self.desk.need("requests", caller.owner if caller.known or caller.address else "")
        cookie = None
        if caller.known is None and scope["method"] == "GET" and _wants_page(headers):
            self.desk.need("guests", caller.address)
            opened = await accounts.guest()
            known = Known(opened.account, opened.session, "cookie", opened.expires)
            caller = Caller(known, caller.address, by_cookie=True)
            cookie = self.cookie(scope, opened.token)
        elif caller.known is not None and caller.by_cookie and await accounts.renew(caller.known):
            cookie = self.cookie(scope, connection.cookies[COOKIE])
        scope.setdefault("state", {}).update(caller=caller, desk=self.desk)
        return cookie

    def cookie(self, scope: Scope, token: str) -> str:
        return cookie_header(token, secure=self.desk.settings.secure or scope["scheme"] == "https")

    # ------------------------------------------------------------------ sockets

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        settings = self.desk.settings
        elsewhere = is_from_elsewhere(headers, scope["scheme"], settings.origins)
        if elsewhere or not is_host(headers.get("host", ""), settings.hosts):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "from another site"})
            return
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            note(error, scope)


def cookie_header(token: str, *, secure: bool) -> str:
    """The header that sets the cookie of a session; an empty token takes it away."""
    seconds = int(LASTS["cookie"].total_seconds()) if token else 0
    parts = [f"{COOKIE}={token}", "Path=/", f"Max-Age={seconds}", "HttpOnly", "SameSite=Lax"]
    return "; ".join([*parts, "Secure"] if secure else parts)


def set_cookie(headers: MutableHeaders, scope: Scope, desk: Desk, opened: SignedIn | None) -> None:
    secure = desk.settings.secure or scope["scheme"] == "https"
    headers.append("set-cookie", cookie_header(opened.token if opened else "", secure=secure))


def note(error: BaseException, scope: Scope) -> None:
    """Write down where something went wrong, but nothing that was in it: no card, no seed."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{PurePath(one.filename).name}:{one.lineno}" for one in frames[:-7:-1])
    route: Any = scope.get("route")
    path = getattr(route, "path", "") or "a page"
    log.error("%s failed with %s at %s", path, type(error).__name__, places)


def _wants_page(headers: Headers) -> bool:
    return "text/html" in headers.get("accept", "")


def _bears_token(headers: Headers) -> bool:
    return headers.get("authorization", "").lower().startswith("bearer ")


async def _say(send: Send, status: int, words: str) -> None:
    body = msgspec.json.encode({"error": words, "clauses": []})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


LATER = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not now · Upcard</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{seconds}">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem }}
body {{ margin: 20vh auto; padding: 1rem }}
</style></head>
<body><main data-testid="later"><h1>Not now</h1><p>{words}.</p>
<p>This page comes by itself then. Nothing was changed.</p>
<p><a href="/">To the lobby</a> · Play money only.</p></main></body></html>
"""


async def _say_error(send: Send, error: HouseError, *, page: bool) -> None:
    if isinstance(error, TooOftenError):
        await _say_later(send, error, page=page)
    else:
        status = 401 if isinstance(error, NotSignedInError) else STATUS[error.code]
        await _say(send, status, str(error))


async def _say_later(send: Send, error: TooOftenError, *, page: bool) -> None:
    """Something was asked for too often: a page says so in a few words that cost nothing."""
    seconds = str(math.ceil(error.seconds))
    if page:
        body = LATER.format(words=sentence_case(str(error)), seconds=seconds).encode()
        kind = b"text/html; charset=utf-8"
    else:
        body = msgspec.json.encode({"error": str(error), "clauses": []})
        kind = b"application/json"
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    headers.append((b"retry-after", seconds.encode()))
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
