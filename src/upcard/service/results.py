"""What a finished round brought everybody, wager by wager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from upcard.table import events as ev
from upcard.table.plain_tables import BASE
from upcard.table.state import Box, Round

FEES, BANK, PRIZE = "fees", "bank", "prize"
"""Results beside the wagers' own, see `upcard.service.specs.ResultInfo`."""


class Result(NamedTuple):
    """One wager of one player at one position (0: the bank's); amounts in cents."""

    position: int
    player: str
    wager: str
    stake: int
    action: int
    net: int


def results_of(
    here: Round, events: Iterable[ev.Event], *, prize_in_kind: bool = False
) -> list[Result]:
    """The results of a round that is over; `events` are those of its last entry or more."""
    found: dict[tuple[int, str, str], Result] = {}
    prizes = () if prize_in_kind else _prizes(here)
    parts = [*_wagers(here), *_fees(here), *prizes, *_banks(events)]
    for one in parts:
        key = (one.position, one.player, one.wager)
        if key in found:
            before = found[key]
            one = one._replace(
                stake=before.stake + one.stake,
                action=before.action + one.action,
                net=before.net + one.net,
            )
        found[key] = one
    return list(found.values())


def _wagers(here: Round) -> Iterator[Result]:
    for box in here.boxes:
        yield from _hands(box)
        for side in box.sides:
            net = side.settled.won - side.settled.collected if side.settled else 0
            # What a split adds is action, as it is of the base wager.
            start = 0 if side.hand else side.amount
            yield Result(box.position, side.player, side.wager, start, side.amount, net)


def _hands(box: Box) -> Iterator[Result]:
    for number, hand in enumerate(box.hands):
        for stake in hand.stakes:
            net = stake.settled.won - stake.settled.collected if stake.settled else 0
            # What a split adds is action: only the first hand was wagered before the deal.
            start = 0 if number else stake.start
            yield Result(box.position, stake.player, BASE, start, stake.total, net)


def _fees(here: Round) -> Iterator[Result]:
    for fee in here.paid_fees:
        yield Result(fee.position, fee.player, FEES, 0, 0, -fee.amount)


def _prizes(here: Round) -> Iterator[Result]:
    for player, position, amount in here.prizes:
        yield Result(position, player, PRIZE, 0, 0, amount)


def _banks(events: Iterable[ev.Event]) -> Iterator[Result]:
    for event in events:
        if isinstance(event, ev.BankReturned):
            amount = event.amount - event.net
            yield Result(0, event.player, BANK, amount, amount, event.net)
