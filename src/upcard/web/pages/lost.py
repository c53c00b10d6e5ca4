"""No dead ends: what is not there, what is closed and what is not allowed, each with a way on."""

from __future__ import annotations

from upcard.service.specs import HouseError
from upcard.web.cards import draw_back, draw_card
from upcard.web.dom import link, tag

TITLES = {
    "missing": "There is nothing here",
    "forbidden": "This is not for you",
    "refused": "That is not possible",
    "limit": "Not now",
    "unavailable": "The house cannot do that now",
}


def lost(error: HouseError, *, signed_in: bool) -> None:
    """A page in the place of the one that was asked for."""
    with tag("div", None, "lost", testid="lost"):
        with tag("div", None, "fan", aria_hidden="true"):
            draw_back()
            draw_card("2c")
            draw_back()
        tag("h1", TITLES[error.code])
        said = str(error)
        tag("p", f"{said[:1].upper()}{said[1:]}.".replace("..", "."), "soft break")
        with tag("div", None, "buttons"):
            link("To the lobby", "/", "button main large", testid="to-lobby")
            if error.code == "forbidden" and not signed_in:
                link("Sign in", "/sign-in", "button large")
