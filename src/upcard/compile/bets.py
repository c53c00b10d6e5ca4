"""Which wagers a table takes: the one place that refuses an amount, in words and with its clause.

The live table, the solver, the simulator and the environments all ask here, so that none of them
prices or plays a wager that another would refuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from upcard.compile.citations import Topic
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, MOST_CENTS, TOO_MUCH, format_cents, outside_limits
from upcard.text import cited, counted, did_you_mean, listed

MOST_RATIO = 10**6
"""No side wager is so many base wagers."""
FINEST_RATIO = 10**6
"""The largest denominator of a side wager's size in base wagers."""

Ratios = Mapping[str, float]
"""Side wagers by id, in base wagers."""


class WagerRefusedError(UpcardError):
    """Wagers that the table does not take, and the clauses that say so."""

    def __init__(self, reason: str, clauses: Iterable[str] = ()) -> None:
        self.reason = reason
        self.clauses = tuple(clauses)
        super().__init__(reason + cited(self.clauses))


# ----------------------------------------------------------------------------------- what is taken


def check_wagers(
    tables: GameTables,
    wagers: Mapping[str, int],
    *,
    others: Mapping[str, int] | None = None,
    elsewhere: Iterable[Mapping[str, int]] = (),
    posted: bool = True,
) -> None:
    """Refuse the wagers of one seat, in cents, that the table does not take.

    `others` is what others have on the same spots, `elsewhere` what the same player has on other
    boxes. Without `posted` the limits are left out, for those who compare several schedules of
    them.
    """
    known = tables.money.wagers
    for wager, amount in wagers.items():
        if wager not in known:
            there = f'there is no wager "{wager}" at this table: it has {listed(known, "and")}'
            clauses = tables.wager_cites.get(("offered", wager), ())
            raise WagerRefusedError(there + did_you_mean(wager, known), clauses)
        check_amount(tables, wager, amount, others=(others or {}).get(wager, 0), posted=posted)
    for wager in wagers:
        needed = known[wager].needs
        if needed is not None and needed not in wagers:
            needs = f"a {wager} wager needs a {needed} wager"
            raise WagerRefusedError(needs, tables.wager_cites["needs", wager])
    if BASE not in wagers:
        raise _refusal(tables, "the base wager is mandatory", "mandatory")
    _check_share(tables, (wagers, *elsewhere) if tables.money.boxes_share else (wagers,))


def check_what_stays(tables: GameTables, boxes: Iterable[Mapping[str, int]]) -> None:
    """Refuse that a player takes wagers back and leaves only these boxes."""
    if tables.money.boxes_share:
        _check_share(tables, tuple(boxes))


def check_amount(
    tables: GameTables, wager: str, amount: int, *, others: int = 0, posted: bool = True
) -> None:
    """Refuse an amount of one wager: its size, the fixed amounts, the unit, the limits."""
    if type(amount) is not int:
        raise UpcardError(f"a {wager} wager is a whole number of cents, not {amount!r}")
    plan = tables.money.wagers[wager]
    if plan.amounts:
        if amount not in plan.amounts:
            allowed = listed(format_cents(cents) for cents in plan.amounts)
            words = f"a {wager} wager is {allowed}, not {format_cents(amount)}"
            raise _refusal(tables, words, "amounts")
        return
    _check_unit(tables, f"a {wager} wager", amount)
    limits = outside_limits(wager, amount, plan.minimum, plan.maximum, others=others)
    if posted and limits:
        raise _refusal(tables, limits, "limits")
    check_size(amount)


def check_seat_count(tables: GameTables, seats: int) -> None:
    """Refuse more seats than can play in one round, and none at all."""
    most, boxes = tables.most_seats, tables.round_plan.boxes
    if boxes and seats % boxes:
        raise UpcardError(
            f"every player of {tables.name} has {boxes} seats, so that {counted(seats, 'seat')} "
            f"cannot play{cited(tables.cites['number of boxes'])}"
        )
    if 1 <= seats <= most:
        return
    can = "1 seat" if most == 1 else f"1 to {most} seats"
    has = counted(tables.round_plan.positions, "position")
    clauses = tables.cites["positions"]
    if not tables.money.house_banks:
        has += ", of which the player-dealer's gets no cards"
        clauses = tuple(dict.fromkeys((*clauses, *tables.cites["bank"])))
    raise UpcardError(f"{can} can play, not {seats}, since the table has {has}{cited(clauses)}")


def check_multiple(tables: GameTables, what: str, amount: int) -> None:
    """Refuse money on the layout that is no whole number of the table's units."""
    _check_unit(tables, what, amount)
    check_size(amount)


def check_added(tables: GameTables, what: str, amount: int) -> None:
    """Refuse money added in the middle of a round where only some amounts are taken."""
    if tables.money.wagers[BASE].amounts:
        _check_unit(tables, what, amount)
    if tables.money.added_at_most(amount) != amount:
        allowed = listed(format_cents(cents) for cents in tables.money.added_amounts)
        raise _refusal(tables, f"{what} is {allowed}, not {format_cents(amount)}", "added")


def _check_unit(tables: GameTables, what: str, amount: int) -> None:
    unit = tables.money.unit
    if amount <= 0 or amount % unit:
        words = f"{what} of {format_cents(amount)} is not a positive multiple of "
        raise _refusal(tables, words + format_cents(unit), "unit")


def _check_share(tables: GameTables, boxes: Sequence[Mapping[str, int]]) -> None:
    """Refuse bonus wagers above their share of the base wagers of all these boxes."""
    share, known = tables.money.bonus_share, tables.money.wagers
    base = sum(wagers[BASE] for wagers in boxes)
    bonus = sum(n for wagers in boxes for wager, n in wagers.items() if known[wager].needs)
    if share is not None and bonus > share * base:
        whose = "all base wagers" if len(boxes) > 1 else "the base wager"
        most = f"{'' if share == 1 else f'{share} of '}{whose} of {format_cents(base)}"
        which = "all bonus wagers of the player's boxes" if len(boxes) > 1 else "all bonus wagers"
        words = f"{which} together are {format_cents(bonus)} and may not exceed {most}"
        raise _refusal(tables, words, "share")


def check_size(amount: int) -> None:
    """Refuse money that is too much to be reckoned with."""
    if amount > MOST_CENTS:
        raise WagerRefusedError(TOO_MUCH)


def _refusal(tables: GameTables, words: str, topic: Topic) -> WagerRefusedError:
    return WagerRefusedError(words, tables.cites[topic])


# ------------------------------------------------------------------------- wagers by their relation


def wagers_of(
    tables: GameTables, bet: int | None = None, ratios: Ratios | None = None
) -> dict[str, int]:
    """A seat's wagers in cents, the base first, from the size of side wagers in base wagers.

    Without a bet it is the smallest with which the table takes them all.

    >>> from upcard import tables_for
    >>> wagers_of(tables_for("pure-spanish-21.5"), ratios={"match": 0.5})
    {'base': 600, 'match': 300}
    """
    sizes = {wager: _size(tables, wager, ratio) for wager, ratio in (ratios or {}).items()}
    if bet is None and sizes:
        return _least_wagers(tables, sizes)
    return _sized(tables, _smallest(tables, {}) if bet is None else bet, sizes)


def ratios_of(wagers: Mapping[str, float | str | Fraction] | None) -> dict[str, float]:
    """Side wagers in base wagers, which may be written as texts such as 1/2.

    >>> ratios_of({"match": "1/2"})
    {'match': 0.5}
    """
    return {wager: _ratio(wager, ratio) for wager, ratio in (wagers or {}).items()}


def _ratio(name: str, ratio: float | str | Fraction) -> float:
    """A side wager in base wagers, also as a text such as 1/2."""
    try:
        found = float(Fraction(str(ratio)))
    except (ValueError, OverflowError, ZeroDivisionError):
        found = math.nan
    if not 0 < found < MOST_RATIO:
        raise UpcardError(f"{name}={ratio}: a side wager is a share of the base wager, such as 1/2")
    return found


def usual_bet(tables: GameTables) -> int:
    """The wager that fixed amounts are compared with: the smallest that the table takes."""
    return _smallest(tables, {})


def _least_wagers(tables: GameTables, sizes: Mapping[str, Fraction]) -> dict[str, int]:
    base = _smallest(tables, sizes)
    try:
        return _sized(tables, base, sizes)
    except WagerRefusedError as error:
        sides = listed([f"{wager}={float(size):g}" for wager, size in sizes.items()], "and")
        words = f"no base wager takes {sides} beside it: with {format_cents(base)},"
        raise WagerRefusedError(f"{words} {error.reason}", error.clauses) from None


def _sized(tables: GameTables, base: int, sizes: Mapping[str, Fraction]) -> dict[str, int]:
    """Side wagers beside a base wager, refused as the table would."""
    check_amount(tables, BASE, base)
    wagers = {BASE: base}
    for wager, size in sizes.items():
        amount = size * base
        if amount.denominator != 1 or amount.numerator % tables.money.unit:
            words = f"{wager}={float(size):g} of a base wager of {format_cents(base)}"
            unit = format_cents(tables.money.unit)
            raise _refusal(tables, f"{words} is not a multiple of {unit}", "unit")
        wagers[wager] = amount.numerator
    check_wagers(tables, wagers)
    return wagers


def _size(tables: GameTables, wager: str, ratio: float) -> Fraction:
    """A side wager's size in base wagers, refused if there is no such wager or size."""
    offered = [w for w in (*tables.payoffs, *tables.observers) if w not in (BASE, INSURANCE)]
    if wager not in offered:
        known = f"it offers {listed(offered)}" if offered else "it has none"
        guess = did_you_mean(wager, offered)
        raise UpcardError(f'{tables.name} has no side wager "{wager}": {known}{guess}')
    if not 0 < ratio < MOST_RATIO:
        raise UpcardError(
            f"{wager}={ratio:g}: a side wager is above 0 and below {MOST_RATIO:,} base wagers"
        )
    size = Fraction(ratio).limit_denominator(FINEST_RATIO)
    if not size:
        raise UpcardError(f"{wager}={ratio:g}: a side wager is not so small a part of the base")
    return size


def _smallest(tables: GameTables, sizes: Mapping[str, Fraction]) -> int:
    """The smallest base wager that reaches every minimum and gives side wagers of whole units."""
    plan, unit = tables.money.wagers[BASE], tables.money.unit
    parts = math.lcm(*(size.denominator for size in sizes.values()))
    if plan.amounts:
        fitting = [a for a in plan.amounts if all(a * s % unit == 0 for s in sizes.values())]
        return min(fitting or plan.amounts)
    least = Fraction(max(plan.minimum, 1))
    for wager, size in sizes.items():
        least = max(least, tables.money.wagers[wager].minimum / size)
    step = unit * parts
    return math.ceil(least / step) * step
