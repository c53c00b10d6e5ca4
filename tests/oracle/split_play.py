"""What a split is worth with its suits, in fractions, from the rules of a small deck alone.

Nobody plays a hand with the others in mind here. A hand of a split sees its own cards with their
suits, the dealer's card, the cards that were split, and how many further pairs the box has made,
whose cards it does not look at. It plays what would be best if those, whichever they are, were all
that is gone besides. Or, `as_unsplit`, it plays what would be best for the same two cards if no
pair had been split and they were all that is gone. The box is dealt out in every order: second
cards come in turn, a pair keeps its place, and the hand that it makes comes right behind it.

A dealer who looks has no natural to look for: the card that is seen is neither ace nor ten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from .exact_play import After, Exact, Held, Unseen, held
from .plain_round import Hand, double

Mixture = tuple[tuple[Unseen, Fraction], ...]
"""Shoes that there may be, with weights."""
Again = Callable[[int, int], bool]
"""Whether a pair is split again, by the place of the hand and the number of hands."""


def without(shoe: Unseen, *cards: str) -> Unseen:
    """A shoe without some cards."""
    left = list(shoe)
    for card in cards:
        left.remove(card)
    return tuple(left)


class First(NamedTuple):
    """The first card of a hand, and whether it lay there from the beginning."""

    card: str
    known: bool


class SplitPlay:
    """Hands that wait for their second cards, against a card that the dealer shows.

    `firsts` are their first cards in the order of play, `over` hands of the box come before them;
    the deck is without the cards of those.
    """

    def __init__(
        self,
        game: Exact,
        firsts: Sequence[str],
        up: str,
        most_hands: int,
        *,
        over: int = 0,
        as_unsplit: bool = False,
    ) -> None:
        self.game = game
        self.firsts = tuple(firsts)
        self.up = up
        self.most_hands = most_hands
        self.over = over
        self.as_unsplit = as_unsplit
        self.after = After(game, (up,))
        self.shoe = without(game.deck, *firsts, up)
        self.answers: dict[tuple[Held, First, int], str] = {}

    def worth(self, again: Again) -> Fraction:
        """The sum over all hands."""
        waiting = tuple(First(card, known=True) for card in self.firsts)
        return self._dealt(waiting, (), self.shoe, again, 0)

    def _dealt(
        self,
        waiting: tuple[First, ...],
        done: tuple[tuple[First, str], ...],
        shoe: Unseen,
        again: Again,
        pairs: int,
    ) -> Fraction:
        if not waiting:
            won = (self._played(first, second, shoe, pairs) for first, second in done)
            return sum(won, Fraction(0))
        first, *behind = waiting
        hands = self.over + len(done) + len(waiting)
        total = Fraction(0)
        for card, number in Counter(shoe).items():
            left, chance = without(shoe, card), Fraction(number, len(shoe))
            is_pair = card[0] == first.card[0] and hands < self.most_hands
            if is_pair and again(self.over + len(done), hands):
                now = (first, First(card, known=False), *behind)
                then = self._dealt(now, done, left, again, pairs + 1)
            else:
                then = self._dealt(tuple(behind), (*done, (first, card)), left, again, pairs)
            total += chance * then
        return total

    def _played(self, first: First, second: str, shoe: Unseen, pairs: int) -> Fraction:
        """What a hand wins that plays as if only so many further pairs were gone."""
        two = (first.card, second)
        hand = held(Hand([*two], split_from=first.card[0]))
        if self.as_unsplit:
            behind = () if first.known else (first.card,)
            back = Counter(self.firsts) - Counter(() if behind else (first.card,))
            shoes = without((*self.shoe, *back.elements()), second, *behind)
            thought: Mixture = ((tuple(sorted(shoes)), Fraction(1)),)
        else:
            thought = self._thought(first, second, pairs)
        return self._follow(hand, shoe, thought, first, pairs)

    def _thought(self, first: First, second: str, pairs: int) -> Mixture:
        """The shoes that a hand thinks of: its second card and any cards of further pairs gone.

        Its own first card may be one of those.
        """
        shoe = list(self.shoe if first.known else without(self.shoe, first.card))
        unknown = pairs if first.known else pairs - 1
        shoe.remove(second)
        others = [number for number, card in enumerate(shoe) if card[0] == first.card[0]]
        found: Counter[Unseen] = Counter()
        for gone in combinations(others, unknown):
            found[tuple(card for number, card in enumerate(shoe) if number not in gone)] += 1
        return tuple((one, Fraction(number)) for one, number in found.items())

    # The play is what is best on average over the shoes that the hand thinks of.

    def _actions(self, hand: Held) -> tuple[str, ...]:
        hands = self.most_hands if hand.split_from else 1
        actions = self.game.actions(hand, hands, self.up)
        return tuple(action for action in actions if action != "split") or ("stand",)

    def _drawn(self, hand: Held, action: str) -> Hand | None:
        """The hand that a card is to come to, if the action brings one."""
        loose = hand.loose()
        if action in ("double", "redouble"):
            double(self.game.game, self.game.settings, loose)
        elif action != "hit":
            return None
        return loose

    def _ended(self, hand: Held, action: str, shoe: Unseen) -> Fraction:
        loose = hand.loose()
        if action != "stand":
            loose.ended = action
        row = self.game.row(held(loose))
        if len(set(row)) == 1:
            return row[0]
        ends = self.after.ends((self.up,), shoe, first=True)
        return sum((a * b for a, b in zip(ends, row, strict=True)), Fraction(0))

    def _best(self, hand: Held, thought: Mixture) -> tuple[Fraction, str]:
        """The best that a hand can do, and what it then comes to, by the weights of the shoes."""
        found = [(self._tried(hand, action, thought), action) for action in self._actions(hand)]
        return max(found, key=lambda one: one[0])

    def _tried(self, hand: Held, action: str, thought: Mixture) -> Fraction:
        loose = self._drawn(hand, action)
        if loose is None:
            return sum((w * self._ended(hand, action, shoe) for shoe, w in thought), Fraction(0))
        return sum(
            (self._best(after, shoes)[0] for after, shoes in self._coming(loose, thought)),
            Fraction(0),
        )

    def _coming(self, loose: Hand, thought: Mixture) -> Iterator[tuple[Held, Mixture]]:
        """Every card that may come next, and the shoes that there may be then."""
        before = list(loose.cards)
        for card in sorted({card for shoe, _ in thought for card in shoe}):
            loose.cards = [*before, card]
            shoes = tuple(
                (without(shoe, card), weight * Fraction(shoe.count(card), len(shoe)))
                for shoe, weight in thought
                if card in shoe
            )
            yield held(loose), shoes

    def _follow(
        self, hand: Held, shoe: Unseen, thought: Mixture, first: First, pairs: int
    ) -> Fraction:
        """What the hand wins that it thinks to be best, from the shoe that there is."""
        key = (hand, first, pairs)
        if key not in self.answers:
            like = hand._replace(split_from=None) if self.as_unsplit else hand
            self.answers[key] = self._best(like, thought)[1]
        action = self.answers[key]
        loose = self._drawn(hand, action)
        if loose is None:
            return self._ended(hand, action, shoe)
        before, total = list(loose.cards), Fraction(0)
        then = dict(self._coming(loose, thought))
        for card, number in Counter(shoe).items():
            loose.cards = [*before, card]
            after = held(loose)
            won = self._follow(after, without(shoe, card), then[after], first, pairs)
            total += Fraction(number, len(shoe)) * won
        return total
