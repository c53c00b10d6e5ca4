"""What players decide about their hands."""

from __future__ import annotations

from typing import NamedTuple

from upcard.compile.context import Action
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.collection import added_fee
from upcard.table.judge import Handlers, Judge, Refusal, RefusedError, on
from upcard.table.lookup import INSURANCE
from upcard.table.settle import up_symbol
from upcard.table.state import Box, Hand, Round, Stake, TableState
from upcard.text import listed

HANDLERS: Handlers = {}


class Asking(NamedTuple):
    """What a decision is about."""

    here: Round
    question: Question
    box: Box
    hand: Hand

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
    if action not in question.actions:
        raise RefusedError(why_not(judge, here, question, hand, action))
    return Asking(here, question, box, hand)


def why_not(judge: Judge, here: Round, question: Question, hand: Hand, action: Action) -> Refusal:
    """Why an action is not among the answers to a question."""
    context = judge.look.phase_context(question.phase, hand.context)
    up = up_symbol(judge.look, here)
    reason = judge.look.tables.legal.why(hand.state, context, up, action)
    if reason.legal:
        answers = listed(answer.text for answer in question.actions)
        return Refusal(f"the question is {answers}")
    words = reason.words[0].lower() + reason.words[1:].rstrip(".")
    return Refusal(words, reason.clauses)


@on(HANDLERS, cm.Hit)
def _hit(judge: Judge, state: TableState, command: cm.Hit) -> ev.Event:
    asked = _asking(judge, state, command)
    pick = _pick(judge, asked.box, command.pick)
    return ev.HandHit(position=command.position, hand=asked.question.hand, pick=pick)


@on(HANDLERS, cm.Stand)
def _stand(judge: Judge, state: TableState, command: cm.Stand) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandStood(position=command.position, hand=asked.question.hand)


@on(HANDLERS, cm.Double)
def _double(judge: Judge, state: TableState, command: cm.Double) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.start
    amount = command.amount or full
    judge.need(
        amount == full or judge.money.doubles_for_less,
        f"a double adds the wager of {format_cents(full)}, no less and no more",
        "for less",
    )
    judge.need_amount(amount, "a double")
    judge.need(amount <= full, f"a double adds at most the wager of {format_cents(full)}", "double")
    added = _added(judge, state, asked, amount, full, "the double")
    return ev.HandDoubled(
        position=command.position,
        hand=asked.question.hand,
        added=added,
        times=1,
        pick=_pick(judge, asked.box, command.pick),
    )


@on(HANDLERS, cm.Redouble)
def _redouble(judge: Judge, state: TableState, command: cm.Redouble) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.total
    return ev.HandDoubled(
        position=command.position,
        hand=asked.question.hand,
        added=_added(judge, state, asked, full, full, "the double", again=True),
        times=len(asked.owner.added) + 1,
        pick=_pick(judge, asked.box, command.pick),
    )


@on(HANDLERS, cm.Split)
def _split(judge: Judge, state: TableState, command: cm.Split) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.start
    added = _added(judge, state, asked, full, full, "the split")
    return ev.HandSplit(position=command.position, hand=asked.question.hand, added=added)


def _added(
    judge: Judge,
    state: TableState,
    asked: Asking,
    amount: int,
    full: int,
    what: str,
    *,
    again: bool = False,
) -> tuple[ev.Added, ...]:
    """The owner's money and that of backline bettors who follow and can afford it.

    Who doubles for less takes followers along in the same proportion.
    """
    position = asked.box.position
    owner, *backers = asked.hand.stakes
    fee = added_fee(judge, position, amount)
    judge.need_chips(state, owner.player, amount + fee, what)
    added = [ev.Added(owner.player, amount, fee)]
    for stake in backers:
        own = stake.total if again else stake.start
        part = own * amount // full // judge.money.unit * judge.money.unit
        if not stake.follows or len(stake.added) != len(owner.added) or not part:
            continue
        fee = added_fee(judge, position, part)
        if part + fee <= state.chips(stake.player):
            added.append(ev.Added(stake.player, part, fee))
    return tuple(added)


def _pick(judge: Judge, box: Box, pick: int) -> int:
    if pick == 0:
        return 0
    judge.need(
        judge.plan.hit_cards == "own-cards-picked",
        "hit cards are not picked at this table",
        "picks",
    )
    down = [number for number, card in enumerate(box.down, 1) if card]
    judge.need(
        pick in down,
        f"there is no down card {pick}: those left are {listed(down, 'and')}",
        "picks",
    )
    return pick


@on(HANDLERS, cm.Surrender)
def _surrender(judge: Judge, state: TableState, command: cm.Surrender) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandSurrendered(position=command.position, hand=asked.question.hand)


@on(HANDLERS, cm.Rescue)
def _rescue(judge: Judge, state: TableState, command: cm.Rescue) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandRescued(position=command.position, hand=asked.question.hand)


@on(HANDLERS, cm.Insure)
def _insure(judge: Judge, state: TableState, command: cm.Insure) -> ev.Event:
    asked = _asking(judge, state, command)
    most = judge.look.most_insurance(asked.box)
    amount = command.amount or most
    judge.need(
        0 < amount <= most and amount % judge.money.chip == 0,
        f"{INSURANCE} is at most {format_cents(most)}, not {format_cents(amount)}",
        "insurance",
    )
    judge.need_chips(state, command.player, amount, INSURANCE)
    return ev.InsuranceTaken(player=command.player, position=command.position, amount=amount)


@on(HANDLERS, cm.Decline)
def _decline(judge: Judge, state: TableState, command: cm.Decline) -> ev.Event:
    asked = _asking(judge, state, command)
    if asked.question.phase == "insurance":
        return ev.InsuranceDeclined(position=command.position)
    return ev.SurrenderDeclined(position=command.position)


@on(HANDLERS, cm.Keep)
def _keep(judge: Judge, state: TableState, command: cm.Keep) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.CardKept(position=command.position, hand=asked.question.hand)


@on(HANDLERS, cm.Trade)
def _trade(judge: Judge, state: TableState, command: cm.Trade) -> ev.Event:
    asked = _asking(judge, state, command)
    look, hand = judge.look, asked.hand
    marked = [place for place, card in enumerate(hand.cards) if look.marked[look.symbol[card]]]
    # Those that wait are the last ones, and the first of them is decided first.
    place = marked[-look.pending[hand.state]]
    return ev.CardTraded(
        position=command.position,
        hand=asked.question.hand,
        card=hand.cards[place],
        place=place + 1,
    )
