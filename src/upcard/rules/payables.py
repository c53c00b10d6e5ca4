"""The figures of a game that pay: odds, rows of pay tables, prizes; and the game with another."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import msgspec

from upcard.errors import ProblemsError
from upcard.money import BASE, INSURANCE, parse_odds
from upcard.rules import paths
from upcard.rules.card_wagers import CardWager
from upcard.rules.fitting import deck_size
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules
from upcard.rules.validate import shape_problems
from upcard.rules.wagers import ShowdownWager, TableWager, TieWager


class PayUnit(StrEnum):
    """How a figure is written."""

    ODDS = "odds"
    TO_1 = "to 1"
    FOR_1 = "for 1"
    CENTS = "cents"


@dataclass(frozen=True)
class Payable:
    """A figure that a wager pays by: what it is called, where it stands, and what it is.

    `row` is the place in a list of rows, -1 for a figure by itself, and `shoe` that of the shoe
    among those that the row pays by, if it does. In `for 1` the stake is part of the figure.
    """

    wager: str
    name: str
    also: tuple[str, ...]
    path: str
    row: int
    unit: PayUnit
    figure: Fraction
    shoe: int = -1
    file: str = "the game file"
    home: str = ""
    """Its key there, where that is another one."""

    @property
    def is_bonus(self) -> bool:
        """Whether it is a row of bonuses of the main wager."""
        return self.path == BONUSES

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        row = "" if self.row < 0 else f", row {self.row + 1}"
        shoe = "" if self.shoe < 0 else f", pays_with #{self.shoe + 1},"
        return f"{self.home or self.path}{row}{shoe} of {self.file}"


BONUSES = "bonuses.rows"
"""Where the rows of bonuses stand."""


def payables(rules: RuleSet) -> tuple[Payable, ...]:
    """Every figure that some wager on offer pays by."""
    return tuple(_found(rules))


def _found(rules: RuleSet) -> Iterator[Payable]:
    game = rules.game
    yield _odds(BASE, game.natural.name, ("natural",), "natural.pays", game.natural.pays)
    yield _odds(BASE, "win", (), "outcomes.win_pays", game.outcomes.win_pays)
    for number, row in enumerate(game.bonuses.rows if game.bonuses is not None else ()):
        yield Payable(BASE, row.name, (), BONUSES, number, PayUnit.ODDS, parse_odds(row.pays))
    if game.lights is not None:
        figure = Fraction(game.lights.prize)
        yield Payable(BASE, "prize", (), "lights.prize", -1, PayUnit.CENTS, figure)
    if game.insurance is not None and game.insurance.offered:
        yield _odds(INSURANCE, "insurance", (), "insurance.pays", game.insurance.pays)
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, TieWager | ShowdownWager) and wager.offered:
            here = f"wagers.{wager_id}.pays"
            yield _odds(wager_id, wager.name, (), here, wager.pays)
        elif isinstance(wager, TableWager) and wager.offered and wager.paytable != "none":
            yield from _table_rows(game, wager_id, wager)
        elif isinstance(wager, CardWager) and wager.offered:
            yield from _card_rows(rules, wager_id, wager)


def _odds(wager: str, name: str, also: tuple[str, ...], path: str, odds: str) -> Payable:
    return Payable(wager, name, also, path, -1, PayUnit.ODDS, parse_odds(odds))


def _table_rows(game: GameRules, wager_id: str, wager: TableWager) -> Iterator[Payable]:
    table = game.paytables[wager.paytable]
    decks = str(game.shoe.decks)
    here = f"paytables.{wager.paytable}.rows"
    if decks in table.rows_by_decks:
        here = f"paytables.{wager.paytable}.rows_by_decks.{decks}"
    unit = PayUnit.FOR_1 if table.quoted == "for-1" else PayUnit.TO_1
    names = dict(table.names)
    for number, (event, figure) in enumerate(table.with_decks(game.shoe.decks).rows):
        also = (event,) if event in names else ()
        yield Payable(wager_id, names.get(event, event), also, here, number, unit, Fraction(figure))


def _card_rows(rules: RuleSet, wager_id: str, wager: CardWager) -> Iterator[Payable]:
    game, use, file, home = rules.game, rules.sides.get(wager_id), "the game file", None
    if use is not None and (home := use.home(wager_id, f"wagers.{wager_id}.rows")):
        side = use.document
        file = f"the side wager {side.side.id}" if side.is_packaged else side.file
    unit = PayUnit.FOR_1 if wager.quoted == "for-1" else PayUnit.TO_1
    own = game.shoe.decks, deck_size(game)
    here = f"wagers.{wager_id}.rows"
    for number, row in enumerate(wager.rows):
        shoes = [(one.decks, one.cards) for one in row.pays_with]
        shoe = shoes.index(own) if own in shoes else -1
        pays = row.pays if shoe < 0 else row.pays_with[shoe].pays
        if pays is not None and pays != "push":
            figure = parse_odds(pays) if isinstance(pays, str) else Fraction(pays)
            name = row.event
            yield Payable(wager_id, name, (), here, number, unit, figure, shoe, file, home or "")


def paying(rules: RuleSet, payable: Payable, figure: Fraction) -> RuleSet:
    """The game as a draft with another figure."""
    from upcard.rules.check import rule_problems

    # Settings stay settings: what a reading answers by default is still in the file.
    data, defaults = (_with_figure(one, payable, figure) for one in (rules.data, rules.defaults))
    problems = shape_problems(data, rules.file)
    if problems:
        raise ProblemsError(problems)
    found = replace(rules, data=data, defaults=defaults, game=msgspec.convert(data, GameRules))
    problems = rule_problems(found, draft=True)
    if problems:
        raise ProblemsError(problems)
    return found


def _with_figure(given: Mapping[str, Any], payable: Payable, figure: Fraction) -> dict[str, Any]:
    """The data of a game as a draft with another figure."""
    data: dict[str, Any] = copy.deepcopy(dict(given))
    if payable.row < 0:
        paths.put(data, payable.path, _written(payable.unit, figure))
    else:
        row = paths.get(data, payable.path)[payable.row]
        if payable.shoe >= 0:
            row["pays_with"][payable.shoe]["pays"] = _written(payable.unit, figure)
        elif isinstance(row, dict):
            row["pays"] = _written(payable.unit, figure)
        else:
            row[1] = _written(payable.unit, figure)
    data["draft"] = True
    # What an operator may choose from, or a text may mean, is no limit to what somebody thinks of.
    for kind in ("options", "readings"):
        known = data.get(kind, {})
        data[kind] = {
            name: choice for name, choice in known.items() if not _decides(choice, payable.path)
        }
    return data


def _decides(choice: dict[str, Any], path: str) -> bool:
    """Whether an option or a reading sets a value."""
    answers = choice.get("values", {}).values()
    return choice.get("sets") == path or any(path in values for values in answers)


def _written(unit: PayUnit, figure: Fraction) -> int | str:
    """A figure as game files have it."""
    if unit is PayUnit.ODDS or figure.denominator != 1:
        return f"{figure.numerator}:{figure.denominator}"
    return int(figure)
