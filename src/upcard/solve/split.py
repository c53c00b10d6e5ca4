"""Splits to the full number of hands, with cards removed exactly for a stated play.

Two hands of a split differ only in what is known of the other hands' second cards: so many pair
cards (each made a further hand) and so many others. For play that does not look at the other hands
the cards still to come are exchangeable, so the value of a hand with other second cards known to be
no pair cards follows from values with only pair cards removed:

    X(a, b) = (X(a, b - 1) - q(a, b - 1) X(a + 1, b - 1)) / (1 - q(a, b - 1))

where `a` pair cards and `b` others are known to be gone and `q(a, b)` is the chance that the next
card is a pair card. So every value is a weighted sum of values with 0, 1, 2 ... pair cards removed.

Modes. CDZ-: a split hand is played like the same cards without a split. CDP: it is played as is
best when exactly the pair cards of the other hands are gone. In CDP as the literature works it out
every value on the right is that of its own best play, X(a + 1, b - 1) too, though the play on the
left is the best for `a`; CDP+ keeps to the play for `a` in all terms, which is what somebody who
plays so really gets. The two differ by some parts in a hundred million.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, NamedTuple

Mode = Literal["CDZ-", "CDP", "CDP+", "none"]
"""How splits are played and priced; "none" never splits."""

PairChance = Callable[[int, int], float]
"""The chance that the next card is a pair card, by pair cards and others known to be gone."""


class Term(NamedTuple):
    """Weights of one kind of hand in the whole split.

    The hand is played by the policy for `policy` pair cards gone, in a shoe with `removed` gone;
    its second card is a pair card (`paired`) or not. `first` is the weight of the box's first hand,
    `others` that of all others together.
    """

    policy: int
    removed: int
    paired: bool
    first: float
    others: float


class SplitWeights(NamedTuple):
    terms: tuple[Term, ...]
    hands: Mapping[int, float]


def removable(most_hands: int) -> int:
    """The most additional pair cards that any value is needed for."""
    return 2 * (most_hands - 2)


def pair_chance(
    pairs: float, cards: float, outside: float, *, paired_outside: bool, step: float
) -> PairChance:
    """Chances from a shoe of so many cards, the hole card among them.

    The hole card is none of the `outside` cards; `paired_outside` says whether pair cards are among
    those.
    """

    @cache
    def sequence(a: int, b: int) -> float:
        if a < 0 or b < 0:
            return 0.0
        if paired_outside:
            return _drawn(pairs, cards - step, a, b, step)
        hole_pairs = _drawn(pairs - step, cards - step, a, b, step)
        hole_other = _drawn(pairs, cards - step, a, b, step)
        share = pairs / (cards - outside)
        return share * hole_pairs + (1 - share) * hole_other

    def chance(a: int, b: int) -> float:
        whole = sequence(a, b)
        return sequence(a + 1, b) / whole if whole > 0 else 0.0

    return chance


def _drawn(pairs: float, cards: float, a: int, b: int, step: float) -> float:
    """The chance of `a` pair cards and then `b` others."""
    chance = 1.0
    for number in range(a + b):
        left = cards - number * step
        if left <= 0:
            return 0.0
        good = pairs - number * step if number < a else cards - pairs - (number - a) * step
        chance *= max(good, 0.0) / left
    return chance


def split_weights(most_hands: int, chance: PairChance, *, consistent: bool) -> SplitWeights:
    """The weights of all kinds of hands when pairs are resplit whenever the rules allow.

    With `consistent`, a hand is played by one policy in all terms of its value.
    """
    first: dict[tuple[int, int, bool], float] = defaultdict(float)
    others: dict[tuple[int, int, bool], float] = defaultdict(float)
    hands: dict[int, float] = defaultdict(float)

    def add(
        to: dict[tuple[int, int, bool], float], weight: float, a: int, b: int, *, any_card: bool
    ) -> None:
        for removed, share in _expand(a, b, chance).items():
            policy = a if consistent else removed
            to[policy, removed, False] += weight * share
            if any_card:
                to[policy, removed, True] += weight * share

    for gone, ends in _arrangements(most_hands).items():
        for others_seen, ways in ends.items():
            likely = ways * _sequence_chance(chance, gone, others_seen)
            if likely == 0:
                continue
            total = gone + 2
            hands[total] += likely
            # Hands that have their second card, known to be no pair card.
            ready = min(others_seen, total)
            if ready:
                given = likely / (1 - chance(gone, ready - 1))
                add(first, given, gone, ready - 1, any_card=False)
                add(others, given * (ready - 1), gone, ready - 1, any_card=False)
            waiting = total - ready
            if waiting:
                add(others, likely * (waiting - (not ready)), gone, ready, any_card=True)
                if not ready:
                    add(first, likely, gone, ready, any_card=True)
    terms = tuple(
        Term(*kind, first.get(kind, 0.0), others.get(kind, 0.0))
        for kind in sorted({*first, *others})
    )
    return SplitWeights(terms, dict(hands))


def _sequence_chance(chance: PairChance, pairs: int, others: int) -> float:
    """The chance of some second cards in a given order."""
    found = 1.0
    for number in range(pairs):
        found *= chance(number, 0)
    for number in range(others):
        found *= 1 - chance(pairs, number)
    return found


def _expand(a: int, b: int, chance: PairChance) -> dict[int, float]:
    """X(a, b) as a sum over X(a + j, 0)."""
    if b == 0:
        return {a: 1.0}
    likely = chance(a, b - 1)
    found: dict[int, float] = defaultdict(float)
    for removed, share in _expand(a, b - 1, chance).items():
        found[removed] += share / (1 - likely)
    if likely > 0:
        for removed, share in _expand(a + 1, b - 1, chance).items():
            found[removed] -= share * likely / (1 - likely)
    return found


@cache
def _arrangements(most_hands: int) -> dict[int, dict[int, int]]:
    """In how many orders second cards can come: by pair cards and by others until it is settled.

    Each hand gets its second card in turn. A pair card makes one more hand, until there are as many
    as allowed; then nothing more is known of the hands that still wait.
    """
    found: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))

    def deal(waiting: int, pairs: int, others: int) -> None:
        if waiting == 0 or pairs + 2 == most_hands:
            found[pairs][others] += 1
            return
        deal(waiting + 1, pairs + 1, others)
        deal(waiting - 1, pairs, others + 1)

    deal(2, 0, 0)
    return {pairs: dict(ends) for pairs, ends in found.items()}
