"""Commands about the table, its people and the shoe."""

from __future__ import annotations

from collections import Counter

from upcard.compile.bets import check_size
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.judge import Handlers, Judge, on
from upcard.table.state import TableState
from upcard.text import counted, listed

HANDLERS: Handlers = {}


# ------------------------------------------------------------------ the table and its people


@on(HANDLERS, cm.OpenTable)
def _open(judge: Judge, state: TableState, command: cm.OpenTable) -> ev.Event:
    tables = judge.look.tables
    judge.need(state.stage == "unopened", "the table is open already")
    judge.need_name(command.table, "a table")
    judge.need(
        shoes.is_secret(command.secret),
        "the secret of a table is 64 hexadecimal digits in lower case",
    )
    if command.dealt_from:
        judge.need_word(command.dealt_from, "the text that a table is dealt from")
    judge.need(
        not command.dealt_from or command.secret == shoes.secret_from(command.dealt_from),
        "the secret of this table is not made from the text that it is said to be dealt from",
    )
    every = tuple(range(1, judge.plan.positions + 1))
    positions = tuple(sorted(set(command.positions))) or every
    for position in positions:
        judge.need(
            position in every,
            f"there is no position {position}: the game has positions 1 to {len(every)}",
            "positions",
        )
    judge.need(
        1 <= command.first_turn <= max(1, judge.money.turns),
        f"a player-dealer has turns 1 to {judge.money.turns}, not {command.first_turn}",
        "turns",
    )
    casino, carry = judge.clerk.casino, tables.carry
    judge.need(
        casino is not None or carry is None or not carry.players_card,
        "players' cards need a casino that signs them",
        "players card",
    )
    return ev.TableOpened(
        table=command.table,
        game=tables.ref,
        fingerprint=tables.fingerprint,
        positions=positions,
        secret=command.secret,
        casino=casino.name if casino else "",
        settings=tuple(tables.settings.items()),
        used_cards=command.used_cards,
        lights=_carried(judge, positions, command.lights),
        first_turn=command.first_turn,
        scripted=command.scripted,
        dealt_from=command.dealt_from,
    )


def _carried(
    judge: Judge, positions: tuple[int, ...], lights: tuple[ev.Lights, ...]
) -> tuple[ev.Lights, ...]:
    """Lights of an earlier table that can be lit at this one, each set once."""
    carry = judge.look.tables.carry
    judge.need(carry is not None or not lights, "there are no lights in this game", "lights")
    if carry is None:
        return ()
    most = len(carry.next) - 1
    found: dict[tuple[str, int], ev.Lights] = {}
    for one in lights:
        judge.need_name(one.player, "a player")
        judge.need(one.position in positions, f"there is no position {one.position}", "positions")
        judge.need(0 <= one.lit <= most, f"0 to {most} lights can be lit, not {one.lit}", "lights")
        owner = (one.player, judge.look.lights_position(one.position))
        judge.need(owner not in found, f"{one.player}'s lights are named twice", "lights")
        found[owner] = ev.Lights(*owner, one.lit)
    return tuple(one for one in found.values() if one.lit)


@on(HANDLERS, cm.CloseTable)
def _close(judge: Judge, state: TableState, command: cm.CloseTable) -> ev.Event:
    judge.need_pause(state, "a table is closed")
    judge.need(not state.bets, "there are wagers on the layout: deal the round or take them back")
    judge.need(not state.bank_is_up, "the bank is up: deal the round first")
    # Whoever knows the order of a shoe could choose the moment to be rid of it.
    held = [] if judge.lenient or state.scripted else _who_holds_the_shoe(state)
    judge.need(
        not held,
        f"{listed(held, 'and')} {'is' if len(held) == 1 else 'are'} at the table, and its shoe is "
        "not done: a table closes between two shoes, or when everybody has left",
        "shuffle",
    )
    return ev.TableClosed()


def _who_holds_the_shoe(state: TableState) -> list[str]:
    """Players for whose sake a shoe is dealt to its end: all, or those who mixed a word into it."""
    names = [player.name for player in state.players]
    return names if state.shoe.order else [name for name in state.shoe.mixers if name in names]


@on(HANDLERS, cm.BuyIn)
def _buy_in(judge: Judge, state: TableState, command: cm.BuyIn) -> ev.Event:
    judge.need_name(command.player, "a player")
    chip = judge.money.chip
    judge.need(
        command.amount > 0 and command.amount % chip == 0,
        f"a buy-in of {format_cents(command.amount)} is not a positive multiple of "
        f"{format_cents(chip)}",
    )
    with judge.refusing():
        check_size(command.amount)
    known = state.player(command.player)
    judge.need(known is None or not known.leaving, f"{command.player} is leaving")
    if command.kind == "proposition":
        judge.need(
            judge.money.proposition_players,
            "there are no proposition players in this game",
            "proposition",
        )
    kind = known.kind if known else command.kind
    judge.need(kind == command.kind, f"{command.player} is a {kind} and cannot change that")
    return ev.ChipsBought(player=command.player, amount=command.amount, kind=kind)


@on(HANDLERS, cm.Sit)
def _sit(judge: Judge, state: TableState, command: cm.Sit) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need_position(state, command.seat)
    player = state.player(command.player)
    assert player is not None
    judge.need(not player.seat, f"{command.player} sits at {player.seat} already")
    _need_free_seat(judge, state, command.player, command.seat)
    return ev.PlayerSat(player=command.player, seat=command.seat)


def _need_free_seat(judge: Judge, state: TableState, name: str, seat: int) -> None:
    other = state.sitting(seat)
    judge.need(other is None, f"seat {seat} is taken by {other.name if other else ''}")
    owners = {bet.player for bet in state.bets_at(seat)}
    if state.in_round and state.round is not None and (box := state.round.box(seat)):
        owners.add(box.player)
    judge.need(
        owners <= {name},
        f"{listed(sorted(owners), 'and')} has wagers at position {seat}: "
        "wait for the end of the round",
    )


@on(HANDLERS, cm.Move)
def _move(judge: Judge, state: TableState, command: cm.Move) -> ev.Event:
    name = command.player
    judge.need_player(state, name)
    judge.need_pause(state, "players change chairs")
    player = state.player(name)
    assert player is not None
    judge.need(player.seat, f"{name} has no seat to move from: sit down first")
    judge.need_position(state, command.seat)
    judge.need(command.seat != player.seat, f"{name} sits at {command.seat} already")
    _need_free_seat(judge, state, name, command.seat)
    judge.need(
        all(bet.player != name for bet in state.bets),
        f"{name} has wagers on the layout: take them back first",
    )
    # The offer and the bank go by seats: nobody takes either along to another one.
    offered = state.offer is not None and state.offer.player == name
    judge.need(not offered, f"the bank is offered to {name}: take or decline it first", "turns")
    _need_no_bank(judge, state, name)
    lights = state.lit(name, judge.look.lights_position(player.seat))
    return ev.PlayerMoved(player=name, seat=command.seat, left=player.seat, lights=lights)


def _need_no_bank(judge: Judge, state: TableState, name: str) -> None:
    bank = state.bank
    up = state.bank_is_up and bank is not None and bank.player == name
    judge.need(not up, f"{name} holds the bank of this round", "bank")


@on(HANDLERS, cm.Leave)
def _leave(judge: Judge, state: TableState, command: cm.Leave) -> ev.Event:
    judge.need_player(state, command.player)
    name = command.player
    judge.need(
        all(bet.player != name for bet in state.bets),
        f"{name} has wagers on the layout: take them back first",
    )
    judge.need_pause(state, "players leave")
    _need_no_bank(judge, state, name)
    return ev.PlayerLeft(player=name)


@on(HANDLERS, cm.PresentCard)
def _present(judge: Judge, state: TableState, command: cm.PresentCard) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need_pause(state, "a player's card is given up")
    carry, casino = judge.look.tables.carry, judge.clerk.casino
    judge.need(
        carry is not None and carry.players_card and casino is not None,
        "players' cards are not used at this table",
        "players card",
    )
    assert carry is not None
    assert casino is not None
    judge.need_position(state, command.position)
    position = judge.look.lights_position(command.position)
    player, sitting = state.player(command.player), state.sitting(command.position)
    own = sitting == player or (sitting is None and judge.plan.several_boxes)
    judge.need(
        player and player.seat and own,
        f"position {command.position} is not {command.player}'s to play",
        "players card",
    )
    try:
        card = casino.read(command.token)
    except UpcardError as error:
        raise judge.refuse(str(error), "players card") from error
    judge.need(
        card.game == judge.look.tables.id,
        f'this player\'s card is for "{card.game}"',
        "players card",
    )
    judge.need(
        card.player == command.player,
        f"this player's card is {card.player}'s: lights do not pass to somebody else",
        "players card",
        "lost lights",
    )
    judge.need(
        1 <= card.lights < len(carry.next),
        f"no card has {card.lights} punches",
        "players card",
    )
    judge.need(
        card.serial not in state.used_cards,
        "this player's card was given up before: it is good for one use",
        "players card",
    )
    judge.need(
        (command.player, position) not in state.resumed,
        f"{command.player} has played {f'at position {position}' if position else 'here'} since "
        "sitting down: a player's card is given up when play is resumed, before the first round; "
        "it stays good for another time",
        "players card",
        "lost lights",
    )
    judge.need(
        state.lit(command.player, position) == 0,
        f"{command.player} has lights lit already: a card is for somebody who starts at zero",
        "players card",
    )
    return ev.CardSurrendered(
        player=command.player, position=position, lights=card.lights, serial=card.serial
    )


@on(HANDLERS, cm.VoidCards)
def _void(judge: Judge, state: TableState, command: cm.VoidCards) -> ev.Event:
    new = tuple(dict.fromkeys(s for s in command.serials if s not in state.used_cards))
    judge.need(new, "there is no card to void that is not void already", "players card")
    return ev.CardsVoided(serials=new)


# ------------------------------------------------------------------ the shoe


@on(HANDLERS, cm.MixSeed)
def _mix(judge: Judge, state: TableState, command: cm.MixSeed) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need(
        state.shoe.commitment and not state.shoe.order,
        "a seed is mixed in after the commitment and before the shuffle: wait for the next shoe",
        "shuffle",
    )
    judge.need(
        command.player not in state.shoe.mixers,
        f"{command.player} has mixed a word into this shuffle already",
        "shuffle",
    )
    # A house that could still wait for more words would deal after the one that it likes best.
    judge.need(
        judge.lenient or state.scripted or not state.bets,
        "words are mixed in before the first wager lies on the layout: wait for the next shoe",
        "shuffle",
    )
    judge.need_word(command.seed, "a player's seed")
    return ev.SeedMixed(player=command.player, seed=command.seed)


@on(HANDLERS, cm.StackShoe)
def _stack(judge: Judge, state: TableState, command: cm.StackShoe) -> ev.Event:
    judge.need(state.scripted, "a shoe is stacked only at a table that was opened as scripted")
    judge.need_pause(state, "a shoe is stacked")
    judge.need(command.cards, "a stacked shoe needs cards")
    decks = judge.look.tables.alphabet.decks
    for card, count in Counter((*command.cards, *command.discards)).items():
        known = card in judge.look.symbol
        judge.need(known, f'there is no card "{card}" in this game\'s deck', "deck")
        if count > decks:
            has = f"there are {count} cards {card}, and {counted(decks, 'deck')}"
            raise judge.refuse(f"{has} cannot have so many", "deck")
    return ev.ShoeStacked(cards=command.cards, discards=command.discards)
