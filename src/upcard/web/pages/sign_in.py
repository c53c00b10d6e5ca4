"""Signing in and registering: two fields."""

from __future__ import annotations

from upcard.web.dom import link, tag
from upcard.web.shell import STATIC


def door(*, new: bool, then: str, guest: bool, link_used: bool = False) -> None:
    """A form with two fields. `then` is the page to go to, one of the house's own."""
    title = "Register" if new else "Sign in"
    with tag("div", None, "door"):
        tag("img", None, "mark", src=f"{STATIC}/mark.svg", alt="", width=56, height=56)
        with tag("div", None, "panel"):
            tag("h1", title)
            if link_used:
                _link_used()
            api = "/api/register" if new else "/api/sign-in"
            apart = "below" if link_used else ""
            with tag("form", None, apart, testid="door", data_api=api, data_then=then):
                _line("name", "Name", "username", "text")
                _line(
                    "password",
                    "Password",
                    "new-password" if new else "current-password",
                    "password",
                )
                if new:
                    tag(
                        "p",
                        "Eight characters or more. Others see your name, nothing else.",
                        "small soft",
                    )
                tag("p", "", "refused", role="alert", testid="refused")
                tag("button", title, "button main large", type="submit", testid="enter")
            with tag("p", None, "small below"):
                if new:
                    tag("span", "You have an account? ")
                    link("Sign in", "/sign-in")
                else:
                    tag("span", "New here? ")
                    link("Register", "/register", testid="to-register-below")
                    tag("span", ", or just play: no account is needed.")
            if new and guest:
                tag("p", "Your purse and your rounds so far come with you.", "small soft")


def _link_used() -> None:
    """What whoever opens a link a second time can do about it."""
    with tag("div", None, "notice stack-small", role="status", testid="link-used"):
        tag("p", "This link was used already, or is too old.")
        with tag("p"):
            tag("span", "Sign in with your password. Or make another link where the house runs: ")
            tag("code", "upcard house account link Operator", "break")
        with tag("p"):
            tag("span", "For a password that was forgotten: ")
            tag("code", "upcard house account password Operator", "break")


def _line(name: str, label: str, fills: str, kind: str) -> None:
    with tag("div", None, "setting"):
        tag("label", label, for_=f"door-{name}")
        tag(
            "input",
            None,
            "field",
            id=f"door-{name}",
            name=name,
            type=kind,
            autocomplete=fills,
            required=True,
            testid=name,
        )


def own_page(text: str) -> str:
    """A page of the house, whatever was asked for.

    >>> own_page("/me"), own_page("//evil.example"), own_page("https://evil.example")
    ('/me', '/', '/')
    """
    plain = text.startswith("/") and not text.startswith(("//", "/\\"))
    return text if plain and text.isprintable() else "/"
