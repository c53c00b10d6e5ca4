"""Conditions on a player's hand and the dealer's up card, by which an action may be allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from upcard.rules.card_conditions import Number, Ranks, Span
from upcard.rules.section import RuleSection


class HandCondition(RuleSection, frozen=True, kw_only=True):
    """Hands against up cards; all that is stated must hold."""

    total: Annotated[
        Number | None, Meta(description="What the hand totals; a span takes in its ends.")
    ] = None
    soft: Annotated[bool | None, Meta(description="Whether an ace counts high in it.")] = None
    cards: Annotated[Number | None, Meta(description="How many cards it has.")] = None
    up: Annotated[Ranks | None, Meta(description="Ranks of the dealer's up card.")] = None


def takes_in(condition: HandCondition, *, total: float, soft: bool, cards: int) -> bool:
    """Whether a hand meets a condition, against some up card at least.

    >>> hard = HandCondition(total=Span(from_=15, to=17), soft=False)
    >>> takes_in(hard, total=16, soft=False, cards=2), takes_in(hard, total=16, soft=True, cards=2)
    (True, False)
    """
    if condition.total is not None:
        low, high = ends(condition.total, int(total) + 1)
        if not low <= total <= high:
            return False
    if condition.cards is not None:
        low, high = ends(condition.cards, cards)
        if not low <= cards <= high:
            return False
    return condition.soft in (None, soft)


def ends(number: Number, most: int) -> tuple[int, int]:
    """The smallest and the largest number that a condition takes in.

    >>> ends(9, 21), ends(Span(from_=9), 21)
    ((9, 9), (9, 21))
    """
    if isinstance(number, Span):
        return number.from_ or 0, most if number.to is None else number.to
    return number, number


def hands_told_apart(*conditions: Sequence[HandCondition]) -> int:
    """The number of cards from which on no condition tells hands apart."""
    numbers = [one.cards for some in conditions for one in some if one.cards is not None]
    return max((1 + max(ends(number, 0)) for number in numbers), default=0)
