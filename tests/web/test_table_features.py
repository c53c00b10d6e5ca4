"""What else a table has: phones, backers, punched cards, signs, motion; and pages around it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, expect

from upcard.service.specs import HouseError
from upcard.table import commands as cm
from web.conftest import DESKTOP, PHONE
from web.felt_page import FeltPage
from web.serving import PATIENCE, Serving
from web.test_pages import AXE, SERIOUS, Theme

DOLLAR = 100
HOSTILE = "<img src=x onerror=alert(1)>"
THEMES: tuple[Theme, ...] = ("dark", "light")
PURE = "pure-spanish-21.5"
TRADED = "6s 9d Tc 8c 5h Ts"
"""A bonus card for seat 4, then eleven against nine."""
FIFTEEN = "Ts 6h 5d Td 4c 9c"
"""Fifteen against a six, and a four to come; the dealer goes over."""


@pytest.fixture
def phone(browser: Browser, house: Serving) -> Iterator[Page]:
    """Somebody with a phone: fingers, no keys, no mouse."""
    with browser.new_context(
        base_url=house.url,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    ) as context:
        context.set_default_timeout(PATIENCE * 1000)
        yield context.new_page()


@pytest.fixture
def other(browser: Browser, house: Serving) -> Iterator[BrowserContext]:
    """Somebody else with a browser of their own."""
    with browser.new_context(
        base_url=house.url, viewport=DESKTOP, reduced_motion="reduce"
    ) as context:
        context.set_default_timeout(PATIENCE * 1000)
        yield context


@pytest.fixture
def moving(browser: Browser, house: Serving) -> Iterator[Page]:
    """Somebody who has nothing against motion."""
    with browser.new_context(
        base_url=house.url, viewport=DESKTOP, reduced_motion="no-preference"
    ) as context:
        context.set_default_timeout(PATIENCE * 1000)
        yield context.new_page()


def switch(felt: FeltPage, name: str) -> None:
    """Turn a switch of the session tab by its label, as people do."""
    felt.page.locator("label", has=felt.at(name)).click()


def opened_dialogs(page: Page) -> list[str]:
    """What a page has said in boxes of its own; nothing, if nothing foreign ran."""
    opened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    return opened


# ------------------------------------------------------------------ a phone


def test_a_round_on_a_phone_by_taps_alone(phone: Page, house: Serving) -> None:
    felt = FeltPage(phone, house.table("blackjack", cards=FIFTEEN).id).open()

    def tap(*names: str) -> None:
        for name in names:
            felt.at(name).tap()

    tap("sit-4", "ask-go")
    expect(felt.at("ask")).to_have_count(0)
    before = felt.chips()
    tap("chip-500", "chip-500", "tray-deal", "action-hit")
    expect(felt.hand(4)).to_have_attribute("data-total", "19")
    tap("action-stand")
    felt.over().expect_chips(before + 10 * DOLLAR)
    expect(felt.hand(4)).to_have_attribute("data-result", "won")
    expect(felt.at("round-net")).to_contain_text("+$10")
    expect(felt.at("panel")).not_to_be_in_viewport()
    tap("panel-open")
    expect(felt.at("log")).to_be_in_viewport()
    expect(felt.at("log")).to_contain_text("Round 1 begins.")
    tap("tab-session")
    expect(felt.at("session-net")).to_have_text("+$10")
    tap("panel-close")
    expect(felt.at("panel")).not_to_be_in_viewport()
    wide = phone.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing has to be pushed aside"


# ------------------------------------------------------------------ backers, cards, colours


def test_one_player_backs_another(page: Page, other: BrowserContext, house: Serving) -> None:
    table = house.table(PURE, cards="9s 9d Kh 8c").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    ann = FeltPage(page, table).open().sit(3, 500)
    bob = FeltPage(other.new_page(), table).open().sit(4, 500)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    ann.wager("base", 5 * DOLLAR, 5 * DOLLAR)
    bob.at("back-3").click()
    expect(bob.at("hint")).to_contain_text("Backing seat 3")
    bob.at("chip-500").click()
    expect(ann.at("backer-3")).to_contain_text("$5")
    bob.at("tray-deal").click()
    ann.deal(1)
    expect(ann.at("action-stand")).to_be_enabled()
    expect(bob.at("action-stand")).to_have_count(0)
    ann.act("stand").over()
    bob.over()
    # Nineteen against seventeen: both win, and the player-dealer pays them and the fee.
    ann.expect_chips(510 * DOLLAR)
    bob.expect_chips(505 * DOLLAR)


def test_a_punched_card_keeps_a_light(page: Page, house: Serving) -> None:
    table = house.table("ten-sticks-21", cards=TRADED, settings={"players_card": "true"}).id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("trade", "stand").over()
    felt.at("tab-session").click()
    felt.at("leave").click()
    expect(felt.at("ask")).to_contain_text("Your lights go onto a player's card.")
    felt.at("ask-go").click()
    expect(felt.at("players-card")).to_contain_text("1 light, made out to")
    felt.at("sit-4").click()  # whose seat is free again
    felt.at("ask-go").click()
    expect(felt.at("seat-4")).to_have_attribute("data-mine", "true")
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "0")
    felt.at("card-present").click()
    felt.at("ask-go").click()
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "1")
    expect(felt.at("players-card")).to_have_count(0)


def test_a_deck_of_four_colours(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="8c 6h 8d Ts 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("stand").over()

    def colours() -> dict[str, str]:
        found: dict[str, str] = {}
        for card in ("8c", "8d", "6h", "Ts"):
            face = page.locator(f"[data-card='{card}'] .uf-card-face").first
            found[card[1]] = str(face.evaluate("face => getComputedStyle(face).fill"))
        return found

    two = colours()
    assert two["c"] == two["s"] != two["d"] == two["h"]
    felt.at("tab-session").click()
    switch(felt, "four-colour")
    four = colours()
    assert len(set(four.values())) == 4
    assert (four["s"], four["h"]) == (two["s"], two["h"])


def test_wagers_are_cleared_undone_doubled_and_repeated(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 9d Td 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    base = felt.spot(4, "base")

    def lies(dollars: int) -> None:
        """On the page, and on the table itself."""
        expect(base).to_have_attribute("data-amount", str(dollars * DOLLAR))
        felt.expect_chips((200 - dollars) * DOLLAR)

    felt.wager("base", 5 * DOLLAR, 25 * DOLLAR)
    lies(30)
    felt.at("tray-undo").click()
    lies(5)
    felt.at("tray-double").click()
    lies(10)
    felt.at("tray-clear").click()
    lies(0)
    expect(felt.at("tray-clear")).to_be_disabled()
    felt.at("tray-undo").click()
    lies(10)
    felt.deal(1).act("stand").over()
    felt.expect_chips(210 * DOLLAR)
    felt.at("tray-repeat").click()
    expect(base).to_have_attribute("data-amount", str(10 * DOLLAR))
    felt.expect_chips(200 * DOLLAR)


# ------------------------------------------------------------------ clock, signs, motion


def test_a_clock_runs_as_a_ring_and_in_seconds(moving: Page, house: Serving) -> None:
    table = house.table("blackjack", cards=FIFTEEN, seconds=60).id
    felt = FeltPage(moving, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("countdown")).to_have_text(re.compile(r"^\d+ s$"))
    said = felt.at("countdown").inner_text()
    ring = felt.at("seat-4").locator(".uf-ring")
    expect(ring).to_be_visible()
    timing = """ring => ring.getAnimations()
        .map((one) => [one.animationName, one.playState, one.effect.getTiming().duration])"""
    assert ring.evaluate(timing) == [["uf-drain", "running", 60_000]]
    clock = house.running(table).clock
    assert clock.ends > 0
    assert clock.seconds == 60
    expect(felt.at("countdown")).not_to_have_text(said)


def test_a_banked_table_has_its_signs(page: Page, house: Serving) -> None:
    table = house.table(PURE, settings={"fee_schedule": "42"}).id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    felt = FeltPage(page, table).open().sit(1, 500)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    expect(felt.at("bank-button")).to_have_attribute("data-seat", "7")
    expect(felt.at("bank-amount")).to_contain_text("bank $1,000")
    running = house.running(table)
    button = cm.PlaceActionButton(position=1)
    assert house.call(house.house.house_does(running, button, "house"))
    expect(felt.at("action-button")).to_have_attribute("data-seat", "1")
    felt.at("action-button").click()
    expect(felt.at("rule-topic")).to_contain_text(re.compile("action button", re.IGNORECASE))
    expect(felt.at("rules")).to_contain_text("where settlement begins")
    expect(felt.at("limits")).to_have_text("$10 to $1,000")
    felt.at("limits").click()
    expect(felt.at("rules")).to_contain_text("from $10 to $1,000, the limits of fee schedule 42")
    felt.at("fees").click()
    expect(felt.at("rule-topic")).to_contain_text("Fees")
    expect(felt.at("rules")).to_contain_text("A player pays for every base wager")
    expect(felt.at("rules").get_by_role("row", name="$10-$50")).to_contain_text("$.50")


WATCH_CARDS = """(key) => {
    window.flights = [];
    const look = () => {
        for (const slot of document.querySelectorAll(".uf-slot-in:not([data-seen])")) {
            slot.dataset.seen = "yes";
            const found = slot.getAnimations()
                .map((one) => [one.animationName, one.playState, one.effect.getTiming().duration]);
            flights.push(found);
            if (key && flights.length === 1) press();
        }
    };
    const press = () =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""Notes how every card comes that is laid from now on. With the first one a key is pressed."""


def test_cards_fly_and_a_key_acts_meanwhile(moving: Page, house: Serving) -> None:
    table = house.table("blackjack", cards=FIFTEEN).id
    felt = FeltPage(moving, table).open().sit(4, 200)
    felt.at("tab-coach").click()
    moving.evaluate(WATCH_CARDS, "g")
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("coach-switch")).to_be_checked()
    expect(felt.at("action-hit")).to_be_visible()
    moving.keyboard.press("h")
    expect(felt.hand(4)).to_have_attribute("data-total", "19")
    flights = moving.evaluate("flights")
    assert len(flights) == 5
    for [[name, state, milliseconds]] in flights:
        assert (name, state) == ("uf-deal", "running")
        assert 100 <= milliseconds <= 400


def test_nothing_flies_where_motion_is_unwanted(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards=FIFTEEN).id
    felt = FeltPage(page, table).open().sit(4, 200)
    page.evaluate(WATCH_CARDS, "")
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("hit", "stand").over()
    expect(felt.at("round-net")).to_be_visible()
    assert page.evaluate("flights") == [[]] * 6
    assert page.evaluate("document.getAnimations().length") == 0


# ------------------------------------------------------------------ the house


def test_an_operator_pauses_and_closes_a_table(
    page: Page, other: BrowserContext, house: Serving
) -> None:
    table = house.table("blackjack", cards=FIFTEEN, name="Kept still").id
    felt = FeltPage(page, table).open()
    purse = page.request.get("/api/me").json()["money"]
    felt.sit(4, 200).wager("base", 5 * DOLLAR).expect_chips(195 * DOLLAR)
    other.add_cookies([house.staff_cookie()])
    staff = other.new_page()
    staff.on("dialog", lambda dialog: dialog.accept())
    staff.goto("/operator")
    staff.get_by_test_id(f"pause-{table}").click()
    expect(felt.at("paused")).to_contain_text("Table paused")
    expect(felt.at("situation")).to_contain_text("The table is paused.")
    expect(felt.at("tray")).to_have_count(0)
    staff.get_by_test_id(f"resume-{table}").click()
    expect(felt.at("paused")).to_have_count(0)
    expect(felt.at("tray")).to_be_visible()
    staff.get_by_test_id(f"close-{table}").click()
    expect(felt.at("paused")).to_contain_text("Table closed")
    expect(felt.at("situation")).to_contain_text("The table is closed.")
    expect(felt.at("paused")).to_contain_text("The house closed it between rounds. Your chips")
    assert page.request.get("/api/me").json()["money"] == purse
    # Who comes later is told who closed it, and nothing of chips that were never there.
    late = FeltPage(other.new_page(), table)
    late.page.goto(f"/table/{table}")
    expect(late.at("paused")).to_contain_text("An operator of the house closed it. Its rounds can")
    expect(late.at("closed-history")).to_have_attribute("href", f"/table/{table}/history")
    felt.at("closed-lobby").click()
    page.wait_for_url("**/")


def overlaps(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


@pytest.mark.parametrize("who", ["page", "phone"])
def test_the_sign_to_back_a_hand_lies_on_no_card(
    who: str, request: pytest.FixtureRequest, house: Serving
) -> None:
    """Nor on what the last round came to, while its cards still lie there."""
    table = house.table(PURE, cards="9s 9d 7h Kc 9c 9h Kd").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt = FeltPage(request.getfixturevalue(who), table).open().sit(4, 500)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR})
    expect(felt.at("back-3")).to_be_visible()
    felt.wager("base", 5 * DOLLAR).expect_chips(495 * DOLLAR)
    for one in (bank, other):
        one.do("Deal")
    felt.deal(1)
    other.decide("stand")
    felt.act("stand").over()
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR})
    expect(felt.spot(3, "base")).to_have_attribute("data-amount", str(10 * DOLLAR))
    seen = 0
    # As one sees it in one moment: cards that are gathered meanwhile are no matter.
    look = """() => {
      const sign = document.querySelector("[data-testid=back-3]");
      const seat = document.querySelector("[data-testid=seat-3]");
      const on = [...seat.querySelectorAll("[data-card], .uf-verdict, .uf-total, .uf-mini")];
      const box = (one) => one.getBoundingClientRect();
      const before = (a, b) => a.right <= b.left || a.bottom <= b.top;
      const apart = (one) => before(box(sign), box(one)) || before(box(one), box(sign));
      return [Boolean(sign), on.length, sign ? on.filter((one) => !apart(one)).length : 0];
    }"""
    while seen < 2:
        sign, lying, covered = felt.page.evaluate(look)
        assert not covered
        seen += sign
        assert sign or lying > 1
        felt.page.wait_for_timeout(50)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (375, 553), (844, 390)])
def test_what_is_refused_covers_no_button_of_a_phone(
    phone: Page, house: Serving, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    felt = FeltPage(phone, house.table("blackjack", cards="8s 6h 8d Td 2c 3c 4c").id).open()
    felt.sit(4, 200).wager("base", 5 * DOLLAR).deal(1)

    async def away(*_: object, **__: object) -> None:
        words = "the store is away: nothing was changed, and what was sent is sent again by itself"
        raise HouseError(words, "unavailable")

    for action in ("split", "double"):
        with monkeypatch.context() as patch:
            patch.setattr(house.house.store, "run", away)
            felt.act(action)
            bubble = felt.at(f"refused-{action}")
            expect(bubble).to_be_in_viewport(ratio=1)
            buttons = phone.locator(".uf-actions > .uf-action-place button").all()
            assert len(buttons) >= 3
            for theme in THEMES:
                phone.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
                assert not [one.inner_text() for one in buttons if overlaps(bubble, one)]
        expect(felt.at(f"refused-{action}")).to_have_count(0)
        expect(felt.hand(4, 1)).to_be_attached()  # what was asked for was done once after all


@pytest.mark.parametrize("who", ["moving", "phone"])
def test_a_mistake_is_seen_at_the_table_and_nothing_moves(
    who: str, request: pytest.FixtureRequest, house: Serving
) -> None:
    page: Page = request.getfixturevalue(who)
    felt = FeltPage(page, house.table("blackjack", cards="Ts 6h 2d Td 2c 9c 8c 7c").id).open()
    felt.sit(4, 200).wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    page.keyboard.press("g")
    expect(felt.at("value-stand")).to_contain_text("★")
    expect(felt.at("judged")).to_have_count(0)
    places = [felt.at(name) for name in ("situation", "controls", "seat-4", "action-stand")]
    before = [one.bounding_box() for one in places]
    felt.act("hit")  # 12 against a six: the book stands
    expect(felt.at("judged")).to_have_attribute("data-cost", re.compile(r"^[1-9]"))
    expect(felt.at("judged")).to_be_in_viewport(ratio=1)
    expect(felt.at("spoken")).to_contain_text("Coach: Hit instead of stand cost $")
    expect(felt.at("action-stand")).to_be_enabled()
    after = [one.bounding_box() for one in places]
    assert [(one["y"], one["height"]) for one in after if one] == [
        (one["y"], one["height"]) for one in before if one
    ]
    for control in page.locator(".uf-actions button, [data-testid=situation] > *").all():
        assert not overlaps(felt.at("judged"), control)
    felt.at("judged").click()
    expect(felt.at("last-mistake")).to_contain_text("Hit instead of stand cost $")


def test_a_table_is_made_by_the_form(page: Page, house: Serving) -> None:
    name = f"Four decks {secrets.token_hex(3)}"
    page.goto("/tables/new?game=blackjack")
    page.locator("#set-table_minimum").fill("10")
    page.keyboard.press("Tab")
    page.locator("#set-name").press_sequentially(name)
    decks = page.get_by_test_id("field-decks")
    choose(decks, "4")
    expect(decks).to_have_class(re.compile("changed"))
    expect(page.get_by_test_id("sheet")).to_contain_text("Four decks of 52 cards.")
    expect(page.locator("#set-name")).to_have_value(name)
    expect(page.locator("#set-table_minimum")).to_have_value("10")
    page.get_by_test_id("open-table").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_test_id("felt")).to_have_attribute("data-state", "open")
    table = page.url.rpartition("/")[2]
    assert house.running(table).spec.settings == {"decks": "4", "table_minimum": "1000"}
    page.goto("/")
    row = page.get_by_test_id(f"table-{table}")
    expect(row).to_contain_text(name)
    expect(row).to_contain_text("Blackjack")


def choose(setting: Locator, value: str) -> None:
    """Choose a value of an option, whether they stand side by side or in a list."""
    if setting.locator("select").count():
        setting.locator("select").select_option(value)
    else:
        setting.locator("label", has=setting.locator(f"input[value='{value}']")).click()


def test_an_account_comes_and_goes_by_its_pages(page: Page) -> None:
    name, password = f"Ann {secrets.token_hex(3)}", secrets.token_urlsafe(12)
    at = page.get_by_test_id

    def enter(path: str, word: str) -> None:
        page.goto(path)
        at("name").fill(name)
        at("password").fill(word)
        at("enter").click()

    enter("/register", password)
    expect(at("signed-in-as")).to_have_text(f"{name}, player")
    at("menu").locator("summary").click()
    at("sign-out").click()
    expect(at("to-sign-in")).to_be_attached()
    expect(at("signed-in-as")).to_contain_text(", guest")
    enter("/sign-in", "not this one")
    expect(at("refused")).not_to_be_empty()
    enter("/sign-in", password)
    expect(at("signed-in-as")).to_have_text(f"{name}, player")


def test_a_long_hand_of_a_drill_fits_a_phone(browser: Browser, house: Serving) -> None:
    with browser.new_context(base_url=house.url, viewport=PHONE) as context:
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto("/drill/ten-sticks-21")
        card = page.locator(".drill .own .playing").first
        card.wait_for()
        card.evaluate("card => [1, 2, 3, 4, 5].forEach(() => card.after(card.cloneNode(true)))")
        assert page.locator(".drill .own .playing").count() >= 6
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_drill_is_answered_and_judged(page: Page) -> None:
    at = page.get_by_test_id
    page.goto("/drill/blackjack?kind=hard")
    expect(at("total")).to_contain_text("Your hand: ")
    expect(at("score")).to_contain_text("0 of 0")
    at("answer-hit").click()
    expect(at("verdict")).to_have_text(
        re.compile(r"^Right: hit\.$|^\w+ is better: hit costs [\d.]+%")
    )
    right = at("verdict").inner_text().startswith("Right")
    expect(at("score")).to_contain_text(f"{int(right)} of 1")
    expect(at("worth")).to_contain_text("(best)")
    expect(at("worth")).to_contain_text("(yours)")
    page.keyboard.press("Enter")
    expect(at("answer-stand")).to_be_visible()
    page.keyboard.press("s")
    expect(at("score")).to_contain_text("of 2")


# ------------------------------------------------------------------ for everybody


def unfair(page: Page, what: str) -> list[str]:
    """What axe-core has against a page as it is now, dark and light, as far as it is serious."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        # Style sheets that axe-core asks for itself would show NiceGUI's bar of progress.
        said: dict[str, Any] = page.evaluate(
            "axe.run({resultTypes: ['violations'], preload: false})"
        )
        found += [
            f"{what}, {theme}: {one['id']} {node['target']} {node.get('failureSummary', '')}"
            for one in said["violations"]
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]
    return found


def test_a_seat_is_for_everybody_at_a_desk(page: Page, house: Serving) -> None:
    table = house.table("ten-sticks-21", cards="6s 9d 5h 8c Ts").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR)
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(10 * DOLLAR))
    found = unfair(page, "wagering")
    felt.at("tab-coach").click()
    page.keyboard.press("g")
    felt.deal(1)
    expect(felt.at("value-double")).to_be_visible()
    found += unfair(page, "deciding with the coach")
    felt.at("less-double").click()
    felt.at("ask-field").fill("1000")
    felt.at("ask-go").click()
    expect(felt.at("ask-fault")).to_be_visible()
    found += unfair(page, "asked for an amount")
    assert found == []


def test_a_seat_is_for_everybody_on_a_phone(phone: Page, house: Serving) -> None:
    felt = FeltPage(phone, house.table("blackjack", cards=FIFTEEN).id).open()
    for name in ("sit-4", "ask-go", "chip-500"):
        felt.at(name).tap()
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    found = unfair(phone, "wagering")
    felt.at("tray-deal").tap()
    expect(felt.at("action-hit")).to_be_visible()
    found += unfair(phone, "deciding")
    felt.at("panel-open").tap()
    felt.at("tab-coach").tap()
    expect(felt.at("coach")).to_be_in_viewport()
    found += unfair(phone, "sheet of the coach")
    assert found == []


# ------------------------------------------------------------------ words of strangers


def test_a_mixed_word_is_no_markup(page: Page, house: Serving) -> None:
    opened = opened_dialogs(page)
    felt = FeltPage(page, house.table("blackjack").id).open()
    felt.at("tab-session").click()
    switch(felt, "mix-own")
    felt.sit(4, 200)
    felt.at("mix").click()
    felt.at("ask-field").fill(HOSTILE)
    felt.at("ask-go").click()
    expect(felt.at("ask")).to_have_count(0)
    assert any(HOSTILE in line for line in felt.told())
    felt.at("shoe").click()
    expect(felt.at("rule-topic")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0
    page.reload()
    felt.at("shoe").click()
    expect(felt.at("rule-topic")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0
    assert opened == []


def test_a_token_label_is_no_markup(page: Page) -> None:
    opened = opened_dialogs(page)
    at = page.get_by_test_id
    page.goto("/register")
    at("name").fill(f"Bob {secrets.token_hex(3)}")
    at("password").fill(secrets.token_urlsafe(12))
    at("enter").click()
    expect(at("signed-in-as")).to_contain_text(", player")
    page.goto("/me")
    page.locator("#token-label").fill(HOSTILE)
    at("make-token").click()
    expect(at("new-token")).not_to_be_empty()
    page.reload()
    expect(at("tokens")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0
    assert opened == []
