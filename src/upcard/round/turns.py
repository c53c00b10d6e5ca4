"""The turns of the seats, hand by hand, with their splits."""

from __future__ import annotations

import numpy as np

from upcard.compile.action_rows import WHOLE_HAND
from upcard.compile.effects import Special
from upcard.jit import stage
from upcard.round.before_check import player_of, seats_of, was_asked
from upcard.round.choices import chosen
from upcard.round.count_kernel import count_card, departed
from upcard.round.held_cards import hold_split, put_away, put_hand_away, settle_hand
from upcard.round.kernel_types import (
    ACES,
    ACTIONS,
    BY_HOUSE,
    CONTEXT,
    DOUBLES,
    DRAWS,
    ENDS,
    ENDS_BY_CARDS,
    HAND,
    HANDS,
    LEADS,
    LEFT,
    NODE,
    ONE,
    PLAYING,
    RAISES,
    ROOT,
    SEAT,
    SPLITS,
    SYMBOL,
    TWO,
    ZERO,
    BonusEnds,
    Carried,
    Chance,
    Counting,
    Crowd,
    Dealing,
    EarlyPlay,
    Here,
    OwnCards,
    Pause,
    Play,
    Played,
    Returns,
    RoundRules,
    Stakes,
    Stopping,
    Stops,
    TableCore,
    ThirdCards,
    Top,
    Walk,
    Where,
)
from upcard.round.lights import light_up
from upcard.round.next_card import next_card
from upcard.round.shoe import take
from upcard.round.suits import final_class, note_suit, split_suits
from upcard.round.third_cards import note_third, third_after_all

_ACTIONS = np.uint64(ACTIONS)
_DRAW, _OVER = int(Special.DRAW), int(Special.OVER)
_TURN = int(Pause.TURN)
THREE, FOUR = np.uint64(3), np.uint64(4)


@stage
def gone_before(early: EarlyPlay | None, here: Here, seat: np.uint64) -> np.uint64:
    """What a hand that was given up before the check ended as."""
    return PLAYING if early is None else here.gone_as[seat]


@stage
def settle_by_check(
    core: TableCore,
    crowd: Crowd | None,
    early: EarlyPlay | None,
    stops: Stops | None,
    bonuses: BonusEnds | None,
    where: Where,
) -> Played:
    """The dealer's natural ends every hand."""
    play, here = core.play, core.here
    ended = ZERO
    for seat in range(seats_of(crowd)):
        mine = where.base + seat
        ended = np.uint64(play.settled_as[here.node[mine]])
        gone_as = gone_before(early, here, mine)
        if gone_as != PLAYING:
            ended = gone_as
        ended = final_class(bonuses, mine, ZERO, ended, ZERO)
        here.hands[mine] = ONE
        here.final[mine, ZERO], here.doubles[mine, ZERO] = ended, ZERO
        if stops is not None:
            stops.rows[where.number, NODE], stops.rows[where.number, SEAT] = here.node[mine], seat
    return Played(ONE, ended, ended, ZERO, False)


@stage
def settle_early(
    core: TableCore,
    crowd: Crowd | None,
    early: EarlyPlay | None,
    returns: Returns | None,
    bonuses: BonusEnds | None,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
) -> None:
    """Hands that are over and settled before the turns leave their cards, which may come back."""
    if returns is None:
        return
    if not dealing.holding:
        return
    play, here, shows = core.play, core.here, np.uint64(core.rules.shows)
    for seat in range(seats_of(crowd)):
        mine = where.base + seat
        ended = np.uint64(play.ends_as[here.node[mine]])
        is_over = ended == returns.natural
        gone_as = gone_before(early, here, mine)
        if gone_as != PLAYING:
            ended, is_over = gone_as, True
        if is_over:
            ended = final_class(bonuses, mine, ZERO, ended, ZERO)
        if is_over and returns.settles[ended * shows + up]:
            settle_hand(dealing, returns, mine, ZERO)


@stage
def row_for(
    rules: RoundRules,
    play: Play,
    player: np.uint64,
    hand: np.uint64,
    context: np.uint64,
    up: np.uint64,
) -> np.uint64:
    """Where the play of a hand in a context stands."""
    role = ONE if hand else ZERO
    row: np.uint64 = play.row_of[player, role, context] * np.uint64(rules.shows) + up
    return row * np.uint64(play.nodes)


@stage
def walk_hand(
    rules: RoundRules,
    walk: Walk | None,
    counting: Counting | None,
    where: Where,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
) -> tuple[Top, int]:
    """The only seat's hand where its cards alone lead it: what it came to, or `LEFT`."""
    if walk is None:
        return top, LEFT
    symbols = np.uint64(rules.symbols)
    one, two = where.cards[where.row] & SYMBOL, where.cards[where.row + ONE] & SYMBOL
    code = walk.begin[(up * symbols + one) * symbols + two]
    while code >= 0:
        card, top = take(dealing, None, top)
        top = count_card(counting, top, card)
        code = walk.next[np.uint64(code) + (card & SYMBOL)]
    return top, code


@stage
def walked(stakes: Stakes, code: int) -> Played:
    """A hand at the end of its walk."""
    over, classes = np.uint64(-1 - code), np.uint64(stakes.classes)
    spot, matters = over >> ONE, (over & ONE) != ZERO
    return Played(ONE, spot, spot % classes, spot // classes, matters)


@stage
def take_turns(
    core: TableCore,
    stakes: Stakes,
    crowd: Crowd | None,
    early: EarlyPlay | None,
    returns: Returns | None,
    carried: Carried | None,
    counting: Counting | None,
    chance: Chance | None,
    own: OwnCards | None,
    thirds: ThirdCards | None,
    bonuses: BonusEnds | None,
    stops: Stops | None,
    where: Where,
    dealt: np.uint64,
    up: np.uint64,
    dealing: Dealing,
    top: Top,
    question: Stopping,
    matters: bool,
) -> tuple[Top, Stopping, Played]:
    """Every seat plays its hands; `dealt` is what an only seat has, if nothing came between.

    Of a box that was split, the first bit of `aces` says whether aces were, the next one whether
    the hand has the house's marker, and those behind it the same of the hands that wait, in turn.
    """
    rules, effects, play, here = core.rules, core.effects, core.play, core.here
    symbols, nodes, turn = np.uint64(rules.symbols), np.uint64(play.nodes), np.uint64(rules.turn)
    action, child, kinds = play.action, play.child, effects.kind
    hands, ended, doubles, last_doubles = ONE, PLAYING, ZERO, ZERO
    settle_early(core, crowd, early, returns, bonuses, where, up, dealing)
    for seat in range(seats_of(crowd)):
        if was_asked(stops, where, seat, _TURN, question):
            continue
        mine = where.base + seat
        node = np.uint64(here.node[mine])
        if crowd is None and early is None and stops is None:
            node = dealt  # the same, still at hand
        player = player_of(crowd, seat)
        root, context, doubles = node, turn, ZERO
        hands, hand, aces = ONE, ZERO, ZERO
        if stops is not None:
            if question.stage == _TURN:
                asked = stops.rows[where.number]
                node, root = np.uint64(asked[NODE]), np.uint64(asked[ROOT])
                hands, hand = np.uint64(asked[HANDS]), np.uint64(asked[HAND])
                aces, doubles = np.uint64(asked[ACES]), np.uint64(asked[DOUBLES])
                context = np.uint64(asked[CONTEXT])
        while hand < hands:
            row = row_for(rules, play, player, hand, context, up)
            ended = gone_before(early, here, mine)
            if ended != PLAYING and bonuses is None:
                matters |= rules.compares[ended]
            while ended == PLAYING:
                choice = int(action[row + node])
                choice = departed(counting, dealing, top, row + node, choice)
                if chance is not None:
                    choice, top, question = chosen(
                        chance.mask, row + node, choice, _TURN, stops, where, dealing, top, question
                    )
                    if question.halted:
                        break
                if choice == _OVER:
                    ended = np.uint64(play.ends_as[node])
                    if bonuses is None:
                        matters |= play.compares[node]
                    break
                if choice != _DRAW:
                    kind = kinds[choice]
                    if kind & ENDS_BY_CARDS:
                        ended = np.uint64(play.ends_as[node])
                        if bonuses is None:
                            matters |= play.compares[node]
                        break
                    if kind & SPLITS:
                        if returns is not None:
                            if dealing.holding:
                                hold_split(mine, hand, hands, returns)
                        split_suits(bonuses, mine, hand, hands)
                        hands += ONE
                        # The new hand is the next one, and those that waited come behind it.
                        aces = (aces >> TWO) << THREE | aces & TWO
                        aces |= np.uint64(play.pair_aces[node])
                        if kind & BY_HOUSE:
                            aces |= FOUR
                        context = rules.split_context[aces & THREE, hands]
                        row = row_for(rules, play, player, hand, context, up)
                    if kind & LEADS:
                        if returns is not None:
                            if dealing.holding and effects.discards[choice] == WHOLE_HAND:
                                put_hand_away(dealing, returns, mine, hand)
                            elif dealing.holding and effects.discards[choice]:
                                put_away(dealing, returns, mine, hand)
                        if carried is not None:
                            light_up(carried, here, effects.lights[choice], mine, dealing.now)
                        node = np.uint64(play.leads[np.uint64(choice) * nodes + node])
                        root = node if kind & SPLITS else root
                    if kind & RAISES:
                        doubles += effects.raises[choice]
                        context = np.uint64(
                            rules.context_next[context * _ACTIONS + np.uint64(choice)]
                        )
                        row = row_for(rules, play, player, hand, context, up)
                    if kind & ENDS:
                        ended = effects.ends_as[choice]
                        if bonuses is None:
                            matters |= rules.compares[ended]
                        break
                    if not kind & DRAWS:
                        continue
                code, top = next_card(
                    rules, here, own, returns, counting, stops, where, seat, hand, dealing, top
                )
                note_third(thirds, mine, hand, code)
                note_suit(bonuses, mine, hand, code)
                move = node * symbols + (code & SYMBOL)
                if carried is not None:
                    light_up(carried, here, carried.light[move], mine, dealing.now)
                node = np.uint64(child[move])
            if question.halted:
                break
            if bonuses is not None:  # what a hand is depends on more than its node
                ended = final_class(bonuses, mine, hand, ended, doubles)
                matters |= rules.compares[ended]
            if returns is not None:
                if dealing.holding and returns.settles[ended * np.uint64(rules.shows) + up]:
                    settle_hand(dealing, returns, mine, hand)
            here.final[mine, hand], here.doubles[mine, hand] = ended, doubles
            last_doubles, doubles = doubles, ZERO
            aces = (aces >> TWO) << ONE | aces & ONE
            if aces & TWO:
                doubles = np.uint64(rules.marker_level)
            hand += ONE
            node, context = root, rules.split_context[aces & THREE, hands]
        here.hands[mine] = hands
        if not question.halted:
            top = third_after_all(
                rules, here, own, returns, counting, stops, thirds, where, seat, dealing, top
            )
        if stops is not None:
            asked = stops.rows[where.number]
            asked[NODE], asked[ROOT], asked[HANDS], asked[HAND] = node, root, hands, hand
            asked[ACES], asked[DOUBLES], asked[CONTEXT] = aces, doubles, context
            asked[SEAT] = seat
        if question.halted:
            break
    spot = last_doubles * np.uint64(stakes.classes) + ended
    return top, question, Played(hands, spot, ended, last_doubles, matters)
