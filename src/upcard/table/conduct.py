"""What whoever knows the order of a shoe could have done to bend it, counted and judged by chance.

A mistake of the deal (a card found face up, a card drawn in error, a position passed over) moves
every card after it. It is harmless only if nobody knew those cards. So each one is weighed: the
round is played to its end by the same simple policy once with the mistake and once without, and
what the house gained by it is the difference. Made blindly these differences cancel out; a house
that picks its moments cannot keep them from adding up. In the same way a shoe that was given up
when the table closed is weighed: its next round against that of other shuffles of the same cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.bots import Bot, EndlessPolicy
from upcard.table.engine import IMPOSSIBLE, NEW_TABLE, Engine, Outcome
from upcard.table.lookup import BASE
from upcard.table.players_cards import Casino
from upcard.table.session import Entry, Log
from upcard.table.state import TableState
from upcard.text import counted, listed

MISTAKES: dict[type[object], str] = {
    cm.FindFaceUp: "card found face up",
    cm.DrawInError: "card drawn in error",
    cm.MissCards: "position passed over in the deal",
}
MANY = {
    "card found face up": "cards found face up",
    "card drawn in error": "cards drawn in error",
    "position passed over in the deal": "positions passed over in the deal",
    "shoe closed before its end": "shoes closed before their end",
}
GIVEN_UP = "shoe closed before its end"
UNLIKELY = 1e-4
"""What happens by chance less often than this is not taken for chance."""
OTHER_SHUFFLES = 32
"""A shoe that was given up is compared with so many other shuffles."""
PLENTY = 10**8
"""Chips of those who play a shoe that was given up, in cents."""


class FailedError(Exception):
    """The first difference."""


def place_of(number: int, entry: Entry) -> str:
    """An entry in words."""
    name = type(entry.command).__name__ if entry.command is not None else "after a cut"
    who = getattr(entry.command, "player", "")
    return f"entry {number} ({name}{f' by {who}' if who else ''})"


def stand_in(log: Log) -> Casino | None:
    """A casino of the right name, for a record whose key we do not have."""
    for event in log.events:
        if isinstance(event, ev.TableOpened) and event.casino:
            return Casino(event.casino, None)
    return None


class Lever(NamedTuple):
    """Something that could have been done by looking. `gained` is what the house gained, in cents.

    `spread` is the variance of that, had it been done blindly. Both are 0 at a stacked shoe, where
    there is nothing to weigh.
    """

    kind: str
    gained: float = 0.0
    spread: float = 0.0


def is_scripted(log: Log) -> bool:
    return any(isinstance(e, ev.TableOpened) and e.scripted for e in log.events)


def conduct(tables: GameTables, log: Log) -> str:
    """Whether the house kept its hands off the shoe, in words."""
    if not is_scripted(log):
        for number, entry in enumerate(log.entries, 1):
            if (kind := MISTAKES.get(type(entry.command))) is not None:
                raise FailedError(
                    f"{place_of(number, entry)}: a {kind} at a table that is not scripted: "
                    "whoever knows the order can choose the cards with it"
                )
    found = judged(list(levers(tables, log)))
    return f"a scripted table, where shoes may be stacked: {found}" if is_scripted(log) else found


def judged(found: Sequence[Lever]) -> str:
    """Levers against chance: a sentence, or a failure where chance does not explain them."""
    if not found:
        return "no mistake of the deal, and no shoe was closed before its end"
    kinds = Counter(lever.kind for lever in found)
    names = listed((counted(number, kind, MANY[kind]) for kind, number in kinds.items()), "and")
    gained = sum(lever.gained for lever in found)
    spread = sum(lever.spread for lever in found)
    z = gained / math.sqrt(spread) if spread else 0.0
    worth = f"worth {format_cents(round(gained))} to the house (z {z:+.1f})"
    if z > 0 and math.exp(-z * z / 2) < UNLIKELY:
        often = f"once in {math.exp(min(z * z / 2, 40)):,.0f} times or less"
        raise FailedError(f"{names}: {worth}; made blindly that would happen {often}")
    return f"{names}: {worth}; chance explains it"


def levers(tables: GameTables, log: Log) -> Iterator[Lever]:
    """All that could have been done by looking, each weighed."""
    weigher = _Weigher(tables, stand_in(log))
    state = NEW_TABLE
    for number, entry in enumerate(log.entries, 1):
        try:
            before, after = state, weigher.engine.fold(entry.events, state)
        except IMPOSSIBLE as error:
            raise FailedError(f"{place_of(number, entry)}: cannot happen there: {error}") from error
        kind = MISTAKES.get(type(entry.command))
        try:
            if kind is not None and before.shoe.stacked:
                yield Lever(kind)
            elif kind is not None:
                rest = [later.command for later in log.entries[number:]]
                gained = weigher.house(after, rest) - weigher.house(before, rest)
                yield Lever(kind, gained, gained**2)
            elif isinstance(entry.command, cm.CloseTable):
                yield from weigher.given_up(before)
        except IMPOSSIBLE as error:
            raise FailedError(f"{place_of(number, entry)}: cannot be weighed: {error}") from error
        state = after


class _Weigher:
    """Plays rounds to their end, always by the same policy."""

    def __init__(self, tables: GameTables, casino: Casino | None) -> None:
        self.engine = Engine(tables, casino)

    @cached_property
    def policy(self) -> EndlessPolicy:
        return EndlessPolicy(self.engine.look)

    def house(
        self, state: TableState, rest: Sequence[cm.Command | None], *, stacked: bool = False
    ) -> int:
        """What the house, or the bank, wins in this round, or in the next if none is on.

        Of what was asked for later only that counts which comes before the cards. A shoe that is
        stacked there tells nothing, unless it is meant to be.
        """
        won = 0
        for command in rest if not state.in_round else ():
            if command is None or type(command) in MISTAKES:
                continue
            outcome = self.engine.act(state, command)
            if not isinstance(outcome, Outcome) or (outcome.state.shoe.stacked and not stacked):
                return 0
            won += _house_wins(outcome.events)
            state = outcome.state
            if isinstance(command, cm.Deal):
                break
        while state.in_round and (question := self.engine.question(state)) is not None:
            bot = Bot(self.engine, question.player, wager=0, policy=self.policy)
            outcome = self.engine.act(state, bot.answer(state, question))
            if not isinstance(outcome, Outcome):  # a stacked shoe has run out
                return 0
            won += _house_wins(outcome.events)
            state = outcome.state
        return won

    def given_up(self, state: TableState) -> Iterator[Lever]:
        """A shoe that the table closed on: its next round against other shuffles of its cards.

        Before the shuffle only a word makes it a lever: without one there was no other order.
        """
        shoe = state.shoe
        if shoe.stacked or shoe.cut_reached or not (shoe.order or shoe.clients):
            return
        seed = shoes.shoe_seed(state.secret, shoe.number)
        cards: tuple[str, ...] = shoe.order[shoe.dealt :]
        if not shoe.order:
            whole = shoes.shuffled(self.engine.look.full_shoe, seed, shoe.clients)
            cards = whole[self.engine.look.plan.shoe.burn :]
        others = [shoes.shuffled(cards, seed, (), f"judge/{n}") for n in range(OTHER_SHUFFLES)]
        real, *blind = (self._next_round(order) for order in (cards, *others))
        mean = sum(blind) / len(blind)
        spread = sum((one - mean) ** 2 for one in blind) / (len(blind) - 1)
        yield Lever(GIVEN_UP, mean - real, spread * (1 + 1 / len(blind)))

    def _next_round(self, order: tuple[str, ...]) -> int:
        """One box at the least wager."""
        base = self.engine.look.money.wagers[BASE]
        least = min(base.amounts, default=0) or base.minimum or self.engine.look.money.unit
        commands: list[cm.Command] = [
            cm.OpenTable(table="judge", secret=shoes.secret_from("judge"), scripted=True),
            cm.StackShoe(cards=order),
            cm.BuyIn(player="Bank", amount=PLENTY),
            cm.Sit(player="Bank", seat=1),
            cm.BuyIn(player="Player", amount=PLENTY),
            cm.Sit(player="Player", seat=2),
            cm.PlaceWagers(player="Player", position=2, wagers={BASE: least}),
            cm.Deal(),
        ]
        if "bank" in self.engine.look.steps:
            commands.insert(-2, cm.TakeBank(player="Bank", amount=PLENTY // 2))
        return self.house(NEW_TABLE, commands, stacked=True)


def _house_wins(events: Sequence[ev.Event]) -> int:
    return sum(e.collected - e.won for e in events if isinstance(e, ev.WagerSettled))
