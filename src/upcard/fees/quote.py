"""What a round costs under a schedule. A figure that the printed rows do not settle is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import msgspec

from upcard.errors import UpcardError
from upcard.fees.schedules import PAYERS, Charges, FeeRow, FeeSchedule, Side
from upcard.money import (
    BASE,
    CENTS_PER_DOLLAR,
    MOST_CENTS,
    TOO_MUCH,
    format_cents,
    outside_limits,
)
from upcard.text import cited, did_you_mean, listed

Basis = Literal["base", "base-and-bonus"]
"""The reading fee_basis: what "the player's wager" means where the fee is per player."""

Per = Literal["circle", "player"]
"""The reading fee_per: a fee per player is due for every circle, or once for all of a player's."""

Resolution = Literal["lower-fee", "higher-fee", "nothing"]
"""Which of the candidate rows is used where the printed rows do not settle a fee.

With `nothing` an amount that no row holds pays nothing; one that two rows hold stays refused.
"""

Wagers = Mapping[str, int]
"""The wagers on one seat, in cents by wager id."""

BASES: tuple[Basis, ...] = get_args(Basis)
PERS: tuple[Per, ...] = get_args(Per)
RESOLUTIONS: tuple[Resolution, ...] = get_args(Resolution)
NOTHING: Resolution = "nothing"

BASE_WAGER = BASE
WAGER_IDS = (BASE_WAGER, "match")

_BONUS_NEEDS_BASE = ("PS-M3",)
_LIMITS = ("PS-D11", "PS-M5")


class OutsideLimitsError(UpcardError):
    """A wager that the limits of a schedule refuse."""


class SeatQuote(msgspec.Struct, frozen=True):
    """A seat's fee and the rows it was found in, none where nothing is due.

    What a player pays once for several circles is due at the first of them.
    """

    seat: int
    wagers: dict[str, int]
    fee: int
    rows: tuple[FeeRow, ...]


class PlayerDealerQuote(msgspec.Struct, frozen=True):
    """The fee on the total table action: all wagers of all seats. Without a row there is none."""

    action: int
    fee: int
    row: FeeRow | None


class Quote(msgspec.Struct, frozen=True):
    """All fees of a round; the notes tell what a person should know about them."""

    schedule: int
    charges: Charges
    seats: tuple[SeatQuote, ...]
    player_dealer: PlayerDealerQuote
    total: int
    notes: tuple[str, ...]


def quote(
    schedule: FeeSchedule,
    seats: Sequence[Wagers],
    *,
    basis: str = "base",
    per: str = "circle",
    resolution: str | None = None,
    numbers: Sequence[int] | None = None,
    players: Sequence[str] | None = None,
    limits: bool = True,
    more: Sequence[str] = (),
) -> Quote:
    """The collection fees of a round, from the wagers on its seats.

    Seats are numbered from 1 unless `numbers` says otherwise, and every seat has a player of its
    own unless `players` names whose it is. Wagers that a table has taken, and what is added to them
    later, are quoted without `limits`. `more` are bonus wagers that the table takes besides those
    of the printed game.

    >>> from upcard.fees.schedules import load_fee_book
    >>> schedule = load_fee_book("pure-spanish-21.5").schedule(42)
    >>> costs = quote(schedule, [{"base": 5000, "match": 1000}, {"base": 2000}])
    >>> [seat.fee for seat in costs.seats], costs.player_dealer.fee, costs.total
    ([100, 50], 100, 250)
    """
    _check_word("basis", basis, BASES)
    _check_word("per", per, PERS)
    if resolution is not None:
        _check_word("resolution", resolution, RESOLUTIONS)
    if not seats:
        raise UpcardError("there is nothing to quote: name the wagers of at least one seat")
    desk = _Desk(schedule, resolution, together=basis == "base-and-bonus", limits=limits)
    placed = [
        _Circle(number, check_wagers(number, wagers, more))
        for number, wagers in zip(numbers or range(1, len(seats) + 1), seats, strict=True)
    ]
    owners = players or [str(place) for place in range(len(placed))]
    once = per == "player" and schedule.charges == "per-player"
    quoted = desk.by_player(placed, owners) if once else [desk.seat(circle) for circle in placed]
    action = sum(sum(circle.wagers.values()) for circle in placed)
    row = desk.look_up("player-dealer", action, "a total table action")
    fee = row.fee if row else 0
    return Quote(
        schedule=schedule.id,
        charges=schedule.charges,
        seats=tuple(quoted),
        player_dealer=PlayerDealerQuote(action, fee, row),
        total=sum(seat.fee for seat in quoted) + fee,
        notes=tuple(desk.notes),
    )


def check_wagers(seat: int, wagers: Wagers, more: Sequence[str] = ()) -> dict[str, int]:
    """The wagers of a seat, the base wager first, or a refusal of what no table could take."""
    ids = tuple(dict.fromkeys((*WAGER_IDS, *more)))
    for wager, amount in wagers.items():
        if wager not in ids:
            guess = did_you_mean(wager, ids)
            known = listed(ids, "and")
            raise UpcardError(f'seat {seat}: the wagers are {known}, not "{wager}"{guess}')
        if type(amount) is not int:
            raise UpcardError(f"seat {seat}: a {wager} wager is a number of cents, not {amount!r}")
        if amount > MOST_CENTS:
            raise UpcardError(f"seat {seat}: {TOO_MUCH}")
        if amount <= 0 or amount % CENTS_PER_DOLLAR:
            raise UpcardError(
                f"seat {seat}: a {wager} wager of {format_cents(amount)} is not a positive "
                f"multiple of {format_cents(CENTS_PER_DOLLAR)}"
            )
    if BASE_WAGER not in wagers:
        bonus = listed(wagers, "and")
        if not bonus:
            raise UpcardError(f"seat {seat}: there is no base wager")
        needs = f"a {bonus} wager needs a base wager"
        raise UpcardError(f"seat {seat}: {needs}{cited(_BONUS_NEEDS_BASE)}")
    return {wager: wagers[wager] for wager in ids if wager in wagers}


class _Circle(NamedTuple):
    """The wagers of one player on one seat."""

    number: int
    wagers: dict[str, int]


class _Desk:
    """Looks fees up in one schedule and keeps the notes.

    With `together` a player's wager is base and bonus, else the base alone.
    """

    def __init__(
        self, schedule: FeeSchedule, resolution: str | None, *, together: bool, limits: bool
    ) -> None:
        self.schedule = schedule
        self.resolution = resolution
        self.together = together
        self.limits = limits
        self.notes: list[str] = []

    def seat(self, circle: _Circle) -> SeatQuote:
        if self.limits:
            self.check_limits(circle)
        return self.paid(circle, self.charged(circle))

    def by_player(self, circles: Sequence[_Circle], owners: Sequence[str]) -> list[SeatQuote]:
        """One fee for all wagers of a player, at the first circle; none at the others."""
        if self.limits:
            for circle in circles:
                self.check_limits(circle)
        own = [
            [circle for circle, other in zip(circles, owners, strict=True) if other == owner]
            for owner in owners
        ]
        quoted = []
        for circle, mine in zip(circles, own, strict=True):
            first = mine[0] is circle
            if first and len(mine) > 1:
                seats = listed([f"seat {one.number}" for one in mine], "and")
                words = f"{seats} are one player's, who pays once, at seat {circle.number}"
                self.notes.append(words + cited(self.schedule.clauses))
            quoted.append(self.paid(circle, [self.wager(mine)] if first else []))
        return quoted

    def paid(self, circle: _Circle, charged: Sequence[tuple[str, int]]) -> SeatQuote:
        found = [self.look_up("players", amount, what) for what, amount in charged]
        rows = tuple(row for row in found if row)
        return SeatQuote(circle.number, circle.wagers, sum(row.fee for row in rows), rows)

    def charged(self, circle: _Circle) -> list[tuple[str, int]]:
        """The amounts that pay a fee on a seat, each with its name."""
        if self.schedule.charges == "nothing":
            return []
        if self.schedule.charges == "per-spot":
            spots = circle.wagers.items()
            return [(f"seat {circle.number}'s {wager} wager", cents) for wager, cents in spots]
        return [self.wager([circle])]

    def wager(self, circles: Sequence[_Circle]) -> tuple[str, int]:
        """What "the player's wager" is on these circles, in words and in cents."""
        seats = listed([f"seat {circle.number}" for circle in circles], "and")
        several = len(circles) > 1
        if self.together and any(len(circle.wagers) > 1 for circle in circles):
            amount = sum(sum(circle.wagers.values()) for circle in circles)
            return f"{seats}'s base and bonus wagers together", amount
        amount = sum(circle.wagers[BASE_WAGER] for circle in circles)
        return f"{seats}'s base {'wagers together' if several else 'wager'}", amount

    def check_limits(self, circle: _Circle) -> None:
        low, high = self.schedule.table_min, self.schedule.table_max
        for wager, amount in circle.wagers.items():
            words = outside_limits(wager, amount, low, high)
            if words:
                raise OutsideLimitsError(f"seat {circle.number}: {words}{cited(_LIMITS)}")

    def look_up(self, side: Side, amount: int, what: str) -> FeeRow | None:
        """The row of an amount; None if it has none and nothing is collected then."""
        rows = self.schedule.rows(side)
        holding = [number for number, row in enumerate(rows, 1) if row.holds(amount)]
        if len(holding) == 1:
            return rows[holding[0] - 1]
        numbers, place = (holding, "in each of") if holding else _around(rows, amount)
        named = self.schedule.name_rows(side, numbers)
        unsettled = (
            f"schedule {self.schedule.id} does not settle the {PAYERS[side]} fee for {what} of "
            f"{format_cents(amount)}, which is {place} {named}"
        )
        clauses = cited(self.schedule.clauses)
        if self.resolution == NOTHING and not holding:
            self.notes.append(f"{unsettled}; no fee is posted, so none is collected{clauses}")
            return None
        if self.resolution in (None, NOTHING):
            choices = [one for one in RESOLUTIONS if one != NOTHING or not holding]
            choice = listed(choices)
            raise UpcardError(f"{unsettled}; choose the resolution {choice} to go on{clauses}")
        choose = min if self.resolution == "lower-fee" else max
        number = choose(numbers, key=lambda n: rows[n - 1].fee)
        used = self.schedule.name_rows(side, [number])
        self.notes.append(f"{unsettled}; by the resolution {self.resolution} it is {used}{clauses}")
        return rows[number - 1]


def _around(rows: Sequence[FeeRow], amount: int) -> tuple[list[int], str]:
    """The rows next to an amount that no row holds, and how it lies to them."""
    tops = {n: row.to for n, row in enumerate(rows, 1) if row.to is not None and row.to < amount}
    starts = {n: row.from_ for n, row in enumerate(rows, 1) if row.from_ > amount}
    # Rows that overlap may end or start at the same amount: then all of them are neighbours.
    lower = [n for n, top in tops.items() if top == max(tops.values())]
    upper = [n for n, start in starts.items() if start == min(starts.values())]
    place = "between" if lower and upper else "above" if lower else "below"
    return sorted(lower + upper), place


def _check_word(setting: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        guess = did_you_mean(word, known)
        raise UpcardError(f'the {setting} is {listed(known)}, not "{word}"{guess}')
