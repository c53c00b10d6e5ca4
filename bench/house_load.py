"""A lean player for a great many seats: it speaks the WebSocket protocol by itself.

One process has a thousand lines. Of a message only those parts are read that a player needs.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import struct
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

LONGEST = 1 << 22


class LoadSeat(NamedTuple):
    """Who plays where, with which token."""

    token: str
    table: str
    name: str


class _Question(msgspec.Struct):
    player: str
    position: int
    answers: list[dict[str, Any]]


class _Bet(msgspec.Struct):
    """Whose a wager is, or whose turn the bank."""

    player: str


class _View(msgspec.Struct):
    stage: str
    round: int = 0
    bets: list[_Bet] = []
    offer: _Bet | None = None
    question: _Question | None = None


class _You(msgspec.Struct):
    seat: int = 0
    chips: int = 0


class _Message(msgspec.Struct):
    """The parts of a message that a player needs."""

    type: str
    id: str = ""
    seq: int = 0
    view: _View | None = None
    you: _You | None = None
    ready: list[str] = []
    reason: str = ""
    words: str = ""
    waiting: str = ""


_decode = msgspec.json.Decoder(_Message).decode
_wagers = msgspec.json.Decoder(dict[str, Any]).decode


class Pace:
    """Lets so many commands go in a second, together; who comes too early waits."""

    def __init__(self, rate: float) -> None:
        self.gap = 1.0 / rate if rate else 0.0
        self.next = time.perf_counter()

    async def turn(self) -> None:
        now = time.perf_counter()
        self.next = max(self.next + self.gap, now - 1.0)
        if self.next > now:
            await asyncio.sleep(self.next - now)


class LoadPlayer:
    """One line to one table: wagers the least, and plays by the dice."""

    def __init__(
        self, seat: LoadSeat, pace: Pace, dice: random.Random, done: Callable[[float], None]
    ) -> None:
        self.seat = seat
        self.pace = pace
        self.dice = dice
        self.done = done
        self.sent = 0
        self.seq = 0
        self.refused = 0
        self.faults: list[str] = []
        self.view = _View("")
        self.you = _You()
        self.ready: list[str] = []
        self.wager: dict[str, int] = {}
        self.pending: tuple[str, float] | None = None
        self.safe = False
        self.asking: asyncio.Task[None] | None = None

    async def run(self, host: str, port: int) -> None:
        reader, self.writer = await asyncio.open_connection(host, port, limit=LONGEST)
        try:
            await self._open(reader, f"{host}:{port}")
            while True:
                self._take(await self._frame(reader))
                if self.pending is None and (command := self._next()) is not None:
                    self.pending = ("", 0.0)
                    self.asking = asyncio.create_task(self._ask(command))
        finally:
            if self.asking is not None:
                self.asking.cancel()
            self.writer.close()

    # ------------------------------------------------------------------ the protocol

    async def _open(self, reader: asyncio.StreamReader, host: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(
            f"GET /api/tables/{self.seat.table}/socket HTTP/1.1\r\nHost: {host}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {self.seat.token}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())

    async def _frame(self, reader: asyncio.StreamReader) -> bytes:
        while True:
            first, second = await reader.readexactly(2)
            size = second & 127
            if size == 126:
                (size,) = struct.unpack(">H", await reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", await reader.readexactly(8))
            data = await reader.readexactly(size)
            kind = first & 15
            if kind == 1:
                return data
            if kind == 8:
                raise ConnectionError(f"the line was closed: {data[2:].decode()}")
            if kind == 9:
                self._write(data, 0x8A)

    def _write(self, data: bytes, first: int = 0x81) -> None:
        size = len(data)
        head = bytes([first, 128 | size]) if size < 126 else struct.pack(">BBH", first, 254, size)
        self.writer.write(head + bytes(4) + data)  # masked by nothing

    # ------------------------------------------------------------------ playing

    def _take(self, data: bytes) -> None:
        message = _decode(data)
        if message.type == "welcome":
            table = _wagers(data)["table"]
            self.unit = table["unit"]
            self.wager = {
                one["id"]: min(one["amounts"], default=0) or one["minimum"] or self.unit
                for one in table["wagers"]
                if one["mandatory"]
            }
        if message.view is not None:
            self.view = message.view
            self.seq = message.seq
        if message.you is not None:
            self.you = message.you
            self.ready = message.ready
        if self.pending is not None and message.id and message.id == self.pending[0]:
            self.done(time.perf_counter() - self.pending[1])
            self.pending = None
            if message.type == "refused":
                self.refused += 1
                self.safe = True
            elif message.type == "error":
                self.faults.append(message.words)

    def _next(self) -> dict[str, Any] | None:
        view, name = self.view, self.seat.name
        if (question := view.question) is not None:
            if question.player != name:
                return None
            actions = [answer["action"] for answer in question.answers]
            calm = [a for a in ("decline", "keep", "stand", "hit") if a in actions]
            action = calm[0] if self.safe and calm else self.dice.choice(actions)
            self.safe = False
            return {"command": action.capitalize(), "position": question.position}
        if view.offer is not None and view.offer.player == name:
            return {"command": "DeclineBank"}
        if view.stage != "wagers" or not self.you.seat:
            return None
        least = sum(self.wager.values())
        if self.you.chips < 10 * least:
            return {"command": "BuyIn", "amount": 100 * least}
        if not any(bet.player == name for bet in view.bets):
            return {"command": "PlaceWagers", "position": self.you.seat, "wagers": self.wager}
        return {"command": "Deal"} if name not in self.ready else None

    async def _ask(self, command: dict[str, Any]) -> None:
        await self.pace.turn()
        self.sent += 1
        id_ = f"@{self.seq}-{self.seat.token[:6]}-{self.sent}"
        data = msgspec.json.encode({"type": "do", "id": id_, "command": command})
        self.pending = (id_, time.perf_counter())
        self._write(data)
