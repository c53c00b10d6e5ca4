"""Following a record: what was seen by now, and one player's decisions judged."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from upcard.coach.advice import CoachAdvice, Mistake, judge, resized
from upcard.coach.coach import Coach
from upcard.coach.review import SessionReview
from upcard.coach.seen import Seen
from upcard.compile.context import meant
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.acting import price
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE
from upcard.table.session import Entry
from upcard.table.state import TableState
from upcard.table.view import Viewer, redacted

FOR_LESS = "for less"


class Follower:
    """Follows the entries of a table from the first, and judges what one player does.

    Of every event only what the player may see goes into `seen`. So a record that was cut and
    resumed anywhere gives the same as one that never was. `last` is what the last decision cost.
    """

    def __init__(self, coach: Coach, player: str) -> None:
        self.coach = coach
        self.player = player
        self.state: TableState = NEW_TABLE
        self.seen = Seen()
        self.review = SessionReview()
        self.last: Mistake | None = None

    def add(self, entry: Entry, *, judged: bool = True) -> None:
        """One more entry; what a clock decided for the player need not be judged."""
        engine, command = self.coach.engine, entry.command
        if judged and isinstance(command, cm.DECISION_TYPES) and command.player == self.player:
            question = engine.question(self.state)
            if question is not None:
                self._judge(question, command)
        viewer = Viewer("player", self.player)
        for event in entry.events:
            self.state = engine.evolve(self.state, event)
            self.seen = self.seen.after(redacted(event, viewer))
            here = self.state.round
            if isinstance(event, ev.RoundStarted) and here is not None:
                own = [box.position for box in here.boxes if box.player == self.player]
                self.review = self.review.dealt(here.number, own)

    def _judge(self, question: Question, command: cm.AnyDecision) -> None:
        advice = self.coach.advise(self.state, question, self.seen)
        taken, advice = taken_of(self.coach, self.state, question, command, advice)
        self.review = self.review.after(advice, taken)
        self.last = judge(advice, taken)


def taken_of(
    coach: Coach,
    state: TableState,
    question: Question,
    command: cm.AnyDecision,
    advice: CoachAdvice,
) -> tuple[str, CoachAdvice]:
    """What was done; insurance counts for its amount, a double for less has no price."""
    action, amount = meant(cm.action_of(command), question.actions), cm.amount_of(command)
    name = action.text
    box = state.round.box(question.position) if state.round else None
    assert box is not None
    hand = box.hands[question.hand]
    if not amount or amount == price(coach.look, box, hand, action):
        return name, advice
    if isinstance(command, cm.Insure):
        return name, replace(advice, wager=amount, actions=resized(advice.actions, amount))
    return f"{name} {FOR_LESS}", advice


def review_of(coach: Coach, entries: Iterable[Entry], player: str) -> SessionReview:
    """All decisions of a player in a record, judged."""
    follower = Follower(coach, player)
    for entry in entries:
        follower.add(entry)
    return follower.review
