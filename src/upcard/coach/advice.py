"""What the coach says, as plain data: cents are whole numbers, percents of the wager are not."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.text import cited

HARD, SOFT, PAIRS, DOUBLED = "hard", "soft", "pairs", "doubled"
TRADES, RESCUE, INSURANCE, SURRENDER = "trades", "rescue", "insurance", "surrender"
EXCHANGE = "exchange"
KINDS = (HARD, SOFT, PAIRS, DOUBLED, RESCUE, TRADES, INSURANCE, SURRENDER, EXCHANGE)
"""Kinds of decisions."""

ALIKE = 1e-7
"""Percent of a wager below which two actions are equally good."""


class Said(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The base of everything that the coach says."""


class ActionValue(Said, frozen=True):
    """What an action is worth, and what it costs to take it instead of the best."""

    action: str
    percent: float
    cents: int
    best: bool = False
    cost: int = 0
    cost_percent: float = 0.0


class Why(Said, frozen=True):
    """The rule behind an action that is refused."""

    action: str
    words: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words + cited(self.clauses)


class CoachAdvice(Said, frozen=True):
    """What every legal action is worth to one hand, the best first.

    Values are what is won or lost on average from here on, for the best play afterwards; percents
    are of `wager` in cents, which is `of`. Where nothing is priced, `words` say why. `method` names
    how it was worked out and `exact` whether nothing stands between the values and the truth;
    `notes` are sentences on what the values hold for. `unseen` cards are unknown to the player.
    """

    game: str
    round: int = 0
    position: int = 0
    hand: int = 0
    player: str = ""
    phase: str = ""
    kind: str = ""
    cards: tuple[str, ...] = ()
    total: str = ""
    up: str = ""
    doubles: int = 0
    wager: int = 0
    of: str = ""
    actions: tuple[ActionValue, ...] = ()
    words: str = ""
    method: str = ""
    exact: bool = False
    before_check: bool = False
    natural: float | None = None
    notes: tuple[str, ...] = ()
    unseen: int = 0

    @property
    def is_priced(self) -> bool:
        """Whether there are values."""
        return bool(self.actions)

    @property
    def best(self) -> str:
        """The best action, "" where nothing is priced."""
        return self.actions[0].action if self.actions else ""

    def value_of(self, action: str) -> ActionValue | None:
        """The value of an action, if it has one."""
        return next((value for value in self.actions if value.action == action), None)


class Mistake(Said, frozen=True):
    """An action that was not the best, and what it cost on average."""

    taken: str
    best: str
    cost: int
    cost_percent: float
    wager: int
    kind: str


def ranked(
    values: Mapping[str, float], wager: int, fees: Mapping[str, int] | None = None
) -> tuple[ActionValue, ...]:
    """Values in units of a wager as values of actions, the best first; fees are in cents."""
    due = fees or {}
    net = {action: value - due.get(action, 0) / wager for action, value in values.items()}
    most = max(net.values())
    order = sorted(net.items(), key=lambda item: -item[1])
    return tuple(
        ActionValue(
            action=action,
            percent=100 * value,
            cents=round(value * wager),
            best=100 * (most - value) < ALIKE,
            cost=round((most - value) * wager),
            cost_percent=100 * (most - value) + 0.0,
        )
        for action, value in order
    )


def resized(values: tuple[ActionValue, ...], wager: int) -> tuple[ActionValue, ...]:
    """The same values for another wager."""
    return tuple(
        replace(
            value,
            cents=round(value.percent / 100 * wager),
            cost=round(value.cost_percent / 100 * wager),
        )
        for value in values
    )


def judge(advice: CoachAdvice, taken: str | Action) -> Mistake | None:
    """What was done, judged: None if nothing better was known."""
    name = taken.text if isinstance(taken, Action) else taken
    value = advice.value_of(name)
    if value is None or value.best:
        return None
    return Mistake(
        taken=name,
        best=advice.best,
        cost=value.cost,
        cost_percent=value.cost_percent,
        wager=advice.wager,
        kind=kind_judged(advice, name),
    )


def kind_judged(advice: CoachAdvice, taken: str) -> str:
    """The kind under which a decision is counted: giving up is one of its own."""
    return SURRENDER if Action.SURRENDER.text in (taken, advice.best) else advice.kind


def kind_of(tables: GameTables, phase: str, state: int, context: int, legal: int) -> str:
    """The kind of a decision."""
    doubled = tables.contexts.contexts[context].level > 0
    if phase in (Phase.INSURANCE, Phase.EARLY_SURRENDER):
        return INSURANCE if phase == Phase.INSURANCE else SURRENDER
    if phase == Phase.EXCHANGE:
        return EXCHANGE
    if tables.hands.pending[state]:
        return TRADES
    if doubled:
        return RESCUE if legal & Action.RESCUE.bit else DOUBLED
    if legal & tables.effects.splitting:
        return PAIRS
    return SOFT if tables.hands.soft[state] else HARD
