"""The judge of commands: each gives the event it means, or a refusal with its reason.

The checks themselves stand in `people`, `wagering` and `decisions`, one function for each command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from upcard.compile.bets import WagerRefusedError, check_multiple
from upcard.compile.citations import Topic
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.clerk import Clerk
from upcard.table.state import TableState
from upcard.text import cited, listed, unseen

LONGEST_NAME = 60


class Refusal(NamedTuple):
    """Why a command changes nothing."""

    reason: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.reason + cited(self.clauses)


class RefusedError(UpcardError):
    """A refusal on its way out of nested checks."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


C = TypeVar("C", bound=cm.Asked)
Handler = Callable[["Judge", TableState, Any], ev.Event]
Handlers = dict[type[cm.Asked], Handler]


def on(
    handlers: Handlers, kind: type[C]
) -> Callable[[Callable[[Judge, TableState, C], ev.Event]], Handler]:
    """Register the check of a command."""

    def register(handler: Callable[[Judge, TableState, C], ev.Event]) -> Handler:
        handlers[kind] = handler
        return handler

    return register


class Judge:
    """Checks commands against the state and the game's plans.

    A `lenient` one allows what tables did before it was refused, to the shoe and in names.
    """

    def __init__(self, clerk: Clerk, *, lenient: bool = False) -> None:
        self.clerk = clerk
        self.lenient = lenient
        self.look = clerk.look
        self.money = clerk.look.money
        self.plan = clerk.look.plan
        self.cites = clerk.look.tables.cites

    def refuse(self, reason: str, *topics: Topic) -> RefusedError:
        found = (clause for topic in topics for clause in self.cites[topic])
        return RefusedError(Refusal(reason, tuple(dict.fromkeys(found))))

    def need(self, condition: object, reason: str, *topics: Topic) -> None:
        if not condition:
            raise self.refuse(reason, *topics)

    def need_player(self, state: TableState, name: str) -> None:
        player = state.player(name)
        self.need(player, f"{name} is not at this table: buy in first")
        self.need(player and not player.leaving, f"{name} is leaving")

    def need_pause(self, state: TableState, what: str) -> None:
        self.need(not state.in_round, f"{what} between rounds, not while cards are out")

    def need_chips(self, state: TableState, name: str, amount: int, what: str) -> None:
        chips = state.chips(name)
        self.need(
            chips >= amount,
            f"{name} has {format_cents(chips)}, and {what} takes {format_cents(amount)}",
        )

    def need_word(self, text: str, what: str) -> None:
        """A text that goes into the cards."""
        fits = 0 < len(text) <= shoes.LONGEST_CLIENT_SEED and text.isprintable()
        self.need(fits, f"{what} is 1 to {shoes.LONGEST_CLIENT_SEED} printable characters")

    def need_name(self, name: str, whose: str) -> None:
        fits = name.strip() and name == name.strip() and name.isprintable()
        self.need(
            fits and len(name) <= LONGEST_NAME,
            f"the name of {whose} is 1 to {LONGEST_NAME} printable characters, "
            "with no blank at either end",
        )
        if (nothing := unseen(name)) and not self.lenient:
            raise self.refuse(
                f"the name of {whose} has a character that shows as nothing "
                f"(U+{ord(nothing):04X}): it would look like another name"
            )

    def need_position(self, state: TableState, position: int) -> None:
        self.need(
            position in state.positions,
            f"there is no position {position}: the table has {listed(state.positions, 'and')}",
            "positions",
        )

    def need_amount(self, amount: int, what: str) -> None:
        with self.refusing():
            check_multiple(self.look.tables, what, amount)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Turn what the game does not take into a refusal of the command."""
        try:
            yield
        except WagerRefusedError as error:
            raise RefusedError(Refusal(error.reason, error.clauses)) from None
