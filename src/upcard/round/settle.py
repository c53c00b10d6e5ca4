"""What all wagers but the base came to, some rounds at a time, and what a bank makes of them.

Where little is done for a round, loops go over seats and then over their rounds: a short loop in a
long one would be slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from upcard.cards import DECK, RANKS
from upcard.compile import poker
from upcard.jit import inlined, kernel, part
from upcard.round.kernel_types import (
    CARD,
    CODE,
    DEALERS_AT,
    DEALERS_KINDS,
    FIRST_AT,
    LOOKS_PLAYERS,
    LOOKS_UP,
    ONE,
    PAYS_AT,
    STEPS_AT,
    STEPS_FROM,
    TWO,
    TWO_AT,
    ZERO,
    BankTerms,
    Codes,
    InsurancePlay,
    Ints,
    Kept,
    Out,
    Sides,
)

(
    OTHER_KIND,
    CLASS_KIND,
    FEE_KIND,
    MATCH_KIND,
    POKER_KIND,
    SHOWDOWN_KIND,
    CARD_KIND,
    PRIZE_KIND,
    HANDS_KIND,
) = range(9)
"""How a column is settled: somewhere else (the base wager, insurance, prizes for lights), by how
the first hand ended, as a fee, by cards that match, by poker hands, against the dealer's poker
hand, by rows of conditions, as prizes of hands, by how every hand ended."""

LOSES, TIES, WINS, UNQUALIFIED = range(4)
"""Results of a showdown."""

DECK_CARDS = len(DECK)
SUIT_CARDS = len(RANKS)
"""Cards are numbered suit by suit, from the ace to the king."""
FIRST_NATURALS, SPLIT_NATURALS, WITH_GAME, AFTER_GAME = range(4)
"""When a bank settles: boxes with a natural of the first cards, those of split hands, all wagers
of the game, those that are settled after it."""
BANK_TURNS = 4
POKER_CARDS = poker.HAND_SIZE
FLUSHES = np.uint64(poker.MULTISETS)
"""Where flushes begin in a poker table."""
THREE, FOUR, EIGHT = (np.uint64(number) for number in (3, 4, 8))
LARGEST = 2**40
"""Units of money that a round may move: sums of squares of many rounds still fit."""


@inlined
def number_of(code: np.unsignedinteger[Any]) -> np.uint64:
    """The number in the deck of a card in the shoe."""
    return CODE(code) >> CARD


@inlined
def sort_keys(keys: Ints, count: int) -> None:
    """A few numbers in order."""
    for last in range(count - 1, 0, -1):
        for place in range(last):
            low = min(keys[place], keys[place + 1])
            keys[place + 1] = max(keys[place], keys[place + 1])
            keys[place] = low


@inlined
def five_index(cards: Codes, at: np.uint64, sides: Sides) -> np.uint64:
    """Where five cards stand in the poker tables, flushes behind all others.

    What is looked up needs no order, so nothing is sorted.
    """
    key = sides.key
    a, b = np.uint64(key[number_of(cards[at])]), np.uint64(key[number_of(cards[at + ONE])])
    c, d = np.uint64(key[number_of(cards[at + TWO])]), np.uint64(key[number_of(cards[at + THREE])])
    e = np.uint64(key[number_of(cards[at + FOUR])])
    flush = ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & THREE
    trio = sides.trio[(a >> TWO) << EIGHT | (b >> TWO) << FOUR | (c >> TWO)]
    duo = sides.duo[(d >> TWO) << FOUR | (e >> TWO)]
    found = np.uint64(sides.multiset[np.uint64(trio) + np.uint64(duo)])
    return found + (FLUSHES if flush == ZERO else ZERO)


@part
def index_fives(sides: Sides, kept: Kept, seats: int) -> None:
    """The first five cards of every seat and of the dealer, by flush and multiset."""
    cards, fives = kept.cards, kept.fives
    room, most, rows = np.uint64(kept.room), np.uint64(kept.most), np.uint64(seats) + ONE
    for number in range(np.uint64(kept.rounds[0])):
        for row in range(rows):
            fives[number * rows + row] = five_index(cards, number * room + row * most, sides)


@part
def settle_fives(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """A pay table for five cards."""
    levels, columns = sides.five.shape[:2]
    pays, fives = sides.five.reshape((levels, columns, -1)), kept.fives
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            slot = number * seats + seat
            net[column, slot] = pays[level[slot], column, fives[slot + number]]


@part
def settle_best(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """A pay table for the best-paid five of more cards, own and community."""
    cards, room, most = kept.cards, kept.room, kept.most
    pays, choose, key = sides.five, sides.choose, sides.key
    own, middle = sides.window[column, 0], sides.window[column, 2]
    count = own + middle
    keys = np.zeros(count, dtype=np.int64)
    chosen = np.zeros((1 << count, POKER_CARDS), dtype=np.int64)
    hands = 0
    for which in range(1 << count):
        size = 0
        for card in range(count):
            size += (which >> card) & 1
        if size == POKER_CARDS:
            place = 0
            for card in range(count):
                if (which >> card) & 1:
                    chosen[hands, place] = card
                    place += 1
            hands += 1
    for number in range(kept.rounds[0]):
        for seat in range(seats):
            for place in range(own):
                keys[place] = key[number_of(cards[number * room + seat * most + place])]
            for place in range(middle):
                shared = cards[number * room + (seats + 1) * most + place]
                keys[own + place] = key[number_of(shared)]
            sort_keys(keys, count)
            best = -LARGEST
            for hand in range(hands):
                multiset = 0
                other = 0
                for place in range(POKER_CARDS):
                    card = keys[chosen[hand, place]]
                    multiset += choose[place, card >> 2]
                    other |= (card ^ keys[chosen[hand, 0]]) & 3
                flush = 1 if other == 0 else 0
                best = max(best, pays[level[number * seats + seat], column, flush, multiset])
            net[column, number * seats + seat] = best


@part
def settle_showdown(
    sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """The player's five cards against the dealer's."""
    fives, pays, strength = kept.fives, sides.showdown, sides.strength.reshape(-1)
    qualifies = sides.qualifies[column]
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            dealer = strength[fives[number * (seats + 1) + seats]]
            own = strength[fives[number * (seats + 1) + seat]]
            result = WINS if own > dealer else LOSES
            if own == dealer:
                result = TIES
            if dealer < qualifies:
                result = UNQUALIFIED
            slot = number * seats + seat
            net[column, slot] = pays[level[slot], column, result]


@part
def settle_match(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """Cards of the first two that match the dealer's; each counts once, at its best."""
    cards, room, most, pays = kept.cards, kept.room, kept.most, sides.match
    seen, own = sides.window[column, 1], sides.window[column, 0]
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            suited = 0
            unsuited = 0
            for place in range(own):
                card = int(number_of(cards[number * room + seat * most + place]))
                same = 0
                for dealers in range(seen):
                    other = int(number_of(cards[number * room + seats * most + dealers]))
                    alike = card % SUIT_CARDS == other % SUIT_CARDS
                    same = max(same, 2 if card == other else 1 if alike else 0)
                suited += same == 2
                unsuited += same == 1
            slot = number * seats + seat
            net[column, slot] = pays[level[slot], column, suited, unsuited]


@part
def settle_first_cards(
    sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """Rows of conditions on first cards, looked up."""
    cards, room, most, tables = kept.cards, kept.room, kept.most, sides.cards
    look, pays = sides.looks[column], sides.card_pays
    players, kinds = look[LOOKS_PLAYERS], look[DEALERS_KINDS]
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            slot, dealers = number * seats + seat, number * room + seats * most
            up = int(number_of(cards[dealers]))
            index, at = 0, look[FIRST_AT]
            for place in range(min(players, 2)):
                own = int(number_of(cards[number * room + seat * most + place]))
                index = index * DECK_CARDS + own
            if players > 2:
                if kept.thirds[slot] > 0:
                    index = index * DECK_CARDS + kept.thirds[slot] - 1
                else:
                    at = look[TWO_AT]
            if look[LOOKS_UP]:
                index = index * DECK_CARDS + up
            spot = tables[at + index] * kinds
            if kinds > 1:
                second = int(number_of(cards[dealers + 1]))
                spot += tables[look[DEALERS_AT] + up * DECK_CARDS + second]
            net[column, slot] = pays[level[slot], look[PAYS_AT] + spot]


@part
def settle_dealers_hand(
    sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """Rows of conditions on the dealer's final hand, along which the table is walked."""
    cards, room, most, tables = kept.cards, kept.room, kept.most, sides.cards
    look, pays = sides.looks[column], sides.card_pays
    steps, kinds = look[STEPS_AT], look[DEALERS_KINDS]
    most_drawn = len(kept.drawn) // max(len(kept.drew), 1)
    for number in range(kept.rounds[0]):
        dealers = number * room + seats * most
        state = look[STEPS_FROM]
        for place in range(2):
            card = int(number_of(cards[dealers + place]))
            state = tables[steps + state * DECK_CARDS + card]
        for place in range(kept.drew[number]):
            card = int(number_of(kept.drawn[number * most_drawn + place]))
            state = tables[steps + state * DECK_CARDS + card]
        for seat in range(seats):
            slot, mine = number * seats + seat, number * room + seat * most
            spot = state * kinds
            if kinds > 1:
                two = int(number_of(cards[mine])) * DECK_CARDS + int(number_of(cards[mine + 1]))
                spot += tables[look[DEALERS_AT] + two]
            net[column, slot] = pays[level[slot], look[PAYS_AT] + spot]


@part
def settle_classes(
    sides: Sides, kept: Kept, result: Ints, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """A wager on how the first hand ended against the dealer's."""
    pays, final, most_hands = sides.by_class, kept.final, kept.most_hands
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            slot = number * seats + seat
            own = final[slot * most_hands]
            net[column, slot] = pays[level[slot], column, 0, own, result[number]]


@part
def settle_hands(
    sides: Sides, kept: Kept, result: Ints, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """A wager on how every hand of a box ended against the dealer's."""
    pays, final, most_hands = sides.by_class, kept.final, kept.most_hands
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            slot = number * seats + seat
            first = slot * most_hands
            won = pays[level[slot], column, 0, final[first], result[number]]
            for hand in range(first + 1, first + kept.hands[slot]):
                won += pays[level[slot], column, 1, final[hand], result[number]]
            net[column, slot] = won


@part
def settle_fees(sides: Sides, kept: Kept, level: Ints, net: Ints, column: int, seats: int) -> None:
    """What a seat pays for its wagers, and for those that it adds."""
    fee, added, most_hands = sides.fee, sides.fee_added, kept.most_hands
    hands, doubles = kept.hands, kept.doubles
    for seat in range(seats):
        for number in range(kept.rounds[0]):
            slot = number * seats + seat
            due = fee[level[slot]]
            for hand in range(hands[slot]):
                if hand:
                    due += added[level[slot], 0]
                for double in range(doubles[slot * most_hands + hand]):
                    due += added[level[slot], double]
            net[column, slot] = -due


@part
def settle_prizes(
    sides: Sides, kept: Kept, up: Ints, level: Ints, net: Ints, column: int, seats: int
) -> None:
    """Prizes of hands that were neither split nor doubled, and what all other seats get then."""
    prize, envy, most_hands = sides.prize, sides.envy, kept.most_hands
    hands, doubles, final = kept.hands, kept.doubles, kept.final
    for slot in range(kept.rounds[0] * seats):
        net[column, slot] = 0
    for number in range(kept.rounds[0]):
        first = number * seats
        for slot in range(first, first + seats):
            hand = slot * most_hands
            if hands[slot] > 1 or doubles[hand] > 0:
                continue
            own = prize[level[slot], up[number], final[hand]]
            if own > 0:
                net[column, slot] += own
                for other in range(first, first + seats):
                    if other != slot:
                        net[column, other] += envy[level[slot], up[number], final[hand]]


@kernel
def settle_insurance(
    insurance: InsurancePlay, out: Out, rounds: int, seats: int, natural_class: int, always: bool
) -> int:
    """Settle insurance; how many were taken, and where. With `always`, wherever it is offered."""
    net, up, result, level, insured = out.net, out.up, out.result, out.level, out.insured
    offered, pays, insured_at = insurance.offered, insurance.pays, out.insured_at
    net[1, : rounds * seats] = 0
    made = ZERO
    for seat in range(np.uint64(seats)):
        first, last = made, made
        # The next one takes its place if this one is not insured.
        if always:
            for number in range(np.uint64(rounds)):
                insured_at[last] = number
                last += np.uint64(offered[np.uint64(up[number])])
        else:
            for number in range(np.uint64(rounds)):
                insured_at[last] = number
                last += np.uint64(insured[number * np.uint64(seats) + seat])
        for place in range(first, last):
            taken = np.uint64(insured_at[place])
            slot = taken * np.uint64(seats) + seat
            if pays[level[slot], 0] == 0:  # a wager too small to be insured
                continue
            insured_at[made] = slot
            made += ONE
            won = 1 + up[taken] if result[taken] == natural_class else 0
            net[1, slot] = pays[level[slot], won]
    return int(made)


@kernel
def settle_sides(
    sides: Sides, kept: Kept, up: Ints, result: Ints, level: Ints, net: Ints, seats: int
) -> None:
    """Settle every column but the base wager, insurance and prizes for lights."""
    most_hands = kept.most_hands
    if len(kept.fives) > 0:
        index_fives(sides, kept, seats)
    for column in range(1, sides.columns):
        kind = sides.kind[column]
        cards = sides.window[column, 0] + sides.window[column, 2]
        if kind == CLASS_KIND:
            settle_classes(sides, kept, result, level, net, column, seats)
        elif kind == HANDS_KIND:
            settle_hands(sides, kept, result, level, net, column, seats)
        elif kind == FEE_KIND:
            settle_fees(sides, kept, level, net, column, seats)
        elif kind == PRIZE_KIND:
            settle_prizes(sides, kept, up, level, net, column, seats)
        elif kind == MATCH_KIND:
            settle_match(sides, kept, level, net, column, seats)
        elif kind == POKER_KIND and cards == POKER_CARDS:
            settle_fives(sides, kept, level, net, column, seats)
        elif kind == POKER_KIND:
            settle_best(sides, kept, level, net, column, seats)
        elif kind == SHOWDOWN_KIND:
            settle_showdown(sides, kept, level, net, column, seats)
        elif kind == CARD_KIND and sides.looks[column, STEPS_AT] < 0:
            settle_first_cards(sides, kept, level, net, column, seats)
        elif kind == CARD_KIND:
            settle_dealers_hand(sides, kept, level, net, column, seats)
        if sides.lost_when_over[column]:
            for slot in range(kept.rounds[0] * seats):
                if kept.final[slot * most_hands] == sides.bust:
                    net[column, slot] = -sides.amount[level[slot], column]


@inlined
def covered_part(bank: BankTerms, column: int, due: int, staked: int, covered: int) -> int:
    """How much of what is at stake a bank covers that goes by the amounts wagered."""
    if not bank.by_wagers or not bank.covered[column] or (bank.if_taken[column] and due == 0):
        return 0
    return min(staked, bank.amount - covered)


@inlined
def within_the_bank(bank: BankTerms, column: int, due: int, collected: int, paid: int) -> int:
    """What a claim moves if the bank has collected and paid so much before."""
    if bank.amount >= 0 and bank.covered[column]:
        to_pay = bank.amount - paid
        to_collect = bank.amount - collected
        if not bank.each_way:
            to_pay += collected
            to_collect += paid
        if bank.ends_exhausted and to_pay == 0:
            to_collect = 0
        due = min(due, to_pay) if due > 0 else max(due, -to_collect)
    return due


@kernel
def settle_bank(bank: BankTerms, kept: Kept, out: Out, seats: int, natural_class: int) -> None:
    """Settle wagers in order, as far as the bank can pay and collect; what it wins in each round.

    Where the rules say so, the wagers of a natural's box come before everything else: those of the
    first cards, then those of split hands, as they come. All boxes end the game before wagers that
    are settled after it.
    """
    hands, final, claims, most_hands = kept.hands, kept.final, kept.claims, kept.most_hands
    doubles = kept.doubles
    net, up, result, level = out.net, out.up, out.result, out.level
    for number in range(kept.rounds[0]):
        if bank.amount < 0:  # one that covers everything pays in any order alike
            won = 0
            for slot in range(number * seats, (number + 1) * seats):
                for column in bank.with_game:
                    won -= net[column, slot]
                for column in bank.after_game:
                    won -= net[column, slot]
            out.bank[number] = won - bank.fee[level[number * seats]]
            continue
        at_once = bank.at_once[up[number]]
        no_natural = result[number] != natural_class
        collected, paid, covered = 0, 0, 0
        for turn in range(BANK_TURNS):
            columns = bank.after_game if turn == AFTER_GAME else bank.with_game
            for seat in range(seats):
                slot = number * seats + seat
                first = slot * most_hands
                # A split hand's natural comes with the hand, everything else wager by wager.
                steps = hands[slot] if turn == SPLIT_NATURALS else 1
                for step in range(steps):
                    for column in columns:
                        claimed = hands[slot] if column == 0 else 1
                        for hand in range(claimed):
                            due_in = AFTER_GAME if turn == AFTER_GAME else WITH_GAME
                            natural = no_natural and final[first + hand] == bank.natural
                            if natural and at_once[column]:
                                due_in = SPLIT_NATURALS if hands[slot] > 1 else FIRST_NATURALS
                            if due_in != turn or (turn == SPLIT_NATURALS and hand != step):
                                continue
                            due = claims[first + hand] if column == 0 else net[column, slot]
                            staked = bank.staked[level[slot], column]
                            if column == 0:
                                staked *= bank.at_stake[final[first + hand], doubles[first + hand]]
                            part = covered_part(bank, column, due, staked, covered)
                            covered += part
                            if bank.by_wagers and bank.covered[column] and due != 0:
                                due = due * part // staked  # without a rest: see `cover_unit`
                            due = within_the_bank(bank, column, due, collected, paid)
                            paid += max(due, 0)
                            collected -= min(due, 0)
                            if column == 0:
                                claims[first + hand] = due
                            else:
                                net[column, slot] = due
        for slot in range(number * seats, (number + 1) * seats):
            net[0, slot] = 0
            for hand in range(hands[slot]):
                net[0, slot] += claims[slot * most_hands + hand]
        out.bank[number] = collected - paid - bank.fee[level[number * seats]]
