"""What people may ask of a table, beside what its rules say: whose commands, and own limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from upcard.money import MOST_CENTS, format_cents
from upcard.service import records
from upcard.service.opening import now
from upcard.table import commands as cm
from upcard.table.judge import Refusal

if TYPE_CHECKING:
    from upcard.service.accounts import Accounts
    from upcard.service.running import RunningTable
    from upcard.service.specs import Account
    from upcard.table.state import TableState

PERSONS: tuple[type[cm.Asked], ...] = (
    cm.BuyIn,
    cm.Sit,
    cm.Move,
    cm.Leave,
    cm.PresentCard,
    cm.MixSeed,
    cm.TakeBank,
    cm.DeclineBank,
    cm.PlaceWagers,
    cm.BackWagers,
    cm.Deal,
    *get_args(cm.AnyDecision),
)
"""The commands that people give; all others are the house's own."""
TIMELY = (
    cm.TakeBank,
    cm.DeclineBank,
    cm.PlaceWagers,
    cm.BackWagers,
    cm.Deal,
    *get_args(cm.AnyDecision),
)
"""The commands that mean something else when the table has gone on."""
_NAMES = {kind.__name__: kind for kind in cm.COMMAND_TYPES}


def asked_command(
    table: RunningTable, who: Account, command: dict[str, Any] | cm.Command
) -> cm.Command | Refusal:
    """A command as the table understands it: whoever sends it is its player."""
    plain = dict(command) if isinstance(command, dict) else msgspec.to_builtins(command)
    name = plain.pop("command", None)
    kind = _NAMES.get(name) if isinstance(name, str) else None
    if kind is None:
        return Refusal(f"{str(name)[:40]!r} is not a command: docs/protocol.md lists them")
    if kind not in PERSONS:
        return Refusal(f"{name} is a command of the house")
    plain.pop("player", None)
    plain.pop("kind", None)
    known = set(kind.__struct_fields__)
    if strange := sorted(map(str, set(plain) - known)):
        return Refusal(f"{name} has no field {strange[0][:40]!r}")
    if "player" in known:
        plain["player"] = table.name_of(who.id, who.name)
    try:
        asked = msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        cents = "; amounts are whole numbers of cents, $12.50 is 1250"
        is_money = any(f"$.{field}" in str(error) for field in ("amount", "wagers"))
        return Refusal(f"{name}: {error}{cents if is_money else ''}")
    # Larger numbers mean nothing at a table; they are only good for filling answers.
    if any(abs(number) > MOST_CENTS for number in _numbers(asked)):
        return Refusal(f"{name}: a number is larger than anything at a table")
    return asked  # type: ignore[return-value]


def _numbers(command: cm.Asked) -> Iterator[int]:
    for value in msgspec.structs.asdict(command).values():
        if isinstance(value, int):
            yield value
        elif isinstance(value, dict):
            yield from value.values()


def is_late(table: RunningTable, command: cm.Command, seen: int) -> bool:
    """Whether a command was meant for something that the table no longer waits for."""
    return isinstance(command, TIMELY) and seen < table.moment_since


def draws_cards(command: cm.Command) -> bool:
    """Whether cards that nobody has seen may come out by a command."""
    return isinstance(command, (cm.Deal, *cm.DECISION_TYPES))


def takes_back(command: cm.Command) -> bool:
    """Whether a command only takes something from the table, as may be done while it rests."""
    if isinstance(command, cm.PlaceWagers | cm.BackWagers):
        return not command.wagers
    return isinstance(command, cm.Leave | cm.CloseTable | cm.DeclineBank)


def may_deal(state: TableState, name: str) -> bool:
    """Whether somebody may ask for the cards; where none are due the table says what is wrong."""
    if state.stage != "wagers":
        return True
    banks = state.bank is not None and state.bank.player == name
    return banks or any(bet.player == name for bet in state.bets)


def _added(table: RunningTable, command: cm.Command, name: str) -> int:
    """Money that a command puts at risk."""
    match command:
        case cm.PlaceWagers() | cm.BackWagers():
            before = sum(
                bet.total + table.fee_on(bet.wagers, bet.position)
                for bet in table.state.bets
                if (bet.player, bet.position) == (name, command.position)
            )
            fee = table.fee_on(command.wagers, command.position)
            return max(0, sum(command.wagers.values()) + fee - before)
        case cm.TakeBank():
            return command.amount + _bank_fee(table)
    return table.price_of(command) if isinstance(command, cm.DECISION_TYPES) else 0


def _follows(table: RunningTable, command: cm.Command) -> bool:
    """Whether wagers grow with what somebody else decides."""
    if not isinstance(command, cm.BackWagers) or not command.wagers:
        return False
    return command.follows or table.tables.money.backline_must_match


def _bank_fee(table: RunningTable) -> int:
    """The most that a player-dealer pays for a round."""
    plan = table.tables.money.fees
    rows = plan.schedule.player_dealer if plan is not None else ()
    return max((row.fee for row in rows), default=0)


async def over_own_limit(
    accounts: Accounts,
    tables: Iterable[RunningTable],
    table: RunningTable,
    command: cm.Command,
    who: Account,
) -> Refusal | None:
    """What somebody has resolved not to exceed; the day is that of universal time.

    What lies on any of the `tables` may still be lost.
    """
    name = table.name_of(who.id, who.name)
    added = _added(table, command, name)
    follows = _follows(table, command)
    if not added and not follows:
        return None
    limits = await accounts.limits(who)
    loss, minutes = limits.loss, limits.minutes
    today = now()[:10]
    begins = isinstance(command, cm.PlaceWagers | cm.BackWagers | cm.TakeBank)
    if minutes is not None and begins:
        played = await accounts.store.read(records.minutes_since, who.id, today)
        if played >= minutes:
            return Refusal(
                f"you have played {played} minutes today, and your own limit is {minutes}"
            )
    if loss is None:
        return None
    if follows:
        return Refusal(
            "you have set yourself a limit of losses, and nobody knows beforehand how much goes "
            "along with somebody else's doubles and splits: back the hand without following it"
        )
    lost = -await accounts.store.read(records.net_since, who.id, today)
    left = loss - lost - sum(one.at_risk_of(who.id) for one in tables)
    if added <= left:
        return None
    return Refusal(
        f"your own limit of {format_cents(loss)} lost in a day leaves "
        f"{format_cents(max(0, left))}, and this takes {format_cents(added)}"
    )
