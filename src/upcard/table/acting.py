"""What an action comes to at a live table: its price, and the event that tells of it.

What an action does stands in the rows of `tables.effects`. Here is only how records call it: events
keep their names for ever, so that old records can be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from upcard.compile.action_rows import AddedStake
from upcard.compile.context import ENDED, Action, Phase
from upcard.compile.payoff import LooksAt
from upcard.money import INSURANCE
from upcard.table import events as ev
from upcard.table.plain_tables import PlainTables
from upcard.table.state import Box, Stake, TableHand

HandEvent = (
    ev.HandHit
    | ev.HandStood
    | ev.HandDoubled
    | ev.HandSplit
    | ev.HandSurrendered
    | ev.HandRescued
    | ev.CardKept
    | ev.CardTraded
    | ev.HandReplaced
)
"""What tells of a decision about a hand."""
HAND_EVENTS: tuple[type[HandEvent], ...] = get_args(HandEvent)

TOLD: Mapping[Action, type[HandEvent]] = {
    Action.HIT: ev.HandHit,
    Action.STAND: ev.HandStood,
    Action.DOUBLE: ev.HandDoubled,
    Action.REDOUBLE: ev.HandDoubled,
    Action.SPLIT: ev.HandSplit,
    Action.SURRENDER: ev.HandSurrendered,
    Action.RESCUE: ev.HandRescued,
    Action.KEEP: ev.CardKept,
    Action.TRADE: ev.CardTraded,
    Action.REPLACE: ev.HandReplaced,
    Action.FREE_DOUBLE: ev.HandDoubled,
    Action.FREE_SPLIT: ev.HandSplit,
}
WAGERED: Mapping[str, type[ev.InsuranceTaken]] = {INSURANCE: ev.InsuranceTaken}
"""What tells of a wager that an action makes."""
OfferDeclined = ev.InsuranceDeclined | ev.SurrenderDeclined | ev.ExchangeDeclined
DECLINED: Mapping[str, type[OfferDeclined]] = {
    Phase.INSURANCE: ev.InsuranceDeclined,
    Phase.EARLY_SURRENDER: ev.SurrenderDeclined,
    Phase.EXCHANGE: ev.ExchangeDeclined,
}
BETWEEN_BOXES: Mapping[Action, type[ev.CardsSwitched]] = {Action.SWITCH: ev.CardsSwitched}
"""What tells of an action that reaches another box of the player."""


def action_told(look: PlainTables, hand: TableHand, event: HandEvent) -> Action:
    """The action that an event tells of; of several, the one that the hand's context leads on."""
    by_house = isinstance(event, ev.HandDoubled | ev.HandSplit) and event.marker > 0
    stakes = look.tables.effects.stake
    actions = [
        action
        for action, kind in TOLD.items()
        if kind is type(event) and stakes[action].by_house == by_house
    ]
    if len(actions) > 1:
        actions = [a for a in actions if look.after[hand.context][a] != ENDED]
    assert len(actions) == 1, "this cannot be done with the hand"
    return actions[0]


def switching(event: ev.CardsSwitched) -> Action:
    """The action that cards change places by."""
    (action,) = (action for action, kind in BETWEEN_BOXES.items() if kind is type(event))
    return action


def exchanged_states(
    look: PlainTables, one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[int, int]:
    """The states of two hands of two cards, if the second cards change places."""
    (action,) = BETWEEN_BOXES
    found = []
    for cards in ((one[0], other[1]), (other[0], one[1])):
        state = look.start
        for card in cards:
            state = look.next[state][look.symbol[card]]
        found.append(int(look.tables.effects.leads[action, state]))
    return found[0], found[1]


def whole(row: AddedStake, stake: Stake) -> int:
    """What an action adds to a bettor's stake if it is not for less, whoever pays it."""
    return row.whole(stake.wager, stake.total)


def price(look: PlainTables, box: Box, hand: TableHand, action: Action) -> int:
    """The chips that an action takes of a box's owner, fees apart."""
    effects = look.tables.effects
    wager = effects.wager[action]
    row = effects.stake[action]
    if wager:
        return look.largest(wager, box)
    beside = put_up_beside(look, box, box.player, action)
    return own_part(row, hand.stakes[0]) + sum(amount for _, amount in beside)


def put_up_beside(
    look: PlainTables, box: Box, player: str, action: Action
) -> tuple[tuple[str, int], ...]:
    """The wagers beside a new hand that a bettor puts up with it: as much as beside the first."""
    if not look.tables.effects.splits[action]:
        return ()
    return tuple(
        (bet.wager, bet.amount)
        for bet in box.sides
        if bet.player == player and not bet.hand
        if look.settlement[bet.wager].looks_at is LooksAt.EACH_HAND
    )


def own_part(row: AddedStake, stake: Stake) -> int:
    """What a bettor pays of what an action adds: nothing if it is the house's marker."""
    return 0 if row.by_house else whole(row, stake)
