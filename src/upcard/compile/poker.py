"""Five-card poker hands as tables: by ranks and by whether the suits are all alike.

A hand of five cards is known by its multiset of ranks (6,188 of them) and a flag for a flush.
Everything a wager asks of a hand is an array over these two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import RANKS, Card, rank_name
from upcard.compile.arrays import frozen
from upcard.rules.rows import POKER_HAND_SIZE

ORDER = RANKS[1:] + RANKS[0]
"""Ranks from deuce to ace, as poker ranks them."""

ACE = ORDER.index("A")
HAND_SIZE = POKER_HAND_SIZE
MULTISETS = comb(len(ORDER) + HAND_SIZE - 1, HAND_SIZE)


class PokerHand(NamedTuple):
    """A hand's name and its rank among all hands; `ranks` are sorted by weight."""

    name: str
    ranks: tuple[int, ...]

    @property
    def strength(self) -> int:
        """A number that is larger for a better hand."""
        value = STRENGTHS.index(self.name)
        for rank in (*self.ranks, *(0,) * (HAND_SIZE - len(self.ranks))):
            value = value * len(ORDER) + rank
        return value


STRENGTHS = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
_BY_SHAPE = {
    (4, 1): "four of a kind",
    (3, 2): "full house",
    (3, 1, 1): "three of a kind",
    (2, 2, 1): "two pair",
    (2, 1, 1, 1): "pair",
    (1, 1, 1, 1, 1): "high card",
    (5,): "four of a kind",
}


def poker_hand(ranks: Sequence[int], *, flush: bool) -> PokerHand:
    """The hand that five ranks make, as indices into `ORDER`."""
    counts = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    weights = tuple(rank for rank, _ in counts)
    name = _BY_SHAPE[tuple(count for _, count in counts)]
    top = _straight_top(weights)
    if top is not None:
        weights = (top,)
        name = "straight" if not flush else "royal flush" if top == ACE else "straight flush"
    elif flush:
        name = "flush"
    return PokerHand(name, weights)


def _straight_top(weights: tuple[int, ...]) -> int | None:
    """The highest rank of a straight; an ace may stand below the deuce."""
    if len(weights) < HAND_SIZE:
        return None
    if weights[0] - weights[-1] == HAND_SIZE - 1:
        return weights[0]
    wheel = (ACE, *range(HAND_SIZE - 2, -1, -1))
    return HAND_SIZE - 2 if weights == wheel else None


@cache
def all_hands() -> tuple[tuple[tuple[int, ...], PokerHand, PokerHand], ...]:
    """Every multiset of five ranks, with the hand it is off suit and as a flush."""
    return tuple(
        (ranks, poker_hand(ranks, flush=False), poker_hand(ranks, flush=True))
        for ranks in sorted(
            combinations_with_replacement(range(len(ORDER)), HAND_SIZE), key=multiset_index
        )
    )


@cache
def strengths() -> npt.NDArray[np.int32]:
    """`strengths()[flush, multiset]`: larger is better."""
    table = [[off.strength for _, off, _ in all_hands()], [on.strength for _, _, on in all_hands()]]
    return frozen(np.array(table, dtype=np.int32))


def multiset_index(ranks: Iterable[int]) -> int:
    """The number of a multiset of five ranks, 0 to 6,187.

    >>> multiset_index([0, 0, 0, 0, 0]), multiset_index([12, 12, 12, 12, 12])
    (0, 6187)
    """
    return sum(comb(rank + place, place + 1) for place, rank in enumerate(sorted(ranks)))


def hand_index(cards: Sequence[Card]) -> tuple[int, int]:
    """Where five cards stand in the tables: flush flag and multiset."""
    flush = len({card.suit for card in cards}) == 1
    return int(flush), multiset_index(ORDER.index(card.rank) for card in cards)


def hand_name(cards: Sequence[Card]) -> str:
    """Five cards as a poker player calls them.

    >>> [hand_name([Card.parse(card) for card in hand.split()]) for hand in
    ...  ("Ks Kd 4s 4h 2c", "Ah 2d 3c 4s 5s", "9h 9d 9c 6s 6d", "Kh 9h 7h 5h 2h", "Js 9d 7c 5h 2h")]
    ['two pair, kings and fours', 'straight to the five', 'full house, nines and sixes', \
'flush, king high', 'jack high']
    """
    ranks = [ORDER.index(card.rank) for card in cards]
    hand = poker_hand(ranks, flush=len({card.suit for card in cards}) == 1)
    first = rank_name(ORDER[hand.ranks[0]])
    many = [_plural(rank_name(ORDER[rank])) for rank in hand.ranks[:2]]
    match hand.name:
        case "high card":
            return f"{first} high"
        case "pair":
            return f"pair of {many[0]}"
        case "two pair" | "full house":
            return f"{hand.name}, {many[0]} and {many[1]}"
        case "three of a kind" | "four of a kind":
            return f"{hand.name}, {many[0]}"
        case "straight" | "straight flush":
            return f"{hand.name} to the {first}"
        case "flush":
            return f"{hand.name}, {first} high"
    return hand.name


def _plural(rank: str) -> str:
    return f"{rank}es" if rank.endswith("x") else f"{rank}s"
