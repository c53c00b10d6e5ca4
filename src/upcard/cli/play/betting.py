"""Wagers that a person is about to place: amounts that the game allows, box by box."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from upcard.cli.play.paint import Block, Paint, beside, fitted, width_of
from upcard.money import format_cents
from upcard.players.company import least
from upcard.table.plain_tables import BASE
from upcard.text import cited, listed, sentence_case

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upcard.compile.plan import MoneyPlan, WagerPlan
    from upcard.table.sign import Sign, WagerSign

Wagers = dict[str, int]

_ROOMY = 5
"""So many wagers fit below each other; more stand in two columns."""
LONGEST_NAME = 30
TABLE_WIDTH = 76
"""Columns of a pay table under the wagers, at most."""


class WagerDraft:
    """The wagers of all boxes of one player. `chosen` is the wager that keys change.

    Where boxes are `alike`, all have the same base wager.
    """

    def __init__(
        self, money: MoneyPlan, boxes: Mapping[int, Wagers], *, alike: bool = False
    ) -> None:
        self.money = money
        self.alike = alike
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
        for position in self.boxes if self.alike and self.plan.id == BASE else (self.position,):
            wagers = self.boxes[position]
            wagers.pop(self.plan.id, None)
            if amount:
                wagers[self.plan.id] = amount
            self.boxes[position] = {
                plan.id: wagers[plan.id] for plan in self.plans if plan.id in wagers
            }

    def step(self, steps: int) -> str:
        """The next allowed amount up or down; where it goes no further, words that say so."""
        plan = self.plan
        rungs = ([] if plan.mandatory else [0]) + sorted(plan.amounts)
        wanted = self._wanted_rung(steps, rungs) if plan.amounts else self._wanted(steps)
        low = 0 if not plan.mandatory and wanted <= 0 else least(plan, self.money)
        most = rungs[-1] if plan.amounts else plan.maximum
        self.set(max(low, min(wanted, most) if most else wanted))
        if wanted == self.amount or (not self.amount and not plan.mandatory):
            return ""
        return f"The {'most' if wanted > self.amount else 'least'} is {format_cents(self.amount)}."

    def _wanted(self, steps: int) -> int:
        """An amount so many steps away; the least comes between nothing and more."""
        low, amount = least(self.plan, self.money), self.amount
        if steps > 0 and amount < low:
            return low
        if steps < 0 and amount <= low:
            return low - self.rung if self.plan.mandatory else 0
        wanted = amount + steps * self.rung
        return max(wanted, low) if not self.plan.mandatory else wanted

    def _wanted_rung(self, steps: int, rungs: list[int]) -> int:
        """One of the fixed amounts, or something beyond them."""
        place = (rungs.index(self.amount) if self.amount in rungs else 0) + steps
        if place >= len(rungs):
            return rungs[-1] + 1
        return rungs[place] if place >= 0 else rungs[0] - 1

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


class Panel(NamedTuple):
    """What stands in the place of the own cards: a head, lines with one marked, more if it fits."""

    head: Block
    lines: Block
    tail: Block

    @property
    def all(self) -> Block:
        return [*self.head, *self.lines, *self.tail]

    def within(self, room: int, mark: str) -> Block:
        """As much as there is room for: the tail goes first, then lines far from the marked one."""
        if len(self.all) <= room:
            return self.all
        size = max(1, room - len(self.head))
        marked = (n for n, line in enumerate(self.lines) if line.plain.lstrip().startswith(mark))
        start = max(0, min(next(marked, 0) - size // 2, len(self.lines) - size))
        beyond = {"above": start > 0, "below": start + size < len(self.lines)}
        head = self.head
        if where := " and ".join(place for place, is_more in beyond.items() if is_more):
            first, *others = self.head
            head = [first.copy().append(f"   more {where}"), *others]
        return [*head, *self.lines[start : start + size]]


def panel(draft: WagerDraft, sign: Sign, paint: Paint, width: int) -> Panel:
    """The wagers with their amounts, limits and odds; the chosen one is marked."""
    quiet = paint.colours.quiet
    head = Text(f"Your wagers at seat {draft.position}", paint.colours.own)
    for position, wagers in sorted(draft.boxes.items()):
        if position != draft.position:
            there = format_cents(sum(wagers.values()))
            head.append(f"   seat {position}: {there}", quiet)
    head.append(f"   {format_cents(draft.total)} in all", quiet)
    heads = [head]
    if sign.together:
        limit = Text(sentence_case(sign.together), quiet)
        heads.append(limit.append(cited(sign.together_clauses), paint.colours.clause))
    lines = [_line(draft, number, paint, sign, width) for number in range(len(draft.plans))]
    half = (len(lines) + 1) // 2
    if len(lines) > _ROOMY and 2 * width_of(lines) + 3 <= width:
        lines = beside([lines[:half], lines[half:]], gap=3)
    chosen = sign.wagers[draft.chosen]
    tail = paint.wrapped(Text(pay_table(chosen), quiet), min(width, TABLE_WIDTH))
    return Panel(heads, lines, tail)


def _line(draft: WagerDraft, number: int, paint: Paint, sign: Sign, width: int) -> Text:
    plan, wager = draft.plans[number], sign.wagers[number]
    amount = draft.boxes[draft.position].get(plan.id, 0)
    chosen = number == draft.chosen
    mark = paint.glyphs.turn if chosen else " "
    chips = paint.chips(amount) if amount else Text(paint.glyphs.dot, paint.colours.quiet)
    names = min(LONGEST_NAME, max(len(plan.name) for plan in draft.plans))
    limits = [wager.limits.replace(" to ", "-") for wager in sign.wagers]
    text = Text(f"{mark} {number + 1} ").append_text(fitted(Text(plan.name), names)).append("  ")
    text.append_text(fitted(chips, max(8, chips.cell_len + 1)))
    text.append(limits[number].ljust(max(map(len, limits))), paint.colours.quiet)
    room = width - text.cell_len
    words = next((odds for odds in odds_words(wager) if len(odds) + 7 <= room), "")
    if words:
        text.append("  pays ", paint.colours.quiet).append(words, paint.colours.strong)
    if chosen:
        text.stylize_before(paint.colours.chosen)
    return text


def odds_words(wager: WagerSign) -> list[str]:
    """What a wager pays in a few words, the clearest first.

    >>> from upcard.table.sign import WagerSign
    >>> odds_words(WagerSign("base", "Base", "", (("", "1 to 1"), ("natural", "3 to 2"))))
    ['1:1, natural 3:2', '1:1 or 3:2']
    >>> odds_words(WagerSign("m", "M", "", (("one", "4 to 1"), ("two", "8 to 1"), ("a", "9 to 1"))))
    ['4:1 up to 9:1']
    """
    odds = [(event, figure.replace(" to ", ":")) for event, figure in wager.pays]
    figures = list(dict.fromkeys(figure for _, figure in odds))
    if len(figures) > 2 or (len(figures) > 1 and all(event for event, _ in odds)):
        return [f"{figures[0]} up to {figures[-1]}"]
    named = ", ".join(f"{event} {figure}".lstrip() for event, figure in odds)
    return list(dict.fromkeys((named, listed(figures))))


def pay_table(wager: WagerSign) -> str:
    """Every row of a wager that has a pay table, the best first; "" for other wagers."""
    if not all(event for event, _ in wager.pays):
        return ""
    rows = (f"{event} {figure}" for event, figure in reversed(wager.pays))
    return f"{wager.name} pays: {'; '.join(rows)}."
