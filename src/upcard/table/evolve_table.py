"""How events about the table, its people, the shoe and the wagers change the state."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from upcard.compile.context import Phase
from upcard.table import events as ev
from upcard.table.order import around, deal_script
from upcard.table.plain_tables import BASE, PlainTables
from upcard.table.state import (
    Bank,
    Bet,
    Box,
    Dealer,
    Offer,
    Player,
    Round,
    Shoe,
    SideBet,
    Stake,
    TableHand,
    TableState,
)
from upcard.table.state_steps import (
    Handlers,
    cards_on_table,
    drawn,
    on,
    round_of,
    stage_between,
    with_lights,
    with_player,
    with_round,
    with_shoe,
)

HANDLERS: Handlers = {}


# ------------------------------------------------------------------ the table and its people


@on(HANDLERS, ev.TableOpened)
def _opened(look: PlainTables, state: TableState, event: ev.TableOpened) -> TableState:
    return replace(
        state,
        stage=stage_between(look),
        table=event.table,
        game=event.game,
        fingerprint=event.fingerprint,
        settings=event.settings,
        scripted=event.scripted,
        dealt_from=event.dealt_from,
        casino=event.casino,
        secret=event.secret,
        positions=event.positions,
        used_cards=event.used_cards,
        lights=event.lights,
        first_turn=event.first_turn,
    )


@on(HANDLERS, ev.TableClosed)
def _closed(look: PlainTables, state: TableState, event: ev.TableClosed) -> TableState:
    return replace(state, stage="closed", offer=None)


@on(HANDLERS, ev.ChipsBought)
def _bought(look: PlainTables, state: TableState, event: ev.ChipsBought) -> TableState:
    if state.player(event.player):
        return state
    return replace(state, players=(*state.players, Player(event.player, event.kind)))


@on(HANDLERS, ev.PlayerSat)
def _sat(look: PlainTables, state: TableState, event: ev.PlayerSat) -> TableState:
    return with_player(state, event.player, seat=event.seat)


@on(HANDLERS, ev.PlayerMoved)
def _moved(look: PlainTables, state: TableState, event: ev.PlayerMoved) -> TableState:
    """Lights go along; a set that the player has at the new chair takes the place of the old."""
    name = event.player
    new, old = look.lights_position(event.seat), look.lights_position(event.left)
    along, there = state.lit(name, old), state.lit(name, new)
    state = with_lights(with_lights(state, name, old, there), name, new, along)
    if (name, old) in state.resumed:
        state = _resumed(state, [(name, new)])
    return with_player(state, name, seat=event.seat)


def _resumed(state: TableState, sets: Iterable[tuple[str, int]]) -> TableState:
    return replace(state, resumed=tuple(dict.fromkeys((*state.resumed, *sets))))


@on(HANDLERS, ev.PlayerLeft)
def _left(look: PlainTables, state: TableState, event: ev.PlayerLeft) -> TableState:
    offer = state.offer
    if offer is not None and offer.player == event.player:
        offer = replace(offer, player="")
    return replace(with_player(state, event.player, leaving=True), offer=offer)


@on(HANDLERS, ev.LightsLost)
def _lights_lost(look: PlainTables, state: TableState, event: ev.LightsLost) -> TableState:
    return with_lights(state, event.player, event.position, 0)


@on(HANDLERS, ev.CardPunched)
def _punched(look: PlainTables, state: TableState, event: ev.CardPunched) -> TableState:
    state = replace(state, punched=state.punched + 1)
    return with_lights(state, event.player, event.position, 0)


@on(HANDLERS, ev.CardSurrendered)
def _surrendered_card(
    look: PlainTables, state: TableState, event: ev.CardSurrendered
) -> TableState:
    state = replace(state, used_cards=(*state.used_cards, event.serial))
    return with_lights(state, event.player, event.position, event.lights)


@on(HANDLERS, ev.CardsVoided)
def _voided(look: PlainTables, state: TableState, event: ev.CardsVoided) -> TableState:
    return replace(state, used_cards=(*state.used_cards, *event.serials))


@on(HANDLERS, ev.ChipsCashed)
def _cashed(look: PlainTables, state: TableState, event: ev.ChipsCashed) -> TableState:
    players = tuple(player for player in state.players if player.name != event.player)
    resumed = tuple(one for one in state.resumed if one[0] != event.player)
    return replace(state, players=players, resumed=resumed)


# ------------------------------------------------------------------ the shoe


@on(HANDLERS, ev.ShoeCommitted)
def _committed(look: PlainTables, state: TableState, event: ev.ShoeCommitted) -> TableState:
    shoe = Shoe(number=event.shoe, commitment=event.commitment)
    return replace(state, shoe=shoe, discards=())


@on(HANDLERS, ev.SeedMixed)
def _mixed(look: PlainTables, state: TableState, event: ev.SeedMixed) -> TableState:
    shoe = state.shoe
    return with_shoe(
        state, clients=(*shoe.clients, event.seed), mixers=(*shoe.mixers, event.player)
    )


@on(HANDLERS, ev.ShoeStacked)
def _stacked(look: PlainTables, state: TableState, event: ev.ShoeStacked) -> TableState:
    count = len(event.cards)
    shoe = replace(state.shoe, order=event.cards, dealt=0, cut=count, burned=0, stacked=True)
    return _cleared(replace(state, shoe=shoe, discards=event.discards))


@on(HANDLERS, ev.ShoeShuffled)
def _shuffled(look: PlainTables, state: TableState, event: ev.ShoeShuffled) -> TableState:
    return with_shoe(state, order=event.order, cut=event.cut, dealt=0, burned=0)


@on(HANDLERS, ev.CardBurned)
def _burned(look: PlainTables, state: TableState, event: ev.CardBurned) -> TableState:
    return drawn(replace(state, discards=(*state.discards, event.card)), burned=1)


@on(HANDLERS, ev.RestDiscarded)
def _rest_discarded(look: PlainTables, state: TableState, event: ev.RestDiscarded) -> TableState:
    shoe = state.shoe
    state = replace(state, discards=(*state.discards, *shoe.order[shoe.dealt :]))
    return with_shoe(state, dealt=len(shoe.order))


@on(HANDLERS, ev.CutCardReached)
def _cut(look: PlainTables, state: TableState, event: ev.CutCardReached) -> TableState:
    return with_shoe(state, cut_reached=True)


@on(HANDLERS, ev.DiscardsShuffled)
def _reshuffled(look: PlainTables, state: TableState, event: ev.DiscardsShuffled) -> TableState:
    shoe = replace(
        state.shoe,
        order=event.order,
        dealt=0,
        cut=len(event.order),
        shuffles=state.shoe.shuffles + 1,
        cut_reached=True,
    )
    state = replace(state, shoe=shoe, discards=())
    here = round_of(state)
    boxes = tuple(replace(box, hands=tuple(map(_put_away, box.hands))) for box in here.boxes)
    return with_round(state, gone=(), boxes=boxes)


def _put_away(hand: TableHand) -> TableHand:
    return replace(hand, put_away=True) if hand.is_done else hand


@on(HANDLERS, ev.ShoeOpened)
def _shoe_opened(look: PlainTables, state: TableState, event: ev.ShoeOpened) -> TableState:
    state = replace(state, discards=())
    return _cleared(with_shoe(state, order=(), dealt=0, commitment="", stacked=False))


def _cleared(state: TableState) -> TableState:
    return with_round(state, cleared=True) if state.round is not None else state


# ------------------------------------------------------------------ before the cards


@on(HANDLERS, ev.BankOffered)
def _offered(look: PlainTables, state: TableState, event: ev.BankOffered) -> TableState:
    return replace(state, offer=Offer(event.player, event.seat, event.turn))


@on(HANDLERS, ev.BankDeclined)
def _declined(look: PlainTables, state: TableState, event: ev.BankDeclined) -> TableState:
    return replace(state, offer=Offer("", event.seat, 0))


@on(HANDLERS, ev.BankTaken)
def _taken(look: PlainTables, state: TableState, event: ev.BankTaken) -> TableState:
    bank = Bank(event.player, event.seat, event.amount, event.turn)
    return replace(state, stage="wagers", bank=bank, offer=None, action_button=0, first_turn=1)


@on(HANDLERS, ev.ActionButtonPlaced)
def _button(look: PlainTables, state: TableState, event: ev.ActionButtonPlaced) -> TableState:
    return replace(state, action_button=event.position)


@on(HANDLERS, ev.WagersPlaced)
def _placed(look: PlainTables, state: TableState, event: ev.WagersPlaced) -> TableState:
    bet = Bet(event.position, event.player, event.wagers, event.backline, event.follows)
    others = [
        other
        for other in state.bets
        if (other.position, other.player) != (event.position, event.player)
    ]
    bets = sorted((*others, *((bet,) if bet.placed else ())), key=lambda b: b.backline)
    missed = state.missed
    if not event.backline and not event.wagers:
        missed = tuple(entry for entry in missed if entry[0] != event.position)
    return replace(state, bets=tuple(bets), missed=missed)


@on(HANDLERS, ev.CardsMissed)
def _missed(look: PlainTables, state: TableState, event: ev.CardsMissed) -> TableState:
    return replace(state, missed=(*state.missed, (event.position, event.cards)))


@on(HANDLERS, ev.RoundStarted)
def _started(look: PlainTables, state: TableState, event: ev.RoundStarted) -> TableState:
    discards = state.discards
    if state.round is not None and not state.round.cleared:
        discards += tuple(cards_on_table(state.round))
    missed = dict(state.missed)
    bank_seat = state.bank.seat if state.bank else 0
    order = around(state.positions, after=bank_seat, look=look)
    taken = {bet.position for bet in state.bets}
    boxes = tuple(_box(look, state, position) for position in order if position in taken)
    if look.tables.carry is not None:
        state = _resumed(state, ((b.player, look.lights_position(b.position)) for b in boxes))
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


def _box(look: PlainTables, state: TableState, position: int) -> Box:
    bets = state.bets_at(position)
    stakes = tuple(
        Stake(bet.player, bet.wagers[BASE], follows=bet.follows or not bet.backline) for bet in bets
    )
    sides = tuple(
        SideBet(bet.player, wager, amount)
        for wager in look.money.wagers
        for bet in bets
        for amount in (bet.wagers.get(wager, 0),)
        if amount and wager != BASE
    )
    hand = TableHand(state=look.tables.hands.start, context=look.turn, stakes=stakes)
    return Box(position=position, player=bets[0].player, hands=(hand,), sides=sides)


@on(HANDLERS, ev.StepBegun)
def _step(look: PlainTables, state: TableState, event: ev.StepBegun) -> TableState:
    here = state.round
    assert here is not None
    return with_round(state, step=look.steps.index(Phase(event.step), here.step + 1))


@on(HANDLERS, ev.FeeCollected)
def _fee(look: PlainTables, state: TableState, event: ev.FeeCollected) -> TableState:
    here = state.round
    assert here is not None
    return with_round(state, fees=here.fees[1:], paid_fees=(*here.paid_fees, here.fees[0]))
