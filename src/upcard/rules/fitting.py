"""Whether cards fit conditions: the one place that says what every key of a condition means.

Many hands of one size are asked at once, as rows of an array of card numbers (see `Card.number`),
in the order in which the cards were dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import RANKS, SUITS, Card
from upcard.rules.card_conditions import CardCondition, Number, SetCondition, Span
from upcard.rules.schema import GameRules

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

KINDS = len(RANKS)
ACE = RANKS.index("A")
NATURAL_SIZE = 2
RED = np.array([suit in "hd" for suit in SUITS])


class SeenCards(NamedTuple):
    """The cards that a wager looks at, hand by hand, and the first cards beside them.

    What is not known or not asked for has no columns.
    """

    cards: Ints
    players_two: Ints
    up: Ints
    dealers_two: Ints


@dataclass(frozen=True)
class Counting:
    """What cards count in a game."""

    ace: tuple[int, int]
    court: int
    over: float
    natural_with: tuple[str, ...]
    aces_low: bool = False

    @cached_property
    def values(self) -> Ints:
        """What every rank counts, aces low."""
        low = [self.ace[0] if rank == "A" else _pips(rank, self.court) for rank in RANKS]
        return np.array(low, dtype=np.int64)


def counting_of(game: GameRules, *, aces_low: bool = False) -> Counting:
    """What cards count in a game."""
    count, natural = game.count, game.natural
    return Counting(count.ace, count.court, count.over, natural.with_, aces_low)


def deck_size(game: GameRules) -> int:
    """The cards of one deck of a game."""
    return (KINDS - len(set(game.shoe.removed))) * len(SUITS)


def _pips(rank: str, court: int) -> int:
    return int(rank) if rank.isdigit() else court


def fits_row(condition: CardCondition, seen: SeenCards, counting: Counting) -> Bools:
    """Which hands fit a row's condition."""
    fits = fits_set(condition, seen.cards, counting)
    if condition.up is not None:
        fits = fits & _of_ranks(seen.up[:, 0], condition.up)
    if condition.between is not None:
        fits = fits & _between(condition.between, seen.players_two, seen.up[:, 0])
    if condition.players_two is not None:
        fits = fits & fits_set(condition.players_two, seen.players_two, counting)
    if condition.dealers_two is not None:
        fits = fits & fits_set(condition.dealers_two, seen.dealers_two, counting)
    return fits


def fits_set(condition: SetCondition, cards: Ints, counting: Counting) -> Bools:
    """Which hands fit what is said of their own cards."""
    if condition.first is not None:
        if cards.shape[1] < condition.first:
            return np.zeros(len(cards), dtype=np.bool_)
        cards = cards[:, : condition.first]
    fits = np.ones(len(cards), dtype=np.bool_)
    if condition.cards is not None:
        fits &= _is_number(np.full(len(cards), cards.shape[1]), condition.cards)
    fits &= _by_count(condition, cards, counting)
    fits &= _by_rank(condition, cards)
    return fits & _by_suit(condition, cards)


def _by_count(condition: SetCondition, cards: Ints, counting: Counting) -> Bools:
    """What they total and what they make."""
    fits = np.ones(len(cards), dtype=np.bool_)
    if condition.natural is not None:
        fits &= _naturals(cards, counting) == condition.natural
    if (condition.total, condition.soft, condition.bust) == (None, None, None):
        return fits
    total, soft = _totals(cards, counting)
    if condition.total is not None:
        fits &= _is_number(total, condition.total)
    if condition.soft is not None:
        fits &= soft == condition.soft
    if condition.bust is not None:
        fits &= (total > counting.over) == condition.bust
    return fits


def _totals(cards: Ints, counting: Counting) -> tuple[Ints, Bools]:
    """Totals, and where an ace counts high in them."""
    ranks = cards % KINDS
    low = counting.values[ranks].sum(axis=1)
    more = counting.ace[1] - counting.ace[0]
    soft = (ranks == ACE).any(axis=1) & (low + more <= counting.over)
    if counting.aces_low:
        soft = np.zeros_like(soft)
    return low + more * soft, soft


def _naturals(cards: Ints, counting: Counting) -> Bools:
    if cards.shape[1] != NATURAL_SIZE:
        return np.zeros(len(cards), dtype=np.bool_)
    one, two = cards[:, 0], cards[:, 1]
    aces = one % KINDS == ACE, two % KINDS == ACE
    tens = (_of_ranks(two, counting.natural_with), _of_ranks(one, counting.natural_with))
    return np.asarray((aces[0] & tens[0]) | (aces[1] & tens[1]))


def _by_rank(condition: SetCondition, cards: Ints) -> Bools:
    """Which ranks, which cards, and whether they are alike."""
    fits = np.ones(len(cards), dtype=np.bool_)
    ranks = cards % KINDS
    if condition.ranks is not None:
        fits &= _are(ranks, [RANKS.index(rank) for rank in condition.ranks])
    if condition.exactly is not None:
        fits &= _are(cards, [Card.parse(text).number for text in condition.exactly])
    if condition.only is not None:
        fits &= _of_ranks(cards, condition.only).all(axis=1)
    if condition.has is not None:
        count = _of_ranks(cards, condition.has.ranks).sum(axis=1)
        fits &= _is_number(count, condition.has.count)
    if condition.alike is not None:
        same = ranks if condition.alike == "rank" else cards
        fits &= (same == same[:, :1]).all(axis=1)
    if condition.last is not None:
        fits &= _of_ranks(cards[:, -1], condition.last)
    if condition.pair is not None or condition.sequence is not None:
        fits &= _in_order(condition, np.sort(ranks, axis=1))
    return fits


def _in_order(condition: SetCondition, ranks: Ints) -> Bools:
    """Pairs and sequences, of ranks from low to high, aces first."""
    fits = np.ones(len(ranks), dtype=np.bool_)
    steps = np.diff(ranks, axis=1)
    if condition.pair is not None:
        fits &= (steps == 0).any(axis=1) == condition.pair
    if condition.sequence is not None:
        high = np.sort(np.where(ranks == ACE, KINDS, ranks), axis=1)
        runs = (steps == 1).all(axis=1) | (np.diff(high, axis=1) == 1).all(axis=1)
        fits &= runs == condition.sequence
    return fits


def _by_suit(condition: SetCondition, cards: Ints) -> Bools:
    suits = cards // KINDS
    match condition.suits:
        case None:
            return np.ones(len(cards), dtype=np.bool_)
        case "one":
            return np.asarray((suits == suits[:, :1]).all(axis=1))
        case "one-colour":
            return np.asarray((RED[suits] == RED[suits[:, :1]]).all(axis=1))
        case suit:
            return np.asarray((suits == SUITS.index(suit)).all(axis=1))


def _between(spread: Number, two: Ints, up: Ints) -> Bools:
    """Whether the up card's rank lies between two others, aces high, so many ranks apart."""
    ranks = np.where(two % KINDS == ACE, KINDS, two % KINDS)
    low, high = ranks.min(axis=1), ranks.max(axis=1)
    middle = np.where(up % KINDS == ACE, KINDS, up % KINDS)
    return np.asarray((low < middle) & (middle < high)) & _is_number(high - low - 1, spread)


def _are(found: Ints, wanted: list[int]) -> Bools:
    """Whether hands are exactly these, in any order."""
    if found.shape[1] != len(wanted):
        return np.zeros(len(found), dtype=np.bool_)
    return np.asarray((np.sort(found, axis=1) == np.sort(wanted)).all(axis=1))


def _of_ranks(cards: Ints, ranks: tuple[str, ...]) -> Bools:
    return np.isin(cards % KINDS, [RANKS.index(rank) for rank in ranks])


def _is_number(found: Ints, wanted: Number) -> Bools:
    if not isinstance(wanted, Span):
        return np.asarray(found == wanted)
    fits = np.ones(len(found), dtype=np.bool_)
    if wanted.from_ is not None:
        fits &= found >= wanted.from_
    if wanted.to is not None:
        fits &= found <= wanted.to
    return fits
