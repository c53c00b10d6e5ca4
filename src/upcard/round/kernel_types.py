"""What the kernel works with: arrays in bundles, in the order in which a round needs them.

Everything in a bundle comes from `GameTables`, from a policy, or from what is staked. Tables with
two or more indices are laid out flat where they are read for every card: `child[node * symbols +
symbol]`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.effects import Special

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Codes = npt.NDArray[np.unsignedinteger[Any]]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

Index = int | np.uint64
"""A number from 0 on: whole numbers of a range over `uint64` are such ones too when compiled."""

ACTIONS = len(Action)
MOVES = ACTIONS + len(Special)
"""Everything that may stand in the place of an action."""

CODE_BITS = 5
"""A card in the shoe is its number in the deck, then so many bits for its symbol."""
CODE = np.uint16
"""A card without more than that."""
WEIGHT_SHIFT = 32
"""Where cards are counted, what a card weighs stands in front of it from this bit on: then the sum
of cards has the sum of their weights there, as long as there are not millions of them."""

SYMBOL, CARD = np.uint64((1 << CODE_BITS) - 1), np.uint64(CODE_BITS)
"""The bits of a symbol, and how far to shift for a card's number."""
ZERO, ONE, TWO = (np.uint64(number) for number in range(3))

PLAYING = np.uint64(2**32)
"""In the place of a final class: the hand goes on."""

LEFT = -(2**31)
"""In the place of a walk's state: the hand's turn is played move by move."""

ALWAYS_INSURES, INSURES_BY_COUNT, INSURES_AT_RANDOM = range(3)

DRAWS, RAISES, LEADS, SPLITS, ENDS, ENDS_BY_CARDS, BY_HOUSE = (1 << bit for bit in range(7))
"""What a move does, in `EffectFlags.kind`: a card comes; the stake is doubled; the hand goes on
from another node; it becomes two; it is over as a class of the move's own, or as that of its
cards; what is staked is the house's."""

STATE, STEP, WORD, NEXT_WORD, AT, END, WAITING, BEGAN, DRY, ASIDE = range(10)
"""Places in `MachineShoe.now`: the random state, its step, and two random words for the next first
deal; cards taken and the one that waits, their end (0 before the first shuffle), the next card,
where the round began, and whether it has had none to take and is void. `ASIDE` is how many cards of
the round have been laid aside."""
STREAM = 10
"""Places of `MachineShoe.now`."""

NO_INDEX = 127
"""In the place of a true count: none changes anything."""

ANEW, LEAVE = -1, -2
"""In the place of an answer: begin another round; leave the round as it is."""


class Pause(IntEnum):
    """Where a round stands when somebody is asked, in the order of a round."""

    TRADE = 0
    INSURANCE = 1
    EARLY_SURRENDER = 2
    TURN = 3
    NOTHING = 4
    OVER = 5
    EXCHANGE = 6
    """Between the check and the turns; its number came last."""

    @property
    def text(self) -> str:
        return self.name.lower().replace("_", "-")


BEGIN = -1
"""In the place of a stage: nobody was asked yet, or the answer has been taken."""

(
    STAGE,
    MASK,
    ASKED,
    NODE,
    ROOT,
    CONTEXT,
    HAND,
    HANDS,
    ACES,
    DOUBLES,
    MATTERS,
    UP,
    INSURED,
    DREW,
    SEAT,
    EXCHANGED,
) = range(16)
"""Places of a row of `Stops.rows`: `SEAT` is the box of the round that is asked, and `INSURED` has
a bit for every box."""
ROW = 16

(
    LOOKS_PLAYERS,
    LOOKS_UP,
    FIRST_AT,
    TWO_AT,
    DEALERS_AT,
    DEALERS_KINDS,
    STEPS_AT,
    STEPS_FROM,
    PAYS_AT,
    PAYS_END,
) = range(10)
"""Places of a row of `Sides.looks`: how many of the player's first cards it goes by, and whether by
the up card; where its kinds of first cards begin, those of two cards without a third, and those of
the dealer's two, and how many of these there are; where the steps of a walk along the dealer's hand
begin, and its first state; and where its pays begin and end."""
LOOKS = 10

FACE_DEALER, FACE_MIDDLE, OF_PLAYER, OF_DEALER, OF_MIDDLE = range(5)
"""Places of `Stops.faces`."""


class EffectFlags(NamedTuple):
    """What every move does: its `kind`, the class that it ends as in a turn and before the check,
    cards put away, lights lit.

    `insures[move]`: the box is insured. `plain[move]` is the move itself, or `DRAW` or `OVER` of
    which it does no more.
    """

    kind: Shorts
    plain: Bytes
    raises: Words
    ends_as: Words
    ends_early_as: Words
    discards: Bytes
    lights: Bytes
    insures: Bools


class RoundRules(NamedTuple):
    """The round itself. The dealer's states are multiples of `symbols`, so that a card is just
    added; moves to a final class are `-1 - class`.

    `deal_to` is where in `Here.cards` the cards of the first deal go, one by one: every seat has a
    row of `most` places, the dealer the one behind, then come community cards, and last a place for
    cards that go away, `room` in all; `first_up` of a player's lie face up. `begin[up, hole]` and
    `dealer_next[state + symbol]` are the dealer's hand; `found[up, hole]` are naturals that the
    check finds. `shows` is how many things can be shown: whatever goes by `up` elsewhere goes by
    their number, which is the up card's unless `Machine.shown_of` says otherwise.
    `split_context[aces, hands]` is the context of hands that wait after a split, those with
    the house's markers two further; these have stakes that are `marker_level` higher.
    `compares[class]`: the dealer's hand is completed where there is such a hand.
    """

    symbols: int
    turn: int
    seats: int
    most: int
    room: int
    first_up: int
    deal_to: Words
    dealer_next: Shorts
    begin: Shorts
    found: Bools
    natural_class: int
    any_class: Shorts
    shows: int
    context_next: Shorts
    split_context: Words
    marker_level: int
    compares: Bools


class Play(NamedTuple):
    """Hands as nodes, and what a policy does with them.

    A node is a state of the hand automaton, or such a state with its cards; `first_two[one, two]`
    is that of the first two cards; `leads[action, node]` the node that an action leads to without
    a card; `compares[node]`: the dealer's hand is completed for it. What is done stands in
    `action[row, up, node]` with `row_of[player, first or other hand, context]`.
    """

    start: int
    nodes: int
    first_two: Shorts
    child: Shorts
    leads: Shorts
    pair_aces: Bytes
    ends_as: Shorts
    compares: Bools
    settled_as: Shorts
    row_of: Words
    action: Bytes


class Walk(NamedTuple):
    """The play of an only seat's first hand where nothing but cards decides how it goes on.

    `begin[up, one, two]` is what the first two cards come to, `next[state + symbol]` what another
    does: a state that draws, a multiple of the number of symbols; or `-1 - code` of a hand that is
    over, the code being `Played.spot`, twice, and 1 more if the dealer's further cards matter to
    it. `LEFT` is neither.
    """

    begin: Shorts
    next: Shorts


class EarlyPlay(NamedTuple):
    """What is done before the check: `action[player, up, node]`, with trades of the first cards,
    and then with early surrender, where the game has them.
    """

    trades: bool
    folds: bool
    action: Bytes
    pending: Bools
    owed: Bools


class ExchangePlay(NamedTuple):
    """What the two boxes of a player exchange: `action[up, first box's two, second box's two]`.

    `exchanges[action]` is whether cards change places, `mask` has the answers that chance may give.
    Where a box's play goes by the other's cards, `player[one, two]` is the play that goes with two
    cards of the other; otherwise it is empty. Without any action nothing is ever exchanged.
    """

    action: Bytes
    mask: int
    exchanges: Bools
    player: Words


class InsurancePlay(NamedTuple):
    """When insurance is offered, when it is taken, and what it pays: `pays[level, wins]`.

    `mask` are the answers to the question.
    """

    offered: Bools
    mask: int
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


class Glances(NamedTuple):
    """When the cards of the first deal are seen, by their order: all bits for those `at_once`, and
    for those `later`, when the dealer plays; `unseen[0]` is the sum of these until then.
    """

    at_once: Words
    later: Words
    unseen: Words


class Counting(NamedTuple):
    """The running count, and what it changes.

    Cards have their weights, in hundredths, in front of them; `running[0]` is the sum of all that
    were seen. `glances` is None where every card of a round has been seen before somebody looks at
    the count again. From the true count `from_count[row, up, node]` on,
    `then` is done instead. `level_at` is the level of the wagers by the true count, from `lowest`
    on; beyond its ends nothing changes.
    """

    running: Words
    glances: Glances | None
    cards_a_deck: int
    lowest: int
    level_at: Words
    from_count: Bytes
    then: Bytes


class Chance(NamedTuple):
    """Legal actions, where a choice is left to chance: laid out like `Play` and `EarlyPlay`."""

    mask: Codes
    early_mask: Codes


class MachineShoe(NamedTuple):
    """The cards, and the stream of random numbers that picks them.

    The deck has `size` cards. Behind them is room for those that come back when it is dealt out.
    """

    deck: Codes
    size: int
    now: Words


class Cut(NamedTuple):
    """A shoe that is not simply a full one every round: `at` is where the cut card stands, 0 for a
    fresh shoe all the same. With `full` it is simply a full one after all.
    """

    at: int
    burn: int
    full: bool = False


class Returns(NamedTuple):
    """A shoe that a round may deal out, so that cards come back in the middle of it.

    With `shuffles` every card comes from any place of those left, otherwise in order. A round
    without cards is void; it is played to its end with `filler`, which nobody can put away. No
    round takes more than `most_needed` cards.

    `settles[class, up]`: such a hand is settled as soon as it has ended, so that its cards may come
    back. `natural` is a player's natural, which ends before the turns. `marked` symbols are those
    that may be put away. `held[seat, hand, place]` are the cards of hands, `holds` how many;
    `aside[seat, hand]`: its cards may come back.
    """

    shuffles: bool
    filler: np.uint64
    most_needed: int
    settles: Bools
    natural: np.uint64
    marked: Bools
    held: Codes
    holds: Ints
    aside: Bools


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

    Of wagers on how hands end, `by_class[level, column, first or other hand, class, dealer's
    class]`; of wagers on cards, `match[level, column, suited, unsuited]`, `five[level, column,
    flush, multiset]` and `showdown[level, column, result]`. `key[card]` is four times a card's rank
    in poker, and its suit. Five ranks are a multiset:
    `multiset[trio[three ranks] + duo[two ranks]]`, a rank being four bits.

    Of wagers by rows of conditions, `looks[column]` says by what they are looked up (`LOOKS`) in
    `cards`, all tables one behind another, and where their pays begin in `card_pays[level]`.

    Prizes of hands are the column `prizes`, -1 where there are none: `prize[level, shown, class]`
    is what a hand wins that was neither split nor doubled, and `envy` what every other seat gets.
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
    trio: Codes
    duo: Codes
    multiset: Codes
    fee: Ints
    fee_added: Ints
    looks: Ints
    cards: Shorts
    card_pays: Ints
    prizes: int
    prize: Ints
    envy: Ints


class BankTerms(NamedTuple):
    """A player's bank: what it pays for the round, and what it put up, negative without a limit.

    By column `covered`: it gets no more than the bank has left, by its running net, `each_way`, or
    so that nothing is settled once it is `ends_exhausted`. With `by_wagers` it covers what is at
    stake until that is what it put up: `staked[level, column]` is placed, and a hand has
    `at_stake[class, doubles]` base wagers; `if_taken`: only where something is due.

    `at_once[up, column]`: where the hand is a natural, whose class is `natural`, it is settled
    before everything else. `with_game` and `after_game` are the columns that it banks, in the order
    of settlement.
    """

    fee: Ints
    amount: int
    each_way: bool
    ends_exhausted: bool
    by_wagers: bool
    staked: Ints
    at_stake: Ints
    if_taken: Bools
    covered: Bools
    at_once: Bools
    natural: int
    with_game: Ints
    after_game: Ints


class Crowd(NamedTuple):
    """Several seats: whose play each follows, and by how many levels its wagers are apart."""

    seats: int
    player: Words
    level: Words


class Stacked(NamedTuple):
    """Rounds that begin alike: so many cards on top of the deck lie ready, and are dealt first.

    An endless shoe has as many of all others as before, whatever was dealt.
    """

    cards: int
    endless: bool


class OwnCards(NamedTuple):
    """Whether further cards of players and of the dealer are their own down cards.

    So many of the dealer's down cards, `looks`, can make a natural with the up card.
    """

    players: bool
    dealers: bool
    looks: int


class Kept(NamedTuple):
    """What wagers besides the base need to know of rounds: how hands ended, and their cards.

    `fives` are the poker hands of seats and dealer. By round `room` places of cards, laid out as in
    `Here`; by seat-round the number of hands, and by hand its class, its doubles and what its wager
    won. `drawn`, `drew` and `thirds` are as in `DealersCards` and `ThirdCards`.
    """

    rounds: Ints
    hands: Ints
    most_hands: int
    final: Ints
    doubles: Ints
    claims: Ints
    room: int
    most: int
    cards: Codes
    fives: Ints
    drawn: Codes
    drew: Ints
    thirds: Ints


class DealersCards(NamedTuple):
    """Where the cards that the dealer draws are kept, for wagers on the dealer's final hand.

    With `wanted` the dealer's hand is completed in any case. By round `most` places of `drawn`, and
    how many were `drew`.
    """

    wanted: bool
    most: int
    drawn: Codes
    drew: Ints


class ThirdCards(NamedTuple):
    """The third card of every seat's first hand, for wagers on it: its number and 1, 0 for none.

    `matters[first * 52 + second]`: a third card makes a difference. With `guaranteed` one is dealt
    then though the hand drew none, but for hands that ended as a class that `forfeits` it. `here`
    are the seats of a round while it is played, `thirds` those of rounds that ended.
    """

    wanted: bool
    guaranteed: bool
    matters: Bools
    forfeits: Bools
    here: Ints
    thirds: Ints


class NoHole(NamedTuple):
    """A dealer who has one card until all hands are played, if `wanted`.

    `waits[first or other hand, class, up]`: such a hand waits for the second card, and so does
    somebody who `insures`, who may do so where that is `offered[up]`, and a wager that `asks` for
    it beside the player's first two cards and the up card; empty if none does.
    """

    wanted: bool
    insures: bool
    classes: int
    symbols: int
    waits: Bools
    offered: Bools
    asks: Bools


class BonusEnds(NamedTuple):
    """What suits and doubles make of the class of a hand that gets a bonus: the one of a doubled
    hand is `doubled[class]`, and then that of its suits `refined[class, suits]`.

    `suit[card]` is the bit of a card's suit. By seat and hand, `first` is that of the first card
    and `later` are those of all others. Without `wanted` there are no bonuses.
    """

    wanted: bool
    refined: Words
    doubled: Words
    suit: Words
    first: Words
    later: Words


class Here(NamedTuple):
    """A round while it is played, by seat.

    `cards` are those of the first deal, laid out as in `RoundRules`, and `turned` how many of a
    seat's have been played. `gone_as` is the class of a hand that was given up before the check.
    Rounds that stop are side by side, one seat each. `prize` is what lights won in the round.
    """

    node: Words
    hands: Words
    final: Words
    doubles: Words
    cards: Codes
    turned: Words
    gone_as: Words
    prize: Ints


class Out(NamedTuple):
    """Some rounds, ready to be added up, in units of money.

    `net[column, seat-round]`; `insured[seat-round]` where somebody decides about insurance, and
    `insured_at` the seat-rounds that were insured, both empty without insurance; by seat-round the
    level of its wagers, the cards of the shoe that were gone at its start, and the running count
    then; and by round what the bank won.
    """

    net: Ints
    up: Ints
    result: Ints
    insured: Bools
    insured_at: Ints
    level: Ints
    depth: Ints
    running: Ints
    bank: Ints


class Stops(NamedTuple):
    """Rounds side by side that stop wherever somebody is asked.

    `choice[n]` answers for round n: an action, or `ANEW` for another round, or `LEAVE`. A round
    that waits is a row of numbers, with a deck and a `MachineShoe.now` of its own. Of those that
    end, `ended[0]` in all, the numbers stand in `of_round`, in the order of their results in
    `Out`; `over[n]` says that n ended, also if it was void.

    For people to read: `drawn[n, place]` are the cards that the dealer drew, `seen[n, symbol]`
    counts all that the player has seen. `faces` are how many cards of the first deal lie open: of
    the dealer, in the middle; then how many there are: of a player, the dealer, in the middle.
    """

    choice: Ints
    rows: Ints
    decks: Codes
    streams: Words
    ended: Ints
    of_round: Ints
    over: Bools
    dealer: Ints
    drawn: Codes
    seen: Ints
    faces: Ints


class Machine(NamedTuple):
    """A table with its players: all that rounds are played with but the shoe.

    What a table lacks is None, and the compiler leaves it out. Where starting at once is worth more
    than speed, all parts are there, if only as nothing, so that one compiled kernel serves all.

    `shown_of[up, hole]` is what the dealer shows with these two cards, where that is more than the
    up card.
    """

    rules: RoundRules
    effects: EffectFlags
    play: Play
    stakes: Stakes
    here: Here
    cut: Cut | None = None
    returns: Returns | None = None
    early: EarlyPlay | None = None
    insurance: InsurancePlay | None = None
    carried: Carried | None = None
    counting: Counting | None = None
    chance: Chance | None = None
    kept: Kept | None = None
    crowd: Crowd | None = None
    own: OwnCards | None = None
    stacked: Stacked | None = None
    walk: Walk | None = None
    dealers: DealersCards | None = None
    thirds: ThirdCards | None = None
    no_hole: NoHole | None = None
    bonuses: BonusEnds | None = None
    shown_of: Words | None = None
    exchange: ExchangePlay | None = None


class TableCore(NamedTuple):
    """What most stages of a round need."""

    rules: RoundRules
    effects: EffectFlags
    play: Play
    here: Here


class Dealing(NamedTuple):
    """The shoe that a round is dealt from, as it stays for the whole round.

    `first` cards of it are stacked; `gone` is 1, or 0 in an endless shoe, which a card is never
    gone from. `began` is where the round began. With `holding` it is followed whose cards they are,
    which matters only where the shoe can run out.
    """

    deck: Codes
    now: Words
    size: np.uint64
    step: np.uint64
    first: np.uint64
    gone: np.uint64
    began: np.uint64
    holding: bool


class Top(NamedTuple):
    """The top of the shoe: the random state, cards taken with the one that waits, their end, the
    card that waits; and the sum of the cards that were counted.
    """

    state: np.uint64
    at: np.uint64
    end: np.uint64
    waiting: np.uint64
    running: np.uint64


class Where(NamedTuple):
    """Where a round is written down: its number, its first card in `cards` and its first seat in
    `Here`, and its place in `Out`.
    """

    cards: Codes
    number: np.uint64
    row: np.uint64
    base: np.uint64
    place: np.uint64


class Played(NamedTuple):
    """The hands of the last seat that has played: how many, and how the last of them ended.

    `spot` is its doubles times the number of classes, and its class `ended`. `matters`: the
    dealer's further cards matter to some hand of the table.
    """

    hands: np.uint64
    spot: np.uint64
    ended: np.uint64
    doubles: np.uint64
    matters: bool


class Stopping(NamedTuple):
    """Where a round that stops stands: whether it waits, at which stage, and what was answered."""

    stage: int
    answer: int
    halted: bool
