"""How an event changes the state. Nothing here decides anything or can refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from upcard.compile.context import Action
from upcard.table import events as ev
from upcard.table.lookup import INSURANCE, Lookup
from upcard.table.order import around, deal_script
from upcard.table.postings import postings
from upcard.table.state import (
    Bank,
    Bet,
    Box,
    Dealer,
    Ending,
    Hand,
    LightDue,
    Offer,
    Player,
    Round,
    Settlement,
    Shoe,
    SideBet,
    Stake,
    TableState,
)

E = TypeVar("E", bound=ev.Happened)
Handler = Callable[[Lookup, TableState, Any], TableState]
_HANDLERS: dict[type[ev.Happened], Handler] = {}


def evolve(look: Lookup, state: TableState, event: ev.Event) -> TableState:
    """The state after an event; what it moves is posted to the ledger in the same breath."""
    after = _HANDLERS[type(event)](look, state, event)
    moved = postings(event)
    return replace(after, ledger=after.ledger.after(moved)) if moved else after


def _on(kind: type[E]) -> Callable[[Callable[[Lookup, TableState, E], TableState]], Handler]:
    def register(handler: Callable[[Lookup, TableState, E], TableState]) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


# ------------------------------------------------------------------ the table and its people


@_on(ev.TableOpened)
def _opened(look: Lookup, state: TableState, event: ev.TableOpened) -> TableState:
    return replace(
        state,
        stage=_between(look),
        table=event.table,
        game=event.game,
        fingerprint=event.fingerprint,
        settings=event.settings,
        casino=event.casino,
        secret=event.secret,
        positions=event.positions,
        used_cards=event.used_cards,
        lights=event.lights,
        first_turn=event.first_turn,
    )


@_on(ev.TableClosed)
def _closed(look: Lookup, state: TableState, event: ev.TableClosed) -> TableState:
    return replace(state, stage="closed", offer=None)


@_on(ev.ChipsBought)
def _bought(look: Lookup, state: TableState, event: ev.ChipsBought) -> TableState:
    if state.player(event.player):
        return state
    return replace(state, players=(*state.players, Player(event.player, event.kind)))


@_on(ev.PlayerSat)
def _sat(look: Lookup, state: TableState, event: ev.PlayerSat) -> TableState:
    return _with_player(state, event.player, seat=event.seat)


@_on(ev.PlayerLeft)
def _left(look: Lookup, state: TableState, event: ev.PlayerLeft) -> TableState:
    offer = state.offer
    if offer is not None and offer.player == event.player:
        offer = replace(offer, player="")
    return replace(_with_player(state, event.player, leaving=True), offer=offer)


@_on(ev.LightsLost)
def _lights_lost(look: Lookup, state: TableState, event: ev.LightsLost) -> TableState:
    return _with_lights(state, event.player, event.position, 0)


@_on(ev.CardPunched)
def _punched(look: Lookup, state: TableState, event: ev.CardPunched) -> TableState:
    state = replace(state, punched=state.punched + 1)
    return _with_lights(state, event.player, event.position, 0)


@_on(ev.CardSurrendered)
def _surrendered_card(look: Lookup, state: TableState, event: ev.CardSurrendered) -> TableState:
    state = replace(state, used_cards=(*state.used_cards, event.serial))
    return _with_lights(state, event.player, event.position, event.lights)


@_on(ev.ChipsCashed)
def _cashed(look: Lookup, state: TableState, event: ev.ChipsCashed) -> TableState:
    players = tuple(player for player in state.players if player.name != event.player)
    return replace(state, players=players)


# ------------------------------------------------------------------ the shoe


@_on(ev.ShoeCommitted)
def _committed(look: Lookup, state: TableState, event: ev.ShoeCommitted) -> TableState:
    shoe = Shoe(number=event.shoe, commitment=event.commitment)
    return replace(state, shoe=shoe, discards=())


@_on(ev.SeedMixed)
def _mixed(look: Lookup, state: TableState, event: ev.SeedMixed) -> TableState:
    return _with_shoe(state, clients=(*state.shoe.clients, event.seed))


@_on(ev.ShoeStacked)
def _stacked(look: Lookup, state: TableState, event: ev.ShoeStacked) -> TableState:
    count = len(event.cards)
    shoe = replace(state.shoe, order=event.cards, dealt=0, cut=count, burned=0, stacked=True)
    return replace(state, shoe=shoe, discards=())


@_on(ev.ShoeShuffled)
def _shuffled(look: Lookup, state: TableState, event: ev.ShoeShuffled) -> TableState:
    return _with_shoe(state, order=event.order, cut=event.cut, dealt=0, burned=0)


@_on(ev.CardBurned)
def _burned(look: Lookup, state: TableState, event: ev.CardBurned) -> TableState:
    return _drawn(replace(state, discards=(*state.discards, event.card)), burned=1)


@_on(ev.CutCardReached)
def _cut(look: Lookup, state: TableState, event: ev.CutCardReached) -> TableState:
    return _with_shoe(state, cut_reached=True)


@_on(ev.DiscardsShuffled)
def _reshuffled(look: Lookup, state: TableState, event: ev.DiscardsShuffled) -> TableState:
    shoe = replace(
        state.shoe,
        order=event.order,
        dealt=0,
        cut=len(event.order),
        shuffles=state.shoe.shuffles + 1,
        cut_reached=True,
    )
    state = replace(state, shoe=shoe, discards=())
    return _with_round(state, gone=()) if state.round else state


@_on(ev.ShoeOpened)
def _shoe_opened(look: Lookup, state: TableState, event: ev.ShoeOpened) -> TableState:
    return _with_shoe(state, order=(), dealt=0, commitment="", stacked=False)


# ------------------------------------------------------------------ before the cards


@_on(ev.BankOffered)
def _offered(look: Lookup, state: TableState, event: ev.BankOffered) -> TableState:
    return replace(state, offer=Offer(event.player, event.seat, event.turn))


@_on(ev.BankDeclined)
def _declined(look: Lookup, state: TableState, event: ev.BankDeclined) -> TableState:
    return replace(state, offer=Offer("", event.seat, 0))


@_on(ev.BankTaken)
def _taken(look: Lookup, state: TableState, event: ev.BankTaken) -> TableState:
    bank = Bank(event.player, event.seat, event.amount, event.turn)
    return replace(state, stage="wagers", bank=bank, offer=None, action_button=0, first_turn=1)


@_on(ev.ActionButtonPlaced)
def _button(look: Lookup, state: TableState, event: ev.ActionButtonPlaced) -> TableState:
    return replace(state, action_button=event.position)


@_on(ev.WagersPlaced)
def _placed(look: Lookup, state: TableState, event: ev.WagersPlaced) -> TableState:
    bet = Bet(event.position, event.player, event.wagers, event.backline, event.follows)
    others = [
        other
        for other in state.bets
        if (other.position, other.player) != (event.position, event.player)
    ]
    bets = sorted((*others, *((bet,) if bet.wagers else ())), key=lambda b: b.backline)
    return replace(state, bets=tuple(bets))


@_on(ev.CardsMissed)
def _missed(look: Lookup, state: TableState, event: ev.CardsMissed) -> TableState:
    return replace(state, missed=(*state.missed, (event.position, event.cards)))


@_on(ev.RoundStarted)
def _started(look: Lookup, state: TableState, event: ev.RoundStarted) -> TableState:
    discards = state.discards
    if state.round is not None:
        discards += tuple(cards_on_table(state.round))
    missed = dict(state.missed)
    bank_seat = state.bank.seat if state.bank else 0
    order = around(state.positions, after=bank_seat, look=look)
    taken = {bet.position for bet in state.bets}
    boxes = tuple(_box(look, state, position) for position in order if position in taken)
    return replace(
        state,
        stage="round",
        rounds=event.round,
        bets=(),
        missed=(),
        discards=discards,
        round=Round(
            number=event.round,
            step=look.first_step,
            boxes=boxes,
            dealer=Dealer(state=look.tables.dealer.start),
            script=deal_script(look, order, taken, missed),
            fees=event.fees,
        ),
    )


def _box(look: Lookup, state: TableState, position: int) -> Box:
    bets = state.bets_at(position)
    stakes = tuple(
        Stake(bet.player, bet.wagers["base"], follows=bet.follows or not bet.backline)
        for bet in bets
    )
    sides = tuple(
        SideBet(bet.player, wager, amount)
        for wager in look.money.wagers
        for bet in bets
        for amount in (bet.wagers.get(wager, 0),)
        if amount and wager != "base"
    )
    hand = Hand(state=look.tables.hands.start, context=look.turn, stakes=stakes)
    return Box(position=position, player=bets[0].player, hands=(hand,), sides=sides)


@_on(ev.StepBegun)
def _step(look: Lookup, state: TableState, event: ev.StepBegun) -> TableState:
    here = state.round
    assert here is not None
    return _with_round(state, step=look.steps.index(event.step, here.step + 1))


@_on(ev.FeeCollected)
def _fee(look: Lookup, state: TableState, event: ev.FeeCollected) -> TableState:
    here = state.round
    assert here is not None
    return _with_round(state, fees=here.fees[1:], paid_fees=(*here.paid_fees, here.fees[0]))


# ------------------------------------------------------------------ cards


@_on(ev.CardDealt)
def _dealt(look: Lookup, state: TableState, event: ev.CardDealt) -> TableState:
    here = state.round
    assert here is not None
    state = _drawn(state)
    if here.scripted < len(here.script):
        state = _with_round(state, scripted=here.scripted + 1)
    match event.to:
        case "empty":
            return _with_round(state, gone=(*here.gone, event.card))
        case "community":
            return _with_round(state, community=(*here.community, event.card))
        case "dealer":
            return _dealer_gets(look, state, event.card, event.face)
        case "down":
            box = _box_at(state, event.position)
            return _with_box(
                state, box, down=(*box.down, event.card), dealt=(*box.dealt, event.card)
            )
    box = _box_at(state, event.position)
    if here.scripted < len(here.script):
        state = _with_box(state, box, dealt=(*box.dealt, event.card))
    return _hand_gets(look, state, event.position, event.hand, event.card)


def _dealer_gets(look: Lookup, state: TableState, card: str, face: str) -> TableState:
    dealer = _round(state).dealer
    if face == "down":
        return _with_dealer(state, down=(*dealer.down, card))
    after = look.dealer_next[dealer.state][look.symbol[card]]
    return _with_dealer(state, cards=(*dealer.cards, card), state=after)


def _hand_gets(
    look: Lookup, state: TableState, position: int, number: int, card: str
) -> TableState:
    box = _box_at(state, position)
    hand = box.hands[number]
    symbol = look.symbol[card]
    after = look.next[hand.state][symbol]
    new = replace(hand, cards=_placed_card(hand.cards, card), state=after, due=False, pick=0)
    for _ in range(look.light[hand.state][symbol]):
        state = _light_due(look, state, box)
    return _with_hand(state, position, number, new)


def _placed_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A new card goes behind the others, or where a traded one lay."""
    if "" in cards:
        place = cards.index("")
        return (*cards[:place], card, *cards[place + 1 :])
    return (*cards, card)


@_on(ev.CardTurned)
def _turned(look: Lookup, state: TableState, event: ev.CardTurned) -> TableState:
    index = event.place - 1
    if event.position == 0:
        dealer = _round(state).dealer
        down = _without(dealer.down, index)
        after = look.dealer_next[dealer.state][look.symbol[event.card]]
        return _with_dealer(state, cards=(*dealer.cards, event.card), state=after, down=down)
    box = _box_at(state, event.position)
    state = _with_box(state, box, down=_without(box.down, index))
    return _hand_gets(look, state, event.position, event.hand, event.card)


def _without(cards: tuple[str, ...], index: int) -> tuple[str, ...]:
    return (*cards[:index], "", *cards[index + 1 :])


@_on(ev.CardsShown)
def _shown(look: Lookup, state: TableState, event: ev.CardsShown) -> TableState:
    if event.community:
        return _with_round(state, community_shown=True)
    if event.position == 0:
        return _with_dealer(state, shown=True)
    return _with_box(state, _box_at(state, event.position), shown=True)


@_on(ev.CardKept)
def _kept(look: Lookup, state: TableState, event: ev.CardKept) -> TableState:
    hand = _hand_at(state, event.position, event.hand)
    return _with_hand(state, event.position, event.hand, replace(hand, state=look.keep[hand.state]))


@_on(ev.CardTraded)
def _traded(look: Lookup, state: TableState, event: ev.CardTraded) -> TableState:
    here = _round(state)
    hand = _hand_at(state, event.position, event.hand)
    cards = _without(hand.cards, event.place - 1)
    new = replace(hand, cards=cards, state=look.trade[hand.state], due=True)
    state = _with_round(state, gone=(*here.gone, event.card))
    state = _light_due(look, state, _box_at(state, event.position))
    return _with_hand(state, event.position, event.hand, new)


# ------------------------------------------------------------------ lights


def _light_due(look: Lookup, state: TableState, box: Box) -> TableState:
    carry = look.tables.carry
    here = _round(state)
    assert carry is not None
    bound = carry.belongs_to == "player-at-position"
    due = LightDue(box.player, box.position if bound else 0)
    if due in here.prized and not carry.surplus_counts:
        return state
    return _with_round(state, lights=(*here.lights, due))


@_on(ev.LightLit)
def _lit(look: Lookup, state: TableState, event: ev.LightLit) -> TableState:
    carry = look.tables.carry
    here = _round(state)
    assert carry is not None
    before = state.lit(event.player, event.position)
    state = _with_lights(state, event.player, event.position, event.lights)
    prize = int(carry.prize[before])
    due = LightDue(event.player, event.position) if prize else None
    return _with_round(state, lights=here.lights[1:], prize_due=due)


@_on(ev.PrizeWon)
def _prize(look: Lookup, state: TableState, event: ev.PrizeWon) -> TableState:
    carry = look.tables.carry
    here = _round(state)
    assert carry is not None
    won = LightDue(event.player, event.position)
    waiting = here.lights
    if not carry.surplus_counts:
        waiting = tuple(due for due in waiting if due != won)
    state = _with_lights(state, event.player, event.position, 0)
    return _with_round(
        state,
        prize_due=None,
        lights=waiting,
        prized=(*here.prized, won),
        prizes=(*here.prizes, (event.player, event.position, event.amount)),
    )


# ------------------------------------------------------------------ decisions


@_on(ev.InsuranceTaken)
def _insured(look: Lookup, state: TableState, event: ev.InsuranceTaken) -> TableState:
    box = _box_at(state, event.position)
    bet = SideBet(event.player, INSURANCE, event.amount)
    return _with_box(state, box, sides=(bet, *box.sides), insurance_asked=True)


@_on(ev.InsuranceDeclined)
def _uninsured(look: Lookup, state: TableState, event: ev.InsuranceDeclined) -> TableState:
    return _with_box(state, _box_at(state, event.position), insurance_asked=True)


@_on(ev.SurrenderDeclined)
def _stayed(look: Lookup, state: TableState, event: ev.SurrenderDeclined) -> TableState:
    return _with_box(state, _box_at(state, event.position), early_asked=True)


@_on(ev.DealerChecked)
def _checked(look: Lookup, state: TableState, event: ev.DealerChecked) -> TableState:
    return _with_dealer(state, checked=True, natural=event.natural)


@_on(ev.HandHit)
def _hit(look: Lookup, state: TableState, event: ev.HandHit) -> TableState:
    hand = _hand_at(state, event.position, event.hand)
    context = look.after[hand.context][Action.HIT]
    new = replace(hand, due=True, pick=event.pick, context=context)
    return _with_hand(state, event.position, event.hand, new)


@_on(ev.HandDoubled)
def _doubled(look: Lookup, state: TableState, event: ev.HandDoubled) -> TableState:
    hand = _hand_at(state, event.position, event.hand)
    extra = {part.player: part.amount for part in event.added}
    stakes = tuple(
        replace(stake, added=(*stake.added, extra[stake.player]))
        if stake.player in extra
        else stake
        for stake in hand.stakes
    )
    action = Action.DOUBLE if event.times == 1 else Action.REDOUBLE
    context = look.after[hand.context][action]
    new = replace(hand, stakes=stakes, context=context, due=True, pick=event.pick)
    return _with_hand(state, event.position, event.hand, new)


@_on(ev.HandSplit)
def _split(look: Lookup, state: TableState, event: ev.HandSplit) -> TableState:
    box = _box_at(state, event.position)
    hand = box.hands[event.hand]
    aces = look.aces[look.pair[hand.state]]
    context = look.after_split[hand.context][aces]
    start = look.split_to[hand.state]
    first = replace(hand, cards=hand.cards[:1], state=start, context=context)
    second = replace(
        first,
        cards=hand.cards[1:],
        stakes=tuple(Stake(part.player, part.amount) for part in event.added),
    )
    hands = [*box.hands[: event.hand], first, second, *box.hands[event.hand + 1 :]]
    # Every hand of the box knows how many there are now, the ended ones too: it does not matter.
    counted = tuple(
        hand if hand is first or hand is second or hand.ended else _recount(look, hand, context)
        for hand in hands
    )
    return _with_box(state, box, hands=counted)


def _recount(look: Lookup, hand: Hand, like: int) -> Hand:
    """A waiting hand in the context of as many hands as `like` has."""
    contexts = look.tables.contexts
    count = contexts.contexts[like].hands
    own = contexts.contexts[hand.context]._replace(hands=count)
    return replace(hand, context=contexts.contexts.index(own))


@_on(ev.HandStood)
def _stood(look: Lookup, state: TableState, event: ev.HandStood) -> TableState:
    return _end_hand(state, event.position, event.hand, "stood")


@_on(ev.HandSurrendered)
def _gave_up(look: Lookup, state: TableState, event: ev.HandSurrendered) -> TableState:
    return _end_hand(state, event.position, event.hand, "surrendered")


@_on(ev.HandRescued)
def _rescued(look: Lookup, state: TableState, event: ev.HandRescued) -> TableState:
    return _end_hand(state, event.position, event.hand, "rescued")


@_on(ev.HandBusted)
def _busted(look: Lookup, state: TableState, event: ev.HandBusted) -> TableState:
    return _end_hand(state, event.position, event.hand, "bust")


@_on(ev.HandDead)
def _dead(look: Lookup, state: TableState, event: ev.HandDead) -> TableState:
    state = _end_hand(state, event.position, 0, "dead")
    return _with_box(state, _box_at(state, event.position), dead=True)


@_on(ev.DealerFinished)
def _finished(look: Lookup, state: TableState, event: ev.DealerFinished) -> TableState:
    return _with_dealer(state, result=event.result)


# ------------------------------------------------------------------ money and the end


@_on(ev.WagerSettled)
def _settled(look: Lookup, state: TableState, event: ev.WagerSettled) -> TableState:
    box = _box_at(state, event.position)
    done = Settlement(event.result, event.collected, event.won, event.uncovered, event.why)
    if event.wager == "base":
        hand = box.hands[event.hand]
        stakes = tuple(
            replace(stake, settled=done) if stake.player == event.player else stake
            for stake in hand.stakes
        )
        state = _with_hand(state, event.position, event.hand, replace(hand, stakes=stakes))
    else:
        sides = tuple(
            replace(bet, settled=done)
            if (bet.player, bet.wager) == (event.player, event.wager)
            else bet
            for bet in box.sides
        )
        state = _with_box(state, box, sides=sides)
    if event.flat:
        state = _with_round(state, flat_paid=(*_round(state).flat_paid, event.player))
    if event.banked and state.bank is not None:
        bank = state.bank
        bank = replace(bank, paid=bank.paid + event.won, collected=bank.collected + event.collected)
        state = replace(state, bank=bank)
    return state


@_on(ev.RoundVoided)
def _void(look: Lookup, state: TableState, event: ev.RoundVoided) -> TableState:
    return _with_round(state, void=True)


@_on(ev.BankReturned)
def _bank_returned(look: Lookup, state: TableState, event: ev.BankReturned) -> TableState:
    assert state.bank is not None
    return replace(state, bank=replace(state.bank, returned=True))


@_on(ev.RoundEnded)
def _ended(look: Lookup, state: TableState, event: ev.RoundEnded) -> TableState:
    state = _with_round(state, over=True)
    return replace(state, stage=_between(look))


@_on(ev.CardFoundFaceUp)
def _found(look: Lookup, state: TableState, event: ev.CardFoundFaceUp) -> TableState:
    return _drawn(replace(state, discards=(*state.discards, event.card)))


@_on(ev.CardDrawnInError)
def _in_error(look: Lookup, state: TableState, event: ev.CardDrawnInError) -> TableState:
    return _drawn(replace(state, discards=(*state.discards, event.card)))


# ------------------------------------------------------------------ small parts


def cards_on_table(here: Round) -> Iterable[str]:
    """All cards of a round that are out of the shoe and not in the discards yet."""
    for box in here.boxes:
        for hand in box.hands:
            yield from filter(None, hand.cards)
        yield from filter(None, box.down)
    yield from here.dealer.cards
    yield from filter(None, here.dealer.down)
    yield from here.community
    yield from here.gone


def _between(look: Lookup) -> Any:
    return "bank" if "bank" in look.steps else "wagers"


def _round(state: TableState) -> Round:
    assert state.round is not None, "this happens in a round"
    return state.round


def _box_at(state: TableState, position: int) -> Box:
    box = _round(state).box(position)
    assert box is not None, "this happens to a box"
    return box


def _hand_at(state: TableState, position: int, number: int) -> Hand:
    return _box_at(state, position).hands[number]


def _with_round(state: TableState, **changes: Any) -> TableState:
    return replace(state, round=replace(_round(state), **changes))


def _with_dealer(table: TableState, **changes: Any) -> TableState:
    return _with_round(table, dealer=replace(_round(table).dealer, **changes))


def _with_box(state: TableState, box: Box, **changes: Any) -> TableState:
    position = box.position
    boxes = tuple(
        replace(other, **changes) if other.position == position else other
        for other in _round(state).boxes
    )
    return _with_round(state, boxes=boxes)


def _with_hand(state: TableState, position: int, number: int, hand: Hand) -> TableState:
    box = _box_at(state, position)
    hands = (*box.hands[:number], hand, *box.hands[number + 1 :])
    return _with_box(state, box, hands=hands)


def _end_hand(state: TableState, position: int, number: int, ended: Ending) -> TableState:
    hand = _hand_at(state, position, number)
    return _with_hand(state, position, number, replace(hand, ended=ended, due=False))


def _with_player(state: TableState, name: str, **changes: Any) -> TableState:
    players = tuple(
        replace(player, **changes) if player.name == name else player for player in state.players
    )
    return replace(state, players=players)


def _with_lights(state: TableState, player: str, position: int, lit: int) -> TableState:
    others = tuple(
        lights for lights in state.lights if (lights.player, lights.position) != (player, position)
    )
    new = (ev.Lights(player, position, lit),) if lit else ()
    return replace(state, lights=others + new)


def _with_shoe(state: TableState, **changes: Any) -> TableState:
    return replace(state, shoe=replace(state.shoe, **changes))


def _drawn(state: TableState, burned: int = 0) -> TableState:
    """One card fewer in the shoe."""
    shoe = state.shoe
    return _with_shoe(state, dealt=shoe.dealt + 1, burned=shoe.burned + burned)
