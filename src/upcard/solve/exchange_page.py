"""What `upcard hand` shows of two boxes, and `upcard strategy` of the exchange between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, shoe_words, split_words
from upcard.pages.page import Printer, indented

if TYPE_CHECKING:
    from upcard.solve.exchange_advice import ExchangeAdvice
    from upcard.solve.exchange_points import ExchangeRule


def show_exchange(advice: ExchangeAdvice, out: Printer) -> None:
    """What every answer is worth, and both boxes as they would lie."""
    from rich.text import Text

    tables = advice.tables
    out.print(
        heading(
            tables,
            shoe_words(tables),
            f"wager {format_cents(advice.bet)} on each box",
            split_words(tables, advice.mode) if advice.mode != "none" else "",
        )
    )
    out.print()
    dealt = " / ".join(" ".join(map(str, cards)) for cards in advice.dealt)
    out.print(Text.assemble((dealt, "bold"), " against ", (str(advice.up), "bold")))
    if advice.removed:
        out.print(Text(f"without {' '.join(map(str, advice.removed))}", "dim"))
    best = advice.actions[advice.best]
    table = grid("answer", "EV of both", "less", "first box", "EV", "second box", "EV")
    for action, value in advice.actions.items():
        style = "bold green" if action is advice.best else ""
        cells: list[Text | str] = [Text(action.text, style), Text(percent(value), style)]
        cells.append("" if action is advice.best else percent(best - value, signed=False))
        for box in advice.boxes[action]:
            cells += [f"{' '.join(map(str, box.cards))}: {box.best.text}", percent(box.ev)]
        table.add_row(*cells)
    out.print(table)
    notes = ["Values are in wagers of one box."]
    if advice.natural > 0:
        natural, chance = tables.natural_name, percent(advice.natural, signed=False)
        notes.append(f"They hold after a check that found no {natural}; its chance was {chance}.")
    out.print(indented(Text(" ".join(notes)), 2))


POINTS_TITLE = "When to exchange the second cards: points of two cards"
POINTS_WORDS = (
    "Add the points of both boxes as they lie, and as they would lie after the exchange; "
    "exchange if that is more. Points are hundredths of a wager that a box is worth by itself."
)


def points_value(rule: ExchangeRule) -> str:
    """What exchanging by points is worth, in words."""
    cost = percent(rule.ev - rule.points_ev, signed=False)
    return (
        f"Exchanging by points has an EV of {percent(rule.points_ev)} of a wager, {cost} less than "
        f"the best exchange, which has {percent(rule.ev)} with play by this chart and exchanges in "
        f"{percent(rule.chance, signed=False)} of the rounds."
    )


def show_rule(rule: ExchangeRule, ups: tuple[str, ...], out: Printer) -> None:
    """Points of all hands, and what exchanging by them is worth."""
    from rich.text import Text

    out.print()
    out.print(Text(POINTS_TITLE, "bold"))
    out.print(indented(Text(POINTS_WORDS), 2))
    table = grid("cards", *ups, left=1)
    for hand in rule.hands:
        name = f"{hand.cards}, exchanged" if hand.exchanged else hand.cards
        table.add_row(name, *(f"{hand.points[up]:+d}" for up in ups))
    out.print(table)
    out.print(indented(Text(points_value(rule)), 2))
    words = (
        'For one deal: upcard hand ... --cards "Ts 6d / 5h Tc" --up 6c; with --json all of them.'
    )
    out.print(indented(Text(words, "dim"), 2))
