"""Whose cards they are: followed where the shoe can run out, and where people look on."""

from __future__ import annotations

import numpy as np

from upcard.jit import inlined, kernel, stage
from upcard.round.kernel_types import (
    FACE_DEALER,
    FACE_MIDDLE,
    OF_DEALER,
    OF_MIDDLE,
    OF_PLAYER,
    ONE,
    SYMBOL,
    Dealing,
    Index,
    Returns,
    RoundRules,
    Stops,
    Where,
)
from upcard.round.shoe import lay_aside


@stage
def hold_first(
    rules: RoundRules, returns: Returns | None, where: Where, seats: np.uint64, dealing: Dealing
) -> None:
    """The first cards of every seat's hand, where it is followed whose they are."""
    if returns is not None:
        if dealing.holding:
            hold_deal(rules, returns, where, seats)


@kernel
def hold_deal(rules: RoundRules, returns: Returns, where: Where, seats: np.uint64) -> None:
    """The first cards of every seat's hand."""
    first_up, most = np.uint64(rules.first_up), np.uint64(rules.most)
    for seat in range(seats):
        for place in range(first_up):
            card = where.cards[where.row + seat * most + place]
            returns.held[where.base + seat, 0, place] = card
        returns.holds[where.base + seat, 0] = first_up
        returns.aside[where.base + seat, :] = False


@inlined
def hold_card(code: np.uint64, seat: np.uint64, hand: np.uint64, returns: Returns) -> None:
    """A card that comes to a hand."""
    place = returns.holds[seat, hand]
    if place < returns.held.shape[2]:
        returns.held[seat, hand, place] = code
        returns.holds[seat, hand] += 1


@kernel
def hold_split(seat: np.uint64, hand: np.uint64, hands: np.uint64, returns: Returns) -> None:
    """A hand's second card becomes the hand behind it."""
    held, holds = returns.held, returns.holds
    behind = int(hand) + 1
    for other in range(int(hands), behind, -1):
        held[seat, other, 0] = held[seat, other - 1, 0]
    held[seat, behind, 0] = held[seat, hand, 1]
    holds[seat, hand] = 1
    holds[seat, hands] = 1


@kernel
def put_away(dealing: Dealing, returns: Returns, seat: np.uint64, hand: np.uint64) -> None:
    """The last marked card of a hand goes."""
    holds, held, marked = returns.holds, returns.held, returns.marked
    last = holds[seat, hand] - 1
    while last > 0 and not marked[np.uint64(held[seat, hand, last]) & SYMBOL]:
        last -= 1
    lay_aside(dealing.deck, dealing.now, np.uint64(held[seat, hand, last]))
    for place in range(last + 1, holds[seat, hand]):
        held[seat, hand, place - 1] = held[seat, hand, place]
    holds[seat, hand] -= 1


@kernel
def put_hand_away(dealing: Dealing, returns: Returns, seat: np.uint64, hand: np.uint64) -> None:
    """All cards of a hand go."""
    for place in range(returns.holds[seat, hand]):
        lay_aside(dealing.deck, dealing.now, np.uint64(returns.held[seat, hand, place]))
    returns.holds[seat, hand] = 0


@kernel
def settle_hand(dealing: Dealing, returns: Returns, seat: np.uint64, hand: np.uint64) -> None:
    """The cards of a hand that is settled are laid aside, once."""
    if returns.aside[seat, hand]:
        return
    returns.aside[seat, hand] = True
    for place in range(returns.holds[seat, hand]):
        lay_aside(dealing.deck, dealing.now, np.uint64(returns.held[seat, hand, place]))


@kernel
def show_deal(rules: RoundRules, where: Where, stops: Stops) -> None:
    """What the player of a round that stops sees of its first deal: all boxes are the player's."""
    cards, row, most = where.cards, where.row, np.uint64(rules.most)
    seats, seen = np.uint64(rules.seats), stops.seen[where.number]
    for seat in range(seats):
        for place in range(rules.first_up):
            seen[cards[row + seat * most + np.uint64(place)] & SYMBOL] += 1
    for place in range(stops.faces[FACE_DEALER]):
        seen[cards[row + seats * most + np.uint64(place)] & SYMBOL] += 1
    for place in range(stops.faces[FACE_MIDDLE]):
        seen[cards[row + (seats + ONE) * most + np.uint64(place)] & SYMBOL] += 1


@kernel
def show_rest(
    rules: RoundRules, where: Where, seat: Index, turned: np.uint64, stops: Stops
) -> None:
    """At the end the player sees what lay face down of a box."""
    cards, row, seen = where.cards, where.row, stops.seen[where.number]
    for place in range(int(turned), stops.faces[OF_PLAYER]):
        seen[cards[row + seat * np.uint64(rules.most) + np.uint64(place)] & SYMBOL] += 1


@kernel
def show_dealers(rules: RoundRules, where: Where, stops: Stops) -> None:
    """And what lay face down of the dealer's cards and in the middle."""
    cards, row, most = where.cards, where.row, np.uint64(rules.most)
    seats, seen, faces = np.uint64(rules.seats), stops.seen[where.number], stops.faces
    for place in range(faces[FACE_DEALER], faces[OF_DEALER]):
        seen[cards[row + seats * most + np.uint64(place)] & SYMBOL] += 1
    for place in range(faces[FACE_MIDDLE], faces[OF_MIDDLE]):
        seen[cards[row + (seats + ONE) * most + np.uint64(place)] & SYMBOL] += 1
