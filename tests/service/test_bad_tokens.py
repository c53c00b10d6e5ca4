"""Tokens that open nothing are not to be tried without end, by whatever way in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from service.doors import Doors, Time, open_doors
from upcard.service.api.settings import COOKIE
from upcard.service.api.socket import Ends
from upcard.service.rates import Rate, Rates

FEW = 3


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    time = Time()
    rates = Rates({"requests": Rate(FEW, 0.5)}, clock=time.monotonic)
    with open_doors(tmp_path, rates=rates, time=time) as found:
        yield found


def bad(number: int) -> dict[str, str]:
    return {"authorization": f"Bearer {'x' * 40}{number}"}


@pytest.mark.parametrize("path", ["/api/health", "/api/me", "/"])
def test_bad_tokens_are_counted_by_where_they_come_from(doors: Doors, path: str) -> None:
    answers = [doors.client.get(path, headers=bad(number)) for number in range(FEW + 2)]
    assert [one.status_code for one in answers] == [401] * FEW + [429] * 2
    assert answers[-1].headers["retry-after"] == "2"
    assert doors.client.get("/api/health").status_code == 429, "nobody is counted there as well"
    doors.time.pass_by(seconds=2)
    assert doors.client.get(path, headers=bad(99)).status_code == 401


@pytest.mark.parametrize("token", ["", "x" * 1000])
def test_tokens_that_cannot_be_are_counted_too(doors: Doors, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    answers = [doors.client.get("/api/health", headers=headers) for _ in range(FEW + 1)]
    assert [one.status_code for one in answers] == [401] * FEW + [429]


def test_lines_count_bad_tokens(doors: Doors) -> None:
    def end(number: int) -> int:
        address = "/api/tables/t/socket"
        with doors.client.websocket_connect(address, headers=bad(number)) as line:
            assert msgspec.json.decode(line.receive_text())["type"] == "error"
            with pytest.raises(WebSocketDisconnect) as over:
                line.receive_text()
        return over.value.code

    ends = [end(number) for number in range(FEW + 1)]
    assert ends == [Ends.SIGNED_OUT] * FEW + [Ends.TOO_OFTEN]


def test_who_has_a_token_does_not_wait_for_those_who_have_none(doors: Doors) -> None:
    person = doors.guest()
    for number in range(FEW + 1):
        doors.client.get("/api/health", headers=bad(number))
    answers = [person.ask("GET", "/me").status_code for _ in range(FEW + 1)]
    assert answers == [200] * FEW + [429]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_bad_cookies_are_counted(doors: Doors, method: str) -> None:
    """Also where something is to be changed, and no page of the house asks for it."""
    path, refused = ("/api/health", 200) if method == "GET" else ("/api/me/purse/refill", 403)
    answers = [
        doors.client.request(method, path, headers={"cookie": f"{COOKIE}={'x' * 40}{number}"})
        for number in range(FEW + 2)
    ]
    assert [one.status_code for one in answers] == [refused] * FEW + [429] * 2
