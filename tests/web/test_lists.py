"""Long lists in the browser: people are found and gone through, and so are one's own rounds."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, expect

from service.doors import PASSWORD
from upcard.service.api.settings import COOKIE
from upcard.service.messages import Ack
from web.serving import Other, Serving

DOLLAR = 100


def test_an_operator_finds_people(visitor: BrowserContext, house: Serving) -> None:
    accounts = house.house.accounts
    house.call(accounts.register("Bartholomew", PASSWORD))
    for _ in range(52):
        house.call(accounts.guest())
    visitor.add_cookies([house.staff_cookie()])
    page = visitor.new_page()
    page.goto("/operator")
    rows = page.get_by_test_id("people").get_by_role("row")
    expect(rows).to_have_count(50)
    expect(rows.first).not_to_contain_text("guest")
    page.get_by_test_id("more-people").click()
    expect(rows).not_to_have_count(50)
    search = page.get_by_test_id("people-search")
    search.press_sequentially("THOLO")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Bartholomew")
    expect(page.get_by_test_id("more-people")).to_have_count(0)
    search.fill("nobody at all")
    expect(page.get_by_text("Nobody is called that.")).to_be_visible()


def test_older_rounds_come_when_they_are_asked_for(visitor: BrowserContext, house: Serving) -> None:
    signed = house.call(house.house.accounts.guest())
    table = house.table("blackjack").id
    assert isinstance(house.call(house.house.sit(table, signed.account, seat=4)), Ack)
    other = Other(house, table, signed.account)
    running = house.running(table)
    for _ in range(12):
        other.do("PlaceWagers", position=4, wagers={"base": 5 * DOLLAR})
        other.do("Deal")
        while running.state.in_round:
            question = running.engine.question(running.state)
            assert question is not None
            other.decide(question.actions[-1].text)
    visitor.add_cookies([{"name": COOKIE, "value": signed.token, "url": house.url}])
    page = visitor.new_page()
    page.goto("/me")
    rounds = page.get_by_test_id("own-rounds").get_by_role("link")
    expect(rounds).to_have_count(10)
    page.get_by_test_id("older").click()
    expect(rounds).to_have_count(12)
    expect(rounds.last).to_have_attribute("href", re.compile("/round/1$"))
    expect(page.get_by_test_id("older")).to_have_count(0)
