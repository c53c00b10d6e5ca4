"""A table in a browser, as somebody at it uses it: by its buttons, and by what it shows."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class FeltPage:
    """One person's page of one table."""

    def __init__(self, page: Page, table: str) -> None:
        self.page = page
        self.table = table

    def at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    @property
    def felt(self) -> Locator:
        return self.at("felt")

    # ------------------------------------------------------------------ coming and going

    def open(self) -> FeltPage:
        self.page.goto(f"/table/{self.table}")
        expect(self.felt).to_have_attribute("data-state", "open")
        return self

    def sit(self, seat: int, chips: int = 0) -> FeltPage:
        """Take a seat by the sign on it; chips in dollars."""
        self.at(f"sit-{seat}").click()
        if chips:
            self.at("ask-field").fill(str(chips))
        self.at("ask-go").click()
        # Where players bank the game, the bank may be offered at once.
        expect(self.page.locator("[data-ask=buy]")).to_have_count(0)
        return self

    # ------------------------------------------------------------------ wagers and decisions

    def wager(self, wager: str, *chips: int) -> FeltPage:
        """Put chips, in cents, on a wager."""
        if self.at(f"wager-{wager}").count():
            self.at(f"wager-{wager}").click()
        for cents in chips:
            self.at(f"chip-{cents}").click()
        return self

    def deal(self, round_: int) -> FeltPage:
        self.at("tray-deal").click()
        expect(self.felt).to_have_attribute("data-round", str(round_))
        return self

    def act(self, *actions: str) -> FeltPage:
        for action in actions:
            self.at(f"action-{action}").click()
        return self

    def over(self) -> FeltPage:
        """Wait until the round is over."""
        expect(self.felt).not_to_have_attribute("data-stage", "round")
        return self

    # ------------------------------------------------------------------ what is shown

    def cards(self, position: int) -> set[str]:
        """The cards of all hands of a position."""
        return set(self._cards(self.at(f"seat-{position}")))

    def dealers_cards(self) -> list[str]:
        return self._cards(self.at("dealer"))

    def _cards(self, place: Locator) -> list[str]:
        found = place.locator("[data-card]").all()
        return [str(card.get_attribute("data-card")) for card in found]

    def hand(self, position: int, hand: int = 0) -> Locator:
        return self.at(f"hand-{position}-{hand}")

    def spot(self, position: int, wager: str) -> Locator:
        return self.at(f"seat-{position}").get_by_test_id(f"wager-spot-{wager}")

    def chips(self) -> int:
        return int(self.at("balance").get_attribute("data-cents") or 0)

    def expect_chips(self, cents: int) -> FeltPage:
        expect(self.at("balance")).to_have_attribute("data-cents", str(cents))
        return self

    def told(self) -> list[str]:
        """What the page says has happened, in its own words."""
        self.at("tab-events").click()
        return [text.strip() for text in self.at("log").locator("li").all_inner_texts()]
