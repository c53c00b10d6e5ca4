"""Results: never a bare number, always with its method, its error and the play it assumes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

Progress = Callable[[str, float], None]
"""Told the name of a part of the work and the share of it that is done, 0 to 1."""

EXACT = "exact"
REAL_SHOE = ", from the real shoe"
"""What the method of a wager says that is counted in decks where all else has an endless shoe."""


def silent(part: str, share: float) -> None:
    """A progress report that nobody reads."""


class Return(NamedTuple):
    """One row of a wager: the event, what it pays net for one unit, and how often it comes.

    `combinations` is 0 where the event is not counted in combinations.
    """

    event: str
    pays: Fraction
    printed: str
    combinations: int
    probability: float

    @property
    def contribution(self) -> float:
        """What the event adds to the wager's expected value."""
        return float(self.pays) * self.probability


@dataclass(frozen=True)
class WagerOdds:
    """What one unit of a wager's first stake is worth to the player.

    `error` is the standard error of `sd` where a part of it was simulated, otherwise 0. `ev` is
    worked out; the method names the one exception, charges once a player. `stake` is what comes to
    be staked on average, doubles and splits included, in first stakes.
    """

    wager: str
    name: str
    ev: float
    sd: float
    hit_frequency: float
    method: str
    error: float
    strategy: str
    returns: tuple[Return, ...]
    skewness: float = 0.0
    stake: float = 1.0

    @property
    def edge(self) -> float:
        """The bank's advantage over this wager."""
        return -self.ev

    @property
    def element_of_risk(self) -> float:
        """The bank's advantage over all that comes to be staked."""
        return self.edge / self.stake

    @property
    def favours_player(self) -> bool:
        """Whether the player wins in the long run."""
        return bool(self.ev > 0)


def skewness_of(results: Iterable[tuple[float, float]], ev: float, sd: float) -> float:
    """The third standardised moment of results with their chances.

    >>> round(skewness_of([(-1.0, 0.9), (9.0, 0.1)], 0.0, 3.0), 4)
    2.6667
    """
    if sd == 0:
        return 0.0
    return sum(chance * (result - ev) ** 3 for result, chance in results) / sd**3


def with_skewness(found: WagerOdds) -> WagerOdds:
    """A wager with the skewness of its rows."""
    results = ((float(row.pays), row.probability) for row in found.returns)
    return replace(found, skewness=skewness_of(results, found.ev, found.sd))


class Counted(NamedTuple):
    """An event with its net odds and the number of combinations that make it."""

    event: str
    odds: Fraction
    printed: str
    combinations: int


def counted_wager(wager: str, name: str, rows: Sequence[Counted]) -> WagerOdds:
    """A wager that play does not change, from counted combinations; exact to the last digit.

    >>> rows = (Counted("heads", Fraction(1), "1 to 1", 1), Counted("tails", Fraction(-1), "", 1))
    >>> coin = counted_wager("coin", "A coin", rows)
    >>> coin.ev, coin.sd, coin.hit_frequency, coin.method
    (0.0, 1.0, 0.5, 'exact')
    """
    total = sum(row.combinations for row in rows)
    ev = sum((row.odds * row.combinations for row in rows), Fraction(0)) / total
    square = sum((row.odds**2 * row.combinations for row in rows), Fraction(0)) / total
    hits = Fraction(sum(row.combinations for row in rows if row.odds > 0), total)
    found = WagerOdds(
        wager=wager,
        name=name,
        ev=float(ev),
        sd=math.sqrt(square - ev * ev),
        hit_frequency=float(hits),
        method=EXACT,
        error=0.0,
        strategy="none needed",
        returns=tuple(
            Return(row.event, row.odds, row.printed, row.combinations, row.combinations / total)
            for row in rows
        ),
    )
    return with_skewness(found)


def chance_wager(
    wager: str, name: str, rows: Sequence[tuple[str, Fraction, str, Fraction]]
) -> WagerOdds:
    """A wager that play does not change, from exact chances of event, odds and printed figure."""
    ev = sum((odds * chance for _, odds, _, chance in rows), Fraction(0))
    square = sum((odds**2 * chance for _, odds, _, chance in rows), Fraction(0))
    found = WagerOdds(
        wager=wager,
        name=name,
        ev=float(ev),
        sd=math.sqrt(square - ev * ev),
        hit_frequency=float(sum(chance for _, odds, _, chance in rows if odds > 0)),
        method=EXACT,
        error=0.0,
        strategy="none needed",
        returns=tuple(
            Return(event, odds, printed, 0, float(chance)) for event, odds, printed, chance in rows
        ),
    )
    return with_skewness(found)
