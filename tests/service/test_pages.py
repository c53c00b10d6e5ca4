"""The pages over HTTP: which there are, who may see them, and that names stay names."""

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
from service.doors import PASSWORD
from service.hidden import with_other_cards
from upcard import GAME_IDS
from upcard.service.api.settings import COOKIE
from upcard.service.running import RunningTable
from upcard.service.specs import TableSpec
from web.serving import PATIENCE, Serving

HOSTILE = '<img src=x onerror="alert(1)">`${1}'


class Browser:
    """A visitor, who reads what a page holds; without a cookie every page finds a new guest."""

    def __init__(self, client: httpx.Client, serving: Serving, cookie: str = "") -> None:
        self.client = client
        self.serving = serving
        self.house = serving.house
        self.headers = {"accept": "text/html"}
        if cookie:
            self.headers["cookie"] = f"{COOKIE}={cookie}"

    def call(self, work: Any, *args: Any) -> Any:
        """Run something of the house in the loop of its server."""
        return self.serving.call(work(*args))

    def get(self, path: str) -> tuple[int, str]:
        self.client.cookies.clear()
        answer = self.client.get(path, headers=self.headers, follow_redirects=False)
        return answer.status_code, answer.text

    def texts(self, path: str) -> list[str]:
        """All texts of a page, from the elements that the browser draws."""
        _, page = self.get(path)
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", page, re.DOTALL)
        assert found is not None
        elements = msgspec.json.decode(unescape(found[1]))
        return [element["text"] for element in elements.values() if "text" in element]


@pytest.fixture(scope="module")
def browser(serving: Serving) -> Iterator[Browser]:
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        yield Browser(client, serving)


@pytest.fixture(scope="module")
def table(browser: Browser) -> str:
    """A table with a name that means harm."""
    spec = TableSpec("blackjack", name=HOSTILE, bots=1)
    found: str = browser.call(browser.house.open_table, spec, None).id
    return found


def test_every_page_is_there_for_a_guest(browser: Browser, table: str) -> None:
    pages = ["/", "/tables/new", "/drill", "/me", "/sign-in", "/register", "/verify"]
    pages += [f"/rules/{game}" for game in GAME_IDS]
    pages += [f"/drill/{game}" for game in GAME_IDS]
    pages += [f"/tables/new?game={game}" for game in GAME_IDS]
    pages += [f"/table/{table}/{part}" for part in ("rules", "history", "verify", "session")]
    for page in pages:
        status, text = browser.get(page)
        assert status == 200, page
        assert "play money only" in text.lower(), page


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/rules/no-such-game",
        "/drill/no-such-game",
        "/table/none/history",
        "/table/none/rules",
        "/table/none/verify",
        "/table/none",
        "/table/none/round/1",
        "/table/none/round/99999999999999999999999",
    ],
)
def test_what_is_not_there_is_said_with_a_way_on(browser: Browser, path: str) -> None:
    status, _ = browser.get(path)
    assert status == 404
    assert {"There is nothing here", "To the lobby"} <= set(browser.texts(path))


def test_a_table_that_is_not_listed_is_not_found(browser: Browser) -> None:
    spec = TableSpec("blackjack", name="Between friends", listed=False)
    browser.call(browser.house.open_table, spec, None)
    for path in ("/", "/verify"):
        assert not any("Between friends" in text for text in browser.texts(path)), path


def test_who_has_no_password_sets_one_and_who_has_one_changes_it(browser: Browser) -> None:
    new = Browser(browser.client, browser.serving, browser.serving.staff_cookie()["value"])
    texts = new.texts("/me")
    assert texts.count("Set a password") == 2, "the title and the button"
    assert "Old password" not in texts
    assert any("closes all your other sessions and tokens" in text for text in texts)
    entered = browser.call(browser.house.accounts.register, "Patience", PASSWORD)
    texts = Browser(browser.client, browser.serving, entered.token).texts("/me")
    assert {"Change the password", "Old password", "New password"} <= set(texts)
    assert any("closes all your other sessions and tokens" in text for text in texts)


def test_a_used_link_is_explained_where_one_signs_in(browser: Browser) -> None:
    found = {"This link was used already, or is too old.", "upcard house account link Operator"}
    found |= {"upcard house account password Operator"}
    assert found <= set(browser.texts("/sign-in?link=used"))
    assert not found & set(browser.texts("/sign-in"))


def test_chips_at_tables_are_found_on_ones_own_page(browser: Browser) -> None:
    house, call = browser.house, browser.call
    spec = TableSpec("blackjack", name="The far corner", seconds=0, wager_seconds=0, listed=False)
    table = call(house.open_table, spec, None).id
    signed = call(house.accounts.guest)
    own = Browser(browser.client, browser.serving, signed.token)
    assert not any("far corner" in text for text in own.texts("/me"))
    browser.serving.call(house.sit(table, signed.account, seat=4, chips=20_000))
    texts = own.texts("/me")
    assert "At tables $200: " in texts
    assert texts.count("The far corner") == 2, "beside the purse, and in the list of movements"
    assert "chips bought at " in texts
    assert f"/table/{table}" in own.get("/me")[1]
    assert not any("far corner" in text for text in browser.texts("/me")), "it is nobody else's"


def test_commands_are_shown_without_marks(browser: Browser) -> None:
    boss = Browser(browser.client, browser.serving, browser.serving.staff_cookie()["value"])
    texts = boss.texts("/operator")
    assert "upcard verify" in texts
    assert not any("`upcard" in text for text in texts)


def test_the_operators_page_is_for_staff(browser: Browser) -> None:
    assert browser.get("/operator")[0] == 403
    assert "This page is for operators and auditors." in browser.texts("/operator")


def test_staff_sees_the_operators_page_and_an_auditor_no_way_to_act(browser: Browser) -> None:
    accounts = browser.house.accounts
    entered = browser.call(accounts.register, "Olga", PASSWORD)
    other = Browser(browser.client, browser.serving, entered.token)
    assert other.get("/operator")[0] == 403
    for role, acts in (("auditor", False), ("operator", True)):
        browser.call(accounts.set_role, entered.account.id, role)
        status, text = other.get("/operator")
        assert status == 200
        assert ("/pause" in text) is acts
        assert "Ledgers" in other.texts("/operator")


def test_a_name_never_becomes_markup(browser: Browser, table: str) -> None:
    for path in ("/", f"/table/{table}/history", f"/table/{table}/rules", "/verify"):
        _, page = browser.get(path)
        assert "<img src=x" not in page, path
        assert any(HOSTILE in text for text in browser.texts(path)), path


def test_nothing_comes_from_elsewhere(browser: Browser) -> None:
    _, page = browser.get("/")
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert address.startswith(("/", "data:", "#")), address
    for file in re.findall(r'(?:src|href)="(/static/upcard/[^"]+)"', page):
        assert browser.client.get(file).status_code == 200


def test_a_rule_can_be_led_to(browser: Browser, table: str) -> None:
    _, page = browser.get(f"/table/{table}/rules")
    for place in ("clause-HB-SPLIT", "wager-base", "action-double", "shoe", "dealer", "bank"):
        assert f'"id":"{place}"' in page.replace(" ", "").replace("&#34;", '"'), place


def test_a_page_that_fails_says_so_and_nothing_of_what_is_in_it(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the next card is the ace of spades")

    monkeypatch.setattr("upcard.web.pages.lobby.in_order", broken)
    status, page = browser.get("/")
    assert status == 500
    assert page.replace(" ", "").count('"data-testid":"bar"') == 1
    assert "ace of spades" not in page
    assert "ace of spades" not in caplog.text
    assert "The house cannot do that now" in browser.texts("/")


def _asked(browser: Browser, game: str) -> tuple[RunningTable, str]:
    """A table with a round in play that waits for somebody, and the cookie of that person."""
    spec = TableSpec(game, seconds=0, wager_seconds=0, listed=False)
    house, call = browser.house, browser.call
    table = call(house.running, call(house.open_table, spec, None).id)
    signed = call(house.accounts.guest)
    call(house.sit, table.id, signed.account)
    brain = Brain(random.Random(game))
    for number in range(200):
        subscription = call(house.subscribe, table.id, signed.account)
        brain.hear(msgspec.json.decode(subscription.queue.get_nowait()))
        subscription.close()
        question = brain.view.get("question")
        if question is not None and brain.view["round"] > 1:
            return table, signed.token
        command = brain.next() if question is None else brain.safe()
        assert command is not None
        call(house.do, table.id, signed.account, command, f"{game} {number}")
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize("game", ["ten-sticks-21", "twisted-21"])
def test_no_page_and_no_answer_is_another_with_other_hidden_cards(
    browser: Browser, game: str
) -> None:
    """Down cards, the shoe and its secret are others: every byte is the same, for staff as well."""
    table, token = _asked(browser, game)
    real = table.state
    assert real.round is not None
    assert any(real.round.dealer.down)
    player = Browser(browser.client, browser.serving, token)
    boss = Browser(browser.client, browser.serving, browser.serving.staff_cookie()["value"])
    own = [f"/table/{table.id}{part}" for part in ("", "/rules", "/history", "/session", "/verify")]
    own += [f"/api/tables/{table.id}{part}" for part in ("", "/rules", "/rounds", "/rounds/1")]
    own.append(f"/api/tables/{table.id}/rounds/1/replay")
    own += ["/", "/me", "/api/me", "/api/tables", "/api/me/review"]
    staff = ["/operator", "/api/operator/money", "/api/operator/tables", "/api/operator/results"]
    told: list[dict[str, str]] = []
    boss.get("/operator")  # who asks first has the prices worked out
    browser.call(browser.serving.app.state.desk.prices.ready)
    try:
        for throws in (None, random.Random(1)):
            table.state = real if throws is None else with_other_cards(real, throws)
            found = {path: _still(player, path) for path in own}
            told.append(found | {f"staff {path}": _still(boss, path) for path in (*own, *staff)})
    finally:
        table.state = real
    for path in told[0]:
        assert told[0][path] == told[1][path], path


def _still(browser: Browser, path: str) -> str:
    """An answer without what is another every time: ids of clients, and the time of day."""
    status, text = browser.get(path)
    assert status in (200, 404), (path, text[:300])
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", text)
    return re.sub(r"\d{2}:\d{2}(:\d{2}(\.\d+)?)?", "", text)
