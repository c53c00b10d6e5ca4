"""The coach at tables of the house: what decisions are worth, and what was judged of them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from upcard.coach import Coach, CoachAdvice, NextRound, Seen, SessionReview, judge
from upcard.coach.follow import taken_of
from upcard.coach.next_round import wagers_ahead
from upcard.money import BASE, INSURANCE
from upcard.service import schema as db
from upcard.service.messages import Judged
from upcard.service.results import BANK, FEES, PRIZE
from upcard.service.reviewing import Found, Reviewing
from upcard.service.running import RunningTable
from upcard.service.specs import HouseError
from upcard.service.store import ConflictError, Store
from upcard.service.watching import Watching
from upcard.table import commands as cm
from upcard.table.state import TableState

MOST_COACHES = 24
"""Games whose coaches are kept: settings have no end of combinations."""
KEPT = 4096
"""Advice that waits for its decision, at most."""
WARM_PAUSE = 0.2
"""Seconds before a coach is made ready: whoever plays comes first."""
ASKED_AGAIN = "You have asked again since."


class Moment(NamedTuple):
    """A table as it was when somebody decided."""

    seq: int
    state: TableState


class Coaching:
    """Coaches by game, in threads of their own, and the advice that waits for a decision."""

    def __init__(self, store: Store, watching: Watching) -> None:
        self.store = store
        self.watching = watching
        self._coaches: OrderedDict[str, Coach] = OrderedDict()
        self._given: dict[tuple[str, str], tuple[int, CoachAdvice]] = {}
        self._thread = ThreadPoolExecutor(1, "coach")
        self._slow = ThreadPoolExecutor(1, "coach-next-round")  # nobody at a turn waits for it
        self.ahead: OrderedDict[tuple[str, str], int] = OrderedDict()
        """How often somebody asked before a deal: the last question counts."""
        self._stopped = Event()
        self.warm: dict[str, Future[None]] = {}
        self._warming = ThreadPoolExecutor(1, "coach-warm-up")
        self.reviewing = Reviewing(store, self.coach_of)

    def warm_up(self, tables: Iterable[RunningTable]) -> None:
        """Make the coaches of some tables' games ready, one after the other, beside all else."""
        for table in tables:
            fingerprint = table.tables.fingerprint
            full = self._stopped.is_set() or len(self.warm) >= MOST_COACHES
            if fingerprint not in self.warm and not full:
                coach = self.coach_of(table)
                self.warm[fingerprint] = self._warming.submit(self._make_ready, coach)

    def _make_ready(self, coach: Coach) -> None:
        if not self._stopped.wait(WARM_PAUSE):
            coach.warm_up(self._stopped.is_set)

    @property
    def is_warm(self) -> bool:
        """Whether all coaches that were to be made ready are."""
        return all(one.done() for one in self.warm.values())

    def coach_of(self, table: RunningTable) -> Coach:
        """The coach of a table's game; of all games only those asked for last are kept."""
        fingerprint = table.tables.fingerprint
        coach = self._coaches.get(fingerprint)
        if coach is None:
            coach = self._coaches[fingerprint] = Coach(table.engine)
            while len(self._coaches) > MOST_COACHES:
                self._coaches.popitem(last=False)
        self._coaches.move_to_end(fingerprint)
        return coach

    async def advise(self, table: RunningTable, account: str, name: str) -> dict[str, Any]:
        """What every legal action is worth to somebody who is asked, or the next round else."""
        coach = self.coach_of(table)
        state, seen, seq = table.state, table.seen, table.seq
        loop = asyncio.get_running_loop()
        if not state.in_round:
            return await self._before_deal(table, coach, account, name)
        advice = await loop.run_in_executor(self._thread, coach.advise_player, state, name, seen)
        if advice.is_priced:
            self._given[table.id, account] = (seq, advice)
            if len(self._given) > KEPT:
                self._given.pop(next(iter(self._given)))
        told: dict[str, Any] = msgspec.to_builtins(advice)
        return told

    async def _before_deal(
        self, table: RunningTable, coach: Coach, account: str, name: str
    ) -> dict[str, Any]:
        """The next round, for what lies there by now, or what was wagered last."""
        before: dict[str, int] = {}
        if wagers_ahead(table.state, name) is None:
            before = await self.store.read(_last_wagers, table.id, account)
        key = (table.id, account)
        number = self.ahead[key] = self.ahead.pop(key, 0) + 1
        while len(self.ahead) > KEPT:
            self.ahead.popitem(last=False)
        asked = _Asked(table.state, table.seen, name, before)

        def price() -> NextRound | None:
            # Chips come quickly one after the other, and only the last question counts.
            return asked.priced(coach) if self.ahead.get(key, number) == number else None

        found = await asyncio.get_running_loop().run_in_executor(self._slow, price)
        if found is None:
            return {"game": table.tables.id, "words": ASKED_AGAIN}
        told: dict[str, Any] = msgspec.to_builtins(found)
        told["next"] = told.pop("wagers", ())
        return told

    async def decided(
        self, table: RunningTable, account: str, command: cm.AnyDecision, before: Moment, seq: int
    ) -> None:
        """Judge a decision, if there was advice on just this question."""
        given = self._given.pop((table.id, account), None)
        question = table.engine.question(before.state)
        if given is None or given[0] != before.seq or question is None:
            return
        coach = self.coach_of(table)
        action, advice = taken_of(coach, before.state, question, command, given[1])
        mistake = judge(advice, action)
        data = {"advice": advice, "taken": action, "mistake": mistake}
        self.watching.tell_person(
            table.id,
            account,
            Judged(seq, action, msgspec.to_builtins(mistake) if mistake else None),
        )
        row = {
            "account": account,
            "table_id": table.id,
            "seq": seq,
            "at": table.at,
            "data": msgspec.json.encode(data).decode(),
        }
        try:
            await self.store.run(_keep, row)
        except (HouseError, ConflictError):
            return  # a judgement is not worth a round that stops

    async def review(self, table: RunningTable | str, account: str, *, seconds: float) -> Found:
        """All decisions of somebody at a table, from its record.

        Of a table that cannot be opened any more, by its name, what was judged at the time: no more
        can be known.
        """
        if isinstance(table, RunningTable):
            return await self.reviewing.review(table, account, seconds=seconds)
        return Found(_reviewed(await self.store.read(_judged, account, table)), whole=True)

    def close(self) -> None:
        self._stopped.set()
        self.reviewing.close()
        for thread in (self._thread, self._slow, self._warming):
            thread.shutdown(wait=False, cancel_futures=True)

    def join(self) -> None:
        """Wait until nothing is made ready any more, after it was closed."""
        self._warming.shutdown(wait=True)


class _Asked(NamedTuple):
    """A question before the deal: the table as it was then, who asks, and what was wagered last."""

    state: TableState
    seen: Seen
    player: str
    before: Mapping[str, int]

    def priced(self, coach: Coach) -> NextRound:
        return coach.before_deal(self.state, self.seen, player=self.player, before=self.before)


def _keep(connection: sa.Connection, row: dict[str, Any]) -> None:
    connection.execute(sa.insert(db.judged).values(**row))


def _judged(connection: sa.Connection, account: str, table: str) -> list[dict[str, Any]]:
    own = sa.and_(db.judged.c.account == account, db.judged.c.table_id == table)
    query = sa.select(db.judged.c.data).where(own).order_by(db.judged.c.seq)
    return [msgspec.json.decode(data) for data in connection.execute(query).scalars()]


def _reviewed(judged: Iterable[dict[str, Any]]) -> SessionReview:
    """What an older version wrote and this one does not understand is left out."""
    found = SessionReview()
    for data in judged:
        try:
            advice = msgspec.convert(data["advice"], CoachAdvice)
        except (KeyError, msgspec.ValidationError):
            continue
        found = found.after(advice, str(data.get("taken", "")))
    return found


def _last_wagers(connection: sa.Connection, table: str, account: str) -> dict[str, int]:
    """What somebody wagered at a table in the last round that they played in."""
    results = db.results.c
    own = sa.and_(
        results.table_id == table,
        results.account == account,
        results.wager.not_in((FEES, BANK, PRIZE, INSURANCE)),
    )
    last = (
        sa.select(results.round, results.position)
        .where(own, results.wager == BASE)
        .order_by(results.round.desc(), results.position)
        .limit(1)
    )
    found = connection.execute(last).one_or_none()
    if found is None:
        return {}
    query = sa.select(results.wager, results.stake).where(
        own, results.round == found.round, results.position == found.position
    )
    return {row.wager: int(row.stake) for row in connection.execute(query)}
