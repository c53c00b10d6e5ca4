"""A house with its doors open, for tests: no demo tables, a clock that stands, cheap passwords."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import warnings
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI

from upcard.service.accounts import Accounts
from upcard.service.api.app import create_app
from upcard.service.api.settings import COOKIE, Settings
from upcard.service.house import House
from upcard.service.passwords import Passwords
from upcard.service.pricing import Price
from upcard.service.rates import Rates
from upcard.service.specs import Role
from upcard.service.store import Store

with warnings.catch_warnings():
    # It asks for another version of the HTTP client than the one that the rest of the world has.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient, WebSocketTestSession

Line = WebSocketTestSession
T = TypeVar("T")
PASSWORD = "a long password"
HERE = "http://testserver"


class Time:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.seconds = 0.0

    def __call__(self) -> datetime:
        return self.now

    def monotonic(self) -> float:
        return self.seconds

    def pass_by(self, **time: float) -> None:
        self.now += timedelta(**time)
        self.seconds += timedelta(**time).total_seconds()


def cheap_passwords() -> Passwords:
    """Hashes that take no time; what is tested is who compares what with what."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def new_accounts(url: str, time: Time) -> Accounts:
    store = Store(url)
    store.migrate()
    return Accounts(store, clock=time, passwords=cheap_passwords())


class Person:
    """Somebody with a token, asking from outside any page."""

    def __init__(self, doors: Doors, entered: dict[str, Any]) -> None:
        self.doors = doors
        self.id: str = entered["id"]
        self.name: str = entered["name"]
        self.token: str = entered["token"]
        self.headers = {"authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, whatever its status."""
        return self.doors.client.request(method, f"/api{path}", json=body, headers=self.headers)

    def get(self, path: str) -> Any:
        found = self.ask("GET", path)
        assert found.status_code == 200, found.text
        return found.json()

    def post(self, path: str, body: Any = None) -> Any:
        found = self.ask("POST", path, body)
        assert found.status_code in (200, 201), found.text
        return found.json()

    def line(self, table: str, query: str = "") -> Line:
        address = f"/api/tables/{table}/socket{query}"
        return self.doors.client.websocket_connect(address, headers=self.headers)


async def no_prices(*_: object) -> dict[str, Price]:
    """Solving a game takes a core for seconds, and is tested elsewhere."""
    return {"base": Price(-0.005, 1.15, "a test")}


class Doors:
    """The app with a client that keeps no cookies by itself."""

    def __init__(self, app: FastAPI, house: House, client: TestClient, time: Time) -> None:
        self.app = app
        self.house = house
        self.client = client
        self.time = time

    def call(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Run something of the house in the loop of its server."""
        portal = self.client.portal
        assert portal is not None
        return portal.call(lambda: work(*args, **kwargs))

    def guest(self) -> Person:
        found = self.client.post("/api/guest", json={"by": "token"})
        assert found.status_code == 201, found.text
        return Person(self, found.json())

    def person(self, name: str, role: Role = "player") -> Person:
        body = {"name": name, "password": PASSWORD, "by": "token"}
        found = self.client.post("/api/register", json=body)
        assert found.status_code == 201, found.text
        person = Person(self, found.json())
        if role != "player":
            self.call(self.house.accounts.set_role, person.id, role)
        return person

    def table(self, person: Person, game: str = "blackjack", **spec: Any) -> str:
        """A table without bots and clocks."""
        body = {"game": game, "seconds": 0, "wager_seconds": 0, **spec}
        found: str = person.post("/tables", body)["id"]
        return found

    def cookie(self) -> dict[str, str]:
        """The cookie of a new visitor."""
        found = self.client.post("/api/guest", json={"by": "cookie"}, headers={"origin": HERE})
        assert found.status_code == 201, found.text
        self.client.cookies.clear()
        return {"cookie": f"{COOKIE}={found.cookies[COOKIE]}"}


class Served(NamedTuple):
    """A server of its own, on a port that was free."""

    address: str
    doors: FastAPI
    house: House
    loop: asyncio.AbstractEventLoop

    def call(self, work: Callable[..., Coroutine[Any, Any, T]], *args: Any, **kwargs: Any) -> T:
        """Run something of the house in the loop of its server."""
        return asyncio.run_coroutine_threadsafe(work(*args, **kwargs), self.loop).result(60)


@contextlib.contextmanager
def served(folder: Path, *, port: int = 0) -> Iterator[Served]:
    """A house behind a real server, in a thread."""
    house = House(Store(f"sqlite:///{folder / 'house.db'}"), demo=False)
    house.accounts = Accounts(house.store, passwords=cheap_passwords())
    app = create_app(house, rates=Rates({}))
    app.state.desk.prices.worker = no_prices
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    loops: list[asyncio.AbstractEventLoop] = []
    began = threading.Event()

    async def serve(listener: socket.socket) -> None:
        loops.append(asyncio.get_running_loop())
        began.set()
        await server.serve([listener])

    with socket.create_server(("127.0.0.1", port)) as listener:
        thread = threading.Thread(target=lambda: asyncio.run(serve(listener)))
        thread.start()
        try:
            began.wait(60)
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app, house, loops[0])
        finally:
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive()


@contextlib.contextmanager
def open_doors(
    folder: Path,
    *,
    settings: Settings | None = None,
    rates: Rates | None = None,
    time: Time | None = None,
) -> Iterator[Doors]:
    """A house, served in this process."""
    clock = time or Time()
    house = House(Store(f"sqlite:///{folder / 'house.db'}"), demo=False)
    house.accounts = Accounts(house.store, clock=clock, passwords=cheap_passwords())
    app = create_app(house, settings=settings, rates=rates if rates is not None else Rates({}))
    app.state.desk.prices.worker = no_prices
    with TestClient(app, base_url=HERE) as client:
        yield Doors(app, house, client, clock)


def say(line: Line, message: dict[str, Any]) -> None:
    line.send_text(msgspec.json.encode(message).decode())


def hear(line: Line, kind: str) -> dict[str, Any]:
    """The next message of a kind; others are passed over."""
    while True:
        found: dict[str, Any] = msgspec.json.decode(line.receive_text())
        if found["type"] == kind:
            return found


def do(line: Line, id_: str, command: str, **fields: Any) -> dict[str, Any]:
    """Send a command and give the answer to it."""
    say(line, {"type": "do", "id": id_, "command": {"command": command, **fields}})
    while True:
        found: dict[str, Any] = msgspec.json.decode(line.receive_text())
        if found.get("id") == id_:
            return found
