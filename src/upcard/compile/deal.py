"""The first deal, card by card: who gets it, which way up it lies, and who sees it when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from upcard.compile.observers import uses_community
from upcard.rules.schema import GameRules

Face = Literal["up", "down"]


class Receiver(StrEnum):
    """Who gets a card of the first deal."""

    POSITION = "position"
    DEALER = "dealer"
    COMMUNITY = "community"
    EMPTY = "empty"
    """A position without a wager, where such get cards."""


class Seen(StrEnum):
    """When the face of a card of the first deal is seen."""

    AT_ONCE = "at once"
    AT_REVEAL = "at the reveal"
    """The dealer's first down card, which is turned up after the turns."""
    IF_TURNED = "if it is turned up"
    """By nobody until it is drawn, or shown for a wager on it."""
    NEVER = "never"


class DealtCard(NamedTuple):
    """One card of the first deal to every position, to the dealer or to the middle."""

    to: Receiver
    face: Face
    seen: Seen

    @property
    def is_up(self) -> bool:
        return self.face == "up"


class DealSlot(NamedTuple):
    """One card of the first deal to one place; `place` counts positions in dealing order."""

    to: Receiver
    place: int
    face: Face
    seen: Seen

    @property
    def is_up(self) -> bool:
        return self.face == "up"


_NOBODYS = DealtCard(Receiver.EMPTY, "down", Seen.NEVER)


def build_passes(game: GameRules) -> Iterator[DealtCard]:
    """What goes once round all positions, to the dealer or to the middle, in order."""
    deal = game.deal
    player = [DealtCard(Receiver.POSITION, "up", Seen.AT_ONCE)] * deal.player_up
    player += [DealtCard(Receiver.POSITION, "down", Seen.IF_TURNED)] * deal.player_down
    dealer = [DealtCard(Receiver.DEALER, "up", Seen.AT_ONCE)] * deal.dealer_up
    dealer += [DealtCard(Receiver.DEALER, "down", Seen.AT_REVEAL)] * min(deal.dealer_down, 1)
    dealer += [DealtCard(Receiver.DEALER, "down", Seen.IF_TURNED)] * (deal.dealer_down - 1)
    passes = [*player, *dealer]
    if deal.order != "by-position":
        passes = []
        for number in range(max(len(player), len(dealer))):
            passes += [*player[number : number + 1], *dealer[number : number + 1]]
    last_players = max(place for place, part in enumerate(passes) if part.to is Receiver.POSITION)
    middle_at = last_players + 1 if deal.community_after == "players" else len(passes)
    yield from passes[:middle_at]
    if uses_community(game):
        middle = DealtCard(Receiver.COMMUNITY, "down", Seen.IF_TURNED)
        if deal.community_seen:
            middle = DealtCard(Receiver.COMMUNITY, "up", Seen.AT_ONCE)
        yield from [middle] * deal.community
    yield from passes[middle_at:]


def deal_slots(
    passes: Sequence[DealtCard], taken: Sequence[bool], *, by_position: bool, to_empty: bool
) -> Iterator[DealSlot]:
    """The first deal to so many places, each with a wager on it or not.

    With `by_position` a position gets all its cards before the next.

    >>> two = [DealtCard(Receiver.POSITION, "up", Seen.AT_ONCE)] * 2
    >>> for by_position in (False, True):
    ...     slots = deal_slots(two, [True, True], by_position=by_position, to_empty=False)
    ...     print([slot.place for slot in slots])
    [0, 1, 0, 1]
    [0, 0, 1, 1]
    """

    def card(part: DealtCard, place: int) -> Iterator[DealSlot]:
        if taken[place] or to_empty:
            to, face, seen = part if taken[place] else _NOBODYS
            yield DealSlot(to, place, face, seen)

    places = range(len(taken))
    if by_position:
        for place in places:
            for part in passes:
                if part.to is Receiver.POSITION:
                    yield from card(part, place)
    for part in passes:
        if part.to is not Receiver.POSITION:
            yield DealSlot(part.to, 0, part.face, part.seen)
        elif not by_position:
            for place in places:
                yield from card(part, place)
