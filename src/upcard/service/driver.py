"""What tables do by themselves: bots play, clocks run out, cards are dealt, idle people leave.

Of several servers one drives a table: whoever holds its lease. A table where nobody but bots sits
stands still.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from upcard.compile.context import Action
from upcard.service import records
from upcard.service.asking import may_deal
from upcard.service.messages import Ack, ClockFor, ClockSeen
from upcard.service.seating import departures
from upcard.service.specs import HouseError
from upcard.service.store import ConflictError
from upcard.table import commands as cm

if TYPE_CHECKING:
    from upcard.service.house import House
    from upcard.service.running import RunningTable
    from upcard.service.timing import Handle, Timing
    from upcard.table.clerk import Question
from upcard.table.wagering import incomplete

LEASE = 4.0
"""Seconds for which a lease holds without being renewed; bots may stand still for so long."""
RENEW = 1.0
PATIENCE = 60.0
"""Seconds that somebody has at a table without clocks while other people wait."""
IDLE = 20 * 60.0
"""Seconds after which somebody who does nothing is led from the table."""
EMPTY = 60 * 60.0
"""Seconds after which a table is closed where nobody sits."""
STRAY = 2
"""Rounds after which somebody is led away who has no seat at a table where others play."""
AGAIN = 1.0
"""Seconds until something that failed is tried again."""
PAUSES = {"slow": 1.4, "normal": 0.7, "fast": 0.1}
"""Seconds that a bot takes to decide."""
AFTER_ROUND = {"slow": 4.0, "normal": 2.0, "fast": 0.3}
"""Seconds for which results lie there before bots wager again."""
_SAFE = (Action.DECLINE, Action.KEEP, Action.STAND, Action.HIT)
"""What is done for somebody whose time is up: the first of these that is legal."""
_log = logging.getLogger(__name__)

Act = Callable[[], Coroutine[Any, Any, object]]


class Next(NamedTuple):
    """What comes next by itself, in how many seconds, and which clock shows it."""

    delay: float
    act: Act
    clock: ClockFor = ""


class Driver:
    """Drives the tables of a house that are this server's to drive."""

    def __init__(self, house: House, timing: Timing) -> None:
        self.house = house
        self.timing = timing
        self.leased: set[str] = set()
        self.on = False
        self._timers: dict[str, Handle] = {}
        self._due: dict[str, tuple[object, ...]] = {}
        self._acting: set[str] = set()
        self._standing: dict[str, dict[str, int]] = {}
        """By table, who has chips and no seat, and in which round that was first seen."""
        self._renewing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.on = True
        if not self.house.store.is_sqlite:
            await self._renew()
            self._renewing = self.house.spawn(self._keep_leases())
        for table in self.house.loaded:
            self.look(table)

    async def stop(self) -> None:
        self.on = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._renewing is not None:
            self._renewing.cancel()
        if not self.house.store.is_sqlite:
            try:
                await self.house.store.run(records.release, self.house.me)
            except HouseError:
                _log.warning("the leases of the tables could not be given back; they run out")

    async def _keep_leases(self) -> None:
        while True:
            await self.timing.sleep(RENEW)
            try:
                await self._renew()
            except (HouseError, ConflictError):
                self.leased.clear()  # whoever can renew drives

    async def _renew(self) -> None:
        store = self.house.store
        now = self.timing.now()
        leased = await store.run(records.lease, self.house.me, now, now + LEASE)
        before, self.leased = self.leased, leased
        for name in leased - before:
            try:
                self.look(await self.house.running(name))
            except HouseError:
                continue  # a table that cannot go on

    def lease(self) -> tuple[str, float]:
        """Who drives a table that is opened here, and until when that is sure."""
        return self.house.me, self.timing.now() + LEASE

    def forget(self, table: str) -> None:
        """A table is no longer in memory."""
        self._due.pop(table, None)
        self._standing.pop(table, None)
        timer = self._timers.pop(table, None)
        if timer is not None:
            timer.cancel()

    def drives(self, table: RunningTable) -> bool:
        return self.on and (self.house.store.is_sqlite or table.id in self.leased)

    # ------------------------------------------------------------------ what comes next

    def look(self, table: RunningTable) -> None:
        """See what a table waits for, and set its clock."""
        if not self.house.has(table):
            return  # it was forgotten, and another was read in its place
        over = table.status == "closed" or table.is_at_rest
        coming = None if over else self._coming(table)
        # A clock is set anew only if the table waits for something else than before.
        due = self._what(table, coming)
        is_set = table.id in self._timers or not self.drives(table)
        same = self._due.get(table.id) == due
        if same and is_set:
            return
        self._due[table.id] = due
        timer = self._timers.pop(table.id, None)
        if timer is not None:
            timer.cancel()
        before, table.clock = table.clock, ClockSeen()
        if coming is None:
            return
        delay = coming.delay
        if coming.clock and same and before.ends:
            table.clock = before  # who takes over from another server gives nobody more time
            delay = max(0.0, before.ends / 1000 - self.timing.now())
        elif coming.clock:
            ends = int((self.timing.now() + delay) * 1000)
            table.clock = ClockSeen(coming.clock, ends, round(delay))
        if self.drives(table):
            self._timers[table.id] = self.timing.later(
                delay, partial(self._fire, table, coming.act)
            )

    def _what(self, table: RunningTable, coming: Next | None) -> tuple[object, ...]:
        if coming is None:
            return ()
        if coming.clock == "wagers":
            return ("wagers", table.state.rounds)
        if coming.clock:  # what else happens meanwhile gives nobody more time
            return (coming.clock, table.state.rounds, *table.asked(), table.state.offer)
        return (coming.clock, table.seq, len(table.ready))

    def _fire(self, table: RunningTable, act: Act) -> None:
        self._timers.pop(table.id, None)
        if table.id not in self._acting:
            self._acting.add(table.id)
            self.house.spawn(self._act(table, act))

    async def _act(self, table: RunningTable, act: Act) -> None:
        seq = table.seq
        try:
            if await act() is False and table.seq == seq:
                await self.timing.sleep(AGAIN)
        except (HouseError, ConflictError):
            await self.timing.sleep(AGAIN)
        finally:
            self._acting.discard(table.id)
            if table.seq == seq and self.house.has(table):
                self._due.pop(table.id, None)
            self.look(table)

    def _coming(self, table: RunningTable) -> Next | None:
        state = table.state
        if state.in_round:
            question = table.engine.question(state)
            return self._decision(table, question) if question is not None else None
        if stray := self._strays(table):
            return Next(0.0, lambda: self._lead_away(table, stray))
        persons = [name for name in table.persons if not _is_leaving(table, name)]
        if not persons and table.standing:
            return Next(IDLE, lambda: self._lead_away(table, table.standing))
        if not persons:
            return self._empty(table)
        if state.stage == "bank":
            return self._bank(table)
        return self._wagers(table, persons)

    def _strays(self, table: RunningTable) -> tuple[str, ...]:
        """Who has had chips for some rounds and no seat, as after a seat that was not to be had."""
        known = self._standing.setdefault(table.id, {})
        rounds = table.state.rounds
        self._standing[table.id] = {name: known.get(name, rounds) for name in table.standing}
        return tuple(
            name for name, since in self._standing[table.id].items() if rounds - since >= STRAY
        )

    def _empty(self, table: RunningTable) -> Next | None:
        """A table where nobody sits is closed some day."""
        if self._stays(table):
            return None
        return Next(EMPTY, lambda: self._close_empty(table))

    def _stays(self, table: RunningTable) -> bool:
        """Of every game one demo table stays: the first by its name, whichever server looks."""
        return table.row.demo and not any(
            other.row.demo and other.status == "open" and other.id < table.id
            for other in self.house.loaded
            if other.tables.id == table.tables.id
        )

    async def _close_empty(self, table: RunningTable) -> bool:
        def is_wanted() -> bool:
            return bool(table.persons or table.standing) or self._stays(table)

        return isinstance(await self.house.wind_up(table, unless=is_wanted), Ack)

    def _decision(self, table: RunningTable, question: Question) -> Next | None:
        if question.player in table.company.bots:
            pause = PAUSES[table.spec.speed]
            return Next(pause, lambda: self._bot_answers(table, question))
        seconds = float(table.spec.seconds or 1)
        if not table.spec.seconds and question.player in table.persons:
            if not _has_company(table, question.player):
                return Next(IDLE, lambda: self._times_up(table, question))
            seconds = PATIENCE
        return Next(seconds, lambda: self._times_up(table, question), "turn")

    def _bank(self, table: RunningTable) -> Next | None:
        offer = table.state.offer
        if offer is None:
            return None
        if offer.player in table.company.bots:
            pause = self._pause(table)
            return Next(pause, lambda: self._bot_banks(table, offer.player))
        decline, seen = cm.DeclineBank(player=offer.player), table.seq

        def act() -> Coroutine[Any, Any, bool]:
            return self.house.house_does(table, decline, "clock", seen=seen)

        if not table.spec.seconds and not _has_company(table, offer.player):
            return Next(IDLE, act)
        return Next(float(table.spec.seconds or PATIENCE), act, "bank")

    def _wagers(self, table: RunningTable, persons: list[str]) -> Next:
        state = table.state
        bots = self._bots_next(table)
        if bots:
            return Next(self._pause(table), lambda: self._first_accepted(table, bots, "bot"))
        asked = any(may_deal(state, name) for name in table.ready)
        if asked and not self.waits_for(table):
            return Next(0.0, lambda: self.house.house_does(table, cm.Deal(), "house"))
        seen = table.seq
        wagered = {bet.player for bet in state.bets} & set(persons)
        # Where no clock runs one does as soon as somebody has asked for the cards and others have
        # not: nobody may keep a table waiting for ever.
        if wagered and (table.spec.wager_seconds or asked):
            return Next(
                float(table.spec.wager_seconds or PATIENCE),
                lambda: self._deal_by_clock(table, seen),
                "wagers",
            )
        return Next(IDLE, lambda: self._lead_away(table, (*table.persons, *table.standing)))

    async def _deal_by_clock(self, table: RunningTable, seen: int) -> bool:
        """The cards come, without players who have not wagered at all of their boxes by now."""
        async with table.lock:
            for bet in incomplete(table.engine.look.plan.boxes, table.state):
                back = cm.PlaceWagers(player=bet.player, position=bet.position, wagers={})
                if not await self.house.house_acts(table, back, "clock", seen=seen):
                    return False
                seen = table.seq
            return await self.house.house_acts(table, cm.Deal(), "clock", seen=seen)

    def _bots_next(self, table: RunningTable) -> list[cm.Command]:
        """What bots have to do before the deal."""
        found: list[cm.Command] = [*table.company.buy_ins(table.state)]
        return found or list(table.company.wagers(table.state))

    async def bots_wager(self, table: RunningTable) -> None:
        """Have all bots wager at once, as somebody asks for the cards; the lock is held."""
        for _ in range(2 * len(table.bots)):
            commands = self._bots_next(table)
            if not commands or not await self.house.house_acts(table, commands[0], "bot"):
                return

    def _pause(self, table: RunningTable) -> float:
        here = table.state.round
        fresh = (
            here is not None and here.over and not table.state.bets and not table.state.bank_is_up
        )
        return AFTER_ROUND[table.spec.speed] if fresh else PAUSES[table.spec.speed] / 2

    def waits_for(self, table: RunningTable) -> str:
        """Who has wagered or may still wager, and has not asked for the cards; "" if nobody."""
        bank = table.state.bank
        wagered = {bet.player for bet in table.state.bets}
        for name in table.persons:
            if name in table.ready or _is_leaving(table, name):
                continue
            if bank is not None and bank.player == name and not bank.returned:
                continue
            if name in wagered or table.spec.wager_seconds:
                return name
        return ""

    # ------------------------------------------------------------------ acting

    async def _first_accepted(
        self, table: RunningTable, commands: Iterable[cm.Command], kind: str
    ) -> bool:
        for command in commands:
            if await self.house.house_does(table, command, kind):
                return True
        return False

    async def _bot_answers(self, table: RunningTable, question: Question) -> bool:
        async with table.lock:
            if table.engine.question(table.state) != question:
                return False
            bot = table.company.bots[question.player]
            await self.house.work_out(table.tables)
            wanted = bot.answer(table.state, question)
            others = (
                cm.parse_decision(action.text, player=bot.name, position=question.position)
                for action in question.actions
            )
            for command in (wanted, *others):
                if await self.house.house_acts(table, command, "bot"):
                    return True
        return False

    async def _bot_banks(self, table: RunningTable, name: str) -> bool:
        wanted = table.company.bots[name].take_bank(table.state)
        return await self._first_accepted(table, (wanted, cm.DeclineBank(player=name)), "bot")

    async def _times_up(self, table: RunningTable, question: Question) -> bool:
        async with table.lock:
            if table.engine.question(table.state) != question:
                return False
            safe = [action for action in _SAFE if action in question.actions]
            for action in (*safe, *question.actions):
                command = cm.parse_decision(
                    action.text, player=question.player, position=question.position
                )
                if await self.house.house_acts(table, command, "clock", seen=table.seq):
                    return True
        return False

    async def _lead_away(self, table: RunningTable, names: Collection[str]) -> None:
        """Somebody has done nothing for a long time: their chips go back to their purses."""
        for command in departures(table, names):
            await self.house.house_does(table, command, "clock")


def _has_company(table: RunningTable, name: str) -> bool:
    """Whether other people sit at somebody's table; bots wait for ever."""
    return any(other != name and not _is_leaving(table, other) for other in table.persons)


def _is_leaving(table: RunningTable, name: str) -> bool:
    player = table.state.player(name)
    return player is None or player.leaving
