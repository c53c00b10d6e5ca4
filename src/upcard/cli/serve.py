"""`upcard serve`: the house online."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.house_place import Database, DataFolder, Place, need_web
from upcard.cli.output import complain
from upcard.errors import UpcardError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from upcard.service.accounts import Accounts
    from upcard.service.house import House

PORT = 8421
PORTS_TRIED = 20
GRACE_SECONDS = 3
OPERATOR = "Operator"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 is every one of this machine.")
    ] = LOOPBACK[0],
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="The port; 0 is any free one.",
            show_default=f"{PORT}, or the next that is free",
        ),
    ] = None,
    db: Database = "",
    data: DataFolder = None,
    open_: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Open the page in a browser.",
            show_default="where there is a screen",
        ),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            help="A proxy that speaks HTTPS is in front, and what its headers say is believed.",
        ),
    ] = False,
) -> None:
    """Open the house: tables in the browser, for play money only.

    It needs nothing but this command. Everything is kept in the data folder; when the house is
    opened again, every round goes on where it stopped. Several servers share one PostgreSQL with
    --db.

    Example: upcard serve --port 8080
    """
    need_web("upcard serve")
    place = Place.of(db, data)
    with place.held(), listening(host, port) as listener:
        _run(place, listener, host, behind_proxy=behind_proxy, opens=open_)


def _run(
    place: Place, listener: socket.socket, host: str, *, behind_proxy: bool, opens: bool | None
) -> None:
    import uvicorn

    from upcard.service import garbage
    from upcard.service.api.app import create_app
    from upcard.service.api.settings import LOOPBACK_HOSTS, Settings
    from upcard.service.house import House

    is_local = host in LOOPBACK and not behind_proxy
    settings = Settings(
        hosts=LOOPBACK_HOSTS if is_local else (), secure=behind_proxy, behind_proxy=behind_proxy
    )
    place.make_private()
    house = House(place.store())
    app = create_app(house, settings=settings)
    _mount_pages(app, house)
    address = _address(host, listener.getsockname()[1])
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # addresses hold links that sign in
        proxy_headers=behind_proxy,
        forwarded_allow_ips="*" if behind_proxy else None,
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
        date_header=False,
        ws_max_size=1 << 20,
        lifespan="on",
    )
    _quiet_logs()

    async def ready() -> None:
        garbage.tend()
        await _say_open(house.accounts, address, warns=host not in LOOPBACK and not behind_proxy)
        if _may_open_browser() if opens is None else opens:
            webbrowser.open(address)

    server = _server(config, ready)
    try:
        server.run(sockets=[listener])
    except SystemExit as leaving:  # so it says that it could not begin
        why = app.state.desk.failure
        raise why or UpcardError("the house could not be opened") from leaving
    typer.echo("The house is closed.")


def _mount_pages(app: FastAPI, house: House) -> None:
    from importlib.util import find_spec

    if find_spec("upcard.web.app") is not None:
        from upcard.web.app import mount

        mount(app, house)


def _quiet_logs() -> None:
    """One line for each thing that goes wrong; the server's own chatter is not for operators."""
    logging.basicConfig(
        level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s", stream=sys.stderr
    )
    # Whoever sends rubbish to the pages' own line must not fill the operator's log with it.
    for name in ("uvicorn.error", "asyncio", "engineio", "socketio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _server(config: Any, ready: Callable[[], Any]) -> Any:
    """A server that says when it is open, and leaves quietly when it is told to."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                await ready()

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            # As the original, but the signal is not raised again when all is done.
            told = (signal.SIGINT, signal.SIGTERM)
            before = {number: signal.signal(number, self.handle_exit) for number in told}
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

    return Server(config)


async def _say_open(accounts: Accounts, address: str, *, warns: bool) -> None:
    from upcard.service.house_games import own_games

    typer.echo(f"Upcard is open at {address}")
    typer.echo("Play money only. Ctrl-C closes the house; every round goes on where it stopped.")
    for problem in own_games().broken:
        complain(problem)
    if warns:
        typer.echo(
            "Everybody who reaches this machine can come in, and plain HTTP hides nothing on the "
            "way: put a proxy that speaks HTTPS in front, and say so with --behind-proxy.",
            err=True,
        )
    if not await accounts.operators():
        try:
            code = await accounts.once(await accounts.add_staff(OPERATOR, "operator"))
        except UpcardError:
            return  # a server that started in the same moment says it
        typer.echo(f"The operator signs in here, once, within a day: {address}api/enter/{code}")


# ------------------------------------------------------------------ the port


@contextlib.contextmanager
def listening(host: str, port: int | None) -> Iterator[socket.socket]:
    """A socket that listens; without a port of one's own, on the first free one of a few."""
    wanted = [port] if port is not None else range(PORT, PORT + PORTS_TRIED)
    for number in wanted:
        try:
            listener = _bound(host, number)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            reason = error.strerror or str(error)
            raise UpcardError(
                f"this machine cannot listen on {host}, port {number}: {reason}"
            ) from error
        with listener:
            yield listener
        return
    if port is not None:
        raise UpcardError(
            f"port {port} of {host} is in use: name another with --port, or 0 for any free one"
        )
    last = PORT + PORTS_TRIED - 1
    raise UpcardError(f"the ports {PORT} to {last} of {host} are in use: name one with --port")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def _address(host: str, port: int) -> str:
    """
    >>> _address("0.0.0.0", 8421), _address("::1", 80)
    ('http://127.0.0.1:8421/', 'http://[::1]:80/')
    """
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _may_open_browser() -> bool:
    """Whether somebody sits in front of a screen."""
    if not sys.stdout.isatty() or "CI" in os.environ:
        return False
    shown = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(name in os.environ for name in shown)
