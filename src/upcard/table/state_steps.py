"""Small steps from one state to the next, and the register of event handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from upcard.table import events as ev
from upcard.table.plain_tables import PlainTables
from upcard.table.state import Box, Ending, Round, Stage, TableHand, TableState

E = TypeVar("E", bound=ev.Happened)
Handler = Callable[[PlainTables, TableState, Any], TableState]
Handlers = dict[type[ev.Happened], Handler]


def on(
    handlers: Handlers, kind: type[E]
) -> Callable[[Callable[[PlainTables, TableState, E], TableState]], Handler]:
    """Register what an event does to the state."""

    def register(handler: Callable[[PlainTables, TableState, E], TableState]) -> Handler:
        handlers[kind] = handler
        return handler

    return register


def cards_put_away(here: Round) -> Iterable[str]:
    """Cards of this round that go to the discards when they are needed: of settled hands."""
    for box in here.boxes:
        for hand in box.hands:
            if hand.is_done and not hand.put_away:
                yield from hand.cards
    yield from here.gone


def cards_on_table(here: Round) -> Iterable[str]:
    """All cards of a round that are out of the shoe and not in the discards yet."""
    for box in here.boxes:
        for hand in box.hands:
            if not hand.put_away:
                yield from filter(None, hand.cards)
        yield from filter(None, box.down)
    yield from here.dealer.cards
    yield from filter(None, here.dealer.down)
    yield from here.community
    yield from here.gone


def stage_between(look: PlainTables) -> Stage:
    return "wagers" if look.money.house_banks else "bank"


def round_of(state: TableState) -> Round:
    assert state.round is not None, "this happens in a round"
    return state.round


def box_at(state: TableState, position: int) -> Box:
    box = round_of(state).box(position)
    assert box is not None, "this happens to a box"
    return box


def hand_at(state: TableState, position: int, number: int) -> TableHand:
    return box_at(state, position).hands[number]


def with_round(state: TableState, **changes: Any) -> TableState:
    return replace(state, round=replace(round_of(state), **changes))


def with_dealer(table: TableState, **changes: Any) -> TableState:
    return with_round(table, dealer=replace(round_of(table).dealer, **changes))


def with_box(state: TableState, box: Box, **changes: Any) -> TableState:
    position = box.position
    boxes = tuple(
        replace(other, **changes) if other.position == position else other
        for other in round_of(state).boxes
    )
    return with_round(state, boxes=boxes)


def with_hand(state: TableState, position: int, number: int, hand: TableHand) -> TableState:
    box = box_at(state, position)
    hands = (*box.hands[:number], hand, *box.hands[number + 1 :])
    return with_box(state, box, hands=hands)


def end_hand(state: TableState, position: int, number: int, ended: Ending) -> TableState:
    hand = hand_at(state, position, number)
    return with_hand(state, position, number, replace(hand, ended=ended, due=False))


def with_player(state: TableState, name: str, **changes: Any) -> TableState:
    players = tuple(
        replace(player, **changes) if player.name == name else player for player in state.players
    )
    return replace(state, players=players)


def with_lights(state: TableState, player: str, position: int, lit: int) -> TableState:
    others = tuple(
        lights for lights in state.lights if (lights.player, lights.position) != (player, position)
    )
    new = (ev.Lights(player, position, lit),) if lit else ()
    return replace(state, lights=others + new)


def with_shoe(state: TableState, **changes: Any) -> TableState:
    return replace(state, shoe=replace(state.shoe, **changes))


def drawn(state: TableState, burned: int = 0) -> TableState:
    """One card fewer in the shoe."""
    shoe = state.shoe
    return with_shoe(state, dealt=shoe.dealt + 1, burned=shoe.burned + burned)
