"""A client of the house online: REST in a call each, and tables over their WebSocket.

    async with AsyncClient("http://127.0.0.1:8421") as client:
        await client.guest()
        seat = await client.play("blackjack")
        async with client.table(seat["id"]) as table:
            number = table.view["round"]
            await table.wager({"base": 500})
            await table.do("Deal")
            await table.until(lambda: table.view["round"] > number)
            while (question := await table.my_question()) is not None:
                await table.answer(question["answers"][0]["action"])

A lost line comes back by itself: what was not answered is sent again under the same id, and acts
once. `Client` is the same without tables, for programs that do not wait for anything. It needs the
extra `web` (httpx, websockets); docs/house-api.md and docs/protocol.md describe what is behind it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

try:
    import httpx
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, WebSocketException
except ModuleNotFoundError as missing:
    words = "upcard.client needs the web extra: pip install 'upcard[web]'"
    raise ModuleNotFoundError(words, name=missing.name) from missing

from upcard.errors import UpcardError
from upcard.service import messages as ms

T = TypeVar("T")
ADDRESS = "http://127.0.0.1:8421"
LONGEST_ANSWER = 1 << 24
UNREAD = 1024
"""Messages that are kept for a reader; of more the oldest are forgotten."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
FINAL = frozenset([1000, 1008, 1009, 4401, 4404])
"""Ends of a line after which there is no use in coming back."""

_decode = msgspec.json.Decoder(ms.ServerMessage).decode


class ClientError(UpcardError):
    """The house said no. `status` is that of HTTP, `clauses` are those behind the sentence."""

    def __init__(self, words: str, status: int = 0, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.status = status
        self.clauses = clauses


class Ways:
    """What can be asked by REST. Answers are plain data; with `AsyncClient` they are awaited."""

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask for anything: a path behind `/api`, and what is sent as JSON."""
        raise NotImplementedError

    def enter(self, path: str, body: Any) -> Any:
        """Ask for a token, and keep it."""
        raise NotImplementedError

    def guest(self) -> Any:
        """Begin as a guest, with play money."""
        return self.enter("/guest", {"by": "token"})

    def register(self, name: str, password: str) -> Any:
        """Make an account; a guest becomes it."""
        return self.enter("/register", {"name": name, "password": password, "by": "token"})

    def sign_in(self, name: str, password: str) -> Any:
        """Come in with an account."""
        return self.enter("/sign-in", {"name": name, "password": password, "by": "token"})

    def sign_out(self) -> Any:
        """Close the session: the token opens nothing more."""
        return self.ask("POST", "/sign-out")

    def me(self) -> Any:
        """Who one is, and the play money in the purse."""
        return self.ask("GET", "/me")

    def refill(self) -> Any:
        """Fill the purse up."""
        return self.ask("POST", "/me/purse/refill")

    def my_games(self, limit: int = 10, before: str = "") -> Any:
        """One's last rounds, at any table; `before` a known one, such as "te94c40680b.17"."""
        return self.ask("GET", f"/me/games?limit={limit}&before={quote(before, safe='')}")

    def games(self) -> Any:
        """The games, with all that can be set."""
        return self.ask("GET", "/games")

    def tables(self) -> Any:
        """The open tables."""
        return self.ask("GET", "/tables")

    def table_info(self, table: str) -> Any:
        """One table."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}")

    def open_table(self, game: str, **spec: Any) -> Any:
        """Open a table: `settings`, `bots`, `seconds`, `speed` and so on, see docs/house-api.md."""
        return self.ask("POST", "/tables", {"game": game, **spec})

    def play(self, game: str) -> Any:
        """Sit down at a table of a game, with bots."""
        return self.ask("POST", "/play", {"game": game})

    def sit(self, table: str, *, seat: int = 0, chips: int = 0) -> Any:
        """Buy in and sit down; 0 is any free seat, and the usual chips."""
        body = {"seat": seat, "chips": chips}
        return self.ask("POST", f"/tables/{quote(table, safe='')}/sit", body)

    def rules(self, table: str) -> Any:
        """The rule sheet of a table."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}/rules")

    def rounds(self, table: str, *, limit: int = 50) -> Any:
        """Finished rounds of a table, the last first."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}/rounds?limit={limit}")

    def round(self, table: str, number: int) -> Any:
        """Everything that happened in a round."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}/rounds/{number}")

    def replay(self, table: str, number: int) -> Any:
        """A round with its wagers, the bank and lights from before: all that a page draws."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}/rounds/{number}/replay")

    def verify(self, table: str) -> Any:
        """Have the house check a table's record."""
        return self.ask("GET", f"/tables/{quote(table, safe='')}/verify")


class Client(Ways):
    """The house by REST, one call after the other."""

    def __init__(
        self,
        address: str = ADDRESS,
        *,
        token: str = "",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.token = token
        self._http = httpx.Client(base_url=address, transport=transport, timeout=60)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        try:
            found = self._http.request(
                method, f"/api{path}", json=body, headers=_headers(self.token)
            )
        except httpx.HTTPError as error:
            raise ClientError(f"the house does not answer: {error}") from error
        return _data(found)

    def enter(self, path: str, body: Any) -> Any:
        found = self.ask("POST", path, body)
        self.token = found["token"]
        return found

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(Ways):
    """The house by REST and by lines to its tables."""

    def __init__(
        self,
        address: str = ADDRESS,
        *,
        token: str = "",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self._http = httpx.AsyncClient(base_url=address, transport=transport, timeout=60)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        try:
            found = await self._http.request(
                method, f"/api{path}", json=body, headers=_headers(self.token)
            )
        except httpx.HTTPError as error:
            raise ClientError(f"the house does not answer: {error}") from error
        return _data(found)

    async def enter(self, path: str, body: Any) -> Any:
        found = await self.ask("POST", path, body)
        self.token = found["token"]
        return found

    def table(self, table: str) -> Table:
        """A line to a table, to be used with `async with`."""
        parts = urlsplit(self.address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        address = f"{scheme}://{parts.netloc}{parts.path}/api/tables/{quote(table, safe='')}/socket"
        return Table(address, lambda: _headers(self.token))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _headers(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def _data(found: httpx.Response) -> Any:
    if found.is_success:
        kind = found.headers.get("content-type", "")
        return found.json() if kind.startswith("application/json") else found.content or None
    try:
        said = found.json()
        words, clauses = str(said["error"]), tuple(said.get("clauses", ()))
    except (ValueError, KeyError, TypeError):
        words, clauses = f"the house answers with status {found.status_code}", ()
    raise ClientError(words, found.status_code, clauses)


class Table:
    """A line to one table. It is the newest `view`, and whatever comes in between.

    `view` is the table as everybody sees it, `you` what only you see, `seq` the last entry that is
    known. Iterate for every message; or wait with `until` and `my_question`.
    """

    def __init__(self, address: str, headers: Callable[[], Mapping[str, str]]) -> None:
        self.address = address
        self.headers = headers
        self.welcome: ms.Welcome | None = None
        self.view: dict[str, Any] = {}
        self.you: ms.You | None = None
        self.clock = ms.ClockSeen()
        self.status = ""
        self.seq: int | None = None
        self.lost = 0
        """How often the line was lost and came back."""
        self._waiting: dict[str, tuple[bytes, asyncio.Future[Any]]] = {}
        self._unread: asyncio.Queue[ms.ServerMessage | None] = asyncio.Queue(UNREAD)
        self._changed = asyncio.Condition()
        self._line: ClientConnection | None = None
        self._work: asyncio.Task[None] | None = None
        self._over: ClientError | None = None
        self._last_fault = ""

    async def __aenter__(self) -> Table:
        self._work = asyncio.create_task(self._run())
        try:
            await self.until(lambda: self.welcome is not None)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    # ------------------------------------------------------------------ asking

    async def do(self, command: str, **fields: Any) -> ms.Ack | ms.Refused:
        """Send a command, such as `do("Hit", position=3)`; it acts once, whatever happens."""
        done: ms.Ack | ms.Refused = await self._ask(
            ms.Do(_new_id(self.seq), {"command": command, **fields}, self.seq)
        )
        return done

    async def wager(self, wagers: Mapping[str, int], *, position: int = 0) -> ms.Ack | ms.Refused:
        """Put wagers, in cents by name, on one's own position or another; none takes them back."""
        here = position or self._seat()
        return await self.do("PlaceWagers", position=here, wagers=dict(wagers))

    async def answer(self, action: str, **fields: Any) -> ms.Ack | ms.Refused:
        """Answer the question that the table asks, such as `answer("double")`."""
        question = self.question
        position = question["position"] if question is not None else self._seat()
        command = action.removeprefix("free-").capitalize()
        if action.startswith("free-"):
            fields["free"] = True
        return await self.do(command, position=position, **fields)

    async def why(self, action: str) -> ms.Reason:
        """Why an action is, or is not, possible now."""
        reason: ms.Reason = await self._ask(ms.Why(_new_id(), action))
        return reason

    async def coach(self) -> dict[str, Any]:
        """What every legal action is worth."""
        advice: ms.Advice = await self._ask(ms.Coach(_new_id()))
        return advice.advice

    async def ping(self) -> int:
        """The server's time in milliseconds since 1970."""
        pong: ms.Pong = await self._ask(ms.Ping(_new_id()))
        return pong.now

    def _seat(self) -> int:
        return self.you.seat if self.you is not None else 0

    async def _ask(self, message: ms.FromClient) -> Any:
        """Send a message and wait for its answer, however often the line is lost meanwhile.

        What the house could not take for the moment is sent again, and by its id acts once.
        """
        data = msgspec.json.encode(message)
        pause = FIRST_PAUSE
        while True:
            found = await self._answer(message.id, data)
            if not isinstance(found, ms.Fault):
                return found
            await asyncio.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _answer(self, id_: str, data: bytes) -> Any:
        if self._over is not None:
            raise self._over
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id_] = (data, answer)
        try:
            if self._line is not None:
                with contextlib.suppress(ConnectionClosed):  # it is sent when the line is back
                    await self._line.send(data.decode())
            return await answer
        finally:
            self._waiting.pop(id_, None)

    # ------------------------------------------------------------------ waiting

    @property
    def question(self) -> dict[str, Any] | None:
        """The question that the table asks, whomever; None if it asks nothing."""
        found: dict[str, Any] | None = self.view.get("question")
        return found

    async def my_question(self) -> dict[str, Any] | None:
        """Wait until the table asks me, or my round is over: then it is None."""
        await self.until(lambda: self._asks_me() or self.view.get("stage") != "round")
        return self.question if self._asks_me() else None

    def _asks_me(self) -> bool:
        question = self.question
        return question is not None and self.you is not None and question["player"] == self.you.name

    async def until(self, holds: Callable[[], T]) -> T:
        """Wait until something holds; it is asked again after every message."""
        async with self._changed:
            while not (found := holds()):
                if self._over is not None:
                    raise self._over
                await self._changed.wait()
            return found

    def __aiter__(self) -> AsyncIterator[ms.ServerMessage]:
        return self

    async def __anext__(self) -> ms.ServerMessage:
        message = await self._unread.get()
        if message is None:
            raise StopAsyncIteration
        return message

    # ------------------------------------------------------------------ the line

    async def _run(self) -> None:
        """Keep a line open until the table closes, or until it is of no use."""
        pause = FIRST_PAUSE
        while self._over is None:
            began = time.monotonic()
            try:
                known = "" if self.seq is None else f"?since={self.seq}"
                async with connect(
                    self.address + known,
                    additional_headers=self.headers(),
                    max_size=LONGEST_ANSWER,
                    compression=None,
                ) as line:
                    await self._serve(line)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd is not None else 0
                if code in FINAL:
                    reason = closed.rcvd.reason if closed.rcvd is not None else ""
                    self._over = ClientError(self._last_fault or reason or "the line is closed")
                    break
            except (OSError, WebSocketException, TimeoutError):
                pass
            self._line = None
            self.lost += self.welcome is not None
            if time.monotonic() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE  # the line had held for a while
            await asyncio.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, LONGEST_PAUSE)
        await self._end()

    async def _serve(self, line: ClientConnection) -> None:
        self._line = line
        for data, _ in list(self._waiting.values()):
            await line.send(data.decode())
        while True:
            await self._take(_decode(await line.recv(decode=False)))

    async def _take(self, message: ms.ServerMessage) -> None:
        match message:
            case ms.Welcome():
                self.welcome = message
                self._know(message)
                self.view = message.view
            case ms.Update():
                self._know(message)
                self.view = message.view
            case ms.Status():
                self._know(message)
            case ms.Fault(id=""):
                self._last_fault = message.words
            case ms.Fault(again=False):
                self._reply(message.id, ClientError(message.words))
            case ms.Ack() | ms.Refused() | ms.Reason() | ms.Advice() | ms.Pong() | ms.Fault():
                self._reply(message.id, message)
        if self._unread.full():
            self._unread.get_nowait()
        self._unread.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()

    def _know(self, message: ms.Welcome | ms.Update | ms.Status) -> None:
        if not isinstance(message, ms.Status):  # it may come before the update that it knows of
            self.seq = message.seq
        self.clock = message.clock
        self.status = message.status
        self.you = message.you

    def _reply(self, id_: str, found: Any) -> None:
        _, answer = self._waiting.get(id_, (b"", None))
        if answer is None or answer.done():
            return
        if isinstance(found, ClientError):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    async def _end(self) -> None:
        self._line = None
        assert self._over is not None
        for id_ in list(self._waiting):
            self._reply(id_, self._over)
        if self._unread.full():
            self._unread.get_nowait()
        self._unread.put_nowait(None)
        async with self._changed:
            self._changed.notify_all()


def _new_id(seq: int | None = None) -> str:
    """An id that nobody has; with the entry that it comes after the house knows that at once."""
    return ("" if seq is None else f"@{seq}-") + secrets.token_hex(12)
