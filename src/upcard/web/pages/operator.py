"""For those who run the house and those who look over their shoulder: tables, money, people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from upcard.text import counted
from upcard.web import words
from upcard.web.curve import spark
from upcard.web.dom import ask, change_text, done, link, press, tag
from upcard.web.figures import figures
from upcard.web.pages.history import wager_names
from upcard.web.shell import heading

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.service.accounts import AccountInfo
    from upcard.service.pricing import Account
    from upcard.service.reports import Report

ROLES = ("player", "operator", "auditor")
FAR = 3.0
"""Standard deviations from which a result is worth a look."""
EMIT_PAUSED = (
    "(event) => { const field = event.target; clearTimeout(field.pause);"
    " field.pause = setTimeout(() => emit(field.value), 300); }"
)
"""What is typed, as soon as somebody pauses."""


@dataclass(frozen=True)
class People:
    """Some accounts of the list, and whether there are more."""

    accounts: Sequence[AccountInfo] = ()
    more: bool = False


class Find(Protocol):
    """Looks for accounts by a part of a name, after one that is known."""

    async def __call__(self, search: str, after: str = "") -> People: ...


@dataclass(frozen=True)
class HouseReport:
    """Everything that the page shows."""

    tables: Sequence[Report]
    people: People

    @property
    def balanced(self) -> bool:
        return all(one.money.total == 0 for one in self.tables)


def z_words(account: Account, failed: str = "") -> str:
    """How far a result is from theory, in words; nothing where there is no theory.

    >>> from upcard.service.pricing import Account
    >>> z_words(Account("base", 10, 1000, 1000, 50, 20.0, 900.0))
    '+1.0 sd'
    >>> z_words(Account("base", expected=None))
    'not priced yet'
    """
    if account.expected is None:
        return "" if failed else "not priced yet"
    return words.deviations(account.z) or "nothing staked"


def z_tone(account: Account) -> str:
    """Results far off are worth a look, whichever way."""
    z = account.z
    return "chip" if math.isnan(z) else "chip warn" if abs(z) >= FAR else "chip good"


def win_words(report: Report) -> str:
    """What the win of a table is made of, where that is not plain."""
    if report.failed:
        return report.failed
    account = report.account
    if not account.house_banks:
        return "players bank, the house has its fees"
    prizes = f"prizes of {words.money(account.prizes)} paid besides" if account.prizes else ""
    return words.joined(("fees included" if account.fees else "", prizes))


class OperatorPage:
    """The page; rows change in their places."""

    def __init__(
        self,
        report: HouseReport,
        *,
        may_act: bool,
        own: str,
        find: Find,
        closed: bool = False,
    ) -> None:
        self.may_act = may_act
        self.find = find
        self.search = ""
        self.own = own
        self.rows: dict[str, OperatorRow] = {}
        with tag("div", None, "page"):
            sentence = "" if may_act else "You look on as an auditor: nothing here can be changed."
            with heading("Operator", sentence), tag("div", None, "buttons"):
                if closed:
                    link("Open tables only", "/operator", "button", testid="open-only")
                else:
                    link("Closed tables too", "/operator?closed=1", "button", testid="closed-too")
                link("Create a table", "/tables/new", "button")
            with tag("section", testid="operator-tables", aria_label="Tables"):
                self.list = tag("div", None, "stack-small")
            with tag("section", None, "part", testid="operator-money", aria_labelledby="money"):
                tag("h2", "Money", id="money")
                self.money = tag("div", None, "below")
            with tag("section", None, "part", testid="operator-results", aria_labelledby="results"):
                tag("h2", "Results against expectation", id="results")
                tag("p", EXPLAINED, "soft small")
                self.results = tag("div", None, "below")
            with tag("section", None, "part", testid="operator-people", aria_labelledby="people"):
                tag("h2", "Players", id="people")
                with tag("div", None, "setting"):
                    tag("label", "A part of a name", for_="people-search")
                    found = tag(
                        "input",
                        None,
                        "field",
                        id="people-search",
                        type="search",
                        maxlength=60,
                        autocomplete="off",
                        testid="people-search",
                    )
                    found.on(
                        "input", lambda e: done(self._search, str(e.args)), js_handler=EMIT_PAUSED
                    )
                self.people = tag("div", None, "below")
                self.more = tag("div", None, "buttons below")
            with tag("section", None, "part", testid="operator-audit", aria_labelledby="audit"):
                tag("h2", "Audit", id="audit")
                self._audit()
        self.update(report)
        self._people(report.people)

    def update(self, report: HouseReport) -> None:
        """Bring the page up to date."""
        here = {one.info.id for one in report.tables}
        for table in [table for table in self.rows if table not in here]:
            self.rows.pop(table).line.delete()
        for one in report.tables:
            if one.info.id in self.rows:
                self.rows[one.info.id].update(one)
            else:
                with self.list:
                    self.rows[one.info.id] = OperatorRow(one, may_act=self.may_act)
        self.money.clear()
        with self.money:
            _money(report)
        self.results.clear()
        with self.results:
            _results(report)

    def _people(self, people: People) -> None:
        """The list from its beginning."""
        self.people.clear()
        with self.people, tag("div", None, "scroll"), tag("table", None, "rows stackable"):
            tag("caption", "Accounts", "hidden-words")
            with tag("thead"), tag("tr"):
                for title, classes in (
                    ("Name", ""),
                    ("Role", ""),
                    ("Since", ""),
                    ("Play money", "number"),
                ):
                    tag("th", title, classes, scope="col")
            self.accounts = tag("tbody", testid="people")
        if not people.accounts:
            with self.people:
                tag("p", "Nobody is called that.", "soft")
        self._add_people(people)

    def _add_people(self, people: People) -> None:
        with self.accounts:
            for one in people.accounts:
                with tag("tr"):
                    tag("td", one.name, "break", data_label="Name")
                    with tag("td", data_label="Role"):
                        self._role(one)
                    tag("td", words.moment(one.created), "small soft", data_label="Since")
                    tag("td", words.money(one.money), "number", data_label="Play money")
        self.more.clear()
        if people.more:
            last = people.accounts[-1].id

            async def more() -> None:
                self._add_people(await self.find(self.search, last))

            with self.more:
                press("More", more, testid="more-people")

    async def _search(self, text: str) -> None:
        self.search = text
        found = await self.find(text)
        if self.search == text:  # nobody has typed on
            self._people(found)

    def _role(self, one: AccountInfo) -> None:
        if not self.may_act or one.role == "guest" or one.id == self.own:
            tag("span", one.role)
            return
        with tag(
            "form",
            None,
            "buttons",
            data_api=f"/api/operator/accounts/{quote(one.id)}/role",
            data_method="PUT",
            data_then="",
        ):
            with tag("select", None, "field short", name="role", aria_label=f"Role of {one.name}"):
                for role in ROLES:
                    tag("option", role, value=role, selected=role == one.role)
            tag("button", "Set", "button", type="submit", aria_label=f"Set the role of {one.name}")
            tag("p", "", "refused", role="alert")

    def _audit(self) -> None:
        with tag("p", None, "soft"):
            tag("span", "Everything that the house has written down, line by line with its chain. ")
            tag("code", "upcard verify")
            tag("span", " checks such a file, on any machine.")
        with tag("div", None, "buttons below"):
            tag(
                "a",
                "Export for an audit",
                "button",
                href="/api/operator/audit",
                download="",
                testid="audit-export",
            )


EXPLAINED = (
    "What the house won, beside what wagers of these sizes win on average if every hand is played "
    "in the best way for its base wager, and how far apart the two are in standard deviations. "
    "Ties and other wagers on a hand are priced by that play too: whoever plays for them wins "
    "far more of them. Boxes of one round share the dealer's hand, and the deviation knows that. "
    "Prizes are paid besides, since nobody knows how long players stay: they are neither in the "
    "win nor in what is expected. Whoever plays worse than the best loses more."
)


class OperatorRow:
    """A table in one line."""

    def __init__(self, report: Report, *, may_act: bool) -> None:
        info = report.info
        at = quote(info.id)
        self.line = tag("article", None, "op-row", testid=f"op-{info.id}", data_game=info.game)
        with self.line:
            with tag("div"):
                with tag("h2", None, "name"):
                    link(info.name, f"/table/{at}")
                tag(
                    "p",
                    words.joined((info.game_name, words.limits(info.minimum, info.maximum))),
                    "small soft",
                )
                self.who = tag("p", "", "small soft")
                with tag("p", None, "ways"):
                    link("History", f"/table/{at}/history")
                    link("Verify", f"/table/{at}/verify")
                    link("Rules", f"/table/{at}/rules")
            with tag("div"):
                self.status = tag("span", "", "chip")
                self.rounds = tag("p", "", "small soft figure")
            self.curve = tag("div")
            with tag("div", None, "number"):
                self.win = tag("p", "", "win")
                self.expected = tag("p", "", "small soft")
            with tag("div", None, "number"):
                self.z = tag("span", "", "chip")
                self.note = tag("p", "", "small soft")
            with tag("div", None, "buttons"):
                if may_act:
                    self.pause = _act("Pause", at, "pause", info.name)
                    self.resume = _act("Resume", at, "resume", info.name)
                    self.close = _act(
                        "Close",
                        at,
                        "close",
                        info.name,
                        sure=f"Close {info.name}? Everybody's chips go back to their purses.",
                    )
            tag("p", "", "refused", role="alert")
        self.may_act = may_act
        self.update(report)

    def update(self, report: Report) -> None:
        info, total = report.info, report.account.total
        change_text(self.who, words.people(info.seats))
        change_text(self.status, info.status)
        self.status.classes(replace=f"chip {'good' if info.status == 'open' else 'warn'}")
        change_text(self.rounds, counted(info.rounds, "round"))
        change_text(self.win, words.signed(report.account.win))
        self.win.classes(replace=f"win {words.tone(report.account.win)}")
        if report.account.house_banks:
            known = total.expected is not None
            change_text(
                self.expected,
                f"expected {words.signed(round(total.expected or 0))}" if known else "",
            )
            change_text(self.z, z_words(total, report.failed) or "no price")
            self.z.classes(replace=z_tone(total))
        else:
            change_text(self.z, "fees")
        change_text(self.note, win_words(report))
        self.curve.clear()
        if len(report.curve) > 1:
            with self.curve:
                spark(
                    report.curve, label=f"Win of {info.name} over {counted(info.rounds, 'round')}"
                )
        if self.may_act:
            self.pause.set_visibility(info.status == "open")
            self.resume.set_visibility(info.status == "paused")
            self.close.set_visibility(info.status != "closed")


def _act(text: str, table: str, what: str, name: str, sure: str | None = None) -> Element:
    return ask(
        text,
        f"/api/operator/tables/{table}/{what}",
        "button danger" if sure else "button",
        sure=sure,
        testid=f"{what}-{table}",
        aria_label=f"{text} {name}",
    )


def _money(report: HouseReport) -> None:
    tables = report.tables
    total = sum(one.money.total for one in tables)
    figures(
        ("Fee boxes", words.money(sum(one.money.fee_box for one in tables)), ""),
        ("Prize funds", words.money(sum(one.money.prize_fund for one in tables)), ""),
        ("House bank", words.signed(sum(one.money.house for one in tables)), "won at wagers"),
        (
            "Chips at tables",
            words.money(sum(one.money.players for one in tables)),
            "of all players",
        ),
        (
            "Ledgers",
            "balanced" if report.balanced else words.signed(total),
            "the sum of all accounts is $0" if report.balanced else "must be $0",
        ),
        tones={"Ledgers": "good" if report.balanced else "bad"},
    )
    with tag("div", None, "scroll below"):
        with tag("table", None, "rows stackable"):
            tag("caption", "The ledger of every table", "hidden-words")
            titles = ("Fee box", "Prize fund", "House", "Cashier", "Chips of players", "Sum")
            with tag("thead"), tag("tr"):
                tag("th", "Table", scope="col")
                for title in titles:
                    tag("th", title, "number", scope="col")
            with tag("tbody"):
                for one in tables:
                    book = one.money
                    amounts = (
                        book.fee_box,
                        book.prize_fund,
                        book.house,
                        book.cashier,
                        book.players,
                        book.total,
                    )
                    with tag("tr"):
                        tag("td", one.info.name, data_label="Table")
                        for title, amount in zip(titles, amounts, strict=True):
                            tag("td", words.money(amount), "number", data_label=title)


def _results(report: HouseReport) -> None:
    with tag("div", None, "scroll"), tag("table", None, "rows stackable"):
        tag("caption", "Results by table and wager", "hidden-words")
        titles = ("Wagers", "Staked", "Action", "Win", "Expected", "Deviation", "Off by")
        with tag("thead"), tag("tr"):
            tag("th", "Table and wager", scope="col")
            for title in titles:
                tag("th", title, "number", scope="col")
        with tag("tbody"):
            for one in report.tables:
                for account in one.account.wagers.values():
                    _result(one, account, titles)


def _result(report: Report, account: Account, titles: tuple[str, ...]) -> None:
    banked = report.account.house_banks
    plans = report.running.tables.money.wagers
    names = wager_names({wager: plan.name for wager, plan in plans.items()})
    name = names.get(account.wager, account.wager)
    expected = "" if account.expected is None else words.signed(round(account.expected))
    deviation = "" if account.deviation is None else f"± {words.money(round(account.deviation))}"
    cells = (
        f"{account.count:,}",
        words.money(account.staked),
        words.money(account.action),
        words.signed(account.win),
        expected,
        deviation,
        z_words(account, report.failed),
    )
    with tag("tr"):
        with tag("td", data_label="Table and wager"), tag("div"):
            tag("div", name)
            rest = "" if banked else ", won by whoever banks"
            tag("div", f"{report.info.name}{rest}", "small soft")
            if report.failed:
                tag("div", report.failed, "small soft")
        for title, cell in zip(titles, cells, strict=True):
            tag("td", cell, "number", data_label=title)
