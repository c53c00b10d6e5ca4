"""What players decide about their hands."""

from __future__ import annotations

from typing import Any, NamedTuple

from upcard.compile.action_rows import WHOLE_HAND, AddedStake
from upcard.compile.bets import check_added
from upcard.compile.context import Action, meant
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.acting import (
    BETWEEN_BOXES,
    DECLINED,
    TOLD,
    WAGERED,
    put_up_beside,
    whole,
)
from upcard.table.clerk import Question
from upcard.table.collection import added_fee
from upcard.table.judge import Handlers, Judge, Refusal, RefusedError
from upcard.table.order import partners
from upcard.table.settle import shown_number
from upcard.table.state import Box, Round, Stake, TableHand, TableState
from upcard.text import listed

HANDLERS: Handlers = {}
NO_STAKE = AddedStake()
"""The row of an action that adds nothing to a stake."""


class Asking(NamedTuple):
    """What a decision is about."""

    here: Round
    question: Question
    box: Box
    hand: TableHand
    action: Action

    @property
    def owner(self) -> Stake:
        return self.hand.stakes[0]


def _asking(judge: Judge, state: TableState, command: cm.AnyDecision) -> Asking:
    """The question that a decision answers, if the player may answer so."""
    action = cm.action_of(command)
    here = state.round
    judge.need(
        here is not None and not here.over, f"there is nothing to {action.text} between rounds"
    )
    assert here is not None
    question = judge.clerk.upcoming(state)
    assert isinstance(question, Question), "a table in a round waits only for decisions"
    judge.need(
        question.position == command.position,
        f"position {question.position} decides now, not position {command.position}",
        "starts",
    )
    judge.need(
        question.player == command.player,
        f"position {question.position} is {question.player}'s: {command.player} does not decide",
        "starts",
    )
    box = here.box(question.position)
    assert box is not None
    hand = box.hands[question.hand]
    action = meant(action, question.actions)
    if action not in question.actions:
        raise RefusedError(why_not(judge, here, question, hand, action))
    return Asking(here, question, box, hand, action)


def why_not(
    judge: Judge, here: Round, question: Question, hand: TableHand, action: Action
) -> Refusal:
    """Why an action is not among the answers to a question."""
    context = judge.plan.context_of(question.phase, hand.context)
    up = shown_number(judge.look, here)
    reason = judge.look.tables.legal.why(hand.state, context, up, action)
    if reason.legal:
        answers = listed(answer.text for answer in question.actions)
        return Refusal(f"the question is {answers}")
    return Refusal(reason.refusal, reason.clauses)


def _decide(judge: Judge, state: TableState, command: cm.AnyDecision) -> ev.Event:
    """The event of a decision, from the row of its action."""
    asked = _asking(judge, state, command)
    action, number = asked.action, asked.question.hand
    effects = judge.look.tables.effects
    if wager := effects.wager[action]:
        amount = _wagered(judge, state, asked, wager, cm.amount_of(command))
        taken = WAGERED[wager]
        return taken(player=command.player, position=command.position, amount=amount)
    if action in BETWEEN_BOXES:
        one, other = partners(asked.here, asked.box)
        return BETWEEN_BOXES[action](position=one.position, other=other.position)
    if action not in TOLD:
        return DECLINED[asked.question.phase](position=command.position)
    details: dict[str, Any] = {}
    if effects.stake[action] != NO_STAKE:
        details["added"] = _added(judge, state, asked, action, cm.amount_of(command))
    if effects.stake[action].by_house:
        details["marker"] = whole(effects.stake[action], asked.owner)
    if effects.raises[action]:
        details["times"] = len(asked.owner.added) + 1
    if effects.draws[action]:
        details["pick"] = _pick(judge, asked.box, cm.pick_of(command))
    if effects.discards[action] == WHOLE_HAND:
        details["cards"] = asked.hand.cards
    elif effects.discards[action]:
        details["place"], details["card"] = _given(judge, asked.hand)
    return TOLD[action](position=command.position, hand=number, **details)


HANDLERS.update(dict.fromkeys(cm.DECISION_TYPES, _decide))


def _added(
    judge: Judge, state: TableState, asked: Asking, action: Action, wanted: int
) -> tuple[ev.Added, ...]:
    """The owner's money and that of backline bettors who follow and can afford it.

    Who adds less than the whole amount takes followers along in the same proportion.
    """
    row = judge.look.tables.effects.stake[action]
    position = asked.box.position
    owner, *backers = asked.hand.stakes
    full = whole(row, owner)
    amount = wanted or full
    if row.by_house:
        _need_no_money(judge, action, wanted, full)
        # Who has the new hand of a split is told all the same.
        return (ev.Added(owner.player, 0),) if judge.look.tables.effects.splits[action] else ()
    if amount != full:
        _need_less(judge, row, action, amount, full)
    fee = added_fee(judge, position, amount)
    beside = put_up_beside(judge.look, asked.box, owner.player, action)
    added = [ev.Added(owner.player, amount, fee, beside)]
    what = f"the {action.text}"
    if beside:
        named = listed((judge.look.name_of(wager) for wager, _ in beside), "and")
        what += f", with {named} for the new hand"
    judge.need_chips(state, owner.player, added[0].total + fee, what)
    for stake in backers:
        part = whole(row, stake) * amount // full // judge.money.unit * judge.money.unit
        part = judge.money.added_at_most(part)
        if not stake.follows or len(stake.added) != len(owner.added) or not part:
            continue
        fee = added_fee(judge, position, part)
        beside = put_up_beside(judge.look, asked.box, stake.player, action)
        more = ev.Added(stake.player, part, fee, beside)
        if more.total + fee <= state.chips(stake.player):
            added.append(more)
    return tuple(added)


def _need_no_money(judge: Judge, action: Action, wanted: int, full: int) -> None:
    judge.need(
        not wanted,
        f"the house stakes this {action.word}, with {format_cents(full)}: name no amount",
        "double",
    )


def _need_less(judge: Judge, row: AddedStake, action: Action, amount: int, full: int) -> None:
    what, most = f"a {action.text}", format_cents(full)
    judge.need(row.for_less, f"{what} adds the wager of {most}, no less and no more", "for less")
    judge.need_amount(amount, what)
    judge.need(amount <= full, f"{what} adds at most the wager of {most}", "double")
    with judge.refusing():
        check_added(judge.look.tables, what, amount)


def _pick(judge: Judge, box: Box, pick: int) -> int:
    if pick == 0:
        return 0
    judge.need(judge.plan.players_pick, "hit cards are not picked at this table", "picks")
    down = [number for number, card in enumerate(box.down, 1) if card]
    judge.need(
        pick in down,
        f"there is no down card {pick}: those left are {listed(down, 'and')}",
        "picks",
    )
    return pick


def _wagered(judge: Judge, state: TableState, asked: Asking, wager: str, wanted: int) -> int:
    """How much goes on a wager that is made in the middle of the round."""
    most = judge.look.largest(wager, asked.box)
    amount = wanted or most
    judge.need(
        0 < amount <= most and amount % judge.money.chip == 0,
        f"{wager} is at most {format_cents(most)}, not {format_cents(amount)}",
        "insurance",
    )
    with judge.refusing():
        check_added(judge.look.tables, f"a wager on {wager}", amount)
    judge.need_chips(state, asked.box.player, amount, wager)
    return amount


def _given(judge: Judge, hand: TableHand) -> tuple[int, str]:
    """The place, from 1, and the card that is exchanged."""
    look = judge.look
    marked = [place for place, card in enumerate(hand.cards) if look.marked[look.symbol[card]]]
    # Those that wait are the last ones, and the first of them is decided first.
    place = marked[-look.pending[hand.state]]
    return place + 1, hand.cards[place]
