"""Whole rounds of any game, from arrays alone.

One loop plays them all: the first deal, trades, insurance and surrender before the check, the turns
with their splits, the dealer, and what every wager of every seat came to. It knows no rule, no game
and no action: what may happen stands in `Rules`, what an action does in `Effects`, what is done in
`Play`, what it pays in `Stakes`.

Whoever has a policy has rounds played in a row. Whoever decides hand by hand passes `Stops`: then
every round stops where somebody is asked, and goes on from there with the answer.

What is read for every card is kept in local variables, since that is what the compiler keeps in
registers; what only some games need stands behind a flag that never changes.
"""

from __future__ import annotations

import numpy as np

from upcard.compile.context import Action
from upcard.compile.effects import Special
from upcard.jit import inlined, kernel, lasting
from upcard.round.kernel_types import (
    ACES,
    ACTIONS,
    ANEW,
    ASIDE,
    ASKED,
    AT,
    BEGAN,
    BEGIN,
    CODE_BITS,
    CONTEXT,
    DOUBLES,
    DRAWS,
    DREW,
    DRY,
    END,
    ENDS,
    ENDS_BY_CARDS,
    FACE_DEALER,
    FACE_MIDDLE,
    HAND,
    HANDS,
    HIDDEN,
    INSURED,
    INSURES_AT_RANDOM,
    INSURES_BY_COUNT,
    LEADS,
    LEAVE,
    MASK,
    MATTERS,
    NODE,
    OF_DEALER,
    OF_MIDDLE,
    OF_PLAYER,
    RAISES,
    ROOT,
    RUNNING,
    SEEN,
    SEEN_LATER,
    SPLITS,
    STAGE,
    STATE,
    STEP,
    UP,
    WAITING,
    WHOLE,
    Bools,
    Carried,
    Chance,
    Codes,
    Counting,
    Crowd,
    Cut,
    EarlyPlay,
    EffectFlags,
    Here,
    InsurancePlay,
    Ints,
    Kept,
    MachineShoe,
    Out,
    OwnCards,
    Pause,
    Play,
    RoundRules,
    Stacked,
    Stakes,
    Stops,
    Words,
)
from upcard.round.shoe import below, lay_aside, pick, pick_two, shuffle_ahead, take

ANY, ASK = int(Special.ANY), int(Special.ASK)
DRAWN, ENDED = int(Special.DRAW), int(Special.OVER)
TRADE, INSURANCE, FOLD = int(Pause.TRADE), int(Pause.INSURANCE), int(Pause.EARLY_SURRENDER)
TURN, NOTHING, OVER = int(Pause.TURN), int(Pause.NOTHING), int(Pause.OVER)

SYMBOL = np.uint64((1 << CODE_BITS) - 1)
CARD = np.uint64(CODE_BITS)
NOTHING_MASK = Action.STAND.bit
"""What may be answered where there is nothing to decide."""
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ACTION_COUNT = np.uint64(ACTIONS)
PLAYING = np.uint64(2**32)
"""In the place of a final class: the hand goes on."""
PERCENT = 100
NO_INDEX = 127
"""In the place of a true count: none changes anything."""


@kernel
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
def count_as_fraction(
    running: int, gone: np.uint64, size: int, cards_a_deck: int
) -> tuple[int, int]:
    """The running count by decks left, as a fraction; itself without a divisor.

    Weights are in hundredths. Whether a fraction has reached a whole number is a product: that is
    all that a round asks, since dividing is slow.
    """
    whole, parts = running, PERCENT
    if cards_a_deck != 0:
        whole, parts = running * cards_a_deck, PERCENT * max(1, size - int(np.int64(gone)))
    return whole, parts


@inlined
def rounded_down(whole: int, parts: int) -> int:
    """A fraction rounded down: by numbers with a point one off at most, which is put right."""
    found = int(np.floor(whole / parts))
    rest = whole - found * parts
    return found - (1 if rest < 0 else 0) + (1 if rest >= parts else 0)


@kernel
def light_up(
    lit: Ints,
    prized: Bools,
    after: Ints,
    prizes: Ints,
    surplus_counts: bool,
    seat: np.uint64,
    now: Words,
) -> int:
    """One more light for a seat, unless the round is void by now; the prize that it wins."""
    if now[DRY] != ZERO or (prized[seat] and not surplus_counts):
        return 0
    before = lit[seat]
    lit[seat] = after[before]
    prized[seat] |= prizes[before] > 0
    return int(prizes[before])


@kernel
def show_deal(
    cards: Codes,
    at: np.uint64,
    most: np.uint64,
    first_up: np.uint64,
    number: np.uint64,
    stops: Stops,
) -> None:
    """What the player of a round that stops sees of its first deal."""
    for place in range(first_up):
        stops.seen[number, cards[at + place] & SYMBOL] += 1
    for place in range(stops.faces[FACE_DEALER]):
        stops.seen[number, cards[at + most + np.uint64(place)] & SYMBOL] += 1
    for place in range(stops.faces[FACE_MIDDLE]):
        stops.seen[number, cards[at + TWO * most + np.uint64(place)] & SYMBOL] += 1


@kernel
def show_all(
    cards: Codes,
    at: np.uint64,
    most: np.uint64,
    turned: np.uint64,
    number: np.uint64,
    stops: Stops,
) -> None:
    """At the end the player sees what lay face down."""
    faces = stops.faces
    for place in range(int(turned), faces[OF_PLAYER]):
        stops.seen[number, cards[at + np.uint64(place)] & SYMBOL] += 1
    for place in range(faces[FACE_DEALER], faces[OF_DEALER]):
        stops.seen[number, cards[at + most + np.uint64(place)] & SYMBOL] += 1
    for place in range(faces[FACE_MIDDLE], faces[OF_MIDDLE]):
        stops.seen[number, cards[at + TWO * most + np.uint64(place)] & SYMBOL] += 1


@kernel
def hold_deal(
    cards: Codes,
    at: np.uint64,
    most: np.uint64,
    first_up: np.uint64,
    base: np.uint64,
    seats: np.uint64,
    here: Here,
) -> None:
    """The first cards of every seat's hand."""
    for seat in range(seats):
        for place in range(first_up):
            here.held[base + seat, 0, place] = cards[at + seat * most + place]
        here.holds[base + seat, 0] = first_up
        here.aside[base + seat, :] = False


@inlined
def hold_card(code: np.uint64, seat: np.uint64, hand: np.uint64, held: Codes, holds: Ints) -> None:
    """A card that comes to a hand."""
    place = holds[seat, hand]
    if place < held.shape[2]:
        held[seat, hand, place] = code
        holds[seat, hand] += 1


@kernel
def hold_split(seat: np.uint64, hand: np.uint64, hands: np.uint64, here: Here) -> None:
    """A hand's second card becomes the hand behind it."""
    held, holds = here.held, here.holds
    behind = int(hand) + 1
    for other in range(int(hands), behind, -1):
        held[seat, other, 0] = held[seat, other - 1, 0]
    held[seat, behind, 0] = held[seat, hand, 1]
    holds[seat, hand] = 1
    holds[seat, hands] = 1


@kernel
def put_away(
    deck: Codes, now: Words, seat: np.uint64, hand: np.uint64, marked: Bools, here: Here
) -> None:
    """The last marked card of a hand goes."""
    holds, held = here.holds, here.held
    last = holds[seat, hand] - 1
    while last > 0 and not marked[np.uint64(held[seat, hand, last]) & SYMBOL]:
        last -= 1
    lay_aside(deck, now, np.uint64(held[seat, hand, last]))
    for place in range(last + 1, holds[seat, hand]):
        held[seat, hand, place - 1] = held[seat, hand, place]
    holds[seat, hand] -= 1


@kernel
def settle_hand(deck: Codes, now: Words, seat: np.uint64, hand: np.uint64, here: Here) -> None:
    """The cards of a hand that is settled are laid aside, once."""
    if here.aside[seat, hand]:
        return
    here.aside[seat, hand] = True
    for place in range(here.holds[seat, hand]):
        lay_aside(deck, now, np.uint64(here.held[seat, hand, place]))


@lasting
def play_rounds(
    rules: RoundRules,
    effects: EffectFlags,
    play: Play,
    shoe: MachineShoe,
    stakes: Stakes,
    here: Here,
    out: Out,
    rounds: int,
    cut: Cut | None,
    early: EarlyPlay | None,
    insurance: InsurancePlay | None,
    carried: Carried | None,
    counting: Counting | None,
    chance: Chance | None,
    kept: Kept | None,
    crowd: Crowd | None,
    own: OwnCards | None,
    stacked: Stacked | None,
    stops: Stops | None,
) -> int:
    """Play so many rounds and write down what became of them; how many more were void.

    A round that runs out of cards is void, and another is dealt in its place. With `stops` every
    round is played on to where somebody is asked, or to its end; a void one ends.
    """
    deck = shoe.deck
    state, step = shoe.now[STATE], shoe.now[STEP]
    at, end, waiting = shoe.now[AT], shoe.now[END], shoe.now[WAITING]
    began, now_in = ZERO, shoe.now
    size = np.uint64(shoe.size)
    turn = np.uint64(rules.turn)
    seats = ONE
    if crowd is not None:
        seats = np.uint64(crowd.seats)
    first_up, most, room = np.uint64(rules.first_up), np.uint64(rules.most), np.uint64(rules.room)
    deal_to, dealer_at = rules.deal_to, seats * most
    if cut is None:
        deal_to = rules.deal_fresh
    first_cards = np.uint64(len(deal_to))
    symbols, nodes, start = np.uint64(rules.symbols), np.uint64(play.nodes), np.uint64(play.start)
    begin, found, dealer_next = rules.begin, rules.found, rules.dealer_next
    compares, any_class = play.compares, rules.any_class
    split_context, context_next = rules.split_context, rules.context_next
    class_compares = rules.compares
    kinds, ends_with = effects.kind, effects.ends_as
    child, action, row_of, first_two = play.child, play.action, play.row_of, play.first_two
    leads, pair_aces = play.leads, play.pair_aces
    ends_as, settled_as = play.ends_as, play.settled_as
    pays, most_doubles = stakes.pays, np.uint64(stakes.most_doubles)
    classes, ends = np.uint64(stakes.classes), np.uint64(stakes.ends)
    flat_of, flat_once = stakes.flat, stakes.flat_once
    first_node, hands_of, turned = here.node, here.hands, here.turned
    final, doubled, cards = here.final, here.doubles, here.cards
    net, result_of, up_of = out.net, out.result, out.up
    base, level, player, gone = ZERO, ZERO, ZERO, ONE
    halted, ahead, holding, was_void, most_left = False, False, False, False, size + size
    held, holds, settles, natural = here.held, here.holds, rules.settles, rules.natural
    dealt, last, last_doubles, hands = ZERO, ZERO, ZERO, ONE
    first_row = row_of[ZERO, ZERO, turn] * symbols
    stage, answer = BEGIN, 0
    top = ZERO
    if stacked is not None:
        top = np.uint64(stacked.cards)
        gone = ZERO if stacked.endless else ONE
    if cut is not None:
        depth_of = out.depth
        if stops is None:
            if stacked is None:
                ahead = cut.shuffles and cut.at > 0
        most_left = size + size if cut.shuffles else ONE
    if early is not None:
        early_action, pending, owed = early.action, early.pending, early.owed
        gone_as = here.gone_as
    if insurance is not None:
        offered, insured = insurance.offered, out.insured
    if carried is not None:
        light, prizes, after_light = carried.light, carried.prize, carried.next
        lit, prized, surplus_counts = carried.lit, carried.prized, carried.surplus_counts
        prize_column, prize_of = np.uint64(carried.column), here.prize
        lights = effects.lights
    if counting is not None:
        weight, seen = counting.weight, counting.seen
        running, hidden = counting.running[RUNNING], counting.running[HIDDEN]
        from_count, then, level_from = counting.from_count, counting.then, counting.level_from
        cards_a_deck, whole = counting.cards_a_deck, int(size)
        level_of, count_of = out.level, out.true_count
    if chance is not None:
        mask, early_mask = chance.mask, chance.early_mask
    if kept is not None:
        if stops is None:
            cards = kept.cards
        kept_final, kept_doubles, claims = kept.final, kept.doubles, kept.claims
        kept_hands = kept.hands
        most_hands = np.uint64(kept.most_hands)

    number, done, void = ZERO, ZERO, 0
    while number < np.uint64(rounds):
        place_of = number
        if stops is not None:
            base, place_of = number, done
            halted, stage = False, stops.rows[number, STAGE]
            answer = stops.choice[number]
            if answer == LEAVE:
                number += ONE
                continue
            if answer == ANEW:
                stage = BEGIN
            deck, now_in = stops.decks[number], stops.streams[number]
            state, step, began = now_in[STATE], now_in[STEP], now_in[BEGAN]
            at, end, waiting = now_in[AT], now_in[END], now_in[WAITING]
        row_at = ZERO
        if stops is not None or kept is not None:
            row_at = number * room
        dealers = row_at + dealer_at
        matters = False
        if stops is not None:
            holding = True
        if stage == BEGIN:
            was_void = now_in[DRY] != ZERO
            if cut is None:
                at, end = ZERO, size
            elif (
                cut.at == 0
                or at > np.uint64(cut.at) + ONE
                or (now_in[WHOLE] if ahead else end) != size
                or end == ZERO
            ):
                at, end, began, now_in[DRY] = top, size, ZERO, ZERO
                if ahead:
                    now_in[WHOLE] = size
                    state, end = shuffle_ahead(deck, cut, size, at, state, step)
                if counting is not None:
                    running = 0
                if stops is not None:
                    stops.seen[number, :] = 0
            if cut is not None:
                if at == top:
                    if ahead:
                        waiting = np.uint64(deck[at])
                    else:
                        state, waiting = pick(deck, state, step, top, min(size - top, most_left))
                    at += gone
                    for _ in range(cut.burn):
                        code, state, at, end, waiting = take(
                            deck,
                            cut,
                            ahead,
                            size,
                            most_left,
                            gone,
                            now_in,
                            state,
                            step,
                            at,
                            end,
                            began,
                            waiting,
                        )
                began = at - ONE
                now_in[ASIDE] = ZERO
                if stops is None:
                    # Whose cards they are matters only where the shoe can run out.
                    holding = gone == ONE and size - began < np.uint64(cut.most_needed)
                if top != ZERO:  # what is stacked is of this round
                    began = ZERO
                depth_of[place_of] = began
            if counting is not None:
                weighed, parts = count_as_fraction(running, began, whole, cards_a_deck)
                # All levels are looked at, so that nothing is mispredicted.
                level = ZERO
                for higher in range(1, len(level_from)):
                    level += ONE if weighed >= level_from[higher] * parts else ZERO
                for seat in range(seats):
                    level_of[place_of * seats + seat] = level
                count_of[place_of] = rounded_down(weighed, parts)
            # The first deal.
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
                if stacked is not None:
                    for place in range(top):
                        cards[row_at + deal_to[place]] = np.uint64(deck[place])
                following = top
                by_two = cut.shuffles and gone == ONE
                if stops is not None:
                    by_two = False  # a seed of an environment deals what it always did
                if ahead and at + first_cards < end:
                    for place in range(first_cards):
                        cards[row_at + deal_to[place]] = waiting
                        waiting = np.uint64(deck[at])
                        at += ONE
                elif by_two and not ahead and at + first_cards < end:
                    # As many as will do lie there: two at a time, as above.
                    cards[row_at + deal_to[following]] = waiting
                    following += ONE
                    while following + ONE < first_cards:
                        state, code, second = pick_two(deck, state, step, at, end - at)
                        cards[row_at + deal_to[following]] = code
                        cards[row_at + deal_to[following + ONE]] = second
                        following += TWO
                        at += TWO
                    if following < first_cards:
                        state, code, waiting = pick_two(deck, state, step, at, end - at)
                        cards[row_at + deal_to[following]] = code
                        at += TWO
                    else:
                        state, waiting = pick(deck, state, step, at, end - at)
                        at += ONE
                else:
                    while following < first_cards:
                        code, state, at, end, waiting = take(
                            deck,
                            cut,
                            ahead,
                            size,
                            most_left,
                            gone,
                            now_in,
                            state,
                            step,
                            at,
                            end,
                            began,
                            waiting,
                        )
                        cards[row_at + deal_to[following]] = code
                        following += ONE
                if counting is not None:
                    for place in range(first_cards):
                        code = cards[row_at + deal_to[place]]
                        if seen[place] == SEEN:
                            running += weight[code >> CARD]
                        elif seen[place] == SEEN_LATER:
                            hidden += weight[code >> CARD]
            for seat in range(seats):
                mine = row_at + seat * most
                one, two = cards[mine] & SYMBOL, cards[mine + ONE] & SYMBOL
                node = np.uint64(first_two[one * symbols + two])
                for place in range(TWO, first_up):
                    node = np.uint64(child[node * symbols + (cards[mine + place] & SYMBOL)])
                first_node[base + seat], dealt = node, node
                if own is not None:
                    turned[base + seat] = first_up
                if carried is not None:
                    prized[base + seat] = False
                    if not was_void:  # what was won in a void round stays won
                        prize_of[base + seat] = 0
                    node = start
                    for place in range(first_up):
                        move = node * symbols + (cards[mine + place] & SYMBOL)
                        for _ in range(light[move]):
                            prize_of[base + seat] += light_up(
                                lit,
                                prized,
                                after_light,
                                prizes,
                                surplus_counts,
                                base + seat,
                                now_in,
                            )
                        node = np.uint64(child[move])
            if cut is not None:
                if holding:
                    hold_deal(cards, row_at, most, first_up, base, seats, here)
            if stops is not None:
                show_deal(cards, row_at, most, first_up, number, stops)
                stops.rows[number, ASKED] = 0
                stops.rows[number, INSURED] = 0
                stops.rows[number, HANDS] = 1
                stops.rows[number, HAND] = 0
                stops.rows[number, DOUBLES] = 0
                stops.rows[number, CONTEXT] = rules.turn
                stops.rows[number, DREW] = 0
        up, hole = cards[dealers] & SYMBOL, cards[dealers + ONE] & SYMBOL
        # Before the check: trades, insurance, early surrender.
        if early is not None:
            if early.trades and stage <= TRADE:
                for seat in range(seats):
                    if crowd is not None:
                        player = crowd.player[seat]
                    node = np.uint64(first_node[base + seat])
                    while owed[node] or pending[node]:
                        if owed[node]:
                            code, state, at, end, waiting = take(
                                deck,
                                cut,
                                ahead,
                                size,
                                most_left,
                                gone,
                                now_in,
                                state,
                                step,
                                at,
                                end,
                                began,
                                waiting,
                            )
                            if counting is not None:
                                running += weight[code >> CARD]
                            if stops is not None:
                                stops.seen[number, code & SYMBOL] += 1
                            if cut is not None:
                                if holding:
                                    hold_card(code, base + seat, ZERO, held, holds)
                            node = np.uint64(child[node * symbols + (code & SYMBOL)])
                            continue
                        spot = up * nodes + node
                        choice = int(early_action[player * symbols * nodes + spot])
                        if chance is not None:
                            if choice == ANY:
                                state, choice = any_of(state, step, early_mask[spot])
                            if stops is not None:
                                if choice == ASK and stage == TRADE:
                                    choice, stage = answer, BEGIN
                                elif choice == ASK:
                                    stops.rows[number, MASK] = early_mask[spot]
                                    halted, stage = True, TRADE
                                    break
                        if cut is not None:
                            if holding and effects.discards[choice]:
                                put_away(deck, now_in, base + seat, ZERO, rules.marked, here)
                        if carried is not None:
                            for _ in range(lights[choice]):
                                prize_of[base + seat] += light_up(
                                    lit,
                                    prized,
                                    after_light,
                                    prizes,
                                    surplus_counts,
                                    base + seat,
                                    now_in,
                                )
                        node = np.uint64(leads[np.uint64(choice) * nodes + node])
                    first_node[base + seat] = node
        if insurance is not None:
            if stage <= INSURANCE and not halted:
                for seat in range(seats):
                    takes = offered[up]
                    if insurance.takes == INSURES_AT_RANDOM and takes:
                        state, chosen = below(state, step, TWO)
                        takes = chosen == ONE
                    if counting is not None:
                        if insurance.takes == INSURES_BY_COUNT and takes:
                            weighed, parts = count_as_fraction(
                                running, at - ONE, whole, cards_a_deck
                            )
                            takes = weighed >= insurance.from_count * parts
                    if stops is not None:
                        if takes and stage == INSURANCE:
                            takes, stage = effects.insures[answer], BEGIN
                        elif takes:
                            takes, halted, stage = False, True, INSURANCE
                            stops.rows[number, MASK] = insurance.mask
                        stops.rows[number, INSURED] = takes
                    else:
                        insured[number * seats + seat] = takes
        if early is not None:
            if stage <= FOLD and not halted:
                for seat in range(seats):
                    gone_as[base + seat] = PLAYING
                    if crowd is not None:
                        player = crowd.player[seat]
                    if early.folds:
                        spot = up * nodes + np.uint64(first_node[base + seat])
                        choice = int(early_action[player * symbols * nodes + spot])
                        if chance is not None:
                            if choice == ANY:
                                state, choice = any_of(state, step, early_mask[spot])
                            if stops is not None:
                                if choice == ASK and stage == FOLD:
                                    choice, stage = answer, BEGIN
                                elif choice == ASK:
                                    stops.rows[number, MASK] = early_mask[spot]
                                    halted, stage = True, FOLD
                                    break
                        if kinds[choice] & ENDS:
                            gone_as[base + seat] = ends_with[choice]
        # The turns.
        dealer = begin[up * symbols + hole]
        if stops is not None:
            if stage != BEGIN:
                matters = stops.rows[number, MATTERS] != 0
        if stage <= TURN and not halted:
            if found[up * symbols + hole]:
                for seat in range(seats):
                    hands_of[base + seat] = ONE
                    doubled[base + seat, ZERO] = ZERO
                    last = np.uint64(settled_as[first_node[base + seat]])
                    last_doubles, hands = ZERO, ONE
                    if early is not None:
                        if gone_as[base + seat] != PLAYING:
                            last = gone_as[base + seat]
                    final[base + seat, ZERO] = last
                    if stops is not None:
                        stops.rows[number, NODE] = first_node[base]
            else:
                if cut is not None:
                    if holding:
                        for seat in range(seats):
                            ended = np.uint64(ends_as[first_node[base + seat]])
                            is_over = ended == natural
                            if early is not None:
                                if gone_as[base + seat] != PLAYING:
                                    ended, is_over = gone_as[base + seat], True
                            if is_over and settles[ended * symbols + up]:
                                settle_hand(deck, now_in, base + seat, ZERO, here)
                for seat in range(seats):
                    node = first_node[base + seat]
                    if crowd is None:
                        if early is None:
                            if stops is None:
                                node = dealt  # the same, still at hand
                    root = node
                    hands, hand, aces, doubles = ONE, ZERO, ZERO, ZERO
                    context = turn
                    if crowd is not None:
                        player = crowd.player[seat]
                    if stops is not None:
                        if stage == TURN:
                            row_here = stops.rows[number]
                            node, root = np.uint64(row_here[NODE]), np.uint64(row_here[ROOT])
                            hands, hand = np.uint64(row_here[HANDS]), np.uint64(row_here[HAND])
                            aces = np.uint64(row_here[ACES])
                            doubles = np.uint64(row_here[DOUBLES])
                            context = np.uint64(row_here[CONTEXT])
                    while hand < hands:
                        role = ONE if hand else ZERO
                        row = (first_row + up) * nodes
                        if crowd is not None or hand or context != turn:
                            row = (row_of[player, role, context] * symbols + up) * nodes
                        ended = PLAYING
                        if early is not None:
                            ended = gone_as[base + seat]
                            if ended != PLAYING:
                                matters |= class_compares[ended]
                        while ended == PLAYING:
                            choice = int(action[row + node])
                            if counting is not None:
                                if len(from_count) > 0 and from_count[row + node] < NO_INDEX:
                                    weighed, parts = count_as_fraction(
                                        running, at - ONE, whole, cards_a_deck
                                    )
                                    if weighed >= from_count[row + node] * parts:
                                        choice = int(then[row + node])
                            if chance is not None:
                                if choice == ANY:
                                    state, choice = any_of(state, step, mask[row + node])
                                if stops is not None:
                                    if choice == ASK and stage == TURN:
                                        choice, stage = answer, BEGIN
                                    elif choice == ASK:
                                        stops.rows[number, MASK] = mask[row + node]
                                        halted, stage = True, TURN
                                        break
                            if choice == ENDED:
                                ended = np.uint64(ends_as[node])
                                matters |= compares[node]
                                break
                            if choice != DRAWN:
                                kind = kinds[choice]
                                if kind & ENDS_BY_CARDS:
                                    ended = np.uint64(ends_as[node])
                                    matters |= compares[node]
                                    break
                                if kind & LEADS:
                                    if kind & SPLITS:
                                        if cut is not None:
                                            if holding:
                                                hold_split(base + seat, hand, hands, here)
                                        hands += ONE
                                        aces = np.uint64(pair_aces[node])
                                        context = split_context[aces, hands]
                                        row = (row_of[player, role, context] * symbols + up) * nodes
                                    if cut is not None:
                                        if holding and effects.discards[choice]:
                                            put_away(
                                                deck, now_in, base + seat, hand, rules.marked, here
                                            )
                                    if carried is not None:
                                        for _ in range(lights[choice]):
                                            prize_of[base + seat] += light_up(
                                                lit,
                                                prized,
                                                after_light,
                                                prizes,
                                                surplus_counts,
                                                base + seat,
                                                now_in,
                                            )
                                    node = np.uint64(leads[np.uint64(choice) * nodes + node])
                                    if kind & SPLITS:
                                        root = node
                                if kind & RAISES:
                                    doubles += ONE
                                    context = np.uint64(
                                        context_next[context * ACTION_COUNT + np.uint64(choice)]
                                    )
                                    row = (row_of[player, role, context] * symbols + up) * nodes
                                if kind & ENDS:
                                    ended = ends_with[choice]
                                    matters |= class_compares[ended]
                                    break
                                if not kind & DRAWS:
                                    continue
                            draws = True
                            if own is not None:
                                if own.players:
                                    draws = False
                                    code = cards[row_at + seat * most + turned[base + seat]]
                                    turned[base + seat] += ONE
                            if draws:
                                code, state, at, end, waiting = take(
                                    deck,
                                    cut,
                                    ahead,
                                    size,
                                    most_left,
                                    gone,
                                    now_in,
                                    state,
                                    step,
                                    at,
                                    end,
                                    began,
                                    waiting,
                                )
                            if counting is not None:
                                running += weight[code >> CARD]
                            if stops is not None:
                                stops.seen[number, code & SYMBOL] += 1
                            if cut is not None:
                                if holding:
                                    hold_card(code, base + seat, hand, held, holds)
                            move = node * symbols + (code & SYMBOL)
                            if carried is not None:
                                for _ in range(light[move]):
                                    prize_of[base + seat] += light_up(
                                        lit,
                                        prized,
                                        after_light,
                                        prizes,
                                        surplus_counts,
                                        base + seat,
                                        now_in,
                                    )
                            node = np.uint64(child[move])
                        if stops is not None:
                            if halted:
                                break
                        if cut is not None:
                            if holding and settles[ended * symbols + up]:
                                settle_hand(deck, now_in, base + seat, hand, here)
                        final[base + seat, hand] = ended
                        doubled[base + seat, hand] = doubles
                        last, last_doubles = ended, doubles
                        doubles = ZERO
                        hand += ONE
                        node = root
                        context = split_context[aces, hands]
                    hands_of[base + seat] = hands
                    if stops is not None:
                        row_here = stops.rows[number]
                        row_here[NODE], row_here[ROOT] = node, root
                        row_here[HANDS], row_here[HAND] = hands, hand
                        row_here[ACES], row_here[DOUBLES] = aces, doubles
                        row_here[CONTEXT] = context
        dried = False
        if stops is not None:
            dried = now_in[DRY] != ZERO
            if not halted and stage != NOTHING and stops.rows[number, ASKED] == 0:
                # A round has a decision at least, if only to see the dealer's hand.
                halted, stage = True, NOTHING
                stops.rows[number, MASK] = NOTHING_MASK
            if halted and not dried:
                stops.rows[number, STAGE] = stage
                stops.rows[number, UP] = up
                stops.rows[number, ASKED] = 1
                stops.rows[number, MATTERS] = matters
                if stage < TURN:
                    stops.rows[number, NODE] = first_node[base]
                now_in[STATE], now_in[AT], now_in[END] = state, at, end
                now_in[WAITING], now_in[BEGAN] = waiting, began
                number += ONE
                continue
        # The dealer.
        if counting is not None:
            running += hidden
            hidden = 0
        # A hand that no wager depends on is as good as any; so one test ends both cases.
        told = matters or dealer < 0
        dealer = dealer if told else any_class[up]
        drawn = dealers + TWO
        while dealer >= 0 and not dried:
            draws = True
            if own is not None:
                if own.dealers:
                    draws = False
                    code = cards[drawn]
                    drawn += ONE
            if draws:
                code, state, at, end, waiting = take(
                    deck,
                    cut,
                    ahead,
                    size,
                    most_left,
                    gone,
                    now_in,
                    state,
                    step,
                    at,
                    end,
                    began,
                    waiting,
                )
            if counting is not None:
                running += weight[code >> CARD]
            if stops is not None:
                place = stops.rows[number, DREW]
                if place < stops.drawn.shape[1]:
                    stops.drawn[number, place] = code
                    stops.rows[number, DREW] += 1
                if draws:
                    stops.seen[number, code & SYMBOL] += 1
            dealer = dealer_next[np.uint64(dealer) + (code & SYMBOL)]
        result = np.uint64(-1 - dealer)
        if stops is not None:
            show_all(
                cards, row_at, most, turned[base] if own is not None else first_up, number, stops
            )
            stops.rows[number, STAGE], stops.rows[number, UP] = OVER, up
            stops.over[number] = True
            now_in[STATE], now_in[AT], now_in[END] = state, at, end
            now_in[WAITING], now_in[BEGAN] = waiting, began
        if cut is not None:
            if now_in[DRY] != ZERO:
                void += 1
                if stops is not None:
                    number += ONE
                continue
        if stops is not None:
            stops.dealer[number] = int(result) if told else -1
        result_of[place_of], up_of[place_of] = result, up
        # What every wager came to.
        for seat in range(seats):
            slot = place_of * seats + seat
            charged = False
            total = 0
            own_level = level
            if crowd is not None:
                own_level = level + crowd.level[seat]
            several = True
            if crowd is None:
                if stops is None:
                    several = hands != ONE
                    if not several:
                        # Nearly always: what the only hand came to is still at hand.
                        spot = (own_level * TWO * TWO + ONE) * most_doubles + last_doubles
                        total = pays[(spot * classes + last) * ends + result]
                        if kept is not None:
                            kept_at = slot * most_hands
                            kept_final[kept_at], kept_doubles[kept_at] = last, last_doubles
                            claims[kept_at] = total
            for which in range(hands_of[base + seat] if several else ZERO):
                ended = final[base + seat, which]
                role = ONE if which else ZERO
                flat = ZERO if flat_once and charged else ONE
                spot = ((own_level * TWO + role) * TWO + flat) * most_doubles
                spot += doubled[base + seat, which]
                won = pays[(spot * classes + ended) * ends + result]
                total += won
                if flat_once:
                    charged |= flat_of[ended, result]
                if kept is not None:
                    kept_at = slot * most_hands + which
                    kept_final[kept_at], kept_doubles[kept_at] = ended, doubled[base + seat, which]
                    claims[kept_at] = won
            net[ZERO, slot] = total
            if carried is not None:
                net[prize_column, slot] = prize_of[base + seat]
            if kept is not None:
                kept_hands[slot] = hands_of[base + seat]
        if stops is not None:
            if insurance is not None:
                insured[done] = stops.rows[number, INSURED] != 0
            if kept is not None:
                for place in range(room):
                    kept.cards[done * room + place] = cards[row_at + place]
            stops.of_round[done] = number
            done += ONE
        number += ONE
    if stops is None:
        done = number
        shoe.now[STATE] = state
        shoe.now[AT], shoe.now[END], shoe.now[WAITING] = at, end, waiting
    else:
        stops.ended[0] = done
    if counting is not None:
        counting.running[RUNNING], counting.running[HIDDEN] = running, hidden
    if kept is not None:
        kept.rounds[0] = done
    return void
