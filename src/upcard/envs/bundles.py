"""What the stepping kernel works with, besides the bundles of the simulator.

A round that waits for a decision is a row of numbers: `Envs` has one for every environment, with
its own shoe. `Game`, `Before` and `Layout` are the same for all of them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.simulate.bundles import Bools, Bytes, Codes, Floats, Ints, Shorts, Words

ANEW, LEAVE = -1, -2
"""In the place of an action: begin another round; leave the round as it is."""

BEGAN = 5
"""The place in a stream behind those of the simulator's shoe: where the round began in the shoe."""
STREAM = 6
"""Places of a stream."""


class Phase(IntEnum):
    """Where a round stands when a decision is asked for, in the order of a round."""

    TRADE = 0
    INSURANCE = 1
    EARLY_SURRENDER = 2
    TURN = 3
    NOTHING = 4
    OVER = 5

    @property
    def text(self) -> str:
        return self.name.lower().replace("_", "-")


CHECK, DEALER, BEGIN = len(Phase), len(Phase) + 1, len(Phase) + 2
"""Stages in which nobody is asked: the dealer's check, the dealer's hand, a new round."""

(
    STAGE,
    UP,
    HOLE,
    NODE,
    ROOT,
    CONTEXT,
    HAND,
    HANDS,
    ACES,
    DOUBLES,
    TURNED,
    INSURED,
    FOLDED,
    MASK,
    ASKED,
    MATTERS,
    PRIZE,
    DREW,
) = range(18)
"""Places of a row of `Envs.rows`."""
ROW = 18

OBSERVED = (
    "phase",
    "up",
    "state",
    "context",
    "total",
    "soft",
    "cards",
    "pair",
    "pending",
    "doubles",
    "hand",
    "hands",
    "insured",
    "lit",
)
"""Observations in the order of rows in which the kernel writes them."""
LABELS = ("total", "soft", "cards", "pair", "pending")
"""Those that a state of the hand automaton says by itself."""

STAND_ONLY = Action.STAND.bit
INSURANCE_BITS = Action.INSURE.bit | Action.DECLINE.bit


class Game(NamedTuple):
    """Hands, the dealer and what the base wager pays, as flat tables.

    `child[state, symbol]`, `action[context, up, state]` with `RANDOM` where somebody decides,
    `dealer_next[state, symbol]` and `begin[up, hole]` with `-1 - class` for a final one,
    `found[up, hole]` for naturals that the check finds, `split_context[aces, hands]`, and
    `pays[first or other, flat, doubles, class, dealer's class]`. `compares[class]`: the dealer's
    further cards matter to such a hand.
    """

    symbols: int
    nodes: int
    start: int
    turn: int
    child: Shorts
    keep: Shorts
    trade: Shorts
    split_to: Shorts
    pair_aces: Bytes
    ends_as: Shorts
    settled_as: Shorts
    action: Bytes
    context_next: Shorts
    split_context: Ints
    surrendered: int
    rescued: int
    dealer_next: Shorts
    begin: Shorts
    found: Bools
    natural_class: int
    any_class: Shorts
    compares: Bools
    most_doubles: int
    classes: int
    ends: int
    pays: Ints
    flat: Bools
    flat_once: bool


class Before(NamedTuple):
    """What is decided before the check, and what may be decided at all.

    `mask[context, up, state]` are legal actions in a turn and `early[up, state]` those before the
    check; insurance pays `pays[wins]` units. `labels[state]` is what is seen of a state, and
    `marked[symbol]` says which cards are bonus cards.
    """

    trades: bool
    folds: bool
    pending: Bools
    owed: Bools
    early: Codes
    offered: Bools
    pays: Ints
    mask: Codes
    labels: Ints
    marked: Bools


class Lights(NamedTuple):
    """Lights and prizes; `light[state, symbol]` come with a card by themselves."""

    on: bool
    column: int
    next: Ints
    prize: Ints
    surplus_counts: bool
    light: Bytes


class Layout(NamedTuple):
    """Where the cards of the first deal go, and how many of them lie face up.

    A round has `room` places: `most` for the player, as many for the dealer, then the middle.

    With `own_cards`, further cards of a hand are those dealt to it face down.
    """

    room: int
    most: int
    deal_to: Ints
    first_up: int
    own: int
    dealer: int
    dealer_up: int
    community: int
    community_seen: bool
    own_cards: bool
    dealer_own_cards: bool


class Paid(NamedTuple):
    """What is paid: the columns with money in them, a unit in cents, the base wager in cents.

    Rounds that end in a step are settled together: `rounds` is their number, `of_round` are their
    environments, `result` the dealer's classes, then hands, how they ended and their doubles, and
    for wagers on cards the first deal; `net[column, round]` is what they came to in units. All
    wagers are of the first `level`.
    """

    columns: Ints
    unit: int
    bet: int
    penalty: float
    keeps_cards: bool
    rounds: Ints
    of_round: Ints
    result: Ints
    hands: Ints
    final: Ints
    doubles: Ints
    cards: Words
    net: Ints
    level: Ints


class Envs(NamedTuple):
    """All rounds that are played at once, one row each.

    `cards` are those of the first deal, `room` for every round; `held[hand, place]` are the cards
    of a player's hands and `drawn` those that the dealer drew, for people to read. `seen` counts
    the cards that the player has seen, by symbol.
    """

    decks: Codes
    streams: Words
    rows: Ints
    final: Ints
    doubled: Ints
    cards: Words
    lit: Ints
    prized: Bools
    held: npt.NDArray[np.uint16]
    holds: Ints
    drawn: npt.NDArray[np.uint16]
    seen: Ints
    keys: Ints


class Told(NamedTuple):
    """What one step says: an observation per row, and by environment what became of the round.

    `ending` are the last observations of rounds that ended, where another one begins at once.
    """

    seen_by: Ints
    ending: Ints
    masks: Bytes
    rewards: Floats
    ended: Bools
    illegal: Bools
    net: Ints
    dealer: Ints
