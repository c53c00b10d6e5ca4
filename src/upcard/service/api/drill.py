"""Drills: hands of one kind to decide, and what each answer was worth.

A hand goes out with a ticket, which the house has signed, and comes back with the answer: any
server can judge it, and nobody can make up hands.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
from collections import OrderedDict
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request, Response
from pydantic import Field

from upcard.coach.drill import Drill, DrillAnswer, DrillHand, drill_kinds
from upcard.compile.tables import tables_for
from upcard.service.api.models import Body, GameId, SettingTexts, answer, faults, model_of
from upcard.service.api.who import Somebody, desk_of
from upcard.service.house_games import game_ids
from upcard.service.opening import need_packaged_sides
from upcard.service.rates import What
from upcard.service.specs import HouseError

router = APIRouter(prefix="/api/drill", tags=["drill"])

KEPT = 24
"""Drills that are kept ready."""
Key = tuple[str, tuple[tuple[str, str], ...], str]
_drills: OrderedDict[Key, Drill] = OrderedDict()


class Ticket(msgspec.Struct, frozen=True):
    """What a hand is judged by later."""

    game: str
    settings: dict[str, str]
    kind: str
    hand: DrillHand


class DrillDeal(msgspec.Struct, frozen=True):
    """A hand to decide. Send the ticket back with the answer."""

    ticket: str
    hand: DrillHand


class AskHand(Body):
    """A hand of a kind, such as pairs, soft, trades or rescue; see `GET /api/drill/{game}`."""

    game: GameId
    kind: Annotated[str, Field(max_length=40)]
    settings: SettingTexts = Field(default_factory=dict)


class AnswerHand(Body):
    """What to do with the hand on a ticket, such as split."""

    ticket: Annotated[str, Field(max_length=8000)]
    action: Annotated[str, Field(max_length=40)]


@router.get("/{game}", response_model=list[str], responses=faults(401, 404))
async def kinds(request: Request, game: str, who: Somebody) -> Response:
    """The kinds of hands that a game has."""
    _need_game(game)
    desk_of(request).need("steps", who.account.id)
    return answer(await asyncio.to_thread(lambda: drill_kinds(tables_for(game))))


@router.post("/hand", response_model=model_of(DrillDeal), responses=faults(401, 404, 409))
async def hand(request: Request, body: AskHand, who: Somebody) -> Response:
    """Deal a hand."""
    desk = desk_of(request)
    desk.need(_takes(body.game, body.settings, body.kind), who.account.id)
    async with desk.stepping:
        drill = await asyncio.to_thread(_drill, body.game, body.settings, body.kind)
        found = await asyncio.to_thread(drill.next)
    ticket = Ticket(body.game, body.settings, body.kind, found)
    return answer(DrillDeal(_signed(desk.house.key.private, ticket), found))


@router.post("/answer", response_model=model_of(DrillAnswer), responses=faults(401, 404, 409))
async def judge(request: Request, body: AnswerHand, who: Somebody) -> Response:
    """Judge an answer: the value of every action, and what a mistake would have cost."""
    desk = desk_of(request)
    desk.need("steps", who.account.id)
    ticket = _opened(desk.house.key.private, body.ticket)
    async with desk.stepping:
        drill = await asyncio.to_thread(_drill, ticket.game, ticket.settings, ticket.kind)
        found = await asyncio.to_thread(drill.answer, ticket.hand, body.action)
    return answer(found)


def _need_game(game: str) -> None:
    if game not in game_ids():
        raise HouseError("there is no such game", "missing")


def _key(game: str, settings: dict[str, str], kind: str) -> Key:
    return game, tuple(sorted(settings.items())), kind


def _takes(game: str, settings: dict[str, str], kind: str) -> What:
    """What a drill is counted as: a game with other settings has to be worked out first."""
    return "work" if settings and _key(game, settings, kind) not in _drills else "steps"


def _drill(game: str, settings: dict[str, str], kind: str) -> Drill:
    _need_game(game)
    key = _key(game, settings, kind)
    if key not in _drills:
        need_packaged_sides(settings)
        _drills[key] = Drill(tables_for(game, settings), kind)
        while len(_drills) > KEPT:
            _drills.popitem(last=False)
    _drills.move_to_end(key)
    return _drills[key]


def _seal(secret: str, data: bytes) -> bytes:
    return hmac.digest(bytes.fromhex(secret), b"upcard drill " + data, hashlib.sha256)


def _signed(secret: str, ticket: Ticket) -> str:
    data = msgspec.msgpack.encode(ticket)
    return base64.urlsafe_b64encode(_seal(secret, data) + data).decode()


def _opened(secret: str, text: str) -> Ticket:
    try:
        both = base64.b64decode(text.encode(), b"-_", validate=True)
    except (binascii.Error, ValueError):
        both = b""
    seal, data = both[:32], both[32:]
    if not hmac.compare_digest(seal, _seal(secret, data)):
        raise HouseError("this is not a ticket of this house")
    found: Ticket = msgspec.msgpack.decode(data, type=Ticket)
    return found
