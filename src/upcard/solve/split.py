"""Splits to the full number of hands, with cards removed exactly for a stated play.

Two hands of a split differ only in what is known of the other hands' second cards. Some made a
pair, and with it one more hand; others made none. A pair comes by a pair card or, where bonus cards
can be traded, by bonus cards and then a pair card, and for tens also by a bonus card that is kept:
each way is a `Pairing`, so many pair cards and so many bonus cards gone.

For play that does not look at the other hands the cards still to come are exchangeable, so the
cards of pairs may as well have come first. That another hand has made no pair is everything less
every way in which it would have made one. With x^v for the cards of a pairing v, and P the sum of
x^v over all pairings, a hand that sees `a` pairs and `b` other hands without one counts for

    P^a (1 - P)^b

of hands, where x^v means: the chance that the cards v come next, times the value of a hand from a
shoe without them. So every value is a weighted sum of values with so many pair cards and so many
bonus cards removed. Without bonus cards P is the pair card alone.

Modes. CDZ-: a split hand is played like the same cards without a split. CDP: it is played as is
best when exactly the pair cards of the other hands are gone. In CDP as the literature works it out
every value of the sum is that of its own best play, though the play that is asked about is the best
for `a`; CDP+ keeps to the play for `a` in all terms, which is what somebody who plays so really
gets. The two differ by some parts in a hundred million. Of actions that are equally good for the
play that is asked about, the first in the order of `Action` is taken: in the shoe of the split they
need not be equally good, so its value depends on that. Whether a bonus card that comes as a second
card is kept or traded is decided before anybody knows how many hands there will be, so that is one
play for all: the best one when no further pair card is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Mode = Literal["CDZ-", "CDP", "CDP+", "none"]
"""How splits are played and priced; "none" never splits."""

SequenceChance = Callable[[int, int], float]
"""The chance that the next cards are so many pair cards and bonus cards, in a given order."""


class Pairing(NamedTuple):
    """How a split hand becomes a pair: cards that come for it, and the lights they give."""

    pairs: int
    marked: int
    lights: int


PAIR_CARD = Pairing(pairs=1, marked=0, lights=0)
"""The pair that comes without trades."""

Pairings = tuple[frozenset[Pairing], frozenset[Pairing]]
"""The ways in which pairs come, to the first hand of a box and to the others."""

_PLAIN: Pairings = (frozenset((PAIR_CARD,)), frozenset((PAIR_CARD,)))


class Resplits(NamedTuple):
    """Whether a pair that comes to a split hand makes one more hand.

    By the number of hands so far, two first; of the box's first hand, and of every other. Where the
    house stakes only some of the new hands, these are the others, and those that the player stakes
    the `further` ones.
    """

    first: tuple[bool, ...]
    others: tuple[bool, ...]
    further: tuple[bool, ...] = ()

    @classmethod
    def always(cls, most_hands: int) -> Resplits:
        again = (True,) * (most_hands - 2)
        return cls(again, again)


FIRST, OTHER, FURTHER = range(3)
"""Roles of a split's hands: the first of the box, any other; and, where the house stakes the new
hands of some splits alone, those of its further splits.
"""


def role_of_new(hands: int, free_times: int) -> int:
    """The role of the hand that a split makes where there are so many hands before it."""
    return FURTHER if free_times and hands > free_times else OTHER


class BoxStart(NamedTuple):
    """A box in the middle of its second cards: the hand that gets the next one, and all hands.

    The hands before that one are over; those behind it have one card each. `roles` are the roles
    of the hands from this one on, where some are further ones.
    """

    hand: int
    hands: int
    roles: tuple[int, ...] = ()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The roles of the hands that wait for their second card."""
        return self.roles or tuple(min(n, OTHER) for n in range(self.hand, self.hands))


JUST_SPLIT = BoxStart(hand=0, hands=2)


@cache
def all_resplits(most_hands: int, free_times: int = 0) -> tuple[Resplits, ...]:
    """Every way to choose, the one that always makes one more hand first."""
    choices = tuple(product((True, False), repeat=max(0, most_hands - 2)))
    roles = FURTHER if not free_times else FURTHER + 1
    return tuple(Resplits(*chosen) for chosen in product(choices, repeat=roles))


class Kind(NamedTuple):
    """A hand played by the policy for `policy` pair cards gone; these cards really are."""

    policy: int
    pairs: int
    marked: int


class SplitWeights(NamedTuple):
    """`weights[resplits, role, paired, kind]`: how much of each kind of hand there is in a split.

    Role 0 is the box's first hand, 1 are all others together, but for further ones, which are 2
    where there are such; the second card makes a pair (`paired` 1) or not. What a split is worth is
    the sum of weights times worths, and the lights of pairs that were split again:
    `again[resplits, role, lights]` is how many pairs with so many lights there are.

    `hands[resplits, hand, paired, kind]`, where asked for, are the same weights hand by hand: those
    that there are at the start, in the order of play, and as one behind them all that come later.
    """

    resplits: tuple[Resplits, ...]
    kinds: tuple[Kind, ...]
    weights: npt.NDArray[np.float64]
    again: npt.NDArray[np.float64]
    hands: npt.NDArray[np.float64] | None = None


def removable(most_hands: int) -> int:
    """The most additional pairs that any value is needed for."""
    return 2 * (most_hands - 2)


class Stock(NamedTuple):
    """So many cards of a kind; `outside` if none of them can be the hole card."""

    number: float
    outside: bool


def sequence_chance(
    pairs: Stock, marked: Stock, cards: float, outside: float, *, step: float
) -> SequenceChance:
    """Chances from a shoe of so many cards, the hole card among them.

    The hole card is none of the `outside` cards.
    """
    inside = cards - outside
    holes = []
    rest = 1.0
    for number, stock in enumerate((pairs, marked)):
        if not stock.outside and inside > 0:
            likely = stock.number / inside
            holes.append((likely, step * (number == 0), step * (number == 1)))
            rest -= likely
    holes.append((rest, 0.0, 0.0))

    known: dict[tuple[int, int], float] = {}

    def chance(some: int, others: int) -> float:
        if (some, others) in known:
            return known[some, others]
        found = 0.0
        of_all = _falling(cards - step, some + others, step) or 1.0
        for likely, no_pair, no_marked in holes:
            of_pairs = _falling(pairs.number - no_pair, some, step)
            found += likely * of_pairs * _falling(marked.number - no_marked, others, step) / of_all
        known[some, others] = found
        return found

    return chance


@lru_cache(maxsize=1 << 14)
def _falling(number: float, factors: int, step: float) -> float:
    """The ways to take so many cards of a number, one after the other."""
    found = 1.0
    for taken in range(factors):
        found *= max(number - taken * step, 0.0)
    return found


def split_weights(
    most_hands: int,
    chance: SequenceChance,
    *,
    consistent: bool,
    resplits: tuple[Resplits, ...] = (),
    pairings: Pairings = _PLAIN,
    most_marked: int = 0,
    start: BoxStart = JUST_SPLIT,
    by_hand: bool = False,
    free_times: int = 0,
) -> SplitWeights:
    """The weights of all kinds of hands, for some choices of resplits, or for all that there are.

    With `consistent`, a hand is played by one policy in all terms of its value. Pairs come to the
    first hand and to the others in the ways of `pairings`; what takes more than `most_marked` bonus
    cards in all is left out. From another `start` only hands that are not over count. With
    `free_times` the new hands of later splits are further ones.
    """
    resplits = resplits or all_resplits(most_hands, free_times)
    asked = most_hands, resplits, pairings, most_marked, start, consistent
    kinds, shares = _shares(*asked, free_times)
    likely = np.array([chance(kind.pairs, kind.marked) for kind in kinds])
    (possible,) = np.nonzero(likely)
    cards, pairs = _pairs_again(most_hands, resplits, pairings, most_marked, start, free_times)
    again = pairs @ np.array([chance(*one) for one in cards])
    return SplitWeights(
        resplits,
        tuple(kinds[number] for number in possible.tolist()),
        (shares * likely)[..., possible],
        again,
        (_shares_by_hand(*asked) * likely)[..., possible] if by_hand else None,
    )


@cache
def _shares(
    most_hands: int,
    resplits: tuple[Resplits, ...],
    pairings: Pairings,
    most_marked: int,
    start: BoxStart,
    consistent: bool,
    free_times: int,
) -> tuple[tuple[Kind, ...], npt.NDArray[np.float64]]:
    """The kinds of hands of a split, and their weights before they are made chances."""
    counts, _ = _counts(most_hands, resplits, start, free_times)
    kinds, spread = _spread(
        most_hands, resplits, pairings, most_marked, start, consistent, free_times
    )
    found = counts @ spread
    found.flags.writeable = False
    return kinds, found


@cache
def _shares_by_hand(
    most_hands: int,
    resplits: tuple[Resplits, ...],
    pairings: Pairings,
    most_marked: int,
    start: BoxStart,
    consistent: bool,
) -> npt.NDArray[np.float64]:
    """The weights of the kinds, hand by hand, before they are made chances."""
    _, spread = _spread(most_hands, resplits, pairings, most_marked, start, consistent, 0)
    found = _counts_by_hand(most_hands, resplits, start) @ spread
    found.flags.writeable = False
    return found


@cache
def _spread(
    most_hands: int,
    resplits: tuple[Resplits, ...],
    pairings: Pairings,
    most_marked: int,
    start: BoxStart,
    consistent: bool,
    free_times: int,
) -> tuple[tuple[Kind, ...], npt.NDArray[np.float64]]:
    """The kinds of hands, and what of them each hand is by what it sees: `[seen, kind]`."""
    counts, _ = _counts(most_hands, resplits, start, free_times)
    everything = _all_seen(most_hands)
    numbers: dict[Kind, int] = {}
    parts: list[tuple[int, int, int]] = []
    for place in np.flatnonzero(counts.any(axis=(0, 1, 2))).tolist():
        seen = everything[place]
        for term, share in _terms(seen, pairings, most_marked).items():
            policy = seen.first_pairs + seen.other_pairs
            kind = term._replace(policy=policy) if consistent else term
            parts.append((place, numbers.setdefault(kind, len(numbers)), share))
    spread = np.zeros((len(everything), len(numbers)))
    for place, number, share in parts:
        spread[place, number] += share
    spread.flags.writeable = False
    return tuple(numbers), spread


@cache
def _pairs_again(
    most_hands: int,
    resplits: tuple[Resplits, ...],
    pairings: Pairings,
    most_marked: int,
    start: BoxStart,
    free_times: int,
) -> tuple[tuple[tuple[int, int], ...], npt.NDArray[np.float64]]:
    """`[resplits, role, lights, cards]`: pairs with lights that are split again, for each number
    of pair cards and bonus cards that must come for them; to be multiplied by the chance of those.
    """
    _, splits = _counts(most_hands, resplits, start, free_times)
    everything = _all_seen(most_hands)
    numbers: dict[tuple[int, int], int] = {}
    parts: list[tuple[int, int, int, int, int]] = []
    for role, place in np.argwhere(splits.any(axis=0)).tolist():
        for way in pairings[min(role, OTHER)]:
            if not way.lights:
                continue
            for term, share in _terms(everything[place], pairings, most_marked).items():
                cards = term.pairs + way.pairs, term.marked + way.marked
                if cards[1] <= most_marked:
                    number = numbers.setdefault(cards, len(numbers))
                    parts.append((role, place, way.lights, number, share))
    found = np.zeros((len(resplits), splits.shape[1], 1 + _most_lights(pairings), len(numbers)))
    for role, place, lights, number, share in parts:
        found[:, role, lights, number] += splits[:, role, place] * share
    found.flags.writeable = False
    return tuple(numbers), found


def _most_lights(pairings: Pairings) -> int:
    return max(way.lights for ways in pairings for way in (PAIR_CARD, *ways))


class SeenSoFar(NamedTuple):
    """What is known of other hands: pairs that were split again, by the first hand and by others,
    and second cards that made no pair.
    """

    first_pairs: int
    other_pairs: int
    first_single: int
    other_singles: int


_Hands = tuple[tuple[int, bool], ...]
"""Numbers of hands that have their second card, and whether it is known to have made no pair."""
Dealt = tuple[tuple[int, bool], ...]
"""Hands that have their second card: the role of each, and whether it is known to make no pair."""


@cache
def _all_seen(most_hands: int) -> tuple[SeenSoFar, ...]:
    numbers = range(most_hands - 1)
    return tuple(
        SeenSoFar(first, other, single, singles)
        for first in numbers
        for other in numbers
        for single in range(2)
        for singles in range(most_hands + 1)
        if first + other < most_hands - 1
    )


@cache
def _terms(seen: SeenSoFar, pairings: Pairings, most_marked: int) -> Mapping[Kind, int]:
    """The sum that `seen` stands for, term by term: cards removed, the policy being the pairs."""
    found = {Kind(0, 0, 0): 1}
    for role, pairs, singles in (
        (0, seen.first_pairs, seen.first_single),
        (1, seen.other_pairs, seen.other_singles),
    ):
        for number in range(pairs + singles):
            more: dict[Kind, int] = defaultdict(int)
            if number >= pairs:
                more.update(found)
            for (policy, paired, marked), share in found.items():
                for way in pairings[role]:
                    after = Kind(policy + 1, paired + way.pairs, marked + way.marked)
                    if after.marked <= most_marked:
                        more[after] += share if number < pairs else -share
            found = more
    return found


@cache
def _counts(
    most_hands: int, resplits: tuple[Resplits, ...], start: BoxStart, free_times: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """`[resplits, role, paired, seen]`: numbers of hands by what they see of the others.

    And `[resplits, role, seen]`: numbers of further splits, by what was seen until then.
    """
    place = {seen: number for number, seen in enumerate(_all_seen(most_hands))}
    roles = FURTHER + 1 if free_times else FURTHER
    found = np.zeros((len(resplits), roles, 2, len(place)))
    splits = np.zeros((len(resplits), roles, len(place)))
    for number, choice in enumerate(resplits):
        ends, again = _arrangements(most_hands, choice, start, free_times)
        for (leaf, dealt), ways in ends.items():
            for role in range(roles):
                if singles := dealt.count((role, True)):
                    own = leaf._replace(first_single=0)
                    if role:
                        own = leaf._replace(other_singles=leaf.other_singles - 1)
                    found[number, role, 0, place[own]] += ways * singles
                if unseen := dealt.count((role, False)):
                    found[number, role, :, place[leaf]] += ways * unseen
        for (role, before), ways in again.items():
            splits[number, role, place[before]] += ways
    found.flags.writeable = splits.flags.writeable = False
    return found, splits


@cache
def _counts_by_hand(
    most_hands: int, resplits: tuple[Resplits, ...], start: BoxStart
) -> npt.NDArray[np.float64]:
    """`[resplits, hand, paired, seen]`: numbers of hands by what they see of the others.

    A pair keeps its place with its first card, and the hand that it makes comes right behind it. So
    hands of the start that wait get their second card the later, the more pairs come before them.
    """
    place = {seen: number for number, seen in enumerate(_all_seen(most_hands))}
    known = start.hands - start.hand
    found = np.zeros((len(resplits), known + 1, 2, len(place)))
    for number, choice in enumerate(resplits):
        for hands, seen in _hands_at_the_end(most_hands, choice, start):
            for hand, single in hands:
                if not single:
                    found[number, hand, :, place[seen]] += 1
                elif hand or start.hand:
                    own = seen._replace(other_singles=seen.other_singles - 1)
                    found[number, hand, 0, place[own]] += 1
                else:
                    found[number, hand, 0, place[seen._replace(first_single=0)]] += 1
    found.flags.writeable = False
    return found


def _hands_at_the_end(
    most_hands: int, resplits: Resplits, start: BoxStart
) -> Iterator[tuple[_Hands, SeenSoFar]]:
    """Every order in which second cards can come: the hands that there are then."""
    new = start.hands - start.hand
    waiting = [((*range(new),), start.hands, SeenSoFar(0, 0, 0, 0), _Hands())]
    while waiting:
        numbers, hands, seen, done = waiting.pop()
        if not numbers:
            yield done, seen
            continue
        hand, *behind = numbers
        first, other, single, singles = seen
        own = int(not hand and not start.hand)
        wanted = resplits.first if own else resplits.others
        if hands < most_hands and wanted[hands - 2]:
            pairs = SeenSoFar(first + own, other + 1 - own, single, singles)
            waiting.append(((hand, new, *behind), hands + 1, pairs, done))
            alone = SeenSoFar(first, other, single + own, singles + 1 - own)
            waiting.append(((*behind,), hands, alone, (*done, (hand, True))))
        else:
            waiting.append(((*behind,), hands, seen, (*done, (hand, False))))


@cache
def _arrangements(
    most_hands: int, resplits: Resplits, start: BoxStart, free_times: int
) -> tuple[Mapping[tuple[SeenSoFar, Dealt], int], Mapping[tuple[int, SeenSoFar], int]]:
    """In how many orders second cards can come: what is known at the end, and before each split.

    At the end, of all hands, by their roles, whether something is known of their second card. Each
    hand gets its second card in turn. A pair makes one more hand where that is allowed and
    wanted; where it is not, nothing needs to be known of that hand's second card.
    """
    found: dict[tuple[SeenSoFar, Dealt], int] = defaultdict(int)
    again: dict[tuple[int, SeenSoFar], int] = defaultdict(int)

    def deal(waiting: tuple[int, ...], hands: int, seen: SeenSoFar, dealt: Dealt) -> None:
        if not waiting:
            found[seen, tuple(sorted(dealt))] += 1
            return
        role, *behind = waiting
        first, other, single, singles = seen
        if hands < most_hands and resplits[role][hands - 2]:
            again[role, seen] += 1
            more = (role, role_of_new(hands, free_times), *behind)
            known = (*dealt, (role, True))
            if role:
                deal(more, hands + 1, SeenSoFar(first, other + 1, single, singles), dealt)
                deal(tuple(behind), hands, SeenSoFar(first, other, single, singles + 1), known)
            else:
                deal(more, hands + 1, SeenSoFar(first + 1, other, single, singles), dealt)
                deal(tuple(behind), hands, SeenSoFar(first, other, single + 1, singles), known)
        else:
            deal(tuple(behind), hands, seen, (*dealt, (role, False)))

    deal(start.waiting, start.hands, SeenSoFar(0, 0, 0, 0), ())
    return found, again
