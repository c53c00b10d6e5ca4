"""What a round costs under a schedule. A figure that the printed rows do not settle is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

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

Resolution = Literal["lower-fee", "higher-fee"]
"""Which of the candidate rows is used where the printed rows do not settle a fee."""

Wagers = Mapping[str, int]
"""The wagers on one seat, in cents by wager id."""

BASES: tuple[Basis, ...] = get_args(Basis)
RESOLUTIONS: tuple[Resolution, ...] = get_args(Resolution)

BASE_WAGER = BASE
WAGER_IDS = (BASE_WAGER, "match")

_BONUS_NEEDS_BASE = ("PS-M3",)
_LIMITS = ("PS-D11", "PS-M5")


class OutsideLimitsError(UpcardError):
    """A wager that the limits of a schedule refuse."""


class SeatQuote(msgspec.Struct, frozen=True):
    """A seat's fee and the rows it was looked up in, one for every lookup."""

    seat: int
    wagers: dict[str, int]
    fee: int
    rows: tuple[FeeRow, ...]


class PlayerDealerQuote(msgspec.Struct, frozen=True):
    """The fee on the total table action: all wagers of all seats."""

    action: int
    fee: int
    row: FeeRow


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
    resolution: str | None = None,
    numbers: Sequence[int] | None = None,
    limits: bool = True,
) -> Quote:
    """The collection fees of a round, from the wagers on its seats.

    Seats are numbered from 1 unless `numbers` says otherwise. Wagers that a table has taken, and
    what is added to them later, are quoted without `limits`.

    >>> from upcard.fees.schedules import load_fee_book
    >>> schedule = load_fee_book("pure-spanish-21.5").schedule(42)
    >>> costs = quote(schedule, [{"base": 5000, "match": 1000}, {"base": 2000}])
    >>> [seat.fee for seat in costs.seats], costs.player_dealer.fee, costs.total
    ([100, 50], 100, 250)
    """
    _check_word("basis", basis, BASES)
    if resolution is not None:
        _check_word("resolution", resolution, RESOLUTIONS)
    if not seats:
        raise UpcardError("there is nothing to quote: name the wagers of at least one seat")
    desk = _Desk(schedule, resolution, limits=limits)
    quoted = [
        desk.seat(number, check_wagers(number, wagers), together=basis == "base-and-bonus")
        for number, wagers in zip(numbers or range(1, len(seats) + 1), seats, strict=True)
    ]
    action = sum(sum(seat.wagers.values()) for seat in quoted)
    row = desk.look_up("player-dealer", action, "a total table action")
    return Quote(
        schedule=schedule.id,
        charges=schedule.charges,
        seats=tuple(quoted),
        player_dealer=PlayerDealerQuote(action, row.fee, row),
        total=sum(seat.fee for seat in quoted) + row.fee,
        notes=tuple(desk.notes),
    )


def check_wagers(seat: int, wagers: Wagers) -> dict[str, int]:
    """The wagers of a seat, the base wager first, or a refusal of what no table could take."""
    for wager, amount in wagers.items():
        if wager not in WAGER_IDS:
            guess = did_you_mean(wager, WAGER_IDS)
            known = listed(WAGER_IDS, "and")
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
    return {wager: wagers[wager] for wager in WAGER_IDS if wager in wagers}


class _Desk:
    """Looks fees up in one schedule and keeps the notes."""

    def __init__(self, schedule: FeeSchedule, resolution: str | None, *, limits: bool) -> None:
        self.schedule = schedule
        self.resolution = resolution
        self.limits = limits
        self.notes: list[str] = []

    def seat(self, number: int, wagers: dict[str, int], *, together: bool) -> SeatQuote:
        if self.limits:
            self.check_limits(number, wagers)
        rows = tuple(
            self.look_up("players", amount, what)
            for what, amount in self.charged(number, wagers, together=together)
        )
        return SeatQuote(number, wagers, sum(row.fee for row in rows), rows)

    def charged(
        self, number: int, wagers: dict[str, int], *, together: bool
    ) -> list[tuple[str, int]]:
        """The amounts that pay a fee on a seat, each with its name."""
        if self.schedule.charges == "nothing":
            return []
        if self.schedule.charges == "per-spot":
            return [(f"seat {number}'s {wager} wager", cents) for wager, cents in wagers.items()]
        if together and len(wagers) > 1:
            return [(f"seat {number}'s base and bonus wagers together", sum(wagers.values()))]
        return [(f"seat {number}'s base wager", wagers[BASE_WAGER])]

    def check_limits(self, seat: int, wagers: dict[str, int]) -> None:
        low, high = self.schedule.table_min, self.schedule.table_max
        for wager, amount in wagers.items():
            words = outside_limits(wager, amount, low, high)
            if words:
                raise OutsideLimitsError(f"seat {seat}: {words}{cited(_LIMITS)}")

    def look_up(self, side: Side, amount: int, what: str) -> FeeRow:
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
        if self.resolution is None:
            choice = listed(RESOLUTIONS)
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
