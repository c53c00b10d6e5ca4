"""The frame of every page: bar, main part, footer; and who is looking at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

from nicegui import ui

from upcard.web import words
from upcard.web.dom import ask, link, tag
from upcard.web.theme import stylesheet

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.service.specs import Account

STATIC = "/static/upcard"
MAIN = "main"
ICONS = {
    "theme": "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
    "clock": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2",
    "purse": "M4 8h15a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 8l11-3v3M16 13.500h1",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "person": "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c1-4 4-5.500 8-5.500s7 1.500 8 5.500",
}


@dataclass(frozen=True)
class Visitor:
    """Who looks at a page: the account, the purse in cents, the time at play today in seconds."""

    account: Account | None = None
    wallet: int = 0
    played: float = 0.0
    playing: bool = False

    @property
    def is_staff(self) -> bool:
        return self.account is not None and self.account.role in ("operator", "auditor")

    @property
    def is_guest(self) -> bool:
        return self.account is None or self.account.role == "guest"


COMING = """
#esm-fallback { font-size: 0 !important; }
#esm-fallback::before { content: "Upcard is coming …"; font-size: 1.25rem; }
"""
"""What stands there until the scripts have come: on a slow line that is not the browser's fault."""


@lru_cache(maxsize=1)
def head_html() -> str:
    """What every page has in its head; nothing of it comes from a person."""
    folder = resources.files("upcard.web") / "static"
    version = sha256(
        b"".join((folder / name).read_bytes() for name in ("upcard.css", "upcard.js"))
    ).hexdigest()[:12]
    return (
        f"<style>{stylesheet()}{COMING}</style>"
        f'<script src="{STATIC}/upcard.js?{version}"></script>'
        f'<link rel="stylesheet" href="{STATIC}/upcard.css?{version}">'
        '<meta name="description" content="Games of the 21 family, for play money only.">'
    )


def icon(name: str) -> Element:
    with tag(
        "svg",
        attributes={"viewBox": "0 0 24 24", "aria-hidden": "true", "focusable": "false"},
        fill="none",
        stroke="currentColor",
        stroke_width="1.8",
        stroke_linecap="round",
        stroke_linejoin="round",
    ) as drawn:
        tag("path", d=ICONS[name])
    return drawn


@contextmanager
def shell(
    visitor: Visitor,
    title: str,
    *,
    here: str = "",
    game: str = "",
    where: str = "",
    footer: bool = True,
) -> Iterator[Element]:
    """A page with the bar above and the footer below; what is made inside is its main part.

    `here` is the address of the page's entry in the bar, `where` what the bar says of it.
    """
    client = ui.context.client
    ui.add_head_html(head_html())
    ui.page_title(f"{title} · Upcard" if title else "Upcard")
    with client.layout:
        skip = link("Skip to the content", f"#{MAIN}", "skip")
        bar = _bar(visitor, here, where)
        skip.move(target_index=0)
        bar.move(target_index=1)
    client.content.props.update({"id": MAIN, "tabindex": "-1"})
    if game:
        client.layout.props["data-game"] = game
    with client.content:
        yield client.content
    if footer:
        with client.layout:
            _footer()


def _bar(visitor: Visitor, here: str, where: str) -> Element:
    with tag("header", None, "bar", testid="bar") as bar:
        with tag("a", None, "brand", testid="brand", href="/", aria_label="Upcard: lobby"):
            tag("img", src=f"{STATIC}/mark.svg", alt="", width=24, height=24)
            tag("span", "Upcard", "" if not where else "only-wide")
        with tag("nav", None, "only-wide", aria_label="House"):
            for text, to in _entries(visitor):
                link(text, to, aria_current="page" if to == here else None)
        if where:
            with tag("div", None, "where", testid="where"):
                tag("span", where)
        tag("span", None, "space")
        _purse(visitor)
        with tag(
            "button",
            None,
            "plain item",
            testid="switch-theme",
            type="button",
            aria_label="Dark theme",
            title="Dark or light",
            data_switch_theme="",
        ):
            icon("theme")
        _menu(visitor)
    return bar


def _entries(visitor: Visitor) -> list[tuple[str, str]]:
    entries = [("Lobby", "/"), ("New table", "/tables/new"), ("Drill", "/drill")]
    if visitor.account is not None:
        entries.append(("My play", "/me"))
    if visitor.is_staff:
        entries.append(("Operator", "/operator"))
    return entries


def _purse(visitor: Visitor) -> None:
    """Play money and the time at play: both are always in sight."""
    if visitor.account is None:
        return
    title = "Time at play today, hours and minutes"
    with tag("a", None, "item", testid="clock", href="/me#limits", title=title):
        icon("clock")
        tag("span", "Time at play today ", "hidden-words")
        tag(
            "span",
            words.hours(visitor.played),
            "figure",
            data_played=round(visitor.played),
            data_running="1" if visitor.playing else "0",
        )
    with tag("a", None, "item", testid="purse", href="/me", title="Your play money"):
        icon("purse")
        tag("span", "Play money ", "hidden-words")
        tag("span", words.money(visitor.wallet), "purse figure", data_purse="")


def _menu(visitor: Visitor) -> None:
    account = visitor.account
    with tag("details", None, "menu", testid="menu"):
        with tag("summary", None, "item"):
            icon("person" if account is not None else "menu")
            name = account.name if account is not None else "Guest"
            tag("span", name if len(name) <= 16 else f"{name[:15]}…", "only-wide")
            tag("span", "Menu", "hidden-words")
        with tag("div", None, "sheet"):
            if account is not None:
                tag("p", f"{account.name}, {account.role}", "soft break", testid="signed-in-as")
            for text, to in _entries(visitor):
                link(text, to, "only-phone")
            tag("hr", None, "only-phone")
            if account is None or account.role == "guest":
                link("Sign in", "/sign-in", testid="to-sign-in")
                link("Register", "/register", testid="to-register")
            else:
                link("My play and limits", "/me")
            if account is not None and account.role != "guest":
                ask("Sign out", "/api/sign-out", "", then="/", testid="sign-out")


def _footer() -> None:
    with tag("footer", None, "footer", testid="footer"), tag("div"):
        tag("strong", "Play money only.")
        tag("span", "Nothing here can be bought, cashed in or won for real.")
        tag("span", None, "space")
        link("Check a record yourself", "/verify")
        link("Interface for programs", "/api/openapi.json")


def crumbs(*steps: tuple[str, str]) -> None:
    """Where a page lies: links to what is above it."""
    with tag("nav", None, "crumbs", aria_label="Way back"):
        for number, (text, to) in enumerate(steps):
            if number:
                tag("span", " / ", aria_hidden="true")
            link(text, to)


def heading(title: str, sentence: str = "", *, level: int = 1) -> Element:
    """A heading with a sentence below it; what is made inside stands at the right."""
    head = tag("div", None, "head")
    with head:
        with tag("div"):
            tag(f"h{level}", title)
            if sentence:
                tag("p", sentence)
        tag("span", None, "space")
    return head


def empty(words_: str, *actions: tuple[str, str]) -> None:
    """Nothing to show yet, and what one can do about it."""
    with tag("div", None, "empty"):
        tag("p", words_)
        with tag("div", None, "buttons"):
            for number, (text, to) in enumerate(actions):
                link(text, to, "button" if number else "button main")
