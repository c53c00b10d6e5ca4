"""What every request passes: hosts, origins, sizes, cookies, headers, failures in a sentence."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from service.doors import HERE, PASSWORD, Doors, Time, open_doors
from upcard.service.api.settings import COOKIE, LOOPBACK_HOSTS, Settings
from upcard.service.rates import RATES, Rates

ELSEWHERE = "https://evil.example"
NEW = {"name": "Somebody", "password": PASSWORD, "by": "cookie"}


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


# ------------------------------------------------------------------ other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ELSEWHERE},
        {"origin": "null"},
        {"origin": "http://testserver:81"},
        {"origin": "https://testserver"},
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://testserver@evil.example"},
        {"origin": "http://[::1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ],
)
def test_a_cookie_changes_nothing_for_another_site(doors: Doors, headers: dict[str, str]) -> None:
    cookie = doors.cookie()
    found = doors.client.post("/api/me/purse/refill", headers=headers | cookie)
    assert found.status_code == 403
    assert "page of this house" in found.json()["error"]


@pytest.mark.parametrize(
    "headers", [{"origin": HERE}, {"origin": f"{HERE}:80"}, {"sec-fetch-site": "same-origin"}]
)
def test_a_page_of_the_house_may(doors: Doors, headers: dict[str, str]) -> None:
    found = doors.client.post("/api/me/purse/refill", headers=headers | doors.cookie())
    assert found.status_code == 409
    assert "full" in found.json()["error"]


@pytest.mark.parametrize("path", ["/api/sign-in", "/api/register", "/api/guest"])
def test_nobody_is_signed_in_from_another_site(doors: Doors, path: str) -> None:
    body = {"by": "cookie"} if path == "/api/guest" else NEW
    found = doors.client.post(path, json=body, headers={"origin": ELSEWHERE})
    assert found.status_code == 403
    assert "set-cookie" not in found.headers


def test_reading_is_free_but_not_for_other_sites_scripts(doors: Doors) -> None:
    found = doors.client.get("/api/me", headers={"origin": ELSEWHERE} | doors.cookie())
    assert found.status_code == 200
    assert not any(name.startswith("access-control") for name in found.headers)


def test_a_token_needs_no_page(doors: Doors) -> None:
    person = doors.guest()
    assert person.ask("POST", "/me/purse/refill").status_code == 409


def test_a_form_is_no_request(doors: Doors) -> None:
    headers = {"origin": HERE, "content-type": "text/plain"} | doors.cookie()
    found = doors.client.put("/api/me/limits", content='{"loss": 1, "minutes": 1}', headers=headers)
    assert found.status_code in (409, 422)
    assert "application/json" in found.json()["error"]


def test_the_house_answers_to_its_own_names_only(tmp_path: Path) -> None:
    with open_doors(tmp_path, settings=Settings(hosts=LOOPBACK_HOSTS)) as doors:
        for host, status in {
            "localhost:8421": 200,
            "127.0.0.1": 200,
            "[::1]:8421": 200,
            "evil.example": 421,
            "localhost.evil.example": 421,
            "": 421,
        }.items():
            found = doors.client.get("/api/health", headers={"host": host})
            assert found.status_code == status, host
        with (
            pytest.raises(WebSocketDisconnect),
            doors.client.websocket_connect("/api/tables/t/socket", headers={"host": "evil"}),
        ):
            pass


# ------------------------------------------------------------------ cookies and headers


def test_cookies_are_for_the_server_alone(doors: Doors) -> None:
    found = doors.client.post("/api/guest", json={"by": "cookie"}, headers={"origin": HERE})
    doors.client.cookies.clear()
    parts = found.headers["set-cookie"].split("; ")
    assert parts[0].startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts)
    assert "Secure" not in parts
    assert found.json()["token"] == "", "a script cannot read what a cookie holds"


def test_behind_a_proxy_cookies_are_secure(tmp_path: Path) -> None:
    with open_doors(tmp_path, settings=Settings(secure=True, behind_proxy=True)) as doors:
        found = doors.client.post("/api/guest", json={"by": "cookie"}, headers={"origin": HERE})
        assert "Secure" in found.headers["set-cookie"].split("; ")
        assert "max-age" in found.headers["strict-transport-security"]


@pytest.mark.parametrize("path", ["/api/health", "/api/nothing", "/nothing"])
def test_every_answer_has_its_headers(doors: Doors, path: str) -> None:
    headers = doors.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "http:" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "same-origin"
    if path.startswith("/api"):
        assert headers["cache-control"] == "no-store"


def test_a_visitor_of_a_page_is_a_guest_from_then_on(doors: Doors) -> None:
    page = {"accept": "text/html"}
    first = doors.client.get("/", headers=page)
    cookie = {"cookie": f"{COOKIE}={first.cookies[COOKIE]}"}
    doors.client.cookies.clear()
    again = doors.client.get("/", headers=page | cookie)
    assert "set-cookie" not in again.headers
    assert doors.client.get("/api/me", headers=cookie).json()["role"] == "guest"
    assert "set-cookie" not in doors.client.get("/api/health", headers=page).headers


def test_a_cookie_lasts_as_long_as_somebody_comes(tmp_path: Path) -> None:
    time = Time()
    with open_doors(tmp_path, time=time) as doors:
        cookie = doors.cookie()
        for _ in range(6):
            time.pass_by(days=20)
            found = doors.client.get("/", headers={"accept": "text/html"} | cookie)
            assert f"{COOKIE}={cookie['cookie'].partition('=')[2]}" in found.headers["set-cookie"]
            doors.client.cookies.clear()


# ------------------------------------------------------------------ size, rates, failures


def test_what_is_too_long_is_not_read(doors: Doors) -> None:
    found = doors.client.post("/api/guest", content=b" " * 70_000)
    assert found.status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    assert doors.client.post("/api/guest", content=endless()).status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b'{"by":"\\ud800"}', b"[" * 5000]
)
def test_what_cannot_be_read_is_one_sentence(doors: Doors, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    found = doors.client.post("/api/guest", content=body, headers=headers)
    assert found.status_code == 422
    assert set(found.json()) == {"error", "clauses"}


def test_asking_too_often_is_refused_with_a_time(tmp_path: Path) -> None:
    time = Time()
    with open_doors(tmp_path, rates=Rates(RATES, clock=time.monotonic), time=time) as doors:
        body = {"name": "Zoë", "password": "wrong password", "by": "token"}
        for _ in range(int(RATES["sign-in"].burst)):
            assert doors.client.post("/api/sign-in", json=body).status_code == 403
        found = doors.client.post("/api/sign-in", json=body)
        assert found.status_code == 429
        assert int(found.headers["retry-after"]) == 10
        time.pass_by(seconds=10)
        assert doors.client.post("/api/sign-in", json=body).status_code == 403
        person = doors.guest()
        for _ in range(int(RATES["tables"].burst)):
            doors.table(person)
        assert person.ask("POST", "/tables", {"game": "blackjack"}).status_code == 429


def test_a_failure_inside_tells_nothing(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails() -> None:
        raise RuntimeError("the next card is the As, the seed 5eed")

    monkeypatch.setattr(doors.house, "tables", fails)
    with caplog.at_level(logging.DEBUG):
        found = doors.client.get("/api/tables")
    assert found.status_code == 500
    assert set(found.json()) == {"error", "clauses"}
    assert "/api/tables failed with RuntimeError" in caplog.text
    for text in (found.text, caplog.text):
        assert "As" not in text
        assert "5eed" not in text
        assert "Traceback" not in text


def test_a_page_with_a_bad_token_is_refused_and_a_proxys_own_header_is_not(doors: Doors) -> None:
    page = {"accept": "text/html"}
    bad = doors.client.get("/", headers=page | {"authorization": "Bearer nothing"})
    assert bad.status_code == 401
    proxy = doors.client.get("/", headers=page | {"authorization": "Basic YTpi"})
    doors.client.cookies.clear()
    assert COOKIE in proxy.cookies


def test_a_store_that_is_away_is_said_so(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    from upcard.service.specs import HouseError

    async def away(*_: object, **__: object) -> None:
        raise HouseError("the store does not take anything now", "unavailable")

    person = doors.guest()
    monkeypatch.setattr(doors.house.store, "read", away)
    assert person.ask("GET", "/me").status_code == 503
    cookie = {"cookie": f"{COOKIE}={person.token}", "accept": "text/html"}
    assert doors.client.get("/", headers=cookie).status_code == 503
