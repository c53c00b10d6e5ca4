"""Chi-square tests of shuffles, and what their numbers are worth together.

Each test has one sample a shuffle, or allows for what one shuffle's samples have to do with each
other: a card lies in one place, and a place has one card, so counts of cards by place have fewer
degrees of freedom than cells; of adjacent pairs a card has one neighbour.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
KINDS = 52


# ------------------------------------------------------------------ distributions


def gamma_above(shape: float, x: float) -> float:
    """The upper part of the gamma distribution, by its series or its continued fraction.

    >>> round(gamma_above(1, 2), 6), round(gamma_above(25, 25), 6)
    (0.135335, 0.473398)
    """
    if x <= 0:
        return 1.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * 1e-15:
            step += 1
            term *= x / step
            total += term
        return min(1.0, max(0.0, 1 - scale * total))
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    found = d
    for i in range(1, 100_000):
        a = -i * (i - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return min(1.0, scale * found)


def chi_square(statistic: float, degrees: float) -> float:
    """How often chance gives so much or more.

    >>> round(chi_square(3.841459, 1), 4), round(chi_square(2601, 2601), 2)
    (0.05, 0.5)
    """
    return gamma_above(degrees / 2, statistic / 2)


def uniformity(values: Sequence[float]) -> float:
    """Kolmogorov and Smirnov: how often numbers from 0 to 1 are so unevenly spread, or more.

    >>> round(uniformity([(n + 0.5) / 100 for n in range(100)]), 3), uniformity([0.01] * 100) < 1e-9
    (1.0, True)
    """
    count = len(values)
    found = sorted(values)
    apart = max(max((n + 1) / count - value, value - n / count) for n, value in enumerate(found))
    x = (math.sqrt(count) + 0.12 + 0.11 / math.sqrt(count)) * apart
    if x < 0.2:
        return 1.0
    terms = (2 * (-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101))
    return float(min(1.0, max(0.0, sum(terms))))


# ------------------------------------------------------------------ counting


class Tally:
    """Counts of shuffles: kinds of cards by place, adjacent kinds, and the first cards."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.copies = cards // KINDS
        self.shuffles = 0
        self.places: Counts = np.zeros((cards, KINDS), np.int64)
        self.pairs: Counts = np.zeros((KINDS, KINDS), np.int64)
        self.firsts: Counts = np.zeros((KINDS, KINDS), np.int64)

    def add(self, orders: npt.NDArray[np.uint16]) -> None:
        kinds = (orders % KINDS).astype(np.intp)
        self.shuffles += len(kinds)
        cells = np.arange(self.cards) * KINDS + kinds
        self.places += np.bincount(cells.ravel(), minlength=self.places.size).reshape(-1, KINDS)
        pairs = kinds[:, :-1] * KINDS + kinds[:, 1:]
        self.pairs += np.bincount(pairs.ravel(), minlength=KINDS**2).reshape(KINDS, KINDS)
        firsts = pairs[:, 0]
        self.firsts += np.bincount(firsts, minlength=KINDS**2).reshape(KINDS, KINDS)

    def tests(self) -> Iterator[tuple[str, float]]:
        """Every test with its p-value."""
        yield f"cards by place, {self.cards} x {KINDS}", self.by_place()
        yield "adjacent pairs, all places", self.by_pair()
        yield "first card", self.by_first_card()
        yield "first two cards", self.by_first_two()

    def by_place(self) -> float:
        """With n cards of m copies: cov = m / (n - 1) times the projections of both sides."""
        n, m = self.cards, self.copies
        apart = float(((self.places - self.shuffles / KINDS) ** 2).sum())
        return chi_square(apart * (n - 1) / (m * self.shuffles), (n - 1) * (KINDS - 1))

    def by_pair(self) -> float:
        """The sum of squares is nearly a multiple of a chi-square: its mean and variance fit."""
        expected = np.full((KINDS, KINDS), self.copies**2 / self.cards)
        np.fill_diagonal(expected, self.copies * (self.copies - 1) / self.cards)
        apart = float(((self.pairs - self.shuffles * expected) ** 2).sum()) / self.shuffles
        mean, squares = pair_moments(self.cards, self.copies)
        scale = squares / mean
        return chi_square(apart / scale, mean / scale)

    def by_first_card(self) -> float:
        found = self.firsts.sum(axis=1)
        expected = self.shuffles / KINDS
        return chi_square(float(((found - expected) ** 2 / expected).sum()), KINDS - 1)

    def by_first_two(self) -> float:
        n, m = self.cards, self.copies
        chance = np.full((KINDS, KINDS), m / (n - 1) / KINDS)
        np.fill_diagonal(chance, (m - 1) / (n - 1) / KINDS)
        possible = chance > 0
        expected = self.shuffles * chance[possible]
        apart = float(((self.firsts[possible] - expected) ** 2 / expected).sum())
        return chi_square(apart, int(possible.sum()) - 1)


def pair_moments(cards: int, copies: int) -> tuple[float, float]:
    """The trace of the covariance of a shuffle's counts of adjacent kinds, and of its square.

    Two pairs of neighbours that do not exclude each other stand in one shuffle with the chance
    1 / (n (n - 1)). How many of those two cells have depends only on which of their four kinds are
    the same, so every such pattern is counted once.
    """
    mean = squares = 0.0
    for pattern in _patterns():
        cell, other = pattern[:2], pattern[2:]
        kinds = max(pattern) + 1
        ways = math.prod(range(KINDS, KINDS - kinds, -1))
        both = first = second = 0.0
        own = [(kind, copy) for kind in range(kinds) for copy in range(copies)]
        arcs = [(a, b) for a in own for b in own if a != b and (a[0], b[0]) == cell]
        others = [(c, d) for c in own for d in own if c != d and (c[0], d[0]) == other]
        for (a, b), (c, d) in itertools.product(arcs, others):
            if (a, b) == (c, d):
                both += 1 / cards
            elif a != c and b != d and (a, b) != (d, c):
                both += 1 / (cards * (cards - 1))
        first, second = len(arcs) / cards, len(others) / cards
        covariance = both - first * second
        if cell == other:
            mean += ways * covariance
        squares += ways * covariance**2
    return mean, squares


def _patterns() -> list[tuple[int, int, int, int]]:
    """Which of four kinds are the same: numbers in the order in which they come."""
    return [
        (a, b, c, d)
        for a, b, c, d in itertools.product(range(4), repeat=4)
        if a == 0 and b <= 1 and c <= max(a, b) + 1 and d <= max(a, b, c) + 1
    ]
