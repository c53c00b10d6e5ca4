"""One house and one browser for all tests of the pages in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from browsers import FLAGS, browser_path
from web.serving import PATIENCE, Serving

DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="session")
def house(serving: Serving) -> Serving:
    return serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with its module: as long as it is open no other loop can run in this thread."""
    path = browser_path()
    if not path:
        pytest.skip("there is no Chromium here: install chromium-headless-shell or chromium")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="module")
def desk(browser: Browser, house: Serving) -> Iterator[BrowserContext]:
    """A browser at a desk, which has the pages' scripts from the second visit on."""
    context = browser.new_context(base_url=house.url, viewport=DESKTOP, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    context.new_page().goto(f"{house.url}/static/upcard/mark.svg")
    yield context
    context.close()


@pytest.fixture
def visitor(desk: BrowserContext) -> Iterator[BrowserContext]:
    """Somebody who was never here before."""
    yield desk
    # One page stays open for all of them: with it stays the process that has compiled the scripts.
    stays, *others = desk.pages
    for page in others:
        page.close()
    desk.clear_cookies()
    stays.evaluate("localStorage.clear()")


@pytest.fixture
def page(visitor: BrowserContext) -> Page:
    return visitor.new_page()
