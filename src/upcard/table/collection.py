"""Collection fees: what is due before the cards, and on wagers that are added later."""

from __future__ import annotations

from collections import Counter

from upcard.errors import UpcardError
from upcard.fees.quote import Quote
from upcard.table import events as ev
from upcard.table.judge import Judge, Refusal, RefusedError
from upcard.table.order import around
from upcard.table.plain_tables import BASE
from upcard.table.state import TableState
from upcard.text import cited


def round_fees(judge: Judge, state: TableState) -> tuple[ev.Fee, ...]:
    """The fees that are due before the cards, or a refusal of the deal."""
    plan, bank = judge.money.fees, state.bank
    if plan is None or bank is None:
        return ()
    order = around(state.positions, after=bank.seat, look=judge.look)
    bets = [bet for position in order for bet in state.bets_at(position)]
    costs = _quote(
        judge,
        [bet.wagers for bet in bets],
        [bet.position for bet in bets],
        [bet.player for bet in bets],
    )
    fees = [
        ev.Fee(bet.player, bet.position, seat.fee)
        for bet, seat in zip(bets, costs.seats, strict=True)
        if seat.fee
    ]
    fees.append(ev.Fee(bank.player, 0, costs.player_dealer.fee))
    owed: Counter[str] = Counter()
    for fee in fees:
        owed[fee.player] += fee.amount
    for player, amount in owed.items():
        judge.need_chips(state, player, amount, "the collection fee")
    return tuple(fee for fee in fees if fee.amount)


def _quote(
    judge: Judge,
    wagers: list[dict[str, int]],
    numbers: list[int],
    players: list[str] | None = None,
) -> Quote:
    plan = judge.money.fees
    assert plan is not None
    try:
        return plan.quote(wagers, numbers=numbers, players=players)
    except UpcardError as error:
        clauses = plan.schedule.clauses
        reason = str(error).removesuffix(cited(clauses))
        raise RefusedError(Refusal(reason, clauses)) from error


def added_fee(judge: Judge, position: int, amount: int) -> int:
    """What a player pays on a double or split: nothing, unless the game says so."""
    plan = judge.money.fees
    if plan is None or not plan.on_added_wagers:
        return 0
    return _quote(judge, [{BASE: amount}], [position]).seats[0].fee
