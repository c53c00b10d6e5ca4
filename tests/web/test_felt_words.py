"""From any word at the table to its rule; what the felt says of money and time, on a phone too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from web.conftest import PHONE
from web.felt_page import FeltPage
from web.serving import PATIENCE, Serving
from web.test_pages import faults

DOLLAR = 100
STUD = (
    "8s 9d 8d 8h 2c 9s 9h 4d 4c Ks 7h 8c 7d 3s Qh 2d 3d 5c 6c 2s Jd 9c Js Jh 5d "
    "Th 7s 6d 6h Ac Kd 7c Kh 5h 3h As 4s"
)


@pytest.fixture
def phone(browser: Browser, house: Serving) -> Iterator[Page]:
    context = browser.new_context(
        base_url=house.url, viewport=PHONE, reduced_motion="reduce", has_touch=True
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


def leads(felt: FeltPage, thing: Locator, name: str) -> None:
    """A tap on a thing shows its rules, with clauses or at least in words."""
    thing.click()
    expect(felt.at("rule-topic").locator("h2")).to_have_text(name)
    expect(felt.at("rules").locator(".uf-rule").first).to_be_visible()


def unfair(page: Page, what: str) -> list[str]:
    """What axe-core has against a page, dark and light; it makes NiceGUI's loading bar appear."""
    found: list[str] = []
    for theme in ("dark", "light"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        said = [fault for fault in faults(page) if "q-loading-bar" not in fault]
        found += [f"{what}, {theme}: {fault}" for fault in said]
    return found


# ------------------------------------------------------------------ words and their rules


def test_every_word_at_the_table_leads_to_its_rule(page: Page, house: Serving) -> None:
    felt = FeltPage(page, house.table("blackjack", cards="Ts 6h 5d Td 4c 9c").id).open()
    leads(felt, felt.at("situation").locator("button"), "Seats and boxes")
    felt.sit(4, 200)
    leads(felt, felt.at("lettering-0"), "Blackjack")
    leads(felt, felt.at("lettering-1"), "The dealer")
    leads(felt, felt.at("lettering-2"), "Insurance")
    leads(felt, felt.at("discards"), "Cards that are done")
    leads(felt, felt.at("seat-4").locator(".uf-who"), "Seats and boxes")
    felt.wager("base", 5 * DOLLAR).deal(1)
    hand = felt.hand(4)
    leads(felt, hand.locator(".uf-total"), "How a hand counts")
    leads(felt, felt.at("seat-4").locator("[data-card]").last, "The cards")
    leads(felt, felt.at("dealer-total"), "The dealer")
    leads(felt, felt.at("situation").locator("button"), "Hit")
    felt.act("hit", "stand").over()
    leads(felt, hand.locator(".uf-verdict"), "Who wins")
    felt.at("tab-events").click()
    leads(felt, felt.at("log").get_by_role("button", name="Seat 4 stands."), "Stand")
    felt.at("tab-events").click()
    leads(felt, felt.at("log").get_by_role("button", name="wins $5"), "Who wins")
    felt.at("rules").get_by_role("button", name="All rules").click()
    felt.at("topics").locator("summary").click()
    for topic, name in (("totals", "How a hand counts"), ("ties", "Ties"), ("cards", "The cards")):
        leads(felt, felt.at(f"topic-{topic}"), name)
        felt.at("rules").get_by_role("button", name="All rules").click()


def test_a_natural_and_a_tie_lead_to_their_rules(page: Page, house: Serving) -> None:
    felt = FeltPage(page, house.table("blackjack", cards="As 9d Kh Ac").id).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1).over()
    leads(felt, felt.hand(4).locator(".uf-total"), "Blackjack")
    leads(felt, felt.hand(4).locator(".uf-verdict"), "Blackjack")
    house.stack(felt.table, "Ts 9d 8h 9c")
    felt.at("tray-deal").click()
    felt.act("stand").over()
    leads(felt, felt.hand(4).locator(".uf-verdict"), "Ties")


def test_words_by_keyboard_lead_there_and_back(page: Page, house: Serving) -> None:
    felt = FeltPage(page, house.table("blackjack").id).open().sit(4, 200)
    letters = felt.at("lettering-0")
    expect(letters).to_have_role("button")
    expect(letters).to_have_accessible_name("Blackjack pays 3 to 2. Its rules")
    letters.focus()
    page.keyboard.press("Enter")
    expect(felt.at("rule-topic").locator("h2")).to_have_text("Blackjack")
    expect(felt.at("rules")).to_be_focused()
    page.keyboard.press("Escape")
    expect(letters).to_be_focused()
    felt.at("tab-events").click()
    last = felt.at("log").locator(".uf-log-word").last
    last.focus()
    page.keyboard.press("ArrowUp")
    expect(last).not_to_be_focused()
    expect(felt.at("log").locator(".uf-log-word:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(felt.at("rule-topic")).to_be_visible()


def test_legal_actions_have_a_rule_too(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 9c 8c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.at("why-not").click()
    for action in ("hit", "stand", "double", "surrender", "split", "insure"):
        expect(felt.at(f"why-{action}")).to_be_visible()
    felt.at("why-double").click()
    expect(felt.at("reason")).to_contain_text("HB-DOUBLE")
    felt.at("why-split").click()
    expect(felt.at("reason")).to_contain_text("Only two cards of equal value may split")
    leads(felt, felt.at("why-rules"), "Split")
    felt.at("why-stand").focus()
    page.keyboard.press("Enter")
    leads(felt, felt.at("why-rules"), "Stand")
    assert unfair(page, "asked why") == []
    page.keyboard.press("s")  # the panel is in nobody's way
    felt.over()
    felt.expect_chips(205 * DOLLAR)


def test_a_round_of_stud_leads_to_its_wagers(page: Page, house: Serving) -> None:
    felt = stud(page, house)
    leads(felt, felt.at("community").get_by_role("button"), "Community cards")
    leads(felt, felt.at("poker-dealer"), "Stud Poker")
    leads(felt, felt.at("poker-1"), "Stud Poker")
    leads(felt, felt.spot(1, "stud-bonus"), "Stud Bonus")
    expect(felt.at("pays-stud-bonus").locator("tr")).to_have_count(7)


def stud(page: Page, house: Serving) -> FeltPage:
    """A round of Twisted 21 at seat 3, with another player at seat 1."""
    settings = {"stud_bonus": "seven-card"}
    table = house.table("twisted-21", cards=STUD, settings=settings).id
    other = house.seated(table, 1, 500 * DOLLAR)
    felt = FeltPage(page, table).open().sit(3, 200)
    felt.wager("base", 5 * DOLLAR).wager("stud-poker", 5 * DOLLAR)
    felt.expect_chips(190 * DOLLAR)
    placed = {"base": 25 * DOLLAR, "stud-poker": 5 * DOLLAR, "stud-bonus": 10 * DOLLAR}
    other.do("PlaceWagers", position=1, wagers=placed)
    other.do("Deal")
    felt.at("tray-deal").click()
    other.decide("stand")
    felt.act("stand").over()
    return felt


def test_a_small_window_has_whole_pay_tables(page: Page, house: Serving) -> None:
    page.set_viewport_size({"width": 1024, "height": 640})
    felt = FeltPage(page, house.table("blackjack-tie").id).open()
    leads(felt, felt.spot(1, "tie-18"), "Tie 18")
    expect(felt.at("pays-tie-18")).to_be_visible()
    leads(felt, felt.spot(7, "left-side"), "Left side (17, 18, 19)")
    expect(felt.at("pays-left-side").locator("tr")).to_have_count(1)
    leads(felt, felt.at("lettering-1"), "Side wagers")
    expect(felt.at("rule-topic").locator("table")).to_have_count(8)


# ------------------------------------------------------------------ money and time


def test_insurance_is_seen_and_results_sum_up(page: Page, house: Serving) -> None:
    felt = FeltPage(page, house.table("blackjack", cards="Ts Ah Kd 8c").id).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    before = felt.at("wager-spot-base").nth(3).bounding_box()
    leads(felt, felt.at("situation").locator("button"), "Insurance")
    felt.act("insure")
    spot = felt.spot(4, "insurance")
    expect(spot).to_have_attribute("data-result", "lost")
    expect(spot).to_contain_text("$5")
    assert felt.at("wager-spot-base").nth(3).bounding_box() == before, "nothing jumps"
    leads(felt, spot, "Insurance")
    felt.act("stand").over()
    expect(felt.at("round-net")).to_contain_text("+$5")
    felt.at("round-net").click()
    parts = felt.at("round-parts").locator("tbody tr")
    nets = [int(row.get_attribute("data-net") or 0) for row in parts.all()]
    assert sorted(nets) == [-5 * DOLLAR, 10 * DOLLAR]
    assert unfair(page, "the parts of a result") == []


def test_a_backed_hand_stays_and_is_backed_again(page: Page, house: Serving) -> None:
    table = house.table("pure-spanish-21.5", cards="9s 9d 7h Kc 9c 9h Kd").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt = FeltPage(page, table).open().sit(4, 500)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR})
    felt.wager("base", 5 * DOLLAR)
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    felt.at("back-3").click()
    felt.at("chip-500").click()
    expect(felt.at("backer-3")).to_contain_text("$5")
    for one in (bank, other):
        one.do("Deal")
    felt.at("tray-deal").click()
    other.decide("stand")
    felt.act("stand").over()
    expect(felt.at("backer-3")).to_contain_text("+$5")
    leads(felt, felt.at("backer-3").locator("button"), "Backing somebody's hand")
    felt.expect_chips(510 * DOLLAR)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    felt.at("tray-repeat").click()
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    expect(felt.at("hint")).to_contain_text("Backs seat 3 again")
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR})
    expect(felt.at("backer-3")).to_contain_text("$5")
    felt.expect_chips(500 * DOLLAR)


def test_the_time_at_play_survives_a_reload(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 9d 7h Tc").id
    felt = FeltPage(page, table).open()
    expect(felt.at("clock")).to_have_attribute("data-minutes", "0")
    felt.sit(4, 200).wager("base", 5 * DOLLAR).deal(1).act("stand").over()
    felt.open()
    minutes = int(felt.at("clock").get_attribute("data-minutes") or 0)
    assert minutes >= 1, "counted by the house"
    expect(felt.at("clock")).to_contain_text(f"0:0{minutes} at play")
    felt.at("clock").click()
    expect(felt.at("at-play")).to_have_text(f"0:0{minutes}")


def test_the_coach_says_in_plain_words_how(page: Page, house: Serving) -> None:
    felt = FeltPage(page, house.table("blackjack", cards="8s 6h 8d Td 3c").id).open().sit(4, 200)
    felt.at("tab-coach").click()
    page.keyboard.press("g")
    felt.wager("base", 5 * DOLLAR).deal(1)
    expect(felt.at("value-split")).to_be_visible()
    method = felt.at("method")
    expect(method.locator("summary")).to_have_text("How this is worked out")
    method.locator("summary").click()
    expect(method.locator("p").first).to_contain_text("every card that can still come is counted")
    expect(method).to_contain_text("The term for it: exact, splits CDP")


# ------------------------------------------------------------------ on a phone


def test_a_phone_has_the_sign_and_the_time(phone: Page, house: Serving) -> None:
    felt = FeltPage(phone, house.table("ten-sticks-21", bots=2).id).open()
    for name in ("limits", "prize", "clock"):
        expect(felt.at(name)).to_be_in_viewport(ratio=1)
    expect(felt.at("clock")).to_contain_text("at play")
    expect(felt.at("lights-3")).to_be_visible()
    leads(felt, felt.at("prize"), "Lights")
    felt.at("panel-close").click()
    leads(felt, felt.at("lettering-1"), "Lights")
    felt.at("panel-close").click()
    felt = FeltPage(phone, house.table("pure-spanish-21.5").id).open()
    leads(felt, felt.at("fees"), "Fees")


def test_a_phone_shows_what_others_have(phone: Page, house: Serving) -> None:
    felt = stud(phone, house)
    expect(felt.at("poker-1")).to_have_text("3 of a kind")
    expect(felt.at("sides-1")).to_have_attribute("data-net", str(25 * DOLLAR))
    leads(felt, felt.at("sides-1"), "Side wagers")
    for wager in ("stud-poker", "stud-bonus"):
        expect(felt.at(f"pays-{wager}")).to_be_attached()
    felt.at("panel-close").click()
    leads(felt, felt.at("verdict-1"), "Ties")
    felt.at("panel-close").click()
    expect(felt.at("panel")).to_be_hidden()
    assert unfair(phone, "a strip") == []


def test_a_phone_shows_bank_and_backed_hands(phone: Page, house: Serving) -> None:
    table = house.table("pure-spanish-21.5", cards="9s 9d 7h Kc 9c 9h Kd").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt = FeltPage(phone, table).open().sit(4, 500)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    button = felt.at("bank-button")
    expect(button).to_have_attribute("data-seat", "7")
    expect(button).to_have_text("Bank 1/2")
    expect(button).to_be_in_viewport(ratio=1)
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR, "match": 5 * DOLLAR})
    expect(felt.at("sides-3")).to_have_text("+$5")
    expect(felt.spot(3, "base")).to_have_attribute("data-amount", str(10 * DOLLAR))
    leads(felt, felt.at("sides-3"), "Match the Dealer Up Card")
    expect(felt.at("pays-match")).to_be_visible()
    felt.at("panel-close").click()
    expect(felt.at("panel")).to_be_hidden()
    felt.wager("base", 5 * DOLLAR)
    expect(felt.spot(4, "base")).to_have_attribute("data-amount", str(5 * DOLLAR))
    felt.at("back-3").tap()
    felt.at("chip-500").tap()
    expect(felt.at("backed-3")).to_contain_text("$5")
    leads(felt, felt.at("backed-3"), "Backing somebody's hand")
