"""Sessions in which shoes run out in the middle of rounds, for checks of the discards."""

from __future__ import annotations

from functools import cache

from bot_sessions import CHIPS, do, play_round, seconds
from conftest import compiled
from upcard.compile.context import Action
from upcard.table import commands as cm
from upcard.table.bots import Bot
from upcard.table.clerk import Question
from upcard.table.plain_tables import BASE
from upcard.table.session import Log, Session
from upcard.table.shoe import secret_from
from upcard.table.state import TableState

SETTINGS: dict[str, dict[str, object]] = {
    "blackjack": {"decks": 1, "penetration": 1.0, "resplit_aces": True},
    "ten-sticks-21": {"decks": 1, "penetration": 1.0, "natural": "6:5"},
    "pure-spanish-21.5": {"decks": 4, "penetration": 1.0},
    "games-of-chance-blackjack": {"decks": 1, "penetration": 1.0},
    "twisted-21": {},
    "blackjack-tie": {"decks": 1, "penetration": 1.0},
    "european-blackjack": {"decks": 1, "penetration": 1.0},
    "vegas-strip": {"penetration": 1.0},
    "single-deck-6-5": {"penetration": 1.0},
    "down-under": {"decks": 4, "penetration": 1.0},
    "double-exposure": {"decks": 1, "penetration": 1.0},
    "spanish-21": {"decks": 1, "penetration": 1.0, "redouble": True},
    "super-fun-21": {"penetration": 1.0},
    "pontoon": {"decks": 1, "penetration": 1.0},
    "free-bet": {"decks": 1, "penetration": 1.0},
    "zappit": {"decks": 1, "penetration": 1.0},
    "blackjack-switch": {"decks": 1, "penetration": 1.0},
}
BACKER = "Backer"
WORDS = ("seven magpies", "é", "e\u0301", 'a "word", \\ and ü', " blanks ", "ﬁ")
"""Texts that a careless reader would trim, fold or normalise."""


def greedy(state: TableState, question: Question) -> Action:
    """Whatever takes the most cards, so that shoes run out; trades and splits above all."""
    del state
    splits = (Action.SPLIT, Action.FREE_SPLIT)
    wanted = (
        Action.TRADE,
        Action.REPLACE,
        *splits,
        Action.HIT,
        Action.DECLINE,
        Action.KEEP,
        Action.STAND,
    )
    return next(action for action in wanted if action in question.actions)


def back(session: Session) -> None:
    """Somebody without a seat backs the boxes, and follows a split at every second one."""
    money = session.engine.look.money
    if session.state.player(BACKER) is None:
        return
    for bet in session.state.bets:
        follows = money.backline == "must-match" or bet.position % 2 == 0
        wagers = {BASE: money.wagers[BASE].minimum}
        command = cm.BackWagers(
            player=BACKER, position=bet.position, wagers=wagers, follows=follows
        )
        do(session, command)


@cache
def exhausting_log(game: str, rounds: int = 12) -> Log:
    """Bots on all seats who take cards as long as they may, always the same for a game."""
    session = Session(compiled(game, **SETTINGS[game]), clock=seconds())
    do(session, cm.OpenTable(table="exhausting", secret=secret_from(f"run out {game}")))
    engine = session.engine
    base = engine.look.money.wagers[BASE]
    wager = min(base.amounts, default=base.minimum)
    seats = engine.look.plan.positions // max(1, engine.look.plan.boxes)
    names = [f"P{number}" for number in range(1, seats + 1)]
    bots = {
        name: Bot(engine, name, wager=wager, bank=CHIPS // 10, chooser=greedy) for name in names
    }
    for seat, name in enumerate(names, 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    if engine.look.money.backline != "none":
        do(session, cm.BuyIn(player=BACKER, amount=CHIPS))
    while session.state.rounds < rounds:
        if session.state.shoe.number and not session.state.shoe.order:
            for name, word in zip(names, WORDS[session.state.rounds % 3 :], strict=False):
                do(session, cm.MixSeed(player=name, seed=word))
        play_round(session, bots, before_the_deal=back)
    for name in (player.name for player in session.state.players):
        do(session, cm.Leave(player=name))
    do(session, cm.CloseTable())
    return session.log()
