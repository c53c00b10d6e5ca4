"""Why an action is possible or not: the rule behind it, with its clauses."""

from __future__ import annotations

from upcard.compile.context import Action, meant
from upcard.errors import UpcardError
from upcard.service.messages import Reason
from upcard.service.running import RunningTable
from upcard.table import commands as cm
from upcard.table.bots import spot_of


def reason(table: RunningTable, name: str, text: str, id_: str = "") -> Reason:
    """Why somebody may take an action now, or may not."""
    try:
        action = Action.parse(text)
    except UpcardError as error:
        return Reason(id_, text[:40], False, str(error))
    state, engine = table.state, table.engine
    question = engine.question(state) if state.in_round else None
    position = question.position if question is not None else 0
    action = action if question is None else meant(action, question.actions)
    command = cm.parse_decision(action.text, player=name, position=position)
    if question is None or question.player != name or action in question.actions:
        # Nothing is played here, not even to be forgotten: the time for it would tell the cards.
        refusal = engine.refusal(state, command)
        if refusal is not None:
            return Reason(id_, action.text, False, refusal.reason, refusal.clauses)
    assert question is not None
    spot = spot_of(engine, state, question)
    why = engine.tables.legal.why(spot.state, spot.context, spot.up, action)
    return Reason(id_, action.text, action in question.actions, why.words, why.clauses)
