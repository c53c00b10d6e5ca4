"""What every option of a game is worth: each value by itself, all else as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.compile.bets import wagers_of
from upcard.compile.rulebook import OptionEntry
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.pages.page import Printer, Shown
from upcard.papers.what_if import TablesFor
from upcard.solve.readings import NO_CHANGE, Evs, Pricer
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode
from upcard.text import as_text

FEW_VALUES = 6
"""Of an option with more values, the ends and the neighbours of the value in force are priced."""


@dataclass(frozen=True)
class OptionValue:
    """One value of an option: what wagers are worth with it, or why the rules forbid it."""

    value: str
    shown: str
    is_given: bool
    evs: Evs
    refused: str = ""


@dataclass(frozen=True)
class OptionEffect:
    """An option with its values; `given` are the wagers under the settings as they are."""

    name: str
    clauses: tuple[str, ...]
    given: Evs
    values: tuple[OptionValue, ...]

    def change(self, value: OptionValue, wager: str) -> float | None:
        """What the player gains by a value; None where one of the two lacks the wager."""
        if wager not in value.evs or wager not in self.given:
            return None
        change = value.evs[wager] - self.given[wager]
        return change if abs(change) > NO_CHANGE else 0.0

    @property
    def changed(self) -> tuple[str, ...]:
        """The wagers that some value changes."""
        wagers = dict.fromkeys(wager for value in self.values for wager in value.evs)
        return tuple(
            wager
            for wager in wagers
            if any(value.evs and self.change(value, wager) != 0.0 for value in self.values)
        )


@dataclass(frozen=True, repr=False)
class OptionEffects(Shown):
    """Every option of a game; `ranges` are those that span a range, of which none is priced."""

    tables: GameTables
    bet: int
    mode: Mode
    options: tuple[OptionEffect, ...]
    ranges: tuple[str, ...]

    @property
    def idle(self) -> tuple[str, ...]:
        """Options that change no wager's odds."""
        return tuple(option.name for option in self.options if not option.changed)

    def show(self, out: Printer) -> None:
        """Print what every value changes on a console or a page."""
        from upcard.papers.option_effects_page import show_option_effects

        show_option_effects(self, out)

    def __repr__(self) -> str:
        return f"<OptionEffects of {self.tables.ref}: {len(self.options)} options>"


def option_effects(
    tables_for_settings: TablesFor,
    settings: Mapping[str, str],
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> OptionEffects:
    """Price every value of every option that spans no range, the others as given.

    >>> from upcard import tables_for
    >>> found = option_effects(lambda settings: tables_for("twisted-21", settings), {})
    >>> [option.name for option in found.options if option.changed]
    ['stud_bonus', 'stud_poker']
    """
    pricer = Pricer(tables_for_settings, dict(settings), mode)
    tables = pricer.given()
    pricer.bet = wagers_of(tables, bet)[BASE]
    given = pricer.evs(tables)
    priced = [option for option in tables.rulebook.options if not option.is_range]
    found = []
    for number, option in enumerate(priced):
        progress(f"option {option.name}", number / len(priced))
        values = tuple(_value(pricer, option, value) for value in _chosen(option))
        found.append(OptionEffect(option.name, option.clauses, given, values))
    progress("options", 1.0)
    ranges = tuple(option.name for option in tables.rulebook.options if option.is_range)
    return OptionEffects(tables, pricer.bet, mode, tuple(found), ranges)


def _chosen(option: OptionEntry) -> list[bool | int | float | str]:
    allowed = list(option.allowed)
    if len(allowed) <= FEW_VALUES or option.value not in allowed:
        return [*allowed]
    place = allowed.index(option.value)
    kept = {0, place - 1, place, place + 1, len(allowed) - 1}
    return [value for number, value in enumerate(allowed) if number in kept]


def _value(pricer: Pricer, option: OptionEntry, value: bool | float | str) -> OptionValue:
    text = as_text(value)
    shown, is_given = option.shown(value), value == option.value
    try:
        tables = pricer.load({**pricer.settings, option.name: text})
    except UpcardError as error:
        return OptionValue(text, shown, is_given, {}, str(error))
    return OptionValue(text, shown, is_given, pricer.evs(tables))
