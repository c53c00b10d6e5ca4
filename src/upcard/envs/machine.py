"""Rounds that stop at every decision: one kernel steps as many of them as there are at once.

A round is a machine with few stages. What happens by itself is done until somebody must decide; the
decision comes with the next call. Cards, lights and payments are those of the simulator, from the
same arrays.
"""

from __future__ import annotations

import numpy as np

from upcard.compile.context import Action
from upcard.envs.bundles import (
    ACES,
    ANEW,
    ASKED,
    BEGAN,
    BEGIN,
    CHECK,
    CONTEXT,
    DEALER,
    DOUBLES,
    DREW,
    FOLDED,
    HAND,
    HANDS,
    HOLE,
    INSURANCE_BITS,
    INSURED,
    LEAVE,
    MASK,
    MATTERS,
    NODE,
    PRIZE,
    ROOT,
    STAGE,
    STAND_ONLY,
    TURNED,
    UP,
    Before,
    Envs,
    Game,
    Layout,
    Lights,
    Paid,
    Phase,
    Told,
)
from upcard.jit import inlined, kernel
from upcard.simulate.bundles import (
    ACTIONS,
    AT,
    EMPTY,
    END,
    RANDOM,
    STATE,
    STEP,
    WAITING,
    Codes,
    Cut,
    Ints,
)
from upcard.simulate.rounds import ONE, SYMBOL, ZERO, light_up
from upcard.simulate.shoe import NO_CARDS, begin_stream, pick, take

TRADES, INSURANCE, FOLDS = int(Phase.TRADE), int(Phase.INSURANCE), int(Phase.EARLY_SURRENDER)
TURN, NOTHING, OVER = int(Phase.TURN), int(Phase.NOTHING), int(Phase.OVER)
HIT, STAND, SPLIT = int(Action.HIT), int(Action.STAND), int(Action.SPLIT)
SURRENDER, RESCUE = int(Action.SURRENDER), int(Action.RESCUE)
INSURE, KEEP, TRADE = int(Action.INSURE), int(Action.KEEP), int(Action.TRADE)
TRADE_BITS = Action.KEEP.bit | Action.TRADE.bit
FOLD_BITS = Action.SURRENDER.bit | Action.DECLINE.bit
SURRENDER_BIT, TRADE_BIT = Action.SURRENDER.bit, Action.TRADE.bit
NO_CHOICE = -1
PLAYING = -1
"""In the place of a final class: the hand goes on."""


@kernel
def seed_streams(envs: Envs, deck: Codes, seeds: Ints, numbers: Ints, wanted: Ints) -> None:
    """Some environments as new: a full shoe in order, no lights, streams of their own."""
    for place in range(len(wanted)):
        e = wanted[place]
        begin_stream(envs.streams[e], np.uint64(seeds[place]), np.uint64(numbers[place]))
        envs.streams[e, END] = ZERO
        envs.decks[e, :] = deck
        envs.lit[e] = 0
        envs.seen[e, :] = 0
        envs.rows[e, STAGE] = OVER


@kernel
def first_refused(rows: Ints, actions: Ints, any_goes: bool, goes_on: bool) -> int:
    """The first environment whose action cannot be taken, or -1.

    With `any_goes` only what is no action at all is refused; with `goes_on` a round that is over
    takes any action.
    """
    for e in range(len(actions)):
        action = actions[e]
        if action < 0 or action >= ACTIONS:
            return e
        if rows[e, STAGE] == OVER:
            if not goes_on:
                return e
        elif not any_goes and not (rows[e, MASK] >> action) & 1:
            return e
    return -1


@inlined
def observe(block: Ints, e: int, labels: Ints, row: Ints, lit: int) -> None:
    """Write down what a player sees of a round."""
    node = row[NODE]
    block[0, e] = row[STAGE]
    block[1, e] = row[UP]
    block[2, e] = node
    block[3, e] = row[CONTEXT]
    for label in range(5):
        block[4 + label, e] = labels[node, label]
    block[9, e] = row[DOUBLES]
    block[10, e] = min(row[HAND], row[HANDS] - 1)
    block[11, e] = row[HANDS]
    block[12, e] = row[INSURED]
    block[13, e] = lit


@kernel
def pay(paid: Paid, told: Told) -> None:
    """Tell every environment whose round has ended what it came to."""
    columns, unit, bet, of_round = paid.columns, paid.unit, paid.bet, paid.of_round
    for number in range(paid.rounds[0]):
        e = of_round[number]
        total = 0
        for place in range(len(columns)):
            cents = paid.net[columns[place], number] * unit
            told.net[place, e] = cents
            total += cents
        told.rewards[e] = total / bet


@kernel
def step_rounds(
    game: Game,
    before: Before,
    lights: Lights,
    layout: Layout,
    cut: Cut,
    paid: Paid,
    envs: Envs,
    told: Told,
    actions: Ints,
    same_step: bool,
) -> None:
    """Take one action in every environment and go on to the next decision, or to the end.

    A round that is over is followed by another, at the next step or at once. `ANEW` begins another
    round in any case, `LEAVE` does nothing.
    """
    symbols, nodes, start, turn = game.symbols, game.nodes, game.start, game.turn
    child, action, keep, trade = game.child, game.action, game.keep, game.trade
    split_to, pair_aces = game.split_to, game.pair_aces
    ends_as, settled_as, compares = game.ends_as, game.settled_as, game.compares
    split_context, context_next = game.split_context, game.context_next
    surrendered, rescued = game.surrendered, game.rescued
    begin, found, dealer_next = game.begin, game.found, game.dealer_next
    any_class, natural_class = game.any_class, game.natural_class
    most_doubles, classes, ends, pays = game.most_doubles, game.classes, game.ends, game.pays
    flat_of, flat_once = game.flat, game.flat_once
    room, most, first_up = layout.room, layout.most, layout.first_up
    deal_to, first_cards = layout.deal_to, len(layout.deal_to)
    own_cards, dealer_own_cards = layout.own_cards, layout.dealer_own_cards
    trades, folds, pending, owed = before.trades, before.folds, before.pending, before.owed
    early, offered, insurance_pays = before.early, before.offered, before.pays
    masks, labels, marked = before.mask, before.labels, before.marked
    has_lights, after_light, prizes = lights.on, lights.next, lights.prize
    surplus_counts, light = lights.surplus_counts, lights.light
    decks, streams, rows = envs.decks, envs.streams, envs.rows
    final, doubled, cards = envs.final, envs.doubled, envs.cards
    lit, prized, seen = envs.lit, envs.prized, envs.seen
    held, holds, drawn = envs.held, envs.holds, envs.drawn
    held_room, drawn_room = held.shape[2], drawn.shape[1]
    size = np.uint64(decks.shape[1])
    cut_at = np.uint64(cut.at)
    kept_final, kept_doubles, kept_hands = paid.final, paid.doubles, paid.hands
    kept_result, kept_cards, most_hands = paid.result, paid.cards, final.shape[1]
    keeps_cards, of_round, net = paid.keeps_cards, paid.of_round, paid.net
    prize_column, insured_column = lights.column, len(insurance_pays) > 0
    rounds = 0

    for e in range(len(actions)):
        choice = actions[e]
        row = rows[e]
        deck = decks[e]
        state, step = streams[e, STATE], streams[e, STEP]
        at, end = streams[e, AT], streams[e, END]
        waiting, began = streams[e, WAITING], streams[e, BEGAN]
        stage, up, hole = row[STAGE], row[UP], row[HOLE]
        node, context = row[NODE], row[CONTEXT]
        own_at = e * room
        dealer_at = own_at + most
        goes_on = choice != LEAVE
        draws = False
        if choice == LEAVE:
            choice = NO_CHOICE
        elif choice == ANEW or stage == OVER:
            choice = NO_CHOICE
            stage = BEGIN
        elif not (row[MASK] >> choice) & 1:
            told.illegal[e] = True
            told.ended[e] = True
            told.rewards[e] = -paid.penalty
            choice = NO_CHOICE
            stage = OVER
        while goes_on:
            if began == NO_CARDS and stage != OVER and stage != BEGIN:
                # Without cards the round is void: every wager is given back.
                told.ended[e] = True
                draws = False
                choice = NO_CHOICE
                began = ZERO
                stage = OVER
            if draws:
                draws = False
                if own_cards:
                    code = cards[own_at + row[TURNED]]
                    row[TURNED] += 1
                else:
                    code, state, at, end, began, waiting = take(
                        deck, cut, state, step, at, end, began, waiting
                    )
                if began == NO_CARDS:
                    continue
                symbol = np.int64(code & SYMBOL)
                seen[e, symbol] += 1
                hand = row[HAND]
                if holds[e, hand] < held_room:
                    held[e, hand, holds[e, hand]] = code
                    holds[e, hand] += 1
                move = node * symbols + symbol
                if has_lights:
                    for _ in range(light[move]):
                        row[PRIZE] += light_up(lit, prized, after_light, prizes, surplus_counts, e)
                node = np.int64(child[move])
            if choice == TRADE:
                if has_lights:
                    row[PRIZE] += light_up(lit, prized, after_light, prizes, surplus_counts, e)
                hand = row[HAND]
                last = holds[e, hand] - 1
                while last > 0 and not marked[np.int64(held[e, hand, last] & SYMBOL)]:
                    last -= 1
                for place in range(last + 1, holds[e, hand]):
                    held[e, hand, place - 1] = held[e, hand, place]
                holds[e, hand] -= 1
                node = np.int64(trade[node])
                choice = NO_CHOICE
            elif choice == KEEP:
                node = np.int64(keep[node])
                choice = NO_CHOICE
            elif choice >= 0 and stage == INSURANCE:
                row[INSURED] = choice == INSURE
                choice = NO_CHOICE
                stage = FOLDS
            elif choice >= 0 and stage == FOLDS:
                row[FOLDED] = choice == SURRENDER
                choice = NO_CHOICE
                stage = CHECK
            elif choice >= 0 and stage == NOTHING:
                choice = NO_CHOICE
                stage = DEALER
            elif choice >= 0:
                became = np.int64(PLAYING)
                if choice == STAND:
                    became = np.int64(ends_as[node])
                elif choice == HIT:
                    draws = True
                elif choice == SPLIT:
                    hand, other = row[HAND], row[HANDS]
                    held[e, other, 0] = held[e, hand, 1]
                    holds[e, hand] = 1
                    holds[e, other] = 1
                    row[HANDS] += 1
                    row[ACES] = pair_aces[node]
                    context = split_context[row[ACES], row[HANDS]]
                    row[ROOT] = split_to[node]
                    node = row[ROOT]
                elif choice == SURRENDER:
                    became = np.int64(surrendered)
                elif choice == RESCUE:
                    became = np.int64(rescued)
                else:
                    row[DOUBLES] += 1
                    context = np.int64(context_next[context * ACTIONS + choice])
                    draws = True
                choice = NO_CHOICE
                if draws:
                    continue
                if became != PLAYING:
                    hand = row[HAND]
                    final[e, hand] = became
                    doubled[e, hand] = row[DOUBLES]
                    row[MATTERS] |= compares[became]
                    row[HAND] += 1
                    if row[HAND] == row[HANDS]:
                        stage = DEALER
                    else:
                        row[DOUBLES] = 0
                        node = row[ROOT]
                        context = split_context[row[ACES], row[HANDS]]
            if stage == BEGIN:
                began = ZERO
                if cut_at == ZERO or at > cut_at + ONE or end != size or waiting == EMPTY:
                    end, at = size, ONE
                    seen[e, :] = 0
                    state, waiting = pick(deck, state, step, ZERO, size)
                    for _ in range(cut.burn):
                        code, state, at, end, began, waiting = take(
                            deck, cut, state, step, at, end, began, waiting
                        )
                began = at - ONE
                for place in range(first_cards):
                    code, state, at, end, began, waiting = take(
                        deck, cut, state, step, at, end, began, waiting
                    )
                    cards[own_at + deal_to[place]] = code
                up = np.int64(cards[dealer_at] & SYMBOL)
                hole = np.int64(cards[dealer_at + 1] & SYMBOL)
                row[UP], row[HOLE] = up, hole
                for place in range(layout.dealer_up):
                    seen[e, np.int64(cards[dealer_at + place] & SYMBOL)] += 1
                if layout.community_seen:
                    for place in range(layout.community):
                        seen[e, np.int64(cards[dealer_at + most + place] & SYMBOL)] += 1
                prized[e] = False
                row[PRIZE] = 0
                node = start
                for place in range(first_up):
                    code = cards[own_at + place]
                    symbol = np.int64(code & SYMBOL)
                    seen[e, symbol] += 1
                    held[e, 0, place] = code
                    move = node * symbols + symbol
                    if has_lights:
                        for _ in range(light[move]):
                            row[PRIZE] += light_up(
                                lit, prized, after_light, prizes, surplus_counts, e
                            )
                    node = np.int64(child[move])
                holds[e, 0] = first_up
                context = turn
                row[ROOT], row[HAND], row[HANDS], row[ACES] = node, 0, 1, 0
                row[DOUBLES], row[TURNED] = 0, first_up
                row[INSURED], row[FOLDED], row[ASKED], row[MATTERS] = 0, 0, 0, 0
                row[DREW] = 0
                stage = TRADES
            if stage == TRADES:
                if trades and owed[node]:
                    draws = True
                elif trades and pending[node]:
                    legal = np.int64(early[up * nodes + node]) & TRADE_BITS
                    if legal == TRADE_BITS:
                        row[MASK] = legal
                        row[ASKED] = 1
                        goes_on = False
                    else:
                        choice = TRADE if legal == TRADE_BIT else KEEP
                else:
                    stage = INSURANCE
            if stage == INSURANCE:
                if offered[up]:
                    row[MASK] = INSURANCE_BITS
                    row[ASKED] = 1
                    goes_on = False
                else:
                    stage = FOLDS
            if stage == FOLDS:
                legal = np.int64(early[up * nodes + node]) & FOLD_BITS
                if folds and legal & SURRENDER_BIT:
                    row[MASK] = legal
                    row[ASKED] = 1
                    goes_on = False
                else:
                    stage = CHECK
            if stage == CHECK:
                ends_now = found[up * symbols + hole]
                if ends_now or row[FOLDED]:
                    became = np.int64(surrendered if row[FOLDED] else settled_as[node])
                    final[e, 0] = became
                    doubled[e, 0] = 0
                    row[HAND] = 1
                    row[MATTERS] = 0 if ends_now else compares[became]
                    stage = DEALER
                else:
                    row[ROOT] = node
                    stage = TURN
            if stage == TURN:
                spot = (context * symbols + up) * nodes + node
                choice = np.int64(action[spot])
                if choice == RANDOM:
                    row[MASK] = masks[spot]
                    row[ASKED] = 1
                    goes_on = False
            if stage == DEALER and not row[ASKED]:
                row[MASK] = STAND_ONLY
                row[ASKED] = 1
                stage = NOTHING
                goes_on = False
            elif stage == DEALER:
                dealer = np.int64(begin[up * symbols + hole])
                told.dealer[e] = 0
                if dealer >= 0 and not row[MATTERS]:
                    dealer = np.int64(any_class[up])
                    told.dealer[e] = -1
                place = 2
                while dealer >= 0:
                    if dealer_own_cards:
                        code = cards[dealer_at + place]
                        place += 1
                    else:
                        code, state, at, end, began, waiting = take(
                            deck, cut, state, step, at, end, began, waiting
                        )
                        seen[e, np.int64(code & SYMBOL)] += 1
                    if row[DREW] < drawn_room:
                        drawn[e, row[DREW]] = code
                        row[DREW] += 1
                    dealer = np.int64(dealer_next[dealer * symbols + np.int64(code & SYMBOL)])
                result = -1 - dealer
                for place in range(row[TURNED], layout.own):
                    seen[e, np.int64(cards[own_at + place] & SYMBOL)] += 1
                for place in range(layout.dealer_up, layout.dealer):
                    seen[e, np.int64(cards[dealer_at + place] & SYMBOL)] += 1
                if not layout.community_seen:
                    for place in range(layout.community):
                        seen[e, np.int64(cards[dealer_at + most + place] & SYMBOL)] += 1
                if began == NO_CARDS:
                    told.dealer[e] = -1
                    continue
                if told.dealer[e] == 0:
                    told.dealer[e] = result
                charged = False
                won = 0
                for hand in range(row[HANDS]):
                    became = final[e, hand]
                    role = 1 if hand else 0
                    flat = 0 if flat_once and charged else 1
                    spot = (role * 2 + flat) * most_doubles + doubled[e, hand]
                    won += pays[(spot * classes + became) * ends + result]
                    charged |= flat_of[became, result]
                    kept_final[rounds * most_hands + hand] = became
                    kept_doubles[rounds * most_hands + hand] = doubled[e, hand]
                net[0, rounds] = won
                if insured_column and row[INSURED]:
                    net[1, rounds] = insurance_pays[1 if result == natural_class else 0]
                elif insured_column:
                    net[1, rounds] = 0
                if has_lights:
                    net[prize_column, rounds] = row[PRIZE]
                kept_hands[rounds], kept_result[rounds] = row[HANDS], result
                if keeps_cards:
                    for place in range(room):
                        kept_cards[rounds * room + place] = cards[own_at + place]
                of_round[rounds] = e
                rounds += 1
                told.ended[e] = True
                stage = OVER
            elif stage == OVER and same_step:
                row[STAGE], row[NODE], row[CONTEXT] = OVER, node, context
                observe(told.ending, e, labels, row, lit[e])
                stage = BEGIN
            elif stage == OVER:
                row[MASK] = STAND_ONLY
                goes_on = False
        row[STAGE], row[NODE], row[CONTEXT] = stage, node, context
        streams[e, STATE] = state
        streams[e, AT], streams[e, END] = at, end
        streams[e, WAITING], streams[e, BEGAN] = waiting, began
        observe(told.seen_by, e, labels, row, lit[e])
        mask = row[MASK]
        for number in range(ACTIONS):
            told.masks[e, number] = (mask >> number) & 1
    paid.rounds[0] = rounds
