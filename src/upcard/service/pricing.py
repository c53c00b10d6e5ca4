"""What wagers are worth in theory, and how far the house's results are from it.

A price is worked out once for every fingerprint, in a process of its own, and kept in the store.
Where fixed amounts are won or charged (lights, a tie that costs a dollar), a unit of the base wager
is worth less or more by the size of the wager: then there are several prices, and those between are
found by their distance in 1/size, which is exact as long as the play is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import sqlalchemy as sa

from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.service import schema
from upcard.service.results import BANK, FEES, PRIZE
from upcard.service.specs import HouseError
from upcard.service.store import ConflictError

if TYPE_CHECKING:
    from upcard.service.store import Store

AT = "@"
"""Between a wager and the size that its price is for."""
POINTS = 60
"""Points of a curve of results."""

log = logging.getLogger(__name__)


class Price(NamedTuple):
    """What a unit of a wager wins on average, and its standard deviation."""

    ev: float
    sd: float
    method: str = ""


@dataclass(frozen=True)
class WagerPrice:
    """The prices of one wager by its size; a single one, at 0, holds for every size."""

    sizes: Mapping[int, Price]

    def at(self, size: int) -> Price:
        """The price of a wager of some cents.

        >>> price = WagerPrice({200: Price(-0.06, 1.1), 400: Price(-0.04, 1.0)})
        >>> price.at(200).ev, round(price.at(300).ev, 4), price.at(800).ev
        (-0.06, -0.0467, -0.04)
        """
        if size in self.sizes or len(self.sizes) == 1:
            return self.sizes.get(size) or next(iter(self.sizes.values()))
        known = sorted(self.sizes)
        below = max((one for one in known if one < size), default=known[0])
        above = min((one for one in known if one > size), default=known[-1])
        if below >= above:
            return self.sizes[below]
        if not below < size < above:
            return self.sizes[known[0] if size < known[0] else known[-1]]
        part = (1 / below - 1 / size) / (1 / below - 1 / above)
        low, high = self.sizes[below], self.sizes[above]
        return Price(
            low.ev + part * (high.ev - low.ev), low.sd + part * (high.sd - low.sd), low.method
        )


def sizes_of(tables: GameTables) -> tuple[int, ...]:
    """The sizes of the base wager that have prices of their own; none if one holds for all."""
    if not tables.has_fixed_amounts:
        return ()
    plan = tables.money.wagers[BASE]
    if plan.amounts:
        return tuple(plan.amounts)
    unit = tables.money.unit
    most = plan.maximum or 100 * plan.minimum
    middle = round(math.sqrt(plan.minimum * most) / unit) * unit
    return tuple(dict.fromkeys((plan.minimum, middle, most)))


def priced(tables: GameTables) -> dict[str, Price]:
    """Every wager's price by its key: its id, with the size behind it where that matters."""
    from upcard.solve.odds import odds

    found: dict[str, Price] = {}
    for size in sizes_of(tables) or (None,):
        result = odds(tables, bet=size)
        for wager, one in result.wagers.items():
            key = f"{wager}{AT}{size}" if size and wager == BASE else wager
            found[key] = Price(float(one.ev), float(one.sd), one.method)
    return found


Worker = Callable[[str, Mapping[str, str]], Awaitable[dict[str, Price]]]
"""Works out the prices of a game with its settings."""


async def in_process(game: str, settings: Mapping[str, str]) -> dict[str, Price]:
    """Prices from a process of its own, which does not slow the tables down."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        asked = msgspec.json.encode((game, dict(settings)))
        answer, _ = await process.communicate(asked)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise UpcardError(f"the process that prices {game} ended with {process.returncode}")
    return msgspec.json.decode(answer, type=dict[str, Price])


def main() -> None:
    """A game and its settings in, its prices out, as JSON."""
    with contextlib.suppress(OSError):
        os.nice(10)
    game, settings = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[str, dict[str, str]])
    sys.stdout.buffer.write(msgspec.json.encode(priced(tables_for(game, settings))))


def by_wager(prices: Mapping[str, Price]) -> dict[str, WagerPrice]:
    """
    >>> found = by_wager({"base@200": Price(-0.1, 1.0), "insurance": Price(-0.07, 1.4)})
    >>> sorted(found), found["base"].at(200).ev
    (['base', 'insurance'], -0.1)
    """
    sizes: dict[str, dict[int, Price]] = {}
    for key, price in prices.items():
        wager, _, size = key.partition(AT)
        sizes.setdefault(wager, {})[int(size or 0)] = price
    return {wager: WagerPrice(found) for wager, found in sizes.items()}


# ---------------------------------------------------------------------- the book of prices


class PriceBook:
    """The prices in a store; what is missing is worked out one game after the other."""

    def __init__(self, store: Store, worker: Worker = in_process) -> None:
        self.store = store
        self.worker = worker
        self.known: dict[str, dict[str, WagerPrice]] = {}
        self.failed: dict[str, str] = {}
        self._wanted: dict[str, tuple[str, dict[str, str]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def of(self, fingerprint: str) -> dict[str, WagerPrice]:
        """The prices of a game by wager; nothing while they are not worked out."""
        if fingerprint not in self.known:
            found = await self.store.read(_read_prices, fingerprint)
            if not found:
                return {}
            self.known[fingerprint] = by_wager(found)
        return self.known[fingerprint]

    def want(self, fingerprint: str, game: str, settings: Mapping[str, str]) -> None:
        """Have a game priced, some time soon."""
        if fingerprint in self.known or fingerprint in self.failed:
            return
        self._wanted.setdefault(fingerprint, (game, dict(settings)))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def ready(self) -> None:
        """Wait until nothing more is to be worked out."""
        if self._task is not None:
            await self._task

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._wanted:
            fingerprint, (game, settings) = next(iter(self._wanted.items()))
            try:
                if not await self.of(fingerprint):
                    prices = await self.worker(game, settings)
                    await self.store.run(_write_prices, fingerprint, prices)
                    self.known[fingerprint] = by_wager(prices)
            except (UpcardError, ConflictError, OSError, msgspec.MsgspecError) as error:
                log.warning("%s could not be priced: %s", game, error)
                away = isinstance(error, HouseError) and error.code == "unavailable"
                if not away and not isinstance(
                    error, ConflictError
                ):  # what passes is tried again when somebody asks
                    self.failed[fingerprint] = str(error)
            self._wanted.pop(fingerprint, None)


def _read_prices(connection: sa.Connection, fingerprint: str) -> dict[str, Price]:
    prices = schema.prices
    rows = connection.execute(sa.select(prices).where(prices.c.fingerprint == fingerprint))
    return {row.wager: Price(row.ev, row.sd, row.method) for row in rows}


def _write_prices(connection: sa.Connection, fingerprint: str, found: Mapping[str, Price]) -> None:
    """Write what is not there yet: another server may have been faster."""
    there = _read_prices(connection, fingerprint)
    rows = [
        {
            "fingerprint": fingerprint,
            "wager": key,
            "ev": price.ev,
            "sd": price.sd,
            "method": price.method,
        }
        for key, price in found.items()
        if key not in there
    ]
    if rows:
        connection.execute(schema.prices.insert(), rows)


# ---------------------------------------------------------------------- results against prices


@dataclass(frozen=True)
class Placed:
    """Wagers of one kind and size at one table: how many, what they came to for the players."""

    table: str
    wager: str
    stake: int
    count: int
    action: int
    net: int


@dataclass
class Account:
    """What one kind of wager brought the house, and what it should have.

    `expected` and `deviation` are None while the wager has no price. Every box counts by itself:
    boxes of one round share the dealer's hand, so the results of full tables swing more widely.
    """

    wager: str
    count: int = 0
    staked: int = 0
    action: int = 0
    win: int = 0
    expected: float | None = 0.0
    variance: float = 0.0

    def add(self, placed: Placed, price: WagerPrice | None) -> None:
        self.count += placed.count
        self.staked += placed.stake * placed.count
        self.action += placed.action
        self.win -= placed.net
        if price is None or self.expected is None:
            self.expected = None
            return
        at = price.at(placed.stake)
        self.expected -= placed.count * placed.stake * at.ev
        self.variance += placed.count * (placed.stake * at.sd) ** 2

    @property
    def deviation(self) -> float | None:
        """One standard deviation of the win, in cents."""
        return None if self.expected is None else math.sqrt(self.variance)

    @property
    def z(self) -> float:
        """By how many standard deviations the win is from what was expected; nan if unknown."""
        if self.expected is None or not self.variance:
            return math.nan
        return (self.win - self.expected) / math.sqrt(self.variance)

    @property
    def hold(self) -> float:
        """The win as a part of what was staked before the deal."""
        return self.win / self.staked if self.staked else math.nan


@dataclass
class TableAccount:
    """The results of a table: its wagers, and what else the house took or gave."""

    table: str
    house_banks: bool
    wagers: dict[str, Account] = field(default_factory=dict)
    fees: int = 0
    prizes: int = 0
    bank: int = 0

    @property
    def total(self) -> Account:
        """All wagers that the house banks together."""
        found = Account("")
        for one in self.wagers.values() if self.house_banks else ():
            found.count += one.count
            found.staked += one.staked
            found.action += one.action
            found.win += one.win
            found.variance += one.variance
            known = found.expected is not None and one.expected is not None
            found.expected = (found.expected or 0.0) + (one.expected or 0.0) if known else None
        return found

    @property
    def win(self) -> int:
        """What the house has won: the wagers where it banks, and the fees."""
        return (self.total.win if self.house_banks else 0) + self.fees


def account_of(
    table: str,
    placed: Iterable[Placed],
    prices: Mapping[str, WagerPrice],
    *,
    house_banks: bool,
) -> TableAccount:
    """A table's results beside their prices.

    A prize in chips is part of what the base wager is worth, so it is part of its result.
    """
    found = TableAccount(table, house_banks)
    for one in placed:
        if one.wager == FEES:
            found.fees -= one.net
        elif one.wager == BANK:
            found.bank += one.net
        elif one.wager == PRIZE:
            found.prizes += one.net
        else:
            account = found.wagers.setdefault(one.wager, Account(one.wager))
            account.add(one, prices.get(one.wager))
    if found.prizes and BASE in found.wagers:
        found.wagers[BASE].win -= found.prizes
    return found


async def placed_at(store: Store) -> dict[str, list[Placed]]:
    """All wagers of finished rounds by table, those of one kind and size together."""
    found: dict[str, list[Placed]] = {}
    for one in await store.read(_placed):
        found.setdefault(one.table, []).append(one)
    return found


def _placed(connection: sa.Connection) -> list[Placed]:
    results = schema.results
    keys = (results.c.table_id, results.c.wager, results.c.stake)
    sums = (sa.func.count(), sa.func.sum(results.c.action), sa.func.sum(results.c.net))
    query = sa.select(*keys, *sums).group_by(*keys).order_by(*keys)
    return [
        Placed(row[0], row[1], int(row[2]), int(row[3]), int(row[4]), int(row[5]))
        for row in connection.execute(query)
    ]


@dataclass
class Progress:
    """The results of a table, read on from round to round and kept in a few parts."""

    table: str
    last: int = 0
    parts: list[Part] = field(default_factory=list)

    def add(self, rows: Iterable[tuple[int, Placed]]) -> None:
        """Take in further wagers by their rounds, which rise."""
        for number, one in rows:
            if not self.parts or self.parts[-1].last != number:
                self.parts.append(Part(number, {}))
            self.parts[-1].add(one)
            self.last = number
            if len(self.parts) > 2 * POINTS:
                self._halve()

    def _halve(self) -> None:
        """Put every two parts together; the last, which may still grow, stays by itself."""
        whole, rest = self.parts[:-1], self.parts[-1:]
        pairs = [whole[place : place + 2] for place in range(0, len(whole), 2)]
        self.parts = [merged(pair) for pair in pairs] + rest

    @property
    def placed(self) -> list[Placed]:
        """All wagers, those of one kind and size together."""
        return list(merged(self.parts).placed.values()) if self.parts else []

    async def read_on(self, store: Store) -> None:
        self.add(await store.read(_after, self.table, self.last))


@dataclass
class Part:
    """Wagers of some rounds, up to the `last`, by kind and size."""

    last: int
    placed: dict[tuple[str, int], Placed]

    def add(self, one: Placed) -> None:
        before = self.placed.get((one.wager, one.stake))
        if before is not None:
            one = replace(
                one,
                count=before.count + one.count,
                action=before.action + one.action,
                net=before.net + one.net,
            )
        self.placed[one.wager, one.stake] = one


def merged(parts: Sequence[Part]) -> Part:
    """Parts in a row as one."""
    found = Part(parts[-1].last, {})
    for part in parts:
        for one in part.placed.values():
            found.add(one)
    return found


def _after(connection: sa.Connection, table: str, last: int) -> list[tuple[int, Placed]]:
    """The wagers of rounds after one, those of one kind and size in a round together."""
    results = schema.results
    keys = (results.c.round, results.c.wager, results.c.stake)
    query = (
        sa.select(
            *keys,
            sa.func.count(),
            sa.func.sum(results.c.action),
            sa.func.sum(results.c.net),
        )
        .where(results.c.table_id == table, results.c.round > last)
        .group_by(*keys)
        .order_by(*keys)
    )
    return [
        (row[0], Placed(table, row[1], int(row[2]), int(row[3]), int(row[4]), int(row[5])))
        for row in connection.execute(query)
    ]


class Point(NamedTuple):
    """The house's win up to a round, what was expected by then, and one standard deviation."""

    round: int
    win: int
    expected: float
    deviation: float


def points(
    parts: Iterable[Part], prices: Mapping[str, WagerPrice], *, house_banks: bool
) -> list[Point]:
    """How a table's win came about. What has no price yet is expected to bring nothing."""
    found = [Point(0, 0, 0.0, 0.0)]
    win, expected, variance = 0, 0.0, 0.0
    for part in parts:
        for one in part.placed.values():
            if one.wager == FEES:
                win -= one.net
                expected -= one.net
            elif one.wager != BANK and house_banks:
                win -= one.net
                price = prices.get(one.wager)
                if price is not None:
                    at = price.at(one.stake)
                    expected -= one.count * one.stake * at.ev
                    variance += one.count * (one.stake * at.sd) ** 2
        found.append(Point(part.last, win, expected, math.sqrt(variance)))
    return found


if __name__ == "__main__":
    main()
