"""One more split in the middle of a box: the solver's price beside every card played out.

Some hands of a split are over, one is a pair, others wait with one card each. From there on all
hands are played as CDP+ says: the best play of somebody who knows what lies there, and how many of
the pair cards will be out.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest

from depth import one_of_each
from oracle import odds as slow
from upcard.compile.context import Action, Origin
from upcard.solve.one_hand import OneHand
from upcard.solve.solution import Aim
from upcard.solve.split import all_resplits

from .odds_one import NONE, Cards, take
from .odds_split import Chooser, Hand, Resplit, Spot, Walk, best, counted, split_hands
from .test_odds_oracle import BLACKJACK, TIE, Case
from .test_resplits import FIVE_TENS, FOUR_EIGHTS, FOUR_TENS, NOTHING, wanted

CLOSE = 1e-12
STANDS: Cards = (NONE,)
"""Set as the traded cards of a hand that has been decided about: the oracle looks at no other."""
Walks = Callable[[int], Walk]
TIE_18 = Case(TIE, {}, FIVE_TENS, NOTHING, wagers={"tie-18": 1000})


class Box(NamedTuple):
    """A box of a split. The second cards of hands that are over, and how many hands wait."""

    case: Case
    pair: str
    up: str
    over: str = ""
    waiting: int = 0

    def __str__(self) -> str:
        return f"{self.case.game}-{self.pair}-{self.up}-{self.over}-{self.waiting}"


BOXES = [
    Box(Case(BLACKJACK, {}, FOUR_EIGHTS, NOTHING), "8s", "6s", waiting=1),
    Box(Case(BLACKJACK, {"max_hands": "3"}, FOUR_EIGHTS, NOTHING), "8s", "6s", waiting=1),
    Box(Case(BLACKJACK, {}, FOUR_EIGHTS, NOTHING), "8s", "6s", over="9s"),
    Box(Case(BLACKJACK, {}, FOUR_TENS, NOTHING), "Ts", "7s", over="8s"),
    Box(TIE_18, "Ts", "8s", waiting=1),
    Box(TIE_18, "Ts", "8s", waiting=2),
    Box(TIE_18, "Ts", "8s", over="8d", waiting=1),
]


def slowly(box: Box) -> Fraction:
    """What the box wins more if the pair is split than if it stands."""
    one = slow.solver(box.case.problem)
    tables = one.tables
    pair, up = box.case.symbol(box.pair), box.case.symbol(box.up)
    seconds: Cards = tuple(box.case.symbol(card) for card in box.over.split())
    hands = len(seconds) + 1 + box.waiting
    context = tables.contexts.index(origin=Origin.SPLIT, hands=hands)
    single = Hand(one.split_to[one.hand((pair, pair))], context, (pair,))
    lying = tuple(
        Hand(one.next[single.state][card], context, (pair, card), STANDS)
        for card in (*seconds, pair)
    )
    over, current = lying[:-1], lying[-1]
    waiting = (single,) * box.waiting
    # Every hand has a pair card, and this one a second.
    known = (pair,) * (hands - 1)
    look = one.looks(up, (pair, pair), (*known, *seconds))

    def average(way: Callable[[Walk, tuple[int, ...] | None], Fraction], walks: Walks) -> Fraction:
        total = sum(
            weight * way(walks(hole), take(look.unseen, hole))
            for hole, weight in enumerate(look.holes)
            if weight
        )
        return Fraction(total) / sum(look.holes)

    def chooser(more: int) -> Chooser:
        """Hands that stand, and the best play of others; `more` pair cards than hands are out."""

        @cache
        def choose(spot: Spot) -> Action:
            hand, number = spot.hand, spot.hands
            if hand.gone == STANDS:
                return Action.STAND
            assert number is not None
            gone = (pair,) * (number - 2 + more)
            seen = one.looks(up, (pair, pair), (*gone, *seconds, *hand.cards[1:]))
            return best(
                {
                    action: one.act(action, hand.state, hand.context, up, seen, spot.first)
                    for action in spot.legal
                    if action is not Action.SPLIT
                }
            )

        return choose

    def walks(choose: Chooser, choice: Resplit) -> Walks:
        return lambda hole: Walk(one, up, hole, choose, resolved=True, resplit=choice)

    new, other = split_hands(one, current)
    later = tuple(counted(one, hand, hands + 1) for hand in waiting)
    choices = [wanted(choice) for choice in all_resplits(4)]
    split = max(
        average(
            lambda walk, left: walk.resolve(over, new, (other, *later), left),
            walks(chooser(0), choice),
        )
        for choice in choices
    )
    stand = max(
        average(
            lambda walk, left: (
                walk.resolve(lying, waiting[0], waiting[1:], left)
                if waiting
                else walk.act(walk.nothing, lying[0], lying[1:], True, left)
            ),
            walks(chooser(1), choice),
        )
        for choice in choices
    )
    return split - stand


@pytest.mark.parametrize("box", one_of_each(BOXES, lambda box: box.case.game), ids=str)
def test_one_more_split_is_worth_what_the_box_gains(box: Box) -> None:
    case, problem = box.case, box.case.problem
    tables = case.tables
    pair, up = case.symbol(box.pair), case.symbol(box.up)
    seconds = [case.symbol(card) for card in box.over.split()]
    hands = len(seconds) + 1 + box.waiting
    context = tables.contexts.index(origin=Origin.SPLIT, hands=hands)
    single = int(tables.hands.split_to[tables.hands.after(pair, pair)])
    hand = OneHand(
        tables,
        [pair, pair],
        tables.hands.after(pair, start=single),
        up,
        mode="CDP+",
        removed=[*seconds, *[pair] * (hands - 1)],
        counts=problem.counts,
        contexts=tables.contexts.doubled(context),
        place=len(seconds),
    )
    extra = {wager: float(ratio) for wager, ratio in problem.extra.items()}
    found = hand.values(Aim(bet=case.bet, extra=extra), checked=True).actions
    gained = found[Action.SPLIT] - found[Action.STAND]
    assert gained == pytest.approx(float(slowly(box)), abs=CLOSE)
