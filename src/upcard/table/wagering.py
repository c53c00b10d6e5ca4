"""Commands before the cards: the bank, wagers, mistakes of the deal, and the deal itself."""

from __future__ import annotations

from collections import Counter

from upcard.compile.bets import check_wagers, check_what_stays
from upcard.compile.deal import Receiver
from upcard.money import BASE, format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import NOT_NEEDED
from upcard.table.collection import round_fees
from upcard.table.judge import Handlers, Judge, on
from upcard.table.state import Bet, Player, TableState
from upcard.text import counted, listed

HANDLERS: Handlers = {}

_NO_HAND = ("", "bust", NOT_NEEDED)
"""Results of a dealer's hand that does not stand."""


# ------------------------------------------------------------------ the bank


@on(HANDLERS, cm.TakeBank)
def _take_bank(judge: Judge, state: TableState, command: cm.TakeBank) -> ev.Event:
    _need_offer(judge, state, command.player)
    judge.need_amount(command.amount, "a bank")
    judge.need_chips(state, command.player, command.amount, "that bank")
    offer = state.offer
    assert offer is not None
    return ev.BankTaken(
        player=command.player, seat=offer.seat, amount=command.amount, turn=offer.turn
    )


@on(HANDLERS, cm.DeclineBank)
def _decline_bank(judge: Judge, state: TableState, command: cm.DeclineBank) -> ev.Event:
    bank = state.bank
    if state.bank_is_up and bank is not None and bank.player == command.player:
        judge.need(not state.bets, "there are wagers against the bank already", "bank")
        return ev.BankReturned(player=bank.player, amount=bank.amount, net=0)
    _need_offer(judge, state, command.player)
    assert state.offer is not None
    return ev.BankDeclined(player=command.player, seat=state.offer.seat)


def _need_offer(judge: Judge, state: TableState, player: str) -> None:
    judge.need_player(state, player)
    judge.need(not judge.money.house_banks, "the house banks this game", "bank")
    judge.need(state.stage == "bank", "the bank is settled for this round", "bank")
    offered = state.offer.player if state.offer else ""
    judge.need(offered == player, f"the bank is offered to {offered or 'nobody'} now", "turns")


@on(HANDLERS, cm.PlaceActionButton)
def _place_button(judge: Judge, state: TableState, command: cm.PlaceActionButton) -> ev.Event:
    judge.need(judge.money.has_action_button, "there is no action button here", "order")
    judge.need_pause(state, "the action button is placed")
    judge.need(state.bank is not None and state.bank_is_up, "nobody banks yet", "bank")
    judge.need_position(state, command.position)
    assert state.bank is not None
    judge.need(
        command.position != state.bank.seat, "the player-dealer's seat gets no action", "order"
    )
    return ev.ActionButtonPlaced(position=command.position)


# ------------------------------------------------------------------ wagers


@on(HANDLERS, cm.PlaceWagers)
def _place(judge: Judge, state: TableState, command: cm.PlaceWagers) -> ev.Event:
    name, position = command.player, command.position
    _need_wagering(judge, state, name)
    judge.need_position(state, position)
    player, sitting = state.player(name), state.sitting(position)
    judge.need(player and player.seat, f"{name} has no seat: sit down first, or back a player")
    judge.need(
        sitting is None or sitting.name == name,
        f"position {position} is {sitting.name if sitting else ''}'s seat",
        "boxes",
    )
    judge.need(
        sitting is not None or judge.plan.several_boxes,
        f"a player has one position in this game, and {position} is not {name}'s",
        "boxes",
    )
    bets = state.bets_at(position)
    taken = [bet for bet in bets if bet.player != name and not bet.backline]
    judge.need(not taken, f"position {position} is {taken[0].player if taken else ''}'s", "boxes")
    backed = any(bet.backline for bet in bets)
    judge.need(command.wagers or not backed, "others back this position: it cannot be left empty")
    assert player is not None
    if command.wagers:
        _need_room_for_box(judge, state, name, position)
    _need_own_seat(judge, state, player, command)
    mine = [bet for bet in bets if bet.player == name]
    _check_wagers(judge, state, command, others=[b for b in bets if b.backline])
    return _moved(judge, state, command, mine)


def _need_room_for_box(judge: Judge, state: TableState, name: str, position: int) -> None:
    """No player has more boxes than the game gives everybody."""
    most = judge.plan.boxes
    others = {bet.position for bet in state.bets if bet.player == name and not bet.backline}
    judge.need(
        not most or len(others - {position}) < most,
        f"every player has {counted(most, 'box', 'boxes')} in this game, and {name} has wagered "
        f"at positions {listed(sorted(others), 'and')}",
        "number of boxes",
    )


def incomplete(needed: int, state: TableState) -> list[Bet]:
    """Wagers of players who do not have as many boxes as the game gives everybody, all alike."""
    own: dict[str, list[Bet]] = {}
    for bet in state.bets:
        if not bet.backline:
            own.setdefault(bet.player, []).append(bet)
    return [
        bet
        for bets in own.values()
        if needed and (len(bets) != needed or len({one.wagers[BASE] for one in bets}) > 1)
        for bet in bets
    ]


def _need_whole_boxes(judge: Judge, state: TableState) -> None:
    """Cards come when every player in the round has as many boxes as the game wants, all alike."""
    needed = judge.plan.boxes
    boxes: dict[str, list[Bet]] = {}
    for bet in state.bets:
        if not bet.backline:
            boxes.setdefault(bet.player, []).append(bet)
    for name, own in boxes.items() if needed else ():
        judge.need(
            len(own) == needed,
            f"every player has {counted(needed, 'box', 'boxes')} in this game, and {name} has "
            f"wagered at {counted(len(own), 'position')}: wager at {needed - len(own)} more, or "
            "take the wager back",
            "number of boxes",
        )
        amounts = [bet.wagers[BASE] for bet in own]
        judge.need(
            len(set(amounts)) == 1,
            f"the base wagers of a player's boxes are equal in this game, and {name}'s are "
            f"{listed(map(format_cents, amounts), 'and')}",
            "number of boxes",
        )


def _need_own_seat(
    judge: Judge, state: TableState, player: Player, command: cm.PlaceWagers
) -> None:
    """Other circles are wagered at only as long as there is a wager at the player's own seat.

    The own seat is where the player sits. Whoever takes its wager back takes the others back first,
    so that no layout is ever against the rule; backing somebody's hand is no circle of one's own.
    """
    if not judge.plan.own_seat_first:
        return
    boxes = {bet.position for bet in state.bets if bet.player == player.name and not bet.backline}
    seat, circles = player.seat, sorted(boxes - {player.seat})
    if command.position == seat:
        judge.need(
            command.wagers or not circles,
            f"{player.name} wagers at position {listed(circles, 'and')} along with seat {seat}: "
            "take those wagers back first",
            "own seat",
        )
    else:
        judge.need(
            not command.wagers or seat in boxes,
            f"{player.name} wagers at other circles only along with the own seat: "
            f"place a wager at seat {seat} first",
            "own seat",
        )


@on(HANDLERS, cm.BackWagers)
def _back(judge: Judge, state: TableState, command: cm.BackWagers) -> ev.Event:
    name, position = command.player, command.position
    judge.need(judge.money.takes_backline, "nobody may back another player's hand here", "backline")
    _need_wagering(judge, state, name)
    judge.need_position(state, position)
    bets = state.bets_at(position)
    owner = next((bet.player for bet in bets if not bet.backline), "")
    judge.need(owner, f"there is no wager to back at position {position}", "backline")
    judge.need(owner != name, f"position {position} is {name}'s own", "backline")
    others = [bet for bet in bets if bet.player != name]
    _check_wagers(judge, state, command, others=others)
    return _moved(judge, state, command, [bet for bet in bets if bet.player == name])


def _need_wagering(judge: Judge, state: TableState, name: str) -> None:
    judge.need_player(state, name)
    judge.need(
        state.stage != "round", "cards are out: wagers are placed before the deal", "step wagers"
    )
    judge.need(
        state.stage == "wagers",
        "the round begins when a player-dealer puts up the bank",
        "bank",
    )
    judge.need(
        state.bank is None or state.bank.player != name,
        f"{name} banks this round and cannot wager against the bank",
        "bank",
    )


def _moved(
    judge: Judge,
    state: TableState,
    command: cm.PlaceWagers | cm.BackWagers,
    before: list[Bet],
) -> ev.WagersPlaced:
    moved = sum(command.wagers.values()) - sum(bet.total for bet in before)
    judge.need_chips(state, command.player, moved, "that")
    return ev.WagersPlaced(
        player=command.player,
        position=command.position,
        wagers=tuple(command.wagers.items()),
        moved=moved,
        backline=isinstance(command, cm.BackWagers),
        follows=isinstance(command, cm.BackWagers)
        and (command.follows or judge.money.backline_must_match),
    )


def _check_wagers(
    judge: Judge, state: TableState, command: cm.PlaceWagers | cm.BackWagers, others: list[Bet]
) -> None:
    """Limits, amounts, and what a wager needs; no wagers at all take them back."""
    bank, position, wagers = state.bank, command.position, command.wagers
    judge.need(
        bank is None or bank.seat != position, "the player-dealer's seat gets no cards", "bank"
    )
    tables = judge.look.tables
    elsewhere = [
        bet.wagers
        for bet in state.bets
        if bet.player == command.player and bet.position != position
    ]
    on_spot: Counter[str] = Counter()
    for bet in others:
        on_spot.update(bet.wagers)
    with judge.refusing():
        if wagers:
            check_wagers(tables, wagers, others=on_spot, elsewhere=elsewhere)
        else:
            check_what_stays(tables, elsewhere)


# ------------------------------------------------------------------ the deal


@on(HANDLERS, cm.MissCards)
def _miss(judge: Judge, state: TableState, command: cm.MissCards) -> ev.Event:
    _need_remedy(judge, state)
    judge.need(state.stage == "wagers", "cards are missed in the deal, so say it before")
    judge.need(
        state.bets_at(command.position), f"position {command.position} is dealt no cards anyway"
    )
    most = judge.plan.dealt(Receiver.POSITION)
    judge.need(
        1 <= command.cards <= most, f"a position can miss 1 to {most} cards, not {command.cards}"
    )
    judge.need(
        command.position not in dict(state.missed), "that position's mistake is noted already"
    )
    return ev.CardsMissed(position=command.position, cards=command.cards)


@on(HANDLERS, cm.FindFaceUp)
def _find(judge: Judge, state: TableState, command: cm.FindFaceUp) -> ev.Event:
    _need_remedy(judge, state)
    judge.need(state.shoe.left, "there is no card in the shoe to find face up")
    return ev.CardFoundFaceUp(card=state.shoe.order[state.shoe.dealt])


@on(HANDLERS, cm.DrawInError)
def _in_error(judge: Judge, state: TableState, command: cm.DrawInError) -> ev.Event:
    _need_remedy(judge, state)
    here = state.round
    just_over = here is not None and here.over and not state.bets and not state.bank_is_up
    judge.need(
        here is None or not here.drawn_in_error,
        "the card drawn in error in this round is burned already",
        "irregularities",
    )
    stands = just_over and here is not None and here.dealer.result not in _NO_HAND
    judge.need(
        stands, "no card can be drawn in error: the dealer's hand does not stand", "irregularities"
    )
    judge.need(state.shoe.left, "there is no card in the shoe")
    return ev.CardDrawnInError(card=state.shoe.order[state.shoe.dealt])


def _need_remedy(judge: Judge, state: TableState) -> None:
    judge.need(
        judge.plan.irregularities is not None,
        "the rules of this game name no remedy for a mistake of the deal",
        "irregularities",
    )
    # Whoever knows the order of the shoe could choose the moment of a mistake, and so the cards.
    judge.need(
        state.scripted or judge.lenient,
        "mistakes of the deal are made only at a table that was opened as scripted: "
        "at any other the cards come as they were shuffled",
        "irregularities",
    )


@on(HANDLERS, cm.Deal)
def _deal(judge: Judge, state: TableState, command: cm.Deal) -> ev.Event:
    judge.need(state.stage != "round", "the cards are out already")
    judge.need(
        state.stage == "wagers", "the round begins when a player-dealer puts up the bank", "bank"
    )
    judge.need(state.bets, "there is no wager on the layout", "mandatory", "step wagers")
    _need_whole_boxes(judge, state)
    return ev.RoundStarted(round=state.rounds + 1, fees=round_fees(judge, state))
