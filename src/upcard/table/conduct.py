"""What whoever knows the order of a shoe could have done to bend it, counted and judged by chance.

A mistake of the deal (a card found face up, a card drawn in error, a position passed over) moves
every card after it. It is harmless only if nobody knew those cards. So each one is weighed: the
round is played to its end by the same simple policy once with the mistake and once without, and
what the house gained by it is the difference. Made blindly these differences cancel out; a house
that picks its moments cannot keep them from adding up. In the same way a shoe that was given up
after the players' last word is weighed against other shuffles of the same cards.
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
    "shoe with players' words given up undealt": "shoes with players' words given up undealt",
}
GIVEN_UP = "shoe with players' words given up undealt"
UNLIKELY = 1e-4
"""What happens by chance less often than this is not taken for chance."""
OTHER_SHUFFLES = 32
"""A shoe that was given up is compared with so many others."""
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

    `spread` is the variance of that, had it been done blindly.
    """

    kind: str
    gained: float
    spread: float


def conduct(tables: GameTables, log: Log) -> str:
    """Whether the house kept its hands off the shoe, in words."""
    opened = next((e for e in log.events if isinstance(e, ev.TableOpened)), None)
    if opened is None or not opened.scripted:
        for number, entry in enumerate(log.entries, 1):
            if (kind := MISTAKES.get(type(entry.command))) is not None:
                raise FailedError(
                    f"{place_of(number, entry)}: a {kind} at a table that is not scripted: "
                    "whoever knows the order can choose the cards with it"
                )
    return judged(list(levers(tables, log)))


def judged(found: Sequence[Lever]) -> str:
    """Levers against chance: a sentence, or a failure where chance does not explain them."""
    if not found:
        return "no mistake of the deal, and no shoe with a player's word was given up"
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
        if kind is not None and not before.shoe.stacked:
            rest = [later.command for later in log.entries[number:]]
            gained = weigher.house(after, rest) - weigher.house(before, rest)
            yield Lever(kind, gained, gained**2)
        given_up = isinstance(entry.command, cm.CloseTable) and not before.shoe.order
        if given_up and before.shoe.clients:
            yield weigher.given_up(before)
        state = after


class _Weigher:
    """Plays rounds to their end, always by the same policy."""

    def __init__(self, tables: GameTables, casino: Casino | None) -> None:
        self.engine = Engine(tables, casino)

    @cached_property
    def policy(self) -> EndlessPolicy:
        return EndlessPolicy(self.engine.look)

    def house(self, state: TableState, rest: Sequence[cm.Command | None]) -> int:
        """What the house, or the bank, wins in this round, or in the next if none is on.

        Of what was asked for later only that counts which comes before the cards.
        """
        won = 0
        for command in rest if not state.in_round else ():
            if command is None or type(command) in MISTAKES:
                continue
            outcome = self.engine.act(state, command)
            if not isinstance(outcome, Outcome) or outcome.state.shoe.stacked:
                return 0
            won += _house_wins(outcome.events)
            state = outcome.state
            if isinstance(command, cm.Deal):
                break
        while state.in_round and (question := self.engine.question(state)) is not None:
            bot = Bot(self.engine, question.player, wager=0, policy=self.policy)
            outcome = self.engine.act(state, bot.answer(state, question))
            assert isinstance(outcome, Outcome), "a bot answers what may be answered"
            won += _house_wins(outcome.events)
            state = outcome.state
        return won

    def given_up(self, state: TableState) -> Lever:
        """A shoe that was given up, against other shuffles: one box at the least wager."""
        seed = shoes.shoe_seed(state.secret, state.shoe.number)
        purposes = [shoes.FIRST_SHUFFLE, *(f"judge/{n}" for n in range(OTHER_SHUFFLES))]
        cards = self.engine.look.full_shoe
        orders = [shoes.shuffled(cards, seed, state.shoe.clients, p) for p in purposes]
        real, *others = map(self._first_round, orders)
        mean = sum(others) / len(others)
        spread = sum((other - mean) ** 2 for other in others) / (len(others) - 1)
        return Lever(GIVEN_UP, mean - real, spread * (1 + 1 / len(others)))

    def _first_round(self, order: tuple[str, ...]) -> int:
        burn = self.engine.look.plan.shoe.burn
        base = self.engine.look.money.wagers[BASE]
        least = min(base.amounts, default=0) or base.minimum or self.engine.look.money.unit
        commands: list[cm.Command] = [
            cm.OpenTable(table="judge", secret=shoes.secret_from("judge"), scripted=True),
            cm.StackShoe(cards=order[burn:]),
            cm.BuyIn(player="Bank", amount=PLENTY),
            cm.Sit(player="Bank", seat=1),
            cm.BuyIn(player="Player", amount=PLENTY),
            cm.Sit(player="Player", seat=2),
            cm.PlaceWagers(player="Player", position=2, wagers={BASE: least}),
            cm.Deal(),
        ]
        if "bank" in self.engine.look.steps:
            commands.insert(-2, cm.TakeBank(player="Bank", amount=PLENTY // 2))
        return self.house(NEW_TABLE, commands)


def _house_wins(events: Sequence[ev.Event]) -> int:
    return sum(e.collected - e.won for e in events if isinstance(e, ev.WagerSettled))
