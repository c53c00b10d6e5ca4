"""Coming to a table and leaving it: chips, a seat, and what has to be taken back first."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from upcard.players.company import usual_chips, usual_seat
from upcard.service import records
from upcard.service.messages import Ack, Refused
from upcard.service.specs import Account, HouseError
from upcard.table import commands as cm
from upcard.table.judge import Refusal
from upcard.table.order import clockwise

if TYPE_CHECKING:
    from upcard.service.house import House
    from upcard.service.running import RunningTable


async def play(
    house: House, game: str, who: Account, may_open: Callable[[], object]
) -> RunningTable:
    """Seat somebody at a demo table of a game, one without other people where that can be."""
    demos = [
        table
        for table in house.loaded
        if table.tables.id == game and table.status == "open" and table.row.demo
    ]
    for table in demos:
        own = table.state.player(table.name_of(who.id, who.name))
        if own is not None and own.seat and not own.leaving:
            return table
    free = [table for table in demos if table.info.free_seats]
    found = next((table for table in free if not table.persons), None)
    if found is None:
        try:
            may_open()
        except HouseError:
            if not free:
                raise
            found = free[0]
        else:
            found = await house.open_demo(game)
    answer = await sit(house, found, who)
    if isinstance(answer, Refused):
        raise HouseError(answer.reason, "refused", answer.clauses)
    return found


async def sit(
    house: House, table: RunningTable, who: Account, *, seat: int = 0, chips: int = 0
) -> Ack | Refused:
    """Buy in and sit down; whoever gets no seat gets the chips back."""
    if table.bots:
        house.spawn(house.work_out(table.tables))  # no bot has to wait
    place = seat or _free_seat(table)
    buys = table.state.player(table.name_of(who.id, who.name)) is None
    if buys:
        purse = await house.store.read(records.purse_of, who.id)
        unit = table.tables.money.unit
        amount = chips or min(usual_chips(table.tables), purse // unit * unit)
        if not amount:
            raise HouseError("your purse is empty: fill it up first, it is play money")
        place = seat or _free_seat(table)  # somebody may have come while the purse was looked at
        if refusal := _no_seat(table, who, place, amount):
            return Refused("", refusal.reason, refusal.clauses)
        answer = await _do(house, table, who, cm.BuyIn(player=who.name, amount=amount))
        if isinstance(answer, Refused):
            return answer
    while True:
        answer = await _do(house, table, who, cm.Sit(player=who.name, seat=place))
        own = table.state.player(table.name_of(who.id, who.name))
        quicker = table.state.sitting(place) is not None and own is not None and not own.seat
        if seat or isinstance(answer, Ack) or not quicker or not table.info.free_seats:
            break
        place = _free_seat(table)  # somebody else was quicker
    if buys and isinstance(answer, Refused) and own is not None and not own.seat:
        await _do(house, table, who, cm.Leave(player=who.name))
    return answer


def _no_seat(table: RunningTable, who: Account, seat: int, amount: int) -> Refusal | None:
    """Why somebody would not get a seat with chips bought before: then none are bought."""
    name = table.name_of(who.id, who.name)
    bought = table.engine.act(table.state, cm.BuyIn(player=name, amount=amount))
    if isinstance(bought, Refusal):
        return None  # the table says so when they are to be bought
    return table.engine.refusal(bought.state, cm.Sit(player=name, seat=seat))


async def _do(
    house: House, table: RunningTable, who: Account, command: cm.Command
) -> Ack | Refused:
    return await house.do(table.id, who, command, f"sit-{secrets.token_hex(8)}")


def _free_seat(table: RunningTable) -> int:
    taken = {player.seat for player in table.state.players}
    middle = usual_seat(table.tables)
    free = [one for one in table.state.positions if one not in taken]
    if not free:
        raise HouseError(f"there is no free seat at {table.row.name}")
    return min(free, key=lambda one: (abs(one - middle), one))


def button_place(table: RunningTable) -> int:
    """Where the house puts the action button before a deal; 0 where there is none to be put.

    It is used if the bank does not cover the wagers. From round to round it goes on by one of the
    positions that have any, so that nobody is always the last to be covered.
    """
    state = table.state
    bank = state.bank
    if not table.tables.money.has_action_button or state.action_button or not state.bank_is_up:
        return 0
    assert bank is not None
    if sum(bet.total for bet in state.bets) <= bank.amount:
        return 0
    taken = {bet.position for bet in state.bets} - {bank.seat}
    places = clockwise(taken, bank.seat)
    return places[state.rounds % len(places)] if places else 0


def departures(
    table: RunningTable, names: Collection[str] | None = None, *, closes: bool = False
) -> Iterator[cm.Command]:
    """What leads people from a table between rounds, everybody unless some are named.

    Wagers and a bank are taken back first. Each command is asked for after the one before was done.
    """
    leaving = [one.name for one in table.state.players if names is None or one.name in names]
    for bet in table.state.bets:
        if bet.player in leaving:
            kind = cm.BackWagers if bet.backline else cm.PlaceWagers
            yield kind(player=bet.player, position=bet.position, wagers={})
    bank = table.state.bank
    if table.state.bank_is_up and bank is not None and bank.player in leaving:
        yield cm.DeclineBank(player=bank.player)
    for name in leaving:
        yield cm.Leave(player=name)
    if closes:
        yield cm.CloseTable()
