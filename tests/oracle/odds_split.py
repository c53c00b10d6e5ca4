"""Splits, played out literally: every hand of the box in its order, every card removed.

With the down card known to the telling, but to no decision, a split is an average over all cards
that can come. In the endless shoe the hands do not touch each other, and each is played its best.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from upcard.compile.context import Action

from .odds_one import NONE, Cards, Counts, OneHand, Row, Sight, take

Policy = Callable[[Cards, int, int | None, tuple[Action, ...]], Action]
"""Own cards in their order, the up card, the final number of hands if known, legal actions."""

Resplit = Callable[[bool, int], bool]
"""Whether a pair of a split hand is split again: of the first hand or another, by hands so far."""


def always(first: bool, hands: int) -> bool:
    return True


PUT_DOWN = -1
"""The place of a card that was traded, until the next card lies there."""


class Hand(NamedTuple):
    """`gone` are cards that the hand has traded."""

    state: int
    context: int
    cards: Cards
    gone: Cards = ()


class Spot(NamedTuple):
    """A decision. `hands` is the final number of hands, if it is known by then."""

    hand: Hand
    up: int
    hands: int | None
    legal: tuple[Action, ...]
    first: bool


Chooser = Callable[[Spot], Action]


class Totals(NamedTuple):
    """The results of finished hands by the dealer's class; fixed amounts apart."""

    money: Row
    flat: Row


def best(values: dict[Action, Fraction]) -> Action:
    """The action of the highest value; of equals the one with the lowest number."""
    return max(sorted(values), key=lambda action: values[action])


def by_policy(policy: Policy) -> Chooser:
    return lambda spot: policy(spot.hand.cards, spot.up, spot.hands, spot.legal)


def moved(one: OneHand, hand: Hand, action: Action) -> Hand:
    """A hand after an action that does not end it; the card, if one is due, is still to come."""
    match action:
        case Action.KEEP:
            return hand._replace(state=one.keep[hand.state])
        case Action.TRADE:
            marked = [
                place
                for place, card in enumerate(hand.cards)
                if one.tables.alphabet.symbols[card].marked
            ]
            place = marked[-one.pending[hand.state]]
            cards = (*hand.cards[:place], PUT_DOWN, *hand.cards[place + 1 :])
            return Hand(one.trade[hand.state], hand.context, cards, (*hand.gone, hand.cards[place]))
        case _:
            return hand._replace(context=one.after(hand.context, action))


def with_card(one: OneHand, hand: Hand, card: int) -> Hand:
    cards = hand.cards
    if PUT_DOWN in cards:
        place = cards.index(PUT_DOWN)
        cards = (*cards[:place], card, *cards[place + 1 :])
    else:
        cards = (*cards, card)
    return hand._replace(state=one.next[hand.state][card], cards=cards)


def split_hands(one: OneHand, hand: Hand) -> tuple[Hand, Hand]:
    """The two hands of a pair, each with one card; what was traded for it is forgotten."""
    aces = one.tables.alphabet.symbols[one.pair[hand.state]].is_ace
    context = int(one.tables.contexts.after_split[hand.context, int(aces)])
    assert context != NONE
    state = one.split_to[hand.state]
    first, second = hand.cards
    return Hand(state, context, (first,)), Hand(state, context, (second,))


def counted(one: OneHand, hand: Hand, hands: int) -> Hand:
    """A hand in a box of so many hands."""
    context = one.contexts[hand.context]._replace(hands=hands)
    return hand._replace(context=one.contexts.index(context))


class Walk:
    """A round in which everything is decided by a chooser, with a known down card.

    With `resolved`, all second cards come before any hand is played, so that the final number of
    hands is known then. Bonus cards among them are kept or traded before it is known.
    """

    def __init__(
        self,
        one: OneHand,
        up: int,
        hole: int,
        choose: Chooser,
        *,
        resolved: bool = False,
        resplit: Resplit = always,
    ) -> None:
        self.one = one
        self.up = up
        self.hole = hole
        self.choose = choose
        self.resplit = resplit
        self.resolved = resolved
        self.act = cache(self._act)
        self.resolve = cache(self._resolve)
        classes = len(one.tables.dealer.classes)
        self.nothing = Totals((Fraction(0),) * classes, (Fraction(0),) * classes)

    def look(self) -> Sight:
        """The down card is known to the telling."""
        return Sight(None, tuple(int(symbol == self.hole) for symbol in self.one.symbols))

    def split(self, hand: Hand, left: Counts) -> Fraction:
        """The pair of a player who has just one hand is split now."""
        first, second = split_hands(self.one, hand)
        if self.resolved:
            return self.resolve((), first, (second,), left)
        return self.act(self.nothing, first, (second,), True, left)

    def dealt(self, hand: Hand, left: Counts) -> Fraction:
        """The first two cards lie: everything from here on."""
        if "trades" in self.one.tables.round_plan.kinds:
            return self.trades(hand, left)
        return self.before_check(hand, left)

    def trades(self, hand: Hand, left: Counts) -> Fraction:
        one = self.one
        if one.owed[hand.state]:
            return self.drawn(hand, left, self.trades)
        if not one.pending[hand.state]:
            return self.before_check(hand, left)
        action = self.ask(hand, one.legal(hand.state, hand.context, self.up), True)
        after = self.trades(moved(one, hand, action), left)
        return after + (one.problem.light if action is Action.TRADE else 0)

    def before_check(self, hand: Hand, left: Counts) -> Fraction:
        one, up = self.one, self.up
        contexts = [n for n, found in enumerate(one.contexts) if found.phase == "early-surrender"]
        for context in contexts:
            legal = one.tables.legal.actions(hand.state, context, up)
            if Action.SURRENDER in legal and self.ask(hand, legal, True) is Action.SURRENDER:
                row = one.result(*one.ending(Action.SURRENDER, hand.state, context), True)
                return one.dealt_out(row, up, self.hole, left)
        if one.checks[up] and one.naturals[up][self.hole]:
            row = one.result(one.player_class[one.all_kept(hand.state)], 1, True)
            return one.dealt_out(row, up, self.hole, left)
        return self.act(self.nothing, hand, (), True, left)

    def ask(
        self, hand: Hand, legal: tuple[Action, ...], first: bool, *, all_here: bool = True
    ) -> Action:
        if len(legal) == 1:
            return legal[0]
        known = self.one.contexts[hand.context].hands if self.resolved and all_here else None
        action = self.choose(Spot(hand, self.up, known, legal, first))
        assert action in legal
        return action

    def drawn(self, hand: Hand, left: Counts, then: Callable[[Hand, Counts], Fraction]) -> Fraction:
        """The average over the next card, with the lights that it brings by itself."""
        one = self.one
        total = Fraction(0)
        for card, chance in one.chances(left):
            lights = one.problem.light * one.lights[hand.state][card]
            total += chance * (lights + then(with_card(one, hand, card), take(left, card)))
        return total

    def _act(
        self, done: Totals, hand: Hand, waiting: tuple[Hand, ...], first: bool, left: Counts
    ) -> Fraction:
        """All that is won when one hand acts and others still wait."""
        one = self.one

        def on(after: Hand, cards: Counts) -> Fraction:
            return self.act(done, after, waiting, first, cards)

        if len(hand.cards) < 2 or one.owed[hand.state]:
            return self.drawn(hand, left, on)
        if one.bust[hand.state]:
            return self.finish(done, hand, Action.STAND, waiting, first, left)
        legal = one.legal(hand.state, hand.context, self.up)
        if self.resolved:
            legal = one.unsplit(hand.state, hand.context, self.up)
        hands = one.contexts[hand.context].hands
        again = hands > 1 and Action.SPLIT in legal and self.resplit(first, hands)
        if hands > 1 and not again:
            legal = tuple(action for action in legal if action is not Action.SPLIT)
        action = Action.SPLIT if again else self.ask(hand, legal, first)
        match action:
            case Action.SPLIT:
                if left is None:
                    return EndlessSplit(one, self.up, self.look(), self.choose).split(hand)
                new, other = split_hands(one, hand)
                hands = one.contexts[new.context].hands
                others = tuple(counted(one, later, hands) for later in waiting)
                return self.act(done, new, (other, *others), first, left)
            case Action.KEEP:
                return on(moved(one, hand, action), left)
            case Action.TRADE:
                return one.problem.light + on(moved(one, hand, action), left)
            case Action.HIT | Action.DOUBLE | Action.REDOUBLE:
                return self.drawn(moved(one, hand, action), left, on)
            case _:
                return self.finish(done, hand, action, waiting, first, left)

    def finish(
        self,
        done: Totals,
        hand: Hand,
        action: Action,
        waiting: tuple[Hand, ...],
        first: bool,
        left: Counts,
    ) -> Fraction:
        one = self.one
        player_class, stake = one.ending(action, hand.state, hand.context)
        money = zip(done.money, one.money(player_class, stake, first), strict=True)
        flat = zip(done.flat, one.flat(player_class), strict=True)
        once = one.tables.money.flat_per == "player"
        done = Totals(
            tuple(before + more for before, more in money),
            tuple((before or more) if once else before + more for before, more in flat),
        )
        if waiting:
            return self.act(done, waiting[0], waiting[1:], False, left)
        row = tuple(won + fixed for won, fixed in zip(*done, strict=True))
        return one.dealt_out(row, self.up, self.hole, left)

    def _resolve(
        self, ready: tuple[Hand, ...], hand: Hand, waiting: tuple[Hand, ...], left: Counts
    ) -> Fraction:
        """All second cards, then the play."""
        one = self.one
        if len(hand.cards) < 2 or one.owed[hand.state]:
            return self.drawn(
                hand, left, lambda after, cards: self.resolve(ready, after, waiting, cards)
            )
        if one.pending[hand.state]:
            legal = one.legal(hand.state, hand.context, self.up)
            action = self.ask(hand, legal, not ready, all_here=False)
            light = one.problem.light if action is Action.TRADE else 0
            return light + self.resolve(ready, moved(one, hand, action), waiting, left)
        again = Action.SPLIT in one.legal(hand.state, hand.context, self.up)
        if again and self.resplit(not ready, one.contexts[hand.context].hands):
            new, other = split_hands(one, hand)
            hands = one.contexts[new.context].hands
            others = tuple(counted(one, later, hands) for later in waiting)
            return self.resolve(ready, new, (other, *others), left)
        ready = (*ready, hand)
        if waiting:
            return self.resolve(ready, waiting[0], waiting[1:], left)
        final = [counted(one, each, len(ready)) for each in ready]
        return self.act(self.nothing, final[0], tuple(final[1:]), True, left)


# ------------------------------------------------------------------ policies after a split


def turn_look(one: OneHand, up: int, hand: Hand) -> Sight:
    """What is known to somebody who saw the cards of this hand and the up card only.

    A bonus card that was kept and split is taken for a plain one.
    """
    first, second, *later = hand.cards
    return one.looks(up, (plain(one, first), second), (*later, *hand.gone))


def plain(one: OneHand, card: int) -> int:
    return int(one.tables.alphabet.plain[card])


def unsplit_values(one: OneHand, spot: Spot) -> dict[Action, Fraction]:
    """What the legal actions would be worth to the same cards in a game without splits."""
    hand = spot.hand
    context = one.tables.contexts.index(doubles=one.contexts[hand.context].doubles)
    look = turn_look(one, spot.up, hand)
    return {
        action: one.act(action, hand.state, context, spot.up, look)
        for action in spot.legal
        if action is not Action.SPLIT
    }


def cdz_chooser(one: OneHand) -> Chooser:
    return cache(lambda spot: best(unsplit_values(one, spot)))


def known_look(one: OneHand, pair: int, up: int, gone: int, drawn: Cards) -> Sight:
    """What is known in a hand of `drawn` on a pair card, when `gone` further pair cards are out."""
    return one.looks(up, (pair, pair), (pair,) * gone + drawn)


def cdp_values(one: OneHand, spot: Spot, gone: int) -> dict[Action, Fraction]:
    """What actions are worth after a split when `gone` further pair cards are out."""
    hand = spot.hand
    pair = plain(one, hand.cards[0])
    look = known_look(one, pair, spot.up, gone, (*hand.cards[1:], *hand.gone))
    return {
        action: one.act(action, hand.state, hand.context, spot.up, look, spot.first)
        for action in spot.legal
        if action is not Action.SPLIT
    }


def cdp_chooser(one: OneHand) -> Chooser:
    def choose(spot: Spot) -> Action:
        gone = 0 if spot.hands is None else spot.hands - 2
        return best(cdp_values(one, spot, gone))

    return cache(choose)


def doubles_of(cards: Cards, legal: tuple[Action, ...]) -> int:
    """How often a hand was doubled that may be rescued or doubled again: on two cards first."""
    doubled = Action.REDOUBLE in legal or Action.RESCUE in legal
    return len(cards) - 2 if doubled else 0


# ------------------------------------------------------------------ the endless shoe


class EndlessSplit:
    """The hands of a split in an endless shoe: each is played its best, or by a chooser."""

    def __init__(self, one: OneHand, up: int, look: Sight, choose: Chooser | None) -> None:
        base = one.tables.payoffs["base"]
        if one.tables.money.flat_per == "player" and any(map(any, base.flat)):
            raise NotImplementedError("a fixed amount once for all hands ties them together")
        self.one = one
        self.up = up
        self.look = look
        self.choose = choose
        self.act = cache(self._act)

    def split(self, hand: Hand) -> Fraction:
        first, second = split_hands(self.one, hand)
        return self.act(first, True, (second,))

    def drawn(self, hand: Hand, first: bool, waiting: tuple[Hand, ...]) -> Fraction:
        one = self.one
        return sum(
            (
                chance
                * (
                    one.problem.light * one.lights[hand.state][card]
                    + self.act(self.plain(with_card(one, hand, card)), first, waiting)
                )
                for card, chance in one.chances(None)
            ),
            Fraction(0),
        )

    def plain(self, hand: Hand) -> Hand:
        """Without a chooser nobody looks at the cards: only marked ones and their number matter."""
        if self.choose is not None or PUT_DOWN in hand.cards:
            return hand
        symbols = self.one.tables.alphabet.symbols
        return hand._replace(
            cards=tuple(card if symbols[card].marked else 0 for card in hand.cards), gone=()
        )

    def rest(self, waiting: tuple[Hand, ...]) -> Fraction:
        return self.act(waiting[0], False, waiting[1:]) if waiting else Fraction(0)

    def _act(self, hand: Hand, first: bool, waiting: tuple[Hand, ...]) -> Fraction:
        one, up = self.one, self.up
        if len(hand.cards) < 2 or one.owed[hand.state]:
            return self.drawn(hand, first, waiting)
        if one.bust[hand.state]:
            return self.ended(hand, Action.STAND, first) + self.rest(waiting)
        legal = one.legal(hand.state, hand.context, up)
        again = Fraction(-(10**9))
        if Action.SPLIT in legal:
            new, other = split_hands(one, hand)
            hands = one.contexts[new.context].hands
            others = tuple(counted(one, later, hands) for later in waiting)
            again = self.act(new, first, (other, *others))
            if self.choose is not None:
                return again
            legal = tuple(action for action in legal if action is not Action.SPLIT)
        if self.choose is None and not one.pending[hand.state]:
            played = one.play(hand.state, hand.context, up, self.look, first)
            return max(again, played + self.rest(waiting))
        if self.choose is None or len(legal) == 1:
            return max(self.value(action, hand, first, waiting) for action in legal)
        action = self.choose(Spot(hand, up, None, legal, first))
        assert action in legal
        return self.value(action, hand, first, waiting)

    def value(self, action: Action, hand: Hand, first: bool, waiting: tuple[Hand, ...]) -> Fraction:
        one = self.one
        match action:
            case Action.KEEP:
                return self.act(moved(one, hand, action), first, waiting)
            case Action.TRADE:
                return one.problem.light + self.act(moved(one, hand, action), first, waiting)
            case Action.HIT | Action.DOUBLE | Action.REDOUBLE:
                return self.drawn(moved(one, hand, action), first, waiting)
            case _:
                return self.ended(hand, action, first) + self.rest(waiting)

    def ended(self, hand: Hand, action: Action, first: bool) -> Fraction:
        one = self.one
        row = one.result(*one.ending(action, hand.state, hand.context), first)
        return one.against(row, self.up, self.look)
