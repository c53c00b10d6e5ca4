"""The cards that somebody at a table has seen: a fold of what everybody may see of its events.

Whoever remembers every card that lay face up since the shoe was shuffled knows just these. Down
cards, burned cards and the order of the shoe are not among them: the fold is the same for a record
with all its secrets and for one without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from upcard.compile.context import Phase
from upcard.compile.shows import OVER
from upcard.table import events as ev
from upcard.table.plain_tables import BASE

_DEALING = (Phase.FEES, Phase.DEAL)
"""Steps up to the first cards."""


class SeenPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of everything in what was seen."""


class SeenHand(SeenPart, frozen=True):
    """A hand's cards, "" where one was traded and not yet replaced; `open` wagers lie on it."""

    cards: tuple[str, ...] = ()
    open: int = 1


class SeenBox(SeenPart, frozen=True):
    """A position with its hands.

    `first` are its first cards as far as they were seen, `shown` those that were seen only in the
    end, `traded` those that it traded away or exchanged.
    """

    position: int
    hands: tuple[SeenHand, ...] = ()
    first: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    traded: tuple[str, ...] = ()


class Seen(SeenPart, frozen=True):
    """Cards known to be out of the shoe: `discards` of earlier rounds, and those of this one.

    `down` cards lie face down on the table, and of them `older` lay there when discards were
    shuffled in: those are none of the cards that came back. `told` is what is told of the dealer's.

    >>> from upcard.table.events import CardBurned, CardDealt
    >>> seen = Seen.of([CardBurned(card="As"), CardDealt(card="9h", face="up", to="dealer")])
    >>> seen.cards
    ('9h',)
    """

    shoe: int = 0
    discards: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    boxes: tuple[SeenBox, ...] = ()
    bets: tuple[tuple[int, str], ...] = ()
    dealing: bool = False
    down: int = 0
    older: int = 0
    told: str = ""

    @classmethod
    def of(cls, events: Iterable[ev.Event]) -> Seen:
        """What a record shows: a whole one, or one from the last shuffle between two rounds on."""
        return cls().after(*events)

    def after(self, *events: ev.Event) -> Seen:
        """What is known after some more events."""
        seen = self
        for event in events:
            seen = seen._after(event)
        return seen

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards that are known to be out of the shoe."""
        return (*self.discards, *self._on_table())

    @property
    def up(self) -> str:
        """The dealer's up card, "" before there is one."""
        return self.dealer[0] if self.dealer else ""

    @property
    def shows(self) -> str:
        """What the dealer shows while players decide, as text; "" before there is anything."""
        cards = " ".join(self.dealer)
        return f"{cards}{OVER}{self.told}" if self.told else cards

    def box(self, position: int) -> SeenBox | None:
        """What was seen of a position in this round."""
        return next((box for box in self.boxes if box.position == position), None)

    def _on_table(self) -> Iterator[str]:
        for box in self.boxes:
            for hand in box.hands:
                yield from filter(None, hand.cards)
            yield from box.shown
            yield from box.traded
        yield from self.dealer
        yield from self.community
        yield from self.empty

    def _after(self, event: ev.Event) -> Seen:
        handler = self.HANDLERS.get(type(event))
        return self if handler is None else handler(self, event)

    # ------------------------------------------------------------------ the shoe

    def _new_shoe(self, event: ev.ShoeCommitted | ev.ShoeShuffled) -> Seen:
        return replace(self._cleared(event), shoe=event.shoe)

    def _cleared(self, _: ev.Event) -> Seen:
        """All cards are in the shoe again."""
        boxes = tuple(_emptied(box) for box in self.boxes)
        return Seen(shoe=self.shoe, boxes=boxes, bets=self.bets, dealing=self.dealing)

    def _reshuffled(self, _: ev.Event) -> Seen:
        """Discards and settled hands go back into the shoe, in the middle of a round."""
        boxes = tuple(
            replace(box, traded=(), hands=tuple(map(_put_away, box.hands))) for box in self.boxes
        )
        return replace(self, discards=(), empty=(), boxes=boxes, older=self.down)

    # ------------------------------------------------------------------ the round

    def _wagered(self, event: ev.WagersPlaced) -> Seen:
        own = (event.position, event.player)
        others = tuple(bet for bet in self.bets if bet != own)
        return replace(self, bets=(*others, own) if event.wagers else others)

    def _started(self, _: ev.Event) -> Seen:
        bettors = Counter(position for position, _ in self.bets)
        return Seen(
            shoe=self.shoe,
            discards=(*self.discards, *self._on_table()),
            boxes=tuple(
                SeenBox(position, (SeenHand(open=count),)) for position, count in bettors.items()
            ),
            dealing=True,
        )

    def _begun(self, event: ev.StepBegun) -> Seen:
        return replace(self, dealing=Phase(event.step) in _DEALING)

    def _dealt(self, event: ev.CardDealt) -> Seen:
        if event.face == "down":
            return replace(self, down=self.down + 1)
        match event.to:
            case "empty" | "wager":
                return replace(self, empty=(*self.empty, event.card))
            case "community":
                return replace(self, community=(*self.community, event.card))
            case "dealer":
                return replace(self, dealer=(*self.dealer, event.card))
        return self._given(event.position, event.hand, event.card, first=self.dealing)

    def _turned(self, event: ev.CardTurned) -> Seen:
        if event.position == 0:
            return _face_up(replace(self, dealer=(*self.dealer, event.card)), 1)
        return _face_up(self._given(event.position, event.hand, event.card, first=True), 1)

    def _given(self, position: int, number: int, card: str, *, first: bool) -> Seen:
        box = self._box(position)
        hand = box.hands[number]
        gap = hand.cards.index("") if "" in hand.cards else len(hand.cards)
        cards = (*hand.cards[:gap], card, *hand.cards[gap + 1 :])
        box = _with_hand(box, number, replace(hand, cards=cards))
        return self._with(replace(box, first=(*box.first, card)) if first else box)

    def _shown(self, event: ev.CardsShown) -> Seen:
        if event.community:
            turned = len(event.cards) - len(self.community)
            return _face_up(replace(self, community=event.cards), turned)
        if event.position == 0:
            turned = len(event.cards) - len(self.dealer)
            return _face_up(replace(self, dealer=event.cards), turned)
        box = self._box(event.position)
        new = Counter(event.cards) - Counter((*box.first, *box.shown))
        seen = self._with(replace(box, shown=(*box.shown, *new.elements())))
        return _face_up(seen, new.total())

    def _traded(self, event: ev.CardTraded) -> Seen:
        box = self._box(event.position)
        hand = box.hands[event.hand]
        place = event.place - 1
        cards = (*hand.cards[:place], "", *hand.cards[place + 1 :])
        box = _with_hand(box, event.hand, replace(hand, cards=cards))
        return self._with(replace(box, traded=(*box.traded, event.card)))

    def _replaced(self, event: ev.HandReplaced) -> Seen:
        box = self._box(event.position)
        hand = box.hands[event.hand]
        box = _with_hand(box, event.hand, replace(hand, cards=()))
        return self._with(replace(box, traded=(*box.traded, *event.cards)))

    def _switched(self, event: ev.CardsSwitched) -> Seen:
        one, other = self._box(event.position), self._box(event.other)
        first, second = one.hands[0], other.hands[0]
        new = (first.cards[0], second.cards[1]), (second.cards[0], first.cards[1])
        both = (
            _with_hand(one, 0, replace(first, cards=new[0])),
            _with_hand(other, 0, replace(second, cards=new[1])),
        )
        moved = (event.position, event.other)
        others = tuple(box for box in self.boxes if box.position not in moved)
        return replace(self, boxes=(*others, *both))

    def _split(self, event: ev.HandSplit) -> Seen:
        box = self._box(event.position)
        hand = box.hands[event.hand]
        pair = (
            replace(hand, cards=hand.cards[:1]),
            SeenHand(hand.cards[1:], open=len(event.added)),
        )
        hands = (*box.hands[: event.hand], *pair, *box.hands[event.hand + 1 :])
        return self._with(replace(box, hands=hands))

    def _settled(self, event: ev.WagerSettled) -> Seen:
        if event.wager != BASE:
            return self
        box = self._box(event.position)
        hand = box.hands[event.hand]
        return self._with(_with_hand(box, event.hand, replace(hand, open=hand.open - 1)))

    def _told(self, event: ev.DownCardTold) -> Seen:
        return replace(self, told=event.ranks)

    def _not_used(self, event: ev.CardFoundFaceUp | ev.CardDrawnInError) -> Seen:
        return replace(self, discards=(*self.discards, event.card))

    HANDLERS: ClassVar[Mapping[type[ev.Happened], Callable[[Seen, Any], Seen]]] = {
        ev.ShoeCommitted: _new_shoe,
        ev.ShoeShuffled: _new_shoe,
        ev.ShoeOpened: _cleared,
        ev.ShoeStacked: _cleared,
        ev.DiscardsShuffled: _reshuffled,
        ev.WagersPlaced: _wagered,
        ev.RoundStarted: _started,
        ev.StepBegun: _begun,
        ev.CardDealt: _dealt,
        ev.CardTurned: _turned,
        ev.DownCardTold: _told,
        ev.CardsShown: _shown,
        ev.CardTraded: _traded,
        ev.HandReplaced: _replaced,
        ev.CardsSwitched: _switched,
        ev.HandSplit: _split,
        ev.WagerSettled: _settled,
        ev.CardFoundFaceUp: _not_used,
        ev.CardDrawnInError: _not_used,
    }
    """What shows cards, moves them or takes them away."""

    def _box(self, position: int) -> SeenBox:
        return self.box(position) or SeenBox(position, (SeenHand(),))

    def _with(self, box: SeenBox) -> Seen:
        others = tuple(other for other in self.boxes if other.position != box.position)
        return replace(self, boxes=(*others, box))


def _with_hand(box: SeenBox, number: int, hand: SeenHand) -> SeenBox:
    return replace(box, hands=(*box.hands[:number], hand, *box.hands[number + 1 :]))


def _face_up(seen: Seen, cards: int) -> Seen:
    """So many cards lie face down no more."""
    down = seen.down - cards
    return replace(seen, down=down, older=min(seen.older, down))


def _put_away(hand: SeenHand) -> SeenHand:
    return hand if hand.open else replace(hand, cards=())


def _emptied(box: SeenBox) -> SeenBox:
    hands = tuple(replace(hand, cards=()) for hand in box.hands)
    return SeenBox(box.position, hands)
