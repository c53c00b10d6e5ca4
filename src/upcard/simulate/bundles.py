"""What the kernel works with: arrays in bundles, in the order in which a round needs them.

Everything in a bundle comes from `GameTables`, from a policy, or from what is staked. Tables with
two or more indices are laid out flat where they are read for every card: `child[node * symbols +
symbol]`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint16]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

ACTIONS = len(Action)
RANDOM = ACTIONS
"""In the place of an action: any of the legal ones."""

CODE_BITS = 5
"""A card in the shoe is its number in the deck, then so many bits for its symbol."""

ALWAYS_INSURES, INSURES_BY_COUNT, INSURES_AT_RANDOM = range(3)

STATE, STEP, AT, END, WAITING = range(5)
"""Places in `Shoe.now`: the random state and its step, cards taken, their end, the next card."""

EMPTY = np.uint64(0xFFFF)
"""In the place of a card: there is none."""

RUNNING, HIDDEN = range(2)
"""Places in `Counting.running`: the count, and the weight of the dealer's down card in it."""

UNSEEN, SEEN, SEEN_LATER = range(3)
"""When a card of the first deal counts: not before it is turned, at once, when the dealer plays."""


class Rules(NamedTuple):
    """The round itself. Moves to a final class are `-1 - class`.

    `deal_to` is where in `Here.cards` the cards of the first deal go, one by one: every seat has a
    row of `most` places, the dealer the one behind, then come community cards, and last a place for
    cards that go away; `first_up` of a player's lie face up. `begin[up, hole]` and
    `dealer_next[state, symbol]` are the dealer's hand; `found[up, hole]` are naturals that the
    check finds. `split_context[aces, hands]` is the context of hands that wait after a split.
    `compares[class]`: the
    dealer's further cards matter to such a hand.
    """

    symbols: int
    turn: int
    seats: int
    most: int
    first_up: int
    deal_to: Words
    dealer_next: Shorts
    begin: Shorts
    found: Bools
    natural_class: int
    any_class: Shorts
    context_next: Shorts
    split_context: Words
    surrendered: int
    rescued: int
    compares: Bools


class Play(NamedTuple):
    """Hands as nodes, and what a policy does with them.

    A node is a state of the hand automaton, or such a state with its cards; `first_two[one, two]`
    is that of the first two cards; `compares[node]`: the dealer's further cards matter to it. What
    is done stands in `action[row, up, node]` with `row_of[first or other hand, context]`.
    """

    start: int
    nodes: int
    first_two: Shorts
    child: Shorts
    keep: Shorts
    trade: Shorts
    split_to: Shorts
    pair_aces: Bytes
    ends_as: Shorts
    compares: Bools
    settled_as: Shorts
    row_of: Words
    action: Bytes


class Early(NamedTuple):
    """What is done before the check: `action[up, node]`, with trades of the first cards, and then
    with early surrender, where the game has them.
    """

    trades: bool
    folds: bool
    action: Bytes
    pending: Bools
    owed: Bools


class Insurance(NamedTuple):
    """When insurance is offered, when it is taken, and what it pays: `pays[level, wins]`."""

    offered: Bools
    takes: int
    from_count: int
    pays: Ints


class Carried(NamedTuple):
    """What lasts from round to round: lights, by seat; `light[node, symbol]` come by themselves.

    Prizes are added to `column`.
    """

    column: int
    next: Ints
    prize: Ints
    surplus_counts: bool
    light: Bytes
    lit: Ints
    prized: Bools


class Counting(NamedTuple):
    """The running count, and what it changes.

    `weight[card]` in hundredths; `seen[n]` says when a card of the first deal counts. From
    the true count `from_count[row, up, node]` on, `then` is done instead. `level_from` are the true
    counts at which the wagers change.
    """

    weight: Ints
    running: Ints
    seen: Bytes
    cards_a_deck: int
    level_from: Ints
    from_count: Bytes
    then: Bytes


class Chance(NamedTuple):
    """Legal actions, where a choice is left to chance: laid out like `Play` and `Early`."""

    mask: Codes
    early_mask: Codes


class Shoe(NamedTuple):
    """The cards, and the stream of random numbers that picks them."""

    deck: Codes
    now: Words


class Cut(NamedTuple):
    """A shoe that may be dealt out: `at` is where the cut card stands, 0 for a fresh shoe every
    round. With `shuffles` every card comes from any place of those left, otherwise in order.
    """

    at: int
    burn: int
    shuffles: bool


class Stakes(NamedTuple):
    """The base wager: `pays[level, first or other, flat, doubles, class, dealer's class]` in units
    of money, flat 1 with fixed amounts. `level` is the size of the wagers, which may go by the
    count.
    """

    most_doubles: int
    classes: int
    ends: int
    pays: Ints
    flat: Bools
    flat_once: bool


class Sides(NamedTuple):
    """All columns but the base wager: insurance, every other wager, prizes and fees.

    Of wagers on how the first hand ends, `by_class[level, column, class, dealer's class]`; of
    wagers on cards, `match[level, column, suited, unsuited]`, `five[level, column, flush,
    multiset]` and `showdown[level, column, result]`. `key[card]` is four times a card's rank in
    poker, and its suit.
    """

    columns: int
    kind: Ints
    amount: Ints
    by_class: Ints
    window: Ints
    match: Ints
    five: Ints
    showdown: Ints
    strength: Shorts
    qualifies: Ints
    lost_when_over: Bools
    bust: int
    key: Ints
    choose: Ints
    fee: Ints
    fee_added: Ints


class Bank(NamedTuple):
    """A player's bank: what it pays for the round, and what it put up, negative without a limit.

    `at_once[up]`: naturals are settled before everything else; `natural` is their class. `order`
    are the columns that it banks, in the order of settlement.
    """

    fee: Ints
    amount: int
    each_way: bool
    at_once: Bools
    natural: int
    staked: Bools
    order: Ints


class OwnCards(NamedTuple):
    """Whether further cards of players and of the dealer are their own down cards."""

    players: bool
    dealers: bool


class Kept(NamedTuple):
    """What wagers besides the base need to know of rounds: how hands ended, and their cards.

    `fives` are the poker hands of seats and dealer. By round `room` places of cards, laid out as in
    `Here`; by seat-round the number of hands, and by hand its class, its doubles and what its wager
    won.
    """

    rounds: Ints
    hands: Ints
    most_hands: int
    final: Ints
    doubles: Ints
    claims: Ints
    room: int
    most: int
    cards: Words
    fives: Ints


class Here(NamedTuple):
    """A round while it is played.

    `cards` are those of the first deal, laid out as in `Rules`, and `turned` how many of a seat's
    have been played.
    """

    node: Words
    hands: Words
    final: Words
    doubles: Words
    cards: Words
    turned: Words
    folded: Bools


class Out(NamedTuple):
    """Some rounds, ready to be added up, in units of money.

    `net[column, seat-round]`; `insured[seat-round]` where there was insurance to count; and by
    round the level of wagers, the share of the shoe that was gone at its start, the true count
    then, and what the bank won.
    """

    net: Ints
    up: Ints
    result: Ints
    insured: Bools
    level: Ints
    depth: Ints
    true_count: Ints
    bank: Ints
