"""Pictures of every page and of every state of a table: to be looked at, and for the README.

`python scripts/screenshots.py FOLDER` serves a house of its own on a free port, plays a little, and
writes the pictures, large and small, dark and light. `--only wagers,turn` and `--look phone-dark`
choose some of them; `--readme` writes only those of the README, to docs/pictures.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from playwright.sync_api import Browser, Error, Page, sync_playwright  # noqa: E402

from browsers import FLAGS, browser_path  # noqa: E402
from upcard.cards import DECK  # noqa: E402
from web.conftest import DESKTOP, PHONE  # noqa: E402
from web.felt_page import FeltPage  # noqa: E402
from web.serving import Serving  # noqa: E402
from web.test_pages import PAGES  # noqa: E402

DOLLAR = 100
SETTLED = 700
"""Milliseconds until cards lie still."""
Scene = Callable[[Page, Serving], FeltPage]
Theme = Literal["dark", "light"]
LOOKS: tuple[tuple[str, Theme], ...] = (
    ("desk", "dark"),
    ("phone", "dark"),
    ("desk", "light"),
    ("phone", "light"),
)
SCENES: dict[str, Scene] = {}


def scene(work: Scene) -> Scene:
    """A state of a table that must be seen, under the name of its function."""
    SCENES[work.__name__.replace("_", "-")] = work
    return work


def at_table(page: Page, table: str, seat: int = 4, chips: int = 500) -> FeltPage:
    """Sit down; an offer of the bank that comes at once is declined."""
    felt = FeltPage(page, table).open()
    felt.at(f"sit-{seat}").click()
    felt.at("ask-field").fill(str(chips))
    felt.at("ask-go").click()
    page.wait_for_timeout(SETTLED)
    return felt


def dealt(
    page: Page, house: Serving, game: str, cards: str, *acts: str, **more: object
) -> FeltPage:
    """Seat 4 alone with the dealer, some way into a round."""
    chips = int(str(more.pop("chips", 10 * DOLLAR)))
    table = house.table(game, cards=cards, **more).id  # type: ignore[arg-type]
    felt = at_table(page, table)
    felt.wager("base", *[5 * DOLLAR] * (chips // (5 * DOLLAR)))
    felt.at("tray-deal").click()
    play(felt, *acts)
    return felt


def play(felt: FeltPage, *acts: str) -> None:
    for act in acts:
        felt.at(f"action-{act}").click()
        felt.page.wait_for_timeout(120)
    felt.page.wait_for_timeout(SETTLED)


# ------------------------------------------------------------------ states of a table


@scene
def watching(page: Page, house: Serving) -> FeltPage:
    return FeltPage(page, house.table("ten-sticks-21", bots=3).id).open()


@scene
def sitting_down(page: Page, house: Serving) -> FeltPage:
    felt = FeltPage(page, house.table("blackjack", bots=2).id).open()
    felt.at("sit-4").click()
    return felt


@scene
def wagers(page: Page, house: Serving) -> FeltPage:
    felt = at_table(page, house.table("blackjack", bots=2).id)
    felt.wager("base", 25 * DOLLAR, 5 * DOLLAR)
    return felt


@scene
def tie_wagers(page: Page, house: Serving) -> FeltPage:
    felt = at_table(page, house.table("blackjack-tie", bots=6).id)
    felt.wager("base", 25 * DOLLAR)
    for number in (17, 18, 19, 20, 21):
        felt.wager(f"tie-{number}", 25 * DOLLAR)
    return felt


@scene
def turn(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "ten-sticks-21", "6s 9d 5h 8c 5h Ts", seconds=20)
    page.wait_for_timeout(4_000)
    return felt


@scene
def coached(page: Page, house: Serving) -> FeltPage:
    cards = "8s 6h 8d Td 3c Kh Th 9d 5s 7c"
    felt = dealt(page, house, "ten-sticks-21", cards)
    page.keyboard.press("g")
    felt.at("value-hit").wait_for()
    if felt.at("tab-coach").is_visible():
        felt.at("tab-coach").click()
    page.wait_for_timeout(2 * SETTLED)
    return felt


@scene
def anothers_turn(page: Page, house: Serving) -> FeltPage:
    table = house.table("blackjack", cards="Ts 9d 6h 7h 8c Td 5s", seconds=60).id
    other = house.seated(table, 2, 200 * DOLLAR)
    felt = at_table(page, table)
    felt.wager("base", 5 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    other.do("PlaceWagers", position=2, wagers={"base": 20 * DOLLAR})
    other.do("Deal")
    felt.at("tray-deal").click()
    page.wait_for_timeout(3 * SETTLED)
    return felt


@scene
def insurance(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "8s Ah 9d Td 3c")


@scene
def insured(page: Page, house: Serving) -> FeltPage:
    """Insurance lost, the hand won; behind the result what each came to."""
    felt = dealt(page, house, "blackjack", "Ts Ah Kd 8c", "insure", "stand")
    felt.over()
    felt.at("round-net").click()
    return felt


@scene
def strip(page: Page, house: Serving) -> FeltPage:
    """Others with lights and wagers, as a phone has room for them."""
    cards = "6s Tc 8s 9d 5h 9c Kc 8c 4d 7h 2c 3c"
    table = house.table("ten-sticks-21", cards=cards, seconds=60).id
    others = [house.seated(table, seat, 500 * DOLLAR) for seat in (2, 6)]
    felt = at_table(page, table)
    felt.wager("base", 5 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    for seat, other in zip((2, 6), others, strict=True):
        other.do("PlaceWagers", position=seat, wagers={"base": 25 * DOLLAR})
        other.do("Deal")
    felt.at("tray-deal").click()
    page.wait_for_timeout(3 * SETTLED)
    return felt


@scene
def strip_stud(page: Page, house: Serving) -> FeltPage:
    """Everybody's poker hands and side wagers, after the round."""
    cards = (
        "8s 9d 8d 8h 2c 9s 9h 4d 4c Ks 7h 8c 7d 3s Qh 2d 3d 5c 6c 2s Jd 9c Js Jh 5d "
        "Th 7s 6d 6h Ac Kd 7c Kh 5h 3h As 4s"
    )
    settings = {"stud_bonus": "seven-card"}
    table = house.table("twisted-21", cards=cards, settings=settings, seconds=60).id
    others = {seat: house.seated(table, seat, 500 * DOLLAR) for seat in (1, 2, 5, 6)}
    felt = at_table(page, table, 3)
    for side in ("base", "stud-poker", "stud-bonus"):
        felt.wager(side, 5 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    wagers = {"base": 25 * DOLLAR, "stud-poker": 5 * DOLLAR, "stud-bonus": 10 * DOLLAR}
    for seat, other in others.items():
        other.do("PlaceWagers", position=seat, wagers=wagers)
        other.do("Deal")
    felt.at("tray-deal").click()
    for seat in (1, 2):
        others[seat].decide("stand")
    play(felt, "stand")
    for seat in (5, 6):
        others[seat].decide("stand")
    felt.over()
    page.wait_for_timeout(2 * SETTLED)
    return felt


@scene
def backed(page: Page, house: Serving) -> FeltPage:
    """A backed hand after its round: what it won stays until the cards are gathered."""
    table = house.table("pure-spanish-21.5", cards="9s 9d 7h Kc 9c 9h Kd").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt = at_table(page, table, 4)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    wagers = {"base": 10 * DOLLAR, "match": 5 * DOLLAR}
    other.do("PlaceWagers", position=3, wagers=wagers)
    page.wait_for_timeout(SETTLED)
    felt.wager("base", 5 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    felt.at("back-3").click()
    felt.at("chip-500").click()
    page.wait_for_timeout(SETTLED)
    for one in (bank, other):
        one.do("Deal")
    felt.at("tray-deal").click()
    other.decide("stand")
    play(felt, "stand")
    felt.over()
    page.wait_for_timeout(2 * SETTLED)
    return felt


@scene
def bust(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "Ts 9d 6h 8c Kd", "hit")


@scene
def doubled(page: Page, house: Serving) -> FeltPage:
    table = house.table("blackjack", cards="6s 8s 9d 5h 8d 8c Th Kd").id
    felt = at_table(page, table, 3)
    other = house.seated(table, 5, 200 * DOLLAR)
    felt.wager("base", 25 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    other.do("PlaceWagers", position=5, wagers={"base": 20 * DOLLAR})
    other.do("Deal")
    felt.at("tray-deal").click()
    play(felt, "double")
    return felt


@scene
def split_four(page: Page, house: Serving) -> FeltPage:
    cards = "8s 6h 8d Td 8h 8c 3c Th Kc 9h Ks 2d 4h 5s 7c Td"
    return dealt(page, house, "blackjack", cards, "split", "split", "split", "double", "hit")


@scene
def split_won(page: Page, house: Serving) -> FeltPage:
    cards = "8s 6h 8d Td 8h 8c 3c Th Kc Ts Ks 9d"
    acts = ("split", "split", "split", "double", "stand", "stand", "stand")
    return dealt(page, house, "blackjack", cards, *acts)


@scene
def natural(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "As 9d Kh 8c")


@scene
def push(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "Ts 9d 8h 9c", "stand")


@scene
def lost(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "Ts 9d 7h Tc", "stand")


@scene
def surrendered(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "blackjack", "Ts 9d 6h Tc", "surrender")


@scene
def rescued(page: Page, house: Serving) -> FeltPage:
    table = house.table("pure-spanish-21.5", cards="5s 9d 6s 9c 2h 3h").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    felt = at_table(page, table, 1)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR).wager("match", 5 * DOLLAR)
    felt.at("tray-deal").click()
    play(felt, "double", "redouble", "rescue")
    return felt


@scene
def uncovered(page: Page, house: Serving) -> FeltPage:
    table = house.table("pure-spanish-21.5", cards="9s 9d Kh 7c Kd").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    felt = at_table(page, table, 4)
    bank.offered("TakeBank", amount=6 * DOLLAR)
    felt.wager("base", 5 * DOLLAR, 5 * DOLLAR)
    felt.at("tray-deal").click()
    play(felt, "stand")
    return felt


@scene
def bank_offer(page: Page, house: Serving) -> FeltPage:
    table = house.table("pure-spanish-21.5").id
    felt = at_table(page, table, 1, 2_000)
    house.seated(table, 3, 500 * DOLLAR)
    felt.at("ask-decline").wait_for()
    return felt


@scene
def backline(page: Page, house: Serving) -> FeltPage:
    table = house.table("pure-spanish-21.5", cards="9s 9d 7h 9c").id
    bank = house.seated(table, 7, 5_000 * DOLLAR)
    other = house.seated(table, 3, 500 * DOLLAR)
    felt = at_table(page, table, 4)
    bank.offered("TakeBank", amount=1_000 * DOLLAR)
    other.do("PlaceWagers", position=3, wagers={"base": 10 * DOLLAR})
    page.wait_for_timeout(SETTLED)
    felt.wager("base", 5 * DOLLAR)
    page.wait_for_timeout(SETTLED)
    felt.at("back-3").click()
    felt.at("chip-500").click()
    return felt


@scene
def refused(page: Page, house: Serving) -> FeltPage:
    felt = at_table(page, house.table("blackjack-tie", bots=2).id)
    felt.wager("base", 25 * DOLLAR)
    felt.at("tray-type").click()
    felt.at("ask-field").fill("7.13")
    felt.at("ask-go").click()
    page.wait_for_timeout(SETTLED)
    return felt


@scene
def why_not(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "blackjack", "Ts 6h 5d Td 9c")
    felt.at("why-not").click()
    felt.at("why-split").click()
    return felt


@scene
def for_less(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "ten-sticks-21", "6s 9d 5h 8c 5h Ts")
    felt.at("less-double").click()
    return felt


@scene
def trade(page: Page, house: Serving) -> FeltPage:
    return dealt(page, house, "ten-sticks-21", "6s 9d Tc 8c 5h Ts")


@scene
def prize_won(page: Page, house: Serving) -> FeltPage:
    cards = "6s 9d Tc 8c Tc Tc Tc Tc 5h Ts"
    felt = dealt(page, house, "ten-sticks-21", cards, *["trade"] * 5, "double", chips=25 * DOLLAR)
    house.stack(felt.table, cards)
    felt.at("tray-deal").click()
    play(felt, *["trade"] * 5, "double")
    return felt


@scene
def stud_round(page: Page, house: Serving) -> FeltPage:
    settings = {"stud_bonus": "seven-card"}
    felt = at_table(page, house.table("twisted-21", bots=2, settings=settings).id, 3)
    felt.wager("base", 5 * DOLLAR)
    for side in ("stud-poker", "stud-bonus"):
        felt.wager(side, 5 * DOLLAR)
    felt.at("tray-deal").click()
    felt.at("action-stand").or_(felt.at("round-net")).first.wait_for()
    if felt.at("action-stand").count():
        play(felt, "stand")
        felt.over()
    page.wait_for_timeout(SETTLED)
    return felt


@scene
def twisted_turn(page: Page, house: Serving) -> FeltPage:
    settings = {"stud_bonus": "none", "positions": "1"}
    cards = "4h 6c Qs 6d 3s 9s Kd 7c 5h 2d"
    table = house.table("twisted-21", cards=cards, settings=settings).id
    felt = at_table(page, table, 1)
    felt.wager("base", 5 * DOLLAR).wager("stud-poker", 5 * DOLLAR)
    felt.at("tray-deal").click()
    felt.at("action-double").click()
    page.wait_for_timeout(SETTLED)
    return felt


@scene
def players_card(page: Page, house: Serving) -> FeltPage:
    settings = {"players_card": "true"}
    felt = dealt(page, house, "ten-sticks-21", "6s 9d Tc 8c 5h Ts", settings=settings)
    play(felt, "trade", "stand")
    felt.page.keyboard.press("c")
    felt.at("ask-go").click()
    page.wait_for_timeout(SETTLED)
    open_panel(felt, "session")
    return felt


@scene
def four_colour(page: Page, house: Serving) -> FeltPage:
    felt = FeltPage(page, house.table("blackjack").id).open()
    open_panel(felt, "session")
    page.locator("label", has=felt.at("four-colour")).click()
    if felt.at("panel-close").is_visible():
        felt.at("panel-close").click()
    cards = "8c 6h 8d Td 3c Kh Th 9d 5s 7c"
    return dealt(page, house, "blackjack", cards, "split")


@scene
def paused(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "blackjack", "Ts 6h 5d Td 9c")
    house.call(house.house.pause(felt.table, house.operator()))
    page.wait_for_timeout(SETTLED)
    return felt


@scene
def connection_lost(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "blackjack", "Ts 6h 5d Td 9c")
    page.context.set_offline(True)
    house.cut_lines(felt.table)
    page.wait_for_timeout(SETTLED)
    return felt


@scene
def connection_back(page: Page, house: Serving) -> FeltPage:
    felt = connection_lost(page, house)
    page.context.set_offline(False)
    page.wait_for_timeout(2 * SETTLED)
    return felt


@scene
def crowded(page: Page, house: Serving) -> FeltPage:
    """Seven seats, long names, large amounts, hands of many cards."""
    settings = {"table_maximum": "10000000", "table_minimum": "100000"}
    order = [
        *("2s", "3h", "4d", "As", "2h", "5c", "8d", "6h"),
        *("2d", "3c", "4h", "Ad", "3d", "6c", "8h", "Td"),
        *("2c", "3s", "4c", "5h", "6s", "7d", "8c", "9s") * 4,
    ]
    table = house.table("blackjack", cards=" ".join(order), settings=settings).id
    others = [house.seated(table, seat, 1_000_000) for seat in (1, 2, 3, 5, 6, 7)]
    felt = at_table(page, table, 4, 9_000)
    felt.wager("base", 100_000, 100_000)
    page.wait_for_timeout(SETTLED)
    for seat, other in zip((1, 2, 3, 5, 6, 7), others, strict=True):
        other.do("PlaceWagers", position=seat, wagers={"base": 300_000})
    for other in others:
        other.do("Deal")
    felt.at("tray-deal").click()
    for other in others[:3]:
        for _ in range(2):
            other.decide("hit")
        if other is not others[2]:  # who has 21 and stands by rule
            other.decide("stand")
    page.wait_for_timeout(3 * SETTLED)
    return felt


@scene
def session_tab(page: Page, house: Serving) -> FeltPage:
    felt = dealt(page, house, "blackjack", "Ts 9d 7h Tc", "stand")
    open_panel(felt, "session")
    return felt


@scene
def rules_tab(page: Page, house: Serving) -> FeltPage:
    felt = at_table(page, house.table("blackjack-tie", bots=2).id)
    felt.spot(4, "tie-18").click()
    felt.spot(4, "tie-18").click()
    page.wait_for_timeout(SETTLED)
    return felt


def open_panel(felt: FeltPage, tab: str) -> None:
    if felt.at("panel-open").is_visible():
        felt.at("panel-open").click()
        felt.page.wait_for_timeout(300)
    felt.at(f"tab-{tab}").click()
    felt.page.wait_for_timeout(300)


# ------------------------------------------------------------------ the gallery


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "pictures")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--only", default="", help="names of states, or 'pages', with commas")
    parser.add_argument("--look", default="", help="such as desk-dark,phone-light")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        house = Serving(Path(place))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=list(FLAGS))
        if chosen.readme:
            readme(browser, house, chosen.folder)
        else:
            names = set(filter(None, chosen.only.split(",")))
            looks = set(filter(None, chosen.look.split(",")))
            gallery(browser, house, chosen.folder, names, looks)
        browser.close()
        house.stop()


@contextmanager
def visitor(browser: Browser, house: Serving, size: str, theme: Theme) -> Iterator[Page]:
    viewport = PHONE if size == "phone" else DESKTOP
    with browser.new_context(
        base_url=house.url, viewport=viewport, color_scheme=theme, has_touch=size == "phone"
    ) as context:
        context.set_default_timeout(15_000)
        yield context.new_page()


def readme(browser: Browser, house: Serving, folder: Path) -> None:
    """A table of Ten Sticks 21 in the middle of a round with the coach beside it; and a phone."""
    first = "9s 7s Td 6h Kh Tc 9c Ts Tc Tc Tc 4d Kd Qd"
    second = "6s 7s 9d 4h Ks Tc 8c 5h Ts 9s 4s"
    rest = " ".join(str(card) for card in DECK for _ in range(5))
    for size, target in (("desk", "table.png"), ("phone", "phone.png")):
        with visitor(browser, house, size, "dark") as page:
            felt = at_table(page, house.table("ten-sticks-21", cards=first, bots=2).id)
            felt.wager("base", 25 * DOLLAR)
            felt.at("tray-deal").click()
            play(felt, "trade", "trade", "trade", "trade", "double")
            felt.over()
            house.stack(felt.table, f"{second} {rest}")
            page.keyboard.press("g")
            if size == "desk":
                felt.at("tab-coach").click()
            felt.at("tray-deal").click()
            felt.at("value-trade").wait_for()
            page.wait_for_timeout(3 * SETTLED)
            page.screenshot(path=folder / target)


def gallery(
    browser: Browser, house: Serving, folder: Path, names: set[str], looks: set[str]
) -> None:
    for size, theme in LOOKS:
        if looks and f"{size}-{theme}" not in looks:
            continue
        for name, work in SCENES.items():
            if names and name not in names:
                continue
            with visitor(browser, house, size, theme) as page:
                try:
                    work(page, house)
                except (
                    Error,
                    AssertionError,
                    TimeoutError,
                ) as error:  # the picture shows how far it came
                    sys.stderr.write(f"{name}, {size}: {str(error)[:300]}\n")
                page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
        if not names or "pages" in names:
            pages(browser, house, folder, size, theme)


def pages(browser: Browser, house: Serving, folder: Path, size: str, theme: Theme) -> None:
    """Every page beside the table, after a round was played."""
    with visitor(browser, house, size, theme) as page:
        page.context.add_cookies([house.staff_cookie()])
        felt = dealt(page, house, "blackjack", "Ts 9d 7h Tc", "stand")
        for path in PAGES:
            page.goto(path.format(table=felt.table))
            page.wait_for_timeout(SETTLED)
            words = path.strip("/").replace("/", "-").replace("{table}", "t") or "lobby"
            page.screenshot(path=folder / f"page-{words.replace('?', '-')}-{size}-{theme}.png")


if __name__ == "__main__":
    main()
