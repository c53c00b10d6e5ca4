"""A full round of each game through the page, with what is special about the game."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from web.felt_page import FeltPage
from web.serving import Serving

DOLLAR = 100


def test_blackjack_splits_and_doubles(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="8s 6h 8d Td 3c Kh Th 9d 5s 7c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    expect(felt.at("action-hit")).to_be_visible()
    felt.act("split")
    expect(felt.hand(4, 0)).to_have_attribute("data-total", "11")
    felt.act("double")
    expect(felt.hand(4, 1)).to_have_attribute("data-total", "18")
    felt.act("stand").over()
    assert felt.cards(4) == {"8s", "3c", "Kh", "8d", "Th"}
    # The dealer has 16 and draws a nine: both hands win, one of them twice the wager.
    expect(felt.at("dealer")).to_have_attribute("data-result", "bust")
    felt.expect_chips(230 * DOLLAR)


def test_ten_sticks_trades_for_a_light(page: Page, house: Serving) -> None:
    table = house.table("ten-sticks-21", cards="6s 9d Tc 8c 5h Ts").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "0")
    felt.act("trade")
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "1")
    expect(felt.hand(4)).to_have_attribute("data-total", "11")
    felt.act("double")
    felt.over()
    assert felt.cards(4) == {"6s", "5h", "Ts"}
    felt.expect_chips(220 * DOLLAR)
    expect(felt.at("lights-4")).to_have_attribute("data-lit", "1")


def test_pure_spanish_rescues_after_double_double(page: Page, house: Serving) -> None:
    table = house.table("pure-spanish-21.5", cards="5s 9d 6s 9c 2h 3h").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    felt = FeltPage(page, table).open().sit(1, 200)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    felt.act("double", "redouble", "rescue").over()
    expect(felt.hand(1)).to_have_attribute("data-result", "rescued")
    # Forty dollars lay there: twenty came back. The fee of the base wager is the schedule's.
    fee = 200 * DOLLAR - 20 * DOLLAR - felt.chips()
    assert 0 <= fee <= 2 * DOLLAR
    assert felt.cards(1) == {"5s", "6s", "2h", "3h"}


def test_pure_spanish_bank_moves_on_after_two_hands(page: Page, house: Serving) -> None:
    table = house.table("pure-spanish-21.5", cards=" ".join(["9s 9d 7h 9c"] * 3)).id
    felt = FeltPage(page, table).open().sit(1, 500)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt.at("ask-field").fill("100")
    felt.at("ask-go").click()  # the bank is offered to seat 1, who takes it
    for turn in (1, 2):
        expect(felt.at("bank-button")).to_have_attribute("data-seat", "1")
        other.do("PlaceWagers", position=3, wagers={"base": 5 * DOLLAR})
        other.do("Deal")  # the bank itself is not waited for
        other.decide("stand")
        felt.over()
        expect(felt.felt).to_have_attribute("data-round", str(turn))
        if turn == 1:
            felt.at("ask-go").click()
    other.offered("TakeBank", amount=100 * DOLLAR)
    expect(felt.at("bank-button")).to_have_attribute("data-seat", "3")


def test_twisted_plays_a_stud_round(page: Page, house: Serving) -> None:
    cards = "Th Qs 9c 6d 3s As Kd 7c 5h 2d"
    table = house.table(
        "twisted-21", cards=cards, settings={"stud_bonus": "none", "positions": "1"}
    ).id
    felt = FeltPage(page, table).open().sit(1, 200)
    felt.wager("base", 5 * DOLLAR).wager("stud-poker", 5 * DOLLAR).deal(1).over()
    expect(felt.at("poker-1")).to_contain_text("high")
    expect(felt.at("poker-dealer")).to_contain_text("ace high")
    expect(felt.spot(1, "stud-poker")).to_have_attribute("data-result", "lost")
    felt.expect_chips(190 * DOLLAR)


def test_blackjack_tie_wins_one_of_two_bonus_wagers(page: Page, house: Serving) -> None:
    table = house.table("blackjack-tie", cards="Ts 9d 8h 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR)
    felt.wager("tie-17", 5 * DOLLAR).wager("tie-18", 5 * DOLLAR).deal(1)
    felt.act("stand").over()
    expect(felt.spot(4, "tie-17")).to_have_attribute("data-result", "lost")
    expect(felt.spot(4, "tie-18")).to_have_attribute("data-result", "won")
    felt.expect_chips(470 * DOLLAR)


def test_games_of_chance_takes_a_dollar_for_a_tie(page: Page, house: Serving) -> None:
    table = house.table("games-of-chance-blackjack", cards="Ts 9d 8h 9c").id
    felt = FeltPage(page, table).open().sit(4, 100)
    felt.wager("base", 4 * DOLLAR).deal(1)
    felt.act("stand").over()
    felt.expect_chips(99 * DOLLAR)


def test_zappit_exchanges_a_hand(page: Page, house: Serving) -> None:
    """Both cards go, two come, and they are played on."""
    table = house.table("zappit", cards="9s 7d 7h Tc 6h 5c Qs").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).deal(1)
    expect(felt.at("action-replace")).to_be_visible()
    felt.act("replace")
    expect(felt.hand(4)).to_have_attribute("data-total", "11")
    expect(felt.at("action-replace")).to_be_hidden()
    felt.act("double").over()
    assert felt.cards(4) == {"6h", "5c", "Qs"}
    felt.expect_chips(220 * DOLLAR)


def test_a_refused_action_says_the_rule_behind_it(page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 6h 5d Td 9c").id
    felt = FeltPage(page, table).open().sit(4, 200)
    felt.wager("base", 5 * DOLLAR).deal(1)
    felt.at("why-not").click()
    felt.at("why-split").click()
    expect(felt.at("reason")).to_contain_text("equal value")
    felt.act("stand").over()


def test_two_browsers_see_the_same(visitor: BrowserContext, page: Page, house: Serving) -> None:
    table = house.table("blackjack", cards="Ts 9d 7s 8h Td 3c 5h 4s").id
    ann = FeltPage(page, table).open().sit(3, 200)
    assert visitor.browser is not None
    with visitor.browser.new_context(base_url=house.url, reduced_motion="reduce") as other:
        bob = FeltPage(other.new_page(), table).open().sit(5, 200)
        ann.wager("base", 5 * DOLLAR)
        bob.wager("base", 5 * DOLLAR, 5 * DOLLAR)
        expect(ann.spot(5, "base")).to_have_attribute("data-amount", str(10 * DOLLAR))
        bob.at("tray-deal").click()
        ann.deal(1)
        ann.act("stand")
        bob.act("stand")
        ann.over()
        bob.over()
        assert ann.dealers_cards() == bob.dealers_cards()
        assert (ann.cards(3), ann.cards(5)) == (bob.cards(3), bob.cards(5))
        assert ann.told() == bob.told()
