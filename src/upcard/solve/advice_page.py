"""What `upcard hand` and `print(advice)` show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.pages.figures import grid, heading, percent, ratio_words, shoe_words, split_words
from upcard.pages.page import Printer, indented
from upcard.text import counted

if TYPE_CHECKING:
    from upcard.solve.advice import Advice


def show_advice(advice: Advice, out: Printer, typed: Sequence[str] | None = None) -> None:
    """The values; cards stand there as they were typed, with or without suits."""
    from rich.text import Text

    tables = advice.tables
    out.print(
        heading(
            tables,
            shoe_words(tables),
            f"wager {format_cents(advice.bet)}",
            ratio_words(advice.ratios),
            split_words(tables, advice.mode) if advice.mode != "none" else "",
        )
    )
    out.print()
    known = (advice.cards, (advice.shows,), advice.removed)
    held, up, removed = typed or [" ".join(map(str, cards)) for cards in known]
    doubled = f", doubled {counted(advice.doubles, 'time')}," if advice.doubles else ""
    out.print(Text.assemble((held, "bold"), f"{doubled} against ", (up, "bold")))
    if removed:
        out.print(Text(f"without {removed}", "dim"))
    best = advice.actions[advice.best]
    table = grid("action", "EV", "less than the best")
    for action, value in advice.actions.items():
        style = "bold green" if action is advice.best else ""
        less = "" if action is advice.best else percent(best - value, signed=False)
        table.add_row(Text(action.text, style), Text(percent(value), style), less)
    out.print(table)
    for note in _notes(advice):
        out.print(indented(Text(note), 2))


def _notes(advice: Advice) -> list[str]:
    """What the values hold for, and what insurance is worth."""
    natural = advice.tables.natural_name
    chance = percent(advice.natural, signed=False)
    notes = []
    if advice.before_check and advice.natural > 0:
        notes.append(f"Values before the dealer's check: a {natural} has a chance of {chance}.")
    elif advice.before_check:
        notes.append("Values before the dealer's check.")
    elif advice.natural > 0:
        notes.append(f"Values after a check that found no {natural}; its chance was {chance}.")
    if any(action.text == "trade" for action in advice.actions):
        notes.append(f"A trade has the light in it: {percent(advice.light)}.")
    if advice.insurance is not None:
        verdict = "it favours the player" if advice.insurance > 0 else "it costs"
        notes.append(f"Insurance: EV {percent(advice.insurance)} of its stake, {verdict}.")
    return notes
