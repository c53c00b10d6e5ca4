"""`g`: the coach at the table. It follows the record, so a resumed session has all its mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.cli.play.paint import Paint, flowed
from upcard.money import format_cents
from upcard.table.events import WagersPlaced

if TYPE_CHECKING:
    from upcard.cli.play.screen import Keys
    from upcard.coach import CoachAdvice, Follower, Mistake, NextRound, SessionReview
    from upcard.table.session import Session

COMING = "The coach is coming and looks at what you did so far."
AHEAD = "The coach works out the next round."
MOST_ROWS = 2
"""Lines that the keys of a decision may take with their values."""


class Coaching:
    """The coach of one player of a session. What it costs to load is paid when it is called."""

    def __init__(self, session: Session, me: str) -> None:
        self.session = session
        self.me = me
        self.is_on = False
        self._followed: Follower | None = None
        self._entries = 0

    @property
    def review(self) -> SessionReview:
        """All decisions of the session, judged."""
        return self._follow().review

    def switch(self) -> None:
        """On or off; to judge what was done before takes a while."""
        self.is_on = not self.is_on
        if self.is_on:
            self._follow()

    def advice(self) -> CoachAdvice | None:
        """What the person's decision is worth, while the coach is on."""
        question = self.session.question
        if not self.is_on or question is None or question.player != self.me:
            return None
        known = self._follow()
        return known.coach.advise(self.session.state, question, known.seen)

    def judge(self) -> Mistake | None:
        """What the last decision cost, if the coach is on and it was a mistake."""
        return self._follow().last if self.is_on else None

    @property
    def is_between(self) -> bool:
        """Whether the coach is on and the next round is the next thing to come."""
        state = self.session.state
        return self.is_on and not state.in_round and state.stage != "closed"

    def next_round(self) -> NextRound:
        """What the next round is worth, for the wagers that lie there or were made last."""
        known = self._follow()
        return known.coach.before_deal(
            self.session.state, known.seen, player=self.me, before=self._last_wagers()
        )

    def _last_wagers(self) -> dict[str, int]:
        """What the person wagered the last time, however long ago."""
        for entry in reversed(self.session.entries):
            for event in entry.events:
                if isinstance(event, WagersPlaced) and event.player == self.me and event.wagers:
                    return dict(event.wagers)
        return {}

    def _follow(self) -> Follower:
        """The record as far as it goes by now."""
        if self._followed is None:
            from upcard.coach import Coach, Follower

            coach = Coach(self.session.engine)
            coach.warm_up()
            self._followed = Follower(coach, self.me)
        for entry in self.session.entries[self._entries :]:
            self._followed.add(entry)
            self._entries += 1
        return self._followed


# ------------------------------------------------------------------ in words


def percent_words(percent: float, paint: Paint) -> str:
    sign = "+" if percent >= 0 else paint.glyphs.minus
    return f"{sign}{abs(percent):.2f}%"


def money_words(cents: int, paint: Paint) -> str:
    sign = "+" if cents >= 0 else paint.glyphs.minus
    return f"{sign}{format_cents(abs(cents))}"


def mistake_words(mistake: Mistake) -> str:
    """What a mistake cost, in one sentence."""
    cost = format_cents(mistake.cost) if mistake.cost else "less than $0.01"
    return (
        f"Coach: {mistake.taken} costs {cost} on average ({mistake.cost_percent:.2f}%), "
        f"{mistake.best} is best."
    )


def with_values(pairs: Keys, advice: CoachAdvice, paint: Paint, width: int) -> Keys:
    """Keys with the values of their actions, in money too where there is room for it."""
    found: Keys = pairs
    for in_money in (True, False):
        found = tuple((key, _valued(what, advice, paint, in_money)) for key, what in pairs)
        if len(flowed(paint.keys(found), width, gap=3)) <= MOST_ROWS:
            break
    return found


def _valued(what: str, advice: CoachAdvice, paint: Paint, in_money: bool) -> str:
    value = advice.value_of(what)
    if value is None:
        return what
    parts = [what, percent_words(value.percent, paint)]
    if in_money:
        parts.insert(1, money_words(value.cents, paint))
    return " ".join((*parts, "best") if value.best else parts)
