"""A session's decisions judged: how many were right, and what the others cost."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from upcard.coach.advice import KINDS, CoachAdvice, Said, judge, kind_judged
from upcard.compile.context import Action

WORST = 20
"""Mistakes that a review keeps, the most expensive ones."""
MANY = 100
"""Hands that the cost is told for."""


class JudgedHand(Said, frozen=True):
    """A mistake with its cards; `cost` is in cents."""

    round: int
    position: int
    hand: int
    kind: str
    cards: tuple[str, ...]
    total: str
    up: str
    wager: int
    taken: str
    best: str
    cost: int
    cost_percent: float


class KindReview(Said, frozen=True):
    """Decisions of one kind. `lost` is what mistakes cost, in cents and parts of them."""

    kind: str
    decisions: int = 0
    right: int = 0
    lost: float = 0.0

    @property
    def cost(self) -> int:
        return round(self.lost)


class Summary(Said, frozen=True):
    """A review in figures: money in cents, the cost of a hundred hands, the worst first."""

    decisions: int
    right: int
    unpriced: int
    hands: int
    cost: int
    cost_per_100_hands: int
    kinds: tuple[KindReview, ...]
    worst: tuple[JudgedHand, ...]


class SessionReview(Said, frozen=True):
    """A fold of decisions; it never changes, `after` makes a new one.

    A box in a round is one hand, however often it was split and whether or not there was something
    to decide; `boxes` are those of the last round.
    """

    kinds: tuple[KindReview, ...] = ()
    worst: tuple[JudgedHand, ...] = ()
    unpriced: int = 0
    hands: int = 0
    round: int = 0
    boxes: tuple[int, ...] = ()

    def dealt(self, number: int, positions: Iterable[int]) -> SessionReview:
        """The review after hands were dealt in a round; those it has already count once."""
        boxes = self.boxes if number == self.round else ()
        new = tuple(position for position in positions if position not in boxes)
        if not new:
            return self
        return replace(self, hands=self.hands + len(new), round=number, boxes=(*boxes, *new))

    def after(self, advice: CoachAdvice, taken: str | Action) -> SessionReview:
        """The review after one more decision."""
        name = taken.text if isinstance(taken, Action) else taken
        found = self.dealt(advice.round, (advice.position,))
        if advice.value_of(name) is None:
            return replace(found, unpriced=self.unpriced + 1)
        mistake = judge(advice, name)
        lost = mistake.cost_percent / 100 * mistake.wager if mistake else 0.0
        kinds = self._counted(kind_judged(advice, name), lost, right=mistake is None)
        found = replace(found, kinds=kinds)
        if mistake is None:
            return found
        judged = JudgedHand(
            round=advice.round,
            position=advice.position,
            hand=advice.hand,
            kind=mistake.kind,
            cards=advice.cards,
            total=advice.total,
            up=advice.up,
            wager=mistake.wager,
            taken=mistake.taken,
            best=mistake.best,
            cost=mistake.cost,
            cost_percent=mistake.cost_percent,
        )
        worst = sorted((*self.worst, judged), key=lambda hand: -hand.cost_percent * hand.wager)
        return replace(found, worst=tuple(worst[:WORST]))

    def _counted(self, kind: str, lost: float, *, right: bool) -> tuple[KindReview, ...]:
        known = {one.kind: one for one in self.kinds}
        one = known.get(kind, KindReview(kind=kind))
        known[kind] = replace(
            one, decisions=one.decisions + 1, right=one.right + right, lost=one.lost + lost
        )
        return tuple(known[kind] for kind in KINDS if kind in known)

    @property
    def decisions(self) -> int:
        """Decisions that were priced."""
        return sum(one.decisions for one in self.kinds)

    @property
    def right(self) -> int:
        """Decisions than which nothing was better."""
        return sum(one.right for one in self.kinds)

    @property
    def lost(self) -> float:
        """What all mistakes cost on average, in cents."""
        return sum(one.lost for one in self.kinds)

    def summary(self) -> Summary:
        """The review in figures."""
        return Summary(
            decisions=self.decisions,
            right=self.right,
            unpriced=self.unpriced,
            hands=self.hands,
            cost=round(self.lost),
            cost_per_100_hands=round(MANY * self.lost / self.hands) if self.hands else 0,
            kinds=self.kinds,
            worst=self.worst,
        )


def together(reviews: Iterable[SessionReview]) -> SessionReview:
    """Several sessions as one."""
    found = SessionReview()
    for one in reviews:
        kinds = {kind.kind: kind for kind in found.kinds}
        for kind in one.kinds:
            before = kinds.get(kind.kind, KindReview(kind=kind.kind))
            kinds[kind.kind] = replace(
                kind,
                decisions=before.decisions + kind.decisions,
                right=before.right + kind.right,
                lost=before.lost + kind.lost,
            )
        worst = sorted((*found.worst, *one.worst), key=lambda hand: -hand.cost_percent * hand.wager)
        found = SessionReview(
            kinds=tuple(kinds[kind] for kind in KINDS if kind in kinds),
            worst=tuple(worst[:WORST]),
            unpriced=found.unpriced + one.unpriced,
            hands=found.hands + one.hands,
        )
    return found
