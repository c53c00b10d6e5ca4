"""What a table's page does beside playing: it comes back, coaches, is checked, is for everybody."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Dialog, FilePayload, Page, WebSocket, WebSocketRoute, expect

from upcard.service.specs import HouseError
from upcard.table.verify import Check
from upcard.web.words import MINUS
from web.felt_page import FeltPage
from web.serving import Serving

DOLLAR = 100


class Network:
    """What lies between a page and its table: it can be down."""

    def __init__(self, page: Page) -> None:
        self.up = True
        self.lines: list[WebSocketRoute] = []
        page.route_web_socket("**/socket*", self._through)

    def _through(self, line: WebSocketRoute) -> None:
        if self.up:
            line.connect_to_server()
            self.lines.append(line)
        else:
            line.close(code=1011)

    def fail(self) -> None:
        self.up = False
        for line in self.lines:
            line.close(code=1011)
        self.lines.clear()


def test_a_lost_connection_comes_back_where_it_was(page: Page, house: Serving) -> None:
    network = Network(page)
    table = house.table("blackjack", cards="Ts 6h 5d Td 4c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("action-hit")).to_be_visible()
    network.fail()
    expect(felt.felt).to_have_attribute("data-state", "lost")
    expect(felt.at("connection")).to_contain_text("Your place is kept")
    network.up = True
    expect(felt.felt).to_have_attribute("data-state", "open")
    assert felt.told().count("Round 1 begins.") == 1, "nothing is told twice"
    felt.act("hit")
    expect(felt.hand(4)).to_have_attribute("data-total", "19")
    felt.act("stand").over()
    felt.expect_chips(205 * DOLLAR)


def test_a_key_pressed_without_a_line_acts_once_or_not_at_all(page: Page, house: Serving) -> None:
    network = Network(page)
    table = house.table("blackjack", cards="2s 6h 2d Td 2c 3c 4c 5c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("action-hit")).to_be_visible()
    network.fail()
    expect(felt.felt).to_have_attribute("data-state", "lost")
    page.keyboard.press("h")
    network.up = True
    expect(felt.felt).to_have_attribute("data-state", "open")
    expect(felt.at("action-stand")).to_be_enabled()
    assert len(felt.cards(4)) in (2, 3)
    felt.act("stand").over()


def test_what_the_store_does_not_take_is_tried_again_by_itself(
    page: Page, house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table("blackjack", cards="2s 6h 2d Td 2c 3c 4c 5c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)

    async def away(*_: object, **__: object) -> None:
        raise HouseError("the store is away: nothing was changed, try again later", "unavailable")

    with monkeypatch.context() as patch:
        patch.setattr(house.house.store, "run", away)
        felt.act("hit")
        expect(felt.at("refused-hit")).to_contain_text("The store is away")
        assert len(felt.cards(4)) == 2
    expect(felt.hand(4)).to_have_attribute("data-total", "6")
    expect(felt.at("refused-hit")).to_have_count(0)
    assert felt.cards(4) == {"2s", "2d", "2c"}, "once"
    felt.act("stand").over()


def test_a_pause_lets_the_round_be_played_to_its_end(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="2s 6h 2d Td 2c 3c 4c 5c 9c", seconds=60).id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("action-stand")).to_be_visible()
    house.call(house.house.pause(table, house.operator()))
    expect(felt.at("situation")).to_contain_text("paused after this round")
    expect(felt.at("countdown")).to_be_visible()
    felt.act("stand").over()
    expect(felt.at("paused")).to_be_visible()


def test_the_coach_prices_actions_and_mistakes(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 9c 8c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.at("tab-coach").click()
    page.keyboard.press("g")
    expect(felt.at("coach-switch")).to_be_checked()
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    expect(felt.at("value-stand")).to_contain_text("★")
    expect(felt.at("value-hit")).to_contain_text("$")
    expect(felt.at("coach")).to_contain_text("%")
    felt.act("hit")  # 15 against a six: the book stands
    expect(felt.at("last-mistake")).to_contain_text("Hit instead of stand")
    expect(felt.at("last-mistake")).to_contain_text("$")


def test_the_coach_prices_the_next_round_for_the_chips_that_lie_there(
    page: Page, house: Serving
) -> None:
    """In Games of Chance four dollars are worth more of themselves than two."""
    table = house.table("games-of-chance-blackjack").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.at("tab-coach").click()
    page.keyboard.press("g")
    base, bet = felt.at("next-base"), felt.at("next-bet")
    expect(base).to_contain_text(f"{MINUS}4.49 %")
    expect(bet).to_have_text("For the smallest wager: $2.")
    felt.at(f"chip-{4 * DOLLAR}").click()
    expect(bet).to_have_text("For what lies on the layout: $4.")
    expect(base).to_contain_text(f"{MINUS}2.47 %")
    expect(base).to_contain_text(f"{MINUS}$0.10")
    felt.at("tray-clear").click()
    expect(base).to_contain_text(f"{MINUS}4.49 %")


def test_mistakes_are_counted_without_the_coach(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 9c 8c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("hit").over()  # 15 against a six
    felt.at("tab-session").click()
    expect(felt.at("session")).to_contain_text(re.compile(r"Mistakes\s*1"))
    page.goto(f"/table/{table}/session")
    expect(page.get_by_test_id("worst-hands")).to_contain_text("hit, where stand was best")


def test_everything_by_keyboard(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 4c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    page.keyboard.press("ArrowRight")
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    page.keyboard.press("Enter")
    expect(felt.felt).to_have_attribute("data-round", "1")
    expect(felt.at("action-hit")).to_be_visible()
    page.keyboard.press("h")
    expect(felt.hand(4)).to_have_attribute("data-total", "19")
    expect(felt.at("action-stand")).to_be_enabled()
    page.keyboard.press("s")
    felt.over()
    page.keyboard.press("r")  # the same wager again
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    page.keyboard.press("z")
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", "0")


def test_no_polling_and_nothing_from_elsewhere(page: Page, house: Serving) -> None:
    """A table at rest asks for nothing, and no page asks another host for anything."""
    asked: list[str] = []
    frames: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def heard(line: WebSocket) -> None:
        line.on("framesent", lambda data: frames.append(str(data)))

    page.on("websocket", heard)
    table = house.table("blackjack").id
    FeltPage(page, table).open()
    page.wait_for_load_state("networkidle")
    count, sent = len(asked), len(frames)
    page.wait_for_timeout(2_000)
    assert asked[count:] == []
    assert [frame for frame in frames[sent:] if '"do"' in frame or '"coach"' in frame] == []
    assert {url for url in asked if not url.startswith((house.url, "data:", "blob:"))} == set()


def test_a_round_is_replayed_and_verified(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 4c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("hit", "stand").over()
    page.goto(f"/table/{table}/round/1")
    expect(felt.at("replay")).to_be_visible()
    felt.at("replay-last").click()
    expect(felt.at("replay-words")).to_contain_text("Round 1 ends")
    assert felt.cards(4) == {"Ts", "5d", "4c"}
    page.goto(f"/table/{table}/verify")
    own = page.get_by_test_id("own-check")
    expect(own.get_by_role("status")).to_have_text("Everything holds.")
    names = ("chain", "fingerprint", "shuffle", "legality", "money", "conduct")
    assert own.get_by_role("listitem").count() == len(names)
    for name in names:
        check = page.get_by_test_id(f"check-{name}")
        expect(check).to_contain_text("✓")
        expect(check).to_contain_text(re.compile("Yes: |Nothing shows otherwise: "))
        expect(check).not_to_have_class(re.compile("failed"))
    for name in ("fingerprint", "legality", "money"):  # the end of an open record may be missing
        expect(page.get_by_test_id(f"check-{name}")).to_contain_text("Yes: ")
    said = page.get_by_test_id("who-checks").inner_text()
    offline, online = said.split(";")
    assert all(word in offline for word in ("chain", "seals", "promises", "shuffles", "money"))
    assert all(word in online for word in ("fingerprint", "legality", "payments", "upcard verify"))


def test_a_verification_that_fails_is_seen(
    page: Page, house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was found is not told while the shoe is in use: it may be a card."""

    async def broken(*_: object) -> tuple[Check, ...]:
        return (Check("chain", True, "all lines"), Check("money", False, "the ace is missing"))

    monkeypatch.setattr("upcard.web.views.checked", broken)
    page.goto(f"/table/{house.table('blackjack').id}/verify")
    expect(page.get_by_test_id("own-check").get_by_role("status")).to_have_text(
        "Something does not hold."
    )
    expect(page.get_by_test_id("check-money")).to_contain_text("No: it does not hold")
    expect(page.get_by_test_id("check-money")).to_have_class(re.compile("failed"))
    assert "the ace is missing" not in page.content()


def played_out(house: Serving) -> str:
    """A table with a round that was dealt from a shuffled shoe."""
    table = house.table("blackjack").id
    other = house.seated(table, 4, 200 * DOLLAR)
    other.do("PlaceWagers", position=4, wagers={"base": 5 * DOLLAR})
    other.do("Deal")
    running = house.running(table)
    while running.state.in_round:
        question = running.engine.question(running.state)
        assert question is not None
        other.decide(question.actions[-1].text)
    return table


def test_the_record_of_an_open_table_has_no_secret(page: Page, house: Serving) -> None:
    answer = page.request.get(f"/api/tables/{played_out(house)}/record")
    assert answer.ok, answer.text()
    data = answer.body()
    lines = [json.loads(line) for line in data.splitlines()]
    assert any("hidden" in line for line in lines), "the secret of an open table is not in it"
    assert b'"secret":"' not in data


def test_the_verify_page_checks_a_record_without_a_server(page: Page, house: Serving) -> None:
    """The file is opened once; then the line is cut, and it checks what was downloaded."""
    table = played_out(house)
    data = page.request.get(f"/api/tables/{table}/record").body()
    page.goto(f"/table/{table}/verify")
    page.get_by_test_id("checker").click()
    page.wait_for_url("**/verify.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)

    def check(record: bytes) -> None:
        file = FilePayload(name="record.jsonl", mimeType="application/json", buffer=record)
        page.set_input_files("#file", files=[file])

    check(data)
    expect(page.locator(".verdict.open h2")).to_contain_text("as far as it is open")
    check(data.replace(b'"base",500', b'"base",600', 1))
    expect(page.locator(".verdict.failed h2")).to_contain_text("does not hold")
    page.context.set_offline(False)
    assert asked == [], "nothing is sent anywhere"


def test_names_cannot_inject_markup(page: Page, house: Serving) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    opened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    info = house.table("blackjack", name=hostile)
    FeltPage(page, info.id).open()
    expect(page.get_by_text(hostile).first).to_be_visible()
    page.goto("/")
    expect(page.get_by_test_id(f"table-{info.id}")).to_contain_text("onerror")
    for path in ("rules", "history", "verify"):
        page.goto(f"/table/{info.id}/{path}")
        expect(page.get_by_test_id("bar")).to_be_visible()
        assert page.locator("img[src=x]").count() == 0
    assert opened == []


def test_a_click_leaves_the_keyboard_to_the_table(page: Page, house: Serving) -> None:
    """After chips by mouse, Enter deals; who goes to a chip by Tab adds one with Enter."""
    table = house.table("blackjack", cards="Ts 6h 5d Td 4c 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR)
    felt.at("chip-500").focus()
    page.keyboard.press("Enter")
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(10 * DOLLAR))
    page.evaluate("document.activeElement.blur()")
    felt.at("chip-500").click()
    page.keyboard.press("Enter")
    expect(felt.felt).to_have_attribute("data-round", "1")
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(15 * DOLLAR))


def test_doubling_for_less_is_a_choice(page: Page, house: Serving) -> None:
    table = house.table("ten-sticks-21", cards="6s 9d 5h 8c Ts").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    felt.at("less-double").click()
    felt.at("ask-field").fill("4")
    felt.at("ask-go").click()
    felt.over().expect_chips(214 * DOLLAR)


def test_a_browser_mixes_its_own_word(page: Page, house: Serving) -> None:
    """Before the first wager every new shoe gets a word of each player, unless switched off."""
    table = house.table("blackjack").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    assert len(house.running(table).state.shoe.clients) == 1
    felt.at("tab-session").click()
    page.locator("label", has=felt.at("mix-own")).click()
    other = house.table("blackjack").id
    felt = FeltPage(page, other).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    assert house.running(other).state.shoe.clients == ()


def test_results_since_sitting_down_survive_a_reload(page: Page, house: Serving) -> None:
    table = house.table("ten-sticks-21", cards="6s 9d Tc 8c 5h Ts").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    felt.act("trade", "double").over()
    page.reload()
    felt.at("tab-session").click()
    expect(felt.at("session-net")).to_have_text("+$20")
    # And a replay of the next round begins with the light that was lit in this one.
    house.stack(table, "Ts 6h 5d Td 9c")
    felt.wager("base", 5 * DOLLAR).deal(2)
    felt.act("stand").over()
    page.goto(f"/table/{table}/round/2")
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "1")


def test_a_down_card_is_tapped_to_double(page: Page, house: Serving) -> None:
    settings = {"stud_bonus": "none", "positions": "1"}
    cards = "4h 6c 6d 9s 3s 8s Kd 7c 5h 2d"
    table = house.table("twisted-21", cards=cards, settings=settings).id
    felt = FeltPage(page, table).open().sit(1, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.act("double")
    expect(felt.at("situation")).to_contain_text("Which card")
    felt.at("pick-2").click(position={"x": 12, "y": 40})  # the next card lies over the rest
    felt.over()
    assert len([line for line in felt.told() if "doubles" in line]) == 1


def test_wagers_are_repeated_after_a_round_that_was_over_at_once(
    page: Page, house: Serving
) -> None:
    """The dealer's natural ends a round with its deal."""
    table = house.table("blackjack", cards="Ts Kd 5d As").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1).over()
    felt.at("tray-repeat").click()
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))


def test_the_rules_say_what_a_wager_pays(page: Page) -> None:
    page.goto("/rules/blackjack")
    expect(page.locator("td[data-label=Pays]").first).to_contain_text("blackjack: 3 to 2")
