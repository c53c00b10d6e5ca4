"""Exact odds in fractions, slow and obvious: the check of the fast solver.

Everything comes from the compiled tables; see `odds_one` for a hand that is not split and
`odds_split` for splits. Values are in base wagers. Modes of splitting:

- "none": never. - "fixed": every decision by a policy; pairs of split hands are split again.
- "CDZ-": split hands are played as the same cards would be in a game without splits.
- "CDP": all second cards come first; then every hand is played its best by somebody who knows its
  cards, the up card, and that of the pair cards as many are out as there are hands. A bonus card
  among the second cards is kept or traded as is best when two pair cards are out.

With "CDZ-" and "CDP" pairs are split again whenever that is allowed, and whether the first pair is
split at all is decided by what is best. In the endless shoe both mean the best play of each hand.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from upcard.compile.context import Action, Origin

from .odds_down import DownCards
from .odds_one import Cards, OneHand, Problem, RanOutError, Sight, take
from .odds_split import (
    Chooser,
    EndlessSplit,
    Hand,
    Policy,
    Resplit,
    Spot,
    Walk,
    always,
    best,
    by_policy,
    cdp_chooser,
    cdp_values,
    cdz_chooser,
    doubles_of,
    moved,
    unsplit_values,
    with_card,
)

__all__ = [
    "Mode",
    "Policy",
    "Problem",
    "RanOutError",
    "action_values",
    "cdp_policy",
    "cdp_spot_values",
    "cdz_policy",
    "cdz_spot_values",
    "split_value",
    "value",
    "value_up",
]

Mode = Literal["none", "CDZ-", "CDP", "fixed"]


@lru_cache(maxsize=4)  # each remembers a great many hands
def solver(problem: Problem) -> OneHand:
    return DownCards(problem) if problem.tables.dealer.looks > 1 else OneHand(problem)


# ------------------------------------------------------------------ single decisions


def action_values(
    problem: Problem, cards: Cards, up: int, mode: Mode = "none", policy: Policy | None = None
) -> dict[Action, Fraction]:
    """What each action is worth to an initial hand after an empty check.

    A bonus card that other cards follow was kept. Where bonus cards among the first two are
    decided before the check, keep and trade have their values from before it.
    """
    one = solver(problem)
    hand = Hand(one.hand(cards), one.turn, cards)
    table = Opening(one, up, mode, policy)
    if len(cards) == 2 and one.pending[hand.state] and table.trades_first:
        return table.bonus_values(hand, one.first_sight((up, *cards)), table.before_check)
    look = one.looks(up, cards[:2], cards[2:])
    if len(cards) == 2:
        return table.turn_values(hand, look)
    actions = one.unsplit(hand.state, hand.context, up)
    return {action: one.act(action, hand.state, hand.context, up, look) for action in actions}


def split_value(
    problem: Problem,
    pair: int,
    up: int,
    mode: Mode,
    policy: Policy | None = None,
    resplit: Resplit = always,
) -> Fraction:
    """What splitting a pair is worth after an empty check."""
    one = solver(problem)
    hand = Hand(one.hand((pair, pair)), one.turn, (pair, pair))
    table = Opening(one, up, mode, policy, resplit)
    return table.split(hand, one.looks(up, (pair, pair)))


def value_up(
    problem: Problem, up: int, mode: Mode = "none", policy: Policy | None = None
) -> Fraction:
    """What a round is worth when the up card is known."""
    one = solver(problem)
    table = Opening(one, up, mode, policy)
    counts = take(problem.counts, up)
    total = Fraction(0)
    for first, chance in one.chances(counts):
        for second, again in one.chances(take(counts, first)):
            lights = problem.light * one.dealt_lights((first, second))
            total += chance * again * (lights + table.dealt((first, second)))
    return total


def value(problem: Problem, mode: Mode = "none", policy: Policy | None = None) -> Fraction:
    """What a round is worth before the deal."""
    return sum(
        (
            chance * value_up(problem, up, mode, policy)
            for up, chance in solver(problem).chances(problem.counts)
        ),
        Fraction(0),
    )


class Opening:
    """A round from the first two cards on, against one up card."""

    def __init__(
        self,
        one: OneHand,
        up: int,
        mode: Mode,
        policy: Policy | None,
        resplit: Resplit = always,
    ) -> None:
        assert (policy is not None) == (mode == "fixed")
        self.resplit = resplit
        self.one = one
        self.up = up
        self.mode = mode
        self.policy = policy
        self.trades_first = "trades" in one.tables.round_plan.kinds

    def dealt(self, cards: Cards) -> Fraction:
        one = self.one
        hand = Hand(one.hand(cards), one.turn, cards)
        look = one.first_sight((self.up, *cards))
        if self.policy is not None:
            return self.walked(look, lambda walk, left: walk.dealt(hand, left))
        if self.trades_first:
            return self.bonus(hand, look, self.before_check)
        return self.before_check(hand, look)

    # The steps before the turn: bonus cards, early surrender, the check.

    def bonus(self, hand: Hand, look: Sight, then: Callable[[Hand, Sight], Fraction]) -> Fraction:
        """Bonus cards among the first two are kept or traded, until none waits."""
        one = self.one
        if one.owed[hand.state]:
            total = Fraction(0)
            for card in one.symbols:
                if chance := one.chance(look, card):
                    after = self.bonus(with_card(one, hand, card), one.seen(look, card), then)
                    total += chance * (one.problem.light * one.lights[hand.state][card] + after)
            return total
        if one.pending[hand.state]:
            return max(self.bonus_values(hand, look, then).values())
        return then(hand, look)

    def bonus_values(
        self, hand: Hand, look: Sight, then: Callable[[Hand, Sight], Fraction]
    ) -> dict[Action, Fraction]:
        one = self.one
        values: dict[Action, Fraction] = {}
        for action in one.legal(hand.state, hand.context, self.up):
            light = one.problem.light if action is Action.TRADE else 0
            values[action] = light + self.bonus(moved(one, hand, action), look, then)
        return values

    def before_check(self, hand: Hand, look: Sight) -> Fraction:
        one, up = self.one, self.up
        played = self.check(hand, look)
        for context, found in enumerate(one.contexts):
            if found.phase != "early-surrender":
                continue
            if Action.SURRENDER in one.tables.legal.actions(hand.state, context, up):
                given_up = one.act(Action.SURRENDER, hand.state, context, up, look)
                return max(given_up, played)
        return played

    def check(self, hand: Hand, look: Sight) -> Fraction:
        one, up = self.one, self.up
        if not one.checks[up]:
            return self.turn(hand, look)
        found = one.checked(up, look, natural=True)
        empty = one.checked(up, look, natural=False)
        total = Fraction(0)
        if chance := one.chance_of(up, look, natural=True):
            row = one.result(one.player_class[one.all_kept(hand.state)], 1, True)
            total += chance * one.against(row, up, found)
        if chance := one.chance_of(up, look, natural=False):
            total += chance * self.turn(hand, empty)
        return total

    # The turn.

    def turn(self, hand: Hand, look: Sight) -> Fraction:
        return self.bonus(
            hand, look, lambda ready, seen: max(self.turn_values(ready, seen).values())
        )

    def turn_values(self, hand: Hand, look: Sight) -> dict[Action, Fraction]:
        """What can be done with two cards; whatever follows is done the best way."""
        one, up = self.one, self.up
        if one.pending[hand.state]:
            return self.bonus_values(
                hand, look, lambda ready, seen: max(self.turn_values(ready, seen).values())
            )
        values: dict[Action, Fraction] = {}
        for action in one.legal(hand.state, hand.context, up):
            if action is not Action.SPLIT:
                values[action] = one.act(action, hand.state, hand.context, up, look)
            elif self.mode != "none":
                values[action] = self.split(hand, look)
        return values

    def split(self, hand: Hand, look: Sight) -> Fraction:
        one = self.one
        assert Action.SPLIT in one.legal(hand.state, hand.context, self.up)
        if look.unseen is None:
            return EndlessSplit(one, self.up, look, self.given()).split(hand)
        return self.walked(look, lambda walk, left: walk.split(hand, left))

    def given(self) -> Chooser | None:
        return by_policy(self.policy) if self.policy is not None else None

    def chooser(self) -> Chooser:
        match self.mode:
            case "CDZ-":
                return cdz_chooser(self.one)
            case "CDP":
                return cdp_chooser(self.one)
            case _:
                assert self.policy is not None
                return by_policy(self.policy)

    def walked(
        self, look: Sight, way: Callable[[Walk, tuple[int, ...] | None], Fraction]
    ) -> Fraction:
        """The average over the down cards of what is won with each."""
        choose = self.chooser()
        total = Fraction(0)
        for hole, weight in enumerate(look.holes):
            if weight:
                resolved = self.mode == "CDP"
                walk = Walk(
                    self.one, self.up, hole, choose, resolved=resolved, resplit=self.resplit
                )
                total += weight * way(walk, take(look.unseen, hole))
        return total / sum(look.holes)


# ------------------------------------------------------------------ policies


def no_trades(one: OneHand) -> None:
    if any(symbol.marked for symbol in one.tables.alphabet.symbols):
        raise NotImplementedError("cards alone do not tell what was traded for them")


def split_spot(
    problem: Problem, cards: Cards, up: int, hands: int, legal: tuple[Action, ...], first: bool
) -> Spot:
    """A decision of a split hand, from its cards alone."""
    one = solver(problem)
    no_trades(one)
    pair = one.hand((cards[0], cards[0]))
    state = one.tables.hands.after(*cards[1:], start=one.split_to[pair])
    is_ace = one.tables.alphabet.symbols[cards[0]].is_ace
    context = one.tables.contexts.index(
        origin=Origin.SPLIT_ACES if is_ace else Origin.SPLIT,
        hands=hands,
        doubles=doubles_of(cards, legal),
    )
    legal = legal or one.unsplit(state, context, up)
    return Spot(Hand(state, context, cards), up, hands, legal, first)


def cdz_spot_values(
    problem: Problem, cards: Cards, up: int, legal: tuple[Action, ...] = ()
) -> dict[Action, Fraction]:
    """The values by which "CDZ-" decides for a split hand; without `legal` all legal actions."""
    return unsplit_values(solver(problem), split_spot(problem, cards, up, 2, legal, True))


def cdz_policy(problem: Problem) -> Policy:
    """What "CDZ-" does with a split hand."""

    @cache
    def policy(cards: Cards, up: int, hands: int | None, legal: tuple[Action, ...]) -> Action:
        return best(cdz_spot_values(problem, cards, up, legal))

    return policy


def cdp_spot_values(
    problem: Problem,
    cards: Cards,
    up: int,
    gone: int,
    legal: tuple[Action, ...] = (),
    *,
    first: bool = True,
) -> dict[Action, Fraction]:
    """The values by which "CDP" decides for a split hand with `gone` pair cards beyond two out."""
    spot = split_spot(problem, cards, up, gone + 2, legal, first)
    return cdp_values(solver(problem), spot, gone)


def cdp_policy(problem: Problem, pair: int, up: int, a: int, *, first: bool = True) -> Policy:
    """What "CDP" does with a split hand when `a` further pair cards are out.

    `first` is the first hand of the box, which has the original wager and the wagers on ties.
    """

    @cache
    def policy(cards: Cards, seen: int, hands: int | None, legal: tuple[Action, ...]) -> Action:
        assert (cards[0], seen) == (pair, up)
        return best(cdp_spot_values(problem, cards, up, a, legal, first=first))

    return policy
