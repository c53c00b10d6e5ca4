"""The head of a game file: what it is called, where it comes from and holds, how it is shown.

Nothing of it is a rule, so but for id and version none of it is in a fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from upcard.rules.section import RuleSection

OTHERS_ORDER = 100
"""The place of a game that names none: behind the packaged games."""

LETTERING = "#e6dfcb"
"""The faintest colour in which a felt is lettered."""
LEAST_CONTRAST = 4.5
"""How well lettering must be read: WCAG's ratio for texts."""


class GameHead(RuleSection, frozen=True, kw_only=True):
    """The top of a game file, before its first table."""

    id: Annotated[
        str, Meta(pattern=r"^[a-z0-9][a-z0-9.-]*$", description="Lower-case id, e.g. `twisted-21`.")
    ]
    version: Annotated[
        int, Meta(ge=1, description="Goes up when the behaviour of the game changes.")
    ]
    name: Annotated[str, Meta(min_length=1, description="The game's name.")]
    also_known_as: Annotated[tuple[str, ...], Meta(description="Other names.")] = ()
    source: Annotated[str, Meta(min_length=1, description="The document it is written from.")]
    extends: Annotated[
        str | None,
        Meta(
            description="A game this one differs from, by its id or as a file beside this one; "
            "only differences follow."
        ),
    ] = None
    draft: Annotated[
        bool,
        Meta(description="Values need no source yet; everything that is made of it says DRAFT."),
    ] = False
    summary: Annotated[
        str, Meta(description="What is special about it, in a sentence or two for menus.")
    ] = ""
    short: Annotated[
        str,
        Meta(
            pattern=r"^[A-Z0-9]{0,4}$",
            description="Its code on the vocabulary page, such as `TW`; packaged games need one.",
        ),
    ] = ""
    order: Annotated[
        int, Meta(ge=0, description="Its place where games are listed, the smallest first.")
    ] = OTHERS_ORDER
    felt: Annotated[
        str,
        Meta(
            pattern=r"^(#[0-9a-f]{6})?$",
            description="The colour of its felt, such as `#0d5b45`; empty: the house's own.",
        ),
    ] = ""
    effective: Annotated[
        date | None, Meta(description="The first day on which the rules hold, if the source says.")
    ] = None
    until: Annotated[
        date | None, Meta(description="The last day on which they hold, if the source says.")
    ] = None
    jurisdiction: Annotated[
        str, Meta(description="Where they hold, such as `South Dakota`, if the source says.")
    ] = ""

    @property
    def ref(self) -> str:
        """The text form of the game's identity."""
        return f"{self.id}@{self.version}"


HEADER = tuple(field.encode_name for field in msgspec.structs.fields(GameHead))
"""The keys of the head."""
OWN = (
    "draft",
    "summary",
    "short",
    "order",
    "felt",
    "effective",
    "until",
    "jurisdiction",
)
"""Those that hold for one file, and not for games that extend it."""


def head_problems(head: GameHead) -> Iterator[tuple[str, str]]:
    """The head: rules cannot end before they hold, words stand in one line, and the felt's
    lettering can be read.
    """
    if head.effective and head.until and head.until < head.effective:
        yield "until", f"the rules would end before they hold, from {head.effective} on"
    for key in ("name", "summary", "jurisdiction"):
        text = getattr(head, key)
        if text != text.strip() or (text and not text.isprintable()):
            yield key, "it stands in one line, without blanks around it or control characters"
    if head.felt and contrast(head.felt, LETTERING) < LEAST_CONTRAST:
        words = f"light lettering could not be read on {head.felt}: a darker colour, such as"
        yield "felt", f"{words} #24534a"


def when_and_where(head: GameHead) -> str:
    """Where and when the rules hold, as far as the source says; or nothing.

    >>> from upcard.rules.load import assemble
    >>> when_and_where(assemble("ten-sticks-21", {}).game)
    'South Dakota'
    """
    first, last = head.effective, head.until
    days = {
        (True, True): f"from {first} to {last}",
        (True, False): f"from {first} on",
        (False, True): f"until {last}",
    }.get((first is not None, last is not None), "")
    return ", ".join(part for part in (head.jurisdiction, days) if part)


def contrast(one: str, other: str) -> float:
    """How well a text of one colour is read on another: WCAG's ratio, at best 21.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(
        part * channel for part, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
