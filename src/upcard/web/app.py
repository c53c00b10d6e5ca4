"""All pages of a house, on NiceGUI, as a part of a FastAPI application.

Whoever looks at a page was let in by the gate of the API, which finds the account behind the
cookie. What a page *does* goes over the API as well, so that one place says who may do what. No
page needs storage of its own: the theme is remembered by the browser, everything else by the store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial, wraps
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from nicegui import app as pages_app
from nicegui import ui
from starlette.exceptions import HTTPException

from upcard.errors import UpcardError
from upcard.service.api.gate import note
from upcard.service.specs import HouseError
from upcard.web.pages import lost
from upcard.web.shell import STATIC, Visitor, shell
from upcard.web.views import Views
from upcard.web.visitors import visitor_of

if TYPE_CHECKING:
    from upcard.service.house import House

RECONNECT = 60.0
"""Seconds for which a page whose line was lost is kept; after that the browser loads it anew."""
FAILED = "something went wrong in the house; it was noted, and nothing was changed"


def mount(app: FastAPI, house: House) -> None:
    """Serve all pages of a house."""
    folder = Path(str(resources.files("upcard.web") / "static"))
    pages_app.add_static_files(STATIC, folder, max_cache_age=3600)
    views = Views(app.state.desk)
    _pages(house, views)
    _lost_pages(house)
    _felt_pages(house)
    ui.run_with(
        app,
        title="Upcard",
        favicon=folder / "mark.svg",
        dark=None,
        language="en-US",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=RECONNECT,
        show_welcome_message=False,
    )
    _with_views(app, views)


def _with_views(app: FastAPI, views: Views) -> None:
    """What the pages do beside: it begins and ends with the server."""
    before = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[Any]:
        async with before(of) as state:
            views.open()
            try:
                yield state
            finally:
                views.close()

    app.router.lifespan_context = lifespan


def _pages(house: House, views: Views) -> None:
    routes: dict[str, Callable[..., Awaitable[None]]] = {
        "/": views.lobby,
        "/tables/new": views.create,
        "/rules/{game}": views.rules_of_game,
        "/table/{table}/rules": views.rules_of_table,
        "/table/{table}/history": views.history,
        "/table/{table}/session": views.session,
        "/table/{table}/verify": views.verify,
        "/verify": views.checker,
        "/me": views.me,
        "/drill": views.drills,
        "/drill/{game}": views.drill,
        "/operator": views.operator,
        "/sign-in": views.sign_in,
        "/register": views.register,
    }
    for path, view in routes.items():
        ui.page(path, response_timeout=20)(_guarded(house, view))

    @ui.page("/rules")
    def no_game() -> Response:
        return RedirectResponse("/", 303)


def _guarded(
    house: House, view: Callable[..., Awaitable[None]]
) -> Callable[..., Awaitable[Response | None]]:
    """A page; what cannot be shown becomes a friendly one in its place."""

    @wraps(view)
    async def page(*args: Any, **kwargs: Any) -> Response | None:
        request: Request = kwargs["request"]
        try:
            await view(*args, **kwargs)
        except UpcardError as error:
            ui.context.client.status_code = _status(error)
            await _say(house, request, error)
        except Exception as error:
            # Noted by its kind and place: what is in it may be a card that nobody has seen.
            note(error, request.scope)
            ui.context.client.status_code = 500
            await _say(house, request, HouseError(FAILED, "unavailable"))
        return None

    return page


def _status(error: UpcardError) -> int:
    codes = {"missing": 404, "forbidden": 403, "limit": 429, "unavailable": 503}
    return codes.get(error.code, 409) if isinstance(error, HouseError) else 404


async def _say(house: House, request: Request, error: UpcardError) -> None:
    client = ui.context.client
    client.content.clear()
    for child in [*client.layout.default_slot.children]:
        if child is not client.page_container:  # the bar of the page that was begun
            child.delete()
    try:
        visitor = await visitor_of(house, request)
    except UpcardError:
        visitor = Visitor()
    found = error if isinstance(error, HouseError) else HouseError(str(error), "missing")
    with shell(visitor, lost.TITLES[found.code]):
        lost.lost(found, signed_in=not visitor.is_guest)


def _lost_pages(house: House) -> None:
    """An address that is nowhere."""
    from nicegui.client import Client
    from nicegui.page import page

    async def nowhere(request: Request, error: Exception) -> Response:
        path = request.url.path
        if path.startswith(("/static/", "/_nicegui")) or not isinstance(error, HTTPException):
            return PlainTextResponse("there is nothing here", 404)
        with Client(page(""), request=request) as client:
            await _say(house, request, HouseError("there is no such page", "missing"))
        return client.build_response(request, 404)

    pages_app.add_exception_handler(404, nowhere)


def _felt_pages(house: House) -> None:
    """The table itself and its replay, where they are installed."""
    from importlib.util import find_spec

    for name in ("table", "replay"):
        if find_spec(f"upcard.web.pages.{name}") is not None:
            from importlib import import_module

            import_module(f"upcard.web.pages.{name}").register(house, partial(_guarded, house))
