"""The round's phases and the first deal, as the compiler gives them to all readers."""

from __future__ import annotations

from typing import get_args

import pytest

from upcard import tables_for
from upcard.compile.context import Action, Phase
from upcard.compile.deal import Receiver, Seen
from upcard.compile.hands import NONE
from upcard.rules.index import StepKind
from upcard.rules.registry import GAME_IDS


def test_phases_are_the_procedures_that_clauses_name() -> None:
    assert tuple(Phase) == get_args(StepKind)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_step_says_what_follows(game_id: str) -> None:
    plan = tables_for(game_id).round_plan
    walked = [plan.steps[0].kind]
    while (follows := plan.step(walked[-1]).follows) is not None:
        walked.append(follows)
    assert tuple(walked) == plan.kinds


def test_offers_before_the_check_are_asked_once_and_in_a_context_of_their_own() -> None:
    tables = tables_for("blackjack", {"surrender": "early"})
    contexts = tables.contexts.contexts
    for phase, action in (
        (Phase.INSURANCE, Action.INSURE),
        (Phase.EARLY_SURRENDER, Action.SURRENDER),
    ):
        step = tables.round_plan.step(phase)
        assert step.once
        assert step.offers == (action,)
        assert contexts[step.context_of(tables.contexts.index())].phase == phase
    turns = tables.round_plan.step(Phase.TURNS)
    assert turns.context == NONE
    assert turns.context_of(3) == 3


def test_a_natural_ends_the_turns_and_only_money_moves_in_a_void_round() -> None:
    steps = tables_for("pure-spanish-21.5").round_plan.steps
    assert [step.kind for step in steps if step.natural_ends] == [Phase.TURNS]
    assert [step.kind for step in steps if step.in_void] == [Phase.SETTLE, Phase.ROTATE]


def test_one_card_at_a_time_skips_positions_without_a_wager() -> None:
    slots = tables_for("blackjack").round_plan.slots([True, False, True])
    to_boxes = [slot.place for slot in slots if slot.to is Receiver.POSITION]
    assert to_boxes == [0, 2, 0, 2]
    assert [(slot.face, slot.seen) for slot in slots if slot.to is Receiver.DEALER] == [
        ("up", Seen.AT_ONCE),
        ("down", Seen.AT_REVEAL),
    ]


def test_empty_positions_get_cards_that_nobody_ever_sees() -> None:
    plan = tables_for("twisted-21").round_plan
    slots = plan.slots([False, True])
    assert [slot.place for slot in slots[:5]] == [0] * 5, "all cards of a position at once"
    assert {(slot.to, slot.seen) for slot in slots[:5]} == {(Receiver.EMPTY, Seen.NEVER)}
    own = [slot.seen for slot in slots if slot.to is Receiver.POSITION]
    assert own == [Seen.AT_ONCE] * 2 + [Seen.IF_TURNED] * 3
    dealers = [slot.seen for slot in slots if slot.to is Receiver.DEALER]
    assert dealers[:2] == [Seen.AT_ONCE, Seen.AT_REVEAL]
    assert set(dealers[2:]) == {Seen.IF_TURNED}
