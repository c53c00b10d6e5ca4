"""Hands against a dealer all of whose down cards are looked through, in exact fractions.

Where any down card may make the dealer's natural, one down card does not tell what a check has
found. Here every set of cards that may lie under the up card is written down, with the number of
ways in which it can lie there: a check strikes sets out, a card that the player sees leaves fewer
ways, and the dealer plays each set in every order. SR-41.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb, prod

from upcard.compile.deal import Receiver

from .odds_one import Cards, Counts, OneHand, Problem, RanOutError, Row, Sight, take, take_all

UNCHECKED, EMPTY, FOUND = range(3)
"""What the check has told. A `Sight` has it, and the up card, in the place of weights."""


class DownCards(OneHand):
    """What hands are worth in a game whose dealer has all cards from the start."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        plan = self.tables.round_plan
        self.down = plan.dealt(Receiver.DEALER, "down")
        assert plan.dealer_draws_own_cards, "the dealer has no other cards than those"
        assert self.tables.dealer.looks == self.down, "all of them are looked at"
        assert problem.counts is not None, "an endless shoe has no sets of cards"
        self.lying = cache(self._lying)
        self.results = cache(self._results)

    def first_sight(self, seen: Cards) -> Sight:
        return Sight(take_all(self.problem.counts, seen), (UNCHECKED, seen[0]))

    def checked(self, up: int, look: Sight, *, natural: bool) -> Sight:
        return Sight(look.unseen, (FOUND if natural else EMPTY, up))

    def chance_of(self, up: int, look: Sight, *, natural: bool) -> Fraction:
        ways = sum(self.lying(self.checked(up, look, natural=natural)).values())
        return Fraction(ways, sum(self.lying(look).values()))

    def _lying(self, look: Sight) -> dict[Cards, int]:
        """The sets of cards that may lie under the up card, and in how many ways each of them."""
        found: dict[Cards, int] = {}
        told, up = look.holes
        for cards in combinations_with_replacement(self.symbols, self.down):
            makes_one = any(self.naturals[up][card] for card in cards)
            fits = told == UNCHECKED or makes_one is (told == FOUND)
            if fits and (ways := ways_of(look.unseen, cards)):
                found[cards] = ways
        return found

    def chance(self, look: Sight, symbol: int) -> Fraction:
        """How likely a symbol is the next card: it is none of those under the up card."""
        assert look.unseen is not None
        left = sum(look.unseen) - self.down
        if left <= 0:
            raise RanOutError
        lying = self.lying(look)
        ways = sum(
            way * (look.unseen[symbol] - cards.count(symbol)) for cards, way in lying.items()
        )
        return Fraction(ways, left * sum(lying.values()))

    def seen(self, look: Sight, symbol: int) -> Sight:
        return Sight(take(look.unseen, symbol), look.holes)

    def _results(self, up: int, cards: Cards) -> dict[int, Fraction]:
        """The dealer's final classes with a set of down cards in any order.

        One that makes a natural is turned up before the others.
        """
        found: dict[int, Fraction] = {}
        orders = list(permutations(cards))
        for order in orders:
            played = sorted(order, key=lambda card: not self.naturals[up][card])
            state = self.dealer_next[self.tables.dealer.start][up]
            for card in played:
                if self.dealer_draws[state]:
                    state = self.dealer_next[state][card]
            assert not self.dealer_draws[state], "the dealer's own cards suffice"
            end = self.dealer_final[state]
            found[end] = found.get(end, Fraction(0)) + Fraction(1, len(orders))
        return found

    def against(self, row: Row, up: int, look: Sight) -> Fraction:
        lying = self.lying(look)
        total = sum(
            way * part * row[end]
            for cards, way in lying.items()
            for end, part in self.results(up, cards).items()
        )
        return Fraction(total) / sum(lying.values())


def ways_of(unseen: Counts, cards: Cards) -> int:
    """In how many ways some cards can be those of the unseen ones."""
    assert unseen is not None
    return prod(comb(unseen[card], cards.count(card)) for card in set(cards))
