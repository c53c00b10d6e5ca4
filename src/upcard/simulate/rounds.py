"""Whole rounds of any game, from arrays alone.

One loop plays them all: the first deal, trades, insurance and surrender before the check, the turns
with their splits, the dealer, and what every wager of every seat came to. It knows no rule and no
game: what may happen stands in `Rules`, what is done in `Play`, what it pays in `Stakes`.

What is read for every card is kept in local variables, since that is what the compiler keeps in
registers; what only some games need stands behind a flag that never changes.
"""

from __future__ import annotations

import numpy as np

from upcard.compile.context import Action
from upcard.jit import inlined, kernel
from upcard.simulate.bundles import (
    ACTIONS,
    AT,
    CODE_BITS,
    EMPTY,
    END,
    HIDDEN,
    INSURES_AT_RANDOM,
    INSURES_BY_COUNT,
    RANDOM,
    RUNNING,
    SEEN,
    SEEN_LATER,
    STATE,
    STEP,
    WAITING,
    Bools,
    Carried,
    Chance,
    Counting,
    Cut,
    Early,
    Here,
    Insurance,
    Ints,
    Kept,
    Out,
    OwnCards,
    Play,
    Rules,
    Shoe,
    Stakes,
)
from upcard.simulate.shoe import NO_CARDS, below, pick, pick_two, take

HIT = int(Action.HIT)
STAND = int(Action.STAND)
SPLIT = int(Action.SPLIT)
SURRENDER = int(Action.SURRENDER)
RESCUE = int(Action.RESCUE)
KEEP = int(Action.KEEP)
TRADE = int(Action.TRADE)

SYMBOL = np.uint64((1 << CODE_BITS) - 1)
CARD = np.uint64(CODE_BITS)
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ACTION_COUNT = np.uint64(ACTIONS)
PLAYING = np.uint64(2**32)
"""In the place of a final class: the hand goes on."""
PERCENT = 100
NO_INDEX = 127
"""In the place of a true count: none changes anything."""


@inlined
def any_of(state: np.uint64, step: np.uint64, mask: int) -> tuple[np.uint64, int]:
    """The next random state, and one of the actions of a legal mask."""
    choices = 0
    for action in range(ACTIONS):
        choices += (mask >> action) & 1
    state, chosen = below(state, step, np.uint64(choices))
    which = int(chosen)
    found = 0
    for action in range(ACTIONS):
        if (mask >> action) & 1:
            if which == 0:
                found = action
            which -= 1
    return state, found


@inlined
def true_count(count: Ints, gone: int, size: int, cards_a_deck: int) -> int:
    """The running count by decks left, rounded down; the running count itself without a divisor.

    Weights are in hundredths.
    """
    if cards_a_deck == 0:
        return int(count[RUNNING] // PERCENT)
    left = max(1, size - gone)
    return int(count[RUNNING] * cards_a_deck // (PERCENT * left))


@inlined
def light_up(
    lit: Ints, prized: Bools, after: Ints, prizes: Ints, surplus_counts: bool, seat: int
) -> int:
    """One more light for a seat; the prize that it wins."""
    if prized[seat] and not surplus_counts:
        return 0
    before = lit[seat]
    lit[seat] = after[before]
    prized[seat] |= prizes[before] > 0
    return int(prizes[before])


@kernel
def play_rounds(
    rules: Rules,
    play: Play,
    shoe: Shoe,
    stakes: Stakes,
    here: Here,
    out: Out,
    rounds: int,
    cut: Cut | None,
    early: Early | None,
    insurance: Insurance | None,
    carried: Carried | None,
    counting: Counting | None,
    chance: Chance | None,
    kept: Kept | None,
    crowd: int | None,
    own: OwnCards | None,
) -> int:
    """Play so many rounds and write down what became of them; how many more were void.

    A round that runs out of cards is void, and another is dealt in its place. `crowd` is the number
    of seats if there are several.
    """
    deck = shoe.deck
    state, step = shoe.now[STATE], shoe.now[STEP]
    at, end, waiting = shoe.now[AT], shoe.now[END], shoe.now[WAITING]
    began = ZERO
    size = np.uint64(len(deck))
    turn = np.uint64(rules.turn)
    seats = ONE
    if crowd is not None:
        seats = np.uint64(crowd)
    first_up, most = np.uint64(rules.first_up), np.uint64(rules.most)
    deal_to, dealer_at = rules.deal_to, seats * most
    first_cards = np.uint64(len(deal_to))
    symbols, nodes, start = np.uint64(rules.symbols), np.uint64(play.nodes), np.uint64(play.start)
    begin, found, dealer_next = rules.begin, rules.found, rules.dealer_next
    compares, any_class = play.compares, rules.any_class
    split_context, context_next = rules.split_context, rules.context_next
    surrendered, rescued = np.uint64(rules.surrendered), np.uint64(rules.rescued)
    class_compares = rules.compares
    child, action, row_of, first_two = play.child, play.action, play.row_of, play.first_two
    keep, trade, split_to, pair_aces = play.keep, play.trade, play.split_to, play.pair_aces
    ends_as, settled_as = play.ends_as, play.settled_as
    pays, most_doubles = stakes.pays, np.uint64(stakes.most_doubles)
    classes, ends = np.uint64(stakes.classes), np.uint64(stakes.ends)
    flat_of, flat_once = stakes.flat, stakes.flat_once
    first_node, hands_of, turned = here.node, here.hands, here.turned
    final, doubled, cards = here.final, here.doubles, here.cards
    net, result_of, up_of = out.net, out.result, out.up
    level = ZERO
    if cut is not None:
        depth_of = out.depth
    if early is not None:
        early_action, pending, owed, folded = early.action, early.pending, early.owed, here.folded
    if insurance is not None:
        offered, insured = insurance.offered, out.insured
    if carried is not None:
        light, prizes, after_light = carried.light, carried.prize, carried.next
        lit, prized, surplus_counts = carried.lit, carried.prized, carried.surplus_counts
        prize_column = np.uint64(carried.column)
    if counting is not None:
        weight, running, seen = counting.weight, counting.running, counting.seen
        from_count, then, level_from = counting.from_count, counting.then, counting.level_from
        cards_a_deck = counting.cards_a_deck
        level_of, count_of = out.level, out.true_count
    if chance is not None:
        mask, early_mask = chance.mask, chance.early_mask
    if kept is not None:
        cards, room = kept.cards, np.uint64(kept.room)
        kept_final, kept_doubles, claims = kept.final, kept.doubles, kept.claims
        kept_hands = kept.hands
        most_hands = np.uint64(kept.most_hands)

    number, void = ZERO, 0
    while number < np.uint64(rounds):
        if cut is None:
            at, end = ZERO, size
        elif cut.at == 0 or at > np.uint64(cut.at) + ONE or end != size or waiting == EMPTY:
            at, end, began = ZERO, size, ZERO
            if counting is not None:
                running[RUNNING] = 0
        if cut is not None:
            if at == ZERO:
                state, waiting = pick(deck, state, step, ZERO, size if cut.shuffles else ONE)
                at = ONE
                for _ in range(cut.burn):
                    code, state, at, end, began, waiting = take(
                        deck, cut, state, step, at, end, began, waiting
                    )
            began = at - ONE
            depth_of[number] = PERCENT * int(began) // int(size)
        if counting is not None:
            now = true_count(running, int(began), int(size), cards_a_deck)
            level = ZERO
            while level + ONE < len(level_from) and now >= level_from[level + ONE]:
                level += ONE
            level_of[number] = level
            count_of[number] = now
        # The first deal.
        row_at = ZERO
        if kept is not None:
            row_at = number * room
        if cut is None:
            while at + ONE < first_cards:
                state, code, second = pick_two(deck, state, step, at, size - at)
                cards[row_at + deal_to[at]] = code
                cards[row_at + deal_to[at + ONE]] = second
                at += TWO
            if at < first_cards:
                state, code = pick(deck, state, step, at, size - at)
                cards[row_at + deal_to[at]] = code
                at += ONE
            state, waiting = pick(deck, state, step, at, size - at)
            at += ONE
        else:
            for place in range(first_cards):
                code, state, at, end, began, waiting = take(
                    deck, cut, state, step, at, end, began, waiting
                )
                cards[row_at + deal_to[place]] = code
                if counting is not None:
                    if seen[place] == SEEN:
                        running[RUNNING] += weight[code >> CARD]
                    elif seen[place] == SEEN_LATER:
                        running[HIDDEN] += weight[code >> CARD]
        dealers = row_at + dealer_at
        up, hole = cards[dealers] & SYMBOL, cards[dealers + ONE] & SYMBOL
        for seat in range(seats):
            mine = row_at + seat * most
            one, two = cards[mine] & SYMBOL, cards[mine + ONE] & SYMBOL
            node = np.uint64(first_two[one * symbols + two])
            for place in range(TWO, first_up):
                node = np.uint64(child[node * symbols + (cards[mine + place] & SYMBOL)])
            first_node[seat] = node
            if own is not None:
                turned[seat] = first_up
            if carried is not None:
                prized[seat] = False
                net[prize_column, number * seats + seat] = 0
                node = start
                for place in range(first_up):
                    move = node * symbols + (cards[mine + place] & SYMBOL)
                    for _ in range(light[move]):
                        net[prize_column, number * seats + seat] += light_up(
                            lit, prized, after_light, prizes, surplus_counts, seat
                        )
                    node = np.uint64(child[move])
        # Before the check: trades, insurance, early surrender.
        if early is not None:
            for seat in range(seats if early.trades else ZERO):
                node = np.uint64(first_node[seat])
                while owed[node] or pending[node]:
                    if owed[node]:
                        code, state, at, end, began, waiting = take(
                            deck, cut, state, step, at, end, began, waiting
                        )
                        if counting is not None:
                            running[RUNNING] += weight[code >> CARD]
                        node = np.uint64(child[node * symbols + (code & SYMBOL)])
                        continue
                    choice = int(early_action[up * nodes + node])
                    if chance is not None:
                        if choice == RANDOM:
                            state, choice = any_of(state, step, early_mask[up * nodes + node])
                    if choice == TRADE and began != NO_CARDS:
                        if carried is not None:
                            net[prize_column, number * seats + seat] += light_up(
                                lit, prized, after_light, prizes, surplus_counts, seat
                            )
                        node = np.uint64(trade[node])
                    else:
                        node = np.uint64(keep[node])
                first_node[seat] = node
        if insurance is not None:
            for seat in range(seats):
                takes = offered[up]
                if insurance.takes == INSURES_AT_RANDOM and takes:
                    state, chosen = below(state, step, TWO)
                    takes = chosen == ONE
                if counting is not None:
                    if insurance.takes == INSURES_BY_COUNT and takes:
                        gone, whole = int(at) - 1, int(size)
                        now = true_count(running, gone, whole, cards_a_deck)
                        takes = insurance.from_count <= now
                insured[number * seats + seat] = takes
        if early is not None:
            for seat in range(seats):
                folded[seat] = False
                if early.folds:
                    spot = up * nodes + np.uint64(first_node[seat])
                    choice = int(early_action[spot])
                    if chance is not None:
                        if choice == RANDOM:
                            state, choice = any_of(state, step, early_mask[spot])
                    folded[seat] = choice == SURRENDER
        # The turns.
        dealer = begin[up * symbols + hole]
        matters = False
        if found[up * symbols + hole]:
            for seat in range(seats):
                hands_of[seat] = ONE
                doubled[seat, ZERO] = ZERO
                final[seat, ZERO] = settled_as[first_node[seat]]
                if early is not None:
                    if folded[seat]:
                        final[seat, ZERO] = surrendered
        else:
            for seat in range(seats):
                node = first_node[seat]
                root = node
                hands, hand, aces = ONE, ZERO, ZERO
                context = turn
                while hand < hands:
                    role = ONE if hand else ZERO
                    doubles = ZERO
                    row = (row_of[role, context] * symbols + up) * nodes
                    ended = PLAYING
                    if early is not None:
                        if folded[seat]:
                            ended = surrendered
                            matters |= class_compares[surrendered]
                    while ended == PLAYING:
                        choice = int(action[row + node])
                        if counting is not None:
                            if len(from_count) > 0 and from_count[row + node] < NO_INDEX:
                                gone, whole = int(at) - 1, int(size)
                                now = true_count(running, gone, whole, cards_a_deck)
                                if now >= from_count[row + node]:
                                    choice = int(then[row + node])
                        if chance is not None:
                            if choice == RANDOM:
                                state, choice = any_of(state, step, mask[row + node])
                        if choice == STAND:
                            ended = np.uint64(ends_as[node])
                            matters |= compares[node]
                            break
                        if choice != HIT:
                            if choice == SPLIT:
                                hands += ONE
                                aces = np.uint64(pair_aces[node])
                                context = split_context[aces, hands]
                                root = np.uint64(split_to[node])
                                node = root
                                row = (row_of[role, context] * symbols + up) * nodes
                                continue
                            if choice == KEEP or (choice == TRADE and began == NO_CARDS):
                                node = np.uint64(keep[node])
                                continue
                            if choice == TRADE:
                                if carried is not None:
                                    net[prize_column, number * seats + seat] += light_up(
                                        lit, prized, after_light, prizes, surplus_counts, seat
                                    )
                                node = np.uint64(trade[node])
                                continue
                            if choice == SURRENDER:
                                ended = surrendered
                                matters |= class_compares[surrendered]
                                break
                            if choice == RESCUE:
                                ended = rescued
                                matters |= class_compares[rescued]
                                break
                            doubles += ONE
                            context = np.uint64(
                                context_next[context * ACTION_COUNT + np.uint64(choice)]
                            )
                            row = (row_of[role, context] * symbols + up) * nodes
                        draws = True
                        if own is not None:
                            if own.players:
                                draws = False
                                code = cards[row_at + seat * most + turned[seat]]
                                turned[seat] += ONE
                        if draws:
                            code, state, at, end, began, waiting = take(
                                deck, cut, state, step, at, end, began, waiting
                            )
                        if counting is not None:
                            running[RUNNING] += weight[code >> CARD]
                        move = node * symbols + (code & SYMBOL)
                        if carried is not None:
                            for _ in range(light[move]):
                                net[prize_column, number * seats + seat] += light_up(
                                    lit, prized, after_light, prizes, surplus_counts, seat
                                )
                        node = np.uint64(child[move])
                    final[seat, hand] = ended
                    doubled[seat, hand] = doubles
                    hand += ONE
                    node = root
                    context = split_context[aces, hands]
                hands_of[seat] = hands
        # The dealer.
        if counting is not None:
            running[RUNNING] += running[HIDDEN]
            running[HIDDEN] = 0
        # A hand that no wager depends on is as good as any; so one test ends both cases.
        dealer = dealer if matters or dealer < 0 else any_class[up]
        drawn = dealers + TWO
        while dealer >= 0:
            draws = True
            if own is not None:
                if own.dealers:
                    draws = False
                    code = cards[drawn]
                    drawn += ONE
            if draws:
                code, state, at, end, began, waiting = take(
                    deck, cut, state, step, at, end, began, waiting
                )
            if counting is not None:
                running[RUNNING] += weight[code >> CARD]
            dealer = dealer_next[np.uint64(dealer) * symbols + (code & SYMBOL)]
        result = np.uint64(-1 - dealer)
        result_of[number], up_of[number] = result, up
        if cut is not None:
            if began == NO_CARDS:
                void += 1
                continue
        # What every wager came to.
        for seat in range(seats):
            slot = number * seats + seat
            charged = False
            total = 0
            for which in range(hands_of[seat]):
                ended = final[seat, which]
                role = ONE if which else ZERO
                flat = ZERO if flat_once and charged else ONE
                spot = ((level * TWO + role) * TWO + flat) * most_doubles + doubled[seat, which]
                won = pays[(spot * classes + ended) * ends + result]
                total += won
                if flat_once:
                    charged |= flat_of[ended, result]
                if kept is not None:
                    kept_at = slot * most_hands + which
                    kept_final[kept_at], kept_doubles[kept_at] = ended, doubled[seat, which]
                    claims[kept_at] = won
            net[ZERO, slot] = total
            if kept is not None:
                kept_hands[slot] = hands_of[seat]
        number += ONE
    shoe.now[STATE] = state
    shoe.now[AT], shoe.now[END], shoe.now[WAITING] = at, end, waiting
    if kept is not None:
        kept.rounds[0] = rounds
    return void
