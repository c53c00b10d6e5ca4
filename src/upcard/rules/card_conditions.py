"""The vocabulary of conditions on cards, for rows of pay tables and for bonus hands.

A condition speaks of one set of cards. All keys that it states must hold; one that states nothing
always does.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from upcard.rules.section import Rank, RuleSection

CardText = Annotated[str, Meta(pattern=r"^[A2-9TJQK][shdc]$")]
"""A card such as `Qh`."""

Whole = Annotated[int, Meta(ge=0)]
Ranks = Annotated[tuple[Rank, ...], Meta(min_length=1)]
Cards = Annotated[tuple[CardText, ...], Meta(min_length=1)]


class Span(RuleSection, frozen=True, kw_only=True):
    """Whole numbers `from` one `to` another, both included; an end that is not stated is open."""

    from_: Annotated[Whole | None, Meta(description="Smallest.")] = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Whole | None, Meta(description="Largest.")] = None


Number = Whole | Span
"""One number, or a span of them."""


class RankCount(RuleSection, frozen=True, kw_only=True):
    """How many cards of some ranks there are."""

    ranks: Annotated[Ranks, Meta(description="The ranks that count.")]
    count: Annotated[Number, Meta(description="How many cards of them.")]


class SetCondition(RuleSection, frozen=True, kw_only=True):
    """What must be so of some cards; tens and courts are four ranks, for totals all ten."""

    first: Annotated[
        Annotated[int, Meta(ge=1, le=12)] | None,
        Meta(description="Look only at so many of the cards, in the order dealt."),
    ] = None
    cards: Annotated[Number | None, Meta(description="How many cards there are.")] = None
    total: Annotated[
        Number | None, Meta(description="What they total, over or not; a span takes in its ends.")
    ] = None
    soft: Annotated[bool | None, Meta(description="Whether an ace counts high.")] = None
    natural: Annotated[bool | None, Meta(description="Whether they are a natural.")] = None
    bust: Annotated[bool | None, Meta(description="Whether they are over.")] = None
    ranks: Annotated[
        Ranks | None,
        Meta(description="Exactly these ranks, in any order."),
    ] = None
    only: Annotated[Ranks | None, Meta(description="Every card is of these ranks.")] = None
    has: Annotated[RankCount | None, Meta(description="So many cards of some ranks.")] = None
    exactly: Annotated[
        Cards | None,
        Meta(description="Exactly these cards, in any order."),
    ] = None
    alike: Annotated[
        Literal["rank", "rank-and-suit"] | None,
        Meta(description="All cards are of one rank, or of one rank and one suit."),
    ] = None
    pair: Annotated[
        bool | None, Meta(description="Whether two of the cards, or more, are of one rank.")
    ] = None
    suits: Annotated[
        Literal["one", "one-colour", "s", "h", "d", "c"] | None,
        Meta(description="All cards are of one suit, of one colour, or of that suit."),
    ] = None
    sequence: Annotated[
        bool | None,
        Meta(description="Whether the ranks follow each other, the ace at either end."),
    ] = None
    last: Annotated[Ranks | None, Meta(description="Ranks of the last card.")] = None


class FinalCondition(RuleSection, frozen=True, kw_only=True):
    """What must be so of a hand that has ended; one that is over has no total."""

    cards: Annotated[Number | None, Meta(description="How many cards there are.")] = None
    total: Annotated[
        Number | None, Meta(description="What they total; a span takes in its ends.")
    ] = None
    natural: Annotated[bool | None, Meta(description="Whether they are a natural.")] = None
    bust: Annotated[bool | None, Meta(description="Whether they are over.")] = None


class CardCondition(SetCondition, frozen=True, kw_only=True):
    """What must be so of the cards that a row looks at, and of the first cards beside them."""

    up: Annotated[Ranks | None, Meta(description="Ranks of the dealer's up card.")] = None
    between: Annotated[
        Number | None,
        Meta(
            description="The dealer's up card lies strictly between the player's first two in "
            "rank, aces high, with so many ranks between these."
        ),
    ] = None
    players_two: Annotated[
        SetCondition | None, Meta(description="What must be so of the player's first two cards.")
    ] = None
    dealers_two: Annotated[
        SetCondition | None, Meta(description="What must be so of the dealer's first two cards.")
    ] = None
    dealers_final: Annotated[
        FinalCondition | None,
        Meta(description="Of `final-hands`: what must be so of the dealer's final hand."),
    ] = None
    compared: Annotated[
        Literal["higher", "equal", "lower"] | None,
        Meta(
            description="Of `final-hands`: how the player's hand stands beside the dealer's where "
            "neither is over; a natural is higher than any drawn hand."
        ),
    ] = None
