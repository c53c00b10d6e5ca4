"""The vocabulary of wagers on cards whose pay table is made of conditions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from upcard.rules.card_conditions import CardCondition
from upcard.rules.section import Cents, RuleSection

CardSet = Literal[
    "first",
    "first-two",
    "first-three",
    "first-two-and-up-card",
    "up-card",
    "dealers-two",
    "dealer",
    "final-hands",
]
"""Cards that such a wager may look at; `dealer` is the dealer's final hand, `final-hands` are the
player's first hand and the dealer's at settlement.
"""

Pays = Annotated[int, Meta(ge=0)] | Annotated[str, Meta(pattern=r"^(push|[1-9]\d*:[1-9]\d*)$")]
"""What a row pays: a whole number, odds, or a push, which 0 is too."""


class ShoePays(RuleSection, frozen=True, kw_only=True):
    """What a row pays with some shoe."""

    decks: Annotated[int, Meta(ge=1, le=8, description="Decks of the shoe.")]
    cards: Annotated[int, Meta(ge=4, le=52, description="Cards of a deck.")] = 52
    pays: Annotated[Pays, Meta(description="What the row pays then.")]


class CardRow(RuleSection, frozen=True, kw_only=True):
    """A row of a pay table: an event, when it comes, and what it pays."""

    event: Annotated[str, Meta(min_length=1, description="What the pay table calls it.")]
    pays: Annotated[
        Pays | None,
        Meta(description="What it pays: 9, `5:2`, or `push`; left out where `pays_with` says it."),
    ] = None
    pays_with: Annotated[
        tuple[ShoePays, ...],
        Meta(description="What it pays with some shoes, in place of `pays`."),
    ] = ()
    when: Annotated[CardCondition, Meta(description="What must be so of the cards.")]


class CardWager(RuleSection, frozen=True, kw_only=True, tag_field="settles", tag="cards"):
    """A wager on a few cards, or on the dealer's hand, by a pay table of conditions."""

    name: Annotated[str, Meta(min_length=1, description="What the layout calls it.")]
    use: Annotated[
        str, Meta(description="The shared side wager that it is, by its id or its file.")
    ] = ""
    table: Annotated[str, Meta(description="The pay table of that side wager.")] = ""
    offered: Annotated[bool, Meta(description="Whether the table offers it.")] = True
    needs: Annotated[str, Meta(description="A wager that must be placed with it.")] = "base"
    cards: Annotated[CardSet, Meta(description="The cards it looks at.")]
    settled: Annotated[
        Literal["initial", "peek", "third", "dealer"],
        Meta(
            description="When it is paid or collected: after the deal, after the check for a "
            "natural, with the third card, or after the dealer's hand."
        ),
    ]
    mode: Annotated[
        Literal["first-row", "best-row", "every-row", "each-card"],
        Meta(
            description="The first row that fits is paid, or the one that pays most; or all that "
            "fit add up; or each card beside the up card has a row of its own, and these add up."
        ),
    ] = "first-row"
    aces: Annotated[
        Literal["best", "low"],
        Meta(description="Whether an ace in a total counts as is best, or always low."),
    ] = "best"
    third_card: Annotated[
        Literal["guaranteed", "if-drawn"],
        Meta(
            description="Whether a third card that still matters is dealt for the wager when the "
            "hand does not draw one."
        ),
    ] = "if-drawn"
    quoted: Annotated[
        Literal["to-1", "for-1"],
        Meta(description="Whether the figures are without or with the stake."),
    ] = "to-1"
    rows: Annotated[
        tuple[CardRow, ...], Meta(min_length=1, description="Events, the highest paying first.")
    ]
    maximum: Annotated[
        Cents, Meta(description="Its own upper limit, in cents; 0: the table's.")
    ] = 0
