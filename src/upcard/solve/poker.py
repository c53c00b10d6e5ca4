"""Exact odds of poker wagers: every hand is counted, nothing is drawn at random.

A shoe is an array of cards by rank (in poker's order) and suit. Five-card hands are known by
their ranks and a flush flag, so their numbers are products of binomials, for any shoe. The
best-paid five of seven cards depend on more than that: there all hands are gone through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import SUITS, Card
from upcard.compile.observers import PokerObserver, ShowdownObserver
from upcard.compile.pay_rows import LOSES, NO_ROW
from upcard.compile.poker import MULTISETS, ORDER
from upcard.errors import UpcardError
from upcard.jit import kernel
from upcard.money import format_odds
from upcard.solve.result import Counted, Progress, silent

Ints = npt.NDArray[np.int64]
Pays = npt.NDArray[np.int8]

FIVE, SEVEN = 5, 7
MOST_ALIKE = 8 * len(SUITS)
"""Cards of one rank in the largest shoe."""

_CHOOSE = np.array(
    [[comb(cards, taken) for taken in range(SEVEN + 1)] for cards in range(MOST_ALIKE + 1)],
    dtype=np.int64,
)
_PLACE = np.array(
    [[comb(rank + place, place + 1) for rank in range(len(ORDER))] for place in range(SEVEN)],
    dtype=np.int64,
)
"""`_PLACE[place, rank]` adds up to the number of a sorted multiset of ranks."""

# A hand's cards by suit, four bits for each: a suit begins at three, so the fifth card of it
# sets the suit's highest bit.
_NO_SUITS, _ONE_EACH, _FIVE_ALIKE = 0x3333, 0x1111, 0x8888


def by_rank_and_suit(cards: Mapping[Card, int]) -> Ints:
    """A shoe that has so many of each card."""
    shoe = np.zeros((len(ORDER), len(SUITS)), dtype=np.int64)
    for card, copies in cards.items():
        shoe[ORDER.index(card.rank), SUITS.index(card.suit)] += copies
    return shoe


def poker_rows(
    observer: PokerObserver, shoe: Ints, progress: Progress = silent
) -> tuple[Counted, ...]:
    """The rows of a pay table and the hands that lose, with their numbers of hands.

    Of rows that pay the same, a hand of more than five cards counts for the first.
    """
    size = observer.window.player + observer.window.community
    if size == FIVE:
        numbers = _five_card_numbers(observer, shoe)
    elif size == SEVEN:
        numbers = _seven_card_numbers(observer, shoe, progress)
    else:
        raise UpcardError(
            f"odds of a poker pay table are worked out for five or seven cards, not for {size}"
        )
    paid = [Counted(*row, number) for row, number in zip(observer.rows, numbers[1:], strict=True)]
    return (*paid, Counted("loses", LOSES, "", numbers[0]))


# -------------------------------------------------------------------- numbers of hands by ranks


@cache
def _multisets(size: int) -> Ints:
    """Every multiset of so many ranks as one sorted row, in the order of their numbers."""
    found = np.array(list(combinations_with_replacement(range(len(ORDER)), size)), dtype=np.int64)
    numbers = _PLACE[np.arange(size), found].sum(axis=1)
    return found[np.argsort(numbers)]


@cache
def _rank_counts(size: int) -> Ints:
    """The same multisets as numbers of cards of each rank."""
    is_rank = _multisets(size)[:, :, None] == np.arange(len(ORDER))
    counts: Ints = is_rank.sum(axis=1, dtype=np.int64)
    return counts


def _ways(available: Ints, taken: Ints) -> Ints:
    """Ways to take so many cards of each rank, which is the last axis of both."""
    ways: Ints = _CHOOSE[np.maximum(available, 0), taken].prod(axis=-1)
    return ways


def _suits(shoe: Ints) -> list[tuple[Ints, int]]:
    """The cards of a suit by rank, and how many suits are like that."""
    return [(np.array(suit), times) for suit, times in Counter(map(tuple, shoe.T.tolist())).items()]


def _five_card_numbers(observer: PokerObserver, shoe: Ints) -> list[int]:
    """Hands without pay, then those of each row."""
    hands = _rank_counts(FIVE)
    flush = sum((_ways(suit, hands) for suit in shoe.T), np.zeros(len(hands), dtype=np.int64))
    numbers = np.stack([_ways(shoe.sum(axis=1), hands) - flush, flush])
    rows = range(NO_ROW, len(observer.rows))
    return [int(numbers[observer.row == row].sum()) for row in rows]


# ------------------------------------------------------------------ the best-paid five of seven


def _seven_card_numbers(observer: PokerObserver, shoe: Ints, progress: Progress) -> list[int]:
    """Hands without pay, then those of each row."""
    if shoe.max() > 1:
        raise UpcardError(
            "odds of a pay table for the best five of seven cards are worked out for one deck only"
        )
    # Rows from the worst paid to the best, so that the best of several is the largest number.
    order = sorted(range(len(observer.rows)), key=lambda row: (observer.rows[row].odds, -row))
    pays = np.zeros(observer.row.shape, dtype=np.int8)
    for number, row in enumerate(order, start=1):
        pays[observer.row == row] = number
    counts = np.zeros(len(order) + 1, dtype=np.int64)
    _count_mixed_hands(pays, shoe, counts, partial(progress, observer.wager))
    ranks = shoe.sum(axis=1)
    for suit, times in _suits(shoe):
        counts += times * _suited_hands(pays, len(counts), suit, ranks - suit)
    by_row = {NO_ROW: int(counts[0])} | {
        row: int(count) for row, count in zip(order, counts[1:], strict=True)
    }
    return [by_row[row] for row in range(NO_ROW, len(order))]


def _count_mixed_hands(
    pays: Pays, shoe: Ints, counts: Ints, progress: Callable[[float], None]
) -> None:
    """Add hands of seven cards with no five of a suit, by the best-paid five of them."""
    best = _best_of_ranks(pays.tobytes())
    ranks, suits = map(np.ascontiguousarray, np.nonzero(shoe))
    for highest in range(SEVEN - 1, len(ranks)):
        progress(comb(highest, SEVEN) / comb(len(ranks), SEVEN))
        _count_mixed(highest, ranks, suits, _PLACE, best, counts)


@lru_cache(maxsize=8)
def _best_of_ranks(pays: bytes) -> Pays:
    """The best pay of every multiset of seven ranks without five cards of a suit."""
    table = np.frombuffer(pays, dtype=np.int8).reshape(2, MULTISETS).copy()
    ranks = _multisets(SEVEN)
    return _best_paid(table, _PLACE, _kept(), ranks, np.zeros(ranks.shape, dtype=np.bool_))


def _suited_hands(pays: Pays, rows: int, own: Ints, others: Ints) -> Ints:
    """Hands of seven cards with five or more of one suit, by the best-paid five of them.

    `own` are the ranks that the suit has, `others` the cards of each rank in all other suits.
    """
    counts = np.zeros(rows, dtype=np.int64)
    has = np.flatnonzero(own).tolist()
    for size in range(FIVE, SEVEN + 1):
        of_suit = np.array(list(combinations(has, size)), dtype=np.int64).reshape(-1, size)
        ways = _ways(others, _rank_counts(SEVEN - size))
        beside, ways = _multisets(SEVEN - size)[ways > 0], ways[ways > 0]
        # Twice the rank, plus one for a card of the suit: sorting keeps rank and suit together.
        cards = np.concatenate(
            [
                np.repeat(2 * of_suit + 1, len(beside), axis=0),
                np.tile(2 * beside, (len(of_suit), 1)),
            ],
            axis=1,
        )
        cards.sort(axis=1)
        best = _best_paid(pays, _PLACE, _kept(), cards // 2, cards % 2 == 1)
        np.add.at(counts, best, np.tile(ways, len(of_suit)))
    return counts


@cache
def _kept() -> Ints:
    """The places of five cards among seven, in every way."""
    return np.array(list(combinations(range(SEVEN), FIVE)), dtype=np.int64)


@kernel
def _best_paid(
    pays: Pays, place: Ints, kept: Ints, ranks: Ints, suited: npt.NDArray[np.bool_]
) -> Pays:
    """The best pay among all fives of each hand of seven.

    Ranks are sorted; cards marked as suited are all of one suit, and at least five or none are.
    """
    best = np.zeros(len(ranks), dtype=np.int8)
    for hand in range(len(ranks)):
        for five in range(len(kept)):
            number, flush = 0, 1
            for position in range(kept.shape[1]):
                card = kept[five, position]
                number += place[position, ranks[hand, card]]
                if not suited[hand, card]:
                    flush = 0
            best[hand] = max(best[hand], pays[flush, number])
    return best


@kernel
def _count_mixed(
    highest: int, ranks: Ints, suits: Ints, place: Ints, best: Pays, counts: Ints
) -> None:
    """Add every hand with this highest card that has no five of a suit.

    Cards are sorted by rank, so the number of a hand's ranks is a running sum.
    """
    units = np.left_shift(1, 4 * suits)
    rank_a, suit_a = place[6, ranks[highest]], _NO_SUITS + units[highest]
    for b in range(5, highest):
        rank_b, suit_b = rank_a + place[5, ranks[b]], suit_a + units[b]
        for c in range(4, b):
            rank_c, suit_c = rank_b + place[4, ranks[c]], suit_b + units[c]
            for d in range(3, c):
                rank_d, suit_d = rank_c + place[3, ranks[d]], suit_c + units[d]
                for e in range(2, d):
                    rank_e, suit_e = rank_d + place[2, ranks[e]], suit_d + units[e]
                    for f in range(1, e):
                        six, suit_f = rank_e + place[1, ranks[f]], suit_e + units[f]
                        if suit_f & _FIVE_ALIKE:
                            continue
                        closed = (suit_f + _ONE_EACH) & _FIVE_ALIKE
                        for g in range(f):
                            if (units[g] << 3) & closed == 0:
                                counts[best[six + ranks[g]]] += 1


# ------------------------------------------------------------------------------- the showdown


class Showdown(NamedTuple):
    """Pairs of a player's and a dealer's hand, by how they compare."""

    wins: int
    ties: int
    unqualified: int
    loses: int


def showdown_rows(observer: ShowdownObserver, shoe: Ints) -> tuple[Counted, ...]:
    """The four ends of a showdown, with their numbers of pairs of hands."""
    if (observer.window.player, observer.window.dealer) != (FIVE, FIVE):
        raise UpcardError(
            "odds of a showdown are worked out for five cards against five, "
            f"not for {observer.window.player} against {observer.window.dealer}"
        )
    found = showdown_pairs(observer, shoe)
    return (
        _showdown_row("wins", observer.wins, found.wins),
        _showdown_row("ties", observer.ties, found.ties),
        _showdown_row("dealer does not qualify", observer.unqualified, found.unqualified),
        _showdown_row("loses", observer.loses, found.loses),
    )


def _showdown_row(event: str, odds: Fraction, pairs: int) -> Counted:
    printed = format_odds(odds) if odds > 0 else "push" if odds == 0 else ""
    return Counted(event, odds, printed, pairs)


def showdown_pairs(observer: ShowdownObserver, shoe: Ints) -> Showdown:
    """All pairs of hands without a common card.

    By inclusion and exclusion over the cards in common: pairs that have some cards in common
    (and perhaps more) are easy to compare, since both hands are completed from the same rest.
    """
    total = np.zeros(len(Showdown._fields), dtype=object)
    for size in range(FIVE + 1):
        numbers = _joined_numbers(size)
        strengths = np.concatenate(
            [observer.strength[0][numbers], observer.strength[1][numbers]], 1
        )
        for common, completions in _completions(shoe, size):
            compared = _compare(strengths, completions, common, observer.qualifies)
            total += (-1) ** size * compared
    return Showdown(*total.tolist())


@cache
def _joined_numbers(size: int) -> Ints:
    """The number of the five ranks that so many ranks (rows) and the rest (columns) make."""
    digits = (FIVE + 1) ** np.arange(len(ORDER))
    keys = _rank_counts(FIVE) @ digits
    order = np.argsort(keys)
    first, rest = _rank_counts(size) @ digits, _rank_counts(FIVE - size) @ digits
    return order[np.searchsorted(keys[order], first[:, None] + rest)]


def _completions(shoe: Ints, size: int) -> Sequence[tuple[Ints, Ints]]:
    """Sets of common cards of each multiset of ranks, and the ways to complete each to a hand.

    Completions are numbered by the rest's ranks, first those that make no flush, then those
    that do. Common cards of mixed suits and of each suit are separate, since only the latter
    can become a flush.
    """
    taken, rest = _rank_counts(size), _rank_counts(FIVE - size)
    ranks = shoe.sum(axis=1)
    ways = _ways((ranks - taken)[:, None, :], rest)
    by_suit = [
        (_ways(suit, taken), _ways((suit - taken)[:, None, :], rest), times)
        for suit, times in _suits(shoe)
    ]
    if size == 0:
        flush = sum((times * flushes for _, flushes, times in by_suit), np.zeros_like(ways))
        return [(np.ones(1, dtype=np.int64), np.concatenate([ways - flush, flush], axis=1))]
    suited = sum((times * common for common, _, times in by_suit), np.zeros_like(ways[:, 0]))
    none = np.zeros_like(ways)
    return [
        (_ways(ranks, taken) - suited, np.concatenate([ways, none], axis=1)),
        *(
            (times * common, np.concatenate([ways - flush, flush], axis=1))
            for common, flush, times in by_suit
        ),
    ]


def _compare(
    strengths: npt.NDArray[np.int32], completions: Ints, common: Ints, qualifies: int
) -> npt.NDArray[np.object_]:
    """Pairs of hands that share at least the common cards, in the order of `Showdown`."""
    possible = common > 0
    strengths, completions, common = strengths[possible], completions[possible], common[possible]
    if not len(common):
        return np.zeros(len(Showdown._fields), dtype=object)
    order = np.argsort(strengths, axis=1)
    by_strength = np.take_along_axis(strengths, order, axis=1)
    is_new = np.ones(by_strength.shape, dtype=np.bool_)
    is_new[:, 1:] = by_strength[:, 1:] != by_strength[:, :-1]
    first = np.flatnonzero(is_new)
    alike = np.add.reduceat(np.take_along_axis(completions, order, axis=1).ravel(), first)
    row = first // strengths.shape[1]
    all_hands = completions.sum(axis=1)
    worse = np.cumsum(alike) - alike - (np.cumsum(all_hands) - all_hands)[row]
    better = all_hands[row] - worse - alike
    qualified = by_strength.ravel()[first] >= qualifies
    # Products outgrow 64 bits in shoes of several decks.
    dealer = alike.astype(object) * common.astype(object)[row]
    return np.array(
        [
            np.dot(dealer[qualified], better[qualified]),
            np.dot(dealer[qualified], alike[qualified]),
            np.dot(dealer[~qualified], all_hands[row][~qualified]),
            np.dot(dealer[qualified], worse[qualified]),
        ],
        dtype=object,
    )
