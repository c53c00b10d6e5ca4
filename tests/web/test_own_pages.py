"""What somebody does on the pages of their own: a password, limits, a table to be opened."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from service.doors import PASSWORD
from web.serving import Serving


def test_two_clicks_open_one_table(page: Page, house: Serving) -> None:
    page.goto("/tables/new")
    button = page.get_by_test_id("open-table")
    page.locator("#set-name").fill("Once only")
    page.locator("#set-name").blur()
    expect(button).to_be_enabled()
    button.dblclick()
    page.wait_for_url(re.compile("/table/"))
    # A script is quicker than a hand: clicks that come before anything is drawn.
    page.goto("/tables/new")
    page.locator("#set-name").fill("Once only")
    page.locator("#set-name").blur()
    expect(button).to_be_enabled()
    button.evaluate("(one) => { for (let click = 0; click < 5; click++) one.click(); }")
    page.wait_for_url(re.compile("/table/"))
    tables = house.call(house.house.tables())
    assert [one.name for one in tables].count("Once only") == 2, "one for each time"


def test_a_field_says_what_is_wrong_with_it_now(page: Page) -> None:
    page.goto("/tables/new")
    field, said = page.locator("#set-penetration"), page.locator("#wrong-penetration")
    for text in ("abc", "7"):
        field.fill(text)
        field.blur()
        expect(said).to_contain_text(f'"{text}" is not allowed: it may be')
    expect(page.get_by_test_id("open-table")).to_be_disabled()


def test_a_first_password_is_set_with_one_field_and_it_says_so(
    visitor: BrowserContext, house: Serving
) -> None:
    visitor.add_cookies([house.staff_cookie()])
    page = visitor.new_page()
    page.goto("/me")
    form = page.get_by_test_id("password-form")
    expect(form.locator("input[type=password]")).to_have_count(1)
    form.locator("input[type=password]").fill(PASSWORD)
    page.get_by_test_id("set-password").click()
    done = page.get_by_text("Your password is set. All other sessions and tokens are closed.")
    expect(done).to_be_visible()
    expect(page.get_by_test_id("set-password")).to_have_text("Change the password")
    page.reload()
    expect(form.locator("input[type=password]")).to_have_count(2)
    expect(done).to_have_count(0)


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("loss", "-5", "is no amount; write dollars such as 25 or 12.50, not below 0."),
        ("loss", "1.234", "is no amount; write dollars such as 25 or 12.50, not below 0."),
        ("loss", "99999999999", "the most that can be set is $1,000,000,000."),
        ("minutes", "1.5", "is no whole number; write one such as 60, not below 0."),
        ("minutes", "1441", "the most that can be set is 1,440."),
    ],
)
def test_a_limit_that_cannot_be_is_refused_in_its_own_unit(
    page: Page, field: str, typed: str, said: str
) -> None:
    page.goto("/me")
    limits = page.get_by_test_id("limits")
    page.get_by_test_id(field).fill(typed)
    page.get_by_test_id("set-limits").click()
    expect(limits.get_by_role("alert")).to_contain_text(said)
