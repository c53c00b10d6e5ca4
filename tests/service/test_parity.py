"""What a page shows, the API answers: a program can draw the same replay, curve and lists."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import msgspec
import pytest

from service.brain import Brain
from service.test_pages import Browser
from upcard.service.accounts import SignedIn
from upcard.service.specs import TableSpec
from upcard.web.views import Views
from web.serving import PATIENCE, Serving

GAME = "ten-sticks-21"
"""It has lights, which a replay begins with."""


class Played:
    """Somebody who has played some rounds with a page and a program."""

    def __init__(self, serving: Serving, client: httpx.Client) -> None:
        house, call = serving.house, serving.call
        self.serving, self.client = serving, client
        self.signed: SignedIn = call(house.accounts.guest())
        spec = TableSpec(GAME, seconds=0, wager_seconds=0)
        self.table: str = call(house.open_table(spec, None)).id
        call(house.sit(self.table, self.signed.account))
        self.browser = Browser(client, serving, self.signed.token)

    def play(self, rounds: int) -> None:
        house, call, who = self.serving.house, self.serving.call, self.signed.account
        running = call(house.running(self.table))
        brain = Brain(random.Random("parity"))
        for number in range(5000):
            if running.state.rounds >= rounds and not running.state.in_round:
                return
            line = call(house.subscribe(self.table, who))
            welcome = line.queue.get_nowait()
            assert welcome is not None
            brain.hear(msgspec.json.decode(welcome))
            line.close()
            command = brain.next()
            assert command is not None
            answer = call(house.do(self.table, who, command, f"p{number}"))
            if answer.__class__.__name__ == "Refused" and (safe := brain.safe()) is not None:
                call(house.do(self.table, who, safe, f"s{number}"))
        raise AssertionError("the table stands still")

    def api(self, path: str, token: str = "") -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = self.client.get(f"/api{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def elements(self, path: str, cookie: str = "") -> list[dict[str, Any]]:
        browser = Browser(self.client, self.serving, cookie or self.signed.token)
        status, page = browser.get(path)
        assert status == 200
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", page, re.DOTALL)
        assert found is not None
        return list(msgspec.json.decode(unescape(found[1])).values())


@pytest.fixture(scope="module")
def played(serving: Serving) -> Iterator[Played]:
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        found = Played(serving, client)
        found.play(14)
        yield found


def test_a_program_can_draw_the_replay_that_the_page_draws(played: Played) -> None:
    last = played.api(f"/tables/{played.table}/rounds")[0]["round"]
    lights = False
    for number in (1, last // 2, last):
        (felt,) = [
            one["props"]
            for one in played.elements(f"/table/{played.table}/round/{number}")
            if "told" in one.get("props", {})
        ]
        found = played.api(f"/tables/{played.table}/rounds/{number}/replay")
        assert found["told"] == felt["told"]
        assert found["before"] == felt["before"]
        assert found["shoe"] == felt["shoe"]
        assert found["info"] == felt["info"]
        assert (found["table"], found["round"]) == (felt["table"], felt["round"])
        names = [event["event"] for one in found["told"] for event in one["events"]]
        assert "WagersPlaced" in names
        assert names.index("WagersPlaced") < names.index("RoundStarted")
        plain = played.api(f"/tables/{played.table}/rounds/{number}")
        assert found["told"][-len(plain) :] == plain
        lights = lights or any(event["event"] == "PlayerSat" for event in found["before"])
    assert lights
    assert (
        played.client.get(f"/api/tables/{played.table}/rounds/{last + 1}/replay").status_code == 404
    )


def test_a_program_can_draw_the_curves_of_the_operators_page(played: Played) -> None:
    serving = played.serving
    desk = serving.app.state.desk
    serving.call(Views(desk).report())
    serving.call(desk.prices.ready())
    report = serving.call(Views(desk).report())
    token = serving.staff_cookie()["value"]
    found = {one["table"]: one for one in played.api("/operator/results", token)}
    money = {one["table"]: one for one in played.api("/operator/money", token)["tables"]}
    assert {one.info.id for one in report.tables} == set(found) == set(money)
    assert len(found[played.table]["curve"]) > 10
    for one in report.tables:
        answer = found[one.info.id]
        assert answer["curve"] == [point._asdict() for point in one.curve]
        assert answer["failed"] == one.failed
        assert answer["win"] == one.account.win
        assert {row["wager"]: row["win"] for row in answer["wagers"]} == {
            name: row.win for name, row in one.account.wagers.items()
        }
        assert money[one.info.id] == msgspec.to_builtins(one.money)


def test_the_people_of_the_operators_page_are_those_of_the_api(played: Played) -> None:
    serving = played.serving
    token = serving.staff_cookie()["value"]
    elements = played.elements("/operator", token)
    names = [one["text"] for one in elements if one.get("props", {}).get("data-label") == "Name"]
    people = played.api("/operator/accounts?limit=500", token)
    assert names == [one["name"] for one in people][: len(names)]
    assert people[0]["role"] != "guest"
    marks = {one.get("props", {}).get("data-testid") for one in elements}
    assert "people-search" in marks
    assert ("more-people" in marks) is (len(people) > len(names))


def test_all_rounds_of_somebody_are_on_the_page_and_in_the_api(played: Played) -> None:
    """The page shows ten, and a way to the others."""
    elements = played.elements("/me")
    shown = [one["props"].get("href", "") for one in elements if one.get("props")]
    rounds = [href for href in shown if f"/table/{played.table}/round/" in href]
    games = played.api("/me/games?limit=200", played.signed.token)
    assert len(games) >= 14
    expected = [f"/table/{one['table']}/round/{one['round']}" for one in games]
    assert list(dict.fromkeys(rounds))[:10] == expected[:10]
    assert "older" in {one.get("props", {}).get("data-testid") for one in elements}
    house, account = played.serving.house, played.signed.account
    last = games[9]
    older = played.serving.call(
        house.results_of(account.id, limit=10, before=(last["table"], last["round"]))
    )
    assert [one.round for one in older] == [one["round"] for one in games[10:20]]


def test_the_session_page_has_the_review_of_the_api(played: Played) -> None:
    review = played.api(f"/me/review?table={played.table}", played.signed.token)
    assert review["decisions"] > 10
    texts = [one.get("text", "") for one in played.elements(f"/table/{played.table}/session")]
    assert f"{review['right']} of {review['decisions']}" in texts
