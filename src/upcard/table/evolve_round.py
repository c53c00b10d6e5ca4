"""How events of a round change the state: cards, lights, decisions, money."""

from __future__ import annotations

from msgspec.structs import replace

from upcard.compile.effects import GOES_ON
from upcard.table import events as ev
from upcard.table.acting import (
    HAND_EVENTS,
    HandEvent,
    OfferDeclined,
    action_told,
    exchanged_states,
    switching,
)
from upcard.table.plain_tables import BASE, INSURANCE, PlainTables
from upcard.table.settle import prizes_due
from upcard.table.state import (
    BUST,
    DEAD,
    Box,
    LightDue,
    Offer,
    Settled,
    SideBet,
    Stake,
    TableHand,
    TableState,
)
from upcard.table.state_steps import (
    Handlers,
    box_at,
    drawn,
    end_hand,
    on,
    round_of,
    stage_between,
    with_box,
    with_dealer,
    with_hand,
    with_lights,
    with_round,
)

HANDLERS: Handlers = {}


# ------------------------------------------------------------------ cards


@on(HANDLERS, ev.CardDealt)
def _dealt(look: PlainTables, state: TableState, event: ev.CardDealt) -> TableState:
    here = state.round
    assert here is not None
    state = drawn(state)
    if here.scripted < len(here.script):
        state = with_round(state, scripted=here.scripted + 1)
    match event.to:
        case "empty":
            return with_round(state, gone=(*here.gone, event.card))
        case "community":
            return with_round(state, community=(*here.community, event.card))
        case "wager":
            state = with_round(state, gone=(*here.gone, event.card))
            return with_box(state, box_at(state, event.position), third=event.card)
        case "dealer":
            return _dealer_gets(look, state, event.card, event.face)
        case "down":
            box = box_at(state, event.position)
            return with_box(
                state, box, down=(*box.down, event.card), dealt=(*box.dealt, event.card)
            )
    box = box_at(state, event.position)
    if here.scripted < len(here.script):
        state = with_box(state, box, dealt=(*box.dealt, event.card))
    return _hand_gets(look, state, event.position, event.hand, event.card)


def _dealer_gets(look: PlainTables, state: TableState, card: str, face: str) -> TableState:
    dealer = round_of(state).dealer
    if face == "down":
        return with_dealer(state, down=(*dealer.down, card))
    after = look.dealer_next[dealer.state][look.symbol[card]]
    return with_dealer(state, cards=(*dealer.cards, card), state=after)


def _hand_gets(
    look: PlainTables, state: TableState, position: int, number: int, card: str
) -> TableState:
    box = box_at(state, position)
    hand = box.hands[number]
    symbol = look.symbol[card]
    after = look.next[hand.state][symbol]
    new = replace(hand, cards=_placed_card(hand.cards, card), state=after, due=False, pick=0)
    for _ in range(look.light[hand.state][symbol]):
        state = _light_due(look, state, box)
    if look.follows_thirds and number == 0 and not box.third and is_turns(look, state):
        state = with_box(state, box_at(state, position), third=card)
    return with_hand(state, position, number, new)


def is_turns(look: PlainTables, state: TableState) -> bool:
    """Whether the players' turns have come."""
    return round_of(state).step >= look.turns_step


def _placed_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A new card goes behind the others, or where a traded one lay."""
    if "" in cards:
        place = cards.index("")
        return (*cards[:place], card, *cards[place + 1 :])
    return (*cards, card)


@on(HANDLERS, ev.CardTurned)
def _turned(look: PlainTables, state: TableState, event: ev.CardTurned) -> TableState:
    index = event.place - 1
    if event.position == 0:
        dealer = round_of(state).dealer
        down = _without(dealer.down, index)
        after = look.dealer_next[dealer.state][look.symbol[event.card]]
        return with_dealer(state, cards=(*dealer.cards, event.card), state=after, down=down)
    box = box_at(state, event.position)
    state = with_box(state, box, down=_without(box.down, index))
    return _hand_gets(look, state, event.position, event.hand, event.card)


def _without(cards: tuple[str, ...], index: int) -> tuple[str, ...]:
    return (*cards[:index], "", *cards[index + 1 :])


@on(HANDLERS, ev.DownCardTold)
def _told(look: PlainTables, state: TableState, event: ev.DownCardTold) -> TableState:
    return with_dealer(state, told=event.ranks)


@on(HANDLERS, ev.CardsShown)
def _shown(look: PlainTables, state: TableState, event: ev.CardsShown) -> TableState:
    if event.community:
        return with_round(state, community_shown=True)
    if event.position == 0:
        return with_dealer(state, shown=True)
    return with_box(state, box_at(state, event.position), shown=True)


# ------------------------------------------------------------------ lights


def _light_due(look: PlainTables, state: TableState, box: Box) -> TableState:
    carry = look.tables.carry
    here = round_of(state)
    assert carry is not None
    due = LightDue(box.player, look.lights_position(box.position), box.position)
    if due.owner in here.prized and not carry.surplus_counts:
        return state
    return with_round(state, lights=(*here.lights, due))


@on(HANDLERS, ev.LightLit)
def _lit(look: PlainTables, state: TableState, event: ev.LightLit) -> TableState:
    carry = look.tables.carry
    here = round_of(state)
    assert carry is not None
    before = state.lit(event.player, event.position)
    state = with_lights(state, event.player, event.position, event.lights)
    lit, *waiting = here.lights
    due = lit if carry.prize[before] else None
    return with_round(state, lights=tuple(waiting), prize_due=due)


@on(HANDLERS, ev.PrizeWon)
def _prize(look: PlainTables, state: TableState, event: ev.PrizeWon) -> TableState:
    carry = look.tables.carry
    here = round_of(state)
    booked = (*here.prizes, (event.player, event.won_at, event.amount))
    if event.prize:
        return with_round(state, hand_prizes=here.hand_prizes[1:], prizes=booked)
    assert carry is not None
    won = (event.player, event.position)
    waiting = here.lights
    if not carry.surplus_counts:
        waiting = tuple(due for due in waiting if due.owner != won)
    state = with_lights(state, event.player, event.position, 0)
    return with_round(
        state,
        prize_due=None,
        lights=waiting,
        prized=(*here.prized, won),
        prizes=booked,
    )


# ------------------------------------------------------------------ decisions


@on(HANDLERS, ev.InsuranceTaken)
def _insured(look: PlainTables, state: TableState, event: ev.InsuranceTaken) -> TableState:
    box = box_at(state, event.position)
    bet = SideBet(event.player, INSURANCE, event.amount)
    return _answered(look, with_box(state, box, sides=(bet, *box.sides)), event)


@on(HANDLERS, ev.InsuranceDeclined)
@on(HANDLERS, ev.SurrenderDeclined)
@on(HANDLERS, ev.ExchangeDeclined)
def _answered(
    look: PlainTables,
    state: TableState,
    event: ev.InsuranceTaken | OfferDeclined | ev.CardsSwitched,
) -> TableState:
    """A box is asked once in a step."""
    box = box_at(state, event.position)
    return with_box(state, box, asked=(*box.asked, look.steps[round_of(state).step]))


@on(HANDLERS, ev.CardsSwitched)
def _switched(look: PlainTables, state: TableState, event: ev.CardsSwitched) -> TableState:
    """Two cards change places, and both hands are what their cards are then."""
    state = _answered(look, state, event)
    step, action = round_of(state).step, switching(event)
    positions = (event.position, event.other)
    one, other = (box_at(state, position).hands[0] for position in positions)
    states = exchanged_states(look, one.cards, other.cards)
    for position, hand, cards, after in (
        (event.position, one, (one.cards[0], other.cards[1]), states[0]),
        (event.other, other, (other.cards[0], one.cards[1]), states[1]),
    ):
        context = look.plan.context_of(look.steps[step], hand.context)
        new = replace(hand, cards=cards, state=after, context=look.after[context][action])
        state = with_hand(state, position, 0, new)
    return state


@on(HANDLERS, ev.DealerChecked)
def _checked(look: PlainTables, state: TableState, event: ev.DealerChecked) -> TableState:
    return with_dealer(state, checked=True, natural=event.natural)


def _acted(look: PlainTables, state: TableState, event: HandEvent) -> TableState:
    """A decision about a hand, as the row of its action says."""
    box = box_at(state, event.position)
    hand = box.hands[event.hand]
    action = action_told(look, hand, event)
    context = look.plan.context_of(look.steps[round_of(state).step], hand.context)
    step = look.step(hand.state, context, action)
    if isinstance(event, ev.HandDoubled | ev.HandSplit):
        state = _fees_due(state, event)
    if step.ends_as != GOES_ON:
        # It stays in the context that it was asked in: given up before the check, or in its turn.
        state = with_hand(state, event.position, event.hand, replace(hand, context=context))
        return end_hand(state, event.position, event.hand, look.ending[action])
    for _ in range(step.lights):
        state = _light_due(look, state, box)
    new = replace(hand, state=step.state, context=step.context, due=step.draws > 0)
    if isinstance(event, ev.HandSplit):
        return _split(look, state, event, new, step.new_context)
    if isinstance(event, ev.HandHit | ev.HandDoubled):
        new = replace(new, pick=event.pick)
    if isinstance(event, ev.HandDoubled):
        new = replace(new, stakes=_raised(hand.stakes, event.added))
        if event.marker:
            new = replace(new, stakes=_marked(new.stakes, event.marker))
    if isinstance(event, ev.CardTraded):
        new = replace(new, cards=_without(hand.cards, event.place - 1))
        state = with_round(state, gone=(*round_of(state).gone, event.card))
    if isinstance(event, ev.HandReplaced):
        new = replace(new, cards=())
        state = with_round(state, gone=(*round_of(state).gone, *event.cards))
    return with_hand(state, event.position, event.hand, new)


HANDLERS.update(dict.fromkeys(HAND_EVENTS, _acted))


def _raised(stakes: tuple[Stake, ...], added: tuple[ev.Added, ...]) -> tuple[Stake, ...]:
    """Stakes with one portion more, of those who added one."""
    extra = {part.player: part.amount for part in added}
    return tuple(
        replace(stake, added=(*stake.added, extra[stake.player]))
        if stake.player in extra
        else stake
        for stake in stakes
    )


def _marked(stakes: tuple[Stake, ...], marker: int) -> tuple[Stake, ...]:
    """Stakes with one marker of the house more: it is for the hand's owner."""
    owner, *others = stakes
    return (replace(owner, markers=(*owner.markers, marker)), *others)


def _fees_due(state: TableState, event: ev.HandDoubled | ev.HandSplit) -> TableState:
    due = [ev.Fee(part.player, event.position, part.fee) for part in event.added if part.fee]
    return with_round(state, fees=(*round_of(state).fees, *due)) if due else state


def _split(
    look: PlainTables, state: TableState, event: ev.HandSplit, new: TableHand, new_context: int
) -> TableState:
    """Two hands in the place of one, both in the state of `new`; the second may have the house's
    marker on it, and its context says so.
    """
    box = box_at(state, event.position)
    first = replace(new, cards=new.cards[:1])
    second = replace(
        new,
        cards=new.cards[1:],
        context=new_context,
        stakes=tuple(Stake(part.player, part.amount) for part in event.added),
    )
    if event.marker:
        second = replace(second, stakes=_marked(second.stakes, event.marker))
    hands = [*box.hands[: event.hand], first, second, *box.hands[event.hand + 1 :]]
    behind = event.hand + 1
    moved = [replace(one, hand=one.hand + 1) if one.hand >= behind else one for one in box.sides]
    put_up = [
        SideBet(part.player, wager, amount, hand=behind)
        for part in event.added
        for wager, amount in part.sides
    ]
    # What a waiting hand may do depends on how many there are; ended hands are not asked again.
    counted = tuple(
        hand if hand is first or hand is second or hand.ended else _recount(look, hand, new.context)
        for hand in hands
    )
    return with_box(state, box, hands=counted, sides=(*moved, *put_up))


def _recount(look: PlainTables, hand: TableHand, like: int) -> TableHand:
    """A waiting hand in the context of as many hands as `like` has."""
    contexts = look.tables.contexts
    count = contexts.contexts[like].hands
    own = contexts.contexts[hand.context]._replace(hands=count)
    return replace(hand, context=contexts.contexts.index(own))


@on(HANDLERS, ev.HandBusted)
def _busted(look: PlainTables, state: TableState, event: ev.HandBusted) -> TableState:
    return end_hand(state, event.position, event.hand, BUST)


@on(HANDLERS, ev.HandDead)
def _dead(look: PlainTables, state: TableState, event: ev.HandDead) -> TableState:
    state = end_hand(state, event.position, 0, DEAD)
    return with_box(state, box_at(state, event.position), dead=True)


@on(HANDLERS, ev.DealerFinished)
def _finished(look: PlainTables, state: TableState, event: ev.DealerFinished) -> TableState:
    return with_dealer(state, result=event.result)


# ------------------------------------------------------------------ money and the end


@on(HANDLERS, ev.WagerSettled)
def _settled(look: PlainTables, state: TableState, event: ev.WagerSettled) -> TableState:
    box = box_at(state, event.position)
    done = Settled(event.result, event.collected, event.won, event.uncovered, event.why)
    if event.wager == BASE:
        hand = box.hands[event.hand]
        stakes = tuple(
            replace(stake, settled=done) if stake.player == event.player else stake
            for stake in hand.stakes
        )
        state = with_hand(state, event.position, event.hand, replace(hand, stakes=stakes))
        due = tuple(prizes_due(look, round_of(state), box_at(state, event.position)))
        state = with_round(state, hand_prizes=due) if due else state
    else:
        sides = tuple(
            replace(bet, settled=done)
            if (bet.player, bet.wager, bet.hand) == (event.player, event.wager, event.hand)
            else bet
            for bet in box.sides
        )
        state = with_box(state, box, sides=sides)
    if event.flat:
        state = with_round(state, flat_paid=(*round_of(state).flat_paid, event.player))
    if event.banked and state.bank is not None:
        bank = state.bank
        bank = replace(
            bank,
            paid=bank.paid + event.won,
            collected=bank.collected + event.collected,
            covered=bank.covered + event.covered,
        )
        state = replace(state, bank=bank)
    return state


@on(HANDLERS, ev.RoundVoided)
def _void(look: PlainTables, state: TableState, event: ev.RoundVoided) -> TableState:
    return with_round(state, void=True)


@on(HANDLERS, ev.BankReturned)
def _bank_returned(look: PlainTables, state: TableState, event: ev.BankReturned) -> TableState:
    bank = state.bank
    assert bank is not None
    state = replace(state, bank=replace(bank, returned=True))
    if state.stage == "wagers":  # taken back before the deal: the next player is asked
        return replace(state, stage="bank", offer=Offer("", bank.seat, 0))
    return state


@on(HANDLERS, ev.RoundEnded)
def _ended(look: PlainTables, state: TableState, event: ev.RoundEnded) -> TableState:
    state = with_round(state, over=True)
    return replace(state, stage=stage_between(look))


@on(HANDLERS, ev.CardFoundFaceUp)
def _found(look: PlainTables, state: TableState, event: ev.CardFoundFaceUp) -> TableState:
    return drawn(replace(state, discards=(*state.discards, event.card)))


@on(HANDLERS, ev.CardDrawnInError)
def _in_error(look: PlainTables, state: TableState, event: ev.CardDrawnInError) -> TableState:
    state = with_round(state, drawn_in_error=True)
    return drawn(replace(state, discards=(*state.discards, event.card)))
