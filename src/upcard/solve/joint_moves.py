"""Play of two boxes that exchange cards, as the array machine wants it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.round.kernel_types import Bytes, Words
from upcard.round.policy import Moves, exchange_play
from upcard.solve.moves import PackedPlays, basic_moves
from upcard.solve.solution import Bools
from upcard.solve.two_boxes import TwoBoxes


def basic_joint_moves(game: TwoBoxes, name: str) -> Moves:
    """Basic play of both boxes with the best exchange for it."""
    moves = basic_moves(game.alone, game.basic, name)
    actions = _answers(game.with_basic.switches)
    return replace(moves, exchange=exchange_play(game.tables, actions))


def can_be_simulated(game: TwoBoxes) -> bool:
    """Whether the best play can be played out: every box has the same hands, whatever is gone."""
    return all(game.is_like_alone(box.gone) for box in game.best_boxes if box is not None)


def solved_joint_moves(game: TwoBoxes, name: str) -> Moves:
    """The best play of both boxes: a play for every two cards that the other box may hold."""
    if not can_be_simulated(game):
        raise UpcardError(
            f"the best play of {game.tables.name} is played out only with shoes of which no hand "
            "can hold all cards of a rank: take more decks, or basic play"
        )
    plays = PackedPlays(game.alone)
    player: Words = np.zeros(game.number.shape, dtype=np.uint64)
    for number, box in enumerate(game.best_boxes):
        if box is not None:
            player[game.number == number] = plays.add(box.solution)
    exchange = exchange_play(game.tables, _answers(game.optimal.switches), player)
    return replace(plays.moves(name), exchange=exchange)


def _answers(switches: Bools) -> Bytes:
    return np.where(switches, Action.SWITCH, Action.DECLINE).astype(np.int8)
