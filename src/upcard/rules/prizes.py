"""The vocabulary of prizes: fixed sums for hands that get a bonus, on top of what they pay."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import Meta

from upcard.rules.card_conditions import Ranks
from upcard.rules.section import Cents, RuleSection, SomeCents


class PrizeSum(RuleSection, frozen=True, kw_only=True):
    """What a prize is for base wagers from some amount on."""

    from_: Annotated[SomeCents, Meta(description="The smallest base wager, in cents.")] = (
        msgspec.field(name="from")
    )
    pays: Annotated[SomeCents, Meta(description="The prize, in cents.")]


class HandPrize(RuleSection, frozen=True, kw_only=True):
    """A fixed sum for a hand with a bonus, neither split nor doubled, on top of what it pays."""

    name: Annotated[str, Meta(min_length=1, description="What the layout calls it.")]
    offered: Annotated[bool, Meta(description="Whether the table offers it.")] = True
    hands: Annotated[
        tuple[str, ...],
        Meta(min_length=1, description="Names of the rows of `bonuses` whose hands win it."),
    ]
    up: Annotated[
        Ranks | None, Meta(description="Only against these up cards; left out: against any.")
    ] = None
    sums: Annotated[
        tuple[PrizeSum, ...],
        Meta(min_length=1, description="The prize by the size of the base wager, smallest first."),
    ]
    others: Annotated[
        Cents,
        Meta(description="What every other player with a wager in the round gets, in cents."),
    ] = 0

    @property
    def in_order(self) -> bool:
        """Whether the sums go from small wagers to larger ones."""
        return all(one.from_ < two.from_ for one, two in pairwise(self.sums))
