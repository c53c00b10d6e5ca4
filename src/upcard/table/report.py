"""A round's result as data: what `upcard round` prints and papers quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from upcard.compile.hands import points, total_name
from upcard.table.clerk import Question
from upcard.table.engine import Engine
from upcard.table.events import Event
from upcard.table.plain_tables import BASE
from upcard.table.settle import dealer_cards
from upcard.table.state import Box, Round, Settled, TableHand, TableState

OUTCOMES = {"returned": "push"}
"""Results of wagers that a hand's outcome calls otherwise."""


def round_report(engine: Engine, state: TableState, events: Sequence[Event]) -> dict[str, Any]:
    """The last round: seats by number, the dealer, the bank or the house, and the events."""
    here = state.round
    assert here is not None, "there is a round to report"
    report: dict[str, Any] = {
        "seats": {str(box.position): seat_report(engine, state, here, box) for box in here.boxes},
        "dealer": {
            "cards": list(here.dealer.cards),
            "all_cards": list(dealer_cards(here)),
            "total": points(engine.look.dealer_total[here.dealer.state]),
            "result": here.dealer.result,
        },
    }
    if here.community:
        report["community"] = list(here.community)
    prizes = sum(amount for _, _, amount in here.prizes)
    if state.bank is not None:
        fees = sum(fee.amount for fee in here.paid_fees if fee.position == 0)
        report["bank"] = {"seat": state.bank.seat, "net": state.bank.net, "fees": fees}
        if state.offer is not None:
            report["next_bank"] = {"seat": state.offer.seat, "turn": state.offer.turn}
    else:
        report["house"] = {"net": -sum(_net(box) for box in here.boxes) - prizes}
    if prizes:
        report["prizes"] = prizes
    report["events"] = msgspec.to_builtins(list(events))
    return report


def seat_report(engine: Engine, state: TableState, here: Round, box: Box) -> dict[str, Any]:
    """One position: the owner's result, and the backline bettors' beside it."""
    report = _bettor(box, box.player)
    report["net"] += _prizes(here, box)
    report["fees"] = _fees(here, box, box.player)
    report["player"] = box.player
    report["hands"] = [_hand(engine, hand) for hand in box.hands]
    if any(box.down) or len(box.dealt) > len(box.hands[0].cards):
        report["dealt"] = list(box.dealt)
    report["lights"] = state.lit(box.player, engine.look.lights_position(box.position))
    backers = [stake.player for stake in box.hands[0].stakes[1:]]
    if backers:
        report["backline"] = {
            name: _bettor(box, name) | {"fees": _fees(here, box, name)} for name in backers
        }
    return report


def _bettor(box: Box, player: str) -> dict[str, Any]:
    wagers: dict[str, dict[str, int]] = {}
    for player_, wager, staked, settled in _settlements(box):
        if player_ == player:
            entry = wagers.setdefault(wager, {"staked": 0, "returned": 0})
            entry["staked"] += staked
            entry["returned"] += staked - settled.collected + settled.won
    net = sum(entry["returned"] - entry["staked"] for entry in wagers.values())
    return {"net": net, "wagers": wagers}


def _settlements(box: Box) -> list[tuple[str, str, int, Settled]]:
    found = [
        (stake.player, BASE, stake.total, stake.settled)
        for hand in box.hands
        for stake in hand.stakes
        if stake.settled
    ]
    found += [(bet.player, bet.wager, bet.amount, bet.settled) for bet in box.sides if bet.settled]
    return found


def _net(box: Box) -> int:
    return sum(settled.won - settled.collected for _, _, _, settled in _settlements(box))


def _prizes(here: Round, box: Box) -> int:
    """The prizes that cards of this position won."""
    return sum(
        amount
        for player, position, amount in here.prizes
        if (player, position) == (box.player, box.position)
    )


def _fees(here: Round, box: Box, player: str) -> int:
    return sum(
        fee.amount for fee in here.paid_fees if (fee.position, fee.player) == (box.position, player)
    )


def _hand(engine: Engine, hand: TableHand) -> dict[str, Any]:
    settled = hand.stakes[0].settled
    result = settled.result if settled else ""
    return {
        "cards": list(hand.cards),
        "total": points(engine.look.total[hand.state]),
        "outcome": OUTCOMES.get(result, result),
        "ended": hand.ended,
    }


def hand_words(engine: Engine, state: TableState, question: Question) -> str:
    """A hand and the up card in words, such as "Ts 6d (16) against 9h"."""
    here = state.round
    assert here is not None
    box = here.box(question.position)
    assert box is not None
    hand = box.hands[question.hand]
    total = total_name(engine.look.total[hand.state])
    return f"{' '.join(hand.cards)} ({total}) against {here.dealer.cards[0]}"
