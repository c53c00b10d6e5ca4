"""Poker hands, written out plainly."""

from itertools import combinations

from . import common
from .common import Cards

ORDER = "23456789TJQKA"
KING = 13
ACE = 14
JACK = 11

HIGH_CARD = 0
ONE_PAIR = 1
TWO_PAIR = 2
THREE_OF_A_KIND = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
FOUR_OF_A_KIND = 7
STRAIGHT_FLUSH = 8

PokerRank = tuple[int, ...]


def high_rank(card: str) -> int:
    """2 to 14, the ace high."""
    return ORDER.index(common.rank(card)) + 2


def poker_rank(cards5: Cards) -> PokerRank:
    """Category first, then the ranks that break ties, the most important first."""
    if len(cards5) != 5:
        raise ValueError("a poker hand has five cards")
    ranks = sorted([high_rank(card) for card in cards5], reverse=True)
    different = sorted(set(ranks), reverse=True)
    is_flush = len({common.suit(card) for card in cards5}) == 1

    straight_top = 0
    if len(different) == 5 and different[0] - different[4] == 4:
        straight_top = different[0]
    if different == [ACE, 5, 4, 3, 2]:
        straight_top = 5

    fours = [r for r in different if ranks.count(r) == 4]
    threes = [r for r in different if ranks.count(r) == 3]
    twos = [r for r in different if ranks.count(r) == 2]
    singles = [r for r in different if ranks.count(r) == 1]

    if straight_top > 0 and is_flush:
        return (STRAIGHT_FLUSH, straight_top)
    if len(fours) == 1:
        return (FOUR_OF_A_KIND, fours[0], singles[0])
    if len(threes) == 1 and len(twos) == 1:
        return (FULL_HOUSE, threes[0], twos[0])
    if is_flush:
        return (FLUSH, *ranks)
    if straight_top > 0:
        return (STRAIGHT, straight_top)
    if len(threes) == 1:
        return (THREE_OF_A_KIND, threes[0], *singles)
    if len(twos) == 2:
        return (TWO_PAIR, twos[0], twos[1], *singles)
    if len(twos) == 1:
        return (ONE_PAIR, twos[0], *singles)
    return (HIGH_CARD, *ranks)


def best_of(cards: Cards) -> PokerRank:
    """The best five-card rank among all the cards."""
    return max(poker_rank(five) for five in combinations(cards, 5))


def row_name(rank: PokerRank) -> str:
    """The pay table row of a rank; "nothing" below a pair of jacks."""
    category = rank[0]
    if category == STRAIGHT_FLUSH and rank[1] == ACE:
        return "royal flush"
    if category == STRAIGHT_FLUSH:
        return "straight flush"
    if category == FOUR_OF_A_KIND:
        return "four of a kind"
    if category == FULL_HOUSE:
        return "full house"
    if category == FLUSH:
        return "flush"
    if category == STRAIGHT:
        return "straight"
    if category == THREE_OF_A_KIND:
        return "three of a kind"
    if category == TWO_PAIR:
        return "two pair"
    if category == ONE_PAIR and rank[1] >= JACK:
        return "pair of jacks or better"
    return "nothing"


def low_high_card(cards5: Cards, reading: str) -> int | None:
    """The highest card of a low hand, or None where something spoils it.

    deuce-to-seven: aces high (14); pairs, straights and flushes spoil.
    deuce-to-six: aces high; only pairs spoil.
    ace-to-six: aces low (1); pairs, straights and flushes spoil.
    ace-to-five: aces low; only pairs spoil.
    """
    if reading not in ("deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"):
        raise ValueError(f"unknown low ranking {reading!r}")
    if len({common.rank(card) for card in cards5}) < 5:
        return None
    if reading in ("deuce-to-seven", "ace-to-six") and poker_rank(cards5)[0] != HIGH_CARD:
        return None
    highest = 0
    for card in cards5:
        if common.is_ace(card) and reading in ("ace-to-six", "ace-to-five"):
            highest = max(highest, 1)
        else:
            highest = max(highest, high_rank(card))
    return highest


def best_low_high_card(cards: Cards, reading: str) -> int | None:
    """The lowest highest card of any low five among all the cards."""
    found = []
    for five in combinations(cards, 5):
        high = low_high_card(five, reading)
        if high is not None:
            found.append(high)
    if len(found) == 0:
        return None
    return min(found)
