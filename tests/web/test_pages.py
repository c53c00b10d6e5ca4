"""Every page, large and small, dark and light: it opens, nothing fails, and axe-core finds nothing
serious.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from web.conftest import DESKTOP, PHONE
from web.felt_page import FeltPage
from web.serving import PATIENCE, Serving

AXE = (Path(str(files("axe_playwright_python"))) / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
DOLLAR = 100
Theme = Literal["dark", "light"]

PAGES = (
    "/",
    "/tables/new?game=pure-spanish-21.5",
    "/rules/blackjack",
    "/table/{table}",
    "/table/{table}/rules",
    "/table/{table}/history",
    "/table/{table}/session",
    "/table/{table}/verify",
    "/table/{table}/round/1",
    "/verify",
    "/me",
    "/drill",
    "/drill/ten-sticks-21",
    "/sign-in",
    "/register",
    "/operator",
    "/nowhere",
)
FEW = (
    "/",
    "/table/{table}",
    "/table/{table}/history",
    "/me",
)
"""Pages that between them have everything that a theme colours."""
TWINS = ("/table/{table}/rules", "/register")
"""Pages that are built as others are."""
LOOKS = [
    (DESKTOP, "dark", PAGES),
    (PHONE, "light", tuple(page for page in PAGES if page not in TWINS)),
    (DESKTOP, "light", FEW),
    (PHONE, "dark", FEW),
]


def faults(page: Page) -> list[str]:
    """What axe-core has against a page, as far as it is serious."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']} {node['target']} {node.get('failureSummary', '')}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


@pytest.fixture(scope="module")
def played(browser: Browser, house: Serving) -> str:
    """A table where a round was played, by an operator."""
    table = house.table("blackjack", cards="Ts 6h 5d Td 4c 9c 2c 3d 4h 5s").id
    with browser.new_context(base_url=house.url, reduced_motion="reduce") as context:
        felt = FeltPage(context.new_page(), table).open().sit(4, 200)
        felt.wager("base", 5 * DOLLAR).deal(1)
        felt.act("hit", "stand").over()
    return table


@pytest.mark.parametrize(
    ("size", "theme", "paths"), LOOKS, ids=[f"{size['width']}-{theme}" for size, theme, _ in LOOKS]
)
def test_pages_are_for_everybody(
    size: ViewportSize,
    theme: Theme,
    paths: tuple[str, ...],
    browser: Browser,
    house: Serving,
    played: str,
) -> None:
    """Seen by somebody from the staff, who may look at everything."""
    found: dict[str, list[str]] = {}
    with browser.new_context(
        base_url=house.url,
        viewport=size,
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=size == PHONE,
    ) as context:
        context.set_default_timeout(PATIENCE * 1000)
        context.add_cookies([house.staff_cookie()])
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        for path in paths:
            page.goto(path.format(table=played))
            expect(page.locator("h1").first).to_be_attached()
            page.wait_for_function("document.readyState === 'complete'")
            said = faults(page)
            width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            said += [f"the page is {width} pixels too wide"] if width > 0 else []
            found[path] = said + wrong
            wrong.clear()
    assert {path: said for path, said in found.items() if said} == {}
