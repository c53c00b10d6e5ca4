"""What wagers are worth in theory, and how far the house's results are from it.

Prices are worked out once for every fingerprint, in a process of its own, and kept in the store:
those of the base wager for the play that is best for it, and those of all other wagers for the same
play. Where fixed amounts are won or charged (lights, a tie that costs a dollar), or where payments
are rounded to chips, a unit of the base wager is worth less or more by the size of the wager: then
there are several prices. Between them one goes by the distance in 1/size, which is exact only as
long as the play is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import sqlalchemy as sa

from upcard.compile.bets import usual_bet
from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.rules.load import load_game
from upcard.service import schema
from upcard.service.results import BANK, FEES, PRIZE
from upcard.service.specs import HouseError
from upcard.service.store import ConflictError

if TYPE_CHECKING:
    from upcard.service.store import Store
    from upcard.solve.odds import Solver
    from upcard.solve.solution import Solution

AT, STEP, AND = "@", "/", "*"
"""In a price's key: before the size that it is for, before the step between the sizes that are
rounded alike, and between two wagers whose covariances it has."""
VERSION, VERSION_KEY = 2, "#"
"""Prices in the store that were worked out in another way are worked out anew."""
SIZES = (1, 2, 3, 4, 8, 16)
"""Sizes that are priced, in smallest wagers: fixed amounts change the play of small ones most."""
PAIR_ROUNDS = 1_000_000
"""Random rounds that covariances come from."""
POINTS = 60
"""Points of a curve of results."""
LIMITED_BANK = (
    "no expectation: a bank pays no more than it has put up, so what a wager is worth goes by the "
    "bank of every round"
)

log = logging.getLogger(__name__)


class Price(NamedTuple):
    """What a unit of a wager wins on average, and its standard deviation."""

    ev: float
    sd: float
    method: str = ""


@dataclass(frozen=True)
class WagerPrice:
    """The prices of one wager by its size; a single one, at 0, holds for every size.

    Sizes that are whole steps apart are rounded alike, and no others say anything about them.
    """

    sizes: Mapping[int, Price]
    step: int = 1

    def at(self, size: int) -> Price | None:
        """The price of a wager of some cents, if there is one.

        >>> price = WagerPrice({200: Price(-0.06, 1.1), 400: Price(-0.04, 1.0)})
        >>> [round(price.at(size).ev, 4) for size in (200, 300, 800)]
        [-0.06, -0.0467, -0.04]
        >>> WagerPrice({200: Price(-0.06, 1.1)}, step=200).at(300)
        """
        if 0 in self.sizes:
            return self.sizes[0]
        alike = [one for one in self.sizes if (one - size) % self.step == 0]
        if not alike:
            return None
        below = max((one for one in alike if one <= size), default=min(alike))
        above = min((one for one in alike if one >= size), default=max(alike))
        if below >= above:  # it has its own price, or is beyond all of them
            return self.sizes[below]
        part = (1 / below - 1 / size) / (1 / below - 1 / above)
        low, high = self.sizes[below], self.sizes[above]
        return Price(
            low.ev + part * (high.ev - low.ev), low.sd + part * (high.sd - low.sd), low.method
        )


class Shared(NamedTuple):
    """The covariance of two wagers in different boxes of a round, and in one box, by units."""

    other_box: float
    same_box: float


@dataclass(frozen=True)
class Prices:
    """All that is known of a game's wagers; nothing while it is not worked out."""

    wagers: Mapping[str, WagerPrice] = field(default_factory=dict)
    shared: Mapping[tuple[str, str], Shared] = field(default_factory=dict)


def step_of(tables: GameTables) -> int:
    """Base wagers that are this far apart have their payments rounded to chips alike."""
    payoff = tables.payoffs[BASE]
    of_doubled = () if payoff.doubled is None else payoff.doubled.odds
    rows = (*payoff.odds, *payoff.added, *of_doubled)
    parts = [one.denominator for row in rows for one in row]
    return tables.money.chip * math.lcm(*parts)


def sizes_of(tables: GameTables) -> tuple[int, ...]:
    """The sizes of the base wager that have prices of their own; none if one holds for all."""
    plan, unit, step = tables.money.wagers[BASE], tables.money.unit, step_of(tables)
    fixed, is_rounded = tables.has_fixed_amounts, unit % step != 0
    if not fixed and not is_rounded:
        return ()
    if plan.amounts:
        return tuple(plan.amounts)
    least = usual_bet(tables)
    most = max(least, plan.maximum or 100 * least)
    step = math.lcm(step, unit)
    found: list[int] = []
    for first in range(least, min(least + step, most + 1), unit):
        if first % step_of(tables) == 0 and not fixed:
            found.append(first)  # nothing is rounded, so one price holds for all of its kind
            continue
        steps = [round((times - 1) * first / step) for times in SIZES]
        sizes = [first + step * one for one in (*steps, (most - first) // step)]
        found += [size for size in sizes if size <= most]
    return tuple(dict.fromkeys(found))


def priced(tables: GameTables) -> dict[str, Price]:
    """Every wager's price by its key: its id, with the size behind it where that matters.

    A key of two wagers has their covariances in place of value and deviation, see `Shared`.
    """
    from upcard.solve.base_game import BaseGame
    from upcard.solve.observers import card_wager
    from upcard.solve.odds import Solver, insurance

    if tables.round_plan.exchanges:
        return _joint_prices(tables)
    solver = Solver(BaseGame(tables), "CDP")
    sizes, step = sizes_of(tables), step_of(tables)
    behind = f"{STEP}{step}" if tables.money.unit % step else ""
    plays = [solver.optimal(size) for size in sizes or (usual_bet(tables),)]
    keys = [f"{BASE}{AT}{size}{behind}" for size in sizes] or [BASE]
    found = {key: _base_price(solver, play) for key, play in zip(keys, plays, strict=True)}
    others = [solver.tie_wager(w, plays[0]) for w in tables.payoffs if w not in (BASE, INSURANCE)]
    others += [card_wager(tables, wager) for wager in tables.observers]
    if INSURANCE in tables.payoffs:
        others.append(insurance(solver.game))
    found |= {one.wager: Price(float(one.ev), float(one.sd), one.method) for one in others}
    return found | _covariances(solver, plays[0], found)


def _joint_prices(tables: GameTables) -> dict[str, Price]:
    """The same of boxes that exchange cards, which are solved together.

    Covariances with other wagers are left out: these go by the first cards, and hardly swing along.
    """
    from upcard.solve.odds import odds

    found = odds(tables)
    prices = {w: Price(float(one.ev), float(one.sd), one.method) for w, one in found.wagers.items()}
    assert found.exchange is not None
    square = found.wagers[BASE].sd ** 2
    between = found.exchange.together_sd**2 / 2 - square
    return prices | {AND.join((BASE, BASE)): Price(between, square, found.base.ends.method)}


def _base_price(solver: Solver, play: Solution) -> Price:
    """The base wager by itself: prizes are booked apart, and those for lights depend on how long
    somebody stays.
    """
    from upcard.solve.lights import base_value
    from upcard.solve.rounds import round_ends

    own = base_value(solver.game, play) + solver.charged_once(play)[0]
    ev = own if solver.tables.has_prizes else solver.base_ev(play)
    return Price(float(ev), round_ends(solver.game, play, own).sd, solver.method(play))


def _covariances(solver: Solver, play: Solution, known: Mapping[str, Price]) -> dict[str, Price]:
    """Of every two wagers, from random rounds of two boxes.

    Boxes that insure win or lose together. Insurance and other wagers are left out: they cancel
    each other in part, so what they come to together swings a little less than is said.
    """
    from upcard.trial.bank_rounds import BankRounds

    tables, bet = solver.tables, play.aim.bet
    box = {wager: bet for wager in (*tables.payoffs, *tables.observers) if wager != INSURANCE}
    boxes = min(2, tables.most_seats)
    rounds = BankRounds(solver.game, [box] * boxes, [play], [0] * boxes)
    means = np.zeros(len(rounds.names))
    same = np.zeros((len(rounds.names), len(rounds.names)))
    other = same.copy()
    for some in rounds.streams(PAIR_ROUNDS, None):
        first, last = some.wagers[:, :, 0] / bet, some.wagers[:, :, -1] / bet
        means += first.sum(axis=1) + last.sum(axis=1)
        same += first @ first.T + last @ last.T
        other += first @ last.T + last @ first.T
    mean = means / (2 * PAIR_ROUNDS)
    same, other = (one / (2 * PAIR_ROUNDS) - np.outer(mean, mean) for one in (same, other))
    found = {}
    for one, two in combinations_with_replacement(range(len(rounds.names)), 2):
        pair = sorted((rounds.names[one], rounds.names[two]))
        found[AND.join(pair)] = Price(
            float(other[one, two]), float(same[one, two]), f"{PAIR_ROUNDS:,} random rounds"
        )
    if INSURANCE in known:
        square = known[INSURANCE].sd ** 2
        found[AND.join((INSURANCE, INSURANCE))] = Price(square, square, known[INSURANCE].method)
    return found


Worker = Callable[[str, Mapping[str, str]], Awaitable[dict[str, Price]]]
"""Works out the prices of a game with its settings."""


async def in_process(game: str, settings: Mapping[str, str]) -> dict[str, Price]:
    """Prices from a process of its own, which does not slow the tables down.

    It is told the fingerprint, for the file of a game may have changed since the house read it.
    """
    wanted = (await asyncio.to_thread(load_game, game, settings)).fingerprint
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        asked = msgspec.json.encode((game, dict(settings), wanted))
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
    asked = sys.stdin.buffer.read()
    game, settings, wanted = msgspec.json.decode(asked, type=tuple[str, dict[str, str], str])
    tables = tables_for(game, settings)
    if tables.fingerprint != wanted:
        sys.exit("the game file has changed since the house was opened")
    sys.stdout.buffer.write(msgspec.json.encode(priced(tables)))


def prices_of(keys: Mapping[str, Price]) -> Prices:
    """
    >>> found = prices_of({"base@200": Price(-0.1, 1.0), "base*base": Price(0.5, 1.0)})
    >>> found.wagers["base"].at(200).ev, found.shared["base", "base"].other_box
    (-0.1, 0.5)
    """
    sizes: dict[str, dict[int, Price]] = {}
    steps: dict[str, int] = {}
    shared = {}
    for key, price in keys.items():
        if AND in key:
            one, _, other = key.partition(AND)
            shared[one, other] = Shared(price.ev, price.sd)
            continue
        wager, _, at = key.partition(AT)
        size, _, step = at.partition(STEP)
        sizes.setdefault(wager, {})[int(size or 0)] = price
        steps[wager] = int(step or 1)
    return Prices({wager: WagerPrice(sizes[wager], steps[wager]) for wager in sizes}, shared)


# ---------------------------------------------------------------------- the book of prices


class PriceBook:
    """The prices in a store; what is missing is worked out one game after the other."""

    def __init__(self, store: Store, worker: Worker = in_process) -> None:
        self.store = store
        self.worker = worker
        self.known: dict[str, Prices] = {}
        self.failed: dict[str, str] = {}
        self._wanted: dict[str, tuple[str, dict[str, str]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def of(self, fingerprint: str) -> Prices:
        """The prices of a game; nothing while they are not worked out."""
        if fingerprint not in self.known:
            found = await self.store.read(_read_prices, fingerprint)
            if not found:
                return Prices()
            self.known[fingerprint] = prices_of(found)
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
                if not (await self.of(fingerprint)).wagers:
                    prices = await self.worker(game, settings)
                    await self.store.run(_write_prices, fingerprint, prices)
                    self.known[fingerprint] = prices_of(prices)
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
    found = {row.wager: Price(row.ev, row.sd, row.method) for row in rows}
    version = found.pop(VERSION_KEY, None)
    return found if version is not None and version.ev == VERSION else {}


def _write_prices(connection: sa.Connection, fingerprint: str, found: Mapping[str, Price]) -> None:
    """Write what is not there yet: another server may have been faster."""
    if _read_prices(connection, fingerprint):
        return
    prices = schema.prices
    connection.execute(prices.delete().where(prices.c.fingerprint == fingerprint))
    rows = [
        {
            "fingerprint": fingerprint,
            "wager": key,
            "ev": price.ev,
            "sd": price.sd,
            "method": price.method,
        }
        for key, price in {**found, VERSION_KEY: Price(VERSION, 0.0)}.items()
    ]
    connection.execute(prices.insert(), rows)


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

    `expected` and `deviation` are None while the wager has no price.
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
        at = price.at(placed.stake) if price is not None else None
        if at is None or self.expected is None:
            self.expected = None
            return
        self.expected -= placed.count * placed.stake * at.ev
        self.variance += placed.count * (placed.stake * at.sd) ** 2

    @property
    def deviation(self) -> float | None:
        """One standard deviation of the win, in cents."""
        return None if self.expected is None else math.sqrt(max(0.0, self.variance))

    @property
    def z(self) -> float:
        """By how many standard deviations the win is from what was expected; nan if unknown."""
        if self.expected is None or not self.deviation:
            return math.nan
        return (self.win - self.expected) / self.deviation

    @property
    def hold(self) -> float:
        """The win as a part of what was staked before the deal."""
        return self.win / self.staked if self.staked else math.nan


@dataclass
class TableAccount:
    """The results of a table: its wagers, and what else the house took or gave.

    `shared` is what wagers of different kinds add to each other's variance. Prizes are apart: how
    often they are won goes by how long players stay, so they are no part of what is expected.
    """

    table: str
    house_banks: bool
    wagers: dict[str, Account] = field(default_factory=dict)
    fees: int = 0
    prizes: int = 0
    bank: int = 0
    shared: float = 0.0

    @property
    def total(self) -> Account:
        """All wagers that the house banks together."""
        found = Account("", variance=self.shared if self.house_banks else 0.0)
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
        """What the house has won: the wagers where it banks, and the fees; prizes are apart."""
        return (self.total.win if self.house_banks else 0) + self.fees


def account_of(table: str, part: Part, prices: Prices, *, house_banks: bool) -> TableAccount:
    """A table's results beside their prices."""
    found = TableAccount(table, house_banks)
    for one in part.placed.values():
        if one.wager == FEES:
            found.fees -= one.net
        elif one.wager == BANK:
            found.bank += one.net
        elif one.wager == PRIZE:
            found.prizes += one.net
        else:
            account = found.wagers.setdefault(one.wager, Account(one.wager))
            account.add(one, prices.wagers.get(one.wager))
    for pair, product in part.pairs.items():
        known = prices.shared.get((pair.one, pair.other))
        if known is None:
            continue
        more = 2 * product * (known.same_box if pair.same_box else known.other_box)
        if pair.one == pair.other:
            found.wagers[pair.one].variance += more
        else:
            found.shared += more
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

    def add(self, rounds: Iterable[Part]) -> None:
        """Take in further rounds in their order."""
        for one in rounds:
            self.parts.append(one)
            self.last = one.last
            if len(self.parts) > 2 * POINTS:
                starts = range(0, len(self.parts), 2)
                self.parts = [merged(self.parts[place : place + 2]) for place in starts]

    @property
    def whole(self) -> Part:
        """All rounds together."""
        return merged(self.parts)

    async def read_on(self, store: Store) -> None:
        self.add(await store.read(_after, self.table, self.last))


class Pair(NamedTuple):
    """Two wagers of a round by their kinds, in alphabetic order."""

    one: str
    other: str
    same_box: bool


@dataclass
class Part:
    """Wagers of some rounds, up to the `last`, by kind and size.

    `pairs` has the products of every two stakes that lay on the table together.
    """

    last: int = 0
    placed: dict[tuple[str, int], Placed] = field(default_factory=dict)
    pairs: Counter[Pair] = field(default_factory=Counter)

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


def part_of(number: int, wagers: Iterable[tuple[int, Placed]]) -> Part:
    """One round, from its single wagers by position.

    >>> wagers = [(box, Placed("t", "base", stake, 1, 0, 0)) for box, stake in ((1, 2), (4, 3))]
    >>> dict(part_of(1, wagers).pairs)
    {Pair(one='base', other='base', same_box=False): 6}
    """
    found = Part(number)
    stakes: dict[str, Counter[int]] = {}
    squares: Counter[str] = Counter()
    for position, one in wagers:
        found.add(one)
        if one.wager not in (FEES, BANK, PRIZE):
            stakes.setdefault(one.wager, Counter())[position] += one.stake
            squares[one.wager] += one.stake**2
    for wager, other in combinations_with_replacement(sorted(stakes), 2):
        boxes, others = stakes[wager], stakes[other]
        all_pairs = boxes.total() * others.total()
        same_box = sum(stake * others[box] for box, stake in boxes.items())
        elsewhere = all_pairs - same_box
        if wager == other:  # every two once, and nothing with itself
            same_box, elsewhere = (same_box - squares[wager]) // 2, elsewhere // 2
        for product, together in ((same_box, True), (elsewhere, False)):
            if product:
                found.pairs[Pair(wager, other, together)] = product
    return found


def merged(parts: Sequence[Part]) -> Part:
    """Parts in a row as one."""
    found = Part(parts[-1].last if parts else 0)
    for part in parts:
        for one in part.placed.values():
            found.add(one)
        found.pairs.update(part.pairs)
    return found


def _after(connection: sa.Connection, table: str, last: int) -> list[Part]:
    """The rounds after one."""
    row = schema.results.c
    query = (
        sa.select(row.round, row.position, row.wager, row.stake, row.action, row.net)
        .where(row.table_id == table, row.round > last)
        .order_by(row.round, row.position, row.wager, row.player)
    )
    rounds = groupby(connection.execute(query), key=itemgetter(0))
    return [
        part_of(
            number,
            (
                (position, Placed(table, wager, int(stake), 1, int(action), int(net)))
                for _, position, wager, stake, action, net in rows
            ),
        )
        for number, rows in rounds
    ]


class Point(NamedTuple):
    """The house's win up to a round, what was expected by then, and one standard deviation."""

    round: int
    win: int
    expected: float
    deviation: float


def points(parts: Iterable[Part], prices: Prices, *, house_banks: bool) -> list[Point]:
    """How a table's win came about. What has no price yet is expected to bring nothing."""
    found = [Point(0, 0, 0.0, 0.0)]
    win, expected, variance = 0, 0.0, 0.0
    for part in parts:
        account = account_of("", part, prices, house_banks=house_banks)
        win += account.win
        expected += account.fees
        if house_banks:
            expected += sum(one.expected or 0.0 for one in account.wagers.values())
        variance += account.total.variance
        found.append(Point(part.last, win, expected, math.sqrt(max(0.0, variance))))
    return found


if __name__ == "__main__":
    main()
