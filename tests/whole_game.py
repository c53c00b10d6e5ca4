"""A hand's values read off the solution of the whole game: slow, and obviously the same game."""

from collections.abc import Mapping, Sequence

from upcard import GameTables
from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.solve.base_game import BaseGame
from upcard.solve.play import NEVER
from upcard.solve.solution import Aim
from upcard.solve.split import Mode


def values(
    tables: GameTables,
    held: Sequence[int],
    up: int,
    aim: Aim,
    *,
    mode: Mode = "CDP",
    doubles: int = 0,
    removed: Sequence[int] = (),
    endless: bool = False,
    checked: bool = False,
) -> Mapping[Action, float]:
    """What every action of a hand is worth, before the check where that comes later.

    When the dealer has `checked`, bonus cards among the first two were kept.
    """
    game = BaseGame(tables, removed=removed, endless=endless)
    graph = game.graph
    node = 0
    for symbol in held:
        while graph.child[node, symbol] == NONE and graph.keep[node] != NONE:
            node = int(graph.keep[node])
        node = int(graph.child[node, symbol])
        if node < 0:
            return {}
    while checked and len(held) == 2 and game.trades_first and graph.keep[node] != NONE:
        node = int(graph.keep[node])
    found = game.solve_up(up, aim, mode)
    worth = found.worth[doubles, node]
    after = {action: float(worth[action]) for action in Action if worth[action] != NEVER}
    if checked or doubles or len(held) != 2:
        return after
    if game.trades_first and graph.keep[node] != NONE:
        early = {Action.KEEP: float(found.early[graph.keep[node]])}
        traded = int(graph.moved[Action.TRADE, node])
        if traded != NONE:
            early[Action.TRADE] = float(found.early[traded]) + aim.lights[0]
        return early
    state = int(graph.state[node])
    if not game.may(Phase.EARLY_SURRENDER, Action.SURRENDER, up)[state]:
        return after
    natural = float(found.natural[node])
    lost = float(game.pay(aim).first[0, game.settled_class[state], game.dealer.natural_class])
    early = {action: natural * lost + (1 - natural) * value for action, value in after.items()}
    folded = max(early.values()) + float(found.early_gain[node])
    return {**early, Action.SURRENDER: folded}
