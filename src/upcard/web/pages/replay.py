"""A round of a table, step by step on the same felt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from fastapi import Request
from nicegui import ui

from upcard.service.rates import REPLAY
from upcard.web.felt import Felt
from upcard.web.pages.table import Guard, felt_page, links_of, statics
from upcard.web.visitors import known_of, owner_of

if TYPE_CHECKING:
    from upcard.service.api.desk import Desk
    from upcard.service.house import House


MOST_ROUNDS = 2**31
"""No database counts further."""


def register(house: House, guard: Guard) -> None:
    """Serve `/table/{table}/round/{number}`."""

    async def replay_page(request: Request, table: str, number: int) -> None:
        desk: Desk = request.state.desk
        desk.rates.need("work", owner_of(request), cost=REPLAY)
        running = await house.running(table)
        replay = await house.replay(table, min(number, MOST_ROUNDS - 1))
        felt_page(running, f"Round {number} of {running.info.name}")
        info, rules = statics(running)
        known = known_of(request)
        Felt(
            table=running.id,
            info=info,
            rules=rules,
            told=msgspec.to_builtins(replay.told),
            before=list(replay.before),
            shoe=msgspec.to_builtins(replay.shoe),
            round=number,
            viewer=running.name_of(known.account.id) if known else "",
            links=links_of(running.id),
        )

    ui.page("/table/{table}/round/{number}", response_timeout=20)(guard(replay_page))
