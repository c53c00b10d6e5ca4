"""Further boxes, for games in which every player has so many of them."""

from __future__ import annotations

from collections.abc import Iterator

from conftest import compiled
from upcard.money import BASE
from upcard.table import commands as cm
from upcard.table.engine import Engine
from upcard.table.state import TableState


def further_boxes(engine: Engine, state: TableState) -> Iterator[cm.PlaceWagers]:
    """What players with one box have to place before the deal: the same base wager elsewhere."""
    needed = engine.look.plan.boxes
    if not needed or state.stage != "wagers":
        return
    own = [bet for bet in state.bets if not bet.backline]
    taken = {bet.position for bet in own} | {player.seat for player in state.players}
    free = [position for position in state.positions if position not in taken]
    for player in dict.fromkeys(bet.player for bet in own):
        mine = [bet for bet in own if bet.player == player]
        base = mine[0].wagers[BASE]
        for bet in mine[1:needed]:
            if bet.wagers[BASE] != base:
                yield cm.PlaceWagers(player=player, position=bet.position, wagers={BASE: base})
        for _ in range(min(needed - len(mine), len(free), state.chips(player) // base)):
            yield cm.PlaceWagers(player=player, position=free.pop(0), wagers={BASE: base})


def bots_at(game: str, wanted: int = 5) -> int:
    """So many bots, or as many as there is room for beside a person."""
    plan = compiled(game).round_plan
    return min(wanted, plan.positions // max(1, plan.boxes) - 1)
