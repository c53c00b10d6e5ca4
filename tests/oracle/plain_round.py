"""One player's round of a public variant, card by card from a shoe in a given order.

The round is a generator: it yields a question whenever the player has a choice, takes the answer,
and returns what the player has won, in base wagers. It knows no rules beyond `variants.md`: what a
hand may do and is worth comes from the modules of the games.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from . import dealer_class, dealer_draws, free_bet, legal, settle_base, undecided
from .common import is_ace, is_ten_value

UNIT = 100
"""The base wager in cents."""
HIDDEN = "??"
SWITCH, LEAVE = "switch", "keep"
NO_HOLE_CARD = ("pontoon", "european-blackjack")  # PO-NHC, EU-NHC
BOTH_SEEN = ("double-exposure",)  # DX-UP
TWO_BOXES = ("blackjack-switch",)  # SWI-BOX
MARKERS = ("free-bet",)


class OutOfCardsError(Exception):
    """The shoe is too small for what may be played."""


class Question(NamedTuple):
    """A choice: the actions, and all cards seen so far in the order in which they came."""

    seen: tuple[str, ...]
    actions: tuple[str, ...]


Round = Generator[Question, str, Fraction]


@dataclass
class Hand:
    """Cards, money, and what was done with them."""

    cards: list[str]
    stake: int = UNIT
    added: int = 0
    marker: int = 0
    last_double: int = 0
    doubles: int = 0
    split_from: str | None = None
    switched: bool = False
    ended: str | None = None


def double(game: str, settings: Mapping[str, object], hand: Hand, wager: int = UNIT) -> None:
    """CV-6, FB-FD, FB-OWN, SP-RD: the money of one more double, as much as the hand stands for."""
    hand.last_double = wager * 2**hand.doubles
    if game in MARKERS and free_bet.double_is_free(settings, hand.cards):
        hand.marker = hand.marker + wager
    else:
        hand.added = hand.added + hand.last_double
    hand.doubles = hand.doubles + 1


def split(game: str, settings: Mapping[str, object], hand: Hand, hands: int) -> Hand:
    """CV-7: the second card becomes a hand of its own; FB-FS: with a marker, if it is free.

    `hands` is how many the box has until then. FB-OWN: a marker hand too is split for one wager.
    """
    moved = hand.cards.pop()
    new = Hand([moved], split_from=moved[0])
    if game in MARKERS and free_bet.split_is_free(settings, [moved], hands):
        new = Hand([moved], stake=0, marker=UNIT, split_from=moved[0])
    hand.split_from = hand.cards[0][0]
    return new


def net(game: str, settings: Mapping[str, object], hand: Hand, dealer: Sequence[str]) -> Fraction:
    """What a hand has won, in cents."""
    return settle_base(
        game,
        settings,
        cards=hand.cards,
        dealer=dealer,
        stake=hand.stake,
        added=hand.added,
        marker=hand.marker,
        split=hand.split_from is not None,
        traded=hand.switched,
        ended=hand.ended,
        last_double=hand.last_double,
    )


@dataclass
class Play:
    """A round under way."""

    game: str
    settings: Mapping[str, object]
    shoe: Iterator[str]
    seen: list[str] = field(default_factory=list)
    dealer: list[str] = field(default_factory=list)
    boxes: list[list[Hand]] = field(default_factory=list)

    def card(self, *, hidden: bool = False) -> str:
        """The next card."""
        card = next(self.shoe, None)
        if card is None:
            raise OutOfCardsError
        self.seen.append(HIDDEN if hidden else card)
        return card

    def deal(self) -> None:
        """CV-2, SWI-BOX, PO-NHC: boxes, dealer, boxes, dealer."""
        boxes = 2 if self.game in TWO_BOXES else 1
        firsts = [self.card() for _ in range(boxes)]
        self.dealer.append(self.card())
        seconds = [self.card() for _ in range(boxes)]
        self.boxes = [[Hand([a, b])] for a, b in zip(firsts, seconds, strict=True)]
        if self.game not in NO_HOLE_CARD:
            self.dealer.append(self.card(hidden=self.game not in BOTH_SEEN))

    def natural_known(self) -> bool:
        """CV-4, DX-DN: whether the round ends before anybody acts."""
        if self.game in NO_HOLE_CARD:
            return False
        return dealer_class(self.game, self.settings, self.dealer) == "natural"

    def actions(self, box: list[Hand], hand: Hand) -> tuple[str, ...]:
        """What a hand may do."""
        answers = legal(
            self.game,
            self.settings,
            hand.cards,
            self.dealer[0],
            hands=len(box),
            split_from=hand.split_from,
            doubles=hand.doubles,
            traded=hand.switched,
        )
        return tuple(action for action, why_not in answers.items() if why_not is None)

    def dealer_plays(self) -> None:
        """CV-9: as long as some hand is undecided."""
        hands = [hand for box in self.boxes for hand in box if hand.ended in (None, "surrender")]
        while dealer_draws(self.game, self.settings, self.dealer) and any(
            self.waits(hand) for hand in hands
        ):
            self.dealer.append(self.card())

    def waits(self, hand: Hand) -> bool:
        """Whether a hand's money may still depend on the dealer's cards."""
        if hand.ended == "surrender":  # PO-SUR: a natural takes all
            unknown = self.game in NO_HOLE_CARD and len(self.dealer) == 1
            return unknown and (is_ace(self.dealer[0]) or is_ten_value(self.dealer[0]))
        return undecided(
            self.game,
            self.settings,
            hand.cards,
            split=hand.split_from is not None,
            traded=hand.switched,
            doubled=hand.doubles > 0,
            dealer=self.dealer,
        )

    def won(self) -> Fraction:
        """The sum over all hands, in base wagers."""
        dealer = self.dealer
        if len(dealer) == 1:
            dealer = [*dealer, dealer[0]]  # nothing depends on it: any card that makes no natural
        hands = [hand for box in self.boxes for hand in box]
        return sum((net(self.game, self.settings, hand, dealer) for hand in hands), Fraction(0)) / (
            UNIT
        )


def play(game: str, settings: Mapping[str, object], order: Sequence[str]) -> Round:
    """The round. What is won is counted in single base wagers, also where there are two boxes."""
    here = Play(game, settings, iter(order))
    here.deal()
    if here.natural_known():
        return here.won()
    if game in TWO_BOXES:  # SWI-SW
        answer = yield Question(tuple(here.seen), (SWITCH, LEAVE))
        if answer == SWITCH:
            (first,), (second,) = here.boxes
            first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
            first.switched = second.switched = True
    for box in here.boxes:
        number = 0
        while number < len(box):
            hand = box[number]
            if len(hand.cards) == 1:
                hand.cards.append(here.card())
            actions = here.actions(box, hand)
            answer = actions[0] if actions else "stand"
            if len(actions) > 1:
                answer = yield Question(tuple(here.seen), actions)
            if answer == "split":
                box.insert(number + 1, split(game, settings, hand, len(box)))
            elif answer == "hit":
                hand.cards.append(here.card())
            elif answer == "replace":  # ZA-ZAP
                hand.cards = [here.card(), here.card()]
                hand.switched = True
            elif answer in ("double", "redouble"):
                double(game, settings, hand)
                hand.cards.append(here.card())
            else:
                if answer != "stand":
                    hand.ended = answer
                number = number + 1
    here.dealer_plays()
    return here.won()
