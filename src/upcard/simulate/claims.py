"""What all wagers but the base came to, some rounds at a time, and what a bank makes of them."""

from __future__ import annotations

import numpy as np

from upcard.cards import RANKS
from upcard.compile import poker
from upcard.jit import inlined, kernel
from upcard.simulate.bundles import CODE_BITS, Bank, Insurance, Ints, Kept, Out, Sides, Words

OTHER_KIND, CLASS_KIND, FEE_KIND, MATCH_KIND, POKER_KIND, SHOWDOWN_KIND = range(6)
"""How a column is settled: somewhere else (the base wager, insurance, prizes), by how the first
hand ended, as a fee, by cards that match, by poker hands, against the dealer's poker hand."""

LOSES, TIES, WINS, UNQUALIFIED = range(4)
"""Results of a showdown."""

CARD = np.uint64(CODE_BITS)
SUIT_CARDS = len(RANKS)
"""Cards are numbered suit by suit, from the ace to the king."""
HAND = 5
"""Cards of a poker hand."""
MULTISETS = poker.MULTISETS
LARGEST = 2**40
"""Units of money that a round may move: sums of squares of many rounds still fit."""


@inlined
def sort_keys(keys: Ints, count: int) -> None:
    """A few numbers in order."""
    for last in range(count - 1, 0, -1):
        for place in range(last):
            low = min(keys[place], keys[place + 1])
            keys[place + 1] = max(keys[place], keys[place + 1])
            keys[place] = low


@inlined
def five_index(cards: Words, at: int, key: Ints, choose: Ints) -> tuple[int, int]:
    """Where five cards stand in the poker tables: flush and multiset.

    They are sorted by nine comparisons that are the same for any order, so nothing is mispredicted.
    """
    a, b, c = key[cards[at] >> CARD], key[cards[at + 1] >> CARD], key[cards[at + 2] >> CARD]
    d, e = key[cards[at + 3] >> CARD], key[cards[at + 4] >> CARD]
    flush = ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3
    a, d = min(a, d), max(a, d)
    b, e = min(b, e), max(b, e)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    a, b = min(a, b), max(a, b)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    multiset = choose[0, a >> 2] + choose[1, b >> 2] + choose[2, c >> 2]
    multiset += choose[3, d >> 2] + choose[4, e >> 2]
    return 1 if flush == 0 else 0, multiset


@kernel
def index_fives(sides: Sides, kept: Kept, seats: int) -> None:
    """The first five cards of every seat and of the dealer, by flush and multiset."""
    cards, room, most, fives = kept.cards, kept.room, kept.most, kept.fives
    choose, key = sides.choose, sides.key
    for number in range(kept.rounds[0]):
        for row in range(seats + 1):
            flush, multiset = five_index(cards, number * room + row * most, key, choose)
            fives[number * (seats + 1) + row] = flush * MULTISETS + multiset


@kernel
def settle_fives(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """A pay table for five cards."""
    pays, fives = sides.five, kept.fives
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            five = fives[number * (seats + 1) + seat]
            won = pays[level[number], column, five // MULTISETS, five % MULTISETS]
            net[column, number * seats + seat] = won


@kernel
def settle_best(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """A pay table for the best-paid five of more cards, own and community."""
    cards, room, most = kept.cards, kept.room, kept.most
    pays, choose, key = sides.five, sides.choose, sides.key
    own, middle = sides.window[column, 0], sides.window[column, 2]
    count = own + middle
    keys = np.zeros(count, dtype=np.int64)
    chosen = np.zeros((1 << count, HAND), dtype=np.int64)
    hands = 0
    for which in range(1 << count):
        size = 0
        for card in range(count):
            size += (which >> card) & 1
        if size == HAND:
            place = 0
            for card in range(count):
                if (which >> card) & 1:
                    chosen[hands, place] = card
                    place += 1
            hands += 1
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            for place in range(own):
                keys[place] = key[cards[number * room + seat * most + place] >> CARD]
            for place in range(middle):
                shared = cards[number * room + (seats + 1) * most + place]
                keys[own + place] = key[shared >> CARD]
            sort_keys(keys, count)
            best = -LARGEST
            for hand in range(hands):
                multiset = 0
                other = 0
                for place in range(HAND):
                    card = keys[chosen[hand, place]]
                    multiset += choose[place, card >> 2]
                    other |= (card ^ keys[chosen[hand, 0]]) & 3
                flush = 1 if other == 0 else 0
                best = max(best, pays[level[number], column, flush, multiset])
            net[column, number * seats + seat] = best


@kernel
def settle_showdown(
    sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """The player's five cards against the dealer's."""
    fives, pays, strength = kept.fives, sides.showdown, sides.strength
    qualifies = sides.qualifies[column]
    for number in range(kept.rounds[0]):
        five = fives[number * (seats + 1) + seats]
        dealer = strength[five // MULTISETS, five % MULTISETS]
        for seat in range(seats):
            five = fives[number * (seats + 1) + seat]
            own = strength[five // MULTISETS, five % MULTISETS]
            result = WINS if own > dealer else LOSES
            if own == dealer:
                result = TIES
            if dealer < qualifies:
                result = UNQUALIFIED
            net[column, number * seats + seat] = pays[level[number], column, result]


@kernel
def settle_match(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """Cards of the first two that match the dealer's; each counts once, at its best."""
    cards, room, most, pays = kept.cards, kept.room, kept.most, sides.match
    seen, own = sides.window[column, 1], sides.window[column, 0]
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            suited = 0
            unsuited = 0
            for place in range(own):
                card = int(cards[number * room + seat * most + place] >> CARD)
                same = 0
                for dealers in range(seen):
                    other = int(cards[number * room + seats * most + dealers] >> CARD)
                    alike = card % SUIT_CARDS == other % SUIT_CARDS
                    same = max(same, 2 if card == other else 1 if alike else 0)
                suited += same == 2
                unsuited += same == 1
            net[column, number * seats + seat] = pays[level[number], column, suited, unsuited]


@kernel
def settle_classes(
    sides: Sides, kept: Kept, result: Ints, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """A wager on how the first hand ended against the dealer's."""
    pays, final, most_hands = sides.by_class, kept.final, kept.most_hands
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            slot = number * seats + seat
            own = final[slot * most_hands]
            net[column, slot] = pays[level[number], column, own, result[number]]


@kernel
def settle_fees(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """What a seat pays for its wagers, and for those that it adds."""
    fee, added, most_hands = sides.fee, sides.fee_added, kept.most_hands
    hands, doubles = kept.hands, kept.doubles
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            slot = number * seats + seat
            due = fee[level[number]]
            for hand in range(hands[slot]):
                if hand:
                    due += added[level[number], 0]
                for double in range(doubles[slot * most_hands + hand]):
                    due += added[level[number], double]
            net[column, slot] = -due


@kernel
def settle_insurance(
    insurance: Insurance, out: Out, rounds: int, seats: int, natural_class: int, always: bool
) -> int:
    """Settle insurance; how many were taken. With `always`, wherever it is offered."""
    net, up, result, level, insured = out.net, out.up, out.result, out.level, out.insured
    offered, pays = insurance.offered, insurance.pays
    taken = 0
    for number in range(rounds):
        won = pays[level[number], 1 if result[number] == natural_class else 0]
        for slot in range(number * seats, (number + 1) * seats):
            if always:
                insured[slot] = offered[up[number]]
            net[1, slot] = won if insured[slot] else 0
            taken += insured[slot]
    return taken


@kernel
def settle_sides(
    sides: Sides, kept: Kept, result: Ints, level: Ints, net: Ints, seats: int
) -> None:
    """Settle every column but the base wager, insurance and prizes."""
    most_hands = kept.most_hands
    if len(kept.fives) > 0:
        index_fives(sides, kept, seats)
    for column in range(1, sides.columns):
        kind = sides.kind[column]
        if kind == CLASS_KIND:
            settle_classes(sides, kept, result, level, net, column, seats)
        elif kind == FEE_KIND:
            settle_fees(sides, kept, level, net, column, seats)
        elif kind == MATCH_KIND:
            settle_match(sides, kept, level, net, column, seats)
        elif kind == POKER_KIND and sides.window[column, 0] + sides.window[column, 2] == HAND:
            settle_fives(sides, kept, level, net, column, seats)
        elif kind == POKER_KIND:
            settle_best(sides, kept, level, net, column, seats)
        elif kind == SHOWDOWN_KIND:
            settle_showdown(sides, kept, level, net, column, seats)
        if sides.lost_when_over[column]:
            for slot in range(kept.rounds[0] * seats):
                if kept.final[slot * most_hands] == sides.bust:
                    net[column, slot] = -sides.amount[level[slot // seats], column]


@kernel
def settle_bank(bank: Bank, kept: Kept, out: Out, seats: int, natural_class: int) -> None:
    """Settle wagers in order, as far as the bank can pay and collect; what it wins in each round.

    Naturals are settled before everything else where the rules say so.
    """
    order, staked, limit, each_way = bank.order, bank.staked, bank.amount, bank.each_way
    hands, final, claims = kept.hands, kept.final, kept.claims
    most_hands, at_once = kept.most_hands, bank.at_once
    net, up, result, level, won = out.net, out.up, out.result, out.level, out.bank
    for number in range(kept.rounds[0]):
        natural = at_once[up[number]] and result[number] != natural_class
        collected = 0
        paid = 0
        for early in range(2):
            for seat in range(seats):
                slot = number * seats + seat
                first = natural and hands[slot] == 1 and final[slot * most_hands] == bank.natural
                for column in order:
                    if not staked[column] or (first and column == 0) != (early == 0):
                        continue
                    moved = 0
                    for hand in range(hands[slot] if column == 0 else 1):
                        due = net[column, slot]
                        if column == 0:
                            due = claims[slot * most_hands + hand]
                        if limit >= 0:
                            to_pay = limit - paid
                            to_collect = limit - collected
                            if not each_way:
                                to_pay += collected
                                to_collect += paid
                            due = min(due, to_pay) if due > 0 else max(due, -to_collect)
                        paid += max(due, 0)
                        collected -= min(due, 0)
                        moved += due
                    net[column, slot] = moved
        won[number] = collected - paid - bank.fee[level[number]]
