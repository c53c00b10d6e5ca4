"""What lights towards a prize are worth to somebody who has some of them and plays on."""

from __future__ import annotations

from upcard.compile.carry import Carry
from upcard.solve.lights import light_share


def light_values(
    carry: Carry | None, bet: int, lit: int, *, prized: bool = False
) -> tuple[float, ...]:
    """What the next light, the one after it ... of a round are worth, in base wagers.

    In endless play each is worth its share of the prize. Where lights beyond the prize do not
    count, those that this round may still give are worth nothing after the last one, and all are
    once the prize was won.
    """
    if carry is None:
        return (0.0,)
    share = light_share(carry, bet)
    if carry.surplus_counts:
        return (share,)
    return (*(share for _ in range(0 if prized else len(carry.next) - lit)), 0.0)
