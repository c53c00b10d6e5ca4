"""Random rounds of a whole table: all seats against one dealer's hand, from one shoe.

The players' hands share the dealer's cards, so their results belong together: a bank swings more
than with as many tables of one seat. Every round starts from a full shoe. Each seat plays by the
very choices that the exact values assume, the hands of a split one after another; wagers are
rounded and settled as at the table, by a bank without limits and by a limited one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.jit import kernel
from upcard.solve.graph import BUST
from upcard.solve.play import (
    DOUBLE,
    DRAW,
    HIT,
    OVER,
    REDOUBLE,
    RESCUE,
    SPLIT,
    SURRENDER,
)
from upcard.splitmix import next_random

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Seed = npt.NDArray[np.uint64]

BASE_KIND, CLASS_KIND, MATCH_KIND = range(3)
"""How a wager is settled: hand by hand, by how the first hand ended, by the cards that match."""

FIRST, OTHER = range(2)
MOMENTS = 4
RANKS_IN_SUIT = 13


class Special(NamedTuple):
    """Classes of hands that do not end by their cards, and of those that are over the limit."""

    surrendered: int
    rescued: int
    bust: int


class Play(NamedTuple):
    """Hands and choices. Nodes of all split graphs stand in one array, each begins at `root[pair]`.

    `choice[play, up, doubles, node]`; `folds[play, up, node]` is early surrender;
    `split_choice[play, up, further pair cards, first or other hand, doubles, node]`.
    """

    child: Shorts
    ends_as: Ints
    settled_as: Ints
    pair_of: Ints
    choice: Bytes
    folds: Bools
    root: Ints
    pair: Ints
    most_hands: Ints
    split_child: Shorts
    split_ends_as: Ints
    split_choice: Bytes
    special: Special


class DealerPlay(NamedTuple):
    """The dealer's automaton; `found[up, hole]` are the naturals that the check finds."""

    start: int
    next: Ints
    draws: Bools
    final: Ints
    found: Bools
    natural: int


class Stakes(NamedTuple):
    """What the wagers of every seat pay the player, in cents and rounded to chips.

    Columns are wagers in the order of settlement, `kind` how each is settled. `base[seat, first or
    other, flat, doubles, player's class, dealer's class]`, flat 1 with fixed amounts and 0 without;
    `by_class[seat, column, ...]`; `by_match[seat, column, suited, unsuited]` against the dealer's
    first `match_cards[column]` cards. `flat_once`: fixed amounts are charged once a player.
    """

    play: Ints
    placed: Bools
    kind: Ints
    base: Ints
    flat: Bools
    flat_once: bool
    by_class: Ints
    by_match: Ints
    match_cards: Ints


class Limit(NamedTuple):
    """What a bank put up, negative without a limit.

    `at_once[up]`: naturals are paid before everything else; `natural` is their class.
    """

    amount: int
    each_way: bool
    at_once: Bools
    natural: int


class Shoe(NamedTuple):
    """Card numbers, how many are dealt, and whether the next card is any of the others.

    `symbol` is what the rules see in a card.
    """

    deck: Ints
    dealt: Ints
    seed: Seed
    shuffles: bool
    symbol: Ints


class Round(NamedTuple):
    """A round while it is played: what every hand of every seat has come to."""

    cards: Ints
    hands: Ints
    final: Ints
    doubles: Ints
    dealer: Ints
    net: Ints


class Sums(NamedTuple):
    """Sums over rounds, of the bank's results in cents.

    `columns[seat, column, power]` by wager; `seats[seats - 1, power]` of the first so many seats
    together; `limited[power]` of a limited bank, `cut[power]` of what the limit changes, and
    `rounds[0]` how many, `rounds[1]` those that the limit changed.
    """

    columns: Floats
    seats: Floats
    limited: Floats
    cut: Floats
    rounds: Ints


@kernel
def _draw(shoe: Shoe) -> int:
    """The next card of the shoe: any of those left, or the next one if the order is given."""
    place = shoe.dealt[0]
    left = len(shoe.deck) - place
    if left <= 0:
        # Only a very small shoe is ever dealt out; its cards go in again.
        place, left = 0, len(shoe.deck)
    if shoe.shuffles:
        other = place + int(next_random(shoe.seed) * left)
        shoe.deck[place], shoe.deck[other] = shoe.deck[other], shoe.deck[place]
    shoe.dealt[0] = place + 1
    return int(shoe.deck[place])


@kernel
def _finish_hand(
    shoe: Shoe, special: Special, child: Shorts, ends_as: Ints, choice: Bytes, node: int
) -> tuple[int, int, int]:
    """Play a hand to its end: its class, its doubles, and -1 or the pair that is to be split."""
    doubles = 0
    while node != BUST:
        action = choice[doubles, node]
        if action in (DOUBLE, REDOUBLE):
            doubles += 1
        elif action not in (HIT, DRAW):
            break
        node = child[node, shoe.symbol[_draw(shoe)]]
    if node == BUST or action == OVER:
        return special.bust, doubles, -1
    if action == SPLIT:
        return special.bust, doubles, node
    if action == SURRENDER:
        return special.surrendered, doubles, -1
    if action == RESCUE:
        return special.rescued, doubles, -1
    return ends_as[node], doubles, -1


@kernel
def _split(play: Play, shoe: Shoe, here: Round, seat: int, number: int, up: int, node: int) -> None:
    """Split a pair: each hand gets its second card in its turn, and a pair is split again."""
    which = play.pair_of[node]
    most = play.most_hands[which, up]
    hands = 2
    hand = 0
    while hand < hands:
        second = shoe.symbol[_draw(shoe)]
        while second == play.pair[which] and hands < most:
            hands += 1
            second = shoe.symbol[_draw(shoe)]
        choice = play.split_choice[number, up, hands - 2, FIRST if hand == 0 else OTHER]
        start = play.split_child[play.root[which], second]
        final, doubles, _ = _finish_hand(
            shoe, play.special, play.split_child, play.split_ends_as, choice, start
        )
        here.final[seat, hand] = final
        here.doubles[seat, hand] = doubles
        hand += 1
    here.hands[seat] = hands


@kernel
def _take_turns(play: Play, follows: Ints, shoe: Shoe, here: Round, first: Ints, up: int) -> None:
    """All seats in order, one hand finished before the next."""
    for seat in range(len(first)):
        number = follows[seat]
        if play.folds[number, up, first[seat]]:
            continue
        choice = play.choice[number, up]
        final, doubles, pair = _finish_hand(
            shoe, play.special, play.child, play.ends_as, choice, first[seat]
        )
        here.final[seat, 0] = final
        here.doubles[seat, 0] = doubles
        if pair >= 0:
            _split(play, shoe, here, seat, number, up, pair)


@kernel
def _complete(dealer: DealerPlay, shoe: Shoe, up: int, hole: int) -> int:
    """The dealer's hand to its end; its class."""
    own = dealer.next[dealer.next[dealer.start, up], hole]
    while dealer.draws[own]:
        own = dealer.next[own, shoe.symbol[_draw(shoe)]]
    return int(dealer.final[own])


@kernel
def _play_round(
    play: Play, dealer: DealerPlay, follows: Ints, shoe: Shoe, here: Round, first: Ints
) -> int:
    """Deal and play a round; what the dealer's hand ended as."""
    seats = len(first)
    shoe.dealt[0] = 0
    for number in range(2):
        for seat in range(seats):
            here.cards[seat, number] = _draw(shoe)
        here.dealer[number] = _draw(shoe)
    up, hole = shoe.symbol[here.dealer[0]], shoe.symbol[here.dealer[1]]
    for seat in range(seats):
        node = play.child[0, shoe.symbol[here.cards[seat, 0]]]
        node = play.child[node, shoe.symbol[here.cards[seat, 1]]]
        first[seat] = node
        here.hands[seat] = 1
        here.doubles[seat, 0] = 0
        folded = play.folds[follows[seat], up, node]
        here.final[seat, 0] = play.special.surrendered if folded else play.settled_as[node]
    if dealer.found[up, hole]:
        return dealer.natural
    _take_turns(play, follows, shoe, here, first, up)
    return _complete(dealer, shoe, up, hole)


@kernel
def _matches(cards: Ints, dealer: Ints, seat: int, seen: int) -> tuple[int, int]:
    """Suited and unsuited matches; each of the player's cards counts once, at its best."""
    suited = 0
    unsuited = 0
    for number in range(cards.shape[1]):
        own = cards[seat, number]
        same = 0
        for place in range(seen):
            if own == dealer[place]:
                same = 2
            elif own % RANKS_IN_SUIT == dealer[place] % RANKS_IN_SUIT:
                same = max(same, 1)
        suited += same == 2
        unsuited += same == 1
    return suited, unsuited


@kernel
def _claim(
    stakes: Stakes, here: Round, seat: int, column: int, hand: int, result: int, charged: int
) -> tuple[int, int]:
    """What a wager wins or loses for the player, and whether a fixed amount is in it."""
    final = here.final[seat, hand]
    if stakes.kind[column] == CLASS_KIND:
        return stakes.by_class[seat, column, final, result], 0
    if stakes.kind[column] == MATCH_KIND:
        suited, unsuited = _matches(here.cards, here.dealer, seat, stakes.match_cards[column])
        return stakes.by_match[seat, column, suited, unsuited], 0
    role = FIRST if hand == 0 else OTHER
    flat = 0 if stakes.flat_once and charged else 1
    doubles = here.doubles[seat, hand]
    return stakes.base[seat, role, flat, doubles, final, result], flat * stakes.flat[final, result]


@kernel
def _covered(limit: Limit, bank: Ints, amount: int) -> int:
    """What a limited bank collects (above 0) or pays (below 0) of an amount.

    `bank` is what it has collected and paid so far.
    """
    to_pay = limit.amount - bank[1]
    to_collect = limit.amount - bank[0]
    if not limit.each_way:
        to_pay += bank[0]
        to_collect += bank[1]
    if amount > 0:
        amount = min(amount, to_collect)
        bank[0] += amount
    else:
        amount = max(amount, -to_pay)
        bank[1] -= amount
    return amount


@kernel
def _settle(
    stakes: Stakes, limit: Limit, here: Round, result: int, natural: bool, bank: Ints
) -> tuple[int, int]:
    """Settle seat by seat; the results of a bank without limit and of a limited one."""
    seats, columns = here.net.shape
    whole = 0
    bank[:] = 0
    here.net[:] = 0
    for early in range(2):
        for seat in range(seats):
            now = natural and here.final[seat, 0] == limit.natural and here.hands[seat] == 1
            charged = 0
            for column in range(columns):
                is_base = stakes.kind[column] == BASE_KIND
                if not stakes.placed[seat, column] or (now and is_base) != (early == 0):
                    continue
                for hand in range(here.hands[seat] if is_base else 1):
                    won, flat = _claim(stakes, here, seat, column, hand, result, charged)
                    charged |= flat
                    here.net[seat, column] -= won
                    whole -= won
                    if limit.amount >= 0:
                        _covered(limit, bank, -won)
    return whole, bank[0] - bank[1] if limit.amount >= 0 else whole


@kernel
def _add_up(here: Round, whole: int, limited: int, sums: Sums) -> None:
    """Add a round to the sums."""
    seats, columns = here.net.shape
    total = 0.0
    for seat in range(seats):
        for column in range(columns):
            one = float(here.net[seat, column])
            total += one
            sums.columns[seat, column, 0] += one
            sums.columns[seat, column, 1] += one * one
        power = 1.0
        for number in range(MOMENTS):
            power *= total
            sums.seats[seat, number] += power
    power = 1.0
    for number in range(MOMENTS):
        power *= float(limited)
        sums.limited[number] += power
    cut = float(limited - whole)
    sums.cut[0] += cut
    sums.cut[1] += cut * cut
    sums.rounds[0] += 1
    sums.rounds[1] += limited != whole


@kernel
def play_rounds(
    play: Play,
    dealer: DealerPlay,
    stakes: Stakes,
    limit: Limit,
    shoe: Shoe,
    here: Round,
    sums: Sums,
    rounds: int,
) -> None:
    """Play so many rounds and add them to the sums."""
    first = np.zeros(len(here.hands), dtype=np.int64)
    bank = np.zeros(2, dtype=np.int64)
    for _ in range(rounds):
        result = _play_round(play, dealer, stakes.play, shoe, here, first)
        up = shoe.symbol[here.dealer[0]]
        natural = limit.at_once[up] and result != dealer.natural
        whole, limited = _settle(stakes, limit, here, result, natural, bank)
        _add_up(here, whole, limited, sums)
