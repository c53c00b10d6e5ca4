"""A table's line: messages of `upcard.service.messages` as text, in both directions.

The client's messages are taken one after the other: who does not read answers is not read either.
A line ends with a code that says whether to come back: see `Ends`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, WebSocket
from starlette.websockets import WebSocketDisconnect

from upcard.service.api.gate import note
from upcard.service.api.models import Id
from upcard.service.api.origin import is_from_here
from upcard.service.api.who import Caller, NotSignedInError, caller_of, desk_of
from upcard.service.messages import (
    LONGEST_ID,
    LONGEST_MESSAGE,
    Advice,
    ClientMessage,
    Coach,
    Do,
    Fault,
    Ping,
    Pong,
    Refused,
    ServerMessage,
    Why,
)
from upcard.service.specs import Account, HouseError

if TYPE_CHECKING:
    from upcard.service.api.desk import Desk
    from upcard.service.watching import Subscription

router = APIRouter()

MOST_FAULTS = 20
"""Messages that cannot be understood, until the line is cut; good ones make up for them."""
SEND_SECONDS = 20.0
"""How long a message may take to go out."""
MOST_QUESTIONS = 8
"""Questions of one account to the coach that may wait at a time, on all lines together."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ClientMessage).decode


class Ends(IntEnum):
    """Why a line ends. After `LATER` a client comes back with the last `seq` that it knows."""

    DONE = 1000
    POLICY = 1008
    TOO_LARGE = 1009
    LATER = 1013
    SIGNED_OUT = 4401
    MISSING = 4404
    TOO_OFTEN = 4429


class ByLine:
    """The policy of lines: whoever asks may watch, and acts for nobody but oneself.

    A cookie counts only with the word of the browser that a page of the house sent it.
    """

    name = "anybody, by line"

    async def __call__(self, websocket: WebSocket) -> Caller | HouseError:
        desk = desk_of(websocket)
        try:
            caller = await caller_of(websocket, desk)
            here = is_from_here(websocket.headers, websocket.url.scheme, desk.settings.origins)
            if caller.by_cookie and not here:
                caller = Caller(None, caller.address)
            desk.need("sockets", caller.owner if caller.known or caller.address else "")
        except HouseError as error:
            return error
        return caller


BY_LINE = ByLine()


@router.websocket("/api/tables/{table}/socket")
async def socket(
    websocket: WebSocket,
    table: Id,
    caller: Annotated[Caller | HouseError, Depends(BY_LINE)],
    since: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> None:
    """The line of one viewer or player to one table."""
    await websocket.accept()
    if isinstance(caller, HouseError):
        await _refuse(websocket, caller)
        return
    line = Line(websocket, desk_of(websocket), table, caller)
    await line.run(since)


async def _refuse(websocket: WebSocket, error: HouseError) -> None:
    """Say why there is no line, and end it."""
    code = Ends.LATER
    if isinstance(error, NotSignedInError):
        code = Ends.SIGNED_OUT
    elif error.code == "missing":
        code = Ends.MISSING
    elif error.code == "limit":
        code = Ends.TOO_OFTEN
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.send_text(_encode(Fault(str(error))).decode())
        await websocket.close(code, _short(str(error)))


def _short(reason: str) -> str:
    """A reason as a close frame can hold it: 123 bytes."""
    return reason.encode()[:120].decode(errors="ignore")


class Line:
    """One open line."""

    def __init__(self, websocket: WebSocket, desk: Desk, table: str, caller: Caller) -> None:
        self.websocket = websocket
        self.desk = desk
        self.house = desk.house
        self.table = table
        self.account: Account | None = caller.account
        self.owner = caller.owner
        self.counted = caller.owner if caller.known or caller.address else ""
        self.session = caller.known.session if caller.known is not None else ""
        self.faults = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._over: asyncio.Future[tuple[Ends, str]] = asyncio.get_running_loop().create_future()

    def end(self, code: Ends, reason: str) -> None:
        """End the line; the first reason counts."""
        if not self._over.done():
            self._over.set_result((code, reason))

    def cut(self) -> None:
        self.end(Ends.SIGNED_OUT, "this session is closed")

    async def run(self, since: int | None) -> None:
        """Serve the line until it ends."""
        try:
            self.desk.lines.add(self.owner, self.session, self.cut)
        except HouseError as error:
            await _refuse(self.websocket, error)
            return
        try:
            await self._serve(since)
        except HouseError as error:
            await _refuse(self.websocket, error)
        finally:
            self.desk.lines.remove(self.owner, self.session, self.cut)

    async def _serve(self, since: int | None) -> None:
        told = await self.house.subscribe(self.table, self.account, since)
        self._start(self._tell(told))
        self._start(self._listen())
        try:
            code, reason = await self._over
        finally:
            told.close()
            for task in tuple(self._tasks):
                task.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            async with asyncio.timeout(SEND_SECONDS):
                await self.websocket.close(code, _short(reason))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside; if it fails, the line ends, and the client may come back."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            note(error, self.websocket.scope)
            self.end(Ends.LATER, "something went wrong in the house; it was noted")

    # ------------------------------------------------------------------ out

    async def _tell(self, told: Subscription) -> None:
        """Pass on what the table tells."""
        async for message in told:
            await self._send(message.decode())
        if (await self.house.info(self.table)).status == "closed":
            self.end(Ends.DONE, "the table is closed")
        else:
            self.end(Ends.LATER, "come back")

    async def _send(self, text: str) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            self.end(Ends.DONE, "gone")
        except TimeoutError:
            self.end(Ends.LATER, "too slow")

    async def _answer(self, message: ServerMessage) -> None:
        await self._send(_encode(message).decode())

    async def _fault(self, words: str, id_: str = "", *, again: bool = False) -> None:
        self.faults += 1
        await self._answer(Fault(words, id_, again))
        if self.faults > MOST_FAULTS:
            self.end(Ends.POLICY, "too many messages that cannot be understood")

    # ------------------------------------------------------------------ in

    async def _listen(self) -> None:
        while not self._over.done():
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                self.end(Ends.DONE, "gone")
                return
            text = message.get("text")
            if text is None:
                await self._fault("messages are text, not bytes")
            elif len(text) > LONGEST_MESSAGE or len(text.encode()) > LONGEST_MESSAGE:
                await self._fault(f"a message has at most {LONGEST_MESSAGE} bytes")
                self.end(Ends.TOO_LARGE, "a message was too long")
            else:
                await self._take(text)

    async def _take(self, text: str) -> None:
        try:
            message = _decode(text)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            await self._fault(f"this is not a message: {str(error)[:200]}")
            return
        if not (1 <= len(message.id) <= LONGEST_ID and message.id.isprintable()):
            await self._fault(f"the id of a message has 1 to {LONGEST_ID} printable characters")
            return
        if self.counted and self.desk.rates.wait("commands", self.counted):
            await self._fault("too many messages: wait a moment", message.id, again=True)
            return
        self.faults = max(0.0, self.faults - 0.1)
        try:
            await self._obey(message)
        except HouseError as error:
            # Whether it was done is not known where the store gave no answer: it may be sent again.
            await self._answer(Fault(str(error), message.id, error.code == "unavailable"))

    async def _obey(self, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            await self._answer(Pong(message.id, time.time_ns() // 1_000_000))
            return
        if self.account is None:
            words = "you are only watching: sign in, or begin as a guest"
            await self._answer(Refused(message.id, words))
            return
        match message:
            case Do():
                done = await self.house.do(
                    self.table, self.account, message.command, message.id, seen=message.seq
                )
                await self._answer(done)
            case Why():
                reason = await self.house.why(self.table, self.account, message.action)
                await self._answer(msgspec.structs.replace(reason, id=message.id))
            case Coach() if self.desk.asking[self.owner] >= MOST_QUESTIONS:
                await self._fault("the coach has enough to think about", message.id)
            case Coach():
                self.desk.asking[self.owner] += 1
                asking = self._start(self._ask(self.account, message.id))
                asking.add_done_callback(self._answered)

    async def _ask(self, account: Account, id_: str) -> None:
        """The coach thinks beside the line, so that nobody waits for it."""
        try:
            advice = await self.house.coach(self.table, account)
            await self._answer(Advice(id_, advice))
        except HouseError as error:
            await self._answer(Fault(str(error), id_))

    def _answered(self, _: asyncio.Task[None]) -> None:
        self.desk.asking[self.owner] -= 1
        if not self.desk.asking[self.owner]:
            del self.desk.asking[self.owner]
