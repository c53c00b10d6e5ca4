"""One's own: purse, last games, what the coach says, limits, sign-in data, tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from upcard.money import MOST_CENTS, plain_dollars
from upcard.service.own_limits import DAY_MINUTES
from upcard.text import counted
from upcard.web import words
from upcard.web.curve import balance_curve
from upcard.web.dom import ask, link, press, tag
from upcard.web.figures import figures
from upcard.web.pages.session import Reviewed, summary_part
from upcard.web.shell import empty, heading

if TYPE_CHECKING:
    from upcard.service.accounts import Purse, SessionInfo
    from upcard.service.own_limits import Standing
    from upcard.service.specs import Account, RoundInfo, TableInfo

LAST = 10
"""Games that can always be recalled."""
SHOWN_MOVEMENTS = 8
"""Movements of the purse in the list."""


@dataclass(frozen=True)
class Rounds:
    """Some rounds in a list, their tables, and whether there are older ones."""

    rounds: Sequence[RoundInfo]
    tables: Mapping[str, TableInfo]
    more: bool = False


@dataclass(frozen=True)
class AtTable:
    """A table at which somebody has chips or a seat; `chips` are cents, without wagers in play."""

    id: str
    name: str
    chips: int


@dataclass(frozen=True)
class Own:
    """Everything that the page shows."""

    account: Account
    purse: Purse
    standing: Standing
    rounds: Sequence[RoundInfo]
    shown: Rounds
    older: Callable[[RoundInfo], Awaitable[Rounds]]
    reviewed: Reviewed
    sessions: Sequence[SessionInfo]
    tokens: Sequence[SessionInfo]
    session: str
    has_password: bool = True
    """Whoever came by a link has none yet."""
    chips: Sequence[AtTable] = ()
    table_names: Mapping[str, str] = field(default_factory=dict)
    """Names of the tables that the movements of the purse belong to."""


def net_of(info: RoundInfo) -> int:
    """What a round brought whoever it belongs to: all its results together."""
    return sum(result.net for result in info.results)


def me_page(own: Own) -> None:
    account = own.account
    with tag("div", None, "page"):
        with heading(account.name, _who(account)), tag("div", None, "buttons"):
            if account.role == "guest":
                link("Register to keep it", "/register", "button main")
        won = [net_of(info) for info in own.rounds]
        lost = own.standing.lost
        figures(
            ("Play money", words.money(own.purse.money), "beside the tables"),
            ("At tables", words.money(_at_tables(own)), "in chips, without wagers"),
            ("Today", words.signed(-lost), "won or lost"),
            ("At play today", words.duration(own.standing.minutes), "since midnight UTC"),
            ("Last rounds", words.signed(sum(won)), counted(len(won), "round")),
            tones={"Today": words.tone(-lost), "Last rounds": words.tone(sum(won))},
        )
        _rounds(own, won)
        with tag("section", None, "part", id="coach", testid="coach"):
            tag("h2", "What the coach saw")
            with tag("div", None, "below"):
                summary_part(own.reviewed)
        with tag("div", None, "two part"):
            _limits(own.standing)
            _purse(own)
        with tag("div", None, "two part"):
            _sign_in(own)
            _tokens(own)


def _at_tables(own: Own) -> int:
    return sum(one.chips for one in own.chips)


def _who(account: Account) -> str:
    if account.role == "guest":
        return "A guest: what you have lasts as long as this browser keeps its cookie."
    return {"player": "Player", "operator": "Operator", "auditor": "Auditor"}[account.role]


def _rounds(own: Own, won: Sequence[int]) -> None:
    with tag("section", None, "part", testid="last-games"):
        tag("h2", "Your rounds")
        if not own.rounds:
            with tag("div", None, "below"):
                empty("You have not played yet.", ("To the lobby", "/"))
            return
        if len(won) > 1:
            with tag("div", None, "below"):
                balance_curve(list(reversed(won)), label="Your balance")
        count = len(own.shown.rounds)
        tag("h3", "The last round" if count == 1 else f"The last {count} rounds", "below")
        _RoundList(own.shown, own.older)


class _RoundList:
    """Rounds, the last first; older ones come when they are asked for."""

    def __init__(self, shown: Rounds, older: Callable[[RoundInfo], Awaitable[Rounds]]) -> None:
        self.older = older
        self.list = tag("ol", None, "round-list scroll below", testid="own-rounds")
        self.more = tag("div", None, "buttons below")
        self._add(shown)

    def _add(self, shown: Rounds) -> None:
        with self.list:
            for info in shown.rounds:
                _round(info, shown.tables.get(info.table))
        self.more.clear()
        if shown.more:
            last = shown.rounds[-1]

            async def more() -> None:
                self._add(await self.older(last))

            with self.more:
                press("Older rounds", more, testid="older")


def _round(info: RoundInfo, table: TableInfo | None) -> None:
    net = net_of(info)
    with (
        tag("li"),
        tag("a", None, "round", href=f"/table/{quote(info.table)}/round/{info.round}"),
    ):
        tag("span", str(info.round), "figure soft")
        tag("span", words.signed(net), f"amount {words.tone(net)}")
        tag("span", words.joined((table.game_name, table.name)) if table else "")
        tag("span", words.moment(info.ended), "soft small when")


def _limits(standing: Standing) -> None:
    limits = standing.limits
    with tag("section", None, "panel", id="limits", testid="limits"):
        tag("h2", "Limits that you set yourself")
        tag(
            "p",
            "For a day. A lower limit holds at once, a higher one or none after 24 hours. Empty is "
            "no limit.",
            "small soft",
        )
        with tag(
            "form",
            None,
            "stack below",
            data_api="/api/me/limits",
            data_method="PUT",
            data_then="",
        ):
            loss = plain_dollars(limits.loss) if limits.loss is not None else ""
            _line("loss", "Lose at most, in dollars", loss, "cents", MOST_CENTS)
            minutes = str(limits.minutes) if limits.minutes is not None else ""
            _line("minutes", "Play at most, in minutes", minutes, "number", DAY_MINUTES)
            tag("p", "", "refused", role="alert")
            with tag("div", None, "buttons"):
                tag("button", "Set the limits", "button main", type="submit", testid="set-limits")
        pending = limits.pending
        if pending is not None:
            loss_words = words.money(pending.loss) if pending.loss is not None else "no limit"
            time = words.duration(pending.minutes) if pending.minutes is not None else "no limit"
            said = f"From {words.moment(pending.at)}: loss {loss_words}, time {time}."
            tag("p", said, "notice below")


def _line(name: str, label: str, value: str, kind: str, most: int) -> None:
    with tag("div", None, "setting"):
        tag("label", label, for_=f"limit-{name}")
        tag(
            "input",
            None,
            "field",
            id=f"limit-{name}",
            name=name,
            value=value,
            inputmode="decimal",
            data_type=kind,
            data_most=most,
            autocomplete="off",
            testid=name,
        )


def _purse(own: Own) -> None:
    with tag("section", None, "panel", testid="purse-panel"):
        tag("h2", "Purse")
        with tag("div", None, "stack"):
            with tag("div", None, "buttons", data_answers=""):
                ask(
                    "Fill it up",
                    "/api/me/purse/refill",
                    "button",
                    then="",
                    testid="refill",
                )
                tag("p", "", "refused", role="alert")
            if own.chips:
                with tag("p", None, testid="at-tables"):
                    tag("span", f"At tables {words.money(_at_tables(own))}: ")
                    for number, at in enumerate(own.chips):
                        tag("span", ", " if number else "")
                        link(at.name, f"/table/{quote(at.id)}", "break")
                        tag("span", f" {words.money(at.chips)}" if len(own.chips) > 1 else "")
            with tag("table", testid="movements"), tag("tbody"):
                for one in own.purse.movements[:SHOWN_MOVEMENTS]:
                    name = own.table_names.get(one.table or "", "")
                    with tag("tr"):
                        with tag("td", None, "break"):
                            tag("span", f"{one.why} at " if name else one.why)
                            if name:
                                link(name, f"/table/{quote(one.table or '')}")
                        tag("td", words.moment(one.at), "small soft")
                        tag("td", words.signed(one.amount), f"number {words.tone(one.amount)}")


def _sign_in(own: Own) -> None:
    with tag("section", None, "panel stack", testid="sign-in-data"):
        tag("h2", "Signing in")
        if own.account.role == "guest":
            tag("p", "A guest has no password.", "soft")
            with tag("div", None, "buttons"):
                link("Register", "/register", "button main")
                link("Sign in", "/sign-in", "button")
            return
        known = own.has_password
        title = "Change the password" if known else "Set a password"
        lines = [("old", "Old password", "current-password")] if known else []
        lines.append(("new", "New password", "new-password"))
        with tag(
            "form",
            None,
            "stack",
            data_api="/api/me/password",
            data_then="",
            data_said=f"Your password is {'changed' if known else 'set'}. "
            "All other sessions and tokens are closed.",
            testid="password-form",
        ):
            tag("h3", title)
            if not known:
                tag("p", "You came by a link and have none yet. With one you can sign in.", "small")
            tag(
                "p",
                "Eight characters or more. It closes all your other sessions and tokens; you stay "
                "signed in here.",
                "small soft",
            )
            tag("input", type="hidden", autocomplete="username", value=own.account.name)
            for name, label, fills in lines:
                with tag("div", None, "setting"):
                    tag("label", label, for_=f"password-{name}")
                    tag(
                        "input",
                        None,
                        "field",
                        id=f"password-{name}",
                        name=name,
                        type="password",
                        autocomplete=fills,
                        required=True,
                    )
            tag("p", "", "refused", role="alert")
            with tag("div", None, "buttons"):
                tag("button", title, "button", type="submit", testid="set-password")
        tag("h3", "Where you are signed in")
        with tag("ul", None, "stack-small"):
            for one in own.sessions:
                with tag("li", None, "line"):
                    mine = one.id == own.session
                    label = "this browser" if mine else one.label or "another browser"
                    with tag("span", None, "small break"):
                        tag("span", label)
                        tag("span", f", since {words.moment(one.created)}", "soft")
                    if not mine:
                        _close(one.id, "Sign out there")


def _close(session: str, text: str) -> None:
    ask(
        text,
        f"/api/me/sessions/{quote(session)}",
        "button quiet",
        method="DELETE",
        then="",
    )


def _tokens(own: Own) -> None:
    with tag("section", None, "panel stack", testid="tokens"):
        tag("h2", "Tokens for programs")
        tag(
            "p",
            "A program that shows a token plays as you. What opens it is shown once only.",
            "small soft",
        )
        if own.account.role == "guest":
            tag("p", "Tokens are for accounts with a password.", "soft")
            return
        form = tag("form", None, "stack", data_api="/api/me/tokens", testid="token-form")
        with form:
            with tag("div", None, "setting"):
                tag("label", "What it is for", for_="token-label")
                tag("input", None, "field", id="token-label", name="label", maxlength=60)
            tag("p", "", "refused", role="alert")
            with tag("div", None, "buttons"):
                tag("button", "Make a token", "button", type="submit", testid="make-token")
            tag(
                "p",
                "",
                "hash notice good",
                data_token="",
                attributes={"hidden": ""},
                testid="new-token",
            )
        # The token never passes through the page's server: the browser shows what the API answered.
        form.on(
            "done",
            js_handler="(event) => { const shown = event.target.querySelector('[data-token]');"
            " shown.textContent = event.detail.token; shown.hidden = false; }",
        )
        with tag("ul", None, "stack-small"):
            for one in own.tokens:
                with tag("li", None, "line"):
                    said = f"{one.label or 'a token'}, since {words.moment(one.created)}"
                    tag("span", said, "small break")
                    _close(one.id, "Revoke")
