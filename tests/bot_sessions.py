"""Sessions that bots play, for tests of records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count

from boxes import further_boxes
from conftest import compiled
from upcard.players import basic_strategy
from upcard.table import commands as cm
from upcard.table.bots import Bot
from upcard.table.engine import Outcome
from upcard.table.plain_tables import BASE
from upcard.table.session import Clock, Log, Session
from upcard.table.shoe import secret_from

NAMES = ("Ann", "Bo", "Cy")
CHIPS = 1_000_000


def seconds() -> Clock:
    """A clock that goes on by a second whenever it is looked at."""
    ticks = count()
    return lambda: datetime(2026, 1, 31, 20, tzinfo=UTC) + timedelta(seconds=next(ticks))


def do(session: Session, command: cm.Command) -> None:
    """Carry out a command that must be accepted."""
    outcome = session.do(command)
    assert isinstance(outcome, Outcome), f"{command}: {outcome}"


@cache
def bot_log(game: str, rounds: int = 3, *, closed: bool = True) -> Log:
    """The record of some rounds of three bots, always the same for a game."""
    session = Session(compiled(game), clock=seconds())
    do(session, cm.OpenTable(table=f"bots {game}", secret=secret_from(game)))
    base = session.engine.look.money.wagers[BASE]
    wager = min(base.amounts, default=base.minimum)
    strategy = basic_strategy(session.engine.tables)
    bots = {
        name: Bot(session.engine, name, wager=wager, bank=CHIPS // 10, strategy=strategy)
        for name in NAMES
    }
    for seat, name in enumerate(NAMES, 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    do(session, cm.MixSeed(player="Bo", seed='a "word" of Bo\'s, \\ and ü'))
    while session.state.rounds < rounds:
        play_round(session, bots)
    if closed:
        for name in NAMES:
            do(session, cm.Leave(player=name))
        do(session, cm.CloseTable())
    return session.log()


def play_round(
    session: Session,
    bots: dict[str, Bot],
    before_the_deal: Callable[[Session], None] = lambda _: None,
) -> None:
    while (offer := session.state.offer) is not None and offer.player:
        do(session, bots[offer.player].take_bank(session.state))
    for seat, bot in enumerate(bots.values(), 1):
        command = bot.open_round(session.state, seat)
        if command is not None:
            do(session, command)
    before_the_deal(session)
    for further in further_boxes(session.engine, session.state):
        do(session, further)
    do(session, cm.Deal())
    while question := session.question:
        do(session, bots[question.player].answer(session.state, question))
