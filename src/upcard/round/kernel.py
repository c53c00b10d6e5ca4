"""Whole rounds of any game, from arrays alone.

One loop plays them all: the first deal, trades, insurance and surrender before the check, the turns
with their splits, the dealer, and what every wager of every seat came to. It knows no rule, no game
and no action: what may happen stands in `RoundRules`, what an action does in `EffectFlags`, what is
done in `Play`, what it pays in `Stakes`.

Whoever has a policy has rounds played in a row. Whoever decides hand by hand passes `Stops`: then
every round stops where somebody is asked, and goes on from there with the answer.

Every stage of a round is a function of its own. It gets the parts that not every table has as
arguments, and the compiler leaves out what it does with those that are None.
"""

from __future__ import annotations

import numpy as np

from upcard.compile.context import Action
from upcard.jit import kernel, lasting, stage
from upcard.round.before_check import fold, insure, seats_of, trade
from upcard.round.count_kernel import count_of, level_of
from upcard.round.exchange import exchange_cards
from upcard.round.first_deal import (
    first_cards,
    first_hands,
    lay_natural_first,
    leave_shoe,
    open_shoe,
    shoe_in_play,
    top_of,
)
from upcard.round.held_cards import hold_first, show_deal, show_dealers, show_rest
from upcard.round.kernel_types import (
    ANEW,
    ASKED,
    BEGIN,
    CONTEXT,
    DOUBLES,
    DREW,
    DRY,
    EXCHANGED,
    HAND,
    HANDS,
    INSURED,
    LEAVE,
    LEFT,
    MASK,
    MATTERS,
    NEXT_WORD,
    NODE,
    ONE,
    PLAYING,
    SEAT,
    STAGE,
    SYMBOL,
    TWO,
    UP,
    WORD,
    ZERO,
    Bools,
    Counting,
    Cut,
    Dealing,
    Here,
    InsurancePlay,
    Kept,
    Machine,
    MachineShoe,
    Out,
    OwnCards,
    Pause,
    Played,
    Returns,
    RoundRules,
    Stopping,
    Stops,
    TableCore,
    Top,
    Walk,
    Where,
    Words,
)
from upcard.round.no_hole import second_card
from upcard.round.results import draw_dealer, pay_seats
from upcard.round.suits import begin_suits
from upcard.round.third_cards import begin_thirds, keep_thirds, thirds_after_check
from upcard.round.turns import settle_by_check, take_turns, walk_hand, walked

NOTHING_MASK = Action.STAND.bit
"""What may be answered where there is nothing to decide."""
_TURN, _NOTHING, _OVER = int(Pause.TURN), int(Pause.NOTHING), int(Pause.OVER)
_EXCHANGE = int(Pause.EXCHANGE)


@lasting
def play_rounds(
    machine: Machine, shoe: MachineShoe, out: Out, rounds: int, stops: Stops | None
) -> int:
    """Play so many rounds and write down what became of them; how many more were void.

    A round that runs out of cards is void, and another is dealt in its place. With `stops` every
    round is played on to where somebody is asked, or to its end; a void one ends.
    """
    m, rules, here = machine, machine.rules, machine.here
    core = TableCore(rules, m.effects, m.play, here)
    seats, symbols = seats_of(m.crowd), np.uint64(rules.symbols)
    size, room, most = np.uint64(shoe.size), np.uint64(rules.room), np.uint64(rules.most)
    dealing = shoe_in_play(shoe.deck, shoe.now, size, m.stacked, False)
    top = top_of(shoe.now, count_left(m.counting))
    word, after = shoe.now[WORD], shoe.now[NEXT_WORD]
    dealt, level = ZERO, ZERO
    number, done, void = ZERO, ZERO, 0
    while number < np.uint64(rounds):
        question = Stopping(BEGIN, 0, False)
        base, place = ZERO, number
        if stops is not None:
            question = question_of(stops, number)
            base, place = number * seats, done
            if question.answer == LEAVE:
                number += ONE
                continue
            now = stops.streams[number]
            dealing = shoe_in_play(stops.decks[number], now, size, m.stacked, True)
            top = top_of(now, ZERO)
        where = where_of(here, m.kept, stops, number, base, place, room)
        if question.stage == BEGIN:
            was_void = is_dry(m.returns, dealing)
            dealing, top, anew = open_shoe(m.cut, m.returns, stops, dealing, top)
            note_depth(m.cut, out, place, seats, dealing)
            level = level_of(m.counting, dealing, top)
            note_count(m.counting, out, place, seats, level, top)
            top, word, after = first_cards(
                m.cut, m.returns, m.counting, stops, rules.deal_to, where, dealing, top, word, after
            )
            if m.walk is None:
                dealt = first_hands(
                    rules, m.play, here, m.own, m.carried, where, seats, dealing, was_void
                )
            lay_natural_first(rules, m.own, where, where.row + seats * most)
            hold_first(rules, m.returns, where, seats, dealing)
            begin_thirds(m.thirds, where, seats)
            begin_suits(m.bonuses, rules, where, seats)
            if stops is not None:
                begin_row(rules, where, anew, stops)
        dealers = where.row + seats * most
        first, hole = where.cards[dealers] & SYMBOL, where.cards[dealers + ONE] & SYMBOL
        up = shown_by(m.shown_of, first, hole, symbols)
        top, question = trade(
            core,
            m.crowd,
            m.early,
            m.returns,
            m.carried,
            m.counting,
            m.chance,
            stops,
            where,
            up,
            dealing,
            top,
            question,
        )
        top, question = insure(
            core,
            m.crowd,
            m.insurance,
            m.counting,
            stops,
            out.insured,
            where,
            up,
            dealing,
            top,
            question,
        )
        top, question = fold(
            core, m.crowd, m.early, m.chance, stops, where, up, dealing, top, question
        )
        matters = False
        if stops is not None:
            if question.stage != BEGIN:
                matters = stops.rows[number, MATTERS] != 0
        played = Played(ONE, PLAYING, PLAYING, ZERO, matters)
        at_turns = question.stage <= _TURN or question.stage == _EXCHANGE
        if at_turns and not question.halted:
            if rules.found[first * symbols + hole]:
                dealt = hands_after_all(core, m.walk, where, seats, dealing, dealt)
                played = settle_by_check(core, m.crowd, m.early, stops, m.bonuses, where)
                top = thirds_after_check(
                    rules,
                    here,
                    m.own,
                    m.returns,
                    m.counting,
                    stops,
                    m.thirds,
                    where,
                    seats,
                    dealing,
                    top,
                )
            else:
                top, question = exchange_cards(
                    core, m.crowd, m.exchange, m.returns, stops, where, up, dealing, top, question
                )
                top, code = walk_hand(rules, m.walk, m.counting, where, up, dealing, top)
                if code != LEFT:
                    played = walked(m.stakes, code)
                elif not question.halted:
                    dealt = hands_after_all(core, m.walk, where, seats, dealing, dealt)
                    top, question, played = take_turns(
                        core,
                        m.stakes,
                        m.crowd,
                        m.early,
                        m.returns,
                        m.carried,
                        m.counting,
                        m.chance,
                        m.own,
                        m.thirds,
                        m.bonuses,
                        stops,
                        where,
                        dealt,
                        up,
                        dealing,
                        top,
                        question,
                        matters,
                    )
        dried = False
        if stops is not None:
            dried = is_dry(m.returns, dealing)
            if not dried and halts(stops, here, where, up, played, question):
                leave_shoe(dealing, top)
                number += ONE
                continue
        result, told = ZERO, False
        if not dried:
            top, begun = second_card(
                rules,
                here,
                m.no_hole,
                m.crowd,
                m.insurance,
                m.returns,
                m.counting,
                stops,
                m.dealers,
                out.insured,
                where,
                seats,
                first,
                dealers + ONE,
                played,
                dealing,
                top,
            )
            top, result, told = draw_dealer(
                rules,
                m.own,
                m.returns,
                m.counting,
                stops,
                m.dealers,
                where,
                begun,
                up,
                dealers + TWO,
                played.matters,
                dealing,
                top,
            )
        if stops is not None:
            for seat in range(seats):
                show_rest(rules, where, seat, turned_by(m.own, rules, here, base + seat), stops)
            show_dealers(rules, where, stops)
            stops.rows[number, STAGE], stops.rows[number, UP] = _OVER, up
            stops.over[number] = True
            leave_shoe(dealing, top)
        if is_dry(m.returns, dealing):
            void += 1
            if stops is not None:
                number += ONE
            continue
        out.result[place], out.up[place] = result, up
        keep_thirds(m.thirds, where, seats)
        pay_seats(
            m.stakes,
            here,
            m.crowd,
            m.carried,
            m.kept,
            stops,
            where,
            seats,
            level,
            played,
            result,
            out,
        )
        if stops is not None:
            stops.dealer[number] = int(result) if told else -1
            end_row(m.insurance, m.kept, where, seats, room, out.insured, stops)
        done += ONE
        number += ONE
    if stops is None:
        leave_shoe(dealing, top)
        shoe.now[WORD], shoe.now[NEXT_WORD] = word, after
        leave_count(m.counting, top)
    else:
        stops.ended[0] = done
    note_rounds(m.kept, done)
    return void


@stage
def hands_after_all(
    core: TableCore,
    walk: Walk | None,
    where: Where,
    seats: np.uint64,
    dealing: Dealing,
    dealt: np.uint64,
) -> np.uint64:
    """The hands that were dealt, where a walk went without."""
    if walk is None:
        return dealt
    return first_hands(core.rules, core.play, core.here, None, None, where, seats, dealing, False)


@stage
def shown_by(
    shown_of: Words | None, up: np.uint64, hole: np.uint64, symbols: np.uint64
) -> np.uint64:
    """What the dealer shows: the number of the up card, where that is all."""
    return up if shown_of is None else shown_of[up * symbols + hole]


@stage
def is_dry(returns: Returns | None, dealing: Dealing) -> bool:
    """Whether the round has had no card to take, and is void."""
    return False if returns is None else dealing.now[DRY] != ZERO


@stage
def where_of(
    here: Here,
    kept: Kept | None,
    stops: Stops | None,
    number: np.uint64,
    base: np.uint64,
    place: np.uint64,
    room: np.uint64,
) -> Where:
    """Where a round is written down: its cards too, if somebody looks at them later."""
    if stops is None:
        if kept is None:
            return Where(here.cards, number, ZERO, base, place)
        return Where(kept.cards, number, number * room, base, place)
    return Where(here.cards, number, number * room, base, place)


@stage
def note_depth(
    cut: Cut | None, out: Out, place: np.uint64, seats: np.uint64, dealing: Dealing
) -> None:
    """Write down how much of the shoe was gone."""
    if cut is not None:
        for seat in range(seats):
            out.depth[place * seats + seat] = dealing.began


@stage
def note_count(
    counting: Counting | None,
    out: Out,
    place: np.uint64,
    seats: np.uint64,
    level: np.uint64,
    top: Top,
) -> None:
    """Write down the running count, and the level of every seat's wagers."""
    if counting is not None:
        for seat in range(seats):
            out.running[place * seats + seat] = count_of(top.running)
        if len(counting.level_at) > 1:
            for seat in range(seats):
                out.level[place * seats + seat] = level


@stage
def count_left(counting: Counting | None) -> np.uint64:
    """The count as it was left."""
    return ZERO if counting is None else counting.running[0]


@stage
def leave_count(counting: Counting | None, top: Top) -> None:
    """Leave the count as it is."""
    if counting is not None:
        counting.running[0] = top.running


@stage
def note_rounds(kept: Kept | None, done: np.uint64) -> None:
    """Write down how many rounds there are."""
    if kept is not None:
        kept.rounds[0] = done


# ---------------------------------------------------------------- rounds that stop


@stage
def question_of(stops: Stops, number: np.uint64) -> Stopping:
    """Where a round stands, and what is answered."""
    answer = stops.choice[number]
    stage = BEGIN if answer == ANEW else stops.rows[number, STAGE]
    return Stopping(stage, answer, False)


@kernel
def begin_row(rules: RoundRules, where: Where, anew: bool, stops: Stops) -> None:
    """A new round, of which the player sees the first cards."""
    row = stops.rows[where.number]
    if anew:
        stops.seen[where.number, :] = 0
    show_deal(rules, where, stops)
    row[ASKED], row[INSURED], row[DREW], row[SEAT], row[EXCHANGED] = 0, 0, 0, 0, 0
    row[HANDS], row[HAND], row[DOUBLES], row[CONTEXT] = 1, 0, 0, rules.turn


@stage
def halts(
    stops: Stops,
    here: Here,
    where: Where,
    up: np.uint64,
    played: Played,
    question: Stopping,
) -> bool:
    """Whether a round waits for an answer: then what has become of it is written down."""
    row = stops.rows[where.number]
    if not question.halted and question.stage != _NOTHING and row[ASKED] == 0:
        # A round has a decision at least, if only to see the dealer's hand.
        question = Stopping(_NOTHING, 0, True)
        row[MASK] = NOTHING_MASK
    if question.halted:
        row[STAGE], row[UP], row[ASKED] = question.stage, up, 1
        row[MATTERS] = played.matters
        if question.stage < _TURN or question.stage == _EXCHANGE:
            row[NODE] = here.node[where.base + np.uint64(row[SEAT])]
    return question.halted


@stage
def turned_by(own: OwnCards | None, rules: RoundRules, here: Here, seat: np.uint64) -> np.uint64:
    """How many of its first cards a seat has played."""
    return np.uint64(rules.first_up) if own is None else here.turned[seat]


@stage
def end_row(
    insurance: InsurancePlay | None,
    kept: Kept | None,
    where: Where,
    seats: np.uint64,
    room: np.uint64,
    insured: Bools,
    stops: Stops,
) -> None:
    """A round that has ended: what others than the base wager need of it."""
    if insurance is not None:
        for seat in range(seats):
            insured[where.place * seats + seat] = stops.rows[where.number, INSURED] >> int(seat) & 1
    if kept is not None:
        for place in range(room):
            kept.cards[where.place * room + place] = where.cards[where.row + place]
    stops.of_round[where.place] = where.number
