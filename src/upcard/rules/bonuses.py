"""The vocabulary of bonuses of the main wager: hands that are paid more than an ordinary win."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from upcard.rules.card_conditions import Number, Ranks, Span
from upcard.rules.section import Odds, RuleSection


class BonusHand(RuleSection, frozen=True, kw_only=True):
    """A hand that gets a bonus, and what it pays; all that a row states must be so."""

    name: Annotated[str, Meta(min_length=1, description="What the layout calls it.")]
    ranks: Annotated[Ranks | None, Meta(description="Exactly these ranks, in any order.")] = None
    natural: Annotated[
        bool, Meta(description="A natural. Rows that do not say so are for other hands.")
    ] = False
    total: Annotated[Number | None, Meta(description="What the hand totals.")] = None
    cards: Annotated[Number | None, Meta(description="How many cards it has.")] = None
    suits: Annotated[
        Literal["one", "one-colour", "s", "h", "d", "c"] | None,
        Meta(description="All cards are of one suit, of one colour, or of that suit."),
    ] = None
    pays: Annotated[Odds, Meta(description="Odds of the main wager with such a hand.")]
    ends: Annotated[bool, Meta(description="The hand is over by it, though it could draw on.")] = (
        False
    )


class BonusRules(RuleSection, frozen=True, kw_only=True):
    """Bonuses of the main wager: hands that pay more than an ordinary win."""

    rows: Annotated[tuple[BonusHand, ...], Meta(description="Hands; the first that fits is paid.")]
    paid: Annotated[
        Literal["at-once", "if-it-wins"],
        Meta(description="Whatever the dealer has, or only where the hand wins anyway."),
    ]
    after_split: Annotated[bool, Meta(description="Split hands get bonuses.")] = False
    after_double: Annotated[bool, Meta(description="Doubled hands get bonuses.")] = False


def span_of(number: Number) -> tuple[int, float]:
    """Both ends of a number or a span.

    >>> span_of(5), span_of(Span(from_=7))
    ((5, 5), (7, inf))
    """
    if isinstance(number, Span):
        return number.from_ or 0, float("inf") if number.to is None else number.to
    return number, number


def fits(number: Number | None, found: float) -> bool:
    """Whether a condition on a number holds; one that is not stated does."""
    if number is None:
        return True
    low, high = span_of(number)
    return low <= found <= high


def suits_fit(suits: str | None, held: frozenset[str]) -> bool:
    """Whether a condition on suits holds for cards of these suits.

    >>> suits_fit("one", frozenset("s")), suits_fit("one-colour", frozenset("sh"))
    (True, False)
    """
    match suits:
        case None:
            return True
        case "one":
            return len(held) == 1
        case "one-colour":
            return held <= {"h", "d"} or held <= {"s", "c"}
        case _:
            return held == {suits}
