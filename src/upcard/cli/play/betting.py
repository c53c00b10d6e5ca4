"""Wagers that a person is about to place: amounts that the game allows, box by box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play.company import least
from upcard.cli.play.paint import Block, Paint, beside, fitted, width_of
from upcard.money import format_cents
from upcard.table.lookup import BASE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upcard.compile.plan import MoneyPlan, WagerPlan
    from upcard.table.sign import Sign

Wagers = dict[str, int]

_ROOMY = 5
"""So many wagers fit below each other; more stand in two columns."""


class Draft:
    """The wagers of all boxes of one player. `chosen` is the wager that keys change."""

    def __init__(self, money: MoneyPlan, boxes: Mapping[int, Wagers]) -> None:
        self.money = money
        self.plans: list[WagerPlan] = list(money.wagers.values())
        self.boxes = {position: dict(wagers) for position, wagers in boxes.items()}
        self.position = min(self.boxes)
        self.chosen = 0

    @property
    def plan(self) -> WagerPlan:
        return self.plans[self.chosen]

    @property
    def amount(self) -> int:
        return self.boxes[self.position].get(self.plan.id, 0)

    @property
    def total(self) -> int:
        return sum(sum(wagers.values()) for wagers in self.boxes.values())

    def choose(self, number: int) -> None:
        self.chosen = number % len(self.plans)

    def set(self, amount: int) -> None:
        """Any amount; the table says what it thinks of it. None takes the wager away."""
        wagers = self.boxes[self.position]
        wagers.pop(self.plan.id, None)
        if amount:
            wagers[self.plan.id] = amount
        self.boxes[self.position] = {
            plan.id: wagers[plan.id] for plan in self.plans if plan.id in wagers
        }

    def step(self, steps: int) -> None:
        """The next allowed amount up or down."""
        plan, amount = self.plan, self.amount
        none = [] if plan.mandatory else [0]
        if plan.amounts:
            rungs = none + sorted(plan.amounts)
            place = rungs.index(amount) if amount in rungs else 0
            self.set(rungs[min(max(place + steps, 0), len(rungs) - 1)])
            return
        low = least(plan, self.money)
        if steps > 0 and amount < low:
            self.set(low)
        elif steps < 0 and amount <= low:
            self.set(low if plan.mandatory else 0)
        else:
            changed = max(low, amount + steps * self.rung)
            self.set(min(changed, plan.maximum) if plan.maximum else changed)

    @property
    def rung(self) -> int:
        """What one step changes: five units where the least wager is so many, else one."""
        five = 5 * self.money.unit
        return five if least(self.plan, self.money) % five == 0 else self.money.unit

    def add_box(self, position: int) -> None:
        """Another box with the base wager of this one."""
        base = self.boxes[self.position].get(BASE, 0)
        self.boxes[position] = {BASE: base} if base else {}
        self.position = position

    def drop_box(self) -> None:
        if len(self.boxes) > 1:
            del self.boxes[self.position]
            self.position = min(self.boxes)

    def next_box(self) -> None:
        places = sorted(self.boxes)
        self.position = places[(places.index(self.position) + 1) % len(places)]


def panel(draft: Draft, sign: Sign, paint: Paint, width: int) -> Block:
    """The wagers with their amounts; the chosen one is marked."""
    limits = {wager.id: wager.limits for wager in sign.wagers}
    longest = max(len(plan.name) for plan in draft.plans)
    lines = [
        _line(draft, number, paint, limits[plan.id], min(longest, 30))
        for number, plan in enumerate(draft.plans)
    ]
    head = Text(f"Your wagers at seat {draft.position}", paint.colours.own)
    for position, wagers in sorted(draft.boxes.items()):
        if position != draft.position:
            there = format_cents(sum(wagers.values()))
            head.append(f"   seat {position}: {there}", paint.colours.quiet)
    head.append(f"   {format_cents(draft.total)} in all", paint.colours.quiet)
    half = (len(lines) + 1) // 2
    if len(lines) > _ROOMY and 2 * width_of(lines) + 3 <= width:
        lines = beside([lines[:half], lines[half:]], gap=3)
    return [head, *lines]


def _line(draft: Draft, number: int, paint: Paint, limits: str, longest: int) -> Text:
    plan = draft.plans[number]
    amount = draft.boxes[draft.position].get(plan.id, 0)
    chosen = number == draft.chosen
    mark = paint.glyphs.turn if chosen else " "
    text = Text(f"{mark} {number + 1} ").append_text(fitted(Text(plan.name), longest))
    chips = paint.chips(amount) if amount else Text(paint.glyphs.dot, paint.colours.quiet)
    text.append("  ").append_text(fitted(chips, 10)).append(limits, paint.colours.quiet)
    if chosen:
        text.stylize_before(paint.colours.chosen)
    return text
