"""The table: one element, the felt, which talks to the public WebSocket like any bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi import Request, Response
from nicegui import ui

from upcard.service.felt import rules_info, table_info
from upcard.web.felt import Felt, felt_head
from upcard.web.shell import head_html
from upcard.web.visitors import played_today

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upcard.service.house import House
    from upcard.service.running import RunningTable


Page = Callable[..., Awaitable[None]]
Guard = Callable[[Page], Callable[..., Awaitable[Response | None]]]
"""Makes a friendly page of whatever cannot be shown."""


def register(house: House, guard: Guard) -> None:
    """Serve `/table/{table}`."""

    async def table_page(request: Request, table: str) -> None:
        running = await house.running(table)
        felt_page(running, running.info.name)
        info, rules = statics(running)
        played = await played_today(house, request)
        Felt(
            table=running.id,
            info=info,
            rules=rules,
            links=links_of(running.id),
            played=played,
            closed_by=await house.history.closed_by(running),
        )

    ui.page("/table/{table}", response_timeout=20)(guard(table_page))


def statics(running: RunningTable) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What never changes at a table, and its rules."""
    return table_info(running.tables, running.info), rules_info(running.tables)


def felt_page(running: RunningTable, title: str) -> None:
    """The head of a page that is nothing but a felt."""
    ui.add_head_html(head_html())
    felt_head()
    ui.page_title(f"{title} · {running.tables.title} · Upcard")


def links_of(table: str) -> dict[str, str]:
    """Where one can go from a table."""
    at = f"/table/{quote(table)}"
    return {
        "lobby": "/",
        "table": at,
        "rules": f"{at}/rules",
        "history": f"{at}/history",
        "verify": f"{at}/verify",
        "session": f"{at}/session",
        "round": f"{at}/round/{{n}}",
        "sign_in": "/sign-in",
    }
