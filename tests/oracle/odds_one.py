"""One hand against the dealer in exact fractions, slow and obvious, from the compiled tables.

The down card is drawn first and nobody sees it: what the player sees later only makes one down
card more likely and another less so (`Sight`). An action is worth its average over the down
cards; which action is taken cannot depend on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import gcd
from typing import NamedTuple

from upcard.compile.context import Action
from upcard.compile.tables import GameTables

NONE = -1
Cards = tuple[int, ...]
Counts = tuple[int, ...] | None
"""Cards by symbol; None is the endless shoe, which always has the proportions of a full one."""
Row = tuple[Fraction, ...]
"""Results by the dealer's final class, in base wagers."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A game and a shoe. `bet` is in cents, `extra` has wagers on the first hand per base wager."""

    tables: GameTables
    counts: Counts = None
    bet: int = 1000
    extra: Mapping[str, Fraction] = field(default_factory=dict)
    light: Fraction = Fraction(0)


class RanOutError(Exception):
    """A card is needed and there is none."""


class Sight(NamedTuple):
    """The cards that the player has not seen, and how likely each of them is the down card.

    `holes` are weights by symbol, whole numbers without a common factor.
    """

    unseen: Counts
    holes: tuple[int, ...]


def take(counts: Counts, symbol: int) -> Counts:
    """The cards without one."""
    if counts is None:
        return None
    if counts[symbol] == 0:
        raise RanOutError
    return (*counts[:symbol], counts[symbol] - 1, *counts[symbol + 1 :])


def take_all(counts: Counts, cards: Cards) -> Counts:
    for card in cards:
        counts = take(counts, card)
    return counts


class OneHand:
    """What hands are worth that are never split, in one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        tables = problem.tables
        self.tables = tables
        self.symbols = range(len(tables.alphabet))
        self.full: list[int] = tables.alphabet.counts.tolist()
        hands = tables.hands
        self.start = hands.start
        self.next: list[list[int]] = hands.next.tolist()
        self.keep: list[int] = hands.keep.tolist()
        self.trade: list[int] = hands.trade.tolist()
        self.split_to: list[int] = hands.split_to.tolist()
        self.pair: list[int] = hands.pair_symbol.tolist()
        self.bust: list[bool] = hands.bust.tolist()
        self.pending: list[int] = hands.pending.tolist()
        self.owed: list[bool] = hands.owed.tolist()
        self.lights: list[list[int]] = hands.light.tolist()
        self.player_class: list[int] = hands.player_class.tolist()
        self.contexts = tables.contexts.contexts
        self.turn = tables.contexts.index()
        dealer = tables.dealer
        self.dealer_next: list[list[int]] = dealer.next.tolist()
        self.dealer_draws: list[bool] = dealer.draws.tolist()
        self.dealer_final: list[int] = dealer.final_class.tolist()
        self.checks: list[bool] = dealer.checks.tolist()
        self.naturals: list[list[bool]] = dealer.natural.tolist()
        self.ends = cache(self._ends)
        self.dealer = cache(self._dealer)
        self.money = cache(self._money)
        self.flat = cache(self._flat)
        self.play = cache(self._play)

    # ------------------------------------------------------------------ cards

    def chances(self, counts: Counts) -> list[tuple[int, Fraction]]:
        """The next card of a shoe, and how likely it is."""
        these = self.full if counts is None else counts
        whole = sum(these)
        if not whole:
            raise RanOutError
        return [(symbol, Fraction(n, whole)) for symbol, n in enumerate(these) if n]

    def first_sight(self, seen: Cards) -> Sight:
        """Before the check: any card that was not seen may be the down card."""
        unseen = take_all(self.problem.counts, seen)
        return sight(unseen, self.full if unseen is None else unseen)

    def checked(self, up: int, look: Sight, *, natural: bool) -> Sight:
        """After the check; of weight 0 if that was not possible."""
        holes = [
            weight if self.naturals[up][hole] is natural else 0
            for hole, weight in enumerate(look.holes)
        ]
        return sight(look.unseen, holes)

    def chance_of(self, up: int, look: Sight, *, natural: bool) -> Fraction:
        """How likely it is that the check finds a natural, or that it finds none."""
        weights = enumerate(look.holes)
        ways = sum(weight for hole, weight in weights if self.naturals[up][hole] is natural)
        return Fraction(ways, sum(look.holes))

    def in_turn(self, up: int, look: Sight) -> Sight:
        """When it is the player's turn: a check has found nothing, or there was none."""
        return self.checked(up, look, natural=False) if self.checks[up] else look

    def looks(self, up: int, own: Cards, later: Cards = ()) -> Sight:
        """What is known in the turn with two own cards and others seen later."""
        look = self.in_turn(up, self.first_sight((up, *own)))
        for card in later:
            look = self.seen(look, card)
        return look

    def chance(self, look: Sight, symbol: int) -> Fraction:
        """How likely a symbol is the next card: the average over the down cards."""
        if look.unseen is None:
            return Fraction(self.full[symbol], sum(self.full))
        left = sum(look.unseen) - 1
        if not left:
            raise RanOutError
        ways = sum(
            weight * (look.unseen[symbol] - (hole == symbol))
            for hole, weight in enumerate(look.holes)
        )
        return Fraction(ways, left * sum(look.holes))

    def seen(self, look: Sight, symbol: int) -> Sight:
        """After a card was seen: each down card is as likely as it made that card likely."""
        if look.unseen is None:
            return look
        holes = [
            weight * (look.unseen[symbol] - (hole == symbol))
            for hole, weight in enumerate(look.holes)
        ]
        return sight(take(look.unseen, symbol), holes)

    # ------------------------------------------------------------------ the dealer

    def _ends(self, state: int) -> frozenset[int]:
        """The classes that a dealer's hand can end as."""
        if not self.dealer_draws[state]:
            return frozenset((self.dealer_final[state],))
        return frozenset().union(*(self.ends(after) for after in self.dealer_next[state]))

    def _dealer(self, state: int, left: Counts) -> dict[int, Fraction]:
        """The chances of the dealer's final classes."""
        if not self.dealer_draws[state]:
            return {self.dealer_final[state]: Fraction(1)}
        found: dict[int, Fraction] = {}
        for symbol, chance in self.chances(left):
            for end, part in self.dealer(
                self.dealer_next[state][symbol], take(left, symbol)
            ).items():
                found[end] = found.get(end, Fraction(0)) + chance * part
        return found

    def dealt_out(self, row: Row, up: int, hole: int, left: Counts) -> Fraction:
        """The average of a row when the dealer's hand is completed from the cards left."""
        state = self.dealer_next[self.dealer_next[self.tables.dealer.start][up]][hole]
        results = {row[end] for end in self.ends(state)}
        if len(results) == 1:
            return results.pop()
        return sum((row[e] * part for e, part in self.dealer(state, left).items()), Fraction(0))

    def against(self, row: Row, up: int, look: Sight) -> Fraction:
        """The average of a row over the down cards."""
        total = sum(
            weight * self.dealt_out(row, up, hole, take(look.unseen, hole))
            for hole, weight in enumerate(look.holes)
            if weight
        )
        return Fraction(total) / sum(look.holes)

    # ------------------------------------------------------------------ money

    def _money(self, player_class: int, stake: int, first: bool) -> Row:
        """What a hand wins apart from fixed amounts, in base wagers."""
        base = self.tables.payoffs["base"]
        each_begins = base.each_begins
        if stake > 1 and base.doubled is not None:
            base = base.doubled
        odds, added = base.odds[player_class], base.added[player_class]
        if not first and not each_begins:
            return tuple(stake * later for later in added)
        row = [began + (stake - 1) * later for began, later in zip(odds, added, strict=True)]
        if not first:
            return tuple(row)
        for wager, ratio in self.problem.extra.items():
            side = self.tables.payoffs[wager].odds[player_class]
            row = [won + ratio * more for won, more in zip(row, side, strict=True)]
        return tuple(row)

    def _flat(self, player_class: int) -> Row:
        """The fixed amounts, in base wagers."""
        cents = self.tables.payoffs["base"].flat[player_class]
        return tuple(Fraction(amount, self.problem.bet) for amount in cents)

    def result(self, player_class: int, stake: int, first: bool) -> Row:
        """All that a hand wins."""
        pair = zip(self.money(player_class, stake, first), self.flat(player_class), strict=True)
        return tuple(won + fixed for won, fixed in pair)

    def stake(self, context: int) -> int:
        """What a hand has at stake: every double adds as much as there was."""
        return int(2 ** self.contexts[context].doubles)

    def ending(self, action: Action, state: int, context: int) -> tuple[int, int]:
        """The final class of a hand that an action ends, and the stake that is settled."""
        match action:
            case Action.SURRENDER:
                classes = self.tables.class_index
                early = self.contexts[context].phase == "early-surrender"
                if early and "surrendered-early" in classes:
                    return classes["surrendered-early"], 1
                return classes["surrendered"], 1
            case Action.RESCUE:
                return self.tables.class_index["rescued"], self.stake(context) // 2
            case _:
                return self.player_class[state], self.stake(context)

    # ------------------------------------------------------------------ the player

    def legal(self, state: int, context: int, up: int) -> tuple[Action, ...]:
        """What a hand is asked. A hand with nothing else to do stands."""
        actions = self.tables.legal.actions(state, context, up)
        if self.pending[state]:
            return tuple(a for a in actions if a in (Action.KEEP, Action.TRADE)) or (Action.KEEP,)
        return actions or (Action.STAND,)

    def unsplit(self, state: int, context: int, up: int) -> tuple[Action, ...]:
        return tuple(a for a in self.legal(state, context, up) if a is not Action.SPLIT)

    def after(self, context: int, action: Action) -> int:
        return int(self.tables.contexts.next[context, action])

    def act(
        self, action: Action, state: int, context: int, up: int, look: Sight, first: bool = True
    ) -> Fraction:
        """What an action is worth if the best is done ever after."""
        match action:
            case Action.HIT | Action.DOUBLE | Action.REDOUBLE:
                return self.draw(state, self.after(context, action), up, look, first)
            case Action.KEEP:
                return self.play(self.keep[state], context, up, look, first)
            case Action.TRADE:
                more = self.draw(self.trade[state], context, up, look, first)
                return self.problem.light + more
            case _:
                ended = self.ending(action, state, context)
                return self.against(self.result(*ended, first), up, look)

    def draw(self, state: int, context: int, up: int, look: Sight, first: bool) -> Fraction:
        """The average over the next card."""
        total = Fraction(0)
        for symbol in self.symbols:
            if chance := self.chance(look, symbol):
                after = self.next[state][symbol]
                rest = self.play(after, context, up, self.seen(look, symbol), first)
                total += chance * (self.problem.light * self.lights[state][symbol] + rest)
        return total

    def _play(self, state: int, context: int, up: int, look: Sight, first: bool) -> Fraction:
        """The best that can be done with a hand."""
        if self.bust[state]:
            stake = self.stake(context)
            return self.against(self.result(self.player_class[state], stake, first), up, look)
        if self.owed[state]:
            return self.draw(state, context, up, look, first)
        actions = self.unsplit(state, context, up)
        return max(self.act(action, state, context, up, look, first) for action in actions)

    def hand(self, cards: Cards) -> int:
        """The state of an initial hand; a bonus card that others follow was kept."""
        state = self.start
        for number, card in enumerate(cards):
            if number > 1:
                state = self.all_kept(state)
            state = self.next[state][card]
            assert state != NONE, "such a hand gets no further card"
        return state

    def all_kept(self, state: int) -> int:
        while self.pending[state]:
            state = self.keep[state]
        return state

    def dealt_lights(self, cards: Cards) -> int:
        """The lights that come with the first cards by themselves."""
        lights, state = 0, self.start
        for card in cards:
            lights += self.lights[state][card]
            state = self.next[state][card]
        return lights


def sight(unseen: Counts, holes: tuple[int, ...] | list[int]) -> Sight:
    shared = gcd(*holes) or 1
    return Sight(unseen, tuple(weight // shared for weight in holes))
