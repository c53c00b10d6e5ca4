"""A table that somebody is about to open: what was chosen, and what is wrong with it, by field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from upcard.compile.tables import GameTables, tables_for
from upcard.errors import ProblemsError, UpcardError
from upcard.fees.lint import lint, subject
from upcard.fees.schedules import load_fee_book
from upcard.money import parse_amount, plain_dollars
from upcard.rules.paths import covers
from upcard.rules.registry import GAME_IDS
from upcard.rules.settings import Choice
from upcard.service.house_games import choices_of, game_ids, need_game
from upcard.service.specs import HouseError, Speed, TableSpec
from upcard.text import as_text, cited

if TYPE_CHECKING:
    from upcard.compile.rulebook import OptionEntry

SPEEDS: dict[str, str] = {"slow": "Slow", "normal": "Normal", "fast": "Fast"}
CLOCKS: dict[str, str] = {"0": "none", "10": "10 s", "20": "20 s", "30": "30 s", "60": "60 s"}

STAKES = ("table_minimum", "table_maximum", "prize", "chip", "rounding")
SEATING = ("positions",)
FEES = ("fee_schedule", "fee_resolution")
"""Options that have places of their own on the form."""


@dataclass
class Draft:
    """What was chosen so far. `settings` are texts as people type them; money is in dollars."""

    game: str = GAME_IDS[0]
    name: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    bots: int = 2
    seconds: int = 20
    wager_seconds: int = 20
    speed: Speed = "normal"
    listed: bool = True

    def choose_game(self, game: str) -> None:
        """Another game: what it has as well stays as it was chosen."""
        self.game = game if game in game_ids() else GAME_IDS[0]
        known = choices_of(self.game)
        self.settings = {name: text for name, text in self.settings.items() if name in known}

    def set(self, name: str, text: str) -> None:
        self.settings[name] = text.strip()


@dataclass(frozen=True)
class Judged:
    """A draft as the rules see it: the compiled game, or what is wrong, by its field."""

    tables: GameTables | None
    settings: dict[str, str]
    wrong: dict[str, list[str]]
    general: list[str]

    @property
    def holds(self) -> bool:
        return self.tables is not None and not self.wrong and not self.general


def judge(draft: Draft) -> Judged:
    """Everything that is wrong with a draft.

    >>> judge(Draft("ten-sticks-21", settings={"natural": "6:5"})).wrong["natural"][0][:45]
    'A natural pays 6 to 5 only with a single deck'
    >>> judge(Draft("blackjack", settings={"table_minimum": "lots"})).wrong["table_minimum"]
    ['"lots" is not an amount: write dollars (25, $25, 25.00) or cents (2500c)']
    >>> judge(Draft("blackjack", settings={"decks": "abc"})).wrong["decks"][0][:20]
    '"abc" is not allowed'
    """
    known = choices_of(draft.game)
    wrong: dict[str, list[str]] = {}
    general: list[str] = []
    settings: dict[str, str] = {}
    for name, text in draft.settings.items():
        try:
            settings[name] = _checked(known[name], text)
        except UpcardError as error:
            wrong.setdefault(name, []).append(_sentence(str(error)))
    tables = None
    if not wrong:
        try:
            tables = tables_for(draft.game, settings)
        except ProblemsError as error:
            for problem in error.problems:
                said = _sentence(problem.message) + cited(problem.clauses)
                names = about(known, problem.path, draft.settings)
                for name in names:
                    wrong.setdefault(name, []).append(said)
                general += [] if names else [said]
        except UpcardError as error:
            general.append(_sentence(str(error)))
    if tables is not None:
        _seating(draft, tables, wrong)
    return Judged(tables, settings, wrong, general)


def _checked(choice: Choice, text: str) -> str:
    """A setting in the form that games take, if it is allowed."""
    may_be = f"it may be {choice.allowed_text()}{cited(choice.clauses)}"
    if not text:
        raise UpcardError(f"nothing is written here: {may_be}")
    written = str(parse_amount(text)) if choice.money else text
    if choice.keys_for(written) is None:
        shown = choice.shown(written) if choice.money else f'"{text}"'
        raise UpcardError(f"{shown} is not allowed: {may_be}")
    return written


def _seating(draft: Draft, tables: GameTables, wrong: dict[str, list[str]]) -> None:
    seats = tables.round_plan.positions
    if not 0 <= draft.bots < seats:
        said = f"There is room for 0 to {seats - 1} bots at this table."
        wrong.setdefault("bots", []).append(said)


def about(known: Mapping[str, Choice], place: str, chosen: Iterable[str] = ()) -> tuple[str, ...]:
    """The settings that turn the keys which a problem names; those that were chosen, if any were.

    A minimum that was left alone is above a maximum because of the maximum: what was chosen in the
    same section of the rules comes before what was not chosen at all.

    >>> found = choices_of("blackjack")
    >>> about(found, "limits.minimum"), about(found, "natural.pays = 6:5 and shoe.decks = 6")
    (('table_minimum',), ('decks', 'natural'))
    """
    paths = [part.partition(" = ")[0].strip() for part in re.split(r" and |, ", place)]
    names = [
        name
        for name, choice in known.items()
        if any(_turns(choice, path) for path in paths if path)
    ]
    mine = [name for name in known if name in set(chosen)]
    picked = [name for name in mine if name in names]
    sections = {path.partition(".")[0] for path in paths if path}
    near = [
        name
        for name in mine
        if sections & {target.partition(".")[0] for target in _targets(known[name])}
    ]
    return tuple(picked or near or names)


def _targets(choice: Choice) -> list[str]:
    targets = [choice.sets] if choice.sets else []
    return targets + [key for keys in choice.values.values() for key in keys]


def _turns(choice: Choice, path: str) -> bool:
    return any(covers(target, path) or covers(path, target) for target in _targets(choice))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def spec_of(draft: Draft, judged: Judged) -> TableSpec:
    """The table as the house opens it; refused while anything is wrong."""
    if not judged.holds:
        said = [*judged.general, *(words for all_ in judged.wrong.values() for words in all_)]
        raise HouseError(said[0] if said else "this table cannot be opened")
    return TableSpec(
        game=draft.game,
        name=draft.name,
        settings=judged.settings,
        bots=draft.bots,
        seconds=draft.seconds,
        wager_seconds=draft.wager_seconds,
        speed=draft.speed if draft.speed in get_args(Speed) else "normal",
        listed=draft.listed,
    )


def open_fees(draft: Draft) -> list[str]:
    """What the chosen fee schedule leaves open as it is printed.

    >>> open_fees(Draft("pure-spanish-21.5", settings={"fee_schedule": "36"}))
    ['all rows: the table limits and the rows are those of schedule 35']
    """
    book = need_game(draft.game).rulebook
    option = next((one for one in book.options if one.name == "fee_schedule"), None)
    if option is None:
        return []
    chosen = draft.settings.get("fee_schedule", as_text(option.default))
    return [
        one.message.removeprefix(subject(one.schedule))
        for one in lint(load_fee_book(draft.game))
        if str(one.schedule) == chosen
    ]


def typed(option: OptionEntry, draft: Draft) -> str:
    """What the field of an option shows."""
    if option.name in draft.settings:
        return draft.settings[option.name]
    if option.money:
        return plain_dollars(int(option.default))
    return as_text(option.default)
