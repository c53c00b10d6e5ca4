"""Who sits at the table: the person, the bots and what they wager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.errors import UpcardError
from upcard.players.ranked import SolvedWhenNeeded
from upcard.table import commands as cm
from upcard.table.bots import Bot
from upcard.table.plain_tables import BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from upcard.compile.plan import MoneyPlan, WagerPlan
    from upcard.compile.tables import GameTables
    from upcard.table.engine import Engine
    from upcard.table.events import Kind
    from upcard.table.state import TableState

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
BANKER = "Prop"
"""A bot that always takes the bank, so that every round finds a player-dealer."""
BUY_IN = 100
"""Wagers of the least size in a buy-in."""
BANK = 50
"""Wagers of the least size in a bank."""


def least(plan: WagerPlan, money: MoneyPlan) -> int:
    """The least amount of a wager."""
    return min(plan.amounts, default=0) or plan.minimum or money.unit


def usual_chips(tables: GameTables) -> int:
    return BUY_IN * least(tables.money.wagers[BASE], tables.money)


def player_banks(tables: GameTables) -> bool:
    return not tables.money.house_banks


def seats_for(tables: GameTables, me: str, seat: int, bots: int) -> dict[int, str]:
    """Seats with the bots' names; the person's own seat is not among them.

    In a game that players bank, one of them is the banker.
    """
    count = tables.round_plan.positions
    if not 1 <= seat <= count:
        raise UpcardError(f"there is no seat {seat}: the table has seats 1 to {count}")
    most = count // max(1, tables.round_plan.boxes) - 1
    if not 0 <= bots <= most:
        raise UpcardError(f"there is room for 0 to {most} bots at this table, not {bots}")
    if player_banks(tables) and not bots:
        raise UpcardError("players bank this game, so it needs at least one bot: use --bots 1")
    free = sorted((s for s in range(1, count + 1) if s != seat), key=lambda s: (abs(s - seat), s))
    taken = sorted(free[:bots])
    names = [name for name in NAMES if name != me]
    if player_banks(tables):
        names.insert(bots - 1, BANKER if me != BANKER else "House prop")
    return dict(zip(taken, names, strict=False))


def usual_seat(tables: GameTables) -> int:
    return (tables.round_plan.positions + 1) // 2


def opening(
    tables: GameTables, me: str, seat: int, chips: int, bots: dict[int, str]
) -> Iterator[cm.Command]:
    """Everybody buys in and sits down, the person first."""
    yield cm.BuyIn(player=me, amount=chips)
    yield cm.Sit(player=me, seat=seat)
    yield from company_sits(tables, bots)


def company_sits(tables: GameTables, bots: dict[int, str]) -> Iterator[cm.Command]:
    """The bots buy in and sit down."""
    proposition = tables.money.proposition_players
    for place, name in bots.items():
        is_banker = player_banks(tables) and name == list(bots.values())[-1]
        kind: Kind = "proposition" if is_banker and proposition else "player"
        amount = usual_chips(tables) * (10 if is_banker else 2)
        yield cm.BuyIn(player=name, amount=amount, kind=kind)
        yield cm.Sit(player=name, seat=place)


class Company:
    """The bots of a table, by their names; where players bank, the last of them is the banker."""

    def __init__(
        self, engine: Engine, names: Iterable[str], tell: Callable[[str], None] | None = None
    ) -> None:
        self.engine = engine
        bots = tuple(names)
        self.banker = bots[-1] if player_banks(engine.tables) and bots else ""
        strategy = SolvedWhenNeeded(engine.tables, tell)
        self.bots = {
            name: Bot(
                engine,
                name,
                wager=self._wager(number),
                bank=self._bank() if name == self.banker else 0,
                strategy=strategy,
            )
            for number, name in enumerate(bots)
        }

    def _wager(self, number: int) -> int:
        """Bots wager differently, each always the same."""
        plan, money = self.engine.tables.money.wagers[BASE], self.engine.tables.money
        if plan.amounts:
            return plan.amounts[number % len(plan.amounts)]
        wanted = least(plan, money) * (2, 5, 1, 3, 4, 2, 1, 3)[number % 8]
        return min(wanted, plan.maximum) if plan.maximum else wanted

    def _bank(self) -> int:
        money = self.engine.tables.money
        return BANK * least(money.wagers[BASE], money)

    def buy_ins(self, state: TableState) -> Iterator[cm.BuyIn]:
        """A bot that is short of chips buys more."""
        for name, bot in self.bots.items():
            need = max(8 * bot.wager, 3 * bot.bank)
            player = state.player(name)
            if player is not None and state.chips(name) < need:
                amount = usual_chips(self.engine.tables) * (10 if bot.bank else 2)
                yield cm.BuyIn(player=name, amount=amount, kind=player.kind)

    def wagers(self, state: TableState) -> Iterator[cm.Command]:
        """What the bots place before the deal."""
        boxes = max(1, self.engine.look.plan.boxes)
        taken = {player.seat for player in state.players} | {bet.position for bet in state.bets}
        for player in state.players:
            bot = self.bots.get(player.name)
            placed = sum(bet.player == player.name for bet in state.bets)
            if bot is None or not player.seat or placed >= boxes:
                continue
            free = sorted(set(state.positions) - taken, key=lambda p: (abs(p - player.seat), p))
            places = [player.seat, *free[: boxes - 1]][placed:boxes]
            if placed + len(places) < boxes:
                continue  # there is no room for all of its boxes
            taken |= set(places)
            for position in places:
                command = bot.open_round(state, position)
                if command is not None:
                    yield command
