"""Which contexts a game has, and where the actions' rows lead in them."""

from __future__ import annotations

import numpy as np

from upcard.compile.action_rows import ActionRows, Then
from upcard.compile.arrays import frozen
from upcard.compile.context import (
    ENDED,
    SPLIT_ORIGINS,
    Action,
    Context,
    ContextAutomaton,
    Origin,
    Phase,
)
from upcard.compile.exchanges import exchanges
from upcard.compile.phases import surrenders_before_the_check
from upcard.rules.schema import GameRules


def build_contexts(game: GameRules, rows: ActionRows) -> ContextAutomaton:
    most_doubles = game.double.times if game.double.on != "none" else 0
    most_hands = game.split.max_hands if game.split.on != "none" else 1
    phases = [Phase.TURNS]
    if exchanges(game):
        phases.insert(0, Phase.EXCHANGE)
    if surrenders_before_the_check(game):
        phases.insert(0, Phase.EARLY_SURRENDER)
    if game.insurance.offered:
        phases.insert(0, Phase.INSURANCE)
    contexts = [Context(phase, Origin.INITIAL, 1, 0) for phase in phases]
    doubled = [(doubles, 0) for doubles in range(most_doubles + 1)]
    if game.double.free_on:
        doubled.append((0, 1))
    contexts += [Context(Phase.TURNS, Origin.INITIAL, 1, *doubles) for doubles in doubled[1:]]
    contexts += [
        Context(Phase.TURNS, origin, hands, *doubles, marker)
        for marker in ((False, True) if game.split.free else (False,))
        for origin in SPLIT_ORIGINS
        for hands in range(2, most_hands + 1)
        for doubles in doubled
    ]
    numbers = {context: number for number, context in enumerate(contexts)}
    moves = np.full((len(contexts), len(Action)), ENDED, dtype=np.int16)
    splits = np.full((len(contexts), 2), ENDED, dtype=np.int16)
    for number, context in enumerate(contexts):
        later = phases[phases.index(context.phase) + 1 :]
        leads = {
            Then.SAME: context,
            Then.DOUBLED: context._replace(doubles=context.doubles + 1),
            Then.FREE_DOUBLED: context._replace(free_doubles=context.free_doubles + 1),
        }
        if later:
            leads[Then.LATER] = context._replace(phase=later[0])
        for action, row in rows.items():
            fits = context.is_turn != (row.then is Then.LATER)
            if row.then in (Then.DOUBLED, Then.FREE_DOUBLED):
                fits &= row.again == (context.doubles > 0) and not context.free_doubles
            if fits and row.then in leads:
                moves[number, action] = numbers.get(leads[row.then], ENDED)
        if context.is_turn:
            for aces, origin in enumerate(SPLIT_ORIGINS):
                after = context._replace(origin=origin, hands=context.hands + 1)
                splits[number, aces] = numbers.get(after, ENDED)
    return ContextAutomaton(tuple(contexts), frozen(moves), frozen(splits))
