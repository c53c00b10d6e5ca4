"""Types that sections of the vocabulary share."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Odds = Annotated[str, Meta(pattern=r"^[1-9]\d*:[1-9]\d*$")]
ResultOrOdds = Annotated[str, Meta(pattern=r"^(push|loses|[1-9]\d*:[1-9]\d*)$")]
AS_DEALT = "as-dealt"
"""In the place of odds: those of a natural that was dealt."""
DealtOrOdds = Annotated[str, Meta(pattern=r"^(as-dealt|[1-9]\d*:[1-9]\d*)$")]
Share = Annotated[str, Meta(pattern=r"^\d+(/[1-9]\d*)?$")]
Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
MONEY = {"unit": "cents"}
"""What marks a number as an amount of money."""
Cents = Annotated[int, Meta(ge=0, extra=MONEY)]
SomeCents = Annotated[int, Meta(ge=1, extra=MONEY)]
Scalar = bool | int | float | str


class RuleSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a game file."""
