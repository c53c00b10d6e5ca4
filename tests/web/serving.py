"""A real house on a free port, in a thread of the tests' own process, and a browser for it."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from upcard.errors import UpcardError
from upcard.service.accounts import SignedIn
from upcard.service.api.app import create_app
from upcard.service.api.settings import COOKIE, Settings
from upcard.service.house import House
from upcard.service.messages import Ack
from upcard.service.pricing import Price
from upcard.service.running import RunningTable
from upcard.service.specs import Account, TableInfo, TableSpec
from upcard.service.store import Store
from upcard.table import commands as cm

T = TypeVar("T")

PATIENCE = 60
"""Seconds that anything may take on a busy machine before a test gives up."""


async def unpriced(game: str, settings: Mapping[str, str]) -> dict[str, Price]:
    """What a game is worth takes long to find out, and is nothing to these tests."""
    raise UpcardError(f"{game} is not priced here with {dict(settings)}")


class Serving:
    """A house that serves pages and API, and what tests do to it behind the pages."""

    def __init__(self, folder: Path) -> None:
        from upcard.web.app import mount

        self.house = House(Store(f"sqlite:///{folder / 'house.db'}"))
        self.app = app = create_app(self.house, settings=Settings(rates=False))
        app.state.desk.prices.worker = unpriced
        mount(app, self.house)
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="warning", ws_max_size=1 << 16)
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, name="house", daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the house does not start"
            self.thread.join(0.02)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve(sockets=[self.listener]))

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the house's own thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    # ------------------------------------------------------------------ tables for tests

    def table(
        self,
        game: str,
        *,
        cards: str = "",
        settings: dict[str, str] | None = None,
        bots: int = 0,
        name: str = "",
        seconds: int = 0,
    ) -> TableInfo:
        """A table without clocks unless told; with `cards` they come in this order."""
        spec = TableSpec(
            game=game,
            name=name,
            settings=settings or {},
            bots=bots,
            seconds=seconds,
            wager_seconds=0,
            speed="fast",
        )
        info = self.call(self.house.open_table(spec, None, scripted=bool(cards)))
        if cards:
            self.stack(info.id, cards)
        return info

    def stack(self, table: str, cards: str) -> None:
        """Lay the next cards of the shoe."""
        assert self.call(self._stack(table, tuple(cards.split()))), "the shoe is not stacked"

    async def _stack(self, table: str, cards: tuple[str, ...]) -> bool:
        running = await self.house.running(table)
        return await self.house.house_does(running, cm.StackShoe(cards=cards), "house")

    def cut_lines(self, table: str) -> None:
        """End all lines to a table, as a network that fails does."""

        async def cut() -> None:
            for line in self.house.watching.lines(table):
                line.close()

        self.call(cut())

    def running(self, table: str) -> RunningTable:
        return self.call(self.house.running(table))

    def somebody(self) -> Account:
        """A guest who acts behind the pages."""
        return self.call(self.house.accounts.guest()).account

    def operator(self) -> Account:
        """Somebody of the staff."""
        return self.call(self._operator()).account

    def staff_cookie(self) -> Any:
        """The cookie of an operator who has signed in."""
        opened = self.call(self._operator())
        return {"name": COOKIE, "value": opened.token, "url": self.url}

    async def _operator(self) -> SignedIn:
        accounts = self.house.accounts
        account = await accounts.add_staff(f"Staff {secrets.token_hex(3)}", "operator")
        return await accounts.use_once(await accounts.once(account))

    def seated(self, table: str, seat: int, chips: int) -> Other:
        """Somebody who sits down behind the pages."""
        other = Other(self, table, self.somebody())
        answer = self.call(self.house.sit(table, other.account, seat=seat, chips=chips))
        assert isinstance(answer, Ack), answer
        return other


class Other:
    """Somebody at a table who has no page: commands go to the house as a socket's do."""

    def __init__(self, serving: Serving, table: str, account: Account) -> None:
        self.serving = serving
        self.table = table
        self.account = account

    def do(self, command: str, **fields: Any) -> None:
        asked = {"command": command, **fields}
        name = f"test-{secrets.token_hex(6)}"
        answer = self.serving.call(self.serving.house.do(self.table, self.account, asked, name))
        assert isinstance(answer, Ack), answer

    def wait(self, until: Callable[[RunningTable], bool]) -> RunningTable:
        """Look at the table until something is so."""
        return self.serving.call(self._wait(until))

    async def _wait(self, until: Callable[[RunningTable], bool]) -> RunningTable:
        running = await self.serving.house.running(self.table)
        while not until(running):
            await asyncio.sleep(0.01)
        return running

    def offered(self, command: str, **fields: Any) -> None:
        """Answer the offer of the bank, as soon as it comes; others decline it till then."""
        me = self.account.name
        self.wait(lambda table: table.state.offer is not None and table.state.offer.player == me)
        self.do(command, **fields)

    def decide(self, action: str, **fields: Any) -> None:
        """Answer a question, as soon as it is asked."""
        me = self.account.name

        def asked(table: RunningTable) -> bool:
            question = table.engine.question(table.state) if table.state.in_round else None
            return question is not None and question.player == me

        running = self.wait(asked)
        question = running.engine.question(running.state)
        assert question is not None
        self.do(action.capitalize(), position=question.position, **fields)
