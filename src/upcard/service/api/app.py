"""The app: all routers behind the gate, and every failure as one sentence."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from upcard import __version__
from upcard.errors import UpcardError
from upcard.service.api import drill, history, lobby, me, operator, socket
from upcard.service.api.desk import Desk
from upcard.service.api.gate import Gate
from upcard.service.api.models import STATUS, answer
from upcard.service.api.settings import Settings
from upcard.service.api.who import NotSignedInError
from upcard.service.rates import Rates, TooOftenError
from upcard.service.specs import HouseError
from upcard.text import shortened

if TYPE_CHECKING:
    from upcard.service.house import House

ABOUT = """Tables of the 21 family, for play money only.

Everything that a page can do, this can do. Whoever signs in by cookie acts from a page of the
house; programs use a token in the header `Authorization: Bearer ...`. Amounts are cents, times are
UTC. Play itself goes over the WebSocket `/api/tables/{table}/socket`, see docs/protocol.md.
"""
LONGEST_SENTENCE = 600


def create_app(
    house: House, *, settings: Settings | None = None, rates: Rates | None = None
) -> FastAPI:
    """The house as an ASGI app; it opens and closes with the server."""
    desk = Desk(house, settings or Settings(), rates)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await desk.open()
        try:
            yield
        finally:
            await desk.close()

    app = FastAPI(
        title="Upcard",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.desk = desk
    for part in (lobby, history, me, drill, operator, socket):
        app.include_router(part.router)
    app.add_exception_handler(UpcardError, _refused)
    app.add_exception_handler(RequestValidationError, _misshapen)
    app.add_exception_handler(HTTPException, _plain)
    app.add_middleware(Gate, desk=desk)
    return app


def _fault(status: int, words: str, clauses: tuple[str, ...] = ()) -> Response:
    return answer({"error": shortened(words, LONGEST_SENTENCE), "clauses": clauses}, status)


def _refused(_: Request, error: Exception) -> Response:
    if isinstance(error, NotSignedInError):
        response = _fault(401, str(error))
        response.headers["www-authenticate"] = "Bearer"
        return response
    if not isinstance(error, HouseError):
        assert isinstance(error, UpcardError)
        return _fault(409, error.sentences[0])
    response = _fault(STATUS[error.code], str(error), error.clauses)
    if isinstance(error, TooOftenError):
        response.headers["retry-after"] = str(math.ceil(error.seconds))
    return response


def _misshapen(_: Request, error: Exception) -> Response:
    """What has the wrong form: where, and what would be right; what was sent is not repeated."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    return _fault(422, f"{place}: {first['msg']}")


def _plain(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # the framework could not make anything of the body
        return _fault(422, "body: this is not JSON, or not in the form that is asked for")
    words = {404: "there is nothing here", 405: "this is not done here"}
    response = _fault(error.status_code, words.get(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


def openapi_text(app: FastAPI) -> str:
    """The description of the API, as it is served."""
    return msgspec.json.format(msgspec.json.encode(app.openapi()), indent=2).decode()
