"""Whatever `check` lets a deal be, every reader can deal, play and price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from msgspec import Meta, inspect

from bot_sessions import CHIPS, NAMES, do, play_round, seconds
from changed_games import changed_rules, problems
from upcard import GAME_IDS, GameTables, compile_game, load_game
from upcard.compile.bets import usual_bet
from upcard.envs.vector import RoundVectorEnv
from upcard.round.policy import MimicPlay, by_state
from upcard.round.setup import TableSetup
from upcard.rules.schema import DealRules
from upcard.simulate.job import Job
from upcard.solve.base_game import BaseGame
from upcard.solve.observers import card_wager
from upcard.solve.solution import Aim
from upcard.table import commands as cm
from upcard.table.bots import Bot
from upcard.table.session import Session
from upcard.table.shoe import secret_from

ROUNDS = 4


def values_of(key: str) -> Iterator[Any]:
    """Every value that the vocabulary has for a key of the deal."""
    hint = next(
        field.type for field in msgspec.structs.fields(DealRules) if field.encode_name == key
    )
    match inspect.type_info(hint):
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.Metadata(type=inspect.BoolType()):
            yield from (False, True)
        case _:
            bounds = next(note for note in get_args(hint) if isinstance(note, Meta))
            yield from (
                get_args(get_args(hint)[0])
                if bounds.ge is None
                else range(int(bounds.ge), int(bounds.le or 0) + 1)
            )


ROOM = {"table.positions": 3}
"""Few positions, so that a deal of many cards is not refused for want of cards alone."""


@pytest.mark.parametrize("key", [field.encode_name for field in msgspec.structs.fields(DealRules)])
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_deal_is_refused_or_everybody_can_play_it(game_id: str, key: str) -> None:
    for value in values_of(key):
        if value == getattr(load_game(game_id).game.deal, key):
            continue
        rules = changed_rules(game_id, {f"deal.{key}": value, **ROOM})
        if not problems(rules):
            plays(compile_game(rules))


@pytest.mark.parametrize(
    ("game_id", "key", "value"),
    [
        ("blackjack", "order", "by-position"),
        ("twisted-21", "order", "passes"),
        ("twisted-21", "community", 4),
        ("pure-spanish-21.5", "starts", "dealers-left"),
    ],
)
def test_some_other_deals_are_not_refused(game_id: str, key: str, value: Any) -> None:
    assert problems(changed_rules(game_id, {f"deal.{key}": value})) == []


def plays(tables: GameTables) -> None:
    live(tables)
    if not tables.round_plan.boxes:  # environments play one box
        batch(tables)
    simulated = TableSetup(tables, usual_bet(tables), seats=max(1, tables.round_plan.boxes))
    totals = Job(simulated, by_state(tables, MimicPlay(tables)), seed=1, short=True).play(0, 1, 100)
    assert totals.rounds == 100
    assert abs(BaseGame(tables).solve(Aim(bet=usual_bet(tables)), mode="CDZ-").ev) < 1
    for wager in tables.observers:
        assert card_wager(tables, wager).returns


def live(tables: GameTables) -> None:
    session = Session(tables, clock=seconds())
    do(session, cm.OpenTable(table="deal", secret=secret_from("deal")))
    bet = usual_bet(tables)
    names = NAMES[: tables.round_plan.positions // max(1, tables.round_plan.boxes)]
    bots = {name: Bot(session.engine, name, wager=bet, bank=CHIPS // 10) for name in names}
    for seat, name in enumerate(names, 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    while session.state.rounds < ROUNDS:
        play_round(session, bots)


def batch(tables: GameTables) -> None:
    env = RoundVectorEnv(tables, 4)
    _, info = env.reset(seed=1)
    for _ in range(20):
        mask = np.asarray(info["action_mask"])
        _, _, _, _, info = env.step(mask.argmax(axis=1))
