"""Pages keep to the rates that the API has: what is asked too often is refused in kind words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import Request

from service.doors import Time
from service.test_pages import Browser
from upcard.service.api.who import Caller
from upcard.service.rates import RATES, Rate, Rates, TooOftenError
from upcard.service.specs import TableSpec
from upcard.web.views import Views
from web.serving import PATIENCE, Serving


@pytest.fixture(scope="module")
def browser(serving: Serving) -> Iterator[Browser]:
    """Somebody who has been here before."""
    token = serving.call(serving.house.accounts.guest()).token
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        yield Browser(client, serving, token)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def rates(serving: Serving, clock: Time, monkeypatch: pytest.MonkeyPatch) -> Rates:
    """The rates of a real house, by a clock that stands."""
    found = Rates(clock=clock.monotonic)
    monkeypatch.setattr(serving.app.state.desk, "rates", found)
    return found


@pytest.fixture(scope="module")
def table(browser: Browser) -> str:
    found: str = browser.call(browser.house.open_table, TableSpec("blackjack"), None).id
    return found


@pytest.mark.usefixtures("rates")
def test_a_page_verifies_as_often_as_the_api_does(
    browser: Browser, table: str, clock: Time
) -> None:
    path, burst = f"/table/{table}/verify", int(RATES["work"].burst)
    answers = [browser.get(path)[0] for _ in range(burst + 8)]
    assert answers == [200] * burst + [429] * 8
    said = " ".join(browser.texts(path))
    assert "Not now" in said
    assert "Too many checks: try again in 5 seconds." in said
    assert (
        browser.client.get(f"/api/tables/{table}/verify", headers=browser.headers).status_code
        == 429
    )
    assert browser.get("/")[0] == 200, "other pages are there"
    clock.pass_by(seconds=5)
    assert browser.get(path)[0] == 200


def test_a_page_that_is_asked_for_too_often_says_when_to_come_back(
    browser: Browser, serving: Serving, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Rates({"requests": Rate(3, 0.5), "guests": Rate(1, 0.1)}, clock=clock.monotonic)
    monkeypatch.setattr(serving.app.state.desk, "rates", few)
    assert [browser.get("/")[0] for _ in range(4)] == [200, 200, 200, 429]
    answer = browser.client.get("/drill", headers=browser.headers)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "2"
    assert answer.headers["content-type"].startswith("text/html")
    assert "Too many requests: try again in 2 seconds." in answer.text
    assert "To the lobby" in answer.text
    assert answer.headers["content-security-policy"]
    program = browser.client.get("/drill", headers={"cookie": browser.headers["cookie"]})
    assert (program.status_code, program.json()["clauses"]) == (429, [])
    assert browser.client.get("/static/upcard/upcard.css").status_code == 200, "no page"
    clock.pass_by(seconds=2)
    assert browser.get("/")[0] == 200


def asked_by(serving: Serving, address: str) -> Request:
    return Request({"type": "http", "app": serving.app, "state": {"caller": Caller(None, address)}})


@pytest.mark.usefixtures("rates")
def test_what_a_page_works_out_is_counted_and_done_one_by_one(serving: Serving) -> None:
    """Hands of drills and choices for a table come by events, which are no requests."""
    views = Views(serving.app.state.desk)
    doing = views.doing(asked_by(serving, "192.0.2.1"))
    at_once, most = 0, 0

    def work(number: int) -> int:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        at_once -= 1
        return number

    async def all_at_once() -> list[Any]:
        asked = [doing(work, number) for number in range(int(RATES["steps"].burst) + 5)]
        return await asyncio.gather(*asked, return_exceptions=True)

    found = serving.call(all_at_once())
    refused = [one for one in found if isinstance(one, TooOftenError)]
    assert len(refused) == 5
    assert sorted(one for one in found if isinstance(one, int)) == list(range(len(found) - 5))
    assert most == 1
    other = views.doing(asked_by(serving, "192.0.2.2"))
    assert serving.call(other(work, 7)) == 7


def test_a_drill_and_a_new_table_say_what_was_too_much(serving: Serving) -> None:
    from nicegui.client import Client
    from nicegui.page import page

    from upcard.coach import Drill, drill_kinds
    from upcard.service.house_games import need_game
    from upcard.web.making import Draft
    from upcard.web.pages.create import Maker
    from upcard.web.pages.drill import DrillPage

    late = False

    async def doing(work: Any, *args: Any) -> Any:
        if late:
            raise TooOftenError("too much at once: try again in a second", 1.0)
        return work(*args)

    def said(drill: DrillPage) -> str | None:
        return drill.verdict._text  # noqa: SLF001

    async def look() -> None:
        nonlocal late
        tables = need_game("blackjack")
        with Client(page(""), request=None):
            drill = DrillPage(tables, Drill(tables, "hard", seed=1), drill_kinds(tables), doing)
            maker = Maker(Draft("blackjack"), doing)
            await drill.next()
            hand = drill.hand
            assert hand is not None
            late = True
            await drill.answer(hand.actions[0])
            assert said(drill) == "Too much at once: try again in a second."
            assert (drill.hand, drill.score.answered) == (hand, 0), "it can be answered again"
            await maker.changed()
            assert maker.judged.general == ["Too much at once: try again in a second."]
            held = [maker.judged.holds]
            late = False
            await maker.changed()
            held.append(maker.judged.holds)
            assert held == [False, True]
            await drill.answer(hand.actions[0])
            assert drill.score.answered == 1
            late = True
            await drill.next()
            assert said(drill) == "Too much at once: try again in a second."

    serving.call(look())
