"""What whoever knows the order of a shoe could have done to bend it, counted and judged by chance.

A mistake of the deal (a card found face up, a card drawn in error, a position passed over) moves
every card after it. It is harmless only if nobody knew those cards. So each one is weighed: the
round is played to its end by the same strategy once with the mistake and once without, and what the
house gained by it is the difference. Made blindly these differences cancel out; a house that picks
its moments cannot keep them from adding up, the less so the better the strategy is. In the same way
a shoe that was given up when the table closed is weighed: its next round against that of other
shuffles of the same cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from upcard.compile.bets import usual_bet
from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.bots import Bot, DealersStrategy, StrategyOf
from upcard.table.engine import IMPOSSIBLE, NEW_TABLE, Engine, Outcome
from upcard.table.plain_tables import BASE
from upcard.table.players_cards import Casino
from upcard.table.session import Entry, Log
from upcard.table.state import Bet, TableState
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

    `score` is by what it is judged: done blindly it is as often below nothing as above, and the sum
    of many exceeds z times the root of the sum of their `spread` at most once in exp(z**2 / 2)
    times. All are 0 at a stacked shoe, where there is nothing to weigh.
    """

    kind: str
    gained: float = 0.0
    score: float = 0.0
    spread: float = 0.0


def is_scripted(log: Log) -> bool:
    return any(isinstance(e, ev.TableOpened) and e.scripted for e in log.events)


def conduct(tables: GameTables, log: Log, plays: StrategyOf = DealersStrategy) -> str:
    """Whether the house kept its hands off the shoe, in words; rounds are weighed by `plays`."""
    if not is_scripted(log):
        for number, entry in enumerate(log.entries, 1):
            if (kind := MISTAKES.get(type(entry.command))) is not None:
                raise FailedError(
                    f"{place_of(number, entry)}: a {kind} at a table that is not scripted: "
                    "whoever knows the order can choose the cards with it"
                )
    found = judged(list(levers(tables, log, plays)))
    return f"a scripted table, where shoes may be stacked: {found}" if is_scripted(log) else found


def judged(found: Sequence[Lever]) -> str:
    """Levers against chance: a sentence, or a failure where chance does not explain them."""
    if not found:
        return "no mistake of the deal, and no shoe was closed before its end"
    kinds = Counter(lever.kind for lever in found)
    names = listed((counted(number, kind, MANY[kind]) for kind, number in kinds.items()), "and")
    gained = sum(lever.gained for lever in found)
    spread = sum(lever.spread for lever in found)
    z = sum(lever.score for lever in found) / math.sqrt(spread) if spread else 0.0
    worth = f"worth {format_cents(round(gained))} to the house (z {z:+.1f})"
    if z > 0 and math.exp(-z * z / 2) < UNLIKELY:
        often = f"once in {math.exp(min(z * z / 2, 40)):,.0f} times or less"
        raise FailedError(f"{names}: {worth}; made blindly that would happen {often}")
    return f"{names}: {worth}; chance explains it"


def levers(tables: GameTables, log: Log, plays: StrategyOf = DealersStrategy) -> Iterator[Lever]:
    """All that could have been done by looking, each weighed."""
    weigher = _Weigher(tables, stand_in(log), plays)
    state = NEW_TABLE
    bet = ((BASE, usual_bet(tables)),)
    layout: tuple[Bet, ...] = ()
    for number, entry in enumerate(log.entries, 1):
        try:
            before, after = state, weigher.engine.fold(entry.events, state)
        except IMPOSSIBLE as error:
            raise FailedError(f"{place_of(number, entry)}: cannot happen there: {error}") from error
        if isinstance(entry.command, cm.Deal):
            layout = before.bets
        elif not after.rounds:
            spoke = (p for p in after.players if p.seat and p.name in after.shoe.mixers)
            layout = max(layout, tuple(Bet(p.seat, p.name, bet) for p in spoke), key=len)
        kind = MISTAKES.get(type(entry.command))
        try:
            if kind is not None and before.shoe.stacked:
                yield Lever(kind)
            elif kind is not None:
                rest = [later.command for later in log.entries[number:]]
                gained = weigher.house(after, rest) - weigher.house(before, rest)
                yield Lever(kind, gained, gained, gained**2)
            elif isinstance(entry.command, cm.CloseTable):
                yield from weigher.given_up(before, layout)
        except IMPOSSIBLE as error:
            raise FailedError(f"{place_of(number, entry)}: cannot be weighed: {error}") from error
        state = after


class _Weigher:
    """Plays rounds to their end, always by the same strategy."""

    def __init__(self, tables: GameTables, casino: Casino | None, plays: StrategyOf) -> None:
        self.engine = Engine(tables, casino)
        self.strategy = plays(tables)

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
            bot = Bot(self.engine, question.player, wager=0, strategy=self.strategy)
            outcome = self.engine.act(state, bot.answer(state, question))
            if not isinstance(outcome, Outcome):  # a stacked shoe has run out
                return 0
            won += _house_wins(outcome.events)
            state = outcome.state
        return won

    def given_up(self, state: TableState, layout: tuple[Bet, ...]) -> Iterator[Lever]:
        """A shoe that the table closed on: its next round against other shuffles of its cards.

        It is played with the wagers of the last round; before the first, with one for everybody
        who gave a word. Before the shuffle only a word makes it a lever: without one there was no
        other order.
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
        real, *blind = (self._next_round(order, state, layout) for order in (cards, *others))
        yield ranked(real, blind)

    def _next_round(
        self, order: tuple[str, ...], state: TableState, layout: tuple[Bet, ...]
    ) -> int:
        """What the house wins from the boxes of a layout; whose they were they are here too."""
        boxes = {bet.position: bet for bet in sorted(layout, key=_leans) if not bet.backline}
        commands: list[cm.Command] = [
            cm.OpenTable(
                table="judge",
                secret=shoes.secret_from("judge"),
                positions=state.positions,
                scripted=True,
            ),
            cm.StackShoe(cards=order),
        ]
        free = [place for place in state.positions if place not in boxes]
        if not self.engine.look.money.house_banks:
            seat = free.pop() if free else max(boxes)
            boxes.pop(seat, None)
            commands += [*_sits("Bank", seat), cm.TakeBank(player="Bank", amount=PLENTY // 2)]
        names: dict[str, str] = {}
        for position, bet in boxes.items():
            if bet.player not in names:
                names[bet.player] = f"Player {position}"
                commands += _sits(names[bet.player], position)
            name = names[bet.player]
            commands.append(cm.PlaceWagers(player=name, position=position, wagers=bet.wagers))
        commands += self._further_boxes(boxes, names, free)
        return self.house(NEW_TABLE, [*commands, cm.Deal()], stacked=True)

    def _further_boxes(
        self, boxes: Mapping[int, Bet], names: Mapping[str, str], free: Sequence[int]
    ) -> Iterator[cm.PlaceWagers]:
        """Where every player has so many boxes, those that are missing, wagered alike."""
        places = iter(free)
        for player, name in names.items():
            own = [bet for bet in boxes.values() if bet.player == player]
            missing = range(self.engine.look.plan.boxes - len(own))
            for _, place in zip(missing, places, strict=False):
                yield cm.PlaceWagers(player=name, position=place, wagers=own[0].wagers)


def ranked(real: float, blind: Sequence[float]) -> Lever:
    """A round that was not played, by its rank among those of other shuffles.

    Their mean and deviation would not do: a bonus wager is won so seldom that the others may not
    hold a win, and then a single one is beyond all chance. Closed blindly, all ranks are as likely,
    whatever the values; a rank is from -1, the best for the house, to 1. It counts by how far the
    values differ, the real one among them, which tells nothing of its rank.
    """
    values = (real, *blind)
    count = len(values)
    rank = sum((one > real) - (one < real) for one in blind) / len(blind)
    mean = sum(values) / count
    weight = math.sqrt(sum((one - mean) ** 2 for one in values) / count)
    evenly = (count + 1) / (3 * (count - 1))
    gained = sum(blind) / len(blind) - real
    return Lever(GIVEN_UP, gained, weight * rank, weight**2 * evenly)


def _leans(bet: Bet) -> int:
    """How far the bonus wagers of a box need the base wagers of others; those come first."""
    return bet.total - 2 * bet.wagers[BASE]


def _sits(name: str, seat: int) -> list[cm.Command]:
    return [cm.BuyIn(player=name, amount=PLENTY), cm.Sit(player=name, seat=seat)]


def _house_wins(events: Sequence[ev.Event]) -> int:
    return sum(e.collected - e.won for e in events if isinstance(e, ev.WagerSettled))
