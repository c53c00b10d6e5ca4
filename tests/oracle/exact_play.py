"""The exact optimum of the public variants on small decks, in fractions, from the rules alone.

Full search: the player knows all cards of all own hands and the dealer's visible cards, and plays
every hand with the others in mind. The next card is averaged over all that may come. A hole card
lies among the cards not seen; once the dealer has looked and has no natural, it is none of
those that would have made one. `every_order` checks all of this by playing every order of a deck.

Values are in single base wagers, also where there are two boxes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from . import dealer_class, dealer_draws, legal
from .common import RANKS, SUITS, TEN_RANKS, hard_value
from .plain_round import (
    BOTH_SEEN,
    LEAVE,
    NO_HOLE_CARD,
    SWITCH,
    TWO_BOXES,
    UNIT,
    Hand,
    OutOfCardsError,
    double,
    net,
    split,
)

Row = tuple[Fraction, ...]
"""What is won against each final class of the dealer's hand."""
Unseen = tuple[str, ...]
"""The cards not seen, sorted; a hole card is one of them."""

FINAL_HANDS = ("As Ks", "Ks 7s", "Ks 8s", "Ks 9s", "Ks Qs", "7s 6s 8s", "Ks 6s 6s", "Ks 6s 7s")
"""One hand of each final class: natural, 17 to 21, 22 and 23."""
NO_TENS = ("spanish-21", "pontoon")
SUITED = {"spanish-21": "678", "pontoon": "678", "super-fun-21": "ATJQK"}
"""Ranks whose suits some bonus asks for (SP-B3, SF-NAT)."""


class Held(NamedTuple):
    """A hand of the player as the rules see it, the cards in an order that they do not see."""

    cards: tuple[str, ...]
    stake: int = UNIT
    added: int = 0
    marker: int = 0
    last_double: int = 0
    doubles: int = 0
    split_from: str | None = None
    switched: bool = False
    ended: str | None = None

    def loose(self) -> Hand:
        """The same to be changed."""
        return Hand(list(self.cards), *self[1:])


def held(hand: Hand) -> Held:
    """The hand; the order of cards that are no pair and were not doubled on does not matter."""
    last = hand.cards[-1:] if hand.doubles else []
    before = hand.cards[: len(hand.cards) - len(last)]
    if len(hand.cards) > 2 or len({hard_value(card) for card in before}) > 1:
        before = sorted(before)
    return Held(
        (*before, *last),
        hand.stake,
        hand.added,
        hand.marker,
        hand.last_double,
        hand.doubles,
        hand.split_from,
        hand.switched,
        hand.ended,
    )


class Turn(NamedTuple):
    """What the player faces: the hand in turn, hands and boxes that wait, hands that are done."""

    hand: Held | None
    waiting: tuple[Held, ...]
    hands: int
    boxes: tuple[Held, ...]
    done: Row
    unseen: Unseen


def alike(game: str, settings: Mapping[str, object], card: str) -> str:
    """One card for all that the rules of a game do not tell apart."""
    rank, suit = card[0], card[1]
    if rank in TEN_RANKS and settings.get("split") != "rank":
        rank = "K"
    if rank in SUITED.get(game, ""):
        if game == "super-fun-21" and suit != "d":
            suit = "s"
        return rank + suit
    return rank + SUITS[0]


class Exact:
    """A game with some settings and a small deck."""

    def __init__(
        self,
        game: str,
        settings: Mapping[str, object],
        cards: Sequence[str],
        never: Sequence[str] = (),
        *,
        merge: bool = True,
    ) -> None:
        self.game = game
        self.settings = settings
        self.never = never
        kinds = [alike(game, settings, card) if merge else card for card in cards]
        self.deck: Unseen = tuple(sorted(kinds))
        self.finals = [hand.split() for hand in FINAL_HANDS]
        self.classes = [dealer_class(game, settings, final) for final in self.finals]
        self.rows: dict[Held, Row] = {}
        self.asked: dict[tuple[Held, int, str], tuple[str, ...]] = {}

    # --- chance --------------------------------------------------------------------------------

    def coming(
        self, unseen: Unseen, barred: frozenset[str] = frozenset(), *, hole: bool = False
    ) -> Iterator[tuple[str, Fraction, Unseen]]:
        """The cards that may come next, each with its chance and the cards not seen after it.

        `barred` are cards that the hole card, one of those not seen, is known not to be.
        """
        counts = Counter(unseen)
        may_lie = sum(number for card, number in counts.items() if card not in barred)
        if len(unseen) < (2 if hole else 1):
            raise OutOfCardsError(f"{self.game}: {self.deck}")
        for card, number in counts.items():
            chance = Fraction(number, len(unseen))
            if barred:
                # The chances with each card that may be the hole card, added up.
                chance = Fraction(number, len(unseen) - 1)
                if card not in barred:
                    chance = chance * Fraction(may_lie - 1, may_lie)
            if chance:
                place = unseen.index(card)
                yield card, chance, unseen[:place] + unseen[place + 1 :]

    # --- the deal ------------------------------------------------------------------------------

    def worth(self, cards: Sequence[str], dealer: Sequence[str], action: str) -> Fraction:
        """What an action on two cards is worth against the dealer's visible card or cards.

        A dealer who looks at the hole card has done so and has no natural.
        """
        unseen = list(self.deck)
        for card in (*cards, *dealer):
            unseen.remove(card)
        after = After(self, tuple(dealer))
        hand = held(Hand(list(cards)))
        turn = Turn(hand, (), 1, (), after.none, tuple(unseen))
        return after.act(turn, hand, action)

    def value(self) -> Fraction:
        """The optimum."""
        boxes = 2 if self.game in TWO_BOXES else 1
        total = Fraction(0)
        for up, chance, unseen in self.coming(self.deck):
            behind: dict[tuple[str, ...], After] = {}
            for own, own_chance, rest in self.dealt(2 * boxes, unseen):
                first, second = own[:boxes], own[boxes:]
                hands = [Hand([a, b]) for a, b in zip(first, second, strict=True)]
                for dealer, hole_chance, left in self.dealers(up, rest):
                    after = behind.setdefault(dealer, After(self, dealer))
                    total = total + chance * own_chance * hole_chance * after.best(hands, left)
        return total

    def dealt(
        self, number: int, unseen: Unseen
    ) -> Iterator[tuple[tuple[str, ...], Fraction, Unseen]]:
        """Every way in which so many cards can come."""
        if number == 0:
            yield (), Fraction(1), unseen
            return
        for card, chance, rest in self.coming(unseen):
            for more, further, left in self.dealt(number - 1, rest):
                yield (card, *more), chance * further, left

    def dealers(
        self, up: str, unseen: Unseen
    ) -> Iterator[tuple[tuple[str, ...], Fraction, Unseen]]:
        """The dealer's cards that are seen before the turn, with their chances."""
        if self.game in BOTH_SEEN:
            for card, chance, left in self.coming(unseen):
                yield (up, card), chance, left
        else:
            yield (up,), Fraction(1), unseen

    # --- money ---------------------------------------------------------------------------------

    def row(self, hand: Held) -> Row:
        """What a hand that is over wins against each final class of the dealer's."""
        if hand not in self.rows:
            loose = hand.loose()
            self.rows[hand] = tuple(
                net(self.game, self.settings, loose, final) / UNIT for final in self.finals
            )
        return self.rows[hand]

    def actions(self, hand: Held, hands: int, up: str) -> tuple[str, ...]:
        """What a hand may do, of what is not left out."""
        key = (hand, hands, up)
        if key not in self.asked:
            answers = legal(
                self.game,
                self.settings,
                hand.cards,
                up,
                hands=hands,
                split_from=hand.split_from,
                doubles=hand.doubles,
                traded=hand.switched,
            )
            self.asked[key] = tuple(
                action
                for action, why_not in answers.items()
                if why_not is None and action not in self.never
            )
        return self.asked[key]


class After:
    """All that can follow after the dealer's visible cards."""

    def __init__(self, game: Exact, dealer: tuple[str, ...]) -> None:
        self.game = game
        self.dealer = dealer
        self.hole = game.game not in BOTH_SEEN and game.game not in NO_HOLE_CARD
        self.barred: frozenset[str] = frozenset()
        if self.hole:  # CV-4: cards that the dealer would have shown
            self.barred = frozenset(
                card for card in game.deck if self.class_of((*dealer, card)) == "natural"
            )
        self.turns: dict[Turn, Fraction] = {}
        self.dealers: dict[tuple[tuple[str, ...], Unseen], Row] = {}
        self.none: Row = (Fraction(0),) * len(game.finals)

    def class_of(self, cards: Sequence[str]) -> str:
        return dealer_class(self.game.game, self.game.settings, cards)

    def best(self, hands: list[Hand], unseen: Unseen) -> Fraction:
        """What the boxes are worth before the dealer looks."""
        chance = Fraction(0)
        worth = Fraction(0)
        natural = self.game.classes.index("natural")
        if self.hole:
            under = sum(1 for card in unseen if card in self.barred)
            chance = Fraction(under, len(unseen))
        elif self.class_of(self.dealer) == "natural":  # DX-DN
            chance = Fraction(1)
        if chance:
            worth = chance * sum(self.game.row(held(hand))[natural] for hand in hands)
        if chance < 1:
            worth = worth + (1 - chance) * self.switched(hands, unseen)
        return worth

    def switched(self, hands: list[Hand], unseen: Unseen) -> Fraction:
        """SWI-SW, where there are two boxes."""
        ways = {LEAVE: tuple(map(held, hands))}
        if len(hands) == 2:
            (a, b), (c, d) = (hand.cards for hand in hands)
            ways[SWITCH] = (held(Hand([a, d], switched=True)), held(Hand([c, b], switched=True)))
        return max(
            self.play(Turn(None, (), 0, boxes, self.none, unseen)) for boxes in ways.values()
        )

    def play(self, turn: Turn) -> Fraction:
        """What the rest of the round is worth, played the best way."""
        if turn not in self.turns:
            self.turns[turn] = self.search(turn)
        return self.turns[turn]

    def search(self, turn: Turn) -> Fraction:
        hand = turn.hand
        if hand is None:
            if turn.waiting:
                return self.play(turn._replace(hand=turn.waiting[0], waiting=turn.waiting[1:]))
            if turn.boxes:
                return self.play(turn._replace(hand=turn.boxes[0], boxes=turn.boxes[1:], hands=1))
            return self.against_dealer(turn.done, turn.unseen)
        if len(hand.cards) == 1:
            return self.draw(turn, hand.loose())
        actions = self.game.actions(hand, turn.hands, self.dealer[0]) or ("stand",)
        return max(self.act(turn, hand, action) for action in actions)

    def act(self, turn: Turn, hand: Held, action: str) -> Fraction:
        """What an action is worth if the best is done ever after."""
        loose = hand.loose()
        if action == "hit":
            return self.draw(turn, loose)
        if action == "replace":  # ZA-ZAP: two new cards, those given being gone
            loose.cards, loose.switched = [], True
            return self.draw(turn, loose)
        if action in ("double", "redouble"):
            double(self.game.game, self.game.settings, loose)
            return self.draw(turn, loose)
        if action == "split":
            new = split(self.game.game, self.game.settings, loose, turn.hands)
            waiting = (held(new), *turn.waiting)
            return self.draw(turn._replace(waiting=waiting, hands=turn.hands + 1), loose)
        if action != "stand":
            loose.ended = action
        row = self.game.row(held(loose))
        done = tuple(a + b for a, b in zip(turn.done, row, strict=True))
        return self.play(turn._replace(hand=None, done=done))

    def draw(self, turn: Turn, hand: Hand) -> Fraction:
        """The average over the next card for a hand."""
        total = Fraction(0)
        before = list(hand.cards)
        for card, chance, left in self.game.coming(turn.unseen, self.barred, hole=self.hole):
            hand.cards = [*before, card]
            total = total + chance * self.play(turn._replace(hand=held(hand), unseen=left))
        return total

    def against_dealer(self, done: Row, unseen: Unseen) -> Fraction:
        """The average over the dealer's hand. It is not played if nothing depends on it (CV-9)."""
        if len(set(done)) == 1:
            return done[0]
        chances = self.ends(self.dealer, unseen, first=True)
        return sum((chance * won for chance, won in zip(chances, done, strict=True)), Fraction(0))

    def ends(self, cards: tuple[str, ...], unseen: Unseen, *, first: bool = False) -> Row:
        """The chance of each final class of the dealer's hand."""
        key = (cards, unseen)
        if key in self.dealers:
            return self.dealers[key]
        looked = first and self.hole
        if not looked and not dealer_draws(self.game.game, self.game.settings, cards):
            found = list(self.none)
            found[self.game.classes.index(self.class_of(cards))] = Fraction(1)
            return tuple(found)
        lies = tuple(card for card in unseen if not (looked and card in self.barred))
        found = list(self.none)
        for card, chance, _ in self.game.coming(lies):
            left = list(unseen)
            left.remove(card)
            further = self.ends(tuple(sorted((*cards, card))), tuple(left))
            found = [had + chance * more for had, more in zip(found, further, strict=True)]
        self.dealers[key] = tuple(found)
        return self.dealers[key]


def full_deck(game: str, decks: int) -> list[str]:
    """All cards of so many decks (SP-DECK, PO-DECK: without tens)."""
    ranks = RANKS.replace("T", "") if game in NO_TENS else RANKS
    return [rank + suit for rank in ranks for suit in SUITS] * decks


def optimum(
    game: str,
    settings: Mapping[str, object],
    cards: Sequence[str],
    never: Sequence[str] = (),
) -> Fraction:
    """The optimum of a deck, in base wagers."""
    return Exact(game, settings, cards, never).value()
